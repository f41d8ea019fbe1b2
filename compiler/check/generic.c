/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* generic.c - makes instances of generic functions, kernels and structures.
 *
 * An instance is a copy of the item as parsed in which the compile-time parameters are bound: a
 * type parameter has its type in node->type, a constant one has its value in node->b. The copy is
 * then resolved and checked like any other item. Instances are unique: they hang in a list at the
 * generic item (Facts.instances), and one for the same bindings is found there first.
 *
 *     fn f<T: type, const N: u32>(x: T) ...
 *     f<f32, 4>(x)        instances of f:  f<f32,4>  ->  f<i32,8>  ->  NULL
 *
 * The instance's name states the bindings (`softmax<f32,256>`) and becomes its symbol. Floats are
 * written with enough digits to tell any two values apart.
 *
 * A function that asks for the shape of the block (shape.c) also has an instance for each shape
 * that it is called in, with or without <...>. One without <...> is checked where it stands, for
 * the first shape; for each other shape its text is parsed once more (read_item). The alternative,
 * a copy of each function before it is checked, would be a third of the memory of a program, and
 * hardly any function asks for the shape.
 *
 * Endless instantiation ends with DIAG_instance_depth, after one of the limits below.
 */
#include "check/check_private.h"
#include "front/target.h"

#include <string.h>

enum { INSTANCE_DEPTH_MAX = 64, INSTANCES_MAX = 4096, INSTANCE_NAME_MAX = 16384 };

bool item_is(const Node *item, const char *name)
{
  size_t len = strlen(name);
  return !strncmp(item->name->text, name, len) &&
         (item->name->text[len] == 0 || item->name->text[len] == '<');
}

/* The group or type that a method belongs to, with a dot: `atomic.`; or "". */
static const char *receiver_text(Session *c, const Node *item)
{
  bool has_receiver = item->kind == NODE_function && item->b && item->b->kind == NODE_receiver;
  return has_receiver ? arena_printf(c->unit, "%s.", item->b->name->text) : "";
}

const char *generic_text(Session *c, const Node *item)
{
  return arena_printf(c->unit, "%s%.*s", receiver_text(c, item),
                      (int)strcspn(item->name->text, "<"), item->name->text);
}

const char *generic_symbol(Session *c, const char *name)
{
  char *symbol = arena_strdup(c->unit, name);
  size_t len = strlen(symbol);
  if (len && symbol[len - 1] == '>') symbol[--len] = 0;
  for (char *p = symbol; *p; ++p) {
    bool is_plain = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
                    (*p >= '0' && *p <= '9') || *p == '_';
    if (!is_plain) *p = '_';
  }
  return symbol;
}

bool kernel_has_code(const Session *c, const Node *kernel)
{
  const ck_compile_options_t *options = &c->options;
  for (size_t i = 0; i < options->kernel_count; ++i)
    if (!strcmp(options->kernels[i], kernel->name->text)) return true;
  return !options->kernel_count;
}

/* A kernel's symbol. On the host device a kernel named `printf` would replace the C library's, so
 * its symbol has a prefix that no C name has. */
const char *kernel_symbol(Session *c, const Node *kernel)
{
  const char *symbol = generic_symbol(c, kernel->name->text);
  return *c->target->prefix ? arena_printf(c->unit, "%s%s", c->target->prefix, symbol) : symbol;
}

/* Binds one parameter of a copy. False after a report. */
static bool bind_param(Session *c, Node *param, const Binding *binding)
{
  if (param->kind == NODE_type_param) {
    param->type = binding->type ? binding->type : check_type(c, param->b);
    param->b = NULL;
    return param->type != c->types->poison;
  }
  param->type = check_type(c, param->a);
  if (binding->value) param->b = node_copy(c->unit, binding->value);
  param->b->next = NULL;
  check_expr(c, param->b, param->type);
  if (param->type == c->types->poison || !convert_to(c, &param->b, param->type)) return false;
  if (evaluate(c, param->b)) return true;
  if (param->b->type != c->types->poison) shape_not_constant(c, param->b);
  return false;
}

static const Name *instance_name(Session *c, const Node *item)
{
  Buf text = BUF(&c->scratch);
  buf_puts(&text, item->name->text);
  for (const Node *param = generic_params(item); param; param = param->next) {
    buf_puts(&text, param == generic_params(item) ? "<" : ",");
    if (param->kind == NODE_type_param) buf_puts(&text, type_text(param->type));
    else if (param->b->kind == NODE_float)
      buf_printf(&text, "%.*g", param->type->kind == TYPE_f64 ? 17 : 9,
                 param->b->real); /* enough digits to tell any two values apart */
    else buf_puts(&text, scalar_text(c, param->b));
  }
  buf_putc(&text, '>');
  return name_of(&c->names, buf_text(&text), text.len);
}

/* Is the instance valid for the current shape? One that doesn't ask for the shape is valid for all;
 * FLAG_shaped is up to date, since effects are spread whenever the shape changes. */
static bool is_of_shape(Session *c, Node *made)
{
  const Facts *facts = facts_of(c, made);
  if (facts->chosen != (made->flags & FLAG_plan ? c->check->chosen : 0)) return false;
  if (made->kind != NODE_function || !(made->flags & FLAG_shaped)) return true;
  return facts->is_called == (c->check->kernel != NULL) &&
         !memcmp(facts->shape.dim, c->check->shape.dim, sizeof c->check->shape.dim);
}

void generic_note_shape(Session *c, Node *function)
{
  Facts *facts = facts_of(c, function);
  facts->shape = c->check->shape;
  facts->is_called = c->check->kernel != NULL;
}

/* The copy is valid for the current shape and, of a plan, keeps the chosen launch. */
static void add_instance(Session *c, Node *item, Node *copy)
{
  Facts *facts = facts_of(c, item);
  facts_of(c, copy)->instance = facts->instances;
  facts_of(c, copy)->original = item;
  facts->instances = copy;
  ++facts->instance_count;
  if (copy->flags & FLAG_plan) facts_of(c, copy)->chosen = c->check->chosen;
  generic_note_shape(c, copy);
}

/* Makes a copy of an item as parsed a new item, with its names resolved. */
static Node *start_instance(Session *c, const Node *item, Node *copy)
{
  copy->flags =
      (uint32_t)((item->flags & (FLAG_library | FLAG_property | FLAG_algorithm | FLAG_plan)) |
                 FLAG_instance);
  copy->type = NULL;
  copy->overload = NULL;
  copy->gen = NULL;
  resolve_copy(c, copy);
  return copy;
}

static Node *copy_item(Session *c, const Node *item)
{
  return start_instance(c, item, node_copy(c->unit, item));
}

/* Parses the text of a function once more, since check has changed its tree. Attributes and the
 * parameters that front/resolve.c added are copied. */
static Node *read_item(Session *c, const Node *function)
{
  Node *copy = parse_again(c, function), *params = copy->b, **end = &copy->b;
  if (function->flags & FLAG_property) params = NULL;
  for (const Node *param = function->b; param; param = param->next) {
    bool is_made = param->kind == NODE_receiver || param->span.lo == function->span.lo;
    if (!is_made) break;
    *end = node_copy(c->unit, param);
    end = &(*end)->next;
  }
  *end = params;
  end = &copy->a;
  for (const Node *attribute = function->a; attribute; attribute = attribute->next) {
    *end = node_copy(c->unit, attribute);
    end = &(*end)->next;
  }
  return start_instance(c, function, copy);
}

/* The function, or its copy for the current shape if it asks for the shape and was checked for
 * another one; of a plan, the copy with the chosen launch. `function` may be such a copy. After an
 * error only the library's functions are copied: the program's may be at fault, and its messages
 * are not repeated for each shape. */
Node *generic_in_shape(Session *c, Node *function)
{
  if (!function->d) return function; /* a constructor */
  if (function->flags & FLAG_instance) {
    if (generic_params(function)) return function;
    function = facts_of(c, function)->original;
  }
  if (!(function->flags & (FLAG_checking | FLAG_checked))) generic_note_shape(c, function);
  bool is_copied = !c->diag.error_count || function->flags & FLAG_library;
  if (is_of_shape(c, function) || !is_copied) return function;
  for (Node *made = facts_of(c, function)->instances; made; made = facts_of(c, made)->instance)
    if (is_of_shape(c, made)) return made;
  Node *copy = read_item(c, function);
  add_instance(c, function, copy);
  return copy;
}

bool generic_is_checked(Session *c, Node *function)
{
  for (Node *made = facts_of(c, function)->instances; made; made = facts_of(c, made)->instance)
    if (made->flags & FLAG_checked) return true;
  return function->flags & FLAG_checked;
}

bool constant_is_same(const Node *a, const Node *b)
{
  if (a->kind != b->kind) return false;
  if (a->kind == NODE_float) /* compared as bits: -0 differs from 0, and a NaN equals itself */
    return !memcmp(&a->real, &b->real, sizeof a->real);
  return a->bits == b->bits && (a->flags & FLAG_negative) == (b->flags & FLAG_negative);
}

/* Finds an instance with these bindings. Constants are compared as they are given, or as an earlier
 * instance has converted them. */
static Node *find_instance(Session *c, Node *item, const Binding *bindings, uint32_t count)
{
  for (Node *made = facts_of(c, item)->instances; made; made = facts_of(c, made)->instance) {
    const Node *param = generic_params(made);
    uint32_t i = 0;
    for (; i < count && param; ++i, param = param->next) {
      if (param->kind == NODE_type_param ? param->type != bindings[i].type
                                         : !constant_is_same(param->b, bindings[i].value))
        break;
    }
    if (i == count && is_of_shape(c, made)) return made;
  }
  return NULL;
}

/* Finds an instance with the bindings of a copy, whose constants are converted. */
static Node *find_equal(Session *c, Node *item, const Node *copy)
{
  Binding bindings[PARAMS_MAX];
  uint32_t count = 0;
  for (Node *param = generic_params(copy); param; param = param->next)
    bindings[count++] = (Binding){.param = param, .type = param->type, .value = param->b};
  return find_instance(c, item, bindings, count);
}

Node *generic_end(Session *c, const char *name, const Node *from)
{
  if (!c->check->has_no_end) diag_at(&c->diag, DIAG_instance_depth, from->span, name);
  c->check->has_no_end = true;
  return NULL;
}

bool generic_is_too_deep(const Session *c)
{
  return c->check->has_no_end || c->check->instance_depth >= INSTANCE_DEPTH_MAX;
}

Node *generic_instance(Session *c, Node *item, const Binding *bindings, uint32_t count, Node *from)
{
  bool has_all = true; /* a default value can be evaluated only in a copy */
  for (uint32_t i = 0; i < count; ++i) has_all &= bindings[i].type || bindings[i].value;
  Node *copy = has_all ? find_instance(c, item, bindings, count) : NULL;
  if (copy) return copy;
  if (generic_is_too_deep(c) || facts_of(c, item)->instance_count >= INSTANCES_MAX)
    return generic_end(c, item->name->text, from);
  copy = copy_item(c, item);
  uint32_t i = 0;
  for (Node *param = generic_params(copy); param; param = param->next, ++i) {
    if (i >= count) die("'%s' has more parameters than bindings", item->name->text);
    if (!bind_param(c, param, &bindings[i])) return NULL;
  }
  Node *other = find_equal(c, item, copy);
  if (other) return other;
  copy->name = instance_name(c, copy);
  if (strlen(copy->name->text) > INSTANCE_NAME_MAX) return generic_end(c, item->name->text, from);
  add_instance(c, item, copy);
  uint32_t mark = c->diag.order;
  ++c->check->instance_depth;
  if (copy->kind == NODE_kernel) check_kernel(c, copy);
  else if (copy->kind == NODE_structure) check_structure(c, copy, item);
  else check_function(c, copy);
  --c->check->instance_depth;
  if (c->diag.order != mark)
    diag_instantiated(&c->diag, mark, from->span,
                      arena_printf(c->unit, "%s%s", receiver_text(c, copy), copy->name->text));
  return copy;
}

/* Makes one entry of an `export`: a kernel, or an instance of one. */
static void make_export(Session *c, Node *wanted)
{
  Node *callee = wanted->kind == NODE_instance ? wanted->a : wanted;
  Node *kernel = callee->kind == NODE_name ? callee->decl : NULL;
  if (callee->kind == NODE_poison) return;
  bool is_plan = kernel && kernel->kind == NODE_function && kernel->flags & FLAG_plan;
  if (!is_plan && (!kernel || kernel->kind != NODE_kernel)) {
    diag_at(&c->diag, DIAG_not_a_kernel, wanted->span, callee->name ? callee->name->text : "this");
    return;
  }
  kernel->flags |= FLAG_written; /* the user named it */
  if (!is_plan) check_exported(c, kernel);
  else if (!generic_params(kernel) && module_of(c, kernel->span)->index) plan_entries(c, kernel);
  if (!generic_params(kernel)) {
    if (wanted->kind == NODE_instance)
      diag_at(&c->diag, DIAG_not_generic, wanted->span, kernel->name->text);
    return;
  }
  Binding bindings[PARAMS_MAX];
  uint32_t count = 0;
  Node *arg = wanted->kind == NODE_instance ? wanted->b : NULL;
  for (Node *param = generic_params(kernel); param; param = param->next, ++count) {
    bindings[count] = (Binding){.param = param};
    if (arg && param->kind == NODE_type_param) bindings[count].type = check_type(c, arg);
    else if (arg) bindings[count].value = arg;
    if (arg && bindings[count].type == c->types->poison) return;
    if (!arg && !param->b) {
      diag_at(&c->diag, DIAG_no_inference, wanted->span, param->name->text, kernel->name->text);
      return;
    }
    if (bindings[count].type && !check_constraint(c, param->a, bindings[count].type)) {
      diag_at(&c->diag, DIAG_constraint, arg->span, param->name->text,
              type_text(bindings[count].type), param->a->name ? param->a->name->text : "that");
      return;
    }
    if (arg) arg = arg->next;
  }
  if (arg) {
    diag_at(&c->diag, DIAG_argument_count, arg->span, kernel->name->text,
            arena_printf(&c->scratch, "%u compile-time arguments", count), node_count(wanted->b));
    return;
  }
  Node *made = generic_instance(c, kernel, bindings, count, wanted);
  if (made && is_plan) plan_instance_entries(c, kernel, made);
  else if (made && wanted->kind == NODE_instance)
    vec_push(c->unit, &c->asked, ((Asked){made, wanted->span}));
  check_pending(c);
}

void generic_kernels(Session *c)
{
  for (Node *item = c->module->a; item; item = item->next) {
    if (item->kind != NODE_export) continue;
    for (Node *wanted = item->a; wanted; wanted = wanted->next) make_export(c, wanted);
  }
  for (Node *item = c->module->a; item; item = item->next) {
    bool is_plan = item->kind == NODE_function && item->flags & FLAG_plan;
    if (!is_plan && item->kind != NODE_kernel) continue;
    if (!generic_params(item) || item->flags & FLAG_written) continue;
    bool has_defaults = true;
    for (Node *param = generic_params(item); param; param = param->next)
      has_defaults &= param->b != NULL;
    if (!has_defaults) continue;
    Node *wanted = node_new(c->unit, NODE_name, item->span);
    wanted->name = item->name;
    wanted->decl = item;
    make_export(c, wanted);
  }
}
