// Matches and sums of a warp take scalars; shuffles and reductions by a function take any type.
// RUN: not %ckc %s --target=host --stop-after=check 2>&1 | FileCheck %s
struct P { x: f32; }
kernel k(y: out f32[1])
{
    y[0] = warp.shuffle(P(1), 0).x + warp.reduce(P(1), |a, b| a).x;
    let a = warp.sum(P(1));
    let b = warp.match_any(P(1));
}
// CHECK: :7:13: error: no 'sum' takes (P) [no_overload]
// CHECK: :8:13: error: no 'match_any' takes (P) [no_overload]
// CHECK-NOT: error:
