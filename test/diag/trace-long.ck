// Of a long chain of instances, both ends are shown.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f<const N: u32>(x: bool) -> bool { comptime if (N == 0) return -x; else return f<N - 1>(x); }
kernel k(p: bool, y: out bool[1]) { y[0] = f<20>(p); }
// CHECK:      3:68: error: '-' does not take 'bool' [bad_operand]
// CHECK:      note: in 'f<0>', instantiated here
// CHECK:      note: in 'f<1>', instantiated here
// CHECK:      note: in 'f<2>', instantiated here
// CHECK:      note: 15 more instances between these
// CHECK-NEXT: note: in 'f<18>', instantiated here
// CHECK:      note: in 'f<19>', instantiated here
// CHECK:      4:44: note: in 'f<20>', instantiated here
