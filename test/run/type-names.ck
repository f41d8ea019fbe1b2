// An alias is another name for a type; an enumeration is a type of its own, kept as an integer.
// RUN: %run-test %s
type Key = u32;
type Both = Pair<Key, f32>;
type Row = f32[N];
const N = 3;
struct Pair<A: type, B: type = A> { a: A; b: B; fn sum -> f32 = f32(self.a) + f32(self.b); }
type Next = ptr<Link>;
struct Link { value: i32; next: Next; }
enum Mode: u8 { plain, exact = 4, last }
enum Color { red, green = 1 + 6 }
fn Mode.code(by: i32) -> i32 = by * i32(self);
struct Used { m: Mode; c: Color; k: Key; }
fn pick<T: type>(m: Mode, a: T, b: T) -> T = m == Mode.plain ? a : b;
fn total(p: Both) -> f32 = p.sum;

kernel named(m: Mode, n: u64, x: in Key[n], y: out f32[7], ms: inout Mode[2])
    launch(block = 1, grid = 1)
{
    type Wide = i64;
    let p = Both(x[0], 1.5);
    let q: Pair<u32, f32> = p;
    y[0] = total(q);
    y[1] = pick(m, 1.0, 2.0);
    var r: Row;
    r[1] = 4;
    y[2] = r[1] + f32(Wide(3)) + f32(Key(7));
    y[3] = f32(i32(Color.green)) + f32(u8(Mode.last));
    var s = [Used(Mode(5), Color.green, Key(9))];
    ms[0] = ms[1];
    ms[1] = Mode.exact;
    if (s[0].m == Mode.last) y[4] = f32(Mode.exact.code(2));
    y[5] = f32(sizeof<Mode>) + f32(sizeof<Row>);
    var end = Link(5, Next(0));
    y[6] = f32(Link(3, address(end)).next[0].value);
}
// CALL: named(m=0, x=[3], ms=[1, 5])
// EXPECT: y = [4.5, 1, 14, 12, 8, 13, 5]
// EXPECT: ms = [5, 4]
