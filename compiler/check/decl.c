/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* decl.c - checks declarations: constants, parameters, functions, kernels, and whole modules.
 *
 * needs   names resolved (front/resolve.c)
 * gives   decl->type on parameters and constants; function->type, the type of the result;
 *         c->kernels
 * keeps   generic items as they are; their instances are checked (generic.c)
 * fails   with DIAG_kernel_param, DIAG_launch_block, ...
 *
 * Order: a declaration is checked when it is first named, so the order in the file doesn't matter;
 * the flags FLAG_checking and FLAG_checked find cycles. Bodies of called functions wait in
 * Check.pending, so that a long chain of calls isn't a deep recursion here. Only a function with an
 * inferred result is checked at its first call.
 *
 *     module       constants, types, kernels; each kernel's bodies with its block's shape (shape.c)
 *     exports      instances that are named, and kernels whose parameters all have defaults
 *     functions    those that no kernel has called
 *     whole        effects, shared and scratch memory, linkage, warnings, overloads
 */
#include "check/check_private.h"
#include "front/builtin.h"

#include <string.h>

/* ---- types as they are written ---- */

/* The element type of an array. */
static Type *check_element_type(Session *c, Node *written)
{
  Type *type = check_type(c, written);
  if (type == c->types->poison || type_is_element(type) || type->kind == TYPE_array ||
      type_is_record(type) || type->kind == TYPE_pointer)
    return type;
  return poison_at(c, NULL, DIAG_array_element, written->span, type_text(type));
}

static Type *check_array_type(Session *c, Node *node)
{
  enum { RANK_MAX = 8 };
  Type *type = check_element_type(c, node->a);
  if (type == c->types->poison) return type;
  if (!node->b || node->b->kind == NODE_open) {
    diag_at(&c->diag, DIAG_extent_count, node->span, 0u, "an array", (unsigned)RANK_MAX);
    diag_hint(&c->diag, "Only a parameter may leave its extent open: x: in %s[].", type_text(type));
    return c->types->poison;
  }
  uint64_t extents[RANK_MAX];
  unsigned rank = 0;
  for (Node *extent = node->b; extent; extent = extent->next) {
    if (rank == RANK_MAX)
      return poison_at(c, NULL, DIAG_extent_count, node->span, node_count(node->b), "an array",
                       (unsigned)RANK_MAX);
    if (!check_uint_constant(c, extent, &extents[rank])) return c->types->poison;
    if (extents[rank] < 1 || extents[rank] > ARRAY_ELEMENTS_MAX)
      return poison_at(c, NULL, DIAG_array_extent, extent->span, scalar_text(c, extent),
                       (unsigned)ARRAY_ELEMENTS_MAX);
    ++rank;
  }
  uint64_t elements = 1;
  for (unsigned i = rank; i-- > 0;) {
    elements *= extents[i];
    if (elements > ARRAY_ELEMENTS_MAX)
      return poison_at(c, NULL, DIAG_array_extent, node->span,
                       arena_printf(&c->scratch, "%llu", (unsigned long long)elements),
                       (unsigned)ARRAY_ELEMENTS_MAX);
    type = type_array(c->types, type, (uint32_t)extents[i]);
  }
  return type;
}

static Type *check_tuple_type(Session *c, Node *node)
{
  uint32_t count = 0;
  Type **elements = NEW_ARRAY(&c->scratch, Type *, node_count(node->a));
  for (Node *item = node->a; item; item = item->next) {
    elements[count] = check_type(c, item);
    if (elements[count++] == c->types->poison) return c->types->poison;
  }
  return type_tuple(c->types, elements, count);
}

static Space space_named(const Node *node)
{
  const char *text = node && node->kind == NODE_name ? node->name->text : "";
  return !strcmp(text, "shared")   ? SPACE_shared
         : !strcmp(text, "global") ? SPACE_global
                                   : SPACE_any;
}

/* ptr<T>, ptr<T, shared>. The pointee need not be complete, since a struct may point to itself. */
static Type *check_pointer_type(Session *c, Node *node)
{
  Node *space = node->b->next;
  bool is_plain = struct_named(node->b) && /* not an alias `A` of `Z<A>`, which may need A itself */
                  (node->b->kind == NODE_instance || alias_end(node->b)->kind == NODE_name);
  Type *element = is_plain ? check_struct_type(c, node->b, true) : check_type(c, node->b);
  if (element == c->types->poison) return element;
  if ((space && space_named(space) == SPACE_any) || (space && space->next))
    return poison_at(c, NULL, DIAG_pointer_space, node->span);
  return type_pointer(c->types, element, space_named(space));
}

/* __place<T>, __place<T, shared>, __place<T, shared, N>. */
static Type *check_place_type(Session *c, Node *node)
{
  Node *space = node->b->next;
  Type *element = check_type(c, node->b);
  uint64_t count = 1;
  bool is_good = element != c->types->poison;
  if (is_good && space && space->next) is_good = check_uint_constant(c, space->next, &count);
  if (!is_good) return c->types->poison;
  return type_place(c->types, element, OP_inout, space_named(space), (uint32_t)count);
}

Type *check_type(Session *c, Node *node)
{
  switch ((NodeKind)node->kind) {
  case NODE_poison: return c->types->poison;
  case NODE_name:
    if (node->type && node->type->kind == TYPE_type) return node->type->element;
    if (node->decl && node->decl->kind == NODE_alias) return check_alias(c, node->decl);
    if (struct_named(node)) return check_struct_type(c, node, false);
    if (node->decl && node->decl->kind == NODE_enumeration) return check_enumeration(c, node->decl);
    if (node->decl && node->decl->kind == NODE_type_param && node->decl->type)
      return node->decl->type;
    return poison_at(c, NULL, DIAG_unknown_type, node->span, node->name->text);
  case NODE_instance:
    if (struct_named(node)) return check_struct_type(c, node, false);
    if (node->a->kind == NODE_name && node->a->builtin && node->a->builtin->form == FORM_ptr)
      return check_pointer_type(c, node);
    if (node->a->kind == NODE_name && node->a->builtin && node->a->builtin->form == FORM__place)
      return check_place_type(c, node);
    if (node->a->kind == NODE_name && node->a->builtin &&
        node->a->builtin->form == FORM_element_of && node_count(node->b) == 1)
      return check_element_of(c, node, check_type(c, node->b));
    if (node->a->kind == NODE_name && node->a->builtin && node->a->builtin->form == FORM_range &&
        node_count(node->b) == 1) {
      Type *element = check_type(c, node->b);
      if (element == c->types->poison || type_is_int(element))
        return element == c->types->poison ? element : type_range(c->types, element, RANGE_up);
    }
    if (node->a->kind == NODE_name && node->a->builtin && node->a->builtin->form == FORM_vec)
      return check_vector_type(c, node);
    return poison_at(c, NULL, DIAG_unknown_type, node->span,
                     arena_strndup(&c->scratch, source_text(&c->sources, node->span),
                                   node->span.hi - node->span.lo));
  case NODE_index: return check_array_type(c, node);
  case NODE_tuple: return check_tuple_type(c, node);
  default: diag_at(&c->diag, DIAG_not_a_type, node->span); return c->types->poison;
  }
}

/* How many types a constraint (NULL: `type`) allows, as steps that can be compared; -1: no
 * constraint. */
static int looseness(const Node *constraint)
{
  static const struct {
    const char *name;
    int steps;
  } rows[] = {{"half", 1}, {"fn", 1}, {"float", 2}, {"int", 2}, {"number", 3}, {"type", 4}};
  const char *name = !constraint                     ? "type"
                     : constraint->kind == NODE_name ? constraint->name->text
                                                     : "";
  for (size_t i = 0; i < COUNT_OF(rows); ++i)
    if (!strcmp(name, rows[i].name)) return rows[i].steps;
  return -1;
}

static bool is_constraint(const Node *node)
{
  return looseness(node) >= 0;
}

int check_looseness(const Node *param)
{
  return param->kind == NODE_type_param ? looseness(param->a) : 0;
}

bool check_constraint(Session *c, const Node *constraint, const Type *type)
{
  (void)c;
  if (!constraint) return true;
  const char *text = constraint->kind == NODE_name ? constraint->name->text : "";
  if (!strcmp(text, "type")) return true;
  if (!strcmp(text, "fn")) return type->kind == TYPE_closure;
  if (!strcmp(text, "float")) return type_is_float(type);
  if (!strcmp(text, "half")) return type_is_half(type);
  if (!strcmp(text, "int")) return type_is_int(type);
  if (!strcmp(text, "number")) return type_is_int(type) || type_is_float(type);
  return false;
}

/* ---- constants ---- */

/* Limits the recursion of declarations that are checked when they are first named. */
static bool is_too_deep(Session *c, Node *decl)
{
  enum { DEPTH_MAX = 200 };
  if (c->check->decl_depth < DEPTH_MAX) return false;
  diag_at(&c->diag, DIAG_nesting, decl->span, (unsigned)DEPTH_MAX);
  decl->type = c->types->poison;
  if (decl->kind == NODE_constant) decl->b->type = c->types->poison;
  decl->flags |= FLAG_checked | FLAG_checking;
  return true;
}

void check_global(Session *c, Node *constant)
{
  if (constant->flags & FLAG_checked) return;
  Outer outer = shape_step_out(c);
  check_constant(c, constant);
  shape_step_in(c, outer);
}

void check_constant(Session *c, Node *constant)
{
  if (constant->flags & FLAG_checked) return;
  if (is_too_deep(c, constant)) return;
  if (constant->flags & FLAG_checking) {
    diag_at(&c->diag, DIAG_not_constant, constant->span);
    diag_hint(&c->diag, "'%s' is worked out from itself.", constant->name->text);
    constant->type = c->types->poison;
    return;
  }
  constant->flags |= FLAG_checking;
  Type *type = constant->a ? check_type(c, constant->a) : NULL;
  ++c->check->decl_depth;
  if (tune_is(constant->b) && !c->check->function) tune_choose(c, constant, type);
  else check_expr(c, constant->b, type);
  --c->check->decl_depth;
  if (type && type != c->types->poison) convert_to(c, &constant->b, type);
  if (constant->b->type != c->types->poison) evaluate_data(c, constant->b);
  if (constant->b->type != c->types->poison && !fold_is_data(constant->b)) {
    if (shape_not_constant(c, constant->b))
      diag_hint(&c->diag, "What is worked out when the program runs is bound by 'let'.");
    constant->b->type = c->types->poison;
  }
  constant->type = constant->b->type;
  constant->flags |= FLAG_checked;
}

/* ---- parameters ---- */

/* An extent, or an expression of a launch: an integer, which is `type` if it is a literal. */
static void check_extent(Session *c, Node **slot, Type *type)
{
  Type *got = check_expr(c, *slot, type);
  if (type_is_literal(got)) convert_to(c, slot, type);
  got = (*slot)->type;
  if (got != c->types->poison && !type_is_int(got))
    diag_at(&c->diag, DIAG_index_type, (*slot)->span, type_text(got));
  else if (got != c->types->poison && !evaluate(c, *slot)) contract_check(c, *slot);
}

static void check_extents(Session *c, Node *param, bool is_kernel)
{
  Node *type = param->a;
  uint32_t count = node_count(node_extents(param));
  if (!count) return;
  bool is_open = type->b->kind == NODE_open;
  if (count > 4) diag_at(&c->diag, DIAG_extent_count, type->span, count, "a span", 4u);
  if (is_open && is_kernel) {
    diag_at(&c->diag, DIAG_kernel_extents, type->span, param->name->text, count);
    diag_hint(&c->diag, "They are parameters too: %s: %s %s[h, w].", param->name->text,
              op_text(param->op), type_text(param->type->element));
  }
  if (is_open) return;
  if (!is_kernel) {
    diag_at(&c->diag, DIAG_span_extents, type->span,
            arena_printf(&c->scratch, "%s %s[%.*s]", op_text(param->op),
                         type_text(param->type->element), (int)(count - 1) % 4, ",,,"));
    return;
  }
  for (Node **slot = &type->b; *slot; slot = &(*slot)->next)
    check_extent(c, slot, c->types->type_u64);
}

/* `x: in f32[n]`, `x: f32[]`: a span. */
static void check_span_param(Session *c, Node *param, bool is_algorithm)
{
  Node *written = param->a;
  if (!param->op) param->op = OP_in;
  uint32_t rank = node_count(written->b);
  if (rank < 1) rank = 1;
  if (rank > 4) rank = 4;
  Type *element = check_type(c, written->a);
  if (element != c->types->poison && !element->is_data) {
    diag_at(&c->diag, DIAG_kernel_param, written->span, type_text(element));
    element = c->types->poison;
  }
  /* A later step of an algorithm may read what an earlier one wrote. */
  Op access = is_algorithm && param->op == OP_out ? OP_inout : (Op)param->op;
  param->type = element == c->types->poison ? element : type_span(c->types, element, rank, access);
}

enum { BY_VALUE_BYTES_MAX = 4096 };

/* The type of something passed or returned by value. LLVM expands an array into one value for each
 * element, which takes seconds from some thousands of elements on. */
static Type *check_by_value(Session *c, Node *written)
{
  Type *type = check_type(c, written);
  if (!type->has_array || type_bytes(type) <= BY_VALUE_BYTES_MAX) return type;
  diag_at(&c->diag, DIAG_array_by_value, written->span, type_text(type),
          (unsigned long long)type_bytes(type), (unsigned)BY_VALUE_BYTES_MAX);
  const Type *element = type;
  while (element->kind == TYPE_array) element = element->element;
  diag_hint(&c->diag,
            "A span takes it where it is: a parameter 'in %s[]', 'out %s[]' for a result.",
            type_text(element), type_text(element));
  return c->types->poison;
}

static void check_param(Session *c, Node *param, const Node *item)
{
  bool is_kernel = item->kind == NODE_kernel;
  bool is_open = param->a->kind == NODE_index && (!param->a->b || param->a->b->kind == NODE_open);
  if (param->a->kind == NODE_index && (param->op || is_open || is_kernel)) {
    check_span_param(c, param, item->flags & (FLAG_algorithm | FLAG_plan));
    return;
  }
  param->type = check_by_value(c, param->a);
  if (param->type == c->types->poison) return;
  if (param->type->kind == TYPE_place) {
    if (param->op)
      param->type = type_place(c->types, param->type->element, (Op)param->op,
                               (Space)param->type->space, param->type->count);
    return;
  }
  if (param->op) {
    diag_at(&c->diag, DIAG_access_word, param->a->span, op_text(param->op), param->name->text,
            type_text(param->type));
    diag_hint(&c->diag, "A span is written %s %s[n].", op_text(param->op), type_text(param->type));
  } else if (is_kernel && !param->type->is_data) {
    diag_at(&c->diag, DIAG_kernel_param, param->a->span, type_text(param->type));
    param->type = c->types->poison;
  } else if (is_kernel && !check_handle(c, param->a, param->type)) {
    param->type = c->types->poison;
  }
}

static void check_params(Session *c, Node *item)
{
  bool is_kernel = item->kind == NODE_kernel;
  for (Node *param = item->b; param; param = param->next) {
    if (param->kind != NODE_param) continue;
    check_param(c, param, item);
    if (!param->b || param->type == c->types->poison) continue;
    /* each call that leaves it out checks its own copy */
    Node *value = node_copy(c->unit, param->b);
    check_expr(c, value, param->type);
    convert_to(c, &value, param->type);
  }
  /* Extents may name any parameter, so all of them need their types first. */
  for (Node *param = item->b; param; param = param->next)
    if (param->kind == NODE_param && param->type->kind == TYPE_span)
      check_extents(c, param, is_kernel || item->flags & (FLAG_plan | FLAG_algorithm));
}

/* ---- functions ---- */

static void resolve_late(Session *c, Node *item)
{
  /* Items of the library are resolved when they are first used, instances when they are made. */
  if (item->flags & FLAG_library && !(item->flags & (FLAG_instance | FLAG_checking)))
    resolve_copy(c, item);
}

static void check_body(Session *c, Node *item)
{
  Node *outer = c->check->function;
  uint64_t unrolled = c->check->unrolled;
  c->check->function = item;
  c->check->unrolled = 0;
  check_statement(c, item->d);
  if (c->check->has_shared) warn_array_copies(c, item->d);
  c->check->function = outer;
  c->check->unrolled = unrolled;
}

void check_function_body(Session *c, Node *function)
{
  order_keep(c, function);
  function->flags |= FLAG_checked;
  generic_note_shape(c, function);
  if (c->check->body_depth == BODY_DEPTH_MAX) {
    diag_at(&c->diag, DIAG_nesting, function->span, (unsigned)BODY_DEPTH_MAX);
    function->type = c->types->poison;
    return;
  }
  ++c->check->body_depth;
  uint32_t literals = c->check->literals.count;
  Node *outer = c->check->function;
  c->check->function = function;
  PlanState plan = plan_enter(c, function);
  check_body(c, function);
  plan_leave(c, plan);
  c->check->function = outer;
  --c->check->body_depth;
  check_literal_results(c, function, literals);
  if (!function->type) function->type = c->types->none;
  bool has_result = function->type != c->types->none && function->type != c->types->poison &&
                    !(function->flags & FLAG_unsized);
  if (has_result && !(function->d->flags & FLAG_returns))
    diag_at(&c->diag, DIAG_missing_return, function->span, function->name->text,
            type_text(function->type));
}

void check_signature(Session *c, Node *function)
{
  if (function->flags & (FLAG_checking | FLAG_checked)) {
    /* the written result type is checked after the parameters */
    if (!function->type && function->c) {
      diag_at(&c->diag, DIAG_default_cycle, function->span, function->name->text);
      function->type = c->types->poison;
    } else if (!function->type) {
      diag_at(&c->diag, DIAG_recursion, function->span, function->name->text);
      diag_hint(&c->diag, "Write the type of the result: fn %s(...) -> T.", function->name->text);
      function->type = c->types->poison;
    }
    return;
  }
  if (is_too_deep(c, function)) return;
  resolve_late(c, function);
  function->flags |= FLAG_checking;
  Node *outer = c->check->function;
  if (function->d)
    c->check->function =
        function; /* what its parameters' types need is its own, not its caller's */
  check_params(c, function);
  if (function->c) function->type = check_by_value(c, function->c);
  c->check->function = outer;
  if (function->c) return;
  if (!function->d || !(function->d->flags & FLAG_expression)) function->type = c->types->none;
  else {
    ++c->check->decl_depth;
    check_function_body(c, function); /* the type of the result is that of the value */
    --c->check->decl_depth;
  }
}

void check_function(Session *c, Node *function)
{
  check_signature(c, function);
  if (!function->d) function->flags |= FLAG_checked; /* a constructor, or an imported function */
  if (!(function->flags & FLAG_checked)) check_function_body(c, function);
}

/* ---- kernels ---- */

/* `shared x: f32[dyn n]`. Its extents are computed at the launch, and again in the kernel. */
Type *check_dynamic(Session *c, Node *shared)
{
  Node *written = shared->a;
  Type *element = check_element_type(c, written->a);
  uint32_t rank = node_count(written->b);
  if (element == c->types->poison) return element;
  if (rank > 4) return poison_at(c, NULL, DIAG_extent_count, written->span, rank, "a span", 4u);
  for (Node **slot = &written->b; *slot; slot = &(*slot)->next) {
    if ((*slot)->kind == NODE_dynamic) {
      Node *extent = (*slot)->a;
      extent->next = (*slot)->next;
      *slot = extent;
    }
    check_extent(c, slot, c->types->type_u32);
  }
  return type_span(c->types, element, rank, OP_inout);
}

static bool is_word_of(const char *words, const char *word)
{
  const char *at = strstr(words, word);
  size_t len = strlen(word);
  return len && at && (at == words || at[-1] == ' ') && (at[len] == ' ' || !at[len]);
}

static void unknown_launch(Session *c, const Node *part)
{
  if (part->kind != NODE_argument) {
    diag_at(&c->diag, DIAG_launch_argument, part->span, short_text(c, part));
    diag_hint(&c->diag, "Its parts are named: launch(block = 256, grid = 4).");
    return;
  }
  const char *name = part->name->text;
  Span span = {part->span.lo, part->span.lo + (uint32_t)part->name->len};
  diag_at(&c->diag, DIAG_launch_argument, span, name);
  if (is_word_of("threads block_size num_threads thread_count blockDim block_dim", name))
    diag_fix(&c->diag, span, "block");
  else if (is_word_of("blocks num_blocks block_count gridDim grid_dim grid_size", name))
    diag_fix(&c->diag, span, "grid");
  else if (is_word_of("min_blocks blocks_per_sm max_blocks registers max_registers", name))
    diag_hint(&c->diag, "Attributes of the kernel say that: @blocks_per_sm(2), @registers(64).");
  else suggest_words(c, part->name, span, "block grid cluster");
}

static void check_launch(Session *c, Node *kernel)
{
  for (Node *part = kernel->c; part; part = part->next) {
    const char *name = part->kind == NODE_argument ? part->name->text : "";
    bool is_block = !strcmp(name, "block");
    if (!is_block && strcmp(name, "grid") != 0 && strcmp(name, "cluster") != 0) {
      unknown_launch(c, part);
      continue;
    }
    for (const Node *other = kernel->c; other != part; other = other->next)
      if (other->name == part->name) diag_at(&c->diag, DIAG_twice_argument, part->span, name);
    Node **slot = part->a->kind == NODE_tuple ? &part->a->a : &part->a;
    bool is_checked = false;
    if (part->a->kind == NODE_tuple && node_count(part->a->a) > 3)
      diag_at(&c->diag, DIAG_extent_count, part->a->span, node_count(part->a->a), "a launch", 3u);
    else if (is_block) is_checked = true;
    enum { BLOCK_Z_MAX = 64 };
    uint64_t threads = 1;
    unsigned axis = 0;
    bool is_constant = true, is_deep = false;
    for (; *slot; slot = &(*slot)->next) {
      c->check->in_grid = !strcmp(name, "grid");
      check_extent(c, slot, c->types->type_u32);
      c->check->in_grid = false;
      is_constant &= (*slot)->kind == NODE_int;
      if ((*slot)->kind == NODE_int && (*slot)->bits <= UINT32_MAX) threads *= (*slot)->bits;
      else if ((*slot)->kind == NODE_int) threads = UINT64_MAX;
      if (threads > UINT32_MAX) threads = UINT32_MAX;
      is_deep |= ++axis == 3 && (*slot)->kind == NODE_int && (*slot)->bits > BLOCK_Z_MAX;
    }
    bool is_alone = is_constant && threads == 1; /* a cluster of one block, which every GPU has */
    bool is_cluster = !strcmp(name, "cluster");
    if (is_cluster && !is_alone) check_target_sm(c, name, 90, part->span);
    /* The product of the constant extents is a lower bound. */
    enum { CLUSTER_MAX = 16 };
    if (is_cluster && ((is_constant && threads < 1) || threads > CLUSTER_MAX))
      diag_at(&c->diag, DIAG_launch_cluster, part->a->span,
              arena_printf(&c->scratch, "%llu", (unsigned long long)threads));
    if (is_checked && ((is_constant && threads < 1) || threads > 1024 || is_deep))
      diag_at(&c->diag, DIAG_launch_block, part->a->span,
              arena_printf(&c->scratch, "%llu", (unsigned long long)threads));
  }
}

void check_kernel(Session *c, Node *kernel)
{
  if (kernel->flags & FLAG_checked) return;
  kernel->flags |= FLAG_checked;
  check_required(c, kernel, kernel->span);
  check_params(c, kernel);
  kernel->type = c->types->none;
  Node *outer = c->check->function;
  c->check->function = kernel;
  check_launch(c, kernel);
  check_limits(c, kernel);
  c->check->function = outer;
  shape_enter(c, kernel);
  if (kernel->flags & FLAG_plan) {
    c->check->function = kernel;
    plan_body(c, kernel);
    c->check->function = outer;
  } else {
    check_body(c, kernel);
  }
  const Type *result = algorithm_result(kernel);
  if (result && !(kernel->d->flags & FLAG_returns))
    diag_at(&c->diag, DIAG_missing_return, kernel->span, kernel->name->text, type_text(result));
  vec_push(c->unit, &c->kernels, kernel);
}

/* Checks the bodies of functions that were called, one after the other, so that a long chain of
 * calls isn't a deep recursion here. */
void check_pending(Session *c)
{
  while (c->check->pending.count)
    check_function(c, c->check->pending.at[--c->check->pending.count]);
  shape_leave(c);
}

static bool has_same_params(const Node *a, const Node *b)
{
  const Node *x = a->b, *y = b->b;
  for (; x && y; x = x->next, y = y->next)
    if (x->kind != y->kind || x->type != y->type) return false;
  return !x && !y;
}

/* Two functions of one name and the same parameters, in one module or in two that a third sees. */
static void report_same(Session *c, const Node *item, const Node *other)
{
  const Module *a = module_of(c, item->span), *b = module_of(c, other->span);
  if (a == b) {
    diag_at(&c->diag, DIAG_redeclared, other->span, other->name->text);
    diag_note(&c->diag, DIAG_declared_here, item->span, item->name->text);
    return;
  }
  for (uint32_t i = 0; i < c->modules.count; ++i) {
    const Module *from = c->modules.at[i];
    if (!module_sees(c, from, item) || !module_sees(c, from, other)) continue;
    Span at = from == b ? other->span : item->span;
    for (uint32_t k = 0; k < from->imports.count; ++k) /* at the later import */
      if (from->imports.at[k].module == a || from->imports.at[k].module == b)
        at = from->imports.at[k].node->span;
    resolve_clash(c, at, item, other);
    return;
  }
}

static void check_overloads(Session *c)
{
  for (uint32_t i = 0; i < c->modules.count; ++i)
    for (const Node *item = c->modules.at[i]->tree->a; item; item = item->next) {
      if (item->kind != NODE_function || generic_params(item)) continue;
      for (const Node *other = item->overload; other; other = other->overload)
        if (!generic_params(other) && has_same_params(item, other)) report_same(c, item, other);
    }
}

/* Checks what comes before an item's types: attributes, constraints, the group of a method. */
static bool check_head(Session *c, Node *item)
{
  if (!check_attributes(c, item)) return false;
  for (const Node *param = generic_params(item); param; param = param->next) {
    if (param->kind != NODE_type_param || !param->a || is_constraint(param->a)) continue;
    const char *text = source_text(&c->sources, param->a->span);
    diag_at(&c->diag, DIAG_unknown_constraint, param->a->span,
            arena_strndup(&c->scratch, text, param->a->span.hi - param->a->span.lo));
    if (param->a->kind == NODE_name)
      suggest_words(c, param->a->name, param->a->span, "type float int number half fn");
    return false;
  }
  const Node *first = item->b;
  bool has_self = first && first->next && first->kind == NODE_receiver &&
                  first->next->kind == NODE_param && !strcmp(first->next->name->text, "self");
  if (first && first->kind == NODE_receiver && !has_self &&
      !type_group_named(c->types, first->name->text)) {
    diag_at(&c->diag, DIAG_unknown_group, first->span, first->name->text);
    suggest_words(c, first->name, first->span, "thread warp block cluster grid");
    return false;
  }
  for (const Node *param = first; item->kind == NODE_kernel && param; param = param->next)
    if (param->b) diag_at(&c->diag, DIAG_kernel_default, param->span, param->name->text);
  return true;
}

/* Also checks a struct that the program never constructs, with the defaults of its fields. */
static void check_struct_item(Session *c, Node *structure)
{
  check_structure(c, structure, structure);
  if (structure->type->bytes <= BY_VALUE_BYTES_MAX) check_function(c, structure->overload);
}

/* May an operator function have such an operand? A compile-time type parameter may become a
 * struct. */
static bool is_operand(const Node *param, bool is_index)
{
  TypeKind kind = param->type ? (TypeKind)param->type->kind : TYPE_struct;
  bool is_list = kind == TYPE_tuple || kind == TYPE_array;
  return kind == TYPE_struct || kind == TYPE_poison || (is_list && !is_index);
}

/* Checks the parameters of an operator function. It can't change what operators do to scalars and
 * vectors. */
static void check_operator_params(Session *c, const Node *function)
{
  const char *name = function->name->text;
  if (!name_is_operator(function->name)) return;
  bool is_index = *name == '[', is_both = !strcmp(name, "-") || !strcmp(name, "+"),
       is_unary = !strcmp(name, "!") || !strcmp(name, "~");
  uint32_t count = node_count(function->b), least = is_unary || is_both ? 1 : 2,
           most = is_unary   ? 1
                  : is_index ? PARAMS_MAX
                             : 2;
  if (!strcmp(name, "[]=")) least = 3;
  bool is_ours = false; /* of [] only the first operand is looked at */
  for (const Node *param = function->b; param; param = is_index ? NULL : param->next)
    is_ours |= is_operand(param, is_index);
  if (!strcmp(name, "&&") || !strcmp(name, "||"))
    diag_at(&c->diag, DIAG_operator_params, function->span, name, "two bools");
  else if (count < least || count > most)
    diag_at(&c->diag, DIAG_operator_params, function->span, name,
            is_index   ? "a value and its indices"
            : is_unary ? "one operand"
            : is_both  ? "one or two operands"
                       : "two operands");
  else if (!is_ours)
    diag_at(&c->diag, DIAG_operator_params, function->span, name,
            is_index ? "a struct as its first operand"
                     : "a struct, a tuple or an array as an operand");
}

void check_exported(Session *c, Node *kernel)
{
  if (kernel->flags & FLAG_checked || !check_head(c, kernel)) return;
  if (generic_params(kernel)) return;
  check_kernel(c, kernel);
  check_pending(c);
}

/* Checks a module. Kernels of imported files are checked when an `export` names them. */
static void check_module(Session *c, const Module *module)
{
  bool is_main = module->index == 0;
  for (Node *item = module->tree->a; item; item = item->next) {
    switch ((NodeKind)item->kind) {
    case NODE_constant: check_constant(c, item); break;
    case NODE_function: /* the others: check_functions */
      if (!is_main || !(item->flags & FLAG_plan) || !check_head(c, item) || generic_params(item))
        break;
      plan_entries(c, item);
      check_pending(c);
      break;
    case NODE_kernel:
      if (!is_main || !check_head(c, item) || generic_params(item)) break;
      check_kernel(c, item);
      check_pending(c);
      break;
    case NODE_structure:
      if (check_head(c, item) && !generic_params(item)) check_struct_item(c, item);
      break;
    case NODE_static_assert: check_statement(c, item); break;
    case NODE_alias: check_alias(c, item); break;
    case NODE_enumeration: check_enumeration(c, item); break;
    case NODE_import:
    case NODE_export: break; /* generic_kernels */
    default: die("a '%s' stands in a module", node_kind_name(item->kind));
    }
  }
}

/* Checks functions that no kernel has called, and what doesn't depend on calls in all of them. */
static void check_functions(Session *c, const Module *module)
{
  for (Node *item = module->tree->a; item; item = item->next) {
    if (item->kind != NODE_function || !check_head(c, item)) continue;
    if (!generic_params(item) && !generic_is_checked(c, item))
      check_function(c, generic_in_shape(c, item));
    check_operator_params(c, item);
  }
}

bool pass_check(Session *c)
{
  Check check = {0};
  c->check = &check;
  for (uint32_t i = 0; i < c->modules.count; ++i) check_module(c, c->modules.at[i]);
  if (c->diag.error_count == 0) generic_kernels(c);
  for (uint32_t i = 0; i < c->modules.count; ++i) check_functions(c, c->modules.at[i]);
  check_pending(c);
  shape_drop_unsized(c);
  if (c->diag.error_count == 0) check_shared_memory(c);
  check_effects(c);
  if (c->diag.error_count == 0) check_scratch(c);
  if (c->diag.error_count == 0) check_linked(c);
  if (c->diag.error_count == 0) warn_module(c);
  check_overloads(c);
  c->check = NULL;
  return c->diag.error_count == 0;
}
