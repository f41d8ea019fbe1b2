/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* context.c - contexts: current context, limits, peer access, and green contexts made of
 * multiprocessors.
 *
 * Streams, events and buffers use the device's primary context, which device_enter makes current.
 * Only the streams of a green context and their events belong to that context; the driver finds the
 * context of a stream itself. An adopted stream may belong to any context that other code has made;
 * such a context is referred to, and never destroyed here.
 */
#include <string.h>

#include "device.h"

static void context_destroy(ck_context_t *context)
{
  const Driver *driver = context->device->driver;
  CUcontext current = NULL;
  /* A destroyed context must not stay current. */
  if (context->native && !context->is_adopted &&
      driver->cuCtxGetCurrent(&current) == CUDA_SUCCESS && current == context->native)
    driver->cuCtxSetCurrent(NULL);
  CLEAN_UP(context->device,
           if (context->green && !context->is_adopted) driver->cuGreenCtxDestroy(context->green));
  ck_device_release(context->device);
  object_free(context);
}

static bool is_primary(const ck_context_t *context)
{
  return context == &context->device->primary;
}

ck_context_t *ck_context_retain(ck_context_t *context)
{
  if (!context) return NULL;
  if (is_primary(context)) ck_device_retain(context->device);
  else object_retain(&context->object);
  return context;
}

void ck_context_release(ck_context_t *context)
{
  if (!context) return;
  if (is_primary(context)) ck_device_release(context->device);
  else if (object_release(&context->object)) context_destroy(context);
}

GETTER(ck_device_t *, context, device);

int ck_context_is_green(const ck_context_t *context)
{
  return context->green != NULL;
}

GETTER(void *, context, native);

ck_status_t ck_context_get_id(ck_context_t *context, uint64_t *out_id)
{
  CK_NEED_OUT(out_id, 0, context);
  unsigned long long id = 0;
  ck_status_t status = DRV_STATUS(context->device->driver, cuCtxGetId(context->native, &id));
  *out_id = id;
  return status;
}

ck_status_t ck_context_set_current(ck_device_t *device, ck_context_t *context)
{
  CK_NEED_ARG(device);
  if (context && !device_same(context->device, device))
    return error_argument("the context is of '%s', not of '%s'", context->device->name,
                          device->name);
  return DRV_STATUS(device->driver, cuCtxSetCurrent(context ? context->native : NULL));
}

ck_status_t ck_context_get_current(ck_context_t *context, int *out_is_current)
{
  CK_NEED_OUT(out_is_current, 0, context);
  CUcontext current = NULL;
  DRV(context->device->driver, cuCtxGetCurrent(&current));
  *out_is_current = current == context->native;
  return CK_OK;
}

ck_status_t context_enter(const ck_context_t *context)
{
  if (is_primary(context)) return device_enter(context->device);
  return DRV_STATUS(context->device->driver, cuCtxPushCurrent(context->native));
}

ck_status_t context_leave(const ck_context_t *context, ck_status_t status)
{
  CUcontext old;
  if (is_primary(context)) device_leave(context->device);
  else context->device->driver->cuCtxPopCurrent(&old);
  return status;
}

ck_status_t context_sync(const ck_context_t *context)
{
  const Driver *driver = context->device->driver;
  CK_TRY(context_enter(context));
  CUresult result = capture_is_under_way(context) ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED
                                                  : driver->cuCtxSynchronize();
  return context_leave(
      context, driver_result(driver, result, "cuCtxSynchronize()", __FILE_NAME__, __LINE__));
}

ck_status_t ck_context_sync(ck_context_t *context)
{
  CK_NEED_ARG(context);
  return context_sync(context);
}

/* limits ------------------------------------------------------------------------------------- */

_Static_assert((int)CU_LIMIT_STACK_SIZE == CK_LIMIT_STACK &&
                   (int)CU_LIMIT_PRINTF_FIFO_SIZE == CK_LIMIT_PRINT_BUFFER &&
                   (int)CU_LIMIT_MALLOC_HEAP_SIZE == CK_LIMIT_MALLOC_HEAP &&
                   (int)CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH == CK_LIMIT_SYNC_DEPTH &&
                   (int)CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT == CK_LIMIT_PENDING_LAUNCHES &&
                   (int)CU_LIMIT_MAX_L2_FETCH_GRANULARITY == CK_LIMIT_L2_FETCH_GRANULARITY &&
                   (int)CU_LIMIT_PERSISTING_L2_CACHE_SIZE == CK_LIMIT_PERSISTING_L2,
               "the numbers of the public enumeration are cuda.h's");

static ck_status_t check_limit(ck_limit_t limit)
{
  if ((unsigned)limit <= CK_LIMIT_PERSISTING_L2) return CK_OK;
  return error_argument("there is no limit %d", (int)limit);
}

static ck_status_t explain_limit(const ck_context_t *context, ck_limit_t limit, ck_status_t status)
{
  if (status == CK_OK || ck_last_driver_error() != CUDA_ERROR_UNSUPPORTED_LIMIT) return status;
  return error_within(CK_UNSUPPORTED, "limit %d of '%s'", (int)limit, context->device->name);
}

ck_status_t ck_context_get_limit(ck_context_t *context, ck_limit_t limit, size_t *out_value)
{
  CK_NEED_OUT(out_value, 0, context);
  CK_TRY(check_limit(limit));
  ck_status_t status = IN_CONTEXT(
      context, DRV_STATUS(context->device->driver, cuCtxGetLimit(out_value, (CUlimit)limit)));
  return explain_limit(context, limit, status);
}

ck_status_t ck_context_set_limit(ck_context_t *context, ck_limit_t limit, size_t value)
{
  CK_NEED_ARG(context);
  CK_TRY(check_limit(limit));
  ck_status_t status = IN_CONTEXT(
      context, DRV_STATUS(context->device->driver, cuCtxSetLimit((CUlimit)limit, value)));
  return explain_limit(context, limit, status);
}

ck_status_t ck_context_get_priorities(ck_context_t *context, int *out_low, int *out_high)
{
  CK_NEED_ARGS(out_low, out_high);
  *out_low = *out_high = 0;
  CK_NEED_ARG(context);
  return IN_CONTEXT(
      context, DRV_STATUS(context->device->driver, cuCtxGetStreamPriorityRange(out_low, out_high)));
}

ck_status_t ck_context_reset_persisting_l2(ck_context_t *context)
{
  CK_NEED_ARG(context);
  return IN_CONTEXT(context, DRV_STATUS(context->device->driver, cuCtxResetPersistingL2Cache()));
}

/* peer access -------------------------------------------------------------------------------- */

static ck_status_t check_peer(const ck_context_t *context, ck_device_t *peer)
{
  int can;
  if (device_same(context->device, peer))
    return error_argument("'%s' is no peer of itself", peer->name);
  CK_TRY(ck_device_can_access_peer(context->device, peer, &can));
  if (can) return CK_OK;
  return error_unsupported("'%s' can't use memory of '%s'", context->device->name, peer->name);
}

ck_status_t ck_context_set_peer_access(ck_context_t *context, ck_device_t *peer, int is_enabled)
{
  CK_NEED_ARGS(context, peer);
  CK_TRY(check_peer(context, peer));
  const Driver *driver = context->device->driver;
  CK_TRY(context_enter(context));
  CUresult result = is_enabled ? driver->cuCtxEnablePeerAccess(peer->context, 0)
                               : driver->cuCtxDisablePeerAccess(peer->context);
  context_leave(context, CK_OK);
  CUresult as_it_is =
      is_enabled ? CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED : CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
  if (result == as_it_is) return CK_OK;
  return driver_result(driver, result,
                       is_enabled ? "cuCtxEnablePeerAccess(peer->context, 0)"
                                  : "cuCtxDisablePeerAccess(peer->context)",
                       __FILE_NAME__, __LINE__);
}

/* multiprocessors ---------------------------------------------------------------------------- */

_Static_assert(sizeof(CUdevResource) <= sizeof((ck_sm_resource_t){0}).native, "it has to fit");

static CUdevResource to_native(const ck_sm_resource_t *resource)
{
  CUdevResource native;
  memcpy(&native, resource->native, sizeof native);
  return native;
}

static ck_sm_resource_t from_native(const CUdevResource *native)
{
  ck_sm_resource_t resource = {0};
  if (native->type != CU_DEV_RESOURCE_TYPE_SM) return resource;
  resource.sm_count = native->sm.smCount;
  resource.min_partition_size = native->sm.minSmPartitionSize;
  resource.coscheduled_alignment = native->sm.smCoscheduledAlignment;
  resource.flags = native->sm.flags;
  memcpy(resource.native, native, sizeof *native);
  return resource;
}

ck_status_t ck_device_get_sm_resource(ck_device_t *device, ck_sm_resource_t *out_resource)
{
  CK_NEED_OUT(out_resource, (ck_sm_resource_t){0}, device);
  CUdevResource native = {0};
  DRV_NEED(device->driver, cuDeviceGetDevResource);
  DRV(device->driver, cuDeviceGetDevResource(device->native, &native, CU_DEV_RESOURCE_TYPE_SM));
  *out_resource = from_native(&native);
  return CK_OK;
}

static ck_status_t resource_of(const ck_context_t *context, CUdevResourceType type,
                               CUdevResource *out_native)
{
  const Driver *driver = context->device->driver;
  DRV_NEED(driver, cuCtxGetDevResource);
  if (context->green)
    return DRV_STATUS(driver, cuGreenCtxGetDevResource(context->green, out_native, type));
  return DRV_STATUS(driver, cuCtxGetDevResource(context->native, out_native, type));
}

ck_status_t ck_context_get_sm_resource(ck_context_t *context, ck_sm_resource_t *out_resource)
{
  CK_NEED_OUT(out_resource, (ck_sm_resource_t){0}, context);
  CUdevResource native = {0};
  CK_TRY(resource_of(context, CU_DEV_RESOURCE_TYPE_SM, &native));
  *out_resource = from_native(&native);
  return CK_OK;
}

ck_status_t ck_stream_get_sm_resource(ck_stream_t *stream, ck_sm_resource_t *out_resource)
{
  CK_NEED_OUT(out_resource, (ck_sm_resource_t){0}, stream);
  return ck_context_get_sm_resource(ck_stream_context(stream), out_resource);
}

enum { MAX_SM_GROUPS = 512 }; /* more than the multiprocessors of any GPU */

ck_status_t ck_sm_resource_split(ck_device_t *device, const ck_sm_resource_t *resource,
                                 uint32_t min_count, uint32_t flags, ck_sm_resource_t *groups,
                                 size_t *inout_count, ck_sm_resource_t *out_rest)
{
  CK_NEED_ARG(inout_count);
  size_t room = *inout_count;
  *inout_count = 0;
  if (out_rest) *out_rest = (ck_sm_resource_t){0};
  CK_NEED_ARGS(device, resource);
  if (flags & ~(CK_SM_SPLIT_IGNORE_COSCHEDULING | CK_SM_SPLIT_MAX_CLUSTER))
    return error_argument("split flags are 0x%x: unknown bits are set", flags);
  if (min_count > resource->sm_count || !resource->sm_count)
    return error_argument("a group of %u of %u multiprocessors", min_count, resource->sm_count);
  DRV_NEED(device->driver, cuDevSmResourceSplitByCount);
  CUdevResource native[MAX_SM_GROUPS], rest = {0}, input = to_native(resource);
  unsigned count = groups && room < MAX_SM_GROUPS ? (unsigned)room : MAX_SM_GROUPS;
  DRV(device->driver,
      cuDevSmResourceSplitByCount(groups ? native : NULL, &count, &input, &rest, flags, min_count));
  for (unsigned i = 0; groups && i < count; ++i) groups[i] = from_native(&native[i]);
  *inout_count = count;
  if (out_rest) *out_rest = from_native(&rest);
  return CK_OK;
}

_Static_assert((int)CK_SM_GROUP_BACKFILL == (int)CU_DEV_SM_RESOURCE_GROUP_BACKFILL,
               "the flag is the driver's");

static ck_status_t check_groups(const ck_sm_resource_t *resource, const ck_sm_group_t *wanted,
                                size_t count)
{
  if (!count || count > MAX_SM_GROUPS) return error_argument("a split into %zu groups", count);
  for (size_t i = 0; i < count; ++i) {
    if (wanted[i].flags & ~CK_SM_GROUP_BACKFILL)
      return error_argument("the flags of group %zu are 0x%x: unknown bits are set", i,
                            wanted[i].flags);
    if (wanted[i].sm_count > resource->sm_count || !resource->sm_count)
      return error_argument("group %zu shall have %u of %u multiprocessors", i, wanted[i].sm_count,
                            resource->sm_count);
  }
  return CK_OK;
}

ck_status_t ck_sm_resource_split_groups(ck_device_t *device, const ck_sm_resource_t *resource,
                                        ck_sm_group_t *wanted, size_t count,
                                        ck_sm_resource_t *groups, ck_sm_resource_t *out_rest)
{
  if (out_rest) *out_rest = (ck_sm_resource_t){0};
  CK_NEED_ARGS(device, resource);
  CK_NEED_ARG(wanted);
  CK_TRY(check_groups(resource, wanted, count));
  DRV_NEED(device->driver, cuDevSmResourceSplit);
  CU_DEV_SM_RESOURCE_GROUP_PARAMS params[MAX_SM_GROUPS] = {{0}};
  CUdevResource native[MAX_SM_GROUPS], rest = {0}, input = to_native(resource);
  for (size_t i = 0; i < count; ++i) {
    params[i].smCount = wanted[i].sm_count;
    params[i].coscheduledSmCount = wanted[i].coscheduled_count;
    params[i].preferredCoscheduledSmCount = wanted[i].preferred_coscheduled_count;
    params[i].flags = wanted[i].flags;
  }
  ck_status_t status =
      DRV_STATUS(device->driver, cuDevSmResourceSplit(groups ? native : NULL, (unsigned)count,
                                                      &input, &rest, 0, params));
  if (status != CK_OK && ck_last_driver_error() == CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION)
    return error_within(CK_INVALID_ARGUMENT, "%u multiprocessors can't be split into these groups",
                        resource->sm_count);
  CK_TRY(status);
  for (size_t i = 0; i < count; ++i) wanted[i].sm_count = params[i].smCount;
  for (size_t i = 0; groups && i < count; ++i) groups[i] = from_native(&native[i]);
  if (out_rest) *out_rest = from_native(&rest);
  return CK_OK;
}

/* workqueues --------------------------------------------------------------------------------- */

_Static_assert(sizeof(CUdevResource) <= sizeof((ck_workqueue_resource_t){0}).native,
               "it has to fit");

/* Work queues came with CUDA 13.1, like this function. */
static ck_status_t need_workqueues(const ck_device_t *device)
{
  if (device->driver->cuDevSmResourceSplit) return CK_OK;
  return error_unsupported("%s has no workqueue resources, which came with CUDA 13.1",
                           device->driver->label);
}

/* A number that is different for each device. */
static int32_t number_of(const ck_device_t *device)
{
  return device->driver->traits->first_number + device->ordinal;
}

static ck_status_t read_workqueues(const ck_device_t *device, const CUdevResource *native,
                                   ck_workqueue_resource_t *out_resource)
{
  if (native->type != CU_DEV_RESOURCE_TYPE_WORKQUEUE_CONFIG)
    return error_unsupported("'%s' has no workqueue resources", device->name);
  out_resource->scope = (ck_workqueue_scope_t)native->wqConfig.sharingScope;
  out_resource->concurrency_limit = native->wqConfig.wqConcurrencyLimit;
  out_resource->device_ordinal = number_of(device);
  memcpy(out_resource->native, native, sizeof *native);
  return CK_OK;
}

ck_status_t ck_device_get_workqueue_resource(ck_device_t *device,
                                             ck_workqueue_resource_t *out_resource)
{
  CK_NEED_OUT(out_resource, (ck_workqueue_resource_t){.reserved = 0}, device);
  CUdevResource native = {0};
  CK_TRY(need_workqueues(device));
  DRV_NEED(device->driver, cuDeviceGetDevResource);
  DRV(device->driver,
      cuDeviceGetDevResource(device->native, &native, CU_DEV_RESOURCE_TYPE_WORKQUEUE_CONFIG));
  return read_workqueues(device, &native, out_resource);
}

ck_status_t ck_context_get_workqueue_resource(ck_context_t *context,
                                              ck_workqueue_resource_t *out_resource)
{
  CK_NEED_OUT(out_resource, (ck_workqueue_resource_t){.reserved = 0}, context);
  CUdevResource native = {0};
  CK_TRY(need_workqueues(context->device));
  CK_TRY(resource_of(context, CU_DEV_RESOURCE_TYPE_WORKQUEUE_CONFIG, &native));
  return read_workqueues(context->device, &native, out_resource);
}

ck_status_t ck_stream_get_workqueue_resource(ck_stream_t *stream,
                                             ck_workqueue_resource_t *out_resource)
{
  CK_NEED_OUT(out_resource, (ck_workqueue_resource_t){.reserved = 0}, stream);
  return ck_context_get_workqueue_resource(ck_stream_context(stream), out_resource);
}

ck_status_t ck_workqueue_resource_set(ck_workqueue_resource_t *resource, ck_workqueue_scope_t scope,
                                      int concurrency_limit)
{
  CK_NEED_ARG(resource);
  if (scope != CK_WORKQUEUES_OF_DEVICE && scope != CK_WORKQUEUES_BALANCED)
    return error_argument("workqueue scope %d is unknown", (int)scope);
  if (concurrency_limit < 1)
    return error_argument("a concurrency limit of %d: the least is 1", concurrency_limit);
  resource->scope = scope;
  resource->concurrency_limit = (uint32_t)concurrency_limit;
  return CK_OK;
}

/* The driver's resource, with the changes that ck_workqueue_resource_set made. */
static ck_status_t use_workqueues(const ck_device_t *device,
                                  const ck_workqueue_resource_t *resource,
                                  CUdevResource *out_native)
{
  memcpy(out_native, resource->native, sizeof *out_native);
  if (out_native->type != CU_DEV_RESOURCE_TYPE_WORKQUEUE_CONFIG)
    return error_argument("the workqueues are no device's: ask for them first");
  if (resource->device_ordinal != number_of(device))
    return error_argument("the workqueues are of device %d, the context of '%s'",
                          (int)resource->device_ordinal, device->name);
  ck_workqueue_resource_t checked = *resource;
  CK_TRY(ck_workqueue_resource_set(&checked, resource->scope, (int)resource->concurrency_limit));
  out_native->wqConfig.sharingScope = (unsigned)checked.scope;
  out_native->wqConfig.wqConcurrencyLimit = checked.concurrency_limit;
  return need_workqueues(device);
}

/* green contexts ----------------------------------------------------------------------------- */

static ck_status_t make_green(ck_context_t *context, CUdevResource *resources, size_t count)
{
  const Driver *driver = context->device->driver;
  CUdevResourceDesc desc;
  DRV(driver, cuDevResourceGenerateDesc(&desc, resources, (unsigned)count));
  DRV(driver, cuGreenCtxCreate(&context->green, desc, context->device->native,
                               CU_GREEN_CTX_DEFAULT_STREAM));
  return DRV_STATUS(driver, cuCtxFromGreenCtx(&context->native, context->green));
}

ck_status_t ck_context_create_green(ck_device_t *device, const ck_sm_resource_t *resources,
                                    size_t count, const ck_green_options_t *options,
                                    ck_context_t **out_context)
{
  CK_NEED_OUT(out_context, NULL);
  CK_READ_OPTIONS(ck_green_options_t, own, options);
  CK_NEED_ARGS(device, resources);
  if (count == 0 || count > MAX_SM_GROUPS)
    return error_argument("a green context of %zu sets of multiprocessors", count);
  DRV_NEED(device->driver, cuGreenCtxCreate);
  DRV_NEED(device->driver, cuGreenCtxStreamCreate);
  CUdevResource native[MAX_SM_GROUPS + 1];
  uint32_t sm_count = 0;
  for (size_t i = 0; i < count; ++i) {
    if (!resources[i].sm_count) return error_argument("set %zu has no multiprocessors", i);
    native[i] = to_native(&resources[i]);
    sm_count += resources[i].sm_count;
  }
  if (own.workqueues) CK_TRY(use_workqueues(device, own.workqueues, &native[count++]));
  ck_context_t *context = object_new(sizeof *context);
  if (!context) return CK_OUT_OF_MEMORY;
  context->device = ck_device_retain(device);
  context->sm_count = sm_count;
  ck_status_t status = IN_DEVICE(device, make_green(context, native, count));
  return GIVE(status, context, out_context, context_destroy);
}

/* Checks that a context belongs to the device. */
static ck_status_t check_place(const ck_device_t *device, CUcontext native)
{
  CUcontext old;
  CUdevice place = 0;
  DRV(device->driver, cuCtxPushCurrent(native));
  ck_status_t status = DRV_STATUS(device->driver, cuCtxGetDevice(&place));
  device->driver->cuCtxPopCurrent(&old);
  if (status != CK_OK || place == device->native) return status;
  return error_argument("the stream is of device %d, not of '%s'", place, device->name);
}

ck_status_t context_adopt(ck_device_t *device, CUcontext native, CUgreenCtx green,
                          ck_context_t **out_context)
{
  CUdevResource resource = {0};
  const Driver *driver = device->driver;
  CK_TRY(check_place(device, native));
  ck_context_t *context = object_new(sizeof *context);
  if (!context) return CK_OUT_OF_MEMORY;
  context->device = ck_device_retain(device);
  context->native = native;
  context->green = green;
  context->is_adopted = true;
  context->sm_count = (uint32_t)device->limits.multiprocessors;
  ck_status_t status = CK_OK;
  if (green) {
    status = DRV_STATUS(driver, cuCtxFromGreenCtx(&context->native, green));
    if (status == CK_OK) status = resource_of(context, CU_DEV_RESOURCE_TYPE_SM, &resource);
    context->sm_count = resource.sm.smCount;
  }
  return GIVE(status, context, out_context, ck_context_release);
}
