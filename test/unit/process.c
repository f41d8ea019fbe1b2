/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* process.c - tests that a child created by fork_child() ends when its parent is killed. */
#include "base.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#undef NDEBUG /* release builds check too */
#include <assert.h>

/* Writes a byte when it is ready; never returns. */
static void grandchild(int end)
{
  if (write(end, "", 1) != 1) _exit(1);
  for (;;) pause();
}

int main(void)
{
  enum { SECONDS = 20 };
  int ends[2];
  char byte;
  assert(pipe(ends) == 0);
  pid_t child = fork();
  if (child == 0) {
    if (fork_child() == 0) grandchild(ends[1]);
    for (;;) pause();
  }
  close(ends[1]);
  assert(read(ends[0], &byte, 1) == 1);
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  alarm(SECONDS);                       /* ends this test if the pipe remains open */
  assert(read(ends[0], &byte, 1) == 0); /* end of file: the last writer has ended */
  return 0;
}
