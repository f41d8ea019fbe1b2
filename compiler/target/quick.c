/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* quick.c - what CK_COMPILE_QUICK changes: code that is made in less time, for first launches.
 *
 * The time of libNVVM, LLVM's code generator and ptxas grows with the lines of PTX, 40 to 90 us a
 * line each. Most lines of large kernels are repetitions: 32 rows of a tile are 32 copies of a
 * loop's body, so that the rows are in registers. Quick code is smaller:
 *
 *     loops         of more than a few rounds stay loops; what they index is in local memory
 *     back end      LLVM's NVPTX, which starts at once, instead of libNVVM
 *     calls         of large functions that are called more than once stay calls
 *     optimiser     simplifies, inlines and unrolls short loops once, instead of LLVM's O3
 *     ptxas         -Ofast-compile=max
 *     host          as at -O1
 *
 * All else is the same: parameters, shared memory, scratch memory and what is written to it. So the
 * code of one launch may be quick and that of the next one not.
 *
 * Quick code must compute the same bits. Integers, comparisons, and floating-point operations in
 * the program's order do. Two things would not: a product and a sum become one operation, rounded
 * once, where the optimiser finds them side by side; and `fast` allows other orders. A module that
 * has such operations is refused, and compiled again without the flag. The number of blocks that
 * fit on a device depends on the code's registers, so a grid that is computed from it may add in
 * another order; the caller says whether that can be (CK_COMPILE_QUICK_SUMS).
 */
#include "front/target.h"
#include "target/target_private.h"

#include <string.h>

void quick_choose(Session *c)
{
  ck_compile_options_t *options = &c->options;
  bool is_gpu = c->target->has_ptx;
  bool is_code = options->emit != CK_EMIT_NVVM && options->emit != CK_EMIT_LTOIR;
  c->is_quick = options->flags & CK_COMPILE_QUICK && !c->is_refused && is_code &&
                options->opt_level != CK_OPT_0 && (!is_gpu || c->target->is_nvptx);
  if (!c->is_quick || options->emit == CK_EMIT_MANIFEST) return; /* that is of the thorough code */
  options->opt_level = CK_OPT_1;
  if (is_gpu) options->backend = CK_BACKEND_NVPTX;
}

static unsigned instructions_of(LLVMValueRef function)
{
  unsigned count = 0;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) ++count;
  return count;
}

static bool is_called_twice(LLVMValueRef function)
{
  LLVMUseRef use = LLVMGetFirstUse(function);
  return use && LLVMGetNextUse(use);
}

static void add_attribute(Session *c, LLVMValueRef function, const char *name)
{
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(c->gen->context, kind, 0));
}

/* Tells LLVM what is to stay small. A call is 10 to 15 lines of PTX, so it pays for functions of
 * more than 30 instructions. With `optsize`, a loop is unrolled only where the code gets hardly
 * larger. In small kernels that makes more code, since short arrays are in local memory then: in
 * most of those of examples/bench/algorithms.ck that have up to MODULE_MAX instructions. */
static void limit_growth(Session *c)
{
  enum { CALLED_MAX = 30, MODULE_MAX = 475 };
  unsigned all = 0;
  LLVMModuleRef module = c->gen->module;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    all += instructions_of(f);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (is_called_twice(f) && instructions_of(f) > CALLED_MAX) add_attribute(c, f, "noinline");
    if (all > MODULE_MAX) add_attribute(c, f, "optsize");
  }
}

bool quick_optimise(Session *c, LLVMTargetMachineRef machine)
{
  static const char first[] = "function(sroa,early-cse<memssa>,simplifycfg)";
  static const char then[] =
      "cgscc(inline),globaldce,function("
      "sroa,early-cse<memssa>,simplifycfg,loop(loop-unroll-full),sroa,infer-address-spaces,"
      "early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg)";
  if (!llvm_run(c, first, machine)) return false;
  limit_growth(c);
  return llvm_run(c, then, machine);
}

static bool is_sum(LLVMValueRef instruction)
{
  LLVMOpcode op = LLVMGetInstructionOpcode(instruction);
  return op == LLVMFAdd || op == LLVMFSub;
}

/* All operations may contract a product and a sum; has it another flag? */
static bool is_fast(LLVMValueRef instruction)
{
  return LLVMCanValueUseFastMathFlags(instruction) &&
         LLVMGetFastMathFlags(instruction) & ~(unsigned)LLVMFastMathAllowContract;
}

bool quick_has_same_bits(Session *c)
{
  bool has_sums = false, has_products = false, has_fast = false;
  for (LLVMValueRef f = LLVMGetFirstFunction(c->gen->module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
        has_sums |= is_sum(i);
        has_products |= LLVMGetInstructionOpcode(i) == LLVMFMul;
        has_fast |= is_fast(i);
      }
  bool may_add = c->options.flags & CK_COMPILE_QUICK_SUMS;
  return !has_fast && !(has_sums && (has_products || !may_add));
}
