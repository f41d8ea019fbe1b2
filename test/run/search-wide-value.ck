// lower_bound and upper_bound compare as `<` does: the narrower side is widened, no value is cut down.
// RUN: %run-test %s
kernel bytes(x: in u8[4], v: u32, w: u64, y: out u64[6]) launch(block = 1, grid = 1) {
    (y[0], y[1]) = (lower_bound(x, v), upper_bound(x, v));
    (y[2], y[3]) = (lower_bound(x, w), upper_bound(x, w));
    let copy = [x[0], x[1], x[2], x[3]];
    (y[4], y[5]) = (lower_bound(copy, v), upper_bound(x.map(|e| e), w));
}
// CALL: bytes(x=[1, 44, 45, 200], v=300, w=4294967341)
// EXPECT: y = 4
// CALL: bytes(x=[1, 44, 45, 200], v=44, w=44)
// EXPECT: y = [1, 2, 1, 2, 1, 2]
kernel words(x: in u32[3], v: u64, y: out u64[2]) launch(block = 1, grid = 1) {
    (y[0], y[1]) = (lower_bound(x, v), upper_bound(x, v));
}
// CALL: words(x=[0, 1, 4294967295], v=4294967297)
// EXPECT: y = 3
kernel signed(x: in i8[4], v: i32, y: out u64[2]) launch(block = 1, grid = 1) {
    (y[0], y[1]) = (lower_bound(x, v), upper_bound(x, v));
}
// CALL: signed(x=[-100, 0, 45, 100], v=-300)
// EXPECT: y = 0
// CALL: signed(x=[-100, 0, 45, 100], v=301)
// EXPECT: y = 4
kernel floats(x: in f32[4], v: f64, y: out u64[2]) launch(block = 1, grid = 1) {
    (y[0], y[1]) = (lower_bound(x, v), upper_bound(x, v));
}
// The value is between 2 and the next f32.
// CALL: floats(x=[1, 2, 3, 4], v=2.00000001)
// EXPECT: y = 2
// CALL: floats(x=[1, 2, 3, inf], v=1e300)
// EXPECT: y = 3
