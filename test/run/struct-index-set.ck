// fn []= takes it[i] = v; it[i] += v reads through fn [] and works the index out once.
// RUN: %run-test %s
// CALL: k(y=zeros:3)
// EXPECT-OUTPUT: next 1
// EXPECT-OUTPUT: set 1 2.5
// EXPECT-OUTPUT: set 2 13
struct It { base: f32; }
fn [](it: It, i: u64) -> f32 = it.base + f32(i);
fn []=(it: It, i: u64, v: f32) { print("set {} {}", i, v); }
fn next(i: u64) -> u64 { print("next {}", i); return i + 1; }
kernel k(y: inout f32[3]) launch(block = 1, grid = 1)
{
    let it = It(10);
    it[1] = 2.5;
    let i = 1u64;
    it[next(i)] += 1;
}
