// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// block/words.ck - the words that choose an algorithm or an arrangement: block.reduce<raking>(v, +).

// Of reductions and scans; each takes those that its contract names. Without one: what is fastest.
const warp_reductions: u32 = 1;
const raking: u32 = 2;
const raking_commutative_only: u32 = 3;
const raking_memoize: u32 = 4;
const warp_scans: u32 = 5;

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
