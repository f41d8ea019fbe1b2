/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* plan_calls.c - the host's time for a call of an algorithm of several kernels, beside the driver's
 * own launches of the same kernels with the same arguments.
 *
 * The launches are taken from a capture of the call: the nodes of the graph have kernel, grid,
 * block and arguments. The driver gets them one by one through cuLaunchKernelEx, each as a
 * dependent launch, as the runtime makes them. Rounds of calls alternate between the two, and each
 * ends with a wait for the stream that isn't measured.
 *
 *     ck       ck_launch(n, x, y)                                     -> kernel 1, kernel 2, ...
 *     driver   cuLaunchKernelEx(kernel 1), cuLaunchKernelEx(kernel 2), ...
 *
 * Prints CSV: workload,n,kernels,ck_us,driver_us,over_us. Exit 77 without a GPU.
 */
#include "bench.h"

enum { CALLS = 50, PAIRS = 101, KERNELS_MAX = 64, PROGRAMMATIC = 6, COOPERATIVE = 2 };

typedef struct Attribute {
  int id;
  char pad[4];
  union {
    int on;
    char bytes[64];
  } value;
} Attribute;

typedef struct Config {
  unsigned grid[3], block[3], shared_bytes;
  void *stream;
  Attribute *attributes;
  unsigned attribute_count;
} Config;

typedef struct NodeParams {
  void *function;
  unsigned grid[3], block[3], shared_bytes;
  void **params, **extra;
  void *kernel, *context;
} NodeParams;

static struct {
  int (*nodes)(void *graph, void **out_nodes, size_t *count);
  int (*params)(void *node, NodeParams *out);
  int (*attribute)(void *node, int id, void *out_value);
  int (*launch)(const Config *config, void *kernel, void **params, void **extra);
} cuda;

typedef struct Call {
  Config config;
  Attribute attribute;
  void *kernel, **params;
} Call;

static size_t read_calls(void *graph, void *stream, Call *calls)
{
  void *nodes[KERNELS_MAX];
  size_t count = KERNELS_MAX;
  must(cuda.nodes(graph, nodes, &count));
  for (size_t i = 0; i < count; ++i) {
    NodeParams node = {0};
    Attribute attribute = {.id = PROGRAMMATIC, .value = {.on = 1}};
    char value[64] = {0};
    must(cuda.params(nodes[i], &node));
    must(cuda.attribute(nodes[i], COOPERATIVE, value));
    if (value[0]) attribute.id = COOPERATIVE;
    calls[i] = (Call){.config = {.shared_bytes = node.shared_bytes, .stream = stream},
                      .attribute = attribute,
                      .kernel = node.kernel ? node.kernel : node.function,
                      .params = node.params};
    memcpy(calls[i].config.grid, node.grid, sizeof node.grid);
    memcpy(calls[i].config.block, node.block, sizeof node.block);
    calls[i].config.attributes = &calls[i].attribute;
    calls[i].config.attribute_count = 1;
  }
  return count;
}

static void measure(ck_device_t *device, ck_object_code_t *code, ck_stream_t *stream,
                    const char *name, uint64_t n, ck_buffer_t *x, ck_buffer_t *y)
{
  ck_kernel_t *kernel;
  ck_graph_builder_t *builder;
  static Call calls[KERNELS_MAX];
  double ours[PAIRS], theirs[PAIRS];
  TRY(ck_kernel_from_code(code, device, name, &kernel));
  TRY(ck_graph_builder_create(device, &builder));
  TRY(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  TRY(ck_launch(ck_graph_builder_stream(builder), NULL, kernel, n, x, y));
  TRY(ck_graph_builder_end(builder));
  void *graph = ck_graph_definition_native(ck_graph_builder_definition(builder));
  size_t count = read_calls(graph, ck_stream_native(stream), calls);
  for (int i = 0; i < 2 * PAIRS; ++i) { /* the first halves of the pairs take turns */
    double start = now_us();
    if (i % 4 == 0 || i % 4 == 3) {
      for (int k = 0; k < CALLS; ++k) TRY(ck_launch(stream, NULL, kernel, n, x, y));
      ours[i / 2] = (now_us() - start) / CALLS;
    } else {
      for (int k = 0; k < CALLS; ++k)
        for (size_t at = 0; at < count; ++at)
          must(cuda.launch(&calls[at].config, calls[at].kernel, calls[at].params, NULL));
      theirs[i / 2] = (now_us() - start) / CALLS;
    }
    TRY(ck_stream_sync(stream));
  }
  double us = median(ours, PAIRS), driver_us = median(theirs, PAIRS);
  printf("%s,%llu,%zu,%.3f,%.3f,%.3f\n", name, (unsigned long long)n, count, us, driver_us,
         us - driver_us);
  fflush(stdout);
  ck_graph_builder_release(builder);
  ck_kernel_release(kernel);
}

static const char source[] =
    "algorithm reduce_f32(n: u64, x: in f32[n]) -> f32 = reduce(x, +, 0.0);\n"
    "algorithm scan_f32(n: u64, x: in f32[n], y: out f32[n]) { inclusive_scan(x, y, +); }\n"
    "algorithm merge_sort_i32(n: u64, x: in i32[n], y: out i32[n]) { merge_sort(x, y, <); }\n"
    "algorithm radix_sort_u32(n: u64, x: in u32[n], y: out u32[n]) { radix_sort(x, to = y); }\n";

int main(void)
{
  static const char *const names[] = {"cuGraphGetNodes", "cuGraphKernelNodeGetParams_v2",
                                      "cuGraphKernelNodeGetAttribute", "cuLaunchKernelEx"};
  static const char *const works[] = {"reduce_f32", "scan_f32", "merge_sort_i32", "radix_sort_u32"};
  ck_device_t *device;
  ck_stream_t *stream;
  ck_program_t *program;
  ck_object_code_t *code;
  ck_buffer_t *x, *y;
  if (ck_device_open(0, &device) != CK_OK) {
    fprintf(stderr, "no GPU: %s\n", ck_last_error());
    return 77;
  }
  open_driver(names, sizeof names / sizeof *names, &cuda);
  TRY(ck_stream_create(device, NULL, &stream));
  TRY(ck_buffer_create(device, 4 << 20, stream, &x));
  TRY(ck_buffer_create(device, 4 << 20, stream, &y));
  TRY(ck_buffer_fill(x, 0, 4 << 20, 0, 4, stream));
  TRY(ck_stream_sync(stream));
  ck_compile_options_t options = CK_OPTIONS_INIT(ck_compile_options_t);
  options.opt_level = CK_OPT_3; /* no quick code in the first calls */
  TRY(ck_program_create(source, sizeof source - 1, &options, &program));
  TRY(ck_program_compile(program, device, &code));
  TRY(ck_context_set_current(device, ck_device_context(device)));
  printf("workload,n,kernels,ck_us,driver_us,over_us\n");
  for (size_t i = 0; i < sizeof works / sizeof *works; ++i) {
    measure(device, code, stream, works[i], 1000, x, y);
    measure(device, code, stream, works[i], 1 << 16, x, y);
  }
  ck_buffer_release(x);
  ck_buffer_release(y);
  ck_object_code_release(code);
  ck_program_release(program);
  ck_stream_release(stream);
  ck_device_release(device);
  return 0;
}
