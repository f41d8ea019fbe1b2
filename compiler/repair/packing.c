/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* packing.c - LLVM's SLP vectorizer leaves the host's functions alone.
 *
 * It packs narrow integers that are widened with their sign and then converted as unsigned numbers,
 * uitofp(sext x), and takes them for unsigned ones: -1 of i8 becomes 255 instead of 4294967295. It
 * is part of LLVM's default pipelines, whatever their options say. It skips functions that have the
 * attribute noimplicitfloat; the attribute is taken away again behind the optimiser, since the code
 * generator would keep such functions from vector registers.
 */
#include "repair_private.h"

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
