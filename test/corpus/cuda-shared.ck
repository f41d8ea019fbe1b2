kernel k(n: u32, x: in f32[n], y: out f32[n]) {
    __shared__ float tile[256];
    tile[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = tile[255 - threadIdx.x];
}
