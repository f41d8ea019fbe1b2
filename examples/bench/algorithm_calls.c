/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* algorithm_calls.c - what a call of ck/algorithm.h costs: the host's time for a warm call over the
 * launch of the same algorithm from a file, and the device's time for ck_reduce of f32.
 *
 * A call is taken apart into a key, the key is looked up, and the arguments go to ck_launch_args.
 * The plain launch passes the same arguments to the same algorithm. Rounds of calls alternate
 * between the two, and each ends with a wait for the stream that isn't measured.
 *
 * The device's time is taken as in algorithms.c: a graph of 32 calls is replayed up to 2^20
 * elements, above that calls run between two events; peers/cub_bench.cu does the same.
 *
 * Prints CSV: who,workload,value,unit. Without a GPU the host's times alone.
 */
#include "bench.h"

#include "ck/algorithm.h"

enum { CALLS = 100, PAIRS = 101, GRAPH_CALLS = 32, LARGEST = 28 };

static ck_device_t *device;
static ck_stream_t *stream;
static ck_buffer_t *in, *out;
static ck_op_t plus, twice, least;
static ck_iterator_t x, y, zero, doubled, some, to;
static ck_op_state_t state;

static const char source[] =
    "algorithm sum(x: in f32[], init: f32) -> f32 = f32(reduce(x, +, init));\n"
    "algorithm mapped(x: in f32[], a: f32, init: f32) -> f32 =\n"
    "    f32(reduce(x.map(|v| v < a ? 2 * v : v), +, init));\n"
    "algorithm scale(x: in f32[], y: out f32[]) { transform(x, y, |v| 2 * v); }\n";

typedef struct Work {
  const char *name;
  ck_algorithm_kind_t kind;
  const void *operands[4];
  size_t count;
  ck_arg_t args[4];
  size_t arg_count;
} Work;

static void time_calls(const Work *work, ck_kernel_t *kernel)
{
  double calls[PAIRS], launches[PAIRS];
  char name[64];
  for (int i = 0; i < 2 * PAIRS; ++i) { /* the first halves of the pairs take turns */
    double start = now_us();
    if (i % 4 == 0 || i % 4 == 3) {
      for (int k = 0; k < CALLS; ++k)
        TRY(ck_launch_algorithm(stream, work->kind, work->operands, work->count, NULL));
      calls[i / 2] = (now_us() - start) / CALLS;
    } else {
      for (int k = 0; k < CALLS; ++k)
        TRY(ck_launch_args(stream, NULL, kernel, work->args, work->arg_count));
      launches[i / 2] = (now_us() - start) / CALLS;
    }
    TRY(ck_stream_sync(stream));
  }
  double call = median(calls, PAIRS), launch = median(launches, PAIRS);
  snprintf(name, sizeof name, "%s: call", work->name);
  row("ck", name, call, "us");
  snprintf(name, sizeof name, "%s: plain launch", work->name);
  row("ck", name, launch, "us");
  snprintf(name, sizeof name, "%s: call over launch", work->name);
  row("ck", name, call - launch, "us");
}

/* ---- the device's time ---- */

static void reduce(ck_stream_t *on, int count)
{
  for (int i = 0; i < count; ++i) TRY(ck_reduce(on, &some, &plus, &zero, &to, NULL));
}

static double batch_us(ck_event_t *const events[2], ck_graph_t *graph, int launches)
{
  double seconds;
  TRY(ck_stream_record(stream, events[0]));
  for (int i = 0; graph && i < launches; ++i) TRY(ck_graph_launch(graph, stream));
  if (!graph) reduce(stream, launches);
  TRY(ck_stream_record(stream, events[1]));
  TRY(ck_event_sync(events[1]));
  TRY(ck_event_get_elapsed(events[0], events[1], &seconds));
  return seconds * 1e6 / launches / (graph ? GRAPH_CALLS : 1);
}

static void time_reduce(int log2_n)
{
  ck_event_options_t options = CK_OPTIONS_INIT(ck_event_options_t);
  ck_event_t *events[2];
  ck_graph_t *graph = NULL;
  double us[ROUNDS];
  char name[64];
  options.flags = CK_EVENT_TIMING;
  for (int i = 0; i < 2; ++i) TRY(ck_event_create(device, &options, &events[i]));
  some = ck_iterator_array(ck_span(in, 0, (uint64_t)1 << log2_n), CK_F32);
  if (log2_n <= 20) {
    ck_graph_builder_t *builder;
    TRY(ck_graph_builder_create(device, &builder));
    TRY(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
    reduce(ck_graph_builder_stream(builder), GRAPH_CALLS);
    TRY(ck_graph_builder_end(builder));
    TRY(ck_graph_builder_create_graph(builder, NULL, &graph));
    ck_graph_builder_release(builder);
  }
  int launches = graph ? 20 : 10;
  for (int i = 0; i < 3; ++i) batch_us(events, graph, launches);
  for (int i = 0; i < ROUNDS; ++i) us[i] = batch_us(events, graph, launches);
  snprintf(name, sizeof name, "ck_reduce f32 2^%d", log2_n);
  row("ck", name, median(us, ROUNDS), "us");
  for (int i = 0; i < 2; ++i) ck_event_release(events[i]);
  ck_graph_release(graph);
}

int main(void)
{
  ck_program_t *program;
  ck_object_code_t *code;
  TRY(ck_device_open_auto(&device));
  int is_gpu = !ck_device_is_host(device), log2_n = is_gpu ? LARGEST : 10;
  size_t bytes = (size_t)4 << log2_n;
  TRY(ck_stream_create(device, NULL, &stream));
  TRY(ck_buffer_create(device, bytes, stream, &in));
  TRY(ck_buffer_create(device, 4096, stream, &out));
  TRY(ck_buffer_fill(in, 0, bytes, 0, 4, stream));
  x = ck_iterator_array(ck_span(in, 0, 1000), CK_F32);
  y = ck_iterator_array(ck_span(out, 0, 1000), CK_F32);
  to = ck_iterator_array(ck_whole(out), CK_F32);
  zero = ck_iterator_constant(ck_f32(0));
  plus = ck_op("+");
  twice = ck_op("|v| 2 * v");
  state = (ck_op_state_t){"a", ck_type_scalar(CK_F32), ck_f32(1), (ck_access_t)0};
  least = ck_op_with_state("|v| v < a ? 2 * v : v", &state, 1);
  doubled = ck_iterator_transform(&x, &least);
  ck_arg_t span = ck_span(in, 0, 1000), one = ck_span(out, 0, 1), all = ck_span(out, 0, 1000);
  const Work works[] = {
      {"reduce", CK_ALGORITHM_REDUCE, {&x, &plus, &zero, &to}, 4, {span, ck_f32(0), one}, 3},
      {"mapped",
       CK_ALGORITHM_REDUCE,
       {&doubled, &plus, &zero, &to},
       4,
       {span, ck_f32(1), ck_f32(0), one},
       4},
      {"transform", CK_ALGORITHM_TRANSFORM, {&x, &y, &twice}, 3, {span, all}, 2},
  };
  static const char *const names[] = {"sum", "mapped", "scale"};
  TRY(ck_program_create(source, sizeof source - 1, NULL, &program));
  TRY(ck_program_compile(program, device, &code));
  printf("who,workload,value,unit\n");
  for (size_t i = 0; i < sizeof works / sizeof *works; ++i) {
    ck_kernel_t *kernel;
    TRY(ck_kernel_from_code(code, device, names[i], &kernel));
    time_calls(&works[i], kernel);
    ck_kernel_release(kernel);
  }
  if (is_gpu) {
    time_reduce(16);
    time_reduce(LARGEST);
  }
  ck_object_code_release(code);
  ck_program_release(program);
  ck_buffer_release(in);
  ck_buffer_release(out);
  ck_stream_release(stream);
  ck_device_release(device);
  return 0;
}
