# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""_calls.py - captured arrays, atomics and calls, as parts of translated expressions.

A called Python function becomes a function of its own, for the types of the call's arguments. What it
captures are parameters of it, which the caller passes on; so are the variables of the function around
a function that is defined inside.
"""
import ast
import builtins
import math
import operator

import numpy as np

from . import _types as T
from ._operators import BUILTIN, MATH, NONE, NUMPY, OPERATOR, Value, constant, convert, element, tuple_of
from ._session import MARK, Atomic, HostFunction, Instance, LocalFunction, is_struct
from ._source import find
from ._expressions import ATOMICS, Expressions


class Calls(Expressions):
    """The part of a Translator that makes calls, and reads and writes arrays."""

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
            raise self.fail(node.keywords[0].value, "keyword arguments can't be translated here: give it by position")
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
            raise self.fail(node.func, f"'{name}' can't be translated to a kernel: functions in Python, of math, and ufuncs "
                                       "of NumPy can")
        try:
            return self.session.function(table, name, args)
        except TypeError:
            raise self.fail(node, f"'{name}' doesn't take {len(args)} arguments") from None

    @staticmethod
    def row_of(obj):
        name = getattr(obj, "__name__", None)
        for table, home in ((BUILTIN, builtins), (MATH, math), (NUMPY, np), (OPERATOR, operator)):
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
                inner = type(self)(session, known.node, self.code, self.lines, given, known.owner.path,
                                   outer=known.owner)
            else:
                source, lines = find(known.function)
                inner = type(self)(session, source, known.function.__code__, lines, given, known.path,
                                   function=known.function)
            inner.run(made)
            session.pending.pop()
        elif key in session.pending:
            raise self.fail(node, "a function that calls itself can't be translated: write a loop")
        return made
