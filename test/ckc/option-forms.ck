// A value may follow its option in the same word or in the next; the last one counts.
// REQUIRES: ckc
// RUN: %ckc %s --emit=manifest --target=host | FileCheck %s
// RUN: %ckc --emit manifest --target sm_90 --target host -- %s | FileCheck %s
// RUN: %ckc %s --emit=manifest --target=host -DWIDTH=64 | FileCheck --check-prefix=DEFINED %s
// RUN: %ckc %s --emit=manifest --target=host -D WIDTH=64 | FileCheck --check-prefix=DEFINED %s
// CHECK: "target": "host"
// CHECK: "block": ["32"]
// DEFINED: "block": ["64"]
const WIDTH: u32 = 32;
kernel k() launch(block = WIDTH, grid = 1) {}
