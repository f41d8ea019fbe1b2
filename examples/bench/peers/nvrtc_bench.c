/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvrtc_bench.c - the peer of compile.c: what NVRTC takes to turn CUDA C++ into a cubin, with CUB
 * and without it.
 *
 *   gcc -O2 nvrtc_bench.c -I$CUDA/include -L$CUDA/lib64 -lnvrtc -Wl,-rpath,$CUDA/lib64
 *     -o nvrtc_bench
 *   ./nvrtc_bench [CUDA's folder; without it /usr/local/cuda]
 *
 * Runs without a GPU. Prints CSV: peer,workload,first_ms,median_ms (the first call in the process;
 * the median of the 5 after it).
 */
#include <nvrtc.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now_ms(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

static double compile(const char *src, int n, const char **options)
{
  double start = now_ms();
  nvrtcProgram program;
  nvrtcCreateProgram(&program, src, "peer.cu", 0, 0, 0);
  if (nvrtcCompileProgram(program, n, options) != NVRTC_SUCCESS) {
    size_t bytes;
    nvrtcGetProgramLogSize(program, &bytes);
    char *log = malloc(bytes);
    nvrtcGetProgramLog(program, log);
    fprintf(stderr, "%s\n", log);
    exit(1);
  }
  size_t bytes;
  nvrtcGetCUBINSize(program, &bytes);
  char *cubin = malloc(bytes);
  nvrtcGetCUBIN(program, cubin);
  double ms = now_ms() - start;
  free(cubin);
  nvrtcDestroyProgram(&program);
  return ms;
}

static int less(const void *a, const void *b)
{
  return (*(double *)a > *(double *)b) - (*(double *)a < *(double *)b);
}

static const char saxpy[] =
    "extern \"C\" __global__ void saxpy(float a, float *x, float *y, float *o, size_t n)\n"
    "{ size_t i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) o[i] = a * x[i] + y[i]; }";

static const char block_reduce[] = "#include <cub/block/block_reduce.cuh>\n"
                                   "extern \"C\" __global__ void k(float *x, float *o) {\n"
                                   "typedef cub::BlockReduce<float, 256> B;\n"
                                   "__shared__ typename B::TempStorage t;\n"
                                   "float s = B(t).Sum(x[threadIdx.x + blockIdx.x * 256]);\n"
                                   "if (threadIdx.x == 0) o[blockIdx.x] = s; }";

static const char block_radix_sort[] =
    "#include <cub/block/block_radix_sort.cuh>\n"
    "extern \"C\" __global__ void k(unsigned *x) {\n"
    "typedef cub::BlockRadixSort<unsigned, 256, 4> B;\n"
    "__shared__ typename B::TempStorage t; unsigned v[4];\n"
    "for (int i = 0; i < 4; ++i) v[i] = x[blockIdx.x * 1024 + threadIdx.x * 4 + i];\n"
    "B(t).Sort(v); for (int i = 0; i < 4; ++i) x[blockIdx.x * 1024 + threadIdx.x * 4 + i] = v[i]; "
    "}";

static void bench(const char *name, const char *src, int n, const char **options)
{
  double first = compile(src, n, options), rest[5];
  for (int i = 0; i < 5; ++i) rest[i] = compile(src, n, options);
  qsort(rest, 5, sizeof *rest, less);
  printf("nvrtc,%s,%.1f,%.1f\n", name, first, rest[2]);
  fflush(stdout);
}

int main(int argc, char **argv)
{
  const char *root = argc > 1 ? argv[1] : "/usr/local/cuda";
  char cccl[512], include[512];
  snprintf(cccl, sizeof cccl, "-I%s/include/cccl", root);
  snprintf(include, sizeof include, "-I%s/include", root);
  const char *plain[] = {"-arch=sm_90", "-std=c++17"};
  const char *cub[] = {"-arch=sm_90", "-std=c++17", cccl, include, "-default-device"};
  printf("peer,workload,first_ms,median_ms\n");
  bench("saxpy", saxpy, 2, plain);
  bench("block_reduce", block_reduce, 5, cub);
  bench("block_radix_sort", block_radix_sort, 5, cub);
  return 0;
}
