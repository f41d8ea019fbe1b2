// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// memory.ck - loads and stores with cache hints (PTX ISA, "Cache Operators" and "Cache Eviction
// Priority Hints"), volatile ones, and prefetches. A hint never changes a value. The host and shared
// memory ignore hints.
//
// cache of loads: all, global (not in L1), streaming, last (last use), no_allocate (not kept in
// L1), evict_first, evict_last (the first and the last to leave L1), constant (no thread writes the
// memory during the kernel), through (fetch again), volatile. Of stores: all, global, streaming,
// no_allocate, evict_first, evict_last, through, volatile. Of prefetches: global (into L2), all
// (into L1 too). The numbers are those of front/memory.def.

fn load<T: type, const cache: u32 = 0>(p: in __place<T>) -> T = __memory("load_hint", p, cache);
fn store<T: type, const cache: u32 = 0>(p: out __place<T>, value: T) = __memory("store_hint", p, value, cache);

// Brings the line of 128 bytes with this element into the cache, and waits for nothing.
fn prefetch<T: type, const cache: u32 = 1>(p: in __place<T, global>) {
    static_assert(cache <= 1, "prefetch takes cache = global or all");
    comptime if (!target.is_host) {
        comptime if (cache == 0) asm("prefetch.global.L1 [$0];", u64(ptr<T>(address(p))), volatile = true);
        else asm("prefetch.global.L2 [$0];", u64(ptr<T>(address(p))), volatile = true);
    }
}
