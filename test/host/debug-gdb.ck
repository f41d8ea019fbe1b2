// gdb stops in a kernel on the host, prints its variables, and steps, also behind a barrier.
// REQUIRES: gdb
// RUN: env ASAN_OPTIONS=detect_leaks=0 gdb -nx -batch -ex 'set breakpoint pending on' \
// RUN:   -ex 'break debug-gdb.ck:22' -ex run -ex 'info args' -ex 'info locals' -ex 'print x.data[1]' \
// RUN:   -ex 'delete 1' -ex 'break debug-gdb.ck:24' -ex continue -ex 'print i' -ex 'print k' \
// RUN:   --args %ckc run %s waits x=iota:4 --device=host -g 2>&1 | FileCheck %s
// CHECK:     hit Breakpoint 1{{[.0-9]*}}, {{.*}}debug-gdb.ck:22
// CHECK:     n = 4
// CHECK:     x = {data = 0x{{.*}}, len = 4}
// CHECK-DAG: k = 7
// CHECK-DAG: i = 0
// CHECK-DAG: tile = {0,
// CHECK:     $1 = 1
// CHECK:     hit Breakpoint 2{{[.0-9]*}}, {{.*}}debug-gdb.ck:24
// CHECK:     $2 = 0
// CHECK:     $3 = 8
kernel waits(n: u64, x: in f32[n], y: out f32[n]) launch(block = 4, grid = 1)
{
    shared tile: f32[4];
    let i = thread.rank; var k = 7;
    tile[i] = x[i];
    block.sync();
    k += 1;
    y[i] = tile[3 - i] + f32(k);
}
