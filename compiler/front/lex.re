/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* lex.re - splits text into tokens.
 *
 * in      one source, NUL-ended, checked to be UTF-8
 * out     one token a call: kind, span, and a name or a constant node
 * fails   with DIAG_stray_character and its like, and goes on behind the character
 *
 * `<` is the one token that can't be told by itself: in `block.load<striped>(x)` it opens a list, in
 * `a < b` it compares. C#'s rule decides: find the matching `>` and look at the token behind it
 * (lex_is_generic).
 *
 *     f<a, b>(c)     '(' follows: a list          a < b && c > (d)     "&&" can't be in a list
 */
#include "front/front_private.h"
#include "parse.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_name_char(char c)
{
  return char_is_letter(c) || char_is_digit(c);
}

/* The length of the UTF-8 sequence at p, or 0 if there is none. */
static unsigned utf8_length(const unsigned char *p, const unsigned char *end)
{
  unsigned length = *p < 0x80 ? 1 : *p >= 0xc2 && *p < 0xe0 ? 2 : (*p & 0xf0) == 0xe0 ? 3 : *p >= 0xf0 && *p < 0xf5 ? 4 : 0;
  if (!length || p + length > end) return 0;
  for (unsigned i = 1; i < length; ++i)
    if ((p[i] & 0xc0) != 0x80) return 0;
  if ((*p == 0xe0 && p[1] < 0xa0) || (*p == 0xed && p[1] > 0x9f) || (*p == 0xf0 && p[1] < 0x90) || (*p == 0xf4 && p[1] > 0x8f)) return 0;
  return length;
}

bool lexer_open(Lexer *lexer, Session *c, const Source *source)
{
  *lexer = (Lexer){.c = c, .source = source, .cur = source->text, .prev_hi = source->base};
  lexer->feed = NEW(c->unit, Feed);
  *lexer->feed = (Feed){.lo = source->text, .hi = source->text + source->bytes};
  const unsigned char *text = (const unsigned char *)source->text, *end = text + source->bytes, *p = text;
  while (p < end) {
    if (*p && *p < 0x80) {
      ++p;
      continue;
    }
    uint32_t at = source->base + (uint32_t)(p - text);
    unsigned length = utf8_length(p, end);
    if (*p == 0) diag_at(&c->diag, DIAG_nul_byte, (Span){at, at + 1});
    else if (!length) diag_at(&c->diag, DIAG_not_utf8, (Span){at, at + 1}, *p);
    if (*p == 0 || !length) return false;
    p += length;
  }
  if (source->bytes >= 3 && !memcmp(text, "\xef\xbb\xbf", 3)) lexer->cur += 3; /* byte order mark */
  return true;
}

void lexer_open_piece(Lexer *lexer, Session *c, const Source *source, uint32_t lo, uint32_t hi)
{
  const char *text = source->text, *end = text + source->bytes;
  *lexer = (Lexer){.c = c, .source = source, .cur = text + lo, .prev_hi = source->base + lo};
  Feed *feeds = NEW_ARRAY(c->unit, Feed, 2);
  feeds[0] = (Feed){.next = &feeds[1], .lo = text + lo, .hi = text + hi};
  feeds[1] = (Feed){.lo = end, .hi = end}; /* the NUL behind the text */
  lexer->feed = feeds;
}

void lexer_open_function(Lexer *lexer, Session *c, const Node *function)
{
  static const char item[] = "fn ", property[] = "fn _.", kernel[] = "kernel ", value_end[] = ";";
  const Source *source = source_of(&c->sources, function->span.lo);
  const Node *body = function->d;
  const char *start = function->flags & FLAG_property ? property : function->kind == NODE_kernel || function->flags & FLAG_algorithm ? kernel : item, *end = value_end + !(body->flags & FLAG_expression);
  const char *lo = source->text + (function->span.lo - source->base), *hi = source->text + (body->span.hi - source->base);
  *lexer = (Lexer){.c = c, .source = source, .cur = start, .prev_hi = function->span.lo};
  Feed *feeds = NEW_ARRAY(c->unit, Feed, 3);
  feeds[0] = (Feed){.next = &feeds[1], .lo = start, .hi = start + strlen(start), .span = function->span, .is_made = true};
  feeds[1] = (Feed){.next = &feeds[2], .lo = lo, .hi = hi};
  feeds[2] = (Feed){.lo = end, .hi = end + strlen(end), .span = function->span, .is_made = true};
  lexer->feed = feeds;
}

static bool lex_is_generic(const Lexer *lexer)
{
  /* A longer list is taken for a comparison; the bound keeps a text with many "<" linear. */
  enum { LIST_BYTES_MAX = 400 };
  const char *p = lexer->cur, *end = p + LIST_BYTES_MAX;
  unsigned angles = 1, brackets = 0;
  bool has_comma = false;
  for (; angles; ++p) {
    if (p == end || !*p) return false;
    switch (*p) {
    case '<': angles += brackets == 0; break;
    case '>': angles -= brackets == 0; break;
    case '(': case '[': ++brackets; break;
    case ')': case ']':
      if (!brackets--) return false;
      break;
    case ',': has_comma |= brackets == 0; break;
    case '/':
      if (p[1] == '/') return false; /* a comment */
      break;
    case ' ': case '\t': case '\n': case '\r': case '.': case '+': case '-': case '*': case '%': break;
    case '=': case '!': case '&': case '|': case '^': case '~': case '?': case ':':
      if (!brackets) return false;
      break;
    default:
      if (!is_name_char(*p)) return false;
    }
  }
  if (*p == '>' && !lexer->angles) return false; /* a < b >> c */
  while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r') ++p;
  /* Without a comma, the comparison would compare a bool with <, which doesn't exist. */
  return !has_comma || (*p && strchr("()[]{}:;,.?=!|^&>", *p) != NULL);
}

static Span span_of(const Lexer *lexer, const char *from, const char *to)
{
  uint32_t base = lexer->source->base;
  if (lexer->feed->is_made) return lexer->feed->span;
  return (Span){base + (uint32_t)(from - lexer->source->text), base + (uint32_t)(to - lexer->source->text)};
}

static Node *number_node(Lexer *lexer, NodeKind kind, const char *from, const char *to)
{
  Node *node = node_new(lexer->c->unit, kind, span_of(lexer, from, to));
  node->flags = FLAG_literal;
  return node;
}

/* The CK type of a suffix of C; NULL if it is none. */
static const char *c_suffix(const char *suffix, size_t len, bool is_float)
{
  bool is_unsigned = false;
  unsigned longs = 0;
  if (len == 1 && (*suffix | 32) == 'f') return is_float ? "" : "f32";
  if (len == 1 && (*suffix | 32) == 'l' && is_float) return "f64";
  for (size_t i = 0; i < len; ++i) {
    if ((suffix[i] | 32) == 'u' && !is_unsigned) is_unsigned = true;
    else if ((suffix[i] | 32) == 'l' && longs < 2) ++longs;
    else return NULL;
  }
  if (is_float) return NULL;
  return is_unsigned ? longs ? "u64" : "u32" : "i64";
}

/* Gives the node the type that its suffix names. C's suffixes get their own hint. */
static void apply_suffix(Lexer *lexer, Node *node, const char *suffix, const char *to)
{
  Session *c = lexer->c;
  bool is_float = node->kind == NODE_float;
  node->type = is_float ? c->types->float_literal : c->types->int_literal;
  if (suffix == to) return;
  Type *type = type_scalar_named(c->types, suffix, (size_t)(to - suffix));
  if (type && (type_is_float(type) || (!is_float && type_is_int(type)))) {
    node->type = type;
    return;
  }
  Span span = span_of(lexer, suffix, to);
  diag_at(&c->diag, DIAG_number_suffix, span, (int)(to - suffix), suffix);
  size_t len = (size_t)(to - suffix);
  const char *suffix_in_ck = c_suffix(suffix, len, is_float);
  if (suffix_in_ck) {
    if (!*suffix_in_ck) diag_hint(&c->diag, "f32 is what a number with a point is anyway; '1.0f32' says so.");
    diag_fix(&c->diag, span, suffix_in_ck);
    diag_repaired(&c->diag);
    type = type_scalar_named(c->types, suffix_in_ck, strlen(suffix_in_ck));
    if (type) node->type = type;
  }
  else if (!is_float) diag_hint(&c->diag, "Types follow the digits: 1u32, 1i64, 1u64.");
  else diag_hint(&c->diag, "Types follow the digits: 1.0f32, 1.0f64.");
}

static int lex_int(Lexer *lexer, YYSTYPE *value, const char *from, const char *digits, unsigned base, const char *to)
{
  Node *node = number_node(lexer, NODE_int, from, to);
  const char *p = digits;
  bool is_range = false, is_digits = false;
  for (; p < to; ++p) {
    if (*p == '_') continue;
    unsigned digit = *p <= '9' ? (unsigned)(*p - '0') : (unsigned)((*p | 32) - 'a') + 10;
    if (digit >= base || (*p > '9' && base <= 10)) break;
    if (node->bits > (UINT64_MAX - digit) / base) is_range = true;
    node->bits = node->bits * base + digit;
    is_digits = true;
  }
  if (is_range) diag_at(&lexer->c->diag, DIAG_number_range, node->span);
  bool is_digit = p < to && *p >= '0' && *p <= '9'; /* 0b102 */
  if (!is_digits || is_digit) diag_at(&lexer->c->diag, DIAG_number_digit, node->span, (int)(to - from), from);
  apply_suffix(lexer, node, is_digit ? to : p, to);
  if (type_is_float(node->type)) { /* 1f32 */
    if (!scalar_fits(node, node->type) && type_is_half(node->type)) diag_at(&lexer->c->diag, DIAG_constant_range, node->span, scalar_text(lexer->c, node), type_text(node->type));
    double real = scalar_nearest(node->type, node->type->kind == TYPE_f32 ? (double)(float)node->bits : (double)node->bits);
    node->kind = NODE_float;
    node->real = real;
    node->flags = 0;
  } else if (!is_range) {
    node->bits = scalar_literal(lexer->c, node);
  }
  value->node = node;
  return TOK_INT;
}

static int lex_float(Lexer *lexer, YYSTYPE *value, const char *from, const char *to)
{
  Node *node = number_node(lexer, NODE_float, from, to);
  Buf *digits = &lexer->c->digits;
  const char *p = from;
  bool is_hex = to - from > 1 && (from[1] | 32) == 'x';
  buf_clear(digits);
  for (; p < to; ++p) {
    char c = (char)(*p | 32);
    bool is_exponent = p > from && (p[-1] | 32) == (is_hex ? 'p' : 'e');
    if (*p == '_') continue;
    if ((*p >= '0' && *p <= '9') || *p == '.' || (c == 'e' && !is_hex) || (is_hex && (c == 'x' || c == 'p' || (c >= 'a' && c <= 'f' && !strchr(buf_text(digits), 'p')))) || ((*p == '+' || *p == '-') && is_exponent))
      buf_putc(digits, is_hex && c == 'p' ? 'p' : *p);
    else break;
  }
  apply_suffix(lexer, node, p, to);
  const char *end;
  node->real = scalar_read(buf_text(digits), node->type, &end);
  if (*end) diag_at(&lexer->c->diag, DIAG_number_digit, node->span, (int)(to - from), from);
  else if (isinf(node->real))
    diag_at(&lexer->c->diag, DIAG_constant_range, node->span, arena_strndup(&lexer->c->scratch, from, (size_t)(to - from)),
            node->type == lexer->c->types->float_literal ? "f64" : type_text(node->type));
  value->node = node;
  return TOK_FLOAT;
}

static int hex_digit(char c)
{
  return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
}

static int lex_string(Lexer *lexer, YYSTYPE *value, const char *from, const char *to)
{
  Buf text = BUF(lexer->c->unit);
  buf_reserve(&text, (size_t)(to - from));
  for (const char *p = from + 1; p < to - 1; ++p) {
    if (*p != '\\') {
      buf_putc(&text, *p);
      continue;
    }
    static const char letters[] = "nrt0\\\"'", bytes[] = "\n\r\t\0\\\"'";
    const char *letter = strchr(letters, *++p);
    if (*p == 'x' && hex_digit(p[1]) >= 0 && hex_digit(p[2]) >= 0) {
      buf_putc(&text, (char)(hex_digit(p[1]) * 16 + hex_digit(p[2])));
      p += 2;
    } else if (letter && *letter) {
      buf_putc(&text, bytes[letter - letters]);
    } else {
      diag_at(&lexer->c->diag, DIAG_unknown_escape, span_of(lexer, p - 1, p + 1), *p);
      diag_hint(&lexer->c->diag, "The escapes are \\n \\r \\t \\0 \\\\ \\\" \\' and \\x with two digits.");
    }
  }
  Node *node = number_node(lexer, NODE_string, from, to);
  node->flags = 0;
  node->text = buf_text(&text);
  node->text_bytes = (uint32_t)text.len;
  node->type = lexer->c->types->string;
  value->node = node;
  return TOK_STRING;
}

static int lex_name(Lexer *lexer, YYSTYPE *value, const char *from, const char *to)
{
  value->name = name_of(&lexer->c->names, from, (size_t)(to - from));
  return TOK_NAME;
}

/* `type` is a word of the language where a name and `=` follow it: type Key = u32; */
static bool names_type(const char *behind)
{
  const char *p = behind + strspn(behind, " \t\r\n");
  if (p == behind || !is_name_char(*p)) return false;
  while (is_name_char(*p)) ++p;
  p += strspn(p, " \t\r\n");
  return *p == '=' && p[1] != '=';
}

/* `union` is a word of the language in `shared union {`. */
static bool is_union(const Lexer *lexer, const char *behind)
{
  return lexer->prev == TOK_SHARED && behind[strspn(behind, " \t\r\n")] == '{';
}

/* `split` is a word of the language at the start of a statement, with '{' behind it. */
static bool is_split(const Lexer *lexer, const char *behind)
{
  bool is_start = lexer->prev == TOK_SEMI || lexer->prev == TOK_LBRACE || lexer->prev == TOK_RBRACE;
  return is_start && !lexer->in_struct && behind[strspn(behind, " \t\r\n")] == '{';
}

/* `default` is a word of the language at the start of a statement, with ':' behind it; a parameter or
 * field may have the name. */
static bool is_label(const Lexer *lexer, const char *behind)
{
  bool is_start = lexer->prev == TOK_SEMI || lexer->prev == TOK_LBRACE || lexer->prev == TOK_RBRACE || lexer->prev == TOK_COLON;
  return is_start && !lexer->in_struct && behind[strspn(behind, " \t\r\n")] == ':';
}

static const char *lex_comment(Lexer *lexer, const char *cur, const char *tok)
{
  const char *end = strstr(cur, "*/");
  if (end) return end + 2;
  diag_at(&lexer->c->diag, DIAG_open_comment, span_of(lexer, tok, tok + 2));
  return lexer->source->text + lexer->source->bytes;
}

static int lex_token(Lexer *lexer, YYSTYPE *value, const char **out_tok)
{
  const char *cur = lexer->cur, *tok, *YYMARKER;
#define GIVE(token)  return lexer->cur = cur, *out_tok = tok, (token)
#define VALUE(call)  return lexer->cur = cur, *out_tok = tok, (call)
again:
  tok = cur;
  /*!re2c
    re2c:api:style = free-form;
    re2c:define:YYCTYPE = "unsigned char";
    re2c:define:YYCURSOR = cur;
    re2c:yyfill:enable = 0;
    re2c:flags:tags = 0;

    digit  = [0-9];
    letter = [a-zA-Z_];
    tail   = [a-zA-Z0-9_];
    exp    = [eE] [+-]? digit tail*;
    hexexp = [pP] [+-]? digit tail*;

    [ \t\r\n]+             { goto again; }
    "//" [^\x00\n]*        { goto again; }
    "/*"                   { cur = lex_comment(lexer, cur, tok); goto again; }
    "\x00"                 { --cur; GIVE(TOK_END); }

    "import"               { GIVE(TOK_IMPORT); }
    "const"                { GIVE(TOK_CONST); }
    "fn"                   { GIVE(TOK_FN); }
    "enum"                 { GIVE(TOK_ENUM); }
    "type"                 { if (!names_type(cur)) VALUE(lex_name(lexer, value, tok, cur)); GIVE(TOK_TYPE); }
    "kernel"               { GIVE(TOK_KERNEL); }
    "struct"               { GIVE(TOK_STRUCT); }
    "algorithm"            { GIVE(TOK_ALGORITHM); }
    "export"               { GIVE(TOK_EXPORT); }
    "launch"               { GIVE(TOK_LAUNCH); }
    "static_assert"        { GIVE(TOK_STATIC_ASSERT); }
    "let"                  { GIVE(TOK_LET); }
    "var"                  { GIVE(TOK_VAR); }
    "shared"               { GIVE(TOK_SHARED); }
    "scratch"              { GIVE(TOK_SCRATCH); }
    "union"                { if (!is_union(lexer, cur)) VALUE(lex_name(lexer, value, tok, cur)); GIVE(TOK_UNION); }
    "if"                   { GIVE(TOK_IF); }
    "split"                { if (!is_split(lexer, cur)) VALUE(lex_name(lexer, value, tok, cur)); GIVE(TOK_SPLIT); }
    "switch"               { GIVE(TOK_SWITCH); }
    "case"                 { GIVE(TOK_CASE); }
    "default"              { if (!is_label(lexer, cur)) VALUE(lex_name(lexer, value, tok, cur)); GIVE(TOK_DEFAULT); }
    "else"                 { GIVE(TOK_ELSE); }
    "while"                { GIVE(TOK_WHILE); }
    "for"                  { GIVE(TOK_FOR); }
    "in"                   { GIVE(TOK_IN); }
    "out"                  { if (lexer->prev != TOK_COLON) VALUE(lex_name(lexer, value, tok, cur)); GIVE(TOK_OUT); }
    "inout"                { GIVE(TOK_INOUT); }
    "break"                { GIVE(TOK_BREAK); }
    "continue"             { GIVE(TOK_CONTINUE); }
    "return"               { GIVE(TOK_RETURN); }
    "unroll"               { GIVE(TOK_UNROLL); }
    "comptime"             { GIVE(TOK_COMPTIME); }
    "fast"                 { GIVE(TOK_FAST); }
    "dyn"                  { GIVE(TOK_DYN); }
    "true"                 { GIVE(TOK_TRUE); }
    "false"                { GIVE(TOK_FALSE); }
    letter tail*           { VALUE(lex_name(lexer, value, tok, cur)); }

    "0" [xX] tail*                        { VALUE(lex_int(lexer, value, tok, tok + 2, 16, cur)); }
    /* a bf16, not binary digits */
    "0bf16"                               { VALUE(lex_int(lexer, value, tok, tok, 10, cur)); }
    "0" [bB] tail*                        { VALUE(lex_int(lexer, value, tok, tok + 2, 2, cur)); }
    "0" [xX] [0-9a-fA-F_]* "." [0-9a-fA-F_]* hexexp { VALUE(lex_float(lexer, value, tok, cur)); }
    "0" [xX] [0-9a-fA-F_]+ hexexp         { VALUE(lex_float(lexer, value, tok, cur)); }
    digit [0-9_]* "." digit tail*         { VALUE(lex_float(lexer, value, tok, cur)); }
    digit [0-9_]* ("." [0-9_]*)? exp      { VALUE(lex_float(lexer, value, tok, cur)); }
    digit [0-9_]* "." / [^.a-zA-Z_0-9]    { VALUE(lex_float(lexer, value, tok, cur)); }
    /* Behind the rules for exponents, which it also matches: the first of two equal matches
     * wins. */
    digit tail*                           { VALUE(lex_int(lexer, value, tok, tok, 10, cur)); }
    digit [0-9_]* "." [fF] / [^a-zA-Z_0-9] { VALUE(lex_float(lexer, value, tok, cur)); }
    "." digit tail*                       { VALUE(lex_float(lexer, value, tok, cur)); }
    "." digit [0-9_]* exp                 { VALUE(lex_float(lexer, value, tok, cur)); }

    ["] ([^"\\\n\x00] | "\\" [^\n\x00])* ["] { VALUE(lex_string(lexer, value, tok, cur)); }
    ["]                    { diag_at(&lexer->c->diag, DIAG_open_string, span_of(lexer, tok, cur));
                             while (*cur && *cur != '\n') ++cur;
                             lexer->torn_hi = span_of(lexer, tok, cur).hi;
                             VALUE(lex_string(lexer, value, tok, tok + 2)); }

    "("   { GIVE(TOK_LPAREN); }      ")"   { GIVE(TOK_RPAREN); }
    "["   { GIVE(TOK_LBRACKET); }    "]"   { GIVE(TOK_RBRACKET); }
    "{"   { GIVE(TOK_LBRACE); }      "}"   { GIVE(TOK_RBRACE); }
    ";"   { GIVE(TOK_SEMI); }        ","   { GIVE(TOK_COMMA); }
    ":"   { GIVE(TOK_COLON); }       "?"   { GIVE(TOK_QUESTION); }
    "."   { GIVE(TOK_DOT); }         ".."  { GIVE(TOK_DOTS); }
    "@"   { GIVE(TOK_AT); }          "->"  { GIVE(TOK_ARROW); }
    "="   { GIVE(TOK_ASSIGN); }      "=="  { GIVE(TOK_EQ); }
    "!"   { GIVE(TOK_NOT); }         "!="  { GIVE(TOK_NE); }
    "+"   { GIVE(TOK_PLUS); }        "+="  { GIVE(TOK_ADD_ASSIGN); }
    "-"   { GIVE(TOK_MINUS); }       "-="  { GIVE(TOK_SUB_ASSIGN); }
    "*"   { GIVE(TOK_STAR); }        "*="  { GIVE(TOK_MUL_ASSIGN); }
    "/"   { GIVE(TOK_SLASH); }       "/="  { GIVE(TOK_DIV_ASSIGN); }
    "%"   { GIVE(TOK_PERCENT); }     "%="  { GIVE(TOK_REM_ASSIGN); }
    "&"   { GIVE(TOK_AMP); }         "&="  { GIVE(TOK_AND_ASSIGN); }
    "|"   { GIVE(TOK_BAR); }         "|="  { GIVE(TOK_OR_ASSIGN); }
    "^"   { GIVE(TOK_CARET); }       "^="  { GIVE(TOK_XOR_ASSIGN); }
    "<<"  { GIVE(TOK_SHL); }         "<<=" { GIVE(TOK_SHL_ASSIGN); }
    "&&"  { GIVE(TOK_AND_THEN); }    "||"  { GIVE(TOK_OR_ELSE); }
    "++"  { GIVE(TOK_INCREMENT); }   "--"  { GIVE(TOK_DECREMENT); }
    "~"   { GIVE(TOK_TILDE); }       "<="  { GIVE(TOK_LE); }
    "<"   { GIVE(TOK_LT); }          ">"   { GIVE(TOK_GT); }
    ">>" | ">=" | ">>="
          { if (lexer->angles && !lexer->brackets) { cur = tok + 1; GIVE(TOK_GT); }
            GIVE(tok[1] == '=' ? TOK_GE : cur - tok == 3 ? TOK_SHR_ASSIGN : TOK_SHR); }

    "#"   { GIVE(TOK_CKYYUNDEF); } /* cuda.c */
    "'" [^'\n\x00]* "'"
          { diag_at(&lexer->c->diag, DIAG_stray_character, span_of(lexer, tok, cur), arena_strndup(&lexer->c->scratch, tok, (size_t)(cur - tok)));
            diag_hint(&lexer->c->diag, "A text stands in \"...\"; a character is a number: 97 is a.");
            VALUE(lex_string(lexer, value, tok, cur)); }

    *     { unsigned length = utf8_length((const unsigned char *)tok, (const unsigned char *)lexer->source->text + lexer->source->bytes);
            cur = tok + (length ? length : 1);
            diag_at(&lexer->c->diag, DIAG_stray_character, span_of(lexer, tok, cur), arena_strndup(&lexer->c->scratch, tok, (size_t)(cur - tok)));
            if (length < 2) goto again;
            while (*cur & 0x80 || is_name_char(*cur)) ++cur; /* most likely a letter of a name */
            diag_hint(&lexer->c->diag, "Names are made of a-z, A-Z, 0-9 and _.");
            VALUE(lex_name(lexer, value, tok, cur)); }
  */
#undef GIVE
#undef VALUE
}

/* The next token of the pieces to read. */
static int next_token(Lexer *lexer, YYSTYPE *value, const char **out_tok)
{
  for (;;) {
    const char *p = lexer->cur, *end = lexer->feed->hi;
    while (lexer->feed->next && p < end && strchr(" \t\r\n", *p)) ++p;
    if (lexer->feed->next && p >= end) {
      lexer->feed = lexer->feed->next;
      lexer->cur = lexer->feed->lo;
      continue;
    }
    int token = lex_token(lexer, value, out_tok);
    if (lexer->feed->next && *out_tok >= end) {
      lexer->feed = lexer->feed->next; /* only a comment was left */
      lexer->cur = lexer->feed->lo;
    } else if (cuda_rewrite(lexer, token, *out_tok)) {
      continue;
    } else if (token == TOK_CKYYUNDEF) {
      diag_at(&lexer->c->diag, DIAG_stray_character, span_of(lexer, *out_tok, lexer->cur), "#");
    } else {
      return token;
    }
  }
}

/* Skips the rest of an item with an error: to its "}", or to a ";" outside braces. */
static int skip_item(Lexer *lexer, YYSTYPE *value, int token, const char **out_tok)
{
  for (uint32_t open = lexer->prev == TOK_LBRACE; token != TOK_END; token = next_token(lexer, value, out_tok)) {
    if (token == TOK_LBRACE) ++open;
    if (token == TOK_SEMI && !open) break;
    if (token == TOK_RBRACE && (open == 0 || --open == 0)) break;
  }
  lexer->is_skipping = false;
  lexer->braces = 0;
  return token;
}

int ckyylex(YYSTYPE *value, Span *span, Lexer *lexer)
{
  const char *tok;
  lexer->prev_hi = span->hi ? span->hi : lexer->source->base;
  int token = lexer->c->is_too_deep ? TOK_END : next_token(lexer, value, &tok);
  if (lexer->c->is_too_deep) tok = lexer->cur;
  if (lexer->is_skipping) token = skip_item(lexer, value, token, &tok);
  switch (token) {
  case TOK_KERNEL: case TOK_FN: case TOK_STRUCT: case TOK_ALGORITHM:
    lexer->in_head = true;
    if (!lexer->braces) lexer->in_struct = token == TOK_STRUCT;
    lexer->in_name = token == TOK_FN;
    break;
  case TOK_ARROW: case TOK_NAME: lexer->in_name = false; break;
  /* Not the `=` of a default in <...>, nor of `fn []=`: behind it a value begins. */
  case TOK_ASSIGN: lexer->in_head &= lexer->angles > 0 || lexer->in_name; break;
  case TOK_LPAREN:
    if (lexer->in_head) lexer->in_params = true, lexer->parens = 0;
    ++lexer->parens;
    lexer->in_head = lexer->in_name = false;
    lexer->brackets += lexer->angles > 0;
    break;
  case TOK_LBRACKET: lexer->brackets += lexer->angles > 0; break;
  case TOK_RPAREN: case TOK_RBRACKET:
    if (token == TOK_RPAREN) lexer->in_params &= --lexer->parens > 0;
    lexer->brackets -= lexer->brackets > 0; break;
  case TOK_LBRACE: case TOK_RBRACE: case TOK_SEMI:
    bool is_lambda = lexer->prev == TOK_BAR || lexer->prev == TOK_OR_ELSE;
    if (token == TOK_LBRACE) lexer->lambdas = lexer->lambdas << 1 | is_lambda;
    if (token == TOK_RBRACE) lexer->ends_lambda = lexer->lambdas & 1, lexer->lambdas >>= 1;
    if (token == TOK_LBRACE) ++lexer->braces, vec_push(lexer->c->unit, &lexer->open, span_of(lexer, tok, lexer->cur));
    if (token == TOK_RBRACE) lexer->is_unopened = !lexer->open.count;
    if (token == TOK_RBRACE) lexer->open.count -= lexer->open.count > 0;
    if (token == TOK_RBRACE) {
      lexer->braces -= lexer->braces > 0;
      lexer->is_struct_end = !lexer->braces && lexer->in_struct;
      lexer->in_struct &= lexer->braces > 0;
    }
    lexer->in_head = lexer->in_params = false;
    lexer->angles = lexer->brackets = 0;
    break;
  case TOK_LT:
    if ((lexer->prev == TOK_NAME && (lexer->in_head || lex_is_generic(lexer))) || (lexer->in_name && lexer->prev != TOK_FN)) { /* fn +<T: type>(...) */
      token = TOK_LANGLE;
      lexer->in_name = false;
      ++lexer->angles;
    }
    break;
  case TOK_GT:
    if (lexer->angles && !lexer->brackets) {
      token = TOK_RANGLE;
      --lexer->angles;
    }
    break;
  default: break;
  }
  *span = span_of(lexer, tok, lexer->cur);
  lexer->prev = token;
  return token;
}

/* "name  5:12  saxpy": the token's name in the grammar, its place, its text. */
void lex_dump(Session *c, const Source *source, Buf *out)
{
  Lexer lexer;
  YYSTYPE value;
  Span span = {source->base, source->base};
  if (!lexer_open(&lexer, c, source)) return;
  for (int token; (token = ckyylex(&value, &span, &lexer)) != TOK_END;) {
    uint32_t line, col;
    source_position(source, span.lo, &line, &col);
    buf_printf(out, "%u:%u %s %.*s\n", line, col, parse_token_name(token), (int)(span.hi - span.lo), source_text(&c->sources, span));
  }
}
