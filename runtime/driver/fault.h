/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* fault.h - a driver for tests that counts calls and makes a chosen call fail.
 *
 *   const Driver *driver = fault_driver(driver_host());
 *   fault_arm(DRIVER_cuEventCreate, 2, CUDA_ERROR_OUT_OF_MEMORY);   the second call from now on
 *
 * There is one such driver in a process; it is not part of libckrt.
 */
#ifndef CK_FAULT_H
#define CK_FAULT_H

#include "driver.h"

enum { FAULT_ANY = -1 };

/* Makes the table, which forwards to `below`. Resets the counts and disarms. */
const Driver *fault_driver(const Driver *below);

/* Makes call number `nth` (from 1) of a function, or of all functions with FAULT_ANY, return
 * `result` without doing anything. nth = 0 disarms. */
void fault_arm(int function, unsigned nth, CUresult result);

/* The name of the function whose call failed, or NULL if the armed call was not made yet. */
const char *fault_fired(void);

/* The number of calls since fault_driver, and the name of a function. */
unsigned fault_count(int function);
const char *fault_name(int function);

#endif
