// What a block's functions don't take is an error that names the way out.
// RUN: not %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t 2>&1 | FileCheck %s
struct Item { a: u32; p: ptr<u32>; }
kernel no_field(y: out u32[1]) launch(block = 32, grid = 1) { y[0] = block.radix_sort([Item(1, ptr<u32>(0))])[0].a; }
// CHECK: [[@LINE-1]]:70: error: static_assert failed: radix_sort goes by integers, floats and bools: by = |item| (item.a, item.b) says
kernel no_key(y: out u32[1]) launch(block = 32, grid = 1) { y[0] = block.radix_sort([Item(1, ptr<u32>(0))], |s| (s.a, s.p))[0].a; }
// CHECK: [[@LINE-1]]:68: error: static_assert failed: radix_sort goes by integers, floats and bools: let `by` give
kernel too_many(y: out u32[1]) launch(block = 32, grid = 1) { y[0] = block.top_k([thread.rank], 33)[0]; }
// CHECK: [[@LINE-1]]:70: error: static_assert failed: top_k takes K from 1 to the number of keys
kernel no_number(y: out u32[1]) launch(block = 32, grid = 1) { y[0] = block.top_k([Item(1, ptr<u32>(0))], 3)[0].a; }
// CHECK: [[@LINE-1]]:71: error: static_assert failed: top_k goes by integers and floats: take those of the items as keys
kernel no_method(y: inout u32[32]) launch(block = 32, grid = 1) { block.histogram<raking>([thread.rank], y); }
// CHECK: [[@LINE-1]]:67: error: static_assert failed: a histogram takes sort, or no word
kernel no_ranks(y: out u32[1]) launch(block = 32, grid = 1) { y[0] = block.exchange<scatter_to_striped>([1u32, 2])[0]; }
// CHECK: [[@LINE-1]]:70: error: static_assert failed: this exchange takes the items' ranks too
kernel ranks(y: out u32[1]) launch(block = 32, grid = 1) { y[0] = block.exchange<blocked_to_striped>([1u32, 2], [3u32, 4])[0]; }
// CHECK: [[@LINE-1]]:67: error: static_assert failed: ranks are for scatter_to_blocked and scatter_to_striped
kernel wide(y: out u32[1]) launch(block = 32, grid = 1) { y[0] = block.radix_rank_prefix<9>([thread.rank])[0][0]; }
// CHECK: [[@LINE-1]]:66: error: static_assert failed: a rank goes by digits of 1 to 8 bits
kernel no_scan(y: out u32[1]) launch(block = 32, grid = 1) { y[0] = block.segmented_inclusive_scan<raking_commutative_only>(1u32, true, +); }
// CHECK: [[@LINE-1]]:69: error: static_assert failed: a scan takes raking, raking_memoize or warp_scans
