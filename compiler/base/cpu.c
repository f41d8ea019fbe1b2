/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* cpu.c - which level of x86-64 code for the host is made for, and whether this machine has it;
 * what a GPU beside it is called. Code may come from a cache or a file and run on another machine
 * than the one that made it. */
#include <string.h>

#include "base.h"

static bool has_v3(void)
{
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("bmi2");
}

const char *host_cpu(void)
{
  return has_v3() ? "x86-64-v3" : "x86-64";
}

bool host_cpu_runs(const char *cpu)
{
  return !strcmp(cpu, "x86-64") || (!strcmp(cpu, "x86-64-v3") && has_v3());
}

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
