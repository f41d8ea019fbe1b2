# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""more_test.py - the cell magic, allocators, help(), generic names."""
import contextlib
import ctypes
import importlib.util
import inspect
import io
import os
import pydoc
import tempfile
import threading
import traceback
import unittest

import numpy as np

import cokernel as ck
from cokernel import _magic

m = ck.compile("""
// Halves.
kernel half<T: float>(n: u64, x: inout T[n]) launch(block = 64, grid = ceil_div(n, 64))
{ if (grid.thread_rank < n) x[grid.thread_rank] /= 2; }
export half<f32>, half<f64>;
algorithm total(x: in f64[]) -> f64 = reduce(x, +, 0.0);
""")


FAULTY = """
kernel bad(n: u64, y: out f32[n]) launch(block = 32, grid = 1)
{
    y[n + thread.rank] = 1;
}
kernel good(n: u64, y: out f32[n]) launch(block = 32, grid = 1) { if (thread.rank < n) y[thread.rank] = 1; }
"""


TUNED = """// tuned.ck - a kernel with a tuning parameter.
// BENCH: twice(x=rand:2**12, y=zeros:2**12) bytes = 8 * n
const BLOCK: u32 = tune(64, 128);
kernel twice(n: u64, x: in f32[n], y: out f32[n]) launch(block = BLOCK, grid = ceil_div(n, BLOCK))
{ if (grid.thread_rank < n) y[grid.thread_rank] = 2 * x[grid.thread_rank]; }
"""


class Shell:
    """What a shell of IPython has for us."""

    def __init__(self):
        self.user_ns, self.execution_count, self.magics = {}, 3, {}

    def register_magic_function(self, function, magic_kind, magic_name):
        self.magics[magic_kind, magic_name] = function


class More(unittest.TestCase):
    def test_magic(self):
        shell = Shell()
        ck.load_ipython_extension(shell)
        magic = shell.magics["cell", "ck"]
        cell = "const N: u32 = 1;\nkernel one(y: out u32[1]) launch(block = 1, grid = 1) { y[0] = N; }"
        magic("mine -D N=7 --device=host", cell)
        y = np.zeros(1, "u4")
        shell.user_ns["mine"].one(y)
        self.assertEqual(y[0], 7)
        magic("", cell)
        shell.user_ns["one"](y)
        self.assertEqual(y[0], 1)
        with self.assertRaises(ck.CompileError):
            _magic.compile_cell("", "kernel k() { x; }", {})
        with self.assertRaisesRegex(ck.ArgumentError, "'--fast' is neither a name nor an option"):
            _magic.read_line("--fast")

    @unittest.skipUnless(importlib.util.find_spec("IPython"), "IPython is not installed")
    def test_shell(self):
        """The magic in IPython itself: a function of a cell becomes CK too, and mistakes are shown with a caret."""
        from IPython.core.interactiveshell import InteractiveShell  # pylint: disable=import-outside-toplevel
        from IPython.utils.capture import capture_output  # pylint: disable=import-outside-toplevel
        shell = InteractiveShell()
        cell = "kernel {}(y: out u32[1]) launch(block = 1, grid = 1) {{ y[0] = {}; }}"
        with capture_output() as shown:
            for text in ("%load_ext cokernel", "%%ck --device=host\n" + cell.format("five", 5),
                         "import numpy as np\ny = np.zeros(1, 'u4')\nfive(y)",
                         "from cokernel import compute\nx = np.arange(3)\n"
                         "compute.unary_transform(d_in=x, d_out=x, op=lambda v: v + 1, num_items=3)",
                         "%%ck mine -D N=7\nconst N: u32 = 1;\n" + cell.format("n", "N"), "mine.n(y)"):
                result = shell.run_cell(text)
                self.assertTrue(result.success, text)
            shell.run_cell("%%ck\n" + cell.format("bad", "z"))
            shell.run_cell("%%ck --fast\n" + cell.format("bad", "1"))
        self.assertEqual((shell.user_ns["y"][0], shell.user_ns["x"].tolist()), (7, [1, 2, 3]))
        self.assertRegex(shown.stdout, r"<cell \d+>:1:\d+: error: 'z' is not declared(.|\n)*\^")
        self.assertIn("%%ck: '--fast' is neither a name nor an option", shown.stdout)

    def test_allocator(self):
        held, freed = {}, []

        def allocate(size, stream):
            self.assertIsInstance(stream, int)
            made = ctypes.create_string_buffer(size + 256)
            address = (ctypes.addressof(made) + 255) // 256 * 256
            held[address] = made
            return address

        ck.use_allocator((allocate, freed.append), "host")
        try:
            made = ck.empty(1000, "f4", device="host")
            self.assertIn(made.ptr, held)
            address = made.ptr
            del made
            self.assertEqual(freed, [address])
        finally:
            ck.use_allocator(None, "host")
        self.assertNotIn(ck.empty(4, device="host").ptr, held)
        with self.assertRaisesRegex(ck.UnsupportedError, "torch has memory of GPUs"):
            ck.use_allocator("torch", "host")
        with self.assertRaisesRegex(ck.ArgumentTypeError, "source has to be"):
            ck.use_allocator("numpy", "host")

    def test_fault(self):
        """A fault shows the line of the kernel; the host device works again afterwards."""
        module = ck.compile(FAULTY, name="faulty.ck", check=True, device="host")
        y = np.zeros(4, "f4")
        for _ in range(2):
            module.good(y=y)
            try:
                module.bad(y=y)
            except ck.KernelFault as error:
                self.assertIn("index 4 is outside of its extent, 4", str(error))
                text = "".join(traceback.format_exception(error))
            self.assertRegex(text, r'File "faulty\.ck", line 4, in bad')
            y[:] = 0
            module.good(y=y)
            self.assertEqual(y[0], 1)

    def test_threads(self):
        module = ck.compile(FAULTY, device="host")
        errors = []

        def work():
            try:
                y = np.zeros(4, "f4")
                for _ in range(50):
                    y[:] = 0
                    module.good(y=y)
                    assert y[3] == 1
                    with ck.Stream("host") as stream:
                        module.good(y=y)
                    stream.sync()
            except Exception as error:  # pylint: disable=broad-except
                errors.append(error)

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(errors, [])

    def test_compiled(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "halves.o")
            m.save(path, "host")
            loaded = ck.load(path)
            x = np.full(3, 5.0)
            loaded.half(x=x)
            self.assertEqual(x.tolist(), [2.5] * 3)
            self.assertEqual(loaded.total(x), 7.5)
            with self.assertRaisesRegex(ck.NotFoundError, "half<f16>.* is not in .*half<f32>"):
                loaded["half<f16>"](x)
            with self.assertRaisesRegex(ck.ArgumentError, "it has no options"):
                ck.load(path, check=True)
            with open(path, "wb") as file:
                file.write(b"no code")
            with self.assertRaises(ck.ArgumentError):
                ck.load(path)

    def test_tune(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "tuned.ck")
            with open(path, "w", encoding="utf-8") as file:
                file.write(TUNED)
            text = ck.tune(path, device="host", budget=20, progress=False,
                           options=["--seconds=0.01", f"--store={folder}/store"])
            self.assertIn("measured", text)
            self.assertTrue(os.path.exists(path[:-3] + ".tune"))
            with self.assertRaisesRegex(ck.Error, "unknown option"):
                ck.tune(path, device="host", options=["--none"], progress=False)

    @unittest.skipUnless(importlib.util.find_spec("tqdm"), "tqdm is not installed")
    def test_progress(self):
        """The bar of tqdm goes to standard error, and ends with the report's last line."""
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()) as shown:
            path = os.path.join(folder, "tuned.ck")
            with open(path, "w", encoding="utf-8") as file:
                file.write(TUNED)
            ck.tune(path, device="host", budget=20, options=["--seconds=0.01", f"--store={folder}/store"])
        self.assertRegex(shown.getvalue(), r"tune: +\d+% of 20 s \|.*\|")

    def test_help(self):
        text = pydoc.plain(pydoc.render_doc(m.total))
        text = " ".join(text.split())
        self.assertRegex(text, r"total\( ?x: 'in f64\[\]', \*, result: 'out f64\[1\]' = None")
        self.assertIn("x: in f64[]", text)
        self.assertEqual(list(inspect.signature(m.total).parameters)[:2], ["x", "result"])
        self.assertRegex(m.half.__doc__, r"Halves\.\n\nhalf<f32>\nn: u64\nx: inout f32\[n\]\nblock = 64\n(.|\n)*"
                                         r"instances: half<f32>, half<f64>")
        self.assertIn("half<f32>", pydoc.render_doc(m.half))
        self.assertIn("Halves.\n\nn: u64\nx: inout f32[n]", m["half<f32>"].__doc__)

    def test_instances(self):
        for dtype in ("f4", "f8"):
            x = np.full(3, 5, dtype)
            m.half(x=x)
            self.assertEqual(x.tolist(), [2.5] * 3)
            m.half(x)
            self.assertEqual(x.tolist(), [1.25] * 3)
        x = np.full(3, 5, "f2")
        m["half<f16>"](x)
        m.half[np.float16](x)
        self.assertEqual(x.tolist(), [1.25] * 3)


if __name__ == "__main__":
    unittest.main()
