// A reduction in an order that no device changes takes functions that the library knows.
// RUN: not %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t 2>&1 | FileCheck %s
algorithm product(n: u64, x: in f32[n]) -> f32 = reduce(x, |a, b| a * b, 1.0, determinism = gpu_to_gpu);
// CHECK: [[@LINE-1]]:50: error: static_assert failed: determinism = gpu_to_gpu is for sums and other functions that the library knows
algorithm other(n: u64, x: in f32[n]) -> f32 = reduce(x, +, 1.0, determinism = striped);
// CHECK: [[@LINE-1]]:48: error: static_assert failed: determinism is run_to_run, gpu_to_gpu or not_guaranteed
