/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* algorithm_iterators.c - reads and writes through each iterator of ck/algorithm.h, alone and
 * nested, and through views with strides. */
#include "algorithm.h"

enum { N = 60 };

static int x[N], got[4 * N];
static ck_buffer_t *dx, *dz;
static ck_iterator_t ix, iz;
static ck_op_t same;

static void open_arrays(void)
{
  for (int i = 0; i < N; ++i) x[i] = i * i % 37;
  dx = array_new(sizeof x, x);
  dz = array_new(sizeof got, NULL);
  ix = ck_iterator_array(ck_whole(dx), CK_I32);
  iz = ck_iterator_array(ck_whole(dz), CK_I32);
  same = ck_op("|v| i32(v)");
}

static void close_arrays(void)
{
  ck_buffer_release(dx);
  ck_buffer_release(dz);
}

/* Copies an iterator to the start of dz, and reads it. */
static void copied(const ck_iterator_t *it)
{
  CHECK_OK(ck_buffer_fill(dz, 0, sizeof got, 0, 1, stream));
  CHECK_OK(ck_transform(stream, it, &iz, &same, NULL));
  array_read(dz, got, sizeof got);
}

/* Stores x through an iterator over dz, and reads dz. */
static void stored(const ck_iterator_t *to)
{
  CHECK_OK(ck_buffer_fill(dz, 0, sizeof got, 0, 1, stream));
  CHECK_OK(ck_transform(stream, &ix, to, &same, NULL));
  array_read(dz, got, sizeof got);
}

#define EACH(count, is_right)                                                                      \
  do {                                                                                             \
    int wrong = 0;                                                                                 \
    for (int i = 0; i < (count); ++i) wrong += !(is_right);                                        \
    CHECK(!wrong);                                                                                 \
    CHECK(got[count] == 0);                                                                        \
  } while (0)

TEST(sources)
{
  open_arrays();
  ck_op_t square = ck_op("|i| i * i");
  ck_iterator_t count = ck_iterator_count(ck_i64(5)), constant = ck_iterator_constant(ck_u8(7));
  ck_iterator_t squares = ck_iterator_tabulate(&square), shuffle = ck_iterator_shuffle(N, 3);
  ck_iterator_t some = ck_iterator_take(&count, N);
  copied(&some);
  EACH(N, got[i] == 5 + i);
  some = ck_iterator_take(&constant, 9);
  copied(&some);
  EACH(9, got[i] == 7);
  some = ck_iterator_take(&squares, 9);
  copied(&some);
  EACH(9, got[i] == i * i);
  copied(&shuffle);
  int seen[N] = {0}, moved = 0;
  for (int i = 0; i < N; ++i) ++seen[got[i]], moved += got[i] != i;
  EACH(N, seen[i] == 1);
  CHECK(moved > N / 2);
  close_arrays();
}

TEST(what_is_made_of_one)
{
  open_arrays();
  ck_op_t next = ck_op("|v| v + 1"), ends = ck_op("|w| w[2] - w[0]"), first = ck_op("|p| p[0]");
  ck_iterator_t it = ck_iterator_transform(&ix, &next), outer = ck_iterator_reverse(&it);
  copied(&it);
  EACH(N, got[i] == x[i] + 1);
  copied(&outer);
  EACH(N, got[i] == x[N - 1 - i] + 1);
  it = ck_iterator_strided(&ix, 7);
  copied(&it);
  EACH(9, got[i] == x[7 * i]);
  it = ck_iterator_drop(&ix, 50);
  copied(&it);
  EACH(10, got[i] == x[50 + i]);
  it = ck_iterator_take(&ix, 11);
  outer = ck_iterator_drop(&it, 4);
  copied(&outer);
  EACH(7, got[i] == x[4 + i]);
  it = ck_iterator_window(&ix, 3);
  outer = ck_iterator_transform(&it, &ends);
  copied(&outer);
  EACH(N - 2, got[i] == x[i + 2] - x[i]);
  it = ck_iterator_enumerate(&ix);
  outer = ck_iterator_transform(&it, &first);
  copied(&outer);
  EACH(N, got[i] == i);
  for (int mode = 0; mode < 4; ++mode) {
    it = ck_iterator_cached(&ix, (ck_cache_mode_t)mode);
    copied(&it);
    EACH(N, got[i] == x[i]);
  }
  close_arrays();
}

TEST(what_is_made_of_several)
{
  open_arrays();
  uint16_t places[N];
  for (int i = 0; i < N; ++i) places[i] = (uint16_t)(i * 7 % N);
  ck_buffer_t *dplaces = array_new(sizeof places, places);
  ck_iterator_t index = ck_iterator_array(ck_whole(dplaces), CK_U16);
  ck_iterator_t count = ck_iterator_count(ck_i32(0)), it = ck_iterator_gather(&ix, &index);
  ck_op_t sum = ck_op("|p| p[0] + p[1]"), four = ck_op("|p| p[0] + p[1] + p[2] * p[3]");
  copied(&it);
  EACH(N, got[i] == x[places[i]]);
  ck_iterator_t zip = ck_iterator_zip(&ix, &count), added = ck_iterator_transform(&zip, &sum);
  copied(&added);
  EACH(N, got[i] == x[i] + i);
  zip = ck_iterator_zip_four(&ix, &count, &it, &count);
  added = ck_iterator_transform(&zip, &four);
  copied(&added);
  EACH(N, got[i] == x[i] + i + x[places[i]] * i);
  ck_buffer_release(dplaces);
  close_arrays();
}

TEST(outputs)
{
  open_arrays();
  ck_op_t half = ck_op("|v| v / 2"), pair = ck_op("|v| (v, -v)");
  ck_iterator_t to = ck_iterator_transform_output(&iz, &half);
  stored(&to);
  EACH(N, got[i] == x[i] / 2);
  ck_iterator_t part = ck_iterator_take(&iz, N), back = ck_iterator_reverse(&part);
  stored(&back);
  EACH(N, got[i] == x[N - 1 - i]);
  to = ck_iterator_strided(&iz, 3);
  stored(&to);
  for (int i = 0; i < N; ++i) CHECK(got[3 * i] == x[i] && !got[3 * i + 1]);
  ck_iterator_t index = ck_iterator_shuffle(N, 9), scatter = ck_iterator_scatter(&iz, &index);
  stored(&scatter);
  int sum = 0, want = 0;
  for (int i = 0; i < N; ++i) sum += got[i], want += x[i];
  CHECK(sum == want);
  ck_iterator_t rest = ck_iterator_drop(&iz, N);
  ck_iterator_t both = ck_iterator_zip(&part, &rest);
  CHECK_OK(ck_transform(stream, &ix, &both, &pair, NULL));
  array_read(dz, got, sizeof got);
  for (int i = 0; i < N; ++i) CHECK(got[i] == x[i] && got[N + i] == -x[i]);
  ck_iterator_t none = ck_iterator_discard(ck_type_scalar(CK_I32));
  CHECK_OK(ck_transform(stream, &ix, &none, &same, NULL));
  close_arrays();
}

TEST(sizes_on_the_device)
{
  open_arrays();
  int32_t number = 23, sum, want = 0;
  ck_buffer_t *dn = array_new(4, &number), *out = array_new(4, NULL);
  ck_iterator_t in = ck_iterator_array(ck_whole(dn), CK_I32);
  ck_iterator_t to = ck_iterator_array(ck_whole(out), CK_I32);
  ck_iterator_t some = ck_iterator_take_on_device(&ix, &in);
  ck_op_t plus = ck_op("+");
  for (int i = 0; i < number; ++i) want += x[i];
  CHECK_OK(ck_reduce(stream, &some, &plus, &in, &to, NULL)); /* init on the device as well */
  array_read(out, &sum, 4);
  CHECK(sum == want + number);
  copied(&some);
  EACH(23, got[i] == x[i]);
  ck_buffer_release(dn);
  ck_buffer_release(out);
  close_arrays();
}

/* x as a matrix of 6 x 10. */
TEST(views_with_strides)
{
  open_arrays();
  ck_view_t all, part, turned;
  CHECK_OK(ck_view_from_buffer(dx, 0, CK_I32, 1, 2, (int64_t[]){6, 10}, NULL, &all));
  ck_iterator_t it = ck_iterator_view(&all);
  copied(&it);
  EACH(N, got[i] == x[i]);
  CHECK_OK(ck_view_permute(&all, (uint32_t[]){1, 0}, &turned));
  it = ck_iterator_view(&turned);
  copied(&it);
  EACH(N, got[i] == x[i % 6 * 10 + i / 6]);
  CHECK_OK(ck_view_slice(&all, 1, 9, -1, -2, &part)); /* columns 9, 7, 5, 3, 1 */
  it = ck_iterator_view(&part);
  copied(&it);
  EACH(30, got[i] == x[i / 5 * 10 + 9 - i % 5 * 2]);
  CHECK_OK(ck_view_slice(&all, 0, 5, -1, -1, &part));
  CHECK_OK(ck_view_slice(&part, 1, 3, 4, 1, &part)); /* one column, from below */
  it = ck_iterator_view(&part);
  copied(&it);
  EACH(6, got[i] == x[(5 - i) * 10 + 3]);
  CHECK_OK(ck_view_from_buffer(dx, 8, CK_I32, 1, 1, (int64_t[]){4}, (int64_t[]){0}, &part));
  it = ck_iterator_view(&part);
  copied(&it);
  EACH(4, got[i] == x[2]);
  CHECK_OK(ck_view_from_buffer(dz, 0, CK_I32, 1, 2, (int64_t[]){6, 10}, (int64_t[]){1, 6}, &part));
  it = ck_iterator_view(&part);
  stored(&it);
  EACH(N, got[i] == x[i % 6 * 10 + i / 6]);
  close_arrays();
}

TEST(views_of_structs)
{
  open_arrays();
  ck_view_t pairs;
  ck_field_t fields[] = {{"a", ck_type_scalar(CK_I32), 0}, {"b", ck_type_scalar(CK_I32), 0}};
  ck_struct_type_t pair = {"Pair", fields, 2, 8};
  ck_op_t second = ck_op("|p| p.b");
  CHECK_OK(ck_view_from_buffer(dx, 0, CK_NONE, 8, 1, (int64_t[]){10}, (int64_t[]){3}, &pairs));
  ck_iterator_t it = ck_iterator_view_of(&pairs, ck_type_struct(&pair));
  ck_iterator_t field = ck_iterator_transform(&it, &second);
  copied(&field);
  EACH(10, got[i] == x[6 * i + 1]);
  close_arrays();
}

TEST(matrices)
{
  open_arrays();
  ck_view_t rows, best;
  ck_iterator_t in, to = ck_iterator_take(&iz, 6);
  CHECK_OK(ck_view_from_buffer(dx, 0, CK_I32, 1, 2, (int64_t[]){6, 10}, NULL, &rows));
  CHECK_OK(ck_view_from_buffer(dz, 0, CK_I32, 1, 2, (int64_t[]){6, 1}, NULL, &best));
  in = ck_iterator_view(&rows);
  to = ck_iterator_view(&best);
  CHECK_OK(ck_top_k_rows(stream, &in, &to, NULL, NULL));
  array_read(dz, got, sizeof got);
  for (int r = 0; r < 6; ++r) {
    int most = x[10 * r];
    for (int i = 0; i < 10; ++i) most = x[10 * r + i] > most ? x[10 * r + i] : most;
    CHECK(got[r] == most);
  }
  /* two channels of vectors of two */
  ck_algorithm_options_t options = CK_OPTIONS_INIT(ck_algorithm_options_t);
  options.channels = 2;
  ck_iterator_t pairs = ck_iterator_array_of(ck_whole(dx), ck_type_vector(CK_I32, 2));
  ck_iterator_t low = ck_iterator_constant(ck_i32(0)), high = ck_iterator_constant(ck_i32(40));
  CHECK_OK(ck_view_from_buffer(dz, 0, CK_I32, 1, 2, (int64_t[]){2, 4}, NULL, &best));
  to = ck_iterator_view(&best);
  CHECK_OK(ck_histogram(stream, &pairs, &to, &low, &high, &options));
  array_read(dz, got, sizeof got);
  int want[8] = {0};
  for (int i = 0; i < N; ++i) ++want[i % 2 * 4 + x[i] / 10];
  CHECK(!memcmp(got, want, sizeof want));
  close_arrays();
}

int main(void)
{
  return run_tests();
}
