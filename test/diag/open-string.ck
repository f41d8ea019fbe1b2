// A text ends on its line.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k() { print("abc); }
// CHECK: error: the string that starts here does not end on its line [open_string]
