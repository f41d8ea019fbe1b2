/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* fork.c - tests a child of fork() that uses the host device's objects of its parent: streams and
 * events are refused, memory and code are usable, and nothing hangs, whatever the parent's threads
 * do. */
#include "fixture.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS = 64, FORKS = 100, SECONDS = 20 };

static Bench bench;
static ck_kernel_t *fill;
static ck_buffer_t *x;
static ck_event_t *event;
static uint32_t words[WORDS];

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
/* Time for threads to come to rest: a sanitizer's lock that one holds stays locked in a child. */
enum { REST_US = 100000 };
#else
enum { REST_US = 0 };
#endif

/* Runs a function in a child with a time limit; returns whether it succeeded. */
static bool in_child(bool (*run)(void))
{
  int status = 0;
  if (REST_US) usleep(REST_US);
  pid_t pid = fork();
  if (!pid) {
    alarm(SECONDS);
    _exit(run() ? 0 : 1);
  }
  return waitpid(pid, &status, 0) == pid && status == 0;
}

static bool is_refused(ck_status_t status)
{
  return status == CK_DRIVER && strstr(ck_last_error(), "a child of fork() can't use");
}

static bool use_old_stream(void)
{
  ck_event_t *own = NULL;
  return is_refused(ck_launch(bench.stream, NULL, fill, 1, WORDS, x)) &&
         is_refused(ck_buffer_read(x, 0, words, sizeof words, bench.stream)) &&
         is_refused(ck_stream_sync(bench.stream)) &&
         ck_event_create(bench.device, NULL, &own) == CK_OK &&
         is_refused(ck_stream_record(bench.stream, own));
}

static bool use_old_event(void)
{
  ck_stream_t *own;
  return ck_stream_create(bench.device, NULL, &own) == CK_OK && is_refused(ck_event_sync(event)) &&
         is_refused(ck_stream_wait(own, event)) && is_refused(ck_stream_record(own, event));
}

static bool use_own_stream(void)
{
  ck_stream_t *own;
  bool is_good = ck_stream_create(bench.device, NULL, &own) == CK_OK &&
                 ck_launch(own, NULL, fill, 1, WORDS, x) == CK_OK &&
                 ck_buffer_read(x, 0, words, sizeof words, own) == CK_OK &&
                 ck_stream_sync(own) == CK_OK && ck_device_sync(bench.device) == CK_OK;
  for (uint32_t i = 0; i < WORDS; ++i) is_good &= words[i] == i; /* row 0: 1000 * 0 + i */
  return is_good;
}

static bool release_all(void)
{
  ck_event_release(event);
  ck_buffer_release(x);
  ck_kernel_release(fill);
  ck_stream_release(bench.stream);
  ck_device_release(bench.device);
  return true;
}

static bool fork_again(void)
{
  return use_own_stream() && in_child(use_own_stream) && in_child(use_old_stream);
}

TEST(children)
{
  CHECK(in_child(use_old_stream));
  CHECK(in_child(use_old_event));
  CHECK(in_child(use_own_stream));
  CHECK(in_child(release_all));
  CHECK(in_child(fork_again));
  CHECK_OK(ck_launch(bench.stream, NULL, fill, 1, WORDS, x));
  CHECK_OK(ck_stream_sync(bench.stream));
}

static atomic_bool is_over;

static void *launch_on(void *data)
{
  ck_stream_t *stream;
  ck_buffer_t *own;
  if (ck_stream_create(bench.device, NULL, &stream)) return data;
  while (!atomic_load(&is_over)) {
    if (ck_buffer_create(bench.device, sizeof words, stream, &own)) break;
    ck_status_t status = ck_buffer_fill(own, 0, WORDS, 0, 4, stream);
    if (status == CK_OK) status = ck_launch(stream, NULL, fill, 1, WORDS, own);
    ck_buffer_release(own);
    if (status != CK_OK) break;
  }
  ck_stream_sync(stream);
  ck_stream_release(stream);
  return NULL;
}

/* Other threads hold the host device's mutexes at arbitrary times. */
TEST(busy_parent)
{
  pthread_t threads[2];
  unsigned good = 0;
  for (int i = 0; i < 2; ++i) CHECK(pthread_create(&threads[i], NULL, launch_on, NULL) == 0);
  for (int i = 0; i < FORKS; ++i) good += in_child(use_own_stream);
  atomic_store(&is_over, true);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  CHECK(good == FORKS);
}

int main(void)
{
  bench_open(&bench);
  fill = bench_kernel(&bench, "fill2d");
  x = bench_buffer(&bench, sizeof words);
  CHECK_OK(ck_buffer_write(x, 0, words, sizeof words, bench.stream));
  CHECK_OK(ck_event_create(bench.device, NULL, &event));
  CHECK_OK(ck_launch(bench.stream, NULL, fill, 1, WORDS, x));
  CHECK_OK(ck_stream_record(bench.stream, event));
  CHECK_OK(ck_stream_sync(bench.stream));
  RUN(children);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  RUN(busy_parent); /* the sanitizer's own locks stay locked in a child */
#else
  (void)test_busy_parent;
#endif
  ck_event_release(event);
  ck_buffer_release(x);
  ck_kernel_release(fill);
  bench_close(&bench);
  return tests_report();
}
