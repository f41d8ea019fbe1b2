/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* gen_private.h - what the files of gen share, file by file.
 *
 *   Slot     what a declaration is in the module: a value, the memory that holds it, or a view
 *   Place    memory that can be read and written: address, address space, type
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
  bool is_constant; /* an `in` span: nobody writes it while the kernel runs */
} View;

typedef struct Slot {
  enum { SLOT_value, SLOT_memory, SLOT_view } kind;
  LLVMValueRef value; /* or address */
  unsigned space;
  View view;
  struct Chain *chain; /* checked builds: how an integer that makes an index was worked out */
} Slot;

typedef struct Place {
  LLVMValueRef address;
  unsigned space;
  Type *type;
  bool is_constant;
  const Node *node; /* what names it in the program, or NULL */
} Place;

/* A function in the module, for one shape. Hangs on the function's node->gen. */
typedef struct Copy {
  struct Copy *next;
  Shape shape;
  LLVMValueRef value;
} Copy;

typedef struct Work {
  Node *function;
  Copy *copy;
} Work;

/* An atomic update, and the instruction that does the same and gives nothing. */
typedef struct Reduction {
  LLVMValueRef made, args[5]; /* address, registers */
  unsigned count;
  const char *text;
} Reduction;

/* Where in the program's text a call or a conversion stands. */
typedef struct Noted {
  LLVMValueRef value;
  const Node *node;
} Noted;

enum { REDUCTIONS_MAX = 16 }; /* one for each component of a vector */

/* The most nodes that a function takes in as the values of calls: functions that call each other
 * twice and more would grow without end. */
enum { INLINE_MAX = 8192 };

/* The state of the pass. */
struct GenState {
  /* the module */
  VEC(Work) work;    /* functions that are called and not generated yet */
  VEC(Noted) places; /* of calls and of conversions of addresses; some are gone since */
  uint32_t string_count;
  uint64_t constant_bytes; /* given out of constant memory */
  unsigned inline_all;     /* nodes of calls that may still be taken in */

  /* the function at hand */
  Node *item;
  Shape shape;
  LLVMValueRef function;
  LLVMBasicBlockRef entry; /* allocas go to its end, before `entry_end` */
  LLVMValueRef entry_end;  /* its branch, or NULL while it is open */
  LLVMBasicBlockRef on_break, on_continue;
  LLVMBasicBlockRef on_return; /* where `return` goes; NULL: it returns at once */
  LLVMValueRef thread;         /* host: ck_host_thread_t of the running thread */
  LLVMValueRef frame; /* shared memory of the function at hand, from its byte `frame_from` */
  uint64_t frame_from;
  LLVMValueRef scratch, scratch_top; /* the grid's memory; where the bytes given out are counted */
  bool has_globals;                  /* the kernel's outermost variables are globals */
  LLVMValueRef dynamic_base;         /* host: the block's dynamic shared memory */
  LLVMValueRef dynamic_top;          /* i64: how much of it is given out */
  unsigned inline_left;              /* as inline_all, of this function */

  /* the expression at hand */
  bool is_fast;                         /* it stands in fast { ... } */
  Reduction reductions[REDUCTIONS_MAX]; /* of the last atomic update */
  unsigned reduction_count;
  LLVMValueRef reduction_value; /* what it gives; NULL: it is not only reductions */
  uint32_t inline_depth;        /* of functions worked out where they are called */
  const Node *inline_site;      /* the call that is in the text of the function at hand */
  const Node *user_site; /* of the calls around it, the innermost one in the program's own text */
  const Node *unused;    /* the call whose value nobody takes */
  LLVMValueRef result;   /* where a function leaves a large value; or NULL */
  LLVMValueRef caller;   /* checked library functions: the program's call (gen_check_caller) */
  const struct Taken *taken; /* functions that are worked out in place, the innermost first */
};

/* gen.c */
LLVMValueRef gen_declare(Gen *g, Node *function); /* for the shape at hand; its body follows */
void gen_attribute(Gen *g, LLVMValueRef function, int index, const char *name);
bool gen_is_ended(Gen *g); /* the block at hand has its terminator */
LLVMBasicBlockRef gen_block(Gen *g, const char *name);
void gen_at(Gen *g, LLVMBasicBlockRef block);
void gen_branch(Gen *g, LLVMBasicBlockRef to); /* unless the block has ended */

/* space.c */
void gen_note_place(Gen *g, LLVMValueRef value, const Node *node);
bool gen_check_spaces(Gen *g);

/* type.c */
LLVMTypeRef gen_type(Gen *g, Type *type);         /* of a value */
LLVMTypeRef gen_memory_type(Gen *g, Type *type);  /* in memory */
unsigned gen_space(const Gen *g, unsigned space); /* LLVM's, of a Space */
LLVMTypeRef gen_view_type(Gen *g, unsigned rank);
unsigned gen_align(const Type *type);
/* Parts of a struct, tuple or array as a value: a bool is a byte there, as in memory. */
/* A value of many scalars is the address of a copy that nobody writes: as many values would take
 * the optimiser time in squares. gen_type() of it is a pointer. */
bool gen_is_large(const Type *type);
/* `how` the loop of this branch is unrolled: full, count, disable. A count of 0 is none. */
void gen_mark_unroll(Gen *g, LLVMValueRef branch, const char *how, uint64_t count);
/* From and to generic addresses; `to` is aligned as the type is. */
void gen_copy_bytes(Gen *g, LLVMValueRef to, LLVMValueRef from, const Type *type,
                    unsigned from_align);
Place gen_part_place(Gen *g, const Place *whole, unsigned i);
/* Part i of a struct, tuple or array of the type `whole`, and such a value of all its parts. */
LLVMValueRef gen_part(Gen *g, LLVMValueRef value, Type *whole, unsigned i, const char *name);
LLVMValueRef gen_parts_value(Gen *g, Type *type, LLVMValueRef *parts, unsigned count);
LLVMValueRef gen_load(Gen *g, const Place *place, const char *name);
void gen_store(Gen *g, const Place *place, LLVMValueRef value);
LLVMValueRef gen_alloca(Gen *g, Type *type, const char *name);
LLVMValueRef gen_alloca_bits(Gen *g, Type *type); /* to be written as one type, read as another */
LLVMValueRef gen_cast_address(Gen *g, LLVMValueRef address, unsigned from, unsigned to);
LLVMValueRef gen_string(Gen *g, const char *text, size_t bytes); /* its address, generic */

/* constant.c: where a constant that is no scalar lies */
Slot *gen_constant_slot(Gen *g, Node *constant);

/* expr.c */
LLVMValueRef gen_expr(Gen *g, Node *node);
LLVMValueRef gen_i64(Gen *g, Node *node); /* of an integer type, extended by its sign */
Place gen_place(Gen *g, Node *node);
bool gen_is_place(const Node *node); /* it stands in memory already */
/* Copies by memory what would be many values: arrays, and what has some. NULL: zeros. */
void gen_copy(Gen *g, const Place *to, const Place *from);
void gen_store_node(Gen *g, const Place *to, Node *value);
LLVMValueRef gen_pointer_sum(Gen *g, Op op, Type *type, LLVMValueRef a, Node *right);
View gen_view(Gen *g, Node *node);
LLVMValueRef gen_view_value(Gen *g, View view);
LLVMValueRef gen_binary(Gen *g, Op op, Type *type, LLVMValueRef a, LLVMValueRef b);
/* LLVM's instruction alone that the operator's row names for operands of such a type. */
LLVMValueRef gen_instruction(Gen *g, Op op, const Type *type, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef gen_shift(Gen *g, Op op, Type *type, LLVMValueRef a, LLVMValueRef b, Type *count,
                       bool is_constant);
void gen_range(Gen *g, Node *node, LLVMValueRef *lo, LLVMValueRef *hi, LLVMValueRef *step);

/* convert.c */
LLVMValueRef gen_convert(Gen *g, LLVMValueRef value, Type *from, Type *to);

/* `round`: rn, rz, rp or rm; the host drops the fraction, whatever it is. */
LLVMValueRef gen_float_to_int(Gen *g, LLVMValueRef value, const Type *from, Type *to,
                              const char *round);

/* round.c: T(value, round = word), whose convert has `round` = word + 1 */
LLVMValueRef gen_round(Gen *g, LLVMValueRef value, Type *from, Type *to, uint64_t round);

/* half.c: f16 and bf16 */
LLVMValueRef gen_half_to_f32(Gen *g, LLVMValueRef value, const Type *from);
LLVMValueRef gen_half_convert(Gen *g, LLVMValueRef value, Type *from, Type *to);
LLVMValueRef gen_half_negate(Gen *g, LLVMValueRef value); /* bf16 */
LLVMValueRef gen_half_binary(Gen *g, Op op, Type *type, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef gen_half_fma(Gen *g, Type *type, const LLVMValueRef *args);
/* PTX with operands $0, $1, ... that has no effect but its result. */
LLVMValueRef gen_half_extreme(Gen *g, const char *word, Type *type, LLVMValueRef *args);

LLVMValueRef gen_bf16_ptx(Gen *g, Op op, LLVMValueRef a, LLVMValueRef b); /* two in an i32 */
const char *gen_bf16_word(Op op); /* its PTX instruction of bf16; "": through f32 */

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
bool gen_is_bits(const char *word); /* behind the '@' of front/builtin.def */
LLVMValueRef gen_bits(Gen *g, const char *word, LLVMValueRef *args);

LLVMValueRef gen_intrinsic(Gen *g, Node *call);
/* Host: where a field of the running thread lies; suspends it until it may go on. */
LLVMValueRef gen_thread_field(Gen *g, size_t offset);
void gen_host_wait(Gen *g, const Node *call, ck_host_wait_t wait, LLVMValueRef mask);
LLVMValueRef gen_form(Gen *g, Node *call); /* address, print, assert, trap */

/* shared.c */
void gen_shared_open(Gen *g, Node *kernel, LLVMValueRef block); /* block: on the host */
LLVMValueRef gen_frame_at(Gen *g, const Node *offset);          /* where a callee's frame starts */
void gen_shared(Gen *g, Node *node);

/* scratch.c */
void gen_scratch_open(Gen *g, const Node *kernel, LLVMValueRef address); /* in the entry block */
void gen_scratch_start(Gen *g);                                          /* a thread starts */
void gen_scratch(Gen *g, Node *node);

/* memory.c */
LLVMValueRef gen_memory(Gen *g, Node *call);
void gen_unused(Gen *g, LLVMValueRef value); /* of a statement: nobody takes it */

/* A load, or a store of `value`, with a word of `cache` (front/memory.def). */
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
  bool is_plain; /* the next input is a register even if it is a constant */
  bool is_volatile, is_memory, is_convergent;
} PtxAsm;
void asm_input(Gen *g, PtxAsm *ptx, LLVMValueRef value);
/* One result: itself; more: a struct; none: NULL's type. Operands are $0, $1, ...: results first.
 */
LLVMValueRef asm_call(Gen *g, const PtxAsm *ptx, const char *text, size_t bytes);
LLVMValueRef gen_asm(Gen *g, Node *call);

/* warp.c */
LLVMValueRef gen_ptx(Gen *g, const Node *call, const char *text, LLVMValueRef *args,
                     unsigned count);
/* `word` is a name of host_exchange.def. */
LLVMValueRef gen_lane_exchange(Gen *g, const Node *call, const char *word, LLVMValueRef *args,
                               unsigned count);
LLVMValueRef gen_check_block(Gen *g, const Node *call, LLVMValueRef value);

/* stmt.c */
void gen_statement(Gen *g, Node *node);

/* kernel.c */
void gen_kernel(Gen *g, Node *kernel);
void gen_function(Gen *g, Node *function, const Copy *copy);

/* check.c: what -check adds; without it, nothing */
bool gen_check_is_told(const Gen *g);    /* the host device is told of each access */
void gen_check_body(Gen *g, Node *body); /* before the code of a body is made */
/* The value of a `let`; *out_chain: how it was worked out, if an index may need to know. */
LLVMValueRef gen_check_let(Gen *g, Node *let, struct Chain **out_chain);
/* A function of the library takes one parameter more: which call of the program it works for. */
bool gen_check_has_caller(const Gen *g, const Node *function);
LLVMValueRef gen_check_caller(Gen *g, const Node *call);
/* Is it in the program's own text, not the library's? */
bool gen_is_users(const Gen *g, const Node *node);
/* One index of an access, as i64. */
LLVMValueRef gen_index(Gen *g, const Node *access, Node *index, LLVMValueRef extent);
LLVMValueRef gen_check_tested(Gen *g, Node *call); /* __below(i, n), __some(n) */
/* lo <= hi <= extent, of x[lo..hi]. */
void gen_check_slice(Gen *g, const Node *slice, LLVMValueRef lo, LLVMValueRef hi,
                     LLVMValueRef extent);
void gen_check_launch(Gen *g, const Node *kernel);
/* Host: tells the device of an access, before it is made; of a wait, before the thread suspends. */
void gen_check_access(Gen *g, const Place *place, bool is_write);
void gen_check_atomic(Gen *g, const Place *place, bool reads, bool writes);
/* A call of memcpy_async: what lies at `to` is not to be touched before its wait. */
void gen_check_copy(Gen *g, const Node *call, LLVMValueRef to, LLVMValueRef from, uint64_t bytes,
                    LLVMValueRef given);
void gen_check_copies(Gen *g, const char *function, uint64_t prior); /* commit, wait */
void gen_check_fence(Gen *g); /* or an atomic operation that orders others */
void gen_check_shared(Gen *g, LLVMValueRef address, uint64_t bytes); /* begins with any value */
void gen_check_wait(Gen *g, const Node *call);

/* debug.c */
void gen_debug_open(Gen *g);
void gen_debug_function(Gen *g, Node *item);
void gen_debug_at(Gen *g, const Node *node);
void gen_debug_close(Gen *g);
void gen_debug_dispose(Gen *g);

/* Where the code at hand is in the program. */
typedef struct DebugPlace {
  LLVMMetadataRef scope, inlined_at;
} DebugPlace;
DebugPlace gen_debug_enter(Gen *g, const Node *call); /* a function worked out where it is called */
void gen_debug_leave(Gen *g, DebugPlace outer);
DebugPlace gen_debug_block(Gen *g, const Node *node);
void gen_debug_block_end(Gen *g, DebugPlace outer);
/* In a full build: makes a variable known, and what is a value lie in memory. `argument` counts
 * from 1; 0 for what is no parameter. */
void gen_debug_variable(Gen *g, const Node *decl, Slot *slot, unsigned argument);

#endif
