// Nobody's kernels are compiled without an export.
// RUN: %ckc %s --emit=manifest --target=host | FileCheck %s
import "Inputs/sub/a.ck";
// CHECK: "kernels": []
