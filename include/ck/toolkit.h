/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/toolkit.h - finds the parts of the CUDA toolkit on this machine and checks that they fit
 * together.
 *
 * The search order is that of NVIDIA's cuda.pathfinder: libraries that are loaded in this process
 * already, NVIDIA's wheels ($VIRTUAL_ENV, $CK_SITE_PACKAGES), $CONDA_PREFIX, the loader's own
 * search, $CUDA_PATH, $CUDA_HOME, the folder of cudart, /usr/local/cuda. Each part is searched for
 * separately. $CK_CUDA_HOME comes before all of these; if it is set to "", there is no toolkit.
 * `ckc info` prints all parts.
 */
#ifndef CK_TOOLKIT_H
#define CK_TOOLKIT_H

#include "ck/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The names of the parts, by index from 0; NULL after the last: "libNVVM", "libdevice",
 * "nvJitLink", "NVRTC", "ptxas", "headers" (cuda_fp16.h, in the folder that NVRTC needs as include
 * path), "cudadevrt". */
CK_API const char *ck_toolkit_part(size_t index);

/* Searches for a part; nothing is remembered between calls. A library that only the loader finds is
 * opened and stays open.
 *
 * out_path   its file
 * out_place  the place in the search order, for people: "CUDA_HOME"; may be NULL. Both are valid
 *            until the next call on this thread
 * fails      CK_NOT_FOUND: the message has a line for each place that was tried;
 *            CK_INVALID_ARGUMENT: there is no such part
 */
CK_API ck_status_t ck_toolkit_find(const char *part, const char **out_path, const char **out_place);

/* The version of the toolkit to which a part belongs: that of the wheel whose RECORD lists it, or
 * the one in version.json or cuda.h in a folder above it.
 *
 * out_major   13 of 13.0; either may be NULL
 * out_source  the file, or the wheel's folder, that has the version; may be NULL. Valid until the
 *             next call on this thread
 * fails       CK_NOT_FOUND: no such file, or its version is unknown; CK_INVALID_ARGUMENT: no such
 *             part
 */
CK_API ck_status_t ck_toolkit_get_version(const char *part, int *out_major, int *out_minor,
                                          const char **out_source);

#define CK_TOOLKIT_STRICT 1u /* a part of unknown version does not fit */

/* What ck_toolkit_check checks against. Versions are coded like CUDA_VERSION: 12.9 is 12090. */
typedef struct ck_toolkit_options {
  size_t struct_size;
  int driver_version; /* driver to check for; 0: this machine's, by NVML; -1: none */
  int driver_branch;  /* such as 580; 0: this machine's, or unknown if driver_version is given */
  int least_version;  /* lower limit for each part; 0: none */
  int below_version;  /* upper limit, exclusive, for each part: 14000 is CUDA 13 at most; 0: none */
  uint32_t flags;     /* CK_TOOLKIT_* */
} ck_toolkit_options_t;

/* Checks that the parts fit together and that a driver runs what they make, by the rules of
 * cuda.pathfinder:
 *
 * - Parts that write and read the same intermediate code have one version.
 * - nvJitLink is not older than NVRTC.
 * - A driver runs code of its own version and older ones, and by minor version compatibility also
 *   cubins of later versions with the same major number.
 * - Parts from different places fit if their versions do.
 *
 * Forward compatibility packages of CUDA are described by driver_version.
 *
 * out_report  a line for each thing that fits only in part, such as cubins without PTX; usually "".
 *             Valid until the next call on this thread; may be NULL
 * fails       CK_UNSUPPORTED: the message has a line for each mismatch, with a remedy;
 *             CK_INVALID_ARGUMENT for options
 */
CK_API ck_status_t ck_toolkit_check(const ck_toolkit_options_t *options, const char **out_report);

#ifdef __cplusplus
}
#endif
#endif
