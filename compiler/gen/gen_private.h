/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* gen_private.h - the state of the generator, and what the files of compiler/gen call of each
 * other, file by file.
 *
 *   Slot     what a declaration is in the module: a value, the memory that holds it, or a view
 *   Place    an lvalue: address, address space, type
 *   View     a span: an address and its extents, as i64
 */
#ifndef CK_GEN_PRIVATE_H
#define CK_GEN_PRIVATE_H

#include "check/check.h"
#include "gen/gen.h"

typedef struct View {
  LLVMValueRef address;
  LLVMValueRef extents[4];
  unsigned space;
  unsigned rank;
  bool is_constant; /* an `in` span: not written while the kernel runs */
} View;

typedef struct Slot {
  enum { SLOT_value, SLOT_memory, SLOT_view } kind;
  LLVMValueRef value; /* the value, or its address */
  unsigned space;
  bool is_constant; /* nothing writes to this memory while the kernel runs */
  View view;
  struct Chain *chain; /* checked builds: the computation of an integer that is used as an index */
} Slot;

typedef struct Place {
  LLVMValueRef address;
  unsigned space;
  Type *type;
  bool is_constant;
  const Node *node; /* the program's expression for it, or NULL */
} Place;

/* A function in the module, for one shape. The function's node->gen points to it. */
typedef struct Copy {
  struct Copy *next;
  Shape shape;
  LLVMValueRef value;
} Copy;

typedef struct Work {
  Node *function;
  Copy *copy;
} Work;

/* An atomic operation whose result may be unused, and the reduction that could replace it. */
typedef struct Reduction {
  LLVMValueRef made, args[5]; /* address, registers */
  unsigned count;
  const char *text;
} Reduction;

/* The node from which a call or an address space cast was generated. */
typedef struct Noted {
  LLVMValueRef value;
  const Node *node;
} Noted;

enum { REDUCTIONS_MAX = 16 }; /* one for each component of a vector, of at most 16 */

/* The limit of nodes that are inlined in a function. Without it, functions that call each other
 * twice and more would grow exponentially. */
enum { INLINE_MAX = 8192 };

/* The state of the pass. */
struct GenState {
  /* the module */
  VEC(Work) work;    /* called functions that aren't generated yet */
  VEC(Noted) places; /* calls and address space casts; some may have been deleted */
  uint32_t string_count;
  uint64_t constant_bytes; /* allocated bytes of constant memory */
  unsigned inline_all;     /* nodes that may still be inlined in the module */

  /* The current function. */
  Node *item;
  Shape shape;
  LLVMValueRef function;
  LLVMBasicBlockRef entry; /* allocas go to its end, before `entry_end` */
  LLVMValueRef entry_end;  /* the entry's branch, or NULL if it has none yet */
  LLVMBasicBlockRef on_break, on_continue;
  LLVMBasicBlockRef on_return; /* target of `return`; NULL: a return instruction */
  LLVMValueRef thread;         /* host: the running thread's ck_host_thread_t */
  LLVMValueRef frame;          /* the function's shared memory, from its byte `frame_from` on */
  uint64_t frame_from;
  /* the grid's memory; the address of the number of allocated bytes */
  LLVMValueRef scratch, scratch_top;
  LLVMValueRef step_values[1 + PLAN_LOOPS_MAX]; /* a step: the hidden parameters behind `scratch` */
  bool is_tail;              /* the next call of a plan is the value of a return statement */
  bool has_globals;          /* the kernel's outermost shared variables are globals */
  LLVMValueRef dynamic_base; /* host: the block's dynamic shared memory */
  LLVMValueRef dynamic_top;  /* i64: bytes of it that are allocated */
  unsigned inline_left;      /* nodes that may still be inlined in this function */

  /* The current expression. */
  bool is_fast;                         /* it is inside fast { ... } */
  Reduction reductions[REDUCTIONS_MAX]; /* of the last atomic operation */
  unsigned reduction_count;
  LLVMValueRef reduction_value; /* its result; NULL: it can't be replaced by reductions */
  uint32_t inline_depth;        /* nesting of functions that are inlined */
  const Node *inline_site;      /* the inlined call in the current function's own text */
  /* The innermost inlined call that is in the program's text, not the library's. */
  const Node *user_site;
  const Node *unused;        /* the call whose value is unused */
  LLVMValueRef result;       /* where the function stores a large result, or NULL */
  LLVMValueRef caller;       /* checked library functions: the program's call (gen_check_caller) */
  const struct Taken *taken; /* functions being inlined, the innermost first */
};

/* gen.c */
/* for the current shape; its body is generated later */
LLVMValueRef gen_declare(Gen *g, Node *function);
void gen_attribute(Gen *g, LLVMValueRef function, int index, const char *name);
bool gen_is_ended(Gen *g); /* has the current block a terminator? */
LLVMBasicBlockRef gen_block(Gen *g, const char *name);
void gen_at(Gen *g, LLVMBasicBlockRef block);
void gen_branch(Gen *g, LLVMBasicBlockRef to); /* unless the block has ended */
void gen_go(Gen *g, LLVMBasicBlockRef to);     /* branches to the block and goes on there */
/* The value of a block that is entered from two, and its two values if they come later. */
LLVMValueRef gen_phi(Gen *g, LLVMTypeRef type, LLVMValueRef a, LLVMBasicBlockRef from_a,
                     LLVMValueRef b, LLVMBasicBlockRef from_b);
void gen_incoming(LLVMValueRef phi, LLVMValueRef a, LLVMBasicBlockRef from_a, LLVMValueRef b,
                  LLVMBasicBlockRef from_b);
Slot *gen_slot(Gen *g, Node *decl, Slot slot); /* what the declaration is from now on */

/* space.c */
void gen_note_place(Gen *g, LLVMValueRef value, const Node *node);
bool gen_check_spaces(Gen *g);

/* type.c */
LLVMTypeRef gen_type(Gen *g, Type *type);         /* as a value */
LLVMTypeRef gen_memory_type(Gen *g, Type *type);  /* in memory */
unsigned gen_space(const Gen *g, unsigned space); /* LLVM's address space for a Space */
LLVMTypeRef gen_view_type(Gen *g, unsigned rank);
unsigned gen_align(const Type *type);
/* A value of many scalars is represented by the address of a copy that is never written: as an LLVM
 * aggregate it would take the optimiser quadratic time. gen_type() of it is a pointer. */
bool gen_is_large(const Type *type);
/* Copies between generic addresses; `to` has the alignment of the type. */
void gen_copy_bytes(Gen *g, LLVMValueRef to, LLVMValueRef from, const Type *type,
                    unsigned from_align);
Place gen_part_place(Gen *g, const Place *whole, unsigned i);
/* Part i of a struct, tuple or array value of the type `whole`, and such a value made of all parts.
 * In both, a bool is a byte, as in memory. */
LLVMValueRef gen_part(Gen *g, LLVMValueRef value, Type *whole, unsigned i, const char *name);
LLVMValueRef gen_parts_value(Gen *g, Type *type, LLVMValueRef *parts, unsigned count);
LLVMValueRef gen_load(Gen *g, const Place *place, const char *name);
void gen_store(Gen *g, const Place *place, LLVMValueRef value);
LLVMValueRef gen_alloca(Gen *g, Type *type, const char *name);
/* for memory that is written as one type and read as another */
LLVMValueRef gen_alloca_type(Gen *g, LLVMTypeRef type, const char *name);
Place gen_local(Gen *g, Type *type, const char *name); /* a variable */
/* A variable with a value: its address. */
LLVMValueRef gen_variable(Gen *g, Type *type, const char *name, LLVMValueRef value);
LLVMValueRef gen_alloca_bits(Gen *g, Type *type);
LLVMValueRef gen_cast_address(Gen *g, LLVMValueRef address, unsigned from, unsigned to);
LLVMValueRef gen_string(Gen *g, const char *text, size_t bytes); /* its generic address */

/* constant.c: the memory of a constant that isn't a scalar */
Slot *gen_constant_slot(Gen *g, Node *constant);

/* expr.c */
LLVMValueRef gen_expr(Gen *g, Node *node);
LLVMValueRef gen_i64(Gen *g, Node *node); /* an integer, sign- or zero-extended */
Place gen_place(Gen *g, Node *node);
bool gen_is_place(const Node *node); /* is it an lvalue? */
/* Copies arrays, and values with arrays in them, from memory to memory. `from` is NULL for
 * zeros. */
void gen_copy(Gen *g, const Place *to, const Place *from);
void gen_store_node(Gen *g, const Place *to, Node *value);
LLVMValueRef gen_pointer_sum(Gen *g, Op op, Type *type, LLVMValueRef a, Node *right);
View gen_view(Gen *g, Node *node);
LLVMValueRef gen_view_value(Gen *g, View view);
/* Is a quotient in fast { ... } the target's approximate one? */
bool gen_is_fast_quotient(const Gen *g, const Type *type);
LLVMValueRef gen_binary(Gen *g, Op op, Type *type, LLVMValueRef a, LLVMValueRef b);
/* The plain LLVM instruction of the operator's row, for operands of this type. */
LLVMValueRef gen_instruction(Gen *g, Op op, const Type *type, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef gen_shift(Gen *g, Op op, Type *type, LLVMValueRef a, LLVMValueRef b, Type *count,
                       bool is_constant);
void gen_range(Gen *g, Node *node, LLVMValueRef *lo, LLVMValueRef *hi, LLVMValueRef *step);

/* convert.c */
LLVMValueRef gen_convert(Gen *g, LLVMValueRef value, Type *from, Type *to);

/* `round`: rn, rz, rp or rm; the host always truncates. */
LLVMValueRef gen_float_to_int(Gen *g, LLVMValueRef value, const Type *from, Type *to,
                              const char *round);

/* round.c: T(value, round = word); `round` is word + 1. */
LLVMValueRef gen_round(Gen *g, LLVMValueRef value, Type *from, Type *to, uint64_t round);

/* half.c: f16 and bf16 */
LLVMValueRef gen_half_to_f32(Gen *g, LLVMValueRef value, const Type *from);
LLVMValueRef gen_half_convert(Gen *g, LLVMValueRef value, Type *from, Type *to);
LLVMValueRef gen_half_negate(Gen *g, LLVMValueRef value); /* bf16 */
LLVMValueRef gen_half_binary(Gen *g, Op op, Type *type, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef gen_half_fma(Gen *g, Type *type, const LLVMValueRef *args);
LLVMValueRef gen_half_extreme(Gen *g, const char *word, Type *type, LLVMValueRef *args);

/* two values packed in an i32 */
LLVMValueRef gen_bf16_ptx(Gen *g, Op op, LLVMValueRef a, LLVMValueRef b);
/* the operator's PTX instruction for bf16; "" if it is computed in f32 */
const char *gen_bf16_word(Op op);

/* vector.c */
LLVMValueRef gen_with_component(Gen *g, LLVMValueRef vector, LLVMValueRef value, unsigned i);
LLVMValueRef gen_vector_convert(Gen *g, LLVMValueRef value, Type *from, Type *to);
LLVMValueRef gen_vector_binary(Gen *g, Op op, Type *type, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef gen_vector_shift(Gen *g, Op op, Type *type, LLVMValueRef a, LLVMValueRef b,
                              const Type *count);
LLVMValueRef gen_swizzle(Gen *g, Node *member);
LLVMValueRef gen_indexed_component(Gen *g, Node *node);
void gen_swizzle_store(Gen *g, Node *member, LLVMValueRef value);
Place gen_vector_place(Gen *g, Node *node);       /* v[i], v.x */
LLVMValueRef gen_vector_form(Gen *g, Node *call); /* f32x4(...), x.load<N>(i), x.store(i, v) */
LLVMValueRef gen_each(Gen *g, Node *each);

/* bits.c */
/* Is it one of the words after '@' in front/builtin.def? */
bool gen_is_bits(const char *word);
LLVMValueRef gen_bits(Gen *g, const char *word, LLVMValueRef *args);

/* intrinsic.c */
LLVMValueRef gen_intrinsic(Gen *g, Node *call);
LLVMValueRef gen_field(Gen *g, LLVMValueRef object, size_t offset); /* an address */
LLVMValueRef gen_load_field(Gen *g, LLVMValueRef object, size_t offset, LLVMTypeRef type,
                            const char *name);
/* Host: writes a field of the running thread; suspends the thread. */
void gen_thread_store(Gen *g, size_t offset, LLVMValueRef value);
void gen_host_wait(Gen *g, const Node *call, ck_host_wait_t wait, LLVMValueRef mask);
LLVMValueRef gen_form(Gen *g, Node *call); /* address, print, assert, trap */

/* shared.c */
void gen_shared_open(Gen *g, Node *kernel, LLVMValueRef block); /* `block` is used on the host */
LLVMValueRef gen_frame_at(Gen *g, const Node *offset);          /* the start of a callee's frame */
void gen_shared(Gen *g, Node *node);
/* Evaluates the extents of memory whose size is known at run time, and gives its bytes. */
LLVMValueRef gen_extents(Gen *g, const Node *node, View *view);

/* scratch.c */
/* called in the entry block */
/* The values of the hidden parameters, behind the others. */
void gen_scratch_open(Gen *g, const Node *kernel, const LLVMValueRef *values);
unsigned gen_scratch_types(Gen *g, const Node *kernel, LLVMTypeRef *types); /* gives their number */
void gen_scratch_names(const Node *kernel, LLVMValueRef function, unsigned index);
/* Around the call of a plan whose value isn't returned as it is. */
LLVMValueRef gen_scratch_call(Gen *g);
void gen_scratch_called(Gen *g, LLVMValueRef outer);
/* Numbers of the plan's step: "step_loop", ... */
LLVMValueRef gen_step_word(Gen *g, const char *word);
/* called where a thread starts */
void gen_scratch_start(Gen *g);
void gen_scratch(Gen *g, Node *node);

/* memory.c */
LLVMValueRef gen_memory(Gen *g, Node *call);
void gen_unused(Gen *g, LLVMValueRef value); /* the value of an expression statement is unused */

/* A load, or a store of `value`, with a cache hint of front/memory.def. */
LLVMValueRef gen_hinted_access(Gen *g, const Place *place, LLVMValueRef value, uint64_t cache);
/* async.c */
LLVMValueRef gen_async(Gen *g, Node *call, unsigned op); /* memcpy_async, pipeline: a MemoryOp */

/* asm.c */
typedef struct PtxAsm {
  LLVMTypeRef results[2 * PARAMS_MAX];
  unsigned result_count;
  LLVMValueRef args[2 * PARAMS_MAX];
  bool immediate[2 * PARAMS_MAX];
  unsigned count;
  bool is_plain; /* the next input must be a register, even if it is a constant */
  bool is_volatile, is_memory, is_convergent;
} PtxAsm;
void asm_input(Gen *g, PtxAsm *ptx, LLVMValueRef value);
/* Returns the result; with several results a struct; without results NULL. Operands are $0, $1,
 * ...: results first. */
LLVMValueRef asm_call(Gen *g, const PtxAsm *ptx, const char *text, size_t bytes);
/* An instruction that accesses memory. Its results have one type, its operands are registers. */
LLVMValueRef asm_memory(Gen *g, const char *text, LLVMTypeRef result, unsigned result_count,
                        const LLVMValueRef *args, unsigned count);
LLVMValueRef gen_asm(Gen *g, Node *call);

/* warp.c */
LLVMValueRef gen_ptx(Gen *g, const Node *call, const char *text, LLVMValueRef *args,
                     unsigned count);
/* `word` is a name in host_exchange.def. */
LLVMValueRef gen_lane_exchange(Gen *g, const Node *call, const char *word, LLVMValueRef *args,
                               unsigned count);
LLVMValueRef gen_check_block(Gen *g, const Node *call, LLVMValueRef value);

/* stmt.c */
/* Attaches unroll metadata to a loop's branch. `how` is full, count or disable; a count of 0 means
 * none. */
void gen_mark(Gen *g, LLVMValueRef instruction, const char *mark); /* GEN_MARK_* */
void gen_mark_unroll(Gen *g, LLVMValueRef branch, const char *how, uint64_t count);
void gen_leave(Gen *g);
void gen_statement(Gen *g, Node *node);

/* kernel.c */
void gen_kernel(Gen *g, Node *kernel);
void gen_function(Gen *g, Node *function, const Copy *copy);

/* check.c: the checks of -check; without it these functions add nothing */
bool gen_check_is_told(const Gen *g);    /* are accesses reported to the host device? */
void gen_check_body(Gen *g, Node *body); /* called before a body is generated */
/* The value of a `let`; *out_chain describes its computation, if an index may use it. */
LLVMValueRef gen_check_let(Gen *g, Node *let, struct Chain **out_chain);
/* In checked builds, a function of the library has an additional parameter: the program's call on
 * behalf of which it runs. */
bool gen_check_has_caller(const Gen *g, const Node *function);
LLVMValueRef gen_check_caller(Gen *g, const Node *call);
/* Is it in the program's text, not in the library's? */
bool gen_is_users(const Gen *g, const Node *node);
/* One index of an access, as i64. */
LLVMValueRef gen_index(Gen *g, const Node *access, Node *index, LLVMValueRef extent);
LLVMValueRef gen_check_tested(Gen *g, Node *call); /* __below(i, n), __some(n) */
/* lo <= hi <= extent, of x[lo..hi]. */
void gen_check_slice(Gen *g, const Node *slice, LLVMValueRef lo, LLVMValueRef hi,
                     LLVMValueRef extent);
void gen_check_launch(Gen *g, const Node *kernel);
/* Host: reports an access to the device before it happens, and a wait before the thread
 * suspends. */
void gen_check_access(Gen *g, const Place *place, bool is_write);
void gen_check_atomic(Gen *g, const Place *place, bool reads, bool writes);
/* A call of memcpy_async: the memory at `to` must not be accessed before its wait. */
void gen_check_copy(Gen *g, const Node *call, LLVMValueRef to, LLVMValueRef from, uint64_t bytes,
                    LLVMValueRef given);
/* `args`: the target's address, the number of bytes, the address of the mbarrier. */
void gen_check_bulk(Gen *g, const Node *call, LLVMValueRef *args);
void gen_check_phase(Gen *g, LLVMValueRef barrier); /* a phase that the thread waited for is over */
void gen_check_copies(Gen *g, const char *function, uint64_t prior); /* commit, wait */
/* A fence, or an atomic operation that orders other accesses. */
void gen_check_fence(Gen *g);
/* its initial value is undefined */
void gen_check_shared(Gen *g, LLVMValueRef address, uint64_t bytes);
void gen_check_wait(Gen *g, const Node *call);

/* debug.c */
void gen_debug_open(Gen *g);
void gen_debug_function(Gen *g, Node *item);
void gen_debug_at(Gen *g, const Node *node);
void gen_debug_close(Gen *g);
void gen_debug_dispose(Gen *g);

/* The debug location of the code that is generated. */
typedef struct DebugPlace {
  LLVMMetadataRef scope, inlined_at;
} DebugPlace;
DebugPlace gen_debug_enter(Gen *g, const Node *call); /* an inlined function */
void gen_debug_leave(Gen *g, DebugPlace outer);
DebugPlace gen_debug_block(Gen *g, const Node *node);
void gen_debug_block_end(Gen *g, DebugPlace outer);
/* With -g: describes a variable, and puts a value into memory so that it has an address. `argument`
 * counts parameters from 1; it is 0 for other variables. */
void gen_debug_variable(Gen *g, const Node *decl, Slot *slot, unsigned argument);

#endif
