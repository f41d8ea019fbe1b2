# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""console_test.py - Python functions become CK where they stand in no file: at the prompt of a terminal, in
python -c, and in a program on standard input."""
import os
import pty
import select
import subprocess
import sys
import tempfile
import time
import unittest

from cokernel import _console

LINES = ["import numpy as np", "from cokernel import compute", "x = np.arange(3)",
         "terms = compute.TransformIterator(x, lambda v: v + 1)",
         "def twice(v):", "    w = 2 * v", "    return w", "",
         "compute.unary_transform(d_in=terms, d_out=x, op=twice, num_items=3)", "print('made', x.tolist())"]
PROGRAM = "\n".join(LINES) + "\n"
MADE = "made [2, 4, 6]"


def run(*words, file=None, text=None):
    done = subprocess.run([sys.executable, *words], stdin=file, input=text, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=120, check=False)
    return done.stdout


def at_a_terminal(lines, seconds=100):
    """What a prompt prints to whom types these lines."""
    ours, theirs = pty.openpty()
    with subprocess.Popen([sys.executable, "-q"], stdin=theirs, stdout=theirs, stderr=theirs,
                          env={**os.environ, "TERM": "dumb", "PYTHON_BASIC_REPL": "1"}) as child:
        os.close(theirs)
        shown, waiting, end = "", [*lines, "exit()"], time.monotonic() + seconds
        while time.monotonic() < end:
            if not select.select([ours], [], [], 1)[0]:
                continue
            try:
                shown += os.read(ours, 65536).decode()
            except OSError:  # the child has ended
                break
            if waiting and shown.endswith((">>> ", "... ")):
                os.write(ours, (waiting.pop(0) + "\n").encode())
        else:
            child.kill()
    os.close(ours)
    return shown


class Console(unittest.TestCase):
    def test_terminal(self):
        self.assertIn(MADE, at_a_terminal(LINES))

    def test_argument(self):
        self.assertIn(MADE, run("-c", PROGRAM))
        self.assertIn(MADE, run("-Bc", PROGRAM))

    def test_input(self):
        with tempfile.TemporaryFile("w+") as file:
            file.write(PROGRAM)
            for words in ((), ("-i",)):
                file.seek(0)
                self.assertIn(MADE, run(*words, file=file))

    def test_nowhere(self):
        """The program of a pipe can be read but once."""
        self.assertIn("Python has no source of '<lambda>' (<stdin>): put it into a file, or", run("-", text=PROGRAM))

    def test_history(self):
        """The newest statement with the very code is taken."""
        history = ["f = lambda v: v + 2", "f = lambda v: v + 1", "f = [lambda v: v * 3, lambda v: v + 5]", "f(1)",
                   "def g(v):", "    return v", "g = 1"]

        def code_of(text):
            made = compile(text, "<stdin>", "single")
            return next(c for c in made.co_consts if hasattr(c, "co_code"))
        for text in (history[0], history[1], history[2], "def g(v):\n    return v\n"):
            found = _console.find_statement(code_of(text), history)
            self.assertEqual("".join(found), text.rstrip() + "\n")
        self.assertEqual(_console.find_statement(code_of("f = lambda v: v + 7"), history), ())
        self.assertEqual(_console.find_statement(code_of("def g(v):\n    return -v\n"), history), ())


if __name__ == "__main__":
    os.environ.setdefault("CK_DEVICE", "host")
    unittest.main()
