/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* no_memory.c - runs scenarios on the host device with one failing allocation of host memory, once
 * for each allocation. Programs that use it are linked so that the runtime allocates through this
 * file. */
#include "faults.h"

static atomic_uint allocations, failing; /* `failing`: the number of the one that fails; 0: none */

static bool is_out(void)
{
  return atomic_fetch_add(&allocations, 1) + 1 == atomic_load(&failing);
}

/* The linker replaces the functions of object.c by these: --wrap in CMakeLists.txt. */
void *__real_memory_new(size_t bytes);
void *__real_memory_new_aligned(size_t bytes, size_t alignment);
void *__real_object_take(size_t bytes);
void *__real_object_new_in_lines(size_t bytes);
void *__wrap_memory_new(size_t bytes);
void *__wrap_memory_new_aligned(size_t bytes, size_t alignment);
void *__wrap_object_take(size_t bytes);
void *__wrap_object_new_in_lines(size_t bytes);

void *__wrap_memory_new(size_t bytes)
{
  return is_out() ? NULL : __real_memory_new(bytes);
}

void *__wrap_memory_new_aligned(size_t bytes, size_t alignment)
{
  return is_out() ? NULL : __real_memory_new_aligned(bytes, alignment);
}

static void *no_object(void)
{
  error_set(CK_OUT_OF_MEMORY, "host memory is out, in a test");
  return NULL;
}

void *__wrap_object_take(size_t bytes)
{
  return is_out() ? no_object() : __real_object_take(bytes);
}

void *__wrap_object_new_in_lines(size_t bytes)
{
  return is_out() ? no_object() : __real_object_new_in_lines(bytes);
}

/* Work that ran out of memory in a kernel of the host device, or in a capture. */
static bool is_about_memory(ck_status_t status)
{
  bool is_lost = ck_last_driver_error() == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  return status == CK_OK || status == CK_OUT_OF_MEMORY || (status == CK_DRIVER && is_lost) ||
         (status == CK_KERNEL_FAULT && strstr(ck_last_error(), "host memory is out"));
}

static bool try_allocation(const Driver *driver, const Scenario *scenario, unsigned nth)
{
  size_t before = atomic_load(&host_live_objects);
  atomic_store(&allocations, 0);
  atomic_store(&failing, nth);
  ck_status_t status = faults_run(driver, scenario);
  atomic_store(&failing, 0);
  size_t left = atomic_load(&host_live_objects) - before;
  int kept = scenario->kept ? *scenario->kept : 0;
  bool is_clean = !left && !kept && !host_is_current();
  if (CHECK(is_about_memory(status) && is_clean)) return true;
  fprintf(stderr, "%s: allocation %u: %s, '%s', %zu objects and %d references are left\n",
          scenario->name, nth, ck_status_name(status), ck_last_error(), left, kept);
  if (scenario->kept) *scenario->kept = 0;
  return false;
}

unsigned faults_try_allocations(const Scenario *scenarios, size_t count)
{
  unsigned tried = 0;
  for (size_t i = 0; i < count; ++i) {
    const Scenario *scenario = &scenarios[i];
    const Driver *driver = scenario->below ? scenario->below : driver_host();
    CHECK_OK(faults_run(driver, scenario));
    atomic_store(&allocations, 0);
    CHECK_OK(faults_run(driver, scenario));
    unsigned all = atomic_load(&allocations);
    for (unsigned nth = 1; nth <= all; ++nth, ++tried) try_allocation(driver, scenario, nth);
    CHECK_OK(faults_run(driver, scenario));
  }
  printf("%u allocations failed in turn\n", tried);
  return tried;
}
