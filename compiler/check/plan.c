/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* plan.c - makes a kernel for each launch of an algorithm.
 *
 * An algorithm that launches kernels is a plan: it runs on the host, but only what it decides
 * there is needed at run time, as expressions of the manifest. What it computes for the kernels,
 * iterators and functions above all, each kernel computes again from the algorithm's parameters.
 * So a step of a plan is a kernel with the algorithm's own parameters that calls the algorithm,
 * of which one launch is chosen:
 *
 *     algorithm sum(n: u64, x: in f32[n]) -> f32 {
 *         scratch result total: f32[1];
 *         scratch parts: f32[ceil_div(n, 4096)];
 *         launch tiles(block = 256, grid = parts.len, x.map(|v| v * v), parts);    // launch 1
 *         launch fold(block = 256, grid = 1, parts, total);                        // launch 2
 *         return total[0];
 *     }
 *
 *     kernel sum.1.tiles(n: u64, x: in f32[n], result: out f32[1]) launch(block = 256)
 *         { grid.__enter_step(); sum(n, x); }    // the copy of sum that keeps launch 1 as a call
 *     kernel sum.2.fold(...)                     // the copy of sum that keeps launch 2
 *
 * The copies are instances of the function, as those for several shapes of the block are
 * (generic.c): Facts.chosen is the number of the launch that one keeps, from 1 on, or 0 in the copy
 * without any, which has only the values. Launches are numbered in the order of the text; a call of
 * another plan counts as many as that one has. The copy without launches is checked first, since it
 * counts them.
 *
 * A launch with `early = true` has no __enter_step: the function waits for the launch ahead itself,
 * and lets the one behind start after that. So every step starts when all steps but the one ahead
 * have ended, which makes their results readable before it waits.
 *
 * Scratch memory lies at the same place in all steps, because each executes the same declarations.
 * If the algorithm returns what lies in a `scratch result` declaration of its own, or of the plan
 * whose value it returns, that declaration is placed in the result's memory. Otherwise a last step
 * of one thread stores the value.
 *
 * needs   the signatures and, one after the other, the bodies of functions with FLAG_plan
 * gives   kernels with FLAG_plan; c->plans: for each algorithm its steps. check/scratch.c finds the
 *         grid, the conditions and the loops of a step, when everything is checked
 * keeps   a chosen launch as NODE_launch with the call and its block and grid; all other ones are
 *         empty blocks
 * A loop around the chosen launch becomes one of a single round, whose number is a parameter of the
 * kernel: the runtime launches the kernel once a round. Loops without it are dropped. The host has
 * decided an `if` around it, so the step has only the part with the launch (FLAG_holds).
 *
 * fails   with DIAG_plan_statement, DIAG_launch_outside, DIAG_plan_block, DIAG_plan_recursion, ...
 */
#include "check/check_private.h"
#include "front/builtin.h"

#include <string.h>

#define LIMIT_BLOCKS "blocks_per_sm"
#define EARLY        "early"

/* ---- the bodies of plans ---- */

PlanState plan_enter(Session *c, Node *function)
{
  Check *check = c->check;
  PlanState outer = {check->plan, check->launches, check->chosen};
  check->chosen = 0;
  check->plan = function->flags & FLAG_plan ? function : NULL;
  check->launches = 0;
  if (check->plan) {
    facts_of(c, function)->is_open = true;
    effects_add(c, FLAG_scratch);
  }
  return outer;
}

void plan_leave(Session *c, PlanState outer)
{
  if (c->check->plan) facts_of(c, c->check->plan)->is_open = false;
  c->check->plan = outer.plan;
  c->check->launches = outer.launches;
  c->check->chosen = outer.chosen;
}

/* Takes the arguments block, grid, cluster, blocks_per_sm and early out of the call. */
static Node *take_parts(Node *call)
{
  static const char *const names[] = {"block", "grid", "cluster", LIMIT_BLOCKS, EARLY};
  Node *parts = NULL, **end = &parts, **slot = &call->b;
  while (*slot) {
    Node *arg = *slot;
    const char *name = arg->kind == NODE_argument ? arg->name->text : "";
    size_t i = 0;
    while (i < COUNT_OF(names) && strcmp(name, names[i]) != 0) ++i;
    if (i == COUNT_OF(names)) {
      slot = &arg->next;
      continue;
    }
    *slot = arg->next;
    arg->next = NULL;
    *end = arg;
    end = &arg->next;
  }
  return parts;
}

/* Checks the extents of a launch. Those of the block have to be constant. */
static bool check_parts(Session *c, Node *launch)
{
  bool is_good = true, has_block = false, has_grid = false;
  for (Node *part = launch->b; part; part = part->next) {
    bool is_grid = !strcmp(part->name->text, "grid"), is_block = !strcmp(part->name->text, "block");
    has_block |= is_block;
    has_grid |= is_grid;
    bool is_early = !strcmp(part->name->text, EARLY);
    Node **slot = part->a->kind == NODE_tuple ? &part->a->a : &part->a;
    for (; *slot; slot = &(*slot)->next) {
      c->check->in_grid = is_grid;
      check_expr(c, *slot,
                 is_early  ? c->types->type_bool
                 : is_grid ? c->types->type_u64
                           : c->types->type_u32);
      c->check->in_grid = false;
      if (type_is_literal((*slot)->type)) convert_to(c, slot, c->types->type_u32);
      Type *type = (*slot)->type;
      bool is_int = is_early ? type->kind == TYPE_bool : type_is_int(type);
      if (!is_int && type != c->types->poison)
        diag_at(&c->diag, DIAG_index_type, (*slot)->span, type_text(type));
      bool is_constant = is_int && evaluate(c, *slot);
      if (is_int && !is_constant && !is_grid) {
        diag_at(&c->diag, DIAG_plan_block, (*slot)->span, part->name->text);
        diag_hint(&c->diag,
                  "A compile-time parameter of the algorithm is one: <const N: u32 = 256>.");
      }
      is_good &= is_int && (is_grid || is_constant);
    }
  }
  if (has_block && has_grid) return is_good;
  diag_at(&c->diag, DIAG_plan_shape, launch->span, has_block ? "grid" : "block");
  diag_hint(&c->diag, "Write launch f(block = 256, grid = ceil_div(n, 256), ...).");
  return false;
}

/* Takes a constant out of the parts. 0: there is none of this name. */
static uint32_t take_constant(Node **parts, const char *name)
{
  for (Node **slot = parts; *slot; slot = &(*slot)->next) {
    const Node *part = *slot;
    if (strcmp(part->name->text, name) != 0) continue;
    *slot = part->next;
    bool is_constant = part->a->kind == NODE_int || part->a->kind == NODE_bool;
    return is_constant ? (uint32_t)part->a->bits : 0;
  }
  return 0;
}

static const Name *callee_name(const Node *call)
{
  const Node *callee = call->a->kind == NODE_instance ? call->a->a : call->a;
  return callee->name;
}

/* A function with the kernel's parameters and body. The launch says block and grid. */
static Node *function_of(Session *c, Node *kernel)
{
  Facts *facts = facts_of(c, kernel);
  if (facts->as_function) return facts->as_function;
  Node *function = facts->as_function = parse_again(c, kernel);
  function->kind = NODE_function;
  function->c = NULL; /* the contract */
  function->flags |= FLAG_algorithm | (kernel->flags & FLAG_library);
  if (!(function->flags & FLAG_library)) resolve_copy(c, function);
  return function;
}

/* ---- launches with the kernel's own contract ---- */

/* The argument for a parameter: by its name, or by its place. */
static Node *argument_for(Node *args, const Node *param, uint32_t place)
{
  for (Node *arg = args; arg; arg = arg->next) {
    bool is_named = arg->kind == NODE_argument;
    if (is_named && arg->name == param->name) return arg->a;
    if (!is_named && !place--) return arg;
  }
  return param->b; /* its default */
}

/* The value that a name of the contract stands for in the call; NULL if it isn't a parameter, or
 * has no value there. */
static Node *value_of(const Node *kernel, const Node *call, const Node *name)
{
  uint32_t place = 0;
  for (const Node *param = kernel->b; param; param = param->next)
    if (param->kind == NODE_param) {
      if (name->decl == param) return argument_for(call->b, param, place);
      ++place;
    }
  place = 0;
  for (const Node *param = kernel->a; param; param = param->next, ++place)
    if (name->decl == param && call->a->kind == NODE_instance)
      return argument_for(call->a->b, param, place);
  return NULL;
}

static bool has_lambda(const Node *node)
{
  if (node->kind == NODE_lambda) return true;
  for (unsigned i = 0; i < node_width(node); ++i)
    for (const Node *child = node->children[i]; child; child = child->next)
      if (has_lambda(child)) return true;
  return false;
}

/* Puts the call's arguments in place of the parameters. A lambda can't be copied, since names in it
 * are those of its own parameters. */
static bool put_arguments(Session *c, const Node *kernel, const Node *call, Node **slot)
{
  for (; *slot; slot = &(*slot)->next) {
    Node *node = *slot;
    bool is_param = node->kind == NODE_name && node->decl &&
                    (node->decl->kind == NODE_param || node->decl->kind == NODE_const_param);
    if (is_param) {
      const Node *value = value_of(kernel, call, node);
      if (!value || has_lambda(value)) return false;
      *slot = node_copy(c->unit, value);
      (*slot)->next = node->next;
      continue;
    }
    for (unsigned i = 0; i < node_width(node); ++i)
      if (!put_arguments(c, kernel, call, &node->children[i])) return false;
  }
  return true;
}

/* A launch that says neither block nor grid has those of the kernel's own contract, and its
 * cluster. */
static void take_contract(Session *c, Node *launch)
{
  Node *call = launch->a, *callee = call->a->kind == NODE_instance ? call->a->a : call->a;
  for (const Node *part = launch->b; part; part = part->next)
    if (!strcmp(part->name->text, "block") || !strcmp(part->name->text, "grid")) return;
  if (callee->kind != NODE_name || !callee->decl || callee->decl->kind != NODE_kernel) return;
  Node *kernel = parse_again(c, callee->decl), **end = &launch->b;
  if (!(callee->decl->flags & FLAG_library)) resolve_copy(c, kernel);
  while (*end) end = &(*end)->next;
  for (Node *part = kernel->c, *next; part; part = next) {
    next = part->next;
    bool is_shape = !strcmp(part->name->text, "block") || !strcmp(part->name->text, "grid") ||
                    !strcmp(part->name->text, "cluster");
    if (!is_shape || !put_arguments(c, kernel, call, &part->a)) continue;
    part->next = NULL;
    *end = part;
    end = &part->next;
  }
}

void plan_launch(Session *c, Node *node)
{
  Check *check = c->check;
  if (!check->plan) {
    diag_at(&c->diag, DIAG_launch_outside, node->span);
    node_clear(node, NODE_block);
    return;
  }
  if (node->a->kind != NODE_call || !callee_name(node->a)) {
    bool is_reported = node->a->kind == NODE_call && node->a->a->kind == NODE_poison;
    if (!is_reported) diag_at(&c->diag, DIAG_launch_call, node->a->span);
    node_clear(node, NODE_block);
    return;
  }
  Facts *facts = facts_of(c, check->plan);
  node->b = take_parts(node->a);
  take_contract(c, node);
  bool is_good = check_parts(c, node);
  uint32_t blocks_per_sm = take_constant(&node->b, LIMIT_BLOCKS);
  bool is_early = take_constant(&node->b, EARLY);
  ++check->launches;
  if (!facts->chosen) {
    Node kernel = {.c = node->b};
    Launch launch = {is_good ? kernel_shape(&kernel) : (Shape){.dim = {32, 1, 1}},
                     callee_name(node->a), blocks_per_sm, is_early};
    vec_push(c->unit, &facts->launches, launch);
  }
  if (facts->chosen != check->launches) {
    node_clear(node, NODE_block);
    return;
  }
  Node *callee = node->a->a->kind == NODE_instance ? node->a->a->a : node->a->a;
  if (callee->kind == NODE_name && callee->decl && callee->decl->kind == NODE_kernel)
    callee->decl = function_of(c, callee->decl);
  Type *type = check_call(c, node->a, NULL);
  if (type == c->types->none || type == c->types->poison) return;
  diag_at(&c->diag, DIAG_launch_result, node->a->span, type_text(type));
}

/* A call of an intrinsic without arguments, as the type. */
static Node *step_word(Session *c, Span span, const char *name, Type *type)
{
  Node *call = node_new(c->unit, NODE_call, span);
  call->a = node_named(c, NODE_name, span, name, NULL);
  call->a->type = c->types->function;
  call->builtin = builtin_named(call->a->name);
  call->type = c->types->type_u64;
  convert_explicitly(c, &call, type);
  return call;
}

void plan_for(Session *c, Node *node, void check(Session *c, Node *node))
{
  const Facts *facts = facts_of(c, c->check->plan);
  uint32_t first = c->check->launches;
  Node *range = node->a;
  if (node->op == OP_unroll || range->kind != NODE_range || range->c) {
    diag_at(&c->diag, DIAG_plan_loop, node->span);
    node_clear(node, NODE_poison);
    return;
  }
  check(c, node);
  bool is_in = facts->chosen > first && facts->chosen <= c->check->launches;
  if (!is_in || node->type == c->types->poison) {
    node_clear(node, NODE_block);
    return;
  }
  node->c = range;
  node->a = node_make(c->unit, NODE_range, range->span,
                      step_word(c, range->span, "__step_loop", node->type),
                      step_word(c, range->span, "__step_loop_end", node->type), NULL, NULL);
  node->a->type = range->type;
  node->flags |= FLAG_plan;
  effects_add(c, FLAG_scratch);
}

Node *plan_callee(Session *c, Node *function, const Binding *bindings, uint32_t count, Node *call)
{
  Check *check = c->check;
  uint32_t outer = check->chosen;
  Node *item = function;
  check->chosen = 0;
  function = count ? generic_instance(c, item, bindings, count, call) : generic_in_shape(c, item);
  check->chosen = outer;
  if (!function) return NULL;
  check_function(c, function);
  Facts *facts = facts_of(c, function);
  if (facts->is_open) {
    diag_at(&c->diag, DIAG_plan_recursion, call->span, function->name->text);
    return NULL;
  }
  if (!check->plan && !check->entry) {
    diag_at(&c->diag, DIAG_plan_call, call->span, function->name->text);
    return NULL;
  }
  uint32_t first = check->launches;
  check->launches += facts->launches.count;
  uint32_t wanted = check->plan ? 0 : check->entry->chosen;
  if (check->plan) {
    Facts *own = facts_of(c, check->plan);
    for (uint32_t i = 0; i < facts->launches.count && !own->chosen; ++i)
      vec_push(c->unit, &own->launches, facts->launches.at[i]);
    bool is_in = own->chosen > first && own->chosen <= check->launches;
    wanted = is_in ? own->chosen - first : 0;
  }
  if (!wanted) return function;
  check->chosen = wanted;
  function = count ? generic_instance(c, item, bindings, count, call) : generic_in_shape(c, item);
  if (function) check_function(c, function);
  if (function && !c->diag.error_count && facts_of(c, function)->chosen != wanted)
    die("'%s' has no copy with launch %u", function->name->text, (unsigned)wanted);
  check->chosen = outer;
  call->flags |= FLAG_plan; /* when it returns, the launch has been executed */
  return function;
}

bool plan_takes(const Node *statement)
{
  switch ((NodeKind)statement->kind) {
  case NODE_assign:
  case NODE_var:
  case NODE_while:
  case NODE_switch:
  case NODE_shared: return false;
  case NODE_evaluate:
    return statement->a->kind != NODE_call || !(statement->a->decl || statement->a->builtin) ||
           (statement->a->decl && statement->a->decl->flags & FLAG_plan) ||
           (statement->a->builtin && (statement->a->builtin->form == FORM_assert ||
                                      statement->a->builtin->form == FORM__apart ||
                                      statement->a->builtin->form == FORM__stores ||
                                      statement->a->builtin->form == FORM__in_step ||
                                      statement->a->builtin->form == FORM__fits));
  case NODE_unpack: return !statement->a || statement->a->kind == NODE_let;
  default: return true;
  }
}

void plan_refuse(Session *c, Node *statement)
{
  diag_at(&c->diag, DIAG_plan_statement, statement->span, c->check->plan->name->text);
  diag_hint(&c->diag,
            "Its statements are let, const, scratch, launch, if, for and return. What the "
            "device computes stands in a function that is launched; or all of it is one "
            "kernel, whose steps are called as grid.reduce(...).");
}

/* ---- entries ---- */

/* Does each path through the plan end with what lies in its `scratch result`? */
static bool gives_in_place(Session *c, const Node *node);

static bool is_in_place(Session *c, const Node *value)
{
  if (value->kind == NODE_call && !value->builtin && value->decl && value->decl->flags & FLAG_plan)
    return gives_in_place(c, value->decl->d);
  while (value->kind == NODE_call && value->b && !value->b->next)
    value = value->b; /* __assume_grid(total[0]) */
  const Node *whole = value->kind == NODE_index ? value->a : value;
  return whole->kind == NODE_name && whole->decl && whole->decl->kind == NODE_scratch &&
         whole->decl->flags & FLAG_plan;
}

static bool gives_in_place(Session *c, const Node *node)
{
  if (node->kind == NODE_return) return node->a && is_in_place(c, node->a);
  for (unsigned i = 0; i < node_width(node); ++i)
    for (const Node *child = node->children[i]; child; child = child->next)
      if (child->flags & FLAG_returns && !gives_in_place(c, child)) return false;
  return true;
}

/* A fresh copy of the algorithm's parameters, and `result: out R[1]`. */
static Node *entry_params(Session *c, const Node *item, const Type *result)
{
  Node *copy = parse_again(c, item), *params = copy->b, **end = &params;
  while (*end) end = &(*end)->next;
  if (result) {
    Node *type = node_new(c->unit, NODE_name, item->span);
    type->type = (Type *)(uintptr_t)result;
    Node *one = node_int(c->unit, item->span, c->types->type_u64, 1);
    Node *span = node_make(c->unit, NODE_index, item->span, copy->c, one, NULL, NULL);
    *end = node_named(c, NODE_param, item->span, "result", span);
    (*end)->op = OP_out;
  }
  return params;
}

/* launch(block = (x, y, z)) */
static Node *entry_shape(Session *c, Span span, Shape shape)
{
  Node *list = NULL, **end = &list;
  for (unsigned i = 0; i < COUNT_OF(shape.dim); ++i) {
    *end = node_int(c->unit, span, c->types->type_u32, shape.dim[i]);
    end = &(*end)->next;
  }
  Node *tuple = node_make(c->unit, NODE_tuple, span, list, NULL, NULL, NULL);
  return node_named(c, NODE_argument, span, "block", tuple);
}

/* Appends a call of a method of the grid to the body. */
static Node *grid_call(Session *c, Span span, const char *method, Node *args)
{
  Node *function = resolve_method(c, type_group_named(c->types, "grid"),
                                  name_of(&c->names, method, strlen(method)), span);
  if (!function) die("the library has no 'grid.%s'", method);
  Node *call = node_new(c->unit, NODE_call, span);
  call->a = node_named(c, NODE_name, span, method, NULL);
  call->a->type = c->types->function;
  call->b = args;
  check_chosen(c, call, &function, 1, NULL, NULL, true);
  return node_make(c->unit, NODE_evaluate, span, call, NULL, NULL, NULL);
}

/* The call of the algorithm with the kernel's own parameters. */
static Node *plan_call(Session *c, Node *kernel, const Entry *entry)
{
  Node *function = entry->function;
  Span span = function->span;
  Node *call = node_new(c->unit, NODE_call, span), **end = &call->b;
  call->a = node_named(c, NODE_name, span, function->name->text, NULL);
  call->a->type = c->types->function;
  for (Node *param = kernel->b; param; param = param->next) {
    if (!param->next && kernel->d->a) break; /* the result */
    *end = node_named(c, NODE_name, span, param->name->text, NULL);
    (*end)->decl = param;
    (*end)->type = param->type;
    end = &(*end)->next;
  }
  check_chosen(c, call, &function, 1, entry->args, NULL, true);
  return call;
}

/* The step's body; of the last one that stores the result, chosen is 0. Called by check_kernel when
 * the parameters are checked. */
void plan_body(Session *c, Node *kernel)
{
  const Entry *entry = c->check->entry;
  Span span = kernel->span;
  Node *last = kernel->b;
  while (last && last->next) last = last->next;
  Node *mark = kernel->d->a; /* is there a result? */
  Node *enter = grid_call(c, span, GRID_ENTER, NULL);
  Node *call = plan_call(c, kernel, entry);
  kernel->d->a = enter;
  if (entry->chosen || !mark) {
    Node *body = node_make(c->unit, NODE_evaluate, span, call, NULL, NULL, NULL);
    if (entry->is_early) kernel->d->a = body;
    else enter->next = body;
    return;
  }
  Node *to = node_named(c, NODE_name, span, "result", NULL);
  to->decl = last;
  to->type = last->type;
  to->next = call;
  enter->next = grid_call(c, span, GRID_GIVE, to);
}

static PlanStep add_step(Session *c, const Plan *plan, Entry entry, Launch launch)
{
  const Node *item = plan->item;
  Node *kernel = node_new(c->unit, NODE_kernel, item->span), **end = &kernel->a;
  const char *launched = launch.name->text + strspn(launch.name->text, "_");
  const char *name =
      arena_printf(c->unit, "%s.%u.%s", item->name->text, (unsigned)entry.chosen, launched);
  kernel->name = name_of(&c->names, name, strlen(name));
  kernel->flags |= FLAG_plan | (item->flags & FLAG_instance);
  if (launch.blocks_per_sm) {
    Node *blocks = node_int(c->unit, item->span, c->types->type_u32, launch.blocks_per_sm);
    *end = node_named(c, NODE_attribute, item->span, LIMIT_BLOCKS, blocks);
    end = &(*end)->next;
  }
  for (const Node *param = generic_params(item); param; param = param->next) {
    *end = node_copy(c->unit, param);
    end = &(*end)->next;
  }
  kernel->b = entry_params(c, item, plan->result);
  kernel->c = entry_shape(c, item->span, launch.shape);
  kernel->d = node_new(c->unit, NODE_block, item->span);
  resolve_copy(c, kernel);
  /* marks that there is a result, for plan_body */
  if (plan->result) kernel->d->a = node_new(c->unit, NODE_block, item->span);
  entry.is_early = launch.is_early && entry.chosen > 1;
  c->check->entry = &entry;
  check_kernel(c, kernel);
  c->check->entry = NULL;
  check_pending(c);
  return (PlanStep){.plan = plan, .kernel = kernel};
}

/* `checked` is the copy without launches: of the algorithm, or an instance of it. */
static void make_steps(Session *c, Node *checked, Entry entry)
{
  for (uint32_t i = 0; i < c->plans.count; ++i)
    if (c->plans.at[i]->item == checked) return; /* asked for twice */
  check_function(c, checked);
  const Facts *facts = facts_of(c, checked);
  uint32_t errors = c->diag.error_count;
  if (errors || checked->flags & FLAG_unsized) return;
  Plan *plan = NEW(c->unit, Plan);
  *plan = (Plan){.item = checked, .result = checked->type == c->types->none ? NULL : checked->type};
  bool has_step = plan->result && !gives_in_place(c, checked->d);
  plan->in_place = plan->result && !has_step;
  vec_push(c->unit, &c->plans, plan);
  while (entry.chosen++ < facts->launches.count && c->diag.error_count == errors) {
    PlanStep step = add_step(c, plan, entry, facts->launches.at[entry.chosen - 1]);
    vec_push(c->unit, &c->steps, step);
  }
  if (!has_step || c->diag.error_count != errors) return;
  entry.chosen = 0;
  PlanStep step = add_step(
      c, plan, entry, (Launch){{.dim = {32, 1, 1}}, name_of(&c->names, "result", 6), 0, false});
  step.grid[0] = "1";
  vec_push(c->unit, &c->steps, step);
}

void plan_entries(Session *c, Node *item)
{
  make_steps(c, item, (Entry){.function = item});
}

void plan_instance_entries(Session *c, Node *item, Node *instance)
{
  Node *args = NULL, **end = &args;
  for (const Node *param = generic_params(instance); param; param = param->next) {
    *end = param->kind == NODE_type_param ? node_new(c->unit, NODE_name, item->span)
                                          : node_copy(c->unit, param->b);
    (*end)->next = NULL;
    if (param->kind == NODE_type_param) {
      (*end)->name = param->name;
      (*end)->type = type_naming(c->types, param->type);
    }
    end = &(*end)->next;
  }
  make_steps(c, instance, (Entry){.function = item, .args = args});
}

PlanStep *plan_step(const Session *c, const Node *kernel)
{
  for (uint32_t i = 0; i < c->steps.count; ++i)
    if (c->steps.at[i].kernel == kernel) return &c->steps.at[i];
  return NULL;
}
