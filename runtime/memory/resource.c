/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* resource.c - memory resources: pools, device memory without pools, page-locked and managed
 * memory, and the caller's functions.
 *
 * Each resource has a MemoryKind, which selects the driver functions in memory_allocate and
 * memory_deallocate; MEMORY_virtual is in virtual.c. The device owns its own resource, whose
 * references are counted as the device's: otherwise device and resource would retain each other.
 */
#include "ck/graph.h"
#include "memory_private.h"

#include <pthread.h>
#include <stdio.h>

/* Removes the access of peers before a pool is destroyed: the driver reuses handles of destroyed
 * pools, with the access that these had. */
static void revoke_peer_access(ck_memory_resource_t *resource)
{
  unsigned long long peers = atomic_load(&resource->peers);
  for (int i = 0; peers; ++i, peers >>= 1) {
    CUmemAccessDesc access = {{CU_MEM_LOCATION_TYPE_DEVICE, i}, CU_MEM_ACCESS_FLAGS_PROT_NONE};
    if (peers & 1) resource->device->driver->cuMemPoolSetAccess(resource->pool, &access, 1);
  }
}

static void memory_resource_destroy(ck_memory_resource_t *resource)
{
  if (resource->is_owned && resource->pool) {
    CleanUp clean_up = clean_up_begin(resource->device);
    revoke_peer_access(resource);
    resource->device->driver->cuMemPoolDestroy(resource->pool);
    clean_up_end(&clean_up);
  }
  if (resource->functions.destroy) resource->functions.destroy(resource->functions.data);
  if (resource->imported) resource->imported->destroy(resource->imported);
  memory_free(resource->plan);
  ck_device_release(resource->device);
  object_free(resource);
}

/* Whether the resource is its device's own. */
static bool is_own(const ck_memory_resource_t *resource)
{
  return resource == atomic_load_explicit(&resource->device->memory, memory_order_relaxed);
}

ck_memory_resource_t *ck_memory_resource_retain(ck_memory_resource_t *resource)
{
  if (!resource) return NULL;
  if (is_own(resource)) ck_device_retain(resource->device);
  else object_retain(&resource->object);
  return resource;
}

void ck_memory_resource_release(ck_memory_resource_t *resource)
{
  if (!resource) return;
  if (is_own(resource)) ck_device_release(resource->device);
  else if (object_release(&resource->object)) memory_resource_destroy(resource);
}

ck_memory_resource_t *memory_resource_new(ck_device_t *device, MemoryKind kind, uint32_t flags)
{
  ck_memory_resource_t *resource = object_new(sizeof *resource);
  if (!resource) return NULL;
  resource->device = ck_device_retain(device);
  resource->kind = kind;
  /* All memory of the host device is accessible to the CPU. */
  resource->flags =
      flags | (device->driver->traits->has_cpu_memory ? CK_MEMORY_DEVICE | CK_MEMORY_HOST : 0);
  if (kind == MEMORY_plain || kind == MEMORY_graph)
    resource->location = (ck_location_t){CK_PLACE_DEVICE, device->native};
  if (kind == MEMORY_pinned) resource->location = (ck_location_t){CK_PLACE_HOST, 0};
  return resource;
}

/* locations and permissions ------------------------------------------------------------------ */

ck_status_t location_check(const ck_device_t *device, ck_location_t location)
{
  int count = 0;
  if ((unsigned)location.place > CK_PLACE_HOST_NUMA_CURRENT)
    return error_argument("there is no place %d", (int)location.place);
  if (location.place == CK_PLACE_HOST_NUMA && location.id < 0)
    return error_argument("there is no node of the host %d", location.id);
  if (location.place != CK_PLACE_DEVICE) return CK_OK;
  DRV(device->driver, cuDeviceGetCount(&count));
  if (location.id >= 0 && location.id < count) return CK_OK;
  return error_argument("there is no device %d to hold memory: there %s %d, counted from 0",
                        location.id, count == 1 ? "is" : "are", count);
}

ck_status_t location_explain(ck_location_t location, ck_status_t status)
{
  if (status != CK_DRIVER || location.place != CK_PLACE_HOST_NUMA) return status;
  return error_within(status, "memory of the host's node %d", location.id);
}

ck_status_t permission_check(ck_permission_t permission)
{
  if (permission == CK_PERMIT_NONE || permission == CK_PERMIT_READ ||
      permission == CK_PERMIT_READ_WRITE)
    return CK_OK;
  return error_argument("there is no permission %d", (int)permission);
}

/* pools -------------------------------------------------------------------------------------- */

/* Makes the device's current pool keep free memory, unless a threshold has been set. With the
 * driver's default of 0 it returns free memory to the system at each synchronisation. */
static ck_status_t keep_free_memory(const Driver *driver, CUmemoryPool pool)
{
  uint64_t threshold = 0, all = UINT64_MAX;
  DRV(driver, cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
  if (threshold) return CK_OK;
  return DRV_STATUS(driver, cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &all));
}

/* Grants the device access to a pool of the host. A failure is ignored: the driver can refuse it if
 * the device has access already. */
static void grant_device_access(ck_memory_resource_t *resource, const CUmemPoolProps *props)
{
  CUmemAccessDesc access = {{CU_MEM_LOCATION_TYPE_DEVICE, resource->device->native},
                            CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  if (props->location.type == CU_MEM_LOCATION_TYPE_HOST ||
      props->location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA ||
      props->location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT)
    if (props->allocType == CU_MEM_ALLOCATION_TYPE_PINNED)
      resource->device->driver->cuMemPoolSetAccess(resource->pool, &access, 1);
}

static ck_status_t make_pool(ck_memory_resource_t *resource, CUmemPoolProps *props,
                             const ck_memory_resource_options_t *options)
{
  const Driver *driver = resource->device->driver;
  props->maxSize = options->max_bytes;
  if (options->flags & CK_MEMORY_IPC) props->handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  DRV(driver, cuMemPoolCreate(&resource->pool, props));
  resource->is_owned = true;
  grant_device_access(resource, props);
  if (!options->release_threshold) return CK_OK;
  uint64_t threshold = options->release_threshold;
  return DRV_STATUS(
      driver, cuMemPoolSetAttribute(resource->pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
}

static ck_status_t open_pool(ck_memory_resource_t *resource, CUmemPoolProps *props)
{
  const Driver *driver = resource->device->driver;
  if (props->location.type == CU_MEM_LOCATION_TYPE_DEVICE &&
      props->allocType == CU_MEM_ALLOCATION_TYPE_PINNED) {
    DRV(driver, cuDeviceGetMemPool(&resource->pool, resource->device->native));
  } else {
    DRV_NEED(driver, cuMemGetMemPool);
    DRV(driver, cuMemGetMemPool(&resource->pool, &props->location, props->allocType));
    grant_device_access(resource, props);
  }
  return keep_free_memory(driver, resource->pool);
}

/* Makes a resource of a pool: a new pool with options, the current pool of its kind without. */
static ck_status_t create_pool(ck_device_t *device, CUmemPoolProps *props, uint32_t flags,
                               const ck_memory_resource_options_t *options,
                               ck_memory_resource_t **out_resource)
{
  uint32_t ipc = options ? options->flags & CK_MEMORY_IPC : 0;
  ck_memory_resource_t *resource = memory_resource_new(device, MEMORY_pool, flags | ipc);
  if (!resource) return CK_OUT_OF_MEMORY;
  ck_location_t location = {(ck_place_t)props->location.type, props->location.id};
  resource->location = location;
  ck_status_t status =
      IN_DEVICE(device, options ? make_pool(resource, props, options) : open_pool(resource, props));
  if (status != CK_OK) {
    memory_resource_destroy(resource);
    return location_explain(location, status);
  }
  *out_resource = resource;
  return CK_OK;
}

static ck_status_t read_options(const ck_device_t *device, ck_memory_resource_options_t *own,
                                const ck_memory_resource_options_t *theirs)
{
  *own = (ck_memory_resource_options_t)CK_OPTIONS_INIT(ck_memory_resource_options_t);
  CK_TRY(options_read(own, sizeof *own, theirs, "ck_memory_resource_options_t"));
  if (own->flags & ~CK_MEMORY_IPC)
    return error_argument("memory resource flags are 0x%x: only CK_MEMORY_IPC is known",
                          own->flags);
  return location_check(device, own->location);
}

ck_status_t ck_memory_resource_create_device(ck_device_t *device,
                                             const ck_memory_resource_options_t *options,
                                             ck_memory_resource_t **out_resource)
{
  CK_NEED_OUT(out_resource, NULL, device);
  ck_memory_resource_options_t own;
  CK_TRY(read_options(device, &own, options));
  bool is_here = own.location.place == CK_PLACE_DEVICE && own.location.id == device->ordinal;
  if (own.location.place != CK_PLACE_NONE && !is_here)
    return error_argument("a device's memory lies on it, not at another location");
  if (options && !device->limits.has_pools)
    return error_unsupported("'%s' has no memory pools", device->name);
  if (device->limits.has_pools) {
    CUmemPoolProps props = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                            .location = {CU_MEM_LOCATION_TYPE_DEVICE, device->native}};
    return create_pool(device, &props, CK_MEMORY_DEVICE, options ? &own : NULL, out_resource);
  }
  *out_resource = memory_resource_new(device, MEMORY_plain, CK_MEMORY_DEVICE);
  return *out_resource ? CK_OK : CK_OUT_OF_MEMORY;
}

ck_status_t ck_memory_resource_create_pinned(ck_device_t *device,
                                             ck_memory_resource_t **out_resource)
{
  CK_NEED_OUT(out_resource, NULL, device);
  *out_resource = memory_resource_new(device, MEMORY_pinned, CK_MEMORY_DEVICE | CK_MEMORY_HOST);
  return *out_resource ? CK_OK : CK_OUT_OF_MEMORY;
}

/* CK_UNSUPPORTED unless the attribute is set. */
static ck_status_t need_attribute(ck_device_t *device, ck_device_attribute_t attribute,
                                  const char *what)
{
  int has;
  CK_TRY(ck_device_get_attribute(device, attribute, &has));
  return has ? CK_OK : error_unsupported("'%s' has no %s", device->name, what);
}

/* The NUMA node that is nearest to a device. Memory that is shared between processes must name a
 * node. */
static ck_status_t nearest_node(ck_device_t *device, int *out_node)
{
  CK_TRY(ck_device_get_attribute(device, CK_DEVICE_HOST_NUMA_ID, out_node));
  if (*out_node < 0) *out_node = 0;
  return CK_OK;
}

ck_status_t ck_memory_resource_create_pinned_pool(ck_device_t *device,
                                                  const ck_memory_resource_options_t *options,
                                                  ck_memory_resource_t **out_resource)
{
  CK_NEED_OUT(out_resource, NULL, device);
  ck_memory_resource_options_t own;
  CK_TRY(read_options(device, &own, options));
  CUmemPoolProps props = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                          .location = {.type = CU_MEM_LOCATION_TYPE_HOST}};
  if (own.location.place == CK_PLACE_DEVICE)
    return error_argument("page-locked memory lies on the host");
  DRV_NEED(device->driver, cuMemGetMemPool); /* pools of the host came with this function */
  if (own.location.place >= CK_PLACE_HOST_NUMA) {
    props.location = (CUmemLocation){(CUmemLocationType)own.location.place, own.location.id};
  } else if (own.flags & CK_MEMORY_IPC) {
    props.location.type = CU_MEM_LOCATION_TYPE_HOST_NUMA;
    CK_TRY(nearest_node(device, &props.location.id));
  }
  CK_TRY(need_attribute(device,
                        props.location.type == CU_MEM_LOCATION_TYPE_HOST
                            ? CK_DEVICE_HOST_MEMORY_POOLS_SUPPORTED
                            : CK_DEVICE_HOST_NUMA_MEMORY_POOLS_SUPPORTED,
                        "pools of host memory"));
  return create_pool(device, &props, CK_MEMORY_DEVICE | CK_MEMORY_HOST, options ? &own : NULL,
                     out_resource);
}

ck_status_t ck_memory_resource_create_managed(ck_device_t *device,
                                              const ck_memory_resource_options_t *options,
                                              ck_memory_resource_t **out_resource)
{
  CK_NEED_OUT(out_resource, NULL, device);
  ck_memory_resource_options_t own;
  CK_TRY(read_options(device, &own, options));
  if (own.flags & CK_MEMORY_IPC)
    return error_unsupported("managed memory is not for other processes");
  CUmemPoolProps props = {
      .allocType = CU_MEM_ALLOCATION_TYPE_MANAGED,
      .location = {(CUmemLocationType)own.location.place, own.location.id},
  };
  DRV_NEED(device->driver, cuMemGetMemPool);
  return create_pool(device, &props, CK_MEMORY_DEVICE | CK_MEMORY_HOST | CK_MEMORY_MANAGED,
                     options ? &own : NULL, out_resource);
}

ck_status_t ck_memory_resource_create_legacy_managed(ck_device_t *device,
                                                     ck_memory_resource_t **out_resource)
{
  CK_NEED_OUT(out_resource, NULL, device);
  CK_TRY(need_attribute(device, CK_DEVICE_MANAGED_MEMORY, "managed memory"));
  *out_resource = memory_resource_new(device, MEMORY_managed,
                                      CK_MEMORY_DEVICE | CK_MEMORY_HOST | CK_MEMORY_MANAGED);
  return *out_resource ? CK_OK : CK_OUT_OF_MEMORY;
}

/* Checks the properties that a caller states for its memory. */
static ck_status_t check_flags(uint32_t flags, uint32_t known)
{
  if (!(flags & ~known)) return CK_OK;
  return error_argument("memory flags are 0x%x: unknown bits are set", flags);
}

ck_status_t ck_memory_resource_from_functions(ck_device_t *device,
                                              const ck_memory_functions_t *functions,
                                              ck_memory_resource_t **out_resource)
{
  CK_NEED_OUT(out_resource, NULL, device, functions);
  CK_READ_OPTIONS(ck_memory_functions_t, own, functions);
  if (!own.allocate || !own.deallocate)
    return error_argument("%s: functions->%s is NULL", __func__,
                          own.allocate ? "deallocate" : "allocate");
  CK_TRY(check_flags(own.flags, CK_MEMORY_DEVICE | CK_MEMORY_HOST | CK_MEMORY_MANAGED));
  ck_memory_resource_t *resource = memory_resource_new(device, MEMORY_caller, own.flags);
  if (!resource) return CK_OUT_OF_MEMORY;
  resource->functions = own;
  *out_resource = resource;
  return CK_OK;
}

ck_status_t ck_memory_resource_create_graph(ck_device_t *device,
                                            ck_memory_resource_t **out_resource)
{
  CK_NEED_OUT(out_resource, NULL, device);
  if (!device->limits.has_pools) return error_unsupported("'%s' has no memory pools", device->name);
  *out_resource = memory_resource_new(device, MEMORY_graph, CK_MEMORY_DEVICE);
  return *out_resource ? CK_OK : CK_OUT_OF_MEMORY;
}

ck_status_t ck_graph_memory_get(ck_device_t *device, ck_graph_memory_t attribute, size_t *out_bytes)
{
  CK_NEED_OUT(out_bytes, 0, device);
  if ((unsigned)attribute > CK_GRAPH_MEMORY_RESERVED_HIGH)
    return error_argument("graph memory attribute %d is unknown", (int)attribute);
  uint64_t bytes = 0;
  DRV(device->driver,
      cuDeviceGetGraphMemAttribute(device->native, (CUgraphMem_attribute)attribute, &bytes));
  *out_bytes = bytes;
  return CK_OK;
}

ck_status_t ck_graph_memory_reset(ck_device_t *device, ck_graph_memory_t attribute)
{
  CK_NEED_ARG(device);
  if (attribute != CK_GRAPH_MEMORY_USED_HIGH && attribute != CK_GRAPH_MEMORY_RESERVED_HIGH)
    return error_argument("only the highest values can be reset");
  uint64_t zero = 0;
  return DRV_STATUS(device->driver, cuDeviceSetGraphMemAttribute(
                                        device->native, (CUgraphMem_attribute)attribute, &zero));
}

ck_status_t ck_graph_memory_trim(ck_device_t *device)
{
  CK_NEED_ARG(device);
  return DRV_STATUS(device->driver, cuDeviceGraphMemTrim(device->native));
}

ck_status_t ck_memory_resource_from_native(ck_device_t *device, void *pool, uint32_t flags,
                                           int is_owned, ck_memory_resource_t **out_resource)
{
  CK_NEED_OUT(out_resource, NULL, device, pool);
  CK_TRY(check_flags(flags, CK_MEMORY_DEVICE | CK_MEMORY_HOST | CK_MEMORY_MANAGED | CK_MEMORY_IPC));
  ck_memory_resource_t *resource = memory_resource_new(device, MEMORY_pool, flags);
  if (!resource) return CK_OUT_OF_MEMORY;
  resource->pool = pool;
  resource->is_owned = is_owned;
  if (flags == CK_MEMORY_DEVICE) /* other memory lies somewhere on the host */
    resource->location = (ck_location_t){CK_PLACE_DEVICE, device->native};
  *out_resource = resource;
  return CK_OK;
}

/* the device's own resource ------------------------------------------------------------------ */

/* Creates the device's own resource, once, when a thread first needs it: over the device's current
 * pool, or with cuMemAlloc if the device has no pools. It does not retain the device. */
static ck_status_t open_own(ck_device_t *device)
{
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  ck_status_t status = CK_OK;
  pthread_mutex_lock(&mutex);
  ck_memory_resource_t *own = NULL;
  if (!atomic_load(&device->memory)) {
    own = object_new_in_lines(sizeof *own);
    status = own ? CK_OK : CK_OUT_OF_MEMORY;
  }
  if (own) {
    own->device = device;
    own->kind = device->limits.has_pools ? MEMORY_pool : MEMORY_plain;
    own->flags = CK_MEMORY_DEVICE | (device->driver->traits->has_cpu_memory ? CK_MEMORY_HOST : 0);
    own->location = (ck_location_t){CK_PLACE_DEVICE, device->native};
    CUmemPoolProps props = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                            .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};
    if (own->kind == MEMORY_pool) status = device_enter(device);
    if (own->kind == MEMORY_pool && status == CK_OK) {
      status = open_pool(own, &props);
      device_leave(device);
    }
    if (status == CK_OK) atomic_store(&device->memory, own);
    else object_free(own);
  }
  pthread_mutex_unlock(&mutex);
  return status;
}

static pthread_mutex_t chosen_mutex = PTHREAD_MUTEX_INITIALIZER;

ck_status_t device_retain_memory(ck_device_t *device, ck_memory_resource_t **out_resource)
{
  pthread_mutex_lock(&chosen_mutex);
  *out_resource = ck_memory_resource_retain(atomic_load(&device->chosen));
  pthread_mutex_unlock(&chosen_mutex);
  if (*out_resource) return CK_OK;
  if (!atomic_load(&device->memory)) CK_TRY(open_own(device));
  *out_resource = ck_memory_resource_retain(atomic_load(&device->memory));
  return CK_OK;
}

ck_status_t ck_device_get_memory_resource(ck_device_t *device, ck_memory_resource_t **out_resource)
{
  CK_NEED_OUT(out_resource, NULL, device);
  CK_TRY(device_retain_memory(device, out_resource));
  ck_memory_resource_release(*out_resource);
  return CK_OK;
}

ck_status_t ck_device_set_memory_resource(ck_device_t *device, ck_memory_resource_t *resource)
{
  CK_NEED_ARG(device);
  if (resource && !device_same(resource->device, device))
    return error_argument("the memory resource is of '%s', not of '%s'", resource->device->name,
                          device->name);
  ck_memory_resource_retain(resource);
  pthread_mutex_lock(&chosen_mutex);
  ck_memory_resource_t *old = atomic_exchange(&device->chosen, resource);
  pthread_mutex_unlock(&chosen_mutex);
  ck_memory_resource_release(old);
  return CK_OK;
}

/* getters ------------------------------------------------------------------------------------ */

GETTER(ck_device_t *, memory_resource, device);

void *ck_memory_resource_native(const ck_memory_resource_t *resource)
{
  return resource->pool;
}

GETTER(uint32_t, memory_resource, flags);
GETTER(ck_location_t, memory_resource, location);

#define SAME_ATTRIBUTE(theirs, ours)                                                               \
  _Static_assert((int)CU_MEMPOOL_ATTR_##theirs == CK_POOL_##ours, "as in cuda.h")
SAME_ATTRIBUTE(REUSE_FOLLOW_EVENT_DEPENDENCIES, REUSE_FOLLOW_EVENTS);
SAME_ATTRIBUTE(REUSE_ALLOW_OPPORTUNISTIC, REUSE_OPPORTUNISTIC);
SAME_ATTRIBUTE(REUSE_ALLOW_INTERNAL_DEPENDENCIES, REUSE_DEPENDENCIES);
SAME_ATTRIBUTE(RELEASE_THRESHOLD, RELEASE_THRESHOLD);
SAME_ATTRIBUTE(RESERVED_MEM_CURRENT, HELD_BYTES);
SAME_ATTRIBUTE(RESERVED_MEM_HIGH, HELD_HIGH_BYTES);
SAME_ATTRIBUTE(USED_MEM_CURRENT, USED_BYTES);
SAME_ATTRIBUTE(USED_MEM_HIGH, USED_HIGH_BYTES);

static ck_status_t check_attribute(const ck_memory_resource_t *resource, ck_pool_attribute_t which)
{
  if (resource->kind != MEMORY_pool) return error_unsupported("only a pool knows what it holds");
  if (which < CK_POOL_REUSE_FOLLOW_EVENTS || which > CK_POOL_USED_HIGH_BYTES)
    return error_argument("a pool has no attribute %d", (int)which);
  return CK_OK;
}

ck_status_t ck_memory_resource_get_attribute(ck_memory_resource_t *resource,
                                             ck_pool_attribute_t attribute, uint64_t *out_value)
{
  CK_NEED_OUT(out_value, 0, resource);
  CK_TRY(check_attribute(resource, attribute));
  /* The driver stores the first three as int: the low half of this variable, little-endian. */
  uint64_t value = 0;
  DRV(resource->device->driver,
      cuMemPoolGetAttribute(resource->pool, (CUmemPool_attribute)attribute, &value));
  *out_value = value;
  return CK_OK;
}

ck_status_t ck_memory_resource_set_attribute(ck_memory_resource_t *resource,
                                             ck_pool_attribute_t attribute, uint64_t value)
{
  CK_NEED_ARG(resource);
  CK_TRY(check_attribute(resource, attribute));
  bool is_high = attribute == CK_POOL_HELD_HIGH_BYTES || attribute == CK_POOL_USED_HIGH_BYTES;
  bool is_switch = attribute <= CK_POOL_REUSE_DEPENDENCIES;
  if (attribute == CK_POOL_HELD_BYTES || attribute == CK_POOL_USED_BYTES || (is_high && value) ||
      (is_switch && value > 1))
    return error_argument("attribute %d of a pool can't be set to %llu", (int)attribute,
                          (unsigned long long)value);
  uint64_t native = value;
  return DRV_STATUS(resource->device->driver,
                    cuMemPoolSetAttribute(resource->pool, (CUmemPool_attribute)attribute, &native));
}

ck_status_t ck_memory_resource_get_usage(ck_memory_resource_t *resource, size_t *out_used_bytes,
                                         size_t *out_held_bytes)
{
  CK_NEED_ARGS(out_used_bytes, out_held_bytes);
  *out_used_bytes = *out_held_bytes = 0;
  uint64_t used, held;
  CK_TRY(ck_memory_resource_get_attribute(resource, CK_POOL_USED_BYTES, &used));
  CK_TRY(ck_memory_resource_get_attribute(resource, CK_POOL_HELD_BYTES, &held));
  *out_used_bytes = used;
  *out_held_bytes = held;
  return CK_OK;
}

ck_status_t ck_memory_resource_trim(ck_memory_resource_t *resource, size_t keep_bytes)
{
  CK_NEED_ARG(resource);
  CK_TRY(check_attribute(resource, CK_POOL_HELD_BYTES));
  return DRV_STATUS(resource->device->driver, cuMemPoolTrimTo(resource->pool, keep_bytes));
}

_Static_assert((int)CU_MEM_ACCESS_FLAGS_PROT_NONE == CK_PERMIT_NONE &&
                   (int)CU_MEM_ACCESS_FLAGS_PROT_READ == CK_PERMIT_READ &&
                   (int)CU_MEM_ACCESS_FLAGS_PROT_READWRITE == CK_PERMIT_READ_WRITE,
               "the numbers of the public enumeration are cuda.h's");

static ck_status_t check_access(const ck_memory_resource_t *resource, const ck_device_t *peer)
{
  CK_TRY(check_attribute(resource, CK_POOL_HELD_BYTES));
  if (peer->driver == resource->device->driver) return CK_OK;
  return error_unsupported("'%s' can't use memory of '%s'", peer->name, resource->device->name);
}

ck_status_t ck_memory_resource_set_access(ck_memory_resource_t *resource, ck_device_t *peer,
                                          ck_permission_t permission)
{
  CK_NEED_ARGS(resource, peer);
  CK_TRY(check_access(resource, peer));
  CK_TRY(permission_check(permission));
  CUmemAccessDesc access = {{CU_MEM_LOCATION_TYPE_DEVICE, peer->native},
                            (CUmemAccess_flags)permission};
  ck_status_t status =
      DRV_STATUS(resource->device->driver, cuMemPoolSetAccess(resource->pool, &access, 1));
  if (status == CK_OK && peer->native < 64 && !device_same(peer, resource->device))
    atomic_fetch_or(&resource->peers, 1ull << peer->native);
  if (status == CK_DRIVER && ck_last_driver_error() == CUDA_ERROR_INVALID_DEVICE)
    return error_within(CK_UNSUPPORTED, "memory of '%s' for '%s'", resource->device->name,
                        peer->name);
  return status;
}

ck_status_t ck_memory_resource_get_access(ck_memory_resource_t *resource, ck_device_t *peer,
                                          ck_permission_t *out_permission)
{
  CK_NEED_OUT(out_permission, CK_PERMIT_NONE, resource, peer);
  CK_TRY(check_access(resource, peer));
  CUmemAccess_flags flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
  CUmemLocation location = {CU_MEM_LOCATION_TYPE_DEVICE, peer->native};
  DRV(resource->device->driver, cuMemPoolGetAccess(&flags, resource->pool, &location));
  *out_permission = (ck_permission_t)flags;
  return CK_OK;
}

/* memory ------------------------------------------------------------------------------------- */

/* The word for the memory in messages. All memory of the host device is the CPU's. */
static const char *memory_word(const ck_memory_resource_t *resource)
{
  if (resource->kind == MEMORY_virtual) return "virtual";
  if (resource->flags & CK_MEMORY_MANAGED) return "managed";
  bool is_hosts =
      resource->location.place >= CK_PLACE_HOST ||
      (resource->flags & CK_MEMORY_HOST && !resource->device->driver->traits->has_cpu_memory);
  return is_hosts ? "page-locked" : "device";
}

ck_status_t memory_explain(const ck_memory_resource_t *resource, size_t bytes, ck_status_t status)
{
  if (status != CK_OUT_OF_MEMORY) return status;
  return error_within(status, "%zu bytes of %s memory of '%s'", bytes, memory_word(resource),
                      resource->device->name);
}

static ck_status_t call_allocate(ck_memory_resource_t *resource, size_t bytes, ck_stream_t *stream,
                                 CUdeviceptr *out_address, void **out_host)
{
  uint64_t address = 0;
  unsigned failures = error_count();
  ck_status_t status =
      resource->functions.allocate(resource->functions.data, bytes, stream, &address, out_host);
  if (status == CK_OK && !address)
    status = error_set(CK_OUT_OF_MEMORY, "the memory resource gave no address");
  else if (status != CK_OK && error_count() != failures && error_is_of(status))
    error_within(status, "%zu bytes from a memory resource of the caller's", bytes);
  else if (status != CK_OK)
    error_set(status, "%zu bytes from a memory resource of the caller's: %s", bytes,
              ck_status_name(status));
  *out_address = address;
  if (!*out_host && resource->flags & CK_MEMORY_HOST) *out_host = (void *)(uintptr_t)address;
  return status;
}

/* Serialised: when two threads allocate at once in forks of one capture, driver 580 maps neither
 * allocation, and a launch of the graph faults. */
static ck_status_t allocate_in_graph(const Driver *driver, size_t bytes, ck_stream_t *stream,
                                     CUdeviceptr *out_address)
{
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  ck_status_t status =
      DRV_STATUS(driver, cuMemAllocAsync(out_address, bytes, stream_native(stream)));
  pthread_mutex_unlock(&mutex);
  return status;
}

ck_status_t memory_allocate(ck_memory_resource_t *resource, size_t bytes, ck_stream_t *stream,
                            CUdeviceptr *out_address, void **out_host)
{
  const Driver *driver = resource->device->driver;
  ck_status_t status = CK_OK;
  if (resource->kind == MEMORY_caller)
    return call_allocate(resource, bytes, stream, out_address, out_host);
  if (resource->kind == MEMORY_pool && resource->flags & CK_MEMORY_MAPPED)
    return error_argument("the pool is another process's: it allocates there alone");
  if (resource->kind == MEMORY_pool && stream_keep(stream))
    return error_argument("a pool does not allocate in a captured stream: use "
                          "ck_memory_resource_create_graph");
  bool must_enter = resource->kind != MEMORY_pool || !stream_knows_context(stream);
  if (must_enter) CK_TRY(device_enter(resource->device));
  switch (resource->kind) {
  case MEMORY_pool:
    status = DRV_STATUS(
        driver, cuMemAllocFromPoolAsync(out_address, bytes, resource->pool, stream_native(stream)));
    break;
  case MEMORY_graph: status = allocate_in_graph(driver, bytes, stream, out_address); break;
  case MEMORY_plain: status = DRV_STATUS(driver, cuMemAlloc(out_address, bytes)); break;
  case MEMORY_pinned:
    status = DRV_STATUS(driver, cuMemHostAlloc(out_host, bytes, CU_MEMHOSTALLOC_PORTABLE));
    *out_address = (CUdeviceptr)(uintptr_t)*out_host;
    break;
  case MEMORY_managed:
    status = DRV_STATUS(driver, cuMemAllocManaged(out_address, bytes, CU_MEM_ATTACH_GLOBAL));
    break;
  case MEMORY_virtual: /* virtual_allocate */
  case MEMORY_caller: break;
  }
  if (must_enter) device_leave(resource->device);
  /* With unified addressing, which 64-bit Linux always has, host and device use the same address.
   */
  if (resource->flags & CK_MEMORY_HOST) *out_host = (void *)(uintptr_t)*out_address;
  return memory_explain(resource, bytes, status);
}

void memory_deallocate(ck_memory_resource_t *resource, CUdeviceptr address, size_t bytes,
                       ck_stream_t *stream)
{
  const Driver *driver = resource->device->driver;
  if (resource->kind == MEMORY_caller) {
    resource->functions.deallocate(resource->functions.data, address, bytes, stream);
    return;
  }
  bool is_known = resource->kind == MEMORY_pool && stream_knows_context(stream);
  bool is_entered = !is_known && device_enter_quietly(resource->device);
  bool is_ordered = resource->kind == MEMORY_graph || resource->kind == MEMORY_pool;
  CUstreamCaptureMode mode = is_ordered ? CU_STREAM_CAPTURE_MODE_GLOBAL : capture_relax(driver);
  switch (resource->kind) {
  case MEMORY_pool:
    if (resource->flags & CK_MEMORY_MAPPED) resource->imported->free(resource, address, stream);
    else free_async(driver, address, stream_native(stream));
    break;
  case MEMORY_graph: free_async(driver, address, stream_native(stream)); break;
  case MEMORY_plain:
  case MEMORY_managed: driver->cuMemFree(address); break;
  case MEMORY_pinned: driver->cuMemFreeHost((void *)(uintptr_t)address); break;
  case MEMORY_virtual: /* virtual_free */
  case MEMORY_caller: break;
  }
  if (!is_ordered) capture_restore(driver, mode);
  if (is_entered) device_leave(resource->device);
}
