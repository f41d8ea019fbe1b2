/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* degree.c - products of products, over and over, are hidden from libNVVM.
 *
 * needs   libNVVM's module, its loops not unrolled yet
 * gives   the same module; a product whose degree as a polynomial doubles, `r = r * r` in a loop,
 * is inline PTX
 *
 * libNVVM 13.0 unrolls such a loop and takes the product apart into its factors: its pass scev-cgp
 * then takes twice as long for each turn, hours for 40.
 *
 * A walk over the instructions in their order gives each integer its degree, each variable that of
 * what was stored last, and goes over a loop six times. A product of n factors takes n
 * multiplications, one after the other; where far fewer are enough, squares are squared.
 */
#include "llvm_target.h"

#include <string.h>

enum { TURNS = 6, STEPS = 50000, MOST = 1 << 20, SOME = 16, FACTORS = 4 };

typedef struct Entry {
  LLVMValueRef key;
  uint32_t value; /* of an instruction its degree, of a block its place */
} Entry;

typedef struct Degrees {
  Entry *entries;
  size_t mask;
  LLVMBasicBlockRef *blocks;
  uint32_t steps, products;
  LLVMValueRef found; /* a product of too many factors */
} Degrees;

static uint32_t *at(Degrees *self, LLVMValueRef key)
{
  size_t i = (size_t)((uintptr_t)key >> 4) * 0x9E3779B97F4A7C15u >> 20;
  for (;; ++i) {
    Entry *entry = &self->entries[i & self->mask];
    if (!entry->key) *entry = (Entry){key, 1};
    if (entry->key == key) return &entry->value;
  }
}

static uint32_t max(uint32_t a, uint32_t b)
{
  return a > b ? a : b;
}

static uint32_t degree(Degrees *self, LLVMValueRef value)
{
  if (LLVMIsConstant(value)) return 0;
  return LLVMIsAInstruction(value) ? *at(self, value) : 1;
}

/* The variable that an address lies in, or NULL. */
static LLVMValueRef variable_of(LLVMValueRef address)
{
  while (LLVMIsAGetElementPtrInst(address)) address = LLVMGetOperand(address, 0);
  return LLVMIsAAllocaInst(address) ? address : NULL;
}

static uint32_t product(Degrees *self, LLVMValueRef instruction)
{
  uint32_t a = degree(self, LLVMGetOperand(instruction, 0)),
           b = degree(self, LLVMGetOperand(instruction, 1));
  if (!a || !b) return max(a, b);
  ++self->products;
  if (a + b > SOME + FACTORS * self->products) self->found = instruction;
  return a + b < MOST ? a + b : MOST;
}

static uint32_t degree_of_phi(Degrees *self, LLVMValueRef phi)
{
  uint32_t most = 1;
  for (unsigned i = 0; i < LLVMCountIncoming(phi); ++i)
    most = max(most, degree(self, LLVMGetIncomingValue(phi, i)));
  return most;
}

static uint32_t degree_of_result(Degrees *self, LLVMValueRef instruction)
{
  LLVMValueRef variable;
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMMul:
    return LLVMGetTypeKind(LLVMTypeOf(instruction)) == LLVMIntegerTypeKind
               ? product(self, instruction)
               : 1;
  case LLVMAdd:
  case LLVMSub:
    return max(degree(self, LLVMGetOperand(instruction, 0)),
               degree(self, LLVMGetOperand(instruction, 1)));
  case LLVMSelect:
    return max(degree(self, LLVMGetOperand(instruction, 1)),
               degree(self, LLVMGetOperand(instruction, 2)));
  case LLVMShl:
  case LLVMZExt:
  case LLVMSExt:
  case LLVMTrunc: return degree(self, LLVMGetOperand(instruction, 0));
  case LLVMPHI: return degree_of_phi(self, instruction);
  case LLVMLoad:
    variable = variable_of(LLVMGetOperand(instruction, 0));
    return variable ? *at(self, variable) : 1;
  default: return 1;
  }
}

static void visit(Degrees *self, LLVMValueRef instruction)
{
  ++self->steps;
  if (!LLVMIsAStoreInst(instruction)) {
    *at(self, instruction) = LLVMIsAAllocaInst(instruction) ? *at(self, instruction)
                                                            : degree_of_result(self, instruction);
    return;
  }
  LLVMValueRef address = LLVMGetOperand(instruction, 1), variable = variable_of(address);
  if (!variable) return;
  uint32_t stored = max(1, degree(self, LLVMGetOperand(instruction, 0)));
  *at(self, variable) = variable == address ? stored : max(stored, *at(self, variable));
}

/* Blocks first..last; a jump from the last one to the first is its caller's. */
static void walk(Degrees *self, uint32_t first, uint32_t last, bool is_loop)
{
  for (uint32_t i = first; i <= last && !self->found && self->steps < STEPS; ++i) {
    LLVMBasicBlockRef block = self->blocks[i];
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    for (LLVMValueRef each = LLVMGetFirstInstruction(block); each;
         each = LLVMGetNextInstruction(each))
      visit(self, each);
    for (unsigned k = 0; k < LLVMGetNumSuccessors(end); ++k) {
      uint32_t to = *at(self, LLVMBasicBlockAsValue(LLVMGetSuccessor(end, k)));
      if (to > i || to < first || (is_loop && to == first && i == last)) continue;
      for (unsigned turn = 1; turn < TURNS; ++turn) walk(self, to, i, true);
    }
  }
}

static LLVMValueRef find_power(Compile *c, LLVMValueRef function)
{
  size_t count = 0, room = 64;
  uint32_t blocks = LLVMCountBasicBlocks(function);
  if (!blocks) return NULL;
  Degrees self = {.blocks = NEW_ARRAY(&c->scratch, LLVMBasicBlockRef, blocks)};
  LLVMGetBasicBlocks(function, self.blocks);
  for (uint32_t i = 0; i < blocks; ++i)
    for (LLVMValueRef each = LLVMGetFirstInstruction(self.blocks[i]); each;
         each = LLVMGetNextInstruction(each))
      ++count;
  while (room < 2 * (count + blocks)) room *= 2;
  self.entries = NEW_ARRAY(&c->scratch, Entry, room);
  self.mask = room - 1;
  for (uint32_t i = 0; i < blocks; ++i) *at(&self, LLVMBasicBlockAsValue(self.blocks[i])) = i;
  walk(&self, 0, blocks - 1, false);
  return self.found;
}

static void hide(Gen *g, LLVMValueRef product)
{
  LLVMTypeRef type = LLVMTypeOf(product);
  LLVMValueRef args[] = {LLVMGetOperand(product, 0), LLVMGetOperand(product, 1)};
  bool is_long = LLVMGetIntTypeWidth(type) > 32;
  LLVMTypeRef wide = is_long ? g->i64 : g->i32;
  LLVMPositionBuilderBefore(g->builder, product);
  for (unsigned i = 0; i < 2; ++i)
    if (type != wide) args[i] = LLVMBuildZExt(g->builder, args[i], wide, "");
  LLVMValueRef result = gen_ptx_value(
      g, is_long ? "mul.lo.u64 $0, $1, $2;" : "mul.lo.u32 $0, $1, $2;", wide, args, 2);
  if (type != wide) result = LLVMBuildTrunc(g->builder, result, type, "");
  LLVMReplaceAllUsesWith(product, result);
  LLVMInstructionEraseFromParent(product);
}

void repair_powers(Compile *c)
{
  LLVMValueRef power;
  for (LLVMValueRef f = LLVMGetFirstFunction(c->gen->module); f; f = LLVMGetNextFunction(f))
    while ((power = find_power(c, f))) hide(c->gen, power);
}
