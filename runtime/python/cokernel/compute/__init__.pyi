# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The types of the package: names of its modules, and what comes of private ones.
from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import ArgumentTypeError, CompileError
from . import iterators as iterators, op as op, steps as steps, tables as tables, types as types
from .algorithms import Algorithm, DoubleBuffer as DoubleBuffer, SortOrder as SortOrder
from .algorithms import binary_transform as binary_transform, clear_all_caches as clear_all_caches
from .algorithms import exclusive_scan as exclusive_scan, histogram_even as histogram_even
from .algorithms import inclusive_scan as inclusive_scan, lower_bound as lower_bound
from .algorithms import make_binary_transform as make_binary_transform
from .algorithms import make_exclusive_scan as make_exclusive_scan
from .algorithms import make_histogram_even as make_histogram_even
from .algorithms import make_inclusive_scan as make_inclusive_scan
from .algorithms import make_lower_bound as make_lower_bound, make_reduce_into as make_reduce_into
from .algorithms import make_segmented_reduce as make_segmented_reduce, make_select as make_select
from .algorithms import make_three_way_partition as make_three_way_partition
from .algorithms import make_unary_transform as make_unary_transform
from .algorithms import make_unique_by_key as make_unique_by_key
from .algorithms import make_upper_bound as make_upper_bound, reduce_into as reduce_into
from .algorithms import segmented_reduce as segmented_reduce, select as select
from .algorithms import three_way_partition as three_way_partition
from .algorithms import unary_transform as unary_transform, unique_by_key as unique_by_key
from .algorithms import upper_bound as upper_bound
from .determinism import Determinism as Determinism
from .iterators import CacheModifiedInputIterator as CacheModifiedInputIterator
from .iterators import ConstantIterator as ConstantIterator, CountingIterator as CountingIterator
from .iterators import DiscardIterator as DiscardIterator
from .iterators import PermutationIterator as PermutationIterator
from .iterators import ReverseIterator as ReverseIterator, ShuffleIterator as ShuffleIterator
from .iterators import TransformIterator as TransformIterator
from .iterators import TransformOutputIterator as TransformOutputIterator
from .iterators import ZipIterator as ZipIterator
from .op import OpKind as OpKind, RawOp as RawOp
from .sorts import make_merge_sort as make_merge_sort, make_radix_sort as make_radix_sort
from .sorts import make_segmented_sort as make_segmented_sort, merge_sort as merge_sort
from .sorts import radix_sort as radix_sort, segmented_sort as segmented_sort
from .sorts import make_radix_sort_by as make_radix_sort_by, radix_sort_by as radix_sort_by
from .sorts import make_segmented_radix_sort as make_segmented_radix_sort
from .sorts import segmented_radix_sort as segmented_radix_sort
from .struct import gpu_struct as gpu_struct
from .tables import make_top_k_rows as make_top_k_rows, top_k_rows as top_k_rows
from .steps import make_nary_transform as make_nary_transform, nary_transform as nary_transform
from .steps import argminmax as argminmax, make_argminmax as make_argminmax
from .steps import merge_pairs as merge_pairs, make_merge_pairs as make_merge_pairs
from .steps import histogram_by as histogram_by, make_histogram_by as make_histogram_by
from .steps import fill as fill, generate as generate, make_top_k as make_top_k, top_k as top_k
from .steps import unique as unique, make_unique as make_unique
from .steps import run_length_encode as run_length_encode
from .steps import make_run_length_encode as make_run_length_encode
from .steps import nontrivial_runs as nontrivial_runs, make_nontrivial_runs as make_nontrivial_runs
from .steps import reduce_by_key as reduce_by_key, make_reduce_by_key as make_reduce_by_key
from .steps import inclusive_scan_by_key as inclusive_scan_by_key
from .steps import make_inclusive_scan_by_key as make_inclusive_scan_by_key
from .steps import exclusive_scan_by_key as exclusive_scan_by_key
from .steps import make_exclusive_scan_by_key as make_exclusive_scan_by_key
from .steps import select_flagged as select_flagged, make_select_flagged as make_select_flagged
from .steps import partition as partition, make_partition as make_partition
from .steps import transform_if as transform_if, make_transform_if as make_transform_if
from .steps import for_each as for_each, make_for_each as make_for_each
from .steps import adjacent_difference as adjacent_difference
from .steps import make_adjacent_difference as make_adjacent_difference, find_if as find_if
from .steps import make_find_if as make_find_if, is_sorted as is_sorted
from .steps import batched_copy as batched_copy, make_batched_copy as make_batched_copy
from .steps import make_is_sorted as make_is_sorted, equal as equal, make_equal as make_equal
from .steps import mismatch as mismatch, make_mismatch as make_mismatch, argmin as argmin
from .steps import make_argmin as make_argmin, argmax as argmax, make_argmax as make_argmax
from .steps import merge as merge, make_merge as make_merge, set_union as set_union
from .steps import make_set_union as make_set_union, set_intersection as set_intersection
from .steps import make_set_intersection as make_set_intersection, set_difference as set_difference
from .steps import make_set_difference as make_set_difference
from .steps import set_symmetric_difference as set_symmetric_difference
from .steps import make_set_symmetric_difference as make_set_symmetric_difference
from .steps import histogram_range as histogram_range, make_histogram_range as make_histogram_range
from .steps import inclusive_segmented_scan as inclusive_segmented_scan
from .steps import make_inclusive_segmented_scan as make_inclusive_segmented_scan
from .steps import exclusive_segmented_scan as exclusive_segmented_scan
from .steps import make_exclusive_segmented_scan as make_exclusive_segmented_scan

class TranslationError(ArgumentTypeError):
    message: str
    file: str | None
    line: int | None
    column: int | None
    def __init__(self, message: str, file: str | None = None, line: int | None = None,
                 column: int | None = None, end: int | None = None, text: str | None = None) -> None: ...

class BuildError(CompileError):
    source: str

class ProxyArray:
    is_proxy: bool
    dtype: np.dtype[Any]
    def __init__(self, dtype: npt.DTypeLike) -> None: ...
    @property
    def __cuda_array_interface__(self) -> Any: ...

class ProxyValue:
    is_proxy: bool
    dtype: np.dtype[Any]
    def __init__(self, dtype: npt.DTypeLike) -> None: ...

class _Atomics:
    def add(self, array: Any, index: Any, value: Any) -> Any: ...
    def sub(self, array: Any, index: Any, value: Any) -> Any: ...
    def min(self, array: Any, index: Any, value: Any) -> Any: ...
    def max(self, array: Any, index: Any, value: Any) -> Any: ...
    def and_(self, array: Any, index: Any, value: Any) -> Any: ...
    def or_(self, array: Any, index: Any, value: Any) -> Any: ...
    def xor(self, array: Any, index: Any, value: Any) -> Any: ...
    def exchange(self, array: Any, index: Any, value: Any) -> Any: ...

atomic: _Atomics

def serialize(algorithm: Algorithm) -> bytes: ...
def deserialize(data: bytes | bytearray | memoryview) -> Any: ...
