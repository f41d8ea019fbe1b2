/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* result.c - reads and prints the result of an algorithm, which is in the buffer of its last
 * parameter.
 */
#include <stdio.h>

#include "run.h"

bool run_is_result(const Run *run, const Param *param)
{
  return ck_kernel_result_part_count(run->kernel) && param == &run->params[run->count - 1];
}

Exit result_read(const Run *run, Arena *arena, const char **out_bytes)
{
  const Param *param = &run->params[run->count - 1];
  size_t bytes = param->info.bytes;
  char *data = arena_alloc(arena, bytes);
  *out_bytes = data;
  ck_status_t status = ck_buffer_read(param->buffer, 0, data, bytes, run->stream);
  if (status == CK_OK) status = ck_stream_sync(run->stream);
  return status == CK_OK ? EXIT_OK : fail_status(status);
}

/* A number, or a vector of them. */
static void print_numbers(const ck_param_t *info, const char *bytes)
{
  char text[NUMBER_TEXT_BYTES];
  bool is_vector = info->components > 1;
  if (is_vector) putchar('(');
  for (uint32_t i = 0; i < info->components; ++i) {
    number_text(text, info->dtype, bytes + i * ck_dtype_bytes(info->dtype));
    printf("%s%s", i ? ", " : "", text);
  }
  if (is_vector) putchar(')');
}

Exit result_print(const Run *run)
{
  const char *bytes;
  if (!ck_kernel_result_part_count(run->kernel)) return EXIT_OK;
  Exit exit = result_read(run, run->arena, &bytes);
  if (exit != EXIT_OK) return exit;
  const ck_param_t *info = &run->params[run->count - 1].info;
  fputs("result = ", stdout);
  if (info->layout) record_print(info->layout, bytes, info->bytes);
  else print_numbers(info, bytes);
  putchar('\n');
  return EXIT_OK;
}
