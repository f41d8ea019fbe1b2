/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* define.c - turns the value of a `-D NAME=VALUE` into one that a constant's declaration takes.
 *
 * VALUE is an expression of the language. Its writer knows the numbers in a struct, but not the
 * name that the module gives the struct, and so writes a tuple. The declared type of the constant
 * tells which struct or vector each tuple means, also within lists and other structs:
 *
 *     const rules: Rule[2] = ...          -D rules=[(1, 7), (2, 9)]
 *     becomes                             [Rule(1, 7), Rule(2, 9)]
 *
 * __struct(from = 1, to = 7) is the same with the names of fields; ckc writes it for {from: 1, to:
 * 7}. A constant without a declared type has the type of its value in the source.
 */
#include "check/check_private.h"

#include <ctype.h>
#include <string.h>

static Node *find_item(Session *c, NodeKind kind, const Name *name)
{
  for (uint32_t i = 0; i < c->modules.count; ++i)
    for (Node *item = c->modules.at[i]->tree->a; item; item = item->next)
      if (item->kind == kind && item->name == name) return item;
  return NULL;
}

/* The declaration of the struct that a written type names, directly or by aliases; NULL: none. */
static Node *struct_of(Session *c, const Node *type)
{
  enum { ALIASES_MAX = 32 }; /* an alias of itself has no end; resolve reports it */
  for (int i = 0; type && i < ALIASES_MAX; ++i) {
    if (type->kind == NODE_instance) type = type->a;
    if (type->kind != NODE_name) return NULL;
    Node *found = find_item(c, NODE_structure, type->name);
    if (found) return found;
    Node *alias = find_item(c, NODE_alias, type->name);
    type = alias ? alias->a : NULL;
  }
  return NULL;
}

/* Does the type name a vector, such as f32x2? */
static bool is_vector(const Node *type)
{
  const char *x = type->kind == NODE_name ? strrchr(type->name->text, 'x') : NULL;
  return x && x > type->name->text && isdigit((unsigned char)x[-1]) && isdigit((unsigned char)x[1]);
}

static bool has_fields(const Node *value)
{
  return value->kind == NODE_call && value->a->kind == NODE_name &&
         !strcmp(value->a->name->text, "__struct");
}

static Node *fit(Session *c, const Node *type, Node *value);

/* Converts each value of a list: by the next type of a list of types (is_own), or all by one
 * type. */
static void fit_list(Session *c, const Node *type, bool is_own, Node **values)
{
  for (; *values && type; values = &(*values)->next) {
    Node *next = (*values)->next;
    *values = fit(c, type, *values);
    (*values)->next = next;
    if (is_own) type = type->next;
  }
}

static void fit_fields(Session *c, const Node *structure, Node **values)
{
  const Node *field = structure->b;
  for (; *values; values = &(*values)->next) {
    while (field && field->kind != NODE_field) field = field->next;
    const Node *own = field;
    if ((*values)->kind == NODE_argument)
      for (own = structure->b; own; own = own->next)
        if (own->kind == NODE_field && own->name == (*values)->name) break;
    if (field) field = field->next;
    if (!own) { /* check reports the unknown field; its value must not be looked at before */
      if ((*values)->kind == NODE_argument)
        (*values)->a = node_new(c->unit, NODE_bool, (*values)->span);
      continue;
    }
    if ((*values)->kind == NODE_argument) {
      (*values)->a = fit(c, own->a, (*values)->a);
      continue;
    }
    Node *next = (*values)->next;
    *values = fit(c, own->a, *values);
    (*values)->next = next;
  }
}

static Node *fit(Session *c, const Node *type, Node *value)
{
  if (value->kind == NODE_list) {
    fit_list(c, type, false, &value->a);
    return value;
  }
  while (type->kind == NODE_index) type = type->a;
  if (value->kind == NODE_tuple && type->kind == NODE_tuple) {
    fit_list(c, type->a, true, &value->a);
    return value;
  }
  Node *structure = struct_of(c, type);
  bool is_made = structure || is_vector(type);
  if (!is_made || (value->kind != NODE_tuple && !has_fields(value))) return value;
  Node *values = value->kind == NODE_tuple ? value->a : value->b;
  if (structure) fit_fields(c, structure, &values);
  return node_make(c->unit, NODE_call, value->span, node_copy(c->unit, type), values, NULL, NULL);
}

Node *define_value(Session *c, const Node *constant, const Node *given)
{
  const Node *type = constant->a, *sample = constant->b;
  while (!type && sample && sample->kind == NODE_list) sample = sample->a;
  if (!type && sample && sample->kind == NODE_call) type = sample->a;
  Node *value = node_copy(c->unit, given);
  return type ? fit(c, type, value) : value;
}
