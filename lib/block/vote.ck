// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// block/vote.ck - votes of a block: any, all, count.
//
// block.any(p), block.all(p), block.count(p)
//
//   shape         any block; a bool a thread
//   arrangement   none
//   called by     all threads of the block
//   result        is p true in any thread, in all threads, in how many threads: the same in all
//                 threads, and the compiler knows that. It is a barrier, like block.sync(): earlier
//                 writes are visible after it
//   shared bytes  none; on the host 4
//   steps         one barrier, which carries the bit (PTX ISA, "barrier.cta.red")
//   target        any
//   CUB           beyond CUB   block.any(p)
//                     CUDA: __syncthreads_or
//                 beyond CUB   block.all(p)
//                     CUDA: __syncthreads_and
//                 beyond CUB   block.count(p)
//                     CUDA: __syncthreads_count
//
//   kernel halve(x: inout u32[100], rounds: out u32[1]) launch(block = 100, grid = 1)
//   {
//       var v = x[thread.rank];
//       var n = 0u32;
//       while (block.any(v > 9)) {
//           v = v > 9 ? v / 2 : v;
//           n += 1;
//       }
//       x[thread.rank] = v;
//       if (thread.rank == 0) rounds[0] = n;
//   }
//   CALL: halve(x=iota:100)
//   EXPECT: x = where(arange(100) < 10, arange(100), where(arange(100) < 20, arange(100) // 2, where(arange(100) < 40, arange(100) // 4, where(arange(100) < 80, arange(100) // 8, arange(100) // 16))))
//   EXPECT: rounds = 4
//   COST: 0 bytes, 1 barrier

fn __count_votes(p: bool) -> u32 {
    shared votes: u32[1];
    atomic.exchange(votes[0], 0, scope = block);
    block.sync();
    if (p) atomic.add(votes[0], 1, scope = block);
    block.sync();
    return votes[0];
}
fn block.any(p: bool) -> bool {
    comptime if (target.is_host) return __assume_block(__count_votes(p) != 0);
    else return __assume_block(__block_any(u32(p)) != 0);
}
fn block.all(p: bool) -> bool {
    comptime if (target.is_host) return __assume_block(__count_votes(!p) == 0);
    else return __assume_block(__block_all(u32(p)) != 0);
}
fn block.count(p: bool) -> u32 {
    comptime if (target.is_host) return __assume_block(__count_votes(p));
    else return __assume_block(__block_count(u32(p)));
}
