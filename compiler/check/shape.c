/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* shape.c - knows the shape of the block where it is a compile-time constant.
 *
 * needs   a kernel's launch(...) checked
 * gives   Check.kernel and Check.shape while the kernel and what it calls are checked
 * keeps   the tree
 * fails   with DIAG_block_open where a constant has to depend on a block size that isn't constant
 *
 * With `launch(block = 256)` block.size and block.dim are constants in the kernel and in all
 * functions that it calls, also as array extents and compile-time arguments. A function that asks
 * for the shape is therefore checked once for each shape that it is called in (generic.c), since
 * even its types may depend on it:
 *
 *     kernel a() launch(block = 64)  { f(); }        f is checked with shape 64
 *     kernel b() launch(block = 128) { f(); }        and again, as another function, with 128
 *
 * Declarations outside of functions (constants, types of fields) must not see the shape of the
 * kernel that happens to name them first: shape_step_out and shape_step_in bracket their check. A
 * function that no kernel calls is checked once, without a shape. What would need one is then left
 * unchecked and marked FLAG_unsized, as in a generic function without instances.
 */
#include "check/check_private.h"
#include "front/builtin.h"

#include <string.h>

Shape kernel_shape(const Node *kernel)
{
  enum { AXES = 3 };
  Shape shape = {0};
  for (const Node *part = kernel->c; part; part = part->next) {
    if (part->kind != NODE_argument) continue;
    const Node *extents = part->a->kind == NODE_tuple ? part->a->a : part->a;
    if (!strcmp(part->name->text, "grid")) shape.grid_rank = node_count(extents);
    if (strcmp(part->name->text, "block") != 0) continue;
    unsigned count = 0;
    for (const Node *extent = extents; extent && count < AXES; extent = extent->next, ++count)
      if (extent->kind == NODE_int) shape.dim[count] = (uint32_t)extent->bits;
    for (; count < AXES; ++count) shape.dim[count] = 1;
  }
  return shape;
}

/* Changes the shape. Effects are spread first, so that FLAG_shaped holds for all functions checked
 * so far. */
static void set(Session *c, Node *kernel, Shape shape)
{
  bool is_same =
      !c->check->kernel == !kernel && !memcmp(shape.dim, c->check->shape.dim, sizeof shape.dim);
  c->check->kernel = kernel;
  c->check->shape = shape;
  if (is_same) return;
  /* their instances may have been made for the other shape */
  memset(c->check->operators, 0, sizeof c->check->operators);
  effects_spread(c);
}

void shape_enter(Session *c, Node *kernel)
{
  set(c, kernel, kernel_shape(kernel));
}

void shape_leave(Session *c)
{
  set(c, NULL, (Shape){0});
}

Outer shape_step_out(Session *c)
{
  Outer outer = {c->check->kernel, c->check->function};
  c->check->function = NULL;
  shape_leave(c);
  return outer;
}

void shape_step_in(Session *c, Outer outer)
{
  c->check->function = outer.function;
  if (outer.kernel) shape_enter(c, outer.kernel);
}

uint32_t shape_extent(const Session *c, const Builtin *builtin)
{
  static const char prefix[] = "__block_dim_";
  size_t len = sizeof prefix - 1;
  return strncmp(builtin->name, prefix, len) != 0 ? 0
                                                  : c->check->shape.dim[builtin->name[len] - 'x'];
}

/* Does `node` or a child of it, without the list that follows it, ask for the shape? */
static bool asks_shape(const Node *node)
{
  if (node->kind == NODE_call) {
    if (node->builtin ? node->builtin->effect == EFFECT_SHAPE
                      : node->decl && node->decl->flags & FLAG_shaped)
      return true;
  }
  for (unsigned i = 0; i < node_width(node); ++i)
    for (const Node *child = node->children[i]; child; child = child->next)
      if (asks_shape(child)) return true;
  return false;
}

bool shape_not_constant(Session *c, Node *node)
{
  bool asks = asks_shape(node);
  if (!asks || !c->check->function) {
    return evaluate_report(c, node);
  } else if (!c->check->kernel) {
    c->check->function->flags |= FLAG_unsized;
    c->check->has_unsized = true;
  } else {
    const char *name = c->check->kernel->name->text;
    diag_at(&c->diag, DIAG_block_open, node->span);
    diag_note(&c->diag, DIAG_declared_here, c->check->kernel->span, name);
    diag_advise(&c->diag, "Give the kernel '%s' a constant block: launch(block = 256, ...).", name);
  }
  return !asks || !c->check->function;
}

/* Removes the calls from and to functions with FLAG_unsized: parts of them have no types, so no
 * later pass may look into them. */
void shape_drop_unsized(Session *c)
{
  uint32_t kept = 0;
  if (!c->check->has_unsized) return;
  effects_forget(c);
  for (uint32_t i = 0; i < c->calls.count; ++i) {
    CallEdge edge = c->calls.at[i];
    if (!((edge.caller->flags | edge.callee->flags) & FLAG_unsized)) c->calls.at[kept++] = edge;
  }
  c->calls.count = kept;
}
