// Warps of a role that have left the kernel or a loop don't come to a later role with others.
// RUN: not %ckc %s --stop-after=uniform 2>&1 | FileCheck %s
kernel ended(n: u32) launch(block = 128, grid = 1)
{
    split { a(warps = 2) { if (n > 3) return; a.sync(); } b(warps = 2) { b.sync(); } }
    split { c(warps = 2) { c.sync(); } d(warps = 2) { d.sync(); } }
    split { e(warps = 4) { e.sync(); } }
}
kernel right(n: u32) launch(block = 128, grid = 1)
{
    for (i in 0..n) {
        split {
            a(warps = 1) { if (i > 3) break; a.sync(); }
            b(warps = 3) { if (i > 4) continue; b.sync(); }
        }
    }
    split { c(warps = 4) { c.sync(); } }
}
kernel wrong(n: u32) launch(block = 128, grid = 1)
{
    for (i in 0..n) {
        split { a(warps = 1) { a.sync(); } b(warps = 3) { if (i > 4) continue; b.sync(); } }
        split { c(warps = 4) { c.sync(); } }
    }
}
// CHECK-NOT: error:
// CHECK: roles-left.ck:5:13: error: not all threads of the role come to 'e.sync': this differs between warps [divergent]
// CHECK: roles-left.ck:5:39: note: those for which it holds leave here
// CHECK: roles-left.ck:7:28: note: 'e.sync' is called here
// CHECK: roles-left.ck:22:{{[0-9]+}}: error: not all threads of the role come to 'c.sync': this differs between warps [divergent]
// CHECK-NOT: error:
