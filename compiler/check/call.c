/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* call.c - types calls: conversions T(x), functions, generic functions, methods, builtins.
 *
 * needs   names resolved
 * gives   call->decl, the function or instance that is called, with its arguments converted and in
 *         the order of the parameters; or call->builtin
 * keeps   bodies: a called function's body is checked later (Check.pending)
 * fails   with DIAG_no_overload, DIAG_argument_count, ...
 *
 * Overload resolution: the arguments get their types once. A candidate is viable if its
 * compile-time parameters can be inferred and each argument converts implicitly to its parameter.
 * Of the viable ones the best is chosen by, in this order: the lowest sum of conversion costs; the
 * narrower parameter types (T[N] before T, u32 before T: int); the narrower constraints; the
 * earlier declaration.
 *
 *     fn f(x: u64)   fn f<T: int>(x: T)      f(1u32): the second, no conversion (the first costs 5)
 *
 * Inference (infer) unifies the parameters' written types with the arguments' types. Literals take
 * the type that the context expects, otherwise i32 or f32. With one candidate alone its mismatch is
 * reported at the argument; with several, all of them are listed in notes.
 */
#include "check/check_private.h"
#include "front/builtin.h"
#include "front/memory.h"
#include "front/target.h"

#include <stdlib.h>
#include <string.h>

typedef struct Match {
  Node *function; /* the candidate */
  Node *args[PARAMS_MAX];
  Binding bindings[PARAMS_MAX];
  uint32_t param_count, binding_count;
  uint32_t cost;
  bool is_last_try; /* literals take only types that the constraints allow */
  /* If nothing else is wrong: a literal that is too large for its parameter, and the parameter's
   * type. */
  Node *misfit;
  Type *too_small;
} Match;

/* Is it __place<T>, which takes memory as an argument? */
static bool is_place_type(const Node *written)
{
  return written->kind == NODE_instance && written->a->kind == NODE_name && written->a->builtin &&
         written->a->builtin->form == FORM__place;
}

static Node *first_param(const Node *function)
{
  Node *param = function->b;
  return param && param->kind == NODE_receiver ? param->next : param;
}

static const char *source_span_text(Session *c, const Node *node)
{
  if (is_place_type(node)) node = node->b;
  return arena_strndup(&c->scratch, source_text(&c->sources, node->span),
                       node->span.hi - node->span.lo);
}

static const char *count_text(Session *c, uint32_t count)
{
  if (count == 0) return "no arguments";
  return arena_printf(&c->scratch, "%u argument%s", count, count == 1 ? "" : "s");
}

/* ---- matching one candidate ---- */

/* The compile-time parameter that a named argument gives, as in f(x, order = relaxed); or NULL. */
static Node *names_const(const Node *function, const Node *arg)
{
  for (Node *param = generic_params(function); param; param = param->next)
    if (param->kind == NODE_const_param && param->name == arg->name) return param;
  return NULL;
}

/* The position among the arguments of a `const n: u32` that is declared in (...), behind a `self`
 * that isn't written. */
static uint64_t const_place(const Node *function, const Node *param)
{
  const Node *first = first_param(function);
  bool has_self =
      first && !strcmp(first->name->text, "self") && first->span.lo == function->span.lo;
  return param->c ? param->c->bits + has_self : UINT64_MAX;
}

static void put_param(Session *c, Buf *out, const Node *param)
{
  if (!strncmp(param->name->text, "__", 2)) return; /* a parameter that only the library uses */
  if (out->data[out->len - 1] != '(') buf_puts(out, ", ");
  buf_printf(out, "%s%s: %s%s", param->kind == NODE_const_param ? "const " : "", param->name->text,
             op_text(param->op), param->op ? " " : "");
  buf_puts(out, source_span_text(c, param->a));
}

static const char *signature_text(Session *c, const Node *function)
{
  Buf text = BUF(&c->scratch);
  const Node *receiver = function->b && function->b->kind == NODE_receiver ? function->b : NULL;
  buf_printf(&text, "%s%s%s(", receiver ? receiver->name->text : "", receiver ? "." : "",
             function->name->text);
  const Node *param = first_param(function);
  for (uint64_t place = 0;; ++place) {
    const Node *known = generic_params(function);
    while (known && (known->kind != NODE_const_param || const_place(function, known) != place))
      known = known->next;
    if (!known && !param) break;
    put_param(c, &text, known ? known : param);
    if (!known) param = param->next;
  }
  buf_puts(&text, ")");
  return buf_text(&text);
}

/* Does an argument at the position give a compile-time parameter? `before`: how many of the earlier
 * positions do. */
static bool is_const_place(const Node *function, uint64_t position, uint32_t *before)
{
  bool is_const = false;
  *before = 0;
  for (const Node *param = generic_params(function); param; param = param->next) {
    if (param->kind != NODE_const_param || !param->c) continue;
    uint64_t place = const_place(function, param);
    is_const |= place == position;
    *before += place < position;
  }
  return is_const;
}

static Node *named_value(const Node *call, const Node *function, const Node *param)
{
  uint64_t position = 0, place = UINT64_MAX;
  if (param->kind == NODE_const_param) place = const_place(function, param);
  for (Node *arg = call->b; arg; arg = arg->next)
    if (arg->kind != NODE_argument && position++ == place) return arg;
  for (Node *arg = call->b; arg; arg = arg->next) {
    if (arg->kind != NODE_argument || arg->name != param->name) continue;
    const Node *p = first_param(function);
    while (p && p->name != arg->name) p = p->next;
    return p || param->kind != NODE_const_param ? NULL : arg->a;
  }
  return NULL;
}

/* `arg` is named, and no parameter has its name. */
static void unknown_argument(Session *c, const Node *arg, const Node *function, const Node *params)
{
  Span name = {arg->span.lo, arg->span.lo + (uint32_t)arg->name->len};
  diag_at(&c->diag, DIAG_unknown_argument, name, function->name->text, arg->name->text);
  diag_note(&c->diag, DIAG_candidate, function->span, signature_text(c, function));
  Suggestion suggestion = suggest_for(arg->name->text);
  for (; params; params = params->next) suggest_offer(&suggestion, params->name->text, 0);
  for (Node *param = generic_params(function); param; param = param->next)
    if (param->kind == NODE_const_param) suggest_offer(&suggestion, param->name->text, 1);
  suggest_give(c, &suggestion, name);
}

/* Does an earlier argument, or a positional one, give the same constant? */
static bool is_const_twice(const Node *call, const Node *function, const Node *arg)
{
  uint64_t place = const_place(function, names_const(function, arg)), position = 0;
  bool is_twice = false;
  for (const Node *other = call->b; other != arg; other = other->next)
    is_twice |= other->kind == NODE_argument ? other->name == arg->name : position++ == place;
  return is_twice;
}

static bool twice(Session *c, Span span, const Node *param, bool is_loud)
{
  if (is_loud) diag_at(&c->diag, DIAG_twice_argument, span, param->name->text);
  return false;
}

/* Puts the arguments in the order of the parameters. Reports a mistake if `is_loud`. */
static bool place_arguments(Session *c, Node *call, Match *match, bool is_loud)
{
  Node *param = first_param(match->function);
  uint32_t given = node_count(call->b), required = 0;
  match->param_count = node_count(param);
  if (match->param_count > PARAMS_MAX) return false;
  for (Node *p = param; p; p = p->next) required += p->b == NULL;
  uint32_t position = 0;
  memset(match->args, 0, match->param_count * sizeof *match->args);
  for (Node *arg = call->b; arg; arg = arg->next) {
    uint32_t at = position;
    if (arg->kind == NODE_argument) {
      at = 0;
      for (Node *p = param; p && p->name != arg->name; p = p->next) ++at;
      if (at == match->param_count && names_const(match->function, arg)) {
        if (is_const_twice(call, match->function, arg)) return twice(c, arg->span, arg, is_loud);
        --given;
        continue;
      }
      if (at == match->param_count) {
        if (is_loud) unknown_argument(c, arg, match->function, param);
        return false;
      }
    } else {
      uint32_t before;
      bool is_const = is_const_place(match->function, position++, &before);
      at -= before;
      if (is_const) {
        --given;
        continue;
      }
    }
    if (at >= match->param_count) break;
    if (match->args[at]) {
      Node *p = param;
      for (uint32_t i = 0; i < at; ++i) p = p->next;
      return twice(c, arg->span, p, is_loud);
    }
    match->args[at] = arg->kind == NODE_argument ? arg->a : arg;
  }
  uint32_t placed = 0, i = 0;
  for (Node *p = param; p; p = p->next, ++i) placed += match->args[i] || p->b;
  if (given <= match->param_count && placed == match->param_count) return true;
  if (is_loud) {
    const char *takes = count_text(c, match->param_count);
    if (required != match->param_count)
      takes = arena_printf(&c->scratch, "%u to %u arguments", required, match->param_count);
    diag_at(&c->diag, DIAG_argument_count, call->span, match->function->name->text, takes, given);
    diag_note(&c->diag, DIAG_declared_here, match->function->span, match->function->name->text);
  }
  return false;
}

static Binding *find_binding(Match *match, const Node *param)
{
  for (uint32_t i = 0; i < match->binding_count; ++i)
    if (match->bindings[i].param == param) return &match->bindings[i];
  return NULL;
}

/* The binding of the compile-time parameter that is written here, or NULL. */
static Binding *bound_here(Match *match, const Node *written, NodeKind kind)
{
  bool is_param = written->kind == NODE_name && written->decl && written->decl->kind == kind;
  return is_param ? find_binding(match, written->decl) : NULL;
}

static void unify(Session *c, Match *match, const Node *written, Type *type);

static void unify_value(Match *match, const Node *written, Node *value)
{
  Binding *binding = bound_here(match, written, NODE_const_param);
  if (binding && !binding->value) binding->value = value;
}

/* Unifies `P<T, N>` with an instance such as P<f32, 4>. */
static void unify_struct(Session *c, Match *match, const Node *written, const Type *type)
{
  written = alias_end((Node *)(uintptr_t)written);
  if (struct_named(written) != type->origin || written->kind != NODE_instance) return;
  const Node *arg = written->b;
  for (Node *param = generic_params(type->decl); param && arg; param = param->next) {
    if (param->kind == NODE_type_param) unify(c, match, arg, param->type);
    else unify_value(match, arg, param->b);
    arg = arg->next;
  }
}

/* A memory argument fixes the type: a wider value among the other arguments must not change it. */
static void unify_place(Session *c, Match *match, const Node *written, Type *type)
{
  unify(c, match, written, type);
  Binding *binding = bound_here(match, written, NODE_type_param);
  if (binding && binding->type) binding->is_explicit = true;
}

/* Binds the compile-time parameters in a written type so that it becomes `type`. */
static void unify(Session *c, Match *match, const Node *written, Type *type)
{
  if (written->kind == NODE_name) {
    Binding *binding = bound_here(match, written, NODE_type_param);
    if (!binding || binding->is_explicit || type_is_literal(type)) return;
    if (type->kind == TYPE_range && type_is_literal(type->element))
      type = type_range(c->types, c->types->type_i32, type->rank);
    if (!binding->type || type_widens(binding->type, type)) binding->type = type;
  } else if (written->kind == NODE_index && (type->kind == TYPE_span || type->kind == TYPE_array)) {
    for (const Node *extent = written->b; extent && type->kind == TYPE_array;
         extent = extent->next, type = type->element)
      unify_value(match, extent,
                  node_int(c->unit, extent->span, c->types->int_literal, type->count));
    unify(c, match, written->a, type->kind == TYPE_span || !written->b ? type->element : type);
  } else if (written->kind == NODE_tuple && type->kind == TYPE_tuple) {
    uint32_t i = 0;
    for (const Node *item = written->a; item && i < type->count; item = item->next)
      unify(c, match, item, type->elements[i++]);
  } else if (is_place_type(written)) {
    unify_place(c, match, written->b, type->kind == TYPE_place ? type->element : type);
  } else if (written->kind == NODE_instance && type->kind == TYPE_vector) {
    const Node *count = written->b->next;
    if (!count || (count->kind == NODE_int && count->bits != type->count)) return;
    Binding *binding =
        count->kind == NODE_name && count->decl ? find_binding(match, count->decl) : NULL;
    if (binding && !binding->value)
      binding->value = node_int(c->unit, written->span, c->types->type_u32, type->count);
    unify(c, match, written->b, type->element);
  } else if (written->kind == NODE_instance && type->kind == TYPE_range && !type->rank) {
    unify(c, match, written->b,
          type_is_literal(type->element) ? c->types->type_i32 : type->element);
  } else if (written->kind == NODE_instance && type->kind == TYPE_pointer) {
    unify(c, match, written->b, type->element);
  } else if (type->kind == TYPE_struct) {
    unify_struct(c, match, written, type);
  }
}

static bool is_written(Match *match, const Node *written, const Type *type);

static bool is_written_value(Match *match, const Node *written, const Node *value, uint64_t bits)
{
  const Binding *binding = bound_here(match, written, NODE_const_param);
  if (binding) written = binding->value;
  bool is_known = written && written->kind == NODE_int;
  return !is_known || (value ? value->bits == written->bits : bits == written->bits);
}

static bool is_written_struct(Match *match, const Node *written, const Type *type)
{
  written = alias_end((Node *)(uintptr_t)written);
  if (type->kind != TYPE_struct || struct_named(written) != type->origin) return false;
  const Node *arg = written->kind == NODE_instance ? written->b : NULL;
  for (Node *param = generic_params(type->decl); param && arg; param = param->next) {
    bool is_same = param->kind == NODE_type_param ? is_written(match, arg, param->type)
                                                  : is_written_value(match, arg, param->b, 0);
    if (!is_same) return false;
    arg = arg->next;
  }
  return true;
}

/* Does the written type, with the compile-time parameters bound, mean `type`? An array may also be
 * passed where a span is written. */
static bool is_written(Match *match, const Node *written, const Type *type)
{
  if (struct_named(written)) return is_written_struct(match, written, type);
  if (written->kind == NODE_name) {
    const Binding *binding = bound_here(match, written, NODE_type_param);
    if (binding) return binding->type == type;
    const Node *decl = written->type || written->builtin ? NULL : written->decl;
    if (decl && (decl->kind == NODE_alias || decl->kind == NODE_enumeration))
      return decl->type == type;
    return !written->type || written->type->kind != TYPE_type || written->type->element == type;
  }
  if (written->kind == NODE_tuple) {
    uint32_t i = 0;
    for (const Node *item = written->a; item && type->kind == TYPE_tuple; item = item->next, ++i)
      if (i >= type->count || !is_written(match, item, type->elements[i])) return false;
    return type->kind == TYPE_tuple && i == type->count;
  }
  if (written->kind == NODE_index) {
    uint32_t rank = node_count(written->b);
    if (type->kind == TYPE_span && type->rank != (rank ? rank : 1)) return false;
    if (type->kind == TYPE_span || (type->kind == TYPE_array && !written->b))
      return is_written(match, written->a, type->element);
    for (const Node *extent = written->b; extent; extent = extent->next, type = type->element)
      if (type->kind != TYPE_array ||
          (extent->kind != NODE_open && !is_written_value(match, extent, NULL, type->count)))
        return false;
    return is_written(match, written->a, type);
  }
  if (is_place_type(written))
    return type_is_literal(type) ||
           is_written(match, written->b, type->kind == TYPE_place ? type->element : type);
  if (written->kind == NODE_instance && type->kind == TYPE_vector)
    return is_written(match, written->b, type->element) &&
           (!written->b->next || is_written_value(match, written->b->next, NULL, type->count));
  if (written->kind == NODE_instance) /* range<T>, ptr<T> */
    return ((type->kind == TYPE_range && !type->rank) || type->kind == TYPE_pointer) &&
           (type_is_literal(type->element) || is_written(match, written->b, type->element));
  return true;
}

static bool is_element_of(const Node *written)
{
  return written->kind == NODE_instance && written->a->kind == NODE_name && written->a->builtin &&
         written->a->builtin->form == FORM_element_of && !written->b->next;
}

/* Binds a default. It may name a parameter before it. */
static void take_default(Session *c, Match *match, Binding *binding)
{
  const Node *given = binding->param->b;
  const Binding *other = bound_here(match, given, (NodeKind)binding->param->kind);
  if (binding->type || binding->value) return;
  if (other) {
    binding->type = other->type;
    binding->value = other->value;
  } else if (is_element_of(given) && (other = bound_here(match, given->b, NODE_type_param))) {
    if (other->type) binding->type = check_element_of(c, given, other->type);
  } else if (binding->param->kind == NODE_type_param) {
    binding->type = check_type(c, node_copy(c->unit, given));
  } else {
    binding->value = node_copy(c->unit, given);
  }
}

/* Does an explicit argument name a value where the function takes a type, or the reverse? */
static bool is_other_kind(const Node *param, const Node *arg)
{
  if (arg->kind != NODE_name) return arg->kind == NODE_int && param->kind == NODE_type_param;
  NodeKind kind = arg->decl ? (NodeKind)arg->decl->kind : NODE_poison;
  if (param->kind == NODE_type_param) return kind == NODE_constant || kind == NODE_const_param;
  return kind == NODE_type_param || kind == NODE_structure ||
         (arg->type && arg->type->kind == TYPE_type);
}

/* The type to infer from an argument. A shared array for a parameter of any type is passed as a
 * span: by value each thread would copy it. */
static Type *type_of_argument(Session *c, Match *match, const Node *written, uint32_t i)
{
  enum { RANK_MAX = 4 }; /* of spans */
  const Node *arg = match->args[i], *root = place_root(arg);
  Type *type = arg->type;
  bool is_shared = type->kind == TYPE_array && root && root->kind == NODE_shared;
  if (!is_shared || !bound_here(match, written, NODE_type_param)) return type;
  unsigned rank = 1;
  Type *element = type->element;
  for (; element->kind == TYPE_array; element = element->element) ++rank;
  return rank > RANK_MAX ? type : type_span(c->types, element, rank, OP_inout);
}

/* Does the result's type depend on the parameter? If none is written, it may. */
static bool is_named_in(const Node *result, const Node *param)
{
  if (!result || (result->kind == NODE_name && result->decl == param)) return true;
  for (unsigned i = 0; i < node_width(result); ++i)
    for (const Node *part = result->children[i]; part; part = part->next)
      if (is_named_in(part, param)) return true;
  return false;
}

/* Infers the compile-time parameters: from explicit arguments, then from the call's arguments, then
 * from defaults. */
static bool infer(Session *c, Node *call, Node *explicit_args, Match *match, Type *hint,
                  bool is_loud)
{
  Node *function = match->function;
  match->binding_count = 0;
  Node *arg = explicit_args;
  for (Node *param = generic_params(function); param; param = param->next) {
    if (match->binding_count == PARAMS_MAX) return false; /* reported where it is declared */
    bool is_inherited = param->flags & FLAG_inherited;    /* taken from the type of self */
    Binding binding = {.param = param, .is_explicit = arg != NULL && !is_inherited};
    if (arg && !is_inherited) {
      if (!is_loud && is_other_kind(param, arg)) return false;
      if (param->kind == NODE_type_param) binding.type = check_type(c, arg);
      else if (check_value(c, arg, NULL) == c->types->poison) return false;
      else if (evaluate(c, arg)) binding.value = arg;
      else shape_not_constant(c, arg);
      if (binding.type == c->types->poison || (!binding.type && !binding.value)) return false;
      const Node *again = named_value(call, function, param);
      if (again) return twice(c, again->span, param, is_loud);
      arg = arg->next;
    } else if ((binding.value = named_value(call, function, param))) {
      binding.is_explicit = true;
      if (!evaluate(c, binding.value)) {
        if (is_loud) {
          shape_not_constant(c, binding.value);
          hint_hidden_word(c, param->name->text, binding.value);
        }
        return false;
      }
    }
    match->bindings[match->binding_count++] = binding;
  }
  if (arg) {
    if (is_loud)
      diag_at(&c->diag, DIAG_argument_count, arg->span, function->name->text,
              count_text(c, match->binding_count), node_count(explicit_args));
    return false;
  }
  uint32_t i = 0;
  for (Node *param = first_param(function); param; param = param->next, ++i)
    if (match->args[i]) unify(c, match, param->a, type_of_argument(c, match, param->a, i));
  if (!function->d && hint && hint->kind == TYPE_struct) unify(c, match, function->c, hint);
  /* A parameter that only literals bind takes the type that the context expects, or i32 or f32. */
  i = 0;
  for (Node *param = first_param(function); param; param = param->next, ++i) {
    const Node *written = param->a;
    if (!match->args[i] || !type_is_literal(match->args[i]->type)) continue;
    if (written->kind != NODE_name || !written->decl || written->decl->kind != NODE_type_param)
      continue;
    Binding *binding = find_binding(match, written->decl);
    /* otherwise its default is taken */
    bool is_open = binding && !binding->is_explicit && !written->decl->b;
    if (is_open && (!binding->type || binding->type == c->types->type_i32)) {
      bool is_float = match->args[i]->type->kind == TYPE_float_literal;
      if (binding->type && !is_float) continue;
      /* i32 came from a literal, which a float literal overrides, or from a value, which stays. */
      if (binding->type) {
        bool is_typed = false;
        uint32_t k = 0;
        for (Node *p = first_param(function); p; p = p->next, ++k)
          is_typed |= match->args[k] && p->a->decl == written->decl &&
                      match->args[k]->type == c->types->type_i32;
        if (is_typed) continue;
      }
      bool is_hint = hint && is_named_in(function->c, written->decl) &&
                     (is_float ? type_is_float(hint) : type_is_int(hint) || type_is_float(hint)) &&
                     (!match->is_last_try || check_constraint(c, written->decl->a, hint));
      binding->type = is_hint ? hint : is_float ? c->types->type_f32 : c->types->type_i32;
    }
  }
  for (uint32_t k = 0; k < match->binding_count; ++k) {
    Binding *binding = &match->bindings[k];
    const Node *param = binding->param;
    bool is_type = param->kind == NODE_type_param;
    if (param->b) take_default(c, match, binding);
    if (is_type ? !binding->type : !binding->value) {
      if (is_loud)
        diag_at(&c->diag, DIAG_no_inference, call->span, param->name->text, function->name->text);
      return false;
    }
    if (is_type && !check_constraint(c, param->a, binding->type)) {
      if (is_loud) {
        const char *wanted = param->a->kind == NODE_name ? param->a->name->text : "that";
        diag_at(&c->diag, DIAG_constraint, call->span, param->name->text, type_text(binding->type),
                arena_printf(&c->scratch, "'%s'", wanted));
        diag_note(&c->diag, DIAG_declared_here, param->span, param->name->text);
      }
      return false;
    }
  }
  return true;
}

/* The type of a parameter after binding, without making the instance; NULL if it isn't known as a
 * whole. `known`: the type if nothing is bound. */
static Type *bound_type(Match *match, const Node *written, Type *known)
{
  if (!match->binding_count) return known;
  if (written->kind == NODE_name && written->decl && written->decl->kind == NODE_type_param) {
    Binding *binding = find_binding(match, written->decl);
    return binding ? binding->type : NULL;
  }
  if (written->kind == NODE_name && written->type && written->type->kind == TYPE_type)
    return written->type->element;
  return NULL;
}

/* Costs of conversions. A value's conversion costs more than any typing of a literal, so that a
 * candidate which only gives literals a type is preferred. */
enum { CONVERSION_COST = 5 };

/* The cost of giving a literal a type: 1 for the expected type of the literal's kind, if it is
 * also the call's result; 2 for i32 or f32; 3 for the expected type of the other kind; 4 for
 * any other. */
static uint32_t literal_cost(Session *c, Match *match, const Type *literal, const Type *type,
                             const Type *hint)
{
  const Node *function = match->function;
  bool is_int = literal->kind == TYPE_int_literal;
  bool is_asked =
      hint && hint == type && function->c && bound_type(match, function->c, function->type) == hint;
  if (is_asked && type_is_int(type) == is_int) return 1;
  if (type == (is_int ? c->types->type_i32 : c->types->type_f32)) return 2;
  return is_asked ? 3 : 4;
}

/* Does the argument fit a parameter whose type can't be bound as a whole? */
static bool fits_written(Match *match, const Node *param, const Node *arg)
{
  const Type *type = arg->type;
  bool is_span = param->a->kind == NODE_index && (param->op || !param->a->b);
  if (!match->binding_count || is_written(match, param->a, type)) return true;
  return is_span && type->kind == TYPE_array && is_written(match, param->a->a, type->element);
}

/* Does the span lack the access that the parameter needs? An overload for the other access may
 * follow. */
static bool lacks_access(const Node *param, const Node *arg)
{
  const Type *type = arg->type;
  return type->kind == TYPE_span && param->op && type->access != param->op &&
         type->access != OP_inout;
}

/* Is a span or an array given where one element is asked for? Reports it. */
static bool has_many_as_place(Session *c, Match *match)
{
  uint32_t i = 0;
  for (Node *param = first_param(match->function); param; param = param->next, ++i)
    if (match->args[i] && is_place_type(param->a) && place_refuse_many(c, match->args[i]))
      return true;
  return false;
}

static bool fits(Session *c, Node *call, Node *explicit_args, Match *match, Type *hint,
                 bool is_loud)
{
  Node *misfit = NULL;
  Type *too_small = NULL;
  match->misfit = NULL;
  if (!place_arguments(c, call, match, is_loud)) return false;
  if (is_loud && has_many_as_place(c, match)) return false;
  if (generic_params(match->function)) {
    if (!infer(c, call, explicit_args, match, hint, is_loud)) return false;
  } else if (explicit_args) {
    if (is_loud) diag_at(&c->diag, DIAG_not_generic, call->a->span, match->function->name->text);
    return false;
  } else {
    match->binding_count = 0;
  }
  uint32_t i = 0;
  match->cost = 0;
  for (Node *param = first_param(match->function); param; param = param->next, ++i) {
    Type *type = bound_type(match, param->a, param->type);
    if (!match->args[i] || match->args[i]->type == type) continue;
    if (!type) {
      bool is_other = !is_loud && lacks_access(param, match->args[i]);
      if (!is_other && fits_written(match, param, match->args[i])) continue;
      if (is_loud && match->args[i]->type != c->types->poison)
        diag_at(&c->diag, DIAG_type_mismatch, match->args[i]->span, type_text(match->args[i]->type),
                source_span_text(c, param->a));
      return false;
    }
    match->cost += type_is_literal(match->args[i]->type)
                       ? literal_cost(c, match, match->args[i]->type, type, hint)
                       : CONVERSION_COST;
    if (!convert_is_implicit(c, match->args[i], type)) {
      if (is_loud) convert_to(c, &match->args[i], type);
      bool is_number = type_is_int(type) || type_is_float(type);
      if (!type_is_literal(match->args[i]->type) || !is_number) return false;
      if (!misfit) misfit = match->args[i], too_small = type;
    }
  }
  match->misfit = misfit;
  match->too_small = too_small;
  return !misfit;
}

/* ---- the call ---- */

/* Reports an array that a function would write and that can't be assigned. */
static void check_written(Session *c, const Node *arg)
{
  const Node *root = arg;
  while (root->kind == NODE_index) root = root->a;
  const Node *decl = root->kind == NODE_name ? root->decl : NULL;
  if (decl && (decl->kind == NODE_var || decl->kind == NODE_shared)) return;
  diag_at(&c->diag, DIAG_not_assignable, arg->span);
  diag_hint(&c->diag, "An array that a function writes is a 'var' or 'shared'.");
}

/* The value of a parameter that the call leaves out. A default that leaves out the same parameter
 * never ends: FLAG_seen finds it. */
static Node *default_value(Session *c, Node *param, const Node *function)
{
  Node *value = node_copy(c->unit, param->b);
  if (param->flags & FLAG_seen) {
    if (!c->diag.error_count)
      diag_at(&c->diag, DIAG_default_cycle, param->b->span, function->name->text);
    value->type = c->types->poison;
    return value;
  }
  param->flags |= FLAG_seen;
  check_expr(c, value, param->type);
  param->flags &= ~(uint32_t)FLAG_seen;
  return value;
}

/* Puts the chosen function and its converted arguments into the call. */
static Type *finish(Session *c, Node *call, Match *match)
{
  Node *function = match->function;
  if (function->flags & FLAG_plan)
    function = plan_callee(c, function, match->bindings, match->binding_count, call);
  else if (match->binding_count)
    function = generic_instance(c, function, match->bindings, match->binding_count, call);
  if (!function) return poison(c, call);
  check_signature(c, function);
  check_required(c, function, call->span);
  if (!(function->flags & FLAG_checked)) vec_push(c->unit, &c->check->pending, function);
  uint32_t i = 0;
  Node **end = &call->b;
  call->b = NULL;
  for (Node *param = first_param(function); param; param = param->next, ++i) {
    Node *arg = match->args[i] ? match->args[i] : default_value(c, param, function);
    arg->next = NULL;
    if (arg->type->kind == TYPE_array && param->type->kind == TYPE_span &&
        param->type->access != OP_in)
      check_written(c, arg);
    convert_to(c, &arg, param->type);
    *end = arg;
    end = &arg->next;
  }
  check_shuffle(c, call, function);
  call->decl = function;
  call->builtin = NULL;
  CallEdge edge = {c->check->function, function};
  /* in launch(...) and in extents the host makes the call */
  if (c->check->function) vec_push(c->unit, &c->calls, edge);
  return call->type = function->type;
}

static const char *argument_types(Session *c, const Node *call)
{
  Buf text = BUF(&c->scratch);
  for (const Node *arg = call->b; arg; arg = arg->next) {
    bool is_named = arg->kind == NODE_argument;
    buf_printf(&text, "%s%s%s%s", arg == call->b ? "" : ", ", is_named ? arg->name->text : "",
               is_named ? " = " : "", type_text(is_named ? arg->a->type : arg->type));
  }
  return buf_text(&text);
}

/* Gives the candidate's parameters their types, so that arguments can be compared with them. */
static Node *know_signature(Session *c, Node *candidate)
{
  if (!generic_params(candidate)) {
    candidate = generic_in_shape(c, candidate);
    check_signature(c, candidate);
  } else if (candidate->flags & FLAG_library && !(candidate->flags & FLAG_checking)) {
    /* Unification looks at the written types of its parameters: their names have to be resolved. */
    resolve_copy(c, candidate);
    candidate->flags |= FLAG_checking;
  }
  return candidate;
}

static bool is_open(const Node *written)
{
  const Node *decl = written->kind == NODE_name ? written->decl : NULL;
  return decl && (decl->kind == NODE_type_param || decl->kind == NODE_const_param);
}

enum { FIRST_NARROWER = 1, SECOND_NARROWER = 2 };

/* Which of two written parameter types accepts less; both bits, if each does in some part. T[N] is
 * narrower than T, u32 than T: int, and that than T: number. */
static unsigned compare_types(const Node *one, const Node *other)
{
  bool is_open_one = is_open(one), is_open_other = is_open(other);
  if (is_open_one != is_open_other) return is_open_one ? SECOND_NARROWER : FIRST_NARROWER;
  if (is_open_one) {
    int loose = check_looseness(one->decl), loose_other = check_looseness(other->decl);
    return loose == loose_other ? 0 : loose < loose_other ? FIRST_NARROWER : SECOND_NARROWER;
  }
  bool has_parts = one->kind == NODE_index || one->kind == NODE_instance;
  if (one->kind != other->kind || !(has_parts || one->kind == NODE_tuple)) return 0;
  unsigned narrower = has_parts ? compare_types(one->a, other->a) : 0;
  const Node *part = has_parts ? one->b : one->a, *match = has_parts ? other->b : other->a;
  for (; part && match; part = part->next, match = match->next)
    narrower |= compare_types(part, match);
  return narrower;
}

/* Parameters with a default don't count: f(v, init: T) is narrower than f(v, valid: u32 = N). */
static unsigned compare_parameters(const Match *one, const Match *other)
{
  unsigned narrower = 0;
  Node *const *arg = one->args;
  for (const Node *param = first_param(one->function); param; param = param->next, ++arg) {
    Node *const *same = other->args;
    for (const Node *p = first_param(other->function); p && *arg; p = p->next, ++same)
      if (*same == *arg && !param->b && !p->b) narrower |= compare_types(param->a, p->a);
  }
  return narrower;
}

/* Compares two viable candidates: by cost, by narrower parameters, then by narrower constraints if
 * both have as many compile-time parameters or one has none. If all are equal, the first declared
 * wins. */
static bool is_better(const Match *match, const Match *best)
{
  if (match->cost != best->cost) return match->cost < best->cost;
  unsigned narrower = compare_parameters(match, best);
  if (narrower == FIRST_NARROWER || narrower == SECOND_NARROWER) return narrower == FIRST_NARROWER;
  const Node *one = generic_params(match->function), *other = generic_params(best->function);
  if (one && other && node_count(one) != node_count(other)) return false;
  int looseness = 0;
  for (; one; one = one->next) looseness += check_looseness(one);
  for (; other; other = other->next) looseness -= check_looseness(other);
  return looseness < 0;
}

/* Does the function take memory? Then it can't be applied to a vector's components one by one. */
static bool takes_memory(const Node *function)
{
  for (const Node *param = first_param(function); param; param = param->next)
    if (param->a && is_place_type(param->a)) return true;
  return false;
}

/* The literal that is too large for each candidate whose other arguments fit: then the literal is
 * the mistake, not the choice of the function. */
typedef struct Misfit {
  Node *literal;
  Type *type;
  bool is_several;
} Misfit;

static void note_misfit(Misfit *common, const Match *match)
{
  if (!match->misfit) return;
  common->is_several |=
      common->literal && (common->literal != match->misfit || common->type != match->too_small);
  common->literal = match->misfit;
  common->type = match->too_small;
}

Type *check_chosen(Session *c, Node *call, Node *const *chains, unsigned count, Node *explicit_args,
                   Type *hint, bool is_loud)
{
  bool is_one = count == 1 && !resolve_overload(c, chains[0], call->span);
  bool is_each = is_loud && chains[0]->flags & FLAG_library && check_is_each(call) &&
                 !takes_memory(know_signature(c, chains[0]));
  Match matches[2], *best = NULL, *match = matches; /* not cleared, because they are large */
  Misfit common = {.literal = NULL};
  /* The first round takes the expected type for literals, whatever the constraints allow: max(1, 2)
   * for an f32 is max of f32. The second takes it only where a constraint allows it: f32(at(0))
   * calls an `at` of integers. */
  for (bool is_last = is_one || !hint;; is_last = true) {
    for (unsigned i = 0; i < count && !best; ++i) {
      for (Node *candidate = chains[i]; candidate;
           candidate = resolve_overload(c, candidate, call->span)) {
        match->function = know_signature(c, candidate);
        match->is_last_try = is_last;
        if (!fits(c, call, explicit_args, match, hint, is_loud && is_one && !is_each)) {
          note_misfit(&common, match);
          continue;
        }
        if (best && !is_better(match, best)) continue;
        best = match;
        match = &matches[best == matches];
      }
    }
    if (best || is_last) break;
  }
  if (best) return finish(c, call, best);
  if (!is_loud) return NULL;
  if (is_each) return check_each(c, call, chains, count, explicit_args, hint);
  for (const Node *arg = explicit_args; arg; arg = arg->next)
    if (arg->kind == NODE_poison) return poison(c, call);
  if (!is_one && common.literal && !common.is_several) {
    convert_to(c, &common.literal, common.type);
  } else if (!is_one) {
    diag_at(&c->diag, DIAG_no_overload, call->span, chains[0]->name->text, argument_types(c, call));
    bool takes_float = false;
    for (unsigned i = 0; i < count; ++i)
      for (Node *candidate = chains[i]; candidate;
           candidate = resolve_overload(c, candidate, call->span)) {
        diag_note(&c->diag, DIAG_candidate, candidate->span, signature_text(c, candidate));
        const Node *param = first_param(candidate);
        takes_float |= param && !param->next && param->type && type_is_float(param->type);
      }
    const Node *first = call->b;
    if (first && first->kind == NODE_argument) first = first->a;
    if (first && !call->b->next && type_is_int(first->type) && takes_float)
      diag_hint(&c->diag, "Convert the argument: %s(f32(%s)).", chains[0]->name->text,
                short_text(c, first));
  }
  return poison(c, call);
}

/* ---- builtins ---- */

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
static uint32_t reduction_of(const Type *type, const Type *function)
{
  static const Op operators[] = {OP_add, OP_none, OP_none, OP_and, OP_or, OP_xor};
  enum { SUM, MIN, MAX, NONE = COUNT_OF(operators) };
  if (function->kind != TYPE_closure || !(type_is_int(type) || type_is_float(type))) return NONE;
  const Node *decl = function->decl;
  for (uint32_t i = 0; i < NONE; ++i)
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

static Type *check_intrinsic(Session *c, Node *call, const Builtin *builtin)
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
  if (!strcmp(builtin->name, "__operator")) {
    uint32_t which = reduction_of(call->b->type, call->b->next->type);
    node_become(call, node_int(c->unit, call->span, c->types->type_u32, which));
    return call->type;
  }
  if (!strcmp(builtin->name, "__is_host")) return become_bool(c, call, c->target->is_host);
  if (!strcmp(builtin->name, "__is_chip")) return become_bool(c, call, c->target->suffix != 0);
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

static Type *check_form(Session *c, Node *call, const Builtin *builtin)
{
  uint32_t given = node_count(call->b);
  bool is_count = builtin->form == FORM_print     ? given >= 1 && given <= PARAMS_MAX
                  : builtin->form == FORM_address ? given == 1
                  : builtin->form == FORM_sizeof  ? given == 1
                  : builtin->form == FORM_alignof ? given == 1
                  : builtin->form == FORM__zero   ? given == 1
                  : builtin->form == FORM__any    ? given == 1
                  : builtin->form == FORM__apart  ? given >= 1 && given <= 8
                  : builtin->form == FORM__some   ? given == 1
                  : builtin->form == FORM__shares || builtin->form == FORM__shares_none ? given == 2
                  : builtin->form == FORM__below  ? given == 1 || given == 2
                  : builtin->form == FORM_assert  ? given == 1 || given == 2
                  : builtin->form == FORM__memory ? given >= 1 && given <= 6
                                                  : builtin->form == FORM_trap && given == 0;
  if (builtin->form == FORM_tune) {
    diag_at(&c->diag, DIAG_tune_place, call->span);
    diag_hint(&c->diag, "Declare const ITEMS: u32 = tune(4, 8, 16); outside of functions.");
    return poison(c, call);
  }
  if (builtin->form == FORM_inf || builtin->form == FORM_nan || builtin->form == FORM_range ||
      builtin->form == FORM_ptr || builtin->form == FORM_vec || builtin->form == FORM_element_of) {
    diag_at(&c->diag, DIAG_not_callable, call->span, builtin->name);
    if (builtin->form == FORM_inf || builtin->form == FORM_nan)
      diag_hint(&c->diag, "It is a value: write %s, or %s<f64>.", builtin->name, builtin->name);
    return poison(c, call);
  }
  if (!is_count)
    return poison_at(c, call, DIAG_argument_count, call->span, builtin->name,
                     arena_printf(&c->scratch, "%s arguments", builtin->arguments), given);
  if (builtin->form == FORM__memory) return check_memory(c, call);
  call->type = c->types->none;
  switch (builtin->form) {
  case FORM_address: return check_address(c, call);
  case FORM__zero: return check_zero(c, call);
  case FORM__any: return check_any(c, call);
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
  case FORM_print:
    if (!is_text(c, call->b, "print")) break;
    check_printed(c, call);
    check_format(c, call);
    break;
  default: break;
  }
  return call->type;
}

/* Only functions have parameters with names. */
static bool check_unnamed(Session *c, const Node *call, const char *name)
{
  for (const Node *arg = call->b; arg; arg = arg->next) {
    if (arg->kind != NODE_argument) continue;
    return diag_at(&c->diag, DIAG_unknown_argument, arg->span, name, arg->name->text);
  }
  return true;
}

/* ---- all calls ---- */

/* The type of the parameter that an argument of the only candidate is for. */
static Type *wanted_type(const Node *function, const Node *arg, uint32_t position)
{
  const Node *param = first_param(function);
  if (arg->kind == NODE_argument)
    while (param && param->name != arg->name) param = param->next;
  else
    for (; param && position; --position) param = param->next;
  return param ? param->type : NULL;
}

/* Types of the arguments. `function`: the only one that may be called, or NULL. */
static bool check_arguments(Session *c, Node *call, Type *hint, Node *function)
{
  const Builtin *builtin = call->a->kind == NODE_name ? call->a->builtin : NULL;
  bool takes_text = builtin && (builtin->form == FORM_print || builtin->form == FORM_assert ||
                                builtin->form == FORM__memory);
  bool is_good = true, is_known = function && !resolve_overload(c, function, call->span) &&
                                  !generic_params(function);
  uint32_t position = 0;
  if (is_known) function = know_signature(c, function);
  for (Node *arg = call->b; arg; arg = arg->next, ++position) {
    Node *value = arg->kind == NODE_argument ? arg->a : arg;
    if (is_known) hint = wanted_type(function, arg, position);
    if (value->kind == NODE_string && takes_text) continue;
    is_good &= check_value(c, value, hint) != c->types->poison;
  }
  return is_good;
}

void hint_hidden_word(Session *c, const char *option, const Node *value)
{
  uint64_t bits;
  while (value->kind == NODE_convert) value = value->a;
  if (value->kind != NODE_name || !value->decl || !value->name ||
      !memory_word(option, value->name->text, &bits))
    return;
  diag_note(&c->diag, DIAG_declared_here, value->decl->span, value->name->text);
  diag_hint(&c->diag, "Here '%s' is what is declared, and hides the word of '%s'.",
            value->name->text, option);
}

/* T(value, round = up): rounds the value and removes the argument. */
static bool check_round(Session *c, Node *call, Type *to)
{
  Node *value = call->b, *word = value ? value->next : NULL;
  if (!word || word->next || value->kind == NODE_argument || word->kind != NODE_argument ||
      strcmp(word->name->text, "round") != 0)
    return true;
  if (word->a->kind != NODE_int || word->a->bits > WORD_round_down) {
    diag_at(&c->diag, DIAG_round_word, word->a->span);
    hint_hidden_word(c, "round", word->a);
    return false;
  }
  value->next = NULL;
  return convert_rounded(c, &call->b, to, word->a->bits);
}

static Type *check_conversion(Session *c, Node *call, Type *to)
{
  if (!check_round(c, call, to)) return poison(c, call);
  if (to->kind == TYPE_vector) return check_vector_call(c, call, to);
  uint32_t given = node_count(call->b);
  if (given != 1 || call->b->kind == NODE_argument)
    return poison_at(c, call, DIAG_argument_count, call->span, type_text(to), "1 argument", given);
  Type *from = call->b->type;
  if (!convert_explicitly(c, &call->b, to))
    return poison_at(c, call, DIAG_type_mismatch, call->span, type_text(from), type_text(to));
  Span span = call->span;
  node_become(call, call->b);
  call->span = span;
  return call->type = to;
}

/* The first compile-time arguments of the methods of a tile, its number of lanes, and of a role;
 * NULL for other groups. */
static Node *group_numbers(Session *c, const Node *callee)
{
  if (callee->kind == NODE_instance) callee = callee->a;
  uint32_t numbers[3];
  unsigned count =
      type_group_numbers(callee->kind == NODE_member ? callee->a->type : NULL, numbers);
  Node *first = NULL, **slot = &first;
  for (unsigned i = 0; i < count; ++i, slot = &(*slot)->next)
    *slot = node_int(c->unit, callee->span, c->types->type_u32, numbers[i]);
  return first;
}

/* A call of a group's property becomes a constant if its value is one, as warp.size is, and
 * block.size if the launch gives it. */
static void fold_property(Session *c, Node *call)
{
  Node *function = call->decl;
  bool is_value = function->flags & FLAG_property && function->d->flags & FLAG_expression;
  if (!is_value || call->b) return;
  check_function(c, function);
  const Node *value = function->d->a->a;
  if (!value || value->type != call->type || !fold_is_constant(value)) return;
  Span span = call->span;
  node_become(call, value);
  call->span = span;
}

Type *check_property(Session *c, Node *member, Node *function)
{
  Node *numbers = group_numbers(c, member);
  Node *self = member->a->type->kind == TYPE_group ? NULL : member->a;
  member->kind = NODE_call;
  member->name = NULL;
  member->b = self;
  member->a = node_new(c->unit, NODE_name, member->span);
  member->a->name = function->name;
  member->a->type = c->types->function;
  Type *type = check_chosen(c, member, &function, 1, numbers, NULL, true);
  if (type != c->types->poison) fold_property(c, member);
  return type;
}

/* P(1, 2), P<f64>(x = 1): the constructor's parameters are the fields. */
static Type *check_construct(Session *c, Node *call, Node *constructor, Node *explicit_args,
                             Type *hint)
{
  know_signature(c, constructor);
  if (!check_arguments(c, call, hint, constructor)) return poison(c, call);
  Type *type = check_chosen(c, call, &constructor, 1, explicit_args, hint, true);
  Handle handle;
  if (handle_of(type, &handle) && handle_refuse(c, call->span, type)) return poison(c, call);
  return type;
}

/* x.extent(k) of a span: how many along axis k. */
static Type *check_extent(Session *c, Node *call, Node *member)
{
  uint64_t axis;
  const Type *type = member->a->type;
  if (node_count(call->b) != 1)
    return poison_at(c, call, DIAG_argument_count, call->span, "extent", "1 argument",
                     node_count(call->b));
  if (!check_unnamed(c, call, "extent")) return poison(c, call);
  if (!check_uint_constant(c, call->b, &axis)) return poison(c, call);
  if (axis >= type->rank)
    return poison_at(c, call, DIAG_index_range, call->b->span, scalar_text(c, call->b),
                     arena_printf(&c->scratch, "%u", (unsigned)type->rank));
  member->type = c->types->function;
  call->decl = NULL;
  call->builtin = NULL;
  return call->type = c->types->type_u64;
}

/* a.f(b): a method of a's type, or the function f(a, b). `member` has the type of its a. */
static Type *check_method(Session *c, Node *call, Node *member, Node *explicit_args, Type *hint)
{
  Node *self = member->a, *chains[2], *callee = node_new(c->unit, NODE_name, member->span);
  unsigned count = 1;
  chains[0] = resolve_method(c, self->type, member->name, member->span);
  if (!chains[0]) count = resolve_functions(c, member->name, member->span, chains);
  if (!count) {
    diag_at(&c->diag, DIAG_no_member, member->span, type_text(self->type), member->name->text);
    bool is_counted = self->type->kind == TYPE_span || self->type->kind == TYPE_array;
    bool is_size = !strcmp(member->name->text, "size") || !strcmp(member->name->text, "length");
    Span name = {member->span.hi - (uint32_t)member->name->len, member->span.hi};
    if (is_counted && is_size) diag_hint(&c->diag, "The elements are counted by x.len.");
    else suggest_methods(c, self->type, member->name, name);
    check_arguments(c, call, NULL, NULL);
    return poison(c, call);
  }
  callee->name = member->name;
  callee->type = c->types->function;
  call->a = callee;
  if (!check_arguments(c, call, hint, NULL)) return poison(c, call);
  self->next = call->b;
  call->b = self;
  return check_chosen(c, call, chains, count, explicit_args, hint, true);
}

/* `a.f` of a call, where a is a value: its type is checked here, once. */
static bool is_method(Session *c, Node *member, bool *is_good)
{
  *is_good = true;
  if (member->kind != NODE_member) return false;
  Type *type = check_expr(c, member->a, NULL);
  *is_good = type != c->types->poison;
  bool is_field = type->kind == TYPE_struct && struct_field(type, member->name) >= 0;
  bool is_step = type->kind == TYPE_range && range_method(member);
  return *is_good && type->kind != TYPE_group && type->kind != TYPE_type &&
         type->kind != TYPE_function && type->kind != TYPE_module && !is_field && !is_step;
}

/* The name that a piece of the text spells, or NULL. */
static const Name *name_written(Session *c, Span span)
{
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  const char *text = source_text(&c->sources, span);
  size_t length = span.hi - span.lo;
  bool is_name = length && !(*text >= '0' && *text <= '9') && strspn(text, letters) >= length;
  return is_name ? name_of(&c->names, text, length) : NULL;
}

Type *check_call(Session *c, Node *call, Type *hint)
{
  Node *callee = call->a, *explicit_args = NULL;
  const Node *name = callee->kind == NODE_instance ? callee->a : callee;
  bool is_property = callee->kind == NODE_name && !callee->decl && !callee->builtin;
  if (is_property && call->decl && call->type) return call->type; /* checked before */
  if (name->kind == NODE_name && name->builtin && name->builtin->form == FORM_asm)
    return check_asm(c, call);
  if (callee->kind == NODE_name && callee->builtin) {
    const Builtin *builtin = callee->builtin;
    /* An element of an `out` span has an address and a size too. */
    bool is_unread = builtin->form == FORM_address || builtin->form == FORM_sizeof ||
                     builtin->form == FORM_alignof;
    if (is_unread && call->b) call->b->flags |= FLAG_written;
    if (builtin->form == FORM__below && call->b && !(c->options.flags & CK_COMPILE_CHECK))
      call->b->next = NULL;
    if (!check_unnamed(c, call, builtin->name) || !check_arguments(c, call, NULL, NULL))
      return poison(c, call);
    call->builtin = builtin;
    call->decl = NULL;
    callee->type = c->types->function;
    return builtin->form == FORM_intrinsic ? check_intrinsic(c, call, builtin)
                                           : check_form(c, call, builtin);
  }
  if (callee->kind == NODE_instance && callee->a->kind == NODE_name && callee->a->builtin &&
      callee->a->builtin->form == FORM_bit_cast) {
    if (!check_unnamed(c, call, "bit_cast") || !check_arguments(c, call, NULL, NULL))
      return poison(c, call);
    return check_bit_cast(c, call);
  }
  if (check_is_access(c, callee)) {
    Node *cache = memory_hint(call);
    bool is_load = callee->kind == NODE_instance;
    if (!check_unnamed(c, call, is_load ? "load" : "store") ||
        !check_arguments(c, call, NULL, NULL) || (cache && !memory_check_hint(c, cache, is_load)))
      return poison(c, call);
    Type *type = check_vector_access(c, call);
    if (cache && type != c->types->poison) { /* the hint follows the place and the value */
      Node **end = &call->b;
      while (*end) end = &(*end)->next;
      *end = cache->a;
    }
    return type;
  }
  Node *structure = struct_named(callee), *member = callee;
  if (structure) callee = alias_end(callee);
  if (callee->kind == NODE_instance) {
    explicit_args = callee->b;
    member = callee->a;
  }
  if (structure) return check_construct(c, call, structure->overload, explicit_args, hint);
  bool is_good;
  if (is_method(c, member, &is_good)) {
    bool is_extent = member->a->type->kind == TYPE_span && !strcmp(member->name->text, "extent");
    return is_extent ? check_extent(c, call, member)
                     : check_method(c, call, member, explicit_args, hint);
  }
  Type *type = is_good ? check_expr(c, callee, NULL) : c->types->poison;
  if (type == c->types->poison) {
    check_arguments(c, call, NULL, NULL);
    return poison(c, call);
  }
  if (type->kind == TYPE_type && type->element->kind == TYPE_struct) {
    Node *constructor = struct_constructor(c, type->element);
    return constructor ? check_construct(c, call, constructor, NULL, hint) : poison(c, call);
  }
  if (type->kind == TYPE_type) {
    if (!check_arguments(c, call, type_scalar_of(type->element), NULL)) return poison(c, call);
    return check_conversion(c, call, type->element);
  }
  bool is_closure = type->kind == TYPE_closure;
  if (is_closure && type->decl->kind == NODE_lambda) {
    if (!check_unnamed(c, call, type_text(type)) || !check_arguments(c, call, NULL, NULL))
      return poison(c, call);
    return closure_call(c, call);
  }
  if (type->kind != TYPE_function && !is_closure) {
    /* A name of a constant was replaced by its value; the text still has the name. */
    const Name *word = callee->name ? callee->name : name_written(c, callee->span);
    diag_at(&c->diag, DIAG_not_callable, callee->span, word ? word->text : type_text(type));
    if (word && word != callee->name) cuda_hint(c, word, callee->span);
    if (callee->kind == NODE_call && callee->decl && callee->decl->flags & FLAG_property)
      diag_hint(&c->diag, "It is a value: leave out the parentheses.");
    return poison(c, call);
  }
  if (callee->kind == NODE_member && callee->a->type->kind == TYPE_range) {
    if (!check_unnamed(c, call, callee->name->text) || !check_arguments(c, call, NULL, NULL))
      return poison(c, call);
    return check_range_call(c, call);
  }
  Node *numbers = group_numbers(c, callee);
  if (numbers) {
    node_last(numbers)->next = explicit_args;
    explicit_args = numbers;
  }
  Node *function = is_closure ? type->decl : callee->decl;
  if (function->kind == NODE_kernel)
    return poison_at(c, call, DIAG_kernel_called, callee->span, function->name->text);
  if (call->b) place_mark(first_param(function), call->b);
  if (!check_arguments(c, call, hint, function)) return poison(c, call);
  Node *chains[3];
  if (member->kind != NODE_member && function->b && function->b->kind == NODE_receiver) {
    /* A method called without its group, as a step of an algorithm, or a library function of that
     * name. */
    unsigned count = 1;
    chains[0] = function;
    count += resolve_functions(c, function->name, call->span, chains + 1);
    return check_chosen(c, call, chains, count, explicit_args, hint, true);
  }
  bool in_library = c->check->function && c->check->function->flags & FLAG_library;
  if (callee->kind == NODE_name && !in_library &&
      resolve_functions(c, callee->name, callee->span, chains) == 2 && chains[0] == function) {
    /* A user's max(P, P) doesn't hide the library's max. */
    Type *made = check_chosen(c, call, chains, 2, explicit_args, hint, false);
    if (made) return made;
  }
  return check_chosen(c, call, &function, 1, explicit_args, hint, true);
}
