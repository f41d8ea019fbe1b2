// gdb prints vectors, structs, tuples, pointers and slices by what is in them.
// REQUIRES: gdb
// RUN: env ASAN_OPTIONS=detect_leaks=0 gdb -nx -batch -ex 'set breakpoint pending on' \
// RUN:   -ex 'break debug-types.ck:32' -ex run -ex 'print v' -ex 'print p' -ex 'print t' -ex 'print at->n[1]' \
// RUN:   -ex 'print half' -ex 'print half.data[1]' -ex 'print q.x' -ex 'print w[1]' -ex 'print link.value' \
// RUN:   -ex 'print s' --args %ckc run %s types x=iota:4 --device=host -g 2>&1 | FileCheck %s
// CHECK:     hit Breakpoint 1, {{.*}}debug-types.ck:32
// CHECK:     $1 = {1, 2, 3}
// CHECK:     $2 = {x = 0.5, on = true, n = {4, 5}}
// CHECK:     $3 = {e0 = 7, e1 = 2.5}
// CHECK:     $4 = 5
// CHECK:     $5 = {data = 0x{{.*}}, len = 2}
// CHECK:     $6 = 3
// CHECK:     $7 = 0.25
// CHECK:     $8 = {x = 0.5, on = true, n = {4, 5}}
// CHECK:     $9 = 9
// CHECK:     $10 = {{[{][{]}}x = 0.5,
struct P { x: f32; on: bool; n: i32[2]; }
struct Link { value: i32; next: ptr<Link>; }
kernel types(x: in f32[4], y: out f32[4]) launch(block = 1, grid = 1)
{
    shared s: P[1];
    let v = f32x3(1, 2, 3);
    var p = P(0.5, true, [4, 5]);
    s[0] = p;
    let t = (7, 2.5);
    let at = address(p);
    let half = x[2..4];
    let q = P(0.25, false, [1, 2]);
    var w = [p, p];
    let link = Link(9, ptr<Link>(0));
    y[0] = v.x + at[0].x + f32(t[0]) + half[1] + q.x + w[1].x + f32(link.value) + s[0].x;
    y[1] = 0;
}
