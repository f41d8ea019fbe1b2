/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* frontend.c - the speed of the front end: text to manifest (lexing, parsing, name resolution and
 * type checking) on one core, for programs from a thousand to a million lines.
 *
 * Prints CSV: lines,first_ms,median_ms,lines_per_s,bytes_per_line,fixed_kib,cpu_ms. Each size is
 * measured in its own process: the first compilation gets its memory from the system, the next ones
 * reuse it. Memory is the process's high-water mark. fixed_kib is the increase for a program of one
 * function and one kernel: the compiler's code and tables, and the used part of the library;
 * bytes_per_line is the further increase for each line. cpu_ms is the median CPU time, user and
 * system, for machines with other load.
 */
#include "bench.h"

#include "ck/compile.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BLOCK_LINES = 18, BLOCK_BYTES_MAX = 1024, ROUNDS_MAX = 5 };

/* Prints one function and one kernel: loops, calls, overloads, generic functions, literals. */
static int print_block(char *text, int i)
{
  return snprintf(text, BLOCK_BYTES_MAX,
                  "// function %d\n"
                  "fn part%d(a: f32, b: i32, x: in f32[]) -> f32 {\n"
                  "    var sum = a * 2.0 + f32(b);\n"
                  "    let limit = min(b, %d);\n"
                  "    for (k in 0..limit) {\n"
                  "        if (k %% 3 == 0 && sum < 100.0) sum += x[k] * a - 1.5;\n"
                  "        else sum -= f32(k) / (a + 1.0);\n"
                  "        let t = k * %d + (b << 2) - (k & 7);\n"
                  "        sum = max(sum, f32(t)) + sqrt(abs(a));\n"
                  "    }\n"
                  "    while (sum > 1000.0) sum *= 0.5;\n"
                  "    return sum;\n"
                  "}\n"
                  "kernel step%d(n: u32, x: in f32[n], y: out f32[n])\n"
                  "    launch(block = 256, grid = ceil_div(n, 256)) {\n"
                  "    let i = grid.thread_rank;\n"
                  "    if (i < n) y[i] = part%d(x[i], %d, x) + 1.0;\n"
                  "}\n",
                  i, i, i % 100 + 1, i, i, i, i);
}

static double check_ms(const char *text, size_t bytes)
{
  ck_compile_options_t options = CK_OPTIONS_INIT(ck_compile_options_t);
  ck_compilation_t *compilation;
  options.target = "host";
  options.emit = CK_EMIT_MANIFEST;
  double start = now_us();
  if (ck_compile(text, bytes, &options, &compilation) != CK_OK) {
    fprintf(stderr, "%.2000s", ck_compilation_log(compilation));
    exit(1);
  }
  double ms = (now_us() - start) * 1e-3;
  ck_compilation_release(compilation);
  return ms;
}

static double cpu_ms(void)
{
  struct timespec used;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return (double)used.tv_sec * 1e3 + (double)used.tv_nsec * 1e-6;
}

static long held_kib(void)
{
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

static void measure(int lines)
{
  int blocks = lines / BLOCK_LINES + 1;
  char *text = malloc((size_t)blocks * BLOCK_BYTES_MAX);
  size_t bytes = 0;
  if (!text) exit(1);
  for (int i = 0; i < blocks; ++i) bytes += (size_t)print_block(text + bytes, i);
  lines = blocks * BLOCK_LINES;
  long start = held_kib();
  check_ms(text, strstr(text, "// function 1\n") - text);
  long before = held_kib();
  double ms[ROUNDS_MAX], cpu[ROUNDS_MAX], first = check_ms(text, bytes);
  long after = held_kib();
  for (int i = 0; i < ROUNDS_MAX; ++i) {
    cpu[i] = cpu_ms();
    ms[i] = check_ms(text, bytes);
    cpu[i] = cpu_ms() - cpu[i];
  }
  double middle = median(ms, ROUNDS_MAX);
  printf("%d,%.1f,%.1f,%.0f,%.0f,%ld,%.1f\n", lines, first, middle, lines / middle * 1e3,
         (double)(after - before) * 1024 / lines, before - start, median(cpu, ROUNDS_MAX));
  free(text);
}

int main(void)
{
  static const int sizes[] = {1000, 10000, 100000, 1000000};
  int status = 0;
  printf("lines,first_ms,median_ms,lines_per_s,bytes_per_line,fixed_kib,cpu_ms\n");
  fflush(stdout);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes && !status; ++i) {
    pid_t child = fork();
    if (child == 0) {
      measure(sizes[i]);
      return 0;
    }
    if (child < 0 || waitpid(child, &status, 0) < 0) return 1;
  }
  return status != 0;
}
