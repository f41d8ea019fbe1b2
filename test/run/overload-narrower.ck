// Of overloads that fit with as many conversions the one with narrower parameters is called.
// RUN: %run-test %s
fn of<T: type, F: fn>(v: T, f: F) -> u32 = 1;
fn of<F: fn>(v: u32, f: F) -> u32 = 2;
fn of<T: type, const N: u32, F: fn>(v: T[N], f: F) -> u32 = 3;
fn of<const N: u32, F: fn>(v: T2[N], f: F) -> u32 = 4;
fn of<F: fn>(v: T2[3], f: F) -> u32 = 5;
struct T2 {
    a: f32;
}
fn pair<T: type, U: int>(a: T, b: U) -> u32 = 1;
fn pair<T: type>(a: T, b: u64) -> u32 = 2;
fn pair<T: int, U: number>(a: T, b: U) -> u32 = 3;
fn from<T: type>(v: T, init: T) -> u32 = 1;
fn from<T: type>(v: T, count: u32 = 7) -> u32 = count;
fn within<T: type>(v: T) -> u32 = of(v, +);

kernel calls(y: out u32[9])
{
    var three: T2[3];
    var four: T2[4];
    (y[0], y[1]) = (of(1.0f32, +), within(1u32));
    (y[2], y[3]) = (within([1u32, 2u32]), of(four, +));
    y[4] = of(three, +);
    (y[5], y[6]) = (pair(1.0f32, 1i32), pair(1.0f32, 1u64));
    y[8] = from(1u32, 2u32); // not the one which has a default
    y[7] = pair(1i32, 1i32); // each is narrower in one of them: the sum of the constraints
}
// CALL: calls() --block=1 --grid=1
// EXPECT: y = [1, 2, 3, 4, 5, 1, 2, 3, 1]
