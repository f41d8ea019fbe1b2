#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""doc_blocks.py - compiles every block of a document that is marked ```ck.

usage: doc_blocks.py CKC DOCUMENT
"""
import re
import subprocess
import sys
import tempfile


def main():
    ckc, document = sys.argv[1:]
    with open(document, encoding="utf-8") as file:
        text = file.read()
    failed = 0
    blocks = list(re.finditer(r"^```ck\n(.*?)^```", text, re.S | re.M))
    for block in blocks:
        line = text.count("\n", 0, block.start()) + 2
        for target in ("host", "sm_90"):
            with tempfile.NamedTemporaryFile("w", suffix=".ck") as file:
                file.write(block.group(1))
                file.flush()
                done = subprocess.run([ckc, file.name, f"--target={target}", "--emit=llvm"],
                                      capture_output=True, check=False)
            if done.returncode:
                failed += 1
                print(f"{document}:{line}: for {target}: {done.stderr.decode()}")
    print(f"{len(blocks)} blocks, {failed} failed")
    return failed != 0 or not blocks


if __name__ == "__main__":
    sys.exit(main())
