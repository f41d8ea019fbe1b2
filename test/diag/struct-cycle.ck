// A struct that is one of its own fields, through another one too.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
struct A { a: A; }
struct B { c: C; }
struct C { b: B[2]; }
// CHECK: error: 'A' has itself as a field [struct_cycle]
// CHECK: hint: A ptr<A> takes its place in another.
// CHECK: error: 'B' has itself as a field [struct_cycle]
