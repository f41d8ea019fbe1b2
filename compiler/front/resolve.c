/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* resolve.c - makes every name refer to its declaration.
 *
 * needs   a tree as parsed
 * gives   name->decl for what the program declares, ->builtin for what the compiler knows, ->type
 *         for types and groups; functions of one name chained by ->overload; methods and
 *         constructors made functions
 * keeps   the tree otherwise
 * fails   with DIAG_undeclared and its like; the name becomes NODE_poison
 *
 * There is no symbol table beside the names: a name's bindings hang on the interned name itself
 * (Name.bound), the newest first, and are removed when their block ends. So a look-up is one load.
 *
 *     const n = 4;                          Name "n" .bound -> inner let -> const n -> NULL
 *     kernel k() { let n = 5; ... n ... }            (newest)
 *
 * The library has a scope of its own, below the user's: what the user declares can't change what
 * the library means. Its functions are resolved when they are first used.
 *
 * A module sees its own items, then those of the files that it imports itself unless their names
 * start with '_', then the library's. Functions of one name form one chain through all modules;
 * whoever walks it skips those that the place doesn't see (resolve_overload).
 */
#include "front/builtin.h"
#include "front/front_private.h"
#include "front/memory.h"

#include <string.h>

typedef struct Bound Bound;
struct Bound {
  Bound *older;  /* of the same name */
  Bound *before; /* bound before this one, whatever its name */
  const Name *name;
  Node *decl;
  Node *last;     /* the last of the functions that share the name */
  uint32_t depth; /* of the block in which it is bound */
  bool is_global, is_library;
  const Module *module; /* of a global that is not the library's */
  /* Functions: the binding in the first module, whose chain goes through all modules. */
  Bound *root;
};

struct Scope {
  Bound *newest;
  Bound *spare;
  uint32_t loops;       /* loops around the current statement */
  uint32_t roles;       /* of the kernel, so far */
  bool in_role;         /* in a role of a split */
  bool in_switch;       /* the innermost of the loops and switches around it is a switch */
  uint32_t depth;       /* blocks around it; 0 for items */
  bool in_library;      /* the current item is the library's */
  const Node *assigned; /* the name on the left of the current assignment, or NULL */
  const Module *module; /* the module of the current item */
  Node *item;           /* the current item, or NULL */
};

static void resolve_node(Session *c, Node *node);

/* ---- bindings ---- */

static Bound *bind(Session *c, const Name *name, Node *decl)
{
  Scope *scope = c->scope;
  Bound *bound = scope->spare;
  if (bound) scope->spare = bound->before;
  else bound = NEW(c->unit, Bound);
  Name *slot = (Name *)(uintptr_t)name;
  *bound = (Bound){.older = slot->bound,
                   .before = scope->newest,
                   .name = name,
                   .decl = decl,
                   .depth = scope->depth};
  slot->bound = scope->newest = bound;
  return bound;
}

static void warn_unused(Session *c, const Node *decl)
{
  bool is_variable = decl->kind == NODE_let || decl->kind == NODE_var || decl->kind == NODE_shared;
  if (!is_variable || decl->flags & FLAG_used || decl->name->text[0] == '_') return;
  bool is_assigned = decl->flags & FLAG_assigned;
  if (is_assigned && decl->flags & FLAG_union) return; /* another member of the union may read it */
  DiagId id = is_assigned ? DIAG_unread_variable : DIAG_unused_variable;
  diag_warn(&c->diag, id, decl->span, decl->name->text);
}

static void unbind_to(Session *c, Bound *mark)
{
  Scope *scope = c->scope;
  for (Bound *bound; (bound = scope->newest) != mark;) {
    if (!bound->is_global) warn_unused(c, bound->decl);
    ((Name *)(uintptr_t)bound->name)->bound = bound->older;
    scope->newest = bound->before;
    bound->before = scope->spare;
    scope->spare = bound;
  }
}

/* The binding that a module sees under the name: a local one, its own, an imported one, or the
 * library's. `from` is NULL for the library. */
static Bound *lookup_from(const Session *c, const Name *name, const Module *from)
{
  Bound *best = NULL;
  for (Bound *bound = name->bound; bound; bound = bound->older) {
    if (!bound->is_global || bound->module == from) return bound;
    if (bound->is_library ? !best : from && module_sees(c, from, bound->decl)) best = bound;
  }
  return best;
}

static Bound *lookup(const Session *c, const Name *name)
{
  return lookup_from(c, name, c->scope->in_library ? NULL : c->scope->module);
}

/* Reports a declaration with the name of a scalar or vector type, and gives true: the name keeps
 * its meaning as a type. */
static bool is_type_name(Session *c, const Node *decl, const Name *name)
{
  if (!type_scalar_named(c->types, name->text, name->len) &&
      !type_vector_named(c->types, name->text, name->len))
    return false;
  diag_at(&c->diag, DIAG_type_redeclared, decl->span, name->text);
  return true;
}

static void declare_local(Session *c, Node *decl)
{
  if (is_type_name(c, decl, decl->name)) return;
  Bound *bound = decl->name->bound;
  /* A name may hide an outer one, but a block or parameter list may not declare it twice. */
  if (bound && !bound->is_global && bound->depth == c->scope->depth) {
    diag_at(&c->diag, DIAG_redeclared, decl->span, decl->name->text);
    diag_note(&c->diag, DIAG_declared_here, bound->decl->span, decl->name->text);
  }
  bind(c, decl->name, decl);
}

/* The name under which an item is bound: `sync` of `block` is "block.sync". */
static const Name *item_name(Session *c, const Node *item)
{
  const Node *first = item->kind == NODE_function ? item->b : NULL;
  if (!first || first->kind != NODE_receiver) return item->name;
  const char *text = arena_printf(&c->scratch, "%s.%s", first->name->text, item->name->text);
  return name_of(&c->names, text, strlen(text));
}

static void check_count(Session *c, const Node *item, uint32_t count)
{
  if (count > PARAMS_MAX) diag_at(&c->diag, DIAG_param_count, item->span, item->name->text, count);
}

/* ---- structures ---- */

/* The type `P<T, N>` of a structure, in terms of its own compile-time parameters. */
static Node *self_type(Session *c, const Node *structure)
{
  Node *name = node_new(c->unit, NODE_name, structure->span), *args = NULL, **end = &args;
  name->name = structure->name;
  for (const Node *param = generic_params(structure); param; param = param->next) {
    *end = node_new(c->unit, NODE_name, structure->span);
    (*end)->name = param->name;
    end = &(*end)->next;
  }
  return args ? node_make(c->unit, NODE_instance, structure->span, name, args, NULL, NULL) : name;
}

static Node *copy_params(Session *c, const Node *structure, uint16_t flags)
{
  Node *first = NULL, **end = &first;
  for (const Node *param = generic_params(structure); param; param = param->next) {
    *end = node_copy(c->unit, param);
    (*end)->flags |= flags;
    end = &(*end)->next;
  }
  return first;
}

bool name_is_operator(const Name *name)
{
  return !char_is_letter(*name->text);
}

/* Makes a function a method: `P.name` with a first parameter `self` of the type `type`, behind the
 * receiver. The structure's compile-time parameters come before its own. */
static void make_method(Session *c, Node *function, const Node *structure, Node *type)
{
  Node *self = node_make(c->unit, NODE_param, function->span, type, NULL, NULL, NULL);
  self->name = name_of(&c->names, "self", 4);
  Node **slot =
      function->b && function->b->kind == NODE_receiver ? &function->b->next : &function->b;
  self->next = *slot;
  *slot = self;
  Node *params = structure ? copy_params(c, structure, FLAG_inherited) : NULL;
  if (!params) return;
  node_last(params)->next = generic_params(function);
  function->a = params;
}

/* Handles `fn P.name` outside the structure. A method of a group has no self. */
static void find_receiver(Session *c, Node *function)
{
  Node *receiver = function->kind == NODE_function ? function->b : NULL;
  if (!receiver || receiver->kind != NODE_receiver || receiver->flags & FLAG_seen) return;
  receiver->flags |= FLAG_seen;
  if (type_group_named(c->types, receiver->name->text)) return;
  const Bound *bound = lookup(c, receiver->name);
  const Node *structure = bound && bound->decl->kind == NODE_structure ? bound->decl : NULL;
  bool is_scalar = type_scalar_named(c->types, receiver->name->text, receiver->name->len) ||
                   (bound && bound->decl->kind == NODE_enumeration);
  if (!structure && !is_scalar) return;
  Node *type = node_new(c->unit, NODE_name, receiver->span);
  type->name = receiver->name;
  make_method(c, function, structure, structure ? self_type(c, structure) : type);
}

/* Moves a structure's methods behind it as items, and makes its constructor, which P(...) calls: a
 * function without a body whose parameters are the fields. */
static void open_structure(Session *c, Node *structure)
{
  Node *constructor = node_new(c->unit, NODE_function, structure->span), **end = &constructor->b,
       **slot = &structure->b, *after = structure;
  constructor->name = structure->name;
  constructor->a = copy_params(c, structure, 0);
  constructor->c = self_type(c, structure);
  constructor->flags = structure->flags & FLAG_library;
  while (*slot) {
    Node *member = *slot;
    if (member->kind == NODE_field) {
      Node *type = node_copy(c->unit, member->a);
      *end = node_make(c->unit, NODE_param, member->span, type,
                       member->b ? node_copy(c->unit, member->b) : NULL, NULL, NULL);
      (*end)->name = member->name;
      end = &(*end)->next;
      slot = &member->next;
      continue;
    }
    *slot = member->next;
    if (!name_is_operator(member->name)) { /* an operator isn't a method: self is an operand */
      Node *receiver = node_new(c->unit, NODE_receiver, structure->span);
      receiver->name = structure->name;
      receiver->flags = FLAG_seen;
      receiver->next = member->b;
      member->b = receiver;
    }
    make_method(c, member, structure, self_type(c, structure));
    member->next = after->next;
    after = after->next = member;
  }
  structure->overload = constructor;
}

static void declare_item(Session *c, Node *item)
{
  bool is_library = c->scope->in_library;
  if (is_library) item->flags |= FLAG_library;
  if (item->kind == NODE_algorithm && algorithm_is_plan(c, item)) algorithm_plan(item);
  if (item->kind == NODE_algorithm) algorithm_lower(c, item);
  if (!item->name) return;
  if (item->kind == NODE_structure) {
    check_count(c, item, node_count(item->a));
    open_structure(c, item);
    check_count(c, item, node_count(item->b));
  }
  if (item->kind == NODE_function || item->kind == NODE_kernel) {
    check_count(c, item, node_count(item->a));
    check_count(c, item, node_count(item->b));
  }
  const Name *name = item_name(c, item);
  if (is_type_name(c, item, name)) return;
  const Module *module = is_library ? NULL : c->scope->module;
  Bound *bound = name->bound, *root = NULL;
  bool is_function = item->kind == NODE_function;
  for (Bound *b = name->bound; b && is_function; b = b->older)
    if (b->is_library == is_library && b->root) root = b->root;
  if (root) root->last = root->last->overload = item;
  while (bound && bound->module != module) bound = bound->older;
  if (bound) {
    if (bound->root && is_function) return;
    diag_at(&c->diag, DIAG_redeclared, item->span, item->name->text);
    diag_note(&c->diag, DIAG_declared_here, bound->decl->span, item->name->text);
    return;
  }
  bound = bind(c, name, item);
  bound->last = item;
  bound->is_global = true;
  bound->is_library = is_library;
  bound->module = module;
  if (is_function) bound->root = root ? root : bound;
}

/* The declaration of a binding; of functions, the first in the chain that `from` sees. */
static Node *decl_from(const Session *c, const Bound *bound, const Module *from)
{
  if (!bound->root || bound->is_library) return bound->decl;
  Node *function = bound->root->decl;
  while (function && !module_sees(c, from, function)) function = function->overload;
  return function ? function : bound->decl;
}

/* Finds a method. `fn P.name` may be in the file of P, which need not be imported by a module that
 * has a P, or in another one. */
Node *resolve_method(Session *c, const Type *type, const Name *name, Span at)
{
  const Node *structure = type->kind == TYPE_struct ? type->origin : NULL;
  const char *owner = structure ? structure->name->text : type_owner_text(type);
  const char *text = arena_printf(&c->scratch, "%s.%s", owner, name->text);
  const Name *full = name_of(&c->names, text, strlen(text));
  const Module *from = module_of(c, at), *home = structure ? module_of(c, structure->span) : from;
  for (Bound *bound = full->bound; bound && home != from; bound = bound->older)
    if (bound->module == home && *name->text != '_') return bound->decl;
  const Bound *bound = lookup_from(c, full, from);
  return bound ? decl_from(c, bound, from) : NULL;
}

Node *resolve_overload(const Session *c, const Node *function, Span at)
{
  Node *next = function->overload;
  if (!next || next->flags & FLAG_library || c->modules.count == 1) return next;
  const Module *from = module_of(c, at);
  if (!from) return next; /* the library calls functions that it was given */
  while (next && !module_sees(c, from, next)) next = next->overload;
  return next;
}

/* Reports a name that a module sees from two imports, or from an import and itself. Functions of
 * one name are overloads and don't clash. */
static void find_clashes(Session *c, const Module *module, const Import *import)
{
  for (Node *item = import->module->tree->a; item; item = item->next) {
    if (!item->name || !module_sees(c, module, item)) continue;
    for (Bound *bound = item_name(c, item)->bound; bound; bound = bound->older) {
      bool is_later = bound->module && bound->module != module;
      for (uint32_t i = 0; is_later && i < module->imports.count; ++i)
        /* this import itself, or a later one */
        if (&module->imports.at[i] == import) is_later = false;
        else if (module->imports.at[i].module == bound->module) break;
      if (!bound->module || bound->module == import->module ||
          (bound->module != module && !is_later) || !module_sees(c, module, bound->decl) ||
          (item->kind == NODE_function && bound->decl->kind == NODE_function))
        continue;
      resolve_clash(c, import->node->span, item, bound->decl);
    }
  }
}

void resolve_clash(Session *c, Span at, const Node *item, const Node *other)
{
  diag_at(&c->diag, DIAG_import_clash, at, item->name->text, module_of(c, item->span)->source->name,
          module_of(c, other->span)->source->name);
  diag_note(&c->diag, DIAG_declared_here, item->span, item->name->text);
  diag_note(&c->diag, DIAG_declared_here, other->span, other->name->text);
  diag_hint(&c->diag, "Rename one; a name that starts with '_' stays in its file.");
}

/* Is the name internal to the library and the compiler? */
static bool is_internal(const Name *name)
{
  return !strncmp(name->text, "__", 2);
}

Node *resolve_library_function(const Name *name)
{
  for (const Bound *bound = name->bound; bound; bound = bound->older)
    if (bound->is_library && bound->root) return bound->decl;
  return NULL;
}

unsigned resolve_functions(const Session *c, const Name *name, Span at, Node *out[2])
{
  const Module *from = module_of(c, at);
  const Bound *library = NULL;
  Node *users = NULL;
  unsigned count = 0;
  for (const Bound *bound = name->bound; bound; bound = bound->older) {
    if (!bound->root) continue;
    if (bound->is_library) library = bound;
    else users = bound->root->decl;
  }
  while (users && !module_sees(c, from, users)) users = users->overload;
  if (users) out[count++] = users;
  if (library && (!from || !is_internal(name))) out[count++] = library->decl;
  return count;
}

/* ---- messages ---- */

/* Offers the visible names: locals first, then the program's items, then the library's. */
static void offer_names(const Session *c, Suggestion *suggestion)
{
  for (uint32_t i = 0; i <= c->names.mask; ++i) {
    for (const Name *name = c->names.table[i]; name; name = name->next) {
      const Bound *bound = name->bound;
      /* the name is bound nowhere; thread_x may mean thread.x, though, which is bound */
      if (!bound) continue;
      suggest_offer(suggestion, name->text, bound->is_library ? 2 : bound->is_global);
    }
  }
  suggest_builtins(suggestion);
}

void suggest_members(Session *c, const Type *type, const Name *wanted, Span span)
{
  bool is_memory = type->kind == TYPE_span || type->kind == TYPE_array;
  const char *hint = type->kind == TYPE_pointer ? "What a pointer points at is p[0]."
                     : !is_memory               ? NULL
                     : !strcmp(wanted->text, "shape")
                         ? "The extent along axis k is x.extent(k), all elements are x.len."
                         : NULL;
  if (hint) {
    diag_hint(&c->diag, "%s", hint);
    return;
  }
  bool is_owner = type->kind == TYPE_group || type->kind == TYPE_module;
  if (is_owner && cuda_member(c, type->text, wanted, span)) return;
  Suggestion suggestion = suggest_for(wanted->text);
  size_t len = strlen(type->text);
  for (uint32_t i = 0; is_owner && i <= c->names.mask; ++i) {
    for (const Name *name = c->names.table[i]; name; name = name->next) {
      if (!name->bound || strncmp(name->text, type->text, len) != 0 || name->text[len] != '.')
        continue;
      const char *member = name->text + len + 1;
      suggest_offer(&suggestion, arena_strndup(&c->scratch, member, strcspn(member, ".")), 0);
    }
  }
  bool is_counted = type->kind == TYPE_span || type->kind == TYPE_array;
  static const char *const lengths[] = {"length", "size", "count", "shape", "numel"};
  for (size_t i = 0; is_counted && i < COUNT_OF(lengths); ++i)
    if (!strcmp(wanted->text, lengths[i])) suggestion.best = "len", suggestion.least = 0;
  if (is_counted) suggest_offer(&suggestion, "len", 0);
  if (type->kind == TYPE_range) {
    suggest_offer(&suggestion, "step", 0);
    suggest_offer(&suggestion, "reverse", 0);
    if (!strncmp(wanted->text, "rev", 3)) suggestion.best = "reverse", suggestion.least = 0;
  }
  suggest_give(c, &suggestion, span);
}

void suggest_methods(Session *c, const Type *type, const Name *wanted, Span span)
{
  if (type->kind == TYPE_range) {
    suggest_members(c, type, wanted, span);
    return;
  }
  Suggestion suggestion = suggest_for(wanted->text);
  for (uint32_t i = 0; i <= c->names.mask; ++i) {
    for (const Name *name = c->names.table[i]; name; name = name->next) {
      const Bound *bound = name->bound;
      if (!bound || !bound->decl || bound->decl->kind != NODE_function || strchr(name->text, '.'))
        continue;
      suggest_offer(&suggestion, name->text, bound->is_library);
    }
  }
  suggest_give(c, &suggestion, span);
}

/* A declaration of the name in the tree that isn't visible where the name is used. */
static const Node *find_hidden(const Node *node, const Name *name)
{
  for (; node; node = node->next) {
    bool is_declaration = node->kind == NODE_let || node->kind == NODE_var ||
                          node->kind == NODE_shared || node->kind == NODE_scratch ||
                          node->kind == NODE_constant || node->kind == NODE_for;
    if (is_declaration && node->name == name) return node;
    for (unsigned i = 0; i < node_width(node); ++i) {
      const Node *found = find_hidden(node->children[i], name);
      if (found) return found;
    }
  }
  return NULL;
}

static bool explain_hidden(Session *c, const Node *node)
{
  const Node *hidden = c->scope->item ? find_hidden(c->scope->item->d, node->name) : NULL;
  if (!hidden) return false;
  if (hidden->span.lo > node->span.lo) {
    diag_note(&c->diag, DIAG_declared_later, hidden->span, node->name->text);
  } else {
    diag_note(&c->diag, DIAG_declared_inside, hidden->span, node->name->text);
    diag_hint(&c->diag, "Declare it before the block, with 'var', and assign it inside.");
  }
  return true;
}

/* A step that launches kernels, named where no host executes the statement. */
static bool explain_step(Session *c, const Node *node)
{
  const char *text = arena_printf(&c->scratch, "device.%s", node->name->text);
  const Name *name = name_of(&c->names, text, strlen(text));
  const Node *item = c->scope->item;
  if (!item || !name->bound) return false;
  diag_hint(&c->diag, item->flags & FLAG_algorithm
                          ? "It launches kernels, so the host has to execute the algorithm: what "
                            "threads execute in it, such as an assignment or a 'while', belongs "
                            "into a function that is launched."
                          : "It launches kernels: an algorithm calls it.");
  return true;
}

static void undeclared(Session *c, Node *node)
{
  const char *language = node->name->bound ? NULL : cuda_language(node->name);
  if (!language) diag_at(&c->diag, DIAG_undeclared, node->span, node->name->text);
  else cuda_report(&c->diag, node->span, node->name->text, language);
  /* Suggestions walk over the whole item and all names, so they are made only for errors that are
   * shown. */
  bool is_shown = c->diag.current && c->diag.error_count <= ERRORS_MAX;
  bool is_in_algorithm = c->scope->item && c->scope->item->flags & FLAG_algorithm;
  if (!is_shown || explain_hidden(c, node) || (is_in_algorithm && explain_step(c, node))) {
    /* nothing to add */
  } else if (!cuda_hint(c, node->name, node->span) && !explain_step(c, node)) {
    Suggestion suggestion = suggest_for(node->name->text);
    offer_names(c, &suggestion);
    suggest_give(c, &suggestion, node->span);
  }
  node->kind = NODE_poison;
  node->name = NULL;
  node->type = c->types->poison;
}

/* ---- the tree ---- */

static void resolve_list(Session *c, Node *list)
{
  for (; list; list = list->next) resolve_node(c, list);
}

static void only_library(Session *c, Node *node)
{
  diag_at(&c->diag, DIAG_only_library, node->span, node->name->text);
  if (!cuda_hint(c, node->name, node->span))
    diag_hint(&c->diag, "Names that start with two underscores belong to the library.");
  node->kind = NODE_poison;
  node->name = NULL;
  node->type = c->types->poison;
}

static void resolve_name(Session *c, Node *node)
{
  node->decl = NULL;
  node->builtin = NULL;
  Bound *bound = node->flags & FLAG_library ? NULL : lookup(c, node->name);
  if (bound && bound->is_library && is_internal(node->name) && !c->scope->in_library) {
    only_library(c, node);
    return;
  }
  if (bound) {
    if (!bound->is_global)
      bound->decl->flags |= node == c->scope->assigned ? FLAG_assigned : FLAG_used;
    node->decl = bound->is_global ? decl_from(c, bound, c->scope->module) : bound->decl;
    return;
  }
  Type *type = type_scalar_named(c->types, node->name->text, node->name->len);
  if (!type) type = type_vector_named(c->types, node->name->text, node->name->len);
  Type *group = type ? NULL : type_group_named(c->types, node->name->text);
  const Builtin *builtin = builtin_named(node->name);
  if (type) node->type = type_naming(c->types, type);
  else if (group) node->type = group;
  else if (builtin) node->builtin = builtin;
  else undeclared(c, node);
  if (builtin && is_internal(node->name) && !c->scope->in_library) only_library(c, node);
}

/* The name of the variable that an assignment changes, or of an array whose declaration shows that
 * it is one. An assignment through a pointer or span doesn't count. */
static const Node *assigned_name(const Session *c, const Node *place)
{
  const Node *base = place;
  while (base->kind == NODE_index) base = base->a;
  const Bound *bound = base->kind == NODE_name ? lookup(c, base->name) : NULL;
  if (!bound || bound->is_global) return NULL;
  const Node *decl = bound->decl;
  bool is_array = decl->kind == NODE_shared ||
                  (decl->kind == NODE_var && decl->a && decl->a->kind == NODE_index);
  return base == place || is_array ? base : NULL;
}

static void resolve_assign(Session *c, Node *node)
{
  const Node *outer = c->scope->assigned;
  c->scope->assigned = assigned_name(c, node->a);
  resolve_node(c, node->a);
  c->scope->assigned = outer;
  resolve_node(c, node->b);
  if (node->c) resolve_node(c, node->c);
}

static void resolve_loop(Session *c, Node *body)
{
  bool in_switch = c->scope->in_switch;
  c->scope->in_switch = false;
  ++c->scope->loops;
  resolve_node(c, body);
  --c->scope->loops;
  c->scope->in_switch = in_switch;
}

static void resolve_switch(Session *c, Node *node)
{
  Scope *scope = c->scope;
  bool in_switch = scope->in_switch;
  resolve_node(c, node->a);
  for (Node *branch = node->b; branch; branch = branch->next) {
    Bound *mark = scope->newest;
    resolve_list(c, branch->a);
    ++scope->depth;
    scope->in_switch = true;
    resolve_list(c, branch->b);
    scope->in_switch = in_switch;
    --scope->depth;
    unbind_to(c, mark);
  }
}

static void resolve_split(Session *c, Node *node)
{
  Scope *scope = c->scope;
  uint32_t count = node_count(node->a);
  if (scope->in_role) {
    diag_at(&c->diag, DIAG_split_place, node->span);
    node_clear(node, NODE_block);
    return;
  }
  split_lower(c, node, scope->item, scope->roles);
  scope->roles += count;
  scope->in_role = true;
  resolve_node(c, node);
  scope->in_role = false;
}

/* Opens the scope of an item, and declares its compile-time parameters; there may be attributes
 * among `params`. Returns what close_item restores. */
static Scope open_item(Session *c, const Node *item, Node *params)
{
  Scope outer = *c->scope;
  ++c->scope->depth;
  c->scope->in_library = item->flags & FLAG_library;
  c->scope->module = module_of(c, item->span);
  for (Node *param = params; param; param = param->next) {
    if (param->kind == NODE_attribute) continue;
    /* a constraint is a word of the language, not a name */
    if (param->kind == NODE_const_param) resolve_node(c, param->a);
    if (param->b) resolve_node(c, param->b);
    declare_local(c, param);
  }
  return outer;
}

static void close_item(Session *c, Scope outer)
{
  unbind_to(c, outer.newest);
  outer.spare = c->scope->spare;
  *c->scope = outer;
}

static void resolve_item(Session *c, Node *item)
{
  Scope outer = *c->scope;
  c->scope->item = item;
  c->scope->loops = c->scope->roles = 0;
  c->scope->in_switch = c->scope->in_role = false;
  open_item(c, item, item->a);
  /* A default is evaluated by the caller, so it can't use the parameters. */
  for (Node *param = item->b; param; param = param->next)
    if (param->b) resolve_node(c, param->b);
  for (Node *param = item->b; param; param = param->next)
    if (param->kind == NODE_param) declare_local(c, param);
  for (Node *param = item->b; param; param = param->next)
    if (param->a) resolve_node(c, param->a);
  for (Node *part = item->a; part; part = part->next)
    if (part->kind == NODE_attribute && strcmp(part->name->text, "require") != 0)
      resolve_list(c, part->a); /* `sm` in @require is a word of the language, not a name */
  resolve_list(c, item->c);
  if (item->d) resolve_node(c, item->d);
  close_item(c, outer);
}

static void resolve_structure(Session *c, Node *structure)
{
  Scope outer = open_item(c, structure, generic_params(structure));
  for (Node *field = structure->b; field; field = field->next) resolve_node(c, field->a);
  close_item(c, outer);
  /* Defaults of fields are resolved with the constructor's parameters. */
  if (structure->overload) resolve_item(c, structure->overload);
}

/* Is it ptr<T, shared> or __place<T, shared, N>, whose second argument is a word of the
 * language? */
static bool is_pointer_type(const Node *node)
{
  if (node->a->kind != NODE_name || !node->b->next) return false;
  const char *text = node->a->name->text;
  return !strcmp(text, "ptr") || !strcmp(text, "__place");
}

/* Reports a misspelt word of an option, such as order = relaxt. */
static void unknown_word(Session *c, const char *option, const char *words, Node *value)
{
  diag_at(&c->diag, DIAG_undeclared, value->span, value->name->text);
  if (!suggest_words(c, value->name, value->span, words))
    diag_hint(&c->diag, "'%s' is one of: %s.", option, words);
  value->kind = NODE_poison;
  value->name = NULL;
  value->type = c->types->poison;
}

/* A named argument such as order = relaxed. The value is a word of memory.def, unless the program
 * declares such a name. */
static void resolve_argument(Session *c, Node *node)
{
  Node *value = node->a;
  const Bound *bound = value->kind == NODE_name ? lookup(c, value->name) : NULL;
  const char *all = memory_words(&c->scratch, node->name->text);
  uint64_t bits;
  if (*all && value->kind == NODE_name && !bound && !builtin_named(value->name) &&
      !memory_word(node->name->text, value->name->text, &bits)) {
    unknown_word(c, node->name->text, all, value);
    return;
  }
  if (value->kind != NODE_name || (bound && !bound->is_library) ||
      !memory_word(node->name->text, value->name->text, &bits)) {
    resolve_node(c, value);
    return;
  }
  value->kind = NODE_int;
  value->name = NULL;
  value->type = c->types->type_u32;
  value->bits = bits;
}

/* In an algorithm that launches kernels `reduce(x, +)` means `device.reduce(x, +)`, in another one
 * `grid.reduce(x, +)`, unless the program has a `reduce`. A library function of the bare name is
 * called if the method doesn't fit. */
static bool resolve_step(Session *c, Node *call)
{
  Node *callee = call->a->kind == NODE_instance ? call->a->a : call->a;
  const Node *item = c->scope->item;
  if (callee->kind != NODE_name || !item || !(item->flags & (FLAG_algorithm | FLAG_plan)))
    return false;
  const Bound *bound = lookup(c, callee->name);
  if (bound && !bound->is_library) return false;
  const char *text = arena_printf(&c->scratch, "%s.%s", item->flags & FLAG_plan ? "device" : "grid",
                                  callee->name->text);
  bound = lookup_from(c, name_of(&c->names, text, strlen(text)), NULL);
  if (!bound || bound->decl->flags & FLAG_property) return false;
  callee->decl = bound->decl;
  callee->builtin = NULL;
  if (call->a != callee) resolve_list(c, call->a->b);
  return true;
}

/* A lambda's body is no part of the loops around it, so a `break` needs a loop inside. */
static void resolve_lambda(Session *c, Node *lambda)
{
  Scope outer = *c->scope;
  c->scope->loops = 0;
  c->scope->in_switch = false;
  for (Node *param = lambda->a; param; param = param->next) {
    if (param->a) resolve_node(c, param->a);
    if (!is_type_name(c, param, param->name)) bind(c, param->name, param);
  }
  resolve_node(c, lambda->b);
  outer.roles = c->scope->roles;
  close_item(c, outer);
}

static void resolve_node(Session *c, Node *node)
{
  Bound *mark = c->scope->newest;
  switch ((NodeKind)node->kind) {
  case NODE_function:
  case NODE_kernel: resolve_item(c, node); return;
  case NODE_structure: resolve_structure(c, node); return;
  case NODE_name: resolve_name(c, node); return;
  case NODE_instance:
    resolve_node(c, node->a);
    if (!is_pointer_type(node)) {
      resolve_list(c, node->b);
    } else {
      resolve_node(c, node->b);
      resolve_list(c, node->b->next->next);
    }
    return;
  case NODE_block:
    ++c->scope->depth;
    resolve_list(c, node->a);
    --c->scope->depth;
    unbind_to(c, mark);
    return;
  case NODE_let:
  case NODE_var:
  case NODE_shared:
  case NODE_scratch:
  case NODE_constant:
    if (node->a) resolve_node(c, node->a);
    if (node->b) resolve_node(c, node->b);
    declare_local(c, node);
    if (node->kind == NODE_shared) resolve_list(c, node->d);
    return;
  case NODE_alias:
    resolve_node(c, node->a);
    declare_local(c, node);
    return;
  case NODE_unpack:
    resolve_node(c, node->b);
    resolve_list(c, node->a);
    for (Node *part = node->a; part; part = part->next)
      /* an unpacking has to name all elements, so unused ones aren't reported */
      part->flags |= FLAG_used;
    return;
  case NODE_assign: resolve_assign(c, node); return;
  case NODE_if:
    resolve_node(c, node->a);
    resolve_node(c, node->b);
    unbind_to(c, mark);
    if (node->c) resolve_node(c, node->c);
    unbind_to(c, mark);
    return;
  case NODE_while:
    resolve_node(c, node->a);
    resolve_loop(c, node->b);
    unbind_to(c, mark);
    return;
  case NODE_for:
    resolve_node(c, node->a);
    if (node->c) resolve_node(c, node->c);
    if (node->d) resolve_node(c, node->d);
    ++c->scope->depth;
    if (!is_type_name(c, node, node->name)) bind(c, node->name, node);
    resolve_loop(c, node->b);
    --c->scope->depth;
    unbind_to(c, mark);
    return;
  case NODE_lambda: resolve_lambda(c, node); return;
  case NODE_argument: resolve_argument(c, node); return;
  case NODE_call:
    if (!resolve_step(c, node)) resolve_node(c, node->a);
    resolve_list(c, node->b);
    return;
  case NODE_launch: /* the callee is no step of the algorithm */
    resolve_node(c, node->a->kind == NODE_call ? node->a->a : node->a);
    if (node->a->kind == NODE_call) resolve_list(c, node->a->b);
    return;
  case NODE_split: resolve_split(c, node); return;
  case NODE_switch: resolve_switch(c, node); return;
  case NODE_break:
  case NODE_continue:
    if (node->kind == NODE_break && c->scope->in_switch) {
      node->flags |= FLAG_switch;
      return;
    }
    if (!c->scope->loops) {
      diag_at(&c->diag, DIAG_outside_loop, node->span, node_kind_name(node->kind));
      node->kind = NODE_poison;
    }
    return;
  default:
    for (unsigned i = 0; i < node_width(node); ++i) resolve_list(c, node->children[i]);
    return;
  }
}

void resolve_copy(Session *c, Node *item)
{
  resolve_node(c, item);
}

static void resolve_constant(Session *c, Node *item) /* the name is bound already */
{
  if (item->a) resolve_node(c, item->a);
  if (item->b) resolve_node(c, item->b);
}

/* Resolves an item of a module; of the library only constants, the others when they are used. */
static void resolve_top(Session *c, Node *item)
{
  if (item->kind == NODE_constant) {
    resolve_constant(c, item);
  } else if (c->scope->in_library) {
    return;
  } else if (item->kind == NODE_alias) { /* bound already as well */
    resolve_node(c, item->a);
    /* an importing module decides what is exported */
  } else if (item->kind != NODE_export || c->scope->module->index == 0) {
    resolve_node(c, item);
  }
}

/* Calls `visit` for the items of the library, then for those of each module. */
static void each_item(Session *c, void (*visit)(Session *c, Node *item))
{
  c->scope->in_library = true;
  for (Node *item = c->library; item; item = item->next) visit(c, item);
  c->scope->in_library = false;
  for (uint32_t i = 0; i < c->modules.count; ++i) {
    c->scope->module = c->modules.at[i];
    for (Node *item = c->modules.at[i]->tree->a; item; item = item->next) visit(c, item);
  }
}

/* Reports type A = B; type B = A; and breaks the cycle at its first alias. Aliases that lead into a
 * cycle aren't part of it. */
static void find_cycle(Session *c, Node *alias)
{
  enum { STEPS_MAX = 10000 };
  const Node *at = alias->a;
  for (unsigned i = 0; i < STEPS_MAX && at->kind == NODE_name && at->decl && !at->type &&
                       at->decl->kind == NODE_alias && !(at->decl->flags & FLAG_cyclic);
       ++i) {
    if (at->decl != alias) {
      at = at->decl->a;
      continue;
    }
    diag_at(&c->diag, DIAG_type_cycle, alias->span, alias->name->text);
    alias->flags |= FLAG_cyclic | FLAG_checked;
    alias->type = c->types->poison;
  }
}

bool pass_resolve(Session *c)
{
  c->scope = NEW(c->unit, Scope);
  each_item(c, declare_item);
  each_item(c, find_receiver);
  for (uint32_t i = 0; i < c->modules.count; ++i)
    for (uint32_t k = 0; k < c->modules.at[i]->imports.count; ++k)
      find_clashes(c, c->modules.at[i], &c->modules.at[i]->imports.at[k]);
  each_item(c, resolve_top);
  for (uint32_t i = 0; i < c->modules.count; ++i)
    for (Node *item = c->modules.at[i]->tree->a; item; item = item->next)
      if (item->kind == NODE_alias) find_cycle(c, item);
  return true; /* check can find more errors beside the poisoned names */
}
