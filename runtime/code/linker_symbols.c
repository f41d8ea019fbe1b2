/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* linker_symbols.c - checks that the pieces of a link agree on each kernel, function and variable.
 *
 * nvJitLink 13.0 links a call of a function that has other parameters, or that is a kernel, or in
 * one order of the pieces a variable, and at most prints a line; in the other order it dereferences
 * an invalid pointer. So everything that can be read is compared beforehand:
 *
 *   PTX       visible, weak and external symbols, from the text
 *   cubins    the same, from the symbol table (linker_cubin.c)
 *   CK        kernels and functions of any form, from the manifest
 *
 * Two pieces of CK are compared by type: `fn(i32) -> f32`. All others are compared by how values
 * are passed, in PTX's form, "(.b32) -> (.b32)"; cubins and manifests don't have alignments.
 * Symbols of other forms are checked by linker_probe.c, or by nvJitLink in a child process
 * (linker.c).
 */
#include <string.h>

#include "core/json.h"
#include "linker.h"

/* A symbol: the piece that defines it, its kind, and its signature in PTX and in CK; NULL where
 * that is not known. */
typedef struct Symbol {
  const char *piece;
  LinkKind kind;
  bool is_weak; /* other pieces may define it too */
  const char *signature, *type;
} Symbol;

static const char kind_texts[][11] = {
    [LINK_function] = "a function", [LINK_kernel] = "a kernel", [LINK_variable] = "a variable"};

static ck_status_t define(Names *names, const char *text, size_t len, Symbol symbol)
{
  if (!len) return CK_OK;
  /* Cast: `bound` is for the table's user. */
  Name *name = (Name *)(uintptr_t)name_of(names, text, len);
  if (!name->bound) name->bound = NEW(names->arena, Symbol);
  Symbol *known = name->bound;
  bool is_other = known->piece && known->piece != symbol.piece;
  if (is_other && !known->is_weak && !symbol.is_weak)
    return error_set(CK_COMPILE, "'%s' is defined by '%s' and by '%s'", name->text, known->piece,
                     symbol.piece);
  if (is_other && symbol.is_weak) return CK_OK;
  known->piece = symbol.piece;
  known->kind = symbol.kind;
  known->is_weak = symbol.is_weak;
  if (symbol.signature) known->signature = symbol.signature;
  if (symbol.type) known->type = symbol.type;
  return CK_OK;
}

static const char *skip_alignment(const char *signature)
{
  static const char word[] = ".align";
  if (strncmp(signature, word, sizeof word - 1)) return signature;
  signature += sizeof word - 1;
  return signature + strspn(signature, "0123456789");
}

/* Compares signatures; an alignment counts only if both have one. */
static bool is_same_signature(const char *a, const char *b)
{
  for (; *a && *b; ++a, ++b) {
    if (*a != *b) return false;
    if (!strncmp(a, ".align", 6) == !strncmp(b, ".align", 6)) continue;
    a = skip_alignment(a);
    b = skip_alignment(b);
    if (*a != *b) return false;
  }
  return *a == *b;
}

static ck_status_t compare(Names *names, const char *text, size_t len, Symbol symbol)
{
  const Name *name = name_of(names, text, len);
  const Symbol *known = name->bound;
  if (!known || known->piece == symbol.piece) return CK_OK;
  if (known->kind != symbol.kind)
    return error_set(CK_COMPILE, "'%s' of '%s' is %s, and for '%s' it is %s", name->text,
                     known->piece, kind_texts[known->kind], symbol.piece, kind_texts[symbol.kind]);
  bool has_types = symbol.type && known->type;
  const char *is = has_types ? known->type : known->signature;
  const char *called = has_types ? symbol.type : symbol.signature;
  if (!is || !called) return CK_OK;
  if (has_types ? !strcmp(is, called) : is_same_signature(is, called)) return CK_OK;
  return error_set(CK_COMPILE, "'%s' of '%s' is %s, and '%s' calls %s", name->text, known->piece,
                   is, symbol.piece, called);
}

/* Skips a comment, if one starts here. */
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

/* Skips to the end of the line, outside of comments. */
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

/* Skips a word and blanks; NULL if another word is here. */
static const char *skip_word(const char *text, const char *word)
{
  size_t len = strlen(word);
  return strncmp(text, word, len) ? NULL : skip_blanks(text + len);
}

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$%";

/* Writes a type by its size, because one back end writes .f32 where another writes .b32. */
static void put_type(Buf *out, const char *type, size_t len)
{
  bool has_size = len > 2 && strchr("bfsu", type[1]) && strchr("1368", type[2]);
  if (has_size) buf_printf(out, ".b%.*s", (int)len - 2, type + 2);
  else buf_bytes(out, type, len);
}

/* Writes a parameter list without names, by size: "(.b32,.align8.b8[16])", "()" if there is none.
 * Alignments are written for arrays; other types have their own. Returns the end of the list. */
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

/* Skips the words before a variable's name: ".align 4 .b8 name[16]". */
static const char *skip_to_name(const char *at)
{
  while (*at == '.' || *at == '(' || (*at >= '0' && *at <= '9')) {
    size_t len = *at == '(' ? strcspn(at, ")") : 0;
    at += len ? len + (at[len] == ')') : 1 + strspn(at + 1, letters);
    at = skip_blanks(at);
  }
  return at;
}

/* Skips the linkage of a line: for a definition .visible or .weak (*out_is_weak), otherwise
 * .extern; NULL if it has another. */
static const char *skip_linkage(const char *text, bool is_definition, bool *out_is_weak)
{
  *out_is_weak = false;
  if (!is_definition) return skip_word(text, ".extern");
  const char *at = skip_word(text, ".visible");
  if (at) return at;
  *out_is_weak = true;
  return skip_word(text, ".weak");
}

/* Notes the definition in a line such as ".visible .entry name(", ".visible .func (.param .b32 r)
 * name(" and ".visible .global .u32 x", or compares an ".extern" line with its definition; skips
 * other lines. Moves `text` behind what was read. */
static ck_status_t note_line(Names *names, const char **text, const char *piece, bool is_definition)
{
  Symbol symbol = {.piece = piece};
  ck_status_t (*note)(Names *, const char *, size_t, Symbol) = is_definition ? define : compare;
  const char *at = skip_linkage(*text, is_definition, &symbol.is_weak);
  if (!at) return CK_OK;
  const char *name = skip_word(at, ".entry");
  symbol.kind = LINK_kernel;
  if (name) return note(names, name, strspn(name, letters), symbol);
  name = skip_word(at, ".global");
  if (!name) name = skip_word(at, ".const");
  if (name) name = skip_to_name(name);
  symbol.kind = LINK_variable;
  if (name) return note(names, name, strspn(name, letters), symbol);
  const char *function = skip_word(at, ".func");
  if (!function) return CK_OK;
  Buf params = BUF(names->arena), result = BUF(names->arena);
  name = put_params(&result, function);
  size_t len = strspn(name, letters);
  *text = put_params(&params, skip_blanks(name + len));
  symbol.kind = LINK_function;
  symbol.signature = arena_printf(names->arena, "%s -> %s", buf_text(&params), buf_text(&result));
  return note(names, name, len, symbol);
}

static ck_status_t note_ptx(Names *names, const char *text, const char *piece, bool is_definition)
{
  for (text = skip_blanks(text); *text; text = skip_blanks(skip_line(text)))
    CK_TRY(note_line(names, &text, piece, is_definition));
  return CK_OK;
}

static ck_status_t note_kernels(Names *names, yyjson_val *root, const char *piece)
{
  yyjson_arr_iter kernels = yyjson_arr_iter_with(yyjson_obj_get(root, "kernels"));
  for (yyjson_val *kernel; (kernel = yyjson_arr_iter_next(&kernels));) {
    const char *symbol = yyjson_get_str(yyjson_obj_get(kernel, "symbol"));
    const Symbol is = {.piece = piece, .kind = LINK_kernel};
    if (symbol) CK_TRY(define(names, symbol, strlen(symbol), is));
  }
  return CK_OK;
}

/* The PTX type of a value of CK, where integers below 32 bits are passed as 32; NULL: not known. */
static const char *size_of(const char *type, size_t len)
{
  static const char words[][4] = {"i8", "u8", "i16", "u16", "i32", "u32", "f32"};
  static const char longs[][4] = {"i64", "u64", "f64"};
  for (size_t i = 0; i < COUNT_OF(words); ++i)
    if (strlen(words[i]) == len && !strncmp(type, words[i], len)) return ".b32";
  for (size_t i = 0; i < COUNT_OF(longs); ++i)
    if (strlen(longs[i]) == len && !strncmp(type, longs[i], len)) return ".b64";
  return strncmp(type, "ptr<", 4) ? NULL : ".b64";
}

/* The length of a type, up to the comma or bracket that ends it. */
static size_t type_bytes(const char *type)
{
  size_t at = 0;
  for (int depth = 0; type[at]; ++at) {
    if (!depth && strchr(",)", type[at])) break;
    if (strchr("<([{", type[at])) ++depth;
    if (strchr(">)]}", type[at])) --depth;
  }
  return at;
}

/* Reduces a function type to the PTX types of its parameters and of its result, so that a
 * declaration in CK can be compared with a definition in other code. NULL if a type is unknown. */
const char *link_signature(Arena *arena, const char *type)
{
  static const char start[] = "fn(", arrow[] = ") -> ";
  Buf out = BUF(arena);
  if (strncmp(type, start, sizeof start - 1)) return NULL;
  buf_putc(&out, '(');
  for (type += sizeof start - 1; *type && *type != ')'; type += strspn(type, ", ")) {
    size_t len = type_bytes(type);
    const char *size = size_of(type, len);
    if (!size || !len) return NULL;
    buf_printf(&out, "%s%s", out.len > 1 ? "," : "", size);
    type += len;
  }
  buf_puts(&out, ") -> (");
  if (!strncmp(type, arrow, sizeof arrow - 1)) {
    const char *result = type + sizeof arrow - 1, *size = size_of(result, strlen(result));
    if (!size) return NULL;
    buf_puts(&out, size);
  } else if (strcmp(type, ")") != 0) {
    return NULL;
  }
  buf_putc(&out, ')');
  return buf_text(&out);
}

/* Notes the functions that a piece defines, or that it calls. */
static ck_status_t note_functions(Names *names, yyjson_val *root, const char *piece,
                                  bool is_definition)
{
  yyjson_arr_iter functions = yyjson_arr_iter_with(yyjson_obj_get(root, "functions"));
  for (yyjson_val *function; (function = yyjson_arr_iter_next(&functions));) {
    const char *name = yyjson_get_str(yyjson_obj_get(function, "name"));
    Symbol symbol = {.piece = piece, .type = yyjson_get_str(yyjson_obj_get(function, "type"))};
    if (!name || !symbol.type ||
        yyjson_is_true(yyjson_obj_get(function, "imported")) == is_definition)
      continue;
    symbol.signature = link_signature(names->arena, symbol.type);
    CK_TRY((is_definition ? define : compare)(names, name, strlen(name), symbol));
  }
  return CK_OK;
}

/* Parses a manifest; NULL if there is none, or it is malformed, which is reported elsewhere. */
static yyjson_val *parse(Names *names, const char *json)
{
  Buf why = BUF(names->arena);
  return json ? json_parse(names->arena, json, strlen(json), &why) : NULL;
}

typedef struct CubinReader {
  Names *names;
  const char *piece;
  bool is_definition, is_unread;
} CubinReader;

static ck_status_t note_cubin_symbol(void *user, const LinkSymbol *is)
{
  CubinReader *reader = user;
  const Symbol symbol = {reader->piece, is->kind, is->is_weak, is->signature, NULL};
  reader->is_unread |= is->is_unread;
  if (is->is_defined != reader->is_definition) return CK_OK;
  return (is->is_defined ? define : compare)(reader->names, is->name, is->bytes, symbol);
}

static ck_status_t note_cubin(Names *names, const LinkPiece *piece, bool is_definition,
                              bool *out_is_unread)
{
  CubinReader reader = {names, piece->name, is_definition, false};
  ck_status_t status =
      cubin_visit(names->arena, piece->data, piece->bytes, note_cubin_symbol, &reader);
  *out_is_unread = reader.is_unread;
  return status;
}

static ck_status_t note_image(Names *names, const LinkPiece *piece, bool is_definition,
                              bool *out_is_unread)
{
  *out_is_unread = false;
  if (piece->kind == CK_LINK_PTX) return note_ptx(names, piece->data, piece->name, is_definition);
  if (piece->kind == CK_LINK_CUBIN) return note_cubin(names, piece, is_definition, out_is_unread);
  *out_is_unread = piece->is_foreign;
  return CK_OK;
}

ck_status_t link_define(Names *names, LinkPiece *piece)
{
  yyjson_val *root = parse(names, piece->json);
  CK_TRY(note_image(names, piece, true, &piece->is_unread));
  if (!root) return CK_OK;
  CK_TRY(note_kernels(names, root, piece->name));
  return note_functions(names, root, piece->name, true);
}

ck_status_t link_compare(Names *names, const LinkPiece *piece)
{
  yyjson_val *root = parse(names, piece->json);
  bool is_unread;
  if (root) CK_TRY(note_functions(names, root, piece->name, false));
  return note_image(names, piece, false, &is_unread);
}
