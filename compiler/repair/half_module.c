/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* half_module.c - repairs of the module for f16, which libNVVM refuses: "unsupported operation".
 *
 * half_vector   -O0: an element is put into a vector of f16        integers are put into one
 * half_store    eight f16 are stored side by side                  the vectorizer is kept off
 */
#include "repair_private.h"

#include <string.h>

/* half_vector: without optimisation, an element is put into a vector of f16 as an integer.
 *
 * libNVVM, which does not optimise and compiles for a target before sm_100, refuses to take a
 * vector of f16 into which an element was put for an integer: "unsupported operation".
 *
 *     insertelement <2 x half> %v, half %x, i32 1
 *         ->   bitcast (insertelement <2 x i16> (bitcast %v), i16 (bitcast %x), i32 1)
 */

static void insert_bits(Repair *r, LLVMValueRef instruction)
{
  Gen *g = r->g;
  LLVMTypeRef type = LLVMTypeOf(instruction), half = LLVMHalfTypeInContext(g->context);
  if (!LLVMIsAInsertElementInst(instruction) || LLVMGetElementType(type) != half) return;
  LLVMBuilderRef b = g->builder;
  LLVMPositionBuilderBefore(b, instruction);
  LLVMTypeRef bits = LLVMVectorType(g->i16, LLVMGetVectorSize(type));
  LLVMValueRef vector = LLVMBuildBitCast(b, LLVMGetOperand(instruction, 0), bits, "");
  LLVMValueRef part = LLVMBuildBitCast(b, LLVMGetOperand(instruction, 1), g->i16, "");
  vector = LLVMBuildInsertElement(b, vector, part, LLVMGetOperand(instruction, 2), "");
  llvm_replace(r, instruction, LLVMBuildBitCast(b, vector, type, ""));
}

void repair_half_vector(Repair *r)
{
  if (r->c->options.opt_level == CK_OPT_0) llvm_each(r, insert_bits);
}

/* half_store: libNVVM is kept from making vectors of eight f16.
 *
 * libNVVM 13.0 makes one vector of eight f16 that are stored or loaded one by one, side by side,
 * and for targets before sm_100 refuses that vector: "unsupported operation". The attribute
 * noimplicitfloat keeps the pass that does so off all functions. It costs other vectors, so it is
 * there only once libNVVM has refused the module.
 */

void repair_half_store(Repair *r)
{
  static const char nounwind[] = " nounwind", refusal[] = "unsupported operation";
  if (!strstr(r->why, refusal)) return;
  Buf text = BUF(r->c->unit);
  const char *at = r->c->ir.data, *line;
  while ((line = strstr(at, "\ndefine "))) {
    const char *mark = strstr(line, nounwind);
    if (!mark || mark > line + 1 + strcspn(line + 1, "\n")) die("a function that may unwind");
    mark += sizeof nounwind - 1;
    buf_bytes(&text, at, (size_t)(mark - at));
    buf_puts(&text, " noimplicitfloat");
    at = mark;
  }
  buf_puts(&text, at);
  r->c->ir = text;
  r->has_changed = true;
}
