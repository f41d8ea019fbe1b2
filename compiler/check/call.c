/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* call.c - types calls: finds what the callee is, and passes the call to the file that types it.
 *
 * needs   names resolved
 * gives   call->decl, the function or instance that is called, with its arguments converted and in
 *         the order of the parameters; or call->builtin; a conversion T(x) becomes its value
 * keeps   bodies: a called function's body is checked later (Check.pending)
 * fails   with DIAG_not_callable, DIAG_kernel_called, DIAG_no_member, ...
 *
 *     print("{}", x)   a builtin: form.c           f(x), g<f32>(x)   a function: overload.c
 *     f32(x)           a conversion: convert.c     P(1, 2)           a constructor, as a function
 *     x.load<4>(i)     an access: vector.c         x.f(y)            a method, or f(x, y)
 *     (0..n).step(2)   a range: range.c            h(x)              a lambda: closure.c
 */
#include "check/check_private.h"
#include "front/builtin.h"
#include "front/memory.h"

#include <string.h>

/* Only functions have parameters with names. */
static bool check_unnamed(Session *c, const Node *call, const char *name)
{
  for (const Node *arg = call->b; arg; arg = arg->next) {
    if (arg->kind != NODE_argument) continue;
    return diag_at(&c->diag, DIAG_unknown_argument, arg->span, name, arg->name->text);
  }
  return true;
}

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
                                builtin->form == FORM__stores || builtin->form == FORM__fits ||
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
    const char *of_axis = " len dim shape extents rows cols columns ";
    const char *word = arena_printf(&c->scratch, " %s ", member->name->text);
    bool is_axis = is_size || strstr(of_axis, word) != NULL;
    if (is_counted && is_axis && self->type->rank > 1)
      diag_hint(&c->diag, "The elements are counted by x.len, those along axis k by x.extent(k).");
    else if (is_counted && (is_size || !strcmp(member->name->text, "len")))
      diag_hint(&c->diag, "The elements are counted by x.len.");
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
  if (function->kind == NODE_kernel) {
    diag_at(&c->diag, DIAG_kernel_called, callee->span, function->name->text);
    diag_hint(&c->diag, "In an algorithm: launch %s(...);", function->name->text);
    return poison(c, call);
  }
  if (call->b) place_mark(first_param(function), call->b);
  if (!check_arguments(c, call, hint, function)) return poison(c, call);
  Node *chains[3];
  if (member->kind != NODE_member && receiver_of(function)) {
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
