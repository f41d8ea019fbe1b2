// What a named algorithm can't take is an error that says what can.
// RUN: not %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t 2>&1 | FileCheck %s
struct P { a: u32; b: u32; }
struct Q { a: u32; b: u32; c: u32; }
fn first(p: P, q: P) -> P = p;
kernel of_struct(y: out u32[1]) launch(block = 64, grid = 1) { y[0] = block.reduce<warp_reductions_nondeterministic>(P(1, 2), first).a; }
// CHECK: [[@LINE-1]]:71: error: static_assert failed: warp_reductions_nondeterministic takes numbers: raking takes any type
kernel by_function(y: out u32[1]) launch(block = 64, grid = 1) { y[0] = block.reduce<warp_reductions_nondeterministic>(1u32, |a, b| a); }
// CHECK: [[@LINE-1]]:73: error: static_assert failed: warp_reductions_nondeterministic takes + min max & | or ^: warp_reductions takes any function
kernel rank_word(y: out u32[1]) launch(block = 64, grid = 1) { y[0] = block.radix_rank<4, raking>([0u32])[0]; }
// CHECK: [[@LINE-1]]:71: error: static_assert failed: a rank takes match, match_early_counts_any, basic or memoize
kernel rank_bits(y: out u32[1]) launch(block = 64, grid = 1) { y[0] = block.radix_rank<9>([0u32])[0]; }
// CHECK: [[@LINE-1]]:71: error: static_assert failed: a rank goes by digits of 1 to 8 bits
kernel scan_word(y: out u32[1]) launch(block = 64, grid = 1) { y[0] = block.radix_rank<4>([0u32], scan = striped)[0]; }
// CHECK: [[@LINE-1]]:71: error: static_assert failed: a scan takes raking, raking_memoize or warp_scans
kernel sort_word(y: out u32[1]) launch(block = 64, grid = 1) { y[0] = block.radix_sort<blocked, sort>([0u32])[0]; }
// CHECK: [[@LINE-1]]:71: error: static_assert failed: a rank takes match, match_early_counts_any, basic or memoize
kernel three(y: out u32[1]) launch(block = 64, grid = 1) { y[0] = warp.exchange<blocked_to_striped>([1u32, 2, 3], shuffle = true)[0]; }
// CHECK: [[@LINE-1]]:67: error: static_assert failed: an exchange by shuffle takes a power of two of items, at most as many as lanes: leave out `shuffle`
kernel how(y: out u32[1]) launch(block = 64, grid = 1) { y[0] = warp.exchange<striped>([1u32, 2], shuffle = true)[0]; }
// CHECK: [[@LINE-1]]:65: error: static_assert failed: an exchange by shuffle is blocked_to_striped or striped_to_blocked
kernel batch(y: out u32[1]) launch(block = 64, grid = 1) { y[0] = warp.reduce_batched<transpose>([1u32, 2], +)[0]; }
// CHECK: [[@LINE-1]]:67: error: static_assert failed: reduce_batched leaves its results blocked or striped
kernel odd(x: in Q[64]) launch(block = 64, grid = 1) { shared t: Q[64]; shared b: barrier; block.memcpy_async(t, x, 0, 64, address(b)); }
// CHECK: [[@LINE-1]]:92: error: static_assert failed: elements of 1, 2, 4, 8 or 16 bytes are copied asynchronously
kernel top(y: out u32[1]) launch(block = 64, grid = 1) { y[0] = warp.tile<4>.top_k([1u32, 2], 9)[0]; }
// CHECK: [[@LINE-1]]:65: error: static_assert failed: top_k takes K from 1 to the number of keys, N a lane
kernel no_key(y: out u32[1]) launch(block = 64, grid = 1) { y[0] = warp.top_k([P(1, 2)], 1)[0].a; }
// CHECK: [[@LINE-1]]:68: error: static_assert failed: top_k goes by integers and floats
kernel where(y: out u32[1]) launch(block = 64, grid = 1) { y[0] = warp.compact<transpose>([1u32], [true])[1]; }
// CHECK: [[@LINE-1]]:67: error: static_assert failed: compact leaves its result blocked or striped
