/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/toolkit.h - where the parts of the CUDA toolkit lie on this machine.
 *
 * The order is cuda.pathfinder's: already loaded in this process, NVIDIA's wheels ($VIRTUAL_ENV,
 * $CK_SITE_PACKAGES), $CONDA_PREFIX, the loader's own search, $CUDA_PATH, $CUDA_HOME, beside
 * cudart, /usr/local/cuda. Each part is looked for by itself. $CK_CUDA_HOME stands before
 * everything; an empty one says that there is no toolkit. `ckc info` prints all parts.
 */
#ifndef CK_TOOLKIT_H
#define CK_TOOLKIT_H

#include "ck/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The names of the parts, by index from 0; NULL behind the last: "libNVVM", "libdevice",
 * "nvJitLink", "NVRTC", "ptxas", "headers" (cuda_fp16.h, in the folder that NVRTC's include_path
 * needs), "cudadevrt". */
CK_API const char *ck_toolkit_part(size_t index);

/* Looks for a part, anew with each call. A library that only the loader finds stays open.
 *
 * out_path   its file
 * out_place  which place of the order it was, for people: "CUDA_HOME"; may be NULL. Both are valid
 *            until the next call on this thread
 * fails      CK_NOT_FOUND: the message has a line for each place that was tried;
 *            CK_INVALID_ARGUMENT: there is no such part
 */
CK_API ck_status_t ck_toolkit_find(const char *part, const char **out_path, const char **out_place);

#ifdef __cplusplus
}
#endif
#endif
