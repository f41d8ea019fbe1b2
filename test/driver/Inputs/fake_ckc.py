#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fake_ckc.py - as much of ckc as run_test.py needs to be tested: saxpy, in NumPy."""
import json
import os
import sys

import numpy as np

words = sys.argv[1:]
if words[0] != "run":
    spans = [{"name": n, "kind": "span", "type": "f32", "extents": ["n"]} for n in "xyz"]
    scalars = [{"name": "n", "type": "u64"}, {"name": "a", "type": "f32"}]
    print(json.dumps({"kernels": [{"name": "saxpy", "params": scalars + spans}]}))
    sys.exit(0)
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
    sys.exit(1)
z = np.float32(values["a"]) * values["x"] + values["y"]
if "FAKE_WRONG" in os.environ and options["device"] != "host":
    z[-1] += 1
print("result = {lo: 1, hi: inf}")
for name, path in saves:
    np.save(path, z if name == "z" else values[name])
