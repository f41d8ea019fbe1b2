/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* algorithm_counts.c - counts and places in elements of a narrow type: the largest sequence whose
 * numbers fit is taken, one more element is an error that says the argument, its type and the
 * number. */
#include "algorithm.h"

static ck_buffer_t *dx, *dy, *dz, *dcount;
static ck_iterator_t x, y, z, count;
static ck_op_t less, even, plus, same;

/* Sequences of n elements, all 1, and a result of u8. */
static void open_arrays(uint64_t n)
{
  enum { ROOM = 700 };
  static int ones[ROOM];
  for (int i = 0; i < ROOM; ++i) ones[i] = 1;
  dx = array_new(sizeof ones, ones);
  dy = array_new(sizeof ones, NULL);
  dz = array_new(sizeof ones, NULL);
  dcount = array_new(64, NULL);
  x = ck_iterator_array(ck_span(dx, 0, n), CK_I32);
  y = ck_iterator_array(ck_whole(dy), CK_I32);
  z = ck_iterator_array(ck_whole(dz), CK_I32);
  count = ck_iterator_array(ck_whole(dcount), CK_U8);
  less = ck_op("<");
  even = ck_op("|v| v % 2 == 0");
  plus = ck_op("+");
  same = ck_op("|a, b| a == b");
}

static void close_arrays(void)
{
  ck_buffer_t *all[] = {dx, dy, dz, dcount};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) ck_buffer_release(all[i]);
}

static uint8_t counted(int k)
{
  uint8_t counts[64];
  array_read(dcount, counts, sizeof counts);
  return counts[k];
}

#define U8(name)          "argument '" name "': its elements are of type u8, up to 255, and get "
#define WRONG(call, part) CHECK_STATUS(call, CK_INVALID_ARGUMENT, part)
#define WIDER             ": give it elements of a wider type"
#define TO_256            "numbers up to 256" WIDER

/* The call is right for 255 elements and for one more an error. */
#define BOTH(call, name)                                                                           \
  do {                                                                                             \
    open_arrays(255);                                                                              \
    CHECK_OK(call);                                                                                \
    close_arrays();                                                                                \
    open_arrays(256);                                                                              \
    WRONG(call, U8(name) TO_256);                                                                  \
    close_arrays();                                                                                \
  } while (0)

TEST(numbers_of_elements)
{
  BOTH(ck_select(stream, &x, &even, &y, &count, NULL), "count");
  BOTH(ck_select_flagged(stream, &x, &x, &y, &count, NULL), "count");
  BOTH(ck_partition(stream, &x, &even, &y, &z, &count, NULL), "count");
  BOTH(ck_unique(stream, &x, &y, NULL, &count, NULL), "count");
  BOTH(ck_unique_by_key(stream, &x, &x, &y, &z, NULL, &count, NULL), "count");
  BOTH(ck_run_length_encode(stream, &x, &y, &z, NULL, &count, NULL), "count");
  BOTH(ck_reduce_by_key(stream, &x, &x, &plus, &y, &z, &same, &count, NULL), "count");
  BOTH(ck_set_difference(stream, &x, &x, &y, &less, &count, NULL), "count");
  BOTH(ck_set_intersection(stream, &x, &x, &y, &less, &count, NULL), "count");
}

TEST(numbers_of_elements_of_two_sequences)
{
  open_arrays(128);
  ck_iterator_t less_by_one = ck_iterator_take(&x, 127);
  CHECK_OK(ck_set_union(stream, &x, &less_by_one, &y, &less, &count, NULL));
  CHECK(counted(0) == 128);
  WRONG(ck_set_union(stream, &x, &x, &y, &less, &count, NULL), U8("count") TO_256);
  WRONG(ck_set_symmetric_difference(stream, &x, &x, &y, &less, &count, NULL), "up to 256");
  close_arrays();
}

TEST(places)
{
  BOTH(ck_find_if(stream, &x, &even, &count, NULL), "to");
  BOTH(ck_mismatch(stream, &x, &x, &count, NULL), "to");
  BOTH(ck_lower_bound(stream, &x, &x, &count, NULL, NULL), "to");
  BOTH(ck_upper_bound(stream, &x, &x, &count, NULL, NULL), "to");
}

TEST(the_last_place_is_one_less)
{
  ck_field_t fields[] = {{"v", ck_type_scalar(CK_I32), 0}, {"i", ck_type_scalar(CK_U8), 0}};
  ck_struct_type_t pair = {NULL, fields, 2, 8};
  ck_iterator_t to;
  open_arrays(256);
  to = ck_iterator_array_of(ck_whole(dcount), ck_type_struct(&pair));
  CHECK_OK(ck_argmin(stream, &x, &less, &to, NULL));
  CHECK_OK(ck_argmax(stream, &x, NULL, &count, NULL)); /* an element and a place, both u8 */
  CHECK_OK(ck_argminmax(stream, &x, NULL, &count, NULL));
  close_arrays();
  open_arrays(257);
  to = ck_iterator_array_of(ck_whole(dcount), ck_type_struct(&pair));
  WRONG(ck_argmin(stream, &x, &less, &to, NULL), U8("to") TO_256);
  WRONG(ck_argmax(stream, &x, NULL, &count, NULL), U8("to") TO_256);
  WRONG(ck_argminmax(stream, &x, NULL, &count, NULL), U8("to") TO_256);
  close_arrays();
}

/* The library compares what it stores itself, and names the argument as the step does. */
#define STEP(name) "'" name "' of '"
#define STORED     ": elements of "

TEST(what_the_library_stores)
{
  ck_iterator_t bytes, longs;
  open_arrays(255);
  bytes = ck_iterator_array(ck_whole(dz), CK_U8);
  longs = ck_iterator_array(ck_whole(dcount), CK_U64);
  CHECK_OK(ck_run_length_encode(stream, &x, &y, &bytes, NULL, &longs, NULL));
  CHECK_OK(ck_nontrivial_runs(stream, &x, &y, &bytes, NULL, &longs, NULL));
  close_arrays();
  open_arrays(256);
  bytes = ck_iterator_array(ck_whole(dz), CK_U8);
  longs = ck_iterator_array(ck_whole(dcount), CK_U64);
  WRONG(ck_run_length_encode(stream, &x, &y, &bytes, NULL, &longs, NULL), STORED STEP("lengths"));
  CHECK(strstr(ck_last_error(), "are of type u8, up to 255, and get numbers up to 256" WIDER));
  WRONG(ck_nontrivial_runs(stream, &x, &y, &bytes, NULL, &longs, NULL), STEP("lengths"));
  close_arrays();
}

TEST(places_of_rows)
{
  for (int64_t columns = 256; columns <= 257; ++columns) {
    ck_view_t rows, best, places;
    open_arrays(1);
    CHECK_OK(ck_view_from_buffer(dx, 0, CK_I32, 1, 2, (int64_t[]){2, columns}, NULL, &rows));
    CHECK_OK(ck_view_from_buffer(dy, 0, CK_I32, 1, 2, (int64_t[]){2, 3}, NULL, &best));
    CHECK_OK(ck_view_from_buffer(dcount, 0, CK_U8, 1, 2, (int64_t[]){2, 3}, NULL, &places));
    ck_iterator_t m = ck_iterator_view(&rows), to = ck_iterator_view(&best),
                  at = ck_iterator_view(&places);
    if (columns == 256) CHECK_OK(ck_top_k_rows(stream, &m, &to, &at, NULL));
    else WRONG(ck_top_k_rows(stream, &m, &to, &at, NULL), STEP("places"));
    close_arrays();
  }
}

TEST(bins)
{
  open_arrays(255);
  ck_iterator_t zero = ck_iterator_constant(ck_i32(0)), two = ck_iterator_constant(ck_i32(2));
  ck_iterator_t many = ck_iterator_take(&two, UINT64_C(1) << 32);
  ck_iterator_t bins = ck_iterator_array(ck_span(dz, 0, 2), CK_U32);
  CHECK_OK(ck_histogram(stream, &x, &bins, &zero, &two, NULL));
  WRONG(ck_histogram(stream, &many, &bins, &zero, &two, NULL),
        "are of type u32, up to 4294967295, and get numbers up to 4294967296" WIDER);
  close_arrays();
}

TEST(other_types)
{
  open_arrays(127);
  count.type = ck_type_scalar(CK_I8);
  CHECK_OK(ck_find_if(stream, &x, &even, &count, NULL));
  CHECK(counted(0) == 127);
  x.value.count = 128;
  WRONG(ck_find_if(stream, &x, &even, &count, NULL),
        "of type i8, up to 127, and get numbers up to");
  count.type = ck_type_scalar(CK_I16);
  ck_iterator_t one = ck_iterator_constant(ck_i32(1)), many = ck_iterator_take(&one, 32767);
  CHECK_OK(ck_find_if(stream, &many, &even, &count, NULL));
  many.value = ck_u64(32768);
  WRONG(ck_find_if(stream, &many, &even, &count, NULL), "of type i16, up to 32767");
  count.type = ck_type_scalar(CK_U32);
  many.value = ck_u64(UINT64_C(1) << 32);
  WRONG(ck_find_if(stream, &many, &even, &count, NULL), "of type u32, up to 4294967295");
  close_arrays();
}

/* Of a length that the device computes, the greatest one counts. */
TEST(lengths_of_iterators)
{
  open_arrays(300);
  ck_iterator_t number = ck_iterator_array(ck_span(dy, 0, 1), CK_I32);
  ck_iterator_t on_device = ck_iterator_take_on_device(&x, &number),
                rest = ck_iterator_drop(&x, 45);
  ck_iterator_t every = ck_iterator_strided(&x, 2), pairs = ck_iterator_zip(&x, &rest);
  ck_op_t none = ck_op("|p| p[0] > 1");
  WRONG(ck_find_if(stream, &on_device, &even, &count, NULL), "up to 300");
  CHECK_OK(ck_find_if(stream, &rest, &even, &count, NULL));
  CHECK(counted(0) == 255);
  CHECK_OK(ck_find_if(stream, &every, &even, &count, NULL));
  CHECK(counted(0) == 150);
  CHECK_OK(ck_find_if(stream, &pairs, &none, &count, NULL));
  CHECK(counted(0) == 255);
  close_arrays();
}

int main(void)
{
  return run_tests();
}
