# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""shared_life.py - compares random kernels, in which the compiler lets shared variables share
bytes, with a model.

    shared_life.py CKC [--count=N] [--seed=N] [--keep=FILE]

A kernel has a few shared arrays at the outermost level, and random statements: writes, reads,
barriers, calls of library functions that wait for the block, loops, conditions, early returns,
arrays accessed through spans, pointers, lambdas and parameters, and variables of inner blocks, also through pointers that are assigned. The
model runs all threads statement by statement, and keeps every array separate. Kernels with data
races, or that read unwritten elements, are discarded, so that the others have one result. The host
device runs each thread up to the next barrier before the next thread starts, so two live arrays
that share bytes give another result. The checked build, which keeps arrays separate, must report
nothing.

The last line says how many kernels need fewer bytes than their arrays have together.
"""
import argparse
import json
import random
import subprocess
import sys
import tempfile

THREADS, MASK = 64, 0xFFFFFFFF
CASES = [(0, 0), (1, 1), (3, 0)]  # the kernel's arguments m and p
TYPES = {"u8": 1, "u16": 2, "u32": 4, "u64": 8}
HELPERS = """
fn looked_at<T: type>(x: in T[], acc: u32) -> u32 {
    let first = acc * 31 + u32(x[thread.rank]);
    block.sync();
    return first + u32(x[(thread.rank + 5) % 64]);
}
fn hold(to: inout ptr<u32, shared>[], p: ptr<u32, shared>) { to[0] = p; }
fn left_early(x: u32) -> u32 {
    block.sync();
    var acc = x;
    for (i in 0..3) {
        { shared a: u32[64]; a[thread.rank] = acc + 1; acc += a[thread.rank]; }
        if (acc % 3 == 1) return acc;
    }
    return acc;
}
fn called<F: fn>(f: F, acc: u32) -> u32 = acc + f((thread.rank + 9) % 64);
"""
# How a variable gets a pointer to q if p is 1, or else to r; and the pointer.
HELD = [("var s = address(r[0]); if (p == 1) s = address(q[0]);", "s"),
        ("var s: ptr<u32, shared>; if (p == 1) { s = address(q[0]); } else { s = address(r[0]); }", "s"),
        ("var s = address(r[0]); { let u = address(q[0]); if (p == 1) { s = u; } }", "s"),
        ("var s: ptr<u32, shared>[1]; hold(s, address(r[0])); if (p == 1) hold(s, address(q[0]));", "s[0]"),
        ("var s = (address(r[0]), 1u32); for (i in 0..p) { s = (address(q[0]), i); }", "s[0]"),
        ("var s = u64(address(r[0])); while (p == 1 && s != u64(address(q[0]))) { s = u64(address(q[0])); }", "ptr<u32>(s)"),
        ("var s = address(r[0]) - ptr<u32, shared>(0); if (p == 1) s = address(q[0]) - ptr<u32, shared>(0);",
         "(ptr<u32, shared>(0) + s)")]

# A barrier between the operands of an access; and whether acc grows by another thread's.
CROSSED = [("q[t] = acc; acc += q[63 - t + 0 * block.reduce(acc, +)];", True),
           ("q[t] = acc; let s = (address(q[0]), block.reduce(acc, +)); acc += s[0][63 - t];", True),
           ("q[63 - t] = 0 * block.reduce(acc, +) + acc;", False)]


class Invalid(Exception):
    pass


class Leave(Exception):
    pass


class Generator:
    def __init__(self, rng):
        self.rng = rng
        self.arrays = [(f"a{i}", rng.choice(list(TYPES)), rng.choice([64, 64, 128, 256])) for i in range(rng.randint(2, 6))]
        self.aliases, self.count = [], 0
        self.near = [0]  # the arrays that the next statements use

    def places(self):
        return self.rng.choice([1, 3, 5, 7, 63]), self.rng.randrange(64)

    def access(self):
        array = self.rng.choice(self.near)
        if self.rng.random() < 0.5:
            return ("write", array, *self.places(), self.rng.randrange(100))
        names = [name for name, of in self.aliases if of == array]
        name = self.rng.choice(names) if names and self.rng.random() < 0.5 else self.arrays[array][0]
        return ("read", array, *self.places(), name)

    def bind(self):
        array, kind = self.rng.choice(self.near), self.rng.choice(["span", "pointer"])
        self.count += 1
        name = f"s{self.count}"
        self.aliases.append((name, array))
        return ("bind", array, kind, name)

    def statement(self, depth, in_loop):
        rng, chance = self.rng, self.rng.random()
        if in_loop and rng.random() < 0.1:
            return [("inner",)]
        if chance < 0.42:
            return [self.access()]
        if chance < 0.62:
            return [("sync",)]
        if chance < 0.70:
            return [("primitive", rng.choice(["reduce", "scan", "any", "cluster"]))]
        if chance < 0.74 and depth == 0:
            return [self.bind()]
        if chance < 0.79:
            return [(rng.choice(["pass", "lambda"]), rng.choice(self.near))]
        if chance < 0.82:
            return [rng.choice([("inner",), ("left",)]) if chance < 0.80 else ("held", *rng.choice(HELD)) if chance < 0.81
                    else ("crossed", *rng.choice(CROSSED))]
        if chance < 0.86:
            return [("part", rng.randrange(1, 64), [self.access() for _ in range(rng.randint(1, 3))])]
        if chance < 0.88 and in_loop:
            return [(rng.choice(["break", "continue"]), rng.randrange(3))]
        if chance < 0.89:
            return [("leave", rng.randrange(6))]
        if depth == 2:
            return [("sync",)]
        if chance < 0.95:
            return [("loop", rng.choice(["0..2", "0..m", "0..0", "0..u32(y.len) / 32", "while"]), self.body(depth + 1, True))]
        return [("if", rng.randrange(2), self.body(depth + 1, in_loop), self.body(depth + 1, in_loop))]

    def body(self, depth, in_loop):
        return [s for _ in range(self.rng.randint(2, 6 if depth else 14)) for s in self.statement(depth, in_loop)]

    def program(self):
        """Adds statement after statement. One that makes the kernel invalid is dropped, or gets a
        barrier before it."""
        body, most = [], self.rng.randint(10, 30)
        while len(body) < most:
            if self.rng.random() < 0.2:
                self.near = self.rng.sample(range(len(self.arrays)), self.rng.choice([1, 1, 2]))
            tried = self.statement(0, False)
            for before in ([], [("sync",)]):
                if is_valid(self.arrays, body + before + tried):
                    body += before + tried
                    break
        for tried in [[("end", self.rng.randrange(64))]] + [[self.access()] for _ in range(3)]:
            if self.rng.random() < 0.5 and is_valid(self.arrays, body + tried):
                body += tried
        return body


def text_of(arrays, statements, indent, depth=0):
    lines = []
    for s in statements:
        kind = s[0]
        if kind == "write":
            name, scalar, _ = arrays[s[1]]
            lines.append(f"{name}[(t * {s[2]} + {s[3]}) % 64] = {scalar}(acc + {s[4]} & 0x7f);")
        elif kind == "read":
            lines.append(f"acc = acc * 31 + u32({s[4]}[(t * {s[2]} + {s[3]}) % 64]);")
        elif kind == "sync":
            lines.append("block.sync();")
        elif kind == "primitive":
            lines.append({"reduce": "acc += block.reduce(acc, +);", "scan": "acc = acc * 3 + block.exclusive_scan(acc, +);",
                          "any": "if (block.any(acc % 3 == 1)) acc += 7;", "cluster": "cluster.sync();"}[s[1]])
        elif kind == "bind":
            name = arrays[s[1]][0]
            lines.append(f"let {s[3]} = {name}[0..64];" if s[2] == "span" else f"let {s[3]} = address({name}[0]);")
        elif kind == "pass":
            lines.append(f"acc = looked_at({arrays[s[1]][0]}[0..64], acc);")
        elif kind == "lambda":
            lines.append(f"acc = called(|i| u32({arrays[s[1]][0]}[i]), acc);")
        elif kind == "inner":
            lines.append("{ shared q: u32[64]; q[t] = acc; block.sync(); acc += q[63 - t]; }")
        elif kind == "left":
            lines.append("acc = left_early(acc);")
        elif kind == "held":
            lines += ["{", "    shared q: u32[64];", "    shared r: u32[64];", "    q[t] = acc;", "    r[t] = acc + 1;",
                      "    block.sync();", "    " + s[1], "    block.sync();", f"    acc += {s[2]}[63 - t];", "}",
                      "{ shared q: u32[64]; q[t] = acc; block.sync(); acc ^= q[63 - t]; }"]
        elif kind == "crossed":
            lines += ["{ shared q: u32[64]; " + s[1] + " }", "{ shared q: u32[64]; q[t] = acc; block.sync(); acc ^= q[63 - t]; }"]
        elif kind == "part":
            lines += [f"if (t < {s[1]}) {{"] + text_of(arrays, s[2], "    ") + ["}"]
        elif kind in ("break", "continue"):
            lines.append(f"if (k{depth} == {s[1]}) {kind};")
        elif kind == "leave":
            lines.append(f"if (m == {s[1]}) {{ y[t] = acc; return; }}")
        elif kind == "end":
            lines.append(f"if (t >= {s[1]}) {{ y[t] = acc; return; }}")
        elif kind == "loop":
            inner = text_of(arrays, s[2], "    ", depth + 1)
            k = f"k{depth + 1}"
            if s[1] == "while":
                lines += ["{", f"var n{k} = 0u32;", f"while (n{k} < 2) {{", f"    let {k} = n{k};", f"    n{k} += 1;"] + inner + ["}", "}"]
            else:
                lines += [f"for ({k} in {s[1]}) {{"] + inner + ["}"]
        elif kind == "if":
            lines += [f"if (p == {s[1]}) {{"] + text_of(arrays, s[2], "    ", depth) + ["} else {"]
            lines += text_of(arrays, s[3], "    ", depth) + ["}"]
    return [indent + line for line in lines]


class Model:
    """Runs all threads. `seen` records who has accessed an element since the last barrier."""

    def __init__(self, arrays, m, p):
        self.arrays, self.m, self.p = arrays, m, p
        self.acc = list(range(THREADS))
        self.memory = [{} for _ in arrays]
        self.seen = {}
        self.live = set(range(THREADS))

    def touch(self, t, array, i, writes):
        readers, writers = self.seen.setdefault((array, i), (set(), set()))
        if writers - {t} or (writes and readers - {t}):
            raise Invalid
        (writers if writes else readers).add(t)

    def read(self, t, array, i):
        self.touch(t, array, i, False)
        if i not in self.memory[array]:
            raise Invalid
        return self.memory[array][i]

    def run(self, statements, threads, k=0):
        for s in statements:
            getattr(self, "do_" + s[0])(s, threads & self.live, k)

    def do_write(self, s, threads, k):
        for t in threads:
            i = (t * s[2] + s[3]) % 64
            self.touch(t, s[1], i, True)
            self.memory[s[1]][i] = self.acc[t] + s[4] & 0x7F
    def do_read(self, s, threads, k):
        for t in threads:
            self.acc[t] = self.acc[t] * 31 + self.read(t, s[1], (t * s[2] + s[3]) % 64) & MASK
    def do_sync(self, s, threads, k):
        self.seen = {}
    def do_primitive(self, s, threads, k):
        self.seen = {}
        old = self.acc[:]
        for t in threads:
            if s[1] == "reduce": self.acc[t] = old[t] + sum(old) & MASK
            if s[1] == "scan": self.acc[t] = old[t] * 3 + sum(old[:t]) & MASK
            if s[1] == "any": self.acc[t] = old[t] + 7 * any(a % 3 == 1 for a in old) & MASK
    def do_bind(self, s, threads, k):
        pass
    def do_pass(self, s, threads, k):
        self.do_read(("read", s[1], 1, 0), threads, k)
        self.seen = {}
        for t in threads:
            self.acc[t] = self.acc[t] + self.read(t, s[1], (t + 5) % 64) & MASK
    def do_lambda(self, s, threads, k):
        for t in threads:
            self.acc[t] = self.acc[t] + self.read(t, s[1], (t + 9) % 64) & MASK
    def do_inner(self, s, threads, k):
        self.seen = {}
        old = self.acc[:]
        for t in threads:
            self.acc[t] = old[t] + old[63 - t] & MASK
    def do_left(self, s, threads, k):
        self.seen = {}
        for t in threads:
            for _ in range(3):
                self.acc[t] = self.acc[t] * 2 + 1 & MASK
                if self.acc[t] % 3 == 1:
                    break
    def do_held(self, s, threads, k):
        self.do_inner(s, threads, k)
        for t in threads:
            self.acc[t] = self.acc[t] + (self.p != 1) & MASK
        self.mix(threads)
    def do_crossed(self, s, threads, k):
        self.seen = {}
        if s[2]:
            self.do_inner(s, threads, k)
        self.mix(threads)
    def mix(self, threads):
        old = self.acc[:]
        for t in threads:
            self.acc[t] = old[t] ^ old[63 - t]
    def do_part(self, s, threads, k):
        self.run(s[2], {t for t in threads if t < s[1]}, k)
    def do_break(self, s, threads, k):
        if k == s[1]: raise StopIteration
    def do_continue(self, s, threads, k):
        if k == s[1]: raise KeyError
    def do_leave(self, s, threads, k):
        if self.m == s[1]: raise Leave
    def do_end(self, s, threads, k):
        self.live = {t for t in self.live if t < s[1]}
    def do_loop(self, s, threads, k):
        for i in range({"0..m": self.m, "0..0": 0}.get(s[1], 2)):
            try:
                self.run(s[2], threads, i)
            except StopIteration:
                return
            except KeyError:
                pass
    def do_if(self, s, threads, k):
        self.run(s[2] if self.p == s[1] else s[3], threads, k)


def result_of(arrays, program, m, p):
    model = Model(arrays, m, p)
    try:
        model.run(program, set(range(THREADS)))
    except Leave:
        pass
    return model.acc


def is_valid(arrays, program):
    try:
        for m, p in CASES:
            result_of(arrays, program, m, p)
        return True
    except Invalid:
        return False


def make_kernel(rng, name):
    """Returns the kernel's text, and the total size of its arrays."""
    generator = Generator(rng)
    program, arrays = generator.program(), generator.arrays
    lines = [f"kernel {name}(m: u32, p: u32, y: out u32[64]) launch(block = 64, grid = 1)", "{"]
    lines += [f"    shared {a}: {scalar}[{n}];" for a, scalar, n in arrays]
    lines += ["    let t = thread.rank;", "    var acc = t;"] + text_of(arrays, program, "    ") + ["    y[t] = acc;", "}"]
    for m, p in CASES:
        y = result_of(arrays, program, m, p)
        lines += [f"// CALL: {name}(m={m}, p={p}, y=zeros:64)", f"// EXPECT: y = {y}"]
    return "\n".join(lines) + "\n", sum(TYPES[scalar] * n for _, scalar, n in arrays)


def run(command):
    return subprocess.run(command, capture_output=True, text=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ckc")
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="where the kernels are left")
    args = parser.parse_args()
    rng = random.Random(args.seed)
    programs = [make_kernel(rng, f"k{i}") for i in range(args.count)]
    path = args.keep or tempfile.mkstemp(suffix=".ck")[1]
    with open(path, "w") as out:
        out.write(HELPERS + "\n".join(text for text, _ in programs))
    calls, wrong = len(CASES) * len(programs), 0
    for options in ([], ["-check"]):
        done = run([args.ckc, "test", path, "--device=host", *options])
        if done.returncode or f"{calls} passed, 0 failed" not in done.stdout + done.stderr:
            wrong += 1
            print(" ".join(options), done.stdout[-1500:], done.stderr[-1500:])
    manifest = run([args.ckc, path, "--target=host", "--emit=manifest"])
    kernels = json.loads(manifest.stdout)["kernels"]
    fewer = sum(kernel["shared_bytes"] < apart for kernel, (_, apart) in zip(kernels, programs))
    print(f"{len(programs)} kernels, {wrong} wrong, {fewer} with shared bytes")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
