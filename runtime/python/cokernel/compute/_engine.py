# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""_engine.py - texts of algorithms: parameters, functions, compiling, launching.

This file alone knows how an algorithm's text becomes a launch. A Builder collects the parameters and
the functions of one call, and gives

    fn op0_f0_add(a_a: i32, a_b: i32) -> i32 { return (a_a + a_b); }
    algorithm ck_call(n0: u64, p0: in i32[], v0: i32) -> i32 { return reduce(p0.take(n0), ..., v0); }

A Program is that text, compiled for the device of its arrays at the first call, from the caches of
the runtime where they have it. Addresses, lengths and values are arguments of each launch. An array
that stands in two places of a call is one parameter: so that the runtime's check of overlap, which
refuses two spans of one memory of which one is written, doesn't refuse a call in place.
"""
import functools
import threading

import numpy as np

from .. import _core, _types
from .._prelude import text_of
from ..errors import CompileError
from . import _arguments

_EMIT_LTOIR = 6  # ck_emit_t
_STREAMS = {}
_HOST = None
_GPU = MISSING = object()


class BuildError(CompileError):
    """An algorithm that can't be compiled; `log` is the compiler's text, `source` the algorithm's."""

    source = ""


def host_device():
    global _HOST  # pylint: disable=global-statement
    if _HOST is None:
        _HOST = _core.Device("host")
    return _HOST


def default_device():
    """The GPU of this machine, or the one that $CK_DEVICE names; without one the host device."""
    global _GPU  # pylint: disable=global-statement
    if _GPU is MISSING:
        _GPU = _core.Device(None)
    return _GPU


def default_stream(device):
    """The stream of calls without one on a GPU; None of the host device."""
    if not device.slot:
        return None
    made = _STREAMS.get(device.slot)
    if made is None:
        made = _STREAMS[device.slot] = _core.Stream.from_handle(0, device)
    return made


# ---- texts ------------------------------------------------------------------------------------------


class Builder:
    """The text of one call and, in the same order, the arguments of the launch."""

    def check_permission(self, array):
        """Fails if an array is written that must not be: _checks.py puts its function here."""

    def __init__(self):
        self.parameters, self.functions, self.prelude, self.links = [], [], set(), []
        self.count, self.spans = 0, {}
        self.relations = []  # (iterator, iterator, relation): what the text depends on besides (_recipe.py)
        self.reaches = []  # (pointer, whether backwards, count): lengths that have been compared (_checks.py)
        self.most = {}  # of lengths, by name: what a count of the result can hold (_checks.py)
        self.title, self.names = "the algorithm", {}  # of the call, and of its operands, by id
        self.result, self.on_host, self.on_device = None, False, False

    def fresh(self, letter):
        self.count += 1
        return f"{letter}{self.count - 1}"

    def number(self, type_, value, letter="v", source=None):
        """A parameter that is a number or a tuple; its name.

        source  (object, attribute): of what the value is made at later calls (_recipe.py); None: unknown
        """
        name = self.fresh(letter)
        self.parameters.append([name, "", type_.ck, type_, value, 0, source])
        return name

    def span(self, type_, array, is_written, address=None, count=0, source=None):
        """A parameter that is a span over an array, or over a part of it.

        One that stands for the same memory already has a name.

        source  (array, PointerIterator, whether it is the part before the iterator's place; or a Size,
                which is one less than the count)
        """
        self.note(array)
        if address is None:
            address, count = address_of(array), _arguments.count_of(array)
            source = (array, None, False)
        key = (address, type_.ck)
        row = self.spans.get(key) if address else None
        if row is None:
            row = [self.fresh("p"), "in", f"{type_.ck}[]", None, address, count, []]
            self.parameters.append(row)
            self.spans[key] = row
        if is_written:
            self.check_permission(array)
            row[1] = "inout"
        row[5] = max(row[5], count)
        row[6].append(source)
        return row[0]

    def matrix(self, type_, array, is_written):
        """A span of more than one extent: its extents are parameters before it."""
        self.note(array)
        shape = _arguments.shape_of(array)
        extents = [self.number(_types.U64, extent, "e", (array, functools.partial(_extent, axis)))
                   for axis, extent in enumerate(shape)]
        count = _arguments.count_of(array)
        if is_written:
            self.check_permission(array)
        row = [self.fresh("p"), "inout" if is_written else "in", f"{type_.ck}[{', '.join(extents)}]", None,
               address_of(array), count, [(array, None, False)]]
        self.parameters.append(row)
        return row[0]

    def note(self, array):
        if _arguments.is_on_host(array):
            self.on_host = True
        elif array is not None:
            self.on_device = True

    def give(self, type_, array, address=None, pointer=None):
        """The value of the algorithm goes to the first element of an array."""
        self.note(array)
        self.check_permission(array)
        self.result = (type_, address_of(array) if address is None else address, (array, pointer, False))

    def function(self, text):
        self.functions.append(text)

    def text(self, body):
        """The whole text. `body` are the statements of the algorithm."""
        given = ", ".join(f"{p[0]}: {p[1] + ' ' if p[1] else ''}{p[2]}" for p in self.parameters)
        arrow = f" -> {self.result[0].ck}" if self.result else ""
        return f"{text_of(self.prelude)}{''.join(self.functions)}algorithm ck_call({given}){arrow} {{\n{body}}}\n"

    def arguments(self, slot):
        """The arguments of a launch on a device: spans by address, numbers by value."""
        rows = [_core.Raw(p[4] or 0, p[5], slot) if p[3] is None else plain(p[3], p[4]) for p in self.parameters]
        return rows, _core.Raw(self.result[1] or 0, 1, slot) if self.result else None


def plain(type_, value):
    """A number as it is, a tuple or complex number as its bytes."""
    if isinstance(type_, (_types.Scalar, _types.Weak)):
        return bool(value) if type_.kind == "b" else value
    if isinstance(type_, _types.Tuple) and len(type_.elements) == 1:
        return plain(type_.elements[0], value[0] if isinstance(value, (np.void, tuple)) else value)
    return np.asarray(value, dtype=type_.dtype).tobytes()


def _extent(axis, array):
    return _arguments.shape_of(array)[axis]


def address_of(array):
    """The address of an array; None of one that only stands for a dtype."""
    if array is None or getattr(array, "is_proxy", False):
        return None
    return _arguments.address_of(array)


class Program:
    """A text, compiled for each device at its first launch there."""

    def __init__(self, text, links=()):
        self.source, self.links = text, tuple(links)
        self.codes, self._lock = {}, threading.RLock()
        self.kernel = _core.Kernel(self.code_for, "ck_call")

    def code_for(self, device):
        """The compiled text. Threads that ask at the same time wait for one compilation."""
        with self._lock:
            made = self.codes.get(device.slot)
            if made is None:
                made = self.codes[device.slot] = self.compile(device)
            return made

    def compile(self, device, target=None):
        if self.links and (device is None or not device.slot):
            raise BuildError("an operator of LTO-IR runs on a GPU: for the host device, and for targets ahead of time, "
                             "give a Python function or CK text")
        try:
            if self.links:
                piece = _core.compile(self.source, device, file_name="ck_call.ck", target=target, emit=_EMIT_LTOIR)[0]
                return _core.link([piece, *self.links], device)
            return _core.compile(self.source, device, file_name="ck_call.ck", target=target)[0]
        except Exception as problem:
            made = BuildError(f"the algorithm can't be compiled: {problem}")
            made.log, made.source = str(getattr(problem, "log", problem)), self.source
            raise made from problem

    def launch(self, builder, stream, device):
        """Runs it with the arguments of a builder, in a stream of a GPU; on the host device, waits for it."""
        rows, result = builder.arguments(device.slot)
        options = {"result": result} if result is not None else {}
        if device.slot:
            options["stream"] = stream if stream is not None else default_stream(device)
        self.kernel(*rows, **options)


def device_of(builder):
    return host_device() if builder.on_host and not builder.on_device else default_device()
