/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* algorithm_object.c - algorithms that are built once and launched often, where their scratch
 * memory comes from, and calls of several threads. */
#include <pthread.h>

#include "algorithm.h"

enum { N = 300000 };

static int x[N], sorted[N], got[N];

static int ascending(const void *a, const void *b)
{
  int p = *(const int *)a, q = *(const int *)b;
  return (p > q) - (p < q);
}

static void make_data(void)
{
  for (int i = 0; i < N; ++i) sorted[i] = x[i] = (int)((unsigned)i * 2654435761u);
  qsort(sorted, N, sizeof *sorted, ascending);
}

static ck_iterator_t ints(ck_buffer_t *buffer, uint64_t count)
{
  return ck_iterator_array(ck_span(buffer, 0, count), CK_I32);
}

TEST(an_object_is_launched_with_other_arrays)
{
  make_data();
  ck_buffer_t *in = array_new(sizeof x, x), *out = array_new(sizeof x, NULL);
  ck_iterator_t none = ck_iterator_array(ck_address_span(0, 0), CK_I32), it = ints(in, N);
  ck_iterator_t to = ints(out, N), floats = ck_iterator_array(ck_whole(out), CK_F32);
  ck_op_t less = ck_op("<"), other = ck_op(">");
  ck_algorithm_t *sort;
  const void *nothing[] = {&none, &less, &none}, *good[] = {&it, &less, &to};
  const void *wrong[] = {&it, &other, &to}, *typed[] = {&it, &less, &floats};
  CHECK_OK(ck_algorithm_create(device, CK_ALGORITHM_MERGE_SORT, nothing, 3, NULL, &sort));
  CHECK_OK(ck_algorithm_launch(sort, stream, good, 3, NULL));
  array_read(out, got, sizeof got);
  CHECK(!memcmp(got, sorted, sizeof got));
  CHECK_STATUS(ck_algorithm_launch(sort, stream, wrong, 3, NULL), CK_INVALID_ARGUMENT,
               "ck_merge_sort: the operands are of other kinds, types or operations");
  CHECK_STATUS(ck_algorithm_launch(sort, stream, typed, 3, NULL), CK_INVALID_ARGUMENT, "of other");
  CHECK_STATUS(ck_algorithm_launch(sort, NULL, good, 3, NULL), CK_INVALID_ARGUMENT,
               "ck_algorithm_launch: stream is NULL");
  CHECK(ck_algorithm_retain(sort) == sort);
  ck_algorithm_release(sort);
  ck_algorithm_release(sort);
  ck_algorithm_release(NULL);
  ck_buffer_release(in);
  ck_buffer_release(out);
}

TEST(an_object_in_place)
{
  ck_buffer_t *in = array_new(sizeof x, x);
  ck_iterator_t none = ck_iterator_array(ck_address_span(0, 0), CK_I32), it = ints(in, N);
  ck_op_t next = ck_op("|v| v + 1");
  ck_algorithm_t *add;
  const void *nothing[] = {&none, &none, &next}, *same[] = {&it, &it, &next};
  CHECK_OK(ck_algorithm_create(device, CK_ALGORITHM_TRANSFORM, nothing, 3, NULL, &add));
  CHECK_OK(ck_algorithm_launch(add, stream, same, 3, NULL));
  array_read(in, got, sizeof got);
  CHECK(got[0] == x[0] + 1 && got[N - 1] == x[N - 1] + 1);
  ck_algorithm_release(add);
  ck_buffer_release(in);
}

TEST(scratch_memory_of_the_caller)
{
  make_data();
  size_t bytes;
  ck_buffer_t *in = array_new(sizeof x, x), *out = array_new(sizeof x, NULL);
  ck_iterator_t it = ints(in, N), to = ints(out, N);
  ck_algorithm_options_t options = CK_OPTIONS_INIT(ck_algorithm_options_t);
  ck_algorithm_t *sort;
  const void *operands[] = {&it, NULL, &to, NULL};
  CHECK_OK(ck_algorithm_create(device, CK_ALGORITHM_RADIX_SORT, operands, 4, NULL, &sort));
  CHECK_OK(ck_algorithm_get_scratch_bytes(sort, stream, operands, 4, &bytes));
  CHECK(bytes > 0);
  ck_buffer_t *scratch = array_new(bytes + 256, NULL);
  options.scratch = scratch;
  options.scratch_offset = 256;
  CHECK_OK(ck_algorithm_launch(sort, stream, operands, 4, &options));
  array_read(out, got, sizeof got);
  CHECK(!memcmp(got, sorted, sizeof got));
  CHECK_OK(ck_radix_sort(stream, &it, NULL, &to, NULL, &options));
  options.scratch_offset = 512;
  CHECK_STATUS(ck_algorithm_launch(sort, stream, operands, 4, &options), CK_INVALID_ARGUMENT,
               "bytes of scratch memory, the buffer has");
  ck_buffer_release(scratch);
  ck_memory_resource_t *resource;
  CHECK_OK(ck_memory_resource_create_device(device, NULL, &resource));
  options = (ck_algorithm_options_t)CK_OPTIONS_INIT(ck_algorithm_options_t);
  options.scratch_resource = resource;
  CHECK_OK(ck_buffer_fill(out, 0, sizeof got, 0, 1, stream));
  CHECK_OK(ck_algorithm_launch(sort, stream, operands, 4, &options));
  array_read(out, got, sizeof got);
  CHECK(!memcmp(got, sorted, sizeof got));
  ck_memory_resource_release(resource);
  ck_algorithm_release(sort);
  ck_buffer_release(in);
  ck_buffer_release(out);
}

/* ---- threads ---- */

enum { THREADS = 6, ROUNDS = 20 };
static int wrong[THREADS];

/* Kinds that are the same in all threads and others that are one thread's alone. */
static void *call(void *data)
{
  int which = (int)(intptr_t)data;
  ck_stream_t *own = NULL;
  ck_buffer_t *out = NULL;
  char text[32];
  wrong[which] += ck_stream_create(device, NULL, &own) != CK_OK;
  wrong[which] += ck_buffer_create(device, 8, own, &out) != CK_OK;
  for (int i = 0; i < ROUNDS; ++i) {
    int64_t sum = 0;
    snprintf(text, sizeof text, "|v| v * %d", i % 2 ? 100 + i : which);
    ck_op_t scale = ck_op(text), plus = ck_op("+");
    ck_iterator_t count = ck_iterator_count(ck_i64(1)), some = ck_iterator_take(&count, 10);
    ck_iterator_t it = ck_iterator_transform(&some, &scale);
    ck_iterator_t zero = ck_iterator_constant(ck_i64(0));
    ck_iterator_t to = ck_iterator_array(ck_whole(out), CK_I64);
    wrong[which] += ck_reduce(own, &it, &plus, &zero, &to, NULL) != CK_OK;
    wrong[which] += ck_buffer_read(out, 0, &sum, 8, own) != CK_OK;
    wrong[which] += ck_stream_sync(own) != CK_OK;
    wrong[which] += sum != 55 * (i % 2 ? 100 + i : which);
  }
  ck_buffer_release(out);
  ck_stream_release(own);
  return NULL;
}

TEST(several_threads_at_once)
{
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, call, (void *)(intptr_t)i);
  for (int i = 0; i < THREADS; ++i) {
    pthread_join(threads[i], NULL);
    CHECK(!wrong[i]);
  }
}

int main(void)
{
  return run_tests();
}
