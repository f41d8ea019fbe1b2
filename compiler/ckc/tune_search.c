/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* tune_search.c - searches the values of tuning parameters for those with the lowest times.
 *
 * A configuration has a value for each parameter. Its ratio is the geometric mean, over the
 * benches, of the default's time divided by its own. The search has two phases, until the budget
 * ends:
 *
 *   descent   one parameter after another is varied, the others as in the best configuration so
 *             far, until a whole round improves nothing
 *   the rest  all configurations that were not tried, in an order that mixes them
 *
 *     values 3 x 3        default a0, b0:  a varies   b varies   the rest
 *                                          x o x      . x .      x . x      o: the best so far
 *                                          . . .      . o .      x . x
 *                                          . . .      . x .      x . x
 *
 * Configurations are measured in batches, each by one child process (test_pool.c), which a hang or
 * a fault ends; another child goes on behind it. A configuration must be faster by min_gain to
 * become the best, so that noise doesn't choose.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tune.h"

static const double min_gain = 1.005;

/* ---- batches ---- */

Exit tune_batch_begin(TuneBatch *batch, Arena *arena, uint32_t count)
{
  void *memory = mmap(NULL, count * sizeof(TuneSlot), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return fail(EXIT_ENVIRONMENT, "no memory for %u measurements", count);
  batch->slots = memory;
  batch->list.cases.at = NEW_ARRAY(arena, Case, count);
  batch->list.cases.room = count;
  batch->list.cases.count = 0;
  return EXIT_OK;
}

static void list_done(void *data, CaseList *list)
{
  (void)data;
  (void)list;
}

void tune_batch_run(TuneBatch *batch, Arena *arena, const Options *options, double timeout)
{
  Pool pool = {
      .arena = arena, .options = options, .jobs = 1, .timeout = timeout, .file_done = list_done};
  pool_run(&pool, &batch->list, 1);
}

void tune_batch_end(TuneBatch *batch, uint32_t count)
{
  munmap(batch->slots, count * sizeof(TuneSlot));
}

/* ---- configurations ---- */

static bool is_searched(const TuneSearch *search, uint32_t param)
{
  return search->searched >> param & 1;
}

static bool is_tried(const TuneSearch *search, const uint32_t *choice)
{
  for (uint32_t i = 0; i < search->trials.count; ++i)
    if (!memcmp(search->trials.at[i].choice, choice, sizeof search->trials.at[i].choice))
      return true;
  return false;
}

static Words defines_of(const TuneSearch *search, const uint32_t *choice)
{
  Words out = {0};
  for (uint32_t i = 0; i < search->param_count; ++i)
    if (is_searched(search, i)) {
      const TuneParam *param = &search->params[i];
      vec_push(search->arena, &out,
               arena_printf(search->arena, "%s=%s", param->name, param->values.at[choice[i]]));
    }
  return out;
}

typedef VEC(TuneTrial) Trials;

static void add_trial(TuneSearch *search, Trials *trials, const uint32_t *choice)
{
  TuneTrial trial = {.times = NEW_ARRAY(search->arena, TuneTime, search->bench_count)};
  memcpy(trial.choice, choice, sizeof trial.choice);
  vec_push(search->arena, trials, trial);
}

static void add_cases(TuneSearch *search, TuneBatch *batch, const TuneTrial *trial)
{
  uint32_t first = batch->list.cases.count;
  Words defines = defines_of(search, trial->choice);
  for (uint32_t i = 0; i < search->bench_count; ++i) {
    TuneCase *tune = NEW(search->arena, TuneCase);
    *tune = (TuneCase){.defines = defines,
                       .store = search->store,
                       .slots = batch->slots,
                       .slot = batch->list.cases.count,
                       .first = first,
                       .best = search->benches[i]->best,
                       .deadline = search->deadline,
                       .seconds_most = search->seconds_most};
    Case one = search->benches[i]->one;
    one.tune = tune;
    batch->list.file = one.file;
    vec_push(search->arena, &batch->list.cases, one);
  }
}

/* ---- compiling ahead ---- */

/* Is there a bench before this one with the same code? */
static bool is_compiled(const TuneSearch *search, uint32_t bench)
{
  const Test *test = search->benches[bench]->one.test;
  for (uint32_t i = 0; i < bench; ++i) {
    const Test *other = search->benches[i]->one.test;
    if (!test->options.count && !other->options.count && !strcmp(test->kernel, other->kernel))
      return true;
  }
  return false;
}

/* Compiles the configurations of a batch on all cores, into the runtime's cache, where the child
 * that measures them one by one finds them. */
static void compile_ahead(TuneSearch *search, const Trials *trials)
{
  enum { CORES_LEAST = 2, JOBS_MOST = 16 };
  TuneBatch batch;
  const char *wish = getenv("CK_CACHE");
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  uint32_t count = trials->count * search->bench_count, used = 0;
  if (cores < CORES_LEAST || trials->count < 2 || (wish && !strcmp(wish, "off"))) return;
  if (tune_batch_begin(&batch, search->arena, count) != EXIT_OK) return;
  for (uint32_t i = 0; i < trials->count; ++i) add_cases(search, &batch, &trials->at[i]);
  CaseList *lists = NEW_ARRAY(search->arena, CaseList, count);
  for (uint32_t i = 0; i < count; ++i) {
    if (is_compiled(search, i % search->bench_count)) continue;
    Case one = batch.list.cases.at[i];
    TuneCase *tune = NEW(search->arena, TuneCase);
    *tune = *one.tune;
    tune->is_question = true;
    tune->first = tune->slot;
    one.tune = tune;
    lists[used].file = one.file;
    vec_push(search->arena, &lists[used].cases, one);
    ++used;
  }
  Pool pool = {.arena = search->arena,
               .options = search->options,
               .jobs = (uint32_t)(cores < JOBS_MOST ? cores : JOBS_MOST),
               .timeout = search->timeout,
               .file_done = list_done};
  pool_run(&pool, lists, used);
  tune_batch_end(&batch, count);
}

/* ---- results ---- */

/* The ratio to the default; 0 if a bench has no time. */
static double ratio_of(const TuneSearch *search, const TuneTrial *trial)
{
  const TuneTrial *base = search->trials.count ? &search->trials.at[0] : trial;
  double sum = 0;
  for (uint32_t i = 0; i < search->bench_count; ++i) {
    if (trial->times[i].state != TUNE_MEASURED && trial->times[i].state != TUNE_SLOW) return 0;
    sum += log(base->times[i].median / trial->times[i].median);
  }
  return exp(sum / search->bench_count);
}

/* Takes the result of a case; false: it was left out, since the budget is over. A configuration
 * that failed in one bench is not tried in the next ones. */
static bool take_case(TuneSearch *search, const Case *one, const TuneSlot *slot, TuneTrial *trial,
                      uint32_t bench)
{
  TuneTime *time = &trial->times[bench];
  *time = slot->time;
  if (one->verdict == VERDICT_SKIPPED && !trial->why) return false;
  if (one->verdict == VERDICT_SKIPPED) {
    time->state = TUNE_FAILED;
    return true;
  }
  bool has_failed = one->verdict != VERDICT_PASSED || time->state < TUNE_MEASURED;
  if (has_failed) time->state = TUNE_FAILED;
  if (time->state == TUNE_FAILED && !trial->why)
    trial->why = one->verdict == VERDICT_FAILED && one->text ? one->text : "failed before";
  search->kept += slot->is_kept;
  search->measured += !slot->is_kept && time->state != TUNE_FAILED;
  search->slow += !slot->is_kept && time->state == TUNE_SLOW;
  search->failed += time->state == TUNE_FAILED;
  return true;
}

/* Adds a batch's new times to the store. */
static Exit keep_times(TuneSearch *search, const TuneBatch *batch, const Trials *trials)
{
  VEC(TuneKept) rows = {0};
  for (uint32_t i = 0; i < batch->list.cases.count; ++i) {
    const TuneSlot *slot = &batch->slots[i];
    TuneTime time = trials->at[i / search->bench_count].times[i % search->bench_count];
    Verdict verdict = batch->list.cases.at[i].verdict;
    bool is_new = slot->time.state != TUNE_NONE && !slot->is_kept && verdict != VERDICT_SKIPPED;
    TuneKept row = {slot->key, time};
    if (is_new) vec_push(search->arena, &rows, row);
  }
  return tune_store_add(search->store, rows.at, rows.count);
}

static Exit run_trials(TuneSearch *search, Trials *trials)
{
  TuneBatch batch;
  uint32_t count = trials->count * search->bench_count;
  if (!count) return EXIT_OK;
  compile_ahead(search, trials);
  Exit exit = tune_batch_begin(&batch, search->arena, count);
  if (exit != EXIT_OK) return exit;
  for (uint32_t i = 0; i < trials->count; ++i) add_cases(search, &batch, &trials->at[i]);
  tune_batch_run(&batch, search->arena, search->options, search->timeout);
  for (uint32_t i = 0; i < trials->count; ++i) {
    TuneTrial *trial = &trials->at[i];
    bool is_whole = true;
    for (uint32_t j = 0; j < search->bench_count; ++j) {
      uint32_t at = i * search->bench_count + j;
      is_whole &= take_case(search, &batch.list.cases.at[at], &batch.slots[at], trial, j);
    }
    search->is_over |= !is_whole;
    if (!is_whole) continue;
    trial->ratio = ratio_of(search, trial);
    vec_push(search->arena, &search->trials, *trial);
    if (trial->ratio > min_gain * search->trials.at[search->best].ratio)
      search->best = search->trials.count - 1;
  }
  exit = keep_times(search, &batch, trials);
  tune_batch_end(&batch, count);
  return exit;
}

/* ---- the search ---- */

/* Varies one parameter, the others as in the best configuration. */
static Exit vary(TuneSearch *search, uint32_t param)
{
  Trials trials = {0};
  uint32_t choice[TUNE_PARAMS_MAX];
  memcpy(choice, search->trials.at[search->best].choice, sizeof choice);
  for (uint32_t i = 0; i < search->params[param].values.count; ++i) {
    choice[param] = i;
    if (!is_tried(search, choice)) add_trial(search, &trials, choice);
  }
  return run_trials(search, &trials);
}

static Exit descend(TuneSearch *search)
{
  Exit exit = EXIT_OK;
  for (uint32_t before = UINT32_MAX; before != search->best && !search->is_over;) {
    before = search->best;
    for (uint32_t i = 0; i < search->param_count && exit == EXIT_OK; ++i)
      if (is_searched(search, i) && !search->is_over) exit = vary(search, i);
    if (exit != EXIT_OK) break;
  }
  return exit;
}

static void choice_of(const TuneSearch *search, uint64_t number, uint32_t *out)
{
  memset(out, 0, TUNE_PARAMS_MAX * sizeof *out);
  for (uint32_t i = 0; i < search->param_count; ++i) {
    if (!is_searched(search, i)) continue;
    out[i] = (uint32_t)(number % search->params[i].values.count);
    number /= search->params[i].values.count;
  }
}

static Exit try_rest(TuneSearch *search)
{
  enum { BATCH = 16 };
  static const uint64_t step = 2654435761u; /* a prime, so all numbers below a smaller one come */
  Exit exit = EXIT_OK;
  Trials trials = {0};
  for (uint64_t i = 0; i < search->all && exit == EXIT_OK && !search->is_over; ++i) {
    uint32_t choice[TUNE_PARAMS_MAX];
    choice_of(search, i * step % search->all, choice);
    if (!is_tried(search, choice)) add_trial(search, &trials, choice);
    if (trials.count < BATCH && i + 1 < search->all) continue;
    exit = run_trials(search, &trials);
    trials.count = 0;
  }
  return exit;
}

Exit tune_search(TuneSearch *search)
{
  enum { ALL_MOST = 1 << 20 }; /* more are not counted: no budget tries them */
  uint32_t first[TUNE_PARAMS_MAX] = {0};
  Trials trials = {0};
  search->all = 1;
  for (uint32_t i = 0; i < search->param_count; ++i)
    if (is_searched(search, i) && search->all <= ALL_MOST)
      search->all *= search->params[i].values.count;
  add_trial(search, &trials, first);
  Exit exit = run_trials(search, &trials);
  if (exit != EXIT_OK || search->is_over) return exit;
  if (search->trials.at[0].ratio <= 0)
    return fail(EXIT_INPUT, "the default values fail: %s", search->trials.at[0].why);
  exit = descend(search);
  return exit == EXIT_OK && search->all <= ALL_MOST ? try_rest(search) : exit;
}
