/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* bench_compare.c - ckc bench --compare: lists what became slower between two files of --json.
 *
 * Times differ if their confidence intervals don't overlap. Benches correspond if file (without
 * folders), name, FOR variables, device, back end and --cold agree.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/json.h"
#include "test.h"

typedef struct Measured {
  const char *key;
  double median, low, high;
  bool is_seen;
} Measured;

typedef VEC(Measured) Measurements;

static const char *text_of(yyjson_val *json, const char *name)
{
  const char *text = yyjson_get_str(yyjson_obj_get(json, name));
  return text ? text : "";
}

/* "saxpy.ck: saxpy(...) with k = 3 on cuda:0 by nvptx, cold" */
static const char *key_of(Arena *arena, yyjson_val *bench)
{
  Buf key = BUF(arena);
  const char *backend = text_of(bench, "backend");
  buf_printf(&key, "%s: %s", path_base(text_of(bench, "file")), text_of(bench, "name"));
  const char *between = " with ";
  yyjson_obj_iter constants = yyjson_obj_iter_with(yyjson_obj_get(bench, "with"));
  for (yyjson_val *name; (name = yyjson_obj_iter_next(&constants));) {
    buf_puts(&key, between);
    buf_bytes(&key, yyjson_get_str(name), yyjson_get_len(name));
    buf_printf(&key, " = %.15g", json_real(yyjson_obj_iter_get_val(name), 0));
    between = ", ";
  }
  buf_printf(&key, " on %s%s%s", text_of(bench, "device"), *backend ? " by " : "", backend);
  if (yyjson_is_true(yyjson_obj_get(bench, "cold"))) buf_puts(&key, ", cold");
  return buf_text(&key);
}

static Exit read_measurements(Arena *arena, const char *path, Measurements *out)
{
  char *text;
  size_t bytes;
  Buf why = BUF(arena);
  if (!file_read(arena, path, FILE_PIPE, &text, &bytes))
    return fail(EXIT_INPUT, "cannot read '%s': %s", path, file_why(errno));
  yyjson_val *json = json_parse(arena, text, bytes, &why);
  if (!json) return fail(EXIT_INPUT, "'%s' is no JSON: %s", path, buf_text(&why));
  if (strcmp(text_of(json, "schema"), "ckc-bench-1"))
    return fail(EXIT_INPUT, "'%s' does not come from ckc bench --json", path);
  yyjson_arr_iter results = yyjson_arr_iter_with(yyjson_obj_get(json, "results"));
  for (yyjson_val *at; (at = yyjson_arr_iter_next(&results));) {
    Measured one = {.median = json_real(yyjson_obj_get(at, "median"), 0)};
    if (!(one.median > 0)) continue; /* it failed */
    one.key = key_of(arena, at);
    one.low = json_real(yyjson_obj_get(at, "low"), one.median);
    one.high = json_real(yyjson_obj_get(at, "high"), one.median);
    vec_push(arena, out, one);
  }
  return EXIT_OK;
}

static Measured *find(Measurements *all, const char *key)
{
  for (uint32_t i = 0; i < all->count; ++i)
    if (!strcmp(all->at[i].key, key)) return &all->at[i];
  return NULL;
}

/* Prints a pair; true if it got slower by more than the threshold. */
static bool compare_pair(const Measured *old, const Measured *new, double threshold)
{
  double ratio = new->median / old->median;
  bool is_slower = new->low > old->high, is_faster = new->high < old->low;
  const char *verdict = is_slower ? "slower" : is_faster ? "faster" : "no difference";
  printf("%s: %.3f -> %.3f us, ratio %.3f, %s\n", new->key, 1e6 * old->median, 1e6 * new->median,
         ratio, verdict);
  return is_slower && ratio > 1 + threshold / 100;
}

Exit bench_compare(const Options *options)
{
  Measurements old = {0}, new = {0};
  const char *given = option_value(options, OPTION_threshold);
  char *end = NULL;
  double threshold = given ? strtod(given, &end) : 5;
  uint32_t compared = 0, slower = 0;
  if (given && (!*given || *end || !(threshold >= 0)))
    return fail(EXIT_USAGE, "--threshold=%s: percents are needed, as 5", given);
  if (options->words.count != 2)
    return fail(EXIT_USAGE, "ckc bench --compare needs two files: OLD.json NEW.json");
  Exit exit = read_measurements(options->arena, options->words.at[0], &old);
  if (exit == EXIT_OK) exit = read_measurements(options->arena, options->words.at[1], &new);
  if (exit != EXIT_OK) return exit;
  for (uint32_t i = 0; i < new.count; ++i) {
    Measured *before = find(&old, new.at[i].key);
    if (!before) printf("%s: new\n", new.at[i].key);
    if (!before) continue;
    before->is_seen = true;
    ++compared;
    slower += compare_pair(before, &new.at[i], threshold);
  }
  for (uint32_t i = 0; i < old.count; ++i)
    if (!old.at[i].is_seen) printf("%s: gone\n", old.at[i].key);
  printf("%u compared, %u slower by more than %g %%\n", compared, slower, threshold);
  if (!compared) return fail(EXIT_INPUT, "the files have no bench in common");
  return slower ? EXIT_INPUT : EXIT_OK;
}
