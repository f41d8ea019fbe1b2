// A cubin is made of one program: what another piece has is missing.
// RUN: not %ckc %s --emit=cubin --target=sm_90 -o %t 2>&1 | FileCheck %s
// RUN: not %ckc %s --emit=fatbin --target=sm_80,sm_90 -o %t 2>&1 | FileCheck %s
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t
import fn theirs(x: f32) -> f32;
kernel k(y: out f32[1]) { y[0] = theirs(1.0); }
// CHECK: :5:11: error: 'theirs' is another piece's of a link, and a cubin is made without one [import_unlinked]
// CHECK: hint: --emit=ltoir or --emit=ptx makes a piece for a linker (ck_linker_create).
