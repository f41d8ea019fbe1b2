#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""sass.py - assembles PTX and prints the machine code, one instruction a line.

Usage: sass.py PTXAS NVDISASM < PTX. Each function begins with a line `.text.NAME:`. Encodings and
addresses are left out.
"""
import os
import re
import subprocess
import sys
import tempfile


def main(ptxas, nvdisasm):
    ptx = sys.stdin.read()
    target = re.search(r"(?m)^\s*\.target\s+(sm_\w+)", ptx)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "module")
        with open(path + ".ptx", "w", encoding="utf-8") as file:
            file.write(ptx)
        subprocess.run([ptxas, "-arch=" + target[1], path + ".ptx", "-o", path + ".cubin"], check=True)
        code = subprocess.run([nvdisasm, "-c", path + ".cubin"], check=True, capture_output=True,
                              text=True).stdout
    for line in code.split("\n"):
        label = re.match(r"\.text\.\w+:", line)
        instruction = re.match(r"\s+/\*[0-9a-f]{4}\*/\s+(.*?;)", line)
        if label or instruction:
            print(label[0] if label else instruction[1])


if __name__ == "__main__":
    main(*sys.argv[1:])
