// A cubin of a -g build tells debuggers of parameters, variables and shared memory.
// REQUIRES: nvjitlink, nvvm
// RUN: %ckc %s --emit=cubin --target=sm_90 --backend=libnvvm -g -o %t.libnvvm
// RUN: llvm-dwarfdump %t.libnvvm | FileCheck %s
// RUN: %ckc %s --emit=cubin --target=sm_90 --backend=nvptx -g -o %t.nvptx
// RUN: llvm-dwarfdump %t.nvptx | FileCheck %s
kernel k(y: out u32[64])
{
  shared tile: u32[64];
  let i = thread.x;
  tile[i] = i;
  block.sync();
  y[i] = tile[63 - i];
}
// CHECK:      DW_TAG_subprogram
// CHECK:      DW_AT_name ("k")
// CHECK:      DW_AT_name ("tile")
// CHECK:      DW_AT_decl_line (9)
// CHECK-NEXT: DW_AT_address_class (0x08)
// CHECK:      DW_TAG_formal_parameter
// CHECK:      DW_AT_name ("y")
// CHECK:      DW_TAG_lexical_block
// CHECK:      DW_AT_name ("i")
// CHECK:      DW_AT_name ("out u32[]")
