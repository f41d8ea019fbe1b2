/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* faults.h - every driver call of a scenario is made to fail in turn.
 *
 *   static const Scenario scenarios[] = {{"events", .run = use_events}};
 *   TEST(faults) { faults_try(scenarios, COUNT_OF(scenarios)); }
 *
 * A scenario returns the status of its first call that fails, having released what it made. Then
 * this status has to be CK_DRIVER, the message has to name the function, no driver object and no
 * kept reference may be left over, and the thread's current context has to be what it was.
 */
#ifndef CK_FAULTS_H
#define CK_FAULTS_H

#include "fixture.h"

typedef struct Scenario {
  const char *name;
  ck_status_t (*run)(ck_device_t *device, ck_stream_t *stream);
  const char *quiet[9];     /* functions whose failure may pass: in clean-up, or with a way on */
  ck_status_t other_status; /* that a call may have instead of CK_DRIVER; CK_OK: none */
  int *kept;                /* how many references are not given back; NULL: none are made */
  const Driver *below;      /* what the calls go to; NULL: the host device */
} Scenario;

ck_status_t faults_run(const Driver *driver, const Scenario *scenario);

/* How many calls failed in turn. */
unsigned faults_try(const Scenario *scenarios, size_t count);

/* The same for the runtime's own allocations: the status is CK_OUT_OF_MEMORY, or CK_OK where there
 * is a way on. How many failed in turn. For programs that CMakeLists.txt links for it. */
unsigned faults_try_allocations(const Scenario *scenarios, size_t count);

/* Leaves a scenario at its first failure, at the label `done`. */
#define STEP(call)                                                                                 \
  if ((status = (call)) != CK_OK) goto done

#endif
