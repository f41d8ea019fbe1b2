/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* example.h - what the examples share: the exit on an error, a kernel from text, a buffer with
 * initial contents.
 *
 * saxpy.c and scale.c don't use these functions, because they show each call.
 */
#ifndef CK_EXAMPLE_H
#define CK_EXAMPLE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ck/ck.h"

/* Ends the program if a call fails, with a message that names the call. */
#define TRY(call)                                                                                  \
  do {                                                                                             \
    if ((call) != CK_OK) {                                                                         \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, ck_last_error());                         \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

/* The device that $CK_DEVICE names, else the first GPU, else the host device; and a stream. */
typedef struct Place {
  ck_device_t *device;
  ck_stream_t *stream;
} Place;

static inline Place place_open(void)
{
  Place place;
  TRY(ck_device_open_auto(&place.device));
  TRY(ck_stream_create(place.device, NULL, &place.stream));
  return place;
}

static inline void place_close(Place *place)
{
  ck_stream_release(place->stream);
  ck_device_release(place->device);
}

/* Compiles CK text for the device and takes one kernel of it; `instance` may be "name<f64>". */
static inline ck_kernel_t *place_kernel(const Place *place, const char *text, const char *instance)
{
  ck_compile_options_t options = CK_OPTIONS_INIT(ck_compile_options_t);
  ck_program_t *program;
  ck_object_code_t *code;
  ck_kernel_t *kernel;
  if (strchr(instance, '<')) {
    options.instances = &instance;
    options.instance_count = 1;
  }
  TRY(ck_program_create(text, strlen(text), &options, &program));
  TRY(ck_program_compile(program, place->device, &code));
  TRY(ck_kernel_from_code(code, place->device, instance, &kernel));
  ck_object_code_release(code); /* the kernel keeps it */
  ck_program_release(program);
  return kernel;
}

/* A buffer that starts with the bytes of an array; without an array its contents are undefined. */
static inline ck_buffer_t *place_buffer(const Place *place, const void *data, size_t bytes)
{
  ck_buffer_t *buffer;
  TRY(ck_buffer_create(place->device, bytes, place->stream, &buffer));
  if (data) TRY(ck_buffer_write(buffer, 0, data, bytes, place->stream));
  return buffer;
}

/* Reads a buffer's bytes, and waits for them. */
static inline void place_read(const Place *place, const ck_buffer_t *buffer, void *data)
{
  TRY(ck_buffer_read(buffer, 0, data, ck_buffer_bytes(buffer), place->stream));
  TRY(ck_stream_sync(place->stream));
}

/* Host memory for an array. */
static inline void *array_new(size_t count, size_t element_bytes)
{
  void *array = calloc(count, element_bytes);
  if (!array) {
    fprintf(stderr, "out of memory: %zu elements\n", count);
    exit(1);
  }
  return array;
}

/* Pseudo-random numbers, the same in each run: the upper bits of Knuth's MMIX generator. */
static inline uint32_t random_bits(uint64_t *state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 32);
}

/* Uniform in [low, high]. */
static inline float random_float(uint64_t *state, float low, float high)
{
  return low + (high - low) * (float)(random_bits(state) >> 8) * 0x1p-24f;
}

/* Prints the program's result; returns its exit status. */
static inline int report(const Place *place, const char *what, size_t wrong)
{
  printf("%s on %s: %s\n", what, ck_device_name(place->device), wrong ? "WRONG" : "right");
  if (wrong) fprintf(stderr, "%zu elements differ\n", wrong);
  return wrong != 0;
}

#endif
