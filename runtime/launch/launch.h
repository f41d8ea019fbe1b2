/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* launch.h - kernels, launch attributes, and the checks of a launch.
 *
 * What a kernel retains (holds a counted reference to):
 *
 *   kernel -> object code, device, memory resources of its scratch memory
 */
#ifndef CK_LAUNCH_H
#define CK_LAUNCH_H

#include "ck/kernel.h"
#include "code/code.h"
#include "memory/memory.h"

/* kernel.c ------------------------------------------------------------------------------------- */

/* The state that the driver keeps for a kernel on a device. All ck_kernel_t objects of that kernel
 * share it, so that each knows what another has changed. */
typedef struct NativeKernel {
  struct NativeKernel *next; /* next in its hash bucket */
  unsigned references;       /* this and `next` are guarded by kernel.c's mutex */
  const Driver *driver;
  CUdevice device;
  CUkernel kernel;
  atomic_uint_fast64_t resident; /* launch.c's cached answer, how many blocks are resident; 0:
                                  * unknown */
  atomic_size_t dynamic_limit;   /* bytes of dynamic shared memory that the driver accepts at
                                  * present */
} NativeKernel;

typedef struct PlanSchedule PlanSchedule; /* plan.c */

struct ck_kernel {
  Object object;
  ck_object_code_t *code; /* retained */
  ck_device_t *device;    /* retained */
  CUkernel native;
  const char *name;           /* the manifest's string, or own_name */
  const ManifestKernel *info; /* in the code's manifest; NULL: launches are not checked */
  size_t static_shared_bytes;
  ck_memory_resource_t *scratch;       /* retained; NULL: the kernel needs no scratch memory */
  ck_memory_resource_t *graph_scratch; /* retained; for captured launches; NULL: no scratch
                                        * memory, or a device without memory pools */
  NativeKernel *common;                /* retained */
  size_t driver_param_count;           /* used without a manifest; SIZE_MAX: the driver is too
                                        * old to tell */
  size_t driver_param_bytes[MAX_PARAMS];
  char *own_name; /* owned; NULL with a manifest */
  /* An algorithm of several kernels: they, retained, in the order of info->steps, each NULL until
   * kernel_step has opened it. Then `native` is NULL. */
  _Atomic(ck_kernel_t *) *steps;
  _Atomic(ck_kernel_t *) replaced; /* of an algorithm: steps that others have replaced, retained */
  ck_kernel_t *next_replaced;      /* of such a step */
  atomic_bool has_been_quick;      /* of an algorithm: a launch has had quick code */
  PlanSchedule *schedule;          /* of an algorithm, of its last launch (plan.c); or NULL */
};

/* Opens step `i` of an algorithm, if it isn't open in a form that will do: for code that has parts,
 * it is compiled. The kernel is borrowed from the algorithm. */
ck_status_t kernel_step(ck_kernel_t *plan, uint32_t i, PartForm form, ck_kernel_t **out_step);
/* Is `step`, which may be NULL, in such a form, and is there none that is better? */
bool kernel_step_will_do(const ck_kernel_t *plan, const ck_kernel_t *step, uint32_t i,
                         PartForm form);

/* CK_UNSUPPORTED for an algorithm of several kernels, of which `what` can't be asked. */
ck_status_t kernel_need_one(const ck_kernel_t *kernel, const char *what);

/* Makes the driver accept as much dynamic shared memory as the device has; CK_INVALID_ARGUMENT if
 * `bytes` are more. */
ck_status_t kernel_allow_dynamic(ck_kernel_t *kernel, size_t bytes);

/* attribute.c ---------------------------------------------------------------------------------- */

enum {
  LAUNCH_ATTRIBUTE_COUNT = 0
/* clang-format off */
#define CK_LAUNCH_ATTRIBUTE(name, value, places, text) + 1
#include "ck/launch_attributes.def"
  /* clang-format on */
};
enum {
  LAUNCH_ATTRIBUTE_KINDS = 32
}; /* the numbers of all kinds are below it, so a 32-bit set can hold them */

/* Whether streams ('S'), launches ('L') or graph nodes ('N') can have an attribute of this kind. */
bool launch_attribute_has(unsigned kind, char place);
/* Checks a launch's attributes, and appends them in the driver's form to native->attrs, which has
 * room for LAUNCH_ATTRIBUTE_COUNT more. The grid and the block are set already. */
ck_status_t launch_attributes_read(ck_device_t *device, const ck_launch_config_t *config,
                                   CUlaunchConfig *native);
/* The keep retains the buffers and events that a launch's attributes name. */
ck_status_t launch_attributes_keep(const ck_launch_config_t *config, GraphKeep *keep);
/* After the launch: returns what the driver has written, and, if the launch was captured, lets the
 * capture retain what the attributes name. */
ck_status_t launch_attributes_done(const ck_launch_config_t *config, const CUlaunchConfig *native,
                                   GraphKeep *keep);
/* Converts an attribute from the driver's form; false if it has the value of a launch without it.
 */
bool launch_attribute_from(const CUlaunchAttribute *native, ck_launch_attribute_t *out);
/* The value that a launch has without this attribute. */
CUlaunchAttributeValue launch_attribute_plain(CUlaunchAttributeID id);
/* Lists the names of the attributes for a message, for example "priority, access window". */
void launch_attributes_list(const ck_launch_config_t *config, char *text, size_t room);

/* plan.c --------------------------------------------------------------------------------------- */

void plan_schedule_release(PlanSchedule *schedule); /* NULL is fine */
/* Called when an algorithm is destroyed: its persistent memory is for others (kept.c). */
void kept_forget(const ck_kernel_t *plan);

/* launch.c ------------------------------------------------------------------------------------- */

/* Receives a checked launch in the driver's form, whose stream is not set. `slots` are the
 * addresses of the parameters. */
typedef ck_status_t LaunchUse(const CUlaunchConfig *config, void **slots, void *data);

/* Checks a launch as ck_launch_args does, and passes it to `use`. If the grid has no blocks,
 * *out_is_empty is set and `use` is not called. */
ck_status_t launch_check(const ck_launch_config_t *config, ck_kernel_t *kernel,
                         const ck_arg_t *args, size_t arg_count, LaunchUse *use, void *data,
                         bool *out_is_empty);

/* CK_INVALID_ARGUMENT for a grid, block or cluster that has y or z, but no x. */
ck_status_t launch_check_shapes(const ck_kernel_t *kernel, const ck_launch_config_t *config);

/* attribute.c: what a captured launch uses ---------------------------------------------------- */

extern const RefKind kernel_ref;
/* The keep retains a kernel and what its arguments refer to. An argument that is a bare address is
 * looked up in the buffers of `from`, which may be NULL. */
ck_status_t graph_keep_launch(GraphKeep *keep, GraphKeep *from, ck_kernel_t *kernel,
                              const ck_arg_t *args, size_t arg_count);

/* workspace.c ---------------------------------------------------------------------------------- */

/* Gives an executable graph, which has just been made or updated, memory of its own for the
 * algorithms in it; `keep` is the graph's. Definitions can't change meanwhile. */
ck_status_t workspaces_take(const Driver *driver, const void *graph, CUgraphExec native,
                            GraphKeep *keep);
/* The graph doesn't use the memory any more. */
void workspaces_leave(const void *graph, GraphKeep *keep);

#endif
