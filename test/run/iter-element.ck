// Iterators of structs, vectors, arrays and tuples; over arrays and shared memory.
// RUN: %run-test %s
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t
// RUN: %if ptxas %{ %ptxas-verify < %t %}
// CALL: elements(v=[[0, 1, 2, 3], [4, 5, 6, 7]], y=zeros:6)
// EXPECT: y = [5, 9, 22, 10, 7, 3]
struct P { x: f32; y: f32 = 1; fn sum -> f32 = self.x + self.y; }
kernel elements(v: in f32x4[2], y: out f32[6]) launch(block = 1, grid = 1)
{
    var points = [P(1), P(2), P(3)];
    y[0] = points.map(|p| p.sum).drop(1).take(1)[0] + points.reverse()[1].x;
    for (p in points.zip(points.drop(1))) points[0].x += p[0].x + p[1].x;
    y[1] = points[0].x;
    for (q in v.reverse().map(|a| a + a)) { y[2] = sum(q) + 10; }
    shared s: i32[4];
    for (i in 0..4) s[i] = 7;
    for (p in s.enumerate()) { s[p[0]] = i32(p[0]) + 1; }
    var total = 0;
    for (w in s.window<2>().window<1>()) total += w[0][1];
    y[3] = f32(total + 1);
    let tables = constant([1, 2, 4]).take(2);
    y[4] = f32(tables[1][0] + tables[0][1] + tables[0][2]);
    y[5] = f32(tables.len + 1);
}
