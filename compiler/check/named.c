/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* named.c - types that the program gives a name: aliases and enumerations.
 *
 *     type Key = u32;                    another name for a type; Key and u32 are one type
 *     enum Mode: u8 { quick, exact = 4 }  a type of its own, with named values: Mode.quick
 *
 * needs   names resolved
 * gives   alias->type and enumeration->type, once; the value of each enumerator in enumerator->bits
 * keeps   the tree
 * fails   with DIAG_type_cycle, DIAG_enum_base, DIAG_constant_range, DIAG_not_constant
 *
 * An enumeration is kept as the integer type behind its colon, i32 if there is none. Its values are
 * scalars that are compared, stored, passed and printed; they are no numbers, so that arithmetic on
 * them takes a conversion: u32(mode), Mode(2).
 */
#include "check/check_private.h"
#include "front/builtin.h"

Node *alias_end(Node *written)
{
  while (written->kind == NODE_name && !written->builtin && written->decl && !written->type &&
         written->decl->kind == NODE_alias && !(written->decl->flags & FLAG_cyclic))
    written = written->decl->a;
  return written;
}

/* Begins the check of a declaration that is checked when it is first named. False if it is done, or
 * if it names itself. */
static bool begin(Session *c, Node *decl)
{
  if (decl->flags & FLAG_checked) return false;
  if (decl->flags & FLAG_checking) {
    if (!decl->type) diag_at(&c->diag, DIAG_type_cycle, decl->span, decl->name->text);
    decl->type = c->types->poison;
    return false;
  }
  decl->flags |= FLAG_checking;
  return true;
}

static bool is_pointer(const Node *written)
{
  return written->kind == NODE_instance && written->a->builtin &&
         written->a->builtin->form == FORM_ptr;
}

/* type Next = ptr<Link>; struct Link { next: Next; }: a pointer to a struct is a type before the
 * struct is complete, so an alias of a pointer may be evaluated again while it is being checked. */
static Type *pointer_inside(Session *c, Node *alias)
{
  bool is_open = alias->flags & FLAG_checking && !(alias->flags & (FLAG_checked | FLAG_seen));
  if (!is_open || !is_pointer(alias->a)) return NULL;
  alias->flags |= FLAG_seen;
  Type *type = check_type(c, alias->a);
  alias->flags &= ~(uint32_t)FLAG_seen;
  return type;
}

Type *check_alias(Session *c, Node *alias)
{
  Type *inside = pointer_inside(c, alias);
  if (inside) return inside;
  if (!begin(c, alias)) return alias->type;
  Outer outer = shape_step_out(c);
  Type *type = check_type(c, alias->a);
  shape_step_in(c, outer);
  if (!alias->type) alias->type = type;
  alias->flags |= FLAG_checked;
  return alias->type;
}

/* Gives an enumerator its value: the written one, or one more than the last. False after a
 * report. */
static bool give_value(Session *c, Node *enumerator, Type *base, uint64_t next, bool has_next)
{
  Node *value = enumerator->a;
  if (!value) {
    enumerator->bits = next;
    if (has_next) return true;
    return diag_at(&c->diag, DIAG_constant_range, enumerator->span, "the value after the last one",
                   type_text(base));
  }
  if (check_value(c, value, base) == c->types->poison) return false;
  if (!evaluate(c, value)) return shape_not_constant(c, value), false;
  if (!convert_to(c, &enumerator->a, base)) return false;
  if (enumerator->a->kind != NODE_int) return shape_not_constant(c, value), false;
  enumerator->bits = enumerator->a->bits;
  return true;
}

Type *check_enumeration(Session *c, Node *enumeration)
{
  if (!begin(c, enumeration)) return enumeration->type;
  Outer outer = shape_step_out(c);
  Type *base = enumeration->a ? check_type(c, enumeration->a) : c->types->type_i32;
  bool is_good = base != c->types->poison;
  if (is_good && !type_is_int(base)) {
    diag_at(&c->diag, DIAG_enum_base, enumeration->a->span, type_text(base));
    is_good = false;
  }
  uint64_t next = 0;
  bool has_next = true;
  for (Node *each = enumeration->b; each && is_good; each = each->next) {
    is_good = give_value(c, each, base, next, has_next);
    for (const Node *other = enumeration->b; other != each && is_good; other = other->next) {
      if (other->name != each->name) continue;
      diag_at(&c->diag, DIAG_redeclared, each->span, each->name->text);
      diag_note(&c->diag, DIAG_declared_here, other->span, other->name->text);
      break;
    }
    uint64_t largest = UINT64_MAX >> (64 - base->bits) >> type_is_signed(base);
    has_next = each->bits != largest;
    next = each->bits + 1;
  }
  shape_step_in(c, outer);
  enumeration->type = is_good ? type_enum(c->types, enumeration, base) : c->types->poison;
  enumeration->flags |= FLAG_checked;
  return enumeration->type;
}

static const Node *enumerator_named(const Type *type, const Name *name)
{
  for (const Node *each = type->decl->b; each; each = each->next)
    if (each->name == name) return each;
  return NULL;
}

Type *check_enumerator(Session *c, Node *member, Type *type)
{
  const Node *found = enumerator_named(type, member->name);
  if (found) {
    Node *value = node_int(c->unit, member->span, type, found->bits);
    node_become(member, value);
    return member->type;
  }
  Span name = {member->span.hi - (uint32_t)member->name->len, member->span.hi};
  diag_at(&c->diag, DIAG_no_member, name, type_text(type), member->name->text);
  Suggestion suggestion = suggest_for(member->name->text);
  for (const Node *each = type->decl->b; each; each = each->next)
    suggest_offer(&suggestion, each->name->text, 0);
  suggest_give(c, &suggestion, name);
  return poison(c, member);
}
