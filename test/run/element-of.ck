// element_of<I> is the type of the elements of I; as a default it is what a literal takes.
// RUN: %run-test %s
fn first_or<I: type, T: type = element_of<I>>(it: I, other: T) -> T = it.len > 0 ? it[0u64] : other;
fn size<I: type>(it: I) -> u32 { var v: element_of<I>; return u32(sizeof(v)); }
kernel k(x: in f64[4], b: in u8[4], y: out f64[2], z: out u32[5]) launch(block = 1, grid = 1)
{
    y[0] = first_or(x.take(0), 0.1);
    y[1] = first_or(x, 0.1);
    let list = [1u16, 2, 3];
    z[0] = size(x.map(|v| f32(v)));
    z[1] = size(b);
    z[2] = size(list);
    z[3] = size(count<u64>());
    z[4] = first_or(b.take(0), 300u32);
}
// CALL: k(x=[0.2, 1, 2, 3], b=[1, 2, 3, 4])
// EXPECT: y = [0.1, 0.2]
// EXPECT: z = [4, 1, 2, 8, 300]
// TOLERANCE: exact
