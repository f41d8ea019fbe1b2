/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ast.h - the syntax tree, which all passes up to gen work on.
 *
 *   node      one construct of the text; `kind` says which, ast.def says what its fields mean
 *   list      nodes chained by `next`; a child marked * in ast.def is the head of one
 *   name      an interned text; equal names are equal pointers
 *   span      the bytes of the source that a node covers
 *   type      set by check; interned, so that == compares
 *   value     of a constant: its bits. Of a name, member, call or instance: what it refers to
 *   generic   a function or kernel with <...>: never checked itself; each instance is a copy of the
 *             tree as parsed, whose <...> are bound to types and values
 *
 *   x[i] + 1      binary +
 *                   a: index
 *                        a: name x
 *                        b: name i
 *                   b: int 1
 */
#ifndef CK_AST_H
#define CK_AST_H

#include "expr.h"
#include "text/text.h"

typedef struct Type Type;
typedef struct Node Node;
typedef struct Builtin Builtin;

typedef enum NodeKind {
#define NODE(kind, ...) NODE_##kind,
#include "front/ast.def"
  NODE_COUNT
} NodeKind;

typedef enum Op {
#define OP(id, ...)      OP_##id,
#define OP_WORD(id, ...) OP_##id,
#include "front/op.def"
  OP_COUNT
} Op;

/* What an operator takes: the legend of op.def. */
typedef enum OpTakes {
  TAKES_NOTHING, /* a word */
  TAKES_NUMBER,
  TAKES_QUOTIENT,
  TAKES_REMAINDER,
  TAKES_INTEGER,
  TAKES_LOGIC,
  TAKES_SHIFT,
  TAKES_ORDER,
  TAKES_EQUAL,
  TAKES_BOOL,
  TAKES_LAZY
} OpTakes;

enum NodeFlag {
  FLAG_literal = 1,  /* a number as it was written, not a folded one */
  FLAG_negative = 2, /* an untyped integer: value is its magnitude, and it is below zero */
  /* An `if` in a plan whose chosen launch depends on it: the host launches the step only if the
   * condition holds, or only if it doesn't. FLAG_open: the device alone knows, in some step. */
  FLAG_holds = 1,
  FLAG_fails = 2,
  FLAG_open = 1024,
  FLAG_checked = 4,       /* a declaration: check has seen it */
  FLAG_checking = 8,      /* a declaration: check is in it */
  FLAG_library = 16,      /* an item of the library */
  FLAG_instance = 32,     /* an item made from a generic one */
  FLAG_seen = 64,         /* a function: a walk over the calls has started at it */
  FLAG_waits = 128,       /* a function or kernel that reaches a barrier */
  FLAG_grid = 32768,      /* one that waits for all blocks: the launch is cooperative */
  FLAG_shaped = 8192,     /* one that uses the shape of the launch */
  FLAG_returns = 256,     /* a statement whose end is never reached */
  FLAG_written = 512,     /* an `out` or `inout` parameter that is assigned */
  FLAG_parens = 1024,     /* an expression in parentheses */
  FLAG_expression = 2048, /* the body of `fn f() = value;` */
  FLAG_inherited = 16384, /* a compile-time parameter that a method has from its struct */
  FLAG_swapped = 65536,   /* a call: its second argument is evaluated first */
  /* A kernel that was written as an algorithm; its last parameter is the result, if it has one. A
   * function that was written as a kernel, which a plan launches. */
  FLAG_algorithm = 131072,
  FLAG_scratch = 262144, /* a function or kernel that has scratch memory, or calls what has */
  /* a group's method that all its threads must call, though it doesn't wait */
  FLAG_together = 1048576,
  FLAG_exported = 2097152,  /* a function that other pieces of a link may call, by its name */
  FLAG_imported = 4194304,  /* one that another piece has: no body */
  FLAG_dependent = 8388608, /* one that waits for the launch ahead of its own, and may overlap it */
  FLAG_unsized = 524288,    /* a function that no kernel calls, and that needs a constant block */
  FLAG_switch = 33554432,   /* a `break` that leaves a switch */
  FLAG_used = 67108864,     /* a variable: its value is read, or its name is used */
  FLAG_assigned = 134217728, /* a variable: a statement assigns it */
  FLAG_union = 268435456,    /* a shared variable that overlays its neighbours (union) */
  FLAG_cyclic = 16777216,    /* an alias that leads to itself: it was reported */
  FLAG_property = 4096,      /* a function without a parameter list: block.size */
  /* A function: an algorithm that launches kernels. A kernel: one of its steps. A scratch
   * declaration: the function's result lies there. A call: see check/plan.c. */
  FLAG_plan = 536870912,
  FLAG_persistent = 1073741824 /* scratch memory that the runtime keeps from launch to launch */
};

/* A tree may have millions of nodes, so a node is allocated only as long as its kind needs
 * (ast.def): a leaf ends before `a`, most others before `c`. A node that becomes a leaf keeps its
 * children's memory, but nothing may look there: walks ask node_width(). AddressSanitizer builds
 * find reads beyond it. */
struct Node {
  uint8_t kind;   /* NodeKind */
  uint8_t op;     /* Op */
  uint16_t depth; /* height of the tree below, at most NESTING_MAX */
  uint32_t flags; /* FLAG_* */
  Span span;
  const Name *name;
  Type *type;
  Node *next;
  union {
    uint64_t bits; /* int, bool */
    double real;   /* float */
    struct {
      const char *text; /* string: the bytes it denotes, NUL-ended */
      uint32_t text_bytes;
    };
    struct {
      Node *decl;             /* name, call, instance: what it refers to */
      const Builtin *builtin; /* likewise; one of the two */
    };
    struct {
      Node *overload; /* function: the next one of its name; structure: its constructor */
      void *gen;      /* a declaration: what check knows of it (Facts), later what gen made of it */
    };
  };
  union {
    struct {
      Node *a, *b, *c, *d;
    };
    Node *children[4]; /* the same, for walks: node_width() of them */
  };
};

/* the deepest tree that is accepted; every pass may recurse this deep */
enum { NESTING_MAX = 1000 };

Node *node_new(Arena *arena, NodeKind kind, Span span);
Node *node_make(Arena *arena, NodeKind kind, Span span, Node *a, Node *b, Node *c, Node *d);
Node *node_int(Arena *arena, Span span, Type *type, uint64_t bits);
/* A copy of `node` and its children, without the list that follows it. */
Node *node_copy(Arena *arena, const Node *node);
/* Overwrites `node` with `other`, except for its place in a list. `other` may have more children
 * only if ast.def says that there is room. */
void node_become(Node *node, const Node *other);
/* Makes it an empty node of that kind, at the same place. */
void node_clear(Node *node, NodeKind kind);
/* How many children a node of its kind has room for: 0, 2 or 4. */
unsigned node_width(const Node *node);
/* The written extents of a span parameter: `n` of x: f32[n]. NULL if its type is a name. */
Node *node_extents(const Node *param);
uint32_t node_count(const Node *list);
Node *node_last(Node *list); /* of a list that is not empty */
/* Is it a constructor: declared with its struct, without a body? */
static inline bool is_constructor(const Node *decl)
{
  return decl->kind == NODE_function && !decl->d && !(decl->flags & FLAG_imported);
}
/* The group whose method a function is, as NODE_receiver; or NULL. */
static inline Node *receiver_of(const Node *function)
{
  return function->b && function->b->kind == NODE_receiver ? function->b : NULL;
}
static inline Node *first_param(const Node *function)
{
  const Node *receiver = receiver_of(function);
  return receiver ? receiver->next : function->b;
}
/* Compile-time parameters of an item: the first after its attributes, or NULL. */
Node *generic_params(const Node *item);
const char *node_kind_name(NodeKind kind);
const char *op_text(Op op);
ExprId op_expr(Op op); /* what it gives of integers and bools; EXPR_none: its operand */
OpTakes op_takes(Op op);
static inline bool op_is_comparison(Op op)
{
  return op_takes(op) == TAKES_ORDER || op_takes(op) == TAKES_EQUAL;
}
/* The result has the operands' type; if not, type_of_operation (type.h) says which it has. */
bool op_gives_operand(Op op);
/* The left operand may decide alone: && and ||. */
static inline bool op_is_lazy(Op op)
{
  return op_takes(op) == TAKES_LAZY;
}
/* An integer divided by 0 has no value before a launch. */
static inline bool op_divides(Op op)
{
  return op_takes(op) == TAKES_QUOTIENT || op_takes(op) == TAKES_REMAINDER;
}

/* Prints a node and what is below it, two spaces a level. */
void ast_dump(const Node *node, Buf *out);
/* Dies if a node breaks ast.def. Debug builds run it after every pass. */
void ast_verify(const Node *node);

#endif
