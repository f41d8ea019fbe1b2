# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tables.py - the operations that both constants and kernels have, read from the compiler's tables.

Operators are the rows of compiler/front/op.def, types those of front/type.def, rounding words those
of front/memory.def; functions are those of the library that take and return scalars. ORACLES
computes the expected result of a row, if it knows it: a new row is compared anyway, constant with
kernel.
"""
import itertools
import math
import os
import re
import sys

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# pylint: disable=wrong-import-position
import exact
import heads
from exact import FLOATS, INTS, SIGNED, UNSIGNED, WIDTH, wrap

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CLASSES = {"int": INTS, "float": FLOATS, "half": ["f16", "bf16"], "number": INTS + FLOATS,
           "type": ["bool"] + INTS + FLOATS}
NUMBERS = CLASSES["number"]
# Functions that can't be used in constants, since their values differ between targets, as
# docs/language.md says under Accuracy, or that use such functions.
INEXACT = """acos acosh asin asinh atan atan2 atanh cbrt cos cosh cospi erf erfc exp exp10 exp2 expm1
fast_cos fast_exp fast_exp10 fast_exp2 fast_log fast_log10 fast_log2 fast_pow fast_rsqrt fast_sin fast_tan hypot lgamma log log10 log1p log2 pow random_exponential rsqrt sin sinh sinpi tan tanh
tgamma""".split()
# Constants of these are exact; the values of a kernel may be the GPU's approximations.
APPROXIMATE = ["fast_divide", "fast_sqrt"]
# Functions without a value, called for their effect.
ACTIONS = ["launch_graph", "launch_graph_tail", "launch_graph_sibling"]
# The sign of min and max of two zeros is not defined.
EITHER_ZERO = {"min", "max", "clamp", "saturate"}


class Case:
    """An operation on one type. text: CK, of p0, p1 ...; body: of a function, if it needs more than
    an expression."""

    def __init__(self, name, takes, gives, text, body=None):
        self.name, self.takes, self.gives, self.text, self.body = name, takes, gives, text, body
        self.oracle, self.allowed, self.is_direct = None, None, body is None
        self.has_value = None  # the operands that constants may have; without it all
        self.either_zero = False
        # Operands whose bits are visible in the result: those of a NaN are not defined.
        self.without_nan = (0,) if name.startswith("bit_cast") else (1,) if name == "copysign" else ()

    def title(self):
        return f"{self.name}({', '.join(self.takes)}) -> {self.gives}"

    def known(self, bits):
        """Returns the bits of the result, exact.NAN, or None if ORACLES has no row."""
        if not self.oracle:
            return None
        values = [exact.decode(kind, b) for kind, b in zip(self.takes, bits)]
        return self.oracle(*values)


def read(path):
    """Reads a table of the sources; in a package the compiler's tables are beside the test
    programs."""
    places = [os.path.join(TOP, path), os.path.join(TOP, "bin/tests/constant", os.path.basename(path))]
    with open(next(filter(os.path.exists, places), path), encoding="utf-8") as file:
        return file.read()


def scalar_types():
    return re.findall(r"(?m)^TYPE\((\w+),", read("compiler/front/type.def"))


# ---- operators --------------------------------------------------------------------------------


def scalar(op, kind, values):
    """Returns the bits of an operator's value."""
    a, b = values[0], values[-1]
    compared = {"==": a == b, "!=": a != b}
    if op in compared:
        return int(compared[op])
    if op in ("<", "<=", ">", ">="):
        return int({"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[op])
    if kind == "bool":
        return int({"&&": a and b, "||": a or b, "!": not a, "&": a & b, "|": a | b, "^": a ^ b}[op])
    if kind in FLOATS:
        unary = {"-x": lambda: exact.of_float(kind, -a), "+x": lambda: exact.of_float(kind, a)}
        binary = {"+": exact.add, "-": lambda k, x, y: exact.add(k, x, -y), "*": exact.multiply,
                  "/": exact.divide}
        return unary[op]() if op in unary else binary[op](kind, a, b)
    if op in ("/", "%") and b == 0:
        return wrap(kind, -1 if op == "/" else a)
    count = b % WIDTH[kind] if op in ("<<", ">>") else 0
    return wrap(kind, {
        "-x": lambda: -a, "+x": lambda: a, "~": lambda: ~a, "+": lambda: a + b, "-": lambda: a - b,
        "*": lambda: a * b, "/": lambda: exact.quotient(a, b), "%": lambda: a - b * exact.quotient(a, b),
        "&": lambda: a & b, "|": lambda: a | b, "^": lambda: a ^ b, "<<": lambda: a << count,
        ">>": lambda: a >> count}[op]())


TAKES = {"NUMBER": NUMBERS, "QUOTIENT": NUMBERS, "REMAINDER": INTS, "INTEGER": INTS, "LOGIC": INTS + ["bool"], "SHIFT": INTS, "ORDER": NUMBERS,
         "EQUAL": CLASSES["type"], "BOOL": ["bool"], "LAZY": ["bool"]}
ASSIGNED = ("NUMBER", "QUOTIENT", "REMAINDER", "LOGIC", "SHIFT")


def operators():
    rows = re.findall(r'(?m)^OP\(\w+,\s*"([^"]*)",\s*(\w+),\s*(\w+),', read("compiler/front/op.def"))
    for sign, place, takes in rows:
        is_unary = place == "PREFIX"
        for kind in TAKES[takes]:
            gives = "bool" if takes in ("ORDER", "EQUAL", "BOOL", "LAZY") else kind
            key = sign + "x" if is_unary and sign in "+-" else sign
            shape = [kind] if is_unary else [kind, kind]
            found = [(shape, f"{sign}p0" if is_unary else f"p0 {sign} p1", None, sign)]
            if not is_unary and takes in ASSIGNED and (kind != "bool"):
                found.append((shape, None, f"var r = p0; r {sign}= p1; return r;", sign + "="))
            if takes == "SHIFT":
                found += [([kind, other], f"p0 {sign} p1", None, sign) for other in INTS if other != kind]
            if not is_unary and takes in ("NUMBER", "QUOTIENT", "REMAINDER", "ORDER", "EQUAL"):
                found += [([narrow, kind], f"p0 {sign} p1", None, sign) for narrow in narrower(kind)]
            for types, text, body, name in found:
                case = Case(f"x {name} y" if not is_unary else f"{name}x", types, gives, text, body)
                case.oracle = lambda *v, key=key, kind=kind: scalar(key, kind, v)
                case.has_value = by_zero if sign in "/%" and kind in INTS else None
                case.allowed = allowed(sign, types) if not is_unary and body is None else None
                yield case
    for kind in CLASSES["type"]:
        case = Case("c ? x : y", ["bool", kind, kind], kind, "p0 ? p1 : p2")
        case.oracle = lambda c, a, b, kind=kind: bits_of(kind, a if c else b)
        yield case
    for kind in INTS:
        for sign, step in (("++", 1), ("--", -1)):
            case = Case(f"x{sign}", [kind], kind, None, f"var r = p0; r{sign}; return r;")
            case.oracle = lambda a, kind=kind, step=step: wrap(kind, a + step)
            yield case


def narrower(kind):
    """Returns the types that widen to this one."""
    for group in (SIGNED, UNSIGNED, FLOATS):
        if kind in group:
            return [one for one in group if WIDTH[one] < WIDTH[kind]]
    return []


def by_zero(values):
    """A division by 0 is not allowed in a constant."""
    return values[1] != 0


def allowed(sign, types):
    """Returns a predicate of the operands that the text of a constant may have; functions called in
    it may have the others too."""
    if sign in ("<<", ">>"):
        return lambda values: 0 <= values[1] < WIDTH[types[0]]
    return None


def bits_of(kind, value):
    if kind == "bool":
        return int(value)
    return exact.of_float(kind, value) if kind in FLOATS else wrap(kind, value)


# ---- conversions ------------------------------------------------------------------------------


def rounding_words():
    return re.findall(r"(?m)^WORD\(round,\s*(\w+),", read("compiler/front/memory.def"))


def conversions():
    for a, b in itertools.product(CLASSES["type"], CLASSES["type"]):
        found = [(f"{b}(x)", f"{b}(p0)", None, None)]
        if "bool" not in (a, b) and (a in FLOATS or b in FLOATS):
            found += [(f"{b}(x, round = {word})", f"{b}(p0, round = {word})", None, word)
                      for word in rounding_words()]
        if a in narrower(b):
            found.append((f"x widens to {b}", None, f"let r: {b} = p0; return r;", None))
        for name, text, body, word in found:
            case = Case(name, [a], b, text, body)
            case.oracle = lambda v, a=a, b=b, word=word: exact.convert(a, b, v, word)
            yield case
        if "bool" not in (a, b) and WIDTH[a] == WIDTH[b]:
            case = Case(f"bit_cast<{b}>(x)", [a], b, f"bit_cast<{b}>(p0)")
            if a in INTS:  # the bits of a NaN are not defined
                case.oracle = lambda v, a=a, b=b: bits_of(b, exact.decode(b, wrap(a, v)))
            else:
                case.oracle = lambda v, a=a, b=b: bits_of(b, exact.decode(b, bits_of(a, v)))
            yield case


# ---- functions of the library -----------------------------------------------------------------


ORACLES = {
    "abs": lambda k, a: exact.of_float(k, abs(a)) if k in FLOATS else wrap(k, abs(a)),
    "min": lambda k, a, b: exact.least(k, a, b, 1) if k in FLOATS else wrap(k, min(a, b)),
    "max": lambda k, a, b: exact.least(k, a, b, -1) if k in FLOATS else wrap(k, max(a, b)),
    "ceil_div": lambda k, a, b: wrap(k, -(-a // b)) if b else wrap(k, -1),
    "floor": lambda k, a: exact.rounded(k, a, "down"),
    "ceil": lambda k, a: exact.rounded(k, a, "up"),
    "trunc": lambda k, a: exact.rounded(k, a, "zero"),
    "rint": lambda k, a: exact.rounded(k, a, "nearest"),
    "round": lambda k, a: exact.rounded(k, a, "away"),
    "sqrt": exact.root, "fast_sqrt": exact.root, "fast_divide": exact.divide,
    "fma": exact.fused,
    "fmod": exact.remainder,
    "copysign": lambda k, a, b: exact.of_float(k, math.copysign(a, b)),
    "is_nan": lambda k, a: int(math.isnan(a)),
    "is_inf": lambda k, a: int(math.isinf(a)),
    "popcount": lambda k, a: f"{wrap(k, a):b}".count("1"),
    "clz": lambda k, a: WIDTH[k] - wrap(k, a).bit_length(),
    "ctz": lambda k, a: (a & -a).bit_length() - 1 if a else WIDTH[k],
    "brev": lambda k, a: exact.turned(k, a, 1),
    "bswap": lambda k, a: exact.turned(k, a, 8),
    "add_sat": lambda k, a, b: exact.saturated(k, a + b),
    "sub_sat": lambda k, a, b: exact.saturated(k, a - b),
    "mul_hi": lambda k, a, b: wrap(k, a * b >> WIDTH[k]),
    "rotate_left": lambda k, a, n: exact.rotated(k, a, n),
    "rotate_right": lambda k, a, n: exact.rotated(k, a, -n),
    "funnel_left": lambda k, h, l, n: ((h << WIDTH[k] | l) << n % WIDTH[k] >> WIDTH[k]) % (1 << WIDTH[k]),
    "funnel_right": lambda k, h, l, n: ((h << WIDTH[k] | l) >> n % WIDTH[k]) % (1 << WIDTH[k]),
}
def functions():
    """Yields each function of scalars, with each of its types."""
    seen = set()
    for head in heads.heads(heads.find_ckc(), heads.find_library()):
        name, names, gives = head.name, head.generics, head.result
        if "." in name or not name[0].islower() or not gives or head.defaults or not set(names.values()) <= set(CLASSES):
            continue
        if not {gives, *(param.type for param in head.params)} <= {*names, *WIDTH}: # not of scalars, whatever the types
            continue
        for chosen in itertools.product(*[CLASSES[group] for group in names.values()]):
            of = dict(zip(names, chosen))
            types, result = [of.get(param.type, param.type) for param in head.params], of.get(gives, gives)
            key = (name, *types)
            if key in seen or not types or not set(types) | {result} <= set(WIDTH):
                continue
            seen.add(key)
            text = f"{name}({', '.join(f'p{i}' for i in range(len(types)))})"
            case = Case(name, types, result, text)
            oracle = ORACLES.get(name)
            case.oracle = oracle and (lambda *v, k=types[0], oracle=oracle: oracle(k, *v))
            case.has_value = by_zero if name == "ceil_div" else None
            case.either_zero = name in EITHER_ZERO and result in FLOATS
            yield case


# ---- what is more than a scalar ---------------------------------------------------------------


def vectors():
    """Yields constants that are vectors: from their components, and from one value."""
    for kind in CLASSES["type"]:
        for count in (2, 3, 4, 8, 16):
            parts = ", ".join(f"p{i}" for i in range(count))
            yield Case("vec<T, N>(x, ...)", [kind] * count, f"vec<{kind}, {count}>", f"vec<{kind}, {count}>({parts})")
            yield Case("vec<T, N>(x)", [kind], f"vec<{kind}, {count}>", f"vec<{kind}, {count}>(p0)")


def statements():
    """Yields what functions in constants may contain: loops over ranges, choices among tuples."""
    for kind in INTS:
        for what in ("(p0..p1).step(p2)", "(p0..p1).step(p2).reverse()", "p0..p1"):
            yield Case(f"for ({what})", [kind, kind, kind], kind, None,
                       f"var r = p2; var n = 0; for (i in {what}) {{ r = r * 31 + i; n++; if (n == 20) break; }} return r;")
        yield Case("(a, b) = c ? (x, y) : (y, x)", [kind, kind, "bool"], kind, None,
                   "let (a, b) = p2 ? (p0, p1) : (p1, p0); var (c, d) = (a, b); (c, d) = p2 ? (d, c) : (c, a); return c - d;")
        yield Case("while", [kind, kind], kind, None,
                   "var r = p0; var n = 0; while (n < 9) { n++; if (r == p1) continue; r = r * 3 + p1; if (r < p1) break; } return r;")


def cases():
    """Returns all operations that constants have too."""
    rest = [case for case in functions() if case.name not in INEXACT + ACTIONS]
    return [*operators(), *conversions(), *rest, *vectors(), *statements()]
