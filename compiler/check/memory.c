/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* memory.c - checks memory arguments (places), and __memory("name", operands...).
 *
 * needs   names resolved; arguments checked
 * gives   call->type; values converted to the place's type; orders, scopes and hints as constants
 * keeps   everything else
 * fails   with DIAG_not_memory, DIAG_memory_order, DIAG_memory_space, DIAG_copy_bytes
 *
 * __memory is how lib/ writes atomics, fences, loads with hints and asynchronous copies; its rows
 * are in front/memory.def. `p: __place<T>` is a parameter that takes memory itself, like a C++
 * reference: an element of a span, what a pointer points to, a part of shared memory, or a field or
 * component of those. The access word says what the function does there; without one it is `inout`.
 * `__place<T, shared>` refuses memory that is known to lie elsewhere. `__place<T, shared, N>` is
 * the first of N elements, and a checked build tests all N against the extent.
 *
 *     atomic.add(x[i], 1)      x[i] becomes NODE_convert to the type __place<u32>
 */
#include "front/memory.h"
#include "check/check_private.h"
#include "front/builtin.h"

#include <string.h>

/* ---- places ---- */

static bool place_is_param(const Node *param)
{
  const Node *type = param ? param->a : NULL;
  return type && type->kind == NODE_instance && type->a->name &&
         !strcmp(type->a->name->text, "__place");
}

void place_mark(const Node *param, Node *arg)
{
  bool is_part = arg && (arg->kind == NODE_index || arg->kind == NODE_member);
  if (is_part && place_is_param(param) && param->op != OP_in) arg->flags |= FLAG_written;
}

/* The base of a place: the span or pointer closest to it, or else the variable that contains it. */
static const Node *place_base(const Node *node)
{
  while (node->kind == NODE_index || node->kind == NODE_member) {
    node = node->a;
    if (node->type->kind == TYPE_span || node->type->kind == TYPE_pointer) break;
  }
  return node;
}

static bool is_swizzle(const Node *node)
{
  return node->kind == NODE_member && node->a->type->kind == TYPE_vector &&
         node->type->kind == TYPE_vector;
}

static bool is_shared(const Node *node)
{
  return node->kind == NODE_name && node->decl && node->decl->kind == NODE_shared;
}

static bool not_memory(Session *c, const Node *node)
{
  const Type *type = node->type;
  diag_at(&c->diag, DIAG_not_memory, node->span);
  if (type->kind == TYPE_span || type->kind == TYPE_array)
    diag_hint(&c->diag, "Name one element: %s[%s].", short_text(c, node),
              type->kind == TYPE_span && type->rank > 1 ? "i, j" : "i");
  else diag_hint(&c->diag, "Memory that others see is an element of a span, or shared.");
  return false;
}

/* The address space in which the base is known to lie. */
static Space space_of(const Session *c, const Node *base)
{
  if (base->type->kind == TYPE_pointer) return (Space)base->type->space;
  while (base->kind == NODE_index) base = base->a; /* a slice */
  if (is_shared(base)) return SPACE_shared;
  bool is_param = base->kind == NODE_name && base->decl && base->decl->kind == NODE_param;
  return is_param && c->check->function->kind == NODE_kernel ? SPACE_global : SPACE_any;
}

bool check_spaces(Session *c, const Node *node, Space space, Space wanted)
{
  static const char *const names[] = {"", "global", "shared"};
  if (wanted == SPACE_any || space == SPACE_any || space == wanted) return true;
  return diag_at(&c->diag, DIAG_memory_space, node->span, names[space], names[wanted]);
}

static bool check_access(Session *c, Node *node, const Type *to)
{
  const Node *base = place_base(node);
  TypeKind kind = base->type->kind;
  bool is_part = node != base && (kind == TYPE_span || kind == TYPE_pointer);
  if (is_swizzle(node) || (!is_part && !is_shared(base))) return not_memory(c, node);
  if (!check_spaces(c, node, space_of(c, base), (Space)to->space)) return false;
  if (kind != TYPE_span || node == base) return true;
  if (to->access == OP_inout && base->type->access == OP_out) {
    diag_at(&c->diag, DIAG_read_out, node->span, base->name ? base->name->text : "this");
    diag_hint(&c->diag, "'inout' is read and written.");
    return false;
  }
  return to->access == OP_in || check_place(c, node);
}

bool place_refuse_many(Session *c, const Node *arg)
{
  return (arg->type->kind == TYPE_span || arg->type->kind == TYPE_array) && !not_memory(c, arg);
}

bool place_convert(Session *c, Node **slot, Type *to)
{
  Node *value = *slot;
  if (value->type != to->element || !check_access(c, value, to)) {
    if (value->type != to->element && value->type != c->types->poison) {
      if (type_is_literal(value->type)) not_memory(c, value);
      else
        diag_at(&c->diag, DIAG_type_mismatch, value->span, type_text(value->type),
                type_text(to->element));
    }
    value->type = c->types->poison;
    return false;
  }
  /* for the bounds test of a checked build */
  if (value->kind == NODE_index && to->count > 1) value->bits = to->count;
  Node *node = node_new(c->unit, NODE_convert, value->span);
  node->a = value;
  node->type = to;
  node->next = value->next;
  value->next = NULL;
  *slot = node;
  return true;
}

/* ---- __memory ---- */

static bool check_option(Session *c, const Node *node, const char *option)
{
  if (node->kind == NODE_int) return true;
  diag_at(&c->diag, DIAG_not_constant, node->span);
  hint_hidden_word(c, option, node);
  return false;
}

static bool check_order(Session *c, const Node *node, MemoryOp op)
{
  if (!check_option(c, node, "order")) return false;
  bool is_release = node->bits == WORD_order_release || node->bits == WORD_order_acq_rel;
  bool is_acquire = node->bits == WORD_order_acquire || node->bits == WORD_order_acq_rel;
  const char *what = NULL;
  if (node->bits > WORD_order_seq_cst) what = "relaxed, acquire, release, acq_rel or seq_cst";
  else if (op == MEMORY_load && is_release) what = "relaxed, acquire or seq_cst";
  else if (op == MEMORY_store && is_acquire) what = "relaxed, release or seq_cst";
  else if (op == MEMORY_fence && node->bits == WORD_order_relaxed)
    what = "acquire, release, acq_rel or seq_cst";
  if (!what) return true;
  return diag_at(&c->diag, DIAG_memory_order, node->span, generic_text(c, c->check->function),
                 what);
}

static bool check_scope(Session *c, const Node *node)
{
  if (!check_option(c, node, "scope")) return false;
  if (node->bits <= WORD_scope_system) return true;
  return diag_at(&c->diag, DIAG_memory_order, node->span, generic_text(c, c->check->function),
                 "the scopes block, cluster, device and system");
}

/* Is the cache hint one that a load or a store can have? Reports it otherwise. */
static bool is_hint(Session *c, const Node *node, bool is_load, const char *name)
{
  bool is_good = node->kind == NODE_int && node->bits <= WORD_cache_evict_last &&
                 (is_load || (node->bits != WORD_cache_last && node->bits != WORD_cache_constant));
  if (is_good) return true;
  return diag_at(
      &c->diag, DIAG_memory_order, node->span, name,
      is_load ? "all, global, streaming, last, no_allocate, evict_first, evict_last, constant, "
                "through or volatile"
              : "all, global, streaming, no_allocate, evict_first, evict_last, through or "
                "volatile");
}

static bool check_hint(Session *c, const Node *node, MemoryOp op)
{
  return check_option(c, node, "cache") &&
         is_hint(c, node, op == MEMORY_load_hint, generic_text(c, c->check->function));
}

/* Can one access be of so many bytes? */
static bool is_access_size(uint64_t bytes)
{
  return bytes && bytes <= 16 && (bytes & (bytes - 1)) == 0;
}

/* Does the operation only move the bytes of a value? */
static bool is_move_of(MemoryOp op)
{
  return op == MEMORY_exchange || op == MEMORY_load || op == MEMORY_store ||
         op == MEMORY_load_hint || op == MEMORY_store_hint;
}

/* Can the operation have operands of the type? Floats have no bit operations, and a wrapping
 * counter is unsigned. Most operations update a vector component by component. Operations on a
 * whole value take at most 16 bytes. Those that don't compare take structs and tuples too; a
 * comparison would see the bytes between their fields. */
static bool takes_type(MemoryOp op, Type *type)
{
  bool is_vector = type->kind == TYPE_vector;
  bool is_counter = op == MEMORY_inc || op == MEMORY_dec;
  bool is_move = is_move_of(op);
  const Type *scalar = type_scalar_of(type);
  if (is_move && (type_is_record(type))) return type->is_data && is_access_size(type_bytes(type));
  bool is_whole =
      op == MEMORY_exchange || op == MEMORY_cas || op == MEMORY_load || op == MEMORY_store;
  if (is_vector && (is_counter || (is_whole && !is_access_size(type->count * type_bytes(scalar)))))
    return false;
  bool is_bits = op == MEMORY_and || op == MEMORY_or || op == MEMORY_xor;
  if (is_counter) return type_is_int(type) && !type_is_signed(type);
  return type_is_int(scalar) || (type_is_float(scalar) && !is_bits);
}

static void refuse_type(Session *c, const Node *call, MemoryOp op, const Type *type)
{
  diag_at(&c->diag, DIAG_bad_operand, call->span, generic_text(c, c->check->function),
          type_text(type));
  bool is_counter = op == MEMORY_inc || op == MEMORY_dec;
  bool is_bits = op == MEMORY_and || op == MEMORY_or || op == MEMORY_xor;
  bool is_move = is_move_of(op);
  bool is_record = type_is_record(type);
  const char *what = "integers, floats and vectors of them";
  if (is_counter) what = "unsigned integers";
  else if (is_bits) what = "integers and vectors of them";
  else if (is_record && is_move) what = "structs and tuples of 1, 2, 4, 8 or 16 bytes";
  else if (type->kind == TYPE_vector) what = "vectors of at most 16 bytes, not of 3 components";
  diag_advise(&c->diag, "It takes %s.", what);
}

Node *memory_hint(Node *call)
{
  for (Node **slot = &call->b; *slot; slot = &(*slot)->next) {
    Node *arg = *slot;
    if (arg->kind != NODE_argument || strcmp(arg->name->text, "cache") != 0) continue;
    *slot = arg->next;
    arg->next = NULL;
    return arg;
  }
  return NULL;
}

bool memory_check_hint(Session *c, Node *hint, bool is_load)
{
  if (check_expr(c, hint->a, c->types->type_u32) == c->types->poison) return false;
  evaluate(c, hint->a);
  return is_hint(c, hint->a, is_load, is_load ? "load" : "store");
}

/* An asynchronous copy is one cp.async instruction, which has three sizes. */
static bool check_count(Session *c, const Node *call, const Node *count, Type *element)
{
  uint64_t bytes = count->bits * type_bytes(element);
  if (!element || bytes == 4 || bytes == 8 || bytes == 16) return true;
  diag_at(&c->diag, DIAG_copy_bytes, call->span, (unsigned long long)bytes);
  diag_advise(&c->diag, "memcpy_async<N>(to, from) copies N elements.");
  return false;
}

static bool is_copy(MemoryOp op)
{
  return op == MEMORY_copy || op == MEMORY_copy_some;
}

static bool check_operand(Session *c, Node **slot, char letter, MemoryOp op, Type *element)
{
  switch (letter) {
  case 'v': return convert_to(c, slot, element);
  case 'o': return check_order(c, *slot, op);
  case 'c': return check_hint(c, *slot, op);
  case 's': return check_scope(c, *slot);
  case 'n': return check_option(c, *slot, "");
  default: return true;
  }
}

Type *check_memory(Session *c, Node *call)
{
  const Node *name = call->b;
  MemoryOp op = name && name->kind == NODE_string ? memory_named(name->text) : MEMORY_COUNT;
  if (op == MEMORY_COUNT) die("the library asks for memory that front/memory.def has not");
  Type *element = NULL;
  const char *letter = memory_operands(op);
  bool is_good = true;
  for (Node **slot = &call->b->next; *slot; slot = &(*slot)->next, ++letter) {
    if ((*slot)->type == c->types->poison) is_good = false;
    else if (*letter == 'p') element = (*slot)->type->element;
    else is_good &= check_operand(c, slot, *letter, op, element);
    if (*letter == 'n' && is_copy(op) && is_good) is_good = check_count(c, call, *slot, element);
  }
  if (is_good && element && !is_copy(op) && !takes_type(op, element)) {
    refuse_type(c, call, op, element);
    is_good = false;
  }
  bool is_exchange = op == MEMORY_exchange || op == MEMORY_cas;
  if (is_good && is_exchange && type_bytes(element) == 16)
    is_good = check_target_sm(c, "an exchange of 16 bytes", 90, call->span);
  bool is_none = op == MEMORY_fence || op == MEMORY_store || op == MEMORY_store_hint ||
                 op == MEMORY_copy_commit || op == MEMORY_copy_wait || is_copy(op);
  return call->type = !is_good ? c->types->poison : is_none ? c->types->none : element;
}
