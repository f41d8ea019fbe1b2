/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* graph.c - graphs beside the driver's own calls; and small kernels launched in a loop or as one
 * graph.
 *
 * For a graph of 100 nodes: the time per node to capture it and to launch it, and the time until it
 * has finished, through libckrt and through cuLaunchKernel, cuStreamEndCapture and cuGraphLaunch.
 * The two alternate, so that both run under the same conditions. Then 1, 3, 10, 100 and 1000
 * kernels of one block each, which add 1 to the same number, launched one by one and as a graph:
 * the time from the first call to the end of the last kernel.
 *
 * Prints CSV: who,workload,value,unit. Exit 77 without a GPU.
 */
#include "bench.h"

static const char source[] =
    "kernel empty(x: in f32[1], a: f32, n: u64) {}\n"
    "kernel add_one(x: inout i32[1]) launch(block = 1, grid = 1) { x[0] = x[0] + 1; }\n";

enum { NODES = 100, LAUNCHES = 200 };

/* The driver's functions, by their exported names. */
static struct {
  int (*push)(void *context);
  int (*launch)(void *kernel, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                unsigned bz, unsigned shared_bytes, void *stream, void **args, void **extra);
  int (*begin)(void *stream, int mode);
  int (*end)(void *stream, void **out_graph);
  int (*instantiate)(void **out_exec, void *graph, unsigned long long flags);
  int (*graph_launch)(void *exec, void *stream);
  int (*graph_destroy)(void *graph);
  int (*exec_destroy)(void *exec);
} driver;

static const char *const driver_names[] = {"cuCtxPushCurrent_v2",
                                           "cuLaunchKernel",
                                           "cuStreamBeginCapture_v2",
                                           "cuStreamEndCapture",
                                           "cuGraphInstantiateWithFlags",
                                           "cuGraphLaunch",
                                           "cuGraphDestroy",
                                           "cuGraphExecDestroy"};
_Static_assert(sizeof driver_names == sizeof driver, "a name for each function");

typedef struct Bench {
  ck_device_t *device;
  ck_stream_t *stream;
  ck_kernel_t *empty, *add_one;
  ck_buffer_t *buffer;
  ck_launch_config_t config;
  ck_graph_t *graph; /* NODES of the empty kernel, by libckrt */
  void *exec;        /* and by the driver */
} Bench;

/* Captures NODES launches through libckrt; returns the microseconds per launch. */
static double capture_ours(Bench *b)
{
  ck_graph_builder_t *builder;
  float a = 1;
  uint64_t n = 1024;
  TRY(ck_graph_builder_create(b->device, &builder));
  double start = now_us();
  TRY(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  ck_stream_t *to = ck_graph_builder_stream(builder);
  for (int i = 0; i < NODES; ++i) TRY(ck_launch(to, &b->config, b->empty, b->buffer, a, n));
  TRY(ck_graph_builder_end(builder));
  double us = (now_us() - start) / NODES;
  ck_graph_release(b->graph);
  TRY(ck_graph_builder_create_graph(builder, NULL, &b->graph));
  ck_graph_builder_release(builder);
  return us;
}

static double capture_theirs(Bench *b)
{
  void *graph, *queue = ck_stream_native(b->stream), *kernel = ck_kernel_native(b->empty);
  uint64_t address = ck_buffer_native(b->buffer), n = 1024;
  float a = 1;
  void *args[] = {&address, &a, &n};
  double start = now_us();
  must(driver.begin(queue, 2));
  for (int i = 0; i < NODES; ++i)
    must(driver.launch(kernel, 4, 1, 1, 256, 1, 1, 0, queue, args, NULL));
  must(driver.end(queue, &graph));
  double us = (now_us() - start) / NODES;
  if (b->exec) must(driver.exec_destroy(b->exec));
  must(driver.instantiate(&b->exec, graph, 0));
  must(driver.graph_destroy(graph));
  return us;
}

/* Launches the graph LAUNCHES times; gives the times per node until the call returns and until the
 * work has finished. */
static void replay(Bench *b, int is_ours, double *out_enqueue, double *out_total)
{
  void *queue = ck_stream_native(b->stream);
  TRY(ck_stream_sync(b->stream));
  double start = now_us();
  for (int i = 0; i < LAUNCHES; ++i)
    if (is_ours) TRY(ck_graph_launch(b->graph, b->stream));
    else must(driver.graph_launch(b->exec, queue));
  *out_enqueue = (now_us() - start) / LAUNCHES / NODES;
  TRY(ck_stream_sync(b->stream));
  *out_total = (now_us() - start) / LAUNCHES / NODES;
}

static void both(const char *workload, double *ours, double *theirs)
{
  char name[64];
  double us = median(ours, ROUNDS), driver_us = median(theirs, ROUNDS);
  row("driver", workload, driver_us, "us/node");
  row("ck", workload, us, "us/node");
  snprintf(name, sizeof name, "%s_ratio", workload);
  row("ck", name, us / driver_us, "x");
}

static void bench_100_nodes(Bench *b)
{
  double ours[3][ROUNDS], theirs[3][ROUNDS];
  for (int round = -1; round < ROUNDS; ++round) { /* the first round is a warm-up */
    int r = round < 0 ? 0 : round;
    theirs[0][r] = capture_theirs(b);
    ours[0][r] = capture_ours(b);
    replay(b, 0, &theirs[1][r], &theirs[2][r]);
    replay(b, 1, &ours[1][r], &ours[2][r]);
  }
  both("graph_100_capture", ours[0], theirs[0]);
  both("graph_100_enqueue", ours[1], theirs[1]);
  both("graph_100_run", ours[2], theirs[2]);
}

static double loop_us(Bench *b, int count)
{
  double start = now_us();
  for (int i = 0; i < count; ++i) TRY(ck_launch(b->stream, NULL, b->add_one, b->buffer));
  TRY(ck_stream_sync(b->stream));
  return now_us() - start;
}

static double replay_us(Bench *b, ck_graph_t *graph)
{
  double start = now_us();
  TRY(ck_graph_launch(graph, b->stream));
  TRY(ck_stream_sync(b->stream));
  return now_us() - start;
}

static void bench_loop(Bench *b, int count)
{
  ck_graph_builder_t *builder;
  ck_graph_t *graph;
  double loop[ROUNDS], graphed[ROUNDS];
  int32_t before, after;
  char name[64];
  TRY(ck_graph_builder_create(b->device, &builder));
  TRY(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  for (int i = 0; i < count; ++i)
    TRY(ck_launch(ck_graph_builder_stream(builder), NULL, b->add_one, b->buffer));
  TRY(ck_graph_builder_end(builder));
  TRY(ck_graph_builder_create_graph(builder, NULL, &graph));
  ck_graph_builder_release(builder);
  TRY(ck_graph_upload(graph, b->stream));
  for (int i = 0; i < 3; ++i) loop_us(b, count), replay_us(b, graph);
  TRY(ck_buffer_read(b->buffer, 0, &before, sizeof before, b->stream));
  TRY(ck_stream_sync(b->stream));
  for (int round = 0; round < ROUNDS; ++round) {
    loop[round] = loop_us(b, count);
    graphed[round] = replay_us(b, graph);
  }
  TRY(ck_buffer_read(b->buffer, 0, &after, sizeof after, b->stream));
  TRY(ck_stream_sync(b->stream));
  double us = median(loop, ROUNDS), graph_us = median(graphed, ROUNDS);
  snprintf(name, sizeof name, "kernels_%d", count);
  row("ck_loop", name, us, "us");
  row("ck_graph", name, graph_us, "us");
  row("ck_graph", name, us / graph_us, "x");
  if (after - before != 2 * ROUNDS * count) row("ck_graph", "wrong", after - before, "sum");
  ck_graph_release(graph);
}

int main(void)
{
  Bench b = {0};
  ck_program_t *program;
  ck_object_code_t *code;
  if (ck_device_open(0, &b.device) != CK_OK) {
    fprintf(stderr, "no GPU: %s\n", ck_last_error());
    return 77;
  }
  open_driver(driver_names, sizeof driver_names / sizeof *driver_names, &driver);
  TRY(ck_stream_create(b.device, NULL, &b.stream));
  TRY(ck_program_create(source, strlen(source), NULL, &program));
  TRY(ck_program_compile(program, b.device, &code));
  TRY(ck_kernel_from_code(code, b.device, "empty", &b.empty));
  TRY(ck_kernel_from_code(code, b.device, "add_one", &b.add_one));
  TRY(ck_buffer_create(b.device, 4, b.stream, &b.buffer));
  TRY(ck_buffer_fill(b.buffer, 0, 4, 0, 4, b.stream));
  TRY(ck_stream_sync(b.stream));
  b.config.struct_size = sizeof b.config;
  b.config.grid[0] = 4;
  b.config.block[0] = 256;
  must(driver.push(ck_context_native(ck_device_context(b.device))));
  printf("who,workload,value,unit\n");
  bench_100_nodes(&b);
  const int counts[] = {1, 3, 10, 100, 1000};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) bench_loop(&b, counts[i]);
  ck_graph_release(b.graph);
  must(driver.exec_destroy(b.exec));
  ck_buffer_release(b.buffer);
  ck_kernel_release(b.empty);
  ck_kernel_release(b.add_one);
  ck_object_code_release(code);
  ck_program_release(program);
  ck_stream_release(b.stream);
  ck_device_release(b.device);
  return 0;
}
