# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""__init__.py - algorithms of a whole device, with the names and arguments of cuda.compute.

    from cokernel import compute
    import numpy as np
    x, y = np.arange(10, dtype="i4"), np.zeros(1, "i4")
    compute.reduce_into(d_in=x, d_out=y, num_items=10, op=lambda a, b: a + b, h_init=np.zeros(1, "i4"))

Operators are Python functions, which become CK, members of OpKind, CK text, or LTO-IR (RawOp). Beyond
cuda.compute there is what steps.py and tables.py list: top_k, run_length_encode, reduce_by_key and more.
"""
from .._atomic import atomic
from .._source import TranslationError
from . import iterators, op, types
from ._engine import BuildError
from ._proxy import ProxyArray, ProxyValue
from ._serialize import deserialize, serialize
from .algorithms import DoubleBuffer, SortOrder, binary_transform, clear_all_caches, exclusive_scan, histogram_even, \
    inclusive_scan, lower_bound, make_binary_transform, make_exclusive_scan, make_histogram_even, \
    make_inclusive_scan, make_lower_bound, make_reduce_into, make_segmented_reduce, make_select, \
    make_three_way_partition, make_unary_transform, make_unique_by_key, make_upper_bound, reduce_into, \
    segmented_reduce, select, three_way_partition, unary_transform, unique_by_key, upper_bound
from .determinism import Determinism
from .iterators import CacheModifiedInputIterator, ConstantIterator, CountingIterator, DiscardIterator, \
    PermutationIterator, ReverseIterator, ShuffleIterator, TransformIterator, TransformOutputIterator, ZipIterator
from .op import OpKind, RawOp
from . import steps, tables
from .steps import *  # noqa: F403
from .sorts import make_merge_sort, make_radix_sort, make_radix_sort_by, make_segmented_radix_sort, \
    make_segmented_sort, merge_sort, radix_sort, radix_sort_by, segmented_radix_sort, segmented_sort
from .struct import gpu_struct
from .tables import make_top_k_rows, top_k_rows

__all__ = [
    "BuildError", "CacheModifiedInputIterator", "ConstantIterator", "CountingIterator", "Determinism",
    "DiscardIterator", "DoubleBuffer", "OpKind", "PermutationIterator", "ProxyArray", "ProxyValue", "RawOp",
    "ReverseIterator", "ShuffleIterator", "SortOrder", "TransformIterator", "TransformOutputIterator",
    "TranslationError", "ZipIterator", "atomic", "binary_transform", "clear_all_caches", "deserialize",
    "exclusive_scan", "gpu_struct", "histogram_even", "inclusive_scan", "iterators", "lower_bound",
    "make_binary_transform", "make_exclusive_scan", "make_histogram_even", "make_inclusive_scan",
    "make_lower_bound", "make_merge_sort", "make_radix_sort", "make_radix_sort_by", "make_reduce_into",
    "make_segmented_radix_sort", "make_segmented_reduce", "make_segmented_sort", "make_select",
    "make_three_way_partition", "make_top_k_rows", "make_unary_transform", "make_unique_by_key",
    "make_upper_bound", "merge_sort", "op", "radix_sort", "radix_sort_by", "reduce_into",
    "segmented_radix_sort", "segmented_reduce", "segmented_sort", "select", "serialize",
    "three_way_partition", "top_k_rows", "types", "unary_transform", "unique_by_key", "upper_bound"] + steps.__all__

for _error in (BuildError, TranslationError):
    _error.__module__ = __name__  # tracebacks show where they are caught from
