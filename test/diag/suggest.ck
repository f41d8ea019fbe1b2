// What is near is suggested: names, members, words of launch, constraints, groups; nothing of "__".
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f<T: nmuber>(x: T) -> T = x;
fn blok.first -> bool = true;
const COUNT = 4;
kernel k(count: u32, x: in f32[count], y: out f32[4]) launch(blocks = 32, grid = 1) {
    y[0] = x[cuont];
    y[COUTN] = x[0];
    y[1] = x[x.length];
    y[2] = x[thread.rnak] + x[block.dm.x];
    y[3] = Sqrt(x[0]) + thread_x();
}
// CHECK: 3:9: error: 'nmuber' is not a constraint
// CHECK: hint: Did you mean 'number'?
// CHECK: 4:4: error: 'blok' is not a group
// CHECK: hint: Did you mean 'block'?
// CHECK: 6:62: error: 'blocks' is not a part of launch
// CHECK: fix: write 'grid' instead
// CHECK: 7:14: error: 'cuont' is not declared
// CHECK: hint: Did you mean 'count'?
// CHECK: 8:7: error: 'COUTN' is not declared
// CHECK: hint: Did you mean 'COUNT'?
// CHECK: 9:16: error: 'in f32[]' has no member 'length'
// CHECK: hint: Did you mean 'len'?
// CHECK: 10:21: error: 'thread' has no member 'rnak'
// CHECK: hint: Did you mean 'rank'?
// CHECK: 10:37: error: 'block' has no member 'dm'
// CHECK: hint: Did you mean 'dim'?
// CHECK: 11:12: error: 'Sqrt' is not declared
// CHECK: hint: Did you mean 'sqrt'?
// CHECK: 11:25: error: 'thread_x' is not declared
// CHECK: hint: Did you mean 'thread.x'?
