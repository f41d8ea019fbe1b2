// What each warning of a sure mistake proposes.
// RUN: %ckc %s --target=host -o %t 2>&1 | FileCheck %s
kernel sure(n: u32, x: inout f32[n], z: inout i32[n]) {
    x[-1] = 0;
    var j = n - 1;
    while (j >= 0) { x[j] = 1; j -= 1; }
    if (0 <= j) x[0] = 1;
    if (j < 0) x[0] = 1;
    if (x[0] == nan) x[0] = 0;
    if (x[0] != nan) x[0] = 0;
    if (x[0] < nan) x[0] = 0;
    if (z[0] > 1); z[0] = 1;
    for (i in 5..0) x[i] = 0;
}
// CHECK: 4:7: warning: the index -1 is outside the extent n
// CHECK: hint: The last element is x[n - 1].
// CHECK: 6:12: warning: 'j >= 0' is always true: 'j' is a 'u32'
// CHECK: hint: Count down by while (j > 0) { j -= 1; ... }, or with an i32.
// CHECK: 7:9: warning: '0 <= j' is always true
// CHECK: 8:9: warning: 'j < 0' is always false: 'j' is a 'u32'
// CHECK-NOT: hint:
// CHECK: 9:9: warning: 'x[0] == nan' is always false
// CHECK: hint: Write is_nan(x[0]).
// CHECK: 10:9: warning: 'x[0] != nan' is always true
// CHECK: hint: Write !is_nan(x[0]).
// CHECK: 11:9: warning: 'x[0] < nan' is always false
// CHECK: 12:18: warning: the 'if' decides about nothing: ';' ends it
// CHECK: hint: Remove the ';'.
// CHECK: 13:15: warning: the range 5..0 is empty
// CHECK: hint: A range counts up; write (0..5).reverse() to count down.
