// A kernel that calls grid.together() is launched cooperatively, and there is no code for it or for thread.yield().
// RUN: %ckc %s --emit=manifest --target=sm_80 --backend=nvptx | FileCheck %s
// RUN: %ckc %s --emit=ptx --target=sm_80 --backend=nvptx | FileCheck %s --check-prefix=NONE
kernel k(x: inout u32[2]) launch(block = 32, grid = 2)
{
    grid.together();
    while (atomic.load(x[block.id.x]) == 0) thread.yield();
    x[0] = 1;
}
// CHECK: "cooperative": true
// NONE: .entry k
// NONE-NOT: {{bar|call|nanosleep}}
// NONE: ld.relaxed.gpu
