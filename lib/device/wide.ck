// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/wide.ck - reads adjacent elements of an iterator with accesses of 16 bytes.
//
// __adjacent<N, WIDE>(it, i) gives it[i] to it[i + N - 1]. A span is read by vectors; map, zip, enumerate,
// take, drop and region read what they are made of in this way; any other iterator is read element by element.
// __adjoins<N>(it) tells whether the spans in it are aligned for that, if i is a multiple of N; it is
// asked once, before the loops, of which there are two: WIDE, and with elements read one by one.
//
//     zip(x, y.map(f))     __adjoins: x and y are aligned      N elements: a vector of x, one of y, N calls of f

fn __adjoins<const N: u32, T: type>(it: in T[]) -> bool = it.len == 0 || u64(address(it[0])) % (u64(sizeof<T>) * N) == 0;
fn __adjoins<const N: u32, T: type>(it: out T[]) -> bool = it.len == 0 || u64(address(it[0])) % (u64(sizeof<T>) * N) == 0;
fn __adjoins<const N: u32, T: type>(it: inout T[]) -> bool = it.len == 0 || u64(address(it[0])) % (u64(sizeof<T>) * N) == 0;
fn __adjoins<const N: u32, I: type, F: fn>(it: Map<I, F>) -> bool = __adjoins<N>(it.it);
fn __adjoins<const N: u32, I: type>(it: Take<I>) -> bool = __adjoins<N>(it.it);
fn __adjoins<const N: u32, I: type>(it: Enumerate<I>) -> bool = __adjoins<N>(it.it);
fn __adjoins<const N: u32, A: type, B: type>(it: Zip<A, B>) -> bool = __adjoins<N>(it.a) && __adjoins<N>(it.b);
fn __adjoins<const N: u32, A: type, B: type, C: type>(it: Zip3<A, B, C>) -> bool =
    __adjoins<N>(it.a) && __adjoins<N>(it.b) && __adjoins<N>(it.c);
fn __adjoins<const N: u32, A: type, B: type, C: type, D: type>(it: Zip4<A, B, C, D>) -> bool =
    __adjoins<N>(it.a) && __adjoins<N>(it.b) && __adjoins<N>(it.c) && __adjoins<N>(it.d);
fn __adjoins<const N: u32, M: type>(it: Region<M>) -> bool =
    it.columns % u64(N) == 0 && it.from_column % u64(N) == 0 && it.m.extent(1) % u64(N) == 0 &&
    (it.len == 0 || u64(address(it.m[0, 0])) % ((sizeof<element_of<Region<M>>>) * u64(N)) == 0);
fn __adjoins<const N: u32, I: type>(it: I) -> bool = true;

// The elements that one access of 16 bytes may give: 16, 8, 4, 2 or 1.
fn __wide_count<T: type>() -> u32 = sizeof<T> == 1 ? 16 : sizeof<T> == 2 ? 8 : sizeof<T> == 4 ? 4 : sizeof<T> == 8 ? 2 : 1;

fn __adjacent_of<const N: u32, const WIDE: bool, T: number, I: type>(it: I, i: u64, like: T) -> T[N] {
    var r: T[N];
    const BYTES: u32 = N * u32(sizeof<T>);
    comptime if (WIDE && N > 1 && BYTES <= 16) {
        r.store(0, ptr<vec<T, N>>(address(it[i]))[0]);
        return r;
    }
    unroll for (k in 0..N) r[k] = it[i + u64(k)];
    return r;
}
fn __adjacent_of<const N: u32, const WIDE: bool, T: type, I: type>(it: I, i: u64, like: T) -> T[N] {
    var r: T[N];
    unroll for (k in 0..N) r[k] = it[i + u64(k)];
    return r;
}
fn __adjacent<const N: u32, const WIDE: bool, T: type>(it: in T[], i: u64) -> T[N] = __adjacent_of<N, WIDE>(it, i, __zero(it[0u64]));
fn __adjacent<const N: u32, const WIDE: bool, T: type>(it: inout T[], i: u64) -> T[N] = __adjacent_of<N, WIDE>(it, i, __zero(it[0u64]));
// If WIDE, the elements are in one row.
fn __adjacent_in<const N: u32, const WIDE: bool, T: number, M: type>(it: Region<M>, i: u64, like: T) -> T[N] {
    var r: T[N];
    const BYTES: u32 = N * u32(sizeof<T>);
    comptime if (WIDE && N > 1 && BYTES <= 16) {
        let (row, column) = (__row_of(i, it.columns), __column_of(i, it.columns));
        r.store(0, ptr<vec<T, N>>(address(it.m[it.from_row + row, it.from_column + column]))[0]);
        return r;
    }
    unroll for (k in 0..N) r[k] = it[i + u64(k)];
    return r;
}
fn __adjacent_in<const N: u32, const WIDE: bool, T: type, M: type>(it: Region<M>, i: u64, like: T) -> T[N] {
    var r: T[N];
    unroll for (k in 0..N) r[k] = it[i + u64(k)];
    return r;
}
fn __adjacent<const N: u32, const WIDE: bool, M: type>(it: Region<M>, i: u64) -> element_of<Region<M>>[N] =
    __adjacent_in<N, WIDE>(it, i, __zero(it[0u64]));
fn __adjacent<const N: u32, const WIDE: bool, I: type, F: fn>(it: Map<I, F>, i: u64) -> element_of<Map<I, F>>[N] {
    let v = __adjacent<N, WIDE>(it.it, i);
    var r: element_of<Map<I, F>>[N];
    unroll for (k in 0..N) r[k] = it.f(v[k]);
    return r;
}
fn __adjacent<const N: u32, const WIDE: bool, I: type>(it: Take<I>, i: u64) = __adjacent<N, WIDE>(it.it, i);
fn __adjacent<const N: u32, const WIDE: bool, A: type, B: type>(it: Zip<A, B>, i: u64) -> (element_of<A>, element_of<B>)[N] {
    let (a, b) = (__adjacent<N, WIDE>(it.a, i), __adjacent<N, WIDE>(it.b, i));
    var r: (element_of<A>, element_of<B>)[N];
    unroll for (k in 0..N) r[k] = (a[k], b[k]);
    return r;
}
fn __adjacent<const N: u32, const WIDE: bool, A: type, B: type, C: type>(it: Zip3<A, B, C>, i: u64) -> (element_of<A>, element_of<B>, element_of<C>)[N] {
    let (a, b, c) = (__adjacent<N, WIDE>(it.a, i), __adjacent<N, WIDE>(it.b, i), __adjacent<N, WIDE>(it.c, i));
    var r: (element_of<A>, element_of<B>, element_of<C>)[N];
    unroll for (k in 0..N) r[k] = (a[k], b[k], c[k]);
    return r;
}
fn __adjacent<const N: u32, const WIDE: bool, A: type, B: type, C: type, D: type>(it: Zip4<A, B, C, D>, i: u64) -> (element_of<A>, element_of<B>, element_of<C>, element_of<D>)[N] {
    let (a, b) = (__adjacent<N, WIDE>(it.a, i), __adjacent<N, WIDE>(it.b, i));
    let (c, d) = (__adjacent<N, WIDE>(it.c, i), __adjacent<N, WIDE>(it.d, i));
    var r: (element_of<A>, element_of<B>, element_of<C>, element_of<D>)[N];
    unroll for (k in 0..N) r[k] = (a[k], b[k], c[k], d[k]);
    return r;
}
fn __adjacent<const N: u32, const WIDE: bool, I: type>(it: I, i: u64) -> element_of<I>[N] {
    var r: element_of<I>[N];
    unroll for (k in 0..N) r[k] = it[i + u64(k)];
    return r;
}

// Writes N adjacent elements from `to[i]` on, in the same way.
fn __put_adjacent<const N: u32, const WIDE: bool, T: number>(to: out T[], i: u64, v: T[N]) {
    const BYTES: u32 = N * u32(sizeof<T>);
    comptime if (WIDE && N > 1 && BYTES <= 16) {
        ptr<vec<T, N>>(address(to[i]))[0] = v.load<N>(0);
    } else {
        unroll for (k in 0..N) to[i + u64(k)] = v[k];
    }
}
fn __put_adjacent<const N: u32, const WIDE: bool, O: type, T: type>(to: O, i: u64, v: T[N]) {
    unroll for (k in 0..N) to[i + u64(k)] = v[k];
}
