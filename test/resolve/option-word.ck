// A word of an option that is none: the nearest, or all of them.
// RUN: not %ckc %s --stop-after=check > %t 2>&1
// RUN: FileCheck %s < %t
kernel k(x: inout u32[4], f: in f32[4]) {
    atomic.add(x[0], 1, order = relaxd);
    // CHECK: [[@LINE-1]]:33: error: 'relaxd' is not declared [undeclared]
    // CHECK: hint: Did you mean 'relaxed'?
    atomic.add(x[0], 1, scope = gpu);
    // CHECK: error: 'gpu' is not declared [undeclared]
    // CHECK: hint: 'scope' is one of: block cluster device system.
    x[1] = u32(f[0], round = nearst);
    // CHECK: hint: Did you mean 'nearest'?
    store(x[2], 3, cache = streeming);
    // CHECK: hint: Did you mean 'streaming'?
}
