// Scans, selections and their kin read spans by vectors, by both back ends.
// RUN: %ckc %s --target=sm_90 --backend=nvptx --emit=ptx -o - | FileCheck %s
// RUN: %ckc %s --target=sm_90 --backend=libnvvm --emit=ptx -o - | FileCheck %s
// CHECK-LABEL: .entry running_3_scan_one
// CHECK-COUNT-8: ld.global.v4.
// CHECK-COUNT-8: st.global.v4.
algorithm running(n: u64, x: in f32[n], y: out f32[n]) { inclusive_scan(x, y, +); }
// CHECK-LABEL: .entry odd_4_split_tiles
// CHECK-COUNT-4: ld.global.v4.
// CHECK-NOT: ld.global.v2.
algorithm odd(n: u64, x: in i32[n], y: out i32[n]) -> u64 = select(x, |v| v & 1 == 1, y);
// CHECK-LABEL: .entry lengths_3_run_tiles
// CHECK-COUNT-4: ld.global.v4.
// CHECK-NOT: ld.global.v2.
algorithm lengths(n: u64, x: in i32[n], y: out i32[n], z: out i32[n]) -> u64 = run_length_encode(x, y, z);
// CHECK-LABEL: .entry totals_3_key_tiles
// CHECK-COUNT-4: ld.global.v4.
// CHECK-NOT: ld.global.v2.
algorithm totals(n: u64, k: in i32[n], x: in i32[n], y: out i32[n], z: out i32[n]) -> u64 = reduce_by_key(k, x, +, y, z);
