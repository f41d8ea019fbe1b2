/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* code_private.h - declarations shared by the files of code/ only. */
#ifndef CK_CODE_PRIVATE_H
#define CK_CODE_PRIVATE_H

#include "code.h"

/* compiler.c ----------------------------------------------------------------------------------- */

/* A digest of the files that determine the compiler's output, by their names, sizes, times and
 * inodes; no file is opened. False if libckc is not found. */
bool compiler_identity(bool with_toolkit, Digest *out);

/* The same for the CUDA toolkit alone. */
Digest toolkit_identity_now(void);

/* source_file.c -------------------------------------------------------------------------------- */

/* A SourceFile is a temporary file with a program's source. It is removed with the last reference,
 * or at the end of the process. Returns NULL, with a line in the log, if the file can't be written.
 */
SourceFile *source_file_create(const char *text, size_t bytes);
const char *source_file_path(const SourceFile *file);
SourceFile *source_file_retain(SourceFile *file);
void source_file_release(SourceFile *file); /* NULL is fine */

/* object_code.c -------------------------------------------------------------------------------- */

/* Detects the form by the first bytes; CK_EMIT_DEFAULT if it is none. */
ck_emit_t object_code_detect(const void *data, size_t bytes);
/* CK_INVALID_ARGUMENT for an image that is cut off. Driver and linker take no length and trust the
 * image's own tables, so they would read beyond it. `bytes` does not include a manifest. Without a
 * manifest any bytes that follow the image are refused too: they may be part of a manifest, and
 * without it launches would not be checked. */
ck_status_t object_code_check(const void *image, size_t bytes, bool has_manifest);

/* Object code that has a manifest and no image, for parts_attach. */
ck_status_t object_code_from_manifest(const char *json, size_t bytes, ck_object_code_t **out_code);

/* parts.c -------------------------------------------------------------------------------------- */

/* Tells code that is a manifest alone how its kernels are compiled; other code is left alone.
 * `checked`: NULL, or the compilation that gave the manifest. It is taken, and NULL then, unless
 * the code has its parts already. */
ck_status_t parts_attach(ck_object_code_t *code, ck_program_t *program, const char *target,
                         Digest key, ck_compilation_t **checked);
/* Whether the program's first launches may use quick code. Then its manifest has to be compiled
 * with CK_COMPILE_QUICK, for the first part to go on from there. */
bool parts_will_be_quick(const ck_program_t *program);
void parts_free(ck_object_code_t *code);

/* program.c ------------------------------------------------------------------------------------ */

/* Compiles one kernel, or all (NULL), or finds the code in the cache: in a form that will do.
 * `checked` is released; of that form, or NULL. CK_COMPILE if the program's key is no longer `key`:
 * a file that it depends on has changed. */
ck_status_t program_compile_part(ck_program_t *program, const char *target, Digest key,
                                 const char *kernel, PartForm form, ck_compilation_t *checked,
                                 ck_object_code_t **out_code);
void program_release_checked(ck_compilation_t *checked);

/* Whether libNVVM runs in a child process (CK_COMPILE_ISOLATE). */
bool program_is_isolated(const ck_program_t *program);
/* Whether first launches may use quick code: the options leave the level to the library. */
bool program_may_be_quick(const ck_program_t *program);

/* cache.c -------------------------------------------------------------------------------------- */

typedef enum CacheSource { CACHE_memory, CACHE_disk, CACHE_miss, CACHE_caller } CacheSource;

/* Where compiled code of a program is cached, and whether failures count. */
typedef struct CacheWay {
  ck_cache_functions_t functions; /* the caller's own cache; without `get` the library's cache is
                                   * used */
  bool is_strict;                 /* a failure in the cache folder is CK_IO; otherwise it is
                                   * ignored */
  bool is_of_process;             /* cached in memory only */
  bool is_of_folder;              /* cached on disk only: something in memory refers to it */
} CacheWay;

/* Finds code by its key: a new reference, or NULL. */
ck_status_t cache_find(const CacheWay *way, Digest key, CacheSource *out_source,
                       ck_object_code_t **out_code);
ck_status_t cache_keep(const CacheWay *way, Digest key, ck_object_code_t *code);
/* CK_NOT_FOUND: the cache has no such entry. */
ck_status_t cache_remove(const CacheWay *way, Digest key);
/* Counts a result for ck_cache_get_stats. */
void cache_count(CacheSource source);

/* Implemented in system/: ck_system_get_versions, whose driver ck_toolkit_check compares with the
 * toolkit. */

#endif
