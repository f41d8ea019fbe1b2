/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* test_expr.c - parses the expressions of test lines, by precedence climbing.
 *
 * The syntax and the names are Python's and NumPy's, so that a test can compare the values with
 * NumPy's (test/ckc/test-expressions.test). test_eval.c computes the values.
 *
 *     2 * x[1:] + sum(y)      +  ( * ( 2, index(x, 1:) ), sum(y) )
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test_expr.h"

enum {
  DEPTH_MAX = 64,
  OR_BINDS = -3, /* before all rows of test_ops.def, whose comparisons are COMPARISON_BINDS */
  AND_BINDS,
  NOT_BINDS,
  COMPARISON_BINDS = 1,
  PRODUCT_BINDS = 7,
  UNARY_BINDS = 8,
  POWER_BINDS = 9
};

/* The first error counts. */
static void set_error(Reader *reader, const char *at, const char *format, va_list values)
{
  if (reader->error_at) return;
  reader->error_at = at;
  reader->error = arena_vprintf(reader->arena, format, values);
}

bool reader_fail(Reader *reader, const char *at, const char *format, ...)
{
  va_list values;
  va_start(values, format);
  set_error(reader, at, format, values);
  va_end(values);
  return false;
}

void *reader_none(Reader *reader, const char *at, const char *format, ...)
{
  va_list values;
  va_start(values, format);
  set_error(reader, at, format, values);
  va_end(values);
  return NULL;
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

const char *reader_name(Reader *reader)
{
  reader_skip(reader);
  const char *start = reader->at;
  if (start == reader->end || !char_is_letter(*start)) return NULL;
  while (reader->at < reader->end && (char_is_letter(*reader->at) || char_is_digit(*reader->at)))
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

Expr *expr_name(Arena *arena, const char *name)
{
  Expr *expr = NEW(arena, Expr);
  *expr = (Expr){.kind = EXPR_NAME, .name = name};
  return expr;
}

Expr *expr_member(Arena *arena, Expr *of, const char *name)
{
  Expr *expr = NEW(arena, Expr);
  *expr = (Expr){.kind = EXPR_MEMBER, .name = name, .operands = {of}, .operand_count = 1};
  return expr;
}

static void skip_digits(Reader *reader)
{
  while (reader->at < reader->end && char_is_digit(*reader->at)) ++reader->at;
}

static bool next_is(const Reader *reader, size_t ahead, char c)
{
  return (size_t)(reader->end - reader->at) > ahead && reader->at[ahead] == c;
}

/* Reads a decimal number. It is rounded to 64 bits here, and to 53 or 24 bits where it is used.
 * Rounding twice would be wrong if the 64 bits were exactly between two doubles or floats: then the
 * last bit is moved towards the exact number. */
static Wide read_decimal(const char *text)
{
  Wide value = strtold(text, NULL);
  double once = strtod(text, NULL);
  if ((double)value != once && isfinite(once)) value = nextafterl(value, (Wide)once);
  float single = strtof(text, NULL);
  if ((float)value != single && isfinite(single)) value = nextafterl(value, (Wide)single);
  return value;
}

/* 0x1f, 0b101: false if none is next. In extents 0x4 are two numbers. */
static bool read_radix(Reader *reader, Wide *out)
{
  enum { HEX = 16, BINARY = 2 };
  char *end, letter = next_is(reader, 0, '0') && reader->end - reader->at > 2 ? reader->at[1] : 0;
  int base = letter == 'x' || letter == 'X' ? HEX : letter == 'b' || letter == 'B' ? BINARY : 0;
  if (!base || reader->is_extent) return false;
  const char *digits = reader->at + 2;
  *out = 0;
  for (; reader->end > digits; ++digits) {
    char digit[2] = {*digits, 0};
    long value = strtol(digit, &end, base);
    if (end == digit) break;
    *out = *out * base + (Wide)value;
  }
  if (digits == reader->at + 2) return false;
  reader->at = digits;
  return true;
}

/* Digits, a fraction (but 1..9 is a range), an exponent. */
static Expr *read_number(Reader *reader)
{
  const char *start = reader->at;
  Wide value;
  Expr *expr = new_expr(reader, EXPR_NUMBER);
  if (read_radix(reader, &value)) {
    expr->number = value;
    return expr;
  }
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
  expr->number = read_decimal(arena_strndup(reader->arena, start, (size_t)(reader->at - start)));
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

/* Functions of whole arrays. `least` and `most` bound the number of operands, of which the axis is
 * one. */
static const struct {
  const char *name;
  ExprKind kind;
  uint32_t which, least, most;
  bool has_axis;
} wholes[] = {
#define WHOLE(name, kind, ...)             {#name, EXPR_##kind, __VA_ARGS__},
#define REDUCTION(name, start, value, end) {#name, EXPR_REDUCE, REDUCTION_##name, 1, 2, true},
#include "test_ops.def"
};

static Expr *read_binary(Reader *reader, int binds);
static Expr *read_whole(Reader *reader);
static Expr *read_choice(Reader *reader);

/* Skips a word such as "for", if it is next. */
static bool accept_word(Reader *reader, const char *word)
{
  const char *start = reader->at, *next = reader_name(reader);
  if (next && !strcmp(next, word)) return true;
  reader->at = start;
  return false;
}

/* A list as it is written, and not another array: `+` puts two of them one behind the other. A
 * slice of a list is a list. */
static bool is_list_expr(const Expr *expr)
{
  if (expr->is_array || expr->is_generator) return false;
  if (expr->kind == EXPR_ASSIGN) return is_list_expr(expr->operands[0]);
  if (expr->kind == EXPR_CHOOSE)
    return is_list_expr(expr->operands[1]) || is_list_expr(expr->operands[2]);
  if (expr->kind == EXPR_INDEX)
    return expr->index.at[0].is_slice && is_list_expr(expr->operands[0]);
  return expr->kind == EXPR_LIST || expr->kind == EXPR_STACK || expr->kind == EXPR_JOIN ||
         expr->kind == EXPR_REPEAT || expr->kind == EXPR_EACH;
}

/* for NAME, NAME in ARRAY */
static bool read_loop(Reader *reader, EachPart *out)
{
  do {
    reader_skip(reader);
    const char *at = reader->at, *name = reader_name(reader);
    if (!name) return reader_fail(reader, at, "expected a name after 'for'");
    if (out->name_count == EACH_NAMES_MAX) return reader_fail(reader, at, "these are many names");
    out->names[out->name_count++] = name;
  } while (reader_accept(reader, ","));
  if (!accept_word(reader, "in")) return reader_fail(reader, reader->at, "expected 'in'");
  out->expr = read_binary(reader, OR_BINDS);
  return out->expr != NULL;
}

/* Reads what follows the value of a comprehension: for NAME in ARRAY if CONDITION for ... */
static Expr *read_each(Reader *reader, Expr *value)
{
  Expr *each = new_expr(reader, EXPR_EACH);
  each->operands[each->operand_count++] = value;
  for (;;) {
    EachPart part = {.name_count = 0};
    bool is_loop = accept_word(reader, "for");
    if (!is_loop && (!each->parts.count || !accept_word(reader, "if"))) return each;
    if (is_loop && !read_loop(reader, &part)) return NULL;
    if (!is_loop && !(part.expr = read_binary(reader, OR_BINDS))) return NULL;
    vec_push(reader->arena, &each->parts, part);
  }
}

/* Is a `for` next, and so a comprehension? */
static bool is_each_next(Reader *reader)
{
  Reader ahead = *reader;
  return accept_word(&ahead, "for");
}

/* kind = 'stable', which argsort is anyway: false if it isn't next. */
static bool accept_kind(Reader *reader)
{
  Reader ahead = *reader;
  if (!accept_word(&ahead, "kind") || !reader_accept(&ahead, "=")) return false;
  reader_skip(&ahead);
  bool is_one = reader_accept(&ahead, "'stable'") || reader_accept(&ahead, "\"stable\"");
  if (is_one) reader->at = ahead.at;
  return is_one;
}

/* axis = EXPRESSION, minlength = EXPRESSION, keepdims = True: false if none is next. */
static bool read_keyword(Reader *reader, Expr *call, bool *out_is_one)
{
  const char *start = reader->at, *name = reader_name(reader);
  bool is_axis = name && !strcmp(name, "axis"), is_keep = name && !strcmp(name, "keepdims");
  bool is_length = name && !strcmp(name, "minlength");
  *out_is_one =
      (is_axis || is_keep || is_length) && reader_accept(reader, "=") && !next_is(reader, 0, '=');
  if (!*out_is_one) {
    reader->at = start;
    return true;
  }
  if (is_keep) {
    call->keeps_axis = reader_accept(reader, "True");
    return call->keeps_axis || reader_accept(reader, "False") ||
           reader_fail(reader, reader->at, "expected True or False after 'keepdims'");
  }
  if (call->operand_count != 1)
    return reader_fail(reader, start, "%s stands behind the array", name);
  call->has_axis = is_axis;
  call->has_length = is_length;
  call->operands[call->operand_count++] = read_whole(reader);
  return call->operands[1] != NULL;
}

static bool read_operands(Reader *reader, Expr *call)
{
  do {
    bool is_keyword;
    reader_skip(reader);
    if (!read_keyword(reader, call, &is_keyword)) return false;
    if (is_keyword || accept_kind(reader)) continue;
    if (call->operand_count == OPERANDS_MAX)
      return reader_fail(reader, reader->at, "there are too many operands");
    Expr *operand = read_whole(reader);
    if (operand && is_each_next(reader) && (operand = read_each(reader, operand)))
      operand->is_generator = true;
    if (!operand) return false;
    call->operands[call->operand_count++] = operand;
  } while (reader_accept(reader, ","));
  return reader_expect(reader, ")", "the operands");
}

/* Finds the row of a name: `max` of two operands is a function, and so is `np.maximum`. */
static bool find_function(Expr *call, const char *name, bool is_numpy, bool is_method,
                          uint32_t *out_least, uint32_t *out_most)
{
  bool is_bound = !strcmp(name, "max") || !strcmp(name, "min");
  bool is_whole = is_bound && (is_numpy || is_method || call->operand_count == 1 || call->has_axis);
  for (size_t i = 0; i < COUNT_OF(functions) && !is_whole && !is_method; ++i)
    if (!strcmp(name, functions[i].name)) {
      call->which = (uint32_t)i;
      *out_least = *out_most = functions[i].count;
      return !call->has_axis && !call->keeps_axis;
    }
  if (!is_method && number_type(name, strlen(name), &call->dtype)) {
    call->kind = EXPR_CONVERT;
    *out_least = *out_most = 1;
    return !call->has_axis && !call->keeps_axis;
  }
  for (size_t i = 0; i < COUNT_OF(wholes); ++i)
    if (!strcmp(name, wholes[i].name) && (is_method || wholes[i].kind != EXPR_RESHAPE)) {
      call->kind = wholes[i].kind;
      call->which = wholes[i].which;
      *out_least = wholes[i].least;
      *out_most = is_bound && is_whole ? 2 : wholes[i].most;
      bool is_second = call->operand_count == 2 && wholes[i].has_axis;
      call->has_axis |= is_second;
      return wholes[i].has_axis || (!call->has_axis && !call->keeps_axis);
    }
  return true;
}

/* Turns the operand of concatenate, a list of arrays, into the list of their rows. */
static Expr *join_items(Reader *reader, Expr *list, const char *at)
{
  bool is_flat = list->kind == EXPR_LIST && list->list_rank == 1;
  if (list->kind == EXPR_EACH) list->spreads_value = true;
  else if (is_flat || list->kind == EXPR_STACK) {
    list->kind = EXPR_STACK;
    for (uint32_t i = 0; i < list->items.count; ++i) list->items.at[i]->is_spread = true;
  } else {
    return reader_none(reader, at, "concatenate takes a list of arrays");
  }
  list->is_array = true;
  return list;
}

/* Reads what follows x.view( */
static Expr *read_view(Reader *reader, Expr *self)
{
  Expr *view = new_expr(reader, EXPR_VIEW);
  reader_skip(reader);
  const char *at = reader->at, *type = reader_name(reader);
  view->operands[view->operand_count++] = self;
  if (type && number_type(type, strlen(type), &view->dtype))
    return reader_expect(reader, ")", type) ? view : NULL;
  return reader_none(reader, at, "expected a type after 'view(', as in x.view(u32)");
}

/* Reads a call. `self` is the operand before the dot of a method, or NULL. */
static Expr *read_call(Reader *reader, const char *name, const char *at, bool is_numpy, Expr *self)
{
  if (self && !strcmp(name, "view")) return read_view(reader, self);
  Expr *call = new_expr(reader, EXPR_FUNCTION);
  uint32_t least = 0, most = 0;
  const char *operands = reader->at;
  if (self) call->operands[call->operand_count++] = self;
  if (!(self && reader_accept(reader, ")")) && !read_operands(reader, call)) return NULL;
  bool has_keywords = call->has_axis || call->keeps_axis;
  bool is_good = find_function(call, name, is_numpy, self != NULL, &least, &most);
  if (!most)
    reader_fail(reader, at, "there is no %s '%s' in test lines", self ? "method" : "function",
                name);
  else if (reader->is_constant && call->kind != EXPR_FUNCTION)
    reader_fail(reader, at, "'%s' makes no number that is known here", name);
  else if (!is_good || (has_keywords && call->kind == EXPR_SCAN && call->keeps_axis))
    reader_fail(reader, operands, "'%s' takes no axis", name);
  else if (call->has_length != (call->kind == EXPR_SORT && call->operand_count == 2))
    reader_fail(reader, operands, "minlength=N is the second operand of bincount, and of no other");
  else if (call->operand_count < least || call->operand_count > most)
    reader_fail(reader, at, "'%s' takes %u operand%s, %u are given", name, most,
                most == 1 ? "" : "s", call->operand_count);
  else if (call->kind == EXPR_STACK) return join_items(reader, call->operands[0], at);
  else {
    Expr *first = call->operands[0];
    bool is_rows = first->kind == EXPR_EACH && first->is_generator && call->operand_count == 1;
    if (is_rows && call->kind == EXPR_REDUCE) { /* Python adds one row to the other */
      call->has_axis = true;
      call->operands[call->operand_count++] = expr_of(reader->arena, 0);
    }
    return call;
  }
  return NULL;
}

/* The cell of a name; NULL: none has been assigned so far. */
static Cell *find_cell(const Reader *reader, const char *name)
{
  for (uint32_t i = 0; i < reader->cells.count; ++i)
    if (!strcmp(reader->cells.at[i]->name, name)) return reader->cells.at[i];
  return NULL;
}

static Expr *read_name(Reader *reader)
{
  static const struct {
    const char *name;
    Wide value;
  } constants[] = {
#define CONSTANT(name, value) {#name, value},
#include "test_ops.def"
  };
  const char *at = reader->at, *name = reader_name(reader);
  bool is_numpy = !strcmp(name, "np") && next_is(reader, 0, '.'); /* the full name np.max */
  if (is_numpy) {
    ++reader->at;
    name = reader_name(reader);
  }
  if (!name) return reader_none(reader, reader->at, "expected a name after 'np.'");
  if (reader_accept(reader, "(")) return read_call(reader, name, at, is_numpy, NULL);
  for (size_t i = 0; i < COUNT_OF(constants); ++i)
    if (!strcmp(name, constants[i].name)) {
      Expr *number = new_expr(reader, EXPR_NUMBER);
      number->number = constants[i].value;
      number->text = constants[i].name;
      return number;
    }
  Expr *expr = new_expr(reader, EXPR_NAME);
  expr->name = name;
  expr->cell = find_cell(reader, name);
  return expr;
}

/* Adds an item, which may be a list, to a list. All items must have the shape of the first. */
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

/* Is there an item that is perhaps an array, and no list as it is written? */
static bool has_arrays(Expr *const *items, uint32_t count)
{
  for (uint32_t i = 0; i < count; ++i)
    if (items[i]->kind != EXPR_LIST && items[i]->kind != EXPR_NUMBER) return true;
  return false;
}

/* [a, b], [*a, b], [value for name in array] */
static Expr *read_list(Reader *reader)
{
  Expr *list = new_expr(reader, EXPR_LIST);
  VEC(const char *) places = {0};
  uint32_t list_count = 0;
  bool is_spread = false;
  list->shape.rank = list->list_rank = 1;
  if (reader_accept(reader, "]")) return list;
  do {
    reader_skip(reader);
    vec_push(reader->arena, &places, reader->at);
    bool is_own = reader_accept(reader, "*");
    Expr *item = read_whole(reader);
    if (!item) return NULL;
    if (!list->items.count && is_each_next(reader)) {
      Expr *each = read_each(reader, item);
      if (each) each->spreads_value = is_own;
      return each && reader_expect(reader, "]", "the comprehension") ? each : NULL;
    }
    item->is_spread = is_own;
    is_spread |= is_own;
    list_count += item->kind == EXPR_LIST;
    vec_push(reader->arena, &list->items, item);
  } while (reader_accept(reader, ","));
  if (!reader_expect(reader, "]", "the list's elements")) return NULL;
  Expr *const *items = list->items.at;
  uint32_t count = list->items.count;
  if (is_spread || (list_count && list_count < count && has_arrays(items, count))) {
    list->kind = EXPR_STACK;
    return list;
  }
  list->items.count = list->items.room = 0;
  list->items.at = NULL;
  for (uint32_t i = 0; i < count; ++i)
    if (!add_item(reader, list, items[i], i, places.at[i])) return NULL;
  list->list_rank = list->shape.rank;
  shape_set_count(&list->shape);
  return list;
}

static bool read_bound(Reader *reader, Expr **out)
{
  reader_skip(reader);
  bool is_left_out = next_is(reader, 0, ':') || next_is(reader, 0, ',') || next_is(reader, 0, ']');
  return is_left_out || (*out = read_whole(reader)) != NULL;
}

/* i, a:b:c with any of them left out, or None */
static bool read_index_item(Reader *reader, IndexItem *out)
{
  *out = (IndexItem){.is_slice = false};
  reader_skip(reader);
  const char *at = reader->at, *word = reader_name(reader);
  out->is_new = word && (!strcmp(word, "None") || !strcmp(word, "newaxis"));
  if (out->is_new) return true;
  reader->at = at;
  if (!read_bound(reader, &out->first)) return false;
  out->is_slice = reader_accept(reader, ":");
  if (!out->is_slice) return out->first || reader_fail(reader, at, "expected an index");
  if (!read_bound(reader, &out->last)) return false;
  return !reader_accept(reader, ":") || read_bound(reader, &out->step);
}

static bool read_index(Reader *reader, Expr *out)
{
  do {
    IndexItem item;
    reader_skip(reader);
    if (out->index.count == INDEX_MAX)
      return reader_fail(reader, reader->at, "there are too many indices");
    if (!read_index_item(reader, &item)) return false;
    vec_push(reader->arena, &out->index, item);
  } while (reader_accept(reader, ","));
  return reader_expect(reader, "]", "the index");
}

/* ['x']: another spelling of .x. NULL: none is next. */
static const char *read_quoted(Reader *reader)
{
  Reader ahead = *reader;
  if (!reader_accept(&ahead, "[") || !(reader_accept(&ahead, "'") || reader_accept(&ahead, "\"")))
    return NULL;
  const char quote[2] = {ahead.at[-1], 0}, *name = reader_name(&ahead);
  if (!name || !reader_accept(&ahead, quote) || !reader_accept(&ahead, "]")) return NULL;
  reader->at = ahead.at;
  return name;
}

Expr *expr_postfix(Reader *reader, Expr *operand)
{
  for (int count = 0; operand; ++count) {
    bool is_member =
        next_is(reader, 0, '.') && reader->end - reader->at > 1 && char_is_letter(reader->at[1]);
    bool is_index = !is_member && next_is(reader, 0, '[');
    if (!is_member && !is_index) return operand;
    if (count == DEPTH_MAX) return reader_none(reader, reader->at, "this is nested too deeply");
    const char *quoted = read_quoted(reader);
    if (quoted) {
      operand = expr_member(reader->arena, operand, quoted);
      continue;
    }
    Expr *expr = new_expr(reader, is_member ? EXPR_MEMBER : EXPR_INDEX);
    const char *at = ++reader->at;
    expr->operands[0] = operand;
    expr->operand_count = 1;
    if (is_member) expr->name = reader_name(reader);
    if (is_member && next_is(reader, 0, '(')) {
      ++reader->at;
      expr = read_call(reader, expr->name, at, true, operand);
    } else if (is_index && !read_index(reader, expr)) return NULL;
    operand = expr;
  }
  return NULL;
}

static Expr *read_primary(Reader *reader)
{
  reader_skip(reader);
  const char c = reader->at < reader->end ? *reader->at : 0;
  if (char_is_digit(c) || (c == '.' && !next_is(reader, 1, '.'))) return read_number(reader);
  if (char_is_letter(c)) return expr_postfix(reader, read_name(reader));
  if (reader_accept(reader, "[")) return expr_postfix(reader, read_list(reader));
  if (reader_accept(reader, "(")) {
    Expr *inner = read_whole(reader);
    if (!inner || !reader_expect(reader, ")", "the expression")) return NULL;
    return expr_postfix(reader, inner);
  }
  return reader_none(reader, reader->at, "expected a value");
}

static Expr *read_unary(Reader *reader)
{
  if (reader_accept(reader, "+")) return read_binary(reader, UNARY_BINDS);
  bool is_invert = reader_accept(reader, "~");
  if (!is_invert && !reader_accept(reader, "-")) return read_primary(reader);
  Expr *operand = read_binary(reader, UNARY_BINDS);
  if (!operand) return NULL;
  Expr *expr = new_expr(reader, is_invert ? EXPR_INVERT : EXPR_NEGATE);
  expr->operands[0] = operand;
  expr->operand_count = 1;
  return expr;
}

/* Makes the node of an operator. Two lists are joined by `+`, one is repeated by `*`, as in Python;
 * NULL: the reader has the error. */
static Expr *new_operator(Reader *reader, const char *spelling, uint32_t which, Expr *left,
                          Expr *right, const char *at)
{
  bool is_left = is_list_expr(left), is_right = is_list_expr(right);
  Expr *expr = new_expr(reader, EXPR_OPERATOR);
  expr->which = which;
  if (is_left && is_right && !strcmp(spelling, "+")) expr->kind = EXPR_JOIN;
  else if (is_left != is_right && !strcmp(spelling, "*")) {
    expr->kind = EXPR_REPEAT;
    expr->which = is_right;
  } else if (is_left || is_right)
    return reader_none(reader, at, "lists have no operators but '+' and '*'");
  expr->operands[0] = left;
  expr->operands[1] = right;
  expr->operand_count = 2;
  return expr;
}

static Expr *new_choice(Reader *reader, Expr *condition, Expr *yes, Expr *no)
{
  Expr *expr = new_expr(reader, EXPR_CHOOSE);
  expr->operands[0] = condition;
  expr->operands[1] = yes;
  expr->operands[2] = no;
  expr->operand_count = 3;
  return expr;
}

enum { MATMUL = COUNT_OF(operators) }; /* the row of '@', which takes arrays as a whole */

/* The operator that comes next and binds at least as tight, or -1. */
static int next_operator(Reader *reader, int binds)
{
  reader_skip(reader);
  if (next_is(reader, 0, '@')) return binds <= PRODUCT_BINDS ? MATMUL : -1;
  for (size_t i = 0; i < COUNT_OF(operators); ++i) {
    size_t len = strlen(operators[i].spelling);
    if ((size_t)(reader->end - reader->at) < len) continue;
    if (memcmp(reader->at, operators[i].spelling, len)) continue;
    if (reader->at[0] == '-' && next_is(reader, 1, '-')) return -1; /* --OPTION follows */
    return operators[i].binds >= binds ? (int)i : -1;
  }
  return -1;
}

/* The row of an operator. */
static uint32_t row_of(const char *spelling)
{
  for (uint32_t i = 0; i < COUNT_OF(operators); ++i)
    if (!strcmp(operators[i].spelling, spelling)) return i;
  die("operator %s", spelling);
}

static Expr *read_operators(Reader *reader, int binds)
{
  Expr *left = read_unary(reader), *middle = NULL; /* of a < b < c, which is (a < b) & (b < c) */
  for (int which; left && (which = next_operator(reader, binds)) >= 0;) {
    bool is_matmul = which == MATMUL;
    int own = is_matmul ? PRODUCT_BINDS : operators[which].binds;
    const char *spelling = is_matmul ? "@" : operators[which].spelling;
    const char *at = reader->at += strlen(spelling);
    Expr *right = read_binary(reader, own == POWER_BINDS ? UNARY_BINDS : own + 1);
    if (!right) return NULL;
    Expr *from = own == COMPARISON_BINDS && middle ? middle : left;
    Expr *expr = new_operator(reader, spelling, (uint32_t)which, from, right, at);
    if (expr && is_matmul) expr->kind = EXPR_MATMUL;
    if (expr && from != left) expr = new_operator(reader, "&", row_of("&"), left, expr, at);
    middle = own == COMPARISON_BINDS ? right : NULL;
    left = expr;
  }
  return left;
}

/* Reads operators that bind at least so tight. `not`, `and` and `or` bind less than all of
 * test_ops.def; they choose one of their operands, and the other has no value. */
static Expr *read_binary(Reader *reader, int binds)
{
  if (++reader->depth > DEPTH_MAX)
    return reader_none(reader, reader->at, "this is nested too deeply");
  Expr *left;
  if (binds <= NOT_BINDS && accept_word(reader, "not")) {
    left = read_binary(reader, NOT_BINDS);
    if (left) left = new_choice(reader, left, expr_of(reader->arena, 0), expr_of(reader->arena, 1));
  } else left = read_operators(reader, binds);
  while (left && binds <= AND_BINDS && accept_word(reader, "and")) {
    Expr *right = read_binary(reader, NOT_BINDS);
    left = right ? new_choice(reader, left, right, left) : NULL;
  }
  while (left && binds <= OR_BINDS && accept_word(reader, "or")) {
    Expr *right = read_binary(reader, AND_BINDS);
    left = right ? new_choice(reader, left, left, right) : NULL;
  }
  --reader->depth;
  return left;
}

/* NAME :=, which `reader` is behind then; NULL: it isn't next. */
static const char *accept_assignment(Reader *reader)
{
  Reader ahead = *reader;
  const char *name = reader_name(&ahead);
  if (!name || !reader_accept(&ahead, ":=")) return NULL;
  reader->at = ahead.at;
  return name;
}

/* Reads the value of `name :=`. Names behind it, up to the end of the expression, mean this one. */
static Expr *read_assignment(Reader *reader, const char *name)
{
  Expr *expr = new_expr(reader, EXPR_ASSIGN), *value = read_choice(reader);
  if (!value) return NULL;
  expr->operands[expr->operand_count++] = value;
  expr->cell = find_cell(reader, name);
  if (expr->cell) return expr;
  expr->cell = NEW(reader->arena, Cell);
  expr->cell->name = name;
  vec_push(reader->arena, &reader->cells, expr->cell);
  return expr;
}

/* Reads a whole expression, which may be `name := value`. */
static Expr *read_whole(Reader *reader)
{
  const char *name = accept_assignment(reader);
  return name ? read_assignment(reader, name) : read_choice(reader);
}

/* Reads an expression, which may be `a if condition else b`. */
static Expr *read_choice(Reader *reader)
{
  Expr *yes = read_binary(reader, OR_BINDS);
  if (!yes || !accept_word(reader, "if")) return yes;
  Expr *condition = read_binary(reader, OR_BINDS);
  if (!condition) return NULL;
  if (!accept_word(reader, "else")) return reader_none(reader, reader->at, "expected 'else'");
  Expr *no = read_whole(reader);
  return no ? new_choice(reader, condition, yes, no) : NULL;
}

Expr *expr_read(Reader *reader)
{
  reader->depth = 0;
  reader->cells.count = reader->cells.room = 0;
  reader->cells.at = NULL;
  Expr *whole = read_whole(reader);
  if (!whole || !reader->cells.count) return whole;
  whole->cells.at = reader->cells.at;
  whole->cells.count = whole->cells.room = reader->cells.count;
  return whole;
}

Expr *expr_list(Reader *reader, Expr *const *items, uint32_t count)
{
  Expr *list = new_expr(reader, EXPR_LIST);
  list->shape.rank = 1;
  for (uint32_t i = 0; i < count; ++i)
    if (!add_item(reader, list, items[i], i, reader->at)) return NULL;
  list->list_rank = list->shape.rank;
  shape_set_count(&list->shape);
  return list;
}

const char *expr_word(const Expr *expr)
{
  return expr->kind == EXPR_NUMBER ? expr->text : NULL;
}

bool expr_is_bool(const Expr *expr)
{
  const char *word = expr_word(expr);
  if (expr->kind != EXPR_LIST) return word && strchr("tTfF", *word);
  for (uint32_t i = 0; i < expr->items.count; ++i)
    if (!expr_is_bool(expr->items.at[i])) return false;
  return expr->items.count > 0;
}

const char *expr_is_name(const Expr *expr)
{
  return expr->kind == EXPR_NAME ? expr->name : NULL;
}

bool expr_is_number(const Expr *expr)
{
  if (expr->kind == EXPR_NEGATE) expr = expr->operands[0];
  return expr->kind == EXPR_NUMBER;
}
