# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""_types.py - the types of translated Python code, and how two of them promote.

A value of a Python function has one of these types, each with its spelling in CK:

    Scalar    i32        a NumPy scalar
    Weak      i64, f64   a Python int or float, which takes the type of what it is combined with
    Complex   (f32, f32) a pair of a real and an imaginary part
    Tuple     (i64, f32) a tuple, a gpu_struct or an element of a structured dtype, by field
    Span      f32[]      an array that the function captures

A struct is a CK tuple: its fields are elements by number, its layout is C's, and two structs of
equal fields are one type, as cuda.compute has it. A struct of one field is that field.

Promotion is NumPy 2's: np.promote_types for two scalars; a weak int leaves the other's type as it
is, and a weak float makes an integer an f64.
"""
import numpy as np

from .errors import ArgumentTypeError

SCALARS = {
    "bool": "bool", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "u8",
    "uint16": "u16", "uint32": "u32", "uint64": "u64", "float16": "f16", "bfloat16": "bf16",
    "float32": "f32", "float64": "f64",
}


class Type:
    """A type; equal ones are equal as keys."""

    key = ()

    def __eq__(self, other):
        return isinstance(other, Type) and self.key == other.key

    def __hash__(self):
        return hash(self.key)

    def __repr__(self):
        return self.spelling


class Scalar(Type):
    """A NumPy scalar."""

    def __init__(self, dtype):
        self.dtype = np.dtype(dtype)
        self.ck = SCALARS[self.dtype.name]
        self.kind = "f" if self.ck == "bf16" else self.dtype.kind  # b i u f
        self.bits = 8 * self.dtype.itemsize
        self.key = ("scalar", self.ck)
        self.spelling = self.dtype.name

    def holds(self, number):
        """Whether an integer type has this value."""
        if self.kind == "b":
            return number in (0, 1)
        low = -(1 << self.bits - 1) if self.kind == "i" else 0
        return low <= number < low + (1 << self.bits)


class Weak(Type):
    """A Python int or float whose value is known at run time only."""

    def __init__(self, kind):
        self.kind = kind  # i f
        self.ck = {"i": "i64", "f": "f64"}[kind]
        self.dtype = np.dtype({"i": np.int64, "f": np.float64}[kind])
        self.key = ("weak", kind)
        self.spelling = {"i": "int", "f": "float"}[kind]


class Complex(Type):
    """A complex number of two f32 or two f64."""

    kind = "c"

    def __init__(self, dtype):
        self.dtype = np.dtype(dtype)
        self.part = F32 if self.dtype.itemsize == 8 else F64
        self.ck = f"({self.part.ck}, {self.part.ck})"
        self.key = ("complex", self.part.ck)
        self.spelling = self.dtype.name


class Tuple(Type):
    """A tuple or a struct. Names are part of the type: a field is asked for by them."""

    kind = "t"

    def __init__(self, elements, names=None):
        self.elements = tuple(elements)
        self.names = tuple(names) if names else None
        self._dtype = None
        spelled = [e.ck for e in self.elements]
        self.ck = spelled[0] if len(spelled) == 1 else "(" + ", ".join(spelled) + ")"
        self.key = ("tuple", tuple(e.key for e in self.elements), self.names)
        named = zip(self.names, self.elements) if names else self.elements
        self.spelling = "(" + ", ".join(
            f"{e[0]}: {e[1].spelling}" if isinstance(e, tuple) else e.spelling for e in named) + ")"

    @property
    def dtype(self):
        if self._dtype is None:
            names = self.names or [f"value_{i}" for i in range(len(self.elements))]
            self._dtype = np.dtype([(n, e.dtype) for n, e in zip(names, self.elements)], align=True)
        return self._dtype


class Span(Type):
    """An array that a function captures: its elements are read, and written if it says so."""

    kind = "s"

    def __init__(self, element, rank):
        self.element, self.rank = element, rank
        self.ck = f"{element.ck}[{',' * (rank - 1)}]"
        self.key = ("span", element.key, rank)
        self.spelling = f"array of {element.spelling}"


BOOL = Scalar(np.bool_)
I8, I16, I32, I64 = (Scalar(t) for t in (np.int8, np.int16, np.int32, np.int64))
U8, U16, U32, U64 = (Scalar(t) for t in (np.uint8, np.uint16, np.uint32, np.uint64))
F16, F32, F64 = (Scalar(t) for t in (np.float16, np.float32, np.float64))
C64, C128 = Complex(np.complex64), Complex(np.complex128)
INT, FLOAT = Weak("i"), Weak("f")


_MADE = {}


def from_dtype(dtype):
    """The type of an element of an array. Fails with TypeError for one that CK doesn't have."""
    made = _MADE.get(dtype) if isinstance(dtype, np.dtype) else None
    if made is None:
        dtype = np.dtype(dtype)
        made = _MADE[dtype] = _MADE.get(dtype) or _new(dtype)
    return made


def _new(dtype):
    if not dtype.isnative:
        raise ArgumentTypeError(f"the bytes of {dtype} are in the other order: convert the array")
    if dtype.name in SCALARS:
        return Scalar(dtype)
    if dtype.kind == "c" and dtype.itemsize in (8, 16):
        return Complex(dtype)
    if dtype.names:
        fields = [dtype.fields[n] for n in dtype.names]
        made = Tuple([from_dtype(f[0]) for f in fields], dtype.names)
        places = [made.dtype.fields[n][1] for n in made.names]
        if [f[1] for f in fields] != places or dtype.itemsize != made.dtype.itemsize:
            raise ArgumentTypeError(f"the fields of {dtype} don't lie where C puts them: make the dtype with align=True")
        return made
    raise ArgumentTypeError(f"there is no type in CK for elements of {dtype}")


def is_number(type_):
    return isinstance(type_, (Scalar, Weak, Complex))


def strong(type_):
    """The type in memory: a Python int is an int64, a float a float64."""
    if isinstance(type_, Weak):
        return I64 if type_.kind == "i" else F64
    if isinstance(type_, Tuple):
        return Tuple([strong(e) for e in type_.elements], type_.names)
    return type_


def _promote_bfloat(a, b):
    if a.kind == "f" and b.kind == "f":
        return a if a == b else F64 if F64 in (a, b) else F32
    return a if a.ck == "bf16" else b


def promote(a, b):
    """The type in which two values are combined; None if there is none."""
    if a == b:
        return a
    if isinstance(a, Tuple) and isinstance(b, Tuple) and len(a.elements) == len(b.elements):
        elements = [promote(x, y) for x, y in zip(a.elements, b.elements)]
        return None if None in elements else Tuple(elements, a.names or b.names)
    if isinstance(a, Tuple) and len(a.elements) == 1 and is_number(b):
        a, b = b, a
    if isinstance(b, Tuple) and len(b.elements) == 1 and is_number(a):
        return promote(a, b.elements[0])
    if not (is_number(a) and is_number(b)):
        return None
    if isinstance(a, Weak) and isinstance(b, Weak):
        return FLOAT
    if isinstance(a, Weak):
        a, b = b, a
    if isinstance(b, Weak):
        if a.kind == "b":
            return I64 if b.kind == "i" else F64
        return F64 if a.kind in "iu" and b.kind == "f" else a
    if "bf16" in (a.ck, b.ck):
        return _promote_bfloat(a, b)
    return from_dtype(np.promote_types(a.dtype, b.dtype))
