// An algorithm returns what it says that it returns.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
algorithm a(n: u32) = n;
// CHECK: [[@LINE-1]]:23: error: 'a' returns nothing [return_value]
// CHECK: hint: Write the type of the result: algorithm a(...) -> T.
algorithm b(n: u32) -> u32 { if (n > 1) return 1; }
// CHECK: [[@LINE-1]]:11: error: 'b' can end without returning 'u32' [missing_return]
algorithm c(n: u32) -> u32 { return; }
// CHECK: [[@LINE-1]]:30: error: 'c' returns 'u32', no value is given [return_missing]
algorithm d(result: u32) -> u32 = result;
// CHECK: [[@LINE-1]]:29: error: 'result' is declared twice [redeclared]
