# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""rows.py - what there is: a row for each primitive of lib/block and lib/warp, with its variants.

A row's function draws a configuration `c` of the variant, and writes its two kernels.
"""

from folds import batched, fold, to_one

WARPS = ("warp", "tile")


class Row:
    """A public name of the library for a group, and the words that it takes in <...>."""

    def __init__(self, group, name, function, variants=("",), **options):
        self.group, self.method, self.function = group, name, function
        self.name = ("warp.tile" if group == "tile" else group) + "." + name
        self.variants, self.options = variants, options

    def fill(self, c):
        self.function(c, **self.options)


REDUCTIONS = ("", "warp_reductions", "raking", "raking_commutative_only")
SCANS = ("", "raking", "raking_memoize", "warp_scans")


def _table():
    rows = [
        Row("block", "reduce", fold, REDUCTIONS),
        Row("block", "reduce_to", to_one, REDUCTIONS),
        Row("block", "reduce_batched", batched),
    ]
    return rows


ROWS = _table()
PAIRS = [(row, variant) for row in ROWS for variant in row.variants]
