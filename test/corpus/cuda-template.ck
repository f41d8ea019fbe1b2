template <typename T>
__global__ void fill(T *y, T value, size_t n) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n) y[i] = value;
}
