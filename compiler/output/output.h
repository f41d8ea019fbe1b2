/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* output.h - what a compilation produces besides code: the manifest, the declarations of a file as
 * JSON, and containers that hold the images of several targets.
 */
#ifndef CK_OUTPUT_H
#define CK_OUTPUT_H

#include "check/check.h"

/* heads.c */
void heads_write(Session *c, Buf *out); /* --emit=heads: what the file declares, as JSON */

/* manifest.c */
/* Can be called again, after ptxas has reported each kernel's registers: it then replaces
 * c->manifest. ^ */
void manifest_make(Session *c);
/* image.c: docs/manifest.md says where each form of code holds its manifest. */
void image_add_manifest(Session *c, Buf *image);
void image_add_lines(Session *c, Buf *ptx);
void image_add_in_head(Session *c, Buf *ltoir);
void image_add_digest(Session *c); /* the digest of host code, added to c->manifest */

/* bundle.c */
/* Runs the whole pipeline for one target. Returns NULL if memory is exhausted. */
typedef Session *CompileOne(const char *source, size_t bytes, const ck_compile_options_t *options,
                            ck_status_t *out_status);
ck_status_t bundle_compile(Session *c, const char *source, size_t bytes, CompileOne *compile);

#endif
