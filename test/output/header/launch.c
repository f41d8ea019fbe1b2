/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* launch.c - tests the launch functions of a generated header, as C99, C11 and C++17: they take C
 * types, and the first launch loads the code once, even with many threads. */
#include "launch.ck.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "line %d: %s: %s\n", __LINE__, #condition, ck_last_error());                 \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

enum { BYTES = 4096, THREADS = 4 };

static ck_device_t *device;
static ck_stream_t *stream;
static ck_buffer_t *buffer;
static char *memory;

static void *launch_nothing(void *unused)
{
  (void)unused;
  CHECK(nothing_launch(stream, NULL) == CK_OK);
  return NULL;
}

static void test_threads(void)
{
  pthread_t threads[THREADS];
  int i;
  for (i = 0; i < THREADS; ++i) CHECK(!pthread_create(&threads[i], NULL, launch_nothing, NULL));
  for (i = 0; i < THREADS; ++i) CHECK(!pthread_join(threads[i], NULL));
  CHECK(ck_stream_sync(stream) == CK_OK);
}

static void test_scalars(void)
{
  static const double expected[11] = {1, -2, -3, -4, -5, 6, 7, 8, 9, 0.5, 0.25};
  double got[11];
  CHECK(scalars_launch(stream, NULL, true, -2, -3, -4, -5, 6, 7, 8, 9, 0.5f, 0.25,
                       (double *)memory) == CK_OK);
  CHECK(ck_buffer_read(buffer, 0, got, sizeof got, stream) == CK_OK);
  CHECK(ck_stream_sync(stream) == CK_OK);
  CHECK(!memcmp(got, expected, sizeof got));
}

static void test_spans(void)
{
  const int32_t in[4] = {1, 2, 3, 4};
  int32_t out[4];
  ck_launch_config_t config = CK_OPTIONS_INIT(ck_launch_config_t);
  config.grid[0] = 1;
  config.block[0] = 4;
  CHECK(ck_buffer_write(buffer, 0, in, sizeof in, stream) == CK_OK);
  CHECK(scale_i32_3_launch(stream, &config, (const int32_t *)memory, 4, (int32_t *)memory + 4, 3) ==
        CK_OK);
  CHECK(ck_buffer_read(buffer, sizeof in, out, sizeof out, stream) == CK_OK);
  CHECK(ck_stream_sync(stream) == CK_OK);
  CHECK(out[0] == 3 && out[2] == 9);
  CHECK(scale_f32_2_launch(stream, NULL, (const float *)memory, 4, (float *)memory + 4, 3) ==
        CK_INVALID_ARGUMENT); /* neither the contract nor a config gives the grid */
}

/* Parameters whose names are reserved in C, or would become identical. */
static void test_names(void)
{
  const uint32_t in[2] = {0, 0};
  uint64_t sum = 0;
  CHECK(ck_buffer_write(buffer, 0, in, sizeof in, stream) == CK_OK);
  CHECK(names_launch(stream, NULL, (const uint32_t *)memory, 2, 10, 20, 30, 40, 50, 60, 70, 80,
                     (uint64_t *)(void *)(memory + 8)) == CK_OK);
  CHECK(ck_buffer_read(buffer, 8, &sum, sizeof sum, stream) == CK_OK);
  CHECK(ck_stream_sync(stream) == CK_OK);
  CHECK(sum == 362);
}

/* A kernel with the library's name, and parameters named like the header's own variables. */
static void test_own_names(void)
{
  uint32_t sum = 0;
  launch_Point point = {4, {0, 0}, false};
  CHECK(ck__launch(stream, NULL, 1, 2, 3, point, (uint32_t *)(void *)memory) == CK_OK);
  CHECK(ck_buffer_read(buffer, 0, &sum, sizeof sum, stream) == CK_OK);
  CHECK(ck_stream_sync(stream) == CK_OK);
  CHECK(sum == 10);
}

/* Structs, passed by value, and as the result of an algorithm. */
static void test_structs(void)
{
  const float in[4] = {3, -1, 4, 1};
  launch_Point point = {7, {1.5, 2.5}, false};
  launch_Ends ends;
  CHECK(move_launch(stream, NULL, point, (launch_Point *)memory) == CK_OK);
  CHECK(ck_buffer_read(buffer, 0, &point, sizeof point, stream) == CK_OK);
  CHECK(ck_stream_sync(stream) == CK_OK);
  CHECK(point.x == 8 && point.at[0] == 2.5 && point.at[1] == 1.5 && point.ok);
  CHECK(ck_buffer_write(buffer, 0, in, sizeof in, stream) == CK_OK);
  CHECK(ends_launch(stream, NULL, 4, (const float *)memory,
                    (launch_Ends *)(void *)(memory + sizeof in)) == CK_OK);
  CHECK(ck_buffer_read(buffer, sizeof in, &ends, sizeof ends, stream) == CK_OK);
  CHECK(ck_stream_sync(stream) == CK_OK);
  CHECK(ends.lo == -1 && ends.hi == 4);
}

static void test_failures(void)
{
  CHECK(nothing_launch(NULL, NULL) == CK_INVALID_ARGUMENT);
  CHECK(flip_launch(stream, NULL, (bool *)memory) == CK_OK);
  CHECK(ck_stream_sync(stream) == CK_OK);
  ck_embedded_close(&launch_ck_embedded);
  CHECK(nothing_launch(stream, NULL) == CK_OK); /* loads the code again */
  CHECK(ck_stream_sync(stream) == CK_OK);
}

int main(void)
{
  CHECK(ck_device_open_host(&device) == CK_OK);
  CHECK(ck_stream_create(device, NULL, &stream) == CK_OK);
  CHECK(ck_buffer_create(device, BYTES, stream, &buffer) == CK_OK);
  memory = (char *)(uintptr_t)ck_buffer_native(buffer);
  test_threads();
  test_scalars();
  test_spans();
  test_names();
  test_own_names();
  test_structs();
  test_failures();
  ck_embedded_close(&launch_ck_embedded);
  ck_buffer_release(buffer);
  ck_stream_release(stream);
  ck_device_release(device);
  return 0;
}
