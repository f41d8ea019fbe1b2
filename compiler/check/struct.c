/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* struct.c - checks structures, their constructors, and calls of operator functions.
 *
 * needs   methods and constructors made functions by front/resolve.c
 * gives   structure->type, the struct; field->type
 * keeps   generic structures as they are; their instances are checked (generic.c)
 * fails   with DIAG_struct_cycle, DIAG_no_inference, DIAG_constraint
 *
 * Operator functions: if an operand of `a + b` is not a scalar, a function named `+` is looked for
 * among all functions of the program and the library, wherever it is declared, since it belongs to
 * the types that it takes. > <= >= and != fall back on < and == (table `derived`).
 */
#include "check/check_private.h"

#include <string.h>

/* Resolves a structure of the library when it is first used. */
static void use(Session *c, Node *structure)
{
  if (!(structure->flags & FLAG_library) || structure->flags & (FLAG_instance | FLAG_seen)) return;
  structure->flags |= FLAG_seen;
  resolve_copy(c, structure);
}

Node *struct_named(const Node *callee)
{
  callee = alias_end((Node *)(uintptr_t)callee);
  if (callee->kind == NODE_instance) callee = callee->a;
  bool is_struct = callee->kind == NODE_name && callee->decl && !callee->type &&
                   callee->decl->kind == NODE_structure;
  return is_struct ? callee->decl : NULL;
}

int struct_field(const Type *type, const Name *name)
{
  int i = 0;
  for (const Node *field = type->decl->b; field; field = field->next, ++i)
    if (field->name == name) return i;
  return -1;
}

void check_structure(Session *c, Node *structure, Node *origin)
{
  if (structure->flags & (FLAG_checked | FLAG_checking)) return;
  use(c, structure);
  structure->flags |= FLAG_checking;
  Type *type = structure->type = type_struct(c->types, structure, origin);
  uint32_t count = 0;
  bool is_good = true;
  Outer outer = shape_step_out(c);
  Type **elements = NEW_ARRAY(c->unit, Type *, node_count(structure->b) + 1);
  for (Node *field = structure->b; field; field = field->next) {
    field->type = check_type(c, field->a);
    is_good &= field->type != c->types->poison;
    elements[count++] = field->type;
  }
  shape_step_in(c, outer);
  structure->flags |= FLAG_checked;
  if (!is_good) structure->type = c->types->poison;
  else type_complete(type, elements, count);
}

/* Binds the compile-time parameters of a structure: explicit arguments or defaults. False after a
 * report. */
static bool bind(Session *c, Node *node, Node *structure, Binding *bindings, uint32_t *count)
{
  Node *arg = node->kind == NODE_instance ? node->b : NULL;
  *count = 0;
  for (Node *param = generic_params(structure); param; param = param->next) {
    if (*count == PARAMS_MAX) return false; /* reported where it is declared */
    Binding *binding = &bindings[(*count)++];
    *binding = (Binding){.param = param, .is_explicit = arg != NULL};
    bool is_type = param->kind == NODE_type_param;
    if (!arg && !param->b)
      return diag_at(&c->diag, DIAG_no_inference, node->span, param->name->text,
                     structure->name->text);
    /* the default is bound in the instance, since it may name a parameter before it */
    if (!arg) continue;
    if (is_type) binding->type = check_type(c, arg);
    else if (check_value(c, arg, NULL) != c->types->poison) binding->value = arg;
    if (!is_type && !binding->value) return false;
    if (binding->type == c->types->poison) return false;
    if (is_type && !check_constraint(c, param->a, binding->type))
      return diag_at(
          &c->diag, DIAG_constraint, arg->span, param->name->text, type_text(binding->type),
          arena_printf(&c->scratch, "'%s'", param->a->name ? param->a->name->text : "that"));
    arg = arg->next;
  }
  if (!arg) return true;
  return diag_at(&c->diag, DIAG_argument_count, arg->span, structure->name->text,
                 arena_printf(&c->scratch, "%u compile-time arguments", *count),
                 node_count(node->b));
}

/* The type of a structure whose check has begun. Until it is complete it may only be a pointee. */
static Type *known_type(Session *c, Node *structure, bool is_pointee)
{
  if (!structure || !structure->type) return c->types->poison;
  if (structure->flags & FLAG_checked || is_pointee) return structure->type;
  diag_at(&c->diag, DIAG_struct_cycle, structure->span, structure->name->text);
  diag_hint(&c->diag, "A ptr<%s> takes its place in another.", structure->name->text);
  return c->types->poison;
}

Type *check_struct_type(Session *c, Node *node, bool is_pointee)
{
  Node *structure = struct_named(node);
  if (!structure) return NULL;
  node = alias_end(node);
  use(c, structure);
  if (!generic_params(structure)) {
    if (node->kind == NODE_instance)
      return poison_at(c, NULL, DIAG_not_generic, node->span, structure->name->text);
    check_structure(c, structure, structure);
    return known_type(c, structure, is_pointee);
  }
  Binding bindings[PARAMS_MAX];
  uint32_t count;
  if (!bind(c, node, structure, bindings, &count)) return c->types->poison;
  return known_type(c, generic_instance(c, structure, bindings, count, node), is_pointee);
}

Node *struct_constructor(Session *c, const Type *type)
{
  Node *constructor = type->origin->overload, *params = generic_params(type->decl);
  use(c, type->origin);
  if (!params) return constructor;
  Binding bindings[PARAMS_MAX];
  uint32_t count = 0;
  Node *own = generic_params(constructor);
  for (Node *param = params; param; param = param->next, own = own->next)
    bindings[count++] = (Binding){.param = own,
                                  .type = param->kind == NODE_type_param ? param->type : NULL,
                                  .value = param->kind == NODE_const_param ? param->b : NULL};
  return generic_instance(c, constructor, bindings, count, type->decl);
}

/* ---- operators ---- */

static Type *try_call(Session *c, Node *node, const char *op, Node *args, Type *hint, Node **out)
{
  Node *chains[2];
  const Name *name = name_of(&c->names, op, strlen(op));
  unsigned count = resolve_functions(c, name, node->span, chains);
  if (!count) return NULL;
  Node *callee = node_new(c->unit, NODE_name, node->span);
  callee->name = name;
  callee->type = c->types->function;
  Node *call = *out = node_make(c->unit, NODE_call, node->span, callee, args, NULL, NULL);
  return check_chosen(c, call, chains, count, NULL, hint, false);
}

/* Is it open what may be stored there, or in a part of it? lib/iter.ck then gives its type
 * __Endless. */
bool check_is_open(const Type *type)
{
  if (type->kind == TYPE_struct) return type->origin->flags & FLAG_library;
  for (uint32_t i = 0; type->kind == TYPE_tuple && i < type->count; ++i)
    if (check_is_open(type->elements[i])) return true;
  return false;
}

/* The type that an iterator stores is the type of lib/iter.ck's __stored(it). */
Type *check_stored_type(Session *c, const Node *it)
{
  static const char text[] = "__stored";
  const Name *name = name_of(&c->names, text, sizeof text - 1);
  Node *chain = resolve_library_function(name);
  if (!chain || it->type->origin == NULL || !(it->type->origin->flags & FLAG_library)) return NULL;
  Node *callee = node_new(c->unit, NODE_name, it->span);
  callee->name = name;
  callee->type = c->types->function;
  Node *arg = node_copy(c->unit, it), *call = node_new(c->unit, NODE_call, it->span);
  call->a = callee;
  call->b = arg;
  uint32_t mark = c->diag.order;
  Type *type = check_chosen(c, call, &chain, 1, NULL, NULL, false);
  bool is_good = type && type != c->types->poison && c->diag.order == mark;
  diag_cut(&c->diag, mark); /* an error here is reported at the assignment */
  return is_good && (type->kind != TYPE_struct || !check_is_open(type)) ? type : NULL;
}

Type *check_element_of(Session *c, const Node *node, Type *type)
{
  bool has_element = type->kind == TYPE_span || type->kind == TYPE_array ||
                     type->kind == TYPE_pointer || type->kind == TYPE_vector;
  if (type == c->types->poison || has_element) return has_element ? type->element : type;
  Node *it = node_new(c->unit, NODE_let, node->span),
       *use = node_new(c->unit, NODE_name, node->span);
  Node *call;
  it->type = use->type = type;
  it->name = use->name = name_of(&c->names, ".it", 3);
  use->decl = it;
  use->next = node_int(c->unit, node->span, c->types->type_u64, 0);
  Type *element = try_call(c, (Node *)(uintptr_t)node, "[]", use, NULL, &call);
  if (element) return element;
  return poison_at(c, NULL, DIAG_not_indexable, node->span, type_text(type));
}

/* Swaps two arguments and gives the new first one. */
static Node *swap(Node *args)
{
  Node *second = args->next;
  second->next = args;
  args->next = NULL;
  return second;
}

/* An operator without a function of its own is derived from another: a > b is b < a. */
static const struct {
  const char *op, *by;
  bool is_swapped, is_negated;
} derived[] = {
    {">", "<", true, false},
    {"<=", "<", true, true},
    {">=", "<", false, true},
    {"!=", "==", false, true},
};

bool check_operator(Session *c, Node *node, const char *op, Node *args, Type *hint)
{
  Node *call;
  bool is_negated = false;
  Type *type = try_call(c, node, op, args, hint, &call);
  for (size_t i = 0; !type && i < COUNT_OF(derived); ++i) {
    if (strcmp(derived[i].op, op) != 0) continue;
    bool is_swapped = derived[i].is_swapped;
    if (is_swapped) args = swap(args);
    type = try_call(c, node, derived[i].by, args, hint, &call);
    if (type && is_swapped) call->flags |= FLAG_swapped;
    if (!type && is_swapped) args = swap(args);
    is_negated = derived[i].is_negated;
    if (type && is_negated && type->kind != TYPE_bool) type = NULL;
  }
  if (!type) return false;
  if (is_negated) {
    Node *negated = node_make(c->unit, NODE_unary, node->span, call, NULL, NULL, NULL);
    negated->op = OP_not;
    negated->type = type;
    call = negated;
  }
  node_become(node, call);
  return true;
}
