# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""arrays_test.py - every way in which an array reaches a kernel, without a copy, and how long it lives: NumPy,
DLPack of both versions, array interfaces, buffers, structs, vectors, bf16, our own arrays and views."""
import array
import ctypes
import gc
import sys
import types
import unittest
import weakref

import numpy as np

import cokernel as ck

m = ck.compile("""
struct Pair { lo: f32; hi: i32; }
kernel twice(n: u64, x: in f32[n], y: out f32[n]) launch(block = 64, grid = ceil_div(n, 64))
{ let i = grid.thread_rank; if (i < n) y[i] = 2 * x[i]; }
kernel sum4(n: u64, x: in f32x4[n], y: out f32[n]) launch(block = 64, grid = ceil_div(n, 64))
{ let i = grid.thread_rank; if (i < n) y[i] = x[i].x + x[i].y + x[i].z + x[i].w; }
kernel norm(n: u64, x: in f32x2[n], y: out f32[n]) launch(block = 64, grid = ceil_div(n, 64))
{ let i = grid.thread_rank; if (i < n) y[i] = x[i].x * x[i].x + x[i].y * x[i].y; }
kernel swap(n: u64, x: in Pair[n], y: out Pair[n]) launch(block = 64, grid = ceil_div(n, 64))
{ let i = grid.thread_rank; if (i < n) y[i] = Pair(f32(x[i].hi), i32(x[i].lo)); }
kernel by_value(p: Pair, a: bool, b: i8, c: u64, d: f16, e: bf16, f: f64, y: out f64[8]) launch(block = 1, grid = 1)
{ y[0] = p.lo; y[1] = f64(p.hi); y[2] = a ? 1 : 0; y[3] = f64(b); y[4] = f64(c); y[5] = d; y[6] = e; y[7] = f; }
kernel widen(n: u64, x: in bf16[n], y: out f32[n]) launch(block = 64, grid = ceil_div(n, 64))
{ let i = grid.thread_rank; if (i < n) y[i] = f32(x[i]); }
kernel first(x: in f32[2, 2, 2], y: out f32[1]) launch(block = 1, grid = 1) { y[0] = x[1, 0, 1]; }
kernel slow(n: u64, x: in f32[n], y: out f32[1]) launch(block = 1, grid = 1)
{ var s = 0.0; for (k in 0..200u64) for (i in 0..n) s = s * 0.5 + x[i]; y[0] = s; }
algorithm bounds(x: in f32[]) -> (f32, f32) = (reduce(x, min, inf<f32>), reduce(x, max, -inf<f32>));
""")


class Dlpack:
    """An array of a library that knows DLPack alone."""

    def __init__(self, data, is_old=False):
        self.data, self.is_old = data, is_old

    def __dlpack__(self, *, stream=None, **options):
        if self.is_old and options:
            raise TypeError("__dlpack__() got an unexpected keyword argument 'max_version'")
        if stream is not None:
            raise AssertionError("the CPU has no streams")
        return ck.view(self.data).__dlpack__(**options)

    def __dlpack_device__(self):
        return 1, 0


class Unchangeable(Dlpack):
    """As JAX's arrays: nothing but their module says that they must not be written."""

    __module__ = "jaxlib._jax"


class Interface:
    def __init__(self, data, **changes):
        self.data = data
        self.__array_interface__ = {**data.__array_interface__, **changes}


class Arrays(unittest.TestCase):
    def setUp(self):
        self.x, self.y = np.arange(100, dtype="f4"), np.zeros(100, "f4")

    def check(self, x, y=None):
        self.y[:] = 0
        m.twice(x=x, y=self.y if y is None else y)
        np.testing.assert_array_equal(self.y, 2 * self.x)

    def test_sources(self):
        self.check(self.x)
        self.check(ck.view(self.x), ck.view(self.y))
        for is_old in (False, True):
            for _ in range(3):
                self.check(Dlpack(self.x, is_old), Dlpack(self.y, is_old))
        self.check(Interface(self.x), Interface(self.y))
        self.check(memoryview(self.x), memoryview(self.y))
        self.check(array.array("f", self.x.tolist()))
        own = ck.asarray(self.x, device="host")
        self.check(own)
        out = ck.empty(100, "f32", device="host")
        m.twice(x=own, y=out)
        np.testing.assert_array_equal(out.numpy(), 2 * self.x)
        np.testing.assert_array_equal(np.from_dlpack(out), 2 * self.x)
        np.testing.assert_array_equal(np.asarray(out), 2 * self.x)

    def test_fields_of_cupy(self):
        """Arrays that have CuPy's attributes are read by them; nothing else is called."""
        class Fields:
            def __init__(self, array):
                self.dtype, self.shape, self.strides = array.dtype, array.shape, array.strides
                self._c_contiguous = array.flags.c_contiguous
                self.data = types.SimpleNamespace(ptr=array.ctypes.data, device_id=2)
        Fields.__module__ = "cupy"
        pair = np.dtype([("a", "i4"), ("b", "f8")], align=True)
        for x in (self.x, self.x.reshape(20, 5).T, self.x[5:9], np.zeros((2, 0, 3), "c16"), np.zeros((), "u2"),
                  np.zeros(3, pair), np.zeros((4, 4), "?")[::2, 1]):
            seen = ck.view(Fields(x))
            self.assertEqual((seen.ptr, seen.shape, seen.dtype), (x.ctypes.data, x.shape, x.dtype))
            self.assertEqual(seen.strides, ck.view(x).strides)
        with self.assertRaisesRegex(ck.ArgumentError, "axes"):
            ck.view(Fields(np.zeros((1,) * 9)))
        with self.assertRaisesRegex(ck.ArgumentError, "stride"):
            ck.view(Fields(np.zeros(4, "u1,u2")["f1"]))

    def test_read_only(self):
        self.x.flags.writeable = False
        for source in (self.x, ck.view(self.x), Dlpack(self.x), Interface(self.x), self.x.tobytes()):
            if not isinstance(source, bytes):
                self.check(source)
                with self.assertRaisesRegex(ck.ArgumentError, "read-only"):
                    m.twice(x=self.y, y=source)

    def test_shapes(self):
        x = np.arange(8, dtype="f4").reshape(2, 2, 2)
        y = np.zeros((), "f4")
        m.first(x=x, y=y)
        self.assertEqual(y, 5)
        m.first(x=x[None][0], y=y.reshape(1))
        m.twice(x=np.empty(0, "f4"), y=np.empty(0, "f4"))
        m.twice(x=self.x[::1][5:9], y=self.y[1:5])
        self.assertEqual(self.y[:6].tolist(), [0, 10, 12, 14, 16, 0])
        column = np.asfortranarray(np.ones((4, 1), "f4"))[:, 0]  # strides of axes of one element
        m.twice(x=column, y=self.y[:4])

    def test_vectors(self):
        x = np.arange(16, dtype="f4").reshape(4, 4)
        y = np.zeros(4, "f4")
        m.sum4(x=x, y=y)
        np.testing.assert_array_equal(y, x.sum(axis=1))
        z = np.array([3 + 4j, 1j, 2, 0], "c8")
        m.norm(x=z, y=y)
        self.assertEqual(y.tolist(), [25, 1, 4, 0])
        own = ck.empty(4, "f32x4", device="host").copy_from(x)
        m.sum4(x=own, y=y)
        np.testing.assert_array_equal(own.numpy(), x)

    def test_structs(self):
        x = np.array([(1.5, 2), (3, 4)], [("lo", "f4"), ("hi", "i4")])
        y = np.zeros_like(x)
        m.swap(x=x, y=y)
        self.assertEqual(y.tolist(), [(2.0, 1), (4.0, 3)])
        own = ck.asarray(x, device="host")
        m.swap(x=own, y=y)
        self.assertEqual(own.numpy().tolist(), x.tolist())
        self.assertEqual(tuple(m.bounds(self.x)), (0, 99))

    def test_bf16(self):
        bits = np.array([0x3f80, 0x4000], "u2")
        y = np.zeros(2, "f4")
        m.widen(x=bits, y=y)
        self.assertEqual(y.tolist(), [1, 2])
        own = ck.empty(2, "bf16", device="host").copy_from(bits)
        m.widen(x=own, y=y)
        self.assertEqual(own.numpy().tolist(), bits.tolist())

    def test_scalars(self):
        y = np.zeros(8)

        class Pair(ctypes.Structure):
            _fields_ = [("lo", ctypes.c_float), ("hi", ctypes.c_int)]

        record = np.array((1.5, -2), [("lo", "f4"), ("hi", "i4")])
        for pair in ((1.5, -2), {"lo": 1.5, "hi": -2}, record, record[()], Pair(1.5, -2), bytes(Pair(1.5, -2))):
            m.by_value(pair, True, -128, 2**64 - 1, 65504, 1.0, 1e300, y)
            self.assertEqual(y.tolist(), [1.5, -2, 1, -128, 2.0**64, 65504, 1, 1e300])
        m.by_value((0, 0), np.bool_(0), np.int8(5), np.uint64(7), np.float16(0.1), np.float32(1 / 3), np.float64(2), y)
        self.assertEqual(y[2:6].tolist(), [0, 5, 7, float(np.float16(0.1))])
        self.assertEqual(y[6], 0.333984375)
        for value in (0.1, 1 / 3, 6e-8, 5.9e-8, 2.0**-24, 65519, 1 + 2**-11, 1 + 3 * 2**-11, -0.0, np.inf, 1023.75):
            m.by_value((0, 0), 0, 0, 0, value, 0, 0, y)
            self.assertEqual(y[5], float(np.float16(value)), value)

    def test_life(self):
        """An array lives until the stream has used it."""
        stream = ck.Stream("host")
        x, y = np.ones(200000, "f4"), np.zeros(1, "f4")
        gone = weakref.ref(x)
        m.slow(x=x, y=y, stream=stream)
        del x
        gc.collect()
        self.assertIsNotNone(gone())
        stream.sync()
        self.assertIsNone(gone())
        self.assertEqual(y[0], 2)
        x = np.ones(8, "f4")
        gone = weakref.ref(x)
        view = ck.view(x)
        del x
        self.assertIsNotNone(gone())
        del view
        self.assertIsNone(gone())
        x = np.ones(8, "f4")
        gone = weakref.ref(x)
        with ck.graph("host") as g:
            m.slow(x=x, y=y)
        del x
        y[0] = 0
        g.launch()
        self.assertEqual(y[0], 2)
        self.assertIsNotNone(gone())
        del g
        gc.collect()
        self.assertIsNone(gone())
        made = ck.empty(4, device="host")
        other = np.from_dlpack(made)
        gone = made.ptr
        del made
        self.assertEqual(other.ctypes.data, gone)

    def test_order(self):
        """Whoever reads an array of ours waits for the stream that has written it."""
        for _ in range(20):
            stream, other = ck.Stream("host"), ck.Stream("host")
            x, y = ck.asarray(np.ones(50000, "f4"), device="host"), ck.zeros(1, "f4", device="host")
            m.slow(x=x, y=y, stream=stream)
            self.assertEqual(y.stream.handle, stream.handle)
            self.assertEqual(y.numpy().tolist(), [2])
            m.slow(x=x, y=y, stream=other)
            self.assertEqual(y.numpy(stream).tolist(), [2])
            self.assertEqual(float(y), 2)

    def test_unchangeable(self):
        """JAX's arrays are read, and never written."""
        x, y = Unchangeable(self.x, is_old=True), np.zeros_like(self.y)
        m.twice(x=x, y=y)
        np.testing.assert_array_equal(y, 2 * self.x)
        with self.assertRaisesRegex(ck.ArgumentError, "'y': the kernel writes it, and the array is read-only"):
            m.twice(x=y, y=x)
        self.assertTrue(ck.view(x).readonly)

    def test_references(self):
        """Calls, right ones and wrong ones, leave the counts of references as they were."""
        stream = ck.Stream("host")
        wrong = np.zeros(100)
        sources = [self.x, ck.view(self.x), Dlpack(self.x), Interface(self.x)]
        objects = [*sources, self.y, wrong, stream, m.twice, ck.Device("host"), np.dtype("f4"), None]
        for i in range(110):
            if i == 10:
                gc.collect()
                before = [sys.getrefcount(item) for item in objects]
            for source in sources:
                m.twice(x=source, y=self.y)
                m.twice(x=source, y=self.y, stream=stream)
                m.bounds(source, stream=stream)
                try:
                    m.twice(x=source, y=wrong)
                except ck.ArgumentError:
                    pass
                try:
                    m.twice(x=source, z=wrong, stream=stream)
                except ck.ArgumentError:
                    pass
            stream.sync()
        gc.collect()
        after = [sys.getrefcount(item) for item in objects]
        for item, a, b in zip(objects, before, after):
            # What Python itself keeps of None settles slowly.
            self.assertLess(abs(b - a), 90 if item is not None else 390, repr(item)[:50])


if __name__ == "__main__":
    unittest.main()
