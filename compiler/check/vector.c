/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* vector.c - checks vectors: types, construction, components, shifts, loads and stores.
 *
 * needs   names resolved; arguments and operands with their types
 * gives   node->type; NODE_each where a function of scalars is called with vectors
 * keeps   everything else
 * fails   with DIAG_vector_count, DIAG_vector_parts, DIAG_swizzle_repeat, ...
 *
 *     exp(v)      v: f32x4; exp takes an f32: NODE_each, exp(component) for each component of v
 */
#include "check/check_private.h"
#include "front/builtin.h"

#include <string.h>

static Type *bad_count(Session *c, const Node *node, uint64_t count)
{
  diag_at(&c->diag, DIAG_vector_count, node->span, (unsigned long long)count,
          count == 1 ? "" : "s");
  diag_hint(&c->diag, "A vector has 2, 3, 4, 8 or 16; one that is loaded or stored has not 3.");
  return c->types->poison;
}

Type *check_vector_type(Session *c, Node *node)
{
  Type *element = check_type(c, node->b);
  uint64_t count;
  if (element == c->types->poison) return element;
  if (!node->b->next || node->b->next->next || !type_is_scalar(element) || type_is_enum(element))
    return poison_at(c, NULL, DIAG_unknown_type, node->span,
                     arena_strndup(&c->scratch, source_text(&c->sources, node->span),
                                   node->span.hi - node->span.lo));
  if (!check_uint_constant(c, node->b->next, &count)) return c->types->poison;
  Type *type = type_vector(c->types, element, count);
  return type ? type : bad_count(c, node->b->next, count);
}

/* ---- f32x4(...) ---- */

static Type *mismatch(Session *c, Node *call, const Type *from, const Type *to)
{
  return poison_at(c, call, DIAG_type_mismatch, call->span, type_text(from), type_text(to));
}

static Type *convert_one(Session *c, Node *call, Type *to)
{
  const Type *from = call->b->type;
  bool is_good = type_is_element(from) || type_is_literal(from);
  if (!is_good || !convert_explicitly(c, &call->b, to)) return mismatch(c, call, from, to);
  Span span = call->span;
  node_become(call, call->b);
  call->span = span;
  return call->type = to;
}

Type *check_vector_call(Session *c, Node *call, Type *to)
{
  uint32_t given = 0;
  for (const Node *arg = call->b; arg; arg = arg->next) {
    if (arg->kind != NODE_argument) continue;
    return poison_at(c, call, DIAG_unknown_argument, arg->span, type_text(to), arg->name->text);
  }
  if (call->b && !call->b->next) return convert_one(c, call, to);
  for (Node **slot = &call->b; *slot; slot = &(*slot)->next) {
    Type *type = (*slot)->type;
    bool is_vector = type->kind == TYPE_vector;
    Type *wanted = is_vector ? type_vector(c->types, to->element, type->count) : to->element;
    if (!convert_to(c, slot, wanted)) return poison(c, call);
    given += is_vector ? type->count : 1;
  }
  if (given != to->count)
    return poison_at(c, call, DIAG_vector_parts, call->span, type_text(to), (unsigned)to->count,
                     given);
  call->builtin = builtin_form(FORM_vec);
  call->decl = NULL;
  return call->type = to;
}

/* ---- operators ---- */

/* Converts the count of a shift to a vector of as many components. */
static bool fit_count(Session *c, const Node *node, Node **slot, const Type *vector)
{
  Node *count = *slot;
  if (count->type->kind == TYPE_int_literal && !convert_to(c, slot, c->types->type_u32))
    return false;
  count = *slot;
  Type *type = count->type, *scalar = type_scalar_of(type);
  if (!type_is_int(scalar) || (type->kind == TYPE_vector && type->count != vector->count))
    return diag_at(&c->diag, DIAG_bad_operand, count->span, op_text(node->op), type_text(type));
  if (count->kind == NODE_int && count->bits >= vector->bits)
    return diag_at(&c->diag, DIAG_shift_count, count->span, scalar_text(c, count),
                   type_text(vector->element), (unsigned)vector->bits);
  if (type->kind != TYPE_vector)
    convert_explicitly(c, slot, type_vector(c->types, scalar, vector->count));
  return true;
}

Type *check_vector_shift(Session *c, Node *node)
{
  Type *type = node->a->type;
  if (type->kind != TYPE_vector || !type_is_int(type->element))
    return poison_at(c, node, DIAG_bad_operand, node->a->span, op_text(node->op), type_text(type));
  return fit_count(c, node, &node->b, type) ? node->type = type : poison(c, node);
}

void check_vector_assign(Session *c, Node *node)
{
  Type *type = node->a->type, *element = type->element;
  Op op = node->op;
  Type *value = check_value(c, node->b, element);
  if (value == c->types->poison) return;
  bool is_shift = op_takes(op) == TAKES_SHIFT;
  if (!op_takes_type(op, element))
    diag_at(&c->diag, DIAG_bad_operand, node->span, op_text(op), type_text(type));
  else if (is_shift) fit_count(c, node, &node->b, type);
  else if (value->kind == TYPE_vector) convert_to(c, &node->b, type);
  else if (convert_to(c, &node->b, element)) convert_explicitly(c, &node->b, type);
}

/* ---- components ---- */

static int component_of(char letter)
{
  const char *at = strchr("xyzw", letter);
  return letter && at ? (int)(at - "xyzw") : -1;
}

Type *check_swizzle(Session *c, Node *member)
{
  Type *vector = member->a->type;
  const char *text = member->name->text;
  size_t len = strlen(text);
  bool is_good = len <= 4;
  for (size_t i = 0; i < len && is_good; ++i) {
    int component = component_of(text[i]);
    is_good = component >= 0 && (uint32_t)component < vector->count;
  }
  if (!is_good) return poison_at(c, member, DIAG_no_member, member->span, type_text(vector), text);
  return member->type = len == 1 ? vector->element : type_vector(c->types, vector->element, len);
}

bool check_swizzle_place(Session *c, const Node *place)
{
  if (place->kind != NODE_member) return true;
  if (place->a->type->kind != TYPE_vector) return check_swizzle_place(c, place->a); /* a field */
  const char *text = place->name->text;
  for (const char *p = text; *p; ++p) {
    if (!strchr(p + 1, *p)) continue;
    return diag_at(&c->diag, DIAG_swizzle_repeat, place->span, *p, text);
  }
  return check_swizzle_place(c, place->a);
}

Type *check_vector_index(Session *c, Node *node)
{
  Type *type = node->a->type;
  const Node *index = node->b;
  if (!index || index->next)
    return poison_at(c, node, DIAG_index_count, node->span, type_text(type), 1u, node_count(index));
  if (index->kind == NODE_int && index->bits >= type->count)
    return poison_at(c, node, DIAG_index_range, index->span, scalar_text(c, index),
                     arena_printf(&c->scratch, "%u", type->count));
  return node->type = type->element;
}

/* ---- x.load<N>(i), x.store(i, v) ---- */

bool check_is_access(Session *c, Node *callee)
{
  bool is_load = callee->kind == NODE_instance;
  Node *member = is_load ? callee->a : callee;
  if (member->kind != NODE_member || strcmp(member->name->text, is_load ? "load" : "store") != 0)
    return false;
  Type *type = check_expr(c, member->a, NULL);
  return type->kind == TYPE_span || type->kind == TYPE_array;
}

/* Removes the last argument from the list and gives it. */
static Node *take_last(Node *call)
{
  Node **slot = &call->b;
  while (*slot && (*slot)->next) slot = &(*slot)->next;
  Node *last = *slot;
  *slot = NULL;
  return last;
}

static Type *check_access_of(Session *c, Node *call, Node *place, Node *value)
{
  Type *element = check_value(c, place, NULL);
  if (element == c->types->poison) return poison(c, call);
  uint64_t count = value ? value->type->count : 0;
  if (!value && !check_uint_constant(c, call->a->b, &count)) return poison(c, call);
  if (!type_is_scalar(element) || (value && value->type->kind != TYPE_vector))
    return poison_at(c, call, DIAG_bad_operand, call->span, value ? "store" : "load",
                     type_text(type_is_scalar(element) ? value->type : element));
  Type *vector = count == 3 ? NULL : type_vector(c->types, element, count);
  if (!vector) {
    bad_count(c, value ? value : call->a->b, count);
    return poison(c, call);
  }
  place->bits = count; /* for the bounds test of a checked build */
  if (!value) return call->type = vector;
  if (!check_place(c, place) || !convert_to(c, &value, vector)) return poison(c, call);
  place->next = value;
  return call->type = c->types->none;
}

/* Turns x.load<N>(i) or x.store(i, v) into a builtin whose first argument is the element x[i],
 * where the vector starts. */
Type *check_vector_access(Session *c, Node *call)
{
  bool is_load = call->a->kind == NODE_instance;
  Node *member = is_load ? call->a->a : call->a;
  Node *value = is_load ? NULL : take_last(call);
  if (!call->b)
    return poison_at(c, call, DIAG_argument_count, call->span, member->name->text,
                     is_load ? "an index" : "an index and a vector", value ? 1u : 0u);
  Node *place = node_new(c->unit, NODE_index, call->span);
  place->a = member->a;
  place->b = call->b;
  if (!is_load) place->flags |= FLAG_written;
  call->b = place;
  call->builtin = builtin_form(is_load ? FORM_vec_load : FORM_vec_store);
  call->decl = NULL;
  member->type = c->types->function;
  call->a->type = c->types->function;
  return check_access_of(c, call, place, value);
}

/* ---- functions of scalars, component by component ---- */

static Node **argument_slot(Node **slot)
{
  return (*slot)->kind == NODE_argument ? &(*slot)->a : slot;
}

static Type *vector_argument(const Node *call)
{
  Type *found = NULL;
  for (const Node *arg = call->b; arg; arg = arg->next) {
    Type *type = arg->kind == NODE_argument ? arg->a->type : arg->type;
    if (!type || type->kind != TYPE_vector) continue;
    if (found && found->count != type->count) return NULL;
    found = type;
  }
  return found;
}

bool check_is_each(const Node *call)
{
  return vector_argument(call) != NULL;
}

/* Replaces the value at *slot by a name for one of its components, and gives its declaration. */
static Node *bind_component(Session *c, Node **slot)
{
  Node *value = *slot, *let = node_new(c->unit, NODE_let, value->span);
  Node *name = node_new(c->unit, NODE_name, value->span);
  let->name = name->name = name_of(&c->names, "component", 9);
  let->type = name->type = type_scalar_of(value->type);
  let->b = value;
  name->decl = let;
  name->next = value->next;
  value->next = NULL;
  *slot = name;
  return let;
}

Type *check_each(Session *c, Node *call, Node *const *chains, unsigned count, Node *explicit_args,
                 Type *hint)
{
  Type *vector = vector_argument(call);
  Node *inner = node_new(c->unit, NODE_call, call->span), *lets = NULL, **end = &lets;
  inner->a = call->a;
  inner->b = call->b;
  for (Node **slot = &inner->b; *slot; slot = &(*slot)->next) {
    Node **value = argument_slot(slot);
    if (type_is_literal((*value)->type) || !type_is_element((*value)->type)) continue;
    *end = bind_component(c, value);
    end = &(*end)->next;
  }
  hint = hint ? type_scalar_of(hint) : NULL;
  Type *type = check_chosen(c, inner, chains, count, explicit_args, hint, true);
  if (type == c->types->poison) return poison(c, call);
  if (!type_is_scalar(type)) return mismatch(c, call, type, vector);
  call->kind = NODE_each;
  call->name = NULL;
  call->builtin = NULL;
  call->decl = NULL;
  call->a = inner;
  call->b = lets;
  return call->type = type_vector(c->types, type, vector->count);
}
