/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* cpu.c - the level of x86-64 that host code is made for, and whether this machine has it.
 *
 * Code may come from a cache or a file that another machine made.
 */
#include <string.h>
#include <sys/platform/x86.h> /* libgcc's __builtin_cpu_supports would add 5 KB to libckrt */

#include "base.h"

static bool has_v3(void)
{
  return CPU_FEATURE_ACTIVE(AVX2) && CPU_FEATURE_ACTIVE(FMA) && CPU_FEATURE_ACTIVE(BMI2);
}

const char *host_cpu(void)
{
  return has_v3() ? "x86-64-v3" : "x86-64";
}

bool host_cpu_runs(const char *cpu)
{
  return !strcmp(cpu, "x86-64") || (!strcmp(cpu, "x86-64-v3") && has_v3());
}
