# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""_session.py - what a translation shares between its functions, and how names of Python are looked up.

A Session is one translation. It has the texts of the functions made so far, and the captures: the
arrays and numbers from outside, each with its path, the names by which it is found from the function
that was given:

    def f(x): return g(x) + k            ("k",) and ("g", "table"): where g names `table`
"""
import builtins
import types as python_types

import numpy as np

from ._operators import Operators

MARK = "$"  # before each name of a text; a prefix makes the names of several texts distinct

MISSING = object()


class Atomic:
    """`atomic.add(array, index, value)` of this package, and of numba.cuda."""

    def __init__(self, name=None):
        self.name = name


class LocalFunction:
    """A function that is defined inside of the translated one."""

    def __init__(self, node, owner):
        self.node, self.owner = node, owner
        self.name = getattr(node, "name", "lambda")


class HostFunction:
    """A function that the translated one names."""

    def __init__(self, function, path):
        self.function, self.path = function, path


class Capture:
    """An array or a number from outside: where it is found, its type, what the text asks of it."""

    def __init__(self, path, type_):
        self.path, self.type = path, type_
        self.is_written = False
        self.must_fit = set()  # integer types in which a Python int is used

    def check(self, number):
        for type_ in self.must_fit:
            if not type_.holds(number):
                raise OverflowError(f"the Python integer {number}, '{self.path[-1]}', is out of bounds for {type_}")


class Again(Exception):
    """The translation starts over: a captured number has to be a constant."""


def is_array(obj):
    return isinstance(obj, np.ndarray) and obj.ndim > 0 or not isinstance(obj, (np.ndarray, type)) and (
        hasattr(obj, "__cuda_array_interface__") or hasattr(obj, "__dlpack__")) and not isinstance(obj, np.generic)


def array_facts(obj):
    """The dtype and rank of an array."""
    dtype = getattr(obj, "dtype", None)
    if not isinstance(dtype, np.dtype):
        interface = obj.__cuda_array_interface__
        dtype = np.dtype([tuple(d) for d in interface["descr"]]) if interface["typestr"][1] == "V" \
            else np.dtype(interface["typestr"])
        return dtype, len(interface["shape"])
    shape = getattr(obj, "shape", None)
    return dtype, len(shape if shape is not None else obj.__cuda_array_interface__["shape"])


def lookup(function, name):
    """What a name means in a function, as Python finds it; MISSING if it is bound nowhere."""
    code = function.__code__
    if name in code.co_freevars:
        try:
            return function.__closure__[code.co_freevars.index(name)].cell_contents
        except ValueError:
            return MISSING
    if name in function.__globals__:
        return function.__globals__[name]
    return getattr(builtins, name, MISSING)


def fetch(function, path):
    """The present value of a capture."""
    value = function
    for step in path:
        if isinstance(step, int):
            value = value[step]
        else:
            value = getattr(value, step[1:]) if step[0] == "." else lookup(unwrap(value), step)
    return value


def unwrap(obj):
    """The Python function of a decorated one (numba's dispatchers have `py_func`)."""
    inner = getattr(obj, "py_func", None)
    return inner if isinstance(inner, python_types.FunctionType) else obj


def is_struct(obj):
    return isinstance(obj, type) and isinstance(getattr(obj, "dtype", None), np.dtype) \
        and getattr(obj, "_field_spec", None) is not None


class Session(Operators):
    """One translation: the functions made so far, the captures, and which of them are constants."""

    def __init__(self, root, constants):
        super().__init__()
        self.root, self.constants = root, constants
        self.texts, self.instances, self.captures, self.pending = [], {}, {}, []

    def capture(self, path, type_):
        if path not in self.captures:
            self.captures[path] = Capture(path, type_)
        return self.captures[path]

    def require_constant(self, capture):
        self.constants.add(capture.path)
        raise Again


class Instance:
    """A function for one row of argument types: its name, its result, the captures it takes."""

    def __init__(self, name):
        self.name, self.result, self.captures, self.outer, self.has_effect = name, None, [], [], False
