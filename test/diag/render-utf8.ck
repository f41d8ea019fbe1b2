// A character that is not ASCII is one column wide; tabs stay tabs.
// RUN: split-file %s %t
// RUN: cd %t
// RUN: not %ckc in.ck --stop-after=check 2>&1 | FileCheck %s --strict-whitespace --match-full-lines
//--- in.ck
fn f() { /* é */
	let é = 1; }
//--- expect
// CHECK:in.ck:2:6: error: 'é' has no place in a program [stray_character]
// CHECK-NEXT:	let é = 1; }
// CHECK-NEXT:	    ^
// CHECK-NOT:error:
