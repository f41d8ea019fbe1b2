/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* view.c - compares views of views with loops, and tests DLPack export and import, on the device
 * that $CK_DEVICE names; cuda.core's test_utils_dlpack.py, test_strided_layout.py and test_utils.py
 * in C. */
#include "memory/view.h"
#include "fixture.h"

static Bench bench;
static uint64_t seed = 1;

static uint32_t draw(uint32_t below)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(seed >> 33) % below;
}

enum { COUNT = 1024 };

/* u32 elements 0, 1, 2, ... */
static ck_buffer_t *make_iota(void)
{
  uint32_t words[COUNT];
  ck_buffer_t *buffer = NULL;
  for (uint32_t i = 0; i < COUNT; ++i) words[i] = i;
  CHECK_OK(ck_buffer_create(bench.device, sizeof words, bench.stream, &buffer));
  CHECK_OK(ck_buffer_write(buffer, 0, words, sizeof words, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  return buffer;
}

/* The position of an element, in elements. */
static int64_t place(const ck_view_t *view, const int64_t *at)
{
  int64_t sum = (int64_t)(view->offset / 4);
  for (uint32_t i = 0; i < view->rank; ++i) sum += at[i] * view->strides[i];
  return sum;
}

/* Advances the indices, the last one fastest; false after the last. */
static bool advance(const ck_view_t *view, int64_t *at)
{
  for (uint32_t i = view->rank; i-- > 0;) {
    if (++at[i] < view->extents[i]) return true;
    at[i] = 0;
  }
  return false;
}

TEST(make)
{
  ck_buffer_t *buffer = make_iota();
  ck_view_t view;
  CHECK_OK(ck_view_from_buffer(buffer, 16, CK_U32, 1, 3, (int64_t[]){3, 4, 5}, NULL, &view));
  CHECK(view.strides[0] == 20 && view.strides[1] == 5 && view.strides[2] == 1);
  CHECK(ck_view_is_dense(&view) && ck_view_count(&view) == 60);
  CHECK(ck_view_element_bytes(&view) == 4);
  CHECK(ck_view_native(&view) == ck_buffer_native(buffer) + 16);
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_U32, 4, 1, (int64_t[]){COUNT / 4}, NULL, &view));
  CHECK(ck_view_element_bytes(&view) == 16);
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_U32, 1, 0, NULL, NULL, &view));
  CHECK(ck_view_count(&view) == 1);
  CHECK_OK(ck_view_from_buffer(buffer, 4 * COUNT, CK_U32, 1, 2, (int64_t[]){0, 7}, NULL, &view));
  CHECK(!ck_view_count(&view));
  CHECK_OK(ck_view_from_buffer(buffer, 36, CK_U32, 1, 1, (int64_t[]){10}, (int64_t[]){-1}, &view));
  CHECK_STATUS(
      ck_view_from_buffer(buffer, 32, CK_U32, 1, 1, (int64_t[]){10}, (int64_t[]){-1}, &view),
      CK_INVALID_ARGUMENT);
  CHECK_ERROR("does not lie in its buffer of 4096 bytes");
  CHECK_STATUS(ck_view_from_buffer(buffer, 4, CK_U32, 1, 1, (int64_t[]){COUNT}, NULL, &view),
               CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_view_from_buffer(buffer, 2, CK_U32, 1, 1, (int64_t[]){1}, NULL, &view),
               CK_INVALID_ARGUMENT);
  CHECK_ERROR("no multiple of 4");
  CHECK_STATUS(ck_view_from_buffer(buffer, 0, CK_U32, 3, 1, (int64_t[]){1}, NULL, &view),
               CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_view_from_buffer(buffer, 0, CK_U32, 1, 9, (int64_t[9]){0}, NULL, &view),
               CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_view_from_buffer(buffer, 0, CK_U32, 1, 1, (int64_t[]){-3}, NULL, &view),
               CK_INVALID_ARGUMENT);
  int64_t huge[] = {INT64_MAX, INT64_MAX};
  CHECK_STATUS(ck_view_from_buffer(buffer, 0, CK_U32, 1, 2, huge, NULL, &view),
               CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_view_from_buffer(buffer, 0, CK_U32, 1, 1, huge, huge, &view),
               CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_view_from_buffer(NULL, 0, CK_U32, 1, 0, NULL, NULL, &view), CK_INVALID_ARGUMENT);
  ck_buffer_release(buffer);
}

TEST(slice)
{
  ck_buffer_t *buffer = make_iota();
  ck_view_t all, part;
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_U32, 1, 2, (int64_t[]){8, 10}, NULL, &all));
  CHECK_OK(ck_view_slice(&all, 1, 2, 9, 3, &part)); /* 2, 5, 8 */
  CHECK(part.extents[1] == 3 && part.strides[1] == 3 && part.offset == 8);
  CHECK_OK(ck_view_slice(&part, 0, 7, -1, -2, &part)); /* 7, 5, 3, 1 */
  CHECK(part.extents[0] == 4 && part.strides[0] == -20 && part.offset == 4 * (70 + 2));
  CHECK_OK(ck_view_slice(&all, 0, 8, 8, 1, &part));
  CHECK(!ck_view_count(&part) && ck_view_is_dense(&part));
  CHECK_OK(ck_view_slice(&all, 0, 3, 8, INT64_MAX, &part)); /* one element; its stride is never
                                                             * used */
  CHECK(part.extents[0] == 1 && ck_view_is_dense(&part));
  CHECK_STATUS(ck_view_slice(&all, 2, 0, 1, 1, &part), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_view_slice(&all, 0, 0, 9, 1, &part), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_view_slice(&all, 0, 4, 3, 1, &part), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_view_slice(&all, 0, 0, 3, 0, &part), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_view_slice(&all, 0, 8, 3, -1, &part), CK_INVALID_ARGUMENT);
  ck_buffer_release(buffer);
}

/* An empty view is a valid view, wherever it was cut out. */
TEST(slice_of_nothing)
{
  ck_buffer_t *empty;
  ck_view_t view, part, again;
  CHECK_OK(ck_buffer_create(bench.device, 0, bench.stream, &empty));
  CHECK_OK(ck_view_from_buffer(empty, 0, CK_F32, 1, 2, (int64_t[]){0, 10}, NULL, &view));
  CHECK_OK(ck_view_slice(&view, 1, 5, 10, 1, &part));
  CHECK(part.offset == 0 && part.extents[1] == 5);
  CHECK_OK(ck_view_slice(&part, 1, 4, -1, -2, &again));
  CHECK(again.extents[1] == 3);
  CHECK_OK(ck_view_copy(&part, &part, bench.stream));
  ck_buffer_release(empty);
}

/* An extent of 0 on any axis makes a view empty, whatever the other extents are. */
TEST(huge_views_of_nothing)
{
  static const int64_t huge = (int64_t)1 << 62, shapes[][3] = {{0, (int64_t)1 << 62, 3},
                                                               {(int64_t)1 << 62, 3, 0},
                                                               {INT64_MAX, 0, INT64_MAX}};
  const int64_t strides[] = {INT64_MAX, INT64_MIN, INT64_MAX};
  ck_buffer_t *buffer = make_iota();
  ck_view_t view, made;
  for (size_t i = 0; i < COUNT_OF(shapes); ++i) {
    CHECK_OK(ck_view_from_buffer(buffer, 0, CK_U8, 1, 3, shapes[i], strides, &view));
    CHECK(!ck_view_count(&view));
    CHECK_OK(ck_view_from_buffer(buffer, 0, CK_U8, 1, 3, shapes[i], NULL, &view));
    CHECK(!ck_view_count(&view) && ck_view_is_dense(&view));
    CHECK_OK(ck_view_reshape(&view, 1, (int64_t[]){-1}, &made));
    CHECK_OK(ck_view_reshape(&made, 3, shapes[i], &made));
    CHECK_OK(ck_view_flatten(&made, 1, &made));
    CHECK_OK(ck_view_copy(&made, &made, bench.stream));
  }
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_U8, 1, 1, (int64_t[]){4}, NULL, &view));
  CHECK_STATUS(ck_view_reshape(&view, 3, (int64_t[]){-1, huge, 5}, &made), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_view_from_buffer(buffer, 0, CK_U8, 1, 2, (int64_t[]){huge, 3}, NULL, &view),
               CK_INVALID_ARGUMENT);
  CHECK_ERROR("does not lie in its buffer");
  CHECK_STATUS(ck_view_from_buffer(buffer, 0, CK_U8, 1, 3, (int64_t[]){1, 2, huge}, NULL, &view),
               CK_INVALID_ARGUMENT);
  ck_buffer_release(buffer);
}

/* A failing function gives no view, and does not change one that it should change. */
TEST(failures)
{
  ck_buffer_t *buffer = make_iota();
  ck_view_t view, made;
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_U32, 1, 2, (int64_t[]){4, 5}, NULL, &view));
  for (int i = 0; i < 10; ++i) {
    made = view;
    ck_view_t *out = i % 2 ? &view : &made;
    ck_status_t status = i < 2   ? ck_view_slice(&view, 2, 0, 1, 1, out)
                         : i < 4 ? ck_view_permute(&view, (uint32_t[]){1, 1}, out)
                         : i < 6 ? ck_view_broadcast(&view, 1, (int64_t[]){5}, out)
                         : i < 8 ? ck_view_reshape(&view, 1, (int64_t[]){21}, out)
                                 : ck_view_cast(&view, CK_NONE, 0, out);
    CHECK(status == CK_INVALID_ARGUMENT && view.buffer == buffer && view.rank == 2);
    CHECK(i % 2 ? made.rank == 2 : !made.buffer && !made.rank);
  }
  ck_buffer_release(buffer);
}

/* An axis of one element that runs backwards keeps its position. */
TEST(slice_of_one_backwards)
{
  ck_buffer_t *buffer = make_iota();
  ck_view_t view, back, one;
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_U32, 1, 2, (int64_t[]){4, 5}, NULL, &view));
  CHECK_OK(ck_view_slice(&view, 1, 4, -1, -1, &back));
  CHECK_OK(ck_view_slice(&back, 1, 1, 2, 1, &one));
  CHECK(one.strides[1] == -1 && one.offset == 4 * 3);
  CHECK_OK(ck_view_permute(&one, (uint32_t[]){1, 0}, &one));
  CHECK(one.extents[1] == 4 && one.offset == 4 * 3);
  ck_buffer_release(buffer);
}

/* A view of one element can have more than an extent can say. */
TEST(reshape_of_too_many)
{
  ck_buffer_t *buffer;
  ck_view_t view, many, made;
  CHECK_OK(ck_buffer_create(bench.device, 4, bench.stream, &buffer));
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_F32, 1, 0, NULL, NULL, &view));
  CHECK_OK(ck_view_broadcast(&view, 2, (int64_t[]){1ll << 32, 1ll << 31}, &many));
  CHECK_STATUS(ck_view_reshape(&many, 1, (int64_t[]){-1}, &made), CK_INVALID_ARGUMENT);
  CHECK_ERROR("more than an extent can say");
  CHECK_STATUS(ck_view_reshape(&many, 2, (int64_t[]){1ll << 62, 2}, &made), CK_INVALID_ARGUMENT);
  CHECK_OK(ck_view_broadcast(&view, 2, (int64_t[]){1ll << 32, 1ll << 30}, &many));
  CHECK_OK(ck_view_reshape(&many, 1, (int64_t[]){-1}, &made));
  CHECK(made.extents[0] == 1ll << 62 && made.strides[0] == 0);
  ck_buffer_release(buffer);
}

/* The stride of an axis with one element is never used: it may be odd. */
TEST(cast_with_axes_of_one)
{
  ck_buffer_t *buffer = make_iota();
  ck_view_t view, wide;
  size_t bytes;
  CHECK_OK(
      ck_view_from_buffer(buffer, 0, CK_F32, 1, 2, (int64_t[]){1, 4}, (int64_t[]){5, 1}, &view));
  CHECK_OK(ck_view_cast(&view, CK_F64, 1, &wide));
  CHECK(wide.extents[1] == 2 && wide.strides[1] == 1);
  CHECK_OK(ck_view_get_widest(&view, 16, &bytes));
  CHECK(bytes == 16);
  view.extents[0] = 2;
  CHECK_STATUS(ck_view_cast(&view, CK_F64, 1, &wide), CK_INVALID_ARGUMENT);
  ck_buffer_release(buffer);
}

TEST(permute_and_broadcast)
{
  ck_buffer_t *buffer = make_iota();
  ck_view_t all, made;
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_U32, 1, 3, (int64_t[]){2, 3, 4}, NULL, &all));
  CHECK_OK(ck_view_permute(&all, (uint32_t[]){2, 0, 1}, &made));
  CHECK(made.extents[0] == 4 && made.strides[0] == 1 && made.strides[1] == 12);
  CHECK(!ck_view_is_dense(&made));
  CHECK_STATUS(ck_view_permute(&all, (uint32_t[]){0, 0, 1}, &made), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_view_permute(&all, (uint32_t[]){0, 3, 1}, &made), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_view_permute(&all, NULL, &made), CK_INVALID_ARGUMENT);
  CHECK_OK(ck_view_slice(&all, 1, 1, 2, 1, &made));
  CHECK_OK(ck_view_broadcast(&made, 4, (int64_t[]){5, 2, 3, 4}, &made));
  CHECK(made.rank == 4 && !made.strides[0] && made.strides[1] == 12 && !made.strides[2]);
  CHECK_STATUS(ck_view_broadcast(&all, 3, (int64_t[]){2, 3, 5}, &made), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_view_broadcast(&all, 2, (int64_t[]){3, 4}, &made), CK_INVALID_ARGUMENT);
  ck_buffer_release(buffer);
}

TEST(reshape_and_cast)
{
  ck_buffer_t *buffer = make_iota();
  ck_view_t all, made;
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_U32, 1, 2, (int64_t[]){6, 8}, NULL, &all));
  CHECK_OK(ck_view_reshape(&all, 3, (int64_t[]){2, -1, 4}, &made));
  CHECK(made.extents[1] == 6 && ck_view_is_dense(&made));
  CHECK_OK(ck_view_slice(&all, 1, 0, 8, 2, &made)); /* 6 x 4, evenly spaced all along */
  CHECK_OK(ck_view_reshape(&made, 1, (int64_t[]){24}, &made));
  CHECK(made.strides[0] == 2);
  CHECK_OK(ck_view_slice(&all, 1, 0, 7, 1, &made));
  CHECK_STATUS(ck_view_reshape(&made, 1, (int64_t[]){42}, &made), CK_INVALID_ARGUMENT);
  CHECK_ERROR("it would take a copy");
  CHECK_OK(ck_view_reshape(&made, 4, (int64_t[]){1, 3, 2, 7}, &made));
  CHECK(made.strides[1] == 16 && made.strides[2] == 8 && made.strides[3] == 1);
  CHECK_STATUS(ck_view_reshape(&all, 2, (int64_t[]){-1, -1}, &made), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_view_reshape(&all, 2, (int64_t[]){-1, 5}, &made), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_view_reshape(&all, 1, (int64_t[]){49}, &made), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_view_reshape(&all, 1, (int64_t[]){-2}, &made), CK_INVALID_ARGUMENT);
  CHECK_OK(ck_view_cast(&all, CK_U8, 1, &made));
  CHECK(made.extents[1] == 32 && made.strides[0] == 32);
  CHECK_OK(ck_view_cast(&made, CK_F32, 4, &made));
  CHECK(made.extents[1] == 2 && made.strides[0] == 2 && made.components == 4);
  CHECK_OK(ck_view_cast(&all, CK_F32, 1, &made));
  CHECK_OK(ck_view_slice(&all, 1, 0, 8, 2, &made));
  CHECK_STATUS(ck_view_cast(&made, CK_U64, 1, &made), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_view_cast(&all, CK_NONE, 0, &made), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_view_cast(&all, (ck_dtype_t)99, 1, &made), CK_INVALID_ARGUMENT);
  CHECK_ERROR("elements of type 99");
  ck_buffer_release(buffer);
}

/* A random view of the first 960 elements, with no stride below 0. */
static ck_view_t draw_view(ck_buffer_t *buffer)
{
  ck_view_t view;
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_U32, 1, 4, (int64_t[]){4, 5, 6, 8}, NULL, &view));
  for (uint32_t i = 0; i < 4; ++i) {
    int64_t start = draw((uint32_t)view.extents[i]);
    int64_t stop = start + 1 + draw((uint32_t)(view.extents[i] - start));
    CHECK_OK(ck_view_slice(&view, i, start, stop, 1 + draw(3), &view));
  }
  uint32_t axes[] = {0, 1, 2, 3};
  for (uint32_t i = 0; i < 4; ++i) {
    uint32_t j = i + draw(4 - i), old = axes[i];
    axes[i] = axes[j];
    axes[j] = old;
  }
  CHECK_OK(ck_view_permute(&view, axes, &view));
  return view;
}

TEST(copy)
{
  enum { ROUNDS = 200 };
  ck_buffer_t *src = make_iota();
  for (unsigned round = 0; round < ROUNDS; ++round) {
    uint32_t out[COUNT], wanted[COUNT];
    int64_t at[4] = {0}, to_at[4] = {0};
    ck_buffer_t *dst = make_iota();
    ck_view_t from = draw_view(src), to;
    CHECK_OK(ck_view_from_buffer(dst, 4 * draw(8), CK_U32, 1, 4, from.extents, NULL, &to));
    for (uint32_t i = 0; i < COUNT; ++i) wanted[i] = i;
    do wanted[place(&to, to_at)] = (uint32_t)place(&from, at);
    while (advance(&to, to_at) && advance(&from, at));
    CHECK_OK(ck_view_copy(&to, &from, bench.stream));
    CHECK_OK(ck_buffer_read(dst, 0, out, sizeof out, bench.stream));
    CHECK_OK(ck_stream_sync(bench.stream));
    if (!CHECK(!memcmp(out, wanted, sizeof out))) printf("round %u\n", round);
    ck_buffer_release(dst);
  }
  ck_view_t one, all;
  CHECK_OK(ck_view_from_buffer(src, 4, CK_U32, 1, 0, NULL, NULL, &one));
  CHECK_OK(ck_view_from_buffer(src, 8, CK_U32, 1, 1, (int64_t[]){9}, NULL, &all));
  uint32_t out[COUNT];
  CHECK_OK(ck_view_copy(&all, &one, bench.stream)); /* one element to all */
  CHECK_OK(ck_buffer_read(src, 0, out, sizeof out, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK(out[2] == 1 && out[10] == 1 && out[11] == 11);
  ck_buffer_release(src);
}

TEST(copy_errors)
{
  ck_buffer_t *buffer = make_iota();
  ck_view_t a, b, c;
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_U32, 1, 1, (int64_t[]){4}, NULL, &a));
  CHECK_OK(ck_view_from_buffer(buffer, 64, CK_F32, 1, 1, (int64_t[]){4}, NULL, &b));
  CHECK_STATUS(ck_view_copy(&b, &a, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_OK(ck_view_from_buffer(buffer, 64, CK_U32, 1, 1, (int64_t[]){5}, NULL, &b));
  CHECK_STATUS(ck_view_copy(&b, &a, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_ERROR("ck_view_copy: axis 0: 4 elements to 5");
  CHECK_OK(ck_view_from_buffer(buffer, 64, CK_U32, 1, 1, (int64_t[]){4}, (int64_t[]){0}, &b));
  CHECK_STATUS(ck_view_copy(&b, &a, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_ERROR("ck_view_copy: elements of dst overlap");
  CHECK_OK(ck_view_slice(&a, 0, 3, -1, -1, &c));
  CHECK_OK(ck_view_from_buffer(buffer, 64, CK_U32, 1, 1, (int64_t[]){4}, NULL, &b));
  CHECK_STATUS(ck_view_copy(&b, &c, bench.stream), CK_UNSUPPORTED);
  b.flags = CK_VIEW_READ_ONLY;
  CHECK_STATUS(ck_view_copy(&b, &a, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_ERROR("dst is read-only");
  b.offset = 4 * COUNT;
  CHECK_STATUS(ck_view_copy(&b, &a, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_view_copy(NULL, &a, bench.stream), CK_INVALID_ARGUMENT);
  ck_buffer_release(buffer);
}

TEST(dlpack_round)
{
  static const ck_dtype_t dtypes[] = {CK_BOOL, CK_I8,  CK_I16, CK_I32, CK_I64,  CK_U8, CK_U16,
                                      CK_U32,  CK_U64, CK_F16, CK_F32, CK_BF16, CK_F64};
  ck_buffer_t *buffer = make_iota(), *back;
  for (size_t i = 0; i < COUNT_OF(dtypes); ++i) {
    ck_view_t view, again;
    struct DLManagedTensorVersioned *tensor;
    struct DLManagedTensor *old;
    CHECK_OK(ck_view_from_buffer(buffer, 0, dtypes[i], 2, 2, (int64_t[]){6, 8}, NULL, &view));
    CHECK_OK(ck_view_slice(&view, 0, 5, -1, -2, &view));
    CHECK_OK(ck_view_permute(&view, (uint32_t[]){1, 0}, &view));
    view.flags = CK_VIEW_READ_ONLY;
    CHECK_STATUS(ck_view_to_dlpack_unversioned(&view, &old), CK_UNSUPPORTED);
    CHECK_OK(ck_view_to_dlpack(&view, &tensor));
    CHECK(tensor->major == 1 && tensor->tensor.lanes == 2 && tensor->tensor.rank == 2);
    CHECK_OK(ck_view_from_dlpack(bench.device, tensor, &back, &again));
    CHECK(ck_view_native(&again) == ck_view_native(&view) && again.dtype == dtypes[i]);
    CHECK(again.strides[1] == view.strides[1] && again.extents[0] == 8 && again.components == 2);
    CHECK(again.flags == CK_VIEW_READ_ONLY);
    ck_buffer_release(back);
    view.flags = 0;
    CHECK_OK(ck_view_to_dlpack_unversioned(&view, &old));
    CHECK_OK(ck_view_from_dlpack_unversioned(bench.device, old, &back, &again));
    CHECK(ck_view_native(&again) == ck_view_native(&view) && !again.flags);
    ck_buffer_release(back);
  }
  ck_buffer_release(buffer);
}

static unsigned deleted;

static void count_deleted(struct DLManagedTensorVersioned *self)
{
  deleted += self != NULL;
}

TEST(dlpack_foreign)
{
  int64_t extents[] = {4, 3};
  ck_buffer_t *memory = make_iota(), *buffer = NULL;
  ck_view_t view;
  bool is_host = ck_device_is_host(bench.device);
  struct DLManagedTensorVersioned tensor = {
      .major = 1,
      .minor = 3,
      .deleter = count_deleted,
      .flags = DL_COPIED,
      .tensor = {.data = (void *)(uintptr_t)ck_buffer_native(memory),
                 .device_type = is_host ? DL_CPU : DL_CUDA,
                 .device_id = is_host ? 0 : ck_device_ordinal(bench.device),
                 .rank = 2,
                 .code = DL_INT,
                 .bits = 32,
                 .lanes = 1,
                 .extents = extents,
                 .byte_offset = 20},
  };
  deleted = 0;
  CHECK_OK(ck_view_from_dlpack(bench.device, &tensor, &buffer, &view));
  CHECK(ck_view_is_dense(&view) && ck_buffer_bytes(buffer) == 48 && view.dtype == CK_I32);
  CHECK(ck_view_native(&view) == ck_buffer_native(memory) + 20 && view.flags == CK_VIEW_COPIED);
  ck_buffer_release(ck_buffer_retain(buffer));
  CHECK(deleted == 0);
  ck_buffer_release(buffer);
  CHECK(deleted == 1);
  extents[1] = 0;
  tensor.tensor.data = NULL;
  tensor.tensor.byte_offset = 0;
  CHECK_OK(ck_view_from_dlpack(bench.device, &tensor, &buffer, &view));
  CHECK(!ck_view_count(&view) && !ck_buffer_bytes(buffer));
  ck_buffer_release(buffer);
  CHECK(deleted == 2);
  tensor.tensor.lanes = 3;
  CHECK_STATUS(ck_view_from_dlpack(bench.device, &tensor, &buffer, &view), CK_UNSUPPORTED);
  CHECK_ERROR("code 0, 32 bits, 3 lanes");
  tensor.tensor.lanes = 1;
  tensor.tensor.bits = 24;
  CHECK_STATUS(ck_view_from_dlpack(bench.device, &tensor, &buffer, &view), CK_UNSUPPORTED);
  CHECK_ERROR("code 0, 24 bits");
  tensor.tensor.bits = 32;
  tensor.tensor.rank = 9;
  CHECK_STATUS(ck_view_from_dlpack(bench.device, &tensor, &buffer, &view), CK_UNSUPPORTED);
  tensor.tensor.rank = 2;
  tensor.tensor.device_type = 7;
  CHECK_STATUS(ck_view_from_dlpack(bench.device, &tensor, &buffer, &view), CK_INVALID_ARGUMENT);
  tensor.major = 2;
  CHECK_STATUS(ck_view_from_dlpack(bench.device, &tensor, &buffer, &view), CK_UNSUPPORTED);
  CHECK(deleted == 2 && !buffer);
  ck_buffer_release(memory);
}

/* Every type, number of components and alignment: what a kernel can't read is refused as a view,
 * whether it comes through DLPack, with and without a version, or by ck_view_from_buffer over
 * adopted memory. */
TEST(addresses_of_elements)
{
  static const ck_dtype_t dtypes[] = {CK_BOOL, CK_I8,  CK_I16, CK_I32, CK_I64,  CK_U8, CK_U16,
                                      CK_U32,  CK_U64, CK_F16, CK_F32, CK_BF16, CK_F64};
  static const uint32_t counts[] = {1, 2, 4, 8, 16};
  ck_buffer_t *memory = make_iota();
  for (size_t i = 0; i < COUNT_OF(dtypes) * COUNT_OF(counts); ++i) {
    ck_dtype_t dtype = dtypes[i / COUNT_OF(counts)];
    uint32_t components = counts[i % COUNT_OF(counts)];
    size_t bytes = ck_dtype_bytes(dtype) * components, align = bytes < 16 ? bytes : 16;
    ck_view_t whole;
    CHECK_OK(ck_view_from_buffer(memory, 0, dtype, components, 1, (int64_t[]){2}, NULL, &whole));
    for (size_t offset = 0; offset < 33; ++offset) {
      ck_status_t want = offset % align ? CK_INVALID_ARGUMENT : CK_OK;
      struct DLManagedTensorVersioned *tensor;
      struct DLManagedTensor *old;
      ck_buffer_t *buffer = NULL;
      ck_view_t view;
      CHECK_OK(ck_view_to_dlpack(&whole, &tensor));
      tensor->tensor.byte_offset = offset;
      CHECK_STATUS(ck_view_from_dlpack(bench.device, tensor, &buffer, &view), want);
      if (want) CHECK(!buffer), CHECK_ERROR("which is no multiple of"), tensor->deleter(tensor);
      ck_buffer_release(buffer);
      buffer = NULL;
      CHECK_OK(ck_view_to_dlpack_unversioned(&whole, &old));
      old->tensor.byte_offset = offset;
      CHECK_STATUS(ck_view_from_dlpack_unversioned(bench.device, old, &buffer, &view), want);
      if (want) CHECK(!buffer), old->deleter(old);
      ck_buffer_release(buffer);
      CHECK_OK(ck_buffer_from_native(bench.device, ck_buffer_native(memory) + offset, 512, NULL,
                                     NULL, &buffer));
      CHECK_STATUS(
          ck_view_from_buffer(buffer, 0, dtype, components, 1, (int64_t[]){2}, NULL, &view), want);
      CHECK_OK(ck_view_from_buffer(buffer, 0, CK_U8, 1, 1, (int64_t[]){256}, NULL, &view));
      CHECK_STATUS(ck_view_cast(&view, dtype, components, &view), want);
      ck_buffer_release(buffer);
    }
  }
  ck_buffer_release(memory);
}

/* A tensor without elements may have no memory: it can be exported and imported like others. */
TEST(dlpack_of_nothing)
{
  static const DlDevice types[] = {DL_CPU, DL_CUDA, DL_CUDA_HOST, DL_CUDA_MANAGED};
  int64_t extents[] = {3, 0};
  for (size_t i = ck_device_is_host(bench.device) ? 0 : 1; i < COUNT_OF(types); ++i) {
    struct DLManagedTensorVersioned tensor = {.major = 1,
                                              .tensor = {.device_type = types[i],
                                                         .rank = 2,
                                                         .code = DL_FLOAT,
                                                         .bits = 32,
                                                         .lanes = 1,
                                                         .extents = extents,
                                                         .byte_offset = 8}};
    struct DLManagedTensorVersioned *again;
    ck_buffer_t *buffer;
    ck_view_t view;
    if (types[i] == DL_CUDA && ck_device_is_host(bench.device)) continue;
    if (types[i] == DL_CUDA) tensor.tensor.device_id = ck_device_ordinal(bench.device);
    CHECK_OK(ck_view_from_dlpack(bench.device, &tensor, &buffer, &view));
    CHECK(!ck_buffer_native(buffer) && ck_buffer_flags(buffer) & CK_MEMORY_DEVICE);
    CHECK_OK(ck_view_to_dlpack(&view, &again));
    CHECK(again->tensor.device_type ==
          (int32_t)(ck_device_is_host(bench.device) ? DL_CPU : types[i]));
    again->deleter(again);
    ck_buffer_release(buffer);
  }
}

TEST(dlpack_shapes_that_are_none)
{
  int64_t extents[] = {INT64_MAX, INT64_MAX};
  int32_t word = 0;
  struct DLManagedTensorVersioned tensor = {
      .major = 1,
      .tensor = {.data = &word, .device_type = DL_CUDA_HOST, .rank = 2, .bits = 32, .lanes = 1}};
  ck_buffer_t *buffer;
  ck_view_t view;
  CHECK_STATUS(ck_view_from_dlpack(bench.device, &tensor, &buffer, &view), CK_INVALID_ARGUMENT);
  CHECK_ERROR("tensor of 2 axes has no extents");
  tensor.tensor.extents = extents;
  CHECK_STATUS(ck_view_from_dlpack(bench.device, &tensor, &buffer, &view), CK_INVALID_ARGUMENT);
  CHECK_ERROR("larger than any memory");
  extents[0] = INT64_MIN;
  CHECK_STATUS(ck_view_from_dlpack(bench.device, &tensor, &buffer, &view), CK_INVALID_ARGUMENT);
  for (int i = 0; i < 2; ++i) { /* empty, whichever of the two comes first */
    extents[i] = INT64_MAX;
    extents[!i] = 0;
    tensor.tensor.strides = i ? extents : NULL;
    CHECK_OK(ck_view_from_dlpack(bench.device, &tensor, &buffer, &view));
    CHECK(!ck_view_count(&view));
    ck_buffer_release(buffer);
  }
  tensor.tensor.data = NULL;
  tensor.tensor.byte_offset = 4096;
  extents[0] = extents[1] = 1;
  CHECK_STATUS(ck_view_from_dlpack(bench.device, &tensor, &buffer, &view), CK_INVALID_ARGUMENT);
  CHECK(!buffer);
}

/* cuda.core's tests of layouts ----------------------------------------------------------------- */

/* Lists the elements of a view in order, as indices into the buffer. */
static uint64_t walk(const ck_view_t *view, int64_t *out, uint64_t most)
{
  int64_t at[CK_MAX_RANK] = {0};
  uint64_t count = 0;
  if (!ck_view_count(view)) return 0;
  do
    if (count < most) out[count++] = place(view, at);
  while (advance(view, at));
  return count;
}

static void is_walk(const ck_view_t *view, const int64_t *want, uint64_t count)
{
  int64_t got[COUNT];
  CHECK(walk(view, got, COUNT) == count && !memcmp(got, want, count * sizeof *got));
}

static bool is_shape(const ck_view_t *view, uint32_t rank, const int64_t *extents,
                     const int64_t *strides)
{
  return view->rank == rank && !memcmp(view->extents, extents, rank * sizeof *extents) &&
         !memcmp(view->strides, strides, rank * sizeof *strides);
}

/* Row-major and column-major, of several types, also read-only. */
TEST(from_buffer)
{
  static const int64_t shapes[][3] = {{0, 0, 0}, {2, 3, 0}, {10, 10, 0}, {10, 13, 7}};
  static const uint32_t ranks[] = {0, 2, 2, 3};
  ck_buffer_t *buffer = make_iota();
  for (size_t i = 0; i < COUNT_OF(ranks); ++i)
    for (int way = 0; way < 4; ++way) {
      int64_t strides[3], next = 1;
      uint32_t rank = ranks[i];
      ck_dtype_t dtype = way & 1 ? CK_U32 : CK_I8;
      ck_view_t view;
      for (uint32_t k = 0; k < rank; ++k) {
        uint32_t axis = way & 2 ? k : rank - 1 - k; /* column-major, row-major */
        strides[axis] = next;
        next *= shapes[i][axis];
      }
      CHECK_OK(ck_view_from_buffer(buffer, 0, dtype, 1, rank, shapes[i], strides, &view));
      view.flags = CK_VIEW_READ_ONLY;
      CHECK(ck_view_count(&view) == (uint64_t)next && is_shape(&view, rank, shapes[i], strides));
      CHECK(ck_view_native(&view) == ck_buffer_native(buffer) && view.buffer == buffer);
      CHECK(!ck_view_is_dense(&view) == (way & 2 && rank > 1));
    }
  ck_buffer_release(buffer);
}

TEST(from_buffer_sliced)
{
  ck_buffer_t *buffer = make_iota();
  for (int by_column = 0; by_column < 2; ++by_column) {
    ck_view_t view, part;
    CHECK_OK(ck_view_from_buffer(buffer, 0, CK_I16, 1, 2, (int64_t[]){5, 7},
                                 by_column ? (int64_t[]){1, 5} : (int64_t[]){7, 1}, &view));
    CHECK_OK(ck_view_slice(&view, 0, 0, 3, 1, &part));
    CHECK_OK(ck_view_slice(&part, 1, 3, 7, 1, &part));
    uint64_t offset = by_column ? 3 * 5 : 3;
    CHECK(part.extents[0] == 3 && part.extents[1] == 4 && part.offset == 2 * offset);
    CHECK(ck_view_native(&part) == ck_buffer_native(buffer) + 2 * offset);
  }
  ck_buffer_release(buffer);
}

/* Adopted row-major or column-major memory, sliced and transposed. */
TEST(view_sliced_external)
{
  ck_buffer_t *memory = make_iota(), *buffer;
  ck_view_t view, part;
  CHECK_OK(ck_buffer_from_native(bench.device, ck_buffer_native(memory), 4 * COUNT, NULL, NULL,
                                 &buffer));
  for (int by_column = 0; by_column < 2; ++by_column) {
    CHECK_OK(ck_view_from_buffer(buffer, 0, CK_I32, 1, 2, (int64_t[]){5, 6},
                                 by_column ? (int64_t[]){1, 5} : (int64_t[]){6, 1}, &view));
    CHECK_OK(ck_view_slice(&view, 0, 2, 3, 1, &part));
    CHECK_OK(ck_view_reshape(&part, 1, (int64_t[]){6}, &part));
    CHECK_OK(ck_view_slice(&part, 0, 1, 5, 1, &part));
    if (by_column) is_walk(&part, (int64_t[]){7, 12, 17, 22}, 4);
    else is_walk(&part, (int64_t[]){13, 14, 15, 16}, 4);
    CHECK(ck_view_native(&part) != ck_view_native(&view));
    CHECK_OK(ck_view_from_buffer(buffer, 0, CK_I32, 1, 3, (int64_t[]){10, 9, 11},
                                 by_column ? (int64_t[]){1, 10, 90} : NULL, &view));
    CHECK_OK(ck_view_slice(&view, 0, 0, 10, 2, &part));
    CHECK_OK(ck_view_slice(&part, 1, 8, -1, -1, &part));
    CHECK_OK(ck_view_slice(&part, 2, 2, 8, 1, &part));
    CHECK(part.extents[0] == 5 && part.extents[1] == 9 && part.extents[2] == 6);
    CHECK(part.strides[1] == (by_column ? -10 : -11) && !ck_view_is_dense(&part));
  }
  CHECK_OK(ck_view_from_buffer(buffer, 16, CK_I32, 1, 1, (int64_t[]){5}, (int64_t[]){-1}, &view));
  CHECK_OK(ck_view_slice(&view, 0, 3, 5, 1, &part));
  CHECK(ck_view_native(&part) == ck_view_native(&view) - 12 && part.strides[0] == -1);
  is_walk(&part, (int64_t[]){1, 0}, 2);
  ck_buffer_release(buffer);
  ck_buffer_release(memory);
}

/* Views without elements, of one element, and with strides that are never used: exported and
 * imported. */
TEST(view_zero_size)
{
  static const struct {
    uint32_t rank;
    int64_t extents[3], strides[3];
    uint64_t count;
  } rows[] = {{0, {0}, {0}, 1},       {1, {0}, {1}, 0},       {2, {0, 0}, {0, 0}, 0},
              {3, {0, 0, 0}, {0}, 0}, {2, {0, 3}, {3, 1}, 0}, {2, {1, 1}, {0, 0}, 1}};
  ck_buffer_t *buffer = make_iota(), *back;
  for (size_t i = 0; i < COUNT_OF(rows); ++i) {
    struct DLManagedTensorVersioned *tensor;
    ck_view_t view, again;
    CHECK_OK(ck_view_from_buffer(buffer, 0, CK_F64, 1, rows[i].rank, rows[i].extents,
                                 rows[i].strides, &view));
    CHECK(ck_view_count(&view) == rows[i].count && ck_view_is_dense(&view));
    CHECK_OK(ck_view_to_dlpack(&view, &tensor));
    CHECK(tensor->tensor.rank == (int32_t)rows[i].rank);
    CHECK_OK(ck_view_from_dlpack(bench.device, tensor, &back, &again));
    CHECK(ck_view_count(&again) == rows[i].count && again.rank == rows[i].rank);
    CHECK(!memcmp(again.extents, view.extents, sizeof view.extents));
    CHECK_OK(ck_view_copy(&again, &view, bench.stream)); /* onto itself: no element, or one */
    CHECK_OK(ck_stream_sync(bench.stream));
    ck_buffer_release(back);
  }
  ck_buffer_release(buffer);
}

TEST(slice_of_slice)
{
  ck_buffer_t *buffer = make_iota();
  ck_view_t view, part;
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_U32, 1, 1, (int64_t[]){13}, NULL, &view));
  CHECK_OK(ck_view_slice(&view, 0, 12, -1, -1, &part));
  CHECK_OK(ck_view_slice(&part, 0, 12, -1, -1, &part)); /* and back */
  CHECK(is_shape(&part, 1, view.extents, view.strides) && part.offset == 0);
  CHECK_OK(ck_view_slice(&view, 0, 12, -1, -1, &part));
  CHECK_OK(ck_view_slice(&part, 0, 1, 12, 1, &part));
  CHECK_OK(ck_view_slice(&part, 0, 10, -1, -1, &part));
  CHECK(part.extents[0] == 11 && part.strides[0] == 1 && part.offset == 4);
  CHECK_OK(ck_view_slice(&view, 0, 10, 2, -2, &part));
  is_walk(&part, (int64_t[]){10, 8, 6, 4}, 4);
  CHECK_OK(ck_view_slice(&part, 0, 1, 3, 1, &part));
  is_walk(&part, (int64_t[]){8, 6}, 2);
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_U32, 1, 2, (int64_t[]){3, 5}, NULL, &view));
  CHECK_OK(ck_view_slice(&view, 0, 3, 3, 1, &part));
  CHECK(ck_view_count(&part) == 0);
  ck_buffer_release(buffer);
}

TEST(reshape)
{
  enum { MOST = 4 };
  static const struct {
    uint32_t rank, to_rank;
    int64_t from[MOST];
    uint32_t axes[MOST]; /* all 0: as it is */
    int64_t to[MOST];
    bool is_good;
  } rows[] = {
      {0, 0, {0}, {0}, {0}, true},
      {0, 3, {0}, {0}, {1, -1, 1}, true},
      {1, 0, {1}, {0}, {0}, true},
      {1, 1, {12}, {0}, {11}, false},
      {1, 1, {0}, {0}, {0}, true},
      {1, 2, {0}, {0}, {1, 3}, false},
      {1, 2, {0}, {0}, {1, -1}, true},
      {1, 2, {0}, {0}, {0, -1}, false},
      {3, 2, {3, 0, 3}, {0}, {5, 0}, true},
      {1, 3, {12}, {0}, {2, 3, 2}, true},
      {2, 4, {12, 11}, {0}, {2, 3, -1, 11}, true},
      {2, 4, {12, 11}, {0}, {2, 11, 3, 2}, true},
      {2, 3, {5, 12}, {0}, {2, 5, 6}, true},
      {3, 2, {2, 3, 2}, {1, 2, 0}, {6, 2}, true},
      {3, 2, {2, 3, 2}, {1, 2, 0}, {2, 6}, false},
      {3, 1, {2, 3, 2}, {1, 2, 0}, {12}, false},
      {3, 3, {2, 3, 2}, {1, 0, 2}, {3, 2, 2}, true},
      {3, 2, {2, 3, 2}, {1, 0, 2}, {3, 4}, false},
      {3, 2, {7, 6, 5}, {0}, {70, -1}, true},
      {3, 2, {7, 6, 5}, {0}, {71, -1}, false},
      {3, 2, {7, 6, 5}, {0}, {-2, 71}, false},
      {3, 3, {7, 6, 5}, {0}, {-1, 6, -1}, false},
      {3, 3, {7, 0, 5}, {0}, {5, 0, -1}, false},
  };
  ck_buffer_t *buffer = make_iota();
  for (size_t i = 0; i < COUNT_OF(rows); ++i) {
    int64_t want[COUNT], got[COUNT];
    ck_view_t view, made;
    CHECK_OK(ck_view_from_buffer(buffer, 0, CK_U32, 1, rows[i].rank, rows[i].from, NULL, &view));
    if (rows[i].axes[0]) CHECK_OK(ck_view_permute(&view, rows[i].axes, &view));
    ck_status_t status = ck_view_reshape(&view, rows[i].to_rank, rows[i].to, &made);
    if (!CHECK_STATUS(status, rows[i].is_good ? CK_OK : CK_INVALID_ARGUMENT))
      printf("row %zu\n", i);
    if (status != CK_OK) continue;
    uint64_t count = walk(&view, want, COUNT);
    CHECK(walk(&made, got, COUNT) == count && !memcmp(got, want, count * sizeof *got));
  }
  ck_buffer_release(buffer);
}

/* Evenly spaced axes can be merged into one, as by a reshape. */
TEST(flatten)
{
  ck_buffer_t *buffer = make_iota();
  ck_view_t view, made;
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_U32, 1, 4, (int64_t[]){5, 1, 8, 3}, NULL, &view));
  CHECK_OK(ck_view_reshape(&view, 1, (int64_t[]){-1}, &made));
  CHECK(is_shape(&made, 1, (int64_t[]){120}, (int64_t[]){1}));
  CHECK_OK(ck_view_slice(&view, 3, 2, -1, -2, &view));
  CHECK_OK(ck_view_reshape(&view, 2, (int64_t[]){40, 2}, &made));
  CHECK(is_shape(&made, 2, (int64_t[]){40, 2}, (int64_t[]){3, -2}));
  CHECK_STATUS(ck_view_reshape(&view, 1, (int64_t[]){80}, &made), CK_INVALID_ARGUMENT);
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_U32, 1, 4, (int64_t[]){5, 2, 4, 3}, NULL, &view));
  CHECK_OK(ck_view_slice(&view, 1, 1, -1, -1, &view));
  CHECK_OK(ck_view_reshape(&view, 3, (int64_t[]){5, 2, 12}, &made));
  CHECK(is_shape(&made, 3, (int64_t[]){5, 2, 12}, (int64_t[]){24, -12, 1}));
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_U32, 1, 4, (int64_t[]){5, 4, 3, 7}, NULL, &view));
  CHECK_OK(ck_view_permute(&view, (uint32_t[]){2, 3, 0, 1}, &view));
  CHECK_OK(ck_view_reshape(&view, 2, (int64_t[]){21, 20}, &made));
  CHECK(is_shape(&made, 2, (int64_t[]){21, 20}, (int64_t[]){1, 21}));
  ck_buffer_release(buffer);
}

/* Two views, and the result of flattening them together. */
typedef struct Together {
  uint32_t rank, flat_rank;
  struct {
    int64_t extents[6], strides[6];
  } views[2], flat[2];
} Together;

TEST(flatten_together)
{
  static const Together rows[] = {
      {0, 0, {{{0}, {0}}, {{0}, {0}}}, {{{0}, {0}}, {{0}, {0}}}},
      {1, 1, {{{255}, {1}}, {{70}, {1}}}, {{{255}, {1}}, {{70}, {1}}}},
      {4,
       1,
       {{{2, 7, 13, 5}, {455, 65, 5, 1}}, {{3, 5, 11, 1}, {55, 11, 1, 1}}},
       {{{910}, {1}}, {{165}, {1}}}},
      {4,
       3,
       {{{5, 7, 13, 2}, {1, 65, 5, 455}}, {{3, 5, 11, 1}, {55, 11, 1, 1}}},
       {{{5, 91, 2}, {1, 5, 455}}, {{3, 55, 1}, {55, 1, 1}}}},
      {4,
       2,
       {{{2, 7, 13, 5}, {455, 65, 5, 1}}, {{11, 1, 3, 5}, {1, 1, 55, 11}}},
       {{{14, 65}, {65, 1}}, {{11, 15}, {1, 11}}}},
      {6,
       4,
       {{{4, 5, 11, 2, 3, 7}, {55, 11, 1, 660, 220, 1320}},
        {{3, 8, 5, 6, 7, 9}, {72, 9, 3024, 504, 72, 1}}},
       {{{20, 11, 6, 7}, {11, 1, 220, 1320}}, {{24, 5, 42, 9}, {9, 3024, 72, 1}}}},
      {3, 1, {{{4, 0, 6}, {1, 9, 50}}, {{4, 2, 6}, {12, 6, 1}}}, {{{0}, {50}}, {{48}, {1}}}},
      {2, 2, {{{4, 5}, {-5, 1}}, {{4, 5}, {5, 1}}}, {{{4, 5}, {-5, 1}}, {{4, 5}, {5, 1}}}},
      {2, 1, {{{4, 5}, {0, 0}}, {{4, 5}, {-5, -1}}}, {{{20}, {0}}, {{20}, {-1}}}},
  };
  ck_buffer_t *buffer;
  CHECK_OK(ck_buffer_create(bench.device, 64 << 10, bench.stream, &buffer));
  for (size_t i = 0; i < COUNT_OF(rows); ++i) {
    ck_view_t views[2], flat[2];
    for (int k = 0; k < 2; ++k)
      CHECK_OK(ck_view_from_buffer(buffer, 32 << 10, CK_U8, 1, rows[i].rank,
                                   rows[i].views[k].extents, rows[i].views[k].strides, &views[k]));
    CHECK_OK(ck_view_flatten(views, 2, flat));
    for (int k = 0; k < 2; ++k)
      if (!CHECK(is_shape(&flat[k], rows[i].flat_rank, rows[i].flat[k].extents,
                          rows[i].flat[k].strides)))
        printf("row %zu, view %d\n", i, k);
    CHECK_OK(ck_view_flatten(flat, 2, flat)); /* in place; a second time changes nothing */
    CHECK(flat[0].rank == rows[i].flat_rank && flat[1].rank == rows[i].flat_rank);
  }
  ck_view_t views[2];
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_U8, 1, 2, (int64_t[]){4, 5}, NULL, &views[0]));
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_U8, 1, 1, (int64_t[]){20}, NULL, &views[1]));
  CHECK_STATUS(ck_view_flatten(views, 2, views), CK_INVALID_ARGUMENT);
  CHECK_ERROR("view 1 has 1 axes, the first has 2");
  CHECK(views[0].rank == 2);
  CHECK_OK(ck_view_flatten(views, 1, views));
  CHECK(views[0].rank == 1 && views[0].extents[0] == 20);
  CHECK_OK(ck_view_flatten(NULL, 0, NULL));
  CHECK_STATUS(ck_view_flatten(NULL, 1, views), CK_INVALID_ARGUMENT);
  views[0].buffer = NULL;
  CHECK_STATUS(ck_view_flatten(views, 1, views), CK_INVALID_ARGUMENT);
  /* More elements than an extent can express, all at one address. */
  int64_t huge[] = {INT64_MAX, 2};
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_U8, 1, 2, huge, (int64_t[]){0, 0}, &views[0]));
  CHECK_OK(ck_view_flatten(views, 1, views));
  CHECK(views[0].rank == 2);
  ck_buffer_release(buffer);
}

TEST(squeezed)
{
  ck_buffer_t *buffer = make_iota();
  ck_view_t view, made;
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_U32, 1, 5, (int64_t[]){1, 5, 1, 4, 3}, NULL, &view));
  CHECK_OK(ck_view_slice(&view, 1, 4, 5, 1, &view));
  CHECK_OK(ck_view_slice(&view, 3, 0, 4, 2, &view));
  CHECK_OK(ck_view_reshape(&view, 2, (int64_t[]){2, 3}, &made));
  CHECK(is_shape(&made, 2, (int64_t[]){2, 3}, (int64_t[]){6, 1}) && made.offset == view.offset);
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_U32, 1, 3, (int64_t[]){7, 0, 1}, NULL, &view));
  CHECK_OK(ck_view_reshape(&view, 1, (int64_t[]){0}, &made));
  CHECK(ck_view_count(&made) == 0);
  ck_buffer_release(buffer);
}

TEST(unsqueezed)
{
  ck_buffer_t *buffer = make_iota();
  ck_view_t view, made;
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_U32, 1, 3, (int64_t[]){4, 5, 7}, NULL, &view));
  CHECK_OK(ck_view_slice(&view, 1, 4, -1, -1, &view));
  CHECK_OK(ck_view_slice(&view, 2, 0, 7, 3, &view));
  int64_t want[60];
  CHECK(walk(&view, want, 60) == 60);
  for (uint32_t axis = 0; axis <= 3; ++axis) {
    int64_t extents[4];
    for (uint32_t i = 0, k = 0; i < 4; ++i) extents[i] = i == axis ? 1 : view.extents[k++];
    CHECK_OK(ck_view_reshape(&view, 4, extents, &made));
    is_walk(&made, want, 60);
  }
  CHECK_STATUS(ck_view_reshape(&view, 9, (int64_t[9]){1, 1, 1, 1, 1, 1, 4, 5, 3}, &made),
               CK_INVALID_ARGUMENT);
  ck_buffer_release(buffer);
}

TEST(packed_unpacked)
{
  ck_buffer_t *buffer = make_iota();
  ck_view_t view, made, back;
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_U16, 1, 4, (int64_t[]){4, 5, 2, 6}, NULL, &view));
  CHECK_OK(ck_view_cast(&view, CK_U32, 1, &made));
  CHECK(made.extents[3] == 3 && made.strides[2] == 3 && made.strides[0] == 30);
  CHECK_OK(ck_view_cast(&made, CK_U16, 1, &back));
  CHECK(is_shape(&back, 4, view.extents, view.strides));
  CHECK_STATUS(ck_view_cast(&view, CK_U64, 1, &made), CK_INVALID_ARGUMENT); /* 6 by 4 */
  CHECK_OK(ck_view_from_buffer(buffer, 4, CK_U32, 1, 2, (int64_t[]){5, 4}, NULL, &view));
  CHECK_STATUS(ck_view_cast(&view, CK_U64, 1, &made), CK_INVALID_ARGUMENT); /* at 4 bytes */
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_U32, 1, 2, (int64_t[]){5, 6}, NULL, &view));
  CHECK_OK(ck_view_slice(&view, 1, 1, 5, 1, &made));
  CHECK_STATUS(ck_view_cast(&made, CK_U64, 1, &made), CK_INVALID_ARGUMENT); /* cut at 1 */
  CHECK_OK(ck_view_permute(&view, (uint32_t[]){1, 0}, &made));
  CHECK_STATUS(ck_view_cast(&made, CK_U64, 1, &made), CK_INVALID_ARGUMENT); /* no run */
  CHECK_OK(
      ck_view_from_buffer(buffer, 0, CK_U32, 1, 2, (int64_t[]){3, 4}, (int64_t[]){5, 1}, &view));
  CHECK_STATUS(ck_view_cast(&view, CK_U64, 1, &made), CK_INVALID_ARGUMENT); /* rows of 5 */
  CHECK_STATUS(ck_view_cast(&view, CK_U32, 0, &made), CK_INVALID_ARGUMENT);
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_U64, 1, 2, (int64_t[]){5, 0}, NULL, &view));
  CHECK_OK(ck_view_cast(&view, CK_U32, 1, &made)); /* empty stays empty */
  CHECK(ck_view_count(&made) == 0);
  CHECK_OK(
      ck_view_from_buffer(buffer, 0, CK_U64, 1, 2, (int64_t[]){5, 4}, (int64_t[]){1, 5}, &view));
  CHECK_STATUS(ck_view_cast(&view, CK_U32, 1, &made), CK_INVALID_ARGUMENT);
  ck_buffer_release(buffer);
}

TEST(broadcast_layout)
{
  ck_buffer_t *buffer = make_iota();
  ck_view_t view, made;
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_U32, 1, 0, NULL, NULL, &view));
  CHECK_OK(ck_view_broadcast(&view, 3, (int64_t[]){17, 1, 5}, &made));
  CHECK(ck_view_count(&made) == 85 && !made.strides[0] && !made.strides[2]);
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_U32, 1, 2, (int64_t[]){5, 11}, NULL, &view));
  CHECK_OK(ck_view_slice(&view, 0, 4, -1, -1, &view));
  CHECK_OK(ck_view_slice(&view, 1, 3, 4, 1, &view));
  CHECK_OK(ck_view_broadcast(&view, 3, (int64_t[]){2, 5, 3}, &made));
  is_walk(&made, (int64_t[]){47, 47, 47, 36, 36, 36, 25, 25, 25, 14, 14, 14, 3, 3, 3,
                             47, 47, 47, 36, 36, 36, 25, 25, 25, 14, 14, 14, 3, 3, 3},
          30);
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_U32, 1, 1, (int64_t[]){5}, NULL, &view));
  CHECK_OK(ck_view_broadcast(&view, 2, (int64_t[]){2, 5}, &made));
  CHECK_STATUS(ck_view_copy(&made, &view, bench.stream), CK_INVALID_ARGUMENT); /* one place */
  ck_buffer_release(buffer);
}

/* A copy into dense memory has the same elements in the requested order. */
TEST(to_dense)
{
  ck_buffer_t *buffer = make_iota(), *dense;
  ck_view_t view, made;
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_U32, 1, 3, (int64_t[]){3, 5, 7}, NULL, &view));
  CHECK_OK(ck_view_permute(&view, (uint32_t[]){1, 0, 2}, &view));
  CHECK_OK(ck_view_slice(&view, 2, 1, 6, 2, &view));
  for (int by_column = 0; by_column < 2; ++by_column) {
    uint32_t out[45], wrong = 0;
    int64_t want[45], at[3] = {0};
    CHECK_OK(ck_buffer_create(bench.device, sizeof out, bench.stream, &dense));
    CHECK_OK(ck_view_from_buffer(dense, 0, CK_U32, 1, 3, view.extents,
                                 by_column ? (int64_t[]){1, 5, 15} : NULL, &made));
    CHECK_OK(ck_view_copy(&made, &view, bench.stream));
    CHECK_OK(ck_buffer_read(dense, 0, out, sizeof out, bench.stream));
    CHECK_OK(ck_stream_sync(bench.stream));
    CHECK(walk(&view, want, 45) == 45);
    for (int i = 0; i < 45; ++i, advance(&made, at)) wrong += out[place(&made, at)] != want[i];
    CHECK(wrong == 0);
    ck_buffer_release(dense);
  }
  ck_buffer_release(buffer);
}

/* more DLPack ---------------------------------------------------------------------------------- */

/* A view of memory that another library exports. */
TEST(strided_memory_view)
{
  static const struct {
    uint32_t rank;
    int64_t extents[2], strides[2];
    uint8_t bits;
    DlCode code;
  } rows[] = {{1, {3, 0}, {1, 0}, 32, DL_INT},   {2, {3, 3}, {12, 2}, 64, DL_FLOAT},
              {2, {3, 4}, {1, 3}, 64, DL_FLOAT}, {0, {0, 0}, {0, 0}, 16, DL_FLOAT},
              {1, {0, 0}, {1, 0}, 64, DL_FLOAT}, {2, {3, 5}, {10, 1}, 32, DL_FLOAT}};
  ck_buffer_t *memory = make_iota(), *buffer;
  bool is_host = ck_device_is_host(bench.device);
  for (size_t i = 0; i < COUNT_OF(rows); ++i) {
    int64_t extents[2] = {rows[i].extents[0], rows[i].extents[1]},
            strides[2] = {rows[i].strides[0], rows[i].strides[1]};
    ck_view_t view;
    struct DLManagedTensorVersioned tensor = {
        .major = 1,
        .flags = i & 1 ? DL_READ_ONLY : 0,
        .tensor = {.data = (void *)(uintptr_t)ck_buffer_native(memory),
                   .device_type = is_host ? DL_CPU : DL_CUDA,
                   .device_id = is_host ? 0 : ck_device_ordinal(bench.device),
                   .rank = (int32_t)rows[i].rank,
                   .code = (uint8_t)rows[i].code,
                   .bits = rows[i].bits,
                   .lanes = 1,
                   .extents = extents,
                   .strides = strides}};
    CHECK_OK(ck_view_from_dlpack(bench.device, &tensor, &buffer, &view));
    CHECK(ck_view_native(&view) == ck_buffer_native(memory) || !ck_view_count(&view));
    CHECK(view.rank == rows[i].rank && !memcmp(view.extents, extents, 8 * view.rank));
    CHECK(!ck_view_count(&view) || !memcmp(view.strides, strides, 8 * view.rank));
    CHECK(ck_view_element_bytes(&view) * 8 == rows[i].bits);
    CHECK(!(view.flags & CK_VIEW_READ_ONLY) == !(i & 1));
    CHECK(ck_buffer_device(buffer) == bench.device && view.buffer == buffer);
    ck_buffer_release(buffer); /* without a deleter, nothing is called */
  }
  ck_buffer_release(memory);
}

/* The device of an exported tensor, and its import. */
TEST(dlpack_device)
{
  bool is_host = ck_device_is_host(bench.device);
  for (int kind = 0; kind < 4; ++kind) {
    static const DlDevice devices[] = {DL_CUDA, DL_CUDA_HOST, DL_CUDA_MANAGED, DL_CUDA_MANAGED};
    struct DLManagedTensorVersioned *tensor;
    ck_memory_resource_t *resource;
    ck_buffer_t *buffer, *back;
    ck_view_t view;
    ck_status_t status = kind == 0 ? ck_memory_resource_create_device(bench.device, NULL, &resource)
                         : kind == 1 ? ck_memory_resource_create_pinned(bench.device, &resource)
                         : kind == 2
                             ? ck_memory_resource_create_legacy_managed(bench.device, &resource)
                             : ck_memory_resource_create_managed(bench.device, NULL, &resource);
    if (status == CK_UNSUPPORTED) continue;
    CHECK_STATUS(status, CK_OK);
    CHECK_OK(ck_memory_resource_create_buffer(resource, 1024, bench.stream, &buffer));
    CHECK_OK(ck_view_from_buffer(buffer, 0, CK_U8, 1, 1, (int64_t[]){1024}, NULL, &view));
    CHECK_OK(ck_view_to_dlpack(&view, &tensor));
    CHECK(tensor->tensor.device_type == (int32_t)(is_host ? DL_CPU : devices[kind]));
    CHECK(tensor->tensor.device_id == (is_host || kind == 1 ? 0 : ck_device_ordinal(bench.device)));
    CHECK_OK(ck_view_from_dlpack(bench.device, tensor, &back, &view));
    CHECK(ck_buffer_flags(back) & CK_MEMORY_DEVICE);
    CHECK(!(kind >= 2 && !(ck_buffer_flags(back) & CK_MEMORY_HOST)));
    ck_buffer_release(back);
    ck_buffer_release(buffer);
    ck_memory_resource_release(resource);
  }
}

static ck_status_t give_words(void *data, size_t bytes, ck_stream_t *stream, uint64_t *out_address,
                              void **out_host)
{
  (void)bytes, (void)stream, (void)out_host;
  *out_address = (uintptr_t)data;
  return CK_OK;
}

static void take_words(void *data, uint64_t address, size_t bytes, ck_stream_t *stream)
{
  (void)data, (void)address, (void)bytes, (void)stream;
}

static size_t widest(const ck_view_t *view, size_t most)
{
  size_t bytes = 99;
  CHECK_OK(ck_view_get_widest(view, most, &bytes));
  return bytes;
}

TEST(max_compatible_itemsize)
{
  ck_buffer_t *buffer = bench_buffer(&bench, 1024);
  ck_view_t view;
  size_t bytes = 99;
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_F32, 1, 2, (int64_t[]){4, 12}, NULL, &view));
  CHECK(widest(&view, 64) == 16 && widest(&view, 8) == 8 && widest(&view, 4) == 4);
  CHECK_STATUS(ck_view_get_widest(&view, 0, &bytes), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_view_get_widest(&view, 3, &bytes), CK_INVALID_ARGUMENT);
  CHECK_ERROR("at most 3 bytes, the elements have 4");
  CHECK(!bytes);
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_F32, 1, 2, (int64_t[]){4, 6}, NULL, &view));
  CHECK(widest(&view, 16) == 8); /* rows of 24 bytes */
  CHECK_OK(ck_view_from_buffer(buffer, 4, CK_F32, 1, 1, (int64_t[]){12}, NULL, &view));
  CHECK(widest(&view, 16) == 4); /* the address */
  CHECK_OK(
      ck_view_from_buffer(buffer, 0, CK_F32, 1, 2, (int64_t[]){4, 12}, (int64_t[]){14, 1}, &view));
  CHECK(widest(&view, 16) == 8); /* the stride */
  CHECK_OK(
      ck_view_from_buffer(buffer, 0, CK_F32, 1, 2, (int64_t[]){4, 12}, (int64_t[]){1, 4}, &view));
  CHECK(widest(&view, 16) == 4); /* the last axis is not dense */
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_F64, 8, 1, (int64_t[]){4}, NULL, &view));
  CHECK(widest(&view, 64) == 64);
  ck_buffer_release(buffer);
}

/* Memory without any access flag, which only a GPU can have; invalid types; a NULL output. */
TEST(dlpack_device_failure)
{
  static unsigned char words[1024];
  ck_memory_functions_t functions = CK_OPTIONS_INIT(ck_memory_functions_t);
  struct DLManagedTensorVersioned *tensor;
  struct DLManagedTensor *old;
  ck_memory_resource_t *resource;
  ck_buffer_t *buffer, *back;
  ck_view_t view, good;
  functions.allocate = give_words;
  functions.deallocate = take_words;
  functions.data = words;
  CHECK_OK(ck_memory_resource_from_functions(bench.device, &functions, &resource));
  CHECK_OK(ck_memory_resource_create_buffer(resource, sizeof words, NULL, &buffer));
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_U8, 1, 1, (int64_t[]){1024}, NULL, &view));
  good = view;
  if (!ck_device_is_host(bench.device)) {
    CHECK_STATUS(ck_view_to_dlpack(&view, &tensor), CK_INVALID_ARGUMENT);
    CHECK_ERROR("neither a device nor the CPU reaches the buffer");
    CHECK_STATUS(ck_view_to_dlpack_unversioned(&view, &old), CK_INVALID_ARGUMENT);
  }
  view.dtype = CK_NONE;
  view.components = 0;
  CHECK_STATUS(ck_view_to_dlpack(&view, &tensor), CK_INVALID_ARGUMENT);
  CHECK(!tensor);
  view = good;
  view.components = 3;
  CHECK_STATUS(ck_view_to_dlpack(&view, &tensor), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_view_to_dlpack(&good, NULL), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_view_to_dlpack(NULL, &tensor), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_view_from_dlpack(bench.device, NULL, &back, &view), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_view_from_dlpack(bench.device, tensor, NULL, &view), CK_INVALID_ARGUMENT);
  ck_buffer_release(buffer);
  ck_memory_resource_release(resource);
  /* Memory of the caller's functions that only the CPU can access. */
  functions.flags = CK_MEMORY_HOST;
  CHECK_OK(ck_memory_resource_from_functions(bench.device, &functions, &resource));
  CHECK_OK(ck_memory_resource_create_buffer(resource, sizeof words, NULL, &buffer));
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_U8, 1, 1, (int64_t[]){1024}, NULL, &view));
  CHECK_OK(ck_view_to_dlpack(&view, &tensor));
  CHECK(tensor->tensor.device_type == DL_CPU && tensor->tensor.device_id == 0);
  CHECK(tensor->tensor.data == words && ck_buffer_host(buffer) == words);
  tensor->deleter(tensor);
  ck_buffer_release(buffer);
  ck_memory_resource_release(resource);
}

/* structures ----------------------------------------------------------------------------------- */

typedef struct Pair {
  double first;
  int64_t second;
} Pair;

#pragma pack(push, 1)
typedef struct Odd {
  int32_t a;
  int8_t b;
} Odd;
#pragma pack(pop)

static ck_buffer_t *make_from(const void *data, size_t bytes)
{
  ck_buffer_t *buffer = NULL;
  CHECK_OK(ck_buffer_create(bench.device, bytes, bench.stream, &buffer));
  CHECK_OK(ck_buffer_write(buffer, 0, data, bytes, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  return buffer;
}

static void read_from(const ck_buffer_t *buffer, void *data, size_t bytes)
{
  CHECK_OK(ck_buffer_read(buffer, 0, data, bytes, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
}

TEST(struct_array)
{
  enum { PAIRS = 12 };
  Pair pairs[PAIRS], out[PAIRS];
  for (int i = 0; i < PAIRS; ++i) pairs[i] = (Pair){i + 0.5, -i};
  ck_buffer_t *buffer = make_from(pairs, sizeof pairs), *other = make_from(pairs, sizeof pairs);
  ck_view_t view, to, field;
  CHECK_OK(
      ck_view_from_buffer(buffer, 0, CK_NONE, sizeof(Pair), 2, (int64_t[]){3, 4}, NULL, &view));
  CHECK(ck_view_count(&view) * ck_view_element_bytes(&view) == sizeof pairs);
  CHECK(ck_view_count(&view) == PAIRS && view.extents[0] == 3 && ck_view_is_dense(&view));
  CHECK_OK(ck_view_permute(&view, (uint32_t[]){1, 0}, &view));
  CHECK_OK(ck_view_from_buffer(other, 0, CK_NONE, sizeof(Pair), 2, (int64_t[]){4, 3}, NULL, &to));
  CHECK_OK(ck_view_copy(&to, &view, bench.stream)); /* a transpose of whole structures */
  read_from(other, out, sizeof out);
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 3; ++k) CHECK(!memcmp(&out[3 * i + k], &pairs[4 * k + i], sizeof(Pair)));
  /* One field of all structures: the fields become an axis. */
  CHECK_OK(ck_view_reshape(&to, 2, (int64_t[]){PAIRS, 1}, &field));
  CHECK_OK(ck_view_cast(&field, CK_I64, 1, &field));
  CHECK_OK(ck_view_slice(&field, 1, 1, 2, 1, &field));
  CHECK(field.extents[0] == PAIRS && field.strides[0] == 2 && field.offset == 8);
  ck_buffer_release(other);
  ck_buffer_release(buffer);
}

TEST(from_buffer_with_non_power_of_two_itemsize)
{
  enum { ODDS = 7 };
  Odd odds[ODDS], out[ODDS] = {{0, 0}};
  struct DLManagedTensorVersioned *tensor;
  struct DLManagedTensor *old;
  for (int i = 0; i < ODDS; ++i) odds[i] = (Odd){1000 * i, (int8_t)i};
  ck_buffer_t *buffer = make_from(odds, sizeof odds), *other = make_from(out, sizeof out), *back;
  ck_view_t view, to;
  size_t widest;
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_NONE, 5, 1, (int64_t[]){ODDS}, NULL, &view));
  CHECK(ck_view_element_bytes(&view) == 5 && view.dtype == CK_NONE);
  CHECK_OK(ck_view_get_widest(&view, 16, &widest));
  CHECK(widest == 5);
  CHECK_OK(ck_view_slice(&view, 0, 1, ODDS, 2, &view)); /* 1, 3, 5 */
  CHECK(view.offset == 5 && view.strides[0] == 2 && view.extents[0] == 3);
  CHECK_OK(
      ck_view_from_buffer(other, 3, CK_NONE, 5, 1, (int64_t[]){3}, NULL, &to)); /* any offset */
  CHECK_OK(ck_view_copy(&to, &view, bench.stream));
  unsigned char bytes[sizeof out];
  read_from(other, bytes, sizeof bytes);
  for (int i = 0; i < 3; ++i) CHECK(!memcmp(bytes + 3 + 5 * i, &odds[2 * i + 1], 5));
  CHECK(bytes[2] == 0 && bytes[18] == 0);
  CHECK_STATUS(ck_view_from_buffer(buffer, 3, CK_NONE, 5, 1, (int64_t[]){ODDS}, NULL, &to),
               CK_INVALID_ARGUMENT);
  CHECK_ERROR("does not lie in its buffer of 35 bytes");
  CHECK_STATUS(ck_view_from_buffer(buffer, 0, CK_NONE, 0, 1, (int64_t[]){ODDS}, NULL, &to),
               CK_INVALID_ARGUMENT);
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_NONE, 7, 1, (int64_t[]){3}, NULL, &to));
  CHECK_STATUS(ck_view_copy(&to, &view, bench.stream), CK_INVALID_ARGUMENT); /* other structures */
  CHECK_ERROR("elements of 5 x none to 7 x none");
  CHECK_STATUS(ck_view_to_dlpack(&view, &tensor), CK_UNSUPPORTED);
  CHECK_ERROR("DLPack has no type for structures of 5 bytes: ck_view_cast makes them");
  CHECK_STATUS(ck_view_to_dlpack_unversioned(&view, &old), CK_UNSUPPORTED);
  CHECK(!tensor && !old);
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_NONE, 5, 1, (int64_t[]){ODDS}, NULL, &view));
  CHECK_STATUS(ck_view_cast(&view, CK_U16, 1, &to), CK_INVALID_ARGUMENT); /* 35 bytes */
  CHECK_OK(ck_view_cast(&view, CK_U8, 1, &to));
  CHECK(to.extents[0] == 35);
  CHECK_OK(ck_view_to_dlpack(&to, &tensor));
  CHECK_OK(ck_view_from_dlpack(bench.device, tensor, &back, &to));
  CHECK_OK(ck_view_cast(&to, CK_NONE, 5, &to));
  CHECK(to.extents[0] == ODDS && ck_view_native(&to) == ck_view_native(&view));
  ck_buffer_release(back);
  ck_buffer_release(other);
  ck_buffer_release(buffer);
}

/* A DLTensor that refers to the view's own arrays. */
TEST(dltensor)
{
  ck_buffer_t *buffer = make_iota();
  struct DLManagedTensorVersioned *managed;
  ck_view_t view;
  DlTensor tensor;
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_F32, 2, 2, (int64_t[]){6, 8}, NULL, &view));
  CHECK_OK(ck_view_slice(&view, 0, 5, -1, -2, &view));
  CHECK_OK(ck_view_get_dltensor(&view, &tensor));
  CHECK_OK(ck_view_to_dlpack(&view, &managed));
  CHECK(tensor.extents == view.extents && tensor.strides == view.strides);
  CHECK(tensor.data == managed->tensor.data && tensor.byte_offset == 0);
  CHECK(tensor.code == managed->tensor.code && tensor.bits == 32 && tensor.lanes == 2);
  CHECK(tensor.device_type == managed->tensor.device_type && tensor.rank == 2);
  CHECK(tensor.device_id == managed->tensor.device_id && tensor.strides[0] == -16);
  managed->deleter(managed);
  CHECK_OK(ck_view_from_buffer(buffer, 16, CK_I64, 1, 0, NULL, NULL, &view)); /* a scalar */
  CHECK_OK(ck_view_get_dltensor(&view, &tensor));
  CHECK(tensor.rank == 0 && tensor.code == DL_INT && tensor.bits == 64);
  CHECK_STATUS(ck_view_get_dltensor(&view, NULL), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_view_get_dltensor(NULL, &tensor), CK_INVALID_ARGUMENT);
  CHECK(!tensor.data && !tensor.bits);
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_NONE, 12, 0, NULL, NULL, &view));
  CHECK_STATUS(ck_view_get_dltensor(&view, &tensor), CK_UNSUPPORTED);
  CHECK_ERROR("DLPack has no type for structures of 12 bytes");
  ck_buffer_release(buffer);
}

/* A tensor that nobody imports is deleted by its holder; one without a deleter is only referred to.
 */
TEST(dlpack_deleters)
{
  ck_buffer_t *buffer = make_iota(), *back;
  struct DLManagedTensorVersioned *tensor;
  struct DLManagedTensor *old;
  ck_view_t view, again;
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_I32, 1, 1, (int64_t[]){6}, NULL, &view));
  CHECK_OK(ck_view_to_dlpack(&view, &tensor));
  CHECK_OK(ck_view_to_dlpack_unversioned(&view, &old));
  ck_buffer_release(buffer); /* retained by the tensors */
  tensor->deleter(tensor);
  void (*deleter)(struct DLManagedTensor *) = old->deleter;
  old->deleter = NULL;
  CHECK_OK(ck_view_from_dlpack_unversioned(bench.device, old, &back, &again));
  CHECK(ck_view_native(&again) == ck_view_native(&view));
  ck_buffer_release(back);
  deleter(old);
}

TEST(from_dlpack_malformed_dtype)
{
  static const struct {
    uint8_t code, bits;
    uint16_t lanes;
    ck_status_t status;
  } rows[] = {{DL_UINT, 24, 1, CK_UNSUPPORTED}, {DL_INT, 24, 1, CK_UNSUPPORTED},
              {DL_FLOAT, 8, 1, CK_UNSUPPORTED}, {5, 32, 1, CK_UNSUPPORTED},
              {DL_BOOL, 1, 1, CK_UNSUPPORTED},  {255, 8, 1, CK_UNSUPPORTED},
              {DL_INT, 32, 0, CK_UNSUPPORTED},  {DL_INT, 32, 3, CK_UNSUPPORTED},
              {DL_INT, 32, 32, CK_UNSUPPORTED}, {DL_INT, 32, 2, CK_OK}};
  ck_buffer_t *buffer = make_iota(), *back;
  ck_view_t view, again;
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_I32, 1, 1, (int64_t[]){4}, NULL, &view));
  for (size_t i = 0; i < COUNT_OF(rows); ++i) {
    struct DLManagedTensorVersioned *tensor;
    CHECK_OK(ck_view_to_dlpack(&view, &tensor));
    tensor->tensor.code = rows[i].code;
    tensor->tensor.bits = rows[i].bits;
    tensor->tensor.lanes = rows[i].lanes;
    ck_status_t status = ck_view_from_dlpack(bench.device, tensor, &back, &again);
    CHECK_STATUS(status, rows[i].status);
    if (status == CK_OK) ck_buffer_release(back);
    else tensor->deleter(tensor);
  }
  ck_buffer_release(buffer);
}

int main(void)
{
  bench_open_any(&bench);
  run_all();
  bench_close(&bench);
  return tests_report();
}
