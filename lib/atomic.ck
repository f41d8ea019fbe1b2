// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// atomic.ck - atomic operations and fences. Each takes the memory itself (an element of a span,
// shared memory), does one indivisible step there, and gives the value from before.
//
// order: relaxed acquire release acq_rel seq_cst; scope: block cluster device system, the threads
// among which the step is one. Without them: relaxed, device. The numbers are front/memory.def's.
// Mapping to PTX: Lustig, Sahasrabuddhe, Giroux, "A Formal Analysis of the NVIDIA PTX Memory
// Consistency Model" (ASPLOS 2019): seq_cst is fence.sc before the acquire form.

fn atomic.load<T: type, const order: u32 = 0, const scope: u32 = 2>(p: in __place<T>) -> T = __memory("load", p, order, scope);
fn atomic.store<T: type, const order: u32 = 0, const scope: u32 = 2>(p: out __place<T>, value: T) = __memory("store", p, value, order, scope);
fn atomic.exchange<T: type, const order: u32 = 0, const scope: u32 = 2>(p: __place<T>, value: T) -> T = __memory("exchange", p, value, order, scope);

// What is there becomes `value` if it is `expected`, bit for bit.
fn atomic.compare_exchange<T: type, const order: u32 = 0, const scope: u32 = 2>(p: __place<T>, expected: T, value: T) -> T = __memory("cas", p, expected, value, order, scope);
// The same; gives the value from before and whether it was exchanged.
fn atomic.try_exchange<T: int, const order: u32 = 0, const scope: u32 = 2>(p: __place<T>, expected: T, value: T) -> (T, bool) {
    let old = __memory("cas", p, expected, value, order, scope);
    return (old, old == expected);
}

fn atomic.add<T: type, const order: u32 = 0, const scope: u32 = 2>(p: __place<T>, value: T) -> T = __memory("add", p, value, order, scope);
fn atomic.sub<T: type, const order: u32 = 0, const scope: u32 = 2>(p: __place<T>, value: T) -> T = __memory("sub", p, value, order, scope);
// Of floats, the one that is a number if the other is NaN.
fn atomic.min<T: type, const order: u32 = 0, const scope: u32 = 2>(p: __place<T>, value: T) -> T = __memory("min", p, value, order, scope);
fn atomic.max<T: type, const order: u32 = 0, const scope: u32 = 2>(p: __place<T>, value: T) -> T = __memory("max", p, value, order, scope);
fn atomic.and<T: type, const order: u32 = 0, const scope: u32 = 2>(p: __place<T>, value: T) -> T = __memory("and", p, value, order, scope);
fn atomic.or<T: type, const order: u32 = 0, const scope: u32 = 2>(p: __place<T>, value: T) -> T = __memory("or", p, value, order, scope);
fn atomic.xor<T: type, const order: u32 = 0, const scope: u32 = 2>(p: __place<T>, value: T) -> T = __memory("xor", p, value, order, scope);

// Counts up to `last`, then from 0; counts down to 0, then from `last`. Of unsigned integers.
fn atomic.inc<T: int, const order: u32 = 0, const scope: u32 = 2>(p: __place<T>, last: T) -> T = __memory("inc", p, last, order, scope);
fn atomic.dec<T: int, const order: u32 = 0, const scope: u32 = 2>(p: __place<T>, last: T) -> T = __memory("dec", p, last, order, scope);

// Orders what the thread did before it and what it does after it.
fn atomic.fence<const order: u32 = 3, const scope: u32 = 2>() = __memory("fence", order, scope);
