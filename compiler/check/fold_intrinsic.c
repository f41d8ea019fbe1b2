/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* fold_intrinsic.c - computes intrinsics of constants.
 *
 * Only intrinsics that are exact or correctly rounded are here, so that a constant has the value
 * that a kernel computes on each target. An intrinsic without a row doesn't give a constant.
 *
 * A row has the intrinsic's name without the suffix for its width or type, which the operands have:
 * __clz32 and __clz64 are rows; __fmin of f64, __fminf of f32, __fminf16 and __fminbf16 are one
 * row. test/constant compares each of them with kernels.
 */
#include "check/check_private.h"
#include "front/builtin.h"

#include <math.h>
#include <string.h>

/* ---- integers: the bits of the operands, and their width ---- */

typedef uint64_t (*OfIntegers)(const uint64_t *v, unsigned width);

static uint64_t ones(unsigned width)
{
  return UINT64_MAX >> (64 - width);
}

static uint64_t reverse(uint64_t x, unsigned count, unsigned width)
{
  uint64_t mask = (UINT64_C(1) << width) - 1, r = 0;
  for (unsigned i = 0; i < count; ++i) r = r << width | (x >> i * width & mask);
  return r;
}

static uint64_t brev(const uint64_t *v, unsigned width)
{
  return reverse(v[0], width, 1);
}

static uint64_t bswap(const uint64_t *v, unsigned width)
{
  return reverse(v[0], width / 8, 8);
}

static uint64_t popc(const uint64_t *v, unsigned width)
{
  uint64_t count = 0;
  for (unsigned i = 0; i < width; ++i) count += v[0] >> i & 1;
  return count;
}

static uint64_t clz(const uint64_t *v, unsigned width)
{
  unsigned count = 0;
  while (count < width && !(v[0] >> (width - 1 - count) & 1)) ++count;
  return count;
}

static uint64_t ctz(const uint64_t *v, unsigned width)
{
  unsigned count = 0;
  while (count < width && !(v[0] >> count & 1)) ++count;
  return count;
}

/* The upper half of v0:v1 << n. */
static uint64_t fshl(const uint64_t *v, unsigned width)
{
  unsigned n = (unsigned)(v[2] % width);
  return n ? v[0] << n | v[1] >> (width - n) : v[0];
}

/* The lower half of v0:v1 >> n. */
static uint64_t fshr(const uint64_t *v, unsigned width)
{
  unsigned n = (unsigned)(v[2] % width);
  return n ? v[0] << (width - n) | v[1] >> n : v[1];
}

/* The upper half of a product, from those of halves. */
static uint64_t mul_hi_u(const uint64_t *v, unsigned width)
{
  unsigned half = width / 2;
  uint64_t mask = ones(half), a = v[0] >> half, b = v[0] & mask, c = v[1] >> half, d = v[1] & mask;
  uint64_t middle = a * d + (b * d >> half), other = b * c + (middle & mask);
  return a * c + (middle >> half) + (other >> half);
}

static uint64_t mul_hi_i(const uint64_t *v, unsigned width)
{
  uint64_t high = mul_hi_u(v, width);
  if (v[0] >> (width - 1) & 1) high -= v[1];
  return v[1] >> (width - 1) & 1 ? high - v[0] : high;
}

/* Selects bytes of v1:v0. Bit 3 of a selector fills the byte with the sign of the selected one. */
static uint64_t byte_perm(const uint64_t *v, unsigned width)
{
  uint64_t all = v[1] << width | v[0], r = 0;
  for (unsigned i = 0; i < width / 8; ++i) {
    uint64_t choice = v[2] >> 4 * i, byte = all >> 8 * (choice & 7) & 0xff;
    if (choice & 8) byte = byte & 0x80 ? 0xff : 0;
    r |= byte << 8 * i;
  }
  return r;
}

static uint64_t dp4a_u(const uint64_t *v, unsigned width)
{
  uint64_t sum = v[2];
  for (unsigned i = 0; i < width; i += 8) sum += (v[0] >> i & 0xff) * (v[1] >> i & 0xff);
  return sum;
}

static uint64_t dp4a_s(const uint64_t *v, unsigned width)
{
  uint64_t sum = v[2];
  for (unsigned i = 0; i < width; i += 8)
    sum += (uint64_t)((int64_t)(int8_t)(v[0] >> i) * (int8_t)(v[1] >> i));
  return sum;
}

static const struct {
  const char *name; /* with the width */
  OfIntegers value;
} integers[] = {
    {"__brev32", brev},         {"__brev64", brev},         {"__bswap32", bswap},
    {"__bswap64", bswap},       {"__byte_perm", byte_perm}, {"__clz32", clz},
    {"__clz64", clz},           {"__ctz32", ctz},           {"__ctz64", ctz},
    {"__dp4a_s", dp4a_s},       {"__dp4a_u", dp4a_u},       {"__fshl32", fshl},
    {"__fshl64", fshl},         {"__fshr32", fshr},         {"__fshr64", fshr},
    {"__mul_hi_i64", mul_hi_i}, {"__mul_hi_u64", mul_hi_u}, {"__popc32", popc},
    {"__popc64", popc},
};

static bool fold_integers(const char *name, const Node *args, uint32_t count, Node *out)
{
  uint64_t bits[FOLD_ARGS_MAX];
  unsigned width = args[0].type->bits;
  for (uint32_t i = 0; i < count; ++i) bits[i] = args[i].bits & ones(args[i].type->bits);
  for (size_t i = 0; i < COUNT_OF(integers); ++i) {
    if (strcmp(name, integers[i].name) != 0) continue;
    uint64_t value = integers[i].value(bits, width) & ones(out->type->bits);
    unsigned spare = 64u - out->type->bits;
    out->bits = type_is_signed(out->type) ? (uint64_t)((int64_t)(value << spare) >> spare) : value;
    return true;
  }
  return false;
}

/* ---- floats ---- */

/* As on a GPU: of a number and a NaN the number is taken, and -0 is less than 0. */
static double least(double x, double y)
{
  return x == y ? (signbit(x) ? x : y) : fmin(x, y);
}

static double most(double x, double y)
{
  return x == y ? (signbit(x) ? y : x) : fmax(x, y);
}

/* x * y + z with one rounding, for a type of at most 24 bits: an f64 holds the product exactly. If
 * it can't hold the sum, the sum is rounded to odd, so that the caller's rounding sees what was cut
 * off (S. Boldo, G. Melquiond, Emulation of FMA and correctly rounded sums: proved algorithms using
 * rounding to odd, 2008). */
static double fused(double x, double y, double z)
{
  double product = x * y, sum = product + z, part = sum - product;
  double rest = (product - (sum - part)) + (z - part);
  uint64_t bits;
  memcpy(&bits, &sum, sizeof bits);
  if (!isfinite(sum) || rest == 0 || bits & 1) return sum;
  return nextafter(sum, rest > 0 ? (double)INFINITY : -(double)INFINITY);
}

static const struct {
  const char *name;
  double (*one)(double), (*two)(double, double), (*three)(double, double, double);
} floats[] = {
    {"__ceil", ceil, NULL, NULL},  {"__copysign", NULL, copysign, NULL},
    {"__fabs", fabs, NULL, NULL},  {"__floor", floor, NULL, NULL},
    {"__fma", NULL, NULL, fused},  {"__fmax", NULL, most, NULL},
    {"__fmin", NULL, least, NULL}, {"__fmod", NULL, fmod, NULL},
    {"__rint", rint, NULL, NULL},  {"__round", round, NULL, NULL},
    {"__sqrt", sqrt, NULL, NULL},  {"__trunc", trunc, NULL, NULL},
};

static bool fold_floats(const char *name, const Node *args, Node *out)
{
  bool is_wide = out->type->kind == TYPE_f64;
  const char *tail = is_wide ? "" : out->type->kind == TYPE_f32 ? "f" : type_text(out->type);
  size_t len = strlen(name), tail_len = strlen(tail);
  if (len < tail_len || strcmp(name + len - tail_len, tail) != 0) return false;
  len -= tail_len;
  double x = args[0].real, y = args[1].real, z = args[2].real;
  for (size_t i = 0; i < COUNT_OF(floats); ++i) {
    if (strlen(floats[i].name) != len || memcmp(floats[i].name, name, len) != 0) continue;
    double value = floats[i].one   ? floats[i].one(x)
                   : floats[i].two ? floats[i].two(x, y)
                   : is_wide       ? fma(x, y, z)
                                   : floats[i].three(x, y, z);
    out->real = scalar_nearest(out->type, value);
    return true;
  }
  return false;
}

bool fold_intrinsic(const Builtin *builtin, const Node *args, uint32_t count, Node *out)
{
  out->kind = args[0].kind;
  if (args[0].kind == NODE_int) return fold_integers(builtin->name, args, count, out);
  return args[0].kind == NODE_float && fold_floats(builtin->name, args, out);
}
