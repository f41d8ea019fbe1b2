// Instances that grow without end, or branch, are an error soon: of types twice as long each, of two
// others each, of a lambda that is given itself.
// RUN: split-file %s %t
// RUN: not %ckc %t/longer.ck --target=host --stop-after=check 2>&1 | FileCheck %s --check-prefix=LONGER
// RUN: not %ckc %t/pointer.ck --target=host --stop-after=check 2>&1 | FileCheck %s --check-prefix=LONGER
// RUN: not %ckc %t/branch.ck --target=host --stop-after=check 2>&1 | FileCheck %s --check-prefix=BRANCH
// RUN: not %ckc %t/wide.ck --target=host --stop-after=check 2>&1 | FileCheck %s --check-prefix=BRANCH
// RUN: not %ckc %t/self.ck --target=host --stop-after=check 2>&1 | FileCheck %s --check-prefix=SELF
//--- longer.ck
fn f<T: type>(x: T) -> i32 = f((x, x));
kernel k(y: out i32[1]) { y[0] = f(1); }
// LONGER: error: 'f' instantiates itself without end [instance_depth]
//--- pointer.ck
fn f<T: type>(x: ptr<T>) -> i32 { return f(ptr<(T, T)>(0)); }
kernel k(y: out i32[1]) { y[0] = f(ptr<i32>(0)); }
//--- branch.ck
fn f<const N: u32>() -> u32 = f<N + 1>() + f<N * 2 + 1>();
kernel k(y: out u32[1]) { y[0] = f<1>(); }
// BRANCH: error: 'f' instantiates itself without end [instance_depth]
// BRANCH-NOT: error:
//--- wide.ck
fn f<const D: u32, const N: u32>() -> u32
{
    comptime if (D == 0) return N; else return f<D - 1, N * 2>() + f<D - 1, N * 2 + 1>();
}
kernel k(y: out u32[1]) { y[0] = f<30, 0>(); }
//--- self.ck
kernel k(o: out i32[1]) { let w = |x| x(x); o[0] = w(w); }
// SELF: error: '|x| x(x)' calls itself before the type of its result is known [recursion]
// SELF-NEXT: kernel k
// SELF: hint: Write a function with the type of its result: fn f(...) -> T.
// SELF-NOT: error:
