# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""_operators.py - operators and functions of numbers, with Python's meaning, as CK expressions.

An expression is a Value: a text in CK, its type, and the number itself where the translation knows
it. Every text is one that may be put in an operator's place: a name, a call, a literal or a term in
parentheses. A text has no effect and reads no memory, so it may stand twice, or nowhere.

    x + 1, x an int8     Value("(v_x + 1i8)", int8)
    7 // 2               Value("3", int, 3): folded by Python itself

A call of a function is a row in NUMPY, MATH or BUILTIN: what it is in CK, for which types.
"""
import builtins
import math
import operator

import numpy as np

from . import _types as T

NONE = object()


class Value:
    """An expression; `parts` are the elements of a tuple that is written out, `known` an object of Python."""

    __slots__ = ("text", "type", "const", "known", "parts", "capture")

    def __init__(self, text, type_, const=NONE, known=NONE, parts=None, capture=None):
        self.text, self.type, self.const, self.known = text, type_, const, known
        self.parts, self.capture = parts, capture


class Refused(Exception):
    """An operation that Python or CK doesn't have; the translator adds the place."""


# ---- literals and conversions ---------------------------------------------------------------------


def literal(number, type_):
    """The text of a number in a type that can hold it."""
    ck = type_.ck
    if ck == "bool":
        return "true" if number else "false"
    if type_.kind in "iu":
        number = int(number)
        if type_.kind == "i" and number == type_.dtype.type(np.iinfo(type_.dtype).min):
            return f"({number + 1}{ck} - 1{ck})"
        return f"{number}{ck}" if number >= 0 else f"({number}{ck})"
    number = float(number)
    if math.isnan(number):
        return f"nan<{ck}>"
    if math.isinf(number):
        return f"inf<{ck}>" if number > 0 else f"(-inf<{ck}>)"
    text = repr(number)
    text = text if "." in text or "e" in text else text + ".0"
    return f"{ck}({text}f64)" if number > 0 or text[0] != "-" else f"{ck}(-{text[1:]}f64)"


def constant(number):
    """A number that is known: a literal, or a captured one that has to be one."""
    if isinstance(number, (bool, np.bool_)):
        return Value(literal(number, T.BOOL), T.BOOL, const=bool(number))
    if isinstance(number, np.generic):
        type_ = T.from_dtype(number.dtype)
        return Value(None if type_.kind == "c" else literal(number, type_), type_, const=number) \
            if type_.kind != "c" else complex_constant(number, type_)
    if isinstance(number, int):
        return Value(literal(number, T.INT) if T.I64.holds(number) else None, T.INT, const=number)
    if isinstance(number, float):
        return Value(literal(number, T.FLOAT), T.FLOAT, const=number)
    if isinstance(number, complex):
        return complex_constant(number, T.C128)
    raise Refused(f"a {type(number).__name__} can't be used in a kernel")


def complex_constant(number, type_):
    return Value(f"({literal(number.real, type_.part)}, {literal(number.imag, type_.part)})", type_, const=number)


def convert(value, type_):
    """A value in another type, as assignment to an array has it. What cannot hold a constant refuses it."""
    old = value.type
    if value.parts is not None:
        if isinstance(type_, T.Tuple) and len(type_.elements) == len(value.parts):
            return tuple_of([convert(p, e) for p, e in zip(value.parts, type_.elements)], type_.names)
        if len(value.parts) == 1 and T.is_number(type_):
            return convert(value.parts[0], type_)
        raise Refused(f"a value of {old} stands where one of {type_} is asked for")
    if isinstance(type_, T.Scalar) and value.const is not NONE and old.kind in "biuf":
        return _convert_constant(value, type_)
    if old == type_:
        check_fits(value.const, type_)
        return value
    if isinstance(old, (T.Scalar, T.Weak)) and isinstance(type_, (T.Scalar, T.Weak)):
        if isinstance(type_, T.Weak) and value.const is not NONE:
            made = int(value.const) if type_.kind == "i" else float(value.const)
            check_fits(made, type_)
            return Value(literal(made, type_), type_, const=made)
        if value.capture is not None and isinstance(old, T.Weak) and old.kind == "i" and type_.kind in "iu":
            value.capture.must_fit.add(type_)
        if old.ck == type_.ck:
            return Value(value.text, type_, value.const)
        return Value(f"{type_.ck}({value.text})", type_)
    if isinstance(type_, T.Complex):
        return _convert_complex(value, type_)
    if isinstance(old, T.Complex) and T.is_number(type_):
        raise Refused(f"a complex number stands where one of {type_} is asked for: take its .real or abs()")
    if isinstance(type_, T.Tuple) and isinstance(old, T.Tuple) and len(type_.elements) == len(old.elements):
        if type_.ck == old.ck:
            return Value(value.text, type_)
        parts = [convert(element(value, i), e) for i, e in enumerate(type_.elements)]
        return tuple_of(parts, type_.names)
    if isinstance(type_, T.Tuple) and len(type_.elements) == 1 and T.is_number(old):
        return Value(convert(value, type_.elements[0]).text, type_)
    if isinstance(old, T.Tuple) and len(old.elements) == 1 and T.is_number(type_):
        return convert(element(value, 0), type_)
    raise Refused(f"a value of {old} stands where one of {type_} is asked for")


def check_fits(number, type_):
    """Refuses a Python integer that would have to be an int64 and is none."""
    if isinstance(type_, T.Weak) and type_.kind == "i" and isinstance(number, int) and not T.I64.holds(number):
        raise Refused(f"the integer {number} doesn't fit an int64")


def _convert_constant(value, type_):
    number = value.const
    if type_.kind == "b":
        number = bool(number)
    elif type_.kind in "iu":
        if not isinstance(value.type, T.Weak) or value.type.kind == "f":
            with np.errstate(all="ignore"):
                number = int(np.asarray(number).astype(type_.dtype))
        if not type_.holds(int(number)):
            raise Refused(f"the Python integer {number} is out of bounds for {type_}")
        number = int(number)
    else:
        number = float(number)
        if type_.ck != "bf16":
            with np.errstate(all="ignore"):
                number = float(type_.dtype.type(number))
    return Value(literal(number, type_), type_, const=number if type_.ck == "bf16" else type_.dtype.type(number))


def _convert_complex(value, type_):
    old = value.type
    if isinstance(old, T.Complex):
        if value.const is not NONE:
            return complex_constant(type_.dtype.type(value.const), type_)
        p = type_.part.ck
        return Value(f"({p}({value.text}[0]), {p}({value.text}[1]))", type_)
    if isinstance(old, (T.Scalar, T.Weak)):
        return Value(f"({convert(value, type_.part).text}, {literal(0, type_.part)})", type_)
    raise Refused(f"a value of {old} stands where a complex number is asked for")


def tuple_of(parts, names=None):
    """A tuple of values; of one, that value's text."""
    texts = [p.text for p in parts]
    if any(t is None for t in texts):
        text = None
    else:
        text = texts[0] if len(texts) == 1 else "(" + ", ".join(texts) + ")"
    return Value(text, T.Tuple([p.type for p in parts], names), parts=parts)


def element(value, index):
    """An element of a tuple by its number."""
    if value.parts is not None:
        return value.parts[index]
    elements = value.type.elements
    text = value.text if len(elements) == 1 else f"{value.text}[{index}]"
    return Value(text, elements[index])


def truth(value):
    """A value as a condition."""
    if value.type == T.BOOL:
        return value
    if value.const is not NONE:
        return constant(bool(value.const))
    if isinstance(value.type, T.Complex):
        return Value(f"({value.text}[0] != 0 || {value.text}[1] != 0)", T.BOOL)
    if T.is_number(value.type):
        return Value(f"({value.text} != 0)", T.BOOL)
    raise Refused(f"a value of {value.type} is no condition")


# ---- operators --------------------------------------------------------------------------------------

FOLD = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
        "%": operator.mod, "**": operator.pow, "<<": operator.lshift, ">>": operator.rshift, "&": operator.and_,
        "|": operator.or_, "^": operator.xor, "<": operator.lt, "<=": operator.le, ">": operator.gt,
        ">=": operator.ge, "==": operator.eq, "!=": operator.ne}


class Operators:
    """Operators over values. `uses` collects the functions of the prelude that the texts call."""

    def __init__(self):
        self.uses = set()

    def call(self, name, *texts):
        self.uses.add(name)
        return f"{name}({', '.join(texts)})"

    def common(self, a, b, what):
        type_ = T.promote(a.type, b.type)
        if type_ is None:
            raise Refused(f"'{what}' of {a.type} and {b.type} is not defined")
        return type_

    def binary(self, op, a, b):
        if a.const is not NONE and b.const is not NONE:
            try:
                with np.errstate(all="ignore"):
                    return constant(FOLD[op](a.const, b.const))
            except (ArithmeticError, TypeError, ValueError) as problem:
                raise Refused(str(problem)) from None
        if a.type.kind in "ts" and len(getattr(a.type, "elements", "ab")) > 1:
            raise Refused(f"'{op}' of {a.type} and {b.type} is not defined: combine the fields")
        type_ = self.common(a, b, op)
        if op == "/":
            if type_.kind in "biu":
                type_ = T.FLOAT if type_ == T.INT else T.F64
        elif op == "**":
            return self.power(a, b, type_)
        if type_ == T.BOOL and op in ("//", "%", "<<", ">>"):
            type_ = T.I8
        x, y = convert(a, type_), convert(b, type_)
        if isinstance(type_, T.Complex):
            names = {"+": "py_add_c", "-": "py_sub_c", "*": "py_mul_c", "/": "py_div_c"}
            if op not in names:
                raise Refused(f"complex numbers have no '{op}'")
            return Value(self.call(names[op], x.text, y.text), type_)
        return Value(self.real(op, type_, x, y), type_)

    def real(self, op, type_, x, y):
        kind, a, b = type_.kind, x.text, y.text
        if kind == "b":
            if op == "-":
                raise Refused("'-' of two bools is not defined in NumPy: use '^'")
            op = {"+": "||", "*": "&&"}.get(op, op)
        if op in "+-*/":
            return f"({a} {op} {b})"
        if op in ("&", "|", "^", "||", "&&"):
            if kind == "f":
                raise Refused(f"floats have no '{op}'")
            return f"({a} {op} {b})"
        if op in ("//", "%"):
            name = "py_floordiv_" if op == "//" else "py_mod_"
            if kind == "f" and type_.ck in ("f16", "bf16"):
                return f"{type_.ck}({self.call(name + 'f', f'f32({a})', f'f32({b})')})"
            positive = y.const is not NONE and y.const > 0
            if kind == "u" and positive:
                return f"({a} {'/' if op == '//' else '%'} {b})"
            return self.call(name + kind, a, b)
        if kind == "f":
            raise Refused(f"floats have no '{op}'")
        if y.const is not NONE and 0 <= y.const < 8 * type_.dtype.itemsize:
            return f"({a} {op} {b})"
        return self.call("py_shl" if op == "<<" else f"py_shr_{kind}", a, b)

    def power(self, a, b, type_):
        exponent = b.const
        if isinstance(type_, T.Complex):
            if exponent is NONE or exponent != int(exponent) or not 0 <= exponent <= 8:
                raise Refused("a complex number is raised to a constant power from 0 to 8 only")
            x = convert(a, type_)
            made = complex_constant(complex(1), type_) if exponent == 0 else x
            for _ in range(int(exponent) - 1):
                made = Value(self.call("py_mul_c", made.text, x.text), type_)
            return made
        if type_ == T.BOOL:
            type_ = T.I8
        if type_.kind in "iu":
            if exponent is not NONE and exponent < 0:
                if isinstance(a.type, T.Weak):
                    return self.binary("/", constant(1), self.binary("**", a, constant(-exponent)))
                raise Refused("integers to negative integer powers are not allowed: make one a float")
            x = convert(a, type_)
            if exponent in (2, 3):
                return Value("(" + " * ".join([x.text] * int(exponent)) + ")", type_)
            return Value(self.call("py_pow_i", x.text, convert(b, type_).text), type_)
        x = convert(a, type_)
        if exponent is not NONE:
            if exponent == 2:
                return Value(f"({x.text} * {x.text})", type_)
            if exponent == 0.5:
                return Value(f"sqrt({x.text})", type_)
            if exponent == 1:
                return x
            if exponent == -1:
                return Value(f"({literal(1, type_)} / {x.text})", type_)
        return Value(f"pow({x.text}, {convert(b, type_).text})", type_)

    def unary(self, op, a):
        if a.const is not NONE:
            fold = {"-": operator.neg, "+": operator.pos, "~": operator.invert, "not": operator.not_}
            with np.errstate(all="ignore"):
                return constant(fold[op](a.const))
        if op == "not":
            return Value(f"(!{truth(a).text})", T.BOOL)
        if not T.is_number(a.type):
            raise Refused(f"'{op}' of {a.type} is not defined")
        kind = a.type.kind
        if kind == "b" and op != "~":
            raise Refused(f"'{op}' of a bool is not defined in NumPy: use 'not'")
        if op == "+":
            return a
        if op == "~":
            if kind in "fc":
                raise Refused("'~' of a float is not defined")
            return Value(f"({'!' if kind == 'b' else '~'}{a.text})", a.type)
        if kind == "c":
            return Value(self.call("py_neg_c", a.text), a.type)
        return Value(f"({a.type.ck}(0) - {a.text})" if kind == "u" else f"(-{a.text})", a.type)

    def compare(self, op, a, b):
        if a.const is not NONE and b.const is not NONE:
            return constant(bool(FOLD[op](a.const, b.const)))
        if isinstance(a.type, T.Tuple) and isinstance(b.type, T.Tuple):
            return self.compare_tuples(op, a, b)
        if isinstance(a.type, T.Complex) or isinstance(b.type, T.Complex):
            if op not in ("==", "!="):
                raise Refused(f"complex numbers have no '{op}'")
            type_ = self.common(a, b, op)
            text = self.call("py_eq_c", convert(a, type_).text, convert(b, type_).text)
            return Value(text if op == "==" else f"(!{text})", T.BOOL)
        if not (T.is_number(a.type) and T.is_number(b.type)):
            raise Refused(f"'{op}' of {a.type} and {b.type} is not defined")
        for x, y, sign in ((a, b, op), (b, a, {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(op, op))):
            decided = self.out_of_bounds(sign, x, y)
            if decided is not None:
                return decided
        return self.compare_numbers(op, a, b)

    def out_of_bounds(self, op, x, y):
        """x op y where y is a Python integer that x's type can't hold: it is above or below all of them."""
        if y.const is NONE or not isinstance(y.type, T.Weak) or y.type.kind != "i":
            return None
        if x.type.kind not in "iu" or isinstance(x.type, T.Weak) and T.I64.holds(y.const):
            return None
        bound = x.type if isinstance(x.type, T.Scalar) else T.I64
        if bound.holds(y.const):
            return None
        above = y.const > 0
        return constant({"==": False, "!=": True, "<": above, "<=": above}.get(op, not above))

    def compare_numbers(self, op, a, b):
        weak_against = isinstance(a.type, T.Weak) and a.const is NONE and b.type.kind in "iu" \
            or isinstance(b.type, T.Weak) and b.const is NONE and a.type.kind in "iu"
        if weak_against and a.type.kind in "iu" and b.type.kind in "iu":
            a = Value(a.text, T.I64) if isinstance(a.type, T.Weak) and a.const is NONE else a
            b = Value(b.text, T.I64) if isinstance(b.type, T.Weak) and b.const is NONE else b
        kinds = {(x.type.kind, getattr(x.type, "bits", 64)) for x in (a, b)}
        mixed = T.promote(a.type, b.type).kind == "f" and a.type.kind in "iu" and b.type.kind in "iu"
        if mixed and ("u", 64) in kinds:  # NumPy compares these exactly
            if a.type.kind == "i":
                return self.compare_mixed(op, convert(a, T.I64), convert(b, T.U64))
            flipped = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(op, op)
            return self.compare_mixed(flipped, convert(b, T.I64), convert(a, T.U64))
        type_ = self.common(a, b, op)
        if type_ == T.BOOL and op not in ("==", "!="):
            type_ = T.U8
        return Value(f"({convert(a, type_).text} {op} {convert(b, type_).text})", T.BOOL)

    def compare_mixed(self, op, i, u):
        name, first, second, negated = {
            "<": ("py_lt_iu", i, u, False), ">=": ("py_lt_iu", i, u, True),
            ">": ("py_lt_ui", u, i, False), "<=": ("py_lt_ui", u, i, True),
            "==": ("py_eq_iu", i, u, False), "!=": ("py_eq_iu", i, u, True)}[op]
        text = self.call(name, first.text, second.text)
        return Value(f"(!{text})" if negated else text, T.BOOL)

    def compare_tuples(self, op, a, b):
        if len(a.type.elements) != len(b.type.elements):
            raise Refused(f"'{op}' of {a.type} and {b.type} is not defined")
        pairs = [(element(a, i), element(b, i)) for i in range(len(a.type.elements))]
        if op in ("==", "!="):
            same = " && ".join(self.compare("==", x, y).text for x, y in pairs)
            return Value(f"({same})" if op == "==" else f"(!({same}))", T.BOOL)
        strict = op[0]  # the first elements that differ decide
        text = self.compare(op, *pairs[-1]).text
        for x, y in reversed(pairs[:-1]):
            text = f"({self.compare(strict, x, y).text} || ({self.compare('==', x, y).text} && {text}))"
        return Value(text, T.BOOL)

    # ---- functions --------------------------------------------------------------------------------

    def function(self, table, name, args):
        """A call of a row of NUMPY, MATH or BUILTIN."""
        rule = table[name]
        if all(a.const is not NONE for a in args) and args and name != "divmod":
            home = {id(NUMPY): np, id(MATH): math, id(BUILTIN): builtins, id(OPERATOR): operator}[id(table)]
            try:
                with np.errstate(all="ignore"):
                    return constant(getattr(home, name)(*(a.const for a in args)))
            except (ArithmeticError, TypeError, ValueError) as problem:
                raise Refused(str(problem)) from None
        return rule(self, *args)


def _float_type(a):
    """The type in which a ufunc of floats computes: NumPy's smallest float that holds an integer's type."""
    if a.type.kind in "fc":
        return T.strong(a.type)
    bits = getattr(a.type, "bits", 64)
    return T.F16 if bits == 8 else T.F32 if bits == 16 else T.F64


def _math(name, complex_name=None):
    def rule(ops, a):
        type_ = _float_type(a)
        if type_.kind == "c":
            if complex_name is None:
                raise Refused(f"there is no complex '{name}'")
            return Value(ops.call(complex_name, a.text), type_)
        return Value(f"{name}({convert(a, type_).text})", type_)
    return rule


def _python_math(name):
    def rule(ops, a):
        del ops
        type_ = T.strong(a.type) if a.type.kind == "f" else T.F64
        return Value(f"{name}({convert(a, type_).text})", type_)
    return rule


def _to_int(name):
    """A float rounded to a Python int."""
    def rule(ops, a):
        del ops
        if a.type.kind in "biu":
            return convert(a, T.INT)
        return Value(f"i64({name}({a.text}))", T.INT)
    return rule


def _rounded(name):
    """A float rounded to a whole number, of its type."""
    def rule(ops, a):
        del ops
        return Value(f"{name}({a.text})", T.strong(a.type)) if a.type.kind == "f" else Value(a.text, T.strong(a.type))
    return rule


def _float_pair(name, smallest=None):
    """Of two floats; integers become the smallest float that holds them, as in NumPy, or an f64."""
    def rule(ops, a, b):
        type_ = ops.common(a, b, name)
        type_ = _float_type(Value("", type_)) if smallest or type_.kind == "f" else T.F64
        if type_.kind == "c":
            raise Refused(f"there is no complex '{name}'")
        return Value(f"{name}({convert(a, type_).text}, {convert(b, type_).text})", type_)
    return rule


def _operator(op):
    return lambda ops, a, b: ops.binary(op, a, b)


def _compare(op):
    return lambda ops, a, b: ops.compare(op, a, b)


def _test(text):
    def rule(ops, a):
        del ops
        if a.type.kind in "biu":
            return constant(text == "isfinite")
        parts = [f"{a.text}[0]", f"{a.text}[1]"] if a.type.kind == "c" else [a.text]
        made = {"isnan": " || ".join(f"is_nan({p})" for p in parts),
                "isinf": " || ".join(f"is_inf({p})" for p in parts),
                "isfinite": " && ".join(f"!is_nan({p}) && !is_inf({p})" for p in parts)}[text]
        return Value(f"({made})", T.BOOL)
    return rule


def _absolute(ops, a):
    if a.type.kind == "c":
        return Value(ops.call("py_abs_c", a.text), a.type.part)
    if a.type.kind in "bu":
        return a
    if not T.is_number(a.type):
        raise Refused(f"abs() of {a.type} is not defined")
    return Value(f"abs({a.text})", a.type)


def _pick(name, np_name):
    """min and max of Python, where the first of two that don't compare wins; NumPy's, where a NaN does."""
    def rule(ops, *args):
        if len(args) == 1 and args[0].parts is not None:
            args = args[0].parts
        elif len(args) == 1:
            raise Refused(f"{name}() takes several numbers or a tuple, not one {args[0].type}")
        made = args[0]
        for b in args[1:]:
            type_ = ops.common(made, b, name)
            if type_.kind not in "biuf":
                raise Refused(f"{name}() of {type_} is not defined")
            x, y = convert(made, type_).text, convert(b, type_).text
            if type_.kind == "b":
                made = Value(f"({x} {'&&' if 'min' in name else '||'} {y})", type_)
            elif type_.kind in "iu":
                made = Value(f"{name[:3]}({x}, {y})", type_)
            else:
                made = Value(ops.call(np_name, x, y), type_)
        return made
    return rule


def _number(a):
    """A bool as the int8 that NumPy makes of it."""
    return convert(a, T.I8) if a.type == T.BOOL else a


def _reciprocal(ops, a):
    a = _number(a)
    if a.type.kind in "fc":
        return ops.binary("/", constant(1), a)
    text = f"{a.text} == 1 ? {literal(1, a.type)} : {literal(0, a.type)}"
    return Value(f"({a.text} == -1 ? {literal(-1, a.type)} : {text})" if a.type.kind == "i" else f"({text})", a.type)


def _ieee_pick(name):
    def rule(ops, a, b):
        type_ = ops.common(a, b, name)
        if type_ == T.BOOL:
            return Value(f"({a.text} {'&&' if name == 'min' else '||'} {b.text})", T.BOOL)
        return Value(f"{name}({convert(a, type_).text}, {convert(b, type_).text})", type_)
    return rule


def _logical(op):
    def rule(ops, a, b):
        del ops
        if op == "^":
            return Value(f"({truth(a).text} != {truth(b).text})", T.BOOL)
        return Value(f"({truth(a).text} {op} {truth(b).text})", T.BOOL)
    return rule


def _sign(ops, a):
    if a.type.kind == "b" or a.type.kind == "c":
        raise Refused(f"sign of {a.type} is not defined")
    return Value(ops.call({"f": "np_sign", "i": "np_sign_i", "u": "np_sign_u"}[a.type.kind], a.text), T.strong(a.type))


def _where(ops, c, a, b):
    type_ = ops.common(a, b, "where")
    return Value(f"({truth(c).text} ? {convert(a, type_).text} : {convert(b, type_).text})", T.strong(type_))


def _clip(ops, a, low, high):
    return NUMPY["minimum"](ops, NUMPY["maximum"](ops, a, low), high)


def _log(ops, a, base=None):
    made = _python_math("log")(ops, a)
    return made if base is None else ops.binary("/", made, _python_math("log")(ops, base))


def _round(ops, a, digits=None):
    if digits is not None:
        raise Refused("round() to a number of digits can't be translated: scale, round and scale back")
    return _to_int("rint")(ops, a)


def _hypot(ops, *args):
    if len(args) == 1:
        return _absolute(ops, convert(args[0], T.FLOAT))
    made = args[0]
    for b in args[1:]:
        made = _float_pair("hypot")(ops, made, b)
    return made


def _divmod(ops, a, b):
    return tuple_of([ops.binary("//", a, b), ops.binary("%", a, b)])


def _scaled(factor):
    return lambda ops, a: ops.binary("*", convert(a, _float_type(a)), constant(factor))


def _part(index):
    def rule(ops, a):
        del ops
        if a.type.kind == "c":
            return Value(f"{a.text}[{index}]", a.type.part)
        return a if index == 0 else constant(a.type.dtype.type(0))
    return rule


def _conjugate(ops, a):
    return Value(ops.call("py_conj_c", a.text), a.type) if a.type.kind == "c" else _number(a)


def _copysign_bit(ops, a):
    del ops
    return Value(f"(copysign({literal(1, a.type)}, {a.text}) < 0)", T.BOOL) if a.type.kind == "f" \
        else Value(f"({_number(a).text} < 0)", T.BOOL)


NUMPY = {
    "sin": _math("sin"), "cos": _math("cos"), "tan": _math("tan"), "arcsin": _math("asin"), "arccos": _math("acos"),
    "arctan": _math("atan"), "sinh": _math("sinh"), "cosh": _math("cosh"), "tanh": _math("tanh"),
    "arcsinh": _math("asinh"), "arccosh": _math("acosh"), "arctanh": _math("atanh"), "exp": _math("exp"),
    "exp2": _math("exp2"), "expm1": _math("expm1"), "log": _math("log"), "log2": _math("log2"),
    "log10": _math("log10"), "log1p": _math("log1p"), "sqrt": _math("sqrt"), "cbrt": _math("cbrt"),
    "fabs": _math("abs"), "floor": _rounded("floor"), "ceil": _rounded("ceil"), "trunc": _rounded("trunc"),
    "rint": lambda ops, a: _rounded("rint")(ops, convert(a, _float_type(a))), "arctan2": _float_pair("atan2", "smallest"), "hypot": _float_pair("hypot", "smallest"),
    "copysign": _float_pair("copysign", "smallest"), "float_power": lambda ops, a, b: ops.binary(
        "**", convert(a, T.F64), convert(b, T.F64)),
    "add": _operator("+"), "subtract": _operator("-"), "multiply": _operator("*"), "divide": _operator("/"),
    "true_divide": _operator("/"), "floor_divide": _operator("//"), "remainder": _operator("%"),
    "mod": _operator("%"), "power": _operator("**"), "pow": _operator("**"), "bitwise_and": _operator("&"),
    "bitwise_or": _operator("|"), "bitwise_xor": _operator("^"), "left_shift": _operator("<<"),
    "right_shift": _operator(">>"), "bitwise_left_shift": _operator("<<"), "bitwise_right_shift": _operator(">>"),
    "less": _compare("<"), "less_equal": _compare("<="), "greater": _compare(">"), "greater_equal": _compare(">="),
    "equal": _compare("=="), "not_equal": _compare("!="), "logical_and": _logical("&&"),
    "logical_or": _logical("||"), "logical_xor": _logical("^"), "logical_not": lambda ops, a: ops.unary("not", a),
    "invert": lambda ops, a: ops.unary("~", a), "bitwise_not": lambda ops, a: ops.unary("~", a),
    "negative": lambda ops, a: ops.unary("-", a), "positive": lambda ops, a: a,
    "absolute": _absolute, "abs": _absolute, "square": lambda ops, a: ops.binary("*", _number(a), _number(a)), "reciprocal": lambda ops, a: _reciprocal(ops, a),
    "minimum": _pick("minimum", "np_minimum"), "maximum": _pick("maximum", "np_maximum"),
    "fmin": _ieee_pick("min"), "fmax": _ieee_pick("max"), "fmod": lambda ops, a, b: _fmod(ops, a, b),
    "isnan": _test("isnan"), "isinf": _test("isinf"), "isfinite": _test("isfinite"), "signbit": _copysign_bit,
    "sign": _sign, "where": _where, "clip": _clip, "degrees": _scaled(180 / math.pi),
    "rad2deg": _scaled(180 / math.pi), "radians": _scaled(math.pi / 180), "deg2rad": _scaled(math.pi / 180),
    "real": _part(0), "imag": _part(1), "conj": _conjugate, "conjugate": _conjugate,
    "logaddexp": lambda ops, a, b: _logaddexp(ops, a, b), "gcd": lambda ops, a, b: _gcd(ops, a, b),
}

MATH = {
    **{n: _python_math(n) for n in ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh",
                                    "acosh", "atanh", "exp", "exp2", "expm1", "log2", "log10", "log1p", "sqrt",
                                    "cbrt", "erf", "erfc", "lgamma")},
    "gamma": _python_math("tgamma"), "fabs": _python_math("abs"), "log": _log, "floor": _to_int("floor"),
    "ceil": _to_int("ceil"), "trunc": _to_int("trunc"), "isnan": _test("isnan"), "isinf": _test("isinf"),
    "isfinite": _test("isfinite"), "atan2": _float_pair("atan2"), "hypot": _hypot,
    "copysign": _float_pair("copysign"), "fmod": _float_pair("fmod"),
    "pow": lambda ops, a, b: ops.binary("**", *(convert(x, T.F64) if x.type.kind in "biu" else x for x in (a, b))),
    "degrees": _scaled(180 / math.pi), "radians": _scaled(math.pi / 180), "gcd": lambda ops, a, b: _gcd(ops, a, b),
}

BUILTIN = {
    "abs": _absolute, "min": _pick("min", "py_min"), "max": _pick("max", "py_max"), "round": _round,
    "pow": _operator("**"), "divmod": _divmod,
    "int": lambda ops, a: _to_int("trunc")(ops, a), "float": lambda ops, a: convert(a, T.FLOAT),
    "bool": lambda ops, a: truth(a),
    "complex": lambda ops, a, b=None: tuple_complex(a, b),
}


def _sum(ops, values, start=None):
    if values.parts is None and not isinstance(values.type, T.Tuple):
        raise Refused("sum() takes a tuple: write a loop for an array")
    made = start if start is not None else constant(0)
    for index in range(len(values.type.elements)):
        made = ops.binary("+", made, element(values, index))
    return made


BUILTIN["sum"] = _sum

OPERATOR = {
    **{name: _operator(op) for name, op in (
        ("add", "+"), ("sub", "-"), ("mul", "*"), ("truediv", "/"), ("floordiv", "//"), ("mod", "%"), ("pow", "**"),
        ("lshift", "<<"), ("rshift", ">>"), ("and_", "&"), ("or_", "|"), ("xor", "^"))},
    **{name: _compare(op) for name, op in (
        ("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">="), ("eq", "=="), ("ne", "!="))},
    "neg": lambda ops, a: ops.unary("-", a), "pos": lambda ops, a: a, "not_": lambda ops, a: ops.unary("not", a),
    "inv": lambda ops, a: ops.unary("~", a), "invert": lambda ops, a: ops.unary("~", a), "abs": _absolute,
}


def tuple_complex(a, b):
    type_ = T.C64 if a.type == T.F32 else T.C128
    if b is None:
        return convert(a, type_)
    return Value(f"({convert(a, type_.part).text}, {convert(b, type_.part).text})", type_)


def _fmod(ops, a, b):
    a, b = _number(a), _number(b)
    type_ = ops.common(a, b, "fmod")
    x, y = convert(a, type_).text, convert(b, type_).text
    return Value(f"fmod({x}, {y})" if type_.kind == "f" else f"({y} == 0 ? 0 : {x} % {y})", type_)


def _logaddexp(ops, a, b):
    type_ = ops.common(a, b, "logaddexp")
    type_ = _float_type(Value("", type_))
    return Value(ops.call("np_logaddexp", convert(a, type_).text, convert(b, type_).text), type_)


def _gcd(ops, a, b):
    type_ = ops.common(a, b, "gcd")
    if type_.kind not in "iu":
        raise Refused(f"gcd of {type_} is not defined")
    return Value(ops.call("py_gcd", convert(a, type_).text, convert(b, type_).text), type_)
