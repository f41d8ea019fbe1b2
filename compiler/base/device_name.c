/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* device_name.c - reads the name of a GPU as $CK_DEVICE and --device have it: `cuda:` and its
 * number.
 */
#include <string.h>

#include "base.h"

bool gpu_ordinal(const char *name, int *out_ordinal)
{
  static const char prefix[] = "cuda:";
  const char *digits = name + strlen(prefix);
  int ordinal = 0;
  if (strncmp(name, prefix, strlen(prefix)) || !*digits) return false;
  for (; *digits; ++digits)
    if (*digits < '0' || *digits > '9' || __builtin_mul_overflow(ordinal, 10, &ordinal) ||
        __builtin_add_overflow(ordinal, *digits - '0', &ordinal))
      return false;
  *out_ordinal = ordinal;
  return true;
}
