// Mistakes that are sure are warnings: the program is compiled.
// RUN: %ckc %s --target=host -o %t 2>&1 | FileCheck %s
// RUN: %ckc %s --target=host -o %t -Wno-index_outside -Wno-empty_range -Wno-literal_zero -Wno-unused_variable -Wno-conversion_range -Wno-empty_body -Wno-nan_comparison -Wno-comparison_constant -Wno-array_copy 2>&1 | FileCheck --allow-empty --check-prefix=NONE %s
// RUN: not %ckc %s --target=host -o %t -Werror 2>&1 | FileCheck --check-prefix=ERROR %s
// RUN: not %ckc %s --target=host -o %t -Werror=nan_comparison 2>&1 | FileCheck --check-prefix=ONE %s
fn sum(v: f32[128]) -> f32 { var s = 0.0; for (x in v) s += x; return s; }
kernel sure(n: u32, x: inout f32[n], z: inout i32[n], m: inout f32[4, 4], h: inout f16[n]) launch(block = 32, grid = 1)
{
    x[-1] = 0; m[4, 0] = 0; m[-1, 0] = 0;
    var j = n - 1;
    while (j >= 0) { x[j] = 1; j -= 1; }
    if (x[0] == nan) x[0] = 0;
    x[1] = 1e-50; h[0] = 1e-9;
    if (z[0] > 1); z[0] = 1;
    for (i in 5..0) x[i] = 0;
    z[1] = i32(3000000000);
    shared s: f32[128];
    x[2] = sum(s);
    let unused = 1;
}
// CHECK: 9:7: warning: the index -1 is outside the extent n [index_outside]
// CHECK: 9:18: warning: the index 4 is outside the extent 4 [index_outside]
// CHECK: 9:31: warning: the index -1 is outside the extent 4 [index_outside]
// CHECK-NOT: hint: The last element
// CHECK: 11:12: warning: 'j >= 0' is always true: 'j' is a 'u32' [comparison_constant]
// CHECK: 12:9: warning: 'x[0] == nan' is always false: nothing equals NaN [nan_comparison]
// CHECK: 13:12: warning: 1e-50 is 0 as an 'f32' [literal_zero]
// CHECK: 13:26: warning: 1e-9 is 0 as an 'f16' [literal_zero]
// CHECK: 14:18: warning: the 'if' decides about nothing: ';' ends it [empty_body]
// CHECK: 15:15: warning: the range 5..0 is empty [empty_range]
// CHECK: 16:16: warning: 3000000000 does not fit in 'i32', this is -1294967296 [conversion_range]
// CHECK: 18:16: warning: each thread copies 's', 512 bytes of shared memory [array_copy]
// CHECK: 19:9: warning: nothing uses 'unused' [unused_variable]
// NONE-NOT: warning
// ERROR: 9:7: error: the index -1 is outside the extent n [index_outside]
// ERROR-NOT: warning:
// ONE: 12:9: error: 'x[0] == nan' is always false
