/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* gen.c - translates the typed tree to one LLVM module.
 *
 * needs   c->kernels, and all that they call, checked
 * gives   c->gen->module: kernels and exported functions with external linkage, the functions that
 *         they call with internal linkage
 * keeps   the tree, but for decl->gen
 * fails   with DIAG_symbol_clash; otherwise the module verifies, or the compiler has a bug
 *
 * Kernels are generated first. A call declares its callee and puts it into a list, GenState.work,
 * which is processed until it is empty; so only functions that are reached have code. A function
 * that asks for the shape of the block has a copy for each shape (Copy):
 *
 *     decl->gen of a function     Copy{shape 64} -> Copy{shape 128} -> NULL
 *     decl->gen of a variable     Slot: a value, memory, or a view (gen_private.h)
 *
 * All functions of GPU code are marked convergent, as clang does; LLVM's optimiser removes the mark
 * from functions that don't wait. Without it, it could move a barrier into a condition.
 */
#include "front/target.h"
#include "gen/gen_private.h"

#include <llvm-c/Analysis.h>
#include <string.h>

void gen_attribute(Gen *g, LLVMValueRef function, int index, const char *name)
{
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  if (!kind) die("LLVM has no attribute '%s'", name);
  LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)index,
                          LLVMCreateEnumAttribute(g->context, kind, 0));
}

bool gen_is_ended(Gen *g)
{
  return LLVMGetBasicBlockTerminator(LLVMGetInsertBlock(g->builder)) != NULL;
}

LLVMBasicBlockRef gen_block(Gen *g, const char *name)
{
  return LLVMAppendBasicBlockInContext(g->context, g->state->function, name);
}

void gen_at(Gen *g, LLVMBasicBlockRef block)
{
  LLVMPositionBuilderAtEnd(g->builder, block);
}

void gen_branch(Gen *g, LLVMBasicBlockRef to)
{
  if (!gen_is_ended(g)) LLVMBuildBr(g->builder, to);
}

void gen_go(Gen *g, LLVMBasicBlockRef block)
{
  LLVMBuildBr(g->builder, block);
  gen_at(g, block);
}

void gen_incoming(LLVMValueRef phi, LLVMValueRef a, LLVMBasicBlockRef from_a, LLVMValueRef b,
                  LLVMBasicBlockRef from_b)
{
  LLVMAddIncoming(phi, (LLVMValueRef[]){a, b}, (LLVMBasicBlockRef[]){from_a, from_b}, 2);
}

LLVMValueRef gen_phi(Gen *g, LLVMTypeRef type, LLVMValueRef a, LLVMBasicBlockRef from_a,
                     LLVMValueRef b, LLVMBasicBlockRef from_b)
{
  LLVMValueRef phi = LLVMBuildPhi(g->builder, type, "");
  gen_incoming(phi, a, from_a, b, from_b);
  return phi;
}

Slot *gen_slot(Gen *g, Node *decl, Slot slot)
{
  Slot *made = NEW(g->c->unit, Slot);
  *made = slot;
  decl->gen = made;
  return made;
}

static const char *function_symbol(Gen *g, const Node *function)
{
  const Node *receiver = receiver_of(function);
  const char *name = function->name->text;
  if (receiver) name = arena_printf(&g->c->scratch, "%s.%s", receiver->name->text, name);
  return arena_printf(&g->c->scratch, "ck.%s", generic_symbol(g->c, name));
}

/* Declares a function of another object of the link. Its name is its symbol. */
static LLVMValueRef declare_imported(Gen *g, const Node *function)
{
  LLVMTypeRef types[PARAMS_MAX];
  unsigned count = 0;
  LLVMValueRef value = LLVMGetNamedFunction(g->module, function->name->text);
  if (value) return value;
  for (Node *param = function->b; param; param = param->next)
    types[count++] = gen_type(g, param->type);
  value = LLVMAddFunction(g->module, function->name->text,
                          LLVMFunctionType(gen_type(g, function->type), types, count, false));
  gen_attribute(g, value, LLVMAttributeFunctionIndex, "nounwind");
  gen_attribute(g, value, LLVMAttributeFunctionIndex, "convergent");
  return value;
}

/* Declares a function for the current shape. Hidden parameters come first, in this order: on the
 * host the running thread; in a checked build the caller; the frame of shared memory; scratch
 * memory and its top; the address of a large result. */
LLVMValueRef gen_declare(Gen *g, Node *function)
{
  if (function->flags & FLAG_imported) return declare_imported(g, function);
  Shape shape = function->flags & FLAG_shaped ? g->state->shape : (Shape){0};
  for (Copy *copy = function->gen; copy; copy = copy->next)
    if (!memcmp(&copy->shape, &shape, sizeof shape)) return copy->value;
  LLVMTypeRef types[PARAMS_MAX + 6];
  unsigned count = 0;
  bool has_result = gen_is_large(function->type);
  if (g->target->has_coroutines) types[count++] = g->ptr;
  if (gen_check_has_caller(g, function)) types[count++] = g->ptr;
  if (shared_bytes(g->c, function))
    types[count++] = LLVMPointerTypeInContext(g->context, g->shared_space);
  if (function->flags & FLAG_scratch) {
    types[count++] = LLVMPointerTypeInContext(g->context, g->global_space);
    types[count++] = g->ptr;
  }
  if (has_result) types[count++] = g->ptr;
  for (Node *param = function->b; param; param = param->next)
    if (param->kind == NODE_param) types[count++] = gen_type(g, param->type);
  LLVMTypeRef type =
      LLVMFunctionType(has_result ? g->nothing : gen_type(g, function->type), types, count, false);
  LLVMValueRef value = LLVMAddFunction(g->module, function_symbol(g, function), type);
  LLVMSetLinkage(value, LLVMInternalLinkage);
  gen_attribute(g, value, LLVMAttributeFunctionIndex, "nounwind");
  if (g->target->has_warps) gen_attribute(g, value, LLVMAttributeFunctionIndex, "convergent");
  /* A host kernel is a coroutine, whose suspension points have to be in the kernel itself. And a
   * function that takes a closure is no longer a call once the closure is known. */
  bool is_inlined =
      (g->target->has_coroutines && function->flags & FLAG_waits) || function->flags & FLAG_plan;
  for (const Node *param = function->b; param; param = param->next)
    is_inlined |= param->kind == NODE_param && param->type->has_closure;
  if (is_inlined) gen_attribute(g, value, LLVMAttributeFunctionIndex, "alwaysinline");
  Copy *copy = NEW(g->c->unit, Copy);
  *copy = (Copy){function->gen, shape, value};
  function->gen = copy;
  Work work = {function, copy};
  vec_push(g->c->unit, &g->state->work, work);
  return value;
}

/* The outside function that generated code may call by this symbol, or NULL. */
static const char *outside_symbol(const char *symbol)
{
  static const char *const names[] = {"memcpy", "memmove", "memset", "vprintf"};
  for (size_t i = 0; i < COUNT_OF(names); ++i)
    if (!strcmp(names[i], symbol)) return names[i];
  return !strncmp(symbol, "__", 2) ? "a function of the run-time library" : NULL;
}

static bool check_symbol(Session *c, Names *symbols, Node *item)
{
  const char *symbol = generic_symbol(c, item->name->text), *other = outside_symbol(symbol);
  Name *name = (Name *)(uintptr_t)name_of(symbols, symbol, strlen(symbol));
  if (name->bound) other = ((const Node *)name->bound)->name->text;
  name->bound = item;
  if (!other) return true;
  return diag_at(&c->diag, DIAG_symbol_clash, item->span, item->name->text, other);
}

/* Kernels, and exported and imported functions, must have distinct symbols. */
static bool check_symbols(Session *c)
{
  Names symbols;
  names_init(&symbols, &c->scratch);
  for (Node *item = c->module->a; item; item = item->next)
    if (item->kind == NODE_function && item->flags & (FLAG_exported | FLAG_imported) &&
        !check_symbol(c, &symbols, item))
      return false;
  for (uint32_t i = 0; i < c->kernels.count; ++i)
    if (!check_symbol(c, &symbols, c->kernels.at[i])) return false;
  return true;
}

/* Exported functions keep their names, by which other objects of the link call them. Host code
 * isn't linked. */
static void gen_exported(Gen *g)
{
  for (Node *item = g->c->module->a; item && g->target->has_linker; item = item->next) {
    if (item->kind != NODE_function || !(item->flags & FLAG_exported)) continue;
    LLVMValueRef function = gen_declare(g, item);
    LLVMSetLinkage(function, LLVMExternalLinkage);
    LLVMSetValueName2(function, item->name->text, item->name->len);
  }
}

/* Turns an error of LLVM into a diagnostic. Without a handler LLVM ends the process. */
static void take_message(LLVMDiagnosticInfoRef info, void *c)
{
  if (LLVMGetDiagInfoSeverity(info) != LLVMDSError) return;
  Session *compile = c;
  char *text = LLVMGetDiagInfoDescription(info);
  diag_at(&compile->diag, DIAG_target_failed, (Span){0, 0}, compile->target->name, text);
  LLVMDisposeMessage(text);
}

/* Names of values are needed for dumps, and by the writer of NVVM IR. Keeping them unique takes a
 * tenth of LLVM's time for a host kernel that waits. */
static bool shows_names(const Session *c)
{
  return !c->target->has_coroutines || c->options.dump || c->options.stop_after ||
         c->options.emit == CK_EMIT_LLVM;
}

static Gen *gen_open(Session *c, struct GenState *state)
{
  Gen *g = c->gen = NEW(c->unit, Gen);
  g->state = state;
  g->state->inline_all = INLINE_MAX * (unsigned)(c->kernels.count + 3);
  g->c = c;
  g->context = LLVMContextCreate();
  LLVMContextSetDiscardValueNames(g->context, !shows_names(c));
  LLVMContextSetDiagnosticHandler(g->context, take_message, c);
  g->module = LLVMModuleCreateWithNameInContext(path_base(c->source->name), g->context);
  g->builder = LLVMCreateBuilderInContext(g->context);
  g->i1 = LLVMInt1TypeInContext(g->context);
  g->i8 = LLVMInt8TypeInContext(g->context);
  g->i16 = LLVMInt16TypeInContext(g->context);
  g->i32 = LLVMInt32TypeInContext(g->context);
  g->i64 = LLVMInt64TypeInContext(g->context);
  g->f32 = LLVMFloatTypeInContext(g->context);
  g->f64 = LLVMDoubleTypeInContext(g->context);
  g->ptr = LLVMPointerTypeInContext(g->context, SPACE_GENERIC);
  g->nothing = LLVMVoidTypeInContext(g->context);
  g->target = c->target;
  g->global_space = c->target->has_spaces ? SPACE_GLOBAL : SPACE_GENERIC;
  g->shared_space = c->target->has_spaces ? SPACE_SHARED : SPACE_GENERIC;
  LLVMSetTarget(g->module, c->target->triple);
  return g;
}

/* n levels of functions that call the next level twice are 2^n inlined calls. Where gen has used up
 * its budget for inlining (inline_all), LLVM is told not to inline either. */
static void keep_calls(Gen *g)
{
  unsigned always = LLVMGetEnumAttributeKindForName("alwaysinline", 12);
  for (LLVMValueRef f = LLVMGetFirstFunction(g->module); f; f = LLVMGetNextFunction(f))
    if (LLVMGetLinkage(f) == LLVMInternalLinkage && !LLVMIsDeclaration(f) &&
        !LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, always))
      gen_attribute(g, f, LLVMAttributeFunctionIndex, "noinline");
}

bool pass_gen(Session *c)
{
  if (!check_symbols(c)) return false;
  struct GenState state = {0};
  Gen *g = gen_open(c, &state);
  gen_debug_open(g);
  gen_exported(g);
  for (uint32_t i = 0; i < c->kernels.count; ++i)
    if (kernel_has_code(c, c->kernels.at[i])) gen_kernel(g, c->kernels.at[i]);
  while (g->state->work.count) { /* grows while functions are generated */
    Work work = g->state->work.at[--g->state->work.count];
    gen_function(g, work.function, work.copy);
  }
  gen_debug_close(g);
  if (!g->state->inline_all) keep_calls(g);
  char *message = NULL;
  if (LLVMVerifyModule(g->module, LLVMReturnStatusAction, &message)) {
    char *text = LLVMPrintModuleToString(g->module);
    die("the module does not verify: %s\n%s", message, text);
  }
  LLVMDisposeMessage(message);
  bool is_good = gen_check_spaces(g);
  g->state = NULL;
  return is_good;
}

void gen_dump(Session *c, Buf *out)
{
  char *text = LLVMPrintModuleToString(c->gen->module);
  buf_puts(out, text);
  LLVMDisposeMessage(text);
}

void gen_dispose(Session *c)
{
  Gen *g = c->gen;
  if (!g) return;
  gen_debug_dispose(g);
  if (g->machine) LLVMDisposeTargetMachine(g->machine);
  LLVMDisposeBuilder(g->builder);
  LLVMDisposeModule(g->module);
  LLVMContextDispose(g->context);
  c->gen = NULL;
}
