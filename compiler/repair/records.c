/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* records.c - a struct that is aligned to less than its parts is loaded part by part.
 *
 * Where only a part of a loaded struct is used, LLVM loads that part alone, with the alignment of
 * its type. A vector of 4 f32 is aligned to 16 bytes by its type; the struct that it lies in may be
 * loaded with less, since shared memory and what a caller passes are aligned to 16 bytes, and
 * larger vectors to up to 128. Loaded part by part, each load has the alignment that is known:
 *
 *     load { i32, <4 x float> }, align 4   ->   load i32, align 4; load <4 x float>, align 4 at +16
 *
 * Structs without vectors lie anywhere, and are left alone.
 */
#include "front/target.h"
#include "repair_private.h"

#include <llvm-c/Target.h>

static LLVMValueRef load_leaf(Gen *g, LLVMValueRef whole, LLVMTypeRef type, LLVMValueRef address,
                              uint64_t at)
{
  unsigned kind = LLVMGetMDKindIDInContext(g->context, "invariant.load", 14);
  LLVMValueRef load = LLVMBuildLoad2(g->builder, type, address, "");
  LLVMValueRef is_invariant = LLVMGetMetadata(whole, kind);
  LLVMSetAlignment(load, llvm_align_at(LLVMGetAlignment(whole), at));
  LLVMSetVolatile(load, LLVMGetVolatile(whole));
  if (is_invariant) LLVMSetMetadata(load, kind, is_invariant);
  return load;
}

/* What `whole` loads from `at` bytes on. */
static LLVMValueRef load_alone(Gen *g, LLVMValueRef whole, LLVMTypeRef type, LLVMValueRef address,
                               uint64_t at)
{
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(g->module);
  bool is_struct = LLVMGetTypeKind(type) == LLVMStructTypeKind;
  if (!is_struct && LLVMGetTypeKind(type) != LLVMArrayTypeKind)
    return load_leaf(g, whole, type, address, at);
  LLVMTypeRef part = is_struct ? NULL : LLVMGetElementType(type);
  uint64_t count = is_struct ? LLVMCountStructElementTypes(type) : LLVMGetArrayLength2(type);
  LLVMValueRef value = LLVMGetUndef(type);
  for (unsigned i = 0; i < count; ++i) {
    uint64_t from =
        is_struct ? LLVMOffsetOfElement(layout, type, i) : i * LLVMABISizeOfType(layout, part);
    LLVMValueRef path[] = {gen_int(g, g->i32, 0), gen_int(g, g->i32, i)};
    LLVMValueRef place = LLVMBuildInBoundsGEP2(g->builder, type, address, path, 2, ""), one;
    if (is_struct) part = LLVMStructGetTypeAtIndex(type, i);
    one = load_alone(g, whole, part, place, at + from);
    value = LLVMBuildInsertValue(g->builder, value, one, i, "");
  }
  return value;
}

/* Anything else may lie anywhere, or is aligned as it is loaded. */
static bool holds_vector(LLVMTypeRef type)
{
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMArrayTypeKind) return holds_vector(LLVMGetElementType(type));
  unsigned count = kind == LLVMStructTypeKind ? LLVMCountStructElementTypes(type) : 0;
  for (unsigned i = 0; i < count; ++i)
    if (holds_vector(LLVMStructGetTypeAtIndex(type, i))) return true;
  return kind == LLVMVectorTypeKind;
}

static void split_record(Repair *r, LLVMValueRef load)
{
  Gen *g = r->g;
  if (!LLVMIsALoadInst(load)) return;
  LLVMTypeRef type = LLVMTypeOf(load);
  if (llvm_is_vector(type) || !holds_vector(type)) return;
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(g->module);
  if (LLVMGetAlignment(load) >= LLVMABIAlignmentOfType(layout, type)) return;
  LLVMPositionBuilderBefore(g->builder, load);
  llvm_replace(r, load, load_alone(g, load, type, LLVMGetOperand(load, 0), 0));
}

void repair_records(Repair *r)
{
  llvm_each(r, split_record);
}
