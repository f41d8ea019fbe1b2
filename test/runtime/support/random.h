/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* random.h - random cases, each from a seed of its own, which is said where it fails.
 *
 *   PROGRAM [COUNT [SEED]]     cases SEED, SEED + 1, ...; else $CK_COUNT, $CK_SEED, the program's
 * own
 *
 * A case writes the text of its kernels, with types and extents of its own.
 */
#ifndef CK_RANDOM_H
#define CK_RANDOM_H

#include <stdarg.h>
#include <stdint.h>

#include "both.h"

static uint64_t random_seed, random_count, random_state;

static inline uint64_t random_option(int argc, char **argv, int index, const char *variable,
                                     uint64_t otherwise)
{
  const char *text = argc > index ? argv[index] : getenv(variable);
  return text && *text ? strtoull(text, NULL, 10) : otherwise;
}

static inline void random_open(int argc, char **argv, uint64_t count)
{
  random_count = random_option(argc, argv, 1, "CK_COUNT", count);
  random_seed = random_option(argc, argv, 2, "CK_SEED", 1);
  printf("%llu cases from seed %llu on\n", (unsigned long long)random_count,
         (unsigned long long)random_seed);
}

/* Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators" (SplitMix64). */
static inline uint64_t random_bits(void)
{
  uint64_t z = random_state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

/* 0 to count - 1. */
static inline uint32_t below(uint64_t count)
{
  return (uint32_t)(random_bits() % count);
}

static inline int between(int64_t lowest, int64_t highest)
{
  return (int)(lowest + (int64_t)(random_bits() % (uint64_t)(highest - lowest + 1)));
}

static inline bool one_in(uint32_t count)
{
  return below(count) == 0;
}

static inline void random_fill(void *bytes, size_t count)
{
  for (size_t i = 0; i < count; ++i) ((unsigned char *)bytes)[i] = (unsigned char)random_bits();
}

/* The case's own numbers. */
static inline void random_start(uint64_t number)
{
  random_state = (random_seed + number) * UINT64_C(0x2545f4914f6cdd1d);
}

/* kernels of a case -------------------------------------------------------------------------- */

static char kernels_text[1 << 15];
static size_t kernels_used;

__attribute__((format(printf, 1, 2))) static inline void write_kernel(const char *format, ...)
{
  va_list list;
  va_start(list, format);
  int count =
      vsnprintf(kernels_text + kernels_used, sizeof kernels_text - kernels_used, format, list);
  va_end(list);
  if (CHECK(count >= 0 && (size_t)count < sizeof kernels_text - kernels_used))
    kernels_used += (size_t)count;
}

/* What is written becomes `code`; now and then it is a checked build. */
static inline void compile_kernels(void)
{
  ck_program_t *program = NULL;
  ck_compile_options_t options = CK_OPTIONS_INIT(ck_compile_options_t);
  if (one_in(4)) options.flags = CK_COMPILE_CHECK;
  ck_object_code_release(code);
  code = NULL;
  CHECK_OK(ck_program_create(kernels_text, kernels_used, &options, &program));
  if (!CHECK_OK(ck_program_compile(program, device, &code)))
    fprintf(stderr, "%s\n%s\n", kernels_text, program ? ck_program_log(program) : "");
  ck_program_release(program);
  kernels_used = 0;
}

#endif
