/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* bench.c - times one BENCH line: launches until the median is known to 1 %, or the time is up.
 *
 * A GPU's time is measured between two events, the host device's by the clock. Short kernels are
 * timed in batches, so that the cost of a launch is hidden behind the previous kernel. Inout arrays
 * start each batch with the same values. --cold overwrites the caches before every launch; that
 * also keeps a GPU busy while the launch is prepared, so batches aren't needed.
 *
 *     warm up -> samples -> median, interval (stats.c) -> within 1 %? no: a quarter more
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

enum {
  SAMPLES_LEAST = 15,
  SAMPLES_MOST = 20000,
  BATCH_MOST = 1000,
  SAMPLES_EARLY = 5 /* after which a hopeless configuration is given up */
};
static const double batch_seconds = 200e-6, warm_seconds = 0.05, wanted_width = 0.01;

typedef struct Bench {
  CaseRun *run;
  bool is_host, is_cold;
  uint32_t batch;
  ck_event_t *start, *end;
  ck_buffer_t *flush; /* --cold */
  double *seconds;
  size_t count;
  Median median;
  bool is_stable;
  double hopeless; /* a median above it ends the measurement early; 0: none does */
  bool is_hopeless;
} Bench;

static ck_status_t launch(Bench *bench, uint32_t times)
{
  Run *run = &bench->run->run;
  ck_status_t status = CK_OK;
  for (uint32_t i = 0; i < times && status == CK_OK; ++i)
    status = ck_launch_args(run->stream, &run->config, run->kernel, run->args, run->count);
  return status;
}

/* The time of one launch, out of a batch of them. */
static ck_status_t sample(Bench *bench, uint32_t times, double *out)
{
  Run *run = &bench->run->run;
  double started = 0;
  ck_status_t status = run_restore(run);
  if (status == CK_OK && bench->flush)
    status = ck_buffer_fill(bench->flush, 0, ck_buffer_bytes(bench->flush), 0, 1, run->stream);
  if (status == CK_OK && bench->is_host) status = ck_stream_sync(run->stream);
  if (bench->is_host) started = seconds_now();
  else if (status == CK_OK) status = ck_stream_record(run->stream, bench->start);
  if (status == CK_OK) status = launch(bench, times);
  if (status == CK_OK && !bench->is_host) status = ck_stream_record(run->stream, bench->end);
  if (status == CK_OK) status = ck_stream_sync(run->stream);
  if (bench->is_host) *out = seconds_now() - started;
  else if (status == CK_OK) status = ck_event_get_elapsed(bench->start, bench->end, out);
  *out /= times;
  return status;
}

/* Warms up, and finds how many launches fill a batch. */
static ck_status_t warm_up(Bench *bench)
{
  double start = seconds_now(), once = 0;
  ck_status_t status = CK_OK;
  for (int i = 0; status == CK_OK && (i == 0 || seconds_now() - start < warm_seconds); ++i)
    status = sample(bench, 1, &once);
  double wanted = once > 0 ? ceil(batch_seconds / once) : BATCH_MOST;
  bench->batch = bench->is_cold || wanted < 1 ? 1
                 : wanted > BATCH_MOST        ? BATCH_MOST
                                              : (uint32_t)wanted;
  return status;
}

static void judge(Bench *bench)
{
  double *sorted = bench->seconds + SAMPLES_MOST; /* there is room for a copy behind them */
  memcpy(sorted, bench->seconds, bench->count * sizeof *sorted);
  sort_doubles(sorted, bench->count);
  bench->median = median_of(sorted, bench->count);
  double width = (bench->median.high - bench->median.low) / 2;
  bench->is_stable = bench->count >= SAMPLES_LEAST && width <= wanted_width * bench->median.value;
}

static ck_status_t measure(Bench *bench, double limit)
{
  double start = seconds_now();
  size_t next = SAMPLES_LEAST;
  ck_status_t status = warm_up(bench);
  while (status == CK_OK && bench->count < SAMPLES_MOST) {
    status = sample(bench, bench->batch, &bench->seconds[bench->count++]);
    bool is_late = seconds_now() - start >= limit;
    bool is_early = bench->hopeless > 0 && bench->count == SAMPLES_EARLY;
    if (is_early) judge(bench);
    bench->is_hopeless = is_early && bench->median.value > bench->hopeless;
    if (bench->is_hopeless) break;
    if (bench->count < next && !is_late) continue;
    next += next / 4; /* so that sorting costs less than measuring */
    judge(bench);
    if (bench->is_stable || is_late) break;
  }
  if (status == CK_OK) judge(bench);
  return status;
}

/* Makes a buffer larger than any cache. */
static ck_status_t make_flush(Bench *bench)
{
  enum { LEAST_BYTES = 64 << 20 };
  int bytes = 0;
  ck_device_t *device = bench->run->run.device;
  if (ck_device_get_attribute(device, CK_DEVICE_L2_CACHE_SIZE, &bytes) != CK_OK) bytes = 0;
  size_t wanted = 2 * (size_t)(bytes > 0 ? bytes : 0);
  return ck_buffer_create(device, wanted > LEAST_BYTES ? wanted : LEAST_BYTES,
                          bench->run->run.stream, &bench->flush);
}

static ck_status_t prepare(Bench *bench)
{
  ck_event_options_t timing = CK_OPTIONS_INIT(ck_event_options_t);
  timing.flags = CK_EVENT_TIMING;
  ck_device_t *device = bench->run->run.device;
  bench->is_host = ck_device_is_host(device) != 0;
  bench->seconds = NEW_ARRAY(bench->run->arena, double, 2 * SAMPLES_MOST);
  ck_status_t status = bench->is_cold ? make_flush(bench) : CK_OK;
  if (status == CK_OK) status = ck_event_create(device, &timing, &bench->start);
  if (status == CK_OK) status = ck_event_create(device, &timing, &bench->end);
  return status;
}

static Exit count_work(CaseRun *run, Expr *expr, const char *name, double *out)
{
  Wide value;
  Buf why = BUF(run->arena);
  if (!expr) return EXIT_OK;
  if (!expr_number(expr, &run->bindings, &value, &why))
    return fail(EXIT_INPUT, "%s: %s", name, buf_text(&why));
  *out = (double)value;
  return EXIT_OK;
}

static void report(const Bench *bench, double bytes, double flops, Case *result)
{
  const Median *median = &bench->median;
  Arena *arena = bench->run->arena;
  Buf text = BUF(arena), json = BUF(arena);
  const char *device = ck_device_name(bench->run->run.device), *loops = case_loops(arena, result);
  buf_printf(&text, "%s:%u: %s%s%s on %s: %.3f us [%.3f, %.3f]", result->file->path,
             result->test->line, result->test->name, *loops ? " " : "", loops, device,
             1e6 * median->value, 1e6 * median->low, 1e6 * median->high);
  buf_printf(&text, ", %.2f GB/s", 1e-9 * bytes / median->value);
  if (flops > 0) buf_printf(&text, ", %.2f GFLOP/s", 1e-9 * flops / median->value);
  buf_printf(&text, ", %zu runs%s%s", bench->count, bench->is_cold ? ", cold" : "",
             bench->is_stable ? "" : ", not known to 1 %");
  buf_puts(&json, ", \"device_name\": ");
  buf_json_string(&json, device, strlen(device));
  buf_printf(&json, ", \"median\": %.9g, \"low\": %.9g, \"high\": %.9g, \"runs\": %zu",
             median->value, median->low, median->high, bench->count);
  buf_printf(&json, ", \"batch\": %u, \"cold\": %s, \"stable\": %s", bench->batch,
             bench->is_cold ? "true" : "false", bench->is_stable ? "true" : "false");
  buf_printf(&json, ", \"bytes\": %.17g, \"flops\": %.17g", bytes, flops);
  result->text = buf_text(&text);
  result->json = buf_text(&json);
}

static void finish(Bench *bench)
{
  ck_event_release(bench->start);
  ck_event_release(bench->end);
  ck_buffer_release(bench->flush);
}

Exit bench_time(CaseRun *run, double limit, double hopeless, BenchTime *out)
{
  Bench bench = {.run = run, .hopeless = hopeless};
  bench.is_cold = option_has(&run->options, OPTION_cold);
  ck_status_t status = prepare(&bench);
  if (status == CK_OK) status = measure(&bench, limit);
  finish(&bench);
  *out = (BenchTime){bench.median, (uint32_t)bench.count, bench.is_hopeless};
  run->is_faulted = status != CK_OK;
  return run_status(status);
}

Exit bench_limit(const Options *options, double *out_seconds)
{
  const char *given = option_value(options, OPTION_seconds);
  char *end = NULL;
  *out_seconds = given ? strtod(given, &end) : 5;
  if (given && (end == given || *end || !(*out_seconds >= 0) || isinf(*out_seconds)))
    return fail(EXIT_USAGE, "--seconds=%s: a number of seconds is needed, as 5", given);
  return EXIT_OK;
}

Exit bench_run(CaseRun *run, const Options *options, Case *result)
{
  double limit;
  Bench bench = {.run = run, .is_cold = option_has(options, OPTION_cold)};
  double bytes = run_span_bytes(&run->run), flops = 0;
  Exit exit = bench_limit(options, &limit);
  if (exit == EXIT_OK) exit = count_work(run, result->test->bytes, "bytes", &bytes);
  if (exit == EXIT_OK) exit = count_work(run, result->test->flops, "flops", &flops);
  if (exit != EXIT_OK) return exit;
  ck_status_t status = prepare(&bench);
  if (status == CK_OK) status = measure(&bench, limit);
  if (status == CK_OK) report(&bench, bytes, flops, result);
  finish(&bench);
  run->is_faulted = status != CK_OK;
  return run_status(status);
}
