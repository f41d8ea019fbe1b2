/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* both.h - for test programs that run both on the host device and on a GPU, as $CK_DEVICE says.
 * They use only libckrt's public headers; kernels are compiled with libckc, without which the
 * program is skipped.
 *
 *   TEST(name) { CHECK_OK(ck_launch(stream, NULL, kernel("add_one"), buffer)); }
 */
#ifndef CK_BOTH_H
#define CK_BOTH_H

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ck/ck.h"
#include "crash.h"
#include "test_list.h"

static ck_device_t *device;
static ck_stream_t *stream;
static ck_object_code_t *code;
static unsigned passed, failed;
static bool has_fault;

#define RUN(name) run(#name, test_##name)
/* Runs a test in a child process, since a kernel fault on a GPU makes CUDA unusable in its process.
 * Such a test sets `has_fault`. */
#define RUN_ALONE(name) run_alone(#name, test_##name)
static const char *current_test = "";

static inline bool check(bool is_true, const char *text, const char *file, int line)
{
  if (is_true) ++passed;
  else {
    ++failed;
    fprintf(stderr, "%s:%d: %s: failed: %s; %s\n", file, line, current_test, text, ck_last_error());
  }
  return is_true;
}

#define CHECK(condition)     check((condition), #condition, __FILE__, __LINE__)
#define CHECK_OK(call)       check((call) == CK_OK, #call, __FILE__, __LINE__)
#define CHECK_FAILS(call, s) check((call) == (s), #call " gives " #s, __FILE__, __LINE__)
#define CHECK_ERROR(part)    check(strstr(ck_last_error(), part) != NULL, part, __FILE__, __LINE__)

/* $CK_TEST selects a single test. */
static inline void run(const char *name, void (*test)(void))
{
  const char *only = getenv("CK_TEST");
  current_test = name;
  crash_watch(name);
  if (!only || !strcmp(only, name)) test();
}

static inline void run_all(void) /* the tests of the file */
{
  for (const Test *test = tests.first; test; test = test->next) run(test->name, test->function);
}

static inline void run_alone(const char *name, void (*test)(void))
{
  if (getenv("CK_TEST")) {
    run(name, test);
    return;
  }
  current_test = name;
  fflush(NULL);
  int status = -1;
  pid_t child = fork();
  if (child == 0) {
    setenv("CK_TEST", name, 1);
    execl("/proc/self/exe", name, (char *)NULL);
    _exit(126);
  }
  CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
}

/* Finds a kernel by name; the caller releases it. */
static inline ck_kernel_t *kernel(const char *name)
{
  ck_kernel_t *found = NULL;
  check(ck_kernel_from_code(code, device, name, &found) == CK_OK, name, __FILE__, __LINE__);
  return found;
}

/* A buffer of zeros. */
static inline ck_buffer_t *zeros(size_t bytes)
{
  ck_buffer_t *buffer = NULL;
  CHECK_OK(ck_buffer_create(device, bytes, stream, &buffer));
  CHECK_OK(ck_buffer_fill(buffer, 0, bytes, 0, 1, stream));
  CHECK_OK(ck_stream_sync(stream));
  return buffer;
}

/* Reads the i32 at an index of a buffer, after `stream` is done. */
static inline int read_i32(const ck_buffer_t *buffer, size_t index)
{
  int32_t value = -1;
  CHECK_OK(ck_buffer_read(buffer, 4 * index, &value, sizeof value, stream));
  CHECK_OK(ck_stream_sync(stream));
  return value;
}

/* Waits until a release function has counted to 1: a thread of the driver may call it later. */
static inline bool becomes_one(const int *count)
{
  const volatile int *seen = count;
  for (int i = 0; i < 200 && !*seen; ++i) {
    CHECK_OK(ck_device_sync(device));
    if (!*seen) nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
  }
  return *seen == 1;
}

/* Opens the device and compiles the source. Returns 0; 77, with the reason printed, if the machine
 * lacks something; 1 on other failures. */
static inline int open_both(const char *source)
{
  ck_program_t *program = NULL;
  ck_status_t status = ck_device_open_auto(&device);
  if (status == CK_OK) status = ck_stream_create(device, NULL, &stream);
  if (status == CK_OK) status = ck_program_create(source, strlen(source), NULL, &program);
  if (status == CK_OK) status = ck_program_compile(program, device, &code);
  if (status != CK_OK) {
    printf("0 passed, 0 failed: %s\n%s\n", ck_last_error(), program ? ck_program_log(program) : "");
    ck_stream_release(stream);
    ck_device_release(device);
  }
  ck_program_release(program);
  return status == CK_OK ? 0 : status == CK_UNAVAILABLE ? 77 : 1;
}

static inline int close_both(void)
{
  if (stream && !has_fault) CHECK_OK(ck_stream_sync(stream));
  ck_object_code_release(code);
  ck_stream_release(stream);
  ck_device_release(device);
  ck_cache_clear();
  printf("%u passed, %u failed\n", passed, failed);
  return failed != 0;
}

/* Calls a function in a thread with a stack of 512 KiB, and waits for it. Returns false if there is
 * no thread. */
static inline bool run_on_small_stack(void *(*function)(void *))
{
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 512 << 10);
  bool is_run =
      pthread_create(&thread, &attributes, function, NULL) == 0 && pthread_join(thread, NULL) == 0;
  pthread_attr_destroy(&attributes);
  return is_run;
}

#endif
