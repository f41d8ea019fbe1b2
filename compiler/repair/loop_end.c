/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* loop_end.c - where a loop ends after a minimum of iterations, that number is hidden from libNVVM.
 *
 * libNVVM unrolls a loop of min(a, b) or ~a iterations, of 32 bits or fewer, by 3, 5 or another
 * divisor of 2^32 - 1, and drops the iterations that remain. Of a number that comes out of inline
 * PTX it knows nothing, and keeps them.
 *
 *     %n = select i1 %less, i32 %a, i32 %b
 *     icmp ne i32 %i, %n                        ->   icmp ne i32 %i, asm "mov.b32 $0, $1;" (%n)
 *
 * The generator says which jumps end an iteration, with metadata on the branch: `!ck.for` where it
 * compares `i + 1 != end`, `!ck.while` where it may be any test. A parameter that ends a loop of
 * its function is hidden where it is passed.
 */
#include "repair_private.h"

/* A minimum, or ~x, or what may be one; a parameter is hidden where it is passed. */
static bool may_be_min(LLVMValueRef end, bool is_while)
{
  bool is_inverse = LLVMIsABinaryOperator(end) && LLVMGetInstructionOpcode(end) == LLVMXor;
  if (LLVMIsASelectInst(end) || LLVMIsAPHINode(end) || LLVMIsACallInst(end) || is_inverse)
    return true;
  return !is_while && LLVMIsAInstruction(end);
}

static bool is_short(LLVMTypeRef type)
{
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 32;
}

/* In all comparisons, so that facts known before the loop also hold for its end. */
static void hide_end(Repair *r, LLVMValueRef end)
{
  Gen *g = r->g;
  r->has_changed = true;
  llvm_place_behind(g->builder, end);
  LLVMValueRef hidden = llvm_hidden_int(g, end);
  for (LLVMUseRef use = LLVMGetFirstUse(end), after; use; use = after) {
    LLVMValueRef user = LLVMGetUser(use);
    after = LLVMGetNextUse(use);
    for (unsigned i = 0; i < 2 && LLVMIsAICmpInst(user); ++i)
      if (LLVMGetOperand(user, i) == end)
        LLVMSetOperand(user, i, hidden), after = LLVMGetFirstUse(end);
  }
}

static void hide_end_of_loop(Repair *r, LLVMValueRef branch)
{
  bool is_while = gen_is_marked(r->g, branch, GEN_MARK_while);
  LLVMValueRef test = LLVMIsConditional(branch) ? LLVMGetCondition(branch) : NULL;
  if (!test || (!is_while && !gen_is_marked(r->g, branch, GEN_MARK_for))) return;
  if (!LLVMIsAICmpInst(test)) return;
  if (!is_short(LLVMTypeOf(LLVMGetOperand(test, 0)))) return;
  if (!is_while && LLVMGetICmpPredicate(test) != LLVMIntNE) return; /* other steps: quotients */
  for (unsigned i = is_while ? 0 : 1; i < 2; ++i) {
    LLVMValueRef end = LLVMGetOperand(test, i);
    if (may_be_min(end, is_while)) hide_end(r, end);
  }
}

static bool has_body(LLVMValueRef function)
{
  return LLVMIsAFunction(function) && !LLVMIsDeclaration(function);
}

static bool ends_turn(Gen *g, LLVMValueRef test)
{
  LLVMValueRef branch = LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(test));
  return gen_is_marked(g, branch, GEN_MARK_for) || gen_is_marked(g, branch, GEN_MARK_while);
}

/* Does it end a loop, of this function or of one that it is passed on to? *left: so many functions
 * are looked at; then it may. */
static bool may_end_loop(Gen *g, LLVMValueRef param, unsigned *left)
{
  if (!*left) return true;
  --*left;
  for (LLVMUseRef use = LLVMGetFirstUse(param); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use),
                 called = LLVMIsACallInst(user) ? LLVMGetCalledValue(user) : NULL;
    if (LLVMIsAICmpInst(user) && ends_turn(g, user)) return true;
    if (!called || !has_body(called)) continue;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(user); ++i)
      if (LLVMGetOperand(user, i) == param && may_end_loop(g, LLVMGetParam(called, i), left))
        return true;
  }
  return false;
}

static void hide_arguments(Repair *r, LLVMValueRef call)
{
  Gen *g = r->g;
  enum { LOOKS = 64 };
  LLVMValueRef function = LLVMGetCalledValue(call);
  if (!has_body(function)) return;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); ++i) {
    LLVMValueRef arg = LLVMGetOperand(call, i);
    if (!is_short(LLVMTypeOf(arg)) || !may_be_min(arg, false)) continue;
    unsigned left = LOOKS;
    if (!may_end_loop(g, LLVMGetParam(function, i), &left)) continue;
    LLVMPositionBuilderBefore(g->builder, call);
    LLVMSetOperand(call, i, llvm_hidden_int(g, arg));
    r->has_changed = true;
  }
}

static void hide_minimum(Repair *r, LLVMValueRef instruction)
{
  if (LLVMIsABranchInst(instruction)) hide_end_of_loop(r, instruction);
  if (LLVMIsACallInst(instruction)) hide_arguments(r, instruction);
}

void repair_loop_end(Repair *r)
{
  if (r->c->options.opt_level != CK_OPT_0) llvm_each(r, hide_minimum);
}
