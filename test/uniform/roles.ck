// What a role has set differs between its warps and the others, in a later role that has some of each.
// RUN: not %ckc %s --stop-after=uniform 2>&1 | FileCheck %s
fn set(s: inout u32[]) { split { a(warps = 2) { s[0] = 1; } b(warps = 2) {} } }
fn get() -> u32 { var r = 0u32; split { a(warps = 2) { r = 1; } b(warps = 2) {} } return r; }
fn sync(n: u32) { split { a(warps = 4) { if (n > 0) a.sync(); } } }
fn few(n: u32) { split { a(warps = 1) { if (n > 0) a.sync(); } b(warps = 3) { } } }
fn both(n: u32) { split { a(warps = 1) { if (n > 0) a.sync(); } b(warps = 3) { if (n > 0) b.sync(); } } }
kernel k(n: u32) launch(block = 128, grid = 1)
{
    var (v, w, x, y) = ([0u32, 0], [0u32, 0], [0u32, 0], 0u32);
    let s = w[0..2];
    split { a(warps = 2) { v[0] = 1; s[0] = 1; y = a.reduce(n, +); if (w[0] > 0) a.sync(); } b(warps = 2) { } }
    split { c(warps = 2) { if (v[0] + w[0] + y > 0) c.sync(); } d(warps = 2) { if (y > 0) d.sync(); } }
    split { e(warps = 1) { if (w[0] > 0) e.sync(); } f(warps = 3) { } }
    split { g(warps = 4) { if (w[0] > 0) g.sync(); } }
    split { h(warps = 1) { } i(warps = 3) { if (y > 0) i.sync(); } }
    set(x);
    let z = get();
    split { j(warps = 4) { if (x[0] > 0) j.sync(); if (z > 0) j.sync(); } }
    sync(y);
    few(y);
    split { l(warps = 2) { let f = |v| { if (v > 0) l.sync(); return v; }; y += f(y); } m(warps = 2) { } }
    var u = 0u32;
    split { o(warps = 2) { u = 1; } p(warps = 2) { } }
    both(u);
}
// CHECK-NOT: error:
// CHECK: roles.ck:15:32: error: not all threads of the role come to 'g.sync': this differs between warps [divergent]
// CHECK: note: 'w' gets its value here
// CHECK: roles.ck:12:13: note: this condition decides about it
// CHECK: roles.ck:16:49: error: {{.*}} 'i.sync': this differs between warps [divergent]
// CHECK: roles.ck:19:32: error: {{.*}} 'j.sync': this differs between warps [divergent]
// CHECK: roles.ck:19:56: error: {{.*}} 'j.sync': this differs between warps [divergent]
// CHECK: roles.ck:20:10: error: this differs between warps, and decides whether 'a.sync' is reached by its role [divergent_argument]
// CHECK: roles.ck:25:10: error: this differs between warps, and decides whether 'b.sync' is reached by its role [divergent_argument]
// CHECK-NOT: error:
