// The parts of a union lie in one global, named as the first of them; on the host at one offset. With -g, all are described, and both back ends make code of it.
// RUN: %ckc %s --stop-after=gen --target=sm_90 | FileCheck %s
// RUN: %ckc %s --stop-after=gen --target=host | FileCheck %s --check-prefix=HOST
// RUN: %ckc %s --stop-after=gen --target=sm_90 -g | FileCheck %s --check-prefix=DEBUG
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t && FileCheck %s --check-prefix=PTX < %t
// RUN: %if ptxas %{ %ckc %s --emit=ptx --target=sm_90 -g | %ptxas-verify %}
kernel k(y: out u32[64]) launch(block = 64, grid = 1)
{
    shared before: u32[4];
    shared union { wide: u64[32]; bytes: u8[300]; }
    before[thread.rank % 4] = 1;
    bytes[thread.rank] = 1;
    y[thread.rank] = u32(wide[thread.rank / 8]) + before[0];
}
// CHECK-DAG: @k.before = internal addrspace(3) global [4 x i32] undef, align 16
// CHECK-DAG: @k.wide = internal addrspace(3) global [304 x i8] undef, align 16
// CHECK-DAG: getelementptr inbounds [300 x i8], ptr addrspace(3) @k.wide
// CHECK-DAG: getelementptr inbounds [32 x i64], ptr addrspace(3) @k.wide
// HOST-DAG: %wide = getelementptr inbounds i8, ptr %shared, i64 16
// HOST-DAG: %bytes = getelementptr inbounds i8, ptr %shared, i64 16
// DEBUG-DAG: !DIGlobalVariable(name: "wide"
// DEBUG-DAG: !DILocalVariable(name: "bytes"
// PTX: .shared .align 16 .b8 k{{.*}}wide[304]
