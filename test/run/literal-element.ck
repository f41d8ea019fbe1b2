// A literal that stands for an element has the element's type.
// RUN: %run-test %s
kernel loads(x: in f64[3], y: out f64[32]) launch(block = 32, grid = 1) {
    block.store(y, 0, block.load(x, 0, 1, default = 0.1));
}
// CALL: loads(x=[1, 2, 3])
// EXPECT: y = where(arange(32) < 3, arange(32) + 1, 0.1)
// TOLERANCE: exact
kernel places(x: in f64[3], y: out u64[4]) launch(block = 1, grid = 1) {
    let (a, b) = (lower_bound(x, 0.1), upper_bound(x, 0.1));
    (y[0], y[1]) = (a, b);
    (y[2], y[3]) = (lower_bound(x, 0.2), upper_bound(x, 0.2));
}
// CALL: places(x=[0.1, 0.2, 0.3])
// EXPECT: y = [0, 1, 1, 2]
