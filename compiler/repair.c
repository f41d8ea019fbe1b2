/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* repair.c - what ptxas and LLVM get wrong is written another way.
 *
 * needs   a module: a GPU's before LLVM's optimiser (repair_conversions) or behind it (repair_ptx),
 *         the host's before it (repair_vectors)
 * gives   the same module; in a GPU's is inline PTX
 *
 * Found by random programs, with LLVM 19.1.7 and CUDA 13.0 on an H200:
 *
 *   LLVM    llvm.nvvm.d2i.rz and its like are fptosi to the optimiser, which may take f64(x) and
 *           back for x, though the PTX saturates; llvm.nvvm.ll2d.rz and its like are sitofp to it,
 *           which is to nearest
 *   LLVM    a shuffle of 4 f64 into 16, some of which nobody asks for, has wrong ones on x86-64
 *   ptxas   neg.s16 of -32768, read as more than 16 bits, is 32768
 *   ptxas   add.s16x2 (sm_90 and newer), of whose halves one is read, may lose a constant
 */
#include "llvm_target.h"

#include <string.h>

/* `visit` may put others before the one that it is given, and take that one away. */
static void each_instruction(Compile *c, void (*visit)(Gen *g, LLVMValueRef instruction))
{
  Gen *g = c->gen;
  for (LLVMValueRef f = LLVMGetFirstFunction(g->module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
         block = LLVMGetNextBasicBlock(block)) {
      LLVMValueRef next;
      for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = next) {
        next = LLVMGetNextInstruction(at);
        visit(g, at);
      }
    }
}

static void replace(LLVMValueRef instruction, LLVMValueRef by)
{
  LLVMReplaceAllUsesWith(instruction, by);
  LLVMInstructionEraseFromParent(instruction);
}

/* ---- LLVM: conversions that round to zero ---- */

/* "d", "f", "i", "ui", "ll", "ull" as PTX has them; moves past it. */
static const char *type_word(const char **at)
{
  static const char *const words[][2] = {{"d", "f64"},  {"f", "f32"},  {"i", "s32"},
                                         {"ui", "u32"}, {"ll", "s64"}, {"ull", "u64"}};
  for (size_t i = 0; i < COUNT_OF(words); ++i) {
    size_t len = strlen(words[i][0]);
    if (strncmp(*at, words[i][0], len) != 0 || ((*at)[len] != '2' && (*at)[len] != '.')) continue;
    *at += len + 1;
    return words[i][1];
  }
  return NULL;
}

/* NULL: a function that is left alone. */
static const char *conversion_text(Compile *c, const char *name)
{
  static const char prefix[] = "llvm.nvvm.";
  if (strncmp(name, prefix, sizeof prefix - 1) != 0) return NULL;
  const char *at = name + sizeof prefix - 1;
  const char *from = type_word(&at), *to = from ? type_word(&at) : NULL;
  if (!to || strcmp(at, "rz") != 0 || (*from == 'f') == (*to == 'f')) return NULL;
  return arena_printf(&c->scratch, "cvt.%s.%s.%s $0, $1;", *to == 'f' ? "rz" : "rzi", to, from);
}

void repair_conversions(Compile *c)
{
  Gen *g = c->gen;
  for (LLVMValueRef f = LLVMGetFirstFunction(g->module); f; f = LLVMGetNextFunction(f)) {
    size_t len;
    const char *text = conversion_text(c, LLVMGetValueName2(f, &len));
    for (LLVMUseRef use; text && (use = LLVMGetFirstUse(f));) {
      LLVMValueRef call = LLVMGetUser(use), value = LLVMGetOperand(call, 0);
      LLVMPositionBuilderBefore(g->builder, call);
      replace(call, gen_ptx_value(g, text, LLVMTypeOf(call), &value, 1));
    }
  }
}

/* ---- LLVM: wide vectors on x86-64 ---- */

static LLVMValueRef part_address(Gen *g, LLVMValueRef address, LLVMTypeRef part, unsigned i)
{
  LLVMValueRef at = gen_int(g, g->i64, i);
  return LLVMBuildInBoundsGEP2(g->builder, part, address, &at, 1, "");
}

/* Of `bytes` each: what is known of the whole holds for the first. */
static unsigned part_align(unsigned align, unsigned bytes, unsigned i)
{
  unsigned at = i * bytes, lowest = at & (0 - at);
  return at && lowest < align ? lowest : align;
}

static unsigned part_bytes(LLVMTypeRef part)
{
  switch (LLVMGetTypeKind(part)) {
  case LLVMHalfTypeKind: return 2;
  case LLVMFloatTypeKind: return 4;
  case LLVMDoubleTypeKind: return 8;
  case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(part) / 8;
  default: return 0;
  }
}

static void load_parts(Gen *g, LLVMValueRef load, LLVMTypeRef part, unsigned count)
{
  LLVMValueRef result = LLVMGetUndef(LLVMTypeOf(load)), address = LLVMGetOperand(load, 0);
  unsigned align = LLVMGetAlignment(load), bytes = part_bytes(part);
  for (unsigned i = 0; i < count; ++i) {
    LLVMValueRef one = LLVMBuildLoad2(g->builder, part, part_address(g, address, part, i), "");
    LLVMSetAlignment(one, part_align(align, bytes, i));
    LLVMSetVolatile(one, LLVMGetVolatile(load));
    result = LLVMBuildInsertElement(g->builder, result, one, gen_int(g, g->i32, i), "");
  }
  replace(load, result);
}

static void store_parts(Gen *g, LLVMValueRef store, LLVMTypeRef part, unsigned count)
{
  LLVMValueRef value = LLVMGetOperand(store, 0), address = LLVMGetOperand(store, 1);
  unsigned align = LLVMGetAlignment(store), bytes = part_bytes(part);
  for (unsigned i = 0; i < count; ++i) {
    LLVMValueRef one = LLVMBuildExtractElement(g->builder, value, gen_int(g, g->i32, i), "");
    one = LLVMBuildStore(g->builder, one, part_address(g, address, part, i));
    LLVMSetAlignment(one, part_align(align, bytes, i));
    LLVMSetVolatile(one, LLVMGetVolatile(store));
  }
  LLVMInstructionEraseFromParent(store);
}

static void split_access(Gen *g, LLVMValueRef instruction)
{
  bool is_load = LLVMIsALoadInst(instruction), is_store = LLVMIsAStoreInst(instruction);
  if (!is_load && !is_store) return;
  LLVMTypeRef type = LLVMTypeOf(is_load ? instruction : LLVMGetOperand(instruction, 0));
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind) return;
  LLVMTypeRef part = LLVMGetElementType(type);
  if (!part_bytes(part)) return;
  LLVMPositionBuilderBefore(g->builder, instruction);
  (is_load ? load_parts : store_parts)(g, instruction, part, LLVMGetVectorSize(type));
}

/* LLVM's scalarizer does the rest. */
void repair_vectors(Compile *c)
{
  each_instruction(c, split_access);
}

/* ---- ptxas: integers of 16 bits ---- */

static bool is_i16(LLVMTypeRef type)
{
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 16;
}

static LLVMValueRef negate(Gen *g, LLVMValueRef value)
{
  LLVMValueRef wide = LLVMBuildZExt(g->builder, value, g->i32, "");
  wide = gen_ptx_value(g, "neg.s32 $0, $1;", g->i32, &wide, 1);
  return LLVMBuildTrunc(g->builder, wide, g->i16, "");
}

static LLVMValueRef add_or_subtract(Gen *g, LLVMOpcode opcode, LLVMValueRef a, LLVMValueRef b)
{
  if (opcode == LLVMAdd) return LLVMBuildAdd(g->builder, a, b, "");
  bool is_negation = LLVMIsConstant(a) && LLVMIsNull(a) && !LLVMIsConstant(b);
  return is_negation ? negate(g, b) : LLVMBuildSub(g->builder, a, b, "");
}

static LLVMValueRef part_by_part(Gen *g, LLVMValueRef instruction)
{
  LLVMTypeRef type = LLVMTypeOf(instruction);
  LLVMValueRef result = LLVMGetUndef(type);
  for (unsigned i = 0; i < LLVMGetVectorSize(type); ++i) {
    LLVMValueRef at = gen_int(g, g->i32, i), parts[2];
    for (unsigned k = 0; k < 2; ++k)
      parts[k] = LLVMBuildExtractElement(g->builder, LLVMGetOperand(instruction, k), at, "");
    LLVMValueRef part =
        add_or_subtract(g, LLVMGetInstructionOpcode(instruction), parts[0], parts[1]);
    result = LLVMBuildInsertElement(g->builder, result, part, at, "");
  }
  return result;
}

static void repair_instruction(Gen *g, LLVMValueRef instruction)
{
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  if (opcode != LLVMAdd && opcode != LLVMSub) return;
  LLVMTypeRef type = LLVMTypeOf(instruction);
  bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
  LLVMValueRef first = LLVMGetOperand(instruction, 0);
  if (!is_i16(is_vector ? LLVMGetElementType(type) : type)) return;
  LLVMPositionBuilderBefore(g->builder, instruction);
  if (is_vector) replace(instruction, part_by_part(g, instruction));
  else if (opcode == LLVMSub && LLVMIsConstant(first) && LLVMIsNull(first))
    replace(instruction, negate(g, LLVMGetOperand(instruction, 1)));
}

void repair_ptx(Compile *c)
{
  each_instruction(c, repair_instruction);
}
