# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The types of the algorithms: one-shot calls, makers, and the objects that makers give.
import enum
from typing import Any, Protocol, TypeAlias
from collections.abc import Iterable, Mapping

import numpy as np

from .determinism import Determinism
from .iterators import _Array, _Sequence
from .op import _Operator

class _HasDtype(Protocol):
    @property
    def dtype(self) -> Any: ...

# An initial value: NumPy's array of one element or scalar, or a value of a gpu_struct.
_Value: TypeAlias = _HasDtype
_Count: TypeAlias = int | np.integer[Any]
_Target: TypeAlias = int | str | tuple[int, int]
_Targets: TypeAlias = _Target | Iterable[_Target] | None

class SortOrder(enum.Enum):
    ASCENDING = 0
    DESCENDING = 1

class DoubleBuffer:
    d_buffers: list[_Array]
    selector: int
    def __init__(self, d_current: _Array, d_alternate: _Array) -> None: ...
    def current(self) -> _Array: ...
    def alternate(self) -> _Array: ...

class BuildResult:
    program: Any
    determinism: int
    def __init__(self, program: Any, determinism: Determinism = Determinism.RUN_TO_RUN) -> None: ...

class Algorithm:
    targets: tuple[int, ...]
    determinism: Determinism
    def __init__(self, given: Mapping[str, Any], targets: tuple[int, ...],
                 determinism: Determinism = Determinism.RUN_TO_RUN) -> None: ...
    @property
    def build_results(self) -> Mapping[int | str, BuildResult]: ...
    def serialize(self) -> bytes: ...

class Reduce(Algorithm):
    def __call__(self, *, temp_storage: Any, d_in: _Sequence, d_out: _Sequence, num_items: _Count,
                 op: _Operator, h_init: _Value, stream: Any = None) -> int: ...

class SegmentedReduce(Algorithm):
    def __call__(self, *, temp_storage: Any, d_in: _Sequence, d_out: _Sequence,
                 num_segments: _Count, start_offsets_in: _Sequence, end_offsets_in: _Sequence,
                 op: _Operator, h_init: _Value, max_segment_size: int | None = None,
                 stream: Any = None) -> int: ...

class Scan(Algorithm):
    def __call__(self, *, temp_storage: Any, d_in: _Sequence, d_out: _Sequence, op: _Operator,
                 init_value: _Value | None, num_items: _Count, stream: Any = None) -> int: ...

class ExclusiveScan(Scan): ...

class UnaryTransform(Algorithm):
    def __call__(self, *, d_in: _Sequence, d_out: _Sequence, op: _Operator, num_items: _Count,
                 stream: Any = None) -> None: ...

class BinaryTransform(Algorithm):
    def __call__(self, *, d_in1: _Sequence, d_in2: _Sequence, d_out: _Sequence, op: _Operator,
                 num_items: _Count, stream: Any = None) -> None: ...

class Select(Algorithm):
    def __call__(self, *, temp_storage: Any, d_in: _Sequence, d_out: _Sequence,
                 d_num_selected_out: _Sequence, cond: _Operator, num_items: _Count,
                 stream: Any = None) -> int: ...

class ThreeWayPartition(Algorithm):
    def __call__(self, *, temp_storage: Any, d_in: _Sequence, d_first_part_out: _Sequence,
                 d_second_part_out: _Sequence, d_unselected_out: _Sequence,
                 d_num_selected_out: _Sequence, select_first_part_op: _Operator,
                 select_second_part_op: _Operator, num_items: _Count,
                 stream: Any = None) -> int: ...

class UniqueByKey(Algorithm):
    def __call__(self, *, temp_storage: Any, d_in_keys: _Sequence, d_in_items: _Sequence,
                 d_out_keys: _Sequence, d_out_items: _Sequence, d_out_num_selected: _Sequence,
                 op: _Operator, num_items: _Count, stream: Any = None) -> int: ...

class HistogramEven(Algorithm):
    def __call__(self, *, temp_storage: Any, d_samples: _Sequence, d_histogram: _Sequence,
                 h_num_output_levels: Any, h_lower_level: Any, h_upper_level: Any,
                 num_samples: _Count, stream: Any = None) -> int: ...

class Search(Algorithm):
    def __call__(self, *, d_data: _Sequence, num_items: _Count, d_values: _Sequence,
                 num_values: _Count, d_out: _Sequence, comp: _Operator | None = None,
                 stream: Any = None) -> int: ...

class UpperSearch(Search): ...

def clear_all_caches() -> None: ...
def make_reduce_into(*, d_in: _Sequence, d_out: _Sequence, op: _Operator, h_init: _Value,
                     determinism: Determinism = Determinism.RUN_TO_RUN,
                     compute_capability: _Targets = None) -> Reduce: ...
def reduce_into(*, d_in: _Sequence, d_out: _Sequence, num_items: _Count, op: _Operator,
                h_init: _Value, stream: Any = None, **options: Any) -> None: ...
def make_segmented_reduce(*, d_in: _Sequence, d_out: _Sequence, start_offsets_in: _Sequence,
                          end_offsets_in: _Sequence, op: _Operator, h_init: _Value,
                          max_segment_size: int | None = None,
                          compute_capability: _Targets = None) -> SegmentedReduce: ...
def segmented_reduce(*, d_in: _Sequence, d_out: _Sequence, num_segments: _Count,
                     start_offsets_in: _Sequence, end_offsets_in: _Sequence, op: _Operator,
                     h_init: _Value, max_segment_size: int | None = None, stream: Any = None,
                     **options: Any) -> None: ...
def make_inclusive_scan(*, d_in: _Sequence, d_out: _Sequence, op: _Operator,
                        init_value: _Value | None, compute_capability: _Targets = None) -> Scan: ...
def make_exclusive_scan(*, d_in: _Sequence, d_out: _Sequence, op: _Operator, init_value: _Value,
                        compute_capability: _Targets = None) -> ExclusiveScan: ...
def inclusive_scan(*, d_in: _Sequence, d_out: _Sequence, op: _Operator,
                   init_value: _Value | None = None, num_items: _Count, stream: Any = None,
                   **options: Any) -> None: ...
def exclusive_scan(*, d_in: _Sequence, d_out: _Sequence, op: _Operator, init_value: _Value,
                   num_items: _Count, stream: Any = None, **options: Any) -> None: ...
def make_unary_transform(*, d_in: _Sequence, d_out: _Sequence, op: _Operator,
                         compute_capability: _Targets = None) -> UnaryTransform: ...
def make_binary_transform(*, d_in1: _Sequence, d_in2: _Sequence, d_out: _Sequence, op: _Operator,
                          compute_capability: _Targets = None) -> BinaryTransform: ...
def unary_transform(*, d_in: _Sequence, d_out: _Sequence, op: _Operator, num_items: _Count,
                    stream: Any = None, **options: Any) -> None: ...
def binary_transform(*, d_in1: _Sequence, d_in2: _Sequence, d_out: _Sequence, op: _Operator,
                     num_items: _Count, stream: Any = None, **options: Any) -> None: ...
def make_select(*, d_in: _Sequence, d_out: _Sequence, d_num_selected_out: _Sequence,
                cond: _Operator, compute_capability: _Targets = None) -> Select: ...
def select(*, d_in: _Sequence, d_out: _Sequence, d_num_selected_out: _Sequence, cond: _Operator,
           num_items: _Count, stream: Any = None, **options: Any) -> None: ...
def make_three_way_partition(*, d_in: _Sequence, d_first_part_out: _Sequence,
                             d_second_part_out: _Sequence, d_unselected_out: _Sequence,
                             d_num_selected_out: _Sequence, select_first_part_op: _Operator,
                             select_second_part_op: _Operator,
                             compute_capability: _Targets = None) -> ThreeWayPartition: ...
def three_way_partition(*, d_in: _Sequence, d_first_part_out: _Sequence,
                        d_second_part_out: _Sequence, d_unselected_out: _Sequence,
                        d_num_selected_out: _Sequence, select_first_part_op: _Operator,
                        select_second_part_op: _Operator, num_items: _Count, stream: Any = None,
                        **options: Any) -> None: ...
def make_unique_by_key(*, d_in_keys: _Sequence, d_in_items: _Sequence, d_out_keys: _Sequence,
                       d_out_items: _Sequence, d_out_num_selected: _Sequence, op: _Operator,
                       compute_capability: _Targets = None) -> UniqueByKey: ...
def unique_by_key(*, d_in_keys: _Sequence, d_in_items: _Sequence, d_out_keys: _Sequence,
                  d_out_items: _Sequence, d_out_num_selected: _Sequence, op: _Operator,
                  num_items: _Count, stream: Any = None, **options: Any) -> None: ...
def make_histogram_even(*, d_samples: _Sequence, d_histogram: _Sequence, h_num_output_levels: Any,
                        h_lower_level: Any, h_upper_level: Any, num_samples: _Count,
                        channels: int | None = None, compute_capability: _Targets = None) -> HistogramEven: ...
def histogram_even(*, d_samples: _Sequence, d_histogram: _Sequence, num_output_levels: _Count,
                   lower_level: Any, upper_level: Any, num_samples: _Count,
                   channels: int | None = None, stream: Any = None, **options: Any) -> None: ...
def make_lower_bound(*, d_data: _Sequence, d_values: _Sequence, d_out: _Sequence,
                     comp: _Operator | None = None,
                     compute_capability: _Targets = None) -> Search: ...
def make_upper_bound(*, d_data: _Sequence, d_values: _Sequence, d_out: _Sequence,
                     comp: _Operator | None = None,
                     compute_capability: _Targets = None) -> UpperSearch: ...
def lower_bound(*, d_data: _Sequence, num_items: _Count, d_values: _Sequence, num_values: _Count,
                d_out: _Sequence, comp: _Operator | None = None, stream: Any = None,
                **options: Any) -> None: ...
def upper_bound(*, d_data: _Sequence, num_items: _Count, d_values: _Sequence, num_values: _Count,
                d_out: _Sequence, comp: _Operator | None = None, stream: Any = None,
                **options: Any) -> None: ...
