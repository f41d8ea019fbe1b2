/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* type.h - types, interned: equal types are equal pointers.
 *
 *   scalar    bool, i8 ... f64 (type.def)
 *   literal   of a constant without a type: the context gives it one
 *   enum      a scalar type that the program declares: its kind is that of the integer type that
 *             represents it, `element`; `decl` tells them apart. It is not a number.
 *   vector    `count` scalars, 2 3 4 8 or 16: f32x4
 *   array     a value of `count` elements; f32[4, 8] is an array of 4 arrays of 8
 *   struct    fields, laid out as in C; each structure, and each instance of a generic one, is a
 *             type
 *   pointer   the address of a value, in any memory or in the one that `space` says
 *   span      a view of memory: `rank` extents, known at run time; `access` says whether it may be
 *             read and written
 *   range     lo..hi by a step, of integers; `order` says in which direction it counts
 *   closure   a function as a value: a lambda with its captures, a function's name, an operator
 *   group     thread, warp, block, cluster, grid: threads that work together; a tile has `count`
 *             lanes
 *   poison    of an expression with a reported error: it converts to and from everything, so that
 *             one mistake gives one message
 */
#ifndef CK_TYPE_H
#define CK_TYPE_H

#include "front/ast.h"

typedef enum TypeKind {
  TYPE_poison,
  TYPE_none, /* of a call that returns nothing */
#define TYPE(name, ...) TYPE_##name,
#include "front/type.def"
  TYPE_int_literal,
  TYPE_float_literal,
  TYPE_string,
  TYPE_vector,
  TYPE_array,
  TYPE_span,
  TYPE_range,
  TYPE_place, /* memory as an argument (check/memory.c): `access` says what is done there */
  TYPE_tuple,
  TYPE_struct,
  TYPE_pointer,
  TYPE_closure,  /* a function as a value: of a type of its own */
  TYPE_group,    /* a value such as `block`, or a part of one, such as `block.id` */
  TYPE_module,   /* a name such as `atomic`, that only has members */
  TYPE_function, /* the name of a function: it can be called */
  TYPE_type      /* the name of a type: it can be called, to convert */
} TypeKind;

struct Type {
  TypeKind kind;
  uint8_t rank;     /* span; of a range: a RangeOrder */
  uint8_t access;   /* span, place: OP_in, OP_out or OP_inout */
  uint8_t bits;     /* scalar; of a vector: of its element */
  uint8_t space;    /* pointer: a Space */
  uint64_t scalars; /* the number of scalars in it, with those of all its parts */
  bool has_array;   /* it is or contains an array, and lives in memory, where it is indexed */
  bool has_closure; /* it is or contains a closure */
  bool is_data;     /* made of scalars and pointers only: a GPU's memory can hold it */
  uint32_t count;   /* array, vector, tuple, struct, closure; of a tile: its lanes */
  uint32_t align;   /* of what is in memory, in bytes */
  uint64_t bytes;   /* with the padding that C has */
  Type *element; /* array, vector, span, range, pointer, place; of TYPE_type: the type it names; of
                  * an enumeration: the integer type that it is kept as */
  Type *const *elements; /* tuple, struct; closure: of what it captures */
  Node *decl;       /* struct: the structure or instance, whose fields are node->b; closure: the
                     * lambda, or the first function of a name; enumeration: where it is declared */
  Node *instances;  /* closure: of its lambda, for the types of arguments, chained by overload */
  Node *origin;     /* struct: the item in the text, generic or not */
  const char *text; /* as it is written in CK */
  Type *next;       /* in its hash chain */
};

/* The direction in which a range counts. Its values are a, b and a step s >= 1 in any case. */
typedef enum RangeOrder {
  RANGE_up,       /* a..b: a, a + s, ... below b */
  RANGE_reversed, /* (a..b).reverse(): the same numbers, the last one first */
  RANGE_down      /* (a..b).step(-s): a, a - s, ... above b */
} RangeOrder;

typedef enum Space { SPACE_any, SPACE_global, SPACE_shared } Space; /* in which memory */

typedef struct Types {
  Arena *arena;
  Names *names;
  Type **table; /* of hash chains */
  uint32_t mask, type_count;
  Type *poison, *none, *int_literal, *float_literal, *string, *function, *module;
#define TYPE(name, ...) Type *type_##name;
#include "front/type.def"
  Type *groups[11]; /* in the order of type.c */
  Type *tiles[6];   /* of 1 << i lanes, once one is named */
  Type *modules[3];
} Types;

enum { ARRAY_ELEMENTS_MAX = 1 << 24 };

void types_init(Types *types, Arena *arena);
Type *type_group_named(Types *types, const char *text); /* or a module; or NULL */
Type *type_tile(Types *types, uint32_t lanes);          /* a power of two, at most 32 */
/* the owner in declarations of its methods */
const char *type_owner_text(const Type *type);
Type *type_scalar_named(Types *types, const char *text, size_t len); /* or NULL */
Type *type_vector(Types *types, Type *element, uint64_t count);      /* NULL: no such count */
Type *type_of_operation(Types *types, Op op, Type *operand);           /* what it gives of them */
Type *type_vector_named(Types *types, const char *text, size_t len); /* f32x4, or NULL */
Type *type_array(Types *types, Type *element, uint32_t count);
Type *type_span(Types *types, Type *element, unsigned rank, Op access);
Type *type_range(Types *types, Type *element, RangeOrder order);
Type *type_place(Types *types, Type *element, Op access, Space space, uint32_t count);
Type *type_tuple(Types *types, Type *const *elements, uint32_t count);
/* A struct has a name before it has fields, so that they can be pointers to it. */
Type *type_struct(Types *types, Node *decl, Node *origin);
void type_complete(Type *type, Type *const *elements, uint32_t count);
Type *type_pointer(Types *types, Type *element, Space space);
Type *type_closure(Types *types, Node *decl, Type *const *elements, uint32_t count,
                   const char *text);
Type *type_naming(Types *types, Type *type);

Type *type_enum(Types *types, Node *decl, Type *base);

bool type_is_scalar(const Type *type);
bool type_is_enum(const Type *type);
const Type *type_as_data(const Type *type); /* of an enumeration the type that it is kept as */
bool type_is_int(const Type *type);         /* typed integers; no enumeration */
bool type_is_signed(const Type *type);      /* i8 ... i64, and what is kept as one */
bool type_is_float(const Type *type);       /* typed floats */
bool type_is_half(const Type *type);        /* f16, bf16 */
bool type_is_number(const Type *type);      /* integers, floats and literals */
bool type_is_literal(const Type *type);
Type *type_scalar_of(Type *type);       /* of a vector its element, otherwise the type itself */
bool type_is_element(const Type *type); /* of spans and arrays: a scalar or a vector */
const char *type_text(const Type *type);
uint64_t type_bytes(const Type *type); /* in memory */
/* Where field i of a struct or tuple is, in bytes. */
uint64_t type_offset(const Type *type, uint32_t i);
/* Every value of `from` is one of `to`, and both are of one kind. */
bool type_widens(const Type *from, const Type *to);

#endif
