// A span to read is not taken for one to write; one that may be both fits both, and the first is called.
// RUN: %run-test %s
fn f<I: type>(it: I) -> u32 = 1;
fn f<T: number>(it: inout T[]) -> u32 = 3;
fn f<T: number>(it: in T[]) -> u32 = 2;
fn g<I: type>(it: I) -> u32 = f(it);
kernel k(x: in u32[], y: inout u32[]) { y[0] = f(x); y[1] = f(y); y[2] = g(x); y[3] = g(y); }
// CALL: k(x=[1,2,3,4], y=zeros:4) --block=1 --grid=1
// EXPECT: y = [2, 3, 2, 3]
