/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* foreign.h - programs of other languages than CK: what they are made of, and who makes code of
 * them.
 */
#ifndef CK_FOREIGN_H
#define CK_FOREIGN_H

#include "linker.h"

typedef struct Foreign {
  ck_program_kind_t kind;
  const char *source; /* followed by a NUL */
  size_t bytes;
  ck_program_options_t options; /* its texts are copies */
  bool wants_file;              /* code says lines of a source that has no name of its own */
  bool is_in_file;              /* it has a file, and that is its name */
} Foreign;

/* What a tool made. Everything lies in the arena of `image`. */
typedef struct ForeignResult {
  Buf image;
  ck_emit_t form;
  Buf log;
  ck_pch_status_t pch;
  ManifestSymbol *symbols; /* of name expressions */
  size_t symbol_count;
} ForeignResult;

/* The tools that have words for options: columns of program_options.def. */
typedef enum Tool { TOOL_nvrtc, TOOL_nvvm, TOOL_linker, TOOL_COUNT } Tool;

/* foreign.c: copies and checks. */
ck_status_t foreign_read(Arena *arena, ck_program_kind_t kind, const char *source, size_t bytes,
                         const ck_program_options_t *options, Foreign **out_foreign);
/* Adds the words that a tool has for what is set. */
void foreign_words(const Foreign *foreign, Tool tool, Words *words);
/* False if the code can't be kept: it depends on files, and there is no digest of them (`extra`, or
 * NULL), or files are to be written. `device`: who asks for it; may be NULL. */
bool foreign_key(const Foreign *foreign, const ck_device_t *device, const char *target,
                 const Digest *extra, Digest *out);
/* Warns in the log of PTX by an NVRTC that is newer than the driver: this one refuses it, but it
 * may be for another machine. */
void foreign_compare_versions(const Foreign *foreign, const ck_device_t *device, Buf *log);
/* With the log, also on failure. */
ck_status_t foreign_compile(const Foreign *foreign, ck_device_t *device, const char *target,
                            ForeignResult *result, ck_object_code_t **out_code);

/* program_nvrtc.c, program_nvvm.c: CK_COMPILE with the log if the source is at fault. */
ck_status_t nvrtc_compile(const Foreign *foreign, const char *target, ForeignResult *result);
ck_status_t nvvm_compile(const Foreign *foreign, const char *target, ForeignResult *result);

#endif
