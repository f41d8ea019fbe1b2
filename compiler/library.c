/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* library.c - lib/, the library in CK. Its text is part of this compiler: some files are always
 * there, the others where a module, or a file of the library, imports them by name. All of it is
 * one module.
 *
 * What is always there is read only as far as it is used: a file whose items' names do not occur in
 * the program's texts, nor in the files that were read for them, stays closed. The names are found
 * once a process, at the starts of lines: `fn warp.sum` is used where `sum` is written. A program
 * that is at fault has all of it, for suggestions.
 */
#include "compile.h"

#include <pthread.h>
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

/* ---- what a program uses ---- */

typedef struct ItemName {
  const char *text;
  size_t len;
} ItemName;

enum { FILES_MAX = 64 };
static struct {
  Arena arena;
  VEC(ItemName) names[FILES_MAX]; /* of each file's items, without their receivers */
  bool is_needed[FILES_MAX];      /* operators have no names to be found by */
} used;

/* The name of the item that starts at p: what is between its keyword and the first of `(<:={ `. */
static ItemName item_name(const char *p, const char *line_end)
{
  const char *end = p + strcspn(p, "(<:={ \n"), *dot = end;
  if (end > line_end) end = line_end;
  while (dot > p && dot[-1] != '.') --dot;
  return (ItemName){dot, (size_t)(end - dot)};
}

static void find_names(size_t file)
{
  static const char *const keywords[] = {"fn ", "struct ", "const ", "algorithm "};
  const char *text = (const char *)library_files[file].text;
  for (const char *line = text, *end; *line; line = *end ? end + 1 : end) {
    end = line + strcspn(line, "\n");
    const char *p = line;
    if (*p == '@') p = strstr(line, "fn "); /* attributes stand before it */
    for (size_t i = 0; p && i < COUNT_OF(keywords); ++i) {
      size_t len = strlen(keywords[i]);
      if (p >= end || strncmp(p, keywords[i], len) != 0) continue;
      ItemName name = item_name(p + len, end);
      bool is_word = name.len && ((*name.text | 32) >= 'a' || *name.text == '_');
      if (is_word) vec_push(&used.arena, &used.names[file], name);
      else used.is_needed[file] = true;
    }
  }
}

static void find_all_names(void)
{
  if (library_always_count > FILES_MAX) die("lib/ has more than %d files", (int)FILES_MAX);
  used.is_needed[0] = true; /* core.ck: the compiler itself calls for it */
  for (size_t i = 0; i < library_always_count; ++i) find_names(i);
}

static bool is_used(Compile *c, size_t file)
{
  bool is_found = used.is_needed[file] || c->is_repairing || c->options.lib_folder;
  for (uint32_t i = 0; i < used.names[file].count && !is_found; ++i)
    is_found = name_is_known(&c->names, used.names[file].at[i].text, used.names[file].at[i].len);
  return is_found;
}

void library_load(Compile *c)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find_all_names);
  bool is_read[FILES_MAX] = {0}, is_more = true;
  while (is_more) { /* each file that is read brings names */
    is_more = false;
    for (size_t i = 0; i < library_always_count; ++i) {
      if (is_read[i] || !is_used(c, i)) continue;
      is_read[i] = is_more = load(c, library_files[i].name);
    }
  }
}
