/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* memory.c - memory resources: device pools, plain device memory, page-locked host memory. */
#include "runtime.h"

static void memory_resource_destroy(ck_memory_resource_t *resource)
{
  if (resource->is_owned) {
    bool is_entered = device_enter_quietly(resource->device);
    resource->device->driver->cuMemPoolDestroy(resource->pool);
    if (is_entered) device_leave(resource->device);
  }
  ck_device_release(resource->device);
  object_free(resource);
}

OBJECT(memory_resource, ck_memory_resource_t);

/* Makes a current pool keep free memory, unless somebody has set a threshold: with the driver's
 * own default it returns everything to the system at each synchronization. */
static ck_status_t keep_free_memory(const Driver *driver, CUmemoryPool pool)
{
  cuuint64_t threshold = 0, all = UINT64_MAX;
  DRV(driver, cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
  if (threshold) return CK_OK;
  return DRV_STATUS(driver, cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &all));
}

static ck_status_t make_pool(ck_memory_resource_t *resource,
                             const ck_memory_resource_options_t *options)
{
  const Driver *driver = resource->device->driver;
  CUmemPoolProps props = {
      .allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
      .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = resource->device->native},
      .maxSize = options->max_bytes};
  DRV(driver, cuMemPoolCreate(&resource->pool, &props));
  resource->is_owned = true;
  cuuint64_t threshold = options->release_threshold;
  return DRV_STATUS(
      driver, cuMemPoolSetAttribute(resource->pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
}

static ck_status_t open_pool(ck_memory_resource_t *resource)
{
  const Driver *driver = resource->device->driver;
  DRV(driver, cuDeviceGetMemPool(&resource->pool, resource->device->native));
  return keep_free_memory(driver, resource->pool);
}

ck_status_t ck_memory_resource_create_device(ck_device_t *device,
                                             const ck_memory_resource_options_t *options,
                                             ck_memory_resource_t **out_resource)
{
  CK_NEED_ARG(out_resource);
  *out_resource = NULL;
  CK_NEED_ARG(device);
  ck_memory_resource_options_t own = CK_OPTIONS_INIT(ck_memory_resource_options_t);
  CK_TRY(options_read(&own, sizeof own, options, "ck_memory_resource_options_t"));
  if (options && !device->limits.has_pools)
    return error_set(CK_UNSUPPORTED, "'%s' has no memory pools", device->name);
  ck_memory_resource_t *resource = object_new(sizeof *resource);
  if (!resource) return CK_OUT_OF_MEMORY;
  resource->device = ck_device_retain(device);
  resource->kind = device->limits.has_pools ? MEMORY_pool : MEMORY_plain;
  ck_status_t status = device_enter(device);
  if (status == CK_OK) {
    if (options) status = make_pool(resource, &own);
    else if (resource->kind == MEMORY_pool) status = open_pool(resource);
    device_leave(device);
  }
  if (status != CK_OK) {
    memory_resource_destroy(resource);
    return status;
  }
  *out_resource = resource;
  return CK_OK;
}

ck_status_t ck_memory_resource_create_pinned(ck_device_t *device,
                                             ck_memory_resource_t **out_resource)
{
  CK_NEED_ARG(out_resource);
  *out_resource = NULL;
  CK_NEED_ARG(device);
  ck_memory_resource_t *resource = object_new(sizeof *resource);
  if (!resource) return CK_OUT_OF_MEMORY;
  resource->device = ck_device_retain(device);
  resource->kind = MEMORY_pinned;
  *out_resource = resource;
  return CK_OK;
}

ck_status_t ck_memory_resource_create_graph(ck_device_t *device,
                                            ck_memory_resource_t **out_resource)
{
  CK_NEED_ARG(out_resource);
  *out_resource = NULL;
  CK_NEED_ARG(device);
  if (!device->limits.has_pools)
    return error_set(CK_UNSUPPORTED, "'%s' has no memory pools", device->name);
  ck_memory_resource_t *resource = object_new(sizeof *resource);
  if (!resource) return CK_OUT_OF_MEMORY;
  resource->device = ck_device_retain(device);
  resource->kind = MEMORY_graph;
  *out_resource = resource;
  return CK_OK;
}

ck_device_t *ck_memory_resource_device(const ck_memory_resource_t *resource)
{
  return resource->device;
}

void *ck_memory_resource_native(const ck_memory_resource_t *resource)
{
  return resource->pool;
}

ck_status_t ck_memory_resource_get_usage(ck_memory_resource_t *resource, size_t *out_used_bytes,
                                         size_t *out_held_bytes)
{
  CK_NEED_ARG(resource);
  CK_NEED_ARG(out_used_bytes);
  CK_NEED_ARG(out_held_bytes);
  *out_used_bytes = *out_held_bytes = 0;
  if (resource->kind != MEMORY_pool)
    return error_set(CK_UNSUPPORTED, "only a pool knows what it holds");
  const Driver *driver = resource->device->driver;
  cuuint64_t used, held;
  DRV(driver, cuMemPoolGetAttribute(resource->pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
  DRV(driver, cuMemPoolGetAttribute(resource->pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &held));
  *out_used_bytes = used;
  *out_held_bytes = held;
  return CK_OK;
}

/* The driver's words, and how much was asked for. */
static ck_status_t explain(const ck_memory_resource_t *resource, size_t bytes, ck_status_t status)
{
  if (status != CK_OUT_OF_MEMORY) return status;
  return error_within(status, "%zu bytes of %s memory of '%s'", bytes,
                      resource->kind == MEMORY_pinned ? "page-locked" : "device",
                      resource->device->name);
}

ck_status_t memory_allocate(ck_memory_resource_t *resource, size_t bytes, const ck_stream_t *stream,
                            CUdeviceptr *out_address, void **out_host)
{
  const Driver *driver = resource->device->driver;
  ck_status_t status = CK_OK;
  if (resource->kind == MEMORY_pool && stream_keep(stream))
    return error_set(CK_INVALID_ARGUMENT, "a pool does not allocate in a captured stream: use "
                                          "ck_memory_resource_create_graph");
  CK_TRY(device_enter(resource->device));
  switch (resource->kind) {
  case MEMORY_pool:
    status = DRV_STATUS(
        driver, cuMemAllocFromPoolAsync(out_address, bytes, resource->pool, stream_native(stream)));
    break;
  case MEMORY_graph:
    status = DRV_STATUS(driver, cuMemAllocAsync(out_address, bytes, stream_native(stream)));
    break;
  case MEMORY_plain: status = DRV_STATUS(driver, cuMemAlloc(out_address, bytes)); break;
  case MEMORY_pinned:
    status = DRV_STATUS(driver, cuMemHostAlloc(out_host, bytes, CU_MEMHOSTALLOC_PORTABLE));
    /* With unified addressing, which 64-bit Linux always has, both sides use one address. */
    *out_address = (CUdeviceptr)(uintptr_t)*out_host;
    break;
  }
  device_leave(resource->device);
  /* The host device's memory is the CPU's. */
  if (resource->device->is_host) *out_host = (void *)(uintptr_t)*out_address;
  return explain(resource, bytes, status);
}

void memory_deallocate(ck_memory_resource_t *resource, CUdeviceptr address, void *host,
                       const ck_stream_t *stream)
{
  const Driver *driver = resource->device->driver;
  bool is_entered = device_enter_quietly(resource->device);
  switch (resource->kind) {
  case MEMORY_graph:
  case MEMORY_pool: driver->cuMemFreeAsync(address, stream_native(stream)); break;
  case MEMORY_plain: driver->cuMemFree(address); break;
  case MEMORY_pinned: driver->cuMemFreeHost(host); break;
  }
  if (is_entered) device_leave(resource->device);
}
