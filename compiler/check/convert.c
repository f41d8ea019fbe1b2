/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* convert.c - decides what converts to what.
 *
 * from                    to                          how
 * a number literal        a number type that holds    implicitly
 *                         its value
 * a range of literals     a range of such a type      implicitly
 * a scalar                a wider one of its kind:    implicitly
 *                         u32 to u64, f32 to f64
 * an array                a span of its elements      implicitly
 * an `inout` span         an `in` or `out` span       implicitly
 * a pointer to one        a pointer to any            implicitly
 * address space           (generic) space
 * any scalar              any scalar                  T(value)
 * an enumeration          an integer, and back        T(value)
 * a u64                   a pointer, and back         T(value)
 * a pointer               one of another type         T(value)
 * a scalar or vector of   a scalar or vector of       T(value, round = up)
 * numbers                 numbers, one side floats
 * anything else                                       never
 *
 * Signed and unsigned never convert to each other implicitly. T(value) between integers keeps the
 * lower bits (it wraps). A float to an integer saturates, and NaN gives 0. Anything to bool is a
 * comparison with 0. A conversion becomes a NODE_convert, a conversion of a constant the converted
 * constant, so that gen sees each one; it must never convert a value on its own.
 */
#include "check/check_private.h"

#include <string.h>

/* Two vectors of one count, or a scalar that becomes all components. */
static bool is_vector_pair(const Type *from, const Type *to)
{
  return to->kind == TYPE_vector && (from->kind != TYPE_vector || from->count == to->count);
}

/* `round` is 0 for the default mode, otherwise 1 plus the index of the mode in memory.def. */
static Node *wrap_rounded(Session *c, Node *value, Type *to, uint64_t round)
{
  if (fold_convert(c, value, to, round)) return value;
  Node *node = node_new(c->unit, NODE_convert, value->span);
  node->a = value;
  node->type = to;
  node->bits = round;
  node->next = value->next;
  value->next = NULL;
  return node;
}

static Node *wrap_convert(Session *c, Node *value, Type *to)
{
  return wrap_rounded(c, value, to, 0);
}

/* lo..hi of literals, as a range of `element`. */
static bool is_literal_range(const Node *value)
{
  const Type *type = value->type;
  return value->kind == NODE_range && type->kind == TYPE_range && type_is_literal(type->element);
}

static bool range_fits(Session *c, const Node *range, const Type *element)
{
  const Node *parts[] = {range->a, range->b, range->c};
  for (unsigned i = 0; i < COUNT_OF(parts); ++i)
    if (parts[i] && !convert_is_implicit(c, parts[i], element)) return false;
  return true;
}

static void range_to(Session *c, Node *range, Type *element)
{
  Node **parts[] = {&range->a, &range->b, &range->c};
  bool is_good = true;
  for (unsigned i = 0; i < COUNT_OF(parts); ++i)
    if (*parts[i]) is_good &= convert_to(c, parts[i], element);
  range->type = is_good ? type_range(c->types, element, range->type->rank) : c->types->poison;
}

bool convert_is_implicit(Session *c, const Node *value, const Type *to)
{
  const Type *from = value->type;
  if (from == to || from == c->types->poison || to == c->types->poison) return true;
  if (to->kind == TYPE_place) return from == to->element;
  if (type_is_literal(from)) {
    if (!type_is_int(to) && !type_is_float(to)) return false;
    return fold_is_constant(value) && scalar_fits(value, to);
  }
  if (is_literal_range(value) && to->kind == TYPE_range)
    return from->rank == to->rank && range_fits(c, value, to->element);
  if (from->kind == TYPE_span && to->kind == TYPE_span)
    return from->element == to->element && from->rank == to->rank &&
           (from->access == OP_inout || from->access == to->access);
  if (from->kind == TYPE_array && to->kind == TYPE_span) {
    for (unsigned i = 0; from && i < to->rank; ++i)
      from = from->kind == TYPE_array ? from->element : NULL;
    return from == to->element;
  }
  if (from->kind == TYPE_pointer && to->kind == TYPE_pointer)
    return from->element == to->element && to->space == SPACE_any;
  if (from->kind == TYPE_vector && is_vector_pair(from, to))
    return type_widens(from->element, to->element);
  return type_widens(from, to);
}

const char *short_text(Session *c, const Node *node)
{
  enum { SHORT_MAX = 32 };
  size_t len = node->span.hi - node->span.lo;
  const char *text = source_text(&c->sources, node->span);
  if (!len || len > SHORT_MAX || memchr(text, '\n', len)) return "...";
  return arena_strndup(&c->scratch, text, len);
}

/* Hints that the conversion has to be written, and what it does to a value that doesn't fit. */
static void hint_conversion(Session *c, const Node *value, const Type *to)
{
  const Type *from = value->type;
  const char *text = arena_printf(&c->scratch, "%s(%s)", type_text(to), short_text(c, value));
  if (type_is_float(from) && type_is_int(to))
    diag_hint(&c->diag, "%s converts it, and drops the fraction.", text);
  else if (type_is_float(from) && type_is_float(to) && from->bits > to->bits)
    diag_hint(&c->diag, "%s converts it, and rounds.", text);
  else if (type_is_int(from) && type_is_int(to) && from->bits > to->bits)
    diag_hint(&c->diag, "%s converts it, and keeps the lower %u bits.", text, (unsigned)to->bits);
  else if (type_is_int(from) && type_is_int(to) && type_is_signed(from) && !type_is_signed(to))
    diag_hint(&c->diag, "%s converts it; below zero 2^%u is added.", text, (unsigned)to->bits);
  else if (type_is_int(from) && type_is_int(to) && from->bits == to->bits)
    diag_hint(&c->diag, "%s converts it; from 2^%u on, 2^%u is subtracted.", text,
              (unsigned)to->bits - 1, (unsigned)to->bits);
  else diag_hint(&c->diag, "Write %s to convert it.", text);
}

const Node *literal_variable(const Node *place)
{
  while (place->kind == NODE_index || place->kind == NODE_member) place = place->a;
  const Node *decl = place->kind == NODE_name ? place->decl : NULL;
  if (!decl || decl->kind != NODE_var || decl->a || !decl->b) return NULL;
  const Node *value = decl->b;
  while (value->kind == NODE_list || value->kind == NODE_tuple) value = value->a;
  while (value->kind == NODE_convert) value = value->a;
  bool is_integer =
      type_is_int(type_scalar_of(value->type)) || value->type->kind == TYPE_int_literal;
  return is_integer && fold_is_constant(value) ? decl : NULL;
}

bool hint_variable(Session *c, const Node *place, const Type *wanted)
{
  const Node *decl = literal_variable(place);
  if (!decl || !type_is_float(wanted)) return false;
  bool is_single = decl->b->kind == NODE_int;
  const char *suffix = wanted->kind == TYPE_f32 ? "" : type_text(wanted);
  diag_note(&c->diag, DIAG_declared_here, decl->span, decl->name->text);
  if (is_single)
    diag_hint(&c->diag, "Write var %s = %s.0%s to have an %s.", decl->name->text,
              scalar_text(c, decl->b), suffix, type_text(wanted));
  else
    diag_hint(&c->diag, "Where '%s' is declared, 0 is an i32, 0.0%s an %s.", decl->name->text,
              suffix, type_text(wanted));
  return true;
}

void hint_one_side(Session *c, const Node *left, const Node *right)
{
  const Type *a = left->type, *b = right->type;
  if (!type_is_scalar(a) || !type_is_scalar(b) || type_is_enum(a) || type_is_enum(b)) return;
  if (a->kind == TYPE_bool || b->kind == TYPE_bool) return;
  /* the left side's type is kept */
  bool is_left = type_is_float(a) || (!type_is_float(b) && a->bits > b->bits);
  const Node *other = is_left ? right : left;
  const Type *to = is_left ? a : b;
  if (hint_variable(c, other, to)) return;
  if (a->bits == b->bits && !type_is_float(a) && !type_is_float(b))
    diag_hint(&c->diag, "Convert one side: %s(%s) or %s(%s).", type_text(a), short_text(c, right),
              type_text(b), short_text(c, left));
  else diag_hint(&c->diag, "Write %s(%s) to convert it.", type_text(to), short_text(c, other));
}

bool convert_to(Session *c, Node **slot, Type *to)
{
  Node *value = *slot;
  Type *from = value->type;
  if (from == to || from == c->types->poison || to == c->types->poison) return true;
  if (to->kind == TYPE_place) return place_convert(c, slot, to);
  if (is_literal_range(value) && to->kind == TYPE_range && from->rank == to->rank) {
    range_to(c, value, to->element);
    return value->type == to;
  }
  if (convert_is_implicit(c, value, to)) {
    if (type_is_literal(from)) warn_underflow(c, value, to);
    *slot = wrap_convert(c, value, to);
    return true;
  }
  if (type_is_literal(from) && (type_is_int(to) || type_is_float(to))) {
    diag_at(&c->diag, DIAG_constant_range, value->span, scalar_text(c, value), type_text(to));
    if (value->kind == NODE_float && type_is_int(to))
      diag_hint(&c->diag, "%s '%s' has no fraction.", type_is_signed(to) ? "An" : "A",
                type_text(to));
    else if (value->kind == NODE_int && value->flags & FLAG_negative && !type_is_signed(to))
      diag_hint(&c->diag, "'%s' has no negative values; ~0%s has all bits set.", type_text(to),
                type_text(to));
  } else {
    diag_at(&c->diag, DIAG_type_mismatch, value->span, type_text(from), type_text(to));
    if (type_is_enum(to) && type_is_literal(from))
      diag_hint(&c->diag, "Its values have names: %s.%s.", type_text(to), to->decl->b->name->text);
    else if (type_is_scalar(from) && to->kind == TYPE_bool)
      diag_hint(&c->diag, "Compare it: != 0.");
    else if (type_is_scalar(from) && type_is_scalar(to) && !type_is_enum(to))
      hint_conversion(c, value, to);
    else if (from->kind == TYPE_span && type_is_scalar(to) && from->element == to)
      diag_hint(&c->diag, "An element is %s[i].", short_text(c, value));
    else if (from->kind == TYPE_span && to->kind == TYPE_span && from->access != to->access &&
             from->element == to->element && value->name)
      diag_hint(&c->diag, "'%s' is declared '%s'; 'inout' allows both.", value->name->text,
                op_text(from->access));
    else if (from->kind == TYPE_closure && to->kind == TYPE_closure)
      diag_hint(&c->diag,
                "Each lambda has a type of its own: 'if' or 'switch' chooses which is called.");
    else if ((from->kind == TYPE_closure || from->kind == TYPE_function) && value->name)
      diag_hint(&c->diag, "Call it: %s(...).", value->name->text);
  }
  value->type = c->types->poison;
  return false;
}

bool convert_explicitly(Session *c, Node **slot, Type *to)
{
  Type *from = (*slot)->type;
  if (from == c->types->poison || from == to) return true;
  if (is_vector_pair(from, to)) {
    if (from->kind != TYPE_vector && !convert_explicitly(c, slot, to->element)) return false;
    *slot = wrap_convert(c, *slot, to);
    return true;
  }
  if (to->kind == TYPE_pointer) {
    if (type_is_literal(from) && !convert_to(c, slot, c->types->type_u64)) return true;
    if ((*slot)->type->kind != TYPE_u64 && from->kind != TYPE_pointer) return false;
    if (from->kind == TYPE_pointer && !check_spaces(c, *slot, (Space)from->space, (Space)to->space))
      (*slot)->type = c->types->poison;
    else *slot = wrap_convert(c, *slot, to);
    return true;
  }
  if (from->kind == TYPE_pointer && to->kind == TYPE_u64) {
    *slot = wrap_convert(c, *slot, to);
    return true;
  }
  if (!type_is_scalar(to) || (!type_is_scalar(from) && !type_is_literal(from))) return false;
  if (type_is_enum(to) && !type_is_int(from) && from->kind != TYPE_int_literal) return false;
  if (type_is_enum(from) && !type_is_int(to)) return false;
  if (type_is_enum(to) && type_is_literal(from) && !scalar_fits(*slot, to->element))
    return convert_to(c, slot, to->element); /* to report the range */
  if (type_is_literal(from)) warn_conversion(c, *slot, to);
  *slot = wrap_convert(c, *slot, to);
  return true;
}

bool convert_rounded(Session *c, Node **slot, Type *to, uint64_t word)
{
  Type *from = (*slot)->type, *scalar = type_scalar_of(from), *wanted = type_scalar_of(to);
  bool is_float =
      type_is_float(wanted) || type_is_float(scalar) || scalar->kind == TYPE_float_literal;
  if (from == c->types->poison) return true;
  if (!is_float || !type_is_number(scalar) || !type_is_number(wanted))
    return diag_at(&c->diag, DIAG_round_none, (*slot)->span, type_text(from), type_text(to));
  /* convert_explicitly() reports it */
  if (from->kind == TYPE_vector && !is_vector_pair(from, to)) return true;
  *slot = wrap_rounded(c, *slot, from->kind == TYPE_vector ? to : wanted, word + 1);
  return true;
}

void convert_default(Session *c, Node **slot)
{
  Type *type = (*slot)->type;
  if (type->kind == TYPE_int_literal) {
    if (scalar_fits(*slot, c->types->type_i32)) {
      convert_to(c, slot, c->types->type_i32);
    } else {
      diag_at(&c->diag, DIAG_constant_range, (*slot)->span, scalar_text(c, *slot), "i32");
      diag_hint(&c->diag, "An integer without a type is an i32: write %si64 or %su64.",
                scalar_text(c, *slot), scalar_text(c, *slot));
      (*slot)->type = c->types->poison;
    }
  } else if (type->kind == TYPE_float_literal) {
    convert_to(c, slot, c->types->type_f32);
  } else if (is_literal_range(*slot)) {
    range_to(c, *slot, c->types->type_i32);
  }
}

Type *convert_common(Session *c, Node **left, Node **right)
{
  Type *a = (*left)->type, *b = (*right)->type;
  if (a == b) return a;
  if (a == c->types->poison || b == c->types->poison) return c->types->poison;
  if ((a->kind == TYPE_vector) != (b->kind == TYPE_vector)) { /* 2 * v */
    Node **scalar = a->kind == TYPE_vector ? right : left;
    Type *vector = a->kind == TYPE_vector ? a : b;
    if (!type_is_element((*scalar)->type) && !type_is_literal((*scalar)->type)) return NULL;
    if (!type_is_literal((*scalar)->type) && !type_widens((*scalar)->type, vector->element))
      return NULL;
    if (!convert_to(c, scalar, vector->element)) return c->types->poison;
    convert_explicitly(c, scalar, vector);
    return vector;
  }
  if (a->kind == TYPE_vector) {
    if (convert_is_implicit(c, *left, b)) return convert_to(c, left, b), b;
    return convert_is_implicit(c, *right, a) ? (convert_to(c, right, a), a) : NULL;
  }
  if (type_is_literal(a) && type_is_literal(b)) { /* 1 + 0.5 */
    Node **integer = a->kind == TYPE_int_literal ? left : right;
    Node *value = *integer;
    double magnitude = (double)value->bits;
    bool is_negative = value->flags & FLAG_negative;
    value->kind = NODE_float;
    value->flags = 0;
    value->real = is_negative ? -magnitude : magnitude;
    value->type = c->types->float_literal;
    return c->types->float_literal;
  }
  if (type_is_literal(a) || type_is_literal(b)) {
    Node **literal = type_is_literal(a) ? left : right;
    Type *type = type_is_literal(a) ? b : a;
    if (!type_is_int(type) && !type_is_float(type)) return NULL;
    if ((*literal)->kind == NODE_float && type_is_int(type)) {
      const Node *other = literal == left ? *right : *left;
      diag_at(&c->diag, DIAG_constant_range, (*literal)->span, scalar_text(c, *literal),
              type_text(type));
      if (!hint_variable(c, other, c->types->type_f32))
        diag_hint(&c->diag, "Write f32(%s) to calculate with floats.", short_text(c, other));
      return c->types->poison;
    }
    return convert_to(c, literal, type) ? type : c->types->poison;
  }
  if (type_widens(a, b)) return convert_to(c, left, b), b;
  if (type_widens(b, a)) return convert_to(c, right, a), a;
  return NULL;
}
