// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// block/neighbour.ck - operations on adjacent items of a block: shifts, heads and tails of runs,
// differences.
//
// block.shuffle(v, rank)                      the value of thread `rank`; the own one if it doesn't exist
// block.shuffle_up(items[, before])           the items moved up by one place, across threads;
// block.shuffle_down(items[, after])          moved down by one place
// block.shuffle_up_last(items[, before])      also the item that leaves at the block's end, in all
// block.shuffle_down_first(items[, after])    threads: (items, last), (items, first)
// block.heads(items, f[, before = v])         bool[N]: f(left, item), true where a run starts
// block.tails(items, f[, after = v])          bool[N]: f(item, right), true where a run ends
// block.heads_and_tails(items, f[, before = v][, after = v])   both, with one barrier
// block.adjacent_difference(items, f[, valid = n][, before = v])   f(item, left)
// block.adjacent_difference_right(items, f[, after = v]), (items, f, valid = n)   f(item, right)
//
//   shape         any block of constant size; N items of any type a thread
//   arrangement   blocked, in and out
//   called by     all threads of the block
//   result        an item without a neighbour is a head, is a tail, and is its own difference;
//                 `before` and `after`, the same in all threads, are the neighbours beyond the
//                 block's ends. shuffle_up without `before`: the first item stays
//   valid         the same in all threads: only the first n items of the block are neighbours; each
//                 other item is its own difference
//   shared bytes  sizeof<T> a thread; heads_and_tails: twice that
//   steps         one barrier
//   target        any
//   CUB           BlockShuffle::Offset(v, out, d)                  block.shuffle(v, thread.rank + d)
//                 ::Rotate(v, out, d)                              block.shuffle(v, (thread.rank + d) % block.size)
//                 ::Up(items, out)                                 block.shuffle_up(items)
//                 ::Up(items, out, block_suffix)                   block.shuffle_up_last(items)
//                 ::Down(items, out)                               block.shuffle_down(items)
//                 ::Down(items, out, block_prefix)                 block.shuffle_down_first(items)
//                 BlockDiscontinuity::FlagHeads(flags, items, f)   block.heads(items, !=)
//                 ::FlagHeads(..., tile_predecessor)               block.heads(items, !=, before = v)
//                 ::FlagTails(flags, items, f)                     block.tails(items, !=)
//                 ::FlagTails(..., tile_successor)                 block.tails(items, !=, after = v)
//                 ::FlagHeadsAndTails(...)                         block.heads_and_tails(items, !=)
//                 ::FlagHeadsAndTails(..., predecessor, successor)    block.heads_and_tails(items, !=, before = v, after = v)
//                     each of the two alone too
//                 BlockAdjacentDifference::SubtractLeft(items, out, f)   block.adjacent_difference(items, f)
//                 ::SubtractLeft(..., tile_predecessor)            block.adjacent_difference(items, f, before = v)
//                 ::SubtractLeftPartialTile(..., valid)            block.adjacent_difference(items, f, valid = n)
//                 ::SubtractLeftPartialTile(..., valid, tile_predecessor)   block.adjacent_difference(items, f, valid = n, before = v)
//                 ::SubtractRight(items, out, f)                   block.adjacent_difference_right(items, f)
//                 ::SubtractRight(..., tile_successor)             block.adjacent_difference_right(items, f, after = v)
//                 ::SubtractRightPartialTile(..., valid)           block.adjacent_difference_right(items, f, valid = n)
//
//   kernel moved(x: in u32[64], up: out u32[64], turned: out u32[32]) launch(block = 32, grid = 1)
//   {
//       let v = block.load(x, 0, 2);
//       block.store(up, 0, block.shuffle_up(v, before = 99));
//       turned[thread.rank] = block.shuffle(v[0], (thread.rank + 1) % 32);
//   }
//   CALL: moved(x=iota:64)
//   EXPECT: up = where(x == 0, 99, x - 1)
//   EXPECT: turned = (2 * arange(32) + 2) % 64
//   COST: 128 bytes, 3 barriers
//
//   kernel runs(x: in u32[64], starts: out u32[64], steps: out u32[64]) launch(block = 64, grid = 1)
//   {
//       let v = [x[thread.rank]];
//       starts[thread.rank] = u32(block.heads(v, !=)[0]);
//       steps[thread.rank] = block.adjacent_difference(v, -)[0];
//   }
//   CALL: runs(x=arange(64) // 8)
//   EXPECT: starts = where(arange(64) % 8 == 0, 1, 0)
//   EXPECT: steps = where((arange(64) % 8 == 0) * (arange(64) > 0), 1, 0)
//   COST: 256 bytes, 3 barriers

fn block.shuffle<T: type>(v: T, rank: u32) -> T {
    shared all: T[block.size];
    all[thread.rank] = v;
    block.sync();
    return all[rank < block.size ? rank : thread.rank];
}

// The last item of the previous thread, the first item of the next.
fn __last_before<T: type, const N: u32>(items: T[N], edge: T) -> T {
    let other = block.shuffle(items[N - 1], thread.rank - 1);
    return thread.rank == 0 ? edge : other;
}
fn __first_behind<T: type, const N: u32>(items: T[N], edge: T) -> T {
    let other = block.shuffle(items[0], thread.rank + 1);
    return thread.rank == block.size - 1 ? edge : other;
}
fn __moved_up<T: type, const N: u32>(items: T[N], first: T) -> T[N] {
    var r: T[N];
    r[0] = first;
    unroll for (k in 1..N) r[k] = items[k - 1];
    return r;
}
fn __moved_down<T: type, const N: u32>(items: T[N], last: T) -> T[N] {
    var r: T[N];
    unroll for (k in 1..N) r[k - 1] = items[k];
    r[N - 1] = last;
    return r;
}

fn block.shuffle_up<T: type, const N: u32>(items: T[N]) -> T[N] = __moved_up(items, __last_before(items, items[0]));
fn block.shuffle_up<T: type, const N: u32>(items: T[N], before: T) -> T[N] = __moved_up(items, __last_before(items, before));
fn block.shuffle_down<T: type, const N: u32>(items: T[N]) -> T[N] = __moved_down(items, __first_behind(items, items[N - 1]));
fn block.shuffle_down<T: type, const N: u32>(items: T[N], after: T) -> T[N] = __moved_down(items, __first_behind(items, after));


// The block's first or last item, and the shifted items, with one barrier.
fn __last_and_before<T: type, const N: u32>(items: T[N], edge: T) -> (T[N], T) {
    shared all: T[block.size];
    all[thread.rank] = items[N - 1];
    block.sync();
    return (__moved_up(items, thread.rank == 0 ? edge : all[thread.rank - 1]), __assume_block(all[block.size - 1]));
}
fn __first_and_behind<T: type, const N: u32>(items: T[N], edge: T) -> (T[N], T) {
    shared all: T[block.size];
    all[thread.rank] = items[0];
    block.sync();
    return (__moved_down(items, thread.rank == block.size - 1 ? edge : all[thread.rank + 1]), __assume_block(all[0]));
}
fn block.shuffle_up_last<T: type, const N: u32>(items: T[N]) -> (T[N], T) = __last_and_before(items, items[0]);
fn block.shuffle_up_last<T: type, const N: u32>(items: T[N], before: T) -> (T[N], T) = __last_and_before(items, before);
fn block.shuffle_down_first<T: type, const N: u32>(items: T[N]) -> (T[N], T) = __first_and_behind(items, items[N - 1]);
fn block.shuffle_down_first<T: type, const N: u32>(items: T[N], after: T) -> (T[N], T) = __first_and_behind(items, after);

// f of each item and its neighbour. The item at the edge has no neighbour; f isn't called for it.
fn __head_flags<T: type, const N: u32, F: fn>(before: T[N], items: T[N], f: F, is_edge: bool) -> bool[N] {
    var r: bool[N];
    r[0] = is_edge || f(before[0], items[0]);
    unroll for (k in 1..N) r[k] = f(before[k], items[k]);
    return r;
}
fn __tail_flags<T: type, const N: u32, F: fn>(items: T[N], behind: T[N], f: F, is_edge: bool) -> bool[N] {
    var r: bool[N];
    unroll for (k in 1..N) r[k - 1] = f(items[k - 1], behind[k - 1]);
    r[N - 1] = is_edge || f(items[N - 1], behind[N - 1]);
    return r;
}
fn block.heads<T: type, const N: u32, F: fn>(items: T[N], f: F) -> bool[N] = __head_flags(block.shuffle_up(items), items, f, thread.rank == 0);
fn block.heads<T: type, const N: u32, F: fn>(items: T[N], f: F, before: T) -> bool[N] = __head_flags(block.shuffle_up(items, before), items, f, false);
fn block.tails<T: type, const N: u32, F: fn>(items: T[N], f: F) -> bool[N] = __tail_flags(items, block.shuffle_down(items), f, thread.rank == block.size - 1);
fn block.tails<T: type, const N: u32, F: fn>(items: T[N], f: F, after: T) -> bool[N] = __tail_flags(items, block.shuffle_down(items, after), f, false);

fn __heads_and_tails<const HAS_BEFORE: bool, const HAS_AFTER: bool, T: type, const N: u32, F: fn>(items: T[N], f: F, before: T, after: T) -> (bool[N], bool[N]) {
    shared firsts: T[block.size];
    shared lasts: T[block.size];
    let rank = thread.rank;
    firsts[rank] = items[0];
    lasts[rank] = items[N - 1];
    block.sync();
    let left = rank == 0 ? before : lasts[rank - 1];
    let right = rank == block.size - 1 ? after : firsts[rank + 1];
    return (__head_flags(__moved_up(items, left), items, f, !HAS_BEFORE && rank == 0),
            __tail_flags(items, __moved_down(items, right), f, !HAS_AFTER && rank == block.size - 1));
}
fn block.heads_and_tails<T: type, const N: u32, F: fn>(items: T[N], f: F) -> (bool[N], bool[N]) = __heads_and_tails<false, false>(items, f, items[0], items[0]);
fn block.heads_and_tails<T: type, const N: u32, F: fn>(items: T[N], f: F, before: T) -> (bool[N], bool[N]) = __heads_and_tails<true, false>(items, f, before, items[0]);
fn block.heads_and_tails<T: type, const N: u32, F: fn>(items: T[N], f: F, after: T) -> (bool[N], bool[N]) = __heads_and_tails<false, true>(items, f, items[0], after);
fn block.heads_and_tails<T: type, const N: u32, F: fn>(items: T[N], f: F, before: T, after: T) -> (bool[N], bool[N]) = __heads_and_tails<true, true>(items, f, before, after);

// The difference of each item and its neighbour. The item at the edge has no neighbour and stays as
// it is; f isn't called for it.
fn __left_differences<T: type, const N: u32, F: fn>(items: T[N], before: T[N], f: F, is_edge: bool) -> T[N] {
    var r = items;
    if (!is_edge) r[0] = f(items[0], before[0]);
    unroll for (k in 1..N) r[k] = f(items[k], before[k]);
    return r;
}
fn __right_differences<T: type, const N: u32, F: fn>(items: T[N], behind: T[N], f: F, is_edge: bool) -> T[N] {
    var r = items;
    unroll for (k in 1..N) r[k - 1] = f(items[k - 1], behind[k - 1]);
    if (!is_edge) r[N - 1] = f(items[N - 1], behind[N - 1]);
    return r;
}
fn block.adjacent_difference<T: type, const N: u32, F: fn>(items: T[N], f: F) -> T[N] = __left_differences(items, block.shuffle_up(items), f, thread.rank == 0);
fn block.adjacent_difference<T: type, const N: u32, F: fn>(items: T[N], f: F, before: T) -> T[N] = __left_differences(items, block.shuffle_up(items, before), f, false);
fn block.adjacent_difference_right<T: type, const N: u32, F: fn>(items: T[N], f: F) -> T[N] = __right_differences(items, block.shuffle_down(items), f, thread.rank == block.size - 1);
fn block.adjacent_difference_right<T: type, const N: u32, F: fn>(items: T[N], f: F, after: T) -> T[N] = __right_differences(items, block.shuffle_down(items, after), f, false);

// Like it for items first..last of the block; the others stay as they are.
fn __differences<T: type, const N: u32, F: fn>(items: T[N], others: T[N], f: F, first: u32, last: u32) -> T[N] {
    var r = items;
    unroll for (k in 0..N) {
        let i = thread.rank * N + k;
        if (i >= first && i < last) r[k] = f(items[k], others[k]);
    }
    return r;
}
fn block.adjacent_difference<T: type, const N: u32, F: fn>(items: T[N], f: F, valid: u32) -> T[N] = __differences(items, block.shuffle_up(items), f, 1, valid);
fn block.adjacent_difference<T: type, const N: u32, F: fn>(items: T[N], f: F, valid: u32, before: T) -> T[N] = __differences(items, block.shuffle_up(items, before), f, 0, valid);
fn block.adjacent_difference_right<T: type, const N: u32, F: fn>(items: T[N], f: F, valid: u32) -> T[N] = __differences(items, block.shuffle_down(items), f, 0, valid > 0 ? valid - 1 : 0);
