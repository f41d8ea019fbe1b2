/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* cuda.c - recognises CUDA C++, Python and Rust in a CK text, and offers the CK form as a fix.
 *
 * The lexer asks at each token (cuda_rewrite). If a form of these languages starts there for which
 * CK's grammar has no place, it is reported with a fix, and the lexer reads the fixed text instead.
 * The parser goes on as if that had been written, so later passes find further mistakes:
 *
 *     text             for (int i = 0; i < n; ++i) y[i] = x[i];
 *     edits            "int " -> "", " = " -> " in ", "; i < " -> "..", "; ++i" -> ""
 *     lexer's feed     [for (][i][ in ][0][..][n][) y[i] = x[i];]      source and made text
 *
 * A form without an exact fix is reported with a hint, and its text is read as something harmless;
 * then nothing is compiled beyond the parser. This runs only in the second reading of a text with
 * errors (c->is_repairing), since a correct program must never be taken for another language.
 *
 * Single names (threadIdx, sqrtf) are handled by the resolver with the tables of cuda.def, since a
 * program may declare them.
 */
#include "front/cuda_private.h"
#include "front/front_private.h"
#include "parse.h"

#include <string.h>

typedef struct Row {
  const char *spelling, *language, *replacement, *hint;
} Row;

static const Row rows[] = {
#define CUDA(spelling, replacement, hint)              {spelling, "CUDA C++", replacement, hint},
#define FOREIGN(spelling, language, replacement, hint) {spelling, language, replacement, hint},
#define NEAR(spelling, replacement, hint)              {spelling, NULL, replacement, hint},
#include "front/cuda.def"
};

static const struct {
  const char *owner, *spelling, *replacement, *hint;
} members[] = {
#define MEMBER(owner, spelling, replacement, hint) {owner, spelling, replacement, hint},
#include "front/cuda.def"
};

static const struct {
  const char *word, *language, *hint;
} statements[] = {
#define STATEMENT(word, language, hint) {word, language, hint},
#include "front/cuda.def"
};

/* The row of a name; NULL: it has none. */
static const Row *row_of(const char *name, size_t len)
{
  for (size_t i = 0; i < COUNT_OF(rows); ++i)
    if (strlen(rows[i].spelling) == len && !memcmp(rows[i].spelling, name, len)) return &rows[i];
  return NULL;
}

/* ---- reports ---- */

enum { EDITS_MAX = 160 };

typedef struct Rewrite {
  Lexer *lexer;
  const char *lo, *hi; /* what the message underlines */
  const char *text_hi; /* end of the text that the message quotes; NULL: `hi` */
  const char *end;     /* end of the text that may be read */
  Edit edits[EDITS_MAX];
  uint32_t count;
  const char *hint;
  bool is_inexact; /* the fixed text has another meaning */
} Rewrite;

static Span span_between(const Lexer *lexer, const char *lo, const char *hi)
{
  uint32_t base = lexer->source->base;
  return (Span){base + (uint32_t)(lo - lexer->source->text),
                base + (uint32_t)(hi - lexer->source->text)};
}

static void edit(Rewrite *rewrite, const char *lo, const char *hi, const char *text)
{
  if (rewrite->count == EDITS_MAX || (lo == hi && !*text)) return;
  rewrite->edits[rewrite->count++] = (Edit){span_between(rewrite->lexer, lo, hi), text};
}

static void underline(Rewrite *rewrite, const char *lo, const char *hi)
{
  rewrite->lo = lo;
  rewrite->hi = hi;
}

static const char *copy(const Rewrite *rewrite, const char *lo, const char *hi)
{
  return arena_strndup(rewrite->lexer->c->unit, lo, (size_t)(hi - lo));
}

/* The text in one line, cut if it is long. */
static const char *shown_text(Arena *arena, const char *lo, const char *hi)
{
  enum { SHOWN_MAX = 48 };
  Buf text = BUF(arena);
  for (const char *p = lo; p < hi; ++p) {
    bool is_space = *p == ' ' || *p == '\t' || *p == '\n' || *p == '\r';
    if (is_space && text.len && text.data[text.len - 1] == ' ') continue;
    if (text.len >= SHOWN_MAX && is_space) {
      buf_puts(&text, " ...");
      break;
    }
    buf_putc(&text, is_space ? ' ' : *p);
  }
  return buf_text(&text);
}

/* The text of an edit. */
static const char *made(const Rewrite *rewrite, const char *format, ...) PRINTF_LIKE(2, 3);
static const char *made(const Rewrite *rewrite, const char *format, ...)
{
  va_list values;
  va_start(values, format);
  const char *text = arena_vprintf(rewrite->lexer->c->unit, format, values);
  va_end(values);
  return text;
}

static Feed *feed_new(Arena *arena, const char *lo, const char *hi, Feed *next)
{
  Feed *feed = NEW(arena, Feed);
  *feed = (Feed){.next = next, .lo = lo, .hi = hi};
  return feed;
}

/* Makes the lexer read the text with the edits applied, from `from` on. */
static void feed_edits(Rewrite *rewrite, const char *from)
{
  Lexer *lexer = rewrite->lexer;
  Arena *arena = lexer->c->unit;
  const char *text = lexer->source->text;
  uint32_t base = lexer->source->base;
  Feed *rest = lexer->feed, *first = NULL, **end = &first;
  Span whole = span_between(lexer, rewrite->lo, rewrite->hi);
  for (uint32_t i = 0; i < rewrite->count; ++i) {
    const Edit *one = &rewrite->edits[i];
    const char *lo = text + (one->span.lo - base);
    if (lo > from) {
      *end = feed_new(arena, from, lo, NULL);
      end = &(*end)->next;
    }
    *end = feed_new(arena, one->text, one->text + strlen(one->text), NULL);
    (*end)->is_made = true;
    (*end)->span = one->span.lo < one->span.hi ? one->span : whole;
    end = &(*end)->next;
    from = text + (one->span.hi - base);
  }
  *end = feed_new(arena, from, rest->hi, rest->next);
  lexer->feed = first;
  lexer->cur = first->lo;
}

void cuda_report(Diag *diag, Span span, const char *text, const char *language)
{
  if (!strcmp(language, "CUDA C++")) diag_at(diag, DIAG_cuda_spelling, span, text);
  else diag_at(diag, DIAG_foreign_spelling, span, text, language);
}

static bool give_as(Rewrite *rewrite, const char *from, const char *language)
{
  Lexer *lexer = rewrite->lexer;
  Diag *diag = &lexer->c->diag;
  const char *text =
      shown_text(lexer->c->unit, rewrite->lo, rewrite->text_hi ? rewrite->text_hi : rewrite->hi);
  cuda_report(diag, span_between(lexer, rewrite->lo, rewrite->hi), text, language);
  if (rewrite->hint) diag_hint(diag, "%s", rewrite->hint);
  if (!rewrite->is_inexact) {
    diag_fix_edits(diag, rewrite->edits, rewrite->count);
    diag_repaired(diag);
  }
  feed_edits(rewrite, from);
  return true;
}

static bool give(Rewrite *rewrite, const char *from)
{
  return give_as(rewrite, from, "CUDA C++");
}

/* Reports without a fix, and makes the lexer read `text` instead of from..hi. */
static bool refuse_as(Rewrite *rewrite, const char *from, const char *hi, const char *text,
                      const char *language, const char *hint)
{
  rewrite->count = 0;
  rewrite->is_inexact = true;
  rewrite->hint = hint;
  edit(rewrite, from, hi, text);
  if (!rewrite->count)
    rewrite->edits[rewrite->count++] = (Edit){span_between(rewrite->lexer, from, hi), ""};
  return give_as(rewrite, from, language);
}

static bool refuse(Rewrite *rewrite, const char *from, const char *hi, const char *text,
                   const char *hint)
{
  return refuse_as(rewrite, from, hi, text, "CUDA C++", hint);
}

/* ---- types ---- */

typedef struct CType {
  const char *name;                  /* the type in CK; "" for void, NULL for auto */
  const char *end;                   /* behind the type and its stars */
  const char *bounds_lo, *bounds_hi; /* of __launch_bounds__ */
  const char *generics;              /* of template <...>, in CK */
  uint32_t words;                    /* names that made it up */
  uint32_t stars;
  bool is_const, is_constexpr, is_shared, is_constant, is_extern, is_kernel, is_function;
  bool is_reference, is_known, is_int;
} CType;

static const Row *row_of_token(Tok tok)
{
  return tok.form == MARK_NAME ? row_of(tok.lo, (size_t)(tok.hi - tok.lo)) : NULL;
}

static const char *table_type(Tok tok)
{
  const Row *row = row_of_token(tok);
  const char *to = row ? row->replacement : "";
  bool is_type = *to && strchr("iufb", *to) && (char_is_digit(to[1]) || *to == 'b');
  return is_type ? to : NULL;
}

static const char *integer_type(bool is_unsigned, unsigned longs, bool is_short, bool is_char_type)
{
  if (longs) return is_unsigned ? "u64" : "i64";
  if (is_short) return is_unsigned ? "u16" : "i16";
  if (is_char_type) return is_unsigned ? "u8" : "i8";
  return is_unsigned ? "u32" : "i32";
}

static const char *read_template(const Rewrite *rewrite, Tok *tok)
{
  const char *end = rewrite->end;
  Buf text = BUF(rewrite->lexer->c->unit);
  Tok at = tok_scan(tok->hi, end);
  if (!tok_is_char(at, '<')) return NULL;
  for (bool is_first = true;; is_first = false) {
    Tok kind = tok_scan(at.hi, end);
    if (is_first && tok_is_char(kind, '>')) return *tok = kind, "";
    Tok name = tok_scan(kind.hi, end);
    const char *type = NULL;
    if (!tok_is_one_of(kind, "typename class")) {
      type = table_type(kind);
      if (!type && tok_is_word(kind, "bool")) type = "bool";
      if (tok_is_word(kind, "unsigned") && tok_is_word(name, "int")) name = tok_scan(name.hi, end);
      if (!type) return NULL;
    }
    if (name.form != MARK_NAME) return NULL;
    buf_printf(&text, "%s%s%.*s: %s", is_first ? "<" : ", ", type ? "const " : "",
               (int)(name.hi - name.lo), name.lo, type ? type : "type");
    at = tok_scan(name.hi, end);
    if (tok_is_char(at, '=')) {
      Tok value = tok_scan(at.hi, end);
      const char *known = type ? NULL : table_type(value);
      if (known) buf_printf(&text, " = %s", known);
      else buf_printf(&text, " = %.*s", (int)(value.hi - value.lo), value.lo);
      at = tok_scan(value.hi, end);
    }
    if (tok_is_char(at, '>')) break;
    if (!tok_is_char(at, ',')) return NULL;
  }
  buf_puts(&text, ">");
  *tok = at;
  return buf_text(&text);
}

/* Reads specifiers, a type and its stars. False if there is none. */
static bool read_type(const Rewrite *rewrite, const char *p, CType *out)
{
  *out = (CType){0};
  bool is_unsigned = false, is_short = false, is_char_type = false, is_float = false;
  bool is_integer = false, has_type = false;
  unsigned longs = 0;
  Tok tok = tok_scan(p, rewrite->end);
  for (;; tok = tok_scan(tok.hi, rewrite->end)) {
    if (tok_is_word(tok, "const") || tok_is_word(tok, "volatile")) out->is_const |= *tok.lo == 'c';
    else if (tok_is_word(tok, "constexpr")) out->is_constexpr = true;
    else if (tok_is_word(tok, "__shared__")) out->is_shared = true;
    else if (tok_is_word(tok, "__constant__")) out->is_constant = true;
    else if (tok_is_word(tok, "__global__")) out->is_kernel = true;
    else if (tok_is_one_of(tok, "__device__ __host__ __forceinline__ __noinline__ inline"))
      out->is_function = true;
    else if (tok_is_one_of(tok,
                           "static register __restrict__ __restrict restrict __align__ typename"))
      ;
    else if (tok_is_word(tok, "extern")) {
      out->is_extern = true;
      Tok language = tok_scan(tok.hi, rewrite->end);
      if (language.form == MARK_STRING) tok = language, out->is_extern = false;
    } else if (tok_is_word(tok, "template")) {
      out->generics = read_template(rewrite, &tok);
      if (!out->generics) return false;
      out->is_function = true;
    } else if (tok_is_word(tok, "__launch_bounds__")) {
      Tok open = tok_scan(tok.hi, rewrite->end);
      if (!tok_is_char(open, '(')) return false;
      Part first = tok_part(open.hi, rewrite->end, ",");
      out->bounds_lo = first.lo;
      out->bounds_hi = first.hi;
      tok = tok_close(open.hi, rewrite->end);
    } else if (tok_is_word(tok, "unsigned")) is_unsigned = is_integer = true;
    else if (tok_is_word(tok, "signed")) is_integer = true;
    else if (tok_is_word(tok, "long")) ++longs, is_integer = true;
    else if (tok_is_word(tok, "short")) is_short = is_integer = true;
    else if (tok_is_word(tok, "char")) is_char_type = is_integer = true;
    else if (tok_is_word(tok, "int")) is_integer = out->is_int = true;
    else if (tok_is_word(tok, "float") || tok_is_word(tok, "double")) {
      is_float = true;
      out->name = *tok.lo == 'f' ? "f32" : "f64";
    } else if (!has_type && !is_integer && !is_float && tok.form == MARK_NAME) {
      out->name = tok_is_word(tok, "auto") ? NULL : tok_is_word(tok, "void") ? "" : table_type(tok);
      out->is_known = tok_is_word(tok, "auto") || out->name != NULL;
      if (!out->is_known) out->name = copy(rewrite, tok.lo, tok.hi);
      has_type = true;
    } else break;
    ++out->words;
    out->end = tok.hi;
  }
  if (is_integer) out->name = integer_type(is_unsigned, longs, is_short, is_char_type);
  out->is_int &= !is_unsigned && !longs && !is_short;
  out->is_known |= is_integer || is_float;
  if (!has_type && !is_integer && !is_float) return false;
  for (;; tok = tok_scan(tok.hi, rewrite->end)) {
    if (tok_is_char(tok, '*')) ++out->stars;
    else if (tok_is_char(tok, '&')) out->is_reference = true;
    else if (!tok_is_one_of(tok, "const __restrict__ __restrict restrict")) break;
    out->end = tok.hi;
  }
  return true;
}

/* Is it a CK scalar type? It may occur in a CUDA form: (f32)x. */
static bool is_ck_scalar(const Lexer *lexer, const char *name)
{
  return name && type_scalar_named(lexer->c->types, name, strlen(name)) != NULL;
}

/* ---- functions ---- */

/* Translates `const float *x` to "x: in f32[]"; NULL if CK has no such parameter. */
static const char *param_text(const Rewrite *rewrite, const char *lo, const char *hi,
                              bool is_kernel)
{
  Rewrite part = {.lexer = rewrite->lexer, .end = hi};
  CType type;
  if (!read_type(&part, lo, &type) || !type.name || type.is_reference || type.stars > 1)
    return NULL;
  Tok name = tok_scan(type.end, hi);
  if (name.form != MARK_NAME) return NULL;
  Tok after = tok_scan(name.hi, hi);
  bool is_span = type.stars == 1;
  if (tok_is_char(after, '[')) {
    is_span = true;
    after = tok_scan(tok_close(after.hi, hi).hi, hi);
  }
  if (after.form != MARK_END && !tok_is_char(after, '=')) return NULL;
  Buf text = BUF(rewrite->lexer->c->unit);
  buf_printf(&text, "%.*s: ", (int)(name.hi - name.lo), name.lo);
  if (is_span)
    buf_printf(&text, "%s %s[]", type.is_const ? "in" : "inout", *type.name ? type.name : "u8");
  else buf_puts(&text, type.name);
  if (after.form != MARK_END && !is_kernel)
    buf_printf(&text, " = %.*s", (int)(hi - tok_skip_space(after.hi, hi)),
               tok_skip_space(after.hi, hi));
  return buf_text(&text);
}

/* Makes an edit for each parameter behind "(". Gives the token that closes the list, or nothing. */
static Tok edit_params(Rewrite *rewrite, const char *p, bool is_kernel)
{
  Tok none = {0}, first = tok_scan(p, rewrite->end), second = tok_scan(first.hi, rewrite->end);
  if (tok_is_char(first, ')')) return first;
  if (tok_is_word(first, "void") && tok_is_char(second, ')')) {
    edit(rewrite, first.lo, first.hi, "");
    return second;
  }
  for (;;) {
    Part param = tok_part(p, rewrite->end, ",)");
    if (param.stop.form != MARK_CHAR) return none;
    const char *text = param_text(rewrite, param.lo, param.hi, is_kernel);
    if (!text) return none;
    edit(rewrite, param.lo, param.hi, text);
    if (tok_is_char(param.stop, ')')) return param.stop;
    p = param.stop.hi;
  }
}

static bool rewrite_function(Rewrite *rewrite, const char *from, const CType *type, Tok name)
{
  const char *end = rewrite->end, *word = type->is_kernel ? "kernel " : "fn ";
  Tok open = tok_scan(name.hi, end), after_head = tok_scan(tok_close(open.hi, end).hi, end);
  underline(rewrite, from, name.hi);
  if (tok_is_char(after_head, ';')) {
    rewrite->hint = "Functions and kernels may stand in any order: none is declared twice.";
    edit(rewrite, from, after_head.hi, "");
    rewrite->hi = after_head.hi;
    return give(rewrite, from);
  }
  if (!tok_is_char(after_head, '{')) return false;
  edit(rewrite, from, name.lo, word);
  if (type->generics) edit(rewrite, name.hi, name.hi, type->generics);
  Tok close = edit_params(rewrite, open.hi, type->is_kernel);
  if (!close.hi || type->stars || !type->name) {
    rewrite->count = 0;
    close = tok_close(open.hi, end);
    return refuse(rewrite, from, close.hi,
                  made(rewrite, "%s%.*s()", word, (int)(name.hi - name.lo), name.lo),
                  "Parameters are written 'n: u32', arrays 'x: in f32[n]', 'out' or 'inout'.");
  }
  if (type->is_kernel && type->bounds_lo)
    edit(rewrite, close.hi, close.hi,
         made(rewrite, " launch(block = %.*s)", (int)(type->bounds_hi - type->bounds_lo),
              type->bounds_lo));
  else if (!type->is_kernel && *type->name)
    edit(rewrite, close.hi, close.hi, made(rewrite, " -> %s", type->name));
  rewrite->text_hi = name.hi;
  rewrite->hi = close.hi;
  bool has_span = memchr(open.lo, '*', (size_t)(close.lo - open.lo)) != NULL;
  if (type->is_kernel && has_span)
    rewrite->hint = "An extent of other parameters, x: in f32[n], is checked, and passed as a "
                    "pointer alone.";
  return give(rewrite, from);
}

/* ---- variables ---- */

static bool is_same_text(Tok a, Tok b)
{
  return a.hi - a.lo == b.hi - b.lo && !memcmp(a.lo, b.lo, (size_t)(a.hi - a.lo));
}

/* Is the name assigned in the rest of its block? */
static bool is_assigned(const Rewrite *rewrite, Tok name, const char *p)
{
  int depth = 0;
  Tok before = {0};
  for (Tok tok = tok_scan(p, rewrite->end); tok.form != MARK_END;
       tok = tok_scan(tok.hi, rewrite->end)) {
    if (tok_is_char(tok, '{')) ++depth;
    if (tok_is_char(tok, '}') && --depth < 0) break;
    if (tok.form == MARK_NAME && is_same_text(tok, name)) {
      Tok after = tok_scan(tok.hi, rewrite->end);
      bool is_shift = (tok_is_pair(after, "<<") || tok_is_pair(after, ">>")) && *after.hi == '=';
      if (tok_is_char(after, '=') || after.form == MARK_ASSIGN_OP || after.form == MARK_INCREMENT ||
          after.form == MARK_DECREMENT || is_shift || before.form == MARK_INCREMENT ||
          before.form == MARK_DECREMENT || tok_is_char(before, '&'))
        return true;
    }
    before = tok;
  }
  return false;
}

static const char *declaring_word(const Rewrite *rewrite, const CType *type, Tok name,
                                  const char *behind, bool is_array)
{
  if (type->is_shared) return "shared ";
  if (type->is_constexpr || rewrite->lexer->braces == 0) return "const ";
  bool has_value = tok_is_char(tok_scan(name.hi, rewrite->end), '=');
  if (is_array || !has_value) return "var ";
  return !type->is_const && is_assigned(rewrite, name, behind) ? "var " : "let ";
}

/* Does the CK declaration need the type? An int takes the type of its value, and 1.0f is an f32
 * anyway. */
static bool is_annotated(const CType *type, const Part *value)
{
  if (!type->name) return false;
  if (!value) return true;
  bool is_number = value->count == 1 && char_is_digit(*value->lo);
  if (type->is_int && is_number)
    return memchr(value->lo, '.', (size_t)(value->hi - value->lo)) != NULL;
  if (!strcmp(type->name, "f32") && is_number)
    return memchr(value->lo, '.', (size_t)(value->hi - value->lo)) == NULL;
  return !type->is_int;
}

/* Edits `[4][8]` behind a name to `: f32[4, 8]`. */
static Tok edit_extents(Rewrite *rewrite, Tok name, const char *type, Tok open, bool *out_is_open)
{
  Tok close = tok_close(open.hi, rewrite->end);
  *out_is_open = close.lo == tok_skip_space(open.hi, rewrite->end);
  edit(rewrite, name.hi, open.hi, made(rewrite, ": %s[", type));
  for (;;) {
    Tok next = tok_scan(close.hi, rewrite->end);
    if (!tok_is_char(next, '[')) return close;
    edit(rewrite, close.lo, next.hi, ", ");
    close = tok_close(next.hi, rewrite->end);
  }
}

/* Edits one variable of a declaration. Gives the token that ends it, "," or ";", or nothing. */
static Tok edit_variable(Rewrite *rewrite, const CType *type, Tok name, const char *lo,
                         const char *lead)
{
  Tok after = tok_scan(name.hi, rewrite->end), none = {0};
  bool is_array = tok_is_char(after, '['), is_open = false;
  const char *behind = name.hi;
  Part whole = tok_part(name.hi, rewrite->end, ";");
  const char *word = declaring_word(rewrite, type, name, whole.hi, is_array);
  edit(rewrite, lo, name.lo, made(rewrite, "%s%s", lead, word));
  if (is_array) {
    if (!type->name) return none;
    Tok close = edit_extents(rewrite, name, type->name, after, &is_open);
    behind = rewrite->hi = close.hi;
    after = tok_scan(behind, rewrite->end);
    if (is_open) return none;
  }
  if (!tok_is_char(after, '=')) {
    if (!is_array && type->name) edit(rewrite, name.hi, name.hi, made(rewrite, ": %s", type->name));
    return after;
  }
  Part value = tok_part(after.hi, rewrite->end, ",;");
  if (value.stop.form == MARK_END) return none;
  if (!is_array && is_annotated(type, &value))
    edit(rewrite, name.hi, name.hi, made(rewrite, ": %s", type->name));
  if (*value.lo == '{') {
    Tok first = tok_scan(value.lo + 1, rewrite->end), second = tok_scan(first.hi, rewrite->end);
    bool is_zero = tok_is_char(first, '}') ||
                   (first.form == MARK_NUMBER && *first.lo == '0' && tok_is_char(second, '}'));
    if (!is_array) return none;
    if (is_zero) {
      edit(rewrite, behind, value.hi, "");
    } else {
      edit(rewrite, value.lo, value.lo + 1, "[");
      edit(rewrite, value.hi - 1, value.hi, "]");
    }
  }
  return value.stop;
}

static bool rewrite_declaration(Rewrite *rewrite, const char *from)
{
  CType type;
  if (!read_type(rewrite, from, &type)) return false;
  Tok name = tok_scan(type.end, rewrite->end), after = tok_scan(name.hi, rewrite->end);
  bool is_marked = type.is_known || type.words > 1;
  if (name.form != MARK_NAME || after.form == MARK_END) return false;
  if (!is_marked && (type.stars || type.is_reference)) return false; /* a product, a * b */
  bool is_type = is_marked || is_ck_scalar(rewrite->lexer, type.name) ||
                 (*type.name >= 'A' && *type.name <= 'Z'); /* T x; */
  if (!is_type) return false;
  if (after.form != MARK_CHAR || !strchr("=;,[(", after.c)) return false;
  underline(rewrite, from, name.hi);
  if (tok_is_char(after, '(') && rewrite->lexer->braces == 0)
    return rewrite_function(rewrite, from, &type, name);
  Part whole = tok_part(from, rewrite->end, ";");
  if (whole.stop.form == MARK_END) return false;
  const char *nothing = rewrite->lexer->braces ? ";" : " ";
  if (rewrite->lexer->in_struct && rewrite->lexer->braces == 1) {
    if (type.stars || !tok_is_char(after, ';') || !type.name)
      return refuse(rewrite, from, whole.stop.hi, "", "A field is written 'x: f32;'.");
    edit(rewrite, from, name.lo, "");
    edit(rewrite, name.hi, name.hi, made(rewrite, ": %s", type.name));
    return give(rewrite, from);
  }
  if (type.stars || type.is_reference)
    return refuse(rewrite, from, whole.stop.hi, nothing,
                  "CK has no pointers to walk with: a span is indexed where it is used, x[i + k].");
  if (tok_is_char(after, '(') || (type.name && !*type.name))
    return refuse(rewrite, from, whole.stop.hi, ";",
                  "A value is bound 'let x = f32x4(1, 2, 3, 4);'.");
  if (type.is_extern || type.is_constant)
    return refuse(
        rewrite, from, whole.stop.hi, nothing,
        type.is_shared
            ? "Shared memory whose size the launch says is shared s: f32[dyn n];, with n a "
              "parameter of the kernel."
            : "What the host sets is a parameter of the kernels, x: in f32[n]; a table "
              "is a constant, const t: f32[2] = [1, 2];");
  const char *lead = "", *lo = from;
  for (;;) {
    Tok stop = edit_variable(rewrite, &type, name, lo, lead);
    if (stop.form != MARK_CHAR)
      return refuse(rewrite, from, whole.stop.hi, ";",
                    "A variable is declared 'var x: f32 = 0;', a value 'let x = ...;'.");
    if (stop.c == ';') break;
    name = tok_scan(stop.hi, rewrite->end);
    if (stop.c != ',' || name.form != MARK_NAME) return false;
    lead = "; ";
    lo = stop.lo;
  }
  return give(rewrite, from);
}

/* ---- loops and conditions ---- */

static bool rewrite_for_in(Rewrite *rewrite, const char *from, Tok name)
{
  Tok in = tok_scan(name.hi, rewrite->end);
  if (name.form != MARK_NAME || !tok_is_word(in, "in")) return false;
  Part range = tok_part(in.hi, rewrite->end, "{:");
  if (range.stop.form == MARK_END) return false;
  bool is_python = range.stop.c == ':';
  underline(rewrite, from, range.hi);
  rewrite->hint = "A loop is written for (i in 0..n) { ... }.";
  edit(rewrite, name.lo, name.lo, "(");
  edit(rewrite, range.hi, is_python ? range.stop.hi : range.hi, ")");
  rewrite->is_inexact = is_python;
  return give_as(rewrite, from, is_python ? "Python" : "Rust");
}

static bool refuse_loop(Rewrite *rewrite, const char *from, Tok close)
{
  underline(rewrite, from, close.hi);
  return refuse(
      rewrite, from, close.hi, "while (true)",
      "A for loop goes through a range, for (i in 0..n), or down, for (i in (0..n).reverse()); "
      "other loops are 'while'.");
}

/* Is the loop's step `--i` or `i--`? */
static bool is_step_down(const char *p, const char *end, Tok name, Tok close)
{
  Tok first = tok_scan(p, end), second = tok_scan(first.hi, end);
  bool is_first = first.form == MARK_DECREMENT;
  return (is_first || second.form == MARK_DECREMENT) && tok_scan(second.hi, end).lo == close.lo &&
         is_same_text(is_first ? second : first, name);
}

/* The range of a loop that counts down from `first` to `last`, or to one above it (is_above). A
 * range excludes its end, so a loop that starts at n - 1 is ..n. */
static const char *range_down(const Rewrite *rewrite, Part first, Part last, bool is_above)
{
  const char *hi = first.hi, *tail = " + 1", *lo = copy(rewrite, last.lo, last.hi);
  if (hi - first.lo > 3 && !memcmp(hi - 3, "- 1", 3)) {
    const char *operand = hi - 3;
    while (operand > first.lo && operand[-1] == ' ') --operand;
    if (operand > first.lo && !strchr("+-*/%~", operand[-1])) hi = operand, tail = "";
  }
  if (is_above) lo = made(rewrite, "%s + 1", lo);
  return made(rewrite, " in (%s..%s%s).reverse()", lo, copy(rewrite, first.lo, hi), tail);
}

/* Reads the loop's step `++i`, `i++` or `i += k`; false if it is something else. `out_step` is
 * empty for a step of 1. */
static bool read_step(const char *p, const char *end, Tok name, Part *out_step, Tok close)
{
  Tok first = tok_scan(p, end), second = tok_scan(first.hi, end);
  *out_step = (Part){0};
  Tok counter = first.form == MARK_INCREMENT ? second : first;
  if (!is_same_text(counter, name)) return false;
  if (first.form == MARK_INCREMENT || second.form == MARK_INCREMENT)
    return tok_scan(second.hi, end).lo == close.lo;
  if (second.form != MARK_ASSIGN_OP || *second.lo != '+') return false;
  *out_step = tok_part(second.hi, end, ")");
  return out_step->stop.lo == close.lo;
}

static bool rewrite_for(Rewrite *rewrite, const char *from, const char *p)
{
  const char *end = rewrite->end;
  Tok open = tok_scan(p, end);
  if (!tok_is_char(open, '(')) return rewrite_for_in(rewrite, from, open);
  Tok first = tok_scan(open.hi, end), second = tok_scan(first.hi, end);
  if (tok_is_word(second, "in") || (first.form == MARK_NAME && tok_is_char(second, ':')))
    return false;
  Tok close = tok_close(open.hi, end);
  if (close.form == MARK_END) return false;
  underline(rewrite, from, close.hi);
  if (tok_is_char(first, ';') && tok_is_char(second, ';') &&
      tok_scan(second.hi, end).lo == close.lo) {
    edit(rewrite, from, close.hi, "while (true)");
    return give(rewrite, from);
  }
  Part init = tok_part(open.hi, end, ";");
  if (init.stop.form == MARK_END) return false;
  CType type = {0};
  bool has_type = !tok_is_char(second, '=') && read_type(rewrite, open.hi, &type);
  Tok name = has_type ? tok_scan(type.end, end) : first, equals = tok_scan(name.hi, end);
  if (name.form != MARK_NAME || !tok_is_char(equals, '=')) return refuse_loop(rewrite, from, close);
  Part lo = tok_part(equals.hi, end, ",;");
  Tok counter = tok_scan(init.stop.hi, end), compare = tok_scan(counter.hi, end);
  bool is_last = compare.form == MARK_LE;
  bool is_below = tok_is_char(compare, '<') || is_last || compare.form == MARK_NE;
  Part hi = tok_part(compare.hi, end, ";"), step;
  bool is_counter = is_same_text(counter, name);
  bool is_above = tok_is_char(compare, '>');
  if ((is_above || compare.form == MARK_GE) && tok_is_char(lo.stop, ';') && is_counter &&
      hi.stop.form != MARK_END && !lo.has_loose && !hi.has_loose &&
      is_step_down(hi.stop.hi, end, name, close)) {
    edit(rewrite, open.hi, name.lo, "");
    edit(rewrite, name.hi, close.lo, range_down(rewrite, lo, hi, is_above));
    return give(rewrite, from);
  }
  if (!tok_is_char(lo.stop, ';') || !is_below || !is_counter || hi.stop.form == MARK_END ||
      (hi.has_loose && memchr(hi.lo, '&', (size_t)(hi.hi - hi.lo))) ||
      !read_step(hi.stop.hi, end, name, &step, close))
    return refuse_loop(rewrite, from, close);
  edit(rewrite, open.hi, name.lo, "");
  edit(rewrite, name.hi, lo.lo, step.lo ? " in (" : " in ");
  edit(rewrite, lo.hi, hi.lo, is_last && hi.has_loose ? "..(" : "..");
  const char *tail = !is_last ? "" : hi.has_loose ? ") + 1" : " + 1";
  if (step.lo) {
    edit(rewrite, hi.hi, step.lo, made(rewrite, "%s).step(", tail));
    edit(rewrite, step.hi, close.lo, ")");
  } else {
    edit(rewrite, hi.hi, close.lo, tail);
  }
  return give(rewrite, from);
}

/* Fixes `if x < 3 {`, where the parentheses are missing. */
static bool rewrite_condition(Rewrite *rewrite, const char *from, const char *p)
{
  Tok first = tok_scan(p, rewrite->end);
  if (tok_is_char(first, '(') || first.form == MARK_END || rewrite->lexer->prev == TOK_COMPTIME)
    return false;
  Part condition = tok_part(p, rewrite->end, "{:;");
  if (condition.stop.form != MARK_CHAR || condition.stop.c == ';') return false;
  bool is_python = condition.stop.c == ':';
  underline(rewrite, from, condition.hi);
  rewrite->hint = "A condition stands in parentheses, the block behind it in braces.";
  edit(rewrite, condition.lo, condition.lo, "(");
  edit(rewrite, condition.hi, is_python ? condition.stop.hi : condition.hi, ")");
  return give_as(rewrite, from, is_python ? "Python" : "Rust");
}

/* ---- expressions ---- */

static bool ends_operand(int token)
{
  return token == TOK_NAME || token == TOK_INT || token == TOK_FLOAT || token == TOK_STRING ||
         token == TOK_RPAREN || token == TOK_RBRACKET || token == TOK_RANGLE || token == TOK_TRUE ||
         token == TOK_FALSE;
}

/* The end of a unary operand that starts at p; NULL if there is none. */
static const char *operand_end(const char *p, const char *end)
{
  Tok tok = tok_scan(p, end);
  while (tok.form == MARK_CHAR && strchr("-+!~*&", tok.c)) tok = tok_scan(tok.hi, end);
  if (tok_is_char(tok, '(')) {
    Tok close = tok_close(tok.hi, end);
    if (close.form == MARK_END) return NULL;
    Tok inner = tok_scan(tok.hi, end), after = tok_scan(close.hi, end);
    bool is_cast =
        inner.form == MARK_NAME && table_type(inner) &&
        (after.form == MARK_NAME || after.form == MARK_NUMBER || tok_is_char(after, '('));
    if (is_cast) return operand_end(close.hi, end);
    tok = close;
  } else if (tok.form != MARK_NAME && tok.form != MARK_NUMBER) {
    return NULL;
  }
  for (;;) {
    Tok next = tok_scan(tok.hi, end);
    if (tok_is_char(next, '(') || tok_is_char(next, '[')) tok = tok_close(next.hi, end);
    else if (tok_is_char(next, '.') || tok_is_pair(next, "->")) tok = tok_scan(next.hi, end);
    else return tok.hi;
    if (tok.form == MARK_END) return NULL;
  }
}

#define POINTER_PARAMETER                                                                          \
  "An extent of other parameters, x: in f32[n], is checked, and passed as a pointer alone; a "     \
  "pointer is ptr<f32>."

#define POINTER_CAST                                                                               \
  "x.load<4>(i) is four elements as a vector, bit_cast<u32>(v) the bits of a value, ptr<u32>(p) "  \
  "a "                                                                                             \
  "pointer's place as another type."

static bool rewrite_cast(Rewrite *rewrite, const char *from)
{
  CType type;
  int prev = rewrite->lexer->prev;
  bool is_condition = prev == TOK_IF || prev == TOK_WHILE || prev == TOK_UNROLL;
  if (is_condition || ends_operand(prev) || !read_type(rewrite, from + 1, &type)) return false;
  Tok close = tok_scan(type.end, rewrite->end), next = tok_scan(close.hi, rewrite->end);
  bool is_type = type.is_known || is_ck_scalar(rewrite->lexer, type.name) ||
                 (!type.stars && (next.form == MARK_NAME || next.form == MARK_NUMBER));
  if (!tok_is_char(close, ')') || !is_type) return false;
  bool is_operand = next.form == MARK_NAME || next.form == MARK_NUMBER ||
                    (next.form == MARK_CHAR && strchr("(-~!*&", next.c));
  const char *hi = is_operand ? operand_end(close.hi, rewrite->end) : NULL;
  if (!hi) return false;
  underline(rewrite, from, close.hi);
  if (type.stars || !type.name || !*type.name)
    return refuse(rewrite, from, close.hi, "", POINTER_CAST);
  bool is_whole = tok_is_char(next, '(') && tok_close(next.hi, rewrite->end).hi == hi;
  edit(rewrite, from, next.lo, made(rewrite, "%s%s", type.name, is_whole ? "" : "("));
  if (!is_whole) edit(rewrite, hi, hi, ")");
  return give(rewrite, from);
}

static bool rewrite_star(Rewrite *rewrite, const char *from)
{
  const char *end = rewrite->end;
  Tok next = tok_scan(from + 1, end), after = tok_scan(next.hi, end);
  underline(rewrite, from, from + 1);
  int prev = rewrite->lexer->prev;
  if ((prev == TOK_COLON || prev == TOK_ARROW) && next.form == MARK_NAME) { /* x: *f32 */
    bool is_param = prev == TOK_COLON && !rewrite->lexer->braces && rewrite->lexer->in_params;
    const char *type = copy(rewrite, next.lo, next.hi);
    rewrite->hi = next.hi;
    if (is_param) rewrite->hint = POINTER_PARAMETER;
    edit(rewrite, from, next.hi, made(rewrite, is_param ? "inout %s[]" : "ptr<%s>", type));
    return give(rewrite, from);
  }
  if (ends_operand(prev)) {
    if (from[1] != '*') return false;
    rewrite->hi = from + 2;
    return refuse_as(rewrite, from, from + 2, "*", "Python",
                     "A power is pow(x, y); a square x * x.");
  }
  if (next.form == MARK_NAME && !tok_is_char(after, '.') && !tok_is_pair(after, "->")) {
    rewrite->hi = next.hi;
    edit(rewrite, from, next.lo, "");
    edit(rewrite, next.hi, next.hi, "[0]");
    return give(rewrite, from);
  }
  Tok base = after, plus = tok_scan(base.hi, end);
  if (!tok_is_char(next, '(') || base.form != MARK_NAME || !tok_is_char(plus, '+')) return false;
  Part index = tok_part(plus.hi, end, ")");
  if (index.stop.form == MARK_END) return false;
  rewrite->hi = index.stop.hi;
  edit(rewrite, from, base.lo, "");
  edit(rewrite, base.hi, index.lo, "[");
  edit(rewrite, index.hi, index.stop.hi, "]");
  return give(rewrite, from);
}

/* Fixes x[1:3] and x[:, 0]. Behind a `?` the ':' belongs to a choice. */
static bool rewrite_slice(Rewrite *rewrite, const char *from)
{
  const char *end = rewrite->end;
  Tok close = tok_close(from + 1, end);
  Part lo = tok_part(from + 1, end, ":?,"), hi = tok_part(lo.stop.hi, end, ":?,");
  bool is_all = false;
  unsigned colons = 0, depth = 0;
  for (Tok tok = tok_scan(from + 1, close.lo); tok.form != MARK_END;
       tok = tok_scan(tok.hi, close.lo)) {
    if (tok_is_char(tok, '?')) return false;
    if (tok.form == MARK_CHAR && strchr("([{", tok.c)) ++depth;
    if (tok.form == MARK_CHAR && strchr(")]}", tok.c)) --depth;
    if (!depth) colons += tok_is_pair(tok, "::") ? 2 : tok_is_char(tok, ':');
    is_all |= tok_is_char(tok, ',') && !depth;
  }
  if (!colons || close.form == MARK_END) return false;
  underline(rewrite, from + 1, close.lo);
  if (is_all || colons > 1 || !tok_is_char(lo.stop, ':') || lo.lo == lo.hi || hi.lo == hi.hi) {
    const char *step = close.lo;
    while (colons && step[-1] != ':') --step;
    step += strspn(step, " ");
    rewrite->is_inexact = true;
    rewrite->hint = is_all ? "The column j is m.column(j), the row i is m[i] or m.row(i)."
                    : colons > 1 && *step == '-' ? "Backwards it is x.reverse()."
                    : colons > 1                 ? "Every second element is strided(x, 2)."
                                 : "A slice has both ends: x[lo..hi], the last is x[lo..x.len].";
    edit(rewrite, from + 1, close.lo, is_all ? "0, 0" : "0..1");
  } else {
    edit(rewrite, lo.hi, hi.lo, "..");
  }
  return give_as(rewrite, from, "Python");
}

/* Refuses a C++ lambda, [](float v) { return v * v; }. */
static bool rewrite_lambda(Rewrite *rewrite, const char *from)
{
  if (ends_operand(rewrite->lexer->prev)) return rewrite_slice(rewrite, from);
  Tok close = tok_close(from + 1, rewrite->end), open = tok_scan(close.hi, rewrite->end);
  if (!tok_is_char(open, '(')) return false;
  Part head = tok_part(open.lo, rewrite->end, "{");
  if (head.stop.form != MARK_CHAR) return false;
  underline(rewrite, from, head.hi);
  return refuse(rewrite, from, tok_close(head.stop.hi, rewrite->end).hi, "0",
                "A lambda is written |v| v * v; it holds copies of what it names.");
}

static bool rewrite_address(Rewrite *rewrite, const char *from)
{
  Tok next = tok_scan(from + 1, rewrite->end);
  if (ends_operand(rewrite->lexer->prev) || next.form != MARK_NAME) return false;
  underline(rewrite, from, next.hi);
  if (rewrite->lexer->prev == TOK_COLON)
    return refuse_as(rewrite, from, from + 1, "", "Rust",
                     "A parameter is a value, x: f32, or a span, x: in f32[].");
  return refuse(rewrite, from, from + 1, "",
                "A function takes a span as it is, and returns what it makes; a pointer is "
                "address(x[i]).");
}

/* Translates printf's format to print's. NULL if it has a conversion that print lacks. */
static const char *format_text(const Rewrite *rewrite, Tok string)
{
  Buf text = BUF(rewrite->lexer->c->unit);
  for (const char *p = string.lo; p < string.hi; ++p) {
    bool is_last_newline = p[0] == '\\' && p[1] == 'n' && p + 3 == string.hi;
    if (is_last_newline) {
      ++p;
    } else if (*p == '{' || *p == '}') {
      buf_printf(&text, "%c%c", *p, *p);
    } else if (*p != '%') {
      buf_putc(&text, *p);
    } else if (p[1] == '%') {
      buf_putc(&text, *p++);
    } else {
      const char *flags = ++p;
      while (char_is_digit(*p) || *p == '.') ++p;
      int width = (int)(p - flags);
      while (*p == 'l' || *p == 'h' || *p == 'z') ++p;
      if (!strchr("diufgexs", *p) || !*p) return NULL;
      bool is_plain = strchr("dius", *p) || (strchr("fg", *p) && !width);
      if (is_plain && !width) buf_puts(&text, "{}");
      else buf_printf(&text, "{:%.*s%s", width, flags, is_plain ? "}" : "");
      if (!is_plain) buf_printf(&text, "%c}", *p);
    }
  }
  return buf_text(&text);
}

static bool rewrite_printf(Rewrite *rewrite, Tok name, Tok open)
{
  Tok format = tok_scan(open.hi, rewrite->end);
  const char *text = format.form == MARK_STRING ? format_text(rewrite, format) : NULL;
  if (!text) return false;
  rewrite->hint = "{} stands for a value of any type; print ends the line.";
  edit(rewrite, name.lo, name.hi, "print");
  edit(rewrite, format.lo, format.hi, text);
  rewrite->text_hi = name.hi;
  rewrite->hi = tok_close(open.hi, rewrite->end).hi;
  return give(rewrite, name.lo);
}

/* Fixes atomicAdd(&x[i], v) to atomic.add(x[i], v), and __ldg(&x[i]) to x[i]. */
static bool rewrite_place_call(Rewrite *rewrite, Tok name, Tok open)
{
  Tok amp = tok_scan(open.hi, rewrite->end), place = tok_scan(amp.hi, rewrite->end);
  if (!tok_is_char(amp, '&')) return false;
  if (tok_is_word(name, "__ldg")) {
    Tok close = tok_close(open.hi, rewrite->end);
    rewrite->hint = "An 'in' span is read through the read-only cache.";
    edit(rewrite, name.lo, place.lo, "");
    edit(rewrite, close.lo, close.hi, "");
    return give(rewrite, name.lo);
  }
  const Row *row = row_of_token(name);
  if (!row || strncmp(row->spelling, "atomic", 6) != 0) return false;
  edit(rewrite, name.lo, name.hi, row->replacement);
  edit(rewrite, amp.lo, place.lo, "");
  rewrite->text_hi = name.hi;
  rewrite->hi = tok_close(open.hi, rewrite->end).hi;
  return give(rewrite, name.lo);
}

static bool rewrite_static_cast(Rewrite *rewrite, Tok name, Tok open)
{
  CType type;
  if (!read_type(rewrite, open.hi, &type)) return false;
  Tok close = tok_scan(type.end, rewrite->end);
  if (!tok_is_char(close, '>')) return false;
  rewrite->hi = close.hi;
  if (type.stars || type.is_reference || !type.name || !tok_is_word(name, "static_cast"))
    return refuse(rewrite, name.lo, close.hi, "", POINTER_CAST);
  edit(rewrite, name.lo, close.hi, type.name);
  return give(rewrite, name.lo);
}

/* Fixes sizeof(float) to sizeof<f32>. */
static bool rewrite_sizeof(Rewrite *rewrite, Tok name, Tok open)
{
  CType type;
  if (!read_type(rewrite, open.hi, &type) || type.stars || !type.name || !*type.name) return false;
  Tok close = tok_scan(type.end, rewrite->end);
  bool is_type = type.is_known || is_ck_scalar(rewrite->lexer, type.name);
  if (!tok_is_char(close, ')') || !is_type) return false;
  rewrite->hi = close.hi;
  edit(rewrite, name.lo, close.hi,
       made(rewrite, "%s<%s>", tok_is_word(name, "sizeof") ? "sizeof" : "alignof", type.name));
  return give(rewrite, name.lo);
}

static bool rewrite_launch(Rewrite *rewrite, Tok name, Tok open)
{
  const char *end = rewrite->end, *p = open.hi;
  if (*p != '<') return false;
  const char *close = strstr(p, ">>>");
  if (!close || close > end) return false;
  Tok args = tok_scan(close + 3, end);
  rewrite->hi = close + 3;
  if (rewrite->lexer->prev == TOK_KERNEL) {
    rewrite->hint = "The launch stands behind the parameters: kernel k(...) launch(block = 256, "
                    "grid = ceil_div(n, 256)).";
    rewrite->is_inexact = true;
    edit(rewrite, open.lo, close + 3, "");
    return give(rewrite, name.lo);
  }
  const char *hi = tok_is_char(args, '(') ? tok_close(args.hi, end).hi : close + 3;
  return refuse(rewrite, name.lo, hi, "0",
                "Kernels are launched by the host: ck_kernel_launch in C, or ckc run.");
}

static bool is_start(const Lexer *lexer)
{
  int prev = lexer->prev;
  return prev == 0 || prev == TOK_SEMI || prev == TOK_LBRACE || prev == TOK_RBRACE ||
         prev == TOK_RPAREN || prev == TOK_ELSE || prev == TOK_UNROLL;
}

/* Fixes for (i in range(lo, hi, step)). Any other range() may be a function of the program. */
static bool rewrite_range(Rewrite *rewrite, Tok name, Tok open)
{
  Part parts[3];
  uint32_t count = 0;
  const char *p = open.hi;
  do {
    parts[count] = tok_part(p, rewrite->end, ",)");
    p = parts[count].stop.hi;
    if (parts[count].lo == parts[count].hi || parts[count].stop.form != MARK_CHAR) return false;
  } while (tok_is_char(parts[count++].stop, ',') && count < COUNT_OF(parts));
  const Part *last = &parts[count - 1];
  if (!tok_is_char(last->stop, ')')) return false;
  rewrite->hi = last->stop.hi;
  if (count == 1) {
    edit(rewrite, name.lo, open.hi, "0..");
  } else {
    edit(rewrite, name.lo, open.hi, count == 3 ? "(" : "");
    edit(rewrite, parts[0].hi, parts[1].lo, "..");
    if (count == 3) edit(rewrite, parts[1].hi, parts[2].lo, ").step(");
  }
  if (count < 3) edit(rewrite, last->stop.lo, last->stop.hi, "");
  return give_as(rewrite, name.lo, "Python");
}

/* Fixes words of other languages that the grammar has no place for. */
static bool rewrite_word(Rewrite *rewrite, Tok name, Tok next)
{
  int prev = rewrite->lexer->prev;
  if (tok_is_word(name, "elif") && is_start(rewrite->lexer)) {
    edit(rewrite, name.lo, name.hi, "else if");
    return give_as(rewrite, name.lo, "Python");
  }
  bool is_operator = ends_operand(prev) && tok_is_one_of(name, "and or");
  if (is_operator) edit(rewrite, name.lo, name.hi, *name.lo == 'a' ? "&&" : "||");
  else if (tok_is_word(name, "not") && !ends_operand(prev) &&
           (next.form == MARK_NAME || (tok_is_char(next, '(') && next.lo > name.hi)))
    edit(rewrite, name.lo, next.lo, "!");
  if (rewrite->count) return give_as(rewrite, name.lo, "Python");
  if (tok_is_word(name, "lambda") && !ends_operand(prev) && next.form == MARK_NAME) {
    Part head = tok_part(next.lo, rewrite->end, ":;");
    if (!tok_is_char(head.stop, ':')) return false;
    rewrite->hi = head.stop.hi;
    edit(rewrite, name.lo, next.lo, "|");
    edit(rewrite, head.hi, head.stop.hi, "|");
    return give_as(rewrite, name.lo, "Python");
  }
  if (prev == TOK_LET && tok_is_word(name, "mut") && next.form == MARK_NAME)
    return refuse_as(rewrite, name.lo, next.lo, "", "Rust", "What changes is declared with 'var'.");
  if (ends_operand(prev) && tok_is_word(name, "as") && next.form == MARK_NAME) {
    rewrite->hi = next.hi;
    return refuse_as(rewrite, name.lo, next.hi, "", "Rust",
                     "A value is converted by the type's name: f32(x).");
  }
  return false;
}

/* Refuses statements and items that CK doesn't have; the whole of one is skipped. */
static bool rewrite_statement(Rewrite *rewrite, Tok name, Tok next)
{
  bool is_follower = next.form == MARK_NAME || tok_is_char(next, '{') || tok_is_char(next, '(') ||
                     next.form == MARK_STRING;
  if (!is_start(rewrite->lexer) || !is_follower) return false;
  for (size_t i = 0; i < COUNT_OF(statements); ++i) {
    if (!tok_is_word(name, statements[i].word)) continue;
    Part whole = tok_part(next.lo, rewrite->end, "{;");
    if (whole.stop.form == MARK_END) whole.stop = tok_scan(whole.hi, rewrite->end);
    bool is_call = tok_is_char(next, '(') &&
                   tok_is_char(tok_scan(tok_close(next.hi, rewrite->end).hi, rewrite->end), ';');
    if (is_call) return false; /* a function of this name */
    const char *hi = whole.stop.hi;
    if (tok_is_char(whole.stop, '{')) hi = tok_close(whole.stop.hi, rewrite->end).hi;
    if (tok_is_word(name, "do")) hi = tok_part(hi, rewrite->end, ";").stop.hi;
    if (tok_is_word(name, "from")) hi = next.lo + strcspn(next.lo, "\n");
    return refuse_as(rewrite, name.lo, hi, rewrite->lexer->braces ? ";" : " ",
                     statements[i].language, statements[i].hint);
  }
  return false;
}

/* var a[4]: f32 is var a: f32[4]. So is a field. */
static bool rewrite_extents(Rewrite *rewrite, const char *from, Tok name)
{
  const char *end = rewrite->end;
  Tok open = tok_scan(name.hi, end);
  if (name.form != MARK_NAME || !tok_is_char(open, '[')) return false;
  Tok close = tok_close(open.hi, end), colon = tok_scan(close.hi, end),
      type = tok_scan(colon.hi, end);
  if (tok_is_one_of(type, "in out inout")) type = tok_scan(type.hi, end);
  Tok after = tok_scan(type.hi, end);
  if (!tok_is_char(colon, ':') || type.form != MARK_NAME || after.form != MARK_CHAR ||
      !strchr(";,)=}", after.c))
    return false;
  Lexer *lexer = rewrite->lexer;
  Diag *diag = &lexer->c->diag;
  underline(rewrite, from, type.hi);
  edit(rewrite, open.lo, close.hi, "");
  edit(rewrite, type.hi, type.hi, copy(rewrite, open.lo, close.hi));
  diag_at(
      diag, DIAG_expected, span_between(lexer, open.lo, close.hi),
      made(rewrite, "the extents of '%s' stand behind its type", copy(rewrite, name.lo, name.hi)));
  diag_hint(diag, "Write %s: %.*s%s.", copy(rewrite, name.lo, name.hi),
            (int)(type.hi - tok_skip_space(colon.hi, end)), tok_skip_space(colon.hi, end),
            copy(rewrite, open.lo, close.hi));
  diag_fix_edits(diag, rewrite->edits, rewrite->count);
  diag_repaired(diag);
  feed_edits(rewrite, from);
  return true;
}

/* shared f32 t[32]; is shared t: f32[32]; and a shared union has no name. */
static bool rewrite_shared(Rewrite *rewrite, Tok word)
{
  const char *end = rewrite->end;
  CType type;
  bool is_type = read_type(rewrite, word.lo, &type) && type.name && *type.name && !type.stars;
  Tok name = tok_scan(is_type ? type.end : word.hi, end), after = tok_scan(name.hi, end);
  if (name.form != MARK_NAME) return false;
  rewrite->hi = name.hi;
  if (tok_is_word(word, "union") && tok_is_char(after, '{')) {
    rewrite->hint = "A union of layouts has no name: its parts are declared as they are.";
    edit(rewrite, word.lo, after.hi, "union {"); /* of one piece: the lexer looks for the brace */
    return give(rewrite, word.lo);
  }
  if (!is_type || (!type.is_known && !is_ck_scalar(rewrite->lexer, type.name))) return false;
  bool is_array = tok_is_char(after, '['), is_open = false;
  if (!is_array && !tok_is_char(after, ';')) return false;
  edit(rewrite, word.lo, name.lo, "");
  if (is_array) rewrite->hi = edit_extents(rewrite, name, type.name, after, &is_open).hi;
  else edit(rewrite, name.hi, name.hi, made(rewrite, ": %s", type.name));
  if (!is_open) return give(rewrite, word.lo);
  rewrite->count = 0;
  return false;
}

static bool rewrite_name(Rewrite *rewrite, const char *from, const char *to)
{
  Tok name = {from, to, MARK_NAME, 0}, next = tok_scan(to, rewrite->end);
  underline(rewrite, from, to);
  if (tok_is_pair(next, "::")) {
    rewrite->hi = next.hi;
    rewrite->hint = "Names of the library have no namespace.";
    edit(rewrite, from, next.hi, "");
    return give(rewrite, from);
  }
  if (rewrite->lexer->prev != TOK_FN && rewrite->lexer->prev != TOK_DOT) {
    if (tok_is_char(next, '(') && tok_is_word(name, "printf"))
      return rewrite_printf(rewrite, name, next);
    if (tok_is_char(next, '(') && rewrite_place_call(rewrite, name, next)) return true;
    if (tok_is_char(next, '(') && tok_is_one_of(name, "sizeof alignof") &&
        rewrite_sizeof(rewrite, name, next))
      return true;
    if (tok_is_char(next, '<') && tok_is_one_of(name, "static_cast reinterpret_cast const_cast"))
      return rewrite_static_cast(rewrite, name, next);
    if (tok_is_pair(next, "<<") && rewrite_launch(rewrite, name, next)) return true;
    if (tok_is_char(next, '(') && tok_is_word(name, "range") && rewrite->lexer->prev == TOK_IN &&
        rewrite_range(rewrite, name, next))
      return true;
  }
  if (rewrite->lexer->prev == TOK_SHARED && rewrite_shared(rewrite, name)) return true;
  bool is_field = rewrite->lexer->in_struct && rewrite->lexer->braces == 1;
  bool is_declared = is_field || (rewrite->lexer->in_params && !rewrite->lexer->braces);
  if (is_declared && tok_is_char(next, '[') && rewrite_extents(rewrite, from, name)) return true;
  if (rewrite_word(rewrite, name, next)) return true;
  if (rewrite_statement(rewrite, name, next)) return true;
  return is_start(rewrite->lexer) && rewrite_declaration(rewrite, from);
}

/* Fixes the types `const float *` and `f32 *` of parameters to `in f32[]` and `inout f32[]`, and
 * those of fields, variables and results to `ptr<f32>`. */
static bool rewrite_param_type(Rewrite *rewrite, const char *from)
{
  CType type;
  int prev = rewrite->lexer->prev;
  bool is_param = prev == TOK_COLON && !rewrite->lexer->braces && rewrite->lexer->in_params;
  if (prev != TOK_COLON && prev != TOK_ARROW) return false;
  if (!read_type(rewrite, from, &type) || !type.stars || !type.name || !*type.name) return false;
  if (!type.is_known && !is_ck_scalar(rewrite->lexer, type.name)) return false;
  Tok after = tok_scan(type.end, rewrite->end);
  if (after.form != MARK_CHAR || !strchr(",);={", after.c)) return false;
  underline(rewrite, from, type.end);
  if (type.stars > 1)
    return refuse(rewrite, from, type.end,
                  made(rewrite, is_param ? "inout %s[]" : "ptr<%s>", type.name),
                  "There are no pointers to pointers: memory of two extents is x: in f32[n, m].");
  if (!is_param) {
    edit(rewrite, from, type.end, made(rewrite, "ptr<%s>", type.name));
    return give(rewrite, from);
  }
  rewrite->hint = POINTER_PARAMETER;
  edit(rewrite, from, type.end,
       made(rewrite, "%s %s[]", type.is_const ? "in" : "inout", *type.name ? type.name : "u8"));
  return give(rewrite, from);
}

/* Fixes a parameter in C's form, behind "kernel f(" or "fn f(". */
static bool rewrite_param(Rewrite *rewrite, const char *from)
{
  Lexer *lexer = rewrite->lexer;
  if (lexer->braces || !lexer->in_params || (lexer->prev != TOK_LPAREN && lexer->prev != TOK_COMMA))
    return false;
  CType type;
  if (!read_type(rewrite, from, &type)) return false;
  Tok name = tok_scan(type.end, rewrite->end), after = tok_scan(name.hi, rewrite->end);
  if (name.form != MARK_NAME || after.form != MARK_CHAR || !strchr(",)[=", after.c)) return false;
  const char *word = copy(rewrite, name.lo, name.hi);
  /* n u32, where the colon is missing */
  if (!type.is_known && is_ck_scalar(lexer, word)) return false;
  Part part = tok_part(from, rewrite->end, ",)");
  const char *text = param_text(rewrite, part.lo, part.hi, false);
  if (!text || part.stop.form != MARK_CHAR) return false;
  underline(rewrite, from, part.hi);
  edit(rewrite, part.lo, part.hi, text);
  return give(rewrite, from);
}

/* ---- lines of the preprocessor ---- */

static bool rewrite_define(Rewrite *rewrite, const char *from, Tok word, const char *line_end)
{
  Tok name = tok_scan(word.hi, line_end);
  Part value = tok_part(name.hi, line_end, "");
  if (name.form != MARK_NAME || *name.hi == '(' || value.lo == value.hi)
    return refuse(rewrite, from, line_end, "",
                  "A constant is 'const N = 4;', a macro with parameters a function: "
                  "fn square(x: f32) = x * x;.");
  edit(rewrite, from, name.lo, "const ");
  edit(rewrite, name.hi, value.lo, " = ");
  edit(rewrite, value.hi, value.hi, ";");
  rewrite->hint = "-D NAME=VALUE gives a constant another value.";
  return give(rewrite, from);
}

static bool rewrite_directive(Rewrite *rewrite, const char *from)
{
  const char *end = rewrite->end, *line_end = from;
  while (line_end < end && *line_end != '\n')
    line_end += 1 + (line_end[0] == '\\' && line_end[1] == '\n');
  if (line_end > end) line_end = end;
  Tok word = tok_scan(from + 1, line_end), next = tok_scan(word.hi, line_end);
  underline(rewrite, from, word.hi);
  if (tok_is_word(word, "define")) return rewrite_define(rewrite, from, word, line_end);
  if (tok_is_word(word, "include")) {
    rewrite->hi = line_end;
    rewrite->hint = "The library is there as it is.";
    edit(rewrite, from, line_end, "");
    return give(rewrite, from);
  }
  if (tok_is_word(word, "pragma") && tok_is_word(next, "unroll") &&
      tok_is_word(tok_scan(line_end, end), "for")) {
    Tok count = tok_scan(next.hi, line_end);
    rewrite->hi = next.hi;
    edit(rewrite, from, tok_is_char(count, '(') ? count.lo : next.hi, "unroll");
    if (count.form == MARK_NUMBER || count.form == MARK_NAME) {
      edit(rewrite, next.hi, count.lo, "(");
      edit(rewrite, count.hi, count.hi, ")");
    }
    return give(rewrite, from);
  }
  if (tok_is_word(word, "pragma")) {
    rewrite->hi = line_end;
    edit(rewrite, from, line_end, "");
    return give(rewrite, from);
  }
  if (!tok_is_one_of(word, "if ifdef ifndef else elif endif undef error warning line")) {
    rewrite->hi = line_end;
    rewrite->hint = "A comment is // to the end of the line, or /* as in C */.";
    edit(rewrite, from, line_end, made(rewrite, "//%.*s", (int)(line_end - from - 1), from + 1));
    return give_as(rewrite, from, "Python");
  }
  return refuse(rewrite, from, line_end, "",
                "Choices at compile time are 'comptime if' on constants, which -D sets.");
}

/* Drops `import numpy as np`, to the end of the line. */
static bool rewrite_import(Rewrite *rewrite, const char *from, const char *p)
{
  Tok name = tok_scan(p, rewrite->end);
  if (name.form != MARK_NAME || tok_is_word(name, "fn")) return false;
  underline(rewrite, from, name.hi);
  const char *hi = p + strcspn(p, ";\n");
  return refuse_as(rewrite, from, hi + (*hi == ';'), " ", "Python",
                   "The library is there without an import; another file is import \"file.ck\";.");
}

/* Drops a decorator such as @cuda.jit or @triton.jit(...). */
static bool rewrite_decorator(Rewrite *rewrite, const char *from)
{
  Tok name = tok_scan(from + 1, rewrite->end), dot = tok_scan(name.hi, rewrite->end);
  if (name.form != MARK_NAME || !tok_is_char(dot, '.')) return false;
  underline(rewrite, from, tok_scan(dot.hi, rewrite->end).hi);
  return refuse_as(rewrite, from, from + strcspn(from, "\n"), " ", "Python",
                   "A kernel is 'kernel name(n: u32, x: in f32[n]) { ... }', a function 'fn'.");
}

/* ---- for the lexer and the resolver ---- */

/* Not inlined: under sanitizers a function's large variables take time even if it returns early. */
COLD static bool rewrite_token(Lexer *lexer, int token, const char *tok)
{
  Rewrite rewrite = {.lexer = lexer, .end = lexer->feed->hi};
  switch (token) {
  case TOK_CKYYUNDEF: return *tok == '#' && rewrite_directive(&rewrite, tok);
  case TOK_FOR: return rewrite_for(&rewrite, tok, lexer->cur);
  case TOK_IF:
  case TOK_WHILE: return rewrite_condition(&rewrite, tok, lexer->cur);
  case TOK_LPAREN: return rewrite_cast(&rewrite, tok);
  case TOK_STAR: return rewrite_star(&rewrite, tok);
  case TOK_AMP: return rewrite_address(&rewrite, tok);
  case TOK_LBRACKET: return rewrite_lambda(&rewrite, tok);
  case TOK_AT: return rewrite_decorator(&rewrite, tok);
  case TOK_IMPORT: return rewrite_import(&rewrite, tok, lexer->cur);
  case TOK_VAR:
  case TOK_SHARED: return rewrite_extents(&rewrite, tok, tok_scan(lexer->cur, rewrite.end));
  case TOK_SEMI: /* struct P { ... }; */
    if (lexer->prev != TOK_RBRACE || !lexer->is_struct_end) return false;
    underline(&rewrite, tok, tok + 1);
    edit(&rewrite, tok, tok + 1, "");
    return give(&rewrite, tok);
  case TOK_CONST:
    return rewrite_param(&rewrite, tok) || rewrite_param_type(&rewrite, tok) ||
           (is_start(lexer) && rewrite_declaration(&rewrite, tok));
  case TOK_ARROW:
    if (lexer->in_head || (lexer->prev != TOK_NAME && lexer->prev != TOK_RBRACKET)) return false;
    underline(&rewrite, tok, tok + 2);
    edit(&rewrite, tok, tok + 2, "[0].");
    return give(&rewrite, tok);
  case TOK_NAME:
    return rewrite_param(&rewrite, tok) || rewrite_param_type(&rewrite, tok) ||
           rewrite_name(&rewrite, tok, lexer->cur);
  default: return false;
  }
}

bool cuda_rewrite(Lexer *lexer, int token, const char *tok)
{
  if (!lexer->c->is_repairing || lexer->feed->is_made || lexer->source->is_library ||
      lexer->is_skipping)
    return false;
  if (lexer->in_head && token != TOK_NAME)
    return false; /* an operator function: fn *(a: P, b: P), fn [](it: I, i: u64) */
  return rewrite_token(lexer, token, tok);
}

const char *cuda_language(const Name *name)
{
  const Row *row = row_of(name->text, name->len);
  return row ? row->language : NULL;
}

bool cuda_hint(Session *c, const Name *name, Span span)
{
  const Row *row = row_of(name->text, name->len);
  if (!row) return false;
  if (*row->hint) diag_hint(&c->diag, "%s", row->hint);
  else if (!row->language) diag_hint(&c->diag, "Did you mean '%s'?", row->replacement);
  if (*row->replacement) diag_fix(&c->diag, span, row->replacement);
  return true;
}

bool cuda_member(Session *c, const char *owner, const Name *name, Span span)
{
  for (size_t i = 0; i < COUNT_OF(members); ++i) {
    bool is_owner = !*members[i].owner || !strcmp(members[i].owner, owner);
    if (!is_owner || strcmp(members[i].spelling, name->text) != 0) continue;
    if (*members[i].hint) diag_hint(&c->diag, "%s", members[i].hint);
    else diag_hint(&c->diag, "Did you mean '%s'?", members[i].replacement);
    if (*members[i].replacement) diag_fix(&c->diag, span, members[i].replacement);
    return true;
  }
  return false;
}

bool cuda_spelling(Session *c, const Lexer *lexer, Span unexpected)
{
  const char *text = lexer->source->text;
  static const char name_chars[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  uint32_t at = unexpected.lo - lexer->source->base, start[2] = {at, at};
  while (start[0] && strchr(" *", text[start[0] - 1])) --start[0];
  while (start[0] && strchr(name_chars, text[start[0] - 1])) --start[0];
  for (int i = 0; i < 2; ++i) {
    size_t len = strspn(text + start[i], name_chars);
    const Row *row = row_of(text + start[i], len);
    if (!row || !row->language) continue;
    uint32_t lo = lexer->source->base + start[i];
    Span span = {lo, lo + (uint32_t)len};
    cuda_report(&c->diag, span, row->spelling, row->language);
    if (*row->hint) diag_hint(&c->diag, "%s", row->hint);
    else if (*row->replacement) diag_fix(&c->diag, span, row->replacement);
    return true;
  }
  return false;
}
