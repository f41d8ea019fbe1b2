#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""integers.py - compares all evaluators of integer expressions with Python's integers.

    integers.py --ckc=build/bin/ckc --seed=1 --count=40 [--pairs=16] [--keep=FOLDER]

Each row of compiler/base/expr.def is tested with each integer type on pairs of edge values (--pairs
of them, 0: all). Then --count random expressions of such rows are tested on random values. There
are four evaluators:

    kernel      with arrays of operands, on the host device at run time; integers wrap around
    compiler    as constants; they wrap around too, but a division by zero is [divide_by_zero]
    ckc         as extents of a span, which ckc computes before it launches
    runtime     as the grid of the launch contract

The last two either get the kernel's value, or report `overflows` or `divides by zero` if an
operation on which the result depends leaves its type or divides by zero. This does not apply to
operators on constants in the text: the compiler has folded these, and they wrap around. The
library's other functions of integers, LIBRARY, are compared in a kernel and as constants. The last
line is `N agree, N differ`.
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TYPES = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"]
ERRORS_AT_ONCE = 10  # the compiler stops after a few


class Error(Exception):
    """The error of an expression without a value: its text is what the messages say."""


OVERFLOW, DIVISION = "overflows", "divides by zero"


def bits(kind):
    return int(kind[1:])


def limits(kind):
    if kind[0] == "i":
        return -(1 << (bits(kind) - 1)), (1 << (bits(kind) - 1)) - 1
    return 0, (1 << bits(kind)) - 1


def wrap(kind, value):
    low, high = limits(kind)
    return (value - low) % (high - low + 1) + low


def edges(kind):
    low, high = limits(kind)
    few = [low, low + 1, -7, -3, -2, -1, 0, 1, 2, 3, 7, bits(kind) - 1, bits(kind), high - 1, high]
    return sorted({value for value in few if low <= value <= high})


# ---- what each row gives: exact, from the operands and their type ----

def quotient(a, b):
    return abs(a) // abs(b) * (-1 if (a < 0) != (b < 0) else 1)


EXACT = {
    "add": lambda a, b, kind: a + b,
    "sub": lambda a, b, kind: a - b,
    "mul": lambda a, b, kind: a * b,
    "div": lambda a, b, kind: quotient(a, b),
    "rem": lambda a, b, kind: a - b * quotient(a, b),
    "ceil_div": lambda a, b, kind: -(-a // b),
    "shl": lambda a, b, kind: a << b % bits(kind),
    "shr": lambda a, b, kind: a >> b % bits(kind),
    "and": lambda a, b, kind: a & b,
    "or": lambda a, b, kind: a | b,
    "xor": lambda a, b, kind: a ^ b,
    "eq": lambda a, b, kind: a == b,
    "ne": lambda a, b, kind: a != b,
    "lt": lambda a, b, kind: a < b,
    "le": lambda a, b, kind: a <= b,
    "gt": lambda a, b, kind: a > b,
    "ge": lambda a, b, kind: a >= b,
    "negate": lambda a, kind: -a,
    "invert": lambda a, kind: ~a if kind[0] == "i" else limits(kind)[1] - a,
    "not": lambda a, kind: not a,
    "min": lambda a, b, kind: min(a, b),
    "max": lambda a, b, kind: max(a, b),
}


def unsigned(kind, value):
    return value % (1 << bits(kind))


def saturate(kind, value):
    low, high = limits(kind)
    return min(max(value, low), high)


def turned(kind, value, step):
    digits = f"{unsigned(kind, value):0{bits(kind)}b}"
    return wrap(kind, int("".join(digits[i:i + step] for i in range(len(digits) - step, -1, -step)), 2))


def rotated(kind, value, count):
    count %= bits(kind)
    return (value << count | value >> (bits(kind) - count)) % (1 << bits(kind))


UNSIGNED, WIDE, WORDS = ["u8", "u16", "u32", "u64"], ["i32", "i64", "u32", "u64"], [k for k in TYPES if k[1:] != "8"]
# The library's functions of integers: their types; the type of the result, if it differs; the exact
# result; whether the function can be used in constants.
LIBRARY = {
    "abs(p0)": (TYPES, None, lambda k, a, b, c: wrap(k, abs(a)), True),
    "clamp(p0, p1, p2)": (TYPES, None, lambda k, a, b, c: min(max(a, b), c), True),
    "popcount(p0)": (TYPES, "u32", lambda k, a, b, c: f"{unsigned(k, a):b}".count("1"), True),
    "clz(p0)": (TYPES, "u32", lambda k, a, b, c: bits(k) - unsigned(k, a).bit_length(), True),
    "ctz(p0)": (TYPES, "u32", lambda k, a, b, c: (a & -a).bit_length() - 1 if a else bits(k), True),
    "brev(p0)": (TYPES, None, lambda k, a, b, c: turned(k, a, 1), True),
    "bswap(p0)": (WORDS, None, lambda k, a, b, c: turned(k, a, 8), True),
    "add_sat(p0, p1)": (TYPES, None, lambda k, a, b, c: saturate(k, a + b), True),
    "sub_sat(p0, p1)": (TYPES, None, lambda k, a, b, c: saturate(k, a - b), True),
    "mul_hi(p0, p1)": (WIDE, None, lambda k, a, b, c: a * b >> bits(k), False),
    "rotate_left(p0, u32(p1))": (UNSIGNED, None, lambda k, a, b, c: rotated(k, a, b), False),
    "rotate_right(p0, u32(p1))": (UNSIGNED, None, lambda k, a, b, c: rotated(k, a, -b), False),
}
DIVISIONS = ("div", "rem", "ceil_div")
BY_ZERO = {"rem": lambda a, kind: a}  # in a kernel; otherwise all bits are ones


class Row:
    """A row of expr.def."""

    def __init__(self, fields):
        self.id, self.token, operands, self.form, self.needs, self.range = fields
        self.operands = int(operands)
        self.is_bool = self.id in ("eq", "ne", "lt", "le", "gt", "ge", "not") or self.needs in ("AND", "OR")
        self.takes_bool = self.id == "not" or self.needs in ("AND", "OR")


def read_rows():
    with open(os.path.join(TOP, "compiler/base/expr.def"), encoding="utf-8") as file:
        found = re.findall(r'^EXPR_OP\((\w+),\s*"([^"]+)",\s*(\d),\s*(\w+),\s*(\w+),\s*(\w+)\)', file.read(), re.M)
    rows = [Row(fields) for fields in found]
    unknown = [row.id for row in rows if row.id not in EXACT and row.form != "FIT" and row.needs == "ALL"]
    if unknown or len(rows) < 30:
        sys.exit(f"integers.py does not know what these rows of expr.def give: {unknown or rows}")
    return rows


# ---- expressions ----

class Leaf:
    """An operand: `at` is its index among the arguments."""

    def __init__(self, at, kind):
        self.at, self.kind, self.leaves, self.is_folded = at, kind, [self], False

    def text(self):
        return f"p{self.at}"

    def value(self, values, how):
        return values[self.at]


class Literal:
    """A constant in the text."""

    def __init__(self, number, kind):
        self.number, self.kind, self.leaves, self.is_folded = number, kind, [], True

    def text(self):
        return f"({self.number}{self.kind})"

    def value(self, values, how):
        return self.number


class Operation:
    """An operation: a row with operands. `kind` is the type of the result."""

    def __init__(self, row, operands):
        self.row, self.operands = row, operands
        self.leaves = [leaf for operand in operands for leaf in operand.leaves]
        of = operands[-1].kind
        self.kind = "bool" if row.is_bool else row.id if row.form == "FIT" else of
        self.of = of
        self.is_folded = row.form != "CALL" and all(operand.is_folded for operand in operands)

    def text(self):
        texts = [operand.text() for operand in self.operands]
        row = self.row
        if row.form == "CALL":
            return f"{row.token}({', '.join(texts)})"
        if row.form == "FIT":
            return f"{row.token}({texts[0]})"
        if row.form == "PREFIX":
            return f"({'-' if row.id == 'negate' else row.token}{texts[0]})"
        return f"({texts[0]} {row.token} {texts[1]})" if row.form == "INFIX" else "({} ? {} : {})".format(*texts)

    def value(self, values, how):
        """how: kernel, constant or launch."""
        row, operands = self.row, self.operands
        how = "constant" if self.is_folded and how == "launch" else how
        first = operands[0].value(values, how)
        if row.needs == "CHOICE":
            return operands[1 if first else 2].value(values, how)
        if row.needs in ("AND", "OR"):
            is_decided = bool(first) == (row.needs == "OR")
            return bool(first) if is_decided else bool(operands[1].value(values, how))
        rest = [operand.value(values, how) for operand in operands[1:]]
        if row.id in DIVISIONS and rest[0] == 0:
            if how != "kernel":
                raise Error(DIVISION)
            return BY_ZERO.get(row.id, lambda a, kind: wrap(kind, -1))(first, self.of)
        exact = first if row.form == "FIT" else EXACT[row.id](first, *rest, self.of)
        if self.kind == "bool":
            return bool(exact)
        if how == "launch" and exact != wrap(self.kind, exact):
            raise Error(OVERFLOW)
        return wrap(self.kind, exact)


class Case:
    """An expression, and the values of its operands to test it with."""

    def __init__(self, name, root, kinds, values):
        self.name, self.root, self.kinds, self.values = name, root, kinds, values
        self.result = "u32" if root.kind == "bool" else root.kind

    def text(self):
        return f"({self.root.text()} ? 1u32 : 0u32)" if self.root.kind == "bool" else self.root.text()

    def expected(self, values, how):
        try:
            return int(self.root.value(values, how))
        except Error as error:
            return str(error)


def row_cases(rows, kind, pairs, draw):
    """Tests each row on edge values of a type. A lazy operator has a division as the operand that
    may be skipped."""
    few = edges(kind)
    every = [(a, b, c) for a in few for b in few for c in few[:1]]
    division = Operation(next(row for row in rows if row.id == "div"), [Leaf(1, kind), Leaf(0, kind)])
    differs = next(row for row in rows if row.id == "ne")

    def is_nonzero(operand):
        return Operation(differs, [operand, Literal(0, kind)])

    for row in rows:
        values = every
        operands = [Leaf(i, kind) for i in range(row.operands)]
        if row.needs == "CHOICE":
            operands = [is_nonzero(Leaf(0, kind)), division, Leaf(1, kind)]
        elif row.needs in ("AND", "OR"):
            operands = [is_nonzero(Leaf(0, kind)), is_nonzero(division)]
        elif row.takes_bool:
            operands = [is_nonzero(operand) for operand in operands]
        if row.operands == 1:
            values = [(a, 0, 0) for a in few]
        if pairs and len(values) > pairs:
            low, high = limits(kind)
            must = [(low, -1, 0), (high, 0, 0), (0, 0, 0), (low, 1, 0), (high, high, 0), (0, 1, 0), (1, low, 0)]
            values = sorted({v for v in must if v[1] in few} | set(draw.sample(values, pairs)))
        yield Case(f"{row.id}_{kind}", Operation(row, operands), [kind] * 3, values)


def library(kind, pairs, draw):
    """Writes a module that compares the library's functions of one type, as constants and in a
    kernel."""
    lines, calls, count = [], [], 0
    values = [(a, b, c) for a in edges(kind) for b in edges(kind) for c in (b, draw.choice(edges(kind)))]
    if pairs:
        values = draw.sample(values, min(len(values), 4 * pairs))
    lists = ", ".join(f"p{i}=[{', '.join(str(each[i]) for each in values)}]" for i in range(3))
    for at, (text, (kinds, result, gives, is_constant)) in enumerate(LIBRARY.items()):
        if kind not in kinds:
            continue
        result = result or kind
        wanted = ", ".join(str(gives(kind, *each)) for each in values)
        lines.append(f"fn f{at}(p0: {kind}, p1: {kind}, p2: {kind}) -> {result} = {text};")
        lines.append(f"kernel k{at}(n: u32, p0: in {kind}[n], p1: in {kind}[n], p2: in {kind}[n], y: out {result}[n]) "
                     f"launch(block = 1, grid = n) {{ let i = block.id.x; y[i] = f{at}(p0[i], p1[i], p2[i]); }}")
        calls.append(f"// CALL: k{at}({lists})\n// EXPECT: y=[{wanted}]")
        count += len(values)
        if is_constant:
            body = " ".join(f"const C{i}: {result} = f{at}({', '.join(f'{v}{kind}' for v in each)}); y[{i}] = C{i};"
                            for i, each in enumerate(values))
            lines.append(f"kernel c{at}(y: out {result}[{len(values)}]) launch(block = 1, grid = 1) {{ {body} }}")
            calls.append(f"// CALL: c{at}()\n// EXPECT: y=[{wanted}]")
            count += len(values)
    return "\n".join(lines + calls) + "\n", count


class Tree:
    """Random expressions."""

    def __init__(self, rows, draw):
        self.draw, self.kinds = draw, [draw.choice(TYPES) for _ in range(3)]
        self.by_result = {False: [], True: []}
        for row in rows:
            self.by_result[row.is_bool].append(row)

    def number(self, kind, depth):
        draw = self.draw
        at = [i for i, each in enumerate(self.kinds) if each == kind]
        if depth == 0:
            is_leaf = at and draw.random() < 0.8
            return Leaf(draw.choice(at), kind) if is_leaf else Literal(draw.choice(edges(kind)), kind)
        row = draw.choice([row for row in self.by_result[False] if row.form != "FIT"] +
                          [row for row in self.by_result[False] if row.id == kind] * 4)
        if row.form == "FIT":
            return Operation(row, [self.number(draw.choice(self.kinds), depth - 1)])
        if row.needs == "CHOICE":
            return Operation(row, [self.truth(depth - 1)] + [self.number(kind, depth - 1) for _ in range(2)])
        operands = [self.number(kind, depth - 1) for _ in range(row.operands)]
        if not operands[-1].leaves and row.id in DIVISIONS + ("shl", "shr"):
            operands[-1] = Literal(draw.randint(1, bits(kind) - 1), kind)  # others are refused
        return Operation(row, operands)

    def truth(self, depth):
        row = self.draw.choice(self.by_result[True])
        if row.takes_bool and depth > 0:
            return Operation(row, [self.truth(depth - 1) for _ in range(row.operands)])
        row = self.draw.choice([row for row in self.by_result[True] if not row.takes_bool])
        kind = self.draw.choice(self.kinds)
        return Operation(row, [self.number(kind, max(depth - 1, 0)) for _ in range(2)])

    def case(self, name, count):
        kind = self.draw.choice(self.kinds)
        root = self.number(kind, self.draw.randint(2, 4))
        values = [tuple(self.draw.choice(edges(each)) for each in self.kinds) for _ in range(count)]
        return Case(name, root, self.kinds, values)


# ---- modules and runs ----

def parameters(case, form="{}"):
    return ", ".join(f"p{i}: {form.format(kind)}" for i, kind in enumerate(case.kinds))


def arguments(values):
    return ", ".join(f"p{i}={value}" for i, value in enumerate(values))


def literals(case, values):
    return ", ".join(f"{value}{kind}" for kind, value in zip(case.kinds, values))


def module(cases):
    """Returns the text and the tests of all cases except constants with errors, and the number of
    compared values."""
    lines, calls, count = [], [], 0
    for case in cases:
        name, result, text, values = case.name, case.result, case.text(), case.values
        lines.append(f"fn f_{name}({parameters(case)}) -> {result} = {text};")
        reads = ", ".join(f"p{i}[i]" for i in range(len(case.kinds)))
        lines.append(f"kernel k_{name}(n: u32, {parameters(case, 'in {}[n]')}, y: out {result}[n]) "
                     f"launch(block = 1, grid = n) {{ let i = block.id.x; y[i] = f_{name}({reads}); }}")
        lists = [f"p{i}=[{', '.join(str(each[i]) for each in values)}]" for i in range(len(case.kinds))]
        wanted = [str(case.expected(each, "kernel")) for each in values]
        calls.append(f"// CALL: k_{name}({', '.join(lists)})\n// EXPECT: y=[{', '.join(wanted)}]")
        known = [each for each in values if case.expected(each, "constant") != DIVISION]
        if known:
            body = " ".join(f"const C{i}: {result} = f_{name}({literals(case, each)}); y[{i}] = C{i};"
                            for i, each in enumerate(known))
            lines.append(f"kernel c_{name}(y: out {result}[{len(known)}]) launch(block = 1, grid = 1) {{ {body} }}")
            wanted = [str(case.expected(each, "constant")) for each in known]
            calls.append(f"// CALL: c_{name}()\n// EXPECT: y=[{', '.join(wanted)}]")
        head = f"({parameters(case)}, e: {result}, y: out {result}"
        is_right = f"{text} == e ? 1 : "
        lines.append(f"kernel x_{name}{head}[{is_right}2]) launch(block = 1, grid = 1) {{ y[0] = e; }}")
        lines.append(f"kernel g_{name}{head}[1]) launch(block = 1, grid = {is_right}4294967295u32) {{ y[0] = f_{name}("
                     f"{', '.join(f'p{i}' for i in range(len(case.kinds)))}); }}")
        for each in values:
            value = case.expected(each, "launch")
            count += 4
            if isinstance(value, int):
                for form in "xg":
                    calls.append(f"// CALL: {form}_{name}({arguments(each)}, e={value}, y=zeros:1)\n"
                                 f"// EXPECT: y=[{value}]")
            else:
                calls.append(f"// CALL: x_{name}({arguments(each)}, e=0, y=zeros:1)\n// EXPECT-ERROR: {value} (p")
                calls.append(f"// CALL: g_{name}({arguments(each)}, e=0, y=zeros:1)\n// EXPECT-ERROR: ', {value}")
    return "\n".join(lines + calls) + "\n", count


def faulty(cases):
    """Yields constants that divide by zero, a few per module."""
    constants = []
    for case in cases:
        for each in case.values:
            if case.expected(each, "constant") == DIVISION:
                constants.append((case, each))
    for first in range(0, len(constants), ERRORS_AT_ONCE):
        some = constants[first:first + ERRORS_AT_ONCE]
        lines = [f"fn f_{case.name}({parameters(case)}) -> {case.result} = {case.text()};"
                 for case in {case.name: case for case, _ in some}.values()]
        lines += [f"const C{i}: {case.result} = f_{case.name}({literals(case, each)});"
                  for i, (case, each) in enumerate(some)]
        yield "\n".join(lines) + "\n", len(some)


class Runner:
    """Runs modules and counts the results."""

    def __init__(self, ckc, folder):
        self.ckc, self.folder, self.agree, self.differ = ckc, folder, 0, 0

    def ckc_says(self, name, text, words):
        path = os.path.join(self.folder, name + ".ck")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        done = subprocess.run([self.ckc] + [path if word == "FILE" else word for word in words], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return done.returncode, done.stdout

    def compare(self, name, text, count):
        code, said = self.ckc_says(name, text, ["test", "FILE", "--device=host", "-O1"])
        failed = re.search(r"(\d+) failed", said)
        if code or not failed or failed[1] != "0":
            self.differ += int(failed[1]) if failed else count
            print(said[:4000])
        else:
            self.agree += count

    def run(self, name, cases):
        self.compare(name, *module(cases))
        for i, (wrong, wanted) in enumerate(faulty(cases)):
            code, said = self.ckc_says(f"{name}_zero{i}", wrong, ["FILE", "--stop-after=check"])
            found = len(re.findall(r"error: .*\[divide_by_zero\]", said))
            if found != wanted or len(re.findall(r"error:", said)) != wanted:
                self.differ += 1
                print(f"{wanted} constants divide by zero, {found} of them are reported\n{said[-2000:]}")
            else:
                self.agree += wanted


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--ckc", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=40, help="random expressions")
    parser.add_argument("--pairs", type=int, default=16, help="pairs of edge values for each row; 0: all")
    parser.add_argument("--type", choices=TYPES, help="of this type alone")
    parser.add_argument("--keep", metavar="FOLDER", help="where modules stay")
    args = parser.parse_args()
    rows = read_rows()
    print(f"seed {args.seed}, {len(rows)} rows")
    with tempfile.TemporaryDirectory() as folder:
        if args.keep:
            os.makedirs(args.keep, exist_ok=True)
        runner = Runner(args.ckc, args.keep or folder)
        for kind in [args.type] if args.type else TYPES:
            draw = random.Random(f"{args.seed} {kind}")
            runner.run(kind, list(row_cases(rows, kind, args.pairs, draw)))
            runner.compare("library_" + kind, *library(kind, args.pairs, draw))
        for first in range(0, args.count, 20):
            cases = []
            for i in range(first, min(first + 20, args.count)):
                seed = args.seed + i
                cases.append(Tree(rows, random.Random(seed)).case(f"seed{seed}", 8))
            runner.run(f"random{first}", cases)
    print(f"{runner.agree} agree, {runner.differ} differ")
    return 1 if runner.differ else 0


if __name__ == "__main__":
    sys.exit(main())
