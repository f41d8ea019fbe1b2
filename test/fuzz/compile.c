/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* compile.c - fuzz target: compiles arbitrary bytes. The compiler must report errors and never
 * crash.
 *
 * The bytes are compiled for the host up to a verified module, and, if that succeeds, up to NVVM
 * IR. LLVM's optimiser and code generators and libNVVM are not tested here: leaving them out keeps
 * a run short.
 */
#include "ck/compile.h"

#include <stddef.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t bytes);

static ck_status_t compile(const char *target, ck_emit_t emit, const char *last, const char *text,
                           size_t bytes)
{
  ck_compile_options_t options = CK_OPTIONS_INIT(ck_compile_options_t);
  options.target = target;
  options.stop_after = last;
  options.emit = emit;
  options.backend = CK_BACKEND_LIBNVVM; /* libNVVM is not opened before the pass nvvm is over */
  options.flags = CK_COMPILE_LINEINFO;
  ck_compilation_t *compilation = NULL;
  ck_status_t status = ck_compile(text, bytes, &options, &compilation);
  if (status != CK_OK && status != CK_COMPILE) __builtin_trap();
  ck_compilation_release(compilation);
  return status;
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t bytes)
{
  const char *text = (const char *)data;
  if (compile("host", CK_EMIT_HOST, "gen", text, bytes) == CK_OK)
    compile("sm_90", CK_EMIT_NVVM, "nvvm", text, bytes);
  return 0;
}
