/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvtx.h - the runtime's own ranges of time, which a tool shows if there is one. */
#ifndef CK_NVTX_INTERNAL_H
#define CK_NVTX_INTERNAL_H

#include "error.h"

/* "compile saxpy.ck" from here to nvtx_end, which is told whether there was a tool. */
bool nvtx_begin(const char *verb, const char *what);
void nvtx_end(bool has_begun);

#endif
