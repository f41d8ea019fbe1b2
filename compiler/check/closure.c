/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* closure.c - functions as values: lambdas, names of functions, and operators as arguments.
 *
 * needs   names resolved; the types of what a lambda captures
 * gives   TYPE_closure, a type of its own for each lambda, function and operator. Its decl is the
 *         lambda or the first function of the name; its elements are the types of the captures
 * keeps   the lambda's body as parsed
 * fails   with DIAG_argument_count, DIAG_capture, and with what is wrong in an instance's body
 *
 * The value of a closure is the values that it captured; its code is in its type, as in C++. A call
 * makes an instance for the types of its arguments: a function whose first parameter is the
 * closure, with a copy of the body in which each captured name is a NODE_capture of that parameter.
 *
 *     let k = 3.0; let f = |x| x * k;   f: a closure type with the elements { f32 }, value { 3.0 }
 *     f(2.0)         calls   fn (lambda: f's type, x: f32) { return x * capture 0 of lambda; }
 *
 * An operator as an argument becomes the lambda |a, b| a + b. There is one such lambda for each
 * operator in a program, so that two calls of block.reduce(x, +) share an instance.
 */
#include "check/check_private.h"

#include <string.h>

/* How a name in the lambda's body is replaced in an instance. */
typedef struct Renaming {
  const Node *from;
  Node *to;       /* the copy's own declaration */
  uint32_t index; /* if there is none: the index of a capture */
} Renaming;

typedef struct Copying {
  Session *c;
  Node *self; /* the parameter that holds the closure */
  VEC(Renaming) renamings;
} Copying;

/* ---- what a lambda captures ---- */

static bool is_local(const Node *decl)
{
  switch ((NodeKind)decl->kind) {
  case NODE_let:
  case NODE_var:
  case NODE_param:
  case NODE_for:
  case NODE_scratch:
  case NODE_shared: return true;
  default: return false;
  }
}

static bool list_has(const Node *list, const Node *decl)
{
  for (; list; list = list->next)
    if (list->decl == decl) return true;
  return false;
}

/* Does the declaration name a group, as `let t = warp.tile<8>`? A group isn't a value to
 * capture. */
static bool is_group(const Node *decl)
{
  return decl->type && decl->type->kind == TYPE_group;
}

/* Is it a parameter of the lambda, or a variable in its body? The parameters of an operator's
 * lambda are compared by address, because their source position is where the operator was used
 * first. */
static bool is_inside(const Node *lambda, const Node *decl)
{
  for (const Node *param = lambda->a; param; param = param->next)
    if (param == decl) return true;
  return decl->span.lo >= lambda->span.lo && decl->span.hi <= lambda->span.hi;
}

/* A list of nested lambdas, from the inside out. */
typedef struct Inside {
  const struct Inside *outer;
  const Node *lambda;
} Inside;

static void find_captures(Session *c, const Node *node, const Inside *inside, Node ***end,
                          Node **list)
{
  Inside deeper = {inside, node};
  if (node->kind == NODE_lambda) inside = &deeper;
  bool is_found =
      node->kind == NODE_name && node->decl && is_local(node->decl) && !is_group(node->decl);
  for (const Inside *in = inside; in && is_found; in = in->outer)
    is_found = !is_inside(in->lambda, node->decl);
  if (is_found && !list_has(*list, node->decl)) {
    **end = node_copy(c->unit, node);
    *end = &(**end)->next;
  }
  for (unsigned i = 0; i < node_width(node); ++i)
    for (const Node *child = node->children[i]; child; child = child->next)
      find_captures(c, child, inside, end, list);
}

/* Gives a capture its type. It is a copy of the value, but of a shared array a span, since shared
 * memory can't be copied. */
static bool check_capture(Session *c, Node **slot)
{
  enum { CAPTURE_BYTES_MAX = 4096, RANK_MAX = 4 };
  Type *type = check_expr(c, *slot, NULL);
  if (type == c->types->poison) return false;
  bool is_shared = (*slot)->decl->kind == NODE_shared;
  Type *element = type;
  unsigned rank = 0;
  for (; element->kind == TYPE_array; element = element->element) ++rank;
  if (is_shared && rank && rank <= RANK_MAX)
    return convert_to(c, slot, type_span(c->types, element, rank, OP_inout));
  if (!is_shared && (type->kind != TYPE_array || type_bytes(type) <= CAPTURE_BYTES_MAX))
    return true;
  return diag_at(&c->diag, DIAG_capture, (*slot)->span, (*slot)->name->text, type_text(type));
}

static const char *closure_text(Session *c, const Node *lambda)
{
  enum { SHOWN_MAX = 40 };
  size_t len = lambda->span.hi - lambda->span.lo;
  const char *text = source_text(&c->sources, lambda->span);
  if (memchr(text, '\n', len)) len = strcspn(text, "\n");
  else if (len <= SHOWN_MAX) return arena_strndup(c->unit, text, len);
  return arena_printf(c->unit, "%.*s...", (int)(len > SHOWN_MAX ? SHOWN_MAX : len), text);
}

Type *check_lambda(Session *c, Node *lambda)
{
  Node **end = &lambda->c;
  lambda->c = NULL;
  find_captures(c, lambda, NULL, &end, &lambda->c);
  uint32_t count = 0;
  Type **elements = NEW_ARRAY(&c->scratch, Type *, node_count(lambda->c));
  bool is_good = true;
  for (Node **slot = &lambda->c; *slot; slot = &(*slot)->next) {
    is_good &= check_capture(c, slot);
    elements[count++] = (*slot)->type;
  }
  if (!is_good) return poison(c, lambda);
  return lambda->type = type_closure(c->types, lambda, elements, count, closure_text(c, lambda));
}

/* ---- functions and operators as values ---- */

Type *closure_of_function(Session *c, Node *function)
{
  return type_closure(c->types, function, NULL, 0,
                      arena_printf(c->unit, "fn %s", function->name->text));
}

static Node *operator_lambda(Session *c, const Node *at)
{
  static const char *const names[] = {"a", "b"};
  Node *params[2], *values[2];
  for (unsigned i = 0; i < 2; ++i) {
    params[i] = node_new(c->unit, NODE_param, at->span);
    params[i]->name = name_of(&c->names, names[i], 1);
    values[i] = node_new(c->unit, NODE_name, at->span);
    values[i]->name = params[i]->name;
    values[i]->decl = params[i];
  }
  params[0]->next = params[1];
  Node *body = node_make(c->unit, NODE_binary, at->span, values[0], values[1], NULL, NULL);
  body->op = at->op;
  return node_make(c->unit, NODE_lambda, at->span, params[0], body, NULL, NULL);
}

void closure_from_operator(Session *c, Node *node)
{
  Node **lambda = &c->check->operators[node->op];
  if (!*lambda) {
    *lambda = operator_lambda(c, node);
    (*lambda)->type = type_closure(c->types, *lambda, NULL, 0, op_text(node->op));
  }
  Span span = node->span;
  node_become(node, *lambda);
  node->span = span;
}

/* ---- an instance ---- */

static const Renaming *find_renaming(const Copying *copying, const Node *decl)
{
  for (uint32_t i = 0; i < copying->renamings.count; ++i)
    if (copying->renamings.at[i].from == decl) return &copying->renamings.at[i];
  return NULL;
}

static void rename_name(Copying *copying, Node **slot)
{
  Node *name = *slot;
  const Renaming *renaming = find_renaming(copying, name->decl);
  if (!renaming) return;
  if (renaming->to) {
    name->decl = renaming->to;
    return;
  }
  Node *self = node_new(copying->c->unit, NODE_name, name->span);
  self->name = copying->self->name;
  self->decl = copying->self;
  Node *capture = node_make(copying->c->unit, NODE_capture, name->span, self, NULL, NULL, NULL);
  capture->bits = renaming->index;
  capture->next = name->next;
  *slot = capture;
}

/* Makes the names in a copied body refer to the declarations in the copy. */
static void rename_tree(Copying *copying, Node **slot, const Node *from)
{
  Node *copy = *slot;
  if (is_local(from) || from->kind == NODE_constant || from->kind == NODE_alias) {
    Renaming renaming = {from, copy, 0};
    vec_push(&copying->c->scratch, &copying->renamings, renaming);
  }
  for (unsigned i = 0; i < node_width(copy); ++i) {
    const Node *other = from->children[i];
    for (Node **child = &copy->children[i]; *child; child = &(*child)->next, other = other->next)
      rename_tree(copying, child, other);
  }
  if (copy->kind == NODE_name && copy->decl) rename_name(copying, slot);
}

static Node *make_instance(Session *c, Type *type, Node *const *args)
{
  const Node *lambda = type->decl;
  Node *self = node_new(c->unit, NODE_param, lambda->span);
  self->name = name_of(&c->names, "lambda", 6);
  self->type = type;
  Copying copying = {.c = c, .self = self};
  uint32_t index = 0;
  for (const Node *captured = lambda->c; captured; captured = captured->next, ++index) {
    const Node *name = captured->kind == NODE_convert ? captured->a : captured;
    Renaming renaming = {name->decl, NULL, index};
    vec_push(&c->scratch, &copying.renamings, renaming);
  }
  Node *copy = node_make(c->unit, NODE_lambda, lambda->span, NULL, NULL, NULL, NULL), **end;
  end = &copy->a;
  for (const Node *param = lambda->a; param; param = param->next, end = &(*end)->next)
    *end = node_copy(c->unit, param);
  copy->b = node_copy(c->unit, lambda->b);
  Node shape = *lambda; /* without the captures that check added */
  shape.c = NULL;
  rename_tree(&copying, &copy, &shape);
  for (Node *param = copy->a; param; param = param->next) param->type = (*args++)->type;
  self->next = copy->a;
  Node *body = copy->b;
  if (body->kind != NODE_block) {
    Node *result = node_make(c->unit, NODE_return, lambda->span, copy->b, NULL, NULL, NULL);
    body = node_make(c->unit, NODE_block, lambda->span, result, NULL, NULL, NULL);
    body->flags |= FLAG_expression;
  }
  Node *function = node_make(c->unit, NODE_function, lambda->span, NULL, self, NULL, body);
  function->name = self->name;
  function->flags = FLAG_instance | FLAG_checking;
  return function;
}

static Node *find_instance(const Type *type, Node *const *args)
{
  for (Node *instance = type->instances; instance; instance = instance->overload) {
    uint32_t i = 0;
    const Node *param = instance->b->next;
    while (param && param->type == args[i]->type) param = param->next, ++i;
    if (!param) return instance;
  }
  return NULL;
}

/* The instance for the types of these arguments, made if there is none. An instance without a
 * result type is still being checked: the call is recursive. */
static Node *closure_instance(Session *c, Type *type, Node *const *args, const Node *call)
{
  Node *instance = find_instance(type, args);
  if (instance && !instance->type) {
    diag_at(&c->diag, DIAG_recursion, call->span, type_text(type));
    diag_hint(&c->diag, "Write a function with the type of its result: fn f(...) -> T.");
    instance->type = c->types->poison;
  }
  if (instance) return instance;
  if (generic_is_too_deep(c)) return generic_end(c, type_text(type), call);
  instance = make_instance(c, type, args);
  instance->overload = type->instances;
  type->instances = instance;
  uint32_t errors = c->diag.error_count;
  ++c->check->instance_depth;
  check_function_body(c, instance);
  --c->check->instance_depth;
  if (c->diag.error_count != errors)
    diag_note(&c->diag, DIAG_instantiated, call->span, type_text(type));
  return instance;
}

/* ---- a call ---- */

Type *closure_call(Session *c, Node *call)
{
  Node *callee = call->a, *args[PARAMS_MAX], *param;
  Type *type = callee->type;
  uint32_t count = 0, given = node_count(call->b), wanted = node_count(type->decl->a);
  call->type = c->types->poison;
  if (given != wanted || given > PARAMS_MAX) {
    diag_at(&c->diag, DIAG_argument_count, call->span, type_text(type),
            arena_printf(&c->scratch, "%u argument%s", wanted, wanted == 1 ? "" : "s"), given);
    diag_note(&c->diag, DIAG_declared_here, type->decl->span, "the lambda");
    return call->type;
  }
  param = type->decl->a;
  /* The first literal argument whose default type decides a parameter's type, and that
   * parameter. */
  const Node *literal = NULL, *its_param = NULL;
  for (Node **slot = &call->b; *slot; slot = &(*slot)->next, param = param->next) {
    Type *written = param->a ? check_type(c, param->a) : NULL;
    bool is_literal = !literal && !written && type_is_literal((*slot)->type);
    if (written) convert_to(c, slot, written);
    else convert_default(c, slot);
    if (written == c->types->poison || (*slot)->type == c->types->poison) return call->type;
    if (is_literal) literal = *slot, its_param = param;
    args[count++] = *slot;
  }
  uint32_t errors = c->diag.error_count;
  Node *instance = closure_instance(c, type, args, call);
  if (literal && c->diag.error_count != errors) {
    const char *name = its_param->name->text, *own = type_text(literal->type);
    diag_note(&c->diag, DIAG_literal_param, literal->span, short_text(c, literal), name, own);
    diag_hint(&c->diag, "A parameter's type is written |%s: u32|, a literal's 1u32.", name);
  }
  if (!instance) return call->type;
  CallEdge edge = {c->check->function, instance};
  if (c->check->function) vec_push(c->unit, &c->calls, edge);
  callee->next = call->b;
  call->b = callee;
  call->a = node_new(c->unit, NODE_name, callee->span);
  call->a->name = instance->name;
  call->a->decl = instance;
  call->a->type = c->types->function;
  call->decl = instance;
  call->builtin = NULL;
  return call->type = instance->type ? instance->type : c->types->poison;
}
