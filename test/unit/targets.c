/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* targets.c - tests that failures of CUDA's libraries become messages: a libNVVM that crashes,
 * refuses input or lacks functions, and an nvJitLink that refuses. Inputs/fake_cuda.c plays these
 * libraries. Invalid options of the caller become messages too. */
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

/* Checks the message for an option with an unknown number, an unknown flag, or a missing string. */
static void refuse(const ck_compile_options_t *options, const char *text, size_t bytes,
                   const char *message)
{
  ck_compilation_t *compilation;
  size_t output_bytes;
  assert(ck_compile(text, bytes, options, &compilation) == CK_INVALID_ARGUMENT);
  assert(!ck_compilation_output(compilation, &output_bytes) && !output_bytes);
  if (!strstr(ck_compilation_log(compilation), message)) {
    fprintf(stderr, "log: %s\nexpected: %s\n", ck_compilation_log(compilation), message);
    exit(1);
  }
  ck_compilation_release(compilation);
}

static void foreign_options(void)
{
  static const char *const nothing[] = {"A=1", NULL};
  ck_compile_options_t fine = CK_OPTIONS_INIT(ck_compile_options_t), options;
  const size_t bytes = sizeof source - 1;
  options = fine, options.emit = (ck_emit_t)77;
  refuse(&options, source, bytes, "error: option 'emit' is 77: it is 0 to 12 (CK_EMIT_HEADS)");
  options = fine, options.emit = (ck_emit_t)-1;
  refuse(&options, source, bytes, "option 'emit' is -1");
  options = fine, options.backend = (ck_backend_t)3;
  refuse(&options, source, bytes, "option 'backend' is 3: it is 0 to 2 (CK_BACKEND_NVPTX)");
  options = fine, options.opt_level = (ck_opt_level_t)1000000;
  refuse(&options, source, bytes, "option 'opt_level' is 1000000: it is 0 to 4 (CK_OPT_3)");
  options.flags = CK_COMPILE_DEBUG; /* a valid CK_COMPILE_DEBUG would set the level itself */
  refuse(&options, source, bytes, "option 'opt_level' is 1000000");
  options = fine, options.flags = 0x80000000 | CK_COMPILE_CHECK;
  refuse(&options, source, bytes, "option 'flags' is 0x80000004: it has bits of 0x7ff");
  options = fine, options.define_count = 1;
  refuse(&options, source, bytes, "option 'defines': text 0 of 1 is NULL");
  options = fine, options.instances = nothing, options.instance_count = 2;
  refuse(&options, source, bytes, "option 'instances': text 1 of 2 is NULL");
  options = fine, options.import_folder_count = 3;
  refuse(&options, source, bytes, "option 'import_folders': text 0 of 3 is NULL");
  refuse(&fine, NULL, 5, "the source is 5 bytes at NULL");
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
  foreign_options();
  too_long();
  arena_free(&arena);
  puts("passed");
  return 0;
}
