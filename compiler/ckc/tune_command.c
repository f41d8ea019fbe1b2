/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* tune_command.c - ckc tune: finds the values of tuning parameters that make the benches of a file
 * fast on a device, shows what that gains, and writes a table that later compilations read.
 *
 *   BENCH lines --compile--> the parameters that each one's code needs
 *               --tune_search.c, for each set of benches that share parameters--> the best values
 *               --> rows of the table k.tune beside k.ck, or of --tuning=FILE
 *
 * Rows of other parameters and other targets stay in the table as they are. Nothing is written if a
 * search fails. This process opens no device, since a driver doesn't survive fork(): all that needs
 * one happens in child processes.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "core/json.h"
#include "tune.h"

typedef struct Tuner {
  const Options *given;
  Options options; /* those of the cases */
  Arena *arena;
  const char *path, *table_path;
  CaseList list;
  double start, budget, timeout, seconds_most;
  TuneStore store;
  TuningTable table; /* as it is */
  VEC(TuneParam) params;
  VEC(TuneBench) benches;
  double *best; /* by bench, in shared memory */
  const char *target, *device;
  VEC(TuneSearch *) searches;
} Tuner;

/* ---- options ---- */

static Exit read_seconds(const Options *options, OptionId id, double otherwise, double *out)
{
  const char *text = option_value(options, id);
  char *end = NULL;
  *out = text ? strtod(text, &end) : otherwise;
  if (!text || (end > text && !*end && *out > 0 && !isinf(*out))) return EXIT_OK;
  return fail(EXIT_USAGE, "%s=%s: a number of seconds is needed, as %g", option_spelling(id), text,
              otherwise);
}

static Exit read_options(Tuner *tuner)
{
  enum { BUDGET = 60 };
  static const double measure_seconds = 0.5, timeout = 60;
  const Options *given = tuner->given;
  if (!given->words.count) return fail(EXIT_USAGE, "which file? ckc tune FILE.ck [PARAMETER...]");
  tuner->path = given->words.at[0];
  if (!strcmp(tuner->path, "-"))
    return fail(EXIT_USAGE, "ckc tune compiles a file many times; standard input is read once");
  Exit exit = read_seconds(given, OPTION_budget, BUDGET, &tuner->budget);
  if (exit == EXIT_OK)
    exit = read_seconds(given, OPTION_seconds, measure_seconds, &tuner->seconds_most);
  if (exit == EXIT_OK) exit = bench_cases(given, tuner->path, &tuner->list, &tuner->timeout);
  if (exit != EXIT_OK) return exit;
  if (!option_has(given, OPTION_timeout)) tuner->timeout = timeout;
  if (!tuner->list.cases.count)
    return fail(EXIT_INPUT, "%s has no BENCH line to measure, as `// BENCH: kernel(x=rand:2**20)`",
                tuner->path);
  const char *device = option_value(given, OPTION_device);
  bool is_host = !strcmp(tuner->list.cases.at[0].device, "host");
  if (is_host && (!device || strcmp(device, "host") != 0))
    return fail(EXIT_ENVIRONMENT,
                "there is no GPU to measure on; --device=host tunes for the host device");
  return EXIT_OK;
}

/* The store in the cache folder, unless the cache is off. */
static const char *default_store(Arena *arena)
{
  const char *folder = cache_folder(arena), *wish = getenv("CK_CACHE");
  if (!folder || (wish && !strcmp(wish, "off"))) return NULL;
  return arena_printf(arena, "%s/tuning.store", folder);
}

/* ---- the table ---- */

static Exit read_table(Tuner *tuner)
{
  const char *given = option_value(tuner->given, OPTION_tuning);
  tuner->table_path = given ? given : tuning_beside(tuner->arena, tuner->path);
  tuner->options = *tuner->given;
  if (!tuner->table_path)
    return fail(EXIT_USAGE, "'%s' does not end in .ck: say with --tuning=FILE where the table is",
                tuner->path);
  char *text;
  size_t bytes;
  if (!file_read(tuner->arena, tuner->table_path, FILE_REGULAR, &text, &bytes)) {
    tuner->options.given[OPTION_tuning].count = 0; /* compilations would miss it */
    if (errno == ENOENT) return EXIT_OK;
    return fail(EXIT_INPUT, "cannot read '%s': %s", tuner->table_path, file_why(errno));
  }
  TuningFault fault;
  if (tuning_read(tuner->arena, text, &tuner->table, &fault)) return EXIT_OK;
  uint32_t line = 1;
  for (uint32_t i = 0; i < fault.at; ++i) line += text[i] == '\n';
  return fail(EXIT_INPUT, "%s:%u: %s", tuner->table_path, line, fault.why);
}

/* ---- parameters ---- */

static uint32_t param_named(Tuner *tuner, const char *name, yyjson_val *values)
{
  for (uint32_t i = 0; i < tuner->params.count; ++i)
    if (!strcmp(tuner->params.at[i].name, name)) return i;
  TuneParam param = {.name = arena_strdup(tuner->arena, name)};
  yyjson_arr_iter all = yyjson_arr_iter_with(values);
  for (yyjson_val *value; (value = yyjson_arr_iter_next(&all));)
    vec_push(tuner->arena, &param.values, arena_strdup(tuner->arena, yyjson_get_str(value)));
  vec_push(tuner->arena, &tuner->params, param);
  return tuner->params.count - 1;
}

/* Reads which parameters a bench needs, and adds those that are new. */
static Exit read_params(Tuner *tuner, TuneBench *bench, const TuneSlot *slot)
{
  Buf why = BUF(tuner->arena);
  if (!*slot->text) return EXIT_OK;
  yyjson_val *list = json_parse(tuner->arena, slot->text, strlen(slot->text), &why);
  if (!list) return fail(EXIT_INPUT, "%s has too many tuning parameters", tuner->path);
  yyjson_arr_iter all = yyjson_arr_iter_with(list);
  for (yyjson_val *one; (one = yyjson_arr_iter_next(&all));) {
    const char *name = yyjson_get_str(yyjson_obj_get(one, "name"));
    uint32_t param = param_named(tuner, name, yyjson_obj_get(one, "values"));
    if (param >= TUNE_PARAMS_MAX)
      return fail(EXIT_INPUT, "%s has more than %d tuning parameters: name those to search",
                  tuner->path, TUNE_PARAMS_MAX);
    bench->params |= UINT64_C(1) << param;
  }
  return EXIT_OK;
}

static Exit take_answer(Tuner *tuner, const Case *one, const TuneSlot *slot, uint32_t index)
{
  if (one->verdict == VERDICT_FAILED || slot->time.state != TUNE_OPENED) {
    const char *text = one->text ? one->text : "it could not be compiled";
    size_t len = strlen(text);
    while (len && text[len - 1] == '\n') --len;
    put_shown(stderr, "%s:%u: %.*s\n", tuner->path, one->test->line, (int)len, text);
    return EXIT_INPUT;
  }
  TuneBench bench = {.one = *one, .size = slot->key.size, .best = &tuner->best[index]};
  bench.one.verdict = VERDICT_NONE;
  tuner->device = arena_strdup(tuner->arena, slot->key.device);
  tuner->target = arena_strdup(tuner->arena, slot->target);
  Exit exit = read_params(tuner, &bench, slot);
  if (exit == EXIT_OK) vec_push(tuner->arena, &tuner->benches, bench);
  return exit;
}

/* Compiles each bench, and learns its parameters. */
static Exit ask(Tuner *tuner)
{
  TuneBatch batch;
  uint32_t count = tuner->list.cases.count;
  Exit exit = tune_batch_begin(&batch, tuner->arena, count);
  if (exit != EXIT_OK) return exit;
  batch.list.file = tuner->list.file;
  for (uint32_t i = 0; i < count; ++i) {
    TuneCase *tune = NEW(tuner->arena, TuneCase);
    *tune = (TuneCase){.is_question = true,
                       .store = &tuner->store,
                       .slots = batch.slots,
                       .slot = i,
                       .first = i,
                       .best = &tuner->best[i]};
    Case one = tuner->list.cases.at[i];
    one.tune = tune;
    vec_push(tuner->arena, &batch.list.cases, one);
  }
  tune_batch_run(&batch, tuner->arena, &tuner->options, tuner->timeout);
  for (uint32_t i = 0; i < count && exit == EXIT_OK; ++i)
    exit = take_answer(tuner, &batch.list.cases.at[i], &batch.slots[i], i);
  tune_batch_end(&batch, count);
  return exit;
}

/* The parameters to search: those named, or all. */
static Exit choose_params(const Tuner *tuner, uint64_t *out)
{
  const Words *words = &tuner->given->words;
  uint32_t count = tuner->params.count;
  const char **names = NEW_ARRAY(tuner->arena, const char *, count + 1);
  Buf list = BUF(tuner->arena);
  if (!count)
    return fail(EXIT_INPUT,
                "the benches of %s need no tuning parameter: declare one outside of functions, as "
                "const ITEMS: u32 = tune(4, 8, 16);",
                tuner->path);
  for (uint32_t i = 0; i < count; ++i) {
    names[i] = tuner->params.at[i].name;
    buf_printf(&list, "%s%s", i ? ", " : "", names[i]);
  }
  *out = words->count > 1 ? 0 : count == TUNE_PARAMS_MAX ? UINT64_MAX : (UINT64_C(1) << count) - 1;
  for (uint32_t i = 1; i < words->count; ++i) {
    uint32_t at = 0;
    while (at < count && strcmp(names[at], words->at[i]) != 0) ++at;
    if (at == count)
      return fail(EXIT_USAGE, "the benches of %s have no tuning parameter '%s'%s; they have %s",
                  tuner->path, words->at[i], did_you_mean(tuner->arena, words->at[i], names, count),
                  buf_text(&list));
    *out |= UINT64_C(1) << at;
  }
  return EXIT_OK;
}

/* Makes a search for each set of benches that share parameters, directly or by others. */
static void make_searches(Tuner *tuner, uint64_t wanted)
{
  uint64_t left = wanted;
  for (uint32_t i = 0; i < tuner->benches.count; ++i) {
    uint64_t set = tuner->benches.at[i].params & left, before = 0;
    if (!set) continue;
    while (set != before) {
      before = set;
      for (uint32_t j = 0; j < tuner->benches.count; ++j)
        if (tuner->benches.at[j].params & set) set |= tuner->benches.at[j].params & wanted;
    }
    left &= ~set;
    TuneSearch *search = NEW(tuner->arena, TuneSearch);
    search->arena = tuner->arena;
    search->options = &tuner->options;
    search->params = tuner->params.at;
    search->param_count = tuner->params.count;
    search->searched = set;
    search->store = &tuner->store;
    search->timeout = tuner->timeout;
    search->seconds_most = tuner->seconds_most;
    search->benches = NEW_ARRAY(tuner->arena, TuneBench *, tuner->benches.count);
    for (uint32_t j = 0; j < tuner->benches.count; ++j)
      if (tuner->benches.at[j].params & set)
        search->benches[search->bench_count++] = &tuner->benches.at[j];
    vec_push(tuner->arena, &tuner->searches, search);
  }
}

/* ---- what is shown ---- */

static void put_time(Buf *out, const TuneTime *time)
{
  if (time->state == TUNE_FAILED) buf_puts(out, "fails");
  else buf_printf(out, "%s%.2f us", time->state == TUNE_SLOW ? "> " : "", 1e6 * time->median);
}

typedef VEC(const char *) Row;

/* Prints rows of equally many cells, the columns as wide as they have to be. */
static void print_rows(Arena *arena, const Row *rows, uint32_t count)
{
  uint32_t columns = rows[0].count;
  size_t *widths = NEW_ARRAY(arena, size_t, columns);
  for (uint32_t i = 0; i < count; ++i)
    for (uint32_t j = 0; j < columns; ++j)
      if (strlen(rows[i].at[j]) > widths[j]) widths[j] = strlen(rows[i].at[j]);
  for (uint32_t i = 0; i < count; ++i) {
    for (uint32_t j = 0; j + 1 < columns; ++j) printf("  %*s", (int)widths[j], rows[i].at[j]);
    const char *last = rows[i].at[columns - 1];
    printf("%s%s\n", *last ? "  " : "", last);
  }
}

static Row head_of(const Tuner *tuner, const TuneSearch *search, bool has_times)
{
  Row row = {0};
  for (uint32_t i = 0; i < tuner->params.count; ++i)
    if (search->searched >> i & 1) vec_push(tuner->arena, &row, tuner->params.at[i].name);
  for (uint32_t i = 0; has_times && i < search->bench_count; ++i)
    vec_push(tuner->arena, &row, arena_printf(tuner->arena, "[%u]", i + 1));
  vec_push(tuner->arena, &row, "ratio");
  vec_push(tuner->arena, &row, "");
  return row;
}

/* The first line of why a configuration failed. */
static const char *why_failed(Arena *arena, const TuneTrial *trial)
{
  return trial->why ? arena_strndup(arena, trial->why, strcspn(trial->why, "\n")) : "failed";
}

static Row row_of(const Tuner *tuner, const TuneSearch *search, uint32_t index, bool has_times)
{
  Row row = {0};
  const TuneTrial *trial = &search->trials.at[index];
  for (uint32_t i = 0; i < tuner->params.count; ++i)
    if (search->searched >> i & 1)
      vec_push(tuner->arena, &row, tuner->params.at[i].values.at[trial->choice[i]]);
  for (uint32_t i = 0; has_times && i < search->bench_count; ++i) {
    Buf text = BUF(tuner->arena);
    put_time(&text, &trial->times[i]);
    vec_push(tuner->arena, &row, buf_text(&text));
  }
  vec_push(tuner->arena, &row,
           trial->ratio > 0 ? arena_printf(tuner->arena, "%.3f", trial->ratio) : "-");
  vec_push(tuner->arena, &row,
           trial->ratio <= 0       ? why_failed(tuner->arena, trial)
           : !index                ? (search->best ? "the default" : "the default, and the best")
           : index == search->best ? "the best"
                                   : "");
  return row;
}

/* The order of trials in the table: the default, then from the fastest to those that fail. */
static uint32_t *order_of(const TuneSearch *search)
{
  uint32_t *order = NEW_ARRAY(search->arena, uint32_t, search->trials.count);
  for (uint32_t i = 1; i < search->trials.count; ++i) {
    uint32_t at = i;
    for (; at > 1; --at) {
      bool is_before = search->trials.at[i].ratio > search->trials.at[order[at - 1]].ratio;
      if (!is_before) break;
      order[at] = order[at - 1];
    }
    order[at] = i;
  }
  return order;
}

/* Shows the default, the fastest configurations and those that fail; with --verbose all. */
static void show_search(const Tuner *tuner, const TuneSearch *search)
{
  enum { TIMES_MOST = 4, ROWS_MOST = 10 };
  bool has_times = search->bench_count <= TIMES_MOST;
  bool is_verbose = option_has(tuner->given, OPTION_verbose);
  VEC(Row) rows = {0};
  uint32_t *order = order_of(search), left_out = 0;
  for (uint32_t i = 0; i < search->bench_count; ++i) {
    const Case *one = &search->benches[i]->one;
    const char *loops = case_loops(tuner->arena, one);
    put_shown(stdout, "[%u] %s%s%s\n", i + 1, one->test->name, *loops ? " " : "", loops);
  }
  vec_push(tuner->arena, &rows, head_of(tuner, search, has_times));
  for (uint32_t i = 0; i < search->trials.count; ++i) {
    bool is_shown = is_verbose || i <= ROWS_MOST || search->trials.at[order[i]].ratio <= 0;
    left_out += !is_shown;
    if (is_shown) vec_push(tuner->arena, &rows, row_of(tuner, search, order[i], has_times));
  }
  print_rows(tuner->arena, rows.at, rows.count);
  if (left_out) printf("  and %u slower ones (--verbose shows them)\n", left_out);
  if (search->is_over)
    printf("the budget of %g s ended the search after %u of %llu configurations\n", tuner->budget,
           search->trials.count, (unsigned long long)search->all);
}

static void show_gain(const Tuner *tuner)
{
  uint32_t measured = 0, kept = 0, slow = 0, failed = 0;
  for (uint32_t i = 0; i < tuner->searches.count; ++i) {
    const TuneSearch *search = tuner->searches.at[i];
    measured += search->measured;
    kept += search->kept;
    slow += search->slow;
    failed += search->failed;
  }
  printf("%u measured, %u of them stopped early; %u known before, %u failed; %.1f s\n", measured,
         slow, kept, failed, seconds_now() - tuner->start);
  for (uint32_t i = 0; i < tuner->searches.count; ++i) {
    const TuneSearch *search = tuner->searches.at[i];
    const TuneTrial *best = &search->trials.at[search->best];
    Buf text = BUF(tuner->arena);
    for (uint32_t j = 0; j < tuner->params.count; ++j)
      if (search->searched >> j & 1)
        buf_printf(&text, "%s%s = %s", text.len ? ", " : "", tuner->params.at[j].name,
                   tuner->params.at[j].values.at[best->choice[j]]);
    printf("%s: %s: %s\n", tuner->table_path, buf_text(&text),
           search->best
               ? arena_printf(tuner->arena, "%.2f times as fast as the default", best->ratio)
               : "nothing was faster than the default");
  }
}

/* ---- the command ---- */

/* Searches one set after another; each may take its share of the time that is left. */
static Exit run_searches(Tuner *tuner)
{
  Exit exit = EXIT_OK;
  for (uint32_t i = 0; i < tuner->searches.count && exit == EXIT_OK; ++i) {
    TuneSearch *search = tuner->searches.at[i];
    double now = seconds_now(), end = tuner->start + tuner->budget;
    search->deadline = now + (end - now) / (tuner->searches.count - i);
    exit = tune_search(search);
    if (exit == EXIT_OK && !search->trials.count)
      exit = fail(EXIT_USAGE,
                  "--budget=%g: that is not enough to measure the default values, after which "
                  "%.1f s have passed",
                  tuner->budget, seconds_now() - tuner->start);
    if (exit == EXIT_OK) show_search(tuner, search);
  }
  return exit;
}

static Exit tune(Tuner *tuner)
{
  uint64_t wanted = 0;
  Exit exit = tune_store_read(&tuner->store);
  if (exit == EXIT_OK) exit = read_table(tuner);
  if (exit == EXIT_OK) exit = ask(tuner);
  if (exit == EXIT_OK) exit = choose_params(tuner, &wanted);
  if (exit != EXIT_OK) return exit;
  printf("%s for %s, %s\n", tuner->path, tuner->target, tuner->device);
  make_searches(tuner, wanted);
  exit = run_searches(tuner);
  if (exit == EXIT_OK)
    exit = tune_table_write(tuner->arena, &tuner->table, tuner->table_path, tuner->target,
                            tuner->device, tuner->searches.at, tuner->searches.count);
  if (exit == EXIT_OK) show_gain(tuner);
  return exit;
}

Exit tune_command(const Options *options)
{
  Tuner tuner = {.given = options, .arena = options->arena, .start = seconds_now()};
  Exit exit = read_options(&tuner);
  if (exit != EXIT_OK) return exit;
  const char *store = option_value(options, OPTION_store);
  size_t bytes = tuner.list.cases.count * sizeof *tuner.best;
  tuner.store =
      (TuneStore){.arena = tuner.arena, .path = store ? store : default_store(tuner.arena)};
  tuner.best = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (tuner.best == MAP_FAILED) return fail(EXIT_ENVIRONMENT, "no memory for the measurements");
  exit = tune(&tuner);
  munmap(tuner.best, bytes);
  return exit;
}
