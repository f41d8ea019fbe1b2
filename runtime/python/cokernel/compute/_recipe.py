# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""_recipe.py - a call that is like an earlier one is launched without writing its text again.

shape_of() walks over the operands of a call, and gives a key and a list of leaves: the arrays, the
iterators with numbers, the initial values and lengths. Equal keys mean equal texts, as long as no two
arrays are one memory. A recipe says for each parameter of the text which leaf it is made of, and how:

    reduce_into(d_in=CountingIterator(5), num_items=9, ...)     leaves [it, 9, out, init]
    ck_call(n0: u64, v1: i64, v2: i64) -> i64                   int(leaves[1]), it._start, init[0]

Operands that the walk doesn't know, such as functions with captures, have no key: such calls write
their text. A recipe is kept with its key, which holds on to the code of functions, so that no other
code gets its identity.
"""
import numpy as np

from .. import _core, _session
from . import _arguments
from .determinism import Determinism
from .op import FunctionOp, KindOp, OpKind, TextOp, closed_op
from .struct import Struct

_RECIPES = {}


class Recipe:
    """How the leaves of a call become the arguments of a program."""

    def __init__(self, program, device, rows, result):
        self.program, self.device, self.rows, self.result = program, device, rows, result

    def launch(self, leaves, stream):
        """Launches; False if two arrays are one memory, so that the text has to be another one."""
        slot = self.device.slot
        rows, places = [], set()
        spans = 0
        for index, make in self.rows:
            made = make(leaves[index])
            if made.__class__ is tuple:
                address, count = made
                spans += 1
                places.add(address)
                made = _core.Raw(address, count, slot)
            rows.append(made)
        if len(places) != spans:
            return False
        options = {}
        if self.result is not None:
            options["result"] = _core.Raw(self.result[1](leaves[self.result[0]])[0], 1, slot)
        self.program.run(rows, options, stream, self.device)
        return True


def find(key):
    return _RECIPES.get(key)


def forget():
    _RECIPES.clear()


def remember(key, leaves, sizes, builder, program, device):
    """Makes a recipe of a call, if each of its parameters is made of one leaf.

    sizes  names of the lengths, which are the first leaves
    """
    places = {name: index for index, name in enumerate(sizes)}
    for index in range(len(sizes), len(leaves)):
        if id(leaves[index]) in places:
            return
        places[id(leaves[index])] = index
    rows = [_row(row[-1], places) for row in builder.parameters]
    spans = [row[4] for row in builder.parameters if row[3] is None]
    result = builder.result and _row(builder.result[2], places)
    if None in rows or len(set(spans)) != len(spans) or builder.links or builder.result and result is None:
        return
    _RECIPES[key] = Recipe(program, device, rows, result)


def _row(sources, places):
    """The leaf and the function of one of the sources of a parameter."""
    for obj, make in sources or ():
        index = places.get(obj.name if isinstance(obj, Size) else id(obj))
        if index is not None:
            return index, make
    return None


class Size(int):
    """A length, by the name of its operand."""

    def __new__(cls, value, name):
        made = int.__new__(cls, value or 0)
        made.name = name
        return made


def shape_of(cls, given, leaves):
    """The key of a call; None if it has none."""
    key = [cls]
    sizes = cls.sizes
    for name in sizes:
        leaves.append(given.get(name))
    for name, value in given.items():
        if name not in sizes and not add(value, key, leaves):
            return None
    return tuple(key)


def add(value, key, leaves):
    """Adds an operand to the key and the leaves; False if it isn't known."""
    kind = value.__class__
    if kind is OpKind or kind is Determinism:
        key.append(value)
        return True
    if kind is np.ndarray:
        flags = value.flags
        if not (flags.c_contiguous or flags.f_contiguous):
            return False
        key += (kind, value.dtype)
        leaves.append(value)
        return True
    shape = getattr(kind, "_add_shape", None)
    if shape is not None:
        return shape(value, key, leaves)
    if value is None or kind in (int, bool, str) or kind.__name__ == "SortOrder":
        key += (kind, value)
        return True
    if isinstance(value, Struct) or isinstance(value, np.generic):
        key += (kind, value.dtype)
        leaves.append(value)
        return True
    if isinstance(value, (KindOp, TextOp)):
        key.append(value.key)
        return True
    if isinstance(value, FunctionOp):
        if not value.is_closed:
            return False
        key.append(value)
        return True
    if hasattr(value, "__code__"):
        op = closed_op(_session.unwrap(value))
        if op is None:
            return False
        key.append(op)
        return True
    flags = getattr(value, "flags", None)
    if hasattr(kind, "__cuda_array_interface__") and getattr(flags, "c_contiguous", False):
        key += (kind, _arguments.dtype_of(value))
        leaves.append(value)
        return True
    return False
