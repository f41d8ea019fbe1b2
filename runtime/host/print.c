/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* print.c - print() in host code: formats a buffer of packed values like CUDA's vprintf.
 *
 * Each value is at its natural alignment: 4 bytes for d i u x X o c; 8 bytes with l, ll or z and
 * for s, p and all floating-point conversions. A `*` takes a 4-byte value. The text is built in
 * memory and written with one call, so that the output of concurrent threads is not interleaved.
 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

typedef struct Values {
  const unsigned char *data;
  size_t offset;
} Values;

static void take(Values *values, void *out, size_t bytes)
{
  values->offset = (values->offset + bytes - 1) / bytes * bytes;
  memcpy(out, values->data + values->offset, bytes);
  values->offset += bytes;
}

static int take_int(Values *values)
{
  int value;
  take(values, &value, sizeof value);
  return value;
}

/* A parsed conversion, such as %-8.3lf. */
typedef struct Conversion {
  char flags[8];
  int width, precision; /* -1: not given */
  bool is_long;
  char letter;
} Conversion;

static int read_number(const char **cursor, Values *values)
{
  if (**cursor == '*') {
    ++*cursor;
    return take_int(values);
  }
  char *end;
  long number = strtol(*cursor, &end, 10);
  if (end == *cursor) return -1;
  *cursor = end;
  return (int)number;
}

/* `cursor` points after the '%'; returns the end of the conversion. */
static const char *read_conversion(const char *cursor, Values *values, Conversion *out)
{
  *out = (Conversion){.width = -1, .precision = -1};
  size_t flag_count = 0;
  for (; *cursor && strchr("-+ #0", *cursor); ++cursor)
    if (flag_count < sizeof out->flags - 1) out->flags[flag_count++] = *cursor;
  out->width = read_number(&cursor, values);
  if (*cursor == '.') {
    ++cursor;
    out->precision = read_number(&cursor, values);
    if (out->precision < 0) out->precision = 0;
  }
  for (; *cursor && strchr("hlzjt", *cursor); ++cursor) out->is_long |= *cursor != 'h';
  out->letter = *cursor;
  return *cursor ? cursor + 1 : cursor;
}

/* Prints one value with a format that is assembled from flags, width, precision and `type`. */
#define PRINT_VALUE(out, conversion, type, value)                                                  \
  do {                                                                                             \
    char format_[32], width_[16] = "", precision_[16] = "";                                        \
    if ((conversion)->width >= 0) snprintf(width_, sizeof width_, "%d", (conversion)->width);      \
    if ((conversion)->precision >= 0)                                                              \
      snprintf(precision_, sizeof precision_, ".%d", (conversion)->precision);                     \
    snprintf(format_, sizeof format_, "%%%s%.7s%.8s%s", (conversion)->flags, width_, precision_,   \
             type);                                                                                \
    fprintf(out, format_, value);                                                                  \
  } while (0)

/* Prints one value by a conversion. Integers of 64 bits get the length "ll", which long long
 * matches on every system. */
static void print_conversion(FILE *out, const Conversion *conversion, Values *values)
{
  char letter[4] = {conversion->letter}, long_letter[4] = {'l', 'l', conversion->letter};
  switch (conversion->letter) {
  case 'd':
  case 'i':
  case 'u':
  case 'x':
  case 'X':
  case 'o':
    if (conversion->is_long) {
      long long value;
      take(values, &value, sizeof value);
      PRINT_VALUE(out, conversion, long_letter, value);
    } else {
      PRINT_VALUE(out, conversion, letter, take_int(values));
    }
    break;
  case 'c': PRINT_VALUE(out, conversion, letter, take_int(values)); break;
  case 'e':
  case 'E':
  case 'f':
  case 'F':
  case 'g':
  case 'G':
  case 'a':
  case 'A': {
    double value;
    take(values, &value, sizeof value);
    PRINT_VALUE(out, conversion, letter, value);
    break;
  }
  case 's': {
    const char *value;
    take(values, &value, sizeof value);
    PRINT_VALUE(out, conversion, letter, value ? value : "(null)");
    break;
  }
  case 'p': {
    void *value;
    take(values, &value, sizeof value);
    PRINT_VALUE(out, conversion, letter, value);
    break;
  }
  case '%': fputc('%', out); break;
  default: fprintf(out, "%%%c", conversion->letter); break;
  }
}

/* The text is formatted in memory and written with one call, so that lines of different threads do
 * not mix. The guard is held, since a kernel that is ended in the middle would leave a lock of the
 * C library held. */
void ck_host_print(const ck_host_thread_t *thread, const char *format, const void *values)
{
  (void)thread;
  char *text = NULL;
  size_t bytes = 0;
  host_guard_hold();
  FILE *out = open_memstream(&text, &bytes);
  if (!out) {
    host_guard_release();
    return;
  }
  Values rest = {values, 0};
  while (*format) {
    size_t plain = strcspn(format, "%");
    fwrite(format, 1, plain, out);
    format += plain;
    if (!*format) break;
    Conversion conversion;
    format = read_conversion(format + 1, &rest, &conversion);
    if (conversion.letter) print_conversion(out, &conversion, &rest);
  }
  fclose(out);
  fwrite(text, 1, bytes, stdout);
  memory_free(text);
  host_guard_release();
}
