/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* fake_cuda.h - the state of the libcuda in fake_cuda.c, which tests set and read. */
#ifndef CK_FAKE_CUDA_H
#define CK_FAKE_CUDA_H

#include "driver/cuda_functions.h"

enum { FAKE_PAIRS = 4, FAKE_THREAD = 4711 };

typedef struct FakeCuda {
  int pid;     /* the process that uses CUDA */
  int version; /* as CUDA_VERSION; later functions do not exist */
  CUprocessState state;
  unsigned fail_in; /* calls until one returns fail_with; 0: none fails */
  CUresult fail_with;
  const char *failed; /* the function that failed */
  unsigned lock_ms;   /* timeout of the last lock; 0: none */
  int is_busy;        /* a lock with a timeout fails */
  int had_pairs;      /* the last restore had arguments, and these: */
  unsigned pair_count;
  CUcheckpointGpuPair pairs[FAKE_PAIRS];
} FakeCuda;

/* The library's state, found by dlsym("fake_cuda"). */
typedef FakeCuda *FakeCudaOf(void);

#endif
