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
import builtins
import math
import types as python_types

import numpy as np

from . import _types as T
from ._operators import BUILTIN, MATH, NONE, NUMPY, Operators, Refused, Value
from ._operators import constant, convert, element, truth, tuple_of
from ._prelude import text_of
from ._source import TranslationError, error, find

MARK = "$"  # before each name of a text; a prefix makes the names of several texts distinct

BINARY = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
          ast.Pow: "**", ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^"}
UNARY = {ast.USub: "-", ast.UAdd: "+", ast.Invert: "~", ast.Not: "not"}
COMPARE = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
ATOMICS = {"add": "add", "sub": "sub", "min": "min", "max": "max", "and_": "and", "or_": "or", "xor": "xor",
           "exch": "exchange", "exchange": "exchange"}

MISSING = object()


class Atomic:
    """`atomic.add(array, index, value)` of this package, and of numba.cuda."""

    def __init__(self, name=None):
        self.name = name


class LocalFunction:
    """A function that is defined inside of the translated one."""

    def __init__(self, node, owner):
        self.node, self.owner = node, owner
        self.name = getattr(node, "name", "lambda")


class HostFunction:
    """A function that the translated one names."""

    def __init__(self, function, path):
        self.function, self.path = function, path


class Capture:
    """An array or a number from outside: where it is found, its type, what the text asks of it."""

    def __init__(self, path, type_):
        self.path, self.type = path, type_
        self.is_written = False
        self.must_fit = set()  # integer types in which a Python int is used

    def check(self, number):
        for type_ in self.must_fit:
            if not type_.holds(number):
                raise OverflowError(f"the Python integer {number}, '{self.path[-1]}', is out of bounds for {type_}")


class _Again(Exception):
    """The translation starts over: a captured number has to be a constant."""


def is_array(obj):
    return isinstance(obj, np.ndarray) and obj.ndim > 0 or not isinstance(obj, (np.ndarray, type)) and (
        hasattr(obj, "__cuda_array_interface__") or hasattr(obj, "__dlpack__")) and not isinstance(obj, np.generic)


def array_facts(obj):
    """The dtype and rank of an array."""
    dtype = getattr(obj, "dtype", None)
    if not isinstance(dtype, np.dtype):
        interface = obj.__cuda_array_interface__
        dtype = np.dtype([tuple(d) for d in interface["descr"]]) if interface["typestr"][1] == "V" \
            else np.dtype(interface["typestr"])
        return dtype, len(interface["shape"])
    shape = getattr(obj, "shape", None)
    return dtype, len(shape if shape is not None else obj.__cuda_array_interface__["shape"])


def lookup(function, name):
    """What a name means in a function, as Python finds it; MISSING if it is bound nowhere."""
    code = function.__code__
    if name in code.co_freevars:
        try:
            return function.__closure__[code.co_freevars.index(name)].cell_contents
        except ValueError:
            return MISSING
    if name in function.__globals__:
        return function.__globals__[name]
    return getattr(builtins, name, MISSING)


def fetch(function, path):
    """The present value of a capture."""
    value = function
    for step in path:
        if isinstance(step, int):
            value = value[step]
        else:
            value = getattr(value, step[1:]) if step[0] == "." else lookup(unwrap(value), step)
    return value


def unwrap(obj):
    """The Python function of a decorated one (numba's dispatchers have `py_func`)."""
    inner = getattr(obj, "py_func", None)
    return inner if isinstance(inner, python_types.FunctionType) else obj


def is_struct(obj):
    return isinstance(obj, type) and isinstance(getattr(obj, "dtype", None), np.dtype) \
        and getattr(obj, "_field_spec", None) is not None


class Session(Operators):
    """One translation: the functions made so far, the captures, and which of them are constants."""

    def __init__(self, root, constants):
        super().__init__()
        self.root, self.constants = root, constants
        self.texts, self.instances, self.captures, self.pending = [], {}, {}, []

    def capture(self, path, type_):
        if path not in self.captures:
            self.captures[path] = Capture(path, type_)
        return self.captures[path]

    def require_constant(self, capture):
        self.constants.add(capture.path)
        raise _Again


class Instance:
    """A function for one row of argument types: its name, its result, the captures it takes."""

    def __init__(self, name):
        self.name, self.result, self.captures, self.outer, self.has_effect = name, None, [], [], False


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


class Translator:
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

    def fail(self, node, message):
        return error(self.code, self.lines, node, message)

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

    @staticmethod
    def safe(name):
        return "".join(c if c.isascii() else f"_{ord(c):x}_" for c in name)

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

    def capture_name(self, capture):
        return f"c{list(self.session.captures).index(capture.path)}"

    # ---- statements ------------------------------------------------------------------------------

    def emit(self, text):
        self.out.append("    " * self.depth + text)

    def block(self, statements):
        self.depth += 0
        for statement in statements:
            self.statement(statement)

    def nested(self, statements):
        """The lines of statements, one level deeper."""
        kept, self.out = self.out, []
        self.depth += 1
        self.block(statements)
        self.depth -= 1
        made, self.out = self.out, kept
        return made

    def statement(self, node):
        method = getattr(self, "do_" + type(node).__name__, None)
        if method is None:
            what = {"Try": "try", "With": "with", "Raise": "raise", "Delete": "del", "Global": "global",
                    "Nonlocal": "nonlocal", "Import": "import", "ImportFrom": "import", "ClassDef": "class",
                    "Assert": "assert", "Match": "match"}.get(type(node).__name__, type(node).__name__)
            raise self.fail(node, f"'{what}' can't be translated to a kernel")
        method(node)

    def do_Pass(self, node):
        pass

    def do_Expr(self, node):
        if isinstance(node.value, ast.Constant):
            return
        value = self.expression(node.value, is_statement=True)
        del value

    def do_Return(self, node):
        if node.value is None or isinstance(node.value, ast.Constant) and node.value.value is None:
            self.emit("return;")
            return
        value = self.data(node.value)
        self.combine_result(node, value.type)
        self.emit(f"return {self.converted(node, value, self.result).text};")

    def combine_result(self, node, type_):
        type_ = T.strong(type_) if isinstance(type_, T.Tuple) else type_
        if self.result is None:
            self.result, self.changed = type_, True
        elif self.result != type_:
            made = T.promote(self.result, type_)
            if made is None:
                raise self.fail(node, f"the function returns a {type_} here and a {self.result} elsewhere")
            if made != self.result:
                self.result, self.changed = made, True

    def do_FunctionDef(self, node):
        if node.decorator_list:
            raise self.fail(node.decorator_list[0], "a function inside of a translated one has no decorators")
        self.env[node.name] = Value(None, None, known=LocalFunction(node, self))

    def do_Assign(self, node):
        value = self.expression(node.value)
        for target in node.targets:
            self.assign(target, value)

    def do_AnnAssign(self, node):
        if node.value is not None:
            self.assign(node.target, self.expression(node.value))

    def do_AugAssign(self, node):
        if isinstance(node.target, ast.Subscript):
            span, index = self.place(node.target)
            old = self.load(node.target, span, index)
            value = self.operate(node, BINARY[type(node.op)], old, self.data(node.value))
            self.store(node, span, index, value)
            return
        old = self.expression(ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target))
        self.assign(node.target, self.operate(node, BINARY[type(node.op)], old, self.data(node.value)))

    def assign(self, target, value):
        if isinstance(target, ast.Name):
            if value.type is None:
                self.env[target.id] = value
            else:
                self.assign_name(target, target.id, value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            count = len(target.elts)
            if not isinstance(value.type, T.Tuple) or len(value.type.elements) != count:
                raise self.fail(target, f"{count} names stand for a value of {value.type}")
            # All values are there before the first is assigned: (a, b) = (b, a) swaps.
            parts = [self.kept(element(value, i)) for i in range(count)]
            for part_target, part in zip(target.elts, parts):
                self.assign(part_target, part)
        elif isinstance(target, ast.Subscript):
            span, index = self.place(target)
            self.store(target, span, index, value)
        else:
            raise self.fail(target, "a value can be assigned to a name or to an element of a captured array only")

    def assign_name(self, node, name, value):
        if self.bound.get(name, 0) == 1 and (value.const is not NONE or value.known is not NONE) \
                and not (value.type is not None and value.text is None):
            self.env[name] = value
            return
        if value.type == T.BOOL or value.const is NONE:
            type_ = value.type
        else:
            type_ = value.type
        old = self.types.get(name)
        made = type_ if old is None else T.promote(old, type_)
        if made is None:
            raise self.fail(node, f"'{name}' was a {old}, and is a {type_} here: use another name")
        if made != old:
            self.types[name], self.changed = made, True
        self.declared[name] = made
        self.env[name] = Value(f"v_{self.safe(name)}", made)
        self.emit(f"v_{self.safe(name)} = {self.converted(node, value, made).text};")

    def do_If(self, node):
        condition = self.condition(node.test)
        if condition.const is not NONE:
            self.block(node.body if condition.const else node.orelse)
            return
        before = dict(self.env)
        body = self.nested(node.body)
        after_body = self.env
        self.env = dict(before)
        rest = self.nested(node.orelse)
        self.env = {**after_body, **self.env}
        self.emit(f"if ({condition.text}) {{")
        self.out += body
        if rest:
            self.emit("} else {")
            self.out += rest
        self.emit("}")

    def do_While(self, node):
        if node.orelse:
            raise self.fail(node.orelse[0], "'else' of a loop can't be translated")
        self.emit("while (true) {")
        kept, self.out = self.out, []
        self.depth += 1
        condition = self.condition(node.test)
        if condition.const is NONE or not condition.const:
            self.emit(f"if (!{condition.text}) break;")
        self.depth -= 1
        head, self.out = self.out, kept
        self.out += head + self.nested(node.body)
        self.emit("}")

    def do_For(self, node):
        if node.orelse:
            raise self.fail(node.orelse[0], "'else' of a loop can't be translated")
        call = node.iter
        callee = self.expression(call.func).known if isinstance(call, ast.Call) else NONE
        if not (isinstance(callee, tuple) and callee[0] is range):
            self.for_elements(node)
            return
        args = [self.converted(a, self.data(a), T.INT) for a in call.args]
        if not 1 <= len(args) <= 3 or call.keywords:
            raise self.fail(call, "range() takes 1 to 3 arguments")
        low, high = (constant(0), args[0]) if len(args) == 1 else args[:2]
        step = args[2] if len(args) == 3 else constant(1)
        if step.const is NONE and step.capture is not None:
            self.session.require_constant(step.capture)
        if step.const is NONE or step.const == 0:
            raise self.fail(call.args[-1], "the step of a range() has to be a constant other than 0")
        counter = self.fresh()
        steps = "" if step.const == 1 else f".step({step.const})"
        runs = f"{low.text}..{high.text}"
        self.emit(f"for ({counter}: i64 in {f'({runs}){steps}' if steps else runs}) {{")
        self.loop_body(node, Value(counter, T.INT))

    def for_elements(self, node):
        span = self.expression(node.iter)
        if not isinstance(span.type, T.Span) or span.type.rank != 1:
            raise self.fail(node.iter, "a loop runs over range() or over a captured array of one dimension")
        counter = self.fresh()
        self.emit(f"for ({counter}: i64 in 0i64..i64({span.text}.len)) {{")
        self.loop_body(node, Value(f"{span.text}[{counter}]", span.type.element))

    def loop_body(self, node, value):
        kept, self.out = self.out, []
        self.depth += 1
        self.assign(node.target, value)
        self.depth -= 1
        head, self.out = self.out, kept
        self.out += head + self.nested(node.body)
        self.emit("}")

    def do_Break(self, node):
        self.emit("break;")

    def do_Continue(self, node):
        self.emit("continue;")

    # ---- expressions -----------------------------------------------------------------------------

    def fresh(self):
        self.count += 1
        return f"t{self.count}"

    def kept(self, value):
        """The value in a variable of its own, if it is not a constant."""
        if value.type is None or value.const is not NONE or value.text is None and value.parts is None:
            return value
        if value.parts is not None:
            return tuple_of([self.kept(p) for p in value.parts], value.type.names)
        name = self.fresh()
        self.emit(f"let {name} = {value.text};")
        return Value(name, value.type)

    def converted(self, node, value, type_):
        try:
            if isinstance(value.type, T.Tuple) and value.parts is None and value.type.ck != type_.ck:
                value = self.kept(value)
            return convert(value, type_)
        except Refused as problem:
            raise self.fail(node, str(problem)) from None

    def operate(self, node, op, a, b):
        try:
            if op == "**" and b.const is NONE and b.capture is not None:
                self.session.require_constant(b.capture)
            if any(isinstance(x.type, T.Complex) and x.const is NONE for x in (a, b)):
                a, b = self.kept(a), self.kept(b)
            return self.session.binary(op, a, b)
        except Refused as problem:
            raise self.fail(node, str(problem)) from None

    def data(self, node):
        """An expression that is a value, no function, module or array."""
        value = self.expression(node)
        if value.type is None:
            raise self.fail(node, "a value is needed here, not a function, type or module")
        if isinstance(value.type, T.Span):
            raise self.fail(node, "an array can be used by its elements, its len() and in a loop only")
        if value.text is None:
            raise self.fail(node, f"the integer {value.const} doesn't fit an int64")
        return value

    def condition(self, node):
        try:
            return truth(self.data(node))
        except Refused as problem:
            raise self.fail(node, str(problem)) from None

    def expression(self, node, is_statement=False):
        method = getattr(self, "make_" + type(node).__name__, None)
        if method is None:
            what = {"ListComp": "a list", "List": "a list", "Dict": "a dict", "Set": "a set", "Await": "await",
                    "GeneratorExp": "a generator", "Yield": "yield", "JoinedStr": "a string",
                    "Starred": "'*'", "DictComp": "a dict", "Slice": "a slice"}.get(
                        type(node).__name__, type(node).__name__)
            raise self.fail(node, f"{what} can't be translated to a kernel")
        try:
            if is_statement and isinstance(node, ast.Call):
                return self.make_Call(node, is_statement=True)
            return method(node)
        except Refused as problem:
            raise self.fail(node, str(problem)) from None

    def make_Constant(self, node):
        if node.value is None or isinstance(node.value, (str, bytes)) or node.value is Ellipsis:
            raise self.fail(node, f"{node.value!r} can't be translated to a kernel")
        return constant(node.value)

    def make_Name(self, node):
        name = node.id
        if name in self.env:
            return self.env[name]
        if name in self.bound and name not in self.session.pending:
            raise self.fail(node, f"'{name}' may be used before it has a value")
        if self.outer is not None and (name in self.outer.env or name in self.outer.bound):
            return self.outer_name(node, name)
        function = self.function if self.outer is None else self.root_function()
        value = lookup(function, name)
        if value is MISSING:
            raise self.fail(node, f"the name '{name}' is not defined")
        return self.host(node, value, self.path + (name,))

    def root_function(self):
        owner = self
        while owner.outer is not None:
            owner = owner.outer
        return owner.function

    def outer_name(self, node, name):
        value = self.outer.make_Name(ast.copy_location(ast.Name(name, ast.Load()), node))
        if value.type is None or value.const is not NONE or isinstance(value.type, T.Span) or value.capture:
            if isinstance(value.type, T.Span) or value.capture:
                self.take_capture(value.capture)
            return value
        if (name, value.type) not in self.instance.outer:
            self.instance.outer.append((name, value.type))
        return Value(f"o_{self.safe(name)}", value.type)

    def take_capture(self, capture):
        if capture not in self.instance.captures:
            self.instance.captures.append(capture)

    def host(self, node, value, path):
        """What an object of Python means in a kernel."""
        value = unwrap(value)
        if isinstance(value, python_types.FunctionType):
            return Value(None, None, known=HostFunction(value, path))
        if isinstance(value, (bool, np.bool_)):
            return constant(value)
        if isinstance(value, np.ndarray) and value.ndim == 0:
            value = value[()]
        if isinstance(value, (int, float, complex, np.number)) and not isinstance(value, type):
            return self.captured_number(node, value, path)
        if isinstance(value, (tuple, list)):
            return tuple_of([self.host(node, v, path + (i,)) for i, v in enumerate(value)])
        if is_array(value):
            dtype, rank = array_facts(value)
            try:
                type_ = T.Span(T.from_dtype(dtype), rank)
            except TypeError as problem:
                raise self.fail(node, str(problem)) from None
            capture = self.session.capture(path, type_)
            self.take_capture(capture)
            return Value(self.capture_name(capture), type_, capture=capture)
        if getattr(type(value), "_field_spec", None) is not None and hasattr(value, "dtype"):
            fields = [self.host(node, getattr(value, n), path + ("." + n,)) for n in value.dtype.names]
            return self.struct_of(node, type(value), fields, {})
        return Value(None, None, known=(value, path))

    def captured_number(self, node, value, path):
        inside = any(not isinstance(step, str) for step in path)
        is_constant = isinstance(value, complex) and not isinstance(value, np.generic) or inside \
            or isinstance(value, int) and not T.I64.holds(value) or path in self.session.constants \
            or isinstance(value, np.generic) and value.dtype.kind == "c" or self.is_module_constant(path)
        if is_constant:
            if not self.is_module_constant(path):
                self.session.constants.add(path)
            return constant(value)
        type_ = T.from_dtype(value.dtype) if isinstance(value, np.generic) else T.FLOAT \
            if isinstance(value, float) else T.INT
        capture = self.session.capture(path, type_)
        self.take_capture(capture)
        return Value(self.capture_name(capture), type_, capture=capture)

    def is_module_constant(self, path):
        """math.pi, np.inf and the like don't change."""
        return len(path) > 1 and path[-1][0] == "." and isinstance(
            fetch(self.session.root, path[:-1]), python_types.ModuleType) and \
            fetch(self.session.root, path[:-1]).__name__ in ("math", "numpy")

    def make_Attribute(self, node):
        base = self.expression(node.value)
        name = node.attr
        if base.known is not NONE:
            return self.host_attribute(node, base.known, name)
        if isinstance(base.type, T.Tuple):
            if base.type.names and name in base.type.names:
                return element(base, base.type.names.index(name))
            raise self.fail(node, f"there is no field '{name}' in {base.type}")
        if isinstance(base.type, T.Span):
            if name == "size":
                return Value(f"i64({base.text}.len)", T.INT)
            if name == "shape":
                return tuple_of([Value(f"i64({self.extent(base, k)})", T.INT) for k in range(base.type.rank)])
            if name == "ndim":
                return constant(base.type.rank)
            raise self.fail(node, f"an array has no '{name}' in a kernel")
        if name in ("real", "imag"):
            return NUMPY[name](self.session, base)
        if name in ("conjugate", "conj"):
            return Value(None, None, known=("conjugate", base))
        raise self.fail(node, f"a value of {base.type} has no '{name}'")

    @staticmethod
    def extent(base, axis):
        return f"{base.text}.len" if base.type.rank == 1 else f"{base.text}.extent({axis})"

    def host_attribute(self, node, known, name):
        if isinstance(known, Atomic) and known.name is None:
            if name not in ATOMICS:
                raise self.fail(node, f"there is no atomic '{name}': there are {', '.join(sorted(ATOMICS))}")
            return Value(None, None, known=Atomic(name))
        if not isinstance(known, tuple) or len(known) != 2:
            raise self.fail(node, f"'.{name}' can't be translated")
        obj, path = known
        if isinstance(obj, python_types.ModuleType) and obj.__name__.startswith("numba") and name == "atomic":
            return Value(None, None, known=Atomic())
        if getattr(obj, "__ck_atomic__", False):
            return self.host_attribute(node, Atomic(), name)
        value = getattr(obj, name, MISSING)
        if value is MISSING:
            raise self.fail(node, f"there is no '{name}' in {getattr(obj, '__name__', obj)!r}")
        return self.host(node, value, path + ("." + name,))

    def make_BinOp(self, node):
        left = self.data(node.left)
        mark = len(self.out)
        right = self.data(node.right)
        del mark
        return self.operate(node, BINARY[type(node.op)], left, right) if type(node.op) in BINARY \
            else self.refuse_matmul(node)

    def refuse_matmul(self, node):
        raise self.fail(node, "'@' can't be translated to a kernel")

    def make_UnaryOp(self, node):
        return self.session.unary(UNARY[type(node.op)], self.data(node.operand))

    def make_Compare(self, node):
        values = [self.data(node.left)]
        made = None
        for op, right in zip(node.ops, node.comparators):
            if type(op) not in COMPARE:
                raise self.fail(node, "'in', 'not in' and 'is' can't be translated to a kernel")
            if made is None or made.const is not NONE and made.const:
                values.append(self.data(right))
                lines = []
            else:
                values_right, lines = self.apart(lambda right=right: self.data(right))
                values.append(values_right)
            first = self.session.compare(COMPARE[type(op)], values[-2], values[-1])
            if made is None:
                made = first
            elif lines:
                made = self.stepwise_and(made, lines, first)
            else:
                made = self.both(made, first)
        return made

    def both(self, a, b):
        if a.const is not NONE:
            return b if a.const else a
        if b.const is not NONE:
            return a if b.const else b
        return Value(f"({a.text} && {b.text})", T.BOOL)

    def stepwise_and(self, a, lines, b):
        name = self.fresh()
        self.emit(f"var {name} = {a.text};")
        self.emit(f"if ({name}) {{")
        self.out += lines
        self.emit(f"    {name} = {b.text};")
        self.emit("}")
        return Value(name, T.BOOL)

    def apart(self, make):
        """A value, and the statements that it needs, one level deeper."""
        kept, self.out = self.out, []
        self.depth += 1
        value = make()
        self.depth -= 1
        lines, self.out = self.out, kept
        return value, lines

    def make_BoolOp(self, node):
        is_and = isinstance(node.op, ast.And)
        made = self.data(node.values[0])
        for right in node.values[1:]:
            known = truth(made)
            if known.const is not NONE:
                made = self.data(right) if bool(known.const) == is_and else made
                continue
            value, lines = self.apart(lambda right=right: self.data(right))
            made = self.choose(node, known, lines if is_and else [], value if is_and else made,
                               [] if is_and else lines, made if is_and else value)
        return made

    def make_IfExp(self, node):
        condition = self.condition(node.test)
        if condition.const is not NONE:
            return self.expression(node.body if condition.const else node.orelse)
        a, first = self.apart(lambda: self.data(node.body))
        b, second = self.apart(lambda: self.data(node.orelse))
        return self.choose(node, condition, first, a, second, b)

    def choose(self, node, condition, first, a, second, b):
        """a if condition else b, each with the statements that it needs."""
        type_ = T.promote(a.type, b.type)
        if type_ is None:
            raise self.fail(node, f"one side is a {a.type}, the other a {b.type}")
        if isinstance(a.type, T.Weak) and a.type == b.type:
            type_ = a.type
        if type_ == T.BOOL and not first and not second and T.BOOL == a.type == b.type and (
                a.text == condition.text or b.text == condition.text):
            op, other = ("&&", a) if b.text == condition.text else ("||", b)
            return Value(f"({condition.text} {op} {other.text})", T.BOOL)
        (x, more), (y, also) = (self.apart(lambda v=v: self.converted(node, v, type_)) for v in (a, b))
        first, second = first + more, second + also
        if not first and not second:
            return Value(f"({condition.text} ? {x.text} : {y.text})", type_)
        name = self.fresh()
        self.emit(f"var {name}: {type_.ck};")
        self.emit(f"if ({condition.text}) {{")
        self.out += first + ["    " * (self.depth + 1) + f"{name} = {x.text};"]
        self.emit("} else {")
        self.out += second + ["    " * (self.depth + 1) + f"{name} = {y.text};"]
        self.emit("}")
        return Value(name, type_)

    def make_NamedExpr(self, node):
        value = self.data(node.value)
        self.assign(node.target, value)
        return self.kept(self.env[node.target.id])

    def make_Tuple(self, node):
        return tuple_of([self.data(e) for e in node.elts])

    def make_Lambda(self, node):
        return Value(None, None, known=LocalFunction(node, self))

    # ---- arrays ----------------------------------------------------------------------------------

    def make_Subscript(self, node):
        base = self.expression(node.value)
        if isinstance(base.type, T.Tuple) or isinstance(base.type, T.Complex):
            if isinstance(base.type, T.Complex):
                raise self.fail(node, "a complex number has .real and .imag, no elements")
            index = self.expression(node.slice)
            if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
                return self.make_Attribute(ast.copy_location(ast.Attribute(node.value, node.slice.value), node))
            if index.const is NONE and index.capture is not None:
                self.session.require_constant(index.capture)
            if index.const is NONE or not -len(base.type.elements) <= index.const < len(base.type.elements):
                raise self.fail(node.slice, f"the number of a field of {base.type} has to be a constant")
            return element(base, int(index.const) % len(base.type.elements))
        if isinstance(base.type, T.Span):
            span, index = self.place(node)
            return self.load(node, span, index)
        if base.known is not NONE and isinstance(base.known, tuple):
            obj, path = base.known
            index = self.expression(node.slice)
            if index.const is not NONE:
                return self.host(node, obj[index.const], path + (index.const,))
        raise self.fail(node, f"a value of {base.type} has no elements")

    def place(self, node):
        base = self.expression(node.value)
        if not isinstance(base.type, T.Span):
            raise self.fail(node, "only elements of a captured array can be assigned")
        wanted = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        return base, self.indices(node, base, wanted)

    def indices(self, node, base, wanted):
        if len(wanted) != base.type.rank:
            raise self.fail(node, f"the array has {base.type.rank} dimensions, but {len(wanted)} indices are given")
        texts = []
        for axis, index_node in enumerate(wanted):
            index = self.data(index_node)
            if index.type.kind not in "biu":
                raise self.fail(index_node, f"an index is an integer, not a {index.type}")
            if index.const is not NONE:
                number = int(index.const)
                texts.append(f"{number}" if number >= 0 else f"{self.extent(base, axis)} - {-number}")
            elif index.type.kind == "i":
                name = self.kept(convert(index, T.I64)).text
                texts.append(f"{name} < 0 ? {name} + i64({self.extent(base, axis)}) : {name}")
            else:
                texts.append(convert(index, T.U64).text)
        return ", ".join(texts)

    def load(self, node, span, index):
        del node
        return self.kept(Value(f"{span.text}[{index}]", span.type.element))

    def store(self, node, span, index, value):
        span.capture.is_written = True
        self.instance.has_effect = True
        self.emit(f"{span.text}[{index}] = {self.converted(node, value, span.type.element).text};")

    def atomic(self, node, name, args):
        if len(node.args) != 3:
            raise self.fail(node, f"atomic.{name} takes an array, an index and a value")
        base = self.expression(node.args[0])
        if not isinstance(base.type, T.Span):
            raise self.fail(node.args[0], f"atomic.{name} needs a captured array")
        index_node = node.args[1]
        wanted = index_node.elts if isinstance(index_node, ast.Tuple) else [index_node]
        index = self.indices(node, base, wanted)
        value = self.converted(node.args[2], self.data(node.args[2]), base.type.element)
        base.capture.is_written = True
        self.instance.has_effect = True
        made = self.fresh()
        text = f"atomic.{ATOMICS[name]}({base.text}[{index}], {value.text})"
        if args:
            self.emit(f"{text};")
            return Value(None, None)
        self.emit(f"let {made} = {text};")
        return Value(made, base.type.element)

    # ---- calls -----------------------------------------------------------------------------------

    def make_Call(self, node, is_statement=False):
        callee = self.expression(node.func)
        known = callee.known
        if known is NONE:
            raise self.fail(node.func, f"a value of {callee.type} can't be called")
        if isinstance(known, Atomic):
            return self.atomic(node, known.name, is_statement)
        if isinstance(known, (LocalFunction, HostFunction)):
            return self.call_function(node, known)
        obj = known[0]
        if obj == "conjugate":
            return NUMPY["conjugate"](self.session, known[1])
        if obj is len:
            return self.length(node)
        if is_struct(obj):
            given = [self.expression(a) for a in node.args]
            named = {k.arg: self.expression(k.value) for k in node.keywords}
            return self.struct_of(node, obj, given, named)
        if node.keywords:
            raise self.fail(node.keywords[0].value, "keyword arguments can't be translated here")
        args = [self.data(a) for a in node.args]
        return self.call_object(node, obj, args)

    def call_object(self, node, obj, args):
        if isinstance(obj, type) and issubclass(obj, np.generic) or isinstance(obj, np.dtype):
            if len(args) != 1:
                raise self.fail(node, "a conversion takes one argument")
            return self.cast(node, args[0], np.dtype(obj))
        if obj is tuple and len(args) == 1 and isinstance(args[0].type, T.Tuple):
            return args[0]
        if any(isinstance(a.type, T.Complex) or a.type.kind == "f" and a.const is NONE for a in args):
            args = [self.kept(a) if isinstance(a.type, T.Complex) else a for a in args]
        table, name = self.row_of(obj)
        if table is None:
            name = getattr(obj, "__name__", repr(obj))
            raise self.fail(node.func, f"'{name}' can't be translated to a kernel")
        try:
            return self.session.function(table, name, args)
        except TypeError:
            raise self.fail(node, f"'{name}' doesn't take {len(args)} arguments") from None

    @staticmethod
    def row_of(obj):
        name = getattr(obj, "__name__", None)
        for table, home in ((BUILTIN, builtins), (MATH, math), (NUMPY, np)):
            if name in table and getattr(home, name, None) is obj:
                return table, name
        if isinstance(obj, np.ufunc) and name in NUMPY:
            return NUMPY, name
        return None, name

    def cast(self, node, value, dtype):
        try:
            type_ = T.from_dtype(dtype)
        except TypeError as problem:
            raise self.fail(node, str(problem)) from None
        if value.const is not NONE and isinstance(value.type, T.Weak) and type_.kind in "iu" \
                and value.type.kind == "i" and not type_.holds(value.const):
            raise self.fail(node, f"the Python integer {value.const} is out of bounds for {type_}")
        if isinstance(type_, T.Complex) or value.const is not NONE:
            return self.converted(node, value, type_)
        if isinstance(value.type, T.Complex):
            raise self.fail(node, f"a complex number can't become a {type_}: take its .real")
        return Value(f"{type_.ck}({value.text})" if value.type.ck != type_.ck else value.text, type_)

    def length(self, node):
        value = self.expression(node.args[0]) if len(node.args) == 1 else None
        if value is not None and isinstance(value.type, T.Span):
            return Value(f"i64({self.extent(value, 0)})", T.INT)
        if value is not None and isinstance(value.type, T.Tuple):
            return constant(len(value.type.elements))
        raise self.fail(node, "len() takes a captured array or a tuple")

    def struct_of(self, node, cls, given, named):
        type_ = T.from_dtype(cls.dtype)
        if len(given) == 1 and not named and isinstance(given[0].type, T.Tuple) and len(type_.elements) > 1:
            given = [element(given[0], i) for i in range(len(given[0].type.elements))]
        fields = dict(zip(type_.names, given))
        fields.update(named)
        if len(given) > len(type_.names) or set(fields) != set(type_.names):
            raise self.fail(node, f"{cls.__name__} has the fields {', '.join(type_.names)}")
        parts = [self.converted(node, fields[n], e) for n, e in zip(type_.names, type_.elements)]
        return tuple_of(parts, type_.names)

    def call_function(self, node, known):
        given = [self.expression(a) for a in node.args]
        if isinstance(known, LocalFunction):
            parameters = [a.arg for a in known.node.args.posonlyargs + known.node.args.args]
        else:
            parameters = known.function.__code__.co_varnames[:known.function.__code__.co_argcount]
        for keyword in node.keywords:
            index = parameters.index(keyword.arg) if keyword.arg in parameters else -1
            if index != len(given):
                raise self.fail(keyword.value, f"'{keyword.arg}' is not the next parameter: give it by position")
            given.append(self.expression(keyword.value))
        instance = self.instance_of(node, known, given)
        texts = [v.text for v in given if v.known is NONE and v.const is NONE]
        for name, _ in instance.outer:
            texts.append(self.outer_text(node, name, known))
        for capture in instance.captures:
            self.take_capture(capture)
            texts.append(self.capture_name(capture))
        text = f"{MARK}{instance.name}({', '.join(texts)})"
        self.instance.has_effect |= instance.has_effect
        if instance.result is None:
            self.emit(f"{text};")
            return Value(None, None)
        value = Value(text, instance.result)
        return self.kept(value) if instance.has_effect or isinstance(instance.result, T.Tuple) \
            or any(isinstance(c.type, T.Span) for c in instance.captures) else value

    def outer_text(self, node, name, known):
        if isinstance(known, LocalFunction) and known.owner is self:
            return self.make_Name(ast.copy_location(ast.Name(name, ast.Load()), node)).text
        return self.outer_name(node, name).text

    def instance_of(self, node, known, given):
        session = self.session
        key_values = tuple((v.type, None if v.const is NONE else (type(v.const), v.const)) if v.known is NONE
                           else id(v.known) for v in given)
        if isinstance(known, LocalFunction):
            key = (id(known.node), key_values, tuple((n, t) for n, t in self.types.items()))
        else:
            key = (known.path, key_values)
        made = session.instances.get(key)
        if made is None:
            if len(session.pending) > 60 or key in session.pending:
                raise self.fail(node, "a function that calls itself can't be translated: write a loop")
            session.pending.append(key)
            name = known.name if isinstance(known, LocalFunction) else known.function.__name__
            made = Instance(f"f{len(session.instances)}_{self.safe(name.strip('<>'))}")
            session.instances[key] = made
            if isinstance(known, LocalFunction):
                inner = Translator(session, known.node, self.code, self.lines, given, known.owner.path,
                                   outer=known.owner)
            else:
                source, lines = find(known.function)
                inner = Translator(session, source, known.function.__code__, lines, given, known.path,
                                   function=known.function)
            inner.run(made)
            session.pending.pop()
        elif key in session.pending:
            raise self.fail(node, "a function that calls itself can't be translated: write a loop")
        return made


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
        except _Again:
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
        import linecache  # pylint: disable=import-outside-toplevel
        linecache.cache[file] = (len(text), None, text.splitlines(True), file)
        scope = {"function": function}
        exec(compile(text, file, "exec"), scope)  # pylint: disable=exec-used
        _SYNTHETIC[key] = scope["call"]
    return _SYNTHETIC[key]
