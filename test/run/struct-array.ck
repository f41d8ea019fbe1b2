// Structs in arrays and in shared memory, arrays in structs: their fields are places.
// RUN: %run-test %s
// CALL: k(y=zeros:6)
// EXPECT: y = [7, 12, 5, 1, 30, 9]
struct P { x: f32; n: i32[3]; on: bool; }
kernel k(y: inout f32[6]) launch(block = 2, grid = 1)
{
    shared part: P[2];
    part[thread.x].x = f32(thread.x) * 5;
    part[thread.x].n[thread.x + 1] = 10 + i32(thread.x);
    part[thread.x].n[0] = 0;
    part[thread.x].on = thread.x == 1;
    block.sync();
    if (thread.x == 0) {
        var v: P[2];
        v[1] = part[1];
        v[0].x = 7;
        v[1].n[0] += 2;
        v[1].n[0] *= 15;
        y[0] = v[0].x;
        y[1] = f32(v[1].n[2]) + f32(part[1].on);
        y[2] = v[1].x;
        y[3] = f32(v[1].on);
        y[4] = f32(v[1].n[0]);
        let u = v;
        v[0].x = 2;
        y[5] = u[0].x + v[0].x;
    }
}
