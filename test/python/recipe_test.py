# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""recipe_test.py - calls of cokernel.compute that are like an earlier one run no Python: which are alike,
which aren't, what is read anew at each call, several threads at once, and that nothing leaks."""
import gc
import inspect
import os
import pickle
import sys
import threading
import tracemalloc
import unittest

import numpy as np

os.environ["CK_DEVICE"] = "host"  # some of the arrays say that NumPy's memory is a GPU's
import cokernel as ck  # noqa: E402
from cokernel import compute  # noqa: E402
from cokernel.compute import ConstantIterator, CountingIterator, DoubleBuffer, OpKind, PermutationIterator, \
    ReverseIterator, ShuffleIterator, SortOrder, TransformIterator, TransformOutputIterator, ZipIterator, \
    algorithms, gpu_struct

rng = np.random.default_rng(3)
ADD = "|a, b| a + b"
N = 64


class Counter:
    """How many calls have written their text."""

    def __init__(self):
        self.texts, self.plain = 0, algorithms.Builder

    def __enter__(self):
        def build():
            self.texts += 1
            return self.plain()
        algorithms.Builder = build
        return self

    def __exit__(self, *unused):
        algorithms.Builder = self.plain


def ints(count=N, dtype="i4"):
    return np.arange(1, count + 1).astype(dtype)


def reduced(d_in, op=OpKind.PLUS, init=0, count=N, dtype="i8", **options):
    out = np.zeros(1, dtype)
    compute.reduce_into(d_in=d_in, d_out=out, num_items=count, op=op, h_init=np.array([init], dtype), **options)
    return out[0].item()


def magnitude(v):
    return abs(v)


class Pointer:
    def __init__(self, ptr):
        self.ptr = ptr


class Foreign:
    """An array of another library, on the device."""

    def __init__(self, array):
        self.array, self.dtype, self.flags, self.ndim = array, array.dtype, array.flags, array.ndim

    @property
    def __cuda_array_interface__(self):
        return dict(self.array.__array_interface__, strides=None if self.flags.c_contiguous else self.array.strides)


class LikeCupy(Foreign):
    """One with the fields that CuPy's has."""

    def __init__(self, array):
        super().__init__(array)
        self.data, self.size = Pointer(array.ctypes.data), array.size


class LikeNewCupy(LikeCupy):
    _c_contiguous = _f_contiguous = property(lambda self: self.flags.c_contiguous)


class Guards(unittest.TestCase):
    def setUp(self):
        compute.clear_all_caches()

    def texts(self, *calls):
        """How many of some calls write a text; each gives (function, what it has to give)."""
        with Counter() as counter:
            for call, want in calls:
                self.assertEqual(call(), want)
        return counter.texts

    def test_alike(self):
        """Other arrays, lengths, values and functions of the same code are alike."""
        x = ints()
        for d_in, other in ((x, x + 1), (TransformIterator(CountingIterator(np.int32(1)), lambda v: v * 3),
                                         TransformIterator(CountingIterator(np.int32(7)), lambda v: v * 3))):
            self.assertLessEqual(self.texts(*((lambda i=i, c=c, v=v, o=o: reduced(i, o, v, c) and 0, 0) for i, c, v, o in (
                (d_in, N, 1, max), (other, N, 2, max), (d_in, 9, 3, max), (d_in, np.int64(9), 3, max)))), 2)

        def sums(value, count):
            return reduced(TransformIterator(CountingIterator(np.int64(value)), lambda v: v % 5), lambda a, b: a + b,
                           value, count)
        rows = [(lambda v=v, c=c: sums(v, c), v + sum(i % 5 for i in range(v, v + c))) for v in (1, 8) for c in (3, 40)]
        self.assertEqual(self.texts(*rows), 1)

    def test_unlike(self):
        """Another dtype, layout, operator, function or name of an argument is another text."""
        x, sums = ints(), N * (N + 1) // 2
        calls = [(lambda: reduced(x), sums), (lambda: reduced(x.astype("i2")), sums),
                 (lambda: reduced(x.astype("f4"), dtype="f4"), sums), (lambda: reduced(x, OpKind.MAXIMUM), N),
                 (lambda: reduced(x, lambda a, b: a + b), sums), (lambda: reduced(x, ADD), sums),
                 (lambda: reduced(x, lambda a, b: a if a > b else b), N),
                 (lambda: reduced(x, determinism=compute.Determinism.GPU_TO_GPU), sums),
                 (lambda: reduced(CountingIterator(np.int32(1))), sums),
                 (lambda: reduced(CountingIterator(np.int64(1))), sums),
                 (lambda: reduced(ConstantIterator(np.int32(2))), 2 * N),
                 (lambda: reduced(ReverseIterator(x)), sums),
                 (lambda: reduced(ReverseIterator(ReverseIterator(x)), count=1), N),
                 (lambda: reduced(PermutationIterator(x, ints() - 1)), sums)]
        self.assertEqual(self.texts(*calls), len(calls))
        self.assertEqual(self.texts(*calls, *reversed(calls)), 0)
        with self.assertRaisesRegex(ValueError, "contiguous"):
            reduced(np.arange(2 * N, dtype="i4")[::2])

    def test_captures(self):
        """The values of captured numbers and arrays are those of the call, and are arguments."""
        x, table = ints(), ints(5)

        def scaled(scale):
            return reduced(TransformIterator(x, lambda v: v * scale))
        with Counter() as counter:
            for scale in (2, 3, 2, -1):
                self.assertEqual(scaled(scale), scale * N * (N + 1) // 2)
            for _ in range(3):
                table = table + 1
                self.assertEqual(reduced(TransformIterator(CountingIterator(np.int64(0)), lambda i: table[i]), count=5),
                                 table.sum())
        self.assertEqual(counter.texts, 2)
        for scale in (np.int32(2), 2.0, np.float32(0.5), 3, True):
            self.assertEqual(scaled(scale), sum(int(v * scale) for v in x))
        for kind in ("i2", "u8", "f4"):
            table = table.astype(kind)
            self.assertEqual(reduced(TransformIterator(CountingIterator(np.int64(0)), lambda i: table[i]), count=5),
                             table.sum())

    def test_captured_matrices(self):
        """Arrays of several axes: by their extents, and row-major alone."""
        x, out, table = ints(3), np.zeros(3, "i4"), None

        def op(i):
            return table[1, i - 1]
        with Counter() as counter:
            for shape in ((2, 3), (5, 4), (2, 9)):
                table = np.arange(shape[0] * shape[1], dtype="i4").reshape(shape)
                compute.unary_transform(d_in=x, d_out=out, op=op, num_items=3)
                self.assertEqual(out.tolist(), table[1, :3].tolist())
        self.assertEqual(counter.texts, 1)
        table = np.asfortranarray(table)
        with self.assertRaisesRegex(ValueError, "row-major"):
            compute.unary_transform(d_in=x, d_out=out, op=op, num_items=3)

    def test_captured_parts(self):
        """Functions and tuples that are captured, and numbers that become a part of the text."""
        x, out = ints(), np.zeros(N, "i8")
        power, inner, pair = 2, (lambda v: v + 1), (1, 2)

        def op(v):
            return inner(v) ** power + pair[1]

        def run():
            compute.unary_transform(d_in=x, d_out=out, op=op, num_items=N)
            self.assertEqual(out.tolist(), [int(op(int(v))) for v in x])
        for power in (2, 3, 2):
            run()
        for inner in (lambda v: v - 5, lambda v: v - 5 + power, abs):
            run()
            power = 1
        for pair in ((1, 3), (1, 4), (7, 8, 9)):
            run()
        with self.assertRaises(Exception):
            pair = "no number"
            run()

    def test_module_names(self):
        """A name that the function's module gets later, or that becomes another thing, counts."""
        x = -ints()
        for _ in range(2):
            self.assertEqual(reduced(TransformIterator(x, magnitude), count=3), 6)
        globals()["abs"] = lambda v: v + 1
        try:
            self.assertEqual(reduced(TransformIterator(x, magnitude), count=3), -3)
        finally:
            del globals()["abs"]

    def test_aliases(self):
        """In place, the same memory by another object, and apart."""
        def run(a, b, want):
            compute.inclusive_scan(d_in=a, d_out=b, op=OpKind.PLUS, init_value=None, num_items=N)
            self.assertEqual(b.tolist(), want.tolist())
        for _ in range(3):
            for make in (lambda: (a := ints(), a), lambda: (a := ints(), a[:]), lambda: (ints(), np.zeros(N, "i4"))):
                run(*make(), np.cumsum(ints()))
        y, z = ints(), ints()
        for keys in ((y, y), (y[::-1].copy(), z)):
            compute.radix_sort(d_in_keys=keys[0], d_out_keys=keys[1], num_items=N, order=SortOrder.ASCENDING)
            self.assertEqual(keys[1].tolist(), ints().tolist())

    def test_foreign_arrays(self):
        for kind in (Foreign, LikeCupy, LikeNewCupy):
            def total(array, count, kind=kind):
                out = np.zeros(1, "i8")
                compute.reduce_into(d_in=kind(array), d_out=kind(out), num_items=count, op=OpKind.PLUS,
                                    h_init=np.zeros(1, "i8"))
                return out[0]
            with Counter() as counter:
                for x in (ints(), ints() * 2, ints(9)):
                    self.assertEqual(total(x, len(x)), x.sum())
            self.assertEqual(counter.texts, 1)
            self.assertEqual(total(ints().astype("f4"), 4), 10)
            self.assertEqual(total(ints().reshape(8, 8).T if kind is not LikeNewCupy else ints(), 4), 10)
            with self.assertRaisesRegex(ValueError, "contiguous"):
                total(ints()[::2], 4)

    def test_bare_array(self):
        """A captured array with an interface alone: there is no recipe, and the call is right."""
        table, out = ints(8), np.zeros(8, "i4")

        class Bare:
            @property
            def __cuda_array_interface__(self):
                return dict(table.__array_interface__, strides=None)

            def __getitem__(self, i):
                return table[i]
        bare = Bare()
        for _ in range(2):
            table += 1
            compute.unary_transform(d_in=CountingIterator(np.int64(0)), d_out=Foreign(out), op=lambda i: bare[i], num_items=8)
            self.assertEqual(out.tolist(), table.tolist())

    def test_values(self):
        """An initial value is read when the call is made."""
        x, out, init = ints(), np.zeros(1, "f8"), np.zeros(1, "f8")
        for value in (1.5, -7.25, 1e300):
            init[0] = value
            compute.reduce_into(d_in=x, d_out=out, num_items=N, op=OpKind.PLUS, h_init=init)
            self.assertEqual(out[0], value + x.sum())
        for value in (3, 4, 5.5):
            compute.fill(d_out=out, value=value, num_items=1)
            self.assertEqual(out[0], value)

    def test_constants(self):
        """Numbers that are a part of the text are compared."""
        x, y = ints(dtype="u4"), np.zeros(N, "u4")
        for bits in (2, np.int32(3), 4, np.int32(5), 2):
            compute.radix_sort(d_in_keys=x, d_out_keys=y, num_items=N, order=SortOrder.ASCENDING, begin_bit=0,
                               end_bit=bits)
            self.assertEqual(y.tolist(), sorted(x.tolist(), key=lambda v, b=bits: v % 2**b))

    def test_structs(self):
        @gpu_struct
        class Pair:
            a: np.int32
            b: np.float64

        def op(x, y):
            return Pair(x.a + y.a, max(x.b, y.b))
        values = np.array([(1, 2.5), (3, -1), (5, 9)], Pair.dtype)
        for start in ((1, 1.0), (7, 99.0)):
            out = np.zeros(1, Pair.dtype)
            with Counter() as counter:
                compute.reduce_into(d_in=values, d_out=out, num_items=3, op=op, h_init=Pair(*start))
            self.assertEqual(out[0].item(), (9 + start[0], max(9, start[1])))
        z, want = np.array([2 + 1j, 3 - 4j], "c8"), np.zeros(1, "c8")
        for start in (0, 5 + 5j):
            compute.reduce_into(d_in=z, d_out=want, num_items=2, op=OpKind.PLUS, h_init=np.array([start], "c8"))
            self.assertEqual(want[0], 5 - 3j + start)
        self.assertIn(counter.texts, (0, 1))

    def test_iterators(self):
        """Offsets, directions, and arrays in iterators that are made anew."""
        x, y = ints(), 10 * ints()
        rows = [lambda k: (PermutationIterator(x + k, CountingIterator(np.int64(k))), (x + k)[k:k + 8]),
                lambda k: (ReverseIterator(x[:20 + k]), x[12 + k:20 + k]),
                lambda k: (TransformIterator(ZipIterator(x, y + k), lambda p: p[0] + p[1]), (x + y + k)[:8]),
                lambda k: (compute.CacheModifiedInputIterator(x) + k, x[k:k + 8]),
                lambda k: (ConstantIterator(np.int16(k)), np.full(8, k))]
        for row in rows:
            with Counter() as counter:
                for k in (1, 2, 5):
                    it, want = row(k)
                    self.assertEqual(reduced(it, count=8), want.sum())
            self.assertEqual(counter.texts, 1)
        for seed in (1, 2):
            out = np.zeros(N, "i8")
            compute.unary_transform(d_in=ShuffleIterator(N, seed), d_out=out, op=lambda v: v, num_items=N)
            self.assertEqual(sorted(out), list(range(N)))
        for k in (1, 2):
            out = np.zeros(N, "i4")
            compute.unary_transform(d_in=x, d_out=TransformOutputIterator(out, lambda v: v * 2), op=OpKind.IDENTITY,
                                    num_items=k)
            self.assertEqual(out.sum(), [2, 6][k - 1])

    def test_histograms(self):
        x = rng.integers(0, 90, 400).astype("i4")
        with Counter() as counter:
            for bins, top in ((10, 90), (9, 90), (30, 60), (5, 5)):
                counts = np.zeros(bins, "i4")
                compute.histogram_even(d_samples=x, d_histogram=counts, num_output_levels=bins + 1, lower_level=0,
                                       upper_level=top, num_samples=400)
                self.assertEqual(counts.tolist(), np.histogram(x[x < top], bins, (0, top))[0].tolist())
        self.assertLessEqual(counter.texts, 2)

    def test_segments(self):
        """Whether each segment ends where the next one begins decides on the text, for arrays and iterators."""
        x, zero = ints(60), np.zeros(1, "i8")

        def sums(starts, ends, count, want):
            out = np.zeros(count, "i8")
            compute.segmented_reduce(d_in=x, d_out=out, num_segments=count, start_offsets_in=starts,
                                     end_offsets_in=ends, op=OpKind.PLUS, h_init=zero)
            self.assertEqual(out.tolist(), [int(x[a:b].sum()) for a, b in want])
        with Counter() as counter:
            for places in ([0, 5, 7, 60], [0, 1, 50], [3, 9, 9, 20, 30]):
                limits = np.array(places, "i8")
                sums(limits[:-1], limits[1:], len(places) - 1, zip(places, places[1:]))
                sums(limits[:-1].copy(), limits[1:].copy(), len(places) - 1, zip(places, places[1:]))
            for _ in range(2):
                starts = TransformIterator(CountingIterator(np.int64(0)), lambda i: i * 6)
                sums(starts, starts + 1, 4, [(6 * i, 6 * i + 6) for i in range(4)])
                sums(starts, starts + 2, 4, [(6 * i, 6 * i + 12) for i in range(4)])
        self.assertLessEqual(counter.texts, 6)
        with self.assertRaisesRegex(Exception, "segments"):
            sums(limits[:-1], limits[1:], 2**31, [])

    def test_objects(self):
        x, y, scratch = ints(), np.zeros(N, "i4"), np.zeros(1, "u1")
        makers = [compute.make_radix_sort(d_in_keys=x, d_out_keys=y, order=order) for order in SortOrder]
        with Counter() as counter:
            for _ in range(3):
                for made, want in zip(makers, (ints(), ints()[::-1])):
                    given = dict(d_in_keys=x, d_out_keys=y, d_in_values=None, d_out_values=None, num_items=N)
                    self.assertEqual(made(temp_storage=None, **given), 1)
                    self.assertEqual(made(temp_storage=scratch, **given), 1)
                    self.assertEqual(y.tolist(), want.tolist())
        self.assertEqual(counter.texts, 2)
        call = makers[0].__call__
        self.assertEqual(call(temp_storage=None, **given), 1)

    def test_double_buffers(self):
        with Counter() as counter:
            for k in range(4):
                buffer = DoubleBuffer(ints()[::-1] + k, np.zeros(N, "i4"))
                for _ in range(2):
                    compute.radix_sort(d_in_keys=buffer, d_out_keys=None, num_items=N, order=SortOrder.ASCENDING)
                self.assertEqual((buffer.selector, buffer.current().tolist()), (0, (ints() + k).tolist()))
        self.assertEqual(counter.texts, 2)

    def test_wrong_calls(self):
        """A wrong call says what is wrong, also where right ones are known."""
        x = ints()
        for _ in range(2):
            self.assertEqual(reduced(x), x.sum())
            for wrong, text in ((dict(num_items=-1), "range"), (dict(stream=3), "stream"), (dict(colour=1), "colour"),
                                (dict(num_items="many"), "many"), (dict(d_in=7), "array")):
                given = dict(d_in=x, d_out=np.zeros(1, "i8"), num_items=N, op=OpKind.PLUS, h_init=np.zeros(1, "i8"))
                with self.assertRaisesRegex(Exception, text):
                    compute.reduce_into(**{**given, **wrong})
        with self.assertRaises(TypeError):
            compute.reduce_into(x)
        with self.assertRaisesRegex(TypeError, "h_init"):
            compute.reduce_into(d_in=x, d_out=x, num_items=3, op=OpKind.PLUS)

    def test_stream(self):
        x = ints()
        for stream in (None, ck.Stream("host"), None):
            self.assertEqual(reduced(x, stream=stream), x.sum())

    def test_as_a_function(self):
        """A call with recipes looks like a function."""
        self.assertEqual(list(inspect.signature(compute.reduce_into).parameters)[:3], ["d_in", "d_out", "num_items"])
        self.assertEqual(compute.reduce_into.__name__, "reduce_into")
        self.assertIn("h_init", compute.reduce_into.__doc__)
        self.assertIs(pickle.loads(pickle.dumps(compute.reduce_into)), compute.reduce_into)
        self.assertTrue(inspect.isroutine(compute.reduce_into))
        self.assertIn("k", inspect.signature(compute.top_k).parameters)
        self.assertIn("d_in", inspect.signature(compute.unique).parameters)

    def test_threads(self):
        x, faults = ints(), []

        def work(seed):
            for i in range(60):
                kind = ("i4", "i8", "f4", "f8")[(seed + i) % 4]
                if reduced(x.astype(kind), init=i, dtype=kind) != x.sum() + i:
                    faults.append((kind, i))
                if i % 20 == seed:
                    compute.clear_all_caches()
        threads = [threading.Thread(target=work, args=(s,)) for s in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(faults, [])

    def test_many_kinds(self):
        """More kinds of calls than are kept: each is right."""
        for _ in range(2):
            for i in range(80):
                self.assertEqual(reduced(ints(), f"|a, b| a + b + {i % 70} - {i % 70}"), N * (N + 1) // 2)


class Leaks(unittest.TestCase):
    def test_references(self):
        """A call leaves no reference to its operands."""
        x, y, z, out, init = ints(), ints(), ints(), np.zeros(1, "i8"), np.zeros(1, "i8")
        value, op, name = np.int64(12345678), lambda v: v + 1, "d_in"

        def call():
            it = TransformIterator(CountingIterator(value), op)
            compute.reduce_into(d_in=it, d_out=out, num_items=9, op=OpKind.PLUS, h_init=init)
            compute.reduce_into(d_in=x, d_out=out, num_items=9, op=OpKind.PLUS, h_init=init)
            compute.select(d_in=ZipIterator(x, x), d_out=ZipIterator(y, z), d_num_selected_out=out,
                           cond=lambda p: p[0] > 0, num_items=4)
        watched = [x, out, init, value, op, name, OpKind.PLUS, x.dtype, TransformIterator, np.ndarray]
        call()
        call()
        gc.collect()
        before = [sys.getrefcount(w) for w in watched]
        for _ in range(100):
            call()
        gc.collect()
        self.assertEqual([sys.getrefcount(w) for w in watched], before)

    def test_memory(self):
        """Calls that are alike need no more memory; dropped recipes give theirs back."""
        x = ints()

        def alike():
            reduced(x)
            reduced(TransformIterator(CountingIterator(np.int64(2)), lambda v: v + 1))

        def anew():
            compute.reduce_into.forget()
            reduced(x)
        for work, count in ((alike, 1000), (anew, 300)):
            tracemalloc.start()
            try:
                held = []
                for _ in range(5):
                    for _ in range(count):
                        work()
                    gc.collect()
                    held.append(tracemalloc.get_traced_memory()[0])
            finally:
                tracemalloc.stop()
            grown = min(after - before for before, after in zip(held, held[1:]))
            self.assertLess(grown, 16 * count)  # an object has 32 bytes at least



if __name__ == "__main__":
    unittest.main()
