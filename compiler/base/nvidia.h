/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvidia.h - libNVVM, nvJitLink and NVRTC: tables of functions, filled when they are first needed.
 *
 * Compiler and runtime have tables of their own of the one library in a process: the second finds
 * it already loaded (toolkit.c). The libraries stay open. Built without CUDA's headers.
 */
#ifndef CK_NVIDIA_H
#define CK_NVIDIA_H

#include "base.h"

typedef struct Nvvm {
#define NVVM_FN(result, name, parameters, need) result(*name) parameters;
#include "libnvvm.def"
} Nvvm;

typedef struct NvJitLink {
#define NVJITLINK_FN(name, parameters, need) int(*name) parameters;
#include "nvjitlink.def"
} NvJitLink;

typedef struct Nvrtc {
#define NVRTC_FN(result, name, parameters, need) result(*name) parameters;
#include "nvrtc.def"
} Nvrtc;

/* nvJitLinkInputType */
enum {
  NVJITLINK_INPUT_cubin = 1,
  NVJITLINK_INPUT_ptx,
  NVJITLINK_INPUT_ltoir,
  NVJITLINK_INPUT_fatbin,
  NVJITLINK_INPUT_object,
  NVJITLINK_INPUT_library,
  NVJITLINK_INPUT_any = 10
};

/* The table, or NULL; then *out_why (may be NULL) has a line for each place that was tried. */
const Nvvm *nvvm_open(const char **out_why);
const NvJitLink *nvjitlink_open(const char **out_why);
const Nvrtc *nvrtc_open(const char **out_why);

/* Loads a second nvJitLink with variables of its own, as if the first had not been used. For a
 * child process that ends soon, since 98 MB are copied. */
bool nvjitlink_open_anew(NvJitLink *out);

/* libdevice's bitcode; NULL, with *out_why, where it is not found. */
const char *libdevice_open(size_t *out_bytes, const char **out_why);

#endif
