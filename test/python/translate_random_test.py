#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""translate_random_test.py - random Python functions give in a kernel what Python gives.

    translate_random_test.py [--count=FUNCTIONS] [--seed=SEED]

Each function has two arguments of random NumPy types, and a body of assignments, conditions, loops
and a result. It is called by Python for each pair of random numbers, and by binary_transform for all
of them. Integers must be equal; floats may differ as far as products are fused into sums.

In a kernel a variable has one type, and so has a conditional expression. So functions are left out in
which Python's variables and branches have more than one.
"""
import argparse
import ast
import linecache
import random
import sys
import warnings

import numpy as np

from cokernel import compute

TYPES = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64, np.float32, np.float64]
PAIRS = 24


class Generator:
    """Texts of random functions."""

    def __init__(self, rng):
        self.rng, self.names = rng, ["x", "y"]

    def number(self):
        return self.rng.choice(["0", "1", "2", "3", "5", "7", "0.5", "-1", "2.25", "100"])

    def condition(self, depth):
        kind = self.rng.randrange(6)
        if kind < 3 or depth <= 0:
            return f"{self.value(depth - 1)} {self.rng.choice(['<', '<=', '>', '>=', '==', '!='])} {self.value(depth - 1)}"
        if kind == 3:
            return f"not ({self.condition(depth - 1)})"
        if kind == 4:
            return f"{self.value(0)} < {self.value(0)} <= {self.value(0)}"
        return f"({self.condition(depth - 1)}) {self.rng.choice(['and', 'or'])} ({self.condition(depth - 1)})"

    def value(self, depth):
        kind = self.rng.randrange(12)
        if depth <= 0 or kind < 2:
            return self.rng.choice(self.names) if self.rng.random() < 0.75 else self.number()
        if kind < 6:
            return f"({self.value(depth - 1)} {self.rng.choice(['+', '-', '*', '+', '-'])} {self.value(depth - 1)})"
        if kind < 8:
            return f"({self.value(depth - 1)} {self.rng.choice(['//', '%', '/'])} {self.value(depth - 1)})"
        if kind == 8:
            return f"({self.value(depth - 1)} if {self.condition(depth - 1)} else {self.value(depth - 1)})"
        if kind == 9:
            return f"{self.rng.choice(['min', 'max'])}({self.value(depth - 1)}, {self.value(depth - 1)})"
        if kind == 10:
            return f"abs({self.value(depth - 1)})"
        return f"(-{self.rng.choice(self.names)})" if self.rng.random() < 0.5 else f"({self.value(depth - 1)}) ** 2"

    def function(self, number):
        lines = [f"def f{number}(x, y):"]
        for step in range(self.rng.randrange(3)):
            kind, name = self.rng.randrange(3), f"v{step}"
            lines.append(f"    {name} = {self.value(2)}")
            self.names.append(name)
            if kind == 1:
                lines += [f"    if {self.condition(1)}:", f"        {name} = {self.value(1)}"]
            elif kind == 2:
                lines += [f"    for i in range({self.rng.randrange(1, 4)}):", f"        {name} = {name} + {self.value(1)}"]
        return "\n".join([*lines, f"    return {self.value(3)}", ""])


def made_of(text, name):
    """A function of a text that Python can show the source of."""
    file = f"<random {name}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    scope = {}
    exec(compile(text, file, "exec"), scope)  # pylint: disable=exec-used
    return scope[name]


class Varies(Exception):
    """A variable or a branch has two types."""


class Watched(ast.NodeTransformer):
    """The function, with its variables and branches asked for their types."""

    def visit_IfExp(self, node):
        self.generic_visit(node)
        branches = [ast.Lambda(ast.arguments([], [], None, [], [], None, []), b) for b in (node.body, node.orelse)]
        return ast.Call(ast.Name("pick", ast.Load()), [node.test, *branches], [])

    def visit_Assign(self, node):
        self.generic_visit(node)
        name = ast.Constant(node.targets[0].id)
        node.value = ast.Call(ast.Name("same", ast.Load()), [name, node.value], [])
        return node

    def visit_Call(self, node):
        self.generic_visit(node)
        if getattr(node.func, "id", "") in ("min", "max"):
            node.args = [ast.Call(ast.Name("alike", ast.Load()), node.args, [])]
        return node


def watched(text, name):
    """A function that raises Varies where types vary."""
    types = {}

    def alike(*values):
        if len({np.asarray(v).dtype for v in values}) > 1 or len({isinstance(v, np.generic) for v in values}) > 1:
            raise Varies
        return values

    def same(variable, value):
        return alike(types.setdefault(variable, value), value)[1]

    def pick(condition, body, orelse):
        return alike(body(), orelse())[0 if condition else 1]
    scope = {"pick": pick, "same": same, "alike": alike}
    tree = ast.fix_missing_locations(Watched().visit(ast.parse(text)))
    exec(compile(tree, "<watched>", "exec"), scope)  # pylint: disable=exec-used
    return scope[name]


def numbers_of(rng, dtype):
    if np.dtype(dtype).kind == "f":
        return rng.choice([0.0, 1.0, -1.5, 2.25, 7.0, 0.125, -3.0, 100.0], PAIRS).astype(dtype)
    low = -9 if np.dtype(dtype).kind == "i" else 0
    return rng.integers(low, 12, PAIRS).astype(dtype)


def expected_of(function, x, y):
    """What Python gives; None for a function that refuses some of the pairs."""
    made = []
    for a, b in zip(x, y):
        try:
            made.append(function(a, b))
        except (OverflowError, ZeroDivisionError, TypeError, ValueError, Varies):
            return None
    kinds = {np.asarray(m).dtype.kind for m in made}
    if "b" in kinds and len(kinds) > 1:
        return None  # a branch gives a truth value, another a number
    return made


def check(number, seed):
    """Whether one function is right; None if there was nothing to compare."""
    rng = random.Random(seed * 100003 + number)
    arrays = np.random.default_rng(seed * 100003 + number)
    text = Generator(rng).function(number)
    x, y = (numbers_of(arrays, rng.choice(TYPES)) for _ in range(2))
    function = made_of(text, f"f{number}")
    expected = expected_of(watched(text, f"f{number}"), x, y)
    if expected is None:
        return None
    result = np.zeros(PAIRS, np.float64)
    try:
        compute.binary_transform(d_in1=x, d_in2=y, d_out=result, op=function, num_items=PAIRS)
    except (compute.TranslationError, OverflowError) as problem:
        print(f"{text}{x.dtype} {y.dtype}: {problem}")
        return "out of bounds" in str(problem) or "not defined" in str(problem) or "power" in str(problem) or None
    wanted = np.array([float(e) for e in expected])
    with np.errstate(all="ignore"):
        is_right = np.allclose(result, wanted, rtol=2e-4, atol=1e-4, equal_nan=True)
    if not is_right:
        bad = [i for i in range(PAIRS) if not np.isclose(result[i], wanted[i], rtol=2e-4, atol=1e-4, equal_nan=True)]
        i = bad[0]
        print(f"{text}{x.dtype} {x[i]!r}, {y.dtype} {y[i]!r}: {result[i]}, Python: {expected[i]!r}\n")
    return is_right


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    if hasattr(np, "_set_promotion_state"):
        np._set_promotion_state("weak")  # NumPy 2's promotion, before NumPy 2
    answers = [check(number, options.seed) for number in range(options.count)]
    print(f"{answers.count(True)} agree, {answers.count(False)} differ, {answers.count(None)} have no value to compare")
    return 1 if False in answers else 0


if __name__ == "__main__":
    sys.exit(main())
