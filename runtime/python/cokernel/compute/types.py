# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""types.py - descriptors of element types: int32, float64, struct({...}), from_numpy_dtype(dtype).

A descriptor is a NumPy dtype that can be compared; two structs are equal if their fields are, in
order and by name.
"""
import numpy as np

from .. import _types


class TypeDescriptor:
    """An element type."""

    def __init__(self, dtype):
        self.dtype = np.dtype(dtype)
        self.ck = _types.from_dtype(self.dtype)

    @property
    def size(self):
        return self.dtype.itemsize

    @property
    def alignment(self):
        return self.dtype.alignment

    @property
    def info(self):
        return self

    def pointer(self):
        """The descriptor of a pointer to this type."""
        return PointerTypeDescriptor(self)

    def __repr__(self):
        return f"TypeDescriptor({self.dtype})"

    def __eq__(self, other):
        return type(other) is type(self) and self.dtype == other.dtype

    def __hash__(self):
        return hash(self.dtype)


class StructTypeDescriptor(TypeDescriptor):
    """A struct; its fields lie where C puts them."""

    def __init__(self, fields, name="AnonStruct"):
        super().__init__(np.dtype([(n, t.dtype) for n, t in fields.items()], align=True))
        self.fields, self.name = dict(fields), name

    def __repr__(self):
        return f"StructTypeDescriptor({self.name}, dtype={self.dtype})"

    def __eq__(self, other):
        return isinstance(other, StructTypeDescriptor) and list(self.fields.items()) == list(other.fields.items())

    def __hash__(self):
        return hash(tuple(self.fields.items()))


class PointerTypeDescriptor(TypeDescriptor):
    """A pointer: an unsigned integer of 64 bits that knows what it points to."""

    def __init__(self, pointee):
        super().__init__(np.uint64)
        self.pointee = pointee

    def __repr__(self):
        return f"PointerTypeDescriptor({self.pointee})"

    def __eq__(self, other):
        return isinstance(other, PointerTypeDescriptor) and self.pointee == other.pointee

    def __hash__(self):
        return hash(("pointer", self.pointee))


def struct(fields, name="AnonStruct"):
    """The descriptor of a struct with these fields, by name."""
    return StructTypeDescriptor(fields, name)


def pointer(pointee):
    """The descriptor of a pointer."""
    return PointerTypeDescriptor(pointee)


def from_numpy_dtype(dtype):
    """The descriptor of a NumPy dtype, also of a structured one."""
    dtype = np.dtype(dtype)
    if dtype.names:
        return struct({n: from_numpy_dtype(dtype.fields[n][0]) for n in dtype.names})
    return TypeDescriptor(dtype)


def to_ctypes_type(descriptor):
    """The ctypes type of a descriptor."""
    return np.ctypeslib.as_ctypes_type(descriptor.dtype)


int8, int16, int32, int64 = (TypeDescriptor(t) for t in (np.int8, np.int16, np.int32, np.int64))
uint8, uint16, uint32, uint64 = (TypeDescriptor(t) for t in (np.uint8, np.uint16, np.uint32, np.uint64))
float16, float32, float64 = (TypeDescriptor(t) for t in (np.float16, np.float32, np.float64))
complex64, complex128 = TypeDescriptor(np.complex64), TypeDescriptor(np.complex128)
boolean = TypeDescriptor(np.bool_)

__all__ = ["TypeDescriptor", "StructTypeDescriptor", "PointerTypeDescriptor", "boolean", "complex64", "complex128",
           "float16", "float32", "float64", "from_numpy_dtype", "int16", "int32", "int64", "int8", "pointer",
           "struct", "to_ctypes_type", "uint16", "uint32", "uint64", "uint8"]
