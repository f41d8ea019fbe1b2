// 'ckc test' gives, makes and compares arrays of structs, tuples and arrays, and says what differs.
// RUN: not %ckc test --device=host %s 2>&1 | FileCheck %s --match-full-lines --implicit-check-not=' on host: '
struct P { x: f32; at: (i32, i32); }
kernel k(p: in P[2], q: inout P[2], y: out i32[3][2]) launch(block = 1, grid = 1)
{
    for (i in 0u32..2) {
        q[i].x += p[i].x;
        q[i].at = (p[i].at[1], p[i].at[0]);
        y[i] = [p[i].at[0], i32(i), 7];
    }
}
kernel one(p: P, n: i32, y: out P[3]) launch(block = 1, grid = 1) { for (i in 0..3) y[i] = p; }
// CALL: k(p=[{x: 1, at: (2, 3)}, {x: 0.5, at: (4, 2 + 3)}], q=zeros:2)
// EXPECT: q = [{x: 1, at: (3, 2)}, {x: 0.5, at: (5, 4)}]
// EXPECT: y = [[2, 0, 7], [4, 1, 7]]
// EXPECT: q = host
// CALL: one(p={1.5, (2, 3)}, n=1)
// EXPECT: y = {x: 1.5, at: (2, 3)}
// CALL: k(p=zeros:2, q=zeros:2)
// EXPECT: q = [{0, (0, 0)}, {0, (1, 0)}]
// CALL: one(p={x: 1, at: (2, 3)}, n=1)
// EXPECT: y = {x: 2, at: (2, 3)}
// TOLERANCE: 0.4
// CALL: k(p={x: 1}, q=zeros:2)
// EXPECT-ERROR: 'p': there are fewer values than it has
// CALL: k(p=[{x: 1, on: (2, 3)}], q=zeros:2)
// EXPECT-ERROR: 'p': 'on' stands where 'at' is
// CALL: k(p=[{x: 1, at: (2, 3)}], q=zeros:2)
// EXPECT-ERROR: 'p' has 1 elements
// CALL: one(p=1, n=2)
// EXPECT-ERROR: 'p': '1': '{' is missing
// CALL: one(p={1, (1, 1)}, n=(1, 2))
// EXPECT-ERROR: 'n' is one i32, '(1, 2)' is an array
// CALL: one(p={1.5, (1, m)}, n=1)
// EXPECT-ERROR: 'm' is no argument
// CHECK: {{.*}}:20: on host: q.at[0][1]: expected 1, got 0 (1 of 2 differ)
// CHECK: {{.*}}:22: on host: y.x[0]: expected 2, got 1 (3 of 3 differ)
// CHECK: 8 passed, 2 failed
