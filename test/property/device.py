#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""device.py - compares device-wide algorithms with NumPy, in random calls.

    device.py --ckc=build/bin/ckc --seed=1 --count=100 [--gpu --device=cuda:0 --backend=nvptx]
              [--check] [--filter=scan] [--seconds=480] [--keep=FOLDER] [--lib=FOLDER --beyond=3000]

A seed draws an algorithm of the table (device_rows.py), its types, functions and iterators, and
lengths: none, one, about a warp, about the edges of tiles, and on a GPU up to 2^20 + 7 and more
(device_values.py draws what the arrays hold). Its file has the algorithm, and a CALL line for each
length, whose arguments and expected results NumPy writes to .npy files. `ckc test` runs the files on
the host device, and with --gpu on the GPU by each back end. All results have to be equal, NaN to NaN.

A difference is printed with its seed; --keep keeps the file and its arrays. The last line is `N
agree, N differ`, of seeds. --coverage prints what occurs how often, and fails if a public algorithm
of lib/device has no row.
"""
import argparse
import collections
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [HERE, os.path.dirname(HERE)]

# pylint: disable=wrong-import-position
import heads
from device_rows import NAMES, PAIRS
from device_values import COMMON

STRIDE = 17  # the distance in PAIRS of consecutive seeds, so that a few of them are a mixture
SMALL = [0, 1, 2, 31, 32, 33]
LARGE = [65535, 65536, 65537, 131072, 2**18 + 1, 2**20 + 7, 2**20 - 1, 2**21 + 5, 2**22 + 1]
BACKENDS = ["libnvvm", "nvptx"]
BATCH = 40  # files that one process of ckc runs


class Configuration:
    """What a seed draws: the text of an algorithm, and `make`, which draws a call for a length."""

    def __init__(self, seed):
        self.seed, self.rng = seed, np.random.default_rng(seed)
        self.function, self.variant = PAIRS[seed * STRIDE % len(PAIRS)]
        self.aspects, self.text = [], ""
        self.make = self.function(self)

    def pick(self, choices):
        return list(choices)[self.rng.integers(len(choices))]

    def aspect(self, text):
        self.aspects.append(text)

    def algorithm(self, params, body, returns=None):
        arrow = f" -> {returns}" if returns else ""
        self.text = f"algorithm a{self.seed}(n: u64, {', '.join(params)}){arrow} {body}"
        self.text += ";" if body.startswith("=") else ""

    def lengths(self, is_large, beyond):
        edge = self.pick([128, 256, 512, 1024, 1536, 2048, 4096]) * int(self.rng.integers(1, 7))
        found = [self.pick(SMALL), edge + int(self.rng.integers(-1, 2)), int(self.rng.integers(1, 6000))]
        found += [beyond + 1, int(self.rng.integers(beyond, 5 * beyond))] if beyond else []
        return found + ([self.pick(LARGE), int(self.rng.integers(8000, 400000))] if is_large else [])

    def write(self, folder, is_large, beyond):
        """Writes the file and its arrays. Returns its path."""
        lines = [COMMON, self.text]
        for i, n in enumerate(self.lengths(is_large, beyond)):
            with np.errstate(all="ignore"):
                call = self.make(np.random.default_rng([self.seed, i]), n)
            args = [f"n={n}"] + [f"{name}={value}" for name, value in call.scalars.items()]
            for name, array in call.arrays.items():
                args.append(f"{name}=@{self.save(folder, i, name, array)}")
            lines.append(f"// CALL: a{self.seed}({', '.join(args)})")
            for name, array in call.after.items():
                first, end = call.only.get(name, (0, len(array)))
                part = f"[{first}:{end}]" if name in call.only else ""
                lines.append(f"// EXPECT: {name}{part} = @{self.save(folder, i, name + '-after', array[first:end])}")
            lines += [f"// EXPECT: result = {call.result}"] if call.result is not None else []
            lines.append("// TOLERANCE: exact")
        path = f"{folder}/seed-{self.seed}.ck"
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        return path

    def save(self, folder, i, name, array):
        path = f"seed-{self.seed}-{i}-{name}.npy"
        np.save(f"{folder}/{path}", np.ascontiguousarray(array))
        return path


def configurations_of(args):
    """The seeds, and with --filter those whose algorithm has this text in it."""
    found, seed = [], args.seed
    while len(found) < args.count:
        made = Configuration(seed)
        if args.filter in made.text:
            found.append(made)
        seed += 1
    return found


def coverage(args):
    counts = collections.Counter()
    for made in configurations_of(args):
        counts.update(set(made.aspects + [f"{made.function.__name__} {made.variant}".strip()]))
    for name, count in sorted(counts.items()):
        print(f"{count:6} {name}")
    missing = [f"{function.__name__} {variant}".strip() for function, variant in PAIRS]
    missing = [name for name in missing if not counts[name]]
    missing += sorted(algorithms(args.ckc) - NAMES)
    print("missing: " + (", ".join(missing) or "nothing"))
    return 1 if missing else 0


def algorithms(ckc):
    """The public algorithms of the library."""
    paths = [path for path in heads.library_files(heads.find_library()) if "/device/" in path]
    found = set()
    for file in heads.declared(ckc, paths):
        found |= {item["name"] for item in file["items"] if item["kind"] == "algorithm"}
    return {name for name in found if not name.startswith("__")}


def run_batch(args, made, folder):
    """Runs the files of some seeds. Returns {seed: message} of those that differ."""
    for one in made:
        one.write(folder, args.gpu and not args.sanitizer, args.beyond)
    report = f"{folder}/report.json"
    words = args.sanitizer.split() + (["--error-exitcode=99"] if args.sanitizer else [])
    words += [args.ckc, "test", folder, f"--json={report}", f"--timeout={args.timeout}", f"--jobs={0 if args.sanitizer else args.jobs}"]
    devices = ([] if args.sanitizer else ["host"]) + ([args.device] if args.gpu else [])
    words.append("--device=" + ",".join(devices))
    words += [f"--backend={','.join(args.backend or BACKENDS)}"] if args.gpu else []
    words += ["-check"] if args.check else []
    words += [f"--lib={args.lib}"] if args.lib else []
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    said, results = done.stdout.decode(errors="replace"), []
    if os.path.exists(report):
        with open(report, encoding="utf-8") as file:
            results = json.load(file)["results"]
    wrong, ran = {}, collections.Counter()
    for one in results:
        seed = int(re.search(r"seed-(\d+)\.ck", one["file"])[1])
        ran[seed] += one["status"] == "passed"
        if one["status"] != "passed":
            where = " by ".join(filter(None, (one["device"], one["backend"])))
            wrong.setdefault(seed, f"line {one['line']} on {where}: {one['message']}")
    if args.sanitizer and done.returncode:
        wrong[made[0].seed] = wrong.get(made[0].seed, "") + f"exit {done.returncode}: {said[-2000:]}"
    for one in made:
        if not ran[one.seed] and one.seed not in wrong:
            wrong[one.seed] = "not run: " + said[-2000:]
    return wrong


def run(args):
    made, differ, agree, start = configurations_of(args), 0, 0, time.monotonic()
    for first in range(0, len(made), BATCH):
        if time.monotonic() - start > args.seconds:
            print(f"{len(made) - first} not run in {args.seconds} s")
            break
        with tempfile.TemporaryDirectory(prefix="ck-device-") as folder:
            batch = made[first:first + BATCH]
            wrong = run_batch(args, batch, folder)
            agree, differ = agree + len(batch) - len(wrong), differ + len(wrong)
            for one in batch:
                if one.seed not in wrong:
                    continue
                print(f"seed {one.seed}: {one.text}\n    {wrong[one.seed]}", flush=True)
                if args.keep:
                    os.makedirs(args.keep, exist_ok=True)
                    for path in glob.glob(f"{folder}/seed-{one.seed}[.-]*"):
                        shutil.copy(path, args.keep)
    print(f"{agree} agree, {differ} differ")
    return 1 if differ or not agree else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--ckc", help="that of the build or package without it")
    parser.add_argument("--seed", type=int, default=1, help="of the first one; then one more each")
    parser.add_argument("--count", type=int, default=10, help="seeds")
    parser.add_argument("--filter", default="", metavar="TEXT", help="algorithms with this text")
    parser.add_argument("--gpu", action="store_true", help="on --device as well, and larger lengths")
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--backend", action="append", help="libnvvm or nvptx; both without it")
    parser.add_argument("--check", action="store_true", help="compile with -check")
    parser.add_argument("--sanitizer", default="", metavar="COMMAND",
                        help="compute-sanitizer with its options, before ckc; on the GPU alone")
    parser.add_argument("--jobs", type=int, default=1, help="files at a time")
    parser.add_argument("--timeout", type=int, default=120, help="seconds for one call")
    parser.add_argument("--seconds", type=float, default=1e9, help="no batch begins after this time")
    parser.add_argument("--lib", metavar="FOLDER", help="another library (test/large_forms.py)")
    parser.add_argument("--beyond", type=int, default=0, metavar="N", help="also one more element than N, and up to 5 N")
    parser.add_argument("--keep", metavar="FOLDER", help="for the files of seeds that differ")
    parser.add_argument("--coverage", action="store_true", help="a table of what occurs how often")
    args = parser.parse_args()
    args.ckc = os.path.abspath(args.ckc or heads.find_ckc())
    return coverage(args) if args.coverage else run(args)


if __name__ == "__main__":
    sys.exit(main())
