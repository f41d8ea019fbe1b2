#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""algorithms.py - generates docs/algorithms.md from the head comments of lib/device, or checks it.

    algorithms.py LIB DOCUMENT              compares
    algorithms.py LIB DOCUMENT --write      writes the document

A file with algorithms for programs (`algorithm device.NAME`) has a head comment of paragraphs: what
the file is for; its algorithms; the fields of their contract, each as `NAME  text`; examples, each an
algorithm with lines `CALL:` and `EXPECT:`, which test/doc_blocks.py runs from the document. How the
algorithm works may follow, and is no part of the document. The last fields name what other libraries
have: rows of their name and, after two or more blanks, the call in CK.

The script fails if a contract lacks a field, if an algorithm or an optional argument is in no
contract, if an algorithm has no row in include/ck/algorithms.def, by which C calls it, and if the document differs
from the comments.
"""
import glob
import os
import re
import sys

import heads
import page

FIELDS = ["overlap", "scratch", "steps", "target", "CUB"]
PEERS = ["CUB", "Thrust", "cuda.compute"]
ORDER = ["reduce_steps", "arg", "scan", "transform", "difference", "histogram", "select_steps",
         "unique_steps", "by_key", "merge_sort", "radix_sort_steps", "top_k", "segmented_radix_sort"]

INTRODUCTION = """\
# Algorithms of a whole device

```ck
algorithm norm2(n: u64, x: in f32[n]) -> f32 = reduce(x.map(|v| v * v), +, 0.0);
// CALL: norm2(x=[1, 2, 3])
// EXPECT: result = 14
```

This page lists the steps of algorithms, by which a grid or several work on all elements of an
iterator. Each has a contract, and stands beside its name in other libraries. All are there without
an import. [language.md](language.md#algorithms) says what an algorithm is, and how to write one of
several kernels.

- An input is any iterator: what `map`, `zip` and the like compute is computed where it is read, and
  takes no memory.
- One call of an algorithm runs all of its launches. The host doesn't wait between them.
- Scratch memory is part of the call. Nobody asks for its size, or allocates it.
- A launch is refused, before anything runs, if what is written or read together has too few
  elements and the host knows both lengths. Room for what a step keeps is up to the caller: a build
  with `-check` finds where it is missing.
- A count, a place or a length that a step writes has to fit its element. A launch in which it could
  be greater, as 256 in a `u8`, is refused. The number of elements decides, not what is found.

This page is made by `test/algorithms.py` from the comments in `lib/device/`. Each example runs as a
test.

"""


class Contract:
    """The head comment of a file; `declared` is what the compiler lists for the file."""

    def __init__(self, path, declared):
        self.path = "device/" + os.path.basename(path)
        self.items = [item for item in declared["items"]
                      if item["kind"] == "algorithm" and item.get("receiver") == "device"
                      and item["name"][0].isalpha()]
        paragraphs = "\n".join(declared.get("comment", "").split("\n")[1:]).split("\n\n")
        self.title = " ".join(paragraphs[0].split()).partition(" - ")[2].rstrip(".")
        self.functions = paragraphs[1] if len(paragraphs) > 1 else ""
        lines = paragraphs[2].split("\n") if len(paragraphs) > 2 else []
        self.fields = {}
        self.contract, self.rows, name = [], [], ""
        for line in lines:
            name = line[2:16].strip() or name
            self.fields.setdefault(name, []).append(line[16:])
            if name in PEERS:
                self.rows.append([name, *re.split(r"\s{2,}", line[16:].strip())])
            else:
                self.contract.append(line[2:])
        self.examples = [[line[2:] for line in one.split("\n")] for one in paragraphs[3:]
                         if re.match("  (algorithm|struct|fn) ", one)]

    def wrong(self):
        """Returns texts that say what the contract lacks."""
        for field in FIELDS:
            if field not in self.fields:
                yield f"the contract has no field '{field}'"
        told = self.functions + "\n" + "\n".join(self.contract)
        for item in self.items:
            for one in [item] + [param for param in item.get("params", []) + item.get("generics", [])
                                 if "default" in param and param["name"][0].islower()]:
                if not re.search(rf"\b{one['name']}\b", told):
                    yield f"'{one['name']}' is in no contract"
        for row in self.rows:
            if len(row) != 3:
                yield f"the row '{row[1]}' is not a name and a call"
        if not self.examples:
            yield "there is no example"
        for number, example in enumerate(self.examples, 1):
            for word in ("CALL: ", "EXPECT: "):
                if not any(line.startswith(word) for line in example):
                    yield f"example {number} has no line '{word.strip()}'"


def read_contracts(folder):
    """Returns the files with algorithms, in the order of the document."""
    paths = sorted(glob.glob(f"{folder}/device/*.ck"))
    contracts = [Contract(path, one) for path, one in zip(paths, heads.declared(heads.find_ckc(), paths))]
    place = {f"device/{name}.ck": i for i, name in enumerate(ORDER)}
    return sorted([one for one in contracts if one.items], key=lambda one: place.get(one.path, len(ORDER)))


def code(text):
    return "`" + text.replace("|", "\\|") + "`"


def document_of(contracts):
    parts = [INTRODUCTION, "## Other libraries' names\n\n| | | CK |\n| --- | --- | --- |\n"]
    for peer in PEERS:
        parts += [f"| {peer} | {code(row[1])} | {code(row[2])} |\n"
                  for one in contracts for row in one.rows if row[0] == peer and len(row) == 3]
    for one in contracts:
        functions = one.functions.split("\n")
        parts.append(f"\n## {one.title[:1].upper() + one.title[1:]}\n\n[lib/{one.path}](../lib/{one.path})\n\n")
        parts.append("\n".join(["```text", *functions, "", *one.contract, "```", ""]))
        for lines in one.examples:
            parts.append("\n".join(["", "```ck", *["// " * bool(re.match("[A-Z]+: ", line)) + line for line in lines],
                                    "```", ""]))
    return "".join(parts)


def without_row(folder, contracts):
    """Returns what is wrong with the table of C's calls."""
    table = os.path.join(folder, "..", "include", "ck", "algorithms.def")
    if not os.path.exists(table):
        return []
    with open(table, encoding="utf-8") as file:
        text = file.read()
    names = [(one.path, item["name"].split(".")[-1]) for one in contracts for item in one.items]
    return [f"{path}: '{name}' has no row in include/ck/algorithms.def" for path, name in names
            if not re.search(rf"\b{name}\(", text)]


def main(folder, document, *options):
    contracts = read_contracts(folder)
    if "--write" in options:
        page.write(document, document_of(contracts))
        return 0
    failed = [f"{one.path}: {why}" for one in contracts for why in one.wrong()]
    failed += without_row(folder, contracts)
    return page.report(contracts, failed, document, document_of)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
