/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/embedded.h - loads kernels from images that are compiled into the program.
 *
 * A C header that `ckc --emit=header` writes contains the compiled code of a module as arrays, one
 * for each kind of device, and functions that launch its kernels. These functions find their
 * kernels with ck_embedded_get_kernel, which loads the image for a device at its first use.
 */
#ifndef CK_EMBEDDED_H
#define CK_EMBEDDED_H

#include "ck/kernel.h"
#include "ck/stream.h"
#include "ck/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Object code with its manifest, in a form that ck_object_code_from_bytes accepts. */
typedef struct ck_embedded_image {
  const void *data;
  size_t bytes;
} ck_embedded_image_t;

/* The images of one module for different kinds of devices. It has static storage, and only the
 * library changes it. */
typedef struct ck_embedded {
  size_t struct_size;
  const ck_embedded_image_t *images;
  size_t image_count;
  void *loaded; /* private to the library; NULL at the start */
} ck_embedded_t;

/* Finds a kernel in the image for the device of a stream, and loads that image at the first call.
 *
 * stream   not NULL: it determines the device
 * name     as ck_kernel_from_code takes it; must live as long as the program
 * out      borrowed: valid until ck_embedded_close
 * threads  any number at a time, including the first call
 * fails    CK_NOT_FOUND if there is no image for the device, or no such kernel in it; and as
 *          ck_kernel_from_code
 */
CK_API ck_status_t ck_embedded_get_kernel(ck_embedded_t *embedded, ck_stream_t *stream,
                                          const char *name, ck_kernel_t **out_kernel);

/* Unloads all images that were loaded. No other thread may use the module during the call, and
 * launches must have finished. A later ck_embedded_get_kernel loads again. */
CK_API void ck_embedded_close(ck_embedded_t *embedded);

#ifdef __cplusplus
}
#endif
#endif
