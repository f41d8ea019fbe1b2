#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""large_forms.py - copies lib/ so that the host device runs what GPUs run for large data.

    large_forms.py FOLDER    the copy, for ckc's --lib

On the host device an algorithm is one thread's loop, and a GPU's forms for data beyond its L2 cache begin
at 2^22 elements. In the copy, forms for large data begin at 3001 elements, those below at 2001, and the
host device takes them like a GPU. So its checks for races and its exact comparison hold for them too.
"""
import sys

import lib_copy

EDITS = [(r"comptime if \(__is_serial\(\)\)", "comptime if (false)"),
         (r"(?m)^fn __is_large_chip\(\) -> bool = .*", "fn __is_large_chip() -> bool = true;"),
         (r"(?m)^(const __LARGE_[A-Z]*: u64) = .*", r"\1 = 3000;"),
         (r"(?m)^(const __SMALL_[A-Z]*: u64) = .*", r"\1 = 2000;"),
         (r"(?m)^(fn __large_threads<T: type>\(\) -> u32) = .*", r"\1 = 64;")]


if __name__ == "__main__":
    lib_copy.edited(sys.argv[1], EDITS)
