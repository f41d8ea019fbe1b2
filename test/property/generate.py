#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""generate.py - writes random calls of lib/block and lib/warp, each with an oracle in loops.

    generate.py --seed=7 --count=4 > four.ck
    generate.py --seed=1 --count=200 --coverage

Configuration S is a row and a variant of the table (rows.py) with the shape of a block, a number of
items per thread, a type, an operator, and counts of valid items (configuration.py). Kernel pS calls
the function; kernel oS computes the same in loops of one thread, and uses nothing of lib/block and
lib/warp. --coverage prints how often each row and variant occurs, and with what. It fails if a row,
a variant, a type or an operator does not occur, and if a public function of the library has no row.
"""
import argparse
import collections
import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [HERE]
sys.path += [os.path.join(os.path.dirname(HERE), "random"), os.path.dirname(HERE)]  # bits.py, heads.py

# pylint: disable=wrong-import-position
import configuration
import elements
import heads
from rows import PAIRS, ROWS

# The distance in PAIRS of consecutive configurations, so that a few of them are a mixture.
STRIDE = 71


def place(seed):
    """Returns the row and the variant of a seed."""
    return PAIRS[seed * STRIDE % len(PAIRS)]


def make(seed):
    row, variant = place(seed)
    return configuration.Configuration(seed, row, variant)


def names():
    return sorted({row.name for row, _ in PAIRS})


def name(seed):
    return place(seed)[0].name


def kernels(seed):
    """Returns the kernels that must have equal results, the oracle first."""
    return [f"o{seed}", f"p{seed}"]


def module(seeds):
    """Returns the text of a module with the configurations of these seeds."""
    return "\n".join([elements.COMMON] + [make(seed).text() for seed in seeds])


def inputs(seed):
    """Returns {parameter: bytes}; a scalar takes 8 bytes (serve.c)."""
    rng = random.Random(seed)
    data = {"zero": bytes(8), "x": rng.randbytes(8 * configuration.INPUTS),
            "y": bytes(8 * configuration.PLACES)}
    for name in configuration.SPANS:
        bits = rng.randbytes(configuration.SPAN * elements.BYTES[name])
        data[f"in_{name}"] = bits
        data[f"out_{name}"] = bits
    data["counts"] = rng.randbytes(4 * configuration.BINS)
    return data


def public_names():
    """Returns the functions of lib/block and lib/warp, except for warp.active: the hardware decides
    which lanes run together (test/run/active-lanes.ck tests what always holds)."""
    return {head.name for head in heads.heads(heads.find_ckc(), heads.find_library(), refused=True)
            if head.file.startswith(("block/", "warp/")) and head.receiver} - {"warp.active"}


def coverage(seeds):
    """Prints the table; returns False if something is missing."""
    counts, aspects = collections.Counter(), collections.defaultdict(collections.Counter)
    for seed in seeds:
        made = make(seed)
        made.text()
        counts[made.row, made.variant] += 1
        aspects[made.row].update(made.aspects + [made.type])
    missing = [f"{row.name}<{variant}>" for row, variant in PAIRS if not counts[row, variant]]
    missing += sorted(public_names() - {row.name for row in ROWS})
    everywhere = sum(aspects.values(), collections.Counter())
    missing += [name for name in elements.TYPES if not everywhere[name]]
    missing += [f"f = {op.name}" for op in elements.OPERATORS if not everywhere[f"f = {op.name}"]]
    for row in ROWS:
        words = [f"{variant or 'plain'} {counts[row, variant]}" for variant in row.variants]
        print(f"{row.name}: " + ", ".join(words))
        print("    " + ", ".join(f"{name} {count}" for name, count in sorted(aspects[row].items())))
    print("missing: " + (", ".join(missing) or "nothing"))
    return not missing


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--seed", type=int, default=1, help="of the first one; then one more each")
    parser.add_argument("--count", type=int, default=1, help="configurations in the module")
    parser.add_argument("--coverage", action="store_true", help="a table of what occurs how often")
    args = parser.parse_args()
    seeds = range(args.seed, args.seed + args.count)
    if args.coverage:
        return 0 if coverage(seeds) else 1
    print(module(seeds), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
