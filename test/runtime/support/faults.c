/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* faults.c - runs scenarios on the host device behind the driver that fails. */
#include "faults.h"

static ck_status_t run(const Driver *driver, const Scenario *scenario)
{
  ck_device_t *device = NULL;
  ck_stream_t *stream = NULL;
  ck_status_t status;
  STEP(device_open(driver, true, 0, &device));
  STEP(ck_stream_create(device, NULL, &stream));
  STEP(scenario->run(device, stream));
done:
  ck_stream_release(stream);
  ck_device_release(device);
  return status;
}

/* A call that gives something back can't be undone, and its failure is not reported. */
static bool is_cleanup(const char *name)
{
  static const char *const words[] = {"Destroy",    "Free",  "Release",   "Unload",
                                      "PopCurrent", "Unmap", "Unregister"};
  for (size_t i = 0; i < COUNT_OF(words); ++i)
    if (strstr(name, words[i])) return true;
  return false;
}

/* These are called in clean-up as well, and the second has another way on. */
static bool may_pass(int function)
{
  return function == DRIVER_cuCtxPushCurrent || function == DRIVER_cuCtxGetCurrent;
}

static bool try_one(const Driver *driver, const Scenario *scenario, int function, unsigned nth)
{
  CUcontext current = NULL;
  fault_arm(function, nth, CUDA_ERROR_UNKNOWN);
  ck_status_t status = run(driver, scenario);
  bool is_reported = status == CK_DRIVER && strstr(ck_last_error(), fault_name(function)) &&
                     ck_last_driver_error() == CUDA_ERROR_UNKNOWN;
  bool is_quiet = scenario->quiet && !strcmp(scenario->quiet, fault_name(function));
  if ((may_pass(function) || is_quiet) && status == CK_OK) is_reported = true;
  host_cuCtxGetCurrent(&current);
  size_t left = atomic_load(&host_live_objects);
  if (CHECK(fault_fired() && is_reported && !left && !current)) return true;
  fprintf(stderr, "%s: %s, call %u: %s, '%s', %zu objects are left\n", scenario->name,
          fault_name(function), nth, ck_status_name(status), ck_last_error(), left);
  return false;
}

void faults_try(const Scenario *scenarios, size_t count)
{
  unsigned tried = 0;
  for (size_t i = 0; i < count; ++i) {
    const Driver *driver = fault_driver(driver_host());
    CHECK_OK(run(driver, &scenarios[i])); /* sets the current pool's threshold for good */
    driver = fault_driver(driver_host());
    CHECK_OK(run(driver, &scenarios[i]));
    CHECK(atomic_load(&host_live_objects) == 0);
    unsigned calls[DRIVER_FN_COUNT];
    for (int f = 0; f < DRIVER_FN_COUNT; ++f) calls[f] = fault_count(f);
    for (int f = 0; f < DRIVER_FN_COUNT; ++f)
      for (unsigned nth = 1; nth <= calls[f] && !is_cleanup(fault_name(f)); ++nth, ++tried)
        if (!try_one(driver, &scenarios[i], f, nth)) break;
    fault_arm(FAULT_ANY, 0, CUDA_SUCCESS);
  }
  printf("%u calls failed in turn\n", tried);
}
