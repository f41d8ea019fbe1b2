/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/linker.h - links several pieces of device code, from CK, CUDA C++ or other languages, into
 * one.
 *
 *   ck_linker_create(device, NULL, &linker);
 *   ck_linker_add_code(linker, kernels);                              LTO-IR of a CK program
 *   ck_linker_add(linker, CK_LINK_ANY, ltoir, bytes, "functions.cu"); LTO-IR of CUDA C++
 *   ck_linker_link(linker, CK_EMIT_CUBIN, &code);
 *
 * There are two back ends: nvJitLink where it is found (ck/toolkit.h), otherwise the driver of the
 * device. LTO-IR is optimised across pieces: functions of one piece can be inlined into another.
 * The result contains the manifests of all pieces, so launches of CK kernels stay checked.
 *
 * source  nvJitLink, "API Reference"; CUDA Driver API, cuLinkCreate
 */
#ifndef CK_LINKER_H
#define CK_LINKER_H

#include "ck/device.h"
#include "ck/program.h"
#include "ck/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ck_linker ck_linker_t;

typedef enum ck_link_backend {
  CK_LINK_AUTO = 0,      /* nvJitLink if it is found, is 12.3 or newer, and its major version is
                          * not newer than the CUDA version of the GPU's driver, which might not
                          * load its output; otherwise the driver */
  CK_LINK_NVJITLINK = 1, /* needs no GPU; CK_UNAVAILABLE if it is not found or older than 12.3 */
  CK_LINK_DRIVER = 2     /* cuLinkCreate: no LTO-IR, and fewer options */
} ck_link_backend_t;

/* The kind of a piece. */
typedef enum ck_link_input {
  CK_LINK_ANY = 0, /* determined by the first bytes */
  CK_LINK_CUBIN = 1,
  CK_LINK_PTX = 2,
  CK_LINK_LTOIR = 3,
  CK_LINK_FATBIN = 4,
  CK_LINK_OBJECT = 5, /* a host object that contains device code: nvcc -dc */
  CK_LINK_LIBRARY = 6 /* an archive of such objects: libcudadevrt.a */
} ck_link_input_t;

/* Options of a link. A field that is set and that the back end does not support is CK_UNSUPPORTED.
 * (D): the driver's linker supports it too. */
typedef struct ck_linker_options {
  size_t struct_size;
  const char *name;                      /* (D) name of the result, in its manifest; default
                                          * "linked" */
  const char *target;                    /* (D) "sm_90"; default: the device's */
  ck_link_backend_t backend;             /* the linker to use */
  uint32_t max_registers;                /* (D) per thread */
  ck_opt_level_t opt_level;              /* (D) CK_OPT_0 and CK_OPT_3 */
  ck_choice_t time;                      /* times in the info log */
  ck_choice_t verbose;                   /* (D) more in the info log */
  ck_choice_t link_time_optimization;    /* unset: on if a piece is LTO-IR */
  ck_choice_t debug;                     /* (D) -g */
  ck_choice_t lineinfo;                  /* (D) */
  ck_choice_t ftz;                       /* of LTO-IR: denormals of f32 are zeros */
  ck_choice_t prec_div;                  /* of LTO-IR: f32 / is rounded correctly */
  ck_choice_t prec_sqrt;                 /* of LTO-IR: so is sqrt */
  ck_choice_t fma;                       /* of LTO-IR: a * b + c is one operation */
  ck_choice_t optimize_unused_variables; /* of LTO-IR: remove them */
  ck_choice_t no_cache;                  /* (D) don't use the cache on disk */
  ck_choice_t incremental;               /* a cubin that can be linked again; nvJitLink 13.2 */
  uint32_t split_compile;                /* (D) optimiser threads, or CK_SPLIT_ALL; 1: one */
  uint32_t split_compile_extended;       /* the same, for all phases after the LTO link */
  const char *const *kernels_used;       /* of LTO-IR: others may be removed; symbols, `*`
                                          * matches anything */
  size_t kernel_used_count;
  const char *const *variables_used;
  size_t variable_used_count;
  const char *const *ptxas_options; /* in the syntax of ptxas: "-v" */
  size_t ptxas_option_count;
  const char *const *extra; /* more options, in the syntax of nvJitLink: "-Xnvvm=..." */
  size_t extra_count;
} ck_linker_options_t;

/* Makes a linker. Nothing is linked yet.
 *
 * device   the target device, whose driver links for CK_LINK_DRIVER; may be NULL if the options
 *          name a target and nvJitLink links
 * options  copied; NULL: defaults
 * fails    CK_UNSUPPORTED: an option, which the message names, that the back end lacks, or the host
 *          device without a target; CK_INVALID_ARGUMENT: a number out of range, or a count without
 *          a list; CK_UNAVAILABLE: there is no back end
 */
CK_API ck_status_t ck_linker_create(ck_device_t *device, const ck_linker_options_t *options,
                                    ck_linker_t **out_linker);
CK_API ck_linker_t *ck_linker_retain(ck_linker_t *linker);
CK_API void ck_linker_release(ck_linker_t *linker);

/* Adds a piece.
 *
 * data, bytes  copied. PTX need not end in NUL
 * name         for messages; NULL: a number
 * fails        CK_INVALID_ARGUMENT: CK_LINK_ANY and the bytes are of no known kind, or are code for
 *              the host device; or a part of the image, or of the manifest behind it, is missing.
 *              CK_UNSUPPORTED: LTO-IR for the driver
 */
CK_API ck_status_t ck_linker_add(ck_linker_t *linker, ck_link_input_t kind, const void *data,
                                 size_t bytes, const char *name);
/* The same from a file; CK_IO or CK_NOT_FOUND if it can't be read. */
CK_API ck_status_t ck_linker_add_file(ck_linker_t *linker, ck_link_input_t kind, const char *path);
CK_API ck_status_t ck_linker_add_code(ck_linker_t *linker, const ck_object_code_t *code);

/* Links all pieces. May be called again, for another form or after adding pieces.
 *
 * form     CK_EMIT_CUBIN (or CK_EMIT_DEFAULT); CK_EMIT_PTX from LTO-IR; CK_EMIT_LTOIR with
 *          nvJitLink 13.3
 * threads  one call at a time for one linker
 * fails    CK_COMPILE if the pieces can't be linked, or nvJitLink crashed on them, and CK_DRIVER if
 *          the driver says so: the message has the first lines of the error log; CK_UNSUPPORTED: a
 *          form that the back end does not make; CK_IO: the child process for the link could not be
 *          started
 */
CK_API ck_status_t ck_linker_link(ck_linker_t *linker, ck_emit_t form, ck_object_code_t **out_code);

/* The logs of the last call of ck_linker_link; "" if empty. Valid until the next call. */
CK_API const char *ck_linker_error_log(const ck_linker_t *linker);
CK_API const char *ck_linker_info_log(const ck_linker_t *linker);

/* The back end's own handle: an nvJitLinkHandle, or a CUlinkState in the device's context, as
 * ck_linker_backend says. It is made at the first call, for a cubin, with the pieces added so far;
 * borrowed, until the last release. Pieces that the caller adds to the handle are linked too: the
 * next ck_linker_link of a cubin adds the missing pieces to the handle and links it, and its
 * results stay in it. Later links use handles of their own.
 *
 * threads  not while another thread links
 * fails    CK_COMPILE or CK_DRIVER: options or a piece are refused
 */
CK_API ck_status_t ck_linker_get_native(ck_linker_t *linker, void **out_native);

/* The back end in use: CK_LINK_NVJITLINK or CK_LINK_DRIVER. */
CK_API ck_link_backend_t ck_linker_backend(const ck_linker_t *linker);

/* The back end that CK_LINK_AUTO selects for a device (may be NULL), and its version: of nvJitLink,
 * or the CUDA version of the driver. out_major, out_minor may be NULL.
 *
 * fails    CK_UNAVAILABLE if there is neither
 */
CK_API ck_status_t ck_linker_find_backend(ck_device_t *device, ck_link_backend_t *out_backend,
                                          int *out_major, int *out_minor);

#ifdef __cplusplus
}
#endif
#endif
