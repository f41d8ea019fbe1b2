// clock64 goes on, and nanosleep comes back.
// RUN: %run-test %s
kernel waits(y: out u32[1]) launch(block = 1, grid = 1)
{
    let before = clock64();
    nanosleep(100);
    y[0] = clock64() > before ? 1 : 0;
}
// CALL: waits()
// EXPECT: y = 1
