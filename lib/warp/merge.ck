// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// warp/merge.ck - merge sort in each warp or tile.
//
// warp.merge_sort(keys, less), warp.merge_sort(keys, values, less), with `valid = n`;
// warp.tile<G>.merge_sort.
//
//   shape         a warp or G lanes of one, in any block of constant size; N keys of any type a lane
//   arrangement   blocked, in and out
//   less          less(a, b): a comes before b; a strict weak order. Operator: <
//   called by     all lanes of the group; n is the same in all of them
//   result        sorted, stable; (keys, values) if there are values. With valid the first n keys
//                 of the group are sorted, and the others follow them in any order
//   shared bytes  keys and values, with valid 4 bytes a key more, of all threads of the block; 1/32
//                 more where a lane's are no rows of 16 bytes: each group has its own
//   steps         that of block/merge.ck: log2(lanes) merges, each waits for the group's lanes
//   target        any
//   CUB           WarpMergeSort::Sort(keys, less)              warp.merge_sort(keys, less)
//                     StableSort: it is stable
//                 ::Sort(keys, values, less)                   warp.merge_sort(keys, values, less)
//                 ::Sort(keys, less, valid, default)           warp.merge_sort(keys, less, valid = n)
//                     needs no default
//                 ::Sort(keys, values, less, valid, default)   warp.merge_sort(keys, values, less, valid = n)
//
//   kernel sort(keys: in u32[64], y: out u32[64]) launch(block = 32, grid = 1)
//   {
//       let t = warp.tile<16>;
//       let sorted = t.merge_sort(warp.load(keys, 0, 2), >);
//       warp.store(y, 0, sorted);
//   }
//   CALL: sort(keys=iota:64)
//   EXPECT: y = where(arange(64) < 32, 31 - arange(64), 95 - arange(64))
//   COST: 272 bytes, 0 barriers

struct __Pair<K: type, V: type> { key: K; value: V; }

fn __pairs<K: type, V: type, const N: u32>(keys: K[N], values: V[N]) -> __Pair<K, V>[N] {
    var pairs: __Pair<K, V>[N];
    unroll for (k in 0..N) pairs[k] = __Pair(keys[k], values[k]);
    return pairs;
}
fn __unpaired<K: type, V: type, const N: u32>(pairs: __Pair<K, V>[N]) -> (K[N], V[N]) {
    var keys: K[N];
    var values: V[N];
    unroll for (k in 0..N) (keys[k], values[k]) = (pairs[k].key, pairs[k].value);
    return (keys, values);
}

fn __group_sort<const G: u32, K: type, V: type, const N: u32, F: fn>(keys: K[N], values: V[N], less: F) -> (K[N], V[N]) =
    __unpaired(__merge_sort<G>(__pairs(keys, values), |a, b| less(a.key, b.key)));
fn __group_sort<const G: u32, K: type, const N: u32, F: fn>(keys: K[N], less: F, valid: u32) -> K[N] =
    __untagged(__merge_tagged<G>(keys, less, valid))[0];
fn __group_sort<const G: u32, K: type, V: type, const N: u32, F: fn>(keys: K[N], values: V[N], less: F, valid: u32) -> (K[N], V[N]) =
    __unpaired(__group_sort<G>(__pairs(keys, values), |a, b| less(a.key, b.key), valid));

fn warp.merge_sort<K: type, const N: u32, F: fn>(keys: K[N], less: F) -> K[N] = __merge_sort<32>(keys, less);
fn warp.merge_sort<K: type, V: type, const N: u32, F: fn>(keys: K[N], values: V[N], less: F) -> (K[N], V[N]) = __group_sort<32>(keys, values, less);
fn warp.merge_sort<K: type, const N: u32, F: fn>(keys: K[N], less: F, valid: u32) -> K[N] = __group_sort<32>(keys, less, valid);
fn warp.merge_sort<K: type, V: type, const N: u32, F: fn>(keys: K[N], values: V[N], less: F, valid: u32) -> (K[N], V[N]) = __group_sort<32>(keys, values, less, valid);

fn warp.tile.merge_sort<const G: u32, K: type, const N: u32, F: fn>(keys: K[N], less: F) -> K[N] = __merge_sort<G>(keys, less);
fn warp.tile.merge_sort<const G: u32, K: type, V: type, const N: u32, F: fn>(keys: K[N], values: V[N], less: F) -> (K[N], V[N]) = __group_sort<G>(keys, values, less);
fn warp.tile.merge_sort<const G: u32, K: type, const N: u32, F: fn>(keys: K[N], less: F, valid: u32) -> K[N] = __group_sort<G>(keys, less, valid);
fn warp.tile.merge_sort<const G: u32, K: type, V: type, const N: u32, F: fn>(keys: K[N], values: V[N], less: F, valid: u32) -> (K[N], V[N]) = __group_sort<G>(keys, values, less, valid);
