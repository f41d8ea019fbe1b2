// ckc run prints an algorithm's value last, its parts by name, and takes none for it.
// REQUIRES: ckc, host
// RUN: %ckc run %s sum n=10 --device=host | FileCheck %s --check-prefix=SUM
// RUN: %ckc run %s parts n=3 --device=host | FileCheck %s --check-prefix=PARTS
// RUN: %ckc run %s pair n=3 --device=host | FileCheck %s --check-prefix=PAIR
// RUN: %ckc run %s positive x=iota:4 --device=host --save=y:%t.npy | FileCheck %s --check-prefix=COUNT
// RUN: %ckc run %s clear x=iota:2 --device=host --print=x | FileCheck %s --check-prefix=CLEAR
// RUN: not %ckc run %s sum n=10 result=zeros:1 --device=host 2>&1 | FileCheck %s --check-prefix=GIVEN
// RUN: not %ckc run %s sum n=10 --print=result --device=host 2>&1 | FileCheck %s --check-prefix=TWICE
struct In { a: u8; b: (f64, bool); }
struct Out { x: i16; y: In; v: f32x2; w: u32[2]; }
algorithm sum(n: u64) -> i64 = reduce(count<i64>(1).take(n), +, 0);
algorithm parts(n: u32) -> Out = Out(-1, In(2, (0.5, n > 2)), f32x2(4, 5), [n, n + 1]);
algorithm pair(n: u32) -> f32x2 = f32x2(0.5, f32(n));
algorithm positive(n: u64, x: in f32[n], y: out f32[n]) -> u64 = select(x, |v| v > 1, y);
algorithm clear(n: u64, x: inout f32[n]) { for (i in grid.stride(n)) x[i] = 0; }
// SUM: {{^}}result = 55{{$}}
// PARTS: {{^}}result = {x: -1, y: {a: 2, b: (0.5, true)}, v: (4, 5), w: [3, 4]}{{$}}
// PAIR: {{^}}result = (0.5, 3){{$}}
// COUNT-NOT: y =
// COUNT: {{^}}result = 2{{$}}
// CLEAR: {{^}}x = [0, 0]{{$}}
// CLEAR-NOT: result
// GIVEN: error: 'result' is what sum gives
// TWICE: error: --print=result: the result is printed in any case
