# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""program.py - one random program: structs, functions, and a kernel that uses them.

Threads write their own elements of w_T and y. What they share is either in shared arrays, with
barriers at the kernel's outermost level or under conditions that are the same in all threads; or in
acc_T, through atomic operations that commute, one operator per element.
"""
from facts import (ATOMIC, FLOATS, INTS, LARGE, NUMBERS, OPERATORS, ROUNDS, SCALARS, SIGNED, SIZES,
                   UNSIGNED, VECTOR_SPANS, WIDTH)
from values import KINDS, Kind, Values, array, tuple_of, vector

THREADS = 128
BLOCKS = [("64", 64), ("128", 128), ("32", 32), ("40", 40), ("(32, 2)", 64), ("(16, 4)", 64),
          ("(4, 4, 4)", 64), ("(8, 5)", 40)]
# Parameters of kernels, and of the functions that they pass them to: name, access, type, extents.
SPANS = [(f"x_{name}", "in ", name, (THREADS,)) for name in SCALARS] + [
    (f"w_{name}", "inout ", name, (THREADS,)) for name in SCALARS] + [
    (f"acc_{name}", "inout ", name, (8,)) for name in ATOMIC] + [
    ("m2", "in ", "i32", (128, 4)), ("m3", "in ", "u8", (4, 8, 4)), ("m4", "in ", "f32", (2, 4, 4, 4)),
    ("own", "inout ", "i64", (128, 4)), ("y", "inout ", "u64", (THREADS,))]
UNIFORM = ["bool", "i8", "i32", "u32", "u64", "f32", "f64"]
# Spans of vectors: parameter, access, scalar, components.
OF_VECTORS = [(f"{access.strip()}_{name}x{size}", access, name, size)
              for access, name, size in VECTOR_SPANS]
PARAMS = SPANS + [(f"s_{name}", "", name, ()) for name in UNIFORM] + [
    (span, access, f"{name}x{size}", (THREADS,)) for span, access, name, size in OF_VECTORS]
ATOMICS = [(row[7:], kind) for row, kinds in OPERATORS.items() if row.startswith("atomic.")
           for kind in kinds]
ASSIGNMENTS = [(op, kind) for op in ("+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=",
                                     "++", "--") for kind in OPERATORS[op]]
VECTORS = [(f"vec {op}", kind) for op in ("+", "-", "*", "/", "%", "<<", ">>", "&", "^", "|", "==", "<",
                                          "-x", "~x", "min") for kind in OPERATORS[f"vec {op}"]]
ARRAYS = [(extents, kind) for extents in ((4,), (2, 4), (2, 3, 2), (2, 2, 2, 2), (5,), (3, 2),
                                          (3, 1, 2, 2)) for kind in SCALARS]
ROUNDED = [(word, kind) for word in ROUNDS for kind in NUMBERS]
SPAN_PARAMETERS = [(access, 1, kind) for access in ("in", "out", "inout") for kind in SCALARS] + [
    (access, rank, kind) for access, rank in (("in", 2), ("inout", 3), ("in", 4), ("out", 2))
    for kind in NUMBERS]
SHUFFLES = [(word, kind) for word in ("shuffle", "shuffle_up", "shuffle_down", "shuffle_xor",
                                      "broadcast") for kind in SCALARS]
REDUCTIONS = [(row, kind) for row in ("warp.sum", "warp.min", "warp.max", "warp.and", "warp.or",
                                      "warp.xor", "reduce", "inclusive_scan", "exclusive_scan")
              for kind in OPERATORS[row]]
COMMUTING = ["add", "min", "max", "and", "or", "xor", "inc", "dec"]  # by element of acc_T


class Function:
    def __init__(self, name, params, result, rows=("call",), defaults=False, is_named=False):
        self.name, self.params, self.result, self.rows = name, params, result, rows
        self.defaults, self.is_named = defaults, is_named


class Program(Values):
    """The text of one program."""

    def __init__(self, seed, coverage):
        super().__init__(seed, coverage)
        self.prefix, self.kernel = f"p{seed}_", f"p{seed}"
        self.lines, self.indent, self.is_kernel, self.span_functions = [], 0, False, []

    # ---- text --------------------------------------------------------------------------------

    def line(self, text):
        self.lines.append("    " * self.indent + text)

    def open(self, text):
        self.line(text + " {")
        self.indent += 1
        self.scopes.append([])

    def close(self):
        self.scopes.pop()
        self.indent -= 1
        self.line("}")

    # ---- statements --------------------------------------------------------------------------

    def block(self, count, depth):
        for _ in range(count):
            self.statement(depth)

    def statement(self, depth):
        ways = [self.binding] * 4 + [self.assignment] * 5 + [self.arrays, self.spans, self.lambdas,
                self.pointers, self.iterators, self.vectors, self.pairs, self.compile_time]
        if self.is_kernel:
            ways += [self.atomics, self.commuting, self.store]
        if depth > 0:
            ways += [self.condition, self.condition, self.loop, self.loop, self.fuelled]
        self.pick(ways)(depth)

    def binding(self, _):
        kind, changes = self.kind() if self.chance(0.4) else self.scalar(), self.chance(0.6)
        value, name = self.value(kind, 3), self.name()
        typed = changes or kind.shape == "array" or self.chance(0.3)
        for _, leaf, rows in kind.leaves():
            self.note("var" if changes else "let", leaf)
            for row in rows:
                self.note(row, leaf)
        value = value if typed else self.typed(kind, value)
        self.line(f"{'var' if changes else 'let'} {name}{': ' + kind.text if typed else ''} = {value};")
        self.declare(name, kind, changes)

    def assignment(self, _):
        kind = self.kind(1) if self.chance(0.2) else self.scalar()
        known = self.variables(kind, True)
        if not known:
            return
        target, value = self.pick(known), self.value(kind, 3)
        operators = getattr(kind, "operators", ())
        name = kind.scalar()
        if kind.shape == "scalar" and name != "bool" and self.chance(0.6):
            self.line(f"{target} {self.assigning(kind, name)};")
        elif "+" in operators and self.chance(0.5):
            self.line(f"{target} += {value};")
        else:
            for _, leaf, _ in kind.leaves():
                self.note("=", leaf)
            self.line(f"{target} = {value};")

    def assigning(self, kind, name, op=None):
        """Returns what follows a variable in an assignment: += and so on."""
        value = self.value(kind, 3)
        if name in FLOATS:
            op = self.pick(["*=", "/="] if self.products else ["+=", "-="])
        elif not op:
            op = self.pick(["+=", "-=", "*=", "&=", "|=", "^=", "/=", "%=", "<<=", ">>=", "++", "--"])
        self.note(op, name)
        if op in ("++", "--"):
            return op
        if op in ("/=", "%=", "<<=", ">>=") and name in INTS:
            value = f"{value} ^ {self.runtime(kind)}"
        return f"{op} {value}"

    def arrays(self, _):
        """An array of any rank: filled by loops, read with variable indices."""
        extents, scalar = self.turn("array", ARRAYS, 2)
        kind, name = KINDS[scalar], self.name()
        self.line(f"var {name}: {kind.text}[{', '.join(map(str, extents))}];")
        counters = [self.name("n") for _ in extents]
        row = "array" if len(extents) == 1 else f"T[{', '.join(['2'] * len(extents))}]"
        self.note(row, kind.text)
        loops = " ".join(f"for ({c} in 0..{e})" for c, e in zip(counters, extents))
        self.scopes.append([(c, KINDS["i32"], False) for c in counters])
        self.line(f"{loops} {name}[{', '.join(counters)}] = {self.value(kind, 2)};")
        self.scopes.pop()
        place = ", ".join(self.index(extent) for extent in extents)
        self.line(f"{name}[{place}] = {self.value(kind, 2)};")
        place = ", ".join(self.index(extent) for extent in extents)
        self.scopes[-1].append((f"{name}[{place}]", kind, False))
        if len(extents) == 1:
            self.scopes[-1].append((name, array(kind, extents), True))

    def spans(self, _):
        """Functions with in, out and inout spans, of arrays and of parts of arrays."""
        if not self.span_functions:
            return
        function, kind, access, rank = self.turn("span", self.span_functions)
        self.note("span, rank %d" % rank if rank > 1 else access + " span", kind.text)
        name, other = self.name(), self.name()
        self.line(f"var {name}: {kind.text}[{', '.join(['5'] + ['2'] * (rank - 1))}];")
        place = ", ".join(["i"] + [str(i % 2) for i in range(1, rank)])
        self.line(f"for (i in 0..5) {name}[{place}] = {self.value(kind, 1)};")
        given = name
        if rank == 1 and access == "in" and self.is_kernel and self.chance(0.4):
            low = self.rng.randint(0, THREADS - 6)
            given = f"x_{kind.text}[{low}..{low + self.rng.randint(1, 6)}]"
        elif rank == 1 and self.chance(0.5):
            self.note("slice", kind.text)
            given = f"{name}[{self.rng.randint(0, 2)}..{self.rng.randint(3, 5)}]"
        value = self.value(kind, 2)
        if access == "out":
            self.line(f"{function}({given}, {value});")
        else:
            self.line(f"let {other} = {function}({given}, {value});")
            self.declare(other, kind)
        place = ", ".join([self.index(5)] + [self.index(2) for _ in range(1, rank)])
        self.scopes[-1].append((f"{name}[{place}]", kind, True))

    def lambdas(self, _):
        kind, name = KINDS[self.turn("lambda", SCALARS)], self.name("lam")
        a, b = self.name("a"), self.name("a")
        outside = self.variables(kind)
        self.scopes.append([(a, kind, False), (b, kind, False)])
        body = self.value(kind, 2)
        self.scopes.pop()
        self.note("lambda", kind.text)
        if outside and self.chance(0.7):  # a variable may change later: the lambda has a copy
            self.note("capture", kind.text)
            body = f"{self.pick(['true', 'false', self.leaf(KINDS['bool'])])} ? {body} : {self.pick(outside)}"
        typed = self.pick([f": {kind.text}", ""])
        self.line(f"let {name} = |{a}{typed}, {b}: {kind.text}| {kind.text}({body});")
        one, two = (self.typed(kind, self.value(kind, 1)) for _ in range(2))
        self.scopes[-1].append((f"{name}({one}, {two})", kind, False))
        if self.chance(0.4):
            self.note("fn value", kind.text)
            self.scopes[-1].append((f"folded([{one}, {two}, {one}], {name})", kind, False))

    def pointers(self, _):
        kind, name, at = self.scalar(), self.name(), self.name("at")
        self.note("pointer", kind.text)
        self.line(f"var {name}: {kind.text}[4] = [{self.typed(kind, self.value(kind, 1))}, "
                  f"{self.value(kind, 1)}, {self.value(kind, 1)}, {self.value(kind, 1)}];")
        self.line(f"let {at} = address({name}[{self.rng.randint(0, 1)}]);")
        self.line(f"{at}[{self.index(3)}] = {self.value(kind, 2)};")
        self.scopes[-1].append((f"({at} + {self.index(3)})[0]", kind, True))
        self.scopes[-1].append((f"{name}[{self.index(4)}]", kind, True))

    def iterators(self, _):
        """A loop over an iterator of an array or of a part of x."""
        kind, name, each = self.number(), self.name(), self.name("e")
        count = self.rng.randint(3, 6)
        self.note("iterator", kind.text)
        self.note("for each", kind.text)
        source = self.name()
        if self.is_kernel and self.chance(0.5):
            low = self.rng.randint(0, THREADS - count)
            text = f"x_{kind.text}[{low}..{low + count}]"
        else:
            self.line(f"var {source}: {kind.text}[{count}];")
            self.line(f"for (i in 0..{count}) {source}[i] = {self.value(kind, 1)};")
            text = f"{source}[0..{count}]"
        for _ in range(self.rng.randint(0, 3)):
            text, count = self.adapted(kind, text, count)
        self.line(f"var {name} = {self.typed(kind, self.value(kind, 1))};")
        tail, element = self.pick([("", each), (".enumerate()", f"{each}[1]"),
                                   (".window<2>()", f"{each}[1]"),
                                   (f".zip(count(3u32))", f"{each}[0]"),
                                   (f".zip(constant({self.typed(kind, self.value(kind, 1))}))",
                                    f"{each}[{self.rng.randint(0, 1)}]")])
        self.scopes.append([(element, kind, False), (name, kind, False)])
        self.line(f"for ({each} in {text}{tail}) {name} = {self.value(kind, 2)};")
        self.scopes.pop()
        self.declare(name, kind, True)

    def adapted(self, kind, text, count):
        way = self.rng.randint(0, 5)
        if way == 0:
            return text + ".reverse()", count
        if way == 1 and count > 1:
            return f"{text}.drop(1)", count - 1
        if way == 2 and count > 1:
            return f"{text}.take({count - 1})", count - 1
        if way == 3:
            return f"{text}.strided(2)", (count + 1) // 2
        if way == 4:
            places = ", ".join(f"{self.rng.randint(0, count - 1)}u32" for _ in range(count))
            return f"{text}.gather([{places}])", count
        lam = self.name("a")
        self.scopes.append([(lam, kind, False)])
        body = self.value(kind, 1)
        self.scopes.pop()
        return f"{text}.map(|{lam}| {self.typed(kind, body)})", count

    def vectors(self, _):
        """A vector whose components are assigned, and which is loaded and stored."""
        name, variable, size = self.turn("parts", SCALARS), self.name(), self.pick(SIZES)
        kind = vector(name, size)
        self.note(f"vec<T, {size}>", name)
        self.line(f"var {variable}: {kind.text} = {self.value(kind, 2)};")
        self.note("vec .x = ", name)
        part = vector(name, 2)
        self.line(f"{variable}.{self.pick(['xy', 'yx'])} = {self.value(part, 2)};")
        self.line(f"{variable}[{self.index(size)}] = {self.value(kind.parts[0][1], 2)};")
        if name in NUMBERS and size != 3 and self.chance(0.6):
            memory = self.name()
            self.note("vec store", name)
            self.line(f"var {memory}: {name}[{2 * size}];")
            self.line(f"{memory}.store({size * self.rng.randint(0, 1)}, {variable});")
            self.scopes[-1].append((f"{memory}[{self.index(2 * size)}]", KINDS[name], True))
            if self.is_kernel:
                self.note("vec load", name)
                at = self.rng.randint(0, THREADS // size - 1)
                self.line(f"{variable} = x_{name}.load<{size}>({at * size});")
        self.declare(variable, kind, True)

    def pairs(self, _):
        """Tuples that are destructured and swapped."""
        one, two = self.kind(1), self.kind(1)
        a, b = self.name(), self.name()
        if one.shape == "array" or two.shape == "array":
            return
        self.line(f"var ({a}, {b}) = ({self.typed(one, self.value(one, 2))}, "
                  f"{self.typed(two, self.value(two, 2))});")
        if one is two:
            self.line(f"({a}, {b}) = ({b}, {a});")
        self.declare(a, one, True)
        self.declare(b, two, True)

    def compile_time(self, _):
        kind, name = self.scalar(), self.name()
        self.note("comptime if", kind.text)
        self.line(f"var {name}: {kind.text};")
        condition = self.pick([f"{self.prefix}SIZE > {self.rng.randint(0, 6)}", "sizeof<f32> == 4",
                               f"{self.prefix}SIZE * 2 + 1 < 8"])
        self.open(f"comptime if ({condition})")
        self.line(f"{name} = {self.value(kind, 2)};")
        self.close()
        self.open("else")
        self.line(f"{name} = {self.value(kind, 2)};")
        self.close()
        self.declare(name, kind, True)

    def store(self, _):
        """Stores to the thread's own elements of global memory."""
        kind = self.scalar()
        if self.chance(0.2):
            self.line(f"own[t, {self.index(4)}] = {self.value(KINDS['i64'], 2)};")
            self.line(f"{self.prefix}own(own[t..t + 1]);")
            return
        hint = self.pick(["", ", cache = streaming", ", cache = global"])
        if hint and kind.text != "bool":
            self.line(f"store(w_{kind.text}[t], {self.value(kind, 2)}{hint});")
        else:
            self.line(f"w_{kind.text}[t] = {self.value(kind, 2)};")

    def atomics(self, _):
        word, name = self.turn("atomic", ATOMICS)
        kind, place = KINDS[name], f"w_{name}[t]"
        if name in FLOATS and (word == "sub" or word == "add") and self.products:
            word = "exchange"
        self.note("atomic." + word, name)
        value = self.value(kind, 2)
        if name in FLOATS and word in ("min", "max"):
            self.line(f"{place} = plus_zero({place});")
            value = f"plus_zero({value})"
        if name == "f32" and word in ("add", "sub"):  # they flush subnormals to zero
            value = f"not_tiny({value})"
        order = self.pick(["", "", ", order = acq_rel", ", scope = block", ", scope = system",
                           ", order = relaxed"])
        if word in ("load", "store"):
            order = ""
        if word == "store":
            self.line(f"atomic.store({place}, {value});")
            return
        result = self.name()
        given = {"load": "", "try_exchange": f", {self.value(kind, 1)}, {value}",
                 "compare_exchange": f", {self.pick([place, self.value(kind, 1)])}, {value}"}
        text = f"atomic.{word}({place}{given.get(word, ', ' + value)}{order})"
        self.line(f"let {result} = {text}{'[0]' if word == 'try_exchange' else ''};")
        self.declare(result, kind)

    def commuting(self, _):
        kind = KINDS[self.pick(ATOMIC)]
        name = kind.text
        count = 8 if name in UNSIGNED else 6 if name in INTS else 3
        at = self.rng.randint(0, count - 1)
        word = COMMUTING[at]
        value = self.value(kind, 2)
        if word == "add" and self.chance(0.4):
            word = "sub"
        if name in FLOATS:  # small integers, whose sum is exact in any order
            value = f"{name}(i32({value}) & 7)" if at == 0 else f"plus_zero({value})"
        if word in ("inc", "dec"):
            value = str(5 if word == "inc" else 9)
        self.note("atomic." + word, name)
        self.line(f"atomic.{word}(acc_{name}[{at}], {value});")

    # ---- control flow ------------------------------------------------------------------------

    def condition(self, depth):
        self.open(f"if ({self.value(KINDS['bool'], 3)})")
        self.block(self.rng.randint(1, 3), depth - 1)
        self.close()
        if self.chance(0.5):
            self.open("else" if self.chance(0.6) else f"else if ({self.value(KINDS['bool'], 2)})")
            self.block(self.rng.randint(1, 2), depth - 1)
            self.close()

    def loop(self, depth):
        counter, kind = self.name("c"), self.pick(INTS)
        top = (1 << (int(kind[1:]) - (kind[0] == "i"))) - 1
        low = self.pick([0, self.rng.randint(0, 100), top - self.rng.randint(0, 7)])
        if kind in SIGNED and self.chance(0.2):
            low = -self.rng.randint(1, 9)
        word = self.pick(["for", "for", "unroll for", "unroll(2) for"])
        start = f"({low}{kind})" if low < 0 else f"{low}{kind}"
        text = f"{start}..{min(top, low + self.rng.randint(0, 5))}{kind}"
        if word != "unroll for" and low + 8 <= top and self.chance(0.5):
            text = f"{start}..{kind}({low} + ({self.value(KINDS['i32'], 1)} & 7))" if low >= 0 else text
        self.note(word, kind)
        if self.chance(0.3):
            self.note("for, step", kind)
            text = f"({text}).step({self.rng.randint(1, 4)})"
        self.open(f"{word} ({counter} in {text})")
        self.declare(counter, KINDS[kind])
        self.block(self.rng.randint(1, 3), depth - 1)
        if word != "unroll for" and self.chance(0.4):
            leave = self.pick(["break", "continue"])
            self.note(leave, "bool")
            self.line(f"if ({self.value(KINDS['bool'], 2)}) {leave};")
            self.statement(0)
        self.close()

    def fuelled(self, depth):
        fuel = self.name("fuel")
        self.note("while", "bool")
        self.line(f"var {fuel} = {self.rng.randint(1, 6)};")
        self.open(f"while ({fuel} > 0 && {self.value(KINDS['bool'], 2)})")
        self.line(f"{fuel}--;")
        self.block(self.rng.randint(1, 3), depth - 1)
        self.close()

    # ---- what threads do together ------------------------------------------------------------

    def together(self, depth=1, of_warp=False):
        """Operations of several threads. of_warp: where only the threads of a warp are known to be
        together."""
        ways = [self.shuffled, self.voted, self.reduced, self.matched]
        if not of_warp:
            ways += [self.exchanged, self.exchanged, self.counted, self.in_function]
        if depth > 0:
            ways += [lambda: self.uniform(depth, of_warp)]
        self.pick(ways)()

    def keep(self, name, kind):
        """Keeps a result that is used after the block."""
        self.declare(name, kind)
        for suffix, _, _ in kind.leaves()[:2]:
            self.line(f"kept = mixed(kept, bits_of({name}{suffix}));")

    def uniform(self, depth, of_warp):
        self.note("uniform if", "bool")
        conditions = ["s_bool", f"s_i32 > {self.rng.randint(-9, 9)}", "(s_u32 & 1) == 0", "s_f32 < 0.5"]
        loops = ["for (k in 0..s_u32 % 3)", "for (k in 0..2)", "for (k in (0..s_u64 % 7).step(2))"]
        if of_warp or self.chance(0.3):
            of_warp = True
            conditions = [f"warp.any({self.value(KINDS['bool'], 2)})", "warp.rank == 0",
                          f"warp.ballot({self.value(KINDS['bool'], 2)}) % 2 == 0"]
        self.open(self.pick(loops) if self.chance(0.4) else f"if ({self.pick(conditions)})")
        self.statement(1)
        self.together(depth - 1, of_warp)
        self.close()

    def shuffled(self):
        word, leaf = self.turn("shuffle", SHUFFLES)
        kind, name = self.kind() if self.chance(0.2) else KINDS[leaf], self.name()
        if sum(WIDTH[leaf] for _, leaf, _ in kind.leaves()) > 512:
            kind = KINDS[leaf]  # a shuffle takes 256 bytes; the rest is for alignment
        for _, leaf, _ in kind.leaves():
            self.note(word, leaf)
        group, size = self.pick([("warp", 32), ("warp", 32), ("warp.tile<8>", 8), ("warp.tile<16>", 16)])
        given, lane = self.name(), str(self.rng.randint(0, size - 1))
        if word == "shuffle" and self.chance(0.5):
            lane = f"{self.value(KINDS['u32'], 2)} % {size}"
        self.line(f"let {given}: {kind.text} = {self.value(kind, 2)};")
        self.line(f"let {name} = {group}.{word}({given}, {lane});")
        self.keep(name, kind)

    def voted(self):
        name, word = self.name(), self.pick(["any", "all", "ballot"])
        self.note("ballot" if word == "ballot" else "warp." + word, "bool")
        group = self.pick(["warp", "warp.tile<4>", "warp.tile<32>"])
        self.line(f"let {name} = {group}.{word}({self.value(KINDS['bool'], 2)});")
        self.keep(name, KINDS["u32" if word == "ballot" else "bool"])

    def matched(self):
        name, kind = self.name(), self.pick(LARGE + ["bool"])
        word = self.pick(["match_any", "match_all"])
        self.note(word, kind)
        value = self.value(KINDS[kind], 2)
        value = f"{value} & 3" if kind != "bool" else value
        self.line(f"let {name} = warp.{word}({self.typed(KINDS[kind], value)});")
        self.keep(name, KINDS["u32" if word == "match_any" else "bool"])

    def reduced(self):
        word, leaf = self.turn("reduce", REDUCTIONS)
        name, kind, word = self.name(), KINDS[leaf], word.replace("warp.", "")
        group = self.pick(["warp", "warp.tile<8>", "warp.tile<2>"])
        value = self.typed(kind, self.value(kind, 2))
        if kind.text in FLOATS:  # a product could be fused with the sum
            value = f"{kind.text}(i32({value}) & 7)" if word == "sum" else f"plus_zero({value})"
        if word in ("reduce", "inclusive_scan", "exclusive_scan"):
            self.note(word, kind.text)
            value += ", " + self.pick(["+", "^", "max", "|p, q| p", "|p, q| q", "|p, q| p * q"])
            value += f", {self.typed(kind, self.value(kind, 1))}" if word == "exclusive_scan" else ""
        else:
            self.note("warp." + word, kind.text)
        self.line(f"let {name} = {group}.{word}({value});")
        self.keep(name, kind)

    def exchanged(self, kind=None):
        """Exchanges each thread's value with another thread, across a barrier."""
        own, name = self.name("mem"), self.name()
        kind = kind or (self.kind() if self.chance(0.4) else self.scalar())
        if kind.shape == "array":
            kind = self.scalar()
        for _, leaf, _ in kind.leaves():
            self.note("shared", leaf)
            self.note("block.sync", leaf)
        self.line(f"shared {own}: {kind.text}[{THREADS}];")
        self.line(f"{own}[thread.rank] = {self.value(kind, 2)};")
        if kind.shape == "vector" and self.chance(0.5):
            part = kind.parts[0][1]
            self.line(f"{own}[thread.rank][{self.index(len(kind.parts))}] = {self.value(part, 2)};")
        self.line("block.sync();")
        other = f"{own}[(thread.rank + {self.rng.randint(0, 99)}) % block.size]"
        self.line(f"let {name} = {other};")
        if kind.shape == "vector":
            self.note("vec [i], shared", kind.scalar())
            part = self.name()
            self.line(f"let {part} = {other}[{self.index(len(kind.parts))}];")
            self.keep(part, kind.parts[0][1])
        if kind.text in INTS and self.chance(0.5):
            total = self.name()
            self.line(f"var {total} = {self.typed(kind, '0')};")
            self.line(f"for (i in 0..block.size) {total} {self.pick(['+=', '^=', '|='])} {own}[i];")
            self.keep(total, kind)
        self.line("block.sync();")
        self.keep(name, kind)

    def counted(self):
        """Commuting atomic operations on shared memory."""
        kind, own, name = KINDS[self.pick(INTS)], self.name("mem"), self.name()
        self.note("atomic, shared", kind.text)
        word = self.pick(["add", "sub", "min", "max", "and", "or", "xor"])
        self.line(f"shared {own}: {kind.text}[8];")
        start = self.literal(kind)
        self.line(f"if (thread.rank < 8) {own}[thread.rank] = {start};")
        self.line("block.sync();")
        self.line(f"atomic.{word}({own}[{self.index(8)}], {self.value(kind, 2)}, scope = block);")
        self.line("block.sync();")
        self.line(f"let {name} = {own}[{self.index(8)}];")
        self.line("block.sync();")
        self.keep(name, kind)

    def in_function(self):
        """A function with shared memory, called several times in a row."""
        kind, name = KINDS[self.turn("function", SCALARS)], self.name()
        self.note("shared in fn", kind.text)
        value = self.typed(kind, self.value(kind, 2))
        for _ in range(self.rng.randint(1, 2)):
            value = f"neighbour({value}, {self.rng.randint(1, 70)})"
        self.line(f"let {name} = {value};")
        self.keep(name, kind)

    # ---- declarations ------------------------------------------------------------------------

    def body(self, params, seed):
        """Opens a scope with parameters; `seed` is a scalar among them."""
        self.scopes.append([])
        self.seeds = [seed]
        for text, kind in params:
            self.declare(text, kind)

    def struct(self):
        name = f"{self.prefix}{self.name('S')}"
        kinds = [self.kind(1) if self.chance(0.3) else self.scalar()
                 for _ in range(self.rng.randint(1, 4))]
        if self.structs and self.chance(0.5):
            kinds.append(self.structs[0])
        kind = Kind(name, "struct", [(f".m{i}", part) for i, part in enumerate(kinds)], ("struct",))
        kind.operators, kind.members = [], []
        fields = " ".join(f"m{i}: {part.text};" for i, part in enumerate(kinds))
        self.line(f"struct {name} {{ {fields} }}")
        suffix, leaf, _ = kind.leaves()[0]
        for operator in self.rng.sample(["+", "-x", "<", "==", "[]", "method", "property"], 4):
            self.body([("a", kind), ("b", kind)], (f"a{suffix}", leaf))
            self.operator(kind, operator)
            self.scopes.pop()
        self.structs.append(kind)

    def operator(self, kind, operator):
        name, result = kind.text, KINDS[self.turn(operator, SCALARS)]
        if operator in ("+", "-x"):
            parameters = f"a: {name}, b: {name}" if operator == "+" else f"a: {name}"
            if operator == "-x":
                self.scopes[-1] = [one for one in self.scopes[-1] if not one[0].startswith("b")]
            self.line(f"fn {operator[0]}({parameters}) -> {name} = {self.made(kind, 2)};")
            kind.operators.append(operator)
        elif operator in ("<", "=="):
            value = self.value(KINDS["bool"], 2)
            self.line(f"fn {operator}(a: {name}, b: {name}) -> bool = {value};")
            kind.operators.append(operator)
        elif operator == "[]":
            self.scopes[-1] = [one for one in self.scopes[-1] if not one[0].startswith("b")]
            self.line(f"fn []<J: int>(a: {name}, i: J) -> {result.text} = "
                      f"i == 0 ? {self.value(result, 2)} : {self.value(result, 2)};")
            kind.members.append(("struct []", "[$i]", result))
        else:
            word = self.name("method" if operator == "method" else "property")
            parameters = f"(b: {name})" if operator == "method" else ""
            if not parameters:
                self.scopes[-1] = [one for one in self.scopes[-1] if not one[0].startswith("b")]
            self.scopes[-1] = [("self" + text[1:] if text[0] == "a" else text, *rest)
                               for text, *rest in self.scopes[-1]]
            self.seeds = [("self" + text[1:], leaf) for text, leaf in self.seeds]
            self.line(f"fn {name}.{word}{parameters} -> {result.text} = {self.value(result, 2)};")
            kind.members.append((operator, f".{word}" + ("($o)" if parameters else ""), result))

    def helper(self):
        params = [self.scalar()] + [self.kind() for _ in range(self.rng.randint(0, 2))]
        result = self.kind() if self.chance(0.2) else KINDS[self.turn("helper", SCALARS)]
        # Overloads: the same name with other numbers of parameters.
        name = f"{self.prefix}f"
        is_named = any(one.name == name for one in self.functions)
        if is_named:
            name = self.prefix + self.name("f")
            params.append(self.scalar())
        defaults = is_named and self.chance(0.5)
        texts = [f"a{i}: {kind.text}" for i, kind in enumerate(params)]
        texts[-1] += f" = {self.literal(params[-1])}" if defaults else ""
        self.line(f"fn {name}({', '.join(texts)}) -> {result.text} {{")
        self.indent += 1
        self.body([(f"a{i}", kind) for i, kind in enumerate(params)], ("a0", params[0].text))
        self.block(self.rng.randint(0, 3), 1)
        if self.chance(0.3):
            self.note("return", "bool")
            self.line(f"if ({self.value(KINDS['bool'], 2)}) return {self.value(result, 2)};")
        self.line(f"return {self.value(result, 3)};")
        self.close()
        self.functions.append(Function(name, params, result, ("call",), defaults, is_named))

    def generic(self):
        """Generic functions: of any type, of integers, of arrays; and a recursive one."""
        name = self.prefix + self.name("g")
        ops = [self.pick(["+", "-", "*", "&", "|", "^", "<<", ">>", "/", "%"]) for _ in range(3)]
        self.line(f"fn {name}<T: int>(a: T, b: T) -> T = (a {ops[0]} b) {ops[1]} (b {ops[2]} a);")
        for kind in self.rng.sample(INTS, 2):
            self.functions.append(Function(name, [KINDS[kind]] * 2, KINDS[kind], ("call, generic",)))
        for _ in range(3):
            kind = self.kind() if self.chance(0.3) else self.scalar()
            self.functions.append(Function("chosen", [KINDS["bool"], kind, kind], kind,
                                           ("call, generic",)))
        kind, name = self.scalar(), self.prefix + self.name("r")
        self.body([("a", kind), ("n", KINDS["u32"])], ("a", kind.text))
        self.line(f"fn {name}(a: {kind.text}, n: u32 = 3) -> {kind.text} {{")
        self.line(f"    if (n == 0 || {self.value(KINDS['bool'], 2)}) return a;")
        self.line(f"    return {name}({self.typed(kind, self.value(kind, 2))}, n - 1);")
        self.line("}")
        self.scopes.pop()
        self.functions.append(Function(name, [kind], kind, ("recursion",)))

    def span_function(self):
        access, rank, kind = self.turn("parameter", SPAN_PARAMETERS, 2)
        kind = KINDS[kind]
        name, commas = self.prefix + self.name("s"), "," * (rank - 1)
        self.body([("v", kind), ("r", kind)], ("v", kind.text))
        result = "" if access == "out" else f" -> {kind.text}"
        self.line(f"fn {name}(s: {access} {kind.text}[{commas}], v: {kind.text}){result} {{")
        self.line("    var r = v;")
        counters = "ijkl"[:rank]
        loops = " ".join(f"for ({c} in 0..s.extent({axis}))" for axis, c in enumerate(counters))
        self.scopes[-1] += [(c, KINDS["u64"], False) for c in counters]
        place = f"s[{', '.join(counters)}]"
        if access != "out":
            self.scopes[-1].append((place, kind, False))
            self.line(f"    {loops} r = {self.value(kind, 2)};")
        if access != "in":
            self.line(f"    {loops} {place} = {self.value(kind, 2)};")
        if access != "out":
            self.line("    return r;")
        self.line("}")
        self.scopes.pop()
        self.span_functions.append((name, kind, access, rank))

    # ---- the whole ---------------------------------------------------------------------------

    def text(self):
        self.line(f"const {self.prefix}SIZE: u32 = {self.rng.randint(0, 7)};")
        self.line(f"fn {self.prefix}own(m: inout i64[,]) "
                  "{ for (i in 0..m.extent(1)) m[0, i] = m[0, i] * 3 + m[0, 3]; }")
        for _ in range(self.rng.randint(1, 3)):
            self.struct()
        self.generic()
        for _ in range(self.rng.randint(2, 3)):
            self.helper()
        for _ in range(2):
            self.span_function()
        first = len(self.lines)
        self.indent, self.is_kernel = 1, True
        self.main()
        body, self.lines = self.lines[first:], self.lines[:first]
        self.indent = 0
        self.wrap(body)
        return "\n".join(self.lines) + "\n"

    def main(self):
        """The statements of the kernel."""
        self.scopes = [[]]
        self.seeds = [(f"x_{name}[(t + {self.rng.randint(0, 99)}) % {THREADS}]", name)
                      for name in SCALARS]
        self.line("var kept = 0u64;")
        for name in self.rng.sample(SCALARS, 8):
            variable, word = self.name(), self.pick(["let", "var"])
            self.line(f"{word} {variable} = x_{name}[t];")
            self.declare(variable, KINDS[name], word == "var")
        for name in self.rng.sample(SCALARS, 4):
            self.declare(f"w_{name}[t]", KINDS[name], True)
        self.declare(f"m2[t, {self.rng.randint(0, 3)}]", KINDS["i32"])
        self.declare(f"m3[t / 32, t / 4 % 8, {self.rng.randint(0, 3)}]", KINDS["u8"])
        self.declare("m4[t / 64, t / 16 % 4, t % 4, 1]", KINDS["f32"])
        self.declare(f"own[t, {self.rng.randint(0, 3)}]", KINDS["i64"], True)
        for name in self.rng.sample(UNIFORM, 2):
            self.declare(f"s_{name}", KINDS[name])
        stored = [self.vector_span() for _ in range(2)]
        self.type_parameter = self.pick(NUMBERS) if self.chance(0.4) else None
        if self.type_parameter:
            self.note("kernel <T>", self.type_parameter)
            kind = KINDS[self.type_parameter]
            for name, typed in ((self.name(), "T"), (self.name(), "T[LENGTH]")):
                kind = kind if typed == "T" else array(kind, (3,))
                self.line(f"var {name}: {typed} = {self.value(kind, 2)};")
                self.declare(name, kind, True)
        self.rare()
        for _ in range(self.rng.randint(2, 3)):
            self.block(self.rng.randint(1, 4), 2)
            self.together()
        self.line("var h = kept;")
        known = [one for one in self.scopes[-1] if not one[1].parts]
        for name, _, _ in self.rng.sample(known, min(len(known), 30)):
            self.line(f"h = mixed(h, bits_of({name}));")
        for name, size in stored:
            self.line(f"for (i in 0..{size}) h = mixed(h, bits_of({name}[i]));")
        self.line("y[t] = h;")

    def vector_span(self):
        """The next element of a span of vectors; its name and size."""
        span, access, name, size = self.turn("vector span", OF_VECTORS, 2)
        element = f"{span}[t]"
        self.note("vec span", name)
        if access == "inout ":
            self.line(f"{element}[{self.index(size)}] = {self.value(KINDS[name], 2)};")
        self.declare(element, vector(name, size), access == "inout ")
        return element, size

    def rare(self):
        """What other statements rarely contain: some types in each program, in turn."""
        for _ in range(2):
            op, name = self.turn("assign", ASSIGNMENTS, 2)
            self.line(f"w_{name}[t] {self.assigning(KINDS[name], name, op)};")
            self.atomics(0)
            self.vector_rows()
        self.commuting(0)
        self.arrays(0)
        word, name = self.turn("round", ROUNDED)
        variable, real = self.name(), KINDS[self.pick(FLOATS)]
        self.note(f"round = {word}", name)
        self.line(f"let {variable} = {name}({self.typed(real, self.value(real, 2))}, round = {word});")
        self.declare(variable, KINDS[name])
        for called in [one for one in self.functions if one.is_named]:
            self.bound(called.result, self.call(called.result, 2, called))
        for struct in self.structs:
            for row, text, result in struct.members:
                self.bound(result, self.of_member(result, 2, struct, row, text))
        for _ in self.span_functions:
            self.spans(0)
        self.shuffled()
        self.reduced()
        self.exchanged(vector(self.turn("shared parts", SCALARS), self.pick(SIZES)))

    def vector_rows(self):
        row, name = self.turn("vector", VECTORS, 2)
        if name in FLOATS and row[4:] in ("*/" if not self.products else "+-"):
            row = {"vec +": "vec *", "vec -": "vec /", "vec *": "vec +", "vec /": "vec -"}[row]
        text, kind = self.vector_operator(row, name, 2)
        self.bound(kind, text)
        name, size = self.turn("load", NUMBERS), self.pick([2, 4, 8, 16])
        self.note("vec load", name)
        at = size * self.rng.randint(0, THREADS // size - 1)
        self.bound(vector(name, size), f"x_{name}.load<{size}>({at})")

    def bound(self, kind, text):
        name = self.name()
        self.line(f"let {name} = {text};")
        self.declare(name, kind)

    def wrap(self, body):
        """The kernel with its statements; or a function with them, and a kernel that calls it."""
        text = "\n".join(body)
        used = [one for one in PARAMS if one[0] in text]
        shape, size = self.pick(BLOCKS)
        generic = f"<T: number, const LENGTH: u32>" if self.type_parameter else ""
        launch = f"    launch(block = {shape}, grid = {THREADS // size})"
        extents = [f"[{', '.join(map(str, e))}]" if e else "" for _, _, _, e in used]
        params = ", ".join(f"{n}: {a}{k}{e}" for (n, a, k, _), e in zip(used, extents))
        head = [f"kernel {self.kernel}{generic}({params})", launch, "{"]
        if self.chance(0.5):
            spans = ", ".join(f"{n}: {a}{k}" + (f"[{',' * (len(e) - 1)}]" if e else "")
                              for n, a, k, e in used)
            given = f"<{self.type_parameter}, 3>" if generic else ""
            self.lines += [f"fn {self.prefix}main{generic}(t: u32, {spans}) {{", *body, "}"]
            body = [f"    {self.prefix}main{given}(u32(grid.thread_rank), "
                    f"{', '.join(one[0] for one in used)});"]
        else:
            body = ["    let t = u32(grid.thread_rank);"] + body
        self.lines += head + body + ["}"]
        if generic:
            self.line(f"export {self.kernel}<{self.type_parameter}, 3>;")
