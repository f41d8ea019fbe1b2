// A union has as many bytes as its largest part; as one variable it shares with others, in a kernel and in a function.
// RUN: %ckc %s --emit=manifest --target=sm_90 | FileCheck %s
// RUN: %ckc %s --emit=manifest --target=host | FileCheck %s
kernel largest(y: out u32[64]) launch(block = 64, grid = 1)
{
    shared union { a: u8[64]; b: u64[64]; c: u32[100]; }
    a[thread.rank] = 1;
    y[thread.rank] = u32(b[0]) + c[0];
} // CHECK: "shared_bytes": 512
kernel lives(y: out u32[64]) launch(block = 64, grid = 1)
{
    shared union { a: u32[64]; b: u8[128]; }
    shared late: u32[64];
    a[thread.rank] = 1; block.sync(); let v = b[thread.rank]; block.sync();
    late[thread.rank] = v; block.sync(); y[thread.rank] = late[0];
} // CHECK: "shared_bytes": 256
kernel overlaps(y: out u32[64]) launch(block = 64, grid = 1)
{
    shared union { a: u32[64]; b: u8[128]; }
    shared late: u32[64];
    a[thread.rank] = 1; block.sync(); late[thread.rank] = 2; block.sync(); y[thread.rank] = late[0] + b[0];
} // CHECK: "shared_bytes": 512
fn f() -> u32 { shared union { a: u32[64]; b: u8[512]; } a[thread.rank] = 1; block.sync(); return b[8]; }
kernel in_function(y: out u32[64]) launch(block = 64, grid = 1) { y[thread.rank] = f(); }
// CHECK: "shared_bytes": 512
kernel escapes(y: out u32[64]) launch(block = 64, grid = 1)
{
    shared union { a: u32[64]; b: u8[128]; }
    shared late: u32[64];
    var p = address(b[0]);
    p[thread.rank] = 1; block.sync(); late[thread.rank] = a[0]; block.sync(); y[thread.rank] = late[0];
} // CHECK: "shared_bytes": 512
