#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ported_test.py - checks that the tests named in test/ported.md, as counterparts of cuda.core's,
exist.

    ported_test.py DOCUMENT TESTS

Each table row is `| theirs | ours |`: one of cuda.core's test functions, and either `FILE.c: NAME,
NAME; FILE.c: NAME`, TESTs of files in or below the folder TESTS, or a reason why there is none:

    Python alone: ...   it tests Python
    left out: ...       the runtime leaves this out, and why
    missing: ...        still to be done

If ours differs on purpose, `; otherwise here: ...` and the reason follow the TESTs that show it.
Under "## examples", theirs is a file, and ours may be a file below the top: examples/saxpy.c.
"""
import glob
import os
import re
import sys

REASONS = ("Python alone", "left out", "missing")
OTHERWISE = "otherwise here"


def rows_of(text):
    """Yields (line, section, theirs, ours) for each table row."""
    section = ""
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("## "):
            section = line[3:].strip()
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not line.startswith("|") or cells[0] == "cuda.core" or set(line) <= set("|- "):
            continue
        yield number, section, cells[0], cells[1:]


def wrong_with(ours, section, tests):
    """Returns what is wrong with the second cell, or nothing."""
    if ours.split(":")[0] in REASONS:
        return "" if ":" in ours and ours.split(":", 1)[1].strip() else "no reason"
    shown, otherwise, reason = ours.partition("; " + OTHERWISE)
    if otherwise and not (reason.startswith(":") and reason[1:].strip()):
        return "no reason"
    for part in shown.split(";"):
        path, _, names = (text.strip() for text in part.partition(":"))
        if section == "examples" and os.path.exists(os.path.join(tests, "..", "..", path)):
            continue
        sources = glob.glob(f"{tests}/**/{path}", recursive=True) if path.endswith(".c") else []
        if len(sources) != 1:
            return f"no file '{path}'"
        with open(sources[0], encoding="utf-8") as file:
            known = set(re.findall(r"^TEST\((\w+)", file.read(), re.MULTILINE))
        for name in names.split(","):
            if name.strip() not in known:
                return f"no TEST({name.strip()}) in {path}"
    return ""


def main():
    document, tests = sys.argv[1:3]
    with open(document, encoding="utf-8") as file:
        text = file.read()
    counts, seen, wrong = dict.fromkeys(("ported", OTHERWISE) + REASONS, 0), set(), 0
    for number, section, theirs, cells in rows_of(text):
        problem = "two cells a row" if len(cells) != 1 else wrong_with(cells[0], section, tests)
        problem = problem or ("twice" if (section, theirs) in seen else "")
        seen.add((section, theirs))
        if problem:
            print(f"{document}:{number}: {theirs}: {problem}")
            wrong += 1
            continue
        reason = cells[0].split(":")[0]
        shown = OTHERWISE if f"; {OTHERWISE}:" in cells[0] else "ported"
        counts[reason if reason in REASONS else shown] += 1
    print(", ".join(f"{count} {what}" for what, count in counts.items()), f"- {wrong} wrong")
    return wrong > 0 or not seen


if __name__ == "__main__":
    sys.exit(main())
