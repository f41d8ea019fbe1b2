/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* library.c - lib/, the library in CK. Its text is part of this compiler: some files are always
 * there, the others where a module, or a file of the library, imports them by name. All of it is
 * one module. */
#include "compile.h"

#include <string.h>

/* library_text.c, made by the build from lib/ in the order of CMakeLists.txt. */
typedef struct LibraryFile {
  const char *name;
  const unsigned char *text;
  size_t bytes;
} LibraryFile;
extern const LibraryFile library_files[];
extern const size_t library_file_count, library_always_count; /* always: the first ones */

static const LibraryFile *find_file(const char *name)
{
  for (size_t i = 0; i < library_file_count; ++i)
    if (!strcmp(library_files[i].name, name)) return &library_files[i];
  return NULL;
}

/* NULL if neither --lib nor this compiler has it. */
static const Source *open_file(Compile *c, const char *file)
{
  const char *folder = c->options.lib_folder;
  const char *name = arena_printf(c->unit, "%s/%s", folder ? folder : "lib", file);
  const LibraryFile *embedded = find_file(file);
  char *text;
  size_t bytes;
  if (folder && file_read(c->unit, name, &text, &bytes) && bytes < SOURCE_BYTES_MAX / 2) {
    vec_push(c->unit, &c->files, path_real(c->unit, name));
    return source_add(&c->sources, name, text, bytes, true);
  }
  if (!embedded) return NULL;
  return source_add(&c->sources, name, (const char *)embedded->text, embedded->bytes, true);
}

static bool load(Compile *c, const char *file)
{
  for (uint32_t i = 0; i < c->sources.list.count; ++i) {
    const Source *source = c->sources.list.at[i];
    size_t len = strlen(source->name), own = strlen(file);
    if (source->is_library && len > own && source->name[len - own - 1] == '/' &&
        !strcmp(source->name + len - own, file))
      return true;
  }
  const Source *source = open_file(c, file);
  if (!source) return false;
  Node *items = parse_source(c, source)->a, **end = &c->library;
  while (*end) end = &(*end)->next;
  *end = items;
  for (Node *item = items; item; item = item->next)
    if (item->kind == NODE_import && !library_import(c, item->text))
      diag_at(&c->diag, DIAG_import_missing, item->span, item->text);
  return true;
}

bool library_import(Compile *c, const char *name)
{
  return *name && load(c, arena_printf(c->unit, "%s.ck", name));
}

void library_load(Compile *c)
{
  for (size_t i = 0; i < library_always_count; ++i) load(c, library_files[i].name);
}
