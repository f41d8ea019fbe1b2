# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""_statements.py - Python's statements as CK statements.

A variable has one type: that in which all that is assigned to it is combined. A body is translated
again until no type changes; `changed` says whether one did. A name that is bound once, to a constant
or a function, is no variable: it stands for its value.
"""
import ast

from . import _types as T
from ._calls import Calls
from ._expressions import BINARY
from ._operators import NONE, Value, constant, element
from ._session import LocalFunction


class Statements(Calls):
    """The part of a Translator that makes statements."""

    def block(self, statements):
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
            instead = {"try": ": test for what could go wrong with 'if'", "raise": ": write a mark into an array from outside",
                       "assert": ": write a mark into an array from outside", "global": ": return it, or write it into an "
                       "array from outside", "nonlocal": ": return it", "import": ": import it outside of the function",
                       "class": ": define it outside, with gpu_struct", "match": ": use 'if' and 'elif'"}.get(what, "")
            raise self.fail(node, f"'{what}' can't be translated to a kernel{instead}")
        method(node)

    def do_Pass(self, node):
        pass

    def do_Expr(self, node):
        if isinstance(node.value, ast.Constant):
            return
        self.expression(node.value, is_statement=True)

    def do_Return(self, node):
        if node.value is None or isinstance(node.value, ast.Constant) and node.value.value is None:
            if self.result is not None:
                raise self.fail(node, "this returns nothing, where the function returns a value elsewhere")
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
        old, type_ = self.types.get(name), value.type
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
