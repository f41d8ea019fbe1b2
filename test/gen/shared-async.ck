// Bytes that are copied to are used again only behind the wait for the copies.
// RUN: %ckc %s --emit=manifest --target=sm_80 --backend=nvptx | FileCheck %s
kernel in_flight(x: in f32[64], y: out f32[64]) launch(block = 64, grid = 1)
{
    { shared a: f32[64]; memcpy_async(a[thread.x], x[thread.x]); }
    { shared b: f32[64]; b[thread.x] = 1; block.sync(); y[thread.x] = b[63 - thread.x]; }
}
// CHECK: "in_flight"
// CHECK: "shared_bytes": 512
kernel waited(x: in f32[64], y: out f32[64]) launch(block = 64, grid = 1)
{
    { shared a: f32[64]; memcpy_async(a[thread.x], x[thread.x]); pipeline.wait(); block.sync(); y[thread.x] = a[0]; }
    { shared b: f32[64]; b[thread.x] = 1; block.sync(); y[thread.x] = b[63 - thread.x]; }
}
// CHECK: "waited"
// CHECK: "shared_bytes": 256
fn start(x: in f32[]) { shared a: f32[64]; block.memcpy_async(a, x, 0, 64); pipeline.commit(); }
fn start_and_wait(x: in f32[]) { start(x); pipeline.wait(); block.sync(); }
fn turn(v: f32) -> f32 { shared b: f32[64]; b[thread.x] = v; block.sync(); return b[63 - thread.x]; }
kernel calls(x: in f32[64], y: out f32[64]) launch(block = 64, grid = 1) { start(x); y[thread.x] = turn(1); }
// CHECK: "calls"
// CHECK: "shared_bytes": 512
kernel calls_waited(x: in f32[64], y: out f32[64]) launch(block = 64, grid = 1) { start_and_wait(x); y[thread.x] = turn(1); }
// CHECK: "calls_waited"
// CHECK: "shared_bytes": 256
