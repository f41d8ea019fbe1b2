/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* launch.h - kernels, attributes of launches, and the check of a launch.
 *
 *   kernel -> object code, device, memory resources of its scratch memory
 */
#ifndef CK_LAUNCH_H
#define CK_LAUNCH_H

#include "ck/kernel.h"
#include "code/code.h"
#include "memory/memory.h"

/* kernel.c ------------------------------------------------------------------------------------- */

/* What the driver keeps of a kernel on a device, which all objects of that kernel share. */
typedef struct NativeKernel {
  struct NativeKernel *next; /* in its bucket */
  unsigned references;       /* both guarded by kernel.c's mutex */
  const Driver *driver;
  CUdevice device;
  CUkernel kernel;
  atomic_uint_fast64_t resident; /* launch.c's; 0: not known */
  atomic_size_t dynamic_limit;   /* bytes of dynamic shared memory that the driver takes now */
} NativeKernel;

struct ck_kernel {
  Object object;
  ck_object_code_t *code; /* retained */
  ck_device_t *device;    /* retained */
  CUkernel native;
  const char *name;           /* the manifest's, or a copy of the caller's in own_name */
  const ManifestKernel *info; /* of code's manifest; NULL: launches are not checked */
  size_t static_shared_bytes;
  ck_memory_resource_t *scratch;       /* retained; NULL: it has no scratch memory */
  ck_memory_resource_t *graph_scratch; /* retained; of captured launches; NULL: none, or no pools */
  NativeKernel *common;                /* retained */
  size_t driver_param_count;           /* without a manifest; SIZE_MAX if the driver can't say */
  size_t driver_param_bytes[MAX_PARAMS];
  char *own_name; /* NULL with a manifest */
};

/* Raises dynamic_limit. */
ck_status_t kernel_allow_dynamic(ck_kernel_t *kernel, size_t bytes);

/* attribute.c ---------------------------------------------------------------------------------- */

enum {
  LAUNCH_ATTRIBUTE_COUNT = 0
/* clang-format off */
#define CK_LAUNCH_ATTRIBUTE(name, value, places, text) + 1
#include "ck/launch_attributes.def"
  /* clang-format on */
};
enum { LAUNCH_ATTRIBUTE_KINDS = 32 }; /* their numbers are below it: a bit each */

/* Whether streams ('S'), launches ('L') or nodes ('N') have it. */
bool launch_attribute_has(unsigned kind, char place);
/* Checks a launch's attributes and puts them behind those that it has, where there is room for
 * LAUNCH_ATTRIBUTE_COUNT more. The shape of the launch is known. */
ck_status_t launch_attributes_read(ck_device_t *device, const ck_launch_config_t *config,
                                   CUlaunchConfig *native);
/* What a graph's launch uses by its attributes. */
ck_status_t launch_attributes_keep(const ck_launch_config_t *config, GraphKeep *keep);
/* After the launch: gives out what the driver has written, and keeps for the capture what it uses.
 */
ck_status_t launch_attributes_done(const ck_launch_config_t *config, const CUlaunchConfig *native,
                                   GraphKeep *keep);
/* The way back; false if it is as in a plain launch. */
bool launch_attribute_from(const CUlaunchAttribute *native, ck_launch_attribute_t *out);
/* What a launch has that says nothing of it. */
CUlaunchAttributeValue launch_attribute_plain(CUlaunchAttributeID id);
/* "priority, access window" for a message. */
void launch_attributes_list(const ck_launch_config_t *config, char *text, size_t room);

/* launch.c ------------------------------------------------------------------------------------- */

/* Gets a launch as the driver wants it; its stream is not set. */
typedef ck_status_t LaunchUse(const CUlaunchConfig *config, void **slots, void *data);

/* Checks a launch as ck_launch_args does. A grid without blocks: *out_is_empty, and no use. */
ck_status_t launch_check(const ck_launch_config_t *config, ck_kernel_t *kernel,
                         const ck_arg_t *args, size_t arg_count, LaunchUse *use, void *data,
                         bool *out_is_empty);

/* CK_INVALID_ARGUMENT for a grid, block or cluster that has y or z, and no x. */
ck_status_t launch_check_shapes(const ck_kernel_t *kernel, const ck_launch_config_t *config);

/* graph/ --------------------------------------------------------------------------------------- */

/* A kernel and what its arguments lead to: addresses by what `from`, which may be NULL, keeps. */
ck_status_t graph_keep_launch(GraphKeep *keep, GraphKeep *from, ck_kernel_t *kernel,
                              const ck_arg_t *args, size_t arg_count);

#endif
