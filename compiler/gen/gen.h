/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* gen.h - LLVM's module, for the stages that repair it and generate code from it.
 *
 * A bool is i1 as a value and i8 in memory. Pointers are opaque. GPU code has global memory in
 * address space 1 and shared memory in 3; host code uses address space 0 only.
 */
#ifndef CK_GEN_H
#define CK_GEN_H

#include "front/target.h"
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

typedef struct Debug Debug; /* debug.c */

/* The module, from its first function to the end of the compilation. */
struct Gen {
  Session *c;
  struct GenState *state; /* while gen runs (gen_private.h) */
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  LLVMTargetMachineRef machine; /* target/opt.c: the last one that was used, or NULL */
  LLVMCodeGenOptLevel machine_level;
  bool is_quick; /* LLVM generates machine code by its fast path */
  LLVMTypeRef i1, i8, i16, i32, i64, f32, f64, ptr, nothing;
  const Target *target; /* what differs between GPUs and the host is asked of it */
  unsigned global_space, shared_space;
  Debug *debug; /* line information; NULL without */
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

/* stmt.c: metadata that mark instructions for the repairs.
 *
 * ck.for     a branch that ends an iteration with `i + step != end`, or with what a step other than
 *            1 needs (libNVVM)
 * ck.while   a branch that ends an iteration with any test (libNVVM)
 * ck.half    the conversion of an integer of 32 or 64 bits to f16, or to f32 or f64 on the way
 * ck.bits    a variable that is written as one type and read as another one */
#define GEN_MARK_for   "ck.for"
#define GEN_MARK_while "ck.while"
#define GEN_MARK_half  "ck.half"
#define GEN_MARK_bits  "ck.bits"
bool gen_is_marked(Gen *g, LLVMValueRef instruction, const char *mark);

/* debug.c: line tables as text in LLVM 7's syntax; nodes are numbered from 1 */
bool gen_debug_is_full(const Gen *g);
uint32_t gen_debug_text(Gen *g, Buf *out); /* returns the last number; `out` may be NULL */
uint32_t gen_debug_number(Gen *g, LLVMMetadataRef node);      /* 0 if it has none */
const char *gen_debug_declared(Gen *g, LLVMValueRef address); /* or NULL */

#endif
