# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""_translate.py - Python functions and lambdas become CK text.

    def f(x):                        fn $f0_f(a_x: i32, c0: in i32[]) -> i64 {
        if x > limit[0]:                 let t0 = c0[0i64];
            return x * 2                 if ((a_x > t0)) { return i64((a_x * 2i32)); }
        return 0                         return 0i64; }

A function is translated for the types of its arguments, so that each expression has a type and each
operator Python's meaning: `//` and `%` round down, `/` of integers is a float, comparisons chain,
`and` and `or` stop early, Python's numbers are weak as in NumPy 2. A variable has one type, in which
all that is assigned to it is combined: the body is translated again until no type changes.

Expressions are texts without effects (_operators.py). What reads memory or has an effect becomes a
`let` before the statement, in Python's order; a branch of a conditional expression that needs such
statements becomes an `if`.

Names that a function doesn't bind are captures: arrays become spans and numbers arguments, fetched
at each call, so that a new value needs no compilation. A number that has to be known, as an
exponent, is part of the text; so are functions and types. What can't be translated is an error that
underlines the Python source; nothing of the function is ever run.
"""
import ast
import linecache
import types as python_types

import numpy as np

from . import _types as T
from ._operators import NONE, Value
from ._prelude import text_of
from ._session import MARK, MISSING, Again, Capture, Instance, Session, array_facts, fetch, is_array, is_struct, \
    lookup, unwrap
from ._source import TranslationError, find
from ._statements import Statements

def _assigned_names(body):
    """How often each name is bound in a body, not counting functions inside."""
    counts = {}

    def visit(node):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.Lambda, ast.ClassDef)):
                if isinstance(child, ast.FunctionDef):
                    counts[child.name] = counts.get(child.name, 0) + 1
                continue
            if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
                counts[child.id] = counts.get(child.id, 0) + (2 if isinstance(node, (ast.AugAssign, ast.For)) else 1)
            visit(child)
    for statement in body:
        visit(ast.Module([statement], []))
    return counts


def _always_returns(body):
    """Whether no path leaves a body at its end."""
    last = body[-1]
    if isinstance(last, ast.If):
        return _always_returns(last.body) and bool(last.orelse) and _always_returns(last.orelse)
    if isinstance(last, ast.While):  # without an end, and without a break
        return isinstance(last.test, ast.Constant) and bool(last.test.value) and not any(
            isinstance(n, ast.Break) for n in ast.walk(last))
    return isinstance(last, ast.Return) and last.value is not None


class Translator(Statements):
    """Translates one function for one row of argument types."""

    def __init__(self, session, node, code, lines, arguments, path, function=None, outer=None):
        self.session, self.node, self.code, self.lines = session, node, code, lines
        self.arguments, self.path, self.function, self.outer = arguments, path, function, outer
        self.types, self.result, self.changed = {}, None, False
        self.body = [ast.copy_location(ast.Return(node.body), node.body)] if isinstance(node, ast.Lambda) \
            else node.body
        self.bound = _assigned_names(self.body)
        self.instance = None

    # ---- the function ----------------------------------------------------------------------------

    def names_of_parameters(self):
        args = self.node.args
        if args.vararg or args.kwarg or args.kwonlyargs:
            raise self.fail(self.node, "a translated function takes positional arguments only, without '*'")
        return [a.arg for a in args.posonlyargs + args.args], args.defaults

    def run(self, instance):
        self.instance = instance
        names, defaults = self.names_of_parameters()
        given = list(self.arguments)
        for index in range(len(given), len(names)):
            if index - len(names) + len(defaults) < 0:
                raise self.fail(self.node, f"argument '{names[index]}' is missing: {len(given)} are given")
            given.append(self.expression_outside(defaults[index - len(names) + len(defaults)]))
        if len(given) > len(names):
            raise self.fail(self.node, f"the function takes {len(names)} arguments, but {len(given)} are given")
        for _ in range(12):
            self.changed = False
            self.start(names, given)
            self.block(self.body)
            if not self.changed:
                break
        else:
            raise self.fail(self.node, "the types of the variables don't settle: write conversions such as float()")
        if self.result is not None and not _always_returns(self.body):
            raise self.fail(self.body[-1], "behind this the function ends without a value, elsewhere it returns one")
        instance.result = self.result
        self.finish(instance, names, given)

    def expression_outside(self, node):
        self.start([], [])
        return self.expression(node)

    def start(self, names, given):
        self.out, self.depth, self.count = [], 1, 0
        self.env, self.functions, self.declared = {}, {}, {}
        self.instance.captures, self.instance.outer = [], []
        for name, value in zip(names, given):
            type_ = value.type
            if name in self.bound and type_ is not None:
                self.assign_name(self.node, name, Value(f"a_{self.safe(name)}", type_))
            elif value.known is not NONE or value.const is not NONE:
                self.env[name] = value
            else:
                self.env[name] = Value(f"a_{self.safe(name)}", type_)

    def finish(self, instance, names, given):
        taken = [f"a_{self.safe(n)}: {self.ck(v.type)}" for n, v in zip(names, given)
                 if v.known is NONE and v.const is NONE]
        taken += [f"o_{self.safe(n)}: {self.ck(t)}" for n, t in instance.outer]
        taken += [self.capture_parameter(c) for c in instance.captures]
        result = f" -> {self.result.ck}" if self.result is not None else ""
        declared = [f"    var v_{self.safe(n)}: {t.ck};" for n, t in self.declared.items()]
        text = [f"fn {MARK}{instance.name}({', '.join(taken)}){result} {{"] + declared + self.out + ["}"]
        self.session.texts.append("\n".join(text) + "\n")

    def ck(self, type_):
        return type_.ck

    def capture_parameter(self, capture):
        if isinstance(capture.type, T.Span):
            return f"{self.capture_name(capture)}: {'inout' if capture.is_written else 'in'} {capture.type.ck}"
        return f"{self.capture_name(capture)}: {capture.type.ck}"


class Translation:
    """A function as CK text for one row of argument types.

    text(prefix)     its functions, their names behind the prefix, and the prelude's that they call
    name(prefix)     the one to be called: with the arguments, then one for each capture
    result           its type; None if it returns nothing
    captures         where the arrays and numbers are found (fetch), and whether an array is written
    """

    def __init__(self, session, instance, constants):
        self._text = "".join(session.texts)
        self._name, self.result = instance.name, instance.result
        self.captures, self.has_effect = instance.captures, instance.has_effect
        self.numbers = [list(session.captures).index(c.path) for c in instance.captures]
        self.prelude, self.constants = frozenset(session.uses), constants

    def text(self, prefix=""):
        return self._text.replace(MARK, prefix)

    def name(self, prefix=""):
        return prefix + self._name

    def whole(self, prefix=""):
        return text_of(self.prelude) + self.text(prefix)


def translate(function, types):
    """Translates a Python function for arguments of these types. Fails with TranslationError."""
    function = unwrap(function)
    if isinstance(function, np.ufunc) or function in (min, max, abs, pow, divmod, round) or \
            getattr(function, "__module__", None) == "math" or isinstance(function, python_types.BuiltinFunctionType):
        function = of_builtin(function, len(types))
    if isinstance(function, python_types.MethodType):
        raise TranslationError(f"'{function.__name__}' is a method: use a function, or a lambda that names the object")
    if not isinstance(function, python_types.FunctionType):
        raise TranslationError(f"{function!r} is no function: use a Python function, a NumPy ufunc, "
                               "an OpKind or CK text such as \"|a, b| a + b\"")
    node, lines = find(function)
    constants = set()
    while True:
        session = Session(function, constants)
        given = [Value("", t) for t in types]
        instance = Instance(f"f0_{Translator.safe(function.__name__.strip('<>'))}")
        session.instances[()] = instance
        try:
            Translator(session, node, function.__code__, lines, given, (), function=function).run(instance)
        except Again:
            continue
        return Translation(session, instance, constants)


_SYNTHETIC = {}


def of_builtin(function, count):
    """A Python function that calls a ufunc or a builtin with so many arguments."""
    key = (function, count)
    if key not in _SYNTHETIC:
        names = ", ".join("abcdefgh"[:count])
        text = f"def call({names}):\n    return function({names})\n"
        file = f"<cokernel {getattr(function, '__name__', 'function')} {count}>"
        linecache.cache[file] = (len(text), None, text.splitlines(True), file)
        scope = {"function": function}
        exec(compile(text, file, "exec"), scope)  # pylint: disable=exec-used
        _SYNTHETIC[key] = scope["call"]
    return _SYNTHETIC[key]


__all__ = ["MISSING", "Capture", "TranslationError", "array_facts", "fetch", "is_array", "is_struct", "lookup",
           "of_builtin", "translate", "unwrap"]
