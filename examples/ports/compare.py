#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compare.py - compares the ports, NAME.ck, with the same kernels in CUDA C++, NAME.cu.

Each kernel is compiled three times for the GPU that is there: by ckc through libNVVM, by ckc through
LLVM's NVPTX back end, and by nvcc. All three are launched with the same arguments, grid and block; what
they write is compared; then they are timed in turn, in ROUNDS rounds. A time is the median of the
rounds, a round a batch of launches between two events. A ratio is nvcc's time over CK's: above 1, CK is
faster. "small" sizes stay in the L2 cache, "large" ones don't.

A port that fails is reported, and the others run. The exit status is 1 if a port failed or an output
differs. --compile-only needs no GPU and no CuPy: it compiles, and compares the number and kind of parameters.

A kernel's row in CASES is (kernel, make). make(n, rng) gives the arguments in the kernel's order, grid,
block, the places of the arguments that are compared (as (place, function) where a function of the array is
compared instead of it), and, if a launch works on what an earlier one has
written, the places of those that are copied anew before each launch: such launches are timed one by one,
without the copies. An argument is a NumPy scalar, or an array, which is copied to the GPU. Spans with extents are one pointer each, as in CUDA C++ (docs/manifest.md).
"""
import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import traceback

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
ROUNDS = 15             # odd: the median is a round's own time
MOST_PAIRS = 20
BATCH_US = 400          # events resolve 0.5 us: a batch is much longer


def floats(rng, *extents):
    return rng.uniform(-1, 1, extents).astype(np.float32)


def zeros(*extents):
    return np.zeros(extents, np.float32)


def layernorm(rows, rng):
    n = 1024
    return ([np.uint32(rows), floats(rng, rows, n), floats(rng, n), floats(rng, n), zeros(rows, n),
             zeros(rows), zeros(rows)], (rows,), (256,), (4, 5, 6))


def layernorm_backward(rows, rng):
    n, blocks = 1024, 528
    return ([np.uint32(rows), np.uint32(blocks), floats(rng, rows, n), floats(rng, rows, n), floats(rng, n),
             floats(rng, rows), 1 + abs(floats(rng, rows)), zeros(rows, n), zeros(blocks, n), zeros(blocks, n)],
            (blocks,), (256,), (7, 8, 9))


def quantised(rows, rng):
    k = 8192
    return ([np.uint32(rows), np.uint32(k), rng.integers(0, 2**32, (rows, k // 8), dtype=np.uint32),
             floats(rng, rows, k // 128).astype(np.float16), floats(rng, k), zeros(rows)],
            (rows // 16,), (128,), (5,))


def nbody(n, rng):
    return ([np.uint32(n), np.float32(0.1), floats(rng, n, 4), zeros(n, 4)], ((n + 255) // 256,), (256,), (3,))


def bfs(n, rng):
    """A random graph of n vertices with 16 edges each: half of the vertices are at the level, half are not found."""
    return ([np.uint32(1), np.uint32(n), np.uint32(16 * n), np.arange(0, 16 * n + 1, 16, dtype=np.uint32),
             rng.integers(0, n, 16 * n, dtype=np.uint32),
             np.where(rng.random(n) < 0.5, 1, 2**32 - 1).astype(np.uint32), np.zeros(1, np.uint32)],
            ((n + 31) // 32,), (256,), (5, 6), (5, 6))


def align(pairs, rng):
    """Sequences of 64 to 128 of four letters; the second is the first, but for a fifth of its letters."""
    a = rng.integers(0, 4, (pairs, 128), dtype=np.uint8)
    b = np.where(rng.random((pairs, 128)) < 0.8, a, rng.integers(0, 4, (pairs, 128), dtype=np.uint8))
    return ([np.uint32(pairs), a, b, rng.integers(64, 129, pairs, dtype=np.uint32),
             rng.integers(64, 129, pairs, dtype=np.uint32), np.zeros(pairs, np.int32)],
            ((pairs + 3) // 4,), (128,), (5,))


def spmv(rows, rng):
    """Rows of 0 to 100 and more nonzeros, 16 in the mean, around the diagonal. Each launch adds to the rows that two
    blocks share, which costs the same whatever they hold: nothing is restored."""
    lengths = rng.geometric(1 / 17, rows) - 1
    offsets = np.zeros(rows + 1, np.uint32)
    offsets[1:] = np.cumsum(lengths)
    nonzeros = int(offsets[-1])
    column = (np.repeat(np.arange(rows), lengths) + rng.integers(0, 1024, nonzeros)) % rows
    return ([np.uint32(rows), np.uint32(rows), np.uint32(nonzeros), offsets, column.astype(np.uint32),
             floats(rng, nonzeros), floats(rng, rows), zeros(rows)],
            ((rows + nonzeros + 1791) // 1792,), (256,), (7,))


def fft(rows, rng):
    return ([np.uint32(rows), floats(rng, rows, 1024, 2), zeros(rows, 1024, 2)], (rows,), (256,), (2,))


def moe(tokens, rng):
    return ([np.uint32(tokens), floats(rng, tokens, 64), np.zeros((tokens, 8), np.uint32), zeros(tokens, 8)],
            ((tokens + 7) // 8,), (256,), (2, 3))
EMPTY = np.uint64(2**64 - 1)    # a slot of the hash table without a key


def home(keys, slots):
    """hash(keys) of hashtable.ck, modulo slots."""
    keys = (keys ^ keys >> 16) * np.uint32(0x85ebca6b)
    keys = (keys ^ keys >> 13) * np.uint32(0xc2b2ae35)
    return (keys ^ keys >> 16) & np.uint32(slots - 1)


def pairs_of(n, rng):
    """Keys for a hash table, and a value of each: the same for the same key."""
    keys = rng.integers(0, 2**32 - 1, n, dtype=np.uint32)
    return keys, keys * np.uint32(2654435761)


def looked_up(table, keys):
    """The slots where searches for the keys end, as values."""
    at, found, left = home(keys, table.size), np.zeros(keys.size, np.uint32), np.arange(keys.size)
    while left.size:
        slot = table[at[left]]
        ends = (slot >> np.uint64(32) == keys[left]) | (slot == EMPTY)
        found[left[ends]] = slot[ends].astype(np.uint32)
        left = left[~ends]
        at[left] = (at[left] + np.uint32(1)) & np.uint32(table.size - 1)
    return found


def hash_insert(n, rng):
    """Tables may differ in the order of their slots, so lookups of keys that are there and that are not are compared."""
    keys, values = pairs_of(n, rng)
    queries = np.concatenate((keys, pairs_of(n, rng)[0]))
    return ([np.uint32(n), np.uint32(2 * n), keys, values, np.full(2 * n, EMPTY)], ((n + 255) // 256,), (256,),
            ((4, lambda table: looked_up(table, queries)),), (4,))


def hash_lookup(n, rng):
    """Half of the keys are there; the table is half full."""
    keys, values = pairs_of(n, rng)
    slots, at, left = values | keys.astype(np.uint64) << np.uint64(32), home(keys, 2 * n), np.arange(n)
    table = np.full(2 * n, EMPTY)
    while left.size:                            # of those that find one slot empty, the last one gets it
        free = left[table[at[left]] == EMPTY]
        table[at[free]] = slots[free]
        left = left[table[at[left]] != slots[left]]
        at[left] = (at[left] + np.uint32(1)) & np.uint32(2 * n - 1)
    queries = np.where(rng.random(n) < 0.5, rng.permutation(keys), pairs_of(n, rng)[0])
    return ([np.uint32(n), np.uint32(2 * n), queries, table, np.zeros(n, np.uint32)], ((n + 255) // 256,), (256,), (4,))


def philox(n, rng, kind=np.float32):
    return ([np.uint32(n), np.uint64(rng.integers(2**63)), np.uint64(7), np.uint64(2**32 - 5), np.zeros(n, kind)],
            ((n + 1023) // 1024,), (256,), (4,))


def philox_bits(n, rng):
    return philox(n, rng, np.uint32)


def bilateral(n, rng):
    """An image of grey from 0 to 1; of 0.1 between two pixels a weight keeps three quarters."""
    return ([np.uint32(n), np.uint32(n), np.float32(0.05), np.float32(30), rng.random((n, n), np.float32), zeros(n, n)],
            ((n + 31) // 32, (n + 31) // 32), (32, 8), (5,))


def kmeans(n, rng):
    """Small whole numbers: distances and sums are exact. Each launch adds to the sums, which costs the same whatever
    they hold: nothing is restored."""
    return ([np.uint32(n), rng.integers(-8, 8, (n, 8)).astype(np.float32),
             rng.integers(-8, 8, (32, 8)).astype(np.float32), np.zeros(n, np.uint32), zeros(32, 8),
             np.zeros(32, np.uint32)], ((n + 2047) // 2048,), (256,), (3, 4, 5))


# file: [(kernel, make, small size, large size)]
CASES = {
    "layernorm": [("layernorm", layernorm, 2048, 65536),
                  ("layernorm_backward", layernorm_backward, 2112, 65536)],
    "quantised": [("matvec_int4", quantised, 4096, 65536)],
    "nbody": [("nbody", nbody, 16384, 65536)],
    "align": [("align", align, 2**15, 2**19)],
    "hashtable": [("hash_insert", hash_insert, 2**16, 2**23),
                  ("hash_lookup", hash_lookup, 2**16, 2**23)],
    "philox": [("philox_bits", philox_bits, 2**20, 2**27),
               ("philox_uniform", philox, 2**20, 2**27),
               ("philox_normal", philox, 2**20, 2**27)],
    "bilateral": [("bilateral", bilateral, 1024, 8192)],
    "kmeans": [("kmeans_step", kmeans, 2**20, 2**24)],
    "bfs": [("bfs_level", bfs, 2**17, 2**22)],
    "spmv": [("spmv", spmv, 2**15, 2**20)],
    "fft": [("fft", fft, 1024, 65536)],
    "moe": [("moe_gate", moe, 2**16, 2**21)],
}
BUILDS = ("nvvm", "llvm", "nvcc")


def manifest_of(image):
    """The manifest behind a cubin of CK's, or None."""
    if image[-8:] != b"CKMANIF1":
        return None
    length = int.from_bytes(image[-16:-8], "little")
    return json.loads(image[-16 - length:-16])


def build(port, arch, options, folder):
    """The cubins of a port, by build."""
    images = {}
    for name in BUILDS:
        out = f"{folder}/{port}.{name}.cubin"
        if name == "nvcc":
            command = [options.nvcc, "-cubin", "-O3", f"-arch={arch}", f"{HERE}/{port}.cu", "-o", out]
        else:
            backend = "libnvvm" if name == "nvvm" else "nvptx"
            command = [options.ckc, f"{HERE}/{port}.ck", "--emit=cubin", f"--target={arch}",
                       f"--backend={backend}", "-o", out]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
        with open(out, "rb") as file:
            images[name] = (out, file.read())
    return images


def symbol_of(image, kernel):
    """The symbol of a kernel, or of the only instance of a generic one."""
    manifest = manifest_of(image)
    if manifest is None:
        return kernel
    for row in manifest["kernels"]:
        if row["name"] == kernel or row["name"].startswith(kernel + "<"):
            return row["symbol"]
    raise RuntimeError(f"no kernel '{kernel}' among {[row['name'] for row in manifest['kernels']]}")


def check_params(image, kernel, args):
    """Compares the arguments with the manifest's parameters: kinds, types and their number."""
    row = next(r for r in manifest_of(image)["kernels"]
               if r["name"] == kernel or r["name"].startswith(kernel + "<"))
    if len(row["params"]) != len(args):
        raise RuntimeError(f"{kernel} has {len(row['params'])} parameters, not {len(args)}")
    for param, arg in zip(row["params"], args):
        if param["kind"] == "span" and "extents" not in param:
            raise RuntimeError(f"{param['name']} carries its length: give it extents")
        if (param["kind"] == "span") != (arg.ndim > 0):
            raise RuntimeError(f"{param['name']} is a {param['kind']}")


class Launch:
    """A kernel of one build with device memory for its arguments."""

    def __init__(self, cp, path, symbol, args, grid, block, restored):
        self.module = cp.RawModule(path=path)
        self.function = self.module.get_function(symbol)
        self.args = [cp.asarray(a) if a.ndim else a for a in args]
        self.grid, self.block = grid, block
        self.restored = {place: self.args[place].copy() for place in restored}

    def restore(self):
        for place, first in self.restored.items():
            self.args[place][...] = first

    def __call__(self, times=1):
        for _ in range(times):
            self.function(self.grid, self.block, tuple(self.args))


def outputs_differ(name, kernel, mine, reference, outputs):
    """Prints what differs from nvcc's outputs; whether something does."""
    differ = False
    for place in outputs:
        place, view = place if isinstance(place, tuple) else (place, np.asarray)
        a, b = view(mine.args[place].get()), view(reference.args[place].get())
        if a.dtype.kind == "f":
            size = max(float(np.max(np.abs(b))), 1e-30)
            same = np.allclose(a, b, rtol=1e-4, atol=1e-5 * size, equal_nan=True)
        else:
            same = np.array_equal(a, b)
        if not np.any(b):
            print(f"{kernel}: argument {place} is all zeros: nothing was compared", file=sys.stderr)
            differ = True
        if not same:
            print(f"{kernel}: argument {place} of {name} differs from nvcc's in "
                  f"{np.count_nonzero(a != b)} of {a.size} elements", file=sys.stderr)
            differ = True
    return differ


def median_times(cp, launches):
    """Microseconds of a launch of each build, measured in turn."""
    start, end = cp.cuda.Event(), cp.cuda.Event()

    def one_by_one(launch, times):
        pairs = [(cp.cuda.Event(), cp.cuda.Event()) for _ in range(times)]
        for before, after in pairs:                     # the GPU is busy with the copies meanwhile
            launch.restore()
            before.record()
            launch()
            after.record()
        pairs[-1][1].synchronize()
        return statistics.median(cp.cuda.get_elapsed_time(*pair) * 1000 for pair in pairs)

    def batch(launch, times):
        if launch.restored:
            return one_by_one(launch, min(times, MOST_PAIRS))
        start.record()
        launch(times)
        end.record()
        end.synchronize()
        return cp.cuda.get_elapsed_time(start, end) * 1000 / times

    times = {name: [] for name in launches}
    counts = {}
    for name, launch in launches.items():
        if not launch.restored:
            launch(3)
        counts[name] = max(1, math.ceil(BATCH_US / max(batch(launch, 5), 1)))
    count = max(counts.values())                        # the same for all: a fair share of the overhead
    for turn in range(ROUNDS):
        names = list(launches)
        names = names[turn % len(names):] + names[:turn % len(names)]
        for name in names:
            times[name].append(batch(launches[name], count))
    return {name: statistics.median(values) for name, values in times.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", action="append", help="a port's or kernel's name; may be repeated")
    parser.add_argument("--compile-only", action="store_true")
    parser.add_argument("--arch", help="sm_90 and so on; default: the GPU's")
    here = f"{TOP}/bin/ckc"
    parser.add_argument("--ckc", default=here if os.path.exists(here) else f"{TOP}/build/bin/ckc")
    parser.add_argument("--nvcc", default="/usr/local/cuda/bin/nvcc")
    options = parser.parse_args()
    cp, arch = None, options.arch or "sm_90"
    if not options.compile_only:
        import cupy as cp
        arch = options.arch or f"sm_{cp.cuda.Device().compute_capability}"
        print(cp.cuda.runtime.getDeviceProperties(0)["name"].decode(), arch)
    failed, ratios = False, {"nvvm": [], "llvm": []}
    print(f"{'kernel':24}{'size':>8}{'CK NVVM us':>12}{'CK LLVM us':>12}{'nvcc us':>10}"
          f"{'nvcc/NVVM':>11}{'nvcc/LLVM':>11}")
    with tempfile.TemporaryDirectory() as folder:
        for port, kernels in CASES.items():
            chosen = [row for row in kernels if not options.only or port in options.only or row[0] in options.only]
            if not chosen:
                continue
            try:
                images = build(port, arch, options, folder)
            except Exception as problem:
                failed = True
                print(f"{port}: {problem}", file=sys.stderr)
                continue
            for kernel, make, small, large in chosen:
                for size in (small, large):
                    try:
                        rng = np.random.default_rng(1)
                        args, grid, block, outputs, *rest = make(64 if options.compile_only else size, rng)
                        for name in ("nvvm", "llvm"):
                            check_params(images[name][1], kernel, args)
                        if options.compile_only:
                            print(f"{kernel:24} compiles")
                            break
                        restored = rest[0] if rest else ()
                        launches = {name: Launch(cp, path, symbol_of(image, kernel), args, grid, block, restored)
                                    for name, (path, image) in images.items()}
                        for launch in launches.values():
                            launch()
                        cp.cuda.Device().synchronize()
                        for name in ("nvvm", "llvm"):
                            failed |= outputs_differ(name, kernel, launches[name], launches["nvcc"], outputs)
                        t = median_times(cp, launches)
                        for name in ratios:
                            ratios[name].append(t["nvcc"] / t[name])
                        print(f"{kernel:24}{size:8}{t['nvvm']:12.2f}{t['llvm']:12.2f}{t['nvcc']:10.2f}"
                              f"{t['nvcc'] / t['nvvm']:11.3f}{t['nvcc'] / t['llvm']:11.3f}", flush=True)
                        del launches
                        cp.get_default_memory_pool().free_all_blocks()
                    except Exception:
                        failed = True
                        print(f"{kernel}, size {size}:\n{traceback.format_exc()}", file=sys.stderr)
    if ratios["nvvm"]:
        means = [math.exp(statistics.fmean(map(math.log, ratios[name]))) for name in ("nvvm", "llvm")]
        print(f"{'geometric mean':66}{means[0]:11.3f}{means[1]:11.3f}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
