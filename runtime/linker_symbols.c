/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* linker_symbols.c - kernels and functions that two pieces of a link define.
 *
 * nvJitLink 13.0 says so on standard error alone, where one of the pieces is PTX, and takes any of
 * them. So what can be known is looked at before: of PTX what is visible, of other forms the
 * kernels of the manifest. What else is in those is the linker's to say.
 */
#include <string.h>

#include "json.h"
#include "linker.h"

static ck_status_t define(Names *names, const char *text, size_t len, const char *piece)
{
  Name *name = (Name *)(uintptr_t)name_of(names, text, len); /* `bound` is ours */
  if (!name->bound) name->bound = (void *)(uintptr_t)piece;
  if (name->bound == piece) return CK_OK;
  return error_set(CK_COMPILE, "'%s' is defined by '%s' and by '%s'", name->text,
                   (const char *)name->bound, piece);
}

static const char *skip_blanks(const char *text)
{
  return text + strspn(text, " \t\r\n");
}

/* Behind a word; NULL if another one stands there. */
static const char *skip_word(const char *text, const char *word)
{
  size_t len = strlen(word);
  return strncmp(text, word, len) ? NULL : skip_blanks(text + len);
}

/* The name in ".visible .entry name(" or ".visible .func (.param .b32 r) name("; "" in others. */
static const char *visible_name(const char *line)
{
  const char *at = skip_word(skip_blanks(line), ".visible"), *entry, *function;
  if (!at) return "";
  entry = skip_word(at, ".entry");
  if (entry) return entry;
  function = skip_word(at, ".func");
  if (!function || *function != '(') return function ? function : "";
  const char *end = strchr(function, ')');
  return end ? skip_blanks(end + 1) : "";
}

static ck_status_t define_ptx(Names *names, const char *text, const char *piece)
{
  for (const char *line = text; line; line = strchr(line, '\n')) {
    line += *line == '\n';
    const char *name = visible_name(line);
    size_t len = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$%");
    if (len) CK_TRY(define(names, name, len, piece));
  }
  return CK_OK;
}

static ck_status_t define_kernels(Names *names, const char *json, const char *piece)
{
  Buf why = BUF(names->arena);
  const Json *root = json_parse(names->arena, json, strlen(json), &why);
  const Json *kernel = root ? json_first(json_member(root, "kernels")) : NULL;
  for (; kernel; kernel = kernel->next) {
    const char *symbol = json_text(json_member(kernel, "symbol"));
    if (symbol) CK_TRY(define(names, symbol, strlen(symbol), piece));
  }
  return CK_OK;
}

ck_status_t link_define(Names *names, const char *piece, const char *ptx, const char *json)
{
  if (ptx) return define_ptx(names, ptx, piece);
  return json ? define_kernels(names, json, piece) : CK_OK;
}
