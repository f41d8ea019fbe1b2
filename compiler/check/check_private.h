/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* check_private.h - what the files of compiler/check call of each other, file by file. */
#ifndef CK_CHECK_PRIVATE_H
#define CK_CHECK_PRIVATE_H

#include "check/check.h"

/* The longest chain of functions whose inferred result types depend on each other. */
enum { BODY_DEPTH_MAX = 200 };

/* What check knows about an item; the item's `gen` points to it until check ends. */
typedef struct Caller Caller; /* effect.c */
/* A launch of a plan: the block, the name of what is launched, @blocks_per_sm of the kernel or 0;
 * is_early: it waits for the launch ahead itself. */
typedef struct Launch {
  Shape shape;
  const Name *name;
  uint32_t blocks_per_sm;
  bool is_early;
} Launch;
typedef struct Facts Facts;
struct Facts {
  Facts *older; /* the next in the list of all Facts */
  Node *item;
  Node *instances; /* the instances of a generic item, newest first: generic.c */
  Node *instance;  /* of an instance: the next older one */
  Node *original;  /* of an instance: the item */
  uint32_t instance_count;
  Shape shape; /* the shape that it was checked for */
  /* Of a plan: the launch that this copy keeps, or 0; those of the copy that keeps none; its body
   * is being checked. */
  uint32_t chosen;
  VEC(Launch) launches;
  bool is_open;
  Node *as_function; /* of a kernel that a plan launches: a function with its body */
  bool is_called;    /* called by a kernel of that shape */
  /* effect.c: its calls of waiting functions that the topological sort hasn't removed */
  uint32_t waiting;
  Node *way;    /* effect.c: the callee of one such call, to find the cycle */
  Node *parsed; /* order.c: the body as parsed of a function that may be an order */
  Caller *callers;
};

/* The call of a plan in the kernel of a step: the function, and its launch. */
typedef struct Entry {
  Node *function;
  Node *args; /* compile-time arguments of a generic one */
  uint32_t chosen;
  bool is_early;
} Entry;

/* order.c: a function of two values that compares keys, and its key. */
typedef enum Order { ORDER_NONE, ORDER_ASCENDING, ORDER_DESCENDING } Order;
typedef struct OrderKey {
  const Type *of;
  Type *key;
} OrderKey;

/* The state of the pass. */
struct Check {
  Node *function; /* the function or kernel being checked */
  /* The kernel for which it is checked; NULL for a function that no kernel calls. */
  Node *kernel;
  Shape shape; /* the kernel's */
  /* The product of the iterations of the unrolled loops around the statement, or 0. */
  uint64_t unrolled;
  VEC(Node *) literals;      /* returns of literals, while the result's type is unknown */
  uint32_t body_depth;       /* nested bodies that are checked to infer a result type */
  uint32_t instance_depth;   /* nested instantiations */
  bool has_no_end;           /* the limit of instances was reached: no more are made */
  uint32_t decl_depth;       /* nested declarations whose types are being determined */
  bool in_grid;              /* in launch(grid = ...) */
  VEC(Node *) pending;       /* called functions whose bodies aren't checked yet */
  Facts *facts;              /* head of the list, the newest */
  uint32_t linked;           /* effect.c: the number of calls that are linked to their callees */
  VEC(Node *) marked;        /* effect.c: the worklist, functions whose callers aren't marked yet */
  Node *operators[OP_COUNT]; /* the lambda for each operator that was passed as an argument */
  VEC(OrderKey) keys;        /* of the orders that were asked for theirs */
  bool has_shared;           /* a `shared` declaration was checked */
  Node *plan;                /* the function being checked, if it is a plan */
  uint32_t launches;         /* the number of launches in it so far */
  uint32_t chosen;           /* the launch that the copy being made keeps */
  const Entry *entry;        /* the step whose kernel is being checked */
  bool has_unsized;          /* a function has FLAG_unsized */
};

/* decl.c */
void check_signature(Session *c, Node *function); /* types of parameters and result */
void check_function(Session *c, Node *function);  /* signature and body */
void check_pending(Session *c);                   /* bodies of the functions that a kernel calls */
void check_kernel(Session *c, Node *kernel);
/* a kernel of an imported file that this file exports */
void check_exported(Session *c, Node *kernel);
void check_constant(Session *c, Node *constant);
void check_global(Session *c, Node *constant);        /* a constant outside of functions */
void check_function_body(Session *c, Node *function); /* the parameters already have types */
/* the type that `node` denotes; poison after a report */
Type *check_type(Session *c, Node *node);
Type *check_dynamic(Session *c, Node *shared); /* shared buf: f32[dyn n]: a span */
/* Does the type meet the constraint (a name such as `float`)? */
bool check_constraint(Session *c, const Node *constraint, const Type *type);
/* How many types the constraint of a compile-time parameter admits, as a rank; 0 for a constant. */
int check_looseness(const Node *param);

/* algorithm.c: a return statement of an algorithm with a result */
void algorithm_return(Session *c, Node *statement);

/* plan.c */
typedef struct PlanState {
  Node *plan;
  uint32_t launches, chosen;
} PlanState;
PlanState plan_enter(Session *c, Node *function); /* the body of a function is checked next */
void plan_leave(Session *c, PlanState outer);
bool plan_takes(const Node *statement); /* may it stand in a plan? */
void plan_refuse(Session *c, Node *statement);
void plan_launch(Session *c, Node *node); /* checks the statement */
/* Checks a loop of a plan; `check` does what is the same for all loops. */
void plan_for(Session *c, Node *node, void check(Session *c, Node *node));
void plan_body(Session *c, Node *kernel); /* makes the body of a step's kernel */
/* Makes the steps of an algorithm, and of an instance of a generic one. */
void plan_entries(Session *c, Node *item);
void plan_instance_entries(Session *c, Node *item, Node *instance);

/* contract.c */
/* The row of base/expr.def for a function of the library, or EXPR_none. */
ExprId contract_function(const Node *function);
/* Reports DIAG_launch_expression for what a launch contract can't contain. */
void contract_check(Session *c, const Node *node);
/* The parts of such an expression: a constant, a parameter, and an operation on texts, selected by
 * its node. */
const char *contract_number(Session *c, const Node *number);
const char *contract_name(Session *c, const Name *name);
const char *contract_operation(Session *c, const Node *node, const char *const *operands);

/* scratch.c */
Type *check_scratch_type(Session *c, Node *scratch); /* the declaration's type: a span, or poison */
void check_scratch(Session *c);                      /* called when everything is checked */

/* struct.c: structures, members and operators of types that the program declares */
void check_structure(Session *c, Node *structure, Node *origin); /* decl->type */
/* The type that P or P<...> denotes; NULL if `node` names no structure. */
Type *check_struct_type(Session *c, Node *node, bool is_pointee);
Node *struct_constructor(Session *c, const Type *type);
Node *struct_named(const Node *callee); /* the structure of `P` or `P<...>`, or NULL */
/* element_of<I> for I = type; `node` gives the position for reports. */
Type *check_element_of(Session *c, const Node *node, Type *type);
/* Is it unknown, in whole or in part, what type is stored there (lib/iter.ck's __Endless)? */
bool check_is_open(const Type *stored);
/* The type that a literal takes which is assigned to it[i]; NULL if nothing determines it. */
Type *check_stored_type(Session *c, const Node *it);
/* Replaces the node by a call of the operator's function, if one takes these operands. */
bool check_operator(Session *c, Node *node, const char *op, Node *args, Type *hint);

/* target.c: what a program requires of its target */
bool check_attributes(Session *c, Node *item);
/* reports what the target doesn't have */
void check_required(Session *c, const Node *item, Span from);
void check_limits(Session *c, Node *kernel);                    /* @registers, @blocks_per_sm */
Node *target_constant(Session *c, Span span, const char *name); /* `sm` of target; or NULL */

/* stmt.c */
bool check_place(Session *c, Node *node); /* reports a place that can't be assigned */
void check_statement(Session *c, Node *statement);
/* At the end of a body whose result type is inferred: converts the returned literals, from `first`
 * on. */
void check_literal_results(Session *c, Node *function, uint32_t first);

/* switch.c */
void check_switch(Session *c, Node *node); /* lowers it to a block of ifs */
bool check_place(Session *c, Node *node);  /* reports a place that can't be assigned */

/* memory.c */
void place_mark(const Node *param, Node *arg); /* called before the argument is checked */
bool check_spaces(Session *c, const Node *node, Space space, Space wanted); /* reports */
bool place_convert(Session *c, Node **slot, Type *to);
bool place_refuse_many(Session *c, const Node *arg); /* reports a span or an array */
Type *check_memory(Session *c, Node *call);
/* Removes the argument `cache` from a call x.load<N>(i) or x.store(i, v); returns it, or NULL. */
Node *memory_hint(Node *call);
bool memory_check_hint(Session *c, Node *hint, bool is_load); /* false after a report */

/* expr.c: give node->type; `hint` is the type that would suit, or NULL. poison_at reports an error,
 * and gives the poisoned type to the node, which may be NULL. */
static inline Type *poison(Session *c, Node *node)
{
  return node->type = c->types->poison;
}
Type *poison_at(Session *c, Node *node, DiagId id, Span span, ...);
Type *check_expr(Session *c, Node *node, Type *hint);
Type *check_value(Session *c, Node *node, Type *hint); /* a literal gets its own type at last */
Type *check_is_value(Session *c, Node *node);          /* of an expression that has its type */
void check_condition(Session *c, Node **node);
bool check_uint_constant(Session *c, Node *node, uint64_t *out); /* reports if it is none */
/* Does the operator accept operands of the type, without a function of the program? */
bool op_takes_type(Op op, const Type *type);

/* Replaces the node by a copy of the constant, and gives its type. */
Type *become_constant(Session *c, Node *node, const Node *value);

/* index.c */
Type *check_index(Session *c, Node *node);
Type *check_member(Session *c, Node *node);

/* named.c: aliases and enumerations */
Node *alias_end(Node *written); /* the type behind a name that is an alias, as it is written */
Type *check_alias(Session *c, Node *alias);
Type *check_enumeration(Session *c, Node *enumeration);
Type *check_enumerator(Session *c, Node *member, Type *type); /* Mode.fast becomes its value */

/* range.c: a..b, and calls of its methods step and reverse */
Type *check_range(Session *c, Node *node, Type *hint);
bool range_method(const Node *member); /* is it the name of one? */
Type *check_range_call(Session *c, Node *call);

/* vector.c: vectors. Each gives node->type, or poison after a report. */
Type *check_vector_type(Session *c, Node *node);           /* vec<T, N> */
Type *check_vector_call(Session *c, Node *call, Type *to); /* f32x4(...) */
Type *check_vector_shift(Session *c, Node *node);
Type *check_vector_index(Session *c, Node *node);
Type *check_swizzle(Session *c, Node *member);
bool check_swizzle_place(Session *c, const Node *place); /* no component twice */
void check_vector_assign(Session *c, Node *node);        /* v += x */
Type *check_vector_access(Session *c, Node *call);       /* x.load<N>(i), x.store(i, v) */
bool check_is_access(Session *c, Node *callee);          /* is it the callee of one? */
/* A function of scalars that is called with vectors: for each component. As check_chosen. */
Type *check_each(Session *c, Node *call, Node *const *chains, unsigned count, Node *explicit_args,
                 Type *hint);
bool check_is_each(const Node *call); /* has it a vector argument? */

/* match.c: a call and one candidate */
typedef struct Binding {
  Node *param; /* type_param or const_param */
  Type *type;
  Node *value;      /* a constant */
  bool is_explicit; /* written in <...> */
} Binding;
typedef struct Match {
  Node *function; /* the candidate */
  Node *args[PARAMS_MAX];
  Binding bindings[PARAMS_MAX];
  uint32_t param_count, binding_count;
  uint32_t cost;
  bool is_last_try; /* literals take only types that the constraints allow */
  /* If nothing else is wrong: a literal that is too large for its parameter, and the parameter's
   * type. */
  Node *misfit;
  Type *too_small;
} Match;
/* Fills in the match of match->function. The mistake is reported if `is_loud`. */
bool match_fits(Session *c, Node *call, Node *explicit_args, Match *match, Type *hint,
                bool is_loud);
const char *match_signature(Session *c, const Node *function); /* f(x: f32, const n: u32) */
bool is_place_type(const Node *written); /* __place<T>, which takes memory as an argument */
const char *count_text(Session *c, uint32_t count); /* 2 arguments */

/* form.c: calls of builtins. Each gives node->type, or poison after a report. */
Type *check_size(Session *c, Node *node, const Builtin *form, const Type *type);
Type *check_bit_cast(Session *c, Node *call);
Type *check_intrinsic(Session *c, Node *call, const Builtin *builtin);
Type *check_form(Session *c, Node *call, const Builtin *builtin);

/* call.c */
/* A hint after the report that `value` is no word of an option: a declaration hides the word. */
void hint_hidden_word(Session *c, const char *option, const Node *value);
Type *check_call(Session *c, Node *call, Type *hint);
Type *check_property(Session *c, Node *member, Node *function);

/* overload.c */
/* Gives the candidate's parameters their types, so that arguments can be compared with them. */
Node *know_signature(Session *c, Node *candidate);
/* Calls the best match among chains of overloads. If none matches: reports, or returns NULL. */
Type *check_chosen(Session *c, Node *call, Node *const *chains, unsigned count, Node *explicit_args,
                   Type *hint, bool is_loud);

/* closure.c */
Type *check_lambda(Session *c, Node *lambda);
Type *closure_of_function(Session *c, Node *function);
void closure_from_operator(Session *c, Node *node); /* becomes the lambda that applies it */
Type *closure_call(Session *c, Node *call);         /* call->a is of a lambda's type */

/* order.c: functions that compare keys */
void order_keep(Session *c, Node *function); /* before its body is checked */
Order order_of(Session *c, const Type *closure);
Type *order_key_call(Session *c, Node *call); /* __sort_key(function, value) */

/* asm.c */
Type *check_asm(Session *c, Node *call);

/* generic.c */
bool item_is(const Node *item, const char *name); /* `min` is, and `min<f32>` */
/* plan.c: the copy of a plan that a call calls. Without bindings it isn't generic. NULL after a
 * report. */
Node *plan_callee(Session *c, Node *function, const Binding *bindings, uint32_t count, Node *call);
/* The instance of a generic item, checked as far as its signature; NULL after a report. */
Node *generic_instance(Session *c, Node *item, const Binding *bindings, uint32_t count, Node *from);
/* generic_is_too_deep: is the limit of instances reached? Then no more are made, of lambdas
 * neither. generic_end reports it once and returns NULL: further instances would have no end
 * either. */
bool generic_is_too_deep(const Session *c);
Node *generic_end(Session *c, const char *name, const Node *from);
/* The copy of a non-generic function for the current shape. Its body may be unchecked. */
Node *generic_in_shape(Session *c, Node *function);
bool constant_is_same(const Node *a, const Node *b); /* of two integers, bools or floats: as bits */
bool generic_is_checked(Session *c, Node *function); /* for some shape */
void generic_note_shape(Session *c, Node *function); /* its body is checked for the current shape */
/* Instances that the user or an `export` names, and kernels whose parameters all have defaults. */
void generic_kernels(Session *c);
const char *generic_text(Session *c, const Node *item); /* atomic.add, without its <...> */

/* handle.c */
/* Reports a variable or value that has one in it: only a launch gives them. */
bool handle_refuse(Session *c, Span span, const Type *type);
bool kernel_has_maps(const Node *kernel);
bool check_handle(Session *c, const Node *written, const Type *type); /* false after a report */

/* shape.c */
void shape_enter(Session *c, Node *kernel); /* what is checked next is the kernel's */
void shape_leave(Session *c);
/* Declarations outside of functions are checked without a shape; afterwards the current state is
 * restored. */
typedef struct Outer {
  Node *kernel, *function;
} Outer;
Outer shape_step_out(Session *c);
void shape_step_in(Session *c, Outer outer);
uint32_t shape_extent(const Session *c, const Builtin *builtin); /* 0: no constant */
/* Reports that the value isn't a constant, though it may be one for some shapes. */
bool shape_not_constant(Session *c, Node *node);
void shape_drop_unsized(Session *c);

/* effect.c: effects that propagate from callees to callers: waiting, using the launch's shape */
Facts *facts_of(Session *c, Node *item);
void effects_add(Session *c, uint32_t effects); /* of the current function */
void effects_spread(Session *c);
void effects_forget(Session *c); /* called before edges of the call graph are removed */
void check_effects(Session *c);

/* linked.c */
void check_linked(Session *c);

/* shared_life.c: which outermost variables of a kernel conflict. A set has a bit for each. */
typedef uint64_t SharedSet;
enum { SHARED_SET_MAX = 64 };
void shared_find_conflicts(Session *c, const Node *kernel, const Node *const *variables,
                           uint32_t count, SharedSet *conflicts);
bool shared_is_reference(const Type *type);
/* The variable of the function itself in which the place lies, or NULL. */
const Node *shared_own_variable(const Node *place);
/* Does the call store a reference argument where others may find it? */
bool shared_call_keeps(const Session *c, const Node *call);
/* Does it make an integer of a pointer: by a conversion, or as the distance of two? */
bool shared_is_escape(const Node *node);
/* does the body keep a reference that it is passed, beyond its end? */
bool shared_keeps_reference(const Node *body);

/* shared.c: where shared memory lies. Offsets below a kernel's own bytes are its outermost
 * variables'. */
void check_shared_memory(Session *c);
/* does every path in it wait for the whole block? */
bool shared_always_waits(const Session *c, const Node *function);
/* does it keep references that it is passed? */
bool shared_keeps(const Session *c, const Node *function);

/* convert.c: the one place that decides what converts to what */
bool convert_is_implicit(Session *c, const Node *value, const Type *to);
const char *short_text(Session *c, const Node *node); /* as it is written; "..." if it is long */
/* Converts the value at *slot to type `to`, or reports. A literal takes the type. */
bool convert_to(Session *c, Node **slot, Type *to);
/* Converts as `T(value)` does: any scalar to any scalar. False if there is no such conversion. */
bool convert_explicitly(Session *c, Node **slot, Type *to);
Type *convert_common(Session *c, Node **left, Node **right); /* NULL if there is none */
/* T(value, round = word) for scalars and vectors, if both are numbers; false after a report.
 * convert_explicitly then makes a vector of a scalar. */
bool convert_rounded(Session *c, Node **slot, Type *to, uint64_t word);
/* The variable that contains the place, if it has the type of integer literals, like `var s = 0;`
 * and lists and tuples of literals; or NULL. */
const Node *literal_variable(const Node *place);
/* Hints after a report about two types: that `place` is in a variable that 0 made an integer
 * (returns false if not); which of two values to convert so that neither loses digits. */
bool hint_variable(Session *c, const Node *place, const Type *wanted);
void hint_one_side(Session *c, const Node *left, const Node *right);
void convert_default(Session *c, Node **slot); /* a literal becomes i32 or f32 */

/* warn.c: warnings about a form whose types are known. */
void warn_index(Session *c, const Node *node);                       /* x[...] of a span */
void warn_compare(Session *c, const Node *node);                     /* before it is folded */
void warn_underflow(Session *c, const Node *value, const Type *to);  /* a literal's conversion */
void warn_conversion(Session *c, const Node *value, const Type *to); /* T(literal) */
void warn_empty_body(Session *c, const Node *body, const char *word);
void warn_empty_range(Session *c, const Node *range); /* of a loop */
/* Warns of large shared arrays that a body copies into each thread's registers or local memory. */
void warn_array_copies(Session *c, const Node *body);
void warn_module(Session *c);
/* Reports a shuffle beyond its lanes. */
void check_shuffle(Session *c, const Node *call, const Node *function);

/* evaluate.c: of an expression that has been checked */
/* Replaces the expression by its constant value. Returns false, and leaves it as it is, if it isn't
 * constant. */
bool evaluate(Session *c, Node *node);
void evaluate_data(Session *c, Node *node); /* each scalar in a list, tuple, struct or vector */
/* Reports that it isn't constant, with the reason if that is elsewhere. Returns false if the reason
 * is an error, for which a hint to make it constant would be useless. */
bool evaluate_report(Session *c, const Node *node);

/* tune.c: const NAME = tune(...), a tuning parameter */
bool tune_is(const Node *value); /* is it a call of `tune`? */
/* Replaces the call by the value that counts. `type`: as declared, or NULL. */
void tune_choose(Session *c, Node *constant, Type *type);

/* fold.c */
bool fold_is_constant(const Node *node);
bool fold_is_data(const Node *node); /* arrays, tuples, structs and vectors of constants too */
/* The value of x[1, 2], for constant indices into a constant array; or NULL. */
const Node *fold_element(const Node *index);
void fold_unary(Session *c, Node *node);
void fold_binary(Session *c, Node *node);
/* Converts a constant to the scalar type `to`, in place; false if it isn't a constant. `round`: 0,
 * or 1 + the word of memory.def. */
bool fold_convert(Session *c, Node *node, Type *to, uint64_t round);
void fold_bit_cast(Node *node, const Node *from); /* of a constant, to node->type */

/* fold_intrinsic.c: computes an intrinsic of constants into `out`, which has the type already;
 * false if it can't. */
enum { FOLD_ARGS_MAX = 3 };
bool fold_intrinsic(const Builtin *builtin, const Node *args, uint32_t count, Node *out);

#endif
