// {:x} prints an integer in hexadecimal: its bits, in the digits of its type. -1 of an i8 has 8 bits,
// which are ff; it is not widened.
// RUN: %run-test %s
kernel hex(x: in i32[2]) launch(block = 1, grid = 1)
{
    print("{:x} {:x}", i8(x[0]), i8(x[1]));
    print("{:x} {:x}", i16(x[0]), i16(x[1]));
    print("{:x} {:x}", i8x4(-1, -2, 3, 4), (i8(x[0]), i16(x[0]), x[0]));
    print("[{:4x}] {:x}", i8(x[0]), -1i64);
}
// CALL: hex(x=[-1, -128])
// EXPECT-OUTPUT: ff 80
// EXPECT-OUTPUT: ffff ff80
// EXPECT-OUTPUT: (ff, fe, 3, 4) (ff, ffff, ffffffff)
// EXPECT-OUTPUT: [  ff] ffffffffffffffff
