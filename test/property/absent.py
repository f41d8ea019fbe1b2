#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""absent.py - checks that the library calls a program's function only with valid items.

    absent.py --ckc=build/bin/ckc --library=lib [--filter=TEXT] [--device=cuda:0 --backend=nvptx]
    [--keep=FOLDER]

Each function of the library that takes a function (test/heads.py lists them) is called in full and
partial blocks and tiles, with all of its keywords, and with counts of valid items from none to all.
Each function that takes an iterator gets iterators whose functions know where they end.

An item is a Run: the first and the last of the neighbouring items that it stands for, and a mark.
Invalid items, such as padding, zeros, or what follows `valid` items, have no mark. The program's
functions report in `seen` what they should not get: an item without a mark, or two items that are
not neighbours, such as an item and itself. Items of different segments are not neighbours. seen[1]
reports that the function was called at all.

A function of the library with a parameter for which there is no value here is an error. FUNCTIONS
has the program's functions by the name of the parameter, VALUES the values of other parameters,
WORDS what goes in <...>.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.dirname(HERE), HERE, os.path.join(os.path.dirname(HERE), "random")]

# pylint: disable=wrong-import-position
import absent_iterators
from absent_text import ITEMS, prelude
from heads import heads
from rows import RANKS, REDUCTIONS, SCANS

SHAPES = [(7, 3), (33, 2), (512, 1), (100, 4), (288, 2), (1, 1), (64, 4), (1000, 1), (40, 8), (320, 3)]
TILES = [8, 32, 2, 16, 4]
TAKES_ANY = ("", "warp_reductions", "raking", "raking_commutative_only")  # others take operators
assert set(TAKES_ANY) < set(REDUCTIONS)

# The program's function, by the name of the parameter and of the library's function.
FUNCTIONS = [
    (r"prefix", r".*", "|all| behind(seen, all, {total})"),
    (r"counts", r".*", "|c| told(seen, c)"),
    (r"less", r".*", "|a, b| less(seen, a, b)"),
    (r"by", r".*", "|a| {by}"),
    (r"f", r".*adjacent_difference", "|a, b| differs(seen, b, a)"),
    (r"f", r".*adjacent_difference_right", "|a, b| differs_right(seen, a, b)"),
    (r"f", r".*\.(heads|tails|heads_and_tails)", "|a, b| follows(seen, a, b)"),
    (r"f", r".*(reduce|reduce_to|_scan|_scan_total|reduce_batched)", "|a, b| {join}(seen, a, b)"),
]
# The values of other parameters, by name and type; `item` is a function in the kernel's text.
VALUES = {
    "v": "v", "items": "v", "keys": "v", "values": "values", "digits": "digits", "heads": "heads", "tails": "tails",
    "valid": "n", "rank": "{rank}", "init": "item(0)", "before": "item(0)", "after": "item({total} + 1)",
}
BYS = ["key_of(seen, a)", "(key_of(seen, a), u8(key_of(seen, a)))", "[key_of(seen, a), key_of(seen, a)]"]


def words_of(head):
    """Returns the possible values of the named constants: lists of the words in <...>."""
    if "method" in head.generics:
        return [[word] if word else [] for word in (TAKES_ANY if "scan" not in head.name and "segmented"
                                                    not in head.name else SCANS)]
    if "bits" in head.generics and head.method.startswith("radix_rank"):
        return [["4", word] if word else ["4"] for word in RANKS]
    if head.method == "reduce_batched" and "to" in head.generics:
        return [["striped"], ["blocked"]]
    if head.method == "radix_sort":
        return [[], ["striped"], ["blocked", "memoize"], ["blocked", "match"]]
    if set(head.generics) - set(head.defaults) - {"T", "F", "P", "N", "K", "V", "G"}:
        return None
    return [[]]


class Kernel:
    """A call of a function, in a block of `size` threads with `items` each."""

    def __init__(self, head, number, words, item, shape, tile):
        self.head, self.number, self.words, self.item = head, number, words, item
        self.size, self.items = shape
        types = {param.name: param.type for param in head.params}
        self.is_array = any("[" in text for text in types.values())
        if not self.is_array:
            self.items = 1
        if "bitonic" in head.name:
            self.items = 1 << (self.items.bit_length() - 1)
        self.lanes = {"block": self.size, "warp": 32, "warp.tile": tile}.get(head.receiver, 32)
        if head.method == "reduce_batched" and head.receiver != "block" and "to" not in head.generics:
            self.items = min(self.items, self.lanes)
        self.has_valid = "valid" in types
        self.is_segmented = "segmented" in head.name
        self.is_active = head.structure == "ActiveLanes"
        self.total = self.lanes * self.items

    def fill(self, text):
        words = {"total": f"({'n' if self.has_valid else 'there'})", "rank": str(self.size - 1),
                 "by": BYS[self.number % len(BYS)],
                 "join": "join_any" if "raking_commutative_only" in self.words else "join"}
        return re.sub(r"\{(\w+)\}", lambda found: words[found[1]], text)

    def argument(self, param):
        head = self.head
        if head.generics.get(param.type) == "fn":
            for name, function, text in FUNCTIONS:
                if re.fullmatch(name, param.name) and re.fullmatch(function, head.name):
                    return self.fill(text)
            raise LookupError(f"nothing says what {param.name} of {head} does")
        if param.name not in VALUES:
            raise LookupError(f"nothing says what {param.name} of {head} gets")
        return self.fill(VALUES[param.name])

    def call(self):
        head, args, is_named = self.head, [], False
        for param in head.params:
            if param.has_default and param.name != "valid":
                is_named = True  # later arguments are passed by name
                continue
            text = self.argument(param)
            is_named = is_named or (param.name in ("init", "before", "after", "valid", "tails", "prefix", "counts"))
            args.append(f"{param.name} = {text}" if is_named else text)
        words = f"<{', '.join(self.words)}>" if self.words else ""
        group = f"warp.tile<{self.lanes}>" if head.receiver == "warp.tile" else head.receiver
        return f"{'g' if self.is_active else group}.{head.method}{words}({', '.join(args)})"

    def counts(self):
        """Returns values of n: none if that is allowed, few, all."""
        if not self.has_valid:
            return [self.total]
        least = 1 if re.search(r"reduce|scan", self.head.name) else 0
        some = {least, 1, 2, self.items, self.items + 1, self.total // 2 + 1, self.total - 1, self.total}
        return sorted(n for n in some if least <= n <= self.total)

    def text(self):
        item, n = self.item, self.items
        is_batched = self.head.method == "reduce_batched"
        number = f"k * 4096 + {'g.rank' if self.is_active else 't - base'} + 1" if is_batched or self.is_active else "i + 1"
        number = "segment(i)" if self.is_segmented else number
        there = "i < n" if self.has_valid else "true"
        lines = [f"kernel k{self.number}(n: u32, unsure: u32, seen: inout u32[2]) launch(block = {self.size}, grid = 1) {{",
                 "    let t = thread.rank;",
                 "    if (t == 0 && unsure != 0) atomic.max(seen[1], 1u32);",
                 "    let base = " + ("0u32;" if self.head.receiver == "block" else f"t & ~{self.lanes - 1}u32;"),
                 f"    let there = min({self.lanes}, {self.size} - base) * {n};",
                 f"    let item = |i: u32| there_{item}(i);"]
        if self.is_active:
            lines += ["    if (t % 3 == 1) return;", "    let g = warp.active();"]
        lines += [f"    var v: {item}[{n}];", f"    var values: u32[{n}];", f"    var digits: u32[{n}];",
                  f"    var heads: bool[{n}];", f"    var tails: bool[{n}];",
                  f"    for (k in 0..{n}u32) {{", f"        let i = (t - base) * {n} + k;",
                  f"        v[k] = {there} ? there_{item}({number}) : absent_{item}(i);",
                  "        (values[k], digits[k], heads[k], tails[k]) = (i, i % 16, i % 5 == 3, i % 5 == 2);", "    }"]
        if not self.is_array:
            lines = [line.replace(f"var v: {item}[{n}]", f"var v: {item}").replace("v[k]", "v") for line in lines]
            lines = [re.sub(r"\b(heads|tails)\[k\]", r"\1", line) for line in lines]
            lines = [re.sub(rf"var (heads|tails): bool\[{n}\]", r"var \1: bool", line) for line in lines]
        lines += [f"    let r = {self.call()};", "}"]
        for count in self.counts():
            many = min(count, min(self.lanes, self.size) * n)
            # f joins two items of one thread or of two; a segment here has at most 5.
            sure = many >= 8 and not self.is_active and (not is_batched or self.size > 1)
            for flags in ("", " -check"):
                lines += [f"// CALL: k{self.number}(n={count}, unsure={0 if sure else 1}, seen=[0, 0]) -O1{flags}",
                          "// EXPECT: seen = [0, 1]"]
        return "\n".join(lines) + "\n"


def kernels(head, seed, shapes):
    """Kernels for each keyword; their shapes differ, and every block has a partial warp."""
    lists, made = words_of(head), []
    if lists is None:
        raise LookupError(f"nothing says what stands in <...> of {head}: {head.generics}")
    for words in lists:
        for _ in range(shapes):
            at = seed + len(made)
            made.append(Kernel(head, len(made), words, ITEMS[at % len(ITEMS)], SHAPES[at % len(SHAPES)],
                               TILES[at % len(TILES)]))
    return made


def files(args, missing):
    """Yields (name, text) for each function that takes a function or an iterator. missing: gets the
    functions that can't be called here."""
    seed = args.seed
    for head in heads(args.ckc, args.library):
        if head.receiver == "block.part":
            continue  # a role has whole warps, and takes no `valid`
        name = re.sub(r"\W+", "_", f"{head.name}_{'_'.join(param.name + param.type for param in head.params)}").strip("_")
        try:
            if absent_iterators.concerns(head):
                text = absent_iterators.text(head)
            elif head.functions():
                text = prelude() + "\n".join(kernel.text() for kernel in kernels(head, seed, args.shapes))
            else:
                continue
        except LookupError as error:
            missing.append(str(error))
            continue
        seed += 1
        if args.filter in head.name:
            yield name, text


def library():
    """Returns the library's folder, of the sources or of a package."""
    top = os.path.dirname(os.path.dirname(HERE))
    return next(path for path in (f"{top}/share/cokernel/lib", f"{top}/lib") if os.path.isdir(path))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--ckc", required=True)
    parser.add_argument("--library", default=library(), help="the folder of its sources")
    parser.add_argument("--lib", action="store_true", help="run with that library, not with the one in ckc")
    parser.add_argument("--parts", type=int, default=1, help="that one of so many parts which --seed names")
    parser.add_argument("--count", type=int, default=1000, help="functions at most; all heads are looked at")
    parser.add_argument("--device", default="host")
    parser.add_argument("--backend", help="libnvvm or nvptx, of a GPU")
    parser.add_argument("--filter", default="", help="functions with this text in their name")
    parser.add_argument("--shapes", type=int, default=3, help="blocks for each function and word")
    parser.add_argument("--seed", type=int, default=0, help="of which blocks")
    parser.add_argument("--keep", metavar="FOLDER", help="for the programs; a temporary one without it")
    args = parser.parse_args()
    folder = args.keep or tempfile.mkdtemp(prefix="ck-absent-")
    os.makedirs(folder, exist_ok=True)
    count, missing = 0, []
    try:
        made = list(files(args, missing))
        step = max(args.parts, -(-len(made) // args.count), 1)
        for name, text in made[args.seed % step::step]:
            count += 1
            with open(f"{folder}/{name}.ck", "w", encoding="utf-8") as file:
                file.write(text)
        words = [args.ckc, "test", folder, f"--device={args.device}", "--timeout=120"]
        words += [f"--backend={args.backend}"] if args.backend else []
        words += [f"--lib={args.library}"] if args.lib else []
        run = subprocess.run(words, stderr=subprocess.STDOUT, check=False)
        print("\n".join(missing + [f"{count} of {len(made)} functions of the library, {len(missing)} missing"]))
        return 1 if missing or not count else run.returncode
    finally:
        if not args.keep:
            shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(main())
