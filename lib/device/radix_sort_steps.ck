// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/radix_sort_steps.ck - radix sort of a sequence, by launches of kernels.
//
// In an algorithm, with descending = false, begin_bit = 0, end_bit = all:
//   radix_sort(keys)                     in place
//   radix_sort(keys, values)             keys, and values with them
//   radix_sort(items, by)                items of any type by what by(item) gives
//   radix_sort(keys, to = k)             the same to another place; radix_sort(items, by, to = x),
//                                        radix_sort(keys, values, to = k, to_values = v)
//
//   keys          readable and writable iterators of numbers; the greatest length that they can have is
//                 known to the host
//   values        an iterator of any type, at least as long as keys
//   by            by(item) returns the sort key: an integer, a float or a bool; or a tuple of 2 to 8 of
//                 them, or an array, compared lexicographically
//                 (an integer of 128 bits is its upper 64 bits, signed or not, and its lower 64)
//   to, to_values readable and writable iterators with room for all. Without them the result is in place
//   overlap       keys and values: rejected, as are keys or values with to or to_values
//   begin_bit, end_bit   a window of the key as one number: the last field has the lowest bits. Bits
//                 that the key doesn't have count for nothing
//   result        sorted, stable. For floats -0 and 0 are equal, and a NaN comes before or after all
//                 numbers, according to its sign, as in CUB
//   launches      1 up to 8192 elements of 8 bytes, fewer if they have more or below sm_90. Else 2, and one for
//                 every 8 bits of the window; in place, if these are an odd number, one more
//   scratch       a copy of keys and values, 256 counters for every 8 bits of the key, and a word of
//                 persistent memory for each tile and digit
//   steps         one launch counts the digits of all passes. A pass then moves each element once: a block
//                 sorts a tile by the digit, and learns by decoupled look-back, digit by digit, how many
//                 elements of the tiles before it have that digit (Adinets and Merrill, "Onesweep: A Faster
//                 Least Significant Digit Radix Sort for GPUs", 2022). On the host, unless checked: one
//                 thread executes the passes
//   target        any
//   CUB           DeviceRadixSort::SortKeys(k, n)               radix_sort(k)
//                 ::SortKeys(k, y, n, begin, end)               radix_sort(k, to = y, begin_bit = begin, end_bit = end)
//                 ::SortKeysDescending(k, n)                    radix_sort(k, descending = true)
//                 ::SortPairs(k, v, n)                          radix_sort(k, v)
//                 ::SortPairsDescending(k, v, n)                radix_sort(k, v, descending = true)
//                 ::SortKeys(x, y, n, decomposer)               radix_sort(x, |s| (s.a, s.b), to = y)
//                 ::SortKeys(k, n) of __int128_t                 radix_sort(k, |s| (s.high, s.low))
//   Thrust        sort_by_key(k, v)                             radix_sort(k, v)
//   cuda.compute  radix_sort                                    radix_sort(k, v, to = k2, to_values = v2)
//
//   algorithm falling(n: u64, keys: inout f32[n], at: inout u32[n]) { radix_sort(keys, at, descending = true); }
//   CALL: falling(keys=[-1, 3, 2], at=[0, 1, 2])
//   EXPECT: keys = [3, 2, -1]
//   EXPECT: at = [1, 2, 0]
//
// A tile of a pass, for digits 0 to 3 instead of 0 to 255:
//
//     elements      2 0 3 0 | 1 2 2 0     warp 0 | warp 1
//     counts        2 0 1 1 | 1 1 2 0     of each warp, by atomics. Their sums 3 1 3 1 are published
//     starts        0 3 4 7 | 2 3 5 8     where the warp's first element of a digit goes in the tile
//     sorted        0 0 0 1 2 2 2 3       in shared memory. So the digits' runs are written at a stretch
//     to            at[d] + place         at[d]: elements of smaller digits, and of this one in the
//                                         tiles before, less the digit's start in the tile
//
// In the tile that the elements don't fill, the last one stands for each that is missing. These come
// directly behind it in the sorted tile, and are neither counted nor written.

// ---- digits ----

// The 8 bits from bit `bit` of the key on, whose lowest field begins at `low`.
fn __sweep_field<K: type>(k: K, low: u32, bit: u32) -> u32 {
    const BITS: u32 = 8 * u32(sizeof<K>);
    if (bit + 8 <= low || bit >= low + BITS) return 0;
    let b = __digits(k, __key(k));
    return bit >= low ? u32(b >> (bit - low)) : u32(b) << (low - bit);
}
fn __sweep_fields<const COUNT: u32, K: type>(k: K, low: u32, bit: u32) -> u32 {
    comptime if (COUNT == 0) return 0;
    else return __sweep_field(k[COUNT - 1], low, bit) | __sweep_fields<COUNT - 1>(k, low + 8 * u32(sizeof(k[COUNT - 1])), bit);
}
fn __sweep_bits<K: type, const COUNT: u32>(k: K[COUNT], bit: u32) -> u32 = __sweep_fields<COUNT>(k, 0, bit);
fn __sweep_bits<A: type, B: type>(k: (A, B), bit: u32) -> u32 = __sweep_fields<2>(k, 0, bit);
fn __sweep_bits<A: type, B: type, C: type>(k: (A, B, C), bit: u32) -> u32 = __sweep_fields<3>(k, 0, bit);
fn __sweep_bits<A: type, B: type, C: type, D: type>(k: (A, B, C, D), bit: u32) -> u32 = __sweep_fields<4>(k, 0, bit);
fn __sweep_bits<A: type, B: type, C: type, D: type, E: type>(k: (A, B, C, D, E), bit: u32) -> u32 = __sweep_fields<5>(k, 0, bit);
fn __sweep_bits<A: type, B: type, C: type, D: type, E: type, F: type>(k: (A, B, C, D, E, F), bit: u32) -> u32 = __sweep_fields<6>(k, 0, bit);
fn __sweep_bits<A: type, B: type, C: type, D: type, E: type, F: type, G: type>(k: (A, B, C, D, E, F, G), bit: u32) -> u32 = __sweep_fields<7>(k, 0, bit);
fn __sweep_bits<A: type, B: type, C: type, D: type, E: type, F: type, G: type, H: type>(k: (A, B, C, D, E, F, G, H), bit: u32) -> u32 = __sweep_fields<8>(k, 0, bit);
fn __sweep_bits<K: type>(k: K, bit: u32) -> u32 = u32(__digits(k, __key(k)) >> bit);

// As many bytes as the key has in its fields.
fn __sweep_bytes<K: type, const COUNT: u32>(k: K[COUNT]) -> u8[COUNT * (sizeof<K>)] { var r: u8[COUNT * (sizeof<K>)]; return r; }
fn __sweep_bytes<A: type, B: type>(k: (A, B)) -> u8[sizeof<A> + sizeof<B>] { var r: u8[sizeof<A> + sizeof<B>]; return r; }
fn __sweep_bytes<A: type, B: type, C: type>(k: (A, B, C)) -> u8[sizeof<A> + sizeof<B> + sizeof<C>] { var r: u8[sizeof<A> + sizeof<B> + sizeof<C>]; return r; }
fn __sweep_bytes<A: type, B: type, C: type, D: type>(k: (A, B, C, D)) -> u8[sizeof<A> + sizeof<B> + sizeof<C> + sizeof<D>] { var r: u8[sizeof<A> + sizeof<B> + sizeof<C> + sizeof<D>]; return r; }
fn __sweep_bytes<A: type, B: type, C: type, D: type, E: type>(k: (A, B, C, D, E)) -> u8[sizeof<A> + sizeof<B> + sizeof<C> + sizeof<D> + sizeof<E>] { var r: u8[sizeof<A> + sizeof<B> + sizeof<C> + sizeof<D> + sizeof<E>]; return r; }
fn __sweep_bytes<A: type, B: type, C: type, D: type, E: type, F: type>(k: (A, B, C, D, E, F)) -> u8[sizeof<A> + sizeof<B> + sizeof<C> + sizeof<D> + sizeof<E> + sizeof<F>] { var r: u8[sizeof<A> + sizeof<B> + sizeof<C> + sizeof<D> + sizeof<E> + sizeof<F>]; return r; }
fn __sweep_bytes<A: type, B: type, C: type, D: type, E: type, F: type, G: type>(k: (A, B, C, D, E, F, G)) -> u8[sizeof<A> + sizeof<B> + sizeof<C> + sizeof<D> + sizeof<E> + sizeof<F> + sizeof<G>] { var r: u8[sizeof<A> + sizeof<B> + sizeof<C> + sizeof<D> + sizeof<E> + sizeof<F> + sizeof<G>]; return r; }
fn __sweep_bytes<A: type, B: type, C: type, D: type, E: type, F: type, G: type, H: type>(k: (A, B, C, D, E, F, G, H)) -> u8[sizeof<A> + sizeof<B> + sizeof<C> + sizeof<D> + sizeof<E> + sizeof<F> + sizeof<G> + sizeof<H>] { var r: u8[sizeof<A> + sizeof<B> + sizeof<C> + sizeof<D> + sizeof<E> + sizeof<F> + sizeof<G> + sizeof<H>]; return r; }
fn __sweep_bytes<K: type>(k: K) -> u8[sizeof<K>] { var r: u8[sizeof<K>]; return r; }

struct __Sweep<F: fn> {
    by: F;
    begin: u32;
    end: u32; // of the key's bits
    descending: bool;
    fn passes -> u32 = self.end > self.begin ? (self.end - self.begin + 7) / 8 : 0;
    fn mask(pass: u32) -> u32 = (1u32 << min(self.end - self.begin - 8 * pass, 8)) - 1;
}
// What gives the digit of an item in one pass.
struct __Digit<F: fn> {
    by: F;
    bit: u32;
    mask: u32;
    flip: u32;
    fn of<T: type>(item: T) -> u32 = (__sweep_bits(self.by(item), self.bit) & self.mask) ^ self.flip;
}
fn __sweep_digit<F: fn>(s: __Sweep<F>, pass: u32) -> __Digit<F> {
    let mask = s.mask(pass);
    return __Digit<F>(s.by, s.begin + 8 * pass, mask, s.descending ? mask : 0);
}

// ---- where a pass reads and writes ----

// 0: keys, 1: the scratch memory, 2: the result. The last pass writes the result.
struct __OneOf<A: type, B: type, C: type> {
    which: u32;
    a: A;
    b: B;
    c: C;
    fn []<J: int>(i: J) -> element_of<B> {
        var v: element_of<B>;
        if (self.which == 0) v = self.a[i];
        else if (self.which == 1) v = self.b[i];
        else v = self.c[i];
        return v;
    }
}
// Of spans it is one address, chosen once.
struct __Strip<T: type> {
    at: ptr<T, global>;
    fn []<J: int>(i: J) -> T = self.at[i];
}
fn __sweep_source<T: type>(which: u32, a: in T[], b: in T[], c: in T[]) =
    __Strip<T>(ptr<T, global>(which == 0 ? address(a[0]) : which == 1 ? address(b[0]) : address(c[0])));
fn __sweep_source<I: type, T: type>(which: u32, a: Take<I>, b: inout T[], c: Take<I>) = __sweep_source(which, a.it, b, c.it);
fn __sweep_source<B: type, C: type>(which: u32, a: __None, b: B, c: C) = a;
fn __sweep_source<A: type, B: type, C: type>(which: u32, a: A, b: B, c: C) = __OneOf<A, B, C>(which, a, b, c);
fn __sweep_target<T: type>(which: u32, b: inout T[], c: inout T[]) =
    __Strip<T>(ptr<T, global>(which == 1 ? address(b[0]) : address(c[0])));
fn __sweep_target<T: type, I: type>(which: u32, b: inout T[], c: Take<I>) = __sweep_target(which, b, c.it);
fn __sweep_target<B: type>(which: u32, b: B, c: __None) = c;
fn __sweep_target<B: type, C: type>(which: u32, b: B, c: C) = __OneOf<B, B, C>(which, b, b, c);
fn __sweep_put<T: type>(to: __Strip<T>, i: u64, v: T) { to.at[i] = v; }
fn __sweep_put<A: type, B: type, C: type, T: type>(to: __OneOf<A, B, C>, i: u64, v: T) {
    if (to.which == 1) to.b[i] = v;
    else to.c[i] = v;
}

// ---- the digits of all passes ----

fn __sweep_clear(counts: out u64[]) { for (i in block.stride(counts.len)) counts[i] = 0; }

// `1 << shift` counters side by side for each digit, as in device/histogram.ck. The launch ahead clears
// counts.
fn __sweep_count<const P: u32, I: type, F: fn>(it: I, sweep: __Sweep<F>, shift: u32, counts: inout u64[]) {
    const V: u32 = __wide_count<element_of<I>>();
    const TILE = u64(V * block.size);
    shared part: u32[P * 256 << __sweep_shift<P>()];
    let passes = sweep.passes;
    for (i in block.stride(passes * 256 << shift)) part[i] = 0;
    block.sync();
    let mine = thread.rank & ((1u32 << shift) - 1);
    let n = it.len;
    var rest = 0u64;
    if (__adjoins<V>(it)) {
        let tiles = n / TILE;
        rest = tiles * TILE;
        var tile = u64(block.id.x);
        if (tile < tiles) {
            var next = __rows_of_tile<1, V>(it, tile);
            while (tile < tiles) {
                let row = next;
                tile += u64(grid.dim.x);
                if (tile < tiles) next = __rows_of_tile<1, V>(it, tile);
                unroll for (k in 0..V) __sweep_add<P>(row[k], sweep, passes, part, shift, mine);
            }
        }
    }
    unroll(1) for (i in (rest + __step_rank()..n).step(__step_size())) __sweep_add<P>(it[i], sweep, passes, part, shift, mine);
    block.sync();
    __wait_until_clear();
    for (i in block.stride(passes * 256)) {
        let s = __sum_copies(part, i << shift, 1u32 << shift);
        if (s > 0) atomic.add(counts[i], u64(s));
    }
}
fn __sweep_add<const P: u32, T: type, F: fn>(item: T, sweep: __Sweep<F>, passes: u32, part: inout u32[], shift: u32, mine: u32) {
    unroll for (p in 0..P) {
        if (p < passes) atomic.add(part[(p * 256 + __sweep_digit(sweep, p).of(item) << shift) + mine], 1, scope = block);
    }
}
fn __sweep_shift<const P: u32>() -> u32 = P <= 2 ? 5 : P <= 4 ? 4 : P <= 8 ? 3 : P <= 16 ? 2 : P <= 32 ? 1 : 0; // 64 KiB

// ---- a pass ----

// The elements of digit d before this tile, by one thread; tile 0 has published what is before all
// tiles. Several tiles' words are read at a time.
fn __sweep_look_back<const K: u64>(words: ptr<u64>, tile: u64, d: u32, tag: u32) -> u64 {
    var sum = 0u64;
    var at = tile; // the tiles from here on are in sum
    var is_done = false;
    while (!is_done) {
        var word: u64[K];
        unroll for (k in 0..K) word[k] = atomic.load(words[(at - min(at, k + 1)) * 256 + u64(d)], order = relaxed, scope = device);
        var is_run = true;
        unroll for (k in 0..K) {
            let kind = u32(word[k] >> 32) - tag; // 1, 2, or it is not there
            is_run &= !is_done && kind - 1 < 2;
            if (is_run) {
                sum += u64(u32(word[k]));
                at -= 1;
                is_done = kind == __PREFIX;
            }
        }
        if (!is_done && !is_run) thread.yield();
    }
    return sum;
}
// With sums of 64 bits.
fn __sweep_look_back_long(words: inout u64[], tile: u64, d: u32, tag: u32) -> u64 {
    var sum = 0u64;
    var at = tile;
    while (true) {
        let (v, kind) = __get_state<u64>(words, (at - 1) * 256 + u64(d), tag);
        if (kind == 0) {
            thread.yield();
        } else {
            sum += v;
            at -= 1;
            if (kind == __PREFIX) break;
        }
    }
    return sum;
}
fn __sweep_publish(words: inout u64[], tile: u64, d: u32, v: u64, tag: u32, is_long: bool) {
    if (is_long) __put_state(words, tile * 256 + u64(d), v, tag);
    else __put_state(words, tile * 256 + u64(d), u32(v), tag);
}

// The exclusive sum over threads 0 to 255, by warps 0 to 7; all threads call it.
fn __sweep_scan<T: int>(v: T) -> T {
    shared sums: T[8];
    var sum = v;
    unroll for (k in 0..5u32) {
        let left = warp.shuffle_up(sum, 1u32 << k);
        if (warp.lane >= 1u32 << k) sum += left;
    }
    if (warp.rank < 8 && warp.lane == 31) sums[warp.rank] = sum;
    block.sync();
    return sum - v + warp.sum(warp.lane < min(warp.rank, 8) ? sums[warp.lane % 8] : T(0));
}

// The lanes with the same digit, by a vote on each bit. As PTX, since ptxas moves all bits of a digit to
// predicates by one instruction then; what LLVM makes of votes takes three for each bit.
fn __sweep_peers_low(d: u32) -> u32 =
    asm<u32>("{ .reg .pred p; .reg .b32 a, b, c; and.b32 a, $1, 1; setp.ne.u32 p, a, 0; vote.sync.ballot.b32 a, p, -1; @!p not.b32 a, a; and.b32 b, $1, 2; setp.ne.u32 p, b, 0; vote.sync.ballot.b32 b, p, -1; @!p not.b32 b, b; and.b32 c, $1, 4; setp.ne.u32 p, c, 0; vote.sync.ballot.b32 c, p, -1; @!p not.b32 c, c; lop3.b32 $0, a, b, c, 0x80; }", d, convergent = true);
fn __sweep_peers_high(d: u32, low: u32) -> u32 =
    asm<u32>("{ .reg .pred p; .reg .b32 a, b, r; and.b32 a, $1, 8; setp.ne.u32 p, a, 0; vote.sync.ballot.b32 a, p, -1; @!p not.b32 a, a; and.b32 b, $1, 16; setp.ne.u32 p, b, 0; vote.sync.ballot.b32 b, p, -1; @!p not.b32 b, b; lop3.b32 r, $2, a, b, 0x80; and.b32 a, $1, 32; setp.ne.u32 p, a, 0; vote.sync.ballot.b32 a, p, -1; @!p not.b32 a, a; and.b32 b, $1, 64; setp.ne.u32 p, b, 0; vote.sync.ballot.b32 b, p, -1; @!p not.b32 b, b; lop3.b32 r, r, a, b, 0x80; and.b32 a, $1, 128; setp.ne.u32 p, a, 0; vote.sync.ballot.b32 a, p, -1; @!p not.b32 a, a; and.b32 $0, r, a; }", d, low, convergent = true);
fn __sweep_peers(d: u32) -> u32 {
    comptime if (__is_host()) return __peers<8>(d);
    else return __sweep_peers_high(d, __sweep_peers_low(d));
}
// The place of the lane's item of digit d. counter: that of the warp's next item of this digit. All lanes
// of a digit read it, and the last one of them moves it on.
fn __sweep_place(counter: ptr<u32, shared>, d: u32) -> u32 {
    let peers = __sweep_peers(d);
    let last = 31 - clz(peers);
    let upto = popcount(peers & ~(~1u32 << warp.lane));
    comptime if (__is_host()) {
        var before = 0u32;
        if (warp.lane == last) before = atomic.add(counter[0], upto, scope = block);
        return warp.shuffle(before, last) + upto - 1;
    } else {
        return asm<u32>("{ .reg .pred p; .reg .b32 r; bar.warp.sync -1; ld.shared.u32 r, [$1]; bar.warp.sync -1; add.u32 r, r, $2; setp.eq.u32 p, $3, $4; @p st.shared.u32 [$1], r; mov.b32 $0, r; }",
            counter, upto, warp.lane, last, memory = true, convergent = true) - 1;
    }
}
// The value itself. The compiler doesn't know that, so it computes what depends on it a second time: a
// tile's digits, which are computed from its items by a few instructions, stay in no registers.
fn __sweep_again(v: u32) -> u32 { comptime if (__is_host()) return v; else return asm<u32>("mov.b32 $0, $1;", v, volatile = true); }
fn __sweep_again(v: i32) -> i32 { comptime if (__is_host()) return v; else return asm<i32>("mov.b32 $0, $1;", v, volatile = true); }
fn __sweep_again(v: f32) -> f32 { comptime if (__is_host()) return v; else return asm<f32>("mov.b32 $0, $1;", v, volatile = true); }
fn __sweep_again(v: u64) -> u64 { comptime if (__is_host()) return v; else return asm<u64>("mov.b64 $0, $1;", v, volatile = true); }
fn __sweep_again(v: i64) -> i64 { comptime if (__is_host()) return v; else return asm<i64>("mov.b64 $0, $1;", v, volatile = true); }
fn __sweep_again(v: f64) -> f64 { comptime if (__is_host()) return v; else return asm<f64>("mov.b64 $0, $1;", v, volatile = true); }
fn __sweep_again(v: u8) -> u8 = u8(__sweep_again(u32(v)));
fn __sweep_again(v: i8) -> i8 = i8(__sweep_again(i32(v)));
fn __sweep_again(v: u16) -> u16 = u16(__sweep_again(u32(v)));
fn __sweep_again(v: i16) -> i16 = i16(__sweep_again(i32(v)));
fn __sweep_again(v: f16) -> f16 = bit_cast<f16>(__sweep_again(bit_cast<u16>(v)));
fn __sweep_again(v: bf16) -> bf16 = bit_cast<bf16>(__sweep_again(bit_cast<u16>(v)));
fn __sweep_again<A: type, B: type>(v: (A, B)) -> (A, B) = (__sweep_again(v[0]), __sweep_again(v[1]));
fn __sweep_again<T: type>(v: T) -> T = v;

// The value itself, as long as `zero` is 0, which ptxas doesn't know. It would keep the digits' bits of
// signed keys and floats, of which it computes more than a shift, beside the items: more than 64 registers.
fn __sweep_apart(v: i32, zero: u32) -> i32 = __sweep_again(v ^ bit_cast<i32>(zero));
fn __sweep_apart(v: f32, zero: u32) -> f32 = bit_cast<f32>(__sweep_again(bit_cast<u32>(v) ^ zero));
fn __sweep_apart(v: i64, zero: u32) -> i64 = __sweep_again(v ^ i64(u64(zero) << 32));
fn __sweep_apart(v: f64, zero: u32) -> f64 = bit_cast<f64>(__sweep_again(bit_cast<u64>(v) ^ u64(zero) << 32));
fn __sweep_apart<T: type>(v: T, zero: u32) -> T = v;

fn __sweep_at<T: type>(from: __Strip<T>, base: u64, i: u32) -> T = (from.at + base)[i];
fn __sweep_at<I: type>(from: I, base: u64, i: u32) -> element_of<I> = from[base + u64(i)];

// Items first, first + 32, ... of the tile that begins at `lo`, `rows` of them. The last one of the tile
// stands for those that are missing. Rows are a multiple of 4, or N.
fn __sweep_load<const N: u32, A: type, T: type>(from: A, lo: u64, first: u32, rows: u32, count: u32, is_full: bool, like: T) -> T[N] {
    const G: u32 = min(N, 4);
    let base = lo + u64(first);
    var items: T[N];
    if (is_full) {
        unroll for (g in 0u32..N / G) {
            if (g == 0 || g * G < rows) {
                unroll for (j in 0u32..G) items[g * G + j] = __sweep_at(from, base, 32 * (g * G + j));
            }
        }
    } else {
        let last = __sweep_at(from, lo, count - 1);
        unroll for (k in 0u32..N) {
            items[k] = last;
            if (first + 32 * k < count) items[k] = __sweep_at(from, base, 32 * k);
        }
    }
    return items;
}

// Moves the elements of one tile, `rows` of each thread; N of them where IS_LARGE, which is for fewer than
// 2^32 elements. counts: how many elements have each digit. Quick code reads the items twice, where they
// would be in local memory.
fn __sweep_tile<const N: u32, const HAS_VALUES: bool, const IS_LARGE: bool, A: type, B: type, X: type, Y: type, F: fn, T: type, V: type>(from: A, values: X, to: B, to_values: Y, n: u64, rows_now: u32, digit: __Digit<F>, counts: in u64[], words: inout u64[], like: T, like_value: V) {
    const WARPS = block.size / 32;
    const G: u32 = min(N, 4);
    const HELD: u32 = __is_quick() ? 1 : N; // items in registers
    shared places: u32[WARPS * 256];
    shared sorted: T[N * block.size];
    shared sorted_values: V[HAS_VALUES ? N * block.size : 1];
    shared at: u64[256];
    shared at_low: u32[256];
    shared end: u32[1]; // the place behind the last element of the last one's digit
    let tile = u64(block.id.x);
    let rows = IS_LARGE ? N : rows_now;
    let size = rows * block.size;
    let lo = tile * u64(size);
    if (lo >= n) return; // there may be fewer elements than the host knew
    let tag = __epoch_tag();
    let is_long = !IS_LARGE && n >> 32 > 0;
    let count = u32(min(n - lo, u64(size)));
    let missing = size - count;
    let first = warp.rank * (32 * rows) + warp.lane;
    let d = thread.rank; // the digit that this thread looks after, if it is below 256
    let items = __sweep_load<HELD>(from, lo, first, rows, count, missing == 0, like);
    var items_values: V[HAS_VALUES ? HELD : 1];
    comptime if (HAS_VALUES) items_values = __sweep_load<HELD>(values, lo, first, rows, count, missing == 0, like_value);
    let last_digit = missing == 0 ? 256 : digit.of(__sweep_at(from, lo, count - 1));
    __clear_counts<256>(places, warp.rank * 256);
    let mine = address(places[warp.rank * 256]);
    comptime if (__is_quick()) {
        unroll(1) for (k in 0..rows) atomic.add(mine[digit.of(__sweep_at(from, lo, min(first + 32 * k, count - 1)))], 1, scope = block);
    } else {
        unroll for (g in 0u32..N / G) {
            if (g == 0 || g * G < rows) {
                unroll for (j in 0..G) atomic.add(mine[digit.of(items[g * G + j])], 1, scope = block);
            }
        }
    }
    block.sync();
    var total = 0u32;
    if (d < 256) {
        unroll for (w in 0..WARPS) {
            let c = places[w * 256 + d];
            places[w * 256 + d] = total;
            total += c;
        }
    }
    let real = total - (d == last_digit ? missing : 0); // elements, without those that stand for others
    if (tile > 0 && d < 256) __sweep_publish(words, tile, d, u64(real), tag | __PARTIAL, is_long);
    let start = __sweep_scan(total);
    if (d < 256) {
        unroll for (w in 0..WARPS) places[w * 256 + d] += start;
    }
    if (d == last_digit) end[0] = start + real;
    block.sync();
    var before = 0u64; // elements of smaller digits, and of this one in the tiles before
    if (tile == 0) {
        before = __sweep_scan(d < 256 ? counts[d] : 0u64);
        if (d < 256) __sweep_publish(words, tile, d, before + u64(real), tag | __PREFIX, is_long);
    }
    let again = __Digit<F>(digit.by, __sweep_again(digit.bit), digit.mask, digit.flip);
    let zero = digit.bit >> 16;
    comptime if (__is_quick()) {
        unroll(1) for (k in 0..rows) {
            let i = min(first + 32 * k, count - 1);
            let item = __sweep_at(from, lo, i);
            let e = digit.of(item);
            let place = __sweep_place(mine + e, e);
            sorted[place] = item;
            comptime if (HAS_VALUES) sorted_values[place] = __sweep_at(values, lo, i);
        }
    } else {
        unroll for (g in 0u32..N / G) {
            if (g == 0 || g * G < rows) {
                unroll for (j in 0..G) {
                    let item = __sweep_again(items[g * G + j]);
                    let e = again.of(__sweep_apart(item, zero));
                    let place = __sweep_place(mine + e, e);
                    sorted[place] = item;
                    comptime if (HAS_VALUES) sorted_values[place] = items_values[g * G + j];
                }
            }
        }
    }
    if (d < 256) {
        if (tile > 0) {
            // Blocks that begin together have to look back farther.
            if (is_long) before = __sweep_look_back_long(words, tile, d, tag);
            else if (IS_LARGE || __is_quick() || grid.dim.x > 264) before = __sweep_look_back<8>(address(words[0]), tile, d, tag);
            else before = __sweep_look_back<16>(address(words[0]), tile, d, tag);
            __sweep_publish(words, tile, d, before + u64(real), tag | __PREFIX, is_long);
        }
        at[d] = before - u64(start);
        at_low[d] = u32(before) - start;
    }
    // The last tile knows that all blocks have read the epoch.
    if (lo + u64(size) >= n && thread.rank == 0) __end_epoch(tag);
    block.sync();
    if (!__is_quick() && missing == 0 && !is_long) {
        unroll(1) for (r in (thread.rank..rows * block.size).step(G * block.size)) {
            unroll for (j in 0u32..G) {
                let item = sorted[r + j * block.size];
                let i = u64(at_low[digit.of(item)] + r + j * block.size);
                __sweep_put(to, i, item);
                comptime if (HAS_VALUES) __sweep_put(to_values, i, sorted_values[r + j * block.size]);
            }
        }
    } else {
        unroll(1) for (k in 0..rows) {
            let r = thread.rank + k * block.size;
            if (r - end[0] >= missing) {
                let item = sorted[r];
                let i = at[digit.of(item)] + u64(r);
                __sweep_put(to, i, item);
                comptime if (HAS_VALUES) __sweep_put(to_values, i, sorted_values[r]);
            }
        }
    }
}

// Where a pass writes. With an odd number of passes in place, the last one writes the scratch memory.
fn __sweep_writes<F: fn>(sweep: __Sweep<F>, in_place: bool, pass: u32) -> u32 {
    let is_odd = (sweep.passes - pass) % 2 == 1;
    let is_swapped = in_place && sweep.passes % 2 == 1;
    return is_odd != is_swapped ? 2 : 1;
}
fn __sweep_pass<const N: u32, const HAS_VALUES: bool, const IS_LARGE: bool, I: type, X: type, T: type, V: type, O: type, Y: type, F: fn>(keys: I, values: X, other: inout T[], other_values: inout V[], to: O, to_values: Y, sweep: __Sweep<F>, in_place: bool, counts: in u64[], words: inout u64[], rows: u32, pass: u32) {
    let target = __sweep_writes(sweep, in_place, pass);
    let source = pass == 0 ? 0 : 3 - target;
    __sweep_tile<N, HAS_VALUES, IS_LARGE>(__sweep_source(source, keys, other, to), __sweep_source(source, values, other_values, to_values),
        __sweep_target(target, other, to), __sweep_target(target, other_values, to_values), keys.len, rows,
        __sweep_digit(sweep, pass), counts[u64(pass * 256)..u64(pass * 256 + 256)], words, __zero(keys[0u64]), __sweep_like(values));
}
fn __sweep_copy<const HAS_VALUES: bool, I: type, X: type, O: type, Y: type>(n: u64, keys: I, values: X, to: O, to_values: Y) {
    for (i in grid.stride(n)) {
        to[i] = keys[i];
        comptime if (HAS_VALUES) to_values[i] = values[i];
    }
}

// ---- few elements: all passes by one block ----

fn __sweep_block<const N: u32, const HAS_VALUES: bool, I: type, X: type, O: type, Y: type, F: fn, T: type, V: type>(keys: I, values: X, to: O, to_values: Y, sweep: __Sweep<F>, like: T, like_value: V) {
    const WARPS = block.size / 32;
    const M: u32 = HAS_VALUES ? N : 1;
    shared places: u32[WARPS * 256];
    shared sorted: T[N * block.size];
    shared sorted_values: V[HAS_VALUES ? N * block.size : 1];
    let n = __assume_block(u32(keys.len));
    let rows = ceil_div(n, block.size); // of each thread
    let mine = address(places[warp.rank * 256]);
    let first = warp.rank * (32 * rows) + warp.lane;
    let d = thread.rank;
    var items: T[N];
    var items_values: V[M];
    unroll for (k in 0..N) {
        let i = u64(first + 32 * k);
        if (k < rows && i < u64(n)) {
            items[k] = keys[i];
            comptime if (HAS_VALUES) items_values[k] = values[i];
        }
    }
    for (pass in 0..sweep.passes) {
        let digit = __sweep_digit(sweep, pass);
        __clear_counts<256>(places, warp.rank * 256);
        unroll for (k in 0..N) {
            if (k < rows) atomic.add(mine[first + 32 * k < n ? digit.of(items[k]) : 255], 1, scope = block);
        }
        block.sync();
        var total = 0u32;
        if (d < 256) {
            unroll for (w in 0..WARPS) {
                let c = places[w * 256 + d];
                places[w * 256 + d] = total;
                total += c;
            }
        }
        let start = __sweep_scan(total);
        if (d < 256) {
            unroll for (w in 0..WARPS) places[w * 256 + d] += start;
        }
        block.sync();
        unroll for (k in 0..N) {
            if (k < rows) {
                let e = first + 32 * k < n ? digit.of(items[k]) : 255;
                let place = __sweep_place(mine + e, e);
                sorted[place] = items[k];
                comptime if (HAS_VALUES) sorted_values[place] = items_values[k];
            }
        }
        block.sync();
        unroll for (k in 0..N) {
            if (k < rows) {
                items[k] = sorted[first + 32 * k];
                comptime if (HAS_VALUES) items_values[k] = sorted_values[first + 32 * k];
            }
        }
    }
    unroll for (k in 0..N) {
        let i = u64(first + 32 * k);
        if (k < rows && i < u64(n)) {
            to[i] = items[k];
            comptime if (HAS_VALUES) to_values[i] = items_values[k];
        }
    }
}

// ---- all by one thread of the host ----

fn __sweep_serial<const HAS_VALUES: bool, I: type, X: type, T: type, V: type, O: type, Y: type, F: fn>(keys: I, values: X, other: inout T[], other_values: inout V[], to: O, to_values: Y, sweep: __Sweep<F>, in_place: bool) {
    let n = keys.len;
    if (n == 0) return;
    for (pass in 0..sweep.passes) {
        let target = __sweep_writes(sweep, in_place, pass);
        let source = pass == 0 ? 0 : 3 - target;
        __sweep_serial_pass<HAS_VALUES>(__sweep_source(source, keys, other, to), __sweep_source(source, values, other_values, to_values),
            __sweep_target(target, other, to), __sweep_target(target, other_values, to_values), n, __sweep_digit(sweep, pass));
    }
    if (in_place && sweep.passes % 2 == 1) __sweep_copy<HAS_VALUES>(n, other, other_values, to, to_values);
    if (!in_place && sweep.passes == 0) __sweep_copy<HAS_VALUES>(n, keys, values, to, to_values);
}
fn __sweep_serial_pass<const HAS_VALUES: bool, A: type, X: type, B: type, Y: type, F: fn>(from: A, values: X, to: B, to_values: Y, n: u64, digit: __Digit<F>) {
    var next: u64[256];
    for (i in 0..n) next[digit.of(from[i])] += 1;
    var sum = 0u64;
    for (d in 0..256) {
        let count = next[d];
        next[d] = sum;
        sum += count;
    }
    for (i in 0..n) {
        let item = from[i];
        let d = digit.of(item);
        __sweep_put(to, next[d], item);
        comptime if (HAS_VALUES) __sweep_put(to_values, next[d], values[i]);
        next[d] += 1;
    }
}

// ---- the plan ----

fn __sweep_like<V: type>(values: V) = __zero(values[0u64]);
fn __sweep_like(values: __None) -> u8 = 0;

algorithm device.__radix_sort<const HAS_VALUES: bool, const IN_PLACE: bool, I: type, X: type, O: type, Y: type, F: fn, V: type>(keys: I, values: X, to: O, to_values: Y, by: F, descending: bool, begin_bit: u32, end_bit: u32, like_value: V) {
    let n = __finite(__most(keys));
    const P: u32 = u32(sizeof(__sweep_bytes(by(__zero(keys[0u64])))));
    const WIDTH = 8 * P;
    const BYTES: u32 = u32(sizeof<element_of<I>>) + (HAS_VALUES ? u32(sizeof<V>) : 0);
    static_assert(BYTES <= 400, "radix_sort moves elements of at most 400 bytes: sort their keys with their places as values");
    const FEW: u32 = BYTES <= 8 ? 8 : BYTES <= 16 ? 4 : BYTES <= 32 ? 2 : 1; // of a thread, in the form of one block
    const IS_SMALL = !__is_large_chip() && !__is_host(); // shared memory of 64 or 99 KB; ptxas spills below sm_90
    const THREADS: u32 = BYTES <= 64 && !IS_SMALL ? 1024 : 512;
    let sweep = __Sweep<F>(by, begin_bit, min(end_bit, WIDTH), descending);
    let passes = sweep.passes;
    scratch other: element_of<I>[n];
    scratch other_values: V[HAS_VALUES ? n : 1];
    comptime if (__is_serial()) {
        launch __sweep_serial<HAS_VALUES>(block = 1, grid = 1, keys, values, other, other_values, to, to_values, sweep, IN_PLACE);
    } else if (n <= u64(THREADS * FEW)) {
        launch __sweep_block<FEW, HAS_VALUES>(block = THREADS, grid = 1, keys, values, to, to_values, sweep, __zero(keys[0u64]), like_value);
    } else {
        const MOST = __sort_rows_of<BYTES>();
        const N: u32 = max(IS_SMALL ? MOST / 8 * 4 : MOST, min(MOST, 4));
        // Few rows as long as two blocks on each of 132 multiprocessors take all tiles at a time
        const FEWER: u32 = min(N, 16);
        let is_large = n > 2097152 && n >> 32 == 0;
        let few = min(n <= 524288 ? 4u32 : n <= 1048576 ? 8u32 : 16u32, FEWER);
        let rows = is_large ? N : few;
        let size = 512 * u64(rows);
        scratch counts: u64[256 * P];
        scratch persistent words: u64[256 * ceil_div(n, size) * (n >> 32 > 0 ? 2 : 1)];
        launch __sweep_clear(block = 256, grid = 1, counts);
        launch __sweep_count<P>(block = 1024, early = true, grid = max(min(u64(resident), n / 8192), 1), keys, sweep, n <= 262144 ? 2 : __sweep_shift<P>(), counts);
        for (pass in 0..passes) {
            if (is_large) launch __sweep_pass<N, HAS_VALUES, true>(block = 512, blocks_per_sm = 2, grid = ceil_div(n, size), keys, values, other, other_values, to, to_values, sweep, IN_PLACE, counts, words, N, pass);
            else launch __sweep_pass<FEWER, HAS_VALUES, false>(block = 512, blocks_per_sm = 2, grid = ceil_div(n, size), keys, values, other, other_values, to, to_values, sweep, IN_PLACE, counts, words, few, pass);
        }
        if (IN_PLACE && passes % 2 == 1) {
            launch __sweep_copy<HAS_VALUES>(block = 256, grid = min(u64(resident), ceil_div(n, 1024)), keys.len, other, other_values, to, to_values);
        }
        if (!IN_PLACE && passes == 0) {
            launch __sweep_copy<HAS_VALUES>(block = 256, grid = min(u64(resident), ceil_div(n, 1024)), keys.len, keys, values, to, to_values);
        }
    }
}

algorithm device.radix_sort<I: type>(it: I, descending: bool = false, begin_bit: u32 = 0, end_bit: u32 = ~0u32) {
    __apart(it);
    device.__radix_sort<false, true>(it, __None(0), it, __None(0), |k| k, descending, begin_bit, end_bit, 0u8);
}
algorithm device.radix_sort<I: type, F: fn>(it: I, by: F, descending: bool = false, begin_bit: u32 = 0, end_bit: u32 = ~0u32) {
    __apart(it);
    __apart(by, it);
    device.__radix_sort<false, true>(it, __None(0), it, __None(0), by, descending, begin_bit, end_bit, 0u8);
}
algorithm device.radix_sort<I: type, F: fn, O: type>(it: I, by: F, to: O, descending: bool = false, begin_bit: u32 = 0, end_bit: u32 = ~0u32) {
    let elements = (it, 0u8); // spans of one parameter count as overlapping as well
    __apart(elements, by, to);
    __fits(__room(to), it.len, "'to'");
    device.__radix_sort<false, false>(it, __None(0), to, __None(0), by, descending, begin_bit, end_bit, 0u8);
}
algorithm device.radix_sort<I: type, X: type>(keys: I, values: X, descending: bool = false, begin_bit: u32 = 0, end_bit: u32 = ~0u32) {
    let pairs = zip(keys, values);
    __apart(pairs);
    __fits(__room(values), keys.len, "'values'");
    device.__radix_sort<true, true>(keys, values, keys, values, |k| k, descending, begin_bit, end_bit, __zero(values[0u64]));
}
algorithm device.radix_sort<I: type, O: type>(it: I, to: O, descending: bool = false, begin_bit: u32 = 0, end_bit: u32 = ~0u32) {
    let elements = (it, 0u8);
    __apart(elements, to);
    __fits(__room(to), it.len, "'to'");
    device.__radix_sort<false, false>(it, __None(0), to, __None(0), |k| k, descending, begin_bit, end_bit, 0u8);
}
algorithm device.radix_sort<I: type, X: type, O: type, Y: type>(keys: I, values: X, to: O, to_values: Y, descending: bool = false, begin_bit: u32 = 0, end_bit: u32 = ~0u32) {
    let pairs = zip(keys, values);
    let parts = zip(to, to_values);
    __apart(pairs, parts);
    __apart(parts);
    __fits(__room(values), keys.len, "'values'");
    __fits(__room(to), keys.len, "'to'");
    __fits(__room(to_values), keys.len, "'to_values'");
    device.__radix_sort<true, false>(keys, values, to, to_values, |k| k, descending, begin_bit, end_bit, __zero(values[0u64]));
}
