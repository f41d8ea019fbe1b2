/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* gen_memory.c - atomics, fences, loads and stores with hints (memory.def).
 *
 *   GPU    inline PTX: libNVVM drops the order and the scope of LLVM's own atomics. What PTX has no
 *          atom for is a loop around atom.cas; values of 8 bits, around that of their word
 *   host   LLVM's atomics. Threads of a block run one after the other, blocks on several cores
 *
 * An update whose value nobody takes is `red`, which the thread does not wait for: ptxas makes that
 * of a plain `atom` alone. red has no form that acquires.
 *
 * seq_cst is fence.sc and then the acquire form; a store that follows fence.sc need not release.
 * Before sm_90 there are no clusters: their scope is the device's.
 */
#include "builtin.h"
#include "gen.h"
#include "memory.h"

#include <string.h>

enum { LLVMAtomicRMWBinOpNONE = -1 };

static const struct {
  const char *ptx, *native;
  int is_signed, is_unsigned, is_float;
} rows[] = {
#define MEMORY(name, operands, ptx, native, s, u, f)                                               \
  {ptx, native, LLVMAtomicRMWBinOp##s, LLVMAtomicRMWBinOp##u, LLVMAtomicRMWBinOp##f},
#include "memory.def"
};

/* A call of __memory, taken apart. */
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

/* The integer type that is as wide. */
static LLVMTypeRef bits_type(Gen *g, const Type *type)
{
  return type->bits == 8 ? g->i8 : type->bits == 16 ? g->i16 : type->bits == 32 ? g->i32 : g->i64;
}

static LLVMValueRef to_bits(Gen *g, LLVMValueRef value, const Type *type)
{
  return type_is_float(type) ? LLVMBuildBitCast(g->builder, value, bits_type(g, type), "") : value;
}

static LLVMValueRef from_bits(Gen *g, LLVMValueRef bits, Type *type)
{
  return type_is_float(type) ? LLVMBuildBitCast(g->builder, bits, gen_type(g, type), "") : bits;
}

static LLVMValueRef host_exchange(Gen *g, const Access *access)
{
  static const LLVMAtomicOrdering failures[] = {
      LLVMAtomicOrderingMonotonic, LLVMAtomicOrderingAcquire, LLVMAtomicOrderingMonotonic,
      LLVMAtomicOrderingAcquire, LLVMAtomicOrderingSequentiallyConsistent};
  Type *type = access->place.type;
  LLVMValueRef made = LLVMBuildAtomicCmpXchg(
      g->builder, access->place.address, to_bits(g, access->values[0], type),
      to_bits(g, access->values[1], type), ordering(access->order), failures[access->order], false);
  return from_bits(g, LLVMBuildExtractValue(g->builder, made, 0, ""), type);
}

/* What a checked build tells the device. */
static void tell(Gen *g, const Access *access)
{
  bool is_load = access->op == MEMORY_load, is_store = access->op == MEMORY_store;
  switch (access->op) {
  case MEMORY_load_hint: break; /* gen_load does */
  case MEMORY_store_hint: gen_check_access(g, &access->place, true); break;
  case MEMORY_fence: gen_check_fence(g); break;
  default:
    if (access->order != WORD_order_relaxed) gen_check_fence(g);
    gen_check_atomic(g, &access->place, !is_store, !is_load);
  }
}

static LLVMValueRef host_access(Gen *g, const Access *access)
{
  Type *type = access->place.type;
  Place place = access->place;
  LLVMValueRef made;
  tell(g, access);
  if (access->op == MEMORY_load) place.node = NULL;
  switch (access->op) {
  case MEMORY_fence: LLVMBuildFence(g->builder, ordering(access->order), false, ""); return NULL;
  case MEMORY_cas: return host_exchange(g, access);
  case MEMORY_load:
  case MEMORY_load_hint:
    made = gen_load(g, &place, "");
    if (access->op == MEMORY_load) LLVMSetOrdering(made, ordering(access->order));
    else LLVMSetVolatile(made, access->cache == WORD_cache_volatile);
    return made;
  case MEMORY_store:
  case MEMORY_store_hint:
    made = LLVMBuildStore(g->builder, access->values[0], access->place.address);
    LLVMSetAlignment(made, gen_align(type));
    if (access->op == MEMORY_store) LLVMSetOrdering(made, ordering(access->order));
    else LLVMSetVolatile(made, access->cache == WORD_cache_volatile);
    return NULL;
  default: break;
  }
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
  return scope == WORD_scope_cluster && g->c->target.sm < 90 ? ".gpu" : scopes[scope];
}

/* What stands before the instruction of a sequentially consistent access. */
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

/* The letter of the type among those that PTX has the operation for, or 0. */
static char native_letter(MemoryOp op, const Type *type)
{
  char exact = 0, bits = type->bits == 32 ? 'b' : type->bits == 64 ? 'q' : 0;
  bool is_wide = type->bits == 64;
  if (type_is_float(type)) exact = is_wide ? 'd' : 'f';
  else if (type->bits >= 32 && type_is_signed(type)) exact = is_wide ? 'l' : 's';
  else if (type->bits >= 32) exact = is_wide ? 'w' : 'u';
  if (exact && strchr(rows[op].native, exact)) return exact;
  return bits && strchr(rows[op].native, bits) ? bits : 0;
}

static const char *letter_type(char letter)
{
  switch (letter) {
  case 's': return "s32";
  case 'u': return "u32";
  case 'l': return "s64";
  case 'w': return "u64";
  case 'f': return "f32";
  case 'd': return "f64";
  case 'b': return "b32";
  default: return "b64";
  }
}

static LLVMValueRef run(Gen *g, const char *text, LLVMTypeRef result, LLVMValueRef *args,
                        unsigned count)
{
  PtxAsm ptx = {.is_volatile = true, .is_memory = true, .is_plain = true};
  if (result) ptx.results[ptx.result_count++] = result;
  for (unsigned i = 0; i < count; ++i) asm_input(g, &ptx, args[i]);
  return asm_call(g, &ptx, text, strlen(text));
}

/* atom on an address, whose operands are of `type`. */
static LLVMValueRef atom(Gen *g, const Access *access, LLVMValueRef address, const char *op,
                         const char *type, LLVMValueRef *values, unsigned count)
{
  LLVMValueRef args[3] = {address, values[0], count > 1 ? values[1] : NULL};
  const char *text =
      arena_printf(&g->c->scratch, "%satom%s%s%s.%s.%s $0, [$1], $2%s;", fence_text(g, access),
                   order_text(access->order), scope_text(g, access->scope),
                   space_text(access->place.space), op, type, count > 1 ? ", $3" : "");
  return run(g, text, LLVMTypeOf(values[0]), args, count + 1);
}

static LLVMValueRef negated(Gen *g, LLVMValueRef value, const Type *type)
{
  return type_is_float(type) ? LLVMBuildFNeg(g->builder, value, "")
                             : LLVMBuildNeg(g->builder, value, "");
}

/* ---- compare and swap in a loop ---- */

/* The word that holds a value: the value itself, or for 8 bits the aligned 32 around it. */
typedef struct Word {
  LLVMValueRef address, shift; /* shift: NULL if the value fills it */
  LLVMTypeRef type;
} Word;

static Word word_of(Gen *g, const Place *place)
{
  if (place->type->bits > 8) return (Word){place->address, NULL, bits_type(g, place->type)};
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

/* Of two floats the one that is a number, if one is. */
static LLVMValueRef float_extreme(Gen *g, const Access *access, LLVMValueRef old)
{
  LLVMValueRef value = access->values[0], args[2] = {old, value};
  const char *name =
      arena_printf(&g->c->scratch, "llvm.%snum.f%u", access->op == MEMORY_min ? "min" : "max",
                   access->place.type->bits);
  return gen_call_named(g, name, LLVMTypeOf(value), args, 2);
}

static LLVMValueRef combine(Gen *g, const Access *access, LLVMValueRef old)
{
  Type *type = access->place.type;
  LLVMBuilderRef b = g->builder;
  LLVMValueRef value = access->values[0], one = NULL, zero = NULL, test;
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
    if (type_is_float(type)) return float_extreme(g, access, old);
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

static LLVMValueRef plain_load(Gen *g, const Access *access, const Word *word)
{
  const char *text =
      arena_printf(&g->c->scratch, "ld.relaxed%s%s.b%u $0, [$1];", scope_text(g, access->scope),
                   space_text(access->place.space), LLVMGetIntTypeWidth(word->type));
  LLVMValueRef address = word->address;
  return run(g, text, word->type, &address, 1);
}

/* The value from before. For an exchange under a condition (cas of 8 bits), what does not hold it
 * is written back as it was. */
static LLVMValueRef gen_loop(Gen *g, const Access *access)
{
  LLVMBuilderRef b = g->builder;
  Type *type = access->place.type;
  Word word = word_of(g, &access->place);
  LLVMValueRef first = plain_load(g, access, &word);
  LLVMBasicBlockRef before = LLVMGetInsertBlock(b), again = gen_block(g, "atomic.again"),
                    end = gen_block(g, "atomic.end");
  LLVMBuildBr(b, again);
  gen_at(g, again);
  LLVMValueRef seen = LLVMBuildPhi(b, word.type, "seen"), bits = word_get(g, &word, seen),
               old = from_bits(g, bits, type), made;
  if (access->op == MEMORY_cas) {
    LLVMValueRef is_same = LLVMBuildICmp(b, LLVMIntEQ, bits, access->values[0], "");
    made = LLVMBuildSelect(b, is_same, access->values[1], bits, "");
  } else {
    made = to_bits(g, combine(g, access, old), type);
  }
  LLVMValueRef values[2] = {seen, word_set(g, &word, seen, made)};
  const char *width = arena_printf(&g->c->scratch, "b%u", LLVMGetIntTypeWidth(word.type));
  LLVMValueRef found = atom(g, access, word.address, "cas", width, values, 2);
  LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, found, seen, ""), end, again);
  LLVMValueRef from[2] = {first, found};
  LLVMBasicBlockRef blocks[2] = {before, again};
  LLVMAddIncoming(seen, from, blocks, 2);
  gen_at(g, end);
  return old;
}

/* ---- instructions ---- */

static bool can_reduce(const Access *access)
{
  return access->op != MEMORY_exchange &&
         (access->order == WORD_order_relaxed || access->order == WORD_order_release);
}

static LLVMValueRef gen_update(Gen *g, const Access *access)
{
  Type *type = access->place.type;
  char letter = native_letter(access->op, type);
  if (!letter) return gen_loop(g, access);
  /* Two's complement: a sum has no sign. */
  bool is_sum = access->op == MEMORY_add || access->op == MEMORY_sub;
  if (is_sum && (letter == 's' || letter == 'l')) letter = letter == 's' ? 'u' : 'w';
  LLVMValueRef value = access->values[0];
  if (access->op == MEMORY_sub) value = negated(g, value, type);
  LLVMValueRef address = access->place.address;
  const char *op = rows[access->op].ptx, *type_text = letter_type(letter);
  LLVMValueRef made = atom(g, access, address, op, type_text, &value, 1);
  if (can_reduce(access))
    g->reduction = (Reduction){made,
                               {address, value},
                               arena_printf(&g->c->scratch, "red%s%s%s.%s.%s [$0], $1;",
                                            order_text(access->order), scope_text(g, access->scope),
                                            space_text(access->place.space), op, type_text)};
  return made;
}

void gen_unused(Gen *g, LLVMValueRef value)
{
  Reduction *reduction = &g->reduction;
  if (!value || value != reduction->made || LLVMGetFirstUse(value)) return;
  LLVMPositionBuilderBefore(g->builder, value);
  LLVMValueRef made = run(g, reduction->text, NULL, reduction->args, 2);
  LLVMInstructionSetDebugLoc(made, LLVMInstructionGetDebugLoc(value));
  LLVMPositionBuilderAtEnd(g->builder, LLVMGetInstructionParent(value));
  LLVMInstructionEraseFromParent(value);
  reduction->made = NULL;
}

static LLVMValueRef gen_exchange(Gen *g, const Access *access)
{
  Type *type = access->place.type;
  if (type->bits == 8) return gen_loop(g, access);
  LLVMValueRef values[2] = {to_bits(g, access->values[0], type),
                            to_bits(g, access->values[1], type)};
  const char *width = arena_printf(&g->c->scratch, "b%u", (unsigned)type->bits);
  return from_bits(g, atom(g, access, access->place.address, "cas", width, values, 2), type);
}

/* ld, st: values of 8 bits travel in registers of 16. */
static LLVMValueRef move(Gen *g, const Access *access, const char *how)
{
  Type *type = access->place.type;
  bool is_load = access->op == MEMORY_load || access->op == MEMORY_load_hint,
       is_byte = type->bits == 8, is_half = type_is_half(type);
  LLVMTypeRef carrier = is_byte || is_half ? g->i16 : gen_type(g, type);
  const char *text = arena_printf(&g->c->scratch, is_load ? "%s.b%u $0, [$1];" : "%s.b%u [$0], $1;",
                                  how, (unsigned)type->bits);
  LLVMValueRef args[2] = {access->place.address, access->values[0]};
  if (is_load) {
    LLVMValueRef made = run(g, text, carrier, args, 1);
    if (is_half) return from_bits(g, made, type);
    return is_byte ? LLVMBuildTrunc(g->builder, made, g->i8, "") : made;
  }
  if (is_half) args[1] = to_bits(g, args[1], type);
  if (is_byte) args[1] = LLVMBuildZExt(g->builder, args[1], g->i16, "");
  run(g, text, NULL, args, 2);
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
  return move(g, access, how);
}

/* Hints are for global memory; a generic address may be there. */
static LLVMValueRef gen_hinted(Gen *g, const Access *access)
{
  static const char *const loads[] = {".ca", ".cg", ".cs", ".lu", ".L1::no_allocate", ".nc", ".cv"};
  static const char *const stores[] = {".wb", ".cg", ".cs", "", ".L1::no_allocate", "", ".wt"};
  bool is_load = access->op == MEMORY_load_hint;
  unsigned space = access->place.space;
  const char *verb = is_load ? "ld" : "st", *hint = "", *before = "";
  if (access->cache == WORD_cache_volatile) before = ".volatile";
  else if (space != SPACE_SHARED) hint = (is_load ? loads : stores)[access->cache];
  /* .nc and .L1:: are of global memory alone, by the instruction's own word */
  bool is_global = space == SPACE_GLOBAL;
  if (!is_global && (!strcmp(hint, ".nc") || !strncmp(hint, ".L1", 3))) hint = "";
  return move(g, access,
              arena_printf(&g->c->scratch, "%s%s%s%s", verb, before, space_text(space), hint));
}

static LLVMValueRef gen_fence(Gen *g, const Access *access)
{
  bool is_sc = access->order == WORD_order_seq_cst;
  run(g,
      arena_printf(&g->c->scratch, "fence.%s%s;", is_sc ? "sc" : "acq_rel",
                   scope_text(g, access->scope)),
      NULL, NULL, 0);
  return NULL;
}

LLVMValueRef gen_memory(Gen *g, Node *call)
{
  Access access = take_apart(g, call);
  gen_debug_at(g, call);
  if (g->is_host) return host_access(g, &access);
  switch (access.op) {
  case MEMORY_fence: return gen_fence(g, &access);
  case MEMORY_cas: return gen_exchange(g, &access);
  case MEMORY_load:
  case MEMORY_store: return gen_ordered(g, &access);
  case MEMORY_load_hint:
  case MEMORY_store_hint: return gen_hinted(g, &access);
  default: return gen_update(g, &access);
  }
}
