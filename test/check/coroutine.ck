// A kernel that waits, itself or in what it calls, is a coroutine of the host.
// RUN: %ckc %s --emit=manifest | FileCheck %s
fn f() { g(); }
fn g() { warp.sync(); }
kernel a() { f(); }
kernel b() {}
kernel c() { block.sync(); }
// CHECK:      "name": "a"
// CHECK:      "coroutine": true
// CHECK:      "name": "b"
// CHECK:      "coroutine": false
// CHECK:      "name": "c"
// CHECK:      "coroutine": true
