/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* constant.c - turns values of SET lines and --set into -D for constants of the module.
 *
 * The command line doesn't know the constants' types. So numbers are written as they are, lists in
 * brackets, and structs as __struct(x = 1, y = 2), for which the compiler finds the name
 * (compiler/check/define.c). Expressions see them as numbers of 64 bits; a struct gets a layout of
 * its own:
 *
 *     {x: 1, on: true, at: (2, 3)}  =  {x:f64@0,on:bool@8,at:(f64@16,f64@24)}
 */
#include <math.h>
#include <string.h>

#include "test.h"

/* text --------------------------------------------------------------------------------------- */

static void put_number(Buf *out, ck_dtype_t dtype, const void *element)
{
  char text[NUMBER_TEXT_BYTES];
  number_text(text, dtype, element);
  buf_puts(out, text);
}

static void put_record(Buf *out, const char *layout, const char *bytes)
{
  ck_dtype_t dtype;
  size_t offset, name_bytes;
  const char *name, *part;
  if (!strchr("{([", *layout)) {
    if (record_first(layout, &dtype, &offset)) put_number(out, dtype, bytes + offset);
    return;
  }
  buf_puts(out, *layout == '{' ? "__struct(" : *layout == '(' ? "(" : "[");
  part = record_item(layout, 0, &name, &name_bytes);
  for (uint32_t i = 0; part; part = record_next(part, &name, &name_bytes), ++i) {
    buf_puts(out, i ? ", " : "");
    if (name_bytes) buf_printf(out, "%.*s = ", (int)name_bytes, name);
    put_record(out, part, bytes);
  }
  buf_puts(out, *layout == '[' ? "]" : ")");
}

/* A binding's elements from *io_at on, in brackets for each extent. */
static void put_rows(Buf *out, const Binding *from, uint32_t axis, uint64_t *io_at)
{
  if (axis == from->shape->rank) {
    size_t width = from->layout ? from->width : ck_dtype_bytes(from->dtype);
    const char *element = (const char *)from->data + (*io_at)++ * width;
    if (from->layout) put_record(out, from->layout, element);
    else put_number(out, from->dtype, element);
    return;
  }
  buf_puts(out, "[");
  for (uint64_t i = 0; i < from->shape->at[axis]; ++i) {
    buf_puts(out, i ? ", " : "");
    put_rows(out, from, axis + 1, io_at);
  }
  buf_puts(out, "]");
}

/* structs ------------------------------------------------------------------------------------ */

static void put_layout(Buf *out, const Record *from, size_t *io_offset)
{
  enum { NUMBER_BYTES = 8 };
  if (!from->open) {
    bool is_bool = expr_is_bool(from->expr);
    buf_printf(out, "%s@%zu", is_bool ? "bool" : "f64", *io_offset);
    *io_offset += NUMBER_BYTES;
    return;
  }
  bool has_names = from->open == '{' && from->items.count && from->items.at[0]->name;
  buf_putc(out, from->open == '[' ? '[' : has_names ? '{' : '(');
  for (uint32_t i = 0; i < from->items.count; ++i) {
    const Record *item = from->items.at[i];
    buf_puts(out, i ? "," : "");
    if (has_names) buf_printf(out, "%s:", item->name ? item->name : "");
    put_layout(out, item, io_offset);
  }
  buf_putc(out, from->open == '[' ? ']' : has_names ? '}' : ')');
}

static bool make_records(const ValueMaker *maker, const Record *from, Binding *out, Buf *why)
{
  const Record *first = from;
  void *data;
  Shape *shape = NEW(maker->arena, Shape);
  Buf layout = BUF(maker->arena);
  while (first->open == '[' && first->items.count) first = first->items.at[0];
  put_layout(&layout, first, &out->width);
  out->layout = buf_text(&layout);
  if (!out->width) return buf_fail(why, "there is nothing in it");
  bool is_good = test_records_make(maker, from, out->layout, out->width, shape, &data, why);
  out->shape = shape;
  out->data = data;
  return is_good;
}

/* numbers ------------------------------------------------------------------------------------ */

/* The 64-bit type that holds all elements: an integer type if they all are integers. */
static ck_dtype_t type_of(Expr *expr, uint64_t count)
{
  bool is_i64 = true, is_u64 = true;
  if (expr_is_bool(expr)) return CK_BOOL;
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t element;
    Wide value = expr_value(expr, i);
    is_i64 = is_i64 && number_store(CK_I64, &element, 0, value);
    is_u64 = is_u64 && number_store(CK_U64, &element, 0, value);
  }
  return is_i64 ? CK_I64 : is_u64 ? CK_U64 : CK_F64;
}

static bool make_numbers(const ValueMaker *maker, Expr *expr, Binding *out, Buf *why)
{
  Shape *shape = NEW(maker->arena, Shape);
  if (!expr_bind(expr, maker->bindings, shape, why)) return false;
  uint64_t count = shape->rank ? shape->count : 1;
  out->dtype = type_of(expr, count);
  char *data = arena_alloc(maker->arena, count * sizeof(uint64_t) + 1);
  for (uint64_t i = 0; i < count; ++i) number_store(out->dtype, data, i, expr_value(expr, i));
  if (!shape->rank) out->number = expr_value(expr, 0);
  out->shape = shape;
  out->data = data;
  return true;
}

static bool make_array(const ValueMaker *maker, const TestValue *from, Binding *out, Buf *why)
{
  Value value;
  Shape *shape = NEW(maker->arena, Shape);
  out->dtype = from->kind == VALUE_RAND ? CK_F32 : CK_I64;
  if (!test_value_make(maker, from, out->name, out->dtype, &value, why)) return false;
  *shape = value.shape;
  out->shape = shape;
  out->data = value.data;
  return true;
}

/* -------------------------------------------------------------------------------------------- */

bool test_constant_make(const ValueMaker *maker, const TestValue *from, const char *name,
                        Binding *out, const char **out_define, Buf *why)
{
  uint64_t at = 0;
  Buf text = BUF(maker->arena);
  *out = (Binding){.name = name};
  if (from->kind == VALUE_FILE) buf_puts(why, "a constant's value is no file");
  else if (from->kind != VALUE_NUMBER) make_array(maker, from, out, why);
  else if (from->record) make_records(maker, from->record, out, why);
  else make_numbers(maker, from->expr, out, why);
  if (why->len || !out->data) return false;
  buf_printf(&text, "%s=", name);
  put_rows(&text, out, 0, &at);
  *out_define = buf_text(&text);
  if (!out->layout && !out->shape->rank) out->data = NULL; /* a number */
  return true;
}
