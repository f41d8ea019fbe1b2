__device__ float square(float x) { return x * x; }
kernel k(y: out f32[1]) { y[0] = square(2.0f); }
