/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* compile.c - any bytes through the compiler up to LLVM IR: it reports, it never falls over. */
#include "ck/compile.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t bytes);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t bytes)
{
  ck_compile_options_t options = {.struct_size = sizeof options, .emit = CK_EMIT_LLVM};
  ck_compilation_t *compilation = NULL;
  ck_status_t status = ck_compile((const char *)data, bytes, &options, &compilation);
  if (status != CK_OK && status != CK_COMPILE && status != CK_OUT_OF_MEMORY) __builtin_trap();
  ck_compilation_release(compilation);
  return 0;
}
