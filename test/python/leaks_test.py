# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""leaks_test.py - calls, right ones and wrong ones, leave no memory behind.

    in every build    blocks that Python has allocated, and objects of the package, after many equal calls
    with sanitizers   LeakSanitizer watches other test programs from begin to end

The interpreter and NumPy leak at exit. A leak is ours if one of our libraries stands on the stack before
the first function in Python does:

    malloc, PyType_GenericAlloc, _core.abi3.so, _PyEval_EvalFrameDefault, ...       ours
    malloc, _PyCode_New, mtrand.so, _PyEval_EvalFrameDefault, ..., _core.abi3.so    NumPy's
"""
import gc
import glob
import os
import re
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import cokernel as ck
import first_test
import wrong_compute_test
import wrong_test
from cokernel import compute

HERE = os.path.dirname(os.path.abspath(__file__))
IS_SANITIZED = "libasan" in os.environ.get("LD_PRELOAD", "")
OURS = re.compile(r"_core\.abi3\.so|/libck(rt|c|alg)\.so| (runtime|compiler)/\S+\.[ch]:\d+")
LEAK = """import ctypes
from cokernel import _core
place = ctypes.c_void_p()
ctypes.CDLL("libckrt.so.0").ck_program_create(b"", ctypes.c_size_t(0), None, ctypes.byref(place))
place.value = 0
"""


def quietly(call):
    try:
        call()
    except Exception:  # pylint: disable=broad-except
        pass


def grows(call, count=100):
    """Whether each call leaves a block behind. The interpreter's own tables grow too, but less and less."""
    for _ in range(8):
        gc.collect()
        before = sys.getallocatedblocks()
        for _ in range(count):
            quietly(call)
        gc.collect()
        if sys.getallocatedblocks() - before < count * 0.9:
            return False
    return True


def objects():
    """How many objects of the package's types there are."""
    gc.collect()
    return sum(str(type(item).__module__).startswith("cokernel") for item in gc.get_objects())


def use_everything():
    """Makes one of each, uses it, and drops it."""
    x, y, stream = np.ones(8, "f4"), np.ones(8, "f4"), ck.Stream("host")
    module = ck.compile(first_test.TEXT)
    module.saxpy(a=1, x=x, y=y, stream=stream)
    with ck.graph("host") as graph:
        module.saxpy(a=1, x=x, y=y)
    graph.launch(stream)
    result, event = module.total(y, stream=stream), stream.record(timing=True)
    stream.sync()
    assert (float(result), event.is_done) == (24, True)
    made = ck.zeros(8, "f4", device="host").copy_from(y)
    assert np.from_dlpack(made)[0] == 3
    total = np.zeros(1)
    compute.reduce_into(d_in=x, d_out=total, num_items=8, op=lambda a, b: a + b, h_init=np.zeros(1))
    quietly(lambda: compute.reduce_into(d_in=x, d_out=total, num_items=8, op=lambda a, b: [a], h_init=total))


class Leaks(unittest.TestCase):
    def setUp(self):
        gc.collect()
        gc.freeze()  # collections look at newer objects alone
        self.addCleanup(gc.unfreeze)

    def test_wrong_calls(self):
        rows = [*wrong_test.ROWS, *wrong_compute_test.ROWS, *wrong_test.rows_of_ranges()]
        for what, call, _, text in rows[::8 if IS_SANITIZED else 1]:
            self.assertFalse(grows(call, 40), (what, text))

    def test_right_calls(self):
        self.assertFalse(grows(use_everything))
        before = objects()
        for _ in range(10):
            use_everything()
        self.assertLess(objects() - before, 5)

    def leaks_of(self, words):
        """The stacks of our leaks in a program."""
        with tempfile.TemporaryDirectory() as folder:
            options = os.environ["ASAN_OPTIONS"].replace("detect_leaks=0", "detect_leaks=1")
            environment = {**os.environ, "PYTHONMALLOC": "malloc", "ASAN_OPTIONS":
                           f"{options}:fast_unwind_on_malloc=0:malloc_context_size=30:log_path={folder}/log"}
            done = subprocess.run([sys.executable, *words], env=environment, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, check=False)
            reports = ""
            for path in glob.glob(f"{folder}/log*"):
                with open(path, encoding="utf-8", errors="replace") as file:
                    reports += file.read()
        self.assertIn("LeakSanitizer", reports, done.stdout)  # NumPy's, at least
        stacks = re.findall(r"(?ms)^(?:Direct|Indirect) leak of .*?\n\n", reports)
        return [s for s in stacks if OURS.search(s.partition("_PyEval_EvalFrameDefault")[0])]

    @unittest.skipUnless(IS_SANITIZED, "the build has no sanitizers")
    def test_whole_programs(self):
        self.assertNotEqual(self.leaks_of(["-c", LEAK]), [])  # it does find one
        for name in ("first", "arrays", "wrong"):
            self.assertEqual(self.leaks_of([os.path.join(HERE, f"{name}_test.py")]), [], name)


if __name__ == "__main__":
    unittest.main()
