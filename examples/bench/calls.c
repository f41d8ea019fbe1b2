/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* calls.c - the time of the runtime's calls beside the driver's: launches of an empty kernel with
 * 0, 3 and 16 arguments, event record, stream wait, allocation and free, copy. Rounds of calls
 * alternate between the two in one process, in pairs; each is first in half of the pairs. The
 * context is current, as in programs that keep one.
 *
 * Differences of nanoseconds are measured in long rounds and in short ones (_short): most short
 * rounds have no interruption by other work of the machine, so their median is less noisy. The rows
 * with _twice compare the driver with itself: they show how far such a difference can be trusted.
 *
 * Prints CSV: who,workload,value,unit. Exit 77 without a GPU.
 */
#include "bench.h"

static const char source[] = "kernel none() {}\n"
                             "kernel three(x: in f32[1], a: f32, n: u64) {}\n"
                             "kernel many(x: in f32[1], a: f32, n: u64, b: i32, c: i32, d: f64, e: "
                             "u8, f: i16, g: u32, h: i64, i: f32,\n"
                             "            j: f32, k: f32, l: f32, m: u64, y: inout f32[1]) {}\n";

enum { LONG_CALLS = 500, LONG_PAIRS = 101, SHORT_CALLS = 20, SHORT_PAIRS = 2501, BYTES = 4096 };

/* The driver's functions, by their exported names. */
static struct {
  int (*push)(void *context);
  int (*launch)(void *kernel, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                unsigned bz, unsigned shared_bytes, void *stream, void **args, void **extra);
  int (*record)(void *event, void *stream);
  int (*wait)(void *stream, void *event, unsigned flags);
  int (*allocate)(uint64_t *out_address, size_t bytes, void *pool, void *stream);
  int (*free)(uint64_t address, void *stream);
  int (*copy)(uint64_t dst, uint64_t src, size_t bytes, void *stream);
} driver;

static const char *const driver_names[] = {
    "cuCtxPushCurrent_v2",     "cuLaunchKernel", "cuEventRecord", "cuStreamWaitEvent",
    "cuMemAllocFromPoolAsync", "cuMemFreeAsync", "cuMemcpyAsync"};
_Static_assert(sizeof driver_names == sizeof driver, "a name for each function");

typedef struct Bench {
  ck_device_t *device;
  ck_stream_t *stream;
  ck_event_t *event;
  ck_buffer_t *x, *y;
  ck_kernel_t *none, *three, *many;
  ck_launch_config_t config;
  void *queue, *pool, *natives[3], *native_event;
  uint64_t at_x, at_y;
  uint64_t addresses[LONG_CALLS]; /* allocated and not freed yet */
  ck_buffer_t *buffers[LONG_CALLS];
  size_t count;
} Bench;

static void launch(Bench *b, int which, void **args)
{
  must(driver.launch(b->natives[which], 4, 1, 1, 256, 1, 1, 0, b->queue, args, NULL));
}

static void none_theirs(Bench *b)
{
  launch(b, 0, NULL);
}

static void none_ours(Bench *b)
{
  TRY(ck_launch(b->stream, &b->config, b->none));
}

static void three_theirs(Bench *b)
{
  float a = 1;
  uint64_t n = 1024;
  void *args[] = {&b->at_x, &a, &n};
  launch(b, 1, args);
}

static void three_ours(Bench *b)
{
  TRY(ck_launch(b->stream, &b->config, b->three, b->x, 1.0f, (uint64_t)1024));
}

static void many_theirs(Bench *b)
{
  float f = 1;
  double d = 1;
  uint64_t w = 1;
  int64_t l = 1;
  int32_t i = 1;
  uint32_t u = 1;
  int16_t s = 1;
  uint8_t c = 1;
  void *args[] = {&b->at_x, &f, &w, &i, &i, &d, &c, &s, &u, &l, &f, &f, &f, &f, &w, &b->at_y};
  launch(b, 2, args);
}

static void many_ours(Bench *b)
{
  TRY(ck_launch(b->stream, &b->config, b->many, b->x, 1.0f, (uint64_t)1, 1, 1, 1.0, (uint8_t)1,
                (int16_t)1, 1u, (int64_t)1, 1.0f, 1.0f, 1.0f, 1.0f, (uint64_t)1, b->y));
}

static void record_theirs(Bench *b)
{
  must(driver.record(b->native_event, b->queue));
}

static void record_ours(Bench *b)
{
  TRY(ck_stream_record(b->stream, b->event));
}

static void wait_theirs(Bench *b)
{
  must(driver.wait(b->queue, b->native_event, 0));
}

static void wait_ours(Bench *b)
{
  TRY(ck_stream_wait(b->stream, b->event));
}

static void allocate_theirs(Bench *b)
{
  uint64_t address;
  must(driver.allocate(&address, BYTES, b->pool, b->queue));
  must(driver.free(address, b->queue));
}

static void allocate_ours(Bench *b)
{
  ck_buffer_t *buffer;
  TRY(ck_buffer_create(b->device, BYTES, b->stream, &buffer));
  ck_buffer_release(buffer);
}

static void take_theirs(Bench *b)
{
  must(driver.allocate(&b->addresses[b->count++], BYTES, b->pool, b->queue));
}

static void take_ours(Bench *b)
{
  TRY(ck_buffer_create(b->device, BYTES, b->stream, &b->buffers[b->count++]));
}

static void leave_theirs(Bench *b)
{
  must(driver.free(b->addresses[--b->count], b->queue));
}

static void leave_ours(Bench *b)
{
  ck_buffer_release(b->buffers[--b->count]);
}

static void copy_theirs(Bench *b)
{
  must(driver.copy(b->at_y, b->at_x, BYTES, b->queue));
}

static void copy_ours(Bench *b)
{
  TRY(ck_buffer_copy(b->y, 0, b->x, 0, BYTES, b->stream));
}

typedef void Call(Bench *b);

/* The number of calls in a round, and of pairs of rounds. */
typedef struct Rounds {
  int calls, pairs;
} Rounds;

static const Rounds long_rounds = {LONG_CALLS, LONG_PAIRS};
static const Rounds short_rounds = {SHORT_CALLS, SHORT_PAIRS};

/* A measured call, and calls before and after it that aren't measured, or NULL. */
typedef struct Work {
  Call *call, *before, *after;
} Work;

static void repeat(Bench *b, Call *call, int count)
{
  for (int i = 0; call && i < count; ++i) call(b);
}

static double round_us(Bench *b, const Work *work, int calls)
{
  repeat(b, work->before, calls);
  TRY(ck_stream_sync(b->stream));
  double start = now_us();
  repeat(b, work->call, calls);
  double us = (now_us() - start) / calls;
  repeat(b, work->after, calls);
  return us;
}

static void compare_work(Bench *b, const char *name, Rounds rounds, Work theirs, Work ours)
{
  static double driver_us[SHORT_PAIRS], us[SHORT_PAIRS], above[SHORT_PAIRS];
  char text[64];
  round_us(b, &theirs, rounds.calls);
  round_us(b, &ours, rounds.calls);
  for (int pair = 0; pair < rounds.pairs; ++pair) {
    /* alternates, because the first leaves its traces in caches and clocks */
    int is_first = pair % 2;
    if (is_first) us[pair] = round_us(b, &ours, rounds.calls);
    driver_us[pair] = round_us(b, &theirs, rounds.calls);
    if (!is_first) us[pair] = round_us(b, &ours, rounds.calls);
    above[pair] = 1e3 * (us[pair] - driver_us[pair]);
  }
  double theirs_us = median(driver_us, rounds.pairs), ours_us = median(us, rounds.pairs);
  row("driver", name, theirs_us, "us");
  row("ck", name, ours_us, "us");
  snprintf(text, sizeof text, "%s_above", name);
  row("ck", text, median(above, rounds.pairs), "ns");
  snprintf(text, sizeof text, "%s_ratio", name);
  row("ck", text, ours_us / theirs_us, "x");
}

static void compare(Bench *b, const char *name, Call *theirs, Call *ours)
{
  compare_work(b, name, long_rounds, (Work){.call = theirs}, (Work){.call = ours});
}

/* Measures in rounds of both lengths. */
static void compare_ns(Bench *b, const char *name, Call *theirs, Call *ours)
{
  char text[64];
  compare(b, name, theirs, ours);
  snprintf(text, sizeof text, "%s_short", name);
  compare_work(b, text, short_rounds, (Work){.call = theirs}, (Work){.call = ours});
}

int main(void)
{
  Bench b = {.config = CK_OPTIONS_INIT(ck_launch_config_t)};
  ck_program_t *program;
  ck_object_code_t *code;
  ck_memory_resource_t *resource;
  if (ck_device_open(0, &b.device) != CK_OK) {
    fprintf(stderr, "no GPU: %s\n", ck_last_error());
    return 77;
  }
  open_driver(driver_names, sizeof driver_names / sizeof *driver_names, &driver);
  TRY(ck_stream_create(b.device, NULL, &b.stream));
  TRY(ck_event_create(b.device, NULL, &b.event));
  TRY(ck_buffer_create(b.device, BYTES, b.stream, &b.x));
  TRY(ck_buffer_create(b.device, BYTES, b.stream, &b.y));
  TRY(ck_device_get_memory_resource(b.device, &resource));
  TRY(ck_program_create(source, strlen(source), NULL, &program));
  TRY(ck_program_compile(program, b.device, &code));
  ck_kernel_t **kernels[] = {&b.none, &b.three, &b.many};
  static const char *const names[] = {"none", "three", "many"};
  for (int i = 0; i < 3; ++i) {
    TRY(ck_kernel_from_code(code, b.device, names[i], kernels[i]));
    b.natives[i] = ck_kernel_native(*kernels[i]);
  }
  b.config.grid[0] = 4;
  b.config.block[0] = 256;
  b.queue = ck_stream_native(b.stream);
  b.pool = ck_memory_resource_native(resource);
  b.native_event = ck_event_native(b.event);
  b.at_x = ck_buffer_native(b.x);
  b.at_y = ck_buffer_native(b.y);
  must(driver.push(ck_context_native(ck_device_context(b.device))));
  printf("who,workload,value,unit\n");
  compare(&b, "launch_0", none_theirs, none_ours);
  compare(&b, "launch_3", three_theirs, three_ours);
  compare(&b, "launch_16", many_theirs, many_ours);
  compare_ns(&b, "record", record_theirs, record_ours);
  compare_ns(&b, "wait", wait_theirs, wait_ours);
  compare_ns(&b, "allocate_free", allocate_theirs, allocate_ours);
  compare_ns(&b, "allocate_free_twice", allocate_theirs, allocate_theirs);
  compare_work(&b, "allocate", long_rounds, (Work){.call = take_theirs, .after = leave_theirs},
               (Work){.call = take_ours, .after = leave_ours});
  compare_work(&b, "free", long_rounds, (Work){.call = leave_theirs, .before = take_theirs},
               (Work){.call = leave_ours, .before = take_ours});
  compare_ns(&b, "copy", copy_theirs, copy_ours);
  compare_ns(&b, "copy_twice", copy_theirs, copy_theirs);
  for (int i = 0; i < 3; ++i) ck_kernel_release(*kernels[i]);
  ck_object_code_release(code);
  ck_program_release(program);
  ck_buffer_release(b.x);
  ck_buffer_release(b.y);
  ck_event_release(b.event);
  ck_stream_release(b.stream);
  ck_device_release(b.device);
  return 0;
}
