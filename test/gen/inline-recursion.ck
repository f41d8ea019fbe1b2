// Functions that call themselves twice do not grow without end.
// RUN: %ckc %s --stop-after=gen --target=sm_90 --backend=nvptx | FileCheck %s
fn fib(n: u32) -> u32 = n < 2 ? n : fib(n - 1) + fib(n - 2);
kernel k(x: inout u32[1]) { x[0] = fib(x[0]); }
// CHECK:      call i32 @ck.fib(i32
// CHECK:      define internal i32 @ck.fib
