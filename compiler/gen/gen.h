/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* gen.h - the generator's module and its bookkeeping, for the stages that repair the module and
 * compile it.
 *
 *   Slot     what a declaration is in the module: a value, the memory that holds it, or a view
 *   Place    an lvalue: address, address space, type
 *   View     a span: an address and its extents, as i64
 *
 * A bool is i1 as a value and i8 in memory. Pointers are opaque. GPU code has global memory in
 * address space 1 and shared memory in 3; host code uses address space 0 only.
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
  SPACE_PARAM = 101 /* GPU: a kernel's parameters passed by value */
};

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

typedef struct Debug Debug; /* debug.c */

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

struct Gen {
  Session *c;
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  LLVMTargetMachineRef machine; /* target/opt.c: the last one that was used, or NULL */
  LLVMCodeGenOptLevel machine_level;
  LLVMTypeRef i1, i8, i16, i32, i64, f32, f64, ptr, nothing;
  bool is_host;
  bool is_fast; /* generating code inside fast { ... } */
  unsigned global_space, shared_space;
  Reduction reductions[REDUCTIONS_MAX]; /* of the last atomic operation */
  unsigned reduction_count;
  LLVMValueRef reduction_value; /* its result; NULL: it can't be replaced by reductions */

  /* the function at hand */
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
  bool has_globals;          /* the kernel's outermost shared variables are globals */
  LLVMValueRef dynamic_base; /* host: the block's dynamic shared memory */
  LLVMValueRef dynamic_top;  /* i64: bytes of it that are allocated */

  /* line info (debug.c); NULL without */
  Debug *debug;

  uint32_t string_count;
  uint64_t constant_bytes; /* allocated bytes of constant memory */
  uint32_t inline_depth;   /* nesting of functions that are inlined */
  const Node *inline_site; /* the inlined call in the current function's own text */
  /* The innermost inlined call that is in the program's text, not the library's. */
  const Node *user_site;
  const Node *unused;        /* the call whose value is unused */
  LLVMValueRef result;       /* where the function stores a large result, or NULL */
  LLVMValueRef caller;       /* checked library functions: the program's call (gen_check_caller) */
  unsigned inline_left;      /* nodes that may still be inlined in this function */
  unsigned inline_all;       /* nodes that may still be inlined in the module */
  const struct Taken *taken; /* functions being inlined, the innermost first */
  VEC(Noted) places;         /* calls and address space casts; some may have been deleted */
  VEC(Work) work;            /* called functions that aren't generated yet */
};

/* gen.c */
bool pass_gen(Session *c);
void gen_dump(Session *c, Buf *out);
void gen_dispose(Session *c);

/* space.c: for a module that LLVM optimised, so that libNVVM hasn't verified it */
bool gen_check_optimized(Gen *g);

/* type.c, vector.c, half.c, intrinsic.c: code for later stages */
LLVMValueRef gen_int(Gen *g, LLVMTypeRef type, uint64_t value);
LLVMValueRef gen_component(Gen *g, LLVMValueRef vector, unsigned i);
LLVMValueRef gen_ptx_value(Gen *g, const char *text, LLVMTypeRef result, LLVMValueRef *args,
                           unsigned count); /* inline PTX: $0 is the result */
LLVMValueRef gen_call_named(Gen *g, const char *name, LLVMTypeRef result, LLVMValueRef *args,
                            unsigned count);

/* Metadata that mark branches for the repairs of libNVVM's module. A `ck.for` branch ends an
 * iteration with `i + step != end`, or with what a step other than 1 needs; a `ck.while` branch
 * ends it with any test. Modules for LLVM's own optimiser don't need the marks and have none. */
#define GEN_MARK_for   "ck.for"
#define GEN_MARK_while "ck.while"
void gen_mark(Gen *g, LLVMValueRef branch, const char *mark);
bool gen_is_marked(Gen *g, LLVMValueRef branch, const char *mark);

/* debug.c: line tables as text in LLVM 7's syntax; nodes are numbered from 1 */
bool gen_debug_is_full(const Gen *g);
uint32_t gen_debug_text(Gen *g, Buf *out); /* returns the last number; `out` may be NULL */
uint32_t gen_debug_number(Gen *g, LLVMMetadataRef node);      /* 0 if it has none */
const char *gen_debug_declared(Gen *g, LLVMValueRef address); /* or NULL */

#endif
