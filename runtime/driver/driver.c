/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* driver.c - fills the driver table from libcuda, and translates CUresult into ck_status_t.
 *
 * libcuda.so.1 is opened when the first GPU is requested, and never closed. Each function is looked
 * up with cuGetProcAddress_v2 (CUDA 12.0 and newer) by name and version, so that a newer driver
 * returns the form of the function that driver.def declares.
 */
#include "driver.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

enum { OPTIONAL, NEEDED, GPU_ONLY };

static Driver cuda;
static once_flag cuda_once = ONCE_FLAG_INIT;
static ck_status_t cuda_status;
static int cuda_error;
static char cuda_why[512];

/* Row i is for function i of the table, whose name is string i of the list. */
static const struct DriverRow {
  uint16_t version : 14; /* in tens */
  uint16_t need : 2;
} rows[] = {
#define DRIVER_FN(name, version, need, parameters) {(version) / 10, need},
#include "driver.def"
};
static const char names[] = {
#define DRIVER_FN(name, version, need, parameters) #name "\0"
#include "driver.def"
};
_Static_assert(offsetof(Driver, label) == COUNT_OF(rows) * sizeof(void *), "functions come first");

/* A fill that is switched off loses its edges in CUDA (graph/graph.c). */
const DriverTraits driver_cuda_traits = {
    .has_peers = true, .has_device_graphs = true, .has_nvml = true, .takes_ptx = true};

/* Strips _v2: cuGetProcAddress has one name for all forms of a function. */
static const char *base_name(const char *name, char *room, size_t bytes)
{
  size_t len = strlen(name);
  if (len < 3 || strcmp(name + len - 3, "_v2") != 0) return name;
  snprintf(room, bytes, "%.*s", (int)(len - 3), name);
  return room;
}

/* Fills the table. Returns the first NEEDED function that is missing, or NULL. */
static const char *find_functions(__typeof__(cuGetProcAddress) *get)
{
  const char *missing = NULL, *name = names;
  for (size_t i = 0; i < COUNT_OF(rows); ++i, name = strings_next(name)) {
    void **function = (void **)(void *)&cuda + i;
    CUdriverProcAddressQueryResult found = CU_GET_PROC_ADDRESS_SUCCESS;
    char base[64];
    CUresult result = get(base_name(name, base, sizeof base), function, 10 * rows[i].version,
                          CU_GET_PROC_ADDRESS_DEFAULT, &found);
    if (result != CUDA_SUCCESS || found != CU_GET_PROC_ADDRESS_SUCCESS) *function = NULL;
    if (!*function && rows[i].need == NEEDED && !missing) missing = name;
  }
  return missing;
}

/* Runs once. The driver itself is only used if all functions that the runtime needs are found and
 * cuInit succeeds; otherwise cuda_why keeps the reason for the error message of each later call. */
static void load_cuda(void)
{
  Arena scratch = {0};
  Buf why = BUF(&scratch);
  const char *own = getenv("CK_LIBCUDA");
  const char *files[] = {own && *own ? own : "libcuda.so.1", NULL};
  void *library = dl_open(files, NULL, &why);
  cuda_status = CK_UNAVAILABLE;
  if (!library) {
    snprintf(cuda_why, sizeof cuda_why, "the CUDA driver is not installed: %s", buf_text(&why));
    goto done;
  }
  __typeof__(cuGetProcAddress) *get;
  *(void **)&get = dlsym(library, "cuGetProcAddress_v2");
  if (!get) {
    snprintf(cuda_why, sizeof cuda_why, "the CUDA driver is older than 12.0: %s lacks %s", files[0],
             "cuGetProcAddress_v2");
    goto done;
  }
  const char *missing = find_functions(get);
  if (missing) {
    snprintf(cuda_why, sizeof cuda_why, "the CUDA driver lacks %s: it is older than 12.0", missing);
    goto done;
  }
  cuda.label = "the CUDA driver";
  cuda.traits = &driver_cuda_traits;
  CUresult result = cuda.cuInit(0);
  if (result != CUDA_SUCCESS) {
    const char *name = NULL, *text = NULL;
    cuda.cuGetErrorName(result, &name);
    cuda.cuGetErrorString(result, &text);
    snprintf(cuda_why, sizeof cuda_why, "the CUDA driver does not start: %s (%s) from cuInit(0)",
             name ? name : "?", text ? text : "?");
    cuda_error = (int)result;
    goto done;
  }
  cuda_status = CK_OK;
  int version = 0;
  cuda.cuDriverGetVersion(&version);
  log_line(LOG_driver, "%s, CUDA %d.%d", files[0], version / 1000, version % 1000 / 10);
done:
  arena_free(&scratch);
}

ck_status_t driver_open_cuda(const Driver **out_driver)
{
  *out_driver = NULL;
  call_once(&cuda_once, load_cuda);
  if (cuda_status != CK_OK) return error_set_driver(cuda_status, cuda_error, "%s", cuda_why);
  *out_driver = &cuda;
  return CK_OK;
}

ck_status_t driver_lacks(const Driver *driver, int function)
{
  const char *what = rows[function].need == GPU_ONLY ? "is for GPUs and came" : "came";
  return error_unsupported("%s has no %s, which %s with CUDA %d.%d", driver->label,
                           strings_at(names, (size_t)function), what, rows[function].version / 100,
                           rows[function].version % 100);
}

ck_status_t driver_need_version(const Driver *driver, int version, const char *what)
{
  int own = 0;
  DRV(driver, cuDriverGetVersion(&own));
  if (own >= version) return CK_OK;
  return error_unsupported("%s is of CUDA %d.%d, %s came with %d.%d", driver->label, own / 1000,
                           own % 1000 / 10, what, version / 1000, version % 1000 / 10);
}

/* Maps a driver error to what the caller can do about it; all others are CK_DRIVER. */
static ck_status_t status_of(CUresult result)
{
  switch ((int)result) {
  case CUDA_ERROR_OUT_OF_MEMORY: return CK_OUT_OF_MEMORY;
  case CUDA_ERROR_NOT_READY: return CK_NOT_READY;
  case CUDA_ERROR_NOT_FOUND: return CK_NOT_FOUND;
  case CUDA_ERROR_NOT_SUPPORTED:
  case CUDA_ERROR_NO_BINARY_FOR_GPU:
  case CUDA_ERROR_UNSUPPORTED_PTX_VERSION: return CK_UNSUPPORTED;
  case CUDA_ERROR_NO_DEVICE:
  case CUDA_ERROR_DEVICE_UNAVAILABLE:
  case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH: return CK_UNAVAILABLE;
  case CUDA_ERROR_ILLEGAL_ADDRESS:
  case CUDA_ERROR_LAUNCH_TIMEOUT:
  case CUDA_ERROR_ASSERT:
  case CUDA_ERROR_HARDWARE_STACK_ERROR:
  case CUDA_ERROR_ILLEGAL_INSTRUCTION:
  case CUDA_ERROR_MISALIGNED_ADDRESS:
  case CUDA_ERROR_INVALID_ADDRESS_SPACE:
  case CUDA_ERROR_INVALID_PC:
  case CUDA_ERROR_LAUNCH_FAILED: return CK_KERNEL_FAULT;
  default: return CK_DRIVER;
  }
}

bool driver_has_fault(CUresult result)
{
  return status_of(result) == CK_KERNEL_FAULT;
}

ck_status_t driver_report(const Driver *driver, CUresult result, const char *call, const char *file,
                          int line)
{
  const char *name = NULL, *text = NULL;
  char number[32];
  if (result != CUDA_SUCCESS) {
    driver->cuGetErrorName(result, &name);
    driver->cuGetErrorString(result, &text);
  }
  if (!name) { /* newer drivers have codes that cuda_types.h lacks */
    snprintf(number, sizeof number, "CUDA error %d", (int)result);
    name = number;
  }
  log_line(LOG_driver, "%s: %s", call, result == CUDA_SUCCESS ? "ok" : name);
  if (result == CUDA_SUCCESS) return CK_OK;
  ck_status_t status = status_of(result);
  const char *fault = status == CK_KERNEL_FAULT && driver->fault_text ? driver->fault_text() : NULL;
  /* Only the host device has such a text. */
  if (fault) return error_set_driver(status, (int)result, "%s", fault);
  /* The driver was initialised before any handle existed, so this process is a fork of the one that
   * did it. */
  const char *hint = result == CUDA_ERROR_NOT_INITIALIZED
                         ? "; a child of fork() can't use what its parent made"
                         : "";
  return error_set_driver(status, (int)result, "%s (%s) from %s at %s:%d%s", name,
                          text ? text : "unknown error", call, file, line, hint);
}

ck_status_t driver_result(const Driver *driver, CUresult result, const char *call, const char *file,
                          int line)
{
  if (LIKELY(result == CUDA_SUCCESS && !log_wants(LOG_driver))) return CK_OK;
  return driver_report(driver, result, call, file, line);
}
