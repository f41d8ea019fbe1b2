/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* heads.c - writes the declarations of a file as JSON, for documentation, editors and tests.
 *
 *     // The sum of a block.                  {"kind": "function", "name": "sum",
 *     fn block.sum<T: number>(v: T) -> T       "receiver": "block", "line": 2,
 *                                              "comment": "The sum of a block.",
 *                                              "generics": [{"name": "T", "type": "number"}],
 *                                              "params": [{"name": "v", "type": "T"}],
 *                                              "result": "T"}
 *
 * Names and types are the source text, with each run of blanks and line ends made one blank. What
 * the source leaves out, such as a result, the item leaves out too.
 *
 * needs   one parsed file (--emit=heads parses as --emit=ast does: imports are not loaded)
 * gives   {"file": ..., "comment": ..., "items": [...]}, one item per line
 * keeps   the order of the declarations
 * fails   never
 *
 * It never looks up a name: only the checker knows what `T` means.
 */
#include "output/output_private.h"

#include <string.h>

typedef struct Heads {
  Session *c;
  Buf *out;
} Heads;

static void string(Heads *h, const char *text, size_t len)
{
  buf_json_string(h->out, text, len);
}

static void key(Heads *h, const char *name)
{
  buf_printf(h->out, ", \"%s\": ", name);
}

/* The source text of a node; each run of blanks and line ends becomes one blank. */
static void text_of(Heads *h, const char *name, const Node *node)
{
  if (!node) return;
  const char *text = source_text(&h->c->sources, node->span);
  Buf plain = BUF(&h->c->scratch);
  for (uint32_t i = 0; i < node->span.hi - node->span.lo; ++i) {
    bool is_blank = strchr(" \t\r\n", text[i]) != NULL;
    if (is_blank && plain.len && plain.data[plain.len - 1] == ' ') continue;
    buf_putc(&plain, is_blank ? ' ' : text[i]);
  }
  key(h, name);
  string(h, buf_text(&plain), plain.len);
}

/* The start of the line before the one that holds `at`; NULL for the first line. */
static const char *line_before(const char *text, const char *at)
{
  while (at > text && at[-1] != '\n') --at;
  if (at == text) return NULL;
  for (--at; at > text && at[-1] != '\n';) --at;
  return at;
}

static const char *first_letter(const char *line)
{
  return line + strspn(line, " \t");
}

static bool is_comment(const char *line)
{
  return !strncmp(first_letter(line), "//", 2);
}

/* The comment lines that start at `line`, without the slashes and the blank after them. */
static void comment_lines(Heads *h, const char *line, const char *end)
{
  Buf plain = BUF(&h->c->scratch);
  while (line < end && is_comment(line)) {
    const char *from = first_letter(line) + 2;
    from += *from == ' ';
    size_t len = strcspn(from, "\r\n");
    if (plain.len) buf_putc(&plain, '\n');
    buf_bytes(&plain, from, len);
    line = from + len + strspn(from + len, "\r");
    line += *line == '\n';
  }
  if (!plain.len) return;
  key(h, "comment");
  string(h, buf_text(&plain), plain.len);
}

/* The comment right above an item, or above its attributes. */
static void comment_above(Heads *h, const Node *item)
{
  const char *text = h->c->source->text, *at = text + (item->span.lo - h->c->source->base);
  const char *line = line_before(text, at), *first = NULL, *end = NULL;
  for (; line && *first_letter(line) == '@'; line = line_before(text, line)) at = line;
  for (; line && is_comment(line); line = line_before(text, line)) {
    first = line;
    if (!end) end = at;
  }
  if (first) comment_lines(h, first, end);
}

static void begin(Heads *h, const Node *node, const char *kind)
{
  uint32_t line, column;
  source_position(h->c->source, node->span.lo, &line, &column);
  buf_printf(h->out, "{\"kind\": \"%s\"", kind);
  if (node->name) {
    key(h, "name");
    string(h, node->name->text, node->name->len);
  }
  key(h, "line");
  buf_number(h->out, line);
}

static void part(Heads *h, const Node *node)
{
  begin(h, node, node_kind_name(node->kind));
  if (node->kind == NODE_param && node->op) {
    key(h, "access");
    string(h, op_text(node->op), strlen(op_text(node->op)));
  }
  if (node->kind == NODE_argument || node->kind == NODE_attribute ||
      node->kind == NODE_enumerator) {
    text_of(h, "value", node->a);
  } else {
    text_of(h, "type", node->a);
    text_of(h, "default", node->b);
  }
  if (node->kind == NODE_const_param && node->c) { /* its position among the parameters in (...) */
    key(h, "place");
    buf_number(h->out, node->c->bits);
  }
  buf_putc(h->out, '}');
}

/* The members of a list that are attributes, or those that aren't. */
static void some_parts(Heads *h, const char *name, const Node *list, bool are_attributes)
{
  bool is_first = true;
  for (const Node *node = list; node; node = node->next) {
    if ((node->kind == NODE_attribute) != are_attributes) continue;
    if (is_first) key(h, name);
    buf_puts(h->out, is_first ? "[" : ", ");
    part(h, node);
    is_first = false;
  }
  if (!is_first) buf_putc(h->out, ']');
}

static void parts(Heads *h, const char *name, const Node *list)
{
  some_parts(h, name, list, false);
}

/* Does the function exist only for its error message? Then its body begins with
 * static_assert(false). */
static bool is_refusal(const Node *body)
{
  const Node *first = body && body->kind == NODE_block ? body->a : NULL;
  return first && first->kind == NODE_static_assert && first->a->kind == NODE_bool &&
         !first->a->bits;
}

static void callable(Heads *h, const Node *node)
{
  const Node *params = node->b;
  if (params && params->kind == NODE_receiver) {
    key(h, "receiver");
    string(h, params->name->text, params->name->len);
    params = params->next;
  }
  some_parts(h, "attributes", node->a, true);
  parts(h, "generics", node->a);
  parts(h, "params", params);
  if (node->flags & FLAG_property) buf_puts(h->out, ", \"is_property\": true");
  if (is_refusal(node->d)) buf_puts(h->out, ", \"is_refusal\": true");
  if (node->kind == NODE_kernel) parts(h, "launch", node->c);
  else text_of(h, "result", node->c);
}

static void item_of(Heads *h, const Node *item)
{
  begin(h, item, node_kind_name(item->kind));
  comment_above(h, item);
  switch ((NodeKind)item->kind) {
  case NODE_function:
  case NODE_kernel:
  case NODE_algorithm: callable(h, item); break;
  case NODE_constant:
  case NODE_field:
    text_of(h, "type", item->a);
    text_of(h, item->kind == NODE_field ? "default" : "value", item->b);
    break;
  case NODE_alias: text_of(h, "type", item->a); break;
  case NODE_enumeration:
    text_of(h, "type", item->a);
    parts(h, "enumerators", item->b);
    break;
  case NODE_structure:
    parts(h, "generics", item->a);
    buf_puts(h->out, ", \"members\": [");
    for (const Node *member = item->b; member; member = member->next) {
      item_of(h, member);
      if (member->next) buf_puts(h->out, ", ");
    }
    buf_putc(h->out, ']');
    break;
  default: break; /* import, export, static_assert: only kind and line */
  }
  buf_putc(h->out, '}');
}

void heads_write(Session *c, Buf *out)
{
  Heads h = {c, out};
  buf_puts(out, "{\"file\": ");
  string(&h, c->source->name, strlen(c->source->name));
  comment_lines(&h, c->source->text, c->source->text + c->source->bytes);
  buf_puts(out, ", \"items\": [");
  for (const Node *item = c->module->a; item; item = item->next) {
    buf_puts(out, "\n  ");
    item_of(&h, item);
    if (item->next) buf_putc(out, ',');
  }
  buf_puts(out, "\n]}\n");
}
