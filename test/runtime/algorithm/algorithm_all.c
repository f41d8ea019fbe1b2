/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* algorithm_all.c - calls each algorithm of ck/algorithms.def for several lengths, and compares
 * with plain C. */
#include "algorithm.h"

enum { MOST = 5000 };

static int n;                /* of this round */
static int x[MOST], y[MOST]; /* unsorted; sorted */
static int got[2 * MOST], other[2 * MOST], want[2 * MOST], others[2 * MOST];
static uint32_t offsets[] = {0, 0, 0, 0};

/* Arrays on the device. */
static ck_buffer_t *dx, *dy, *dz, *dw, *doffsets, *dcount;
static ck_iterator_t ix, iy, iz, iw, ioffsets, icount, zero, hundred;
static ck_op_t plus, less, is_even, equal_tens;

static ck_iterator_t ints(ck_buffer_t *buffer, uint64_t count)
{
  return ck_iterator_array(ck_span(buffer, 0, count), CK_I32);
}

static int ascending(const void *a, const void *b)
{
  int p = *(const int *)a, q = *(const int *)b;
  return (p > q) - (p < q);
}

static void open_round(int count)
{
  n = count;
  for (int i = 0; i < n; ++i) x[i] = y[i] = (int)((unsigned)i * 7919u % 1009u) - 500;
  qsort(y, (size_t)n, sizeof *y, ascending);
  offsets[1] = (uint32_t)n / 3;
  offsets[2] = (uint32_t)n / 3;
  offsets[3] = (uint32_t)n;
  dx = array_new((size_t)n * 4, x);
  dy = array_new((size_t)n * 4, y);
  dz = array_new((size_t)n * 8 + 64, NULL);
  dw = array_new((size_t)n * 8 + 64, NULL);
  doffsets = array_new(sizeof offsets, offsets);
  dcount = array_new(64, NULL);
  ix = ints(dx, (uint64_t)n);
  iy = ints(dy, (uint64_t)n);
  iz = ints(dz, (uint64_t)n);
  iw = ints(dw, (uint64_t)n);
  ioffsets = ck_iterator_array(ck_whole(doffsets), CK_U32);
  icount = ck_iterator_array(ck_whole(dcount), CK_U64);
  zero = ck_iterator_constant(ck_i32(0));
  hundred = ck_iterator_constant(ck_i32(100));
  plus = ck_op("+");
  less = ck_op("<");
  is_even = ck_op("|v| v % 2 == 0");
  equal_tens = ck_op("|a, b| a / 10 == b / 10");
}

static void close_round(void)
{
  ck_buffer_t *all[] = {dx, dy, dz, dw, doffsets, dcount};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) ck_buffer_release(all[i]);
}

static int is_result(const ck_buffer_t *buffer, const int *data, int count)
{
  array_read(buffer, got, (size_t)count * 4);
  return !memcmp(got, data, (size_t)count * 4);
}

static uint64_t counted(int k)
{
  uint64_t counts[8];
  array_read(dcount, counts, sizeof counts);
  return counts[k];
}

/* Results are of CK_U64 or CK_I32 in the first bytes of dcount. */
static int value(void)
{
  int numbers[8];
  array_read(dcount, numbers, sizeof numbers);
  return numbers[0];
}

static void one_value(void)
{
  ck_iterator_t number = ck_iterator_array(ck_whole(dcount), CK_I32);
  ck_field_t fields[] = {{"value", ck_type_scalar(CK_I32), 0}, {"at", ck_type_scalar(CK_U64), 0}};
  ck_field_t four[] = {
      fields[0], fields[1], {"most", fields[0].type, 0}, {"end", fields[1].type, 0}};
  ck_struct_type_t found = {"Found", fields, 2, 16}, both = {"Both", four, 4, 32};
  ck_iterator_t place = ck_iterator_array_of(ck_whole(dcount), ck_type_struct(&found));
  ck_iterator_t places = ck_iterator_array_of(ck_whole(dcount), ck_type_struct(&both));
  int sum = 0, least = 0, most = 0, first = n;
  for (int i = 0; i < n; ++i) sum += x[i];
  for (int i = 1; i < n; ++i) least = x[i] < x[least] ? i : least;
  for (int i = 1; i < n; ++i) most = x[i] > x[most] ? i : most;
  for (int i = n - 1; i >= 0; --i) first = x[i] % 2 == 0 ? i : first;
  CHECK_OK(ck_reduce(stream, &ix, &plus, &zero, &number, NULL));
  CHECK(value() == sum);
  CHECK_OK(ck_find_if(stream, &ix, &is_even, &icount, NULL));
  CHECK(counted(0) == (uint64_t)first);
  int same = 0;
  while (same < n && x[same] == y[same]) ++same;
  CHECK_OK(ck_mismatch(stream, &ix, &iy, &icount, NULL));
  CHECK(counted(0) == (uint64_t)same);
  CHECK_OK(ck_equal(stream, &ix, &iy, &number, NULL));
  CHECK(value() == (same == n));
  CHECK_OK(ck_is_sorted(stream, &iy, &less, &number, NULL));
  CHECK(value() == 1);
  if (!n) return;
  CHECK_OK(ck_argmin(stream, &ix, NULL, &place, NULL));
  CHECK(value() == x[least] && counted(1) == (uint64_t)least);
  CHECK_OK(ck_argmax(stream, &ix, &less, &place, NULL));
  CHECK(value() == x[most] && counted(1) == (uint64_t)most);
  ck_op_t itself = ck_op("|v| v"), wide = ck_op("|v| i64(v)");
  ck_iterator_t mapped = ck_iterator_transform(&ix, &itself),
                widened = ck_iterator_transform(&ix, &wide);
  CHECK_OK(ck_argmin(stream, &mapped, NULL, &place, NULL)); /* of a type that doesn't show */
  CHECK(value() == x[least] && counted(1) == (uint64_t)least);
  fields[0].type = ck_type_scalar(CK_I64);
  CHECK_OK(ck_argmin(stream, &widened, NULL, &place, NULL));
  CHECK((int64_t)counted(0) == x[least] && counted(1) == (uint64_t)least);
  fields[0].type = ck_type_scalar(CK_F64); /* converted */
  CHECK_OK(ck_argmin(stream, &ix, NULL, &place, NULL));
  double lowest;
  array_read(dcount, &lowest, sizeof lowest);
  CHECK(lowest == x[least] && counted(1) == (uint64_t)least);
  CHECK_OK(ck_argminmax(stream, &ix, NULL, &places, NULL));
  CHECK(value() == x[least] && counted(1) == (uint64_t)least);
  CHECK((int)counted(2) == x[most] && counted(3) == (uint64_t)most);
}

static void scan(int *to, int begin, int end, int init, int is_exclusive)
{
  for (int i = begin, sum = init; i < end; ++i) {
    if (is_exclusive) to[i] = sum;
    sum += x[i];
    if (!is_exclusive) to[i] = sum;
  }
}

static void running_values(void)
{
  scan(want, 0, n, 0, 0);
  CHECK_OK(ck_inclusive_scan(stream, &ix, &iz, &plus, NULL, NULL));
  CHECK(is_result(dz, want, n));
  scan(want, 0, n, 100, 1);
  CHECK_OK(ck_exclusive_scan(stream, &ix, &iz, &plus, &hundred, NULL));
  CHECK(is_result(dz, want, n));
  for (int i = 0; i < 3; ++i) scan(want, (int)offsets[i], (int)offsets[i + 1], 100, 0);
  CHECK_OK(ck_inclusive_segmented_scan(stream, &ix, &ioffsets, &iz, &plus, &hundred, NULL));
  CHECK(is_result(dz, want, n));
  for (int i = 0; i < 3; ++i) scan(want, (int)offsets[i], (int)offsets[i + 1], 100, 1);
  CHECK_OK(ck_exclusive_segmented_scan(stream, &ix, &ioffsets, &iz, &plus, &hundred, NULL));
  CHECK(is_result(dz, want, n));
  for (int i = 0; i < n; ++i) want[i] = x[i] + (i && y[i] == y[i - 1] ? want[i - 1] : 0);
  CHECK_OK(ck_inclusive_scan_by_key(stream, &iy, &ix, &iz, &plus, NULL, NULL));
  CHECK(is_result(dz, want, n));
  for (int i = 0; i < n; ++i)
    want[i] = i && y[i] / 10 == y[i - 1] / 10 ? want[i - 1] + x[i - 1] : 100;
  CHECK_OK(ck_exclusive_scan_by_key(stream, &iy, &ix, &iz, &plus, &hundred, &equal_tens, NULL));
  CHECK(is_result(dz, want, n));
}

static void each_element(void)
{
  ck_op_t twice = ck_op("|v| v * 2"), index = ck_op("|i| i32(i) * 3"), minus = ck_op("-");
  ck_op_state_t state[] = {
      {"y", ck_type_scalar(CK_I32), ck_span(dz, 0, (uint64_t)n), CK_ACCESS_INOUT}};
  ck_op_t count_up = ck_op_with_state("|p| { atomic.add(y[p[0]], 1); }", state, 1);
  ck_algorithm_options_t right = CK_OPTIONS_INIT(ck_algorithm_options_t);
  right.flags = CK_ALGORITHM_RIGHT;
  for (int i = 0; i < n; ++i) want[i] = 2 * x[i];
  CHECK_OK(ck_transform(stream, &ix, &iz, &twice, NULL));
  CHECK(is_result(dz, want, n));
  CHECK_OK(ck_transform(stream, &iz, &iz, &twice, NULL)); /* in place */
  for (int i = 0; i < n; ++i) want[i] *= 2;
  CHECK(is_result(dz, want, n));
  for (int i = 0; i < n; ++i) want[i] = x[i] % 2 == 0 ? 2 * x[i] : want[i];
  CHECK_OK(ck_transform_if(stream, &ix, &iz, &twice, &is_even, NULL));
  CHECK(is_result(dz, want, n));
  for (int i = 0; i < n; ++i) want[i] = x[i] - y[i];
  CHECK_OK(ck_transform_pairs(stream, &ix, &iy, &iz, &minus, NULL));
  CHECK(is_result(dz, want, n));
  CHECK_OK(ck_generate(stream, &iz, &index, NULL));
  for (int i = 0; i < n; ++i) want[i] = 3 * i;
  CHECK(is_result(dz, want, n));
  ck_iterator_t numbered = ck_iterator_enumerate(&ix);
  CHECK_OK(ck_for_each(stream, &numbered, &count_up, NULL));
  for (int i = 0; i < n; ++i) ++want[i];
  CHECK(is_result(dz, want, n));
  CHECK_OK(ck_fill(stream, &iz, &hundred, NULL));
  for (int i = 0; i < n; ++i) want[i] = 100;
  CHECK(is_result(dz, want, n));
  for (int i = 0; i < n; ++i) want[i] = i ? x[i] - x[i - 1] : x[i];
  CHECK_OK(ck_adjacent_difference(stream, &ix, &iz, &minus, NULL));
  CHECK(is_result(dz, want, n));
  for (int i = 0; i < n; ++i) want[i] = i + 1 < n ? x[i] - x[i + 1] : x[i];
  CHECK_OK(ck_adjacent_difference(stream, &ix, &iz, &minus, &right));
  CHECK(is_result(dz, want, n));
}

static void searches(void)
{
  uint32_t first = offsets[1], rest = offsets[3] - first;
  uint32_t lengths[3] = {first, 0, rest}, places[3] = {rest, 0, 0};
  ck_buffer_t *dlengths = array_new(sizeof lengths, lengths);
  ck_buffer_t *dplaces = array_new(sizeof places, places);
  ck_iterator_t ilengths = ck_iterator_array(ck_whole(dlengths), CK_U32);
  ck_iterator_t iplaces = ck_iterator_array(ck_whole(dplaces), CK_U32);
  ck_iterator_t begins = ck_iterator_take(&ioffsets, 3);
  for (int i = 0; i < n; ++i) {
    int at = 0;
    while (at < n && y[at] < x[i]) ++at;
    want[i] = at;
    while (at < n && y[at] <= x[i]) ++at;
    others[i] = at;
  }
  CHECK_OK(ck_lower_bound(stream, &iy, &ix, &iz, NULL, NULL));
  CHECK(is_result(dz, want, n));
  CHECK_OK(ck_upper_bound(stream, &iy, &ix, &iz, &less, NULL));
  CHECK(is_result(dz, others, n));
  memcpy(want, x + first, rest * sizeof *x);
  memcpy(want + rest, x, first * sizeof *x);
  CHECK_OK(ck_batched_copy(stream, &ix, &begins, &ilengths, &iz, &iplaces, NULL));
  CHECK(is_result(dz, want, n));
  ck_buffer_release(dlengths);
  ck_buffer_release(dplaces);
}

static void selections(void)
{
  ck_iterator_t flags = ck_iterator_transform(&ix, &is_even);
  int kept = 0, rest = 0;
  for (int i = 0; i < n; ++i)
    if (x[i] % 2 == 0) want[kept++] = x[i];
    else others[rest++] = x[i];
  CHECK_OK(ck_select(stream, &ix, &is_even, &iz, &icount, NULL));
  CHECK(counted(0) == (uint64_t)kept && is_result(dz, want, kept));
  CHECK_OK(ck_select(stream, &ix, &is_even, &iz, NULL, NULL));
  CHECK_OK(ck_select_flagged(stream, &ix, &flags, &iz, &icount, NULL));
  CHECK(counted(0) == (uint64_t)kept && is_result(dz, want, kept));
  CHECK_OK(ck_partition(stream, &ix, &is_even, &iz, &iw, &icount, NULL));
  CHECK(counted(0) == (uint64_t)kept && is_result(dz, want, kept) && is_result(dw, others, rest));
  ck_op_t negative = ck_op("|v| v < 0");
  int seconds = 0;
  rest = 0;
  for (int i = 0; i < n; ++i) {
    if (x[i] % 2 == 0) continue;
    if (x[i] < 0) want[seconds++] = x[i];
    else others[rest++] = x[i];
  }
  ck_iterator_t none = ck_iterator_discard(ck_type_scalar(CK_I32));
  CHECK_OK(ck_partition_three(stream, &ix, &is_even, &negative, &none, &iz, &iw, &icount, NULL));
  CHECK(counted(0) == (uint64_t)kept && counted(1) == (uint64_t)seconds);
  CHECK(is_result(dz, want, seconds) && is_result(dw, others, rest));
}

static void runs(void)
{
  int runs = 0, lengths[MOST], sums[MOST], firsts[MOST], at[MOST], many[MOST], long_runs = 0;
  for (int i = 0; i < n; ++i) {
    if (i && y[i] / 10 == y[i - 1] / 10) {
      ++lengths[runs - 1];
      sums[runs - 1] += x[i];
    } else {
      at[runs] = i;
      firsts[runs] = x[i];
      want[runs] = y[i];
      sums[runs] = x[i];
      lengths[runs++] = 1;
    }
  }
  CHECK_OK(ck_unique(stream, &iy, &iz, &equal_tens, &icount, NULL));
  CHECK(counted(0) == (uint64_t)runs && is_result(dz, want, runs));
  CHECK_OK(ck_unique_by_key(stream, &iy, &ix, &iz, &iw, &equal_tens, &icount, NULL));
  CHECK(counted(0) == (uint64_t)runs && is_result(dz, want, runs) && is_result(dw, firsts, runs));
  CHECK_OK(ck_run_length_encode(stream, &iy, &iz, &iw, &equal_tens, &icount, NULL));
  CHECK(counted(0) == (uint64_t)runs && is_result(dz, want, runs) && is_result(dw, lengths, runs));
  CHECK_OK(ck_reduce_by_key(stream, &iy, &ix, &plus, &iz, &iw, &equal_tens, &icount, NULL));
  CHECK(counted(0) == (uint64_t)runs && is_result(dz, want, runs) && is_result(dw, sums, runs));
  for (int i = 0; i < runs; ++i)
    if (lengths[i] > 1) {
      want[long_runs] = at[i];
      many[long_runs++] = lengths[i];
    }
  CHECK_OK(ck_nontrivial_runs(stream, &iy, &iz, &iw, &equal_tens, &icount, NULL));
  CHECK(counted(0) == (uint64_t)long_runs && is_result(dz, want, long_runs));
  CHECK(is_result(dw, many, long_runs));
}

static void by_segment(int *to)
{
  memcpy(to, x, (size_t)n * 4);
  for (int i = 0; i < 3; ++i)
    qsort(to + offsets[i], offsets[i + 1] - offsets[i], sizeof *to, ascending);
}

/* Values that go with keys are the keys plus 1. */
static void sorts(void)
{
  ck_op_t next = ck_op("|v| v + 1"), same = ck_op("|v| v"), down = ck_op("|a, b| a > b");
  ck_algorithm_options_t falling = CK_OPTIONS_INIT(ck_algorithm_options_t), few = falling;
  ck_iterator_t after = ck_iterator_transform(&ix, &next);
  falling.flags = CK_ALGORITHM_DESCENDING;
  for (int i = 0; i < n; ++i) want[i] = y[n - 1 - i];
  for (int i = 0; i < n; ++i) others[i] = want[i] + 1;
  CHECK_OK(ck_merge_sort(stream, &ix, &less, &iz, NULL));
  CHECK(is_result(dz, y, n));
  CHECK_OK(ck_merge_sort(stream, &iz, &down, NULL, NULL));
  CHECK(is_result(dz, want, n));
  CHECK_OK(ck_merge_sort_pairs(stream, &ix, &after, &down, &iz, &iw, NULL));
  CHECK(is_result(dz, want, n) && is_result(dw, others, n));
  CHECK_OK(ck_radix_sort(stream, &ix, NULL, &iz, NULL, NULL));
  CHECK(is_result(dz, y, n));
  CHECK_OK(ck_transform(stream, &after, &iw, &same, NULL));
  CHECK_OK(ck_transform(stream, &ix, &iz, &same, NULL));
  CHECK_OK(ck_radix_sort(stream, &iz, &iw, NULL, NULL, &falling));
  CHECK(is_result(dz, want, n) && is_result(dw, others, n));
  ck_op_t minus = ck_op("|v| -v");
  CHECK_OK(ck_radix_sort_by(stream, &ix, &minus, &iz, NULL));
  CHECK(is_result(dz, want, n));
  ck_algorithm_options_t bits = CK_OPTIONS_INIT(ck_algorithm_options_t);
  bits.begin_bit = 4;
  bits.end_bit = 8;
  CHECK_OK(ck_radix_sort(stream, &ix, NULL, &iz, NULL, &bits));
  array_read(dz, got, (size_t)n * 4);
  int falls = 0;
  for (int i = 1; i < n; ++i) falls += (got[i - 1] >> 4 & 15) > (got[i] >> 4 & 15);
  CHECK(!falls);
  few.flags = CK_ALGORITHM_LEAST;
  ck_iterator_t top = ck_iterator_take(&iz, (uint64_t)n / 4);
  CHECK_OK(ck_top_k(stream, &ix, NULL, &top, NULL, NULL));
  CHECK(is_result(dz, want, n / 4));
  ck_iterator_t top_values = ck_iterator_take(&iw, (uint64_t)n / 4);
  CHECK_OK(ck_top_k(stream, &ix, &after, &top, &top_values, &few));
  CHECK(is_result(dz, y, n / 4));
  by_segment(want);
  for (int i = 0; i < n; ++i) others[i] = want[i] + 1;
  CHECK_OK(ck_segmented_sort(stream, &ix, &ioffsets, &less, &iz, NULL));
  CHECK(is_result(dz, want, n));
  CHECK_OK(ck_segmented_sort_pairs(stream, &ix, &after, &ioffsets, &less, &iz, &iw, NULL));
  CHECK(is_result(dz, want, n) && is_result(dw, others, n));
  CHECK_OK(ck_transform(stream, &after, &iw, &same, NULL));
  CHECK_OK(ck_transform(stream, &ix, &iz, &same, NULL));
  CHECK_OK(ck_segmented_radix_sort(stream, &iz, &iw, &ioffsets, NULL));
  CHECK(is_result(dz, want, n) && is_result(dw, others, n));
}

static void merges(void)
{
  ck_op_t half = ck_op("|v| v / 2");
  ck_iterator_t it = ck_iterator_transform(&iy, &half);
  ck_iterator_t to = ints(dz, 2 * (uint64_t)n), to_values = ints(dw, 2 * (uint64_t)n);
  int i = 0, k = 0, all = 0, both = 0, sum;
  while (i < n || k < n) {
    bool first = k == n || (i < n && y[i] <= y[k] / 2);
    other[all] = first ? 1 : 2;
    want[all++] = first ? y[i++] : y[k++] / 2;
  }
  ck_iterator_t one = ck_iterator_constant(ck_i32(1)), two = ck_iterator_constant(ck_i32(2));
  CHECK_OK(ck_merge(stream, &iy, &it, &to, &less, NULL));
  CHECK(is_result(dz, want, 2 * n));
  CHECK_OK(ck_merge_pairs(stream, &iy, &one, &it, &two, &to, &to_values, &less, NULL));
  CHECK(is_result(dz, want, 2 * n) && is_result(dw, other, 2 * n));
  i = k = 0;
  while (i < n && k < n) {
    if (y[i] < y[k] / 2) ++i;
    else if (y[k] / 2 < y[i]) ++k;
    else want[both++] = y[i++], ++k;
  }
  CHECK_OK(ck_set_intersection(stream, &iy, &it, &to, &less, &icount, NULL));
  CHECK(counted(0) == (uint64_t)both && is_result(dz, want, both));
  CHECK_OK(ck_set_union(stream, &iy, &it, &to, &less, &icount, NULL));
  CHECK(counted(0) == (uint64_t)(2 * n - both));
  CHECK_OK(ck_set_difference(stream, &iy, &it, &to, &less, &icount, NULL));
  CHECK(counted(0) == (uint64_t)(n - both));
  CHECK_OK(ck_set_symmetric_difference(stream, &iy, &it, &to, &less, &icount, NULL));
  sum = 2 * n - 2 * both;
  CHECK(counted(0) == (uint64_t)sum);
}

static void segments_and_bins(void)
{
  ck_iterator_t to = ints(dz, 3), four = ints(dz, 4), low = ck_iterator_constant(ck_i32(-500));
  ck_iterator_t high = ck_iterator_constant(ck_i32(500)), levels = ints(dw, 5);
  ck_op_t bin = ck_op("|v| u32(v + 500) / 250");
  int edges[5] = {-500, -100, 0, 7, 500}, even[4] = {0}, ranges[4] = {0};
  CHECK_OK(ck_buffer_write(dw, 0, edges, sizeof edges, stream));
  CHECK_OK(ck_stream_sync(stream));
  for (int i = 0; i < 3; ++i) {
    want[i] = 100;
    for (uint32_t k = offsets[i]; k < offsets[i + 1]; ++k) want[i] += x[k];
  }
  CHECK_OK(ck_segmented_reduce(stream, &ix, &ioffsets, &to, &plus, &hundred, NULL));
  CHECK(is_result(dz, want, 3));
  /* Segments that begin and end anywhere: here backwards, and overlapping. */
  uint32_t begins[3] = {(uint32_t)n / 2, 0, 0},
           ends[3] = {(uint32_t)n, 0, (uint32_t)n - (uint32_t)n / 4};
  ck_buffer_t *db = array_new(sizeof begins, begins), *de = array_new(sizeof ends, ends);
  ck_iterator_t ib = ck_iterator_array(ck_whole(db), CK_U32),
                ie = ck_iterator_array(ck_whole(de), CK_U32);
  ck_algorithm_options_t options = CK_OPTIONS_INIT(ck_algorithm_options_t);
  ck_op_t last = ck_op("|a, b| b"), *ops[] = {&plus, &last};
  for (int k = 0; k < 2; ++k, options.largest_segment = 1000) {
    for (int i = 0; i < 3; ++i) {
      want[i] = 100;
      for (uint32_t at = begins[i]; at < ends[i]; ++at) want[i] = k ? x[at] : want[i] + x[at];
    }
    CHECK_OK(ck_segmented_reduce_ranges(stream, &ix, &ib, &ie, &to, ops[k], &hundred, &options));
    CHECK(is_result(dz, want, 3));
  }
  ck_buffer_release(db);
  ck_buffer_release(de);
  for (int i = 0; i < n; ++i) {
    if (x[i] < 500) ++even[(x[i] + 500) / 250];
    for (int k = 0; k < 4; ++k) ranges[k] += x[i] >= edges[k] && x[i] < edges[k + 1];
  }
  CHECK_OK(ck_histogram(stream, &ix, &four, &low, &high, NULL));
  CHECK(is_result(dz, even, 4));
  CHECK_OK(ck_histogram_range(stream, &ix, &four, &levels, NULL));
  CHECK(is_result(dz, ranges, 4));
  CHECK_OK(ck_histogram_by(stream, &ix, &four, &bin, NULL));
  CHECK(is_result(dz, even, 4));
}

TEST(all_algorithms)
{
  static const int lengths[] = {0, 1, 33, 1000, MOST};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; ++i) {
    open_round(lengths[i]);
    one_value();
    running_values();
    each_element();
    searches();
    selections();
    runs();
    sorts();
    merges();
    segments_and_bins();
    close_round();
  }
}

int main(void)
{
  return run_tests();
}
