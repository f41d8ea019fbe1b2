// RUN: %run-test %s
// A launch is refused before anything runs if a count or a place may be a number that its elements don't have.
algorithm runs(n: u64, x: in u8[n], y: out u8[n], len: out u8[n]) -> u64 = run_length_encode(x, y, len);
algorithm pairs(n: u64, x: in u8[n], at: out i8[n], len: out u16[n]) -> u64 = nontrivial_runs(x, at, len.reverse());
algorithm rows(n: u64, x: in i32[1, n], y: inout i32[1, 2], at: inout u8[1, 2]) { top_k(x, y, at); }
algorithm bins(n: u64, counts: out i32[2]) { histogram(constant(1).take(n), counts, 0, 2); }
algorithm some(n: u64, m: u64, x: in u8[n], len: out u8[n]) -> u64 = run_length_encode(x.take(m), discard<u8>(), len);
algorithm kept(n: u64, x: in u8[n], y: inout u8[n], len: out u8[n]) -> u64 = run_length_encode(y.take(select(x, |v| v > 9, y)), discard<u8>(), len);
algorithm free(n: u64, x: in u8[n], y: out u8[n]) -> u64 = run_length_encode(x, y, discard<u8>());
// CALL: runs(x=zeros:255, y=zeros:255, len=zeros:255)
// EXPECT: result = 1
// CALL: runs(x=zeros:256, y=zeros:256, len=zeros:256)
// EXPECT-ERROR: 'runs': elements of 'lengths' of 'run_length_encode(x, y, len)' in line 3 are of type u8, up to 255, and get numbers up to 256: give it elements of a wider type
// CALL: pairs(x=zeros:129, at=zeros:129, len=zeros:129)
// EXPECT: result = 1
// CALL: pairs(x=zeros:130, at=zeros:130, len=zeros:130)
// EXPECT-ERROR: elements of 'offsets' of 'nontrivial_runs(x, at, len.reverse())' in line 4 are of type i8, up to 127, and get numbers up to 128
// CALL: rows(x=iota:1x256, y=zeros:1x2, at=zeros:1x2)
// EXPECT: at = [255, 254]
// CALL: rows(x=iota:1x257, y=zeros:1x2, at=zeros:1x2)
// EXPECT-ERROR: elements of 'places' of 'top_k(x, y, at)' in line 5 are of type u8, up to 255, and get numbers up to 256
// CALL: bins(n=100, counts=zeros:2)
// EXPECT: counts = [0, 100]
// CALL: bins(n=2147483648, counts=zeros:2)
// EXPECT-ERROR: are of type i32, up to 2147483647, and get numbers up to 2147483648
// CALL: free(x=zeros:256, y=zeros:256)
// EXPECT: result = 1
// CALL: some(m=255, x=zeros:256, len=zeros:256)
// EXPECT: result = 1
// CALL: some(m=256, x=zeros:256, len=zeros:256)
// EXPECT-ERROR: get numbers up to 256
// CALL: kept(x=zeros:256, y=zeros:256, len=zeros:256)
// EXPECT-ERROR: get numbers up to 256
