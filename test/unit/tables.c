/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* tables.c - tests that the compiler's tables are sorted, complete and consistent with each other.
 */
#include "front/ast.h"
#include "front/builtin.h"
#include "repair/repair.h"

#include <stdio.h>
#include <string.h>

#undef NDEBUG /* release builds check too */
#include <assert.h>

static const char *const forms[] = {
#define FORM(id, name, arguments, text) name,
#include "front/builtin.def"
};

static const struct {
  const char *name, *signature;
  Effect effect;
  unsigned sm;
  const char *gpu, *host;
} intrinsics[] = {
#define INTRINSIC(name, signature, effect, sm, gpu, host)                                          \
  {name, signature, EFFECT_##effect, sm, gpu, host},
#include "front/builtin.def"
};

static const struct {
  const char *name;
  unsigned bits;
} types[] = {
#define TYPE(name, kind, bits, llvm) {#name, bits},
#include "front/type.def"
};

static Arena arena;

/* Every row is found by its name: binary search needs sorted rows. */
static void builtins_are_found(Names *names)
{
  for (size_t i = 0; i < COUNT_OF(forms); ++i) {
    const Builtin *found = builtin_named(name_of(names, forms[i], strlen(forms[i])));
    assert(found && !strcmp(found->name, forms[i]) && found->form == (FormId)(i + 1));
    assert(i == 0 || strcmp(forms[i - 1], forms[i]) < 0);
  }
  for (size_t i = 0; i < COUNT_OF(intrinsics); ++i) {
    const char *name = intrinsics[i].name;
    const Builtin *found = builtin_named(name_of(names, name, strlen(name)));
    assert(found && !strcmp(found->name, name) && found->form == FORM_intrinsic);
    assert(i == 0 || strcmp(intrinsics[i - 1].name, name) < 0);
    assert(strspn(intrinsics[i].signature, "vbiuwlhkfdt") == strlen(intrinsics[i].signature));
    assert(intrinsics[i].sm >= 75 && *intrinsics[i].gpu && *intrinsics[i].host);
    bool is_shape = intrinsics[i].effect == EFFECT_SHAPE;
    assert(!is_shape || strspn(intrinsics[i].host, "@abcdefghijklmnopqrstuvwxyz") > 1);
  }
  assert(!builtin_named(name_of(names, "__no_such", 9)) && !builtin_named(name_of(names, "no", 2)));
}

/* Types are found by name, are ordered by width within a kind, and widen to the types that follow.
 */
static void types_are_ordered(Types *all)
{
  const Type *last = NULL;
  for (size_t i = 0; i < COUNT_OF(types); ++i) {
    const Type *type = type_scalar_named(all, types[i].name, strlen(types[i].name));
    assert(type && type_is_scalar(type) && type->bits == types[i].bits);
    assert(!strcmp(type_text(type), types[i].name));
    assert(type_widens(type, type));
    bool is_number = type_is_int(type) || type_is_float(type);
    assert(is_number || type->kind == TYPE_bool);
    bool is_kind = last && type_is_signed(last) == type_is_signed(type) &&
                   type_is_int(last) == type_is_int(type) && is_number && last->kind != TYPE_bool;
    /* F16 and bf16 have the same width. */
    if (is_kind) assert((last->bits < type->bits) == type_widens(last, type));
    if (is_kind) assert(!type_widens(type, last));
    last = type;
  }
  assert(!type_scalar_named(all, "f3", 2) && !type_scalar_named(all, "", 0));
}

/* Operators have a spelling; binary ones have a row in expr.def. */
static void operators_are_spelt(void)
{
  enum { INFIX = 1, PREFIX };
#define OP(id, spelling, place, ...)                                                               \
  assert(*op_text(OP_##id) && op_takes(OP_##id) != TAKES_NOTHING);                                 \
  assert(place == PREFIX || expr_operands(op_expr(OP_##id)) == 2);
#include "front/op.def"
  assert(!strcmp(op_text(OP_and_then), "&&") && !strcmp(op_text(OP_negate), "-"));
}

static void passes_are_known(void)
{
  static const char *const names[] = {
#define PASS(name, when, dump, text) #name,
#include "passes.def"
  };
  assert(COUNT_OF(names) == PASS_COUNT && !strcmp(names[PASS_lex], "lex"));
  assert(PASS_parse < PASS_resolve && PASS_resolve < PASS_check && PASS_check < PASS_gen);
}

static void explanations_match(void)
{
  static const struct {
    const char *id;
    Severity severity;
  } rows[] = {
#define DIAG(id, severity, format) {#id, SEVERITY_##severity},
#include "text/diag.def"
  };
  size_t next = 0;
  for (size_t i = 0; i < COUNT_OF(rows); ++i) {
    if (rows[i].severity == SEVERITY_NOTE) continue;
    const char *id = ck_diagnostic_id(next++);
    if (!id || strcmp(id, rows[i].id) != 0) die("diag.def has %s, explain.def %s", rows[i].id, id);
    assert(strlen(ck_explain(id)) > 20);
  }
  assert(!ck_diagnostic_id(next) && !ck_explain("no_such_id"));
}

int main(void)
{
  Names names;
  Types all;
  names_init(&names, &arena);
  types_init(&all, &arena);
  builtins_are_found(&names);
  types_are_ordered(&all);
  operators_are_spelt();
  passes_are_known();
  explanations_match();
  arena_free(&arena);
  puts("passed");
  return 0;
}
