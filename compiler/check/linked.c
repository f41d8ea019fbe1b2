/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* linked.c - checks functions that cross a link: `export fn`, `import fn`.
 *
 * needs   bodies checked; effects, shared and scratch memory known; c->calls
 * gives   nothing
 * keeps   everything
 * fails   with DIAG_linked_type, DIAG_linked_form; DIAG_import_host and DIAG_import_unlinked where
 *         the output goes through no linker
 *
 * Other object code, such as CUDA C++'s `extern "C"` functions, calls these functions or is called
 * by them. So their types have to be those that both languages pass in the same way, and they can't
 * depend on what only this compiler passes along: a frame of shared memory, scratch memory, or the
 * shape of the block as a constant.
 */
#include "check/check_private.h"

#include <string.h>

#include "front/target.h"

/* CUDA C++ passes bool as a byte, we as a bit; there f16 and bf16 are structs, and so are vectors.
 */
static bool is_plain(const Type *type)
{
  switch ((TypeKind)type->kind) {
  case TYPE_bool:
  case TYPE_f16:
  case TYPE_bf16: return false;
  case TYPE_f32:
  case TYPE_f64:
  case TYPE_pointer: return true;
  default: return type_is_int(type);
  }
}

static void report_type(Session *c, const Node *function, const Node *at, const char *how,
                        const Type *type)
{
  diag_at(&c->diag, DIAG_linked_type, at->span, function->name->text, how, type_text(type));
  if (type->kind == TYPE_bool) diag_hint(&c->diag, "Use u32.");
  if (type->kind == TYPE_span) diag_hint(&c->diag, "Use a ptr<T>, and a count beside it.");
}

/* The reason why the function can't be linked, or NULL. */
static const char *find_reason(Session *c, const Node *function)
{
  if (generic_params(function)) return "it has compile-time parameters";
  if (function->flags & FLAG_property || receiver_of(function)) return "it is a method";
  if (name_is_operator(function->name)) return "it is an operator";
  if (!function->d) return NULL;
  if (function->flags & FLAG_waits) return "it waits for other threads";
  if (function->flags & (FLAG_shaped | FLAG_unsized)) return "it asks for the block's size";
  if (function->flags & FLAG_scratch) return "it has scratch memory";
  return shared_bytes(c, function) ? "it has shared memory" : NULL;
}

static void check_function_of_link(Session *c, const Node *function)
{
  const char *reason = find_reason(c, function);
  if (reason) {
    diag_at(&c->diag, DIAG_linked_form, function->span, function->name->text, reason);
    return;
  }
  for (const Node *param = function->b; param; param = param->next)
    if (!is_plain(param->type)) report_type(c, function, param, "takes", param->type);
  if (function->type != c->types->none && !is_plain(function->type))
    report_type(c, function, function->c ? function->c : function, "gives", function->type);
}

/* Host code and cubins run as they are, without a link that could supply the function. LLVM IR
 * for the host is the same: a function of the program takes its thread, another piece's doesn't. */
static void check_call_of_link(Session *c, Node *function)
{
  bool is_cubin = c->options.emit == CK_EMIT_CUBIN;
  bool is_object =
      c->options.emit == CK_EMIT_HOST || (c->options.emit == CK_EMIT_LLVM && !c->target->has_ptx);
  if ((!is_object && !is_cubin) || function->flags & FLAG_seen) return;
  function->flags |= FLAG_seen; /* reported once */
  diag_at(&c->diag, is_object ? DIAG_import_host : DIAG_import_unlinked, function->span,
          function->name->text);
  if (is_object)
    diag_hint(&c->diag, "Call it in 'comptime if (!target.is_host)', and say what the host does.");
  else
    diag_hint(&c->diag,
              "--emit=ltoir or --emit=ptx makes a piece for a linker (ck_linker_create).");
}

void check_linked(Session *c)
{
  for (uint32_t i = 0; i < c->modules.count; ++i)
    for (Node *item = c->modules.at[i]->tree->a; item; item = item->next)
      if (item->kind == NODE_function && item->flags & (FLAG_exported | FLAG_imported))
        check_function_of_link(c, item);
  for (uint32_t i = 0; i < c->calls.count; ++i)
    if (c->calls.at[i].callee->flags & FLAG_imported) check_call_of_link(c, c->calls.at[i].callee);
}
