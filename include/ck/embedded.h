/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/embedded.h - images in the program itself, as the headers of `ckc --emit=header` have them. */
#ifndef CK_EMBEDDED_H
#define CK_EMBEDDED_H

#include "ck/kernel.h"
#include "ck/stream.h"
#include "ck/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Object code with its manifest: what ck_object_code_from_bytes takes. */
typedef struct ck_embedded_image {
  const void *data;
  size_t bytes;
} ck_embedded_image_t;

/* The images of one module, for different kinds of devices. Has static storage, and is changed by
 * the library alone. */
typedef struct ck_embedded {
  size_t struct_size;
  const ck_embedded_image_t *images;
  size_t image_count;
  void *loaded; /* the library's own; NULL at the start */
} ck_embedded_t;

/* Finds a kernel in the image for a stream's device, and loads that at the first call.
 *
 * stream   not NULL: it says which device
 * name     as ck_kernel_from_code takes it; must live as long as the program
 * out      borrowed: valid until ck_embedded_unload
 * threads  any number at a time, also for the first call
 * fails    CK_NOT_FOUND if there is no image for the device, or no such kernel in it; and as
 *          ck_kernel_from_code does
 */
CK_API ck_status_t ck_embedded_kernel(ck_embedded_t *embedded, ck_stream_t *stream,
                                      const char *name, ck_kernel_t **out_kernel);

/* Gives back what was loaded. No other thread may use the module meanwhile; launches that are under
 * way must have ended. A later call loads again. */
CK_API void ck_embedded_unload(ck_embedded_t *embedded);

#ifdef __cplusplus
}
#endif
#endif
