#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""large_forms.py - copies lib/ so that the host device runs what GPUs run for large data.

    large_forms.py FOLDER    the copy, for ckc's --lib

On the host device an algorithm is one thread's loop, and a GPU's forms for data beyond its L2 cache begin
at 2^22 elements. In the copy, forms for large data begin at 3001 elements, those below at 2001, and the
host device takes them like a GPU. So its checks for races and its exact comparison hold for them too.
"""
import glob
import os
import re
import shutil
import sys

EDITS = [(r"comptime if \(__is_serial\(\)\)", "comptime if (false)"),
         (r"(?m)^fn __is_large_chip\(\) -> bool = .*", "fn __is_large_chip() -> bool = true;"),
         (r"(?m)^(const __LARGE_[A-Z]*: u64) = .*", r"\1 = 3000;"),
         (r"(?m)^(const __SMALL_[A-Z]*: u64) = .*", r"\1 = 2000;"),
         (r"(?m)^(fn __large_threads<T: type>\(\) -> u32) = .*", r"\1 = 64;")]


def main(folder):
    top = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    shutil.copytree(os.path.join(top, "lib"), folder, dirs_exist_ok=True)
    found = [0] * len(EDITS)
    for path in glob.glob(os.path.join(folder, "device", "*.ck")):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for i, (what, by) in enumerate(EDITS):
            text, count = re.subn(what, by, text)
            found[i] += count
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    missing = [what for (what, _), count in zip(EDITS, found) if not count]
    if missing:
        sys.exit(f"the library has no {' and no '.join(missing)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
