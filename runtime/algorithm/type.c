/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* type.c - types of elements: their sizes, their names in CK, declarations of structs. */
#include <string.h>

#include "call.h"

/* Structs in structs; more are a cycle. */
enum { NESTED_MAX = 16 };

typedef struct Layout {
  size_t bytes, alignment; /* alignment 0: no type */
} Layout;

static Layout layout_of(ck_value_type_t type, int depth)
{
  Layout none = {0, 0};
  if (type.dtype != CK_NONE) {
    size_t bytes = ck_dtype_bytes((ck_dtype_t)type.dtype);
    uint32_t n = type.components ? type.components : 1;
    if (!bytes || n > 16 || (n > 1 && type.dtype == CK_BOOL)) return none;
    size_t slots = n;
    while (slots & (slots - 1)) ++slots; /* a vector of 3 takes the room of 4 */
    return (Layout){bytes * slots, bytes * slots};
  }
  const ck_struct_type_t *fields = type.fields;
  if (!fields || depth > NESTED_MAX || !fields->field_count || !fields->fields) return none;
  Layout all = {0, 1};
  for (size_t i = 0; i < fields->field_count; ++i) {
    const ck_field_t *field = &fields->fields[i];
    Layout one = layout_of(field->type, depth + 1);
    if (!one.alignment) return none;
    all.bytes = (all.bytes + one.alignment - 1) / one.alignment * one.alignment;
    all.bytes += one.bytes * (field->count ? field->count : 1);
    if (one.alignment > all.alignment) all.alignment = one.alignment;
  }
  all.bytes = (all.bytes + all.alignment - 1) / all.alignment * all.alignment;
  return all;
}

size_t ck_value_type_bytes(ck_value_type_t type)
{
  return layout_of(type, 0).bytes;
}

bool type_is_scalar(ck_value_type_t type)
{
  return type.dtype != CK_NONE && type.components <= 1;
}

bool type_is_same(ck_value_type_t a, ck_value_type_t b)
{
  if (a.dtype != b.dtype) return false;
  if (a.dtype == CK_NONE) return a.fields == b.fields;
  return (a.components ? a.components : 1) == (b.components ? b.components : 1);
}

static bool is_name(const char *text)
{
  if (!text || !char_is_letter(*text)) return false;
  while (char_is_letter(*text) || char_is_digit(*text)) ++text;
  return !*text;
}

static bool is_same_struct(const ck_struct_type_t *a, const ck_struct_type_t *b)
{
  if (a == b) return true;
  if (a->field_count != b->field_count) return false;
  for (size_t i = 0; i < a->field_count; ++i) {
    const ck_field_t *f = &a->fields[i], *g = &b->fields[i];
    bool is_struct = f->type.dtype == CK_NONE;
    if (strcmp(f->name ? f->name : "", g->name ? g->name : "") || f->count != g->count ||
        f->type.dtype != g->type.dtype)
      return false;
    if (is_struct ? !is_same_struct(f->type.fields, g->type.fields)
                  : !type_is_same(f->type, g->type))
      return false;
  }
  return true;
}

static ck_status_t field_write(Call *call, Buf *out, const ck_field_t *field)
{
  CK_TRY(type_write(call, out, field->type));
  if (field->count) buf_printf(out, "[%u]", field->count);
  return CK_OK;
}

static ck_status_t declare(Call *call, const ck_struct_type_t *fields)
{
  Writer *writer = call->writer;
  for (uint32_t i = 0; i < writer->struct_count; ++i) {
    if (strcmp(writer->structs[i]->name, fields->name)) continue;
    if (is_same_struct(writer->structs[i], fields)) return CK_OK;
    return call_fail(call, CK_INVALID_ARGUMENT, "two different structs are named '%s'",
                     fields->name);
  }
  if (!is_name(fields->name))
    return call_fail(call, CK_INVALID_ARGUMENT, "'%s' can't be the name of a struct", fields->name);
  if (writer->struct_count == COUNT_OF(writer->structs))
    return call_fail(call, CK_UNSUPPORTED, "more than %u structs", writer->struct_count);
  writer->structs[writer->struct_count++] = fields;
  Buf text = BUF(&writer->arena);
  buf_printf(&text, "struct %s {", fields->name);
  for (size_t i = 0; i < fields->field_count; ++i) {
    const ck_field_t *field = &fields->fields[i];
    if (!is_name(field->name))
      return call_fail(call, CK_INVALID_ARGUMENT, "'%s' can't be the name of a field of '%s'",
                       field->name ? field->name : "NULL", fields->name);
    buf_printf(&text, " %s: ", field->name);
    CK_TRY(field_write(call, &text, field)); /* structs inside are declared before this one */
    buf_puts(&text, ";");
  }
  buf_puts(&text, " }\n");
  buf_bytes(&writer->declared, text.data, text.len);
  return CK_OK;
}

ck_status_t type_write(Call *call, Buf *out, ck_value_type_t type)
{
  size_t bytes = ck_value_type_bytes(type);
  if (!bytes)
    return call_fail(call, CK_INVALID_ARGUMENT,
                     "argument '%s': dtype %u, %u components%s are no type of an element",
                     call->row->operands[call->operand].name, type.dtype, type.components,
                     type.fields ? " and these fields" : "");
  if (type.dtype != CK_NONE) {
    buf_puts(out, ck_dtype_name((ck_dtype_t)type.dtype));
    if (type.components > 1) buf_printf(out, "x%u", type.components);
    return CK_OK;
  }
  const ck_struct_type_t *fields = type.fields;
  if (fields->bytes && fields->bytes != bytes)
    return call_fail(call, CK_INVALID_ARGUMENT,
                     "argument '%s': the struct '%s' has %zu bytes, but its fields need %zu",
                     call->row->operands[call->operand].name, fields->name ? fields->name : "",
                     fields->bytes, bytes);
  if (fields->name) {
    CK_TRY(declare(call, fields));
    buf_puts(out, fields->name);
    return CK_OK;
  }
  if (fields->field_count == 1) return field_write(call, out, &fields->fields[0]);
  for (size_t i = 0; i < fields->field_count; ++i) {
    buf_puts(out, i ? ", " : "(");
    CK_TRY(field_write(call, out, &fields->fields[i]));
  }
  buf_puts(out, ")");
  return CK_OK;
}
