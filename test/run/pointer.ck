// Pointers: to variables, elements and fields; read, written, moved, compared, kept in structs.
// RUN: %run-test %s
// CALL: k(y=zeros:10)
// EXPECT: y = [5, 8, 3, 4, 2, 9, 7, 1, 40, 1]
struct Link { value: i32; next: ptr<Link>; }
struct Pair { a: i32; b: f32; }
fn bump(p: ptr<i32>) { p[0] += 1; }
kernel k(y: out i32[10]) launch(block = 1, grid = 1)
{
    var last = Link(5, ptr<Link>(0));
    var head = Link(6, address(last));
    y[0] = head.next[0].value;
    head.next[0].value = 8;
    y[1] = last.value;
    let p = address(y[2]);
    p[0] = 3;
    p[1] = 4;
    var q = p + 2;
    q[0] = i32(q - p);
    q -= 1;
    y[5] = q[0] + i32(q == p + 1) + i32(u64(q) - u64(p));
    shared tile: f32[4];
    let s = address(tile[1]);
    s[1] = 2.5;
    let any: ptr<f32> = s;
    y[6] = i32(tile[2] * 2 + any[1]);
    y[7] = i32(last.next == ptr<Link>(0) && p < q && any != ptr<f32>(0u64));
    var pair = Pair(39, 0);
    bump(address(pair.a));
    y[8] = pair.a;
    let bytes = ptr<u8>(address(pair.b));
    bytes[3] = 0x40;
    y[9] = i32(pair.b) - 1;
}
