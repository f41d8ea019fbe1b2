/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* buf.c - growing byte arrays in an arena.
 *
 * A Buf doubles when it is full. The last piece of an arena grows in place; otherwise the bytes are
 * copied, and the old copy stays in the arena, so a Buf of n bytes costs at most 2n. Also here: how
 * text from outside is made safe to print (buf_shown).
 */
#include "base.h"

#include <stdio.h>
#include <string.h>

void buf_reserve(Buf *buf, size_t more_bytes)
{
  size_t need = buf->len + more_bytes + 1;
  if (need <= buf->room) return;
  size_t room = buf->room ? 2 * buf->room : 64;
  if (room < need) room = need;
  if (arena_extend(buf->arena, buf->data, buf->room, room - buf->room)) {
    buf->room = room;
    return;
  }
  char *data = arena_alloc(buf->arena, room);
  if (buf->len) memcpy(data, buf->data, buf->len);
  buf->data = data;
  buf->room = room;
}

void buf_bytes(Buf *buf, const void *data, size_t len)
{
  buf_reserve(buf, len);
  if (len) memcpy(buf->data + buf->len, data, len);
  buf->len += len;
  buf->data[buf->len] = 0;
}

void buf_clear(Buf *buf)
{
  buf->len = 0;
  if (buf->data) *buf->data = 0;
}

void buf_puts(Buf *buf, const char *text)
{
  buf_bytes(buf, text, strlen(text));
}

void buf_putc(Buf *buf, char c)
{
  if (buf->len + 2 > buf->room) buf_reserve(buf, 1);
  buf->data[buf->len++] = c;
  buf->data[buf->len] = 0;
}

void buf_number(Buf *buf, uint64_t number)
{
  char digits[20], *p = digits + sizeof digits;
  do *--p = (char)('0' + number % 10);
  while (number /= 10);
  buf_bytes(buf, p, (size_t)(digits + sizeof digits - p));
}

void buf_vprintf(Buf *buf, const char *format, va_list values)
{
  va_list again;
  size_t room = buf->room - buf->len; /* most texts fit, and are printed once */
  va_copy(again, values);
  int len = vsnprintf(buf->data ? buf->data + buf->len : NULL, room, format, again);
  va_end(again);
  if (len < 0) die("the format '%s' can't be printed", format);
  if ((size_t)len >= room) {
    buf_reserve(buf, (size_t)len);
    vsnprintf(buf->data + buf->len, (size_t)len + 1, format, values);
  }
  buf->len += (size_t)len;
}

void buf_printf(Buf *buf, const char *format, ...)
{
  va_list values;
  va_start(values, format);
  buf_vprintf(buf, format, values);
  va_end(values);
}

bool buf_fail(Buf *why, const char *format, ...)
{
  va_list values;
  va_start(values, format);
  buf_vprintf(why, format, values);
  va_end(values);
  return false;
}

void buf_json_string(Buf *buf, const char *text, size_t len)
{
  buf_putc(buf, '"');
  buf_reserve(buf, len);
  for (size_t i = 0; i < len; ++i) {
    unsigned char c = (unsigned char)text[i];
    if (c == '"' || c == '\\') buf_printf(buf, "\\%c", c);
    else if (c == '\n') buf_puts(buf, "\\n");
    else if (c == '\t') buf_puts(buf, "\\t");
    else if (c < 0x20) buf_printf(buf, "\\u%04x", c);
    else buf_putc(buf, (char)c);
  }
  buf_putc(buf, '"');
}

const char *buf_text(const Buf *buf)
{
  return buf->data ? buf->data : "";
}

/* Is it a control character for the direction of text: U+202A to U+202E and U+2066 to U+2069, three
 * bytes in UTF-8 (e2 80 aa and so on)? */
static bool is_direction(const unsigned char *at)
{
  bool is_embedding = at[1] == 0x80 && at[2] >= 0xaa && at[2] <= 0xae;
  bool is_isolate = at[1] == 0x81 && at[2] >= 0xa6 && at[2] <= 0xa9;
  return at[0] == 0xe2 && (is_embedding || is_isolate);
}

size_t control_length(const char *text, size_t bytes)
{
  const unsigned char *at = (const unsigned char *)text;
  if (!bytes) return 0;
  if (at[0] < 0x20) return at[0] != '\t' && at[0] != '\n';
  if (at[0] < 0x80) return at[0] == 0x7f;
  if (at[0] == 0xc2 && bytes >= 2) return at[1] >= 0x80 && at[1] < 0xa0 ? 2 : 0;
  return bytes >= 3 && is_direction(at) ? 3 : 0;
}

void buf_shown(Buf *buf, const char *text, size_t bytes)
{
  for (size_t i = 0; i < bytes;) {
    const unsigned char *at = (const unsigned char *)text + i;
    size_t length = control_length(text + i, bytes - i);
    if (length == 0) buf_putc(buf, text[i++]);
    else if (length == 3)
      buf_printf(buf, "\\u%04x", (at[0] & 0xfu) << 12 | (at[1] & 0x3fu) << 6 | (at[2] & 0x3fu));
    else buf_printf(buf, "\\x%02x", at[length - 1]);
    i += length;
  }
}
