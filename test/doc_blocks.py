#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""doc_blocks.py - compiles every block of a document that is marked ```ck, and runs its CALL lines.

usage: doc_blocks.py CKC DOCUMENT [--device=DEVICE]...

A block ```ck sm_90 is for that target only, and is not run. Every other block with a kernel has a
CALL line, unless the kernel takes objects of a host program. A block with a COMPILE line may be an
expected error. A block whose first line is `// FILE.ck` is that file for the other blocks, and for
the commands `$ ckc ...` in blocks ```console, which must print the text below them. Without
--device, calls run on the host device.
"""
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

from heads import declared
from readme_test import matches

OBJECTS = ("texture", "surface", "tensor_map")  # a CALL line has none


def run_tests(ckc, path, devices):
    """Runs `ckc test` on a file. Returns its results, and its output if a test failed."""
    done = subprocess.run([ckc, "test", path, "--device=" + ",".join(devices), f"--json={path}.json"],
                          capture_output=True, text=True, check=False)
    results = []
    if os.path.exists(path + ".json"):
        with open(path + ".json", encoding="utf-8") as file:
            results = json.load(file)["results"]
    return results, done.stdout + done.stderr if done.returncode and results else ""


def needs_call(ckc, path):
    """Whether the file has a kernel that a CALL line could run."""
    try:
        items = declared(ckc, [path])[0]["items"]
    except ValueError:  # a syntax error, which the compiler has reported
        return False
    types = [param["type"] for item in items for param in item.get("params", []) if "type" in param]
    return any(item["kind"] == "kernel" for item in items) and not any(one.startswith(OBJECTS) for one in types)


def check(ckc, folder, block, devices):
    """Returns texts that say what is wrong with a block."""
    named = re.match(r"// (\w+\.ck)\n", block.group(2))
    path = os.path.join(folder, named.group(1) if named else f"block{block.start()}.ck")
    results, said = run_tests(ckc, path, devices)
    wrong = [said] if said else []
    targets = [block.group(1).strip()] if block.group(1) else ["host", "sm_90"]
    if any("(" not in result["name"] for result in results):
        targets = []  # a COMPILE line says what must not compile
    for target in targets:
        done = subprocess.run([ckc, path, f"--target={target}", "--emit=llvm", "-o", os.devnull],
                              capture_output=True, check=False)
        if done.returncode:
            wrong.append(f"for {target}: {done.stderr.decode()}")
    if not results and not block.group(1) and needs_call(ckc, path):
        wrong.append("no CALL line runs it")
    return wrong


def run_console(ckc, folder, text):
    """Returns the outputs of commands that differ from the document."""
    wrong = []
    path = os.path.dirname(os.path.abspath(ckc)) + os.pathsep + os.environ["PATH"]
    for block in re.findall(r"(?ms)^```console\n(.*?)^```", text):
        for part in re.split(r"(?m)^\$ ", block)[1:]:
            command, *expected = part.rstrip("\n").split("\n")
            done = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True,
                                  text=True, env=dict(os.environ, PATH=path), check=False)
            if done.returncode or not matches(expected, done.stdout):
                wrong.append(f"{command}: {done.stdout}{done.stderr}")
    return wrong


def main(ckc, document, *options):
    with open(document, encoding="utf-8") as file:
        text = file.read()
    devices = [option.split("=", 1)[1] for option in options] or ["host"]
    blocks = list(re.finditer(r"^```ck( \w+)?\n(.*?)^```", text, re.S | re.M))
    with tempfile.TemporaryDirectory() as folder:
        for block in blocks:
            named = re.match(r"// (\w+\.ck)\n", block.group(2))
            name = named.group(1) if named else f"block{block.start()}.ck"
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(block.group(2))
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            found = list(pool.map(lambda block: check(ckc, folder, block, devices), blocks))
        wrong_commands = run_console(ckc, folder, text)
    for block, wrong in zip(blocks, found):
        line = text.count("\n", 0, block.start()) + 2
        for why in wrong:
            print(f"{document}:{line}: {why}")
    for why in wrong_commands:
        print(f"{document}: {why}")
    failed = sum(map(bool, found)) + len(wrong_commands)
    print(f"{len(blocks)} blocks, {failed} failed")
    return failed != 0 or not blocks


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
