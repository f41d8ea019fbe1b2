#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""headers.py - how much is recompiled when a header changes, and what each stage declares.

    headers.py [--before=BUILD] BUILD

BUILD is a build folder of Ninja in which everything is built, with the source in the folder above
it. The first table has, for each header of the project, the number of object files that Ninja would
recompile if it changed. The second has, for each stage, its files, its lines, and the number of
functions in its headers: those that other stages may call, and those for the stage itself. With
--before, both tables also show the figures of another build.
"""
import argparse
import collections
import os
import re
import subprocess

HEADER = re.compile(r"^(compiler|include/ck|runtime)/.*\.(h|def)$")
PROTOTYPE = re.compile(r"^(?!static|typedef)\w[^\n;={}()]*[ *](\w+)\([^;{}]*;", re.M)


def dependents(build):
    """Returns header -> object files, from Ninja's record of dependencies."""
    top, found, target = os.path.dirname(os.path.abspath(build)), collections.Counter(), None
    text = subprocess.run(["ninja", "-C", build, "-t", "deps"], capture_output=True, text=True,
                          check=True).stdout
    for line in text.split("\n"):
        if line.startswith(" "):
            name = os.path.relpath(os.path.normpath(os.path.join(build, line.strip())), top)
            found[name] += bool(target and HEADER.match(name))
        elif line:
            target = line.endswith("(VALID)")
            found["all objects"] += target
    return top, found


def stages(top):
    """Returns stage -> files, lines, functions in public headers, functions in private headers."""
    rows = collections.defaultdict(lambda: [0, 0, 0, 0])
    for folder, _, names in os.walk(os.path.join(top, "compiler")):
        stage = os.path.relpath(folder, os.path.join(top, "compiler"))
        for name in names:
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                text = file.read()
            row = rows["(pipeline)" if stage == "." else stage]
            row[0] += 1
            row[1] += text.count("\n")
            if name.endswith(".h"):
                text = re.sub(r"/\*.*?\*/|\\\n", "", text, flags=re.S)
                row[3 if name.endswith("_private.h") else 2] += len(PROTOTYPE.findall(text))
    return rows


def table(head, rows):
    print("| " + " | ".join(head) + " |\n|" + " --- |" * len(head))
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |")
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--before", help="a build of another version to compare with")
    parser.add_argument("build")
    args = parser.parse_args()
    builds = [args.before, args.build] if args.before else [args.build]
    words = ["before", "after"] if args.before else [""]
    found = [dependents(build) for build in builds]
    names = sorted({name for _, some in found for name in some if some[name]},
                   key=lambda name: (-max(some[name] for _, some in found), name))
    table(["header"] + [f"objects {word}".strip() for word in words],
          [[f"`{name}`" if "." in name else name] + [some[name] or "" for _, some in found] for name in names])
    parts = [stages(top) for top, _ in found]
    order = [stage for stage in ("base", "text", "front", "check", "gen", "repair", "target",
                                 "output", "(pipeline)", "ckc") if stage in parts[-1]]
    columns = ["files", "lines", "functions shown", "functions private"]
    table(["stage"] + [f"{column} {word}".strip() for column in columns for word in words],
          [[stage] + [part[stage][i] for i in range(4) for part in parts] for stage in order])


if __name__ == "__main__":
    main()
