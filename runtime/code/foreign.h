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
  void *native;                 /* nvrtcProgram, nvvmProgram that has the source; NULL: none yet */
  bool is_adopted;              /* it is the caller's, and the source is not known */
  ck_linker_t *linker;          /* of PTX and LTO-IR, with the source; retained; NULL: none yet */
  ck_device_t *linker_device;   /* borrowed: the linker has it */
  const char *linker_target;    /* borrowed: it lives as long as device or options */
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

/* The tool's own object with the source in it: nvrtcProgram, nvvmProgram, or a linker's. Made once;
 * foreign_close gives it back. */
ck_status_t foreign_get_native(Foreign *foreign, ck_device_t *device, const char *target,
                               void **out_native);
/* A program of the caller's: name expressions and further modules of the options are added. */
ck_status_t foreign_adopt(Foreign *foreign, void *native);
void foreign_close(Foreign *foreign);

/* program_nvrtc.c, program_nvvm.c: the tool's program, with all that it is made of; what has to be
 * added to one that has the source. */
ck_status_t nvrtc_create(const Foreign *foreign, void **out_program);
ck_status_t nvrtc_complete(const Foreign *foreign, void *program);
void nvrtc_destroy(void *program);
ck_status_t nvvm_create(const Foreign *foreign, void **out_program);
ck_status_t nvvm_complete(const Foreign *foreign, void *program);
void nvvm_destroy(void *program);
/* CK_COMPILE with the log if the source is at fault. */
ck_status_t nvrtc_compile(const Foreign *foreign, const char *target, ForeignResult *result);
ck_status_t nvvm_compile(const Foreign *foreign, const char *target, ForeignResult *result);

#endif
