/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* source.c - all texts of one program in one address space of offsets, so that a place is 8 bytes. */
#include "diag.h"

#include <string.h>

const Source *source_add(Sources *sources, const char *name, const char *text, size_t bytes,
                         bool is_library)
{
  uint32_t base = 1;
  if (sources->list.count) {
    const Source *last = sources->list.at[sources->list.count - 1];
    base = last->base + last->bytes + 1; /* the NUL has an offset too: the end of the file */
  }
  Source *source = NEW(sources->arena, Source);
  *source = (Source){name, text, base, (uint32_t)bytes, is_library};
  vec_push(sources->arena, &sources->list, source);
  return source;
}

const Source *source_of(const Sources *sources, uint32_t offset)
{
  for (uint32_t i = 0; offset && i < sources->list.count; ++i) {
    const Source *source = sources->list.at[i];
    if (offset >= source->base && offset <= source->base + source->bytes) return source;
  }
  return NULL;
}

void source_position(const Source *source, uint32_t offset, uint32_t *out_line, uint32_t *out_col)
{
  uint32_t line = 1;
  const char *start = source->text, *here = source->text + (offset - source->base);
  for (const char *nl; (nl = memchr(start, '\n', (size_t)(here - start))); start = nl + 1) ++line;
  *out_line = line;
  *out_col = (uint32_t)(here - start) + 1;
}

const char *source_text(const Sources *sources, Span span)
{
  const Source *source = source_of(sources, span.lo);
  return source ? source->text + (span.lo - source->base) : "";
}
