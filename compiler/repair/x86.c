/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* x86.c - repairs for LLVM's optimiser on the host.
 *
 * vectors   a shuffle into a vector of 16 f64 has wrong components      no vectors remain
 * packing   the SLP vectorizer takes sext for zext                      it leaves the module alone
 */
#include "repair_private.h"

#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>

/* vectors: the host's vectors are taken apart before LLVM optimises them.
 *
 * LLVM 19 has wrong components in a shuffle of 4 f64 into 16 of which some are not used. Without
 * vectors there are no shuffles: loads and stores become those of components here, LLVM's
 * scalarizer does the rest, and the SLP vectorizer makes vectors again where that pays.
 *
 *     load <4 x double>   ->   four loads of double
 */

static LLVMValueRef part_address(Gen *g, LLVMValueRef address, LLVMTypeRef part, unsigned i)
{
  LLVMValueRef at = gen_int(g, g->i64, i);
  return LLVMBuildInBoundsGEP2(g->builder, part, address, &at, 1, "");
}

static void load_parts(Repair *r, LLVMValueRef load, LLVMTypeRef part, unsigned count)
{
  Gen *g = r->g;
  LLVMValueRef result = LLVMGetUndef(LLVMTypeOf(load)), address = LLVMGetOperand(load, 0);
  unsigned align = LLVMGetAlignment(load), bytes = llvm_bytes(part);
  for (unsigned i = 0; i < count; ++i) {
    LLVMValueRef one = LLVMBuildLoad2(g->builder, part, part_address(g, address, part, i), "");
    LLVMSetAlignment(one, llvm_align_at(align, (uint64_t)i * bytes));
    LLVMSetVolatile(one, LLVMGetVolatile(load));
    result = LLVMBuildInsertElement(g->builder, result, one, gen_int(g, g->i32, i), "");
  }
  llvm_replace(r, load, result);
}

static void store_parts(Repair *r, LLVMValueRef store, LLVMTypeRef part, unsigned count)
{
  Gen *g = r->g;
  LLVMValueRef value = LLVMGetOperand(store, 0), address = LLVMGetOperand(store, 1);
  unsigned align = LLVMGetAlignment(store), bytes = llvm_bytes(part);
  for (unsigned i = 0; i < count; ++i) {
    LLVMValueRef one = LLVMBuildExtractElement(g->builder, value, gen_int(g, g->i32, i), "");
    one = LLVMBuildStore(g->builder, one, part_address(g, address, part, i));
    LLVMSetAlignment(one, llvm_align_at(align, (uint64_t)i * bytes));
    LLVMSetVolatile(one, LLVMGetVolatile(store));
  }
  LLVMInstructionEraseFromParent(store);
  r->has_changed = true;
}

static void split_access(Repair *r, LLVMValueRef instruction)
{
  bool is_load = LLVMIsALoadInst(instruction);
  LLVMTypeRef type = LLVMTypeOf(is_load ? instruction : LLVMGetOperand(instruction, 0));
  if (!llvm_is_vector(type)) return;
  LLVMTypeRef part = LLVMGetElementType(type);
  if (!llvm_bytes(part)) return;
  LLVMPositionBuilderBefore(r->g->builder, instruction);
  (is_load ? load_parts : store_parts)(r, instruction, part, LLVMGetVectorSize(type));
}

/* A component by a constant that the vector doesn't have, as is left of a variable index: nothing
 * is known of it. The scalarizer would look for it behind the vector's parts. */
static void drop_component(Repair *r, LLVMValueRef instruction)
{
  bool is_insert = LLVMIsAInsertElementInst(instruction);
  if (!is_insert && !LLVMIsAExtractElementInst(instruction)) return;
  LLVMValueRef index = LLVMGetOperand(instruction, is_insert ? 2 : 1);
  unsigned count = LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(instruction, 0)));
  if (!LLVMIsAConstantInt(index) || LLVMConstIntGetZExtValue(index) < count) return;
  llvm_replace(r, instruction, LLVMGetPoison(LLVMTypeOf(instruction)));
}

static void split_vector(Repair *r, LLVMValueRef instruction)
{
  if (LLVMIsALoadInst(instruction) || LLVMIsAStoreInst(instruction)) split_access(r, instruction);
  else drop_component(r, instruction);
}

void repair_vectors(Repair *r)
{
  if (r->c->options.opt_level == CK_OPT_0) return;
  llvm_each(r, split_vector);
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(r->g->module, "function(scalarizer)", NULL, options);
  LLVMDisposePassBuilderOptions(options);
  if (error) die("the scalarizer: %s", LLVMGetErrorMessage(error));
}

/* packing: LLVM's SLP vectorizer leaves the host's functions alone.
 *
 * It packs narrow integers that are widened with their sign and then converted as unsigned numbers,
 * uitofp(sext x), and takes them for unsigned ones: -1 of i8 becomes 255 instead of 4294967295. It
 * is part of LLVM's default pipelines, whatever their options say. It skips functions that have the
 * attribute noimplicitfloat; the attribute is taken away again behind the optimiser, since the code
 * generator would keep such functions from vector registers.
 */

void repair_packing(Repair *r)
{
  static const char name[] = "noimplicitfloat";
  unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
  LLVMAttributeRef attribute = LLVMCreateEnumAttribute(r->g->context, kind, 0);
  for (LLVMValueRef f = LLVMGetFirstFunction(r->g->module); f; f = LLVMGetNextFunction(f))
    if (r->when == REPAIR_behind)
      LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind);
    else LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, attribute);
}
