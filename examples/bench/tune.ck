// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tune.ck - the benches by which `ckc tune` chooses the library's shapes (lib/device/tuning.ck).
//
//   ckc tune examples/bench/tune.ck --tuning=lib/tuning.tune
//
// Each bench is an instance, so that its code has the parameters of one size of elements and no others.
// Sizes are those at which the form with parameters runs: reductions have another one up to 2^16
// elements, scans up to 2^17, transforms and differences up to 2^20, radix sorts up to 2^21. Sums of
// scans, selections and partitions of spans have a third one above 2^22.

algorithm sum<T: type>(n: u64, zero: T, x: in T[n]) -> T = reduce(x, +, zero);
algorithm largest_so_far<T: type>(n: u64, x: in T[n], y: out T[n]) { inclusive_scan(x, y, max); }
algorithm sums_before<T: number>(n: u64, x: in T[n], y: out T[n]) { exclusive_scan(x, y, +, T(0)); }
algorithm axpy<T: float>(n: u64, a: T, x: in T[n], y: inout T[n]) { transform(zip(x, y), y, |p| a * p[0] + p[1]); }
algorithm twice<T: number>(n: u64, x: in T[n], y: out T[n]) { transform(x, y, |v| v + v); }
algorithm sort<T: number>(n: u64, x: in T[n], y: out T[n]) { radix_sort(x, to = y); }
algorithm sort_pairs(n: u64, x: in u32[n], v: in u32[n], y: out u32[n], w: out u32[n]) { radix_sort(x, v, to = y, to_values = w); }
algorithm steps<T: number>(n: u64, x: in T[n], y: out T[n]) { adjacent_difference(x, y, |a, b| a - b); }

// BENCH: sum<u8>(zero=0, x=ones:2**20)
// EXPECT: result = 0
// FOR: k in 24, 27
// BENCH: sum<u8>(zero=0, x=ones:2**k)
// BENCH: sum<u16>(zero=0, x=ones:2**20)
// EXPECT: result = 0
// FOR: k in 24, 27
// BENCH: sum<u16>(zero=0, x=ones:2**k)
// BENCH: sum<f32>(zero=0, x=ones:2**20)
// EXPECT: result = 2**20
// FOR: k in 24, 27
// BENCH: sum<f32>(zero=0, x=ones:2**k)
// BENCH: sum<f64>(zero=0, x=ones:2**20)
// EXPECT: result = 2**20
// FOR: k in 24, 26
// BENCH: sum<f64>(zero=0, x=ones:2**k)

// BENCH: largest_so_far<u8>(x=ones:2**20, y=zeros:2**20)
// EXPECT: y = 1
// FOR: k in 24, 27
// BENCH: largest_so_far<u8>(x=ones:2**k, y=zeros:2**k)
// BENCH: largest_so_far<u16>(x=ones:2**20, y=zeros:2**20)
// EXPECT: y = 1
// FOR: k in 24, 27
// BENCH: largest_so_far<u16>(x=ones:2**k, y=zeros:2**k)
// BENCH: largest_so_far<u32>(x=iota:2**20, y=zeros:2**20)
// EXPECT: y = x
// FOR: k in 24, 26
// BENCH: largest_so_far<u32>(x=ones:2**k, y=zeros:2**k)
// FOR: k in 20, 22
// BENCH: sums_before<u32>(x=ones:2**k, y=zeros:2**k)
// EXPECT: y = iota:2**k
// BENCH: largest_so_far<u64>(x=iota:2**20, y=zeros:2**20)
// EXPECT: y = x
// FOR: k in 24, 26
// BENCH: largest_so_far<u64>(x=ones:2**k, y=zeros:2**k)

// FOR: k in 22, 24, 26
// BENCH: axpy<f32>(a=2, x=ones:2**k, y=ones:2**k)
// FOR: k in 22, 26
// BENCH: twice<f64>(x=ones:2**k, y=zeros:2**k)
// FOR: k in 22, 26
// BENCH: twice<u8>(x=ones:2**k, y=zeros:2**k)

// BENCH: steps<f32>(x=ones:2**22, y=zeros:2**22)
// FOR: k in 24, 26
// BENCH: steps<f32>(x=ones:2**k, y=zeros:2**k)
// FOR: k in 22, 26
// BENCH: steps<i64>(x=ones:2**k, y=zeros:2**k)

// BENCH: sort<u32>(x=rand:2**22:1:0..4000000000, y=zeros:2**22)
// EXPECT: y = np.sort(x)
// FOR: k in 24, 26
// BENCH: sort<u32>(x=rand:2**k:1:0..4000000000, y=zeros:2**k)
// BENCH: sort_pairs(x=rand:2**22:1:0..4000000000, v=iota:2**22, y=zeros:2**22, w=zeros:2**22)
// EXPECT: y = np.sort(x)
// FOR: k in 24, 26
// BENCH: sort_pairs(x=rand:2**k:1:0..4000000000, v=iota:2**k, y=zeros:2**k, w=zeros:2**k)

// Of the elements of iota, those below half of them are kept; runs and keys have four elements each.
algorithm kept<T: number>(n: u64, m: u64, x: in T[n], y: out T[m]) -> u64 = select(x, |v| v < T(m), y);
algorithm halves<T: number>(n: u64, m: u64, x: in T[n], y: out T[m], z: out T[m]) -> u64 = partition(x, |v| v < T(m), y, z);
algorithm runs<T: int>(n: u64, m: u64, x: in T[n], y: out T[m], lengths: out u32[m]) -> u64 = run_length_encode(x.map(|v| v / 4), y, lengths, |a, b| a == b);
algorithm by_key<T: number>(n: u64, m: u64, k: in u32[n], v: in T[n], y: out u32[m], z: out T[m]) -> u64 = reduce_by_key(k.map(|v| v / 4), v, +, y, z);

// BENCH: kept<u32>(x=iota:2**20, y=zeros:2**19)
// EXPECT: y = iota:2**19
// FOR: k in 21, 22
// BENCH: kept<u32>(x=iota:2**k, y=zeros:2**(k - 1))
// BENCH: kept<u64>(x=iota:2**20, y=zeros:2**19)
// EXPECT: y = iota:2**19
// FOR: k in 21, 22
// BENCH: kept<u64>(x=iota:2**k, y=zeros:2**(k - 1))

// BENCH: halves<u32>(x=iota:2**20, y=zeros:2**19, z=zeros:2**19)
// EXPECT: y = iota:2**19
// FOR: k in 21, 22
// BENCH: halves<u32>(x=iota:2**k, y=zeros:2**(k - 1), z=zeros:2**(k - 1))
// FOR: k in 20, 22
// BENCH: halves<u64>(x=iota:2**k, y=zeros:2**(k - 1), z=zeros:2**(k - 1))

// BENCH: runs<u32>(x=iota:2**20, y=zeros:2**18, lengths=zeros:2**18)
// EXPECT: y = iota:2**18
// FOR: k in 24, 26
// BENCH: runs<u32>(x=iota:2**k, y=zeros:2**(k - 2), lengths=zeros:2**(k - 2))
// FOR: k in 24, 26
// BENCH: runs<u64>(x=iota:2**k, y=zeros:2**(k - 2), lengths=zeros:2**(k - 2))

// BENCH: by_key<f32>(k=iota:2**20, v=ones:2**20, y=zeros:2**18, z=zeros:2**18)
// EXPECT: z = 4
// FOR: k in 24, 26
// BENCH: by_key<f32>(k=iota:2**k, v=ones:2**k, y=zeros:2**(k - 2), z=zeros:2**(k - 2))
// FOR: k in 24, 26
// BENCH: by_key<f64>(k=iota:2**k, v=ones:2**k, y=zeros:2**(k - 2), z=zeros:2**(k - 2))
