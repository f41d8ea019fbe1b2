// A block has 16 hardware barriers, one of which is block.sync(): a kernel has at most 15 roles.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k() launch(block = 256, grid = 1)
{
    split {
        a(warps = 1) { } b(warps = 1) { } c(warps = 1) { } d(warps = 1) { }
        e(warps = 1) { } f(warps = 1) { } g(warps = 1) { } h(warps = 1) { }
    }
    split {
        a(warps = 1) { } b(warps = 1) { } c(warps = 1) { } d(warps = 1) { }
        e(warps = 1) { } f(warps = 1) { } g(warps = 1) { } h(warps = 1) { }
    }
}
// CHECK: :9:5: error: a kernel has at most 15 roles; these are 16 [role_count]
