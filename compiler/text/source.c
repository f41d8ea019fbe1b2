/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* source.c - keeps all texts of a program in one address space, so that a place is 8 bytes.
 *
 * Each source gets a range of offsets behind the one before. Offset 0 is no place. A Span is two
 * such offsets; source_of() finds the source by binary search, and source_position() the line.
 *
 *     1            base of b.ck           base of c.ck
 *     |  a.ck  NUL |  b.ck          NUL   |  c.ck ...
 */
#include "text/text.h"

#include <string.h>

static void find_lines(Arena *arena, Source *source)
{
  const char *text = source->text, *end = text + source->bytes, *nl;
  source->line_count = 1;
  for (const char *p = text; (nl = memchr(p, '\n', (size_t)(end - p))); p = nl + 1)
    ++source->line_count;
  source->lines = NEW_ARRAY(arena, uint32_t, source->line_count);
  uint32_t line = 1;
  for (const char *p = text; (nl = memchr(p, '\n', (size_t)(end - p))); p = nl + 1)
    source->lines[line++] = (uint32_t)(nl + 1 - text);
}

const Source *source_add(Sources *sources, const char *name, const char *text, size_t bytes,
                         bool is_library)
{
  uint32_t base = 1;
  if (sources->list.count) {
    const Source *last = sources->list.at[sources->list.count - 1];
    /* the NUL has an offset too, for messages at the end of the file */
    base = last->base + last->bytes + 1;
  }
  Source *source = NEW(sources->arena, Source);
  *source = (Source){.name = name,
                     .text = text,
                     .base = base,
                     .bytes = (uint32_t)bytes,
                     .is_library = is_library,
                     .module = sources->module};
  find_lines(sources->arena, source);
  vec_push(sources->arena, &sources->list, source);
  return source;
}

const Source *source_of(const Sources *sources, uint32_t offset)
{
  uint32_t low = 0, high = sources->list.count;
  if (!offset || !high) return NULL;
  while (high - low > 1) { /* the last source that starts at or before it */
    uint32_t middle = low + (high - low) / 2;
    if (sources->list.at[middle]->base <= offset) low = middle;
    else high = middle;
  }
  const Source *source = sources->list.at[low];
  return offset >= source->base && offset <= source->base + source->bytes ? source : NULL;
}

void source_position(const Source *source, uint32_t offset, uint32_t *out_line, uint32_t *out_col)
{
  uint32_t here = offset - source->base, low = 0, high = source->line_count;
  while (high - low > 1) { /* the last line that starts at or before here */
    uint32_t middle = low + (high - low) / 2;
    if (source->lines[middle] <= here) low = middle;
    else high = middle;
  }
  *out_line = low + 1;
  *out_col = here - source->lines[low] + 1;
}

const Source *source_at(const Sources *sources, uint32_t offset, uint32_t *out_line,
                        uint32_t *out_col)
{
  const Source *source = source_of(sources, offset);
  *out_line = *out_col = 0;
  if (source) source_position(source, offset, out_line, out_col);
  return source;
}

const char *source_text(const Sources *sources, Span span)
{
  const Source *source = source_of(sources, span.lo);
  return source ? source->text + (span.lo - source->base) : "";
}
