/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* process.c - child processes that do not outlive what they work for. */
#include "base.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

void end_with_parent(pid_t parent)
{
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) raise(SIGKILL); /* it ended before we asked */
}
