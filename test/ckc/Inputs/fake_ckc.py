#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fake_ckc.py - a substitute for ckc with which run_test.py is tested: it only knows saxpy,
computed by NumPy."""
import json
import os
import shlex
import sys

import numpy as np


def manifest():
    spans = [{"name": n, "kind": "span", "type": "f32", "extents": ["n"]} for n in "xyz"]
    scalars = [{"name": "n", "type": "u64"}, {"name": "a", "type": "f32"}]
    print(json.dumps({"kernels": [{"name": "saxpy", "params": scalars + spans}]}))


def run(words):
    options = dict(word[2:].split("=", 1) for word in words if word.startswith("--"))
    saves = [word[7:].split(":", 1) for word in words if word.startswith("--save=")]
    values = {}
    for word in words[3:]:
        if not word.startswith("--"):
            name, text = word.split("=", 1)
            values[name] = np.load(text[1:]) if text[0] == "@" else float(text)
            assert text[0] != "@" or values[name].dtype == np.float32
    if len(values["x"]) != len(values["y"]):
        print("error: x has", len(values["x"]), "elements, y has", len(values["y"]), file=sys.stderr)
        return 1
    z = np.float32(values["a"]) * values["x"] + values["y"]
    if "FAKE_WRONG" in os.environ and options["device"] != "host":
        z[-1] += 1
    print("result = {lo: 1, hi: inf}")
    for name, path in saves:
        np.save(path, z if name == "z" else values[name])
    return 0


def command_file(path):
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.startswith("#"):
                print(line, end="")
                print(line, end="", file=sys.stderr)
            elif command(shlex.split(line)):
                print(f"at {path}:{number}", file=sys.stderr)
                return 1
    return 0


def command(words):
    if words[0][0] == "@":
        return command_file(words[0][1:])
    return run(words) if words[0] == "run" else manifest()


sys.exit(command(sys.argv[1:]))
