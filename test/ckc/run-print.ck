// Arrays print as nested lists, each number in the fewest digits that give it back.
// REQUIRES: ckc
// RUN: %ckc run %s k h=2 w=3 --device=host | FileCheck %s
// RUN: %ckc run %s k h=2 w=3 --print=a --print=b:4 --device=host | FileCheck --check-prefix=PART %s
// RUN: %ckc run %s k h=2 w=0 --print=a --device=host | FileCheck --check-prefix=EMPTY %s
// RUN: %ckc run %s k h=4 w=5 --device=host | FileCheck --check-prefix=MORE %s
// CHECK: {{^}}a = {{\[\[}}0.1, 1, 16777216], [1e+20, inf, nan]]{{$}}
// CHECK: {{^}}b = {{\[\[}}-0.3333333333333333, 0, 0], [0, 0, 0]]{{$}}
// PART: {{^}}a = {{\[\[}}0.1, 1, 16777216], [1e+20, inf, nan]]{{$}}
// PART: {{^}}b = {{\[\[}}-0.3333333333333333, 0, 0], [0]]{{$}}
// EMPTY: {{^}}a = []{{$}}
// MORE: {{^}}b = {{\[\[.*}}], [0, ...]]{{$}}
kernel k(h: u32, w: u32, a: out f32[h, w], b: out f64[h, w]) launch(block = 1, grid = 1)
{
    if (w > 2) {
        (a[0, 0], a[0, 1], a[0, 2]) = (0.1, 1, 16777216);
        (a[1, 0], a[1, 1], a[1, 2]) = (1e20, inf, nan);
        b[0, 0] = -1.0 / 3;
    }
}
