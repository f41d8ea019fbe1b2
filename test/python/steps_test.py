# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""steps_test.py - what cokernel.compute has beyond cuda.compute, on the host device, against NumPy: arrays of two
axes, histograms of channels, sorts by functions, and counts in narrow types. Each call runs twice or more, the
later ones by its recipe."""
import os
import sys
import unittest

import numpy as np

import cokernel
from cokernel import compute
from cokernel.compute import CountingIterator, OpKind, SortOrder, TransformIterator, gpu_struct

rng = np.random.default_rng(3)
Point = gpu_struct({"x": np.int32, "y": np.float32}, "Point")


def twice(function, known, times=2):
    """Calls a function, and checks that all calls but the first one were launched by the recipe."""
    function()
    before = known.known
    for _ in range(times - 1):
        function()
    assert known.known == before, "a call that is like an earlier one was written anew"


class Rows(unittest.TestCase):
    """top_k_rows"""

    def test_sorted(self):
        m = rng.permutation(6 * 40).astype("f4").reshape(6, 40)
        best, at = np.zeros((6, 5), "f4"), np.zeros((6, 5), "u1")
        twice(lambda: compute.top_k_rows(d_in=m, d_out=best, d_places_out=at), compute.top_k_rows)
        np.testing.assert_array_equal(best, np.sort(m)[:, ::-1][:, :5])
        np.testing.assert_array_equal(at, np.argsort(-m)[:, :5])
        compute.top_k_rows(d_in=m, d_out=best, order=SortOrder.ASCENDING)
        np.testing.assert_array_equal(best, np.sort(m)[:, :5])

    def test_other_extents(self):
        for rows, columns, k in ((3, 10, 4), (5, 10, 4), (2, 7, 1), (1, 3, 8)):
            m = rng.permutation(rows * columns).astype("i4").reshape(rows, columns)
            best = np.full((rows, k), -1, "i4")
            compute.top_k_rows(d_in=m, d_out=best)
            taken = min(k, columns)
            np.testing.assert_array_equal(best[:, :taken], np.sort(m)[:, ::-1][:, :taken])
            self.assertTrue((best[:, taken:] == -1).all())

    def test_wrong_later_calls(self):
        m, best, at = np.zeros((3, 9), "i4"), np.zeros((3, 2), "i4"), np.zeros((3, 2), "u1")
        for wrong, text in (({"d_out": best[:2]}, "'d_out' has 2 rows"), ({"d_in": np.zeros((9, 3), "i4").T}, "in C's order"),
                            ({"d_places_out": at[:2]}, r"the shape \(2, 2\)"), ({"d_out": best[0]}, "of two axes"),
                            ({"d_in": np.zeros((3, 257), "i4")}, "uint8 counts to 255")):
            twice(lambda: compute.top_k_rows(d_in=m, d_out=best, d_places_out=at), compute.top_k_rows)
            with self.assertRaisesRegex(cokernel.ArgumentError, text):
                compute.top_k_rows(**{"d_in": m, "d_out": best, "d_places_out": at, **wrong})

    def test_unsorted(self):
        m, best = rng.permutation(9000).astype("i4").reshape(1, 9000), np.zeros((1, 5000), "i4")
        with self.assertRaisesRegex(cokernel.UnsupportedError, "sorted rows have at most 4096: pass is_sorted=False"):
            compute.top_k_rows(d_in=m, d_out=best)
        compute.top_k_rows(d_in=m, d_out=best, is_sorted=False)
        np.testing.assert_array_equal(np.sort(best[0]), np.arange(4000, 9000))

    def test_object(self):
        m, best, at = np.array([[3, 1, 2], [4, 6, 5]], "i4"), np.zeros((2, 2), "i4"), np.zeros((2, 2), "i4")
        made = compute.make_top_k_rows(d_in=m, d_out=best, d_places_out=at, order=SortOrder.ASCENDING)
        for one in (made, compute.deserialize(compute.serialize(made))):
            best[:] = at[:] = 0
            one(temp_storage=at, d_in=m, d_out=best, d_places_out=at)
            self.assertEqual((best.tolist(), at.tolist()), ([[1, 2], [4, 5]], [[1, 2], [0, 2]]))


class Histograms(unittest.TestCase):
    def setUp(self):
        self.pixels = rng.integers(0, 256, (500, 4)).astype("u1")
        self.bins = np.zeros((3, 8), "i4")
        self.want = np.stack([np.bincount(self.pixels[:, c] // 32, minlength=8) for c in range(3)])

    def compare(self, function, known):
        twice(function, known)
        np.testing.assert_array_equal(self.bins, self.want)
        self.bins[:] = 0

    def test_channels(self):
        levels = np.arange(0, 257, 32).astype("i4")
        self.compare(lambda: compute.histogram_even(
            d_samples=self.pixels, d_histogram=self.bins, num_output_levels=9, lower_level=0, upper_level=256,
            num_samples=500, channels=3), compute.histogram_even)
        self.compare(lambda: compute.histogram_range(d_samples=self.pixels, d_histogram=self.bins, d_levels=levels,
                                                     num_items=500, channels=3), compute.histogram_range)
        self.compare(lambda: compute.histogram_by(d_samples=self.pixels, d_histogram=self.bins, op=lambda v: v >> 5,
                                                  num_items=500, channels=3), compute.histogram_by)

    def test_other_shapes(self):
        for rows, columns, channels, bins in ((10, 2, 2, 4), (20, 2, 2, 9), (10, 5, 1, 4), (1, 3, 3, 2)):
            samples = rng.random((rows, columns)).astype("f4")
            counts = np.zeros((channels, bins), "u8")
            compute.histogram_even(d_samples=samples, d_histogram=counts, num_output_levels=bins + 1, lower_level=0.0,
                                   upper_level=1.0, num_samples=rows, channels=channels)
            for c in range(channels):
                np.testing.assert_array_equal(counts[c], np.histogram(samples[:, c], bins, (0, 1))[0])

    def test_wrong_later_calls(self):
        def call(samples=self.pixels, bins=self.bins, count=500):
            compute.histogram_by(d_samples=samples, d_histogram=bins, op=lambda v: v >> 5, num_items=count, channels=3)
        for wrong, text in ((("samples", self.pixels[:99]), "'d_samples' has 396 elements"), (("bins", self.bins[:2]), "has 2 rows"),
                            (("count", 501), "has 500 rows, and num_items is 501"), (("bins", self.bins[0]), "of two axes"),
                            (("samples", self.pixels[:, :2].copy()), "channels': 3 is out of range, 1 to 2")):
            twice(call, compute.histogram_by)
            with self.assertRaisesRegex(cokernel.Error, text):
                call(**dict([wrong]))
        other = rng.integers(0, 256, (500, 3)).astype("u1")  # rows of another length are another program
        call(other)
        np.testing.assert_array_equal(self.bins[0], np.bincount(other[:, 0] // 32, minlength=8))

    def test_by(self):
        words, counts = rng.integers(0, 1000, 300).astype("i4"), np.zeros(10, "u4")
        twice(lambda: compute.histogram_by(d_samples=words, d_histogram=counts, op=lambda v: v // 50, num_items=300),
              compute.histogram_by)
        np.testing.assert_array_equal(counts, np.bincount(words // 50, minlength=20)[:10])

    def test_objects(self):
        made = compute.make_histogram_by(d_samples=self.pixels, d_histogram=self.bins, op=lambda v: v >> 5, channels=3)
        for one in (made, compute.deserialize(compute.serialize(made))):
            one(temp_storage=self.bins, d_samples=self.pixels, d_histogram=self.bins, op=lambda v: v >> 5, num_items=500)
            np.testing.assert_array_equal(self.bins, self.want)
        with self.assertRaisesRegex(TypeError, "'channels': the object was made with 3"):
            made(temp_storage=self.bins, d_samples=self.pixels, d_histogram=self.bins, op=lambda v: v >> 5, num_items=500,
                 channels=2)


class Sorts(unittest.TestCase):
    def test_radix_sort_by(self):
        points = np.zeros(200, Point.dtype)
        points["x"], points["y"] = rng.integers(-5, 5, 200), rng.random(200)
        out = np.zeros(200, Point.dtype)
        twice(lambda: compute.radix_sort_by(d_in=points, d_out=out, op=lambda p: (p.x, p.y), num_items=200),
              compute.radix_sort_by)
        np.testing.assert_array_equal(out, points[np.lexsort((points["y"], points["x"]))])
        compute.radix_sort_by(d_in=points, d_out=out, op=lambda p: p.y, num_items=200, order=SortOrder.DESCENDING)
        np.testing.assert_array_equal(out["y"], np.sort(points["y"])[::-1])
        compute.radix_sort_by(d_in=points, d_out=out, op="|p| (p[0], p[1])", num_items=200, end_bit=32)
        np.testing.assert_array_equal(out["y"], np.sort(points["y"]))
        compute.radix_sort_by(d_in=out, d_out=out, op=lambda p: p.x, num_items=200)
        np.testing.assert_array_equal(out["x"], np.sort(points["x"]))

    def test_segmented_radix_sort(self):
        keys, values = rng.integers(0, 99, 100).astype("i4"), np.arange(100, dtype="u4")
        offsets, out, values_out = np.array([0, 30, 30, 100], "u4"), np.zeros(100, "i4"), np.zeros(100, "u4")
        twice(lambda: compute.segmented_radix_sort(d_in_keys=keys, d_out_keys=out, d_in_values=values,
                                                   d_out_values=values_out, offsets_in=offsets, num_items=100),
              compute.segmented_radix_sort)
        want = np.concatenate([np.argsort(keys[:30], kind="stable"), 30 + np.argsort(keys[30:], kind="stable")])
        np.testing.assert_array_equal((out, values_out), (keys[want], want))
        compute.segmented_radix_sort(d_in_keys=out, d_out_keys=out, offsets_in=offsets, num_items=100,
                                     order=SortOrder.DESCENDING)
        np.testing.assert_array_equal(out, np.concatenate([np.sort(p)[::-1] for p in (keys[:30], keys[30:])]))

    def test_segmented_sort_leaves_gaps(self):
        x, begins, ends = np.arange(9, 0, -1, dtype="i4"), np.array([6, 0], "i4"), np.array([9, 3], "i4")
        given = {"d_in_values": None, "d_out_values": None, "num_items": 9, "num_segments": 2,
                 "start_offsets_in": begins, "end_offsets_in": ends, "order": SortOrder.ASCENDING}
        to = np.zeros(9, "i4")
        compute.segmented_sort(d_in_keys=x, d_out_keys=to, **given)
        self.assertEqual(to.tolist(), [7, 8, 9, 0, 0, 0, 1, 2, 3])
        compute.segmented_sort(d_in_keys=x, d_out_keys=x, **given)
        self.assertEqual(x.tolist(), [7, 8, 9, 6, 5, 4, 1, 2, 3])

    def test_segmented_sort_by_a_function(self):
        keys, values, out = rng.integers(-99, 99, 60).astype("i4"), np.arange(60, dtype="i4"), np.zeros((2, 60), "i4")
        offsets = np.array([0, 25, 60], "i4")
        given = {"d_in_keys": keys, "d_out_keys": out[0], "num_items": 60, "num_segments": 2,
                 "start_offsets_in": offsets[:-1], "end_offsets_in": offsets[1:]}
        want = np.concatenate([np.argsort(abs(keys[:25]), kind="stable"), 25 + np.argsort(abs(keys[25:]), kind="stable")])
        twice(lambda: compute.segmented_sort(**given, op=lambda a, b: abs(a) < abs(b)), compute.segmented_sort)
        np.testing.assert_array_equal(out[0], keys[want])
        compute.segmented_sort(**given, d_in_values=values, d_out_values=out[1], op=lambda a, b: abs(a) < abs(b))
        np.testing.assert_array_equal(out[1], want)
        compute.segmented_sort(**given)
        np.testing.assert_array_equal(out[0], np.concatenate([np.sort(keys[:25]), np.sort(keys[25:])]))

    def test_merge_pairs(self):
        a, b = (np.sort(rng.integers(0, 50, n)).astype("i4") for n in (30, 20))
        x, y, keys, values = np.arange(30, dtype="f4"), -np.arange(20, dtype="f4"), np.zeros(50, "i4"), np.zeros(50, "f4")
        order = np.argsort(np.concatenate([a, b]), kind="stable")
        for op in (OpKind.LESS, lambda p, q: p < q, lambda p, q: p // 1 < q // 1):
            keys[:] = values[:] = 0
            compute.merge_pairs(d_in1_keys=a, d_in1_values=x, d_in2_keys=b, d_in2_values=y, d_out_keys=keys,
                                d_out_values=values, op=op, num_items=30, num_items2=20)
            np.testing.assert_array_equal(keys, np.concatenate([a, b])[order])
            np.testing.assert_array_equal(values, np.concatenate([x, y])[order])


class Elements(unittest.TestCase):
    x = rng.integers(-9, 9, 100).astype("i4")

    def test_argminmax(self):
        out = np.zeros(1, np.dtype("i4,u8,i4,u8", align=True))
        twice(lambda: compute.argminmax(d_in=self.x, d_out=out, num_items=100), compute.argminmax)
        self.assertEqual(out[0].tolist(), (self.x.min(), self.x.argmin(), self.x.max(), self.x.argmax()))
        narrow = np.zeros(1, np.dtype("i8,u1,i8,u1", align=True))
        compute.argminmax(d_in=self.x, d_out=narrow, op=lambda a, b: abs(a) < abs(b), num_items=100)
        self.assertEqual(narrow[0].tolist()[1::2], (abs(self.x).argmin(), abs(self.x).argmax()))

    def test_nary_transform(self):
        a, b, c, out = self.x, self.x[::-1].copy(), rng.random(100).astype("f4"), np.zeros(100, "f4")
        twice(lambda: compute.nary_transform(d_ins=(a, b, c), d_out=out, op=lambda p, q, r: p * q + r, num_items=100),
              compute.nary_transform)
        np.testing.assert_allclose(out, a * b + c, rtol=1e-6)
        many = (a, b, CountingIterator(np.int32(0)), TransformIterator(a, lambda v: -v), b)
        total = np.zeros(100, "i4")
        compute.nary_transform(d_ins=many, d_out=total, op=lambda p, q, r, s, t: p + q + r + s + t, num_items=100)
        np.testing.assert_array_equal(total, 2 * b + np.arange(100))
        compute.nary_transform(d_ins=(a, b), d_out=total, op=OpKind.PLUS, num_items=100)
        np.testing.assert_array_equal(total, a + b)
        for op, want in ((OpKind.MAXIMUM, np.maximum(a, b)), ("|p, q| p * q", a * b), (np.subtract, a - b)):
            compute.nary_transform(d_ins=(a, b), d_out=total, op=op, num_items=100)
            np.testing.assert_array_equal(total, want)
        compute.nary_transform(d_ins=[a], d_out=total, op=lambda v: v + 1, num_items=100)
        np.testing.assert_array_equal(total, a + 1)

    def test_adjacent_difference(self):
        out = np.zeros(100, "i4")
        made = compute.make_adjacent_difference(d_in=self.x, d_out=out, op=OpKind.MINUS, right=True)
        for one in (made, compute.deserialize(compute.serialize(made))):
            out[:] = 0
            one(temp_storage=out, d_in=self.x, d_out=out, op=OpKind.MINUS, num_items=100)
            np.testing.assert_array_equal(out, [*(self.x[:-1] - self.x[1:]), self.x[-1]])
        for right, want in ((True, out.copy()), (False, np.diff(self.x, prepend=0))):
            compute.adjacent_difference(d_in=self.x, d_out=out, op=OpKind.MINUS, right=right, num_items=100)
            np.testing.assert_array_equal(out, want)

    def test_segmented_scan_with_a_value(self):
        out, offsets = np.zeros(100, "i4"), np.array([0, 40, 100], "u4")
        twice(lambda: compute.inclusive_segmented_scan(d_in=self.x, offsets_in=offsets, d_out=out, op=OpKind.PLUS,
                                                       init_value=np.int32(5), num_items=100),
              compute.inclusive_segmented_scan)
        np.testing.assert_array_equal(out, 5 + np.concatenate([np.cumsum(self.x[:40]), np.cumsum(self.x[40:])]))


class Counts(unittest.TestCase):
    """Counts in narrow types: the greatest that fits, and one more, also by a recipe."""

    ones, out, few = np.ones(300, "i4"), np.zeros(300, "i4"), np.zeros(300, "u1")

    def limit(self, call, most):
        for n in (most - 1, most, np.int64(most)):
            call(n)
        for _ in range(2):
            with self.assertRaisesRegex(cokernel.ArgumentError, "uint8 counts to 255, and .* is 256: pass an array of a larger"):
                call(most + 1)
        call(most)

    def test_select(self):
        self.limit(lambda n: compute.select(d_in=self.ones, d_out=self.out, d_num_selected_out=self.few,
                                            cond=lambda v: v > 0, num_items=n), 255)
        self.assertEqual(self.few[0], 255)

    def test_run_lengths(self):
        self.limit(lambda n: compute.run_length_encode(d_in=self.ones, d_unique_out=self.out, d_counts_out=self.few,
                                                       d_num_runs_out=np.zeros(1, "u1"), num_items=n), 255)
        self.assertEqual(self.few[0], 255)

    def test_places(self):
        pair = np.zeros(1, np.dtype("i4,u1", align=True))
        self.limit(lambda n: compute.argmin(d_in=self.ones, d_out=pair, op=lambda a, b: False, num_items=n), 256)
        self.assertEqual(pair[0].tolist(), (1, 0))

    def test_two_sequences(self):
        self.limit(lambda n: compute.set_difference(d_in1=self.ones, d_in2=self.out, d_out=np.zeros(300, "i4"),
                                                    d_num_out=self.few, op=OpKind.LESS, num_items=n, num_items2=0), 255)
        self.assertEqual(self.few[0], 255)


if __name__ == "__main__":
    os.environ.setdefault("CK_DEVICE", "host")
    sys.exit(unittest.main())
