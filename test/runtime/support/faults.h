/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* faults.h - runs scenarios in which each driver call fails in turn.
 *
 *   static const Scenario scenarios[] = {{"events", .run = use_events}};
 *   TEST(faults) { faults_try(scenarios, COUNT_OF(scenarios)); }
 *
 * A scenario returns the status of its first call that fails, after releasing what it created.
 * Checked are: the status is CK_DRIVER, the message names the function, no driver object and no
 * reference that the caller holds is left, and the thread's current context is unchanged.
 */
#ifndef CK_FAULTS_H
#define CK_FAULTS_H

#include "fixture.h"

typedef struct Scenario {
  const char *name;
  ck_status_t (*run)(ck_device_t *device, ck_stream_t *stream);
  const char *quiet[9];     /* functions that may fail without effect: in clean-up, or if there
                             * is an alternative */
  ck_status_t other_status; /* allowed instead of CK_DRIVER; CK_OK: none */
  int *kept;                /* number of references not yet released; NULL: there are none */
  const Driver *below;      /* the driver below; NULL: the host device */
} Scenario;

ck_status_t faults_run(const Driver *driver, const Scenario *scenario);

/* Returns how many calls failed in turn. */
unsigned faults_try(const Scenario *scenarios, size_t count);

/* The same for the runtime's own allocations: the status is CK_OUT_OF_MEMORY, or CK_OK if there is
 * an alternative. Returns how many failed in turn. Only for programs that CMakeLists.txt links with
 * no_memory.c. */
unsigned faults_try_allocations(const Scenario *scenarios, size_t count);

/* Ends a scenario at its first failure: jumps to the label `done`. */
#define STEP(call)                                                                                 \
  if ((status = (call)) != CK_OK) goto done

#endif
