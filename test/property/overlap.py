#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""overlap.py - checks that steps on overlapping memory give right results, or are refused.

    overlap.py --ckc=build/bin/ckc [--library=lib] [--device=cuda:0] [--keep=FOLDER]

Each step of the library (a method of grid that takes an iterator, found by test/heads.py) has lines
in the head comment of its file, such as:

    overlap       it and to: allowed for spans, rejected for iterators
                  keep and to: rejected

There is one for each pair of its iterators and functions, or `it and it` if there is only one of
them. Both parameters get parts of one array, the same elements or shifted by one, as spans and as
each kind of iterator. Where the line says `rejected` (or, for iterators, `rejected for iterators`),
the compiler has to report [step_overlap]. Where it says `allowed`, the step has to give the same
results as with two arrays. With two arrays every step has to compile.
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
sys.path[:0] = [os.path.dirname(HERE), HERE]

# pylint: disable=wrong-import-position
from absent import library
from heads import heads
from messages import Messages

# How each step is called, and what it writes. The result of select says how much.
STEPS = {"grid.reduce": "grid.reduce({it}, {f}, 0u32)", "grid.select": "grid.select({it}, {keep}, {to})",
         "grid.radix_sort": "grid.radix_sort({it})"}
WRITES = {"grid.reduce": "", "grid.select": "to", "grid.radix_sort": "it"}
# Iterators over n elements of the array X from element S on: for reading, for writing, for both.
READ = ["X[S..S + n]", "X[S..S + n].reverse()", "X[S..S + n].map(|v| v + 1)", "X.drop(S).take(n)", "gather(X, at)",
        "gather(X[S..S + n], count().take(n))", "zip(X[S..S + n], at).map(|p| p[0])", "tabulate(|i| X[i + S]).take(n)", "X[S..S + n].strided(1)"]
WRITTEN = ["X[S..S + n]", "X[S..S + n].reverse()", "X[S..S + n].map_store(|v| v)", "X.drop(S)", "scatter(X, at)"]
BOTH = ["gather(X, X)", "gather(X, tabulate(|i| X[i]).take(n))", "gather(X[S..S + n], X)"]
FUNCTIONS = {"keep": ["|v| X[v % u32(n)] % 3 != 1", "|v| v % 3 != X[S] * 0 + 1"], "f": ["|a, b| a + b + 0 * X[S]"]}
ALONE = {"keep": "|v| v % 3 != 1", "f": "+", "it": "q[1..n + 1]", "to": "z[0..n]"}
SHIFTS = [0, 1, 2]  # starts of the second part; the first starts at 1
SIZES = [1, 2, 33, 500]


def documented(path):
    """Returns {(a, b): words} from the overlap lines of a file."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    lines = re.search(r"^//   overlap +(.*\n(?://    {10} +.*\n)*)", text, re.MULTILINE)
    found = re.findall(r"(\w+) and (\w+): ([^\n]+)", lines[1] if lines else "")
    return {(a, b): words.strip() for a, b, words in found}


def forms(head, name):
    """Returns the possible arguments for a parameter."""
    if name in FUNCTIONS:
        return FUNCTIONS[name]
    return (BOTH if WRITES[head.name] == "it" else WRITTEN) if WRITES[head.name] == name else READ


def verdict(words, texts):
    """Returns allowed or rejected for two expressions."""
    is_spans = all(re.fullmatch(r"X\[S..S \+ n\]", text) for text in texts)
    both = re.fullmatch(r"(allowed|rejected) for spans, (allowed|rejected) for iterators", words)
    if both:
        return both[1 if is_spans else 2]
    if words not in ("allowed", "rejected"):
        raise LookupError(f"'{words}' is neither allowed nor rejected")
    return words


class Program:
    """A step on two parts of one array, and on two arrays."""

    def __init__(self, head, pair, texts, shift):
        self.head, self.pair, self.texts, self.shift = head, pair, texts, shift

    def call(self, arrays):
        given = {param.name: ALONE.get(param.name, "") for param in self.head.params}
        for name, text, array, shift in zip(self.pair, self.texts, arrays, (1, self.shift)):
            given[name] = re.sub(r"\bS\b", f"{shift}u64", re.sub(r"\bX\b", array, text))
        return STEPS[self.head.name].format(**given)

    def text(self, arrays):
        """Returns the kernel with these arrays for the two parameters, then with other arrays of
        the same elements, and a comparison of both."""
        both, writes = [self.call(arrays), self.call(["q", "w"])], WRITES[self.head.name]
        spans = ["z", "z"]
        if writes in self.pair:
            at = self.pair.index(writes)
            first = (1, self.shift)[at]
            spans = [f"{array}[{first}u64..n + {first}]" for array in (arrays[at], ["q", "w"][at])]
        is_value = self.head.result != ""
        lines = ["algorithm a(n: u64, x: inout u32[n + 2], v: inout u32[n + 2], q: inout u32[n + 2], w: inout u32[n + 2], "
                 "z: inout u32[n + 2], at: in u32[n], wrong: inout u32[1]) {"]
        for name, call in zip("ab", both):
            lines.append(f"    let {name} = {call};" if is_value else f"    {call};")
        if is_value:
            lines.append("    if (grid.thread_rank == 0 && u64(a) != u64(b)) atomic.add(wrong[0], 1);")
        if writes:
            many = "u64(a)" if is_value else "n"
            lines.append(f"    for (i in grid.stride({many})) if ({spans[0]}[i] != {spans[1]}[i]) atomic.add(wrong[0], 1);")
        return "\n".join(lines + ["}"]) + "\n"


def programs(head, said):
    names = [param.name for param in head.params if head.generics.get(param.type) in ("type", "fn") and param.name != "init"]
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1:]] or [(names[0], names[0])]
    for pair in pairs:
        if pair not in said:
            raise LookupError(f"{head.file} doesn't say what '{pair[0]} and {pair[1]}' may overlap")
        if pair[0] == pair[1]:
            for text in forms(head, pair[0]):
                yield said[pair], Program(head, pair[:1], [text], 1)
            continue
        for first in forms(head, pair[0]):
            for second in forms(head, pair[1]):
                for shift in SHIFTS:
                    yield said[pair], Program(head, pair, [first, second], shift)


def errors(messages, text):
    """Returns the ids of the messages for a refused text."""
    is_right, log = messages.of(text, "check")
    return [] if is_right else re.findall(r"\[(\w+)\]$", log, re.MULTILINE)


def sweep(args, folder, errors_of):
    """Writes the programs that run. Returns what is wrong, how many are refused, and how many run.
    """
    wrong, refused, right = [], 0, 0
    launched = ""  # only in the source tree: a package has just the program
    if os.path.exists(f"{os.path.dirname(HERE)}/runtime/object/overlap.ck"):
        with open(f"{os.path.dirname(HERE)}/runtime/object/overlap.ck", encoding="utf-8") as file:
            launched = file.read()
    for head in heads(args.ckc, args.library):
        if head.receiver != "grid" or not any(param.name == "it" for param in head.params):
            continue
        try:
            if launched and f"{head.method}(" not in launched:
                raise LookupError(f"test/runtime/object/overlap.ck doesn't launch {head}")
            if head.name not in STEPS:
                raise LookupError(f"no row of STEPS calls {head}")
            made = list(programs(head, documented(f"{args.library}/{head.file}")))
            wanted = [verdict(words, program.texts) for words, program in made]
        except LookupError as error:
            wrong.append(str(error))
            continue
        for number, ((_, program), want) in enumerate(zip(made, wanted)):
            same = program.text(["x", "x"])
            if want == "rejected":
                if program.shift != 1:
                    continue
                refused += 1
                if "step_overlap" not in errors_of(same):
                    wrong.append(f"not refused: {program.call(['x', 'x'])}")
                if len(program.texts) == 2 and errors_of(program.text(["x", "v"])):
                    wrong.append(f"refused, of two arrays: {program.call(['x', 'v'])}")
                continue
            if errors_of(same):
                wrong.append(f"refused: {program.call(['x', 'x'])}: {errors_of(same)}")
                continue
            if number % (-(-len(made) // args.count)):
                continue
            right += 1
            with open(f"{folder}/{head.method}{number}.ck", "w", encoding="utf-8") as file:
                file.write(f"// {program.call(['x', 'x'])}\n" + same)
                for n in SIZES:
                    for flags in ("", " -check --grid=3"):
                        arrays = ", ".join(f"{name}=iota:{n + 2}" for name in "xvqwz")
                        file.write(f"// CALL: a(n={n}, {arrays}, at=iota:{n}, wrong=[0]) -O1{flags}\n// EXPECT: wrong = [0]\n")
    return wrong, refused, right


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--ckc", required=True)
    parser.add_argument("--library", default=library(), help="its sources, whose heads are read")
    parser.add_argument("--device", default="host")
    parser.add_argument("--backend", help="libnvvm or nvptx, of a GPU")
    parser.add_argument("--count", type=int, default=1000, help="programs of each step that run, at most")
    parser.add_argument("--keep", metavar="FOLDER")
    args = parser.parse_args()
    folder = args.keep or tempfile.mkdtemp(prefix="ck-overlap-")
    os.makedirs(folder, exist_ok=True)
    with Messages(args.ckc) as messages:
        wrong, refused, right = sweep(args, folder, lambda text: errors(messages, text))
    words = [args.ckc, "test", folder, f"--device={args.device}"] + ([f"--backend={args.backend}"] if args.backend else [])
    run = subprocess.run(words, stderr=subprocess.STDOUT, check=False)
    print("\n".join(wrong + [f"{right} right, {refused} refused, {len(wrong)} wrong"]))
    if not args.keep:
        shutil.rmtree(folder)
    return 1 if wrong or run.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
