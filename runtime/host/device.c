/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* device.c - the host device itself: device queries, the primary context, sticky errors, the table
 * of driver functions.
 *
 * The primary context exists while it is retained. An error of a kernel is sticky: it stays until
 * the context ends, as on a GPU. The last release ends the context after the work in the default
 * streams, which hold no reference, has finished. A thread that retains the context during that
 * time waits for the end and gets a new context. Functions that this work calls must not wait for
 * it: their retain keeps the old context alive.
 */
#define _GNU_SOURCE /* sched_getaffinity */
#include "host.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>

atomic_size_t host_live_objects;

pthread_mutex_t host_context_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t context_ended = PTHREAD_COND_INITIALIZER;
static size_t retain_count;
static bool is_ending; /* the last release is in progress */
static bool ends_anew; /* a reference taken meanwhile was released again */
static char fault_text[512];
static atomic_int fault;

CUresult host_fault(void)
{
  return (CUresult)atomic_load_explicit(&fault, memory_order_acquire);
}

void host_set_fault(CUresult result, const char *text)
{
  fflush(stdout); /* so that the kernel's output precedes the message */
  pthread_mutex_lock(&host_context_mutex);
  if (host_fault() == CUDA_SUCCESS) {
    snprintf(fault_text, sizeof fault_text, "%s", text);
    atomic_store_explicit(&fault, result, memory_order_release);
  }
  pthread_mutex_unlock(&host_context_mutex);
}

static const char *get_fault_text(void)
{
  return host_fault() == CUDA_SUCCESS ? NULL : fault_text;
}

/* The largest value of $CK_HOST_THREADS. */
enum { MOST_THREADS = 4096 };

unsigned host_core_count(void)
{
  const char *wish = getenv("CK_HOST_THREADS");
  long given = wish ? strtol(wish, NULL, 10) : 0;
  int count = given > 0 && given <= MOST_THREADS ? (int)given : 0;
  cpu_set_t cpus;
  if (count <= 0 && sched_getaffinity(0, sizeof cpus, &cpus) == 0) count = CPU_COUNT(&cpus);
  return count > 0 ? (unsigned)count : 1;
}

/* errors ------------------------------------------------------------------------------------- */

static const uint16_t errors[] = {
#define HOST_ERROR(result, text) result,
#include "errors.def"
};

/* For each error its name and its text. */
static const char error_texts[] = {
#define HOST_ERROR(result, text) #result "\0" text "\0"
#include "errors.def"
};

/* `column` 0 is the name, 1 the text. */
static CUresult get_error_text(CUresult error, size_t column, const char **out_text)
{
  *out_text = NULL;
  for (size_t i = 0; i < COUNT_OF(errors) && !*out_text; ++i)
    if (errors[i] == error) *out_text = strings_at(error_texts, 2 * i + column);
  return *out_text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult host_cuGetErrorName(CUresult error, const char **out_name)
{
  return get_error_text(error, 0, out_name);
}

CUresult host_cuGetErrorString(CUresult error, const char **out_text)
{
  return get_error_text(error, 1, out_text);
}

/* device ------------------------------------------------------------------------------------- */

CUresult host_cuInit(unsigned flags)
{
  return flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult host_cuDriverGetVersion(int *out_version)
{
  *out_version = CUDA_WITH_MODES;
  return CUDA_SUCCESS;
}

CUresult host_cuDeviceGetCount(int *out_count)
{
  *out_count = 1;
  return CUDA_SUCCESS;
}

CUresult host_cuDeviceGet(CUdevice *out_device, int ordinal)
{
  *out_device = 0;
  return ordinal == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult host_cuDeviceGetName(char *name, int room, CUdevice device)
{
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  snprintf(name, (size_t)room, "host device");
  return CUDA_SUCCESS;
}

CUresult host_cuDeviceGetUuid(CUuuid *out_uuid, CUdevice device)
{
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  memcpy(out_uuid->bytes, "Cokernel.host.00", sizeof out_uuid->bytes);
  return CUDA_SUCCESS;
}

CUresult host_cuDeviceGetAttribute(int *out_value, CUdevice_attribute attribute, CUdevice device)
{
  enum { HOST_CORES = INT32_MIN }; /* stands for their number */
  static const uint8_t attributes[] = {
#define CK_DEVICE_ATTR(name, value, host) value,
#include "ck/device_attrs.def"
  };
  static const int values[] = {
#define CK_DEVICE_ATTR(name, value, host) host,
#include "ck/device_attrs.def"
  };
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  size_t i = 0;
  while (i < COUNT_OF(attributes) && attributes[i] != (unsigned)attribute) ++i;
  if (i == COUNT_OF(attributes)) return CUDA_ERROR_INVALID_VALUE;
  *out_value = values[i] == HOST_CORES ? (int)host_core_count() : values[i];
  return CUDA_SUCCESS;
}

CUresult host_cuDeviceGetPCIBusId(char *text, int room, CUdevice device)
{
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  if (room > 0) *text = 0; /* the host device is not on a bus */
  return CUDA_SUCCESS;
}

/* context ------------------------------------------------------------------------------------ */

CUresult host_cuDevicePrimaryCtxRetain(CUcontext *out_context, CUdevice device)
{
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  pthread_mutex_lock(&host_context_mutex);
  while (is_ending && !host_is_stream_thread())
    pthread_cond_wait(&context_ended, &host_context_mutex);
  ++retain_count;
  pthread_mutex_unlock(&host_context_mutex);
  atomic_fetch_add(&host_live_objects, 1);
  *out_context = host_primary_context();
  return CUDA_SUCCESS;
}

/* With host_context_mutex held, which is released while it waits. */
static void end_context(void)
{
  is_ending = true;
  do {
    ends_anew = false;
    pthread_mutex_unlock(&host_context_mutex);
    host_drop_default_streams();
    pthread_mutex_lock(&host_context_mutex);
  } while (ends_anew && retain_count == 0);
  if (retain_count == 0) {
    atomic_store(&fault, CUDA_SUCCESS);
    host_renew_primary();
  }
  is_ending = false;
  pthread_cond_broadcast(&context_ended);
}

CUresult host_cuDevicePrimaryCtxRelease(CUdevice device)
{
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  pthread_mutex_lock(&host_context_mutex);
  if (retain_count == 0) {
    pthread_mutex_unlock(&host_context_mutex);
    return CUDA_ERROR_INVALID_CONTEXT;
  }
  bool is_last = --retain_count == 0;
  if (is_last && is_ending) ends_anew = true;
  else if (is_last) end_context();
  pthread_mutex_unlock(&host_context_mutex);
  atomic_fetch_sub(&host_live_objects, 1);
  return CUDA_SUCCESS;
}

CUresult host_cuCtxSynchronize(void)
{
  if (!host_is_current()) return CUDA_ERROR_INVALID_CONTEXT;
  if (host_capture_forbids_sync()) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  return host_sync_all();
}

/* the table ---------------------------------------------------------------------------------- */

#define ROW_NEEDED(function)   function
#define ROW_OPTIONAL(function) function
#define ROW_GPU_ONLY(function) NULL

/* One CPU thread executes all blocks of a cooperative grid, so more blocks are more work for the
 * same result. Four are enough to show how blocks affect each other, on any machine. */
static const DriverTraits host_traits = {.target = "host",
                                         .first_number = -1,
                                         .cooperative_blocks = 4,
                                         .has_cpu_memory = true,
                                         .keeps_fill_edges = true};

/* Filled by code: in a constant table each address would be a relocation. */
static Driver driver;

static void fill_table(void)
{
#define DRIVER_FN(name, version, need, parameters) driver.name = ROW_##need(host_##name);
#include "driver/driver.def"
  driver.label = "the host device";
  driver.traits = &host_traits;
  driver.fault_text = get_fault_text;
}

const Driver *driver_host(void)
{
  static once_flag once = ONCE_FLAG_INIT;
  call_once(&once, fill_table);
  return &driver;
}
