/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* tune.c - gives a constant that is declared as `tune(...)` one of its values.
 *
 *     const ITEMS: u32 = tune(4, 8, 16);       // 4, unless a table says otherwise
 *
 * Such a constant is a tuning parameter. Its first value is the default. A row of a tuning table
 * (base/tuning.h) for the target of the compilation may choose another. Tables are looked through
 * in this order, and the first one with a row for the parameter decides:
 *
 *     --tuning=FILE, or the table beside the source that is compiled: k.tune beside k.ck
 *     the table beside the module that declares the constant, if that was imported
 *     for parameters of the library: tuning.tune of lib/, which is part of this compiler
 *
 * A table is opened when the first parameter asks for it, so a program without parameters pays
 * nothing. `-D NAME=VALUE` precedes all tables: it replaces the declaration's value, and what it
 * gives need not be one of the values. c->tunings lists what was chosen, for the manifest.
 *
 * A table must never change what a program means: its value counts only if the declaration lists
 * it, and a row with another value is reported and ignored.
 */
#include "check/check_private.h"
#include "front/builtin.h"
#include "front/target.h"
#include "tuning.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An opened table; `source` is NULL, and the table empty, if there is no file. */
struct TuningFile {
  TuningTable table;
  const Source *source;
  bool is_faulty; /* reported */
};

bool tune_is(const Node *value)
{
  return value && value->kind == NODE_call && value->a->kind == NODE_name && value->a->builtin &&
         value->a->builtin->form == FORM_tune;
}

/* ---- tables ---- */

static TuningFile *find_file(Session *c, const char *path)
{
  for (uint32_t i = 0; i < c->tuning_files.count; ++i)
    if (!strcmp(c->tuning_files.at[i]->table.path, path)) return c->tuning_files.at[i];
  return NULL;
}

/* Reads a text as a table, and reports what is wrong with it. */
static void read_table(Session *c, TuningFile *file, const char *text, size_t bytes)
{
  TuningFault fault;
  file->source = source_add(&c->sources, file->table.path, text, bytes, false);
  if (tuning_read(c->unit, text, &file->table, &fault)) return;
  uint32_t lo = file->source->base + fault.at;
  diag_at(&c->diag, DIAG_tuning_row, (Span){lo, lo + fault.bytes}, fault.why);
  file->is_faulty = true;
}

/* The table in a file. If it must exist and doesn't, the constant that needs it is reported. */
static TuningFile *open_table(Session *c, const char *path, bool must_exist, const Node *constant)
{
  TuningFile *file = find_file(c, path);
  if (file) return file;
  char *text;
  size_t bytes;
  file = NEW(c->unit, TuningFile);
  file->table.path = path;
  vec_push(c->unit, &c->tuning_files, file);
  bool is_read = file_read(c->unit, path, FILE_REGULAR, &text, &bytes);
  int error = errno;
  const Source *last = c->sources.list.at[c->sources.list.count - 1];
  bool is_large = is_read && (bytes >= SOURCE_BYTES_MAX / 2 ||
                              last->base + last->bytes >= SOURCE_BYTES_MAX / 2);
  if (is_read && !is_large) {
    const char *real = path_real(c->unit, path);
    vec_push(c->unit, &c->files, real ? real : path);
    read_table(c, file, text, bytes);
  } else if (is_large || must_exist || error != ENOENT) {
    diag_at(&c->diag, DIAG_tuning_read, constant->span, path,
            is_large ? "it is too large" : file_why(error));
    file->is_faulty = true;
  }
  return file;
}

static TuningFile *library_table(Session *c)
{
  TuningFile *file = find_file(c, "lib/tuning.tune");
  if (file) return file;
  file = NEW(c->unit, TuningFile);
  file->table.path = "lib/tuning.tune";
  vec_push(c->unit, &c->tuning_files, file);
  size_t bytes;
  const char *text = library_tuning(c, &bytes);
  if (text) read_table(c, file, text, bytes);
  return file;
}

static const TuningRow *find_row(Session *c, TuningFile *file, const Node *constant,
                                 const TuningFile **out_file)
{
  if (!file) return NULL;
  *out_file = file;
  return tuning_find(&file->table, constant->name->text, c->target->name, c->options.problem_size);
}

/* The table beside a source, unless the compilation is confined to its folders. */
static TuningFile *beside(Session *c, const char *name, const Node *constant)
{
  const char *path = tuning_beside(c->unit, name);
  bool is_confined = c->options.flags & CK_COMPILE_CONFINE;
  return path && !is_confined ? open_table(c, path, false, constant) : NULL;
}

/* The row that decides; NULL: the default counts. */
static const TuningRow *deciding_row(Session *c, const Node *constant, const TuningFile **out_file)
{
  const char *given = c->options.tuning_file, *own = c->options.file_name;
  const Source *source = source_of(&c->sources, constant->span.lo);
  TuningFile *main_table = given ? open_table(c, given, true, constant)
                           : own ? beside(c, own, constant)
                                 : NULL;
  const TuningRow *row = find_row(c, main_table, constant, out_file);
  if (row || !source) return row;
  if (source->is_library) return find_row(c, library_table(c), constant, out_file);
  if (source == c->source) return NULL;
  return find_row(c, beside(c, source->name, constant), constant, out_file);
}

/* ---- values ---- */

/* Does the text of a table stand for this value? */
static bool is_text_of(const Node *value, const char *text)
{
  char *end;
  if (value->kind == NODE_bool) return !strcmp(text, value->bits ? "true" : "false");
  if (value->kind == NODE_float) {
    enum { DIGITS_SHOWN = 6 };
    double given = strtod(text, &end), nearest = pow(10, -DIGITS_SHOWN) * fabs(value->real);
    return end > text && !*end && fabs(given - value->real) <= nearest;
  }
  uint64_t bits = *text == '-' ? (uint64_t)strtoll(text, &end, 0) : strtoull(text, &end, 0);
  bool is_negative = value->flags & FLAG_negative;
  return end > text && !*end && bits == (is_negative ? 0 - value->bits : value->bits);
}

/* Gives each value the type and makes it a constant. Returns false after a report. */
static bool check_values(Session *c, Node *call, Type *type)
{
  bool is_good = true;
  for (Node **slot = &call->b; *slot; slot = &(*slot)->next) {
    Node *next = (*slot)->next;
    if ((*slot)->kind == NODE_argument) {
      diag_at(&c->diag, DIAG_unknown_argument, (*slot)->span, "tune", (*slot)->name->text);
      return false;
    }
    (*slot)->next = NULL;
    check_expr(c, *slot, type);
    if (!type && (*slot)->type != c->types->poison) type = (*slot)->type;
    if (type && (*slot)->type != c->types->poison) convert_to(c, slot, type);
    (*slot)->next = next;
    bool is_known = (*slot)->type != c->types->poison;
    if (is_known && !type_is_scalar((*slot)->type) && !type_is_literal((*slot)->type)) {
      diag_at(&c->diag, DIAG_tune_value, (*slot)->span, type_text((*slot)->type));
      return false;
    }
    if (is_known && !evaluate(c, *slot)) {
      evaluate_report(c, *slot);
      is_known = false;
    }
    is_good &= is_known;
  }
  return is_good;
}

static bool has_twice(Session *c, const Node *values)
{
  for (const Node *value = values; value; value = value->next)
    for (const Node *before = values; before != value; before = before->next) {
      if (before->bits != value->bits ||
          (before->flags & FLAG_negative) != (value->flags & FLAG_negative))
        continue;
      diag_at(&c->diag, DIAG_tune_twice, value->span, scalar_text(c, value));
      return true;
    }
  return false;
}

/* The value that counts. */
static Node *choose(Session *c, const Node *constant, Node *values, Tuning *tuning)
{
  const TuningFile *file = NULL;
  const TuningRow *row = deciding_row(c, constant, &file);
  tuning->from = "default";
  if (!row) return values;
  for (Node *value = values; value; value = value->next) {
    if (!is_text_of(value, row->value)) continue;
    tuning->from = file->table.path;
    return value;
  }
  uint32_t lo = file->source->base + row->at;
  diag_warn(&c->diag, DIAG_tuning_stale, (Span){lo, lo + row->bytes}, row->value, row->name);
  diag_note(&c->diag, DIAG_declared_here, constant->span, constant->name->text);
  return values;
}

void tune_choose(Session *c, Node *constant, Type *type)
{
  Node *call = constant->b;
  call->type = c->types->poison;
  if (!call->b) {
    diag_at(&c->diag, DIAG_argument_count, call->span, "tune", "1 to 64 arguments", 0u);
    return;
  }
  if (!check_values(c, call, type) || has_twice(c, call->b)) return;
  Tuning tuning = {.constant = constant};
  Buf texts = BUF(c->unit);
  for (const Node *value = call->b; value; value = value->next)
    buf_printf(&texts, "%s\"%s\"", value == call->b ? "" : ", ", scalar_text(c, value));
  tuning.values = buf_text(&texts);
  Node *value = choose(c, constant, call->b, &tuning);
  tuning.value = arena_strdup(c->unit, scalar_text(c, value));
  vec_push(c->unit, &c->tunings, tuning);
  value->next = NULL;
  constant->b = value;
}
