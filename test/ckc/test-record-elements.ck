// EXPECT names elements and fields of structs by [i] and ['x']; arrays of structs in structs, bf16 and vectors are fields.
// RUN: %ckc test --device=host %s | FileCheck %s
// CHECK: 6 passed, 0 failed
struct In { v: f32x3; b: bf16; size: u8; }
struct P { lo: i32; at: In; arr: f32[3]; ins: In[2]; e: bool; t: (i32, f64); }
kernel add(n: u32, x: in P[n], y: out P[n]) launch(block = 1, grid = 1)
{
    for (i in 0..n) {
        y[i] = x[i];
        y[i].lo = x[i].lo + 1;
    }
}
kernel twice(p: P, y: out P[2]) launch(block = 1, grid = 1) { y[0] = p; y[1] = p; }
kernel matrix(x: in f32[2, 3], y: out f32[2, 3]) launch(block = (3, 2), grid = 1) { y[thread.y, thread.x] = x[thread.y, thread.x]; }
// CALL: add(x=rand:5)
// EXPECT: y['lo'] = x.lo + 1
// EXPECT: y.at = x.at
// EXPECT: y.ins = x.ins
// EXPECT: y[1:3].ins[:, 0].size = x.ins.size[1:3, 0]
// EXPECT: y[4].at = x[4]['at']
// EXPECT: y[4].t = (x[4].t.f0, x[4].t.f1)
// CALL: add(x=iota:3)
// EXPECT: y.at.b = [0, 1, 2]
// EXPECT: y.at.v = [(0, 0, 0), (1, 1, 1), (2, 2, 2)]
// EXPECT: y[-1].e = 0
// CALL: add(x=ones:2)
// EXPECT: y.ins = [[{v: (1, 1, 1), b: 1, size: 1}, {v: (1, 1, 1), b: 1, size: 1}], [{v: (1, 1, 1), b: 1, size: 1}, {v: (1, 1, 1), b: 1, size: 1}]]
// EXPECT: y[1].ins[0] = {v: (1, 1, 1), b: 1, size: 1}
// CALL: add(x={lo: [4, 5], at: {v: (1, 2, [3, 4]), b: 1, size: 1}, arr: [1, 2, [3, 4]], ins: [{v: (1, 1, 1), b: 1.5, size: [1, 2]}, {v: (1, 1, 1), b: 1, size: 1}], e: true, t: (1, 1)})
// EXPECT: y.arr = [[1, 2, 3], [1, 2, 4]]
// EXPECT: y[1].at.v = (1, 2, 4)
// EXPECT: y.ins.b = [[1.5, 1], [1.5, 1]]
// CALL: twice(p={lo: 2, at: {v: (1, 2, 3), b: 1.5, size: 3}, arr: [4, 5, 6], ins: [{v: (1, 1, 1), b: 1, size: 1}, {v: (1, 1, 1), b: 1, size: 1}], e: true, t: (1, 1)})
// EXPECT: y[1].at.b = p['at'].b
// EXPECT: y.arr = p.arr * 1
// EXPECT: y[0].lo = p.lo
// CALL: matrix(x=rand:2x3)
// EXPECT: y[1, 1:] = x[1, 1:]
