#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""one_fault.py - tests checked builds on random programs with one fault, and without it.

    one_fault.py --ckc=build/bin/ckc --seed=1 --count=1000 [--jobs=2] [--seconds=60] [--keep=FOLDER]

Each seed is two programs (fault_generate.py): a correct one, and the same with one change that
causes a data race, a read of uninitialised shared memory, or an index outside of its extent. The
first must give the model's values on the host device, with and without -check. The checked build of
the second must stop, and report the kind of fault, the file and line of the access, the thread, and
for a race the same for the other access. The text that is quoted must be in the file at the
position that the message names.

A failure is printed with its seed, the expected faults and the program; --keep stores the files.
The last line is `N programs with a fault, N of them right, N without a fault to find, N failures`.
Exit status 0 if there is no failure. A seed has no faulty program if no change causes a fault of
the kind that was drawn.
"""
import argparse
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [HERE]

import fault_generate  # pylint: disable=wrong-import-position

BATCH = 12
PLACE = re.compile(r"([\w.-]+\.ck):(\d+):(\d+): (?:[^:\n]+: )?block: \[(\d+),(\d+),(\d+)\], thread: \[(\d+),(\d+),(\d+)\] (.*)", re.S)
OTHER = re.compile(r", which thread \[(\d+),(\d+),(\d+)\](?: of block \S+)? \w+ by '.*?' at (?:\S*/)?([\w.-]+\.ck):(\d+):(\d+)")


def extents_of(shape):
    numbers = [int(n) for n in re.findall(r"\d+", shape)]
    return numbers + [1] * (3 - len(numbers))


def rank_of(ids, shape):
    width, height, _ = extents_of(shape)
    return int(ids[0]) + width * (int(ids[1]) + height * int(ids[2]))


def kind_of(text):
    if text.startswith("race: "):
        return "race"
    if "reads what no thread has written so far" in text:
        return "unwritten"
    if re.search(r"outside of its extent|not all in its extent|overflows \w+, and makes an index|is behind the end", text):
        return "index"
    return "another"


def quoted_is_there(text, files, name, line, column):
    """Whether the text that is quoted first is at the position that the message names."""
    match = re.match(r"(?:race: )?'(.*?)'(?=:| reads| writes| overflows)", text, re.S)
    if not match or name not in files:
        return False
    wanted = match.group(1)
    return files[name].split("\n")[line - 1][column - 1:].startswith(wanted[:-3] if wanted.endswith("...") else wanted)


def judge(message, program, machines, files):
    """Returns None if the message names one of the faults; otherwise what is wrong with it."""
    match = PLACE.search(message)
    refused = re.search(r"([\w.-]+\.ck):(\d+):\d+: error: the index .* is outside the extent", message)
    if refused:
        place = (refused.group(1), int(refused.group(2)))
        faults = [fault for machine in machines for fault in machine.faults.values()]
        is_there = any(fault.kind == "index" and fault.first[0].where == place for fault in faults)
        return None if is_there else "the compiler refuses another index"
    if not match:
        return "no fault was reported" if not message else "the message has no place"
    name, line, column = match.group(1), int(match.group(2)), int(match.group(3))
    block, thread, text = int(match.group(4)), rank_of(match.groups()[6:9], program.shape), match.group(10)
    kind = kind_of(text)
    here = ((name, line), thread)
    pair = {here}
    if kind == "race":
        other = OTHER.search(text)
        if not other:
            return "the message has no other place"
        pair.add(((other.group(4), int(other.group(5))), rank_of(other.groups()[:3], program.shape)))
    found = "of another kind than"
    for fault in (fault for machine in machines for fault in machine.faults.values()):
        if fault.kind != kind:
            continue
        found = "at another place than" if found[0] == "o" else found
        places = [(site.where, t) for site, t in filter(None, (fault.first, fault.second))]
        if {p[0] for p in places} == {p[0] for p in pair}:
            found = "in another thread than"
            if set(places) == pair and fault.block == block:
                return None if quoted_is_there(text, files, name, line, column) else "the quotation is not at the place"
    return f"it is {found} the fault"


def expected(machines):
    """Returns a few of the faults as lines."""
    lines = collections.OrderedDict()
    for fault in (fault for machine in machines for fault in machine.faults.values()):
        places = [f"{site.where[0]}:{site.where[1]}" for site, _ in filter(None, (fault.first, fault.second))]
        threads = [str(t) for _, t in filter(None, (fault.first, fault.second))]
        lines.setdefault(f"{fault.kind} at {' and '.join(places)}", f"block {fault.block}, threads {', '.join(threads)}, ...")
    return [f"    {key}: {value}" for key, value in list(lines.items())[:8]]


class Case:
    """The two programs of a seed, and their files."""

    def __init__(self, seed, pieces):
        self.seed = seed
        self.right, machines, self.kind, faulty = fault_generate.make(seed, pieces)
        if any(machine.faults for machine in machines):
            raise AssertionError(f"seed {seed}: the model finds faults in the right program")
        arguments = self.right.arguments()
        expect = [f"// EXPECT: {name} = {self.rows(name, values)}" for name, values in self.right.values(machines).items()]
        call = f"// CALL: k({arguments})"
        self.files = self.right.write(f"right{seed}", [call] + expect + [call + " -check"] + expect)
        self.faulty = self.what = None
        self.faulty_files = {}
        if faulty:
            self.faulty, self.what, self.machines = faulty
            self.faulty_files = self.faulty.write(f"wrong{seed}", [call + " -check"])

    def rows(self, name, values):
        for memory in self.right.memories:
            if memory.name == name:
                return fault_generate.rows_of(memory, values)
        return values

    def judge(self, results):
        """Yields (what is wrong, the message, the files) for both programs, at most one each."""
        for result in results.get(f"right{self.seed}.ck", []) or [{"status": "failed", "message": "did not run"}]:
            if result["status"] != "passed":
                yield "the right program failed", result["message"], self.files, []
                break
        if self.faulty:
            found = results.get(f"wrong{self.seed}.ck", [])
            message = found[0]["message"] if found else "did not run"
            wrong = judge(message, self.faulty, self.machines, self.faulty_files)
            if wrong:
                yield f"{self.kind} by {self.what}: {wrong}", message or "(none)", self.faulty_files, expected(self.machines)


def run(options, cases, folder):
    """Returns {file: results} that ckc prints for these cases."""
    for case in cases:
        for name, text in {**case.files, **case.faulty_files}.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
    report = os.path.join(folder, "report.json")
    done = subprocess.run([options.ckc, "test", folder, "--device=host", f"--jobs={options.jobs}", f"--json={report}"],
                          capture_output=True, text=True, check=False)
    try:
        with open(report, encoding="utf-8") as file:
            rows = json.load(file)["results"]
    except (OSError, ValueError):
        sys.exit(f"ckc test has no report: {done.stdout}{done.stderr}")
    results = collections.defaultdict(list)
    for row in rows:
        results[os.path.basename(row["file"])].append(row)
    for path in re.findall(r"(?:right|wrong)\d+\.ck(?=:\d+:\d+: error)", done.stderr):
        results.setdefault(path, [{"status": "failed", "message": done.stderr}])
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--ckc", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--pieces", type=int, default=8, help="of a program")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--keep", help="a folder for the files of what fails")
    options = parser.parse_args()
    end, counts, failures = time.time() + options.seconds, collections.Counter(), 0
    for first in range(options.seed, options.seed + options.count, BATCH):
        if time.time() > end:
            break
        last = min(first + BATCH, options.seed + options.count)
        cases = [Case(seed, options.pieces) for seed in range(first, last)]
        with tempfile.TemporaryDirectory() as folder:
            results = run(options, cases, folder)
            for case in cases:
                counts[case.kind if case.faulty else "none"] += 1
                for wrong, message, files, faults in case.judge(results):
                    failures += 1
                    print(f"seed {case.seed}: {wrong}\n{message.strip()}", *faults, sep="\n")
                    for name, text in files.items():
                        print(f"--- {name}\n{text}", end="")
                        if options.keep:
                            os.makedirs(options.keep, exist_ok=True)
                            shutil.copy(os.path.join(folder, name), options.keep)
                    sys.stdout.flush()
    print(", ".join(f"{counts[kind]} {kind}" for kind in fault_generate.KINDS))
    print(f"{sum(counts.values()) - counts['none']} with a fault, {counts['none']} without one to find, {failures} failures")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
