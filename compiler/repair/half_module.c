/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* half_module.c - repairs of the module for f16.
 *
 * half_overflow   an f16 of a large integer is infinity         LLVM takes it for the integer
 * half_vector     -O0: an element is put into a vector of f16   libNVVM: "unsupported operation"
 * half_store      eight f16 are stored side by side             the same
 */
#include "front/target.h"
#include "repair_private.h"

#include <string.h>

/* half_overflow: an integer that is too large for f16 is limited before it is converted.
 *
 * LLVM assumes that an integer with at most 11 significant bits is exact in f16, whatever its
 * magnitude: it makes of f32(f16(x << 22)) a conversion to f32, and infinity becomes a number. The
 * conversion of a GPU is inline PTX. On the host, which converts by way of f32 or f64, an integer
 * that overflows f16 becomes one that overflows as well, and has 17 significant bits:
 *
 *     uitofp i32 %x to half    ->   asm "cvt.rn.f16.u32 $0, $1;" (%x)
 *     uitofp i32 %x to float   ->   uitofp (%x > 0x1ffff ? 0x1ffff : %x)
 *
 * The generator marks these conversions with `!ck.half`, as of 32 bits and more.
 */

static LLVMValueRef limited(Gen *g, LLVMValueRef value, bool is_signed)
{
  enum { BEYOND = 0x1ffff };
  LLVMBuilderRef b = g->builder;
  LLVMValueRef top = gen_int(g, LLVMTypeOf(value), BEYOND), bottom = LLVMConstNeg(top);
  LLVMValueRef is_above = LLVMBuildICmp(b, is_signed ? LLVMIntSGT : LLVMIntUGT, value, top, "");
  value = LLVMBuildSelect(b, is_above, top, value, "");
  if (!is_signed) return value;
  LLVMValueRef is_below = LLVMBuildICmp(b, LLVMIntSLT, value, bottom, "");
  return LLVMBuildSelect(b, is_below, bottom, value, "");
}

static void limit_overflow(Repair *r, LLVMValueRef cast)
{
  Gen *g = r->g;
  if (!LLVMIsACastInst(cast) || !gen_is_marked(g, cast, GEN_MARK_half)) return;
  LLVMValueRef value = LLVMGetOperand(cast, 0);
  bool is_signed = LLVMIsASIToFPInst(cast);
  LLVMPositionBuilderBefore(g->builder, cast);
  r->has_changed = true;
  if (!g->target->has_ptx) {
    LLVMSetOperand(cast, 0, limited(g, value, is_signed));
    return;
  }
  const char *text = arena_printf(&g->c->scratch, "cvt.rn.f16.%c%u $0, $1;", is_signed ? 's' : 'u',
                                  LLVMGetIntTypeWidth(LLVMTypeOf(value)));
  value = gen_ptx_value(g, text, g->i16, &value, 1);
  llvm_replace(r, cast, LLVMBuildBitCast(g->builder, value, LLVMTypeOf(cast), ""));
}

void repair_half_overflow(Repair *r)
{
  llvm_each(r, limit_overflow);
}

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
