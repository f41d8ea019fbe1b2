/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* gen_type.c - CK types as LLVM types, and memory: loads, stores, allocas, texts. */
#include "gen.h"

LLVMTypeRef gen_view_type(Gen *g, unsigned rank)
{
  LLVMTypeRef parts[5] = {g->ptr, g->i64, g->i64, g->i64, g->i64};
  return LLVMStructTypeInContext(g->context, parts, rank + 1, false);
}

unsigned gen_space(const Gen *g, unsigned space)
{
  return space == SPACE_global   ? g->global_space
         : space == SPACE_shared ? g->shared_space
                                 : (unsigned)SPACE_GENERIC;
}

LLVMTypeRef gen_type(Gen *g, Type *type)
{
  switch (type->kind) {
  case TYPE_none: return g->nothing;
  case TYPE_bool: return g->i1;
  case TYPE_i8:
  case TYPE_u8: return g->i8;
  case TYPE_i16:
  case TYPE_u16: return g->i16;
  case TYPE_i32:
  case TYPE_u32: return g->i32;
  case TYPE_i64:
  case TYPE_u64: return g->i64;
  case TYPE_f16: return LLVMHalfTypeInContext(g->context);
  case TYPE_bf16: return g->i16;
  case TYPE_f32: return g->f32;
  case TYPE_f64: return g->f64;
  case TYPE_vector: return LLVMVectorType(gen_type(g, type->element), type->count);
  case TYPE_array: return LLVMArrayType2(gen_memory_type(g, type->element), type->count);
  case TYPE_place: return g->ptr;
  case TYPE_span: return gen_view_type(g, type->rank);
  case TYPE_range: {
    LLVMTypeRef element = gen_type(g, type->element), parts[3] = {element, element, element};
    return LLVMStructTypeInContext(g->context, parts, 3, false);
  }
  case TYPE_pointer: return LLVMPointerTypeInContext(g->context, gen_space(g, type->space));
  case TYPE_closure: {
    LLVMTypeRef *parts = NEW_ARRAY(&g->c->scratch, LLVMTypeRef, type->count);
    for (uint32_t i = 0; i < type->count; ++i) parts[i] = gen_type(g, type->elements[i]);
    return LLVMStructTypeInContext(g->context, parts, type->count, false);
  }
  case TYPE_tuple:
  case TYPE_struct: {
    LLVMTypeRef *parts = NEW_ARRAY(&g->c->scratch, LLVMTypeRef, type->count + 1);
    for (uint32_t i = 0; i < type->count; ++i) parts[i] = gen_memory_type(g, type->elements[i]);
    return LLVMStructTypeInContext(g->context, parts, type->count, false);
  }
  default: die("no LLVM type for '%s'", type_text(type));
  }
}

LLVMTypeRef gen_memory_type(Gen *g, Type *type)
{
  if (type->kind == TYPE_vector && type->element->kind == TYPE_bool)
    return LLVMVectorType(g->i8, type->count);
  return type->kind == TYPE_bool ? g->i8 : gen_type(g, type);
}

enum { ALIGN_MAX = 16 }; /* the widest access of a GPU: larger vectors take several */

unsigned gen_align(const Type *type)
{
  return type->align < ALIGN_MAX ? type->align : ALIGN_MAX;
}

LLVMValueRef gen_int(Gen *g, LLVMTypeRef type, uint64_t value)
{
  (void)g;
  return LLVMConstInt(type, value, false);
}

LLVMValueRef gen_part(Gen *g, LLVMValueRef value, Type *part, unsigned i, const char *name)
{
  value = LLVMBuildExtractValue(g->builder, value, i, name);
  if (type_scalar_of(part)->kind != TYPE_bool) return value;
  return LLVMBuildICmp(g->builder, LLVMIntNE, value, LLVMConstNull(LLVMTypeOf(value)), name);
}

LLVMValueRef gen_with_part(Gen *g, LLVMValueRef value, Type *part, unsigned i, LLVMValueRef given)
{
  if (type_scalar_of(part)->kind == TYPE_bool)
    given = LLVMBuildZExt(g->builder, given, gen_memory_type(g, part), "");
  return LLVMBuildInsertValue(g->builder, value, given, i, "");
}

/* What a load or store of it takes: small components of a GPU's vectors travel as words, because
 * libNVVM would take four bytes at a time. */
static LLVMTypeRef access_type(Gen *g, Type *type)
{
  bool is_small = type->kind == TYPE_vector && type_bytes(type->element) < 4 && type->count != 3;
  uint64_t words = type_bytes(type) / 4;
  if (g->is_host || !is_small || !words) return gen_memory_type(g, type);
  return words == 1 ? g->i32 : LLVMVectorType(g->i32, (unsigned)words);
}

/* Word by word: a cast of the whole would be put into the load again. */
static LLVMValueRef unpack_words(Gen *g, LLVMValueRef value, LLVMTypeRef to)
{
  if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMVectorTypeKind || LLVMTypeOf(value) == to)
    return LLVMBuildBitCast(g->builder, value, to, "");
  unsigned words = LLVMGetVectorSize(LLVMTypeOf(value)), each = LLVMGetVectorSize(to) / words;
  LLVMTypeRef part = LLVMVectorType(LLVMGetElementType(to), each);
  LLVMValueRef result = LLVMGetUndef(to);
  for (unsigned i = 0; i < words * each; ++i) {
    LLVMValueRef word = gen_component(g, value, i / each);
    word = LLVMBuildBitCast(g->builder, word, part, "");
    result = gen_with_component(g, result, gen_component(g, word, i % each), i);
  }
  return result;
}

LLVMValueRef gen_load(Gen *g, const Place *place, const char *name)
{
  gen_check_access(g, place, false);
  LLVMValueRef value =
      LLVMBuildLoad2(g->builder, access_type(g, place->type), place->address, name);
  LLVMSetAlignment(value, gen_align(place->type));
  if (place->is_constant) {
    unsigned kind = LLVMGetMDKindIDInContext(g->context, "invariant.load", 14);
    LLVMSetMetadata(value, kind,
                    LLVMMetadataAsValue(g->context, LLVMMDNodeInContext2(g->context, NULL, 0)));
  }
  if (place->type->kind == TYPE_vector)
    value = unpack_words(g, value, gen_memory_type(g, place->type));
  if (type_scalar_of(place->type)->kind == TYPE_bool)
    value = LLVMBuildICmp(g->builder, LLVMIntNE, value, LLVMConstNull(LLVMTypeOf(value)), name);
  return value;
}

void gen_store(Gen *g, const Place *place, LLVMValueRef value)
{
  gen_check_access(g, place, true);
  if (type_scalar_of(place->type)->kind == TYPE_bool)
    value = LLVMBuildZExt(g->builder, value, gen_memory_type(g, place->type), "");
  if (place->type->kind == TYPE_vector)
    value = LLVMBuildBitCast(g->builder, value, access_type(g, place->type), "");
  LLVMValueRef store = LLVMBuildStore(g->builder, value, place->address);
  LLVMSetAlignment(store, gen_align(place->type));
}

/* Of a variable. An array may be loaded and stored by vectors of its elements. */
static unsigned variable_align(const Type *type)
{
  unsigned align = gen_align(type);
  if (type->kind != TYPE_array) return align;
  while (align < ALIGN_MAX && 2 * align <= type_bytes(type)) align *= 2;
  return align;
}

static LLVMValueRef place_in_entry(Gen *g, LLVMTypeRef type, const char *name)
{
  LLVMBasicBlockRef here = LLVMGetInsertBlock(g->builder);
  if (g->entry_end) LLVMPositionBuilderBefore(g->builder, g->entry_end);
  else LLVMPositionBuilderAtEnd(g->builder, g->entry);
  LLVMValueRef address = LLVMBuildAlloca(g->builder, type, name);
  LLVMPositionBuilderAtEnd(g->builder, here);
  return address;
}

LLVMValueRef gen_alloca(Gen *g, Type *type, const char *name)
{
  LLVMValueRef address = place_in_entry(g, gen_memory_type(g, type), name);
  LLVMSetAlignment(address, variable_align(type));
  return address;
}

/* In a struct: libNVVM's inliner gives functions one and the same place for their arrays of a type,
 * and refuses a f16 of one where another has three bytes ("unsupported operation"). */
LLVMValueRef gen_alloca_bits(Gen *g, Type *type)
{
  LLVMTypeRef part = gen_memory_type(g, type);
  return place_in_entry(g, LLVMStructTypeInContext(g->context, &part, 1, false), "bits");
}

LLVMValueRef gen_cast_address(Gen *g, LLVMValueRef address, unsigned from, unsigned to)
{
  if (from == to) return address;
  return LLVMBuildAddrSpaceCast(g->builder, address, LLVMPointerTypeInContext(g->context, to), "");
}

LLVMValueRef gen_string(Gen *g, const char *text, size_t bytes)
{
  LLVMValueRef value = LLVMConstStringInContext2(g->context, text, bytes, false);
  const char *name = arena_printf(&g->c->scratch, "ck.text%u", g->string_count++);
  LLVMValueRef global =
      LLVMAddGlobalInAddressSpace(g->module, LLVMTypeOf(value), name, g->global_space);
  LLVMSetInitializer(global, value);
  LLVMSetGlobalConstant(global, true);
  LLVMSetLinkage(global, LLVMInternalLinkage);
  LLVMSetAlignment(global, 1);
  return gen_cast_address(g, global, g->global_space, SPACE_GENERIC);
}
