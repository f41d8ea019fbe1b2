// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// atomic.ck - atomic operations and fences. An operation takes the memory location itself (an
// element of a span, shared memory) and returns the value that it held before.
//
// order: relaxed acquire release acq_rel seq_cst; scope, the threads for which the operation is
// atomic: block cluster device system. The defaults are relaxed and device. The numbers are those
// of front/memory.def.
//
// Mapping to PTX: Lustig, Sahasrabuddhe, Giroux, "A Formal Analysis of the NVIDIA PTX Memory
// Consistency Model" (ASPLOS 2019): seq_cst is fence.sc followed by the acquire form.

fn atomic.load<T: type, const order: u32 = 0, const scope: u32 = 2>(p: in __place<T>) -> T = __memory("load", p, order, scope);
fn atomic.store<T: type, const order: u32 = 0, const scope: u32 = 2>(p: out __place<T>, value: T) = __memory("store", p, value, order, scope);
fn atomic.exchange<T: type, const order: u32 = 0, const scope: u32 = 2>(p: __place<T>, value: T) -> T = __memory("exchange", p, value, order, scope);

// Stores `value` if the location holds `expected`, bit for bit.
fn atomic.compare_exchange<T: type, const order: u32 = 0, const scope: u32 = 2>(p: __place<T>, expected: T, value: T) -> T = __memory("cas", p, expected, value, order, scope);
// Like compare_exchange; also returns whether `value` was stored.
fn atomic.try_exchange<T: int, const order: u32 = 0, const scope: u32 = 2>(p: __place<T>, expected: T, value: T) -> (T, bool) {
    let old = __memory("cas", p, expected, value, order, scope);
    return (old, old == expected);
}

fn atomic.add<T: type, const order: u32 = 0, const scope: u32 = 2>(p: __place<T>, value: T) -> T = __memory("add", p, value, order, scope);
fn atomic.sub<T: type, const order: u32 = 0, const scope: u32 = 2>(p: __place<T>, value: T) -> T = __memory("sub", p, value, order, scope);
// If one operand of a float is NaN, the result is the other one.
fn atomic.min<T: type, const order: u32 = 0, const scope: u32 = 2>(p: __place<T>, value: T) -> T = __memory("min", p, value, order, scope);
fn atomic.max<T: type, const order: u32 = 0, const scope: u32 = 2>(p: __place<T>, value: T) -> T = __memory("max", p, value, order, scope);
fn atomic.and<T: type, const order: u32 = 0, const scope: u32 = 2>(p: __place<T>, value: T) -> T = __memory("and", p, value, order, scope);
fn atomic.or<T: type, const order: u32 = 0, const scope: u32 = 2>(p: __place<T>, value: T) -> T = __memory("or", p, value, order, scope);
fn atomic.xor<T: type, const order: u32 = 0, const scope: u32 = 2>(p: __place<T>, value: T) -> T = __memory("xor", p, value, order, scope);

// inc: 0 if the value is `last` or above, else + 1. dec: `last` if the value is 0 or above `last`,
// else - 1. For unsigned integers.
fn atomic.inc<T: int, const order: u32 = 0, const scope: u32 = 2>(p: __place<T>, last: T) -> T = __memory("inc", p, last, order, scope);
fn atomic.dec<T: int, const order: u32 = 0, const scope: u32 = 2>(p: __place<T>, last: T) -> T = __memory("dec", p, last, order, scope);

// Orders the thread's earlier memory accesses before its later ones.
fn atomic.fence<const order: u32 = 3, const scope: u32 = 2>() = __memory("fence", order, scope);
