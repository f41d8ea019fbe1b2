# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fault_views.py - what the programs of one_fault.py index, and with what.

Num, Var, Bin, Cast   an index: built from t (the thread's rank), counters, lets and numbers
View                  what is indexed: a span, an array, slices and iterators of them, structs that
                      hold them

Every node writes its text, and does on a Machine what the text says. An access is recorded for a
site: an object whose `where` has its file and line once the program is written. The site is the
statement, or the line of a helper or a lambda, that makes the access.
"""
from fault_model import cut

U32 = (1 << 32) - 1


class Node:
    """A node with parts, of which a changed copy can be made."""
    parts = ()

    def walk(self):
        yield self
        for name in self.parts:
            part = getattr(self, name)
            for one in part if isinstance(part, list) else [part]:
                if isinstance(one, Node):
                    yield from one.walk()


# ---- indices -------------------------------------------------------------------------------------


class Num(Node):
    def __init__(self, value, suffix=""):
        self.value, self.suffix = value, suffix

    def text(self):
        return f"{self.value}{self.suffix}"

    def eval(self, _):
        return self.value


class Var(Node):
    def __init__(self, name):
        self.name = name

    def text(self):
        return self.name

    def eval(self, m):
        return m.t if self.name == "t" else m.block if self.name == "b" else m.variables[m.t][self.name]


class Bin(Node):
    """An operation on u32. Chains of + - * are computed without wrapping; others use operands cut
    to 32 bits."""
    parts = ("a", "b")

    def __init__(self, a, op, b):
        self.a, self.op, self.b = a, op, b

    def text(self):
        a, b = (f"({x.text()})" if isinstance(x, Bin) else x.text() for x in (self.a, self.b))
        return f"{a} {self.op} {b}"

    def eval(self, m):
        a, b = self.a.eval(m), self.b.eval(m)
        if self.op in "+-*":
            return a + b if self.op == "+" else a - b if self.op == "-" else a * b
        a, b = a & U32, b & U32
        if self.op == "%":
            return a % b if b else a
        if self.op == "/":
            return a // b if b else U32
        return a ^ b if self.op == "^" else a & b


class Cast(Node):
    """i32(e), u64(e): an index of another type, whose operand is first cut to 32 bits."""
    parts = ("a",)

    def __init__(self, kind, a):
        self.kind, self.a = kind, a

    def text(self):
        return f"{self.kind}({self.a.text()})"

    def eval(self, m):
        return cut(self.a.eval(m), "i32") if self.kind == "i32" else self.a.eval(m)


# ---- what is indexed -----------------------------------------------------------------------------


class View(Node):
    """A view has length, kind (the type of an element) and is_span; it reads and writes through `m`
    at `site`."""
    parts = ("base",)
    is_span = can_write = can_read = True

    def make(self, m, site):
        """Performs the accesses that evaluating the view itself makes."""
        self.base.make(m, site)

    def access(self, index):
        return f"{self.text()}[{index}]"

    def bound(self, m, i, site):
        if not 0 <= i < self.length:
            m.outside(site)

    def places(self):
        """The memories that the view accesses."""
        return self.base.places()

    def atomic(self, m, i, site):
        """Returns the element for an atomic operation; the index has been checked."""
        raise NotImplementedError


class Whole(View):
    """A memory with one extent."""
    parts = ()

    def __init__(self, memory):
        self.memory = memory
        self.length, self.kind = memory.count, memory.kind
        self.can_write, self.can_read = memory.access != "in", memory.access != "out"

    def text(self):
        return self.memory.name

    def make(self, m, site):
        pass

    def places(self):
        return [self.memory]

    def get(self, m, i, site):
        self.bound(m, i, site)
        return m.read(self.memory, i, site)

    def put(self, m, i, value, site):
        self.bound(m, i, site)
        m.write(self.memory, i, site, value)

    def element(self, m, i, site):
        self.bound(m, i, site)
        return m.access(self.memory, i, site, True, True)


class First:
    """Stands for the first block, with which the bounds of a slice are computed."""
    block = 0


class Part(View):
    """A slice of a span; the bounds are expressions that are the same in a block."""
    parts = ("base", "low", "high")

    def __init__(self, base, low, high):
        self.base, self.low, self.high, self.kind = base, low, high, base.kind
        self.can_write, self.can_read = base.can_write, base.can_read

    @property
    def length(self):
        """The length, which is the same for all blocks."""
        first = First()
        return max(self.high.eval(first) - self.low.eval(first), 0)

    def text(self):
        return f"{self.base.text()}[{self.low.text()}..{self.high.text()}]"

    def make(self, m, site):
        self.base.make(m, site)
        if not 0 <= self.low.eval(m) <= self.high.eval(m) <= self.base.length:
            m.outside(site)

    def at(self, m, i, site):
        low = self.low.eval(m)
        if not 0 <= i < self.high.eval(m) - low:
            m.outside(site)
        return low + i

    def get(self, m, i, site):
        return self.base.get(m, self.at(m, i, site), site)

    def put(self, m, i, value, site):
        self.base.put(m, self.at(m, i, site), value, site)

    def element(self, m, i, site):
        return self.base.element(m, self.at(m, i, site), site)


class Cells(View):
    """A memory with two extents, accessed by row and column."""
    parts = ("width", "low")

    def __init__(self, memory, low=None, rows=None):
        self.memory, self.low = memory, low
        self.rows, self.width = rows or memory.extents[0], Num(memory.extents[1])
        self.length, self.kind, self.is_span = self.rows * memory.extents[1], memory.kind, False
        self.can_write, self.can_read = memory.access != "in", memory.access != "out"

    def text(self):
        if self.low is None:
            return self.memory.name
        return f"{self.memory.name}[{self.low.text()}..{self.low.text()} + {self.rows}]"

    def access(self, index):
        return f"{self.text()}[({index}) / {self.width.text()}, ({index}) % {self.width.text()}]"

    def make(self, m, site):
        low = self.low.eval(m) if self.low else 0
        if not 0 <= low <= low + self.rows <= self.memory.extents[0]:
            m.outside(site)

    def places(self):
        return [self.memory]

    def at(self, m, i, site):
        i &= U32
        width = self.width.value
        row, column = (i // width, i % width) if width else (U32, i)
        if row >= self.rows or column >= self.memory.extents[1]:
            m.outside(site)
        return (row + (self.low.eval(m) if self.low else 0)) * self.memory.extents[1] + column

    def get(self, m, i, site):
        return m.read(self.memory, self.at(m, i, site), site)

    def put(self, m, i, value, site):
        m.write(self.memory, self.at(m, i, site), site, value)

    def element(self, m, i, site):
        return m.access(self.memory, self.at(m, i, site), site, True, True)


class Field(View):
    """A field or component of an element: memory[i].a, memory[i].x."""
    parts = ()
    is_span = False

    def __init__(self, memory, number):
        self.memory, self.number, self.kind, self.length = memory, number, memory.kind, memory.extents[0]

    def text(self):
        return self.memory.name

    def access(self, index):
        return f"{self.text()}[{index}].{('ab' if self.memory.form == 'struct' else 'xy')[self.number]}"

    def make(self, m, site):
        pass

    def places(self):
        return [self.memory]

    def at(self, m, i, site):
        self.bound(m, i, site)
        return 2 * i + self.number

    def get(self, m, i, site):
        return m.read(self.memory, self.at(m, i, site), site)

    def put(self, m, i, value, site):
        m.write(self.memory, self.at(m, i, site), site, value)


class Line(View):
    """m.row(j) or m.column(j) of a memory with two extents, or of some of its rows."""
    parts = ("cells", "number")
    is_span = False

    def __init__(self, cells, word, number):
        self.cells, self.word, self.number, self.kind = cells, word, number, cells.kind
        self.length = cells.memory.extents[1] if word == "row" else cells.rows
        self.can_write, self.can_read = cells.can_write, cells.can_read

    def text(self):
        return f"{self.cells.text()}.{self.word}({self.number.text()})"

    def make(self, m, site):
        self.cells.make(m, site)

    def places(self):
        return self.cells.places()

    def at(self, m, i, site):
        self.bound(m, i, site)
        number, width = self.number.eval(m) & U32, self.cells.memory.extents[1]
        if number >= (self.cells.rows if self.word == "row" else width):
            m.outside(site)
        at = number * width + i if self.word == "row" else i * width + number
        return at + (self.cells.low.eval(m) if self.cells.low else 0) * width

    def get(self, m, i, site):
        return m.read(self.cells.memory, self.at(m, i, site), site)

    def put(self, m, i, value, site):
        m.write(self.cells.memory, self.at(m, i, site), site, value)


class Mapped(View):
    """An iterator whose elements are those of another: take, drop, reverse, strided."""
    parts = ("base", "number")
    is_span = False

    def __init__(self, base, word, number=None):
        self.base, self.word, self.number, self.kind = base, word, number, base.kind
        self.can_write, self.can_read = base.can_write, base.can_read

    @property
    def length(self):
        n, k = self.base.length, self.number.value if self.number else 0
        return {"take": min(n, k), "drop": max(n - k, 0), "reverse": n, "strided": -(-n // max(k, 1))}[self.word]

    def text(self):
        return f"{self.base.text()}.{self.word}({self.number.text() if self.number else ''})"

    def at(self, m, i, site):
        self.bound(m, i, site)
        if self.word == "take":
            return i
        if self.word == "reverse":
            return self.length - 1 - i
        return i + self.number.value if self.word == "drop" else i * self.number.value

    def get(self, m, i, site):
        return self.base.get(m, self.at(m, i, site), site)

    def put(self, m, i, value, site):
        self.base.put(m, self.at(m, i, site), value, site)


class Gathered(View):
    """base.gather(index), base.scatter(index): the index is a span of numbers that is only read."""
    parts = ("base", "index")
    is_span = False

    def __init__(self, base, word, index):
        self.base, self.word, self.index, self.kind = base, word, index, base.kind
        self.can_write, self.can_read = base.can_write, base.can_read

    @property
    def length(self):
        return self.index.length

    def text(self):
        return f"{self.base.text()}.{self.word}({self.index.text()})"

    def make(self, m, site):
        self.base.make(m, site)
        self.index.make(m, site)

    def at(self, m, i, site):
        return self.index.get(m, i, site)

    def get(self, m, i, site):
        return self.base.get(m, self.at(m, i, site), site)

    def put(self, m, i, value, site):
        self.base.put(m, self.at(m, i, site), value, site)


class Computed(View):
    """base.map(|v| v + k) for reading; base.map_store(|v| v + k) for writing."""
    is_span = False

    def __init__(self, base, word, number):
        self.base, self.word, self.number, self.kind = base, word, number, base.kind
        self.can_read, self.can_write = word == "map", word == "map_store"

    @property
    def length(self):
        return self.base.length

    def text(self):
        return f"{self.base.text()}.{self.word}(|v| v + {self.number})"

    def get(self, m, i, site):
        return cut(self.base.get(m, i, site) + self.number, self.kind)

    def put(self, m, i, value, site):
        self.base.put(m, i, cut(value, self.kind) + self.number, site)


class Zipped(View):
    """zip(a, b)[i][k]; written as (value, value). a and b check the bounds."""
    parts = ("base", "other")
    is_span = False

    def __init__(self, base, other, element):
        self.base, self.other, self.number = base, other, element
        self.kind = (base, other)[element].kind
        self.can_write, self.can_read = (all(v.can_write for v in (base, other)), all(v.can_read for v in (base, other)))

    @property
    def length(self):
        return min(self.base.length, self.other.length)

    def text(self):
        return f"zip({self.base.text()}, {self.other.text()})"

    def access(self, index):
        return f"{self.text()}[{index}][{self.number}]"

    def make(self, m, site):
        self.base.make(m, site)
        self.other.make(m, site)

    def places(self):
        return self.base.places() + self.other.places()

    def get(self, m, i, site):
        return (self.base.get(m, i, site), self.other.get(m, i, site))[self.number]

    def put(self, m, i, value, site):
        self.base.put(m, i, value, site)
        self.other.put(m, i, value, site)


class Numbered(View):
    """base.enumerate()[i][k]."""
    is_span = can_write = False

    def __init__(self, base, element):
        self.base, self.number, self.kind, self.can_read = base, element, base.kind if element else "u64", base.can_read

    @property
    def length(self):
        return self.base.length

    def text(self):
        return f"{self.base.text()}.enumerate()"

    def access(self, index):
        return f"{self.text()}[{index}][{self.number}]"

    def get(self, m, i, site):
        value = self.base.get(m, i, site)
        return value if self.number else i


class Window(View):
    """base.window<K>()[i][k]: reads K elements."""
    is_span = can_write = False

    def __init__(self, base, size, element):
        self.base, self.size, self.number, self.kind, self.can_read = base, size, element, base.kind, base.can_read

    @property
    def length(self):
        return max(self.base.length - self.size + 1, 0)

    def text(self):
        return f"{self.base.text()}.window<{self.size}>()"

    def access(self, index):
        return f"{self.text()}[{index}][{self.number}]"

    def get(self, m, i, site):
        self.bound(m, i, site)
        return [self.base.get(m, i + k, site) for k in range(self.size)][self.number]


class Held(View):
    """A struct that holds a view: its field is indexed, or the struct itself through its own
    operators."""
    is_span = False

    def __init__(self, base, helper, member):
        self.base, self.helper, self.member, self.kind = base, helper, member, base.kind
        self.is_span = base.is_span and member == ".v"
        self.can_write, self.can_read = base.can_write, base.can_read

    @property
    def length(self):
        return self.base.length

    def text(self):
        return f"{self.helper.name}({self.base.text()}){self.member}"

    def get(self, m, i, site):
        return self.base.get(m, i, site if self.member else self.helper.site("[]"))

    def put(self, m, i, value, site):
        self.base.put(m, i, value, site if self.member else self.helper.site("[]="))


class Chosen(View):
    """(a, b)[k] or [a, b][k]: a tuple or an array of spans."""
    parts = ("base", "other")

    def __init__(self, base, other, is_tuple):
        self.base, self.other, self.is_tuple, self.kind = base, other, is_tuple, base.kind
        self.can_write, self.can_read = base.can_write, base.can_read

    @property
    def length(self):
        return self.base.length

    def text(self):
        inner = f"{self.other.text()}, {self.base.text()}"
        return f"({inner})[1]" if self.is_tuple else f"[{inner}][1]"

    def make(self, m, site):
        self.other.make(m, site)
        self.base.make(m, site)

    def get(self, m, i, site):
        return self.base.get(m, i, site)

    def put(self, m, i, value, site):
        self.base.put(m, i, value, site)

    def element(self, m, i, site):
        return self.base.element(m, i, site)


class Bound(View):
    """A view that is bound to a name by `let`."""

    def __init__(self, let):
        self.let, self.kind, self.is_span = let, let.view.kind, let.view.is_span
        self.can_write, self.can_read = let.view.can_write, let.view.can_read
    parts = ()

    @property
    def length(self):
        return self.let.view.length

    @property
    def base(self):
        return self.let.view

    def text(self):
        return self.let.name

    def access(self, index):
        inner = self.let.view.access("\0")
        return self.let.name + inner[len(self.let.view.text()):].replace("\0", index)

    def make(self, m, site):
        pass

    def get(self, m, i, site):
        return self.let.view.get(m, i, site)

    def put(self, m, i, value, site):
        self.let.view.put(m, i, value, site)

    def element(self, m, i, site):
        return self.let.view.element(m, i, site)


class Called(View):
    """A lambda that returns elements of a view; the accesses are in the lambda's line."""
    parts = ()
    is_span = can_write = False

    def __init__(self, let):
        self.let, self.kind, self.can_read = let, let.view.kind, let.view.can_read

    @property
    def length(self):
        return self.let.view.length

    @property
    def base(self):
        return self.let.view

    def text(self):
        return self.let.name

    def access(self, index):
        return f"{self.let.name}({index})"

    def make(self, m, site):
        pass

    def get(self, m, i, site):
        self.let.view.make(m, self.let)
        return self.let.view.get(m, i & U32, self.let)
