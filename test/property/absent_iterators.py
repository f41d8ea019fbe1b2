# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""absent_iterators.py - functions of the library that take or return iterators, for absent.py.

Iterators of n elements are built from functions that report when they are asked for an element that
does not exist. SOURCES are the ways to create one, MADE are the functions of lib/iter.ck that
return one, CALLS are the functions that take one. Rows are found by name: a function of the library
without a row is an error.
"""
import re

from absent_text import ITEMS, prelude
from rows import LOADS, WARP_LOADS

SIZE, EACH = 72, 3  # threads of a block, with a partial warp; items per thread
BLOCKS = 3  # blocks of a grid
# Iterators of n elements of type T.
SOURCES = [
    "tabulate(|i| element_{T}(seen, i, u64(n))).take(u64(n))",
    "count<u32>().take(u64(n)).map(|i| element_{T}(seen, u64(i), u64(n)))",
    "x[0..n].map(|i| element_{T}(seen, u64(i), u64(n)))",
]
# Iterators for reading that are derived from `it`. None: derived from nothing, or only from spans,
# without a function.
MADE = {
    "map": ["it.map(|v| checked(seen, v))"],
    "zip(a, b)": ["zip(it, it)", "zip(it, count<u32>())"], "zip(a, b, c)": ["zip(it, count<u32>(), it)"],
    "zip(a, b, c, d)": ["zip(it, it, it, count<u32>())"],
    "gather": ["it.gather(tabulate(|i| index(seen, i, n)).take(u64(n)))"],
    "reverse": ["it.reverse()"], "strided": ["it.strided(3)", "it.strided(1)"], "take": ["it.take(u64(n) / 2)", "it.take(9999)"],
    "drop": ["it.drop(3)", "it.drop(7).drop(0)"], "window": ["it.window<3>()"], "enumerate": ["it.enumerate()"],
    "tabulate": ["tabulate(|i| element_{T}(seen, i, u64(n))).take(u64(n))"],
    "scatter": ["y.scatter(tabulate(|i| index(seen, i, n)).take(u64(n))).map_store(|v| stored(seen, v))"],
    "tabulate_store": ["tabulate_store(|i, v| store_at(seen, y, i, v)).take(u64(n))"],
    "map_store": ["y[0..n].map_store(|v| stored(seen, v))", "y.map_store(|v| stored(seen, v)).take(u64(n))",
                  "zip(y[0..n].map_store(|v| stored(seen, v)), discard<u32>()).take(9999)"],
    "count": None, "constant": None, "discard": None, "shuffle": None, "column": None, "row": None, "region": None, "cached": None,
}
WRITTEN = ("map_store", "scatter", "tabulate_store")


def key(head):
    """Returns the name, with the parameters if MADE has several functions of that name."""
    full = f"{head.name}({', '.join(param.name for param in head.params)})"
    return full if full in MADE else head.name


def takes_iterator(head):
    """Whether it takes an iterator: a parameter of any type that is not an item; it has a name of
    its own here."""
    return any(param.name in ("it", "sorted") for param in head.params)


def concerns(head):
    if head.structure or head.method.startswith("["):
        return False
    return head.file == "iter.ck" or (takes_iterator(head) and not head.name.startswith("__"))


class Text:
    """The kernels of one file."""

    def __init__(self):
        self.lines, self.number = [prelude(), EXTRA], 0

    def kernel(self, body, item, counts, grid=1, size=SIZE):
        """Adds a kernel, which is called with each of the counts (n, m), where m is the number of
        valid items; also with -check."""
        name = f"k{self.number}"
        self.number += 1
        source = SOURCES[self.number % len(SOURCES)].format(T=item)
        self.lines.append(f"kernel {name}(n: u32, m: u32, unsure: u32, x: in u32[512], seen: inout u32[2], y: inout u32[4096]) "
                          f"launch(block = {size}, grid = {grid}) {{\n"
                          f"    if (grid.thread_rank == 0 && unsure != 0) atomic.max(seen[1], 1u32);\n"
                          f"    let it = {source};\n    {body}\n}}")
        for n, m in counts:
            for flags in (" -O1", " -check -O1"):
                self.lines.append(f"// CALL: {name}(n={n}, m={m}, unsure={int(min(n, m) < 8)}, x=iota:512, seen=[0, 0], y=zeros:4096){flags}")
                self.lines.append("// EXPECT: seen = [0, 1]")

    def text(self):
        return "\n".join(self.lines) + "\n"


EXTRA = """\
fn checked<T: type>(seen: inout u32[], v: T) -> T {
    are_there(seen, v, v);
    return v;
}
fn stored<T: type>(seen: inout u32[], v: T) -> u32 {
    are_there(seen, v, v);
    return v.first;
}
fn stored(seen: inout u32[], v: (Run, u32)) -> u32 = stored(seen, v[0]);
fn store_at<T: type>(seen: inout u32[], y: inout u32[], i: u64, v: T) { y[i] = stored(seen, v); }
fn index(seen: inout u32[], i: u64, n: u32) -> u32 {
    called(seen);
    if (i >= u64(n)) tell(seen, 4u32);
    return u32(min(i, 511u64));
}
fn element_u32(seen: inout u32[], i: u64, n: u64) -> u32 = index(seen, i, u32(n));
"""


def loads(text, head, how, it, item):
    """Adds loads of the block, of warps and of tiles, with their options."""
    names = [param.name for param in head.params]
    words = {"block": "block", "warp": "warp", "warp.tile": "warp.tile<8>"}[head.receiver]
    base = {"block": "0", "warp": f"warp.rank * {32 * EACH}", "warp.tile": f"thread.rank / 8 * {8 * EACH}"}[head.receiver]
    more = ", default = absent_" + item + "(1u32)" if "default" in names else ""
    more += ", valid = m" if "valid" in names else ""
    how = f"<{how}>" if how else ""
    total = SIZE * EACH
    valids = (0, 5, total - 1, total) if "valid" in names else (total,)
    counts = [(n, m) for n in (0, 1, 50, total - 1, total, total + 9) for m in valids]
    text.kernel(f"let r = {words}.load{how}({it}, {base}, {EACH}{more});", item, counts)


def stores(text, head, how, it, item):
    """Adds stores: elements after the end, or not valid, must not be written."""
    has_valid = "valid" in [param.name for param in head.params]
    words = {"block": "block", "warp": "warp", "warp.tile": "warp.tile<8>"}[head.receiver]
    first, lanes = {"block": ("0u32", SIZE), "warp": ("(thread.rank & ~31u32)", 32), "warp.tile": ("(thread.rank & ~7u32)", 8)}[head.receiver]
    is_striped = "striped" in how
    if head.receiver == "block" and how == "warp_striped":
        first, lanes = "(thread.rank & ~31u32)", 32
    place = (f"{first} * {EACH} + thread.rank - {first} + k * min({lanes}, {SIZE} - {first})" if is_striped
             else f"thread.rank * {EACH} + k")
    value = f"there_{item}(i + 1)" if "discard" not in it else f"(there_{item}(i + 1), 7u32)"
    none = f"absent_{item}(i)" if "discard" not in it else f"(absent_{item}(i), 7u32)"
    kind = item if "discard" not in it else f"({item}, u32)"
    body = (f"var v: {kind}[{EACH}];\n    for (k in 0..{EACH}u32) {{\n        let i = {place};\n"
            f"        v[k] = i < min(n, m) ? {value} : {none};\n    }}\n"
            f"    {words}.store{f'<{how}>' if how else ''}({it}, {'0' if head.receiver == 'block' else f'{first} * {EACH}'}, v{', valid = m' if has_valid else ''});")
    total = SIZE * EACH
    valids = (0, 5, total - 1, total) if has_valid else (total,)
    text.kernel(body, "Run", [(n, m) for n in (0, 1, 50, total - 1, total) for m in valids])


class Loader:
    """Stands for the head of a load, for iterators that are derived from others."""

    def __init__(self, receiver):
        self.receiver, self.params = receiver, []


def searches(text, head):
    less = any(param.name == "less" for param in head.params)
    item = ITEMS[0] if less else "u32"
    value = f"there_{item}(thread.rank + 300)" if less else "thread.rank"
    arguments = ", |a, b| checked_less(seen, a, b)" if less else ""
    counts = [(n, 512) for n in (0, 1, 2, 100, 511)]
    text.lines.append("fn checked_less(seen: inout u32[], a: Run, b: Run) -> bool { are_there(seen, a, b); return a.first < b.first; }")
    if any("[" in param.type for param in head.params):
        if less:
            text.kernel(f"shared all: Run[96];\n    for (i in block.stride(96u32)) all[i] = i < n ? there_Run(i) : absent_Run(i);\n"
                        f"    block.sync();\n    y[thread.rank] = u32({head.name}(all[0..n], {value}{arguments}));", item, [(0, 1), (1, 1), (96, 512)])
        else:
            text.kernel("y[thread.rank] = u32(" + head.name + "(x[0..n], thread.rank));", "u32", [(5, 1)])
        return
    text.kernel(f"y[thread.rank] = u32({head.name}(it, {value}{arguments}));", item, counts)


def grids(text, head):
    counts = [(n, 512) for n in (0, 1, 31, 32, 33, 128, 129, 500, 511)]
    for size in (32, 96, 320):
        if head.method == "reduce":
            text.kernel("let r = grid.reduce(it, |a, b| join(seen, a, b), there_Run(0u32));", "Run", counts, BLOCKS, size)
            text.kernel("let r = grid.reduce(it, |a, b| join(seen, a, b), there_Wide(0u32));", "Wide", counts, BLOCKS, size)
            text.kernel("let r = grid.reduce(it, +, 0u32);", "u32", counts, BLOCKS, size)
        elif head.method == "select":
            text.kernel("let r = grid.select(it, |v| kept(seen, v), y.map_store(|v| stored(seen, v)));", "Run", counts, BLOCKS, size)
        elif head.method == "radix_sort":
            for words in ("", ", descending = true"):
                text.kernel(f"grid.radix_sort(gather(y, tabulate(|i| index(seen, i, n)).take(u64(n))){words});", "u32", counts, BLOCKS, size)
        else:
            raise LookupError(f"nothing calls {head}")


def text(head):
    """Returns the text of the file for one function of the library."""
    made = Text()
    if head.file == "iter.ck":
        if key(head) not in MADE:
            raise LookupError(f"nothing is made by {head}")
        item = ITEMS[0]
        for it in MADE[key(head)] or []:
            it = it.format(T=item)
            for how in LOADS:
                (stores if head.name in WRITTEN else loads)(made, Loader("block"), how, it, item)
            for how in WARP_LOADS:
                for group in ("warp", "warp.tile"):
                    (stores if head.name in WRITTEN else loads)(made, Loader(group), how, it, item)
    elif head.method in ("load", "store"):
        for index, how in enumerate(LOADS if head.receiver == "block" else WARP_LOADS):
            if head.method == "load":
                loads(made, head, how, "it", ITEMS[index % len(ITEMS)])
            else:
                stores(made, head, how, MADE["map_store"][index % 2], "Run")
    elif head.name in ("lower_bound", "upper_bound"):
        searches(made, head)
    elif head.receiver == "grid":
        grids(made, head)
    elif head.method == "prefetch":
        return None
    else:
        raise LookupError(f"nothing calls {head}")
    return made.text()
