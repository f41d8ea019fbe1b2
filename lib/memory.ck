// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// memory.ck - loads and stores that say how the caches treat them (PTX ISA, "Cache Operators"), and
// volatile ones. The hints change no value; the host and shared memory have none.
//
// cache of loads: all, global (not in L1), streaming, last (use), no_allocate (not kept in L1),
// constant (nobody writes it while the kernel runs), through (fetch again), volatile. Stores: all,
// global, streaming, no_allocate, through, volatile. The numbers are front/memory.def's.

fn load<T: type, const cache: u32 = 0>(p: in __place<T>) -> T = __memory("load_hint", p, cache);
fn store<T: type, const cache: u32 = 0>(p: out __place<T>, value: T) = __memory("store_hint", p, value, cache);
