/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* graph_memory.c - tests allocations in graphs: the cases of cuda.core's
 * test_graph_memory_resource.py and test_capture_alloc.py by name, and of test_device_launch.py. On
 * the host device or a GPU: $CK_DEVICE. */
#include <pthread.h>
#include <stdatomic.h>

#include "both.h"

static const char source[] =
    "kernel add_one(n: u64, a: inout u8[n]) launch(block = 64, grid = 1)\n"
    "{ for (i in block.stride(n)) a[i] = a[i] + 1; }\n"
    "kernel scale_and_bias(n: u64, scale: f32, bias: f32, x: inout f32[n])\n"
    "    launch(block = 128, grid = ceil_div(n, 128))\n"
    "{ let i = grid.thread_rank; if (i < n) x[i] = x[i] * scale + bias; }\n"
    "algorithm sum(n: u64) -> i64 = grid.reduce(count<i64>(1).take(n), +, 0);\n"
    "kernel add(a: i32, x: inout i32[1]) launch(block = 1, grid = 1) { x[0] = x[0] + a; }\n"
    "kernel start(g: u64, e: out u32[1]) launch(block = 1, grid = 1) { e[0] = launch_graph(g); }\n"
    "kernel start_tail(g: u64, e: out u32[1]) launch(block = 1, grid = 1)\n"
    "{ e[0] = launch_graph_tail(g); }\n";

enum { BYTES = 64 };

static const ck_capture_mode_t modes[] = {CK_CAPTURE_GLOBAL, CK_CAPTURE_THREAD_LOCAL,
                                          CK_CAPTURE_RELAXED};

static ck_memory_resource_t *graph_memory;

static bool all_are(const ck_buffer_t *buffer, unsigned char value)
{
  unsigned char got[BYTES];
  int wrong = 0;
  CHECK_OK(ck_buffer_read(buffer, 0, got, sizeof got, stream));
  CHECK_OK(ck_stream_sync(stream));
  for (int i = 0; i < BYTES; ++i) wrong += got[i] != value;
  return wrong == 0;
}

static ck_graph_builder_t *begin(ck_capture_mode_t mode)
{
  ck_graph_builder_t *builder = NULL;
  CHECK_OK(ck_graph_builder_create(device, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, mode));
  return builder;
}

static ck_graph_t *finish(ck_graph_builder_t *builder, uint32_t flags)
{
  ck_graph_options_t options = CK_OPTIONS_INIT(ck_graph_options_t);
  ck_graph_t *graph = NULL;
  options.flags = flags;
  CHECK_OK(ck_graph_builder_end(builder));
  CHECK_OK(ck_graph_builder_create_graph(builder, &options, &graph));
  ck_graph_builder_release(builder);
  return graph;
}

static void launch_twice(ck_graph_t *graph)
{
  for (int i = 0; i < 2; ++i) {
    CHECK_OK(ck_graph_upload(graph, stream));
    CHECK_OK(ck_graph_launch(graph, stream));
    CHECK_OK(ck_stream_sync(stream));
  }
}

static size_t used(ck_graph_memory_t attribute)
{
  size_t bytes = 0;
  CHECK_OK(ck_graph_memory_get(device, attribute, &bytes));
  return bytes;
}

TEST(graph_alloc)
{
  ck_kernel_t *add_one = kernel("add_one");
  for (int m = 0; m < 3; ++m) {
    ck_buffer_t *out = zeros(BYTES), *scratch;
    ck_graph_builder_t *builder = begin(modes[m]);
    ck_stream_t *to = ck_graph_builder_stream(builder);
    CHECK_OK(ck_memory_resource_create_buffer(graph_memory, BYTES, to, &scratch));
    CHECK(ck_buffer_native(scratch) != 0 && ck_buffer_bytes(scratch) == BYTES);
    CHECK_OK(ck_buffer_copy(scratch, 0, out, 0, BYTES, to));
    for (int i = 0; i < 3; ++i) CHECK_OK(ck_launch(to, NULL, add_one, BYTES, scratch));
    CHECK_OK(ck_buffer_copy(out, 0, scratch, 0, BYTES, to));
    ck_buffer_release(scratch); /* captures a free node */
    ck_graph_t *graph = finish(builder, 0);
    size_t count = 0;
    CHECK_OK(ck_graph_definition_get_nodes(ck_graph_definition(graph), NULL, 0, &count));
    CHECK(count == 7);
    launch_twice(graph);
    CHECK(all_are(out, 6));
    ck_graph_release(graph);
    ck_buffer_release(out);
  }
  ck_kernel_release(add_one);
}

/* The same with a fill; and from a pool without a graph. */
TEST(graph_alloc_fill)
{
  for (int m = 0; m < 4; ++m) {
    ck_buffer_t *out = zeros(BYTES), *scratch;
    ck_graph_builder_t *builder = m < 3 ? begin(modes[m]) : NULL;
    ck_stream_t *to = m < 3 ? ck_graph_builder_stream(builder) : stream;
    CHECK_OK(m < 3 ? ck_memory_resource_create_buffer(graph_memory, BYTES, to, &scratch)
                   : ck_buffer_create(device, BYTES, to, &scratch));
    CHECK_OK(ck_buffer_fill(scratch, 0, BYTES, 3, 1, to));
    CHECK_OK(ck_buffer_copy(out, 0, scratch, 0, BYTES, to));
    ck_buffer_release(scratch);
    if (m < 3) {
      ck_graph_t *graph = finish(builder, 0);
      CHECK(all_are(out, 0));
      launch_twice(graph);
      ck_graph_release(graph);
    }
    CHECK(all_are(out, 3));
    ck_buffer_release(out);
  }
}

/* Memory of the graph that is read after the launch; each launch frees what the previous one left.
 */
static void check_output(ck_capture_mode_t mode)
{
  ck_kernel_t *add_one = kernel("add_one");
  ck_buffer_t *in = zeros(BYTES), *out;
  ck_graph_builder_t *builder = begin(mode);
  ck_stream_t *to = ck_graph_builder_stream(builder);
  CHECK_OK(ck_memory_resource_create_buffer(graph_memory, BYTES, to, &out));
  CHECK_OK(ck_buffer_copy(out, 0, in, 0, BYTES, to));
  CHECK_OK(ck_launch(to, NULL, add_one, BYTES, out));
  ck_graph_t *graph = finish(builder, CK_GRAPH_AUTO_FREE_ON_LAUNCH);
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK(all_are(out, 1));
  CHECK_OK(ck_buffer_fill(in, 0, BYTES, 5, 1, stream));
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK(all_are(out, 6));
  CHECK_OK(ck_buffer_set_stream(out, stream));
  ck_buffer_release(out); /* frees the memory */
  CHECK_OK(ck_stream_sync(stream));
  ck_graph_release(graph);
  ck_buffer_release(in);
  ck_kernel_release(add_one);
}

TEST(graph_alloc_with_output)
{
  for (int m = 0; m < 3; ++m) check_output(modes[m]);
}

/* Without that flag, memory that a launch left allocated prevents the next launch. */
TEST(relaunch_with_memory_allocated)
{
  ck_buffer_t *out;
  ck_graph_builder_t *builder = begin(CK_CAPTURE_RELAXED);
  CHECK_OK(ck_memory_resource_create_buffer(graph_memory, BYTES, ck_graph_builder_stream(builder),
                                            &out));
  ck_graph_t *graph = finish(builder, 0);
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK_FAILS(ck_graph_launch(graph, stream), CK_INVALID_ARGUMENT);
  CHECK_ERROR("may still be allocated: free it first, or create the graph with "
              "CK_GRAPH_AUTO_FREE_ON_LAUNCH");
  CHECK_OK(ck_buffer_set_stream(out, stream));
  ck_buffer_release(out);
  CHECK_OK(ck_stream_sync(stream));
  ck_graph_release(graph);
}

TEST(graph_mem_alloc_zero)
{
  for (int m = 0; m < 3; ++m) {
    ck_buffer_t *nothing;
    ck_graph_builder_t *builder = begin(modes[m]);
    CHECK_OK(ck_memory_resource_create_buffer(graph_memory, 0, ck_graph_builder_stream(builder),
                                              &nothing));
    CHECK(ck_buffer_bytes(nothing) == 0 && ck_buffer_device(nothing) == device);
    ck_graph_t *graph = finish(builder, 0);
    launch_twice(graph);
    ck_buffer_release(nothing);
    ck_graph_release(graph);
  }
}

TEST(graph_mem_set_attributes)
{
  ck_buffer_t *buffer;
  ck_graph_builder_t *builder = begin(CK_CAPTURE_RELAXED);
  CHECK_OK(ck_memory_resource_create_buffer(graph_memory, 1024, ck_graph_builder_stream(builder),
                                            &buffer));
  ck_graph_t *graph = finish(builder, 0);
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK_OK(ck_stream_sync(stream));
  CHECK(used(CK_GRAPH_MEMORY_USED) >= 1024 && used(CK_GRAPH_MEMORY_RESERVED) >= 1024);
  CHECK(used(CK_GRAPH_MEMORY_USED_HIGH) >= 1024 && used(CK_GRAPH_MEMORY_RESERVED_HIGH) >= 1024);
  CHECK(ck_graph_launch(graph, stream) != CK_OK); /* its memory is still allocated */
  CHECK_OK(ck_buffer_set_stream(buffer, stream));
  ck_buffer_release(buffer);
  CHECK_OK(ck_stream_sync(stream));
  CHECK_OK(ck_graph_launch(graph, stream)); /* allowed now */
  CHECK_OK(ck_stream_sync(stream));
  CHECK_OK(ck_graph_memory_trim(device));
  CHECK(used(CK_GRAPH_MEMORY_USED_HIGH) >= 1024);
  CHECK_FAILS(ck_graph_memory_reset(device, CK_GRAPH_MEMORY_USED), CK_INVALID_ARGUMENT);
  CHECK_ERROR("only the highest values can be reset");
  CHECK_OK(ck_graph_memory_reset(device, CK_GRAPH_MEMORY_USED_HIGH));
  CHECK_OK(ck_graph_memory_reset(device, CK_GRAPH_MEMORY_RESERVED_HIGH));
  size_t bytes;
  CHECK_FAILS(ck_graph_memory_get(device, (ck_graph_memory_t)4, &bytes), CK_INVALID_ARGUMENT);
  /* Memory of the second launch is freed by its address. */
  ck_graph_node_t *node;
  size_t count;
  ck_node_params_t seen = ck_node_empty();
  CHECK_OK(ck_graph_definition_get_nodes(ck_graph_definition(graph), &node, 1, &count));
  CHECK_OK(ck_graph_node_get_params(node, &seen));
  CHECK(count == 1 && seen.kind == CK_NODE_ALLOC && seen.of.alloc.bytes >= 1024);
  ck_graph_definition_t *freeing;
  ck_graph_t *second;
  ck_node_params_t free_it = ck_node_free(seen.of.alloc.address);
  CHECK_OK(ck_graph_definition_create(device, &freeing));
  CHECK_OK(ck_graph_definition_add(freeing, NULL, 0, &free_it, NULL));
  CHECK_OK(ck_graph_create(freeing, NULL, &second));
  CHECK_OK(ck_graph_launch(second, stream));
  CHECK_OK(ck_stream_sync(stream));
  ck_graph_definition_release(freeing);
  ck_graph_release(second);
  ck_graph_release(graph);
}

/* A graph can't be updated from a definition that allocates for another graph: they would share the
 * memory. */
TEST(update_that_allocates)
{
  ck_graph_definition_t *definitions[2];
  ck_graph_t *graph, *other;
  for (int i = 0; i < 2; ++i) {
    ck_graph_node_t *node;
    ck_node_params_t alloc = ck_node_alloc(1024);
    CHECK_OK(ck_graph_definition_create(device, &definitions[i]));
    CHECK_OK(ck_graph_definition_add(definitions[i], NULL, 0, &alloc, &node));
    ck_node_params_t free_it = ck_node_free(alloc.of.alloc.address);
    CHECK_OK(ck_graph_definition_add(definitions[i], &node, 1, &free_it, NULL));
  }
  CHECK_OK(ck_graph_create(definitions[0], NULL, &graph));
  CHECK_OK(ck_graph_update(graph, definitions[0]));
  CHECK_OK(ck_graph_create(definitions[1], NULL, &other));
  CHECK_FAILS(ck_graph_update(graph, definitions[1]), CK_UNSUPPORTED);
  CHECK_ERROR("CUDA_ERROR_NOT_SUPPORTED");
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK_OK(ck_stream_sync(stream));
  ck_graph_release(other);
  CHECK_OK(ck_graph_update(graph, definitions[1]));
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK_OK(ck_stream_sync(stream));
  if (ck_device_is_host(device)) /* it belongs to this graph now */
    CHECK_FAILS(ck_graph_create(definitions[1], NULL, &other), CK_UNSUPPORTED);
  ck_graph_release(graph);
  for (int i = 0; i < 2; ++i) ck_graph_definition_release(definitions[i]);
}

/* A graph memory resource allocates in captured streams of every mode, and in a plain stream from
 * the pool, which cuda.core refuses. */
TEST(gmr_check_capture_state)
{
  ck_buffer_t *buffer;
  for (int m = 0; m < 3; ++m) {
    ck_graph_builder_t *builder = begin(modes[m]);
    CHECK_OK(ck_memory_resource_create_buffer(graph_memory, 1, ck_graph_builder_stream(builder),
                                              &buffer));
    ck_buffer_release(buffer);
    ck_graph_t *graph = finish(builder, 0);
    ck_graph_node_t *nodes[2];
    size_t count;
    CHECK_OK(ck_graph_definition_get_nodes(ck_graph_definition(graph), nodes, 2, &count));
    CHECK(count == 2 && (ck_graph_node_kind(nodes[0]) == CK_NODE_ALLOC ||
                         ck_graph_node_kind(nodes[1]) == CK_NODE_ALLOC));
    launch_twice(graph);
    ck_graph_release(graph);
  }
  CHECK_OK(ck_memory_resource_create_buffer(graph_memory, BYTES, stream, &buffer));
  CHECK_OK(ck_buffer_fill(buffer, 0, BYTES, 9, 1, stream));
  CHECK(all_are(buffer, 9));
  ck_buffer_release(buffer);
}

TEST(accessibility_flags)
{
  CHECK(ck_memory_resource_flags(graph_memory) & CK_MEMORY_DEVICE);
  if (!ck_device_is_host(device)) CHECK(!(ck_memory_resource_flags(graph_memory) & CK_MEMORY_HOST));
  CHECK(ck_memory_resource_device(graph_memory) == device);
  ck_memory_resource_t *none;
  CHECK_FAILS(ck_memory_resource_create_graph(NULL, &none), CK_INVALID_ARGUMENT);
  CHECK(none == NULL);
}

/* A pool can't allocate in captured streams. */
TEST(dmr_check_capture_state)
{
  ck_memory_resource_t *pool;
  ck_buffer_t *buffer;
  CHECK_OK(ck_memory_resource_create_device(device, NULL, &pool));
  for (int m = 0; m < 3; ++m) {
    ck_graph_builder_t *builder = begin(modes[m]);
    CHECK_FAILS(
        ck_memory_resource_create_buffer(pool, 1, ck_graph_builder_stream(builder), &buffer),
        CK_INVALID_ARGUMENT);
    CHECK_ERROR("a pool does not allocate in a captured stream");
    ck_graph_release(finish(builder, 0));
  }
  CHECK_OK(ck_memory_resource_create_buffer(pool, 1, stream, &buffer));
  ck_buffer_release(buffer);
  ck_memory_resource_release(pool);
}

/* Launches a graph from a kernel of another graph, `times` times. */
static void launch_from_device(const char *how, int times)
{
  ck_kernel_t *add = kernel("add"), *start = kernel(how);
  ck_buffer_t *x = zeros(4), *error = zeros(4);
  ck_graph_builder_t *builder = begin(CK_CAPTURE_RELAXED);
  ck_graph_options_t options = CK_OPTIONS_INIT(ck_graph_options_t);
  ck_graph_t *inner, *outer;
  options.flags = CK_GRAPH_DEVICE_LAUNCH;
  CHECK_OK(ck_launch(ck_graph_builder_stream(builder), NULL, add, 7, x));
  CHECK_OK(ck_graph_builder_end(builder));
  ck_status_t status = ck_graph_builder_create_graph(builder, &options, &inner);
  ck_graph_builder_release(builder);
  if (ck_device_is_host(device)) {
    CHECK(status == CK_UNSUPPORTED && inner == NULL);
    CHECK_ERROR("'host device' launches no graphs from kernels");
    CHECK_OK(ck_launch(stream, NULL, start, (uint64_t)0, error));
    CHECK(read_i32(error, 0) == 801);
  } else {
    CHECK(status == CK_OK);
    CHECK_OK(ck_graph_upload(inner, stream));
    CHECK_OK(ck_stream_sync(stream));
    builder = begin(CK_CAPTURE_RELAXED);
    CHECK_OK(ck_launch(ck_graph_builder_stream(builder), NULL, start,
                       ck_u64((uint64_t)(uintptr_t)ck_graph_native(inner)), error));
    outer = finish(builder, 0);
    CHECK_OK(ck_graph_upload(outer, stream));
    for (int i = 0; i < times; ++i) CHECK_OK(ck_graph_launch(outer, stream));
    CHECK_OK(ck_stream_sync(stream));
    CHECK(read_i32(error, 0) == 0 && read_i32(x, 0) == 7 * times);
    ck_graph_release(outer);
    ck_graph_release(inner);
  }
  ck_buffer_release(x);
  ck_buffer_release(error);
  ck_kernel_release(add);
  ck_kernel_release(start);
}

static void wait_until_one(void *flag)
{
  while (!atomic_load((atomic_int *)flag)) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/* A definition with allocations has one executable graph at a time; a released one does not count,
 * although its launch is running. Under initcheck that has finished by then. */
TEST(created_again_under_way)
{
  static atomic_int flag;
  const char *tool = getenv("CK_SANITIZER");
  ck_graph_definition_t *d = NULL;
  ck_graph_node_t *nodes[4] = {NULL};
  ck_buffer_t *x = zeros(BYTES);
  CHECK_OK(ck_graph_definition_create(device, &d));
  ck_node_params_t alloc = ck_node_alloc(BYTES);
  CHECK_OK(ck_graph_definition_add(d, NULL, 0, &alloc, &nodes[0]));
  ck_node_place_t memory = ck_at_address(alloc.of.alloc.address);
  ck_node_params_t params[] = {ck_node_fill(memory, 7, 1, BYTES),
                               ck_node_copy(ck_at(x, 0), memory, BYTES),
                               ck_node_free(alloc.of.alloc.address)};
  for (int i = 0; i < 3; ++i)
    CHECK_OK(ck_graph_definition_add(d, &nodes[i], 1, &params[i], &nodes[i + 1]));
  atomic_store(&flag, tool && !strcmp(tool, "initcheck"));
  CHECK_OK(ck_stream_launch_host(stream, wait_until_one, &flag));
  for (int i = 0; i < 3; ++i) {
    ck_graph_t *graph = NULL;
    CHECK_OK(ck_graph_create(d, NULL, &graph));
    CHECK_OK(ck_graph_launch(graph, stream));
    ck_graph_release(graph);
  }
  atomic_store(&flag, 1);
  CHECK(all_are(x, 7));
  ck_graph_definition_release(d);
  ck_buffer_release(x);
}

/* Ours: a launch's scratch memory is the graph's, which a node that is added does not have. */
TEST(scratch)
{
  enum { N = 1000 };
  ck_kernel_t *sum = kernel("sum");
  ck_buffer_t *result = zeros(8);
  ck_graph_builder_t *builder = begin(CK_CAPTURE_RELAXED);
  CHECK_OK(ck_launch(ck_graph_builder_stream(builder), NULL, sum, (uint64_t)N, result));
  ck_graph_t *graph = finish(builder, 0);
  size_t count = 0;
  CHECK_OK(ck_graph_definition_get_nodes(ck_graph_definition(graph), NULL, 0, &count));
  CHECK(count == 3);
  launch_twice(graph);
  CHECK(read_i32(result, 0) == N * (N + 1) / 2);
  ck_graph_release(graph);
  ck_graph_definition_t *definition;
  ck_graph_node_t *node;
  const ck_arg_t args[] = {ck_arg((uint64_t)N), ck_arg(result)};
  ck_node_params_t params = ck_node_kernel(NULL, sum, args, 2);
  CHECK_OK(ck_graph_definition_create(device, &definition));
  CHECK_FAILS(ck_graph_definition_add(definition, NULL, 0, &params, &node), CK_UNSUPPORTED);
  CHECK_ERROR("kernel 'sum' has scratch memory, a node has none: capture it");
  ck_graph_definition_release(definition);
  ck_buffer_release(result);
  ck_kernel_release(sum);
}

/* Managed, page-locked and graph memory in one sequence; managed memory of a pool if there is one.
 */
TEST(memory_pool_resources)
{
  enum { SIZE = 256 };
  ck_memory_resource_t *managed = NULL, *pinned;
  ck_buffer_t *moved, *locked, *scratch;
  ck_kernel_t *kernel_of = kernel("scale_and_bias");
  if (ck_memory_resource_create_managed(device, NULL, &managed) != CK_OK &&
      ck_memory_resource_create_legacy_managed(device, &managed) != CK_OK)
    CHECK_OK(ck_memory_resource_create_pinned(device, &managed));
  if (ck_memory_resource_create_pinned_pool(device, NULL, &pinned) != CK_OK)
    CHECK_OK(ck_memory_resource_create_pinned(device, &pinned));
  CHECK_OK(ck_memory_resource_create_buffer(managed, 4 * SIZE, stream, &moved));
  CHECK_OK(ck_memory_resource_create_buffer(pinned, 4 * SIZE, stream, &locked));
  CHECK_OK(ck_stream_sync(stream));
  float *values = ck_buffer_host(moved), *seen = ck_buffer_host(locked);
  for (int i = 0; i < SIZE; ++i) values[i] = (float)i;
  CHECK_OK(ck_buffer_copy(locked, 0, moved, 0, 4 * SIZE, stream));
  CHECK_OK(ck_stream_sync(stream));
  CHECK(!memcmp(seen, values, 4 * SIZE));
  ck_graph_builder_t *builder = begin(CK_CAPTURE_RELAXED);
  ck_stream_t *to = ck_graph_builder_stream(builder);
  CHECK_OK(ck_memory_resource_create_buffer(graph_memory, 4 * SIZE, to, &scratch));
  CHECK_OK(ck_buffer_copy(scratch, 0, moved, 0, 4 * SIZE, to));
  CHECK_OK(ck_launch(to, NULL, kernel_of, (uint64_t)SIZE, 2.0f, 1.0f, scratch));
  CHECK_OK(ck_buffer_copy(moved, 0, scratch, 0, 4 * SIZE, to));
  ck_buffer_release(scratch);
  ck_graph_t *graph = finish(builder, 0);
  CHECK_OK(ck_graph_upload(graph, stream));
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK_OK(ck_buffer_copy(locked, 0, moved, 0, 4 * SIZE, stream));
  CHECK_OK(ck_stream_sync(stream));
  int wrong = 0;
  for (int i = 0; i < SIZE; ++i) wrong += seen[i] != 2 * (float)i + 1;
  CHECK(wrong == 0);
  ck_graph_release(graph);
  ck_buffer_release(moved);
  ck_buffer_release(locked);
  CHECK_OK(ck_stream_sync(stream));
  ck_memory_resource_release(managed);
  ck_memory_resource_release(pinned);
  ck_kernel_release(kernel_of);
}

/* Copies between page-locked and device memory are nodes: nothing is copied before a launch, and
 * each launch copies the present contents. */
TEST(captured_copies)
{
  ck_memory_resource_t *pinned;
  CHECK_OK(ck_memory_resource_create_pinned(device, &pinned));
  for (int m = 0; m < 3; ++m) {
    ck_buffer_t *from, *to, *between = zeros(BYTES);
    CHECK_OK(ck_memory_resource_create_buffer(pinned, BYTES, NULL, &from));
    CHECK_OK(ck_memory_resource_create_buffer(pinned, BYTES, NULL, &to));
    memset(ck_buffer_host(from), 1, BYTES);
    memset(ck_buffer_host(to), 9, BYTES);
    ck_graph_builder_t *builder = begin(modes[m]);
    ck_stream_t *captured = ck_graph_builder_stream(builder);
    CHECK_OK(ck_buffer_copy(between, 0, from, 0, BYTES, captured));
    CHECK_OK(ck_buffer_copy(to, 0, between, 0, BYTES, captured));
    ck_graph_t *graph = finish(builder, 0);
    CHECK(all_are(between, 0) && all_are(to, 9));
    for (int round = 2; round < 4; ++round) {
      memset(ck_buffer_host(from), round, BYTES);
      CHECK_OK(ck_graph_launch(graph, stream));
      CHECK_OK(ck_stream_sync(stream));
      CHECK(all_are(between, (unsigned char)round) && all_are(to, (unsigned char)round));
    }
    ck_graph_release(graph);
    ck_buffer_release(from);
    ck_buffer_release(to);
    ck_buffer_release(between);
  }
  ck_memory_resource_release(pinned);
}

typedef struct Branch {
  ck_graph_builder_t *builder;
  ck_buffer_t *from, *to;
  ck_status_t status;
} Branch;

static pthread_barrier_t at_once;

static void *capture_branch(void *data)
{
  Branch *branch = data;
  ck_stream_t *own = ck_graph_builder_stream(branch->builder);
  ck_buffer_t *between = NULL;
  pthread_barrier_wait(&at_once);
  ck_status_t status = ck_memory_resource_create_buffer(graph_memory, BYTES, own, &between);
  if (status == CK_OK) status = ck_buffer_copy(between, 0, branch->from, 0, BYTES, own);
  if (status == CK_OK) status = ck_buffer_copy(branch->to, 0, between, 0, BYTES, own);
  ck_buffer_release(between);
  branch->status = status;
  return NULL;
}

/* Threads allocate in forks of one capture at once; CUDA's driver would map neither allocation. */
TEST(threads_allocate_at_once)
{
  pthread_barrier_init(&at_once, NULL, 2);
  for (int round = 1; round < 20; ++round) {
    Branch branches[2] = {{.builder = begin(CK_CAPTURE_RELAXED)}};
    pthread_t thread;
    CHECK_OK(ck_graph_builder_split(branches[0].builder, 1, &branches[1].builder));
    for (int i = 0; i < 2; ++i) {
      branches[i].from = zeros(BYTES);
      branches[i].to = zeros(BYTES);
      CHECK_OK(ck_buffer_fill(branches[i].from, 0, BYTES, (uint32_t)(round + i), 1, stream));
    }
    if (!CHECK(!pthread_create(&thread, NULL, capture_branch, &branches[1]))) return;
    capture_branch(&branches[0]);
    pthread_join(thread, NULL);
    CHECK(branches[0].status == CK_OK && branches[1].status == CK_OK);
    CHECK_OK(ck_graph_builder_join(branches[0].builder, &branches[1].builder, 1));
    ck_graph_builder_release(branches[1].builder);
    ck_graph_t *graph = finish(branches[0].builder, 0);
    launch_twice(graph);
    for (int i = 0; i < 2; ++i) {
      CHECK(all_are(branches[i].to, (unsigned char)(round + i)));
      ck_buffer_release(branches[i].from);
      ck_buffer_release(branches[i].to);
    }
    ck_graph_release(graph);
  }
  pthread_barrier_destroy(&at_once);
}

TEST(device_launch_basic)
{
  launch_from_device("start", 1);
  launch_from_device("start_tail", 1);
}

/* Tail launch: a launch ends with the graph that it launched. */
TEST(device_launch_multiple)
{
  launch_from_device("start_tail", 5);
}

int main(void)
{
  int missing = open_both(source);
  if (missing) return missing;
  if (ck_memory_resource_create_graph(device, &graph_memory) == CK_OK) {
    RUN(graph_alloc);
    RUN(graph_alloc_fill);
    RUN(graph_alloc_with_output);
    RUN(relaunch_with_memory_allocated);
    RUN(graph_mem_alloc_zero);
    RUN(graph_mem_set_attributes);
    RUN(update_that_allocates);
    RUN(gmr_check_capture_state);
    RUN(accessibility_flags);
    RUN(dmr_check_capture_state);
    RUN(created_again_under_way);
    RUN(scratch);
    RUN(memory_pool_resources);
    RUN(threads_allocate_at_once);
  }
  RUN(captured_copies);
  RUN(device_launch_basic);
  RUN(device_launch_multiple);
  ck_memory_resource_release(graph_memory);
  return close_both();
}
