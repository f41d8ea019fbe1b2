// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/state.ck - words by which the blocks of one launch tell each other values, without clearing
// them before.
//
// The runtime keeps the persistent memory of an algorithm from launch to launch, and it is zero at
// first. A word has 32 bits of a value in its lower half and a tag in its upper half: the number of
// the launch (its epoch), times four, plus what kind of value it is. A word with another epoch has not
// been written in this launch. A value of several words is complete when all of them have one tag, so
// that words need no order between them: all accesses are relaxed.
//
//     memory: | epoch of the last launch, 0 at first | ... 256 bytes | words of the algorithm |
//     word:   | 30 bits epoch, 2 bits kind | 32 bits of the value |
//
// All algorithms on a stream share the memory, and each word of each of them has this form, so that
// what another algorithm left is never taken for a value. __end_epoch() is called once a launch, by one
// thread, when all blocks have read the epoch.

const __PARTIAL: u32 = 1; // the value of a tile alone
const __PREFIX: u32 = 2;  // of a tile and all tiles before it

fn __epoch_place() -> ptr<u32> = ptr<u32>(__step_kept());

// The tag of kind 0 of this launch.
fn __epoch_tag() -> u32 = (atomic.load(__epoch_place()[0], order = relaxed, scope = device) + 1) << 2;
fn __end_epoch(tag: u32) { atomic.store(__epoch_place()[0], tag >> 2, order = relaxed, scope = device); }

// The thread's number and the number of threads, where the blocks lie along x alone, as those of the
// library's steps do.
fn __step_rank() -> u64 = u64(block.id.x) * u64(block.size) + u64(thread.rank);
fn __step_size() -> u64 = u64(grid.dim.x) * u64(block.size);

// The bits of a value as words, and back. Values whose size is no multiple of 4 are taken apart in
// bytes.
fn __to_words<const W: u32, T: type>(v: T) -> u32[W] {
    const BYTES: u32 = sizeof<T>;
    comptime if (BYTES % 4 == 0) {
        return bit_cast<u32[W]>(v);
    } else {
        let bytes = bit_cast<u8[BYTES]>(v);
        var words: u32[W];
        unroll for (k in 0..BYTES) words[k / 4] |= u32(bytes[k]) << (k % 4 * 8);
        return words;
    }
}
fn __from_words<T: type, const W: u32>(words: u32[W]) -> T {
    const BYTES: u32 = sizeof<T>;
    comptime if (BYTES % 4 == 0) {
        return bit_cast<T>(words);
    } else {
        var bytes: u8[BYTES];
        unroll for (k in 0..BYTES) bytes[k] = u8(words[k / 4] >> (k % 4 * 8));
        return bit_cast<T>(bytes);
    }
}

// Publishes value `at`.
fn __put_state<T: type>(words: inout u64[], at: u64, v: T, tag: u32) {
    const W: u32 = (u32(sizeof<T>) + 3) / 4;
    let bits = __to_words<W>(v);
    unroll for (k in 0..W)
        atomic.store(words[at * W + k], u64(tag) << 32 | u64(bits[k]), order = relaxed, scope = device);
}

// The words of value `at`, and what they say: the value and its kind, 0 if it is not there yet. `tag` is
// that of kind 0. Apart, so that other work can lie between the two.
fn __state_words<const W: u32>(words: inout u64[], at: u64) -> u64[W] {
    var r: u64[W];
    unroll for (k in 0..W) r[k] = atomic.load(words[at * W + k], order = relaxed, scope = device);
    return r;
}
fn __state_of<T: type, const W: u32>(words: u64[W], tag: u32) -> (T, u32) {
    var bits: u32[W];
    let seen = u32(words[0] >> 32);
    bits[0] = u32(words[0]);
    // One comparison at the end: of several, NVPTX makes a chain of selects, for whose first one ptxas waits
    // for a word before it asks for the next one.
    var differ = (seen ^ tag) & ~3u32;
    unroll for (k in 1..W) {
        bits[k] = u32(words[k]);
        differ |= u32(words[k] >> 32) ^ seen;
    }
    return (__from_words<T>(bits), differ == 0 ? seen & 3 : 0);
}
fn __get_state<T: type>(words: inout u64[], at: u64, tag: u32) -> (T, u32) {
    const W: u32 = (u32(sizeof<T>) + 3) / 4;
    return __state_of<T>(__state_words<W>(words, at), tag);
}
