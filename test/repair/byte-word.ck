// The bytes of a word are shifted out of it: libNVVM leaves the next byte above one that it compares.
// Only a GPU has shown the wrong comparison: libNVVM 13.0 cuts the bytes of all programs whose PTX was read.
// RUN: %ckc %s %repair --emit=nvvm --target=sm_90 --backend=libnvvm | FileCheck %s
// RUN: %if nvvm %{ %ckc %s %repair --emit=ptx --target=sm_90 --backend=libnvvm -o %t %}
// RUN: %if nvvm %{ FileCheck %s --check-prefix=PTX < %t %}
// RUN: %ckc %s --no-repair=byte_word --emit=nvvm --target=sm_90 --backend=libnvvm \
// RUN:   | FileCheck %s --check-prefix=WITHOUT
kernel k(x: in u32[128], y: out i32[64]) launch(block = 64, grid = 1)
{
    let v = bit_cast<i8x4>(x[thread.rank]);
    let w = bit_cast<i8x4>(x[thread.rank + 64]);
    y[thread.rank] = i8(v[1] - w[2]) == 0 ? 7 : 9;
}
// CHECK-NOT: bitcast i32 {{.*}} to <4 x i8>
// CHECK: lshr i32 %{{.*}}, 24
// PTX: sub.s32
// PTX: 255
// PTX: setp.eq
// WITHOUT: bitcast i32 {{.*}} to <4 x i8>
