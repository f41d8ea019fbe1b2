/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* diag.c - collects the messages of a compilation; diag_render.c prints them.
 *
 *     diag_at(...)       Message  error: cannot convert 'f32' to 'i32'
 *     diag_note(...)      +- Line note:  'x' is declared here
 *     diag_hint(...)      +- Line hint:  Write i32(...) to convert it.
 *     diag_fix(...)       +- Line fix:   the edits
 *
 * Notes, hints and fixes attach to the message before. Two kinds of messages are dropped, and what
 * is attached to them too: repeated ones (an instance finds what another instance has found), and
 * errors inside text that a fix has replaced. An error in an instance of a library function is
 * moved to the program's call (diag_instantiated, lift), with the library's internal names hidden.
 */
#include "text/text.h"

#include <string.h>

static const struct {
  const char *id, *format;
  Severity severity;
} rows[] = {
#define DIAG(id, severity, format) {#id, format, SEVERITY_##severity},
#include "text/diag.def"
};

const char *diag_id_name(DiagId id)
{
  return rows[id].id;
}

/* Is the place inside text that the message's fix has replaced? A further error there is a
 * consequence. */
static bool is_repaired(const Message *message, uint32_t at)
{
  if (!message->is_repaired) return false;
  for (const Line *line = message->first; line; line = line->next)
    for (uint32_t i = 0; i < line->edit_count; ++i)
      if (at >= line->edits[i].span.lo && at < line->edits[i].span.hi) return true;
  return message->span.lo == at; /* text that an edit inserts has the message's place */
}

/* Has the same mistake been reported, as when another instance of a function has it too? */
static bool is_known(const Diag *diag, DiagId id, Span span, const char *text)
{
  for (const Message *message = diag->first; message; message = message->next) {
    if (message->span.lo == span.lo && message->id == id && !strcmp(message->text, text))
      return span.lo != 0;
    if (is_repaired(message, span.lo)) return true;
  }
  return false;
}

static bool is_library(const Diag *diag, Span span)
{
  const Source *source = source_of(diag->sources, span.lo);
  return source && source->is_library;
}

static void report(Diag *diag, DiagId id, Severity severity, Span span, va_list values)
{
  diag->current = NULL;
  bool is_error = severity == SEVERITY_ERROR;
  if (diag->error_count >= ERRORS_KEPT_MAX) {
    diag->error_count += is_error;
    return;
  }
  const char *text = arena_vprintf(diag->arena, rows[id].format, values);
  if (is_known(diag, id, span, text)) return;
  Message *message = NEW(diag->arena, Message);
  diag->error_count += is_error;
  *message =
      (Message){.id = id, .severity = severity, .span = span, .text = text, .order = diag->order++};
  if (diag->last) diag->last->next = message;
  else diag->first = message;
  diag->last = diag->current = message;
}

void diag_at_list(Diag *diag, DiagId id, Span span, va_list values)
{
  report(diag, id, SEVERITY_ERROR, span, values);
}

bool diag_at(Diag *diag, DiagId id, Span span, ...)
{
  va_list values;
  va_start(values, span);
  report(diag, id, SEVERITY_ERROR, span, values);
  va_end(values);
  return false;
}

void diag_warn(Diag *diag, DiagId id, Span span, ...)
{
  WarningLevel level = diag->levels[id];
  diag->current = NULL;
  if (level == WARNING_OFF || is_library(diag, span)) return;
  bool is_error = level == WARNING_IS_ERROR || (diag->is_strict && level != WARNING_IS_NONE);
  va_list values;
  va_start(values, span);
  report(diag, id, is_error ? SEVERITY_ERROR : SEVERITY_WARNING, span, values);
  va_end(values);
}

bool diag_set_warning(Diag *diag, const char *word)
{
  bool is_off = !strncmp(word, "no-", 3), is_error;
  if (is_off) word += 3;
  is_error = !strncmp(word, "error=", 6);
  if (is_error) word += 6;
  if (!strcmp(word, "error") && !is_error) {
    diag->is_strict = !is_off;
    return true;
  }
  for (unsigned id = 0; id < DIAG_COUNT; ++id) {
    if (strcmp(rows[id].id, word) != 0 || rows[id].severity != SEVERITY_WARNING) continue;
    diag->levels[id] = (unsigned char)(is_error && is_off ? WARNING_IS_NONE
                                       : is_error         ? WARNING_IS_ERROR
                                       : is_off           ? WARNING_OFF
                                                          : WARNING_ON);
    return true;
  }
  return false;
}

static void add_line(Diag *diag, Message *message, Line line)
{
  if (!message) return;
  Line *copy = NEW(diag->arena, Line);
  *copy = line;
  copy->next = NULL;
  if (message->last) message->last->next = copy;
  else message->first = copy;
  message->last = copy;
}

static bool is_word(char sign)
{
  return sign == '_' || (sign >= 'a' && sign <= 'z') || (sign >= 'A' && sign <= 'Z') ||
         (sign >= '0' && sign <= '9');
}

/* The first internal name of the library (with two underscores) in a text, or NULL. */
static const char *internal_in(const char *text)
{
  for (const char *at = text; at && (at = strstr(at, "__")); ++at)
    if ((at == text || !is_word(at[-1])) && is_word(at[2])) return at;
  return NULL;
}

void diag_note(Diag *diag, DiagId id, Span span, ...)
{
  if (!diag->current) return;
  va_list values;
  va_start(values, span);
  const char *text = arena_vprintf(diag->arena, rows[id].format, values);
  va_end(values);
  if (id == DIAG_instantiated && is_library(diag, span) && internal_in(text)) return;
  add_line(diag, diag->current, (Line){.text = text, .span = span, .id = id, .kind = LINE_NOTE});
}

/* A text with the library's internal functions replaced by the public one, `name`, that uses
 * them. */
static const char *public_text(Diag *diag, const char *text, const char *name)
{
  Buf out = BUF(diag->arena);
  for (const char *at; (at = internal_in(text));) {
    buf_bytes(&out, text, (size_t)(at - text));
    text = at + 2;
    if (*text >= 'A' && *text <= 'Z') continue; /* a struct: __Item is shown as Item */
    buf_bytes(&out, name, strcspn(name, "<"));
    while (is_word(*text)) ++text;
  }
  buf_puts(&out, text);
  return buf_text(&out);
}

/* Moves a message from the library to the program's text at `span`. Notes about calls inside the
 * library are dropped, and hints about the library's text. */
static void lift(Diag *diag, Message *message, Span span, const char *name)
{
  const Line *line = message->first;
  const char *text = arena_printf(diag->arena, rows[DIAG_in_library].format, name);
  message->first = message->last = NULL;
  message->text = public_text(diag, message->text, name);
  add_line(diag, message, (Line){.text = text, .span = message->span, .id = DIAG_in_library});
  for (; line; line = line->next) {
    bool is_ours = internal_in(line->text) != NULL;
    if (line->kind == LINE_NOTE ? line->id != DIAG_instantiated && !is_ours : line->is_advice)
      add_line(diag, message, *line);
  }
  message->span = span;
}

/* Is there another error at the same place that follows from the same mistake, or is the same? */
static bool is_said(const Diag *diag, uint32_t mark, const Message *message)
{
  for (const Message *other = diag->first; other != message; other = other->next) {
    if (other->span.lo != message->span.lo || other->span.hi != message->span.hi) continue;
    if (other->order >= mark) return true;
    if (other->id == message->id && !strcmp(other->text, message->text)) return true;
  }
  return false;
}

static void drop_next(Diag *diag, Message **link)
{
  Message *message = *link;
  diag->error_count -= message->severity == SEVERITY_ERROR;
  if (diag->current == message) diag->current = NULL;
  *link = message->next;
}

void diag_cut(Diag *diag, uint32_t mark)
{
  Message *last = NULL;
  for (Message **link = &diag->first; *link;)
    if ((*link)->order >= mark) drop_next(diag, link);
    else link = &(last = *link)->next;
  diag->last = last;
}

void diag_instantiated(Diag *diag, uint32_t mark, Span span, const char *name)
{
  if (diag->order == mark) return;
  bool is_program = !is_library(diag, span);
  const char *text = arena_printf(diag->arena, rows[DIAG_instantiated].format, name);
  Line note = {.text = text, .span = span, .id = DIAG_instantiated, .kind = LINE_NOTE};
  for (Message **link = &diag->first, *message; (message = *link);) {
    bool is_lifted = message->order >= mark && is_program && is_library(diag, message->span);
    if (is_lifted) lift(diag, message, span, name);
    else if (message->order >= mark && !internal_in(name)) add_line(diag, message, note);
    if (is_lifted && is_said(diag, mark, message)) drop_next(diag, link);
    else link = &message->next;
  }
  diag->last = diag->first;
  while (diag->last->next) diag->last = diag->last->next;
}

static void add_hint(Diag *diag, bool is_advice, const char *format, va_list values)
{
  if (!diag->current) return;
  const char *text = arena_vprintf(diag->arena, format, values);
  add_line(diag, diag->current, (Line){.text = text, .is_advice = is_advice, .kind = LINE_HINT});
}

void diag_hint(Diag *diag, const char *format, ...)
{
  va_list values;
  va_start(values, format);
  add_hint(diag, false, format, values);
  va_end(values);
}

void diag_advise(Diag *diag, const char *format, ...)
{
  va_list values;
  va_start(values, format);
  add_hint(diag, true, format, values);
  va_end(values);
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
