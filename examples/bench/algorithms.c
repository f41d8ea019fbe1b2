/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* algorithms.c - times the algorithms of algorithms.ck on the workloads of CUB's benchmark and of
 * peers/cub_struct_bench.cu.
 *
 * It times as that program does: up to 2^20 elements a graph of 32 calls is replayed, above that
 * calls run between two events. Each output is checked by kernels.
 *
 *   algorithms [MAX_LOG2 [FILTER [LIB]]]   prints CSV: peer,workload,type,n,median_us,gbps,mode
 *                                    LIB: a folder with files that replace those of the library
 *                                    Exit 1 if an output is wrong, 77 without a GPU
 *
 * A row says the algorithm's arguments as letters: n elements, x and w inputs, y and z outputs, k
 * counts, o offsets, s segments, b the number of wrong elements, r the result.
 */
#include "bench.h"

#include "algorithms.ck.text"

#include <stdbool.h>

enum { CALLS = 32 };

typedef enum Input { RANDOM, UNIT, RUNS } Input;

typedef struct Work {
  const char *workload, *type, *algorithm, *args;
  Input input;
  double bytes;             /* moved for each element */
  const char *checks[2][2]; /* kernels and their arguments; NULL: none */
} Work;

static const Work works[] = {
    {"reduce_alt_counting", "i64", "alt_counting", "nr", RANDOM, 0, {{"check_alt", "nrb"}}},
    {"reduce_sum", "i32", "sum_i32", "nxr", RANDOM, 4, {{"add_u32", "nxz"}, {"same_u32", "rzb"}}},
    {"reduce_sum", "f32", "sum_f32", "nxr", UNIT, 4, {{"add_f32", "nxw0z"}, {"near_f32", "rzb"}}},
    {"reduce_gpu_to_gpu",
     "f32",
     "fixed_f32",
     "nxr",
     UNIT,
     4,
     {{"add_f32", "nxw0z"}, {"near_f32", "rzb"}}},
    {"dot", "f32", "dot", "nxwr", UNIT, 8, {{"add_f32", "nxw1z"}, {"near_f32", "rzb"}}},
    {"argmin", "i32", "argmin_i32", "nxr", RANDOM, 4, {{"check_argmin", "nxrb"}}},
    {"inclusive_sum", "f32", "running_f32", "nxy", UNIT, 8, {{"check_running_f32", "nxyb"}}},
    {"exclusive_sum", "i32", "before_i32", "nxy", RANDOM, 8, {{"check_before_i32", "nxyb"}}},
    {"exclusive_sum", "i64", "before_i64", "nxy", RANDOM, 16, {{"check_before_i64", "nxyb"}}},
    {"select_if_half", "i32", "odd_i32", "nxyr", RANDOM, 6, {{"check_odd", "nxyrb"}}},
    {"partition_3way", "i32", "three_ways", "nxyzor", RANDOM, 8, {{"check_ways", "nxyzorb"}}},
    {"unique_by_key_run5",
     "i32i32",
     "firsts_i32",
     "nxwyzr",
     RUNS,
     9.6,
     {{"check_firsts", "nwyzrb"}}},
    {"reduce_by_key_run5",
     "i32i32",
     "totals_i32",
     "nxwyzr",
     RUNS,
     9.6,
     {{"check_totals", "nwyzrb"}}},
    {"run_length_encode_run5",
     "i32",
     "lengths_i32",
     "nxyzr",
     RUNS,
     5.6,
     {{"check_lengths", "nwyzrb"}}},
    {"radix_sort_keys",
     "u32",
     "sort_u32",
     "nxy",
     RANDOM,
     8,
     {{"check_order<u32>", "nxyzb"}, {"check_sum", "zb"}}},
    {"radix_sort_pairs",
     "u32u32",
     "sort_pairs",
     "nxwyo",
     RANDOM,
     16,
     {{"check_pairs", "nxwyozb"}, {"check_sum", "zb"}}},
    {"radix_sort_keys",
     "u64",
     "sort_u64",
     "nxy",
     RANDOM,
     16,
     {{"check_order<u64>", "nxyzb"}, {"check_sum", "zb"}}},
    {"merge_sort_keys",
     "i32",
     "merge_i32",
     "nxy",
     RANDOM,
     8,
     {{"check_order<i32>", "nxyzb"}, {"check_sum", "zb"}}},
    {"merge_sort_by_function",
     "i32",
     "merge_by",
     "nxy",
     RANDOM,
     8,
     {{"check_order<i32>", "nxyzb"}, {"check_sum", "zb"}}},
    {"transform_axpy", "f32", "axpy", "nxwy", UNIT, 12, {{"check_axpy", "nxwyb"}}},
    {"adjacent_difference",
     "i32",
     "differences",
     "nxy",
     RANDOM,
     8,
     {{"check_differences", "nxyb"}}},
    {"histogram_even_256",
     "u8",
     "histogram_u8",
     "nxy",
     RANDOM,
     1,
     {{"count_u8", "nxz"}, {"same_256", "yzb"}}},
    {"histogram_even_2048",
     "i32",
     "histogram_u32",
     "nxy",
     RANDOM,
     4,
     {{"count_u32", "nxz"}, {"same_2048", "yzb"}}},
    {"segmented_sum_16", "f32", "segment_sums", "nsxoy", UNIT, 4, {{"check_segments", "nsxyb"}}},
    {"segmented_sum_256", "f32", "segment_sums", "nsxoy", UNIT, 4, {{"check_segments", "nsxyb"}}},
    {"segmented_sum_4096", "f32", "segment_sums", "nsxoy", UNIT, 4, {{"check_segments", "nsxyb"}}},
    {"segmented_sum_65536", "f32", "segment_sums", "nsxoy", UNIT, 4, {{"check_segments", "nsxyb"}}},
#define SEGMENTED_SCAN(length)                                                                     \
  {                                                                                                \
    "segmented_scan_" #length, "i32", "segment_running", "nsxoy", RANDOM, 8,                       \
    {                                                                                              \
      {                                                                                            \
        "check_segment_running", "nsxyb"                                                           \
      }                                                                                            \
    }                                                                                              \
  }
    SEGMENTED_SCAN(16),
    SEGMENTED_SCAN(256),
    SEGMENTED_SCAN(4096),
    {"reduce_struct",
     "12 bytes",
     "reduce_stat",
     "nxr",
     RANDOM,
     12,
     {{"add_stat", "nxz"}, {"same_stat", "rzb"}}},
    {"inclusive_scan_struct",
     "12 bytes",
     "running_stat",
     "nxy",
     RANDOM,
     24,
     {{"check_running_stat", "nxyb"}}},
    {"merge_sort_struct",
     "12 bytes",
     "sort_stat",
     "nxy",
     RANDOM,
     24,
     {{"check_sorted_stat", "nxyzb"}, {"check_sum", "zb"}}},
    {"merge_sort_struct_by_function",
     "12 bytes",
     "sort_stat_by",
     "nxy",
     RANDOM,
     24,
     {{"check_sorted_stat", "nxyzb"}, {"check_sum", "zb"}}},
};

typedef struct Bench {
  ck_device_t *device;
  ck_stream_t *stream;
  ck_object_code_t *code;
  ck_buffer_t *x, *w, *y, *z, *k, *o, *r, *b;
  uint64_t n, segments;
} Bench;

static void call(const Bench *on, ck_stream_t *stream, ck_kernel_t *kernel, const char *letters)
{
  ck_arg_t args[16];
  size_t count = 0;
  for (const char *at = letters; *at; ++at) {
    const ck_buffer_t *buffer = NULL;
    switch (*at) {
    case 'n': args[count] = ck_u64(on->n); break;
    case 's': args[count] = ck_u64(on->segments); break;
    case '0':
    case '1': args[count] = ck_bool(*at == '1'); break;
    case 'x': buffer = on->x; break;
    case 'w': buffer = on->w; break;
    case 'y': buffer = on->y; break;
    case 'z': buffer = on->z; break;
    case 'k': buffer = on->k; break;
    case 'o': buffer = on->o; break;
    case 'r': buffer = on->r; break;
    default: buffer = on->b; break;
    }
    if (buffer) args[count] = ck_address(ck_buffer_native(buffer));
    ++count;
  }
  TRY(ck_launch_args(stream, NULL, kernel, args, count));
}

static ck_kernel_t *kernel_of(const Bench *on, const char *name)
{
  ck_kernel_t *kernel;
  TRY(ck_kernel_from_code(on->code, on->device, name, &kernel));
  return kernel;
}

static void call_named(const Bench *on, const char *name, const char *letters)
{
  ck_kernel_t *kernel = kernel_of(on, name);
  call(on, on->stream, kernel, letters);
  ck_kernel_release(kernel);
}

static void fill(Bench *on, Input input)
{
  Bench words = *on;
  ck_kernel_t *kernel = kernel_of(on, "fill");
  words.n = 3 * on->n; /* of elements of up to 12 bytes */
  for (int i = 0; i < 2; ++i) {
    ck_arg_t args[] = {ck_u64(words.n), ck_u64(i ? 7 : 1),
                       ck_address(ck_buffer_native(i ? on->w : on->x))};
    TRY(ck_launch_args(on->stream, NULL, kernel, args, 3));
  }
  ck_kernel_release(kernel);
  if (input == UNIT) {
    call_named(on, "fill_unit", "nx");
    call_named(on, "fill_unit", "nw");
  }
  if (input == RUNS) {
    ck_arg_t args[] = {ck_u64(on->n), ck_u64(5), ck_address(ck_buffer_native(on->x))};
    kernel = kernel_of(on, "fill_runs");
    TRY(ck_launch_args(on->stream, NULL, kernel, args, 3));
    ck_kernel_release(kernel);
  }
  TRY(ck_stream_sync(on->stream));
}

typedef struct Timing {
  ck_event_t *events[2];
  ck_graph_t *graph;
  ck_kernel_t *kernel;
  const char *letters;
} Timing;

static double batch_us(const Bench *on, const Timing *timing, int launches)
{
  double seconds;
  TRY(ck_stream_record(on->stream, timing->events[0]));
  for (int i = 0; i < launches; ++i)
    if (timing->graph) TRY(ck_graph_launch(timing->graph, on->stream));
    else call(on, on->stream, timing->kernel, timing->letters);
  TRY(ck_stream_record(on->stream, timing->events[1]));
  TRY(ck_event_sync(timing->events[1]));
  TRY(ck_event_get_elapsed(timing->events[0], timing->events[1], &seconds));
  return seconds * 1e6 / launches / (timing->graph ? CALLS : 1);
}

static double time_us(const Bench *on, ck_kernel_t *kernel, const char *letters, bool by_graph)
{
  Timing timing = {.kernel = kernel, .letters = letters};
  ck_event_options_t options = CK_OPTIONS_INIT(ck_event_options_t);
  options.flags = CK_EVENT_TIMING;
  for (int i = 0; i < 2; ++i) TRY(ck_event_create(on->device, &options, &timing.events[i]));
  if (by_graph) {
    ck_graph_builder_t *builder;
    TRY(ck_graph_builder_create(on->device, &builder));
    TRY(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
    for (int i = 0; i < CALLS; ++i) call(on, ck_graph_builder_stream(builder), kernel, letters);
    TRY(ck_graph_builder_end(builder));
    TRY(ck_graph_builder_create_graph(builder, NULL, &timing.graph));
    ck_graph_builder_release(builder);
  }
  for (int i = 0; i < 3; ++i) batch_us(on, &timing, 1);
  double us[ROUNDS], one = batch_us(on, &timing, 1) * (by_graph ? CALLS : 1);
  int launches = (int)(2000 / (one > 1 ? one : 1)), most = by_graph ? 20 : 200;
  launches = launches < 1 ? 1 : launches > most ? most : launches;
  for (int i = 0; i < ROUNDS; ++i) us[i] = batch_us(on, &timing, launches);
  for (int i = 0; i < 2; ++i) ck_event_release(timing.events[i]);
  ck_graph_release(timing.graph);
  return median(us, ROUNDS);
}

/* The number of wrong elements. */
static uint64_t wrong_of(const Bench *on, const Work *work)
{
  uint64_t bad = 0;
  TRY(ck_buffer_fill(on->b, 0, 8, 0, 4, on->stream));
  if (work->checks[1][0]) TRY(ck_buffer_fill(on->z, 0, 8192, 0, 4, on->stream));
  for (int i = 0; i < 2; ++i)
    if (work->checks[i][0]) call_named(on, work->checks[i][0], work->checks[i][1]);
  TRY(ck_buffer_read(on->b, 0, &bad, 8, on->stream));
  TRY(ck_stream_sync(on->stream));
  return bad;
}

/* The length of a segment, 0: the workload has none. */
static int length_of(const Work *work)
{
  const char *digits = strpbrk(work->workload, "0123456789");
  return digits && !strncmp(work->workload, "segmented_", 10) ? atoi(digits) : 0;
}

static bool measure(Bench *on, const Work *work, const char *peer, int log2)
{
  on->n = (uint64_t)1 << log2;
  int length = length_of(work);
  on->segments = length ? on->n / (uint64_t)length : 1;
  fill(on, work->input);
  if (length) call_named(on, "fill_offsets", "nso");
  bool by_graph = log2 <= 20;
  ck_kernel_t *kernel = kernel_of(on, work->algorithm);
  call(on, on->stream, kernel, work->args);
  uint64_t bad = wrong_of(on, work);
  double us = time_us(on, kernel, work->args, by_graph), n = (double)on->n;
  bad += wrong_of(on, work);
  ck_kernel_release(kernel);
  printf("%s,%s,%s,%.0f,%.3f,%.1f,%s%s\n", peer, work->workload, work->type, n, us,
         work->bytes * n / us * 1e-3, by_graph ? "graph" : "events", bad ? ",WRONG" : "");
  fflush(stdout);
  return !bad;
}

int main(int argc, char *argv[])
{
  static const char *const peers[] = {"ck_libnvvm", "ck_nvptx"};
  int most = argc > 1 ? atoi(argv[1]) : 28;
  const char *filter = argc > 2 ? argv[2] : "";
  bool is_good = true;
  Bench on = {0};
  if (ck_device_open(0, &on.device) != CK_OK) {
    fprintf(stderr, "no GPU: %s\n", ck_last_error());
    return 77;
  }
  TRY(ck_stream_create(on.device, NULL, &on.stream));
  ck_buffer_t **const buffers[] = {&on.x, &on.w, &on.y, &on.z, &on.o};
  for (size_t i = 0; i < sizeof buffers / sizeof *buffers; ++i)
    TRY(ck_buffer_create(on.device, ((size_t)12 << most) + 4096, on.stream, buffers[i]));
  ck_buffer_t **const small[] = {&on.k, &on.r, &on.b};
  for (size_t i = 0; i < sizeof small / sizeof *small; ++i)
    TRY(ck_buffer_create(on.device, 4096, on.stream, small[i]));
  printf("peer,workload,type,n,median_us,gbps,mode\n");
  for (int backend = 0; backend < 2; ++backend) {
    ck_compile_options_t options = CK_OPTIONS_INIT(ck_compile_options_t);
    ck_program_t *program;
    options.opt_level = CK_OPT_3; /* no quick code in the first calls */
    options.backend = backend ? CK_BACKEND_NVPTX : CK_BACKEND_LIBNVVM;
    options.lib_folder = argc > 3 ? argv[3] : NULL;
    TRY(ck_program_create(algorithms_ck, sizeof algorithms_ck - 1, &options, &program));
    TRY(ck_program_compile(program, on.device, &on.code));
    ck_program_release(program);
    for (int log2 = 16; log2 <= most; log2 += 4)
      for (size_t i = 0; i < sizeof works / sizeof *works; ++i)
        if (strstr(works[i].workload, filter))
          is_good &= measure(&on, &works[i], peers[backend], log2);
    ck_object_code_release(on.code);
  }
  for (size_t i = 0; i < sizeof buffers / sizeof *buffers; ++i) ck_buffer_release(*buffers[i]);
  for (size_t i = 0; i < sizeof small / sizeof *small; ++i) ck_buffer_release(*small[i]);
  ck_stream_release(on.stream);
  ck_device_release(on.device);
  return !is_good;
}
