/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* warn.c - warns about mistakes in programs that are valid.
 *
 * Each function looks at one form once its types are known. Only certain mistakes are reported; a
 * shuffle to a lane that doesn't exist is an error. Code in an instance isn't warned about if the
 * reason is a type of the instance: `x >= 0` makes sense in a generic function, although it is
 * always true for T = u32.
 */
#include "check/check_private.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_instance(const Session *c)
{
  return c->check->function && c->check->function->flags & FLAG_instance;
}

static bool is_written_number(const Node *node)
{
  return node->kind == NODE_int && node->span.hi > node->span.lo;
}

/* Is it written as digits here, and not by the name of a constant? */
static bool is_digits(Session *c, const Node *node)
{
  return is_written_number(node) && isdigit((unsigned char)*source_text(&c->sources, node->span));
}

static bool is_below_zero(const Node *node)
{
  return node->flags & FLAG_negative || (type_is_signed(node->type) && (int64_t)node->bits < 0);
}

/* The extent that a span's declaration gives, or NULL. */
static const Node *extent_of(const Node *span, unsigned axis)
{
  const Node *decl = span->kind == NODE_name ? span->decl : NULL;
  const Node *extent = decl && decl->kind == NODE_param ? node_extents(decl) : NULL;
  for (; extent && axis; --axis) extent = extent->next;
  return extent;
}

void warn_index(Session *c, const Node *node)
{
  unsigned axis = 0;
  for (const Node *index = node->b; index; index = index->next, ++axis) {
    if (!is_written_number(index)) continue;
    const Node *extent = extent_of(node->a, axis);
    bool is_known = extent && extent->kind == NODE_int && !is_instance(c);
    bool is_behind = is_known && !is_below_zero(index) && index->bits >= extent->bits;
    if (!is_below_zero(index) && !is_behind) continue;
    const char *wanted =
        extent          ? short_text(c, extent)
        : node->b->next ? arena_printf(&c->scratch, "%s.extent(%u)", short_text(c, node->a), axis)
                        : arena_printf(&c->scratch, "%s.len", short_text(c, node->a));
    diag_warn(&c->diag, DIAG_index_outside, index->span, scalar_text(c, index), wanted);
    bool is_from_end = is_below_zero(index) && !node->b->next;
    if (is_from_end && !strcmp(scalar_text(c, index), "-1"))
      diag_hint(&c->diag, "The last element is %s[%s - 1].", short_text(c, node->a), wanted);
    else if (is_from_end)
      diag_hint(&c->diag, "Counted from the end it is %s[%s - %s].", short_text(c, node->a), wanted,
                scalar_text(c, index) + 1);
  }
}

static bool is_nan(const Node *node)
{
  while (node->kind == NODE_convert || (node->kind == NODE_unary && node->op == OP_negate))
    node = node->a;
  return node->kind == NODE_float && isnan(node->real);
}

static bool is_zero(const Node *node)
{
  while (node->kind == NODE_convert) node = node->a;
  return is_written_number(node) && !node->bits;
}

void warn_compare(Session *c, const Node *node)
{
  const Node *a = node->a, *b = node->b;
  if (node->kind != NODE_binary || !op_is_comparison(node->op)) return;
  if (is_nan(a) || is_nan(b)) {
    diag_warn(&c->diag, DIAG_nan_comparison, node->span, short_text(c, node),
              node->op == OP_ne ? "true" : "false");
    diag_hint(&c->diag, "Write %sis_nan(%s).", node->op == OP_ne ? "!" : "",
              short_text(c, is_nan(a) ? b : a));
    return;
  }
  bool is_left = is_zero(a); /* 0 <= j */
  const Node *value = is_left ? b : a;
  Op wide = is_left ? OP_le : OP_ge, none = is_left ? OP_gt : OP_lt;
  if (is_instance(c) || is_zero(value) || !is_zero(is_left ? a : b)) return;
  if (!type_is_int(value->type) || type_is_signed(value->type)) return;
  if (node->op != wide && node->op != none) return;
  diag_warn(&c->diag, DIAG_comparison_constant, node->span, short_text(c, node),
            node->op == wide ? "true" : "false", short_text(c, value), type_text(value->type));
  if (node->op == wide)
    diag_hint(&c->diag, "Count down by while (%s > 0) { %s -= 1; ... }, or with an i32.",
              short_text(c, value), short_text(c, value));
}

/* Is the text a literal with a digit other than 0, as 1e-400 or 1e-50f32? If its value is 0, it
 * underflowed. */
static bool has_digit(const char *text)
{
  static const char digits[] = "0123456789._";
  text += *text == '-';
  size_t len = strspn(text, digits);
  if (strspn(text, "0._") >= len) return false;
  text += len;
  if (*text == 'e' || *text == 'E') text += 2, text += strspn(text, digits);
  return !text[strspn(text, "bf12346")];
}

void warn_underflow(Session *c, const Node *value, const Type *to)
{
  static const struct {
    TypeKind kind;
    const char *least;
  } rows[] = {
      {TYPE_f16, "6e-8"}, {TYPE_bf16, "9.2e-41"}, {TYPE_f32, "1.4e-45"}, {TYPE_f64, "4.9e-324"}};
  if (value->kind != NODE_float || scalar_nearest(to, value->real) != 0) return;
  bool is_zero_everywhere = value->real == 0;
  if (is_zero_everywhere && !has_digit(short_text(c, value))) return;
  if (is_instance(c)) return;
  for (size_t i = 0; i < COUNT_OF(rows); ++i) {
    if (rows[i].kind != to->kind) continue;
    diag_warn(&c->diag, DIAG_literal_zero, value->span, short_text(c, value), type_text(to));
    if (is_zero_everywhere) diag_hint(&c->diag, "The smallest above 0 is %s.", rows[i].least);
    else
      diag_hint(&c->diag, "The smallest above 0 is %s; %sf64 is an f64.", rows[i].least,
                short_text(c, value));
  }
}

/* Does a literal keep its magnitude in the type? For floats, and integers that become floats. */
static bool keeps_size(const Node *value, const Type *to)
{
  double real = value->kind == NODE_float ? value->real : (double)value->bits;
  if (value->kind == NODE_int && value->flags & FLAG_negative) real = -real;
  if (!isfinite(real)) return true;
  if (type_is_float(to)) return isfinite(scalar_nearest(to, real));
  bool is_signed = type_is_signed(to);
  return trunc(real) >= (is_signed ? -ldexp(1, (int)to->bits - 1) : 0) &&
         trunc(real) < ldexp(1, (int)to->bits - is_signed);
}

void warn_conversion(Session *c, const Node *value, const Type *to)
{
  bool is_int = value->kind == NODE_int, is_whole = is_int && type_is_int(to);
  bool is_all_ones =
      is_whole && value->flags & FLAG_negative && value->bits == 1 && !type_is_signed(to);
  if (!is_int && value->kind != NODE_float) return;
  if (!type_is_literal(value->type) || !(type_is_int(to) || type_is_float(to))) return;
  if (is_all_ones || is_instance(c)) return;
  if (is_whole ? scalar_fits(value, to) : keeps_size(value, to)) return;
  Node result = {
      .kind = value->kind, .flags = value->flags, .span = value->span, .type = value->type};
  /* also copies `real`; `*value` can't be copied as a whole, since a leaf is allocated shorter than
   * Node */
  result.bits = value->bits;
  const char *text = is_int ? scalar_text(c, value) : short_text(c, value);
  fold_convert(c, &result, (Type *)(uintptr_t)to, 0);
  diag_warn(&c->diag, DIAG_conversion_range, value->span, text, type_text(to),
            scalar_text(c, &result));
}

void warn_empty_body(Session *c, const Node *body, const char *word)
{
  if (body->kind != NODE_block || body->a || body->span.hi != body->span.lo + 1 ||
      *source_text(&c->sources, body->span) != ';')
    return;
  diag_warn(&c->diag, DIAG_empty_body, body->span, word);
  diag_hint(&c->diag, "Remove the ';'.");
}

void warn_empty_range(Session *c, const Node *range)
{
  if (range->kind != NODE_range || range->type->kind != TYPE_range || range->type->rank ||
      is_instance(c))
    return;
  const Node *lo = range->a, *hi = range->b;
  if (!is_digits(c, lo) || !is_digits(c, hi)) return;
  bool is_signed = type_is_signed(lo->type);
  if (is_signed ? (int64_t)lo->bits < (int64_t)hi->bits : lo->bits < hi->bits) return;
  diag_warn(&c->diag, DIAG_empty_range, range->span, short_text(c, range));
  if (lo->bits != hi->bits)
    diag_hint(&c->diag, "A range counts up; write (%s..%s).reverse() to count down.",
              short_text(c, hi), short_text(c, lo));
}

/* Does the node use an array without copying it: as an element, a view, or the target of an
 * assignment? */
static bool is_looked_at(const Node *user, const Node *part)
{
  switch (user->kind) {
  case NODE_index:
  case NODE_member:
  case NODE_assign: return part == user->a;
  case NODE_convert: return user->type && user->type->kind != TYPE_array;
  case NODE_call: return user->builtin != NULL;
  default: return false;
  }
}

static void warn_copy(Session *c, const Node *array, bool is_argument)
{
  diag_warn(&c->diag, DIAG_array_copy, array->span, short_text(c, array),
            (unsigned long long)type_bytes(array->type));
  if (is_argument)
    diag_hint(&c->diag, "A parameter that is a span, x: in %s[], is a view of it.",
              type_text(array->type->element));
  else
    diag_hint(&c->diag, "A slice, %s[0..%llu], is a view of it.", short_text(c, array),
              (unsigned long long)array->type->count);
}

void warn_array_copies(Session *c, const Node *user)
{
  enum { BYTES_FEW = 256 };
  for (unsigned i = 0; i < node_width(user); ++i) {
    for (const Node *part = user->children[i]; part; part = part->next) {
      const Node *root = part->type && part->type->kind == TYPE_array ? place_root(part) : NULL;
      if (root && root->kind == NODE_shared && type_bytes(part->type) > BYTES_FEW &&
          !is_looked_at(user, part))
        warn_copy(c, part, user->kind == NODE_call && user->decl && user->decl->d);
      warn_array_copies(c, part);
    }
  }
}

/* An instance's own name is shuffle_up<f32>, or shuffle_up<8,f32> of a tile of 8 lanes. */
void check_shuffle(Session *c, const Node *call, const Node *function)
{
  static const struct {
    const char *name, *way;
    bool is_tile;
  } rows[] = {{"warp.shuffle_up", "up", false},
              {"warp.shuffle_down", "down", false},
              {"warp.shuffle_xor", "by the bits of", false},
              {"warp.tile.shuffle_up", "up", true},
              {"warp.tile.shuffle_down", "down", true},
              {"warp.tile.shuffle_xor", "by the bits of", true}};
  enum { WARP = 32 };
  const Node *lanes = call->b ? call->b->next : NULL;
  const char *list = strchr(function->name->text, '<');
  if (!(function->flags & FLAG_library) || !list || !lanes || lanes->kind != NODE_int) return;
  if (strncmp(function->name->text, "shuffle_", 8) != 0) return;
  const char *name = generic_text(c, function);
  for (size_t i = 0; i < COUNT_OF(rows); ++i) {
    if (strcmp(name, rows[i].name) != 0) continue;
    uint64_t count = rows[i].is_tile ? strtoull(list + 1, NULL, 10) : WARP;
    if (lanes->bits < count && !is_below_zero(lanes)) continue;
    diag_at(&c->diag, DIAG_shuffle_count, lanes->span, rows[i].way, scalar_text(c, lanes),
            rows[i].is_tile ? "the tile" : "a warp", (unsigned long long)count);
  }
}

/* Warns if the requested output can't contain what the module declares. */
void warn_module(Session *c)
{
  bool is_code = c->options.emit == CK_EMIT_CUBIN || c->options.emit == CK_EMIT_HOST ||
                 c->options.emit == CK_EMIT_FATBIN;
  const Node *exported = NULL, *generic = NULL;
  for (const Node *item = c->module->a; item; item = item->next) {
    if (item->kind == NODE_function && item->flags & FLAG_exported) exported = item;
    if (item->kind == NODE_kernel && generic_params(item)) generic = item;
    if (is_code && item == exported) {
      diag_warn(&c->diag, DIAG_export_lost, item->span, item->name->text);
      diag_hint(&c->diag, "A linker takes it from --emit=ltoir or --emit=ptx.");
    }
  }
  if (c->kernels.count || !is_code || exported) return;
  diag_warn(&c->diag, DIAG_no_kernels, (Span){0, 0});
  if (generic)
    diag_hint(&c->diag, "'%s' is generic: --instance='%s<...>' or export %s<...>; compiles one.",
              generic->name->text, generic->name->text, generic->name->text);
}
