// What a generated header has to carry: all scalars, spans of both kinds, instances, odd names.
kernel scalars(b: bool, c: i8, d: i16, e: i32, f: i64, g: u8, h: u16, i: u32, j: u64, k: f32, l: f64,
               out_: out f64[11])
    launch(block = 1, grid = 1)
{
  out_[0] = b ? 1.0f64 : 0;
  out_[1] = f64(c); out_[2] = f64(d); out_[3] = f64(e); out_[4] = f64(f); out_[5] = f64(g);
  out_[6] = f64(h); out_[7] = f64(i); out_[8] = f64(j); out_[9] = f64(k); out_[10] = l;
}
kernel scale<T: type = f32, const N: u32 = 2>(class: in T[], y: out T[])
{
  let i = grid.thread_rank;
  if (i < y.len && i < class.len) y[i] = class[i] * T(N);
}
export scale, scale<i32, 3>;
kernel flip(args: inout bool[4]) launch(block = 4, grid = 1) { args[thread.x] = !args[thread.x]; }
kernel names(NULL: in u32[], NULL_len: u64, stream: u32, stream_: u32, uint64_t: u32, _Generic: u32,
             linux: u32, ck_u32: u32, typeof: u32, out: out u64[1])
    launch(block = 1, grid = 1)
{
  out[0] = NULL.len + NULL_len + stream + stream_ + uint64_t + _Generic + linux + ck_u32 + typeof;
}
kernel ck(LAUNCH_CK_API: u32, launch_ck_embedded: u32, launch_Point: u32, p: Point, out: out u32[1])
    launch(block = 1, grid = 1)
{
  out[0] = LAUNCH_CK_API + launch_ck_embedded + launch_Point + u32(p.x);
}
kernel nothing() launch(block = 1, grid = 1) {}
struct Point { x: i8; at: f64[2]; ok: bool; }
kernel move(p: Point, q: out Point[1]) launch(block = 1, grid = 1)
{
  q[0] = Point(p.x + 1, [p.at[1], p.at[0]], !p.ok);
}
struct Ends { lo: f32; hi: f32; }
algorithm ends(n: u64, x: in f32[n]) -> Ends = Ends(reduce(x, min, inf), reduce(x, max, -inf));
