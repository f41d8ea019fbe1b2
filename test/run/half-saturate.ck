// f16 and bf16 to integers saturate and drop the fraction; NaN gives 0; to wider floats nothing is lost.
// RUN: %run-test %s
// CALL: k<f16>(x=[2.9, -2.9, 300.0, -inf, nan], a=zeros:5, b=zeros:5, c=zeros:5)
// EXPECT: a = [2, -2, 300, -2147483648, 0]
// EXPECT: b = [2, 0, 255, 0, 0]
// EXPECT: c = x
// CALL: k<bf16>(x=[2.9, -2.9, 1e30, -1e30, nan], a=zeros:5, b=zeros:5, c=zeros:5)
// EXPECT: a = [2, -2, 2147483647, -2147483648, 0]
// EXPECT: b = [2, 0, 255, 0, 0]
// EXPECT: c = x
kernel k<T: half>(x: in T[5], a: out i32[5], b: out u8[5], c: out f64[5]) launch(block = 5, grid = 1)
{
    let v = x[thread.x];
    a[thread.x] = i32(v);
    b[thread.x] = u8(v);
    c[thread.x] = v;
}
export k<f16>, k<bf16>;
