# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""rows.py - the table of what is tested: a row for each function of lib/block and lib/warp, with
its variants.

A row's function draws a configuration `c` of the variant, and writes its two kernels.
"""
from folds import (batched, fold, scan, segmented_lanes, segmented_reduce, segmented_scan, to_one,
                   votes)
from moves import (compact, copy, copy_rows, difference, exchange, flag_lanes, flag_threads, flags,
                   histogram, load, move, prefetch, run_lengths, scatter, shuffle, shuffle_lanes, store,
                   wide)
from sorts import bitonic, fields, merge, radix, rank, search, top

WARPS = ("warp", "tile")
GROUPS = ("block",) + WARPS


class Row:
    """A public function of the library for a group, and the keywords that it takes in <...>."""

    def __init__(self, group, name, fill, variants=("",)):
        self.group, self.method, self.fill, self.variants = group, name, fill, variants
        self.name = ("warp.tile" if group == "tile" else group) + "." + name


REDUCTIONS = ("", "warp_reductions", "raking", "raking_commutative_only",
              "warp_reductions_nondeterministic")
SCANS = ("", "raking", "raking_memoize", "warp_scans")
LOADS = ("", "blocked", "striped", "warp_striped", "vectorized", "transpose", "warp_transpose",
         "warp_transpose_timesliced")
WARP_LOADS = ("", "blocked", "striped", "vectorized", "transpose")
MEMORY = (("load", load), ("store", store))
EXCHANGES = ("blocked_to_striped", "striped_to_blocked")
WARP_EXCHANGES = ("blocked_to_warp_striped", "warp_striped_to_blocked")
SHUFFLES = tuple(f"{how} {way}" for how in EXCHANGES for way in ("by shuffle", "by memory"))
RANKS = ("", "match", "match_early_counts_any", "basic", "memoize")
BATCHES = ("", "blocked", "striped")
SCATTERS = ("scatter_to_blocked", "scatter_to_striped")


def _table():
    rows = [
        Row("block", "reduce", fold, REDUCTIONS),
        Row("block", "reduce_to", to_one, REDUCTIONS),
    ]
    for method in ("inclusive_scan", "exclusive_scan", "inclusive_scan_total", "exclusive_scan_total"):
        rows.append(Row("block", method, scan, SCANS))
        rows += [Row(group, method, scan) for group in WARPS]
    for method in ("segmented_inclusive_scan", "segmented_exclusive_scan"):
        rows.append(Row("block", method, segmented_scan, SCANS))
        rows += [Row(group, method, segmented_scan) for group in WARPS]
    rows.append(Row("block", "segmented_reduce", segmented_reduce, SCANS))
    rows += [Row("block", name, flag_threads) for name in ("any", "all", "count")]
    rows.append(Row("block", "reduce_batched", batched))
    rows += [Row(group, "reduce_batched", batched, BATCHES) for group in WARPS]
    for group in WARPS:
        rows += [Row(group, name, votes) for name in ("sum", "min", "max", "and")]
        rows += [Row(group, "shuffle", shuffle_lanes), Row(group, "ballot", flag_lanes)]
        rows.append(Row(group, "reduce", fold))
        rows.append(Row(group, "segmented_reduce", segmented_lanes, ("heads", "tails")))
    rows += [Row("block", name, function, LOADS) for name, function in MEMORY]
    rows.append(Row("block", "exchange", exchange, EXCHANGES + WARP_EXCHANGES))
    rows.append(Row("block", "exchange", scatter, SCATTERS))
    for group in WARPS:
        rows += [Row(group, name, function, WARP_LOADS) for name, function in MEMORY]
        rows += [Row(group, "exchange", exchange, EXCHANGES + SHUFFLES)]
        rows.append(Row(group, "exchange", scatter, SCATTERS))
    rows.append(Row("block", "shuffle", shuffle))
    for name in ("shuffle_up", "shuffle_down", "shuffle_up_last", "shuffle_down_first"):
        rows.append(Row("block", name, move))
    rows += [Row("block", name, flags) for name in ("heads", "tails", "heads_and_tails")]
    rows.append(Row("block", "adjacent_difference", difference))
    rows.append(Row("block", "adjacent_difference_right", difference))
    rows += [Row(group, "compact", compact, ("", "striped")) for group in GROUPS]
    rows.append(Row("block", "histogram", histogram, ("", "sort")))
    rows.append(Row("block", "run_length_decode", run_lengths, ("", "offsets")))
    rows.append(Row("block", "prefetch", prefetch))
    rows += [Row("block", "memcpy_async", copy, ("", "barrier")), Row("block", "memcpy_async", copy_rows)]
    for name, variants in (("load", ("", "swizzle")), ("store", ("",)), ("swizzled", ("swizzle",))):
        rows.append(Row("block", name, wide, variants))
        rows[-1].name = "thread." + name  # a function that each thread calls for itself
    rows += [Row("block", name, search) for name in ("lower_bound", "upper_bound")]
    rows.append(Row("block", "radix_sort", radix, ("keys", "pairs", "keys striped", "pairs striped")))
    rows.append(Row("block", "radix_sort", fields, ("by", "pairs by", "by striped", "pairs by striped")))
    rows += [Row("block", name, rank, RANKS) for name in ("radix_rank", "radix_rank_prefix")]
    rows += [Row(group, "top_k", top, ("keys", "pairs")) for group in GROUPS]
    rows += [Row(group, "merge_sort", merge, ("keys", "pairs")) for group in GROUPS]
    rows += [Row(group, "bitonic_sort", bitonic) for group in GROUPS]
    return rows


ROWS = _table()
PAIRS = [(row, variant) for row in ROWS for variant in row.variants]
