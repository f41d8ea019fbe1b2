/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* test_pool.c - runs the cases of files in child processes, so that a fault, a crash or an endless
 * loop costs only its case.
 *
 * This process must never open a device: a driver doesn't survive fork(). A child runs the cases of
 * one file in order. It sends a record when it starts a case, and one with the result. If it ends
 * before its last case (a kernel's fault makes a GPU's context useless), another child continues
 * behind that case.
 *
 *     parent   fork ............. starts 3 ... result 3, starts 4 ... (end)  -> case 4 failed; fork
 *     child         cases 0, 1, 2, 3, 4: crash                                    child: cases 5, 6
 *
 * With --jobs=0 there are no children: tools such as compute-sanitizer and debuggers watch the
 * process that they start.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

#include "test.h"

typedef struct News {
  uint32_t index, verdict, line, text_bytes, json_bytes; /* VERDICT_NONE: the case starts */
  double seconds;
} News;

/* A file whose cases are running. */
typedef struct Job {
  CaseList *list;
  pid_t child; /* 0: there is none */
  int pipe;
  Capture capture;
  uint32_t next;   /* the first case without a result */
  bool is_started; /* that case has started */
  bool is_late;
  double heard; /* when the child last sent something */
  Buf received;
} Job;

/* the child ---------------------------------------------------------------------------------- */

static void send_bytes(int fd, const void *data, size_t bytes)
{
  for (const char *at = data; bytes;) {
    ssize_t put = write(fd, at, bytes);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) _exit(EXIT_INTERNAL); /* the parent is gone */
    at += put;
    bytes -= (size_t)put;
  }
}

static void send_record(int fd, uint32_t index, const Case *one)
{
  News record = {index, (uint32_t)one->verdict, one->line, 0, 0, one->seconds};
  if (one->text) record.text_bytes = (uint32_t)strlen(one->text);
  if (one->json) record.json_bytes = (uint32_t)strlen(one->json);
  send_bytes(fd, &record, sizeof record);
  send_bytes(fd, one->text, record.text_bytes);
  send_bytes(fd, one->json, record.json_bytes);
}

/* The devices of the cases, which stay open between them, so that their contexts are made once. */
typedef struct Holder {
  VEC(ck_device_t *) devices;
  Words names; /* of the devices */
  Arena arena;
} Holder;

static void hold_device(Holder *holder, const char *wanted)
{
  Options options = {.arena = &holder->arena, .command = COMMAND_RUN};
  ck_device_t *device = NULL;
  for (uint32_t i = 0; i < holder->names.count; ++i)
    if (!strcmp(holder->names.at[i], wanted)) return;
  vec_push(&holder->arena, &options.given[OPTION_device], wanted);
  open_device(&options, &device); /* the case reports it if this fails */
  vec_push(&holder->arena, &holder->names, wanted);
  vec_push(&holder->arena, &holder->devices, device);
}

static void release_devices(Holder *holder)
{
  for (uint32_t i = 0; i < holder->devices.count; ++i) ck_device_release(holder->devices.at[i]);
  arena_free(&holder->arena);
}

/* Runs a case in this process. False: its device can't be used any more. */
static bool run_case(const Pool *pool, Case *one, const Capture *capture, Holder *holder,
                     Arena *arena)
{
  if (one->compiled) {
    compile_case_run(one, capture, arena);
    return true;
  }
  hold_device(holder, one->device);
  return case_run(one, pool->options, capture, arena);
}

/* With LeakSanitizer: memory that the cases have lost is a failure of the last one, since the child
 * ends without the check at exit. The result moves to `kept`, and the arena is freed first: its
 * mapped blocks are unknown to LeakSanitizer, which would take what they point to for lost. */
static void find_leaks(Case *one, const Capture *capture, Arena *arena, Arena *kept)
{
#ifdef __SANITIZE_ADDRESS__
  if (one->text) one->text = arena_strdup(kept, one->text);
  if (one->json) one->json = arena_strdup(kept, one->json);
  arena_free(arena);
  if (!__lsan_do_recoverable_leak_check()) return;
  one->verdict = VERDICT_FAILED;
  one->line = one->test->line;
  one->text = capture_text(kept, capture->err);
#else
  (void)one;
  (void)capture;
  (void)arena;
  (void)kept;
#endif
}

_Noreturn static void run_child(const Pool *pool, Job *job, int fd)
{
  Holder holder = {.names = {0}};
  dup2(job->capture.out, STDOUT_FILENO);
  dup2(job->capture.err, STDERR_FILENO);
  for (uint32_t i = job->next; i < job->list->cases.count; ++i) {
    Arena arena = {0};
    Case one = job->list->cases.at[i];
    send_record(fd, i, &one);
    bool is_usable = run_case(pool, &one, &job->capture, &holder, &arena);
    Arena kept = {0};
    if (i + 1 == job->list->cases.count) find_leaks(&one, &job->capture, &arena, &kept);
    send_record(fd, i, &one);
    arena_free(&kept);
    arena_free(&arena);
    if (!is_usable) break;
  }
  _exit(EXIT_OK);
}

const char *pool_device(Arena *arena)
{
  enum { IS_HOST = 1, FIRST_GPU = 2, GPU_MAX = 64 };
  int status = 0;
  fflush(stdout);
  fflush(stderr);
  pid_t child = fork_child();
  if (child == 0) {
    int ordinal;
    if (ck_device_find_auto(&ordinal, NULL) != CK_OK) _exit(0);
    if (ordinal < 0) _exit(IS_HOST);
    _exit(ordinal < GPU_MAX ? FIRST_GPU + ordinal : 0);
  }
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  int found = child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  if (found == IS_HOST) return "host";
  return found < FIRST_GPU ? "auto" : arena_printf(arena, "cuda:%d", found - FIRST_GPU);
}

/* the parent --------------------------------------------------------------------------------- */

static bool start_child(const Pool *pool, Job *job)
{
  int ends[2];
  if (pipe(ends) != 0) return false;
  capture_clear(&job->capture);
  fflush(stdout);
  fflush(stderr);
  job->child = fork_child();
  if (job->child == 0) {
    close(ends[0]);
    run_child(pool, job, ends[1]);
  }
  close(ends[1]);
  job->pipe = ends[0];
  job->is_started = job->is_late = false;
  job->heard = seconds_now();
  job->received.len = 0;
  if (job->child > 0) return true;
  close(ends[0]);
  job->child = 0;
  return false;
}

static void take_record(const Pool *pool, Job *job, const News *record, const char *text)
{
  Case *one = &job->list->cases.at[record->index];
  job->heard = seconds_now();
  job->is_started = record->verdict == VERDICT_NONE;
  if (job->is_started) return;
  job->next = record->index + 1;
  one->verdict = (Verdict)record->verdict;
  one->seconds = record->seconds;
  one->line = record->line;
  one->text = arena_strndup(pool->arena, text, record->text_bytes);
  one->json = arena_strndup(pool->arena, text + record->text_bytes, record->json_bytes);
}

/* Takes what has come; false at the end. */
static bool receive(const Pool *pool, Job *job)
{
  char bytes[4096];
  News record;
  ssize_t got = read(job->pipe, bytes, sizeof bytes);
  if (got < 0 && errno == EINTR) return true;
  if (got <= 0) return false;
  Buf *all = &job->received;
  buf_bytes(all, bytes, (size_t)got);
  for (;;) {
    if (all->len < sizeof record) return true;
    memcpy(&record, all->data, sizeof record);
    size_t whole = sizeof record + record.text_bytes + record.json_bytes;
    if (all->len < whole) return true;
    take_record(pool, job, &record, all->data + sizeof record);
    memmove(all->data, all->data + whole, all->len - whole);
    all->len -= whole;
  }
}

/* Handles the end of a child: a case that it had started has failed. */
static void bury(const Pool *pool, Job *job)
{
  int status = 0;
  close(job->pipe);
  while (waitpid(job->child, &status, 0) < 0 && errno == EINTR) continue;
  job->child = 0;
  bool is_clean = WIFEXITED(status) && WEXITSTATUS(status) == EXIT_OK;
  if (!job->is_started && is_clean) return;
  if (job->next == job->list->cases.count) return;
  Case *one = &job->list->cases.at[job->next++];
  Buf text = BUF(pool->arena);
  if (job->is_late) buf_printf(&text, "took over %g s", pool->timeout);
  else if (WIFSIGNALED(status)) buf_printf(&text, "died: %s", strsignal(WTERMSIG(status)));
  else buf_printf(&text, "ended its process with %d", WEXITSTATUS(status));
  const char *said = capture_text(pool->arena, job->capture.err);
  if (*said) buf_printf(&text, "\n%s", said);
  one->verdict = VERDICT_FAILED;
  one->line = one->test->line;
  one->text = buf_text(&text);
}

/* Opens a file without a name, which is removed when it is closed. */
static int open_unnamed(void)
{
  char path[] = "/tmp/ckc-test-XXXXXX";
  int fd = mkstemp(path);
  if (fd >= 0) unlink(path);
  return fd;
}

static void close_capture(const Capture *capture)
{
  if (capture->out >= 0) close(capture->out);
  if (capture->err >= 0) close(capture->err);
}

static void lose(Job *job, const char *why)
{
  for (; job->next < job->list->cases.count; ++job->next) {
    Case *one = &job->list->cases.at[job->next];
    one->verdict = VERDICT_FAILED;
    one->line = one->test->line;
    one->text = why;
  }
}

/* Starts the next child of a job; false: it has no more cases. */
static bool go_on(const Pool *pool, Job *job)
{
  if (job->next < job->list->cases.count && !start_child(pool, job))
    lose(job, arena_printf(pool->arena, "no process for it: %s", strerror(errno)));
  return job->child != 0;
}

static bool start_job(const Pool *pool, Job *job, CaseList *list)
{
  *job = (Job){.list = list, .received = BUF(pool->arena)};
  job->capture = (Capture){open_unnamed(), open_unnamed()};
  if (job->capture.out < 0 || job->capture.err < 0)
    lose(job, arena_printf(pool->arena, "no file for its output: %s", strerror(errno)));
  if (go_on(pool, job)) return true;
  close_capture(&job->capture);
  job->list = NULL;
  return false;
}

/* Runs the cases of a list in this process. Their output goes to files meanwhile. */
static void run_here(const Pool *pool, CaseList *list)
{
  Job job = {.list = list, .capture = {open_unnamed(), open_unnamed()}};
  Capture own = {dup(STDOUT_FILENO), dup(STDERR_FILENO)};
  Holder holder = {.names = {0}};
  bool is_usable = job.capture.out >= 0 && job.capture.err >= 0 && own.out >= 0 && own.err >= 0;
  while (is_usable && job.next < list->cases.count) {
    Case *one = &list->cases.at[job.next++];
    fflush(stdout);
    dup2(job.capture.out, STDOUT_FILENO);
    dup2(job.capture.err, STDERR_FILENO);
    is_usable = run_case(pool, one, &job.capture, &holder, pool->arena);
    fflush(stdout);
    dup2(own.out, STDOUT_FILENO);
    dup2(own.err, STDERR_FILENO);
  }
  lose(&job, "the cases before it left no usable device, or there are no files for its output");
  release_devices(&holder);
  close_capture(&job.capture);
  close_capture(&own);
}

/* Waits for the next record of any job. */
static void attend(const Pool *pool, Job *jobs)
{
  enum { WAIT_MS = 200 };
  struct pollfd *fds = NEW_ARRAY(pool->arena, struct pollfd, pool->jobs);
  for (uint32_t i = 0; i < pool->jobs; ++i)
    fds[i] = (struct pollfd){.fd = jobs[i].child ? jobs[i].pipe : -1, .events = POLLIN};
  poll(fds, pool->jobs, WAIT_MS);
  for (uint32_t i = 0; i < pool->jobs; ++i) {
    Job *job = &jobs[i];
    if (!job->child) continue;
    if (!job->is_late && seconds_now() - job->heard > pool->timeout) {
      job->is_late = true;
      kill(job->child, SIGKILL);
    }
    if (!fds[i].revents || receive(pool, job)) continue;
    bury(pool, job);
    if (go_on(pool, job)) continue;
    close_capture(&job->capture);
    job->list = NULL;
  }
}

static bool is_finished(const CaseList *list)
{
  for (uint32_t i = 0; i < list->cases.count; ++i)
    if (list->cases.at[i].verdict == VERDICT_NONE) return false;
  return true;
}

void pool_run(const Pool *pool, CaseList *lists, uint32_t count)
{
  Job *jobs = NEW_ARRAY(pool->arena, Job, pool->jobs);
  uint32_t next = 0, done = 0;
  for (; !pool->jobs && done < count; ++done) {
    run_here(pool, &lists[done]);
    pool->file_done(pool->data, &lists[done]);
  }
  while (done < count) {
    bool is_busy = false;
    for (uint32_t i = 0; i < pool->jobs; ++i) {
      while (!jobs[i].list && next < count) start_job(pool, &jobs[i], &lists[next++]);
      is_busy |= jobs[i].list != NULL;
    }
    if (is_busy) attend(pool, jobs);
    while (done < next && is_finished(&lists[done])) pool->file_done(pool->data, &lists[done++]);
  }
}
