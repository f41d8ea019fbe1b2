/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* type.c - makes types, each one once. Programs have few types: a list is searched. */
#include "type.h"

#include <assert.h>
#include <string.h>

typedef enum ScalarKind { NOT_SCALAR, BOOL, SIGNED, UNSIGNED, FLOAT } ScalarKind;

static const ScalarKind scalar_kinds[TYPE_type + 1] = {
#define TYPE(name, kind, ...) [TYPE_##name] = kind,
#include "type.def"
};

static Type *type_new(Types *types, Type type)
{
  Type *made = NEW(types->arena, Type);
  *made = type;
  made->next = types->all;
  types->all = made;
  return made;
}

void types_init(Types *types, Arena *arena)
{
  *types = (Types){.arena = arena};
  types->poison = type_new(types, (Type){.kind = TYPE_poison, .text = "what was reported"});
  types->none = type_new(types, (Type){.kind = TYPE_none, .text = "nothing"});
  types->int_literal = type_new(types, (Type){.kind = TYPE_int_literal, .text = "an integer"});
  types->float_literal = type_new(types, (Type){.kind = TYPE_float_literal, .text = "a number"});
  types->string = type_new(types, (Type){.kind = TYPE_string, .text = "a text"});
  types->function = type_new(types, (Type){.kind = TYPE_function, .text = "a function"});
  types->module = type_new(types, (Type){.kind = TYPE_module, .text = "a module"});
#define TYPE(name, kind_, bits_, llvm_)                                                            \
  types->type_##name = type_new(types, (Type){.kind = TYPE_##name, .text = #name, .bits = bits_});
#include "type.def"
  static const char *const groups[] = {"thread", "warp",     "block",     "cluster",
                                       "grid",   "block.id", "block.dim", "grid.dim"};
  static_assert(COUNT_OF(groups) == COUNT_OF(types->groups), "one type for each group");
  for (unsigned i = 0; i < COUNT_OF(groups); ++i)
    types->groups[i] =
        type_new(types, (Type){.kind = TYPE_group, .rank = (uint8_t)i, .text = groups[i]});
  static const char *const modules[] = {"target", "atomic", "async"};
  static_assert(COUNT_OF(modules) == COUNT_OF(types->modules), "one type for each module");
  for (unsigned i = 0; i < COUNT_OF(modules); ++i)
    types->modules[i] = type_new(types, (Type){.kind = TYPE_module, .text = modules[i]});
}

Type *type_group_named(Types *types, const char *text)
{
  for (unsigned i = 0; i < COUNT_OF(types->groups); ++i)
    if (!strcmp(types->groups[i]->text, text)) return types->groups[i];
  for (unsigned i = 0; i < COUNT_OF(types->modules); ++i)
    if (!strcmp(types->modules[i]->text, text)) return types->modules[i];
  return NULL;
}

Type *type_scalar_named(Types *types, const char *text, size_t len)
{
#define TYPE(name, ...)                                                                            \
  if (len == sizeof #name - 1 && !memcmp(text, #name, len)) return types->type_##name;
#include "type.def"
  return NULL;
}

Type *type_array(Types *types, Type *element, uint32_t count)
{
  for (Type *type = types->all; type; type = type->next)
    if (type->kind == TYPE_array && type->element == element && type->count == count) return type;
  /* f32[4, 8] is an array of 4 f32[8]: the new extent goes in front. */
  const char *text;
  if (element->kind == TYPE_array) {
    const char *bracket = strchr(element->text, '[');
    text = arena_printf(types->arena, "%.*s[%u, %s", (int)(bracket - element->text), element->text,
                        count, bracket + 1);
  } else {
    text = arena_printf(types->arena, "%s[%u]", element->text, count);
  }
  return type_new(types,
                  (Type){.kind = TYPE_array, .element = element, .count = count, .text = text});
}

Type *type_span(Types *types, Type *element, unsigned rank, Op access)
{
  for (Type *type = types->all; type; type = type->next)
    if (type->kind == TYPE_span && type->element == element && type->rank == rank &&
        type->access == access)
      return type;
  const char *text = arena_printf(types->arena, "%s %s[%.*s]", op_text(access), element->text,
                                  (int)(2 * (rank - 1)), ", , , ");
  return type_new(types, (Type){.kind = TYPE_span,
                                .element = element,
                                .rank = (uint8_t)rank,
                                .access = (uint8_t)access,
                                .text = text});
}

Type *type_range(Types *types, Type *element)
{
  for (Type *type = types->all; type; type = type->next)
    if (type->kind == TYPE_range && type->element == element) return type;
  const char *text = arena_printf(types->arena, "range<%s>", element->text);
  return type_new(types, (Type){.kind = TYPE_range, .element = element, .text = text});
}

Type *type_place(Types *types, Type *element, Op access)
{
  for (Type *type = types->all; type; type = type->next)
    if (type->kind == TYPE_place && type->element == element && type->access == access) return type;
  const char *text = arena_printf(types->arena, "%s %s in memory", op_text(access), element->text);
  return type_new(
      types,
      (Type){.kind = TYPE_place, .element = element, .access = (uint8_t)access, .text = text});
}

Type *type_tuple(Types *types, Type *const *elements, uint32_t count)
{
  for (Type *type = types->all; type; type = type->next)
    if (type->kind == TYPE_tuple && type->count == count &&
        !memcmp(type->elements, elements, count * sizeof *elements))
      return type;
  Type **copy = NEW_ARRAY(types->arena, Type *, count);
  Buf text = BUF(types->arena);
  for (uint32_t i = 0; i < count; ++i) {
    copy[i] = elements[i];
    buf_printf(&text, "%s%s", i ? ", " : "(", elements[i]->text);
  }
  buf_putc(&text, ')');
  return type_new(
      types, (Type){.kind = TYPE_tuple, .elements = copy, .count = count, .text = buf_text(&text)});
}

Type *type_naming(Types *types, Type *named)
{
  for (Type *type = types->all; type; type = type->next)
    if (type->kind == TYPE_type && type->element == named) return type;
  const char *text = arena_printf(types->arena, "the type %s", named->text);
  return type_new(types, (Type){.kind = TYPE_type, .element = named, .text = text});
}

bool type_is_scalar(const Type *type)
{
  return scalar_kinds[type->kind] != NOT_SCALAR;
}

bool type_is_int(const Type *type)
{
  return scalar_kinds[type->kind] == SIGNED || scalar_kinds[type->kind] == UNSIGNED;
}

bool type_is_signed(const Type *type)
{
  return scalar_kinds[type->kind] == SIGNED;
}

bool type_is_float(const Type *type)
{
  return scalar_kinds[type->kind] == FLOAT;
}

bool type_is_literal(const Type *type)
{
  return type->kind == TYPE_int_literal || type->kind == TYPE_float_literal;
}

bool type_is_number(const Type *type)
{
  return type_is_int(type) || type_is_float(type) || type_is_literal(type);
}

const char *type_text(const Type *type)
{
  return type->text;
}

uint64_t type_bytes(const Type *type)
{
  if (type->kind == TYPE_array) return type->count * type_bytes(type->element);
  return (type->bits + 7u) / 8;
}

bool type_widens(const Type *from, const Type *to)
{
  ScalarKind kind = scalar_kinds[from->kind];
  return kind != NOT_SCALAR && kind == scalar_kinds[to->kind] && from->bits <= to->bits;
}
