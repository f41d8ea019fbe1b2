// What leads to a variable beyond what is followed keeps it apart from all: a pointer in a `var`, in memory, as a number or distance, in PTX, in a function that keeps it; a copy that runs on; cluster.map.
// RUN: %ckc %s --emit=manifest --target=sm_90 | FileCheck %s
struct Held { p: ptr<u32, shared>; }
fn keep(h: inout Held[], p: ptr<u32, shared>) { h[0].p = p; }
fn number(p: ptr<u32, shared>) -> u64 = u64(p);
fn ptx(p: ptr<u32, shared>) { comptime if (!target.is_host) asm("st.shared.u32 [$0], 1;", p, memory = true); }
kernel varied(y: out u32[64]) launch(block = 64, grid = 1)
{
    shared a: u32[64]; shared b: u32[64];
    var p = address(a[0]);
    p[thread.rank] = 1; block.sync(); b[thread.rank] = 2; block.sync(); y[thread.rank] = b[0];
} // CHECK: "shared_bytes": 512
kernel stored(h: inout Held[1], y: out u32[64]) launch(block = 64, grid = 1)
{
    shared a: u32[64]; shared b: u32[64];
    h[0] = Held(address(a[0])); block.sync(); b[thread.rank] = 2; block.sync(); y[thread.rank] = b[0];
} // CHECK: "shared_bytes": 512
kernel kept(h: inout Held[1], y: out u32[64]) launch(block = 64, grid = 1)
{
    shared a: u32[64]; shared b: u32[64];
    keep(h, address(a[0])); block.sync(); b[thread.rank] = 2; block.sync(); y[thread.rank] = b[0];
} // CHECK: "shared_bytes": 512
kernel numbered(y: out u32[64]) launch(block = 64, grid = 1)
{
    shared a: u32[64]; shared b: u32[64];
    let n = number(address(a[0])); block.sync(); b[thread.rank] = 2; block.sync(); y[thread.rank] = b[0] + u32(n);
} // CHECK: "shared_bytes": 512
kernel distant(y: out u32[64]) launch(block = 64, grid = 1)
{
    shared a: u32[64]; shared b: u32[64];
    let n = address(a[0]) - ptr<u32, shared>(0); block.sync(); b[thread.rank] = 2; block.sync(); y[thread.rank] = b[0] + u32(n);
} // CHECK: "shared_bytes": 512
kernel in_ptx(y: out u32[64]) launch(block = 64, grid = 1)
{
    shared a: u32[64]; shared b: u32[64];
    ptx(address(a[0])); block.sync(); b[thread.rank] = 2; block.sync(); y[thread.rank] = b[0];
} // CHECK: "shared_bytes": 512
