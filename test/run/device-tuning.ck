// Values of the library's tuning parameters other than the default give the same results.
// RUN: %run-test %s
algorithm sum(n: u64, x: in f32[n]) -> f32 = reduce(x, +, 0.0);
algorithm largest(n: u64, x: in u32[n], y: out u32[n]) { inclusive_scan(x, y, max); }
algorithm twice(n: u64, x: in f32[n], y: out f32[n]) { transform(x, y, |v| 2 * v); }
algorithm small(n: u64, m: u64, x: in u32[n], y: out u32[m]) -> u64 = select(x, |v| v < 100000, y);
algorithm parts(n: u64, m: u64, x: in u32[n], y: out u32[m], z: out u32[n]) -> u64 = partition(x, |v| v < 100000, y, z);
algorithm runs(n: u64, x: in u32[n], y: out u32[n], z: out u32[n]) -> u64 = run_length_encode(x.map(|v| v / 3), y, z, |a, b| a == b);
algorithm keys(n: u64, x: in u32[n], v: in f32[n], y: out u32[n], z: out f32[n]) -> u64 = reduce_by_key(x.map(|v| v / 3), v, +, y, z);
// FOR: rows in 3, 8
// SET: __REDUCE_ROWS_4 = rows
// CALL: sum(x=ones:300001)
// EXPECT: result = 300001
// FOR: block in 256, 384
// SET: __SCAN_BLOCK_4 = block
// SET: __SCAN_ROWS_4 = 5
// CALL: largest(x=iota:300001, y=zeros:300001)
// EXPECT: y = x
// FOR: bytes in 16, 128
// SET: __TRANSFORM_BYTES = bytes
// CALL: twice(x=iota:2000001, y=zeros:2000001)
// EXPECT: y = 2 * x
// FOR: bytes in 16, 48
// SET: __SELECT_BYTES_4 = bytes
// SET: __SELECT_BLOCK_4 = 384
// CALL: small(x=iota:300001, y=zeros:100000)
// EXPECT: y = iota:100000
// FOR: bytes in 16, 48
// SET: __PARTITION_BYTES_4 = bytes
// CALL: parts(x=iota:300001, y=zeros:100000, z=zeros:300001)
// EXPECT: y = iota:100000
// FOR: bytes in 16, 48
// SET: __RUN_BYTES_4 = bytes
// SET: __RUN_BLOCK_4 = 512
// CALL: runs(x=iota:300000, y=zeros:300000, z=zeros:300000)
// EXPECT: result = 100000
// FOR: bytes in 16, 48
// SET: __KEY_BYTES_8 = bytes
// CALL: keys(x=iota:300000, v=ones:300000, y=zeros:300000, z=zeros:300000)
// EXPECT: result = 100000
