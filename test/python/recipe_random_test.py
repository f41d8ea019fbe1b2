#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""recipe_random_test.py - random calls of cokernel.compute, with recipes and without, give the same.

    recipe_random_test.py [--count=N] [--seed=S]

Operands are drawn from few arrays, iterators, operators and captured values, so that many calls are alike,
and many differ in one thing alone. Each call is made twice: as users do, and by the function that writes
its text each time. Results and kinds of exceptions have to be equal.
"""
import argparse
import random
import sys

import numpy as np

from cokernel import compute
from cokernel.compute import CacheModifiedInputIterator, ConstantIterator, CountingIterator, OpKind, \
    PermutationIterator, ReverseIterator, TransformIterator
from cokernel.compute.iterators import PointerIterator

LENGTH = 24
scale, table = 2, np.arange(1, 40, dtype="i4")
POOL = [np.arange(1, 60, dtype=dtype) + more for dtype in ("i4", "i8") for more in (0, 5)]
UNARY = [lambda v: v + 1, lambda v: v * scale, lambda v: table[v % 30], lambda v: -v if v % 2 == 0 else v]
BINARY = [OpKind.PLUS, OpKind.MAXIMUM, lambda a, b: a + b, lambda a, b: max(a, b), "|a, b| a + b"]


class Draw:
    """Draws operands."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def number(self, below):
        return self.random.choice((np.int32, np.int64))(self.random.randrange(below))

    def array(self):
        array = self.random.choice(POOL)
        return array if self.random.random() < 0.5 else array[self.random.randrange(8):]

    def iterator(self, depth=0):
        below = self.random.randrange
        makers = [self.array, lambda: CountingIterator(self.number(9)), lambda: ConstantIterator(self.number(9)),
                  lambda: PointerIterator(self.array(), below(9)), lambda: ReverseIterator(self.array()[:LENGTH + below(5)]),
                  lambda: PermutationIterator(self.array(), CountingIterator(np.int64(below(5)))),
                  lambda: CacheModifiedInputIterator(self.array())]
        if depth < 2:
            makers.append(lambda: TransformIterator(self.iterator(depth + 1), self.random.choice(UNARY)))
        return self.random.choice(makers)()

    def captures(self):
        global scale, table  # pylint: disable=global-statement
        if self.random.random() < 0.1:
            scale = self.random.choice((2, 3, 5, np.int32(4)))
        if self.random.random() < 0.1:
            table = np.arange(1, 40, dtype=self.random.choice(("i4", "i8"))) * self.random.randrange(1, 4)

    def call(self):
        """A function, and what gives it operands anew, with the arrays that it writes."""
        self.captures()
        choose, dtype = self.random.choice, self.random.choice(("i4", "i8"))
        count, first, second, op, map_ = self.random.randrange(1, LENGTH - 6), self.iterator(), self.iterator(), \
            choose(BINARY), choose(UNARY)
        given = np.array([self.random.randrange(20) for _ in range(LENGTH)], dtype)
        init, in_place = np.array([self.random.randrange(9)], dtype), self.random.random() < 0.3
        name = choose(("reduce_into", "inclusive_scan", "exclusive_scan", "unary_transform", "binary_transform",
                       "merge_sort"))

        def operands():
            out = given.copy()
            x = out if in_place and name != "reduce_into" else first
            more = {"reduce_into": {"d_in": x, "op": op, "h_init": init},
                    "inclusive_scan": {"d_in": x, "op": op, "init_value": None},
                    "exclusive_scan": {"d_in": x, "op": op, "init_value": init},
                    "unary_transform": {"d_in": x, "op": map_},
                    "binary_transform": {"d_in1": x, "d_in2": second, "op": op},
                    "merge_sort": {"d_in_keys": x, "op": OpKind.LESS}}[name]
            return {**more, "d_out_keys" if name == "merge_sort" else "d_out": out, "num_items": count}, out
        return name, operands


def outcome(function, operands):
    given, out = operands()
    try:
        function(**given)
    except Exception as error:  # pylint: disable=broad-except
        return type(error).__name__
    return out.tolist()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    draw, differ = Draw(options.seed), 0
    for number in range(options.count):
        name, operands = draw.call()
        function = getattr(compute, name)
        quick, slow = (outcome(f, operands) for f in (function, function.__wrapped__))
        if quick != slow:
            differ += 1
            print(f"call {number}, {name}: {quick} with recipes, {slow} without: {operands()[0]}")
    print(f"{options.count} calls, {differ} differ")
    return differ > 0


if __name__ == "__main__":
    sys.exit(main())
