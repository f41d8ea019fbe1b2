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

/* How a part has been compiled: thoroughly, in little time (CK_COMPILE_QUICK), or so and with sums
 * of floating-point numbers (CK_COMPILE_QUICK_SUMS). A number says which forms will do as well: the
 * form itself and those before it. */
typedef enum PartForm { PART_thorough, PART_quick, PART_quick_sums, PART_FORMS } PartForm;

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
  PartForm part_form; /* of a part */
  bool is_kept_part;  /* a part that the cache had */
};

/* The offset at which a 64-bit ELF image ends, of which at least the header is present. More than
 * `bytes` if a part is missing. */
uint64_t object_code_elf_end(const void *image, size_t bytes);
ck_status_t object_code_load(ck_object_code_t *code, ck_device_t *device, CUlibrary *out_library);

/* parts.c -------------------------------------------------------------------------------------- */

/* The code in which a kernel of this code's manifest is: compiled now, if it has not been before.
 * Of code in parts, `form` will do. Borrowed from `code`. */
ck_status_t object_code_of(const ck_object_code_t *code, const ManifestKernel *kernel,
                           PartForm form, ck_object_code_t **out_code);
/* The code of all kernels, likewise. */
ck_status_t object_code_whole(const ck_object_code_t *code, ck_object_code_t **out_code);

typedef struct PartWanted {
  const ManifestKernel *kernel;
  PartForm form; /* will do */
} PartWanted;

/* Compiles kernels of code that has parts, several at a time. Failures show in object_code_of. */
void parts_prepare(const ck_object_code_t *head, const PartWanted *wanted, uint32_t count);

/* Whether first launches may use quick code. */
bool parts_may_be_quick(const ck_object_code_t *head);
/* Compiles what is quick thoroughly, in the background. */
void parts_improve(ck_object_code_t *head);
/* How many kernels have become thorough; 0 for code without parts. */
uint32_t parts_version(const ck_object_code_t *head);
/* Is there thorough code of the kernel? */
bool parts_is_thorough(const ck_object_code_t *head, const ManifestKernel *kernel);

#endif
