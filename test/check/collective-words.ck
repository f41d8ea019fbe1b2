// A word that is another function's is an error that names those which are taken.
// RUN: not %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t 2>&1 | FileCheck %s
kernel reduce(y: out u32[1]) launch(block = 32, grid = 1) { y[0] = block.reduce<warp_scans>(1u32, +); }
// CHECK: [[@LINE-1]]:68: error: static_assert failed: a reduction takes warp_reductions, raking, raking_commutative_only or warp_reductions_nondeterministic
kernel scan(y: out u32[1]) launch(block = 32, grid = 1) { y[0] = block.exclusive_scan<warp_reductions>(1u32, +); }
// CHECK: [[@LINE-1]]:66: error: static_assert failed: a scan takes raking, raking_memoize or warp_scans
kernel load(x: in u32[32], y: out u32[1]) launch(block = 32, grid = 1) { y[0] = block.load<raking>(x, 0, 1)[0]; }
// CHECK: [[@LINE-1]]:81: error: static_assert failed: a load is blocked, striped, warp_striped, vectorized, transpose
kernel store(y: out u32[32]) launch(block = 32, grid = 1) { block.store<scatter_to_striped>(y, 0, [1u32]); }
// CHECK: [[@LINE-1]]:61: error: static_assert failed: a store is blocked, striped, warp_striped, vectorized, transpose
kernel exchange(y: out u32[1]) launch(block = 32, grid = 1) { y[0] = block.exchange<striped>([1u32, 2])[0]; }
// CHECK: [[@LINE-1]]:70: error: static_assert failed: say what goes where: block.exchange<blocked_to_striped>(items)
kernel no_word(y: out u32[1]) launch(block = 32, grid = 1) { y[0] = block.exchange([1u32, 2])[0]; }
// CHECK: [[@LINE-1]]:69: error: static_assert failed: say what goes where: block.exchange<blocked_to_striped>(items)
kernel compact(y: out u32[1]) launch(block = 32, grid = 1) { y[0] = block.compact<transpose>([1u32], [true])[0][0]; }
// CHECK: [[@LINE-1]]:69: error: static_assert failed: compact leaves its result blocked or striped
kernel sort_to(y: out u32[1]) launch(block = 32, grid = 1) { y[0] = block.radix_sort<vectorized>([1u32])[0]; }
// CHECK: [[@LINE-1]]:69: error: static_assert failed: a sort leaves its result blocked or striped
kernel histogram(y: inout u32[9]) launch(block = 32, grid = 1) { block.histogram<striped>([1u32], y); }
// CHECK: [[@LINE-1]]:66: error: static_assert failed: a histogram takes sort, or no word
kernel lanes(x: in u32[32], y: out u32[1]) launch(block = 32, grid = 1) { y[0] = warp.load<warp_striped>(x, 0, 1)[0]; }
// CHECK: [[@LINE-1]]:82: error: static_assert failed: a warp's load is blocked, striped, vectorized or transpose
kernel tiles(y: out u32[1]) launch(block = 32, grid = 1) { y[0] = warp.tile<8>.exchange<blocked_to_warp_striped>([1u32])[0]; }
// CHECK: [[@LINE-1]]:67: error: static_assert failed: a warp's exchange is blocked_to_striped, striped_to_blocked or takes
