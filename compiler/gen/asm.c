/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* asm.c - generates inline PTX as LLVM's inline assembly.
 *
 * A PtxAsm is an instruction under construction: the types of its results, its operands, and its
 * effects. The constraint letters are CUDA's: h, r, l for integers of 16, 32 and 64 bits, f and d
 * for floats, n for an immediate. There are no 8-bit registers: such values are in 16-bit ones.
 *
 *     asm<u32>("add.u32 $0, $1, $2;", a, b)     call i32 asm "add.u32 $0, $1, $2;", "=r,r,r"
 */
#include "gen/gen_private.h"

#include <string.h>

static LLVMTypeRef operand_type(Gen *g, Type *type)
{
  return type->bits == 8 ? g->i16 : gen_type(g, type);
}

static char constraint_of(Gen *g, LLVMTypeRef type)
{
  if (type == g->f32) return 'f';
  if (type == g->f64) return 'd';
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind || type == g->i64) return 'l';
  return type == g->i16 ? 'h' : 'r';
}

void asm_input(Gen *g, PtxAsm *ptx, LLVMValueRef value)
{
  if (ptx->count == COUNT_OF(ptx->args)) die("an asm has more inputs than there is room");
  bool is_immediate = LLVMIsAConstantInt(value) && !ptx->is_plain;
  ptx->immediate[ptx->count] = is_immediate;
  ptx->args[ptx->count++] = value;
  (void)g;
}

LLVMValueRef asm_call(Gen *g, const PtxAsm *ptx, const char *text, size_t bytes)
{
  Buf constraints = BUF(&g->c->scratch);
  LLVMTypeRef types[COUNT_OF(ptx->args)], result = g->nothing;
  for (unsigned i = 0; i < ptx->result_count; ++i)
    buf_printf(&constraints, "%s=%c", i ? "," : "", constraint_of(g, ptx->results[i]));
  for (unsigned i = 0; i < ptx->count; ++i) {
    types[i] = LLVMTypeOf(ptx->args[i]);
    buf_printf(&constraints, "%s%c", constraints.len ? "," : "",
               ptx->immediate[i] ? 'n' : constraint_of(g, types[i]));
  }
  if (ptx->is_memory) buf_printf(&constraints, "%s~{memory}", constraints.len ? "," : "");
  if (ptx->result_count == 1) result = ptx->results[0];
  else if (ptx->result_count)
    result = LLVMStructTypeInContext(g->context, (LLVMTypeRef *)(uintptr_t)ptx->results,
                                     ptx->result_count, false);
  LLVMTypeRef type = LLVMFunctionType(result, types, ptx->count, false);
  bool has_effect = ptx->is_volatile || ptx->is_memory;
  LLVMValueRef code = LLVMGetInlineAsm(type, text, bytes, buf_text(&constraints), constraints.len,
                                       has_effect, false, LLVMInlineAsmDialectATT, false);
  LLVMValueRef call =
      LLVMBuildCall2(g->builder, type, code, (LLVMValueRef *)(uintptr_t)ptx->args, ptx->count, "");
  /* `willreturn` lets LLVM merge loads on both sides of the instruction. */
  static const char *const names[] = {"nounwind", "convergent", "memory", "willreturn"};
  bool is_wanted[] = {true, ptx->is_convergent, !has_effect, !has_effect};
  for (unsigned i = 0; i < COUNT_OF(names); ++i) {
    unsigned kind = LLVMGetEnumAttributeKindForName(names[i], strlen(names[i]));
    if (is_wanted[i])
      LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                               LLVMCreateEnumAttribute(g->context, kind, 0));
  }
  return call;
}

LLVMValueRef asm_memory(Gen *g, const char *text, LLVMTypeRef result, unsigned result_count,
                        const LLVMValueRef *args, unsigned count)
{
  PtxAsm ptx = {.is_volatile = true, .is_memory = true, .is_plain = true};
  while (ptx.result_count < result_count) ptx.results[ptx.result_count++] = result;
  for (unsigned i = 0; i < count; ++i) asm_input(g, &ptx, args[i]);
  return asm_call(g, &ptx, text, strlen(text));
}

static LLVMValueRef from_operand(Gen *g, LLVMValueRef value, const Type *type)
{
  return type->bits == 8 ? LLVMBuildTrunc(g->builder, value, g->i8, "") : value;
}

/* An address as a PTX operand: 32 bits in shared memory, otherwise 64 bits. */
static LLVMValueRef address_operand(Gen *g, LLVMValueRef value, const Type *type)
{
  bool is_shared = type->space == SPACE_shared;
  return LLVMBuildPtrToInt(g->builder, value, is_shared ? g->i32 : g->i64, "");
}

LLVMValueRef gen_asm(Gen *g, Node *call)
{
  PtxAsm ptx = {.is_volatile = call->type == g->c->types->none || asm_option(call, "volatile"),
                .is_memory = asm_option(call, "memory"),
                .is_convergent = asm_option(call, "convergent")};
  Type *one[] = {call->type}, *const *types = one;
  if (call->type->kind == TYPE_tuple) types = call->type->elements;
  ptx.result_count = call->type->kind == TYPE_tuple ? call->type->count : call->type->bits != 0;
  for (unsigned i = 0; i < ptx.result_count; ++i) ptx.results[i] = operand_type(g, types[i]);
  const Node *text = call->b;
  for (Node *arg = text->next; arg; arg = arg->next) {
    if (arg->kind == NODE_argument) continue;
    LLVMValueRef value = gen_expr(g, arg);
    if (arg->type->bits == 8)
      value =
          gen_convert(g, value, arg->type,
                      type_is_signed(arg->type) ? g->c->types->type_i16 : g->c->types->type_u16);
    if (arg->type->kind == TYPE_pointer) value = address_operand(g, value, arg->type);
    /* a variable is a register operand, even if its value is known */
    ptx.is_plain = arg->kind != NODE_int;
    asm_input(g, &ptx, value);
  }
  gen_debug_at(g, call);
  LLVMValueRef made = asm_call(g, &ptx, text->text, text->text_bytes);
  if (!ptx.result_count) return NULL;
  if (ptx.result_count == 1 && call->type->kind != TYPE_tuple)
    return from_operand(g, made, call->type);
  LLVMValueRef value = LLVMGetUndef(gen_type(g, call->type));
  for (unsigned i = 0; i < ptx.result_count; ++i) {
    LLVMValueRef part = LLVMBuildExtractValue(g->builder, made, i, "");
    value = LLVMBuildInsertValue(g->builder, value, from_operand(g, part, types[i]), i, "");
  }
  return value;
}
