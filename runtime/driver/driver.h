/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* driver.h - the one table of driver functions that the whole runtime calls through.
 *
 * There are three fillings: libcuda (driver.c), the host device (host/), and, in tests, one that
 * makes chosen calls of another filling fail (fault.c). Every device carries a pointer to its own.
 *
 *   DRV(device->driver, cuStreamSynchronize(stream->native));
 *
 * calls through the table, and on failure returns from the function with a status, having recorded
 * the call's text, the driver's name for the error, and file and line. A function that has
 * something to undo takes the status instead, and goes to its end:
 *
 *   if ((status = DRV_STATUS(driver, cuEventCreate(&event, 0)))) goto fail;
 *
 * Clean-up calls the table's members as they are, so that the first failure stays the one that is
 * reported.
 */
#ifndef CK_DRIVER_H
#define CK_DRIVER_H

#include "core/error.h"
#include "cuda_functions.h"

/* A table. */
typedef struct Driver {
#define DRIVER_FN(name, version, need) __typeof__(name) *name;
#include "driver.def"
  const char *label;               /* "the CUDA driver", for messages */
  const char *(*fault_text)(void); /* what a kernel's fault was, or NULL; NULL if there's no way */
} Driver;

enum {
#define DRIVER_FN(name, version, need) DRIVER_##name,
#include "driver.def"
  DRIVER_FN_COUNT
};

/* libcuda's table, loaded and initialised once. CK_UNAVAILABLE without a driver. $CK_LIBCUDA names
 * a library that stands for libcuda.so.1. */
ck_status_t driver_open_cuda(const Driver **out_driver);

/* The host device's table (host/device.c). */
const Driver *driver_host(void);

/* Records a failed call; what it returns says what the caller can do. */
COLD ck_status_t driver_report(const Driver *driver, CUresult result, const char *call,
                               const char *file, int line);

/* Whether the call failed because a kernel had a fault: its context runs nothing any more. */
bool driver_has_fault(CUresult result);

/* CK_UNSUPPORTED: a function that an older driver, or the host device, has not. */
COLD ck_status_t driver_lacks(const Driver *driver, int function);

enum {
  CUDA_WITH_MODES = 13020
}; /* launches have CU_LAUNCH_ATTRIBUTE_SHARED_MEMORY_MODE, for one */

/* CK_UNSUPPORTED if the driver is of an older CUDA (13020 is 13.2) than that which `what` came
 * with. */
ck_status_t driver_need_version(const Driver *driver, int version, const char *what);

/* Returns from the function if the table has no such OPTIONAL or GPU_ONLY function. */
#define DRV_NEED(driver_, name_)                                                                   \
  CK_TRY((driver_)->name_ ? CK_OK : driver_lacks((driver_), DRIVER_##name_))

/* With CK_LOG=driver every call is printed, so the way here is short when nothing is to be done. */
static inline ck_status_t driver_result(const Driver *driver, CUresult result, const char *call,
                                        const char *file, int line)
{
  if (result == CUDA_SUCCESS && !log_wants(LOG_driver)) return CK_OK;
  return driver_report(driver, result, call, file, line);
}

#define DRV_STATUS(driver_, call_)                                                                 \
  driver_result((driver_), (driver_)->call_, #call_, __FILE__, __LINE__)
#define DRV(driver_, call_)                                                                        \
  CK_TRY(driver_result((driver_), (driver_)->call_, #call_, __FILE__, __LINE__))

#endif
