// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/tuning.ck - the shapes of device-wide algorithms, as tuning parameters.
//
// A parameter's name ends with the size of an element in bytes: 1, 2, 4, 8, or 16 for all larger ones.
// Its first value is the default; a row of tuning.tune in this folder, for a target, chooses another.
// examples/bench/tune.ck has the benches by which `ckc tune` makes that table.
//
//     __reduce_rows_of<f32>()  ->  __REDUCE_ROWS_4  ->  tuning.tune: sm_90, *, __REDUCE_ROWS_4 = 4
//
// The functions below choose by `comptime if`, so a program needs only the parameters of the sizes that
// it has, and `ckc tune` searches no others.

// Reductions of functions that commute: rows of a tile, each a vector a thread; threads of a block, a
// power of two.
const __REDUCE_ROWS_1: u32 = tune(4, 2, 3, 6);
const __REDUCE_ROWS_2: u32 = tune(4, 2, 3, 6);
const __REDUCE_ROWS_4: u32 = tune(4, 2, 3, 6, 8);
const __REDUCE_ROWS_8: u32 = tune(4, 2, 3, 6, 8);
const __REDUCE_ROWS_16: u32 = tune(4, 2, 3, 6, 8);
const __REDUCE_BLOCK_1: u32 = tune(512, 256, 1024);
const __REDUCE_BLOCK_2: u32 = tune(512, 256, 1024);
const __REDUCE_BLOCK_4: u32 = tune(512, 256, 1024);
const __REDUCE_BLOCK_8: u32 = tune(512, 256, 1024);
const __REDUCE_BLOCK_16: u32 = tune(512, 256, 1024);

fn __reduce_rows_of<E: type>() -> u32 {
    comptime if (sizeof<E> == 1) return __REDUCE_ROWS_1;
    else comptime if (sizeof<E> == 2) return __REDUCE_ROWS_2;
    else comptime if (sizeof<E> == 4) return __REDUCE_ROWS_4;
    else comptime if (sizeof<E> == 8) return __REDUCE_ROWS_8;
    else return __REDUCE_ROWS_16;
}
fn __reduce_block_of<E: type>() -> u32 {
    comptime if (sizeof<E> == 1) return __REDUCE_BLOCK_1;
    else comptime if (sizeof<E> == 2) return __REDUCE_BLOCK_2;
    else comptime if (sizeof<E> == 4) return __REDUCE_BLOCK_4;
    else comptime if (sizeof<E> == 8) return __REDUCE_BLOCK_8;
    else return __REDUCE_BLOCK_16;
}

// Scans with look-back: rows of a warp, each a vector a lane; threads of a block. A tile of the defaults
// has 32 items a thread of up to 4 bytes.
const __SCAN_ROWS_1: u32 = tune(2, 1, 3, 4);
const __SCAN_ROWS_2: u32 = tune(4, 2, 3, 6);
const __SCAN_ROWS_4: u32 = tune(8, 4, 5, 6, 7, 10);
const __SCAN_ROWS_8: u32 = tune(8, 4, 5, 6, 7, 10);
const __SCAN_BLOCK_1: u32 = tune(512, 256, 384);
const __SCAN_BLOCK_2: u32 = tune(512, 256, 384);
const __SCAN_BLOCK_4: u32 = tune(512, 256, 384);
const __SCAN_BLOCK_8: u32 = tune(512, 256, 384);


// Elements of more than 8 bytes: bytes of them that a thread has at most; threads of a block.
const __SCAN_BYTES_16: u32 = tune(84, 60, 108, 132);
const __SCAN_BLOCK_16: u32 = tune(256, 128, 512);

// An odd number: the elements of a thread.
fn __scan_staged_of<E: type>() -> u32 = max(__SCAN_BYTES_16 / u32(sizeof<E>), 1) - (max(__SCAN_BYTES_16 / u32(sizeof<E>), 1) + 1) % 2;


// Segmented scans: the same, of at most 21 elements, for whose bits a word has room.
fn __segmented_items_of<E: type>() -> u32 = min(__scan_staged_of<E>(), 21);

fn __scan_rows_of<E: type>() -> u32 {
    comptime if (sizeof<E> == 1) return __SCAN_ROWS_1;
    else comptime if (sizeof<E> == 2) return __SCAN_ROWS_2;
    else comptime if (sizeof<E> == 4) return __SCAN_ROWS_4;
    else return __SCAN_ROWS_8;
}
fn __scan_block_of<E: type>() -> u32 {
    comptime if (sizeof<E> == 1) return __SCAN_BLOCK_1;
    else comptime if (sizeof<E> == 2) return __SCAN_BLOCK_2;
    else comptime if (sizeof<E> == 4) return __SCAN_BLOCK_4;
    else return __SCAN_BLOCK_8;
}

// Transforms and differences of large data: bytes that a thread reads before it writes; threads of a
// block.
const __TRANSFORM_BYTES: u32 = tune(64, 16, 32, 128);
const __TRANSFORM_BLOCK: u32 = tune(256, 128, 512);
const __DIFFERENCE_BYTES: u32 = tune(64, 16, 32, 128);
const __DIFFERENCE_BLOCK: u32 = tune(256, 128, 512);

// Compactions: bytes of its elements that a thread has in a tile, at most; threads of a block. Smaller
// elements than 4 bytes have tiles of four rows. Partitions of two and three ways need more registers
// than selections; runs have lengths, and keys have values beside them, which count as bytes too.
const __SELECT_BYTES_4: u32 = tune(64, 48, 32, 16);
const __SELECT_BYTES_8: u32 = tune(64, 48, 32, 16);
const __SELECT_BYTES_16: u32 = tune(64, 48, 32, 16);
const __SELECT_BLOCK_4: u32 = tune(512, 256, 384);
const __SELECT_BLOCK_8: u32 = tune(512, 256, 384);
const __SELECT_BLOCK_16: u32 = tune(512, 256, 384);
const __PARTITION_BYTES_4: u32 = tune(64, 48, 32, 16);
const __PARTITION_BYTES_8: u32 = tune(64, 48, 32, 16);
const __PARTITION_BYTES_16: u32 = tune(64, 48, 32, 16);
const __PARTITION_BLOCK_4: u32 = tune(256, 128, 512);
const __PARTITION_BLOCK_8: u32 = tune(256, 128, 512);
const __PARTITION_BLOCK_16: u32 = tune(256, 128, 512);
const __RUN_BYTES_4: u32 = tune(64, 48, 32, 16);
const __RUN_BYTES_8: u32 = tune(64, 48, 32, 16);
const __RUN_BYTES_16: u32 = tune(64, 48, 32, 16);
const __RUN_BLOCK_4: u32 = tune(256, 128, 512);
const __RUN_BLOCK_8: u32 = tune(256, 128, 512);
const __RUN_BLOCK_16: u32 = tune(256, 128, 512);
const __KEY_BYTES_8: u32 = tune(64, 48, 32, 16);
const __KEY_BYTES_16: u32 = tune(64, 48, 32, 16);
const __KEY_BLOCK_8: u32 = tune(256, 128, 512);
const __KEY_BLOCK_16: u32 = tune(256, 128, 512);

fn __select_bytes_of<E: type>() -> u32 {
    comptime if (sizeof<E> == 4) return __SELECT_BYTES_4;
    else comptime if (sizeof<E> == 8) return __SELECT_BYTES_8;
    else comptime if (sizeof<E> > 8) return __SELECT_BYTES_16;
    else return 64;
}
fn __select_block_of<E: type>() -> u32 {
    comptime if (sizeof<E> == 4) return __SELECT_BLOCK_4;
    else comptime if (sizeof<E> == 8) return __SELECT_BLOCK_8;
    else comptime if (sizeof<E> > 8) return __SELECT_BLOCK_16;
    else return 512;
}

fn __partition_bytes_of<E: type>() -> u32 {
    comptime if (sizeof<E> == 4) return __PARTITION_BYTES_4;
    else comptime if (sizeof<E> == 8) return __PARTITION_BYTES_8;
    else comptime if (sizeof<E> > 8) return __PARTITION_BYTES_16;
    else return 64;
}
fn __partition_block_of<E: type>() -> u32 {
    comptime if (sizeof<E> == 4) return __PARTITION_BLOCK_4;
    else comptime if (sizeof<E> == 8) return __PARTITION_BLOCK_8;
    else comptime if (sizeof<E> > 8) return __PARTITION_BLOCK_16;
    else return 256;
}

fn __run_bytes_of<E: type>() -> u32 {
    comptime if (sizeof<E> == 4) return __RUN_BYTES_4;
    else comptime if (sizeof<E> == 8) return __RUN_BYTES_8;
    else comptime if (sizeof<E> > 8) return __RUN_BYTES_16;
    else return 64;
}
fn __run_block_of<E: type>() -> u32 {
    comptime if (sizeof<E> == 4) return __RUN_BLOCK_4;
    else comptime if (sizeof<E> == 8) return __RUN_BLOCK_8;
    else comptime if (sizeof<E> > 8) return __RUN_BLOCK_16;
    else return 256;
}

fn __key_bytes_of<E: type>() -> u32 {
    comptime if (sizeof<E> <= 8) return __KEY_BYTES_8;
    else return __KEY_BYTES_16;
}
fn __key_block_of<E: type>() -> u32 {
    comptime if (sizeof<E> <= 8) return __KEY_BLOCK_8;
    else return __KEY_BLOCK_16;
}

// Has the chip bulk copies, and shared memory for several tiles of a block? From sm_90 on, those of data
// centres have 227 KB of it, others 99.
fn __is_large_chip() -> bool = !__is_host() && __sm() >= 90 && __shared_most() >= 163840;

// Radix sorts of large data: elements of a thread, by their bytes and those of their values; multiples
// of 4. Measured on an H200 with random keys: 512 threads of 32 elements took 0.71 of CUB's time.
const __SORT_ROWS_4: u32 = tune(32, 16, 20, 24, 28);
const __SORT_ROWS_8: u32 = tune(20, 8, 12, 16);

fn __sort_rows_of<const BYTES: u32>() -> u32 {
    comptime if (BYTES <= 4) return __SORT_ROWS_4;
    else comptime if (BYTES <= 8) return __SORT_ROWS_8;
    else return BYTES <= 16 ? 8 : BYTES <= 32 ? 4 : BYTES <= 64 ? 2 : 1;
}
