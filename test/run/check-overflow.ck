// A checked build stops where + - * in an index, or in the `let` that an index names, overflow.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: product(n=4, k=65536, x=ones:4) -check
// EXPECT-ERROR: check-overflow.ck:9:5: product: block: [0,0,0], thread: [0,0,0] 'x[j]': 'k * 65536' overflows u32, and makes an index
kernel product(n: u32, k: u32, x: inout f32[n]) launch(block = 1, grid = 1)
{
    let j = k * 65536;
    x[j] = 0;
}

// CALL: below(n=4, k=0, x=ones:4) -check
// EXPECT-ERROR: 'k - 2' overflows u32
// CALL: below(n=4, k=1, x=ones:4) -check
// EXPECT: x = [1, 1, 1, 0]
kernel below(n: u32, k: u32, x: inout f32[n]) launch(block = 1, grid = 1)
{
    x[k - 2 + n] = 0;               // below 0 on its way: only the sum counts
    if (k == 0) x[k - 2] = 0;
}

// CALL: wide(n=2, k=9223372036854775807, x=ones:2) -check
// EXPECT-ERROR: 'k + 1' overflows i64
// CALL: wide(n=2, k=0, x=ones:2) -check
// EXPECT: x = [1, 0]
kernel wide(n: u32, k: i64, x: inout f32[n]) launch(block = 1, grid = 1)
{
    x[k + 1] = 0;
}

// CALL: wraps(k=4294967295) -check
// EXPECT: x = 0
kernel wraps(k: u32, x: out u32[1]) launch(block = 1, grid = 1)
{
    let sum = k + 1;                // no index: it wraps
    x[(k + 1) & 7] = sum;           // nor is what & takes
}
