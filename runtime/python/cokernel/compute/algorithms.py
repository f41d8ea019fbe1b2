# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""algorithms.py - the algorithms of cuda.compute: one-shot calls and make_* objects.

Each class below writes one step of CK's library (docs/algorithms.md) for the operands that it is
given; _engine.py compiles and launches the text. make_x(...) gives an object, the same for operands
of the same kind, and x(...) makes one and calls it:

    reducer = make_reduce_into(d_in=a, d_out=b, op=OpKind.PLUS, h_init=zero)
    reducer(temp_storage=None, d_in=a, d_out=b, num_items=n, op=OpKind.PLUS, h_init=zero)   # bytes
    reducer(temp_storage=t, d_in=a, ...)                                                    # runs

Scratch memory is the runtime's: the bytes that an object asks for are a formality.
"""
import enum
import threading

import numpy as np

from .. import _types as T
from ..errors import ArgumentError, ArgumentTypeError, UnsupportedError
from . import _arguments
from . import _checks
from . import _recipe
from ._engine import BuildError, Builder, Program, address_of, default_stream, device_of
from ._proxy import is_proxy
from .determinism import Determinism
from .iterators import DiscardIterator, IteratorBase, PointerIterator, plain_value, to_iterator
from ._recipe import repeatable
from .op import OpKind, make_op

SCRATCH_BYTES = 1
_PROGRAMS = {}
_OBJECTS = {}
_SETTINGS = {}
_LOCK = threading.RLock()


class SortOrder(enum.Enum):
    ASCENDING = 0
    DESCENDING = 1


class DoubleBuffer:
    """Two arrays of which a sort reads one and writes the other, which is then the current one."""

    parts = ("selector", "d_buffers")

    def __init__(self, d_current, d_alternate):
        self.d_buffers, self.selector = [d_current, d_alternate], 0

    def current(self):
        return self.d_buffers[self.selector]

    def alternate(self):
        return self.d_buffers[1 - self.selector]


class BuildResult:
    """What an object was built for; serialize() keeps it."""

    def __init__(self, program, determinism=Determinism.RUN_TO_RUN):
        self.program, self.determinism = program, int(determinism)


def program_of_text(text, links=()):
    """The program of a text; texts are compiled once."""
    key = (text, tuple(links))
    made = _PROGRAMS.get(key)
    if made is None:
        with _LOCK:
            made = _PROGRAMS.setdefault(key, Program(text, links))
    return made


def program_of(builder, body):
    return program_of_text(builder.text(body), builder.links)


def clear_all_caches():
    """Forgets all objects and programs of this process. The runtime's cache on disk stays."""
    with _LOCK:
        _PROGRAMS.clear()
        _OBJECTS.clear()
        _recipe.forget()


class Algorithm:
    """An algorithm for operands of one kind."""

    operands = ()
    defaults = {}

    def __init__(self, given, targets, determinism=Determinism.RUN_TO_RUN):
        self._given, self.targets, self.determinism = given, targets, determinism
        # What calls of the object depend on besides their operands: equal ones are one object (_recipe.py).
        key = (*map(given.get, self.fixed), given.get("op") is None, determinism)
        self.settings = _SETTINGS.setdefault(key, key)

    @classmethod
    def make(cls, given, compute_capability=None, determinism=Determinism.RUN_TO_RUN):
        """The object for operands of this kind."""
        builder = Builder()
        sizes = {name: given.get(name) or 0 for name in cls.sizes}
        given = _checks.look(cls, builder, given)
        body = cls.write(builder, **{**given, **sizes})
        program = program_of(builder, body)
        targets = _targets_of(compute_capability)
        key = (cls, program.source, tuple(builder.links), targets, determinism, cls.kind_of(given))
        made = _OBJECTS.get(key)
        if made is None:
            with _LOCK:
                made = _OBJECTS.setdefault(key, cls({k: _without_data(v) for k, v in given.items()}, targets,
                                                    determinism))
                made.program, made.on_host = program, builder.on_host and not builder.on_device
        return made

    def serialize(self):
        """The object as bytes, with the code of its targets; compute.deserialize makes an object of them."""
        from ._serialize import serialize  # pylint: disable=cyclic-import
        return serialize(self)

    @classmethod
    def kind_of(cls, given):
        del given
        return ()

    sizes = ("num_items",)
    fixed = ("order", "is_sorted", "right", "channels")  # what an object has of its maker, not of its calls
    lengths = {}  # how many elements an operand needs: a number, or the operand that says it
    counts = {}  # operands that get how many elements there are, or where one is: the greatest, of lengths
    choices = {"order": SortOrder, "determinism": Determinism}

    @classmethod
    def once(cls, stream, options, given):
        """A call without an object: a Built.

        The options are those of make(), which change nothing of one call.
        """
        known = {"determinism", "compute_capability"}
        unknown = set(options) - known
        if unknown:
            raise ArgumentTypeError(f"{_checks.title_of(cls, given)}: there is no argument {', '.join(sorted(unknown))!r}: "
                                    f"there are {', '.join(given)}, stream, {', '.join(sorted(known))}")
        _arguments.stream_handle(stream)  # refuses what is none
        builder, title = Builder(), _checks.title_of(cls, given)
        given = {**given, **{n: _recipe.Size(_checks.length(title, n, given.get(n)), n) for n in cls.sizes}}
        given = _checks.look(cls, builder, given)
        _checks.compare_lengths(cls, builder, given)
        try:
            body = cls.write(builder, **given)
            program, device = program_of(builder, body), device_of(builder)
            program.launch(builder, stream, device)
        except (ArgumentError, BuildError) as problem:
            _checks.name_operands(builder, problem)
            raise
        return _recipe.Built(cls, builder, program, device, default_stream(device))

    def call(self, temp_storage, stream, given):
        """A call of an object: the bytes that it asks for, or a Built."""
        if temp_storage is not None:
            return self.once(stream, {}, given)
        _arguments.stream_handle(stream)
        return SCRATCH_BYTES

    @property
    def build_results(self):
        return {target: BuildResult(self.program, self.determinism) for target in self.targets or ("here",)}


def _targets_of(compute_capability):
    if compute_capability is None:
        return ()
    if isinstance(compute_capability, (int, str)) or isinstance(compute_capability, tuple) and \
            len(compute_capability) == 2 and all(isinstance(c, int) for c in compute_capability):
        compute_capability = [compute_capability]
    keys = set()
    for one in compute_capability:
        try:
            keys.add(int(one[0]) * 10 + int(one[1]) if isinstance(one, (tuple, list)) else int(str(one).replace(".", "")))
        except ValueError:
            raise ArgumentError(f"compute_capability {one!r} is none: write 90, \"9.0\" or (9, 0)") from None
    if not keys:
        raise ArgumentError("compute_capability list is empty")
    return tuple(sorted(keys))


def _without_data(value):
    """What an object keeps of its first operands: no array, so that their memory can go."""
    return None if _arguments.is_array(value) or isinstance(value, IteratorBase) else value


# ---- operands ---------------------------------------------------------------------------------------


def _input(builder, it, count, type_=None):
    """An input of so many elements, in a type."""
    it = to_iterator(it)
    text = it.emit(builder)
    if count is not None:
        text = f"{text}.take({count})"
    old = T.strong(it._type)
    if type_ is None or type_.ck == old.ck:
        return text, type_ or old
    return f"{text}.map(|v| {_conversion(builder, old, type_)}(v))", type_


def _output(builder, it, type_):
    """An output that takes values of a type."""
    it = to_iterator(it)
    text = it.emit(builder, is_written=True)
    if isinstance(it, DiscardIterator):
        return f"discard<{type_.ck}>()"
    new = T.strong(it._type)
    return text if new.ck == type_.ck else f"{text}.map_store(|v| {_conversion(builder, type_, new)}(v))"


def _conversion(builder, old, new):
    from .._operators import Refused, Value, convert  # pylint: disable=import-outside-toplevel
    name = builder.fresh("f")
    try:
        value = convert(Value("v", old), new).text
    except Refused as problem:
        raise ArgumentTypeError(str(problem)) from None
    builder.function(f"fn {name}(v: {old.ck}) -> {new.ck} = {value};\n")
    return name


def _size(builder, count):
    return builder.number(T.U64, int(count or 0), "n", (count, None) if type(count) is not int else None)


def _check_value(value):
    if is_proxy(value):
        return None
    return plain_value(value)


def _value(builder, value, type_):
    """A number or a struct as a parameter."""
    present = _check_value(value)
    if value is None:
        raise ArgumentTypeError(f"a value of {type_} is needed, got None")
    return builder.number(type_, 0 if present is None else present, source=(value, None))


def _result(builder, array, text, type_):
    """The statements that put a value of a type where an array begins, or an iterator."""
    if isinstance(array, IteratorBase) and not isinstance(array, PointerIterator):
        place = _output(builder, array, type_)
        return f"    let r = {text};\n    transform(constant(r).take(1), {place}, |v| v);\n"
    pointer = to_iterator(array)
    new = T.strong(pointer._type)
    address = None
    if pointer._offset and not is_proxy(array):
        address = _arguments.address_of(pointer._array) + pointer._offset * _arguments.dtype_of(pointer._array).itemsize
    builder.give(new, pointer._array, address, pointer)
    if new.ck == type_.ck:
        return f"    return {text};\n"
    return f"    let r = {text};\n    return {_conversion(builder, type_, new)}(r);\n"


def _condition(builder, op, type_):
    return make_op(op).bind(builder, (type_,), T.BOOL)[0]


# ---- reductions -------------------------------------------------------------------------------------


class Reduce(Algorithm):
    """reduce_into"""

    lengths = {"d_in": "num_items", "d_out": 1}
    @staticmethod
    def write(builder, d_in, d_out, num_items, op, h_init, determinism=Determinism.RUN_TO_RUN):
        count = _size(builder, num_items)
        type_ = T.from_dtype(_arguments.dtype_of(h_init))
        it, _ = _input(builder, d_in, count, type_)
        function, _ = make_op(op).bind(builder, (type_, type_), type_)
        init = _value(builder, h_init, type_)
        order = ", determinism = gpu_to_gpu" if determinism == Determinism.GPU_TO_GPU else ""
        return _result(builder, d_out, f"reduce({it}, {function}, {init}{order})", type_)

    @repeatable(SCRATCH_BYTES)
    def __call__(self, *, temp_storage, d_in, d_out, num_items, op, h_init, stream=None):
        return self.call(temp_storage, stream, {
            "d_in": d_in, "d_out": d_out, "num_items": num_items, "op": op, "h_init": h_init,
            "determinism": self.determinism})


def _check_struct(name, h_init, **arrays):
    try:
        wanted = _arguments.dtype_of(h_init)
    except (AttributeError, TypeError):
        raise ArgumentTypeError(f"{name}: could not determine the accumulator's dtype from h_init; "
                        "a NumPy array or a gpu_struct is needed") from None
    if not hasattr(h_init, "_field_spec"):
        return
    for word, array in arrays.items():
        if not isinstance(array, IteratorBase) and _arguments.dtype_of(array) != wanted:
            raise ArgumentTypeError(f"{name} dtype mismatch: {word} dtype {_arguments.dtype_of(array)} != accumulator dtype "
                            f"{wanted}. Ensure {word} elements and h_init have identical dtype.")


def make_reduce_into(*, d_in, d_out, op, h_init, determinism=Determinism.RUN_TO_RUN, compute_capability=None):
    """An object that reduces: d_out[0] = op of h_init and all elements."""
    _check_struct("reduce_into", h_init, input=d_in, output=d_out)
    return Reduce.make({"d_in": d_in, "d_out": d_out, "op": op, "h_init": h_init, "determinism": determinism},
                       compute_capability, determinism)


@repeatable()
def reduce_into(*, d_in, d_out, num_items, op, h_init, stream=None, **options):
    """d_out[0] = op of h_init and num_items elements of d_in.

    op      op(a, b), associative; a and b are of h_init's type
    h_init  a NumPy array of one element, or a gpu_struct
    determinism  Determinism.GPU_TO_GPU: the same bits on every GPU and on the host, for operators of the library
    """
    _check_struct("reduce_into", h_init, input=d_in, output=d_out)
    return Reduce.once(stream, options, {
        "d_in": d_in, "d_out": d_out, "num_items": num_items, "op": op, "h_init": h_init,
        "determinism": options.get("determinism", Determinism.RUN_TO_RUN)})


def _offsets(builder, starts, ends, count):
    """An iterator over the limits of segments, one more than there are segments; None if each
    segment's end isn't known to be the next one's start."""
    for name, it in (("start_offsets_in", starts), ("end_offsets_in", ends)):
        if to_iterator(it)._type.kind not in "iu":
            raise ArgumentTypeError(f"argument '{name}': offsets are integers, not {to_iterator(it)._type}")
    a, b = to_iterator(starts), to_iterator(ends)
    if isinstance(a, PointerIterator) and isinstance(b, PointerIterator):
        size = _arguments.dtype_of(a._array).itemsize
        first, second = address_of(a._array), address_of(b._array)
        follows = first is not None and second is not None and a._type == b._type and \
            second + b._offset * size == first + (a._offset + 1) * size
        if first is not None and a._type == b._type:
            builder.relations.append((a, b, follows))
        if follows:
            return builder.span(a._type, a._array, False, first + a._offset * size, int(count) + 1,
                                (a._array, a, count))
        return None
    if type(a) is not type(b):
        return None
    follows = _is_next(a, b)
    builder.relations.append((a, b, _is_next if follows else _is_apart))
    return f"{a.emit(builder)}.take({_size(builder, count)} + 1)" if follows else None


def _is_apart(a, b):
    return not _is_next(a, b)


def _is_next(a, b):
    """Whether b is a, one element later."""
    if type(a) is not type(b):
        return False
    for name in (*(a.parts or ()), *a.numbers):
        x, y = getattr(a, name), getattr(b, name)
        if name in ("_underlying", "_indices"):
            if not _is_next(x, y):
                return False
        elif name == "_start":
            if x.dtype != y.dtype or y != x + x.dtype.type(1):
                return False
        elif name == "_offset":
            if y != x + 1:
                return False
        elif x is not y and not (isinstance(x, T.Type) and x == y):
            return False
    return True


class SegmentedReduce(Algorithm):
    """segmented_reduce"""

    lengths = {"d_out": "num_segments", "start_offsets_in": "num_segments", "end_offsets_in": "num_segments"}
    sizes = ("num_segments",)

    @staticmethod
    def write(builder, d_in, d_out, num_segments, start_offsets_in, end_offsets_in, op, h_init,
              max_segment_size=None):
        type_ = T.from_dtype(_arguments.dtype_of(h_init))
        it, _ = _input(builder, d_in, None if _is_finite(to_iterator(d_in)) else "9223372036854775807u64", type_)
        function, _ = make_op(op).bind(builder, (type_, type_), type_)
        init = _value(builder, h_init, type_)
        offsets = _offsets(builder, start_offsets_in, end_offsets_in, num_segments)
        out = _output(builder, d_out, type_)
        if offsets is not None:
            return f"    segmented_reduce({it}, {offsets}, {out}, {function}, {init});\n"
        count = _size(builder, num_segments)
        starts, _ = _input(builder, start_offsets_in, count)
        ends, _ = _input(builder, end_offsets_in, count)
        wide = max_segment_size is None or max_segment_size > 32
        kernel = builder.fresh("k")
        text = _WIDE_SEGMENTS if wide else _NARROW_SEGMENTS
        builder.function(text.replace("NAME", kernel).replace("TYPE", type_.ck))
        blocks = count if wide else f"ceil_div({count}, 256)"
        return (f"    launch {kernel}(block = 256, grid = {blocks}, {starts}, {ends}, {it}, {out}, {function}, {init},"
                f" {count});\n")

    @repeatable(SCRATCH_BYTES)
    def __call__(self, *, temp_storage, d_in, d_out, num_segments, start_offsets_in, end_offsets_in, op, h_init,
                 max_segment_size=None, stream=None):
        _check_segments(num_segments)
        return self.call(temp_storage, stream, {
            "d_in": d_in, "d_out": d_out, "num_segments": num_segments, "start_offsets_in": start_offsets_in,
            "end_offsets_in": end_offsets_in, "op": op, "h_init": h_init, "max_segment_size": max_segment_size})


# Segments that may stand anywhere: a block takes one, each of its threads adjacent elements of it, so
# that the operator need not commute.
_WIDE_SEGMENTS = """fn NAME<S: type, E: type, I: type, O: type, F: fn>(
    starts: S, ends: E, it: I, to: O, f: F, init: TYPE, n: u64) {
    let s = block.rank;
    let lo = u64(starts[s]);
    let hi = max(lo, u64(ends[s]));
    let chunk = max(1u64, ceil_div(hi - lo, u64(block.size)));
    let first = min(lo + u64(thread.rank) * chunk, hi);
    let last = min(first + chunk, hi);
    var v: TYPE;
    if (first < last) {
        v = it[first];
        for (i in first + 1..last) v = f(v, it[i]);
    }
    let r = block.reduce(v, f, valid = u32(max(1u64, ceil_div(hi - lo, chunk))));
    if (thread.rank == 0 && s < n) to[s] = lo == hi ? init : f(init, r);
}
"""
_NARROW_SEGMENTS = """fn NAME<S: type, E: type, I: type, O: type, F: fn>(
    starts: S, ends: E, it: I, to: O, f: F, init: TYPE, n: u64) {
    let s = grid.thread_rank;
    if (s >= n) return;
    var v = init;
    for (i in u64(starts[s])..u64(ends[s])) v = f(v, it[i]);
    to[s] = v;
}
"""


def _is_finite(it):
    """Whether an iterator ends: one over an array does."""
    if isinstance(it, PointerIterator) or type(it).__name__ in ("CacheModifiedInputIterator",):
        return True
    if type(it).__name__ == "PermutationIterator":
        return _is_finite(it._indices)
    return any(_is_finite(c) for c in it.children)


def _check_segments(count):
    if count is not None and count > 2**31 - 1:
        raise UnsupportedError("Segmented sort does not currently support more than 2^31-1 segments. "
                           "Call it for parts of the segments.")


def make_segmented_reduce(*, d_in, d_out, start_offsets_in, end_offsets_in, op, h_init, max_segment_size=None,
                          compute_capability=None):
    """An object that reduces each segment."""
    _check_struct("segmented_reduce", h_init, output=d_out)
    return SegmentedReduce.make({"d_in": d_in, "d_out": d_out, "start_offsets_in": start_offsets_in,
                                 "end_offsets_in": end_offsets_in, "op": op, "h_init": h_init,
                                 "max_segment_size": max_segment_size}, compute_capability)


@repeatable()
def segmented_reduce(*, d_in, d_out, num_segments, start_offsets_in, end_offsets_in, op, h_init,
                     max_segment_size=None, stream=None, **options):
    """d_out[s] = op of h_init and the elements start_offsets_in[s] to end_offsets_in[s] - 1."""
    _check_segments(num_segments)
    _check_struct("segmented_reduce", h_init, output=d_out)
    return SegmentedReduce.once(stream, options, {
        "d_in": d_in, "d_out": d_out, "num_segments": num_segments, "start_offsets_in": start_offsets_in,
        "end_offsets_in": end_offsets_in, "op": op, "h_init": h_init, "max_segment_size": max_segment_size})


# ---- scans ------------------------------------------------------------------------------------------


class Scan(Algorithm):
    """inclusive_scan and exclusive_scan"""

    lengths = {"d_in": "num_items", "d_out": "num_items"}
    step = "inclusive_scan"

    @classmethod
    def write(cls, builder, d_in, d_out, op, init_value, num_items):
        count = _size(builder, num_items)
        init = None
        if init_value is None:
            type_ = T.strong(to_iterator(d_in)._type)
        else:
            type_ = T.from_dtype(_arguments.dtype_of(init_value))
        it, _ = _input(builder, d_in, count, type_)
        function, _ = make_op(op).bind(builder, (type_, type_), type_)
        if init_value is not None:
            init = f"{to_iterator(init_value).emit(builder)}[0]" if _is_on_device(init_value) \
                else _value(builder, init_value, type_)
        out = _output(builder, d_out, type_)
        more = f", {init}" if init else ""
        return f"    {cls.step}({it}, {out}, {function}{more});\n"

    @repeatable(SCRATCH_BYTES)
    def __call__(self, *, temp_storage, d_in, d_out, op, init_value, num_items, stream=None):
        return self.call(temp_storage, stream, {"d_in": d_in, "d_out": d_out, "op": op, "init_value": init_value,
                                                "num_items": num_items})


class ExclusiveScan(Scan):
    """exclusive_scan"""

    step = "exclusive_scan"


def _is_on_device(value):
    return isinstance(value, IteratorBase) or _arguments.is_array(value) and not isinstance(value, np.ndarray)


def _check_init(init_value):
    if init_value is None:
        raise ArgumentError("an exclusive scan needs an initial value")


def make_inclusive_scan(*, d_in, d_out, op, init_value, compute_capability=None):
    """An object for inclusive scans."""
    return Scan.make({"d_in": d_in, "d_out": d_out, "op": op, "init_value": init_value}, compute_capability)


def make_exclusive_scan(*, d_in, d_out, op, init_value, compute_capability=None):
    """An object for exclusive scans."""
    _check_init(init_value)
    return ExclusiveScan.make({"d_in": d_in, "d_out": d_out, "op": op, "init_value": init_value}, compute_capability)


@repeatable()
def inclusive_scan(*, d_in, d_out, op, init_value=None, num_items, stream=None, **options):
    """d_out[i] = op of init_value and d_in[0] to d_in[i].

    init_value  a NumPy array of one element or a gpu_struct, an array on the device, or None
    """
    return Scan.once(stream, options, {
        "d_in": d_in, "d_out": d_out, "op": op, "init_value": init_value, "num_items": num_items})


@repeatable()
def exclusive_scan(*, d_in, d_out, op, init_value, num_items, stream=None, **options):
    """d_out[i] = op of init_value and d_in[0] to d_in[i - 1]."""
    _check_init(init_value)
    return ExclusiveScan.once(stream, options, {
        "d_in": d_in, "d_out": d_out, "op": op, "init_value": init_value, "num_items": num_items})


# ---- transforms -------------------------------------------------------------------------------------


class UnaryTransform(Algorithm):
    """unary_transform"""

    lengths = {"d_in": "num_items", "d_out": "num_items"}
    @staticmethod
    def write(builder, d_in, d_out, op, num_items):
        count = _size(builder, num_items)
        it, type_ = _input(builder, d_in, count)
        target = to_iterator(d_out)
        wanted = None if isinstance(target, DiscardIterator) and target._is_any else T.strong(target._type)
        function, made = make_op(op).bind(builder, (type_,), wanted)
        out = _output(builder, d_out, wanted or made)
        if len(function) <= 3:
            function = f"|v| {function}(v)"
        return f"    transform({it}, {out}, {function});\n"

    @repeatable()
    def __call__(self, *, d_in, d_out, op, num_items, stream=None):
        return self.once(stream, {}, {"d_in": d_in, "d_out": d_out, "op": op, "num_items": num_items})


class BinaryTransform(Algorithm):
    """binary_transform"""

    lengths = {"d_in1": "num_items", "d_in2": "num_items", "d_out": "num_items"}
    @staticmethod
    def write(builder, d_in1, d_in2, d_out, op, num_items):
        count = _size(builder, num_items)
        first, a = _input(builder, d_in1, count)
        second, b = _input(builder, d_in2, count)
        target = to_iterator(d_out)
        wanted = None if isinstance(target, DiscardIterator) and target._is_any else T.strong(target._type)
        function, made = make_op(op).bind(builder, (a, b), wanted)
        out = _output(builder, d_out, wanted or made)
        if function in ("min", "max"):
            value = f"{function}(v[0], v[1])"
        elif function[0] != "|":
            value = f"v[0] {function} v[1]"
        else:
            return (f"    let call = {function};\n"
                    f"    transform(zip({first}, {second}), {out}, |v| call(v[0], v[1]));\n")
        return f"    transform(zip({first}, {second}), {out}, |v| {value});\n"

    @repeatable()
    def __call__(self, *, d_in1, d_in2, d_out, op, num_items, stream=None):
        return self.once(stream, {}, {"d_in1": d_in1, "d_in2": d_in2, "d_out": d_out, "op": op, "num_items": num_items})


def make_unary_transform(*, d_in, d_out, op, compute_capability=None):
    """An object for d_out[i] = op(d_in[i])."""
    return UnaryTransform.make({"d_in": d_in, "d_out": d_out, "op": op}, compute_capability)


def make_binary_transform(*, d_in1, d_in2, d_out, op, compute_capability=None):
    """An object for d_out[i] = op(d_in1[i], d_in2[i])."""
    return BinaryTransform.make({"d_in1": d_in1, "d_in2": d_in2, "d_out": d_out, "op": op}, compute_capability)


@repeatable()
def unary_transform(*, d_in, d_out, op, num_items, stream=None, **options):
    """d_out[i] = op(d_in[i]) for i below num_items."""
    return UnaryTransform.once(stream, options, {
        "d_in": d_in, "d_out": d_out, "op": op, "num_items": num_items})


@repeatable()
def binary_transform(*, d_in1, d_in2, d_out, op, num_items, stream=None, **options):
    """d_out[i] = op(d_in1[i], d_in2[i]) for i below num_items."""
    return BinaryTransform.once(stream, options, {
        "d_in1": d_in1, "d_in2": d_in2, "d_out": d_out, "op": op, "num_items": num_items})


# ---- selections -------------------------------------------------------------------------------------


class Select(Algorithm):
    """select"""

    lengths = {"d_in": "num_items", "d_num_selected_out": 1}
    counts = {"d_num_selected_out": "num_items"}
    @staticmethod
    def write(builder, d_in, d_out, d_num_selected_out, cond, num_items):
        count = _size(builder, num_items)
        it, type_ = _input(builder, d_in, count)
        keep = _condition(builder, cond, type_)
        out = _output(builder, d_out, type_)
        return _result(builder, d_num_selected_out, f"select({it}, {keep}, {out})", T.U64)

    @repeatable(SCRATCH_BYTES)
    def __call__(self, *, temp_storage, d_in, d_out, d_num_selected_out, cond, num_items, stream=None):
        return self.call(temp_storage, stream, {"d_in": d_in, "d_out": d_out,
                                                "d_num_selected_out": d_num_selected_out, "cond": cond,
                                                "num_items": num_items})


def make_select(*, d_in, d_out, d_num_selected_out, cond, compute_capability=None):
    """An object that keeps the elements for which cond holds."""
    return Select.make({"d_in": d_in, "d_out": d_out, "d_num_selected_out": d_num_selected_out, "cond": cond},
                       compute_capability)


@repeatable()
def select(*, d_in, d_out, d_num_selected_out, cond, num_items, stream=None, **options):
    """The elements for which cond(v) holds, in their order, to d_out; how many to d_num_selected_out[0]."""
    return Select.once(stream, options, {
        "d_in": d_in, "d_out": d_out, "d_num_selected_out": d_num_selected_out, "cond": cond,
        "num_items": num_items})


class ThreeWayPartition(Algorithm):
    """three_way_partition"""

    lengths = {"d_in": "num_items", "d_num_selected_out": 2}
    counts = {"d_num_selected_out": "num_items"}
    @staticmethod
    def write(builder, d_in, d_first_part_out, d_second_part_out, d_unselected_out, d_num_selected_out,
              select_first_part_op, select_second_part_op, num_items):
        count = _size(builder, num_items)
        it, type_ = _input(builder, d_in, count)
        first = _condition(builder, select_first_part_op, type_)
        second = _condition(builder, select_second_part_op, type_)
        outs = [_output(builder, o, type_) for o in (d_first_part_out, d_second_part_out, d_unselected_out)]
        counts = to_iterator(d_num_selected_out)
        element = T.strong(counts._type)
        builder.give(T.Tuple([element, element]), d_num_selected_out)
        ck = element.ck
        return (f"    let r = partition({it}, {first}, {second}, {', '.join(outs)});\n"
                f"    return ({ck}(r[0]), {ck}(r[1]));\n")

    @repeatable(SCRATCH_BYTES)
    def __call__(self, *, temp_storage, d_in, d_first_part_out, d_second_part_out, d_unselected_out,
                 d_num_selected_out, select_first_part_op, select_second_part_op, num_items, stream=None):
        return self.call(temp_storage, stream, {
            "d_in": d_in, "d_first_part_out": d_first_part_out, "d_second_part_out": d_second_part_out,
            "d_unselected_out": d_unselected_out, "d_num_selected_out": d_num_selected_out,
            "select_first_part_op": select_first_part_op, "select_second_part_op": select_second_part_op,
            "num_items": num_items})


def make_three_way_partition(*, d_in, d_first_part_out, d_second_part_out, d_unselected_out, d_num_selected_out,
                             select_first_part_op, select_second_part_op, compute_capability=None):
    """An object for partitions in three ways."""
    return ThreeWayPartition.make({
        "d_in": d_in, "d_first_part_out": d_first_part_out, "d_second_part_out": d_second_part_out,
        "d_unselected_out": d_unselected_out, "d_num_selected_out": d_num_selected_out,
        "select_first_part_op": select_first_part_op, "select_second_part_op": select_second_part_op},
        compute_capability)


@repeatable()
def three_way_partition(*, d_in, d_first_part_out, d_second_part_out, d_unselected_out, d_num_selected_out,
                        select_first_part_op, select_second_part_op, num_items, stream=None, **options):
    """Elements by the first of two conditions that holds, in their order; two counts to d_num_selected_out."""
    given = {"d_in": d_in, "d_first_part_out": d_first_part_out, "d_second_part_out": d_second_part_out,
             "d_unselected_out": d_unselected_out, "d_num_selected_out": d_num_selected_out,
             "select_first_part_op": select_first_part_op, "select_second_part_op": select_second_part_op}
    return ThreeWayPartition.once(stream, options, {**given, "num_items": num_items})


class UniqueByKey(Algorithm):
    """unique_by_key"""

    lengths = {"d_in_keys": "num_items", "d_in_items": "num_items", "d_out_num_selected": 1}
    counts = {"d_out_num_selected": "num_items"}
    @staticmethod
    def write(builder, d_in_keys, d_in_items, d_out_keys, d_out_items, d_out_num_selected, op, num_items):
        count = _size(builder, num_items)
        keys, key_type = _input(builder, d_in_keys, count)
        items, item_type = _input(builder, d_in_items, count)
        same, _ = make_op(op).bind(builder, (key_type, key_type), T.BOOL)
        keys_to, items_to = _output(builder, d_out_keys, key_type), _output(builder, d_out_items, item_type)
        return _result(builder, d_out_num_selected,
                       f"unique_by_key({keys}, {items}, {keys_to}, {items_to}, {same})", T.U64)

    @repeatable(SCRATCH_BYTES)
    def __call__(self, *, temp_storage, d_in_keys, d_in_items, d_out_keys, d_out_items, d_out_num_selected, op,
                 num_items, stream=None):
        return self.call(temp_storage, stream, {
            "d_in_keys": d_in_keys, "d_in_items": d_in_items, "d_out_keys": d_out_keys, "d_out_items": d_out_items,
            "d_out_num_selected": d_out_num_selected, "op": op, "num_items": num_items})


def make_unique_by_key(*, d_in_keys, d_in_items, d_out_keys, d_out_items, d_out_num_selected, op,
                       compute_capability=None):
    """An object that takes the first of each run of equal keys."""
    return UniqueByKey.make({"d_in_keys": d_in_keys, "d_in_items": d_in_items, "d_out_keys": d_out_keys,
                             "d_out_items": d_out_items, "d_out_num_selected": d_out_num_selected, "op": op},
                            compute_capability)


@repeatable()
def unique_by_key(*, d_in_keys, d_in_items, d_out_keys, d_out_items, d_out_num_selected, op, num_items, stream=None,
                  **options):
    """The first key and item of each run of keys for which op(a, b) holds; how many runs."""
    given = {"d_in_keys": d_in_keys, "d_in_items": d_in_items, "d_out_keys": d_out_keys, "d_out_items": d_out_items,
             "d_out_num_selected": d_out_num_selected, "op": op}
    return UniqueByKey.once(stream, options, {**given, "num_items": num_items})


# ---- histograms -------------------------------------------------------------------------------------


class HistogramEven(Algorithm):
    """histogram_even"""

    lengths = {"d_samples": "num_samples"}
    counts = {"d_histogram": "num_samples"}
    sizes = ("num_samples",)

    @staticmethod
    def write(builder, d_samples, d_histogram, h_num_output_levels, h_lower_level, h_upper_level, num_samples,
              channels=None):
        count = _size(builder, num_samples)
        level = T.from_dtype(_arguments.dtype_of(h_lower_level))
        sample = T.strong(to_iterator(d_samples)._type)
        type_ = T.promote(sample, level)
        if channels is not None:
            return HistogramEven._write_channels(builder, d_samples, d_histogram, h_num_output_levels, (
                h_lower_level, h_upper_level), (num_samples, count), (level, type_), channels)
        it, _ = _input(builder, d_samples, count, type_)
        bins = builder.number(T.U64, _bins_of(h_num_output_levels), "n", (h_num_output_levels, _bins_of))
        if to_iterator(d_histogram)._type.kind not in "iu":
            raise ArgumentTypeError(f"argument 'd_histogram': counts are integers, not {to_iterator(d_histogram)._type}")
        lower, upper = (_conversion_text(_value(builder, v, level), level, type_)
                        for v in (h_lower_level, h_upper_level))
        counts = to_iterator(d_histogram).emit(builder, is_written=True)
        if not _has_bins(h_num_output_levels, d_histogram):
            raise ArgumentError(f"argument 'd_histogram' has {_length_of(d_histogram)} elements, and num_output_levels - 1 "
                                f"is {_bins_of(h_num_output_levels)}: pass a longer array")
        builder.relations.append((getattr(h_num_output_levels, "operand", h_num_output_levels), d_histogram, _has_bins))
        return f"    histogram({it}, {counts}[0..{bins}], {lower}, {upper});\n"

    @staticmethod
    def _write_channels(builder, d_samples, d_histogram, levels, limits, samples, types, channels):
        from . import tables  # pylint: disable=import-outside-toplevel  # which has this file's classes
        level, type_ = types
        lower, upper = (_conversion_text(_value(builder, v, level), level, type_) for v in limits)
        counts = tables.bins_with_channels(builder, d_samples, d_histogram, channels)
        it = tables.samples_with_channels(builder, d_samples, (samples[0], "num_samples"), samples[1], type_)
        if not _has_columns(levels, d_histogram):
            raise ArgumentError(f"argument 'd_histogram' has rows of {_arguments.shape_of(d_histogram)[1]} elements, and "
                                f"num_output_levels - 1 is {_bins_of(levels)}: pass an array with as many columns")
        builder.relations.append((getattr(levels, "operand", levels), d_histogram, _has_columns))
        return f"    histogram({it}, {counts}, {lower}, {upper}, channels = {channels});\n"

    @classmethod
    def kind_of(cls, given):
        return (int(given.get("num_samples") or 0) * _arguments.np.dtype(
            T.strong(to_iterator(given["d_samples"])._type).dtype).itemsize >= 2**31 - 1,)

    @repeatable(SCRATCH_BYTES)
    def __call__(self, *, temp_storage, d_samples, d_histogram, h_num_output_levels, h_lower_level, h_upper_level,
                 num_samples, stream=None):
        return self.call(temp_storage, stream, {
            "d_samples": d_samples, "d_histogram": d_histogram, "h_num_output_levels": h_num_output_levels,
            "h_lower_level": h_lower_level, "h_upper_level": h_upper_level, "num_samples": num_samples,
            "channels": self._given["channels"]})


def _bins_of(levels):
    levels = _check_value(levels)
    return max(0, (0 if levels is None else int(levels)) - 1)


def _length_of(value):
    """How many elements an array has; None of another iterator, and of what only stands for an array."""
    if isinstance(value, np.ndarray):
        return value.size
    it = to_iterator(value)
    is_array = isinstance(it, PointerIterator) and not is_proxy(it._array)
    return _arguments.count_of(it._array) - it._offset if is_array else None


def _has_bins(levels, histogram):
    """Whether an array has an element for each bin."""
    there = _length_of(histogram)
    return there is None or there >= _bins_of(levels)


def _has_columns(levels, histogram):
    """Whether rows of an array have an element for each bin, and no more."""
    return _arguments.shape_of(histogram)[-1] == _bins_of(levels)


class _Boxed(np.ndarray):
    """An array of one number, with the operand that it was made of (_recipe.py)."""

    operand = None


def _boxed(number, dtype):
    made = np.array([number], dtype).view(_Boxed)
    made.operand = number
    return made


def _conversion_text(text, old, new):
    return text if old.ck == new.ck else f"{new.ck}({text})"


def _check_levels(h_lower_level, h_upper_level):
    if _arguments.dtype_of(h_lower_level) != _arguments.dtype_of(h_upper_level):
        raise ArgumentTypeError("h_lower_level and h_upper_level must have the same dtype")


def make_histogram_even(*, d_samples, d_histogram, h_num_output_levels, h_lower_level, h_upper_level, num_samples,
                        channels=None, compute_capability=None):
    """An object that counts samples in bins of equal width."""
    _check_levels(h_lower_level, h_upper_level)
    return HistogramEven.make({"d_samples": d_samples, "d_histogram": d_histogram,
                               "h_num_output_levels": h_num_output_levels, "h_lower_level": h_lower_level,
                               "h_upper_level": h_upper_level, "num_samples": num_samples, "channels": channels},
                              compute_capability)


@repeatable()
def histogram_even(*, d_samples, d_histogram, num_output_levels, lower_level, upper_level, num_samples, channels=None,
                   stream=None, **options):
    """d_histogram[b]: how many samples are in bin b of num_output_levels - 1 between two levels.

    channels  the samples are the rows of an array of two axes, of which so many columns are counted apart:
              d_histogram[c, b]; or None
    """
    if np.dtype(type(lower_level)) != np.dtype(type(upper_level)):
        raise ArgumentTypeError("lower_level and upper_level must have the same dtype")
    dtype = np.dtype(type(lower_level)) if isinstance(lower_level, np.generic) else np.asarray(lower_level).dtype
    given = {"d_samples": d_samples, "d_histogram": d_histogram,
             "h_num_output_levels": _boxed(num_output_levels, np.int32), "h_lower_level": _boxed(lower_level, dtype),
             "h_upper_level": _boxed(upper_level, dtype), "num_samples": num_samples, "channels": channels}
    return HistogramEven.once(stream, options, given)


# ---- searches ---------------------------------------------------------------------------------------


class Search(Algorithm):
    """lower_bound and upper_bound"""

    lengths = {"d_data": "num_items", "d_values": "num_values", "d_out": "num_values"}
    step = "lower_bound"
    sizes = ("num_items", "num_values")

    @classmethod
    def write(cls, builder, d_data, num_items, d_values, num_values, d_out, comp=None):
        count, wanted = _size(builder, num_items), _size(builder, num_values)
        data, type_ = _input(builder, d_data, count)
        if isinstance(to_iterator(d_data), PointerIterator):
            data = f"{data[:data.index('.take(')]}[0..{count}]"
        values, _ = _input(builder, d_values, wanted, type_)
        less, _ = make_op(OpKind.LESS if comp is None else comp).bind(builder, (type_, type_), T.BOOL)
        out = _output(builder, d_out, T.U64)
        return f"    transform({values}, {out}, |a| {cls.step}({data}, a, {less}));\n"

    @repeatable()
    def __call__(self, *, d_data, num_items, d_values, num_values, d_out, comp=None, stream=None):
        return self.once(stream, {}, {"d_data": d_data, "num_items": num_items, "d_values": d_values, "num_values": num_values,
                          "d_out": d_out, "comp": comp})


class UpperSearch(Search):
    """upper_bound"""

    step = "upper_bound"


def _check_places(d_out):
    dtype = to_iterator(d_out).dtype
    if dtype.kind != "u":
        raise ArgumentTypeError(f"d_out must have an unsigned integer dtype such as numpy.uintp, not {dtype}")
    if dtype.itemsize != np.dtype(np.uintp).itemsize:
        raise ArgumentError(f"d_out must have a pointer-sized dtype (numpy.uintp), not {dtype}")


def make_lower_bound(*, d_data, d_values, d_out, comp=None, compute_capability=None):
    """An object that finds where values would stand in a sorted array, before equal elements."""
    _check_places(d_out)
    return Search.make({"d_data": d_data, "d_values": d_values, "d_out": d_out, "comp": comp}, compute_capability)


def make_upper_bound(*, d_data, d_values, d_out, comp=None, compute_capability=None):
    """The same, behind equal elements."""
    _check_places(d_out)
    return UpperSearch.make({"d_data": d_data, "d_values": d_values, "d_out": d_out, "comp": comp},
                            compute_capability)


@repeatable()
def lower_bound(*, d_data, num_items, d_values, num_values, d_out, comp=None, stream=None, **options):
    """d_out[i]: how many of the sorted d_data stand before d_values[i]."""
    _check_places(d_out)
    return Search.once(stream, options, {
        "d_data": d_data, "num_items": num_items, "d_values": d_values, "num_values": num_values, "d_out": d_out,
        "comp": comp})


@repeatable()
def upper_bound(*, d_data, num_items, d_values, num_values, d_out, comp=None, stream=None, **options):
    """d_out[i]: how many of the sorted d_data don't stand behind d_values[i]."""
    _check_places(d_out)
    return UpperSearch.once(stream, options, {
        "d_data": d_data, "num_items": num_items, "d_values": d_values, "num_values": num_values, "d_out": d_out,
        "comp": comp})
