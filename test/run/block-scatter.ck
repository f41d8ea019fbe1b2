// Items go to the places that their ranks say; those that are not valid don't.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: scatter(y=zeros:64x3, z=zeros:64x3)
// EXPECT: y = [[191 - (3 * t + k) for k in range(3)] for t in range(64)]
// EXPECT: z = [[(191 - (t + 64 * k) if t + 64 * k < 96 else 0) for k in range(3)] for t in range(64)]
struct Item { v: f64; s: u8; }
kernel scatter(y: out u32[64, 3], z: out u32[64, 3]) launch(block = 64, grid = 1)
{
    let t = thread.rank;
    var items: Item[3];
    var ranks: u32[3];
    var valid: bool[3];
    for (k in 0..3) {
        items[k] = Item(f64(3 * t + u32(k)), 1);
        ranks[k] = 191 - (3 * t + u32(k));
        valid[k] = ranks[k] < 96;
    }
    let a = block.exchange<scatter_to_blocked>(items, ranks);
    let b = block.exchange<scatter_to_striped>(items, ranks, valid = valid);
    for (k in 0..3) (y[t, k], z[t, k]) = (u32(a[k].v), t + 64 * u32(k) < 96 ? u32(b[k].v) : 0);
}
