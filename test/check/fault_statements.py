# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fault_statements.py - the statements of the programs of one_fault.py.

Statements of a thread access views (fault_views.py); statements of the block are barriers, loops,
scopes and calls that all threads execute together. Each statement writes its text, and does on a
Machine what the text says. `where` is its file and line in the text that was written last.
"""
import itertools

from fault_model import Element, Stop, cut
from fault_views import U32, Bound, Node, View, Zipped

# ---- statements ------------------------------------------------------------------------------------


class Statement(Node):
    """of_block: all threads run it together, by run_block; otherwise each thread runs it
    separately, by run."""
    where, of_block = None, False

    def emit(self, out, depth):
        self.where = out.line(depth, self.text())

    def run_block(self, m):
        for m.t in range(m.threads):
            try:
                self.run(m)
            except Stop:
                pass


class Read(Statement):
    """Adds an element to acc. `how` is the way to it: None, or a Helper's word with the helper."""
    parts = ("view", "index")

    def __init__(self, view, index, how=None, helper=None):
        self.view, self.index, self.how, self.helper = view, index, how, helper

    def value_text(self):
        index = self.index.text()
        if self.how is None:
            return f"u32({self.view.access(index)})"
        if self.how == "get":
            return f"{self.helper.name}({self.view.text()}).get({index})"
        return f"u32({self.helper.name}({self.view.text()}, {index}))"

    def text(self):
        return f"acc = acc * 5 + {self.value_text()};"

    def value(self, m):
        i = self.index.eval(m)
        self.view.make(m, self)
        if self.how is None:
            return self.view.get(m, i, self)
        return self.view.get(m, i & U32, self.helper.site(self.how))

    def run(self, m):
        m.variables[m.t]["acc"] = (m.variables[m.t]["acc"] * 5 + self.value(m)) & U32


class Sum(Statement):
    """Adds all elements to acc: a loop over the view here, or in a helper; or with a counter."""
    parts = ("view", "count")

    def __init__(self, view, name, how=None, helper=None, count=None):
        self.view, self.name, self.how, self.helper, self.count = view, name, how, helper, count

    def text(self):
        view, name = self.view.text(), self.name
        if self.how == "each":
            return f"for ({name} in {view}) acc = acc * 3 + u32({name});"
        if self.how == "total":
            return f"acc += {self.helper.name}({view});"
        return f"for ({name} in 0u32..{self.count.text()}) acc = acc * 3 + u32({self.view.access(name)});"

    def run(self, m):
        own = m.variables[m.t]
        if self.how == "total":
            self.view.make(m, self)
            total = 0
            for i in range(self.view.length):
                total = (total * 3 + self.view.get(m, i, self.helper.site("total"))) & U32
            own["acc"] = (own["acc"] + total) & U32
            return
        if self.how == "each":
            self.view.make(m, self)
        for i in range(self.view.length if self.how else self.count.eval(m) & U32):
            if not self.how:
                self.view.make(m, self)
            own["acc"] = (own["acc"] * 3 + self.view.get(m, i, self)) & U32


class Write(Statement):
    """Assigns `acc + number` to an element. op: = or +=."""
    parts = ("view", "index")

    def __init__(self, view, index, number, op="=", how=None, helper=None):
        self.view, self.index, self.number, self.op, self.how, self.helper = view, index, number, op, how, helper

    def text(self):
        index, value = self.index.text(), f"acc + {self.number}"
        if isinstance(self.view.base if isinstance(self.view, Bound) else self.view, Zipped):
            zipped = self.view.base if isinstance(self.view, Bound) else self.view
            kinds = ", ".join(f"{one.kind}({value})" for one in (zipped.base, zipped.other))
            return f"{self.view.text()}[{index}] = ({kinds});"
        value = value if self.view.kind == "u32" else f"{self.view.kind}({value})"
        if self.how is None:
            return f"{self.view.access(index)} {self.op} {value};"
        if self.how == "put":
            return f"{self.helper.name}({self.view.text()}).put({index}, {value});"
        return f"{self.helper.name}({self.view.text()}, {index}, {value});"

    def run(self, m):
        value, i = (m.variables[m.t]["acc"] + self.number) & U32, self.index.eval(m)
        self.view.make(m, self)
        if self.how is not None:
            self.view.put(m, i & U32, value, self.helper.site(self.how))
            return
        if self.op == "+=":
            value = self.view.get(m, i, self) + cut(value, self.view.kind)
        self.view.put(m, i, value, self)


class Atomic(Statement):
    """An atomic addition of a value that differs between threads; the old value is not used."""
    parts = ("view", "index")

    def __init__(self, view, index, number):
        self.view, self.index, self.number = view, index, number

    def text(self):
        value = f"t + {self.number}" if self.view.kind == "u32" else f"{self.view.kind}(t + {self.number})"
        return f"atomic.add({self.view.access(self.index.text())}, {value});"

    def run(self, m):
        self.view.make(m, self)
        element = self.view.element(m, self.index.eval(m), self)
        element.value = cut(element.value + m.t + self.number, self.view.kind)


class Let(Statement):
    """let name = view; or of an index."""
    parts = ("view",)

    def __init__(self, name, view):
        self.name, self.view = name, view

    def text(self):
        return f"let {self.name} = {self.view.text()};"

    def run(self, m):
        if isinstance(self.view, View):
            self.view.make(m, self)
        else:
            m.variables[m.t][self.name] = self.view.eval(m)


class Lambda(Let):
    """let name = |i: u32| view[i];"""

    def text(self):
        return f"let {self.name} = |i: u32| {self.view.access('i')};"

    def run(self, m):
        pass


class Wide(Statement):
    """`count` elements in one access: view.load<N>(N * index), or view.store(N * index, one value for all)."""
    parts = ("view", "index")

    def __init__(self, view, index, count, number=None):
        self.view, self.index, self.count, self.number = view, index, count, number

    def text(self):
        at, kind = f"{self.count} * ({self.index.text()})", self.view.kind
        if self.number is None:
            return f"acc = acc * 5 + u32(sum({self.view.text()}.load<{self.count}>({at})));"
        return f"{self.view.text()}.store({at}, {kind}x{self.count}({kind}(acc + {self.number})));"

    def run(self, m):
        own, at = m.variables[m.t], self.count * self.index.eval(m)
        if not 0 <= at <= self.view.length - self.count:
            m.outside(self)
        if self.number is not None:
            for k in range(self.count):
                self.view.put(m, at + k, (own["acc"] + self.number) & U32, self)
            return
        values = [self.view.get(m, at + k, self) for k in range(self.count)]
        own["acc"] = (own["acc"] * 5 + cut(sum(values), self.view.kind)) & U32


class Local(Statement):
    """var name: T[n]; filled with numbers."""

    def __init__(self, memory, number):
        self.memory, self.number = memory, number

    def text(self):
        name, kind = self.memory.name, self.memory.kind
        return (f"var {name}: {kind}[{self.memory.count}]; "
                f"for (k in 0u32..{self.memory.count}) {name}[k] = {kind}(k * {self.number} + t);")

    def run(self, m):
        m.locals[m.t][self.memory] = [Element(cut(k * self.number + m.t, self.memory.kind), True)
                                      for k in range(self.memory.count)]


class If(Statement):
    """if (a OP b) { ... }, evaluated by each thread."""
    parts = ("a", "b", "body")

    def __init__(self, a, op, b, body):
        self.a, self.op, self.b, self.body = a, op, b, body

    def emit(self, out, depth):
        self.where = out.line(depth, f"if ({self.a.text()} {self.op} {self.b.text()}) {{")
        for statement in self.body:
            statement.emit(out, depth + 1)
        out.line(depth, "}")

    def run(self, m):
        a, b = self.a.eval(m) & U32, self.b.eval(m) & U32
        if {"<": a < b, "<=": a <= b, "==": a == b, "!=": a != b, ">=": a >= b}[self.op]:
            for statement in self.body:
                statement.run(m)


class Stride(Statement):
    """for (k in (low..high).step(n)) { ... }, executed by each thread. is_block: for (k in
    block.stride(high))."""
    parts = ("low", "high", "step", "body")

    def __init__(self, name, low, high, step, body, is_block=False):
        self.name, self.low, self.high, self.step, self.body, self.is_block = name, low, high, step, body, is_block

    def emit(self, out, depth):
        range_ = f"({self.low.text()}..{self.high.text()}).step({self.step.text()})"
        if self.is_block:
            range_ = f"block.stride(u32({self.high.text()}))"
        self.where = out.line(depth, f"for ({self.name} in {range_}) {{")
        for statement in self.body:
            statement.emit(out, depth + 1)
        out.line(depth, "}")

    def run(self, m):
        low, step = (m.t, m.threads) if self.is_block else (self.low.eval(m) & U32, max(self.step.eval(m), 1))
        high = self.high.eval(m) & U32
        for k in itertools.islice(range(low, high, step), 10000):
            m.variables[m.t][self.name] = k
            for statement in self.body:
                statement.run(m)


class Sync(Statement):
    of_block = True

    def __init__(self, is_warp=False):
        self.is_warp = is_warp

    def text(self):
        return "warp.sync();" if self.is_warp else "block.sync();"

    def run_block(self, m):
        if self.is_warp:
            m.sync_warp()
        else:
            m.sync()


class Repeat(Statement):
    """for (k in 0..n) { ... }: all threads together."""
    parts = ("body",)
    of_block = True

    def __init__(self, name, count, body):
        self.name, self.count, self.body = name, count, body

    def emit(self, out, depth):
        self.where = out.line(depth, f"for ({self.name} in 0u32..{self.count}) {{")
        for statement in self.body:
            statement.emit(out, depth + 1)
        out.line(depth, "}")

    def run_block(self, m):
        for k in range(self.count):
            for own in m.variables:
                own[self.name] = k
            for statement in self.body:
                statement.run_block(m)


class Scope(Statement):
    """{ shared ...; ... }: its memory may share bytes with other variables; then the compiler adds
    a barrier."""
    parts = ("body",)
    of_block = True

    def __init__(self, memory, body):
        self.memory, self.body = memory, body

    def emit(self, out, depth):
        out.line(depth, "{")
        self.where = out.line(depth + 1, declaration(self.memory))
        for statement in self.body:
            statement.emit(out, depth + 1)
        out.line(depth, "}")

    def run_block(self, m):
        m.sync(False)
        m.declare(self.memory)
        for statement in self.body:
            statement.run_block(m)
        m.sync(False)


class Together(Statement):
    """A call of a library function by all threads, or by all lanes of each warp."""
    of_block = True

    def __init__(self, text, run, is_warp):
        self.call, self.function, self.is_warp = text, run, is_warp

    def text(self):
        return self.call

    def run_block(self, m):
        for sync in (m.sync, m.sync_warp):
            sync(False)
        values = [own["acc"] for own in m.variables]
        for own, value in zip(m.variables, self.function(values)):
            own["acc"] = value & U32
        for sync in (m.sync, m.sync_warp):
            sync(False)


class Exchange(Statement):
    """acc = helper(acc, d): a function with shared memory, whose body is written with the helpers.
    """
    parts = ("helper",)
    of_block = True

    def __init__(self, helper, distance):
        self.helper, self.distance = helper, distance

    def text(self):
        return f"acc = acc * 7 + {self.helper.name}(acc, {self.distance});"

    def run_block(self, m):
        m.sync(False)
        found = self.helper.run_block(m, [own["acc"] for own in m.variables], self.distance)
        for own, value in zip(m.variables, found):
            own["acc"] = (own["acc"] * 7 + value) & U32
        m.sync(False)


def declaration(memory):
    kind, extents = memory.kind, memory.extents
    if memory.form:
        kind, extents = f"Cell_{kind}" if memory.form == "struct" else f"{kind}x2", extents[:1]
    return f"shared {memory.name}: {kind}[{', '.join(map(str, extents))}];"
