// A lambda's statements change no captured variable, return one type, and have loops of their own.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(n: u32) {
    var c = 0;
    let a = |x| { c = x; };
    a(3);
    let b = |x| { if (x > 1) return; return x; };
    b(3);
    let d = |x| { if (x > 1) return x; };
    d(2);
    for (i in 0..3) { let h = |x| { break; }; }
}
// CHECK: :19: error: this can't be assigned to [not_assignable]
// CHECK: hint: A lambda holds a copy of 'c': return the new value, or write to memory.
// CHECK: error: 'lambda' returns nothing [return_value]
// CHECK: hint: A 'return;' in front of it says that the lambda returns nothing.
// CHECK: error: 'lambda' can end without returning 'i32' [missing_return]
// CHECK: :37: error: 'break' stands outside a loop [outside_loop]
