/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* launch_private.h - the state of one launch, which launch.c and plan.c share.
 */
#ifndef CK_LAUNCH_PRIVATE_H
#define CK_LAUNCH_PRIVATE_H

#include "launch.h"

/* The bytes that a launch may access through one span. */
typedef struct Range {
  uint64_t start, bytes;
} Range;

enum { UNKNOWN_BYTES = -1 };

/* The attributes for cluster, cooperative and programmatic launches. */
enum { SHAPE_ATTRIBUTES = 3 };

/* The parameters of a kernel, scratch memory, persistent memory, loops. */
enum { SLOTS_MAX = 2 * MAX_PARAMS + 2 + MAX_LOOPS };

typedef struct Launch {
  ck_kernel_t *kernel;
  CUdeviceptr scratch; /* 0: none */
  size_t scratch_bytes;
  const ManifestKernel *info;
  const ck_arg_t *args;
  ck_launch_config_t config;
  CUlaunchConfig native;
  CUlaunchAttribute attributes[SHAPE_ATTRIBUTES + LAUNCH_ATTRIBUTE_COUNT];
  int64_t numbers[NUMBER_COUNT]; /* values of the variables in expressions */
  Range ranges[MAX_PARAMS];      /* of spans; bytes: of the argument, after check_extents those
                                  * that the extents need */
  uint64_t values[SLOTS_MAX];    /* values by slot, in the low bytes */
  void *slots[SLOTS_MAX];        /* the addresses of the values, as the driver takes them */
  uint32_t inferred_count;       /* arguments that are CK_ARG_INFERRED */
} Launch;

/* launch.c ------------------------------------------------------------------------------------- */

/* Fails because the expression, which computes `what`, has no value. */
COLD ck_status_t launch_expr_fault(const Launch *launch, const Expr *expr, const char *what,
                                   ExprError error);
/* Fails with "kernel 'saxpy', argument 3 'x': " and the text. */
COLD ck_status_t launch_argument_fault(const Launch *launch, uint32_t index, const char *format,
                                       ...) PRINTF_LIKE(3, 4);
/* Whether the value of an integer argument can be represented in another type. */
bool launch_integer_fits(const ck_arg_t *arg, ck_dtype_t dtype);
/* Each reads a part of the launch, and checks it. launch_read_grid sets *out_is_empty if there are
 * no blocks. */
ck_status_t launch_read_arguments(Launch *launch);
ck_status_t launch_read_block(Launch *launch);
ck_status_t launch_read_resident(Launch *launch, const ck_stream_t *stream);
ck_status_t launch_read_grid(Launch *launch, bool *out_is_empty);
ck_status_t launch_read_cluster(Launch *launch);
ck_status_t launch_read_shared(Launch *launch);
ck_status_t launch_read_flags(Launch *launch);
ck_status_t launch_put_into_stream(Launch *launch, const ck_stream_t *stream);

/* tensor.c ------------------------------------------------------------------------------------- */

/* Reads the address and length of a span from a DLTensor, and checks everything about it but its
 * extents. */
ck_status_t launch_read_tensor(Launch *launch, uint32_t index, const ManifestParam *param);
/* Computes the scalars that are left out from the shapes of the DLTensors. */
ck_status_t launch_infer(Launch *launch);
/* Compares one extent of a parameter with the DLTensor's. */
ck_status_t launch_check_axis(const Launch *launch, uint32_t index, uint32_t axis, int64_t extent);

/* workspace.c ---------------------------------------------------------------------------------- */

typedef struct Workspace Workspace;

/* Allocates memory for a captured launch of an algorithm: bytes and addresses of persistent and
 * scratch memory. The capture's keep retains it. */
ck_status_t workspace_create(const ck_kernel_t *plan, GraphKeep *capture, const size_t bytes[2],
                             CUdeviceptr address[2], Workspace **out_workspace);
/* Behind the captured launch of a step: remembers its node, and the parameter that has the address
 * of scratch memory; the next one has that of the persistent memory. */
void workspace_note(Workspace *own, const ck_kernel_t *step, const ck_stream_t *stream,
                    uint32_t slot);

/* kept.c --------------------------------------------------------------------------------------- */

typedef struct KeptMemory KeptMemory;

/* Memory for one launch: persistent memory, scratch memory. */
typedef struct Kept {
  size_t bytes[2]; /* what it needs: set by the caller */
  bool is_own;     /* so that no other algorithm writes the persistent memory: set by the caller */
  CUdeviceptr address[2];
  KeptMemory *memory;             /* the stream's, locked; NULL: of this launch alone */
  ck_memory_resource_t *resource; /* of memory that is freed behind the launch, or NULL */
  Workspace *workspace;           /* of a captured launch; in the capture's keep */
} Kept;

/* Takes memory for a launch on the stream. Its persistent memory has been zeroed, or has words of
 * earlier launches on this stream. */
ck_status_t kept_take(const ck_kernel_t *plan, ck_stream_t *stream, Kept *out);
/* Gives it back behind the launches. is_good: all of them were made. */
void kept_give(ck_stream_t *stream, Kept *kept, bool is_good);

/* plan.c --------------------------------------------------------------------------------------- */

/* Launches the steps of an algorithm. The arguments are read. */
ck_status_t plan_launch(Launch *launch, ck_stream_t *stream);
/* The bytes of scratch memory that its launch needs. */
ck_status_t plan_scratch(Launch *launch, ck_stream_t *stream, size_t *out_bytes);

#endif
