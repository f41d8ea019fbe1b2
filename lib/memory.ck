// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// memory.ck - loads and stores with cache hints (PTX ISA, "Cache Operators"), and volatile ones. A
// hint never changes a value. The host and shared memory ignore hints.
//
// cache of loads: all, global (not in L1), streaming, last (last use), no_allocate (not kept in
// L1), constant (no thread writes the memory during the kernel), through (fetch again), volatile.
// Of stores: all, global, streaming, no_allocate, through, volatile. The numbers are those of
// front/memory.def.

fn load<T: type, const cache: u32 = 0>(p: in __place<T>) -> T = __memory("load_hint", p, cache);
fn store<T: type, const cache: u32 = 0>(p: out __place<T>, value: T) = __memory("store_hint", p, value, cache);
