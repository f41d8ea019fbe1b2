// Outermost variables that share bytes lie in one global, named as the first of them and aligned as the strictest; another one has its own. With -g, all are described.
// RUN: %ckc %s --stop-after=gen --target=sm_90 | FileCheck %s
// RUN: %ckc %s --stop-after=gen --target=sm_90 -g | FileCheck %s --check-prefix=DEBUG
// RUN: %ckc %s --emit=ptx --target=sm_90 -g --backend=nvptx -o %t
// RUN: %if ptxas %{ %ptxas-verify < %t %}
// RUN: %if ptxas %{ %ckc %s --emit=ptx --target=sm_90 -g | %ptxas-verify %}
kernel k(y: out u32[64]) launch(block = 64, grid = 1)
{
    shared early: u32[64];
    shared always: u32[64];
    shared late: u64[16];
    shared later: u64[16];
    early[thread.rank] = 1;
    always[thread.rank] = 2;
    block.sync();
    let v = early[63 - thread.rank];
    block.sync();
    late[thread.rank % 16] = 3;
    later[thread.rank % 16] = 4;
    block.sync();
    y[thread.rank] = v + always[0] + u32(late[0] + later[0]);
}
// CHECK-DAG: @k.early = internal addrspace(3) global [256 x i8] undef, align 16
// CHECK-DAG: @k.always = internal addrspace(3) global [64 x i32] undef, align 16
// CHECK: store i64 3
// CHECK: getelementptr inbounds {{.*}}@k.early, i64 128
// DEBUG-DAG: !DIGlobalVariable(name: "early"
// DEBUG-DAG: !DIGlobalVariable(name: "always"
// DEBUG-DAG: !DILocalVariable(name: "late"
// DEBUG-DAG: !DILocalVariable(name: "later"
