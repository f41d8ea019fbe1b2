/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* image_parse.c - reads texture(VALUE, VALUE..., OPTION=...) in test lines and on the command line.
 *
 *     image = texture(rand:4x8, filter=linear, address=(wrap, clamp), normalized=true)
 *     image = texture(@photo.npy, type=u8, srgb=true)
 *     image = texture(rand:4x4, rand:2x2, [[0.5]], level_filter=linear)     a mipmap of 3 levels
 *
 * Operands without a name are the arrays of the levels, the largest first.
 */
#include <string.h>

#include "test.h"

typedef struct Word {
  const char *name;
  int value;
} Word;

static const Word filters[] = {{"point", CK_FILTER_POINT}, {"linear", CK_FILTER_LINEAR}, {NULL, 0}};
static const Word modes[] = {{"clamp", CK_ADDRESS_CLAMP},
                             {"wrap", CK_ADDRESS_WRAP},
                             {"mirror", CK_ADDRESS_MIRROR},
                             {"border", CK_ADDRESS_BORDER},
                             {NULL, 0}};
static const Word types[] = {{"u8", CK_U8},   {"u16", CK_U16}, {"u32", CK_U32},
                             {"i8", CK_I8},   {"i16", CK_I16}, {"i32", CK_I32},
                             {"f16", CK_F16}, {"f32", CK_F32}, {NULL, 0}};
static const Word memories[] = {{"array", false}, {"buffer", true}, {NULL, 0}};
static const Word truths[] = {{"false", false}, {"true", true}, {NULL, 0}};

static bool read_word(Reader *reader, const Word *words, int *out)
{
  reader_skip(reader);
  const char *at = reader->at, *name = reader_name(reader);
  Buf list = BUF(reader->arena);
  for (const Word *word = words; word->name; ++word) {
    if (name && !strcmp(word->name, name)) {
      *out = word->value;
      return true;
    }
    buf_printf(&list, "%s%s", word > words ? ", " : "", word->name);
  }
  return reader_fail(reader, at, "expected one of %s", buf_text(&list));
}

static bool read_flag(Reader *reader, uint32_t flag, TestImage *out)
{
  int value;
  if (!read_word(reader, truths, &value)) return false;
  out->options.flags = value ? out->options.flags | flag : out->options.flags & ~flag;
  return true;
}

/* Reads M, for all axes, or (M, M), from x on. */
static bool read_address(Reader *reader, TestImage *out)
{
  enum { AXES = 3 };
  int mode;
  if (!reader_accept(reader, "(")) {
    if (!read_word(reader, modes, &mode)) return false;
    for (int i = 0; i < AXES; ++i) out->options.address[i] = (ck_address_mode_t)mode;
    return true;
  }
  for (int i = 0; i < AXES; ++i) {
    if (!read_word(reader, modes, &mode)) return false;
    out->options.address[i] = (ck_address_mode_t)mode;
    if (!reader_accept(reader, ",")) break;
  }
  return reader_expect(reader, ")", "the address modes");
}

/* Reads V, for the first channel, or (V, V, V, V). */
static bool read_border(Reader *reader, TestImage *out)
{
  if (!reader_accept(reader, "(")) return (out->border[0] = expr_read(reader)) != NULL;
  for (size_t i = 0; i < COUNT_OF(out->border); ++i) {
    if (!(out->border[i] = expr_read(reader))) return false;
    if (!reader_accept(reader, ",")) break;
  }
  return reader_expect(reader, ")", "the border's channels");
}

static bool read_option(Reader *reader, const char *name, const char *at, TestImage *out)
{
  const struct {
    const char *name;
    Expr **out;
  } numbers[] = {{"anisotropy", &out->anisotropy},
                 {"level_bias", &out->level_bias},
                 {"min_level", &out->min_level},
                 {"max_level", &out->max_level}};
  int value = 0;
  for (size_t i = 0; i < COUNT_OF(numbers); ++i)
    if (!strcmp(name, numbers[i].name)) return (*numbers[i].out = expr_read(reader)) != NULL;
  if (!strcmp(name, "address")) return read_address(reader, out);
  if (!strcmp(name, "border")) return read_border(reader, out);
  if (!strcmp(name, "normalized")) return read_flag(reader, CK_TEXTURE_NORMALIZED, out);
  if (!strcmp(name, "srgb")) return read_flag(reader, CK_TEXTURE_SRGB, out);
  bool is_level = !strcmp(name, "level_filter");
  if (is_level || !strcmp(name, "filter")) {
    if (!read_word(reader, filters, &value)) return false;
    *(is_level ? &out->options.level_filter : &out->options.filter) = (ck_filter_t)value;
    return true;
  }
  if (!strcmp(name, "type")) {
    if (!read_word(reader, types, &value)) return false;
    out->dtype = (ck_dtype_t)value;
    return true;
  }
  if (strcmp(name, "of") != 0)
    return reader_fail(reader, at,
                       "a texture has no '%s': it has address, anisotropy, border, filter, "
                       "level_bias, level_filter, max_level, min_level, normalized, of, srgb, type",
                       name);
  if (!read_word(reader, memories, &value)) return false;
  out->is_buffer = value;
  return true;
}

bool test_image_read(Reader *reader, TestValue *out)
{
  TestImage *image = NEW(reader->arena, TestImage);
  bool has_first = false;
  *image = (TestImage){.dtype = CK_NONE};
  image->options.struct_size = sizeof image->options;
  const char *start = reader->at;
  do {
    reader_skip(reader);
    const char *at = reader->at, *name = reader_name(reader);
    bool is_option =
        name && reader_accept(reader, "=") && reader->at < reader->end && *reader->at != '=';
    if (is_option && !read_option(reader, name, at, image)) return false;
    if (is_option) continue;
    TestValue level;
    reader->at = at;
    if (reader_accept(reader, "texture(")) /* and nothing nests without end */
      return reader_fail(reader, at, "a texture's value is an array");
    if (!test_value_read(reader, &level)) return false;
    if (has_first) vec_push(reader->arena, &image->levels, level);
    else *out = level;
    has_first = true;
  } while (reader_accept(reader, ","));
  if (!reader_expect(reader, ")", "the texture's options")) return false;
  out->image = image;
  return has_first || reader_fail(reader, start, "expected an array as the texture's first value");
}
