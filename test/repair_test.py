#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""repair_test.py - each repair has a test that fails without it.

Usage: repair_test.py BUILD [NAME...]

For each row of compiler/repair/repair.def, or those that are named, lit runs test/repair/NAME.ck with
CK_NO_REPAIR=NAME, which adds --no-repair=NAME to the commands that say %repair. The test has to fail.
That it passes otherwise is what lit's own run of test/repair/ shows. A test that needs what this
machine lacks is not run. The last line is `N repairs, N not run, N wrong`.
"""
import concurrent.futures
import os
import re
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def outcome(build, path, left_out):
    """Returns what lit says of a test: Passed, Failed, Unsupported; or its output."""
    environment = dict(os.environ, CK_NO_REPAIR=left_out)
    run = subprocess.run([f"{TOP}/.ci/lit", f"--build={build}", path], capture_output=True, text=True,
                         env=environment, check=False)
    words = re.findall(r"^\s+(Passed|Failed|Unsupported|Unresolved)\s*:", run.stdout, re.M)
    return words[0] if len(words) == 1 else run.stdout + run.stderr


def fault(build, name):
    """Returns None, "not run", or what is wrong with a repair's test."""
    path = f"{TOP}/test/repair/{name.replace('_', '-')}.ck"
    if not os.path.exists(path):
        return f"there is no {os.path.relpath(path, TOP)}"
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if "%repair" not in text or f"--no-repair={name}" not in text:
        return "the test says %repair nowhere, or does not show the code without the repair"
    without = outcome(build, path, name)
    if without == "Unsupported":
        return "not run"
    return None if without == "Failed" else f"without it, its test does not fail: {without}"


def main(build, *names):
    with open(f"{TOP}/compiler/repair/repair.def", encoding="utf-8") as file:
        names = names or re.findall(r"^REPAIR\((\w+)", file.read(), re.M)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        faults = list(pool.map(lambda name: fault(build, name), names))
    for name, what in zip(names, faults):
        if what:
            print(f"{name}: {what}")
    wrong = sum(what not in (None, "not run") for what in faults)
    print(f"{len(names)} repairs, {faults.count('not run')} not run, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
