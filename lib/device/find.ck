// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/find.ck - the first element that satisfies a predicate, by two launches of kernels.
//
// In an algorithm:
//   find_if(it, p)           the least i for which p(it[i]) holds; it.len if there is none
//   mismatch(a, b)           the least i for which a[i] != b[i]; the length of the shorter one if none
//   equal(a, b)              whether a and b have the same elements, and as many
//   is_sorted(it, less)      whether no element comes before the one ahead of it
//
//   it, a, b      finite iterators
//   overlap       allowed
//   p             gives a bool; it may be called for elements behind the first as well, in any order
//   less          less(a, b): a comes before b. Operator: <
//   launches      2
//   scratch       a word of persistent memory
//   steps         warps take chunks of rows of 16 bytes a lane, those of all blocks in turn, so that the
//                 front moves through the sequence. The least chunk with an element is a word that
//                 each warp reads with every chunk: it stops when its next one lies behind. A second
//                 launch finds the element in the chunk
//   target        any
//   CUB           DeviceFind::FindIf(x, i, p, n)       find_if(x, p)
//   Thrust        find_if, find                        find_if(x, p), find_if(x, |v| v == a)
//                 any_of, none_of                      find_if(x, p) < n, find_if(x, p) == n
//                 all_of, is_partitioned(x, p)         find_if(x, |v| !p(v)) == n
//                 mismatch, equal, is_sorted           mismatch(x, y), equal(x, y), is_sorted(x, <)
//
//   algorithm first_odd(n: u64, x: in i32[n]) -> u64 = find_if(x, |v| v % 2 == 1);
//   CALL: first_odd(x=[2, 4, 5, 7])
//   EXPECT: result = 2
//
// The word has the tag of the launch in its upper half, and ~chunk in the lower one: the greatest word
// has the least chunk, and any word of an earlier launch is smaller.

// Rows of a lane in a chunk: 32 bytes. 64 KiB are under way on a multiprocessor with 2048 threads.
fn __find_rows<const V: u32, T: type>() -> u32 = max(32 / (V * u32(sizeof<T>)), 1);

fn __find_chunk<const R: u32, const V: u32, I: type, F: fn>(it: I, p: F, words: inout u64[]) {
    const CHUNK = u64(R * V * 32);
    let n = it.len;
    let tag = __epoch_tag();
    let chunks = ceil_div(n, CHUNK);
    let is_wide = __adjoins<V>(it);
    var chunk = __step_rank() / 32;
    while (chunk < chunks) {
        let best = atomic.load(words[0], order = relaxed, scope = device);
        let first = chunk * CHUNK;
        let mine = first + u64(warp.lane * V);
        var v: element_of<I>[R * V];
        let is_full = first + CHUNK <= n;
        if (is_full && is_wide) {
            unroll for (r in 0..R) {
                let row = __adjacent<V, true>(it, mine + u64(r * V * 32));
                unroll for (k in 0..V) v[r * V + k] = row[k];
            }
        } else {
            unroll for (r in 0..R) {
                unroll for (k in 0..V) {
                    let i = mine + u64(r * V * 32 + k);
                    if (i < n) v[r * V + k] = it[i];
                }
            }
        }
        if (u32(best >> 32) == tag && u64(~u32(best)) < chunk) break;
        var is_there = false;
        unroll for (r in 0..R) {
            unroll for (k in 0..V) {
                if (is_full || mine + u64(r * V * 32 + k) < n) is_there |= p(v[r * V + k]);
            }
        }
        if (warp.any(is_there)) {
            if (warp.lane == 0) atomic.max(words[0], u64(tag) << 32 | u64(~u32(chunk)), order = relaxed, scope = device);
            break;
        }
        chunk += __step_size() / 32;
    }
}

// What is told of the first element: its number, or whether there is none.
fn __tell_found(found: out u64[], at: u64, n: u64, are_equal: bool) { found[0] = at; }
fn __tell_found(found: out bool[], at: u64, n: u64, are_equal: bool) { found[0] = are_equal && at == n; }

fn __find_first<const CHUNK: u32, I: type, F: fn, O: type>(it: I, p: F, are_equal: bool, words: inout u64[], found: O) {
    let tag = __epoch_tag();
    let best = atomic.load(words[0], order = relaxed, scope = device);
    let n = it.len;
    var at = n;
    if (u32(best >> 32) == tag) {
        let first = u64(~u32(best)) * u64(CHUNK);
        var i = first + u64(warp.lane);
        var hits = 0u32;
        while (hits == 0 && i < first + u64(CHUNK)) {
            var is_there = false;
            if (i < n) is_there = p(it[i]);
            hits = warp.ballot(is_there);
            i += 32;
        }
        at = i - 32 - u64(warp.lane) + u64(ctz(hits));
    }
    if (warp.lane == 0) {
        __tell_found(found, at, n, are_equal);
        __end_epoch(tag);
    }
}
fn __find_serial<I: type, F: fn, O: type>(it: I, p: F, are_equal: bool, found: O) {
    let n = it.len;
    var at = 0u64;
    while (at < n && !p(it[at])) at += 1;
    __tell_found(found, at, n, are_equal);
}

algorithm device.__find<I: type, F: fn, O: type>(it: I, p: F, are_equal: bool, found: O) {
    const V: u32 = __wide_count<element_of<I>>();
    const R: u32 = __find_rows<V, element_of<I>>();
    const CHUNK: u32 = R * V * 32;
    comptime if (__is_serial()) {
        launch __find_serial(block = 1, grid = 1, it, p, are_equal, found);
    } else {
        scratch persistent words: u64[1];
        launch __find_chunk<R, V>(block = 256, grid = min(ceil_div(__finite(__most(it)), 8 * u64(CHUNK)), u64(resident)), it, p, words);
        launch __find_first<CHUNK>(block = 32, grid = 1, it, p, are_equal, words, found);
    }
}
algorithm device.find_if<I: type, F: fn>(it: I, p: F) -> u64 {
    static_assert(sizeof(__is_answer(p(it[0u64]))) == 1, "");
    scratch result found: u64[1];
    device.__find(it, p, true, found);
    return found[0];
}
algorithm device.mismatch<A: type, B: type>(a: A, b: B) -> u64 {
    scratch result found: u64[1];
    device.__find(zip(a, b), |p| p[0] != p[1], true, found);
    return found[0];
}
algorithm device.equal<A: type, B: type>(a: A, b: B) -> bool {
    scratch result found: bool[1];
    device.__find(zip(a, b), |p| p[0] != p[1], __finite(__bound(a)) == __finite(__bound(b)), found);
    return found[0];
}
algorithm device.is_sorted<I: type, F: fn>(it: I, less: F) -> bool {
    scratch result found: bool[1];
    device.__find(zip(it, it.drop(1)), |p| less(p[1], p[0]), true, found);
    return found[0];
}
