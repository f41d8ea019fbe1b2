// A call that fits no form of a function says its arguments by name, and each form with its constants.
// RUN: not %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t 2>&1 | FileCheck %s
kernel prefix(y: out u32[1]) launch(block = 32, grid = 1) { y[0] = block.exclusive_scan(1u32, +, prefix = 5u32); }
// CHECK: [[@LINE-1]]:68: error: no 'exclusive_scan' takes (u32, +, prefix = u32)
// CHECK: note: candidate: block.exclusive_scan(v: T, f: F, prefix: P)
kernel valid(y: out u32[1]) launch(block = 32, grid = 1) { y[0] = block.inclusive_scan(1u32, +, valid = 3); }
// CHECK: [[@LINE-1]]:67: error: no 'inclusive_scan' takes (u32, +, valid = an integer)
// CHECK: note: candidate: block.inclusive_scan(v: T, f: F, init: T)
kernel items(n: u32, x: in u32[9], y: out u32[1]) launch(block = 32, grid = 1) { y[0] = block.load(x, 0, n)[0]; }
// CHECK: [[@LINE-1]]:89: error: no 'load' takes (in u32[], an integer, u32)
// CHECK: note: candidate: block.load(it: I, base: J, const items: u32)
kernel count(n: u32, y: out u32[1]) launch(block = 32, grid = 1) { y[0] = block.top_k([1u32], n)[0]; }
// CHECK: [[@LINE-1]]:75: error: no 'top_k' takes (u32[1], u32)
// CHECK: note: candidate: block.top_k(keys: K[N], values: V[N], const count: u32, descending: bool, valid: u32)
kernel value(y: out u32[1]) launch(block = 32, grid = 1) { y[0] = block.radix_sort(thread.rank); }
// CHECK: [[@LINE-1]]:67: error: no 'radix_sort' takes (u32)
// CHECK: note: candidate: block.radix_sort(keys: K[N], descending: bool, const bits: u32, const scan: u32)
// CHECK-NOT: hint
