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
