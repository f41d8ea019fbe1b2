/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* number.c - reads and writes numbers of every element type. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

/* small floats ------------------------------------------------------------------------------- */

enum { F16_FRACTION = 10, F16_EXPONENT = 5, BF16_FRACTION = 7, BF16_EXPONENT = 8 };

/* The bits of the float with `fraction` and `exponent` bits that is nearest, ties to even. */
static uint16_t small_of(Wide value, int fraction, int exponent)
{
  int bias = (1 << (exponent - 1)) - 1, power;
  uint32_t sign = signbit(value) ? 0x8000 : 0, inf = ((1u << exponent) - 1) << fraction;
  value = fabsl(value);
  if (isnan(value)) return (uint16_t)(sign | inf | 1u << (fraction - 1));
  if (value == 0) return (uint16_t)sign;
  if (isinf(value) || value >= ldexpl(1, bias + 1)) return (uint16_t)(sign | inf);
  frexpl(value, &power);
  power -= 1; /* value = 1.xxx * 2^power */
  if (power < 1 - bias) power = 1 - bias;
  /* The leading 1 of a normal number adds 1 to the exponent's bits. */
  uint32_t digits = (uint32_t)nearbyintl(ldexpl(value, fraction - power));
  uint32_t bits = digits + ((uint32_t)(power + bias - 1) << fraction);
  return (uint16_t)(sign | (bits < inf ? bits : inf));
}

static double small_to(uint16_t bits, int fraction, int exponent)
{
  int bias = (1 << (exponent - 1)) - 1, top = (1 << exponent) - 1;
  int power = (bits & 0x7fff) >> fraction;
  uint32_t digits = bits & ((1u << fraction) - 1);
  double value = power == top ? (digits ? NAN : INFINITY)
                 : power      ? ldexp(digits + (1u << fraction), power - bias - fraction)
                              : ldexp(digits, 1 - bias - fraction);
  return bits & 0x8000 ? -value : value;
}

uint16_t f16_of(double value)
{
  return small_of(value, F16_FRACTION, F16_EXPONENT);
}

uint16_t bf16_of(double value)
{
  return small_of(value, BF16_FRACTION, BF16_EXPONENT);
}

/* from text ---------------------------------------------------------------------------------- */

static bool is_float(ck_dtype_t dtype)
{
  return dtype == CK_F16 || dtype == CK_BF16 || dtype == CK_F32 || dtype == CK_F64;
}

bool number_type(const char *name, size_t len, ck_dtype_t *out)
{
  static const ck_dtype_t types[] = {CK_BOOL, CK_I8,  CK_I16, CK_I32,  CK_I64, CK_U8, CK_U16,
                                     CK_U32,  CK_U64, CK_F16, CK_BF16, CK_F32, CK_F64};
  for (size_t i = 0; i < COUNT_OF(types); ++i) {
    *out = types[i];
    if (strlen(ck_dtype_name(*out)) == len && !memcmp(ck_dtype_name(*out), name, len)) return true;
  }
  return false;
}

bool number_is_integer(ck_dtype_t dtype)
{
  return !is_float(dtype);
}

static bool read_double(const char *text, double *out)
{
  char *end;
  if (!*text || strchr(" \t\n", *text)) return false;
  *out = strtod(text, &end);
  return !*end;
}

/* An integer as sign and magnitude: digits, 0x..., or a float without a fraction such as 1e6. */
static bool read_integer(const char *text, bool *out_negative, uint64_t *out)
{
  const char *digits = text + (*text == '-' || *text == '+');
  bool is_hex = digits[0] == '0' && (digits[1] | 0x20) == 'x';
  char *end;
  double value;
  *out_negative = *text == '-';
  errno = 0;
  *out = strtoull(digits, &end, is_hex ? 16 : 10);
  if (*digits >= '0' && *digits <= '9' && !*end) return errno == 0;
  if (!read_double(digits, &value) || value != floor(value) || value >= 0x1p53) return false;
  *out = (uint64_t)value;
  return *digits != '-' && *digits != '+';
}

static bool integer_arg(bool is_negative, uint64_t magnitude, ck_dtype_t dtype, ck_arg_t *out)
{
  bool is_signed = dtype >= CK_I8 && dtype <= CK_I64;
  unsigned bits = 8 * (unsigned)ck_dtype_bytes(dtype);
  uint64_t top = UINT64_MAX >> (64 - bits + (is_signed ? 1 : 0));
  if (is_negative ? (is_signed ? magnitude > top + 1 : magnitude > 0) : magnitude > top)
    return false;
  uint64_t value = is_negative ? 0 - magnitude : magnitude;
  *out = is_signed ? ck_arg_signed((int64_t)value, dtype) : ck_arg_unsigned(value, dtype);
  return true;
}

bool number_read(const char *text, ck_dtype_t dtype, ck_arg_t *out, int64_t *out_integer, Buf *why)
{
  const char *type = ck_dtype_name(dtype);
  bool is_true = !strcmp(text, "true"), is_negative;
  uint64_t magnitude;
  double value;
  *out_integer = 0;
  if (dtype == CK_BOOL) {
    *out = ck_bool(is_true || !strcmp(text, "1"));
    *out_integer = out->value.i;
    if (out->value.i || !strcmp(text, "false") || !strcmp(text, "0")) return true;
    return buf_fail(why, "'%s' is neither true nor false", text);
  }
  if (!is_float(dtype)) {
    if (!read_integer(text, &is_negative, &magnitude))
      buf_printf(why, "'%s' is not an integer, %s is needed", text, type);
    else if (!integer_arg(is_negative, magnitude, dtype, out))
      buf_printf(why, "%s does not fit in %s", text, type);
    else *out_integer = out->value.i;
    return !why->len;
  }
  if (!read_double(text, &value))
    return buf_fail(why, "'%s' is not a number, %s is needed", text, type);
  float single = strtof(text, NULL); /* not from `value`, which would round twice */
  double kept = value;
  switch (dtype) {
  case CK_F32:
    *out = ck_f32(single);
    kept = (double)single;
    break;
  case CK_F16:
    *out = ck_f16(f16_of(value));
    kept = small_to((uint16_t)out->value.u, F16_FRACTION, F16_EXPONENT);
    break;
  case CK_BF16:
    *out = ck_bf16(bf16_of(value));
    kept = small_to((uint16_t)out->value.u, BF16_FRACTION, BF16_EXPONENT);
    break;
  default: *out = ck_f64(value); break;
  }
  /* "inf" is meant as infinity, 1e999 is not */
  bool is_written = strpbrk(text, "0123456789") != NULL;
  if (isinf(kept) && is_written) buf_printf(why, "%s does not fit in %s", text, type);
  return !why->len;
}

/* to text ------------------------------------------------------------------------------------ */

static bool reads_back(const char *text, ck_dtype_t dtype, double value)
{
  switch (dtype) {
  case CK_F16: return f16_of(strtod(text, NULL)) == f16_of(value);
  case CK_BF16: return bf16_of(strtod(text, NULL)) == bf16_of(value);
  case CK_F32: return strtof(text, NULL) == (float)value;
  default: return strtod(text, NULL) == value;
  }
}

static void float_text(char *out, ck_dtype_t dtype, double value)
{
  /* up to here all integers in floats are written with all digits */
  enum { DIGITS_MAX = 17, WHOLE_MAX = 1 << 24 };
  if (isnan(value)) snprintf(out, NUMBER_TEXT_BYTES, "nan");
  else if (isinf(value)) snprintf(out, NUMBER_TEXT_BYTES, value < 0 ? "-inf" : "inf");
  else if (value == floor(value) && fabs(value) < WHOLE_MAX)
    snprintf(out, NUMBER_TEXT_BYTES, "%.0f", value);
  else
    for (int digits = 1; digits <= DIGITS_MAX; ++digits) {
      snprintf(out, NUMBER_TEXT_BYTES, "%.*g", digits, value);
      if (reads_back(out, dtype, value)) break;
    }
}

void number_text(char out[NUMBER_TEXT_BYTES], ck_dtype_t dtype, const void *element)
{
#define AS(T) (*(const T *)element)
  switch (dtype) {
  case CK_BOOL: snprintf(out, NUMBER_TEXT_BYTES, AS(uint8_t) ? "true" : "false"); break;
  case CK_I8: snprintf(out, NUMBER_TEXT_BYTES, "%d", AS(int8_t)); break;
  case CK_I16: snprintf(out, NUMBER_TEXT_BYTES, "%d", AS(int16_t)); break;
  case CK_I32: snprintf(out, NUMBER_TEXT_BYTES, "%" PRId32, AS(int32_t)); break;
  case CK_I64: snprintf(out, NUMBER_TEXT_BYTES, "%" PRId64, AS(int64_t)); break;
  case CK_U8: snprintf(out, NUMBER_TEXT_BYTES, "%u", AS(uint8_t)); break;
  case CK_U16: snprintf(out, NUMBER_TEXT_BYTES, "%u", AS(uint16_t)); break;
  case CK_U32: snprintf(out, NUMBER_TEXT_BYTES, "%" PRIu32, AS(uint32_t)); break;
  case CK_U64: snprintf(out, NUMBER_TEXT_BYTES, "%" PRIu64, AS(uint64_t)); break;
  case CK_F16: float_text(out, dtype, small_to(AS(uint16_t), F16_FRACTION, F16_EXPONENT)); break;
  case CK_BF16: float_text(out, dtype, small_to(AS(uint16_t), BF16_FRACTION, BF16_EXPONENT)); break;
  case CK_F32: float_text(out, dtype, (double)AS(float)); break;
  case CK_F64: float_text(out, dtype, AS(double)); break;
  case CK_NONE:
  case CK_DTYPE_FORCE_INT: out[0] = 0; break;
  }
#undef AS
}

/* elements of tests -------------------------------------------------------------------------- */

Wide number_wide(ck_dtype_t dtype, const void *data, uint64_t i)
{
#define AT(T) (((const T *)data)[i])
  switch (dtype) {
  case CK_BOOL: return AT(uint8_t) != 0;
  case CK_I8: return AT(int8_t);
  case CK_I16: return AT(int16_t);
  case CK_I32: return AT(int32_t);
  case CK_I64: return (Wide)AT(int64_t);
  case CK_U8: return AT(uint8_t);
  case CK_U16: return AT(uint16_t);
  case CK_U32: return AT(uint32_t);
  case CK_U64: return (Wide)AT(uint64_t);
  case CK_F16: return (Wide)small_to(AT(uint16_t), F16_FRACTION, F16_EXPONENT);
  case CK_BF16: return (Wide)small_to(AT(uint16_t), BF16_FRACTION, BF16_EXPONENT);
  case CK_F32: return (Wide)AT(float);
  case CK_F64: return (Wide)AT(double);
  case CK_NONE:
  case CK_DTYPE_FORCE_INT: break;
  }
#undef AT
  return 0;
}

const char *number_wide_text(Arena *arena, Wide value)
{
  enum { DIGITS_MAX = 21 }; /* enough for any two values of 64 bits */
  if (value == floorl(value) && fabsl(value) < 0x1p64L) return arena_printf(arena, "%.0Lf", value);
  for (int digits = 1; digits < DIGITS_MAX; ++digits) {
    const char *text = arena_printf(arena, "%.*Lg", digits, value);
    if (strtold(text, NULL) == value) return text;
  }
  return arena_printf(arena, "%.*Lg", DIGITS_MAX, value);
}

bool number_store(ck_dtype_t dtype, void *data, uint64_t i, Wide value)
{
#define PUT(T) (((T *)data)[i] = (T)value)
  if (number_is_integer(dtype)) {
    unsigned bits = dtype == CK_BOOL ? 1 : 8 * (unsigned)ck_dtype_bytes(dtype);
    bool is_signed = dtype >= CK_I8 && dtype <= CK_I64;
    Wide top = ldexpl(1, (int)bits - is_signed);
    if (!(value < top && value >= (is_signed ? -top : 0)) || value != floorl(value)) return false;
  }
  switch (dtype) {
  case CK_BOOL:
  case CK_U8: PUT(uint8_t); break;
  case CK_I8: PUT(int8_t); break;
  case CK_I16: PUT(int16_t); break;
  case CK_I32: PUT(int32_t); break;
  case CK_I64: PUT(int64_t); break;
  case CK_U16: PUT(uint16_t); break;
  case CK_U32: PUT(uint32_t); break;
  case CK_U64: PUT(uint64_t); break;
  case CK_F16: ((uint16_t *)data)[i] = small_of(value, F16_FRACTION, F16_EXPONENT); break;
  case CK_BF16: ((uint16_t *)data)[i] = small_of(value, BF16_FRACTION, BF16_EXPONENT); break;
  case CK_F32: PUT(float); break;
  case CK_F64: PUT(double); break;
  case CK_NONE:
  case CK_DTYPE_FORCE_INT: break;
  }
#undef PUT
  return true;
}
