/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* tune_table.c - writes what searches found into a tuning table.
 *
 * A row for any size has the value that is best over all benches. If another configuration is
 * faster by range_gain at one problem size, rows for a range around this size follow, with the
 * values that differ. Ranges meet halfway between two measured sizes, on the logarithmic scale:
 *
 *     measured          2^16          2^20                2^26
 *     ranges     1 .. 2^18 | 2^18 + 1 .. 2^23 | 2^23 + 1 .. 2^63
 *
 * Rows of other parameters and other targets stay as they are.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tune.h"

/* Smaller differences between two configurations are not worth a row. */
static const double range_gain = 1.03;

typedef struct TableWriter {
  Arena *arena;
  Buf text;
  const char *target, *device;
} TableWriter;

static bool is_replaced(const TableWriter *writer, TuneSearch *const *searches, uint32_t count,
                        const TuningRow *row)
{
  if (strcmp(row->target, writer->target) != 0) return false;
  for (uint32_t i = 0; i < count; ++i)
    for (uint32_t j = 0; j < searches[i]->param_count; ++j)
      if (searches[i]->searched >> j & 1 && !strcmp(row->name, searches[i]->params[j].name))
        return true;
  return false;
}

/* The kernel that all benches of a search call, without <...>; "*" if there are several. */
static const char *item_of(const TuneSearch *search)
{
  const char *item = NULL;
  for (uint32_t i = 0; i < search->bench_count; ++i) {
    const char *kernel = search->benches[i]->one.test->kernel;
    const char *name = arena_strndup(search->arena, kernel, strcspn(kernel, "<"));
    if (item && strcmp(item, name) != 0) return "*";
    item = name;
  }
  return item;
}

/* ---- sizes ---- */

static int compare_sizes(const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* The measured problem sizes, each once, in order. */
static uint64_t *sizes_of(const TuneSearch *search, uint32_t *out_count)
{
  uint64_t *sizes = NEW_ARRAY(search->arena, uint64_t, search->bench_count);
  uint32_t count = 0;
  for (uint32_t i = 0; i < search->bench_count; ++i) sizes[i] = search->benches[i]->size;
  qsort(sizes, search->bench_count, sizeof *sizes, compare_sizes);
  for (uint32_t i = 0; i < search->bench_count; ++i)
    if (!count || sizes[count - 1] != sizes[i]) sizes[count++] = sizes[i];
  *out_count = count;
  return sizes;
}

static uint64_t between(uint64_t low, uint64_t high)
{
  return UINT64_C(1) << (int)((log2((double)low) + log2((double)high)) / 2);
}

/* How many times as fast as the default a configuration is at one size; 0: it failed. */
static double ratio_at(const TuneSearch *search, const TuneTrial *trial, uint64_t size)
{
  double sum = 0;
  uint32_t count = 0;
  if (trial->ratio <= 0) return 0;
  for (uint32_t i = 0; i < search->bench_count; ++i) {
    if (search->benches[i]->size != size) continue;
    sum += log(search->trials.at[0].times[i].median / trial->times[i].median);
    ++count;
  }
  return exp(sum / count);
}

/* The fastest configuration at a size: the best of all, unless another one is clearly faster. */
static const TuneTrial *best_at(const TuneSearch *search, uint64_t size)
{
  const TuneTrial *best = &search->trials.at[search->best];
  double ratio = range_gain * ratio_at(search, best, size);
  for (uint32_t i = 0; i < search->trials.count; ++i) {
    double own = ratio_at(search, &search->trials.at[i], size);
    if (own <= ratio) continue;
    ratio = own;
    best = &search->trials.at[i];
  }
  return best;
}

/* ---- rows ---- */

/* Writes a row for each searched parameter; of a range, those that differ from the best of all. */
static void put_rows(TableWriter *writer, const TuneSearch *search, const TuneTrial *trial,
                     uint64_t least, uint64_t most, double ratio)
{
  const TuneTrial *best = &search->trials.at[search->best];
  for (uint32_t i = 0; i < search->param_count; ++i) {
    bool is_same = trial != best && trial->choice[i] == best->choice[i];
    if (!(search->searched >> i & 1) || is_same) continue;
    const char *speed =
        trial == &search->trials.at[0]
            ? "the default, "
            : arena_printf(writer->arena, "%.2f times the default's speed, ", ratio);
    TuningRow row = {.item = item_of(search),
                     .target = writer->target,
                     .least = least,
                     .most = most,
                     .name = search->params[i].name,
                     .value = search->params[i].values.at[trial->choice[i]],
                     .comment = arena_printf(writer->arena, "%s%s", speed, writer->device)};
    tuning_write_row(&writer->text, &row);
  }
}

static void put_search(TableWriter *writer, const TuneSearch *search)
{
  static const uint64_t size_most = UINT64_C(1) << 63;
  uint32_t count;
  const TuneTrial *best = &search->trials.at[search->best];
  uint64_t *sizes = sizes_of(search, &count), least = 1;
  put_rows(writer, search, best, 0, UINT64_MAX, best->ratio);
  for (uint32_t i = 0; i < count; ++i) {
    uint64_t most = i + 1 < count ? between(sizes[i], sizes[i + 1]) : size_most;
    const TuneTrial *own = best_at(search, sizes[i]);
    if (own != best) put_rows(writer, search, own, least, most, ratio_at(search, own, sizes[i]));
    least = most + 1;
  }
}

Exit tune_table_write(Arena *arena, const TuningTable *old, const char *path, const char *target,
                      const char *device, TuneSearch *const *searches, uint32_t count)
{
  TableWriter writer = {.arena = arena, .text = BUF(arena), .target = target, .device = device};
  buf_puts(&writer.text, TUNING_HEAD "\n# item, target, sizes, parameter = value\n");
  for (uint32_t i = 0; i < old->rows.count; ++i)
    if (!is_replaced(&writer, searches, count, &old->rows.at[i]))
      tuning_write_row(&writer.text, &old->rows.at[i]);
  for (uint32_t i = 0; i < count; ++i) put_search(&writer, searches[i]);
  if (file_write(path, writer.text.data, writer.text.len)) return EXIT_OK;
  return fail(EXIT_ENVIRONMENT, "cannot write '%s': %s", path, file_why(errno));
}
