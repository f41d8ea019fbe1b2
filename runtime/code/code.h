/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* code.h - object code, its loading into drivers, and the compiler library.
 *
 * Object code retains the temporary source file that debuggers show.
 */
#ifndef CK_CODE_H
#define CK_CODE_H

#include "ck/program.h"
#include "code/manifest.h"
#include "device/device.h"

/* compiler.c ----------------------------------------------------------------------------------- */

/* The functions of libckc, which is opened when it is first needed. */
typedef struct Compiler {
#define COMPILER_FN(name) __typeof__(name) *name;
#include "code/compiler_fns.def"
} Compiler;

ck_status_t compiler_open(const Compiler **out_compiler);

/* object_code.c -------------------------------------------------------------------------------- */

typedef struct SourceFile SourceFile; /* code_private.h */

/* This code loaded into a driver. Most processes use one driver, at most two (libcuda and the host
 * device). */
typedef struct LoadedCode {
  struct LoadedCode *next;
  const Driver *driver;
  CUlibrary library;
} LoadedCode;

/* Code whose kernels are compiled when they are first needed (parts.c). */
typedef struct Parts Parts;

struct ck_object_code {
  Object object;
  ck_emit_t form;
  size_t bytes;             /* of `data`, with the manifest */
  size_t image_bytes;       /* without a manifest that follows the image */
  char *data;               /* owned; followed by a NUL byte */
  const char *json;         /* the manifest's text in `data` or `arena`; "" without one */
  const Manifest *manifest; /* in `arena`; NULL without one */
  Arena arena;
  SourceFile *source; /* retained; the file that debuggers show; NULL: none */
  LoadedCode *loaded; /* guarded by code_mutex of object_code.c */
  Parts *parts;       /* owned; then `data` is the manifest, and `form` CK_EMIT_MANIFEST. NULL:
                       * `data` has the code of all kernels */
};

/* The offset at which a 64-bit ELF image ends, of which at least the header is present. More than
 * `bytes` if a part is missing. */
uint64_t object_code_elf_end(const void *image, size_t bytes);
ck_status_t object_code_load(ck_object_code_t *code, ck_device_t *device, CUlibrary *out_library);

/* parts.c -------------------------------------------------------------------------------------- */

/* The code in which a kernel of this code's manifest is: compiled now, if it has not been before.
 * Borrowed from `code`. */
ck_status_t object_code_of(const ck_object_code_t *code, const ManifestKernel *kernel,
                           ck_object_code_t **out_code);
/* The code of all kernels, likewise. */
ck_status_t object_code_whole(const ck_object_code_t *code, ck_object_code_t **out_code);
/* Compiles the kernels of code that has parts, several at a time. Failures show in object_code_of.
 */
void parts_prepare(const ck_object_code_t *head, const ManifestKernel *const *kernels,
                   uint32_t count);

#endif
