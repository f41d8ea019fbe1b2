/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* code_private.h - what the files of code/ share, and no other folder sees. */
#ifndef CK_CODE_PRIVATE_H
#define CK_CODE_PRIVATE_H

#include "code.h"

/* compiler.c ----------------------------------------------------------------------------------- */

/* A digest of what decides the compiler's output, by the files' names, sizes, times and inodes:
 * nothing is opened. False if libckc is not found by name. */
bool compiler_identity(bool with_toolkit, Digest *out);

/* The same of the toolkit alone. */
Digest toolkit_identity_now(void);

/* source_file.c -------------------------------------------------------------------------------- */

/* A SourceFile is a source in a temporary file that lives as long as its references, and no longer
 * than the process. NULL where it can't be written: a line of the log, and no failure recorded. */
SourceFile *source_file_create(const char *text, size_t bytes);
const char *source_file_path(const SourceFile *file);
SourceFile *source_file_retain(SourceFile *file);
void source_file_release(SourceFile *file); /* NULL is fine */

/* object_code.c -------------------------------------------------------------------------------- */

/* The form that the first bytes say; CK_EMIT_DEFAULT for none. */
ck_emit_t object_code_detect(const void *data, size_t bytes);
/* CK_INVALID_ARGUMENT for an image, without its manifest, of which a part is missing: what reads
 * images of NVIDIA's and of LLVM's is told no length, or trusts the image. So it is if there is no
 * manifest, but bytes behind the image: a part of one would leave launches unchecked. */
ck_status_t object_code_check(const void *image, size_t bytes, bool has_manifest);

/* cache.c -------------------------------------------------------------------------------------- */

typedef enum CacheSource { CACHE_memory, CACHE_disk, CACHE_miss, CACHE_caller } CacheSource;

/* Where a program's code is kept, and what of it can fail. */
typedef struct CacheWay {
  ck_cache_functions_t functions; /* the caller's own cache; no `get`: this library's */
  bool is_strict;                 /* what the folder refuses is CK_IO */
  bool is_of_process;             /* in memory alone */
} CacheWay;

/* The code under a key: a new reference, or NULL. */
ck_status_t cache_find(const CacheWay *way, Digest key, CacheSource *out_source,
                       ck_object_code_t **out_code);
ck_status_t cache_keep(const CacheWay *way, Digest key, ck_object_code_t *code);
/* CK_NOT_FOUND: there is none under the key. */
ck_status_t cache_remove(const CacheWay *way, Digest key);
/* Counts how a program's code was found, for ck_cache_get_stats. */
void cache_count(CacheSource source);

#endif
