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
  case TYPE_f32: return g->f32;
  case TYPE_f64: return g->f64;
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
  return type->kind == TYPE_bool ? g->i8 : gen_type(g, type);
}

unsigned gen_align(const Type *type)
{
  return type->align;
}

LLVMValueRef gen_int(Gen *g, LLVMTypeRef type, uint64_t value)
{
  (void)g;
  return LLVMConstInt(type, value, false);
}

LLVMValueRef gen_part(Gen *g, LLVMValueRef value, const Type *part, unsigned i, const char *name)
{
  value = LLVMBuildExtractValue(g->builder, value, i, name);
  if (part->kind != TYPE_bool) return value;
  return LLVMBuildICmp(g->builder, LLVMIntNE, value, gen_int(g, g->i8, 0), name);
}

LLVMValueRef gen_with_part(Gen *g, LLVMValueRef value, const Type *part, unsigned i,
                           LLVMValueRef given)
{
  if (part->kind == TYPE_bool) given = LLVMBuildZExt(g->builder, given, g->i8, "");
  return LLVMBuildInsertValue(g->builder, value, given, i, "");
}

LLVMValueRef gen_load(Gen *g, const Place *place, const char *name)
{
  gen_check_access(g, place, false);
  LLVMValueRef value =
      LLVMBuildLoad2(g->builder, gen_memory_type(g, place->type), place->address, name);
  LLVMSetAlignment(value, gen_align(place->type));
  if (place->is_constant) {
    unsigned kind = LLVMGetMDKindIDInContext(g->context, "invariant.load", 14);
    LLVMSetMetadata(value, kind,
                    LLVMMetadataAsValue(g->context, LLVMMDNodeInContext2(g->context, NULL, 0)));
  }
  if (place->type->kind == TYPE_bool)
    value = LLVMBuildICmp(g->builder, LLVMIntNE, value, gen_int(g, g->i8, 0), name);
  return value;
}

void gen_store(Gen *g, const Place *place, LLVMValueRef value)
{
  gen_check_access(g, place, true);
  if (place->type->kind == TYPE_bool) value = LLVMBuildZExt(g->builder, value, g->i8, "");
  LLVMValueRef store = LLVMBuildStore(g->builder, value, place->address);
  LLVMSetAlignment(store, gen_align(place->type));
}

LLVMValueRef gen_alloca(Gen *g, Type *type, const char *name)
{
  LLVMBasicBlockRef here = LLVMGetInsertBlock(g->builder);
  if (g->entry_end) LLVMPositionBuilderBefore(g->builder, g->entry_end);
  else LLVMPositionBuilderAtEnd(g->builder, g->entry);
  LLVMValueRef address = LLVMBuildAlloca(g->builder, gen_memory_type(g, type), name);
  LLVMSetAlignment(address, gen_align(type));
  LLVMPositionBuilderAtEnd(g->builder, here);
  return address;
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
