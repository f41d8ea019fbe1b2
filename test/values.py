# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""values.py - numbers of CK's types for run_test.py, and the arrays made by zeros:N and the like.

NumPy has no bf16: it is uint16 in files and float32 in expressions. rand:N draws the same numbers
as `ckc test`: element i is output i of splitmix64 for the seed (compiler/ckc/value.c), so a test
that fails with one program has the same data in the other.
"""
import math

import numpy as np

DTYPES = {
    "bool": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
    "u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64, "f16": np.float16,
    "bf16": np.uint16, "f32": np.float32, "f64": np.float64,
}
# The bits of a random float's fraction: as many as its type can hold exactly.
DIGITS = {"f16": 11, "bf16": 8, "f32": 24, "f64": 53}
NEXT_SCALAR = 0xd1342543de82ef95  # added to the seed for the next scalar of a record
RANGE_MAX = 2.0 ** 53
MASK = 2 ** 64 - 1


def bf16(values):
    """The nearest bf16 values, ties to even, rounded once from f64."""
    values = np.asarray(values, np.float64)
    last = np.maximum(np.frexp(values)[1] - 8, -133)
    rounded = np.ldexp(np.rint(np.ldexp(values, -last)), last)
    return np.where(np.abs(rounded) >= 2.0 ** 128, np.copysign(np.inf, values), rounded)


def to_bf16(values):
    bits = np.ascontiguousarray(bf16(values), np.float32).view(np.uint32)
    return np.where(np.isnan(values), 0x7FC0, bits >> 16).astype(np.uint16).reshape(np.shape(values))


def from_bf16(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


def store(values, kind):
    """Converts an array to the bits in a .npy file of this type."""
    if kind == "bf16":
        return to_bf16(values)
    if kind not in DTYPES:
        raise ValueError(f"arrays of '{kind}' can't be written as text")
    if np.issubdtype(DTYPES[kind], np.integer):
        values = np.asarray(values)
        if values.dtype == object or np.issubdtype(values.dtype, np.floating):
            values = np.array([int(v) for v in values.ravel()], object).reshape(values.shape)
        info = np.iinfo(DTYPES[kind])
        if values.size and (int(values.min()) < info.min or int(values.max()) > info.max):
            raise ValueError(f"{values.min()} ... {values.max()} is not in the range of {kind}")
    return np.asarray(values).astype(DTYPES[kind])


def load(array, kind):
    """Converts stored bits to numbers to compute with."""
    return from_bf16(array) if kind == "bf16" else array


def seed_of(name):
    """The seed of an array that gives none: FNV-1a of its parameter's name."""
    seed = 0xcbf29ce484222325
    for byte in name.encode():
        seed = (seed ^ byte) * 0x100000001b3 & MASK
    return seed


def random_bits(seed, count):
    """Outputs 0 to count - 1 of splitmix64."""
    golden, first, second = (np.uint64(value) for value in
                             (0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9, 0x94d049bb133111eb))
    z = np.uint64(seed & MASK) + np.arange(1, count + 1, dtype=np.uint64) * golden
    z = (z ^ (z >> np.uint64(30))) * first
    z = (z ^ (z >> np.uint64(27))) * second
    return z ^ (z >> np.uint64(31))


def random_integers(kind, bits, limits):
    low, high = (-100, 100) if kind[0] == "i" else (0, 200)
    if limits:
        low, high = math.ceil(limits[0]), math.floor(limits[1])
    if low > high:
        return np.full(bits.shape, low, np.int64)
    return (bits % np.uint64(high - low + 1)).astype(np.int64) + low


def random_floats(kind, bits, limits):
    digits = DIGITS[kind]
    unit = (bits >> np.uint64(64 - digits)).astype(np.float64) / 2.0 ** (digits - 1) - 1
    return limits[0] + (limits[1] - limits[0]) * (unit + 1) / 2 if limits else unit


class Made:
    """zeros:N, ones:N, iota:N or rand:N, with a seed and limits if they are given."""

    def __init__(self, what, seed, limits=None):
        if limits and not -RANGE_MAX <= limits[0] <= limits[1] <= RANGE_MAX:
            raise ValueError(f"there is nothing in the range {limits[0]}..{limits[1]}")
        self.what, self.seed, self.limits = what, seed, limits

    def numbers(self, kind, count, scalar=0):
        """Generates `count` numbers of a type, in the form in files; `scalar`: the index of the
        scalar in a record."""
        if self.what in ("zeros", "ones"):
            return store(np.full(count, int(self.what == "ones")), kind)
        if self.what == "iota":
            index = np.arange(count, dtype=np.int64)
            return to_bf16(index) if kind == "bf16" else \
                (index & 1 if kind == "bool" else index).astype(DTYPES[kind])
        bits = random_bits(self.seed + scalar * NEXT_SCALAR, count)
        if kind == "bool":
            return (bits >> np.uint64(63)).astype(np.bool_)
        if kind in DIGITS:
            values = random_floats(kind, bits, self.limits)
            return to_bf16(values) if kind == "bf16" else values.astype(DTYPES[kind])
        return random_integers(kind, bits, self.limits).astype(DTYPES[kind])
