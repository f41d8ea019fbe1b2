/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* kernels.c - times the kernels of kernels.ck as nvcc's peer does: the same inputs, shapes, batches
 * and checksums. The ninth, softmax_rows, has no peer and runs on 2^28 elements.
 *
 *   kernels           prints CSV: who,kernel,shape,median_us,checksum,gb_per_s (the last one for
 *                     kernels that memory limits). Exit 77 without a GPU
 *   kernels --check   compares small shapes with plain C, on $CK_DEVICE, else a GPU, else the host.
 *                     Exit 1 if one differs
 */
#include "bench.h"

#include "kernels.ck.text"

#include <math.h>
#include <stdbool.h>

typedef enum Id {
  TRANSPOSE,
  STENCIL,
  SOFTMAX,
  MATMUL,
  NBODY,
  MANDELBROT,
  HISTOGRAM,
  SCAN,
  ROWS
} Id;

/* `differ`: the tolerance for an element compared with plain C, relative to max(1, its
 * magnitude). */
typedef struct Work {
  const char *kernel, *shape;
  Id id;
  uint32_t h, w;
  size_t in, out; /* words */
  unsigned bytes; /* minimum of transferred bytes per element; 0: not limited by memory */
  double differ;
} Work;

#define MI ((size_t)1 << 20)

static const Work measured[] = {
    {"transpose", "8192x8192", TRANSPOSE, 8192, 8192, 64 * MI, 64 * MI, 8, 0},
    {"stencil", "8192x8192", STENCIL, 8192, 8192, 64 * MI, 64 * MI, 8, 0},
    {"softmax", "16384x4096", SOFTMAX, 16384, 4096, 64 * MI, 64 * MI, 8, 0},
    {"matmul", "4096", MATMUL, 4096, 4096, 16 * MI, 16 * MI, 0, 0},
    {"nbody", "65536", NBODY, 65536, 4, 65536 * 4, 65536 * 4, 0, 0},
    {"mandelbrot", "8192x8192", MANDELBROT, 8192, 8192, 1, 64 * MI, 0, 0},
    {"histogram", "2^26", HISTOGRAM, 64 << 20, 1, 64 * MI, 256, 4, 0},
    {"warp_scan", "2^26", SCAN, 64 << 20, 1, 64 * MI, 64 * MI, 8, 0},
    {"softmax_rows", "65536x4096", ROWS, 65536, 4096, 256 * MI, 256 * MI, 8, 0},
};

static const Work checked[] = {
    {"transpose", "70x45", TRANSPOSE, 70, 45, 70 * 45, 70 * 45, 0, 0},
    {"stencil", "45x70", STENCIL, 45, 70, 45 * 70, 45 * 70, 0, 1e-6},
    {"softmax", "3x1000", SOFTMAX, 3, 1000, 3000, 3000, 0, 1e-6},
    {"matmul", "256", MATMUL, 256, 256, 65536, 65536, 0, 1e-5},
    {"nbody", "512", NBODY, 512, 4, 2048, 2048, 0, 1e-4},
    {"mandelbrot", "70x45", MANDELBROT, 45, 70, 1, 45 * 70, 0, 0},
    {"histogram", "100000", HISTOGRAM, 100000, 1, 100000, 256, 0, 0},
    {"warp_scan", "8192", SCAN, 8192, 1, 8192, 8192, 0, 0},
    {"softmax_rows", "3x4096", ROWS, 3, 4096, 3 * 4096, 3 * 4096, 0, 1e-6},
};

typedef struct Bench {
  ck_device_t *device;
  ck_stream_t *stream;
  ck_buffer_t *a, *b, *c;
} Bench;

static void *words(size_t count)
{
  void *memory = calloc(count, 4);
  if (memory) return memory;
  fprintf(stderr, "out of memory: %zu words\n", count);
  exit(1);
}

static bool takes_integers(Id id)
{
  return id == HISTOGRAM || id == SCAN;
}

/* Element i of input k is a hash of i * 4 + k, as in the peer. */
static void *input(const Work *work, uint32_t k)
{
  uint32_t *integers = words(work->in);
  float *floats = (float *)integers;
  for (size_t i = 0; i < work->in; ++i) {
    uint32_t x = (uint32_t)i * 4 + k;
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    x ^= x >> 16;
    if (takes_integers(work->id)) integers[i] = x;
    else floats[i] = (float)x * 0x1p-32f;
  }
  return integers;
}

static void launch(const Bench *on, const Work *work, ck_kernel_t *kernel)
{
  ck_stream_t *s = on->stream;
  uint32_t h = work->h, w = work->w;
  switch (work->id) {
  case MATMUL: TRY(ck_launch(s, NULL, kernel, h, on->a, on->b, on->c)); break;
  case NBODY: TRY(ck_launch(s, NULL, kernel, h, on->a, on->c)); break;
  case MANDELBROT: TRY(ck_launch(s, NULL, kernel, w, h, on->c)); break;
  case HISTOGRAM:
  case SCAN: TRY(ck_launch(s, NULL, kernel, (uint64_t)h, on->a, on->c)); break;
  case ROWS: TRY(ck_launch(s, NULL, kernel, h, on->a, on->c)); break;
  default: TRY(ck_launch(s, NULL, kernel, h, w, on->a, on->c)); break;
  }
}

static ck_object_code_t *compile(ck_device_t *device, ck_backend_t backend)
{
  ck_compile_options_t options = CK_OPTIONS_INIT(ck_compile_options_t);
  ck_program_t *program;
  ck_object_code_t *code;
  options.backend = backend;
  TRY(ck_program_create(kernels_ck, sizeof kernels_ck - 1, &options, &program));
  TRY(ck_program_compile(program, device, &code));
  ck_program_release(program);
  return code;
}

static ck_buffer_t *buffer_of(const Bench *on, const void *data, size_t count)
{
  ck_buffer_t *buffer;
  TRY(ck_buffer_create(on->device, count * 4, on->stream, &buffer));
  if (data) TRY(ck_buffer_write(buffer, 0, data, count * 4, on->stream));
  else TRY(ck_buffer_fill(buffer, 0, count * 4, 0, 4, on->stream));
  return buffer;
}

static void release(Bench *on)
{
  ck_buffer_release(on->a);
  ck_buffer_release(on->b);
  ck_buffer_release(on->c);
}

/* Launches once and returns the output. */
static uint32_t *run_once(const Bench *on, const Work *work, ck_kernel_t *kernel)
{
  uint32_t *out = words(work->out);
  launch(on, work, kernel);
  TRY(ck_buffer_read(on->c, 0, out, work->out * 4, on->stream));
  TRY(ck_stream_sync(on->stream));
  return out;
}

/* ---- times ---- */

static double batch_us(const Bench *on, const Work *work, ck_kernel_t *kernel,
                       ck_event_t *events[2], int launches)
{
  double seconds;
  TRY(ck_stream_record(on->stream, events[0]));
  for (int i = 0; i < launches; ++i) launch(on, work, kernel);
  TRY(ck_stream_record(on->stream, events[1]));
  TRY(ck_event_sync(events[1]));
  TRY(ck_event_get_elapsed(events[0], events[1], &seconds));
  return seconds * 1e6 / launches;
}

static double time_us(const Bench *on, const Work *work, ck_kernel_t *kernel)
{
  ck_event_t *events[2];
  ck_event_options_t timing = CK_OPTIONS_INIT(ck_event_options_t);
  timing.flags = CK_EVENT_TIMING;
  for (int i = 0; i < 2; ++i) TRY(ck_event_create(on->device, &timing, &events[i]));
  for (int i = 0; i < 3; ++i) launch(on, work, kernel);
  double us[ROUNDS], one = batch_us(on, work, kernel, events, 1);
  int launches = (int)(2000 / (one > 1 ? one : 1));
  launches = launches < 1 ? 1 : launches > 200 ? 200 : launches;
  for (int i = 0; i < ROUNDS; ++i) us[i] = batch_us(on, work, kernel, events, launches);
  for (int i = 0; i < 2; ++i) ck_event_release(events[i]);
  return median(us, ROUNDS);
}

static void measure(Bench *on, const Work *work, ck_object_code_t *const codes[2])
{
  static const char *const names[] = {"ck_libnvvm", "ck_nvptx"};
  void *a = input(work, 0), *b = work->id == MATMUL ? input(work, 1) : NULL;
  for (int i = 0; i < 2; ++i) {
    ck_kernel_t *kernel;
    uint64_t sum = 0;
    *on = (Bench){on->device, on->stream, buffer_of(on, a, work->in),
                  buffer_of(on, b, b ? work->in : 1), buffer_of(on, NULL, work->out)};
    TRY(ck_kernel_from_code(codes[i], on->device, work->kernel, &kernel));
    uint32_t *out = run_once(on, work, kernel);
    for (size_t k = 0; k < work->out; ++k) sum = sum * 1099511628211u + out[k];
    double us = time_us(on, work, kernel);
    printf("%s,%s,%s,%.3f,%016llx,", names[i], work->kernel, work->shape, us,
           (unsigned long long)sum);
    if (work->bytes) printf("%.0f", 1e-3 * work->bytes * (double)work->in / us);
    printf("\n");
    fflush(stdout);
    free(out);
    ck_kernel_release(kernel);
    release(on);
  }
  free(a);
  free(b);
}

/* ---- checks: each kernel in plain C, sums in f64 ---- */

static void plain_stencil(const Work *work, const float *a, float *c)
{
  size_t w = work->w;
  for (size_t y = 1; y + 1 < work->h; ++y)
    for (size_t i = y * w + 1; i < y * w + w - 1; ++i)
      c[i] = 0.5f * a[i] + 0.125f * (a[i - 1] + a[i + 1] + a[i - w] + a[i + w]);
}

static void plain_softmax(const Work *work, const float *a, float *c)
{
  for (size_t y = 0; y < work->h; ++y, a += work->w, c += work->w) {
    double top = -INFINITY, sum = 0;
    for (size_t x = 0; x < work->w; ++x) top = fmax(top, a[x]);
    for (size_t x = 0; x < work->w; ++x) sum += exp(a[x] - top);
    for (size_t x = 0; x < work->w; ++x) c[x] = (float)(exp(a[x] - top) / sum);
  }
}

static void plain_matmul(const Work *work, const float *a, const float *b, float *c)
{
  size_t n = work->h;
  for (size_t i = 0; i < n * n; ++i) {
    double sum = 0;
    for (size_t k = 0; k < n; ++k) sum += (double)a[i / n * n + k] * b[k * n + i % n];
    c[i] = (float)sum;
  }
}

static void plain_nbody(const Work *work, const float *p, float *f)
{
  for (size_t i = 0; i < work->h; ++i) {
    double sum[3] = {0};
    for (size_t j = 0; j < work->h; ++j) {
      double d[3], square = 1e-3f;
      for (int k = 0; k < 3; ++k) d[k] = (double)p[4 * j + k] - p[4 * i + k];
      for (int k = 0; k < 3; ++k) square += d[k] * d[k];
      for (int k = 0; k < 3; ++k) sum[k] += p[4 * j + 3] * d[k] / (square * sqrt(square));
    }
    for (int k = 0; k < 3; ++k) f[4 * i + k] = (float)sum[k];
  }
}

static void plain_mandelbrot(const Work *work, uint32_t *c)
{
  for (uint32_t i = 0; i < work->h * work->w; ++i) {
    float cx = -2 + 3 * (float)(i % work->w) / (float)work->w;
    float cy = -1.5f + 3 * (float)(i / work->w) / (float)work->h, zx = 0, zy = 0;
    for (; c[i] < 256 && zx * zx + zy * zy < 4; ++c[i]) {
      float t = zx * zx - zy * zy + cx;
      zy = 2 * zx * zy + cy;
      zx = t;
    }
  }
}

static void *plain(const Work *work, const void *a, const void *b)
{
  const float *floats = a;
  const uint32_t *integers = a;
  uint32_t *c = words(work->out), h = work->h, w = work->w;
  switch (work->id) {
  case TRANSPOSE:
    for (uint32_t i = 0; i < h * w; ++i) c[i % w * h + i / w] = integers[i];
    break;
  case STENCIL: plain_stencil(work, floats, (float *)c); break;
  case SOFTMAX:
  case ROWS: plain_softmax(work, floats, (float *)c); break;
  case MATMUL: plain_matmul(work, floats, b, (float *)c); break;
  case NBODY: plain_nbody(work, floats, (float *)c); break;
  case MANDELBROT: plain_mandelbrot(work, c); break;
  case HISTOGRAM:
    for (uint32_t i = 0; i < h; ++i) ++c[integers[i] & 255];
    break;
  case SCAN:
    for (uint32_t i = 0; i < h; ++i) c[i] = integers[i] + (i % 32 ? c[i - 1] : 0);
    break;
  }
  return c;
}

static size_t count_wrong(const Work *work, const uint32_t *got, const uint32_t *expected)
{
  const float *x = (const float *)got, *y = (const float *)expected;
  size_t wrong = 0;
  for (size_t i = 0; i < work->out; ++i)
    if (work->differ) wrong += !(fabs(x[i] - y[i]) <= work->differ * fmax(1, fabs(y[i])));
    else wrong += got[i] != expected[i];
  /* A point at the edge of the set escapes at another step if a product is fused into a sum. */
  return work->id == MANDELBROT && wrong <= work->out / 100 ? 0 : wrong;
}

static int check(Bench *on, const Work *work, ck_object_code_t *code)
{
  ck_kernel_t *kernel;
  void *a = input(work, 0), *b = input(work, 1), *expected = plain(work, a, b);
  *on = (Bench){on->device, on->stream, buffer_of(on, a, work->in), buffer_of(on, b, work->in),
                buffer_of(on, NULL, work->out)};
  TRY(ck_kernel_from_code(code, on->device, work->kernel, &kernel));
  uint32_t *out = run_once(on, work, kernel);
  size_t wrong = count_wrong(work, out, expected);
  printf("%s %s on %s: ", work->kernel, work->shape, ck_device_name(on->device));
  if (wrong) printf("%zu of %zu differ\n", wrong, work->out);
  else printf("right\n");
  ck_kernel_release(kernel);
  release(on);
  free(a);
  free(b);
  free(out);
  free(expected);
  return wrong != 0;
}

static int check_all(void)
{
  Bench on = {0};
  int status = 0;
  TRY(ck_device_open_auto(&on.device));
  TRY(ck_stream_create(on.device, NULL, &on.stream));
  for (int backend = 0; backend < (ck_device_is_host(on.device) ? 1 : 2); ++backend) {
    ck_object_code_t *code = compile(on.device, backend ? CK_BACKEND_NVPTX : CK_BACKEND_AUTO);
    for (size_t i = 0; i < sizeof checked / sizeof *checked; ++i)
      status |= check(&on, &checked[i], code);
    ck_object_code_release(code);
  }
  ck_stream_release(on.stream);
  ck_device_release(on.device);
  return status;
}

int main(int argc, char *argv[])
{
  if (argc > 1 && !strcmp(argv[1], "--check")) return check_all();
  Bench on = {0};
  if (ck_device_open(0, &on.device) != CK_OK) {
    fprintf(stderr, "no GPU: %s\n", ck_last_error());
    return 77;
  }
  TRY(ck_stream_create(on.device, NULL, &on.stream));
  ck_object_code_t *codes[] = {compile(on.device, CK_BACKEND_LIBNVVM),
                               compile(on.device, CK_BACKEND_NVPTX)};
  printf("who,kernel,shape,median_us,checksum,gb_per_s\n");
  for (size_t i = 0; i < sizeof measured / sizeof *measured; ++i) measure(&on, &measured[i], codes);
  for (int i = 0; i < 2; ++i) ck_object_code_release(codes[i]);
  ck_stream_release(on.stream);
  ck_device_release(on.device);
  return 0;
}
