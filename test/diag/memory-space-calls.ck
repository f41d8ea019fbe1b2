// Which memory an address is of is found along the calls, through results, records and variables.
// RUN: not %ckc %s --target=sm_90 --stop-after=gen 2>&1 | FileCheck %s
// RUN: %ckc %s --target=host -o %t
fn copied(t: out f32[], x: in f32[]) { block.memcpy_async(t, x, base = 0, count = 32); }
fn twice(t: out f32[], x: in f32[]) { copied(t[1..40], x); }
fn chosen(a: ptr<f32>, b: ptr<f32>, which: bool) -> ptr<f32> {
    if (which) return a;
    return b;
}
kernel k(n: u32, x: in f32[64], y: out f32[64]) launch(block = 64, grid = 1)
{
    shared tile: f32[64];
    copied(tile, x);
    twice(y, x);
    let f = |s| ptr<f32, shared>(address(s[0]));
    f(y)[0] = 1;
    ptr<f32, shared>(chosen(address(y[0]), address(y[1]), n > 1))[0] = 2;
    ptr<f32, shared>(chosen(address(tile[0]), address(y[1]), n > 1))[0] = 2;
    var many: ptr<f32>[2];
    many[0] = address(y[1]);
    many[1] = address(y[2]);
    ptr<f32, shared>(many[n])[0] = 4;
    var own: f32[2];
    ptr<f32, global>(address(own[n]))[0] = 5;
}
// CHECK-NOT: :13:
// CHECK-DAG: :14:5: error: this is global memory, where shared memory is expected [memory_space]
// CHECK-DAG: :15:17: error: this is global memory, where shared memory is expected
// CHECK-DAG: :17:5: error: this is global memory, where shared memory is expected
// CHECK-DAG: :22:5: error: this is global memory, where shared memory is expected
// CHECK-DAG: :24:5: error: this is a thread's own memory, where global memory is expected
// CHECK-NOT: :18:
