/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* cuda_scan.c - finds where tokens of other languages end, and which brackets belong together. */
#include "front/cuda_private.h"

#include <string.h>

const char *tok_skip_space(const char *p, const char *end)
{
  while (p < end) {
    if (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r') ++p;
    else if (p[0] == '/' && p[1] == '/')
      while (p < end && *p != '\n') ++p;
    else if (p[0] == '/' && p[1] == '*') {
      const char *close = strstr(p + 2, "*/");
      p = close && close < end ? close + 2 : end;
    } else break;
  }
  return p;
}

static Mark pair_form(char a, char b)
{
  if (b == '=' && strchr("+-*/%&|^", a)) return MARK_ASSIGN_OP;
  if (a == b && a == '+') return MARK_INCREMENT;
  if (a == b && a == '-') return MARK_DECREMENT;
  if (b == '=' && strchr("<>=!", a))
    return a == '<' ? MARK_LE : a == '>' ? MARK_GE : a == '=' ? MARK_EQ : MARK_NE;
  if ((a == b && strchr("&|<>:.", a)) || (a == '-' && b == '>')) return MARK_PAIR;
  return MARK_END;
}

Tok tok_scan(const char *p, const char *end)
{
  p = tok_skip_space(p, end);
  Tok tok = {p, p, MARK_END, 0};
  if (p >= end || !*p) return tok;
  if (char_is_letter(*p)) {
    tok.form = MARK_NAME;
    while (p < end && (char_is_letter(*p) || char_is_digit(*p))) ++p;
  } else if (char_is_digit(*p) || (*p == '.' && char_is_digit(p[1]))) {
    tok.form = MARK_NUMBER;
    while (p < end && (char_is_letter(*p) || char_is_digit(*p) || (*p == '.' && p[1] != '.') ||
                       ((*p == '+' || *p == '-') && (p[-1] | 32) == 'e' && tok.lo[1] != 'x')))
      ++p;
  } else if (*p == '"') {
    tok.form = MARK_STRING;
    for (++p; p < end && *p != '"' && *p != '\n'; ++p) p += *p == '\\' && p + 1 < end;
    p += p < end;
  } else if ((tok.form = pair_form(p[0], p[1])) != MARK_END) {
    p += 2;
  } else {
    tok.form = MARK_CHAR;
    tok.c = *p++;
  }
  tok.hi = p;
  return tok;
}

bool tok_is_char(Tok tok, char c)
{
  return tok.form == MARK_CHAR && tok.c == c;
}

bool tok_is_word(Tok tok, const char *word)
{
  return tok.form == MARK_NAME && strlen(word) == (size_t)(tok.hi - tok.lo) &&
         !memcmp(tok.lo, word, (size_t)(tok.hi - tok.lo));
}

bool tok_is_one_of(Tok tok, const char *words)
{
  size_t len = (size_t)(tok.hi - tok.lo);
  for (const char *p = words; tok.form == MARK_NAME && *p; p += strspn(p, " ")) {
    size_t word = strcspn(p, " ");
    if (word == len && !memcmp(p, tok.lo, len)) return true;
    p += word;
  }
  return false;
}

bool tok_is_pair(Tok tok, const char *pair)
{
  return tok.form == MARK_PAIR && !memcmp(tok.lo, pair, 2);
}

Tok tok_close(const char *p, const char *end)
{
  unsigned depth = 0;
  for (;;) {
    Tok tok = tok_scan(p, end);
    if (tok.form == MARK_END) return tok;
    if (tok.form == MARK_CHAR && strchr("([{", tok.c)) ++depth;
    if (tok.form == MARK_CHAR && strchr(")]}", tok.c) && depth-- == 0) return tok;
    p = tok.hi;
  }
}

Part tok_part(const char *p, const char *end, const char *stops)
{
  Part part = {.lo = tok_skip_space(p, end)};
  part.hi = part.lo;
  unsigned depth = 0;
  for (;; p = part.stop.hi, ++part.count) {
    Tok tok = part.stop = tok_scan(p, end);
    if (tok.form == MARK_END) return part;
    if (tok.form == MARK_CHAR && !depth && strchr(stops, tok.c)) return part;
    if (tok.form == MARK_CHAR && strchr("([{", tok.c)) ++depth;
    if (tok.form == MARK_CHAR && strchr(")]}", tok.c) && depth-- == 0) {
      part.stop.form = MARK_END;
      return part;
    }
    bool is_tight = tok.form <= MARK_STRING || tok_is_pair(tok, "->") || tok_is_pair(tok, "::") ||
                    (tok.form == MARK_CHAR && strchr("+-*/%.([)]!~,", tok.c));
    part.has_loose |= !depth && !is_tight;
    part.hi = tok.hi;
  }
}
