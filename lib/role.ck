// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// role.ck - roles: some warps of a block that do something of their own (front/split.c).
//
// In split { worker(warps = 4) { ... } ... }, worker is a group of threads. It is written here as
// block.part<FIRST, WARPS, ID>: its first warp, how many it has, and its hardware barrier, 1 to 15.

// Has this thread the role?
fn block.part.has<const FIRST: u32, const WARPS: u32, const ID: u32> -> bool = __assume_part(warp.rank - FIRST < WARPS);

// The number of threads, the thread's and the warp's number in the role.
fn block.part.size<const FIRST: u32, const WARPS: u32, const ID: u32> -> u32 = 32 * WARPS;
fn block.part.rank<const FIRST: u32, const WARPS: u32, const ID: u32> -> u32 = thread.rank - 32 * FIRST;
fn block.part.warp<const FIRST: u32, const WARPS: u32, const ID: u32> -> u32 = __assume_warp(warp.rank - FIRST);

// The indices below n that belong to this thread: its rank, rank + size, ...
fn block.part.stride<const FIRST: u32, const WARPS: u32, const ID: u32, T: int>(n: T) = (T(thread.rank - 32 * FIRST)..n).step(T(32 * WARPS));

// Waits until every thread of the role has arrived; what they wrote before is then visible to all
// of them (PTX ISA, "bar.sync").
fn block.part.sync<const FIRST: u32, const WARPS: u32, const ID: u32>() = __part_sync(FIRST, WARPS, ID);

// What registers = COUNT does (PTX ISA, "setmaxnreg"). A thread starts with its part of the 65536 of
// a multiprocessor, in units of 8, at most 255.
fn block.part.registers<const FIRST: u32, const WARPS: u32, const ID: u32, const COUNT: u32>() {
    static_assert(FIRST % 4 == 0 && WARPS % 4 == 0, "registers are given to groups of 4 warps");
    static_assert(COUNT % 8 == 0 && COUNT >= 24 && COUNT <= 256, "the registers of a role are a multiple of 8, from 24 to 256");
    comptime if (!__is_host() && __sm() >= 90 && __is_chip()) {
        const FAIR: u32 = min(65536 / block.size / 8 * 8, 248);
        comptime if (COUNT > FAIR) asm("setmaxnreg.inc.sync.aligned.u32 $0;", COUNT, volatile = true, convergent = true);
        else asm("setmaxnreg.dec.sync.aligned.u32 $0;", COUNT, volatile = true, convergent = true);
    }
}

// ---- by all threads of the role ----

// f of the values of all threads, in their order, in each of them.
fn block.part.reduce<const FIRST: u32, const WARPS: u32, const ID: u32, T: type, F: fn>(v: T, f: F) -> T {
    shared parts: T[WARPS];
    let of_warp = warp.reduce(v, f);
    if (warp.lane == 0) parts[warp.rank - FIRST] = of_warp;
    __part_sync(FIRST, WARPS, ID);
    var r = parts[0];
    for (k in 1..WARPS) r = f(r, parts[k]);
    __part_sync(FIRST, WARPS, ID); // the parts have been read
    return __assume_part(r);
}
// f of the values of the threads up to and with this one, in their order.
fn block.part.inclusive_scan<const FIRST: u32, const WARPS: u32, const ID: u32, T: type, F: fn>(v: T, f: F) -> T {
    shared parts: T[WARPS];
    var r = warp.inclusive_scan(v, f);
    if (warp.lane == 31) parts[warp.rank - FIRST] = r;
    __part_sync(FIRST, WARPS, ID);
    if (warp.rank > FIRST) {
        var before = parts[0];
        for (k in 1..warp.rank - FIRST) before = f(before, parts[k]);
        r = f(before, r);
    }
    __part_sync(FIRST, WARPS, ID); // the parts have been read
    return r;
}
