/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* check_memory.c - places as arguments, and __memory("name", operands...).
 *
 * gives   call->type; values converted to the type of the place; orders, scopes and hints constants
 * fails   with DIAG_not_memory where an argument is no memory, DIAG_memory_order
 *
 * `p: __place<T>` is a parameter that takes memory itself: an element of a span, a part of shared
 * memory. Its access word says what the function does there; `inout` without one.
 */
#include "builtin.h"
#include "compile.h"
#include "memory.h"

#include <string.h>

static const struct {
  const char *name, *operands;
} rows[] = {
#define MEMORY(name, operands, ...) {#name, operands},
#include "memory.def"
};

static const struct {
  const char *option, *word;
  uint64_t value;
} words[] = {
#define WORD(option, word, value) {#option, #word, value},
#include "memory.def"
};

MemoryOp memory_named(const char *name)
{
  MemoryOp op = 0;
  while (op < MEMORY_COUNT && strcmp(rows[op].name, name) != 0) ++op;
  return op;
}

const char *memory_operands(MemoryOp op)
{
  return rows[op].operands;
}

bool memory_word(const char *option, const char *word, uint64_t *out_value)
{
  for (size_t i = 0; i < COUNT_OF(words); ++i) {
    if (strcmp(words[i].option, option) != 0 || strcmp(words[i].word, word) != 0) continue;
    *out_value = words[i].value;
    return true;
  }
  return false;
}

/* ---- places ---- */

bool place_is_param(const Node *param)
{
  const Node *type = param ? param->a : NULL;
  return type && type->kind == NODE_instance && type->a->name &&
         !strcmp(type->a->name->text, "__place");
}

void place_mark(const Node *param, Node *arg)
{
  if (arg && arg->kind == NODE_index && place_is_param(param) && param->op != OP_in)
    arg->flags |= FLAG_written;
}

static const Node *span_of_place(const Node *node)
{
  for (; node->kind == NODE_index; node = node->a)
    if (node->a->type->kind == TYPE_span) return node->a;
  return NULL;
}

static bool not_memory(Compile *c, const Node *node)
{
  diag_at(&c->diag, DIAG_not_memory, node->span);
  diag_hint(&c->diag, "Memory that others see is an element of a span, or shared.");
  return false;
}

static bool check_access(Compile *c, Node *node, Op access)
{
  const Node *span = span_of_place(node), *root = node;
  while (root->kind == NODE_index) root = root->a;
  const Node *decl = root->kind == NODE_name ? root->decl : NULL;
  if (!span && (!decl || decl->kind != NODE_shared)) return not_memory(c, node);
  if (!span) return true;
  if (access == OP_inout && span->type->access == OP_out) {
    diag_at(&c->diag, DIAG_read_out, node->span, span->name ? span->name->text : "this");
    diag_hint(&c->diag, "'inout' is read and written.");
    return false;
  }
  return access == OP_in || check_place(c, node);
}

bool place_convert(Compile *c, Node **slot, Type *to)
{
  Node *value = *slot;
  if (value->type != to->element || !check_access(c, value, (Op)to->access)) {
    if (value->type != to->element && value->type != c->types.poison) {
      if (type_is_literal(value->type)) not_memory(c, value);
      else
        diag_at(&c->diag, DIAG_type_mismatch, value->span, type_text(value->type),
                type_text(to->element));
    }
    value->type = c->types.poison;
    return false;
  }
  Node *node = node_new(c->unit, NODE_convert, value->span);
  node->a = value;
  node->type = to;
  node->next = value->next;
  value->next = NULL;
  *slot = node;
  return true;
}

/* ---- __memory ---- */

static bool check_option(Compile *c, const Node *node)
{
  if (node->kind == NODE_int) return true;
  diag_at(&c->diag, DIAG_not_constant, node->span);
  return false;
}

static bool check_order(Compile *c, const Node *node, MemoryOp op)
{
  if (!check_option(c, node)) return false;
  bool is_release = node->bits == WORD_order_release || node->bits == WORD_order_acq_rel;
  bool is_acquire = node->bits == WORD_order_acquire || node->bits == WORD_order_acq_rel;
  const char *what = NULL;
  if (node->bits > WORD_order_seq_cst) what = "relaxed, acquire, release, acq_rel or seq_cst";
  else if (op == MEMORY_load && is_release) what = "relaxed, acquire or seq_cst";
  else if (op == MEMORY_store && is_acquire) what = "relaxed, release or seq_cst";
  else if (op == MEMORY_fence && node->bits == WORD_order_relaxed)
    what = "acquire, release, acq_rel or seq_cst";
  if (!what) return true;
  diag_at(&c->diag, DIAG_memory_order, node->span, rows[op].name, what);
  return false;
}

static bool check_scope(Compile *c, const Node *node, MemoryOp op)
{
  if (!check_option(c, node)) return false;
  if (node->bits <= WORD_scope_system) return true;
  diag_at(&c->diag, DIAG_memory_order, node->span, rows[op].name,
          "the scopes block, cluster, device and system");
  return false;
}

static bool check_hint(Compile *c, const Node *node, MemoryOp op)
{
  if (!check_option(c, node)) return false;
  bool is_load = op == MEMORY_load_hint;
  bool is_good = node->bits <= WORD_cache_volatile &&
                 (is_load || (node->bits != WORD_cache_last && node->bits != WORD_cache_constant));
  if (is_good) return true;
  diag_at(&c->diag, DIAG_memory_order, node->span, is_load ? "load" : "store",
          is_load ? "all, global, streaming, last, no_allocate, constant, through or volatile"
                  : "all, global, streaming, no_allocate, through or volatile");
  return false;
}

/* Bits of floats have no `and`; a wrapping counter has no sign. */
static bool takes_type(MemoryOp op, const Type *type)
{
  bool is_bits = op == MEMORY_and || op == MEMORY_or || op == MEMORY_xor;
  if (op == MEMORY_load_hint || op == MEMORY_store_hint) return type_is_number(type);
  if (op == MEMORY_inc || op == MEMORY_dec) return type_is_int(type) && !type_is_signed(type);
  return type_is_int(type) || (type_is_float(type) && !type_is_half(type) && !is_bits);
}

Type *check_memory(Compile *c, Node *call)
{
  const Node *name = call->b;
  MemoryOp op = name && name->kind == NODE_string ? memory_named(name->text) : MEMORY_COUNT;
  if (op == MEMORY_COUNT) die("the library asks for memory that memory.def has not");
  Type *element = NULL;
  const char *letter = rows[op].operands;
  bool is_good = true;
  for (Node **slot = &call->b->next; *slot; slot = &(*slot)->next, ++letter) {
    if ((*slot)->type == c->types.poison) is_good = false;
    else if (*letter == 'p') element = (*slot)->type->element;
    else if (*letter == 'v') is_good &= convert_to(c, slot, element);
    else if (*letter == 'o') is_good &= check_order(c, *slot, op);
    else if (*letter == 'c') is_good &= check_hint(c, *slot, op);
    else is_good &= check_scope(c, *slot, op);
  }
  if (is_good && element && !takes_type(op, element)) {
    diag_at(&c->diag, DIAG_bad_operand, call->span, rows[op].name, type_text(element));
    is_good = false;
  }
  bool is_none = op == MEMORY_fence || op == MEMORY_store || op == MEMORY_store_hint;
  return call->type = !is_good ? c->types.poison : is_none ? c->types.none : element;
}
