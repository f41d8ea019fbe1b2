/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* fake_cuda.h - what a test tells the libcuda of fake_cuda.c, and asks it. */
#ifndef CK_FAKE_CUDA_H
#define CK_FAKE_CUDA_H

#include "driver/cuda_functions.h"

enum { FAKE_PAIRS = 4, FAKE_THREAD = 4711 };

typedef struct FakeCuda {
  int pid;     /* the process with CUDA */
  int version; /* as CUDA_VERSION; what came later is not there */
  CUprocessState state;
  unsigned fail_in; /* calls until one returns fail_with; 0: none does */
  CUresult fail_with;
  const char *failed; /* the function that it was */
  unsigned lock_ms;   /* of the last lock; 0 is no bound */
  int is_busy;        /* a lock with a bound comes too late */
  int had_pairs;      /* the last restore had arguments, and these: */
  unsigned pair_count;
  CUcheckpointGpuPair pairs[FAKE_PAIRS];
} FakeCuda;

/* The library's one, by dlsym("fake_cuda"). */
typedef FakeCuda *FakeCudaOf(void);

#endif
