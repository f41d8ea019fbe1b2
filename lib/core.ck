// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// core.ck - the part of the library that every module uses: the position of a thread in warp, block
// and grid, barriers, programmatic launches, and small arithmetic.

// ---- the thread in its block, 0 <= thread.x < block.dim.x and so on ----

fn thread.x -> u32 = __thread_x();
fn thread.y -> u32 = __thread_y();
fn thread.z -> u32 = __thread_z();

// The thread's linear index in its block, x fastest: 0 to block.size - 1.
fn thread.rank -> u32 = __thread_x() + __block_dim_x() * (__thread_y() + __block_dim_y() * __thread_z());

// On the host, one CPU thread executes all threads of a block (and all blocks of a cooperative
// grid) as coroutines, and each barrier or shuffle costs a switch between them. A serial loop by
// one of them is therefore faster than a parallel algorithm, and the library uses one where this is
// true. A checked build keeps the GPU's algorithm, because it records what each thread reads and
// writes.
fn __is_serial() -> bool = __is_host() && !__is_checked();

// ---- the warp: 32 threads that run together ----

fn warp.size -> u32 = 32;
fn warp.lane -> u32 = __lane();
// The warp's index in its block.
fn warp.rank -> u32 = __assume_warp(thread.rank / 32);

// Waits until every thread of the warp has arrived; what they wrote before is then visible to all
// of them. All 32 threads call it, or those of `mask` (bit i is lane i).
fn warp.sync() = __warp_sync(~0u32);
fn warp.sync(mask: u32) = __warp_sync(mask);

// ---- the block ----

fn block.id.x -> u32 = __block_id_x();
fn block.id.y -> u32 = __block_id_y();
fn block.id.z -> u32 = __block_id_z();
fn block.dim.x -> u32 = __block_dim_x();
fn block.dim.y -> u32 = __block_dim_y();
fn block.dim.z -> u32 = __block_dim_z();

// The number of threads of a block.
fn block.size -> u32 = __block_dim_x() * __block_dim_y() * __block_dim_z();

// The block's linear index in the grid, x fastest.
fn block.rank -> u64 = u64(__block_id_x()) + u64(__grid_dim_x()) * (u64(__block_id_y()) + u64(__grid_dim_y()) * u64(__block_id_z()));

// Waits until every thread of the block has arrived; what they wrote before is then visible to all
// of them. All threads of the block that have not ended call it.
fn block.sync() = __block_sync();

// The indices below n that belong to this thread: thread.rank, thread.rank + block.size, ... The
// threads of a block together get each index of 0..n once.
fn block.stride<T: int>(n: T) = (T(thread.rank)..n).step(T(block.size));

// ---- the grid ----

fn grid.dim.x -> u32 = __grid_dim_x();
fn grid.dim.y -> u32 = __grid_dim_y();
fn grid.dim.z -> u32 = __grid_dim_z();

// The number of threads of the grid.
fn grid.size -> u64 = u64(__grid_dim_x()) * u64(__grid_dim_y()) * u64(__grid_dim_z()) * u64(block.size);

// The thread's linear index in the grid: 0 to grid.size - 1.
fn grid.thread_rank -> u64 = block.rank * u64(block.size) + u64(thread.rank);

// The indices below n that belong to this thread: grid.thread_rank, grid.thread_rank + grid.size,
// ... The threads of the grid together get each index of 0..n once.
fn grid.stride<T: int>(n: T) = (T(grid.thread_rank)..n).step(T(grid.size));

// The first words of each step of an algorithm: the launch ahead has ended, and the one behind may
// start its blocks while this one runs.
fn grid.__enter_step() {
    grid.wait_dependencies();
    grid.launch_dependents();
}

// Stores the result of an algorithm.
fn grid.__give<T: type>(to: out T[], value: T) { if (grid.thread_rank == 0) to[0] = value; }

// Waits until every thread of the grid has arrived; what they wrote before is then visible to all
// of them. The launch must be cooperative, so that all blocks are resident. On a GPU this is the
// protocol of cooperative groups, on a word that the driver provides for the launch: each block
// adds 1, block 0 adds 0x80000001 - blocks, so the sum of all is 0x80000000, and the top bit flips
// when the last block arrives.
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

// Makes the launch cooperative, as grid.sync() does: all blocks are resident, so that a block may
// wait for what another one writes. It waits for nothing itself.
fn grid.together() = __grid_together();

// Stands in a loop that polls what other threads write. On a GPU all resident threads go on by
// themselves, and it does nothing. On the host device the others go on meanwhile.
fn thread.yield() = __yield();

// Waits until the launches that this one depends on have ended; what they wrote is then visible to
// the calling thread. A programmatic launch may start before they end, so every access to their
// memory must follow this call. Other launches, those below sm_90 and those on the host start only
// when their predecessors have ended: there it does nothing.
fn grid.wait_dependencies() { comptime if (__is_host() || target.sm >= 90) __wait_dependencies(); }

// Allows programmatic launches that depend on this one to start, as soon as a thread of each block
// has called it or the block has ended. Their wait_dependencies() still waits for the end of this
// launch.
fn grid.launch_dependents() { comptime if (__is_host() || target.sm >= 90) __launch_dependents(); }

// ---- time ----

// The cycle counter of the multiprocessor; on the host the processor's time stamp counter. The
// difference of two values of one thread is elapsed time. The compiler moves no write to memory
// across it.
fn clock64() -> u64 = __clock();

// Suspends the thread for about `ns` nanoseconds (at most twice as long; `ns` is at most 1000000).
// On the host it returns immediately.
fn nanosleep(ns: u32) { comptime if (!__is_host()) asm("nanosleep.u32 $0;", ns, volatile = true); }

// ---- small arithmetic ----

// a / b rounded up, for negative values too. It doesn't compute a + b, which could overflow. For b
// = 0 it is a / 0, all ones. The remainder of / has a's sign: the quotient was rounded down, and 1
// is added, exactly if the remainder isn't 0 and has b's sign.
fn ceil_div<T: int>(a: T, b: T) -> T = a / b + T((b != 0) & (a % b != 0) & ((a % b < 0) == (b < 0)));

// The smaller and the larger value. If one operand of a float is NaN, the result is the other one.
fn min<T: int>(a: T, b: T) -> T = b < a ? b : a;
fn min(a: f32, b: f32) -> f32 = __fminf(a, b);
fn min(a: f64, b: f64) -> f64 = __fmin(a, b);
fn max<T: int>(a: T, b: T) -> T = a < b ? b : a;
fn max(a: f32, b: f32) -> f32 = __fmaxf(a, b);
fn max(a: f64, b: f64) -> f64 = __fmax(a, b);

// The absolute value. abs of the smallest integer is itself, because its negation doesn't fit.
fn abs<T: int>(a: T) -> T = a < 0 ? T(0) - a : a;
fn abs(a: f32) -> f32 = __fabsf(a);
fn abs(a: f64) -> f64 = __fabs(a);

// x limited to the range lo to hi.
fn clamp<T: number>(x: T, lo: T, hi: T) -> T = min(max(x, lo), hi);
