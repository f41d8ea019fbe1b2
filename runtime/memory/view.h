/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* view.h - functions shared by view.c and dlpack.c, and the structs of DLPack.
 *
 * Source: dmlc/dlpack, dlpack.h, version 1. DLPack is a binary interface: the order and types of
 * the fields are fixed, their names are ours.
 */
#ifndef CK_VIEW_PARTS_H
#define CK_VIEW_PARTS_H

#include <stdbool.h>

#include "ck/view.h"

/* The first byte and the end of the view relative to its first element; false on overflow. */
bool view_reach(const ck_view_t *view, int64_t *out_lowest, int64_t *out_highest);

/* Sets dense strides, the last axis innermost. */
void view_set_dense(ck_view_t *view);

/* CK_INVALID_ARGUMENT for a view that does not lie in its buffer, or has invalid fields. */
ck_status_t view_check(const ck_view_t *view, const char *function);

/* Whether vectors of this number of components exist. */
bool view_takes_components(uint32_t components);

enum { DL_VERSION = 1, DL_READ_ONLY = 1, DL_COPIED = 2 };
typedef enum DlDevice { DL_CPU = 1, DL_CUDA = 2, DL_CUDA_HOST = 3, DL_CUDA_MANAGED = 13 } DlDevice;
typedef enum DlCode {
  DL_INT = 0,
  DL_UINT = 1,
  DL_FLOAT = 2,
  DL_OPAQUE = 3,
  DL_BFLOAT = 4,
  DL_COMPLEX = 5,
  DL_BOOL = 6
} DlCode;

typedef struct DlTensor {
  void *data;
  int32_t device_type, device_id;
  int32_t rank;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t *extents, *strides; /* strides: NULL if dense */
  uint64_t byte_offset;
} DlTensor;

struct DLManagedTensor {
  DlTensor tensor;
  void *context;
  void (*deleter)(struct DLManagedTensor *self); /* or NULL */
};

struct DLManagedTensorVersioned {
  uint32_t major, minor;
  void *context;
  void (*deleter)(struct DLManagedTensorVersioned *self); /* or NULL */
  uint64_t flags;
  DlTensor tensor;
};

#endif
