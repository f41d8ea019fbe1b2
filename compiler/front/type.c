/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* type.c - makes types, each one once, in a hash table. The type of a struct or enumeration isn't
 * in the table: its declaration makes it once.
 */
#include "front/type.h"

#include <assert.h>
#include <string.h>

typedef enum ScalarKind { NOT_SCALAR, BOOL, SIGNED, UNSIGNED, FLOAT } ScalarKind;

static const ScalarKind scalar_kinds[TYPE_type + 1] = {
#define TYPE(name, kind, ...) [TYPE_##name] = kind,
#include "front/type.def"
};

static uint32_t hash_of(const Type *key)
{
  uint64_t hash = key->kind | (uint64_t)key->rank << 8 | (uint64_t)key->access << 16 |
                  (uint64_t)key->space << 24 | (uint64_t)key->count << 32;
  const void *of = key->kind == TYPE_closure ? (const void *)key->decl : key->element;
  hash = (hash ^ (uintptr_t)of) * 0x9e3779b97f4a7c15u;
  for (uint32_t i = 0; key->kind == TYPE_tuple && i < key->count; ++i)
    hash = ((hash >> 29 | hash << 35) ^ (uintptr_t)key->elements[i]) * 0x9e3779b97f4a7c15u;
  return (uint32_t)(hash >> 32);
}

static bool is_same(const Type *a, const Type *b)
{
  return a->kind == b->kind && a->element == b->element && a->count == b->count &&
         a->rank == b->rank && a->access == b->access && a->space == b->space &&
         (a->kind != TYPE_closure || a->decl == b->decl) &&
         (a->kind != TYPE_tuple ||
          !memcmp(a->elements, b->elements, a->count * sizeof *a->elements));
}

static Type *find(const Types *types, const Type *key)
{
  Type *type = types->table[hash_of(key) & types->mask];
  while (type && !is_same(type, key)) type = type->next;
  return type;
}

static void grow(Types *types)
{
  Type **old = types->table;
  uint32_t size = types->mask + 1;
  types->mask = 2 * size - 1;
  types->table = NEW_ARRAY(types->arena, Type *, 2 * size);
  for (uint32_t i = 0; i < size; ++i) {
    for (Type *type = old[i], *next; type; type = next) {
      next = type->next;
      Type **slot = &types->table[hash_of(type) & types->mask];
      type->next = *slot;
      *slot = type;
    }
  }
}

/* Fields one after the other, each at a multiple of its alignment, as C lays them out. */
static uint64_t lay_out(const Type *type, uint32_t end)
{
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < end; ++i) {
    const Type *part = type->elements[i];
    bytes = (bytes + part->align - 1) / part->align * part->align + part->bytes;
  }
  return bytes;
}

static void measure(Type *type)
{
  type->is_data = type_is_scalar(type) || type->kind == TYPE_pointer;
  type->bytes = (type->bits + 7u) / 8;
  type->align = type->bytes ? (uint32_t)type->bytes : 1;
  type->scalars = 1;
  switch (type->kind) {
  case TYPE_array:
    type->has_array = true;
    type->has_closure = type->element->has_closure;
    type->is_data = type->element->is_data;
    type->align = type->element->align;
    type->bytes = type->count * type->element->bytes;
    type->scalars = type->count * type->element->scalars;
    break;
  case TYPE_vector:
    type->scalars = type->count;
    type->is_data = true;
    type->bytes = type->element->bytes * (type->count == 3 ? 4 : type->count);
    type->align = (uint32_t)type->bytes; /* as LLVM lays it out in a struct */
    break;
  case TYPE_pointer: type->bytes = type->align = 8; break;
  case TYPE_span:
    type->align = 8;
    type->bytes = 8 + 8 * (uint64_t)type->rank;
    break;
  case TYPE_range:
    type->align = type->element->align;
    type->bytes = 3 * type->element->bytes;
    break;
  case TYPE_closure:
  case TYPE_tuple:
  case TYPE_struct:
    type->has_closure = type->kind == TYPE_closure;
    type->is_data = !type->has_closure;
    type->scalars = 0;
    for (uint32_t i = 0; i < type->count; ++i) {
      const Type *part = type->elements[i];
      type->has_array |= part->has_array;
      type->scalars += part->scalars;
      type->has_closure |= part->has_closure;
      type->is_data &= part->is_data;
      if (part->align > type->align) type->align = part->align;
    }
    type->is_data &= type->count > 0;
    type->bytes = (lay_out(type, type->count) + type->align - 1) / type->align * type->align;
    break;
  default: break;
  }
}

static Type *type_new(Types *types, Type type)
{
  Type *made = NEW(types->arena, Type);
  *made = type;
  measure(made);
  if (++types->type_count > types->mask) grow(types);
  Type **slot = &types->table[hash_of(made) & types->mask];
  made->next = *slot;
  *slot = made;
  return made;
}

void types_init(Types *types, Arena *arena)
{
  enum { TABLE_SIZE = 128 }; /* a power of two; most programs have fewer types */
  *types = (Types){.arena = arena, .mask = TABLE_SIZE - 1};
  types->table = NEW_ARRAY(arena, Type *, TABLE_SIZE);
  types->poison = type_new(types, (Type){.kind = TYPE_poison, .text = "what was reported"});
  types->none = type_new(types, (Type){.kind = TYPE_none, .text = "nothing"});
  types->int_literal = type_new(types, (Type){.kind = TYPE_int_literal, .text = "an integer"});
  types->float_literal = type_new(types, (Type){.kind = TYPE_float_literal, .text = "a number"});
  types->string = type_new(types, (Type){.kind = TYPE_string, .text = "a text"});
  types->function = type_new(types, (Type){.kind = TYPE_function, .text = "a function"});
  types->module = type_new(types, (Type){.kind = TYPE_module, .text = "a module"});
#define TYPE(name, kind_, bits_, llvm_)                                                            \
  types->type_##name = type_new(types, (Type){.kind = TYPE_##name, .text = #name, .bits = bits_});
#include "front/type.def"
  static const char *const groups[] = {"thread",    "warp",       "block",       "cluster",
                                       "grid",      "block.id",   "block.dim",   "grid.dim",
                                       "warp.tile", "cluster.id", "cluster.dim", "block.part"};
  static_assert(COUNT_OF(groups) == COUNT_OF(types->groups), "one type for each group");
  for (unsigned i = 0; i < COUNT_OF(groups); ++i)
    types->groups[i] =
        type_new(types, (Type){.kind = TYPE_group, .rank = (uint8_t)i, .text = groups[i]});
  static const char *const modules[] = {"target",   "atomic", "pipeline",
                                        "mbarrier", "bulk",   "device"};
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

Type *type_tile(Types *types, uint32_t lanes)
{
  Type **slot = &types->tiles[__builtin_ctz(lanes)];
  if (!*slot)
    *slot = type_new(types, (Type){.kind = TYPE_group,
                                   .count = lanes,
                                   .text = arena_printf(types->arena, "warp.tile<%u>", lanes)});
  return *slot;
}

/* A role's count holds its three numbers: a byte each, the barrier's in the third, which is not
 * 0. */
enum { PART_LEAST = 1 << 16 };

Type *type_part(Types *types, uint32_t first, uint32_t warps, uint32_t number)
{
  Type key = {.kind = TYPE_group, .count = number << 16 | first << 8 | warps};
  Type *known = find(types, &key);
  if (known) return known;
  key.text = arena_printf(types->arena, "block.part<%u, %u, %u>", first, warps, number);
  return type_new(types, key);
}

unsigned type_group_numbers(const Type *type, uint32_t out_numbers[3])
{
  if (!type || type->kind != TYPE_group || !type->count) return 0;
  bool is_part = type->count >= PART_LEAST;
  out_numbers[0] = is_part ? type->count >> 8 & 0xff : type->count;
  out_numbers[1] = type->count & 0xff;
  out_numbers[2] = type->count >> 16;
  return is_part ? 3 : 1;
}

const char *type_owner_text(const Type *type)
{
  if (type->kind != TYPE_group || !type->count) return type->text;
  return type->count >= PART_LEAST ? "block.part" : "warp.tile";
}

Type *type_scalar_named(Types *types, const char *text, size_t len)
{
#define TYPE(name, ...)                                                                            \
  if (len == sizeof #name - 1 && !memcmp(text, #name, len)) return types->type_##name;
#include "front/type.def"
  return NULL;
}

Type *type_vector(Types *types, Type *element, uint64_t count)
{
  if (count != 2 && count != 3 && count != 4 && count != 8 && count != 16) return NULL;
  Type key = {.kind = TYPE_vector, .element = element, .count = (uint32_t)count};
  Type *known = find(types, &key);
  if (known) return known;
  return type_new(
      types, (Type){.kind = TYPE_vector,
                    .element = element,
                    .bits = element->bits,
                    .count = (uint32_t)count,
                    .text = arena_printf(types->arena, "%sx%u", element->text, (unsigned)count)});
}

Type *type_of_operation(Types *types, Op op, Type *operand)
{
  if (op_gives_operand(op)) return operand;
  if (!op_is_comparison(op)) die("'%s' gives no type", op_text(op));
  if (operand->kind != TYPE_vector) return types->type_bool;
  return type_vector(types, types->type_bool, operand->count);
}

Type *type_vector_named(Types *types, const char *text, size_t len)
{
  size_t digits = len;
  while (digits && text[digits - 1] >= '0' && text[digits - 1] <= '9') --digits;
  if (digits < 2 || len - digits < 1 || len - digits > 2 || text[digits - 1] != 'x') return NULL;
  Type *element = type_scalar_named(types, text, digits - 1);
  unsigned count = 0;
  for (size_t i = digits; i < len; ++i) count = count * 10 + (unsigned)(text[i] - '0');
  return element && text[digits] != '0' ? type_vector(types, element, count) : NULL;
}

/* The name of a type inside another type's name. A literal has the name of its default type
 * there. */
static const char *text_in(const Types *types, const Type *part)
{
  return part == types->int_literal     ? types->type_i32->text
         : part == types->float_literal ? types->type_f32->text
                                        : part->text;
}

Type *type_array(Types *types, Type *element, uint32_t count)
{
  Type key = {.kind = TYPE_array, .element = element, .count = count}, *known = find(types, &key);
  if (known) return known;
  /* f32[4, 8] is an array of 4 f32[8]: the new extent goes in front. */
  const char *text;
  if (element->kind == TYPE_array) {
    const char *bracket = strchr(element->text, '[');
    text = arena_printf(types->arena, "%.*s[%u, %s", (int)(bracket - element->text), element->text,
                        count, bracket + 1);
  } else {
    text = arena_printf(types->arena, "%s[%u]", text_in(types, element), count);
  }
  key.text = text;
  return type_new(types, key);
}

Type *type_span(Types *types, Type *element, unsigned rank, Op access)
{
  Type key = {.kind = TYPE_span,
              .element = element,
              .rank = (uint8_t)rank,
              .access = (uint8_t)access},
       *known = find(types, &key);
  if (known) return known;
  key.text = arena_printf(types->arena, "%s %s[%.*s]", op_text(access), element->text,
                          (int)(rank - 1), ",,,");
  return type_new(types, key);
}

Type *type_range(Types *types, Type *element, RangeOrder order)
{
  static const char *const texts[] = {"range<%s>", "reversed range<%s>",
                                      "range<%s> that counts down"};
  Type key = {.kind = TYPE_range, .element = element, .rank = (uint8_t)order},
       *known = find(types, &key);
  if (known) return known;
  key.text = arena_printf(types->arena, texts[order], text_in(types, element));
  return type_new(types, key);
}

Type *type_place(Types *types, Type *element, Op access, Space space, uint32_t count)
{
  Type key = {.kind = TYPE_place,
              .element = element,
              .access = (uint8_t)access,
              .space = (uint8_t)space,
              .count = count},
       *known = find(types, &key);
  if (known) return known;
  key.text = arena_printf(types->arena, "%s %s in memory", op_text(access), element->text);
  return type_new(types, key);
}

Type *type_tuple(Types *types, Type *const *elements, uint32_t count)
{
  Type key = {.kind = TYPE_tuple, .elements = elements, .count = count}, *known = find(types, &key);
  if (known) return known;
  Type **copy = NEW_ARRAY(types->arena, Type *, count);
  Buf text = BUF(types->arena);
  for (uint32_t i = 0; i < count; ++i) {
    copy[i] = elements[i];
    buf_printf(&text, "%s%s", i ? ", " : "(", text_in(types, elements[i]));
  }
  buf_putc(&text, ')');
  key.elements = copy;
  key.text = buf_text(&text);
  return type_new(types, key);
}

Type *type_struct(Types *types, Node *decl, Node *origin)
{
  Type *type = NEW(types->arena, Type); /* not in the table: its declaration makes it, once */
  *type = (Type){.kind = TYPE_struct, .decl = decl, .origin = origin, .text = decl->name->text};
  return type;
}

Type *type_enum(Types *types, Node *decl, Type *base)
{
  Type *type = NEW(types->arena, Type); /* not in the table, as a struct */
  *type = *base;
  type->next = NULL;
  type->element = base;
  type->decl = decl;
  type->text = decl->name->text;
  return type;
}

void type_complete(Type *type, Type *const *elements, uint32_t count)
{
  type->elements = elements;
  type->count = count;
  measure(type);
}

Type *type_pointer(Types *types, Type *element, Space space)
{
  static const char *const spaces[] = {"", ", global", ", shared"};
  Type key = {.kind = TYPE_pointer, .element = element, .space = (uint8_t)space},
       *known = find(types, &key);
  if (known) return known;
  key.text = arena_printf(types->arena, "ptr<%s%s>", element->text, spaces[space]);
  return type_new(types, key);
}

Type *type_closure(Types *types, Node *decl, Type *const *elements, uint32_t count,
                   const char *text)
{
  Type key = {.kind = TYPE_closure, .decl = decl, .count = count}, *known = find(types, &key);
  if (known) return known;
  Type **copy = NEW_ARRAY(types->arena, Type *, count);
  for (uint32_t i = 0; i < count; ++i) copy[i] = elements[i];
  key.elements = copy;
  key.text = text;
  return type_new(types, key);
}

Type *type_naming(Types *types, Type *named)
{
  if (named == types->poison) return named;
  Type key = {.kind = TYPE_type, .element = named}, *known = find(types, &key);
  if (known) return known;
  key.text = arena_printf(types->arena, "the type %s", named->text);
  return type_new(types, key);
}

bool type_is_scalar(const Type *type)
{
  return scalar_kinds[type->kind] != NOT_SCALAR;
}

bool type_is_record(const Type *type)
{
  return type->kind == TYPE_struct || type->kind == TYPE_tuple;
}

bool type_is_enum(const Type *type)
{
  return type->decl && type_is_scalar(type);
}

const Type *type_as_data(const Type *type)
{
  return type_is_enum(type) ? type->element : type;
}

bool type_is_int(const Type *type)
{
  if (type_is_enum(type)) return false;
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

bool type_is_half(const Type *type)
{
  return type->kind == TYPE_f16 || type->kind == TYPE_bf16;
}

bool type_is_literal(const Type *type)
{
  return type->kind == TYPE_int_literal || type->kind == TYPE_float_literal;
}

bool type_is_number(const Type *type)
{
  return type_is_int(type) || type_is_float(type) || type_is_literal(type);
}

Type *type_scalar_of(Type *type)
{
  return type->kind == TYPE_vector ? type->element : type;
}

bool type_is_element(const Type *type)
{
  return type_is_scalar(type) || type->kind == TYPE_vector;
}

const char *type_text(const Type *type)
{
  return type->text;
}

uint64_t type_bytes(const Type *type)
{
  return type->bytes;
}

uint64_t type_offset(const Type *type, uint32_t i)
{
  uint64_t end = lay_out(type, i), align = type->elements[i]->align;
  return (end + align - 1) / align * align;
}

bool type_widens(const Type *from, const Type *to)
{
  ScalarKind kind = scalar_kinds[from->kind];
  if (from == to) return kind != NOT_SCALAR;
  if (type_is_enum(from) || type_is_enum(to)) return false;
  return kind != NOT_SCALAR && kind == scalar_kinds[to->kind] && from->bits < to->bits;
}
