/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* random_case.h - random cases, each with a seed of its own: SEED, SEED + 1, ... A case writes the
 * source of its kernels, with random types and extents. */
#ifndef CK_RANDOM_CASE_H
#define CK_RANDOM_CASE_H

#include <stdarg.h>

#include "both.h"
#include "random.h"

static char kernels_text[1 << 15];
static size_t kernels_used;

__attribute__((format(printf, 1, 2))) static inline void write_kernel(const char *format, ...)
{
  va_list list;
  va_start(list, format);
  int count =
      vsnprintf(kernels_text + kernels_used, sizeof kernels_text - kernels_used, format, list);
  va_end(list);
  if (CHECK(count >= 0 && (size_t)count < sizeof kernels_text - kernels_used))
    kernels_used += (size_t)count;
}

/* Compiles the written source into `code`; sometimes as a checked build. */
static inline void compile_kernels(void)
{
  ck_program_t *program = NULL;
  ck_compile_options_t options = CK_OPTIONS_INIT(ck_compile_options_t);
  if (one_in(4)) options.flags = CK_COMPILE_CHECK;
  ck_object_code_release(code);
  code = NULL;
  CHECK_OK(ck_program_create(kernels_text, kernels_used, &options, &program));
  if (!CHECK_OK(ck_program_compile(program, device, &code)))
    fprintf(stderr, "%s\n%s\n", kernels_text, program ? ck_program_log(program) : "");
  ck_program_release(program);
  kernels_used = 0;
}

#endif
