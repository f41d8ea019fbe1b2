// The end of the text in a block.
// RUN: not %ckc %s --emit=ast 2>&1 | FileCheck %s
fn f() { if (a) {
// CHECK:      error: unexpected the end of the file
