/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* diag_render.c - prints the messages of a compilation, sorted by place: as text, or as JSON with
 * one object a line (docs/diagnostics.md has its fields).
 *
 *   saxpy.ck:5:12: error: cannot convert 'f32' to 'i32' [type_mismatch]
 *       let k: i32 = x[i];
 *                    ^~~~
 *   hint: Write i32(...) to convert it.
 *
 * Below a message are its notes, then hints, then fixes. Of a long chain of instances only the
 * inner and the outer end are printed. Tests compare the text byte for byte. Control characters of
 * the source must never reach the terminal: they are printed as '?' or escaped.
 */
#include "text/text.h"

#include <stdlib.h>
#include <string.h>

enum {
  SOURCE_LINE_MAX = 160, /* longer lines are cut around the caret */
  TRACE_MAX = 6          /* printed notes of a chain of instances */
};

static const struct {
  const char *head, *error, *warning, *note, *hint, *mark, *off;
} colors[] = {
    [DIAG_TEXT] = {"", "", "", "", "", "", ""},
    [DIAG_COLOR] = {"\033[1m", "\033[1;31m", "\033[1;35m", "\033[1;36m", "\033[1;32m", "\033[32m",
                    "\033[0m"},
    [DIAG_JSON] = {"", "", "", "", "", "", ""},
};

/* ---- text ---- */

/* The end of a library function's head, such as `fn min(a: T, b: T) -> T`, which begins at `start`.
 * NULL: the line is no head of a function. */
static const char *head_end(const char *start, const char *end)
{
  static const char word[] = "fn ";
  int depth = 0;
  if ((size_t)(end - start) < sizeof word || memcmp(start, word, sizeof word - 1) != 0) return NULL;
  for (const char *at = start; at < end; ++at) {
    bool is_arrow = *at == '>' && at[-1] == '-';
    depth += strchr("(<[", *at) ? 1 : strchr(")>]", *at) && !is_arrow ? -1 : 0;
    bool is_name = at - start >= 5 && !memcmp(at - 2, "[]=", 3); /* fn []=(...) */
    if (depth == 0 && strchr("={", *at) && !is_name) end = at;
  }
  while (end > start && end[-1] == ' ') --end;
  return end;
}

/* Prints what a note shows of the library: only the head of a function. The marks of internal types
 * are removed: `__place<T>` is printed as place<T>. */
static void render_library(DiagForm form, Buf *out, const Source *source, Span span)
{
  uint32_t line, col, before = 0, below = 0;
  source_position(source, span.lo, &line, &col);
  const char *here = source->text + (span.lo - source->base), *start = here - (col - 1);
  const char *end = head_end(start, start + strcspn(start, "\n"));
  if (!end) return;
  for (const char *at = start; at < end; ++at) {
    bool is_mark = at > start && strchr(" <(", at[-1]) && at + 2 < end && !memcmp(at, "__", 2);
    if (is_mark) at += 2;
    before += at < here;
    below += at >= here && at < here + (span.hi - span.lo);
    buf_putc(out, *at);
  }
  buf_putc(out, '\n');
  if (here >= end) return;
  buf_printf(out, "%*s%s^", (int)before, "", colors[form].mark);
  while (below-- > 1) buf_putc(out, '~');
  buf_printf(out, "%s\n", colors[form].off);
}

/* The source line of `span` with a caret line below it, or with `replacement` below it. */
static void render_source(DiagForm form, Buf *out, const Source *source, Span span,
                          const char *replacement)
{
  uint32_t line, col;
  source_position(source, span.lo, &line, &col);
  const char *here = source->text + (span.lo - source->base), *start = here - (col - 1);
  const char *end = memchr(here, '\n', source->bytes - (size_t)(here - source->text));
  if (!end) end = source->text + source->bytes;
  if (end > start && end[-1] == '\r') --end;
  if (here - start > SOURCE_LINE_MAX / 2) {
    start = here - SOURCE_LINE_MAX / 2;
    while (start < here && ((unsigned char)*start & 0xc0) == 0x80) ++start;
  }
  if (end - start > SOURCE_LINE_MAX) {
    end = start + SOURCE_LINE_MAX;
    while (end > start && ((unsigned char)*end & 0xc0) == 0x80) --end;
  }
  /* each character is one column, as the caret line assumes */
  for (const char *p = start; p < end;) {
    size_t control = control_length(p, (size_t)(end - p));
    buf_putc(out, control ? '?' : *p);
    p += control ? control : 1;
  }
  buf_putc(out, '\n');
  for (const char *p = start; p < here; ++p)
    if (((unsigned char)*p & 0xc0) != 0x80) buf_putc(out, *p == '\t' ? '\t' : ' ');
  buf_puts(out, colors[form].mark);
  if (replacement) {
    buf_shown(out, replacement, strcspn(replacement, "\n"));
  } else {
    buf_putc(out, '^');
    const char *last = here + (span.hi > span.lo ? span.hi - span.lo : 1);
    for (const char *p = here + 1; p < last && p < end; ++p)
      if (((unsigned char)*p & 0xc0) != 0x80) buf_putc(out, '~');
  }
  buf_printf(out, "%s\n", colors[form].off);
}

static const char *const severity_words[] = {"error", "warning", "note"};

static void render_head(const Diag *diag, DiagForm form, Buf *out, Span span, const char *text,
                        DiagId id, Severity severity)
{
  const char *color = severity == SEVERITY_ERROR     ? colors[form].error
                      : severity == SEVERITY_WARNING ? colors[form].warning
                                                     : colors[form].note;
  uint32_t line, col;
  const Source *source = source_at(diag->sources, span.lo, &line, &col);
  if (source) {
    buf_puts(out, colors[form].head);
    buf_shown(out, source->name, strlen(source->name));
    buf_printf(out, ":%u:%u:%s ", line, col, colors[form].off);
  }
  buf_printf(out, "%s%s:%s %s", color, severity_words[severity], colors[form].off,
             colors[form].head);
  buf_shown(out, text, strlen(text));
  buf_puts(out, colors[form].off);
  if (severity != SEVERITY_NOTE) buf_printf(out, " [%s]", diag_id_name(id));
  buf_putc(out, '\n');
  if (source && source->is_library && severity == SEVERITY_NOTE)
    render_library(form, out, source, span);
  else if (source) render_source(form, out, source, span, NULL);
}

/* The text that a fix shows: from its first edit to its last one, and what the message underlines,
 * if they meet. */
static Span fixed_span(const Message *message, const Line *fix)
{
  Span span = {fix->edits[0].span.lo, fix->edits[fix->edit_count - 1].span.hi};
  if (message->span.hi < span.lo || message->span.lo > span.hi) return span;
  if (message->span.lo < span.lo) span.lo = message->span.lo;
  if (message->span.hi > span.hi) span.hi = message->span.hi;
  return span;
}

/* The text of `span` after the fix. */
static const char *fixed_text(const Diag *diag, Arena *arena, Span span, const Line *fix)
{
  Buf text = BUF(arena);
  uint32_t at = span.lo;
  for (uint32_t i = 0; i < fix->edit_count; ++i) {
    const Edit *edit = &fix->edits[i];
    buf_bytes(&text, source_text(diag->sources, (Span){at, at}), edit->span.lo - at);
    buf_puts(&text, edit->text);
    at = edit->span.hi;
  }
  buf_bytes(&text, source_text(diag->sources, (Span){at, at}), span.hi - at);
  return buf_text(&text);
}

/* The words of a fix, such as "write 'x' instead". */
static const char *fix_words(const Diag *diag, Arena *arena, const Message *message,
                             const Line *fix)
{
  Span span = fixed_span(message, fix);
  const char *text = fixed_text(diag, arena, span, fix);
  size_t len = strcspn(text, "\n");
  while (len && text[len - 1] == ' ') --len;
  size_t lead = strspn(text, " ");
  const char *shown = arena_strndup(arena, text + lead, len > lead ? len - lead : 0);
  const char *more = text[strcspn(text, "\n")] ? " ..." : "";
  if (*text == 0) {
    const char *old = source_text(diag->sources, span);
    len = strcspn(old, "\n");
    if (span.hi - span.lo < len) len = span.hi - span.lo;
    return arena_printf(arena, "leave out '%.*s'", (int)len, old);
  }
  return arena_printf(arena, "write '%s'%s %s", shown, more,
                      span.lo == span.hi ? "here" : "instead");
}

static void render_line(const Diag *diag, DiagForm form, Buf *out, const Message *message,
                        const Line *line)
{
  const char *color = colors[form].hint, *off = colors[form].off;
  switch (line->kind) {
  case LINE_NOTE:
    render_head(diag, form, out, line->span, line->text, line->id, SEVERITY_NOTE);
    return;
  case LINE_HINT:
    buf_printf(out, "%shint:%s ", color, off);
    buf_shown(out, line->text, strlen(line->text));
    buf_putc(out, '\n');
    return;
  case LINE_FIX: break;
  }
  Span span = fixed_span(message, line);
  const char *text = fixed_text(diag, out->arena, span, line);
  const Source *source = source_of(diag->sources, span.lo);
  const char *words = fix_words(diag, out->arena, message, line);
  buf_printf(out, "%sfix:%s ", color, off);
  buf_shown(out, words, strlen(words));
  buf_putc(out, '\n');
  if (source && *text) render_source(form, out, source, span, text);
}

static uint32_t trace_length(const Message *message)
{
  uint32_t count = 0;
  for (const Line *line = message->first; line; line = line->next)
    count += line->kind == LINE_NOTE && line->id == DIAG_instantiated;
  return count;
}

static void render_text(const Diag *diag, DiagForm form, Buf *out, const Message *message)
{
  render_head(diag, form, out, message->span, message->text, message->id, message->severity);
  uint32_t length = trace_length(message), left_out = length > TRACE_MAX ? length - TRACE_MAX : 0;
  for (int kind = LINE_NOTE; kind <= LINE_FIX; ++kind) {
    uint32_t trace = 0;
    for (const Line *line = message->first; line; line = line->next) {
      if ((int)line->kind != kind) continue;
      uint32_t at = kind == LINE_NOTE && line->id == DIAG_instantiated ? ++trace : 0;
      if (left_out && at == TRACE_MAX / 2 + 1)
        buf_printf(out, "%snote:%s %u more instances between these\n", colors[form].note,
                   colors[form].off, left_out);
      if (left_out && at > TRACE_MAX / 2 && at <= TRACE_MAX / 2 + left_out) continue;
      render_line(diag, form, out, message, line);
    }
  }
}

/* ---- JSON ---- */

static void json_text(Buf *out, const char *key, const char *text)
{
  buf_printf(out, "\"%s\":", key);
  buf_json_string(out, text, strlen(text));
}

/* Lines and columns count from 1, bytes from 0. A message without a place has none. */
static void json_place(const Diag *diag, Buf *out, Span span)
{
  uint32_t line, col, end_line, end_col;
  const Source *source = source_at(diag->sources, span.lo, &line, &col);
  if (!source) return;
  source_position(source, span.hi, &end_line, &end_col);
  buf_putc(out, ',');
  json_text(out, "file", source->name);
  buf_printf(out, ",\"line\":%u,\"column\":%u,\"end_line\":%u,\"end_column\":%u", line, col,
             end_line, end_col);
  buf_printf(out, ",\"start\":%u,\"end\":%u", span.lo - source->base, span.hi - source->base);
}

static void json_head(const Diag *diag, Buf *out, DiagId id, Severity severity, const char *text,
                      Span span)
{
  buf_putc(out, '{');
  json_text(out, "severity", severity_words[severity]);
  buf_putc(out, ',');
  json_text(out, "id", diag_id_name(id));
  buf_putc(out, ',');
  json_text(out, "message", text);
  json_place(diag, out, span);
}

static void json_fix(const Diag *diag, Buf *out, const Message *message, const Line *fix)
{
  buf_putc(out, '{');
  json_text(out, "message", fix_words(diag, out->arena, message, fix));
  buf_puts(out, ",\"edits\":[");
  for (uint32_t i = 0; i < fix->edit_count; ++i) {
    const Edit *edit = &fix->edits[i];
    buf_puts(out, i ? ",{" : "{");
    json_text(out, "replacement", edit->text);
    json_place(diag, out, edit->span);
    buf_putc(out, '}');
  }
  buf_puts(out, "]}");
}

static void json_lines(const Diag *diag, Buf *out, const Message *message, const char *key,
                       int kind)
{
  bool is_first = true;
  buf_printf(out, ",\"%s\":[", key);
  for (const Line *line = message->first; line; line = line->next) {
    if ((int)line->kind != kind) continue;
    if (!is_first) buf_putc(out, ',');
    is_first = false;
    if (kind == LINE_NOTE) {
      json_head(diag, out, line->id, SEVERITY_NOTE, line->text, line->span);
      buf_putc(out, '}');
    } else if (kind == LINE_HINT) {
      buf_json_string(out, line->text, strlen(line->text));
    } else {
      json_fix(diag, out, message, line);
    }
  }
  buf_putc(out, ']');
}

static void render_json(const Diag *diag, Buf *out, const Message *message)
{
  json_head(diag, out, message->id, message->severity, message->text, message->span);
  json_lines(diag, out, message, "notes", LINE_NOTE);
  json_lines(diag, out, message, "hints", LINE_HINT);
  json_lines(diag, out, message, "fixes", LINE_FIX);
  buf_puts(out, "}\n");
}

/* ---- all ---- */

static int by_place(const void *a, const void *b)
{
  const Message *x = *(Message *const *)a, *y = *(Message *const *)b;
  if (x->span.lo != y->span.lo) return x->span.lo < y->span.lo ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

void diag_render_plain(DiagForm form, const char *text, Buf *out)
{
  if (form != DIAG_JSON) {
    buf_printf(out, "%serror:%s ", colors[form].error, colors[form].off);
    buf_shown(out, text, strlen(text));
    buf_putc(out, '\n');
    return;
  }
  buf_puts(out, "{\"severity\":\"error\",");
  json_text(out, "message", text);
  buf_puts(out, "}\n");
}

void diag_render(const Diag *diag, DiagForm form, Buf *out)
{
  uint32_t count = 0, shown = 0;
  bool is_error =
      /* warnings may be consequences of errors, and are printed once there are none */
      diag->error_count > 0;
  for (Message *message = diag->first; message; message = message->next)
    count += !is_error || message->severity == SEVERITY_ERROR;
  if (!count) return;
  Message **sorted = NEW_ARRAY(out->arena, Message *, count);
  count = 0;
  for (Message *message = diag->first; message; message = message->next)
    if (!is_error || message->severity == SEVERITY_ERROR) sorted[count++] = message;
  qsort(sorted, count, sizeof *sorted, by_place);
  for (uint32_t i = 0; i < count && shown < ERRORS_MAX; ++i) {
    if (form == DIAG_JSON) render_json(diag, out, sorted[i]);
    else render_text(diag, form, out, sorted[i]);
    shown += sorted[i]->severity == SEVERITY_ERROR;
  }
  if (diag->error_count <= ERRORS_MAX) return;
  if (form == DIAG_JSON)
    buf_printf(out, "{\"severity\":\"note\",\"shown\":%u,\"errors\":%u}\n", shown,
               diag->error_count);
  else buf_printf(out, "%u errors are shown of %u\n", shown, diag->error_count);
}
