# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""_identity.py - when two Python functions are one operator.

They are if their code is the same and what they name from outside is of the same kind: an array by
its dtype and rank, a number by its type, a function by its own identity. The values of numbers don't
count, except where a translation needed one as a constant: `learn` says which, after the first
translation of such a function.
"""
import types as python_types

import numpy as np

from .. import _translate
from .._atomic import is_atomic

_CONSTANTS = {}


def _kind_of_value(value, seen):
    value = _translate.unwrap(value)
    if isinstance(value, python_types.FunctionType):
        return of_function(value, seen)
    if isinstance(value, (bool, np.bool_)):
        return ("bool", bool(value))
    if isinstance(value, np.generic):
        return ("scalar", value.dtype.str) if value.dtype.kind != "c" else ("constant", value.dtype.str, value.item())
    if isinstance(value, (int, float)):
        return (type(value).__name__,)
    if isinstance(value, (complex, str)):
        return ("constant", value)
    if isinstance(value, (tuple, list)):
        return ("tuple",) + tuple(("element", v) if isinstance(v, (int, float)) else _kind_of_value(v, seen)
                                  for v in value)
    if isinstance(value, python_types.ModuleType):
        return ("module", value.__name__)
    if is_atomic(value):
        return ("atomic",)
    if _translate.is_array(value):
        dtype, rank = _translate.array_facts(value)
        return ("array", dtype.descr if dtype.names else dtype.str, rank).__repr__()
    if _translate.is_struct(value):
        return ("struct", repr(value.dtype))
    return ("object", id(value))


def names_of(code):
    """The names that code and the functions inside of it use."""
    names = set(code.co_names) | set(code.co_freevars)
    for constant in code.co_consts:
        if isinstance(constant, python_types.CodeType):
            names |= names_of(constant)
    return names


def _code_key(code):
    consts = tuple(_code_key(c) if isinstance(c, python_types.CodeType) else (type(c).__name__, repr(c))
                   for c in code.co_consts)
    return (code.co_code, consts, code.co_names, code.co_varnames, code.co_freevars)


def of_function(function, seen=()):
    """A key that is equal for functions of one kind."""
    code = function.__code__
    if function in seen:
        return ("recursive", code.co_name)
    seen = seen + (function,)
    named = []
    for name in sorted(names_of(code)):
        value = _translate.lookup(function, name)
        if value is not _translate.MISSING:
            named.append((name, _kind_of_value(value, seen)))
    defaults = tuple(_kind_of_value(d, seen) + ((d,) if isinstance(d, (int, float)) else ())
                     for d in function.__defaults__ or ())
    return (_code_key(code), tuple(named), defaults)


def with_constants(function, kind):
    """The kind together with the values of the captured numbers that are part of the text."""
    paths = _CONSTANTS.get(kind)
    if not paths:
        return kind
    return (kind, tuple((p, repr(_translate.fetch(function, p))) for p in paths))


def constants_of(kind):
    """The paths of the captured numbers that are part of the text of such functions."""
    return set(_CONSTANTS.get(kind, ()))


def learn(kind, constants):
    """Remembers which captured numbers of such functions are constants."""
    plain = tuple(sorted((p for p in constants if all(isinstance(s, str) for s in p)), key=repr))
    _CONSTANTS[kind] = tuple(sorted(set(_CONSTANTS.get(kind, ())) | set(plain), key=repr))
