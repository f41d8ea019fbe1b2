// A checked build stops at a vector that is not all in its extent, and at a component that there is not.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: load(n=6, at=4, x=iota:6) -check
// EXPECT-ERROR: 'x.load<4>(at)': 4 elements from index 4 on are not all in its extent, 6
// CALL: load(n=9, at=4, x=iota:9) -check
// EXPECT: x = [22, 1, 2, 3, 4, 5, 6, 7, 8]
// CALL: load(n=3, at=0, x=iota:3) -check
// EXPECT-ERROR: 'x.load<4>(at)': 4 elements from index 0 on are not all in its extent, 3
kernel load(n: u32, at: u32, x: inout i32[n]) launch(block = 1, grid = 1)
{
    let v = x.load<4>(at);
    x[0] = v.x + v.y + v.z + v.w;
}

// CALL: store(at=5, x=zeros:2x6) -check
// EXPECT-ERROR: 'x.store(1, at, i32x2(7))': 2 elements from index 5 ('at') on are not all in its extent, 6
// CALL: store(at=4, x=zeros:2x6) -check
// EXPECT: x = [[0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 7, 7]]
kernel store(at: u32, x: inout i32[2, 6]) launch(block = 1, grid = 1) { x.store(1, at, i32x2(7)); }

// CALL: component(k=4, x=[0]) -check
// EXPECT-ERROR: 'v[k]': index 4 is outside of its extent, 4
// CALL: component(k=-1, x=[0]) -check
// EXPECT-ERROR: 'v[k]': index -1 is outside of its extent, 4
// CALL: component(k=3, x=[0]) -check
// EXPECT: x = [9]
kernel component(k: i32, x: inout i32[1]) launch(block = 1, grid = 1)
{
    var v: i32x4;
    v[k] = 9;
    x[0] = v[k];
}
