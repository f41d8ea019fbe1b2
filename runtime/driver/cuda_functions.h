/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* cuda_functions.h - declares the driver functions in driver.def, which all return a CUresult.
 *
 * Names have no version suffix, as cuGetProcAddress expects them. Those of cudaGL.h take 32-bit
 * numbers for OpenGL's names of objects and its enumerations (OpenGL 4.6, table 2.2).
 */
#ifndef CK_DRIVER_CUDA_FUNCTIONS_H
#define CK_DRIVER_CUDA_FUNCTIONS_H

#include "cuda_types.h"

CUresult cuGetProcAddress(const char *, void **, int, uint64_t, CUdriverProcAddressQueryResult *);
#define DRIVER_FN(name, version, need, parameters) CUresult name parameters;
#include "driver.def"

#endif
