// Functions have splits of their own, generic ones too; one launched by an algorithm as well.
// RUN: %run-test %s
fn twice<const A: u32>(s: inout u32[], x: in u32[]) {
    split {
        low(warps = A) {
            for (i in low.stride(64u32)) s[i] = x[i];
            low.sync();
            for (i in low.stride(64u32)) s[64 + i] = s[63 - i];
        }
        high(warps = block.size / 32 - A) {
            for (i in high.stride(128u32)) s[128 + i] = high.size;
            high.sync();
            if (high.rank == 0) s[255] = s[128] + s[254];
        }
    }
}
fn both(x: in u32[], y: out u32[]) {
    shared s: u32[256];
    twice<1>(s, x);
    y[thread.rank] = s[thread.rank];
    twice<3>(s, x);
    y[thread.rank + 256] = s[thread.rank];
}
kernel direct(x: in u32[64], y: out u32[512]) launch(block = 256, grid = 1) { both(x, y); }
algorithm planned(n: u64, x: in u32[n], y: out u32[512]) { launch both(block = 256, grid = 1, x, y); }
// CALL: direct(x=iota:64) -check
// EXPECT: y = [i if i < 64 else 127 - i if i < 128 else 224 * (1 + (i == 255)) for i in range(256)] + [i if i < 64 else 127 - i if i < 128 else 160 * (1 + (i == 255)) for i in range(256)]
// CALL: planned(x=iota:64)
// EXPECT: y = [i if i < 64 else 127 - i if i < 128 else 224 * (1 + (i == 255)) for i in range(256)] + [i if i < 64 else 127 - i if i < 128 else 160 * (1 + (i == 255)) for i in range(256)]
