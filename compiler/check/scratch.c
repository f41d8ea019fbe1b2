/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* scratch.c - computes how many bytes of scratch memory a launch of each kernel needs.
 *
 * Scratch memory is global memory that the runtime allocates for one launch, so its size has to be
 * an expression of what is known before the launch: the kernel's parameters and the launch's shape.
 * This pass is a symbolic evaluation that finds that expression. The manifest, which describes the
 * kernels to the runtime, has it as text in reverse Polish notation (output/manifest.c).
 *
 * needs   all bodies checked; FLAG_scratch: the function or a callee has scratch memory (effect.c)
 * gives   for each kernel that has some, its bytes as an expression of the manifest
 * keeps   the tree
 * fails   with DIAG_scratch_extent, DIAG_scratch_loop, DIAG_scratch_recursion, DIAG_step_overlap
 *
 * The walk follows a kernel's statements in order, and the bodies of functions with scratch memory
 * where they are called. Its environment (Env) maps each parameter, `let` and scratch declaration
 * to a symbolic value (Sym): a number, as text; a struct, tuple or closure of symbolic values; a
 * span with its extents; or unknown, as every `var` is. Calls are evaluated with the values of
 * their arguments, so an extent may be the length of an iterator:
 *
 *     fn g(s: inout u32[], m: u64)     { scratch u: f32[m + 1]; }
 *     kernel k(n: u64, x: in f32[n])   { scratch t: u32[ceil_div(n, 256)]; g(t, n); }
 *
 *     n            number "n"
 *     x            span, extents { "n" }, root x
 *     t            span, extents { "n 256 ceil_div" }, root t
 *     s, m in g    the values of t and n
 *     u            span, extents { "n 1 + u64" }, root u
 *     bytes of k   "n 256 ceil_div 4 * 255 + 256 / 256 * n 1 + u64 4 * 255 + 256 / 256 * +"
 *
 * The bytes of a kernel are the sum over all declarations that the walk comes by, each rounded up
 * to 256 bytes. Nothing is reused, a declaration in a branch counts whether the branch is taken or
 * not, and none may be in a loop. gen/scratch.c generates the offsets, which follow each other in
 * the order of execution.
 *
 * A span's symbolic value also names its root: the parameter or scratch declaration that it is part
 * of. The runtime refuses a launch in which a parameter that is written overlaps another one. So if
 * one of two spans is written, they overlap only if their roots are equal. The library's grid
 * algorithms, such as grid.select, ask here whether what they read may alias what they write:
 * `__apart(it, keep, to)` is an error if the memory that the last argument writes may be read
 * through another one, because a root is in both or is unknown. `in` parameters of the kernel don't
 * count, since nothing writes to them. Nor are two arguments compared that are plain spans: the
 * algorithm compares their addresses when it runs. `__in_step(it, to)` is for steps that write
 * element i when they have read element i: slices of one span may be the same, x[a..b] and x[a..b],
 * or have no element in common. Where numbers decide that, the host refuses launches in which it
 * isn't so:
 *
 *     transform(x[0..k], x[k..n], f)    "0 k == 0 k + k <= || k n k - + 0 <= ||" is a need
 *
 * `__shares(it, to)` in a condition of a plan asks whether the two share memory. It is a number, 1
 * or 0, so that a plan has a form for each answer. A step that is never launched because of it is
 * dropped.
 *
 * `__fits(to.len, it.len, "to")` in a plan is a need of its launches: where the host knows both
 * numbers, it refuses a launch in which the first one is less. A number that a kernel has computed
 * makes no need. `__stores(v, n, m, "lengths")` is another: n is a number of the type of v, or m
 * where the host doesn't know n.
 */
#include "check/check_private.h"
#include "front/builtin.h"

#include <inttypes.h>
#include <string.h>

typedef enum SymKind { SYM_unknown, SYM_number, SYM_parts, SYM_span } SymKind;

/* A symbolic value. */
typedef struct Sym {
  SymKind kind;
  const char *text;         /* of a number: an expression in reverse Polish notation */
  const struct Sym **parts; /* elements of a struct, tuple or closure; extents of a span */
  uint32_t count;
  /* Of a span: the parameter, scratch declaration or array that it is part of; NULL: not known. */
  const Node *root;
  const struct Sym *first; /* of a slice: what is ahead of it in the root; NULL: nothing */
} Sym;

/* A list of declarations and their values, newest first. */
typedef struct Env {
  const struct Env *older;
  const Node *decl;
  const Sym *value;
} Env;

/* The call stack of the walk. */
typedef struct Frame {
  const struct Frame *outer;
  const Node *function;
  const Node *call; /* NULL: the kernel's own frame */
} Frame;

typedef struct Walk {
  Session *c;
  const Frame *frame;
  const Node *site; /* the kernel's call that led here, or NULL */
  Buf bytes, kept;  /* of scratch memory, of persistent scratch memory */
  bool is_kept_own; /* some persistent memory is declared outside of the library */
  uint32_t loops;   /* loops around the current statement */
  uint32_t depth;   /* of nested calls under evaluation */
  /* The kernel is the step of a plan: */
  PlanStep *step;
  bool is_first;            /* of its plan: it finds the plan's needs */
  const struct Fact *facts; /* what holds where the current statement is reached */
  uint32_t launches;        /* chosen launches that the walk has passed */
} Walk;

/* A condition that holds, or doesn't. */
typedef struct Fact {
  const struct Fact *outer;
  const char *text; /* NULL: the device alone knows */
} Fact;

static const Sym unknown = {.kind = SYM_unknown};

static const Sym *eval(Walk *w, const Node *node, const Env *env);
static bool shares(Walk *w, const Node *call, const Env *env);

/* ---- values ---- */

static const Sym *number(Walk *w, const char *text)
{
  Sym *sym = NEW(&w->c->scratch, Sym);
  *sym = (Sym){.kind = SYM_number, .text = text};
  return sym;
}

static const Sym *parts_of(Walk *w, SymKind kind, const Node *list, const Env *env)
{
  Sym *sym = NEW(&w->c->scratch, Sym);
  *sym = (Sym){.kind = kind, .count = node_count(list)};
  sym->parts = NEW_ARRAY(&w->c->scratch, const Sym *, sym->count + 1);
  uint32_t i = 0;
  for (; list; list = list->next) sym->parts[i++] = eval(w, list, env);
  return sym;
}

static const Sym *part(const Sym *whole, uint64_t i)
{
  return whole->kind != SYM_unknown && i < whole->count ? whole->parts[i] : &unknown;
}

/* An operation on extents. They have no type, so nothing wraps. */
static const Sym *apply(Walk *w, ExprId id, const Sym *a, const Sym *b)
{
  if (a->kind != SYM_number || b->kind != SYM_number) return &unknown;
  return number(w, arena_printf(&w->c->scratch, "%s %s %s", a->text, b->text, expr_token(id)));
}

/* The node's operation, applied to the symbolic values of its operands. */
static const Sym *operate(Walk *w, const Node *node, const Node *const *operands, uint32_t count,
                          const Env *env)
{
  const char *texts[EXPR_OPERANDS_MAX] = {NULL};
  for (uint32_t i = 0; i < count; ++i) {
    const Sym *operand = eval(w, operands[i], env);
    if (operand->kind != SYM_number) return &unknown;
    texts[i] = operand->text;
  }
  return number(w, contract_operation(w->c, node, texts));
}

static const Sym *bind(const Env *env, const Node *decl)
{
  for (; env; env = env->older)
    if (env->decl == decl) return env->value;
  return &unknown;
}

static const Env *with(Walk *w, const Env *env, const Node *decl, const Sym *value)
{
  Env *newest = NEW(&w->c->scratch, Env);
  *newest = (Env){env, decl, value};
  return newest;
}

/* An environment that binds the callee's parameters to the values of the arguments. */
static const Env *arguments(Walk *w, const Node *call, const Env *env)
{
  const Env *inner = NULL;
  const Node *arg = call->b;
  for (const Node *param = call->decl->b; param; param = param->next) {
    if (param->kind != NODE_param) continue;
    inner = with(w, inner, param, arg ? eval(w, arg, env) : &unknown);
    if (arg) arg = arg->next;
  }
  return inner;
}

/* ---- expressions ---- */

static const Sym *eval_intrinsic(Walk *w, const Node *call, const Env *env)
{
  static const char *const dims[] = {"__grid_dim_", "__block_dim_"}, *const words[] = {"grid",
                                                                                       "block"};
  const char *name = call->builtin->name;
  for (size_t i = 0; i < COUNT_OF(dims); ++i) {
    size_t len = strlen(dims[i]);
    if (!strncmp(name, dims[i], len))
      return number(w, arena_printf(&w->c->scratch, "%s.%c", words[i], name[len]));
  }
  bool is_same = !strncmp(name, "__assume_", 9) && call->b && !call->b->next;
  return is_same ? eval(w, call->b, env) : &unknown;
}

/* The value of a body that consists of declarations and one return; unknown for any other. */
static const Sym *eval_body(Walk *w, const Node *statement, const Env *env)
{
  for (; statement; statement = statement->next) {
    if (statement->kind == NODE_return) return eval(w, statement->a, env);
    if (statement->kind == NODE_block && statement->flags & FLAG_returns)
      return eval_body(w, statement->a, env);
    if (statement->kind == NODE_let) env = with(w, env, statement, eval(w, statement->b, env));
    else if (statement->kind != NODE_constant && statement->kind != NODE_alias &&
             statement->kind != NODE_static_assert)
      break;
  }
  return &unknown;
}

static const Sym *eval_call(Walk *w, const Node *call, const Env *env)
{
  enum { DEPTH_MAX = 100 };
  const Node *callee = call->decl;
  if (call->builtin && call->builtin->form == FORM__shares)
    return number(w, shares(w, call, env) ? "1" : "0");
  if (call->builtin && call->builtin->form == FORM__shares_none)
    return number(w, shares(w, call, env) ? "0" : "1");
  if (call->builtin) {
    bool is_intrinsic = call->builtin->form == FORM_intrinsic;
    return is_intrinsic ? eval_intrinsic(w, call, env) : &unknown;
  }
  if (!callee) { /* x.extent(k) */
    const Node *of = call->a->kind == NODE_member ? call->a->a : NULL;
    bool is_extent = of && of->type && of->type->kind == TYPE_span && call->b->kind == NODE_int;
    return is_extent ? part(eval(w, of, env), call->b->bits) : &unknown;
  }
  if (!callee->d) return parts_of(w, SYM_parts, call->b, env); /* a constructor */
  if (type_is_int(call->type) && contract_function(callee) != EXPR_none) {
    const Node *operands[] = {call->b, call->b->next};
    return operate(w, call, operands, COUNT_OF(operands), env);
  }
  if (w->depth == DEPTH_MAX) return &unknown;
  const Env *inner = arguments(w, call, env);
  ++w->depth;
  const Sym *value = eval_body(w, callee->d->a, inner);
  --w->depth;
  return value;
}

static const Sym *eval_member(Walk *w, const Node *node, const Env *env)
{
  const Type *type = node->a->type;
  const Sym *whole = eval(w, node->a, env);
  if (type->kind == TYPE_struct) {
    int field = struct_field(type, node->name);
    return field < 0 ? &unknown : part(whole, (uint64_t)field);
  }
  if (type->kind != TYPE_span || whole->kind != SYM_span || strcmp(node->name->text, "len") != 0)
    return &unknown;
  const Sym *len = whole->parts[0];
  for (uint32_t i = 1; i < whole->count; ++i) len = apply(w, EXPR_mul, len, whole->parts[i]);
  return len;
}

/* t[0] of a tuple, x[lo..hi] of a span. */
static const Sym *eval_index(Walk *w, const Node *node, const Env *env)
{
  const Node *index = node->b;
  if (node->a->type->kind == TYPE_tuple && index->kind == NODE_int)
    return part(eval(w, node->a, env), index->bits);
  if (node->type->kind != TYPE_span || index->kind != NODE_range) return &unknown;
  const Sym *whole = eval(w, node->a, env);
  if (whole->kind != SYM_span) return &unknown;
  Sym *slice = NEW(&w->c->scratch, Sym);
  *slice = *whole;
  slice->parts = NEW_ARRAY(&w->c->scratch, const Sym *, whole->count);
  memcpy(slice->parts, whole->parts, whole->count * sizeof *whole->parts);
  const Sym *first = eval(w, index->a, env);
  slice->parts[0] = apply(w, EXPR_sub, eval(w, index->b, env), first);
  slice->first = whole->first ? apply(w, EXPR_add, whole->first, first) : first;
  return slice;
}

/* An array that converts to a span has a constant extent. */
static const Sym *eval_convert(Walk *w, const Node *node, const Env *env)
{
  const Type *from = node->a->type, *to = node->type;
  if (from->kind != TYPE_array || to->kind != TYPE_span)
    return type_is_scalar(from) && type_is_scalar(to) && !type_is_float(from) && !type_is_float(to)
               ? operate(w, node, (const Node *[]){node->a}, 1, env)
               : eval(w, node->a, env);
  Sym *sym = NEW(&w->c->scratch, Sym);
  *sym = (Sym){.kind = SYM_span, .count = 1, .root = node};
  sym->parts = NEW_ARRAY(&w->c->scratch, const Sym *, 1);
  sym->parts[0] = number(w, arena_printf(&w->c->scratch, "%u", from->count));
  return sym;
}

static const Sym *eval(Walk *w, const Node *node, const Env *env)
{
  if (!node) return &unknown; /* a `let` that an unpack binds, or a return without a value */
  switch ((NodeKind)node->kind) {
  case NODE_int:
  case NODE_bool: return number(w, contract_number(w->c, node));
  case NODE_name:
    if (node->builtin && node->builtin->form == FORM_resident) return number(w, "grid.resident");
    return node->builtin ? &unknown : bind(env, node->decl);
  case NODE_convert: return eval_convert(w, node, env);
  case NODE_unary: return operate(w, node, (const Node *[]){node->a}, 1, env);
  case NODE_binary: return operate(w, node, (const Node *[]){node->a, node->b}, 2, env);
  case NODE_choose: return operate(w, node, (const Node *[]){node->a, node->b, node->c}, 3, env);
  case NODE_call: return eval_call(w, node, env);
  case NODE_member: return eval_member(w, node, env);
  case NODE_index: return eval_index(w, node, env);
  case NODE_tuple: return parts_of(w, SYM_parts, node->a, env);
  case NODE_lambda: return parts_of(w, SYM_parts, node->c, env);
  case NODE_capture: return part(eval(w, node->a, env), node->bits);
  case NODE_fast: return eval(w, node->a, env);
  default: return &unknown;
  }
}

/* ---- statements ---- */

static const Env *walk(Walk *w, const Node *node, const Env *env);
static const Fact *fact(Walk *w, const Node *condition, bool holds, const Env *env);

/* An error in a called function is reported at the kernel's call, with a note at the place. */
static void report(Walk *w, DiagId id, const Node *at, const Node *item)
{
  Session *c = w->c;
  diag_at(&c->diag, id, (w->site ? w->site : at)->span, item->name->text);
  if (w->site) diag_note(&c->diag, DIAG_scratch_here, at->span, item->name->text);
}

static const Env *walk_scratch(Walk *w, const Node *node, const Env *env)
{
  const Sym *extents = parts_of(w, SYM_span, node->a->b, env);
  if (w->loops) report(w, DIAG_scratch_loop, node, node);
  for (uint32_t i = 0; i < extents->count; ++i) {
    if (extents->parts[i]->kind == SYM_number) continue;
    report(w, DIAG_scratch_extent, node, node);
    diag_hint(&w->c->diag, w->step
                               ? "It is made of constants, the algorithm's parameters and lengths: "
                                 "take the most that there can be."
                               : "It is made of constants, the kernel's parameters, lengths of "
                                 "spans, grid.dim and block.dim.");
    return env;
  }
  Buf *bytes = node->flags & FLAG_persistent ? &w->kept : &w->bytes;
  if (node->flags & FLAG_persistent && module_of(w->c, node->span)) w->is_kept_own = true;
  bool is_first = !bytes->len;
  if (!is_first) buf_putc(bytes, ' ');
  for (uint32_t i = 0; i < extents->count; ++i)
    buf_printf(bytes, "%s %s", extents->parts[i]->text, i ? "* " : "");
  buf_printf(bytes, "%" PRIu64 " * %d + %d / %d *%s", type_bytes(node->type->element),
             SCRATCH_ALIGNMENT - 1, (int)SCRATCH_ALIGNMENT, (int)SCRATCH_ALIGNMENT,
             is_first ? "" : " +");
  Sym *span = NEW(&w->c->scratch, Sym);
  *span = *extents;
  span->root = node;
  return with(w, env, node, span);
}

static void walk_call(Walk *w, const Node *call, const Env *env)
{
  const Node *callee = call->decl;
  for (const Frame *frame = w->frame; frame; frame = frame->outer) {
    if (frame->function != callee) continue;
    report(w, DIAG_scratch_recursion, call, callee);
    return;
  }
  uint32_t errors = w->c->diag.error_count;
  if (w->loops) report(w, DIAG_scratch_loop, call, callee);
  Frame frame = {w->frame, callee, call};
  const Node *site = w->site;
  bool is_made = w->step && !w->frame->outer; /* a step's kernel calls the algorithm */
  if (!site && !is_made) w->site = call;
  w->frame = &frame;
  if (errors == w->c->diag.error_count) walk(w, callee->d, arguments(w, call, env));
  w->frame = frame.outer;
  w->site = site;
}

/* ---- what a step reads and writes ---- */

enum { ROOTS_MAX = 32 };

/* The roots of the spans in a value. is_open: one of them has an unknown root. */
typedef struct Roots {
  const Node *at[ROOTS_MAX];
  const Sym *spans[ROOTS_MAX]; /* the parts of the roots */
  uint32_t count;
  bool is_open;
} Roots;

/* Nothing writes to an `in` parameter while the kernel runs, so reading it is never a hazard. */
static bool is_constant(const Node *root)
{
  return root->kind == NODE_param && root->type->access == OP_in;
}

/* Collects the roots of the spans in a value. wants_captured: only of those that closures in it
 * captured; otherwise only of those outside of closures. */
static void roots_of(const Type *type, const Sym *sym, bool is_captured, bool wants_captured,
                     Roots *roots)
{
  if (type->kind == TYPE_span) {
    bool is_known = sym->kind == SYM_span && sym->root;
    if (is_captured != wants_captured || (is_known && is_constant(sym->root))) return;
    if (!is_known || roots->count == ROOTS_MAX) roots->is_open = true;
    else {
      roots->spans[roots->count] = sym;
      roots->at[roots->count++] = sym->root;
    }
    return;
  }
  /* What a tabulate_store's function captured is what it writes to. */
  bool is_store = type->kind == TYPE_struct && type->origin &&
                  !strcmp(type->origin->name->text, "TabulateStore");
  if (is_store && type->count == 1 && type->elements[0]->kind == TYPE_closure) {
    type = type->elements[0];
    sym = part(sym, 0);
  } else is_captured |= type->kind == TYPE_closure;
  bool has_parts =
      type->kind == TYPE_struct || type->kind == TYPE_tuple || type->kind == TYPE_closure;
  for (uint32_t i = 0; has_parts && i < type->count; ++i)
    roots_of(type->elements[i], part(sym, i), is_captured, wants_captured, roots);
}

/* The first root that is in both lists; NULL: there is none. If `a` is `b`: the first that the list
 * has twice. */
static const Node *common_root(const Roots *a, const Roots *b)
{
  for (uint32_t i = 0; i < a->count; ++i)
    for (uint32_t j = a == b ? i + 1 : 0; j < b->count; ++j)
      if (a->at[i] == b->at[j]) return a->at[i];
  return NULL;
}

static void report_overlap(Walk *w, const Node *call, const Node *read, const Node *written,
                           const Node *root)
{
  Session *c = w->c;
  const char *step = w->frame->function->name->text; /* of an instance, as select<...> */
  step += strspn(step, "_"); /* a plan of the library that several steps share */
  step = arena_printf(&c->scratch, "%.*s", (int)strcspn(step, "<"), step);
  diag_at(&c->diag, DIAG_step_overlap, (w->site ? w->site : call)->span, read->name->text, step,
          root ? "reads" : "may read", written->name->text,
          root ? arena_printf(&c->scratch, ", '%s'", root->name->text) : "");
  diag_hint(&c->diag,
            read == written   ? "It goes to each element by one way alone."
            : root && w->step ? "It writes to other memory."
            : root ? "It writes to other memory, or reads and writes spans: x[lo..hi] is one."
                   : "Make its iterators of the kernel's parameters, and of slices of them.");
}

/* May the two overlap because a root is unknown? */
static bool are_open(const Roots *a, const Roots *b)
{
  return (a->is_open && (b->is_open || b->count)) || (b->is_open && a->count);
}

/* __shares(it, to) */
static bool shares(Walk *w, const Node *call, const Env *env)
{
  Roots roots[2] = {{.count = 0}, {.count = 0}};
  const Node *value = call->b;
  for (unsigned i = 0; i < COUNT_OF(roots); ++i, value = value->next) {
    const Sym *sym = eval(w, value, env);
    roots_of(value->type, sym, false, false, &roots[i]);
    roots_of(value->type, sym, false, true, &roots[i]);
  }
  return common_root(&roots[0], &roots[1]) || are_open(&roots[0], &roots[1]);
}

static void compare_roots(Walk *w, const Node *call, const Node *read, const Node *written,
                          const Roots *from, const Roots *to)
{
  const Node *root = common_root(from, to);
  bool is_open = from == to ? to->is_open && to->count : are_open(from, to);
  if (root || is_open) report_overlap(w, call, read, written, root);
}

/* __apart(it, keep, to): reports if the memory that `to` writes may be read through the others. Two
 * spans are not compared here, since the step compares their addresses when it runs. __apart(it):
 * no root may occur twice in it. A closure may read all that it captured, also the one in `to`. */
static void walk_apart(Walk *w, const Node *call, const Env *env)
{
  const Node *written = call->b;
  while (written->next) written = written->next;
  const Sym *value = eval(w, written, env);
  Roots to = {.count = 0};
  roots_of(written->type, value, false, false, &to);
  if (written == call->b) compare_roots(w, call, written, written, &to, &to);
  for (const Node *read = call->b; read; read = read->next) {
    bool are_spans = read->type->kind == TYPE_span && written->type->kind == TYPE_span;
    if (are_spans) continue;
    Roots from = {.count = 0};
    value = eval(w, read, env);
    if (read != written) roots_of(read->type, value, false, false, &from);
    roots_of(read->type, value, false, true, &from);
    compare_roots(w, call, read, written, &from, &to);
  }
}

/* The chosen launch is reached where the condition of the `if` is as the current fact says. A step
 * that the host launches only then needn't look. */
static void decide(const Walk *w, const Node *node, uint32_t flag)
{
  ((Node *)(uintptr_t)node)->flags |= w->facts->text ? flag : FLAG_open;
}

static void walk_list(Walk *w, const Node *list, const Env *env)
{
  const Fact *outer = w->facts;
  for (; list; list = list->next) {
    env = walk(w, list, env);
    /* What follows `if (c) return v;` runs where c doesn't hold. */
    bool is_guard = w->step && list->kind == NODE_if && list->b->flags & FLAG_returns && !list->c;
    if (!is_guard) continue;
    uint32_t launches = w->launches;
    w->facts = fact(w, list->a, false, env);
    walk_list(w, list->next, env);
    if (w->launches > launches) decide(w, list, FLAG_fails);
    break;
  }
  w->facts = outer;
}

/* ---- steps of plans ---- */

static const Fact *fact(Walk *w, const Node *condition, bool holds, const Env *env)
{
  const Sym *value = eval(w, condition, env);
  Fact *fact = NEW(&w->c->scratch, Fact);
  *fact = (Fact){.outer = w->facts};
  if (value->kind == SYM_number)
    fact->text = holds ? value->text : arena_printf(&w->c->scratch, "%s !", value->text);
  return fact;
}

static void walk_if(Walk *w, const Node *node, const Env *env)
{
  const Fact *outer = w->facts;
  walk_list(w, node->a, env);
  uint32_t launches = w->launches;
  w->facts = fact(w, node->a, true, env);
  walk_list(w, node->b, env);
  if (w->launches > launches) decide(w, node, FLAG_holds);
  w->facts = outer;
  if (node->c) {
    launches = w->launches;
    w->facts = fact(w, node->a, false, env);
    walk_list(w, node->c, env);
    if (w->launches > launches) decide(w, node, FLAG_fails);
    w->facts = outer;
  }
}

/* A number for the calls that lead to the current statement. */
static uint32_t path_of(const Walk *w)
{
  uint32_t path = 0;
  for (const Frame *frame = w->frame; frame; frame = frame->outer)
    path = (path ^ (frame->call ? frame->call->span.lo : 0)) * 16777619u; /* FNV */
  return path & INT32_MAX;
}

/* A loop around the launch: its variable is the parameter that has the number of the round. */
static void walk_rounds(Walk *w, const Node *node, const Env *env)
{
  PlanStep *step = w->step;
  const Sym *lo = eval(w, node->c->a, env), *hi = eval(w, node->c->b, env);
  if (step->loop_count == PLAN_LOOPS_MAX || lo->kind != SYM_number || hi->kind != SYM_number) {
    report(w, DIAG_plan_device, node->c, node);
    diag_hint(&w->c->diag, "Repeat the launches as often as they can be needed, each behind a "
                           "condition: 'if (i < k)' is looked at by the kernels.");
    return;
  }
  step->loops[step->loop_count] =
      (PlanLoop){arena_strdup(w->c->unit, lo->text), arena_strdup(w->c->unit, hi->text),
                 path_of(w) ^ node->span.lo};
  const Sym *round = number(w, arena_printf(&w->c->scratch, "loop.%u", step->loop_count++));
  walk_list(w, node->b, with(w, env, node, round));
}

/* The expressions of grid = (x, y). */
static void launch_extents(Walk *w, const Node *part, const Env *env, const char **out)
{
  const Node *extent = part->a->kind == NODE_tuple ? part->a->a : part->a;
  for (unsigned i = 0; extent && i < 3; extent = extent->next, ++i) {
    const Sym *value = eval(w, extent, env);
    if (value->kind == SYM_number) out[i] = arena_strdup(w->c->unit, value->text);
    else {
      diag_at(&w->c->diag, DIAG_plan_device, extent->span, part->name->text);
      diag_hint(&w->c->diag,
                "Launch min(resident, ...) blocks for the most work that there can be: "
                "'for (i in grid.stride(k))' in the function takes what there is.");
    }
  }
}

static void walk_launch(Walk *w, const Node *node, const Env *env)
{
  Session *c = w->c;
  Buf text = BUF(c->unit);
  ++w->launches;
  for (const Node *part = node->b; part; part = part->next) {
    if (!strcmp(part->name->text, "grid")) launch_extents(w, part, env, w->step->grid);
    if (!strcmp(part->name->text, "cluster")) launch_extents(w, part, env, w->step->cluster);
  }
  for (const Fact *at = w->facts; at; at = at->outer) {
    if (!at->text || !strcmp(at->text, "1")) continue; /* the kernel itself looks */
    w->step->is_never |= !strcmp(at->text, "0");
    buf_printf(&text, "%s%s%s", text.len ? " " : "", at->text, text.len ? " &&" : "");
  }
  if (text.len) w->step->condition = buf_text(&text);
}

/* The conditions under which the current statement is reached, as one. False if they never hold, or
 * if the device alone knows one of them. */
static bool conditions_of(const Walk *w, Buf *text)
{
  for (const Fact *at = w->facts; at; at = at->outer) {
    if (!at->text || !strcmp(at->text, "0")) return false;
    if (strcmp(at->text, "1") != 0)
      buf_printf(text, "%s%s%s", text->len ? " " : "", at->text, text->len ? " &&" : "");
  }
  return true;
}

/* A need of the plan's launches. `needs` NULL: `has` is not 0. */
static void add_need(Walk *w, const Node *call, PlanNeed need, const char *what,
                     uint32_t what_bytes)
{
  enum { LONGEST = 60 };
  Session *c = w->c;
  Buf condition = BUF(c->unit), text = BUF(c->unit);
  if (!w->is_first || w->step->loop_count || w->loops || !conditions_of(w, &condition)) return;
  Span span = (w->site ? w->site : call)->span;
  uint32_t line, col, len = span.hi - span.lo;
  source_position(source_of(&c->sources, span.lo), span.lo, &line, &col);
  const char *written = source_text(&c->sources, span);
  const char *end = memchr(written, '\n', len);
  bool is_long = end || len > LONGEST;
  if (end) len = (uint32_t)(end - written);
  buf_printf(&text, "%.*s of '%.*s%s' in line %u", (int)what_bytes, what,
             len > LONGEST ? LONGEST : (int)len, written, is_long ? " ..." : "", line);
  need.plan = w->step->plan;
  need.condition = condition.len ? buf_text(&condition) : NULL;
  need.what = buf_text(&text);
  if (need.has) need.has = arena_strdup(c->unit, need.has);
  if (need.needs) need.needs = arena_strdup(c->unit, need.needs);
  vec_push(c->unit, &c->needs, need);
}

/* Have two symbolic values the same value, as far as is known? */
static bool is_same(const Sym *a, const Sym *b)
{
  if (a == b && a != &unknown) return true;
  if (!a || !b || a->kind == SYM_unknown || a->kind != b->kind || a->root != b->root) return false;
  if (a->kind == SYM_number) return !strcmp(a->text, b->text);
  if (a->count != b->count || !a->first != !b->first) return false;
  for (uint32_t i = 0; i < a->count; ++i)
    if (!is_same(a->parts[i], b->parts[i])) return false;
  return !a->first || is_same(a->first, b->first);
}

/* Columns of one matrix are the same or have no element in common; so are rows. */
static bool are_lines(const Type *type, const Sym *a, const Sym *b)
{
  if (type->kind != TYPE_struct || !type->origin || a->kind != SYM_parts || b->kind != SYM_parts)
    return false;
  const char *name = type->origin->name->text;
  return (!strcmp(name, "Column") || !strcmp(name, "Row")) && is_same(a->parts[0], b->parts[0]);
}

/* __in_step(it, to) */
static void walk_in_step(Walk *w, const Node *call, const Env *env)
{
  const Node *read = call->b, *written = read->next;
  const Sym *it = eval(w, read, env), *place = eval(w, written, env);
  Roots from = {.count = 0}, captured = {.count = 0}, to = {.count = 0};
  roots_of(written->type, place, false, false, &to);
  roots_of(read->type, it, false, true, &captured);
  roots_of(read->type, it, false, false, &from);
  const Node *root = common_root(&captured, &to);
  if (root) report_overlap(w, call, read, written, root);
  bool is_view = read->type == written->type && read->type->kind == TYPE_struct;
  if (root || (is_view && (is_same(it, place) || are_lines(read->type, it, place)))) return;
  if (is_view) {
    compare_roots(w, call, read, written, &from, &to);
    return;
  }
  const Sym *zero = number(w, "0");
  for (uint32_t i = 0; i < from.count; ++i)
    for (uint32_t j = 0; j < to.count; ++j) {
      if (from.at[i] != to.at[j]) continue;
      const Sym *a = from.spans[i], *b = to.spans[j];
      const Sym *low = a->first ? a->first : zero, *first = b->first ? b->first : zero;
      if (is_same(low, first)) continue;
      const Sym *high = apply(w, EXPR_add, low, part(a, 0));
      const Sym *last = apply(w, EXPR_add, first, part(b, 0));
      if (high->kind != SYM_number || last->kind != SYM_number) {
        report_overlap(w, call, read, written, to.at[j]);
        return;
      }
      const char *what = arena_printf(&w->c->scratch,
                                      "parts of '%s' that overlap, but not wholly, "
                                      "are read and written by a step",
                                      to.at[j]->name->text);
      const char *holds =
          arena_printf(&w->c->scratch, "%s %s == %s %s <= || %s %s <= ||", low->text, first->text,
                       high->text, first->text, last->text, low->text);
      add_need(w, call, (PlanNeed){.has = holds}, what, (uint32_t)strlen(what));
    }
}

/* __fits(has, needs, "what") */
static void walk_fits(Walk *w, const Node *call, const Env *env)
{
  const Node *texts = call->b->next->next;
  const Sym *has = eval(w, call->b, env), *needs = eval(w, call->b->next, env);
  if (has->kind == SYM_number && needs->kind == SYM_number && strcmp(has->text, needs->text) != 0)
    add_need(w, call, (PlanNeed){.has = has->text, .needs = needs->text}, texts->text,
             texts->text_bytes);
}

/* __stores(v, greatest, bound, "what"): types of 64 bits have every number that there is. */
static void walk_stores(Walk *w, const Node *call, const Env *env)
{
  const Type *type = call->b->type;
  const Node *texts = call->b->next->next->next;
  if (!type_is_int(type) || type->bits == 64) return;
  const Sym *greatest = eval(w, call->b->next, env);
  if (greatest->kind != SYM_number) greatest = eval(w, call->b->next->next, env);
  if (greatest->kind == SYM_number)
    add_need(w, call, (PlanNeed){.type = type, .needs = greatest->text}, texts->text,
             texts->text_bytes);
}

/* Gives the environment for the statements that follow. */
static const Env *walk(Walk *w, const Node *node, const Env *env)
{
  bool is_loop = node->kind == NODE_for || node->kind == NODE_while;
  if (node->kind == NODE_scratch) return walk_scratch(w, node, env);
  if (w->step && node->kind == NODE_if) {
    walk_if(w, node, env);
    return env;
  }
  if (w->step && node->kind == NODE_for && node->flags & FLAG_plan) {
    walk_rounds(w, node, env);
    return env;
  }
  if (w->step && node->kind == NODE_launch) walk_launch(w, node, env);
  w->loops += is_loop;
  /* A lambda's body (child 1) is walked in its instances. */
  for (unsigned i = 0; i < node_width(node); ++i)
    if (node->kind != NODE_lambda || i != 1) walk_list(w, node->children[i], env);
  w->loops -= is_loop;
  bool is_call = node->kind == NODE_call && !node->builtin && node->decl;
  if (is_call && node->decl->flags & FLAG_scratch) walk_call(w, node, env);
  bool is_apart = node->kind == NODE_call && node->builtin && node->builtin->form == FORM__apart;
  if (is_apart) walk_apart(w, node, env);
  if (node->kind == NODE_call && node->builtin && node->builtin->form == FORM__in_step)
    walk_in_step(w, node, env);
  bool is_need = node->kind == NODE_call && node->builtin && w->step;
  if (is_need && node->builtin->form == FORM__stores) walk_stores(w, node, env);
  if (is_need && node->builtin->form == FORM__fits) walk_fits(w, node, env);
  if (node->kind == NODE_let) return with(w, env, node, eval(w, node->b, env));
  if (node->kind != NODE_unpack) return env;
  const Sym *whole = eval(w, node->b, env);
  uint64_t i = 0;
  for (const Node *let = node->a; let; let = let->next, ++i)
    if (let->kind == NODE_let) env = with(w, env, let, part(whole, i));
  return env;
}

/* The environment of a kernel: integers stand for themselves, spans for their written extents or,
 * without such, for `name.len`. */
static const Env *kernel_params(Walk *w, const Node *kernel)
{
  const Env *env = NULL;
  for (const Node *param = kernel->b; param; param = param->next)
    if (type_is_int(param->type) || param->type->kind == TYPE_bool)
      env = with(w, env, param, number(w, contract_name(w->c, param->name)));
  const Env *numbers = env;
  for (const Node *param = kernel->b; param; param = param->next) {
    if (param->type->kind != TYPE_span) continue;
    Sym *span = NEW(&w->c->scratch, Sym);
    const char *len = arena_printf(&w->c->scratch, "%s.len", param->name->text);
    *span = (Sym){.kind = SYM_span, .count = 1};
    span->parts = NEW_ARRAY(&w->c->scratch, const Sym *, 1);
    span->parts[0] = number(w, len);
    if (node_extents(param))
      span = (Sym *)(uintptr_t)parts_of(w, SYM_span, node_extents(param), numbers);
    span->root = param;
    env = with(w, env, param, span);
  }
  return env;
}

Type *check_scratch_type(Session *c, Node *scratch)
{
  Node *written = scratch->a;
  if (scratch->flags & (FLAG_persistent | FLAG_plan) && !c->check->plan)
    diag_at(&c->diag, DIAG_scratch_plan, scratch->span, scratch->name->text);
  if (written->kind != NODE_index || !written->b || written->b->kind == NODE_open) {
    diag_at(&c->diag, DIAG_scratch_type, written->span, scratch->name->text);
    return c->types->poison;
  }
  Type *element = check_type(c, written->a);
  uint32_t rank = node_count(written->b);
  bool is_good = element != c->types->poison;
  if (is_good && (rank > 4 || !element->is_data)) {
    if (rank > 4) diag_at(&c->diag, DIAG_extent_count, written->span, rank, "a span", 4u);
    else diag_at(&c->diag, DIAG_array_element, written->a->span, type_text(element));
    is_good = false;
  }
  for (Node **slot = &written->b; *slot; slot = &(*slot)->next) {
    check_expr(c, *slot, c->types->type_u64);
    if (type_is_literal((*slot)->type)) convert_to(c, slot, c->types->type_u64);
    Type *type = (*slot)->type;
    is_good &= type_is_int(type);
    if (type != c->types->poison && !type_is_int(type))
      diag_at(&c->diag, DIAG_index_type, (*slot)->span, type_text(type));
  }
  effects_add(c, FLAG_scratch);
  return is_good ? type_span(c->types, element, rank, OP_inout) : c->types->poison;
}

/* Steps that are never launched have no kernels. */
static void drop_steps(Session *c)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < c->kernels.count; ++i) {
    Node *kernel = c->kernels.at[i];
    const PlanStep *step = kernel->flags & FLAG_plan ? plan_step(c, kernel) : NULL;
    if (!step || !step->is_never) c->kernels.at[kept++] = kernel;
  }
  c->kernels.count = kept;
  kept = 0;
  for (uint32_t i = 0; i < c->steps.count; ++i)
    if (!c->steps.at[i].is_never) c->steps.at[kept++] = c->steps.at[i];
  c->steps.count = kept;
}

void check_scratch(Session *c)
{
  const Plan *plan = NULL; /* of the step before */
  for (uint32_t i = 0; i < c->kernels.count; ++i) {
    const Node *kernel = c->kernels.at[i];
    if (!(kernel->flags & FLAG_scratch)) continue;
    bool is_step = kernel->flags & FLAG_plan;
    if (is_step && c->diag.error_count) continue; /* another step has the same declarations */
    Frame frame = {NULL, kernel, NULL};
    Walk w = {.c = c, .frame = &frame, .bytes = BUF(c->unit), .kept = BUF(c->unit)};
    if (is_step) {
      w.step = plan_step(c, kernel);
      w.is_first = w.step->plan != plan;
      plan = w.step->plan;
    }
    walk(&w, kernel->d, kernel_params(&w, kernel));
    Scratch row = {kernel, buf_text(&w.bytes), buf_text(&w.kept), w.is_kept_own};
    vec_push(c->unit, &c->scratches, row);
  }
  drop_steps(c);
}

const Scratch *scratch_of(const Session *c, const Node *kernel)
{
  for (uint32_t i = 0; i < c->scratches.count; ++i)
    if (c->scratches.at[i].kernel == kernel) return &c->scratches.at[i];
  return NULL;
}
