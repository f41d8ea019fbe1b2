/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* gen.h - the generator's module and what is known of it, for the stages that repair it and turn it
 * into code.
 *
 *   Slot     what a declaration is in the module: a value, the memory that holds it, or a view
 *   Place    memory that can be read and written: address, address space, type
 *   View     a span: an address and its extents, as i64
 *
 * bool is i1 as a value and i8 in memory. Pointers are opaque; GPU code has global memory in
 * address space 1 and shared memory in 3, host code has all in 0.
 */
#ifndef CK_GEN_H
#define CK_GEN_H

#include "session.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/TargetMachine.h>

enum {
  SPACE_GENERIC = 0,
  SPACE_GLOBAL = 1,
  SPACE_SHARED = 3,
  SPACE_CONSTANT = 4,
  SPACE_PARAM = 101 /* of the GPU: what a kernel is passed by value */
};

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

typedef struct Debug Debug; /* debug.c */

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

struct Gen {
  Session *c;
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  LLVMTargetMachineRef machine; /* target/opt.c: the last one that was asked for, or NULL */
  LLVMCodeGenOptLevel machine_level;
  LLVMTypeRef i1, i8, i16, i32, i64, f32, f64, ptr, nothing;
  bool is_host;
  bool is_fast; /* the expression at hand stands in fast { ... } */
  unsigned global_space, shared_space;
  Reduction reductions[REDUCTIONS_MAX]; /* of the last atomic update */
  unsigned reduction_count;
  LLVMValueRef reduction_value; /* what it gives; NULL: it is not only reductions */

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

  /* line info (debug.c); NULL without */
  Debug *debug;

  uint32_t string_count;
  uint64_t constant_bytes; /* given out of constant memory */
  uint32_t inline_depth;   /* of functions worked out where they are called */
  const Node *inline_site; /* the call that is in the text of the function at hand */
  const Node *user_site;   /* of the calls around it, the innermost one in the program's own text */
  const Node *unused;      /* the call whose value nobody takes */
  LLVMValueRef result;     /* where a function leaves a large value; or NULL */
  LLVMValueRef caller;     /* checked library functions: the program's call (gen_check_caller) */
  unsigned inline_left;    /* nodes of calls that may still be taken in, in this function */
  unsigned inline_all;     /* the same of the module */
  const struct Taken *taken; /* functions that are worked out in place, the innermost first */
  VEC(Noted) places;         /* of calls and of conversions of addresses; some are gone since */
  VEC(Work) work;            /* functions that are called and not generated yet */
};

/* gen.c */
bool pass_gen(Session *c);
void gen_dump(Session *c, Buf *out);
void gen_dispose(Session *c);

/* space.c: of a module that was optimised, since libNVVM has not seen it */
bool gen_check_optimized(Gen *g);

/* type.c, vector.c, half.c, intrinsic.c: code that is made later */
LLVMValueRef gen_int(Gen *g, LLVMTypeRef type, uint64_t value);
LLVMValueRef gen_component(Gen *g, LLVMValueRef vector, unsigned i);
LLVMValueRef gen_ptx_value(Gen *g, const char *text, LLVMTypeRef result, LLVMValueRef *args,
                           unsigned count); /* of PTX: $0 is the result */
LLVMValueRef gen_call_named(Gen *g, const char *name, LLVMTypeRef result, LLVMValueRef *args,
                            unsigned count);

/* Metadata by which a branch says what it is to repairs of libNVVM's module. `ck.for` ends an
 * iteration with `i + step != end` or what a step other than 1 needs; `ck.while` with any test.
 * LLVM's own optimiser needs none of it, so its modules have none. */
#define GEN_MARK_for   "ck.for"
#define GEN_MARK_while "ck.while"
void gen_mark(Gen *g, LLVMValueRef branch, const char *mark);
bool gen_is_marked(Gen *g, LLVMValueRef branch, const char *mark);

/* debug.c: line tables as text in LLVM 7's syntax, the nodes numbered from 1 */
bool gen_debug_is_full(const Gen *g);
uint32_t gen_debug_text(Gen *g, Buf *out); /* returns the last number; `out` may be NULL */
uint32_t gen_debug_number(Gen *g, LLVMMetadataRef node);      /* 0: it has none */
const char *gen_debug_declared(Gen *g, LLVMValueRef address); /* or NULL */

#endif
