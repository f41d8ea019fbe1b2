// A literal argument takes its type from the parameter, not from what the call is assigned to.
// RUN: %run-test %s
kernel place(x: in i32[4], f: in f32[4], y: out u64[4]) launch(block = 1, grid = 1) {
    let k = lower_bound(x, -1);
    y[0] = k;
    y[1] = lower_bound(x, -1);
    y[2] = upper_bound(f, -1);
    y[3] = lower_bound(x, 1, |a, b| a < b);
}
// CALL: place(x=[-2, -1, 0, 1], f=[-2, -1, 0, 1])
// EXPECT: y = [1, 1, 2, 3]
fn width<T: type>(v: T) -> u64 = sizeof<T>;
kernel widths(y: out u64[2]) launch(block = 1, grid = 1) {
    let k = width(300);
    (y[0], y[1]) = (k, width(300));
}
// CALL: widths()
// EXPECT: y = 4
