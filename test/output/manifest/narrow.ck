// The manifest says which type has to have which number where a step stores counts.
// RUN: %ckc %s --emit=manifest --target=sm_90 > %t
// RUN: FileCheck %s < %t
// RUN: %python %S/Inputs/validate.py %top/docs/manifest.schema.json %t
algorithm runs(n: u64, x: in u8[n], y: out u8[n], len: out u16[n]) -> u64 = run_length_encode(x, y, len);
algorithm wide(n: u64, x: in u8[n], y: out u8[n], len: out i64[n]) -> u64 = run_length_encode(x, y, len);
// CHECK:      "name": "runs"
// CHECK:      "needs": [
// CHECK-NEXT: {"what": "'lengths' of 'run_length_encode(x, y, len)' in line 5", "type": "u16", "needs": "n"}
// CHECK:      "name": "wide"
// CHECK-NOT:  "type": "i64", "needs"
