/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* test_value.c - makes arguments from values of test lines: expressions, files and generated
 * arrays.
 */
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
  return buf_fail(why, "%.15Lg is no number of elements and no seed", value);
}

static bool too_many(const TestValue *from, Buf *why)
{
  return buf_fail(why, "%s has too many elements: there may be %llu", from->text,
                  (unsigned long long)(INT64_MAX / sizeof(double)));
}

static bool make_extent(const ValueMaker *maker, const TestValue *from, uint32_t axis,
                        uint64_t *out, Buf *why)
{
  Wide value;
  if (!expr_number(from->extents[axis], maker->bindings, &value, why)) return false;
  return value >= 0x1p62L ? too_many(from, why) : make_count(maker, from->extents[axis], out, why);
}

/* The seed of a generated array without one: a hash of its name, so that two arrays of one size
 * differ. FNV-1a with 64 bits (Fowler, Noll, Vo). */
static uint64_t seed_of(const char *name)
{
  uint64_t hash = 0xcbf29ce484222325u;
  for (; *name; ++name) hash = (hash ^ (unsigned char)*name) * 0x100000001b3u;
  return hash;
}

static bool make_random(const ValueMaker *maker, const TestValue *from, const char *name,
                        Value *out, Buf *why)
{
  Wide lo, hi;
  out->seed = maker->is_command ? 0 : seed_of(name);
  if (from->seed && !make_count(maker, from->seed, &out->seed, why)) return false;
  if (!from->lo) return true;
  if (!expr_number(from->lo, maker->bindings, &lo, why)) return false;
  if (!expr_number(from->hi, maker->bindings, &hi, why)) return false;
  out->has_range = true;
  out->lo = (double)lo;
  out->hi = (double)hi;
  if (value_check_range(out)) return true;
  return buf_fail(why, "%s: there is nothing in this range", from->text);
}

static bool has_room(const TestValue *from, uint64_t count, size_t width, Buf *why)
{
  uint64_t room = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
  if (count <= room / width) return true;
  return buf_fail(why, "%s is more than the %.0f GiB of this machine's memory", from->text,
                  (double)room / (1 << 30));
}

static bool make_array(const ValueMaker *maker, const TestValue *from, const char *name,
                       ck_dtype_t dtype, Value *out, Buf *why)
{
  out->kind = from->kind;
  out->shape.rank = from->rank;
  for (uint32_t i = 0; i < from->rank; ++i)
    if (!make_extent(maker, from, i, &out->shape.at[i], why)) return false;
  /* As in `ckc run`, an array that is filled at the launch has the extents of its elements. Data in
   * memory are numbers, with the components of vectors as their last axis. */
  uint32_t components = maker->param ? run_components(maker->param) : 1;
  if (maker->needs_data && components > 1 && out->shape.rank < EXTENTS_MAX)
    out->shape.at[out->shape.rank++] = components;
  if (!shape_set_count(&out->shape)) return too_many(from, why);
  if (from->kind == VALUE_RAND && !make_random(maker, from, name, out, why)) return false;
  if (!maker->needs_data) return true;
  if (!has_room(from, out->shape.count, ck_dtype_bytes(dtype), why)) return false;
  void *data = arena_alloc(maker->arena, out->shape.count * ck_dtype_bytes(dtype) + 1);
  value_fill(out, dtype, 0, out->shape.count, data);
  out->kind = VALUE_DATA;
  out->data = data;
  return true;
}

/* Sets the elements of an array parameter, or the bytes of another. */
static bool set_records(const ValueMaker *maker, const Shape *shape, const void *data, Value *out,
                        Buf *why)
{
  bool is_span = maker->param->info.kind == CK_PARAM_SPAN;
  out->data = data;
  out->shape = *shape;
  if (maker->is_expected || (is_span && shape->rank)) out->kind = VALUE_DATA;
  else if (is_span) buf_puts(why, "an array of them is written [..., ...]");
  else if (shape->rank) buf_puts(why, "one is needed, this is an array of them");
  return !why->len;
}

/* Opens the file of "@FILE"; false with "'PATH': why" in `why`. */
static bool open_file(const ValueMaker *maker, const TestValue *from, ck_dtype_t dtype, Npy *out,
                      Buf *why)
{
  Buf own = BUF(maker->arena);
  const ck_param_t *info = maker->param ? &maker->param->info : NULL;
  bool is_absolute = from->text[0] == '/' || !*maker->folder;
  const char *path =
      is_absolute ? from->text : arena_printf(maker->arena, "%s%s", maker->folder, from->text);
  bool is_open = npy_open(out, maker->arena, path, dtype, info ? info->layout : NULL,
                          info ? info->bytes : 0, &own);
  if (!is_open) buf_printf(why, "'%s': %s", path, buf_text(&own));
  return is_open;
}

static bool make_file(const ValueMaker *maker, const TestValue *from, ck_dtype_t dtype, Value *out,
                      Buf *why)
{
  Npy npy;
  if (!open_file(maker, from, dtype, &npy, why)) return false;
  size_t bytes = npy.shape.count * ck_dtype_bytes(dtype);
  out->kind = VALUE_DATA;
  out->shape = npy.shape;
  out->data = memcpy(arena_alloc(maker->arena, bytes + 1), npy.data, bytes);
  npy_close(&npy);
  return true;
}

static bool make_record_file(const ValueMaker *maker, const TestValue *from, Value *out, Buf *why)
{
  Npy npy;
  if (!open_file(maker, from, CK_NONE, &npy, why)) return false;
  size_t bytes = npy.shape.count * maker->param->info.bytes;
  const void *data = memcpy(arena_alloc(maker->arena, bytes + 1), npy.data, bytes);
  Shape shape = npy.shape;
  npy_close(&npy);
  return set_records(maker, &shape, data, out, why);
}

/* Elements of an expression in a type. */
static bool store_all(const ValueMaker *maker, Expr *expr, const Shape *shape, ck_dtype_t dtype,
                      const void **out, Buf *why)
{
  char *data = arena_alloc(maker->arena, shape->count * ck_dtype_bytes(dtype) + 1);
  *out = data;
  for (uint64_t i = 0; i < shape->count; ++i) {
    Wide value = expr_value(expr, i);
    if (number_store(dtype, data, i, value)) continue;
    return buf_fail(why, "element %llu, %.20Lg, is no %s", (unsigned long long)i, value,
                    ck_dtype_name(dtype));
  }
  return true;
}

static bool make_expression(const ValueMaker *maker, const TestValue *from, ck_dtype_t dtype,
                            Value *out, Buf *why)
{
  Shape shape = {.rank = 0};
  if (!expr_bind(from->expr, maker->bindings, &shape, why)) return false;
  if (!shape.rank) {
    out->text = test_number_text(maker->arena, from->expr, expr_value(from->expr, 0));
    return true;
  }
  out->kind = VALUE_DATA;
  out->shape = shape;
  return store_all(maker, from->expr, &shape, dtype, &out->data, why);
}

/* structs, tuples, arrays of them -------------------------------------------------------------- */

/* Makes arrays of arrays of numbers: the last axes of the value belong to an element. */
static bool make_arrays(const ValueMaker *maker, const TestValue *from, Value *out, Buf *why)
{
  const ck_param_t *info = &maker->param->info;
  Shape own = {.rank = 0}, shape;
  ck_dtype_t dtype;
  if (!expr_bind(from->expr, maker->bindings, &shape, why)) return false;
  bool is_array = test_layout_is_array(info->layout, &own, &dtype) && shape.rank >= own.rank;
  uint32_t outer = shape.rank - own.rank;
  if (!is_array || memcmp(shape.at + outer, own.at, own.rank * sizeof *own.at)) {
    const char *text =
        shape.rank ? arena_printf(maker->arena, "an array of %s", shape_text(maker->arena, &shape))
                   : test_number_text(maker->arena, from->expr, expr_value(from->expr, 0));
    return buf_fail(why, "'%s': '%c' is missing", text, *info->layout);
  }
  if (!store_all(maker, from->expr, &shape, dtype, &out->data, why)) return false;
  shape.rank = outer;
  shape_set_count(&shape);
  return set_records(maker, &shape, out->data, out, why);
}

/* Copies an array of the same records that the call already has. */
static bool copy_records(const ValueMaker *maker, const TestValue *from, Value *out,
                         bool *out_is_one, Buf *why)
{
  ExprData data;
  const ck_param_t *info = &maker->param->info;
  Buf ignored = BUF(maker->arena);
  *out_is_one = expr_bind_data(from->expr, maker->bindings, &data, &ignored) && data.data &&
                data.layout && !strcmp(data.layout, info->layout);
  if (!*out_is_one) return true;
  return set_records(maker, &data.shape, expr_gather(&data, info->bytes, maker->arena), out, why);
}

static bool make_records(const ValueMaker *maker, const TestValue *from, Value *out, Buf *why)
{
  const ck_param_t *info = &maker->param->info;
  Shape shape;
  void *data;
  bool is_copy = false;
  if (from->record)
    return test_records_make(maker, from->record, info->layout, info->bytes, &shape, &data, why) &&
           set_records(maker, &shape, data, out, why);
  if (!copy_records(maker, from, out, &is_copy, why) || is_copy) return is_copy;
  return make_arrays(maker, from, out, why);
}

/* zeros:N and its like of records: the launch fills them (run_fill_records). */
static bool make_record_array(const ValueMaker *maker, const TestValue *from, const char *name,
                              Value *out, Buf *why)
{
  ValueMaker plain = *maker;
  size_t width = maker->param->info.bytes;
  plain.needs_data = false;
  if (!make_array(&plain, from, name, CK_U8, out, why)) return false;
  if (!maker->needs_data) return true;
  if (!has_room(from, out->shape.count, width, why)) return false;
  char *data = arena_alloc(maker->arena, out->shape.count * width + 1);
  record_fill(out, maker->param->info.layout, width, 0, out->shape.count, data);
  out->kind = VALUE_DATA;
  out->data = data;
  return true;
}

/* A vector that is one value: (1, 2). */
static Expr *vector_of(const ValueMaker *maker, const Record *record)
{
  Reader reader = {.arena = maker->arena, .at = "", .end = ""};
  Expr **items = NEW_ARRAY(maker->arena, Expr *, record->items.count + 1);
  for (uint32_t i = 0; i < record->items.count; ++i) {
    const Record *item = record->items.at[i];
    items[i] = item->open == '(' || item->open == '[' ? vector_of(maker, item) : item->expr;
    if (!items[i] || item->name) return NULL;
  }
  return record->open == '{' ? NULL : expr_list(&reader, items, record->items.count);
}

static bool make_value(const ValueMaker *maker, const TestValue *from, const char *name,
                       ck_dtype_t dtype, Value *out, Buf *why)
{
  *out = (Value){.name = name, .text = from->text, .kind = VALUE_NUMBER};
  bool is_record = maker->param && maker->param->info.layout;
  if (is_record && from->kind == VALUE_NUMBER) return make_records(maker, from, out, why);
  if (is_record && from->kind != VALUE_FILE) return make_record_array(maker, from, name, out, why);
  if (is_record) return make_record_file(maker, from, out, why);
  if (from->kind == VALUE_FILE) return make_file(maker, from, dtype, out, why);
  if (from->kind != VALUE_NUMBER) return make_array(maker, from, name, dtype, out, why);
  TestValue vectors = *from;
  if (from->record && !(vectors.expr = vector_of(maker, from->record)))
    return buf_fail(why, "'%s': numbers are needed here", from->text);
  return make_expression(maker, &vectors, dtype, out, why);
}

/* Makes an optional number of texture(...). */
static bool make_float(const ValueMaker *maker, Expr *expr, float *out, Buf *why)
{
  Wide value;
  if (!expr) return true;
  if (!expr_number(expr, maker->bindings, &value, why)) return false;
  *out = (float)value;
  return true;
}

bool test_image_setup(const ValueMaker *maker, const TestValue *from, Value *out, Buf *why)
{
  enum { ANISOTROPY_MAX = 16 };
  const TestImage *image = from->image;
  if (!image) return true;
  ImageSetup *setup = NEW(maker->arena, ImageSetup);
  uint64_t anisotropy = 0;
  *setup = (ImageSetup){.options = image->options, .is_buffer = image->is_buffer};
  for (size_t i = 0; i < COUNT_OF(image->border); ++i)
    if (!make_float(maker, image->border[i], &setup->options.border[i], why)) return false;
  if (!make_float(maker, image->level_bias, &setup->options.level_bias, why) ||
      !make_float(maker, image->min_level, &setup->options.min_level, why) ||
      !make_float(maker, image->max_level, &setup->options.max_level, why) ||
      (image->anisotropy && !make_count(maker, image->anisotropy, &anisotropy, why)))
    return false;
  setup->options.max_anisotropy =
      (uint32_t)(anisotropy < ANISOTROPY_MAX ? anisotropy : ANISOTROPY_MAX);
  ValueMaker own = *maker;
  own.needs_data = true;
  Value *levels = NEW_ARRAY(maker->arena, Value, image->levels.count + 1);
  for (uint32_t i = 0; i < image->levels.count; ++i)
    if (!make_value(&own, &image->levels.at[i], out->name, maker->param->info.dtype, &levels[i],
                    why))
      return false;
  setup->levels = levels;
  setup->level_count = image->levels.count;
  out->setup = setup;
  return true;
}

bool test_value_make(const ValueMaker *maker, const TestValue *from, const char *name,
                     ck_dtype_t dtype, Value *out, Buf *why)
{
  if (from->image && !(maker->param && maker->param->info.kind == CK_PARAM_TEXTURE))
    return buf_fail(why, "texture(...) is for textures");
  return make_value(maker, from, name, dtype, out, why) && test_image_setup(maker, from, out, why);
}
