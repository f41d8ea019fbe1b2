// RUN: %run-test %s
// Values, flags, levels and offsets that are too short for the keys are refused before anything runs.
algorithm flagged(n: u64, m: u64, x: in i32[n], v: in u8[m], y: inout i32[n]) -> u64 = select_flagged(x, v, y);
algorithm firsts(n: u64, m: u64, x: in i32[n], v: in i32[m], y: inout i32[n], w: inout i32[n]) -> u64 = unique_by_key(x, v, y, w);
algorithm totals(n: u64, m: u64, x: in i32[n], v: in i32[m], y: inout i32[n], w: inout i32[n]) -> u64 = reduce_by_key(x, v, +, y, w);
algorithm running(n: u64, m: u64, x: in i32[n], v: in i32[m], y: inout i32[n]) { inclusive_scan_by_key(x, v, y, +); }
algorithm merged(n: u64, m: u64, x: in i32[n], y: inout i32[m]) { merge_sort(x, y, <); }
algorithm pairs(n: u64, m: u64, x: inout i32[n], v: inout i32[m]) { radix_sort(x, v); }
algorithm steps(n: u64, m: u64, x: in i32[n], y: inout i32[m]) { adjacent_difference(x, y, -); }
algorithm bins(n: u64, m: u64, x: in i32[n], v: in i32[m], y: inout i32[n]) { histogram_range(x, y, v); }
algorithm sums(n: u64, m: u64, x: in i32[n], v: in i32[n], y: inout i32[m]) { segmented_reduce(x, v, y, +, 0); }
algorithm best(n: u64, m: u64, x: in i32[n], v: in i32[m], y: inout i32[n], w: inout i32[n]) { top_k(x, v, y, w); }
// CALL: flagged(x=iota:10, v=ones:9, y=zeros:10)
// EXPECT-ERROR: 'flags' of 'select_flagged(x, v, y)' in line 3 has 9 elements, but needs 10
// CALL: firsts(x=iota:10, v=iota:9, y=zeros:10, w=zeros:10)
// EXPECT-ERROR: 'values' of 'unique_by_key(x, v, y, w)' in line 4 has 9 elements, but needs 10
// CALL: totals(x=iota:10, v=iota:9, y=zeros:10, w=zeros:10)
// EXPECT-ERROR: 'values' of 'reduce_by_key(x, v, +, y, w)' in line 5 has 9 elements, but needs 10
// CALL: running(x=iota:10, v=iota:9, y=zeros:10)
// EXPECT-ERROR: 'values' of 'inclusive_scan_by_key(x, v, y, +)' in line 6 has 9 elements, but needs 10
// CALL: merged(x=iota:10, y=zeros:9)
// EXPECT-ERROR: 'to' of 'merge_sort(x, y, <)' in line 7 has 9 elements, but needs 10
// CALL: pairs(x=iota:10, v=iota:9)
// EXPECT-ERROR: 'values' of 'radix_sort(x, v)' in line 8 has 9 elements, but needs 10
// CALL: steps(x=iota:10, y=zeros:9)
// EXPECT-ERROR: 'to' of 'adjacent_difference(x, y, -)' in line 9 has 9 elements, but needs 10
// CALL: bins(x=iota:10, v=iota:10, y=zeros:10)
// EXPECT-ERROR: 'levels' of 'histogram_range(x, y, v)' in line 10 has 10 elements, but needs 11
// CALL: sums(x=iota:10, v=iota:10, y=zeros:8)
// EXPECT-ERROR: 'to' of 'segmented_reduce(x, v, y, +, 0)' in line 11 has 8 elements, but needs 9
// CALL: sums(n=0, x=[], v=[], y=zeros:8)
// EXPECT-ERROR: 'offsets' of 'segmented_reduce(x, v, y, +, 0)' in line 11 has 0 elements, but needs 1
// CALL: best(x=iota:10, v=iota:9, y=zeros:10, w=zeros:10)
// EXPECT-ERROR: 'values' of 'top_k(x, v, y, w)' in line 12 has 9 elements, but needs 10
