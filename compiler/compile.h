/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* compile.h - one compilation, and the functions by which passes reach each other, file by file. */
#ifndef CK_COMPILER_COMPILE_H
#define CK_COMPILER_COMPILE_H

#include "ck/compile.h"
#include "front/ast.h"
#include "front/target.h"
#include "front/type.h"
#include "text/diag.h"

typedef struct Compile Compile;
typedef struct Gen Gen;                 /* gen/gen.h */
typedef struct Scope Scope;             /* front/resolve.c */
typedef struct SharedFrame SharedFrame; /* check/shared.c */
typedef struct PtxText PtxText;         /* repair/ptx.c */

typedef enum PassId {
#define PASS(name, ...) PASS_##name,
#include "passes.def"
  PASS_COUNT
} PassId;

/* Functions whose results' types are worked out one from the other, at most. */
enum { BODY_DEPTH_MAX = 200 };

/* A call from one function to another, for what spreads along calls. */
typedef struct CallEdge {
  Node *caller, *callee;
} CallEdge;

/* A file of the program (front/module.c). */
typedef struct Module Module;
typedef struct Import {
  Module *module;
  const Node *node; /* the import */
} Import;
struct Module {
  const Source *source;
  const char *path; /* as the file system resolves it; NULL for a text that is no file */
  Node *tree;
  VEC(Import) imports;
  uint32_t index;         /* in Compile.modules */
  bool is_loading;        /* its imports are being loaded */
  const Module *importer; /* the first one, and where */
  Span importer_span;
};

/* What a kernel takes of the machine, as the target's linker says. */
typedef struct Resources {
  const Node *kernel;
  uint32_t registers, barriers;
  uint32_t shared_bytes; /* of a block, static */
  uint32_t local_bytes;  /* of a thread: the stack frame, and in it what is spilled */
  uint32_t spill_store_bytes, spill_load_bytes;
} Resources;

/* A kernel's scratch memory, in bytes, as an expression of the manifest. */
typedef struct Scratch {
  const Node *kernel;
  const char *bytes;
} Scratch;

/* What a kernel's launch contract says of every launch. Functions that ask for it are checked and
 * generated for each shape, so that the answers are constants. */
typedef struct Shape {
  uint32_t dim[3];    /* threads of a block along x, y, z; 0: not known */
  uint32_t grid_rank; /* the grid has one block along the others; 0: not known */
} Shape;

/* An instance that was asked for, and its name as it was written: `k<raking>` of `k<2>`. */
typedef struct Asked {
  const Node *kernel;
  Span span;
} Asked;

/* What check knows of an item. It hangs on the item's `gen` until check ends. */
typedef struct Caller Caller; /* check/effect.c */
typedef struct Facts {
  struct Facts *older; /* of all that there are */
  Node *item;
  Node *instances; /* made of it, newest first: check/generic.c */
  Node *instance;  /* of an instance: the one before it */
  uint32_t instance_count;
  Shape shape;      /* of the block that it was checked for */
  bool is_called;   /* by a kernel, there */
  uint32_t waiting; /* calls of functions that wait, not yet known to end: check/effect.c */
  Node *way;        /* one of those, at last */
  Caller *callers;
} Facts;

struct Compile {
  Arena unit_arena; /* holds this struct too */
  Arena *unit;      /* lives as long as the result */
  Arena scratch;    /* lives as long as one pass */
  ck_compile_options_t options;
  Target target;

  Names names;
  Sources sources;
  Diag diag;
  Types types;
  const Source *source;    /* the user's file */
  Node *module;            /* the user's */
  VEC(Module *) modules;   /* the user's, then those imported */
  VEC(const char *) files; /* that were read: imports, and what stands for lib/ */
  VEC(const char *) tried; /* where imports were looked for, as they were asked for */
  Node *library;           /* items of lib/ */
  Buf digits;              /* of the number at hand: lexer, fold */
  bool is_repairing;       /* the text is at fault: what is CUDA C++ in it is read as CK */
  bool is_read;            /* the parser found nothing wrong: the first reading's, when repairing */
  VEC(const char *) wanted; /* names that a suggestion was sought for; likewise */
  bool is_too_deep;         /* the nesting limit was passed: the rest of the text is not read */

  Scope *scope;      /* resolve's */
  Node *function;    /* check's: the function or kernel that it is in */
  bool is_quick;     /* opt's: LLVM's quick way to machine code is taken */
  uint64_t unrolled; /* check's: rounds of the unrolled loops around a statement, or 0 */
  VEC(Node *)
  literals; /* check's: returns of literals, where the type of the result is not known yet */
  uint32_t body_depth; /* check's: bodies inside each other, whose results' types depend on it */
  uint32_t instance_depth; /* check's: instances that led to this one */
  bool has_no_end;         /* check's: so many were asked for that no more are made */
  uint32_t decl_depth;     /* check's: declarations whose types wait for this one's */
  bool in_grid;            /* check's: in launch(grid = ...) */
  Node *instance_from;     /* check's: the call that asked for the instance it is in */
  VEC(Node *) pending;     /* functions that were called and whose bodies are not checked yet */
  Node *kernel;            /* check's: whose code it is in; NULL: a function that none calls */
  Shape shape;             /* the kernel's */
  Facts *facts;            /* the newest */
  VEC(Node *) kernels;     /* what gen makes entries of */
  VEC(CallEdge) calls;
  uint32_t linked;           /* effect's: so many of the calls */
  VEC(Node *) marked;        /* effect's: functions whose callers are not marked yet */
  Node *operators[OP_COUNT]; /* closure's: the lambda of each operator that stood as an argument */
  bool has_shared;           /* some `shared` was checked */
  bool has_unsized;          /* some function has FLAG_unsized */
  VEC(Scratch) scratches;    /* of kernels that have some */
  VEC(SharedFrame *) frames; /* of shared memory, by address of the function */

  Gen *gen;
  uint64_t repairs;  /* the bit of each row of repair/repair.def that is needed */
  PtxText *ptx_text; /* `ptx` as lines, while it is repaired; in `scratch` */
  Buf ir;            /* NVVM IR */
  Buf ptx;           /* or LTO-IR */
  Buf object;        /* cubin or host object */
  Buf manifest;      /* JSON */
  Buf contract;      /* its part that a launcher relies on: names, parameters, launch */
  Buf log, times;
  VEC(Asked) asked;         /* what `export` and --instance name */
  VEC(Resources) resources; /* of the kernels that the linker spoke of */
  Buf report;               /* the same as text */
  const void *output;
  size_t output_bytes;
  ck_emit_t form;
  bool is_unavailable; /* a part of the toolkit is missing: the log names it */
};

/* front/parse.y, front/lex.re */
Node *parse_source(Compile *c, const Source *source);
/* Of a text that is known to be well-formed: what stands between two of its bytes. */
Node *parse_piece(Compile *c, const Source *source, uint32_t lo, uint32_t hi);
/* A function that was read before and whose text has no faults, as it was then; without what
 * stands before its name. */
Node *parse_again(Compile *c, const Node *function);
void lex_dump(Compile *c, const Source *source, Buf *out);

/* front/library.c: lib/, which is part of this compiler */
void library_load(Compile *c);
bool library_import(Compile *c, const char *name); /* false if lib/ has no such file */

/* front/module.c */
void modules_load(Compile *c);
const Module *module_of(const Compile *c, Span span); /* NULL: the library's */
bool module_sees(const Compile *c, const Module *from, const Node *item);

/* front/resolve.c */
void resolve_copy(Compile *c, Node *item); /* an instance: a fresh copy of a generic item */
/* `sync` of block, `len` of a struct, as it is seen from `at`: the first of that name, or NULL. */
Node *resolve_method(Compile *c, const Type *type, const Name *name, Span at);
/* Reports that two modules declare what `at` sees under one name. */
void resolve_clash(Compile *c, Span at, const Node *item, const Node *other);
/* The function of the same name that follows and that is seen from `at`; or NULL. */
Node *resolve_overload(const Compile *c, const Node *function, Span at);
bool name_is_operator(const Name *name); /* of a function: fn +(a: P, b: P) */
/* Functions of a name that are seen from `at`: the user's, and the library's. How many chains. */
Node *resolve_library_function(const Name *name); /* the first of its chain, or NULL */
unsigned resolve_functions(const Compile *c, const Name *name, Span at, Node *out[2]);

/* front/cuda.c */
const char *cuda_language(const Name *name); /* whose spelling it is, such as "CUDA C++", or NULL */
bool cuda_hint(Compile *c, const Name *name, Span span); /* hints how CK says such a spelling */
/* The same for what stands behind "owner.". */
bool cuda_member(Compile *c, const char *owner, const Name *name, Span span);
struct Lexer;
/* Reports the spelling that ends right before, or starts at, a token that does not fit. */
bool cuda_spelling(Compile *c, const struct Lexer *lexer, Span unexpected);

/* front/suggest.c, and front/resolve.c for the names of a program */
typedef struct Suggestion {
  const char *wanted, *best; /* best: NULL if nothing is near */
  unsigned least, rank;      /* of the best: its edits, how far away it is declared */
} Suggestion;
Suggestion suggest_for(const char *wanted);
void suggest_offer(Suggestion *suggestion, const char *candidate, unsigned rank);
bool suggest_give(Compile *c, const Suggestion *suggestion, Span span); /* as a hint and a fix */
bool suggest_is_near(const char *wanted, const char *candidate);
bool suggest_words(Compile *c, const Name *wanted, Span span, const char *words);
void suggest_builtins(Suggestion *suggestion);
void suggest_methods(Compile *c, const Type *type, const Name *wanted, Span span); /* x.f() */
void suggest_members(Compile *c, const Type *type, const Name *wanted, Span span);

/* check/decl.c */
void check_signature(Compile *c, Node *function); /* types of parameters and result */
void check_function(Compile *c, Node *function);  /* its body too */
void check_pending(Compile *c);                   /* bodies of what a kernel calls */
void check_kernel(Compile *c, Node *kernel);
void check_exported(Compile *c, Node *kernel); /* one of an imported file, that this one exports */
void check_constant(Compile *c, Node *constant);
void check_global(Compile *c, Node *constant);        /* one that stands outside of functions */
void check_function_body(Compile *c, Node *function); /* whose parameters have their types */
Type *check_type(Compile *c, Node *node);      /* a type as it is written; poison if it is none */
Type *check_dynamic(Compile *c, Node *shared); /* shared buf: f32[dyn n]: a span */
/* Does the type meet the constraint (a name such as `float`)? */
bool check_constraint(Compile *c, const Node *constraint, const Type *type);
/* How much the constraint of a compile-time parameter lets through; 0 of a constant. */
int check_looseness(const Node *param);

/* check/algorithm.c */
void algorithm_words(Compile *c); /* of the library, that algorithms do not write themselves */
void algorithm_lower(Compile *c, Node *item);       /* an algorithm becomes a kernel */
const Type *algorithm_result(const Node *kernel);   /* NULL: it has none, or is no algorithm */
void algorithm_return(Compile *c, Node *statement); /* of one that has a result */

/* check/contract.c */
/* The row of base/expr.def that a function of the library is; EXPR_none: it is none. */
ExprId contract_function(const Node *function);
void contract_check(Compile *c, const Node *node);       /* of a launch: DIAG_launch_expression */
const char *contract_text(Compile *c, const Node *node); /* of what it lets through */
/* The pieces: a constant, a parameter, and an operation on texts, by its node. */
const char *contract_number(Compile *c, const Node *number);
const char *contract_name(Compile *c, const Name *name);
const char *contract_operation(Compile *c, const Node *node, const char *const *operands);

/* check/scratch.c */
enum { SCRATCH_ALIGNMENT = 256 }; /* of each declaration, as of what the driver allocates */
Type *check_scratch_type(Compile *c, Node *scratch); /* of a declaration: a span, or poison */
void check_scratch(Compile *c);                      /* once all is checked */
const char *scratch_bytes(const Compile *c, const Node *kernel); /* an expression; NULL: none */

/* check/struct.c: structures, members and operators of types that the program declares */
void check_structure(Compile *c, Node *structure, Node *origin); /* decl->type */
/* Of P or P<...> as it is written; NULL if `node` names no structure. */
Type *check_struct_type(Compile *c, Node *node, bool is_pointee);
Node *struct_constructor(Compile *c, const Type *type);
Node *struct_named(const Node *callee); /* the structure of `P` or `P<...>`, or NULL */
int struct_field(const Type *type, const Name *name); /* its index, or -1 */
/* The node becomes a call of the function that is the operator, if one takes its operands. */
/* The type that a literal takes which is stored as it[i]; NULL: nothing says one. */
/* element_of<I> for I = type; `node` has the place. */
Type *check_element_of(Compile *c, const Node *node, Type *type);
bool check_is_open(const Type *stored);
Type *check_stored_type(Compile *c, const Node *it);
bool check_operator(Compile *c, Node *node, const char *op, Node *args, Type *hint);
/* Whether the operator takes operands of the type, without a function of the program. */
bool op_takes_type(Op op, const Type *type);

/* check/target.c: what a program asks of its target */
bool check_attributes(Compile *c, Node *item);
void check_required(Compile *c, const Node *item, Span from); /* reports what the target lacks */
void check_limits(Compile *c, Node *kernel);                  /* @registers, @blocks_per_sm */
uint32_t kernel_limit(const Node *kernel, const char *name);  /* 0: none */
bool check_target_sm(Compile *c, const char *name, unsigned sm, Span from);
Node *target_constant(Compile *c, Span span, const char *name); /* `sm` of target; or NULL */

/* check/stmt.c */
bool check_place(Compile *c, Node *node); /* may it be assigned? */
void check_statement(Compile *c, Node *statement);
/* At the end of a body whose result is inferred: literals that it returns, from the first on. */
void check_literal_results(Compile *c, Node *function, uint32_t first);
/* check/switch.c */
void check_switch(Compile *c, Node *node); /* becomes a block of ifs */
const Node *place_root(const Node *node);  /* the declaration `v` of v[1].x, or NULL */

bool check_place(Compile *c, Node *node); /* reports what can't be assigned */

/* check/memory.c */
bool place_is_param(const Node *param);        /* p: __place<T> */
void place_mark(const Node *param, Node *arg); /* before the argument gets its type */
bool check_spaces(Compile *c, const Node *node, Space space, Space wanted); /* reports */
bool place_convert(Compile *c, Node **slot, Type *to);
bool place_refuse_many(Compile *c, const Node *arg); /* reports a span or an array */
Type *check_memory(Compile *c, Node *call);

/* check/expr.c: give node->type; `hint` is the type that would suit, or NULL */
Type *check_expr(Compile *c, Node *node, Type *hint);
Type *check_value(Compile *c, Node *node, Type *hint); /* a literal gets its own type at last */
Type *check_is_value(Compile *c, Node *node);          /* of an expression that has its type */
void check_condition(Compile *c, Node **node);
bool check_uint_constant(Compile *c, Node *node, uint64_t *out); /* reports if it is none */

/* check/named.c: aliases and enumerations */
Node *alias_end(Node *written); /* the type behind a name that is an alias, as it is written */
Type *check_alias(Compile *c, Node *alias);
Type *check_enumeration(Compile *c, Node *enumeration);
const Node *enumerator_named(const Type *type, const Name *name); /* or NULL */
Type *check_enumerator(Compile *c, Node *member, Type *type);     /* Mode.fast becomes its value */

/* check/range.c: a..b, and calls of its methods step and reverse */
Type *check_range(Compile *c, Node *node, Type *hint);
bool range_method(const Node *member); /* is it the name of one? */
Type *check_range_call(Compile *c, Node *call);

/* check/vector.c: vectors. Each gives node->type, or poison after a report. */
Type *check_vector_type(Compile *c, Node *node);           /* vec<T, N> */
Type *check_vector_call(Compile *c, Node *call, Type *to); /* f32x4(...) */
Type *check_vector_shift(Compile *c, Node *node);
Type *check_vector_index(Compile *c, Node *node);
Type *check_swizzle(Compile *c, Node *member);
bool check_swizzle_place(Compile *c, const Node *place); /* no component twice */
void check_vector_assign(Compile *c, Node *node);        /* v += x */
Type *check_vector_access(Compile *c, Node *call);       /* x.load<N>(i), x.store(i, v) */
bool check_is_access(Compile *c, Node *callee);          /* is it the callee of one? */
/* A function of scalars that is called with vectors: for each component. As check_chosen. */
Type *check_each(Compile *c, Node *call, Node *const *chains, unsigned count, Node *explicit_args,
                 Type *hint);
bool check_is_each(const Node *call); /* has it a vector argument? */

/* check/bits.c: sizeof, alignof, bit_cast: constants and calls of forms */
Type *check_size(Compile *c, Node *node, const Builtin *form, const Type *type);
Type *check_bit_cast(Compile *c, Node *call);
Type *check_any(Compile *c, Node *call);  /* __any(x) */
Type *check_zero(Compile *c, Node *call); /* __zero(x) */

/* check/call.c */
/* Below a report that `value` is no word of an option: a declaration that hides the word. */
void hint_hidden_word(Compile *c, const char *option, const Node *value);
Type *check_call(Compile *c, Node *call, Type *hint);
Type *check_property(Compile *c, Node *member, Node *function);
/* Calls the function that fits best among chains of overloads. Where none fits: reports, or NULL.
 */
Type *check_chosen(Compile *c, Node *call, Node *const *chains, unsigned count, Node *explicit_args,
                   Type *hint, bool is_loud);

/* check/closure.c */
Type *check_lambda(Compile *c, Node *lambda);
Type *closure_of_function(Compile *c, Node *function);
void closure_from_operator(Compile *c, Node *node); /* becomes the lambda that applies it */
Type *closure_call(Compile *c, Node *call);         /* call->a is of a lambda's type */

/* check/asm.c */
Type *check_asm(Compile *c, Node *call);
bool asm_option(const Node *call, const char *name); /* is it given, and true? */

/* check/generic.c */
/* Parameters of a function or kernel, and of <...>; values of a print. */
enum { PARAMS_MAX = 64, PRINTED_MAX = 32 }; /* CUDA's printf takes 32 values */

typedef struct Binding {
  Node *param; /* type_param or const_param */
  Type *type;
  Node *value;      /* a constant */
  bool is_explicit; /* written in <...> */
} Binding;
Node *generic_params(const Node *item);           /* the first after the attributes, or NULL */
bool item_is(const Node *item, const char *name); /* `min` is, and `min<f32>` */
/* The instance of a generic item, checked as far as its signature; NULL after a report. */
Node *generic_instance(Compile *c, Node *item, const Binding *bindings, uint32_t count, Node *from);
/* Whether no further instance is made, of lambdas neither; and the report, once, that says so:
 * NULL. What instances asked for in the meantime would have no end either. */
bool generic_is_too_deep(const Compile *c);
Node *generic_end(Compile *c, const char *name, const Node *from);
/* The function, which has no <...>, for the shape of the block at hand. Its body may be unchecked.
 */
Node *generic_in_shape(Compile *c, Node *function);
bool generic_is_checked(Compile *c, Node *function); /* for some shape */
void generic_note_shape(Compile *c, Node *function); /* its body is checked for the one at hand */
/* Instances that the user or an `export` names, and kernels whose parameters all have defaults. */
void generic_kernels(Compile *c);
const char *kernel_symbol(Compile *c, const Node *kernel); /* its name in object code */
const char *generic_text(Compile *c, const Node *item);    /* atomic.add, without its <...> */
const char *generic_symbol(Compile *c, const char *name);  /* a name that every target accepts */

/* check/handle.c: textures, surfaces and tensor maps as parameters */
typedef struct Handle {
  const char *kind; /* "texture", "surface", "tensor_map" */
  uint64_t rank;
  uint32_t most_rank;
  Type *element;
  bool is_layered;
  bool is_map; /* passed as its 128 bytes, and as a u64, the bytes of a box */
} Handle;
bool handle_of(const Type *type, Handle *out);
/* Reports a variable or value that has one in it: only a launch gives them. */
bool handle_refuse(Compile *c, Span span, const Type *type);
bool kernel_has_maps(const Node *kernel);
bool check_handle(Compile *c, const Node *written, const Type *type); /* false after a report */

/* check/shape.c: the shape of the block that code is checked for */
Shape kernel_shape(const Node *kernel);
void shape_enter(Compile *c, Node *kernel); /* what is checked next is the kernel's */
void shape_leave(Compile *c);
/* What is declared outside of functions is checked for no block, and then the code at hand again.
 */
typedef struct Outer {
  Node *kernel, *function;
} Outer;
Outer shape_step_out(Compile *c);
void shape_step_in(Compile *c, Outer outer);
uint32_t shape_extent(const Compile *c, const Builtin *builtin); /* 0: no constant */
/* Reports that the value is no constant; it may be one for some blocks. */
bool shape_not_constant(Compile *c, Node *node);
void shape_drop_unsized(Compile *c);

/* check/effect.c: what spreads along calls: who waits, who asks for the shape of the launch */
Facts *facts_of(Compile *c, Node *item);
void effects_add(Compile *c, uint32_t effects); /* of the function at hand */
void effects_spread(Compile *c);
void effects_forget(Compile *c); /* before calls are taken away */
void check_effects(Compile *c);
/* check/linked.c */
void check_linked(Compile *c);

/* check/shared_life.c: which outermost variables of a kernel conflict. A set has a bit for each. */
typedef uint64_t SharedSet;
enum { SHARED_SET_MAX = 64 };
void shared_find_conflicts(Compile *c, const Node *kernel, const Node *const *variables,
                           uint32_t count, SharedSet *conflicts);
bool shared_is_reference(const Type *type);
bool shared_keeps_reference(const Node *body); /* one that it is given, beyond its end */

/* check/shared.c: where shared memory lies. Offsets below a kernel's own bytes are its outermost
 * variables'. */
void check_shared_memory(Compile *c);
uint64_t shared_bytes(const Compile *c, const Node *item);
uint64_t shared_own_bytes(const Compile *c, const Node *item);
bool shared_always_waits(const Compile *c, const Node *function); /* all of the block, in it */
bool shared_keeps(const Compile *c, const Node *function);        /* references that it is given */
/* Bytes of outermost variables that share with each other, or of one that does not. */
typedef struct SharedRoom {
  uint64_t lo, hi;
  unsigned alignment;
  uint32_t count;    /* of the variables */
  const Node *first; /* of them, in the text */
} SharedRoom;
const SharedRoom *shared_room(const Compile *c, const Node *kernel, uint64_t offset);
unsigned shared_alignment(const Node *kernel, const Type *type); /* of an outermost variable */
unsigned shared_dynamic_alignment(const Node *kernel);           /* of one with dyn extents */
bool shared_is_large(const Compile *c, const Node *kernel); /* it lies in dynamic shared memory */

/* check/convert.c: the one place that decides what converts to what */
bool convert_is_implicit(Compile *c, const Node *value, const Type *to);
const char *short_text(Compile *c, const Node *node); /* as it is written; "..." if it is long */
/* Makes the value at *slot of type `to`, or reports. A literal takes the type. */
bool convert_to(Compile *c, Node **slot, Type *to);
/* As `T(value)` does: everything between scalars. False if there is no such conversion. */
bool convert_explicitly(Compile *c, Node **slot, Type *to);
Type *convert_common(Compile *c, Node **left, Node **right); /* NULL if there is none */
/* T(value, round = word) of scalars and vectors, as far as numbers go; false after a report. A
 * vector of a scalar is then made by convert_explicitly. */
bool convert_rounded(Compile *c, Node **slot, Type *to, uint64_t word);
/* check/warn.c: warnings about a form whose types are known. */
void warn_index(Compile *c, const Node *node);                       /* x[...] of a span */
void warn_compare(Compile *c, const Node *node);                     /* before it is folded */
void warn_underflow(Compile *c, const Node *value, const Type *to);  /* a literal's conversion */
void warn_conversion(Compile *c, const Node *value, const Type *to); /* T(literal) */
void warn_empty_body(Compile *c, const Node *body, const char *word);
void warn_empty_range(Compile *c, const Node *range); /* of a loop */
/* Great shared arrays that a checked body copies into each thread's registers or local memory. */
void warn_array_copies(Compile *c, const Node *body);
void warn_module(Compile *c);
/* Reports a shuffle beyond its lanes. */
void check_shuffle(Compile *c, const Node *call, const Node *function);
/* The variable that a place is in, if it has the type of integer literals, as `var s = 0;` and
 * lists and tuples of such; or NULL. */
const Node *literal_variable(const Node *place);
/* Hints below a report of two types: that `place` is in a variable which 0 made an integer (false
 * if not); which of two values to convert so that none is lost. */
bool hint_variable(Compile *c, const Node *place, const Type *wanted);
void hint_one_side(Compile *c, const Node *left, const Node *right);
void convert_default(Compile *c, Node **slot); /* a literal becomes i32 or f32 */

/* check/evaluate.c: of an expression that has been checked */
/* Makes it a constant. False, and as it was, if it is none. */
bool evaluate(Compile *c, Node *node);
void evaluate_data(Compile *c, Node *node); /* each scalar in a list, tuple, struct or vector */
/* Reports that it is none, and why, if that is elsewhere; false if something wrong is why: a hint
 * to make it a constant is of no use then. */
bool evaluate_report(Compile *c, const Node *node);

/* check/fold.c */
bool fold_is_constant(const Node *node);
bool fold_is_data(const Node *node); /* arrays, tuples, structs and vectors of constants too */
/* The constant that x[1, 2] is, for constant indices of a constant array; or NULL. */
const Node *fold_element(const Node *index);
void fold_unary(Compile *c, Node *node);
void fold_binary(Compile *c, Node *node);
/* A constant becomes one of the scalar type `to`, where it stands; false if it is none. `round`: 0,
 * or 1 and the word of memory.def. */
bool fold_convert(Compile *c, Node *node, Type *to, uint64_t round);
bool fold_fits(const Node *literal, const Type *type);
uint64_t fold_literal(Compile *c, Node *literal);  /* reports what does not fit in its own type */
double fold_round(const Type *type, double value); /* to the float type */
/* The number in the text, rounded once. */
double fold_number(const char *text, const Type *type, const char **out_end);
uint64_t fold_bf16_bits(double value);              /* of a bf16 */
uint64_t fold_bits(const Type *type, double value); /* of a float */
void fold_bit_cast(Node *node, const Node *from);   /* of a constant, to node->type */
const char *fold_text(Compile *c, const Node *constant);
Node *fold_int(Compile *c, Span span, Type *type, uint64_t bits);
/* check/fold_intrinsic.c: its value of constants, in `out`, which has the type; false of what is no
 * constant */
enum { FOLD_ARGS_MAX = 3 };
bool fold_intrinsic(const Builtin *builtin, const Node *args, uint32_t count, Node *out);

/* front/builtin.c */
const Builtin *builtin_named(const Name *name); /* or NULL */

/* check/define.c */

/* What a value of -D is as that of a constant: a copy, with the structs that its type names. */
Node *define_value(Compile *c, const Node *constant, const Node *given);

/* compile.c */
void append_manifest(Compile *c, Buf *image);

/* output/bundle.c, output/fatbin.c, output/header.c */
ck_status_t bundle_compile(Compile *c, const char *source, size_t bytes);
void fatbin_open(Buf *out);
void fatbin_close(Buf *out);
void fatbin_cubin(Buf *out, const Target *target, const Buf *image, size_t bytes);
void fatbin_ptx(Buf *out, const Target *target, const char *ptx);
/* The launch functions, where what differs between targets stands between '@'; and the header. */
void header_launches(Compile *c, Buf *out);
void header_make(Compile *c, const Buf *launches, const Buf *fatbin, const Buf *host, Buf *out);

/* output/manifest.c */
#define MANIFEST_END "\n}\n"    /* its last bytes */
void manifest_make(Compile *c); /* again, once more is known */

const char *manifest_type(const Type *type);

/* gen/gen.c, target/nvvm.c, target/libnvvm.c, target/nvptx.c, target/link.c, target/host.c: false
 * after a report */
#define PASS(name, ...) bool pass_##name(Compile *c);
#include "passes.def"
void gen_dump(Compile *c, Buf *out);
void gen_dispose(Compile *c);
/* target/llvm_memory.cpp: LLVM, too, ends at the thread's MemoryEscape */
void llvm_watch_memory(void);

bool libnvvm_is_available(void); /* opens the library, once */
bool link_is_available(void);

#endif
