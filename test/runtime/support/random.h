/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* random.h - random numbers per thread, from a seed that is printed with a failure.
 *
 *   PROGRAM [COUNT [SEED]]     defaults: $CK_COUNT and $CK_SEED, or the program's own and 1
 */
#ifndef CK_RANDOM_H
#define CK_RANDOM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t random_seed, random_count;
static _Thread_local uint64_t random_state;

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

/* A number from 0 to count - 1. */
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

/* Starts the numbers of one case. */
static inline void random_start(uint64_t number)
{
  random_state = (random_seed + number) * UINT64_C(0x2545f4914f6cdd1d);
}

#endif
