/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* match.c - compares a call with one function that it may mean.
 *
 * needs   the arguments' types; the function's signature checked, or its written types resolved
 * gives   Match: the arguments in the order of the parameters, the compile-time parameters, a cost
 * keeps   the call and its arguments
 * fails   without a report, or if the function is the only one with the mistake at the argument:
 *         DIAG_argument_count, DIAG_unknown_argument, DIAG_no_inference, DIAG_type_mismatch, ...
 *
 * In three steps: place_arguments puts named and positional arguments to their parameters. infer
 * finds the compile-time parameters by unification of the parameters' written types with the types
 * of the arguments. match_fits adds the costs of the conversions that are left.
 *
 *     fn f<T: number, const N: u32>(x: T[N], y: T)        f(v, y = 2) with v: f32[4]
 *     T[N] with f32[4]: T = f32, N = 4                    y: 2 becomes an f32, cost 2
 *
 * Literals bind nothing while a value or the expected type of the result can; otherwise they are
 * i32 or f32.
 */
#include "check/check_private.h"
#include "front/builtin.h"
#include "front/memory.h"

#include <string.h>

bool is_place_type(const Node *written)
{
  return written->kind == NODE_instance && written->a->kind == NODE_name && written->a->builtin &&
         written->a->builtin->form == FORM__place;
}

static const char *source_span_text(Session *c, const Node *node)
{
  if (is_place_type(node)) node = node->b;
  return arena_strndup(&c->scratch, source_text(&c->sources, node->span),
                       node->span.hi - node->span.lo);
}

const char *count_text(Session *c, uint32_t count)
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

const char *match_signature(Session *c, const Node *function)
{
  Buf text = BUF(&c->scratch);
  const Node *receiver = receiver_of(function);
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
  diag_note(&c->diag, DIAG_candidate, function->span, match_signature(c, function));
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

bool match_fits(Session *c, Node *call, Node *explicit_args, Match *match, Type *hint, bool is_loud)
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
