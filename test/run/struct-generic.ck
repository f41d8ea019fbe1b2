// Generic structs: bound by arguments, by <...>, by what the place asks for, by their defaults.
// RUN: %run-test %s
// CALL: k(y=zeros:10)
// EXPECT: y = [3, 3, 15, 17, 6, 3, 3.5, 14, 2, 4]
struct V<T: type, const N: u32 = 3> {
    d: T[N];
    fn size -> u32 = N;
    fn scaled(s: T) -> V<T, N> { var r = self; for (i in 0..N) r.d[i] *= s; return r; }
    fn as<U: type>() -> U = U(self.d[0]);
}
struct Pair<A: type, B: type = A> { a: A; b: B; }
fn swapped<A: type, B: type>(p: Pair<A, B>) -> Pair<B, A> = Pair(p.b, p.a);
fn +<T: number>(a: Pair<T>, b: Pair<T>) -> Pair<T> = Pair<T>(a.a + b.a, a.b + b.b);
fn *<T: number>(a: Pair<T>, s: T) -> Pair<T> = Pair<T>(a.a * s, a.b * s);
fn Pair.sum -> A = self.a + A(self.b);
fn total<P: type>(p: P) -> P = p + p;
fn first<T: type, const N: u32>(v: V<T, N>) -> T = v.d[0] + T(N) - 4;
kernel k(y: out f32[10]) launch(block = 1, grid = 1)
{
    var v: V<f32>;
    (v.d[0], v.d[2]) = (4.0, 5.0);
    y[0] = v.first();
    y[1] = f32(v.size);
    y[2] = v.scaled(3).d[2];
    let p = Pair(1.5, 2);
    let q = p.swapped();
    y[3] = f32(q.a) + q.b * 10;
    y[4] = (Pair(1.0, 2.0) + Pair(3.0, 4.0)).b;
    y[5] = (Pair(1.0, 2.0) * 3).a;
    y[6] = p.sum;
    y[7] = total(Pair(1.0, 7.0)).b;
    let z: Pair<f64> = Pair(1, 2);
    y[8] = f32(z.b);
    y[9] = f32(v.as<i32>());
}
