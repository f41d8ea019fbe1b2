# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""npy.py - exchanges .npy files between NumPy and `ckc run`, and writes files that `ckc run` has to
refuse."""
import subprocess
import sys

import numpy as np

*ckc, source, folder = sys.argv[1:]


def run(kernel, path, *more):
    words = ["run", source, kernel, f"x=@{path}", "--device=host", *more]
    return subprocess.run(ckc + words, capture_output=True, text=True, check=False)


TYPES = {"i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8", "u8": "u1", "u16": "u2", "u32": "u4",
         "u64": "u8", "f32": "f4", "f64": "f8"}
good = 0
for name, code in TYPES.items():
    for version in (1, 0), (2, 0), (3, 0):
        array = np.arange(-3, 4).astype(code)
        with open(f"{folder}/x.npy", "wb") as file:
            np.lib.format.write_array(file, array, version)
        result = run(f"copy<{name}>", f"{folder}/x.npy", f"--save=y:{folder}/y.npy")
        back = np.load(f"{folder}/y.npy")
        assert result.returncode == 0 and back.dtype == array.dtype, result.stderr
        assert np.array_equal(back, array), (name, version, back)
    good += 1
print(good, "types as NumPy has them", flush=True)

np.save(f"{folder}/f8.npy", np.zeros(3))
np.save(f"{folder}/order.npy", np.zeros((2, 3), "f4").T)
np.save(f"{folder}/short.npy", np.zeros(3, "f4"))
with open(f"{folder}/short.npy", "rb+") as file:
    file.truncate(128 + 8)
with open(f"{folder}/text.npy", "w", encoding="utf-8") as file:
    file.write("no array")
for name in "f8", "order", "short", "text", "none":
    result = run("copy", f"{folder}/{name}.npy")
    assert result.returncode == 1, (name, result.returncode)
    print(result.stderr, end="")
