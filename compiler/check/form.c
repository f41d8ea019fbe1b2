/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* form.c - types calls of builtins: intrinsics, and forms such as print, assert, sizeof, bit_cast.
 *
 * needs   names resolved; arguments checked
 * gives   call->type. Constants: sizeof, alignof, what the target or the launch decides, and the
 *         bit_cast of a constant. All others stay calls of the builtin. In the library, bit_cast
 *         takes data of any two sizes; missing bytes are 0
 * keeps   everything else
 * fails   with DIAG_argument_count, DIAG_bad_operand, DIAG_bit_cast, DIAG_print_format, ...
 *
 * An intrinsic has a signature in builtin.def: a letter for the result and for each argument, and
 * its effect, which the calling function gets too. A form has arguments that no signature can say,
 * so each is checked by a function here.
 */
#include "check/check_private.h"
#include "front/builtin.h"
#include "front/target.h"

#include <stdlib.h>
#include <string.h>

/* Does the lambda apply the operator, as |a, b| a + b does? An operator as an argument is such a
 * lambda. */
static bool applies_operator(const Node *lambda, Op op)
{
  if (lambda->kind != NODE_lambda || node_count(lambda->a) != 2) return false;
  const Node *first = lambda->a, *second = first->next, *body = lambda->b;
  return !first->a && !second->a && body->kind == NODE_binary && body->op == op &&
         body->a->kind == NODE_name && body->a->decl == first && body->b->kind == NODE_name &&
         body->b->decl == second;
}

/* The index of the function among warp.ck's OPs on numbers of the type, or 6 if it is none of
 * them. */
static uint32_t operator_of(const Type *type, const Type *function)
{
  enum { SUM, MIN, MAX, NONE = 6 };
  static const Op operators[] = {OP_add, OP_none, OP_none, OP_and, OP_or, OP_xor};
  if (function->kind != TYPE_closure || !(type_is_int(type) || type_is_float(type))) return NONE;
  const Node *decl = function->decl;
  for (uint32_t i = 0; i < COUNT_OF(operators); ++i)
    if (operators[i] != OP_none && applies_operator(decl, operators[i])) return i;
  if (decl->kind != NODE_function || !(decl->flags & FLAG_library)) return NONE;
  return !strcmp(decl->name->text, "min") ? MIN : !strcmp(decl->name->text, "max") ? MAX : NONE;
}

static Type *become_bool(Session *c, Node *call, bool is_true)
{
  Node *value = node_new(c->unit, NODE_bool, call->span);
  value->type = c->types->type_bool;
  value->bits = is_true;
  node_become(call, value);
  return call->type;
}

Type *check_intrinsic(Session *c, Node *call, const Builtin *builtin)
{
  const char *letter = builtin->signature + 1;
  uint32_t count = (uint32_t)strlen(letter), given = node_count(call->b);
  if (given != count)
    return poison_at(c, call, DIAG_argument_count, call->span, builtin->name, count_text(c, count),
                     given);
  Type *any = NULL; /* the type of the argument with the letter `t` */
  for (Node **slot = &call->b; *slot; slot = &(*slot)->next, ++letter) {
    if (*letter != 't') {
      convert_to(c, slot, builtin_type(c->types, *letter));
      continue;
    }
    convert_default(c, slot);
    any = (*slot)->type;
  }
  if (!strcmp(builtin->name, "__sm")) {
    node_become(call, node_int(c->unit, call->span, c->types->type_u32, c->target->lib_sm));
    return call->type;
  }
  if (!strcmp(builtin->name, "__shared_most")) {
    node_become(call, node_int(c->unit, call->span, c->types->type_u32, c->target->shared_most));
    return call->type;
  }
  if (!strcmp(builtin->name, "__operator")) {
    uint32_t which = operator_of(call->b->type, call->b->next->type);
    node_become(call, node_int(c->unit, call->span, c->types->type_u32, which));
    return call->type;
  }
  if (!strcmp(builtin->name, "__order")) {
    uint32_t which = order_of(c, call->b->type);
    node_become(call, node_int(c->unit, call->span, c->types->type_u32, which));
    return call->type;
  }
  if (!strcmp(builtin->name, "__is_host")) return become_bool(c, call, c->target->is_host);
  if (!strcmp(builtin->name, "__is_chip")) return become_bool(c, call, c->target->suffix != 0);
  if (!strcmp(builtin->name, "__is_quick")) {
    c->has_asked_quick = true;
    return become_bool(c, call, c->is_quick);
  }
  if (!strcmp(builtin->name, "__is_checked"))
    return become_bool(c, call, c->options.flags & CK_COMPILE_CHECK);
  if (!strcmp(builtin->name, "__together")) c->check->function->flags |= FLAG_together;
  if (builtin->effect == EFFECT_GRID) effects_add(c, FLAG_waits | FLAG_grid);
  if (builtin->effect == EFFECT_WAIT || builtin->effect == EFFECT_BLOCK) effects_add(c, FLAG_waits);
  if (builtin->effect == EFFECT_AHEAD) effects_add(c, FLAG_dependent);
  if (builtin->effect == EFFECT_STEP) effects_add(c, FLAG_scratch);
  if (builtin->effect == EFFECT_SHAPE) {
    effects_add(c, FLAG_shaped);
    uint32_t extent = shape_extent(c, builtin);
    if (extent) {
      node_become(call, node_int(c->unit, call->span, c->types->type_u32, extent));
      return call->type;
    }
  }
  return call->type =
             *builtin->signature == 't' && any ? any : builtin_type(c->types, *builtin->signature);
}

/* ---- sizeof, alignof, bit_cast, __any, __zero ---- */

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
  if (call->a->b->next)
    return poison_at(c, call, DIAG_argument_count, call->span, "bit_cast", "1 type in <>",
                     node_count(call->a->b));
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
static Type *check_any(Session *c, Node *call)
{
  convert_default(c, &call->b);
  Type *type = call->b->type;
  if (type == c->types->poison) return call->type = type;
  if (!type->is_data)
    return poison_at(c, call, DIAG_bad_operand, call->span, call->builtin->name, type_text(type));
  return call->type = type;
}

/* __zero(x) is the zero of x's type: bit_cast<T>(0u8). */
static Type *check_zero(Session *c, Node *call)
{
  Type *type = check_any(c, call);
  if (type == c->types->poison) return type;
  call->b = node_int(c->unit, call->span, c->types->type_u8, 0);
  call->builtin = builtin_form(FORM_bit_cast);
  return call->type = type;
}

/* ---- print and assert ---- */

static bool is_text(Session *c, const Node *arg, const char *form)
{
  if (arg->kind == NODE_string && memchr(arg->text, 0, arg->text_bytes))
    return diag_at(&c->diag, DIAG_text_end, arg->span, form);
  if (arg->kind == NODE_string) return true;
  diag_at(&c->diag, DIAG_not_string, arg->span, form);
  if (!strcmp(form, "print")) diag_fix(&c->diag, (Span){arg->span.lo, arg->span.lo}, "\"{}\", ");
  return false;
}

/* Is the text, such as "x", ".3" or "08.2", a format for values of the type? */
static bool fits_conversion(const char *text, size_t len, const Type *type)
{
  size_t i = 0;
  while (i < len && text[i] >= '0' && text[i] <= '9') ++i;
  if (i > 4) return false;
  if (i < len && text[i] == '.') {
    size_t digits = ++i;
    while (i < len && text[i] >= '0' && text[i] <= '9') ++i;
    if (i == digits || i > digits + 2 || !type_is_float(type)) return false;
  }
  if (i == len) return true;
  if (i + 1 != len) return false;
  return type_is_float(type) ? strchr("efg", text[i]) != NULL
                             : type_is_int(type) && strchr("xd", text[i]) != NULL;
}

/* The same for each scalar in the type. */
static bool fits_all(const char *text, size_t len, const Type *type)
{
  if (type->kind == TYPE_pointer) return len == 0;
  if (!type_is_record(type))
    return type->kind == TYPE_array || type->kind == TYPE_vector
               ? fits_all(text, len, type->element)
               : fits_conversion(text, len, type);
  for (uint32_t i = 0; i < type->count; ++i)
    if (!fits_all(text, len, type->elements[i])) return false;
  return true;
}

/* The number of scalars in a value of the type; 0: it can't be printed. */
static uint64_t printed_scalars(const Type *type)
{
  if (type_is_scalar(type) || type->kind == TYPE_pointer) return 1;
  if (type->kind == TYPE_array || type->kind == TYPE_vector)
    return type->count * printed_scalars(type->element);
  if (!type_is_record(type)) return 0;
  uint64_t count = 0;
  for (uint32_t i = 0; i < type->count; ++i) {
    uint64_t part = printed_scalars(type->elements[i]);
    if (!part) return 0;
    count += part;
  }
  return count;
}

static void check_printed(Session *c, Node *call)
{
  uint64_t count = 0;
  for (Node **slot = &call->b->next; *slot; slot = &(*slot)->next) {
    convert_default(c, slot);
    Type *type = (*slot)->type;
    uint64_t scalars = type == c->types->poison ? 1 : printed_scalars(type);
    count += scalars;
    if (scalars) continue;
    diag_at(&c->diag, DIAG_bad_operand, (*slot)->span, "print", type_text(type));
    (*slot)->type = c->types->poison;
  }
  if (count <= PRINTED_MAX) return;
  diag_at(&c->diag, DIAG_print_count, call->span, (unsigned)PRINTED_MAX, (unsigned long long)count);
}

static bool check_format(Session *c, Node *call)
{
  const Node *format = call->b;
  const Node *value = format->next;
  uint32_t count = 0, values = node_count(value);
  for (const char *p = format->text, *end = p + format->text_bytes; p < end; ++p) {
    if ((*p == '{' || *p == '}') && p + 1 < end && p[1] == *p) {
      ++p;
      continue;
    }
    if (*p != '{') continue;
    const char *close = memchr(p, '}', (size_t)(end - p));
    const char *text = p + 1;
    size_t len = close ? (size_t)(close - text) : 0;
    bool is_empty = close && len == 0, is_colon = close && len && *text == ':';
    if (value && value->type != c->types->poison &&
        (!close || !(is_empty || (is_colon && fits_all(text + 1, len - 1, value->type))))) {
      diag_at(&c->diag, DIAG_print_conversion, format->span,
              arena_strndup(&c->scratch, p, close ? len + 2 : 1), type_text(value->type));
      diag_hint(&c->diag, "Write {}, {:8} for a width, {:x} for an integer, {:.3} or {:e} for a "
                          "float; {{ is a brace.");
      return false;
    }
    ++count;
    if (value) value = value->next;
    if (!close) break;
    p = close;
  }
  if (count == values) return true;
  diag_at(&c->diag, DIAG_print_format, format->span, count, values);
  if (count < values && memchr(format->text, '%', format->text_bytes))
    diag_hint(&c->diag, "{} stands for a value of any type.");
  return false;
}

/* ---- all forms ---- */

/* address(place). The pointer is one to shared memory if the place is known to lie there. */
static Type *check_address(Session *c, Node *call)
{
  const Node *place = call->b, *root = place_root(place);
  Space space = root && root->kind == NODE_shared ? SPACE_shared : SPACE_any;
  bool is_memory = root && (root->kind == NODE_var || root->kind == NODE_shared);
  for (const Node *part = place; part->kind == NODE_index || part->kind == NODE_member;
       part = part->a) {
    const Type *type = part->a->type;
    if (type->kind != TYPE_span && type->kind != TYPE_pointer) continue;
    is_memory = true;
    space = type->kind == TYPE_pointer ? (Space)type->space : SPACE_any;
    break;
  }
  if (place->type == c->types->poison) return poison(c, call);
  const Node *param = place->kind == NODE_name ? place->decl : NULL;
  if (param && param->kind == NODE_param && param->type->kind == TYPE_place)
    return call->type = type_pointer(c->types, param->type->element, (Space)param->type->space);
  if (is_memory && place->type->kind != TYPE_span)
    return call->type = type_pointer(c->types, place->type, space);
  diag_at(&c->diag, DIAG_no_address, place->span);
  diag_hint(&c->diag, "A 'var', a 'shared' and an element of a span have one.");
  return poison(c, call);
}

/* __below(i, n) and __some(n) are their first argument; a checked build also tests it. Other builds
 * drop the test, and so does an iterator without an end, which has no number of elements. */
static Type *check_tested(Session *c, Node *call)
{
  Node *value = call->b;
  bool is_tested =
      c->options.flags & CK_COMPILE_CHECK && (!value->next || type_is_int(value->next->type));
  if (!is_tested) value->next = NULL;
  if (is_tested || value->kind != NODE_name) return call->type = value->type;
  node_become(call, value);
  return call->type;
}

/* Does the form take so many arguments? Its row says "2", "1 or 2" or "1 to 64". */
static bool takes_count(const Builtin *builtin, uint32_t given)
{
  char *end;
  unsigned long least = strtoul(builtin->arguments, &end, 10);
  unsigned long most = *end ? strtoul(end + strlen(" to "), NULL, 10) : least;
  return given >= least && given <= most;
}

Type *check_form(Session *c, Node *call, const Builtin *builtin)
{
  uint32_t given = node_count(call->b);
  if (builtin->form == FORM_tune) {
    diag_at(&c->diag, DIAG_tune_place, call->span);
    diag_hint(&c->diag, "Declare const ITEMS: u32 = tune(4, 8, 16); outside of functions.");
    return poison(c, call);
  }
  if (builtin->form == FORM_inf || builtin->form == FORM_nan || builtin->form == FORM_range ||
      builtin->form == FORM_ptr || builtin->form == FORM_vec || builtin->form == FORM_element_of ||
      builtin->form == FORM__place || builtin->form == FORM_resident) {
    diag_at(&c->diag, DIAG_not_callable, call->span, builtin->name);
    if (builtin->form == FORM_inf || builtin->form == FORM_nan)
      diag_hint(&c->diag, "It is a value: write %s, or %s<f64>.", builtin->name, builtin->name);
    return poison(c, call);
  }
  if (builtin->form == FORM_bit_cast) { /* with a type it is check_bit_cast's */
    diag_at(&c->diag, DIAG_no_inference, call->span, "T", builtin->name);
    diag_hint(&c->diag, "The type stands in <>: bit_cast<u32>(x).");
    return poison(c, call);
  }
  if (!takes_count(builtin, given))
    return poison_at(c, call, DIAG_argument_count, call->span, builtin->name,
                     arena_printf(&c->scratch, "%s arguments", builtin->arguments), given);
  if (builtin->form == FORM__memory) return check_memory(c, call);
  call->type = c->types->none;
  switch (builtin->form) {
  case FORM_address: return check_address(c, call);
  case FORM__zero: return check_zero(c, call);
  case FORM__any: return check_any(c, call);
  case FORM__sort_key: return order_key_call(c, call);
  case FORM__below:
  case FORM__some: return check_tested(c, call);
  case FORM__shares:
  case FORM__shares_none: return call->type = c->types->type_bool;
  case FORM_sizeof:
  case FORM_alignof:
    convert_default(c, &call->b);
    return check_size(c, call, builtin, call->b->type);
  case FORM_assert:
    check_condition(c, &call->b);
    if (call->b->next) is_text(c, call->b->next, "assert");
    break;
  case FORM__stores:
  case FORM__fits: {
    Node **slot = builtin->form == FORM__fits ? &call->b : &call->b->next;
    for (unsigned i = 0; i < 2; ++i, slot = &(*slot)->next) convert_to(c, slot, c->types->type_u64);
    is_text(c, *slot, builtin->name);
    break;
  }
  case FORM_print:
    if (!is_text(c, call->b, "print")) break;
    check_printed(c, call);
    check_format(c, call);
    break;
  default: break;
  }
  return call->type;
}
