// A checked build stops at an index outside of its extent, with place, index, extent and thread.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: next(n=64, x=ones:64, y=zeros:64) -check
// EXPECT-ERROR: check-index.ck:9:12: next: block: [1,0,0], thread: [31,0,0] 'x[i + 1]': index 64 is outside of its extent, 64
kernel next(n: u32, x: in f32[n], y: out f32[n]) launch(block = 32, grid = ceil_div(n, 32))
{
    let i = block.id.x * 32 + thread.x;
    y[i] = x[i + 1];
}

// CALL: corner(h=2, w=3, r=0, c=3, x=[[1, 2, 3], [4, 5, 6]]) -check
// EXPECT-ERROR: 'x[r, c]': index 3 ('c') is outside of its extent, 3
// CALL: corner(h=2, w=3, r=-1, c=0, x=[[1, 2, 3], [4, 5, 6]]) -check
// EXPECT-ERROR: 'x[r, c]': index -1 ('r') is outside of its extent, 2
// CALL: corner(h=2, w=3, r=1, c=2, x=[[1, 2, 3], [4, 5, 6]]) -check
// EXPECT: x = [[1, 2, 3], [4, 5, 0]]
kernel corner(h: u32, w: u32, r: i32, c: i32, x: inout f32[h, w]) launch(block = 1, grid = 1)
{
    x[r, c] = 0;
}

// CALL: local(k=4, x=[0]) -check
// EXPECT-ERROR: 'v[k]': index 4 is outside of its extent, 4
fn pick(v: i32[4], k: u32) -> i32 { return v[k]; }
kernel local(k: u32, x: inout i32[1]) launch(block = 1, grid = 1)
{
    var v: i32[4];
    v[3] = x[0];
    x[0] = pick(v, k);
}
