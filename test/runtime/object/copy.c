/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* copy.c - tests copies of boxes and strided arrays, batches, and fills, on the device that
 * $CK_DEVICE names; with cuda.core's test_copy_batch.py, test_copy_batch_options.py and
 * test_copy_single_options.py in C. */
#include <sys/mman.h>
#include <time.h>

#include "fixture.h"

static Bench bench;

enum { COUNT = 4096 }; /* u32 of each buffer */

static ck_buffer_t *make(void)
{
  ck_buffer_t *buffer = NULL;
  CHECK_OK(ck_buffer_create(bench.device, COUNT * 4, bench.stream, &buffer));
  CHECK_OK(ck_buffer_fill(buffer, 0, COUNT * 4, 0, 4, bench.stream)); /* all of it is compared */
  return buffer;
}

/* 0, 1, 2, ... */
static ck_buffer_t *make_iota(uint32_t *words)
{
  ck_buffer_t *buffer = make();
  for (uint32_t i = 0; i < COUNT; ++i) words[i] = i;
  CHECK_OK(ck_buffer_write(buffer, 0, words, COUNT * 4, bench.stream));
  return buffer;
}

static void read_all(ck_buffer_t *buffer, uint32_t *words)
{
  CHECK_OK(ck_buffer_read(buffer, 0, words, COUNT * 4, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
}

TEST(box_2d)
{
  uint32_t in[COUNT], out[COUNT], host[3 * 5];
  ck_buffer_t *src = make_iota(in), *dst = make();
  ck_copy_box_t box = CK_OPTIONS_INIT(ck_copy_box_t);
  box.src = (ck_copy_side_t){.buffer = src, .offset = 4 * 7, .row_bytes = 4 * 20};
  box.dst = (ck_copy_side_t){.buffer = dst, .offset = 4 * 2, .row_bytes = 4 * 9};
  box.width = 4 * 5;
  box.height = 3;
  CHECK_OK(ck_buffer_fill(dst, 0, COUNT * 4, 0xffffffff, 4, bench.stream));
  CHECK_OK(ck_copy_box(&box, bench.stream));
  read_all(dst, out);
  unsigned wrong = 0;
  for (uint32_t i = 0; i < 40; ++i) {
    uint32_t row = (i - 2) / 9, column = (i - 2) % 9;
    bool is_inside = i >= 2 && row < 3 && column < 5;
    wrong += out[i] != (is_inside ? 7 + row * 20 + column : 0xffffffff);
  }
  CHECK(wrong == 0);
  /* To dense host memory, and back into the first rows. */
  box.dst = (ck_copy_side_t){.host = host};
  CHECK_OK(ck_copy_box(&box, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  for (uint32_t i = 0; i < 15; ++i) wrong += host[i] != 7 + i / 5 * 20 + i % 5;
  CHECK(wrong == 0);
  box.src = (ck_copy_side_t){.host = host};
  box.dst = (ck_copy_side_t){.buffer = dst, .row_bytes = 4 * 100};
  CHECK_OK(ck_copy_box(&box, bench.stream));
  read_all(dst, out);
  CHECK(out[0] == 7 && out[100] == 27 && out[204] == 51);
  ck_buffer_release(src);
  ck_buffer_release(dst);
}

TEST(box_3d)
{
  uint32_t in[COUNT], out[COUNT];
  ck_buffer_t *src = make_iota(in), *dst = make();
  ck_copy_box_t box = CK_OPTIONS_INIT(ck_copy_box_t);
  box.src = (ck_copy_side_t){.buffer = src, .offset = 4 * 3, .row_bytes = 4 * 16, .rows = 10};
  box.dst = (ck_copy_side_t){.buffer = dst};
  box.width = 4 * 6;
  box.height = 4;
  box.depth = 5;
  CHECK_OK(ck_copy_box(&box, bench.stream));
  read_all(dst, out);
  unsigned wrong = 0;
  for (uint32_t i = 0; i < 6 * 4 * 5; ++i)
    wrong += out[i] != 3 + i / 24 * 160 + i / 6 % 4 * 16 + i % 6;
  CHECK(wrong == 0);
  ck_buffer_release(src);
  ck_buffer_release(dst);
}

/* Like libcuda: compares each pitch with the width, even for a single row. */
static CUresult copy_2d_strictly(const CUDA_MEMCPY2D *copy, CUstream stream)
{
  if (copy->srcPitch < copy->WidthInBytes || copy->dstPitch < copy->WidthInBytes)
    return CUDA_ERROR_INVALID_VALUE;
  return bench.device->driver->cuMemcpy2DAsync(copy, stream);
}

TEST(box_of_one_row)
{
  Driver driver = *bench.device->driver;
  ck_device_t *device;
  ck_buffer_t *src, *dst;
  ck_copy_box_t box = CK_OPTIONS_INIT(ck_copy_box_t);
  unsigned char out[128] = {0};
  driver.cuMemcpy2DAsync = copy_2d_strictly;
  CHECK_OK(device_open(&driver, ck_device_ordinal(bench.device), &device));
  CHECK_OK(ck_buffer_create(device, 128, NULL, &src));
  CHECK_OK(ck_buffer_create(device, 128, NULL, &dst));
  CHECK_OK(ck_buffer_fill_box(src, 0, 16, 128, 1, 7, 1, NULL));
  box.src = (ck_copy_side_t){.buffer = src, .row_bytes = 8};
  box.dst = (ck_copy_side_t){.buffer = dst, .row_bytes = 16};
  box.width = 128;
  CHECK_OK(ck_copy_box(&box, NULL));
  CHECK_OK(ck_buffer_read(dst, 0, out, sizeof out, NULL));
  CHECK_OK(ck_device_sync(device));
  CHECK(out[0] == 7 && out[127] == 7);
  ck_buffer_release(src);
  ck_buffer_release(dst);
  ck_device_release(device);
}

/* CUDA's driver does not treat memory of a host pool as device memory. */
TEST(boxes_of_a_pool_of_the_host)
{
  uint32_t words[COUNT], out[COUNT];
  ck_memory_resource_t *pool;
  ck_buffer_t *src = make_iota(words), *dst = make(), *locked;
  ck_status_t status = ck_memory_resource_create_pinned_pool(bench.device, NULL, &pool);
  if (status == CK_OK) {
    CHECK_OK(ck_memory_resource_create_buffer(pool, COUNT * 4, bench.stream, &locked));
    ck_copy_box_t box = CK_OPTIONS_INIT(ck_copy_box_t);
    box.width = 4 * 5, box.height = 3;
    for (box.depth = 1; box.depth < 3; ++box.depth) {
      box.src = (ck_copy_side_t){.buffer = src, .row_bytes = 4 * 8, .rows = 4};
      box.dst = (ck_copy_side_t){.buffer = locked, .row_bytes = 4 * 6, .rows = 3};
      CHECK_OK(ck_copy_box(&box, bench.stream));
      box.src = box.dst;
      box.dst = (ck_copy_side_t){.buffer = dst, .row_bytes = 4 * 5, .rows = 3};
      CHECK_OK(ck_copy_box(&box, bench.stream));
      read_all(dst, out);
      for (uint32_t i = 0; i < 15 * box.depth; ++i)
        CHECK(out[i] == i / 15 * 32 + i / 5 % 3 * 8 + i % 5);
    }
    ck_buffer_release(locked);
    ck_memory_resource_release(pool);
  } else CHECK_STATUS(status, CK_UNSUPPORTED);
  ck_buffer_release(src);
  ck_buffer_release(dst);
}

/* Rows further apart than the driver's box copies allow. */
TEST(rows_far_apart)
{
  const size_t far = (size_t)1 << 31;
  char *memory = mmap(NULL, far + 64, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  unsigned char out[128];
  ck_buffer_t *dst;
  ck_copy_box_t box = CK_OPTIONS_INIT(ck_copy_box_t);
  if (!CHECK(memory != MAP_FAILED)) return;
  memset(memory, 1, 64);
  memset(memory + far, 2, 64);
  CHECK_OK(ck_buffer_create(bench.device, sizeof out, bench.stream, &dst));
  box.src = (ck_copy_side_t){.host = memory, .row_bytes = far};
  box.dst.buffer = dst;
  box.width = 64;
  box.height = 2;
  CHECK_OK(ck_copy_box(&box, bench.stream));
  CHECK_OK(ck_buffer_read(dst, 0, out, sizeof out, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK(out[0] == 1 && out[63] == 1 && out[64] == 2 && out[127] == 2);
  ck_buffer_release(dst);
  munmap(memory, far + 64);
}

TEST(box_errors)
{
  ck_buffer_t *a = make(), *b = make();
  ck_copy_box_t box = CK_OPTIONS_INIT(ck_copy_box_t);
  box.src.buffer = a;
  box.dst.buffer = b;
  CHECK_OK(ck_copy_box(&box, bench.stream)); /* nothing */
  box.width = COUNT * 4;
  CHECK_OK(ck_copy_box(&box, bench.stream));
  box.height = 2;
  CHECK_STATUS(ck_copy_box(&box, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_ERROR("ck_copy_box: 32768 bytes at offset 0, the buffer has 16384 bytes");
  box.width = 100;
  box.src.row_bytes = 99;
  CHECK_STATUS(ck_copy_box(&box, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_ERROR("rows of src have 99 bytes, the box has 100");
  box.src.row_bytes = 0;
  box.depth = 2;
  box.dst.rows = 1;
  CHECK_STATUS(ck_copy_box(&box, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_ERROR("planes of dst have 1 rows, the box has 2");
  box.dst.rows = SIZE_MAX / 2;
  CHECK_STATUS(ck_copy_box(&box, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_ERROR("larger than any memory");
  box.dst = (ck_copy_side_t){0};
  CHECK_STATUS(ck_copy_box(&box, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_ERROR("neither a buffer nor host memory");
  box.src.buffer = NULL;
  CHECK_STATUS(ck_copy_box(&box, bench.stream), CK_INVALID_ARGUMENT);
  ck_buffer_release(a);
  ck_buffer_release(b);
}

/* strides ------------------------------------------------------------------------------------ */

enum { RANK = 4 };

/* Performs the same copy on the CPU, and compares. */
static void try_strides(const uint64_t *extents, const int64_t *dst_strides,
                        const int64_t *src_strides)
{
  uint32_t in[COUNT], out[COUNT], expected[COUNT];
  ck_buffer_t *src = make_iota(in), *dst = make();
  memset(expected, 0xff, sizeof expected);
  CHECK_OK(ck_buffer_fill(dst, 0, COUNT * 4, 0xffffffff, 4, bench.stream));
  ck_copy_strided_side_t to = {.buffer = dst, .offset = 8, .strides = dst_strides};
  ck_copy_strided_side_t from = {.buffer = src, .offset = 4, .strides = src_strides};
  CHECK_OK(ck_copy_strided(&to, &from, 4, RANK, extents, bench.stream));
  read_all(dst, out);
  uint64_t at[RANK];
  for (at[0] = 0; at[0] < extents[0]; ++at[0])
    for (at[1] = 0; at[1] < extents[1]; ++at[1])
      for (at[2] = 0; at[2] < extents[2]; ++at[2])
        for (at[3] = 0; at[3] < extents[3]; ++at[3]) {
          uint64_t d = 2, s = 1, dense = 1;
          for (int k = RANK - 1; k >= 0; --k) {
            d += at[k] * (dst_strides ? (uint64_t)dst_strides[k] : dense);
            s += at[k] * (src_strides ? (uint64_t)src_strides[k] : dense);
            dense *= extents[k];
          }
          expected[d] = in[s];
        }
  CHECK(!memcmp(out, expected, sizeof out));
  ck_buffer_release(src);
  ck_buffer_release(dst);
}

TEST(strided)
{
  static const struct {
    uint64_t extents[RANK];
    int64_t dst[RANK], src[RANK];
  } rows[] = {
      {{2, 3, 4, 5}, {60, 20, 5, 1}, {60, 20, 5, 1}},     /* dense: one copy */
      {{2, 3, 4, 5}, {60, 20, 5, 1}, {400, 100, 10, 2}},  /* every second element */
      {{1, 1, 16, 33}, {1, 1, 33, 1}, {1, 1, 1, 16}},     /* a transpose */
      {{2, 3, 4, 5}, {1, 2, 6, 24}, {60, 20, 5, 1}},      /* all axes turned round */
      {{2, 3, 4, 5}, {60, 20, 5, 1}, {0, 0, 5, 1}},       /* broadcast */
      {{2, 3, 4, 5}, {60, 20, 5, 1}, {1, 1, 1, 1}},       /* windows that overlap */
      {{2, 3, 4, 5}, {500, 130, 11, 1}, {700, 90, 7, 1}}, /* planes that are no multiple of rows */
      {{1, 1, 1, 1}, {9, 9, 9, 9}, {7, 7, 7, 7}},         /* one element */
      {{0, 3, 4, 5}, {60, 20, 5, 1}, {60, 20, 5, 1}},     /* none */
  };
  for (size_t i = 0; i < COUNT_OF(rows); ++i)
    try_strides(rows[i].extents, rows[i].dst, rows[i].src);
  try_strides(rows[0].extents, NULL, rows[1].src);
  try_strides(rows[0].extents, rows[3].dst, NULL);
}

/* Strides of dst that are not nested: elements overlap, or not. */
TEST(strides_that_do_not_nest)
{
  static const struct {
    uint64_t extents[RANK];
    int64_t dst[RANK];
    ck_status_t status;
  } rows[] = {
      {{1, 1, 2, 3}, {0, 0, 3, 2}, CK_OK}, /* 0 2 4, 3 5 7 */
      {{1, 1, 3, 4}, {0, 0, 3, 2}, CK_INVALID_ARGUMENT},
      {{1, 2, 3, 4}, {0, 1, 9, 2}, CK_OK}, /* 0 2 4 6, 1 3 5 7, ... */
      {{1, 2, 3, 5}, {0, 1, 9, 2}, CK_INVALID_ARGUMENT},
      {{5, 4, 3, 1}, {12, 15, 20, 0}, CK_OK}, /* remainders of 60 */
      {{6, 5, 3, 1}, {12, 15, 20, 0}, CK_INVALID_ARGUMENT},
      {{1, 1, 2, 2}, {0, 0, 7, 7}, CK_INVALID_ARGUMENT},
  };
  ck_buffer_t *a = make(), *b = make();
  for (size_t i = 0; i < COUNT_OF(rows); ++i) {
    ck_copy_strided_side_t to = {.buffer = a, .strides = rows[i].dst}, from = {.buffer = b};
    CHECK_STATUS(ck_copy_strided(&to, &from, 4, RANK, rows[i].extents, bench.stream),
                 rows[i].status);
    if (rows[i].status != CK_OK) CHECK_ERROR("elements of dst overlap");
    else try_strides(rows[i].extents, rows[i].dst, NULL);
  }
  CHECK_OK(ck_stream_sync(bench.stream));
  ck_buffer_release(a);
  ck_buffer_release(b);
}

TEST(strided_errors)
{
  ck_buffer_t *a = make(), *b = make();
  ck_copy_strided_side_t to = {.buffer = a}, from = {.buffer = b};
  const uint64_t extents[] = {64, 64, 64, 64, 64, 64, 64, 64};
  const int64_t zero[] = {0, 1}, negative[] = {-64, 1};
  CHECK_OK(ck_copy_strided(&to, &from, 4, 2, extents, bench.stream));
  CHECK_OK(ck_copy_strided(&to, &from, 4, 0, NULL, bench.stream)); /* a scalar */
  CHECK_STATUS(ck_copy_strided(&to, &from, 4, 3, extents, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_copy_strided(&to, &from, 4, 9, extents, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_copy_strided(&to, &from, 0, 1, extents, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_copy_strided(&to, &from, SIZE_MAX, 1, extents, bench.stream),
               CK_INVALID_ARGUMENT);
  to.strides = zero;
  CHECK_STATUS(ck_copy_strided(&to, &from, 4, 2, extents, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_ERROR("elements of dst overlap");
  to.strides = negative;
  CHECK_STATUS(ck_copy_strided(&to, &from, 4, 2, extents, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_ERROR("stride 0 is negative");
  ck_buffer_release(a);
  ck_buffer_release(b);
}

/* batches ------------------------------------------------------------------------------------ */

static ck_copy_range_t range(ck_buffer_t *dst, size_t to, ck_buffer_t *src, size_t from, size_t n)
{
  return (ck_copy_range_t){dst, 4 * to, src, 4 * from, 4 * n, NULL};
}

TEST(copy_batch)
{
  uint32_t in[COUNT], out[COUNT];
  ck_buffer_t *src = make_iota(in), *dst = make();
  ck_copy_range_t ranges[4] = {range(dst, 0, src, 100, 10), range(dst, 50, src, 0, 5),
                               range(dst, 60, src, 1, 0), range(dst, COUNT - 1, src, 7, 1)};
  CHECK_OK(ck_buffer_fill(dst, 0, COUNT * 4, 0xffffffff, 4, bench.stream));
  CHECK_OK(ck_copy_batch(ranges, 4, NULL, bench.stream));
  read_all(dst, out);
  CHECK(out[0] == 100 && out[9] == 109 && out[10] == 0xffffffff);
  CHECK(out[50] == 0 && out[54] == 4 && out[60] == 0xffffffff && out[COUNT - 1] == 7);
  CHECK_OK(ck_copy_batch(NULL, 0, NULL, bench.stream));
  ck_buffer_release(src);
  ck_buffer_release(dst);
}

/* Four ranges of page-locked memory, and four of the device's. */
enum { RANGES = 4, RANGE_WORDS = 1024 };

typedef struct Pairs {
  ck_buffer_t *host[RANGES], *there[RANGES];
} Pairs;

static Pairs make_pairs(void)
{
  Pairs pairs;
  ck_memory_resource_t *pinned;
  CHECK_OK(ck_memory_resource_create_pinned(bench.device, &pinned));
  for (int i = 0; i < RANGES; ++i) {
    CHECK_OK(ck_memory_resource_create_buffer(pinned, 4 * RANGE_WORDS, NULL, &pairs.host[i]));
    pairs.there[i] = make();
  }
  ck_memory_resource_release(pinned);
  return pairs;
}

static void release_pairs(Pairs *pairs)
{
  for (int i = 0; i < RANGES; ++i) {
    ck_buffer_release(pairs->host[i]);
    ck_buffer_release(pairs->there[i]);
  }
}

static bool all_are(const ck_buffer_t *buffer, uint32_t value)
{
  uint32_t words[RANGE_WORDS];
  int wrong = 0;
  CHECK_OK(ck_buffer_read(buffer, 0, words, sizeof words, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  for (int i = 0; i < RANGE_WORDS; ++i) wrong += words[i] != value;
  return wrong == 0;
}

/* Copies each range with another value to the device or back, and checks the result. Returns the
 * status of the batch. */
static ck_status_t copy_pairs(const Pairs *pairs, bool is_up, uint32_t mark,
                              const ck_copy_options_t *options)
{
  ck_copy_range_t ranges[RANGES];
  for (uint32_t i = 0; i < RANGES; ++i) {
    ck_buffer_t *dst = is_up ? pairs->there[i] : pairs->host[i];
    ck_buffer_t *src = is_up ? pairs->host[i] : pairs->there[i];
    ranges[i] = range(dst, 0, src, 0, RANGE_WORDS);
    CHECK_OK(ck_buffer_fill(src, 0, 4 * RANGE_WORDS, mark + i, 4, bench.stream));
    CHECK_OK(ck_buffer_fill(dst, 0, 4 * RANGE_WORDS, 0xffffffff, 4, bench.stream));
  }
  CHECK_OK(ck_stream_sync(bench.stream)); /* CK_SOURCE_ANY requires it */
  ck_status_t status = ck_copy_batch(ranges, RANGES, options, bench.stream);
  for (uint32_t i = 0; i < RANGES && status == CK_OK; ++i) CHECK(all_are(ranges[i].dst, mark + i));
  return status;
}

/* Older drivers can't read the source during the call. */
static bool is_done(ck_status_t status)
{
  CHECK(status == CK_OK || (status == CK_UNSUPPORTED && !ck_device_is_host(bench.device)));
  return status == CK_OK;
}

TEST(src_access_order)
{
  ck_copy_options_t options = CK_OPTIONS_INIT(ck_copy_options_t);
  Pairs pairs = make_pairs();
  for (int order = 0; order <= CK_SOURCE_ANY; ++order)
    for (int is_up = 0; is_up < 2; ++is_up) {
      options.source_order = (ck_source_order_t)order; /* 0: the default */
      ck_status_t status = copy_pairs(&pairs, is_up, 100 * (uint32_t)order + 10, &options);
      if (order != CK_SOURCE_DURING_API_CALL) CHECK_OK(status);
      else is_done(status);
    }
  release_pairs(&pairs);
}

TEST(overlap_mode_copies_correctly)
{
  ck_copy_options_t options = CK_OPTIONS_INIT(ck_copy_options_t);
  Pairs pairs = make_pairs();
  options.flags = CK_COPY_PREFER_OVERLAP;
  CHECK_OK(copy_pairs(&pairs, true, 90, &options));
  CHECK_OK(copy_pairs(&pairs, false, 190, &options));
  release_pairs(&pairs);
}

static void nap(void *data)
{
  (void)data;
  nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
}

/* A copy after slow work; it must read its source during the call, before that work is done. */
static bool copy_during_call(ck_buffer_t *dst, ck_buffer_t *src)
{
  ck_copy_options_t options = CK_OPTIONS_INIT(ck_copy_options_t);
  ck_copy_range_t one = range(dst, 0, src, 0, RANGE_WORDS);
  options.source_order = CK_SOURCE_DURING_API_CALL;
  CHECK_OK(ck_buffer_fill(dst, 0, 4 * RANGE_WORDS, 0xffffffff, 4, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK_OK(ck_stream_launch_host(bench.stream, nap, NULL));
  return is_done(ck_copy_batch(&one, 1, &options, bench.stream));
}

/* Its source is overwritten when the call returns: page-locked memory, and memory of the stack,
 * which the driver does not know. */
TEST(during_api_call_copy_from)
{
  uint32_t words[RANGE_WORDS];
  Pairs pairs = make_pairs();
  ck_buffer_t *stack;
  CHECK_OK(ck_buffer_from_native(bench.device, (uint64_t)(uintptr_t)words, sizeof words, NULL, NULL,
                                 &stack));
  for (uint32_t i = 0; i < 2; ++i) {
    uint32_t *source = i ? words : ck_buffer_host(pairs.host[0]);
    for (int k = 0; k < RANGE_WORDS; ++k) source[k] = 70 + i;
    bool is_copied = copy_during_call(pairs.there[i], i ? stack : pairs.host[0]);
    memset(source, 0, 4 * RANGE_WORDS);
    if (is_copied) CHECK(all_are(pairs.there[i], 70 + i));
  }
  ck_buffer_release(stack);
  release_pairs(&pairs);
}

/* Device memory that another stream fills after the call. */
TEST(during_api_call_copy_to)
{
  Pairs pairs = make_pairs();
  ck_stream_t *other;
  CHECK_OK(ck_stream_create(bench.device, NULL, &other));
  CHECK_OK(ck_buffer_fill(pairs.there[0], 0, 4 * RANGE_WORDS, 80, 4, bench.stream));
  bool is_copied = copy_during_call(pairs.host[0], pairs.there[0]);
  CHECK_OK(ck_buffer_fill(pairs.there[0], 0, 4 * RANGE_WORDS, 0, 4, other));
  CHECK_OK(ck_stream_sync(other));
  if (is_copied) CHECK(all_are(pairs.host[0], 80));
  ck_stream_release(other);
  release_pairs(&pairs);
}

TEST(batches_that_are_refused)
{
  ck_buffer_t *src = make(), *dst = make();
  ck_copy_range_t one = range(dst, 0, src, 1, 64);
  ck_copy_options_t options = CK_OPTIONS_INIT(ck_copy_options_t);
  CHECK_STATUS(ck_copy_batch(&one, 1, NULL, NULL), CK_INVALID_ARGUMENT);
  CHECK_ERROR("not in the legacy default stream");
  options.source_order = CK_SOURCE_ANY;
  CHECK_STATUS(ck_copy_batch(&one, 1, &options, NULL), CK_INVALID_ARGUMENT);
  CHECK_ERROR("not in the legacy default stream");
  options.source_order = (ck_source_order_t)9;
  CHECK_STATUS(ck_copy_batch(&one, 1, &options, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_ERROR("source order 9");
  one.src_offset = COUNT * 4;
  CHECK_STATUS(ck_copy_batch(&one, 1, NULL, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_ERROR("256 bytes at offset 16384");
  one.src = NULL;
  CHECK_STATUS(ck_copy_batch(&one, 1, NULL, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_ERROR("ck_copy_batch: ranges[0].src is NULL");
  ck_buffer_release(src);
  ck_buffer_release(dst);
}

/* Records the options that the driver gets. */
static size_t seen_count, seen_firsts[RANGES + 1];
static CUmemcpyAttributes seen[RANGES + 1];

static CUresult see_batch(CUdeviceptr *dsts, CUdeviceptr *srcs, size_t *sizes, size_t count,
                          CUmemcpyAttributes *attributes, size_t *firsts, size_t attribute_count,
                          CUstream stream)
{
  seen_count = attribute_count;
  memcpy(seen, attributes, attribute_count * sizeof *seen);
  memcpy(seen_firsts, firsts, attribute_count * sizeof *firsts);
  return driver_host()->cuMemcpyBatchAsync(dsts, srcs, sizes, count, attributes, firsts,
                                           attribute_count, stream);
}

static bool has_run(size_t run, size_t first, int order, unsigned flags)
{
  return seen_firsts[run] == first && (int)seen[run].srcAccessOrder == order &&
         seen[run].flags == flags;
}

/* The call's options are passed once; those of ranges where they change. */
TEST(runs_of_options)
{
  enum { COPIES = RANGES + 1 };
  Driver seeing = *driver_host();
  ck_copy_options_t any = CK_OPTIONS_INIT(ck_copy_options_t), during = any;
  ck_device_t *device;
  ck_stream_t *stream;
  ck_buffer_t *buffer;
  ck_copy_range_t ranges[COPIES];
  seeing.cuMemcpyBatchAsync = see_batch;
  any.source_order = CK_SOURCE_ANY, any.flags = CK_COPY_PREFER_OVERLAP;
  during.source_order = CK_SOURCE_DURING_API_CALL;
  CHECK_OK(device_open(&seeing, 0, &device));
  CHECK_OK(ck_stream_create(device, NULL, &stream));
  CHECK_OK(ck_buffer_create(device, 8 * COPIES, stream, &buffer));
  CHECK_OK(ck_buffer_fill(buffer, 0, 8 * COPIES, 0, 4, stream));
  for (size_t i = 0; i < COPIES; ++i) ranges[i] = range(buffer, i, buffer, COPIES + i, 1);
  CHECK_OK(ck_copy_batch(ranges, COPIES, NULL, stream));
  CHECK(seen_count == 1 && has_run(0, 0, CK_SOURCE_STREAM, 0));
  CHECK_OK(ck_copy_batch(ranges, COPIES, &any, stream));
  CHECK(seen_count == 1 && has_run(0, 0, CK_SOURCE_ANY, CK_COPY_PREFER_OVERLAP));
  ranges[2].options = ranges[3].options = &any;
  CHECK_OK(ck_copy_batch(ranges, COPIES, NULL, stream));
  CHECK(seen_count == 3 && has_run(0, 0, CK_SOURCE_STREAM, 0));
  CHECK(has_run(1, 2, CK_SOURCE_ANY, CK_COPY_PREFER_OVERLAP));
  CHECK(has_run(2, 4, CK_SOURCE_STREAM, 0));
  ranges[3].options = &during;
  CHECK_OK(ck_copy_batch(ranges + 1, 3, NULL, stream));
  CHECK(seen_count == 3 && has_run(1, 1, CK_SOURCE_ANY, CK_COPY_PREFER_OVERLAP));
  CHECK(has_run(2, 2, CK_SOURCE_DURING_API_CALL, 0));
  ck_buffer_release(buffer);
  ck_stream_release(stream);
  ck_device_release(device);
}

/* Ranges with their own options among those with the call's. */
TEST(copy_batch_options_of_ranges)
{
  uint32_t in[COUNT], out[COUNT];
  ck_buffer_t *src = make_iota(in), *dst = make();
  ck_copy_range_t ranges[4];
  ck_copy_options_t any = CK_OPTIONS_INIT(ck_copy_options_t), wrong = any;
  any.source_order = CK_SOURCE_ANY;
  any.flags = CK_COPY_PREFER_OVERLAP;
  for (size_t i = 0; i < 4; ++i) ranges[i] = range(dst, 8 * i, src, 8 * i + 1, 8);
  ranges[1].options = ranges[2].options = &any;
  CHECK_OK(ck_stream_sync(bench.stream)); /* what CK_SOURCE_ANY asks for */
  CHECK_OK(ck_copy_batch(ranges, 4, NULL, bench.stream));
  read_all(dst, out);
  int bad = 0;
  for (uint32_t i = 0; i < 32; ++i) bad += out[i] != i + 1;
  CHECK(bad == 0);
  wrong.source_order = (ck_source_order_t)9;
  ranges[3].options = &wrong;
  CHECK_STATUS(ck_copy_batch(ranges, 4, NULL, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_ERROR("source order 9");
  ck_buffer_release(src);
  ck_buffer_release(dst);
}

/* Between page-locked memory and the device's, of several sizes, beside copies one by one. */
TEST(copy_batch_between_kinds)
{
  enum { MANY = 4 };
  static const size_t sizes[MANY] = {1024, 2048, 512, 4096};
  ck_memory_resource_t *pinned;
  ck_buffer_t *host[MANY], *there[MANY], *single[MANY], *back[MANY];
  ck_copy_range_t up[MANY], down[MANY];
  CHECK_OK(ck_memory_resource_create_pinned(bench.device, &pinned));
  for (int i = 0; i < MANY; ++i) {
    CHECK_OK(ck_memory_resource_create_buffer(pinned, sizes[i], NULL, &host[i]));
    CHECK_OK(ck_memory_resource_create_buffer(pinned, sizes[i], NULL, &back[i]));
    CHECK_OK(ck_buffer_create(bench.device, sizes[i], bench.stream, &there[i]));
    CHECK_OK(ck_buffer_create(bench.device, sizes[i], bench.stream, &single[i]));
    unsigned char *bytes = ck_buffer_host(host[i]);
    for (size_t k = 0; k < sizes[i]; ++k) bytes[k] = (unsigned char)(k * 3 + (size_t)i);
    up[i] = range(there[i], 0, host[i], 0, sizes[i] / 4);
    down[i] = range(back[i], 0, there[i], 0, sizes[i] / 4);
    CHECK_OK(ck_buffer_copy(single[i], 0, host[i], 0, sizes[i], bench.stream));
  }
  CHECK_OK(ck_copy_batch(up, MANY, NULL, bench.stream));
  CHECK_OK(ck_copy_batch(down, MANY, NULL, bench.stream));
  for (int i = 0; i < MANY; ++i) {
    unsigned char one[4096];
    CHECK_OK(ck_buffer_read(single[i], 0, one, sizes[i], bench.stream));
    CHECK_OK(ck_stream_sync(bench.stream));
    CHECK(!memcmp(ck_buffer_host(back[i]), ck_buffer_host(host[i]), sizes[i]));
    CHECK(!memcmp(one, ck_buffer_host(back[i]), sizes[i]));
    ck_buffer_release(host[i]);
    ck_buffer_release(there[i]);
    ck_buffer_release(single[i]);
    ck_buffer_release(back[i]);
  }
  ck_memory_resource_release(pinned);
}

/* It runs after earlier work in the stream and before later work. */
TEST(ordered_between_prior_and_later_stream_work)
{
  uint32_t out[COUNT];
  ck_buffer_t *src = make(), *dst = make();
  ck_copy_range_t all = range(dst, 0, src, 0, COUNT);
  CHECK_OK(ck_buffer_fill(src, 0, COUNT * 4, 11, 4, bench.stream));
  CHECK_OK(ck_copy_batch(&all, 1, NULL, bench.stream));
  CHECK_OK(ck_buffer_fill(src, 0, COUNT * 4, 22, 4, bench.stream));
  read_all(dst, out);
  CHECK(out[0] == 11 && out[COUNT - 1] == 11);
  read_all(src, out);
  CHECK(out[0] == 22 && out[COUNT - 1] == 22);
  ck_buffer_release(src);
  ck_buffer_release(dst);
}

/* The capture continues. */
TEST(capturing_stream_is_rejected)
{
  ck_buffer_t *src = make(), *dst = make();
  ck_copy_range_t all = range(dst, 0, src, 0, COUNT);
  ck_copy_options_t options = CK_OPTIONS_INIT(ck_copy_options_t);
  ck_graph_builder_t *builder;
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK_OK(ck_graph_builder_create(bench.device, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  CHECK_STATUS(ck_copy_batch(&all, 1, NULL, ck_graph_builder_stream(builder)), CK_INVALID_ARGUMENT);
  CHECK_ERROR("not in a captured stream");
  options.source_order = CK_SOURCE_ANY;
  CHECK_STATUS(ck_copy_batch(&all, 1, &options, ck_graph_builder_stream(builder)),
               CK_INVALID_ARGUMENT);
  CHECK_OK(ck_graph_builder_end(builder));
  ck_graph_builder_release(builder);
  ck_buffer_release(src);
  ck_buffer_release(dst);
}

TEST(per_thread_default_stream_is_accepted)
{
  uint32_t in[COUNT], out[COUNT];
  ck_buffer_t *src = make_iota(in), *dst = make();
  ck_copy_range_t all = range(dst, 0, src, 0, COUNT);
  ck_copy_options_t options = CK_OPTIONS_INIT(ck_copy_options_t);
  ck_stream_t *own;
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK_OK(ck_stream_open_per_thread(bench.device, &own));
  CHECK_OK(ck_copy_batch(&all, 1, NULL, own));
  CHECK_OK(ck_stream_sync(own));
  options.source_order = CK_SOURCE_ANY;
  CHECK_OK(ck_copy_batch(&all, 1, &options, own));
  CHECK_OK(ck_stream_sync(own));
  read_all(dst, out);
  CHECK(!memcmp(in, out, sizeof out));
  ck_stream_release(own);
  ck_buffer_release(src);
  ck_buffer_release(dst);
}

TEST(location_hints_do_not_corrupt_copy)
{
  ck_memory_resource_t *managed;
  ck_buffer_t *src, *dst;
  ck_copy_options_t options = CK_OPTIONS_INIT(ck_copy_options_t);
  int node = 0;
  if (ck_memory_resource_create_managed(bench.device, NULL, &managed) != CK_OK) {
    CHECK_ERROR("CK_UNSUPPORTED");
    return;
  }
  CHECK_OK(ck_device_get_attribute(bench.device, CK_DEVICE_HOST_NUMA_ID, &node));
  const ck_location_t here = {CK_PLACE_DEVICE, ck_device_native(bench.device)},
                      to[] = {{CK_PLACE_HOST, 0},
                              {CK_PLACE_HOST_NUMA, node},
                              {CK_PLACE_HOST_NUMA_CURRENT, 0}};
  CHECK_OK(ck_memory_resource_create_buffer(managed, 4096, bench.stream, &src));
  CHECK_OK(ck_memory_resource_create_buffer(managed, 4096, bench.stream, &dst));
  ck_copy_range_t all = range(dst, 0, src, 0, 1024);
  for (uint32_t i = 0; i < (node < 0 ? 1 : COUNT_OF(to)); ++i) {
    uint32_t out[1024];
    CHECK_OK(ck_buffer_fill(src, 0, 4096, 80 + i, 4, bench.stream));
    options.src_hint = here;
    options.dst_hint = to[i];
    CHECK_OK(ck_copy_batch(&all, 1, &options, bench.stream));
    CHECK_OK(ck_buffer_read(dst, 0, out, 4096, bench.stream));
    CHECK_OK(ck_stream_sync(bench.stream));
    CHECK(out[0] == 80 + i && out[1023] == 80 + i);
  }
  ck_buffer_release(src);
  ck_buffer_release(dst);
  ck_memory_resource_release(managed);
}

TEST(options_that_are_refused)
{
  const ck_copy_options_t plain = CK_OPTIONS_INIT(ck_copy_options_t);
  ck_copy_options_t options = plain;
  ck_buffer_t *src = make(), *dst = make();
  ck_copy_range_t one = range(dst, 0, src, 0, 1);
  options.flags = 2;
  CHECK_STATUS(ck_copy_batch(&one, 1, &options, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_ERROR("flags 0x2");
  options = plain;
  options.dst_hint.place = (ck_place_t)9;
  CHECK_STATUS(ck_copy_batch(&one, 1, &options, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_ERROR("there is no place 9");
  options.dst_hint = (ck_location_t){CK_PLACE_DEVICE, 99};
  CHECK_STATUS(ck_copy_batch(&one, 1, &options, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_ERROR("there is no device 99 to hold memory");
  options = plain;
  options.struct_size = 3;
  CHECK_STATUS(ck_copy_batch(&one, 1, &options, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_ERROR("ck_copy_options_t");
  CHECK_STATUS(ck_copy_batch(NULL, 1, NULL, bench.stream), CK_INVALID_ARGUMENT);
  ck_buffer_release(src);
  ck_buffer_release(dst);
}

/* Without the driver's batches, ranges are copied in stream order, which satisfies every option but
 * one. */
TEST(older_driver_copies_one_by_one)
{
  Driver older = *driver_host();
  ck_copy_options_t options = CK_OPTIONS_INIT(ck_copy_options_t);
  ck_device_t *device;
  ck_stream_t *stream;
  ck_buffer_t *src, *dst;
  uint32_t words[4];
  older.cuMemcpyBatchAsync = NULL;
  CHECK_OK(device_open(&older, 0, &device));
  CHECK_OK(ck_stream_create(device, NULL, &stream));
  CHECK_OK(ck_buffer_create(device, 16, stream, &src));
  CHECK_OK(ck_buffer_create(device, 16, stream, &dst));
  ck_copy_range_t halves[] = {range(dst, 0, src, 2, 2), range(dst, 2, src, 0, 2)};
  for (uint32_t i = 0; i < 2; ++i) {
    options.source_order = i ? CK_SOURCE_ANY : CK_SOURCE_STREAM;
    options.flags = i ? CK_COPY_PREFER_OVERLAP : 0;
    CHECK_OK(ck_buffer_fill(src, 0, 8, 5 + i, 4, stream));
    CHECK_OK(ck_buffer_fill(src, 8, 8, 6 + i, 4, stream));
    CHECK_OK(ck_copy_batch(halves, 2, &options, stream));
    CHECK_OK(ck_buffer_read(dst, 0, words, 16, stream));
    CHECK_OK(ck_stream_sync(stream));
    CHECK(words[0] == 6 + i && words[1] == 6 + i && words[2] == 5 + i && words[3] == 5 + i);
  }
  options.source_order = CK_SOURCE_DURING_API_CALL;
  CHECK_STATUS(ck_copy_batch(halves, 2, &options, stream), CK_UNSUPPORTED);
  CHECK_ERROR("cuMemcpyBatchAsync");
  ck_buffer_release(src);
  ck_buffer_release(dst);
  ck_stream_release(stream);
  ck_device_release(device);
}

/* fills -------------------------------------------------------------------------------------- */

TEST(fill_elements)
{
  uint32_t out[COUNT];
  ck_buffer_t *dst = make();
  const double pi = 3.14159;
  const float half = 0.5f;
  const uint16_t bits = 0xbeef;
  const uint64_t same = 0x0000000700000007ull;
  const uint32_t triple[3] = {1, 2, 3};
  CHECK_OK(ck_buffer_fill(dst, 0, COUNT * 4, 0, 4, bench.stream));
  CHECK_OK(ck_buffer_fill_elements(dst, 0, 10, &pi, 8, bench.stream));
  CHECK_OK(ck_buffer_fill_elements(dst, 4 * 100, 10, &half, 4, bench.stream));
  CHECK_OK(ck_buffer_fill_elements(dst, 4 * 200 + 2, 3, &bits, 2, bench.stream));
  CHECK_OK(ck_buffer_fill_elements(dst, 4 * 300, 2, &same, 8, bench.stream));
  CHECK_OK(ck_buffer_fill_elements(dst, 4 * 400, 3, triple, 12, bench.stream));
  CHECK_OK(ck_buffer_fill_elements(dst, 0, 0, triple, 12, bench.stream));
  read_all(dst, out);
  CHECK(!memcmp(out, &pi, 8) && !memcmp(out + 18, &pi, 8) && out[20] == 0);
  CHECK(!memcmp(out + 109, &half, 4) && out[110] == 0);
  CHECK(out[200] == 0xbeef0000 && out[201] == 0xbeefbeef && out[202] == 0);
  CHECK(out[303] == 7 && out[304] == 0);
  CHECK(out[400] == 1 && out[404] == 2 && out[408] == 3 && out[409] == 0);
  CHECK_STATUS(ck_buffer_fill_elements(dst, 0, 1, triple, 3, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_buffer_fill_elements(dst, 2, 1, triple, 12, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_ERROR("ck_buffer_fill_elements: offset 2 is to be a multiple of 4");
  CHECK_STATUS(ck_buffer_fill_elements(dst, 1, 3, &bits, 2, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_ERROR("ck_buffer_fill_elements: offset 1 is to be a multiple of 2");
  CHECK_STATUS(ck_buffer_fill_elements(dst, 0, COUNT, triple, 12, bench.stream),
               CK_INVALID_ARGUMENT);
  ck_buffer_release(dst);
}

TEST(fill_box)
{
  uint32_t out[COUNT];
  ck_buffer_t *dst = make();
  CHECK_OK(ck_buffer_fill(dst, 0, COUNT * 4, 0, 4, bench.stream));
  CHECK_OK(ck_buffer_fill_box(dst, 4, 40, 3, 5, 0x01020304, 4, bench.stream));
  CHECK_OK(ck_buffer_fill_box(dst, 1002, 100, 1, 2, 0xabcd, 2, bench.stream));
  CHECK_OK(ck_buffer_fill_box(dst, 2001, 100, 2, 2, 0xef, 1, bench.stream));
  CHECK_OK(ck_buffer_fill_box(dst, 0, 0, 0, 9, 1, 1, bench.stream));
  read_all(dst, out);
  CHECK(out[0] == 0 && out[1] == 0x01020304 && out[3] == 0x01020304 && out[4] == 0);
  CHECK(out[41] == 0x01020304 && out[51] == 0);
  CHECK(out[250] == 0xabcd0000 && out[275] == 0xabcd0000);
  CHECK(out[500] == 0x00efef00 && out[525] == 0x00efef00 && out[550] == 0);
  CHECK_STATUS(ck_buffer_fill_box(dst, 0, 10, 3, 5, 1, 4, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_buffer_fill_box(dst, 0, 16, 3, 5000, 1, 4, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_buffer_fill_box(dst, 0, 16, 3, 5, 1, 8, bench.stream), CK_INVALID_ARGUMENT);
  ck_buffer_release(dst);
}

/* The driver's rule: rows begin at multiples of the value's size, and one row has no pitch. */
TEST(fill_pitch)
{
  static const struct {
    size_t pitch, rows;
    CUresult want;
  } rows[] = {{5, 1, CUDA_SUCCESS}, {5, 2, CUDA_ERROR_INVALID_VALUE}, {8, 2, CUDA_SUCCESS}};
  const Driver *driver = bench.device->driver;
  CUgraph graph;
  CUgraphNode node;
  ck_buffer_t *dst = make();
  CUdeviceptr to = ck_buffer_native(dst);
  CHECK_OK(device_enter(bench.device));
  CHECK(driver->cuGraphCreate(&graph, 0) == CUDA_SUCCESS);
  for (size_t i = 0; i < COUNT_OF(rows); ++i) {
    CUstream stream = ck_stream_native(bench.stream);
    CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_MEMSET};
    params.memset = (CUDA_MEMSET_NODE_PARAMS_v2){.dst = to,
                                                 .pitch = rows[i].pitch,
                                                 .elementSize = 4,
                                                 .width = 1,
                                                 .height = rows[i].rows,
                                                 .ctx = bench.device->context};
    CHECK(driver->cuMemsetD2D32Async(to, rows[i].pitch, 1, 1, rows[i].rows, stream) ==
          rows[i].want);
    CHECK(driver->cuGraphAddNode(&node, graph, NULL, NULL, 0, &params) == rows[i].want);
  }
  CHECK(driver->cuGraphDestroy(graph) == CUDA_SUCCESS);
  device_leave(bench.device);
  ck_buffer_release(dst);
}

int main(void)
{
  bench_open_any(&bench);
  run_all();
  bench_close(&bench);
  CHECK(atomic_load(&host_live_objects) == 0);
  return tests_report();
}
