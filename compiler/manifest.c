/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* manifest.c - what a launcher has to know of the kernels, as JSON (docs/manifest.md).
 *
 * needs   kernels checked
 * gives   c->manifest
 *
 * Extents and launch contracts become reverse Polish notation: what the runtime works out at each
 * launch.
 */
#include "compile.h"

#include <inttypes.h>
#include <string.h>

static void put_expr(Buf *out, const Node *node);

static void put_call(Buf *out, const Node *call)
{
  for (const Node *arg = call->b; arg; arg = arg->next) {
    put_expr(out, arg);
    buf_putc(out, ' ');
  }
  const char *name = call->decl->name->text;
  buf_bytes(out, name, strcspn(name, "<"));
}

static void put_expr(Buf *out, const Node *node)
{
  switch ((NodeKind)node->kind) {
  case NODE_int:
    if (type_is_signed(node->type)) buf_printf(out, "%" PRId64, (int64_t)node->bits);
    else buf_printf(out, "%" PRIu64, node->bits);
    break;
  case NODE_bool: buf_putc(out, node->bits ? '1' : '0'); break;
  case NODE_name: buf_puts(out, node->name->text); break;
  case NODE_member: buf_printf(out, "%s.%s", node->a->name->text, node->name->text); break;
  case NODE_convert: put_expr(out, node->a); break;
  case NODE_unary:
    put_expr(out, node->a);
    if (node->op != OP_plus)
      buf_printf(out, " %s", node->op == OP_negate ? "neg" : op_text(node->op));
    break;
  case NODE_binary:
    put_expr(out, node->a);
    buf_putc(out, ' ');
    put_expr(out, node->b);
    buf_printf(out, " %s", op_text(node->op));
    break;
  case NODE_choose:
    put_expr(out, node->a);
    buf_putc(out, ' ');
    put_expr(out, node->b);
    buf_putc(out, ' ');
    put_expr(out, node->c);
    buf_puts(out, " ?:");
    break;
  case NODE_call: put_call(out, node); break;
  default: die("a '%s' in a launch expression", node_kind_name(node->kind));
  }
}

static void put_list(Buf *out, const char *key, const Node *list)
{
  buf_printf(out, "\"%s\": [", key);
  for (const Node *node = list; node; node = node->next) {
    buf_puts(out, node == list ? "\"" : ", \"");
    put_expr(out, node);
    buf_putc(out, '"');
  }
  buf_putc(out, ']');
}

static void put_param(Buf *out, const Node *param)
{
  bool is_span = param->type->kind == TYPE_span;
  const Type *element = is_span ? param->type->element : param->type;
  buf_printf(out, "        {\"name\": \"%s\", \"kind\": \"%s\", \"type\": \"%s\"",
             param->name->text, is_span ? "span" : "scalar",
             element->kind == TYPE_pointer ? "u64" : type_text(element));
  bool is_number = type_is_scalar(element) || (is_span && element->kind == TYPE_vector);
  if (!is_number && element->kind != TYPE_pointer)
    buf_printf(out, ", \"bytes\": %" PRIu64, type_bytes(element));
  if (is_span) {
    buf_printf(out, ", \"access\": \"%s\"", op_text((Op)param->type->access));
    if (param->a->b) {
      buf_puts(out, ", ");
      put_list(out, "extents", param->a->b);
    }
  }
  buf_putc(out, '}');
}

static uint64_t shared_bytes(const Node *node)
{
  enum { ALIGNMENT = 16 };
  uint64_t bytes = 0;
  for (; node; node = node->next) {
    if (node->kind == NODE_shared && node->type)
      bytes += (type_bytes(node->type) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    bytes += shared_bytes(node->a) + shared_bytes(node->b) + shared_bytes(node->c) +
             shared_bytes(node->d);
  }
  return bytes;
}

static void put_kernel(Compile *c, Buf *out, Node *kernel)
{
  const Source *source = source_of(&c->sources, kernel->span.lo);
  uint32_t line, col;
  source_position(source, kernel->span.lo, &line, &col);
  buf_puts(out, "    {\n      \"name\": ");
  buf_json_string(out, kernel->name->text, kernel->name->len);
  buf_printf(out, ",\n      \"symbol\": \"%s\",\n      \"line\": %u,\n      \"params\": [",
             kernel_symbol(c, kernel), line);
  for (const Node *param = kernel->b; param; param = param->next) {
    buf_puts(out, param == kernel->b ? "\n" : ",\n");
    put_param(out, param);
  }
  buf_puts(out, "\n      ],\n");
  if (kernel->c) {
    buf_puts(out, "      \"launch\": {");
    for (const Node *part = kernel->c; part; part = part->next) {
      if (part != kernel->c) buf_puts(out, ", ");
      put_list(out, part->name->text, part->a->kind == NODE_tuple ? part->a->a : part->a);
    }
    buf_puts(out, "},\n");
  }
  uint64_t bytes = shared_bytes(kernel->d);
  if (bytes > c->target.shared_bytes) {
    diag_at(&c->diag, DIAG_shared_budget, kernel->span, kernel->name->text,
            (unsigned long long)bytes, c->target.shared_bytes);
    diag_hint(&c->diag, "Smaller tiles, or fewer of them, fit.");
  }
  buf_printf(out, "      \"shared_bytes\": %" PRIu64 ",\n      \"coroutine\": %s\n    }", bytes,
             c->target.is_host && kernel->flags & FLAG_waits ? "true" : "false");
}

void manifest_make(Compile *c)
{
  const char *backend = c->target.is_host                        ? "host"
                        : c->options.backend == CK_BACKEND_NVPTX ? "nvptx"
                                                                 : "libnvvm";
  Buf *out = &c->manifest;
  buf_printf(out,
             "{\n  \"manifest\": 1,\n  \"compiler\": \"%s\",\n  \"source\": ", CK_VERSION_TEXT);
  buf_json_string(out, c->source->name, strlen(c->source->name));
  buf_printf(
      out, ",\n  \"target\": \"%s\",\n  \"backend\": \"%s\",\n  \"imports\": [],\n  \"kernels\": [",
      c->target.name, backend);
  for (uint32_t i = 0; i < c->kernels.count; ++i) {
    buf_puts(out, i ? ",\n" : "\n");
    put_kernel(c, out, c->kernels.at[i]);
  }
  buf_puts(out, c->kernels.count ? "\n  ]\n}\n" : "]\n}\n");
}
