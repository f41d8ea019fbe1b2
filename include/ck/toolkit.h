/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/toolkit.h - where the parts of the CUDA toolkit lie on this machine, and whether they fit.
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

/* The version of the toolkit that a part is of: that of the wheel whose RECORD names it, or what
 * version.json or cuda.h in a folder above it says.
 *
 * out_major   13 of 13.0; either may be NULL
 * out_source  the file, or the wheel's folder, that says so; may be NULL. Valid until the next call
 *             on this thread
 * fails       CK_NOT_FOUND: no such file, or nothing says it; CK_INVALID_ARGUMENT: no such part
 */
CK_API ck_status_t ck_toolkit_get_version(const char *part, int *out_major, int *out_minor,
                                          const char **out_source);

#define CK_TOOLKIT_STRICT 1u /* a part whose version nothing says does not fit */

/* Versions are numbers as CUDA_VERSION is: 12.9 is 12090. */
typedef struct ck_toolkit_options {
  size_t struct_size;
  int driver_version; /* that it is judged for; 0: this machine's, asked by NVML; -1: for none */
  int driver_branch;  /* 580; 0: this machine's, or not known if driver_version is given */
  int least_version;  /* of each part; 0: any */
  int below_version;  /* of each part, 14000: CUDA 13 at most; 0: any */
  uint32_t flags;     /* CK_TOOLKIT_* */
} ck_toolkit_options_t;

/* Whether the parts that are found belong together, and a driver runs what they make: by
 * cuda.pathfinder's rules. Parts that make and read the same code are of one version; nvJitLink is
 * not older than NVRTC; a driver runs code of its own version and of older ones, and by minor
 * version compatibility cubins of later ones with its major number. Parts of different places fit
 * if their versions do. CUDA's forward compatibility packages are told by driver_version.
 *
 * out_report  a line for what fits only in part, such as cubins without PTX; "" mostly. Valid until
 *             the next call on this thread; may be NULL
 * fails       CK_UNSUPPORTED: the message has a line for each thing that does not fit, and the way
 *             out; CK_INVALID_ARGUMENT for options
 */
CK_API ck_status_t ck_toolkit_check(const ck_toolkit_options_t *options, const char **out_report);

#ifdef __cplusplus
}
#endif
#endif
