/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* value.c - NAME=VALUE words, and the arrays that are made from zeros:N, iota:N, rand:N and so on.
 *
 * rand: element i is splitmix64's output i for the seed, so that any piece of an array can be made
 * by itself, and is the same on every machine. Floats take its top bits, so that they are exact.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

static const struct {
  const char *prefix;
  ValueKind kind;
} makers[] = {
    {"zeros:", VALUE_ZEROS}, {"ones:", VALUE_ONES}, {"iota:", VALUE_IOTA}, {"rand:", VALUE_RAND}};

static bool read_number(const char **at, uint64_t *out)
{
  char *end;
  if (**at < '0' || **at > '9') return false;
  errno = 0;
  *out = strtoull(*at, &end, 10);
  *at = end;
  return errno == 0;
}

/* "3x4", up to `*at`. */
static bool read_shape(const char **at, Shape *out)
{
  do {
    if (out->rank == EXTENTS_MAX || !read_number(at, &out->at[out->rank++])) return false;
  } while (**at == 'x' && ++*at);
  return shape_set_count(out);
}

bool value_check_range(const Value *value)
{
  return value->lo <= value->hi && value->lo >= -0x1p53 && value->hi <= 0x1p53;
}

/* LO..HI */
static bool read_range(const char *at, Arena *arena, Value *out)
{
  const char *dots = strstr(at, "..");
  char *end;
  if (!dots || dots == at || !dots[2]) return false;
  out->lo = strtod(arena_strndup(arena, at, (size_t)(dots - at)), &end);
  if (*end) return false;
  out->hi = strtod(dots + 2, &end);
  out->has_range = true;
  return !*end && value_check_range(out);
}

bool value_read(Value *out, Arena *arena, const char *word, Buf *why)
{
  const char *equals = strchr(word, '=');
  if (!equals || equals == word) {
    buf_printf(why, "'%s' is not NAME=VALUE", word);
    return false;
  }
  *out = (Value){.name = arena_strndup(arena, word, (size_t)(equals - word)), .text = equals + 1};
  if (out->text[0] == '@') {
    out->kind = VALUE_FILE;
    ++out->text;
    return true;
  }
  for (size_t i = 0; i < COUNT_OF(makers); ++i) {
    size_t len = strlen(makers[i].prefix);
    const char *at = out->text + len;
    if (strncmp(out->text, makers[i].prefix, len)) continue;
    out->kind = makers[i].kind;
    bool is_good = read_shape(&at, &out->shape);
    if (is_good && *at == ':' && out->kind == VALUE_RAND)
      is_good = ++at && read_number(&at, &out->seed);
    if (is_good && *at == ':' && out->kind == VALUE_RAND) {
      is_good = read_range(at + 1, arena, out);
      at += strlen(at);
    }
    if (is_good && !*at) return true;
    buf_printf(why, "'%s': after '%s' stands a number of elements, or 3x4 and so on%s", word,
               makers[i].prefix,
               out->kind == VALUE_RAND ? ", then perhaps :SEED or :SEED:LO..HI" : "");
    return false;
  }
  return true; /* a number; its parameter's type decides how it is read */
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
