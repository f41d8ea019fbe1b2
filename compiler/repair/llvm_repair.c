/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* llvm_repair.c - what LLVM and libNVVM get wrong is written another way.
 *
 * needs   a module: NVPTX's before LLVM's optimiser (repair_conversions, repair_records) and behind
 *         it (repair_products, repair_narrow, repair_components), libNVVM's (repair_records,
 *         repair_bytes, repair_narrow, repair_numbers, repair_halves, repair_bools, repair_loops),
 *         the host's before the optimiser (repair_records, repair_vectors)
 * gives   the same module; in a GPU's is inline PTX
 *
 * Found by random programs, with LLVM 19.1.7 and CUDA 13.0 on an H200:
 *
 *   LLVM    llvm.nvvm.d2i.rz and its like are fptosi to the optimiser, which may take f64(x) and
 *           back for x, though the PTX saturates; llvm.nvvm.ll2d.rz and its like are sitofp to it,
 *           which is to nearest
 *   LLVM    a component, by a number that is known when the program runs, of a vector that was just
 *           loaded is loaded alone on NVPTX, and the address of another space is taken for a
 *           generic one: the new load has no value of LLVM's, which NVPTX asks for the space
 *   LLVM    a part of a struct that is loaded, alone asked for, is loaded alone: with the alignment
 *           of its type, though the struct was loaded with less. Shared memory and what the caller
 *           gives are aligned to 16 bytes; vectors of f64 and f32 to up to 128
 *   LLVM    of a product of two vectors of 8 or more bytes or 16-bit integers, widened or not, a
 *           component that is 0 because of a constant in either may be left undefined by NVPTX's
 *           instruction selection, if all components that are asked for are 0: done one by one
 *   LLVM    a shuffle of 4 f64 into 16, some of which nobody asks for, has wrong ones on x86-64
 *   libNVVM a NaN that it knows is equal to itself, and so is what its optimiser made of constants
 *   libNVVM not optimised, before sm_100: a vector of f16 into which an element was put can't be
 *           taken as an integer ("unsupported operation")
 *   libNVVM before sm_100: of a jump by `(a | b) | c` (or &) there is no end where only its last
 *           step finds out that b is true and c false (b false and c true). So late it knows what
 *           is a component of a vector of bools: none is left where a jump may depend on it
 *   libNVVM a loop of min(a, b) or ~a turns, of 32 bits or fewer, is unrolled by 3, 5 or another
 *           divisor of 2^32 - 1 without the turns that remain: its end is hidden
 *   libNVVM a sum of 8 bits is compared, or shifted, before it is cut to 8 bits: done in 32 bits
 *   libNVVM a byte of a word that is taken for a vector of bytes has the next byte above it, and a
 *           sum of such is compared with both: by a shift
 *   libNVVM fma of constants is worked out wrongly where the addend is subnormal: subnormal
 *           constants are hidden, as NaN is
 *   ptxas   add.s16x2 (sm_90 and newer), of whose halves one is read, may lose a constant; LLVM
 *           makes it of sums and products of 8 and 16 bits
 *
 * ptx_repair.c has what only shows in PTX, growth_repair.c what libNVVM never ends with.
 */
#include "repair/repair.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* `visit` may put others before the one that it is given, and take that one away. */
static void each_instruction(Session *c, void (*visit)(Gen *g, LLVMValueRef instruction))
{
  Gen *g = c->gen;
  for (LLVMValueRef f = LLVMGetFirstFunction(g->module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
         block = LLVMGetNextBasicBlock(block)) {
      LLVMValueRef next;
      for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = next) {
        next = LLVMGetNextInstruction(at);
        visit(g, at);
      }
    }
}

static void replace(LLVMValueRef instruction, LLVMValueRef by)
{
  LLVMReplaceAllUsesWith(instruction, by);
  LLVMInstructionEraseFromParent(instruction);
}

void llvm_place_behind(LLVMBuilderRef builder, LLVMValueRef value)
{
  LLVMValueRef next = LLVMGetNextInstruction(value);
  while (LLVMIsAPHINode(next)) next = LLVMGetNextInstruction(next);
  LLVMPositionBuilderBefore(builder, next);
}

LLVMValueRef llvm_hidden_int(Gen *g, LLVMValueRef value)
{
  LLVMTypeRef type = LLVMTypeOf(value);
  bool is_long = LLVMGetIntTypeWidth(type) > 32;
  LLVMTypeRef wide = is_long ? g->i64 : g->i32;
  LLVMValueRef whole = type == wide ? value : LLVMBuildZExt(g->builder, value, wide, "");
  LLVMValueRef hidden =
      gen_ptx_value(g, is_long ? "mov.b64 $0, $1;" : "mov.b32 $0, $1;", wide, &whole, 1);
  return type == wide ? hidden : LLVMBuildTrunc(g->builder, hidden, type, "");
}

/* ---- LLVM: conversions that round to zero ---- */

/* "d", "f", "i", "ui", "ll", "ull" as PTX has them; moves past it. */
static const char *type_word(const char **at)
{
  static const char *const words[][2] = {{"d", "f64"},  {"f", "f32"},  {"i", "s32"},
                                         {"ui", "u32"}, {"ll", "s64"}, {"ull", "u64"}};
  for (size_t i = 0; i < COUNT_OF(words); ++i) {
    size_t len = strlen(words[i][0]);
    if (strncmp(*at, words[i][0], len) != 0 || ((*at)[len] != '2' && (*at)[len] != '.')) continue;
    *at += len + 1;
    return words[i][1];
  }
  return NULL;
}

/* NULL: a function that is left alone. */
static const char *conversion_text(Session *c, const char *name)
{
  static const char prefix[] = "llvm.nvvm.";
  if (strncmp(name, prefix, sizeof prefix - 1) != 0) return NULL;
  const char *at = name + sizeof prefix - 1;
  const char *from = type_word(&at), *to = from ? type_word(&at) : NULL;
  if (!to || strcmp(at, "rz") != 0 || (*from == 'f') == (*to == 'f')) return NULL;
  return arena_printf(&c->scratch, "cvt.%s.%s.%s $0, $1;", *to == 'f' ? "rz" : "rzi", to, from);
}

void repair_conversions(Session *c)
{
  Gen *g = c->gen;
  for (LLVMValueRef f = LLVMGetFirstFunction(g->module); f; f = LLVMGetNextFunction(f)) {
    size_t len;
    const char *text = conversion_text(c, LLVMGetValueName2(f, &len));
    for (LLVMUseRef use; text && (use = LLVMGetFirstUse(f));) {
      LLVMValueRef call = LLVMGetUser(use), value = LLVMGetOperand(call, 0);
      LLVMPositionBuilderBefore(g->builder, call);
      replace(call, gen_ptx_value(g, text, LLVMTypeOf(call), &value, 1));
    }
  }
}

/* ---- LLVM: structs and arrays that are aligned to less than their parts ---- */

/* At `at` bytes behind an address: what is known of that holds for the first. */
static unsigned align_at(unsigned align, uint64_t at)
{
  uint64_t lowest = at & (0 - at);
  return at && lowest < align ? (unsigned)lowest : align;
}

static LLVMValueRef load_leaf(Gen *g, LLVMValueRef whole, LLVMTypeRef type, LLVMValueRef address,
                              uint64_t at)
{
  unsigned kind = LLVMGetMDKindIDInContext(g->context, "invariant.load", 14);
  LLVMValueRef load = LLVMBuildLoad2(g->builder, type, address, "");
  LLVMValueRef is_invariant = LLVMGetMetadata(whole, kind);
  LLVMSetAlignment(load, align_at(LLVMGetAlignment(whole), at));
  LLVMSetVolatile(load, LLVMGetVolatile(whole));
  if (is_invariant) LLVMSetMetadata(load, kind, is_invariant);
  return load;
}

/* What `whole` loads from `at` bytes on. */
static LLVMValueRef load_alone(Gen *g, LLVMValueRef whole, LLVMTypeRef type, LLVMValueRef address,
                               uint64_t at)
{
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(g->module);
  bool is_struct = LLVMGetTypeKind(type) == LLVMStructTypeKind;
  if (!is_struct && LLVMGetTypeKind(type) != LLVMArrayTypeKind)
    return load_leaf(g, whole, type, address, at);
  LLVMTypeRef part = is_struct ? NULL : LLVMGetElementType(type);
  uint64_t count = is_struct ? LLVMCountStructElementTypes(type) : LLVMGetArrayLength2(type);
  LLVMValueRef value = LLVMGetUndef(type);
  for (unsigned i = 0; i < count; ++i) {
    uint64_t from =
        is_struct ? LLVMOffsetOfElement(layout, type, i) : i * LLVMABISizeOfType(layout, part);
    LLVMValueRef path[] = {gen_int(g, g->i32, 0), gen_int(g, g->i32, i)};
    LLVMValueRef place = LLVMBuildInBoundsGEP2(g->builder, type, address, path, 2, ""), one;
    if (is_struct) part = LLVMStructGetTypeAtIndex(type, i);
    one = load_alone(g, whole, part, place, at + from);
    value = LLVMBuildInsertValue(g->builder, value, one, i, "");
  }
  return value;
}

/* Anything else may lie anywhere, or is aligned as it is loaded. */
static bool holds_vector(LLVMTypeRef type)
{
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMArrayTypeKind) return holds_vector(LLVMGetElementType(type));
  unsigned count = kind == LLVMStructTypeKind ? LLVMCountStructElementTypes(type) : 0;
  for (unsigned i = 0; i < count; ++i)
    if (holds_vector(LLVMStructGetTypeAtIndex(type, i))) return true;
  return kind == LLVMVectorTypeKind;
}

static void split_record(Gen *g, LLVMValueRef load)
{
  if (!LLVMIsALoadInst(load)) return;
  LLVMTypeRef type = LLVMTypeOf(load);
  if (LLVMGetTypeKind(type) == LLVMVectorTypeKind || !holds_vector(type)) return;
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(g->module);
  if (LLVMGetAlignment(load) >= LLVMABIAlignmentOfType(layout, type)) return;
  LLVMPositionBuilderBefore(g->builder, load);
  replace(load, load_alone(g, load, type, LLVMGetOperand(load, 0), 0));
}

void repair_records(Session *c)
{
  each_instruction(c, split_record);
}

/* ---- LLVM: wide vectors on x86-64 ---- */

static LLVMValueRef part_address(Gen *g, LLVMValueRef address, LLVMTypeRef part, unsigned i)
{
  LLVMValueRef at = gen_int(g, g->i64, i);
  return LLVMBuildInBoundsGEP2(g->builder, part, address, &at, 1, "");
}

static unsigned part_bytes(LLVMTypeRef part)
{
  switch (LLVMGetTypeKind(part)) {
  case LLVMHalfTypeKind: return 2;
  case LLVMFloatTypeKind: return 4;
  case LLVMDoubleTypeKind: return 8;
  case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(part) / 8;
  default: return 0;
  }
}

static void load_parts(Gen *g, LLVMValueRef load, LLVMTypeRef part, unsigned count)
{
  LLVMValueRef result = LLVMGetUndef(LLVMTypeOf(load)), address = LLVMGetOperand(load, 0);
  unsigned align = LLVMGetAlignment(load), bytes = part_bytes(part);
  for (unsigned i = 0; i < count; ++i) {
    LLVMValueRef one = LLVMBuildLoad2(g->builder, part, part_address(g, address, part, i), "");
    LLVMSetAlignment(one, align_at(align, (uint64_t)i * bytes));
    LLVMSetVolatile(one, LLVMGetVolatile(load));
    result = LLVMBuildInsertElement(g->builder, result, one, gen_int(g, g->i32, i), "");
  }
  replace(load, result);
}

static void store_parts(Gen *g, LLVMValueRef store, LLVMTypeRef part, unsigned count)
{
  LLVMValueRef value = LLVMGetOperand(store, 0), address = LLVMGetOperand(store, 1);
  unsigned align = LLVMGetAlignment(store), bytes = part_bytes(part);
  for (unsigned i = 0; i < count; ++i) {
    LLVMValueRef one = LLVMBuildExtractElement(g->builder, value, gen_int(g, g->i32, i), "");
    one = LLVMBuildStore(g->builder, one, part_address(g, address, part, i));
    LLVMSetAlignment(one, align_at(align, (uint64_t)i * bytes));
    LLVMSetVolatile(one, LLVMGetVolatile(store));
  }
  LLVMInstructionEraseFromParent(store);
}

static void split_access(Gen *g, LLVMValueRef instruction)
{
  bool is_load = LLVMIsALoadInst(instruction);
  LLVMTypeRef type = LLVMTypeOf(is_load ? instruction : LLVMGetOperand(instruction, 0));
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind) return;
  LLVMTypeRef part = LLVMGetElementType(type);
  if (!part_bytes(part)) return;
  LLVMPositionBuilderBefore(g->builder, instruction);
  (is_load ? load_parts : store_parts)(g, instruction, part, LLVMGetVectorSize(type));
}

/* A component by a constant that the vector doesn't have, as is left of a variable index: nothing
 * is known of it. The scalarizer would look for it behind the vector's parts. */
static void drop_component(LLVMValueRef instruction)
{
  bool is_insert = LLVMIsAInsertElementInst(instruction);
  if (!is_insert && !LLVMIsAExtractElementInst(instruction)) return;
  LLVMValueRef index = LLVMGetOperand(instruction, is_insert ? 2 : 1);
  unsigned count = LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(instruction, 0)));
  if (!LLVMIsAConstantInt(index) || LLVMConstIntGetZExtValue(index) < count) return;
  replace(instruction, LLVMGetPoison(LLVMTypeOf(instruction)));
}

static void split_vector(Gen *g, LLVMValueRef instruction)
{
  if (LLVMIsALoadInst(instruction) || LLVMIsAStoreInst(instruction)) split_access(g, instruction);
  else drop_component(instruction);
}

/* LLVM's scalarizer does the rest. */
void repair_vectors(Session *c)
{
  each_instruction(c, split_vector);
}

/* ---- libNVVM: numbers that it reckons with wrongly ---- */

/* NaN; and subnormal numbers: libNVVM 13.0 works fma(a, b, c) of constants out wrongly where c is
 * subnormal and a * b has another sign: fma(0.25f16, -0x1.00cp-13, 0x3p-24) is infinity. */
static bool is_hidden(LLVMValueRef value)
{
  if (!LLVMIsAConstantFP(value)) return false;
  LLVMBool is_lossy;
  double number = LLVMConstRealGetDouble(value, &is_lossy);
  unsigned bytes = part_bytes(LLVMTypeOf(value));
  double least = bytes == 2 ? 0x1p-14 : bytes == 4 ? 0x1p-126 : 0x1p-1022;
  return isnan(number) || (number != 0 && fabs(number) < least);
}

/* Behind inline PTX, where nobody knows it. */
static LLVMValueRef hidden_number(Gen *g, LLVMValueRef constant)
{
  static const char *const letters[] = {"b16", "b32", "b64"};
  LLVMTypeRef type = LLVMTypeOf(constant);
  unsigned bytes = part_bytes(type);
  LLVMTypeRef bits = LLVMIntTypeInContext(g->context, 8 * bytes);
  uint64_t number = LLVMConstIntGetZExtValue(LLVMConstBitCast(constant, bits));
  const char *text =
      arena_printf(&g->c->scratch, "mov.%s $0, 0x%" PRIx64 ";", letters[bytes / 4], number);
  return LLVMBuildBitCast(g->builder, gen_ptx_value(g, text, bits, NULL, 0), type, "");
}

/* `x != x`, `x == x` and so on, by another number than x. */
static void compare_with_zero(Gen *g, LLVMValueRef test)
{
  LLVMValueRef value = LLVMGetOperand(test, 0);
  if (value != LLVMGetOperand(test, 1)) return;
  bool is_for_nan;
  switch (LLVMGetFCmpPredicate(test)) {
  case LLVMRealUNO:
  case LLVMRealUNE: is_for_nan = true; break;
  case LLVMRealORD:
  case LLVMRealOEQ: is_for_nan = false; break;
  default: return;
  }
  LLVMPositionBuilderBefore(g->builder, test);
  replace(test, LLVMBuildFCmp(g->builder, is_for_nan ? LLVMRealUNO : LLVMRealORD, value,
                              LLVMConstNull(LLVMTypeOf(value)), ""));
}

static void hide_numbers(Gen *g, LLVMValueRef instruction)
{
  for (int i = 0; i < LLVMGetNumOperands(instruction); ++i) {
    LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i), before = instruction;
    if (!is_hidden(operand)) continue;
    if (LLVMIsAPHINode(instruction))
      before = LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(instruction, (unsigned)i));
    LLVMPositionBuilderBefore(g->builder, before);
    LLVMSetOperand(instruction, (unsigned)i, hidden_number(g, operand));
  }
  if (LLVMIsAFCmpInst(instruction)) compare_with_zero(g, instruction);
}

void repair_numbers(Session *c)
{
  each_instruction(c, hide_numbers);
}

/* ---- libNVVM: the bytes of a word ---- */

/* `bitcast i32 %word to <4 x i8>`, of words of any type: each byte by a shift. */
static void shift_bytes(Gen *g, LLVMValueRef cast)
{
  enum { BYTE = 8, WORD = 32 };
  if (!LLVMIsABitCastInst(cast) || LLVMGetTypeKind(LLVMTypeOf(cast)) != LLVMVectorTypeKind) return;
  LLVMTypeRef type = LLVMTypeOf(cast), byte = LLVMGetElementType(type), word = g->i32;
  if (LLVMGetTypeKind(byte) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(byte) != BYTE) return;
  LLVMBuilderRef b = g->builder;
  LLVMPositionBuilderBefore(b, cast);
  unsigned count = LLVMGetVectorSize(type), each = WORD / BYTE;
  if (count < each) word = LLVMIntTypeInContext(g->context, BYTE * (each = count));
  LLVMValueRef words = LLVMGetOperand(cast, 0), result = LLVMGetUndef(type);
  words = LLVMBuildBitCast(b, words, LLVMVectorType(word, count / each), "");
  for (unsigned i = 0; i < count; ++i) {
    LLVMValueRef bits = LLVMConstInt(word, (uint64_t)BYTE * (i % each), false), part;
    part = LLVMBuildExtractElement(b, words, gen_int(g, g->i32, i / each), "");
    part = LLVMBuildTrunc(b, LLVMBuildLShr(b, part, bits, ""), byte, "");
    result = LLVMBuildInsertElement(b, result, part, gen_int(g, g->i32, i), "");
  }
  replace(cast, result);
}

void repair_bytes(Session *c)
{
  each_instruction(c, shift_bytes);
}

/* ---- libNVVM: vectors of f16 ---- */

/* Put in as an integer of 16 bits. */
static void insert_bits(Gen *g, LLVMValueRef instruction)
{
  LLVMTypeRef type = LLVMTypeOf(instruction), half = LLVMHalfTypeInContext(g->context);
  if (!LLVMIsAInsertElementInst(instruction) || LLVMGetElementType(type) != half) return;
  LLVMBuilderRef b = g->builder;
  LLVMPositionBuilderBefore(b, instruction);
  LLVMTypeRef bits = LLVMVectorType(g->i16, LLVMGetVectorSize(type));
  LLVMValueRef vector = LLVMBuildBitCast(b, LLVMGetOperand(instruction, 0), bits, "");
  LLVMValueRef part = LLVMBuildBitCast(b, LLVMGetOperand(instruction, 1), g->i16, "");
  vector = LLVMBuildInsertElement(b, vector, part, LLVMGetOperand(instruction, 2), "");
  replace(instruction, LLVMBuildBitCast(b, vector, type, ""));
}

void repair_halves(Session *c)
{
  if (c->options.opt_level == CK_OPT_0) each_instruction(c, insert_bits);
}

/* ---- libNVVM: vectors of bools ---- */

static bool is_bool(Gen *g, LLVMTypeRef type)
{
  return (LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type) == g->i1;
}

static bool is_bitwise(LLVMValueRef value)
{
  LLVMOpcode how = LLVMGetInstructionOpcode(value);
  return how == LLVMAnd || how == LLVMOr || how == LLVMXor;
}

/* What is one of its operands, or made of their bits. */
static bool is_passed_on(LLVMValueRef user)
{
  return LLVMIsACastInst(user) || LLVMIsASelectInst(user) || LLVMIsAPHINode(user) ||
         LLVMIsAInsertElementInst(user) || LLVMIsAExtractElementInst(user) || is_bitwise(user);
}

/* May a jump depend on it, or on a number that is chosen by it? After `steps` uses: it may. */
static bool is_for_jumps(Gen *g, LLVMValueRef value, int *steps)
{
  bool is_test = is_bool(g, LLVMTypeOf(value));
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool is_tested = is_test || LLVMIsACmpInst(user);
    if (--*steps < 0 || (is_passed_on(user) ? is_for_jumps(g, user, steps) : is_tested))
      return true;
  }
  return false;
}

/* Two NaNs that became one constant are equal to libNVVM, but for one that is compared with 0. */
static LLVMValueRef compare_numbers(LLVMBuilderRef b, LLVMRealPredicate how, LLVMValueRef left,
                                    LLVMValueRef right)
{
  LLVMValueRef result = LLVMBuildFCmp(b, how, left, right, ""),
               zero = LLVMConstNull(LLVMTypeOf(left));
  switch (how) {
  case LLVMRealOEQ:
  case LLVMRealOGE:
  case LLVMRealOLE:
    return LLVMBuildAnd(b, result, LLVMBuildFCmp(b, LLVMRealORD, left, zero, ""), "");
  case LLVMRealUNE:
  case LLVMRealUGT:
  case LLVMRealULT:
    return LLVMBuildOr(b, result, LLVMBuildFCmp(b, LLVMRealUNO, left, zero, ""), "");
  default: return result;
  }
}

static LLVMValueRef part_of_test(LLVMBuilderRef b, LLVMValueRef test, LLVMValueRef at)
{
  LLVMValueRef parts[3];
  int count = LLVMGetNumOperands(test);
  for (int i = 0; i < count; ++i) {
    parts[i] = LLVMGetOperand(test, (unsigned)i);
    if (LLVMGetTypeKind(LLVMTypeOf(parts[i])) == LLVMVectorTypeKind)
      parts[i] = LLVMBuildExtractElement(b, parts[i], at, "");
  }
  if (LLVMIsAICmpInst(test))
    return LLVMBuildICmp(b, LLVMGetICmpPredicate(test), parts[0], parts[1], "");
  if (LLVMIsAFCmpInst(test))
    return compare_numbers(b, LLVMGetFCmpPredicate(test), parts[0], parts[1]);
  if (LLVMIsASelectInst(test)) return LLVMBuildSelect(b, parts[0], parts[1], parts[2], "");
  return LLVMBuildBinOp(b, LLVMGetInstructionOpcode(test), parts[0], parts[1], "");
}

static LLVMValueRef part_of_phi(LLVMBuilderRef b, LLVMValueRef phi, LLVMValueRef at)
{
  LLVMPositionBuilderBefore(b, phi);
  LLVMValueRef part = LLVMBuildPhi(b, LLVMGetElementType(LLVMTypeOf(phi)), "");
  for (unsigned i = 0; i < LLVMCountIncoming(phi); ++i) {
    LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, i);
    LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(block));
    LLVMValueRef value = LLVMBuildExtractElement(b, LLVMGetIncomingValue(phi, i), at, "");
    LLVMAddIncoming(part, &value, &block, 1);
  }
  return part;
}

static bool is_vector_of_bools(Gen *g, LLVMValueRef value)
{
  LLVMTypeRef type = LLVMTypeOf(value);
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind && is_bool(g, type);
}

static bool is_of_parts(LLVMValueRef value)
{
  return LLVMIsACmpInst(value) || LLVMIsABinaryOperator(value) || LLVMIsASelectInst(value) ||
         LLVMIsAPHINode(value);
}

static void split_test(Gen *g, LLVMValueRef test)
{
  int steps = 256;
  if (!is_vector_of_bools(g, test) || !is_of_parts(test)) return;
  if (!is_for_jumps(g, test, &steps)) return;
  LLVMTypeRef type = LLVMTypeOf(test);
  unsigned count = LLVMGetVectorSize(type);
  LLVMValueRef result = LLVMGetUndef(type), *parts = NEW_ARRAY(&g->c->scratch, LLVMValueRef, count);
  bool is_phi = LLVMIsAPHINode(test) != NULL;
  for (unsigned i = 0; i < count && is_phi; ++i)
    parts[i] = part_of_phi(g->builder, test, gen_int(g, g->i32, i));
  if (is_phi) llvm_place_behind(g->builder, test);
  else LLVMPositionBuilderBefore(g->builder, test);
  for (unsigned i = 0; i < count; ++i) {
    LLVMValueRef at = gen_int(g, g->i32, i);
    if (!is_phi) parts[i] = part_of_test(g->builder, test, at);
    result = LLVMBuildInsertElement(g->builder, result, parts[i], at, "");
  }
  replace(test, result);
}

void repair_bools(Session *c)
{
  each_instruction(c, split_test);
}

/* ---- libNVVM: how often a loop turns ---- */

static bool is_block(LLVMValueRef instruction, const char *name)
{
  const char *own = LLVMGetBasicBlockName(LLVMGetInstructionParent(instruction));
  return !strncmp(own, name, strlen(name));
}

/* A minimum, or ~x, or what may be one; a parameter is looked after where it is given. */
static bool may_be_min(LLVMValueRef end, bool is_while)
{
  bool is_inverse = LLVMIsABinaryOperator(end) && LLVMGetInstructionOpcode(end) == LLVMXor;
  if (LLVMIsASelectInst(end) || LLVMIsAPHINode(end) || LLVMIsACallInst(end) || is_inverse)
    return true;
  return !is_while && LLVMIsAInstruction(end);
}

static bool is_short(LLVMTypeRef type)
{
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 32;
}

/* In all comparisons, so that what is known before the loop is known of its end. */
static void hide_end(Gen *g, LLVMValueRef end)
{
  llvm_place_behind(g->builder, end);
  LLVMValueRef hidden = llvm_hidden_int(g, end);
  for (LLVMUseRef use = LLVMGetFirstUse(end), after; use; use = after) {
    LLVMValueRef user = LLVMGetUser(use);
    after = LLVMGetNextUse(use);
    for (unsigned i = 0; i < 2 && LLVMIsAICmpInst(user); ++i)
      if (LLVMGetOperand(user, i) == end)
        LLVMSetOperand(user, i, hidden), after = LLVMGetFirstUse(end);
  }
}

/* gen/stmt.c's blocks that end a turn: for.next with `i + 1 != end`, while.test with any test. */
static void hide_end_of_loop(Gen *g, LLVMValueRef branch)
{
  bool is_while = is_block(branch, "while.test");
  LLVMValueRef test = LLVMIsConditional(branch) ? LLVMGetCondition(branch) : NULL;
  if (!test || (!is_while && !is_block(branch, "for.next")) || !LLVMIsAICmpInst(test)) return;
  if (!is_short(LLVMTypeOf(LLVMGetOperand(test, 0)))) return;
  if (!is_while && LLVMGetICmpPredicate(test) != LLVMIntNE) return; /* other steps: quotients */
  for (unsigned i = is_while ? 0 : 1; i < 2; ++i) {
    LLVMValueRef end = LLVMGetOperand(test, i);
    if (may_be_min(end, is_while)) hide_end(g, end);
  }
}

static bool has_body(LLVMValueRef function)
{
  return LLVMIsAFunction(function) && !LLVMIsDeclaration(function);
}

/* Does it end a loop, of this function or of one that it is passed on to? *left: so many functions
 * are looked at; then it may. */
static bool may_end_loop(LLVMValueRef param, unsigned *left)
{
  if (!*left) return true;
  --*left;
  for (LLVMUseRef use = LLVMGetFirstUse(param); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use),
                 called = LLVMIsACallInst(user) ? LLVMGetCalledValue(user) : NULL;
    if (LLVMIsAICmpInst(user) && (is_block(user, "for.next") || is_block(user, "while.test")))
      return true;
    if (!called || !has_body(called)) continue;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(user); ++i)
      if (LLVMGetOperand(user, i) == param && may_end_loop(LLVMGetParam(called, i), left))
        return true;
  }
  return false;
}

static void hide_arguments(Gen *g, LLVMValueRef call)
{
  enum { LOOKS = 64 };
  LLVMValueRef function = LLVMGetCalledValue(call);
  if (!has_body(function)) return;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); ++i) {
    LLVMValueRef arg = LLVMGetOperand(call, i);
    if (!is_short(LLVMTypeOf(arg)) || !may_be_min(arg, false)) continue;
    unsigned left = LOOKS;
    if (!may_end_loop(LLVMGetParam(function, i), &left)) continue;
    LLVMPositionBuilderBefore(g->builder, call);
    LLVMSetOperand(call, i, llvm_hidden_int(g, arg));
  }
}

static void hide_minimum(Gen *g, LLVMValueRef instruction)
{
  if (LLVMIsABranchInst(instruction)) hide_end_of_loop(g, instruction);
  if (LLVMIsACallInst(instruction)) hide_arguments(g, instruction);
}

void repair_loops(Session *c)
{
  if (c->options.opt_level != CK_OPT_0) each_instruction(c, hide_minimum);
}

/* ---- libNVVM, ptxas: integers of 8 and 16 bits ---- */

typedef enum Widening { WIDEN_no, WIDEN_any, WIDEN_signed, WIDEN_unsigned } Widening;

/* How the operands of an operation of 8 bits are made wider. */
static Widening widening(LLVMValueRef instruction)
{
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMAdd:
  case LLVMSub:
  case LLVMMul:
  case LLVMShl: return WIDEN_any;
  case LLVMSDiv:
  case LLVMSRem:
  case LLVMAShr: return WIDEN_signed;
  case LLVMUDiv:
  case LLVMURem:
  case LLVMLShr: return WIDEN_unsigned;
  case LLVMICmp:
    return LLVMGetICmpPredicate(instruction) >= LLVMIntSGT ? WIDEN_signed : WIDEN_unsigned;
  default: return WIDEN_no;
  }
}

static LLVMTypeRef with_element(LLVMTypeRef type, LLVMTypeRef element)
{
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind
             ? LLVMVectorType(element, LLVMGetVectorSize(type))
             : element;
}

static LLVMValueRef in_32_bits(Gen *g, LLVMValueRef instruction, Widening widen)
{
  LLVMBuilderRef b = g->builder;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(instruction, 0)), wide = with_element(type, g->i32);
  LLVMValueRef operands[2];
  for (unsigned i = 0; i < 2; ++i) {
    LLVMValueRef operand = LLVMGetOperand(instruction, i);
    operands[i] = widen == WIDEN_signed ? LLVMBuildSExt(b, operand, wide, "")
                                        : LLVMBuildZExt(b, operand, wide, "");
  }
  if (opcode == LLVMICmp)
    return LLVMBuildICmp(b, LLVMGetICmpPredicate(instruction), operands[0], operands[1], "");
  LLVMValueRef result = LLVMBuildBinOp(b, opcode, operands[0], operands[1], "");
  return LLVMBuildTrunc(b, result, type, "");
}

static LLVMValueRef part_by_part(Gen *g, LLVMValueRef instruction)
{
  LLVMTypeRef type = LLVMTypeOf(instruction);
  LLVMValueRef result = LLVMGetUndef(type);
  for (unsigned i = 0; i < LLVMGetVectorSize(type); ++i) {
    LLVMValueRef at = gen_int(g, g->i32, i), parts[2];
    for (unsigned k = 0; k < 2; ++k)
      parts[k] = LLVMBuildExtractElement(g->builder, LLVMGetOperand(instruction, k), at, "");
    LLVMValueRef part =
        LLVMBuildBinOp(g->builder, LLVMGetInstructionOpcode(instruction), parts[0], parts[1], "");
    result = LLVMBuildInsertElement(g->builder, result, part, at, "");
  }
  return result;
}

/* LLVM's loop vectoriser ends a sum with one. */
static bool is_sum_of_parts(LLVMValueRef instruction)
{
  size_t len;
  return LLVMIsACallInst(instruction) &&
         !strncmp(LLVMGetValueName2(LLVMGetCalledValue(instruction), &len),
                  "llvm.vector.reduce.add.v", sizeof "llvm.vector.reduce.add.v" - 1);
}

static LLVMValueRef sum_of_parts(Gen *g, LLVMValueRef vector)
{
  LLVMValueRef sum = NULL;
  for (unsigned i = 0; i < LLVMGetVectorSize(LLVMTypeOf(vector)); ++i) {
    LLVMValueRef part = LLVMBuildExtractElement(g->builder, vector, gen_int(g, g->i32, i), "");
    sum = sum ? LLVMBuildAdd(g->builder, sum, part, "") : part;
  }
  return sum;
}

static void widen_or_split(Gen *g, LLVMValueRef instruction)
{
  enum { BYTE = 8, SHORT = 16 };
  if (is_sum_of_parts(instruction)) {
    LLVMPositionBuilderBefore(g->builder, instruction);
    replace(instruction, sum_of_parts(g, LLVMGetOperand(instruction, 0)));
    return;
  }
  Widening widen = widening(instruction);
  if (widen == WIDEN_no) return;
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(instruction, 0)), element = type;
  bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
  if (is_vector) element = LLVMGetElementType(type);
  if (LLVMGetTypeKind(element) != LLVMIntegerTypeKind) return;
  unsigned bits = LLVMGetIntTypeWidth(element);
  bool is_test = LLVMGetInstructionOpcode(instruction) == LLVMICmp;
  if (bits != BYTE && (bits != SHORT || !is_vector || is_test)) return;
  LLVMPositionBuilderBefore(g->builder, instruction);
  replace(instruction,
          bits == BYTE ? in_32_bits(g, instruction, widen) : part_by_part(g, instruction));
}

void repair_narrow(Session *c)
{
  each_instruction(c, widen_or_split);
}

/* ---- LLVM: products of bytes ---- */

static void split_product(Gen *g, LLVMValueRef instruction)
{
  if (LLVMGetInstructionOpcode(instruction) != LLVMMul) return;
  LLVMTypeRef type = LLVMTypeOf(instruction);
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind) return;
  if (LLVMGetElementType(type) != LLVMInt8TypeInContext(g->context)) return;
  LLVMPositionBuilderBefore(g->builder, instruction);
  replace(instruction, part_by_part(g, instruction));
}

void repair_products(Session *c)
{
  each_instruction(c, split_product);
}

/* ---- LLVM: components of what was loaded ---- */

static void choose_component(Gen *g, LLVMValueRef extract)
{
  if (!LLVMIsAExtractElementInst(extract)) return;
  LLVMValueRef vector = LLVMGetOperand(extract, 0), index = LLVMGetOperand(extract, 1);
  if (!LLVMIsALoadInst(vector) || LLVMIsAConstantInt(index)) return;
  LLVMPositionBuilderBefore(g->builder, extract);
  LLVMValueRef chosen = gen_component(g, vector, 0);
  unsigned count = LLVMGetVectorSize(LLVMTypeOf(vector));
  for (unsigned i = 1; i < count; ++i) {
    LLVMValueRef number = LLVMConstInt(LLVMTypeOf(index), i, false);
    LLVMValueRef is_it = LLVMBuildICmp(g->builder, LLVMIntEQ, index, number, "");
    chosen = LLVMBuildSelect(g->builder, is_it, gen_component(g, vector, i), chosen, "");
  }
  replace(extract, chosen);
}

void repair_components(Session *c)
{
  each_instruction(c, choose_component);
}
