// `for (v in x)` visits a struct whose [] takes any integer, whatever .len is.
// RUN: %run-test %s
struct Signed { n: i32; fn len -> i32 = self.n; fn [](i: i32) -> i32 = 10 - i; }
struct Short { n: u8; fn len -> u64 = u64(self.n); }
fn [](s: Short, i: u8) -> u8 = i * 2;
struct Plain { n: u32; fn len -> u32 = self.n; fn [](i: u32) -> f32 = f32(i) + 0.5; }
struct Any { n: u32; fn len -> u32 = self.n; fn []<I: int>(i: I) -> u64 = u64(i) << 40; }
kernel visits(y: inout f64[4])
{
    for (v in Plain(3)) y[0] += f64(v);
    for (v in Signed(4)) y[1] += f64(v);
    for (v in Short(5)) y[2] += f64(v);
    for (v in Any(3)) y[3] += f64(v >> 40);
}
// CALL: visits(y=zeros:4) --block=1 --grid=1
// EXPECT: y = [4.5, 34, 20, 3]
