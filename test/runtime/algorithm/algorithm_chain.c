/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* algorithm_chain.c - calls that follow each other without the host: lengths that the device knows,
 * algorithms in place, captured calls; and arrays that overlap. */
#include "algorithm.h"

enum { N = 20000 };

static int x[N], got[N], want[N];

static int ascending(const void *a, const void *b)
{
  int p = *(const int *)a, q = *(const int *)b;
  return (p > q) - (p < q);
}

static ck_buffer_t *make_data(void)
{
  for (int i = 0; i < N; ++i) x[i] = (int)((unsigned)i * 2654435761u >> 8) % 5000;
  return array_new(sizeof x, x);
}

/* The different even numbers in order, how many, and their sum. */
static void launch_chain(ck_stream_t *on, ck_buffer_t *in, ck_buffer_t *work, ck_buffer_t *out,
                         ck_buffer_t *numbers)
{
  ck_iterator_t it = ck_iterator_array(ck_whole(in), CK_I32);
  ck_iterator_t kept = ck_iterator_array(ck_whole(work), CK_I32);
  ck_iterator_t to = ck_iterator_array(ck_whole(out), CK_I32);
  ck_iterator_t first = ck_iterator_array(ck_span(numbers, 0, 1), CK_U64);
  ck_iterator_t second = ck_iterator_array(ck_span(numbers, 1, 1), CK_U64);
  ck_iterator_t sum = ck_iterator_array(ck_span(numbers, 2, 1), CK_I64);
  ck_iterator_t zero = ck_iterator_constant(ck_i64(0));
  ck_op_t is_even = ck_op("|v| v % 2 == 0"), wide = ck_op("|v| i64(v)"), plus = ck_op("+");
  CHECK_OK(ck_select(on, &it, &is_even, &kept, &first, NULL));
  ck_iterator_t part = ck_iterator_take_on_device(&kept, &first);
  CHECK_OK(ck_radix_sort(on, &part, NULL, NULL, NULL, NULL));
  CHECK_OK(ck_unique(on, &part, &to, NULL, &second, NULL));
  ck_iterator_t different = ck_iterator_take_on_device(&to, &second);
  ck_iterator_t widened = ck_iterator_transform(&different, &wide);
  CHECK_OK(ck_reduce(on, &widened, &plus, &zero, &sum, NULL));
}

static void check_chain(ck_buffer_t *out, ck_buffer_t *numbers)
{
  int64_t values[3], sum = 0;
  int count = 0, kept = 0;
  for (int i = 0; i < N; ++i)
    if (x[i] % 2 == 0) want[kept++] = x[i];
  qsort(want, (size_t)kept, sizeof *want, ascending);
  for (int i = 0; i < kept; ++i)
    if (!count || want[count - 1] != want[i]) want[count++] = want[i];
  for (int i = 0; i < count; ++i) sum += want[i];
  array_read(numbers, values, sizeof values);
  array_read(out, got, sizeof got);
  CHECK(values[0] == kept && values[1] == count && values[2] == sum);
  CHECK(!memcmp(got, want, (size_t)count * sizeof *got));
}

TEST(lengths_that_the_device_knows)
{
  ck_buffer_t *in = make_data(), *work = array_new(sizeof x, NULL);
  ck_buffer_t *out = array_new(sizeof x, NULL), *numbers = array_new(24, NULL);
  launch_chain(stream, in, work, out, numbers);
  check_chain(out, numbers);
  ck_buffer_t *all[] = {in, work, out, numbers};
  for (int i = 0; i < 4; ++i) ck_buffer_release(all[i]);
}

TEST(captured_calls)
{
  ck_graph_builder_t *builder;
  ck_graph_t *graph;
  ck_buffer_t *in = make_data(), *work = array_new(sizeof x, NULL);
  ck_buffer_t *out = array_new(sizeof x, NULL), *numbers = array_new(24, NULL);
  CHECK_OK(ck_graph_builder_create(device, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  launch_chain(ck_graph_builder_stream(builder), in, work, out, numbers);
  CHECK_OK(ck_graph_builder_end(builder));
  CHECK_OK(ck_graph_builder_create_graph(builder, NULL, &graph));
  ck_graph_builder_release(builder);
  for (int i = 0; i < 3; ++i) {
    CHECK_OK(ck_buffer_fill(out, 0, sizeof x, 0, 1, stream));
    CHECK_OK(ck_graph_launch(graph, stream));
    check_chain(out, numbers);
  }
  ck_graph_release(graph);
  ck_buffer_t *all[] = {in, work, out, numbers};
  for (int i = 0; i < 4; ++i) ck_buffer_release(all[i]);
}

TEST(in_place)
{
  ck_buffer_t *in = make_data(), *numbers = array_new(8, NULL);
  ck_iterator_t it = ck_iterator_array(ck_whole(in), CK_I32);
  ck_iterator_t count = ck_iterator_array(ck_whole(numbers), CK_U64);
  ck_op_t is_even = ck_op("|v| v % 2 == 0"), plus = ck_op("+");
  int kept = 0;
  uint64_t number;
  for (int i = 0, sum = 0; i < N; ++i) want[i] = sum += x[i];
  CHECK_OK(ck_inclusive_scan(stream, &it, &it, &plus, NULL, NULL));
  array_read(in, got, sizeof got);
  CHECK(!memcmp(got, want, sizeof got));
  for (int i = 0; i < N; ++i)
    if (want[i] % 2 == 0) want[kept++] = want[i];
  CHECK_OK(ck_select(stream, &it, &is_even, &it, &count, NULL));
  array_read(numbers, &number, 8);
  array_read(in, got, sizeof got);
  CHECK(number == (uint64_t)kept && !memcmp(got, want, (size_t)kept * sizeof *got));
  /* a part of an array, and all of it to be written */
  ck_op_t next = ck_op("|v| v + 1");
  ck_iterator_t part = ck_iterator_take(&it, 1000);
  CHECK_OK(ck_buffer_write(in, 0, x, sizeof x, stream));
  CHECK_OK(ck_transform(stream, &part, &it, &next, NULL));
  array_read(in, got, sizeof got);
  CHECK(got[0] == x[0] + 1 && got[999] == x[999] + 1 && got[1000] == x[1000]);
  ck_buffer_release(in);
  ck_buffer_release(numbers);
}

TEST(arrays_that_overlap)
{
  ck_buffer_t *in = make_data();
  ck_iterator_t all = ck_iterator_array(ck_whole(in), CK_I32);
  ck_iterator_t low = ck_iterator_array(ck_span(in, 0, 100), CK_I32);
  ck_iterator_t high = ck_iterator_array(ck_span(in, 50, 100), CK_I32);
  ck_iterator_t back = ck_iterator_reverse(&low);
  ck_op_t less = ck_op("<"), plus = ck_op("+"), same = ck_op("|v| v");
  CHECK_STATUS(ck_inclusive_scan(stream, &low, &high, &plus, NULL, NULL), CK_INVALID_ARGUMENT,
               "overlaps");
  CHECK_STATUS(ck_transform(stream, &back, &low, &same, NULL), CK_COMPILE, "ck_transform: ");
  CHECK_STATUS(ck_merge(stream, &high, &low, &all, &less, NULL), CK_COMPILE,
               "reads what 'to' writes");
  ck_buffer_release(in);
}

int main(void)
{
  return run_tests();
}
