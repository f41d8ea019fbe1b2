/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/nvtx.h - marks and ranges of time that tools such as Nsight Systems show (NVTX).
 *
 *   ck_nvtx_push(NULL, "training step", NULL);
 *   ...
 *   ck_nvtx_pop(NULL);
 *
 * A tool is a library that NVTX_INJECTION64_PATH names when the first of these functions is called;
 * tools set it themselves. Without one every call is a load and a comparison. The runtime marks
 * what takes long by itself, in the domain "cokernel": compiling, loading code, making graphs.
 * Nothing here can fail. Any thread may call it; push and pop belong to the thread.
 */
#ifndef CK_NVTX_H
#define CK_NVTX_H

#include "ck/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Keeps the ranges of a library from those of others; NULL is the program's. */
typedef struct ck_nvtx_domain ck_nvtx_domain_t;

typedef enum ck_nvtx_payload {
  CK_NVTX_NONE = 0,
  CK_NVTX_U64 = 1, /* the numbers are NVTX's */
  CK_NVTX_I64 = 2,
  CK_NVTX_F64 = 3,
  CK_NVTX_PAYLOAD_FORCE_INT = 0x7fffffff
} ck_nvtx_payload_t;

/* What a mark or range says besides its text. */
typedef struct ck_nvtx_options {
  size_t struct_size;
  uint32_t color;            /* 0xAARRGGBB; 0: the tool's choice */
  uint32_t category;         /* 0: none; ck_nvtx_set_category_name gives it a name */
  ck_nvtx_payload_t payload; /* which member of value is shown */
  union {
    uint64_t u;
    int64_t i;
    double d;
  } value;
} ck_nvtx_options_t;

/* Whether there is a tool. */
CK_API int ck_nvtx_is_attached(void);

/* Makes a domain; NULL if there is no tool, which all functions here take. */
CK_API ck_nvtx_domain_t *ck_nvtx_domain_create(const char *name);
CK_API void ck_nvtx_domain_release(ck_nvtx_domain_t *domain);
CK_API void ck_nvtx_set_category_name(ck_nvtx_domain_t *domain, uint32_t category,
                                      const char *name);

/* A point in time. options NULL: none. */
CK_API void ck_nvtx_mark(ck_nvtx_domain_t *domain, const char *text,
                         const ck_nvtx_options_t *options);

/* Ranges of this thread, which lie within each other: pop ends the last push. */
CK_API void ck_nvtx_push(ck_nvtx_domain_t *domain, const char *text,
                         const ck_nvtx_options_t *options);
CK_API void ck_nvtx_pop(ck_nvtx_domain_t *domain);

/* A range that any thread may end; 0 without a tool. */
CK_API uint64_t ck_nvtx_begin(ck_nvtx_domain_t *domain, const char *text,
                              const ck_nvtx_options_t *options);
CK_API void ck_nvtx_end(ck_nvtx_domain_t *domain, uint64_t range);

#ifdef __cplusplus
}
#endif
#endif
