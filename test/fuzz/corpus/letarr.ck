fn f(a: inout i32[]) { a[0] = 1; }
kernel k(y: inout i32[1]) { let a: i32[4] = y[0] > 1 ? g() : g(); f(a); y[0] = a[0]; }
fn g() -> i32[4] { var b: i32[4]; return b; }
