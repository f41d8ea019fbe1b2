// What could stand at a place is listed, if it is little.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
const A 1;
kernel k( { }
// CHECK: error: expected ':' or '=' before an integer [expected]
// CHECK: error: expected 'const', ')' or a name before '{' [expected]
