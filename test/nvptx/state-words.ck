// The tags of a state's two words are one comparison and one select, so that ptxas asks for both words
// before it waits for the first.
// RUN: %ckc %s --target=sm_90 --backend=nvptx --emit=ptx -o - | FileCheck %s
algorithm totals(n: u64, k: in i32[n], x: in i32[n], y: out i32[n], z: out i32[n]) -> u64 = reduce_by_key(k, x, +, y, z);
// CHECK-LABEL: .entry totals_1_key_tiles
// CHECK: ld.relaxed.gpu.b64
// CHECK: ld.relaxed.gpu.b64
// CHECK-NOT: setp
// CHECK: setp.{{lt|eq}}
// CHECK-NEXT: and.b32
// CHECK-NEXT: selp.b32
// CHECK-NOT: selp
// CHECK: vote.sync.ballot
