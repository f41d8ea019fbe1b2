/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* first_use.c - the time from an algorithm's text to its result, in a process that has compiled
 * nothing yet.
 *
 * Each measurement is a process of its own, since opened libraries and kept code make later ones
 * faster:
 *
 *     open the device, copy the input  | compile, load, launch, copy the last element back |
 *                                        measured
 *
 * The cache folders, CK's and the driver's, are empty for the column first_ms, and have what that
 * process left for disk_ms. Both are medians. Three columns say what first_ms consists of, as
 * medians too: head_ms until the program is checked, launch_ms until all is compiled, loaded and
 * launched, wait_ms until the result is there. The last column has the build times of
 * cuda.cccl.parallel that its authors publish for the same algorithms: there, building comes before
 * every first call, of whatever size.
 *
 * Usage: first_use [TEXT]: only the algorithms with TEXT in their name. Exit 77 without a GPU;
 * with CK_DEVICE=host the host device runs the smallest size, which shows that all is in order.
 */
#include "bench.h"

#include <stdbool.h>
#include <unistd.h>

typedef struct Work {
  const char *name, *text;
  bool has_input_of_numbers; /* the sorts' input; the others add up ones */
  double cccl_ms;
} Work;

static const Work works[] = {
    {"reduce", "algorithm run(n: u64, x: in f32[n]) -> f32 = reduce(x, +, 0.0);", false, 1016},
    {"scan", "algorithm run(n: u64, x: in f32[n], y: out f32[n]) { inclusive_scan(x, y, +); }",
     false, 1286},
    {"merge_sort", "algorithm run(n: u64, x: in i32[n], y: out i32[n]) { merge_sort(x, y, <); }",
     true, 891},
    {"radix_sort", "algorithm run(n: u64, x: in u32[n], y: out u32[n]) { radix_sort(x, to = y); }",
     true, 2266},
};

static const char *const backends[] = {"libNVVM", "NVPTX"};

enum { MEASUREMENTS = 5 };

typedef struct Times {
  double ms[4]; /* all, and what it consists of */
} Times;

static bool is_host(void)
{
  const char *device = getenv("CK_DEVICE");
  return device && !strcmp(device, "host");
}

static void fill(const Work *work, uint32_t *x, uint64_t n)
{
  float one = 1;
  for (uint64_t i = 0; i < n; ++i)
    if (work->has_input_of_numbers) x[i] = (uint32_t)(i * 2654435761u) >> 1; /* not negative */
    else memcpy(&x[i], &one, sizeof one);
}

static bool is_right(const Work *work, const uint32_t *y, uint64_t n, uint64_t results)
{
  float last;
  memcpy(&last, &y[results - 1], sizeof last);
  if (!work->has_input_of_numbers) return last == (float)n;
  for (uint64_t i = 1; i < n; ++i)
    if (y[i - 1] > y[i]) return false;
  return true;
}

/* Runs the algorithm once, and prints the milliseconds: of all, and of the three parts. */
static int run_once(const Work *work, int backend, uint64_t n)
{
  ck_device_t *device;
  ck_stream_t *stream;
  ck_buffer_t *x, *y;
  ck_program_t *program;
  ck_object_code_t *code;
  ck_kernel_t *kernel;
  uint64_t results = strcmp(work->name, "reduce") != 0 ? n : 1;
  uint32_t *values = malloc(n * 4), last;
  if (!values) return 1;
  fill(work, values, n);
  if (is_host()) TRY(ck_device_open_auto(&device));
  else TRY(ck_device_open(0, &device));
  TRY(ck_stream_create(device, NULL, &stream));
  TRY(ck_buffer_create(device, n * 4, stream, &x));
  TRY(ck_buffer_create(device, results * 4, stream, &y));
  TRY(ck_buffer_write(x, 0, values, n * 4, stream));
  TRY(ck_stream_sync(stream));
  ck_compile_options_t options = CK_OPTIONS_INIT(ck_compile_options_t);
  options.backend = backend ? CK_BACKEND_NVPTX : CK_BACKEND_LIBNVVM;

  double start = now_us();
  TRY(ck_program_create(work->text, strlen(work->text), &options, &program));
  TRY(ck_program_compile(program, device, &code));
  double head = now_us();
  TRY(ck_kernel_from_code(code, device, "run", &kernel));
  TRY(ck_launch(stream, NULL, kernel, n, x, y));
  double launched = now_us();
  TRY(ck_buffer_read(y, (results - 1) * 4, &last, 4, stream));
  TRY(ck_stream_sync(stream));
  double end = now_us();

  TRY(ck_buffer_read(y, 0, values, results * 4, stream));
  TRY(ck_stream_sync(stream));
  if (!is_right(work, values, n, results)) {
    fprintf(stderr, "%s: the result is wrong\n", work->name);
    return 1;
  }
  printf("%.6f %.6f %.6f %.6f\n", (end - start) * 1e-3, (head - start) * 1e-3,
         (launched - head) * 1e-3, (end - launched) * 1e-3);
  ck_kernel_release(kernel);
  ck_object_code_release(code);
  ck_program_release(program);
  ck_buffer_release(x);
  ck_buffer_release(y);
  ck_stream_release(stream);
  ck_device_release(device);
  free(values);
  return 0;
}

static void in_process(const char *self, const Work *work, int backend, int log2, Times *out)
{
  char command[4096];
  snprintf(command, sizeof command, "'%s' once %d %d %d", self, (int)(work - works), backend, log2);
  FILE *pipe = popen(command, "r");
  double *ms = out->ms;
  if (!pipe || fscanf(pipe, "%lf %lf %lf %lf", &ms[0], &ms[1], &ms[2], &ms[3]) != 4) exit(1);
  pclose(pipe);
}

static double median_of(const Times *times, int part)
{
  double values[MEASUREMENTS];
  for (int i = 0; i < MEASUREMENTS; ++i) values[i] = times[i].ms[part];
  return median(values, MEASUREMENTS);
}

static void measure(const char *self, const Work *work, int backend, int log2)
{
  Times first[MEASUREMENTS], disk[MEASUREMENTS];
  for (int i = 0; i < MEASUREMENTS; ++i) {
    char folder[] = "/tmp/ck-bench-XXXXXX", command[64];
    if (!mkdtemp(folder)) exit(1);
    setenv("CK_CACHE_DIR", folder, 1);
    setenv("CUDA_CACHE_PATH", folder, 1);
    in_process(self, work, backend, log2, &first[i]);
    in_process(self, work, backend, log2, &disk[i]);
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    if (system(command) != 0) exit(1);
  }
  printf("%s,%s,%llu,%.1f,%.2f,%.1f,%.1f,%.1f,%.0f\n", backends[backend], work->name, 1ull << log2,
         median_of(first, 0), median_of(disk, 0), median_of(first, 1), median_of(first, 2),
         median_of(first, 3), work->cccl_ms);
  fflush(stdout);
}

int main(int argc, char *argv[])
{
  if (argc == 5 && !strcmp(argv[1], "once"))
    return run_once(&works[atoi(argv[2])], atoi(argv[3]), (uint64_t)1 << atoi(argv[4]));
  char self[2048];
  ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);
  if (len < 0) return 1;
  self[len] = 0;
  ck_device_t *device;
  if (!is_host() && ck_device_open(0, &device) != CK_OK) {
    fprintf(stderr, "no GPU: %s\n", ck_last_error());
    return 77;
  }
  if (!is_host()) ck_device_release(device);
  printf("who,workload,n,first_ms,disk_ms,head_ms,launch_ms,wait_ms,cccl_ms\n");
  for (size_t i = 0; i < sizeof works / sizeof *works; ++i)
    for (int backend = 0; backend < (is_host() ? 1 : 2); ++backend)
      for (int log2 = 16; log2 <= (is_host() ? 16 : 24); log2 += 4)
        if (argc < 2 || strstr(works[i].name, argv[1])) measure(self, &works[i], backend, log2);
  return 0;
}
