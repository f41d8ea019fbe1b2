/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* view.c - views of views beside plain loops, and DLPack out and in, on the device that $CK_DEVICE
 * names. */
#include "view.h"
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

/* Where the element with these indices lies, in elements. */
static int64_t place(const ck_view_t *view, const int64_t *at)
{
  int64_t sum = (int64_t)(view->offset / 4);
  for (uint32_t i = 0; i < view->rank; ++i) sum += at[i] * view->strides[i];
  return sum;
}

/* The next indices, the last one fastest; false behind the last. */
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
  CHECK_OK(ck_view_make(buffer, 16, CK_U32, 1, 3, (int64_t[]){3, 4, 5}, NULL, &view));
  CHECK(view.strides[0] == 20 && view.strides[1] == 5 && view.strides[2] == 1);
  CHECK(ck_view_is_dense(&view) && ck_view_count(&view) == 60);
  CHECK(ck_view_element_bytes(&view) == 4);
  CHECK(ck_view_native(&view) == ck_buffer_native(buffer) + 16);
  CHECK_OK(ck_view_make(buffer, 0, CK_U32, 4, 1, (int64_t[]){COUNT / 4}, NULL, &view));
  CHECK(ck_view_element_bytes(&view) == 16);
  CHECK_OK(ck_view_make(buffer, 0, CK_U32, 1, 0, NULL, NULL, &view));
  CHECK(ck_view_count(&view) == 1);
  CHECK_OK(ck_view_make(buffer, 4 * COUNT, CK_U32, 1, 2, (int64_t[]){0, 7}, NULL, &view));
  CHECK(!ck_view_count(&view));
  CHECK_OK(ck_view_make(buffer, 36, CK_U32, 1, 1, (int64_t[]){10}, (int64_t[]){-1}, &view));
  CHECK_STATUS(ck_view_make(buffer, 32, CK_U32, 1, 1, (int64_t[]){10}, (int64_t[]){-1}, &view),
               CK_INVALID_ARGUMENT);
  CHECK_ERROR("does not lie in its buffer of 4096 bytes");
  CHECK_STATUS(ck_view_make(buffer, 4, CK_U32, 1, 1, (int64_t[]){COUNT}, NULL, &view),
               CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_view_make(buffer, 2, CK_U32, 1, 1, (int64_t[]){1}, NULL, &view),
               CK_INVALID_ARGUMENT);
  CHECK_ERROR("no multiple of 4");
  CHECK_STATUS(ck_view_make(buffer, 0, CK_U32, 3, 1, (int64_t[]){1}, NULL, &view),
               CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_view_make(buffer, 0, CK_U32, 1, 9, (int64_t[9]){0}, NULL, &view),
               CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_view_make(buffer, 0, CK_U32, 1, 1, (int64_t[]){-3}, NULL, &view),
               CK_INVALID_ARGUMENT);
  int64_t huge[] = {INT64_MAX, INT64_MAX};
  CHECK_STATUS(ck_view_make(buffer, 0, CK_U32, 1, 2, huge, NULL, &view), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_view_make(buffer, 0, CK_U32, 1, 1, huge, huge, &view), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_view_make(NULL, 0, CK_U32, 1, 0, NULL, NULL, &view), CK_INVALID_ARGUMENT);
  ck_buffer_release(buffer);
}

TEST(slice)
{
  ck_buffer_t *buffer = make_iota();
  ck_view_t all, part;
  CHECK_OK(ck_view_make(buffer, 0, CK_U32, 1, 2, (int64_t[]){8, 10}, NULL, &all));
  CHECK_OK(ck_view_slice(&all, 1, 2, 9, 3, &part)); /* 2, 5, 8 */
  CHECK(part.extents[1] == 3 && part.strides[1] == 3 && part.offset == 8);
  CHECK_OK(ck_view_slice(&part, 0, 7, -1, -2, &part)); /* 7, 5, 3, 1 */
  CHECK(part.extents[0] == 4 && part.strides[0] == -20 && part.offset == 4 * (70 + 2));
  CHECK_OK(ck_view_slice(&all, 0, 8, 8, 1, &part));
  CHECK(!ck_view_count(&part) && ck_view_is_dense(&part));
  CHECK_OK(ck_view_slice(&all, 0, 3, 8, INT64_MAX, &part)); /* one; its stride is never taken */
  CHECK(part.extents[0] == 1 && ck_view_is_dense(&part));
  CHECK_STATUS(ck_view_slice(&all, 2, 0, 1, 1, &part), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_view_slice(&all, 0, 0, 9, 1, &part), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_view_slice(&all, 0, 4, 3, 1, &part), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_view_slice(&all, 0, 0, 3, 0, &part), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_view_slice(&all, 0, 8, 3, -1, &part), CK_INVALID_ARGUMENT);
  ck_buffer_release(buffer);
}

TEST(permute_and_broadcast)
{
  ck_buffer_t *buffer = make_iota();
  ck_view_t all, made;
  CHECK_OK(ck_view_make(buffer, 0, CK_U32, 1, 3, (int64_t[]){2, 3, 4}, NULL, &all));
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
  CHECK_OK(ck_view_make(buffer, 0, CK_U32, 1, 2, (int64_t[]){6, 8}, NULL, &all));
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
  CHECK_STATUS(ck_view_cast(&all, CK_NONE, 1, &made), CK_INVALID_ARGUMENT);
  ck_buffer_release(buffer);
}

/* A random view of the first 960 elements, with no stride below 0. */
static ck_view_t draw_view(ck_buffer_t *buffer)
{
  ck_view_t view;
  CHECK_OK(ck_view_make(buffer, 0, CK_U32, 1, 4, (int64_t[]){4, 5, 6, 8}, NULL, &view));
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
    CHECK_OK(ck_view_make(dst, 4 * draw(8), CK_U32, 1, 4, from.extents, NULL, &to));
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
  CHECK_OK(ck_view_make(src, 4, CK_U32, 1, 0, NULL, NULL, &one));
  CHECK_OK(ck_view_make(src, 8, CK_U32, 1, 1, (int64_t[]){9}, NULL, &all));
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
  CHECK_OK(ck_view_make(buffer, 0, CK_U32, 1, 1, (int64_t[]){4}, NULL, &a));
  CHECK_OK(ck_view_make(buffer, 64, CK_F32, 1, 1, (int64_t[]){4}, NULL, &b));
  CHECK_STATUS(ck_view_copy(&b, &a, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_OK(ck_view_make(buffer, 64, CK_U32, 1, 1, (int64_t[]){5}, NULL, &b));
  CHECK_STATUS(ck_view_copy(&b, &a, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_OK(ck_view_slice(&a, 0, 3, -1, -1, &c));
  CHECK_OK(ck_view_make(buffer, 64, CK_U32, 1, 1, (int64_t[]){4}, NULL, &b));
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
    CHECK_OK(ck_view_make(buffer, 0, dtypes[i], 2, 2, (int64_t[]){6, 8}, NULL, &view));
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
  bool is_host = bench.device->is_host;
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
  CHECK_STATUS(ck_view_from_dlpack(bench.device, &tensor, &buffer, &view), CK_INVALID_ARGUMENT);
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

int main(void)
{
  bench_open_any(&bench);
  RUN(make);
  RUN(slice);
  RUN(permute_and_broadcast);
  RUN(reshape_and_cast);
  RUN(copy);
  RUN(copy_errors);
  RUN(dlpack_round);
  RUN(dlpack_foreign);
  bench_close(&bench);
  return tests_report();
}
