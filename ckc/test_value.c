/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* test_value.c - values of test lines as arguments: expressions, files and made arrays. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "test.h"

static bool make_count(const ValueMaker *maker, Expr *expr, uint64_t *out, Buf *why)
{
  Wide value;
  if (!expr_number(expr, maker->bindings, &value, why)) return false;
  if (value == floorl(value) && value >= 0 && value < 0x1p62L) {
    *out = (uint64_t)value;
    return true;
  }
  buf_printf(why, "%.15Lg is no number of elements and no seed", value);
  return false;
}

/* Two arrays of one size shall differ: their names decide, if no seed is given. */
static uint64_t seed_of(const char *name)
{
  return digest_of(name, strlen(name)).lo;
}

static bool make_random(const ValueMaker *maker, const TestValue *from, const char *name,
                        Value *out, Buf *why)
{
  Wide lo, hi;
  out->seed = seed_of(name);
  if (from->seed && !make_count(maker, from->seed, &out->seed, why)) return false;
  if (!from->lo) return true;
  if (!expr_number(from->lo, maker->bindings, &lo, why)) return false;
  if (!expr_number(from->hi, maker->bindings, &hi, why)) return false;
  out->has_range = true;
  out->lo = (double)lo;
  out->hi = (double)hi;
  if (value_check_range(out)) return true;
  buf_printf(why, "%s: there is nothing in this range", from->text);
  return false;
}

static bool make_array(const ValueMaker *maker, const TestValue *from, const char *name,
                       ck_dtype_t dtype, Value *out, Buf *why)
{
  out->kind = from->kind;
  out->shape.rank = from->rank;
  for (uint32_t i = 0; i < from->rank; ++i)
    if (!make_count(maker, from->extents[i], &out->shape.at[i], why)) return false;
  /* Like the values of `ckc run`, what is filled at the launch has the extents of its elements.
   * Data in memory are numbers, and the components of vectors are their last axis. */
  uint32_t components = maker->param ? run_components(maker->param) : 1;
  if (maker->needs_data && components > 1 && out->shape.rank < EXTENTS_MAX)
    out->shape.at[out->shape.rank++] = components;
  if (!shape_set_count(&out->shape)) {
    buf_printf(why, "%s has too many elements", from->text);
    return false;
  }
  if (from->kind == VALUE_RAND && !make_random(maker, from, name, out, why)) return false;
  if (!maker->needs_data) return true;
  uint64_t room = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
  if (out->shape.count > room / ck_dtype_bytes(dtype)) {
    buf_printf(why, "%s is more than the %.0f GiB of this machine's memory", from->text,
               (double)room / (1 << 30));
    return false;
  }
  void *data = arena_alloc(maker->arena, out->shape.count * ck_dtype_bytes(dtype) + 1);
  value_fill(out, dtype, 0, out->shape.count, data);
  out->kind = VALUE_DATA;
  out->data = data;
  return true;
}

static bool make_file(const ValueMaker *maker, const TestValue *from, ck_dtype_t dtype, Value *out,
                      Buf *why)
{
  Npy npy;
  const char *path = from->text[0] == '/'
                         ? from->text
                         : arena_printf(maker->arena, "%s%s", maker->folder, from->text);
  if (!npy_open(&npy, maker->arena, path, dtype, why)) {
    Buf text = BUF(maker->arena);
    buf_printf(&text, "'%s': %s", path, buf_text(why));
    why->len = 0;
    buf_puts(why, buf_text(&text));
    return false;
  }
  size_t bytes = npy.shape.count * ck_dtype_bytes(dtype);
  out->kind = VALUE_DATA;
  out->shape = npy.shape;
  out->data = memcpy(arena_alloc(maker->arena, bytes + 1), npy.data, bytes);
  npy_close(&npy);
  return true;
}

/* A number as text from which number_read gives the same one. */
static const char *number_of(Arena *arena, const char *written, Wide value)
{
  bool is_word = !strcmp(written, "true") || !strcmp(written, "false");
  if (is_word) return written;
  bool is_whole = value == floorl(value) && fabsl(value) < 0x1p64L;
  return arena_printf(arena, is_whole ? "%.0Lf" : "%.21Lg", value);
}

static bool make_expression(const ValueMaker *maker, const TestValue *from, ck_dtype_t dtype,
                            Value *out, Buf *why)
{
  Shape shape = {.rank = 0};
  if (!expr_bind(from->expr, maker->bindings, &shape, why)) return false;
  if (!shape.rank) {
    out->text = number_of(maker->arena, from->text, expr_value(from->expr, 0));
    return true;
  }
  char *data = arena_alloc(maker->arena, shape.count * ck_dtype_bytes(dtype) + 1);
  for (uint64_t i = 0; i < shape.count; ++i) {
    Wide value = expr_value(from->expr, i);
    if (number_store(dtype, data, i, value)) continue;
    buf_printf(why, "element %llu, %.20Lg, is no %s", (unsigned long long)i, value,
               ck_dtype_name(dtype));
    return false;
  }
  out->kind = VALUE_DATA;
  out->shape = shape;
  out->data = data;
  return true;
}

/* structs, tuples, arrays of them -------------------------------------------------------------- */

/* "[[1, 2], [3, 4]]" of an array of numbers, from its extent `axis` on. */
static void put_rows(Buf *out, Arena *arena, Expr *expr, const Shape *shape, uint32_t axis,
                     uint64_t *next)
{
  if (axis == shape->rank) {
    buf_puts(out, number_of(arena, "", expr_value(expr, (*next)++)));
    return;
  }
  for (uint64_t i = 0; i < shape->at[axis]; ++i) {
    buf_puts(out, i ? ", " : "[");
    put_rows(out, arena, expr, shape, axis + 1, next);
  }
  buf_puts(out, shape->at[axis] ? "]" : "[]");
}

/* The value with numbers in the place of expressions; NULL with `why`. */
static const char *record_text(const ValueMaker *maker, const TestValue *from, Buf *why)
{
  Buf out = BUF(maker->arena);
  Shape shape = {.rank = 0};
  uint64_t next = 0;
  if (!from->pieces.count) {
    if (!expr_bind(from->expr, maker->bindings, &shape, why)) return NULL;
    put_rows(&out, maker->arena, from->expr, &shape, 0, &next);
    return buf_text(&out);
  }
  for (uint32_t i = 0; i < from->pieces.count; ++i) {
    const RecordPiece *piece = &from->pieces.at[i];
    Wide value;
    buf_puts(&out, piece->text);
    if (!piece->expr) continue;
    if (!expr_number(piece->expr, maker->bindings, &value, why)) return NULL;
    buf_puts(&out, number_of(maker->arena, "", value));
  }
  return buf_text(&out);
}

static bool make_records(const ValueMaker *maker, const TestValue *from, Value *out, Buf *why)
{
  const ck_param_t *info = &maker->param->info;
  const char *text = record_text(maker, from, why);
  if (!text) return false;
  out->text = text;
  if (info->kind != CK_PARAM_SPAN) return true; /* it is read where it is given */
  Buf data = BUF(maker->arena);
  if (!record_read_list(info->layout, text, info->bytes, &data, why)) return false;
  out->kind = VALUE_DATA;
  out->data = buf_text(&data);
  out->shape = (Shape){.rank = 1, .at = {data.len / info->bytes}, .count = data.len / info->bytes};
  return true;
}

static bool make_zeros(const ValueMaker *maker, const TestValue *from, const char *name, Value *out,
                       Buf *why)
{
  ValueMaker plain = *maker;
  plain.needs_data = false;
  if (!make_array(&plain, from, name, CK_U8, out, why)) return false;
  out->data = arena_alloc(maker->arena, out->shape.count * maker->param->info.bytes + 1);
  out->kind = VALUE_DATA;
  return true;
}

bool test_value_make(const ValueMaker *maker, const TestValue *from, const char *name,
                     ck_dtype_t dtype, Value *out, Buf *why)
{
  *out = (Value){.name = name, .text = from->text, .kind = VALUE_NUMBER};
  bool is_record = maker->param && maker->param->info.layout;
  if (is_record && from->kind == VALUE_NUMBER) return make_records(maker, from, out, why);
  if (is_record && from->kind == VALUE_ZEROS) return make_zeros(maker, from, name, out, why);
  if (is_record) buf_puts(why, "an array of structs, tuples or arrays is zeros:N or [V, V]");
  else if (from->pieces.count) buf_printf(why, "'%s': numbers are needed here", from->text);
  if (is_record || from->pieces.count) return false;
  if (from->kind == VALUE_NUMBER) return make_expression(maker, from, dtype, out, why);
  if (from->kind == VALUE_FILE) return make_file(maker, from, dtype, out, why);
  return make_array(maker, from, name, dtype, out, why);
}
