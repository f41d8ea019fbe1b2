// Loads and stores with hints take structs and tuples of up to 16 bytes, in one access.
// RUN: %run-test %s
struct Pair { key: u32; value: f32; }
struct Item { key: u64; value: i16; is_last: bool; }
kernel copy(n: u32, a: inout Pair[n], b: inout Item[n], y: out f32[n]) launch(block = 32, grid = 1)
{
    for (i in block.stride(n)) {
        store(a[i], Pair(i, f32(i) / 2), cache = streaming);
        store(b[i], Item(u64(i) << 40, -i16(i), i == n - 1), cache = no_allocate);
        let (p, q) = (load(a[i], cache = streaming), load(b[i], cache = global));
        y[i] = p.value + f32(p.key) + f32(q.key >> 40) + f32(q.value) + (q.is_last ? 0.25 : 0);
    }
}
// CALL: copy(a=zeros:50, b=zeros:50, y=zeros:50)
// EXPECT: y = [1.5 * i + (0.25 if i == 49 else 0) for i in range(50)]
