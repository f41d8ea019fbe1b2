# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The types of the algorithms of arrays of two axes.
from typing import Any

from .algorithms import Algorithm, SortOrder, _Targets
from .iterators import _Array

class TopKRows(Algorithm):
    def __call__(self, *, temp_storage: Any, d_in: _Array, d_out: _Array,
                 d_places_out: _Array | None = None, stream: Any = None) -> int: ...

def make_top_k_rows(*, d_in: _Array, d_out: _Array, order: SortOrder = SortOrder.DESCENDING,
                    d_places_out: _Array | None = None, is_sorted: bool = True,
                    compute_capability: _Targets = None) -> TopKRows: ...
def top_k_rows(*, d_in: _Array, d_out: _Array, order: SortOrder = SortOrder.DESCENDING,
               d_places_out: _Array | None = None, is_sorted: bool = True, stream: Any = None,
               **options: Any) -> None: ...
