// Structs sorted by the bits of their fields: by the first, where that is equal by the next; stable.
// REQUIRES: ckc, host
// RUN: %run-test %s
struct Item { a: i8; b: f32; c: u16; at: u32; }
fn item(i: u32) -> Item = Item(i8(i * 37 % 5) - 2, f32(i * 11 % 7) * 0.5 - 1, u16(i * 101 % 3), i);
// CALL: sort<128,3>(i=iota:384, at=zeros:4x384)
// EXPECT: at = [argsort(i * 101 % 3 + i * 11 % 7 * 3 + i * 37 % 5 * 21, kind='stable'), argsort(7 - i * 11 % 7, kind='stable'), argsort(5 - i * 37 % 5 + (3 - i * 101 % 3) * 10, kind='stable'), np.argsort(i * 37 % 5, kind='stable')]
// CALL: sort<50,3>(i=iota:150, at=zeros:4x150) -check
// EXPECT: at = [argsort(i * 101 % 3 + i * 11 % 7 * 3 + i * 37 % 5 * 21, kind='stable'), argsort(7 - i * 11 % 7, kind='stable'), argsort(5 - i * 37 % 5 + (3 - i * 101 % 3) * 10, kind='stable'), np.argsort(i * 37 % 5, kind='stable')]
// CALL: sort<8,2>(i=iota:16, at=zeros:4x16)
// EXPECT: at = [argsort(i * 101 % 3 + i * 11 % 7 * 3 + i * 37 % 5 * 21, kind='stable'), argsort(7 - i * 11 % 7, kind='stable'), argsort(5 - i * 37 % 5 + (3 - i * 101 % 3) * 10, kind='stable'), np.argsort(i * 37 % 5, kind='stable')]
kernel sort<const B: u32, const N: u32>(i: in u32[B * N], at: out u32[4, B * N]) launch(block = B, grid = 1)
{
    let index = block.load(i, 0, N);
    let items = block.load(count<u32>().map(item), 0, N);
    let three = block.radix_sort(items, |s| (s.a, s.b, s.c));
    let (one, values) = block.radix_sort(items, index, by = |s| s.b, descending = true);
    let down = block.radix_sort<striped>(items, by = |s| (s.c, s.a), descending = true);
    let some = block.radix_sort(items, by = |s| (s.a, s.c), begin_bit = 16);
    for (k in 0..N) {
        let place = thread.rank * N + k;
        at[0, place] = three[k].at;
        at[1, place] = one[k].at == values[k] ? values[k] : 9999;
        at[2, thread.rank + k * B] = down[k].at;
        at[3, place] = some[k].at;
    }
}
export sort<128, 3>, sort<50, 3>, sort<8, 2>;
