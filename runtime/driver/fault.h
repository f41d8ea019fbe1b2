/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* fault.h - a driver for tests: counts every call, and makes a chosen one fail.
 *
 *   const Driver *driver = fault_driver(driver_host());
 *   fault_arm(DRIVER_cuEventCreate, 2, CUDA_ERROR_OUT_OF_MEMORY);   the second call from now on
 *
 * There is one such driver in a process; it is no part of libckrt.
 */
#ifndef CK_FAULT_H
#define CK_FAULT_H

#include "driver.h"

enum { FAULT_ANY = -1 };

/* The table, passing through to `below`. Forgets counts and what was armed. */
const Driver *fault_driver(const Driver *below);

/* From now on, call number `nth` (from 1) of a function, or of all of them with FAULT_ANY, returns
 * `result` and does nothing else. 0 disarms. */
void fault_arm(int function, unsigned nth, CUresult result);

/* Whether the armed call was made; its function's name, or NULL. */
const char *fault_fired(void);

/* Calls since fault_driver, and the name of a function. */
unsigned fault_count(int function);
const char *fault_name(int function);

#endif
