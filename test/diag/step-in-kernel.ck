// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
// A step of the library that launches kernels, where threads would execute it.
algorithm a(n: u64, y: out u32[n]) {
    fill(y, 3);
    y[0] = 7;
}
// CHECK: [[@LINE-3]]:5: error: 'fill' is not declared [undeclared]
// CHECK: hint: It launches kernels, so the host has to execute the algorithm: what threads execute in it, such as an assignment or a 'while', belongs into a function that is launched.
kernel k(n: u64, y: out u32[n]) launch(block = 32, grid = 1) {
    generate(y, |i| u32(i));
    fil(y, 3);
    exclusive_sum(y, y);
}
// CHECK: [[@LINE-4]]:5: error: 'generate' is not declared [undeclared]
// CHECK: hint: It launches kernels: an algorithm calls it.
// CHECK: [[@LINE-5]]:5: error: 'fil' is not declared [undeclared]
// CHECK: hint: An algorithm scans by exclusive_scan(x, y, +, 0), a block by block.exclusive_scan(v, +).
algorithm b(n: u64, y: out u32[n]) {
    fill(y, 3);
    launch k(n, y);
    k(n, y);
}
// CHECK: [[@LINE-2]]:5: error: 'k' is a kernel: it is launched, not called [kernel_called]
// CHECK: hint: In an algorithm: launch k(...);
