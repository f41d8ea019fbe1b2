// A variable that is assigned, and that nothing reads, is a warning; so is a shared array that is only written.
// RUN: %ckc %s --target=host -o %t 2>&1 | FileCheck %s
// RUN: %ckc %s --target=host -o %t -Wno-unread_variable 2>&1 | FileCheck --allow-empty --check-prefix=NONE %s
kernel k(x: inout f32[32], p: ptr<f32>) launch(block = 32, grid = 1)
{
    var sum = 0.0;
    for (v in x) sum += v;
    var last: f32;
    last = x[1];
    var table: f32[4];
    table[thread.x % 4] = 1;
    shared tile: f32[32];
    tile[thread.x] = 2;
    var _ignored = 0;
    _ignored = 1;
    // These are read, or what they lead to may be.
    let q = p;
    q[0] = 1;
    let row = x[0..2];
    row[0] = 1;
    var at: u32[2];
    at[0] = 0;
    x[at[0]] = 3;
    let (a, b) = (x[2], x[3]);
    x[4] = a;
    var done = false;
    while (!done) done = true;
}
// CHECK: :6:9: warning: 'sum' is assigned, and nothing reads it [unread_variable]
// CHECK: :8:9: warning: 'last' is assigned, and nothing reads it [unread_variable]
// CHECK: :10:9: warning: 'table' is assigned, and nothing reads it [unread_variable]
// CHECK: :12:12: warning: 'tile' is assigned, and nothing reads it [unread_variable]
// CHECK-NOT: warning
// NONE-NOT: warning
