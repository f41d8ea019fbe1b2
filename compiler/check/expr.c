/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* expr.c - gives every expression a type, and makes conversions explicit.
 *
 * needs   names resolved (front/resolve.c)
 * gives   node->type on every expression; NODE_convert where a value changes its type; constants
 *         folded; a name of a constant replaced by the constant
 * keeps   spans
 * fails   with DIAG_type_mismatch, DIAG_bad_operand, ...; the node gets the type poison, which
 *         converts to and from everything, so that one mistake gives one message
 *
 * Types flow bottom up, with a `hint` top down: the type that the context expects. A literal keeps
 * the type "integer" or "number" until a typed value meets it: the other operand, the parameter,
 * the variable. If none does, it becomes i32 or f32 at the end of the statement.
 *
 *     let x: u64 = 1 << 40;     hint u64: the literals become u64
 *     y + 1                     y: f32, so 1 becomes 1.0f32
 */
#include "check/check_private.h"
#include "front/builtin.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

Type *poison_at(Session *c, Node *node, DiagId id, Span span, ...)
{
  va_list values;
  va_start(values, span);
  diag_at_list(&c->diag, id, span, values);
  va_end(values);
  return node ? poison(c, node) : c->types->poison;
}

Type *check_value(Session *c, Node *node, Type *hint)
{
  check_expr(c, node, hint);
  return check_is_value(c, node);
}

Type *check_is_value(Session *c, Node *node)
{
  Type *type = node->type;
  if (type->kind == TYPE_function && node->kind == NODE_name && node->decl->kind == NODE_function)
    return node->type = closure_of_function(c, node->decl);
  if (type->kind == TYPE_function || type->kind == TYPE_type || type->kind == TYPE_group ||
      type->kind == TYPE_module || type->kind == TYPE_string || type == c->types->none) {
    const char *what = node->name ? node->name->text : short_text(c, node);
    diag_at(&c->diag, DIAG_not_a_value, node->span, what,
            type->kind == TYPE_group ? "a group of threads" : type_text(type));
    if (type->kind == TYPE_function) diag_hint(&c->diag, "Call it: %s(...).", what);
    return poison(c, node);
  }
  return type;
}

/* Offers a fix for a number used as a condition: compare it with 0. */
static void compare_fix(Session *c, const Node *node)
{
  bool is_tight = node->kind == NODE_name || node->kind == NODE_call || node->kind == NODE_index ||
                  node->kind == NODE_member || node->kind == NODE_int || node->flags & FLAG_parens;
  Span lo = {node->span.lo, node->span.lo}, hi = {node->span.hi, node->span.hi};
  Edit edits[] = {{lo, is_tight ? "" : "("}, {hi, is_tight ? " != 0" : ") != 0"}};
  diag_hint(&c->diag, "Compare it: != 0.");
  diag_fix_edits(&c->diag, edits + is_tight, 2u - is_tight);
}

void check_condition(Session *c, Node **slot)
{
  Type *type = (*slot)->type; /* an argument of a call is checked already */
  if (!type) type = check_value(c, *slot, c->types->type_bool);
  if (type->kind == TYPE_bool || type == c->types->poison) return;
  diag_at(&c->diag, DIAG_not_bool, (*slot)->span, type_text(type));
  if (type_is_number(type)) compare_fix(c, *slot);
  (*slot)->type = c->types->poison;
}

bool check_uint_constant(Session *c, Node *node, uint64_t *out)
{
  Type *type = check_value(c, node, c->types->type_u64);
  *out = 0;
  if (type == c->types->poison) return false;
  if (!type_is_scalar(type) && !type_is_literal(type))
    return diag_at(&c->diag, DIAG_type_mismatch, node->span, type_text(type), "u64");
  evaluate(c, node);
  if (node->kind != NODE_int || node->flags & FLAG_negative ||
      (type_is_signed(type) && (int64_t)node->bits < 0)) {
    if (node->kind == NODE_int)
      diag_at(&c->diag, DIAG_constant_range, node->span, scalar_text(c, node), "u64");
    else {
      shape_not_constant(c, node);
      if (node->kind == NODE_name)
        diag_hint(&c->diag,
                  "'%s' is known when the kernel runs; before, there are 'const' and the "
                  "parameters of <const N: u32 = 4>.",
                  node->name->text);
    }
    return false;
  }
  *out = node->bits;
  return true;
}

/* ---- names ---- */

Type *become_constant(Session *c, Node *node, const Node *value)
{
  Span span = node->span;
  if (value->type == c->types->poison) return poison(c, node);
  node_become(node, value);
  node->span = span;
  node->flags &= ~(uint32_t)FLAG_literal;
  return node->type;
}

static Type *check_form_value(Session *c, Node *node, const Builtin *builtin, Type *type)
{
  if (builtin->form != FORM_inf && builtin->form != FORM_nan)
    return poison_at(c, node, DIAG_not_a_value, node->span, builtin->name, "a function");
  node->kind = NODE_float;
  node->name = NULL;
  node->real = builtin->form == FORM_inf ? (double)INFINITY : (double)NAN;
  return node->type = type;
}

static Type *check_resident(Session *c, Node *node)
{
  if (c->check->in_grid) return node->type = c->types->type_u32;
  diag_at(&c->diag, DIAG_resident, node->span);
  diag_hint(&c->diag, "In a kernel, grid.dim.x says how many blocks there are.");
  return poison(c, node);
}

static Type *check_name(Session *c, Node *node)
{
  if (node->type) return node->type; /* a name of a type or group */
  if (node->builtin && node->builtin->form == FORM_resident) return check_resident(c, node);
  if (node->builtin) return check_form_value(c, node, node->builtin, c->types->float_literal);
  Node *decl = node->decl;
  switch ((NodeKind)decl->kind) {
  case NODE_constant:
    check_global(c, decl); /* local constants are checked where they are declared */
    if (!(decl->flags & FLAG_checked)) return poison(c, node);
    return fold_is_constant(decl->b) ? become_constant(c, node, decl->b)
                                     : (node->type = decl->type);
  case NODE_const_param:
    if (!decl->type) return poison(c, node);
    return become_constant(c, node, decl->b);
  case NODE_type_param:
    return node->type = decl->type ? type_naming(c->types, decl->type) : c->types->poison;
  case NODE_function:
  case NODE_kernel: return node->type = c->types->function;
  case NODE_alias:
  case NODE_enumeration:
  case NODE_structure: {
    Type *type = check_type(c, node);
    return node->type = type == c->types->poison ? type : type_naming(c->types, type);
  }
  default: return node->type = decl->type ? decl->type : c->types->poison;
  }
}

/* ---- operators ---- */

static bool is_comparable(const Type *type);

bool op_takes_type(Op op, const Type *type)
{
  if (type->kind == TYPE_vector && !op_is_lazy(op)) type = type->element;
  bool is_int = type_is_int(type) || type->kind == TYPE_int_literal;
  switch (op_takes(op)) {
  case TAKES_NUMBER:
  case TAKES_QUOTIENT: return type_is_number(type);
  case TAKES_ORDER: return type_is_number(type) || type->kind == TYPE_pointer;
  case TAKES_REMAINDER:
  case TAKES_INTEGER:
  case TAKES_SHIFT: return is_int;
  case TAKES_LOGIC: return is_int || type->kind == TYPE_bool;
  case TAKES_EQUAL: return type_is_number(type) || is_comparable(type);
  case TAKES_BOOL:
  case TAKES_LAZY: return type->kind == TYPE_bool;
  case TAKES_NOTHING: break;
  }
  return false;
}

static bool takes_bools(Op op)
{
  return op_takes(op) == TAKES_BOOL || op_takes(op) == TAKES_LAZY;
}

/* May a function be the operator for this operand? Operators of scalars can't be redefined. */
static bool is_declared(const Type *type)
{
  return type_is_record(type) || type->kind == TYPE_array;
}

/* Can == compare values of the type, element by element? */
static bool is_comparable(const Type *type)
{
  bool is_good = type_is_scalar(type) || type->kind == TYPE_pointer;
  if (type->kind == TYPE_array || type->kind == TYPE_vector) return is_comparable(type->element);
  if (type->kind != TYPE_struct && type->kind != TYPE_tuple) return is_good;
  for (uint32_t i = 0; i < type->count; ++i)
    if (!is_comparable(type->elements[i])) return false;
  return true;
}

static bool is_comparison(const Node *node)
{
  return node->kind == NODE_binary && op_is_comparison(node->op);
}

/* 0 < x < 5 compares a bool with 5. */
static bool hint_chained(Session *c, const Node *node)
{
  const Node *first = node->a;
  if (!is_comparison(node) || !is_comparison(first)) return false;
  diag_hint(&c->diag, "Two comparisons are joined by &&: %s && %s %s %s.", short_text(c, first),
            short_text(c, first->b), op_text(node->op), short_text(c, node->b));
  return true;
}

static Type *bad_operand(Session *c, Node *node, const Node *operand)
{
  diag_at(&c->diag, DIAG_bad_operand, operand->span, op_text(node->op), type_text(operand->type));
  if (node->kind == NODE_binary && hint_chained(c, node)) return poison(c, node);
  if (takes_bools(node->op) && type_is_number(operand->type)) {
    if (node->kind == NODE_binary) compare_fix(c, operand);
    else diag_hint(&c->diag, "Compare it: == 0.");
  }
  if (is_declared(operand->type))
    diag_hint(&c->diag, "A function can be the operator: fn %s(...) -> ... { ... }",
              op_text(node->op));
  if (node->op == OP_rem &&
      (type_is_float(operand->type) || operand->type->kind == TYPE_float_literal))
    diag_hint(&c->diag, "The remainder of floats is fmod(a, b).");
  if (operand->type->kind == TYPE_span || operand->type->kind == TYPE_array)
    diag_hint(&c->diag, "It works on elements: %s[i].", short_text(c, operand));
  if (operand->type->kind == TYPE_bool && op_gives_operand(node->op) &&
      op_takes_type(node->op, c->types->type_f32))
    diag_hint(&c->diag, "As a number, a truth value is i32(...): 1 or 0.");
  return poison(c, node);
}

/* Is it a literal such as 128i8, which is in range only behind a minus? */
static bool is_lowest(const Node *node)
{
  return node->kind == NODE_int && node->flags & FLAG_literal && type_is_signed(node->type) &&
         (int64_t)node->bits < 0;
}

static Type *check_int(Session *c, Node *node)
{
  if (!is_lowest(node)) return node->type;
  return poison_at(c, node, DIAG_constant_range, node->span,
                   arena_printf(&c->scratch, "%llu", 0 - (unsigned long long)node->bits),
                   type_text(node->type));
}

static Type *check_unary(Session *c, Node *node, Type *hint)
{
  if (node->op == OP_negate && is_lowest(node->a)) node->a->flags &= ~(uint32_t)FLAG_literal;
  Type *type = check_value(c, node->a, hint);
  if (type == c->types->poison) return poison(c, node);
  if (is_declared(type) && check_operator(c, node, op_text(node->op), node->a, hint))
    return node->type;
  if (!op_takes_type(node->op, type)) return bad_operand(c, node, node->a);
  node->type = type;
  fold_unary(c, node);
  return node->type;
}

/* Does a function of the program implement the operator for these operands? The node becomes a
 * call. */
static bool is_call(Session *c, Node *node, Type *hint)
{
  if (!is_declared(node->a->type) && !is_declared(node->b->type)) return false;
  node->a->next = node->b;
  bool is_good = check_operator(c, node, op_text(node->op), node->a, hint);
  if (!is_good) node->a->next = NULL;
  return is_good;
}

static Type *check_shift(Session *c, Node *node, Type *hint)
{
  Type *type = check_value(c, node->a, hint), *count = check_value(c, node->b, NULL);
  if (type == c->types->poison || count == c->types->poison) return poison(c, node);
  if (is_call(c, node, hint)) return node->type;
  if (!op_takes_type(node->op, type)) return bad_operand(c, node, node->a);
  if (!op_takes_type(node->op, count)) return bad_operand(c, node, node->b);
  if (type->kind == TYPE_vector || count->kind == TYPE_vector) return check_vector_shift(c, node);
  if (type_is_literal(type) && !fold_is_constant(node->b)) { /* 1 << n */
    Type *wanted = hint && type_is_int(hint) ? hint : c->types->type_i32;
    if (!convert_to(c, &node->a, wanted)) return poison(c, node);
    type = wanted;
  }
  if (node->b->kind == NODE_int && !type_is_literal(type) &&
      (node->b->flags & FLAG_negative || node->b->bits >= type->bits))
    return poison_at(c, node, DIAG_shift_count, node->b->span, scalar_text(c, node->b),
                     type_text(type), (unsigned)type->bits);
  if (type_is_literal(count) && !type_is_literal(type)) convert_to(c, &node->b, c->types->type_u32);
  node->type = type;
  fold_binary(c, node);
  return node->type;
}

/* target.name == "sm_90a": strings are compared at compile time. */
static bool check_texts(Session *c, Node *node)
{
  const Node *a = node->a, *b = node->b;
  if (a->kind != NODE_string && b->kind != NODE_string) return false;
  Type *left = check_expr(c, node->a, NULL), *right = check_expr(c, node->b, NULL);
  if (left != right || left->kind != TYPE_string) {
    Type *other = left->kind == TYPE_string ? right : left;
    if (other != c->types->poison)
      diag_at(&c->diag, DIAG_no_common_type, node->span, op_text(node->op), type_text(left),
              type_text(right));
    poison(c, node);
    return true;
  }
  bool is_same = a->text_bytes == b->text_bytes && !memcmp(a->text, b->text, a->text_bytes);
  bool value = is_same == (node->op == OP_eq);
  node->kind = NODE_bool;
  node->op = OP_none;
  node->a = node->b = NULL;
  node->bits = value;
  node->type = c->types->type_bool;
  return true;
}

/* Pointer arithmetic: p + i and p - i give a pointer, p - q the number of elements. False: it is
 * none. */
static bool is_pointer_sum(Session *c, Node *node)
{
  const Type *a = node->a->type, *b = node->b->type;
  if (a->kind != TYPE_pointer || (node->op != OP_add && node->op != OP_sub)) return false;
  if (a == b && node->op == OP_sub) {
    node->type = c->types->type_i64;
    return true;
  }
  if (b->kind == TYPE_int_literal && !convert_to(c, &node->b, c->types->type_i64)) return false;
  if (!type_is_int(node->b->type)) return false;
  node->type = node->a->type;
  return true;
}

static Type *check_operands(Session *c, Node *node, Type *hint, bool is_left_known);

/* a & b == c parses as a & (b == c), as in C. If a is an integer, for which that has no meaning, it
 * is regrouped as (a & b) == c. True if the left side has its type now, so that it isn't checked
 * twice. */
static bool regroup(Session *c, Node *node)
{
  Node *test = node->b;
  bool is_test =
      test->kind == NODE_binary && !(test->flags & FLAG_parens) && op_is_comparison(test->op);
  if (op_takes(node->op) != TAKES_LOGIC || !is_test) return false;
  Type *type = check_value(c, node->a, NULL);
  if (!type_is_int(type) && type->kind != TYPE_int_literal) return true;
  Span span = {node->a->span.lo, test->a->span.hi};
  Node *inner = node_make(c->unit, NODE_binary, span, node->a, test->a, NULL, NULL);
  inner->op = node->op;
  node->op = test->op;
  node->a = inner;
  node->b = test->b;
  check_operands(c, inner, NULL, true);
  return true;
}

static Type *check_binary(Session *c, Node *node, Type *hint)
{
  if (op_takes(node->op) == TAKES_SHIFT) return check_shift(c, node, hint);
  return check_operands(c, node, hint, regroup(c, node));
}

static Type *check_operands(Session *c, Node *node, Type *hint, bool is_left_known)
{
  bool has_hint = op_gives_operand(node->op);
  if (op_takes(node->op) == TAKES_EQUAL && check_texts(c, node)) return node->type;
  Type *a = is_left_known ? node->a->type : check_value(c, node->a, has_hint ? hint : NULL);
  Type *b = check_value(c, node->b, has_hint && !takes_bools(node->op) ? hint : NULL);
  if (a == c->types->poison || b == c->types->poison) return poison(c, node);
  if (is_call(c, node, hint) || is_pointer_sum(c, node)) return node->type;
  bool is_left = op_takes_type(node->op, a), is_right = op_takes_type(node->op, b);
  if (!is_left) bad_operand(c, node, node->a);
  if (!is_right && (is_left || takes_bools(node->op))) bad_operand(c, node, node->b);
  if (!is_left || !is_right) return poison(c, node);
  Type *common = convert_common(c, &node->a, &node->b);
  if (!common) {
    diag_at(&c->diag, DIAG_no_common_type, node->span, op_text(node->op), type_text(a),
            type_text(b));
    if (!hint_chained(c, node)) hint_one_side(c, node->a, node->b);
    return poison(c, node);
  }
  if (common == c->types->poison) return poison(c, node);
  if (!op_takes_type(node->op, common)) return bad_operand(c, node, node->a);
  if (op_is_comparison(node->op)) warn_compare(c, node);
  node->type = type_of_operation(c->types, node->op, common);
  fold_binary(c, node);
  return node->type;
}

static Type *check_choose(Session *c, Node *node, Type *hint)
{
  check_condition(c, &node->a);
  Type *b = check_value(c, node->b, hint), *d = check_value(c, node->c, hint);
  if (node->a->type == c->types->poison || b == c->types->poison || d == c->types->poison)
    return poison(c, node);
  if (hint && (type_is_int(hint) || type_is_float(hint)) && type_is_literal(b) &&
      type_is_literal(d)) {
    convert_to(c, &node->b, hint);
    convert_to(c, &node->c, hint);
  }
  Type *common = convert_common(c, &node->b, &node->c);
  if (!common) {
    diag_at(&c->diag, DIAG_no_common_type, node->span, "?:", type_text(b), type_text(d));
    hint_one_side(c, node->b, node->c);
    return poison(c, node);
  }
  if (node->a->kind == NODE_bool) { /* a constant condition leaves only the branch that is taken */
    Node *taken = node->a->bits ? node->b : node->c;
    node_become(node, taken);
    return node->type;
  }
  convert_default(c, &node->b);
  convert_default(c, &node->c);
  common = node->b->type;
  return node->type = node->c->type == common ? common : c->types->poison;
}

/* ---- tiles, roles, NAME<...> ---- */

/* warp.tile<8> */
static Type *check_tile(Session *c, Node *node)
{
  enum { WARP = 32 };
  uint64_t lanes;
  if (!check_uint_constant(c, node->b, &lanes)) return poison(c, node);
  if (!node->b->next && lanes >= 2 && lanes <= WARP && !(lanes & (lanes - 1)))
    return node->type = type_tile(c->types, (uint32_t)lanes);
  return poison_at(c, node, DIAG_tile_size, node->b->span, scalar_text(c, node->b));
}

/* block.part<FIRST, WARPS, NUMBER>, which front/split.c makes. The static_assert behind a split
 * tests the sum of the warps, so that here any number is taken. */
static Type *check_role(Session *c, Node *node)
{
  enum { WARPS_MAX = 32 };
  uint64_t numbers[3] = {0};
  unsigned count = 0;
  for (Node *arg = node->b; arg && count < COUNT_OF(numbers); arg = arg->next)
    if (!check_uint_constant(c, arg, &numbers[count++])) return poison(c, node);
  if (count == COUNT_OF(numbers) && numbers[1] && numbers[0] + numbers[1] <= WARPS_MAX)
    return node->type = type_part(c->types, (uint32_t)numbers[0], (uint32_t)numbers[1],
                                  (uint32_t)numbers[2]);
  return poison_at(c, node, DIAG_role_warps, node->span, (unsigned long long)numbers[1]);
}

/* NAME<...>: a constant such as inf<f64>, or a function, which is checked where it is called. */
static Type *check_instance(Session *c, Node *node)
{
  if (node->a->kind == NODE_name && node->a->builtin) {
    const Builtin *builtin = node->a->builtin;
    if (builtin->form == FORM_range || builtin->form == FORM_ptr || builtin->form == FORM_vec ||
        builtin->form == FORM_element_of)
      return node->type = type_naming(c->types, check_type(c, node));
    Type *type = check_type(c, node->b);
    if (type == c->types->poison) return poison(c, node);
    if (builtin->form == FORM_sizeof || builtin->form == FORM_alignof)
      return check_size(c, node, builtin, type);
    if (builtin->form != FORM_inf && builtin->form != FORM_nan)
      return poison_at(c, node, DIAG_not_a_value, node->span, builtin->name, "a function");
    if (type_is_float(type) && !node->b->next) return check_form_value(c, node, builtin, type);
    return poison_at(c, node, DIAG_constraint, node->b->span, "T", type_text(type), "a float type");
  }
  Type *type = check_expr(c, node->a, NULL);
  if (type == c->types->poison) return poison(c, node);
  if (type->kind == TYPE_group && !strcmp(type_text(type), "warp.tile")) return check_tile(c, node);
  if (type->kind == TYPE_group && !strcmp(type_text(type), "block.part"))
    return check_role(c, node);
  if (type->kind == TYPE_function) {
    node->decl = node->a->decl;
    return node->type = type;
  }
  return poison_at(c, node, DIAG_not_generic, node->span,
                   node->a->name ? node->a->name->text : "this");
}

/* The type that holds values of both: the wider one, and of lists the wider one of each element.
 * The first type if there is none. */
static Type *wider_type(Session *c, Type *a, Type *b)
{
  if (type_is_literal(a) && type_is_literal(b)) return a->kind == TYPE_int_literal ? b : a;
  if (a == b || type_is_literal(b) || type_widens(b, a)) return a;
  if (type_is_literal(a) || type_widens(a, b)) return b;
  if (a->kind != b->kind || a->count != b->count) return a;
  if (a->kind == TYPE_array)
    return type_array(c->types, wider_type(c, a->element, b->element), a->count);
  if (a->kind != TYPE_tuple) return a;
  Type **elements = NEW_ARRAY(&c->scratch, Type *, a->count);
  for (uint32_t i = 0; i < a->count; ++i)
    elements[i] = wider_type(c, a->elements[i], b->elements[i]);
  return type_tuple(c->types, elements, a->count);
}

/* The type of a list, with nested lists. Literals stay untyped: all elements together decide. */
static Type *list_type(Session *c, Node *node)
{
  if (node->kind != NODE_list && node->kind != NODE_tuple) return check_value(c, node, NULL);
  uint32_t count = node_count(node->a), i = 0;
  Type **elements = NEW_ARRAY(&c->scratch, Type *, count), *widest = NULL;
  bool is_good = true;
  for (Node *item = node->a; item; item = item->next, ++i) {
    elements[i] = list_type(c, item);
    is_good &= elements[i] != c->types->poison;
    widest = widest ? wider_type(c, widest, elements[i]) : elements[i];
  }
  if (!is_good) return poison(c, node);
  return node->type = node->kind == NODE_tuple ? type_tuple(c->types, elements, count)
                                               : type_array(c->types, widest, count);
}

/* The type with literals replaced by i32 and f32. */
static Type *default_type(Session *c, Type *type)
{
  if (type->kind == TYPE_int_literal) return c->types->type_i32;
  if (type->kind == TYPE_float_literal) return c->types->type_f32;
  if (type->kind == TYPE_range && type_is_literal(type->element))
    return type_range(c->types, c->types->type_i32, type->rank);
  if (type->kind == TYPE_array)
    return type_array(c->types, default_type(c, type->element), type->count);
  if (type->kind != TYPE_tuple) return type;
  Type **elements = NEW_ARRAY(&c->scratch, Type *, type->count);
  for (uint32_t i = 0; i < type->count; ++i) elements[i] = default_type(c, type->elements[i]);
  return type_tuple(c->types, elements, type->count);
}

/* Converts a list that list_type() has visited to its type. */
static bool list_to(Session *c, Node **slot, Type *to)
{
  Node *node = *slot;
  if (node->kind != NODE_list && node->kind != NODE_tuple) return convert_to(c, slot, to);
  Type *own = node->type;
  bool is_same = own->kind == to->kind && own->count == to->count, is_good = true;
  Type *made = is_same ? to : default_type(c, own);
  uint32_t i = 0;
  for (Node **item = &node->a; *item; item = &(*item)->next, ++i)
    is_good &= list_to(c, item, made->kind == TYPE_array ? made->element : made->elements[i]);
  node->type = is_good ? made : c->types->poison;
  return is_good && convert_to(c, slot, to);
}

/* [1, 2, 3]: an array. Its element type is the expected one, or the widest of the elements. */
static Type *check_list(Session *c, Node *node, Type *hint)
{
  if (!hint || hint->kind != TYPE_array) {
    Type *type = list_type(c, node);
    bool is_good = type != c->types->poison && list_to(c, &node, default_type(c, type));
    return is_good ? node->type : poison(c, node);
  }
  bool is_good = true;
  for (Node *item = node->a; item; item = item->next)
    is_good &= check_value(c, item, hint->element) != c->types->poison;
  if (!is_good) return poison(c, node);
  for (Node **slot = &node->a; *slot; slot = &(*slot)->next)
    if (!convert_to(c, slot, hint->element)) return poison(c, node);
  return node->type = type_array(c->types, hint->element, node_count(node->a));
}

/* A tuple. Each element takes the expected type; a literal without one becomes i32 or f32. */
static Type *check_tuple(Session *c, Node *node, Type *hint)
{
  uint32_t count = node_count(node->a), i = 0;
  Type **elements = NEW_ARRAY(&c->scratch, Type *, count);
  bool is_hint = hint && hint->kind == TYPE_tuple && hint->count == count, is_good = true;
  for (Node **slot = &node->a; *slot; slot = &(*slot)->next, ++i) {
    Type *wanted = is_hint ? hint->elements[i] : NULL;
    check_value(c, *slot, wanted);
    if (wanted && convert_is_implicit(c, *slot, wanted)) convert_to(c, slot, wanted);
    else convert_default(c, slot);
    elements[i] = (*slot)->type;
    is_good &= elements[i] != c->types->poison;
  }
  return is_good ? node->type = type_tuple(c->types, elements, count) : poison(c, node);
}

static Type *check_fast(Session *c, Node *node, Type *hint)
{
  Type *type = check_value(c, node->a, hint);
  if (type->kind == TYPE_range) convert_default(c, &node->a);
  if (fold_is_constant(node->a)) node_become(node, node->a);
  return node->type = node->a->type;
}

static Type *not_yet(Session *c, Node *node)
{
  return poison_at(c, node, DIAG_not_yet, node->span, node_kind_name(node->kind));
}

/* Was the node checked before? Overload resolution checks callees, receivers and arguments, and the
 * chosen form would check them again; a checked node no longer has the shape of a parsed one. */
static bool is_typed(const Node *node)
{
  return node->type && node_width(node) != 0;
}

Type *check_expr(Session *c, Node *node, Type *hint)
{
  if (is_typed(node)) return node->type;
  switch ((NodeKind)node->kind) {
  case NODE_poison: return poison(c, node);
  case NODE_int: return check_int(c, node);
  case NODE_float:
    if (!type_is_literal(node->type)) warn_underflow(c, node, node->type);
    return node->type;
  case NODE_string: return node->type;
  case NODE_bool: return node->type = c->types->type_bool;
  case NODE_name: return check_name(c, node);
  case NODE_unary: return check_unary(c, node, hint);
  case NODE_binary: return check_binary(c, node, hint);
  case NODE_choose: return check_choose(c, node, hint);
  case NODE_range: return check_range(c, node, hint);
  case NODE_call: return check_call(c, node, hint);
  case NODE_index: return check_index(c, node);
  case NODE_member: return check_member(c, node);
  case NODE_instance: return check_instance(c, node);
  case NODE_tuple: return check_tuple(c, node, hint);
  case NODE_convert: return node->type;
  case NODE_lambda: return check_lambda(c, node);
  case NODE_fast: return check_fast(c, node, hint);
  case NODE_capture: return node->type = check_expr(c, node->a, NULL)->elements[node->bits];
  case NODE_list: return check_list(c, node, hint);
  case NODE_operator: closure_from_operator(c, node); return node->type;
  case NODE_dynamic: return not_yet(c, node);
  default: die("a '%s' stands as an expression", node_kind_name(node->kind));
  }
}
