/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* vector.c - generates vectors: operators, components, construction, loads and stores.
 *
 * A CK vector is an LLVM vector; a vector of bool is <N x i1> as a value and <N x i8> in memory.
 * Operations for which LLVM's vector instruction has CK's meaning use it. The others are done
 * component by component, and the optimisers join them again where that pays. bf16 is computed in
 * pairs where the GPU has such instructions.
 *
 *     v + w    u32x4: one add <4 x i32>         v / w    u32x4: 4 divisions, as x / 0 is defined
 */
#include "front/builtin.h"
#include "front/target.h"
#include "gen/gen_private.h"

#include <string.h>

LLVMValueRef gen_component(Gen *g, LLVMValueRef vector, unsigned i)
{
  return LLVMBuildExtractElement(g->builder, vector, gen_int(g, g->i32, i), "");
}

LLVMValueRef gen_with_component(Gen *g, LLVMValueRef vector, LLVMValueRef value, unsigned i)
{
  return LLVMBuildInsertElement(g->builder, vector, value, gen_int(g, g->i32, i), "");
}

LLVMValueRef gen_vector_convert(Gen *g, LLVMValueRef value, Type *from, Type *to)
{
  LLVMValueRef result = LLVMGetUndef(gen_type(g, to));
  for (unsigned i = 0; i < to->count; ++i) {
    LLVMValueRef part = value;
    if (from->kind == TYPE_vector)
      part = gen_convert(g, gen_component(g, value, i), from->element, to->element);
    result = gen_with_component(g, result, part, i);
  }
  return result;
}

/* ---- operators ---- */

static bool is_bf16_pairs(const Gen *g, Op op, const Type *type)
{
  return type->element->kind == TYPE_bf16 && *gen_bf16_word(op) && g->target->sm >= 80 &&
         type->count % 2 == 0;
}

static LLVMValueRef bf16_pair(Gen *g, LLVMValueRef vector, unsigned at)
{
  LLVMValueRef pair = LLVMGetUndef(LLVMVectorType(g->i16, 2));
  for (unsigned i = 0; i < 2; ++i)
    pair = gen_with_component(g, pair, gen_component(g, vector, at + i), i);
  return LLVMBuildBitCast(g->builder, pair, g->i32, "");
}

static LLVMValueRef bf16_pairs(Gen *g, Op op, Type *type, LLVMValueRef a, LLVMValueRef b)
{
  LLVMValueRef result = LLVMGetUndef(gen_type(g, type));
  for (unsigned at = 0; at < type->count; at += 2) {
    LLVMValueRef pair = gen_bf16_ptx(g, op, bf16_pair(g, a, at), bf16_pair(g, b, at));
    pair = LLVMBuildBitCast(g->builder, pair, LLVMVectorType(g->i16, 2), "");
    for (unsigned i = 0; i < 2; ++i)
      result = gen_with_component(g, result, gen_component(g, pair, i), at + i);
  }
  return result;
}

/* Does LLVM's vector instruction have CK's meaning? GPUs have one for pairs of f16. The fast
 * quotient is an intrinsic of f32 only. */
static bool is_direct(const Gen *g, Op op, const Type *element)
{
  if (op_divides(op) && gen_is_fast_quotient(g, element)) return false;
  if (element->kind == TYPE_bf16) return false;
  if (element->kind == TYPE_f16) return g->target->has_f16 && !op_divides(op);
  if (type_is_int(element)) return !op_divides(op);
  return true;
}

LLVMValueRef gen_vector_binary(Gen *g, Op op, Type *type, LLVMValueRef a, LLVMValueRef b)
{
  if (is_direct(g, op, type->element)) return gen_binary(g, op, type->element, a, b);
  if (is_bf16_pairs(g, op, type)) return bf16_pairs(g, op, type, a, b);
  LLVMValueRef result = LLVMGetUndef(gen_type(g, type_of_operation(g->c->types, op, type)));
  for (unsigned i = 0; i < type->count; ++i) {
    LLVMValueRef part =
        gen_binary(g, op, type->element, gen_component(g, a, i), gen_component(g, b, i));
    result = gen_with_component(g, result, part, i);
  }
  return result;
}

LLVMValueRef gen_vector_shift(Gen *g, Op op, Type *type, LLVMValueRef a, LLVMValueRef b,
                              const Type *count)
{
  LLVMValueRef result = LLVMGetUndef(gen_type(g, type));
  for (unsigned i = 0; i < type->count; ++i) {
    LLVMValueRef by = gen_component(g, b, i);
    LLVMValueRef part =
        gen_shift(g, op, type->element, gen_component(g, a, i), by, count->element, false);
    result = gen_with_component(g, result, part, i);
  }
  return result;
}

/* ---- components ---- */

static unsigned gen_swizzle_component(const Node *member, unsigned i)
{
  return (unsigned)(strchr("xyzw", member->name->text[i]) - "xyzw");
}

/* The place of a component. `node` is the expression that names it. */
static Place component_place(Gen *g, const Node *node, Place place, LLVMValueRef index)
{
  if (place.node) place.node = node;
  place.type = place.type->element;
  place.address = LLVMBuildInBoundsGEP2(g->builder, gen_memory_type(g, place.type), place.address,
                                        &index, 1, "");
  return place;
}

/* Are components loaded one by one? In a checked build the others may belong to another thread.
 * Otherwise the whole vector is loaded, and the optimiser removes unused components. */
static bool is_loaded_apart(const Gen *g, const Node *vector)
{
  bool is_local = vector->kind == NODE_name && vector->decl->kind != NODE_shared;
  return gen_check_is_told(g) && !is_local && gen_is_place(vector);
}

LLVMValueRef gen_swizzle(Gen *g, Node *member)
{
  bool is_apart = is_loaded_apart(g, member->a), is_vector = member->type->kind == TYPE_vector;
  Place place = {0};
  LLVMValueRef vector = NULL, result = is_vector ? LLVMGetUndef(gen_type(g, member->type)) : NULL;
  if (is_apart) place = gen_place(g, member->a);
  else vector = gen_expr(g, member->a);
  for (unsigned i = 0; i < (is_vector ? member->type->count : 1); ++i) {
    unsigned at = gen_swizzle_component(member, i);
    Place one = is_apart ? component_place(g, member, place, gen_int(g, g->i64, at)) : place;
    LLVMValueRef part = is_apart ? gen_load(g, &one, "") : gen_component(g, vector, at);
    result = is_vector ? gen_with_component(g, result, part, i) : part;
  }
  return result;
}

LLVMValueRef gen_indexed_component(Gen *g, Node *node)
{
  if (is_loaded_apart(g, node->a)) {
    Place place = gen_vector_place(g, node);
    return gen_load(g, &place, "");
  }
  LLVMValueRef vector = gen_expr(g, node->a); /* a value, not memory */
  LLVMValueRef count = gen_int(g, g->i64, node->a->type->count);
  LLVMValueRef index = gen_index(g, node, node->b, count);
  return LLVMBuildExtractElement(g->builder, vector, index, "");
}

Place gen_vector_place(Gen *g, Node *node)
{
  Place place = gen_place(g, node->a);
  if (node->kind == NODE_index)
    return component_place(g, node, place,
                           gen_index(g, node, node->b, gen_int(g, g->i64, node->a->type->count)));
  return component_place(g, node, place, gen_int(g, g->i64, gen_swizzle_component(node, 0)));
}

/* v.xz = value: each component is stored on its own, since the others may belong to another
 * thread. */
void gen_swizzle_store(Gen *g, Node *member, LLVMValueRef value)
{
  Place vector = gen_place(g, member->a);
  for (unsigned i = 0; i < member->type->count; ++i) {
    LLVMValueRef at = gen_int(g, g->i64, gen_swizzle_component(member, i));
    Place place = component_place(g, member, vector, at);
    gen_store(g, &place, gen_component(g, value, i));
  }
}

/* ---- calls ---- */

static LLVMValueRef gen_parts(Gen *g, Node *call)
{
  LLVMValueRef result = LLVMGetUndef(gen_type(g, call->type));
  unsigned at = 0;
  for (Node *arg = call->b; arg; arg = arg->next) {
    LLVMValueRef value = gen_expr(g, arg);
    bool is_vector = arg->type->kind == TYPE_vector;
    for (unsigned i = 0; i < (is_vector ? arg->type->count : 1); ++i)
      result = gen_with_component(g, result, is_vector ? gen_component(g, value, i) : value, at++);
  }
  return result;
}

/* The bytes of a constant's components; false if one isn't a plain number. */
static bool constant_bits(LLVMValueRef value, unsigned count, unsigned bytes, uint8_t *out)
{
  for (unsigned i = 0; i < count; ++i) {
    LLVMValueRef part = LLVMGetAggregateElement(value, i);
    LLVMTypeRef type = LLVMIntTypeInContext(LLVMGetTypeContext(LLVMTypeOf(value)), 8 * bytes);
    if (part && LLVMIsAConstantFP(part)) part = LLVMConstBitCast(part, type);
    if (!part || !LLVMIsAConstantInt(part)) return false;
    uint64_t bits = LLVMConstIntGetZExtValue(part);
    memcpy(out + (size_t)i * bytes, &bits, bytes);
  }
  return true;
}

/* A constant vector that is cast to a scalar is a constant number for all that look for one: the
 * builder, which folds operations on it, and the repairs subnormal_fma and nan_equal, which hide
 * it.
 * The builder leaves such a cast as it is, since it doesn't know the target's order of bytes. */
static LLVMValueRef fold_cast(Gen *g, LLVMValueRef value, const Type *from, Type *to)
{
  enum { BYTES_MAX = 128 };
  uint8_t bytes[BYTES_MAX] = {0};
  if (!LLVMIsConstant(value) || from->kind != TYPE_vector || !type_is_scalar(to) ||
      !constant_bits(value, from->count, from->element->bits / 8u, bytes))
    return LLVMBuildBitCast(g->builder, value, gen_type(g, to), "");
  uint64_t bits;
  memcpy(&bits, bytes, sizeof bits);
  LLVMTypeRef type = LLVMIntTypeInContext(g->context, to->bits);
  return LLVMConstBitCast(LLVMConstInt(type, bits, false), gen_type(g, to));
}

/* Numbers and vectors of one size are cast; other data goes through memory. */
static LLVMValueRef gen_bit_cast(Gen *g, Node *call)
{
  Type *from = call->b->type, *to = call->type;
  LLVMValueRef value = gen_expr(g, call->b);
  bool is_plain = (type_is_scalar(from) || from->kind == TYPE_vector) &&
                  (type_is_scalar(to) || to->kind == TYPE_vector) &&
                  from != g->c->types->type_bool && to != g->c->types->type_bool;
  if (is_plain) return fold_cast(g, value, from, to);
  Type *larger = type_bytes(to) > type_bytes(from) ? to : from;
  Place place = {gen_alloca_bits(g, larger), SPACE_GENERIC, to, false, NULL};
  uint32_t align = from->align > to->align ? from->align : to->align;
  LLVMSetAlignment(place.address, align);
  if (larger == to) gen_store_node(g, &place, NULL);
  place.type = from;
  gen_store(g, &place, value);
  place.type = to;
  return gen_load(g, &place, "");
}

LLVMValueRef gen_vector_form(Gen *g, Node *call)
{
  if (call->builtin->form == FORM_vec) return gen_parts(g, call);
  if (call->builtin->form == FORM_bit_cast) return gen_bit_cast(g, call);
  Node *value = call->builtin->form == FORM_vec_store ? call->b->next : NULL;
  const Node *cache = value ? value->next : call->b->next;
  LLVMValueRef stored = value ? gen_expr(g, value) : NULL;
  Place place = gen_place(g, call->b);
  place.type = value ? value->type : call->type;
  gen_debug_at(g, call);
  if (cache) return gen_hinted_access(g, &place, stored, cache->bits);
  if (!value) return gen_load(g, &place, "");
  gen_store(g, &place, stored);
  return NULL;
}

LLVMValueRef gen_each(Gen *g, Node *each)
{
  LLVMValueRef result = LLVMGetUndef(gen_type(g, each->type));
  unsigned count = node_count(each->b), k = 0;
  LLVMValueRef *values = NEW_ARRAY(&g->c->scratch, LLVMValueRef, count);
  for (Node *let = each->b; let; let = let->next) {
    values[k++] = gen_expr(g, let->b);
    let->gen = NEW(g->c->unit, Slot);
  }
  for (unsigned i = 0; i < each->type->count; ++i) {
    k = 0;
    for (Node *let = each->b; let; let = let->next, ++k) {
      bool is_vector = let->b->type->kind == TYPE_vector;
      LLVMValueRef value = is_vector ? gen_component(g, values[k], i) : values[k];
      *(Slot *)let->gen = (Slot){.kind = SLOT_value, .value = value};
    }
    result = gen_with_component(g, result, gen_expr(g, each->a), i);
  }
  return result;
}
