// A THEN may be another instance; a failure names the line of its launch; EXPECT-OUTPUT and EXPECT-ERROR are of all launches.
// REQUIRES: ckc
// RUN: not %ckc test --device=host %s 2>&1 | FileCheck --check-prefix=RUNS %s
// RUNS: failures.ck:20: on host: y[1]: expected 7, got 4 (1 of 2 differ)
// RUNS: failures.ck:22: on host: by 2
// RUNS: error: scale<i32> has no parameter 'z'
// RUNS: failures.ck:25: on host: {{.*}}'w' is no argument
// RUNS: 2 passed, 3 failed
kernel scale<T>(n: u32, a: T, x: in T[n], y: out T[n]) launch(block = 1, grid = 1)
{
    for (i in 0..n) y[i] = a * x[i];
    print("by {}", a);
}
// CALL: scale<f32>(a=2, x=[1, 2])
// THEN: scale<i32>(a=3, x=[1, 2])
// EXPECT: y = [3, 6]
// EXPECT-OUTPUT: by 2
// EXPECT-OUTPUT: by 3
// CALL: scale<f32>(a=2, x=[1, 2])
// EXPECT: y = [2, 7]
// CALL: scale<i32>(a=2, x=[1, 2])
// THEN: scale<i32>(a=3, z=y)
// CALL: scale<i32>(a=2, x=[1, 2]) -check
// THEN: scale<i32>(a=3, x=y)
// EXPECT: y = 3 * w
// CALL: scale<i32>(a=2, x=[1, 2]) -DTILE=3
// EXPECT-ERROR: TILE
// THEN: scale<i32>(a=3, x=y)
