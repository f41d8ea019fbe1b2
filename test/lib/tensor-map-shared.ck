// In a kernel with tensor maps what may be a tile starts at 1024 bytes, where a swizzle begins: a small one behind another array, and tiles of more than 48 KB together.
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t && FileCheck %s < %t
// RUN: %if ptxas %{ %ptxas-verify < %t %}
// RUN: %ckc %s --emit=manifest --target=sm_90 | FileCheck --check-prefix=BYTES %s
kernel small(m: tensor_map<2, f32>, y: out f32[4]) launch(block = 32, grid = 1)
{
    shared before: f32[32];
    shared tile: f32[4, 32];
    before[thread.x] = f32(thread.x);
    block.load_tensor(tile, m, 0, 0);
    if (thread.x < 4) y[thread.x] = tile[1, thread.x] + before[31 - thread.x];
}
kernel large(m: tensor_map<2, f32>, y: out f32[4]) launch(block = 32, grid = 1)
{
    shared before: f32[8];
    shared a: f32[128, 64];
    shared b: f32[128, 64];
    if (thread.x < 8) before[thread.x] = f32(thread.x);
    block.load_tensor(a, m, 0, 0);
    block.load_tensor(b, m, 8, 0);
    if (thread.x < 4) y[thread.x] = a[0, thread.x] + b[1, thread.x] + before[thread.x];
}
kernel dynamic(n: u32, m: tensor_map<2, f32>, y: out f32[4]) launch(block = 32, grid = 1)
{
    shared before: f32[dyn n];
    shared tile: f32[dyn n, 32];
    if (thread.x < n) before[thread.x] = f32(thread.x);
    block.load_tensor(tile, m, 0, 0);
    if (thread.x < 4) y[thread.x] = tile[1, thread.x] + before[thread.x];
}
// CHECK-DAG: .extern .shared .align 1024 .b8 ck_dynamic_shared
// CHECK-DAG: .shared .align 1024 .b8 small{{.*}}tile[512]
// BYTES: "shared_bytes": 1552
// BYTES: "dynamic_shared": "66576"
// BYTES: "dynamic_shared": "n 4 * 1023 + 1024 / 1024 * n 32 * 4 * 1023 + 1024 / 1024 * +"
