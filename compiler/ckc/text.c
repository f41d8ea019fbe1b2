/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* text.c - messages of the command line, suggestions for misspelt names, and reading of sources. */
#include <errno.h>
#include <string.h>

#include "ckc.h"

void put_shown(FILE *file, const char *format, ...)
{
  Arena arena = {0};
  Buf text = BUF(&arena);
  va_list values;
  va_start(values, format);
  const char *raw = arena_vprintf(&arena, format, values);
  va_end(values);
  buf_shown(&text, raw, strlen(raw));
  fputs(buf_text(&text), file);
  arena_free(&arena);
}

Exit fail(Exit exit, const char *format, ...)
{
  Arena arena = {0};
  va_list values;
  va_start(values, format);
  fflush(stdout);
  put_shown(stderr, "error: %s\n", arena_vprintf(&arena, format, values));
  va_end(values);
  arena_free(&arena);
  return exit;
}

Exit exit_of_status(ck_status_t status)
{
  switch (status) {
  case CK_OK: return EXIT_OK;
  case CK_INVALID_ARGUMENT: return EXIT_USAGE;
  case CK_COMPILE:
  case CK_NOT_FOUND:
  case CK_IO:
  case CK_KERNEL_FAULT: return EXIT_INPUT;
  case CK_UNAVAILABLE:
  case CK_UNSUPPORTED:
  case CK_OUT_OF_MEMORY:
  case CK_DRIVER: return EXIT_ENVIRONMENT;
  case CK_NOT_READY:
  case CK_INTERNAL:
  case CK_STATUS_FORCE_INT: break;
  }
  return EXIT_INTERNAL;
}

const char *closest(const char *word, const char *const *names, size_t count)
{
  unsigned best = (unsigned)strlen(word) / 3 + 1; /* edits that still look like a typing mistake */
  const char *name = NULL;
  for (size_t i = 0; i < count; ++i) {
    unsigned edits = edit_distance(word, names[i]);
    if (edits > best || edits >= strlen(names[i]) || (name && edits == best)) continue;
    best = edits;
    name = names[i];
  }
  return name;
}

const char *did_you_mean(Arena *arena, const char *word, const char *const *names, size_t count)
{
  const char *name = closest(word, names, count);
  return name ? arena_printf(arena, "; did you mean '%s'?", name) : "";
}

const char *source_name(const char *path)
{
  return strcmp(path, "-") ? path : "<stdin>";
}

Exit read_source(Arena *arena, const char *path, char **out_text, size_t *out_bytes)
{
  static const char *const commands[] = {"run", "test", "bench", "info", "explain"};
  if (file_read(arena, strcmp(path, "-") ? path : "/dev/stdin", FILE_WAIT, out_text, out_bytes))
    return EXIT_OK;
  const char *command = strchr(path, '.') ? NULL : closest(path, commands, COUNT_OF(commands));
  const char *hint =
      command && errno == ENOENT ? arena_printf(arena, "; did you mean 'ckc %s'?", command) : "";
  return fail(EXIT_INPUT, "cannot read '%s': %s%s", source_name(path), file_why(errno), hint);
}
