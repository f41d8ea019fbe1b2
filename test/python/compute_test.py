# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compute_test.py - cokernel.compute on the host device: each algorithm, iterator and kind of operator
against NumPy; structs, captures, objects, bytes of objects, and errors that show Python's source."""
import functools
import threading
import unittest

import numpy as np

from cokernel import compute
from cokernel.compute import ConstantIterator, CountingIterator, DiscardIterator, OpKind, PermutationIterator, \
    ReverseIterator, ShuffleIterator, SortOrder, TransformIterator, TransformOutputIterator, ZipIterator, gpu_struct

SCALE = 3
rng = np.random.default_rng(1)


def reduced(it, n, op, init, dtype=None):
    init = np.asarray([init]) if not hasattr(init, "_data") else init
    out = np.zeros(1, dtype or init.dtype)
    compute.reduce_into(d_in=it, d_out=out, num_items=n, op=op, h_init=init)
    return out[0]


class Algorithms(unittest.TestCase):
    """Each algorithm."""

    def test_reduce(self):
        x = rng.integers(-9, 9, 70000).astype("i4")
        for op in (OpKind.PLUS, lambda a, b: a + b, "+", np.add):
            self.assertEqual(reduced(x, len(x), op, np.int64(5)), 5 + x.sum())
        self.assertEqual(reduced(x, len(x), lambda a, b: max(a, b), np.int32(-99)), x.max())

    def test_founding_example(self):
        it = TransformIterator(CountingIterator(np.int64(1)), lambda v: -v if v % 2 == 0 else v)
        self.assertEqual(reduced(it, 1001, OpKind.PLUS, np.int64(0)), 501)

    def test_scans(self):
        x = rng.integers(0, 9, 5000).astype("i4")
        y = np.zeros_like(x)
        compute.inclusive_scan(d_in=x, d_out=y, op=OpKind.PLUS, init_value=None, num_items=5000)
        np.testing.assert_array_equal(y, np.cumsum(x))
        compute.exclusive_scan(d_in=x, d_out=y, op=lambda a, b: a + b, init_value=np.array([7], "i4"), num_items=5000)
        np.testing.assert_array_equal(y, np.cumsum(x) - x + 7)
        compute.inclusive_scan(d_in=x, d_out=x, op=OpKind.PLUS, init_value=None, num_items=5000)  # in place
        self.assertEqual(x[-1], y[-1] - 7 + x[-1] - x[-2])

    def test_transforms(self):
        a, b = rng.random(300).astype("f4"), rng.random(300).astype("f4")
        out = np.zeros(300, "f8")
        compute.binary_transform(d_in1=a, d_in2=b, d_out=out, op=lambda p, q: p * SCALE - q, num_items=300)
        np.testing.assert_allclose(out, a * 3 - b, rtol=1e-6)
        compute.unary_transform(d_in=a, d_out=a, op=np.sqrt, num_items=300)
        compute.binary_transform(d_in1=a, d_in2=b, d_out=out, op=OpKind.LESS, num_items=300)
        np.testing.assert_array_equal(out, a < b)

    def test_selections(self):
        x = rng.integers(0, 100, 3000).astype("i4")
        y, count = np.zeros_like(x), np.zeros(2, "u8")
        compute.select(d_in=x, d_out=y, d_num_selected_out=count, cond=lambda v: v % 3 == 1, num_items=3000)
        np.testing.assert_array_equal(y[:count[0]], x[x % 3 == 1])
        parts = [np.zeros_like(x) for _ in range(3)]
        compute.three_way_partition(
            d_in=x, d_first_part_out=parts[0], d_second_part_out=parts[1], d_unselected_out=parts[2],
            d_num_selected_out=count, select_first_part_op=lambda v: v < 10, select_second_part_op=lambda v: v >= 90,
            num_items=3000)
        np.testing.assert_array_equal(parts[1][:count[1]], x[x >= 90])
        keys, values = np.sort(x), np.arange(3000, dtype="f4")
        to, items = np.zeros_like(keys), np.zeros_like(values)
        compute.unique_by_key(d_in_keys=keys, d_in_items=values, d_out_keys=to, d_out_items=items,
                              d_out_num_selected=count, op=OpKind.EQUAL_TO, num_items=3000)
        unique, first = np.unique(keys, return_index=True)
        np.testing.assert_array_equal(to[:count[0]], unique)
        np.testing.assert_array_equal(items[:count[0]], first)

    def test_sorts(self):
        keys, values = rng.integers(0, 50, 4000).astype("u2"), np.arange(4000, dtype="i4")
        for call in (functools.partial(compute.merge_sort, op=lambda a, b: a > b),
                     functools.partial(compute.radix_sort, order=SortOrder.DESCENDING)):
            to, with_them = np.zeros_like(keys), np.zeros_like(values)
            call(d_in_keys=keys, d_out_keys=to, d_in_values=values, d_out_values=with_them, num_items=4000)
            order = np.argsort(-keys.astype("i4"), kind="stable")
            np.testing.assert_array_equal(to, keys[order])
            np.testing.assert_array_equal(with_them, order)

    def test_segments(self):
        x = rng.random(900)
        limits = np.array([0, 10, 10, 400, 900], "i4")
        apart = limits[1:].copy()  # elsewhere in memory
        for ends in (limits[1:], apart):
            out = np.zeros(4)
            compute.segmented_reduce(d_in=x, d_out=out, num_segments=4, start_offsets_in=limits[:-1],
                                     end_offsets_in=ends, op=OpKind.PLUS, h_init=np.array([1.0]))
            np.testing.assert_allclose(out, [1 + x[a:b].sum() for a, b in zip(limits, limits[1:])])
            to = np.zeros_like(x)
            compute.segmented_sort(d_in_keys=x, d_out_keys=to, num_items=900, num_segments=4,
                                   start_offsets_in=limits[:-1], end_offsets_in=ends, order=SortOrder.ASCENDING)
            np.testing.assert_array_equal(to[400:], np.sort(x[400:]))

    def test_histogram_and_search(self):
        x, counts = rng.random(2000).astype("f4") * 8, np.zeros(4, "i4")
        compute.histogram_even(d_samples=x, d_histogram=counts, num_output_levels=5, lower_level=np.float32(0),
                               upper_level=np.float32(8), num_samples=2000)
        np.testing.assert_array_equal(counts, np.histogram(x, 4, (0, 8))[0])
        data, values, places = np.sort(x), x[:50].copy(), np.zeros(50, np.uintp)
        compute.upper_bound(d_data=data, num_items=2000, d_values=values, num_values=50, d_out=places)
        np.testing.assert_array_equal(places, np.searchsorted(data, values, "right"))


class Iterators(unittest.TestCase):
    """Iterators and their compositions."""

    def elements(self, it, n, dtype):
        out = np.zeros(n, dtype)
        compute.unary_transform(d_in=it, d_out=out, op=OpKind.IDENTITY, num_items=n)
        return out

    def test_inputs(self):
        x = np.arange(10, 20, dtype="i4")
        places = np.array([3, 0, 9], "i8")
        for it, wanted in ((ReverseIterator(x), x[::-1][:3]), (PermutationIterator(x, places), x[places]),
                           (CountingIterator(np.int32(4)) + 2, [6, 7, 8]), (ConstantIterator(np.int32(4)), [4, 4, 4]),
                           (ReverseIterator(CountingIterator(np.int32(4))), [4, 3, 2]),
                           (TransformIterator(x, lambda v: v // 4) + 5, x[5:8] // 4)):
            np.testing.assert_array_equal(self.elements(it, 3, "i4"), wanted)
        shuffled = self.elements(ShuffleIterator(100, 7), 100, "i8")
        self.assertEqual(sorted(shuffled), list(range(100)))

    def test_zip_of_six(self):
        x = [np.arange(k, k + 5, dtype="i4") for k in range(6)]
        y = [np.zeros(5, "i4") for _ in range(6)]
        compute.unary_transform(d_in=ZipIterator(*x), d_out=ZipIterator(*y), num_items=5,
                                op=lambda v: (v[5], v[4], v[3], v[2], v[1], v[0] * 2))
        np.testing.assert_array_equal(y[0], x[5])
        np.testing.assert_array_equal(y[5], x[0] * 2)

    def test_outputs(self):
        x, y = np.arange(5, dtype="f4"), np.zeros(5, "f4")
        compute.unary_transform(d_in=x, d_out=TransformOutputIterator(ReverseIterator(y), lambda v: v + 0.5),
                                op=lambda v: v * 2, num_items=5)
        np.testing.assert_array_equal(y, (x * 2 + 0.5)[::-1])
        compute.unary_transform(d_in=x, d_out=DiscardIterator(), op=lambda v: v, num_items=5)


class Operators(unittest.TestCase):
    """What functions capture and make."""

    def test_structs(self):
        @gpu_struct
        class Range:
            lo: np.float32
            hi: np.float32

        def both(a, b):
            return Range(min(a.lo, b.lo), max(a.hi, b.hi))
        x = rng.random(1000).astype("f4")
        found = reduced(TransformIterator(x, lambda v: Range(v, v)), 1000, both, Range(np.inf, -np.inf))
        self.assertEqual((found["lo"], found["hi"]), (x.min(), x.max()))

    def test_complex(self):
        x = (rng.random(500) + 1j * rng.random(500)).astype("c8")
        self.assertAlmostEqual(reduced(x, 500, lambda a, b: a + b, np.complex64(1j)), x.sum() + 1j, places=2)

    def test_captures(self):
        x, out = np.arange(6, dtype="i4"), np.zeros(6, "i4")
        table, seen = np.array([[1, 2], [3, 4]], "i4"), np.zeros(1, "i4")

        def looked_up(v):
            if v % 2 == 0:
                compute.atomic.add(seen, 0, 1)
            return table[v % 2, v // 3] * factor
        for factor in (1, 10):
            compute.unary_transform(d_in=x, d_out=out, op=looked_up, num_items=6)
            np.testing.assert_array_equal(out, table[x % 2, x // 3] * factor)
        self.assertEqual(seen[0], 6)

    def test_captured_numbers_are_no_part_of_the_text(self):
        def made(k):
            return lambda v: v + k
        x = np.zeros(3, "i4")
        objects = {id(compute.make_unary_transform(d_in=x, d_out=x, op=made(k))) for k in range(4)}
        self.assertEqual(len(objects), 1)

    def test_several_lambdas_in_a_line(self):
        x, out = np.arange(4, dtype="i4"), np.zeros(4, "i4")
        for op, wanted in ((lambda v: v + 1, x + 1), (lambda v: v * 2, x * 2), (lambda v: v - 3, x - 3)):
            compute.unary_transform(d_in=x, d_out=out, op=op, num_items=4)
            np.testing.assert_array_equal(out, wanted)

    def test_wrong_functions(self):
        x = np.zeros(3, "i1")

        def with_try(v):
            try:
                return v
            finally:
                pass

        def recursive(v):
            return recursive(v)
        for op, message in ((with_try, "'try' can't be translated"), (recursive, "calls itself"),
                            (lambda v: v + 1000, "1000 is out of bounds for int8"), (lambda v: [v], "a list"),
                            (lambda v: nothing + v, "'nothing' is not defined"),  # noqa: F821
                            (lambda v: v.name, "has no 'name'"), (lambda v: print(v), "'print' can't be"),
                            (lambda v, w: v, "argument 'w' is missing"), (lambda v: v @ v, "'@'"),
                            (lambda v: v in (1, 2), "'in'"), (7, "is no operator")):
            with self.assertRaises(compute.TranslationError) as caught:
                compute.unary_transform(d_in=x, d_out=x, op=op, num_items=3)
            self.assertIn(message, str(caught.exception))
            if callable(op):
                self.assertRegex(str(caught.exception), r"compute_test.py:\d+:\d+: .*\n  .*\n +\^")

    def test_no_source(self):
        scope = {}
        exec("def hidden(v):\n    return v\n", scope)  # pylint: disable=exec-used
        with self.assertRaisesRegex(compute.TranslationError, "no source.*CK text"):
            compute.unary_transform(d_in=np.zeros(2), d_out=np.zeros(2), op=scope["hidden"], num_items=2)


class Objects(unittest.TestCase):
    """make_* objects."""

    def test_calls(self):
        x, out, zero = np.arange(10, dtype="i4"), np.zeros(1, "i4"), np.zeros(1, "i4")
        made = compute.make_reduce_into(d_in=x, d_out=out, op=OpKind.PLUS, h_init=zero)
        given = {"d_in": x, "d_out": out, "num_items": 10, "op": OpKind.PLUS, "h_init": zero}
        self.assertGreater(made(temp_storage=None, **given), 0)
        made(temp_storage=np.zeros(1, "u1"), **given)
        self.assertEqual(out[0], 45)
        loaded = compute.deserialize(compute.serialize(made))
        out[0] = 0
        loaded(temp_storage=np.zeros(1, "u1"), **given)
        self.assertEqual(out[0], 45)
        for damaged in (b"", b"CKCOMPUTE1\n" + b"\xff" * 8, compute.serialize(made)[:-1]):
            self.assertRaises(ValueError, compute.deserialize, damaged)

    def test_threads(self):
        failed = []

        def work(k):
            x = np.full(1000, k, "i8")
            for step in range(5):
                if reduced(x, 1000, lambda a, b: a + b, np.int64(step)) != 1000 * k + step:
                    failed.append(k)
        threads = [threading.Thread(target=work, args=(k,)) for k in range(6)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(failed, [])

    def test_wrong_operands(self):
        x = np.zeros((4, 4))[:, ::2]
        with self.assertRaisesRegex(ValueError, "Non-contiguous"):
            compute.unary_transform(d_in=x, d_out=np.zeros(8), op=OpKind.NEGATE, num_items=8)
        with self.assertRaisesRegex(TypeError, "unsigned"):
            compute.make_lower_bound(d_data=np.zeros(3), d_values=np.zeros(3), d_out=np.zeros(3, "i4"))
        with self.assertRaisesRegex(TypeError, "__cuda_stream__"):
            compute.unary_transform(d_in=np.zeros(2), d_out=np.zeros(2), op=OpKind.NEGATE, num_items=2, stream="s")


if __name__ == "__main__":
    unittest.main()
