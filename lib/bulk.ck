// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bulk.ck - bulk copies between global and shared memory, and the mbarriers that count them.
//
// mbarrier.init(bar, arrivals), mbarrier.arrive(bar), mbarrier.arrive(bar, bytes),
// mbarrier.expect(bar, bytes), mbarrier.wait(bar, parity), mbarrier.try_wait(bar, parity);
// bulk.load(tile, x, base, count, bar), bulk.load(tile, x, count, bar), bulk.whole(x, base, count);
// bulk.store(y, base, tile, count), bulk.store(y, tile, count), bulk.commit(), bulk.wait<PRIOR>(), bulk.wait_read<PRIOR>(), bulk.fence().
//
//   shape         any block; `shared full: barrier[STAGES];`, bar is one of them: full[s]
//   arrangement   count elements of x from x[base] on, and of the tile from tile[0] on; without base,
//                 tile and x (or y) are a ptr<T, shared> and a ptr<T, global>
//   called by     any thread for itself: one thread starts a copy, all that read the tile wait
//   result        init: the barrier is in its first phase, of parity 0, and each phase takes so
//                 many arrivals. A block.sync() stands between it and the use by other threads. A
//                 phase ends when all its arrivals and all bytes that it expects have come.
//                 arrive(bar, bytes) expects so many bytes more and arrives. wait(bar, p) returns
//                 when the phase of parity p is over: at once if the current phase has the other
//                 parity, so that wait(bar, 1) passes a new barrier. bulk.load: the bytes are in
//                 the tile, for a thread that has waited for the phase that expected them. whole:
//                 how many of the count elements lie in x and fill pieces of 16 bytes; 0 if x[base] is
//                 not aligned to 16 bytes. bulk.store: the bytes are in y, for a thread that has
//                 waited; wait_read: they have been read from the tile
//   commit, wait  the thread's stores since its last commit form a group; wait and wait_read leave
//                 at most PRIOR groups in flight
//   fence         what a thread wrote to shared memory is seen by bulk.store only behind its
//                 bulk.fence() and a barrier
//   alignment     both sides and the number of bytes are multiples of 16
//   shared bytes  the program's tile and barriers alone
//   steps         one instruction a copy, whatever its size (PTX ISA, "cp.async.bulk"); no registers
//   target        sm_90; on the host a copy is a loop, and a checked build finds what reads a tile
//                 before a thread has waited
//   CUB           beyond CUB   mbarrier.init(bar, count); mbarrier.arrive(bar); mbarrier.arrive(bar, bytes = count); mbarrier.expect(bar, count); mbarrier.wait(bar, 0); mbarrier.try_wait(bar, 0)
//                     CUDA C++ has cuda::barrier
//                 beyond CUB   bulk.load(tile, x, base, count, bar); bulk.whole(x, base, count)
//                     CUDA C++ has cuda::memcpy_async
//                 beyond CUB   bulk.store(it, base, tile, count); bulk.commit(); bulk.wait<PRIOR>(); bulk.wait_read<PRIOR>(); bulk.fence()
//
//   kernel sums(n: u32, x: in f32[n], y: inout f32[1]) launch(block = 64, grid = 1)
//   {
//       shared tile: f32[3, 256];
//       shared full: barrier[3];
//       shared empty: barrier[3];
//       for (s in 0..3) {
//           if (thread.rank == 0) { mbarrier.init(full[s], 1); mbarrier.init(empty[s], 32); }
//       }
//       block.sync();
//       let tiles = n / 256;
//       if (warp.rank == 1) {                           // the producer is one thread of warp 1
//           for (t in 0..(warp.lane == 0 ? tiles : 0)) {
//               mbarrier.wait(empty[t % 3], t / 3 % 2 ^ 1);
//               mbarrier.arrive(full[t % 3], bytes = 1024);
//               bulk.load(tile[t % 3], x, t * 256, 256, full[t % 3]);
//           }
//       } else {
//           var sum = 0.0;
//           for (t in 0..tiles) {
//               mbarrier.wait(full[t % 3], t / 3 % 2);
//               for (i in 0..8u32) sum += tile[t % 3, i * 32 + warp.lane];
//               mbarrier.arrive(empty[t % 3]);
//           }
//           sum = warp.sum(sum);
//           if (warp.lane == 0) y[0] = sum;
//       }
//   }
//   CALL: sums(x=ones:2048, y=[0])
//   EXPECT: y = 2048
//   COST: 3168 bytes, 1 barrier

// ---- mbarriers ----

// A ring of three stages. The parities flip each time the ring comes round:
//
//     round     0    1    2    3    4    5    6
//     stage     0    1    2    0    1    2    0
//     full      0    0    0    1    1    1    0     wait(full[s], parity) of those that read
//     empty     1    1    1    0    0    0    1     wait(empty[s], parity) of the one that fills

// On the host the word has, from the top: the parity of the current phase (1 bit), the bytes that
// are expected and have not come (23 bits, two's complement), the arrivals of a phase (20), and
// those that are missing in the current one (20). A phase is over when both counts are 0.
const __ARRIVALS: u64 = 0xFFFFF;
const __BYTES: u64 = 0x7FFFFF;
fn __phase_with(state: u64, arrivals: u32, bytes: i32) -> u64 {
    let pending = (state & __ARRIVALS) - u64(arrivals);
    let missing = ((state >> 40) + u64(i64(bytes))) & __BYTES;
    let all = state >> 20 & __ARRIVALS;
    if (pending == 0 && missing == 0) return ((state ^ 1u64 << 63) >> 63 << 63) | all << 20 | all;
    return state >> 63 << 63 | missing << 40 | all << 20 | pending;
}
fn __phase_add(bar: ptr<barrier, shared>, arrivals: u32, bytes: i32) {
    let state = atomic.load(bar[0].__state, order = acquire, scope = block);
    assert((state >> 20 & __ARRIVALS) != 0, "the barrier is not initialised: mbarrier.init(bar, arrivals) comes before its first use");
    assert((state & __ARRIVALS) >= u64(arrivals), "more threads arrive at the barrier in a phase than mbarrier.init said");
    atomic.store(bar[0].__state, __phase_with(state, arrivals, bytes), order = release, scope = block);
}
fn __phase_is_over(bar: ptr<barrier, shared>, parity: u32) -> bool {
    let state = atomic.load(bar[0].__state, order = acquire, scope = block);
    assert((state >> 20 & __ARRIVALS) != 0, "the barrier is not initialised: mbarrier.init(bar, arrivals) comes before its first use");
    return u32(state >> 63) != (parity & 1);
}

// Is the phase over? On a GPU alone; it may suspend the thread before it says no.
fn __phase_poll<B: type>(bar: ptr<B, shared>, parity: u32) -> bool =
    asm<u32>("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [$1], $2; selp.u32 $0, 1, 0, p; }", bar, parity, volatile = true, memory = true) != 0;

// Starts the first phase, of parity 0. Each phase takes so many arrivals, 1 to 1048575.
@require(sm >= 90)
fn mbarrier.init(bar: __place<barrier, shared>, arrivals: u32) {
    let at = address(bar);
    comptime if (target.is_host) atomic.store(at[0].__state, u64(arrivals) << 20 | u64(arrivals), scope = block);
    else asm("mbarrier.init.shared::cta.b64 [$0], $1; fence.mbarrier_init.release.cluster;", at, arrivals, memory = true);
}

// Arrives at the current phase: what the thread read and wrote before is ordered before what a
// thread does that waits for the phase.
@require(sm >= 90)
fn mbarrier.arrive(bar: __place<barrier, shared>) {
    comptime if (target.is_host) __phase_add(address(bar), 1, 0);
    else asm("mbarrier.arrive.shared::cta.b64 _, [$0];", address(bar), memory = true);
}
// The same, and the phase waits for so many bytes more.
@require(sm >= 90)
fn mbarrier.arrive(bar: __place<barrier, shared>, bytes: u32) {
    comptime if (target.is_host) __phase_add(address(bar), 1, i32(bytes));
    else asm("mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], $1;", address(bar), bytes, memory = true);
}
// The phase waits for so many bytes more; the thread doesn't arrive.
@require(sm >= 90)
fn mbarrier.expect(bar: __place<barrier, shared>, bytes: u32) {
    comptime if (target.is_host) __phase_add(address(bar), 0, i32(bytes));
    else asm("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [$0], $1;", address(bar), bytes, memory = true);
}

// Is the phase of this parity over? A GPU may suspend the thread for a moment before it says no.
@require(sm >= 90)
fn mbarrier.try_wait(bar: __place<barrier, shared>, parity: u32) -> bool {
    comptime if (target.is_host) {
        let at = u64(ptr<barrier>(address(bar)));
        if (!__phase_is_over(address(bar), parity)) thread.yield();
        let is_over = __phase_is_over(address(bar), parity);
        if (is_over) __phase_note(at);
        return is_over;
    } else {
        return __phase_poll(address(bar), parity);
    }
}
// Waits until the phase of this parity is over.
@require(sm >= 90)
fn mbarrier.wait(bar: __place<barrier, shared>, parity: u32) {
    comptime if (target.is_host) {
        let at = u64(ptr<barrier>(address(bar)));
        if (!__phase_is_over(address(bar), parity)) __phase_wait(at, parity);
        __phase_note(at);
    } else {
        while (!__phase_poll(address(bar), parity)) {}
    }
}

// ---- bulk copies ----

fn __bulk_checks(tile: u64, x: u64, bytes: u32) {
    comptime if (__is_host() || __is_checked()) assert((tile | x | u64(bytes)) % 16 == 0, "a bulk copy's sides and its number of bytes are multiples of 16");
}

// Of `count` elements of x from x[base] on, those that a bulk copy may take: they lie in x and fill
// pieces of 16 bytes. 0 if x[base] is not aligned to 16 bytes.
fn bulk.whole<T: type>(x: in T[], base: u64, count: u32) -> u32 = __whole<T>(x.len, base < x.len ? u64(address(x[base])) : 1, base, count);
fn bulk.whole<T: type>(x: out T[], base: u64, count: u32) -> u32 = __whole<T>(x.len, base < x.len ? u64(address(x[base])) : 1, base, count);
fn __whole<T: type>(len: u64, at: u64, base: u64, count: u32) -> u32 {
    const BYTES: u32 = sizeof<T>;
    const N: u32 = BYTES % 16 == 0 ? 1 : BYTES % 8 == 0 ? 2 : BYTES % 4 == 0 ? 4 : BYTES % 2 == 0 ? 8 : 16; // fill whole pieces of 16 bytes
    return at % 16 == 0 ? u32(min(u64(count), len - base)) / N * N : 0;
}

// Starts to copy elements base to base + count - 1 of x to elements 0 to count - 1 of the tile. The
// current phase of the barrier ends when their bytes have come; it has to expect them.
@require(sm >= 90)
fn bulk.load<T: type>(tile: out T[], x: in T[], base: u64, count: u32, bar: __place<barrier, shared>) {
    if (count == 0) return;
    let (to, from) = (u64(address(tile[0])), u64(address(x[base])));
    let bytes = u32(count * sizeof<T>);
    __bulk_checks(to, from, bytes);
    comptime if (target.is_host) {
        for (i in 0..count) tile[i] = x[base + i];
        __bulk_note(to, bytes, u64(ptr<barrier>(address(bar))));
        __phase_add(address(bar), 0, -i32(bytes));
    } else {
        asm("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1], $2, [$3];",
            __in_shared(address(tile[0])), from, bytes, address(bar), memory = true);
    }
}

// The same by addresses.
@require(sm >= 90)
fn bulk.load<T: type>(tile: ptr<T, shared>, x: ptr<T, global>, count: u32, bar: __place<barrier, shared>) {
    if (count == 0) return;
    let (to, from) = (u64(ptr<T>(tile)), u64(x));
    let bytes = u32(count * sizeof<T>);
    __bulk_checks(to, from, bytes);
    comptime if (target.is_host) {
        for (i in 0..count) tile[i] = x[i];
        __bulk_note(to, bytes, u64(ptr<barrier>(address(bar))));
        __phase_add(address(bar), 0, -i32(bytes));
    } else {
        asm("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1], $2, [$3];", tile, from, bytes, address(bar), memory = true);
    }
}

// Starts to copy elements 0 to count - 1 of the tile to elements base to base + count - 1 of y. The
// copy belongs to the thread's next group.
@require(sm >= 90)
fn bulk.store<T: type>(y: out T[], base: u64, tile: in T[], count: u32) {
    if (count == 0) return;
    let (to, from) = (u64(address(y[base])), u64(address(tile[0])));
    __bulk_checks(from, to, u32(count * sizeof<T>));
    comptime if (target.is_host) {
        for (i in 0..count) y[base + i] = tile[i];
    } else {
        asm("cp.async.bulk.global.shared::cta.bulk_group [$0], [$1], $2;",
            to, __in_shared(address(tile[0])), u32(count * sizeof<T>), memory = true);
    }
}

@require(sm >= 90)
fn bulk.store<T: type>(y: ptr<T, global>, tile: ptr<T, shared>, count: u32) {
    if (count == 0) return;
    __bulk_checks(u64(ptr<T>(tile)), u64(y), u32(count * sizeof<T>));
    comptime if (target.is_host) {
        for (i in 0..count) y[i] = tile[i];
    } else {
        asm("cp.async.bulk.global.shared::cta.bulk_group [$0], [$1], $2;", u64(y), tile, u32(count * sizeof<T>), memory = true);
    }
}

// Closes a group: the thread's stores since the last commit.
@require(sm >= 90)
fn bulk.commit() { comptime if (!target.is_host) asm("cp.async.bulk.commit_group;", memory = true); }
// Waits until at most the thread's last `prior` groups are in flight: the others are in y.
@require(sm >= 90)
fn bulk.wait<const prior: u32 = 0>() { comptime if (!target.is_host) asm("cp.async.bulk.wait_group $0;", prior, memory = true); }
// Waits until at most the last `prior` groups are still read from shared memory: the tiles of the
// others may be written again.
@require(sm >= 90)
fn bulk.wait_read<const prior: u32 = 0>() { comptime if (!target.is_host) asm("cp.async.bulk.wait_group.read $0;", prior, memory = true); }
// Makes what the thread wrote to shared memory visible to bulk copies that start behind the next
// barrier.
@require(sm >= 90)
fn bulk.fence() { comptime if (!target.is_host) asm("fence.proxy.async.shared::cta;", memory = true); }
