/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* bits.c - types sizeof, alignof, bit_cast, __any and __zero.
 *
 * needs   names resolved; arguments checked
 * gives   sizeof and alignof as integer literals; bit_cast as a call, or as a constant. In the
 *         library, bit_cast takes data of any two sizes; missing bytes are 0
 * keeps   everything else
 * fails   with DIAG_bit_cast, DIAG_bad_operand
 */
#include "check/check_private.h"
#include "front/builtin.h"

Type *check_size(Session *c, Node *node, const Builtin *form, const Type *type)
{
  if (type == c->types->poison) return poison(c, node);
  if (!type->is_data)
    return poison_at(c, node, DIAG_bad_operand, node->span, form->name, type_text(type));
  uint64_t bytes = form->form == FORM_sizeof ? type_bytes(type) : type->align;
  node_become(node, node_int(c->unit, node->span, c->types->int_literal, bytes));
  return node->type;
}

/* The bits of a number or of a vector of numbers; 0: neither. */
static uint32_t bits_of(Type *type)
{
  Type *scalar = type_scalar_of(type);
  if (!type_is_int(scalar) && !type_is_float(scalar)) return 0;
  return scalar->bits * (type->kind == TYPE_vector ? type->count : 1);
}

Type *check_bit_cast(Session *c, Node *call)
{
  Type *to = check_type(c, call->a->b);
  uint32_t given = node_count(call->b);
  if (to == c->types->poison) return call->type = to;
  if (given != 1)
    return poison_at(c, call, DIAG_argument_count, call->span, "bit_cast", "1 argument", given);
  if (type_is_literal(call->b->type) && bits_of(to) == 64)
    convert_explicitly(c, &call->b,
                       call->b->kind == NODE_int ? c->types->type_i64 : c->types->type_f64);
  convert_default(c, &call->b);
  Type *from = call->b->type;
  if (from == c->types->poison) return call->type = from;
  bool is_bits = bits_of(from) && bits_of(from) == bits_of(to);
  bool in_library = c->check->function && c->check->function->flags & FLAG_library;
  if (!is_bits && !(in_library && from->is_data && to->is_data))
    return poison_at(c, call, DIAG_bit_cast, call->span, type_text(from), type_text(to));
  call->a->type = c->types->function;
  call->a->a->type = c->types->function;
  call->builtin = builtin_form(FORM_bit_cast);
  call->decl = NULL;
  call->type = to;
  if (is_bits && fold_is_constant(call->b) && type_is_scalar(to)) fold_bit_cast(call, call->b);
  return to;
}

/* __any(x) has the type of x and an unspecified value; x is not evaluated. */
Type *check_any(Session *c, Node *call)
{
  convert_default(c, &call->b);
  Type *type = call->b->type;
  if (type == c->types->poison) return call->type = type;
  if (!type->is_data)
    return poison_at(c, call, DIAG_bad_operand, call->span, call->builtin->name, type_text(type));
  return call->type = type;
}

/* __zero(x) is the zero of x's type: bit_cast<T>(0u8). */
Type *check_zero(Session *c, Node *call)
{
  Type *type = check_any(c, call);
  if (type == c->types->poison) return type;
  call->b = node_int(c->unit, call->span, c->types->type_u8, 0);
  call->builtin = builtin_form(FORM_bit_cast);
  return call->type = type;
}
