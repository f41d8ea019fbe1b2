/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* error.c - messages of calls: each begins with the name of the function that was called. */
#include "call.h"

ck_status_t call_fail(const Call *call, ck_status_t status, const char *format, ...)
{
  Arena arena = {0};
  Buf text = BUF(&arena);
  va_list values;
  if (call && call->row) buf_printf(&text, "ck_%s: ", call->row->name);
  va_start(values, format);
  buf_vprintf(&text, format, values);
  va_end(values);
  ck_error_set(status, buf_text(&text));
  arena_free(&arena);
  return status;
}
