// A cubin's manifest says what its kernels take of the machine; --time prints it.
// REQUIRES: nvvm, nvjitlink
// RUN: %ckc %s --target=sm_90 -o %t --time 2>&1 | FileCheck %s --check-prefix=TIME
// RUN: %python %S/Inputs/validate.py %top/docs/manifest.schema.json %t
// RUN: FileCheck %s < %t
// RUN: %ckc %s --target=sm_80,sm_90 --emit=fatbin -o %t.fatbin --time 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: %python %S/Inputs/validate.py %top/docs/manifest.schema.json %t.fatbin
kernel table(n: u64, x: inout f32[n]) launch(block = 256, grid = 1)
{
  var v: f32[64];
  shared t: f32[300];
  for (i in 0..64) v[i] = x[i];
  t[thread.x] = v[u32(x[3])];
  block.sync();
  for (i in 0..64) x[(i * 17) % 64] = v[(i * 5 + i32(n)) % 64] + t[i];
}
kernel tiny<const N: u32 = 3>() {}
// TIME: kernel target registers shared local spilled
// TIME: {{^}}table sm_90 {{[1-9][0-9]*}} 1200 256 0{{$}}
// TIME: {{^}}tiny<3> sm_90 {{[1-9][0-9]*}} 0 0 0{{$}}
// CHECK: "resources": {"registers": {{[1-9][0-9]*}}, "barriers": 1, "shared_bytes": 1200, "local_bytes": 256, "spill_store_bytes": 0, "spill_load_bytes": 0}
// CHECK: "arguments": [{"name": "N", "value": "3"}]
// BOTH: {{^}}table sm_80
// BOTH: {{^}}table sm_90
