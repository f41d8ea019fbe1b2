/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* foreign.h - programs in other languages than CK, as program.c, foreign.c and the tools' files
 * share them. */
#ifndef CK_FOREIGN_H
#define CK_FOREIGN_H

#include "linker.h"

typedef struct Foreign {
  ck_program_kind_t kind;
  const char *source; /* followed by a NUL */
  size_t bytes;
  ck_program_options_t options; /* with copies of its texts */
  void *native;                 /* the tool's object with the source; NULL: not made yet */
  bool is_adopted;              /* it is the caller's, and its source is not known */
  ck_linker_t *linker;          /* for PTX and LTO-IR, with the source; retained; NULL: not made
                                 * yet */
  ck_device_t *linker_device;   /* borrowed: retained by the linker */
  const char *linker_target;    /* borrowed from the device or the options */
  bool wants_file;              /* the code has line numbers, and the source has no name of its
                                 * own */
  bool is_in_file;              /* the source is in a file, whose path is its name */
} Foreign;

/* The output of a tool. Everything is in the arena of `image`. */
typedef struct ForeignResult {
  Buf image;
  ck_emit_t form;
  Buf log;
  ck_pch_status_t pch;
  ManifestSymbol *symbols; /* of name expressions */
  size_t symbol_count;
} ForeignResult;

/* The tools: columns of program_options.def. */
typedef enum Tool { TOOL_nvrtc, TOOL_nvvm, TOOL_linker, TOOL_COUNT } Tool;

/* foreign.c: copies and checks a program's source and options. */
ck_status_t foreign_read(Arena *arena, ck_program_kind_t kind, const char *source, size_t bytes,
                         const ck_program_options_t *options, Foreign **out_foreign);
/* Adds the command line of a tool for all options that are set. */
void foreign_words(const Foreign *foreign, Tool tool, Words *words);
/* Computes the cache key. False if the code can't be cached: it depends on files and there is no
 * digest of them (`extra` is NULL), or it writes files. `device`: for which it is requested; may be
 * NULL. */
bool foreign_key(const Foreign *foreign, const ck_device_t *device, const char *target,
                 const Digest *extra, Digest *out);
/* Adds a warning to the log if NVRTC is newer than the driver, which will refuse its PTX; it may be
 * for another machine. */
void foreign_compare_versions(const Foreign *foreign, const ck_device_t *device, Buf *log);
/* Compiles. The log is set also on failure. */
ck_status_t foreign_compile(const Foreign *foreign, ck_device_t *device, const char *target,
                            ForeignResult *result, ck_object_code_t **out_code);

/* Gets the tool's own object with the source in it: nvrtcProgram, nvvmProgram, or a linker's
 * handle. It is made once, and freed by foreign_close. */
ck_status_t foreign_get_native(Foreign *foreign, ck_device_t *device, const char *target,
                               void **out_native);
/* Adopts a tool's object of the caller, and adds name expressions and further modules of the
 * options. */
ck_status_t foreign_adopt(Foreign *foreign, void *native);
void foreign_close(Foreign *foreign);

/* program_nvrtc.c, program_nvvm.c: create makes the tool's object with everything in it; complete
 * adds what is missing to an object that has the source. */
ck_status_t nvrtc_create(const Foreign *foreign, void **out_program);
ck_status_t nvrtc_complete(const Foreign *foreign, void *program);
void nvrtc_destroy(void *program);
ck_status_t nvvm_create(const Foreign *foreign, void **out_program);
ck_status_t nvvm_complete(const Foreign *foreign, void *program);
void nvvm_destroy(void *program);
/* Compile; CK_COMPILE with the log for errors in the source. */
ck_status_t nvrtc_compile(const Foreign *foreign, const char *target, ForeignResult *result);
ck_status_t nvvm_compile(const Foreign *foreign, const char *target, ForeignResult *result);

#endif
