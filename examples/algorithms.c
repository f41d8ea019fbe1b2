/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* algorithms.c - calls algorithms of a whole device from C, without a kernel: iterators say where
 * elements come from, operations are text in CK.
 * Of a year of readings of a thermometer, a struct each: the sum of a field, the days on which it
 * is out of bounds, and the highest reading of each month. No intermediate array is stored.
 */
#include "ck/algorithm.h"
#include "example.h"

enum { DAYS = 360, MONTHS = 12 };

typedef struct Reading {
  float degrees;
  uint32_t month;
} Reading;

static const ck_field_t reading_fields[] = {{"degrees", {CK_F32, 1, NULL}, 0},
                                            {"month", {CK_U32, 1, NULL}, 0}};
static const ck_struct_type_t reading_type = {"Reading", reading_fields, 2, sizeof(Reading)};

/* A year of readings, warm in its middle. */
static Reading *make_readings(void)
{
  uint64_t state = 1;
  Reading *readings = array_new(DAYS, sizeof *readings);
  for (uint32_t i = 0; i < DAYS; ++i) {
    float season = 20.0f - 0.001f * (float)((int)i - 180) * (float)((int)i - 180);
    readings[i] = (Reading){season + random_float(&state, -5, 5), i * MONTHS / DAYS};
  }
  return readings;
}

int main(void)
{
  Place place = place_open();
  ck_stream_t *stream = place.stream;
  Reading *readings = make_readings();
  float bounds[] = {-10, 22}, sum = 0, want_sum = 0, tops[MONTHS], want_tops[MONTHS];
  uint64_t outside = 0, want_outside = 0;
  size_t wrong = 0;
  for (int i = 0; i < DAYS; ++i) {
    want_sum += readings[i].degrees;
    want_outside += readings[i].degrees < bounds[0] || readings[i].degrees > bounds[1];
    float *top = &want_tops[readings[i].month];
    if (i % (DAYS / MONTHS) == 0 || readings[i].degrees > *top) *top = readings[i].degrees;
  }

  ck_buffer_t *in = place_buffer(&place, readings, DAYS * sizeof *readings);
  ck_buffer_t *days = place_buffer(&place, NULL, DAYS * sizeof(uint64_t));
  ck_buffer_t *months = place_buffer(&place, NULL, sizeof tops);
  ck_buffer_t *value = place_buffer(&place, NULL, 8);
  ck_iterator_t x = ck_iterator_array_of(ck_whole(in), ck_type_struct(&reading_type));
  ck_iterator_t as_float = ck_iterator_array(ck_span(value, 0, 1), CK_F32);
  ck_iterator_t as_count = ck_iterator_array(ck_span(value, 0, 1), CK_U64);

  /* The sum of a field: nothing is copied or stored in between. */
  ck_op_t degrees_of = ck_op("|r| r.degrees"), plus = ck_op("+");
  ck_iterator_t degrees = ck_iterator_transform(&x, &degrees_of);
  ck_iterator_t zero = ck_iterator_constant(ck_f32(0));
  TRY(ck_reduce(stream, &degrees, &plus, &zero, &as_float, NULL));
  TRY(ck_buffer_read(value, 0, &sum, sizeof sum, stream));
  TRY(ck_stream_sync(stream));
  wrong += sum - want_sum > 0.01f || want_sum - sum > 0.01f;

  /* The days that are out of bounds. The bounds are the operation's state, arguments of a call. */
  ck_op_state_t state[] = {{"low", ck_type_scalar(CK_F32), ck_f32(bounds[0]), (ck_access_t)0},
                           {"high", ck_type_scalar(CK_F32), ck_f32(bounds[1]), (ck_access_t)0}};
  ck_op_t is_outside = ck_op_with_state("|d| d[1] < low || d[1] > high", state, 2);
  ck_op_t day_of = ck_op("|d| d[0]");
  ck_iterator_t numbered = ck_iterator_enumerate(&degrees);
  ck_iterator_t numbers = ck_iterator_array(ck_whole(days), CK_U64);
  ck_iterator_t to = ck_iterator_transform_output(&numbers, &day_of);
  TRY(ck_select(stream, &numbered, &is_outside, &to, &as_count, NULL));
  TRY(ck_buffer_read(value, 0, &outside, sizeof outside, stream));
  TRY(ck_stream_sync(stream));
  wrong += outside != want_outside;

  /* The hottest day of each month: a reduction by key, whose keys are another field. */
  ck_op_t month_of = ck_op("|r| r.month"), hotter = ck_op("max");
  ck_iterator_t month = ck_iterator_transform(&x, &month_of);
  ck_iterator_t none = ck_iterator_discard(ck_type_scalar(CK_U32));
  ck_iterator_t hottest = ck_iterator_array(ck_whole(months), CK_F32);
  TRY(ck_reduce_by_key(stream, &month, &degrees, &hotter, &none, &hottest, NULL, NULL, NULL));
  place_read(&place, months, tops);
  for (int i = 0; i < MONTHS; ++i) wrong += tops[i] != want_tops[i];

  ck_buffer_release(in);
  ck_buffer_release(days);
  ck_buffer_release(months);
  ck_buffer_release(value);
  free(readings);
  int status = report(&place, "algorithms: sum, selection and maxima by key", wrong);
  place_close(&place);
  return status;
}
