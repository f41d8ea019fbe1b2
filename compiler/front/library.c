/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* library.c - loads lib/, the library written in CK, whose text is part of this compiler.
 *
 * Some of its files are always visible; the others are, if a module or a file of the library
 * imports them by name. All of it is one module.
 *
 * The files that are always visible are read lazily, item by item, so a compilation takes time for
 * what a program uses and not for what there is. The tables of library_private.h say which
 * words have to occur in the program before an item is needed:
 *
 *     fn warp.sum(...)      missing 2: "warp", "sum"
 *     program has "warp"    missing 1
 *     program has "sum"     missing 0: the item is parsed; the words in it may complete other items
 *
 * A program with errors also gets items whose names resemble its unknown ones, for suggestions; one
 * that can't be parsed gets all of it.
 */
#include "front/front_private.h"
#include "front/library_private.h"

#include <dirent.h>
#include <string.h>

static const LibraryFile *find_file(const char *name)
{
  for (uint32_t i = 0; i < library_file_count; ++i)
    if (!strcmp(library_files[i].name, name)) return &library_files[i];
  return NULL;
}

/* Are there files like those of a library? It may have files that the embedded one hasn't. */
static bool has_files(const char *path)
{
  bool is_found = false;
  DIR *folder = opendir(path);
  for (const struct dirent *item; folder && !is_found && (item = readdir(folder));) {
    const char *suffix = strrchr(item->d_name, '.');
    is_found = suffix && (!strcmp(suffix, ".ck") || !strcmp(suffix, ".tune"));
  }
  if (folder) closedir(folder);
  return is_found;
}

bool library_is_in(Session *c, const char *folder)
{
  if (has_files(folder)) return true;
  for (uint32_t i = 0; i < library_file_count; ++i) {
    const char *name = library_files[i].name, *end = strrchr(name, '/');
    if (end && has_files(arena_printf(c->unit, "%s/%.*s", folder, (int)(end - name), name)))
      return true;
  }
  return false;
}

/* Opens a file of the library; NULL if neither --lib nor this compiler has it. */
static const Source *open_file(Session *c, const char *file)
{
  const char *folder = c->options.lib_folder;
  const char *name = arena_printf(c->unit, "%s/%s", folder ? folder : "lib", file);
  const LibraryFile *embedded = find_file(file);
  char *text;
  size_t bytes;
  if (folder && file_read(c->unit, name, FILE_REGULAR, &text, &bytes) &&
      bytes < SOURCE_BYTES_MAX / 2) {
    vec_push(c->unit, &c->files, path_real(c->unit, name));
    return source_add(&c->sources, name, text, bytes, true);
  }
  if (!embedded) return NULL;
  return source_add(&c->sources, name, (const char *)embedded->text, embedded->bytes, true);
}

const char *library_tuning(Session *c, size_t *out_bytes)
{
  static const char name[] = "tuning.tune";
  const LibraryFile *embedded = find_file(name);
  const char *folder = c->options.lib_folder;
  char *text;
  if (folder) {
    const char *path = arena_printf(c->unit, "%s/%s", folder, name);
    if (file_read(c->unit, path, FILE_REGULAR, &text, out_bytes)) return text;
  }
  if (embedded) *out_bytes = embedded->bytes;
  return embedded ? (const char *)embedded->text : NULL;
}

static bool load(Session *c, const char *file)
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

/* Imports a file of the library. One that is always visible needs no import. */
bool library_import(Session *c, const char *name)
{
  const char *file = arena_printf(c->unit, "%s.ck", name);
  for (uint32_t i = 0; i < library_always_count; ++i)
    if (!strcmp(library_files[i].name, file)) return true;
  return *name && load(c, file);
}

/* ---- what a program uses ---- */

typedef struct Reading {
  uint16_t *missing;      /* for each item: the number of its words that haven't occurred yet */
  Node **items;           /* the items' trees; NULL: not needed yet */
  const Source **sources; /* the sources of the items' files */
} Reading;

static void read_item(Session *c, Reading *reading, uint32_t item)
{
  const LibraryItem *row = &library_items[item];
  const LibraryFile *file = &library_files[row->file];
  const Source **source = &reading->sources[row->file];
  if (!*source)
    *source = source_add(&c->sources, arena_printf(c->unit, "lib/%s", file->name),
                         (const char *)file->text, file->bytes, true);
  reading->items[item] = parse_piece(c, *source, row->lo, row->hi)->a;
}

static void meet(Session *c, Reading *reading, const Name *name)
{
  uint32_t bucket = name->hash & library_mask;
  for (uint32_t w = library_buckets[bucket]; w < library_buckets[bucket + 1]; ++w) {
    const LibraryWord *word = &library_words[w];
    if (word->len != name->len || memcmp(word->text, name->text, name->len) != 0) continue;
    for (uint32_t i = word->first; i < (uint32_t)word->first + word->count; ++i)
      if (--reading->missing[library_waiting[i]] == 0) read_item(c, reading, library_waiting[i]);
  }
}

/* Adds the words that a suggestion for an unknown name may contain. */
static void add_near(Session *c, const char *wanted)
{
  for (const LibraryWord *word = library_words; word->text; ++word)
    if (suggest_is_near(wanted, word->text)) name_of(&c->names, word->text, word->len);
}

static void load_used(Session *c)
{
  for (uint32_t i = 0; c->is_repairing && i < c->wanted.count; ++i) add_near(c, c->wanted.at[i]);
  Reading reading = {NEW_ARRAY(&c->scratch, uint16_t, library_item_count),
                     NEW_ARRAY(&c->scratch, Node *, library_item_count),
                     NEW_ARRAY(&c->scratch, const Source *, library_file_count)};
  Node **end = &c->library;
  for (uint32_t i = 0; i < library_item_count; ++i) {
    reading.missing[i] = library_items[i].words;
    if (!library_items[i].words) read_item(c, &reading, i);
  }
  /* Reading an item adds its new names at the end of this list. */
  for (const Name *name = c->names.first; name; name = name->later) meet(c, &reading, name);
  while (*end) end = &(*end)->next;
  /* In the library's order and not in that of use, since of equal overloads the first is taken. */
  for (uint32_t i = 0; i < library_item_count; ++i) {
    if (!reading.items[i]) continue;
    *end = reading.items[i];
    end = &(*end)->next;
  }
}

void library_load(Session *c)
{
  if ((!c->is_repairing || c->is_read) && !c->options.lib_folder) {
    load_used(c);
    return;
  }
  for (uint32_t i = 0; i < library_always_count; ++i) load(c, library_files[i].name);
}
