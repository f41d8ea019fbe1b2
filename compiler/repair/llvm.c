/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* llvm.c - what repairs of LLVM's module share: a walk over it, replacing an instruction, and
 * hiding a value from an optimiser.
 *
 * A value is hidden behind inline PTX that copies it, such as `mov.b32 $0, $1;`. Optimisers know
 * nothing of its result; ptxas removes the copy.
 */
#include "repair_private.h"

#include <inttypes.h>

void llvm_each(Repair *r, void (*visit)(Repair *r, LLVMValueRef instruction))
{
  for (LLVMValueRef f = LLVMGetFirstFunction(r->g->module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
         block = LLVMGetNextBasicBlock(block)) {
      LLVMValueRef next;
      for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = next) {
        next = LLVMGetNextInstruction(at);
        visit(r, at);
      }
    }
}

void llvm_replace(Repair *r, LLVMValueRef instruction, LLVMValueRef by)
{
  LLVMReplaceAllUsesWith(instruction, by);
  LLVMInstructionEraseFromParent(instruction);
  r->has_changed = true;
}

void llvm_place_behind(LLVMBuilderRef builder, LLVMValueRef value)
{
  LLVMValueRef next = LLVMGetNextInstruction(value);
  while (LLVMIsAPHINode(next)) next = LLVMGetNextInstruction(next);
  LLVMPositionBuilderBefore(builder, next);
}

LLVMValueRef llvm_hidden_int(Gen *g, LLVMValueRef value)
{
  LLVMTypeRef type = LLVMTypeOf(value);
  bool is_long = LLVMGetIntTypeWidth(type) > 32;
  LLVMTypeRef wide = is_long ? g->i64 : g->i32;
  LLVMValueRef whole = type == wide ? value : LLVMBuildZExt(g->builder, value, wide, "");
  LLVMValueRef hidden =
      gen_ptx_value(g, is_long ? "mov.b64 $0, $1;" : "mov.b32 $0, $1;", wide, &whole, 1);
  return type == wide ? hidden : LLVMBuildTrunc(g->builder, hidden, type, "");
}

static LLVMValueRef hidden_float(Gen *g, LLVMValueRef constant)
{
  static const char *const letters[] = {"b16", "b32", "b64"};
  LLVMTypeRef type = LLVMTypeOf(constant);
  unsigned bytes = llvm_bytes(type);
  LLVMTypeRef bits = LLVMIntTypeInContext(g->context, 8 * bytes);
  uint64_t number = LLVMConstIntGetZExtValue(LLVMConstBitCast(constant, bits));
  const char *text =
      arena_printf(&g->c->scratch, "mov.%s $0, 0x%" PRIx64 ";", letters[bytes / 4], number);
  return LLVMBuildBitCast(g->builder, gen_ptx_value(g, text, bits, NULL, 0), type, "");
}

static bool is_hidden_constant(LLVMValueRef value, bool (*is_hidden)(double, unsigned))
{
  LLVMBool is_lossy;
  return LLVMIsAConstantFP(value) &&
         is_hidden(LLVMConstRealGetDouble(value, &is_lossy), llvm_bytes(LLVMTypeOf(value)));
}

void llvm_hide_operands(Repair *r, LLVMValueRef instruction,
                        bool (*is_hidden)(double number, unsigned bytes))
{
  for (int i = 0; i < LLVMGetNumOperands(instruction); ++i) {
    LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i), before = instruction;
    if (!is_hidden_constant(operand, is_hidden)) continue;
    if (LLVMIsAPHINode(instruction))
      before = LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(instruction, (unsigned)i));
    LLVMPositionBuilderBefore(r->g->builder, before);
    LLVMSetOperand(instruction, (unsigned)i, hidden_float(r->g, operand));
    r->has_changed = true;
  }
}

unsigned llvm_bytes(LLVMTypeRef type)
{
  switch (LLVMGetTypeKind(type)) {
  case LLVMHalfTypeKind: return 2;
  case LLVMFloatTypeKind: return 4;
  case LLVMDoubleTypeKind: return 8;
  case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(type) / 8;
  default: return 0;
  }
}

unsigned llvm_align_at(unsigned align, uint64_t at)
{
  uint64_t lowest = at & (0 - at);
  return at && lowest < align ? (unsigned)lowest : align;
}

bool llvm_is_vector(LLVMTypeRef type)
{
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind;
}

LLVMValueRef llvm_by_component(Gen *g, LLVMValueRef instruction)
{
  LLVMTypeRef type = LLVMTypeOf(instruction);
  LLVMValueRef result = LLVMGetUndef(type);
  for (unsigned i = 0; i < LLVMGetVectorSize(type); ++i) {
    LLVMValueRef at = gen_int(g, g->i32, i), parts[2];
    for (unsigned k = 0; k < 2; ++k)
      parts[k] = LLVMBuildExtractElement(g->builder, LLVMGetOperand(instruction, k), at, "");
    LLVMValueRef part =
        LLVMBuildBinOp(g->builder, LLVMGetInstructionOpcode(instruction), parts[0], parts[1], "");
    result = LLVMBuildInsertElement(g->builder, result, part, at, "");
  }
  return result;
}
