# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""exact.py - the results of operations by exact arithmetic; values are given as bits, in Python
integers.

A float is decoded into a fraction, and a result is rounded once from its exact value, to nearest or
as a word of front/memory.def says. Infinities, NaN and the signs of zeros come from Python's own
floats, which follow IEEE 754 and can hold every value of the narrower types. Every NaN is NAN.
"""
import math
import struct
from fractions import Fraction

NAN = "nan"
# bits of the exponent, bits of the fraction
FORMATS = {"f16": (5, 10), "bf16": (8, 7), "f32": (8, 23), "f64": (11, 52)}
SIGNED = ["i8", "i16", "i32", "i64"]
UNSIGNED = ["u8", "u16", "u32", "u64"]
INTS = SIGNED + UNSIGNED
FLOATS = list(FORMATS)
WIDTH = {"bool": 1, "f16": 16, "bf16": 16, "f32": 32, "f64": 64, **{k: int(k[1:]) for k in INTS}}


def is_signed(kind):
    return kind in SIGNED


def wrap(kind, value):
    """Returns the bits of an integer as an unsigned number."""
    return value % (1 << WIDTH[kind])


def limits(kind):
    if is_signed(kind):
        return -(1 << (WIDTH[kind] - 1)), (1 << (WIDTH[kind] - 1)) - 1
    return 0, (1 << WIDTH[kind]) - 1


def decode(kind, bits):
    """Returns the value of bits: an int or a bool; for floats a Python float, which can hold all of
    them."""
    if kind == "bool":
        return bool(bits)
    if kind not in FORMATS:
        return bits - (1 << WIDTH[kind]) if is_signed(kind) and bits >> (WIDTH[kind] - 1) else bits
    if kind == "bf16":
        return struct.unpack("<f", struct.pack("<I", bits << 16))[0]
    code, whole = {"f16": ("<e", "<H"), "f32": ("<f", "<I"), "f64": ("<d", "<Q")}[kind]
    return struct.unpack(code, struct.pack(whole, bits))[0]


def special(kind, value):
    """Returns the bits of a zero, an infinity or a NaN, for every float type."""
    if math.isnan(value):
        return NAN
    exponent, digits = FORMATS[kind]
    sign = int(math.copysign(1, value) < 0) << (exponent + digits)
    return sign | ((1 << exponent) - 1 << digits if math.isinf(value) else 0)


def away(word, is_negative, rest, is_odd):
    """Whether the part that is cut off, a fraction of the last digit, rounds the value away from
    zero."""
    if word == "nearest":
        return rest > Fraction(1, 2) or (rest == Fraction(1, 2) and is_odd)
    return rest > 0 and word == ("down" if is_negative else "up")


def whole(value, word):
    """Rounds a fraction to an integer."""
    low = math.floor(abs(value))
    low += away(word, value < 0, abs(value) - low, low % 2 == 1)
    return -low if value < 0 else low


def encode(kind, value, word="nearest"):
    """Returns the bits of a fraction other than 0, rounded."""
    exponent, digits = FORMATS[kind]
    bias = (1 << (exponent - 1)) - 1
    size, is_negative = abs(value), value < 0
    top = size.numerator.bit_length() - size.denominator.bit_length()
    top -= size < (Fraction(2) ** top)  # 2^top <= size < 2^(top + 1)
    last = max(top, 1 - bias) - digits
    scaled = size / Fraction(2) ** last
    mantissa = math.floor(scaled)
    mantissa += away(word, is_negative, scaled - mantissa, mantissa % 2 == 1)
    biased = last + digits + bias  # for a normal value
    bits = mantissa if mantissa < 1 << digits else (biased << digits) + mantissa - (1 << digits)
    endless = (1 << exponent) - 1 << digits
    if bits >= endless:  # too large
        bits = endless if away(word, is_negative, Fraction(1), True) else endless - 1
    return (int(is_negative) << (exponent + digits)) | bits


def of_float(kind, value, word="nearest"):
    """Returns the bits of a Python float."""
    if value == 0 or not math.isfinite(value):
        return special(kind, value)
    return encode(kind, Fraction(value), word)


def exactly(kind, value, exact):
    """value: the result of Python's floats, for special values; exact: the fraction in other cases.
    """
    if math.isnan(value) or math.isinf(value) or exact is None or exact == 0:
        return special(kind, value if exact != 0 or value == 0 else math.copysign(0, value))
    return encode(kind, exact)


def fractions(*values):
    return [Fraction(v) for v in values] if all(math.isfinite(v) for v in values) else None


# ---- operators of floats ----------------------------------------------------------------------


def add(kind, a, b):
    parts = fractions(a, b)
    if not parts:
        return special(kind, a + b)
    total = parts[0] + parts[1]
    return encode(kind, total) if total else special(kind, a + b)


def multiply(kind, a, b):
    parts = fractions(a, b)
    if not parts or a == 0 or b == 0:
        return special(kind, a * b)
    return encode(kind, parts[0] * parts[1])


def divide(kind, a, b):
    if b == 0:
        sign = math.copysign(1, a) * math.copysign(1, b)
        return special(kind, math.nan if a == 0 or math.isnan(a) else sign * math.inf)
    parts = fractions(a, b)
    if not parts or a == 0:
        return special(kind, a / b)
    return encode(kind, parts[0] / parts[1])


def root(kind, a):
    if a == 0 or not math.isfinite(a):
        return special(kind, math.nan if a < 0 else a)
    if a < 0:
        return NAN
    shift = 2400  # enough digits for the smallest f64; a remainder counts as one more bit
    exact = Fraction(a) * (1 << shift)
    low = math.isqrt(math.floor(exact))
    sticky = Fraction(0) if low * low == exact else Fraction(1, 2)
    return encode(kind, (low + sticky) / Fraction(2) ** (shift // 2))


def fused(kind, a, b, c):
    parts = fractions(a, b, c)
    if not parts:
        product = math.inf * math.copysign(1, a) * math.copysign(1, b)
        if math.isfinite(a) and math.isfinite(b):
            return special(kind, c)
        if math.isnan(a) or math.isnan(b) or a == 0 or b == 0:
            return NAN
        return special(kind, product + c)
    total = parts[0] * parts[1] + parts[2]
    if total:
        return encode(kind, total)
    sign = math.copysign(1, a) * math.copysign(1, b)
    is_exact_zero = a == 0 or b == 0
    if is_exact_zero and c == 0:
        return special(kind, math.copysign(0, sign) + c)
    return special(kind, 0.0)


def rounded(kind, a, word):
    """Rounds to a float without a fraction."""
    if a == 0 or not math.isfinite(a):
        return special(kind, a)
    value = Fraction(a)
    if word == "away":
        size = math.floor(abs(value) + Fraction(1, 2))
        number = -size if a < 0 else size
    else:
        number = whole(value, word)
    return encode(kind, Fraction(number)) if number else special(kind, math.copysign(0, a))


def remainder(kind, a, b):
    if math.isnan(a) or math.isnan(b) or math.isinf(a) or b == 0:
        return NAN
    if a == 0 or math.isinf(b):
        return of_float(kind, a)
    left = Fraction(a) - Fraction(b) * whole(Fraction(a) / Fraction(b), "zero")
    return encode(kind, left) if left else special(kind, math.copysign(0, a))


def least(kind, a, b, sign):
    """Returns the smaller value with sign 1, the larger with -1; if one is a NaN, the other one."""
    if math.isnan(a) or math.isnan(b):
        return of_float(kind, b if math.isnan(a) else a)
    return of_float(kind, a if a * sign <= b * sign else b)


# ---- conversions ------------------------------------------------------------------------------


def convert(from_kind, to_kind, value, word=None):
    """Converts as T(x) or T(x, round = word)."""
    if to_kind == "bool":
        return int(value != 0)
    if to_kind not in FORMATS:
        if from_kind not in FORMATS:
            return wrap(to_kind, int(value))
        low, high = limits(to_kind)
        if math.isnan(value):
            return 0
        if math.isinf(value):
            return wrap(to_kind, high if value > 0 else low)
        return wrap(to_kind, min(max(whole(Fraction(value), word or "zero"), low), high))
    if from_kind in FORMATS:
        return of_float(to_kind, value, word or "nearest")
    return encode(to_kind, Fraction(int(value)), word or "nearest") if value else 0


# ---- integers ---------------------------------------------------------------------------------


def quotient(a, b):
    return abs(a) // abs(b) * (-1 if (a < 0) != (b < 0) else 1)


def turned(kind, value, step):
    digits = f"{wrap(kind, value):0{WIDTH[kind]}b}"
    return int("".join(digits[i:i + step] for i in range(len(digits) - step, -1, -step)), 2)


def saturated(kind, value):
    low, high = limits(kind)
    return wrap(kind, min(max(value, low), high))


def rotated(kind, value, count):
    width = WIDTH[kind]
    return (value << count % width | value >> (-count % width + (width if count % width == 0 else 0))) \
        % (1 << width)
