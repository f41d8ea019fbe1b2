/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* bench.h - what the benchmarks share: medians, and rows of "who,workload,value,unit". */
#ifndef CK_BENCH_H
#define CK_BENCH_H

#include "ck/ck.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TRY(call)                                                                                  \
  do {                                                                                             \
    if ((call) == CK_OK) break;                                                                    \
    fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, ck_last_error());                           \
    exit(1);                                                                                       \
  } while (0)

enum { ROUNDS = 15 };

/* The programs whose compile times are measured. */
#define SAXPY                                                                                      \
  "kernel saxpy(n: u64, a: f32, x: in f32[n], y: in f32[n], z: out f32[n])\n"                      \
  "    launch(block = 256, grid = ceil_div(n, 256))\n"                                             \
  "{\n"                                                                                            \
  "    let i = grid.thread_rank;\n"                                                                \
  "    if (i < n) z[i] = a * x[i] + y[i];\n"                                                       \
  "}\n"

static inline double now_us(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

static inline int by_value(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static inline double median(double *values, size_t count)
{
  qsort(values, count, sizeof *values, by_value);
  return values[count / 2];
}

/* Opens the driver and looks up its functions by name; `out` receives a pointer for each. */
static inline void open_driver(const char *const *names, size_t count, void *out)
{
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  for (size_t i = 0; i < count; ++i) {
    void *found = library ? dlsym(library, names[i]) : NULL;
    if (!found) {
      fprintf(stderr, "the driver lacks %s\n", names[i]);
      exit(1);
    }
    memcpy((char *)out + i * sizeof found, &found, sizeof found);
  }
}

static inline void must(int status)
{
  if (!status) return;
  fprintf(stderr, "the driver answers with %d\n", status);
  exit(1);
}

static inline void row(const char *who, const char *workload, double value, const char *unit)
{
  printf("%s,%s,%.4f,%s\n", who, workload, value, unit);
  fflush(stdout);
}

#endif
