/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* json.c - JSON (RFC 8259) by recursive descent. */
#include "json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 64 };

typedef struct JsonReader {
  Arena *arena;
  Buf *why;
  const char *start, *cur, *end;
  int depth;
} JsonReader;

/* The first reason stays. */
static bool refuse(JsonReader *reader, const char *what)
{
  if (!reader->why->len)
    buf_printf(reader->why, "byte %zu: %s", (size_t)(reader->cur - reader->start), what);
  return false;
}

static void skip_blanks(JsonReader *reader)
{
  while (reader->cur < reader->end && *reader->cur && strchr(" \t\r\n", *reader->cur))
    ++reader->cur;
}

/* Takes a character if it comes next. */
static bool accept(JsonReader *reader, char c)
{
  skip_blanks(reader);
  if (reader->cur == reader->end || *reader->cur != c) return false;
  ++reader->cur;
  return true;
}

static bool read_hex4(JsonReader *reader, unsigned *out)
{
  *out = 0;
  if (reader->end - reader->cur < 4) return refuse(reader, "\\u needs 4 digits");
  for (int i = 0; i < 4; ++i, ++reader->cur) {
    const char *digits = "0123456789abcdefABCDEF", *digit = strchr(digits, *reader->cur);
    if (!*reader->cur || !digit) return refuse(reader, "\\u needs 4 digits");
    unsigned value = (unsigned)(digit - digits);
    *out = *out * 16 + (value < 16 ? value : value - 6);
  }
  return true;
}

static void put_utf8(Buf *text, unsigned c)
{
  if (c < 0x80) {
    buf_putc(text, (char)c);
  } else if (c < 0x800) {
    buf_putc(text, (char)(0xc0 | c >> 6));
    buf_putc(text, (char)(0x80 | (c & 0x3f)));
  } else if (c < 0x10000) {
    buf_putc(text, (char)(0xe0 | c >> 12));
    buf_putc(text, (char)(0x80 | (c >> 6 & 0x3f)));
    buf_putc(text, (char)(0x80 | (c & 0x3f)));
  } else {
    buf_putc(text, (char)(0xf0 | c >> 18));
    buf_putc(text, (char)(0x80 | (c >> 12 & 0x3f)));
    buf_putc(text, (char)(0x80 | (c >> 6 & 0x3f)));
    buf_putc(text, (char)(0x80 | (c & 0x3f)));
  }
}

static bool read_escape(JsonReader *reader, Buf *text)
{
  static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
  if (reader->cur == reader->end || !*reader->cur) return refuse(reader, "the text ends");
  char c = *reader->cur++;
  const char *letter = strchr(letters, c);
  unsigned high, low;
  if (letter) {
    buf_putc(text, meanings[letter - letters]);
    return true;
  }
  if (c != 'u') return refuse(reader, "unknown escape");
  if (!read_hex4(reader, &high)) return false;
  if (high == 0) return refuse(reader, "a NUL in a string");
  if (high >= 0xd800 && high < 0xdc00) {
    if (reader->end - reader->cur < 6 || memcmp(reader->cur, "\\u", 2))
      return refuse(reader, "half of a surrogate pair");
    reader->cur += 2;
    if (!read_hex4(reader, &low)) return false;
    if (low < 0xdc00 || low > 0xdfff) return refuse(reader, "half of a surrogate pair");
    high = 0x10000 + ((high & 0x3ff) << 10) + (low & 0x3ff);
  }
  put_utf8(text, high);
  return true;
}

/* Behind the opening quote. */
static bool read_string(JsonReader *reader, const char **out)
{
  Buf text = BUF(reader->arena);
  for (;;) {
    if (reader->cur == reader->end) return refuse(reader, "a string does not end");
    char c = *reader->cur++;
    if (c == '"') break;
    if ((unsigned char)c < 0x20) return refuse(reader, "a control character in a string");
    if (c != '\\') buf_putc(&text, c);
    else if (!read_escape(reader, &text)) return false;
  }
  *out = buf_text(&text);
  return true;
}

/* Whether a text begins as JSON's numbers do: strtoll and strtod take more. */
static bool begins_number(const char *text)
{
  text += *text == '-';
  return *text >= '0' && *text <= '9' && !(text[0] == '0' && text[1] >= '0' && text[1] <= '9');
}

static bool read_number(JsonReader *reader, Json *out)
{
  char text[64];
  size_t len = 0;
  while (reader->cur + len < reader->end && len < sizeof text - 1 && reader->cur[len] &&
         strchr("+-.eE0123456789", reader->cur[len]))
    text[len] = reader->cur[len], ++len;
  text[len] = 0;
  char *stop;
  errno = 0;
  out->kind = JSON_number;
  out->number = strtoll(text, &stop, 10);
  if (!begins_number(text) || errno) return refuse(reader, "no number");
  out->real = (double)out->number;
  if (*stop) {
    out->number = 0;
    out->real = strtod(text, &stop);
    if (*stop) return refuse(reader, "no number");
  }
  reader->cur += len;
  return true;
}

static bool read_value(JsonReader *reader, Json *out);

/* Elements or members up to the closing bracket. */
static bool read_items(JsonReader *reader, Json *out, char closing)
{
  Json **link = &out->first;
  if (accept(reader, closing)) return true;
  do {
    Json *item = NEW(reader->arena, Json);
    if (out->kind == JSON_object) {
      if (!accept(reader, '"')) return refuse(reader, "expected a name");
      if (!read_string(reader, &item->name)) return false;
      if (!accept(reader, ':')) return refuse(reader, "expected ':'");
    }
    if (!read_value(reader, item)) return false;
    *link = item;
    link = &item->next;
    ++out->count;
  } while (accept(reader, ','));
  return accept(reader, closing) || refuse(reader, "expected ',' or the end of the list");
}

static bool read_word(JsonReader *reader, Json *out)
{
  static const struct {
    const char *word;
    JsonKind kind;
  } words[] = {{"null", JSON_null}, {"false", JSON_false}, {"true", JSON_true}};
  for (size_t i = 0; i < COUNT_OF(words); ++i) {
    size_t len = strlen(words[i].word);
    if ((size_t)(reader->end - reader->cur) < len || memcmp(reader->cur, words[i].word, len))
      continue;
    out->kind = words[i].kind;
    reader->cur += len;
    return true;
  }
  return read_number(reader, out);
}

static bool read_value(JsonReader *reader, Json *out)
{
  bool is_good;
  if (++reader->depth > MAX_DEPTH) return refuse(reader, "nested too deeply");
  if (accept(reader, '{')) {
    out->kind = JSON_object;
    is_good = read_items(reader, out, '}');
  } else if (accept(reader, '[')) {
    out->kind = JSON_array;
    is_good = read_items(reader, out, ']');
  } else if (accept(reader, '"')) {
    out->kind = JSON_string;
    is_good = read_string(reader, &out->text);
  } else {
    is_good = read_word(reader, out);
  }
  --reader->depth;
  return is_good;
}

const Json *json_parse(Arena *arena, const char *text, size_t bytes, Buf *why)
{
  JsonReader reader = {.arena = arena, .why = why, .start = text, .cur = text, .end = text + bytes};
  Json *root = NEW(arena, Json);
  if (!read_value(&reader, root)) return NULL;
  skip_blanks(&reader);
  if (reader.cur == reader.end) return root;
  refuse(&reader, "text behind the end");
  return NULL;
}

const Json *json_member(const Json *object, const char *name)
{
  if (!object || object->kind != JSON_object) return NULL;
  for (const Json *member = object->first; member; member = member->next)
    if (!strcmp(member->name, name)) return member;
  return NULL;
}

const char *json_text(const Json *json)
{
  return json && json->kind == JSON_string ? json->text : NULL;
}

double json_real(const Json *json, double otherwise)
{
  return json && json->kind == JSON_number ? json->real : otherwise;
}

int64_t json_integer(const Json *json, int64_t otherwise)
{
  return json && json->kind == JSON_number ? json->number : otherwise;
}

uint32_t json_count(const Json *json)
{
  return json ? json->count : 0;
}

const Json *json_first(const Json *json)
{
  return json ? json->first : NULL;
}

bool json_is_true(const Json *json)
{
  return json && json->kind == JSON_true;
}

void json_write(Buf *out, const Json *json)
{
  switch (json->kind) {
  case JSON_null: buf_puts(out, "null"); return;
  case JSON_false: buf_puts(out, "false"); return;
  case JSON_true: buf_puts(out, "true"); return;
  case JSON_number:
    if ((double)json->number == json->real) buf_printf(out, "%lld", (long long)json->number);
    else buf_printf(out, "%.17g", json->real);
    return;
  case JSON_string: buf_json_string(out, json->text, strlen(json->text)); return;
  case JSON_array:
  case JSON_object: break;
  }
  bool is_object = json->kind == JSON_object;
  buf_putc(out, is_object ? '{' : '[');
  for (const Json *item = json->first; item; item = item->next) {
    if (item != json->first) buf_putc(out, ',');
    if (is_object) {
      buf_json_string(out, item->name, strlen(item->name));
      buf_putc(out, ':');
    }
    json_write(out, item);
  }
  buf_putc(out, is_object ? '}' : ']');
}
