# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""_expressions.py - Python's expressions as Values, with the statements that they need before them.

An expression that reads memory or has an effect gives its name a `let`, so that what remains may
stand anywhere: `x if i < n else table[i]` becomes an `if` around the `let` that reads the table.
Statements are in _statements.py, operators in _operators.py.
"""
import ast
import types as python_types

import numpy as np

from . import _types as T
from ._operators import NONE, NUMPY, Refused, Value, constant, convert, element, truth, tuple_of
from ._session import MISSING, Atomic, HostFunction, LocalFunction, array_facts, fetch, is_array, lookup, unwrap
from ._source import error

BINARY = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
          ast.Pow: "**", ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^"}
UNARY = {ast.USub: "-", ast.UAdd: "+", ast.Invert: "~", ast.Not: "not"}
COMPARE = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
ATOMICS = {"add": "add", "sub": "sub", "min": "min", "max": "max", "and_": "and", "or_": "or", "xor": "xor",
           "exch": "exchange", "exchange": "exchange"}

REFUSED = {"ListComp": "a list", "List": "a list", "Dict": "a dict", "Set": "a set", "Await": "await",
           "GeneratorExp": "a generator", "Yield": "yield", "JoinedStr": "a string", "Starred": "'*'",
           "DictComp": "a dict", "SetComp": "a set", "Slice": "a slice", "YieldFrom": "yield"}
INSTEAD = {**dict.fromkeys(("ListComp", "List", "Set", "Dict", "DictComp", "SetComp", "GeneratorExp"),
                           ": use a tuple, or an array from outside"),
           "Slice": ": index the elements one by one", "JoinedStr": ": a kernel has numbers, tuples, structs and arrays "
           "from outside", "Starred": ": name the arguments one by one",
           **dict.fromkeys(("Yield", "YieldFrom", "Await"), ": return a value, or write into an array from outside")}


class Expressions:
    """The part of a Translator that makes expressions."""

    def fail(self, node, message):
        return error(self.code, self.lines, node, message)

    @staticmethod
    def safe(name):
        return "".join(c if c.isascii() else f"_{ord(c):x}_" for c in name)

    def capture_name(self, capture):
        return f"c{list(self.session.captures).index(capture.path)}"

    def emit(self, text):
        self.out.append("    " * self.depth + text)

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
        return value

    def condition(self, node):
        try:
            return truth(self.data(node))
        except Refused as problem:
            raise self.fail(node, str(problem)) from None

    def expression(self, node, is_statement=False):
        method = getattr(self, "make_" + type(node).__name__, None)
        if method is None:
            kind = type(node).__name__
            raise self.fail(node, f"{REFUSED.get(kind, kind)} can't be translated to a kernel{INSTEAD.get(kind, '')}")
        try:
            if is_statement and isinstance(node, ast.Call):
                return self.make_Call(node, is_statement=True)
            return method(node)
        except Refused as problem:
            raise self.fail(node, str(problem)) from None

    def make_Constant(self, node):
        if node.value is None or isinstance(node.value, (str, bytes)) or node.value is Ellipsis:
            raise self.fail(node, f"{node.value!r} can't be translated to a kernel: a kernel has numbers, tuples, structs "
                                  "and arrays from outside")
        return constant(node.value)

    def make_Name(self, node):
        name = node.id
        if name in self.env:
            return self.env[name]
        if name in self.bound and name not in self.session.pending:
            raise self.fail(node, f"'{name}' may be used before it has a value")
        if self.is_outside(name):
            return self.outer_name(node, name)
        function = self.function if self.outer is None else self.root_function()
        value = lookup(function, name)
        if value is MISSING:
            raise self.fail(node, f"the name '{name}' is not defined")
        return self.host(node, value, self.path + (name,))

    def is_outside(self, name):
        """Whether a function around this one binds a name."""
        owner = self.outer
        while owner is not None and name not in owner.env and name not in owner.bound:
            owner = owner.outer
        return owner is not None

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
        return len(path) > 1 and isinstance(path[-1], str) and path[-1][0] == "." and isinstance(
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
        if type(node.op) not in BINARY:
            raise self.fail(node, "'@' can't be translated to a kernel: write the sum as a loop")
        left = self.data(node.left)
        return self.operate(node, BINARY[type(node.op)], left, self.data(node.right))

    def make_UnaryOp(self, node):
        return self.session.unary(UNARY[type(node.op)], self.data(node.operand))

    def make_Compare(self, node):
        values = [self.data(node.left)]
        made = None
        for op, right in zip(node.ops, node.comparators):
            if type(op) not in COMPARE:
                raise self.fail(node, "'in', 'not in' and 'is' can't be translated to a kernel: compare by == and !=")
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
