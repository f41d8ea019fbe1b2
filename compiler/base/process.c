/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* process.c - runs work in a child process that can't outlive its parent, and gets its answer.
 *
 * Libraries of others that may crash or hang run in a child of fork(). The child has its parent's
 * memory, so the input needn't be sent; the answer comes back in a file in memory:
 *
 *   parent                                child
 *   child_start: two files, a pipe, fork  work(user, out)
 *   child_finish: waits for the pipe  <-  writes `out` to one file, then 1 byte to the pipe
 *                 reads both files        (what it prints goes to the other file)
 *
 * Without that byte the answer doesn't count: the child died. The closed pipe also tells that the
 * child has ended, unless another thread forked meanwhile and its child holds a copy of the pipe.
 * So the parent also looks every CHECK_MILLISECONDS.
 *
 * A library has locks that another thread of the parent may hold at the fork; in the child nobody
 * releases them. nvJitLink has such a lock for its memory: beside two threads that link all the
 * time, 1 child of 10 waits for it forever. Such a child sleeps and uses no processor time. It is
 * killed and another one is forked, CHILD_TRIES times in all, with more patience at later tries; so
 * about one of 10^8 links fails by this at most.
 */
#define _GNU_SOURCE /* memfd_create */
#include "base.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CHECK_MILLISECONDS = 20 };

/* How long a child may make no progress, at each try. A child that works isn't idle: its worker
 * threads use processor time, and waiting for a disk doesn't count as sleep. The long ones are for
 * causes that we don't know. */
double child_stalls[CHILD_TRIES] = {0.1, 0.1, 0.2, 0.2, 0.5, 1, 5, 30};

/* far more than any program needs: the longest link of our tests takes 40 s */
enum { PATIENCE_SECONDS = 1800 };

pid_t fork_child(void)
{
  pid_t self = getpid(), child = fork();
  if (child != 0) return child;
  memory_escape_suspend(); /* for good: the escape leads into the parent's code */
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != self) raise(SIGKILL); /* the parent ended before the call above */
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

/* Resets the signal handlers that the parent has set up: in the child they would print, or return
 * into the parent's code. */
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

_Noreturn static void run_child(const Child *child, int done)
{
  Arena arena = {0};
  Buf out = BUF(&arena);
  forget_handlers();
  dup2(child->said, STDOUT_FILENO);
  dup2(child->said, STDERR_FILENO);
  child->work(child->user, &out);
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

static bool start_once(Child *child)
{
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  child->done = ends[0];
  child->id = fork_child();
  if (child->id == 0) {
    close(ends[0]);
    run_child(child, ends[1]);
  }
  close(ends[1]);
  if (child->id > 0) return true;
  close(ends[0]);
  return false;
}

bool child_start(Child *child, ChildWork *work, void *user)
{
  *child = (Child){.id = -1, .work = work, .user = user};
  child->answer = memfd_create("answer", MFD_CLOEXEC);
  child->said = memfd_create("said", MFD_CLOEXEC);
  if (child->answer >= 0 && child->said >= 0 && start_once(child)) return true;
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

/* Does the process wait for something other than a processor or a disk? That is the letter behind
 * the name in /proc/ID/stat. */
static bool is_asleep(pid_t id)
{
  char path[64], text[512];
  snprintf(path, sizeof path, "/proc/%d/stat", (int)id);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return true;
  ssize_t bytes = read(fd, text, sizeof text - 1);
  close(fd);
  text[bytes > 0 ? bytes : 0] = 0;
  const char *end = strrchr(text, ')');
  return !end || !strncmp(end, ") S", 3);
}

static bool has_ended(pid_t id)
{
  siginfo_t info = {0};
  return waitid(P_PID, (id_t)id, &info, WEXITED | WNOHANG | WNOWAIT) || info.si_pid;
}

/* Waits for the byte, and kills a child that hangs. True if the byte came. */
static bool wait_for_byte(const Child *child, double stall, bool *out_is_hung)
{
  double start = seconds_now(), changed = start, used = 0;
  struct pollfd ready = {.fd = child->done, .events = POLLIN};
  char byte;
  *out_is_hung = false;
  while (poll(&ready, 1, CHECK_MILLISECONDS) <= 0) {
    if (has_ended(child->id)) {
      if (poll(&ready, 1, 0) > 0) break;
      return false;
    }
    double now = seconds_now(), uses = processor_seconds(child->id);
    if (uses > used || !is_asleep(child->id)) changed = now;
    used = uses;
    *out_is_hung = now - changed > stall || now - start > PATIENCE_SECONDS;
    if (!*out_is_hung) continue;
    kill(child->id, SIGKILL);
    return false;
  }
  return read(child->done, &byte, 1) == 1;
}

/* Waits for a child that has ended or was killed. */
static void reap(Child *child, ChildEnd *out_end)
{
  int status = 0;
  pid_t ended;
  do ended = waitpid(child->id, &status, 0);
  while (ended < 0 && errno == EINTR);
  if (ended > 0 && WIFSIGNALED(status)) out_end->signal = WTERMSIG(status);
  close(child->done);
}

static void forget_answer(const Child *child)
{
  const int files[] = {child->answer, child->said};
  for (size_t i = 0; i < COUNT_OF(files); ++i)
    if (ftruncate(files[i], 0) || lseek(files[i], 0, SEEK_SET)) continue;
}

bool child_finish(Child *child, Buf *answer, Buf *said, ChildEnd *out_end)
{
  bool has_byte = false;
  for (int i = 0; i < CHILD_TRIES; ++i) {
    *out_end = (ChildEnd){0};
    has_byte = wait_for_byte(child, child_stalls[i], &out_end->is_hung);
    reap(child, out_end);
    if (!out_end->is_hung || i + 1 == CHILD_TRIES) break;
    forget_answer(child);
    if (!start_once(child)) break;
  }
  if (has_byte) read_all(child->answer, answer);
  read_all(child->said, said);
  close_files(child);
  return has_byte;
}

void child_cancel(Child *child)
{
  ChildEnd end;
  kill(child->id, SIGKILL);
  reap(child, &end);
  close_files(child);
}
