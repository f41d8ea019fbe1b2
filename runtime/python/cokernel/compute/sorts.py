# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""sorts.py - merge_sort, radix_sort and segmented_sort of cuda.compute, and radix_sort_by and
segmented_radix_sort: calls and make_* objects."""
from .. import _types as T
from ..errors import ArgumentTypeError, RangeError
from .algorithms import SCRATCH_BYTES, Algorithm, DoubleBuffer, SortOrder, _check_segments, _input, _offsets, \
    _output, _size
from .iterators import PointerIterator, to_iterator
from .op import TextOp, make_op
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


def _options(order, begin_bit, end_bit, type_):
    """The optional arguments of a radix sort by keys of a type; None: CK text gives them."""
    most = 512 if type_ is None else 8 * sum(e.dtype.itemsize for e in getattr(type_, "elements", [type_]))
    begin, end = begin_bit or 0, most if end_bit is None else end_bit
    if not 0 <= begin <= end <= most:
        raise RangeError(f"arguments 'begin_bit' and 'end_bit': {begin} and {end} are no bits of {type_ or 'a key'}, 0 to "
                         f"{most}")
    return ("" if order is SortOrder.ASCENDING else ", descending = true") + (
        "" if begin_bit is None else f", begin_bit = {int(begin_bit)}") + (
        "" if end_bit is None else f", end_bit = {int(end_bit)}")


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
        keys_to = _output(builder, d_out_keys, type_)
        options = _options(order, begin_bit, end_bit, type_)
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
              end_offsets_in, order, op=None):
        d_in_keys, d_out_keys, d_in_values, d_out_values = _arrays(d_in_keys, d_out_keys, d_in_values, d_out_values)
        count = _size(builder, num_items)
        keys, type_ = _input(builder, d_in_keys, count)
        keys_to = _output(builder, d_out_keys, type_)
        offsets = _offsets(builder, start_offsets_in, end_offsets_in, num_segments)
        if offsets is None:
            offsets = _limits(builder, start_offsets_in, end_offsets_in, num_segments)
        less = "<" if order is SortOrder.ASCENDING else ">"
        if op is not None:
            less, _ = make_op(op).bind(builder, (type_, type_), T.BOOL)
        in_place = _same_place(d_in_keys, d_out_keys)
        if d_in_values is None:
            to = "" if in_place else f"{keys_to}, "
            return f"    segmented_sort({keys}, {offsets}, {to}{less});\n"
        values, value_type = _input(builder, d_in_values, count)
        values_to = _output(builder, d_out_values, value_type)
        to = "" if in_place and _same_place(d_in_values, d_out_values) else f"zip({keys_to}, {values_to}), "
        if less[0] == "|":
            return (f"    let less = {less};\n"
                    f"    segmented_sort(zip({keys}, {values}), {offsets}, {to}|a, b| less(a[0], b[0]));\n")
        return (f"    segmented_sort(zip({keys}, {values}), {offsets}, {to}|a, b| a[0] {less} b[0]);\n")

    @repeatable(SCRATCH_BYTES)
    def __call__(self, *, temp_storage, d_in_keys, d_out_keys, d_in_values, d_out_values, num_items, num_segments,
                 start_offsets_in, end_offsets_in, op=None, stream=None):
        _check_segments(num_segments)
        return self.call(temp_storage, stream, {
            "d_in_keys": d_in_keys, "d_out_keys": d_out_keys, "d_in_values": d_in_values,
            "d_out_values": d_out_values, "num_items": num_items, "num_segments": num_segments,
            "start_offsets_in": start_offsets_in, "end_offsets_in": end_offsets_in, "order": self._given["order"],
            "op": op})


def _limits(builder, starts, ends, count):
    """The limits of segments that may have gaps between them, in which nothing is sorted or written."""
    n = _size(builder, count)
    first, _ = _input(builder, starts, n)
    last, _ = _input(builder, ends, n)
    return f"zip({first}, {last}).take({n})"


def make_segmented_sort(*, d_in_keys, d_out_keys, start_offsets_in, end_offsets_in, order=SortOrder.ASCENDING,
                        d_in_values=None, d_out_values=None, op=None, compute_capability=None):
    """An object that sorts each segment."""
    return SegmentedSort.make({
        "d_in_keys": d_in_keys, "d_out_keys": d_out_keys, "d_in_values": d_in_values, "d_out_values": d_out_values,
        "start_offsets_in": start_offsets_in, "end_offsets_in": end_offsets_in, "order": order, "op": op},
        compute_capability)


@repeatable()
def segmented_sort(*, d_in_keys, d_out_keys, num_items, num_segments, start_offsets_in, end_offsets_in,
                   order=SortOrder.ASCENDING, d_in_values=None, d_out_values=None, op=None, stream=None, **options):
    """Sorts the elements start_offsets_in[s] to end_offsets_in[s] - 1 of each segment. Stable.

    Segments follow each other in memory, in order; there may be gaps between them.

    op  instead of an order, of elements of any type: op(a, b): a comes before b
    """
    _check_segments(num_segments)
    given = {"d_in_keys": d_in_keys, "d_out_keys": d_out_keys, "d_in_values": d_in_values,
             "d_out_values": d_out_values, "start_offsets_in": start_offsets_in, "end_offsets_in": end_offsets_in,
             "order": order, "op": op}
    return SegmentedSort.once(stream, options, {**given, "num_items": num_items, "num_segments": num_segments})


# ---- beyond cuda.compute ----------------------------------------------------------------------------


class RadixSortBy(Algorithm):
    """radix_sort_by"""

    lengths = {"d_in": "num_items", "d_out": "num_items"}

    @staticmethod
    def write(builder, d_in, d_out, op, num_items, order, begin_bit=None, end_bit=None):
        items, type_ = _input(builder, d_in, _size(builder, num_items))
        function = make_op(op)
        by, key = function.bind(builder, (type_,))
        fields = key.elements if isinstance(key, T.Tuple) else [key]
        if not isinstance(function, TextOp) and not (
                1 <= len(fields) <= 8 and all(isinstance(f, (T.Scalar, T.Weak)) for f in fields)):
            raise ArgumentTypeError(f"argument 'op': it gives a {key}, where a number or a tuple of up to 8 numbers is needed")
        options = _options(order, begin_bit, end_bit, None if key is None else T.strong(key))
        to = "" if _same_place(d_in, d_out) else f", to = {_output(builder, d_out, type_)}"
        if not to:
            _output(builder, d_out, type_)
        return f"    let by = {by};\n    radix_sort({items}, |v| by(v){to}{options});\n"

    @repeatable(SCRATCH_BYTES)
    def __call__(self, *, temp_storage, d_in, d_out, op, num_items, begin_bit=None, end_bit=None, stream=None):
        return self.call(temp_storage, stream, {
            "d_in": d_in, "d_out": d_out, "op": op, "num_items": num_items, "order": self._given["order"],
            "begin_bit": begin_bit, "end_bit": end_bit})


def make_radix_sort_by(*, d_in, d_out, op, order=SortOrder.ASCENDING, compute_capability=None):
    """An object that sorts elements of any type by numbers of theirs."""
    return RadixSortBy.make({"d_in": d_in, "d_out": d_out, "op": op, "order": order}, compute_capability)


@repeatable()
def radix_sort_by(*, d_in, d_out, op, num_items, order=SortOrder.ASCENDING, begin_bit=None, end_bit=None, stream=None,
                  **options):
    """Sorts elements of any type, such as structs, by what op(v) gives. Stable.

    op         gives a number, or a tuple of up to 8 numbers, of which the first one counts most
    begin_bit  of the key as one number: the last one of a tuple has the lowest bits
    """
    return RadixSortBy.once(stream, options, {"d_in": d_in, "d_out": d_out, "op": op, "order": order,
                                              "num_items": num_items, "begin_bit": begin_bit, "end_bit": end_bit})


class SegmentedRadixSort(Algorithm):
    """segmented_radix_sort"""

    lengths = {"d_in_keys": "num_items", "d_out_keys": "num_items", "d_in_values": "num_items",
               "d_out_values": "num_items"}

    @staticmethod
    def write(builder, d_in_keys, d_out_keys, d_in_values, d_out_values, offsets_in, num_items, order, begin_bit=None,
              end_bit=None):
        count = _size(builder, num_items)
        texts, copies = [], ""
        for names, d_in, d_out in ((("d_in_keys", "d_out_keys"), d_in_keys, d_out_keys),
                                   (("d_in_values", "d_out_values"), d_in_values, d_out_values)):
            if (d_in is None) != (d_out is None):
                raise ArgumentTypeError(f"argument '{names[d_in is not None]}' is missing: pass values in and out, or neither")
            if d_in is None:
                continue
            given, type_ = _input(builder, d_in, count)
            if T.strong(to_iterator(d_out)._type).ck != type_.ck:
                raise ArgumentTypeError(f"argument '{names[1]}': elements of {type_} are needed, not "
                                        f"{to_iterator(d_out)._type}")
            texts.append(f"{_output(builder, d_out, type_)}.take({count})")
            if not _same_place(d_in, d_out):
                copies += f"    transform({given}, {texts[-1]}, |v| v);\n"
        key = T.strong(to_iterator(d_in_keys)._type)
        if not isinstance(key, T.Scalar):
            raise ArgumentTypeError(f"argument 'd_in_keys': numbers are sorted, not {key}: segmented_sort sorts by any order")
        if to_iterator(offsets_in)._type.kind not in "iu":
            raise ArgumentTypeError(f"argument 'offsets_in': offsets are integers, not {to_iterator(offsets_in)._type}")
        texts.append(_input(builder, offsets_in, None)[0])
        return f"{copies}    segmented_radix_sort({', '.join(texts)}{_options(order, begin_bit, end_bit, key)});\n"

    @repeatable(SCRATCH_BYTES)
    def __call__(self, *, temp_storage, d_in_keys, d_out_keys, offsets_in, num_items, d_in_values=None,
                 d_out_values=None, begin_bit=None, end_bit=None, stream=None):
        return self.call(temp_storage, stream, {
            "d_in_keys": d_in_keys, "d_out_keys": d_out_keys, "d_in_values": d_in_values,
            "d_out_values": d_out_values, "offsets_in": offsets_in, "num_items": num_items,
            "order": self._given["order"], "begin_bit": begin_bit, "end_bit": end_bit})


def make_segmented_radix_sort(*, d_in_keys, d_out_keys, offsets_in, order=SortOrder.ASCENDING, d_in_values=None,
                              d_out_values=None, compute_capability=None):
    """An object that sorts the numbers of each segment by their bits."""
    return SegmentedRadixSort.make({
        "d_in_keys": d_in_keys, "d_out_keys": d_out_keys, "d_in_values": d_in_values, "d_out_values": d_out_values,
        "offsets_in": offsets_in, "order": order}, compute_capability)


@repeatable()
def segmented_radix_sort(*, d_in_keys, d_out_keys, offsets_in, num_items, order=SortOrder.ASCENDING, d_in_values=None,
                         d_out_values=None, begin_bit=None, end_bit=None, stream=None, **options):
    """Sorts the numbers of each segment, offsets_in[s] to offsets_in[s + 1] - 1, and values with them. Stable.

    The step is one in place: where d_out_keys is another array than d_in_keys, a copy comes first.
    """
    given = {"d_in_keys": d_in_keys, "d_out_keys": d_out_keys, "d_in_values": d_in_values,
             "d_out_values": d_out_values, "offsets_in": offsets_in, "order": order}
    return SegmentedRadixSort.once(stream, options, {
        **given, "num_items": num_items, "begin_bit": begin_bit, "end_bit": end_bit})
