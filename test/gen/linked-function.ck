// Functions of a link have their names as symbols, and are called as CUDA C++ calls its own.
// RUN: %ckc %s --emit=ptx --target=sm_80 --backend=nvptx -o %t
// RUN: FileCheck %s < %t
// RUN: %if ptxas %{ %ptxas-verify -c < %t %}
// RUN: %ckc %s --emit=ptx --target=sm_80 -o %t.nvvm
// RUN: FileCheck %s < %t.nvvm
// RUN: %ckc %s --emit=llvm --target=sm_80 --backend=nvptx --stop-after=gen | FileCheck %s --check-prefix=LLVM
// RUN: %ckc %s --emit=ltoir --target=sm_80 -o %t.ltoir
// REQUIRES: nvvm
import fn theirs(x: f32, n: i64, p: ptr<i32>) -> f64;
import fn none(x: u8);
export fn mine(x: f64, k: i16) -> f64 { return x + f64(k); }
export fn quiet(p: ptr<u32>) { p[0] = 1; }
fn inside(x: f64) -> f64 { return mine(x, 3) * x; }
kernel k(x: in f32[1], y: out f64[1], c: inout i32[4]) launch(block = 1, grid = 1)
{
    y[0] = inside(theirs(x[0], 7i64, address(c[0])));
    none(5u8);
}
// CHECK-DAG: .extern .func  (.param .b64 func_retval0) theirs
// CHECK-DAG: .extern .func none
// CHECK-DAG: .visible .func  (.param .b64 func_retval0) mine(
// CHECK-DAG: .visible .func quiet(
// CHECK: .entry k(
// CHECK: theirs,
// CHECK-NOT: .func{{.*}}inside
// LLVM-DAG: define {{.*}}double @mine(double %x, i16 %k)
// LLVM-DAG: define {{.*}}void @quiet(ptr %p)
// LLVM-DAG: define internal double @ck.inside(double %x)
// LLVM-DAG: declare double @theirs(float, i64, ptr)
// LLVM-DAG: declare void @none(i8)
