/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* copy_random.c - compares random strided copies with loops, on the device that $CK_DEVICE names:
 * of any rank, between buffers and host memory, also with overlapping elements.
 *
 *   copy_random [COUNT [SEED]]
 */
#include "fixture.h"
#include "random.h"

enum { BYTES = 1 << 16, MOST_ELEMENTS = 3000 };

static Bench bench;
static unsigned char memory[2][BYTES], expected[BYTES];
static ck_buffer_t *buffers[2];

typedef struct Copy {
  size_t element_bytes, rank, offsets[2];
  uint64_t extents[CK_MAX_RANK];
  int64_t strides[2][CK_MAX_RANK]; /* dst, src: elements */
  bool is_dense[2], is_host[2];    /* dense: NULL is given */
} Copy;

static uint64_t count_of(const Copy *copy)
{
  uint64_t count = 1;
  for (size_t i = 0; i < copy->rank; ++i) count *= copy->extents[i];
  return count;
}

/* The position of an element, in elements from the first one. */
static uint64_t place_of(const Copy *copy, int side, uint64_t index)
{
  uint64_t place = 0, dense = 1;
  for (size_t i = copy->rank; i-- > 0;) {
    uint64_t step = copy->is_dense[side] ? dense : (uint64_t)copy->strides[side][i];
    place += index % copy->extents[i] * step;
    index /= copy->extents[i];
    dense *= copy->extents[i];
  }
  return place;
}

/* Picks strides: of a dense array with permuted axes and occasional gaps, or arbitrary ones. */
static void pick_strides(Copy *copy, int side)
{
  size_t order[CK_MAX_RANK];
  uint64_t step = 1;
  for (size_t i = 0; i < copy->rank; ++i) {
    size_t k = below(i + 1);
    order[i] = order[k];
    order[k] = i;
  }
  bool is_any = one_in(4), is_sorted = one_in(3);
  for (size_t i = copy->rank; i-- > 0;) {
    size_t axis = is_sorted ? i : order[i];
    copy->strides[side][axis] = is_any ? below(20) : (int64_t)step;
    step = step * copy->extents[axis] + below(2) * below(4);
    if (side == 1 && one_in(8)) copy->strides[side][axis] = 0; /* the source may repeat */
  }
}

static Copy pick_copy(void)
{
  Copy copy = {.element_bytes = one_in(3) ? 1 + below(24) : (size_t)1 << below(5)};
  copy.rank = below(CK_MAX_RANK + 1);
  for (size_t i = 0; i < copy.rank; ++i)
    copy.extents[i] = one_in(40) ? 0 : 1 + below(copy.rank > 4 ? 4 : 12);
  for (int side = 0; side < 2; ++side) {
    copy.is_dense[side] = one_in(4);
    copy.offsets[side] = below(64);
    copy.is_host[side] = one_in(4) && (side == 0 || !copy.is_host[0]);
    pick_strides(&copy, side);
  }
  return copy;
}

/* Whether all lies in the memory. */
static bool fits(const Copy *copy)
{
  if (count_of(copy) > MOST_ELEMENTS) return false;
  for (int side = 0; side < 2; ++side) {
    uint64_t last = count_of(copy) ? place_of(copy, side, count_of(copy) - 1) : 0;
    if (copy->offsets[side] + (last + 1) * copy->element_bytes > BYTES) return false;
  }
  return true;
}

/* Whether two elements of dst overlap; otherwise performs the copy on the CPU. */
static bool do_copy(const Copy *copy, unsigned char *dst, const unsigned char *src)
{
  static bool is_taken[BYTES];
  memset(is_taken, 0, sizeof is_taken);
  for (uint64_t i = 0; i < count_of(copy); ++i) {
    uint64_t to = place_of(copy, 0, i);
    if (is_taken[to]) return false;
    is_taken[to] = true;
    memcpy(dst + copy->offsets[0] + to * copy->element_bytes,
           src + copy->offsets[1] + place_of(copy, 1, i) * copy->element_bytes,
           copy->element_bytes);
  }
  return true;
}

static void tell(uint64_t number, const Copy *copy)
{
  fprintf(stderr, "seed %llu: elements of %zu bytes", (unsigned long long)(random_seed + number),
          copy->element_bytes);
  for (size_t i = 0; i < copy->rank; ++i)
    fprintf(stderr, ", %llu (%lld, %lld)", (unsigned long long)copy->extents[i],
            (long long)copy->strides[0][i], (long long)copy->strides[1][i]);
  fprintf(stderr, "; dense %d %d, host %d %d\n", copy->is_dense[0], copy->is_dense[1],
          copy->is_host[0], copy->is_host[1]);
}

static void try_copy(uint64_t number)
{
  Copy copy = pick_copy();
  ck_copy_strided_side_t sides[2] = {{0}};
  if (!fits(&copy)) return;
  for (int side = 0; side < 2; ++side) {
    if (copy.is_host[side]) sides[side].host = memory[side];
    else sides[side].buffer = buffers[side];
    sides[side].offset = copy.offsets[side];
    sides[side].strides = copy.is_dense[side] ? NULL : copy.strides[side];
    random_fill(memory[side], 256);
    CHECK_OK(ck_buffer_write(buffers[side], 0, memory[side], BYTES, bench.stream));
  }
  CHECK_OK(ck_stream_sync(bench.stream));
  memcpy(expected, memory[0], BYTES);
  bool is_fine = do_copy(&copy, expected, memory[1]);
  ck_status_t status = ck_copy_strided(&sides[0], &sides[1], copy.element_bytes, copy.rank,
                                       copy.extents, bench.stream);
  if (!copy.is_host[0]) CHECK_OK(ck_buffer_read(buffers[0], 0, memory[0], BYTES, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  bool is_right = is_fine ? status == CK_OK && !memcmp(memory[0], expected, BYTES)
                          : status == CK_INVALID_ARGUMENT;
  if (!CHECK(is_right || (status == CK_UNSUPPORTED && copy.rank > 3))) tell(number, &copy);
}

TEST(strided_copies)
{
  for (uint64_t number = 0; number < random_count; ++number) {
    random_start(number);
    try_copy(number);
  }
}

int main(int argc, char **argv)
{
  bench_open_any(&bench);
  random_open(argc, argv, 400);
  for (int side = 0; side < 2; ++side) {
    for (size_t i = 0; i < BYTES; ++i) memory[side][i] = (unsigned char)(i * 7 + i / 256 + side);
    CHECK_OK(ck_buffer_create(bench.device, BYTES, bench.stream, &buffers[side]));
  }
  RUN(strided_copies);
  for (int side = 0; side < 2; ++side) ck_buffer_release(buffers[side]);
  CHECK_OK(ck_stream_sync(bench.stream));
  bench_close(&bench);
  CHECK(atomic_load(&host_live_objects) == 0);
  return tests_report();
}
