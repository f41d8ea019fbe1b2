// A role's collectives are its own: not the block's, and not those of some of its threads or of another role.
// RUN: not %ckc %s --stop-after=uniform 2>&1 | FileCheck %s
kernel k(n: u32, x: inout u32[256]) launch(block = 256, grid = 1)
{
    shared s: u32[256];
    var v = 0u32;
    split {
        left(warps = 2) {
            block.sync();
            if (n > 3) left.sync();
            v = 1;
        }
        right(warps = 6) {
            s[thread.rank] = right.rank;
            right.sync();
            if (right.warp == 3) right.sync();
            if (right.rank == 3) warp.sync();
            for (i in right.stride(192u32)) right.sync();
            x[thread.rank] = block.reduce(s[thread.rank], +);
        }
    }
    split { all(warps = 8) { if (v == 1) all.sync(); } }
}
// CHECK: split.ck:8:9: error: not all threads of the block come to 'block.sync': this differs between roles [divergent]
// CHECK: hint: In a role, left.sync() waits for its own warps.
// CHECK: split.ck:13:9: error: not all threads of the block come to 'block.reduce': this differs between roles [divergent]
// CHECK: error: not all threads of the role come to 'right.sync': this differs between warps [divergent]
// CHECK: error: not all threads of the warp come to 'warp.sync': this differs between threads [divergent]
// CHECK: error: not all threads of the role come to 'right.sync': this differs between threads [divergent]
// CHECK: hint: Let all threads come to it, equally often.
// CHECK: split.ck:22:{{.*}} error: not all threads of the role come to 'all.sync': this differs between warps [divergent]
