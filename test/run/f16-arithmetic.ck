// f16: + - * / and the square root are rounded once, for every value against another one.
// RUN: %run-test %s
// TOLERANCE: exact
// CALL: arithmetic(n=65536, x=u16(arange(65536)).view(f16), y=u16(arange(65536) * 40503 + 77).view(f16), sum=zeros:65536, less=zeros:65536, times=zeros:65536, ratio=zeros:65536, root=zeros:65536, order=zeros:65536)
// EXPECT: sum = x + y
// EXPECT: less = x - y
// EXPECT: times = x * y
// EXPECT: ratio = x / y
// EXPECT: root = sqrt(x)
// EXPECT: order = where(x < y, 1, 0) + where(x == y, 2, 0) + where(x >= -y, 4, 0) + where(x != 0, 8, 0)
kernel arithmetic(n: u32, x: in f16[n], y: in f16[n], sum: out f16[n], less: out f16[n],
                  times: out f16[n], ratio: out f16[n], root: out f16[n], order: out u32[n])
    launch(block = 256, grid = ceil_div(n, 256))
{
    let i = u32(grid.thread_rank);
    let (a, b) = (x[i], y[i]);
    sum[i] = a + b;
    less[i] = a - b;
    times[i] = a * b;
    ratio[i] = a / b;
    root[i] = sqrt(a);
    order[i] = u32(a < b) + 2 * u32(a == b) + 4 * u32(a >= -b) + 8 * u32(bool(a));
}
