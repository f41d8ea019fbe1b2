#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.py - compiles programs of generate.py for all targets. Each has to compile, or to be refused
with an error id.

    run.py --ckc=build/bin/ckc --seed=1 --count=2000 [--jobs=2] [--seconds=60] [--reduce=10]
           [--ptxas=PTXAS] [--libnvvm=200] [--keep=FOLDER]

Every program is compiled for the host up to verified LLVM IR. If that succeeds it is also compiled
in the configurations below, in turn; every --libnvvm-th one to PTX by libNVVM. --ptxas assembles
the PTX of every tenth. Failures are:

    a signal, an internal error, a report of a sanitizer
    more than two seconds (--limit) of processor time
    a program that is refused without an error with an id, or accepted with one
    an internal name in a message: INTERNAL below
    PTX that ptxas refuses, unless for one of its limits

A failure is printed with its seed, then again without the lines and expressions that are not needed
for it. Failures that end in the same words count as one. The last lines are the number of programs,
how many of them were correct, and `N failures`. Exit status 0 if there is none.
"""
import argparse
import collections
import concurrent.futures
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [HERE]

# pylint: disable=wrong-import-position
import generate
import grid

EMIT_NVVM, EMIT_PTX, EMIT_HOST = 4, 5, 9
INTERNAL = re.compile(
    r"what was reported|<an integer|<a number>|an integer\[|\(null\)|\b(?:NODE|TYPE|OP|FORM)_\w+|\b__\w+")
SAID = re.compile(r"^(?:[^:\n]*:\d+:\d+: \w+: |hint: |fix: ).*$", re.M)
FIRST = ("host", "nvptx", EMIT_HOST, "gen", 0)
AFTER = [("host", "nvptx", EMIT_HOST, "-", 0), ("sm_90", "nvptx", EMIT_PTX, "-", 0),
         ("sm_75", "nvptx", EMIT_PTX, "-", 0), ("sm_90", "libnvvm", EMIT_NVVM, "nvvm", 0),
         ("host", "nvptx", EMIT_HOST, "gen", "CHECK"), ("sm_90", "nvptx", EMIT_PTX, "-", "DEBUG"),
         ("host", "nvptx", EMIT_HOST, "gen", "DEBUG"), ("sm_75", "libnvvm", EMIT_NVVM, "nvvm", 0),
         ("sm_90", "nvptx", EMIT_PTX, "-", "CHECK"), ("sm_90", "libnvvm", EMIT_NVVM, "nvvm", "LINEINFO")]
SLOW = ("sm_90", "libnvvm", EMIT_PTX, "-", 0)


def flags_of(ckc):
    """Returns the flags of ck/compile.h by their names."""
    found = {}
    for top in (os.path.join(generate.TOP, "include"), os.path.join(os.path.dirname(ckc), "..", "include")):
        path = os.path.join(top, "ck", "compile.h")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                for name, value in re.findall(r"CK_COMPILE_(\w+) = ([\d <]+)", file.read()):
                    one, _, shift = value.partition("<<")
                    found[name] = int(one) << int(shift or 0)
            return found
    raise FileNotFoundError("ck/compile.h")


class Server:
    """A process of serve.c, which is restarted after a crash."""

    def __init__(self, program, limit):
        self.program, self.limit, self.process = program, limit, None
        self.errors = tempfile.TemporaryFile()
        self.count = 0

    def start(self):
        self.errors.seek(0)
        self.errors.truncate()
        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            [self.program, str(self.limit)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors)
        self.count = 0

    def end(self):
        """Returns how the process ended: a name for the kind of failure."""
        if not self.process:
            return ""
        try:
            self.process.stdin.close()
        except OSError:
            pass
        status = self.process.wait()
        self.process.stdout.close()
        self.process = None
        self.errors.seek(0)
        said = self.errors.read().decode(errors="replace")
        match = re.search(r"internal error[^\n]*|ERROR: \w+Sanitizer[^\n]*|runtime error: [^\n]*|LLVM ERROR[^\n]*|Assertion[^\n]*", said)
        if match:
            frames = re.findall(r"#\d+ 0x\w+ in (\w+) /\S*?/(?:compiler|gen)/", said)[:2]
            return re.sub(r"==\d+==|0x\w+", "", match.group()) + " " + " ".join(frames)
        if status == -signal.SIGVTALRM:
            return "hang"
        return f"signal {-status}" if status < 0 else f"exit {status}" if status else ""

    def ask(self, way, text):
        """(failure, status, log, output)"""
        if not self.process:
            self.start()
        target, backend, emit, last, flags = way
        data = text.encode()
        try:
            self.process.stdin.write(f"{target} {backend} {emit} {last} {flags} {len(data)}\n".encode() + data)
            self.process.stdin.flush()
            head = self.process.stdout.readline().split()
        except BrokenPipeError:
            head = []
        if len(head) != 3:
            return self.end() or "no answer", 0, "", b""
        log = self.process.stdout.read(int(head[1])).decode(errors="replace")
        output = self.process.stdout.read(int(head[2]))
        self.count += 1
        return "", int(head[0]), log, output


def words_of(log, status, text):
    """Returns what is wrong with the messages; empty if nothing is."""
    has_error = re.search(r"\berror: .*\[\w+\]$", log, re.M)
    if status and not has_error:
        return "refused without an error: " + log.strip()[:80]
    if not status and re.search(r"^\S*:\d+:\d+: error: ", log, re.M):
        return "taken with an error"
    for match in INTERNAL.finditer("\n".join(SAID.findall(log))):
        if not match.group().startswith("__") or match.group() not in text:
            return f"internal name: {match.group()}"
    return ""


def assemble(ptxas, output):
    target = re.search(rb"^\.target (\w+)", output, re.M)
    run = subprocess.run([ptxas, "-arch=" + target.group(1).decode(), "-O0", "/dev/stdin", "-o", "/dev/null"],
                         input=output, capture_output=True, check=False)
    said = (run.stdout + run.stderr).decode(errors="replace")
    limits = re.search(r"uses too much|Formal parameter space overflow|local memory|Stack size|unresolved|Unresolved", said)
    if run.returncode and not limits:
        return "ptxas: " + re.sub(r"/dev/stdin, line \d+; ", "", said.strip().splitlines()[0])
    return ""


class Compiler:
    def __init__(self, options):
        self.options = options
        flags = flags_of(options.ckc)
        self.after = [w[:4] + (flags.get(w[4], 0),) for w in AFTER]
        program = os.path.join(os.path.dirname(os.path.abspath(options.ckc)), "tests", "misfit", "serve")
        self.server = Server(program, options.limit)

    def ways(self, seed):
        found = [FIRST]
        count = len(self.after) if self.options.all else 2
        found += [self.after[(seed + i * 3) % len(self.after)] for i in range(count)]
        if self.options.libnvvm and seed % self.options.libnvvm == 0:
            found.append(SLOW)
        return found

    def judge(self, text, ways, seed=0):
        """Returns (failure, whether the program is correct)."""
        for way in ways:
            failure, status, log, output = self.server.ask(way, text)
            failure = failure or words_of(log, status, text)
            if not failure and output and self.options.ptxas and seed % 10 == 0:
                failure = assemble(self.options.ptxas, output)
            if failure:
                return f"{failure} ({' '.join(map(str, way))})", False
            if status and way == FIRST:
                return "", False
        if self.server.count > 3000:
            failure = self.server.end()
            if failure:
                return failure, False
        return "", True


def kind_of(failure):
    return re.sub(r"\d+", "N", re.sub(r" \([^()]*\)$", "", failure))


def reduce(compiler, text, ways, failure, seconds):
    """Removes from the text what is not needed for the failure."""
    end, kind = time.time() + seconds, kind_of(failure)
    ways = [w for w in ways if " ".join(map(str, w)) in failure] or ways
    ways = [FIRST] * (ways != [FIRST]) + ways

    def fails(candidate):
        found, _ = compiler.judge(candidate, ways)
        return found and kind_of(found) == kind

    def shrink(parts, join):
        size = max(1, len(parts) // 2)
        while time.time() < end:
            at = 0
            while at < len(parts) and time.time() < end:
                candidate = parts[:at] + parts[at + size:]
                if fails(join(candidate)):
                    parts = candidate
                else:
                    at += size
            if size == 1:
                break
            size = max(1, size // 2)
        return parts
    if not fails(text):
        return text + "(does not fail again)\n"
    text = "\n".join(shrink(text.split("\n"), "\n".join))
    tokens = generate.tokens_of(text)
    for first, last in sorted(generate.expressions_of(tokens), key=lambda s: s[0] - s[1]):
        if time.time() > end or last >= len(tokens):
            break
        candidate = tokens[:first] + ["1"] + [""] * (last - first) + tokens[last + 1:]
        if candidate != tokens and last > first and fails("".join(candidate)):
            tokens = candidate
    tokens = [t for t in tokens if t]
    return "".join(shrink(tokens, "".join)) + "\n"


GENERATOR = None


class Cases:
    """The programs of cases.txt."""

    def __init__(self):
        with open(os.path.join(HERE, "cases.txt"), encoding="utf-8") as file:
            text = "".join(line for line in file if not line.startswith("#"))
        items, bodies = (part.strip().split("\n") for part in text.split("\n\n"))
        head = "enum E { a, b }\nfn fv() { }\n"
        kernel = ("kernel k(n: u32, ki: i32, s: f32, x: in f32[n], y: out f32[n], yf: inout f32[n], yi: inout i32[n], vv: f32x4)"
                  " launch(block = 64, grid = 1)\n{\n%s\n}\n")
        self.texts = [f"{head}{item}\n" + kernel % "y[0] = 1;" for item in items] + [head + kernel % body for body in bodies]

    def program(self, seed):
        return self.texts[seed % len(self.texts)]


def generator_of(options):
    if options.cases:
        return Cases()
    return grid.Grid(options.bases) if options.grid else generate.default()


def work(options, first, count, end):
    """Returns the failures (seed, failure, text, reduced), and how many programs were compiled, and
    were correct."""
    global GENERATOR  # pylint: disable=global-statement
    if GENERATOR is None:
        GENERATOR = generator_of(options)
    compiler, failures, seen, done, right = Compiler(options), [], set(), 0, 0
    for seed in range(first, first + count):
        if time.time() > end:
            break
        text = GENERATOR.right(seed) if options.right else GENERATOR.program(seed)
        ways = compiler.ways(seed)
        failure, is_right = compiler.judge(text, ways, seed)
        done += 1
        right += is_right
        if failure:
            kind = kind_of(failure)
            small = ""
            if kind not in seen:
                seen.add(kind)
                small = reduce(compiler, text, ways, failure, options.reduce)
            failures.append((seed, failure, text, small))
    failure = compiler.server.end()
    if failure:
        failures.append((first, "at the end: " + failure, "", ""))
    return failures, done, right


def options_of():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ckc", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--chunk", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--reduce", type=float, default=10)
    parser.add_argument("--limit", type=float, default=2)
    parser.add_argument("--libnvvm", type=int, default=0)
    parser.add_argument("--all", action="store_true", help="every configuration, not two in turn")
    parser.add_argument("--grid", action="store_true", help="cells of grid.py, not random programs")
    parser.add_argument("--cases", action="store_true", help="the programs of cases.txt")
    parser.add_argument("--right", action="store_true", help="with --grid: the bases themselves")
    parser.add_argument("--bases", default=grid.BASES)
    parser.add_argument("--ptxas")
    parser.add_argument("--keep", help="a folder for the programs that fail")
    parser.add_argument("--log", help="a file for how far it is, a line each chunk")
    return parser.parse_args()


def main():
    options = options_of()
    if options.cases:
        options.count = len(Cases().texts)
    end, done, right, kinds = time.time() + options.seconds, 0, 0, collections.Counter()
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        chunks = [(s, min(options.chunk, options.seed + options.count - s))
                  for s in range(options.seed, options.seed + options.count, options.chunk)]
        jobs = [pool.submit(work, options, s, n, end) for s, n in chunks]
        for job in concurrent.futures.as_completed(jobs):
            failures, some, good = job.result()
            done, right = done + some, right + good
            if options.log:
                with open(options.log, "a", encoding="utf-8") as file:
                    file.write(f"{done} programs, {right} right, {sum(kinds.values())} failures\n")
            for seed, failure, text, small in failures:
                kind = kind_of(failure)
                kinds[kind] += 1
                if kinds[kind] <= 2:
                    print(f"seed {seed}: {failure}\n{small or text}", flush=True)
                if options.keep:
                    os.makedirs(options.keep, exist_ok=True)
                    with open(os.path.join(options.keep, f"{seed}.ck"), "w", encoding="utf-8") as file:
                        file.write(f"// {failure}\n{text}")
    for kind, count in kinds.most_common():
        print(f"{count:6} {kind}")
    print(f"{done} programs, {right} of them right\n{sum(kinds.values())} failures")
    return sum(kinds.values()) > 0


if __name__ == "__main__":
    sys.exit(main())
