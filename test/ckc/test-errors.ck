// Tests of what does not compile, of calls that are refused, of faults, and of what is printed. A
// fault leaves the tests behind it alone.
// REQUIRES: ckc, host
// RUN: %ckc test --device=host %s | FileCheck %s
// RUN: %ckc test --device=host --backend=nvptx,libnvvm -O0 %s | FileCheck %s
// CHECK: {{^}}8 passed, 0 failed{{$}}
// COMPILE:
// COMPILE: half<i32>
// COMPILE: half<bool>
// EXPECT-ERROR: [constraint]
// COMPILE: -DLIMIT=0
// EXPECT-ERROR: a limit is needed
// CALL: check(x=[1, 2], y=[1])
// EXPECT-ERROR: 'y' has 1 elements
// CALL: check(x=[1, 200])
// EXPECT-ERROR: Assertion `it is small` failed
// CALL: check(x=[1, 2])
// EXPECT: y = [2, 3]
// EXPECT-OUTPUT: 2 is 2
// EXPECT-OUTPUT: 1 is 1
// CALL: check(x=[1, 200]) -DLIMIT=500
// EXPECT-OUTPUT: 2 is 200
const LIMIT: i32 = 100;
static_assert(LIMIT > 0, "a limit is needed");
kernel half<T: number>(x: inout T[1]) launch(block = 1, grid = 1) { x[0] /= T(2); }
kernel check(n: u32, x: in i32[n], y: out i32[n]) launch(block = n, grid = 1)
{
    assert(x[thread.x] < LIMIT, "it is small");
    y[thread.x] = x[thread.x] + 1;
    print("{} is {}", thread.x + 1, x[thread.x]);
}
