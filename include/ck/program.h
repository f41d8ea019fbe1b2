/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/program.h - programs (CK text), object code (what they compile to), and the cache between.
 *
 * Compiling needs libckc, which is opened when it is first needed: $CK_LIBCKC, else beside this
 * library, else where the loader finds it. Object code that is in the cache needs neither LLVM nor
 * a CUDA toolkit.
 */
#ifndef CK_PROGRAM_H
#define CK_PROGRAM_H

#include "ck/compile.h"
#include "ck/device.h"
#include "ck/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ck_program ck_program_t;
typedef struct ck_object_code ck_object_code_t;

/* ---- programs ------------------------------------------------------------------------------ */

/* Makes a program from CK text. Nothing is compiled yet.
 *
 * source, bytes  UTF-8; copied
 * options        of the compiler (ck/compile.h); copied; NULL: defaults. `emit` must be
 *                CK_EMIT_DEFAULT, CK_EMIT_PTX, CK_EMIT_CUBIN, CK_EMIT_FATBIN or CK_EMIT_HOST.
 *                `target` NULL: the device's that the program is compiled for
 * fails          CK_INVALID_ARGUMENT for options
 */
CK_API ck_status_t ck_program_create(const char *source, size_t bytes,
                                     const ck_compile_options_t *options,
                                     ck_program_t **out_program);
CK_API ck_program_t *ck_program_retain(ck_program_t *program);
CK_API void ck_program_release(ck_program_t *program);

/* Compiles for a device, or takes the result from the cache.
 *
 * device   what to compile for; may be NULL if the options name a target
 * threads  any; one program may be compiled for several devices at a time
 * fails    CK_COMPILE if the source is at fault: ck_last_error() has the first lines of the log,
 *          ck_program_log() all of it; CK_UNAVAILABLE without libckc or a part of the toolkit
 */
CK_API ck_status_t ck_program_compile(ck_program_t *program, ck_device_t *device,
                                      ck_object_code_t **out_code);

/* What the compiler said in the program's last compilation: errors or warnings, "" if none.
 * Valid until the program is compiled again or released. */
CK_API const char *ck_program_log(const ck_program_t *program);

/* ---- object code --------------------------------------------------------------------------- */

/* Makes object code from a cubin, PTX, a fatbin, LTO-IR or host code; told apart by their first
 * bytes. LTO-IR is for a linker (ck/linker.h): no device loads it.
 *
 * data     copied. PTX need not end in NUL
 * fails    CK_INVALID_ARGUMENT if it is none of them, or if its manifest can't be read. Code
 *          without a manifest is taken; its launches are not checked
 */
CK_API ck_status_t ck_object_code_from_bytes(const void *data, size_t bytes,
                                             ck_object_code_t **out_code);
/* The same from a file; CK_IO or CK_NOT_FOUND if it can't be read. */
CK_API ck_status_t ck_object_code_from_file(const char *path, ck_object_code_t **out_code);

CK_API ck_object_code_t *ck_object_code_retain(ck_object_code_t *code);
CK_API void ck_object_code_release(ck_object_code_t *code);

/* Writes the code with its manifest to a file. fails CK_IO */
CK_API ck_status_t ck_object_code_save(const ck_object_code_t *code, const char *path);

CK_API const void *ck_object_code_bytes(const ck_object_code_t *code, size_t *out_bytes);
CK_API ck_emit_t ck_object_code_form(const ck_object_code_t *code); /* CK_EMIT_CUBIN and so on */
CK_API const char *ck_object_code_manifest(const ck_object_code_t *code); /* JSON; "" without one */

/* The kernels that the manifest names; 0 without a manifest. Names as written in CK. */
CK_API size_t ck_object_code_kernel_count(const ck_object_code_t *code);
CK_API const char *ck_object_code_kernel_name(const ck_object_code_t *code, size_t index);

/* Names that stand for symbols: CUDA C++'s name expressions, "saxpy<float>". By index from 0, the
 * symbol, and what it is called in *out_name (may be NULL); NULL behind the last. */
CK_API size_t ck_object_code_symbol_count(const ck_object_code_t *code);
CK_API const char *ck_object_code_symbol(const ck_object_code_t *code, size_t index,
                                         const char **out_name);

/* ---- cache --------------------------------------------------------------------------------- */

typedef struct ck_cache_stats {
  uint64_t memory_hits; /* found in this process */
  uint64_t disk_hits;   /* found in the cache folder */
  uint64_t misses;      /* compiled */
  uint64_t rejected;    /* entries on disk that were damaged, and removed */
} ck_cache_stats_t;

/* Counts since the process started. */
CK_API void ck_cache_get_stats(ck_cache_stats_t *out_stats);

/* Forgets what this process keeps in memory. The folder stays as it is. */
CK_API void ck_cache_clear(void);

#ifdef __cplusplus
}
#endif
#endif
