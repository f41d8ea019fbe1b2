// A shared array of more than 256 bytes that every thread copies is a warning, wherever it is copied.
// RUN: %ckc %s --target=host -o %t 2>&1 | FileCheck %s --implicit-check-not=warning:
struct P { a: f32[128]; n: u32; }
fn by_value(a: f32[128]) -> f32 = a[1];
fn any<T: type>(a: T) -> f32 = a[2];
fn view(a: in f32[]) -> f32 = a[3];
fn part(a: f32[2]) -> f32 = a[1];
kernel k(y: out f32[128], few: inout f32[2]) launch(block = 32, grid = 1)
{
    shared s: f32[128];
    shared two: f32[2, 128];
    shared small: f32[2];
    s[thread.x] = small[0];
    two[1, thread.x] = s[thread.x + 1];
    block.sync();
    let a = s;
// CHECK: [[#@LINE-1]]:13: warning: each thread copies 's', 512 bytes of shared memory [array_copy]
// CHECK: hint: A slice, s[0..128], is a view of it.
    var b = two[1];
// CHECK: [[#@LINE-1]]:13: warning: each thread copies 'two[1]', 512 bytes
    b = s;
// CHECK: [[#@LINE-1]]:9: warning: each thread copies 's', 512 bytes
    let p = P(s, 1);
// CHECK: [[#@LINE-1]]:15: warning: each thread copies 's', 512 bytes
    let q = (2, s);
// CHECK: [[#@LINE-1]]:17: warning: each thread copies 's', 512 bytes
    let l = [s, s];
// CHECK: [[#@LINE-1]]:14: warning: each thread copies 's', 512 bytes
// CHECK: [[#@LINE-2]]:17: warning: each thread copies 's', 512 bytes
    y[0] = by_value(s);
// CHECK: [[#@LINE-1]]:21: warning: each thread copies 's', 512 bytes
// CHECK: hint: A parameter that is a span, x: in f32[], is a view of it.
    few[0] = part(small) + any(s) + view(s) + f32(s.len + sizeof<f32[128]> + s[0..4].len);
    for (v in s) few[1] += v;
    let f = |i| s[i];
    y[thread.x] = a[thread.x] + b[1] + p.a[0] + q[1][1] + l[0][1] + f(1u32);
}
