/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* uniform.h - the data of the divergence analysis: uniform.c walks over bodies, uniform_graph.c has
 * the graph, uniform_check.c what collectives demand, uniform_report.c the messages. */
#ifndef CK_UNIFORM_H
#define CK_UNIFORM_H

#include "check/check_private.h"

/* The level of a value: the groups between which it may differ. WARP: between warps, not within
 * one. TILE + k stands for tiles of 16 >> k lanes. */
typedef enum Level { EVERYWHERE, CLUSTER, BLOCK, PART, WARP, TILE, LANE = TILE + 4 } Level;
enum { ROLES_MAX = 15 };
typedef enum ValKind {
  VAL_plain,
  VAL_source,
  VAL_memory,
  VAL_variable,
  VAL_condition,
  VAL_jump
} ValKind;

typedef struct Val Val;
typedef struct Edge {
  struct Edge *next;
  Val *to;
} Edge;

/* The warps of a role: `warps` from `first` on. It has a number from 1 on in its function. */
typedef struct Role {
  uint8_t first, warps, number;
  struct Val *condition; /* that of its branch */
} Role;

/* A node of the graph. NULL stands for a value that is the same everywhere. */
struct Val {
  ValKind kind;
  uint8_t level, cap;
  bool is_queued;
  uint16_t roles;  /* roles that have decided about it, a bit for each number */
  uint64_t params; /* parameters that it depends on, a bit for each */
  Edge *edges;
  /* Nodes of the elements of a tuple or struct, where they are tracked one by one. */
  Val **parts;
  uint32_t part_count;
  const Val *from; /* the predecessor that raised it last */
  const Node *node;
  const char *name; /* of a variable */
};

/* A loop-carried variable: its value before the loop, and the node that joins this with its value
 * at the end of each iteration. */
typedef struct Phi {
  Node *decl;
  Val *outer, *phi;
} Phi;

typedef struct Change {
  Node *decl;
  Val *value; /* in the log: the value before the change; in a loop's list: after */
} Change;

typedef struct Loop {
  struct Loop *outer;
  Val *control;
  bool has_jumps;
  VEC(Phi) phis;
  VEC(Change) changes;
  size_t exits; /* how many of the changes are the condition's: the loop ends behind them */
} Loop;

typedef struct Var {
  Val *now;
  /* Of a variable with a kept span or pointer: the join of all that is ever assigned to it. */
  Val *cell;
  Node *whose; /* of a span: the variable or parameter it is a view of */
  Loop *loop;  /* the loop in which `now` was read or assigned */
  Val *merged; /* while branches or a loop are joined: the other value */
  /* The number of the last walk over changes that has met the variable. */
  uint32_t stamp;
  bool is_changed; /* while branches or a loop are joined: `merged` holds */
} Var;

typedef struct Demand {
  const Val *value; /* control */
  Level limit;
  const Node *call;
  const char *what;  /* "block.sync"; NULL: not asked for yet */
  const Node *inner; /* the collective, if it is in a function that `call` calls */
  Role role;         /* if the limit is PART: whose collective it is */
  /* `value` is not control but an argument that decides about a collective in the callee. */
  bool is_argument;
  /* It is a collective of the library's own, in the library: only what decides about it by a
   * parameter of a method is checked. */
  bool is_library;
} Demand;

/* The level of an element of a result, and the parameters that it depends on. */
typedef struct Part {
  Level level;
  uint64_t params;
} Part;

/* What a function writes to the elements of a span parameter. */
typedef struct Writes {
  bool is_written;
  Level level;
  uint64_t params;
} Writes;

typedef struct Summary {
  Level result;
  uint64_t params;
  Part *parts;                 /* of the result, if it is a tuple or struct */
  const Demand *check;         /* the strictest collective in it: its limit is that of control */
  const Demand *library_check; /* the same of the library's own collectives */
  const Demand **param_checks; /* what decides about collectives: NULL or PARAMS_MAX entries */
  Writes *writes;              /* NULL or PARAMS_MAX entries */
  bool is_done;
} Summary;

typedef struct Uniform {
  Session *c;
  Node *function;
  Loop *loop;
  Val *control, *returns, *result;
  Val **parts;              /* elements of the result */
  Val *written[PARAMS_MAX]; /* what is written to the elements of each span parameter */
  uint32_t stamp;
  Role roles[ROLES_MAX + 1]; /* of the function, by number */
  /* Is thread.x, .y, .z uniform in a warp, in every kernel? */
  bool is_axis_even[3];
  VEC(Change) log;
  VEC(Demand) checks;
  VEC(Val *) work;
  VEC(Node *) declared;
  VEC(Span) refused; /* collectives of the program that the library doesn't reach together */
  Arena arena;       /* of one function's graph */
} Uniform;

/* uniform.c. Does the condition say which role of a split a warp has? */
bool uniform_is_role(const Node *condition);

/* uniform_check.c */
Level uniform_tile(uint64_t lanes); /* of what differs between tiles of so many lanes */
bool uniform_is_collective(const Node *function);
Role uniform_role(const Node *method); /* of a method of block.part<FIRST, WARPS, NUMBER> */
/* Adds the checks of a call: of a collective method, and of the collectives in a function. */
void uniform_check_call(Uniform *u, Node *call, const Summary *callee, Val *const *args);
/* Reports the checks that fail, and completes the summary. The levels are known. */
void uniform_check_function(Uniform *u, Summary *summary);

/* uniform_graph.c. Most take NULL for a value that is the same everywhere, and give it back. */
Val *val_new(Uniform *u, ValKind kind, const Node *node, Level level);
void val_add_edge(Uniform *u, Val *from, Val *to);
Val *val_join(Uniform *u, Val *a, Val *b); /* a value that depends on both */
Val *val_from(Uniform *u, ValKind kind, const Node *node, Val *from);
/* The node of element i; where elements are not tracked, the node of the whole. */
Val *val_part(Val *val, const Type *type, uint32_t i);
void val_take_parts(Uniform *u, Val *val, Val *const *parts, uint32_t count);
/* A node for the value without its elements: for operations that mix them. */
Val *val_whole(Uniform *u, Val *val);
void val_flow(Uniform *u);
/* Afterwards `from` leads to the role's condition, from all values about which it has decided and
 * that have at most level PART. */
void val_trace_role(Uniform *u, const Role *role);
void var_declare(Uniform *u, Node *decl, Val *value);
Val *var_read(Uniform *u, Node *decl, Loop *loop);
void var_assign(Uniform *u, Node *decl, Val *value);
/* A node that messages show as an assignment to `decl`, at `place`. */
Val *var_value(Uniform *u, const Node *place, const Node *decl, Val *value);
/* The variable or parameter that contains the elements of a span or place. NULL if it isn't known,
 * or if the path goes through a pointer. */
Node *view_base(const Node *node);
/* `value` is stored in some elements of `decl`. */
void view_write(Uniform *u, const Node *place, Node *decl, Val *value);
/* Runs before the walk over a body and finds the variables of which a span or pointer is kept. */
void view_find(Uniform *u, Node *node);

/* uniform_report.c */
void uniform_report(Uniform *u, const Demand *check);

#endif
