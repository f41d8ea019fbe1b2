// Who a thread is comes from registers.
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t
// RUN: FileCheck %s < %t
// RUN: %if ptxas %{ %ptxas-verify < %t %}
kernel k(y: out u32[13]) { y[0] = thread.x; y[1] = thread.y; y[2] = thread.z; y[3] = block.id.x; y[4] = block.id.y; y[5] = block.id.z;
  y[6] = block.dim.x; y[7] = block.dim.y; y[8] = block.dim.z; y[9] = grid.dim.x; y[10] = grid.dim.y; y[11] = grid.dim.z; y[12] = warp.lane; }
// CHECK-DAG: %tid.x
// CHECK-DAG: %tid.y
// CHECK-DAG: %tid.z
// CHECK-DAG: %ctaid.x
// CHECK-DAG: %ctaid.y
// CHECK-DAG: %ctaid.z
// CHECK-DAG: %ntid.x
// CHECK-DAG: %ntid.y
// CHECK-DAG: %ntid.z
// CHECK-DAG: %nctaid.x
// CHECK-DAG: %nctaid.y
// CHECK-DAG: %nctaid.z
// CHECK-DAG: %laneid
