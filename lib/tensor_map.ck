// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tensor_map.ck - loads of a box of a tensor into shared memory by the copy engine, TMA (ck/tensor_map.h).
//
// block.load_tensor(tile, map, row, column), with as many coordinates as the tensor has axes, 1 to 3.
//
//   shape         any block; tile is a shared array of the map's box, `map: tensor_map<2, f32>` a
//                 parameter of the kernel
//   called by     all threads of the block; the last coordinate is a multiple of 16 bytes
//   result        the tile is filled for all threads when the call returns; elements outside of
//                 the tensor are 0, or NaN if the map says so; with a swizzle, it permutes the
//                 chunks of 16 bytes
//   shared bytes  8, for a barrier
//   steps         one copy, which one thread starts
//   target        sm_90
//
// One thread announces the number of bytes to an mbarrier in shared memory and starts the copy; all
// threads wait for the mbarrier (PTX ISA, "cp.async.bulk.tensor", "mbarrier"). The compiler aligns
// a kernel's shared arrays as the copy needs it.

struct tensor_map<const RANK: u32, T: type> { __address: u64; __bytes: u64; }

// The fence and the barrier order all threads' earlier accesses to the tile before the copy.
fn __tensor_open<T: type>(bar: ptr<u64, shared>, tile: ptr<T>, tile_bytes: u64, map_bytes: u64) {
    assert(tile_bytes == map_bytes, "the tile has another size than the tensor map's box");
    assert(u64(tile) % 128 == 0, "the tile is no shared array of the kernel's own");
    if (thread.rank == 0) asm("mbarrier.init.shared::cta.b64 [$0], 1;", bar, memory = true);
    asm("fence.proxy.async.shared::cta;", memory = true);
    block.sync();
    if (thread.rank == 0) asm("mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], $1;", bar, u32(map_bytes), memory = true);
}
fn __tensor_close(bar: ptr<u64, shared>) {
    while (!__phase_poll(bar, 0)) {}
    block.sync();
    if (thread.rank == 0) asm("mbarrier.inval.shared::cta.b64 [$0];", bar, memory = true);
}

// On the host: an element from its bits.
fn __of_bits<T: type>(bits: u64) -> T {
    comptime if (sizeof<T> == 1) return bit_cast<T>(u8(bits));
    else comptime if (sizeof<T> == 2) return bit_cast<T>(u16(bits));
    else comptime if (sizeof<T> == 4) return bit_cast<T>(u32(bits));
    else return bit_cast<T>(bits);
}
// The engine requires a start that is a multiple of 16 bytes in every row, not only in the tensor.
fn __tensor_begins<T: type>(x: i32) {
    assert(x * i32(sizeof<T>) % 16 == 0, "a box begins at a multiple of 16 bytes of its row");
}
fn __tensor_fits(tile_bytes: u64, map_bytes: u64) {
    assert(tile_bytes == map_bytes, "the tile has another size than the tensor map's box");
    block.sync();
}

fn block.load_tensor<T: type, I: int>(tile: out T[], map: tensor_map<1, T>, x: I) {
    __together();
    __tensor_begins<T>(__coordinate(x));
    comptime if (target.is_host) {
        __tensor_fits(tile.len * sizeof<T>, map.__bytes);
        for (i in block.stride(u32(tile.len))) tile[__tensor_place(map.__address, i)] = __of_bits<T>(__tensor_element(map.__address, i, __coordinate(x), 0, 0, 0));
        block.sync();
    } else {
        shared bar: u64[1];
        let (at, to) = (__in_shared(address(bar[0])), address(tile[0]));
        __tensor_open(at, to, tile.len * sizeof<T>, map.__bytes);
        if (thread.rank == 0) asm("cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [$0], [$1, {$2}], [$3];", __in_shared(to), map.__address, __coordinate(x), at, memory = true);
        __tensor_close(at);
    }
}

fn block.load_tensor<T: type, I: int, J: int>(tile: out T[,], map: tensor_map<2, T>, row: I, column: J) {
    __together();
    __tensor_begins<T>(__coordinate(column));
    comptime if (target.is_host) {
        __tensor_fits(tile.len * sizeof<T>, map.__bytes);
        let w = u32(tile.extent(1));
        for (i in block.stride(u32(tile.len))) {
            let p = __tensor_place(map.__address, i);
            tile[p / w, p % w] = __of_bits<T>(__tensor_element(map.__address, i, __coordinate(column), __coordinate(row), 0, 0));
        }
        block.sync();
    } else {
        shared bar: u64[1];
        let (at, to) = (__in_shared(address(bar[0])), address(tile[0, 0]));
        __tensor_open(at, to, tile.len * sizeof<T>, map.__bytes);
        if (thread.rank == 0) asm("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [$0], [$1, {$2, $3}], [$4];", __in_shared(to), map.__address, __coordinate(column), __coordinate(row), at, memory = true);
        __tensor_close(at);
    }
}

fn block.load_tensor<T: type, I: int, J: int, K: int>(tile: out T[,,], map: tensor_map<3, T>, plane: I, row: J, column: K) {
    __together();
    __tensor_begins<T>(__coordinate(column));
    comptime if (target.is_host) {
        __tensor_fits(tile.len * sizeof<T>, map.__bytes);
        let (h, w) = (u32(tile.extent(1)), u32(tile.extent(2)));
        for (i in block.stride(u32(tile.len))) {
            let p = __tensor_place(map.__address, i);
            tile[p / (w * h), p / w % h, p % w] = __of_bits<T>(__tensor_element(map.__address, i, __coordinate(column), __coordinate(row), __coordinate(plane), 0));
        }
        block.sync();
    } else {
        shared bar: u64[1];
        let (at, to) = (__in_shared(address(bar[0])), address(tile[0, 0, 0]));
        __tensor_open(at, to, tile.len * sizeof<T>, map.__bytes);
        if (thread.rank == 0) asm("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [$0], [$1, {$2, $3, $4}], [$5];", __in_shared(to), map.__address, __coordinate(column), __coordinate(row), __coordinate(plane), at, memory = true);
        __tensor_close(at);
    }
}
