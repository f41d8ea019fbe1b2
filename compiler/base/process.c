/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* process.c - child processes that do not outlive what they work for. */
#include "base.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

pid_t fork_child(void)
{
  pid_t self = getpid(), child = fork();
  if (child != 0) return child;
  memory_escape_suspend(); /* for good: what this process goes back to is its parent's */
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != self) raise(SIGKILL); /* it ended before we asked */
  return 0;
}
