/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* test_expr.c - expressions in test lines: text to tree by precedence, then element by element.
 *
 * An array operand gives the whole its shape; numbers stand for every element. There are no types:
 * a value is rounded to its parameter's type where it is used (test_value.c).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

enum { DEPTH_MAX = 64, OPERANDS_MAX = 3, UNARY_BINDS = 8, POWER_BINDS = 9 };

typedef enum ExprKind {
  EXPR_NUMBER,
  EXPR_NAME,
  EXPR_OPERATOR,
  EXPR_NEGATE,
  EXPR_FUNCTION,
  EXPR_ARANGE, /* arange(lo, hi) */
  EXPR_SUM,    /* of all elements: a number */
  EXPR_LIST
} ExprKind;

struct Expr {
  ExprKind kind;
  uint32_t which;   /* row of test_ops.def */
  Wide number;      /* EXPR_NUMBER; once it is bound, of others that are numbers as well */
  const char *name; /* EXPR_NAME */
  Expr *operands[OPERANDS_MAX];
  uint32_t operand_count;
  VEC(Expr *) items; /* EXPR_LIST: nested lists are flat, `shape` has their extents */
  Shape shape;       /* EXPR_LIST; of others once they are bound */
  const Binding *binding;
};

static int64_t whole(Wide value)
{
  return value >= -0x1p63L && value < 0x1p63L ? (int64_t)value : 0;
}

/* To shift by: more than a Wide has make it 0 or infinite. */
static int places(Wide value)
{
  enum { PLACES_MAX = 40000 };
  return value > PLACES_MAX ? PLACES_MAX : value > -PLACES_MAX ? (int)value : -PLACES_MAX;
}

/* reading ------------------------------------------------------------------------------------ */

bool reader_fail(Reader *reader, const char *at, const char *format, ...)
{
  va_list values;
  if (reader->error_at) return false; /* the first one counts */
  va_start(values, format);
  reader->error_at = at;
  reader->error = arena_vprintf(reader->arena, format, values);
  va_end(values);
  return false;
}

void reader_skip(Reader *reader)
{
  while (reader->at < reader->end && (*reader->at == ' ' || *reader->at == '\t')) ++reader->at;
}

bool reader_accept(Reader *reader, const char *text)
{
  size_t len = strlen(text);
  reader_skip(reader);
  if ((size_t)(reader->end - reader->at) < len || memcmp(reader->at, text, len)) return false;
  reader->at += len;
  return true;
}

bool reader_expect(Reader *reader, const char *text, const char *after)
{
  if (reader_accept(reader, text)) return true;
  return reader_fail(reader, reader->at, "expected '%s' after %s", text, after);
}

static bool is_digit(char c)
{
  return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

const char *reader_name(Reader *reader)
{
  reader_skip(reader);
  const char *start = reader->at;
  if (start == reader->end || !is_letter(*start)) return NULL;
  while (reader->at < reader->end && (is_letter(*reader->at) || is_digit(*reader->at)))
    ++reader->at;
  return arena_strndup(reader->arena, start, (size_t)(reader->at - start));
}

static Expr *new_expr(Reader *reader, ExprKind kind)
{
  Expr *expr = NEW(reader->arena, Expr);
  expr->kind = kind;
  return expr;
}

Expr *expr_of(Arena *arena, Wide value)
{
  Expr *expr = NEW(arena, Expr);
  *expr = (Expr){.kind = EXPR_NUMBER, .number = value};
  return expr;
}

static void skip_digits(Reader *reader)
{
  while (reader->at < reader->end && is_digit(*reader->at)) ++reader->at;
}

static bool next_is(const Reader *reader, size_t ahead, char c)
{
  return (size_t)(reader->end - reader->at) > ahead && reader->at[ahead] == c;
}

/* Digits, a fraction (but 1..9 is a range), an exponent. In extents 3x4 are two numbers, so there
 * is no hexadecimal notation. */
static Expr *read_number(Reader *reader)
{
  const char *start = reader->at;
  skip_digits(reader);
  if (next_is(reader, 0, '.') && !next_is(reader, 1, '.')) {
    ++reader->at;
    skip_digits(reader);
  }
  if (next_is(reader, 0, 'e') || next_is(reader, 0, 'E')) {
    const char *before = reader->at++;
    if (next_is(reader, 0, '-') || next_is(reader, 0, '+')) ++reader->at;
    const char *digits = reader->at;
    skip_digits(reader);
    if (reader->at == digits) reader->at = before;
  }
  Expr *expr = new_expr(reader, EXPR_NUMBER);
  expr->number = strtold(arena_strndup(reader->arena, start, (size_t)(reader->at - start)), NULL);
  return expr;
}

static const struct {
  const char *spelling;
  int binds;
} operators[] = {
#define OPERATOR(spelling, binds, value) {spelling, binds},
#include "test_ops.def"
};

static const struct {
  const char *name;
  uint32_t count;
} functions[] = {
#define FUNCTION(name, count, value) {#name, count},
#include "test_ops.def"
};

static Expr *read_binary(Reader *reader, int binds);

static bool read_operands(Reader *reader, Expr *call)
{
  do {
    if (call->operand_count == OPERANDS_MAX)
      return reader_fail(reader, reader->at, "there are too many operands");
    Expr *operand = read_binary(reader, 0);
    if (!operand) return false;
    call->operands[call->operand_count++] = operand;
  } while (reader_accept(reader, ","));
  return reader_expect(reader, ")", "the operands");
}

static Expr *read_call(Reader *reader, const char *name, const char *at)
{
  Expr *call = new_expr(reader, EXPR_FUNCTION);
  uint32_t least = 0, most = 0;
  for (size_t i = 0; i < COUNT_OF(functions); ++i)
    if (!strcmp(name, functions[i].name)) {
      call->which = (uint32_t)i;
      least = most = functions[i].count;
    }
  if (!strcmp(name, "arange")) call->kind = EXPR_ARANGE, least = 1, most = 2;
  if (!strcmp(name, "sum")) call->kind = EXPR_SUM, least = most = 1;
  if (reader->is_constant && call->kind != EXPR_FUNCTION) {
    reader_fail(reader, at, "'%s' makes no number that is known here", name);
    return NULL;
  }
  if (!most) {
    reader_fail(reader, at, "there is no function '%s' in test lines", name);
    return NULL;
  }
  if (!read_operands(reader, call)) return NULL;
  if (call->operand_count < least || call->operand_count > most) {
    reader_fail(reader, at, "'%s' takes %u operand%s, %u are given", name, most,
                most == 1 ? "" : "s", call->operand_count);
    return NULL;
  }
  return call;
}

static Expr *read_name(Reader *reader)
{
  static const struct {
    const char *name;
    Wide value;
  } constants[] = {{"true", 1},
                   {"false", 0},
                   {"True", 1},
                   {"False", 0},
                   {"inf", INFINITY},
                   {"nan", NAN},
                   {"pi", 3.141592653589793238462643L}};
  const char *at = reader->at, *name = reader_name(reader);
  if (!strcmp(name, "np") && next_is(reader, 0, '.')) { /* NumPy's, said in full */
    ++reader->at;
    name = reader_name(reader);
  }
  if (!name) {
    reader_fail(reader, reader->at, "expected a name after 'np.'");
    return NULL;
  }
  if (reader_accept(reader, "(")) return read_call(reader, name, at);
  for (size_t i = 0; i < COUNT_OF(constants); ++i)
    if (!strcmp(name, constants[i].name)) {
      Expr *number = new_expr(reader, EXPR_NUMBER);
      number->number = constants[i].value;
      return number;
    }
  Expr *expr = new_expr(reader, EXPR_NAME);
  expr->name = name;
  return expr;
}

/* Adds an item, which may be a list, to a list. The first item says what the others must be. */
static bool add_item(Reader *reader, Expr *list, Expr *item, uint32_t index, const char *at)
{
  static const Shape none;
  bool is_list = item->kind == EXPR_LIST;
  const Shape *shape = is_list ? &item->shape : &none;
  if (index == 0) {
    if (shape->rank == EXTENTS_MAX)
      return reader_fail(reader, at, "lists are at most %d deep", EXTENTS_MAX);
    list->shape.rank = shape->rank + 1;
    memcpy(list->shape.at + 1, shape->at, shape->rank * sizeof *shape->at);
  }
  bool is_same = list->shape.rank == shape->rank + 1;
  for (uint32_t i = 0; is_same && i < shape->rank; ++i)
    is_same = list->shape.at[i + 1] == shape->at[i];
  if (!is_same) return reader_fail(reader, at, "this row has another shape than the first one");
  if (!is_list) vec_push(reader->arena, &list->items, item);
  for (uint32_t i = 0; is_list && i < item->items.count; ++i)
    vec_push(reader->arena, &list->items, item->items.at[i]);
  list->shape.at[0] = index + 1;
  return true;
}

static Expr *read_list(Reader *reader)
{
  Expr *list = new_expr(reader, EXPR_LIST);
  list->shape.rank = 1;
  if (reader_accept(reader, "]")) return list;
  uint32_t index = 0;
  do {
    reader_skip(reader);
    const char *at = reader->at;
    Expr *item = read_binary(reader, 0);
    if (!item || !add_item(reader, list, item, index++, at)) return NULL;
  } while (reader_accept(reader, ","));
  if (!reader_expect(reader, "]", "the list's elements")) return NULL;
  shape_set_count(&list->shape);
  return list;
}

static Expr *read_primary(Reader *reader)
{
  reader_skip(reader);
  const char c = reader->at < reader->end ? *reader->at : 0;
  if (is_digit(c) || (c == '.' && !next_is(reader, 1, '.'))) return read_number(reader);
  if (is_letter(c)) return read_name(reader);
  if (reader_accept(reader, "[")) return read_list(reader);
  if (reader_accept(reader, "(")) {
    Expr *inner = read_binary(reader, 0);
    return inner && reader_expect(reader, ")", "the expression") ? inner : NULL;
  }
  reader_fail(reader, reader->at, "expected a value");
  return NULL;
}

static Expr *read_unary(Reader *reader)
{
  if (reader_accept(reader, "+")) return read_binary(reader, UNARY_BINDS);
  if (!reader_accept(reader, "-")) return read_primary(reader);
  Expr *operand = read_binary(reader, UNARY_BINDS);
  if (!operand) return NULL;
  Expr *expr = new_expr(reader, EXPR_NEGATE);
  expr->operands[0] = operand;
  expr->operand_count = 1;
  return expr;
}

/* The operator that comes next and binds at least as tight, or -1. */
static int next_operator(Reader *reader, int binds)
{
  reader_skip(reader);
  for (size_t i = 0; i < COUNT_OF(operators); ++i) {
    size_t len = strlen(operators[i].spelling);
    if ((size_t)(reader->end - reader->at) < len) continue;
    if (memcmp(reader->at, operators[i].spelling, len)) continue;
    if (reader->at[0] == '-' && next_is(reader, 1, '-')) return -1; /* --OPTION follows */
    return operators[i].binds >= binds ? (int)i : -1;
  }
  return -1;
}

static Expr *read_binary(Reader *reader, int binds)
{
  if (++reader->depth > DEPTH_MAX) {
    reader_fail(reader, reader->at, "this is nested too deeply");
    return NULL;
  }
  Expr *left = read_unary(reader);
  for (int which; left && (which = next_operator(reader, binds)) >= 0;) {
    int own = operators[which].binds;
    reader->at += strlen(operators[which].spelling);
    const char *at = reader->at;
    Expr *right = read_binary(reader, own == POWER_BINDS ? UNARY_BINDS : own + 1);
    if (left->kind == EXPR_LIST || (right && right->kind == EXPR_LIST)) {
      reader_fail(reader, at, "lists have no operators"); /* Python's would join them */
      return NULL;
    }
    Expr *expr = new_expr(reader, EXPR_OPERATOR);
    expr->which = (uint32_t)which;
    expr->operands[0] = left;
    expr->operands[1] = right;
    expr->operand_count = 2;
    left = right ? expr : NULL;
  }
  --reader->depth;
  return left;
}

Expr *expr_read(Reader *reader)
{
  reader->depth = 0;
  return read_binary(reader, 0);
}

/* values ------------------------------------------------------------------------------------- */

static Wide operate(uint32_t which, Wide a, Wide b)
{
  uint32_t row = 0;
#define OPERATOR(spelling, binds, value)                                                           \
  if (which == row++) return value;
#include "test_ops.def"
  die("operator %u", which);
}

static Wide call_function(uint32_t which, Wide a, Wide b, Wide c)
{
  uint32_t row = 0;
#define FUNCTION(name, count, value)                                                               \
  if (which == row++) return value;
#include "test_ops.def"
  die("function %u", which);
}

static Wide operand(const Expr *expr, uint32_t index, uint64_t i)
{
  return index < expr->operand_count ? expr_value(expr->operands[index], i) : 0;
}

Wide expr_value(Expr *expr, uint64_t i)
{
  switch (expr->kind) {
  case EXPR_SUM:
  case EXPR_NUMBER: return expr->number;
  case EXPR_NAME:
    if (!expr->binding->data) return expr->binding->number;
    return number_wide(expr->binding->dtype, expr->binding->data, i);
  case EXPR_OPERATOR: return operate(expr->which, operand(expr, 0, i), operand(expr, 1, i));
  case EXPR_NEGATE: return -operand(expr, 0, i);
  case EXPR_FUNCTION:
    return call_function(expr->which, operand(expr, 0, i), operand(expr, 1, i),
                         operand(expr, 2, i));
  case EXPR_ARANGE: return expr->number + (Wide)i;
  case EXPR_LIST: return expr_value(expr->items.at[i], 0);
  }
  die("expression %d", (int)expr->kind);
}

static bool bind_name(Expr *expr, const Bindings *bindings, Buf *why)
{
  const char **names = NEW_ARRAY(why->arena, const char *, bindings->names.count + 1);
  for (uint32_t i = 0; i < bindings->names.count; ++i) {
    const Binding *binding = &bindings->names.at[i];
    names[i] = binding->name;
    if (strcmp(binding->name, expr->name)) continue;
    expr->binding = binding;
    if (binding->data) expr->shape = *binding->shape;
    return true;
  }
  buf_printf(why, "'%s' is no argument and no FOR variable%s", expr->name,
             did_you_mean(why->arena, expr->name, names, bindings->names.count));
  return false;
}

static bool bind_arange(Expr *expr, Buf *why)
{
  Wide first = expr->operand_count == 2 ? operand(expr, 0, 0) : 0;
  Wide last = operand(expr, expr->operand_count - 1, 0);
  if (!(last - first < 0x1p40L)) {
    buf_puts(why, "arange is too long");
    return false;
  }
  expr->number = first;
  expr->shape.rank = 1;
  expr->shape.at[0] = last > first ? (uint64_t)ceill(last - first) : 0;
  return shape_set_count(&expr->shape);
}

static bool bind_list(Expr *expr, const Bindings *bindings, Buf *why)
{
  for (uint32_t i = 0; i < expr->items.count; ++i) {
    Shape shape = {.rank = 0};
    if (!expr_bind(expr->items.at[i], bindings, &shape, why)) return false;
    if (!shape.rank) continue;
    buf_puts(why, "a list's elements are numbers");
    return false;
  }
  return true;
}

/* Takes the operands' common shape. */
static bool bind_operands(Expr *expr, const Bindings *bindings, Buf *why)
{
  bool needs_numbers = expr->kind == EXPR_ARANGE;
  expr->shape = (Shape){.rank = 0};
  for (uint32_t i = 0; i < expr->operand_count; ++i) {
    Shape shape = {.rank = 0};
    if (!expr_bind(expr->operands[i], bindings, &shape, why)) return false;
    if (!shape.rank) continue;
    if (needs_numbers) buf_puts(why, "arange takes numbers");
    else if (expr->shape.rank && expr->shape.count != shape.count)
      buf_printf(why, "arrays of %s and of %s elements do not go together",
                 shape_text(why->arena, &expr->shape), shape_text(why->arena, &shape));
    if (why->len) return false;
    if (shape.rank > expr->shape.rank) expr->shape = shape;
  }
  return true;
}

bool expr_bind(Expr *expr, const Bindings *bindings, Shape *out_shape, Buf *why)
{
  bool is_good = true;
  switch (expr->kind) {
  case EXPR_NUMBER: break;
  case EXPR_NAME: is_good = bind_name(expr, bindings, why); break;
  case EXPR_OPERATOR:
  case EXPR_NEGATE:
  case EXPR_FUNCTION: is_good = bind_operands(expr, bindings, why); break;
  case EXPR_ARANGE: is_good = bind_operands(expr, bindings, why) && bind_arange(expr, why); break;
  case EXPR_SUM:
    is_good = bind_operands(expr, bindings, why);
    expr->number = 0;
    for (uint64_t i = 0; is_good && i < (expr->shape.rank ? expr->shape.count : 1); ++i)
      expr->number += operand(expr, 0, i);
    expr->shape = (Shape){.rank = 0};
    break;
  case EXPR_LIST: is_good = bind_list(expr, bindings, why); break;
  }
  *out_shape = expr->shape;
  return is_good;
}

bool expr_number(Expr *expr, const Bindings *bindings, Wide *out, Buf *why)
{
  Shape shape = {.rank = 0};
  if (!expr_bind(expr, bindings, &shape, why)) return false;
  if (shape.rank) {
    buf_puts(why, "a number is needed, this is an array");
    return false;
  }
  *out = expr_value(expr, 0);
  return true;
}
