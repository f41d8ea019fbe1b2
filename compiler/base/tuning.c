/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* tuning.c - reads and writes tuning tables.
 *
 * A table is a text. Its first line is the version; then each line is a row, empty, or a comment:
 *
 *     # ckc tuning 1
 *     # item, target, sizes, parameter = value
 *     scale, sm_90, *, ITEMS = 8             # 1.21 times as fast as 4: NVIDIA H200
 *     scale, sm_90, 2^10..2^16, ITEMS = 4
 *
 * Sizes are `*`, a number, or a range with both ends in it; a number is 4096 or 2^12.
 */
#include "tuning.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool is_blank(char c)
{
  return c == ' ' || c == '\t' || c == '\r';
}

/* The part of a line between two places, without blanks around it. */
static const char *trimmed(Arena *arena, const char *lo, const char *hi)
{
  while (lo < hi && is_blank(*lo)) ++lo;
  while (hi > lo && is_blank(hi[-1])) --hi;
  return arena_strndup(arena, lo, (size_t)(hi - lo));
}

/* Reads 4096 or 2^12. */
static bool read_size(const char *text, const char **out_end, uint64_t *out)
{
  enum { BITS = 64 };
  char *end;
  if (*text < '0' || *text > '9') return false;
  *out = strtoull(text, &end, 10);
  if (*end == '^' && *out == 2 && end[1] >= '0' && end[1] <= '9') {
    unsigned long power = strtoul(end + 1, &end, 10);
    if (power >= BITS) return false;
    *out = UINT64_C(1) << power;
  }
  *out_end = end;
  return true;
}

static bool read_sizes(const char *text, TuningRow *row)
{
  const char *end;
  row->least = 0;
  row->most = UINT64_MAX;
  if (!strcmp(text, "*")) return true;
  if (!read_size(text, &end, &row->least)) return false;
  row->most = row->least;
  if (!strncmp(end, "..", 2) && !read_size(end + 2, &end, &row->most)) return false;
  return !*end && row->least <= row->most;
}

static bool is_name(const char *text)
{
  size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
  return len && !text[len] && (*text < '0' || *text > '9');
}

/* Reads a row, of which [lo, hi) has no comment. NULL, or what is wrong. */
static const char *read_row(Arena *arena, const char *lo, const char *hi, TuningRow *row)
{
  enum { COLUMNS = 4 };
  const char *columns[COLUMNS];
  const char *at = lo;
  for (int i = 0; i < COLUMNS; ++i) {
    int depth = 0; /* `k<f32, 2>` is one column */
    const char *end = at;
    for (; end < hi && (*end != ',' || depth > 0); ++end) depth += (*end == '<') - (*end == '>');
    bool is_last = i + 1 == COLUMNS;
    if (is_last != (end == hi))
      return "a row has 4 columns: item, target, sizes, parameter = value";
    columns[i] = trimmed(arena, at, end);
    if (!*columns[i]) return "a column is empty; * stands for any";
    at = end + 1;
  }
  row->item = columns[0];
  row->target = columns[1];
  if (!read_sizes(columns[2], row)) return "sizes are *, a number or a range, as 2^10..2^20";
  const char *equals = strchr(columns[3], '=');
  if (!equals) return "the last column is parameter = value";
  row->name = trimmed(arena, columns[3], equals);
  row->value = trimmed(arena, equals + 1, equals + strlen(equals));
  return is_name(row->name) && *row->value ? NULL : "the last column is parameter = value";
}

bool tuning_read(Arena *arena, const char *text, TuningTable *out, TuningFault *out_fault)
{
  const char *first = text + strcspn(text, "\n");
  if (strcmp(trimmed(arena, text, first), TUNING_HEAD) != 0) {
    *out_fault = (TuningFault){"this is no tuning table of this version: its first line is "
                               "'" TUNING_HEAD "'",
                               0, (uint32_t)(first - text)};
    return false;
  }
  for (const char *line = first; *line;) {
    line += *line == '\n';
    const char *end = line + strcspn(line, "\n"), *hash = memchr(line, '#', (size_t)(end - line));
    const char *hi = hash ? hash : end;
    while (hi > line && is_blank(hi[-1])) --hi;
    if (hi > line) {
      TuningRow row = {.at = (uint32_t)(line - text), .bytes = (uint32_t)(hi - line)};
      row.comment = hash ? trimmed(arena, hash + 1, end) : "";
      const char *why = read_row(arena, line, hi, &row);
      if (why) {
        *out_fault = (TuningFault){why, row.at, row.bytes};
        return false;
      }
      vec_push(arena, &out->rows, row);
    }
    line = end;
  }
  return true;
}

static bool is_for_any_size(const TuningRow *row)
{
  return row->least == 0 && row->most == UINT64_MAX;
}

/* Rows for sm_90 hold for sm_90a and sm_90f too. */
static bool is_target(const char *wanted, const char *target)
{
  size_t len = strlen(target);
  if (!strcmp(wanted, "*") || !strcmp(wanted, target)) return true;
  bool is_special = len > 3 && !strncmp(target, "sm_", 3) && strchr("af", target[len - 1]);
  return is_special && strlen(wanted) == len - 1 && !strncmp(wanted, target, len - 1);
}

const TuningRow *tuning_find(const TuningTable *table, const char *name, const char *target,
                             uint64_t size)
{
  const TuningRow *found = NULL;
  for (uint32_t i = 0; i < table->rows.count; ++i) {
    const TuningRow *row = &table->rows.at[i];
    bool is_any = is_for_any_size(row);
    if (strcmp(row->name, name) != 0 || !is_target(row->target, target)) continue;
    if (!is_any && (!size || size < row->least || size > row->most)) continue;
    if (!found || !is_any || is_for_any_size(found)) found = row;
  }
  return found;
}

static void write_size(Buf *out, uint64_t size)
{
  bool is_power = size > 1 && !(size & (size - 1));
  if (is_power) buf_printf(out, "2^%d", __builtin_ctzll(size));
  else buf_printf(out, "%" PRIu64, size);
}

void tuning_write_row(Buf *out, const TuningRow *row)
{
  buf_printf(out, "%s, %s, ", row->item, row->target);
  if (is_for_any_size(row)) {
    buf_putc(out, '*');
  } else {
    write_size(out, row->least);
    if (row->most != row->least) buf_puts(out, "..");
    if (row->most != row->least) write_size(out, row->most);
  }
  buf_printf(out, ", %s = %s", row->name, row->value);
  if (*row->comment) buf_printf(out, "   # %s", row->comment);
  buf_putc(out, '\n');
}

const char *tuning_beside(Arena *arena, const char *source)
{
  size_t len = strlen(source);
  if (len < 4 || strcmp(source + len - 3, ".ck") != 0) return NULL;
  return arena_printf(arena, "%.*s.tune", (int)(len - 3), source);
}
