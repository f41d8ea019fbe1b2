// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/transform.ck - writes a value for each element of an iterator, by one launch of a kernel.
//
// In an algorithm:
//   transform(it, to, f)            to[i] = f(it[i]). Of several inputs: zip(x, y), f takes the tuple
//   transform_if(it, to, f, holds)  to[i] = f(it[i]) where holds(it[i]); to[i] stays as it is elsewhere
//   fill(to, value)                 to[i] = value
//   generate(to, f)                 to[i] = f(i), i a u64
//   for_each(it, f)                 f(it[i]); what it gives is dropped
//
//   it, to        iterators; `it` is finite, or else `to` is; `to` is writable. As many elements as the
//                 shorter of them has
//   overlap       it and to: allowed if they are the same elements in the same order, or slices of a span
//                 without a common element; else rejected, at the launch if numbers decide it
//                 f or holds and to: rejected
//   f, holds      functions; they are called once for each element, in any order
//   launches      1
//   scratch       none
//   steps         a block takes one tile, and each of its threads reads all its vectors before it
//                 writes the first. While some blocks write, others of the multiprocessor read
//   target        any
//   CUB           DeviceTransform::Transform(tuple(x, y), z, n, f)   transform(zip(x, y), z, f)
//                 DeviceTransform::TransformIf(x, z, n, p, f)        transform_if(x, z, f, p)
//                 DeviceTransform::Fill(z, n, v)                     fill(z, v)
//                 DeviceTransform::Generate(z, n, g)                 generate(z, |i| g())
//                 DeviceFor::ForEach(x, n, f), ForEachN              for_each(x, f)
//                 DeviceFor::Bulk(n, f)                              for_each(count(0).take(n), f)
//   Thrust        transform, transform_if, fill, for_each            transform(x, z, f), and so on
//                 lower_bound(x, v, z), upper_bound                transform(v, z, |a| lower_bound(x, a)), and so on
//                 binary_search(x, v, z)                           transform(v, z, |a| lower_bound(x, a) < upper_bound(x, a))
//                 tabulate(z, f), sequence(z)                        generate(z, f), generate(z, |i| i)
//   cuda.compute  unary_transform, binary_transform                  transform(x, z, f), transform(zip(x, y), z, f)
//                 lower_bound, upper_bound                           transform(v, z, |a| lower_bound(x, a)), and so on
//
//   algorithm axpy(n: u64, a: f32, x: in f32[n], y: inout f32[n]) {
//       transform(zip(x, y), y, |v| a * v[0] + v[1]);
//   }
//   CALL: axpy(a=2, x=[1, 2, 3], y=[10, 20, 30])
//   EXPECT: y = [12, 24, 36]
//
// A tile of 2 vectors of 4 elements a thread, U = 2 and V = 4:
//
//     thread     0       1      ...  255         0       1      ...  255
//              a b c d|e f g h|...|       |    i j k l|m n o p|...|       |
//              vector 0 of each thread         vector 1 of each thread
//
// 2 vectors of 16 bytes a thread are 64 KiB a multiprocessor with 2048 threads. An H200 needs 48 KiB of
// reads under way for its full bandwidth (cub::DeviceTransform's number). Up to __SMALL_TRANSFORM
// elements a thread takes one vector, so that more multiprocessors have work.

const __SMALL_TRANSFORM: u64 = 1048576;

// Elements of one tile. FULL: all of them are there.
fn __transform_tile<const U: u32, const V: u32, const WIDE: bool, I: type, O: type>(it: I, to: O, first: u64) {
    var v: element_of<I>[U * V];
    unroll for (u in 0..U) {
        let row = __adjacent<V, WIDE>(it, first + u64((u * block.size + thread.rank) * V));
        unroll for (k in 0..V) v[u * V + k] = row[k];
    }
    unroll for (u in 0..U) {
        var row: element_of<I>[V];
        unroll for (k in 0..V) row[k] = v[u * V + k];
        __put_adjacent<V, WIDE>(to, first + u64((u * block.size + thread.rank) * V), row);
    }
}

fn __transform<const U: u32, const V: u32, I: type, O: type>(it: I, to: O, n: u64) {
    const TILE = u64(U * V * block.size);
    let first = u64(block.id.x) * TILE;
    if (first + TILE <= n && __adjoins<V>(it) && __adjoins<V>(to)) {
        __transform_tile<U, V, true>(it, to, first);
    } else if (first + TILE <= n) {
        __transform_tile<U * V, 1, false>(it, to, first);
    } else {
        for (i in (first + u64(thread.rank)..n).step(u64(block.size))) to[i] = it[i];
    }
}

// The elements for which `holds` is true are written one by one: rows of adjacent elements a warp.
fn __transform_if<const R: u32, I: type, O: type, F: fn, H: fn>(it: I, to: O, f: F, holds: H, n: u64) {
    const TILE = u64(R * block.size);
    let first = u64(block.id.x) * TILE + u64(thread.rank);
    if (u64(block.id.x) * TILE + TILE <= n) {
        var v: element_of<I>[R];
        unroll for (r in 0..R) v[r] = it[first + u64(r * block.size)];
        unroll for (r in 0..R) {
            if (holds(v[r])) to[first + u64(r * block.size)] = f(v[r]);
        }
    } else {
        for (i in (first..n).step(u64(block.size))) {
            let v = it[i];
            if (holds(v)) to[i] = f(v);
        }
    }
}

fn __for_each<const R: u32, I: type, F: fn>(it: I, f: F, n: u64) {
    let first = u64(block.id.x) * u64(R * block.size) + u64(thread.rank);
    unroll for (r in 0..R) {
        let i = first + u64(r * block.size);
        if (i < n) f(it[i]);
    }
}

fn __transform_serial<I: type, O: type>(it: I, to: O, n: u64) { for (i in 0..n) to[i] = it[i]; }
fn __transform_if_serial<I: type, O: type, F: fn, H: fn>(it: I, to: O, f: F, holds: H, n: u64) {
    for (i in 0..n) {
        let v = it[i];
        if (holds(v)) to[i] = f(v);
    }
}

fn __length<I: type, O: type>(it: I, to: O) -> u64 = __finite(__shorter(__bound(it), __bound(to)));
fn __length_most<I: type, O: type>(it: I, to: O) -> u64 = __finite(__shorter(__most(it), __most(to)));

// BYTES: what is read for an element.
algorithm device.__store<const BYTES: u32, I: type, O: type>(it: I, to: O) {
    let n = __length_most(it, to);
    const V: u32 = __wide_count<element_of<I>>();
    const U: u32 = max(__TRANSFORM_BYTES / max(BYTES * V, 16), 1);
    const BLOCK: u32 = __TRANSFORM_BLOCK;
    comptime if (__is_serial()) {
        launch __transform_serial(block = 1, grid = 1, it, to, __length(it, to));
    } else if (n <= __SMALL_TRANSFORM) {
        launch __transform<1, V>(block = 256, grid = ceil_div(n, 256 * u64(V)), it, to, __length(it, to));
    } else {
        launch __transform<U, V>(block = BLOCK, grid = ceil_div(n, u64(BLOCK * U * V)), it, to, __length(it, to));
    }
}

algorithm device.transform<I: type, O: type, F: fn>(it: I, to: O, f: F) {
    __apart(f, to);
    let elements = it.map(|v| v); // spans of one parameter count as overlapping as well
    comptime if (sizeof(__moves(it, to)) == 2) __apart(elements, to);
    else __in_step(it, to);
    const BYTES: u32 = u32(sizeof<element_of<I>>);
    device.__store<BYTES>(it.map(f), to);
}
algorithm device.fill<O: type, T: type>(to: O, value: T) { device.__store<0>(constant(value), to); }
algorithm device.generate<O: type, F: fn>(to: O, f: F) { device.__store<0>(tabulate(f), to); }

algorithm device.transform_if<I: type, O: type, F: fn, H: fn>(it: I, to: O, f: F, holds: H) {
    static_assert(sizeof(__is_answer(holds(it[0u64]))) == 1, "");
    __apart(f, holds, to);
    let elements = it.map(|v| v);
    comptime if (sizeof(__moves(it, to)) == 2) __apart(elements, to);
    else __in_step(it, to);
    let n = __length_most(it, to);
    comptime if (__is_serial()) {
        launch __transform_if_serial(block = 1, grid = 1, it, to, f, holds, __length(it, to));
    } else {
        launch __transform_if<8>(block = 128, grid = ceil_div(n, 1024), it, to, f, holds, __length(it, to));
    }
}
fn __for_each_serial<I: type, F: fn>(it: I, f: F, n: u64) { for (i in 0..n) f(it[i]); }
algorithm device.for_each<I: type, F: fn>(it: I, f: F) {
    comptime if (__is_serial()) {
        launch __for_each_serial(block = 1, grid = 1, it, f, it.len);
    } else {
        launch __for_each<2>(block = 256, grid = ceil_div(__finite(__most(it)), 512), it, f, it.len);
    }
}
