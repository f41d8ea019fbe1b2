/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* space.c - finds addresses that are cast to the address space of another memory.
 *
 * A span or pointer parameter of a function is a generic address. Where a function needs an address
 * in shared or global memory, as for ptr<f32, shared>(...) or memcpy_async, there is an
 * addrspacecast. If LLVM or libNVVM find out that the address is in another memory, they abort the
 * process. So each such cast is traced back to the origin of its address, along def-use chains and
 * through calls, before they see it:
 *
 *     kernel k(y: out f32[64]) { f(y); }    3. %y is in addrspace(1), global memory: wrong
 *     fn f(t: out f32[])       { g(t); }    2. an argument: look at the calls of f
 *     fn g(t: out f32[]) {                  1. an argument: look at the calls of g
 *         ptr<f32, shared>(address(t[0]))[0] = 1;      addrspacecast ptr %t to ptr addrspace(3)
 *     }
 *
 * needs   the module for a GPU with all functions generated
 * gives   nothing
 * keeps   the module
 * fails   with DIAG_memory_space
 *
 * The origin of a value is right (the memory that the cast wants), wrong, or unknown; only a wrong
 * one is an error. The trace passes through elements of aggregates, phis, selects, variables,
 * results of functions and arguments:
 *
 *   argument   It comes from any call of the function. One wrong call is an error. The trace is
 *              context sensitive: if it has entered the function through the result of a call, the
 *              argument is that call's.
 *   phi, select, results of a function, values stored in a variable
 *              All of them have to be wrong: a right or unknown one makes the cast possible.
 *   a load from other memory, or more than STEPS_MAX steps for one cast
 *              The origin is unknown.
 *
 * The message is placed at the call nearest to the origin that stands in the user's program, not in
 * the library: here f(y) in k. Without such a call it is placed at the expression of the cast.
 *
 * LLVM's optimiser may find more, as for pointers in memory: gen_check_optimized() looks for that
 * in its result.
 */
#include "gen/gen_private.h"

#include <string.h>

enum { STEPS_MAX = 1024, PATH_MAX = 16, CALLS_MAX = 32 };

typedef enum Root { ROOT_unknown, ROOT_right, ROOT_wrong } Root;

/* An element of an aggregate: indices, the outermost last. */
typedef struct Path {
  unsigned at[PATH_MAX], count;
} Path;

typedef struct Trace {
  Gen *g;
  unsigned wanted, found; /* LLVM's address spaces */
  bool is_own;            /* the address found is a thread's variable */
  unsigned steps;
  /* Calls that the trace has entered through their results and not left again. */
  LLVMValueRef inside[CALLS_MAX];
  unsigned inside_count;
  LLVMValueRef calls[CALLS_MAX]; /* calls whose arguments the trace went on with */
  unsigned call_count;
} Trace;

static Root trace(Trace *t, LLVMValueRef value, Path path);

void gen_note_place(Gen *g, LLVMValueRef value, const Node *node)
{
  const Node *site = gen_is_users(g, node) ? node : g->state->user_site;
  if (site && g->target->has_spaces)
    vec_push(&g->c->scratch, &g->state->places, ((Noted){value, site}));
}

static const Node *noted(const Gen *g, LLVMValueRef value)
{
  for (uint32_t i = g->state->places.count; i-- > 0;)
    if (g->state->places.at[i].value == value) return g->state->places.at[i].node;
  return NULL;
}

static Root root_in(Trace *t, unsigned space)
{
  if (space == t->wanted) return ROOT_right;
  t->found = space;
  return ROOT_wrong;
}

/* Combines the origins of values of which all must be wrong. */
static Root all_of(Root all, Root one)
{
  if (all == ROOT_right || one == ROOT_right) return ROOT_right;
  return all == ROOT_wrong && one == ROOT_wrong ? ROOT_wrong : ROOT_unknown;
}

static bool is_scalar(LLVMTypeRef type)
{
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMIntegerTypeKind || kind == LLVMHalfTypeKind || kind == LLVMFloatTypeKind ||
         kind == LLVMDoubleTypeKind;
}

/* Is it a lifetime marker or a memset to zero, which store no address? */
static bool is_start(LLVMValueRef user)
{
  static const char life[] = "llvm.lifetime.start", zeros[] = "llvm.memset";
  if (!LLVMIsACallInst(user) || !LLVMIsAFunction(LLVMGetCalledValue(user))) return false;
  unsigned id = LLVMGetIntrinsicID(LLVMGetCalledValue(user));
  return id && (id == LLVMLookupIntrinsicID(life, sizeof life - 1) ||
                id == LLVMLookupIntrinsicID(zeros, sizeof zeros - 1));
}

static Root trace_choice(Trace *t, LLVMValueRef a, LLVMValueRef b, Path path)
{
  Root first = trace(t, a, path);
  return first == ROOT_wrong ? all_of(first, trace(t, b, path)) : first;
}

static Root trace_phi(Trace *t, LLVMValueRef phi, Path path)
{
  Root all = ROOT_wrong;
  for (unsigned i = 0, n = LLVMCountIncoming(phi); i < n && all == ROOT_wrong; ++i)
    if (LLVMGetIncomingValue(phi, i) != phi)
      all = all_of(all, trace(t, LLVMGetIncomingValue(phi, i), path));
  return all;
}

static Root trace_extract(Trace *t, LLVMValueRef value, Path path)
{
  const unsigned *indices = LLVMGetIndices(value);
  for (unsigned i = LLVMGetNumIndices(value); i-- > 0;) {
    if (path.count == PATH_MAX) return ROOT_unknown;
    path.at[path.count++] = indices[i];
  }
  return trace(t, LLVMGetOperand(value, 0), path);
}

static Root trace_insert(Trace *t, LLVMValueRef value, Path path)
{
  const unsigned *indices = LLVMGetIndices(value);
  unsigned count = LLVMGetNumIndices(value);
  for (unsigned i = 0; i < count; ++i) {
    if (i == path.count) return ROOT_unknown;
    if (path.at[path.count - 1 - i] != indices[i]) return trace(t, LLVMGetOperand(value, 0), path);
  }
  path.count -= count;
  return trace(t, LLVMGetOperand(value, 1), path);
}

static Root trace_result(Trace *t, LLVMValueRef call, Path path)
{
  LLVMValueRef function = LLVMGetCalledValue(call);
  Root all = ROOT_wrong;
  bool is_some = false;
  if (!LLVMIsAFunction(function) || t->inside_count == CALLS_MAX) return ROOT_unknown;
  t->inside[t->inside_count++] = call;
  LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
  for (; block && all == ROOT_wrong; block = LLVMGetNextBasicBlock(block)) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (!LLVMIsAReturnInst(end) || !LLVMGetNumOperands(end)) continue;
    all = all_of(all, trace(t, LLVMGetOperand(end, 0), path));
    is_some = true;
  }
  --t->inside_count;
  return is_some ? all : ROOT_unknown;
}

static Root trace_passed(Trace *t, LLVMValueRef call, unsigned index, Path path)
{
  if (t->call_count == CALLS_MAX) return ROOT_unknown;
  t->calls[t->call_count++] = call;
  Root root = trace(t, LLVMGetOperand(call, index), path);
  if (root != ROOT_wrong) --t->call_count; /* otherwise the report uses them */
  return root;
}

static Root trace_argument(Trace *t, LLVMValueRef argument, Path path)
{
  LLVMValueRef function = LLVMGetParamParent(argument);
  unsigned index = 0;
  while (LLVMGetParam(function, index) != argument) ++index;
  if (t->inside_count) {
    LLVMValueRef call = t->inside[--t->inside_count];
    Root root = LLVMGetCalledValue(call) == function ? trace(t, LLVMGetOperand(call, index), path)
                                                     : ROOT_unknown;
    t->inside[t->inside_count++] = call;
    return root;
  }
  Root any = ROOT_unknown;
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef call = LLVMGetUser(use);
    if (!LLVMIsACallInst(call) || LLVMGetCalledValue(call) != function) continue;
    Root root = trace_passed(t, call, index, path);
    if (root == ROOT_wrong) return root;
    if (root == ROOT_right) any = root;
  }
  return any;
}

/* The origin of all values of the load's type that are stored in a variable or a part of it. */
static Root trace_stored(Trace *t, LLVMValueRef address, LLVMTypeRef type, Path path, bool *is_some)
{
  Root all = ROOT_wrong;
  for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (++t->steps > STEPS_MAX) return ROOT_unknown;
    bool is_store = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == address;
    if (LLVMIsALoadInst(user) || (is_store && LLVMIsNull(LLVMGetOperand(user, 0)))) continue;
    if (LLVMIsAGetElementPtrInst(user)) {
      all = all_of(all, trace_stored(t, user, type, path, is_some));
    } else if (is_store) {
      LLVMTypeRef stored = LLVMTypeOf(LLVMGetOperand(user, 0));
      if (stored == type)
        all = all_of(all, trace(t, LLVMGetOperand(user, 0), path)), *is_some = true;
      else if (!is_scalar(stored)) return ROOT_unknown;
    } else if (!is_start(user)) {
      return ROOT_unknown;
    }
    if (all != ROOT_wrong) return all;
  }
  return all;
}

static Root trace_load(Trace *t, LLVMValueRef load, Path path)
{
  LLVMValueRef address = LLVMGetOperand(load, 0);
  bool is_some = false;
  while (LLVMIsAGetElementPtrInst(address)) address = LLVMGetOperand(address, 0);
  if (!LLVMIsAAllocaInst(address)) return ROOT_unknown;
  Root root = trace_stored(t, address, LLVMTypeOf(load), path, &is_some);
  return is_some ? root : ROOT_unknown;
}

static Root trace_constant(Trace *t, LLVMValueRef value, Path path)
{
  if (LLVMIsAGlobalVariable(value)) return ROOT_unknown; /* constant data, with a generic address */
  if (!LLVMIsAConstantExpr(value)) return ROOT_unknown;
  LLVMOpcode code = LLVMGetConstOpcode(value);
  bool is_same = code == LLVMAddrSpaceCast || code == LLVMGetElementPtr || code == LLVMBitCast;
  return is_same ? trace(t, LLVMGetOperand(value, 0), path) : ROOT_unknown;
}

/* The origin of the address that is the value, or the element of it that the path names. */
static Root trace(Trace *t, LLVMValueRef value, Path path)
{
  LLVMTypeRef type = LLVMTypeOf(value);
  bool is_pointer = LLVMGetTypeKind(type) == LLVMPointerTypeKind;
  if (++t->steps > STEPS_MAX) return ROOT_unknown;
  if (is_pointer && LLVMGetPointerAddressSpace(type) != SPACE_GENERIC)
    return root_in(t, LLVMGetPointerAddressSpace(type));
  if (LLVMIsAArgument(value)) return trace_argument(t, value, path);
  if (LLVMIsAConstant(value)) return trace_constant(t, value, path);
  if (!LLVMIsAInstruction(value)) return ROOT_unknown;
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMAddrSpaceCast:
  case LLVMBitCast:
  case LLVMGetElementPtr: return trace(t, LLVMGetOperand(value, 0), path);
  case LLVMExtractValue: return trace_extract(t, value, path);
  case LLVMInsertValue: return trace_insert(t, value, path);
  case LLVMPHI: return trace_phi(t, value, path);
  case LLVMSelect: return trace_choice(t, LLVMGetOperand(value, 1), LLVMGetOperand(value, 2), path);
  case LLVMCall: return trace_result(t, value, path);
  case LLVMLoad: return trace_load(t, value, path);
  case LLVMAlloca: t->is_own = true; return root_in(t, SPACE_GENERIC);
  default: return ROOT_unknown;
  }
}

static const char *space_name(const Trace *t, unsigned space)
{
  if (t->is_own && space == SPACE_GENERIC) return "a thread's own";
  return space == SPACE_GLOBAL ? "global" : space == SPACE_SHARED ? "shared" : "constant";
}

static void report(Trace *t, LLVMValueRef cast)
{
  Session *c = t->g->c;
  const Node *node = noted(t->g, cast);
  for (unsigned i = 0; i < t->call_count; ++i) {
    const Node *call = noted(t->g, t->calls[i]);
    if (call) node = call;
  }
  Span span = node ? node->span : (Span){0, 0};
  if (c->diag.last && c->diag.last->span.lo == span.lo && c->diag.last->span.hi == span.hi) return;
  diag_at(&c->diag, DIAG_memory_space, span, space_name(t, t->found), space_name(t, t->wanted));
}

static void check_cast(Gen *g, LLVMValueRef cast)
{
  LLVMTypeRef to = LLVMTypeOf(cast), from = LLVMTypeOf(LLVMGetOperand(cast, 0));
  unsigned space = LLVMGetPointerAddressSpace(to);
  if (space == SPACE_GENERIC || LLVMGetPointerAddressSpace(from) != SPACE_GENERIC) return;
  Trace t = {.g = g, .wanted = space};
  if (trace(&t, LLVMGetOperand(cast, 0), (Path){.count = 0}) == ROOT_wrong) report(&t, cast);
}

/* ---- what only the optimiser finds out ---- */

static bool is_between(LLVMTypeRef from, LLVMTypeRef to)
{
  if (LLVMGetTypeKind(to) != LLVMPointerTypeKind || LLVMGetTypeKind(from) != LLVMPointerTypeKind)
    return false;
  unsigned a = LLVMGetPointerAddressSpace(from), b = LLVMGetPointerAddressSpace(to);
  return a != SPACE_GENERIC && b != SPACE_GENERIC && a != b;
}

/* The cast between two memories in a value or its constant operands; NULL: it has none. */
static LLVMValueRef cast_in(LLVMValueRef value, unsigned depth)
{
  bool is_constant = LLVMIsAConstantExpr(value) != NULL;
  if (!depth || (!is_constant && !LLVMIsAInstruction(value))) return NULL;
  bool is_cast = is_constant ? LLVMGetConstOpcode(value) == LLVMAddrSpaceCast
                             : LLVMIsAAddrSpaceCastInst(value) != NULL;
  if (is_cast && is_between(LLVMTypeOf(LLVMGetOperand(value, 0)), LLVMTypeOf(value))) return value;
  for (int i = 0, n = LLVMGetNumOperands(value); i < n; ++i) {
    LLVMValueRef operand = LLVMGetOperand(value, (unsigned)i);
    LLVMValueRef found = LLVMIsAConstantExpr(operand) ? cast_in(operand, depth - 1) : NULL;
    if (found) return found;
  }
  return NULL;
}

static Span span_of(Session *c, LLVMValueRef function)
{
  size_t bytes;
  const char *name = LLVMGetValueName2(function, &bytes);
  for (uint32_t i = 0; i < c->kernels.count; ++i)
    if (!strcmp(kernel_symbol(c, c->kernels.at[i]), name)) return c->kernels.at[i]->span;
  return (Span){0, 0};
}

bool gen_check_optimized(Gen *g)
{
  enum { DEPTH = 4 };
  for (LLVMValueRef f = LLVMGetFirstFunction(g->module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
        LLVMValueRef cast = cast_in(i, DEPTH);
        if (!cast) continue;
        Trace t = {.g = g};
        LLVMTypeRef from = LLVMTypeOf(LLVMGetOperand(cast, 0)), to = LLVMTypeOf(cast);
        return diag_at(&g->c->diag, DIAG_memory_space, span_of(g->c, f),
                       space_name(&t, LLVMGetPointerAddressSpace(from)),
                       space_name(&t, LLVMGetPointerAddressSpace(to)));
      }
  return true;
}

/* ---- the module as it is generated ---- */

bool gen_check_spaces(Gen *g)
{
  if (!g->target->has_spaces) return true;
  for (LLVMValueRef f = LLVMGetFirstFunction(g->module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
        if (LLVMIsAAddrSpaceCastInst(i)) check_cast(g, i);
  return !g->c->diag.error_count;
}
