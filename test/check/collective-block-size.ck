// More items than a named algorithm counts is an error that names the one which takes them.
// RUN: not %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t 2>&1 | FileCheck %s
kernel many(y: out u32[1]) launch(block = 1024, grid = 1) { var d: u32[64]; y[0] = block.radix_rank<1, basic>(d)[0]; }
// CHECK: [[@LINE-1]]:84: error: static_assert failed: basic and memoize rank fewer than 65536 items of a block, 256 of a thread: match takes more
