/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ptx.c - PTX as lines, for the repairs of its text; and the pass that puts the text together
 * again.
 *
 * The text is cut into lines once, when the first repair finds a word that it looks for:
 *
 *     text     .visible .entry k(...)\n{\n\tabs.s32 %r2, %r1;\n\tst.global.u32 [%rd1], %r2;\n}\n
 *     lines                              |word   operands       |word          operands
 *     now                                | "\t{ .reg .pred ..." | NULL
 *     functions                          first line, count
 *
 * A repair changes `now` alone. Each repair therefore sees the lines as the back end wrote them,
 * whichever others ran before, and what it finds out about registers holds for those.
 *
 * Only bodies of functions are cut: from a line that begins with '{' to one that begins with '}'.
 */
#include "repair_private.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *const ptx_half_prefix[HALVES] = {"%rs", "%h"}, *const ptx_word_prefix[HALVES] = {"%r",
                                                                                             "%hh"};

typedef struct Range {
  uint32_t first, count;
} Range;

struct PtxText {
  VEC(PtxLine) lines;
  VEC(Range) functions;
};

/* ---- lines, operands ---- */

bool ptx_starts(const char *at, const char *word)
{
  return !strncmp(at, word, strlen(word));
}

static PtxLine read_line(const char *text)
{
  PtxLine line = {.text = text, .end = text + strcspn(text, "\n")};
  line.word = text + strspn(text, " \t");
  line.word_end = line.word + strcspn(line.word, " \t\n");
  const char *at = line.word_end;
  if (line.word == at || strchr("/.@{}$", *line.word)) return line;
  while (at < line.end && line.count < OPERANDS_MAX) {
    at += strspn(at, " \t");
    size_t len = strcspn(at, ",;\n");
    line.operands[line.count++] = (Operand){at, len};
    at += len;
    if (*at != ',') break;
    ++at;
  }
  /* Inline PTX may have more than one instruction in a line: that is left alone. */
  const char *next = memchr(line.text, ';', (size_t)(line.end - line.text));
  if (next && *(next += 1 + strspn(next + 1, " \t")) != '/' && next < line.end) line.count = 0;
  return line;
}

static const char *next_line(const PtxLine *line)
{
  return *line->end ? line->end + 1 : line->end;
}

bool ptx_is_same(Operand a, Operand b)
{
  return a.len == b.len && !memcmp(a.text, b.text, a.len);
}

bool ptx_ends_in_f32(const PtxLine *line)
{
  return line->word_end - line->word > 4 && ptx_starts(line->word_end - 4, ".f32");
}

uint32_t ptx_number(Operand operand, const char *prefix)
{
  enum { NUMBER_MAX = 1u << 24 };
  size_t at = strlen(prefix);
  uint32_t number = 0;
  if (operand.len <= at || !ptx_starts(operand.text, prefix)) return UINT32_MAX;
  for (; at < operand.len; ++at) {
    char digit = operand.text[at];
    if (digit < '0' || digit > '9' || number > NUMBER_MAX) return UINT32_MAX;
    number = number * 10 + (uint32_t)(digit - '0');
  }
  return number;
}

uint32_t ptx_get(const PtxTable *table, uint32_t number)
{
  return number < table->count ? table->at[number] : 0;
}

void ptx_set(PtxFunction *f, PtxTable *table, uint32_t number, uint32_t value)
{
  if (number == UINT32_MAX || (!value && number >= table->count)) return;
  while (table->count <= number) vec_push(&f->r->c->scratch, table, 0);
  table->at[number] = value;
}

const char *ptx_halves(const char *at, Operand halves[3])
{
  for (unsigned i = 0; i < 3; ++i) {
    at += strspn(at, " \t");
    if (i < 2 && *at++ != "{,"[i]) return NULL;
    at += strspn(at, " \t");
    halves[i] = (Operand){at, strcspn(at, "{},; \t\n")};
    at += halves[i].len;
    if (i == 1 && (*at++ != '}' || *at++ != ',')) return NULL;
  }
  return *halves[2].text == '%' && *at == ';' ? at + 1 : NULL;
}

void ptx_replace(PtxFunction *f, PtxLine *line, const char *format, ...)
{
  va_list values;
  if (line->now) return;
  va_start(values, format);
  line->now = arena_vprintf(&f->r->c->scratch, format, values);
  va_end(values);
  f->r->has_changed = true;
}

/* `neg.s16 %rs2, %rs1;`, `sub.s16 %rs3, %rs1, %rs2;`, `max.u16 %rs2, %rs1, 1;` */
void ptx_in_32_bits(PtxFunction *f, PtxLine *line)
{
  const Operand *operands = line->operands;
  bool has_other = line->count == 3;
  char type = line->word[4]; /* s or u */
  Buf loads = BUF(&f->r->c->scratch);
  for (unsigned i = 1; i < line->count; ++i) {
    const char *name = i == 1 ? "wide" : "other", *text = operands[i].text;
    long number = strtol(text, NULL, 0);
    if (*text == '%')
      buf_printf(&loads, "cvt.%c32.%c16 %s, %.*s; ", type, type, name, LEN(operands[i]));
    else
      buf_printf(&loads, "mov.b32 %s, %d; ", name,
                 type == 's' ? (int16_t)number : (uint16_t)number);
  }
  ptx_replace(f, line,
              "\t{ .reg .b32 wide, other; %s%.3s.%c32 wide, wide%s; cvt.u16.u32 %.*s, wide; }\n",
              buf_text(&loads), line->word, type, has_other ? ", other" : "", LEN(operands[0]));
}

/* ---- the text ---- */

static const char *read_function(Session *c, const char *at)
{
  PtxText *ptx = c->ptx_text;
  Range range = {ptx->lines.count, 0};
  bool is_asm = false;
  while (*at && *at != '}') {
    PtxLine line = read_line(at);
    if (ptx_starts(line.word, "// begin inline asm")) is_asm = true;
    if (ptx_starts(line.word, "// end inline asm")) is_asm = false;
    line.is_asm = is_asm;
    vec_push(&c->scratch, &ptx->lines, line);
    at = next_line(&line);
  }
  range.count = ptx->lines.count - range.first;
  vec_push(&c->scratch, &ptx->functions, range);
  return at;
}

static void read_text(Session *c)
{
  c->ptx_text = NEW(&c->scratch, PtxText);
  for (const char *at = buf_text(&c->ptx); *at;) {
    bool is_body = *at == '{';
    at += strcspn(at, "\n");
    if (*at) ++at;
    if (is_body) at = read_function(c, at);
  }
}

void ptx_put(Session *c, Buf *out)
{
  const char *rest = buf_text(&c->ptx);
  const PtxText *ptx = c->ptx_text;
  for (uint32_t i = 0; ptx && i < ptx->lines.count; ++i) {
    const PtxLine *line = &ptx->lines.at[i];
    if (!line->now) continue;
    buf_bytes(out, rest, (size_t)(line->text - rest));
    buf_puts(out, line->now);
    rest = next_line(line);
  }
  buf_puts(out, rest);
}

void ptx_run(Repair *r, PtxFollow *follow, PtxChange *change, ...)
{
  Session *c = r->c;
  va_list words;
  const char *word, *found = NULL;
  va_start(words, change);
  while (!found && (word = va_arg(words, const char *))) found = strstr(buf_text(&c->ptx), word);
  va_end(words);
  if (!found) return;
  if (!c->ptx_text) read_text(c);
  for (uint32_t i = 0; i < c->ptx_text->functions.count; ++i) {
    Range range = c->ptx_text->functions.at[i];
    PtxFunction f = {r, c->ptx_text->lines.at + range.first, range.count, {{0}}, false};
    for (uint32_t k = 0; follow && k < f.count; ++k) follow(&f, &f.lines[k]);
    for (uint32_t k = 0; k < f.count; ++k) change(&f, &f.lines[k]);
  }
}

bool pass_repair(Session *c)
{
  if (!c->ptx_text) return true;
  Buf text = BUF(c->unit);
  ptx_put(c, &text);
  c->ptx = text;
  c->ptx_text = NULL;
  return true;
}
