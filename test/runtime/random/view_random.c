/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* view_random.c - compares random views of views, and copies of them, with lists of element
 * positions; on the device that $CK_DEVICE names.
 *
 *   view_random [COUNT [SEED]]
 */
#include "fixture.h"
#include "random.h"

enum { BYTES = 1 << 14, MOST_ELEMENTS = 4096, STEPS = 6 };

static Bench bench;
static unsigned char memory[BYTES], copied[BYTES];
static ck_buffer_t *buffer, *target;

/* The position of each element in the buffer, in order. */
typedef struct Model {
  size_t count, bytes; /* of an element */
  uint32_t rank;
  int64_t extents[CK_MAX_RANK];
  int64_t places[MOST_ELEMENTS];
} Model;

static Model model, next;

static size_t product(uint32_t rank, const int64_t *extents)
{
  size_t count = 1;
  for (uint32_t k = 0; k < rank; ++k) count *= (size_t)extents[k];
  return count;
}

/* Element i's index along each axis. */
static void unravel(uint32_t rank, const int64_t *extents, size_t i, int64_t *out)
{
  for (uint32_t k = rank; k-- > 0; i /= (size_t)extents[k])
    out[k] = (int64_t)(i % (size_t)extents[k]);
}

static size_t ravel(uint32_t rank, const int64_t *extents, const int64_t *index)
{
  size_t i = 0;
  for (uint32_t k = 0; k < rank; ++k) i = i * (size_t)extents[k] + (size_t)index[k];
  return i;
}

static bool is_same(const ck_view_t *view)
{
  int64_t index[CK_MAX_RANK];
  bool is_dense = true;
  if (view->rank != model.rank || ck_view_count(view) != model.count ||
      ck_view_element_bytes(view) != model.bytes ||
      memcmp(view->extents, model.extents, model.rank * sizeof *model.extents) != 0)
    return false;
  for (size_t i = 0; i < model.count; ++i) {
    int64_t place = (int64_t)view->offset;
    unravel(model.rank, model.extents, i, index);
    for (uint32_t k = 0; k < model.rank; ++k)
      place += index[k] * view->strides[k] * (int64_t)model.bytes;
    if (place != model.places[i]) return false;
    is_dense &= place == model.places[0] + (int64_t)(i * model.bytes);
  }
  return !ck_view_is_dense(view) == !is_dense;
}

/* steps -------------------------------------------------------------------------------------- */

static ck_status_t slice(ck_view_t *view)
{
  uint32_t axis = below(model.rank);
  int64_t extent = model.extents[axis], a = below((uint64_t)extent + 1),
          b = below((uint64_t)extent + 1), step = 1 + below(3);
  int64_t start = a < b ? a : b, stop = a < b ? b : a, index[CK_MAX_RANK];
  if (one_in(3)) { /* backwards */
    int64_t last = stop - 1;
    stop = start - 1;
    start = last;
    step = -step;
    if (start < 0) return CK_OK;
  }
  next = model;
  int64_t way = step > 0 ? stop - start : start - stop, each = step > 0 ? step : -step;
  next.extents[axis] = (way + each - 1) / each;
  next.count = product(next.rank, next.extents);
  for (size_t i = 0; i < next.count; ++i) {
    unravel(next.rank, next.extents, i, index);
    index[axis] = start + index[axis] * step;
    next.places[i] = model.places[ravel(model.rank, model.extents, index)];
  }
  model = next;
  return ck_view_slice(view, axis, start, stop, step, view);
}

static ck_status_t permute(ck_view_t *view)
{
  uint32_t axes[CK_MAX_RANK];
  int64_t index[CK_MAX_RANK], old[CK_MAX_RANK];
  for (uint32_t k = 0; k < model.rank; ++k) {
    uint32_t other = below(k + 1);
    axes[k] = axes[other];
    axes[other] = k;
  }
  next = model;
  for (uint32_t k = 0; k < model.rank; ++k) next.extents[k] = model.extents[axes[k]];
  for (size_t i = 0; i < next.count; ++i) {
    unravel(next.rank, next.extents, i, index);
    for (uint32_t k = 0; k < model.rank; ++k) old[axes[k]] = index[k];
    next.places[i] = model.places[ravel(model.rank, model.extents, old)];
  }
  model = next;
  return ck_view_permute(view, axes, view);
}

static ck_status_t broadcast(ck_view_t *view)
{
  uint32_t more = below(3), rank = model.rank + more;
  int64_t index[CK_MAX_RANK], extents[CK_MAX_RANK] = {0};
  if (rank > CK_MAX_RANK) return CK_OK;
  for (uint32_t k = 0; k < rank; ++k) {
    bool is_free = k < more || model.extents[k - more] == 1;
    extents[k] = is_free ? 1 + below(4) : model.extents[k - more];
  }
  next = model;
  next.rank = rank;
  next.count = product(rank, extents);
  memcpy(next.extents, extents, sizeof extents);
  if (next.count > MOST_ELEMENTS) return CK_OK;
  for (size_t i = 0; i < next.count; ++i) {
    unravel(rank, extents, i, index);
    for (uint32_t k = more; k < rank; ++k)
      if (model.extents[k - more] == 1) index[k] = 0;
    next.places[i] = model.places[ravel(model.rank, model.extents, index + more)];
  }
  model = next;
  return ck_view_broadcast(view, rank, extents, view);
}

/* Whether some strides give the positions in order with these extents. */
static bool has_strides(uint32_t rank, const int64_t *extents)
{
  int64_t strides[CK_MAX_RANK] = {0}, index[CK_MAX_RANK];
  size_t step = 1;
  for (uint32_t k = rank; k-- > 0; step *= (size_t)extents[k])
    if (extents[k] > 1) strides[k] = model.places[step] - model.places[0];
  for (size_t i = 0; i < model.count; ++i) {
    int64_t place = model.places[0];
    unravel(rank, extents, i, index);
    for (uint32_t k = 0; k < rank; ++k) place += index[k] * strides[k];
    if (place != model.places[i]) return false;
  }
  return true;
}

/* Reshapes to random factors of the count, with ones between them. */
static ck_status_t reshape(ck_view_t *view)
{
  int64_t extents[CK_MAX_RANK], asked[CK_MAX_RANK];
  uint32_t rank = 0;
  size_t rest = model.count;
  if (!rest) return CK_OK;
  while (rank + 1 < CK_MAX_RANK && (rest > 1 || one_in(4)) && !one_in(6)) {
    size_t factor = 1 + below(8);
    while (rest % factor) --factor;
    extents[rank++] = (int64_t)factor;
    rest /= factor;
  }
  extents[rank++] = (int64_t)rest;
  memcpy(asked, extents, sizeof asked);
  if (one_in(3)) asked[below(rank)] = -1;
  bool can = has_strides(rank, extents);
  ck_status_t status = ck_view_reshape(view, rank, asked, view);
  if (!can) return status == CK_INVALID_ARGUMENT ? CK_OK : CK_INTERNAL;
  model.rank = rank;
  memcpy(model.extents, extents, sizeof extents);
  return status;
}

/* Flattens a view: the same positions in the same order, and no neighbouring axes that could still
 * be merged. */
static ck_status_t flatten(ck_view_t *view)
{
  ck_status_t status = ck_view_flatten(view, 1, view);
  if (status != CK_OK || product(view->rank, view->extents) != model.count) return status;
  model.rank = view->rank;
  memcpy(model.extents, view->extents, sizeof model.extents);
  for (uint32_t k = 0; k + 1 < view->rank && model.count; ++k)
    CHECK(view->strides[k] != view->extents[k + 1] * view->strides[k + 1]);
  return CK_OK;
}

/* Casts to bytes if the last axis is dense; it may be an empty axis only. */
static ck_status_t cast(ck_view_t *view)
{
  bool is_run = model.rank && view->strides[model.rank - 1] == 1;
  if (!is_run || model.count * model.bytes > MOST_ELEMENTS) return CK_OK;
  next = model;
  next.count = model.count * model.bytes;
  next.extents[model.rank - 1] *= (int64_t)model.bytes;
  next.bytes = 1;
  for (size_t i = 0; i < next.count; ++i)
    next.places[i] = model.places[i / model.bytes] + (int64_t)(i % model.bytes);
  model = next;
  return ck_view_cast(view, CK_U8, 1, view);
}

/* copies ------------------------------------------------------------------------------------- */

/* Copies to a dense view, and to a slice of one, which has other strides. */
static ck_status_t copy(const ck_view_t *view)
{
  ck_view_t dense;
  bool is_backwards = false;
  ck_status_t status = ck_view_from_buffer(target, 0, view->dtype, view->components, view->rank,
                                           view->extents, NULL, &dense);
  if (status != CK_OK || !model.count) return status;
  for (uint32_t k = 0; k < view->rank; ++k)
    is_backwards |= view->extents[k] > 1 && view->strides[k] < 0;
  status = ck_view_copy(&dense, view, bench.stream);
  if (is_backwards) return status == CK_UNSUPPORTED ? CK_OK : CK_INTERNAL;
  if (status != CK_OK) return status;
  CHECK_OK(ck_buffer_read(target, 0, copied, model.count * model.bytes, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  for (size_t i = 0; i < model.count; ++i)
    if (memcmp(copied + i * model.bytes, memory + model.places[i], model.bytes) != 0)
      return CK_INTERNAL;
  return CK_OK;
}

/* cases -------------------------------------------------------------------------------------- */

static ck_status_t start(ck_view_t *view)
{
  static const ck_dtype_t types[] = {CK_U8, CK_I16, CK_F32, CK_F64};
  uint32_t which = below(4), components = 1u << below(3);
  model.bytes = ((size_t)1 << which) * components;
  model.rank = below(5);
  for (uint32_t k = 0; k < model.rank; ++k)
    model.extents[k] = one_in(30) ? 0 : one_in(4) ? 1 : 1 + below(6);
  model.count = product(model.rank, model.extents);
  size_t offset = below(8) * model.bytes;
  if (offset + model.count * model.bytes > BYTES) model.count = model.rank = 0;
  if (!model.rank) model.count = 1;
  for (size_t i = 0; i < model.count; ++i) model.places[i] = (int64_t)(offset + i * model.bytes);
  return ck_view_from_buffer(buffer, offset, types[which], components, model.rank, model.extents,
                             NULL, view);
}

static void try_views(uint64_t number)
{
  static const char *const names[] = {"slice",   "permute", "broadcast",
                                      "reshape", "flatten", "cast"};
  static ck_status_t (*const steps[])(ck_view_t *) = {slice,   permute, broadcast,
                                                      reshape, flatten, cast};
  ck_view_t view;
  const char *name = "start";
  ck_status_t status = start(&view);
  for (int i = 0; i <= STEPS && status == CK_OK && is_same(&view); ++i) {
    uint32_t which = below(COUNT_OF(steps));
    if (which == 0 && !model.rank) continue;
    name = names[which];
    status = steps[which](&view);
  }
  bool is_right = status == CK_OK && is_same(&view);
  if (is_right && model.count * model.bytes <= BYTES) {
    name = "copy";
    status = copy(&view);
  }
  if (!CHECK(is_right && status == CK_OK))
    fprintf(stderr, "seed %llu, %s: %s, '%s'\n", (unsigned long long)(random_seed + number), name,
            ck_status_name(status), ck_last_error());
}

TEST(views_of_views)
{
  for (uint64_t number = 0; number < random_count; ++number) {
    random_start(number);
    try_views(number);
  }
}

int main(int argc, char **argv)
{
  bench_open_any(&bench);
  random_open(argc, argv, 1000);
  random_fill(memory, BYTES);
  CHECK_OK(ck_buffer_create(bench.device, BYTES, bench.stream, &buffer));
  CHECK_OK(ck_buffer_create(bench.device, BYTES, bench.stream, &target));
  CHECK_OK(ck_buffer_write(buffer, 0, memory, BYTES, bench.stream));
  RUN(views_of_views);
  ck_buffer_release(buffer);
  ck_buffer_release(target);
  CHECK_OK(ck_stream_sync(bench.stream));
  bench_close(&bench);
  CHECK(atomic_load(&host_live_objects) == 0);
  return tests_report();
}
