#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cooperative.py - generates docs/cooperative.md from the head comments of lib/block, lib/warp and
MORE, or checks it.

    cooperative.py LIB DOCUMENT [--ckc=CKC]     compares; with CKC, also tries the table and the
                                                costs
    cooperative.py LIB DOCUMENT --write         writes the document

A head comment has paragraphs: what the file is for; its functions; the fields of their contract, each
as `NAME  text`; then examples, a paragraph each. The last field is CUB: rows of CUB's name and, after
two or more blanks, the call in CK, or `none`; a line that is indented further is a remark on its row.
An example is a kernel with lines `CALL:` and `EXPECT:`, which test/doc_blocks.py runs from the
document, and `COST:`, the resources of its kernel on sm_90.

The script fails if a contract lacks a field, if a function, an optional argument or a keyword of
the library is in no contract, and if the document differs from the comments; with CKC, also if a
call of the table does not compile, or an example's cost differs.
"""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

import heads
import page

MORE = ["warp.ck", "search.ck", "async.ck", "bulk.ck"]
FIELDS = ["shape", "arrangement", "called by", "result", "shared bytes", "steps", "target", "CUB"]
ORDER = ["block/load", "block/wide", "block/prefetch", "async", "bulk", "block/exchange", "block/reduce",
         "block/batched", "block/vote", "block/scan", "block/segmented", "block/rank", "block/radix",
         "block/fields", "block/merge", "block/bitonic", "block/top", "block/compact",
         "block/neighbour", "warp", "warp/scan", "warp/segment", "warp/batch", "warp/load",
         "warp/exchange", "warp/merge", "warp/top", "warp/compact", "search"]
TEST_LINE = re.compile(r"^(CALL|EXPECT|FOR|TOLERANCE): ")

INTRODUCTION = """\
# What a block or a warp does together

```ck
kernel sums(n: u32, x: in f32[n], y: out f32[ceil_div(n, 256)])
    launch(block = 256, grid = ceil_div(n, 256))
{
    let i = u32(grid.thread_rank);
    let sum = block.reduce(i < n ? x[i] : 0, +);        // in every thread of the block
    if (thread.rank == 0) y[block.id.x] = sum;
}
// CALL: sums(x=[1, 2, 3])
// EXPECT: y = [6]
```

This page lists the functions that the threads of a block or a warp call together. Each has a
contract, and stands beside CUB's name. All are there without an import.

- The block's size is that of `launch(block = ...)`. No call repeats it.
- The compiler plans shared memory and barriers. There is no TempStorage, and nothing to wait for
  before memory is used again.
- All threads of the group have to make the call. A condition that differs between them is a
  compile-time error ([language.md](language.md#together-or-not-at-all)).

This page is made by `test/cooperative.py` from the comments in `lib/`. Each call of the table
compiles and each example runs, as a test. Below an example stands the static shared memory of a
block that its kernel needs, and the barriers of the block in its code. Some barriers stand between
two calls that use the same memory.

"""


class Contract:
    """The head comment of a file in the library; `declared` is what the compiler lists for the
    file."""

    def __init__(self, folder, path, declared):
        self.path, self.items = os.path.relpath(path, folder), declared["items"]
        head = declared.get("comment", "").split("\n")[1:]
        paragraphs = "\n".join(line and " " + line for line in head).split("\n\n")
        self.title = " ".join(paragraphs[0].split()).partition(" - ")[2].split(". ")[0].rstrip(".")
        self.functions = paragraphs[1] if len(paragraphs) > 1 else ""
        lines = paragraphs[2].split("\n") if len(paragraphs) > 2 else []
        self.names = [re.split(r"\s{2,}", line[3:])[0] for line in lines if line[3:4].strip()]
        self.fields = self.functions + "\n" + "\n".join(lines)
        cub = next((i for i, line in enumerate(lines) if line.startswith("   CUB ")), len(lines))
        self.contract = [line[3:] for line in lines[:cub]]
        self.rows = []
        for line in lines[cub:]:
            if line[17:19].isspace():
                self.rows[-1].append(line.strip())
            else:
                self.rows.append(re.split(r"\s{2,}", line[17:]))
        self.examples = [[line[3:] for line in one.split("\n")] for one in paragraphs[3:]]

    def public(self):
        """Yields (group with its dot, name, [parameter names]) of the functions that programs may
        call."""
        for item in self.items:
            if item["kind"] == "function" and item["name"][0].isalpha():
                group = item["receiver"] + "." if "receiver" in item else ""
                head = heads.Head(item, self.path)
                yield group, item["name"], [one.name + "=" * one.has_default for one in head.arguments()]

    def words(self):
        """The keywords that programs pass to the functions: constants in lower case."""
        return [item["name"] for item in self.items if item["kind"] == "constant" and item["name"][0].islower()]

    def wrong(self):
        """Returns texts that say what the contract lacks."""
        for field in FIELDS:
            if field not in self.names:
                yield f"the contract has no field '{field}'"
        overloads = {}
        for group, name, names in self.public():
            overloads.setdefault((group, name), []).append(names)
        for (group, name), lists in overloads.items():
            if not re.search(rf"\b{name}\b", self.fields):
                yield f"'{group}{name}' is in no contract"
            always = set.intersection(*map(set, lists))
            some = {word for names in lists for word in names if word not in always or "=" in word}
            for word in sorted(one.rstrip("=") for one in some):
                if not re.search(rf"\b{word}\b", self.fields):
                    yield f"'{word}' of '{group}{name}' is in no contract"
        if not self.examples:
            yield "there is no example"
        for number, example in enumerate(self.examples, 1):
            for word in ("CALL: ", "EXPECT: ", "COST: "):
                if not any(line.startswith(word) for line in example):
                    yield f"example {number} has no line '{word.strip()}'"


def read_contracts(folder):
    """Returns the files with public functions, in the order of the document, and the library's
    keywords."""
    paths = sorted(glob.glob(f"{folder}/block/*.ck") + glob.glob(f"{folder}/warp/*.ck"))
    paths += [f"{folder}/{name}" for name in MORE]
    paths = [path for path in paths if os.path.exists(path)]
    all_of_them = [Contract(folder, path, one) for path, one in zip(paths, heads.declared(heads.find_ckc(), paths))]
    contracts = [one for one in all_of_them if any(one.public())]
    place = {name + ".ck": i for i, name in enumerate(ORDER)}
    contracts.sort(key=lambda one: place.get(one.path, len(ORDER)))
    return contracts, [(one.path, word) for one in all_of_them for word in one.words()]


# ---- the document ----


def code(text):
    return "`" + text.replace("|", "\\|") + "`"


def table_rows(rows):
    """The rows of the table; `::Name` is a member of the class above."""
    last = ""
    for cub, ck, *remark in rows:
        if cub.startswith("::"):
            cub = last + cub
        elif "::" in cub:
            last = re.match(r"(?:\w+::)*(?=\w+\()", cub).group(0)[:-2]
        names = cub if re.match("beyond |each ", cub) else code(cub)
        remark = " ".join(remark).replace("|", "\\|")
        yield f"| {names} | {ck if ck == 'none' else code(ck)} | {remark}".rstrip() + " |"


def example_of(lines):
    """Splits an example into its code and its cost."""
    cost = ["On sm_90: " + cost_of(line).replace(" bytes", " bytes of shared memory") + "."
            for line in lines if cost_of(line)]
    kernel = ["// " * bool(TEST_LINE.match(line)) + line for line in lines if not cost_of(line)]
    return "\n".join(["```ck", *kernel, "```", "", *cost, ""])


def cost_of(line):
    return line[6:] if line.startswith("COST: ") else None


def document_of(contracts):
    parts = [INTRODUCTION, "## CUB and CK\n\n| CUB | CK | |\n| --- | --- | --- |\n"]
    parts += [row + "\n" for one in contracts for row in table_rows(one.rows)]
    parts.append("\n")
    for one in contracts:
        functions = "\n".join(line[1:] for line in one.functions.split("\n"))
        parts.append(f"## {one.path[:-3]}: {one.title}\n\n")
        parts.append(f"[lib/{one.path}](../lib/{one.path})\n\n")
        parts.append("\n".join(["```text", functions, "", *one.contract, "```", ""]) + "\n")
        parts += [example_of(lines) + "\n" for lines in one.examples]
    return "".join(parts).rstrip("\n") + "\n"


# ---- what the table calls, and what examples cost ----

# The context in which calls of the table are compiled.
PARTS = """\
fn f(a: u32, b: u32) -> u32 = a + b;
fn less(a: u32, b: u32) -> bool = a < b;
fn by(s: u32) -> (u32, u32) = (s / 8, s % 8);
fn function(total: u32) -> u32 = total;
fn function(counts: u32[1]) { }
const how: u32 = blocked_to_striped;
const N: u32 = 2;
const M: u32 = 2;
const K: u32 = 3;
const G: u32 = 8;
const BITS: u32 = 2;
const PRIOR: u32 = 1;
"""
KERNEL = """\
kernel row(n: u32, lane: u32, d: u32, from: u32, b: u32, e: u32, base: u64, count: u32,
           sorted: in u32[64], x: in u32[64], it: inout u32[256]) launch(block = 64, grid = 1)
{
    shared tile: u32[64]; shared counts: u32[64]; shared bar: barrier;
    let v = thread.rank;
    let (value, p, flag) = (1u32, v == 5, v % 8 == 0);
    let (items, a, keys, values) = ([v, v], [v, v], [v, v], [v, v]);
    let (ranks, digits, lengths) = ([2 * v, 2 * v + 1], [0u32, 1], [1u32, 2]);
    let starts = ranks;
    let (flags, keep, heads) = ([p, p], [p, p], flag);
    CALLS;
}
"""


def compiled(ckc, program, *forms):
    """Compiles a program to these forms; returns them, or the compiler's message."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "table.ck")
        with open(path, "w", encoding="utf-8") as file:
            file.write(program)
        done = [subprocess.run([ckc, path, "--target=sm_90", "--backend=nvptx", f"--emit={form}"],
                               capture_output=True, text=True, check=False) for form in forms]
    if any(one.returncode for one in done):
        return None, done[0].stderr.replace(folder, "")
    return [one.stdout for one in done], None


def wrong_calls(ckc, contracts):
    """Returns the compiler's messages for calls of the table that do not compile."""
    calls = [row[1] for one in contracts for row in one.rows if row[1] != "none"]
    kernels = [KERNEL.replace("kernel row", f"kernel row{i}").replace("CALLS", call)
               for i, call in enumerate(calls)]
    error = compiled(ckc, PARTS + "".join(kernels), "llvm")[1]
    return [error] if error else []


def wrong_costs(ckc, contracts):
    """Returns the examples whose kernels use other shared memory, or have other barriers, than COST
    says."""
    told, program = [], ""
    for one in contracts:
        for lines in one.examples:
            kernel = "\n".join(line for line in lines if not re.match("[A-Z]+: ", line))
            program += re.sub(r"\bkernel \w+", f"kernel example{len(told)}", kernel) + "\n"
            told.append((one.path, " ".join(cost_of(line) or "" for line in lines).strip()))
    forms, error = compiled(ckc, program, "manifest", "ptx")
    if error:
        return [error]
    kernels = {one["name"]: one["shared_bytes"] for one in json.loads(forms[0])["kernels"]}
    codes = dict(re.findall(r"(?s)\.entry (\w+)(.*?)\n}", forms[1]))
    wrong = []
    for i, (path, cost) in enumerate(told):
        count = len(re.findall(r"\bbar(?:rier)?(?:\.cta)?\.(?:sync|red)\b", codes[f"example{i}"]))
        real = f"{kernels[f'example{i}']} bytes, {count} barrier{'' if count == 1 else 's'}"
        if cost != real:
            wrong.append(f"{path}: '{cost}' is {real}")
    return wrong


def main(folder, document, *options):
    contracts, words = read_contracts(folder)
    if "--write" in options:
        page.write(document, document_of(contracts))
        return 0
    failed = [f"{one.path}: {why}" for one in contracts for why in one.wrong()]
    told = "\n".join(one.fields for one in contracts)
    failed += [f"{path}: '{word}' is in no contract" for path, word in words
               if not re.search(rf"\b{word}\b", told)]
    for option in options:
        ckc = option.partition("--ckc=")[2]
        failed += wrong_calls(ckc, contracts) + wrong_costs(ckc, contracts)
    return page.report(contracts, failed, document, document_of)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
