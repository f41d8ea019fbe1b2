/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* output.h - what a compilation gives besides code: the manifest, and files with several images. */
#ifndef CK_OUTPUT_H
#define CK_OUTPUT_H

#include "check/check.h"

/* heads.c */
void heads_write(Session *c, Buf *out); /* --emit=heads: what the file declares, as JSON */

/* manifest.c */
void manifest_make(Session *c); /* again, once more is known */
/* image.c: docs/manifest.md says where an image has its manifest. */
void image_add_manifest(Session *c, Buf *image);
void image_add_lines(Session *c, Buf *ptx);
void image_add_in_head(Session *c, Buf *ltoir);
void image_add_digest(Session *c); /* of host code, to the manifest */

/* bundle.c */
/* Compiles for one target: the pipeline. NULL: there is no memory. */
typedef Session *CompileOne(const char *source, size_t bytes, const ck_compile_options_t *options,
                            ck_status_t *out_status);
ck_status_t bundle_compile(Session *c, const char *source, size_t bytes, CompileOne *compile);

#endif
