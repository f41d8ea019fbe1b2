/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* compile.c - the time to compile text to a cubin in a warm process, stage by stage: saxpy, a block
 * sum and a block radix sort, the same programs as NVRTC's peer has in CUDA C++ with CUB.
 *
 * Runs without a GPU. Prints CSV: who,workload,first_ms,median_ms (the first call in the process;
 * the median of the next 15), as NVRTC's peer does; then a row for each pass.
 *
 * Build it beside its peer, and run both on one machine.
 */
#include "bench.h"

#include "ck/compile.h"

enum { STAGES_MAX = 16 };

typedef struct Workload {
  const char *name, *source;
} Workload;

static const Workload workloads[] = {
    {"saxpy", SAXPY},
    {"block_reduce", "kernel k(x: in f32[], o: out f32[]) launch(block = 256) {\n"
                     "    let s = block.reduce(x[grid.thread_rank], +);\n"
                     "    if (thread.rank == 0) o[block.id.x] = s;\n}\n"},
    {"block_radix_sort", "kernel k(x: inout u32[]) launch(block = 256) {\n"
                         "    let v = block.load(x, block.id.x * 1024, 4);\n"
                         "    block.store(x, block.id.x * 1024, block.radix_sort(v));\n}\n"},
};

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

static double compile_ms(const char *source, const ck_compile_options_t *options, Stage *stages,
                         int round)
{
  ck_compilation_t *compilation;
  double start = now_us();
  if (ck_compile(source, strlen(source), options, &compilation) != CK_OK) {
    fprintf(stderr, "%s", ck_compilation_log(compilation));
    exit(1);
  }
  double ms = (now_us() - start) * 1e-3;
  if (round >= 0) read_times(ck_compilation_times(compilation), stages, round);
  ck_compilation_release(compilation);
  return ms;
}

static void measure(const Workload *workload, ck_backend_t backend, const char *who)
{
  ck_compile_options_t options = CK_OPTIONS_INIT(ck_compile_options_t);
  Stage stages[STAGES_MAX] = {0};
  options.target = "sm_90";
  options.emit = CK_EMIT_CUBIN;
  options.backend = backend;
  options.flags = CK_COMPILE_TIME;
  double ms[ROUNDS], first = compile_ms(workload->source, &options, stages, -1);
  for (int i = 0; i < ROUNDS; ++i) ms[i] = compile_ms(workload->source, &options, stages, i);
  printf("%s,%s,%.2f,%.2f\n", who, workload->name, first, median(ms, ROUNDS));
  for (int i = 0; i < STAGES_MAX && *stages[i].name; ++i)
    printf("%s,%s.%s,,%.3f\n", who, workload->name, stages[i].name, median(stages[i].ms, ROUNDS));
}

int main(void)
{
  printf("who,workload,first_ms,median_ms\n");
  for (size_t i = 0; i < sizeof workloads / sizeof *workloads; ++i) {
    measure(&workloads[i], CK_BACKEND_LIBNVVM, "ck_libnvvm");
    measure(&workloads[i], CK_BACKEND_NVPTX, "ck_nvptx");
  }
  return 0;
}
