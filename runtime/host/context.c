/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* context.c - contexts of the host device: the current context, limits, green contexts.
 *
 * The multiprocessors of the host device are the cores of the CPU. A green context only stores the
 * number of cores that it was given; which core executes a block is the operating system's choice.
 */
#include <stdio.h>
#include <string.h>

#include "host.h"

/* The depth of a thread's stack of current contexts; the highest priority of a stream, as on GPUs.
 */
enum { MAX_DEPTH = 64, PRIORITY_HIGH = -5 };

typedef struct HostContext {
  unsigned core_count; /* 0: all */
  unsigned queue_scope,
      queue_limit; /* limit 0: that of the device. Without effect: each stream has its own queue */
  uint64_t id;
} HostContext;

static HostContext primary = {.id = 1};
static atomic_uint_fast64_t last_id = 1;

/* The context stack of each thread; the last entry is current. */
static _Thread_local CUcontext current_stack[MAX_DEPTH];
static _Thread_local unsigned current_depth;

CUcontext host_primary_context(void)
{
  return (CUcontext)(void *)&primary;
}

bool host_is_current(void)
{
  return current_depth > 0 && current_stack[current_depth - 1];
}

CUresult host_cuCtxPushCurrent(CUcontext context)
{
  if (!context || current_depth == MAX_DEPTH) return CUDA_ERROR_INVALID_CONTEXT;
  current_stack[current_depth++] = context;
  return CUDA_SUCCESS;
}

CUresult host_cuCtxPopCurrent(CUcontext *out_context)
{
  if (current_depth == 0) return CUDA_ERROR_INVALID_CONTEXT;
  *out_context = current_stack[--current_depth];
  return CUDA_SUCCESS;
}

CUresult host_cuCtxGetCurrent(CUcontext *out_context)
{
  *out_context = current_depth ? current_stack[current_depth - 1] : NULL;
  return CUDA_SUCCESS;
}

CUresult host_cuCtxSetCurrent(CUcontext context)
{
  if (!context) {
    if (current_depth) --current_depth;
    return CUDA_SUCCESS;
  }
  if (!current_depth) return host_cuCtxPushCurrent(context);
  current_stack[current_depth - 1] = context;
  return CUDA_SUCCESS;
}

CUresult host_cuCtxGetDevice(CUdevice *out_device)
{
  if (!host_is_current()) return CUDA_ERROR_INVALID_CONTEXT;
  *out_device = 0;
  return CUDA_SUCCESS;
}

CUresult host_cuCtxGetId(CUcontext context, unsigned long long *out_id)
{
  if (!context) host_cuCtxGetCurrent(&context);
  if (!context) return CUDA_ERROR_INVALID_CONTEXT;
  *out_id = ((HostContext *)(void *)context)->id;
  return CUDA_SUCCESS;
}

CUresult host_cuCtxGetStreamPriorityRange(int *out_low, int *out_high)
{
  if (!host_is_current()) return CUDA_ERROR_INVALID_CONTEXT;
  *out_low = 0;
  *out_high = PRIORITY_HIGH;
  return CUDA_SUCCESS;
}

CUresult host_cuCtxResetPersistingL2Cache(void)
{
  return host_is_current() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

/* limits ------------------------------------------------------------------------------------- */

/* Limits are stored without effect: CUDA threads have coroutine frames of the size they need, and
 * the output of print is not bounded. */
#define FIRST_LIMITS                                                                               \
  {                                                                                                \
    [CU_LIMIT_STACK_SIZE] = 1024, [CU_LIMIT_PRINTF_FIFO_SIZE] = 1 << 20,                           \
    [CU_LIMIT_MALLOC_HEAP_SIZE] = 8 << 20                                                          \
  }
static atomic_size_t limits[] = FIRST_LIMITS;

void host_renew_primary(void)
{
  static const size_t first[] = FIRST_LIMITS;
  for (size_t i = 0; i < COUNT_OF(limits); ++i) atomic_store(&limits[i], first[i]);
  primary.id = atomic_fetch_add(&last_id, 1) + 1;
}

CUresult host_cuCtxGetLimit(size_t *out_value, CUlimit limit)
{
  if (!host_is_current()) return CUDA_ERROR_INVALID_CONTEXT;
  if ((unsigned)limit >= CU_LIMIT_MAX) return CUDA_ERROR_INVALID_VALUE;
  if ((size_t)limit >= COUNT_OF(limits)) return CUDA_ERROR_UNSUPPORTED_LIMIT;
  *out_value = atomic_load(&limits[limit]);
  return CUDA_SUCCESS;
}

CUresult host_cuCtxSetLimit(CUlimit limit, size_t value)
{
  UNSAFE_IN_CAPTURES();
  if (!host_is_current()) return CUDA_ERROR_INVALID_CONTEXT;
  if ((unsigned)limit >= CU_LIMIT_MAX) return CUDA_ERROR_INVALID_VALUE;
  if ((size_t)limit >= COUNT_OF(limits)) return CUDA_ERROR_UNSUPPORTED_LIMIT;
  atomic_store(&limits[limit], value);
  return CUDA_SUCCESS;
}

/* peers: there is one device ------------------------------------------------------------------ */

CUresult host_cuDeviceCanAccessPeer(int *out_can, CUdevice device, CUdevice peer)
{
  *out_can = 0;
  return device == 0 && peer == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult host_cuDeviceGetP2PAttribute(int *out_value, CUdevice_P2PAttribute attribute,
                                      CUdevice device, CUdevice peer)
{
  (void)attribute, (void)device, (void)peer;
  *out_value = 0;
  return CUDA_ERROR_INVALID_DEVICE;
}

CUresult host_cuCtxEnablePeerAccess(CUcontext peer, unsigned flags)
{
  (void)peer, (void)flags;
  return CUDA_ERROR_INVALID_CONTEXT;
}

CUresult host_cuCtxDisablePeerAccess(CUcontext peer)
{
  (void)peer;
  return CUDA_ERROR_INVALID_CONTEXT;
}

/* green contexts ----------------------------------------------------------------------------- */

static CUdevResource cores(unsigned count, unsigned together, unsigned flags)
{
  if (!count) return (CUdevResource){.type = CU_DEV_RESOURCE_TYPE_INVALID};
  return (CUdevResource){.type = CU_DEV_RESOURCE_TYPE_SM, .sm = {count, 1, together, flags}};
}

static CUresult get_resource(const HostContext *context, CUdevResource *out, CUdevResourceType type)
{
  unsigned all = host_core_count();
  *out = (CUdevResource){.type = CU_DEV_RESOURCE_TYPE_INVALID};
  if (type == CU_DEV_RESOURCE_TYPE_SM)
    *out = cores(context->core_count ? context->core_count : all, 1, 0);
  else if (type == CU_DEV_RESOURCE_TYPE_WORKQUEUE_CONFIG)
    *out = (CUdevResource){
        .type = type,
        .wqConfig = {0, context->queue_limit ? context->queue_limit : all, context->queue_scope}};
  else return CUDA_ERROR_INVALID_RESOURCE_TYPE;
  return CUDA_SUCCESS;
}

CUresult host_cuDeviceGetDevResource(CUdevice device, CUdevResource *out, CUdevResourceType type)
{
  return device == 0 ? get_resource(&primary, out, type) : CUDA_ERROR_INVALID_DEVICE;
}

CUresult host_cuCtxGetDevResource(CUcontext native, CUdevResource *out, CUdevResourceType type)
{
  return get_resource((HostContext *)(void *)native, out, type);
}

CUresult host_cuGreenCtxGetDevResource(CUgreenCtx green, CUdevResource *out, CUdevResourceType type)
{
  return host_cuCtxGetDevResource((CUcontext)(void *)green, out, type);
}

CUresult host_cuDevSmResourceSplitByCount(CUdevResource *groups, unsigned *inout_count,
                                          const CUdevResource *input, CUdevResource *out_rest,
                                          unsigned flags, unsigned min_count)
{
  (void)flags; /* there are no clusters of cores */
  if (input->type != CU_DEV_RESOURCE_TYPE_SM) return CUDA_ERROR_INVALID_RESOURCE_TYPE;
  if (min_count > input->sm.smCount) return CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
  unsigned size = min_count ? min_count : 1, count = input->sm.smCount / size;
  if (groups && count > *inout_count) count = *inout_count;
  for (unsigned i = 0; groups && i < count; ++i) groups[i] = cores(size, 1, 0);
  if (out_rest) *out_rest = cores(input->sm.smCount - count * size, 1, 0);
  *inout_count = count;
  return CUDA_SUCCESS;
}

/* How many of the remaining cores a group gets. Any number would do, since cores have no clusters;
 * the rules of a GPU are checked all the same. */
static CUresult size_group(const CU_DEV_SM_RESOURCE_GROUP_PARAMS *group, unsigned left,
                           unsigned *out_count)
{
  bool fills = group->flags & CU_DEV_SM_RESOURCE_GROUP_BACKFILL;
  unsigned together = group->coscheduledSmCount ? group->coscheduledSmCount : 1;
  unsigned count = group->smCount;
  if (group->flags & ~(unsigned)CU_DEV_SM_RESOURCE_GROUP_BACKFILL || together > 32)
    return CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < COUNT_OF(group->reserved); ++i)
    if (group->reserved[i]) return CUDA_ERROR_INVALID_VALUE;
  if (!count) count = fills && left >= together ? left : left - left % together;
  if (count > left || (count % together && !fills))
    return CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
  *out_count = count;
  return CUDA_SUCCESS;
}

CUresult host_cuDevSmResourceSplit(CUdevResource *groups, unsigned count,
                                   const CUdevResource *input, CUdevResource *out_rest,
                                   unsigned flags, CU_DEV_SM_RESOURCE_GROUP_PARAMS *params)
{
  if (input->type != CU_DEV_RESOURCE_TYPE_SM) return CUDA_ERROR_INVALID_RESOURCE_TYPE;
  if (flags || !count) return CUDA_ERROR_INVALID_VALUE;
  unsigned left = input->sm.smCount;
  for (unsigned i = 0; i < count; ++i) {
    unsigned together = params[i].coscheduledSmCount ? params[i].coscheduledSmCount : 1, size;
    CUresult result = size_group(&params[i], left, &size);
    if (result != CUDA_SUCCESS) return result;
    if (groups && size < together) return CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
    if (groups) groups[i] = cores(size, together, params[i].flags);
    params[i].smCount = size;
    left -= size;
  }
  if (out_rest) *out_rest = cores(left, 1, 0);
  return CUDA_SUCCESS;
}

CUresult host_cuDevResourceGenerateDesc(CUdevResourceDesc *out_desc, CUdevResource *resources,
                                        unsigned count)
{
  /* No call frees a descriptor, so each thread has one static one. */
  static _Thread_local HostContext made;
  made = (HostContext){0};
  for (unsigned i = 0; i < count; ++i) {
    if (resources[i].type == CU_DEV_RESOURCE_TYPE_SM) {
      made.core_count += resources[i].sm.smCount;
      continue;
    }
    if (resources[i].type != CU_DEV_RESOURCE_TYPE_WORKQUEUE_CONFIG)
      return CUDA_ERROR_INVALID_RESOURCE_TYPE;
    const CUdevWorkqueueConfigResource *queues = &resources[i].wqConfig;
    if (made.queue_limit || !queues->wqConcurrencyLimit || queues->device != 0)
      return CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
    made.queue_limit = queues->wqConcurrencyLimit;
    made.queue_scope = queues->sharingScope;
  }
  if (!made.core_count || made.core_count > host_core_count())
    return CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
  *out_desc = (CUdevResourceDesc)(void *)&made;
  return CUDA_SUCCESS;
}

CUresult host_cuGreenCtxCreate(CUgreenCtx *out_green, CUdevResourceDesc desc, CUdevice device,
                               unsigned flags)
{
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  if (flags != CU_GREEN_CTX_DEFAULT_STREAM) return CUDA_ERROR_INVALID_VALUE;
  HostContext *context = memory_new(sizeof *context);
  if (!context) return CUDA_ERROR_OUT_OF_MEMORY;
  *context = *(HostContext *)(void *)desc;
  context->id = atomic_fetch_add(&last_id, 1) + 1;
  atomic_fetch_add(&host_live_objects, 1);
  *out_green = (CUgreenCtx)(void *)context;
  return CUDA_SUCCESS;
}

CUresult host_cuGreenCtxDestroy(CUgreenCtx green)
{
  memory_free((HostContext *)(void *)green);
  atomic_fetch_sub(&host_live_objects, 1);
  return CUDA_SUCCESS;
}

CUresult host_cuCtxFromGreenCtx(CUcontext *out_context, CUgreenCtx green)
{
  *out_context = (CUcontext)(void *)green;
  return CUDA_SUCCESS;
}

CUresult host_cuGreenCtxStreamCreate(CUstream *out_stream, CUgreenCtx green, unsigned flags,
                                     int priority)
{
  if (flags != CU_STREAM_NON_BLOCKING) return CUDA_ERROR_INVALID_VALUE;
  CUresult result = host_cuStreamCreateWithPriority(out_stream, flags, priority);
  if (result == CUDA_SUCCESS) host_stream_enter_green(*out_stream, green);
  return result;
}
