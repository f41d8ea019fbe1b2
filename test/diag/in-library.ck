// What a function of the library finds is said of the program's call, once.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
// RUN: not %ckc %s --stop-after=check --diagnostics=json 2>&1 | FileCheck %s --check-prefix=JSON
fn sum<T: type>(v: T) -> T = block.reduce(v, |a, b| a + b);
kernel k(n: u32, x: inout f32[n])
{
    x[0] = block.reduce(x[0], |a, b| a * b);
    x[1] = sum(x[1]);
    for (v in x[0..n].map(|a, b| a)) { }
}
// CHECK:      :4:30: error: the block's size is not known at compile time [block_open]
// CHECK-NEXT: fn sum
// CHECK-NEXT: ^~~~
// CHECK-NEXT: lib/block/reduce.ck:{{.*}} note: in 'block.reduce<{{.*}}>' of the library
// CHECK-NOT:  lib/
// CHECK:      :8:12: note: in 'sum<f32>', instantiated here
// CHECK:      hint: Give the kernel 'k' a constant block
// CHECK:      :7:12: error: the block's size is not known at compile time [block_open]
// CHECK:      :9:15: error: '|a, b| a' takes 2 arguments, 1 are given [argument_count]
// CHECK-NOT:  error:
// JSON: "severity":"error","id":"block_open"{{.*}}in-library.ck","line":4,{{.*}}"id":"in_library"
