# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""literals.py - constants from literals alone, which no kernel computes: the value of the text of a
number.

A row is an expression of literals and its bits: a literal is rounded once from its text, in the
direction that a conversion names. Operations between literals are computed with 64 bits and a sign,
or as f64.
"""
import math
from fractions import Fraction

import exact
from exact import FLOATS, FORMATS, INTS, WIDTH, decode, encode, limits, wrap
from operands import halfway, operand


def decimal(value):
    """Returns all digits of a fraction whose denominator is a power of two."""
    places = value.denominator.bit_length() - 1
    digits = f"{value.numerator * 5 ** places:0{places + 1}d}"
    return (digits[:-places] + "." + digits[-places:]) if places else digits + ".0"


def number(draw, kind):
    """Draws a number with a point: its text and its value. Most lie near the middle of two values
    of `kind`."""
    how = draw.random()
    if kind not in FLOATS or how < 0.3:
        if draw.random() < 0.5:
            text = f"{draw.randint(0, 99999)}.{draw.randint(0, 99999)}"
        else:
            text = f"{draw.randint(1, 9)}.{draw.getrandbits(draw.choice((3, 20, 60)))}e{draw.randint(-9, 9)}"
        return text, Fraction(text)
    narrow = draw.choice([one for one in FLOATS if WIDTH[one] <= WIDTH[kind]] + [kind])
    bits = draw.randrange(1, (1 << sum(FORMATS[narrow])) - (1 << FORMATS[narrow][1]))
    if abs(bits >> FORMATS[narrow][1]) and WIDTH[kind] == 64:  # with exponents of few digits
        bits = (bits & (1 << FORMATS[narrow][1]) - 1) | ((1 << FORMATS[narrow][0] - 1) + draw.randint(-9, 9) << FORMATS[narrow][1])
    middle = (Fraction(decode(narrow, bits)) + Fraction(decode(narrow, bits + 1 if not math.isinf(decode(narrow, bits + 1)) else bits))) / 2
    if draw.random() < 0.3:  # in hexadecimal digits, perhaps followed by others
        scale = middle.denominator.bit_length() - 1
        text = f"0x{middle.numerator:x}{draw.choice(('', '.0', '.0000000001'))}p-{scale}"
        return text, middle + (Fraction(1, 1 << 40 + scale) if "1p" in text and ".0000000001p" in text else 0)
    text = decimal(middle)
    more = draw.choice(("", "0000000001", "5"))
    if draw.random() < 0.3 and text[-1] == "5":
        text, more = text[:-1] + "4", "9999999999"
    return text + more, Fraction(text + more)


def of_text(kind, value, is_negative, word=None):
    """Returns the bits of a literal, which is a fraction, perhaps after a minus sign."""
    value = -value if is_negative else value
    if kind in INTS:
        low, high = limits(kind)
        return wrap(kind, min(max(exact.whole(value, word or "zero"), low), high))
    if value == 0:
        return exact.special(kind, -0.0 if is_negative else 0.0)
    return encode(kind, value, word or "nearest")


class Literal:
    """Draws rows. `draw_row` returns an expression and its bits; `is_implicit`: the literal is a
    function's argument."""

    either_zero, body, allowed, has_value, without_nan = False, None, None, None, ()

    def __init__(self, name, gives, draw_row, is_implicit=False):
        self.name, self.gives, self.draw_row, self.is_implicit = name, gives, draw_row, is_implicit

    def title(self):
        return f"{self.name} -> {self.gives}"


def converted(kind, word):
    def row(draw):
        text, value = number(draw, kind)
        is_negative = draw.random() < 0.5
        bits = of_text(kind, value, is_negative, word)
        return f"{kind}({'-' * is_negative}{text}{f', round = {word}' if word else ''})", bits
    return row


def whole_converted(kind, word):
    """Converts an integer literal."""
    def row(draw):
        value = draw.getrandbits(draw.randint(1, 64))
        if kind in FLOATS and draw.random() < 0.5:
            near = abs(decode(kind, halfway(draw, kind)))
            value = min(int(near), (1 << 64) - 1) if math.isfinite(near) else value
        is_negative = value > 0 and value < 1 << 63 and draw.random() < 0.5
        value = -value if is_negative else value
        bits = wrap(kind, value) if kind in INTS else exact.convert("i64", kind, value, word)
        return f"{kind}({value}{f', round = {word}' if word else ''})", bits
    return row


def suffixed(kind):
    def row(draw):
        while True:
            text, value = number(draw, kind)
            bits = encode(kind, value) if value else 0
            if not text.startswith("0x") and math.isfinite(decode(kind, bits)):
                break
        is_negative = draw.random() < 0.5
        return "-" * is_negative + text + kind, bits | is_negative << WIDTH[kind] - 1
    return row


def taken(kind):
    """A literal as an argument for a parameter of the type."""
    def row(draw):
        if kind in INTS:
            value = decode(kind, operand(draw, kind))
            text = str(value) if abs(value) > 1 << 50 or draw.random() < 0.5 else f"{value}.0"
            return text, wrap(kind, value)
        while True:
            text, value = number(draw, kind)
            bits = encode(kind, value) if value else 0
            if math.isfinite(decode(kind, bits)):
                break
        is_negative = draw.random() < 0.5
        return "-" * is_negative + text, bits | is_negative << WIDTH[kind] - 1
    return row


SIGNS = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b}


def reckoned(kind, word):
    """Operations between literals are computed as f64, and rounded once more."""
    def row(draw):
        sign = draw.choice("+-*/")
        a, b = (f"{draw.randint(1, 999)}.{draw.randint(0, 999)}" for _ in range(2))
        value = SIGNS[sign](float(a), float(b))
        bits = exact.convert("f64", kind, value, word)
        return f"{kind}({a} {sign} {b}{f', round = {word}' if word else ''})", bits
    return row


def cases(words):
    """Yields each type, with each of the rounding words."""
    for kind in INTS + FLOATS:
        for word in [None] + words:
            ending = f", round = {word}" if word else ""
            yield Literal(f"{kind}(1.5{ending})", kind, converted(kind, word))
            yield Literal(f"{kind}(1.5 + 2.5{ending})", kind, reckoned(kind, word))
            if kind in FLOATS or not word:
                yield Literal(f"{kind}(1{ending})", kind, whole_converted(kind, word))
        if kind in FLOATS:
            yield Literal(f"1.5{kind}", kind, suffixed(kind))
        yield Literal(f"1.5 for {kind}", kind, taken(kind), is_implicit=True)
