/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* value.c - generates arrays: zeros:N, iota:N, rand:N and so on.
 *
 * rand: element i is splitmix64's output i for the seed. So any piece of an array can be generated
 * by itself, and it is the same on every machine. Floats take the top bits, so that they are exact.
 */
#include <math.h>
#include <string.h>

#include "run.h"

bool value_check_range(const Value *value)
{
  return value->lo <= value->hi && value->lo >= -0x1p53 && value->hi <= 0x1p53;
}

/* Splitmix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014). */
static uint64_t random_bits(uint64_t seed, uint64_t index)
{
  uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static double random_unit(uint64_t bits, int digits) /* [-1, 1) in steps of 2^(1 - digits) */
{
  return (double)(bits >> (64 - digits)) / (double)(1ull << (digits - 1)) - 1;
}

/* An integer from lo to hi, both included. */
static int64_t random_integer(const Value *value, uint64_t bits, int64_t lo, int64_t hi)
{
  if (value->has_range) lo = (int64_t)ceil(value->lo), hi = (int64_t)floor(value->hi);
  return lo > hi ? lo : lo + (int64_t)(bits % ((uint64_t)hi - (uint64_t)lo + 1));
}

/* A float from lo up to hi. */
static double random_float(const Value *value, uint64_t bits, int digits)
{
  double unit = random_unit(bits, digits);
  return value->has_range ? value->lo + (value->hi - value->lo) * (unit + 1) / 2 : unit;
}

void value_fill(const Value *value, ck_dtype_t dtype, uint64_t first, size_t count, void *out)
{
  enum { F16_DIGITS = 11, BF16_DIGITS = 8, F32_DIGITS = 24, F64_DIGITS = 53 };
  enum { SIGNED_MAX = 100, UNSIGNED_MAX = 200 };
#define EACH(T, one, index, random)                                                                \
  for (size_t i = 0; i < count; ++i) {                                                             \
    uint64_t at = first + i, bits = random_bits(value->seed, at);                                  \
    (void)bits;                                                                                    \
    ((T *)out)[i] = value->kind == VALUE_ONES   ? (T)(one)                                         \
                    : value->kind == VALUE_IOTA ? (T)(index)                                       \
                                                : (T)(random);                                     \
  }                                                                                                \
  break
#define SIGNED   random_integer(value, bits, -SIGNED_MAX, SIGNED_MAX)
#define UNSIGNED random_integer(value, bits, 0, UNSIGNED_MAX)
  if (value->kind == VALUE_ZEROS) {
    memset(out, 0, count * ck_dtype_bytes(dtype));
    return;
  }
  switch (dtype) {
  case CK_BOOL: EACH(uint8_t, 1, at & 1, bits >> 63);
  case CK_I8: EACH(int8_t, 1, at, SIGNED);
  case CK_I16: EACH(int16_t, 1, at, SIGNED);
  case CK_I32: EACH(int32_t, 1, at, SIGNED);
  case CK_I64: EACH(int64_t, 1, at, SIGNED);
  case CK_U8: EACH(uint8_t, 1, at, UNSIGNED);
  case CK_U16: EACH(uint16_t, 1, at, UNSIGNED);
  case CK_U32: EACH(uint32_t, 1, at, UNSIGNED);
  case CK_U64: EACH(uint64_t, 1, at, UNSIGNED);
  case CK_F16:
    EACH(uint16_t, f16_of(1), f16_of((double)at), f16_of(random_float(value, bits, F16_DIGITS)));
  case CK_BF16:
    EACH(uint16_t, bf16_of(1), bf16_of((double)at),
         bf16_of(random_float(value, bits, BF16_DIGITS)));
  case CK_F32: EACH(float, 1, at, random_float(value, bits, F32_DIGITS));
  case CK_F64: EACH(double, 1, at, random_float(value, bits, F64_DIGITS));
  case CK_NONE:
  case CK_DTYPE_FORCE_INT: break;
  }
#undef EACH
#undef SIGNED
#undef UNSIGNED
}
