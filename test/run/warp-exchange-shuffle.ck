// An exchange by shuffle gives what one through shared memory gives, and has none: any power of two of items.
// REQUIRES: ckc, host
// RUN: %run-test %s
struct Wide { a: u64; b: u8; }
fn wide(i: u32) -> Wide = Wide(u64(i) << 33, u8(i));
kernel both<const N: u32, const G: u32>(wrong: inout u32[1]) launch(block = 64, grid = 1)
{
    let t = warp.tile<G>;
    var a: u32[N];
    var b: Wide[N];
    for (k in 0..N) (a[k], b[k]) = (thread.rank * N + k, wide(thread.rank * N + k));
    let striped = (warp.exchange<blocked_to_striped>(a, shuffle = true), t.exchange<blocked_to_striped>(b, shuffle = true));
    let wanted = (warp.exchange<blocked_to_striped>(a), t.exchange<blocked_to_striped>(b));
    let back = (warp.exchange<striped_to_blocked>(striped[0], shuffle = true), t.exchange<striped_to_blocked>(striped[1], shuffle = true));
    var off = 0u32;
    for (k in 0..N) {
        off += u32(striped[0][k] != wanted[0][k]) + u32(striped[1][k] != wanted[1][k]);
        off += u32(back[0][k] != a[k]) + u32(back[1][k] != b[k]);
    }
    atomic.add(wrong[0], off);
}
export both<1, 2>, both<2, 2>, both<2, 8>, both<4, 32>, both<8, 8>, both<16, 16>, both<32, 32>;
// CALL: both<1,2>(wrong=[0])
// EXPECT: wrong = [0]
// CALL: both<2,2>(wrong=[0])
// EXPECT: wrong = [0]
// CALL: both<2,8>(wrong=[0])
// EXPECT: wrong = [0]
// CALL: both<4,32>(wrong=[0])
// EXPECT: wrong = [0]
// CALL: both<8,8>(wrong=[0])
// EXPECT: wrong = [0]
// CALL: both<16,16>(wrong=[0])
// EXPECT: wrong = [0]
// CALL: both<32,32>(wrong=[0])
// EXPECT: wrong = [0]
