# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""iterators.py - sequences that are computed where they are read or written.

An iterator is a description; emit() writes it as CK, and gives its arrays and numbers to the launch.

    ZipIterator(CountingIterator(np.int32(5)), x)       zip(count(v0), p0)

`it + n` begins n elements later. A ReverseIterator counts down from where its iterator begins, and
of an array from its last element. So emit() knows two directions: element i is the i-th behind the
beginning, or the i-th before it.
"""
import functools
import types as python_types
import typing

import numpy as np

from .. import _translate, _types as T
from ..errors import ArgumentError, ArgumentTypeError
from . import _arguments, types
from .op import make_op
from .struct import is_struct_type


class IteratorBase:
    """What all iterators have."""

    _type = None  # of an element
    parts = None  # the attributes that the text depends on, arrays and numbers among them (_recipe.py)
    numbers = ()  # attributes that are integers and arguments of the launch
    is_input_iterator, is_output_iterator = True, True

    @property
    def value_type(self):
        """The descriptor of an element."""
        return types.from_numpy_dtype(T.strong(self._type).dtype)

    @property
    def dtype(self):
        return T.strong(self._type).dtype

    @property
    def children(self):
        return ()

    @property
    def kind(self):
        """Equal for iterators of one structure, whatever their arrays and numbers are."""
        return (type(self).__name__, T.strong(self._type).key) + tuple(c.kind for c in self.children) + self._details()

    def _details(self):
        return ()

    def emit(self, builder, is_written=False, backwards=False):
        raise NotImplementedError

    def __add__(self, offset):
        raise NotImplementedError

    def __radd__(self, offset):
        return self + offset


class PointerIterator(IteratorBase):
    """The elements of an array, from one on."""

    parts, numbers = ("_array",), ("_offset",)

    def __init__(self, array, offset=0):
        self._array = array = _arguments.plain(array)
        self._offset = int(offset)
        _arguments.check_order(array)
        self._type = T.from_dtype(_arguments.dtype_of(array))

    def emit(self, builder, is_written=False, backwards=False):
        address, count = _place(self._array)
        size = _arguments.dtype_of(self._array).itemsize
        if backwards:
            count = self._offset + 1
        elif self._offset:
            address, count = address and address + self._offset * size, count - self._offset
        if count < 0:
            raise ArgumentError(f"the iterator begins {-count} elements behind the end of its array")
        name = builder.span(self._type, self._array, is_written, address, count, (self._array, self, backwards))
        return f"{name}.reverse()" if backwards else name

    def __add__(self, offset):
        return PointerIterator(self._array, self._offset + offset)


def _place(array):
    from ._engine import address_of  # pylint: disable=import-outside-toplevel
    return address_of(array) or 0, _arguments.count_of(array)


# NumPy's scalars that are numbers of CK. They are found here since iterators are often made for one call.
_NUMBERS = frozenset(np.dtype(name).type for name in T.SCALARS if name in np.sctypeDict)


class CountingIterator(IteratorBase):
    """start, start + 1, start + 2, ... in the type of `start`, a NumPy scalar."""

    parts = ("_start",)
    is_output_iterator = False

    def __init__(self, start):
        self._start = start
        if start.__class__ not in _NUMBERS:
            self._start = start if isinstance(start, np.generic) else np.asarray(start)[()]
            if not isinstance(self._type, T.Scalar):
                raise ArgumentTypeError(f"CountingIterator counts numbers, not {self._type}")

    @functools.cached_property
    def _type(self):
        return T.from_dtype(self._start.dtype)

    def emit(self, builder, is_written=False, backwards=False):
        ck = self._type.ck
        start = builder.number(self._type, self._start, source=(self, "_start"))
        if backwards:
            return f"tabulate(|i| {start} - {ck}(i))"
        return f"count({start})" if self._type.kind in "iu" else f"tabulate(|i| {start} + {ck}(i))"

    def __add__(self, offset):
        kind, bits = self._type.kind, self._type.bits
        if kind not in "iu":
            with np.errstate(all="ignore"):
                return CountingIterator((self._start + np.asarray(offset).astype(self._start.dtype))[()])
        number = int(self._start) + int(offset) & (1 << bits) - 1
        if kind == "i" and number >> bits - 1:
            number -= 1 << bits
        return CountingIterator(self._start.dtype.type(number))


class ConstantIterator(IteratorBase):
    """One value, a NumPy scalar or a struct, without end."""

    parts = ("_value",)
    is_output_iterator = False

    def __init__(self, value):
        self._value = value if isinstance(value, np.generic) or hasattr(value, "_data") else np.asarray(value)[()]
        if isinstance(self._value, np.ndarray) and self._value.ndim:
            raise ArgumentTypeError(f"ConstantIterator: one value is needed, got an array of shape {self._value.shape}")
        self._type = T.from_dtype(_arguments.dtype_of(self._value))

    def emit(self, builder, is_written=False, backwards=False):
        return f"constant({builder.number(self._type, plain_value(self._value), source=(self, '_value'))})"

    def __add__(self, offset):
        return self


def plain_value(value):
    """A scalar, or a tuple of a struct's fields."""
    if hasattr(value, "_data"):
        value = value._data
    value = np.asarray(value)
    if not value.size:
        raise ArgumentError("an array of one element is needed, got an empty one")
    return value.reshape(-1)[0] if value.ndim else value[()]


class CacheModifiedInputIterator(IteratorBase):
    """The elements of an array, loaded with a hint for the caches: "stream", "global" or "volatile"."""

    parts = ("_pointer", "_modifier")
    is_output_iterator = False
    _WORDS = {"stream": "streaming", "global": "global", "volatile": "volatile"}

    def __init__(self, array, modifier="stream", _offset=0):
        if modifier not in self._WORDS:
            raise ArgumentError(f"Unknown modifier: {modifier}. Must be one of {list(self._WORDS)}")
        self._pointer, self._modifier = PointerIterator(array, _offset), modifier
        self._type = self._pointer._type
        size = _arguments.dtype_of(array).itemsize
        if size not in (1, 2, 4, 8, 16):
            raise ArgumentError("CacheModifiedInputIterator only supports types of size 1, 2, 4, 8, or 16 bytes. "
                             f"Got type with size {size} bytes.")

    def _details(self):
        return (self._modifier,)

    def emit(self, builder, is_written=False, backwards=False):
        text = self._pointer.emit(builder, backwards=backwards)
        if backwards or not isinstance(self._type, T.Scalar) or self._type == T.BOOL:
            return text
        return f"{text}.cached(cache = {self._WORDS[self._modifier]})"

    def __add__(self, offset):
        pointer = self._pointer
        return CacheModifiedInputIterator(pointer._array, self._modifier, pointer._offset + offset)


class TransformIterator(IteratorBase):
    """op of each element. value_type, or the function's annotation, says the type of what it gives."""

    parts = ("_given_op", "_underlying", "_declared", "_is_input")
    is_output_iterator = False

    def __init__(self, underlying, transform_op, value_type=None, is_input=True):
        self._underlying = underlying if isinstance(underlying, IteratorBase) else to_iterator(underlying)
        self._given_op, self._is_input = transform_op, is_input
        is_plain = transform_op.__class__ is python_types.FunctionType
        if value_type is None and not (is_plain and not transform_op.__annotations__):
            value_type = _annotated(transform_op, "return" if is_input else 0)
        self._declared = None if value_type is None else _type_of(value_type)
        if not is_input:
            self.is_input_iterator, self.is_output_iterator = False, True
        if not is_plain:
            self._op  # pylint: disable=pointless-statement

    # A function is read when its text is needed, which later calls don't (_recipe.py).

    @functools.cached_property
    def _op(self):
        return make_op(self._given_op)

    @functools.cached_property
    def _type(self):
        if self._declared is not None:
            return self._declared
        type_ = self._underlying._type
        return self._op.result_type((T.strong(type_),)) if self._is_input else type_

    @property
    def children(self):
        return (self._underlying,)

    def _details(self):
        return (self._op.key, self._is_input)

    def emit(self, builder, is_written=False, backwards=False):
        if self._is_input == is_written:
            word = "output" if is_written else "input"
            raise ArgumentError(f"This iterator does not support {word} operations")
        text = self._underlying.emit(builder, is_written, backwards)
        if is_written:
            function, _ = self._op.bind(builder, (self._type,), self._underlying._type)
            return f"{text}.map_store({function})"
        function, _ = self._op.bind(builder, (T.strong(self._underlying._type),), self._type)
        return f"{text}.map({function})"

    def __add__(self, offset):
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__)
        made._underlying = self._underlying + offset
        return made


class TransformOutputIterator(TransformIterator):
    """What is stored goes to the underlying iterator as op of it.

    The type of what is stored is the function's annotation, else that of the underlying iterator.
    """

    def __init__(self, underlying, transform_op, output_value_type=None):
        super().__init__(underlying, transform_op, output_value_type, is_input=False)


class ReverseIterator(IteratorBase):
    """The elements of an array from its last one on, or those before the beginning of an iterator."""

    parts = ("_underlying",)

    def __init__(self, underlying):
        if _arguments.is_array(underlying):
            underlying = PointerIterator(underlying)
            underlying._offset = _arguments.count_of(underlying._array) - 1
        self._underlying = to_iterator(underlying)
        self._type = self._underlying._type

    @property
    def children(self):
        return (self._underlying,)

    def emit(self, builder, is_written=False, backwards=False):
        return self._underlying.emit(builder, is_written, not backwards)

    def __add__(self, offset):
        return ReverseIterator(self._underlying + -offset)


class ZipIterator(IteratorBase):
    """Elements of several iterators as a tuple or struct: ZipIterator(a, b) or ZipIterator([a, b])."""

    parts = ("_iterators",)

    def __init__(self, *args):
        if len(args) == 1 and isinstance(args[0], (list, tuple)):
            args = args[0]
        if not args:
            raise ArgumentError("ZipIterator requires at least one iterator")
        self._iterators = [to_iterator(a) for a in args]

    @functools.cached_property
    def _type(self):
        return T.Tuple([T.strong(i._type) for i in self._iterators], [f"field_{i}" for i in range(len(self._iterators))])

    @property
    def children(self):
        return tuple(self._iterators)

    def emit(self, builder, is_written=False, backwards=False):
        texts = [i.emit(builder, is_written, backwards) for i in self._iterators]
        if len(texts) == 1:
            return texts[0]
        if len(texts) <= 4:
            return f"zip({', '.join(texts)})"
        return self._nested(builder, texts, is_written)

    def _nested(self, builder, texts, is_written):
        """More than four: pairs of pairs, whose elements a function puts into one tuple, or takes out of it."""
        nodes = [(text, (i,)) for i, text in enumerate(texts)]
        shape = [([i], i) for i in range(len(texts))]
        while len(nodes) > 1:
            nodes = [(f"zip({nodes[k][0]}, {nodes[k + 1][0]})", ()) if k + 1 < len(nodes) else nodes[k]
                     for k in range(0, len(nodes), 2)]
            shape = [(shape[k][0] + shape[k + 1][0], (shape[k][1], shape[k + 1][1])) if k + 1 < len(shape)
                     else shape[k] for k in range(0, len(shape), 2)]
        tree = shape[0][1]

        def paths(node, text):
            return {node: text} if isinstance(node, int) else {
                **paths(node[0], text + "[0]"), **paths(node[1], text + "[1]")}

        def types_of(node):
            return T.strong(self._iterators[node]._type).ck if isinstance(node, int) \
                else f"({types_of(node[0])}, {types_of(node[1])})"

        def values_of(node):
            return f"v[{node}]" if isinstance(node, int) else f"({values_of(node[0])}, {values_of(node[1])})"
        name, flat, nested = builder.fresh("f"), self._type.ck, types_of(tree)
        if is_written:
            builder.function(f"fn {name}(v: {flat}) -> {nested} = {values_of(tree)};\n")
            return f"{nodes[0][0]}.map_store(|v| {name}(v))"
        places = paths(tree, "v")
        value = ", ".join(places[i] for i in range(len(texts)))
        builder.function(f"fn {name}(v: {nested}) -> {flat} = ({value});\n")
        return f"{nodes[0][0]}.map(|v| {name}(v))"

    def __add__(self, offset):
        return ZipIterator(*(i + offset for i in self._iterators))


class PermutationIterator(IteratorBase):
    """values[indices[i]], to be read (gather) or written (scatter)."""

    parts = ("_values", "_indices")

    def __init__(self, values, indices):
        self._values, self._indices = to_iterator(values), to_iterator(indices)
        self._type = self._values._type
        if self._indices._type.kind not in "iu":
            raise ArgumentTypeError(f"PermutationIterator: indices are integers, not {self._indices._type}: convert them")

    @property
    def children(self):
        return (self._values, self._indices)

    def emit(self, builder, is_written=False, backwards=False):
        values = self._values.emit(builder, is_written)
        indices = self._indices.emit(builder, False, backwards)
        return f"{values}.gather({indices})"

    def __add__(self, offset):
        return PermutationIterator(self._values, self._indices + offset)


class ShuffleIterator(IteratorBase):
    """The numbers 0 to num_items - 1 as int64, each once, in an order that the seed decides."""

    is_output_iterator = False
    parts, numbers = (), ("_count", "_seed", "_offset")
    _type = T.I64

    def __init__(self, num_items, seed=0, *, _offset=0):
        if num_items <= 0:
            raise ArgumentError("num_items must be > 0")
        self._count, self._seed, self._offset = int(num_items), int(seed) & (2**64 - 1), int(_offset)

    def emit(self, builder, is_written=False, backwards=False):
        count = builder.number(T.U64, self._count, source=(self, "_count"))
        seed = builder.number(T.U64, self._seed, source=(self, "_seed"))
        offset = builder.number(T.U64, self._offset, source=(self, "_offset"))
        places = f"tabulate(|i| {offset} {'-' if backwards else '+'} i)"
        return f"shuffle({count}, {seed}).gather({places}).map(|v| i64(v))"

    def __add__(self, offset):
        return ShuffleIterator(self._count, self._seed, _offset=self._offset + offset)


class DiscardIterator(IteratorBase):
    """What is stored is forgotten; what is read are zeros. A reference says the type."""

    parts = ("_type", "_is_any")

    def __init__(self, reference_iterator=None):
        self._reference = reference_iterator
        self._type = T.U8 if reference_iterator is None else to_iterator(reference_iterator)._type
        self._is_any = reference_iterator is None

    def emit(self, builder, is_written=False, backwards=False):
        if is_written:
            return f"discard<{T.strong(self._type).ck}>()"
        name = builder.fresh("f")
        ck = T.strong(self._type).ck
        builder.function(f"fn {name}(i: u64) -> {ck} {{ var zero: {ck}; return zero; }}\n")
        return f"tabulate(|i| {name}(i))"

    def __add__(self, offset):
        return self


def _type_of(declared):
    if isinstance(declared, types.TypeDescriptor):
        return declared.ck
    if is_struct_type(declared):
        return T.from_dtype(declared.dtype)
    return T.from_dtype(declared)


def _annotated(function, which):
    """An annotation of a function: "return", or of a parameter by number; None if there is none."""
    function = _translate.unwrap(function)
    present = getattr(function, "__annotations__", None)
    if not present:
        return None
    if which == "return" and isinstance(present.get(which), type):
        return present[which]
    try:
        hints = typing.get_type_hints(function)
    except (NameError, TypeError, SyntaxError):
        hints = getattr(function, "__annotations__", {})
    if which == "return":
        found = hints.get("return")
    else:
        names = function.__code__.co_varnames[:function.__code__.co_argcount]
        found = hints.get(names[which]) if which < len(names) else None
    return None if isinstance(found, str) else found


def to_iterator(obj):
    """An iterator, or one over an array."""
    if isinstance(obj, IteratorBase):
        return obj
    if _arguments.is_array(obj):
        return PointerIterator(obj)
    raise ArgumentTypeError(f"an array on a device or an iterator is needed, not {type(obj).__name__}: pass an array of "
                            "NumPy, CuPy or PyTorch")


__all__ = ["CacheModifiedInputIterator", "ConstantIterator", "CountingIterator", "DiscardIterator", "IteratorBase",
           "PermutationIterator", "ReverseIterator", "ShuffleIterator", "TransformIterator",
           "TransformOutputIterator", "ZipIterator"]
