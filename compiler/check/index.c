/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* index.c - types elements, slices and members: x[i], x[lo..hi], t[0], x.len, p.field, block.size.
 *
 * needs   names resolved; FLAG_written on what is only assigned
 * gives   node->type; a constant where the element, the length or the target's property is one; the
 *         call of a property, or of a function `[]` of the program
 * keeps   everything else
 * fails   with DIAG_index_type, DIAG_index_count, DIAG_index_range, DIAG_not_indexable,
 *         DIAG_read_out, DIAG_no_member
 *
 *     base          [i, j]                       [lo..hi]                .name
 *     span          element; all its indices     span of the rows        len, methods
 *     array         element, or the inner array  span that views it      len
 *     tuple, struct element i; a function `[]`   no                      field, property
 *     vector        component                    no                      components (vector.c)
 *     pointer       element                      no                      no
 */
#include "check/check_private.h"

#include <string.h>

/* Checks the base of [i] or .name, unless a call or an assignment has done so. */
static Type *check_base(Session *c, Node *node)
{
  return node->type ? node->type : check_expr(c, node, NULL);
}

/* t[0] of a tuple, or it[i] by a function `[]` of the program. */
static Type *check_index_call(Session *c, Node *node)
{
  Type *type = node->a->type;
  if (type->kind == TYPE_tuple && node->b && !node->b->next) {
    if (!evaluate(c, node->b) || node->b->kind != NODE_int)
      return poison_at(c, node, DIAG_not_constant, node->b->span);
    if (node->b->bits < type->count) return node->type = type->elements[node->b->bits];
    return poison_at(c, node, DIAG_index_range, node->b->span, scalar_text(c, node->b),
                     arena_printf(&c->scratch, "%u", type->count));
  }
  node->a->next = node->b;
  if (check_operator(c, node, "[]", node->a, NULL)) return node->type;
  node->a->next = NULL;
  return poison_at(c, node, DIAG_not_indexable, node->a->span, type_text(type));
}

/* Is it a slice, x[lo..hi]? The range is the only index and has no step. */
static bool is_slice(const Node *node)
{
  const Type *type = node->a->type;
  return (type->kind == TYPE_span || type->kind == TYPE_array) && node->b && !node->b->next &&
         node->b->type->kind == TYPE_range && node->b->type->rank == RANGE_up &&
         (node->b->kind != NODE_range || !node->b->c);
}

static Type *check_slice(Session *c, Node *node)
{
  const Type *type = node->a->type;
  if (type->kind == TYPE_span) return node->type = node->a->type;
  const Node *root = place_root(node->a);
  bool is_changing = root && (root->kind == NODE_var || root->kind == NODE_shared);
  enum { RANK_MAX = 4 }; /* of spans */
  unsigned rank = 1;
  Type *element = type->element;
  for (; rank < RANK_MAX && element->kind == TYPE_array; ++rank) element = element->element;
  return node->type = type_span(c->types, element, rank, is_changing ? OP_inout : OP_in);
}

/* Is the index a range, as far as it is known before it has a type? */
static bool is_range(const Node *index)
{
  bool is_bound = index->kind == NODE_name && index->decl && index->decl->type;
  return index->kind == NODE_range || (is_bound && index->decl->type->kind == TYPE_range);
}

/* Reports x[i][j] of a span with two extents, as C would write it. */
static bool is_nested_index(Session *c, Node *node)
{
  const Node *inner = node->a, *base = inner->kind == NODE_index ? inner->a : inner;
  const Type *type = base->kind == NODE_name && base->decl ? base->decl->type : NULL;
  if (base == inner || !type || type->kind != TYPE_span || !inner->b || !node->b) return false;
  if (is_range(inner->b) || is_range(node->b)) return false;
  if (node_count(inner->b) + node_count(node->b) != type->rank) return false;
  const Node *last = node_last(inner->b);
  diag_at(&c->diag, DIAG_index_count, node->span, type_text(type), (unsigned)type->rank,
          node_count(inner->b));
  diag_hint(&c->diag, "All indices stand in one pair of brackets.");
  diag_fix(&c->diag, (Span){last->span.hi, node->b->span.lo}, ", ");
  return true;
}

Type *check_index(Session *c, Node *node)
{
  if (is_nested_index(c, node)) return poison(c, node);
  bool is_written = node->flags & FLAG_written;
  if (is_written && (node->a->kind == NODE_index || node->a->kind == NODE_member))
    node->a->flags |= FLAG_written;
  Type *type = check_base(c, node->a);
  if (type != c->types->poison) type = check_is_value(c, node->a);
  bool is_good = type != c->types->poison;
  uint32_t count = node_count(node->b);
  for (Node **slot = &node->b; *slot; slot = &(*slot)->next) {
    Type *index = check_value(c, *slot, c->types->type_i32);
    if (index == c->types->poison) is_good = false;
    if (type->kind == TYPE_struct) continue;
    if (type_is_literal(index) && fold_is_constant(*slot) && index->kind == TYPE_int_literal)
      convert_to(c, slot, (*slot)->flags & FLAG_negative ? c->types->type_i64 : c->types->type_u64);
    index = (*slot)->type;
    if (index == c->types->poison) is_good = false;
    if (index == c->types->poison || type_is_int(index)) continue;
    if (index->kind == TYPE_range && is_slice(node)) {
      if (type_is_literal(index->element))
        convert_to(c, slot, type_range(c->types, c->types->type_u64, RANGE_up));
      is_good &= (*slot)->type != c->types->poison;
      continue;
    }
    bool is_second = !is_good && index->kind == TYPE_range; /* reported for the first range */
    is_good = false;
    if (is_second) continue;
    diag_at(&c->diag, DIAG_index_type, (*slot)->span, type_text(index));
    if (index->kind == TYPE_range && count > 1)
      diag_hint(&c->diag, "A slice is a range alone, of rows: %s[lo..hi].", short_text(c, node->a));
  }
  if (!is_good) return poison(c, node);
  if (is_slice(node)) return check_slice(c, node);
  if (type->kind == TYPE_pointer) {
    if (count == 1) return node->type = type->element;
    return poison_at(c, node, DIAG_index_count, node->span, type_text(type), 1u, count);
  }
  if (type_is_record(type)) return check_index_call(c, node);
  if (type->kind == TYPE_span) {
    if (count != type->rank) {
      diag_at(&c->diag, DIAG_index_count, node->span, type_text(type), (unsigned)type->rank, count);
      if (count < type->rank)
        diag_hint(&c->diag, "All indices stand in one pair of brackets: x[row, column].");
      return poison(c, node);
    }
    if (type->access == OP_out && !is_written) {
      const char *name = node->a->name ? node->a->name->text : "this";
      diag_at(&c->diag, DIAG_read_out, node->span, name);
      diag_hint(&c->diag, "'inout' is read and written.");
      return poison(c, node);
    }
    warn_index(c, node);
    return node->type = type->element;
  }
  if (type->kind == TYPE_vector) return check_vector_index(c, node);
  if (type->kind != TYPE_array)
    return poison_at(c, node, DIAG_not_indexable, node->a->span, type_text(type));
  unsigned rank = 0;
  for (const Type *t = type; t->kind == TYPE_array; t = t->element) ++rank;
  if (count < 1 || count > rank)
    return poison_at(c, node, DIAG_index_count, node->span, type_text(type), rank, count);
  for (Node *index = node->b; index; index = index->next, type = type->element) {
    bool is_outside = index->kind == NODE_int && (index->bits >= type->count);
    if (!is_outside) continue;
    return poison_at(c, node, DIAG_index_range, index->span, scalar_text(c, index),
                     arena_printf(&c->scratch, "%u", type->count));
  }
  const Node *known = is_written ? NULL : fold_element(node);
  return known ? become_constant(c, node, known) : (node->type = type);
}

static Type *check_target_member(Session *c, Node *node)
{
  Node *value = target_constant(c, node->span, node->name->text);
  if (value) return become_constant(c, node, value);
  diag_at(&c->diag, DIAG_no_member, node->span, "target", node->name->text);
  diag_hint(&c->diag, "They are target.sm, target.name, target.is_gpu and target.is_host.");
  return poison(c, node);
}

Type *check_member(Session *c, Node *node)
{
  if (node->flags & FLAG_written) node->a->flags |= FLAG_written;
  Type *type = check_base(c, node->a);
  if (type == c->types->poison) return poison(c, node);
  if (type->kind == TYPE_vector) return check_swizzle(c, node);
  if (type == c->types->modules[0]) return check_target_member(c, node);
  if (type->kind == TYPE_type && type_is_enum(type->element))
    return check_enumerator(c, node, type->element);
  if (type->kind == TYPE_group || type->kind == TYPE_module) {
    Type *part = type_group_named(
        c->types, arena_printf(&c->scratch, "%s.%s", type_text(type), node->name->text));
    if (part) return node->type = part;
    Node *function = resolve_method(c, type, node->name, node->span);
    if (function && function->flags & FLAG_property) return check_property(c, node, function);
    if (function) {
      node->decl = function;
      return node->type = c->types->function;
    }
  }
  if (type->kind == TYPE_struct) {
    int field = struct_field(type, node->name);
    if (field >= 0) return node->type = type->elements[field];
  }
  Node *property = type->kind == TYPE_group || type->kind == TYPE_type
                       ? NULL
                       : resolve_method(c, type, node->name, node->span);
  if (property && property->flags & FLAG_property) return check_property(c, node, property);
  if ((type->kind == TYPE_span || type->kind == TYPE_array) && !strcmp(node->name->text, "len")) {
    if (type->kind == TYPE_array)
      return become_constant(c, node,
                             node_int(c->unit, node->span, c->types->type_u64, type->count));
    return node->type = c->types->type_u64;
  }
  if (type->kind == TYPE_range && range_method(node)) return node->type = c->types->function;
  Span name = {node->span.hi - (uint32_t)node->name->len, node->span.hi};
  diag_at(&c->diag, DIAG_no_member, name, type_text(type), node->name->text);
  suggest_members(c, type, node->name, name);
  return poison(c, node);
}
