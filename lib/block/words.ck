// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// block/words.ck - the constants that name an algorithm or an arrangement, as in
// block.reduce<raking>(v, +). All have different values, so that a function can reject a constant
// that it doesn't support.

// Loads and stores: the arrangement (blocked, striped, warp_striped), and other ways to the blocked
// arrangement.
const blocked: u32 = 0;
const striped: u32 = 1;
const warp_striped: u32 = 2;
const vectorized: u32 = 3;
const transpose: u32 = 4;
const warp_transpose: u32 = 5;
const warp_transpose_timesliced: u32 = 6;

// Histograms: sort; the default is atomic operations.
const sort: u32 = 7;

// Reductions and scans; a function's contract lists those that it supports. The default (0) is the
// fastest.
const warp_reductions: u32 = 8;
const raking: u32 = 9;
const raking_commutative_only: u32 = 10;
const raking_memoize: u32 = 11;
const warp_scans: u32 = 12;
const warp_reductions_nondeterministic: u32 = 13;

// Ranks by a digit, and the passes of a sort.
const match: u32 = 22;
const match_early_counts_any: u32 = 23;
const basic: u32 = 24;
const memoize: u32 = 25;

// Exchanges: the old and the new arrangement.
const blocked_to_striped: u32 = 16;
const striped_to_blocked: u32 = 17;
const blocked_to_warp_striped: u32 = 18;
const warp_striped_to_blocked: u32 = 19;
const scatter_to_blocked: u32 = 20;
const scatter_to_striped: u32 = 21;
const __no_word: u32 = ~0u32;
