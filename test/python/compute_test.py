# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compute_test.py - cokernel.compute on the host device: each algorithm, iterator and kind of operator
against NumPy; structs, captures, objects, bytes of objects, and errors that show Python's source."""
import functools
import importlib.util
import math
import operator
import os
import tempfile
import threading
import types
import unittest

import numpy as np

import cokernel
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

    def test_determinism(self):
        x, sums = rng.random(90000).astype("f4"), []
        for determinism in compute.Determinism:
            out = np.zeros(1, "f4")
            compute.reduce_into(d_in=x, d_out=out, num_items=90000, op=lambda a, b: a + b, h_init=np.zeros(1, "f4"),
                                determinism=determinism)
            self.assertAlmostEqual(out[0] / x.sum(), 1, places=4)
            sums.append(out[0])
        made = compute.make_reduce_into(d_in=x, d_out=out, op=OpKind.PLUS, h_init=np.zeros(1, "f4"),
                                        determinism=compute.Determinism.GPU_TO_GPU)
        self.assertIn("gpu_to_gpu", made.program.source)
        made(temp_storage=np.zeros(1, "u1"), d_in=x, d_out=out, num_items=90000, op=OpKind.PLUS,
             h_init=np.zeros(1, "f4"))
        self.assertEqual(out[0], sums[2])

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

    def test_lambdas_of_one_line(self):
        x, out, k = np.arange(5, dtype="i4"), np.zeros(5, "i4"), 7
        for op, want in (lambda v: v * 2, x * 2), (lambda v: v * 3, x * 3), (lambda v: v + k, x + 7), \
                (lambda v: (lambda u: u - k)(v), x - 7), (lambda v: v - 1, x - 1):
            compute.unary_transform(d_in=x, d_out=out, op=op, num_items=5)
            self.assertEqual(out.tolist(), want.tolist())

    def test_transforms(self):
        a, b = rng.random(300).astype("f4"), rng.random(300).astype("f4")
        out = np.zeros(300, "f8")
        compute.binary_transform(d_in1=a, d_in2=b, d_out=out, op=lambda p, q: p * SCALE - q, num_items=300)
        np.testing.assert_allclose(out, a * 3 - b, rtol=1e-5, atol=1e-6)
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


LAYOUTS = '''"""Text
of = "several lines"
"""
import functools


@functools.lru_cache(
    maxsize=3
)
@functools.wraps(len)
def wrapped(v):
    return v + 1


def with_text(v):
    """A text
that = "begins like a statement"
    """
    return v + 2


class Holder:
    @staticmethod
    @functools.wraps(len)
    def method(v):
        return v + 3


table = {"a": lambda v: v + 4, "b":
lambda v: v + 5,
"c": (
lambda v:
v + 6)}
if table:
    def inner(v):
        return v + 7
else:
    inner = None
last = lambda v: \\
    v + 8'''


class Sources(unittest.TestCase):
    def test_layouts(self):
        """A function is found wherever it stands in its file."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "layouts.py")
            with open(path, "w", encoding="utf-8") as file:
                file.write(LAYOUTS)
            spec = importlib.util.spec_from_file_location("layouts", path)
            m = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(m)
            found = [m.wrapped.__wrapped__, m.with_text, m.Holder.method, *m.table.values(), m.inner, m.last]
            x, out = np.arange(4, dtype="i4"), np.zeros(4, "i4")
            for number, function in enumerate(found):
                function = types.FunctionType(function.__code__, m.__dict__)
                compute.unary_transform(d_in=x, d_out=out, op=function, num_items=4)
                self.assertEqual(out.tolist(), (x + number + 1).tolist())


class Arrays(unittest.TestCase):
    """Arrays of other libraries in the host's memory."""

    class Dlpack:
        """What knows DLPack alone, as PyTorch's tensors and JAX's arrays of the CPU do."""

        def __init__(self, data):
            self.data_, self.dtype = data, "no dtype of NumPy"

        def __dlpack__(self, *, stream=None, **options):
            return cokernel.view(self.data_).__dlpack__(**options)

        def __dlpack_device__(self):
            return 1, 0

    def test_arrays(self):
        x, y = np.arange(10, dtype="f4"), np.zeros(10, "f4")
        for make in (cokernel.view, self.Dlpack, lambda a: cokernel.asarray(a, device="host")):
            to = make(y)
            for _ in range(3):
                compute.unary_transform(d_in=make(x), d_out=to, op=lambda v: 2 * v, num_items=10)
            found = to.numpy() if isinstance(to, cokernel.Array) else y
            np.testing.assert_array_equal(found, 2 * x)
            self.assertEqual(reduced(ReverseIterator(make(x)), 10, OpKind.PLUS, np.float32(0)), 45)
            y[:] = 0
        fixed = np.zeros(10, "f4")
        fixed.flags.writeable = False
        with self.assertRaisesRegex(cokernel.ArgumentError, "'d_out': the array is read-only"):
            compute.unary_transform(d_in=x, d_out=self.Dlpack(fixed), op=lambda v: v, num_items=10)


class Steps(unittest.TestCase):
    """What cuda.compute doesn't have."""

    def setUp(self):
        self.keys = np.sort(rng.integers(0, 40, 2000).astype("i4"))
        self.x, self.count = rng.integers(0, 1000, 2000).astype("i4"), np.zeros(1, "u8")

    def test_runs(self):
        first, lengths, sums = np.zeros(2000, "i4"), np.zeros(2000, "u4"), np.zeros(2000, "i4")
        unique, counts = np.unique(self.keys, return_counts=True)
        compute.run_length_encode(d_in=self.keys, d_unique_out=first, d_counts_out=lengths,
                                  d_num_runs_out=self.count, num_items=2000)
        np.testing.assert_array_equal(first[:self.count[0]], unique)
        np.testing.assert_array_equal(lengths[:self.count[0]], counts)
        compute.reduce_by_key(d_in_keys=self.keys, d_in_values=self.x, d_out_keys=first, d_out_values=sums,
                              d_num_runs_out=self.count, op=lambda a, b: a + b, num_items=2000)
        np.testing.assert_array_equal(sums[:self.count[0]], np.bincount(self.keys, self.x)[unique])
        compute.unique(d_in=self.keys, d_out=first, d_num_selected_out=self.count, num_items=2000)
        compute.nontrivial_runs(d_in=self.keys, d_offsets_out=sums, d_lengths_out=lengths, d_num_runs_out=self.count,
                                num_items=2000)
        np.testing.assert_array_equal(lengths[:self.count[0]], counts[counts > 1])
        compute.exclusive_scan_by_key(d_in_keys=self.keys, d_in_values=ConstantIterator(np.int32(1)), d_out=sums,
                                      op=OpKind.PLUS, init_value=np.int32(0), num_items=2000)
        np.testing.assert_array_equal(sums, np.concatenate([np.arange(c) for c in counts]))

    def test_orders(self):
        top, at, pair = np.zeros(9, "i4"), np.zeros(9, "u4"), np.zeros(1, [("value", "i4"), ("at", "u8")])
        with self.assertRaisesRegex(TypeError, "align=True"):
            compute.argmin(d_in=self.x, d_out=pair, num_items=2000)
        pair = np.zeros(1, np.dtype([("value", "i4"), ("at", "u8")], align=True))
        compute.top_k(d_in_keys=self.x, d_in_values=CountingIterator(np.uint32(0)), d_out_keys=top, d_out_values=at,
                      k=9, num_items=2000)
        np.testing.assert_array_equal(top, np.sort(self.x)[::-1][:9])
        np.testing.assert_array_equal(self.x[at], top)
        compute.argmin(d_in=self.x, d_out=pair, num_items=2000)
        self.assertEqual((pair["value"][0], pair["at"][0]), (self.x.min(), self.x.argmin()))
        merged, other = np.zeros(3000, "i4"), np.sort(self.x[:1000])
        compute.merge(d_in1=self.keys, d_in2=other, d_out=merged, op=OpKind.LESS, num_items=2000, num_items2=1000)
        np.testing.assert_array_equal(merged, np.sort(np.concatenate([self.keys, other])))
        compute.set_intersection(d_in1=self.keys, d_in2=self.keys[::1], d_out=merged, d_num_out=self.count,
                                 op=OpKind.LESS, num_items=2000, num_items2=1000)
        self.assertEqual(self.count[0], 1000)

    def test_elements(self):
        out = np.zeros(2000, "i4")
        compute.generate(d_out=out, op=lambda i: i % 7, num_items=2000)
        np.testing.assert_array_equal(out, np.arange(2000) % 7)
        compute.transform_if(d_in=self.x, d_out=out, op=lambda v: -v, cond=lambda v: v > 500, num_items=2000)
        np.testing.assert_array_equal(out, np.where(self.x > 500, -self.x, np.arange(2000) % 7))
        compute.fill(d_out=out, value=np.int32(4), num_items=2000)
        total = np.zeros(1, "i8")
        compute.for_each(d_in=out, op=lambda v: compute.atomic.add(total, 0, v), num_items=2000)
        self.assertEqual(total[0], 8000)
        compute.find_if(d_in=self.keys, d_out=self.count, cond=lambda v: v >= 20, num_items=2000)
        few = np.zeros(1, "u1")  # the same call with more elements than the count can hold
        for size in (200, 255, 256):
            def call(n=size):
                compute.find_if(d_in=self.keys, d_out=few, cond=lambda v: v >= 99, num_items=n)
            if size == 256:
                self.assertRaises(cokernel.ArgumentError, call)
            else:
                call()
                self.assertEqual(few[0], size)
        begins, lengths, places = (np.array(a, "u4") for a in ([3, 0, 90], [2, 0, 5], [7, 1, 0]))
        packed = np.zeros(9, self.keys.dtype)
        compute.batched_copy(d_in=self.keys, d_begins=begins, d_lengths=lengths, d_places=places, d_out=packed,
                             num_items=3)
        self.assertEqual(packed.tolist(), [*self.keys[90:95], 0, 0, *self.keys[3:5]])
        self.assertEqual(self.count[0], np.searchsorted(self.keys, 20))
        compute.equal(d_in1=self.keys, d_in2=self.keys, d_out=self.count, num_items=2000)
        self.assertEqual(self.count[0], 1)
        compute.adjacent_difference(d_in=self.x, d_out=out, op=lambda a, b: a - b, num_items=2000)
        np.testing.assert_array_equal(out[1:], np.diff(self.x))
        parts = np.zeros((2, 2000), "i4")
        compute.partition(d_in=self.x, d_first_part_out=parts[0], d_rest_out=parts[1], d_num_first_out=self.count,
                          op=lambda v: v & 1 == 1, num_items=2000)
        np.testing.assert_array_equal(parts[0][:self.count[0]], self.x[self.x % 2 == 1])
        with self.assertRaisesRegex(TypeError, "missing the argument 'd_out'"):
            compute.unique(d_in=self.x, d_num_selected_out=self.count, num_items=1)


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

    def test_operators_of_other_modules(self):
        x, out = np.arange(1, 5, dtype="i4"), np.zeros(4)
        for op, wanted in ((abs, x), (np.exp2, 2.0 ** x), (operator.neg, -x), (math.gamma, [1, 1, 2, 6]),
                           ("|v| v * 3", x * 3), ("abs", x)):
            compute.unary_transform(d_in=x, d_out=out, op=op, num_items=4)
            np.testing.assert_allclose(out, wanted)
        for op, wanted in ((operator.mul, x * x), (max, x), (np.hypot, np.hypot(x, x)), ("+", 2 * x)):
            compute.binary_transform(d_in1=x, d_in2=x, d_out=out, op=op, num_items=4)
            np.testing.assert_allclose(out, wanted)

    def test_functions_inside_of_functions(self):
        def outer(v):
            k = v * 2

            def middle(a):
                return (lambda b: a + b + k)(1)
            return middle(v) + sum((v, 1))
        x, out = np.arange(4, dtype="i4"), np.zeros(4)
        compute.unary_transform(d_in=x, d_out=out, op=outer, num_items=4)
        np.testing.assert_array_equal(out, 4 * x + 2)

    def test_wrong_functions(self):
        x = np.zeros(3, "i1")

        def with_try(v):
            try:
                return v
            finally:
                pass

        def half(v):
            if v > 1:
                return v

        def recursive(v):
            return recursive(v)
        for op, message in ((with_try, "'try' can't be translated"), (recursive, "calls itself"), (half, "without a value"),
                            (lambda v: v + 1000, "1000 is out of bounds for int8"), (lambda v: [v], "a list"),
                            (lambda v: nothing + v, "'nothing' is not defined"),  # noqa: F821
                            (lambda v: v.name, "has no 'name'"), (lambda v: print(v), "'print' can't be"),
                            (lambda v, w: v, "argument 'w' is missing"), (lambda v: v @ v, "'@'"),
                            (lambda v: v in (1, 2), "'in'"), (7, "is no operator")):
            with self.assertRaises(cokernel.ArgumentTypeError) as caught:
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
        self.assertEqual(made.serialize(), compute.serialize(made))
        out[0] = 0
        loaded(temp_storage=np.zeros(1, "u1"), **given)
        self.assertEqual(out[0], 45)
        for damaged in (b"", b"CKCOMPUTE1\n" + b"\xff" * 8, compute.serialize(made)[:-1]):
            self.assertRaises(ValueError, compute.deserialize, damaged)

    def test_calls_that_are_alike(self):
        """The second call of a kind takes the recipe of the first; one that differs doesn't."""
        for n in (5, 9):
            x, y, out = np.arange(n, dtype="i4"), np.ones(n, "i4"), np.zeros(n, "i4")
            for a, b, to in ((x, y, out), (x, x, out), (x, y, x), (y, out, y)):
                wanted = a * 2 - b
                compute.binary_transform(d_in1=a, d_in2=b, d_out=to, op=lambda p, q: p * 2 - q, num_items=n)
                np.testing.assert_array_equal(to, wanted)
            for k in (1, 4):
                it = ZipIterator(ReverseIterator(x), CountingIterator(np.int32(k)) + k, ConstantIterator(np.int32(k)))
                compute.unary_transform(d_in=it, d_out=out, op=lambda v: v[0] * 100 + v[1] * 10 + v[2], num_items=n)
                np.testing.assert_array_equal(out, x[::-1] * 100 + (np.arange(n) + 2 * k) * 10 + k)
        for init in (np.array([3], "i4"), np.array([4], "i4")):
            self.assertEqual(reduced(np.arange(4, dtype="i4"), 4, OpKind.PLUS, init[0]), 6 + init[0])

    def test_names_are_bound_at_the_call(self):
        x, out = np.arange(3, dtype="i4"), np.zeros(3, "i4")

        def call():
            compute.unary_transform(d_in=x, d_out=out, op=lambda v: abs(v) + 1, num_items=3)
            return out.tolist()
        self.assertEqual(call(), [1, 2, 3])
        globals()["abs"] = lambda v: v * 10
        try:
            self.assertEqual(call(), [1, 11, 21])
        finally:
            del globals()["abs"]
        self.assertEqual(call(), [1, 2, 3])

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
