__global__ void k(const float &x, float *y) { y[0] = x; }
