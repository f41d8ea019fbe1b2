/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* algorithm.h - what tests of ck/algorithm.h share: checks, a device, arrays of it.
 *
 * The programs are linked like those of users. The device is $CK_DEVICE's, the host device without.
 */
#ifndef CK_TEST_ALGORITHM_H
#define CK_TEST_ALGORITHM_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ck/algorithm.h"
#include "ck/ck.h"
#include "test_list.h"

static unsigned passed, failed;
static ck_device_t *device;
static ck_stream_t *stream;

static inline void check(int is_true, const char *text, int line)
{
  if (is_true) ++passed;
  else ++failed, fprintf(stderr, "line %d: failed: %s; %s\n", line, text, ck_last_error());
}
#define CHECK(condition) check(!!(condition), #condition, __LINE__)
#define CHECK_OK(call)   check((call) == CK_OK, #call, __LINE__)
#define CHECK_STATUS(call, want, part)                                                             \
  check((call) == (want) && strstr(ck_last_error(), (part)), #call, __LINE__)

static inline ck_buffer_t *array_new(size_t bytes, const void *data)
{
  ck_buffer_t *buffer = NULL;
  CHECK_OK(ck_buffer_create(device, bytes ? bytes : 1, stream, &buffer));
  if (data && bytes) CHECK_OK(ck_buffer_write(buffer, 0, data, bytes, stream));
  else CHECK_OK(ck_buffer_fill(buffer, 0, bytes, 0, 1, stream));
  CHECK_OK(ck_stream_sync(stream));
  return buffer;
}

static inline void array_read(const ck_buffer_t *buffer, void *data, size_t bytes)
{
  CHECK_OK(ck_buffer_read(buffer, 0, data, bytes, stream));
  CHECK_OK(ck_stream_sync(stream));
}

/* Opens the device; run_tests does if it is not open. */
static inline int tests_open(void)
{
  const char *name = getenv("CK_DEVICE");
  if (device) return 1;
  CHECK_OK(name && !strncmp(name, "cuda", 4) ? ck_device_open_auto(&device)
                                             : ck_device_open_host(&device));
  if (!device) return 0;
  CHECK_OK(ck_stream_create(device, NULL, &stream));
  return 1;
}

static inline int run_tests(void)
{
  if (!tests_open()) return 1;
  const char *only = getenv("CK_TEST");
  for (const Test *test = tests.first; test; test = test->next) {
    unsigned before = failed;
    if (only && strcmp(only, test->name)) continue;
    test->function();
    if (failed != before) fprintf(stderr, "in %s\n", test->name);
  }
  ck_stream_release(stream);
  ck_device_release(device);
  printf("%u passed, %u failed\n", passed, failed);
  return failed != 0;
}

#endif
