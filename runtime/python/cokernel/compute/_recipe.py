# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""_recipe.py - what a call has to be like so that an earlier one's program is launched for it.

A function or method with @repeatable is run by runtime/python/recipe.c. Its first call runs the Python
below it, which writes the text and launches, and returns a Built; Built.recipe() then describes the
call by guards, and by rows that make arguments of its operands, all of which recipe.c documents:

    reduce_into(d_in=CountingIterator(5), num_items=9, d_out=out, op=OpKind.PLUS, h_init=init)

    slots    0 d_in   1 num_items   2 d_out   3 op   4 h_init   5 d_in._start
    guards   type 0 CountingIterator; attribute 0 _start -> 5; type 5 int64; integer 1; type 2 ndarray;
             numpy 2 int64; same 3 OpKind.PLUS; type 4 ndarray; numpy 4 int64
    rows     ck_call(n0: u64, v1: i64, v2: i64) -> i64      number 1, number 5, memory 4, span 2

The guards have to cover all that the text depends on. So there is no recipe of a call with an operand
that the walk over them doesn't know; nor of one with a number or an array that no row uses, because it
may have become a part of the text. What a function captures is guarded as _identity.py compares it: a
number by its type, or by its value if a translation needed that, an array by dtype and rank.
"""
import enum
import types as python_types

import numpy as np

from .. import _core, _session, _types
from .._atomic import is_atomic
from . import _arguments, _identity, op as ops
from ._engine import plain
from .struct import Struct

_ALL = []
_SIMPLE = (str, bool, type(None))
_SAME = (enum.Enum, np.ufunc, ops.KindOp, ops.RawOp, python_types.BuiltinFunctionType)
_MOST_SLOTS = 64
_MOST = {"num_segments": 2**31 - 1}  # greater ones are refused
_DL_CODES = {"i": 0, "u": 1, "f": 2, "b": 6, "c": 5}
_SCALAR_TYPES = (_types.Scalar, _types.Weak)


def repeatable(answer=None):
    """A decorator: calls like an earlier one are launched without the function, and give `answer`."""
    def make(function):
        made = _core.Recipes(function, Built, answer)
        _ALL.append(made)
        return made
    return make


def forget():
    """Drops all recipes."""
    for one in _ALL:
        one.forget()


class Size(int):
    """A length, by the name of its operand."""

    def __new__(cls, value, name):
        made = int.__new__(cls, value or 0)
        made.name = name
        return made


class Unknown(Exception):
    """An operand of which no guard can be made."""


class Built:
    """A call that was launched."""

    def __init__(self, cls, builder, program, device, stream):
        self.cls, self.builder, self.program = cls, builder, program
        self.device, self.stream = device, stream
        self.settings = []  # (object, attribute, value): set after each launch

    def finish(self):
        """What follows the description of the recipe."""
        for obj, name, value in self.settings:
            setattr(obj, name, value)

    def recipe(self, names, values):
        """The description of a recipe (recipe.c); None if there is none."""
        try:
            walk = _Walk(self, names, values)
            rows = walk.rows()
        except (Unknown, AttributeError):  # the latter of an array that lacks what others have
            return None
        if walk.count > _MOST_SLOTS:
            return None
        return (len(values) - len(names), names, walk.count, walk.guards, rows, walk.stream, self.program.kernel,
                self.builder.result is not None, self.device.slot, self.stream)


class _Walk:
    """Goes over the operands of a call, and makes the guards."""

    def __init__(self, built, names, values):
        self.built, self.guards, self.count = built, [], len(values)
        self.slots, self.unused = {}, {}  # id of an object, or (id, attribute): its slot
        self.sizes, self.numbers, self.stream = {}, {}, -1
        self.places = {}  # slot of an array: the guard that reads it
        positions = len(values) - len(names)
        for slot, value in enumerate(values):
            name = names[slot - positions] if slot >= positions else "self"
            if name == "stream":
                self.guard("type", slot, value.__class__)
                self.stream = slot
            elif name == "self":
                self.guard("type", slot, value.__class__)
                self.guard("same", self.attribute(slot, "settings"), value.settings)
            elif name == "temp_storage":
                self.guard("given", slot, value)
            elif name in built.cls.sizes:
                self.guard("integer", slot, value, 0, built.builder.most.get(name, _MOST.get(name, 0)))
                self.sizes[name] = slot
            else:
                self.add(value, slot)

    def guard(self, kind, slot, obj, to=0, number=0):
        self.guards.append((kind, slot, to, obj, number))

    def attribute(self, slot, name):
        """A new slot for an attribute."""
        self.count += 1
        self.guard("attribute", slot, name, self.count - 1)
        return self.count - 1

    def keep(self, value, slot):
        """Notes an operand whose value has to become an argument."""
        self.slots[id(value)] = slot
        self.unused[slot] = value

    def add(self, value, slot):
        """Makes the guards of an operand."""
        kind = value.__class__
        if kind in _SIMPLE:
            self.guard("equal", slot, value)
        elif kind in (int, float):
            self.plain_number(value, slot)
        elif isinstance(value, _SAME):
            self.guard("same", slot, value)
        elif id(value) in self.slots:
            self.guard("again", slot, None, self.slots[id(value)])
        elif isinstance(value, _types.Type):
            self.guard("equal", slot, value)
        elif isinstance(value, python_types.FunctionType):
            self.function(value, slot)
        else:
            self.guard("type", slot, kind)
            self.object(value, slot, kind)

    def plain_number(self, value, slot):
        """A number of Python, which is a part of the text, or else an argument: number() decides."""
        if id(value) in self.numbers:  # which of them an argument is made of isn't known: they stay one object
            self.guard("again", slot, None, self.numbers[id(value)][0])
        else:
            self.numbers[id(value)] = (slot, len(self.guards))
        self.guard("equal", slot, value)

    def function(self, value, slot):
        facts = ops.closed_facts(value)
        if facts is not None:
            self.guard("function", slot, (value.__code__, value.__globals__, *facts))
            return
        constants = _identity.constants_of(_identity.of_function(value))
        self.open_function(value, slot, value, (), constants)

    def open_function(self, function, slot, root, path, constants):
        """The guards of a function that captures. `path` leads to it from the operand, `root`."""
        code = function.__code__
        self.slots[id(function)] = slot
        self.guard("type", slot, python_types.FunctionType)
        self.guard("same", self.attribute(slot, "__code__"), code)
        defaults = self.attribute(slot, "__defaults__")
        if code.co_kwonlyargcount or any(d.__class__ not in (*_SIMPLE, int, float)
                                         for d in function.__defaults__ or ()):
            raise Unknown
        self.guard("equal", defaults, function.__defaults__)
        cells = self.items(self.attribute(slot, "__closure__"), function.__closure__) if code.co_freevars else ()
        for name in sorted(_identity.names_of(code)):
            value = _session.lookup(function, name)
            if name in code.co_freevars:
                if value is _session.MISSING:
                    raise Unknown
                place = self.attribute(cells[code.co_freevars.index(name)], "cell_contents")
            elif name in function.__globals__:
                self.count += 1
                place = self.count - 1
                self.guard("global", slot, name, place)
            else:
                self.guard("absent", slot, name)
                continue
            self.captured(value, place, root, path + (name,), constants)

    def captured(self, value, slot, root, path, constants):
        """The guards of what a function names from outside."""
        kind = value.__class__
        self.slots[id(root), path] = slot
        if kind in (int, float) or isinstance(value, np.generic) and value.dtype.kind in "iuf":
            self.guard(*(("equal", slot, value) if path in constants else ("type", slot, kind)))
        elif kind in (bool, complex, str, np.bool_) or isinstance(value, np.complexfloating):
            self.guard("equal", slot, value)
        elif isinstance(value, (*_SAME, python_types.ModuleType, type)) or is_atomic(value):
            self.guard("same", slot, value)
        elif id(value) in self.slots:
            self.guard("again", slot, None, self.slots[id(value)])
        elif kind is python_types.FunctionType:
            self.open_function(value, slot, root, path, constants)
        elif isinstance(_session.unwrap(value), python_types.FunctionType):
            self.guard("type", slot, kind)
            self.open_function(value.py_func, self.attribute(slot, "py_func"), root, path, constants)
        elif kind in (tuple, list):
            self.guard("type", slot, kind)
            for i, (item, place) in enumerate(zip(value, self.items(slot, value))):
                self.captured(item, place, root, path + (i,), constants | {path + (i,)})
        elif _session.is_array(value):
            self.guard("type", slot, kind)
            rank = _session.array_facts(value)[1]
            self.guard("equal", self.attribute(slot, "ndim"), rank)
            self.array(value, slot, kind)
            if rank > 1 and hasattr(value, "flags"):
                self.guard("same", self.attribute(self.attribute(slot, "flags"), "c_contiguous"), True)
            self.unused.pop(slot)  # the text decides whether it is used
        else:
            raise Unknown

    def items(self, slot, values):
        """New slots for the items of a tuple or list."""
        begin = self.count
        self.count += len(values)
        self.guard("items", slot, None, begin, len(values))
        return range(begin, self.count)

    def object(self, value, slot, kind):
        """The guards behind the one for the type."""
        parts = getattr(kind, "parts", None)
        if parts is not None:
            self.slots[id(value)] = slot
            for name in parts:
                self.add(getattr(value, name), self.attribute(slot, name))
            for name in getattr(kind, "numbers", ()):
                place = self.slots[id(value), name] = self.attribute(slot, name)
                self.guard("integer", place, None)
                self.unused[place] = value
        elif isinstance(value, np.generic):
            if isinstance(value, np.void):
                self.guard("equal", self.attribute(slot, "dtype"), value.dtype)
            self.keep(value, slot)
        elif isinstance(value, (tuple, list)):
            for item, place in zip(value, self.items(slot, value)):
                self.add(item, place)
        elif isinstance(value, Struct):
            data = self.attribute(slot, "_data")
            self.guard("type", data, np.ndarray)
            self.guard("numpy", data, value._data.dtype)
            self.keep(value, data)
        elif hasattr(value, "py_func"):
            self.add(_session.unwrap(value), self.attribute(slot, "py_func"))
        else:
            self.array(value, slot, kind)

    def array(self, value, slot, kind):
        if isinstance(value, np.ndarray):
            self.guard("numpy", slot, value.dtype)
        elif kind is _core.Array or hasattr(kind, "__dlpack_c_exchange_api__"):
            self.guard("tensor", slot, None, 0, _element(_arguments.dtype_of(value)))
        elif not isinstance(getattr(value, "dtype", None), np.dtype):
            raise Unknown
        elif hasattr(getattr(value, "data", None), "ptr") and isinstance(getattr(value, "size", None), int):
            self.guard("cupy", slot, value.dtype, 0, int(hasattr(kind, "_c_contiguous")))
        elif hasattr(kind, "__cuda_array_interface__"):
            self.guard("interface", slot, value.dtype)
        else:
            raise Unknown
        self.places[slot] = len(self.guards) - 1
        self.keep(value, slot)

    # ---- rows ----

    def rows(self):
        """The rows of all parameters. Fails with Unknown if one isn't made of operands alone."""
        builder, rows = self.built.builder, []
        for relation in builder.relations:
            self.relation(*relation)
        for length in builder.reaches:
            self.length(*length)
        for argument, (_, _, _, type_, value, _, sources) in enumerate(builder.parameters):
            if type_ is not None:
                rows.append(self.number(argument, type_, value, sources))
            elif not sources:
                raise Unknown
            else:
                rows += [self.span(argument, source) for source in sources]
                if self.built.builder.parameters[argument][1] == "inout":
                    self.permit(rows[-len(sources):])
        if builder.result is not None:
            rows.append(self.span(len(builder.parameters), builder.result[2]))
            self.permit(rows[-1:])
        for obj, name, value in self.built.settings:
            rows.append(("set", 0, self.slots[id(obj)], -1, 0, (name, value)))
        if self.unused:
            raise Unknown
        return rows

    def relation(self, a, b, relation):
        """A guard for how two operands lie, on which the text depends."""
        if callable(relation):
            first = self.use(id(a))
            second = self.sizes[b.name] if isinstance(b, Size) else self.use(id(b))
            self.guard("holds", first, relation, second)
            self.settle(b)
            return
        places = [self.slots.get((id(it), "_offset"), -1) for it in (a, b)]
        if any(place < 0 and it._offset for place, it in zip(places, (a, b))):
            raise Unknown
        first, second = self.use(id(a._array)), self.use(id(b._array))
        for place in places:
            self.unused.pop(place, None)
        self.guard("next", first, (*places, relation), second, _arguments.dtype_of(a._array).itemsize)

    def length(self, pointer, is_backwards, size):
        """A guard for an array that has been found long enough. `size` is an operand, or a number."""
        slot, more = self.slots.get(id(pointer._array)), self.slots.get((id(pointer), "_offset"), -1)
        if slot is None or more < 0 and pointer._offset:
            raise Unknown
        place = self.sizes[size.name] if isinstance(size, Size) else 0
        self.guard("reaches", slot, (more, -1 if isinstance(size, Size) else size, is_backwards), place)

    def permit(self, rows):
        """Arrays that are written have to be writable at later calls too."""
        for row in rows:
            place = self.places[row[2]]
            kind, slot, to, obj, _ = self.guards[place]
            if kind == "numpy":
                self.guards[place] = (kind, slot, to, obj, 1)

    def settle(self, value):
        """The numbers of an iterator follow from another one's."""
        for name in getattr(value, "numbers", ()):
            self.unused.pop(self.slots[id(value), name], None)
        for name in getattr(value, "parts", None) or ():
            part = getattr(value, name)
            self.unused.pop(self.slots.get(id(part)), None)
            for one in part if isinstance(part, (list, tuple)) else [part]:
                self.settle(one)

    def use(self, key):
        slot = self.slots.get(key, self.numbers.get(key, (None,))[0])
        if slot is None:
            raise Unknown
        self.unused.pop(slot, None)
        return slot

    def number(self, argument, type_, value, source):
        """A number: the operand itself, the attribute of an iterator, the first element of an array."""
        if source is None:
            raise Unknown
        obj, attribute = source
        if isinstance(attribute, _session.Capture):
            slot = self.use((id(obj), attribute.path))
            if not isinstance(type_, _SCALAR_TYPES):  # a complex number, whose guard compares it
                return "constant", argument, 0, -1, 0, plain(type_, value)
            if attribute.must_fit:
                return "call", argument, slot, -1, 0, lambda given: attribute.check(given) or given
            return "number", argument, slot, -1, 0, None
        if isinstance(obj, Size):
            return "number", argument, self.sizes[obj.name], -1, 0, None
        if attribute is ops.CONSTANT:
            return "constant", argument, 0, -1, 0, plain(type_, value)
        if attribute.__class__ is str and (id(obj), attribute) in self.slots:
            return "number", argument, self.use((id(obj), attribute)), -1, 0, None
        if attribute.__class__ is str:
            obj = getattr(obj, attribute)
        obj = getattr(obj, "operand", obj)
        if obj.__class__ in (int, float):
            place = self.numbers.get(id(obj))
            if place is None:
                raise Unknown
            self.guards[place[1]] = ("type", place[0], 0, obj.__class__, 0)
            slot = place[0]
            if attribute is None:
                return "number", argument, slot, -1, 0, None
        else:
            slot = self.use(id(obj))
        if callable(attribute):
            return "call", argument, slot, -1, 0, attribute
        if isinstance(obj, np.generic) and isinstance(type_, _SCALAR_TYPES):
            return "number", argument, slot, -1, 0, None
        if isinstance(obj, np.generic):
            return "call", argument, slot, -1, 0, lambda given: np.asarray(given, dtype=type_.dtype).tobytes()
        if isinstance(obj, (np.ndarray, Struct)) and _arguments.dtype_of(obj) == type_.dtype:
            return "memory", argument, slot, -1, type_.dtype.itemsize, None
        if isinstance(obj, np.ndarray) and isinstance(type_, _SCALAR_TYPES):
            return "call", argument, slot, -1, 0, _first
        raise Unknown

    def span(self, argument, source):
        """An array, or a part of it, that an iterator with an offset says."""
        array, pointer, extent = source
        is_backwards = extent is True
        slot, more = self.use(id(array)), self.slots.get((id(pointer), "_offset"), -1)
        if more >= 0:
            self.unused.pop(more, None)
        elif is_backwards or pointer is not None and pointer._offset:
            raise Unknown
        size = _arguments.dtype_of(array).itemsize
        if isinstance(extent, Size):
            return "limits", argument, slot, more, size, self.sizes[extent.name]
        return "before" if is_backwards else "span", argument, slot, more, size, None


def _first(array):
    return array.reshape(-1)[0]


def _element(dtype):
    """The element of a DLTensor: code, bits and lanes in one number."""
    if dtype.kind not in _DL_CODES:
        raise Unknown
    return _DL_CODES[dtype.kind] << 24 | 8 * dtype.itemsize << 16 | 1
