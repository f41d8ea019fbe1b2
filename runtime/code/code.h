/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* code.h - object code as it is loaded, and the compiler's library that makes it.
 *
 *   object code -> the source that debuggers show
 */
#ifndef CK_CODE_H
#define CK_CODE_H

#include "ck/program.h"
#include "code/manifest.h"
#include "device/device.h"

/* compiler.c ----------------------------------------------------------------------------------- */

/* The functions of libckc, opened when it is first needed. */
typedef struct Compiler {
#define COMPILER_FN(name) __typeof__(name) *name;
#include "code/compiler_fns.def"
} Compiler;

ck_status_t compiler_open(const Compiler **out_compiler);

/* object_code.c -------------------------------------------------------------------------------- */

typedef struct SourceFile SourceFile; /* code_private.h */

/* A driver's library of this code. Most processes have one driver, at most two. */
typedef struct LoadedCode {
  struct LoadedCode *next;
  const Driver *driver;
  CUlibrary library;
} LoadedCode;

struct ck_object_code {
  Object object;
  ck_emit_t form;
  size_t bytes;             /* of the data, the manifest included */
  size_t image_bytes;       /* without a manifest that stands behind the image */
  char *data;               /* followed by a NUL */
  const char *json;         /* in data or arena; "" without a manifest */
  const Manifest *manifest; /* in arena; NULL without one */
  Arena arena;
  SourceFile *source; /* retained; what debuggers show lines of; NULL: none of ours */
  LoadedCode *loaded; /* guarded by code_mutex of object_code.c */
};

/* Where a 64-bit ELF image ends, whose head is there; beyond `bytes` if a part of it is missing. */
uint64_t object_code_elf_end(const void *image, size_t bytes);
ck_status_t object_code_load(ck_object_code_t *code, ck_device_t *device, CUlibrary *out_library);

#endif
