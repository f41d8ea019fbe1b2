# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fault_generate.py - generates the programs of one_fault.py: a correct one, and the same with one
fault.

A correct program grows piece by piece: statements that write, read or exchange. A piece is drawn at
random, and run by the model from the end of the program so far. If it has a fault it is discarded,
or gets a barrier before it if that removes the fault. So every barrier is needed.

Then one place is changed: a number, an index, a comparison, or a statement that is removed or
added. The change is kept if the model finds faults of the wanted kind, and no others.
"""
import copy
import random

from fault_model import Element, Machine, Memory, Stop
from fault_statements import (Atomic, Exchange, If, Lambda, Let, Local, Read, Repeat, Scope, Stride, Sum, Sync,
                              Together, Wide, Write, declaration)
from fault_views import (Bin, Bound, Called, Cast, Cells, Chosen, Computed, Field, Gathered, Held, Line, Mapped, Node,
                         Num, Numbered, Part, Var, View, Whole, Window, Zipped)

KINDS = ["index", "unwritten", "race"]
TRIES = 60


class Site:
    """A line of a helper."""
    where = None


class Helper(Node):
    """A function or struct of the program that accesses what it is passed; its texts and sites are
    stored by word."""

    def __init__(self, name, word, kind, is_imported):
        self.name, self.word, self.kind, self.is_imported = name, word, kind, is_imported
        self.sites = {}

    def site(self, word):
        return self.sites[word]

    def lines(self):
        """Returns (text, the word of its site or None)."""
        name, kind = self.name, self.kind
        return {
            "generic get": [(f"fn {name}<I: type>(it: I, i: u32) = it[i];", "generic get")],
            "generic put": [(f"fn {name}<I: type, V: type>(it: I, i: u32, v: V) {{", None),
                            ("    it[i] = v;", "generic put"), ("}", None)],
            "span get": [(f"fn {name}(s: in {kind}[], i: u32) -> {kind} {{", None),
                         ("    return s[i];", "span get"), ("}", None)],
            "span out": [(f"fn {name}(s: out {kind}[], i: u32, v: {kind}) {{", None),
                         ("    s[i] = v;", "span out"), ("}", None)],
            "span put": [(f"fn {name}(s: inout {kind}[], i: u32, v: {kind}) {{ s[i] = v; }}", "span put")],
            "total": [(f"fn {name}<I: type>(it: I) -> u32 {{", None), ("    var sum = 0u32;", None),
                      ("    for (v in it)", None), ("        sum = sum * 3 + u32(v);", None),
                      ("    return sum;", None), ("}", None)],
            "held": [(f"struct {name}<V: type> {{", None), ("    v: V;", None),
                     ("    fn len -> u64 = self.v.len;", None),
                     ("    fn get(i: u32) -> u32 = u32(self.v[i]);", "get"),
                     (f"    fn put(i: u32, x: {kind}) {{ self.v[i] = x; }}", "put"),
                     (f"    fn [](i: u64) -> {kind} = self.v[i];", "[]"),
                     (f"    fn []=(i: u64, x: {kind}) {{ self.v[i] = x; }}", "[]="), ("}", None)],
        }[self.word]

    def emit(self, out):
        for text, word in self.lines():
            where = out.line(0, text)
            if word:
                self.sites.setdefault(word, Site()).where = where
        if self.word == "total":    # the element is read where the loop variable is used
            self.sites.setdefault("total", Site()).where = (where[0], where[1] - 3)


class Shared(Helper):
    """A function with shared memory of its own, which passes a value to another thread."""
    parts = ("to", "body", "back")

    def __init__(self, name, is_imported, threads, to, back):
        super().__init__(name, "shared", "u32", is_imported)
        self.memory = Memory("all", "shared", "u32", [threads])
        self.to, self.body, self.back = to, [Sync()], back
        self.sites = {"write": Site(), "read": Site()}

    def emit(self, out):
        out.line(0, f"fn {self.name}(v: u32, d: u32) -> u32 {{")
        out.line(1, declaration(self.memory))
        out.line(1, "let t = thread.rank;")
        self.sites["write"].where = out.line(1, f"all[{self.to.text()}] = v;")
        for sync in self.body:
            sync.emit(out, 1)
        self.sites["read"].where = out.line(1, f"return all[{self.back.text()}];")
        out.line(0, "}")

    def run_block(self, m, values, distance):
        m.declare(self.memory)
        view, found = Whole(self.memory), [0] * m.threads
        for m.t in range(m.threads):
            m.variables[m.t]["d"] = distance
            try:
                view.put(m, self.to.eval(m), values[m.t], self.sites["write"])
            except Stop:
                pass
        for sync in self.body:
            sync.run_block(m)
        for m.t in range(m.threads):
            try:
                found[m.t] = view.get(m, self.back.eval(m), self.sites["read"])
            except Stop:
                pass
        return found


class Out:
    """Collects the text of a program's files, line by line."""

    def __init__(self, name):
        self.name, self.files = name, {name: []}

    def line(self, depth, text):
        self.files[self.name].append("    " * depth + text)
        return self.name, len(self.files[self.name])


class Program(Node):
    """The parts of a program: memories, helpers, and the body of the kernel."""
    parts = ("helpers", "body")

    def __init__(self, threads, shape, blocks):
        self.threads, self.shape, self.blocks = threads, shape, blocks
        self.memories, self.helpers, self.body = [], [], []

    def spans(self):
        return [memory for memory in self.memories if memory.where == "global"]

    def machines(self):
        found = []
        for block in range(self.blocks):
            machine = Machine(self.threads, block, {memory: [Element(v, False) for v in memory.values]
                                                    for memory in self.memories if memory.where != "shared"})
            for memory in self.memories:
                if memory.where == "shared":
                    machine.declare(memory)
            for t in range(self.threads):
                machine.variables[t]["acc"] = t * 3 + block
            found.append(machine)
        return found

    def run(self):
        """Runs the whole program; returns the machines."""
        machines = self.machines()
        for machine in machines:
            for statement in self.body:
                statement.run_block(machine)
        return machines

    def values(self, machines):
        """Returns {span: values afterwards}, for the values that are known."""
        found = {"y": [own["acc"] for machine in machines for own in machine.variables]}
        for memory in self.spans():
            if memory.access == "in":
                continue
            values, known = list(memory.values), [memory.access == "inout"] * memory.count
            for machine in machines:
                for i, element in enumerate(machine.globals[memory]):
                    if element.is_written:
                        values[i], known[i] = element.value, True
            if all(known):
                found[memory.name] = values
        return found

    def write(self, name, call):
        """Returns the files: the program, and what it imports."""
        out = Out(f"{name}_help.ck")
        for helper in self.helpers:
            if helper.is_imported:
                helper.emit(out)
        helpers = out.files
        out = Out(f"{name}.ck")
        if any(helper.is_imported for helper in self.helpers):
            out.line(0, f'import "{name}_help.ck";')
            out.files.update(helpers)
        for line in call:
            out.line(0, line)
        for memory in self.memories:
            if memory.where == "constant":
                out.line(0, f"const {memory.name}: {memory.kind}[{memory.count}] = {memory.values};")
        cells = {part.memory.kind for part in self.walk() if isinstance(part, Scope) and part.memory.form == "struct"}
        for kind in sorted(cells | {memory.kind for memory in self.memories if memory.form == "struct"}):
            out.line(0, f"struct Cell_{kind} {{ a: {kind}; b: {kind}; }}")
        for helper in self.helpers:
            if not helper.is_imported:
                helper.emit(out)
        params = [f"{m.name}: {m.access} {m.kind}[{', '.join(map(str, m.extents))}]" for m in self.spans()]
        params.append(f"y: out u32[{self.blocks * self.threads}]")
        out.line(0, f"kernel k({', '.join(params)}) launch(block = {self.shape}, grid = {self.blocks})")
        out.line(0, "{")
        out.line(1, "let (t, b) = (thread.rank, block.id.x);")
        out.line(1, "var acc = t * 3 + b;")
        for memory in self.memories:
            if memory.where == "shared":
                out.line(1, declaration(memory))
        for statement in self.body:
            statement.emit(out, 1)
        out.line(1, "y[grid.thread_rank] = acc;")
        out.line(0, "}")
        return {file: "\n".join(lines) + "\n" for file, lines in out.files.items()}

    def arguments(self):
        found = []
        for memory in self.spans():
            if memory.access == "out":
                continue
            values = list(memory.values)
            if len(memory.extents) == 2:
                width = memory.extents[1]
                values = [values[i:i + width] for i in range(0, len(values), width)]
            found.append(f"{memory.name}={values}")
        return ", ".join(found)


def rows_of(memory, values):
    if len(memory.extents) == 1:
        return values
    width = memory.extents[1]
    return [values[i:i + width] for i in range(0, len(values), width)]


class Generator:
    """Generates one program."""

    def __init__(self, seed):
        self.rng, self.names = random.Random(seed), 0
        rng = self.rng
        threads = rng.choice([32, 64, 64, 96, 40])
        shape = {64: ["64", "(16, 4)", "(8, 4, 2)"], 96: ["96", "(32, 3)"]}.get(threads, [str(threads)])
        self.program = Program(threads, rng.choice(shape), rng.choice([1, 1, 2, 3]))
        self.counters, self.machines, self.depth = [], None, 0

    def chance(self, odds):
        return self.rng.random() < odds

    def pick(self, choices):
        return self.rng.choice(choices)

    def name(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    # ---- memories ----

    def memory(self, where, access="inout"):
        rng, threads, blocks = self.rng, self.program.threads, self.program.blocks
        kind = self.pick(["u32", "u32", "u8", "u64", "i32", "u16", "i16", "i64"])
        count = self.pick([threads, threads, 2 * threads, threads + 8, threads // 2, 3 * threads // 4])
        extents, form = [count], None
        if where == "shared" and self.chance(0.2):
            extents, form = [count, 2], self.pick(["struct", "vector"])
        elif where != "constant" and access != "out" and self.chance(0.35):
            width = self.pick([4, 8, 5])
            extents = [self.pick([threads // 8, threads // 4, 6]), width]
        if where == "global" and access != "in":
            extents[0] *= blocks
        values = None
        total = extents[0] * (extents[1] if len(extents) > 1 else 1)
        if where != "shared":
            low, high = (0, 100) if kind[0] == "u" else (-100, 100)
            values = [rng.randint(low, high) for _ in range(total)] if access != "out" else [0] * total
        prefix = {"shared": "s", "constant": "c"}.get(where, {"in": "x", "out": "o"}.get(access, "g"))
        return Memory(self.name(prefix), where, kind, extents, values, access, form)

    def memories(self):
        program = self.program
        program.memories = [self.memory("shared") for _ in range(self.rng.randint(2, 4))]
        program.memories += [self.memory("global", "in"), self.memory("global")]
        for where, access in (("global", "out"), ("constant", "in"), ("global", "in")):
            if self.chance(0.4):
                program.memories.append(self.memory(where, access))
        size = self.pick([program.threads, program.threads // 2])
        order = list(range(size))
        self.rng.shuffle(order)
        self.order = Memory("order", "global", "u32", [size], order, "in")
        program.memories.append(self.order)

    # ---- views ----

    def base(self, memory):
        """Returns a view of a memory, or of the block's part of it if blocks share it."""
        rng, blocks = self.rng, self.program.blocks
        is_parted = memory.where == "global" and memory.access != "in"
        if memory.form:
            return Field(memory, self.pick([0, 1]))
        if len(memory.extents) == 2:
            rows, low = memory.extents[0], None
            if is_parted:
                rows //= blocks
                low = Bin(Var("b"), "*", Num(rows))
            elif self.chance(0.2) and rows > 2:
                low, rows = Num(1), rows - 1
            cells = Cells(memory, low, rows)
            way = rng.random()
            if way < 0.4:
                return cells
            word = self.pick(["row", "column"])
            return Line(cells, word, Num(rng.randrange(rows if word == "row" else memory.extents[1])))
        view = Whole(memory)
        if is_parted and (blocks > 1 or self.chance(0.3)):
            size = memory.count // blocks
            low = Bin(Var("b"), "*", Num(size))
            view = Part(view, low, Bin(low, "+", Num(size)))
        return view

    def compose(self, view, depth, is_write):
        """Returns the view, or something derived from it."""
        rng = self.rng
        if depth == 0 or isinstance(view, (Cells, Field)):
            return view
        n = view.length
        is_array = isinstance(view, Whole) and view.memory.where != "global"
        ways = ["take", "drop", "reverse", "strided", "gather", "computed", "held"]
        if view.is_span:
            ways += ["part", "part"] + ([] if is_array else ["chosen"])
        if n < 4:
            return view
        if is_array and is_write and view.memory.where == "local":
            ways = ["part"]     # anything else would hold a copy of the array
        way = self.pick(ways)
        if way == "part":
            low = rng.randint(0, n // 2)
            high = self.pick([n, rng.randint(low + n // 4, n)])
            view = Part(view, Num(low), Num(high))
        elif way == "chosen":
            view = Chosen(view, view, self.chance(0.5))
        elif way in ("take", "drop", "strided"):
            number = {"take": rng.randint(n // 2, n), "drop": rng.randint(0, n // 2), "strided": rng.randint(1, 3)}[way]
            view = Mapped(view, way, Num(number))
        elif way == "reverse":
            view = Mapped(view, way)
        elif way == "gather":
            view = Gathered(view, self.pick(["gather", "scatter"]), Whole(self.order))
        elif way == "computed":
            view = Computed(view, "map_store" if is_write else "map", rng.randint(1, 9))
        else:
            view = Held(view, self.helper("held", view.kind), self.pick([".v", "", ".v"]))
        return self.compose(view, depth - 1, is_write)

    def outermost(self, view, is_write):
        """Derivations with tuples or arrays as elements, which can only come last."""
        if isinstance(view, (Cells, Field)) or self.chance(0.75):
            return view
        way = self.pick(["zip", "zip", "enumerate", "window"])
        if way == "zip" and not (is_write and view.places()[0].where == "local"):
            other = self.compose(self.base(self.some_memory(is_write)), self.rng.randint(0, 1), is_write)
            if not isinstance(other, (Cells, Field)):
                return Zipped(view, other, self.pick([0, 1]))
        elif not is_write and way == "enumerate":
            return Numbered(view, self.pick([0, 1, 1]))
        elif not is_write and view.length > 4:
            size = self.pick([2, 3])
            return Window(view, size, self.rng.randrange(size))
        return view

    def some_memory(self, is_write):
        good = [m for m in self.program.memories if m is not self.order
                and (m.access != "in" if is_write else m.access != "out")]
        good += 2 * [m for m in good if m.where == "shared"]
        return self.pick(good + [m for m in self.scopes for _ in range(4)])

    def view(self, is_write, memory=None):
        view = self.base(memory or self.some_memory(is_write))
        view = self.compose(view, self.pick([0, 0, 0, 1, 1, 2, 3]), is_write)
        return self.outermost(view, is_write)

    def bound(self, view, before):
        """Returns the view, or a name bound to it."""
        if isinstance(view, (Cells, Field, Bound)) or not self.chance(0.35):
            return view
        if isinstance(view, Whole) and view.memory.where != "global":
            return view         # the let would copy the array
        let = Let(self.name("v"), view)
        before.append(let)
        return Bound(let)

    # ---- indices ----

    def permutation(self):
        """Returns an index that is a permutation of 0..T over the threads."""
        threads, t = self.program.threads, Var("t")
        ways = [t, t, Bin(Num(threads - 1), "-", t),
                Bin(Bin(t, "+", Num(self.rng.randint(1, threads - 1))), "%", Num(threads))]
        if threads & (threads - 1) == 0:
            ways.append(Bin(t, "^", Num(self.rng.randint(1, threads - 1))))
            ways.append(Bin(Bin(t, "*", Num(2 * self.rng.randint(1, 9) + 1)), "%", Num(threads)))
        elif threads % 8 == 0:
            ways.append(Bin(t, "^", Num(self.rng.randint(1, 7))))
        return self.pick(ways)

    def index(self, n, is_write, how=None, view=None):
        threads = self.program.threads
        index = self.permutation()
        if n < threads:
            index = Bin(index, "%", Num(n)) if self.chance(0.5) else Bin(index, "/", Num(-(-threads // n)))
        elif n > threads and self.chance(0.5):
            k = self.rng.randint(1, n - threads)
            index = Bin(index, "+", Num(k)) if self.chance(0.5) else Bin(Num(n - 1), "-", index)
        if not is_write and self.chance(0.15):
            index = self.pick([Num(self.rng.randrange(n), "u32"), Bin(Var("t"), "%", Num(n))])
        if self.counters and self.chance(0.5):
            index = Bin(Bin(index, "+", Var(self.pick(self.counters))), "%", Num(n))
        if self.chance(0.1) and view and not how and not any(
                isinstance(one, (Held, Called)) for one in walk_views(view)):
            index = Cast(self.pick(["i32", "u64"]), index)
        return index

    def bound_index(self, index, before):
        if isinstance(index, (Bin, Cast)) and self.chance(0.25):
            let = Let(self.name("at"), index)
            before.append(let)
            return Var(let.name)
        return index

    # ---- helpers ----

    def helper(self, word, kind):
        for helper in self.program.helpers:
            if helper.word == word and helper.kind == kind and self.chance(0.7):
                return helper
        helper = Helper(self.name("Held" if word == "held" else "helper"), word, kind, self.chance(0.4))
        self.program.helpers.append(helper)
        for word_ in [w for _, w in helper.lines() if w] + ["total"]:
            helper.sites[word_] = Site()
        return helper

    def exchange(self):
        threads, t = self.program.threads, Var("t")
        helper = Shared(self.name("helper"), self.chance(0.4), threads, self.permutation(),
                        Bin(Bin(t, "+", Var("d")), "%", Num(threads)))
        self.program.helpers.append(helper)
        return helper

    # ---- pieces ----

    def write(self, memory=None):
        before = []
        view = self.bound(self.view(True, memory), before)
        n, threads = view.length, self.program.threads
        inner = view.let.view if isinstance(view, Bound) else view
        number, way = self.rng.randint(0, 99), self.rng.random()
        how = helper = None
        op = "="
        is_out = not view.can_read
        if not isinstance(inner, (Cells, Field, Zipped)) and self.chance(0.35):
            ways = ["span out" if is_out else "span put"] if view.is_span else []
            how = self.pick(["generic put", "put"] + ways)
            if isinstance(inner, Whole) and inner.memory.where == "local":
                how = "span put"
            helper = self.helper("held" if how == "put" else how, view.kind)
        elif self.chance(0.15) and view.can_read and not isinstance(inner, Zipped) and not self.has_map(inner):
            op = "+="
        if n > threads and way < 0.7 or way < 0.15:
            name, at = self.name("k"), self.pick
            index = at([Var(name), Var(name), Bin(Num(n - 1), "-", Var(name))])
            body = [Write(view, index, number, op, how, helper)]
            return before + [Stride(name, Var("t"), Num(n), Num(threads), body, self.chance(0.4))]
        if n < threads:
            index = self.pick([Var("t"), Bin(Num(n - 1), "-", Var("t"))])
            return before + [If(Var("t"), "<", Num(n), [Write(view, index, number, op, how, helper)])]
        if way > 0.93:
            one = self.rng.randrange(threads)
            return before + [If(Var("t"), "==", Num(one), [
                Write(view, Num(self.rng.randrange(n), "u32"), number, op, how, helper)])]
        index = self.bound_index(self.index(n, True, how, view), before)
        return before + [Write(view, index, number, op, how, helper)]

    @staticmethod
    def has_map(view):
        return any(isinstance(one, Computed) for one in walk_views(view))

    def read(self, memory=None):
        before = []
        view = self.bound(self.view(False, memory), before)
        inner = view.let.view if isinstance(view, Bound) else view
        n, way = view.length, self.rng.random()
        if not n:
            return []
        is_tuple = isinstance(inner, (Zipped, Numbered, Window))
        if way < 0.2:
            how = None if is_tuple or isinstance(inner, (Cells, Field)) else self.pick([None, "each", "total"])
            helper = self.helper("total", "u32") if how == "total" else None
            return before + [Sum(view, self.name("k"), how, helper, Num(self.pick([n, min(n, 5)])))]
        how = helper = None
        if self.chance(0.1):
            let = Lambda(self.name("each"), view)
            before.append(let)
            view = Called(let)
        elif not is_tuple and not isinstance(inner, (Cells, Field)) and self.chance(0.4):
            how = self.pick(["generic get", "get"] + (["span get"] if view.is_span else []))
            helper = self.helper("held" if how == "get" else how, view.kind)
        if way < 0.35:
            name = self.name("k")
            body = [Read(view, Var(name), how, helper)]
            step = self.pick([self.program.threads, 7])
            return before + [Stride(name, Var("t"), Num(n), Num(step), body, step != 7 and self.chance(0.4))]
        if way < 0.5:
            limit = self.rng.randint(1, self.program.threads)
            return before + [If(Var("t"), self.pick(["<", "!=", ">="]), Num(limit), [
                Read(view, self.index(n, False, how, view), how, helper)])]
        return before + [Read(view, self.bound_index(self.index(n, False, how, view), before), how, helper)]

    def atomic(self, memory=None):
        good = [m for m in self.program.memories if m.kind in ("u32", "i32", "u64") and m.access == "inout"
                and m.where in ("shared", "global")]
        if not good:
            return []
        view = self.base(memory or self.pick(good))
        if isinstance(view, Line):
            view = view.cells
        if view.kind == "i64" or not hasattr(view, "element"):
            return []
        return [Atomic(view, self.index(view.length, False), self.rng.randint(1, 9))]

    def together(self):
        threads = self.program.threads
        ways = [("block.reduce(acc, +)", lambda v: [sum(v)] * len(v), False),
                ("block.exclusive_scan(acc, +)", lambda v: [sum(v[:i]) for i in range(len(v))], False)]
        if threads % 32 == 0:
            ways += [("warp.shuffle_xor(acc, 5)", lambda v: [v[i ^ 5] for i in range(len(v))], True),
                     ("warp.sum(acc)", lambda v: [sum(v[i // 32 * 32:i // 32 * 32 + 32]) for i in range(len(v))], True)]
        text, run, is_warp = self.pick(ways)
        return [Together(f"acc = {text};", run, is_warp)]

    def wide(self):
        """Accesses several elements at a time of a whole memory."""
        good = [m for m in self.program.memories if len(m.extents) == 1 and m.where in ("shared", "global")
                and m is not self.order and (m.access != "out") and (m.access == "in" or m.where == "shared")]
        if not good:
            return []
        memory, count = self.pick(good), self.pick([2, 4])
        n, is_write = memory.count // count, memory.access != "in" and self.chance(0.4)
        index = Var("t") if is_write else self.index(n, False)
        piece = [Wide(Whole(memory), index, count, self.rng.randint(1, 99) if is_write else None)]
        return [If(Var("t"), "<", Num(n), piece)] if is_write and n < self.program.threads else piece

    def local(self):
        memory = Memory(self.name("w"), "local", self.pick(["u32", "u8", "i64"]), [self.pick([4, 8, 12])])
        self.program.memories.append(memory)
        found = [Local(memory, self.rng.randint(2, 9))]
        for _ in range(self.rng.randint(1, 3)):
            found += self.read(memory) if self.chance(0.6) else self.write(memory)
        self.program.memories.remove(memory)
        return found

    # ---- growing ----

    def attempt(self, piece):
        """Runs a piece; returns the machines if it has no fault."""
        found = []
        for machine in self.machines:
            machine = machine.copy()
            for statement in piece:
                statement.run_block(machine)
                if machine.faults:
                    return None
            found.append(machine)
        return found

    def add(self, body, piece):
        """Appends a piece to the body, with a barrier if it needs one. Returns whether it is
        correct."""
        if not piece:
            return False
        barriers = [[], [Sync()]]
        if self.chance(0.5):
            barriers.insert(1, [Sync(True)])
        for barrier in barriers:
            machines = self.attempt(barrier + piece)
            if machines:
                body += barrier + piece
                self.machines = machines
                return True
        return False

    def piece(self, depth):
        way = self.rng.random()
        if way < 0.3:
            return self.write()
        if way < 0.62:
            return self.read()
        if way < 0.67:
            return self.atomic()
        if way < 0.72:
            return self.together() if self.chance(0.5) else self.wide()
        if way < 0.78:
            return self.local()
        if way < 0.83:
            return [Exchange(self.exchange(), self.rng.randint(1, self.program.threads - 1))]
        if depth == 0:
            return self.read()
        return self.repeat(depth) if way < 0.92 else self.scope(depth)

    def grown(self, count, depth):
        """Returns a body of pieces that starts with the current state of the machines, which is
        restored afterwards."""
        before, body = self.machines, []
        self.machines = [machine.copy() for machine in before]
        for _ in range(count):
            self.add(body, self.piece(depth - 1))
        self.machines = before
        return body

    def repeat(self, depth):
        name = self.name("r")
        for machine in self.machines:
            for own in machine.variables:
                own[name] = 0
        self.counters.append(name)
        body = self.grown(self.rng.randint(2, 4), depth)
        self.counters.pop()
        if not body:
            return []
        count = self.rng.randint(2, 3)
        if not self.attempt([Repeat(name, count, body)]):
            body.append(Sync())
        return [Repeat(name, count, body)]

    def scope(self, depth):
        memory = self.memory("shared")
        self.scopes.append(memory)
        before, body = self.machines, []
        self.machines = [machine.copy() for machine in before]
        for machine in self.machines:
            machine.sync(False)
            machine.declare(memory)
        if self.add(body, self.write(memory)):
            for _ in range(self.rng.randint(1, 3)):
                self.add(body, self.read(memory) if self.chance(0.7) else self.piece(depth - 1))
        self.machines = before
        self.scopes.pop()
        return [Scope(memory, body)] if body else []

    def right(self, pieces):
        self.scopes = []
        self.memories()
        program = self.program
        self.machines = program.machines()
        for memory in [m for m in program.memories if m.where == "shared"]:
            for _ in range(4):
                if self.add(program.body, self.write(memory)):
                    break
        for _ in range(pieces):
            self.add(program.body, self.piece(2))
        used = {id(part.helper) for part in program.walk() if getattr(part, "helper", None)}
        used |= {id(one.helper) for part in program.walk() for one in views_of(part) if isinstance(one, Held)}
        program.helpers = [helper for helper in program.helpers if id(helper) in used]
        return program

    # ---- a fault ----

    def mutate(self, program, kind):
        """Changes one place of the program; returns a word for the change, or None."""
        rng = self.rng
        lists = [program.body] + [part.body for part in program.walk() if isinstance(getattr(part, "body", None), list)]
        if kind == "race" and self.chance(0.75):
            if self.chance(0.4):
                places = [(body, i) for body in lists for i, one in enumerate(body) if isinstance(one, Sync)]
                if not places:
                    return None
                body, i = self.pick(places)
                if not body[i].is_warp and self.chance(0.2):
                    body[i].is_warp = True
                    return "a barrier of the warp alone"
                del body[i]
                return "a barrier less"
            body = self.pick(lists[:1] + [b for b in lists if b and not isinstance(b[0], Sync)])
            self.scopes, self.counters, self.program = [], [], program
            at = rng.randint(0, len(body))
            piece = self.pick([self.read, self.write, self.atomic])()
            if body is not program.body and any(one.of_block for one in piece):
                return None
            body[at:at] = piece
            return "an access more"
        if kind == "unwritten" and self.chance(0.8):
            places = [(body, i) for body in lists for i, one in enumerate(body) if writes_shared(one)]
            if not places:
                return None
            body, i = self.pick(places)
            one = body[i]
            if isinstance(one, (If, Stride)) and self.chance(0.6):
                bound = one.b if isinstance(one, If) else one.high
                bound.value = max(0, bound.value - self.pick([1, 1, 2, 8]))
                return "a bound"
            if isinstance(one, Write) and (len(body) == 1 or self.chance(0.3)):
                one.index = Bin(one.index, "/", Num(2))
                return "an index halved"
            del body[i]
            return "a write less"
        parts = [part for part in program.walk() if isinstance(part, (Num, If, Read, Write, Atomic, Wide))]
        part = self.pick(parts)
        if isinstance(part, Num):
            part.value = max(0, part.value + self.pick([1, 1, -1, 2, -2, 8]))
            return "a number"
        if isinstance(part, If):
            part.op = self.pick([op for op in ("<", "<=", "!=", ">=") if op != part.op])
            return "a comparison"
        part.index = self.pick([Bin(part.index, "+", Num(1)), Bin(part.index, "-", Num(1)), Bin(part.index, "/", Num(2)),
                                Bin(part.index, "*", Num(2)), self.index(max(part.view.length, 1), False)])
        return "an index"

    def faulty(self, right, kind):
        """Returns a program with faults of this kind only, the change, and its machines."""
        for _ in range(2 * TRIES if kind == "unwritten" else TRIES):
            program = copy.deepcopy(right)
            what = self.mutate(program, kind)
            if not what:
                continue
            try:
                machines = program.run()
            except (KeyError, ZeroDivisionError, IndexError):
                continue
            if any(isinstance(part, Bin) and part.op in "/%" and isinstance(part.b, Num) and not part.b.value
                   or isinstance(part, Cells) and not part.width.value for part in program.walk()):
                continue    # the compiler refuses a constant divisor of 0
            faults = [fault for machine in machines for fault in machine.faults.values()]
            if {fault.kind for fault in faults if fault.certain} == {kind} and all(
                    fault.kind == kind or fault.kind == "unwritten" and kind == "race" for fault in faults):
                return program, what, machines
        return None


def writes_shared(statement):
    """Whether a thread's statement, or one inside it, writes shared memory."""
    if statement.of_block:
        return False
    return any(isinstance(part, (Write, Wide)) and any(memory.where == "shared" for memory in part.view.places())
               for part in statement.walk())


def walk_views(view):
    while isinstance(view, View):
        yield view
        if isinstance(view, (Zipped, Chosen)):
            yield from walk_views(view.other)
        view = getattr(view, "base", None)


def views_of(part):
    view = getattr(part, "view", None)
    return walk_views(view) if isinstance(view, View) else ()


def make(seed, pieces=8):
    """Returns (correct program, its machines, kind, (faulty program, change, its machines) or
    None)."""
    generator = Generator(seed)
    right = generator.right(pieces)
    kind = KINDS[seed % len(KINDS)]
    return right, right.run(), kind, generator.faulty(right, kind)
