/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* algorithm_reduce.c - tests ck_reduce: operations as names, lambdas and functions of a program,
 * state, structs, device values, several outputs, built objects. */
#include "algorithm.h"

enum { N = 1000 };

static const float *floats(void)
{
  static float x[N];
  for (int i = 0; i < N; ++i) x[i] = (float)(i % 17) - 8;
  return x;
}

TEST(a_sum_of_an_array)
{
  const float *x = floats();
  float want = 0, got;
  for (int i = 0; i < N; ++i) want += x[i];
  ck_buffer_t *in = array_new(N * 4, x), *out = array_new(4, NULL);
  ck_iterator_t it = ck_iterator_array(ck_whole(in), CK_F32);
  ck_iterator_t to = ck_iterator_array(ck_whole(out), CK_F32);
  ck_iterator_t zero = ck_iterator_constant(ck_f32(0));
  ck_op_t plus = ck_op("+"), lambda = ck_op("|a, b| a + b");
  CHECK_OK(ck_reduce(stream, &it, &plus, &zero, &to, NULL));
  array_read(out, &got, 4);
  CHECK(got == want);
  CHECK_OK(ck_reduce(stream, &it, &lambda, &zero, &to, NULL));
  array_read(out, &got, 4);
  CHECK(got == want);
  ck_buffer_release(in);
  ck_buffer_release(out);
}

TEST(determinism)
{
  float x[N], sums[3];
  for (int i = 0; i < N; ++i) x[i] = 1.0f / (float)(i + 1);
  ck_buffer_t *in = array_new(sizeof x, x), *out = array_new(4, NULL);
  ck_iterator_t it = ck_iterator_array(ck_whole(in), CK_F32);
  ck_iterator_t to = ck_iterator_array(ck_whole(out), CK_F32);
  ck_iterator_t zero = ck_iterator_constant(ck_f32(0));
  ck_op_t plus = ck_op("+"), most = ck_op("max"), own = ck_op("|a, b| a + b * 1");
  ck_algorithm_options_t options = CK_OPTIONS_INIT(ck_algorithm_options_t);
  for (int i = 0; i < 3; ++i) {
    options.determinism = (ck_determinism_t)(i + 1);
    CHECK_OK(ck_reduce(stream, &it, &plus, &zero, &to, &options));
    array_read(out, &sums[i], 4);
    CHECK(sums[i] > 7.4854f && sums[i] < 7.4856f);
  }
  CHECK_OK(ck_reduce(stream, &it, &most, &zero, &to, &options));
  CHECK_STATUS(ck_reduce(stream, &it, &own, &zero, &to, &options), CK_COMPILE,
               "determinism = gpu_to_gpu");
  ck_buffer_release(in);
  ck_buffer_release(out);
}

TEST(the_founding_example)
{
  int64_t got;
  uint64_t n = 1000001;
  ck_buffer_t *out = array_new(8, NULL);
  ck_iterator_t to = ck_iterator_array(ck_whole(out), CK_I64);
  ck_iterator_t zero = ck_iterator_constant(ck_i64(0)), all = ck_iterator_count(ck_i64(1));
  ck_op_t plus = ck_op("+"), sign = ck_op("|v| v % 2 == 0 ? -v : v");
  ck_iterator_t some = ck_iterator_take(&all, n), it = ck_iterator_transform(&some, &sign);
  CHECK_OK(ck_reduce(stream, &it, &plus, &zero, &to, NULL));
  array_read(out, &got, 8);
  CHECK(got == (int64_t)(n + 1) / 2);
  ck_buffer_release(out);
}

TEST(state_and_functions_of_a_program)
{
  const float *x = floats();
  float least = -3, table[2] = {0, 100}, got, want = 0;
  for (int i = 0; i < N; ++i) want += x[i] < least ? table[1] : 2 * x[i];
  ck_buffer_t *in = array_new(N * 4, x), *out = array_new(4, NULL), *t = array_new(8, table);
  ck_iterator_t it = ck_iterator_array(ck_whole(in), CK_F32);
  ck_iterator_t to = ck_iterator_array(ck_whole(out), CK_F32);
  ck_iterator_t zero = ck_iterator_constant(ck_f32(0));
  ck_op_state_t state[] = {{"least", ck_type_scalar(CK_F32), ck_f32(least), (ck_access_t)0},
                           {"table", ck_type_scalar(CK_F32), ck_whole(t), CK_ACCESS_IN}};
  ck_op_t pick = ck_op_with_state("|v| v < least ? table[1] : twice(v)", state, 2);
  ck_op_t plus = ck_op_from_source("add", "fn add(a: f32, b: f32) -> f32 = a + b;");
  pick.source = "fn twice(v: f32) -> f32 = 2 * v;";
  ck_iterator_t picked = ck_iterator_transform(&it, &pick);
  CHECK_OK(ck_reduce(stream, &picked, &plus, &zero, &to, NULL));
  array_read(out, &got, 4);
  CHECK(got == want);
  ck_buffer_release(in);
  ck_buffer_release(out);
  ck_buffer_release(t);
}

typedef struct Range {
  float lo, hi;
} Range;

TEST(structs_by_fields)
{
  const float *x = floats();
  Range none = {1e9f, -1e9f}, got;
  ck_field_t fields[] = {{"lo", ck_type_scalar(CK_F32), 0}, {"hi", ck_type_scalar(CK_F32), 0}};
  ck_struct_type_t range = {"Range", fields, 2, sizeof none}, pair = {NULL, fields, 2, 0};
  ck_buffer_t *in = array_new(N * 4, x), *out = array_new(sizeof got, NULL);
  ck_iterator_t it = ck_iterator_array(ck_whole(in), CK_F32);
  ck_iterator_t to = ck_iterator_array_of(ck_whole(out), ck_type_struct(&range));
  ck_iterator_t init = ck_iterator_constant_of(ck_struct(&none, 8), ck_type_struct(&range));
  ck_op_t make = ck_op("|v| Range(v, v)");
  ck_op_t join = ck_op("|a, b| Range(min(a.lo, b.lo), max(a.hi, b.hi))");
  ck_iterator_t made = ck_iterator_transform(&it, &make);
  CHECK_OK(ck_reduce(stream, &made, &join, &init, &to, NULL));
  array_read(out, &got, sizeof got);
  CHECK(got.lo == -8 && got.hi == 8);
  /* the same as tuples */
  to.type = init.type = ck_type_struct(&pair);
  make = ck_op("|v| (v, v)");
  join = ck_op("|a, b| (min(a[0], b[0]), max(a[1], b[1]))");
  CHECK_OK(ck_reduce(stream, &made, &join, &init, &to, NULL));
  array_read(out, &got, sizeof got);
  CHECK(got.lo == -8 && got.hi == 8);
  ck_buffer_release(in);
  ck_buffer_release(out);
}

TEST(vectors_and_short_floats)
{
  uint16_t ones[8], sum;
  float pair[2], want[2] = {0, 0};
  const float *x = floats();
  for (int i = 0; i < 8; ++i) ones[i] = 0x3c00;
  for (int i = 0; i < N; ++i) want[i % 2] += x[i];
  ck_buffer_t *halves = array_new(sizeof ones, ones), *in = array_new(N * 4, x);
  ck_buffer_t *out = array_new(8, NULL);
  ck_iterator_t it = ck_iterator_array(ck_whole(halves), CK_F16);
  ck_iterator_t to = ck_iterator_array(ck_whole(out), CK_F16);
  ck_iterator_t zero = ck_iterator_constant(ck_f16(0));
  ck_op_t plus = ck_op("+");
  CHECK_OK(ck_reduce(stream, &it, &plus, &zero, &to, NULL));
  array_read(out, &sum, 2);
  CHECK(sum == 0x4800); /* 8 */
  float none[2] = {0, 0};
  ck_value_type_t type = ck_type_vector(CK_F32, 2);
  it = ck_iterator_array_of(ck_whole(in), type);
  to = ck_iterator_array_of(ck_whole(out), type);
  zero = ck_iterator_constant_of(ck_struct(none, sizeof none), type);
  CHECK_OK(ck_reduce(stream, &it, &plus, &zero, &to, NULL));
  array_read(out, pair, sizeof pair);
  CHECK(pair[0] == want[0] && pair[1] == want[1]);
  ck_buffer_release(halves);
  ck_buffer_release(in);
  ck_buffer_release(out);
}

TEST(results_of_other_types_and_places)
{
  const float *x = floats();
  double got;
  float want = 0, twice[2];
  for (int i = 0; i < N; ++i) want += x[i];
  ck_buffer_t *in = array_new(N * 4, x), *out = array_new(16, NULL);
  ck_iterator_t it = ck_iterator_array(ck_whole(in), CK_F32);
  ck_iterator_t to = ck_iterator_array(ck_span(out, 1, 1), CK_F64);
  ck_iterator_t zero = ck_iterator_constant(ck_f32(0));
  ck_op_t plus = ck_op("+"), doubled = ck_op("|v| 2 * v");
  CHECK_OK(ck_reduce(stream, &it, &plus, &zero, &to, NULL));
  CHECK_OK(ck_buffer_read(out, 8, &got, 8, stream));
  CHECK_OK(ck_stream_sync(stream));
  CHECK(got == want);
  ck_iterator_t small = ck_iterator_array(ck_whole(out), CK_F32);
  ck_iterator_t mapped = ck_iterator_transform_output(&small, &doubled);
  CHECK_OK(ck_reduce(stream, &it, &plus, &zero, &mapped, NULL));
  array_read(out, twice, sizeof twice);
  CHECK(twice[0] == 2 * want);
  ck_buffer_release(in);
  ck_buffer_release(out);
}

TEST(an_error_shows_the_operation)
{
  ck_buffer_t *in = array_new(40, NULL);
  ck_iterator_t it = ck_iterator_array(ck_span(in, 0, 4), CK_F32);
  ck_iterator_t to = ck_iterator_array(ck_span(in, 8, 1), CK_F32);
  ck_iterator_t zero = ck_iterator_constant(ck_f32(0));
  ck_op_t wrong = ck_op("|a, b| a + c");
  CHECK_STATUS(ck_reduce(stream, &it, &wrong, &zero, &to, NULL), CK_COMPILE,
               "ck_reduce: the operation of argument 'f':");
  CHECK(strstr(ck_last_error(), "|a, b| a + c;\n           ^"));
  CHECK_STATUS(ck_reduce(stream, &it, NULL, &zero, &to, NULL), CK_INVALID_ARGUMENT,
               "ck_reduce: argument 'f' is NULL");
  ck_buffer_release(in);
}

int main(void)
{
  return run_tests();
}
