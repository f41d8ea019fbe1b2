# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""op.py - operators: OpKind, Python functions, CK text, and code of other compilers (RawOp).

Each becomes a CK function of the types that an algorithm calls it with. Its text is part of the
algorithm's; what it captures are arguments of the launch. A Python function that is plainly `a + b`
becomes the operator `+`, for which the library has quicker kernels.
"""
import enum
import inspect
import re
import types as python_types

import numpy as np

from .. import _translate, _types as T
from .._operators import NUMPY, Operators, Refused, Value, convert
from ..errors import ArgumentError, ArgumentTypeError
from . import _arguments, _identity

OpKind = enum.Enum("OpKind", [
    "STATELESS", "STATEFUL", "PLUS", "MINUS", "MULTIPLIES", "DIVIDES", "MODULUS", "EQUAL_TO", "NOT_EQUAL_TO",
    "GREATER", "LESS", "GREATER_EQUAL", "LESS_EQUAL", "LOGICAL_AND", "LOGICAL_OR", "LOGICAL_NOT", "BIT_AND",
    "BIT_OR", "BIT_XOR", "BIT_NOT", "IDENTITY", "NEGATE", "MINIMUM", "MAXIMUM"], start=0)

# The operator, or the row of NUMPY, of each kind. Those of C++ that differ from Python's are below.
_KINDS = {"PLUS": "add", "MINUS": "subtract", "MULTIPLIES": "multiply", "EQUAL_TO": "equal",
          "NOT_EQUAL_TO": "not_equal", "GREATER": "greater", "LESS": "less", "GREATER_EQUAL": "greater_equal",
          "LESS_EQUAL": "less_equal", "LOGICAL_AND": "logical_and", "LOGICAL_OR": "logical_or",
          "LOGICAL_NOT": "logical_not", "BIT_AND": "bitwise_and", "BIT_OR": "bitwise_or",
          "BIT_XOR": "bitwise_xor", "BIT_NOT": "invert", "IDENTITY": "positive", "NEGATE": "negative",
          "MINIMUM": "fmin", "MAXIMUM": "fmax"}
_PLAIN = {"PLUS": "+", "MULTIPLIES": "*", "BIT_AND": "&", "BIT_OR": "|", "BIT_XOR": "^", "MINIMUM": "min",
          "MAXIMUM": "max", "LESS": "<", "GREATER": ">", "EQUAL_TO": "=="}
_SIMPLE = re.compile(r"fn \S+\(a_(\w+): (\w+), a_(\w+): \2\) -> \2 \{\n"
                     r"    return \(a_\1 ([-+*&|^]) a_\3\);\n\}\n\Z")
_SIMPLE_PICK = re.compile(r"fn \S+\(a_(\w+): ([iu]\d+), a_(\w+): \2\) -> \2 \{\n"
                          r"    return (min|max)\(a_\1, a_\3\);\n\}\n\Z")
_SIMPLE_COMPARE = re.compile(r"fn \S+\(a_(\w+): (\w+), a_(\w+): \2\) -> bool \{\n"
                             r"    return \(a_\1 (<|>|==) a_\3\);\n\}\n\Z")


class Op:
    """An operator for one row of argument types and one type of result."""

    def bind(self, builder, types, result=None):
        """Adds what it needs to a text, and gives (what is written in a call, the type of its value)."""
        raise NotImplementedError

    def result_type(self, types):
        raise NotImplementedError


def _wrapped(builder, types, text_of, old, result):
    """A lambda, or a function where a value is converted that has to stand in a variable for it."""
    names = "abcdefgh"[:len(types)]
    call = text_of([*names])
    if result is None or old is None or old.ck == result.ck:
        return f"|{', '.join(names)}| {call}"
    if isinstance(old, (T.Scalar, T.Weak)) and isinstance(result, T.Scalar):
        return f"|{', '.join(names)}| {convert(Value(call, old), result).text}"
    try:
        value = convert(Value("r", old), result).text
    except Refused:
        raise ArgumentTypeError(f"the operator gives a {old}, where a {result} is needed") from None
    name = builder.fresh("f")
    builder.function(f"fn {name}(r: {old.ck}) -> {result.ck} = {value};\n")
    return f"|{', '.join(names)}| {name}({call})"


class KindOp(Op):
    """A well-known operator."""

    def __init__(self, kind):
        if kind in (OpKind.STATELESS, OpKind.STATEFUL):
            raise ArgumentError(f"OpKind.{kind.name} is not a well-known operation: use OpKind.PLUS or another one")
        self.kind, self.key = kind, ("kind", kind.name)

    def value(self, types):
        ops = Operators()
        args = [Value(n, strong) for n, strong in zip("abcdefgh", types)]
        name = self.kind.name
        try:
            if name in ("DIVIDES", "MODULUS"):
                type_ = ops.common(*args, name)
                if type_.kind == "c":
                    made = ops.binary("/", *args)
                else:
                    sign = "/" if name == "DIVIDES" else "%"
                    x, y = (convert(a, type_).text for a in args)
                    made = Value(f"fmod({x}, {y})" if sign == "%" and type_.kind == "f" else f"({x} {sign} {y})", type_)
            elif name in ("MINIMUM", "MAXIMUM") and ops.common(*args, name) == T.BOOL:
                made = Value(f"(a {'&&' if name == 'MINIMUM' else '||'} b)", T.BOOL)
            elif name == "NEGATE" and types[0].kind == "u":
                made = Value(f"({types[0].ck}(0) - a)", types[0])
            else:
                made = NUMPY[_KINDS[name]](ops, *args)
        except (Refused, TypeError) as problem:
            shown = ", ".join(t.spelling for t in types)
            raise ArgumentTypeError(f"OpKind.{name} of {shown} is not defined: {problem}") from None
        return made, ops.uses

    def result_type(self, types):
        return self.value(types)[0].type

    def bind(self, builder, types, result=None):
        plain = _PLAIN.get(self.kind.name)
        if plain and all(isinstance(t, T.Scalar) and t == types[0] for t in types) and types[0].kind in "iuf" \
                and (result is None or result == types[0] or plain in ("<", ">", "==") and result == T.BOOL):
            if not (types[0].kind == "f" and plain in "&|^"):
                return plain, T.BOOL if plain in ("<", ">", "==") else types[0]
        made, uses = self.value(types)
        builder.prelude |= uses
        return _wrapped(builder, types, lambda names: made.text, made.type, result), result or made.type


class TextOp(Op):
    """CK text: a lambda, an operator or the name of a function of the library."""

    parts = ("text",)

    def __init__(self, text):
        self.text, self.key = text.strip(), ("text", text.strip())

    def result_type(self, types):
        raise ArgumentTypeError("the type of what CK text gives isn't known to Python: give value_type")

    def bind(self, builder, types, result=None):
        is_plain = self.text in _PLAIN.values() and all(t == types[0] for t in types)
        if not isinstance(result, T.Scalar) or is_plain and result in (types[0], T.BOOL):
            return self.text, result
        # The value takes the type that is needed: f64(f(a)) of a function that gives an i32.
        name, letters = builder.fresh("f"), "abcdefgh"[:len(types)]
        given = ", ".join(f"{c}: {t.ck}" for c, t in zip(letters, types))
        builder.function(f"fn {name}<F: fn>(f: F, {given}) -> {result.ck} = {result.ck}(f({', '.join(letters)}));\n")
        return f"|{', '.join(letters)}| {name}({self.text}, {', '.join(letters)})", result


CONSTANT = object()  # as a source's attribute: the number follows from what the guards fix (_recipe.py)
_TRANSLATIONS = {}
_CLOSED = {}


def closed_op(function):
    """The one FunctionOp of functions of this code, if it names nothing but modules and Python's own.

    Then its translation depends on nothing that could change between calls.
    """
    code, scope = function.__code__, function.__globals__
    if function.__defaults__ or function.__closure__:
        return None
    key = (id(code), id(scope))
    found = _CLOSED.get(key)
    if found is None:
        if code.co_freevars:
            return None
        modules = []
        for name in _identity.names_of(code):
            if name in scope:
                modules.append((name, scope[name]))
                if not isinstance(scope[name], python_types.ModuleType):
                    return None
        op = FunctionOp(function)
        op.is_closed = True
        found = _CLOSED[key] = (op, tuple(modules), tuple(n for n in _identity.names_of(code) if n not in scope))
    op, modules, absent = found
    for name, module in modules:
        if scope.get(name) is not module:
            return None
    for name in absent:
        if name in scope:
            return None
    return op


def closed_facts(function):
    """The modules by name, and the names that its module doesn't have, on which a closed function's meaning
    depends; None of a function that isn't closed."""
    if closed_op(function) is None:
        return None
    return _CLOSED[id(function.__code__), id(function.__globals__)][1:]


class FunctionOp(Op):
    """A Python function, translated for the types that it is called with."""

    is_closed = False
    parts = ("function",)

    def __init__(self, function):
        self.function = function
        self.kind = _identity.of_function(function)
        self.key = self.present_key()

    def present_key(self):
        """Equal for functions of one name that are translated to one text."""
        return ("function", self.function.__name__, _identity.with_constants(self.function, self.kind))

    def translation(self, types):
        made = _TRANSLATIONS.get((self.key, types))
        if made is None:
            made = _translate.translate(self.function, types)
            if made.constants:
                _identity.learn(self.kind, made.constants)
                self.key = self.present_key()
            _TRANSLATIONS[self.key, types] = made
        return made

    def result_type(self, types):
        made = self.translation(tuple(types)).result
        if made is None:
            raise self.returns_nothing()
        return T.strong(made)

    def returns_nothing(self):
        return _translate.TranslationError(
            f"'{self.function.__name__}' returns nothing, where a value is needed")

    def bind(self, builder, types, result=None):
        made = self.translation(tuple(types))
        if made.result is None and result is not None:
            raise self.returns_nothing()
        for pattern in (_SIMPLE, _SIMPLE_PICK, _SIMPLE_COMPARE):
            plain = pattern.match(made.text())
            if plain and (result is None or result.ck == made.result.ck):
                return plain.group(4), made.result
        prefix = builder.fresh("op") + "_"
        builder.function(made.text(prefix))
        builder.prelude |= made.prelude
        captured = [self.parameter(builder, c) for c in made.captures]

        def call(names):
            return f"{made.name(prefix)}({', '.join(names + captured)})"
        return _wrapped(builder, types, call, made.result, result), result or made.result

    def parameter(self, builder, capture):
        present = _translate.fetch(self.function, capture.path)
        if not isinstance(capture.type, T.Span):
            capture.check(present)
            return builder.number(capture.type, present, "c", (self.function, capture))
        try:
            _arguments.check_order(present, capture.type.rank > 1)
        except ArgumentError as problem:
            problem.args = (f"the array '{'.'.join(map(str, capture.path))}' of the operator: {problem}",)
            raise
        if capture.type.rank != 1:
            return builder.matrix(capture.type.element, present, capture.is_written)
        return builder.span(capture.type.element, present, capture.is_written)


class RawOp(Op):
    """A function of LTO-IR, as NVRTC makes it of CUDA C++.

    name              of the function: void name(void *a, void *b, void *result), with `void *state`
                      in front if there is a state
    ltoir             bytes
    state             bytes that the function gets a pointer to
    state_alignment   of the state, in bytes
    extra_ltoirs      more pieces to link
    """

    def __init__(self, *, ltoir, name, state=b"", state_alignment=1, extra_ltoirs=None):
        self._ltoir, self._name = bytes(getattr(ltoir, "data", ltoir) or b""), name
        self._state, self._state_alignment = bytes(state), state_alignment
        self._extra_ltoirs = [bytes(getattr(e, "data", e)) for e in extra_ltoirs or []]
        self.key = ("raw", name, hash(self._ltoir), len(self._state), state_alignment,
                    tuple(hash(e) for e in self._extra_ltoirs))

    @property
    def _identity(self):
        return (self._ltoir, self._name, self._state, self._state_alignment, tuple(self._extra_ltoirs))

    def __eq__(self, other):
        return isinstance(other, RawOp) and self._identity == other._identity

    def __hash__(self):
        return hash(self._identity)

    @property
    def name(self):
        return self._name

    @property
    def ltoir(self):
        return self._ltoir

    @property
    def state(self):
        return self._state

    def get_state(self):
        return self._state

    def result_type(self, types):
        raise ArgumentTypeError(f"the type of what '{self._name}' gives isn't known: give value_type")

    @property
    def words(self):
        return (len(self._state) + 7) // 8

    def bind(self, builder, types, result=None):
        if result is None:
            raise ArgumentTypeError(f"the type of what '{self._name}' gives isn't known: give value_type")
        name, letters = builder.fresh("f"), "abcdefgh"[:len(types)]
        taken = ["ptr<u8>"] * (len(types) + 1 + bool(self._state))
        declared = ", ".join(f"a{i}: {t}" for i, t in enumerate(taken))
        given = [f"{c}: {t.ck}" for c, t in zip(letters, types)]
        copies = [f"var x_{c} = {c};" for c in letters]
        passed = [f"ptr<u8>(address(x_{c}))" for c in letters] + ["ptr<u8>(address(r))"]
        extra = []
        if self._state:
            state = builder.number(_words_type(self.words), self.state_value(), "s", (self, CONSTANT))
            given.append(f"state: {_words_type(self.words).ck}")
            copies.append("var x_state = state;")
            passed.insert(0, "ptr<u8>(address(x_state))")
            extra = [state]
        declaration = f"import fn {self._name}({declared});\n"
        if declaration not in builder.functions:
            builder.functions.insert(0, declaration)
        builder.function(f"fn {name}({', '.join(given)}) -> {result.ck} {{ {' '.join(copies)} var r: {result.ck}; "
                         f"{self._name}({', '.join(passed)}); return r; }}\n")
        builder.links += [self._ltoir] + self._extra_ltoirs
        return f"|{', '.join(letters)}| {name}({', '.join([*letters] + extra)})", result

    def state_value(self):
        padded = np.frombuffer(self._state.ljust(8 * self.words, b"\0"), dtype=np.uint64)
        return int(padded[0]) if self.words == 1 else tuple(int(v) for v in padded)


def _words_type(words):
    return T.U64 if words == 1 else T.Tuple([T.U64] * words)


def _count_of(function):
    """How many arguments a ufunc or a builtin function takes: two of one that takes any number."""
    if hasattr(function, "nin"):
        return function.nin
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:
        return 2
    needed = [p for p in parameters if p.default is p.empty and p.kind is not p.VAR_POSITIONAL]
    return len(needed) or 2


_KIND_OPS = {}


def make_op(op):
    """The Op of what an algorithm was given."""
    if op.__class__ is python_types.FunctionType:
        function = _translate.unwrap(op)
        return closed_op(function) or FunctionOp(function)
    if isinstance(op, Op):
        return op
    if isinstance(op, OpKind):
        made = _KIND_OPS.get(op)
        if made is None:
            made = _KIND_OPS[op] = KindOp(op)
        return made
    if isinstance(op, str):
        return TextOp(op)
    function = _translate.unwrap(op)
    if isinstance(function, np.ufunc) or isinstance(function, python_types.BuiltinFunctionType):
        function = _translate.of_builtin(function, _count_of(function))
    if not isinstance(function, python_types.FunctionType):
        raise _translate.TranslationError(f"{op!r} is no operator: give a Python function, an OpKind, a RawOp or CK "
                                          "text such as \"|a, b| a + b\"")
    return closed_op(function) or FunctionOp(function)


OpAdapter = Op
make_op_adapter = make_op

__all__ = ["OpAdapter", "OpKind", "RawOp", "make_op_adapter"]
