/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* module.c - loads the files of a program: each imported file once, with its own imports.
 *
 * needs   the user's file opened (c->source)
 * gives   c->modules, the user's first; each file that was read in c->files; each path that was
 *         looked
 *         at in c->tried
 * keeps   everything else
 * fails   with DIAG_import_missing, DIAG_import_read, DIAG_import_cycle
 *
 * `import "path.ck";` is looked for beside the importing file, then in each folder of -I. An import
 * without ".ck" is a file of lib/, which is part of this compiler. Modules are loaded depth first,
 * and a module that is met while it is_loading is a cycle.
 *
 * Paths are compared as the file system resolves them, so a file is one module however it is
 * reached. With CK_COMPILE_CONFINE, files outside of the folders of -I, also behind links, must
 * look as if they didn't exist, so that a program can't find out what there is; and no message may
 * quote a file that isn't a program.
 */
#include "front/front_private.h"

#include <errno.h>
#include <string.h>

static void load_imports(Session *c, Module *module);

static Module *module_new(Session *c, const Source *source, const char *path)
{
  Module *module = NEW(c->unit, Module);
  module->source = source;
  module->path = path;
  module->index = c->modules.count;
  vec_push(c->unit, &c->modules, module);
  return module;
}

static Module *find_module(const Session *c, const char *path)
{
  for (uint32_t i = 0; i < c->modules.count; ++i)
    if (c->modules.at[i]->path && !strcmp(c->modules.at[i]->path, path)) return c->modules.at[i];
  return NULL;
}

/* Reports a cycle as "a.ck -> b.ck -> a.ck", with a note for each import but the last. */
static void report_cycle(Session *c, Module *from, const Module *to, const Node *import)
{
  const char *chain = to->source->name;
  for (const Module *m = from; m != to; m = m->importer)
    chain = arena_printf(&c->scratch, "%s -> %s", m->source->name, chain);
  chain = arena_printf(&c->scratch, "%s -> %s", to->source->name, chain);
  diag_at(&c->diag, DIAG_import_cycle, import->span, chain);
  for (const Module *m = from; m != to; m = m->importer)
    diag_note(&c->diag, DIAG_imported_here, m->importer_span, m->source->name);
  diag_hint(&c->diag, "Put what both need into a third file.");
}

static void add_import(Session *c, Module *module, Module *imported, const Node *import)
{
  for (uint32_t i = 0; i < module->imports.count; ++i)
    if (module->imports.at[i].module == imported) return;
  Import row = {imported, import};
  vec_push(c->unit, &module->imports, row);
}

/* Is the resolved path in a folder of -I? */
static bool is_inside(Session *c, const char *path)
{
  for (size_t i = 0; i < c->options.import_folder_count; ++i) {
    const char *folder = path_real(&c->scratch, c->options.import_folders[i]);
    size_t length = folder ? strlen(folder) : 0;
    while (length && folder[length - 1] == '/') --length; /* of "/" nothing remains */
    if (folder && !strncmp(path, folder, length) && path[length] == '/') return true;
  }
  return false;
}

/* Loads one candidate. False, without a report, if there is no such file. */
static bool try_file(Session *c, Module *module, const Node *import, const char *name)
{
  const char *path = path_real(c->unit, name);
  if (!path || (c->options.flags & CK_COMPILE_CONFINE && !is_inside(c, path))) return false;
  Module *known = find_module(c, path);
  if (known && known->is_loading) {
    report_cycle(c, module, known, import);
    return true;
  }
  if (known) {
    add_import(c, module, known, import);
    return true;
  }
  char *text;
  size_t bytes;
  if (!file_read(c->unit, path, FILE_REGULAR, &text, &bytes)) {
    diag_at(&c->diag, DIAG_import_read, import->span, name, file_why(errno));
    return true;
  }
  const Source *last = c->sources.list.at[c->sources.list.count - 1];
  if (bytes >= SOURCE_BYTES_MAX / 2 || last->base + last->bytes >= SOURCE_BYTES_MAX / 2) {
    diag_at(&c->diag, DIAG_source_size, import->span, bytes, (unsigned)SOURCE_BYTES_MAX / 2);
    return true;
  }
  vec_push(c->unit, &c->files, path);
  c->sources.module = c->modules.count;
  known = module_new(c, source_add(&c->sources, name, text, bytes, false), path);
  known->importer = module;
  known->importer_span = import->span;
  add_import(c, module, known, import);
  load_imports(c, known);
  return true;
}

/* Notes a path that was looked at: if a file appears there later, or a link changes, the program
 * does. */
static void note_tried(Session *c, const char *name)
{
  for (uint32_t i = 0; i < c->tried.count; ++i)
    if (!strcmp(c->tried.at[i], name)) return;
  vec_push(c->unit, &c->tried, name);
}

static bool ends_in(const char *text, const char *end)
{
  size_t length = strlen(text), end_length = strlen(end);
  return length > end_length && !strcmp(text + length - end_length, end);
}

static void load_import(Session *c, Module *module, const Node *import)
{
  const char *text = import->text, *own = module->source->name;
  bool is_absolute = *text == '/', is_file = ends_in(text, ".ck");
  Buf tried = BUF(&c->scratch);
  for (size_t i = 0; is_file && i < 1 + c->options.import_folder_count; ++i) {
    const char *name = is_absolute ? text
                       : i == 0
                           ? arena_printf(c->unit, "%.*s%s", (int)(path_base(own) - own), own, text)
                           : arena_printf(c->unit, "%s/%s", c->options.import_folders[i - 1], text);
    note_tried(c, name);
    if (try_file(c, module, import, name)) return;
    buf_printf(&tried, "%s'%s'", tried.len ? ", " : "", name);
    if (is_absolute) break;
  }
  if (!is_file && library_import(c, text)) return;
  diag_at(&c->diag, DIAG_import_missing, import->span, text);
  if (tried.len) diag_hint(&c->diag, "Looked for %s.", buf_text(&tried));
  if (!is_file) diag_hint(&c->diag, "A file's name ends in '.ck'; without, it is the library's.");
  else if (c->options.flags & CK_COMPILE_CONFINE)
    diag_hint(&c->diag, "Imports come from the folders of -I alone (--confine).");
}

static void load_imports(Session *c, Module *module)
{
  module->tree = parse_source(c, module->source);
  module->is_loading = true;
  /* Is the output that of one file? */
  bool is_alone = c->options.emit == CK_EMIT_AST || c->options.emit == CK_EMIT_HEADS;
  for (const Node *item = module->tree->a; item && !is_alone; item = item->next)
    if (item->kind == NODE_import) load_import(c, module, item);
  module->is_loading = false;
}

void modules_load(Session *c)
{
  const char *path = c->options.file_name ? path_real(c->unit, c->options.file_name) : NULL;
  load_imports(c, module_new(c, c->source, path));
  c->sources.module = 0; /* options refer to the user's file */
}

const Module *module_of(const Session *c, Span span)
{
  const Source *source = source_of(&c->sources, span.lo);
  return !source || source->is_library ? NULL : c->modules.at[source->module];
}

bool module_sees(const Session *c, const Module *from, const Node *item)
{
  if (item->flags & FLAG_library) return true;
  if (item->kind == NODE_function && name_is_operator(item->name)) return true;
  if (!from || c->modules.count == 1) return from != NULL;
  const Module *to = module_of(c, item->span);
  if (to == from) return true;
  if (item->name->text[0] == '_') return false;
  for (uint32_t i = 0; i < from->imports.count; ++i)
    if (from->imports.at[i].module == to) return true;
  return false;
}
