// The files of the library are seen without an import.
// RUN: %ckc %s --target=sm_90 --stop-after=check
kernel k(x: inout f32[4], y: inout u32[4])
{
    atomic.add(x[0], sqrt(x[1]) + sum(f32x4(1)) + f32(sin(f16(1))) + warp.sum(x[2]));
    store(y[0], popcount(y[1]) + u32(x.map(|v| v)[0]) + cluster.rank);
}
