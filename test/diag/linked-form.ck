// What a link knows by its name alone is given nothing that is not written.
// RUN: not %ckc %s --stop-after=check --target=sm_90 2>&1 | FileCheck %s
// RUN: not %ckc %S/Inputs/linked-twice.ck --emit=ptx --target=sm_90 2>&1 | FileCheck %s --check-prefix=TWICE
export fn generic<T: float>(x: T) -> T { return x; }
import fn counted(const n: u32);
export fn block.method() -> u32 { return 1; }
export fn block.size2 -> u32 { return 1; }
struct S { a: i32; }
export fn +(a: S, b: S) -> S { return a; }
export fn waits() { block.sync(); }
export fn sized() -> u32 { return block.size; }
export fn keeps(i: u32) -> u32 { shared s: u32[4]; s[i % 4] = i; return s[0]; }
kernel k(x: inout u32[1]) launch(block = 32, grid = 1) { x[0] = keeps(sized()); }
// CHECK: :4:11: error: 'generic' can't be linked: it has compile-time parameters [linked_form]
// CHECK: error: 'counted' can't be linked: it has compile-time parameters
// CHECK: error: 'method' can't be linked: it is a method
// CHECK: error: 'size2' can't be linked: it is a method
// CHECK: error: '+' can't be linked: it is an operator
// CHECK: error: 'waits' can't be linked: it waits for other threads
// CHECK: error: 'sized' can't be linked: it asks for the block's size
// CHECK: error: 'keeps' can't be linked: it has shared memory
// CHECK-NOT: error:
// TWICE: error: 'same' and 'same' come to the same symbol [symbol_clash]
