// An array of an inlined function lives to the function's end: without the repair its bytes stay on the stack of
// the thread that waits, and an address that was computed before the wait is one of another stack behind it.
// REQUIRES: ckc, host
// RUN: %ckc run %s k y=zeros:2 --print=y --device=host -O3 %repair | FileCheck %s
// RUN: %ckc run %s k y=zeros:2 --print=y --device=host -O3 --no-repair=inlined_life | FileCheck %s --check-prefix=WRONG
// libNVVM gives two large variables of that program one address.
// RUN: %if nvvm %{ %ckc %S/../run/large-values.ck %repair --emit=ptx --target=sm_90 --backend=libnvvm -o - | grep -o "SPL, .*" | sort | uniq -d | count 0 %}
// RUN: %if nvvm %{ %ckc %S/../run/large-values.ck --no-repair=inlined_life --emit=ptx --target=sm_90 --backend=libnvvm -o - | grep -o "SPL, .*" | sort | uniq -d | count 1 %}
// CHECK: y = {{.*}}556110, 667221
// WRONG-NOT: 556110
// WRONG: y =
// WRONG-NOT: 556110
fn at(w: u32[8], i: u32) -> u32 = w[i];
kernel k(y: out u32[2]) launch(block = 2, grid = 1)
{
    var all = 0u32;
    for (r in 0u32..2) {
        for (q in 0..3) {
            var w: u32[8];
            for (k in 0u32..8) w[k] = k * 5 + thread.x;
            all = all * 10 + at(w, r + 1);      // its address stays the same in the inner loop
            block.sync();
        }
    }
    y[thread.x] = all;
}
