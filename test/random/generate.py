#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""generate.py - writes random CK programs: correctly typed, terminating, free of data races.

    generate.py --seed=7 --count=4 > four.ck
    generate.py --seed=1 --count=200 --coverage

Program S is a kernel pS (program.py) with expressions of all types (values.py); facts.py lists what
has to occur in the programs. --coverage prints how often it does, and fails if something does not.
By construction, results have the same bits on every target:

- A program has either products and quotients of floats or sums of them, so that nothing can be
  fused.
- It uses no rounding functions of libm, and never the bits of a NaN, or the sign of a zero from min
  or max.
- Atomic operations on shared data commute, and their old values are not used.
"""
import argparse
import random
import struct
import sys

from bits import BITS
from facts import Coverage, FLOATS, SCALARS, WIDTH
from program import PARAMS, Program

COMMON = BITS + """\
fn plain<T: float>(x: T) -> T = x != x ? T(1) : x;
fn not_tiny(x: f32) -> f32 = abs(x) < 1e-30 ? 1 : x;
fn plus_zero<T: float>(x: T) -> T = x == 0 || x != x ? T(0) : x;
fn plus_zero<T: float, const N: u32>(x: vec<T, N>) -> vec<T, N> = select((x == 0) | (x != x), vec<T, N>(0), x);
fn same<T: type>(a: T, b: T) -> bool = a == b;
fn chosen<T: type>(c: bool, a: T, b: T) -> T { if (c) return a; return b; }
fn twice<T: type, F: fn>(a: T, f: F) -> T = f(f(a));
fn folded<T: type, const N: u32, F: fn>(v: T[N], f: F) -> T {
    var r = v[0];
    for (i in 1..N) r = f(r, v[i]);
    return r;
}
fn neighbour<T: type>(v: T, distance: u32) -> T {
    shared all: T[128];
    all[thread.rank] = v;
    block.sync();
    return all[(thread.rank + distance) % block.size];
}
struct Both<A: type, B: type> {
    a: A;
    b: B;
    fn swapped -> Both<B, A> = Both(self.b, self.a);
}
"""


def kernels(seed):
    """Returns the kernels of a program: one, whose results are the same everywhere."""
    return [f"p{seed}"]


def module(seeds, coverage=None):
    """Returns the text of a module with the programs of these seeds."""
    coverage = Coverage() if coverage is None else coverage
    return "\n".join([COMMON] + [Program(seed, coverage).text() for seed in seeds])


# ---- what parameters start with ----------------------------------------------------------------


def number(rng, kind):
    """Returns the bytes of a scalar: arbitrary bits, small numbers, values at the limits."""
    width = WIDTH[kind] // 8
    if kind == "bool":
        return bytes([rng.randint(0, 1)])
    if kind not in FLOATS:
        value = rng.randint(-9, 9) if rng.random() < 0.5 else rng.getrandbits(8 * width)
        return (value % (1 << (8 * width))).to_bytes(width, "little")
    if rng.random() < 0.3:
        return rng.getrandbits(8 * width).to_bytes(width, "little")
    value = rng.choice([0.0, -0.0, 1, -1, 0.5, 3, -7, 100, 1e4, float("inf"), float("nan"), 1.1,
                        2.0 ** -14, 2.0 ** -24])
    if kind == "bf16":
        return struct.pack("<f", value)[2:]
    return struct.pack({"f16": "<e", "f32": "<f", "f64": "<d"}[kind], value)


def inputs(seed):
    """Returns {parameter: bytes}; a scalar takes 8 bytes (serve.c)."""
    rng, data = random.Random(seed), {}
    for name, access, kind, extents in PARAMS:
        kind, _, lanes = kind.partition("x")
        count = 4 if lanes == "3" else int(lanes or 1)  # three components take the room of four
        for extent in extents:
            count *= extent
        if name == "y" or (name.startswith("acc") and kind in FLOATS):
            data[name] = bytes(count * WIDTH[kind] // 8)
        elif access:
            data[name] = b"".join(number(rng, kind) for _ in range(count))
        elif kind in FLOATS or kind == "bool":
            data[name] = number(rng, kind).ljust(8, b"\0")
        else:
            data[name] = rng.randint(0 if kind[0] == "u" else -9, 9).to_bytes(
                8, "little", signed=kind[0] != "u")
    return data


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--seed", type=int, default=1, help="of the first program; then one more each")
    parser.add_argument("--count", type=int, default=1, help="programs in the module")
    parser.add_argument("--coverage", action="store_true", help="a table of what occurs how often")
    args = parser.parse_args()
    coverage = Coverage()
    text = module(range(args.seed, args.seed + args.count), coverage)
    if not args.coverage:
        print(text, end="")
        return 0
    print(coverage.table())
    missing = coverage.missing()
    print("missing: " + (", ".join(missing) or "nothing"))
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
