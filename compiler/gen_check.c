/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* gen_check.c - what -check adds to the code: tests of indices, of the arithmetic that makes them
 * and of the launch; and on the host, a word to the device of each access to shared and global
 * memory, where threads wait and where they end (runtime/driver/host_check.c finds races with it).
 *
 * A test that fails calls one function with a printf format and two numbers, which prints a line
 * with the place, block and thread, and stops the program as an assertion does.
 *
 * Arithmetic is worked out in twice the width, whole chains of + - * at once: what must fit in its
 * type is the result of a chain, as `i - 1 + n` may go below 0 on its way. Checked are the chains
 * that stand in an index, and in the `let` of a name that stands in an index or such a chain.
 */
#include "gen.h"

#include <string.h>

static bool is_checked(const Gen *g)
{
  return g->c->options.flags & CK_COMPILE_CHECK;
}

/* What is worked out in place of a call is named by the place of the call. */
static const Node *site_of(const Gen *g, const Node *node)
{
  return g->inline_depth ? g->inline_site : node;
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

/* A text as a part of printf's format. */
static const char *escaped(Gen *g, const char *text)
{
  Buf out = BUF(&g->c->scratch);
  for (; *text; ++text) {
    if (*text == '%') buf_putc(&out, '%');
    buf_putc(&out, *text);
  }
  return buf_text(&out);
}

static const Source *place_of(Gen *g, const Node *node, uint32_t *out_line, uint32_t *out_col)
{
  const Source *source = source_of(&g->c->sources, node->span.lo);
  source_position(source, node->span.lo, out_line, out_col);
  return source;
}

static LLVMValueRef text_value(Gen *g, const char *text)
{
  return gen_string(g, text, strlen(text));
}

/* ---- the function that a test calls ---- */

/* GPU: void ck.check(format, a, b, message, file, line, function): vprintf, then __assertfail. */
static LLVMValueRef make_fail(Gen *g)
{
  enum { IDS = 6 };
  static const char *const ids[IDS] = {
      "llvm.nvvm.read.ptx.sreg.ctaid.x", "llvm.nvvm.read.ptx.sreg.ctaid.y",
      "llvm.nvvm.read.ptx.sreg.ctaid.z", "llvm.nvvm.read.ptx.sreg.tid.x",
      "llvm.nvvm.read.ptx.sreg.tid.y",   "llvm.nvvm.read.ptx.sreg.tid.z"};
  LLVMTypeRef params[] = {g->ptr, g->i64, g->i64, g->ptr, g->ptr, g->i32, g->ptr};
  LLVMTypeRef packed[] = {g->i32, g->i32, g->i32, g->i32, g->i32, g->i32, g->i64, g->i64};
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
  for (unsigned i = 0; i < COUNT_OF(packed); ++i) {
    LLVMValueRef value =
        i < IDS ? gen_call_named(g, ids[i], g->i32, NULL, 0) : LLVMGetParam(function, i - IDS + 1);
    LLVMBuildStore(g->builder, value, LLVMBuildStructGEP2(g->builder, type, values, i, ""));
  }
  LLVMValueRef print[] = {LLVMGetParam(function, 0), values};
  gen_call_named(g, "vprintf", g->i32, print, 2);
  LLVMValueRef fail[] = {LLVMGetParam(function, 3), LLVMGetParam(function, 4),
                         LLVMGetParam(function, 5), LLVMGetParam(function, 6),
                         gen_int(g, g->i64, 1)};
  LLVMValueRef call = gen_call_named(g, "__assertfail", g->nothing, fail, 5);
  gen_attribute(g, LLVMGetCalledValue(call), LLVMAttributeFunctionIndex, "noreturn");
  LLVMBuildUnreachable(g->builder);
  gen_at(g, here);
  LLVMSetCurrentDebugLocation2(g->builder, location);
  return function;
}

/* Ends the block at hand. `text` is a printf format for two 64-bit numbers. */
static void fail(Gen *g, const Node *node, const char *text, LLVMValueRef a, LLVMValueRef b)
{
  uint32_t line, col;
  const Source *source = place_of(g, site_of(g, node), &line, &col);
  const char *format = arena_printf(
      &g->c->scratch, "%s:%u:%u: %s: block: [%%u,%%u,%%u], thread: [%%u,%%u,%%u] %s%s",
      escaped(g, source->name), line, col, g->item->name->text, text, g->is_host ? "" : "\n");
  if (g->is_host) {
    LLVMValueRef args[] = {g->thread, text_value(g, format), a, b};
    LLVMValueRef call = gen_call_named(g, "ck_host_check", g->nothing, args, 4);
    gen_attribute(g, LLVMGetCalledValue(call), LLVMAttributeFunctionIndex, "noreturn");
  } else {
    LLVMValueRef function = LLVMGetNamedFunction(g->module, "ck.check");
    if (!function) function = make_fail(g);
    LLVMValueRef args[] = {text_value(g, format),
                           a,
                           b,
                           text_value(g, quote(g, site_of(g, node))),
                           text_value(g, source->name),
                           gen_int(g, g->i32, line),
                           text_value(g, g->item->name->text)};
    LLVMBuildCall2(g->builder, LLVMGlobalGetValueType(function), function, args, COUNT_OF(args),
                   "");
  }
  LLVMBuildUnreachable(g->builder);
}

/* Goes on where the condition holds. */
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

/* What a `let` that an index names points at until it has its slot. */
static char is_index_let;

static bool is_link(const Node *node)
{
  return node->kind == NODE_binary && node->type && type_is_int(node->type) &&
         (node->op == OP_add || node->op == OP_sub || node->op == OP_mul);
}

/* Marks the lets that an index names. What is not compiled has no types: the body of a lambda,
 * which has instances of its own, and the branch that `comptime if` does not take. */
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

static bool has_product(const Node *node)
{
  return is_link(node) && (node->op == OP_mul || has_product(node->a) || has_product(node->b));
}

static LLVMValueRef extended(Gen *g, LLVMValueRef value, const Type *type, LLVMTypeRef wide)
{
  return type_is_signed(type) ? LLVMBuildSExt(g->builder, value, wide, "")
                              : LLVMBuildZExt(g->builder, value, wide, "");
}

static LLVMValueRef checked(Gen *g, Node *node);

/* A chain's value in a width that holds it. */
static LLVMValueRef chain(Gen *g, Node *node, LLVMTypeRef wide)
{
  if (!is_link(node)) return extended(g, checked(g, node), node->type, wide);
  LLVMValueRef a = chain(g, node->a, wide), b = chain(g, node->b, wide);
  return node->op == OP_add   ? LLVMBuildAdd(g->builder, a, b, "")
         : node->op == OP_sub ? LLVMBuildSub(g->builder, a, b, "")
                              : LLVMBuildMul(g->builder, a, b, "");
}

static LLVMValueRef checked(Gen *g, Node *node)
{
  if (node->kind == NODE_convert && type_is_int(node->type) && type_is_int(node->a->type))
    return gen_convert(g, checked(g, node->a), node->a->type, node->type);
  if (!is_link(node)) return gen_expr(g, node);
  bool is_wide = node->type->bits == 64 || has_product(node);
  LLVMTypeRef wide = is_wide ? LLVMIntTypeInContext(g->context, 128) : g->i64;
  LLVMValueRef whole = chain(g, node, wide);
  LLVMValueRef value = LLVMBuildTrunc(g->builder, whole, gen_type(g, node->type), "");
  LLVMValueRef fits =
      LLVMBuildICmp(g->builder, LLVMIntEQ, extended(g, value, node->type, wide), whole, "");
  gen_debug_at(g, node);
  LLVMValueRef none = gen_int(g, g->i64, 0);
  test(g, node, fits,
       arena_printf(&g->c->scratch, "'%s' overflows %s, and makes an index",
                    escaped(g, quote(g, node)), type_text(node->type)),
       none, none);
  return value;
}

LLVMValueRef gen_check_let(Gen *g, Node *let)
{
  bool is_index = let->kind == NODE_let && let->gen == &is_index_let;
  return is_index ? checked(g, let->b) : gen_expr(g, let->b);
}

/* ---- indices ---- */

LLVMValueRef gen_index(Gen *g, const Node *access, Node *index, LLVMValueRef extent)
{
  if (!is_checked(g)) return gen_i64(g, index);
  Type *wide = type_is_signed(index->type) ? g->c->types.type_i64 : g->c->types.type_u64;
  LLVMValueRef value = gen_convert(g, checked(g, index), index->type, wide);
  const char *which = "", *whole = escaped(g, quote(g, access));
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
  const char *whole = escaped(g, quote(g, slice));
  test(g, slice, LLVMBuildICmp(g->builder, LLVMIntULE, hi, extent, ""),
       arena_printf(&g->c->scratch, "'%s': the end %%lld is outside of its extent, %%llu", whole),
       hi, extent);
  test(g, slice, LLVMBuildICmp(g->builder, LLVMIntULE, lo, hi, ""),
       arena_printf(&g->c->scratch, "'%s': the start %%lld is behind the end %%lld", whole), lo,
       hi);
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

/* On the host, the device itself compares. */
void gen_check_launch(Gen *g, const Node *kernel)
{
  if (!is_checked(g) || g->is_host) return;
  for (unsigned i = 0; i < 3; ++i)
    if (g->shape.dim[i]) check_word(g, kernel, "block", i, g->shape.dim[i]);
  for (unsigned i = g->shape.grid_rank; i && i < 3; ++i) check_word(g, kernel, "grid", i, 1);
}

/* ---- the host: who accesses what, who waits where ---- */

/* A constant ck_host_site_t. */
static LLVMValueRef site(Gen *g, const Node *node, const char *name)
{
  uint32_t line, col;
  const Source *source = place_of(g, site_of(g, node), &line, &col);
  LLVMValueRef fields[] = {text_value(g, source->name), text_value(g, quote(g, site_of(g, node))),
                           text_value(g, name), gen_int(g, g->i32, line), gen_int(g, g->i32, col)};
  LLVMValueRef value = LLVMConstStructInContext(g->context, fields, COUNT_OF(fields), false);
  LLVMValueRef global = LLVMAddGlobal(g->module, LLVMTypeOf(value), "ck.site");
  LLVMSetInitializer(global, value);
  LLVMSetGlobalConstant(global, true);
  LLVMSetLinkage(global, LLVMInternalLinkage);
  return global;
}

/* The name whose memory a place is in, or the call that says where; NULL for other values. */
static const Node *root_of(const Node *node)
{
  while (node->kind == NODE_index || node->kind == NODE_convert || node->kind == NODE_member)
    node = node->a;
  return node->kind == NODE_name || node->kind == NODE_capture || node->kind == NODE_call ? node
                                                                                          : NULL;
}

static void tell_access(Gen *g, const Place *place, unsigned flags)
{
  if (!is_checked(g) || !g->is_host || !place->node) return;
  const Node *root = root_of(place->node);
  if (!root) return;
  const Node *decl = root->kind == NODE_name ? root->decl : NULL;
  TypeKind kind = root->type->kind;
  bool is_seen = kind == TYPE_span || kind == TYPE_pointer || kind == TYPE_place ||
                 (decl && decl->kind == NODE_shared);
  if (!is_seen) return; /* by other threads */
  bool is_argument = kind == TYPE_place && g->inline_depth && g->inline_site->b;
  const char *name = is_argument ? quote(g, g->inline_site->b)
                     : decl      ? root->name->text
                                 : quote(g, root);
  LLVMValueRef args[] = {g->thread, site(g, place->node, name), place->address,
                         gen_int(g, g->i64, type_bytes(place->type)), gen_int(g, g->i32, flags)};
  gen_call_named(g, "ck_host_access", g->nothing, args, COUNT_OF(args));
}

void gen_check_access(Gen *g, const Place *place, bool is_write)
{
  tell_access(g, place, is_write ? CK_HOST_ACCESS_WRITE : CK_HOST_ACCESS_READ);
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
  if (!is_checked(g) || !g->is_host) return;
  const Node *named = g->inline_depth && g->inline_site->b ? g->inline_site->b : call->b;
  LLVMValueRef args[] = {g->thread, site(g, call, quote(g, named)), to,
                         from,      gen_int(g, g->i32, bytes),      given};
  gen_call_named(g, "ck_host_copy", g->nothing, args, COUNT_OF(args));
}

void gen_check_copies(Gen *g, const char *function, uint64_t prior)
{
  if (!is_checked(g) || !g->is_host) return;
  LLVMValueRef args[] = {g->thread, gen_int(g, g->i32, prior)};
  gen_call_named(g, function, g->nothing, args, COUNT_OF(args));
}

void gen_check_fence(Gen *g)
{
  if (is_checked(g) && g->is_host) gen_call_named(g, "ck_host_fence", g->nothing, &g->thread, 1);
}

void gen_check_wait(Gen *g, const Node *call)
{
  if (!is_checked(g)) return;
  LLVMValueRef args[] = {g->thread, site(g, site_of(g, call), "")};
  gen_call_named(g, "ck_host_wait", g->nothing, args, 2);
}
