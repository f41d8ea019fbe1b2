/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* expr.c - generates expressions as LLVM instructions.
 *
 * What C leaves undefined is defined here, with the same result on every target: integers wrap; a
 * shift takes its count modulo the width; x / 0 is all ones and x % 0 is x (as on RISC-V); the
 * lowest integer divided by -1 is itself, with remainder 0.
 *
 * Three forms of a value: gen_expr() gives an LLVM value, gen_place() the address of memory,
 * gen_view() a span as an address and extents. Large arrays are copied from place to place
 * (gen_store_node), never through values.
 *
 * `fn f(a: T) = value;` is inlined here (gen_inline): its value is generated at the call, with the
 * slots of its parameters replaced by the arguments. Most of lib/ is such functions, and LLVM would
 * do the same later at a higher cost. Budgets (inline_left, inline_all, INLINE_DEPTH_MAX) bound the
 * growth of functions that call each other.
 */
#include "front/builtin.h"
#include "gen/gen_private.h"

#include <string.h>

/* ---- operators ---- */

/* LLVM's opcode or predicate for each kind of operand: op.def. */
enum { LLVMnone };
static const struct {
  uint8_t of_signed, of_unsigned, of_float;
} codes[] = {
#define OP(id, text, place, takes, expr, real, gen, s, u, f, bf16) {LLVM##s, LLVM##u, LLVM##f},
#define OP_WORD(id, text)                                          {LLVMnone, LLVMnone, LLVMnone},
#include "front/op.def"
};

static unsigned code_of(Op op, const Type *type)
{
  unsigned code = type_is_float(type)    ? codes[op].of_float
                  : type_is_signed(type) ? codes[op].of_signed
                                         : codes[op].of_unsigned;
  if (code == LLVMnone) die("no instruction for '%s' of %s", op_text(op), type_text(type));
  return code;
}

LLVMValueRef gen_instruction(Gen *g, Op op, const Type *type, LLVMValueRef a, LLVMValueRef b)
{
  return LLVMBuildBinOp(g->builder, (LLVMOpcode)code_of(op, type), a, b, "");
}

/* Each of these generates operators of op.def, of scalars. Of a PREFIX, b is NULL. */
typedef LLVMValueRef GenOp(Gen *g, Op op, Type *type, LLVMValueRef a, LLVMValueRef b);

static GenOp op_sum, op_product, op_quotient, op_plain, op_shift, op_compare, op_lazy, op_same,
    op_negate, op_invert;

static GenOp *const generate[] = {
#define OP(id, spelling, place, takes, expr, real, gen, ...) op_##gen,
#define OP_WORD(id, spelling)                                NULL,
#include "front/op.def"
};

static LLVMValueRef fused(LLVMValueRef value)
{
  /* Allows contraction: a product may be fused into the sum that uses it, as CUDA C++ does by
   * default. */
  if (LLVMIsAInstruction(value)) LLVMSetFastMathFlags(value, LLVMFastMathAllowContract);
  return value;
}

static LLVMValueRef op_plain(Gen *g, Op op, Type *type, LLVMValueRef a, LLVMValueRef b)
{
  LLVMValueRef value = gen_instruction(g, op, type, a, b);
  return type_is_float(type) ? fused(value) : value;
}

/* Is it this constant? Launch contracts make many: thread.z is 0, the grid's y extent 1. */
static bool is_int(LLVMValueRef value, uint64_t number)
{
  return LLVMIsAConstantInt(value) && LLVMConstIntGetZExtValue(value) == number;
}

static LLVMValueRef op_sum(Gen *g, Op op, Type *type, LLVMValueRef a, LLVMValueRef b)
{
  if (is_int(b, 0)) return a;
  if (is_int(a, 0) && op == OP_add) return b;
  return op_plain(g, op, type, a, b);
}

static LLVMValueRef op_product(Gen *g, Op op, Type *type, LLVMValueRef a, LLVMValueRef b)
{
  if (is_int(b, 1) || is_int(a, 0)) return a;
  if (is_int(a, 1) || is_int(b, 0)) return b;
  return op_plain(g, op, type, a, b);
}

/* Of the quotient and the remainder alone. */
static LLVMValueRef divide(Gen *g, Op op, Type *type, LLVMValueRef a, LLVMValueRef b)
{
  LLVMBuilderRef builder = g->builder;
  bool is_signed = type_is_signed(type), is_div = op_takes(op) == TAKES_QUOTIENT;
  LLVMTypeRef llvm = gen_type(g, type);
  LLVMValueRef zero = LLVMConstNull(llvm), one = LLVMConstInt(llvm, 1, false),
               ones = LLVMConstAllOnes(llvm);
  bool is_constant = LLVMIsAConstantInt(b) && LLVMConstIntGetZExtValue(b) &&
                     (!is_signed || LLVMConstIntGetSExtValue(b) != -1);
  LLVMValueRef is_zero = NULL, is_minus_one = NULL, safe = b;
  if (!is_constant) {
    is_zero = LLVMBuildICmp(builder, LLVMIntEQ, b, zero, "");
    LLVMValueRef is_odd = is_zero;
    if (is_signed) {
      is_minus_one = LLVMBuildICmp(builder, LLVMIntEQ, b, ones, "");
      is_odd = LLVMBuildOr(builder, is_zero, is_minus_one, "");
    }
    safe = LLVMBuildSelect(builder, is_odd, one, b, "");
  }
  LLVMValueRef result = gen_instruction(g, op, type, a, safe);
  if (is_constant) return result;
  if (is_minus_one)
    result = LLVMBuildSelect(builder, is_minus_one,
                             is_div ? LLVMBuildSub(builder, zero, a, "") : zero, result, "");
  return LLVMBuildSelect(builder, is_zero, is_div ? ones : a, result, "");
}

bool gen_is_fast_quotient(const Gen *g, const Type *type)
{
  return g->state->is_fast && g->target->has_fast_quotient && type->kind == TYPE_f32;
}

static LLVMValueRef op_quotient(Gen *g, Op op, Type *type, LLVMValueRef a, LLVMValueRef b)
{
  if (!type_is_float(type)) return divide(g, op, type, a, b);
  if (gen_is_fast_quotient(g, type))
    return gen_call_named(g, "llvm.nvvm.div.approx.f", g->f32, (LLVMValueRef[]){a, b}, 2);
  return gen_instruction(g, op, type, a, b);
}

/* The count is smaller than the width. */
static LLVMValueRef op_shift(Gen *g, Op op, Type *type, LLVMValueRef a, LLVMValueRef b)
{
  return gen_instruction(g, op, type, a, b);
}

LLVMValueRef gen_shift(Gen *g, Op op, Type *type, LLVMValueRef a, LLVMValueRef b, Type *count,
                       bool is_constant)
{
  if (type->kind == TYPE_vector) return gen_vector_shift(g, op, type, a, b, count);
  LLVMTypeRef llvm = gen_type(g, type);
  if (count->bits > type->bits) b = LLVMBuildTrunc(g->builder, b, llvm, "");
  else if (count->bits < type->bits) b = LLVMBuildZExt(g->builder, b, llvm, "");
  if (!is_constant) b = LLVMBuildAnd(g->builder, b, gen_int(g, llvm, type->bits - 1u), "");
  return generate[op](g, op, type, a, b);
}

static LLVMValueRef op_compare(Gen *g, Op op, Type *type, LLVMValueRef a, LLVMValueRef b)
{
  unsigned code = code_of(op, type);
  if (type->kind == TYPE_bf16) {
    a = gen_half_to_f32(g, a, type);
    b = gen_half_to_f32(g, b, type);
  }
  if (type_is_float(type)) return LLVMBuildFCmp(g->builder, (LLVMRealPredicate)code, a, b, "");
  return LLVMBuildICmp(g->builder, (LLVMIntPredicate)code, a, b, "");
}

static LLVMValueRef gen_equal(Gen *g, Type *type, LLVMValueRef a, LLVMValueRef b);

/* Compares two arrays in memory in a loop, since they may be long. */
static LLVMValueRef equal_places(Gen *g, Place x, Place y)
{
  Type *type = x.type;
  LLVMBasicBlockRef before = LLVMGetInsertBlock(g->builder), body = gen_block(g, "equal.body"),
                    end = gen_block(g, "equal.end");
  gen_go(g, body);
  LLVMValueRef i = LLVMBuildPhi(g->builder, g->i64, "i"), zero = gen_int(g, g->i64, 0),
               indices[2] = {zero, i};
  Place left = x, right = y;
  left.type = right.type = type->element;
  LLVMTypeRef array = gen_memory_type(g, type);
  left.address = LLVMBuildInBoundsGEP2(g->builder, array, x.address, indices, 2, "");
  right.address = LLVMBuildInBoundsGEP2(g->builder, array, y.address, indices, 2, "");
  LLVMValueRef is_equal =
                   gen_equal(g, type->element, gen_load(g, &left, ""), gen_load(g, &right, "")),
               next = LLVMBuildAdd(g->builder, i, gen_int(g, g->i64, 1), ""),
               is_more =
                   LLVMBuildICmp(g->builder, LLVMIntULT, next, gen_int(g, g->i64, type->count), "");
  LLVMBasicBlockRef last = LLVMGetInsertBlock(g->builder);
  gen_incoming(i, zero, before, next, last);
  LLVMBuildCondBr(g->builder, LLVMBuildAnd(g->builder, is_equal, is_more, ""), body, end);
  gen_at(g, end);
  return is_equal;
}

static LLVMValueRef equal_array(Gen *g, Type *type, LLVMValueRef a, LLVMValueRef b)
{
  Place x = gen_local(g, type, "left"), y = gen_local(g, type, "right");
  gen_store(g, &x, a);
  gen_store(g, &y, b);
  return equal_places(g, x, y);
}

static LLVMValueRef gen_equal_arrays(Gen *g, Node *node)
{
  Place x = gen_place(g, node->a), y = gen_place(g, node->b);
  LLVMValueRef is_equal = equal_places(g, x, y);
  return node->op == OP_eq ? is_equal : LLVMBuildNot(g->builder, is_equal, "");
}

/* Compares two vectors as a whole, as members of a struct or tuple. By itself, == of vectors is a
 * vector. */
static LLVMValueRef equal_vector(Gen *g, const Type *type, LLVMValueRef a, LLVMValueRef b)
{
  LLVMValueRef all = gen_int(g, g->i1, 1);
  for (unsigned i = 0; i < type->count; ++i) {
    LLVMValueRef is_equal =
        op_compare(g, OP_eq, type->element, gen_component(g, a, i), gen_component(g, b, i));
    all = i ? LLVMBuildAnd(g->builder, all, is_equal, "") : is_equal;
  }
  return all;
}

static LLVMValueRef gen_equal(Gen *g, Type *type, LLVMValueRef a, LLVMValueRef b)
{
  if (type->kind == TYPE_array) return equal_array(g, type, a, b);
  if (type->kind == TYPE_vector) return equal_vector(g, type, a, b);
  if (type->kind != TYPE_struct && type->kind != TYPE_tuple)
    return op_compare(g, OP_eq, type, a, b);
  LLVMValueRef all = gen_int(g, g->i1, 1);
  for (unsigned i = 0; i < type->count; ++i) {
    Type *part = type->elements[i];
    LLVMValueRef is_equal =
        gen_equal(g, part, gen_part(g, a, type, i, ""), gen_part(g, b, type, i, ""));
    all = i ? LLVMBuildAnd(g->builder, all, is_equal, "") : is_equal;
  }
  return all;
}

/* GPUs add, subtract and multiply f16; hosts have no arithmetic of it. */
static bool is_through_f32(const Gen *g, Op op, const Type *type)
{
  if (type->kind == TYPE_bf16) return true;
  return type->kind == TYPE_f16 && (!g->target->has_f16 || op_divides(op));
}

LLVMValueRef gen_binary(Gen *g, Op op, Type *type, LLVMValueRef a, LLVMValueRef b)
{
  if (type_is_record(type) || type->kind == TYPE_array) {
    LLVMValueRef is_equal = gen_equal(g, type, a, b);
    return op == OP_eq ? is_equal : LLVMBuildNot(g->builder, is_equal, "");
  }
  if (type->kind == TYPE_vector) return gen_vector_binary(g, op, type, a, b);
  if (op_gives_operand(op) && is_through_f32(g, op, type))
    return gen_half_binary(g, op, type, a, b);
  return generate[op](g, op, type, a, b);
}

/* Is it cheaper to compute the expression speculatively than to branch around it? It is small and
 * has no branch, memory access or call. */
static bool is_cheap(const Node *node, unsigned depth)
{
  switch ((NodeKind)node->kind) {
  case NODE_int:
  case NODE_float:
  case NODE_bool: return true;
  case NODE_name: return node->decl->kind != NODE_shared;
  case NODE_convert:
  case NODE_unary: return depth && is_cheap(node->a, depth - 1);
  case NODE_binary:
    return depth && !op_divides(node->op) && is_cheap(node->a, depth - 1) &&
           is_cheap(node->b, depth - 1);
  default: return false;
  }
}

enum { CHEAP_DEPTH = 2 };

/* Both sides are there. */
static LLVMValueRef op_lazy(Gen *g, Op op, Type *type, LLVMValueRef a, LLVMValueRef b)
{
  return gen_instruction(g, op, type, a, b);
}

static LLVMValueRef gen_short_circuit(Gen *g, Node *node)
{
  bool is_and = node->op == OP_and_then;
  if (!is_and && node->op != OP_or_else) die("which side decides '%s'?", op_text(node->op));
  LLVMValueRef a = gen_expr(g, node->a);
  if (is_cheap(node->b, CHEAP_DEPTH))
    return gen_binary(g, node->op, node->a->type, a, gen_expr(g, node->b));
  LLVMBasicBlockRef from = LLVMGetInsertBlock(g->builder),
                    other = gen_block(g, is_and ? "and.rest" : "or.rest"),
                    end = gen_block(g, is_and ? "and.end" : "or.end");
  LLVMBuildCondBr(g->builder, a, is_and ? other : end, is_and ? end : other);
  gen_at(g, other);
  LLVMValueRef b = gen_expr(g, node->b);
  LLVMBasicBlockRef from_b = LLVMGetInsertBlock(g->builder);
  gen_go(g, end);
  return gen_phi(g, g->i1, gen_int(g, g->i1, !is_and), from, b, from_b);
}

static LLVMValueRef gen_choose(Gen *g, Node *node)
{
  LLVMValueRef condition = gen_expr(g, node->a);
  if (is_cheap(node->b, CHEAP_DEPTH) && is_cheap(node->c, CHEAP_DEPTH)) {
    LLVMValueRef then = gen_expr(g, node->b);
    return LLVMBuildSelect(g->builder, condition, then, gen_expr(g, node->c), "");
  }
  LLVMBasicBlockRef yes = gen_block(g, "choose.then"), no = gen_block(g, "choose.else"),
                    end = gen_block(g, "choose.end");
  LLVMBuildCondBr(g->builder, condition, yes, no);
  gen_at(g, yes);
  LLVMValueRef then = gen_expr(g, node->b);
  yes = LLVMGetInsertBlock(g->builder);
  LLVMBuildBr(g->builder, end);
  gen_at(g, no);
  LLVMValueRef otherwise = gen_expr(g, node->c);
  no = LLVMGetInsertBlock(g->builder);
  gen_go(g, end);
  return gen_phi(g, gen_type(g, node->type), then, yes, otherwise, no);
}

static LLVMValueRef op_same(Gen *g, Op op, Type *type, LLVMValueRef a, LLVMValueRef b)
{
  (void)g, (void)op, (void)type, (void)b;
  return a;
}

static LLVMValueRef op_negate(Gen *g, Op op, Type *type, LLVMValueRef a, LLVMValueRef b)
{
  (void)op, (void)b;
  if (type->kind == TYPE_bf16) return gen_half_negate(g, a);
  return type_is_float(type) ? LLVMBuildFNeg(g->builder, a, "") : LLVMBuildNeg(g->builder, a, "");
}

static LLVMValueRef op_invert(Gen *g, Op op, Type *type, LLVMValueRef a, LLVMValueRef b)
{
  (void)op, (void)type, (void)b;
  return LLVMBuildNot(g->builder, a, "");
}

static LLVMValueRef prefix(Gen *g, Op op, Type *type, LLVMValueRef value)
{
  if (type->kind == TYPE_vector) {
    LLVMValueRef result = value;
    for (unsigned i = 0; i < type->count; ++i) {
      LLVMValueRef part = gen_component(g, value, i);
      result = gen_with_component(g, result, prefix(g, op, type->element, part), i);
    }
    return result;
  }
  return generate[op](g, op, type, value, NULL);
}

static LLVMValueRef gen_unary(Gen *g, Node *node)
{
  return prefix(g, node->op, node->type, gen_expr(g, node->a));
}

/* ---- memory ---- */

LLVMValueRef gen_i64(Gen *g, Node *node)
{
  return gen_convert(g, gen_expr(g, node), node->type,
                     type_is_signed(node->type) ? g->c->types->type_i64 : g->c->types->type_u64);
}

static LLVMValueRef to_i64(Gen *g, LLVMValueRef value, Type *type)
{
  return gen_convert(g, value, type,
                     type_is_signed(type) ? g->c->types->type_i64 : g->c->types->type_u64);
}

/* x[lo..hi]: a view of hi - lo rows from row lo on. */
static View slice(Gen *g, Node *node)
{
  LLVMValueRef lo, hi, step;
  View view = {.rank = 1};
  bool is_span = node->a->type->kind == TYPE_span;
  Place place = {0};
  if (is_span) view = gen_view(g, node->a);
  else place = gen_place(g, node->a);
  gen_range(g, node->b, &lo, &hi, &step);
  Type *index = node->b->type->element;
  lo = to_i64(g, lo, index);
  hi = to_i64(g, hi, index);
  gen_check_slice(g, node, lo, hi,
                  is_span ? view.extents[0] : gen_int(g, g->i64, place.type->count));
  view.extents[0] = LLVMBuildSub(g->builder, hi, lo, "");
  LLVMValueRef indices[2] = {gen_int(g, g->i64, 0), lo};
  if (!is_span) {
    view.space = place.space;
    view.address = LLVMBuildInBoundsGEP2(g->builder, gen_memory_type(g, place.type), place.address,
                                         indices, 2, "");
    view.rank = node->type->rank;
    const Type *row = place.type->element;
    for (unsigned i = 1; i < view.rank; ++i, row = row->element)
      view.extents[i] = gen_int(g, g->i64, row->count);
    return view;
  }
  for (unsigned i = 1; i < view.rank; ++i) lo = LLVMBuildMul(g->builder, lo, view.extents[i], "");
  view.address = LLVMBuildInBoundsGEP2(g->builder, gen_memory_type(g, node->type->element),
                                       view.address, &lo, 1, "");
  return view;
}

/* Is it a slice? An element of a tuple or an array may be a span without being one. */
static bool is_slice(const Node *node)
{
  return node->kind == NODE_index && node->b->type->kind == TYPE_range;
}

View gen_view(Gen *g, Node *node)
{
  View view = {.space = SPACE_GENERIC, .rank = node->type->rank};
  if (node->kind == NODE_name) {
    Slot *slot = node->decl->gen;
    if (slot->kind == SLOT_view) return slot->view;
  }
  if (node->kind == NODE_convert && node->a->type->kind == TYPE_span) {
    view = gen_view(g, node->a);
    view.is_constant = false; /* another parameter may write to it */
    return view;
  }
  if (node->kind == NODE_convert && node->a->type->kind == TYPE_array) {
    Place place = gen_place(g, node->a);
    view.address = place.address;
    view.space = place.space;
    const Type *type = node->a->type;
    for (unsigned i = 0; i < view.rank; ++i, type = type->element)
      view.extents[i] = gen_int(g, g->i64, type->count);
    return view;
  }
  if (is_slice(node)) return slice(g, node);
  LLVMValueRef value = gen_expr(g, node);
  view.address = LLVMBuildExtractValue(g->builder, value, 0, "");
  for (unsigned i = 0; i < view.rank; ++i)
    view.extents[i] = LLVMBuildExtractValue(g->builder, value, i + 1, "");
  return view;
}

LLVMValueRef gen_view_value(Gen *g, View view)
{
  LLVMValueRef value = LLVMGetUndef(gen_view_type(g, view.rank));
  value = LLVMBuildInsertValue(g->builder, value,
                               gen_cast_address(g, view.address, view.space, SPACE_GENERIC), 0, "");
  for (unsigned i = 0; i < view.rank; ++i)
    value = LLVMBuildInsertValue(g->builder, value, view.extents[i], i + 1, "");
  return value;
}

static Place index_view(Gen *g, Node *node)
{
  View view = gen_view(g, node->a);
  LLVMValueRef offset = gen_index(g, node, node->b, view.extents[0]);
  unsigned i = 1;
  for (Node *index = node->b->next; index; index = index->next, ++i) {
    offset = LLVMBuildMul(g->builder, offset, view.extents[i], "");
    offset = LLVMBuildAdd(g->builder, offset, gen_index(g, node, index, view.extents[i]), "");
  }
  Type *element = node->a->type->element;
  LLVMValueRef address =
      LLVMBuildInBoundsGEP2(g->builder, gen_memory_type(g, element), view.address, &offset, 1, "");
  return (Place){address, view.space, element, view.is_constant, node};
}

/* A field, or a tuple's element. */
static unsigned part_index(const Node *node)
{
  if (node->kind == NODE_index) return (unsigned)node->b->bits;
  return (unsigned)struct_field(node->a->type, node->name);
}

static Place part_place(Gen *g, Node *node)
{
  Place place = gen_place(g, node->a);
  return gen_part_place(g, &place, part_index(node));
}

static Slot *slot_of(Gen *g, const Node *name)
{
  return name->decl->kind == NODE_constant ? gen_constant_slot(g, name->decl) : name->decl->gen;
}

bool gen_is_place(const Node *node)
{
  if (node->kind == NODE_name && node->decl->kind == NODE_constant) return true;
  const Slot *slot = node->kind == NODE_name ? node->decl->gen : NULL;
  if (slot) return slot->kind == SLOT_memory;
  if (node->kind == NODE_index)
    return node->a->type->kind == TYPE_span || node->a->type->kind == TYPE_pointer ||
           gen_is_place(node->a);
  return node->kind == NODE_member && type_is_record(node->a->type) && gen_is_place(node->a);
}

void gen_copy(Gen *g, const Place *to, const Place *from)
{
  unsigned align = gen_align(to->type);
  /* its generic address isn't needed */
  if (from->space == SPACE_PARAM && !gen_is_large(from->type)) {
    gen_store(g, to, gen_load(g, from, ""));
    return;
  }
  gen_check_access(g, from, false);
  gen_check_access(g, to, true);
  if (gen_is_large(to->type)) {
    gen_copy_bytes(g, gen_cast_address(g, to->address, to->space, SPACE_GENERIC),
                   gen_cast_address(g, from->address, from->space, SPACE_GENERIC), to->type, align);
    return;
  }
  LLVMBuildMemCpy(g->builder, gen_cast_address(g, to->address, to->space, SPACE_GENERIC), align,
                  gen_cast_address(g, from->address, from->space, SPACE_GENERIC), align,
                  gen_int(g, g->i64, type_bytes(to->type)));
}

/* Evaluates all values before storing one: the list may read what it is assigned to. */
static void store_list(Gen *g, const Place *to, Node *list)
{
  LLVMValueRef *values = NEW_ARRAY(&g->c->scratch, LLVMValueRef, node_count(list->a)),
               indices[2] = {gen_int(g, g->i64, 0)};
  uint32_t count = 0;
  for (Node *item = list->a; item; item = item->next) values[count++] = gen_expr(g, item);
  for (uint32_t i = 0; i < count; ++i) {
    indices[1] = gen_int(g, g->i64, i);
    Place item = *to;
    item.type = to->type->element;
    item.address = LLVMBuildInBoundsGEP2(g->builder, gen_memory_type(g, to->type), to->address,
                                         indices, 2, "");
    gen_store(g, &item, values[i]);
  }
}

void gen_store_node(Gen *g, const Place *to, Node *value)
{
  if (!value) {
    LLVMBuildMemSet(g->builder, gen_cast_address(g, to->address, to->space, SPACE_GENERIC),
                    gen_int(g, g->i8, 0), gen_int(g, g->i64, type_bytes(to->type)),
                    gen_align(to->type));
  } else if (value->kind == NODE_list) {
    store_list(g, to, value);
  } else if (gen_is_place(value)) {
    Place from = gen_place(g, value);
    gen_copy(g, to, &from);
  } else {
    gen_store(g, to, gen_expr(g, value));
  }
}

static Place index_array(Gen *g, Node *node)
{
  enum { RANK_MAX = 8 };
  Place place = gen_place(g, node->a);
  LLVMValueRef indices[RANK_MAX + 1] = {gen_int(g, g->i64, 0)};
  unsigned count = 1;
  LLVMTypeRef type = gen_memory_type(g, place.type);
  for (Node *index = node->b; index; index = index->next) {
    indices[count++] = gen_index(g, node, index, gen_int(g, g->i64, place.type->count));
    place.type = place.type->element;
  }
  place.address = LLVMBuildInBoundsGEP2(g->builder, type, place.address, indices, count, "");
  place.node = node;
  return place;
}

static Place index_pointer(Gen *g, Node *node)
{
  Type *type = node->a->type;
  LLVMValueRef base = gen_expr(g, node->a), offset = gen_i64(g, node->b);
  LLVMValueRef address =
      LLVMBuildInBoundsGEP2(g->builder, gen_memory_type(g, type->element), base, &offset, 1, "");
  return (Place){address, gen_space(g, type->space), type->element, false, node};
}

/* p + i, p - i, p - q. The index is an i64. */
static LLVMValueRef pointer_sum(Gen *g, Op op, Type *type, LLVMValueRef a, LLVMValueRef b,
                                bool is_distance)
{
  LLVMTypeRef element = gen_memory_type(g, type->element);
  if (!is_distance) {
    if (op == OP_sub) b = LLVMBuildNeg(g->builder, b, "");
    return LLVMBuildInBoundsGEP2(g->builder, element, a, &b, 1, "");
  }
  a = gen_convert(g, a, type, g->c->types->type_u64);
  b = gen_convert(g, b, type, g->c->types->type_u64);
  return LLVMBuildSDiv(g->builder, LLVMBuildSub(g->builder, a, b, ""),
                       gen_int(g, g->i64, type->element->bytes), "");
}

LLVMValueRef gen_pointer_sum(Gen *g, Op op, Type *type, LLVMValueRef a, Node *right)
{
  bool is_distance = right->type == type;
  return pointer_sum(g, op, type, a, is_distance ? gen_expr(g, right) : gen_i64(g, right),
                     is_distance);
}

Place gen_place(Gen *g, Node *node)
{
  if ((node->kind == NODE_index || node->kind == NODE_member) && type_is_record(node->a->type))
    return part_place(g, node);
  if (node->kind == NODE_convert && node->type->kind == TYPE_place) return gen_place(g, node->a);
  if (node->kind == NODE_index && node->a->type->kind == TYPE_pointer)
    return index_pointer(g, node);
  bool is_vector = node->kind == NODE_index || node->kind == NODE_member
                       ? node->a->type->kind == TYPE_vector
                       : false;
  if (is_vector && node->type->kind != TYPE_vector) return gen_vector_place(g, node);
  if (node->kind == NODE_index)
    return node->a->type->kind == TYPE_span ? index_view(g, node) : index_array(g, node);
  if (node->kind == NODE_name) {
    Slot *slot = slot_of(g, node);
    Type *type = node->type->kind == TYPE_place ? node->type->element : node->type;
    if (slot->kind == SLOT_memory)
      return (Place){slot->value, slot->space, type, slot->is_constant, node};
  }
  /* A value without memory: it gets some, because its address is needed for indexing. */
  Place place = {.space = SPACE_GENERIC, .type = node->type};
  LLVMValueRef value = gen_expr(g, node);
  place.address = gen_alloca(g, node->type, "value");
  gen_store(g, &place, value);
  return place;
}

/* ---- the rest ---- */

static LLVMValueRef gen_name(Gen *g, Node *node)
{
  if (node->decl->kind == NODE_function) return LLVMGetUndef(gen_type(g, node->type));
  Slot *slot = slot_of(g, node);
  if (!slot) die("'%s' has no slot", node->name->text);
  if (slot->kind == SLOT_value) return slot->value;
  if (slot->kind == SLOT_view) return gen_view_value(g, slot->view);
  Place place = {slot->value, slot->space, node->type, false, node};
  return gen_load(g, &place, node->name->text);
}

static Slot place_slot(Place place)
{
  return (Slot){.kind = SLOT_memory,
                .value = place.address,
                .space = place.space,
                .is_constant = place.is_constant};
}

static void swap_slots(Node *function, Slot **slots)
{
  for (Node *param = function->b; param; param = param->next) {
    if (param->kind != NODE_param) continue;
    Slot *slot = param->gen;
    param->gen = *slots;
    *slots++ = slot;
  }
}

/* Is it an array, or has one, in the kernel's parameters? Nothing writes there, so an inlined
 * function may read it in place. */
static bool is_kernel_param(const Node *arg)
{
  const Node *root = arg->type->has_array && gen_is_place(arg) ? place_root(arg) : NULL;
  const Slot *slot = root && root->kind == NODE_param ? root->gen : NULL;
  return slot && slot->kind == SLOT_memory && slot->space == SPACE_PARAM;
}

static Slot *argument_slot(Gen *g, Node *arg)
{
  Slot *slot = NEW(g->c->unit, Slot);
  if (arg->type->kind == TYPE_span) *slot = (Slot){.kind = SLOT_view, .view = gen_view(g, arg)};
  else if (arg->type->kind == TYPE_place || is_kernel_param(arg))
    *slot = place_slot(gen_place(g, arg));
  else *slot = (Slot){.kind = SLOT_value, .value = gen_expr(g, arg)};
  return slot;
}

/* A list of the functions that are being inlined, the innermost first. */
typedef struct Taken {
  const Node *function;
  const struct Taken *outer;
} Taken;

/* The number of nodes in a body, at most `max`. */
static unsigned count_nodes(const Node *node, unsigned max)
{
  unsigned count = 0;
  for (; node && count < max; node = node->next) {
    ++count;
    for (unsigned i = 0; i < node_width(node) && count < max; ++i)
      count += count_nodes(node->children[i], max - count);
  }
  return count < max ? count : max;
}

/* Is it a small body called in the function's own text? There are only as many such calls as the
 * program has. */
static bool is_cheap_call(const Gen *g, const Node *body)
{
  enum { SMALL = 64 };
  return !g->state->inline_depth && count_nodes(body, SMALL) < SMALL;
}

static LLVMValueRef gen_inline(Gen *g, Node *call)
{
  Node *function = call->decl, *arg = call->b, *body = function->d->a->a;
  bool is_unused = g->state->unused == call;
  Slot **slots = NEW_ARRAY(&g->c->scratch, Slot *, node_count(function->b) + 1);
  if (call->flags & FLAG_swapped) slots[1] = argument_slot(g, arg->next);
  for (unsigned i = 0; arg; arg = arg->next, ++i)
    if (!slots[i]) slots[i] = argument_slot(g, arg);
  gen_debug_at(g, call);
  if (call->d) gen_expr(g, call->d);
  LLVMValueRef frame = g->state->frame;
  uint64_t frame_from = g->state->frame_from;
  if (call->c) {
    g->state->frame = gen_frame_at(g, call->c);
    g->state->frame_from = 0;
  }
  DebugPlace outer = gen_debug_enter(g, call);
  swap_slots(function, slots);
  if (!is_cheap_call(g, body)) {
    unsigned count = count_nodes(body, g->state->inline_left);
    g->state->inline_left -= count;
    g->state->inline_all -= count < g->state->inline_all ? count : g->state->inline_all;
  }
  Taken taken = {function, g->state->taken};
  g->state->taken = &taken;
  if (!g->state->inline_depth) g->state->inline_site = call;
  ++g->state->inline_depth;
  const Node *user_site = g->state->user_site;
  if (gen_is_users(g, call)) g->state->user_site = call;
  g->state->unused = is_unused ? body : NULL;
  /* `fast` applies to the text inside it and to library functions, which are the operation
   * itself. */
  bool is_fast = g->state->is_fast;
  g->state->is_fast = is_fast && function->flags & FLAG_library;
  LLVMValueRef value = gen_expr(g, body);
  g->state->is_fast = is_fast;
  g->state->user_site = user_site;
  --g->state->inline_depth;
  g->state->taken = taken.outer;
  g->state->frame = frame;
  g->state->frame_from = frame_from;
  gen_debug_leave(g, outer);
  gen_debug_at(g, call);
  swap_slots(function, slots); /* an outer call of the same function continues with its own */
  return value;
}

/* Is the call in the function itself, as far as it is inlined? */
static bool is_recursive(const Gen *g, const Node *function)
{
  for (const Taken *taken = g->state->taken; taken; taken = taken->outer)
    if (taken->function == function) return true;
  return g->state->item == function;
}

static bool is_inline(const Gen *g, const Node *call)
{
  const Node *function = call->decl, *arg = call->b;
  enum { INLINE_DEPTH_MAX = 16 };
  if (!function->d || !(function->d->flags & FLAG_expression) || function->flags & FLAG_plan ||
      g->state->inline_depth >= INLINE_DEPTH_MAX || is_recursive(g, function) ||
      (gen_debug_is_full(g) && !(function->flags & FLAG_library)))
    return false;
  for (const Node *param = function->b; param; param = param->next) {
    if (param->kind != NODE_param) continue;
    if (param->type->has_array && !(arg && is_kernel_param(arg))) return false;
    arg = arg ? arg->next : NULL;
  }
  return (g->state->inline_left && g->state->inline_all) || is_cheap_call(g, function->d->a->a);
}

/* A struct or tuple made of its elements. */
static LLVMValueRef gen_record(Gen *g, Type *type, Node *parts)
{
  LLVMValueRef *values = NEW_ARRAY(&g->c->scratch, LLVMValueRef, node_count(parts));
  unsigned count = 0;
  for (Node *part = parts; part; part = part->next) values[count++] = gen_expr(g, part);
  return gen_parts_value(g, type, values, count);
}

static LLVMValueRef gen_argument(Gen *g, Node *arg)
{
  return arg->type->kind == TYPE_span ? gen_view_value(g, gen_view(g, arg)) : gen_expr(g, arg);
}

static LLVMValueRef gen_call(Gen *g, Node *call)
{
  bool is_tail = g->state->is_tail;
  g->state->is_tail = false;
  if (call->builtin && call->builtin->form == FORM_asm) return gen_asm(g, call);
  if (call->builtin && call->builtin->form == FORM__memory) return gen_memory(g, call);
  if (call->builtin && (call->builtin->form >= FORM_vec || call->builtin->form == FORM_bit_cast))
    return gen_vector_form(g, call);
  if (call->builtin && call->builtin->form != FORM_intrinsic) {
    return gen_form(g, call);
  }
  if (call->builtin) return gen_intrinsic(g, call);
  if (!call->decl && call->a->a->type->kind == TYPE_span) /* x.extent(k) */
    return gen_view(g, call->a->a).extents[call->b->bits];
  if (!call->decl) { /* range.step(k), range.reverse() */
    LLVMValueRef range = gen_expr(g, call->a->a);
    if (!call->b) return range; /* the order is in its type */
    return LLVMBuildInsertValue(g->builder, range, gen_expr(g, call->b), 2, "");
  }
  if (is_constructor(call->decl)) return gen_record(g, call->type, call->b);
  if (is_inline(g, call)) return gen_inline(g, call);
  LLVMValueRef args[PARAMS_MAX + 6], result = NULL, function = gen_declare(g, call->decl);
  unsigned count = 0;
  if (g->target->has_coroutines) args[count++] = g->state->thread;
  if (gen_check_has_caller(g, call->decl)) args[count++] = gen_check_caller(g, call);
  if (call->c) args[count++] = gen_frame_at(g, call->c);
  if (call->decl->flags & FLAG_scratch) {
    args[count++] = g->state->scratch;
    args[count++] = g->state->scratch_top;
  }
  if (gen_is_large(call->decl->type)) {
    result = gen_alloca(g, call->decl->type, "result");
    args[count++] = result;
  }
  if (call->flags & FLAG_swapped) args[count + 1] = gen_argument(g, call->b->next);
  for (Node *arg = call->b; arg; arg = arg->next, ++count)
    if (arg == call->b || !(call->flags & FLAG_swapped)) args[count] = gen_argument(g, arg);
  /* the barrier: other threads may still access the frame's bytes */
  if (call->d) gen_expr(g, call->d);
  gen_debug_at(g, call);
  bool is_step = call->decl->flags & FLAG_plan && !is_tail && g->state->item->kind != NODE_kernel;
  LLVMValueRef outer = is_step ? gen_scratch_call(g) : NULL;
  LLVMValueRef value =
      LLVMBuildCall2(g->builder, LLVMGlobalGetValueType(function), function, args, count, "");
  gen_note_place(g, value, call);
  if (is_step) gen_scratch_called(g, outer);
  if (call->flags & FLAG_plan) gen_leave(g);
  return result ? result : value;
}

void gen_range(Gen *g, Node *node, LLVMValueRef *lo, LLVMValueRef *hi, LLVMValueRef *step)
{
  if (node->kind == NODE_range) {
    *lo = gen_expr(g, node->a);
    *hi = gen_expr(g, node->b);
    *step = node->c ? gen_expr(g, node->c) : gen_int(g, gen_type(g, node->type->element), 1);
    return;
  }
  LLVMValueRef range = gen_expr(g, node);
  *lo = LLVMBuildExtractValue(g->builder, range, 0, "");
  *hi = LLVMBuildExtractValue(g->builder, range, 1, "");
  *step = LLVMBuildExtractValue(g->builder, range, 2, "");
}

static LLVMValueRef gen_capture(Gen *g, Node *node)
{
  LLVMValueRef closure = gen_expr(g, node->a);
  unsigned i = (unsigned)node->bits;
  return gen_is_large(node->a->type) ? gen_part(g, closure, node->a->type, i, "")
                                     : LLVMBuildExtractValue(g->builder, closure, i, "");
}

/* x.name, t[0], and an element of an array. */
static LLVMValueRef gen_element(Gen *g, Node *node)
{
  if (is_slice(node)) return gen_view_value(g, gen_view(g, node));
  if (type_is_record(node->a->type) && !gen_is_place(node->a))
    return gen_part(g, gen_expr(g, node->a), node->a->type, part_index(node),
                    node->name ? node->name->text : "");
  Place place = gen_place(g, node);
  gen_debug_at(g, node);
  return gen_load(g, &place, "");
}

static LLVMValueRef gen_lambda(Gen *g, Node *node)
{
  LLVMValueRef *parts = NEW_ARRAY(&g->c->scratch, LLVMValueRef, node_count(node->c));
  unsigned count = 0;
  for (Node *captured = node->c; captured; captured = captured->next)
    parts[count++] = gen_expr(g, captured);
  return gen_parts_value(g, node->type, parts, count);
}

static LLVMValueRef gen_fast(Gen *g, Node *node)
{
  bool is_fast = g->state->is_fast;
  g->state->is_fast = true;
  LLVMValueRef value = gen_expr(g, node->a);
  g->state->is_fast = is_fast;
  return value;
}

static LLVMValueRef gen_length(Gen *g, Node *node)
{
  View view = gen_view(g, node->a);
  LLVMValueRef length = view.extents[0];
  for (unsigned i = 1; i < view.rank; ++i)
    length = LLVMBuildMul(g->builder, length, view.extents[i], "");
  return length;
}

LLVMValueRef gen_expr(Gen *g, Node *node)
{
  if (node->type && node->type->kind == TYPE_place) {
    Place place = gen_place(g, node);
    return gen_cast_address(g, place.address, place.space, SPACE_GENERIC);
  }
  LLVMValueRef value;
  switch ((NodeKind)node->kind) {
  case NODE_int:
  case NODE_bool: return gen_int(g, gen_type(g, node->type), node->bits);
  case NODE_float:
    return node->type->kind == TYPE_bf16 ? gen_int(g, g->i16, scalar_bf16_bits(node->real))
                                         : LLVMConstReal(gen_type(g, node->type), node->real);
  case NODE_name: return gen_name(g, node);
  case NODE_unary: return gen_unary(g, node);
  case NODE_choose: return gen_choose(g, node);
  case NODE_call: return gen_call(g, node);
  case NODE_member:
    if (node->a->type->kind == TYPE_vector) return gen_swizzle(g, node);
    return node->a->type->kind == TYPE_struct ? gen_element(g, node) : gen_length(g, node);
  case NODE_tuple:
  case NODE_list: return gen_record(g, node->type, node->a);
  case NODE_each: return gen_each(g, node);
  case NODE_lambda: return gen_lambda(g, node);
  case NODE_fast: return gen_fast(g, node);
  case NODE_capture: return gen_capture(g, node);
  case NODE_convert:
    if (node->bits)
      return gen_round(g, gen_expr(g, node->a), node->a->type, node->type, node->bits);
    if (node->type->kind == TYPE_span) return gen_view_value(g, gen_view(g, node));
    value = gen_convert(g, gen_expr(g, node->a), node->a->type, node->type);
    if (node->type->kind == TYPE_pointer) gen_note_place(g, value, node);
    return value;
  case NODE_binary: {
    if (op_is_lazy(node->op)) return gen_short_circuit(g, node);
    if (node->a->type->kind == TYPE_pointer && op_gives_operand(node->op))
      return gen_pointer_sum(g, node->op, node->a->type, gen_expr(g, node->a), node->b);
    if (node->a->type->kind == TYPE_array && op_is_comparison(node->op))
      return gen_equal_arrays(g, node);
    LLVMValueRef a = gen_expr(g, node->a), b = gen_expr(g, node->b);
    gen_debug_at(g, node);
    if (op_takes(node->op) == TAKES_SHIFT)
      return gen_shift(g, node->op, node->type, a, b, node->b->type, node->b->kind == NODE_int);
    return gen_binary(g, node->op, node->a->type, a, b);
  }
  case NODE_range: {
    LLVMValueRef parts[3];
    gen_range(g, node, &parts[0], &parts[1], &parts[2]);
    return gen_parts_value(g, node->type, parts, 3);
  }
  case NODE_index: {
    if (node->a->type->kind != TYPE_vector) return gen_element(g, node);
    return gen_indexed_component(g, node);
  }
  default: die("no code for a '%s'", node_kind_name(node->kind));
  }
}
