// RUN: %run-test %s
// A generic algorithm has steps for each instance that is exported or asked for, and for its defaults.
fn scale<T: number>(x: in T[], y: out T[], by: T) { for (i in grid.stride(x.len)) y[i] = x[i] * by; }
algorithm scaled<T: number = i32, const BY: i32 = 3>(n: u64, x: in T[n], y: out T[n]) -> T {
    scratch z: T[n];
    launch scale<T>(block = 64, grid = 2, x, z, T(BY));
    launch scale<T>(block = 32, grid = 3, z, y, T(2));
    return reduce(y, +, T(0));
}
export scaled<f32, 5>;
// CALL: scaled<i32, 3>(x=iota:100, y=zeros:100)
// EXPECT: y = 6 * x
// EXPECT: result = sum(6 * x)
// CALL: scaled<f32, 5>(x=rand:1000, y=zeros:1000)
// EXPECT: y = 10 * x
// CALL: scaled<u64, 1>(x=iota:1000, y=zeros:1000)
// EXPECT: y = 2 * x
