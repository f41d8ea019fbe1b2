// A header launches an algorithm as it does a kernel; the result is the address of one element.
// RUN: %ckc %s --emit=header --target=host | FileCheck %s
algorithm sum(n: u64, x: in f32[n], y: out f32[n]) -> f32 { let k = select(x, |v| v > 0, y); return reduce(y.take(k), +, 0.0); }
// CHECK: /* sum, header-algorithm.ck:3. config may be NULL: the launch is the kernel's. */
// CHECK: ck_status_t sum_launch(ck_stream_t *stream, const ck_launch_config_t *config,
// CHECK-NEXT: uint64_t n,
// CHECK-NEXT: const float *x,
// CHECK-NEXT: float *y,
// CHECK-NEXT: float *result);
