/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* diag.c - collects messages. diag_render.c writes them. */
#include "diag.h"

#include <string.h>

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

Severity diag_severity(DiagId id)
{
  return rows[id].severity;
}

/* Inside text that a repair has replaced? What is wrong there is the message's fault. */
static bool is_repaired(const Message *message, uint32_t at)
{
  if (!message->is_repaired) return false;
  for (const Line *line = message->first; line; line = line->next)
    for (uint32_t i = 0; i < line->edit_count; ++i)
      if (at >= line->edits[i].span.lo && at < line->edits[i].span.hi) return true;
  return message->span.lo == at; /* text that an edit puts in, has the place of the message */
}

/* One mistake is one message: an instance of a function finds what another has found. */
static bool is_known(const Diag *diag, DiagId id, Span span, const char *text)
{
  for (const Message *message = diag->first; message; message = message->next) {
    if (message->span.lo == span.lo && message->id == id && !strcmp(message->text, text))
      return span.lo != 0;
    if (is_repaired(message, span.lo)) return true;
  }
  return false;
}

void diag_at(Diag *diag, DiagId id, Span span, ...)
{
  diag->current = NULL;
  if (diag->error_count >= ERRORS_KEPT_MAX) {
    ++diag->error_count;
    return;
  }
  va_list values;
  va_start(values, span);
  const char *text = arena_vprintf(diag->arena, rows[id].format, values);
  va_end(values);
  if (is_known(diag, id, span, text)) return;
  Message *message = NEW(diag->arena, Message);
  diag->error_count += rows[id].severity == SEVERITY_ERROR;
  *message = (Message){.id = id, .span = span, .text = text, .order = diag->order++};
  if (diag->last) diag->last->next = message;
  else diag->first = message;
  diag->last = diag->current = message;
}

static void add_line(Diag *diag, Message *message, Line line)
{
  if (!message) return;
  Line *copy = NEW(diag->arena, Line);
  *copy = line;
  if (message->last) message->last->next = copy;
  else message->first = copy;
  message->last = copy;
}

void diag_note(Diag *diag, DiagId id, Span span, ...)
{
  if (!diag->current) return;
  va_list values;
  va_start(values, span);
  const char *text = arena_vprintf(diag->arena, rows[id].format, values);
  va_end(values);
  add_line(diag, diag->current, (Line){.text = text, .span = span, .id = id, .kind = LINE_NOTE});
}

void diag_note_since(Diag *diag, uint32_t mark, DiagId id, Span span, ...)
{
  if (diag->order == mark) return;
  va_list values;
  va_start(values, span);
  const char *text = arena_vprintf(diag->arena, rows[id].format, values);
  va_end(values);
  for (Message *message = diag->first; message; message = message->next)
    if (message->order >= mark)
      add_line(diag, message, (Line){.text = text, .span = span, .id = id, .kind = LINE_NOTE});
}

void diag_hint(Diag *diag, const char *format, ...)
{
  if (!diag->current) return;
  va_list values;
  va_start(values, format);
  const char *text = arena_vprintf(diag->arena, format, values);
  va_end(values);
  add_line(diag, diag->current, (Line){.text = text, .kind = LINE_HINT});
}

void diag_fix_edits(Diag *diag, const Edit *edits, uint32_t count)
{
  if (!diag->current) return;
  Edit *copy = NEW_ARRAY(diag->arena, Edit, count);
  for (uint32_t i = 0; i < count; ++i)
    copy[i] = (Edit){edits[i].span, arena_strdup(diag->arena, edits[i].text)};
  add_line(diag, diag->current, (Line){.edits = copy, .edit_count = count, .kind = LINE_FIX});
}

void diag_fix(Diag *diag, Span span, const char *replacement)
{
  diag_fix_edits(diag, &(Edit){span, replacement}, 1);
}

void diag_repaired(Diag *diag)
{
  if (!diag->current || diag->current->is_repaired) return;
  diag->current->is_repaired = true;
  ++diag->repaired_count;
}
