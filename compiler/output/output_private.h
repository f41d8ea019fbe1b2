/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* output_private.h - what the files of compiler/output call of each other, file by file. */
#ifndef CK_OUTPUT_PRIVATE_H
#define CK_OUTPUT_PRIVATE_H

#include "output/output.h"

/* manifest.c */
const char *manifest_type(const Type *type);

/* fatbin.c */
void fatbin_open(Buf *out);
void fatbin_close(Buf *out);
void fatbin_cubin(Buf *out, const Target *target, const Buf *image, size_t bytes);
void fatbin_ptx(Buf *out, const Target *target, const char *ptx);

/* header.c */
/* The text of the launch functions, with place holders such as @LINKAGE@; then the header around
 * it. */
void header_launches(Session *c, Buf *out);
void header_make(Session *c, const Buf *launches, const Buf *fatbin, const Buf *host, Buf *out);

#endif
