// tune declares a constant of the module; a value stands once, and is a number that is known.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
const NONE = tune();
// CHECK: error: 'tune' takes 1 to 64 arguments, 0 are given [argument_count]
const TWICE: u32 = tune(4, 8, 4);
// CHECK: error: the value 4 stands twice [tune_twice]
const PAIR = tune((1, 2), (3, 4));
// CHECK: error: 'tune' chooses among numbers, this is a '(i32, i32)' [tune_value]
const NAMED: u32 = tune(first = 1, 2);
// CHECK: error: 'tune' has no parameter 'first' [unknown_argument]
const MIXED: u32 = tune(4, -1);
// CHECK: error: {{.*}}-1
kernel k(n: u32, x: out u32[2])
{
    const LOCAL: u32 = tune(3, 4);
    // CHECK: error: 'tune' is not the value of a constant of the module here [tune_place]
    // CHECK: hint: Declare const ITEMS: u32 = tune(4, 8, 16); outside of functions.
    x[1] = tune(4, 8);
    // CHECK: error: 'tune' is not the value of a constant of the module here [tune_place]
}
