// What a kernel prints is the same text on every device: each type, width and precision, percent
// signs, and no more than one line a call.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: print_all(u=18446744073709551615, x=-2.5) --block=1 --grid=1
// EXPECT-OUTPUT: 100% of -8 -300 -70000 -5000000000
// EXPECT-OUTPUT: 200 60000 4000000000 18446744073709551615 true false
// EXPECT-OUTPUT: -2.5 -2.5 | 1.667e+00| ff|007
kernel print_all(u: u64, x: f32) launch(block = 1, grid = 1)
{
    print("100% of {} {} {} {}", i8(-8), i16(-300), -70000, -5000000000i64);
    print("{} {} {} {} {} {}", u8(200), u16(60000), 4000000000u32, u, x < 0, x > 0);
    print("{} {} |{:10.3e}|{:3x}|{:03}", x, f64(x), 5.0 / 3, 255u32, 7);
}

// CALL: print_thread() --block=3 --grid=2
// EXPECT-OUTPUT: block 0 thread 0
// EXPECT-OUTPUT: block 0 thread 2
// EXPECT-OUTPUT: block 1 thread 1
kernel print_thread() launch(block = 3, grid = 2)
{
    print("block {} thread {}", block.id.x, thread.x);
}
