// sum(v) and dot(a, b) add in pairs: where 1 is lost beside 1e8, the order shows.
// RUN: %run-test %s
// TOLERANCE: exact
// CALL: k(x=[1e8, 1, -1e8, 1], y=zeros:3)
// EXPECT: y = [0, 1, 0]
kernel k(x: in f32[4], y: out f32[3]) launch(block = 1, grid = 1)
{
    let v = x.load<4>(0);
    y[0] = sum(v);
    y[1] = v.x + v.y + v.z + v.w;
    y[2] = dot(v, f32x4(1));
}
