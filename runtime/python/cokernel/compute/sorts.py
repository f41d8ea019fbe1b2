# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""sorts.py - merge_sort, radix_sort and segmented_sort of cuda.compute: calls and make_* objects."""
from .. import _types as T
from ..errors import ArgumentTypeError, RangeError
from .algorithms import SCRATCH_BYTES, Algorithm, DoubleBuffer, SortOrder, _check_segments, _input, _offsets, \
    _output, _size
from .iterators import PointerIterator, to_iterator
from .op import make_op
from ._engine import address_of
from ._recipe import repeatable


def _same_place(a, b):
    """Whether two operands are one array."""
    if a is None or b is None:
        return False
    a, b = to_iterator(a), to_iterator(b)
    return isinstance(a, PointerIterator) and isinstance(b, PointerIterator) and a._offset == b._offset and \
        address_of(a._array) is not None and address_of(a._array) == address_of(b._array)


class MergeSort(Algorithm):
    """merge_sort"""

    lengths = {"d_in_keys": "num_items", "d_out_keys": "num_items", "d_in_values": "num_items",
               "d_out_values": "num_items"}

    @staticmethod
    def write(builder, d_in_keys, d_out_keys, num_items, op, d_in_values=None, d_out_values=None):
        count = _size(builder, num_items)
        keys, type_ = _input(builder, d_in_keys, count)
        less, _ = make_op(op).bind(builder, (type_, type_), T.BOOL)
        keys_to = _output(builder, d_out_keys, type_)
        in_place = _same_place(d_in_keys, d_out_keys)
        if d_in_values is None:
            to = "" if in_place else f"{keys_to}, "
            return f"    merge_sort({keys}, {to}{less});\n"
        values, value_type = _input(builder, d_in_values, count)
        values_to = _output(builder, d_out_values, value_type)
        to = f"zip({keys_to}, {values_to}), "
        if in_place and _same_place(d_in_values, d_out_values):
            to = ""
        if less[0] == "|":
            return (f"    let less = {less};\n"
                    f"    merge_sort(zip({keys}, {values}), {to}|a, b| less(a[0], b[0]));\n")
        return f"    merge_sort(zip({keys}, {values}), {to}|a, b| a[0] {less} b[0]);\n"

    @repeatable(SCRATCH_BYTES)
    def __call__(self, *, temp_storage, d_in_keys, d_out_keys, num_items, op, d_in_values=None, d_out_values=None,
                 stream=None):
        return self.call(temp_storage, stream, {"d_in_keys": d_in_keys, "d_in_values": d_in_values,
                                                "d_out_keys": d_out_keys, "d_out_values": d_out_values, "op": op,
                                                "num_items": num_items})


def make_merge_sort(*, d_in_keys, d_out_keys, op, d_in_values=None, d_out_values=None, compute_capability=None):
    """An object that sorts by any order."""
    return MergeSort.make({"d_in_keys": d_in_keys, "d_in_values": d_in_values, "d_out_keys": d_out_keys,
                           "d_out_values": d_out_values, "op": op}, compute_capability)


@repeatable()
def merge_sort(*, d_in_keys, d_out_keys, num_items, op, d_in_values=None, d_out_values=None, stream=None, **options):
    """Sorts keys, and values with them, by op(a, b): a comes before b. Stable."""
    given = {"d_in_keys": d_in_keys, "d_in_values": d_in_values, "d_out_keys": d_out_keys,
             "d_out_values": d_out_values, "op": op}
    return MergeSort.once(stream, options, {**given, "num_items": num_items})


def _arrays(d_in_keys, d_out_keys, d_in_values, d_out_values):
    """The four arrays, of double buffers too."""
    if isinstance(d_in_keys, DoubleBuffer):
        d_in_keys, d_out_keys = d_in_keys.current(), d_in_keys.alternate()
    if isinstance(d_in_values, DoubleBuffer):
        d_in_values, d_out_values = d_in_values.current(), d_in_values.alternate()
    return d_in_keys, d_out_keys, d_in_values, d_out_values


def _swap(built, *buffers):
    for buffer in buffers:
        if isinstance(buffer, DoubleBuffer):
            built.settings.append((buffer, "selector", 1 - buffer.selector))
    return built


class BufferSort(Algorithm):
    """A sort that takes DoubleBuffers: after each call their other array is the current one."""

    lengths = {"d_in_keys": "num_items", "d_out_keys": "num_items", "d_in_values": "num_items",
               "d_out_values": "num_items"}

    @classmethod
    def once(cls, stream, options, given):
        return _swap(super().once(stream, options, given), given["d_in_keys"], given["d_in_values"])

    @classmethod
    def kind_of(cls, given):
        return (isinstance(given["d_in_keys"], DoubleBuffer),)


class RadixSort(BufferSort):
    """radix_sort"""

    @staticmethod
    def write(builder, d_in_keys, d_out_keys, d_in_values, d_out_values, num_items, order, begin_bit=None,
              end_bit=None):
        d_in_keys, d_out_keys, d_in_values, d_out_values = _arrays(d_in_keys, d_out_keys, d_in_values, d_out_values)
        count = _size(builder, num_items)
        keys, type_ = _input(builder, d_in_keys, count)
        if not isinstance(type_, T.Scalar):
            raise ArgumentTypeError(f"argument 'd_in_keys': numbers are sorted, not {type_}: merge_sort sorts by any order")
        begin, end = begin_bit or 0, type_.dtype.itemsize * 8 if end_bit is None else end_bit
        if not 0 <= begin <= end <= type_.dtype.itemsize * 8:
            raise RangeError(f"arguments 'begin_bit' and 'end_bit': {begin} and {end} are no bits of {type_}, 0 to "
                             f"{type_.dtype.itemsize * 8}")
        keys_to = _output(builder, d_out_keys, type_)
        options = "" if order is SortOrder.ASCENDING else ", descending = true"
        if begin_bit is not None:
            options += f", begin_bit = {int(begin_bit)}"
        if end_bit is not None:
            options += f", end_bit = {int(end_bit)}"
        in_place = _same_place(d_in_keys, d_out_keys)
        if d_in_values is None:
            to = "" if in_place else f", to = {keys_to}"
            return f"    radix_sort({keys}{to}{options});\n"
        values, value_type = _input(builder, d_in_values, count)
        values_to = _output(builder, d_out_values, value_type)
        to = "" if in_place and _same_place(d_in_values, d_out_values) else \
            f", to = {keys_to}, to_values = {values_to}"
        return f"    radix_sort({keys}, {values}{to}{options});\n"

    @repeatable(SCRATCH_BYTES)
    def __call__(self, *, temp_storage, d_in_keys, d_out_keys, d_in_values, d_out_values, num_items, begin_bit=None,
                 end_bit=None, stream=None):
        given = {"d_in_keys": d_in_keys, "d_out_keys": d_out_keys, "d_in_values": d_in_values,
                 "d_out_values": d_out_values, "num_items": num_items, "begin_bit": begin_bit, "end_bit": end_bit,
                 "order": self._given["order"]}
        return self.call(temp_storage, stream, given)


def make_radix_sort(*, d_in_keys, d_out_keys, order, d_in_values=None, d_out_values=None, compute_capability=None):
    """An object that sorts numbers."""
    return RadixSort.make({"d_in_keys": d_in_keys, "d_out_keys": d_out_keys, "d_in_values": d_in_values,
                           "d_out_values": d_out_values, "order": order}, compute_capability)


@repeatable()
def radix_sort(*, d_in_keys, d_out_keys, num_items, order, d_in_values=None, d_out_values=None, begin_bit=None,
               end_bit=None, stream=None, **options):
    """Sorts numbers, and values with them, by bits begin_bit to end_bit - 1 of the keys. Stable."""
    given = {"d_in_keys": d_in_keys, "d_out_keys": d_out_keys, "d_in_values": d_in_values,
             "d_out_values": d_out_values, "order": order}
    return RadixSort.once(stream, options, {
        **given, "num_items": num_items, "begin_bit": begin_bit, "end_bit": end_bit})


class SegmentedSort(BufferSort):
    """segmented_sort"""

    lengths = {**BufferSort.lengths, "start_offsets_in": "num_segments", "end_offsets_in": "num_segments"}
    sizes = ("num_items", "num_segments")

    @staticmethod
    def write(builder, d_in_keys, d_out_keys, d_in_values, d_out_values, num_items, num_segments, start_offsets_in,
              end_offsets_in, order):
        d_in_keys, d_out_keys, d_in_values, d_out_values = _arrays(d_in_keys, d_out_keys, d_in_values, d_out_values)
        count = _size(builder, num_items)
        keys, type_ = _input(builder, d_in_keys, count)
        keys_to = _output(builder, d_out_keys, type_)
        offsets = _offsets(builder, start_offsets_in, end_offsets_in, num_segments)
        if offsets is None:
            offsets = _limits(builder, start_offsets_in, end_offsets_in, num_segments)
        less = "<" if order is SortOrder.ASCENDING else ">"
        in_place = _same_place(d_in_keys, d_out_keys)
        if d_in_values is None:
            to = "" if in_place else f"{keys_to}, "
            return f"    segmented_sort({keys}, {offsets}, {to}{less});\n"
        values, value_type = _input(builder, d_in_values, count)
        values_to = _output(builder, d_out_values, value_type)
        to = "" if in_place and _same_place(d_in_values, d_out_values) else f"zip({keys_to}, {values_to}), "
        return (f"    segmented_sort(zip({keys}, {values}), {offsets}, {to}|a, b| a[0] {less} b[0]);\n")

    @repeatable(SCRATCH_BYTES)
    def __call__(self, *, temp_storage, d_in_keys, d_out_keys, d_in_values, d_out_values, num_items, num_segments,
                 start_offsets_in, end_offsets_in, stream=None):
        _check_segments(num_segments)
        return self.call(temp_storage, stream, {
            "d_in_keys": d_in_keys, "d_out_keys": d_out_keys, "d_in_values": d_in_values,
            "d_out_values": d_out_values, "num_items": num_items, "num_segments": num_segments,
            "start_offsets_in": start_offsets_in, "end_offsets_in": end_offsets_in, "order": self._given["order"]})


def _limits(builder, starts, ends, count):
    """Offsets of segments that may have gaps between them: the gaps are segments as well."""
    n = _size(builder, count)
    first, _ = _input(builder, starts, n)
    last, _ = _input(builder, ends, n)
    name = builder.fresh("f")
    builder.function(f"fn {name}<S: type, E: type>(s: S, e: E, i: u64) -> u64 {{\n"
                     "    if (i % 2 == 0) return u64(s[i / 2]);\n    return u64(e[i / 2]);\n}\n")
    return f"tabulate(|i| {name}({first}, {last}, i)).take(2 * {n})"


def make_segmented_sort(*, d_in_keys, d_out_keys, start_offsets_in, end_offsets_in, order, d_in_values=None,
                        d_out_values=None, compute_capability=None):
    """An object that sorts each segment."""
    return SegmentedSort.make({
        "d_in_keys": d_in_keys, "d_out_keys": d_out_keys, "d_in_values": d_in_values, "d_out_values": d_out_values,
        "start_offsets_in": start_offsets_in, "end_offsets_in": end_offsets_in, "order": order}, compute_capability)


@repeatable()
def segmented_sort(*, d_in_keys, d_out_keys, num_items, num_segments, start_offsets_in, end_offsets_in, order,
                   d_in_values=None, d_out_values=None, stream=None, **options):
    """Sorts the elements start_offsets_in[s] to end_offsets_in[s] - 1 of each segment. Stable.

    Segments follow each other in memory, in order; there may be gaps between them.
    """
    _check_segments(num_segments)
    given = {"d_in_keys": d_in_keys, "d_out_keys": d_out_keys, "d_in_values": d_in_values,
             "d_out_values": d_out_values, "start_offsets_in": start_offsets_in, "end_offsets_in": end_offsets_in,
             "order": order}
    return SegmentedSort.once(stream, options, {**given, "num_items": num_items, "num_segments": num_segments})
