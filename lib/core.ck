// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// core.ck - what every module sees: who a thread is, how it waits, and small arithmetic.

// ---- the thread in its block, 0 <= thread.x < block.dim.x and so on ----

fn thread.x -> u32 = __thread_x();
fn thread.y -> u32 = __thread_y();
fn thread.z -> u32 = __thread_z();

// The thread's number in its block, x fastest: 0 to block.size - 1.
fn thread.rank -> u32 = __thread_x() + __block_dim_x() * (__thread_y() + __block_dim_y() * __thread_z());

// On the host one CPU thread runs the threads of a block in turns, and all of a cooperative grid. What one of
// them does alone costs less than what all share with barriers and shuffles between them. A checked build does
// as a GPU does all the same: it looks at what each thread reads and writes.
fn __is_serial() -> bool = __is_host() && !__is_checked();

// ---- the warp: 32 threads that run together ----

fn warp.size -> u32 = 32;
fn warp.lane -> u32 = __lane();
// The warp's number in its block.
fn warp.rank -> u32 = __assume_warp(thread.rank / 32);

// Waits until every thread of the warp is here; what they wrote before is then seen by all of them.
// All 32 threads call it, or those of `mask` (bit i is lane i).
fn warp.sync() = __warp_sync(~0u32);
fn warp.sync(mask: u32) = __warp_sync(mask);

// ---- the block ----

fn block.id.x -> u32 = __block_id_x();
fn block.id.y -> u32 = __block_id_y();
fn block.id.z -> u32 = __block_id_z();
fn block.dim.x -> u32 = __block_dim_x();
fn block.dim.y -> u32 = __block_dim_y();
fn block.dim.z -> u32 = __block_dim_z();

// Threads of a block.
fn block.size -> u32 = __block_dim_x() * __block_dim_y() * __block_dim_z();

// The block's number in the grid, x fastest.
fn block.rank -> u64 = u64(__block_id_x()) + u64(__grid_dim_x()) * (u64(__block_id_y()) + u64(__grid_dim_y()) * u64(__block_id_z()));

// Waits until every thread of the block is here; what they wrote before is then seen by all of
// them. All threads of the block that have not ended call it.
fn block.sync() = __block_sync();

// thread.rank, then on by block.size, while below n: shares 0..n among the threads of a block.
fn block.stride<T: int>(n: T) = (T(thread.rank)..n).step(T(block.size));

// ---- the grid ----

fn grid.dim.x -> u32 = __grid_dim_x();
fn grid.dim.y -> u32 = __grid_dim_y();
fn grid.dim.z -> u32 = __grid_dim_z();

// Threads of the grid.
fn grid.size -> u64 = u64(__grid_dim_x()) * u64(__grid_dim_y()) * u64(__grid_dim_z()) * u64(block.size);

// The thread's number in the grid: 0 to grid.size - 1.
fn grid.thread_rank -> u64 = block.rank * u64(block.size) + u64(thread.rank);

// grid.thread_rank, then on by grid.size, while below n: shares 0..n among the threads of the grid.
fn grid.stride<T: int>(n: T) = (T(grid.thread_rank)..n).step(T(grid.size));

// What an algorithm returns.
fn grid.__give<T: type>(to: out T[], value: T) { if (grid.thread_rank == 0) to[0] = value; }

// Waits until every thread of the grid is here; what they wrote before is then seen by all of them.
// The launch is cooperative: all blocks run at a time. On a GPU the blocks count themselves in a
// word that the driver keeps for the launch (cooperative groups' protocol): the top bit of it turns
// when the last one has come.
fn grid.sync() {
    comptime if (__is_host()) {
        __grid_wait();
    } else {
        block.sync();
        if (thread.rank == 0) {
            let at = __grid_workspace() + 4;
            let blocks = __grid_dim_x() * __grid_dim_y() * __grid_dim_z();
            let old = __grid_arrive(at, block.rank == 0 ? 0x80000001u32 - blocks : 1);
            while ((__grid_poll(at) ^ old) >> 31 == 0) {}
        }
        block.sync();
    }
}

// Waits until the launches that this one comes after have ended; what they wrote is then seen by the
// thread that calls it. A programmatic launch may have started before: all that reads or writes what
// they do comes after it. In another launch, below sm_90 and on the host they have ended anyway.
fn grid.wait_dependencies() { comptime if (__is_host() || target.sm >= 90) __wait_dependencies(); }

// Lets programmatic launches that come after this one start, once a thread of each block has called it
// or the block has ended. They wait for the end of this one where they call wait_dependencies.
fn grid.launch_dependents() { comptime if (__is_host() || target.sm >= 90) __launch_dependents(); }

// ---- time ----

// Cycles of the multiprocessor's clock, on the host of the processor's time stamp counter. The difference of
// two of one thread is time; the compiler moves nothing over it that writes memory.
fn clock64() -> u64 = __clock();

// The thread sleeps for about `ns` nanoseconds, at most twice as long, 1000000 at most; on the host not at all.
fn nanosleep(ns: u32) { comptime if (!__is_host()) asm("nanosleep.u32 $0;", ns, volatile = true); }

// ---- small arithmetic ----

// a / b rounded up, also below zero; a + b may exceed the type's range. By 0 it is a / 0: all ones.
// The remainder has a's sign: where it is b's too, the quotient was cut down.
fn ceil_div<T: int>(a: T, b: T) -> T = a / b + T((b != 0) & (a % b != 0) & ((a % b < 0) == (b < 0)));

// The smaller and the larger of two. Of floats, the one that is a number if the other is NaN.
fn min<T: int>(a: T, b: T) -> T = b < a ? b : a;
fn min(a: f32, b: f32) -> f32 = __fminf(a, b);
fn min(a: f64, b: f64) -> f64 = __fmin(a, b);
fn max<T: int>(a: T, b: T) -> T = a < b ? b : a;
fn max(a: f32, b: f32) -> f32 = __fmaxf(a, b);
fn max(a: f64, b: f64) -> f64 = __fmax(a, b);

// The magnitude. abs of the lowest integer is itself.
fn abs<T: int>(a: T) -> T = a < 0 ? T(0) - a : a;
fn abs(a: f32) -> f32 = __fabsf(a);
fn abs(a: f64) -> f64 = __fabs(a);

// x, or the end of lo..hi that it lies beyond.
fn clamp<T: number>(x: T, lo: T, hi: T) -> T = min(max(x, lo), hi);
