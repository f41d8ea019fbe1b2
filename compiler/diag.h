/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* diag.h - sources, places in them, and messages about them. */
#ifndef CK_DIAG_H
#define CK_DIAG_H

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
  uint32_t module; /* whose text it is: module.c */
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
#include "diag.def"
  DIAG_COUNT
} DiagId;

typedef struct Message Message;

/* Collects messages. After ERRORS_MAX errors the rest is only counted. */
enum { ERRORS_MAX = 20 };

typedef struct Diag {
  Arena *arena;
  const Sources *sources;
  Message *first, *last;
  Message *current; /* what notes and hints go to; NULL past the limit */
  uint32_t error_count;
} Diag;

/* Reports; diag_note and diag_hint add to the message before. A hint is a full sentence. A fix is
 * a hint that also says which text would stand at `span` instead. */
void diag_at(Diag *diag, DiagId id, Span span, ...);
void diag_note(Diag *diag, DiagId id, Span span, ...);
void diag_hint(Diag *diag, const char *format, ...) PRINTF_LIKE(2, 3);
void diag_fix(Diag *diag, Span span, const char *replacement);
/* All messages, sorted by place, as text. */
void diag_render(const Diag *diag, Buf *out);
const char *diag_id_name(DiagId id);

#endif
