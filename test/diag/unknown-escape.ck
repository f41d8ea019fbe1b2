// An escape that means nothing is named, and the hint lists the others.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k() { print("a\qb"); }
// CHECK: error: '\q' is not an escape sequence [unknown_escape]
// CHECK: hint: The escapes are \n \r \t \0 \\ \" \' and \x with two digits.
