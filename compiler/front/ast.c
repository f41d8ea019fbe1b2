/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ast.c - makes, copies, prints and verifies nodes, by the rows of ast.def. */
#include "front/ast.h"
#include "front/type.h"

#include <string.h>

typedef enum NodeClass { CLASS_ITEM, CLASS_STMT, CLASS_EXPR, CLASS_PART } NodeClass;

static const struct {
  const char *name;
  NodeClass class;
  const char *fields;
  const char *children[4];
} rows[] = {
#define NODE(kind, class_, fields, a, b, c, d) {#kind, CLASS_##class_, fields, {a, b, c, d}},
#include "front/ast.def"
};

/* The number of children that each kind has room for: 0, 2 or 4. */
static const uint8_t widths[] = {
#define IS(child)                             (sizeof(child) > 1)
#define NODE(kind, class, fields, a, b, c, d) IS(c) || IS(d) ? 4 : IS(a) || IS(b) ? 2 : 0,
#include "front/ast.def"
};

static const struct {
  const char *text;
  uint8_t takes, expr;
} ops[] = {
#define OP(id, text, place, takes, expr, ...) {text, TAKES_##takes, EXPR_##expr},
#define OP_WORD(id, text)                     {text, TAKES_NOTHING, EXPR_none},
#include "front/op.def"
};

const char *node_kind_name(NodeKind kind)
{
  return rows[kind].name;
}

const char *op_text(Op op)
{
  return ops[op].text;
}

ExprId op_expr(Op op)
{
  return (ExprId)ops[op].expr;
}

OpTakes op_takes(Op op)
{
  return (OpTakes)ops[op].takes;
}

bool op_gives_operand(Op op)
{
  switch (op_takes(op)) {
  case TAKES_NUMBER:
  case TAKES_QUOTIENT:
  case TAKES_REMAINDER:
  case TAKES_INTEGER:
  case TAKES_LOGIC:
  case TAKES_SHIFT:
  case TAKES_BOOL:
  case TAKES_LAZY: return true;
  case TAKES_ORDER:
  case TAKES_EQUAL:
  case TAKES_NOTHING: return false;
  }
  die("no class of operators: %d", (int)op_takes(op));
}

unsigned node_width(const Node *node)
{
  return widths[node->kind];
}

static size_t width_bytes(unsigned width)
{
  return offsetof(Node, children) + width * sizeof(Node *);
}

static Node *node_room(Arena *arena, NodeKind kind)
{
  size_t bytes = width_bytes(widths[kind]);
#ifdef ARENA_IS_GUARDED
  Node *node = arena_alloc_words(arena, sizeof(Node));
  arena_guard((char *)node + bytes, sizeof(Node) - bytes);
  return node;
#else
  return arena_alloc_words(arena, bytes);
#endif
}

Node *node_new(Arena *arena, NodeKind kind, Span span)
{
  Node *node = node_room(arena, kind);
  node->kind = (uint8_t)kind;
  node->span = span;
  node->depth = 1;
  return node;
}

Node *node_make(Arena *arena, NodeKind kind, Span span, Node *a, Node *b, Node *c, Node *d)
{
  Node *node = node_new(arena, kind, span), *children[4] = {a, b, c, d};
  for (unsigned i = 0; i < COUNT_OF(children); ++i) {
    if (!children[i]) continue;
    node->children[i] = children[i];
    for (Node *child = children[i]; child; child = child->next)
      if (child->depth >= node->depth) node->depth = (uint16_t)(child->depth + 1);
  }
  return node;
}

Node *node_int(Arena *arena, Span span, Type *type, uint64_t bits)
{
  Node *node = node_new(arena, NODE_int, span);
  node->type = type;
  node->bits = bits;
  return node;
}

Node *generic_params(const Node *item)
{
  Node *param = item->a;
  while (param && param->kind == NODE_attribute) param = param->next;
  return param;
}

static Node *list_copy(Arena *arena, const Node *list)
{
  Node *first = NULL, **end = &first;
  for (; list; list = list->next) {
    *end = node_copy(arena, list);
    end = &(*end)->next;
  }
  return first;
}

Node *node_copy(Arena *arena, const Node *node)
{
  unsigned width = node_width(node);
  Node *copy = node_room(arena, (NodeKind)node->kind);
  memcpy(copy, node, width_bytes(width));
  copy->next = NULL;
  for (unsigned i = 0; i < width; ++i) copy->children[i] = list_copy(arena, node->children[i]);
  return copy;
}

void node_become(Node *node, const Node *other)
{
  Node *next = node->next;
  unsigned width = node_width(other);
  if (width > node_width(node))
    die("a '%s' has no room for a '%s'", rows[node->kind].name, rows[other->kind].name);
  memcpy(node, other, width_bytes(width));
  node->next = next;
}

void node_clear(Node *node, NodeKind kind)
{
  Node empty = {.kind = (uint8_t)kind, .depth = node->depth, .span = node->span};
  node_become(node, &empty);
}

Node *node_extents(const Node *param)
{
  return param->a && param->a->kind == NODE_index ? param->a->b : NULL;
}

Node *node_last(Node *list)
{
  while (list->next) list = list->next;
  return list;
}

uint32_t node_count(const Node *list)
{
  uint32_t count = 0;
  for (; list; list = list->next) ++count;
  return count;
}

static void dump_value(const Node *node, Buf *out)
{
  switch ((NodeKind)node->kind) {
  case NODE_int:
    if (node->type && type_is_signed(node->type)) buf_printf(out, " %lld", (long long)node->bits);
    else
      buf_printf(out, " %s%llu", node->flags & FLAG_negative ? "-" : "",
                 (unsigned long long)node->bits);
    break;
  case NODE_float: buf_printf(out, " %.17g", node->real); break;
  case NODE_bool: buf_puts(out, node->bits ? " true" : " false"); break;
  case NODE_import:
  case NODE_string:
    buf_putc(out, ' ');
    buf_json_string(out, node->text, node->text_bytes);
    break;
  default: break;
  }
}

static void dump(const Node *node, Buf *out, uint32_t level)
{
  static const char labels[] = "abcd";
  buf_printf(out, "%s", rows[node->kind].name);
  if (node->op) buf_printf(out, " %s", ops[node->op].text);
  if (node->name) buf_printf(out, " %s", node->name->text);
  if (node->flags & FLAG_exported) buf_puts(out, " exported");
  if (node->flags & FLAG_imported) buf_puts(out, " imported");
  dump_value(node, out);
  if (node->type) buf_printf(out, " : %s", type_text(node->type));
  buf_putc(out, '\n');
  for (unsigned i = 0; i < node_width(node); ++i) {
    /* A label where a child alone would not tell which one it is. */
    bool is_optional = strchr(rows[node->kind].children[i], '?') != NULL;
    for (const Node *child = node->children[i]; child; child = child->next) {
      for (uint32_t k = 0; k <= level; ++k) buf_puts(out, "  ");
      if (is_optional) buf_printf(out, "%c ", labels[i]);
      dump(child, out, level + 1);
    }
  }
}

void ast_dump(const Node *node, Buf *out)
{
  dump(node, out, 0);
}

void ast_verify(const Node *node)
{
  if (node->kind >= NODE_COUNT) die("a node has the kind %u", node->kind);
  const char *fields = rows[node->kind].fields, *name = rows[node->kind].name;
  if (node->name && !strchr(fields, 'N')) die("a node '%s' has a name", name);
  if (node->op && !strchr(fields, 'O')) die("a node '%s' has an operator", name);
  for (unsigned i = 0; i < node_width(node); ++i) {
    const char *rule = rows[node->kind].children[i];
    const Node *first = node->children[i];
    if (!first && *rule && !strchr(rule, '?')) die("a node '%s' lacks child %u", name, i);
    if (first && !*rule) die("a node '%s' has a child %u", name, i);
    if (first && first->next && !strchr(rule, '*'))
      die("child %u of a node '%s' is a list", i, name);
    for (const Node *child = first; child; child = child->next) {
      NodeClass class = rows[child->kind].class;
      bool is_good =
          child->kind == NODE_poison || *rule == 'p' || (*rule == 'e' && class == CLASS_EXPR) ||
          (*rule == 't' && class == CLASS_EXPR) || (*rule == 'i' && class == CLASS_ITEM) ||
          (*rule == 's' && (class == CLASS_STMT || class == CLASS_ITEM));
      if (!is_good) die("child %u of a node '%s' is a '%s'", i, name, rows[child->kind].name);
      ast_verify(child);
    }
  }
}
