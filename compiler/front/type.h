/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* type.h - types. They are interned: equal types are equal pointers.
 *
 *   scalar    bool, i8 ... f64 (type.def)
 *   literal   the type of an untyped constant: the context gives it a scalar type
 *   enum      a scalar type that the program declares. Its kind is that of the integer type that
 *             represents it, `element`; `decl` distinguishes them. It is not a number.
 *   vector    `count` scalars, 2 3 4 8 or 16: f32x4
 *   array     a value of `count` elements; f32[4, 8] is an array of 4 arrays of 8
 *   struct    fields in C's layout; each structure, and each instance of a generic one, is a type
 *   pointer   the address of a value, in any memory or in the memory that `space` names
 *   span      a view of memory: `rank` extents, known at run time; `access` says whether it may be
 *             read and written
 *   range     lo..hi by a step, of integers; `order` is the direction in which it counts
 *   closure   a function as a value: a lambda with its captures, a function's name, an operator
 *   group     thread, warp, block, cluster, grid: threads that cooperate; a tile has `count` lanes
 *   poison    the type of an expression with a reported error: it converts to and from everything,
 *             so that one mistake gives one message
 */
#ifndef CK_TYPE_H
#define CK_TYPE_H

#include "front/ast.h"

typedef enum TypeKind {
  TYPE_poison,
  TYPE_none, /* the type of a call without a result */
#define TYPE(name, ...) TYPE_##name,
#include "front/type.def"
  TYPE_int_literal,
  TYPE_float_literal,
  TYPE_string,
  TYPE_vector,
  TYPE_array,
  TYPE_span,
  TYPE_range,
  /* memory as an argument (check/memory.c); `access` says what the callee does with it */
  TYPE_place,
  TYPE_tuple,
  TYPE_struct,
  TYPE_pointer,
  TYPE_closure,  /* a function as a value; each has its own type */
  TYPE_group,    /* a value such as `block`, or a part such as `block.id` */
  TYPE_module,   /* a name that only has members, such as `atomic` */
  TYPE_function, /* the name of a function, as a callee */
  TYPE_type      /* the name of a type, as the callee of a conversion */
} TypeKind;

struct Type {
  TypeKind kind;
  uint8_t rank;     /* span; of a range: a RangeOrder */
  uint8_t access;   /* span, place: OP_in, OP_out or OP_inout */
  uint8_t bits;     /* scalar; of a vector: of its element */
  uint8_t space;    /* pointer: a Space */
  uint64_t scalars; /* the number of scalars in it, including all nested ones */
  /* it is or contains an array; it is kept in memory, because it can be indexed */
  bool has_array;
  bool has_closure; /* it is or contains a closure */
  bool is_data;     /* made of scalars and pointers only: a GPU's memory can hold it */
  uint32_t count;   /* array, vector, tuple, struct, closure; tile: its lanes */
  uint32_t align;   /* alignment in memory, in bytes */
  uint64_t bytes;   /* size including C's padding */
  Type *element; /* array, vector, span, range, pointer, place; of TYPE_type: the type it names; of
                  * an enumeration: the integer type that it is kept as */
  Type *const *elements; /* tuple, struct; closure: of what it captures */
  Node *decl;       /* struct: the structure or instance, whose fields are node->b; closure: the
                     * lambda, or the first function of a name; enumeration: where it is declared */
  Node *instances;  /* closure: instances of its lambda for argument types, chained by overload */
  Node *origin;     /* struct: the item in the text, generic or not */
  const char *text; /* its CK spelling */
  Type *next;       /* next in its hash chain */
};

/* The direction in which a range counts. Its values are always a, b and a step s >= 1. */
typedef enum RangeOrder {
  RANGE_up,       /* a..b: a, a + s, ... below b */
  RANGE_reversed, /* (a..b).reverse(): the same numbers, the last one first */
  RANGE_down      /* (a..b).step(-s): a, a - s, ... above b */
} RangeOrder;

typedef enum Space { SPACE_any, SPACE_global, SPACE_shared } Space; /* the kind of memory */

typedef struct Types {
  Arena *arena;
  Names *names;
  Type **table; /* of hash chains */
  uint32_t mask, type_count;
  Type *poison, *none, *int_literal, *float_literal, *string, *function, *module;
#define TYPE(name, ...) Type *type_##name;
#include "front/type.def"
  Type *groups[12]; /* in type.c's order */
  Type *tiles[6];   /* tiles of 1 << i lanes, or NULL */
  Type *modules[6];
} Types;

enum { ARRAY_ELEMENTS_MAX = 1 << 24 };

void types_init(Types *types, Arena *arena);
Type *type_group_named(Types *types, const char *text); /* or a module; or NULL */
Type *type_tile(Types *types, uint32_t lanes);          /* a power of two, at most 32 */
/* A role of warps in a split. `number`: that of its barrier. */
Type *type_part(Types *types, uint32_t first, uint32_t warps, uint32_t number);
/* The compile-time arguments of a tile's methods, its lanes, or of a role's, as for type_part; how
 * many they are, 0 of another type. */
unsigned type_group_numbers(const Type *type, uint32_t out_numbers[3]);
/* The group's name in declarations of its methods. */
const char *type_owner_text(const Type *type);
Type *type_scalar_named(Types *types, const char *text, size_t len); /* or NULL */
/* NULL: count isn't supported */
Type *type_vector(Types *types, Type *element, uint64_t count);
/* What an operator gives of operands of that type. */
Type *type_of_operation(Types *types, Op op, Type *operand);
Type *type_vector_named(Types *types, const char *text, size_t len); /* f32x4, or NULL */
Type *type_array(Types *types, Type *element, uint32_t count);
Type *type_span(Types *types, Type *element, unsigned rank, Op access);
Type *type_range(Types *types, Type *element, RangeOrder order);
Type *type_place(Types *types, Type *element, Op access, Space space, uint32_t count);
Type *type_tuple(Types *types, Type *const *elements, uint32_t count);
/* A struct is created before its fields are known, so that they can be pointers to it. */
Type *type_struct(Types *types, Node *decl, Node *origin);
void type_complete(Type *type, Type *const *elements, uint32_t count);
Type *type_pointer(Types *types, Type *element, Space space);
Type *type_closure(Types *types, Node *decl, Type *const *elements, uint32_t count,
                   const char *text);
Type *type_naming(Types *types, Type *type);

Type *type_enum(Types *types, Node *decl, Type *base);

bool type_is_scalar(const Type *type);
bool type_is_enum(const Type *type);
bool type_is_record(const Type *type);      /* a struct or a tuple */
const Type *type_as_data(const Type *type); /* the integer type of an enumeration, or `type` */
bool type_is_int(const Type *type);         /* typed integers; no enumeration */
bool type_is_signed(const Type *type);      /* i8 ... i64, and enumerations of them */
bool type_is_float(const Type *type);       /* typed floats */
bool type_is_half(const Type *type);        /* f16, bf16 */
bool type_is_number(const Type *type);      /* integers, floats and literals */
bool type_is_literal(const Type *type);
/* of a vector its element type, otherwise the type itself */
Type *type_scalar_of(Type *type);
bool type_is_element(const Type *type); /* may it be the element of a span or array? */
const char *type_text(const Type *type);
uint64_t type_bytes(const Type *type); /* in memory */
/* Where field i of a struct or tuple is, in bytes. */
uint64_t type_offset(const Type *type, uint32_t i);
/* Can `to` represent every value of `from`, and are both of one kind? */
bool type_widens(const Type *from, const Type *to);

#endif
