#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""generate.py - programs with an expression or a type where the language expects another one.

    generate.py --seed=S --count=N [--lib=lib] [--corpus=FOLDER...]

The seed selects one of two kinds of programs. The first contains a construct or a call of the
library from rows.py, whose holes are filled from names.py: most with what belongs there, one to
three with anything. The second is a program of the corpus (the tests and the examples) in which one
to three expressions are replaced by others, from the same program or from names.py.
"""
import argparse
import glob
import os
import random
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [HERE]

# pylint: disable=wrong-import-position
import names
import rows

TOP = os.path.dirname(os.path.dirname(HERE))
HOLE = re.compile(r"\{(\w+)\}")
WORD = re.compile(r"[A-Za-z_]\w*")
DEPTH = 3
HEADS = ["launch(block = 64, grid = 1)", "launch(block = (32, 2), grid = 1)", "launch(block = 64, grid = 4, cluster = 2)", ""]


class Maker:
    """Fills the holes of one program."""

    def __init__(self, rng, calls):
        self.rng, self.calls, self.count = rng, calls, 0
        self.odds = rng.choice([0, 0.1, 0.2, 0.35])  # for filling a hole with anything
        self.all = names.VALUES * 3 + names.OTHERS

    def fill(self, row, depth=0):
        parts, end = [], 0
        for match in HOLE.finditer(row):
            parts += [row[end:match.start()], self.hole(match.group(1), depth)]
            end = match.end()
        return "".join(parts) + row[end:]

    def hole(self, kind, depth):
        rng = self.rng
        if kind == "new":
            self.count += rng.random() < 0.95
            return f"v{self.count}"
        if kind == "stmt":
            return self.fill(rng.choice(rows.STATEMENTS), depth + 1) if depth < DEPTH else ";"
        if kind != "any" and rng.random() < self.odds:
            kind = "any"
        if kind == "any":
            choice = rng.random()
            if choice < 0.15 and depth < DEPTH:
                return self.fill(rng.choice(self.calls), depth + 1)
            if choice < 0.3 and depth < DEPTH:
                return self.fill(rng.choice(rows.EXPRESSIONS), depth + 1)
            kind = rng.choice(self.all)
        choices = names.KINDS[kind]
        row = rng.choice(choices)
        for _ in range(8):
            if "{" not in row.replace("{{", "") or depth < DEPTH:
                break
            row = rng.choice(choices)
        return self.fill(row, depth + 1) if depth < 8 else "1"


def declared(text, rng):
    """The declarations (items, parameters, locals) that a body and items need, and those that they
    need in turn."""
    methods = [rng.choice(names.METHODS)] if rng.random() < 0.2 else []
    used, found = set(), [text] + methods
    tables = (names.ITEMS, names.PARAMS, names.LOCALS)
    while found:
        for word in WORD.findall(found.pop()):
            for table in tables:
                if word in table and word not in used:
                    used.add(word)
                    found.append(table[word])
    items = [names.ITEMS[w] for w in names.ITEMS if w in used] + methods
    params = [f"{w}: {names.PARAMS[w]}" for w in names.PARAMS if w in used or w in ("n", "y")]
    return items, params, [names.LOCALS[w] for w in names.LOCALS if w in used]


def from_rows(rng, calls):
    maker = Maker(rng, calls)
    choice = rng.random()
    own, body = [], []
    if choice < 0.25:
        own = [maker.fill(rng.choice(rows.ITEMS))]
    elif choice < 0.5:
        body = [maker.fill(rng.choice(rows.STATEMENTS)) for _ in range(rng.randint(1, 2))]
    else:
        kind = rng.choice(["{any}", "let r = %s;", "y[0] = f32(%s);", "y[0] = %s;", "let r = %s; let rr2 = r;", "%s;"])
        row = rng.choice(calls if rng.random() < 0.5 else rows.EXPRESSIONS)
        body = [maker.fill(kind.replace("%s", row) if "%s" in kind else "let r = " + row + ";")]
    items, params, local = declared("\n".join(own + body), rng)
    head = rng.choice(HEADS) if rng.random() < 0.4 else HEADS[0]
    lines = items + own + [f"kernel k({', '.join(params)}) {head}", "{"] + local + body + ["}"]
    return "\n".join(lines).replace("{{", "{").replace("}}", "}") + "\n"


# ---- programs of the corpus ----

TOKEN = re.compile(r'\s+|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|[A-Za-z_]\w*|\d[\w.]*(?:[eE][+-]?\d+)?|\.\.|<<|>>|[-+*/%&|^=!<>]=|&&|\|\||.',
                   re.S)
KEYWORDS = set("import const fn type kernel struct enum algorithm export launch static_assert let var shared scratch if else"
               " switch case default while for in out inout break continue return unroll comptime fast dyn".split())
OPEN, CLOSE = "([{", ")]}"


def tokens_of(text):
    return [t for t in TOKEN.findall(text) if not t.startswith(("//", "/*"))]


def ends_of(tokens):
    """Returns for each opening bracket the position of the closing one."""
    ends, stack = {}, []
    for at, token in enumerate(tokens):
        if token in OPEN:
            stack.append(at)
        elif token in CLOSE and stack:
            ends[stack.pop()] = at
    return ends


def expressions_of(tokens):
    """Returns (first, last) of expressions: names and numbers with the calls and indices after
    them, and arguments."""
    ends, found = ends_of(tokens), []
    for at, token in enumerate(tokens):
        if token in KEYWORDS or not (token[0].isalnum() or token[0] in '_"' or token == "("):
            continue
        end = ends.get(at, at)
        found.append((at, end))
        while end + 1 < len(tokens):
            after = tokens[end + 1]
            if after in "([" and end + 1 in ends:
                end = ends[end + 1]
            elif after == "." and end + 2 < len(tokens):
                end += 2
            else:
                break
            found.append((at, end))
    for first, last in list(ends.items()):
        if tokens[first] == "{":
            continue
        start, at = first + 1, first + 1
        while at <= last:
            if at == last or tokens[at] == ",":
                if start < at:
                    found.append((start, at - 1))
                start = at + 1
            at = ends[at] + 1 if at in ends and at < last else at + 1
    return found


class Corpus:
    def __init__(self, folders):
        self.texts = []
        for folder in folders:
            for path in sorted(glob.glob(os.path.join(folder, "**", "*.ck"), recursive=True)):
                with open(path, encoding="utf-8") as file:
                    text = file.read()
                if len(text) < 6000 and "\nimport \"" not in text:
                    self.texts.append(text)
        self.cache = {}

    def take(self, rng):
        at = rng.randrange(len(self.texts))
        if at not in self.cache:
            tokens = tokens_of(self.texts[at])
            self.cache[at] = (tokens, expressions_of(tokens))
        return self.cache[at]


def from_corpus(rng, corpus, calls):
    tokens, found = corpus.take(rng)
    edits, maker = {}, Maker(rng, calls)
    if not found:
        return "".join(tokens)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        first, last = rng.choice(found)
        if rng.random() < 0.6:
            other = rng.choice(found)
            text = "".join(tokens[other[0]:other[1] + 1])
        else:
            text = maker.hole(rng.choice(["any", "any", "int", "float", "word", "type", "fun", "text"]), 2)
        edits[first] = (last, text)
    parts, at = [], 0
    while at < len(tokens):
        if at in edits:
            parts.append(edits[at][1])
            at = edits[at][0] + 1
        else:
            parts.append(tokens[at])
            at += 1
    text = "".join(parts)
    items, _, _ = declared(" ".join(e[1] for e in edits.values()), rng)
    return text + "\n" + "\n".join(i for i in items if rng.random() < 0.8) + "\n"


class Generator:
    def __init__(self, library, folders):
        self.calls = rows.library(library)
        self.corpus = Corpus(folders)

    def program(self, seed):
        rng = random.Random(seed)
        if rng.random() < 0.5 or not self.corpus.texts:
            return from_rows(rng, self.calls)
        return from_corpus(rng, self.corpus, self.calls)


def default():
    folders = [os.path.join(TOP, f) for f in ("test", "examples")]
    return Generator(os.path.join(TOP, "lib"), folders)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1)
    options = parser.parse_args()
    generator = default()
    for seed in range(options.seed, options.seed + options.count):
        sys.stdout.write(generator.program(seed))


if __name__ == "__main__":
    main()
