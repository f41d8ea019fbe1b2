/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* device.c - devices: opening, limits, attributes, and making a device's context current.
 *
 * device_enter and device_leave surround driver calls. Most callers have the device's context
 * current already, so device_enter only compares; otherwise it pushes the context, and device_leave
 * pops it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"

/* The numbers of the attributes, and, in the same order, their names. */
static const uint8_t attributes[] = {
#define CK_DEVICE_ATTR(name, value, host) value,
#include "ck/device_attrs.def"
};
static const char attribute_names[] = {
#define CK_DEVICE_ATTR(name, value, host) #name "\0"
#include "ck/device_attrs.def"
};

const char *name_in_lower_case(const char *name)
{
  static _Thread_local char text[80];
  size_t i = 0;
  for (; name[i] && i < sizeof text - 1; ++i)
    text[i] = name[i] >= 'A' && name[i] <= 'Z' ? (char)(name[i] + 'a' - 'A') : name[i];
  text[i] = 0;
  return text;
}

const char *ck_device_attribute_name(ck_device_attribute_t attribute)
{
  for (size_t i = 0; i < COUNT_OF(attributes); ++i)
    if (attributes[i] == (unsigned)attribute)
      return name_in_lower_case(strings_at(attribute_names, i));
  return NULL;
}

/* Guards what devices allocate for themselves. */
static pthread_mutex_t own_mutex = PTHREAD_MUTEX_INITIALIZER;

ck_status_t device_scratch(ck_device_t *device, bool is_hosts, CUdeviceptr *out_address)
{
  enum { BYTES = 4 };
  const Driver *driver = device->driver;
  CUdeviceptr *scratch = &device->scratch[is_hosts];
  void *host = NULL;
  ck_status_t status = CK_OK;
  CUstreamCaptureMode mode = capture_relax(driver);
  pthread_mutex_lock(&own_mutex);
  if (!*scratch && is_hosts) {
    status = DEVICE_STATUS(device, cuMemHostAlloc(&host, BYTES, 0));
    *scratch = (CUdeviceptr)(uintptr_t)host;
  } else if (!*scratch) status = DEVICE_STATUS(device, cuMemAlloc(scratch, BYTES));
  *out_address = *scratch;
  pthread_mutex_unlock(&own_mutex);
  capture_restore(driver, mode);
  return status;
}

CUdeviceptr device_slot(ck_device_t *device)
{
  const Driver *driver = device->driver;
  CUdeviceptr slot = 0;
  CUstreamCaptureMode mode = capture_relax(driver);
  pthread_mutex_lock(&own_mutex);
  if (!device->slots && device_enter_quietly(device)) {
    if (driver->cuMemAlloc(&device->slots, DEVICE_SLOTS * DEVICE_SLOT_BYTES)) device->slots = 0;
    device_leave(device);
  }
  if (device->slots && device->slots_taken < DEVICE_SLOTS)
    slot = device->slots + device->slots_taken++ * DEVICE_SLOT_BYTES;
  pthread_mutex_unlock(&own_mutex);
  capture_restore(driver, mode);
  return slot;
}

static void free_own_memory(const ck_device_t *device)
{
  CleanUp clean_up = clean_up_begin(device);
  if (device->slots) device->driver->cuMemFree(device->slots);
  if (device->scratch[0]) device->driver->cuMemFree(device->scratch[0]);
  if (device->scratch[1]) device->driver->cuMemFreeHost((void *)(uintptr_t)device->scratch[1]);
  clean_up_end(&clean_up);
}

static void device_destroy(ck_device_t *device)
{
  ck_memory_resource_release(atomic_load(&device->chosen));
  if (device->scratch[0] || device->scratch[1] || device->slots) free_own_memory(device);
  if (device->context) device->driver->cuDevicePrimaryCtxRelease(device->native);
  object_free(atomic_load(&device->memory));
  object_free(device);
}

OBJECT(device, ck_device_t);

/* Reads the attributes that launches are checked against. */
static ck_status_t read_limits(ck_device_t *device)
{
  DeviceLimits *limits = &device->limits;
  int clusters = 0, cooperative = 0, pools = 0;
  const struct {
    int attribute;
    int *out;
  } rows[] = {
      {CK_DEVICE_MAX_THREADS_PER_BLOCK, &limits->block_threads},
      {CK_DEVICE_MAX_BLOCK_DIM_X, &limits->block[0]},
      {CK_DEVICE_MAX_BLOCK_DIM_Y, &limits->block[1]},
      {CK_DEVICE_MAX_BLOCK_DIM_Z, &limits->block[2]},
      {CK_DEVICE_MAX_GRID_DIM_X, &limits->grid[0]},
      {CK_DEVICE_MAX_GRID_DIM_Y, &limits->grid[1]},
      {CK_DEVICE_MAX_GRID_DIM_Z, &limits->grid[2]},
      {CK_DEVICE_MAX_SHARED_MEMORY_PER_BLOCK, &limits->shared_bytes},
      {CK_DEVICE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, &limits->shared_bytes_optin},
      {CK_DEVICE_MULTIPROCESSOR_COUNT, &limits->multiprocessors},
      {CK_DEVICE_CLUSTER_LAUNCH, &clusters},
      {CK_DEVICE_COOPERATIVE_LAUNCH, &cooperative},
      {CK_DEVICE_MEMORY_POOLS_SUPPORTED, &pools},
  };
  for (size_t i = 0; i < COUNT_OF(rows); ++i)
    DRV(device->driver,
        cuDeviceGetAttribute(rows[i].out, (CUdevice_attribute)rows[i].attribute, device->native));
  limits->has_clusters = clusters;
  limits->has_cooperative = cooperative;
  limits->has_pools = pools;
  return CK_OK;
}

static ck_status_t read_target(const Driver *driver, CUdevice native, char target[CK_TARGET_BYTES])
{
  int major, minor;
  DRV(driver, cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, native));
  DRV(driver, cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, native));
  snprintf(target, CK_TARGET_BYTES, "sm_%d%d", major, minor);
  return CK_OK;
}

ck_status_t device_open(const Driver *driver, int ordinal, ck_device_t **out_device)
{
  *out_device = NULL;
  const StreamReserve *reserve = atomic_load(&stream_reserve);
  if (reserve) reserve->forget_all(); /* a spare may hold a context with a sticky error */
  ck_device_t *device = object_new_in_lines(sizeof *device);
  if (!device) return CK_OUT_OF_MEMORY;
  device->driver = driver;
  device->ordinal = ordinal;
  device->primary.device = device;
  ck_status_t status;
  if ((status = DRV_STATUS(driver, cuDeviceGet(&device->native, ordinal)))) goto fail;
  if ((status =
           DRV_STATUS(driver, cuDeviceGetName(device->name, sizeof device->name, device->native))))
    goto fail;
  if ((status = read_limits(device))) goto fail;
  if (driver->traits->target)
    snprintf(device->target, CK_TARGET_BYTES, "%s", driver->traits->target);
  else if ((status = read_target(driver, device->native, device->target))) goto fail;
  if ((status = DRV_STATUS(driver, cuDevicePrimaryCtxRetain(&device->context, device->native))))
    goto fail;
  device->primary.native = device->context;
  *out_device = device;
  return CK_OK;
fail:
  device_destroy(device);
  return status;
}

int ck_device_count(void)
{
  const Driver *driver;
  int count = 0;
  if (driver_open_cuda(&driver) != CK_OK) return 0;
  return driver->cuDeviceGetCount(&count) == CUDA_SUCCESS ? count : 0;
}

/* Finds the driver that has a GPU of this ordinal. */
static ck_status_t find_gpu(int ordinal, const Driver **out_driver)
{
  int count;
  CK_TRY(driver_open_cuda(out_driver));
  DRV(*out_driver, cuDeviceGetCount(&count));
  if (count == 0) return error_set(CK_UNAVAILABLE, "the CUDA driver finds no device");
  if (ordinal >= 0 && ordinal < count) return CK_OK;
  return error_argument("device %d: there %s %d, counted from 0", ordinal,
                        count == 1 ? "is" : "are", count);
}

ck_status_t ck_device_open(int ordinal, ck_device_t **out_device)
{
  CK_NEED_OUT(out_device, NULL);
  const Driver *driver;
  CK_TRY(find_gpu(ordinal, &driver));
  return device_open(driver, ordinal, out_device);
}

/* CUDA can't open a device by its UUID, so all devices are compared. */
ck_status_t device_open_uuid(const Driver *driver, const unsigned char uuid[16],
                             ck_device_t **out_device)
{
  int count;
  *out_device = NULL;
  DRV(driver, cuDeviceGetCount(&count));
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    CUdevice native;
    CUuuid own;
    DRV(driver, cuDeviceGet(&native, ordinal));
    DRV(driver, cuDeviceGetUuid(&own, native));
    if (!memcmp(own.bytes, uuid, sizeof own.bytes)) return device_open(driver, ordinal, out_device);
  }
  return error_set(CK_NOT_FOUND, "none of the driver's %d devices has the UUID", count);
}

ck_status_t ck_device_open_host(ck_device_t **out_device)
{
  CK_NEED_ARG(out_device);
  return device_open(driver_host(), 0, out_device);
}

ck_status_t ck_device_open_current(ck_device_t **out_device)
{
  CK_NEED_OUT(out_device, NULL);
  const Driver *driver;
  CUcontext current;
  CUdevice ordinal;
  CK_TRY(driver_open_cuda(&driver));
  DRV(driver, cuCtxGetCurrent(&current));
  if (!current) return ck_device_open(0, out_device);
  DRV(driver, cuCtxGetDevice(&ordinal));
  return ck_device_open(ordinal, out_device);
}

enum { HOST = -1 };

/* Reads $CK_DEVICE: the ordinal of a GPU, which may not exist, or HOST. */
static ck_status_t read_auto(int *out_ordinal)
{
  const char *wanted = getenv("CK_DEVICE");
  *out_ordinal = HOST;
  if (!wanted || !*wanted || !strcmp(wanted, "auto")) {
    if (ck_device_count() > 0) *out_ordinal = 0;
    return CK_OK;
  }
  if (!strcmp(wanted, "host") || gpu_ordinal(wanted, out_ordinal)) return CK_OK;
  return error_argument("CK_DEVICE is '%s': use host, cuda:N or auto", wanted);
}

ck_status_t ck_device_open_auto(ck_device_t **out_device)
{
  int ordinal;
  CK_NEED_OUT(out_device, NULL);
  CK_TRY(read_auto(&ordinal));
  return ordinal == HOST ? ck_device_open_host(out_device) : ck_device_open(ordinal, out_device);
}

ck_status_t ck_device_find_auto(int *out_ordinal, char out_target[CK_TARGET_BYTES])
{
  const Driver *driver;
  int ordinal;
  CUdevice native;
  char target[CK_TARGET_BYTES] = "host";
  if (out_ordinal) *out_ordinal = HOST;
  if (out_target) *out_target = 0;
  CK_TRY(read_auto(&ordinal));
  if (ordinal != HOST) {
    CK_TRY(find_gpu(ordinal, &driver));
    DRV(driver, cuDeviceGet(&native, ordinal));
    CK_TRY(read_target(driver, native, target));
  }
  if (out_ordinal) *out_ordinal = ordinal;
  if (out_target) memcpy(out_target, target, sizeof target);
  return CK_OK;
}

int ck_device_is_host(const ck_device_t *device)
{
  return device->driver->traits->target != NULL;
}

GETTER(int, device, ordinal);
GETTER(const char *, device, name);
GETTER(const char *, device, target);
GETTER(int, device, native);

ck_context_t *ck_device_context(ck_device_t *device)
{
  return &device->primary;
}

/* A stack of bits, the newest in bit 0: whether each device_enter that is not left yet pushed the
 * context. Usually the context is current already, and the comparison costs a sixth of a push and a
 * pop. */
static _Thread_local uint64_t pushed;

static bool is_current(const ck_device_t *device)
{
  CUcontext current = NULL;
  return device->driver->cuCtxGetCurrent(&current) == CUDA_SUCCESS && current == device->context;
}

ck_status_t device_enter(const ck_device_t *device)
{
  bool must_push = !is_current(device);
  if (must_push) DRV(device->driver, cuCtxPushCurrent(device->context));
  pushed = pushed << 1 | must_push;
  return CK_OK;
}

bool device_enter_quietly(const ck_device_t *device)
{
  bool must_push = !is_current(device);
  if (must_push && device->driver->cuCtxPushCurrent(device->context) != CUDA_SUCCESS) return false;
  pushed = pushed << 1 | must_push;
  return true;
}

void device_leave(const ck_device_t *device)
{
  CUcontext old;
  if (pushed & 1) device->driver->cuCtxPopCurrent(&old);
  pushed >>= 1;
}

ck_status_t ck_device_get_attribute(ck_device_t *device, ck_device_attribute_t attribute,
                                    int *out_value)
{
  CK_NEED_OUT(out_value, 0, device);
  ck_status_t status =
      DRV_STATUS(device->driver,
                 cuDeviceGetAttribute(out_value, (CUdevice_attribute)attribute, device->native));
  if (ck_last_driver_error() != CUDA_ERROR_INVALID_VALUE || status == CK_OK) return status;
  return error_within(CK_INVALID_ARGUMENT, "%s does not know attribute %d", device->driver->label,
                      (int)attribute);
}

ck_status_t ck_device_get_memory(ck_device_t *device, size_t *out_free_bytes,
                                 size_t *out_total_bytes)
{
  size_t free_bytes = 0, total_bytes = 0;
  if (out_free_bytes) *out_free_bytes = 0;
  if (out_total_bytes) *out_total_bytes = 0;
  CK_NEED_ARG(device);
  ck_status_t status = DEVICE_STATUS(device, cuMemGetInfo(&free_bytes, &total_bytes));
  if (out_free_bytes) *out_free_bytes = free_bytes;
  if (out_total_bytes) *out_total_bytes = total_bytes;
  return status;
}

ck_status_t ck_device_get_uuid(ck_device_t *device, unsigned char out_uuid[16])
{
  CUuuid uuid = {{0}};
  CK_NEED_ARG(out_uuid);
  memset(out_uuid, 0, sizeof uuid.bytes);
  CK_NEED_ARG(device);
  ck_status_t status = DRV_STATUS(device->driver, cuDeviceGetUuid(&uuid, device->native));
  memcpy(out_uuid, uuid.bytes, sizeof uuid.bytes);
  return status;
}

ck_status_t ck_device_sync(ck_device_t *device)
{
  CK_NEED_ARG(device);
  ck_status_t status = context_sync(&device->primary);
  graph_collect();
  return status;
}

ck_status_t ck_device_get_pci_bus_id(ck_device_t *device, char out_text[CK_PCI_BUS_ID_BYTES])
{
  CK_NEED_OUT(out_text, 0, device);
  return DRV_STATUS(device->driver,
                    cuDeviceGetPCIBusId(out_text, CK_PCI_BUS_ID_BYTES, device->native));
}

ck_status_t ck_device_get_compute_capability(ck_device_t *device, int *out_major, int *out_minor)
{
  CK_NEED_ARGS(out_major, out_minor);
  *out_major = *out_minor = 0;
  CK_NEED_ARG(device);
  CK_TRY(ck_device_get_attribute(device, CK_DEVICE_COMPUTE_CAPABILITY_MAJOR, out_major));
  return ck_device_get_attribute(device, CK_DEVICE_COMPUTE_CAPABILITY_MINOR, out_minor);
}

ck_status_t ck_device_can_access_peer(ck_device_t *device, ck_device_t *peer, int *out_can)
{
  CK_NEED_OUT(out_can, 0, device, peer);
  /* A GPU and the host device can't access each other, and no device is a peer of itself. */
  if (device->driver != peer->driver || device->native == peer->native) return CK_OK;
  return DRV_STATUS(device->driver, cuDeviceCanAccessPeer(out_can, device->native, peer->native));
}

_Static_assert((int)CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK == CK_PEER_PERFORMANCE_RANK, "");
_Static_assert((int)CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED == CK_PEER_ACCESS_SUPPORTED, "");
_Static_assert((int)CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED == CK_PEER_NATIVE_ATOMICS, "");
_Static_assert((int)CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED == CK_PEER_ARRAY_ACCESS,
               "");

ck_status_t ck_device_get_peer_attribute(ck_device_t *device, ck_device_t *peer,
                                         ck_peer_attribute_t attribute, int *out_value)
{
  CK_NEED_OUT(out_value, 0, device, peer);
  if (device->driver != peer->driver || device->native == peer->native)
    return error_argument("'%s' and '%s' are no two GPUs", device->name, peer->name);
  return DRV_STATUS(device->driver,
                    cuDeviceGetP2PAttribute(out_value, (CUdevice_P2PAttribute)attribute,
                                            device->native, peer->native));
}
