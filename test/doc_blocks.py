#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""doc_blocks.py - compiles every block of a document that is marked ```ck, and runs its CALL lines.

usage: doc_blocks.py CKC DOCUMENT [--device=DEVICE]...

A block ```ck sm_90 is for that target alone, and is not run. Every other block with a kernel has a
CALL line. Without --device, calls run on the host device.
"""
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile


def check(ckc, block, devices):
    """What is wrong with a block, as a list of texts."""
    wrong = []
    with tempfile.NamedTemporaryFile("w", suffix=".ck") as file:
        file.write(block.group(2))
        file.flush()
        for target in [block.group(1).strip()] if block.group(1) else ["host", "sm_90"]:
            done = subprocess.run([ckc, file.name, f"--target={target}", "--emit=llvm"],
                                  capture_output=True, check=False)
            if done.returncode:
                wrong.append(f"for {target}: {done.stderr.decode()}")
        if "// CALL:" in block.group(2):
            done = subprocess.run([ckc, "test", file.name, "--device=" + ",".join(devices)],
                                  capture_output=True, check=False)
            if done.returncode:
                wrong.append(done.stdout.decode() + done.stderr.decode())
        elif "kernel " in block.group(2) and not block.group(1):
            wrong.append("no CALL line runs it")
    return wrong


def main(ckc, document, *options):
    with open(document, encoding="utf-8") as file:
        text = file.read()
    devices = [option.split("=", 1)[1] for option in options] or ["host"]
    blocks = list(re.finditer(r"^```ck( \w+)?\n(.*?)^```", text, re.S | re.M))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda block: check(ckc, block, devices), blocks))
    for block, wrong in zip(blocks, found):
        line = text.count("\n", 0, block.start()) + 2
        for why in wrong:
            print(f"{document}:{line}: {why}")
    failed = sum(map(bool, found))
    print(f"{len(blocks)} blocks, {failed} failed")
    return failed != 0 or not blocks


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
