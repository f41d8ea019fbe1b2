#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""generate.py - writes CK modules in which constants and kernels must have the same results.

    generate.py --seed=7 --count=4 > four.ck
    generate.py --coverage --ckc=CKC

Seed S has one operation on one type (tables.py), and ROWS tuples of operands. Each kernel stores
the bits of all results:

    runS     of operands in memory: computed at run time
    callS    of a constant that is a function call (compiler/check/evaluate.c)
    textS    of a constant that is an expression (compiler/check/fold.c), if the operands can be
             written as text
    dataS    of a constant in memory, of the type itself
    foldS    of an expression of constants in the kernel, which the compiler and LLVM fold
    exactS   computed by Python (exact.py), if it knows them

--coverage tries all functions of scalars in the library: those in tables.py's list INEXACT must not
be constants, the others must be.
"""
import argparse
import os
import random
import re
import struct
import subprocess
import sys

sys.path[1:1] = [os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "random")]

# pylint: disable=wrong-import-position
import literals
import tables
from bits import BITS
from exact import FLOATS, INTS, NAN, SIGNED, WIDTH, decode
from operands import FLOAT_EDGES, operand, text

ROWS = 64
CASES = tables.cases() + list(literals.cases(tables.rounding_words()))
random.Random(1).shuffle(CASES)  # so that few seeds are a sample of all
UNSIGNED = {"bool": "u8", **{kind: f"u{WIDTH[kind]}" for kind in FLOATS + INTS}}
COMMON = BITS + """\
fn bits_of<T: type, const N: u32>(v: vec<T, N>) -> u64 {
    var h = 0u64;
    unroll for (i in 0..N) h = mixed(h, bits_of(v[i]));
    return h;
}
fn zero_of<T: float>(x: T) -> T = x == 0 ? T(0) : x;
"""


def case_of(seed):
    return CASES[seed % len(CASES)]


def name(seed):
    return case_of(seed).name


def from_memory(kind, place):
    return f"{place} != 0" if kind == "bool" else f"bit_cast<{kind}>({place})"


def draw_rows(case, seed):
    """Draws tuples of operands, as bits and as the text of constants."""
    draw = random.Random(seed)
    rows = []
    while len(rows) < ROWS:
        bits = tuple(operand(draw, kind, case.gives) for kind in case.takes)
        if any(b == operand_nan(case.takes[at]) for at, b in enumerate(bits) if at in case.without_nan):
            continue
        values = [decode(kind, b) for kind, b in zip(case.takes, bits)]
        if case.has_value and not case.has_value(values):
            continue
        rows.append((bits, [text(draw, kind, b) for kind, b in zip(case.takes, bits)]))
    return rows


def operand_nan(kind):
    return FLOAT_EDGES[kind][-1] if kind in FLOATS else None


def fill(expression, operands):
    return re.sub(r"\bp(\d+)\b", lambda found: operands[int(found.group(1))], expression)


def kernels(seed):
    case = case_of(seed)
    if isinstance(case, literals.Literal):
        return [f"{one}{seed}" for one in ("exact", "call", "text", "data", "fold")]
    if case.gives.startswith("vec"):  # not a scalar: a constant only as text
        return [f"{one}{seed}" for one in ("run", "data", "fold")]
    names = ["run", "call", "data"] if case.name not in tables.APPROXIMATE else ["call", "data"]
    names += (["text", "fold"] if case.is_direct else []) + (["exact"] if case.oracle else [])
    return [f"{one}{seed}" for one in names if one != "fold" or case.name not in tables.APPROXIMATE]


def known_bits(case, bits):
    """Converts bits as a kernel stores them: NaN is 1, and integers are extended."""
    if bits is None or bits == NAN:
        return int(bits == NAN)
    value = decode(case.gives, bits)
    if value != value or (case.either_zero and value == 0):
        return int(value != value)
    return value % (1 << 64) if case.gives in SIGNED else bits


def rows_of(case, seed):
    """Returns for each row the bits of the operands; the constant by a function call, and by its
    text; Python's result."""
    if isinstance(case, literals.Literal):
        draw = random.Random(seed)
        for _ in range(ROWS):
            said, bits = case.draw_row(draw)
            called = f"g{seed}({said})"
            yield (), called, called if case.is_implicit else said, known_bits(case, bits)
        return
    for bits, texts in draw_rows(case, seed):
        values = [decode(kind, b) for kind, b in zip(case.takes, bits)]
        called = f"g{seed}({', '.join(texts)})"
        is_direct = case.is_direct and (not case.allowed or case.allowed(values))
        yield bits, called, fill(case.text, texts) if is_direct else called, known_bits(case, case.known(bits))


def program(seed):
    """The text of a seed."""
    case = case_of(seed)
    takes = [case.gives] if isinstance(case, literals.Literal) else case.takes
    result = "bits_of(zero_of({}))" if case.either_zero else "bits_of({})"
    body = "= p0;" if isinstance(case, literals.Literal) else f"{{ {case.body} }}" if case.body else f"= {case.text};"
    fields = "" if takes is not getattr(case, "takes", None) else "".join(
        f"p{i}: {UNSIGNED[kind]}; " for i, kind in enumerate(takes))
    lines = [f"// {case.title()}",
             f"fn g{seed}({', '.join(f'p{i}: {kind}' for i, kind in enumerate(takes))}) -> {case.gives} {body}",
             f"struct Row{seed} {{ {fields}called: u64; said: u64; exact: u64; value: {case.gives}; }}",
             f"const t{seed}: Row{seed}[{ROWS}] = ["]
    fold = []
    for at, (bits, called, said, known) in enumerate(rows_of(case, seed)):
        if case.gives.startswith("vec"):
            parts = [*map(str, bits), "0", "0", "0", said]
        else:
            parts = [*map(str, bits), result.format(called), result.format(said), str(known), said]
        lines.append(f"    Row{seed}({', '.join(parts)})" + "," * (at + 1 < ROWS))
        fold.append(f"    y[{at}] = {result.format(said)};")
    lines.append("];")
    operands = ", ".join(from_memory(kind, f"t.p{i}") for i, kind in enumerate(takes))
    value = {"run": result.format(f"g{seed}({operands})"), "call": "t.called", "text": "t.said", "exact": "t.exact",
             "data": result.format("t.value")}
    for kernel in kernels(seed):
        what = kernel.rstrip("0123456789")
        if what == "fold":
            lines += [f"kernel {kernel}(y: out u64[{ROWS}]) launch(block = 1, grid = 1)", "{"] + fold + ["}"]
        else:
            lines.append(f"kernel {kernel}(at: in u32[{ROWS}], y: out u64[{ROWS}]) launch(block = 32, grid = {ROWS // 32}) "
                         f"{{ let i = u32(grid.thread_rank); let t = t{seed}[at[i]]; y[i] = {value[what]}; }}")
    return "\n".join(lines) + "\n"


def module(seeds):
    return "\n".join([COMMON] + [program(seed) for seed in seeds])


def inputs(_):
    """Returns {parameter: bytes}: the row of each thread, which no compiler knows."""
    return {"at": struct.pack(f"<{ROWS}I", *range(ROWS)), "y": bytes(8 * ROWS)}


def is_constant(ckc, target, case):
    arguments = ", ".join({"bool": "true"}.get(kind, f"1{kind}") for kind in case.takes)
    done = subprocess.run([ckc, "-", "--stop-after=check", f"--target={target}"], capture_output=True, check=False,
                          input=f"const c = {case.name}({arguments});\n".encode())
    if done.returncode and b"[not_constant]" not in done.stderr:
        raise SystemExit(f"{case.title()}: {done.stderr.decode()}")
    return done.returncode == 0


def coverage(ckc):
    """Returns where the lists of tables.py and the compiler differ."""
    wrong = [f"{kind} is no type of exact.py" for kind in tables.scalar_types() if kind not in WIDTH]
    for case in tables.functions():
        if case.name in tables.ACTIONS:
            continue
        is_inexact = case.name in tables.INEXACT
        for target in ("host", "sm_90"):
            if is_constant(ckc, target, case) == is_inexact:
                wrong.append(f"{case.title()} is {'a' if is_inexact else 'no'} constant for {target}")
    stale = set(tables.INEXACT + tables.ACTIONS) - {case.name for case in tables.functions()}
    return wrong + [f"{one} is no function of the library" for one in sorted(stale)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--seed", type=int, default=1, help="of the first operation; then one more each")
    parser.add_argument("--count", type=int, default=1, help="operations in the module")
    parser.add_argument("--coverage", action="store_true", help="compare the lists with the library")
    parser.add_argument("--ckc", default="ckc", help="for --coverage")
    args = parser.parse_args()
    if not args.coverage:
        print(module(range(args.seed, args.seed + args.count)), end="")
        return 0
    wrong = coverage(args.ckc)
    print("\n".join(wrong + [f"{len(CASES)} operations; {len(wrong)} wrong"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
