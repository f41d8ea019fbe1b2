/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* linker_symbols.c - what two pieces of a link say of one kernel or function.
 *
 * nvJitLink 13.0 takes PTX that defines a name twice, or that calls a function with other
 * parameters than it has, and says so on standard error alone; of LTO-IR it says nothing. So what
 * can be known is looked at before: of PTX what is visible or external, of CK in any form the
 * kernels and functions of the manifest. What else is there is the linker's to say.
 */
#include <string.h>

#include "json.h"
#include "linker.h"

/* What a name stands for: the piece that defines it, and its signature in PTX and in CK; NULL where
 * that is not known. */
typedef struct Symbol {
  const char *piece, *signature, *type;
} Symbol;

static ck_status_t define(Names *names, const char *text, size_t len, Symbol symbol)
{
  Name *name = (Name *)(uintptr_t)name_of(names, text, len); /* `bound` is ours */
  if (!name->bound) name->bound = NEW(names->arena, Symbol);
  Symbol *known = name->bound;
  if (known->piece && known->piece != symbol.piece)
    return error_set(CK_COMPILE, "'%s' is defined by '%s' and by '%s'", name->text, known->piece,
                     symbol.piece);
  known->piece = symbol.piece;
  if (symbol.signature) known->signature = symbol.signature;
  if (symbol.type) known->type = symbol.type;
  return CK_OK;
}

static ck_status_t compare(Names *names, const char *text, size_t len, Symbol symbol)
{
  const Name *name = name_of(names, text, len);
  const Symbol *known = name->bound;
  const char *is = !known ? NULL : symbol.type ? known->type : known->signature;
  const char *called = symbol.type ? symbol.type : symbol.signature;
  if (!is || !strcmp(is, called)) return CK_OK;
  return error_set(CK_COMPILE, "'%s' of '%s' is %s, and '%s' calls %s", name->text, known->piece,
                   is, symbol.piece, called);
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

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$%";

/* A list of parameters without their names, by size: "(.b32,.align8.b8[16])", "()" if there is
 * none. Returns what is behind it. */
static const char *put_params(Buf *out, const char *at)
{
  if (*at != '(') {
    buf_puts(out, "()");
    return at;
  }
  while (*at && *at != ')') {
    bool is_directive = *at == '.';
    size_t len = is_directive + strspn(at + is_directive, letters);
    /* Numbers, and directives but .param; one back end writes .f32 where another has .b32. */
    bool is_type = is_directive && len > 2 && strchr("bfsu", at[1]) && strchr("1368", at[2]);
    bool is_kept = is_directive ? strncmp(at, ".param", len) : *at >= '0' && *at <= '9';
    if (is_type) buf_printf(out, ".b%.*s", (int)len - 2, at + 2);
    else if (len && is_kept) buf_bytes(out, at, len);
    else if (!len && !strchr(" \t\r\n", *at)) buf_putc(out, *at);
    at += len ? len : 1;
  }
  buf_putc(out, ')');
  return *at ? skip_blanks(at + 1) : at;
}

/* Of ".visible .entry name(" and ".visible .func (.param .b32 r) name(" the definition, or of
 * ".extern .func" that it fits; other lines are left out. */
static ck_status_t note_line(Names *names, const char *line, const char *piece, bool is_definition)
{
  const char *at = skip_word(skip_blanks(line), is_definition ? ".visible" : ".extern");
  const char *entry = at ? skip_word(at, ".entry") : NULL;
  if (entry) return define(names, entry, strspn(entry, letters), (Symbol){.piece = piece});
  const char *function = at ? skip_word(at, ".func") : NULL;
  if (!function) return CK_OK;
  Buf params = BUF(names->arena), result = BUF(names->arena);
  const char *name = put_params(&result, function);
  size_t len = strspn(name, letters);
  put_params(&params, skip_blanks(name + len));
  const Symbol symbol = {
      piece, arena_printf(names->arena, "%s -> %s", buf_text(&params), buf_text(&result)), NULL};
  if (!len) return CK_OK;
  return is_definition ? define(names, name, len, symbol) : compare(names, name, len, symbol);
}

static ck_status_t note_ptx(Names *names, const char *text, const char *piece, bool is_definition)
{
  for (const char *line = text; line; line = strchr(line, '\n')) {
    line += *line == '\n';
    CK_TRY(note_line(names, line, piece, is_definition));
  }
  return CK_OK;
}

static ck_status_t note_kernels(Names *names, const Json *root, const char *piece)
{
  const Json *kernel = json_first(json_member(root, "kernels"));
  for (; kernel; kernel = kernel->next) {
    const char *symbol = json_text(json_member(kernel, "symbol"));
    if (symbol) CK_TRY(define(names, symbol, strlen(symbol), (Symbol){.piece = piece}));
  }
  return CK_OK;
}

/* Those that the piece has, or those that it calls. */
static ck_status_t note_functions(Names *names, const Json *root, const char *piece,
                                  bool is_definition)
{
  const Json *function = json_first(json_member(root, "functions"));
  for (; function; function = function->next) {
    const char *name = json_text(json_member(function, "name"));
    const Symbol symbol = {.piece = piece, .type = json_text(json_member(function, "type"))};
    if (!name || !symbol.type || json_is_true(json_member(function, "imported")) == is_definition)
      continue;
    CK_TRY((is_definition ? define : compare)(names, name, strlen(name), symbol));
  }
  return CK_OK;
}

/* NULL without a manifest, or one that can't be read: that is said elsewhere. */
static const Json *parse(Names *names, const char *json)
{
  Buf why = BUF(names->arena);
  return json ? json_parse(names->arena, json, strlen(json), &why) : NULL;
}

ck_status_t link_define(Names *names, const char *piece, const char *ptx, const char *json)
{
  const Json *root = parse(names, json);
  if (ptx) CK_TRY(note_ptx(names, ptx, piece, true));
  if (!root) return CK_OK;
  CK_TRY(note_kernels(names, root, piece));
  return note_functions(names, root, piece, true);
}

ck_status_t link_compare(Names *names, const char *piece, const char *ptx, const char *json)
{
  const Json *root = parse(names, json);
  if (root) CK_TRY(note_functions(names, root, piece, false));
  return ptx ? note_ptx(names, ptx, piece, false) : CK_OK;
}
