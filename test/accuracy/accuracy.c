/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* accuracy.c - compares each function of floats with its exact value, on a device.
 *
 *     accuracy [--device=host|cuda:N] [--backend=libnvvm|nvptx] [--count=N] [--seed=N]
 *              [--filter=TEXT] [--jobs=N] [--verbose]
 *     accuracy --source | --table | --fast-table    the kernels; docs/language.md's tables
 *
 * The functions and their bounds are rows of accuracy.def; conversions with all their roundings
 * come from loops here. Each is a kernel for each type. Inputs: special values with their
 * neighbours, for two arguments all pairs; then --count random ones, from 4096 on all that there
 * are of 16 bits. Exact values come from glibc's functions of long double (f32, f16, bf16) and of
 * _Float128 (f64), which have 40 and 60 bits more: rounded to the type, they are the correctly
 * rounded ones. NaN, infinities and signs of zeros have to be those of C's annex F, as those
 * functions give them.
 *
 * What lies beyond its bound is printed; the last line is `N within bounds, N beyond`.
 */
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ck/ck.h"

typedef _Float128 quad;
typedef unsigned __int128 u128;

enum { ARGS_MAX = 3, CASES_MAX = 1024, BATCH = 16, VALUES_MAX = 2048, ALL_FROM = 4096 };

/* formats ------------------------------------------------------------------------------------ */

typedef enum Type { F16, BF16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64, TYPES } Type;

typedef struct Format {
  const char *name;
  unsigned bits;
  int precision; /* of floats: bits, with the one that is not stored; of integers 0 */
  int low;       /* of floats: the exponent of the smallest normal value; of integers: is signed */
} Format;

static const Format formats[] = {
    {"f16", 16, 11, -14}, {"bf16", 16, 8, -126}, {"f32", 32, 24, -126}, {"f64", 64, 53, -1022},
    {"i8", 8, 0, 1},      {"i16", 16, 0, 1},     {"i32", 32, 0, 1},     {"i64", 64, 0, 1},
    {"u8", 8, 0, 0},      {"u16", 16, 0, 0},     {"u32", 32, 0, 0},     {"u64", 64, 0, 0},
};

typedef enum Round { PLAIN_ROUND, NEAREST, ZERO, UP, DOWN, ROUNDS } Round;
static const char *const round_words[] = {"", "nearest", "zero", "up", "down"};

static bool is_float(const Format *format)
{
  return format->precision > 0;
}
static uint64_t sign_bit(const Format *format)
{
  return 1ull << (format->bits - 1);
}
static uint64_t infinity(const Format *format)
{
  return sign_bit(format) - (1ull << (format->precision - 1));
}
static bool is_nan(uint64_t bits, const Format *format)
{
  return is_float(format) && (bits & (sign_bit(format) - 1)) > infinity(format);
}

/* A NaN that is no signaling one: annex F leaves those out. */
static uint64_t quiet(uint64_t bits, const Format *format)
{
  return is_nan(bits, format) ? bits | 1ull << (format->precision - 2) : bits;
}

/* Steps from 0: neighbours differ by 1. */
static int64_t ordinal(uint64_t bits, const Format *format)
{
  int64_t magnitude = (int64_t)(bits & (sign_bit(format) - 1));
  return bits & sign_bit(format) ? -magnitude : magnitude;
}

/* Every value of every type is a long double. */
static long double decode(uint64_t bits, const Format *format)
{
  if (!is_float(format)) {
    int64_t wide = (int64_t)(bits << (64 - format->bits)) >> (64 - format->bits);
    return format->low ? (long double)wide : (long double)bits;
  }
  uint64_t magnitude = bits & (sign_bit(format) - 1);
  int stored = format->precision - 1, exponent = (int)(magnitude >> stored);
  long double value = magnitude & ((1ull << stored) - 1);
  if (magnitude >= infinity(format)) {
    value = magnitude > infinity(format) ? NAN : INFINITY;
  } else {
    if (exponent) value += 1ull << stored;
    value = ldexpl(value, format->low - stored + (exponent ? exponent - 1 : 0));
  }
  return bits & sign_bit(format) ? -value : value;
}

/* |value| is mantissa * 2^scale. Rounds that; 0 ... 2^127. */
static u128 rounded(u128 mantissa, int scale, bool is_negative, Round round)
{
  if (scale >= 0) return scale > 14 ? (u128)1 << 127 : mantissa << scale;
  int drop = -scale > 127 ? 127 : -scale;
  u128 kept = mantissa >> drop, rest = mantissa - (kept << drop), half = (u128)1 << (drop - 1);
  switch (round) {
  case PLAIN_ROUND:
  case NEAREST: return kept + (rest > half || (rest == half && kept & 1));
  case UP: return kept + (rest && !is_negative);
  case DOWN: return kept + (rest && is_negative);
  default: return kept;
  }
}

static uint64_t encode_int(u128 mantissa, int scale, bool is_negative, const Format *format,
                           Round round)
{
  u128 magnitude = rounded(mantissa, scale, is_negative, round ? round : ZERO),
       most = ((u128)1 << (format->bits - format->low)) - 1;
  if (is_negative) {
    u128 least = format->low ? most + 1 : 0;
    uint64_t bits = -(uint64_t)(magnitude < least ? magnitude : least);
    return bits << (64 - format->bits) >> (64 - format->bits);
  }
  return (uint64_t)(magnitude < most ? magnitude : most);
}

/* A value as C converts it to the type, or rounded otherwise. */
static uint64_t encode(quad value, const Format *format, Round round)
{
  u128 bits;
  memcpy(&bits, &value, sizeof bits);
  bool is_negative = bits >> 127;
  int exponent = (int)(bits >> 112 & 0x7fff);
  u128 mantissa = bits & (((u128)1 << 112) - 1);
  if (value != value) return is_float(format) ? quiet(infinity(format) + 1, format) : 0;
  if (exponent) mantissa |= (u128)1 << 112;
  else exponent = 1;
  exponent -= 0x3fff; /* |value| = mantissa * 2^(exponent - 112), its first bit is 2^exponent */
  if (!is_float(format)) return encode_int(mantissa, exponent - 112, is_negative, format, round);
  uint64_t sign = is_negative ? sign_bit(format) : 0, most = infinity(format);
  int base = exponent > format->low ? exponent : format->low, stored = format->precision - 1;
  if (base > -format->low + 1) { /* an infinity, or too large */
    bool is_exact = value * 2 == value;
    bool stops = round == ZERO || round == (is_negative ? UP : DOWN);
    return sign | (!is_exact && stops ? most - 1 : most);
  }
  uint64_t kept = (uint64_t)rounded(mantissa, exponent - 112 - (base - stored), is_negative, round);
  uint64_t result = ((uint64_t)(base - format->low) << stored) + kept;
  bool stops = round == ZERO || round == (is_negative ? UP : DOWN);
  if (result >= most) result = stops ? most - 1 : most;
  return sign | result;
}

/* exact values ------------------------------------------------------------------------------- */

/* x + y, rounded to odd: what is rounded again to half the bits is rounded right. */
#define SUM(name, real, next)                                                                      \
  static real name(real x, real y)                                                                 \
  {                                                                                                \
    real sum = x + y, part = sum - x, rest = (x - (sum - part)) + (y - part);                      \
    unsigned char bytes[sizeof sum];                                                               \
    memcpy(bytes, &sum, sizeof sum);                                                               \
    bool is_odd = bytes[0] & 1;                                                                    \
    if (sum - sum != 0 || rest == 0 || is_odd) return sum;                                         \
    return next(sum, rest > 0 ? (real)INFINITY : -(real)INFINITY);                                 \
  }
SUM(suml, long double, nextafterl)
SUM(sumf128, quad, nextafterf128)

typedef long double Narrow(long double x, long double y, long double z);
typedef quad Wide(quad x, quad y, quad z);

#define UNUSED (void)x, (void)y, (void)z
#define NARROW(name, value)                                                                        \
  static long double narrow_##name(long double x, long double y, long double z)                    \
  {                                                                                                \
    UNUSED;                                                                                        \
    return value;                                                                                  \
  }
#define FN(name, arguments, text, value, f32, f64, special) NARROW(name, value)
#define FAST(name, arguments, text, value, limit, words)    NARROW(name, value)
#define M(name)                                             name##l
#include "accuracy.def"
#undef M
#define FN(name, arguments, text, value, f32, f64, special)                                        \
  static quad wide_##name(quad x, quad y, quad z)                                                  \
  {                                                                                                \
    UNUSED;                                                                                        \
    return value;                                                                                  \
  }
#define M(name) name##f128
#include "accuracy.def"
#undef M

static long double narrow_same(long double x, long double y, long double z)
{
  return UNUSED, x;
}

/* bounds ------------------------------------------------------------------------------------- */

/* A result is right that is so many steps from the rounded value, or so near to the exact one. */
typedef struct Limit {
  uint64_t ulps;
  long double distance;
} Limit;

/* Of fast functions: false, if the result for these arguments may be anything. */
typedef bool LimitOf(long double x, long double y, Limit *limit);

static bool limit_near(long double x, Limit *limit, long double distance, uint64_t ulps)
{
  bool is_near = x >= 0.5L && x <= 2;
  *limit = is_near ? (Limit){0, distance} : (Limit){ulps, 0};
  return true;
}
static bool limit_turn(long double x, Limit *limit, long double distance)
{
  limit->distance = distance;
  return !(fabsl(x) > M_PIl);
}
static bool limit_growing(long double x, Limit *limit, long double factor)
{
  limit->ulps = fabsl(x) < 1e9L ? 2 + (uint64_t)floorl(factor * fabsl(x)) : 2;
  return true;
}

#define LIMIT(name) static bool limit_##name(long double x, long double y, Limit *limit)
#define SINE        exp2l(-21.41L)
#define COSINE      exp2l(-21.19L)
LIMIT(cos)
{
  return (void)y, limit_turn(x, limit, COSINE);
}
LIMIT(sin)
{
  return (void)y, limit_turn(x, limit, SINE);
}
/* A quotient of what the two may be, and two roundings more. */
LIMIT(tan)
{
  (void)y;
  long double top = fabsl(sinl(x)), bottom = fabsl(cosl(x));
  if (bottom <= COSINE) return false;
  return limit_turn(x, limit, (top + SINE) / (bottom - COSINE) * (1 + exp2l(-22)) - top / bottom);
}
LIMIT(divide)
{
  limit->ulps = 2;
  return (void)x, fabsl(y) >= 0x1p-126L && fabsl(y) <= 0x1p126L;
}
LIMIT(exp)
{
  return (void)y, limit_growing(x, limit, 1.173L);
}
LIMIT(exp10)
{
  return (void)y, limit_growing(x, limit, 2.97L);
}
LIMIT(exp2)
{
  return (void)y, limit_growing(x, limit, 0);
}
LIMIT(log)
{
  return (void)y, limit_near(x, limit, exp2l(-21.41L), 3);
}
LIMIT(log2)
{
  return (void)y, limit_near(x, limit, exp2l(-22), 2);
}
/* NVIDIA says 2^-24. On an H200 CUDA C++'s __log10f(0x1.0ed67cp-1f) is off by 1.03 times that: it
 * is fast_log2's error times log10(2), and a rounding. */
LIMIT(log10)
{
  return (void)y, limit_near(x, limit, exp2l(-23.5L), 3);
}
LIMIT(rsqrt)
{
  limit->ulps = 2;
  return (void)x, (void)y, true;
}
LIMIT(sqrt)
{
  limit->ulps = 1;
  return (void)x, (void)y, true;
}
/* The logarithm is off by `log`; y times that, and the rounding of the product, in the exponent. */
LIMIT(pow)
{
  if (!(x > 0) || isinf(x) || !isfinite(y)) return false;
  Limit of_log;
  limit_log2(x, 0, &of_log);
  long double log = of_log.ulps ? fabsl(log2l(x)) * 0x1p-22L : of_log.distance;
  long double off = fabsl(y) * log + (fabsl(y) * (fabsl(log2l(x)) + log)) * 0x1p-24L;
  long double exact = powl(x, y);
  limit->distance = exact * expm1l(off * M_LN2l) + exact * 0x1p-22L + 0x1p-148L;
  return true;
}

/* cases -------------------------------------------------------------------------------------- */

typedef enum Special { PLAIN, POLES, ZEROS, LOOSE } Special;

/* A function for one type: a kernel. */
typedef struct Case {
  char name[48];
  char text[48]; /* in CK, of x, y, z */
  unsigned arguments;
  Type from, to;
  Round round;
  Narrow *narrow;
  Wide *wide;     /* of f64; NULL: `narrow` has bits enough */
  LimitOf *limit; /* of fast functions */
  uint64_t ulps;
  Special special;
} Case;

static Case cases[CASES_MAX];
static size_t case_count;

static Case *add_case(const char *name, const char *text, unsigned arguments, Type from, Type to)
{
  if (case_count == CASES_MAX) abort();
  Case *c = &cases[case_count++];
  *c = (Case){.arguments = arguments, .from = from, .to = to, .narrow = narrow_same};
  snprintf(c->name, sizeof c->name, "%s_%s", name, formats[from].name);
  size_t length = strcspn(text, "$");
  snprintf(c->text, sizeof c->text, "%.*s%s%s", (int)length, text,
           text[length] ? formats[from].name : "", text[length] ? text + length + 1 : "");
  return c;
}

static void add_function(const char *name, const char *text, unsigned arguments, Narrow *narrow,
                         Wide *wide, uint64_t f32, uint64_t f64, Special special)
{
  for (Type type = F16; type <= F64; ++type) {
    Case *c = add_case(name, text, arguments, type, type);
    c->narrow = narrow;
    if (type == F64) c->wide = wide;
    c->ulps = type == F64 ? f64 : type == F32 ? f32 : f32 > 0;
    c->special = special;
  }
}

static void add_fast(const char *name, const char *text, unsigned arguments, Narrow *narrow,
                     LimitOf *limit)
{
  Case *c = add_case(name, text, arguments, F32, F32);
  c->narrow = narrow;
  c->limit = limit;
  c->special = LOOSE;
}

static void add_conversion(Type from, Type to, Round round)
{
  char name[32], text[48];
  snprintf(name, sizeof name, "%s%s%s_of", formats[to].name, round ? "_" : "", round_words[round]);
  snprintf(text, sizeof text, round ? "%s(x, round = %s)" : "%s(x)", formats[to].name,
           round_words[round]);
  add_case(name, text, 1, from, to)->round = round;
}

static bool converts(Type from, Type to)
{
  bool are_halves = from <= BF16 && to <= BF16;
  return (is_float(&formats[from]) || is_float(&formats[to])) && from != to && !are_halves;
}

static void add_all(void)
{
#define FN(name, arguments, text, value, f32, f64, special)                                        \
  add_function(#name, text, arguments, narrow_##name, wide_##name, f32, f64, special);
#define FAST(name, arguments, text, value, limit, words)                                           \
  add_fast(#name, text, arguments, narrow_##name, limit_##limit);
#include "accuracy.def"
  for (Type from = F16; from < TYPES; ++from)
    for (Type to = F16; to < TYPES; ++to)
      for (Round round = PLAIN_ROUND; round < ROUNDS && converts(from, to); ++round)
        add_conversion(from, to, round);
}

static void put_kernel(FILE *out, const Case *c)
{
  fprintf(out, "kernel %s(n: u64", c->name);
  for (unsigned i = 0; i < c->arguments; ++i)
    fprintf(out, ", %cs: in %s[n]", "xyz"[i], formats[c->from].name);
  fprintf(out, ", r: out %s[n])\n    launch(block = 128, grid = ceil_div(n, 128))\n{\n",
          formats[c->to].name);
  fprintf(out, "    let i = grid.thread_rank;\n    if (i >= n) return;\n");
  for (unsigned i = 0; i < c->arguments; ++i)
    fprintf(out, "    let %c = %cs[i];\n", "xyz"[i], "xyz"[i]);
  fprintf(out, "    r[i] = %s;\n}\n", c->text);
}

/* inputs ------------------------------------------------------------------------------------- */

/* clang-format off */
/* For any type, where functions turn, overflow, vanish or lose bits. */
static const double special_values[] = {
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 20, 21, 22, 23, 24, 30, 33, 100,
    0.25, 1.0 / 3, 0.5, 0.75, 1.5, 2.5, 3.5, 4.5, 9.5, 22.5, 127.5, 255.5, 2047.5, 32767.5,
    4194303.5, 8388607.5, 2147483647.5, 4294967295.5, /* roundings */
    0x1p7, 0x1p10, 0x1p11, 0x1p15, 0x1p22, 0x1p23, 0x1p24, 0x1p31, 0x1p32, 0x1p51, 0x1p52, 0x1p53,
    0x1p62, 0x1p63, 0x1p64, 65504, 65520, 0x1p-63, 0x1p-511, 0x1p512,
    1e-3, 1e-4, 1e-8, 1e-16, 0x1p-12, 0x1p-24, 0x1p-26, 0x1p-27, 0x1p-28, 0x1p-53, 0x1p-54,
    126, 127, 128, 149, 150, 1022, 1023, 1024, 1074, 1075, /* exp2 */
    11.0899, 9.7041, 16.6355, 17.3287, 88.0296919311, 88.7228394, 89.4159851, 87.3365479,
    103.972076, 103.278929, 709.0895657128241, 709.782712893384, 710.4758600739439,
    708.3964185322641, 745.1332191019412, 744.4400719213812, /* exp, sinh, cosh */
    4.8165, 4.2144, 7.2247, 38.2308, 38.53184, 37.9298, 44.8534, 45, 308.25471555991674,
    307.65265556858878, 323.3062153431158, 324, /* exp10 */
    9.01, 19.06, 2.55, 9.19, 10.06, 3.91920590400695, 5.9215871957945, 26.543258, 27.226,
    0.84375, 0.6744897, /* tanh, erf, erfc */
    34.03, 35.04010009765625, 41, 170.5, 171.6243769563027, 184.5, 1.4616321449683623, 2.2637,
    2.264, 10.001, 23.0001, 2.4570247382208006, 2.7476826467274127, 3.143580888349980,
    3.955294284858598, /* tgamma; lgamma and its zeros */
    0.70710678118654752, 1.41421356237309505, 0.29289321881345, 0.41421356237309503,
    2.718281828459045, 0.36787944117144233, /* log, log1p, atan */
    105414.357, 105615, 1e8, 105414350, 16367173 * 0x1p72, 6381956970095103 * 0x1p797, /* sines */
};
/* For pairs. */
static const double pair_values[] = {
    1.0 / 3, 0.1, 0.5, 1, 1.5, 2, 3, 5, 8, 10, 127, 128, 150, 1023.5, 1074, 0.99999994, 1.0000001,
    3.14159265358979312, 16777215, 0x1p23, 0x1p24, 0x1p53, 0x1p63, 0x1p100, 1e30,
    0x1p-24, 0x1p-53, 0x1p-63, 0x1p-100, 1e-30,
};
/* clang-format on */

typedef struct Values {
  uint64_t bits[VALUES_MAX];
  size_t count;
} Values;

/* A value, what lies up to `reach` steps from it, and their negatives. */
static void put_value(Values *values, uint64_t bits, const Format *format, int reach)
{
  int64_t at = ordinal(bits, format), most = ordinal(infinity(format), format) + 1; /* a NaN */
  for (int64_t i = at - reach; i <= at + reach; ++i) {
    if (i < 0 || i > most || values->count + 2 > VALUES_MAX) continue;
    values->bits[values->count++] = quiet((uint64_t)i, format);
    values->bits[values->count++] = quiet((uint64_t)i | sign_bit(format), format);
  }
}

static void special_floats(Values *values, const Format *format, bool is_short)
{
  uint64_t limits[] = {0, 1ull << (format->precision - 1), infinity(format)};
  int reach = is_short ? 1 : 2;
  values->count = 0;
  for (int i = 0; i < 3; ++i) put_value(values, limits[i], format, reach);
  if (is_short) {
    for (size_t i = 0; i < sizeof pair_values / sizeof *pair_values; ++i)
      put_value(values, encode(pair_values[i], format, NEAREST), format, 0);
    return;
  }
  for (size_t i = 0; i < sizeof special_values / sizeof *special_values; ++i)
    put_value(values, encode(special_values[i], format, NEAREST), format, reach);
  for (int i = 1; i <= 32; ++i) /* multiples of pi/2, near and far */
    put_value(values, encode(i * (M_PIf128 / 2), format, NEAREST), format, 1);
  for (int i = 6; i <= 60; i += 3)
    put_value(values, encode(ldexpf128(M_PIf128, i), format, NEAREST), format, 1);
}

static void special_ints(Values *values, const Format *format)
{
  uint64_t mask = format->bits == 64 ? UINT64_MAX : (1ull << format->bits) - 1;
  values->count = 0;
  for (unsigned i = 0; i < format->bits; ++i)
    for (int64_t j = -2; j <= 2; ++j) {
      values->bits[values->count++] = ((1ull << i) + (uint64_t)j) & mask;
      values->bits[values->count++] = (-(1ull << i) + (uint64_t)j) & mask;
    }
}

/* splitmix64 */
static uint64_t random_bits(uint64_t *state)
{
  uint64_t z = *state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

/* -1 to 1 */
static long double random_part(uint64_t *state)
{
  return (long double)(int64_t)random_bits(state) * 0x1p-63L;
}

/* Of any exponent; of one near 0; or near a whole number. */
static uint64_t random_float(uint64_t *state, const Format *format)
{
  uint64_t bits = random_bits(state), how = bits % 10;
  if (how < 5 || !is_float(format)) return quiet(random_bits(state) >> (64 - format->bits), format);
  long double part = random_part(state);
  int exponent = (int)(bits >> 32 & 31);
  if (how < 9) return encode(ldexpl(part, exponent - 16), format, NEAREST);
  int whole = bits >> 40 & 1 ? 1 : (int)(bits >> 48 & 63) - 32;
  return encode(whole + ldexpl(part, -exponent), format, NEAREST);
}

/* Partners: of like size; one that makes a power that is neither 0 nor infinite; one that cancels
 * the product of the others. */
static void random_arguments(uint64_t *state, const Format *format, unsigned count, uint64_t *out)
{
  for (unsigned i = 0; i < count; ++i) out[i] = random_float(state, format);
  uint64_t how = random_bits(state) % 4;
  long double x = decode(out[0], format), part = random_part(state);
  if (count == 1) return;
  long double log = log2l(fabsl(x)), y = how == 1 ? x * (1 + part * 0.125L) : x * part * 64;
  if (how == 3 && log != 0 && isfinite(log)) y = part * (format->precision - format->low) / log;
  if (how) out[1] = encode(y, format, NEAREST);
  if (count == 3 && how > 1)
    out[2] = encode(-x * decode(out[1], format) * (1 + ldexpl(part, how == 2 ? -20 : -2)), format,
                    NEAREST);
}

typedef struct Inputs {
  uint64_t *values[ARGS_MAX]; /* owned */
  size_t count, room;
} Inputs;

static void put_input(Inputs *inputs, const uint64_t *arguments, unsigned count)
{
  if (inputs->count == inputs->room) {
    inputs->room = inputs->room ? 2 * inputs->room : 4096;
    for (unsigned i = 0; i < ARGS_MAX; ++i) {
      inputs->values[i] = realloc(inputs->values[i], inputs->room * sizeof(uint64_t));
      if (!inputs->values[i]) abort();
    }
  }
  for (unsigned i = 0; i < count; ++i) inputs->values[i][inputs->count] = arguments[i];
  ++inputs->count;
}

static void put_products(Inputs *inputs, const Values *values, unsigned arguments)
{
  size_t step = arguments == 3 ? 3 : 1, count = values->count;
  for (size_t i = 0; i < count; i += step)
    for (size_t j = 0; j < count; j += step)
      for (size_t k = 0; k < (arguments == 3 ? count : 1); k += step)
        put_input(inputs, (uint64_t[]){values->bits[i], values->bits[j], values->bits[k]},
                  arguments);
}

static void make_inputs(const Case *c, size_t random_count, uint64_t seed, Inputs *inputs)
{
  const Format *format = &formats[c->from];
  uint64_t state = seed;
  inputs->count = 0;
  if (c->arguments == 1 && format->bits <= 16 && random_count >= ALL_FROM) {
    for (uint64_t i = 0; i < 1ull << format->bits; ++i) put_input(inputs, &i, 1);
    return;
  }
  Values values;
  if (is_float(format)) special_floats(&values, format, c->arguments > 1);
  else special_ints(&values, format);
  if (c->arguments > 1) put_products(inputs, &values, c->arguments);
  for (size_t i = 0; c->arguments == 1 && i < values.count; ++i)
    put_input(inputs, &values.bits[i], 1);
  for (size_t i = 0; i < random_count; ++i) {
    uint64_t arguments[ARGS_MAX] = {0};
    random_arguments(&state, format, c->arguments, arguments);
    put_input(inputs, arguments, c->arguments);
  }
}

/* judging ------------------------------------------------------------------------------------ */

/* What is known of a case: the worst result within and beyond its bounds. */
typedef struct Verdict {
  uint64_t worst; /* steps */
  size_t beyond;
  uint64_t arguments[ARGS_MAX], got, wanted; /* of the first that is worst beyond */
  uint64_t off, allowed;
} Verdict;

/* Between its poles lgamma has zeros: it is less than the terms that it is the sum of. NVIDIA names
 * no bound there. We take the one beside it, of the larger term. */
static bool is_between_poles(const Case *c, long double x)
{
  bool is_wide = c->from == F64;
  return x < (is_wide ? -2.2637L : -2.264L) && x > (is_wide ? -23.0001L : -10.001L);
}

static bool limit_of(const Case *c, const long double *x, Limit *limit)
{
  *limit = (Limit){c->ulps, 0};
  if (c->limit) return c->limit(x[0], x[1], limit);
  if (c->special == POLES && is_between_poles(c, x[0]))
    limit->distance =
        ldexpl((long double)c->ulps, ilogbl(lgammal(1 - x[0])) + 1 - formats[c->from].precision);
  return true;
}

static bool is_near(quad exact, uint64_t got, const Format *format, long double distance)
{
  long double value = decode(got, format);
  if (isinf(value)) value = copysignl(ldexpl(1, 2 - format->low), value); /* the next after all */
  return fabsf128((quad)value - exact) <= distance;
}

static void judge(const Case *c, const uint64_t *arguments, uint64_t got, Verdict *verdict)
{
  const Format *to = &formats[c->to];
  long double x[ARGS_MAX] = {0};
  Limit limit;
  for (unsigned i = 0; i < c->arguments; ++i) x[i] = decode(arguments[i], &formats[c->from]);
  if (!limit_of(c, x, &limit)) return;
  quad exact = c->wide ? c->wide(x[0], x[1], x[2]) : c->narrow(x[0], x[1], x[2]);
  uint64_t wanted = encode(exact, to, c->round), off = got != wanted;
  if (is_nan(wanted, to) || is_nan(got, to)) {
    off = is_nan(wanted, to) == is_nan(got, to) ? 0 : UINT64_MAX;
  } else if (is_float(to)) {
    int64_t steps = ordinal(got, to) - ordinal(wanted, to);
    off = steps < 0 ? -(uint64_t)steps : (uint64_t)steps;
    if (!off && got != wanted && c->special < ZEROS) off = UINT64_MAX; /* a zero's sign */
  }
  if (off <= limit.ulps) {
    if (off > verdict->worst) verdict->worst = off;
  } else if (!(limit.distance > 0 && off < UINT64_MAX && is_near(exact, got, to, limit.distance))) {
    if (!verdict->beyond++ || off > verdict->off) {
      memcpy(verdict->arguments, arguments, sizeof verdict->arguments);
      verdict->got = got, verdict->wanted = wanted;
      verdict->off = off, verdict->allowed = limit.ulps;
    }
  }
}

/* running ------------------------------------------------------------------------------------ */

typedef struct Options {
  const char *device, *filter;
  ck_backend_t backend;
  size_t count, jobs;
  uint64_t seed;
  bool is_verbose;
} Options;

static Options options = {"host", "", CK_BACKEND_AUTO, 4096, 0, 1, false};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static size_t next_case, within, beyond;

static bool is_ok(ck_status_t status, const char *what)
{
  if (status == CK_OK) return true;
  fprintf(stderr, "%s: %s\n", what, ck_last_error());
  return false;
}

static void say(const Case *c, const Verdict *verdict, size_t count)
{
  pthread_mutex_lock(&lock);
  if (verdict->beyond) ++beyond;
  else ++within;
  if (verdict->beyond) {
    printf("%s on %s: %zu of %zu are beyond; the worst: %s, where", c->name, options.device,
           verdict->beyond, count, c->text);
    for (unsigned i = 0; i < c->arguments; ++i) {
      long double value = decode(verdict->arguments[i], &formats[c->from]);
      printf("%s %c = %La (%.9Lg)", i ? "," : "", "xyz"[i], value, value);
    }
    long double got = decode(verdict->got, &formats[c->to]),
                wanted = decode(verdict->wanted, &formats[c->to]);
    printf(": got %La (%.9Lg), expected %La (%.9Lg)", got, got, wanted, wanted);
    if (is_float(&formats[c->to]) && verdict->off < UINT64_MAX)
      printf(", %" PRIu64 " ulp, allowed %" PRIu64, verdict->off, verdict->allowed);
    putchar('\n');
  } else if (options.is_verbose) {
    printf("%-24s %" PRIu64 " ulp at most, of %zu\n", c->name, verdict->worst, count);
  }
  fflush(stdout);
  pthread_mutex_unlock(&lock);
}

/* Narrow elements from or into 64 bits each. */
static void pack(const uint64_t *from, size_t count, unsigned bytes, unsigned char *out)
{
  for (size_t i = 0; i < count; ++i) memcpy(out + i * bytes, &from[i], bytes);
}

static bool run_kernel(const Case *c, ck_device_t *device, ck_stream_t *stream, ck_kernel_t *kernel,
                       const Inputs *inputs, unsigned char *bytes)
{
  size_t from = formats[c->from].bits / 8, to = formats[c->to].bits / 8, n = inputs->count;
  ck_buffer_t *buffers[ARGS_MAX + 1] = {0};
  ck_arg_t args[ARGS_MAX + 2] = {ck_arg_unsigned(n, CK_U64)};
  bool is_fine = true;
  for (unsigned i = 0; i <= c->arguments && is_fine; ++i) {
    size_t size = n * (i < c->arguments ? from : to);
    is_fine = is_ok(ck_buffer_create(device, size, stream, &buffers[i]), c->name);
    if (!is_fine) break;
    args[i + 1] = ck_whole(buffers[i]);
    if (i == c->arguments) break;
    pack(inputs->values[i], n, (unsigned)from, bytes);
    is_fine = is_ok(ck_buffer_write(buffers[i], 0, bytes, size, stream), c->name) &&
              is_ok(ck_stream_sync(stream), c->name); /* `bytes` is used again */
  }
  is_fine = is_fine &&
            is_ok(ck_launch_args(stream, NULL, kernel, args, c->arguments + 2), c->name) &&
            is_ok(ck_buffer_read(buffers[c->arguments], 0, bytes, n * to, stream), c->name) &&
            is_ok(ck_stream_sync(stream), c->name);
  for (unsigned i = 0; i <= ARGS_MAX; ++i) ck_buffer_release(buffers[i]);
  return is_fine;
}

static bool run_case(const Case *c, ck_device_t *device, ck_stream_t *stream,
                     ck_object_code_t *code, Inputs *inputs)
{
  ck_kernel_t *kernel;
  if (!is_ok(ck_kernel_from_code(code, device, c->name, &kernel), c->name)) return false;
  make_inputs(c, options.count, options.seed, inputs);
  unsigned char *bytes = malloc(inputs->count * sizeof(uint64_t));
  bool is_fine = bytes && run_kernel(c, device, stream, kernel, inputs, bytes);
  Verdict verdict = {0};
  size_t size = formats[c->to].bits / 8;
  for (size_t i = 0; is_fine && i < inputs->count; ++i) {
    uint64_t arguments[ARGS_MAX] = {0}, got = 0;
    for (unsigned j = 0; j < c->arguments; ++j) arguments[j] = inputs->values[j][i];
    memcpy(&got, bytes + i * size, size);
    judge(c, arguments, got, &verdict);
  }
  if (is_fine) say(c, &verdict, inputs->count);
  free(bytes);
  ck_kernel_release(kernel);
  return is_fine;
}

/* Compiles some cases as a module. */
static bool compile(const Case *const *batch, size_t count, ck_device_t *device,
                    ck_object_code_t **out_code)
{
  char *text = NULL;
  size_t bytes;
  FILE *out = open_memstream(&text, &bytes);
  if (!out) return false;
  for (size_t i = 0; i < count; ++i) put_kernel(out, batch[i]);
  fclose(out);
  ck_compile_options_t compile_options = CK_OPTIONS_INIT(ck_compile_options_t);
  compile_options.backend = options.backend;
  ck_program_t *program = NULL;
  bool is_fine = is_ok(ck_program_create(text, bytes, &compile_options, &program), "program") &&
                 is_ok(ck_program_compile(program, device, out_code), batch[0]->name);
  if (!is_fine && program) fputs(ck_program_log(program), stderr);
  ck_program_release(program);
  free(text);
  return is_fine;
}

/* Cases of the filter that nobody has taken yet. */
static size_t take(const Case **batch)
{
  size_t count = 0;
  pthread_mutex_lock(&lock);
  for (; next_case < case_count && count < BATCH; ++next_case)
    if (strstr(cases[next_case].name, options.filter)) batch[count++] = &cases[next_case];
  pthread_mutex_unlock(&lock);
  return count;
}

static ck_status_t open_device(ck_device_t **out_device)
{
  const char *colon = strchr(options.device, ':');
  if (!strcmp(options.device, "host")) return ck_device_open_host(out_device);
  return ck_device_open(colon ? atoi(colon + 1) : 0, out_device);
}

/* A thread: batches of cases. NULL if all went well. */
static void *work(void *data)
{
  (void)data;
  ck_device_t *device = NULL;
  ck_stream_t *stream = NULL;
  bool is_fine = is_ok(open_device(&device), options.device) &&
                 is_ok(ck_stream_create(device, NULL, &stream), options.device);
  const Case *batch[BATCH];
  Inputs inputs = {0};
  for (size_t count; is_fine && (count = take(batch));) {
    ck_object_code_t *code = NULL;
    is_fine = compile(batch, count, device, &code);
    for (size_t i = 0; is_fine && i < count; ++i)
      is_fine = run_case(batch[i], device, stream, code, &inputs);
    ck_object_code_release(code);
  }
  for (unsigned i = 0; i < ARGS_MAX; ++i) free(inputs.values[i]);
  ck_stream_release(stream);
  ck_device_release(device);
  return is_fine ? NULL : &options;
}

static int run(void)
{
  enum { JOBS_MAX = 64 };
  pthread_t threads[JOBS_MAX];
  bool is_fine = true;
  size_t jobs = options.jobs ? options.jobs : (size_t)sysconf(_SC_NPROCESSORS_ONLN);
  if (jobs > JOBS_MAX) jobs = JOBS_MAX;
  for (size_t i = 0; i < jobs; ++i)
    if (pthread_create(&threads[i], NULL, work, NULL)) abort();
  for (size_t i = 0; i < jobs; ++i) {
    void *result;
    pthread_join(threads[i], &result);
    is_fine = is_fine && !result;
  }
  printf("%zu within bounds, %zu beyond%s\n", within, beyond, is_fine ? "" : ", not all ran");
  return is_fine && !beyond && within ? 0 : 1;
}

/* texts -------------------------------------------------------------------------------------- */

/* A row for each pair of bounds, with the functions that have it. */
static void put_table(void)
{
  puts("| f32 | f64 | functions |\n| --- | --- | --- |");
  for (uint64_t f32 = 0; f32 < 16; ++f32)
    for (uint64_t f64 = 0; f64 < 16; ++f64) {
      size_t count = 0;
      for (size_t i = 0; i < case_count; ++i) {
        const Case *c = &cases[i];
        bool is_function = c->wide && c->ulps == f64 && cases[i - 1].ulps == f32;
        if (!is_function) continue;
        if (!count++) printf("| %" PRIu64 " | %" PRIu64 " | `", f32, f64);
        else putchar(' ');
        bool is_operator = c->text[1] == ' ';
        if (is_operator) putchar(c->text[2]);
        else if (*c->text == '-') printf("-x");
        else printf("%.*s", (int)strlen(c->name) - 4, c->name); /* without _f64 */
      }
      if (count) puts("` |");
    }
}

static void put_fast_table(void)
{
  puts("| function | at most off by |\n| --- | --- |");
#define FAST(name, arguments, text, value, limit, words) puts("| `" #name "` | " words " |");
#include "accuracy.def"
}

static bool take_word(const char *word)
{
  const char *value = strchr(word, '=');
  size_t length = value ? (size_t)(value++ - word) : strlen(word);
#define IS(name) (length == strlen(name) && !strncmp(word, name, length))
  if (IS("--verbose")) options.is_verbose = true;
  else if (!value) return false;
  else if (IS("--device")) options.device = value;
  else if (IS("--filter")) options.filter = value;
  else if (IS("--count")) options.count = strtoul(value, NULL, 10);
  else if (IS("--seed")) options.seed = strtoull(value, NULL, 10);
  else if (IS("--jobs")) options.jobs = strtoul(value, NULL, 10);
  else if (IS("--backend") && !strcmp(value, "nvptx")) options.backend = CK_BACKEND_NVPTX;
  else if (IS("--backend") && !strcmp(value, "libnvvm")) options.backend = CK_BACKEND_LIBNVVM;
  else return false;
  return true;
}

int main(int argc, char **argv)
{
  add_all();
  setenv("CK_CACHE", "off", 1);
  if (argc == 2 && !strcmp(argv[1], "--source")) {
    for (size_t i = 0; i < case_count; ++i) put_kernel(stdout, &cases[i]);
    return 0;
  }
  if (argc == 2 && !strcmp(argv[1], "--table")) return put_table(), 0;
  if (argc == 2 && !strcmp(argv[1], "--fast-table")) return put_fast_table(), 0;
  for (int i = 1; i < argc; ++i)
    if (!take_word(argv[i])) {
      fprintf(stderr, "accuracy: %s is no option; the head of accuracy.c has them\n", argv[i]);
      return 2;
    }
  return run();
}
