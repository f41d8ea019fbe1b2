# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""first_test.py - the package on the host device with NumPy's arrays: modules, calls by position and by
name, results of algorithms, streams, graphs, errors."""
import os
import subprocess
import sys
import tempfile
import traceback
import unittest

import numpy as np

import cokernel as ck

TEXT = """// Two kernels and an algorithm.

// y = a * x + y, element by element.
kernel saxpy(n: u64, a: f32, x: in f32[n], y: inout f32[n])
    launch(block = 256, grid = ceil_div(n, 256))
{
    let i = grid.thread_rank;
    if (i < n) y[i] = a * x[i] + y[i];
}

kernel rows(r: u32, n: u32, x: in f32[r, n], y: out f32[r]) launch(block = 32, grid = r)
{
    if (thread.rank == 0) {
        var s = 0.0;
        for (i in 0..n) s += x[block.id.x, i];
        y[block.id.x] = s;
    }
}

algorithm total(x: in f32[]) -> f32 = reduce(x, +, 0.0f32);
"""
m = ck.compile(TEXT)


class First(unittest.TestCase):
    def setUp(self):
        self.x, self.y = np.arange(1000, dtype="f4"), np.ones(1000, "f4")

    def test_calls(self):
        want = 2 * self.x + 1
        for call in (lambda y: m.saxpy(a=2, x=self.x, y=y), lambda y: m.saxpy(2.0, self.x, y),
                     lambda y: m.saxpy(1000, 2, self.x, y), lambda y: m.saxpy(2, self.x, y=y),
                     lambda y: m.saxpy(n=1000, a=2, x=self.x, y=y),
                     lambda y: m["saxpy"](*[2, self.x], **{"y": y}),
                     lambda y: m.saxpy(a=np.float32(2), x=ck.view(self.x), y=ck.view(y))):
            y = self.y.copy()
            self.assertIsNone(call(y))
            np.testing.assert_array_equal(y, want)

    def test_part(self):
        y = self.y.copy()
        m.saxpy(n=10, a=2, x=self.x, y=y)
        self.assertEqual(y[9:11].tolist(), [19, 1])

    def test_two_axes(self):
        x, y = np.arange(12, dtype="f4").reshape(3, 4), np.empty(3, "f4")
        m.rows(x=x, y=y)
        np.testing.assert_array_equal(y, x.sum(axis=1))

    def test_result(self):
        self.assertEqual(m.total(x=self.x), 499500)
        self.assertIs(type(m.total(self.x)), np.float32)
        out = np.zeros(1, "f4")
        self.assertIs(m.total(self.x, result=out), out)
        self.assertEqual(out[0], 499500)
        stream = ck.Stream("host")
        later = m.total(self.x, stream=stream)
        stream.sync()
        self.assertEqual(float(later), 499500)
        self.assertEqual(np.asarray(later)[()], 499500)

    def test_streams(self):
        stream = ck.Stream("host")
        for _ in range(300):
            m.saxpy(a=1, x=np.ones(1000, "f4"), y=self.y, stream=stream)
        event = stream.record()
        stream.sync()
        self.assertTrue(event.is_done and stream.query())
        self.assertEqual(self.y[0], 301)
        with stream:
            m.saxpy(a=1, x=self.x, y=self.y)
            self.assertEqual(ck.current_stream().handle, stream.handle)
        self.assertIsNone(ck.current_stream())
        stream.sync()
        start, end = stream.record(timing=True), stream.record(timing=True)
        end.sync()
        self.assertGreaterEqual(end - start, 0)

    def test_graph(self):
        with ck.graph("host") as g:
            m.saxpy(a=1, x=np.ones(1000, "f4"), y=self.y)
            m.saxpy(a=2, x=np.ones(1000, "f4"), y=self.y)
        self.assertEqual(self.y[0], 1)
        g.launch()
        g.launch()
        self.assertEqual(self.y[0], 7)

    def test_errors(self):
        try:
            m.saxpy(a=2, x=self.x.astype("f8"), y=self.y)
        except ck.ArgumentError:
            text = traceback.format_exc()
        self.assertIn("kernel 'saxpy', argument 3 'x': expected elements of f32, got an array of "
                      "float64", text)
        self.assertRegex(text, r'File "<ck>", line 4, in saxpy\n +kernel saxpy\(n: u64')
        with self.assertRaises(ck.CompileError) as caught:
            ck.compile("kernel k(n: u64) { let x = m; }").k(1)
        self.assertIn("'m' is not declared", caught.exception.log)
        self.assertEqual(caught.exception.line, 1)
        with self.assertRaises(AttributeError):
            m.none

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "two.ck"), "w", encoding="utf-8") as file:
                file.write(TEXT)
            sys.path.insert(0, folder)
            module = ck.import_module("two")
            sys.path.pop(0)
            self.assertIs(ck.import_module("two"), sys.modules["two"])
            module.saxpy(a=2, x=self.x, y=self.y)
            self.assertEqual(self.y[2], 5)
            self.assertEqual(module.__doc__, "Two kernels and an algorithm.")
            self.assertIn("y = a * x + y, element by element.", module.saxpy.__doc__)
            self.assertIn("x: in f32[n]", module.saxpy.__doc__)
            with self.assertRaises(ck.NotFoundError):
                ck.load(os.path.join(folder, "three.ck"))

    def test_command(self):
        run = subprocess.run([sys.executable, "-m", "cokernel", "--version"], capture_output=True,
                             text=True, check=False)
        self.assertEqual((run.returncode, run.stdout.split()[0]), (0, "ckc"))


if __name__ == "__main__":
    unittest.main()
