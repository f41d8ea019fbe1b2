// EXPECT compares an algorithm's tuple or struct of several types, by place or by name, and its fields.
// REQUIRES: ckc, host
// RUN: not %ckc test --device=host %s 2>&1 | FileCheck %s
algorithm below(n: u64, x: in f32[n], least: f32) -> (f32, u64) =
    reduce(x.map(|v| v < least ? (v, 1u64) : (0.0, 0u64)), |a, b| (a[0] + b[0], a[1] + b[1]), (0.0, 0u64));
struct Found { value: f32; at: u64; }
algorithm first(n: u64, x: in f32[n]) -> Found = Found(x[0], n);
algorithm nested(n: u64, x: in f32[n]) -> (bool, (f32, i32)) = (n > 1, (x[0], -3));
// CALL: below(x=[1.5, 2, 3, 4], least=3)
// EXPECT: result = (3.5, 2)
// EXPECT: result.f0 = x[0] + x[1]
// CALL: first(x=[7, 8])
// EXPECT: result = (x[0], 2)
// EXPECT: result = {7, n}
// EXPECT: result = {at: 2}
// EXPECT: result.value = 7
// CALL: nested(x=[7, 8])
// EXPECT: result = (true, (7, -3))
// EXPECT: result.f1.f1 = -3
// CALL: nested(x=[7, 8])
// EXPECT: result = (true, (7, 3))
// CALL: first(x=[7, 8])
// EXPECT: result = (7, 2, 3)
// CALL: first(x=[7, 8])
// EXPECT: result.on = 1
// CALL: below(x=[1.5, 2, 3, 4], least=3)
// EXPECT: result = [3.5, 2]
// CHECK: :21: on host: result[1][1]{{.*}}: expected 3, got -3 (1 of 1 differ)
// CHECK: :23: on host: there are more values than it has
// CHECK: :25: on host: error: 'result.on': there is no field 'on'
// CHECK: :27: on host: error: 'result' has several types: write (value, value) or {field: value}
// CHECK: 3 passed, 4 failed{{$}}
