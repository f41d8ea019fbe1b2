/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* stmt.c - checks statements: types of variables, assignability, loops, and where control ends.
 *
 * needs   names resolved (front/resolve.c)
 * gives   decl->type on let, var, shared, for; FLAG_returns on statements whose end isn't reached
 * keeps   the order of statements
 * fails   with DIAG_assign_let, DIAG_missing_return, ...
 *
 * Some forms are lowered here, so that later stages have fewer: `for (v in array)` to a loop over
 * indices, `it[i] = v` by a function `[]=` to a call, `p += q` by a function `+` to p = p + q with
 * the place evaluated once, `comptime if` to the branch that is taken. Names that start with a dot,
 * as in `let .i`, are the compiler's.
 */
#include "check/check_private.h"

static void check_binding(Session *c, Node *node)
{
  Type *type = node->a ? check_type(c, node->a) : NULL;
  if (node->b) {
    Type *got = check_expr(c, node->b, type);
    if (got->kind == TYPE_group && got->count && node->kind == NODE_let && !type) {
      node->type = got;
      return;
    }
    check_is_value(c, node->b);
    if (type && type != c->types->poison) convert_to(c, &node->b, type);
    else convert_default(c, &node->b);
    if (!type) type = node->b->type;
  }
  if (!type) {
    diag_at(&c->diag, DIAG_needs_type, node->span, node->name->text);
    diag_hint(&c->diag, "Write var %s: f32; (it starts as 0), or give it a value.",
              node->name->text);
    type = c->types->poison;
  }
  enum { LOCAL_BYTES_MAX = 512 << 10 }; /* CUDA C++ Programming Guide, "Technical Specifications" */
  if (type_bytes(type) > LOCAL_BYTES_MAX) {
    diag_at(&c->diag, DIAG_local_budget, node->span, node->name->text,
            (unsigned long long)type_bytes(type), (unsigned)LOCAL_BYTES_MAX);
    type = c->types->poison;
  }
  if (node->kind == NODE_var && !node->b && handle_refuse(c, node->span, type))
    type = c->types->poison;
  node->type = type;
}

static void check_part(Session *c, Node *node)
{
  bool is_in_union = node->flags & FLAG_union;
  for (const Node *extent = node->a->kind == NODE_index ? node->a->b : NULL; extent;
       extent = extent->next) {
    if (extent->kind != NODE_dynamic) continue;
    node->type = is_in_union ? c->types->poison : check_dynamic(c, node);
    if (is_in_union) diag_at(&c->diag, DIAG_union_dynamic, node->span, node->name->text);
    return;
  }
  node->type = check_type(c, node->a);
  if (handle_refuse(c, node->span, node->type)) node->type = c->types->poison;
}

/* A shared variable, or the members of a union. */
static void check_shared(Session *c, Node *node)
{
  c->check->has_shared = true;
  check_part(c, node);
  for (Node *part = node->d; part; part = part->next) check_part(c, part);
}

static void check_unpack(Session *c, Node *node)
{
  Type *type = check_expr(c, node->b, NULL);
  uint32_t count = node_count(node->a), values = 0;
  if (type->kind == TYPE_tuple) values = type->count;
  else if (type != c->types->poison) values = 1;
  bool is_good = type->kind == TYPE_tuple && values == count;
  if (!is_good && type != c->types->poison)
    diag_at(&c->diag, DIAG_tuple_count, node->b->span, count, values);
  uint32_t i = 0;
  for (Node *name = node->a; name; name = name->next, ++i)
    name->type = is_good ? type->elements[i] : c->types->poison;
}

/* An element or a field of a place is a place. */
static bool is_part(const Node *node)
{
  return node->kind == NODE_index || node->kind == NODE_member;
}

const Node *place_root(const Node *node)
{
  while (is_part(node)) node = node->a;
  return node->kind == NODE_name ? node->decl : NULL;
}

bool check_place(Session *c, Node *node)
{
  if (node->kind == NODE_poison || node->type == c->types->poison) return false;
  const Node *root = place_root(node);
  for (const Node *part = node; is_part(part); part = part->a) {
    if (part->a->type->kind == TYPE_pointer) return true;
    if (part->a->type->kind != TYPE_span) continue;
    if (part->a->type->access != OP_in) return true;
    diag_at(&c->diag, DIAG_assign_in, node->span, root ? root->name->text : "this");
    if (root) diag_note(&c->diag, DIAG_declared_here, root->span, root->name->text);
    diag_hint(&c->diag, "'out' is written, 'inout' read and written; where nothing is said, a "
                        "span is 'in'.");
    return false;
  }
  if (!root) {
    diag_at(&c->diag, DIAG_not_assignable, node->span);
    const Node *whole = node;
    while (is_part(whole)) whole = whole->a;
    if (whole->kind == NODE_capture)
      diag_hint(&c->diag,
                "A lambda holds a copy of '%s': return the new value, or write to memory.",
                short_text(c, whole));
    return false;
  }
  bool is_scalar = node->kind != NODE_name || node->type->kind != TYPE_array;
  if (root->kind == NODE_var || (root->kind == NODE_shared && (is_part(node) || is_scalar)))
    return true;
  if (root->kind == NODE_shared) {
    diag_at(&c->diag, DIAG_not_assignable, node->span);
    diag_hint(&c->diag, "Shared memory is assigned element by element.");
    return false;
  }
  diag_at(&c->diag, DIAG_assign_let, node->span, root->name->text,
          root->kind == NODE_for        ? "for"
          : root->kind == NODE_param    ? "a parameter"
          : root->kind == NODE_constant ? "const"
                                        : "let");
  if (root->kind == NODE_let) diag_hint(&c->diag, "'var' declares what changes.");
  else if (root->kind == NODE_param)
    diag_hint(&c->diag, "Copy it: var %s = %s;", root->name->text, root->name->text);
  return false;
}

/* (a, b) = (b, a): all values are computed before the first is assigned. */
static void check_tuple_assign(Session *c, Node *node)
{
  uint32_t i = 0, count = node_count(node->a->a);
  Type **elements = NEW_ARRAY(&c->scratch, Type *, count);
  bool is_good = true;
  for (Node *place = node->a->a; place; place = place->next, ++i) {
    place->flags |= FLAG_written;
    elements[i] = check_expr(c, place, NULL);
    is_good &= check_place(c, place) && check_swizzle_place(c, place);
  }
  Type *wanted = is_good ? type_tuple(c->types, elements, count) : NULL;
  Type *type = check_expr(c, node->b, wanted);
  if (type == c->types->poison || !is_good) return;
  if (type->kind != TYPE_tuple || type->count != count) {
    diag_at(&c->diag, DIAG_tuple_count, node->b->span, count,
            type->kind == TYPE_tuple ? type->count : 1u);
    return;
  }
  for (i = 0; i < count; ++i)
    if (elements[i] != type->elements[i])
      diag_at(&c->diag, DIAG_type_mismatch, node->b->span, type_text(type->elements[i]),
              type_text(elements[i]));
}

/* p += q by a function `+`: becomes p = p + q with the place evaluated once. */
static bool check_compound_call(Session *c, Node *node)
{
  Type *type = node->a->type;
  bool is_declared = type_is_record(type) || type->kind == TYPE_array;
  if (!node->op || !is_declared) return false;
  if (check_value(c, node->b, NULL) == c->types->poison) return true;
  Node *old = node_make(c->unit, NODE_let, node->a->span, NULL, NULL, NULL, NULL),
       *name = node_make(c->unit, NODE_name, node->a->span, NULL, NULL, NULL, NULL),
       *call = node_make(c->unit, NODE_call, node->span, NULL, NULL, NULL, NULL);
  old->type = name->type = type;
  old->name = name->name = name_of(&c->names, "old", 3);
  name->decl = old;
  name->next = node->b;
  if (!check_operator(c, call, op_text(node->op), name, NULL)) {
    diag_at(&c->diag, DIAG_bad_operand, node->span, op_text(node->op), type_text(type));
    return true;
  }
  node->op = OP_none;
  node->b = call;
  node->c = old;
  convert_to(c, &node->b, type);
  return true;
}

static bool poison_statement(Session *c, Node *node)
{
  node_clear(node, NODE_poison);
  node->type = c->types->poison;
  return true;
}

/* p += i, p -= i. */
static bool check_pointer_step(Session *c, Node *node)
{
  if (node->a->type->kind != TYPE_pointer || (node->op != OP_add && node->op != OP_sub))
    return false;
  if (check_value(c, node->b, NULL)->kind == TYPE_int_literal)
    convert_to(c, &node->b, c->types->type_i64);
  if (node->b->type != c->types->poison && !type_is_int(node->b->type))
    diag_at(&c->diag, DIAG_bad_operand, node->b->span, op_text(node->op), type_text(node->b->type));
  return true;
}

/* it[i] = v by a function `[]=`. The base and the indices are bound to names, so that += evaluates
 * them once. */
static bool check_index_call(Session *c, Node *node)
{
  if (node->a->kind != NODE_index) return false;
  if (!node->op && is_part(node->a->a)) node->a->a->flags |= FLAG_written;
  if (check_expr(c, node->a->a, NULL)->kind != TYPE_struct) return false;
  if (node->a->a->type == c->types->poison) return poison_statement(c, node);
  Node *args = NULL, **end = &args, *first = NULL, **stmt = &first, *part = node->a->a;
  part->next = node->a->b;
  while (part) { /* let .0 = it; let .1 = i; */
    Node *next = part->next;
    part->next = NULL;
    if (!part->type) check_value(c, part, NULL);
    if (part->type == c->types->poison) return poison_statement(c, node);
    if (fold_is_constant(part)) { /* a constant is evaluated anyway; a literal keeps its type */
      *end = part;
      end = &part->next;
      part = next;
      continue;
    }
    Node *let = node_new(c->unit, NODE_let, part->span),
         *name = node_new(c->unit, NODE_name, part->span);
    let->name = name->name = name_of(&c->names, ".part", 5);
    let->b = part;
    name->decl = let;
    let->type = part->type;
    *end = name;
    end = &name->next;
    *stmt = let;
    stmt = &let->next;
    check_expr(c, name, NULL);
    part = next;
  }
  Node *value = node->b;
  if (node->op) { /* it[i] += v */
    Node *old = node_new(c->unit, NODE_index, node->a->span);
    old->a = node_copy(c->unit, args);
    for (Node *arg = args->next, **slot = &old->b; arg; arg = arg->next, slot = &(*slot)->next)
      *slot = node_copy(c->unit, arg);
    value = node_make(c->unit, NODE_binary, node->span, old, node->b, NULL, NULL);
    value->op = node->op;
  }
  Type *stored = node->op ? NULL : check_stored_type(c, args);
  check_value(c, value, stored);
  if (stored && type_is_literal(value->type) && !check_is_open(stored))
    convert_to(c, &value, stored);
  *end = value;
  Node *evaluate = node_new(c->unit, NODE_evaluate, node->span),
       *call = node_new(c->unit, NODE_call, node->span);
  if (!check_operator(c, call, "[]=", args, NULL)) {
    node_clear(call, NODE_poison);
    diag_at(&c->diag, DIAG_not_assignable, node->a->span);
    diag_hint(&c->diag, "A function can be this operator: fn []=(it: %s, i: u64, value: ...) {...}",
              type_text(args->type));
  }
  evaluate->a = call;
  *stmt = evaluate;
  node_clear(node, NODE_block);
  node->a = first;
  return true;
}

/* Converts the value of an assignment. If a float is assigned to a variable that became an integer
 * by its initial value 0, the report points to the declaration. */
static bool assign_to(Session *c, Node *node, Type *type)
{
  Type *value = node->b->type;
  bool is_literal = value->kind == TYPE_float_literal;
  if ((!type_is_float(value) && !is_literal) || !type_is_int(type) || !literal_variable(node->a))
    return convert_to(c, &node->b, type);
  diag_at(&c->diag, DIAG_type_mismatch, node->b->span,
          type_text(is_literal ? c->types->type_f32 : value), type_text(type));
  hint_variable(c, node->a, is_literal ? c->types->type_f32 : value);
  return false;
}

static void check_assign(Session *c, Node *node)
{
  if (node->a->kind == NODE_tuple && !node->op) {
    check_tuple_assign(c, node);
    return;
  }
  if (check_index_call(c, node)) return;
  /* An element of an `out` span may be assigned, but `+=` would also read it. */
  if (!node->op) node->a->flags |= FLAG_written;
  Type *type = check_expr(c, node->a, NULL);
  bool is_place = check_place(c, node->a) && check_swizzle_place(c, node->a);
  /* a slice is a view: assigning it wouldn't copy elements */
  if (type->kind == TYPE_span && is_part(node->a)) {
    diag_at(&c->diag, DIAG_not_assignable, node->a->span);
    diag_hint(&c->diag, "A slice is assigned element by element.");
    return;
  }
  if (check_compound_call(c, node) || check_pointer_step(c, node)) return;
  if (type->kind == TYPE_vector && node->op) {
    if (is_place) check_vector_assign(c, node);
    return;
  }
  if (op_takes(node->op) == TAKES_SHIFT) {
    if (check_value(c, node->b, NULL)->kind == TYPE_int_literal)
      convert_to(c, &node->b, c->types->type_u32);
    if (type != c->types->poison && !type_is_int(type))
      diag_at(&c->diag, DIAG_bad_operand, node->span, op_text(node->op), type_text(type));
    if (node->b->type != c->types->poison && !type_is_int(node->b->type))
      diag_at(&c->diag, DIAG_bad_operand, node->b->span, op_text(node->op),
              type_text(node->b->type));
    else if (node->b->kind == NODE_int && type_is_int(type) && node->b->bits >= type->bits)
      diag_at(&c->diag, DIAG_shift_count, node->b->span, scalar_text(c, node->b), type_text(type),
              (unsigned)type->bits);
    return;
  }
  check_expr(c, node->b, is_place ? type : NULL);
  if (!is_place) return;
  if (!assign_to(c, node, type) || !node->op) return;
  if (!op_takes_type(node->op, type) && type != c->types->poison)
    diag_at(&c->diag, DIAG_bad_operand, node->span, op_text(node->op), type_text(type));
  if (op_divides(node->op) && node->b->kind == NODE_int && !node->b->bits)
    diag_at(&c->diag, DIAG_divide_by_zero, node->b->span);
}

static void check_if(Session *c, Node *node)
{
  check_condition(c, &node->a);
  warn_empty_body(c, node->b, "if");
  if (node->c) warn_empty_body(c, node->c, "else");
  if (node->op == OP_comptime) {
    bool is_constant = evaluate(c, node->a) && node->a->kind == NODE_bool;
    if (!is_constant && node->a->type != c->types->poison) shape_not_constant(c, node->a);
    /* The branch that is not taken isn't checked. */
    Node *taken = is_constant && node->a->bits ? node->b : node->c;
    if (!is_constant || !taken) taken = node_new(c->unit, NODE_block, node->span);
    if (taken->kind == NODE_for) { /* names of its counter refer to the node: it stays */
      Node *block = node_new(c->unit, NODE_block, taken->span);
      block->a = taken;
      taken = block;
    }
    check_statement(c, taken);
    node_become(node, taken);
    return;
  }
  check_statement(c, node->b);
  if (node->c) check_statement(c, node->c);
  if (node->c && node->b->flags & node->c->flags & FLAG_returns) node->flags |= FLAG_returns;
}

/* Makes the names in a tree that refer to `from` refer to `to`. */
static void rebind(Node *node, const Node *from, Node *to)
{
  for (; node; node = node->next) {
    if (node->decl == from) node->decl = to;
    for (unsigned i = 0; i < node_width(node); ++i) rebind(node->children[i], from, to);
  }
}

static Node *use_of(Session *c, Node *decl)
{
  Node *name = node_new(c->unit, NODE_name, decl->span);
  name->name = decl->name;
  name->decl = decl;
  return name;
}

/* The type of an index that a struct's `[]` takes: u64 if it can. */
static Type *index_type(Session *c, Node *it)
{
  const Types *t = c->types;
  Type *types[] = {t->type_u64, t->type_u32, t->type_i64, t->type_i32,
                   t->type_u16, t->type_i16, t->type_u8,  t->type_i8};
  bool is_library = it->type->origin && it->type->origin->flags & FLAG_library;
  for (size_t i = 0; i < COUNT_OF(types) && !is_library; ++i) {
    Node *call = node_new(c->unit, NODE_index, it->span), *self = use_of(c, it);
    self->type = it->type;
    self->next = node_int(c->unit, it->span, types[i], 0);
    if (check_operator(c, call, "[]", self, NULL)) return types[i];
  }
  return t->type_u64;
}

/* Lowers for (v in it) { ... } to for (.i in 0..it.len) { let v = it[.i]; ... }. A named array
 * isn't copied. False if `it` can't be indexed. */
static bool check_for_each(Session *c, Node *node, const Type *type)
{
  bool is_array = type->kind == TYPE_array && type->element->kind != TYPE_array;
  bool is_span = type->kind == TYPE_span && type->rank == 1;
  if (!is_array && !is_span && type->kind != TYPE_struct) return false;
  Span span = node->a->span;
  Node *let = node_new(c->unit, NODE_let, span), *loop = node_new(c->unit, NODE_for, span),
       *value = node_new(c->unit, NODE_let, node->span),
       *len = node_new(c->unit, NODE_member, span), *index = node_new(c->unit, NODE_index, span);
  bool is_named = is_array && node->a->kind == NODE_name;
  let->name = name_of(&c->names, ".it", 3);
  let->b = node->a;
  let->type = node->a->type;
  loop->name = name_of(&c->names, ".i", 2);
  value->name = node->name;
  value->a = node->d;
  value->b = index;
  len->name = name_of(&c->names, "len", 3);
  len->a = is_named ? node_copy(c->unit, node->a) : use_of(c, let);
  index->a = is_named ? node_copy(c->unit, node->a) : use_of(c, let);
  index->b = use_of(c, loop);
  Type *counter = type->kind == TYPE_struct ? index_type(c, let) : c->types->type_u64;
  Node *zero = node_int(c->unit, span, counter, 0);
  if (counter != c->types->type_u64) {
    check_expr(c, len, NULL);
    convert_explicitly(c, &len, counter);
  }
  value->next = node->b;
  loop->a = node_make(c->unit, NODE_range, span, zero, len, NULL, NULL);
  loop->b = node_make(c->unit, NODE_block, node->b->span, value, NULL, NULL, NULL);
  loop->c = node->c;
  loop->op = node->op;
  rebind(node->b, node, value);
  node_clear(node, NODE_block);
  node->a = is_named ? loop : let;
  if (!is_named) let->next = loop;
  check_statement(c, loop);
  return true;
}

enum { UNROLL_MAX = 4096 };

/* The number of iterations of lo..hi or (lo..hi).step(n) with constant ends; 0 if it isn't
 * known. */
static uint64_t constant_rounds(const Node *range)
{
  if (range->kind != NODE_range) return 0;
  const Node *lo = range->a, *hi = range->b, *step = range->c;
  if (!lo || !hi || lo->kind != NODE_int || hi->kind != NODE_int ||
      (step && step->kind != NODE_int))
    return 0;
  if (range->type->rank == RANGE_down) lo = range->b, hi = range->a;
  bool is_signed = type_is_signed(lo->type);
  bool is_some = is_signed ? (int64_t)lo->bits < (int64_t)hi->bits : lo->bits < hi->bits;
  uint64_t by = step && step->bits ? step->bits : 1;
  return is_some ? (hi->bits - lo->bits - 1) / by + 1 : 0;
}

/* Checks the number of iterations of an unrolled loop, multiplied by those of unrolled loops around
 * it. unroll(0) is refused, since LLVM would divide by it. */
static uint64_t check_unrolled(Session *c, const Node *node, uint64_t rounds, bool is_written)
{
  uint64_t outer = c->check->unrolled ? c->check->unrolled : 1;
  if (!rounds && !is_written) return outer;
  if (rounds && rounds <= UNROLL_MAX / outer) return rounds * outer;
  const char *around =
      outer > 1 ? arena_printf(&c->scratch, " in each of %llu", (unsigned long long)outer) : "";
  diag_at(&c->diag, DIAG_unroll_count, node->span, (unsigned long long)rounds, around,
          (unsigned)UNROLL_MAX);
  if (!node->c) diag_hint(&c->diag, "Write unroll(8) for ... to repeat the body 8 times.");
  return outer;
}

static void check_for(Session *c, Node *node)
{
  Type *type = check_expr(c, node->a, node->d ? check_type(c, node->d) : NULL);
  if (check_for_each(c, node, type)) return;
  node->type = c->types->poison;
  if (node->a->kind == NODE_range && type->kind == TYPE_range && type_is_literal(type->element)) {
    Type *element = node->d ? check_type(c, node->d) : c->types->type_i32;
    if (!type_is_int(element)) element = c->types->type_i32; /* reported below */
    Node **parts[] = {&node->a->a, &node->a->b, &node->a->c};
    for (unsigned i = 0; i < COUNT_OF(parts); ++i)
      if (*parts[i]) convert_to(c, parts[i], element);
    type = node->a->type = type_range(c->types, element, type->rank);
  }
  if (type->kind == TYPE_range) {
    node->type = type->element;
    /* LLVM would know the bounds only after its unroller */
    if (node->op == OP_unroll && node->a->kind == NODE_range) {
      Node *parts[] = {node->a->a, node->a->b, node->a->c};
      for (unsigned i = 0; i < COUNT_OF(parts); ++i)
        if (parts[i] && parts[i]->type != c->types->poison) evaluate(c, parts[i]);
    }
    if (node->d) {
      Type *wanted = check_type(c, node->d);
      if (wanted != node->type && wanted != c->types->poison)
        diag_at(&c->diag, DIAG_type_mismatch, node->a->span, type_text(node->type),
                type_text(wanted));
    }
  } else if (type != c->types->poison) {
    diag_at(&c->diag, DIAG_not_iterable, node->a->span, type_text(type));
    if (type_is_int(type) || type_is_literal(type))
      diag_hint(&c->diag, "Write 0..n to count to n.");
  }
  if (node->type != c->types->poison) {
    warn_empty_range(c, node->a);
    warn_empty_body(c, node->b, "for");
  }
  uint64_t unrolled = c->check->unrolled, rounds = 0;
  bool is_written = node->c && check_uint_constant(c, node->c, &rounds);
  if (!node->c && node->type != c->types->poison) rounds = constant_rounds(node->a);
  if (node->op == OP_unroll) c->check->unrolled = check_unrolled(c, node, rounds, is_written);
  check_statement(c, node->b);
  c->check->unrolled = unrolled;
}

/* Infers the result type of fn f() = value; and |a| { ...; return value; }. A literal takes the
 * type of another returned value, so literals wait until the end of the body. */
static void infer_result(Session *c, Node *node)
{
  Node *function = c->check->function;
  bool is_many = !(function->d->flags & FLAG_expression);
  if (!node->a) {
    function->type = c->types->none;
    return;
  }
  if (check_expr(c, node->a, NULL) != c->types->none) check_is_value(c, node->a);
  if (is_many && type_is_literal(node->a->type)) {
    vec_push(c->unit, &c->check->literals, node);
    return;
  }
  convert_default(c, &node->a);
  function->type = node->a->type;
}

void check_literal_results(Session *c, Node *function, uint32_t first)
{
  Type *type = function->type;
  for (uint32_t i = first; i < c->check->literals.count && !function->type; ++i) {
    bool is_float = c->check->literals.at[i]->a->type == c->types->float_literal;
    if (!type || is_float) type = is_float ? c->types->type_f32 : c->types->type_i32;
  }
  for (uint32_t i = first; i < c->check->literals.count; ++i) {
    Node *node = c->check->literals.at[i];
    if (type == c->types->none)
      diag_at(&c->diag, DIAG_return_value, node->a->span, function->name->text);
    else convert_to(c, &node->a, type);
  }
  c->check->literals.count = first;
  function->type = type;
}

static void check_return(Session *c, Node *node)
{
  Node *function = c->check->function;
  node->flags |= FLAG_returns;
  if (!function->type) {
    infer_result(c, node);
    return;
  }
  Type *type = function->type;
  if (algorithm_result(function)) {
    algorithm_return(c, node);
    return;
  }
  if (!node->a) {
    if (type != c->types->none && type != c->types->poison)
      diag_at(&c->diag, DIAG_return_missing, node->span, function->name->text, type_text(type));
    return;
  }
  check_expr(c, node->a, type);
  if (type == c->types->none) {
    if (node->a->type != c->types->none && node->a->type != c->types->poison) {
      diag_at(&c->diag, DIAG_return_value, node->a->span, function->name->text);
      if (function->flags & FLAG_algorithm)
        diag_hint(&c->diag, "Write the type of the result: algorithm %s(...) -> T.",
                  function->name->text);
      if (function->b && function->b->type && function->b->type->kind == TYPE_closure)
        diag_hint(&c->diag, "A 'return;' in front of it says that the lambda returns nothing.");
      else if (function->kind == NODE_function)
        diag_hint(&c->diag, "Write the type of the result: fn %s(...) -> %s.", function->name->text,
                  type_is_literal(node->a->type) ? "T" : type_text(node->a->type));
    }
  } else {
    convert_to(c, &node->a, type);
  }
}

static void check_static_assert(Session *c, Node *node)
{
  check_condition(c, &node->a);
  if (node->a->type == c->types->poison) return;
  if (!evaluate(c, node->a)) shape_not_constant(c, node->a);
  else if (!node->a->bits)
    diag_at(&c->diag, DIAG_static_assert, node->a->span, node->b ? ": " : "",
            node->b ? node->b->text : "");
}

static void check_evaluate(Session *c, Node *node)
{
  Type *type = check_expr(c, node->a, NULL);
  if (node->a->kind == NODE_call || type == c->types->none || type == c->types->poison) return;
  diag_at(&c->diag, DIAG_unused_value, node->a->span);
  if (node->a->kind == NODE_binary && node->a->op == OP_eq)
    diag_hint(&c->diag, "'=' assigns, '==' compares.");
  if (type->kind == TYPE_function)
    diag_fix(&c->diag, (Span){node->a->span.hi, node->a->span.hi}, "()");
}

void check_statement(Session *c, Node *node)
{
  if (c->check->plan && !plan_takes(node)) {
    plan_refuse(c, node);
    return;
  }
  switch ((NodeKind)node->kind) {
  case NODE_poison: return;
  case NODE_block:
    for (Node *statement = node->a; statement; statement = statement->next) {
      check_statement(c, statement);
      node->flags |= statement->flags & FLAG_returns;
    }
    return;
  case NODE_let:
  case NODE_var: check_binding(c, node); return;
  case NODE_constant: check_constant(c, node); return;
  case NODE_alias: check_alias(c, node); return;
  case NODE_shared: check_shared(c, node); return;
  case NODE_scratch:
    node->type = check_scratch_type(c, node);
    if (node->type->element && handle_refuse(c, node->span, node->type->element))
      node->type = c->types->poison;
    return;
  case NODE_unpack: check_unpack(c, node); return;
  case NODE_assign: check_assign(c, node); return;
  case NODE_if: check_if(c, node); return;
  case NODE_switch: check_switch(c, node); return;
  /* a loop may just wait: an empty body is suspicious only if a block follows it */
  case NODE_while:
    if (node->next && node->next->kind == NODE_block) warn_empty_body(c, node->b, "while");
    check_condition(c, &node->a);
    check_statement(c, node->b);
    return;
  case NODE_for:
    if (c->check->plan) plan_for(c, node, check_for);
    else check_for(c, node);
    return;
  case NODE_break:
  case NODE_continue: return;
  case NODE_return: check_return(c, node); return;
  case NODE_evaluate:
    check_evaluate(c, node);
    if (c->check->plan && !plan_takes(node)) plan_refuse(c, node);
    return;
  case NODE_launch: plan_launch(c, node); return;
  case NODE_static_assert: check_static_assert(c, node); return;
  default: die("a '%s' stands as a statement", node_kind_name(node->kind));
  }
}
