/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* text.h - sources, positions in them, and messages about them. */
#ifndef CK_TEXT_H
#define CK_TEXT_H

#include "base.h"

/* A half-open range of bytes in the address space of all sources. {0, 0} means no position. */
typedef struct Span {
  uint32_t lo, hi;
} Span;

/* The limit of the address space. The texts of a program, imports included, may use half of it. */
enum { SOURCE_BYTES_MAX = 0x7fffffff };

typedef struct Source {
  const char *name;
  const char *text; /* followed by a NUL */
  uint32_t base;    /* offset of text[0] in the address space; 1 for the first source */
  uint32_t bytes;
  bool is_library;
  uint32_t module; /* index of its module: front/module.c */
  uint32_t *lines; /* offset of each line in text */
  uint32_t line_count;
} Source;

typedef struct Sources {
  Arena *arena;
  VEC(const Source *) list;
  uint32_t module; /* the module of sources that are added */
} Sources;

/* source.c */
const Source *source_add(Sources *sources, const char *name, const char *text, size_t bytes,
                         bool is_library);
const Source *source_of(const Sources *sources, uint32_t offset); /* NULL for no place */
/* Line and column of an offset, both from 1; the column counts bytes. */
void source_position(const Source *source, uint32_t offset, uint32_t *out_line, uint32_t *out_col);
/* The source of an offset, and the place there; NULL and 0: it has none. */
const Source *source_at(const Sources *sources, uint32_t offset, uint32_t *out_line,
                        uint32_t *out_col);
const char *source_text(const Sources *sources, Span span); /* points into the text */

typedef enum Severity { SEVERITY_ERROR, SEVERITY_WARNING, SEVERITY_NOTE } Severity;

typedef enum DiagId {
#define DIAG(id, severity, format) DIAG_##id,
#include "text/diag.def"
  DIAG_COUNT
} DiagId;

/* One replacement of text. A fix is a list of them, ordered and disjoint; applying all of them
 * gives exactly the text that the message asks for. */
typedef struct Edit {
  Span span; /* empty: an insertion before it */
  const char *text;
} Edit;

/* A line below a message: a note, a hint or a fix. */
typedef struct Line Line;
struct Line {
  Line *next;
  const char *text; /* of a note or hint */
  Span span;        /* of a note */
  const Edit *edits;
  uint32_t edit_count;
  DiagId id;
  bool is_advice;
  enum { LINE_NOTE, LINE_HINT, LINE_FIX } kind; /* in the order of display */
};

typedef struct Message Message;
struct Message {
  Message *next;
  DiagId id;
  Severity severity;
  Span span;
  const char *text;
  Line *first, *last;
  uint32_t order;
  bool is_repaired; /* the parser continued with the fix instead of the text */
};

/* Limits: errors that are shown, the first ones in the text, and errors that are kept for
 * sorting. */
enum { ERRORS_MAX = 20, ERRORS_KEPT_MAX = 256 };

typedef struct Diag {
  Arena *arena;
  const Sources *sources;
  Message *first, *last;
  Message *current; /* receives notes and hints; NULL if the message was dropped */
  uint32_t error_count, repaired_count;
  uint32_t order;
  bool is_strict;                   /* -Werror */
  unsigned char levels[DIAG_COUNT]; /* of warnings: a WarningLevel each */
} Diag;

typedef enum WarningLevel {
  WARNING_ON,
  WARNING_OFF,
  WARNING_IS_ERROR,
  WARNING_IS_NONE
} WarningLevel;

/* "ID", "no-ID", "error", "error=ID", "no-error=ID". False if there is no such warning. */
bool diag_set_warning(Diag *diag, const char *word);

/* diag.c: diag_at reports, and returns false, so that a check can end with it; diag_note, diag_hint
 * and diag_fix add to the previous message. A hint is a full sentence; a fix is the text that
 * should replace `span`. Dropped: a repeated message at the same place, and messages within
 * replaced text. */
bool diag_at(Diag *diag, DiagId id, Span span, ...);
void diag_at_list(Diag *diag, DiagId id, Span span, va_list values);
/* Reports a warning, unless it is turned off or in the library. */
void diag_warn(Diag *diag, DiagId id, Span span, ...);
void diag_note(Diag *diag, DiagId id, Span span, ...);
/* Removes every message since diag->order was `mark`: an attempt failed, and another one
 * follows. */
void diag_cut(Diag *diag, uint32_t mark);

/* Adds to every message since diag->order was `mark` that it concerns the instance `name`, made at
 * `span`. If `span` is in the program and the message in the library, the message moves to `span`,
 * and only the first such message is kept. */
void diag_instantiated(Diag *diag, uint32_t mark, Span span, const char *name);
void diag_hint(Diag *diag, const char *format, ...) PRINTF_LIKE(2, 3);
/* A hint that doesn't refer to the text at the message's position: it is kept when the message
 * moves. */
void diag_advise(Diag *diag, const char *format, ...) PRINTF_LIKE(2, 3);
void diag_fix(Diag *diag, Span span, const char *replacement);
void diag_fix_edits(Diag *diag, const Edit *edits, uint32_t count);
void diag_repaired(Diag *diag); /* the previous message doesn't stop the compilation */
const char *diag_id_name(DiagId id);

/* diag_render.c: all messages, sorted by position. */
typedef enum DiagForm { DIAG_TEXT, DIAG_COLOR, DIAG_JSON } DiagForm;
void diag_render(const Diag *diag, DiagForm form, Buf *out);
/* A message without position and id. */
void diag_render_plain(DiagForm form, const char *text, Buf *out);

#endif
