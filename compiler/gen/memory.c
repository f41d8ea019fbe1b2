/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* memory.c - generates atomics, fences, and loads and stores with hints (front/memory.def).
 *
 * GPU    Inline PTX, since libNVVM drops the order and scope of LLVM's atomics. An operation that
 *        PTX doesn't have is a loop around atom.cas; one of 8 bits, around that of its 32-bit word.
 * host   LLVM's atomics. The threads of a block run one after the other, blocks on several cores.
 *
 * An update is generated in the first of these forms that fits (gen_update):
 *
 *     one instruction          add.f32; v4.f32 of global memory on sm_90; ...     gen_native()
 *     one per component        a vector whose components have an instruction      gen_components()
 *     compare-and-swap loop    the rest: load; again: compute, cas, on failure    gen_loop()
 *                              again
 *
 * An update whose result isn't used becomes `red`, for which the thread doesn't wait; ptxas does
 * that itself only for a plain `atom`. A red can't acquire, so only relaxed and release updates may
 * become one. Whether the result is used is known only after the statement is generated. So
 * gen_native() remembers the atom and the equivalent red, and gen_unused() replaces the one by the
 * other.
 *
 * A seq_cst operation is fence.sc followed by the acquire form; a store behind fence.sc may be
 * relaxed. Before sm_90 there are no clusters, and their scope is the device's.
 */
#include "front/memory.h"
#include "front/builtin.h"
#include "front/target.h"
#include "gen/gen_private.h"

#include <string.h>

enum { LLVMAtomicRMWBinOpNONE = -1, PARTS_MAX = 4 };

static const struct {
  const char *ptx, *native;
  int is_signed, is_unsigned, is_float;
} rows[] = {
#define MEMORY(name, operands, ptx, native, s, u, f)                                               \
  {ptx, native, LLVMAtomicRMWBinOp##s, LLVMAtomicRMWBinOp##u, LLVMAtomicRMWBinOp##f},
#include "front/memory.def"
};

/* The operands of a call of __memory. */
typedef struct Access {
  MemoryOp op;
  Place place;
  LLVMValueRef values[2];
  uint64_t order, scope, cache;
} Access;

static Access take_apart(Gen *g, Node *call)
{
  Access access = {.op = memory_named(call->b->text)};
  const char *letter = memory_operands(access.op);
  unsigned values = 0;
  for (Node *arg = call->b->next; arg; arg = arg->next) {
    switch (*letter++) {
    case 'p': access.place = gen_place(g, arg); break;
    case 'v': access.values[values++] = gen_expr(g, arg); break;
    case 'o': access.order = arg->bits; break;
    case 's': access.scope = arg->bits; break;
    default: access.cache = arg->bits; break;
    }
  }
  return access;
}

/* ---- the host ---- */

static LLVMAtomicOrdering ordering(uint64_t order)
{
  static const LLVMAtomicOrdering orders[] = {
      LLVMAtomicOrderingMonotonic, LLVMAtomicOrderingAcquire, LLVMAtomicOrderingRelease,
      LLVMAtomicOrderingAcquireRelease, LLVMAtomicOrderingSequentiallyConsistent};
  return orders[order];
}

/* The integer type of the same width. */
static LLVMTypeRef bits_type(Gen *g, const Type *type)
{
  return LLVMIntTypeInContext(g->context, 8 * (unsigned)type_bytes(type));
}

/* The integer, or the pair of integers, that has the bytes of a value. */
static Type *type_of_bytes(Gen *g, uint64_t bytes)
{
  Types *types = g->c->types;
  return bytes == 16  ? type_vector(types, types->type_u64, 2)
         : bytes == 8 ? types->type_u64
         : bytes == 4 ? types->type_u32
         : bytes == 2 ? types->type_u16
                      : types->type_u8;
}

static bool is_bits(const Type *type)
{
  return type_is_int(type) || type_is_enum(type) || type->kind == TYPE_bf16;
}

static LLVMValueRef to_bits(Gen *g, LLVMValueRef value, const Type *type)
{
  return is_bits(type) ? value : LLVMBuildBitCast(g->builder, value, bits_type(g, type), "");
}

static LLVMValueRef from_bits(Gen *g, LLVMValueRef bits, Type *type)
{
  return is_bits(type) ? bits : LLVMBuildBitCast(g->builder, bits, gen_type(g, type), "");
}

/* Compare-and-swap: gives the old value. */
static LLVMValueRef host_swap(Gen *g, const Access *access, LLVMValueRef expected,
                              LLVMValueRef value)
{
  static const LLVMAtomicOrdering failures[] = {
      LLVMAtomicOrderingMonotonic, LLVMAtomicOrderingAcquire, LLVMAtomicOrderingMonotonic,
      LLVMAtomicOrderingAcquire, LLVMAtomicOrderingSequentiallyConsistent};
  LLVMValueRef made =
      LLVMBuildAtomicCmpXchg(g->builder, access->place.address, expected, value,
                             ordering(access->order), failures[access->order], false);
  return LLVMBuildExtractValue(g->builder, made, 0, "");
}

/* Reports the access to the host device in a checked build. */
static void tell(Gen *g, const Access *access, bool is_unused)
{
  bool is_load = access->op == MEMORY_load, is_store = access->op == MEMORY_store;
  switch (access->op) {
  case MEMORY_load_hint: break; /* gen_load does */
  case MEMORY_store_hint: gen_check_access(g, &access->place, true); break;
  case MEMORY_fence: gen_check_fence(g); break;
  default:
    if (access->order != WORD_order_relaxed) gen_check_fence(g);
    gen_check_atomic(g, &access->place, !is_store && !(access->op == MEMORY_exchange && is_unused),
                     !is_load);
  }
}

/* Atomic loads and stores, as integers: LLVM has none of vectors. */
static LLVMValueRef host_move(Gen *g, const Access *access)
{
  Type *type = access->place.type;
  bool is_load = access->op == MEMORY_load;
  LLVMValueRef made =
      is_load
          ? LLVMBuildLoad2(g->builder, bits_type(g, type), access->place.address, "")
          : LLVMBuildStore(g->builder, to_bits(g, access->values[0], type), access->place.address);
  /* An alignment below the size would become a call of libatomic. */
  LLVMSetAlignment(made, (unsigned)type_bytes(type));
  LLVMSetOrdering(made, ordering(access->order));
  return is_load ? from_bits(g, made, type) : NULL;
}

static LLVMValueRef host_hinted(Gen *g, const Access *access)
{
  bool is_volatile = access->cache == WORD_cache_volatile;
  if (access->op == MEMORY_load_hint) {
    LLVMValueRef made = gen_load(g, &access->place, "");
    LLVMSetVolatile(made, is_volatile);
    return made;
  }
  LLVMValueRef made = LLVMBuildStore(g->builder, access->values[0], access->place.address);
  LLVMSetAlignment(made, gen_align(access->place.type));
  LLVMSetVolatile(made, is_volatile);
  return NULL;
}

static LLVMValueRef host_update(Gen *g, const Access *access)
{
  Type *type = access->place.type;
  int op = type_is_float(type)    ? rows[access->op].is_float
           : type_is_signed(type) ? rows[access->op].is_signed
                                  : rows[access->op].is_unsigned;
  return LLVMBuildAtomicRMW(g->builder, (LLVMAtomicRMWBinOp)op, access->place.address,
                            access->values[0], ordering(access->order), false);
}

/* ---- PTX ---- */

static const char *space_text(unsigned space)
{
  return space == SPACE_GLOBAL ? ".global" : space == SPACE_SHARED ? ".shared" : "";
}

static const char *scope_text(const Gen *g, uint64_t scope)
{
  static const char *const scopes[] = {".cta", ".cluster", ".gpu", ".sys"};
  return scope == WORD_scope_cluster && g->c->target->sm < 90 ? ".gpu" : scopes[scope];
}

/* The fence in front of a sequentially consistent access. */
static const char *fence_text(Gen *g, const Access *access)
{
  if (access->order != WORD_order_seq_cst) return "";
  return arena_printf(&g->c->scratch, "fence.sc%s; ", scope_text(g, access->scope));
}

static const char *order_text(uint64_t order)
{
  static const char *const orders[] = {".relaxed", ".acquire", ".release", ".acq_rel", ".acquire"};
  return orders[order];
}

/* The PTX form of an update of a type: its suffix, and the registers of the operand. */
typedef struct Form {
  const char *text; /* NULL: it has none */
  LLVMTypeRef part; /* of a register */
  unsigned count;   /* of registers */
} Form;

static bool has_letter(MemoryOp op, char letter)
{
  return letter && strchr(rows[op].native, letter);
}

/* The form of 32-bit and 64-bit values: of their own type, or of any type of that width (b32,
 * b64). */
static Form word_form(Gen *g, MemoryOp op, const Type *type)
{
  static const struct {
    char letter;
    const char *text;
  } names[] = {{'s', "s32"}, {'u', "u32"}, {'l', "s64"}, {'w', "u64"},
               {'f', "f32"}, {'d', "f64"}, {'b', "b32"}, {'q', "b64"}};
  uint64_t bytes = type_bytes(type);
  bool is_wide = bytes == 8, is_number = type_is_int(type) || type_is_float(type);
  bool has_gap = type->kind == TYPE_vector && type->count == 3;
  if ((bytes != 4 && bytes != 8) || has_gap) return (Form){0};
  char letter = !is_number             ? 0
                : type_is_float(type)  ? (is_wide ? 'd' : 'f')
                : type_is_signed(type) ? (is_wide ? 'l' : 's')
                                       : (is_wide ? 'w' : 'u');
  /* In two's complement, only min and max depend on the sign. */
  if (letter == 's' && op != MEMORY_min && op != MEMORY_max) letter = 'u';
  if (letter == 'l' && op != MEMORY_min && op != MEMORY_max) letter = 'w';
  if (!has_letter(op, letter)) letter = is_wide ? 'q' : 'b';
  if (!has_letter(op, letter)) return (Form){0};
  unsigned i = 0;
  while (names[i].letter != letter) ++i;
  LLVMTypeRef part = letter == 'f' ? g->f32 : letter == 'd' ? g->f64 : is_wide ? g->i64 : g->i32;
  return (Form){names[i].text, part, 1};
}

/* The form of halves, of pairs of them, and from sm_90 on of 8 or 16 bytes of global memory, where
 * each component is updated atomically on its own. */
static Form float_form(Gen *g, const Access *access)
{
  Type *type = access->place.type, *scalar = type_scalar_of(type);
  unsigned count = type->kind == TYPE_vector ? type->count : 1;
  bool is_new = g->c->target->sm >= 90, is_wide = is_new && access->place.space == SPACE_GLOBAL;
  const char *name = scalar->kind == TYPE_f16 ? "f16" : "bf16";
  if (scalar->kind == TYPE_f32 && has_letter(access->op, 'f') && is_wide) {
    if (count == 2) return (Form){"v2.f32", g->f32, 2};
    if (count == 4) return (Form){"v4.f32", g->f32, 4};
  }
  if (!type_is_half(scalar) || !has_letter(access->op, scalar->kind == TYPE_f16 ? 'h' : 'k') ||
      (scalar->kind == TYPE_bf16 && !is_new))
    return (Form){0};
  if (count == 1) return (Form){arena_printf(&g->c->scratch, "noftz.%s", name), g->i16, 1};
  if (count == 2) return (Form){arena_printf(&g->c->scratch, "noftz.%sx2", name), g->i32, 1};
  if (!is_wide || (count != 4 && count != 8)) return (Form){0};
  return (Form){arena_printf(&g->c->scratch, "noftz.v%u.%sx2", count / 2, name), g->i32, count / 2};
}

static Form form_of(Gen *g, const Access *access)
{
  Form form = float_form(g, access);
  return form.text ? form : word_form(g, access->op, access->place.type);
}

/* Puts the results of an instruction into a vector, from component `at` on. */
static LLVMValueRef with_results(Gen *g, LLVMValueRef vector, unsigned at, LLVMValueRef made,
                                 unsigned count)
{
  for (unsigned i = 0; i < count; ++i)
    vector = gen_with_component(g, vector, LLVMBuildExtractValue(g->builder, made, i, ""), at + i);
  return vector;
}

/* The registers of a value, and a value of registers. */
static void take_parts(Gen *g, const Form *form, LLVMValueRef value, LLVMValueRef *parts)
{
  LLVMTypeRef type = form->count == 1 ? form->part : LLVMVectorType(form->part, form->count);
  value = LLVMBuildBitCast(g->builder, value, type, "");
  for (unsigned i = 0; i < form->count; ++i)
    parts[i] = form->count == 1 ? value : gen_component(g, value, i);
}

static LLVMValueRef join_parts(Gen *g, const Form *form, LLVMValueRef made, LLVMTypeRef type)
{
  if (form->count > 1)
    made = with_results(g, LLVMGetUndef(LLVMVectorType(form->part, form->count)), 0, made,
                        form->count);
  return LLVMBuildBitCast(g->builder, made, type, "");
}

/* "$3", or "{$3, $4}". */
static const char *operands_text(Gen *g, unsigned first, unsigned count)
{
  Buf out = BUF(&g->c->scratch);
  for (unsigned i = 0; i < count; ++i) buf_printf(&out, "%s$%u", i ? ", " : "", first + i);
  return count == 1 ? buf_text(&out) : arena_printf(&g->c->scratch, "{%s}", buf_text(&out));
}

/* An exchange or compare-and-swap (`expected` is not NULL) of 128 bits. They are passed as pairs of
 * 64 bits, since inline assembly has no operands of .b128. */
static LLVMValueRef gpu_swap_wide(Gen *g, const Access *access, LLVMValueRef expected,
                                  LLVMValueRef value)
{
  LLVMTypeRef pair = LLVMVectorType(g->i64, 2);
  LLVMValueRef from[2] = {value, expected}, args[5] = {access->place.address};
  unsigned count = 1;
  for (unsigned i = 0; i < 2 && from[i]; ++i) {
    LLVMValueRef parts = LLVMBuildBitCast(g->builder, from[i], pair, "");
    for (unsigned k = 0; k < 2; ++k) args[count++] = gen_component(g, parts, k);
  }
  const char *text = arena_printf(&g->c->scratch,
                                  "{ .reg .b128 value, expected, found; mov.b128 value, {$3, $4}; "
                                  "%s%satom%s%s%s.%s.b128 found, "
                                  "[$2], %svalue; mov.b128 {$0, $1}, found; }",
                                  expected ? "mov.b128 expected, {$5, $6}; " : "",
                                  fence_text(g, access), order_text(access->order),
                                  scope_text(g, access->scope), space_text(access->place.space),
                                  expected ? "cas" : "exch", expected ? "expected, " : "");
  LLVMValueRef made = asm_memory(g, text, g->i64, 2, args, count);
  made = with_results(g, LLVMGetUndef(pair), 0, made, 2);
  return LLVMBuildBitCast(g->builder, made, gen_type(g, access->place.type), "");
}

/* atom.cas on an address. */
static LLVMValueRef gpu_swap(Gen *g, const Access *access, LLVMValueRef address,
                             LLVMValueRef expected, LLVMValueRef value)
{
  LLVMValueRef args[3] = {address, expected, value};
  const char *text =
      arena_printf(&g->c->scratch, "%satom%s%s%s.cas.b%u $0, [$1], $2, $3;", fence_text(g, access),
                   order_text(access->order), scope_text(g, access->scope),
                   space_text(access->place.space), LLVMGetIntTypeWidth(LLVMTypeOf(value)));
  return asm_memory(g, text, LLVMTypeOf(value), 1, args, 3);
}

static LLVMValueRef negated(Gen *g, LLVMValueRef value, Type *type)
{
  if (type->kind == TYPE_vector) {
    for (unsigned i = 0; i < type->count; ++i)
      value =
          gen_with_component(g, value, negated(g, gen_component(g, value, i), type->element), i);
    return value;
  }
  if (type->kind == TYPE_bf16) return gen_half_negate(g, value);
  return type_is_float(type) ? LLVMBuildFNeg(g->builder, value, "")
                             : LLVMBuildNeg(g->builder, value, "");
}

/* ---- compare and swap in a loop ---- */

/* The word for a compare-and-swap: the value itself, or for 8 bits the aligned 32 bits around
 * it. */
typedef struct Word {
  LLVMValueRef address, shift; /* shift: NULL if the value fills it */
  LLVMTypeRef type;
} Word;

static Word word_of(Gen *g, const Place *place)
{
  if (type_bytes(place->type) > 1 || g->target->has_byte_atomics)
    return (Word){place->address, NULL, bits_type(g, place->type)};
  LLVMBuilderRef b = g->builder;
  LLVMValueRef at = LLVMBuildPtrToInt(b, place->address, g->i64, ""),
               low = LLVMBuildAnd(b, at, gen_int(g, g->i64, 3), ""),
               base = LLVMBuildAnd(b, at, gen_int(g, g->i64, ~3ull), ""),
               shift =
                   LLVMBuildTrunc(b, LLVMBuildShl(b, low, gen_int(g, g->i64, 3), ""), g->i32, "");
  return (Word){LLVMBuildIntToPtr(b, base, LLVMTypeOf(place->address), ""), shift, g->i32};
}

static LLVMValueRef word_get(Gen *g, const Word *word, LLVMValueRef bits)
{
  if (!word->shift) return bits;
  return LLVMBuildTrunc(g->builder, LLVMBuildLShr(g->builder, bits, word->shift, ""), g->i8, "");
}

static LLVMValueRef word_set(Gen *g, const Word *word, LLVMValueRef bits, LLVMValueRef value)
{
  LLVMBuilderRef b = g->builder;
  if (!word->shift) return value;
  LLVMValueRef mask = LLVMBuildShl(b, gen_int(g, g->i32, 0xff), word->shift, ""),
               kept = LLVMBuildAnd(b, bits, LLVMBuildNot(b, mask, ""), ""),
               put = LLVMBuildShl(b, LLVMBuildZExt(b, value, g->i32, ""), word->shift, "");
  return LLVMBuildOr(b, kept, put, "");
}

/* min or max of floats; of a number and a NaN, the number. */
static LLVMValueRef float_extreme(Gen *g, MemoryOp op, Type *type, LLVMValueRef old,
                                  LLVMValueRef value)
{
  Type *wide = type_is_half(type) ? g->c->types->type_f32 : type;
  LLVMValueRef args[2] = {gen_convert(g, old, type, wide), gen_convert(g, value, type, wide)};
  const char *name = arena_printf(&g->c->scratch, "llvm.%snum.f%u",
                                  op == MEMORY_min ? "min" : "max", (unsigned)wide->bits);
  return gen_convert(g, gen_call_named(g, name, gen_type(g, wide), args, 2), wide, type);
}

static LLVMValueRef combine(Gen *g, const Access *access, Type *type, LLVMValueRef old,
                            LLVMValueRef value)
{
  LLVMBuilderRef b = g->builder;
  if (type->kind == TYPE_vector) {
    LLVMValueRef made = old;
    for (unsigned i = 0; i < type->count; ++i)
      made = gen_with_component(
          g, made,
          combine(g, access, type->element, gen_component(g, old, i), gen_component(g, value, i)),
          i);
    return made;
  }
  LLVMValueRef one = NULL, zero = NULL, test;
  bool is_min = access->op == MEMORY_min;
  if (access->op == MEMORY_inc || access->op == MEMORY_dec) {
    one = gen_int(g, gen_type(g, type), 1);
    zero = gen_int(g, gen_type(g, type), 0);
  }
  switch (access->op) {
  case MEMORY_add: return gen_binary(g, OP_add, type, old, value);
  case MEMORY_sub: return gen_binary(g, OP_sub, type, old, value);
  case MEMORY_and: return gen_binary(g, OP_and, type, old, value);
  case MEMORY_or: return gen_binary(g, OP_or, type, old, value);
  case MEMORY_xor: return gen_binary(g, OP_xor, type, old, value);
  case MEMORY_exchange: return value;
  case MEMORY_min:
  case MEMORY_max:
    if (type_is_float(type)) return float_extreme(g, access->op, type, old, value);
    test = gen_binary(g, is_min ? OP_lt : OP_gt, type, value, old);
    return LLVMBuildSelect(b, test, value, old, "");
  case MEMORY_inc:
    test = LLVMBuildICmp(b, LLVMIntUGE, old, value, "");
    return LLVMBuildSelect(b, test, zero, LLVMBuildAdd(b, old, one, ""), "");
  case MEMORY_dec:
    test = LLVMBuildICmp(b, LLVMIntUGE, LLVMBuildSub(b, old, one, ""), value, "");
    return LLVMBuildSelect(b, test, value, LLVMBuildSub(b, old, one, ""), "");
  default: die("no loop for '%s'", rows[access->op].ptx);
  }
}

/* Compares what lies at an address with `expected`, and puts `value` there if it is equal. What was
 * there. */
static LLVMValueRef swap(Gen *g, const Access *access, LLVMValueRef address, LLVMValueRef expected,
                         LLVMValueRef value)
{
  return g->target->has_ptx ? gpu_swap(g, access, address, expected, value)
                            : host_swap(g, access, expected, value);
}

static LLVMValueRef plain_load(Gen *g, const Access *access, const Word *word)
{
  if (!g->target->has_ptx) {
    LLVMValueRef made = LLVMBuildLoad2(g->builder, word->type, word->address, "");
    LLVMSetAlignment(made, gen_align(access->place.type));
    LLVMSetOrdering(made, LLVMAtomicOrderingMonotonic);
    return made;
  }
  const char *text =
      arena_printf(&g->c->scratch, "ld.relaxed%s%s.b%u $0, [$1];", scope_text(g, access->scope),
                   space_text(access->place.space), LLVMGetIntTypeWidth(word->type));
  return asm_memory(g, text, word->type, 1, &word->address, 1);
}

/* Updates in a compare-and-swap loop and gives the old value. A cas of 8 bits that finds another
 * value than the expected one writes back what it found. */
static LLVMValueRef gen_loop(Gen *g, const Access *access)
{
  LLVMBuilderRef b = g->builder;
  Type *type = access->place.type;
  Word word = word_of(g, &access->place);
  LLVMValueRef first = plain_load(g, access, &word);
  LLVMBasicBlockRef before = LLVMGetInsertBlock(b), again = gen_block(g, "atomic.again"),
                    end = gen_block(g, "atomic.end");
  gen_go(g, again);
  LLVMValueRef seen = LLVMBuildPhi(b, word.type, "seen"), bits = word_get(g, &word, seen),
               old = from_bits(g, bits, type), made;
  if (access->op == MEMORY_cas) {
    LLVMValueRef is_same = LLVMBuildICmp(b, LLVMIntEQ, bits, access->values[0], "");
    made = LLVMBuildSelect(b, is_same, access->values[1], bits, "");
  } else {
    made = to_bits(g, combine(g, access, type, old, access->values[0]), type);
  }
  made = word_set(g, &word, seen, made);
  LLVMValueRef found = swap(g, access, word.address, seen, made);
  LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, found, seen, ""), end, again);
  gen_incoming(seen, first, before, found, again);
  gen_at(g, end);
  return old;
}

/* ---- instructions ---- */

static bool can_reduce(const Access *access)
{
  return access->op != MEMORY_exchange &&
         (access->order == WORD_order_relaxed || access->order == WORD_order_release);
}

static LLVMValueRef gen_native(Gen *g, const Access *access, const Form *form)
{
  Type *type = access->place.type;
  LLVMValueRef value = access->values[0], args[1 + PARTS_MAX] = {access->place.address};
  if (access->op == MEMORY_sub) value = negated(g, value, type);
  take_parts(g, form, value, args + 1);
  const char *tail = arena_printf(&g->c->scratch, "%s%s%s.%s.%s", order_text(access->order),
                                  scope_text(g, access->scope), space_text(access->place.space),
                                  rows[access->op].ptx, form->text);
  const char *text = arena_printf(&g->c->scratch, "%satom%s %s, [$%u], %s;", fence_text(g, access),
                                  tail, operands_text(g, 0, form->count), form->count,
                                  operands_text(g, form->count + 1, form->count));
  LLVMValueRef made = asm_memory(g, text, form->part, form->count, args, form->count + 1);
  if (can_reduce(access)) {
    Reduction *reduction = &g->state->reductions[g->state->reduction_count++];
    *reduction = (Reduction){.made = made, .count = form->count + 1};
    memcpy(reduction->args, args, sizeof args);
    reduction->text =
        arena_printf(&g->c->scratch, "red%s [$0], %s;", tail, operands_text(g, 1, form->count));
  }
  return join_parts(g, form, made, gen_type(g, type));
}

static LLVMValueRef gen_update(Gen *g, const Access *access);

/* Updates each component of a vector by an atomic operation of its own. */
static LLVMValueRef gen_components(Gen *g, const Access *access)
{
  Type *type = access->place.type;
  LLVMValueRef result = LLVMGetUndef(gen_type(g, type));
  for (unsigned i = 0; i < type->count; ++i) {
    LLVMValueRef indices[2] = {gen_int(g, g->i64, 0), gen_int(g, g->i64, i)};
    Access one = *access;
    one.place.type = type->element;
    one.place.address = LLVMBuildInBoundsGEP2(g->builder, gen_memory_type(g, type),
                                              access->place.address, indices, 2, "");
    one.values[0] = gen_component(g, access->values[0], i);
    result = gen_with_component(g, result, gen_update(g, &one), i);
  }
  return result;
}

/* Is there an instruction for the update? */
static bool has_own_update(Gen *g, const Access *access)
{
  return g->target->has_ptx ? form_of(g, access).text != NULL : !type_is_half(access->place.type);
}

/* Is the whole vector one word for a compare-and-swap loop, because its components have no form? */
static bool is_word_of_parts(Gen *g, const Access *access)
{
  Access one = *access;
  one.place.type = access->place.type->element;
  uint64_t bytes = type_bytes(access->place.type);
  return (bytes == 2 || bytes == 4 || bytes == 8) && access->place.type->count != 3 &&
         !has_own_update(g, &one);
}

static LLVMValueRef gen_update(Gen *g, const Access *access)
{
  Type *type = access->place.type;
  bool is_vector = type->kind == TYPE_vector, is_exchange = access->op == MEMORY_exchange;
  if (is_exchange && type_bytes(type) == 16 && !g->target->has_ptx) {
    LLVMValueRef bits = to_bits(g, access->values[0], type);
    LLVMValueRef made =
        LLVMBuildAtomicRMW(g->builder, LLVMAtomicRMWBinOpXchg, access->place.address, bits,
                           ordering(access->order), false);
    return from_bits(g, made, type);
  }
  if (is_exchange && type_bytes(type) == 16)
    return gpu_swap_wide(g, access, NULL, access->values[0]);
  if (is_exchange && (is_vector || type_is_half(type))) {
    Access whole = *access; /* one exchange of bits, whatever the type */
    whole.place.type = type_of_bytes(g, type_bytes(type));
    whole.values[0] = to_bits(g, access->values[0], type);
    return from_bits(g, gen_update(g, &whole), type);
  }
  Form form = {0};
  if (g->target->has_ptx) form = form_of(g, access);
  if (form.text) return gen_native(g, access, &form);
  if (is_vector && !is_word_of_parts(g, access)) return gen_components(g, access);
  return !is_vector && has_own_update(g, access) ? host_update(g, access) : gen_loop(g, access);
}

/* The whole update. It is remembered as replaceable if all its parts can become `red`. */
static LLVMValueRef gen_updates(Gen *g, const Access *access)
{
  unsigned steps = 1;
  g->state->reduction_count = 0;
  LLVMValueRef made = gen_update(g, access);
  if (g->state->reduction_count > 1) steps = access->place.type->count;
  g->state->reduction_value = g->state->reduction_count == steps ? made : NULL;
  return made;
}

/* Erases the atoms that were replaced, and what was computed of their results. */
static void drop(LLVMValueRef value)
{
  enum { OPERANDS_MAX = 2 + PARTS_MAX };
  if (!LLVMIsAInstruction(value) || LLVMGetFirstUse(value)) return;
  LLVMValueRef operands[OPERANDS_MAX];
  unsigned count = 0;
  bool is_call = LLVMIsACallInst(value) != NULL;
  for (int i = 0; !is_call && i < LLVMGetNumOperands(value) && count < OPERANDS_MAX; ++i)
    operands[count++] = LLVMGetOperand(value, (unsigned)i);
  LLVMInstructionEraseFromParent(value);
  for (unsigned i = 0; i < count; ++i)
    if (i == 0 || operands[i] != operands[0]) drop(operands[i]);
}

void gen_unused(Gen *g, LLVMValueRef value)
{
  if (!value || value != g->state->reduction_value || LLVMGetFirstUse(value)) return;
  LLVMBasicBlockRef here = LLVMGetInsertBlock(g->builder);
  for (unsigned i = 0; i < g->state->reduction_count; ++i) {
    Reduction *reduction = &g->state->reductions[i];
    LLVMPositionBuilderBefore(g->builder, reduction->made);
    LLVMValueRef made = asm_memory(g, reduction->text, NULL, 0, reduction->args, reduction->count);
    LLVMInstructionSetDebugLoc(made, LLVMInstructionGetDebugLoc(reduction->made));
  }
  LLVMPositionBuilderAtEnd(g->builder, here);
  drop(value);
  g->state->reduction_value = NULL;
}

static LLVMValueRef gen_exchange(Gen *g, const Access *access)
{
  Type *type = access->place.type;
  if (g->target->has_ptx && type_bytes(type) == 16)
    return gpu_swap_wide(g, access, access->values[0], access->values[1]);
  if (!g->target->has_byte_atomics && type_bytes(type) == 1) return gen_loop(g, access);
  LLVMValueRef expected = to_bits(g, access->values[0], type),
               value = to_bits(g, access->values[1], type);
  return from_bits(g, swap(g, access, access->place.address, expected, value), type);
}

/* A value as 32-bit words, or as one shorter integer. Of three components the fourth is
 * undefined. */
static LLVMValueRef to_words(Gen *g, LLVMValueRef value, Type *type, LLVMTypeRef words)
{
  if (type->kind == TYPE_vector && type->count == 3) {
    LLVMValueRef whole = LLVMGetUndef(LLVMVectorType(gen_type(g, type->element), 4));
    for (unsigned i = 0; i < 3; ++i)
      whole = gen_with_component(g, whole, gen_component(g, value, i), i);
    value = whole;
  }
  return LLVMBuildBitCast(g->builder, value, words, "");
}

static LLVMValueRef from_words(Gen *g, LLVMValueRef words, Type *type)
{
  if (type->kind != TYPE_vector || type->count != 3)
    return LLVMBuildBitCast(g->builder, words, gen_type(g, type), "");
  LLVMTypeRef whole = LLVMVectorType(gen_type(g, type->element), 4);
  LLVMValueRef value = LLVMBuildBitCast(g->builder, words, whole, ""),
               result = LLVMGetUndef(gen_type(g, type));
  for (unsigned i = 0; i < 3; ++i)
    result = gen_with_component(g, result, gen_component(g, value, i), i);
  return result;
}

/* ld or st of 8, 16, 32 or 64 bits. Values of 8 bits are in 16-bit registers. */
static LLVMValueRef move_scalar(Gen *g, const Access *access, const char *how)
{
  Type *type = access->place.type;
  bool is_load = access->op == MEMORY_load || access->op == MEMORY_load_hint;
  unsigned bits = 8 * (unsigned)type_bytes(type);
  LLVMTypeRef own = type->kind == TYPE_f32 || type->kind == TYPE_f64
                        ? gen_type(g, type)
                        : LLVMIntTypeInContext(g->context, bits);
  LLVMTypeRef carrier = bits == 8 ? g->i16 : own;
  const char *text =
      arena_printf(&g->c->scratch, is_load ? "%s.b%u $0, [$1];" : "%s.b%u [$0], $1;", how, bits);
  LLVMValueRef args[2] = {access->place.address, access->values[0]};
  if (is_load) {
    LLVMValueRef made = asm_memory(g, text, carrier, 1, args, 1);
    if (bits == 8) made = LLVMBuildTrunc(g->builder, made, g->i8, "");
    return from_words(g, made, type);
  }
  args[1] = to_words(g, args[1], type, own);
  if (bits == 8) args[1] = LLVMBuildZExt(g->builder, args[1], g->i16, "");
  asm_memory(g, text, NULL, 0, args, 2);
  return NULL;
}

/* ld or st of a vector: 16 bytes in one access, more in several. */
static LLVMValueRef move(Gen *g, const Access *access, const char *how)
{
  Type *type = access->place.type;
  if (type_bytes(type) <= 8) return move_scalar(g, access, how);
  bool is_load = access->op == MEMORY_load_hint;
  unsigned count = (unsigned)type_bytes(type) / 4;
  LLVMTypeRef whole = LLVMVectorType(g->i32, count);
  LLVMValueRef words = is_load ? LLVMGetUndef(whole) : to_words(g, access->values[0], type, whole);
  for (unsigned at = 0; at < count; at += PARTS_MAX) {
    LLVMValueRef offset = gen_int(g, g->i64, at), args[1 + PARTS_MAX];
    args[0] = LLVMBuildInBoundsGEP2(g->builder, g->i32, access->place.address, &offset, 1, "");
    for (unsigned i = 0; !is_load && i < PARTS_MAX; ++i)
      args[1 + i] = gen_component(g, words, at + i);
    const char *text = arena_printf(
        &g->c->scratch,
        is_load ? "%s.v4.b32 {$0, $1, $2, $3}, [$4];" : "%s.v4.b32 [$0], {$1, $2, $3, $4};", how);
    LLVMValueRef made =
        asm_memory(g, text, g->i32, is_load ? PARTS_MAX : 0, args, is_load ? 1 : 1 + PARTS_MAX);
    if (is_load) words = with_results(g, words, at, made, PARTS_MAX);
  }
  return is_load ? from_words(g, words, type) : NULL;
}

/* ld or st of 128 bits in one access. A vector of two words of 64 bits would be two accesses in the
 * memory model. */
static LLVMValueRef move_wide(Gen *g, const Access *access, const char *how)
{
  Type *type = access->place.type;
  LLVMTypeRef pair = LLVMVectorType(g->i64, 2);
  LLVMValueRef args[3] = {access->place.address};
  if (access->op == MEMORY_load) {
    const char *text = arena_printf(
        &g->c->scratch, "{ .reg .b128 v; %s.b128 v, [$2]; mov.b128 {$0, $1}, v; }", how);
    LLVMValueRef made = asm_memory(g, text, g->i64, 2, args, 1);
    return from_words(g, with_results(g, LLVMGetUndef(pair), 0, made, 2), type);
  }
  LLVMValueRef words = to_words(g, access->values[0], type, pair);
  for (unsigned i = 0; i < 2; ++i) args[1 + i] = gen_component(g, words, i);
  const char *text =
      arena_printf(&g->c->scratch, "{ .reg .b128 v; mov.b128 v, {$1, $2}; %s.b128 [$0], v; }", how);
  asm_memory(g, text, NULL, 0, args, 3);
  return NULL;
}

static LLVMValueRef gen_ordered(Gen *g, const Access *access)
{
  bool is_load = access->op == MEMORY_load;
  bool is_sc_store = !is_load && access->order == WORD_order_seq_cst;
  const char *how =
      arena_printf(&g->c->scratch, "%s%s%s%s%s", fence_text(g, access), is_load ? "ld" : "st",
                   is_sc_store ? ".relaxed" : order_text(access->order),
                   scope_text(g, access->scope), space_text(access->place.space));
  return type_bytes(access->place.type) == 16 ? move_wide(g, access, how) : move(g, access, how);
}

/* Cache hints apply to global memory, where a generic address may point. What nothing writes is
 * loaded by .nc, which stands behind an operator (.cs) and in front of a priority (.L1::...). */
static LLVMValueRef gen_hinted(Gen *g, const Access *access)
{
  static const char *const hints[][2] = {/* of stores, of loads: in the order of WORD_cache_... */
                                         {".wb", ".ca"},
                                         {".cg", ".cg"},
                                         {".cs", ".cs"},
                                         {"", ".lu"},
                                         {".L1::no_allocate", ".L1::no_allocate"},
                                         {"", ".nc"},
                                         {".wt", ".cv"},
                                         {"", ""},
                                         {".L1::evict_first", ".L1::evict_first"},
                                         {".L1::evict_last", ".L1::evict_last"}};
  bool is_load = access->op == MEMORY_load_hint;
  unsigned space = access->place.space;
  const char *verb = is_load ? "ld" : "st", *hint = "", *before = "", *nc = "";
  if (access->cache == WORD_cache_volatile) before = ".volatile";
  else if (space != SPACE_SHARED) hint = hints[access->cache][is_load];
  /* .nc and .L1:: need the instruction's .global, so a generic address can't have them */
  bool is_global = space == SPACE_GLOBAL, is_priority = !strncmp(hint, ".L1", 3);
  if (!is_global && (!strcmp(hint, ".nc") || is_priority)) hint = "";
  bool is_operator = !strcmp(hint, ".ca") || !strcmp(hint, ".cg") || !strcmp(hint, ".cs");
  if (is_load && access->place.is_constant && is_global && (is_priority || is_operator)) nc = ".nc";
  return move(g, access,
              arena_printf(&g->c->scratch, "%s%s%s%s%s", verb, before, space_text(space),
                           is_priority ? nc : hint, is_priority ? hint : nc));
}

static LLVMValueRef hinted(Gen *g, const Access *access)
{
  return g->target->has_ptx ? gen_hinted(g, access) : host_hinted(g, access);
}

LLVMValueRef gen_hinted_access(Gen *g, const Place *place, LLVMValueRef value, uint64_t cache)
{
  Access access = {.op = value ? MEMORY_store_hint : MEMORY_load_hint,
                   .place = *place,
                   .values = {value},
                   .cache = cache};
  if (g->target->has_accesses) tell(g, &access, false);
  return hinted(g, &access);
}

static LLVMValueRef gen_fence(Gen *g, const Access *access)
{
  if (!g->target->has_ptx) {
    LLVMBuildFence(g->builder, ordering(access->order), false, "");
    return NULL;
  }
  bool is_sc = access->order == WORD_order_seq_cst;
  asm_memory(g,
             arena_printf(&g->c->scratch, "fence.%s%s;", is_sc ? "sc" : "acq_rel",
                          scope_text(g, access->scope)),
             NULL, 0, NULL, 0);
  return NULL;
}

static LLVMValueRef gen_access(Gen *g, const Access *access)
{
  switch (access->op) {
  case MEMORY_fence: return gen_fence(g, access);
  case MEMORY_cas: return gen_exchange(g, access);
  case MEMORY_load:
  case MEMORY_store: return g->target->has_ptx ? gen_ordered(g, access) : host_move(g, access);
  case MEMORY_load_hint:
  case MEMORY_store_hint: return hinted(g, access);
  case MEMORY_add:
  case MEMORY_and:
  case MEMORY_dec:
  case MEMORY_exchange:
  case MEMORY_inc:
  case MEMORY_max:
  case MEMORY_min:
  case MEMORY_or:
  case MEMORY_sub:
  case MEMORY_xor: return gen_updates(g, access);
  case MEMORY_copy:
  case MEMORY_copy_commit:
  case MEMORY_copy_some:
  case MEMORY_copy_wait:
  case MEMORY_COUNT: break;
  }
  die("no memory operation %d", (int)access->op);
}

/* ---- structs and tuples ---- */

/* The place of word i of 64 bits in a variable. */
static Place word_place(Gen *g, const Place *whole, unsigned i)
{
  LLVMValueRef at = gen_int(g, g->i64, i);
  return (Place){.address = LLVMBuildInBoundsGEP2(g->builder, g->i64, whole->address, &at, 1, ""),
                 .space = SPACE_GENERIC,
                 .type = g->c->types->type_u64};
}

/* The bytes of a record as an integer or a pair of them, and back. They go by a variable, which
 * LLVM replaces by registers; it does so only if a pair is accessed one word at a time. */
static LLVMValueRef to_bytes(Gen *g, LLVMValueRef record, Type *type, Type *bytes)
{
  Type *wide = type->align > bytes->align ? type : bytes;
  Place place = {.address = gen_alloca(g, wide, "bytes"), .space = SPACE_GENERIC, .type = type};
  gen_store(g, &place, record);
  place.type = bytes;
  if (bytes->kind != TYPE_vector) return gen_load(g, &place, "");
  LLVMValueRef pair = LLVMGetUndef(gen_type(g, bytes));
  for (unsigned i = 0; i < bytes->count; ++i) {
    Place word = word_place(g, &place, i);
    pair = gen_with_component(g, pair, gen_load(g, &word, ""), i);
  }
  return pair;
}

static LLVMValueRef from_bytes(Gen *g, LLVMValueRef value, Type *bytes, Type *type)
{
  Type *wide = type->align > bytes->align ? type : bytes;
  Place place = {.address = gen_alloca(g, wide, "bytes"), .space = SPACE_GENERIC, .type = bytes};
  if (bytes->kind != TYPE_vector) gen_store(g, &place, value);
  for (unsigned i = 0; bytes->kind == TYPE_vector && i < bytes->count; ++i) {
    Place word = word_place(g, &place, i);
    gen_store(g, &word, gen_component(g, value, i));
  }
  place.type = type;
  return gen_load(g, &place, "");
}

/* A load, store or exchange of a struct or tuple is one of its bytes. A store gives nothing. */
static LLVMValueRef gen_record(Gen *g, const Access *access)
{
  Type *type = access->place.type;
  Access whole = *access;
  whole.place.type = type_of_bytes(g, type_bytes(type));
  if (access->values[0]) whole.values[0] = to_bytes(g, access->values[0], type, whole.place.type);
  LLVMValueRef made = gen_access(g, &whole);
  return made ? from_bytes(g, made, whole.place.type, type) : NULL;
}

LLVMValueRef gen_memory(Gen *g, Node *call)
{
  MemoryOp op = memory_named(call->b->text);
  if (op >= MEMORY_copy && op <= MEMORY_copy_wait) return gen_async(g, call, op);
  bool is_unused = g->state->unused == call; /* evaluating arguments may change g->state->unused */
  Access access = take_apart(g, call);
  gen_debug_at(g, call);
  if (g->target->has_accesses) tell(g, &access, is_unused);
  TypeKind kind = access.place.type ? access.place.type->kind : TYPE_none;
  return kind == TYPE_struct || kind == TYPE_tuple ? gen_record(g, &access)
                                                   : gen_access(g, &access);
}
