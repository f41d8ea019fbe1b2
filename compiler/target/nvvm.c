/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvvm.c - prints the module as NVVM IR: the one file that knows this dialect.
 *
 * needs   a module that gen made, not optimised: then it has few kinds of instructions. The rows of
 *         repair/repair.def that stand before this pass have changed it already
 * gives   c->ir, text in LLVM 7's syntax with typed pointers, which every libNVVM reads for every
 *         target (opaque pointers are accepted only for sm_100 and newer)
 * keeps   the module, but that unnamed values get names
 * fails   never; an instruction that gen doesn't make is a bug of the compiler
 *
 * LLVM 19 has opaque pointers, LLVM 7 typed ones. So every pointer is printed as an i8 pointer of
 * its address space, and an instruction that needs another type casts its operand first; libNVVM's
 * optimiser removes the casts:
 *
 *     %v = load float, ptr addrspace(1) %p          %.c0 = bitcast i8 addrspace(1)* %p to
 *                                                            float addrspace(1)*
 *                                                   %v = load float, float addrspace(1)* %.c0
 *
 * The address of a getelementptr is printed in its own type, as %.t.NAME, which loads and stores of
 * that type use without a cast. The i8 pointer %NAME follows only if something else uses it:
 *
 *     %q = getelementptr float, ptr %p, i64 %i      %.c1 = bitcast i8* %p to float*
 *     %w = load float, ptr %q                       %.t.q = getelementptr inbounds float, float*
 *                                                                         %.c1, i64 %i
 *                                                   %w = load float, float* %.t.q
 *
 * LLVM 7 has no fneg, which is printed as a subtraction from -0. Attributes and metadata that it
 * does not know are left out.
 */
#include "check/check.h"
#include "target/target_private.h"

#include <inttypes.h>
#include <string.h>

typedef struct Print {
  Gen *g;
  Buf *out;
  uint32_t casts;     /* the number of the next cast */
  uint32_t nodes;     /* the number of the next metadata node */
  Buf metadata;       /* the nodes that follow the functions */
  uint32_t invariant; /* the node of !invariant.load, or 0 */
} Print;

/* How the operands of an instruction, or of a constant expression, are printed. */
typedef enum Operands {
  OPERANDS_other, /* a function of its own prints the instruction */
  OPERANDS_pair,  /* two of one type: float %a, %b */
  OPERANDS_list,  /* each with its type: i1 %c, float %a, float %b */
  OPERANDS_cast   /* float %a to double */
} Operands;

typedef struct Instruction {
  const char *word;
  Operands operands;
} Instruction;

static Instruction instruction_of(LLVMOpcode opcode)
{
  static const Instruction rows[] = {
#define NVVM_INSTRUCTION(opcode, word, operands) [LLVM##opcode] = {word, OPERANDS_##operands},
#include "target/nvvm.def"
  };
  return opcode < COUNT_OF(rows) ? rows[opcode] : (Instruction){NULL, OPERANDS_other};
}

static void put_type(Print *p, LLVMTypeRef type)
{
  Buf *out = p->out;
  switch (LLVMGetTypeKind(type)) {
  case LLVMVoidTypeKind: buf_puts(out, "void"); return;
  case LLVMHalfTypeKind: buf_puts(out, "half"); return;
  case LLVMFloatTypeKind: buf_puts(out, "float"); return;
  case LLVMDoubleTypeKind: buf_puts(out, "double"); return;
  case LLVMIntegerTypeKind: buf_printf(out, "i%u", LLVMGetIntTypeWidth(type)); return;
  case LLVMPointerTypeKind: {
    unsigned space = LLVMGetPointerAddressSpace(type);
    if (space) buf_printf(out, "i8 addrspace(%u)*", space);
    else buf_puts(out, "i8*");
    return;
  }
  case LLVMArrayTypeKind:
    buf_printf(out, "[%" PRIu64 " x ", LLVMGetArrayLength2(type));
    put_type(p, LLVMGetElementType(type));
    buf_putc(out, ']');
    return;
  case LLVMVectorTypeKind:
    buf_printf(out, "<%u x ", LLVMGetVectorSize(type));
    put_type(p, LLVMGetElementType(type));
    buf_putc(out, '>');
    return;
  case LLVMStructTypeKind:
    buf_putc(out, '{');
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); ++i) {
      buf_puts(out, i ? ", " : " ");
      put_type(p, LLVMStructGetTypeAtIndex(type, i));
    }
    buf_puts(out, " }");
    return;
  default: die("a type that NVVM IR has not");
  }
}

/* T addrspace(n)* */
static void put_pointer_to(Print *p, LLVMTypeRef type, unsigned space)
{
  put_type(p, type);
  if (space) buf_printf(p->out, " addrspace(%u)*", space);
  else buf_putc(p->out, '*');
}

static void put_function_type(Print *p, LLVMTypeRef type)
{
  LLVMTypeRef types[2 * PARAMS_MAX]; /* a kernel's span can be two */
  unsigned count = LLVMCountParamTypes(type);
  LLVMGetParamTypes(type, types);
  put_type(p, LLVMGetReturnType(type));
  buf_puts(p->out, " (");
  for (unsigned i = 0; i < count; ++i) {
    if (i) buf_puts(p->out, ", ");
    put_type(p, types[i]);
  }
  buf_putc(p->out, ')');
}

static const char *symbol_of(LLVMValueRef value)
{
  static const struct {
    const char *llvm, *nvvm;
  } names[] = {
#define NVVM_NAME(llvm, nvvm) {llvm, nvvm},
#include "target/nvvm.def"
  };
  size_t len;
  const char *name = LLVMGetValueName2(value, &len);
  for (size_t i = 0; i < COUNT_OF(names); ++i)
    if (!strcmp(name, names[i].llvm)) return names[i].nvvm;
  return name;
}

/* ---- constants and operands ---- */

static void put_value(Print *p, LLVMValueRef value);

static unsigned space_of(LLVMValueRef pointer)
{
  return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
}

static void put_typed(Print *p, LLVMValueRef value)
{
  put_type(p, LLVMTypeOf(value));
  buf_putc(p->out, ' ');
  put_value(p, value);
}

/* Prints the operands from `first` on, each behind a comma. */
static void put_list(Print *p, LLVMValueRef value, int first)
{
  for (int i = first; i < LLVMGetNumOperands(value); ++i) {
    buf_puts(p->out, ", ");
    put_typed(p, LLVMGetOperand(value, (unsigned)i));
  }
}

/* Prints two operands of one type: the type and the first, and the second. */
static void put_pair(Print *p, LLVMValueRef value)
{
  put_typed(p, LLVMGetOperand(value, 0));
  buf_puts(p->out, ", ");
  put_value(p, LLVMGetOperand(value, 1));
}

/* The type that a getelementptr's indices lead to. */
static LLVMTypeRef indexed_type(LLVMValueRef gep)
{
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  for (int i = 2; i < LLVMGetNumOperands(gep); ++i) {
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind)
      type = LLVMStructGetTypeAtIndex(
          type, (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(gep, (unsigned)i)));
    else type = LLVMGetElementType(type);
  }
  return type;
}

static void put_constant_gep(Print *p, LLVMValueRef value)
{
  LLVMValueRef base = LLVMGetOperand(value, 0);
  LLVMTypeRef from = LLVMGetGEPSourceElementType(value), to = indexed_type(value);
  unsigned space = space_of(base);
  buf_puts(p->out, "bitcast (");
  put_pointer_to(p, to, space);
  buf_puts(p->out, " getelementptr inbounds (");
  put_type(p, from);
  buf_puts(p->out, ", ");
  put_pointer_to(p, from, space);
  buf_puts(p->out, " bitcast (");
  put_typed(p, base);
  buf_puts(p->out, " to ");
  put_pointer_to(p, from, space);
  buf_putc(p->out, ')');
  put_list(p, value, 1);
  buf_puts(p->out, ") to ");
  put_type(p, LLVMTypeOf(value));
  buf_putc(p->out, ')');
}

static void put_cast_type(Print *p, LLVMValueRef value)
{
  buf_puts(p->out, " to ");
  put_type(p, LLVMTypeOf(value));
}

/* Prints what LLVM can't fold without a data layout: operations on vectors, and casts of them. */
static void put_constant_expr(Print *p, LLVMValueRef value)
{
  Instruction row = instruction_of(LLVMGetConstOpcode(value));
  if (LLVMGetConstOpcode(value) == LLVMGetElementPtr) {
    put_constant_gep(p, value);
    return;
  }
  if (row.operands == OPERANDS_other) die("a constant expression that gen does not make");
  buf_printf(p->out, "%s (", row.word);
  put_typed(p, LLVMGetOperand(value, 0));
  put_list(p, value, 1);
  if (row.operands == OPERANDS_cast) put_cast_type(p, value);
  buf_putc(p->out, ')');
}

static void put_aggregate(Print *p, LLVMValueRef value)
{
  LLVMTypeRef type = LLVMTypeOf(value);
  bool is_array = LLVMGetTypeKind(type) == LLVMArrayTypeKind;
  bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
  /* LLVMIsConstantString() may be asked for data only; of other constants it reads beyond their
   * end. */
  bool is_data = LLVMGetValueKind(value) == LLVMConstantDataArrayValueKind;
  if (is_data && LLVMIsConstantString(value)) {
    size_t len;
    const char *text = LLVMGetAsString(value, &len);
    buf_puts(p->out, "c\"");
    for (size_t i = 0; i < len; ++i) buf_printf(p->out, "\\%02X", (unsigned char)text[i]);
    buf_putc(p->out, '"');
    return;
  }
  unsigned count = is_vector  ? LLVMGetVectorSize(type)
                   : is_array ? (unsigned)LLVMGetArrayLength2(type)
                              : LLVMCountStructElementTypes(type);
  buf_putc(p->out, is_vector ? '<' : is_array ? '[' : '{');
  for (unsigned i = 0; i < count; ++i) {
    buf_puts(p->out, i ? ", " : " ");
    put_typed(p, LLVMGetAggregateElement(value, i));
  }
  buf_putc(p->out, is_vector ? '>' : is_array ? ']' : '}');
}

static void put_real(Print *p, LLVMValueRef value)
{
  LLVMBool is_lossy;
  double real = LLVMConstRealGetDouble(value, &is_lossy);
  if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMHalfTypeKind) {
    buf_printf(p->out, "0xH%04X", (unsigned)scalar_bits(p->g->c->types->type_f16, real));
    return;
  }
  uint64_t bits;
  memcpy(&bits, &real, sizeof bits);
  buf_printf(p->out, "0x%016" PRIX64, bits);
}

static void put_value(Print *p, LLVMValueRef value)
{
  size_t len;
  switch (LLVMGetValueKind(value)) {
  case LLVMConstantIntValueKind:
    if (LLVMGetIntTypeWidth(LLVMTypeOf(value)) == 1)
      buf_puts(p->out, LLVMConstIntGetZExtValue(value) ? "true" : "false");
    else buf_printf(p->out, "%lld", LLVMConstIntGetSExtValue(value));
    return;
  case LLVMConstantFPValueKind: put_real(p, value); return;
  case LLVMConstantPointerNullValueKind: buf_puts(p->out, "null"); return;
  case LLVMConstantAggregateZeroValueKind: buf_puts(p->out, "zeroinitializer"); return;
  case LLVMPoisonValueValueKind:
  case LLVMUndefValueValueKind: buf_puts(p->out, "undef"); return;
  case LLVMConstantExprValueKind: put_constant_expr(p, value); return;
  case LLVMConstantArrayValueKind:
  case LLVMConstantStructValueKind:
  case LLVMConstantVectorValueKind:
  case LLVMConstantDataVectorValueKind:
  case LLVMConstantDataArrayValueKind: put_aggregate(p, value); return;
  case LLVMFunctionValueKind: buf_printf(p->out, "@%s", symbol_of(value)); return;
  case LLVMGlobalVariableValueKind:
    buf_puts(p->out, "bitcast (");
    put_pointer_to(p, LLVMGlobalGetValueType(value), space_of(value));
    buf_printf(p->out, " @%s to ", LLVMGetValueName2(value, &len));
    put_type(p, LLVMTypeOf(value));
    buf_putc(p->out, ')');
    return;
  case LLVMArgumentValueKind:
  case LLVMInstructionValueKind: buf_printf(p->out, "%%%s", LLVMGetValueName2(value, &len)); return;
  case LLVMBasicBlockValueKind:
    buf_printf(p->out, "%%%s", LLVMGetBasicBlockName(LLVMValueAsBasicBlock(value)));
    return;
  default: die("a value that gen does not make");
  }
}

/* ---- metadata ---- */

static uint32_t debug_scope(Print *p, LLVMMetadataRef scope)
{
  uint32_t number = gen_debug_number(p->g, scope);
  if (!number) die("an instruction of another function");
  return number;
}

static void put_debug(Print *p, LLVMValueRef instruction)
{
  LLVMMetadataRef place = LLVMInstructionGetDebugLoc(instruction);
  if (!place) return;
  uint32_t node = p->nodes++;
  buf_printf(&p->metadata, "!%u = !DILocation(line: %u, column: %u, scope: !%u", node,
             LLVMDILocationGetLine(place), LLVMDILocationGetColumn(place),
             debug_scope(p, LLVMDILocationGetScope(place)));
  uint32_t call = gen_debug_number(p->g, LLVMDILocationGetInlinedAt(place));
  if (call) buf_printf(&p->metadata, ", inlinedAt: !%u", call);
  buf_puts(&p->metadata, ")\n");
  buf_printf(p->out, ", !dbg !%u", node);
}

/* A loop's hints: the first operand is the node itself, the others are !{!"text"[, i32 n]}. */
static void put_loop(Print *p, LLVMValueRef branch)
{
  enum { HINTS_MAX = 4 };
  unsigned kind = LLVMGetMDKindIDInContext(p->g->context, "llvm.loop", 9);
  LLVMValueRef loop = LLVMGetMetadata(branch, kind), parts[HINTS_MAX], words[2];
  if (!loop || LLVMGetMDNodeNumOperands(loop) > HINTS_MAX) return;
  unsigned count = LLVMGetMDNodeNumOperands(loop);
  LLVMGetMDNodeOperands(loop, parts);
  uint32_t node = p->nodes++, first = p->nodes;
  for (unsigned i = 1; i < count; ++i) {
    unsigned len;
    LLVMGetMDNodeOperands(parts[i], words);
    buf_printf(&p->metadata, "!%u = !{!\"%s\"", p->nodes++, LLVMGetMDString(words[0], &len));
    if (LLVMGetMDNodeNumOperands(parts[i]) == 2)
      buf_printf(&p->metadata, ", i32 %llu", LLVMConstIntGetZExtValue(words[1]));
    buf_puts(&p->metadata, "}\n");
  }
  buf_printf(&p->metadata, "!%u = distinct !{!%u", node, node);
  for (unsigned i = 1; i < count; ++i) buf_printf(&p->metadata, ", !%u", first + i - 1);
  buf_puts(&p->metadata, "}\n");
  buf_printf(p->out, ", !llvm.loop !%u", node);
}

/* !nvvm.annotations: !{function, "key", i32 value}. */
static void put_annotations(Print *p)
{
  enum { PARTS = 3 };
  unsigned count = LLVMGetNamedMetadataNumOperands(p->g->module, "nvvm.annotations");
  LLVMValueRef *rows = NEW_ARRAY(&p->g->c->scratch, LLVMValueRef, count + 1);
  LLVMGetNamedMetadataOperands(p->g->module, "nvvm.annotations", rows);
  buf_puts(p->out, "!nvvm.annotations = !{");
  for (unsigned i = 0; i < count; ++i) buf_printf(p->out, "%s!%u", i ? ", " : "", p->nodes + i);
  buf_puts(p->out, "}\n");
  for (unsigned i = 0; i < count; ++i) {
    LLVMValueRef parts[PARTS];
    unsigned len;
    LLVMGetMDNodeOperands(rows[i], parts);
    buf_printf(p->out, "!%u = !{", p->nodes++);
    put_function_type(p, LLVMGlobalGetValueType(parts[0]));
    buf_printf(p->out, "* @%s, !\"%s\", i32 %llu}\n", symbol_of(parts[0]),
               LLVMGetMDString(parts[1], &len), LLVMConstIntGetZExtValue(parts[2]));
  }
}

/* ---- instructions ---- */

/* Casts a pointer to T*; returns the number of the cast's name. */
static uint32_t put_cast(Print *p, LLVMValueRef pointer, LLVMTypeRef to)
{
  uint32_t cast = p->casts++;
  buf_printf(p->out, "  %%.c%u = bitcast ", cast);
  put_typed(p, pointer);
  buf_puts(p->out, " to ");
  put_pointer_to(p, to, space_of(pointer));
  buf_putc(p->out, '\n');
  return cast;
}

/* Writes `%name = ` and starts the line. */
static void put_result(Print *p, LLVMValueRef value)
{
  size_t len;
  buf_puts(p->out, "  ");
  if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMVoidTypeKind)
    buf_printf(p->out, "%%%s = ", LLVMGetValueName2(value, &len));
}

/* Does the getelementptr that gives the address have the type of the access? */
static bool is_typed_address(LLVMValueRef pointer, LLVMTypeRef type)
{
  return LLVMIsAGetElementPtrInst(pointer) && indexed_type(pointer) == type;
}

static void put_address_cast(Print *p, LLVMValueRef pointer, LLVMTypeRef type)
{
  if (is_typed_address(pointer, type)) return;
  put_cast(p, pointer, type);
}

static void put_access(Print *p, LLVMValueRef value, LLVMValueRef pointer, LLVMTypeRef type)
{
  size_t len;
  put_pointer_to(p, type, space_of(pointer));
  if (is_typed_address(pointer, type))
    buf_printf(p->out, " %%.t.%s", LLVMGetValueName2(pointer, &len));
  else buf_printf(p->out, " %%.c%u", p->casts - 1);
  buf_printf(p->out, ", align %u", LLVMGetAlignment(value));
}

/* Is the address used by anything but loads and stores of its own type? */
static bool needs_i8(LLVMValueRef gep)
{
  LLVMTypeRef type = indexed_type(gep);
  for (LLVMUseRef use = LLVMGetFirstUse(gep); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool is_load = LLVMIsALoadInst(user) && LLVMTypeOf(user) == type;
    bool is_store = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == gep &&
                    LLVMGetOperand(user, 0) != gep && LLVMTypeOf(LLVMGetOperand(user, 0)) == type;
    if (!is_load && !is_store) return true;
  }
  return false;
}

static void put_load(Print *p, LLVMValueRef value)
{
  LLVMValueRef pointer = LLVMGetOperand(value, 0);
  LLVMTypeRef type = LLVMTypeOf(value);
  put_address_cast(p, pointer, type);
  put_result(p, value);
  buf_puts(p->out, "load ");
  put_type(p, type);
  buf_puts(p->out, ", ");
  put_access(p, value, pointer, type);
  if (LLVMGetMetadata(value, LLVMGetMDKindIDInContext(p->g->context, "invariant.load", 14))) {
    if (!p->invariant) {
      p->invariant = p->nodes++;
      buf_printf(&p->metadata, "!%u = !{}\n", p->invariant);
    }
    buf_printf(p->out, ", !invariant.load !%u", p->invariant);
  }
}

static void put_store(Print *p, LLVMValueRef value)
{
  LLVMValueRef stored = LLVMGetOperand(value, 0), pointer = LLVMGetOperand(value, 1);
  put_address_cast(p, pointer, LLVMTypeOf(stored));
  buf_puts(p->out, "  store ");
  put_typed(p, stored);
  buf_puts(p->out, ", ");
  put_access(p, value, pointer, LLVMTypeOf(stored));
}

static void put_gep(Print *p, LLVMValueRef value)
{
  LLVMValueRef base = LLVMGetOperand(value, 0);
  LLVMTypeRef from = LLVMGetGEPSourceElementType(value), to = indexed_type(value);
  unsigned space = space_of(base);
  uint32_t cast = put_cast(p, base, from);
  size_t len;
  const char *name = LLVMGetValueName2(value, &len);
  buf_printf(p->out, "  %%.t.%s = getelementptr inbounds ", name);
  put_type(p, from);
  buf_puts(p->out, ", ");
  put_pointer_to(p, from, space);
  buf_printf(p->out, " %%.c%u", cast);
  put_list(p, value, 1);
  if (!needs_i8(value)) return;
  put_debug(p, value);
  buf_printf(p->out, "\n  %%%s = bitcast ", name);
  put_pointer_to(p, to, space);
  buf_printf(p->out, " %%.t.%s to ", name);
  put_type(p, LLVMTypeOf(value));
}

static void put_alloca(Print *p, LLVMValueRef value)
{
  LLVMTypeRef type = LLVMGetAllocatedType(value);
  const char *declared = gen_debug_declared(p->g, value);
  uint32_t cast = p->casts++;
  buf_printf(p->out, "  %%.c%u = alloca ", cast);
  put_type(p, type);
  buf_printf(p->out, ", align %u\n", LLVMGetAlignment(value));
  if (declared) {
    buf_puts(p->out, "  call void @llvm.dbg.declare(metadata ");
    put_pointer_to(p, type, 0);
    buf_printf(p->out, " %%.c%u, %s\n", cast, declared);
  }
  put_result(p, value);
  buf_puts(p->out, "bitcast ");
  put_pointer_to(p, type, 0);
  buf_printf(p->out, " %%.c%u to i8*", cast);
}

static void put_text(Print *p, const char *text, size_t len)
{
  buf_putc(p->out, '"');
  for (size_t i = 0; i < len; ++i) {
    bool is_plain = text[i] >= ' ' && text[i] <= '~' && text[i] != '"' && text[i] != '\\';
    if (is_plain) buf_putc(p->out, text[i]);
    else buf_printf(p->out, "\\%02X", (unsigned char)text[i]);
  }
  buf_putc(p->out, '"');
}

static bool call_has(LLVMValueRef call, const char *name)
{
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  return LLVMGetCallSiteEnumAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
}

static void put_asm(Print *p, LLVMValueRef code)
{
  size_t len;
  const char *text = LLVMGetInlineAsmAsmString(code, &len);
  buf_puts(p->out, LLVMGetInlineAsmHasSideEffects(code) ? " asm sideeffect " : " asm ");
  put_text(p, text, len);
  buf_puts(p->out, ", ");
  text = LLVMGetInlineAsmConstraintString(code, &len);
  put_text(p, text, len);
}

/* Prints the attributes that gen puts on calls of inline assembly. */
static void put_call_attributes(Print *p, LLVMValueRef value)
{
  bool is_convergent = call_has(value, "convergent");
  if (call_has(value, "nounwind")) buf_puts(p->out, " nounwind");
  if (is_convergent) buf_puts(p->out, " convergent");
  else if (call_has(value, "memory")) buf_puts(p->out, " readnone");
}

static void put_call(Print *p, LLVMValueRef value)
{
  LLVMValueRef callee = LLVMGetCalledValue(value);
  unsigned count = LLVMGetNumArgOperands(value);
  bool is_asm = LLVMIsAInlineAsm(callee) != NULL;
  put_result(p, value);
  buf_puts(p->out, "call ");
  put_type(p, LLVMTypeOf(value));
  if (is_asm) put_asm(p, callee);
  else buf_printf(p->out, " @%s", symbol_of(callee));
  buf_putc(p->out, '(');
  for (unsigned i = 0; i < count; ++i) {
    if (i) buf_puts(p->out, ", ");
    put_typed(p, LLVMGetOperand(value, i));
  }
  buf_putc(p->out, ')');
  if (is_asm) put_call_attributes(p, value);
}

static void put_branch(Print *p, LLVMValueRef value)
{
  buf_puts(p->out, "  br ");
  if (LLVMIsConditional(value)) {
    put_typed(p, LLVMGetCondition(value));
    buf_puts(p->out, ", ");
  }
  for (unsigned i = 0; i < LLVMGetNumSuccessors(value); ++i)
    buf_printf(p->out, "%slabel %%%s", i ? ", " : "",
               LLVMGetBasicBlockName(LLVMGetSuccessor(value, i)));
  put_loop(p, value);
}

static void put_phi(Print *p, LLVMValueRef value)
{
  put_result(p, value);
  buf_puts(p->out, "phi ");
  put_type(p, LLVMTypeOf(value));
  for (unsigned i = 0; i < LLVMCountIncoming(value); ++i) {
    buf_puts(p->out, i ? ", [ " : " [ ");
    put_value(p, LLVMGetIncomingValue(value, i));
    buf_printf(p->out, ", %%%s ]", LLVMGetBasicBlockName(LLVMGetIncomingBlock(value, i)));
  }
}

static void put_compare(Print *p, LLVMValueRef value)
{
  static const char *const ints[] = {"eq",  "ne",  "ugt", "uge", "ult",
                                     "ule", "sgt", "sge", "slt", "sle"};
  static const char *const reals[] = {"false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
                                      "uno",   "ueq", "ugt", "uge", "ult", "ule", "une", "true"};
  bool is_int = LLVMGetInstructionOpcode(value) == LLVMICmp;
  put_result(p, value);
  if (is_int) buf_printf(p->out, "icmp %s ", ints[LLVMGetICmpPredicate(value) - LLVMIntEQ]);
  else buf_printf(p->out, "fcmp %s ", reals[LLVMGetFCmpPredicate(value)]);
  put_pair(p, value);
}

/* An instruction whose row in nvvm.def says all. */
static void put_regular(Print *p, LLVMValueRef value)
{
  LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  Instruction row = instruction_of(opcode);
  if (row.operands == OPERANDS_other)
    die("an instruction that gen does not make: %s", LLVMPrintValueToString(value));
  put_result(p, value);
  buf_printf(p->out, "%s ", row.word);
  if (row.operands == OPERANDS_pair) {
    put_pair(p, value);
    return;
  }
  put_typed(p, LLVMGetOperand(value, 0));
  put_list(p, value, 1);
  if (row.operands == OPERANDS_cast) put_cast_type(p, value);
  bool has_indices = opcode == LLVMExtractValue || opcode == LLVMInsertValue;
  for (unsigned i = 0; has_indices && i < LLVMGetNumIndices(value); ++i)
    buf_printf(p->out, ", %u", LLVMGetIndices(value)[i]);
}

static void put_negate(Print *p, LLVMValueRef value)
{
  put_result(p, value);
  buf_puts(p->out, "fsub ");
  put_type(p, LLVMTypeOf(value));
  bool is_half = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMHalfTypeKind;
  buf_puts(p->out, is_half ? " 0xH8000, " : " 0x8000000000000000, ");
  put_value(p, LLVMGetOperand(value, 0));
}

static void put_return(Print *p, LLVMValueRef value)
{
  buf_puts(p->out, "  ret ");
  if (LLVMGetNumOperands(value)) put_typed(p, LLVMGetOperand(value, 0));
  else buf_puts(p->out, "void");
}

static void put_instruction(Print *p, LLVMValueRef value)
{
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMRet: put_return(p, value); break;
  case LLVMBr: put_branch(p, value); break;
  case LLVMUnreachable: buf_puts(p->out, "  unreachable"); break;
  case LLVMFNeg: put_negate(p, value); break;
  case LLVMAlloca: put_alloca(p, value); break;
  case LLVMLoad: put_load(p, value); break;
  case LLVMStore: put_store(p, value); break;
  case LLVMGetElementPtr: put_gep(p, value); break;
  case LLVMICmp:
  case LLVMFCmp: put_compare(p, value); break;
  case LLVMPHI: put_phi(p, value); break;
  case LLVMCall: put_call(p, value); break;
  default: put_regular(p, value);
  }
  put_debug(p, value);
  buf_putc(p->out, '\n');
}

/* ---- functions, globals ---- */

/* Names unnamed values `t`; LLVM appends a number to make names unique. */
static void name_values(LLVMValueRef function)
{
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef value = LLVMGetFirstInstruction(block); value;
         value = LLVMGetNextInstruction(value)) {
      size_t len;
      LLVMGetValueName2(value, &len);
      if (!len && LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMVoidTypeKind)
        LLVMSetValueName2(value, "t", 1);
    }
  }
}

static bool has_attribute(LLVMValueRef function, unsigned index, const char *name)
{
  return LLVMGetEnumAttributeAtIndex(function, index,
                                     LLVMGetEnumAttributeKindForName(name, strlen(name))) != NULL;
}

static void put_attributes(Print *p, LLVMValueRef function, unsigned index,
                           const char *const *names)
{
  for (; *names; ++names)
    if (has_attribute(function, index, *names)) buf_printf(p->out, " %s", *names);
}

static void put_function(Print *p, LLVMValueRef function)
{
  static const char *const of_functions[] = {"nounwind", "convergent", "alwaysinline",
                                             "noreturn", "noinline",   NULL};
  static const char *const of_params[] = {"noalias", "nocapture", "readonly", NULL};
  bool is_declaration = LLVMIsDeclaration(function);
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  unsigned count = LLVMCountParams(function);
  const char *name = symbol_of(function);
  size_t len;
  if (!is_declaration) name_values(function);
  buf_printf(p->out, "\n%s%s", is_declaration ? "declare " : "define ",
             LLVMGetLinkage(function) == LLVMInternalLinkage ? "internal " : "");
  put_type(p, LLVMGetReturnType(type));
  buf_printf(p->out, " @%s(", name);
  for (unsigned i = 0; i < count; ++i) {
    LLVMValueRef param = LLVMGetParam(function, i);
    if (i) buf_puts(p->out, ", ");
    put_type(p, LLVMTypeOf(param));
    put_attributes(p, function, i + 1, of_params);
    if (!is_declaration) buf_printf(p->out, " %%%s", LLVMGetValueName2(param, &len));
  }
  buf_putc(p->out, ')');
  if (strncmp(name, "llvm.", 5) != 0)
    put_attributes(p, function, (unsigned)LLVMAttributeFunctionIndex, of_functions);
  if (is_declaration) {
    buf_putc(p->out, '\n');
    return;
  }
  LLVMMetadataRef scope = LLVMGetSubprogram(function);
  if (scope) buf_printf(p->out, " !dbg !%u", debug_scope(p, scope));
  buf_puts(p->out, "\n{\n");
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block)) {
    buf_printf(p->out, "%s:\n", LLVMGetBasicBlockName(block));
    for (LLVMValueRef value = LLVMGetFirstInstruction(block); value;
         value = LLVMGetNextInstruction(value))
      put_instruction(p, value);
  }
  buf_puts(p->out, "}\n");
}

static void put_global(Print *p, LLVMValueRef global)
{
  size_t len;
  LLVMTypeRef type = LLVMGlobalGetValueType(global);
  unsigned space = space_of(global);
  LLVMValueRef initializer = LLVMGetInitializer(global);
  const char *linkage = LLVMGetLinkage(global) == LLVMInternalLinkage ? "internal " : "";
  buf_printf(p->out, "@%s = %s", LLVMGetValueName2(global, &len),
             initializer ? linkage : "external ");
  if (space) buf_printf(p->out, "addrspace(%u) ", space);
  buf_puts(p->out, LLVMIsGlobalConstant(global) ? "constant " : "global ");
  put_type(p, type);
  if (initializer) buf_putc(p->out, ' ');
  if (initializer) put_value(p, initializer);
  const char *declared = gen_debug_declared(p->g, global);
  buf_printf(p->out, ", align %u%s\n", LLVMGetAlignment(global), declared ? declared : "");
}

/* Lists the kernels in @llvm.used: link-time optimisation silently drops kernels that aren't
 * there. */
static void put_used(Print *p)
{
  Session *c = p->g->c;
  uint32_t count = 0, at = 0;
  for (uint32_t i = 0; i < c->kernels.count; ++i) count += kernel_has_code(c, c->kernels.at[i]);
  if (!count) return;
  buf_printf(p->out, "@llvm.used = appending global [%u x i8*] [", count);
  for (uint32_t i = 0; i < c->kernels.count; ++i) {
    if (!kernel_has_code(c, c->kernels.at[i])) continue;
    const char *symbol = kernel_symbol(c, c->kernels.at[i]);
    buf_puts(p->out, at++ ? ", i8* bitcast (" : "i8* bitcast (");
    put_function_type(p, LLVMGlobalGetValueType(LLVMGetNamedFunction(p->g->module, symbol)));
    buf_printf(p->out, "* @%s to i8*)", symbol);
  }
  buf_puts(p->out, "], section \"llvm.metadata\"\n");
}

bool pass_nvvm(Session *c)
{
  Gen *g = c->gen;
  Print print = {.g = g, .out = &c->ir, .metadata = BUF(&c->scratch)}, *p = &print;
  buf_puts(p->out, "target datalayout = "
                   "\"e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:"
                   "32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-"
                   "v128:128:128-n16:32:64\"\ntarget triple = \"nvptx64-nvidia-cuda\"\n\n");
  /* !0 is the version, so that 0 can mean "none"; then come the nodes of gen/debug.c. */
  p->nodes = gen_debug_text(g, NULL) + 1;
  for (LLVMValueRef global = LLVMGetFirstGlobal(g->module); global;
       global = LLVMGetNextGlobal(global))
    put_global(p, global);
  put_used(p);
  for (LLVMValueRef f = LLVMGetFirstFunction(g->module); f; f = LLVMGetNextFunction(f))
    put_function(p, f);
  /* Every libNVVM of CUDA 12 and 13 reads version 2.0. The second pair is the version of the debug
   * nodes. */
  buf_printf(p->out, "\n!nvvmir.version = !{!0}\n!0 = !{i32 2, i32 0%s}\n",
             g->debug ? ", i32 3, i32 2" : "");
  if (gen_debug_is_full(g))
    buf_puts(p->out, "declare void @llvm.dbg.declare(metadata, metadata, metadata)\n");
  gen_debug_text(g, p->out);
  put_annotations(p);
  if (p->metadata.len) buf_puts(p->out, buf_text(&p->metadata));
  return true;
}
