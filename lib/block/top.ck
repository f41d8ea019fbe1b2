// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// block/top.ck - top-k selection in a block: the K greatest keys, or the K least.
//
// block.top_k(keys, K), block.top_k(keys, values, K), with descending = true, valid = n.
//
//   shape         any block of constant size; N keys a thread of any integer or float type, below
//                 65536 in all; K, a constant, is at most as many
//   arrangement   blocked, in and out
//   called by     all threads of the block; n and descending are the same in all of them
//   result        the first K keys of block.radix_sort(keys, descending = true), in the same stable
//                 order; with descending = false the K least, in ascending order. M = ceil(K /
//                 block.size) per thread, so for K up to the block's size thread t has the t-th:
//                 block.store(y, 0, top). (keys, values) if there are values. Places from K on, or
//                 from n on, are unspecified
//   valid         only the first n keys count
//   shared bytes  the largest of: a scan's, 1 KB and 12 bytes; M keys or values a thread, 1/32 more;
//                 with K above 128 radix.ck's for M. Of tiles up to 128 keys: the keys alone
//   steps         for each 8 bits of the keys, until the K keys are separated from the others: N
//                 atomic operations and a scan over 256 counts. Then a scan, an exchange, and K
//                 comparisons a key; for K above 128 radix.ck's passes over M a thread
//   target        any
//   how           a radix select: from the highest digit on, the digits are counted, and the next
//                 digit is examined only for the keys whose digits so far equal those of the K-th
//                 key (CUB's AgentTopK). The selected keys are sorted
//   CUB           detail::block_topk::max_keys(keys, k)   block.top_k(keys, K)
//                     K is a constant; sorted, CUB's are in any order
//                 ::max_pairs(keys, values, k)            block.top_k(keys, values, K)
//                 ::min_keys(keys, k)                     block.top_k(keys, K, descending = false)
//                 ::min_pairs(keys, values, k)            block.top_k(keys, values, K, descending = false)
//                 beyond CUB                              block.top_k(keys, K, valid = n)
//
//   kernel best(scores: in f32[512], top: out f32[3], at: out u32[3]) launch(block = 128, grid = 1)
//   {
//       let keys = block.load(scores, 0, 4);
//       let index = block.load(count<u32>(), 0, 4);
//       let (k, i) = block.top_k(keys, index, 3);
//       block.store(top, 0, k);
//       block.store(at, 0, i);
//   }
//   CALL: best(scores=where(arange(512) % 200 == 17, 1000 + arange(512), arange(512)))
//   EXPECT: top = [1417, 1217, 1017]
//   EXPECT: at = [417, 217, 17]
//   COST: 1056 bytes, 16 barriers

// The destinations of the COUNT least elements of b, in the order of thread and item; COUNT for all
// others.
fn __select<const COUNT: u32, const BITS: u32, B: int, const N: u32>(b: B[N], valid: u32) -> u32[N] {
    const EACH = (256 + block.size - 1) / block.size;
    shared counts: u32[256];
    shared found: u32[3];
    let first = thread.rank * N;
    var (prefix, known) = (B(0), B(0));
    var (need, same) = (min(COUNT, valid), valid);
    var bit = BITS;
    while (bit > 0 && need < same) {
        bit -= 8;
        for (i in block.stride(256u32)) counts[i] = 0;
        block.sync();
        unroll for (k in 0..N) {
            if (first + k < valid && ((b[k] ^ prefix) & known) == 0) atomic.add(counts[u32(b[k] >> bit) & 255], 1, scope = block);
        }
        block.sync();
        var mine: u32[EACH];
        unroll for (j in 0..EACH) {
            if (thread.rank * EACH + j < 256) mine[j] = counts[thread.rank * EACH + j];
        }
        let before = block.exclusive_scan(mine, +);
        unroll for (j in 0..EACH) {
            if (before[j] < need && need <= before[j] + mine[j])
                (found[0], found[1], found[2]) = (thread.rank * EACH + j, before[j], mine[j]);
        }
        block.sync();
        prefix |= B(found[0]) << bit;
        known |= B(255) << bit;
        (need, same) = (need - found[1], found[2]);
    }
    // Lower half: keys before the prefix; upper half: keys that begin with it.
    var kinds: u32[N];
    unroll for (k in 0..N) {
        if (first + k < valid) kinds[k] = u32((b[k] & known) < prefix) | u32((b[k] & known) == prefix) << 16;
    }
    let before = block.exclusive_scan(kinds, +);
    var places: u32[N];
    unroll for (k in 0..N) {
        let equal = before[k] >> 16;
        let is_in = kinds[k] == 1 || (kinds[k] > 1 && equal < need);
        places[k] = is_in ? (before[k] & 0xffff) + min(equal, need) : COUNT;
    }
    return places;
}

// Moves the values as __gather_at moves the keys.
fn __gather_values<const M: u32, const N: u32>(values: __None, places: u32[N], count: u32) -> __None = values;
fn __gather_values<const M: u32, V: type, const N: u32>(values: V[N], places: u32[N], count: u32) -> V[M] = __gather_at<M>(values, places, count);

// For each of the first `count` elements of b (at most COUNT): the number of elements before it in
// the sorted order.
fn __count_before<const COUNT: u32, B: int, const N: u32>(b: B[N], count: u32) -> u32[N] {
    shared all: B[COUNT];
    let first = thread.rank * N;
    unroll for (k in 0..N) {
        if (first + k < count) all[first + k] = b[k];
    }
    block.sync();
    var r: u32[N];
    unroll for (k in 0..N) {
        r[k] = COUNT;
        if (first + k < count) {
            r[k] = 0;
            for (j in 0..count) r[k] += u32(all[j] < b[k] || (all[j] == b[k] && j < first + k));
        }
    }
    return r;
}

// The keys as unsigned numbers whose ascending order is the requested order.
fn __top_bits<K: type, B: int, const N: u32>(keys: K[N], flip: B) -> B[N] {
    var b: B[N];
    unroll for (k in 0..N) b[k] = __digits(keys[k], __key(keys[k])) ^ flip;
    return b;
}
fn __top_sort<K: type, B: int, const N: u32, V: type>(keys: K[N], values: V, flip: B, count: u32) -> (K[N], V) {
    var b: B[N];
    unroll for (k in 0..N) b[k] = thread.rank * N + k < count ? __key(keys[k]) : ~flip;
    let (sorted, v) = __sort_all<0, 0>(keys[0], b, values, flip);
    return (__unkeys(keys[0], sorted), v);
}

// VALUES: the type of the resulting values.
fn __top<const COUNT: u32, const M: u32, VALUES: type, K: type, B: int, const N: u32, V: type>(keys: K[N], values: V, flip: B, valid: u32) -> (K[M], VALUES) {
    const TOTAL = block.size * N;
    static_assert(COUNT >= 1 && COUNT <= TOTAL, "top_k takes K from 1 to the number of keys, N * block.size");
    static_assert(TOTAL < 65536, "top_k takes tiles below 65536 keys: fewer a thread");
    let count = min(COUNT, valid);
    comptime if (TOTAL <= 128) {
        let places = __count_before<TOTAL>(__top_bits(keys, flip), valid);
        return (__gather_at<M>(keys, places, count), __gather_values<M>(values, places, count));
    } else comptime if (M == N && COUNT > 128) {
        return __top_sort(keys, values, flip, valid);
    } else {
        const BITS: u32 = 8 * (sizeof<K>);
        let selected = __select<COUNT, BITS>(__top_bits(keys, flip), valid);
        let (k, v) = (__gather_at<M>(keys, selected, count), __gather_values<M>(values, selected, count));
        comptime if (COUNT > 128) {
            return __top_sort(k, v, flip, count);
        } else {
            let places = __count_before<COUNT>(__top_bits(k, flip), count);
            return (__gather_at<M>(k, places, count), __gather_values<M>(v, places, count));
        }
    }
}
fn __top_flip<B: int>(like: B, descending: bool) -> B = descending ? ~B(0) : B(0);

fn block.top_k<K: number, const N: u32>(keys: K[N], const count: u32, descending: bool = true, valid: u32 = ~0u32) -> K[(count + block.size - 1) / block.size] =
    __top<count, (count + block.size - 1) / block.size, __None>(keys, __None(0), __top_flip(__key(keys[0]), descending), min(valid, block.size * N))[0];
fn block.top_k<K: number, V: type, const N: u32>(keys: K[N], values: V[N], const count: u32, descending: bool = true, valid: u32 = ~0u32) -> (K[(count + block.size - 1) / block.size], V[(count + block.size - 1) / block.size]) =
    __top<count, (count + block.size - 1) / block.size, V[(count + block.size - 1) / block.size]>(keys, values, __top_flip(__key(keys[0]), descending), min(valid, block.size * N));
fn block.top_k<K: type, const N: u32>(keys: K[N], const count: u32, descending: bool = true, valid: u32 = ~0u32) -> K[1] {
    static_assert(false, "top_k goes by integers and floats: take those of the items as keys, and the items as values");
    return [keys[0]];
}
