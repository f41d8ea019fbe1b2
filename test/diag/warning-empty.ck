// A ';' that ends a statement before its block: of if, else, for, and of while where a block follows; a while that waits has none.
// RUN: %ckc %s --target=host -o %t 2>&1 | FileCheck %s --implicit-check-not=warning:
kernel k(x: inout f32[32], n: u32) {
    if (x[0] > 1) { x[0] = 1; } else; x[1] = 2;
    for (i in 0..n); { x[2] = 1; }
    while (x[3] > 1); { x[3] -= 1; }
    while (load(x[4], cache = volatile) > 1);
    x[5] = 1;
    if (x[0] > 1) {} else {}
}
// CHECK: 4:37: warning: the 'else' decides about nothing: ';' ends it [empty_body]
// CHECK: hint: Remove the ';'.
// CHECK: 5:20: warning: the 'for' decides about nothing
// CHECK: 6:21: warning: the 'while' decides about nothing
