// Code for the host says which CPUs it is for; code for GPUs has nothing to say.
// RUN: %ckc %s --emit=manifest --target=host | FileCheck %s
// RUN: %ckc %s --emit=manifest --target=sm_90 | FileCheck %s --check-prefix=GPU
kernel k() launch(block = 1, grid = 1) {}
// CHECK: "backend": "host",
// CHECK-NEXT: "cpu": "x86-64{{(-v3)?}}",
// GPU-NOT: "cpu"
