#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.py - runs random programs (generate.py) on several configurations and compares all bits.

    run.py --ckc=build/bin/ckc --seed=1 --count=200 [--gpu] [--batch=1] [--seconds=600]

The host device at -O0 and -O3; with --gpu also the GPU by libNVVM and by NVPTX. A module holds
--batch programs. What differs, or is not compiled, is looked at alone: the seed is printed and the
shortest program that still does the same, without lines and blocks that it does not need. The last
line is `N agree, N differ`; exit 0 if none differs.
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [HERE]

try:
    import numpy as np
except ImportError as error:
    sys.exit(f"python3 with NumPy is needed: {error}")
import generate

HOST = [("host -O0", ["--device=host", "-O0"]), ("host -O3", ["--device=host", "-O3"])]
GPU = [(f"{backend} -O3", ["--device=cuda:0", "--backend=" + backend, "-O3"])
       for backend in ("libnvvm", "nvptx")]
OUTPUTS = ["y", "z", "zf", "acc"]
DTYPES = {"bool": np.bool_, "bf16": np.uint16, "f16": np.float16, "f32": np.float32,
          "f64": np.float64}
SHAPES = {"m2": (generate.THREADS, 4), "m3": (4, 8, 4)}
STEPS = 1000  # compilations that a reduction may take


def write_inputs(folder, seed):
    """Random bits and the values at the ends, one file for each span."""
    rng = np.random.default_rng(seed)
    for name, _, kind, _ in generate.SPANS:
        if name in ("acc", "y"):
            continue
        shape = SHAPES.get(name, (generate.THREADS,))
        width = generate.WIDTH[kind] // 8
        bits = rng.integers(0, 256, (*shape, width), np.uint8).view(f"u{width}").reshape(shape)
        if kind in generate.INTS:
            small = rng.integers(-9, 10, shape).astype(f"{kind[0]}{width}").view(f"u{width}")
            values = np.where(rng.random(shape) < 0.5, bits, small).view(f"{kind[0]}{width}")
        elif kind == "bool":
            values = (bits & 1).astype(np.bool_)
        elif kind == "bf16":
            plain = rng.integers(-9, 10, shape).astype(np.float32).view(np.uint32) >> 16
            values = np.where(rng.random(shape) < 0.3, bits, plain).astype(np.uint16)
        else:
            plain = rng.choice([0, 1, -1, 0.5, 3, -7, 100, 1e4, np.inf, np.nan, 1.1], shape)
            wild = rng.random(shape) < 0.3
            values = np.where(wild, bits.view(DTYPES[kind]), plain.astype(DTYPES[kind]))
        np.save(f"{folder}/{name}.npy", values)


class Runner:
    """Runs modules. A result is {output: array}, or the text of a failure."""

    def __init__(self, ckc, folder, timeout):
        self.ckc, self.folder, self.timeout, self.files = ckc, folder, timeout, 0

    def run(self, text, programs, options):
        self.files += 1
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            path = folder + "/random.ck"
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            words = [self.ckc, "run", path, "programs"]
            for name, _, _, _ in generate.SPANS:
                if name not in ("acc", "y"):
                    words.append(f"{name}=@{self.folder}/{name}.npy")
            words += [f"acc=zeros:{4 * programs}", f"y=zeros:{programs}x{generate.THREADS}"]
            words += options + [f"--save={name}:{folder}/{name}.npy" for name in OUTPUTS]
            try:
                done = subprocess.run(words, capture_output=True, timeout=self.timeout, check=False)
            except subprocess.TimeoutExpired:
                return f"took over {self.timeout} s"
            if done.returncode != 0:
                return done.stderr.decode(errors="replace") or f"exit status {done.returncode}"
            return {name: np.load(f"{folder}/{name}.npy") for name in OUTPUTS}


def kind_of(failure):
    """What a failure is about, for comparing: the message without its place and its names."""
    first = next((line for line in failure.splitlines() if "error" in line), failure[:200])
    if first.startswith("exit"):
        return first
    return re.sub(r"^\S+?:\d+:\d+: |'[^']*'|\d+", "", first)


def same(one, other):
    """Bit for bit; zf is of floats, whose NaNs are all the same."""
    for name in OUTPUTS:
        left, right = one[name], other[name]
        equal = (left == right) | ((left != left) & (right != right))
        if not equal.all():
            return False
    return True


def verdict(runner, text, programs, configurations):
    """None if all agree; else what went wrong, as a short text that tells kinds apart."""
    first = None
    for name, options in configurations:
        result = runner.run(text, programs, options)
        if isinstance(result, str):
            return f"{name}: {kind_of(result)}"
        first = first or (name, result)
        if not same(first[1], result):
            return f"{first[0]} and {name} differ"
    return None


def block_end(lines, first):
    """The last line of what starts at this one: itself, or the } of its {. None for a }."""
    depth = 0
    for at in range(first, len(lines)):
        depth += lines[at].count("{") - lines[at].count("}")
        if depth <= 0:
            return at if depth == 0 else None
    return None


def reduce(runner, text, configurations, wrong):
    """The text without what it does not need for the same verdict: from its end, pass by pass."""
    lines, steps, before = text.splitlines(), 0, None
    while before != lines and steps < STEPS:
        before, at = lines, len(lines)
        while at > 0 and steps < STEPS:
            at -= 1
            last = block_end(lines, at)
            if last is None:
                continue
            shorter = [lines[:at] + lines[last + 1:]]
            shorter += [lines[:at] + lines[at + 1:last] + lines[last + 1:]] if last > at + 1 else []
            for some in shorter:
                steps += 1
                if verdict(runner, "\n".join(some) + "\n", 1, configurations) == wrong:
                    lines = some
                    break
    return "\n".join(lines) + "\n"


def run_batch(runner, seeds, configurations, reducing):
    """[(seed, verdict, text)] of the programs that went wrong, each run by itself."""
    if not verdict(runner, generate.generate(seeds), len(seeds), configurations):
        return []
    found = []
    for seed in seeds:
        text = generate.generate([seed])
        wrong = verdict(runner, text, 1, configurations)
        if wrong:
            found.append((seed, wrong, reduce(runner, text, configurations, wrong)
                          if reducing else text))
    return found or [(seeds[0], "wrong only as one module with those behind it", "")]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--ckc", required=True)
    parser.add_argument("--seed", type=int, default=1, help="of the first program; then one more each")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--batch", type=int, default=1, help="programs in a module")
    parser.add_argument("--gpu", action="store_true", help="also on the GPU, by both back ends")
    parser.add_argument("--seconds", type=float, default=1e9, help="start no module after that")
    parser.add_argument("--timeout", type=float, default=120, help="seconds for one run")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--no-reduce", action="store_true")
    args = parser.parse_args()
    configurations = HOST + (GPU if args.gpu else [])
    start, agree, differ = time.monotonic(), 0, 0
    with tempfile.TemporaryDirectory(prefix="ck-random-") as folder:
        write_inputs(folder, args.seed)
        runner = Runner(args.ckc, folder, args.timeout)

        def work(first):
            seeds = range(first, min(first + args.batch, args.seed + args.count))
            if time.monotonic() - start > args.seconds:
                return None, []
            return seeds, run_batch(runner, seeds, configurations, not args.no_reduce)

        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            for seeds, found in pool.map(work, range(args.seed, args.seed + args.count, args.batch)):
                agree += len(seeds or ()) - len(found)
                differ += len(found)
                for seed, wrong, text in found:
                    print(f"seed {seed}: {wrong} (inputs of --seed={args.seed})\n{text}", flush=True)
    print(f"{agree} agree, {differ} differ")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
