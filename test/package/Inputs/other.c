/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* other.c - a second source file that uses the kernels. */
#include "plain.ck.h"

ck_status_t launch_set(ck_stream_t *stream, float *x);

ck_status_t launch_set(ck_stream_t *stream, float *x)
{
  return set_launch(stream, NULL, 1, x);
}
