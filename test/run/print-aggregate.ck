// Structs, tuples, arrays and vectors print as they are made up, on every device.
// REQUIRES: ckc, host
// RUN: %run-test %s
struct P { x: f32; on: bool; n: i32[2]; fn len -> f32 = self.x; }
struct Q<T: type> { lo: T; at: (u8, f64); p: P; }
// CALL: k(s=2) --block=1 --grid=1
// EXPECT-OUTPUT: v (1, 2.5, 3) (-1, 255)
// EXPECT-OUTPUT: p {x: 2, on: true, n: [1, -2]}
// EXPECT-OUTPUT: q {lo: 0.5, at: (7, 0.25), p: {x: 2, on: true, n: [1, -2]}} true
// EXPECT-OUTPUT: m [[1, 2], [3, 4]] 100%
// EXPECT-OUTPUT: hex (1, ff) [  0.5,     2] |    (true, false)
kernel k(s: f32)
{
    print("v {} {}", f32x3(1, 2.5, 3), (i8(-1), u8(255)));
    let p = P(s, true, [1, -2]);
    print("p {}", p);
    print("q {} {}", Q(0.5f16, (7u8, 0.25f64), p), p.on);
    print("m {} 100%", [[1, 2], [3, 4]]);
    print("hex {:x} {:5.2} |    {}", u8x2(1, 255), [0.5, s], (s > 0, s < 0));
}
