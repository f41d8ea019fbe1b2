// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// iter.ck - iterators: lazy sequences that are indexed like spans but store no elements, such as
// x.map(f), zip(a, b), count(0).
//
//   x.map(f).take(n)[i]  ==  f(x[i])       the struct is Take { it: Map { it: x, f }, count: n }
//
// An iterator is a struct that has `[]` (read), `[]=` (write) or both, and `.len` if it is finite.
// It is built from `it`: a span, an array or another iterator. An index keeps its type through the
// layers that don't change it, so that the final address computation is the one of hand-written
// code. `__below(i, n)` is i; a checked build traps if i >= n.

// ---- lengths: a number, or __Endless for an infinite iterator ----

struct __Endless<T: type> { none: T; }
fn __endless() -> __Endless<u8> = __Endless(0u8);

fn __shorter(a: u64, b: u64) -> u64 = min(a, b);
fn __shorter<T: type>(a: u64, b: __Endless<T>) -> u64 = a;
fn __shorter<T: type>(a: __Endless<T>, b: u64) -> u64 = b;
fn __shorter<T: type>(a: __Endless<T>, b: __Endless<T>) -> __Endless<T> = a;
fn __without(n: u64, k: u64) -> u64 = n - min(n, k);
fn __without<T: type>(n: __Endless<T>, k: u64) -> __Endless<T> = n;
fn __every(n: u64, k: u64) -> u64 = ceil_div(n, k);
fn __every<T: type>(n: __Endless<T>, k: u64) -> __Endless<T> = n;
fn __finite(n: u64) -> u64 = n;
fn __finite<T: type>(n: __Endless<T>) -> u64 {
    static_assert(false, "this iterator has no end: .take(n) gives it one");
    return 0;
}

// What a static_assert of a step takes the size of: 1 if the value of a predicate is a bool, and if
// elements that say where something begins are integers.
fn __is_answer(v: bool) -> u8 = 0;
fn __is_answer<T: type>(v: T) -> u8 {
    static_assert(false, "the function gives a bool: whether it holds for the element");
    return 0;
}
fn __is_same(v: bool) -> u8 = 0;
fn __is_same<T: type>(v: T) -> u8 {
    static_assert(false, "the function gives a bool: whether the two elements are the same");
    return 0;
}
fn __is_place<T: int>(v: T) -> u8 = 0;
fn __is_place<T: type>(v: T) -> u8 {
    static_assert(false, "offsets, places and lengths are integers");
    return 0;
}

// The length of an iterator. Overload resolution takes the first that fits, so the fallback is
// last.
fn __bound<T: number>(it: Count<T>) = __endless();
fn __bound<T: type>(it: Constant<T>) = __endless();
fn __bound<F: fn>(it: Tabulate<F>) = __endless();
fn __bound<T: type>(it: Discard<T>) = __endless();
fn __bound<F: fn>(it: TabulateStore<F>) = __endless();
fn __bound<I: type, F: fn>(it: Map<I, F>) = __bound(it.it);
fn __bound<I: type, F: fn>(it: MapStore<I, F>) = __bound(it.it);
fn __bound<A: type, B: type>(it: Zip<A, B>) = __shorter(__bound(it.a), __bound(it.b));
fn __bound<A: type, B: type, C: type>(it: Zip3<A, B, C>) = __shorter(__bound(it.a), __shorter(__bound(it.b), __bound(it.c)));
fn __bound<A: type, B: type, C: type, D: type>(it: Zip4<A, B, C, D>) =
    __shorter(__shorter(__bound(it.a), __bound(it.b)), __shorter(__bound(it.c), __bound(it.d)));
fn __bound<I: type, X: type>(it: Gather<I, X>) = __bound(it.index);
fn __bound<I: type>(it: Strided<I>) = __every(__bound(it.it), it.step);
fn __bound<I: type>(it: Drop<I>) = __without(__bound(it.it), it.count);
fn __bound<const K: u32, I: type>(it: Window<K, I>) = __without(__bound(it.it), K - 1);
fn __bound<I: type>(it: Enumerate<I>) = __bound(it.it);
fn __bound<I: type>(it: I) -> u64 = it.len;

// How many elements can be written to an iterator, for __fits: without an end, more than there are.
fn __room<I: type>(it: I) -> u64 = __room_of(__bound(it));
fn __room_of(n: u64) -> u64 = n;
fn __room_of<T: type>(n: __Endless<T>) -> u64 = 1u64 << 62;

// An upper bound of the length that is known at the launch if those of the sources are: it ignores
// counts computed by the kernel. check/scratch.c evaluates it to size scratch memory.
fn __cut(most: u64, count: u64) -> u64 = most;
fn __cut<T: type>(most: __Endless<T>, count: u64) -> u64 = count;
fn __most<T: number>(it: Count<T>) = __endless();
fn __most<T: type>(it: Constant<T>) = __endless();
fn __most<F: fn>(it: Tabulate<F>) = __endless();
fn __most<T: type>(it: Discard<T>) = __endless();
fn __most<F: fn>(it: TabulateStore<F>) = __endless();
fn __most<I: type>(it: Take<I>) -> u64 = __cut(__most(it.it), it.count);
fn __most<I: type>(it: Drop<I>) = __most(it.it);
fn __most<I: type>(it: Strided<I>) = __most(it.it);
fn __most<const K: u32, I: type>(it: Window<K, I>) = __most(it.it);
fn __most<I: type, F: fn>(it: Map<I, F>) = __most(it.it);
fn __most<I: type, F: fn>(it: MapStore<I, F>) = __most(it.it);
fn __most<I: type, X: type>(it: Gather<I, X>) = __most(it.index);
fn __most<I: type>(it: Reverse<I>) = __most(it.it);
fn __most<I: type>(it: Enumerate<I>) = __most(it.it);
fn __most<A: type, B: type>(it: Zip<A, B>) = __shorter(__most(it.a), __most(it.b));
fn __most<A: type, B: type, C: type>(it: Zip3<A, B, C>) = __shorter(__most(it.a), __shorter(__most(it.b), __most(it.c)));
fn __most<A: type, B: type, C: type, D: type>(it: Zip4<A, B, C, D>) =
    __shorter(__shorter(__most(it.a), __most(it.b)), __shorter(__most(it.c), __most(it.d)));
fn __most<I: type>(it: I) -> u64 = it.len;

// Two bytes if element i of an iterator may be another element than i of its source, as in
// x.reverse(), else one byte. __moves(it, to): two if a step that writes element i of `to` may write
// what it still reads of `it`, if they have one source.
fn __order_of<I: type>(it: I) -> u8[1] { var r: u8[1]; return r; }
fn __order_of<I: type>(it: Reverse<I>) -> u8[2] { var r: u8[2]; return r; }
fn __order_of<I: type>(it: Strided<I>) -> u8[2] { var r: u8[2]; return r; }
fn __order_of<F: fn>(it: TabulateStore<F>) -> u8[2] { var r: u8[2]; return r; }
fn __order_of<I: type>(it: Strided2<I>) -> u8[2] { var r: u8[2]; return r; }
fn __order_of<I: type>(it: Strided3<I>) -> u8[2] { var r: u8[2]; return r; }
fn __order_of<I: type>(it: Strided4<I>) -> u8[2] { var r: u8[2]; return r; }
fn __order_of<I: type, X: type>(it: Gather<I, X>) -> u8[2] { var r: u8[2]; return r; }
fn __order_of<I: type>(it: Drop<I>) -> u8[2] { var r: u8[2]; return r; }
fn __order_of<M: type>(it: Column<M>) -> u8[2] { var r: u8[2]; return r; }
fn __order_of<M: type>(it: Row<M>) -> u8[2] { var r: u8[2]; return r; }
fn __order_of<M: type>(it: Region<M>) -> u8[2] { var r: u8[2]; return r; }
fn __order_of<const K: u32, I: type>(it: Window<K, I>) -> u8[2] { var r: u8[2]; return r; }
fn __order_of<I: type, F: fn>(it: Map<I, F>) = __order_of(it.it);
fn __order_of<I: type, F: fn>(it: MapStore<I, F>) = __order_of(it.it);
fn __order_of<I: type>(it: Take<I>) = __order_of(it.it);
fn __order_of<I: type>(it: Enumerate<I>) = __order_of(it.it);
fn __either_order(a: u8[1], b: u8[1]) -> u8[1] = a;
fn __either_order<A: type, B: type>(a: A, b: B) -> u8[2] { var r: u8[2]; return r; }
fn __moves<I: type>(it: I, to: I) -> u8[1] { var r: u8[1]; return r; }
fn __moves<I: type, O: type>(it: I, to: O) = __either_order(__order_of(it), __order_of(to));

// The type that an assignment to an element stores; the compiler evaluates the type of __stored(it)
// to type a literal on the right. __Endless means that nothing determines it, as for a map_store,
// whose function can take any type. `__element` mentions it in each struct because items of the
// library are only parsed if something that is already parsed uses their names.
fn __stored<T: type>(x: out T[]) -> T { var v: T; return v; }
fn __stored<T: type>(x: out T[,]) -> T { var v: T; return v; }
fn __stored<T: type, const N: u32>(x: T[N]) -> T = x[0];
fn __stored<T: type>(it: Discard<T>) -> T { var v: T; return v; }
fn __stored<A: type, B: type>(it: Zip<A, B>) = (__stored(it.a), __stored(it.b));
fn __stored<A: type, B: type, C: type>(it: Zip3<A, B, C>) = (__stored(it.a), __stored(it.b), __stored(it.c));
fn __stored<A: type, B: type, C: type, D: type>(it: Zip4<A, B, C, D>) =
    (__stored(it.a), __stored(it.b), __stored(it.c), __stored(it.d));
fn __stored<I: type, X: type>(it: Gather<I, X>) = __stored(it.it);
fn __stored<I: type>(it: Reverse<I>) = __stored(it.it);
fn __stored<I: type>(it: Strided<I>) = __stored(it.it);
fn __stored<I: type>(it: Strided2<I>) = __stored(it.it);
fn __stored<I: type>(it: Strided3<I>) = __stored(it.it);
fn __stored<I: type>(it: Strided4<I>) = __stored(it.it);
fn __stored<I: type>(it: Take<I>) = __stored(it.it);
fn __stored<I: type>(it: Drop<I>) = __stored(it.it);
fn __stored<M: type>(it: Column<M>) = __stored(it.m);
fn __stored<M: type>(it: Row<M>) = __stored(it.m);
fn __stored<M: type>(it: Region<M>) = __stored(it.m);
fn __stored<I: type>(it: I) = __endless();

// A value of the type of the numbers that a writable iterator keeps, for __stores: a Discard keeps none.
fn __number_of<T: type>(it: Discard<T>) = __endless();
fn __number_of<I: type>(it: I) = __stored(it);

// ---- sources ----

// start, start + 1, ...
struct Count<T: number = u64> {
    start: T;
    fn len -> u64 = __finite(__bound(self));
    fn []<J: int>(i: J) -> T = self.start + T(i);
}
fn count<T: number = u64>(start: T = 0) -> Count<T> = Count<T>(start);

// value, value, ...
struct Constant<T: type> {
    value: T;
    fn len -> u64 = __finite(__bound(self));
    fn []<J: int>(i: J) -> T = self.value;
}
fn constant<T: type>(value: T) -> Constant<T> = Constant<T>(value);

// f(0), f(1), ...; the argument is a u64.
struct Tabulate<F: fn> {
    f: F;
    fn len -> u64 = __finite(__bound(self));
    fn []<J: int>(i: J) = self.f(u64(i));
}
fn tabulate<F: fn>(f: F) -> Tabulate<F> = Tabulate<F>(f);

// A sink: writes are ignored.
struct Discard<T: type> {
    none: u8 = 0;
    fn __element = __stored(self);
    fn len -> u64 = __finite(__bound(self));
}
fn []=<T: type, J: int>(it: Discard<T>, i: J, value: T) { }
fn discard<T: type>() -> Discard<T> = Discard<T>();

// A pseudo-random permutation of 0 to n - 1 that depends on the seed. A Feistel network permutes
// the numbers with as many bits as n - 1 has; a result >= n is permuted again (cycle walking), less
// than twice on average. Mitchell, Stokes, Frank, Holmes, "Bandwidth-Optimal Random Shuffling for
// GPUs" (2022): the method and its 24 rounds; Thrust's shuffle_iterator. The round function is the
// finaliser of MurmurHash3. Needs i < n.
struct Shuffle {
    len: u64;
    seed: u64;
    fn []<J: int>(i: J) -> u64 {
        let width = 64 - clz((self.len - 1) | 1);
        var v = u64(__below(i, self.len));
        var is_outside = true;
        while (is_outside) {
            v = __feistel(v, width, self.seed);
            is_outside = v >= self.len;
        }
        return v;
    }
}
fn shuffle(n: u64, seed: u64) -> Shuffle = Shuffle(n, seed);
fn __mix(x: u64) -> u64 {
    let a = (x ^ (x >> 33)) * 0xff51afd7ed558ccdu64;
    let b = (a ^ (a >> 33)) * 0xc4ceb9fe1a85ec53u64;
    return b ^ (b >> 33);
}
// Each half is XORed with a hash of the other half, which is invertible: hence a permutation.
fn __feistel(x: u64, width: u32, seed: u64) -> u64 {
    let low = width / 2;
    let (low_mask, high_mask) = ((1u64 << low) - 1, (1u64 << (width - low)) - 1);
    var (right, left) = (x & low_mask, (x >> low) & high_mask);
    var key = seed;
    unroll(1) for (round in 0..12) { // 24 copies of a round for each element would take seconds to compile
        key += 0x9e3779b97f4a7c15;
        left ^= __mix(right ^ key) & high_mask;
        key += 0x9e3779b97f4a7c15;
        right ^= __mix(left ^ key) & low_mask;
    }
    return left << low | right;
}

// ---- adaptors ----

// f(it[i]).
struct Map<I: type, F: fn> {
    it: I;
    f: F;
    fn len -> u64 = __finite(__bound(self));
    fn []<J: int>(i: J) = self.f(self.it[i]);
}
fn map<I: type, F: fn>(it: I, f: F) -> Map<I, F> = Map<I, F>(it, f);

// Writing a value stores f(value) in it[i].
struct MapStore<I: type, F: fn> {
    it: I;
    f: F;
    fn __element = __stored(self);
    fn len -> u64 = __finite(__bound(self));
}
fn []=<I: type, F: fn, J: int, V: type>(m: MapStore<I, F>, i: J, value: V) { m.it[i] = m.f(value); }
fn map_store<I: type, F: fn>(it: I, f: F) -> MapStore<I, F> = MapStore<I, F>(it, f);

// Writing a value as element i calls f(i, value), which writes it where it wants.
struct TabulateStore<F: fn> {
    f: F;
    fn __element = __stored(self);
    fn len -> u64 = __finite(__bound(self));
}
fn []=<F: fn, J: int, V: type>(m: TabulateStore<F>, i: J, value: V) { m.f(u64(i), value); }
fn tabulate_store<F: fn>(f: F) -> TabulateStore<F> = TabulateStore<F>(f);

// Tuples of one element of each; as long as the shortest.
struct Zip<A: type, B: type> {
    a: A;
    b: B;
    fn __element = __stored(self);
    fn len -> u64 = __finite(__bound(self));
    fn []<J: int>(i: J) = (self.a[i], self.b[i]);
}
struct Zip3<A: type, B: type, C: type> {
    a: A;
    b: B;
    c: C;
    fn __element = __stored(self);
    fn len -> u64 = __finite(__bound(self));
    fn []<J: int>(i: J) = (self.a[i], self.b[i], self.c[i]);
}
struct Zip4<A: type, B: type, C: type, D: type> {
    a: A;
    b: B;
    c: C;
    d: D;
    fn __element = __stored(self);
    fn len -> u64 = __finite(__bound(self));
    fn []<J: int>(i: J) = (self.a[i], self.b[i], self.c[i], self.d[i]);
}
fn []=<A: type, B: type, J: int, V: type>(z: Zip<A, B>, i: J, v: V) {
    z.a[i] = v[0];
    z.b[i] = v[1];
}
fn []=<A: type, B: type, C: type, J: int, V: type>(z: Zip3<A, B, C>, i: J, v: V) {
    z.a[i] = v[0];
    z.b[i] = v[1];
    z.c[i] = v[2];
}
fn []=<A: type, B: type, C: type, D: type, J: int, V: type>(z: Zip4<A, B, C, D>, i: J, v: V) {
    z.a[i] = v[0];
    z.b[i] = v[1];
    z.c[i] = v[2];
    z.d[i] = v[3];
}
fn zip<A: type, B: type>(a: A, b: B) -> Zip<A, B> = Zip<A, B>(a, b);
fn zip<A: type, B: type, C: type>(a: A, b: B, c: C) -> Zip3<A, B, C> = Zip3<A, B, C>(a, b, c);
fn zip<A: type, B: type, C: type, D: type>(a: A, b: B, c: C, d: D) -> Zip4<A, B, C, D> = Zip4<A, B, C, D>(a, b, c, d);

// it[index[i]], to read and to write.
struct Gather<I: type, X: type> {
    it: I;
    index: X;
    fn __element = __stored(self);
    fn len -> u64 = __finite(__bound(self));
    fn []<J: int>(i: J) = self.it[self.index[i]];
}
fn []=<I: type, X: type, J: int, V: type>(g: Gather<I, X>, i: J, value: V) { g.it[g.index[i]] = value; }
fn gather<I: type, X: type>(it: I, index: X) -> Gather<I, X> = Gather<I, X>(it, index);
fn scatter<I: type, X: type>(it: I, index: X) -> Gather<I, X> = Gather<I, X>(it, index);

// In reverse order.
struct Reverse<I: type> {
    it: I;
    fn __element = __stored(self);
    fn len -> u64 = self.it.len;
    fn []<J: int>(i: J) = self.it[self.it.len - 1 - u64(__below(i, self.it.len))];
}
fn []=<I: type, J: int, V: type>(r: Reverse<I>, i: J, value: V) { r.it[r.it.len - 1 - u64(__below(i, r.it.len))] = value; }
fn reverse<I: type>(it: I) -> Reverse<I> = Reverse<I>(it);

// Every step-th element, starting at the first.
struct Strided<I: type> {
    it: I;
    step: u64;
    fn __element = __stored(self);
    fn len -> u64 = __finite(__bound(self));
    fn []<J: int>(i: J) = self.it[u64(__below(i, __bound(self))) * self.step];
}
fn []=<I: type, J: int, V: type>(s: Strided<I>, i: J, value: V) { s.it[u64(__below(i, __bound(s))) * s.step] = value; }
fn strided<I: type>(it: I, step: u64) -> Strided<I> = Strided<I>(it, step);

// The elements of 2, 3 or 4 extents, the last one the fastest: element (i, j) is
// it[i * steps[0] + j * steps[1]]. Steps of 1 and 7 show a matrix with rows of 7 transposed.
//
//     x.strided((2, 3), (10, 1))        x[0] x[1] x[2]   x[10] x[11] x[12]
struct Strided2<I: type> {
    it: I;
    extents: (u64, u64);
    steps: (u64, u64);
    fn __element = __stored(self);
    fn len -> u64 = self.extents[0] * self.extents[1];
    fn __place(i: u64) -> u64 = i / self.extents[1] * self.steps[0] + i % self.extents[1] * self.steps[1];
    fn []<J: int>(i: J) = self.it[self.__place(u64(__below(i, self.len)))];
}
struct Strided3<I: type> {
    it: I;
    extents: (u64, u64, u64);
    steps: (u64, u64, u64);
    fn __element = __stored(self);
    fn len -> u64 = self.extents[0] * self.extents[1] * self.extents[2];
    fn __place(i: u64) -> u64 {
        let row = i / self.extents[2];
        return row / self.extents[1] * self.steps[0] + row % self.extents[1] * self.steps[1] + i % self.extents[2] * self.steps[2];
    }
    fn []<J: int>(i: J) = self.it[self.__place(u64(__below(i, self.len)))];
}
struct Strided4<I: type> {
    it: I;
    extents: (u64, u64, u64, u64);
    steps: (u64, u64, u64, u64);
    fn __element = __stored(self);
    fn len -> u64 = self.extents[0] * self.extents[1] * self.extents[2] * self.extents[3];
    fn __place(i: u64) -> u64 {
        let row = i / self.extents[3];
        let plane = row / self.extents[2];
        return plane / self.extents[1] * self.steps[0] + plane % self.extents[1] * self.steps[1] +
               row % self.extents[2] * self.steps[2] + i % self.extents[3] * self.steps[3];
    }
    fn []<J: int>(i: J) = self.it[self.__place(u64(__below(i, self.len)))];
}
fn []=<I: type, J: int, V: type>(s: Strided2<I>, i: J, value: V) { s.it[s.__place(u64(__below(i, s.len)))] = value; }
fn []=<I: type, J: int, V: type>(s: Strided3<I>, i: J, value: V) { s.it[s.__place(u64(__below(i, s.len)))] = value; }
fn []=<I: type, J: int, V: type>(s: Strided4<I>, i: J, value: V) { s.it[s.__place(u64(__below(i, s.len)))] = value; }
fn strided<I: type, A0: int, A1: int, B0: int, B1: int>(it: I, extents: (A0, A1), steps: (B0, B1)) -> Strided2<I> =
    Strided2<I>(it, (u64(extents[0]), u64(extents[1])), (u64(steps[0]), u64(steps[1])));
fn strided<I: type, A0: int, A1: int, A2: int, B0: int, B1: int, B2: int>(it: I, extents: (A0, A1, A2), steps: (B0, B1, B2)) -> Strided3<I> =
    Strided3<I>(it, (u64(extents[0]), u64(extents[1]), u64(extents[2])), (u64(steps[0]), u64(steps[1]), u64(steps[2])));
fn strided<I: type, A0: int, A1: int, A2: int, A3: int, B0: int, B1: int, B2: int, B3: int>(it: I, extents: (A0, A1, A2, A3), steps: (B0, B1, B2, B3)) -> Strided4<I> =
    Strided4<I>(it, (u64(extents[0]), u64(extents[1]), u64(extents[2]), u64(extents[3])), (u64(steps[0]), u64(steps[1]), u64(steps[2]), u64(steps[3])));

// The first `count` elements, or all if there are fewer.
struct Take<I: type> {
    it: I;
    count: u64;
    fn __element = __stored(self);
    fn len -> u64 = __shorter(self.count, __bound(self.it));
    fn []<J: int>(i: J) = self.it[__below(i, self.len)];
}
fn []=<I: type, J: int, V: type>(t: Take<I>, i: J, value: V) { t.it[__below(i, t.len)] = value; }
fn take<I: type>(it: I, count: u64) -> Take<I> = Take<I>(it, count);

// All but the first `count` elements.
struct Drop<I: type> {
    it: I;
    count: u64;
    fn __element = __stored(self);
    fn len -> u64 = __finite(__bound(self));
    fn []<J: int>(i: J) = self.it[u64(__below(i, __bound(self))) + self.count];
}
fn []=<I: type, J: int, V: type>(d: Drop<I>, i: J, value: V) { d.it[u64(__below(i, __bound(d))) + d.count] = value; }
fn drop<I: type>(it: I, count: u64) -> Drop<I> = Drop<I>(it, count);

// m[0, column], m[1, column], ... of a span of two extents.
struct Column<M: type> {
    m: M;
    column: u64;
    fn __element = __stored(self);
    fn len -> u64 = self.m.extent(0);
    fn []<J: int>(i: J) = self.m[i, self.column];
}
fn []=<M: type, J: int, V: type>(c: Column<M>, i: J, value: V) { c.m[i, c.column] = value; }
fn column<M: type>(m: M, column: u64) -> Column<M> = Column<M>(m, column);

// m[row, 0], m[row, 1], ... of a span of two extents.
struct Row<M: type> {
    m: M;
    row: u64;
    fn __element = __stored(self);
    fn len -> u64 = self.m.extent(1);
    fn []<J: int>(i: J) = self.m[self.row, i];
}
fn []=<M: type, J: int, V: type>(r: Row<M>, i: J, value: V) { r.m[r.row, i] = value; }
fn row<M: type>(m: M, row: u64) -> Row<M> = Row<M>(m, row);

// The elements of a rectangle of a span of two extents, row by row: element i is
// m[from_row + i / columns, from_column + i % columns].
struct Region<M: type> {
    m: M;
    from_row: u64;
    from_column: u64;
    rows: u64;
    columns: u64;
    fn __element = __stored(self);
    fn len -> u64 = self.rows * self.columns;
    fn []<J: int>(i: J) = self.m[self.from_row + __row_of(u64(__below(i, self.len)), self.columns), self.from_column + __column_of(u64(i), self.columns)];
}
fn []=<M: type, J: int, V: type>(g: Region<M>, i: J, value: V) {
    g.m[g.from_row + __row_of(u64(__below(i, g.len)), g.columns), g.from_column + __column_of(u64(i), g.columns)] = value;
}
fn region<M: type>(m: M, row: u64, column: u64, rows: u64, columns: u64) -> Region<M> = Region<M>(m, row, column, rows, columns);
// i / columns and i % columns; divisions of 32 bits are shorter.
fn __row_of(i: u64, columns: u64) -> u64 = (i | columns) >> 32 == 0 ? u64(u32(i) / u32(columns)) : i / columns;
fn __column_of(i: u64, columns: u64) -> u64 = i - __row_of(i, columns) * columns;

// Arrays of K neighbours: it[i] to it[i + K - 1].
struct Window<const K: u32, I: type> {
    it: I;
    fn len -> u64 = __finite(__bound(self));
    fn []<J: int>(i: J) = __window<K>(self.it, u64(i), self.it[__below(i, __bound(self))]);
}
fn __window<const K: u32, I: type, T: type>(it: I, i: u64, first: T) -> T[K] {
    var w: T[K];
    w[0] = first;
    unroll for (k in 1..K) w[k] = it[i + k];
    return w;
}
fn window<const K: u32, I: type>(it: I) -> Window<K, I> = Window<K, I>(it);

// (i, it[i]); i is a u64.
struct Enumerate<I: type> {
    it: I;
    fn len -> u64 = __finite(__bound(self));
    fn []<J: int>(i: J) = (u64(i), self.it[i]);
}
fn enumerate<I: type>(it: I) -> Enumerate<I> = Enumerate<I>(it);

// A span of numbers, read with a hint for the caches (memory.ck).
struct Cached<const CACHE: u32, I: type> {
    it: I;
    fn len -> u64 = self.it.len;
    fn []<J: int>(i: J) = load(self.it[i], cache = CACHE);
}
fn cached<const cache: u32, I: type>(it: I) -> Cached<cache, I> = Cached<cache, I>(it);
