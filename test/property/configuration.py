# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""configuration.py - one configuration (the calling group, its types and its shape) and the text of
its kernels.

A row of rows.py fills in `calls` (what all threads do) and `serial` (what one thread does for a
group of `lanes` threads that starts at thread `base`). Both store what the contract defines, in the
same order, at each position of y: at an item's position in the block, or, for a value of the group,
at THREADS + the thread's rank.
"""
import random

import elements

INPUTS = 4096  # number of random words
ITEMS = 4096  # most items of a block
THREADS = ITEMS  # where the positions of the threads start, after those of the items
PLACES = ITEMS + 1024
BINS = 1024  # of a histogram
SPAN = 4608  # elements of in_TYPE and out_TYPE
BYTES = 24 << 10  # of a block's items
SPANS = ["u8", "u16", "u32", "u64", "Affine", "Odd", "Matrix", "f32"]  # of in_TYPE, out_TYPE
# Operators that are drawn more often: sums have special implementations, `then` shows every error.
OFTEN = {"+": 3, "then": 4}
TILES = [2, 4, 8, 16, 32]


class Group:
    """The group that calls: the block, a warp, or a tile of a warp."""

    def __init__(self, kind, lanes):
        self.kind, self.lanes = kind, lanes  # lanes: 0 for the block
        self.text = f"warp.tile<{lanes}>" if kind == "tile" else kind


def factors(rng, size):
    """Returns the size as 1 to 3 extents."""
    extents = []
    for _ in range(2):
        divisors = [d for d in range(1, min(size, 64) + 1) if size % d == 0]
        extents.append(rng.choice(divisors) if rng.random() < 0.5 else 1)
        size //= extents[-1]
    return (size, extents[0], extents[1])


class Configuration:
    """The configuration of a row with this seed. `aspects` lists what was drawn, for the coverage
    table."""

    def __init__(self, seed, row, variant):
        self.seed, self.row, self.variant = seed, row, variant
        self.rng = random.Random(f"{seed} {row.name} {variant}")
        self.aspects, self.calls, self.serial = [], [], []
        self.params, self.items, self.helpers = [], 1, []
        kind = row.group
        self.group = Group(kind, 0 if kind == "block" else 32 if kind == "warp" else self.pick(TILES))
        self.count = ""  # number of valid items: an expression
        self.mask = 0  # mask of the random bits if only a few values are wanted
        row.fill(self)

    # ---- what is drawn ----

    def pick(self, choices):
        return self.rng.choice(choices)

    def chance(self, of, name=None):
        """True with this probability, and then counted as an aspect."""
        is_so = self.rng.random() < of
        if is_so and name:
            self.aspects.append(name)
        return is_so

    def draw_type(self, types, made=elements.ITEMS):
        self.type = self.pick(types)
        self.made = made[self.type]

    def draw_few(self, of=0.5):
        """Sometimes draws items from a few values, so that there are runs and equal keys."""
        if self.chance(of, "few values"):
            self.mask = self.pick([1, 3, 15])

    def draw_operator(self, commutes=False, only=()):
        """Draws an operator and a type that has it; half of the time one that does not commute.
        only: names of operators, which are then of numbers."""
        wanted = not commutes and self.rng.random() < 0.5
        usable = [op for op in elements.OPERATORS if op.commutes != wanted]
        usable = [op for op in usable if op.name in only] or usable
        self.op = self.rng.choices(usable, [OFTEN.get(op.name, 1) for op in usable])[0]
        self.draw_type([name for name in self.op.types if name in elements.NUMBERS or not only])
        self.aspects += ["f = " + self.op.name] + (["does not commute"] if wanted else [])
        if self.op.name == "then" and self.type in elements.INTS:
            self.made = f"{self.type}(w | 1)"

    def draw_shape(self, most_items=64, powers=False, scalar=False, all_items=ITEMS, extra=0, whole=1):
        """Draws the number of threads, a multiple of `whole`, and the items per thread; scalar: a
        single value may be passed instead of an array."""
        rng = self.rng
        bytes_each = elements.BYTES[self.type] + extra
        self.is_scalar = scalar and self.chance(0.4, "a value a thread")
        sizes = [lambda: rng.randint(1, 31), lambda: rng.randint(33, 200), lambda: rng.randint(1, 1024),
                 lambda: 32 * rng.randint(1, 8), lambda: 32 * rng.randint(1, 31) + rng.randint(1, 5),
                 lambda: rng.choice([1, 32, 64, 128, 256, 512, 1024, 1024])]
        size = rng.choice(sizes)()
        items = rng.choice([1, 2, 3, 4, rng.randint(1, 9), rng.randint(1, most_items)])
        if self.is_scalar:
            items = 1
        items = min(items, most_items)
        if powers:
            items = 1 << (items.bit_length() - 1)
        while size * items > all_items or size * items * bytes_each > BYTES:
            if items > 8 or size <= 32 or (items > 1 and rng.random() < 0.6):
                items = max(1, items // 2)
            else:
                size = size // 2 + rng.randint(0, 1)
        size = max(whole, size // whole * whole)
        self.size, self.items, self.dims = size, items, factors(rng, size)
        self.lanes = self.group.lanes or size
        if size % 32:
            self.aspects.append("a part of a warp")
        if items > 8:
            self.aspects.append("more than 8 items")
        if size == 1024:
            self.aspects.append("1024 threads")
        if sum(extent > 1 for extent in self.dims) > 1:
            self.aspects.append("2 or 3 dimensions")

    def draw_valid(self, low, of=0.5):
        """Draws valid = n, from `low` to all items of the group, separately for each group."""
        if not self.chance(of, "valid"):
            return False
        most = self.lanes * self.items
        extreme = self.rng.random()
        start = low if extreme < 0.1 else most if extreme < 0.2 else self.rng.randint(low, most)
        step = self.rng.randint(0, most)
        self.count = f"(zero + {start - low} + GROUP * {step}) % {most - low + 1} + {low}"
        return True

    # ---- text ----

    @property
    def total(self):
        return self.size * self.items

    def item(self, i):
        return f"x{self.seed}(x, from + {i})"

    def call(self, line):
        self.calls.append(line)

    def say(self, line):
        self.serial.append(line)

    def read_items(self):
        n = self.items
        if self.is_scalar:
            self.call(f"let v = {self.item('t')};")
            return
        self.call(f"var v: {self.type}[{n}];")
        self.call(f"for (k in 0..{n}u32) v[k] = {self.item(f't * {n} + k')};")

    def put_items(self, name="r", condition="", value=None):
        """Stores item k of thread t at its position; condition: on `i`, the index of the item in
        the group."""
        n, test = self.items, f"if ({condition}) " if condition else ""
        value = value or ("bits_of({})" if self.is_scalar else "bits_of({}[k])").format(name)
        if self.is_scalar:
            self.call("let i = t - base;")
            self.call(f"{test}put(y, t, {value});")
            return
        self.call(f"for (k in 0..{n}u32) {{")
        self.call(f"    let i = (t - base) * {n} + k;")
        self.call(f"    {test}put(y, base * {n} + i, {value});")
        self.call("}")

    def put_all(self, value="bits_of(r)"):
        """Stores a value of the whole group."""
        self.call(f"put(y, {THREADS} + t, {value});")

    def say_all(self, value="bits_of(r)"):
        self.say(f"for (l in 0..lanes) put(y, {THREADS} + base + l, {value});")

    def fold(self, name, count):
        """A serial loop over the first `count` items of the group."""
        n = self.items
        self.say(f"var {name} = {self.item(f'base * {n}')};")
        self.say(f"for (i in 1..{count}) {name} = {self.op.of(name, self.item(f'base * {n} + i'))};")

    def maker(self):
        """Returns the function that computes item i of `from`."""
        rng, bits = self.rng, f"u64(i / {INPUTS}) * {self.rng.getrandbits(62) | 1}"
        bits = f"x[(i * {rng.randrange(1, INPUTS, 2)} + {rng.randrange(INPUTS)}) & {INPUTS - 1}] + {bits}"
        return [f"fn x{self.seed}(x: in u64[], i: u32) -> {self.type} {{",
                f"    let w = ({bits}) & {self.mask};" if self.mask else f"    let w = {bits};",
                f"    return {self.made};", "}"]

    def draw_some(self, calls):
        """Sometimes lets only some groups call, if no others wait for them: returns the lines
        before and after."""
        if self.group.kind == "block" or any("block." in line for line in calls) or not self.chance(
                0.3, "some groups"):
            return lambda lines: lines
        parity = self.rng.randint(0, 1)
        return lambda lines: [f"if (((GROUP + round) & 1) == {parity}) {{"] + [
            "    " + line for line in lines] + ["}"]

    def text(self):
        """Returns the text of both kernels."""
        s, size, lanes = self.seed, self.size, self.lanes
        group, rounds = self.group.kind, self.rng.choice([1, 1, 2])
        variant = self.variant and f"<{self.variant}>"
        lines = self.maker() + self.helpers
        params = ["zero: u32", f"x: in u64[{INPUTS}]", f"y: inout u64[{PLACES}]"] + self.params
        count = [f"let n = {self.count};"] if self.count else []
        index = {"block": "0u32", "warp": "warp.rank",
                 "tile": f"(warp.rank * {32 // min(lanes, 32)} + {self.group.text}.index)"}[group]
        body = ["let t = thread.rank;",
                "let base = 0u32;" if group == "block" else f"let base = t & ~{lanes - 1}u32;"]
        if group != "block":
            body.append(f"let lanes = min({lanes}, {size} - base);")
        calls = count + self.calls
        some = self.draw_some(calls)
        calls = [line.replace("GROUP", index) for line in some(calls)]
        lines += kernel(f"p{s}", params, self.dims, body + over(rounds, calls))
        body = [f"for (base in (0u32..{size}).step({lanes})) {{",
                f"    let lanes = min({lanes}, {size} - base);"]
        index = "0u32" if group == "block" else f"(base / {lanes})"
        serial = [line.replace("GROUP", index) for line in some(count + self.serial)]
        body += ["    " + line for line in serial] + ["}"]
        lines += kernel(f"o{s}", params, 1, over(rounds, body))
        lines[:0] = [f"// {s}: {self.row.name}{variant}: {', '.join([self.type] + self.aspects)}"]
        return "\n".join(lines) + "\n"


def over(rounds, lines):
    """Repeats a call with other items, since it may use the shared memory of the previous one."""
    head = [f"for (round in 0..zero + {rounds}) {{", "    let from = round * 5003;"]
    return head + ["    " + line for line in lines] + ["}"]


def kernel(name, params, block, lines):
    head = f"kernel {name}({', '.join(params)}) launch(block = {block}, grid = 1)"
    return [head, "{"] + ["    " + line for line in lines] + ["}"]
