// A character that starts no token is named whole, as UTF-8.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
const é = 1;
// CHECK: [[@LINE-1]]:7: error: 'é' has no place in a program [stray_character]
