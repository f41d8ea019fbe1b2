/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* bool_jump.c - vectors of bools that a jump may depend on are computed component by component.
 *
 * libNVVM, for targets before sm_100, doesn't come to an end with a jump by `(a | b) | c` (or &)
 * where only its last step finds out that b is true and c false (b false and c true). That late it
 * knows what is a component of a vector of bools. So no such vector is left where a jump may depend
 * on it, or on a number that is chosen by it:
 *
 *     %t = icmp slt <2 x i32> %a, %b   ->   two icmp of components, put together for other uses
 *
 * is_for_jumps() follows the uses through casts, choices, phis and bitwise operations.
 */
#include "repair_private.h"

static bool is_bool(Gen *g, LLVMTypeRef type)
{
  return (llvm_is_vector(type) ? LLVMGetElementType(type) : type) == g->i1;
}

static bool is_bitwise(LLVMValueRef value)
{
  LLVMOpcode how = LLVMGetInstructionOpcode(value);
  return how == LLVMAnd || how == LLVMOr || how == LLVMXor;
}

/* Is its result one of its operands, or composed of their bits? */
static bool is_passed_on(LLVMValueRef user)
{
  return LLVMIsACastInst(user) || LLVMIsASelectInst(user) || LLVMIsAPHINode(user) ||
         LLVMIsAInsertElementInst(user) || LLVMIsAExtractElementInst(user) || is_bitwise(user);
}

/* May a jump depend on it, or on a number selected by it? Also true after `steps` uses. */
static bool is_for_jumps(Gen *g, LLVMValueRef value, int *steps)
{
  bool is_test = is_bool(g, LLVMTypeOf(value));
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool is_tested = is_test || LLVMIsACmpInst(user);
    if (--*steps < 0 || (is_passed_on(user) ? is_for_jumps(g, user, steps) : is_tested))
      return true;
  }
  return false;
}

/* For libNVVM two NaNs that were merged into one constant are equal, but not in a comparison with
 * 0. */
static LLVMValueRef compare_numbers(LLVMBuilderRef b, LLVMRealPredicate how, LLVMValueRef left,
                                    LLVMValueRef right)
{
  LLVMValueRef result = LLVMBuildFCmp(b, how, left, right, ""),
               zero = LLVMConstNull(LLVMTypeOf(left));
  switch (how) {
  case LLVMRealOEQ:
  case LLVMRealOGE:
  case LLVMRealOLE:
    return LLVMBuildAnd(b, result, LLVMBuildFCmp(b, LLVMRealORD, left, zero, ""), "");
  case LLVMRealUNE:
  case LLVMRealUGT:
  case LLVMRealULT:
    return LLVMBuildOr(b, result, LLVMBuildFCmp(b, LLVMRealUNO, left, zero, ""), "");
  default: return result;
  }
}

static LLVMValueRef part_of_test(LLVMBuilderRef b, LLVMValueRef test, LLVMValueRef at)
{
  LLVMValueRef parts[3];
  int count = LLVMGetNumOperands(test);
  for (int i = 0; i < count; ++i) {
    parts[i] = LLVMGetOperand(test, (unsigned)i);
    if (llvm_is_vector(LLVMTypeOf(parts[i])))
      parts[i] = LLVMBuildExtractElement(b, parts[i], at, "");
  }
  if (LLVMIsAICmpInst(test))
    return LLVMBuildICmp(b, LLVMGetICmpPredicate(test), parts[0], parts[1], "");
  if (LLVMIsAFCmpInst(test))
    return compare_numbers(b, LLVMGetFCmpPredicate(test), parts[0], parts[1]);
  if (LLVMIsASelectInst(test)) return LLVMBuildSelect(b, parts[0], parts[1], parts[2], "");
  return LLVMBuildBinOp(b, LLVMGetInstructionOpcode(test), parts[0], parts[1], "");
}

static LLVMValueRef part_of_phi(LLVMBuilderRef b, LLVMValueRef phi, LLVMValueRef at)
{
  LLVMPositionBuilderBefore(b, phi);
  LLVMValueRef part = LLVMBuildPhi(b, LLVMGetElementType(LLVMTypeOf(phi)), "");
  for (unsigned i = 0; i < LLVMCountIncoming(phi); ++i) {
    LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, i);
    LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(block));
    LLVMValueRef value = LLVMBuildExtractElement(b, LLVMGetIncomingValue(phi, i), at, "");
    LLVMAddIncoming(part, &value, &block, 1);
  }
  return part;
}

static bool is_vector_of_bools(Gen *g, LLVMValueRef value)
{
  LLVMTypeRef type = LLVMTypeOf(value);
  return llvm_is_vector(type) && is_bool(g, type);
}

static bool is_of_parts(LLVMValueRef value)
{
  return LLVMIsACmpInst(value) || LLVMIsABinaryOperator(value) || LLVMIsASelectInst(value) ||
         LLVMIsAPHINode(value);
}

static void split_test(Repair *r, LLVMValueRef test)
{
  Gen *g = r->g;
  int steps = 256;
  if (!is_vector_of_bools(g, test) || !is_of_parts(test)) return;
  if (!is_for_jumps(g, test, &steps)) return;
  LLVMTypeRef type = LLVMTypeOf(test);
  unsigned count = LLVMGetVectorSize(type);
  LLVMValueRef result = LLVMGetUndef(type), *parts = NEW_ARRAY(&g->c->scratch, LLVMValueRef, count);
  bool is_phi = LLVMIsAPHINode(test) != NULL;
  for (unsigned i = 0; i < count && is_phi; ++i)
    parts[i] = part_of_phi(g->builder, test, gen_int(g, g->i32, i));
  if (is_phi) llvm_place_behind(g->builder, test);
  else LLVMPositionBuilderBefore(g->builder, test);
  for (unsigned i = 0; i < count; ++i) {
    LLVMValueRef at = gen_int(g, g->i32, i);
    if (!is_phi) parts[i] = part_of_test(g->builder, test, at);
    result = LLVMBuildInsertElement(g->builder, result, parts[i], at, "");
  }
  llvm_replace(r, test, result);
}

void repair_bool_jump(Repair *r)
{
  llvm_each(r, split_test);
}
