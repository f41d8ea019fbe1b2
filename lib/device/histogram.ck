// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/histogram.ck - counts how many elements of an iterator fall into each bin, by two launches.
//
// In an algorithm:
//   histogram(it, counts, lower, upper)   counts.len bins of equal width from lower to upper: v is in
//                                         bin floor((v - lower) * bins / (upper - lower))
//   histogram_range(it, counts, levels)   bin b: levels[b] <= v < levels[b + 1]
//   histogram_by(it, counts, bin)         bin(v), an unsigned integer
//
//   it            a finite iterator of numbers; with `channels = K` of vectors or arrays, of which the
//                 first K components are counted apart
//   counts        a span of integers, which is cleared first; with channels counts[k, b]. Their type
//                 has to have the number of elements of `it`
//   lower, upper  numbers; of floats they may be integers. Bins of integers are exact, those of floats
//                 round as the division does. Nothing is counted unless lower < upper
//   levels        a span or iterator of one more number than there are bins, in order
//   bin           a function; for elements of one byte it is called once a value and block
//   overlap       it, levels, bin and counts: not allowed
//   result        what falls into no bin is not counted
//   launches      2: the first clears counts
//   scratch       none
//   steps         a block counts in shared memory while counts are cleared, and adds its counters. Elements of one
//                 byte are counted by value, and values are put into bins at the end. More than 8192
//                 bins are counted in global memory
//   target        any
//   CUB           DeviceHistogram::HistogramEven(x, c, levels, lo, hi, n)     histogram(x, c, lo, hi)
//                 DeviceHistogram::HistogramRange(x, c, levels, l, n)         histogram_range(x, c, l)
//                 DeviceHistogram::MultiHistogramEven<4, 3>(x, c, ...)        histogram(x, c, lo, hi, channels = 3)
//                 DeviceHistogram::MultiHistogramRange<4, 3>(x, c, ...)       histogram_range(x, c, l, channels = 3)
//   cuda.compute  histogram_even                                              histogram(x, c, lo, hi)
//
//   algorithm quarters(n: u64, x: in u8[n], counts: out u32[4]) { histogram(x, counts, 0, 256); }
//   CALL: quarters(x=[0, 63, 64, 255, 255], counts=zeros:4)
//   EXPECT: counts = [2, 1, 0, 2]
//
// Each bin has R counters side by side, and lane l counts in the one of number l % R:
//
//     word       0 1 2 ... 31 | 32 33 ... 63 | ...     R = 32: lane l uses bank l alone, so that no
//     bin        0            | 1            | ...     two lanes of a warp wait for each other,
//     lane       0 1 2 ... 31 |  0  1 ... 31 | ...     whatever the elements are
//
// With random bytes on an H100 32 counters took 89 us for 2^28 elements, 8 took 112, 1 took 114. With
// 2048 bins of 4-byte elements the reads take longer than the conflicts, with one counter a bin.

const __COUNTERS: u32 = 8192;

// ---- the bin of a number ----

const __NO_BIN: u32 = 0xffffffff;

// floor(d * bins / range) = (d * magic) >> 64 for d < range <= 2^32, with magic = ceil(bins * 2^64 /
// range): the error of magic is below 1, and that of the product below 2^-32, which is at most
// 1 / range, the least distance of d * bins / range to the next integer above. hi and lo are the
// halves of magic.
struct __EvenInt<L: int> {
    lower: L;
    range: u64;
    bins: u64;
    hi: u64;
    lo: u64;
    fn bin<V: int>(v: V) -> u32 {
        comptime if (sizeof<V> <= 4 && sizeof<L> <= 4) {
            let d = u64(i64(v) - i64(self.lower));
            return d < self.range ? u32(d * self.hi + (d * self.lo >> 32) >> 32) : __NO_BIN;
        } else {
            let d = u64(v) - u64(self.lower);
            if (__is_below(v, self.lower) || d >= self.range) return __NO_BIN;
            return u32(__even_long(d, self.bins, self.range));
        }
    }
}
fn __even<L: int>(lower: L, upper: L, bins: u64) -> __EvenInt<L> {
    let range = upper > lower ? u64(upper) - u64(lower) : 0;
    let by = max(range, 1);
    let hi = (bins << 32) / by;
    let rest = (bins << 32) - hi * by;
    return __EvenInt<L>(lower, range, bins, hi, ((rest << 32) + by - 1) / by);
}
fn __is_below<V: int, L: int>(v: V, lower: L) -> bool {
    if (v < 0) return lower >= 0 || i64(v) < i64(lower);
    return lower >= 0 && u64(v) < u64(lower);
}
// The same for any d and range: an estimate, and then steps to the exact value.
fn __even_long(d: u64, bins: u64, range: u64) -> u64 {
    let (high, low) = (mul_hi(d, bins), d * bins);
    var b = min(u64(f64(d) / f64(range) * f64(bins)), bins - 1);
    while (b > 0 && __exceeds(b, range, high, low)) b -= 1;
    while (b + 1 < bins && !__exceeds(b + 1, range, high, low)) b += 1;
    return b;
}
fn __exceeds(b: u64, range: u64, high: u64, low: u64) -> bool {
    let h = mul_hi(b, range);
    return h > high || (h == high && b * range > low);
}

struct __EvenFloat<L: float> {
    lower: L;
    upper: L;
    bins: u64;
    scale: L;
    fn bin<V: number>(v: V) -> u32 {
        let x = L(v);
        if (!(x >= self.lower && x < self.upper)) return __NO_BIN;
        return min(u32((x - self.lower) * self.scale), u32(self.bins - 1));
    }
}
fn __even<L: float>(lower: L, upper: L, bins: u64) -> __EvenFloat<L> = __EvenFloat<L>(lower, upper, bins, L(bins) / (upper - lower));

struct __Levels<X: type> {
    levels: X;
    fn bin<V: type>(v: V) -> u32 = u32(upper_bound(self.levels, v)) - 1; // __NO_BIN below all of them
}
struct __By<F: fn> {
    f: F;
    fn bin<V: type>(v: V) -> u32 = u32(min(u64(self.f(v)), u64(__NO_BIN)));
}

// ---- counters in global memory ----

fn __bins<T: type>(counts: inout T[]) -> u64 = counts.len; // below __NO_BIN
fn __bins<T: type>(counts: inout T[,]) -> u64 = counts.extent(1);
fn __slots<T: type>(counts: inout T[]) -> u64 = counts.len;
fn __slots<T: type>(counts: inout T[,]) -> u64 = counts.extent(0) * counts.extent(1);
fn __add_count<T: type>(counts: inout T[], channel: u32, bin: u32, by: u32) { atomic.add(counts[bin], T(by)); }
fn __add_count<T: type>(counts: inout T[,], channel: u32, bin: u32, by: u32) { atomic.add(counts[channel, bin], T(by)); }
fn __clear<T: type>(counts: inout T[], i: u64) { counts[i] = 0; }
fn __clear<T: type>(counts: inout T[,], i: u64) { counts[i / counts.extent(1), i % counts.extent(1)] = 0; }
fn __start_counts<C: type>(counts: C) {
    unroll(1) for (i in (u64(block.id.x * block.size + thread.rank)..__slots(counts)).step(u64(grid.dim.x * block.size))) __clear(counts, i);
}

// ---- elements ----

// Component `channel` of v; v itself without channels.
fn __component<const CHANNELS: u32, E: type, T: type>(v: E, channel: u32, like: T) -> T {
    comptime if (CHANNELS == 0) return v;
    else return v[channel];
}

fn __rows_of_tile<const U: u32, const V: u32, I: type>(it: I, tile: u64) -> element_of<I>[U * V] {
    const ROW = u64(V * block.size);
    var a: element_of<I>[U * V];
    unroll for (u in 0..U) {
        let row = __adjacent<V, true>(it, tile * u64(U) * ROW + u64(u) * ROW + u64(thread.rank * V));
        unroll for (k in 0..V) a[u * V + k] = row[k];
    }
    return a;
}

// The sum of the R counters from word `first` on. Lanes begin with different ones, so that they use
// different banks.
fn __sum_copies(part: in u32[], first: u32, copies: u32) -> u32 {
    var s = 0u32;
    for (r in 0..copies) s += part[first + ((r + warp.lane) & (copies - 1))];
    return s;
}

// The same as words: an element of one byte a channel.
fn __words_of_tile<const U: u32, const V: u32, const WORDS: u32, I: type>(it: I, tile: u64) -> u32[WORDS] =
    bit_cast<u32[WORDS]>(__rows_of_tile<U, V>(it, tile));

// The launch ahead has cleared counts. Until then this one reads what older launches wrote.
fn __wait_until_clear() {
    grid.wait_dependencies();
    grid.launch_dependents();
}

// STRIDE: the bytes of an element, CHANNELS of which are counted; 0: the element is a number.
fn __histogram_bytes<const R: u32, const U: u32, const CHANNELS: u32, I: type, C: type, B: type, T: type>(it: I, counts: C, bins: B, like: T) {
    const K: u32 = max(CHANNELS, 1);
    const STRIDE: u32 = u32(sizeof<element_of<I>>);
    const V: u32 = 16 / STRIDE;
    const TILE = u64(U * V * block.size);
    const SCALE: u32 = ctz(4 * R);
    const COPIES: u32 = R / 4; // lanes that read a bin's counters, 16 bytes each
    shared part: u32[K * 256 * R];
    shared sums: u32[K * 256];
    let mine = warp.lane % R;
    let n = it.len;
    let tiles = __adjoins<V>(it) ? n / TILE : 0u64;
    let rest = tiles * TILE;
    var tile = u64(block.id.x);
    var next: u32[U * 4]; // read while counters are cleared
    if (tile < tiles) next = __words_of_tile<U, V, U * 4>(it, tile);
    for (i in block.stride(K * 64 * R)) part.store(4 * i, u32x4(0));
    block.sync();
    while (tile < tiles) {
        let words = next;
        tile += u64(grid.dim.x);
        if (tile < tiles) next = __words_of_tile<U, V, U * 4>(it, tile);
        unroll for (k in 0u32..U * 16) {
            // The byte's value times 4 * R by one shift, so that it is where the counter's address has it.
            let at = k % 4 * 8;
            let word = words[k / 4];
            let scaled = (at >= SCALE ? word >> (at - min(at, SCALE)) : word << (SCALE - min(at, SCALE))) & 255 << SCALE;
            if (k % STRIDE < K) atomic.add(part[k % STRIDE * 256 * R + ((scaled | mine * 4) >> 2)], 1, scope = block);
        }
    }
    unroll(1) for (i in (rest + __step_rank()..n).step(__step_size())) {
        let v = it[i];
        unroll for (c in 0u32..K)
            atomic.add(part[(c * 256 + u32(bit_cast<u8>(__component<CHANNELS>(v, c, like)))) * R + mine], 1, scope = block);
    }
    block.sync();
    for (i in block.stride(K * 256 * COPIES)) {
        let four = part.load<4>(4 * i);
        var s = four.x + four.y + four.z + four.w;
        unroll for (k in 0..ctz(COPIES)) s += warp.shuffle_xor(s, 1u32 << k);
        if (i % COPIES == 0) sums[i / COPIES] = s;
    }
    block.sync();
    // What doesn't need the cleared counts comes first: the launch that clears them may still run.
    const OWN: u32 = (K * 256 + block.size - 1) / block.size; // values of a thread
    var by: u32[OWN];
    var bin: u32[OWN];
    unroll for (k in 0..OWN) {
        let value = thread.rank + k * block.size;
        if (value < K * 256) {
            bin[k] = bins.bin(bit_cast<T>(u8(value)));
            by[k] = u64(bin[k]) < __bins(counts) ? sums[value] : 0;
        }
    }
    __wait_until_clear();
    unroll for (k in 0..OWN) {
        if (by[k] > 0) __add_count(counts, (thread.rank + k * block.size) / 256, bin[k], by[k]);
    }
}

fn __histogram_words<const U: u32, const CHANNELS: u32, I: type, C: type, B: type, T: type>(it: I, counts: C, bins: B, like: T) {
    const K: u32 = max(CHANNELS, 1);
    const V: u32 = __wide_count<element_of<I>>();
    const TILE = u64(U * V * block.size);
    shared part: u32[__COUNTERS + 1];
    let each = u32(__bins(counts));
    let all = u32(__slots(counts));
    let shift = min(31 - clz(max(2048 / max(all, 1), 1)), 5); // 2^shift counters a bin
    let none = all << shift; // the word for what is in no bin
    let mine = thread.rank & (1u32 << shift) - 1;
    let n = it.len;
    let tiles = __adjoins<V>(it) ? n / TILE : 0u64;
    let rest = tiles * TILE;
    var tile = u64(block.id.x);
    var next: element_of<I>[U * V]; // read while counters are cleared
    if (tile < tiles) next = __rows_of_tile<U, V>(it, tile);
    for (i in block.stride(none + 1)) part[i] = 0;
    block.sync();
    while (tile < tiles) {
        let row = next;
        tile += u64(grid.dim.x);
        if (tile < tiles) next = __rows_of_tile<U, V>(it, tile);
        unroll for (k in 0u32..U * V) {
            unroll for (c in 0u32..K) {
                let b = bins.bin(__component<CHANNELS>(row[k], c, like));
                atomic.add(part[b < each ? (c * each + b << shift) + mine : none], 1, scope = block);
            }
        }
    }
    unroll(1) for (i in (rest + __step_rank()..n).step(__step_size())) {
        let v = it[i];
        unroll for (c in 0u32..K) {
            let b = bins.bin(__component<CHANNELS>(v, c, like));
            atomic.add(part[b < each ? (c * each + b << shift) + mine : none], 1, scope = block);
        }
    }
    block.sync();
    // The first counters are added up before the counts are clear.
    const FIRST: u32 = 4;
    var by: u32[FIRST];
    unroll for (k in 0..FIRST) {
        let i = thread.rank + k * block.size;
        if (i < all) by[k] = __sum_copies(part, i << shift, 1u32 << shift);
    }
    __wait_until_clear();
    unroll for (k in 0..FIRST) {
        let i = thread.rank + k * block.size;
        if (by[k] > 0) __add_count(counts, CHANNELS == 0 ? 0 : i / each, CHANNELS == 0 ? i : i % each, by[k]);
    }
    unroll(1) for (i in (FIRST * block.size + thread.rank..all).step(block.size)) {
        let s = __sum_copies(part, i << shift, 1u32 << shift);
        if (s > 0) __add_count(counts, CHANNELS == 0 ? 0 : i / each, CHANNELS == 0 ? i : i % each, s);
    }
}

// Integers as the bounds of floats, as 0 and 16, are floats.
fn __level<L: int>(like: f64, v: L) -> f64 = f64(v);
fn __level<V: float, L: int>(like: V, v: L) -> f32 = f32(v);
fn __level<V: type, L: number>(like: V, v: L) -> L = v;
fn __even_like<V: type, L: number>(like: V, lower: L, upper: L, bins: u64) = __even(__level(like, lower), __level(like, upper), bins);

// More bins than counters in shared memory; also by one thread of the host.
fn __histogram_direct<const CHANNELS: u32, I: type, C: type, B: type, T: type>(it: I, counts: C, bins: B, like: T) {
    const K: u32 = max(CHANNELS, 1);
    for (i in grid.stride(it.len)) {
        let v = it[i];
        unroll for (c in 0u32..K) {
            let b = bins.bin(__component<CHANNELS>(v, c, like));
            if (u64(b) < __bins(counts)) __add_count(counts, c, b, 1);
        }
    }
}

algorithm device.__histogram<const CHANNELS: u32, I: type, C: type, B: type, T: type>(it: I, counts: C, bins: B, like: T) {
    let elements = take(it, it.len);
    __apart(elements, bins, counts);
    let n = __finite(__most(it));
    const K: u32 = max(CHANNELS, 1);
    const V = u64(max(16 / u32(sizeof<element_of<I>>), 1));
    comptime if (__is_serial()) {
        launch __start_counts(block = 1, grid = 1, counts);
        launch __histogram_direct<CHANNELS>(block = 1, grid = 1, it, counts, bins, like);
    } else {
        launch __start_counts(block = 256, grid = min(ceil_div(__slots(counts), 256), 64), counts);
        comptime if (sizeof<T> == 1 && K <= 4 && 16 % (sizeof<element_of<I>>) == 0) {
            const R: u32 = K == 1 ? 32 : K == 2 ? 16 : 8;
            if (n * u64(K) <= 131072) {
                launch __histogram_bytes<4, 1, CHANNELS>(block = 256, early = true, grid = max(min(u64(resident), n / (256 * V)), 1), it, counts, bins, like);
            } else if (n * u64(K) <= 2097152) {
                launch __histogram_bytes<R, 1, CHANNELS>(block = 1024, early = true, grid = max(min(u64(resident), n / (1024 * V)), 1), it, counts, bins, like);
            } else {
                launch __histogram_bytes<R, 2, CHANNELS>(block = 1024, blocks_per_sm = 2, early = true, grid = max(min(u64(resident), n / (2048 * V)), 1), it, counts, bins, like);
            }
        } else {
            if (__slots(counts) > u64(__COUNTERS)) {
                launch __histogram_direct<CHANNELS>(block = 256, grid = max(min(u64(resident), ceil_div(n, 256)), 1), it, counts, bins, like);
            } else if (n <= 131072) {
                launch __histogram_words<1, CHANNELS>(block = 512, early = true, grid = max(min(u64(resident), n / (512 * V)), 1), it, counts, bins, like);
            } else {
                launch __histogram_words<2, CHANNELS>(block = 1024, blocks_per_sm = 2, early = true, grid = max(min(u64(resident), n <= 2097152 ? n / (4096 * V) : n / (2048 * V)), 1), it, counts, bins, like);
            }
        }
    }
}
algorithm device.__histogram_of<const CHANNELS: u32, I: type, C: type, B: type>(it: I, counts: C, bins: B) {
    __stores(__number_of(counts), it.len, __finite(__most(it)), "'counts'");
    comptime if (CHANNELS == 0) device.__histogram<0>(it, counts, bins, __zero(it[0u64]));
    else device.__histogram<CHANNELS>(it, counts, bins, __zero(it[0u64])[0]);
}

algorithm device.histogram<const channels: u32 = 0, I: type, C: type, L: number>(it: I, counts: C, lower: L, upper: L) {
    comptime if (channels == 0) device.__histogram_of<0>(it, counts, __even_like(__zero(it[0u64]), lower, upper, __bins(counts)));
    else device.__histogram_of<channels>(it, counts, __even_like(__zero(it[0u64])[0], lower, upper, __bins(counts)));
}
algorithm device.histogram_range<const channels: u32 = 0, I: type, C: type, X: type>(it: I, counts: C, levels: X) {
    __fits(__room(levels), __bins(counts) + 1, "'levels'");
    device.__histogram_of<channels>(it, counts, __Levels(levels));
}
algorithm device.histogram_by<const channels: u32 = 0, I: type, C: type, F: fn>(it: I, counts: C, bin: F) {
    device.__histogram_of<channels>(it, counts, __By(bin));
}
