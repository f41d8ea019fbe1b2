/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* faults.c - runs scenarios over a driver in which one call fails (faults.h). */
#include "faults.h"

ck_status_t faults_run(const Driver *driver, const Scenario *scenario)
{
  ck_device_t *device = NULL;
  ck_stream_t *stream = NULL;
  ck_status_t status;
  STEP(device_open(driver, 0, &device));
  STEP(ck_stream_create(device, NULL, &stream));
  STEP(scenario->run(device, stream));
done:
  ck_stream_release(stream);
  ck_device_release(device);
  return status;
}

/* Calls that free something can't be undone, and their failures are not reported. */
static bool is_cleanup(const char *name)
{
  static const char *const names[] = {"cuDevicePrimaryCtxRelease",
                                      "cuCtxPopCurrent",
                                      "cuGreenCtxDestroy",
                                      "cuMemFree",
                                      "cuMemFreeHost",
                                      "cuMemPoolDestroy",
                                      "cuMemFreeAsync",
                                      "cuMemHostUnregister",
                                      "cuMemAddressFree",
                                      "cuMemRelease",
                                      "cuMemUnmap",
                                      "cuThreadExchangeStreamCaptureMode",
                                      "cuStreamDestroy",
                                      "cuEventDestroy",
                                      "cuArrayDestroy",
                                      "cuMipmappedArrayDestroy",
                                      "cuTexObjectDestroy",
                                      "cuSurfObjectDestroy",
                                      "cuLibraryUnload",
                                      "cuLinkDestroy",
                                      "cuGraphDestroy",
                                      "cuGraphExecDestroy"};
  for (size_t i = 0; i < COUNT_OF(names); ++i)
    if (!strcmp(name, names[i])) return true;
  return false;
}

/* The first two are also called during clean-up, and the second has an alternative. */
static bool may_pass(const Scenario *scenario, int function)
{
  if (function == DRIVER_cuCtxPushCurrent || function == DRIVER_cuCtxGetCurrent) return true;
  for (size_t i = 0; i < COUNT_OF(scenario->quiet) && scenario->quiet[i]; ++i)
    if (!strcmp(scenario->quiet[i], fault_name(function))) return true;
  return false;
}

static bool is_reported(const Scenario *scenario, int function, ck_status_t status)
{
  if (status == CK_OK) return may_pass(scenario, function);
  return (status == CK_DRIVER || status == scenario->other_status) &&
         strstr(ck_last_error(), fault_name(function)) &&
         ck_last_driver_error() == CUDA_ERROR_UNKNOWN;
}

static bool try_one(const Driver *driver, const Scenario *scenario, int function, unsigned nth)
{
  fault_arm(function, nth, CUDA_ERROR_UNKNOWN);
  ck_status_t status = faults_run(driver, scenario);
  size_t left = atomic_load(&host_live_objects);
  int kept = scenario->kept ? *scenario->kept : 0;
  bool is_clean = !left && !kept && !host_is_current();
  if (CHECK(fault_fired() && is_reported(scenario, function, status) && is_clean)) return true;
  fprintf(stderr, "%s: %s, call %u: %s, '%s', %zu objects and %d references are left\n",
          scenario->name, fault_name(function), nth, ck_status_name(status), ck_last_error(), left,
          kept);
  if (scenario->kept) *scenario->kept = 0;
  return false;
}

static unsigned try_all(const Scenario *scenario)
{
  const Driver *below = scenario->below ? scenario->below : driver_host();
  const Driver *driver = fault_driver(below);
  CHECK_OK(faults_run(driver, scenario)); /* sets the release threshold of the current pool,
                                           * which stays */
  driver = fault_driver(below);
  CHECK_OK(faults_run(driver, scenario));
  CHECK(atomic_load(&host_live_objects) == 0 && (!scenario->kept || *scenario->kept == 0));
  unsigned calls[DRIVER_FN_COUNT], tried = 0;
  for (int f = 0; f < DRIVER_FN_COUNT; ++f) calls[f] = fault_count(f);
  for (int f = 0; f < DRIVER_FN_COUNT; ++f)
    for (unsigned nth = 1; nth <= calls[f] && !is_cleanup(fault_name(f)); ++nth, ++tried)
      if (!try_one(driver, scenario, f, nth)) break;
  fault_arm(FAULT_ANY, 0, CUDA_SUCCESS);
  CHECK_OK(faults_run(driver, scenario));
  return tried;
}

unsigned faults_try(const Scenario *scenarios, size_t count)
{
  unsigned tried = 0;
  for (size_t i = 0; i < count; ++i) tried += try_all(&scenarios[i]);
  printf("%u calls failed in turn\n", tried);
  return tried;
}
