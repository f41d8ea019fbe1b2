/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* text.h - sources, places in them, and messages about them. */
#ifndef CK_TEXT_H
#define CK_TEXT_H

#include "base.h"

/* Half-open range of bytes in the one address space of all sources. {0, 0} is no place. */
typedef struct Span {
  uint32_t lo, hi;
} Span;

/* The longest text of one program, all imports counted. */
enum { SOURCE_BYTES_MAX = 0x7fffffff };

typedef struct Source {
  const char *name;
  const char *text; /* followed by a NUL */
  uint32_t base;    /* offset of text[0] in the address space; 1 for the first source */
  uint32_t bytes;
  bool is_library;
  uint32_t module; /* whose text it is: front/module.c */
  uint32_t *lines; /* where each line starts, from text */
  uint32_t line_count;
} Source;

typedef struct Sources {
  Arena *arena;
  VEC(const Source *) list;
  uint32_t module; /* of the sources that are added */
} Sources;

/* source.c */
const Source *source_add(Sources *sources, const char *name, const char *text, size_t bytes,
                         bool is_library);
const Source *source_of(const Sources *sources, uint32_t offset); /* NULL for no place */
/* Line and column of an offset, both from 1; the column counts bytes. */
void source_position(const Source *source, uint32_t offset, uint32_t *out_line, uint32_t *out_col);
const char *source_text(const Sources *sources, Span span); /* points into the text */

typedef enum Severity { SEVERITY_ERROR, SEVERITY_WARNING, SEVERITY_NOTE } Severity;

typedef enum DiagId {
#define DIAG(id, severity, format) DIAG_##id,
#include "text/diag.def"
  DIAG_COUNT
} DiagId;

/* One replacement of text. A fix is a list of them, in order and apart; together they are exact:
 * text that has them is what the message asks for. */
typedef struct Edit {
  Span span; /* empty: text goes in before it */
  const char *text;
} Edit;

/* What stands below a message. */
typedef struct Line Line;
struct Line {
  Line *next;
  const char *text; /* a note's, or a hint's */
  Span span;        /* of a note */
  const Edit *edits;
  uint32_t edit_count;
  DiagId id;
  bool is_advice;
  enum { LINE_NOTE, LINE_HINT, LINE_FIX } kind; /* in the order in which they are shown */
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
  bool is_repaired; /* the parser has read the fix in the place of the text, and went on */
};

/* Collects messages. Of many errors, those that stand first in the text are shown. */
enum { ERRORS_MAX = 20, ERRORS_KEPT_MAX = 256 };

typedef struct Diag {
  Arena *arena;
  const Sources *sources;
  Message *first, *last;
  Message *current; /* what notes and hints go to; NULL where the message was dropped */
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

/* "ID", "no-ID", "error", "error=ID", "no-error=ID". False: there is no such warning. */
bool diag_set_warning(Diag *diag, const char *word);

/* diag.c: diag_at reports; diag_note, diag_hint and diag_fix add to the message before. A hint is a
 * full sentence, a fix says which text would stand at `span` instead. The same message at the same
 * place, and what goes wrong inside a repair, is dropped. */
void diag_at(Diag *diag, DiagId id, Span span, ...);
/* A warning of any id, unless it is turned off, or stands in the library. */
void diag_warn(Diag *diag, DiagId id, Span span, ...);
void diag_note(Diag *diag, DiagId id, Span span, ...);
/* Takes back every message since diag->order was `mark`: what was tried is done another way. */
void diag_cut(Diag *diag, uint32_t mark);

/* For every message since diag->order was `mark`: what is wrong stands in an instance named `name`,
 * which is made at `span`. If that is the program's text and the place the library's, the message
 * is about `span` from now on, and the first one alone is kept. */
void diag_instantiated(Diag *diag, uint32_t mark, Span span, const char *name);
void diag_hint(Diag *diag, const char *format, ...) PRINTF_LIKE(2, 3);
/* A hint that says nothing of the text at the place: it stays when the message leaves it. */
void diag_advise(Diag *diag, const char *format, ...) PRINTF_LIKE(2, 3);
void diag_fix(Diag *diag, Span span, const char *replacement);
void diag_fix_edits(Diag *diag, const Edit *edits, uint32_t count);
void diag_repaired(Diag *diag); /* the message before is no reason to stop */
const char *diag_id_name(DiagId id);

/* diag_render.c: all messages, sorted by place. */
typedef enum DiagForm { DIAG_TEXT, DIAG_COLOR, DIAG_JSON } DiagForm;
void diag_render(const Diag *diag, DiagForm form, Buf *out);
/* A message that has no place and no id. */
void diag_render_plain(DiagForm form, const char *text, Buf *out);

#endif
