// A text is no value: neither a struct's field, nor a function's, a lambda's or a conversion's argument takes one.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
struct Pair<A: type, B: type> { a: A; b: B; }
fn same<T: type>(v: T) -> T = v;

kernel named(x: in f32[4], y: out i32[1]) launch(block = 1, grid = 1)
{
    let p = Pair("width", 3);
    // CHECK: :[[@LINE-1]]:18: error: '"width"' is a text, a value is needed here [not_a_value]
    let f = |t| 1;
    y[0] = f("width");
    // CHECK: :[[@LINE-1]]:14: error: '"width"' is a text, a value is needed here [not_a_value]
    y[0] = same("width") + i32("7") + max("a", 2);
    // CHECK: :[[@LINE-1]]:17: error: '"width"' is a text
    // CHECK: :[[@LINE-2]]:32: error: '"7"' is a text
    // CHECK: :[[@LINE-3]]:43: error: '"a"' is a text
    let g = block.uniform("all");
    // CHECK: :[[@LINE-1]]:27: error: '"all"' is a text
    // CHECK-NOT: error:
}
