// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// block/words.ck - the words that choose an algorithm or an arrangement: block.reduce<raking>(v, +).
// Each has a number of its own, so that a function knows one that it does not take.

// Of loads and stores: who has which elements (blocked, striped, warp_striped), and other ways to
// the blocked arrangement.
const blocked: u32 = 0;
const striped: u32 = 1;
const warp_striped: u32 = 2;
const vectorized: u32 = 3;
const transpose: u32 = 4;
const warp_transpose: u32 = 5;
const warp_transpose_timesliced: u32 = 6;

// Of histograms; without it, they count by atomic steps.
const sort: u32 = 7;

// Of reductions and scans; each takes those that its contract names. Without one (0): what is fastest.
const warp_reductions: u32 = 8;
const raking: u32 = 9;
const raking_commutative_only: u32 = 10;
const raking_memoize: u32 = 11;
const warp_scans: u32 = 12;
const warp_reductions_nondeterministic: u32 = 13;

// Of ranks by a digit, and of the passes of a sort.
const match: u32 = 22;
const match_early_counts_any: u32 = 23;
const basic: u32 = 24;
const memoize: u32 = 25;

// Of exchanges: from where the items are to where they come.
const blocked_to_striped: u32 = 16;
const striped_to_blocked: u32 = 17;
const blocked_to_warp_striped: u32 = 18;
const warp_striped_to_blocked: u32 = 19;
const scatter_to_blocked: u32 = 20;
const scatter_to_striped: u32 = 21;
const __no_word: u32 = ~0u32;
