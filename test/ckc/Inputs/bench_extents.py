#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""bench_extents.py - checks that every command gives a span of vectors the same extents for the
same value.

    bench_extents.py CKC FOLDER

There is one kernel for each type and number of extents, which asserts the extents and `len` that it
gets. A CALL line, a BENCH line, a BENCH line with EXPECT, and `ckc run` all have to agree with it,
for arrays that are generated, that are omitted, and that are written as lists. The bytes that a
BENCH line reports are the size of its arrays.
"""
import json
import subprocess
import sys

ckc, folder = sys.argv[1:-1], sys.argv[-1]
TYPES = {"f32": 1, "u8x2": 2, "u32x2": 2, "f32x3": 3, "f32x4": 4, "f16x8": 8, "P": 0}
BYTES = {"f32": 4, "u8x2": 2, "u32x2": 8, "f32x3": 16, "f32x4": 16, "f16x8": 16, "P": 12}
SHAPES = [(8,), (4, 3), (2, 3, 2), (2, 1, 2, 3)]

text, runs, wanted = "struct P { x: f32; at: (i32, i32); }\n", [], []
for number, (kind, width) in enumerate(TYPES.items()):
    for shape in (SHAPES[0], SHAPES[1 + number % 3]):
        names = "abcd"[:len(shape)]
        count = 1
        for extent in shape:
            count *= extent
        kernel = f"k_{kind}_{len(shape)}"
        scalars = ", ".join(f"{name}: u32" for name in names)
        extents = ", ".join(names)
        checks = " ".join(f'assert({name} == {extent}, "{name}");' for name, extent in zip(names, shape))
        text += (f"kernel {kernel}({scalars}, x: in {kind}[{extents}], y: out {kind}[{extents}]) "
                 f'launch(block = 1, grid = 1) {{ {checks} assert(x.len == {count}, "len"); '
                 f'assert(y.len == {count}, "len of y"); }}\n')
        sides = "x".join(map(str, shape))
        makers = ["zeros", "ones", "iota", "rand"] if width else ["zeros"]
        for maker in makers[number % 2::2]:
            call = f"{kernel}(x={maker}:{sides})"
            text += f"// CALL: {call}\n// BENCH: {call}\n// BENCH: {call}\n// EXPECT: y = zeros:{sides}\n"
            wanted += [2 * count * BYTES[kind]] * 2
            runs.append(f"run {folder}.ck {kernel} x={maker}:{sides} --device=host --print=y:0")
with open(folder + ".ck", "w", encoding="utf-8") as file:
    file.write(text)
with open(folder + ".txt", "w", encoding="utf-8") as file:
    file.write("\n".join(runs) + "\n")

commands = [["test", folder + ".ck", "--device=host"],
            ["bench", folder + ".ck", "--device=host", "--seconds=0", f"--json={folder}.json"],
            ["@" + folder + ".txt"]]
for command in commands:
    result = subprocess.run([*ckc, *command], capture_output=True, text=True, check=False)
    if result.returncode:
        sys.exit(f"{' '.join(command)}\n{result.stdout[-3000:]}{result.stderr[-3000:]}")
with open(folder + ".json", encoding="utf-8") as file:
    bytes_found = [result["bytes"] for result in json.load(file)["results"]]
if bytes_found != wanted:
    sys.exit(f"bytes: {bytes_found}, not {wanted}")
print(f"{len(runs)} calls agree")
