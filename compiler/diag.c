/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* diag.c - collects messages and renders them as text.
 *
 *   saxpy.ck:5:12: error: cannot convert 'f32' to 'i32' [type_mismatch]
 *       let k: i32 = x[i];
 *                    ^~~~
 *   hint: Write i32(...) to convert it.
 */
#include "diag.h"

#include <stdlib.h>
#include <string.h>

enum { SOURCE_LINE_MAX = 160 }; /* longer lines are shown in part, around the caret */

typedef struct Line Line;
struct Line {
  Line *next;
  const char *text; /* a note's rendered text, or a hint's */
  Span span;        /* of a note */
  const char *replacement;
  DiagId id;
  enum { LINE_NOTE, LINE_HINT, LINE_FIX } kind;
};

struct Message {
  Message *next;
  DiagId id;
  Span span;
  const char *text;
  Line *first, *last;
  uint32_t order;
};

static const struct {
  const char *id, *format;
  Severity severity;
} rows[] = {
#define DIAG(id, severity, format) {#id, format, SEVERITY_##severity},
#include "diag.def"
};

const char *diag_id_name(DiagId id)
{
  return rows[id].id;
}

void diag_at(Diag *diag, DiagId id, Span span, ...)
{
  diag->current = NULL;
  if (rows[id].severity == SEVERITY_ERROR && diag->error_count++ >= ERRORS_MAX) return;
  Message *message = NEW(diag->arena, Message);
  va_list values;
  va_start(values, span);
  message->text = arena_vprintf(diag->arena, rows[id].format, values);
  va_end(values);
  message->id = id;
  message->span = span;
  message->order = diag->error_count;
  if (diag->last) diag->last->next = message;
  else diag->first = message;
  diag->last = diag->current = message;
}

static void add_line(Diag *diag, Line line)
{
  if (!diag->current) return;
  Line *copy = NEW(diag->arena, Line);
  *copy = line;
  if (diag->current->last) diag->current->last->next = copy;
  else diag->current->first = copy;
  diag->current->last = copy;
}

void diag_note(Diag *diag, DiagId id, Span span, ...)
{
  if (!diag->current) return;
  va_list values;
  va_start(values, span);
  const char *text = arena_vprintf(diag->arena, rows[id].format, values);
  va_end(values);
  add_line(diag, (Line){.text = text, .span = span, .id = id, .kind = LINE_NOTE});
}

void diag_hint(Diag *diag, const char *format, ...)
{
  if (!diag->current) return;
  va_list values;
  va_start(values, format);
  const char *text = arena_vprintf(diag->arena, format, values);
  va_end(values);
  add_line(diag, (Line){.text = text, .kind = LINE_HINT});
}

void diag_fix(Diag *diag, Span span, const char *replacement)
{
  add_line(diag, (Line){.span = span, .replacement = replacement, .kind = LINE_FIX});
}

/* The source line of `span` with a caret line below it, or with `replacement` below it. */
static void render_source(Buf *out, const Source *source, Span span, const char *replacement)
{
  uint32_t line, col;
  source_position(source, span.lo, &line, &col);
  const char *here = source->text + (span.lo - source->base), *start = here - (col - 1);
  const char *end = memchr(here, '\n', source->bytes - (size_t)(here - source->text));
  if (!end) end = source->text + source->bytes;
  if (end > start && end[-1] == '\r') --end;
  if (here - start > SOURCE_LINE_MAX / 2) start = here - SOURCE_LINE_MAX / 2;
  if (end - start > SOURCE_LINE_MAX) end = start + SOURCE_LINE_MAX;
  for (const char *p = start; p < end; ++p) {
    unsigned char c = (unsigned char)*p;
    buf_putc(out, c < 0x20 && c != '\t' ? '?' : (char)c);
  }
  buf_putc(out, '\n');
  for (const char *p = start; p < here; ++p) buf_putc(out, *p == '\t' ? '\t' : ' ');
  if (replacement) {
    buf_printf(out, "%s\n", replacement);
    return;
  }
  buf_putc(out, '^');
  const char *last = here + (span.hi > span.lo ? span.hi - span.lo : 1);
  for (const char *p = here + 1; p < last && p < end; ++p)
    if (((unsigned char)*p & 0xc0) != 0x80) buf_putc(out, '~');
  buf_putc(out, '\n');
}

static void render_head(const Diag *diag, Buf *out, Span span, const char *severity,
                        const char *text, DiagId id)
{
  const Source *source = source_of(diag->sources, span.lo);
  if (source) {
    uint32_t line, col;
    source_position(source, span.lo, &line, &col);
    buf_printf(out, "%s:%u:%u: ", source->name, line, col);
  }
  buf_printf(out, "%s: %s", severity, text);
  if (*severity != 'n') buf_printf(out, " [%s]", rows[id].id);
  buf_putc(out, '\n');
  if (source) render_source(out, source, span, NULL);
}

static int by_place(const void *a, const void *b)
{
  const Message *x = *(Message *const *)a, *y = *(Message *const *)b;
  if (x->span.lo != y->span.lo) return x->span.lo < y->span.lo ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

void diag_render(const Diag *diag, Buf *out)
{
  uint32_t count = 0;
  for (Message *message = diag->first; message; message = message->next) ++count;
  if (!count) return;
  Message **sorted = NEW_ARRAY(out->arena, Message *, count);
  count = 0;
  for (Message *message = diag->first; message; message = message->next) sorted[count++] = message;
  qsort(sorted, count, sizeof *sorted, by_place);
  for (uint32_t i = 0; i < count; ++i) {
    Message *message = sorted[i];
    bool is_error = rows[message->id].severity == SEVERITY_ERROR;
    render_head(diag, out, message->span, is_error ? "error" : "warning", message->text,
                message->id);
    for (Line *line = message->first; line; line = line->next) {
      if (line->kind == LINE_NOTE) {
        render_head(diag, out, line->span, "note", line->text, line->id);
      } else if (line->kind == LINE_HINT) {
        buf_printf(out, "hint: %s\n", line->text);
      } else {
        const Source *source = source_of(diag->sources, line->span.lo);
        buf_printf(out, "fix: write '%s' instead\n", line->replacement);
        if (source) render_source(out, source, line->span, line->replacement);
      }
    }
  }
  if (diag->error_count > ERRORS_MAX)
    buf_printf(out, "%u more errors are not shown\n", diag->error_count - ERRORS_MAX);
}
