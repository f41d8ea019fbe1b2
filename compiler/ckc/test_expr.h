/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* test_expr.h - the tree of an expression in a test line. test_expr.c makes it; test_eval.c,
 * test_list.c for lists and test_order.c for sorting give it values; no other file may look inside.
 */
#ifndef CK_TEST_EXPR_H
#define CK_TEST_EXPR_H

#include "test.h"

enum { OPERANDS_MAX = 5, INDEX_MAX = 8 };

typedef enum ExprKind {
  EXPR_NUMBER,
  EXPR_NAME,
  EXPR_MEMBER, /* p.x, of arrays of structs and tuples; x.T */
  EXPR_INDEX,  /* x[1:, None] */
  EXPR_OPERATOR,
  EXPR_MATMUL,
  EXPR_NEGATE,
  EXPR_INVERT, /* ~x */
  EXPR_FUNCTION,
  EXPR_ARANGE,  /* arange(lo, hi) */
  EXPR_REDUCE,  /* sum(x, axis = 0) and its like */
  EXPR_SCAN,    /* cumsum(x, axis = 0), cumprod */
  EXPR_SORT,    /* sort, argsort, unique, bincount: SORT_values and so on */
  EXPR_RESHAPE, /* x.reshape(2, -1) */
  EXPR_LIST,
  EXPR_STACK,   /* a list of lists and other arrays, or with [*x] in it */
  EXPR_EACH,    /* [value for name in array if condition] */
  EXPR_JOIN,    /* [1, 2] + [3]: one list behind the other */
  EXPR_REPEAT,  /* [1, 2] * 3 */
  EXPR_CHOOSE,  /* a if condition else b: operands condition, a, b */
  EXPR_CONVERT, /* f16(x): rounded to `dtype` */
  EXPR_VIEW,    /* x.view(u32): the bits, taken for those of `dtype` */
  EXPR_ASSIGN   /* v := x: the operand, and `cell` has its values afterwards */
} ExprKind;

enum {
#define REDUCTION(name, start, value, end) REDUCTION_##name,
#include "test_ops.def"
  REDUCTION_COUNT
};

enum { SORT_values, SORT_indices, SORT_unique, SORT_counts }; /* Expr.which of EXPR_SORT */

/* A name that an expression gives a value, and its newest one. */
typedef struct Cell {
  const char *name;
  Wide *values; /* NULL: none yet */
  Shape shape;
  bool is_truth;
} Cell;

/* One of the things between the brackets of an index. */
typedef struct IndexItem {
  bool is_slice, is_new;     /* a:b:c; None, which makes an axis */
  Expr *first, *last, *step; /* may be NULL; of a number `first` alone */
} IndexItem;

enum { EACH_NAMES_MAX = 4 };

/* `for NAME, NAME in EXPR`, or `if EXPR`, which has no names. */
typedef struct EachPart {
  const char *names[EACH_NAMES_MAX];
  uint32_t name_count;
  Expr *expr;
} EachPart;

/* Which element of an operand belongs to element i of the result: element i (`is_same`), or the
 * index along each axis times `strides`, from `start` on. */
typedef struct View {
  bool is_same;
  int64_t start, strides[EXTENTS_MAX];
} View;

struct Expr {
  ExprKind kind;
  uint32_t which;   /* row of test_ops.def */
  Wide number;      /* EXPR_NUMBER; the first of EXPR_ARANGE */
  Wide step;        /* EXPR_ARANGE */
  const char *text; /* EXPR_NUMBER: the constant's name, or NULL */
  const char *name; /* EXPR_NAME, EXPR_MEMBER */
  Expr *operands[OPERANDS_MAX];
  uint32_t operand_count;
  bool has_axis, keeps_axis; /* axis = operands[1]; keepdims = True */
  bool has_length;           /* minlength = operands[1] */
  bool is_spread;            /* of an item of EXPR_STACK: its rows are items */
  bool spreads_value;        /* EXPR_EACH: the rows of its value are items */
  bool is_generator;         /* EXPR_EACH without brackets */
  bool is_array;             /* of concatenate: no list, as it is written */
  VEC(Expr *) items;         /* EXPR_LIST: nested lists are flat, `shape` has their extents */
  uint32_t list_rank;        /* EXPR_LIST: how many extents the nested lists have */
  VEC(EachPart) parts;       /* EXPR_EACH */
  VEC(IndexItem) index;      /* EXPR_INDEX */
  Cell *cell;                /* EXPR_ASSIGN; EXPR_NAME, if it is such a name */
  VEC(Cell *) cells;         /* of a whole expression: those in it */
  Shape shape;               /* EXPR_LIST; of others once they are bound */
  /* Once it is bound: */
  const Binding *binding;     /* EXPR_NAME, if it has no data */
  const char *data;           /* names of arrays and their members: elements in memory */
  const char *layout;         /* of which these are records; NULL: they are numbers */
  ck_dtype_t dtype;           /* of `data`, EXPR_CONVERT and EXPR_VIEW */
  int64_t pitch[EXTENTS_MAX]; /* of `data`: bytes along each axis */
  bool is_dense;              /* of `data`: without gaps, in order */
  bool is_truth;              /* its elements are True or False: as an index it is a mask */
  View views[OPERANDS_MAX];
  /* Computed when bound, for kinds in which an element depends on many of the operand. */
  Wide *values;
};

/* test_eval.c ------------------------------------------------------------------------------- */

/* a % b with the sign of b, exactly. */
Wide expr_remainder(Wide a, Wide b);
/* Binds an operand that has to consist of numbers. */
bool expr_bind_numbers(Expr *expr, const Bindings *bindings, Buf *why);
/* Room for `count` values; NULL with one line in `why`. */
Wide *expr_new_values(uint64_t count, Buf *why);
/* All values of a bound expression; NULL with one line in `why`. */
Wide *expr_all_values(Expr *expr, Buf *why);

/* test_order.c ------------------------------------------------------------------------------ */

bool order_bind_sort(Expr *expr, const Bindings *bindings, Buf *why); /* EXPR_SORT */
/* x[INDICES], whose operand and index are bound. */
bool order_bind_take(Expr *expr, Expr *indices, Buf *why);
/* x[MASK], likewise. */
bool order_bind_mask(Expr *expr, Expr *mask, Buf *why);

/* test_list.c ------------------------------------------------------------------------------- */

/* Bind the kinds of lists. */
bool list_bind(Expr *expr, const Bindings *bindings, Buf *why);        /* EXPR_LIST */
bool list_bind_stack(Expr *expr, const Bindings *bindings, Buf *why);  /* EXPR_STACK */
bool list_bind_each(Expr *expr, const Bindings *bindings, Buf *why);   /* EXPR_EACH */
bool list_bind_join(Expr *expr, const Bindings *bindings, Buf *why);   /* EXPR_JOIN */
bool list_bind_repeat(Expr *expr, const Bindings *bindings, Buf *why); /* EXPR_REPEAT */

#endif
