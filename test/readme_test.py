#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""readme_test.py - runs the commands in a document, and compares their output with the document.

Usage: readme_test.py FILE.md --bin=FOLDER [--echo]. In blocks that begin with ```console, a line `$
COMMAND` is run at the top of the repository, with FOLDER first on the path; the lines up to the
next command are its expected standard output (`...` matches any lines). Only commands that begin
with ckc are run. A block ```ck whose first line is `// FILE.ck` is the content of FILE.ck.
"""
import argparse
import os
import re
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def matches(expected, actual):
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else re.escape(line) + r"\n"
                      for line in expected)
    return re.fullmatch(pattern, actual) is not None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("document")
    parser.add_argument("--bin", required=True)
    parser.add_argument("--echo", action="store_true")
    args = parser.parse_args()
    with open(args.document, encoding="utf-8") as file:
        text = file.read()
    path = os.path.abspath(args.bin) + os.pathsep + os.environ["PATH"]
    ran = failed = 0
    for name, code in re.findall(r"(?ms)^```c(?:k)?\n// (\S+\.ck)\n(.*?)^```", text):
        with open(os.path.join(TOP, name), encoding="utf-8") as file:
            if code.strip() not in file.read():
                print(f"{args.document}: {name} has another text", file=sys.stderr)
                failed += 1
    for block in re.findall(r"(?ms)^```console\n(.*?)^```", text):
        for part in re.split(r"(?m)^\$ ", block)[1:]:
            command, *expected = part.rstrip("\n").split("\n")
            if not command.startswith("ckc "):
                continue
            result = subprocess.run(["bash", "-c", command], cwd=TOP, capture_output=True,
                                    text=True, env=dict(os.environ, PATH=path), check=False)
            ran += 1
            if args.echo:
                print(f"$ {command}\n{result.stdout}{result.stderr}", end="")
            if result.returncode or expected and not matches(expected, result.stdout):
                failed += 1
                print(f"{args.document}: '{command}' exits with {result.returncode} and prints\n"
                      f"{result.stdout}{result.stderr}expected\n" + "\n".join(expected),
                      file=sys.stderr)
    print(f"{ran - failed} commands of {args.document} as written, {failed} not")
    return 1 if failed or not ran else 0


if __name__ == "__main__":
    sys.exit(main())
