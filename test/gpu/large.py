#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""large.py - compares the examples with NumPy on arrays of more than 2^31 elements.

usage: large.py [--ckc=PATH] [--folder=FOR_RESULTS] [--backend=libnvvm] [NAME ...]

Inputs are `rand:`, which this program generates again piece by piece; results are saved as .npy.
Whole arrays are compared where that takes seconds, otherwise windows: both ends, around 2^31
elements, around 2^32 bytes, and random ones. Needs 30 GB of GPU memory and 9 GB in FOLDER.
"""
import argparse
import multiprocessing
import os
import subprocess
import sys

import numpy as np

N = 2**31 + 5
ROWS, COLS = 46349, 46351  # primes; their product is 2^31 + 828851
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CHUNK = 1 << 22
WINDOW = 1 << 16


def bits(first, count, seed):
    """The outputs of splitmix64 that `ckc run` uses."""
    with np.errstate(over="ignore"):
        z = np.arange(first + 1, first + count + 1, dtype=np.uint64)
        z = np.uint64(seed) + z * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def floats(first, count, seed=0):
    return ((bits(first, count, seed) >> np.uint64(40)).astype(np.float64) / 2**23 - 1)


def ints(first, count, seed=0):
    return (bits(first, count, seed) % np.uint64(201)).astype(np.int64) - 100


def windows(total):
    """The first elements of windows: at the ends, at boundaries, and random ones."""
    places = [0, total - WINDOW, 2**30 - WINDOW // 2, 2**31 - WINDOW // 2]
    places += list(np.random.default_rng(1).integers(0, total - WINDOW, 60))
    return sorted({int(min(max(p, 0), total - WINDOW)) for p in places})


def check_close(name, first, got, want):
    """Compares with a tolerance of one rounding of f32, and prints where it is exceeded."""
    wrong = np.abs(got - want) > 2.0**-23 * np.maximum(np.abs(want), 1)
    if wrong.any():
        at = int(np.argmax(wrong))
        raise SystemExit(f"{name}: element {first + at} is {got.flat[at]}, not {want.flat[at]}")


def compare_chunk(job):
    name, path, first, count = job
    got = np.load(path, mmap_mode="r").reshape(-1)[first:first + count].astype(np.float64)
    check_close(name, first, got, VALUES[name](first, count))
    return count


VALUES = {
    "saxpy": lambda i, n: 2.5 * floats(i, n) + floats(i, n, 7),
    "vector_add": lambda i, n: floats(i, n) + floats(i, n, 7),
    "scale": lambda i, n: -2.5 * floats(i, n),
}


def compare_whole(name, path, total):
    jobs = [(name, path, i, min(CHUNK, total - i)) for i in range(0, total, CHUNK)]
    with multiprocessing.Pool() as pool:
        compared = sum(pool.imap_unordered(compare_chunk, jobs))
    return f"{compared} elements"


def compare_transpose(path):
    got = np.load(path, mmap_mode="r")
    for first in windows(ROWS * COLS):
        index = np.arange(first, first + WINDOW)
        check_close("transpose", first, got[index % COLS, index // COLS].astype(np.float64),
                    floats(first, WINDOW))
    return f"{len(windows(ROWS * COLS))} windows"


def compare_stencil(path):
    got = np.load(path, mmap_mode="r").reshape(-1)
    checked = 0
    for first in windows(ROWS * COLS):
        if first < COLS or first + WINDOW + COLS > ROWS * COLS:
            continue
        middle, left, right, up, down = (floats(first + d, WINDOW)
                                         for d in (0, -1, 1, -COLS, COLS))
        column = (np.arange(first, first + WINDOW)) % COLS
        left[column == 0] = right[column == COLS - 1] = 0
        want = middle + 0.5 * (0.25 * (left + right + up + down) - middle)
        check_close("stencil", first, got[first:first + WINDOW].astype(np.float64), want)
        checked += 1
    return f"{checked} windows"


def compare_matmul(path):
    got = np.load(path, mmap_mode="r")
    b = floats(0, COLS * 3, 7).reshape(COLS, 3)
    rows = [0, 1, ROWS - 1, 2**31 // COLS, 2**30 // COLS] + list(range(5, ROWS, 997))
    for row in rows:
        want = floats(row * COLS, COLS) @ b
        if np.abs(got[row] - want).max() > 1e-2:  # a sum of 46351 terms of f32
            raise SystemExit(f"matmul: row {row} is {got[row]}, not {want}")
    return f"{len(rows)} rows"


def sum_chunk(job):
    return int(ints(job[0], job[1]).sum())


def compare_sums(path):
    got = np.load(path)
    edges = [0, 5, 2**31, N]
    for k, (lo, hi) in enumerate(zip(edges, edges[1:])):
        with multiprocessing.Pool() as pool:
            total = sum(pool.map(sum_chunk, [(i, min(CHUNK, hi - i)) for i in range(lo, hi, CHUNK)]))
        want = (total + 2**31) % 2**32 - 2**31
        if int(got[k]) != want:
            raise SystemExit(f"segmented_reduction: segment {k} is {got[k]}, not {want}")
    return f"{N} elements"


CASES = {  # example: (arguments of ckc run, saved results, comparison)
    "saxpy": (["a=2.5", f"x=rand:{N}", f"y=rand:{N}:7"], "z",
              lambda path: compare_whole("saxpy", path, N)),
    "vector_add": ([f"a=rand:{N}", f"b=rand:{N}:7"], "c",
                   lambda path: compare_whole("vector_add", path, N)),
    "scale": (["factor=-2.5", f"x=rand:{N}"], "x", lambda path: compare_whole("scale", path, N)),
    "transpose": ([f"a=rand:{ROWS}x{COLS}"], "b", compare_transpose),
    "stencil": (["rate=0.5", f"a=rand:{ROWS}x{COLS}"], "b", compare_stencil),
    "matmul": ([f"a=rand:{ROWS}x{COLS}", f"b=rand:{COLS}x3:7"], "c", compare_matmul),
    "segmented_reduction": (["offsets=@{folder}/offsets.npy", f"x=rand:{N}"], "y", compare_sums),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ckc", default=os.path.join(TOP, "bin", "ckc"))
    parser.add_argument("--folder", default="/tmp")
    parser.add_argument("--backend", default="libnvvm")
    parser.add_argument("names", nargs="*", metavar="NAME")
    args = parser.parse_args()
    np.save(f"{args.folder}/offsets.npy", np.array([0, 5, 2**31, N], dtype=np.uint64))
    failed = 0
    names = args.names or list(CASES)
    for name in names:
        words, saved, compare = CASES[name]
        path = f"{args.folder}/{name}.npy"
        command = [args.ckc, "run", os.path.join(TOP, "examples", f"{name}.ck"), name,
                   *(w.format(folder=args.folder) for w in words), "--device=cuda:0",
                   f"--backend={args.backend}", f"--save={saved}:{path}"]
        done = subprocess.run(command, stdout=subprocess.DEVNULL)
        try:
            if done.returncode:
                raise SystemExit(f"{name}: exit {done.returncode}")
            print(f"passed: {name}, {compare(path)} right", flush=True)
        except SystemExit as why:
            failed += 1
            print(f"failed: {why}", flush=True)
        if os.path.exists(path):
            os.remove(path)
    print(f"{len(names) - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
