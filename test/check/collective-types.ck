// What a collective can't do with a type, a function or a number of items says what is asked for.
// RUN: not %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t 2>&1 | FileCheck %s
struct P { a: u32; }
struct Large { v: f64[40]; }
kernel no_operator(y: out u32[1]) launch(block = 32, grid = 1) { y[0] = block.reduce(P(1), +).a; }
// CHECK: [[@LINE-1]]:92: error: '+' does not take 'P'
// CHECK: hint: A function can be the operator: fn +(...) -> ... { ... }
kernel one_operand(y: out u32[1]) launch(block = 32, grid = 1) { y[0] = block.reduce(1u32, |a| a); }
// CHECK: [[@LINE-1]]:73: error: '|a| a' takes 1 argument, 2 are given
kernel other_result(y: out f32[1]) launch(block = 32, grid = 1) { y[0] = block.inclusive_scan(1.0, |a, b| a < b); }
// CHECK: [[@LINE-1]]:74: error: cannot convert 'bool' to 'f32'
kernel no_order(y: out u32[1]) launch(block = 32, grid = 1) { y[0] = block.merge_sort([1u32], +)[0]; }
// CHECK: [[@LINE-1]]:70: error: static_assert failed: less(a, b) gives a bool, whether a stands before b
kernel no_order_either(y: out f32[1]) launch(block = 32, grid = 1) { y[0] = warp.bitonic_sort([1.0, 2], max)[0]; }
// CHECK: [[@LINE-1]]:77: error: static_assert failed: less(a, b) gives a bool, whether a stands before b
kernel three(y: out u32[1]) launch(block = 32, grid = 1) { y[0] = block.bitonic_sort([1u32, 2, 3], <)[0]; }
// CHECK: [[@LINE-1]]:67: error: static_assert failed: bitonic_sort takes a power of two of values a thread
kernel default_type(x: in P[32], y: out u32[1]) launch(block = 32, grid = 1) { y[0] = block.load(x, 0, 1, default = 1u32)[0].a; }
// CHECK: [[@LINE-1]]:87: error: cannot convert 'u32' to 'P'
kernel items_type(y: out u32[32]) launch(block = 32, grid = 1) { block.store(y, 0, [1.5]); }
// CHECK: [[@LINE-1]]:66: error: cannot convert 'f32' to 'u32'
kernel bins(y: inout u32[32]) launch(block = 32, grid = 1) { block.histogram([1.5], y); }
// CHECK: [[@LINE-1]]:62: error: 'T' is 'f32', which is not 'int'
kernel too_large(y: out f64[1]) launch(block = 32, grid = 1) { var v: Large; y[0] = warp.shuffle(v, 0).v[0]; }
// CHECK: [[@LINE-1]]:85: error: static_assert failed: a shuffle takes at most 256 bytes
kernel batch(y: out u32[1]) launch(block = 32, grid = 1) { y[0] = warp.tile<2>.reduce_batched([1u32, 2, 3], +); }
// CHECK: [[@LINE-1]]:67: error: static_assert failed: reduce_batched takes at most as many items as there are lanes
