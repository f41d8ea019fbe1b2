/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* library.c - lib/, the library in CK that every module sees. Its text is part of this compiler. */
#include "compile.h"

#include <errno.h>
#include <string.h>

/* library_text.c, made by the build from lib/ in the order of CMakeLists.txt. */
typedef struct LibraryFile {
  const char *name;
  const unsigned char *text;
  size_t bytes;
} LibraryFile;
extern const LibraryFile library_files[];
extern const size_t library_file_count;

static const Source *open_file(Compile *c, const LibraryFile *file)
{
  const char *folder = c->options.lib_folder;
  const char *name = arena_printf(c->unit, "%s/%s", folder ? folder : "lib", file->name);
  char *text;
  size_t bytes;
  if (folder && file_read(c->unit, name, &text, &bytes) && bytes < SOURCE_BYTES_MAX)
    return source_add(&c->sources, name, text, bytes, true);
  return source_add(&c->sources, name, (const char *)file->text, file->bytes, true);
}

void library_load(Compile *c)
{
  Node **end = &c->library;
  for (size_t i = 0; i < library_file_count; ++i) {
    *end = parse_source(c, open_file(c, &library_files[i]))->a;
    while (*end) end = &(*end)->next;
  }
}
