/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* process.c - child processes that do not outlive what they work for.
 *
 * A library of others that may crash or hang runs in a child of fork(), which has the memory of its
 * parent, so that nothing needs to be sent there. What it made comes back in a file in memory:
 *
 *   parent                                child
 *   child_start: two files, a pipe, fork  work(user, out)
 *   child_finish: waits for the pipe  <-  writes `out` to the one file, 1 byte to the pipe
 *                 reads both files        (what it prints lands in the other file)
 *
 * Without that byte the answer does not count: the child died. The pipe also tells that the child
 * is gone, except where another thread forked meanwhile and its child has a copy of the pipe. So the
 * parent looks every CHECK_MILLISECONDS as well. A child that takes no processor time for
 * child_stall_seconds waits for a lock that a thread of its parent held at the fork, and is killed.
 */
#define _GNU_SOURCE /* memfd_create */
#include "base.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CHECK_MILLISECONDS = 100 };

/* No link of one of our tests waits for longer than a disk does; the longest that we know took 40
 * seconds of processor time. */
unsigned child_stall_seconds = 30, child_patience_seconds = 900;

pid_t fork_child(void)
{
  pid_t self = getpid(), child = fork();
  if (child != 0) return child;
  memory_escape_suspend(); /* for good: what this process goes back to is its parent's */
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != self) raise(SIGKILL); /* it ended before we asked */
  return 0;
}

static bool write_all(int fd, const void *data, size_t bytes)
{
  for (size_t done = 0; done < bytes;) {
    ssize_t put = write(fd, (const char *)data + done, bytes - done);
    if (put < 0 && errno != EINTR) return false;
    if (put > 0) done += (size_t)put;
  }
  return true;
}

static void read_all(int fd, Buf *out)
{
  enum { CHUNK = 1 << 16 };
  for (off_t at = 0;;) {
    buf_reserve(out, CHUNK);
    ssize_t bytes = pread(fd, out->data + out->len, CHUNK, at);
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes <= 0) return;
    at += bytes;
    out->len += (size_t)bytes;
    out->data[out->len] = 0;
  }
}

/* A signal that ends the child is no matter of the handlers that its parent has set up: they would
 * print, or go back to the parent's code. */
static void forget_handlers(void)
{
  static const int signals[] = {SIGSEGV, SIGBUS,  SIGILL, SIGFPE,  SIGABRT, SIGTRAP, SIGSYS,
                                SIGTERM, SIGQUIT, SIGINT, SIGALRM, SIGPIPE, SIGUSR1, SIGUSR2};
  sigset_t all;
  for (size_t i = 0; i < COUNT_OF(signals); ++i) signal(signals[i], SIG_DFL);
  sigfillset(&all);
  sigprocmask(SIG_UNBLOCK, &all, NULL);
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
}

_Noreturn static void run_child(const Child *child, int done, ChildWork *work, void *user)
{
  Arena arena = {0};
  Buf out = BUF(&arena);
  forget_handlers();
  dup2(child->said, STDOUT_FILENO);
  dup2(child->said, STDERR_FILENO);
  work(user, &out);
  bool is_sent = write_all(child->answer, out.data, out.len) && write_all(done, "", 1);
  _exit(is_sent ? 0 : 1);
}

static void close_files(const Child *child)
{
  int error = errno;
  if (child->answer >= 0) close(child->answer);
  if (child->said >= 0) close(child->said);
  errno = error;
}

bool child_start(Child *child, ChildWork *work, void *user)
{
  int ends[2];
  *child = (Child){.id = -1};
  child->answer = memfd_create("answer", MFD_CLOEXEC);
  child->said = memfd_create("said", MFD_CLOEXEC);
  if (child->answer < 0 || child->said < 0 || pipe2(ends, O_CLOEXEC) != 0) {
    close_files(child);
    return false;
  }
  child->done = ends[0];
  child->id = fork_child();
  if (child->id == 0) {
    close(ends[0]);
    run_child(child, ends[1], work, user);
  }
  close(ends[1]);
  if (child->id > 0) return true;
  close(ends[0]);
  close_files(child);
  return false;
}

static double processor_seconds(pid_t id)
{
  clockid_t clock;
  struct timespec time;
  if (clock_getcpuclockid(id, &clock) || clock_gettime(clock, &time)) return 0;
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Whether the byte came. Kills a child that does not end. */
static bool wait_for_byte(const Child *child, bool *out_is_hung)
{
  double start = seconds_now(), changed = start, used = 0;
  char byte;
  for (;;) {
    struct pollfd ready = {.fd = child->done, .events = POLLIN};
    int count = poll(&ready, 1, CHECK_MILLISECONDS);
    if (count > 0) return read(child->done, &byte, 1) == 1;
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)child->id, &info, WEXITED | WNOHANG | WNOWAIT) || info.si_pid)
      return poll(&ready, 1, 0) > 0 && read(child->done, &byte, 1) == 1;
    double now = seconds_now(), uses = processor_seconds(child->id);
    if (uses > used) changed = now;
    used = uses;
    *out_is_hung = now - changed > child_stall_seconds || now - start > child_patience_seconds;
    if (!*out_is_hung) continue;
    kill(child->id, SIGKILL);
    return false;
  }
}

void child_cancel(Child *child)
{
  Arena arena = {0};
  Buf answer = BUF(&arena), said = BUF(&arena);
  ChildEnd end;
  kill(child->id, SIGKILL);
  child_finish(child, &answer, &said, &end);
  arena_free(&arena);
}

bool child_finish(Child *child, Buf *answer, Buf *said, ChildEnd *out_end)
{
  int status = 0;
  pid_t ended;
  *out_end = (ChildEnd){0};
  bool has_byte = wait_for_byte(child, &out_end->is_hung);
  do ended = waitpid(child->id, &status, 0);
  while (ended < 0 && errno == EINTR);
  if (ended > 0 && WIFSIGNALED(status)) out_end->signal = WTERMSIG(status);
  if (has_byte) read_all(child->answer, answer);
  read_all(child->said, said);
  close(child->done);
  close_files(child);
  return has_byte;
}
