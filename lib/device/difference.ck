// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/difference.ck - a function of each element and its neighbour, by one launch of a kernel.
//
// In an algorithm:
//   adjacent_difference(it, to, f)                 to[0] = it[0], to[i] = f(it[i], it[i - 1])
//   adjacent_difference(it, to, f, right = true)   to[i] = f(it[i], it[i + 1]), to[n - 1] = it[n - 1]
//
//   it, to        iterators; `it` is finite, `to` is writable and has room for as many
//   overlap       it and f: allowed
//                 it or f and to: rejected
//   f             a function that gives a value of the elements' type. Operator: -
//   launches      1
//   scratch       none
//   steps         a block takes one tile. A thread reads vectors of 16 bytes, and gets the element
//                 beside each from the lane beside it; the lane at the end of a warp reads it
//   target        any
//   CUB           DeviceAdjacentDifference::SubtractLeftCopy(x, y, n, f)    adjacent_difference(x, y, f)
//                 DeviceAdjacentDifference::SubtractRightCopy(x, y, n, f)   adjacent_difference(x, y, f, right = true)
//   Thrust        adjacent_difference(x, y, f)                              adjacent_difference(x, y, f)
//
//   algorithm steps(n: u64, x: in i32[n], y: out i32[n]) { adjacent_difference(x, y, -); }
//   CALL: steps(x=[1, 4, 9], y=zeros:3)
//   EXPECT: y = [1, 3, 5]
//
//     lane        0         1       ...   31
//     elements  a b c d | e f g h | ... | ....      lane 1 has e; its left neighbour d is lane 0's last
//               ^ read                              element. Lane 0 reads what stands before a

fn __difference_row<const V: u32, const WIDE: bool, const RIGHT: bool, I: type, O: type, F: fn, T: type>(it: I, to: O, f: F, row: T[V], at: u64, n: u64) {
    var out: T[V];
    comptime if (RIGHT) {
        var beside = warp.shuffle_down(row[0], 1);
        if (warp.lane == 31 && at + u64(V) < n) beside = it[at + u64(V)];
        unroll for (k in 0..V - 1) out[k] = f(row[k], row[k + 1]);
        out[V - 1] = row[V - 1];
        if (at + u64(V) < n) out[V - 1] = f(row[V - 1], beside);
    } else {
        var beside = warp.shuffle_up(row[V - 1], 1);
        if (warp.lane == 0 && at > 0) beside = it[at - 1];
        out[0] = row[0];
        if (at > 0) out[0] = f(row[0], beside);
        unroll for (k in 1..V) out[k] = f(row[k], row[k - 1]);
    }
    __put_adjacent<V, WIDE>(to, at, out);
}

fn __difference_tile<const U: u32, const V: u32, const WIDE: bool, const RIGHT: bool, I: type, O: type, F: fn>(it: I, to: O, f: F, first: u64, n: u64) {
    var v: element_of<I>[U * V];
    unroll for (u in 0..U) {
        let row = __adjacent<V, WIDE>(it, first + u64((u * block.size + thread.rank) * V));
        unroll for (k in 0..V) v[u * V + k] = row[k];
    }
    unroll for (u in 0..U) {
        var row: element_of<I>[V];
        unroll for (k in 0..V) row[k] = v[u * V + k];
        __difference_row<V, WIDE, RIGHT>(it, to, f, row, first + u64((u * block.size + thread.rank) * V), n);
    }
}

fn __difference_one<const RIGHT: bool, I: type, O: type, F: fn>(it: I, to: O, f: F, i: u64, n: u64) {
    comptime if (RIGHT) {
        if (i + 1 < n) to[i] = f(it[i], it[i + 1]);
        else to[i] = it[i];
    } else {
        if (i > 0) to[i] = f(it[i], it[i - 1]);
        else to[i] = it[i];
    }
}

fn __difference<const U: u32, const V: u32, const RIGHT: bool, I: type, O: type, F: fn>(it: I, to: O, f: F) {
    const TILE = u64(U * V * block.size);
    let n = it.len;
    let first = u64(block.id.x) * TILE;
    if (first + TILE <= n && __adjoins<V>(it) && __adjoins<V>(to)) {
        __difference_tile<U, V, true, RIGHT>(it, to, f, first, n);
    } else if (first + TILE <= n) {
        __difference_tile<U * V, 1, false, RIGHT>(it, to, f, first, n);
    } else {
        for (i in (first + u64(thread.rank)..n).step(u64(block.size))) __difference_one<RIGHT>(it, to, f, i, n);
    }
}
fn __difference_serial<const RIGHT: bool, I: type, O: type, F: fn>(it: I, to: O, f: F) {
    let n = it.len;
    for (i in 0..n) __difference_one<RIGHT>(it, to, f, i, n);
}

algorithm device.adjacent_difference<const right: bool = false, I: type, O: type, F: fn>(it: I, to: O, f: F) {
    let n = __finite(__most(it));
    let elements = take(it, n); // spans of one parameter count as overlapping as well
    __apart(elements, f, to);
    __fits(__room(to), it.len, "'to'");
    const V: u32 = __wide_count<element_of<I>>();
    const BLOCK: u32 = __DIFFERENCE_BLOCK;
    const U: u32 = max(__DIFFERENCE_BYTES / (u32(sizeof<element_of<I>>) * V), 1);
    comptime if (__is_serial()) {
        launch __difference_serial<right>(block = 1, grid = 1, it, to, f);
    } else if (n <= __SMALL_TRANSFORM) {
        launch __difference<1, V, right>(block = 256, grid = ceil_div(n, 256 * u64(V)), it, to, f);
    } else {
        launch __difference<U, V, right>(block = BLOCK, grid = ceil_div(n, u64(BLOCK * U * V)), it, to, f);
    }
}
