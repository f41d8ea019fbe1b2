// Fields of other types, in blocks of 3 dimensions: bools, f16, f64, an array; -0 and 0 are equal.
// REQUIRES: ckc, host
// RUN: %run-test %s
struct Item { name: u8[3]; odd: bool; h: f16; d: f64; v: i64; }
fn item(i: u32) -> Item {
    let third = i32(i * 29 % 3) - 1;
    return Item([u8(i % 2) + 200, u8(i / 2 % 2), u8(i * 7 % 13)], i % 2 == 1, f16(third), f64(third) * -0.0, i64(third) << 40);
}
// CALL: sort(i=iota:80, names=zeros:80, bools=zeros:80, floats=zeros:80)
// EXPECT: names = argsort(i * 7 % 13 + i // 2 % 2 * 13 + i % 2 * 26, kind='stable')
// EXPECT: bools = argsort(i * 29 % 3 + i % 2 * 3, kind='stable')
// EXPECT: floats = argsort(3 - i * 29 % 3, kind='stable')
kernel sort(i: in u32[80], names: out u32[80], bools: out u32[80], floats: out u32[80]) launch(block = (4, 5, 2), grid = 1)
{
    let index = block.load(i, 0, 2);
    let items = [item(index[0]), item(index[1])];
    block.store(names, 0, block.radix_sort(items, index, |s| s.name)[1]);
    block.store(bools, 0, block.radix_sort(items, index, |s| (s.odd, s.d, s.v))[1]);
    block.store(floats, 0, block.radix_sort(items, index, |s| (s.h, s.d), descending = true)[1]);
}
