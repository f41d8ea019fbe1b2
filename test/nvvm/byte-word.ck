// The bytes of a word are shifted out of it: libNVVM compares a sum of such with the byte above as well.
// RUN: %ckc %s --emit=nvvm --target=sm_90 --backend=libnvvm | FileCheck %s
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_90 --backend=libnvvm -o %t %}
// RUN: %if nvvm %{ FileCheck %s --check-prefix=PTX < %t %}
kernel k(x: in i8[512], y: out i32[64]) launch(block = 64, grid = 1)
{
    let v = x.load<8>(8 * thread.rank);
    y[thread.rank] = i8(v[1] - v[4]) == 0 ? 7 : 9;
}
// CHECK-NOT: bitcast i32 {{.*}} to <4 x i8>
// CHECK: lshr i32 %{{.*}}, 24
// PTX: sub.s32
// PTX: 255
// PTX: setp.eq
