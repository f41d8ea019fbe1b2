// Instructions have the line of the program, those of the library that of the call.
// RUN: %ckc %s -lineinfo --stop-after=gen --target=sm_90 --backend=nvptx | FileCheck %s
kernel k(n: u64, y: out f32[n])
{
  let i = grid.thread_rank;
  if (i < n)
    y[i] = 1;
}
// CHECK:      call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg ![[L:[0-9]+]]
// CHECK:      store float {{.*}}, !dbg ![[S:[0-9]+]]
// CHECK-DAG: ![[L]] = !DILocation(line: 5,
// CHECK-DAG: ![[S]] = !DILocation(line: 7,
// CHECK-NOT: line: 50
