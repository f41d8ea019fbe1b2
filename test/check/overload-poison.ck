// A compile-time argument that is wrong is all that is said of a call.
// RUN: not %ckc %s --stop-after=check > %t 2>&1
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=ONE < %t
kernel k(f: in f32[4]) launch(block = 64) {
    let r = block.reduce<rakin>(f[0], +);
    // CHECK: error: 'rakin' is not declared [undeclared]
    // CHECK: hint: Did you mean 'raking'?
    // ONE-NOT: no_overload
    let z = block.load<transpose>(f, 0.5, 4);
    // ONE: error: no 'load' takes
    // ONE: candidate: block.load(it: I, base: J, const items: u32)
    // ONE: candidate: block.load(it: I, base: J, const items: u32, default: T)
    // ONE-NOT: candidate: load(
}
