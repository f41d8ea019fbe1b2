/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* memory_out.c - tests that a compilation that runs out of memory is CK_OUT_OF_MEMORY, wherever it
 * happens: in the compiler's arenas, in LLVM, or while host code is loaded; at once, or going on
 * from the manifest. The process must be able to compile again afterwards. */
#include "ck/compile.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#undef NDEBUG /* release builds check too */
#include <assert.h>

enum { KERNELS = 60, STEPS = 16, STEP_BYTES = 384 << 10, SECONDS = 30 };

static const char small[] = "kernel k() launch(block = 1, grid = 1) { }\n";
static char text[KERNELS * 200];

static size_t used_bytes(void)
{
  size_t pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%zu", &pages) != 1) pages = 0;
  if (file) fclose(file);
  return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static ck_status_t compile(const char *source, ck_emit_t emit, bool in_two)
{
  ck_compile_options_t options = CK_OPTIONS_INIT(ck_compile_options_t);
  ck_compilation_t *result = NULL;
  ck_host_code_t *code;
  size_t bytes;
  options.emit = in_two ? CK_EMIT_MANIFEST : emit;
  options.flags = CK_COMPILE_ISOLATE; /* no thread that opens nvJitLink, and reserves memory */
  options.target = emit == CK_EMIT_PTX ? "sm_90" : "host";
  options.backend = CK_BACKEND_NVPTX;
  ck_status_t status = ck_compile(source, strlen(source), &options, &result);
  assert((status == CK_OUT_OF_MEMORY) == !result);
  options.emit = emit;
  if (status == CK_OK && in_two) status = ck_compile_kernels(result, &options);
  if (status == CK_OK && emit == CK_EMIT_HOST) {
    const void *output = ck_compilation_output(result, &bytes);
    status = ck_host_code_from_bytes(output, bytes, NULL, 0, &code, NULL);
    if (status == CK_OK) ck_host_code_release(code);
  }
  ck_compilation_release(result);
  return status;
}

/* Compiles in a child that may allocate `more` bytes. Returns whether it succeeded. */
static int compile_within(size_t more, ck_emit_t emit, bool in_two)
{
  int status = 0;
  pid_t pid = fork();
  if (!pid) {
    struct rlimit old, limit;
    alarm(SECONDS);
    getrlimit(RLIMIT_AS, &old);
    limit = (struct rlimit){used_bytes() + more, old.rlim_max};
    setrlimit(RLIMIT_AS, &limit);
    ck_status_t first = compile(text, emit, in_two);
    setrlimit(RLIMIT_AS, &old);
    if (first != CK_OK && first != CK_OUT_OF_MEMORY) _exit(2);
    _exit(compile(small, emit, in_two) != CK_OK ? 3 : first == CK_OK);
  }
  assert(waitpid(pid, &status, 0) == pid);
  if (!WIFEXITED(status) || WEXITSTATUS(status) > 1) {
    fprintf(stderr, "form %d within %zu bytes: status %x\n", (int)emit, more, status);
    exit(1);
  }
  return WEXITSTATUS(status);
}

int main(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return 77; /* sanitizers reserve terabytes of addresses */
#endif
  static const struct {
    ck_emit_t emit;
    bool in_two;
  } rows[] = {{CK_EMIT_AST, false},
              {CK_EMIT_PTX, false},
              {CK_EMIT_HOST, false},
              {CK_EMIT_PTX, true},
              {CK_EMIT_HOST, true}};
  size_t end = 0;
  for (int i = 0; i < KERNELS; ++i)
    end +=
        (size_t)sprintf(text + end,
                        "kernel k%d(n: u64, x: inout f32[n]) launch(block = 64, grid = "
                        "ceil_div(n, 64)) { let i = grid.thread_rank; if (i < n) x[i] *= %d; }\n",
                        i, i);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    ck_emit_t emit = rows[i].emit;
    bool in_two = rows[i].in_two;
    int compiled = 0;
    assert(compile(small, emit, in_two) == CK_OK);
    for (size_t step = 0; step < STEPS; ++step)
      compiled += compile_within(step * STEP_BYTES, emit, in_two);
    printf("%d of %d\n", compiled, STEPS);
    assert(compiled < STEPS); /* some ran out of memory */
    assert(compile_within((size_t)1 << 30, emit, in_two) == 1);
  }
  return 0;
}
