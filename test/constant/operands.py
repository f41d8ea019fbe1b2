# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""operands.py - operands for the tests of operations: bits of a type, at its limits and random.

For floats there are also the values halfway between two values of a narrower type or of an integer,
and their neighbours: rounding matters there.
"""
from fractions import Fraction

from exact import FLOATS, FORMATS, INTS, WIDTH, decode, encode, is_signed, limits, wrap


def integers(kind):
    low, high = limits(kind)
    found = {low, low + 1, high - 1, high, -7, -3, -2, -1, 0, 1, 2, 3, 7, WIDTH[kind] - 1, WIDTH[kind], WIDTH[kind] + 1}
    for digits in (8, 11, 24, 53):
        found |= {(1 << digits) + d for d in (-1, 0, 1, 2, 3)}
    return sorted({wrap(kind, value) for value in found if low <= value <= high})


def floats(kind):
    exponent, digits = FORMATS[kind]
    one = ((1 << (exponent - 1)) - 1) << digits
    endless, normal = (1 << exponent) - 1 << digits, 1 << digits
    found = {0, 1, 2, 3, normal - 1, normal, normal + 1, one - 1, one, one + 1, endless - 1, endless}
    found |= {encode(kind, Fraction(value)) for value in
              (0.1, 0.3, 0.49999999999999994, 0.5, 1.5, 2.5, 3.5, 1.1, 7.0, 100.75, 65504, 65519, 65520, 2.0 ** 24 + 1)}
    for bits in (7, 8, 15, 16, 31, 32, 63, 64):
        found |= {encode(kind, Fraction(2 ** bits + step)) for step in (-1, -0.5, 0, 0.5, 1)}
    for narrow in FLOATS:
        small = Fraction(decode(narrow, 1))
        found |= {encode(kind, small * part) for part in (Fraction(1, 2), Fraction(3, 4), 1, Fraction(3, 2))}
        largest = decode(narrow, ((1 << FORMATS[narrow][0]) - 1 << FORMATS[narrow][1]) - 1)
        found |= {encode(kind, Fraction(largest), word) for word in ("down", "up")}
    sign = 1 << (WIDTH[kind] - 1)
    return sorted(found | {bits | sign for bits in found}) + [endless | normal >> 1]


def halfway(draw, kind, narrow=None):
    """Draws a value near the middle of two values of a narrower type or of an integer type, or near
    an integer type's limits."""
    narrow = narrow or draw.choice([one for one in FLOATS if WIDTH[one] <= WIDTH[kind]] + ["i8", "i16", "i32"])
    if narrow in INTS:
        low, high = limits(narrow)
        exact = Fraction(draw.choice((low, high, high + 1, draw.randint(low, high)))) + Fraction(draw.randint(-2, 2), 2)
    else:
        exponent, digits = FORMATS[narrow]
        bits = draw.randrange((1 << exponent + digits) - (1 << digits))
        exact = (Fraction(decode(narrow, bits)) + Fraction(decode(narrow, min(bits + 1, ((1 << exponent) - 1 << digits) - 1)))) / 2
        exact = -exact if draw.random() < 0.5 else exact
    bits = encode(kind, exact, draw.choice(("up", "down", "nearest"))) if exact else 0
    return min(max(bits + draw.choice((-1, 0, 0, 1)), 0), (1 << WIDTH[kind]) - 1)


def is_nan(kind, bits):
    value = decode(kind, bits)
    return kind in FLOATS and value != value


def operand(draw, kind, result="bool"):
    """Draws bits of a type, for an operation with such a result."""
    is_narrower = result in INTS or (result in FLOATS and WIDTH[result] <= WIDTH[kind])
    is_near = kind in FLOATS and is_narrower and draw.random() < 0.3
    bits = halfway(draw, kind, result) if is_near else any_operand(draw, kind)
    return FLOAT_EDGES[kind][-1] if is_nan(kind, bits) else bits


def any_operand(draw, kind):
    if kind == "bool":
        return draw.randrange(2)
    how = draw.random()
    if how < 0.4:
        return draw.choice(integers(kind) if kind in INTS else FLOAT_EDGES[kind])
    if kind in INTS:
        digits = draw.randint(1, WIDTH[kind]) if how < 0.8 else WIDTH[kind]
        return wrap(kind, draw.getrandbits(digits) * (-1 if is_signed(kind) and draw.random() < 0.5 else 1))
    if how < 0.6:
        return halfway(draw, kind)
    if how < 0.8:  # numbers as in ordinary programs
        return encode(kind, Fraction(draw.randint(1, 1 << 12) * draw.choice((-1, 1)), 1 << draw.randint(0, 14)))
    if how < 0.87:  # subnormals, and a few above them
        return draw.getrandbits(FORMATS[kind][1] + draw.randint(-3, 1)) | draw.getrandbits(1) << (WIDTH[kind] - 1)
    return draw.getrandbits(WIDTH[kind])


FLOAT_EDGES = {kind: floats(kind) for kind in FLOATS}


def text(draw, kind, bits):
    """Returns a CK constant with these bits."""
    value = decode(kind, bits)
    if kind == "bool":
        return "true" if value else "false"
    if kind in INTS:
        return f"{value}{kind}" if value >= 0 else f"({value}{kind})"
    if draw.random() < 0.5 or value != value or abs(value) == float("inf"):
        return f"bit_cast<{kind}>({bits}u{WIDTH[kind]})"
    return f"{value.hex()}{kind}" if bits >> (WIDTH[kind] - 1) == 0 else f"({value.hex()}{kind})"
