// RUN: %run-test %s
// Copies of ranges: of none, of empty ones, of a long one, of many short ones, of structs by iterators.
struct Pair { a: i32; b: u8; }
algorithm pack(n: u64, m: u64, k: u64, x: in i32[n], begins: in u32[m], lengths: in u32[m], places: in u32[m], y: out i32[k]) {
    batched_copy(x, begins, lengths, y, places);
}
// Range r has r % 7 elements from 5 r on, and goes to 6 r and on.
algorithm short(m: u64, x: in i32[5 * m + 6], y: inout i32[6 * m + 6]) {
    batched_copy(x.map(|v| Pair(v, 1)), count(0).map(|r| 5 * r), count(0).take(m).map(|r| r % 7), y.map_store(|p| p.a), count(0).map(|r| 6 * r));
}
// CALL: pack(n=3, k=4, x=[1, 2, 3], begins=[], lengths=[], places=[], y=zeros:4)
// EXPECT: y = [0, 0, 0, 0]
// CALL: pack(n=3, k=4, x=[1, 2, 3], begins=[2, 3, 0], lengths=[0, 0, 0], places=[0, 4, 2], y=zeros:4)
// EXPECT: y = [0, 0, 0, 0]
// CALL: pack(n=5, k=7, x=[1, 2, 3, 4, 5], begins=[3, 5, 0, 1], lengths=[2, 0, 3, 1], places=[1, 7, 3, 6], y=zeros:7)
// EXPECT: y = [0, 4, 5, 1, 2, 3, 2]
// FOR: k in 1, 2047, 2048, 2049, 100003
// CALL: pack(n=k+7, k=k, x=iota:k+7, begins=[7], lengths=[k], places=[0], y=zeros:k)
// EXPECT: y = arange(k) + 7
// FOR: m in 1, 7, 8, 1000, 30000
// CALL: short(m=m, x=iota:5*m+6, y=zeros:6*m+6)
// EXPECT: y = [5 * (i // 6) + i % 6 if i < 6 * m and i % 6 < i // 6 % 7 else 0 for i in range(6 * m + 6)]
