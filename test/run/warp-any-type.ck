// Shuffles take values of any type: structs, tuples, vectors, arrays, narrow floats.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: shuffles(y=zeros:32, z=zeros:32)
// EXPECT: y = [((i + 1 if i < 31 else i) * 1.5 + (i ^ 1) + 3 * 2 + 7) for i in range(32)]
// EXPECT: z = [(i ^ 2) * 3 + (i ^ 2) // 2 * 1000 + 5 + (i > 0) for i in range(32)]
// TOLERANCE: exact
struct Item { key: u8; value: f64; flag: bool; }
kernel shuffles(y: out f32[32], z: out u32[32]) launch(block = 32, grid = 1)
{
    let i = thread.x;
    let item = warp.shuffle_down(Item(u8(i), f64(i) * 0.5, true), 1);
    let pair = warp.shuffle_xor((f16(i), i), 1);
    let four = warp.shuffle(f32x4(1, 2, f32(i), 4), 3);
    y[i] = f32(item.value) + f32(item.key) + f32(pair[0]) + four.z * 2 + 7;
    let list = warp.shuffle_xor([u16(i), u16(2 * i), u16(i / 2 * 1000)], 2);
    let half = warp.broadcast(bf16(i) + 5, 0);
    let first = warp.shuffle_up(i > 0 || i == 0, 1);
    z[i] = u32(list[0]) + u32(list[1]) + u32(list[2]) + u32(half) + u32(first && i > 0);
}
