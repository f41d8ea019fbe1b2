/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* type.c - maps CK types to LLVM types, and generates loads, stores, variables and strings.
 *
 * CK type          as a value              in memory
 * bool             i1                      i8
 * vec<bool, N>     <N x i1>                <N x i8>
 * bf16             i16                     i16
 * T[N], structs    an aggregate            the same
 * large types      pointer to a copy       the aggregate           (gen_is_large: more than 256
 *         scalars)
 * span of rank 2   { ptr, i64, i64 }       -
 *
 * A load or store of a vector of small components on a GPU accesses 32-bit words (access_type), so
 * that one instruction accesses up to 16 bytes. Back ends choose instructions by the type of the
 * components: 16 bytes of a vector of u8 would be four accesses.
 */
#include "gen/gen_private.h"

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

bool gen_is_large(const Type *type)
{
  enum { VALUES_MAX = 256 }; /* more than the registers of a GPU's thread, 255 */
  bool has_parts = type->kind == TYPE_array || type->kind == TYPE_struct ||
                   type->kind == TYPE_tuple || type->kind == TYPE_closure;
  return has_parts && type->scalars > VALUES_MAX;
}

/* The type of a value, where a single bool is one bit. */
static LLVMTypeRef whole_type(Gen *g, Type *type)
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
    for (uint32_t i = 0; i < type->count; ++i)
      parts[i] = gen_is_large(type) ? gen_memory_type(g, type->elements[i])
                                    : gen_type(g, type->elements[i]);
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

LLVMTypeRef gen_type(Gen *g, Type *type)
{
  return gen_is_large(type) ? g->ptr : whole_type(g, type);
}

LLVMTypeRef gen_memory_type(Gen *g, Type *type)
{
  if (type->kind == TYPE_vector && type->element->kind == TYPE_bool)
    return LLVMVectorType(g->i8, type->count);
  return type->kind == TYPE_bool ? g->i8 : whole_type(g, type);
}

enum { ALIGN_MAX = 16 }; /* the widest access of a GPU; larger vectors need several */

unsigned gen_align(const Type *type)
{
  return type->align < ALIGN_MAX ? type->align : ALIGN_MAX;
}

LLVMValueRef gen_int(Gen *g, LLVMTypeRef type, uint64_t value)
{
  (void)g;
  return LLVMConstInt(type, value, false);
}

Place gen_part_place(Gen *g, const Place *whole, unsigned i)
{
  Place part = *whole;
  LLVMValueRef indices[2] = {gen_int(g, g->i32, 0), gen_int(g, g->i32, i)};
  part.type = whole->type->elements ? whole->type->elements[i] : whole->type->element;
  part.address = LLVMBuildInBoundsGEP2(g->builder, gen_memory_type(g, whole->type), whole->address,
                                       indices, 2, "");
  return part;
}

LLVMValueRef gen_part(Gen *g, LLVMValueRef value, Type *whole, unsigned i, const char *name)
{
  Type *part = whole->elements ? whole->elements[i] : whole->element;
  if (gen_is_large(whole)) {
    Place from = {value, SPACE_GENERIC, whole, false, NULL}, place = gen_part_place(g, &from, i);
    return gen_is_large(part) ? place.address : gen_load(g, &place, name);
  }
  value = LLVMBuildExtractValue(g->builder, value, i, name);
  if (type_scalar_of(part)->kind != TYPE_bool) return value;
  return LLVMBuildICmp(g->builder, LLVMIntNE, value, LLVMConstNull(LLVMTypeOf(value)), name);
}

LLVMValueRef gen_parts_value(Gen *g, Type *type, LLVMValueRef *parts, unsigned count)
{
  if (gen_is_large(type)) {
    Place whole = gen_local(g, type, "parts");
    for (unsigned i = 0; i < count; ++i) {
      Place part = gen_part_place(g, &whole, i);
      gen_store(g, &part, parts[i]);
    }
    return whole.address;
  }
  LLVMValueRef value = LLVMGetUndef(gen_type(g, type));
  bool is_memory = type->kind != TYPE_closure; /* bools are bytes in it */
  for (unsigned i = 0; i < count; ++i) {
    Type *part = type->elements ? type->elements[i] : type->element;
    if (is_memory && type_scalar_of(part)->kind == TYPE_bool)
      parts[i] = LLVMBuildZExt(g->builder, parts[i], gen_memory_type(g, part), "");
    value = LLVMBuildInsertValue(g->builder, value, parts[i], i, "");
  }
  return value;
}

/* Copies the bytes of a value. On a GPU by a loop of words: libNVVM would expand memcpy to a copy
 * of each byte. */
void gen_copy_bytes(Gen *g, LLVMValueRef to, LLVMValueRef from, const Type *type,
                    unsigned from_align)
{
  uint64_t bytes = type_bytes(type);
  unsigned align = gen_align(type);
  LLVMBuilderRef b = g->builder;
  if (g->target->has_memcpy) {
    LLVMBuildMemCpy(b, to, align, from, from_align, gen_int(g, g->i64, bytes));
    return;
  }
  unsigned word = align < 8 ? align : 8;
  LLVMTypeRef part = LLVMIntTypeInContext(g->context, 8 * word);
  LLVMBasicBlockRef before = LLVMGetInsertBlock(b), body = gen_block(g, "copy.body"),
                    end = gen_block(g, "copy.end");
  gen_go(g, body);
  LLVMValueRef i = LLVMBuildPhi(b, g->i64, "i"), zero = gen_int(g, g->i64, 0);
  LLVMValueRef value = LLVMBuildLoad2(b, part, LLVMBuildInBoundsGEP2(b, part, from, &i, 1, ""), "");
  LLVMSetAlignment(value, word < from_align ? word : from_align);
  LLVMValueRef store = LLVMBuildStore(b, value, LLVMBuildInBoundsGEP2(b, part, to, &i, 1, ""));
  LLVMSetAlignment(store, word);
  LLVMValueRef next = LLVMBuildAdd(b, i, gen_int(g, g->i64, 1), "");
  gen_incoming(i, zero, before, next, body);
  LLVMValueRef is_more = LLVMBuildICmp(b, LLVMIntULT, next, gen_int(g, g->i64, bytes / word), "");
  gen_mark_unroll(g, LLVMBuildCondBr(b, is_more, body, end), "disable", 0);
  gen_at(g, end);
}

/* The value of a large type: the address of a copy that nothing writes to. */
static LLVMValueRef load_large(Gen *g, const Place *place)
{
  Place copy = gen_local(g, place->type, "copy");
  LLVMValueRef from = gen_cast_address(g, place->address, place->space, SPACE_GENERIC);
  gen_copy_bytes(g, copy.address, from, place->type, gen_align(place->type));
  return copy.address;
}

/* The type that a load or store of `type` uses: words for a GPU's vectors of small components. */
static LLVMTypeRef access_type(Gen *g, Type *type)
{
  bool is_small = type->kind == TYPE_vector && type_bytes(type->element) < 4 && type->count != 3;
  uint64_t words = type_bytes(type) / 4;
  if (g->target->has_short_loads || !is_small || !words) return gen_memory_type(g, type);
  return words == 1 ? g->i32 : LLVMVectorType(g->i32, (unsigned)words);
}

/* Component i of a vector that was loaded as words. Bytes are shifted out of their word, and into
 * it by pack_words(): where a vector is only copied, both optimisers reduce that to the word
 * itself, which they don't do for casts of byte vectors. Halves are casts, which cost nothing for
 * pairs of them. It is done for each component, because LLVM would fold a cast of the whole vector
 * into the load. */
static LLVMValueRef unpack_component(Gen *g, LLVMValueRef words, LLVMTypeRef type, unsigned each,
                                     unsigned i)
{
  bool is_vector = LLVMGetTypeKind(LLVMTypeOf(words)) == LLVMVectorTypeKind;
  LLVMValueRef word = is_vector ? gen_component(g, words, i / each) : words;
  if (type != g->i8) {
    word = LLVMBuildBitCast(g->builder, word, LLVMVectorType(type, each), "");
    return gen_component(g, word, i % each);
  }
  word = LLVMBuildLShr(g->builder, word, gen_int(g, g->i32, 8 * (i % each)), "");
  return LLVMBuildTrunc(g->builder, word, g->i8, "");
}

static LLVMValueRef unpack_words(Gen *g, LLVMValueRef words, LLVMTypeRef to)
{
  unsigned count = LLVMGetVectorSize(to);
  LLVMTypeRef type = LLVMGetElementType(to);
  LLVMValueRef result = LLVMGetUndef(to);
  for (unsigned i = 0; i < count; ++i)
    result = gen_with_component(g, result,
                                unpack_component(g, words, type, type == g->i8 ? 4 : 2, i), i);
  return result;
}

/* The word with the components from `first` on: bytes, bools as bytes of 0 or 1, or halves. */
static LLVMValueRef pack_word(Gen *g, LLVMValueRef value, LLVMTypeRef type, unsigned each,
                              unsigned first)
{
  LLVMValueRef word = LLVMGetUndef(LLVMVectorType(type, each));
  for (unsigned k = 0; k < each && each == 2; ++k)
    word = gen_with_component(g, word, gen_component(g, value, first + k), k);
  if (each == 2) return LLVMBuildBitCast(g->builder, word, g->i32, "");
  word = gen_int(g, g->i32, 0);
  for (unsigned k = 0; k < each; ++k) {
    LLVMValueRef byte = LLVMBuildZExt(g->builder, gen_component(g, value, first + k), g->i32, "");
    byte = LLVMBuildShl(g->builder, byte, gen_int(g, g->i32, 8 * k), "");
    word = LLVMBuildOr(g->builder, word, byte, "");
  }
  return word;
}

static LLVMValueRef pack_words(Gen *g, LLVMValueRef value, LLVMTypeRef to)
{
  LLVMTypeRef type = LLVMGetElementType(LLVMTypeOf(value));
  unsigned each = type == g->i8 || type == g->i1 ? 4 : 2;
  if (to == g->i32) return pack_word(g, value, type, each, 0);
  LLVMValueRef result = LLVMGetUndef(to);
  for (unsigned i = 0; i < LLVMGetVectorSize(to); ++i)
    result = gen_with_component(g, result, pack_word(g, value, type, each, i * each), i);
  return result;
}

/* Is it a variable, or a part of one? */
static bool is_local(LLVMValueRef address)
{
  while (LLVMIsAGetElementPtrInst(address) || LLVMIsAAddrSpaceCastInst(address))
    address = LLVMGetOperand(address, 0);
  return LLVMIsAAllocaInst(address);
}

/* A vector of small components in a local variable is accessed component by component. An access by
 * words would keep LLVM from promoting the variable to registers (SROA), as its components are also
 * accessed one by one. */
static LLVMValueRef local_component(Gen *g, const Place *place, LLVMTypeRef type, unsigned i)
{
  LLVMValueRef index = gen_int(g, g->i64, i);
  return LLVMBuildInBoundsGEP2(g->builder, type, place->address, &index, 1, "");
}

static LLVMValueRef load_local(Gen *g, const Place *place, LLVMTypeRef vector)
{
  LLVMTypeRef type = LLVMGetElementType(vector);
  LLVMValueRef result = LLVMGetUndef(vector);
  for (unsigned i = 0; i < LLVMGetVectorSize(vector); ++i) {
    LLVMValueRef part = LLVMBuildLoad2(g->builder, type, local_component(g, place, type, i), "");
    LLVMSetAlignment(part, (unsigned)type_bytes(place->type->element));
    result = gen_with_component(g, result, part, i);
  }
  return result;
}

static void store_local(Gen *g, const Place *place, LLVMValueRef value)
{
  LLVMTypeRef type = LLVMGetElementType(LLVMTypeOf(value));
  for (unsigned i = 0; i < LLVMGetVectorSize(LLVMTypeOf(value)); ++i) {
    LLVMValueRef store =
        LLVMBuildStore(g->builder, gen_component(g, value, i), local_component(g, place, type, i));
    LLVMSetAlignment(store, (unsigned)type_bytes(place->type->element));
  }
}

LLVMValueRef gen_load(Gen *g, const Place *place, const char *name)
{
  gen_check_access(g, place, false);
  if (gen_is_large(place->type)) return load_large(g, place);
  LLVMTypeRef type = access_type(g, place->type), wanted = gen_memory_type(g, place->type);
  if (type != wanted && is_local(place->address)) {
    LLVMValueRef parts = load_local(g, place, wanted);
    bool is_bool = type_scalar_of(place->type)->kind == TYPE_bool;
    return is_bool ? LLVMBuildICmp(g->builder, LLVMIntNE, parts, LLVMConstNull(wanted), name)
                   : parts;
  }
  LLVMValueRef value = LLVMBuildLoad2(g->builder, type, place->address, name);
  LLVMSetAlignment(value, gen_align(place->type));
  if (place->is_constant) {
    unsigned kind = LLVMGetMDKindIDInContext(g->context, "invariant.load", 14);
    LLVMSetMetadata(value, kind,
                    LLVMMetadataAsValue(g->context, LLVMMDNodeInContext2(g->context, NULL, 0)));
  }
  if (type != wanted) value = unpack_words(g, value, wanted);
  if (type_scalar_of(place->type)->kind == TYPE_bool)
    value = LLVMBuildICmp(g->builder, LLVMIntNE, value, LLVMConstNull(LLVMTypeOf(value)), name);
  return value;
}

void gen_store(Gen *g, const Place *place, LLVMValueRef value)
{
  gen_check_access(g, place, true);
  if (gen_is_large(place->type)) {
    LLVMValueRef to = gen_cast_address(g, place->address, place->space, SPACE_GENERIC);
    gen_copy_bytes(g, to, value, place->type, gen_align(place->type));
    return;
  }
  LLVMTypeRef type = access_type(g, place->type), own = gen_memory_type(g, place->type);
  bool are_words = type != own, is_parts = are_words && is_local(place->address);
  if (type_scalar_of(place->type)->kind == TYPE_bool && (!are_words || is_parts))
    value = LLVMBuildZExt(g->builder, value, own, "");
  if (is_parts) {
    store_local(g, place, value);
    return;
  }
  if (are_words) value = pack_words(g, value, type);
  LLVMValueRef store = LLVMBuildStore(g->builder, value, place->address);
  LLVMSetAlignment(store, gen_align(place->type));
}

/* The alignment of a variable. Arrays get more, so that they can be accessed by vectors. */
static unsigned variable_align(const Type *type)
{
  unsigned align = gen_align(type);
  if (type->kind != TYPE_array) return align;
  while (align < ALIGN_MAX && 2 * align <= type_bytes(type)) align *= 2;
  return align;
}

LLVMValueRef gen_alloca_type(Gen *g, LLVMTypeRef type, const char *name)
{
  LLVMBasicBlockRef here = LLVMGetInsertBlock(g->builder);
  if (g->state->entry_end) LLVMPositionBuilderBefore(g->builder, g->state->entry_end);
  else LLVMPositionBuilderAtEnd(g->builder, g->state->entry);
  LLVMValueRef address = LLVMBuildAlloca(g->builder, type, name);
  LLVMPositionBuilderAtEnd(g->builder, here);
  return address;
}

LLVMValueRef gen_alloca(Gen *g, Type *type, const char *name)
{
  LLVMValueRef address = gen_alloca_type(g, gen_memory_type(g, type), name);
  LLVMSetAlignment(address, variable_align(type));
  return address;
}

Place gen_local(Gen *g, Type *type, const char *name)
{
  return (Place){.address = gen_alloca(g, type, name), .space = SPACE_GENERIC, .type = type};
}

LLVMValueRef gen_variable(Gen *g, Type *type, const char *name, LLVMValueRef value)
{
  Place place = gen_local(g, type, name);
  gen_store(g, &place, value);
  return place.address;
}

/* A variable for a bit cast. */
LLVMValueRef gen_alloca_bits(Gen *g, Type *type)
{
  LLVMValueRef address = gen_alloca_type(g, gen_memory_type(g, type), "bits");
  gen_mark(g, address, GEN_MARK_bits);
  return address;
}

LLVMValueRef gen_cast_address(Gen *g, LLVMValueRef address, unsigned from, unsigned to)
{
  if (from == to) return address;
  if (from == SPACE_PARAM) { /* NVVM IR has no cast from parameter space; PTX has an instruction */
    LLVMValueRef bits = LLVMBuildPtrToInt(g->builder, address, g->i64, "");
    bits = gen_ptx_value(g, "cvta.param.u64 $0, $1;", g->i64, &bits, 1);
    return LLVMBuildIntToPtr(g->builder, bits, LLVMPointerTypeInContext(g->context, to), "");
  }
  return LLVMBuildAddrSpaceCast(g->builder, address, LLVMPointerTypeInContext(g->context, to), "");
}

LLVMValueRef gen_string(Gen *g, const char *text, size_t bytes)
{
  LLVMValueRef value = LLVMConstStringInContext2(g->context, text, bytes, false);
  const char *name = arena_printf(&g->c->scratch, "ck.text%u", g->state->string_count++);
  LLVMValueRef global =
      LLVMAddGlobalInAddressSpace(g->module, LLVMTypeOf(value), name, g->global_space);
  LLVMSetInitializer(global, value);
  LLVMSetGlobalConstant(global, true);
  LLVMSetLinkage(global, LLVMInternalLinkage);
  LLVMSetAlignment(global, 1);
  return gen_cast_address(g, global, g->global_space, SPACE_GENERIC);
}
