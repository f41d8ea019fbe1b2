/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* targets.c - what CUDA's libraries do wrong becomes a message: libNVVM that crashes, refuses or
 * leaves things out, nvJitLink that refuses. They are played by Inputs/fake_cuda.c. */
#include "base.h"
#include "ck/compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#undef NDEBUG /* release builds check too */
#include <assert.h>

static const char source[] = "kernel k() {}";

static void expect(const char *mode, ck_emit_t emit, uint32_t flags, ck_status_t status,
                   const char *message)
{
  setenv("FAKE_CUDA", mode, 1);
  ck_compile_options_t options = CK_OPTIONS_INIT(ck_compile_options_t);
  options.target = "sm_90";
  options.emit = emit;
  options.backend = CK_BACKEND_LIBNVVM;
  options.flags = flags;
  ck_compilation_t *compilation;
  ck_status_t got = ck_compile(source, strlen(source), &options, &compilation);
  const char *log = ck_compilation_log(compilation);
  if (got != status || !strstr(log, message)) {
    fprintf(stderr, "%s: status %d, log: %s\nexpected: %s\n", mode, got, log, message);
    exit(1);
  }
  ck_compilation_release(compilation);
}

static void too_long(void)
{
  ck_compilation_t *compilation;
  ck_compile_options_t options = CK_OPTIONS_INIT(ck_compile_options_t);
  size_t bytes = (size_t)1 << 31;
  assert(ck_compile(source, bytes, &options, &compilation) == CK_COMPILE);
  assert(strstr(ck_compilation_log(compilation), "[source_size]"));
  ck_compilation_release(compilation);
}

int main(void)
{
  Arena arena = {0};
  const char *build = getenv("CK_BUILD");
  if (!build) return 77;
  setenv("CK_CUDA_HOME", arena_printf(&arena, "%s/fake-cuda", build), 1);
  expect("fine", CK_EMIT_PTX, 0, CK_OK, "");
  expect("fine", CK_EMIT_CUBIN, 0, CK_OK, "");
  expect("refuse", CK_EMIT_PTX, 0, CK_COMPILE,
         "error: libNVVM refused the module: refused: no such thing [libnvvm_failed]");
  expect("refuse", CK_EMIT_PTX, CK_COMPILE_ISOLATE, CK_COMPILE, "[libnvvm_failed]");
  expect("crash", CK_EMIT_PTX, CK_COMPILE_ISOLATE, CK_COMPILE,
         "error: libNVVM died of signal 6 while compiling the module [libnvvm_crashed]");
  expect("leftover", CK_EMIT_PTX, 0, CK_COMPILE,
         "error: libNVVM left a call to 'llvm.nvvm.odd' in the PTX [ptx_leftover]");
  expect("entry", CK_EMIT_PTX, 0, CK_COMPILE, "error: libNVVM's PTX has no entry 'k' [ptx_entry]");
  expect("link", CK_EMIT_CUBIN, 0, CK_COMPILE,
         "error: nvJitLink refused the PTX: bad PTX [nvjitlink_failed]");
  too_long();
  arena_free(&arena);
  puts("passed");
  return 0;
}
