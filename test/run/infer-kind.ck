// Of several functions, a value in <...> is for one that takes a value there, a type for one that takes a type.
// RUN: %run-test %s
struct Pair { a: u32; b: u32; }
const two: u32 = 2;
fn size<T: type>(v: u32) -> u32 = v + 100 * sizeof<T>;
fn size<const N: u32>(v: u32) -> u32 = v + 1000 * N;
fn twice<T: type, const N: u32>(v: u32) -> u32 = size<N>(size<T>(v));
kernel k(y: out u32[5]) launch(block = 1, grid = 1)
{
    (y[0], y[1], y[2]) = (size<f64>(1), size<two>(1), size<3>(1));
    (y[3], y[4]) = (size<Pair>(1), twice<u16, 4>(1));
}
// CALL: k()
// EXPECT: y = [801, 2001, 3001, 801, 4201]
