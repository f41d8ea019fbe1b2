# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""stubs_test.py - the type stubs, FILE.pyi, against the modules that they describe.

Each stub names what its module has: functions with the same parameters, classes with these methods,
members of enumerations with these values. All of `__all__` is in the stub. Where mypy is installed, it
accepts a correct program and refuses wrong calls, and its stubtest compares the stubs as well.
"""
import ast
import enum
import glob
import importlib
import importlib.util
import inspect
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import cokernel as ck

PACKAGE = os.path.dirname(ck.__file__)
ONLY_HERE = {"__init__", "__new__", "status", "log", "file", "line", "code"}  # slots of C, attributes of instances

PROGRAM = """import numpy as np
import cokernel as ck
from cokernel import compute
from cokernel.compute import CountingIterator, OpKind, TransformIterator, ZipIterator

m = ck.compile("kernel k(n: u64, x: in f32[n]) {}", defines={"N": 1})
x = np.zeros(3, "f4")
m.k(x=x, stream=ck.Stream("host"))
terms = TransformIterator(CountingIterator(np.int64(1)), lambda v: -v) + 3
compute.reduce_into(d_in=terms, d_out=x, num_items=3, op=OpKind.PLUS, h_init=np.zeros(1))
reducer = compute.make_reduce_into(d_in=terms, d_out=x, op="+", h_init=np.float32(0))
size: int = reducer(temp_storage=None, d_in=terms, d_out=x, num_items=len(x), op="+", h_init=np.float32(0))
compute.top_k(d_in_keys=x, d_out_keys=x, num_items=3, k=2, order=compute.SortOrder.ASCENDING)
compute.argmin(d_in=ZipIterator(x, terms), d_out=x, num_items=3)
compute.nary_transform(d_ins=(x, terms), d_out=x, op=lambda a, b: a - b, num_items=3)
compute.histogram_by(d_samples=x, d_histogram=x, op="|v| u64(v)", num_items=3, channels=None)
compute.top_k_rows(d_in=x, d_out=x, is_sorted=False)
Pair = compute.gpu_struct({"a": np.int32})
first: bytes = compute.serialize(reducer)
made: ck.Array = ck.zeros((2, 3), "f32", device="host")
compute.fill(d_out=made, value=1, num_items=6)
"""
WRONG = [  # a line, and what mypy says of it
    ("compute.reduce_into(d_in=[1], d_out=x, num_items=3, op='+', h_init=x)", '"d_in"'),
    ("compute.top_k(d_in_keys=x, d_out_keys=x, num_items=3)", '"k"'),
    ("compute.argmin(d_in=x, d_out=x, num_item=3)", '"num_item"'),
    ("compute.reduce_into(d_in=x, d_out=x, num_items=3, op=1, h_init=x)", '"op"'),
    ("compute.top_k_rows(d_in=terms, d_out=x)", '"d_in"'),
    ("compute.argmni", '"argmni"'),
    ("ck.compile(3)", '"compile"'),
]


def stubs():
    """(path, module) of each stub."""
    for path in sorted(glob.glob(os.path.join(PACKAGE, "**/*.pyi"), recursive=True)):
        words = os.path.relpath(path, os.path.dirname(PACKAGE))[:-4].split(os.sep)
        name = ".".join(words[:-1] if words[-1] == "__init__" else words)
        if name != "cokernel.torch" or importlib.util.find_spec("torch"):
            yield path, importlib.import_module(name)


def parameters_of(node):
    """[(name, kind, whether there is a default)] of a function in a stub."""
    given, found = node.args, []
    first = [*given.posonlyargs, *given.args]
    for index, arg in enumerate(first):
        kind = "position" if index < len(given.posonlyargs) else "any"
        found.append((arg.arg, kind, index >= len(first) - len(given.defaults)))
    found += [(given.vararg.arg, "*", False)] if given.vararg else []
    found += [(a.arg, "key", d is not None) for a, d in zip(given.kwonlyargs, given.kw_defaults)]
    return found + ([(given.kwarg.arg, "**", False)] if given.kwarg else [])


def parameters_of_live(function):
    kinds = {inspect.Parameter.POSITIONAL_ONLY: "position", inspect.Parameter.POSITIONAL_OR_KEYWORD: "any",
             inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.KEYWORD_ONLY: "key",
             inspect.Parameter.VAR_KEYWORD: "**"}
    return [(p.name, kinds[p.kind], p.default is not p.empty) for p in inspect.signature(function).parameters.values()]


class Stubs(unittest.TestCase):
    def compare_function(self, node, live, name):
        words = [ast.unparse(d) for d in node.decorator_list]
        self.assertEqual("property" in words, inspect.isdatadescriptor(live), name)
        if "property" in words or "overload" in words:
            return
        self.assertTrue(callable(live), name)
        try:
            found = parameters_of_live(live)
        except (TypeError, ValueError):  # a function in C without a signature
            return
        if found[:1] == [("args", "*", False)]:  # of C: nothing is known of them
            return
        wanted = parameters_of(node)
        if found and found[-1][1] == "**":  # the stub may name the options
            wanted = [*wanted[:len(found) - 1], found[-1]]
        wanted, found = ([("" if p[1] == "position" else p[0], *p[1:]) for p in row
                          if p[0] != "self"] for row in (wanted, found))
        self.assertEqual(wanted, found, name)

    def compare_class(self, node, live):
        self.assertIsInstance(live, type, node.name)
        for item in node.body:
            name = getattr(item, "name", None) or getattr(getattr(item, "target", None), "id", None)
            if isinstance(item, ast.Assign) and issubclass(live, enum.Enum):
                self.assertEqual(live[item.targets[0].id].value, item.value.value)
            elif isinstance(item, ast.FunctionDef) and name in live.__dict__:
                self.compare_function(item, inspect.getattr_static(live, name), f"{node.name}.{name}")
            elif isinstance(item, ast.FunctionDef) and name not in ONLY_HERE | {"__getattr__"}:
                self.assertTrue(hasattr(live, name), f"{node.name}.{name}")
        if issubclass(live, enum.Enum):
            self.assertEqual([i.targets[0].id for i in node.body if isinstance(i, ast.Assign)], [m.name for m in live])

    def test_names(self):
        for path, module in stubs():
            with open(path, encoding="utf-8") as file:
                tree = ast.parse(file.read())
            named = set()
            for node in tree.body:
                if isinstance(node, ast.ImportFrom):
                    named |= {a.asname for a in node.names if a.asname}
                elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                    named.add(node.name)
                elif isinstance(node, (ast.AnnAssign, ast.Assign)):
                    named.add((node.target if isinstance(node, ast.AnnAssign) else node.targets[0]).id)
                if isinstance(node, ast.FunctionDef):
                    self.compare_function(node, getattr(module, node.name), f"{path}: {node.name}")
                elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    self.compare_class(node, getattr(module, node.name))
            for name in named:
                self.assertTrue(name.startswith("_") or hasattr(module, name), f"{path}: {name}")
            self.assertEqual(set(getattr(module, "__all__", ())) - named - {"errors"}, set(), path)

    def test_marker(self):
        self.assertTrue(os.path.exists(os.path.join(PACKAGE, "py.typed")))

    @unittest.skipUnless(importlib.util.find_spec("mypy"), "mypy is not installed")
    def test_mypy(self):
        with tempfile.TemporaryDirectory() as folder:
            shown = os.path.join(folder, "shown")  # what a checker needs of the package
            shutil.copytree(PACKAGE, os.path.join(shown, "cokernel"), ignore=lambda _, names: [
                n for n in names if n.endswith((".py", ".so")) and n != "errors.py" or n == "__pycache__"])
            environment = {**os.environ, "MYPYPATH": shown, "PYTHONPATH": os.path.dirname(PACKAGE)}

            def run(*words):
                return subprocess.run([sys.executable, "-m", *words], cwd=folder, env=environment, text=True,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            with open(os.path.join(folder, "program.py"), "w", encoding="utf-8") as file:
                file.write(PROGRAM)
            done = run("mypy", "--strict", "program.py")
            self.assertEqual(done.returncode, 0, done.stdout)
            with open(os.path.join(folder, "wrong.py"), "w", encoding="utf-8") as file:
                file.write(PROGRAM + "".join(line + "\n" for line, _ in WRONG))
            said = run("mypy", "--strict", "wrong.py").stdout
            for index, (line, text) in enumerate(WRONG):
                number = PROGRAM.count("\n") + index + 1
                self.assertRegex(said, rf"wrong\.py:{number}: error: .*{text}", line)
            said = run("mypy.stubtest", "cokernel", "--ignore-missing-stub", "--concise").stdout
            rest = [line for line in said.splitlines() if not re.search("disjoint base|^cokernel.torch failed", line)]
            self.assertEqual(rest, [])


if __name__ == "__main__":
    os.environ.setdefault("CK_DEVICE", "host")
    unittest.main()
