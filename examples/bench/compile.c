/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* compile.c - what it takes to turn saxpy's text into a cubin in a warm process, stage by stage.
 *
 * Runs without a GPU. Prints CSV: who,workload,first_ms,median_ms (the first call in the process;
 * the median of the 15 behind it), as NVRTC's peer does; then a row for each pass.
 *
 * Build it beside its peer, and run both on one machine.
 */
#include "bench.h"

#include "ck/compile.h"

static const char source[] = SAXPY;

enum { STAGES_MAX = 16 };

typedef struct Stage {
  char name[16];
  double ms[ROUNDS];
} Stage;

static void read_times(const char *times, Stage *stages, int round)
{
  int i = 0, used = 0;
  double seconds;
  for (char name[16]; i < STAGES_MAX && sscanf(times, "%15s %lf\n%n", name, &seconds, &used) == 2;
       ++i) {
    snprintf(stages[i].name, sizeof stages[i].name, "%s", name);
    stages[i].ms[round] = seconds * 1e3;
    times += used;
  }
}

static double compile_ms(const ck_compile_options_t *options, Stage *stages, int round)
{
  ck_compilation_t *compilation;
  double start = now_us();
  if (ck_compile(source, sizeof source - 1, options, &compilation) != CK_OK) {
    fprintf(stderr, "%s", ck_compilation_log(compilation));
    exit(1);
  }
  double ms = (now_us() - start) * 1e-3;
  if (round >= 0) read_times(ck_compilation_times(compilation), stages, round);
  ck_compilation_release(compilation);
  return ms;
}

int main(void)
{
  static const char *const names[] = {"ck_libnvvm", "ck_nvptx"};
  printf("who,workload,first_ms,median_ms\n");
  for (int backend = 0; backend < 2; ++backend) {
    ck_compile_options_t options = CK_OPTIONS_INIT(ck_compile_options_t);
    options.target = "sm_90";
    options.emit = CK_EMIT_CUBIN;
    options.backend = backend ? CK_BACKEND_NVPTX : CK_BACKEND_LIBNVVM;
    options.flags = CK_COMPILE_TIME;
    Stage stages[STAGES_MAX] = {0};
    double ms[ROUNDS], first = compile_ms(&options, stages, -1);
    for (int i = 0; i < ROUNDS; ++i) ms[i] = compile_ms(&options, stages, i);
    printf("%s,saxpy,%.2f,%.2f\n", names[backend], first, median(ms, ROUNDS));
    for (int i = 0; i < STAGES_MAX && *stages[i].name; ++i)
      printf("%s,saxpy.%s,,%.3f\n", names[backend], stages[i].name, median(stages[i].ms, ROUNDS));
  }
  return 0;
}
