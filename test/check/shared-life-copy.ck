// A variable that a copy runs on to, a barrier object and what other blocks of the cluster reach share with nobody; nor do variables with dyn extents.
// RUN: %ckc %s --emit=manifest --target=sm_90 | FileCheck %s
kernel copied(x: in u32[64], y: out u32[64]) launch(block = 64, grid = 1)
{
    shared a: u32[64]; shared b: u32[64];
    memcpy_async(a[thread.rank], x[thread.rank]); block.sync();
    b[thread.rank] = 2; block.sync(); y[thread.rank] = b[0];
} // CHECK: "shared_bytes": 512
kernel mapped(y: out u32[64]) launch(block = 64, grid = 2, cluster = 2)
{
    shared a: u32[64]; shared b: u32[64];
    a[thread.rank] = 1; cluster.sync(); let v = cluster.map(a, 1)[0]; cluster.sync();
    b[thread.rank] = v; block.sync(); y[thread.rank] = b[0];
} // CHECK: "shared_bytes": 512
kernel clustered(y: out u32[64]) launch(block = 64, grid = 2, cluster = 2)
{
    shared a: u32[64]; shared b: u32[64];
    a[thread.rank] = 1; cluster.sync(); let v = a[0]; cluster.sync();
    b[thread.rank] = v; block.sync(); y[thread.rank] = b[0];
} // CHECK: "shared_bytes": 256
kernel barriers(x: in u32[128], y: out u32[64]) launch(block = 64, grid = 1)
{
    shared bar: barrier; shared a: u32[128]; shared b: u32[64];
    block.init(address(bar));
    block.memcpy_async(a, x, 0, 128, address(bar)); block.wait(address(bar)); block.sync();
    b[thread.rank] = 2; block.sync(); y[thread.rank] = b[0];
} // CHECK: "shared_bytes": 784
kernel dynamic(n: u32, y: out u32[64]) launch(block = 64, grid = 1)
{
    shared a: u32[dyn n]; shared b: u32[64]; shared c: u32[64];
    a[thread.rank] = 1; b[thread.rank] = 1; block.sync(); c[thread.rank] = a[0]; block.sync(); y[thread.rank] = c[0];
}
// CHECK: "dynamic_shared": "n
// CHECK: "shared_bytes": 256
