# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""configuration.py - one configuration: who calls, of which type and shape; the text of its kernels.

A row of rows.py fills `calls` (what all threads do) and `serial` (what one thread does for a group,
from thread `base` on, of `lanes` threads). Both put what the contract defines, in one order at each
place of y: an item's place in the block, or THREADS + the thread's rank for a value of the group.
"""
import random

import elements

INPUTS = 4096  # random words
ITEMS = 4096  # of a block at most
THREADS = ITEMS  # where the places of the threads start, behind those of the items
PLACES = ITEMS + 1024
BINS = 1024  # of a histogram
SPAN = 4608  # elements of in_TYPE and out_TYPE
BYTES = 24 << 10  # of a block's items
SPANS = ["u8", "u16", "u32", "u64", "Affine", "Odd", "Matrix", "f32"]  # types of in_TYPE, out_TYPE

TILES = [2, 4, 8, 16, 32]


class Group:
    """Who calls: the block, a warp, a tile of one."""

    def __init__(self, kind, lanes):
        self.kind, self.lanes = kind, lanes  # lanes: 0 for the block
        self.text = f"warp.tile<{lanes}>" if kind == "tile" else kind


def factors(rng, size):
    """The size as 1 to 3 extents."""
    extents = []
    for _ in range(2):
        divisors = [d for d in range(1, min(size, 64) + 1) if size % d == 0]
        extents.append(rng.choice(divisors) if rng.random() < 0.5 else 1)
        size //= extents[-1]
    x, y, z = size, extents[0], extents[1]
    return (x, y, z)


class Configuration:
    """Configuration `seed` of a row. `aspects` says what was drawn, for the table of coverage."""

    def __init__(self, seed, row, variant):
        self.seed, self.row, self.variant = seed, row, variant
        self.rng = random.Random(f"{seed} {row.name} {variant}")
        self.aspects, self.calls, self.serial = [], [], []
        self.params, self.items, self.helpers = [], 1, []
        kind = row.group
        self.group = Group(kind, 0 if kind == "block" else 32 if kind == "warp" else self.pick(TILES))
        self.count = ""  # of valid items: an expression
        row.fill(self)

    # ---- what is drawn ----

    def pick(self, choices):
        return self.rng.choice(choices)

    def chance(self, of, name=None):
        """True so often; then it counts as an aspect."""
        is_so = self.rng.random() < of
        if is_so and name:
            self.aspects.append(name)
        return is_so

    def draw_type(self, types):
        self.type = self.pick(types)
        self.made = elements.ITEMS[self.type]

    def draw_operator(self, types=None, commutes=False):
        """An operator, and a type that has it: half of the time one that does not commute."""
        wanted = not commutes and self.rng.random() < 0.5
        usable = [op for op in elements.OPERATORS if op.commutes != wanted
                  and (not types or set(types) & set(op.types))]
        self.op = self.pick(usable)
        self.draw_type([name for name in self.op.types if not types or name in types])
        self.aspects += ["does not commute"] if wanted else []

    def draw_shape(self, most_items=64, powers=False, scalar=False, all_items=ITEMS, extra=0):
        """Threads of the block and items of each; scalar: a value that is no array may be passed."""
        rng = self.rng
        bytes_each = elements.BYTES[self.type] + extra
        self.is_scalar = scalar and self.chance(0.4, "a value a thread")
        sizes = [lambda: rng.randint(1, 31), lambda: rng.randint(33, 200), lambda: rng.randint(1, 1024),
                 lambda: 32 * rng.randint(1, 8), lambda: rng.choice([1, 32, 64, 128, 256, 512, 1024])]
        size = rng.choice(sizes)()
        items = rng.choice([1, 2, 3, 4, rng.randint(1, 9), rng.randint(1, most_items)])
        if self.is_scalar:
            items = 1
        items = min(items, most_items)
        if powers:
            items = 1 << (items.bit_length() - 1)
        while size * items > all_items or size * items * bytes_each > BYTES:
            if items > 8 or size <= 32:
                items = max(1, items // 2)
            else:
                size = size // 2 + rng.randint(0, 1)
        self.size, self.items, self.dims = size, items, factors(rng, size)
        self.lanes = self.group.lanes or size
        if size % 32:
            self.aspects.append("a part of a warp")
        if size == 1024:
            self.aspects.append("1024 threads")
        if sum(extent > 1 for extent in self.dims) > 1:
            self.aspects.append("2 or 3 dimensions")

    def draw_valid(self, low, of=0.5):
        """valid = n, from `low` to all items of the group; a number for each group."""
        if not self.chance(of, "valid"):
            return False
        most = self.lanes * self.items
        extreme = self.rng.random()
        start = low if extreme < 0.1 else most if extreme < 0.2 else self.rng.randint(low, most)
        step = self.rng.randint(0, most)
        number = f"(zero + {start - low} + GROUP * {step}) % {most - low + 1} + {low}"
        self.count = number
        return True

    # ---- text ----

    @property
    def total(self):
        return self.size * self.items

    def item(self, i):
        return f"x{self.seed}(x, from + {i})"

    @property
    def value(self):
        """The items of a thread: an array, or one."""
        return "v"

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
        """Item k of thread t at its place; condition: of `i`, the item's number in the group."""
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
        """A value of the whole group."""
        self.call(f"put(y, {THREADS} + t, {value});")

    def say_all(self, value="bits_of(r)"):
        self.say(f"for (l in 0..lanes) put(y, {THREADS} + base + l, {value});")

    def fold(self, name, count):
        """What a serial loop makes of the first `count` items of the group."""
        n = self.items
        self.say(f"var {name} = {self.item(f'base * {n}')};")
        self.say(f"for (i in 1..{count}) {name} = {self.op.of(name, self.item(f'base * {n} + i'))};")

    def text(self):
        """Both kernels."""
        s, size, lanes = self.seed, self.size, self.lanes
        params = ", ".join(["zero: u32", f"x: in u64[{INPUTS}]", f"y: inout u64[{PLACES}]"] + self.params)
        rounds = self.rng.choice([1, 1, 2])
        index = {"block": "0u32", "warp": "warp.rank", "tile": f"warp.rank * {32 // lanes or 1} + {self.group.text}.index"}
        first = "0u32" if self.group.kind == "block" else f"t & ~{lanes - 1}u32"
        lines = [f"// {s}: {self.row.name}{self.variant and '<' + self.variant + '>'}: {self.dims} threads, "
                 f"{self.items} items a thread" + "".join(f", {aspect}" for aspect in self.aspects)]
        lines += self.helpers
        a, b, c = self.rng.randrange(1, INPUTS, 2), self.rng.randrange(INPUTS), self.rng.getrandbits(63) | 1
        lines += [f"fn x{s}(x: in u64[], i: u32) -> {self.type} {{",
                  f"    let w = x[(i * {a} + {b}) & {INPUTS - 1}] + u64(i / {INPUTS}) * {c};",
                  f"    return {self.made};", "}"]
        count = f"let n = {self.count};" if self.count else ""
        lines += [f"kernel p{s}({params}) launch(block = {self.dims}, grid = 1)", "{",
                  "    let t = thread.rank;", f"    let base = {first};",
                  f"    for (round in 0..zero + {rounds}) {{", "        let from = round * 5003;"]
        lines += ["        " + count.replace("GROUP", f"({index[self.group.kind]})")] if count else []
        lines += ["        " + line for line in self.calls] + ["    }", "}"]
        lines += [f"kernel o{s}({params}) launch(block = 1, grid = 1)", "{",
                  f"    for (round in 0..zero + {rounds}) {{", "        let from = round * 5003;",
                  f"        for (base in (0u32..{size}).step({lanes})) {{",
                  f"            let lanes = min({lanes}, {size} - base);"]
        lines += ["            " + count.replace("GROUP", f"(base / {lanes})")] if count else []
        lines += ["            " + line for line in self.serial] + ["        }", "    }", "}"]
        return "\n".join(lines) + "\n"
