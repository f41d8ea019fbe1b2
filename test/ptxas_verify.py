#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ptxas_verify.py - assembles the PTX on standard input for the target that it names.

Usage: ptxas_verify.py PTXAS [OPTION...]. Prints ptxas's messages; exits with its status, or with 1
if the text is not PTX. A text with several modules (more than one `.version`) is assembled module
by module.
"""
import os
import re
import subprocess
import sys
import tempfile


def main():
    text = sys.stdin.read()
    modules = re.split(r"(?m)^(?=[ \t]*\.version\b)", text)[1:]
    if not modules:
        print("no PTX on standard input:\n" + text[:2000], file=sys.stderr)
        return 1
    status = 0
    for module in modules:
        target = re.search(r"(?m)^\s*\.target\s+(sm_\w+)", module)
        if not target:
            print("PTX without .target", file=sys.stderr)
            return 1
        is_debug = re.search(r"(?m)^\s*\.target\s.*\bdebug\b", module)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "module.ptx")
            with open(path, "w", encoding="utf-8") as file:
                file.write(module)
            result = subprocess.run(
                sys.argv[1:] + ["-g"] * bool(is_debug) + ["-arch=" + target[1], "-o", folder + "/module.cubin", path],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if result.stdout:
            print(result.stdout, end="", file=sys.stderr if result.returncode else sys.stdout)
        status = status or result.returncode
    return status


if __name__ == "__main__":
    sys.exit(main())
