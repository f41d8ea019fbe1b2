# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The types of iterators.py.
from typing import Any, Literal, Protocol, TypeAlias, TypeVar, overload
from collections.abc import Sequence

import numpy as np

from .op import _Operator
from .types import TypeDescriptor

class _CudaArray(Protocol):
    @property
    def __cuda_array_interface__(self) -> Any: ...

class _DlpackArray(Protocol):
    def __dlpack__(self, *args: Any, **options: Any) -> Any: ...

_Array: TypeAlias = np.ndarray[Any, Any] | _CudaArray | _DlpackArray
_Self = TypeVar("_Self", bound="IteratorBase")

class IteratorBase:
    is_input_iterator: bool
    is_output_iterator: bool
    @property
    def value_type(self) -> TypeDescriptor: ...
    @property
    def dtype(self) -> np.dtype[Any]: ...
    @property
    def children(self) -> tuple[IteratorBase, ...]: ...
    @property
    def kind(self) -> tuple[Any, ...]: ...
    def __add__(self: _Self, offset: int) -> _Self: ...
    def __radd__(self: _Self, offset: int) -> _Self: ...

# What an algorithm reads or writes.
_Sequence: TypeAlias = _Array | IteratorBase

class PointerIterator(IteratorBase):
    def __init__(self, array: _Array, offset: int = 0) -> None: ...

class CountingIterator(IteratorBase):
    def __init__(self, start: Any) -> None: ...

class ConstantIterator(IteratorBase):
    def __init__(self, value: Any) -> None: ...

class CacheModifiedInputIterator(IteratorBase):
    def __init__(self, array: _Array, modifier: Literal["stream", "global", "volatile"] = "stream",
                 _offset: int = 0) -> None: ...

class TransformIterator(IteratorBase):
    def __init__(self, underlying: _Sequence, transform_op: _Operator, value_type: Any = None,
                 is_input: bool = True) -> None: ...

class TransformOutputIterator(TransformIterator):
    def __init__(self, underlying: _Sequence, transform_op: _Operator,
                 output_value_type: Any = None) -> None: ...

class ReverseIterator(IteratorBase):
    def __init__(self, underlying: _Sequence) -> None: ...

class ZipIterator(IteratorBase):
    @overload
    def __init__(self, iterators: Sequence[_Sequence], /) -> None: ...
    @overload
    def __init__(self, *args: _Sequence) -> None: ...

class PermutationIterator(IteratorBase):
    def __init__(self, values: _Sequence, indices: _Sequence) -> None: ...

class ShuffleIterator(IteratorBase):
    def __init__(self, num_items: int, seed: int = 0, *, _offset: int = 0) -> None: ...

class DiscardIterator(IteratorBase):
    def __init__(self, reference_iterator: _Sequence | None = None) -> None: ...

def plain_value(value: Any) -> Any: ...
def to_iterator(obj: _Sequence) -> IteratorBase: ...
