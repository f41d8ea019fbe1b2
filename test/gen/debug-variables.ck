// -g describes parameters, variables in their blocks, spans as structs, arrays; nothing is optimised.
// RUN: %ckc %s --emit=llvm --target=host -g --stop-after=gen | FileCheck %s
kernel k(n: u64, x: in f32[n], y: out f32[n])
{
  let i = grid.thread_rank;
  if (i < n) {
    var v: i16[4];
    v[0] = 1;
    y[i] = x[i] + f32(v[0]);
  }
}
// CHECK:     #dbg_declare(ptr %n{{[0-9]*}}, ![[N:[0-9]+]],
// CHECK:     #dbg_declare(ptr %x{{[0-9]*}}, ![[X:[0-9]+]],
// CHECK:     #dbg_declare(ptr %i{{[0-9]*}}, ![[I:[0-9]+]],
// CHECK:     #dbg_declare(ptr %v{{[0-9]*}}, ![[V:[0-9]+]],
// CHECK:     emissionKind: FullDebug
// CHECK-DAG: ![[N]] = !DILocalVariable(name: "n", arg: 1, {{.*}}line: 3, type: ![[U64:[0-9]+]]
// CHECK-DAG: ![[U64]] = !DIBasicType(name: "u64", size: 64, encoding: DW_ATE_unsigned)
// CHECK-DAG: ![[X]] = !DILocalVariable(name: "x", arg: 2, {{.*}}type: ![[SPAN:[0-9]+]]
// CHECK-DAG: ![[SPAN]] = !DICompositeType(tag: DW_TAG_structure_type, name: "in f32[]", {{.*}}size: 128
// CHECK-DAG: ![[I]] = !DILocalVariable(name: "i", scope: ![[BODY:[0-9]+]], {{.*}}line: 5, type: ![[U64]]
// CHECK-DAG: ![[V]] = !DILocalVariable(name: "v", scope: ![[THEN:[0-9]+]], {{.*}}line: 7, type: ![[ARRAY:[0-9]+]]
// CHECK-DAG: ![[THEN]] = distinct !DILexicalBlock(scope: ![[BODY]], {{.*}}line: 6
// CHECK-DAG: ![[ARRAY]] = !DICompositeType(tag: DW_TAG_array_type, {{.*}}size: 64
