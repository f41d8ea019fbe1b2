/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* tune_case.c - a configuration of a bench, in a child process: finds out what it is known by, and
 * times it unless its time is known.
 *
 * The key of a measurement is a digest of what decides the time: the machine code, the kernels and
 * steps of the manifest, the call with its arguments. So a parameter that does not change a bench's
 * code costs no measurement, and an edit elsewhere in the file invalidates nothing. What says where
 * something stands in the text is left out of the digest.
 *
 * Everything is written into the case's slot as soon as it is known. If the child hangs or dies,
 * the parent finds the key there, and keeps that this code fails.
 */
#define _GNU_SOURCE /* memmem */
#include <string.h>

#include "core/json.h"
#include "tune.h"

/* A median above this multiple of the best one stops a measurement. */
static const double hopeless_ratio = 1.3;

const char *tune_reason_to_skip(const TuneCase *tune)
{
  for (uint32_t i = tune->first; i < tune->slot; ++i)
    if (tune->slots[i].time.state < TUNE_MEASURED || tune->slots[i].time.state == TUNE_FAILED)
      return "it fails in another bench";
  return tune->deadline > 0 && seconds_now() > tune->deadline ? "the budget is over" : NULL;
}

/* ---- the key ---- */

/* Code for the host contains a digest of its manifest, in which the options of the compilation
 * stand; it is cleared in a copy. */
static Digest digest_code(Arena *arena, const ck_object_code_t *code)
{
  static const char image_key[] = ",\n  \"image\"", ptx_prefix[] = "//ck: ";
  enum { TRAILER_BYTES = 16 };
  size_t bytes;
  const char *data = ck_object_code_bytes(code, &bytes), *json = ck_object_code_manifest(code);
  char *copy = arena_strndup(arena, data, bytes);
  size_t behind = strlen(json) + TRAILER_BYTES;
  const char *lines = memmem(copy, bytes, ptx_prefix, strlen(ptx_prefix));
  if (ck_object_code_form(code) == CK_EMIT_PTX) bytes = lines ? (size_t)(lines - copy) : bytes;
  else if (bytes > behind) bytes -= behind;
  const char *end = strstr(json, image_key);
  if (end) {
    Digest own = digest_of(json, (size_t)(end - json));
    char *place = memmem(copy, bytes, &own, sizeof own);
    if (place) memset(place, 0, sizeof own);
  }
  return digest_of(copy, bytes);
}

/* Digests the objects of a list of the manifest, but for where they stand in the text. */
static Digest digest_items(Arena *arena, Digest digest, yyjson_val *list)
{
  yyjson_arr_iter items = yyjson_arr_iter_with(list);
  for (yyjson_val *item; (item = yyjson_arr_iter_next(&items));) {
    yyjson_obj_iter members = yyjson_obj_iter_with(item);
    for (yyjson_val *name; (name = yyjson_obj_iter_next(&members));) {
      Buf text = BUF(arena);
      const char *key = yyjson_get_str(name);
      if (!strcmp(key, "line") || !strcmp(key, "file")) continue;
      json_write(&text, yyjson_obj_iter_get_val(name));
      digest = digest_more(digest_more(digest, key, strlen(key)), text.data, text.len);
    }
  }
  return digest;
}

/* The arguments as written, and the values of the variables in them. */
static Digest digest_call(Digest digest, const CaseRun *run)
{
  const Case *one = run->one;
  const char *kernel = run->run.kernel_name;
  digest = digest_more(digest, kernel, strlen(kernel));
  for (uint32_t i = 0; i < run->call->args.count; ++i) {
    const TestArg *arg = &run->call->args.at[i];
    digest = digest_more(digest, arg->name, strlen(arg->name));
    digest = digest_more(digest, arg->value.text, strlen(arg->value.text));
  }
  for (uint32_t i = 0; i < one->test->loops.count; ++i) {
    double value = (double)one->loops[i];
    const char *name = one->test->loops.at[i].name;
    digest = digest_more(digest_more(digest, name, strlen(name)), &value, sizeof value);
  }
  bool is_cold = option_has(&run->options, OPTION_cold);
  return digest_more(digest, &is_cold, sizeof is_cold);
}

static uint64_t problem_size(const Run *run)
{
  uint64_t most = 1;
  for (size_t i = 0; i < run->count; ++i)
    if (run->params[i].info.kind != CK_PARAM_SCALAR && run->params[i].shape.count > most)
      most = run->params[i].shape.count;
  return most;
}

static void copy_into(char *out, size_t room, const char *text)
{
  size_t len = strlen(text);
  if (len >= room) len = room - 1;
  memcpy(out, text, len);
  out[len] = 0;
}

static void take_manifest(CaseRun *run, TuneSlot *slot)
{
  Arena *arena = run->arena;
  Buf why = BUF(arena), text = BUF(arena);
  const char *json = ck_object_code_manifest(run->run.code);
  yyjson_val *root = json_parse(arena, json, strlen(json), &why);
  const char *target = yyjson_get_str(yyjson_obj_get(root, "target"));
  copy_into(slot->target, sizeof slot->target, target ? target : "");
  yyjson_val *tunings = yyjson_obj_get(root, "tuning");
  if (tunings) json_write(&text, tunings);
  if (run->one->tune->is_question) copy_into(slot->text, sizeof slot->text, buf_text(&text));
  Digest digest = digest_code(arena, run->run.code);
  digest = digest_items(arena, digest, yyjson_obj_get(root, "kernels"));
  digest = digest_items(arena, digest, yyjson_obj_get(root, "algorithms"));
  slot->key.digest = digest_call(digest, run);
}

static bool is_same_key(const TuneKey *a, const TuneKey *b)
{
  return a->digest.lo == b->digest.lo && a->digest.hi == b->digest.hi && a->size == b->size &&
         !strcmp(a->device, b->device);
}

/* The time of equal code in this batch, or in the store. One that was stopped early counts as long
 * as it is still far from the best. */
static const TuneTime *known_time(const TuneCase *tune, const TuneKey *key)
{
  static const TuneTime failure = {.state = TUNE_FAILED};
  const TuneTime *time = NULL;
  for (uint32_t i = 0; i < tune->slot && !time; ++i) {
    const TuneSlot *slot = &tune->slots[i];
    if (slot->time.state == TUNE_NONE || !is_same_key(&slot->key, key)) continue;
    time = slot->time.state == TUNE_OPENED ? &failure : &slot->time; /* its child died */
  }
  if (!time) time = tune_store_find(tune->store, key);
  bool is_far = *tune->best > 0 && time && time->median > hopeless_ratio * *tune->best;
  if (time && time->state == TUNE_SLOW && !is_far) return NULL;
  return time;
}

static void note_best(const TuneCase *tune, const TuneTime *time)
{
  if (time->state != TUNE_MEASURED) return;
  if (*tune->best <= 0 || time->median < *tune->best) *tune->best = time->median;
}

bool tune_is_known(CaseRun *run)
{
  const TuneCase *tune = run->one->tune;
  TuneSlot *slot = &tune->slots[tune->slot];
  copy_into(slot->key.device, sizeof slot->key.device, ck_device_name(run->run.device));
  slot->key.size = problem_size(&run->run);
  take_manifest(run, slot);
  slot->time.state = TUNE_OPENED;
  if (tune->is_question) return true;
  const TuneTime *time = known_time(tune, &slot->key);
  if (!time) return false;
  slot->is_kept = true;
  slot->time = *time;
  note_best(tune, time);
  return true;
}

Exit tune_measure(CaseRun *run)
{
  const TuneCase *tune = run->one->tune;
  BenchTime time;
  Exit exit = bench_time(run, tune->seconds_most, hopeless_ratio * *tune->best, &time);
  if (exit != EXIT_OK) return exit;
  TuneTime *out = &tune->slots[tune->slot].time;
  *out = (TuneTime){time.is_hopeless ? TUNE_SLOW : TUNE_MEASURED, time.runs, time.median.value,
                    time.median.low, time.median.high};
  note_best(tune, out);
  return EXIT_OK;
}
