// Two kernels do not share a symbol, nor does one take the name of what it may call.
// RUN: not %ckc %s --stop-after=gen 2>&1 | FileCheck %s
kernel k<const A: u32 = 1>() {}
kernel k_1() {}
export k<1>;
// CHECK: error: 'k{{(<1>|_1)}}' and 'k{{(<1>|_1)}}' come to the same symbol [symbol_clash]
