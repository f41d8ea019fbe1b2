__global__ void k(float **rows, float *y) { y[0] = rows[0][0]; }
