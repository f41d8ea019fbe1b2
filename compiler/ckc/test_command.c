/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* test_command.c - ckc test and ckc bench: turns files into cases, and results into lines, a
 * summary and JSON.
 */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"

typedef struct Tester {
  const Options *options;
  Arena *arena;
  bool is_bench;
  Words files;
  Words devices, backends;
  Words targets;      /* of --compile */
  uint32_t instances; /* of a generic kernel, that --compile makes */
  uint64_t seed;
  uint32_t samples;
  VEC(CaseList) lists;
  uint32_t passed, failed, unchecked, skipped;
  Buf json;
} Tester;

/* files -------------------------------------------------------------------------------------- */

static int compare_names(const void *a, const void *b)
{
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool is_folder(const char *path)
{
  struct stat info;
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* Lists the .ck files below a folder, by name. `depth` ends cycles of links. */
static Exit list_folder(Tester *tester, const char *folder, int depth)
{
  enum { DEPTH_MAX = 32 };
  DIR *stream = opendir(folder);
  if (!stream) return fail(EXIT_INPUT, "cannot read '%s': %s", folder, strerror(errno));
  Words names = {0};
  for (struct dirent *entry; (entry = readdir(stream)) != NULL;)
    if (entry->d_name[0] != '.')
      vec_push(tester->arena, &names, arena_strdup(tester->arena, entry->d_name));
  closedir(stream);
  if (names.count) qsort(names.at, names.count, sizeof *names.at, compare_names);
  Exit exit = EXIT_OK;
  for (uint32_t i = 0; i < names.count && exit == EXIT_OK; ++i) {
    const char *slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
    const char *path = arena_printf(tester->arena, "%s%s%s", folder, slash, names.at[i]);
    size_t len = strlen(path);
    if (is_folder(path) && depth < DEPTH_MAX) exit = list_folder(tester, path, depth + 1);
    else if (len > 3 && !strcmp(path + len - 3, ".ck"))
      vec_push(tester->arena, &tester->files, path);
  }
  return exit;
}

static void report_problem(const char *path, const TestProblem *problem)
{
  put_shown(stderr, "%s:%u:%u: %s: %s\n", path, problem->line, problem->column,
            problem->is_warning ? "warning" : "error", problem->message);
  if (!*problem->source) return;
  put_shown(stderr, "%s\n", problem->source);
  for (uint32_t i = 0; i + 1 < problem->column; ++i)
    fputc(problem->source[i] == '\t' ? '\t' : ' ', stderr);
  fputs("^\n", stderr);
}

/* cases -------------------------------------------------------------------------------------- */

static uint64_t next_random(uint64_t *state) /* splitmix64, as in value.c */
{
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* A random integer from lo to hi, evenly distributed over orders of magnitude. */
static Wide random_between(uint64_t *state, Wide lo, Wide hi)
{
  Wide unit = (Wide)(next_random(state) >> 11) * 0x1p-53L;
  Wide from = logl(lo > 1 ? lo : 1), to = logl((hi > 1 ? hi : 1) + 1);
  Wide value = floorl(expl(from + unit * (to - from)));
  return value < lo ? lo : value > hi ? hi : value;
}

typedef VEC(Wide) Wides;

static void push_once(Arena *arena, Wides *out, Wide value)
{
  for (uint32_t i = 0; i < out->count; ++i)
    if (out->at[i] == value) return;
  vec_push(arena, out, value);
}

/* The values of a FOR variable: those that are written; of a range, both ends and samples. */
static Wides loop_values(Tester *tester, const TestLoop *loop)
{
  Wides out = {0};
  uint64_t state = tester->seed;
  for (uint32_t i = 0; i < loop->items.count; ++i) {
    const LoopItem *item = &loop->items.at[i];
    push_once(tester->arena, &out, item->lo);
    if (!item->is_range) continue;
    push_once(tester->arena, &out, item->hi);
    for (uint32_t j = 0; j < tester->samples; ++j)
      push_once(tester->arena, &out, random_between(&state, item->lo, item->hi));
  }
  return out;
}

/* Adds all combinations of the FOR variables' values, or a sample by the seed if there are too
 * many. */
static void add_combinations(Tester *tester, CaseList *list, Case one)
{
  enum { COMBINATIONS_MAX = 64 };
  uint32_t count = one.test->loops.count;
  Wides *values = NEW_ARRAY(tester->arena, Wides, count + 1);
  uint64_t all = 1, state = tester->seed;
  for (uint32_t i = 0; i < count; ++i) {
    values[i] = loop_values(tester, &one.test->loops.at[i]);
    all *= values[i].count;
    if (all > UINT32_MAX) all = UINT32_MAX;
  }
  uint64_t wanted = all < COMBINATIONS_MAX ? all : COMBINATIONS_MAX;
  for (uint64_t i = 0; i < wanted; ++i) {
    uint64_t which = all == wanted ? i : next_random(&state) % all;
    one.loops = NEW_ARRAY(tester->arena, Wide, count + 1);
    for (uint32_t j = count; j-- > 0; which /= values[j].count)
      one.loops[j] = values[j].at[which % values[j].count];
    vec_push(tester->arena, &list->cases, one);
  }
}

/* Whether a TAGS line has the tag; a test with EXPECT-ERROR has `error` without one. */
static bool has_tag(const Test *test, const char *tag)
{
  return test_has_tag(test, tag) || (test->errors.count && !strcmp(tag, "error"));
}

/* --filter and --tag; --tag=!NAME leaves tests out. */
static bool is_wanted(const Tester *tester, const TestFile *file, const Test *test)
{
  const Words *filters = &tester->options->given[OPTION_filter];
  const Words *tags = &tester->options->given[OPTION_tag];
  if (tester->is_bench != (test->kind == TEST_BENCH)) return false;
  for (uint32_t i = 0; i < tags->count; ++i) {
    bool is_left_out = tags->at[i][0] == '!';
    if (has_tag(test, tags->at[i] + is_left_out) == is_left_out) return false;
  }
  bool is_named = !filters->count;
  for (uint32_t i = 0; i < filters->count; ++i)
    is_named |= strstr(test->name, filters->at[i]) || strstr(file->path, filters->at[i]);
  return is_named;
}

/* Adds a case for each device and back end; the host has no back end. */
static void add_cases(Tester *tester, CaseList *list, const Test *test)
{
  for (uint32_t i = 0; i < tester->devices.count; ++i) {
    Case one = {.file = list->file, .test = test, .device = tester->devices.at[i]};
    bool is_host = !strcmp(one.device, "host");
    for (uint32_t j = 0; j < (is_host ? 1 : tester->backends.count); ++j) {
      one.backend = is_host ? NULL : tester->backends.at[j];
      add_combinations(tester, list, one);
    }
  }
}

/* --compile: a case for each module, target and back end. */
static Exit add_compilations(Tester *tester, CaseList *list)
{
  const TestFile *file = list->file;
  const Test **tests = NEW_ARRAY(tester->arena, const Test *, file->tests.count + 1);
  uint32_t count = 0;
  Exit exit = EXIT_OK;
  for (uint32_t i = 0; i < file->tests.count; ++i)
    if (is_wanted(tester, file, &file->tests.at[i])) tests[count++] = &file->tests.at[i];
  for (uint32_t i = 0; i < tester->targets.count; ++i)
    for (uint32_t j = 0; j < tester->backends.count && exit == EXIT_OK; ++j)
      exit = compile_add_cases(list, tests, count, tester->options, tester->targets.at[i],
                               tester->backends.at[j], tester->instances);
  return exit;
}

static Exit read_file(Tester *tester, const char *path, bool is_named)
{
  char *text;
  size_t bytes;
  TestFile *file = NEW(tester->arena, TestFile);
  CaseList list = {.file = file};
  if (!file_read(tester->arena, path, FILE_WAIT, &text, &bytes))
    return fail(EXIT_INPUT, "cannot read '%s': %s", path, file_why(errno));
  test_parse(file, tester->arena, path, text, bytes);
  uint32_t errors = 0;
  for (uint32_t i = 0; i < file->problems.count; ++i) {
    report_problem(path, &file->problems.at[i]);
    errors += !file->problems.at[i].is_warning;
  }
  tester->failed += errors;
  if (errors) return EXIT_OK; /* with an error its other lines may mean something else */
  for (uint32_t i = 0; i < file->tests.count; ++i)
    if (is_wanted(tester, file, &file->tests.at[i])) add_cases(tester, &list, &file->tests.at[i]);
  if (!file->tests.count && is_named)
    return fail(EXIT_INPUT, "%s has no test lines, as `// CALL: kernel(x=[1, 2])`", path);
  Exit exit = add_compilations(tester, &list);
  if (exit != EXIT_OK) return exit;
  vec_push(tester->arena, &tester->lists, list);
  return EXIT_OK;
}

/* results ------------------------------------------------------------------------------------ */

/* "FILE:3: on host by nvptx with k = 3" */
static const char *title(Arena *arena, const Case *one)
{
  const char *loops = one->compiled ? "" : case_loops(arena, one);
  return arena_printf(arena, "%s:%u: %s %s%s%s%s%s", one->file->path,
                      one->line ? one->line : one->test->line, one->compiled ? "for" : "on",
                      one->device, one->backend ? " by " : "", one->backend ? one->backend : "",
                      *loops ? " " : "", loops);
}

static void put_json(Tester *tester, const Case *one)
{
  static const char *const words[] = {"none", "passed", "failed", "skipped", "unchecked"};
  Buf *json = &tester->json;
  const struct {
    const char *name, *text;
  } texts[] = {{"file", one->file->path},       {"name", one->test->name},
               {"device", one->device},         {"backend", one->backend ? one->backend : ""},
               {"status", words[one->verdict]}, {"message", one->text ? one->text : ""}};
  buf_printf(json, "%s\n  {\"test\": %u, \"line\": %u, \"elapsed\": %.6f, \"with\": {",
             json->len ? "," : "", one->test->line, one->line ? one->line : one->test->line,
             one->seconds);
  for (uint32_t i = 0; i < one->test->loops.count && !one->compiled; ++i) {
    const char *quote = isfinite(one->loops[i]) ? "" : "\""; /* JSON has no inf and no nan */
    buf_printf(json, "%s\"%s\": %s%s%s", i ? ", " : "", one->test->loops.at[i].name, quote,
               number_wide_text(tester->arena, one->loops[i]), quote);
  }
  buf_puts(json, "}");
  for (size_t i = 0; i < COUNT_OF(texts); ++i) {
    buf_printf(json, ", \"%s\": ", texts[i].name);
    buf_json_string(json, texts[i].text, strlen(texts[i].text));
  }
  if (one->json) buf_puts(json, one->json);
  buf_puts(json, "}");
}

/* Prints a case. `told` is the previous failure in its file, which isn't repeated. */
static void show_case(Tester *tester, const Case *one, const char *told)
{
  const char *text = one->text ? one->text : "";
  size_t len = strlen(text);
  while (len && text[len - 1] == '\n') --len;
  if (one->verdict == VERDICT_FAILED && strchr(text, '\n') && !strcmp(text, told))
    put_shown(stderr, "%s: the same\n", title(tester->arena, one));
  else if (one->verdict == VERDICT_FAILED)
    put_shown(stderr, "%s: %.*s\n", title(tester->arena, one), (int)len, text);
  else if (tester->is_bench && one->verdict == VERDICT_PASSED)
    put_shown(stdout, "%.*s\n", (int)len, text);
  else if (option_has(tester->options, OPTION_verbose))
    put_shown(stdout, "%s: %s %s%s%.*s\n", title(tester->arena, one), one->test->name,
              one->verdict == VERDICT_PASSED      ? "passed"
              : one->verdict == VERDICT_UNCHECKED ? "unchecked"
                                                  : "skipped",
              len ? ": " : "", (int)len, text);
  fflush(stdout);
}

static void file_done(void *data, CaseList *list)
{
  Tester *tester = data;
  const char *told = "";
  for (uint32_t i = 0; i < list->cases.count; ++i) {
    const Case *one = &list->cases.at[i];
    tester->passed += one->verdict == VERDICT_PASSED;
    tester->failed += one->verdict == VERDICT_FAILED;
    tester->skipped += one->verdict == VERDICT_SKIPPED;
    tester->unchecked += one->verdict == VERDICT_UNCHECKED;
    show_case(tester, one, told);
    if (one->verdict == VERDICT_FAILED) told = one->text;
    put_json(tester, one);
  }
}

static Exit write_json(const Tester *tester)
{
  const char *path = option_value(tester->options, OPTION_json);
  if (!path) return EXIT_OK;
  const char *text = arena_printf(
      tester->arena,
      "{\"schema\": \"ckc-%s-1\", \"version\": \"%s\", \"passed\": %u, \"failed\": %u, "
      "\"unchecked\": %u, \"skipped\": %u,\n \"seed\": %llu,\n \"results\": [%s\n]}\n",
      tester->is_bench ? "bench" : "test", CK_VERSION_TEXT, tester->passed, tester->failed,
      tester->unchecked, tester->skipped, (unsigned long long)tester->seed,
      buf_text(&tester->json));
  if (file_write(path, text, strlen(text))) return EXIT_OK;
  return fail(EXIT_ENVIRONMENT, "cannot write '%s': %s", path, file_why(errno));
}

/* the command -------------------------------------------------------------------------------- */

static Exit read_count(const Options *options, OptionId id, const char *spelling, uint64_t least,
                       uint64_t most, uint64_t *out)
{
  const char *text = option_value(options, id);
  char *end;
  if (!text) return EXIT_OK;
  errno = 0;
  *out = strtoull(text, &end, 10);
  if (*text >= '0' && *text <= '9' && !*end && !errno && *out >= least && *out <= most)
    return EXIT_OK;
  return fail(EXIT_USAGE, "%s=%s: a number from %llu to %llu is needed", spelling, text,
              (unsigned long long)least, (unsigned long long)most);
}

/* The values of an option; each may be several, with commas. */
static Words split(Arena *arena, const Words *given, const char *otherwise)
{
  Words out = {0};
  for (uint32_t i = 0; i < given->count; ++i)
    for (const char *at = given->at[i]; *at; at += *at == ',') {
      size_t len = strcspn(at, ",");
      if (len) vec_push(arena, &out, arena_strndup(arena, at, len));
      at += len;
    }
  if (!out.count) vec_push(arena, &out, otherwise);
  return out;
}

static bool is_gpu_possible(const Tester *tester)
{
  for (uint32_t i = 0; i < tester->devices.count; ++i)
    if (strcmp(tester->devices.at[i], "host")) return true;
  return false;
}

/* The default number of processes: compiling takes most of the time, so one for each core for files
 * of the host device. Files for a GPU run one after another, for its memory and for timings. */
static uint64_t default_jobs(const Tester *tester)
{
  enum { JOBS_MAX = 8 };
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  if (tester->is_bench || is_gpu_possible(tester) || cores < 1) return 1;
  return cores < JOBS_MAX ? (uint64_t)cores : JOBS_MAX;
}

/* Refuses wrong options of the compiler once, before any test. */
static Exit check_compiler_options(const Tester *tester)
{
  Options one = *tester->options;
  Exit exit = EXIT_OK;
  for (uint32_t i = 0; i < tester->backends.count && exit == EXIT_OK; ++i) {
    ck_compile_options_t ignored = CK_OPTIONS_INIT(ck_compile_options_t);
    one.given[OPTION_backend] =
        (Words){.at = tester->backends.at + i, .count = tester->backends.at[i] != NULL};
    exit = options_for_compiler(&one, &ignored);
  }
  return exit;
}

/* The targets of --compile, without which tests run on a device. */
static Exit read_targets(Tester *tester)
{
  const Words *given = &tester->options->given[OPTION_compile];
  uint64_t instances = UINT32_MAX;
  if (given->count) tester->targets = split(tester->arena, given, "");
  for (uint32_t i = 0; i < tester->targets.count; ++i)
    if (strncmp(tester->targets.at[i], "sm_", 3) != 0)
      return fail(EXIT_USAGE, "--compile=%s: GPU targets are needed, as sm_90",
                  tester->targets.at[i]);
  Exit exit =
      read_count(tester->options, OPTION_instances, "--instances", 1, UINT32_MAX, &instances);
  tester->instances = (uint32_t)instances;
  return exit;
}

/* Resolves `auto`, and removes duplicate devices. */
static void resolve_devices(Tester *tester)
{
  Words once = {0};
  for (uint32_t i = 0; i < tester->devices.count; ++i) {
    const char *name = tester->devices.at[i];
    bool is_new = true;
    if (!strcmp(name, "auto")) name = pool_device(tester->arena);
    for (uint32_t j = 0; j < once.count; ++j) is_new &= strcmp(once.at[j], name) != 0;
    if (is_new) vec_push(tester->arena, &once, name);
  }
  tester->devices = once;
}

static Exit read_options(Tester *tester, Pool *pool)
{
  enum { JOBS_MAX = 256, TIMEOUT = 300, TIMEOUT_MAX = 86400, SAMPLES_MAX = 1000 };
  const Options *options = tester->options;
  Exit exit = read_targets(tester);
  if (exit != EXIT_OK) return exit;
  if (!tester->targets.count || option_has(options, OPTION_device))
    tester->devices = split(tester->arena, &options->given[OPTION_device], "auto");
  resolve_devices(tester);
  tester->backends = split(tester->arena, &options->given[OPTION_backend], NULL);
  uint64_t jobs = default_jobs(tester), timeout = TIMEOUT, samples = 2;
  tester->seed = 1;
  double seconds;
  exit = check_compiler_options(tester);
  if (exit == EXIT_OK) exit = bench_limit(options, &seconds);
  if (exit == EXIT_OK) exit = read_count(options, OPTION_jobs, "--jobs", 0, JOBS_MAX, &jobs);
  if (exit == EXIT_OK)
    exit = read_count(options, OPTION_timeout, "--timeout", 1, TIMEOUT_MAX, &timeout);
  if (exit == EXIT_OK)
    exit = read_count(options, OPTION_samples, "--samples", 0, SAMPLES_MAX, &samples);
  if (exit == EXIT_OK)
    exit = read_count(options, OPTION_seed, "--seed", 0, UINT64_MAX, &tester->seed);
  tester->samples = (uint32_t)samples;
  pool->jobs = (uint32_t)jobs;
  pool->timeout = (double)timeout;
  return exit;
}

static Exit read_files(Tester *tester)
{
  const Words *words = &tester->options->words;
  Exit exit = EXIT_OK;
  for (uint32_t i = 0; i < words->count && exit == EXIT_OK; ++i) {
    uint32_t first = tester->files.count;
    bool is_named = !is_folder(words->at[i]);
    if (is_named) vec_push(tester->arena, &tester->files, words->at[i]);
    else exit = list_folder(tester, words->at[i], 0);
    for (uint32_t j = first; j < tester->files.count && exit == EXIT_OK; ++j)
      exit = read_file(tester, tester->files.at[j], is_named);
  }
  return exit;
}

Exit bench_cases(const Options *options, const char *path, CaseList *out, double *out_timeout)
{
  Tester tester = {.options = options, .arena = options->arena, .is_bench = true};
  Pool pool = {.arena = options->arena, .options = options};
  Exit exit = read_options(&tester, &pool);
  if (exit != EXIT_OK) return exit;
  if (tester.devices.count > 1 || tester.backends.count > 1)
    return fail(EXIT_USAGE, "one device and one back end are measured at a time");
  exit = read_file(&tester, path, false);
  if (exit == EXIT_OK && tester.failed) exit = EXIT_INPUT;
  if (exit != EXIT_OK) return exit;
  *out = tester.lists.at[0];
  *out_timeout = pool.timeout;
  return EXIT_OK;
}

static Exit test_files(const Options *options, bool is_bench)
{
  Tester tester = {.options = options, .arena = options->arena, .is_bench = is_bench};
  Pool pool = {.arena = options->arena, .options = options, .file_done = file_done};
  tester.json = BUF(options->arena);
  pool.data = &tester;
  if (!options->words.count)
    return fail(EXIT_USAGE, "which files? ckc %s FILE.ck or a folder of them",
                is_bench ? "bench" : "test");
  Exit exit = read_options(&tester, &pool);
  if (exit == EXIT_OK) exit = read_files(&tester);
  if (exit != EXIT_OK) return exit;
  pool_run(&pool, tester.lists.at, tester.lists.count);
  exit = write_json(&tester);
  printf("%u passed, %u failed", tester.passed, tester.failed);
  if (tester.unchecked) printf(", %u unchecked", tester.unchecked);
  if (tester.skipped) printf(", %u skipped", tester.skipped);
  putchar('\n');
  if (tester.failed) return EXIT_INPUT;
  if (exit == EXIT_OK && !tester.passed && !tester.skipped && !tester.unchecked)
    return fail(EXIT_INPUT, "no %s was found", is_bench ? "BENCH line" : "test line");
  return exit;
}

Exit test_command(const Options *options)
{
  return test_files(options, false);
}

Exit bench_command(const Options *options)
{
  if (option_has(options, OPTION_compare)) return bench_compare(options);
  return test_files(options, true);
}
