# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The types of types.py.
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

class TypeDescriptor:
    dtype: np.dtype[Any]
    ck: Any
    def __init__(self, dtype: npt.DTypeLike) -> None: ...
    @property
    def size(self) -> int: ...
    @property
    def alignment(self) -> int: ...
    @property
    def info(self) -> TypeDescriptor: ...
    def pointer(self) -> PointerTypeDescriptor: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

class StructTypeDescriptor(TypeDescriptor):
    fields: dict[str, TypeDescriptor]
    name: str
    def __init__(self, fields: Mapping[str, TypeDescriptor], name: str = "AnonStruct") -> None: ...

class PointerTypeDescriptor(TypeDescriptor):
    pointee: TypeDescriptor
    def __init__(self, pointee: TypeDescriptor) -> None: ...

def struct(fields: Mapping[str, TypeDescriptor], name: str = "AnonStruct") -> StructTypeDescriptor: ...
def pointer(pointee: TypeDescriptor) -> PointerTypeDescriptor: ...
def from_numpy_dtype(dtype: npt.DTypeLike) -> TypeDescriptor: ...
def to_ctypes_type(descriptor: TypeDescriptor) -> type[Any]: ...

int8: TypeDescriptor
int16: TypeDescriptor
int32: TypeDescriptor
int64: TypeDescriptor
uint8: TypeDescriptor
uint16: TypeDescriptor
uint32: TypeDescriptor
uint64: TypeDescriptor
float16: TypeDescriptor
float32: TypeDescriptor
float64: TypeDescriptor
complex64: TypeDescriptor
complex128: TypeDescriptor
boolean: TypeDescriptor
