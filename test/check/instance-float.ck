// Constant arguments that differ in their last digit are two instances.
// RUN: %ckc %s --emit=manifest | FileCheck %s
kernel k<const X: f32>(y: out f32[1]) { y[0] = X; }
export k<0.12345671>, k<0.12345678>;
// CHECK:      "name": "k<0.123456709>"
// CHECK:      "name": "k<0.123456784>"
