# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The types of the sorts.
from typing import Any

from .algorithms import Algorithm, DoubleBuffer, SortOrder, _Count, _Targets
from .iterators import _Sequence
from .op import _Operator

class MergeSort(Algorithm):
    def __call__(self, *, temp_storage: Any, d_in_keys: _Sequence, d_out_keys: _Sequence,
                 num_items: _Count, op: _Operator, d_in_values: _Sequence | None = None,
                 d_out_values: _Sequence | None = None, stream: Any = None) -> int: ...

class BufferSort(Algorithm): ...

class RadixSort(BufferSort):
    def __call__(self, *, temp_storage: Any, d_in_keys: _Sequence | DoubleBuffer,
                 d_out_keys: _Sequence | None, d_in_values: _Sequence | DoubleBuffer | None,
                 d_out_values: _Sequence | None, num_items: _Count, begin_bit: int | None = None,
                 end_bit: int | None = None, stream: Any = None) -> int: ...

class SegmentedSort(BufferSort):
    def __call__(self, *, temp_storage: Any, d_in_keys: _Sequence | DoubleBuffer,
                 d_out_keys: _Sequence | None, d_in_values: _Sequence | DoubleBuffer | None,
                 d_out_values: _Sequence | None, num_items: _Count, num_segments: _Count,
                 start_offsets_in: _Sequence, end_offsets_in: _Sequence,
                 op: _Operator | None = None, stream: Any = None) -> int: ...

class RadixSortBy(Algorithm):
    def __call__(self, *, temp_storage: Any, d_in: _Sequence, d_out: _Sequence, op: _Operator,
                 num_items: _Count, begin_bit: int | None = None, end_bit: int | None = None,
                 stream: Any = None) -> int: ...

class SegmentedRadixSort(Algorithm):
    def __call__(self, *, temp_storage: Any, d_in_keys: _Sequence, d_out_keys: _Sequence,
                 offsets_in: _Sequence, num_items: _Count, d_in_values: _Sequence | None = None,
                 d_out_values: _Sequence | None = None, begin_bit: int | None = None,
                 end_bit: int | None = None, stream: Any = None) -> int: ...

def make_merge_sort(*, d_in_keys: _Sequence, d_out_keys: _Sequence, op: _Operator,
                    d_in_values: _Sequence | None = None, d_out_values: _Sequence | None = None,
                    compute_capability: _Targets = None) -> MergeSort: ...
def merge_sort(*, d_in_keys: _Sequence, d_out_keys: _Sequence, num_items: _Count, op: _Operator,
               d_in_values: _Sequence | None = None, d_out_values: _Sequence | None = None,
               stream: Any = None, **options: Any) -> None: ...
def make_radix_sort(*, d_in_keys: _Sequence | DoubleBuffer, d_out_keys: _Sequence | None,
                    order: SortOrder, d_in_values: _Sequence | DoubleBuffer | None = None,
                    d_out_values: _Sequence | None = None,
                    compute_capability: _Targets = None) -> RadixSort: ...
def radix_sort(*, d_in_keys: _Sequence | DoubleBuffer, d_out_keys: _Sequence | None,
               num_items: _Count, order: SortOrder,
               d_in_values: _Sequence | DoubleBuffer | None = None,
               d_out_values: _Sequence | None = None, begin_bit: int | None = None,
               end_bit: int | None = None, stream: Any = None, **options: Any) -> None: ...
def make_segmented_sort(*, d_in_keys: _Sequence | DoubleBuffer, d_out_keys: _Sequence | None,
                        start_offsets_in: _Sequence, end_offsets_in: _Sequence,
                        order: SortOrder = SortOrder.ASCENDING,
                        d_in_values: _Sequence | DoubleBuffer | None = None,
                        d_out_values: _Sequence | None = None, op: _Operator | None = None,
                        compute_capability: _Targets = None) -> SegmentedSort: ...
def segmented_sort(*, d_in_keys: _Sequence | DoubleBuffer, d_out_keys: _Sequence | None,
                   num_items: _Count, num_segments: _Count, start_offsets_in: _Sequence,
                   end_offsets_in: _Sequence, order: SortOrder = SortOrder.ASCENDING,
                   d_in_values: _Sequence | DoubleBuffer | None = None,
                   d_out_values: _Sequence | None = None, op: _Operator | None = None,
                   stream: Any = None, **options: Any) -> None: ...
def make_radix_sort_by(*, d_in: _Sequence, d_out: _Sequence, op: _Operator,
                       order: SortOrder = SortOrder.ASCENDING,
                       compute_capability: _Targets = None) -> RadixSortBy: ...
def radix_sort_by(*, d_in: _Sequence, d_out: _Sequence, op: _Operator, num_items: _Count,
                  order: SortOrder = SortOrder.ASCENDING, begin_bit: int | None = None,
                  end_bit: int | None = None, stream: Any = None, **options: Any) -> None: ...
def make_segmented_radix_sort(*, d_in_keys: _Sequence, d_out_keys: _Sequence, offsets_in: _Sequence,
                              order: SortOrder = SortOrder.ASCENDING,
                              d_in_values: _Sequence | None = None,
                              d_out_values: _Sequence | None = None,
                              compute_capability: _Targets = None) -> SegmentedRadixSort: ...
def segmented_radix_sort(*, d_in_keys: _Sequence, d_out_keys: _Sequence, offsets_in: _Sequence,
                         num_items: _Count, order: SortOrder = SortOrder.ASCENDING,
                         d_in_values: _Sequence | None = None,
                         d_out_values: _Sequence | None = None, begin_bit: int | None = None,
                         end_bit: int | None = None, stream: Any = None, **options: Any) -> None: ...
