/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* driver.h - the table of CUDA driver functions through which the whole runtime calls.
 *
 * Each device has a pointer to its table. There are three kinds: libcuda (driver.c), the host
 * device (host/), and for tests one that injects failures into another table (fault.c).
 *
 *   DRV(device->driver, cuStreamSynchronize(stream->native));
 *
 * calls through the table. On failure it records the text of the call, the driver's name for the
 * error, file and line, and returns from the function with a status. A function that has something
 * to undo uses DRV_STATUS instead, and goes to its end:
 *
 *   if ((status = DRV_STATUS(driver, cuEventCreate(&event, 0)))) goto fail;
 *
 * Clean-up code calls the table's members directly, so that its failures don't replace the first
 * one.
 */
#ifndef CK_DRIVER_H
#define CK_DRIVER_H

#include "core/error.h"
#include "cuda_functions.h"

/* What the devices of one driver have and those of another lack, besides functions. */
typedef struct DriverTraits {
  const char *target;         /* what code for each device is compiled for; NULL: ask the device */
  int32_t first_number;       /* of its devices, in one count with those of other drivers */
  int32_t cooperative_blocks; /* as many are of use in a cooperative grid; 0: all resident ones */
  bool has_cpu_memory;        /* device memory is the process's own: the CPU accesses all of it */
  bool has_peers;             /* a device may access another one's memory */
  bool has_device_graphs;     /* kernels launch graphs, and change their nodes */
  bool has_nvml;              /* NVML knows the devices */
  bool takes_ptx;             /* loads and links PTX and cubins; otherwise CK_EMIT_HOST alone */
  bool keeps_fill_edges;      /* a fill node that is switched off still orders its neighbours */
} DriverTraits;

/* The table: a pointer for each row of driver.def, named like the function. */
typedef struct Driver {
#define DRIVER_FN(name, version, need, parameters) __typeof__(name) *name;
#include "driver.def"
  const char *label; /* "the CUDA driver", for messages */
  const DriverTraits *traits;
  const char *(*fault_text)(void); /* text of a kernel's error, or NULL if there is none; the
                                    * pointer may be NULL */
} Driver;

enum {
#define DRIVER_FN(name, version, need, parameters) DRIVER_##name,
#include "driver.def"
  DRIVER_FN_COUNT
};

/* Gets libcuda's table, loaded and initialised once. CK_UNAVAILABLE without a driver. $CK_LIBCUDA
 * names a library to load instead of libcuda.so.1. */
ck_status_t driver_open_cuda(const Driver **out_driver);

/* The traits of GPUs. */
extern const DriverTraits driver_cuda_traits;

/* Implemented in host/: the host device is a driver like CUDA's, and only its table is known
 * outside (host/device.c). */
const Driver *driver_host(void);

/* ---- failures ---- */

/* Records a failed call and returns its status. */
COLD ck_status_t driver_report(const Driver *driver, CUresult result, const char *call,
                               const char *file, int line);

/* Whether an error is a sticky error of a kernel, after which the context executes nothing. */
bool driver_has_fault(CUresult result);

/* CK_UNSUPPORTED for a function that this driver lacks. */
COLD ck_status_t driver_lacks(const Driver *driver, int function);

enum {
  CUDA_WITH_MODES = 13020
}; /* the CUDA version of CU_LAUNCH_ATTRIBUTE_SHARED_MEMORY_MODE and the like */

/* CK_UNSUPPORTED if the driver's CUDA version is below `version` (13020 is 13.2), which introduced
 * `what`. */
ck_status_t driver_need_version(const Driver *driver, int version, const char *what);

/* Returns from the function if the table lacks an OPTIONAL or GPU_ONLY function. */
#define DRV_NEED(driver_, name_)                                                                   \
  CK_TRY((driver_)->name_ ? CK_OK : driver_lacks((driver_), DRIVER_##name_))

/* CK_OK, or what driver_report returns for a failed call. Not inline: most calls are of functions
 * that run once, and a call costs a nanosecond; stream_result is the inline form. */
ck_status_t driver_result(const Driver *driver, CUresult result, const char *call, const char *file,
                          int line);

#define DRV_STATUS(driver_, call_)                                                                 \
  driver_result((driver_), (driver_)->call_, #call_, __FILE_NAME__, __LINE__)
#define DRV(driver_, call_)                                                                        \
  CK_TRY(driver_result((driver_), (driver_)->call_, #call_, __FILE_NAME__, __LINE__))

#endif
