// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// block/prefetch.ck - prefetches a tile of global memory into the L2 cache.
//
// block.prefetch(x, base, count)
//
//   shape         any block; x is a span of any type in global memory
//   arrangement   elements base to base + count - 1 of x; those after its end are left out
//   called by     all threads of the block; base and count are the same in all of them
//   result        none, and no thread waits. A later load of the elements hits the L2 cache, if
//                 they have arrived and were not evicted
//   shared bytes  none
//   steps         one instruction for each line of 128 bytes (PTX ISA, "prefetch"), distributed
//                 over the threads
//   target        any; on the host it does nothing
//   CUB           block_prefetch (in its tests)   block.prefetch(x, base, count)
//
//   kernel doubled(n: u64, x: in f32[n], y: out f32[n]) launch(block = 64, grid = 2)
//   {
//       for (base in (block.id.x * 256..n).step(512)) {
//           block.prefetch(x, base + 512, 256);     // what this block does next
//           let v = block.load(x, base, 4);
//           block.store(y, base, [2 * v[0], 2 * v[1], 2 * v[2], 2 * v[3]]);
//       }
//   }
//   CALL: doubled(x=iota:1000)
//   EXPECT: y = 2 * x
//   COST: 0 bytes, 0 barriers

fn block.prefetch<T: type, I: int, J: int>(x: in T[], base: I, count: J) = __prefetch(x, u64(base), u64(count));
fn __prefetch<T: type>(x: in T[], base: u64, count: u64) {
    __together();
    comptime if (!target.is_host) {
        if (base >= x.len || count == 0) return;
        let first = u64(address(x[base])) & ~127u64;
        let last = u64(address(x[base])) + min(count, x.len - base) * sizeof<T> - 1;
        for (i in block.stride((last - first) / 128 + 1)) asm("prefetch.global.L2 [$0];", first + i * 128, volatile = true);
    }
}
