/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* linker_symbols.c - what two pieces of a link say of one kernel, function or variable.
 *
 * nvJitLink 13.0 takes PTX that defines a name twice, or that calls a function with other
 * parameters than it has, and says so on standard error alone; of LTO-IR it refuses the first, and
 * says nothing of the second. So what can be known is looked at before: of PTX what is visible or
 * external, of CK in any form the kernels and functions of the manifest. What else is there is the
 * linker's to say.
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
  if (!len) return CK_OK;
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

/* Behind the comment that starts there; where it is if none does. */
static const char *skip_comment(const char *text)
{
  if (!strncmp(text, "//", 2)) return text + strcspn(text, "\n");
  if (strncmp(text, "/*", 2)) return text;
  const char *end = strstr(text + 2, "*/");
  return end ? end + 2 : text + strlen(text);
}

static const char *skip_blanks(const char *text)
{
  for (const char *from = NULL; from != text;) {
    from = text;
    text = skip_comment(text + strspn(text, " \t\r\n"));
  }
  return text;
}

/* To its end, which is in no comment. */
static const char *skip_line(const char *text)
{
  while (*text && *text != '\n') {
    const char *from = text;
    text = skip_comment(text);
    if (text != from) continue;
    if (*text == '"') text += 1 + strcspn(text + 1, "\"\n");
    if (*text && *text != '\n') text += 1 + strcspn(text + 1, "\n\"/");
  }
  return text;
}

/* Behind a word; NULL if another one stands there. */
static const char *skip_word(const char *text, const char *word)
{
  size_t len = strlen(word);
  return strncmp(text, word, len) ? NULL : skip_blanks(text + len);
}

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$%";

/* A type by its size: one back end writes .f32 where another has .b32. */
static void put_type(Buf *out, const char *type, size_t len)
{
  bool has_size = len > 2 && strchr("bfsu", type[1]) && strchr("1368", type[2]);
  if (has_size) buf_printf(out, ".b%.*s", (int)len - 2, type + 2);
  else buf_bytes(out, type, len);
}

/* A list of parameters without their names, by size: "(.b32,.align8.b8[16])", "()" if there is
 * none. The alignment is an array's: another type has its own. Returns what is behind the list. */
static const char *put_params(Buf *out, const char *at)
{
  const char *type = "", *align = "";
  size_t type_len = 0, align_len = 0;
  if (*at != '(') {
    buf_puts(out, "()");
    return at;
  }
  buf_putc(out, '(');
  for (at = skip_blanks(at + 1); *at && *at != ')'; at = skip_blanks(at)) {
    const char *number = skip_word(at, ".align");
    size_t len = (*at == '.') + strspn(at + (*at == '.'), letters);
    if (number) {
      align = number;
      len = (size_t)(number - at) + (align_len = strspn(number, letters));
    } else if (*at == '.' && strncmp(at, ".param", len)) {
      type = at;
      type_len = len;
    } else if (*at == '[') {
      if (align_len) buf_printf(out, ".align%.*s", (int)align_len, align);
      put_type(out, type, type_len);
      buf_putc(out, '[');
      type_len = 0;
    } else if (*at == ',') {
      put_type(out, type, type_len);
      buf_putc(out, ',');
      type_len = align_len = 0;
    } else if (!len || (*at >= '0' && *at <= '9')) buf_bytes(out, at, len ? len : 1);
    at += len ? len : 1;
  }
  put_type(out, type, type_len);
  buf_putc(out, ')');
  return *at ? skip_blanks(at + 1) : at;
}

/* Behind the words that stand before a variable's name: ".align 4 .b8 name[16]". */
static const char *skip_to_name(const char *at)
{
  while (*at == '.' || *at == '(' || (*at >= '0' && *at <= '9')) {
    size_t len = *at == '(' ? strcspn(at, ")") : 0;
    at += len ? len + (at[len] == ')') : 1 + strspn(at + 1, letters);
    at = skip_blanks(at);
  }
  return at;
}

/* Of ".visible .entry name(", ".visible .func (.param .b32 r) name(" and ".visible .global .u32 x"
 * the definition, or of ".extern .func" that it fits; other lines are left out. `text` moves behind
 * what was looked at.
 */
static ck_status_t note_line(Names *names, const char **text, const char *piece, bool is_definition)
{
  const char *at = skip_word(*text, is_definition ? ".visible" : ".extern");
  const char *entry = at ? skip_word(at, ".entry") : NULL;
  if (entry) return define(names, entry, strspn(entry, letters), (Symbol){.piece = piece});
  const char *variable = at && is_definition ? skip_word(at, ".global") : NULL;
  if (at && is_definition && !variable) variable = skip_word(at, ".const");
  if (variable) {
    variable = skip_to_name(variable);
    return define(names, variable, strspn(variable, letters), (Symbol){.piece = piece});
  }
  const char *function = at ? skip_word(at, ".func") : NULL;
  if (!function) return CK_OK;
  Buf params = BUF(names->arena), result = BUF(names->arena);
  const char *name = put_params(&result, function);
  size_t len = strspn(name, letters);
  *text = put_params(&params, skip_blanks(name + len));
  const Symbol symbol = {
      piece, arena_printf(names->arena, "%s -> %s", buf_text(&params), buf_text(&result)), NULL};
  return is_definition ? define(names, name, len, symbol) : compare(names, name, len, symbol);
}

static ck_status_t note_ptx(Names *names, const char *text, const char *piece, bool is_definition)
{
  for (text = skip_blanks(text); *text; text = skip_blanks(skip_line(text)))
    CK_TRY(note_line(names, &text, piece, is_definition));
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
