/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* clean_up.c - calls of the driver that no failure and no capture may stop.
 *
 * A destructor runs whenever the last reference goes: on any thread, with any context current, and
 * while other streams are captured. A capture in a strict mode forbids calls such as cuMemFree to
 * its thread or to all threads, and a forbidden call invalidates the capture. So a clean-up first
 * makes the device's context current and puts the calling thread into the relaxed capture mode:
 *
 *   CleanUp clean_up = clean_up_begin(device);
 *   device->driver->cuMemFree(address);
 *   clean_up_end(&clean_up);
 *
 * which is CLEAN_UP(device, device->driver->cuMemFree(address)).
 *
 * The first cause of an error must not be lost in the clean-up, so the thread records no failure in
 * between, whatever is called there (error_pause).
 */
#include "device.h"

CUstreamCaptureMode capture_relax(const Driver *driver)
{
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  CUresult result = driver->cuThreadExchangeStreamCaptureMode(&mode);
  return result == CUDA_SUCCESS ? mode : CU_STREAM_CAPTURE_MODE_GLOBAL;
}

void capture_restore(const Driver *driver, CUstreamCaptureMode mode)
{
  driver->cuThreadExchangeStreamCaptureMode(&mode);
}

atomic_uint capture_strict_count;

void free_async_relaxed(const Driver *driver, CUdeviceptr address, CUstream stream)
{
  CUstreamCaptureMode mode = capture_relax(driver);
  driver->cuMemFreeAsync(address, stream);
  capture_restore(driver, mode);
}

CleanUp clean_up_begin(const ck_device_t *device)
{
  bool is_entered = device_enter_quietly(device);
  error_pause();
  return (CleanUp){device, is_entered, capture_relax(device->driver)};
}

void clean_up_end(const CleanUp *clean_up)
{
  capture_restore(clean_up->device->driver, clean_up->mode);
  error_resume();
  if (clean_up->is_entered) device_leave(clean_up->device);
}
