# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tables.py - algorithms of arrays of two axes: top_k_rows, and histograms of samples with channels.

The steps take such arrays as spans of two extents, or as sequences of rows:

    d_samples  (n, 4)      p0.window<4>().strided(4).take(n)     a row is an array of 4 elements
    d_histogram  (3, bins)      p1: inout i32[e0, e1]            bins of the first 3 columns

Extents and lengths are arguments of a launch. The number of columns of samples is part of the text,
and so is that an array has two axes in C's order: later calls compare both (Builder.relations).
"""
import functools

import numpy as np

from .. import _types as T
from ..errors import ArgumentError, ArgumentTypeError, RangeError, UnsupportedError
from . import _arguments
from ._proxy import is_proxy
from ._recipe import Size, repeatable
from .algorithms import SCRATCH_BYTES, Algorithm, SortOrder, _input
from .iterators import to_iterator

_MOST_SORTED = 4096  # elements of a row of top_k


def _is_table(array):
    """Whether an array has two axes and lies in C's order."""
    if len(_arguments.shape_of(array)) != 2:
        return False
    try:
        _arguments.check_order(array, is_by_index=True)
    except ArgumentError:
        return False
    return True


def _table(name, array):
    """The shape of an operand. Fails with ArgumentError if it is no array of two axes."""
    if not _arguments.is_array(array) or is_proxy(array):
        raise ArgumentTypeError(f"argument '{name}': an array of two axes is needed, not {type(array).__name__}")
    if not _is_table(array):
        raise ArgumentError(f"argument '{name}': an array of two axes in C's order is needed, got one of shape "
                            f"{_arguments.shape_of(array)}: reshape it, or copy it with ascontiguousarray()")
    return _arguments.shape_of(array)


# ---- channels ---------------------------------------------------------------------------------------


def _has_samples(columns, samples, count):
    return _is_table(samples) and _arguments.shape_of(samples)[1] == columns and \
        _arguments.shape_of(samples)[0] >= int(count)


def _has_channels(channels, histogram, _):
    return _is_table(histogram) and _arguments.shape_of(histogram)[0] == channels


def samples_with_channels(builder, d_samples, num_samples, count, type_):
    """The rows of an array of samples, with elements of a type.

    num_samples  the operand, and its name
    count        its parameter in the text
    """
    rows, columns = _table("d_samples", d_samples)
    wanted, name = num_samples
    if rows < int(wanted or 0):
        raise ArgumentError(f"argument 'd_samples' has {rows} rows, and {name} is {int(wanted)}: pass a longer array")
    if isinstance(wanted, Size):
        builder.relations.append((d_samples, wanted, functools.partial(_has_samples, columns)))
    text, _ = _input(builder, d_samples, None, type_)
    return f"{text}.window<{columns}>().strided({columns}).take({count})"


def bins_with_channels(builder, d_samples, d_histogram, channels):
    """A span of the bins of each channel."""
    columns, there = _table("d_samples", d_samples)[1], _table("d_histogram", d_histogram)[0]
    if isinstance(channels, bool) or not isinstance(channels, int):
        raise ArgumentTypeError(f"argument 'channels': expected a whole number, got {type(channels).__name__} {channels!r}")
    if not 1 <= channels <= columns:
        raise RangeError(f"argument 'channels': {channels} is out of range, 1 to {columns}, the columns of 'd_samples'")
    if there != channels:
        raise ArgumentError(f"argument 'd_histogram' has {there} rows, and channels is {channels}: pass an array with a row "
                            "for each channel")
    builder.relations.append((d_histogram, d_histogram, functools.partial(_has_channels, channels)))
    return builder.matrix(T.strong(to_iterator(d_histogram)._type), d_histogram, True)


# ---- rows -------------------------------------------------------------------------------------------


def _has_rows(is_sorted, there, to):
    """Whether an array is as high as another one, with rows of not too many elements."""
    return _is_table(there) and _is_table(to) and _arguments.shape_of(to)[0] >= _arguments.shape_of(there)[0] and \
        (not is_sorted or min(_arguments.shape_of(there)[1], _arguments.shape_of(to)[1]) <= _MOST_SORTED)


def _has_places(to, places):
    return _is_table(places) and _arguments.shape_of(places) == _arguments.shape_of(to)


def _last_fits(most, there, _):
    """Whether a number of a type is the last place of a row."""
    return _arguments.shape_of(there)[1] <= most + 1


class TopKRows(Algorithm):
    """top_k_rows"""

    sizes = ()

    @staticmethod
    def write(builder, d_in, d_out, order, d_places_out=None, is_sorted=True):
        (rows, columns), (rows_to, k) = _table("d_in", d_in), _table("d_out", d_out)
        type_ = T.strong(to_iterator(d_in)._type)
        if not isinstance(type_, T.Scalar):
            raise ArgumentTypeError(f"argument 'd_in': numbers are chosen, not {type_}")
        if T.strong(to_iterator(d_out)._type).ck != type_.ck:
            raise ArgumentTypeError(f"argument 'd_out': elements of {type_} are needed, not {to_iterator(d_out)._type}")
        if rows_to < rows:
            raise ArgumentError(f"argument 'd_out' has {rows_to} rows, and 'd_in' has {rows}: pass a longer array")
        if is_sorted and min(columns, k) > _MOST_SORTED:
            raise UnsupportedError(f"argument 'd_out' has rows of {k} elements, and sorted rows have at most {_MOST_SORTED}: "
                                   "pass is_sorted=False")
        builder.relations.append((d_in, d_out, functools.partial(_has_rows, is_sorted)))
        operands = [builder.matrix(type_, d_in, False), builder.matrix(type_, d_out, True)]
        if d_places_out is not None:
            if _table("d_places_out", d_places_out) != (rows_to, k):
                raise ArgumentError(f"argument 'd_places_out' has the shape {_arguments.shape_of(d_places_out)}, and 'd_out' "
                                    f"has {(rows_to, k)}: pass an array of the same shape")
            places = T.strong(to_iterator(d_places_out)._type)
            if places.kind not in "iu":
                raise ArgumentTypeError(f"argument 'd_places_out': places are integers, not {places}")
            most = int(np.iinfo(places.dtype).max)
            if columns > most + 1:
                raise ArgumentError(f"argument 'd_places_out': {places} counts to {most}, and the last place of a row is "
                                    f"{columns - 1}: pass an array of a larger type")
            builder.relations.append((d_out, d_places_out, _has_places))
            builder.relations.append((d_in, d_places_out, functools.partial(_last_fits, most)))
            operands.append(builder.matrix(places, d_places_out, True))
        options = ("" if order is SortOrder.DESCENDING else ", descending = false") + (
            "" if is_sorted else ", sorted = false")
        return f"    top_k({', '.join(operands)}{options});\n"

    @repeatable(SCRATCH_BYTES)
    def __call__(self, *, temp_storage, d_in, d_out, d_places_out=None, stream=None):
        return self.call(temp_storage, stream, {
            "d_in": d_in, "d_out": d_out, "order": self._given["order"], "d_places_out": d_places_out,
            "is_sorted": self._given["is_sorted"]})


def make_top_k_rows(*, d_in, d_out, order=SortOrder.DESCENDING, d_places_out=None, is_sorted=True,
                    compute_capability=None):
    """An object that chooses the greatest or least numbers of each row."""
    return TopKRows.make({"d_in": d_in, "d_out": d_out, "order": order, "d_places_out": d_places_out,
                          "is_sorted": is_sorted}, compute_capability)


@repeatable()
def top_k_rows(*, d_in, d_out, order=SortOrder.DESCENDING, d_places_out=None, is_sorted=True, stream=None, **options):
    """Of each row of d_in, an array of two axes, as many of the greatest numbers as a row of d_out has.

    order         SortOrder.ASCENDING: the least ones
    d_places_out  an array of integers of the shape of d_out: where the numbers are in their row; or None
    is_sorted     False: in no order. Sorted rows have at most 4096 elements
    """
    return TopKRows.once(stream, options, {"d_in": d_in, "d_out": d_out, "order": order, "d_places_out": d_places_out,
                                           "is_sorted": is_sorted})


__all__ = ["make_top_k_rows", "top_k_rows"]
