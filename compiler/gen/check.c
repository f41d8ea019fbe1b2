/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* check.c - generates what a checked build (-check) adds: tests of indices, of integer arithmetic
 * that makes indices, and of the launch; and on the host device, calls that report each access.
 *
 * A test that fails calls one function with a printf format and two numbers. It prints a line with
 * the place, block and thread, and stops the program like an assertion. On the host device, each
 * access to shared and global memory, each wait and each end of a thread is also reported to
 * runtime/driver/host_check.c, which finds races with it.
 *
 * Arithmetic is tested by chains. A chain is a tree of + - * of integers; it is computed in twice
 * the width, and only its final result must fit its type, since `i - 1 + n` may be negative on the
 * way. Only chains that make an index are tested. A `let` used in an index keeps its chain (struct
 * Chain): an expression with that name continues the chain, and the test is at the index, since the
 * code in between may be guarded.
 *
 *     let j = i - 1;            j keeps a chain: whole = i - 1 in 64 bits, test "fits u32"
 *     if (i > 0) x[j + n]       whole = (i - 1) + n in 64 bits; tested here, not at the `let`
 *
 * If a test in the library fails, the program's call is at fault, and the message names its place.
 * Where the library's function was inlined, GenState.user_site has the place at compile time. Other
 * functions of the library take it as a hidden parameter, `caller`: on the host a ck_host_site_t,
 * on a GPU the text FILE:LINE:COL: FUNCTION. The library's own line follows: "(in
 * lib/block/load.ck:39)".
 */
#include "front/builtin.h"
#include "gen/gen_private.h"

#include <string.h>

static bool is_checked(const Gen *g)
{
  return g->c->options.flags & CK_COMPILE_CHECK;
}

bool gen_check_is_told(const Gen *g)
{
  return is_checked(g) && g->target->has_accesses;
}

bool gen_is_users(const Gen *g, const Node *node)
{
  const Source *source = source_of(&g->c->sources, node->span.lo);
  return source && !source->is_library;
}

/* The node that a message names: `node`, or for code of the library the innermost call in the
 * program's text. NULL: that call is in another function, and is given by `caller`. */
static const Node *users_site(const Gen *g, const Node *node)
{
  return gen_is_users(g, node) ? node : g->state->user_site;
}

static const Node *site_of(const Gen *g, const Node *node)
{
  const Node *site = users_site(g, node);
  return site ? site : node;
}

/* ---- texts ---- */

enum { QUOTE_MAX = 60 };

/* The source text of an expression: one line, and not too long. */
static const char *quote(Gen *g, const Node *node)
{
  const char *text = source_text(&g->c->sources, node->span);
  size_t bytes = node->span.hi - node->span.lo, line = strcspn(text, "\n");
  if (line < bytes) bytes = line;
  bool is_long = bytes > QUOTE_MAX;
  return arena_printf(&g->c->scratch, "%.*s%s", is_long ? QUOTE_MAX : (int)bytes, text,
                      is_long ? "..." : "");
}

/* Escapes a text for a printf format. */
static const char *escaped(Gen *g, const char *text)
{
  Buf out = BUF(&g->c->scratch);
  for (; *text; ++text) {
    if (*text == '%') buf_putc(&out, '%');
    buf_putc(&out, *text);
  }
  return buf_text(&out);
}

/* The text of an access in a message, as the program wrote it. In a function of the library it is
 * the text of the program's call: on the host device \1 stands for it, and `caller` supplies it. On
 * a GPU only its place is known, so the library's text is shown. */
static const char *accessed(Gen *g, const Node *access)
{
  if (g->target->has_accesses && !users_site(g, access) && g->state->caller) return "\1";
  return escaped(g, quote(g, site_of(g, access)));
}

static LLVMValueRef text_value(Gen *g, const char *text)
{
  return gen_string(g, text, strlen(text));
}

/* ---- the function that a test calls ---- */

/* GPU: void ck.check(place, format, a, b, message, file, line, function): vprintf, then
 * __assertfail. The format's first argument is the place. */
static LLVMValueRef make_fail(Gen *g)
{
  enum { IDS = 6, NUMBERS = 2, VALUES = 1 + IDS + NUMBERS };
  static const char *const ids[IDS] = {
      "llvm.nvvm.read.ptx.sreg.ctaid.x", "llvm.nvvm.read.ptx.sreg.ctaid.y",
      "llvm.nvvm.read.ptx.sreg.ctaid.z", "llvm.nvvm.read.ptx.sreg.tid.x",
      "llvm.nvvm.read.ptx.sreg.tid.y",   "llvm.nvvm.read.ptx.sreg.tid.z"};
  LLVMTypeRef params[] = {g->ptr, g->ptr, g->i64, g->i64, g->ptr, g->ptr, g->i32, g->ptr};
  LLVMTypeRef packed[VALUES] = {g->ptr, g->i32, g->i32, g->i32, g->i32,
                                g->i32, g->i32, g->i64, g->i64};
  LLVMValueRef function = LLVMAddFunction(
      g->module, "ck.check", LLVMFunctionType(g->nothing, params, COUNT_OF(params), false));
  LLVMSetLinkage(function, LLVMInternalLinkage);
  for (unsigned i = 0; i < COUNT_OF(params); ++i)
    LLVMSetValueName2(LLVMGetParam(function, i), "p", 1);
  gen_attribute(g, function, LLVMAttributeFunctionIndex, "nounwind");
  gen_attribute(g, function, LLVMAttributeFunctionIndex, "noinline");
  LLVMBasicBlockRef here = LLVMGetInsertBlock(g->builder);
  LLVMMetadataRef location = LLVMGetCurrentDebugLocation2(g->builder);
  LLVMSetCurrentDebugLocation2(g->builder, NULL);
  gen_at(g, LLVMAppendBasicBlockInContext(g->context, function, "entry"));
  LLVMTypeRef type = LLVMStructTypeInContext(g->context, packed, COUNT_OF(packed), false);
  LLVMValueRef values = LLVMBuildAlloca(g->builder, type, "values");
  LLVMSetAlignment(values, 8);
  for (unsigned i = 0; i < VALUES; ++i) {
    LLVMValueRef value = i == 0     ? LLVMGetParam(function, 0)
                         : i <= IDS ? gen_call_named(g, ids[i - 1], g->i32, NULL, 0)
                                    : LLVMGetParam(function, i - IDS + 1);
    LLVMBuildStore(g->builder, value, LLVMBuildStructGEP2(g->builder, type, values, i, ""));
  }
  LLVMValueRef print[] = {LLVMGetParam(function, 1), values};
  gen_call_named(g, "vprintf", g->i32, print, 2);
  LLVMValueRef fail[] = {LLVMGetParam(function, 4), LLVMGetParam(function, 5),
                         LLVMGetParam(function, 6), LLVMGetParam(function, 7),
                         gen_int(g, g->i64, 1)};
  LLVMValueRef call = gen_call_named(g, "__assertfail", g->nothing, fail, 5);
  gen_attribute(g, LLVMGetCalledValue(call), LLVMAttributeFunctionIndex, "noreturn");
  LLVMBuildUnreachable(g->builder);
  gen_at(g, here);
  LLVMSetCurrentDebugLocation2(g->builder, location);
  return function;
}

/* " (in lib/block/load.ck:39)" for a node outside of the program's text, otherwise "". */
static const char *library_note(Gen *g, const Node *node)
{
  if (gen_is_users(g, node)) return "";
  uint32_t line, col;
  const Source *source = source_at(&g->c->sources, node->span.lo, &line, &col);
  return arena_printf(&g->c->scratch, " (in %s:%u)", source->name, line);
}

/* "FILE:LINE:COL: FUNCTION" */
static const char *place_text(Gen *g, const Node *site)
{
  uint32_t line, col;
  const Source *source = source_at(&g->c->sources, site->span.lo, &line, &col);
  return arena_printf(&g->c->scratch, "%s:%u:%u: %s", source->name, line, col,
                      g->state->item->name->text);
}

/* Generates the call for a failed test and ends the basic block. `text` is a printf format for two
 * 64-bit numbers. */
static void fail(Gen *g, const Node *node, const char *text, LLVMValueRef a, LLVMValueRef b)
{
  const Node *site = users_site(g, node);
  bool is_callers = !site && g->state->caller;
  if (!site) site = node;
  const char *note = is_callers || g->state->user_site ? escaped(g, library_note(g, node)) : "";
  const char *rest =
      arena_printf(&g->c->scratch, "block: [%%u,%%u,%%u], thread: [%%u,%%u,%%u] %s%s", text, note);
  if (g->target->has_accesses) {
    const char *format =
        is_callers ? rest
                   : arena_printf(&g->c->scratch, "%s: %s", escaped(g, place_text(g, site)), rest);
    LLVMValueRef caller = is_callers ? g->state->caller : LLVMConstNull(g->ptr);
    LLVMValueRef args[] = {g->state->thread, caller, text_value(g, format), a, b};
    LLVMValueRef call = gen_call_named(g, "ck_host_check", g->nothing, args, COUNT_OF(args));
    gen_attribute(g, LLVMGetCalledValue(call), LLVMAttributeFunctionIndex, "noreturn");
  } else {
    uint32_t line, col;
    const Source *source = source_at(&g->c->sources, site->span.lo, &line, &col);
    LLVMValueRef function = LLVMGetNamedFunction(g->module, "ck.check");
    if (!function) function = make_fail(g);
    LLVMValueRef args[] = {is_callers ? g->state->caller : text_value(g, place_text(g, site)),
                           text_value(g, arena_printf(&g->c->scratch, "%%s: %s\n", rest)),
                           a,
                           b,
                           text_value(g, quote(g, site)),
                           text_value(g, source->name),
                           gen_int(g, g->i32, line),
                           text_value(g, g->state->item->name->text)};
    LLVMBuildCall2(g->builder, LLVMGlobalGetValueType(function), function, args, COUNT_OF(args),
                   "");
  }
  LLVMBuildUnreachable(g->builder);
}

/* Generates a test: control goes on if the condition holds. */
static void test(Gen *g, const Node *node, LLVMValueRef holds, const char *text, LLVMValueRef a,
                 LLVMValueRef b)
{
  if (LLVMIsAConstantInt(holds) && LLVMConstIntGetZExtValue(holds)) return;
  LLVMBasicBlockRef wrong = gen_block(g, "check.fail"), end = gen_block(g, "check.end");
  LLVMBuildCondBr(g->builder, holds, end, wrong);
  gen_at(g, wrong);
  fail(g, node, text, a, b);
  gen_at(g, end);
}

/* ---- arithmetic ---- */

/* decl->gen of a `let` that is used in an index points here until it gets its slot. */
static char is_index_let;

static bool is_link(const Node *node)
{
  return node->kind == NODE_binary && node->type && type_is_int(node->type) &&
         op_takes(node->op) == TAKES_NUMBER;
}

/* Marks the lets that an index uses. Code that isn't compiled has no types: the body of a lambda,
 * which has instances, and the branch that `comptime if` doesn't take. */
static void mark_names(Node *node)
{
  if (node->kind == NODE_convert) {
    mark_names(node->a);
  } else if (is_link(node)) {
    mark_names(node->a);
    mark_names(node->b);
  } else if (node->kind == NODE_name && node->decl && node->decl->kind == NODE_let &&
             node->decl->gen != &is_index_let && node->decl->b && node->type &&
             type_is_int(node->type)) {
    node->decl->gen = &is_index_let;
    mark_names(node->decl->b);
  }
}

static void mark_indices(Node *node)
{
  for (; node; node = node->next) {
    if (node->kind == NODE_index)
      for (Node *index = node->b; index; index = index->next) mark_names(index);
    for (unsigned i = 0; i < node_width(node); ++i) mark_indices(node->children[i]);
  }
}

void gen_check_body(Gen *g, Node *body)
{
  if (is_checked(g)) mark_indices(body);
}

/* A list of conditions that must hold before a value is used as an index: each chain fits its
 * type. */
typedef struct Fits {
  struct Fits *next;
  LLVMValueRef holds;
  const Node *node;
} Fits;

/* The chain of a `let` that is used in an index. */
typedef struct Chain {
  /* The value in twice the width, not truncated to its type; NULL: it is no chain. */
  LLVMValueRef whole;
  Fits *parts; /* conditions of the values that the chain starts with */
  Fits *all;   /* those, and that of the whole */
  bool has_product;
} Chain;

static const Chain *chain_of(const Node *node)
{
  if (node->kind != NODE_name || !node->decl || node->decl->kind != NODE_let) return NULL;
  if (!node->decl->gen || node->decl->gen == &is_index_let) return NULL;
  return ((const Slot *)node->decl->gen)->chain;
}

static bool has_product(const Node *node)
{
  const Chain *chain = chain_of(node);
  if (chain) return chain->has_product;
  bool is_sum = node->op == OP_add || node->op == OP_sub;
  return is_link(node) && (!is_sum || has_product(node->a) || has_product(node->b));
}

static LLVMValueRef extended(Gen *g, LLVMValueRef value, const Type *type, LLVMTypeRef wide)
{
  return type_is_signed(type) ? LLVMBuildSExt(g->builder, value, wide, "")
                              : LLVMBuildZExt(g->builder, value, wide, "");
}

static void add_test(Gen *g, Fits **list, LLVMValueRef holds, const Node *node)
{
  Fits *fits = NEW(g->c->unit, Fits);
  *fits = (Fits){*list, holds, node};
  *list = fits;
}

static void add_tests(Gen *g, Fits **list, const Fits *from)
{
  for (; from; from = from->next) add_test(g, list, from->holds, from->node);
}

static LLVMValueRef traced(Gen *g, Node *node, Fits **tests);

/* The value of a chain in a width that holds it. */
static LLVMValueRef whole_of(Gen *g, Node *node, LLVMTypeRef wide, Fits **tests)
{
  const Chain *known = chain_of(node);
  if (known && known->whole) {
    add_tests(g, tests, known->parts);
    return LLVMBuildIntCast2(g->builder, known->whole, wide, true, "");
  }
  if (!is_link(node)) return extended(g, traced(g, node, tests), node->type, wide);
  LLVMValueRef a = whole_of(g, node->a, wide, tests), b = whole_of(g, node->b, wide, tests);
  return gen_instruction(g, node->op, node->type, a, b);
}

/* The value of a chain, truncated to its type. `tests` gets its conditions, `out_chain` its
 * chain. */
static LLVMValueRef traced_link(Gen *g, Node *node, Fits **tests, Chain *out_chain)
{
  bool is_product = has_product(node), is_wide = node->type->bits == 64 || is_product;
  LLVMTypeRef wide = is_wide ? LLVMIntTypeInContext(g->context, 128) : g->i64;
  Fits *parts = NULL;
  LLVMValueRef whole = whole_of(g, node, wide, &parts);
  LLVMValueRef value = LLVMBuildTrunc(g->builder, whole, gen_type(g, node->type), "");
  LLVMValueRef fits =
      LLVMBuildICmp(g->builder, LLVMIntEQ, extended(g, value, node->type, wide), whole, "");
  add_tests(g, tests, parts);
  add_test(g, tests, fits, node);
  if (out_chain) *out_chain = (Chain){whole, parts, NULL, is_product};
  return value;
}

static LLVMValueRef traced(Gen *g, Node *node, Fits **tests)
{
  if (node->kind == NODE_convert && type_is_int(node->type) && type_is_int(node->a->type))
    return gen_convert(g, traced(g, node->a, tests), node->a->type, node->type);
  if (is_link(node)) return traced_link(g, node, tests, NULL);
  const Chain *chain = chain_of(node);
  if (chain) add_tests(g, tests, chain->all);
  return gen_expr(g, node);
}

LLVMValueRef gen_check_let(Gen *g, Node *let, Chain **out_chain)
{
  if (let->kind != NODE_let || let->gen != &is_index_let) return gen_expr(g, let->b);
  Chain chain = {0};
  Fits *tests = NULL;
  LLVMValueRef value =
      is_link(let->b) ? traced_link(g, let->b, &tests, &chain) : traced(g, let->b, &tests);
  if (!tests) return value;
  chain.all = tests;
  *out_chain = NEW(g->c->unit, Chain);
  **out_chain = chain;
  return value;
}

/* The value of an index, after tests of all its conditions. */
static LLVMValueRef checked(Gen *g, const Node *access, Node *index)
{
  Fits *tests = NULL;
  LLVMValueRef value = traced(g, index, &tests), none = gen_int(g, g->i64, 0);
  for (const Fits *fits = tests; fits; fits = fits->next) {
    const Node *node = fits->node;
    bool is_here = node->span.lo >= index->span.lo && node->span.hi <= index->span.hi;
    const char *text = arena_printf(&g->c->scratch, "'%s' overflows %s, and makes an index",
                                    escaped(g, quote(g, node)), type_text(node->type));
    if (!is_here) text = arena_printf(&g->c->scratch, "'%s': %s", accessed(g, access), text);
    gen_debug_at(g, is_here ? node : access);
    test(g, is_here ? node : access, fits->holds, text, none, none);
  }
  return value;
}

/* ---- indices ---- */

LLVMValueRef gen_index(Gen *g, const Node *access, Node *index, LLVMValueRef extent)
{
  if (!is_checked(g)) return gen_i64(g, index);
  Type *wide = type_is_signed(index->type) ? g->c->types->type_i64 : g->c->types->type_u64;
  LLVMValueRef value = gen_convert(g, checked(g, access, index), index->type, wide);
  const char *which = "", *whole = accessed(g, access);
  if (access->b->next) which = arena_printf(&g->c->scratch, " ('%s')", escaped(g, quote(g, index)));
  gen_debug_at(g, access);
  if (access->bits > 1 && !index->next) { /* x.load<N>(i), x.store(i, v) */
    LLVMValueRef count = gen_int(g, g->i64, access->bits),
                 past = LLVMBuildSub(g->builder, extent, count, ""),
                 has_all = LLVMBuildICmp(g->builder, LLVMIntUGE, extent, count, ""),
                 is_low = LLVMBuildICmp(g->builder, LLVMIntULE, value, past, "");
    test(g, access, LLVMBuildAnd(g->builder, has_all, is_low, ""),
         arena_printf(&g->c->scratch,
                      "'%s': %u elements from index %%lld%s on are not all in its extent, %%llu",
                      whole, (unsigned)access->bits, which),
         value, extent);
    return value;
  }
  test(g, access, LLVMBuildICmp(g->builder, LLVMIntULT, value, extent, ""),
       arena_printf(&g->c->scratch, "'%s': index %%lld%s is outside of its extent, %%llu", whole,
                    which),
       value, extent);
  return value;
}

void gen_check_slice(Gen *g, const Node *slice, LLVMValueRef lo, LLVMValueRef hi,
                     LLVMValueRef extent)
{
  if (!is_checked(g)) return;
  const char *whole = accessed(g, slice);
  test(g, slice, LLVMBuildICmp(g->builder, LLVMIntULE, hi, extent, ""),
       arena_printf(&g->c->scratch, "'%s': the end %%lld is outside of its extent, %%llu", whole),
       hi, extent);
  test(g, slice, LLVMBuildICmp(g->builder, LLVMIntULE, lo, hi, ""),
       arena_printf(&g->c->scratch, "'%s': the start %%lld is behind the end %%lld", whole), lo,
       hi);
}

LLVMValueRef gen_check_tested(Gen *g, Node *call)
{
  Node *given = call->b;
  if (!is_checked(g)) return gen_expr(g, given);
  bool is_index = call->builtin->form == FORM__below;
  Type *wide = type_is_signed(given->type) ? g->c->types->type_i64 : g->c->types->type_u64;
  LLVMValueRef value = is_index ? checked(g, call, given) : gen_expr(g, given),
               number = gen_convert(g, value, given->type, wide), zero = gen_int(g, g->i64, 0),
               count = is_index ? gen_i64(g, given->next) : zero;
  const char *whole = accessed(g, g->target->has_accesses || !is_index ? call : given);
  gen_debug_at(g, call);
  if (is_index)
    test(g, call, LLVMBuildICmp(g->builder, LLVMIntULT, number, count, ""),
         arena_printf(&g->c->scratch, "'%s': index %%lld is outside of its extent, %%llu", whole),
         number, count);
  else
    test(
        g, call, LLVMBuildICmp(g->builder, LLVMIntNE, number, zero, ""),
        arena_printf(&g->c->scratch, "'%s': valid = %%llu: one value or more must be valid", whole),
        number, zero);
  return value;
}

/* ---- launches ---- */

static void check_word(Gen *g, const Node *kernel, const char *what, unsigned axis, uint32_t said)
{
  const char *name = arena_printf(&g->c->scratch, "llvm.nvvm.read.ptx.sreg.%s.%c",
                                  *what == 'b' ? "ntid" : "nctaid", "xyz"[axis]);
  LLVMValueRef given = gen_call_named(g, name, g->i32, NULL, 0);
  test(g, kernel, LLVMBuildICmp(g->builder, LLVMIntEQ, given, gen_int(g, g->i32, said), ""),
       arena_printf(&g->c->scratch,
                    "the launch has %s.dim.%c = %%llu, the kernel was compiled for %%llu", what,
                    "xyz"[axis]),
       LLVMBuildZExt(g->builder, given, g->i64, ""), gen_int(g, g->i64, said));
}

/* Tests that the launch has the shape that the kernel was compiled for. The host device does that
 * itself. */
void gen_check_launch(Gen *g, const Node *kernel)
{
  if (!is_checked(g) || g->target->has_accesses) return;
  for (unsigned i = 0; i < 3; ++i)
    if (g->state->shape.dim[i]) check_word(g, kernel, "block", i, g->state->shape.dim[i]);
  for (unsigned i = g->state->shape.grid_rank; i && i < 3; ++i) check_word(g, kernel, "grid", i, 1);
}

/* ---- the host device: reports of accesses and waits ---- */

/* A constant ck_host_site_t with the node's place. */
static LLVMValueRef site(Gen *g, const Node *node, const char *name)
{
  uint32_t line, col;
  const Source *source = source_at(&g->c->sources, node->span.lo, &line, &col);
  LLVMValueRef fields[] = {text_value(g, source->name), text_value(g, quote(g, node)),
                           text_value(g, name), gen_int(g, g->i32, line), gen_int(g, g->i32, col)};
  LLVMValueRef value = LLVMConstStructInContext(g->context, fields, COUNT_OF(fields), false);
  LLVMValueRef global = LLVMAddGlobal(g->module, LLVMTypeOf(value), "ck.site");
  LLVMSetInitializer(global, value);
  LLVMSetGlobalConstant(global, true);
  LLVMSetLinkage(global, LLVMInternalLinkage);
  return global;
}

/* The memory behind a loop's hidden iterator: s of `for (p in s.enumerate())`. Any other node is
 * itself. */
static const Node *iterated_by(const Node *node)
{
  bool is_hidden = node->kind == NODE_name && *node->name->text == '.' && node->decl &&
                   node->decl->kind == NODE_let && node->decl->b;
  if (!is_hidden) return node;
  node = node->decl->b;
  while ((node->kind == NODE_call && node->b) || node->kind == NODE_convert)
    node = node->kind == NODE_call ? node->b : node->a;
  return node;
}

/* The text of a call's first argument, the program's name of its memory. */
static const char *argument_text(Gen *g, const Node *call)
{
  return quote(g, iterated_by(call->kind == NODE_call && call->b ? call->b : call));
}

bool gen_check_has_caller(const Gen *g, const Node *function)
{
  return is_checked(g) && function->flags & FLAG_library && function->d &&
         !gen_is_users(g, function->d);
}

/* The place of the program's call that `call` is, or serves. */
LLVMValueRef gen_check_caller(Gen *g, const Node *call)
{
  const Node *users = users_site(g, call);
  if (!users) return g->state->caller ? g->state->caller : LLVMConstNull(g->ptr);
  return g->target->has_accesses ? site(g, users, argument_text(g, users))
                                 : text_value(g, place_text(g, users));
}

/* The same for an access at `node`; a null pointer if it is in the program's own text. */
static LLVMValueRef caller_at(Gen *g, const Node *node)
{
  return gen_is_users(g, node) ? LLVMConstNull(g->ptr) : gen_check_caller(g, node);
}

/* The origin of a place. */
typedef struct Root {
  const Node *node; /* the name, or the value that gives the address */
  bool is_seen;     /* visible to other threads: through a span or pointer, or shared */
} Root;

static Root root_of(const Node *node)
{
  Root root = {node, false};
  for (;; node = node->a) {
    root.node = node;
    TypeKind kind = node->type->kind;
    root.is_seen |= kind == TYPE_span || kind == TYPE_pointer || kind == TYPE_place;
    if (node->kind != NODE_index && node->kind != NODE_convert && node->kind != NODE_member) break;
  }
  if (node->kind == NODE_name) root.is_seen |= node->decl->kind == NODE_shared;
  return root;
}

/* The name of the memory in messages. "" for a parameter of a library function: the runtime then
 * uses the name in the program's call. */
static const char *memory_name(Gen *g, const Node *root)
{
  root = iterated_by(root);
  bool is_named = root->kind == NODE_name && root->decl;
  if (gen_is_users(g, root)) return is_named ? root->name->text : quote(g, root);
  return is_named && root->decl->kind == NODE_shared ? root->name->text : "";
}

static void tell_access(Gen *g, const Place *place, unsigned flags)
{
  if (!gen_check_is_told(g) || !place->node) return;
  Root root = root_of(place->node);
  if (!root.is_seen) return;
  /* atomic.add(x[i], v) is an access of the program, although it is in the library's text. */
  bool is_argument = root.node->type->kind == TYPE_place && g->state->user_site;
  const Node *node = is_argument ? g->state->user_site : place->node;
  const char *name =
      is_argument ? argument_text(g, g->state->user_site) : memory_name(g, root.node);
  LLVMValueRef args[] = {g->state->thread,
                         site(g, node, name),
                         place->address,
                         gen_int(g, g->i64, type_bytes(place->type)),
                         gen_int(g, g->i32, flags),
                         caller_at(g, node)};
  gen_call_named(g, "ck_host_access", g->nothing, args, COUNT_OF(args));
}

void gen_check_access(Gen *g, const Place *place, bool is_write)
{
  TypeKind kind = place->type->kind;
  bool has_parts = kind == TYPE_struct || kind == TYPE_tuple || kind == TYPE_array;
  unsigned read = CK_HOST_ACCESS_READ | (has_parts ? CK_HOST_ACCESS_PARTS : 0u);
  tell_access(g, place, is_write ? CK_HOST_ACCESS_WRITE : read);
}

void gen_check_atomic(Gen *g, const Place *place, bool reads, bool writes)
{
  tell_access(g, place,
              CK_HOST_ACCESS_ATOMIC | (reads ? CK_HOST_ACCESS_READ : 0u) |
                  (writes ? CK_HOST_ACCESS_WRITE : 0u));
}

void gen_check_copy(Gen *g, const Node *call, LLVMValueRef to, LLVMValueRef from, uint64_t bytes,
                    LLVMValueRef given)
{
  if (!gen_check_is_told(g)) return;
  const Node *node = site_of(g, call);
  LLVMValueRef args[] = {g->state->thread,
                         site(g, node, argument_text(g, node)),
                         to,
                         from,
                         gen_int(g, g->i32, bytes),
                         given,
                         caller_at(g, node)};
  gen_call_named(g, "ck_host_copy", g->nothing, args, COUNT_OF(args));
}

void gen_check_bulk(Gen *g, const Node *call, LLVMValueRef *args)
{
  if (!gen_check_is_told(g)) return;
  const Node *node = site_of(g, call);
  LLVMValueRef all[] = {g->state->thread,
                        site(g, node, argument_text(g, node)),
                        LLVMBuildIntToPtr(g->builder, args[0], g->ptr, ""),
                        args[1],
                        LLVMBuildIntToPtr(g->builder, args[2], g->ptr, ""),
                        caller_at(g, node)};
  gen_call_named(g, "ck_host_bulk", g->nothing, all, COUNT_OF(all));
}

void gen_check_phase(Gen *g, LLVMValueRef barrier)
{
  if (!gen_check_is_told(g)) return;
  LLVMValueRef args[] = {g->state->thread, LLVMBuildIntToPtr(g->builder, barrier, g->ptr, "")};
  gen_call_named(g, "ck_host_phase", g->nothing, args, COUNT_OF(args));
}

void gen_check_copies(Gen *g, const char *function, uint64_t prior)
{
  if (!gen_check_is_told(g)) return;
  LLVMValueRef args[] = {g->state->thread, gen_int(g, g->i32, prior)};
  gen_call_named(g, function, g->nothing, args, COUNT_OF(args));
}

void gen_check_fence(Gen *g)
{
  if (gen_check_is_told(g)) gen_call_named(g, "ck_host_fence", g->nothing, &g->state->thread, 1);
}

void gen_check_shared(Gen *g, LLVMValueRef address, uint64_t bytes)
{
  if (!gen_check_is_told(g)) return;
  LLVMValueRef none = LLVMConstNull(g->ptr), flags = gen_int(g, g->i32, CK_HOST_ACCESS_NEW);
  LLVMValueRef args[] = {g->state->thread, none, address, gen_int(g, g->i64, bytes), flags, none};
  gen_call_named(g, "ck_host_access", g->nothing, args, COUNT_OF(args));
}

void gen_check_wait(Gen *g, const Node *call)
{
  if (!is_checked(g)) return;
  const Node *node = site_of(g, call);
  LLVMValueRef args[] = {g->state->thread, site(g, node, ""), caller_at(g, node)};
  gen_call_named(g, "ck_host_wait", g->nothing, args, COUNT_OF(args));
}
