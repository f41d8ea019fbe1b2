// min, max and abs of integer literals have the integer type that is asked for, else i32.
// RUN: %run-test %s
const B = 256;
fn narrow(x: u8) -> u8 = x;
kernel k(y: inout i64[8], z: inout f32[6]) {
    let b: u64 = min(1, 2);
    let a: u32 = max(B, 32);
    y[0] = i64(abs(7) / abs(2) * 2);
    y[1] = i64(a);
    y[2] = i64(b);
    let half = min(3, 4) / 2;
    y[3] = i64(half);
    y[4] = max(1, 2);
    y[5] = i64(narrow(max(1, 2) / 2));
    let c: u8 = clamp(4, 1, 3);
    y[6] = i64(c);
    let wide = max(3i64, 4);
    y[7] = wide;
    z[0] = max(1, 3) / 2;
    z[1] = abs(-7);
    let d = max(1, 2.5);
    z[2] = d;
    let e: f16 = max(1, 2);     // and of a float that is asked for, that one
    z[3] = f32(e) + min(z[0], 1);
    let v: f32x2 = max(f32x2(1), 2);
    z[4] = v.x;
    let f: f64 = abs(-2.5);
    z[5] = f32(f);
}
// CALL: k(y=zeros:8, z=zeros:6) --block=1 --grid=1
// EXPECT: y = [6, 256, 1, 1, 2, 1, 3, 4]
// EXPECT: z = [1.5, 7, 2.5, 3, 2, 2.5]
