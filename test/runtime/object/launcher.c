/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* launcher.c - tests launches of kernels that ckc compiles, on the host device or a GPU
 * ($CK_DEVICE): cuda.core's test_launcher.py, and the kernels of its test_green_context.py, in C.
 * launch.c tests what a launch refuses. */
#include "both.h"

#include <sys/resource.h>

static const char source[] =
    "kernel shape(out: inout u32[6]) {\n"
    "    if (grid.thread_rank != 0) return;\n"
    "    out[0] = grid.dim.x; out[1] = grid.dim.y; out[2] = grid.dim.z;\n"
    "    out[3] = block.dim.x; out[4] = block.dim.y; out[5] = block.dim.z;\n"
    "}\n"
    "kernel in_shared(n: u32, out: inout u32[1]) launch(block = 32, grid = 1) {\n"
    "    shared table: u32[dyn n];\n"
    "    for (i in block.stride(n)) table[i] = i;\n"
    "    block.sync();\n"
    "    if (thread.rank == 0) out[0] = table[n - 1];\n"
    "}\n"
    "kernel write<T: type>(out: inout T[1], value: T) launch(block = 1, grid = 1) {\n"
    "    out[0] = value;\n"
    "}\n"
    "struct Complex { re: f64; im: f64; }\n"
    "export write<bool>, write<i8>, write<i16>, write<i32>, write<i64>, write<u8>, write<u16>;\n"
    "export write<u32>, write<u64>, write<f16>, write<bf16>, write<f32>, write<f64>;\n"
    "export write<Complex>;\n"
    "kernel together(out: inout u32[1]) launch(block = 128) {\n"
    "    atomic.add(out[0], 1);\n"
    "    grid.sync();\n"
    "    if (grid.thread_rank == 0) out[0] = out[0] * 2;\n"
    "}\n"
    "kernel all_there(out: inout u32[2]) launch(block = 128, grid = resident) {\n"
    "    if (thread.rank == 0) atomic.add(out[0], 1);\n"
    "    grid.sync();\n"
    "    if (grid.thread_rank == 0) out[1] = grid.dim.x;\n"
    "}\n"
    "kernel triple(n: u64, data: inout f32[n]) launch(block = 256, grid = ceil_div(n, 256)) {\n"
    "    let i = grid.thread_rank;\n"
    "    if (i < n) data[i] = data[i] * 3;\n"
    "}\n"
    "kernel fill(n: u32, value: i32, out: out i32[n]) launch(block = 32, grid = ceil_div(n, 32)) "
    "{\n"
    "    let i = u32(grid.thread_rank);\n"
    "    if (i < n) out[i] = value;\n"
    "}\n";

static ck_launch_config_t config_of(uint32_t gx, uint32_t gy, uint32_t gz, uint32_t bx, uint32_t by,
                                    uint32_t bz)
{
  ck_launch_config_t config = CK_OPTIONS_INIT(ck_launch_config_t);
  config.grid[0] = gx, config.grid[1] = gy, config.grid[2] = gz;
  config.block[0] = bx, config.block[1] = by, config.block[2] = bz;
  return config;
}

/* The kernel sees the configured shape. */
static void check_shape(const ck_launch_config_t *config, const uint32_t want[6])
{
  ck_kernel_t *shape = kernel("shape");
  ck_buffer_t *out = zeros(24);
  uint32_t got[6] = {0};
  CHECK_OK(ck_launch(stream, config, shape, out));
  CHECK_OK(ck_buffer_read(out, 0, got, sizeof got, stream));
  CHECK_OK(ck_stream_sync(stream));
  CHECK(!memcmp(got, want, sizeof got));
  ck_buffer_release(out);
  ck_kernel_release(shape);
}

TEST(launch_config_init)
{
  ck_launch_config_t one = config_of(1, 1, 1, 1, 1, 1), two = config_of(2, 2, 2, 2, 2, 2);
  two.dynamic_shared_bytes = 1024;
  check_shape(&one, (const uint32_t[]){1, 1, 1, 1, 1, 1});
  check_shape(&two, (const uint32_t[]){2, 2, 2, 2, 2, 2});
}

/* Grid and block as given; y and z left out are 1. */
TEST(launch_config_native_conversion)
{
  ck_launch_config_t line = config_of(4, 0, 0, 32, 0, 0), solid = config_of(4, 5, 6, 7, 8, 9);
  check_shape(&line, (const uint32_t[]){4, 1, 1, 32, 1, 1});
  check_shape(&solid, (const uint32_t[]){4, 5, 6, 7, 8, 9});
}

TEST(launch_config_invalid_values)
{
  ck_kernel_t *shape = kernel("shape");
  ck_buffer_t *out = zeros(24);
  const struct {
    ck_launch_config_t config;
    const char *message;
  } cases[] = {
      {config_of(0, 0, 0, 1, 1, 1), "kernel 'shape' has no grid in its launch contract: give one"},
      {config_of(0, 1, 0, 1, 1, 1), "kernel 'shape': grid.x is 0 in (0, 1, 0): give x too, or 0"},
      {config_of(1, 1, 1, 0, 0, 0), "kernel 'shape' has no block in its launch contract: give one"},
      {config_of(1, 1, 1, 0, 1, 0), "kernel 'shape': block.x is 0 in (0, 1, 0)"},
      {config_of(1, 1, 1, 0, 0, 2), "kernel 'shape': block.x is 0 in (0, 0, 2)"},
      {config_of(1, 1, 1, 1025, 1, 1), "kernel 'shape': block.x is 1025, '"},
      {config_of(1, 1, 1, 1, 1, 65), "kernel 'shape': block.z is 65, '"},
      {config_of(1, 1, 1, 32, 32, 2), "kernel 'shape': 2048 threads in a block, '"},
      {config_of(1, 65536, 1, 1, 1, 1), "kernel 'shape': grid.y is 65536, '"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    CHECK_FAILS(ck_launch(stream, &cases[i].config, shape, out), CK_INVALID_ARGUMENT);
    CHECK_ERROR(cases[i].message);
  }
  CHECK_OK(ck_stream_sync(stream));
  CHECK(read_i32(out, 0) == 0); /* none of them ran */
  ck_buffer_release(out);
  ck_kernel_release(shape);
}

/* The contract's shared memory; a launch may give more, and not less. */
TEST(launch_config_shmem_size)
{
  ck_kernel_t *in_shared = kernel("in_shared");
  ck_buffer_t *out = zeros(4);
  ck_launch_config_t config = CK_OPTIONS_INIT(ck_launch_config_t);
  CHECK_OK(ck_launch(stream, NULL, in_shared, 500, out));
  CHECK(read_i32(out, 0) == 499);
  config.dynamic_shared_bytes = 4096;
  CHECK_OK(ck_launch(stream, &config, in_shared, 1000, out));
  CHECK(read_i32(out, 0) == 999);
  CHECK_OK(ck_launch(stream, NULL, in_shared, 15000, out)); /* more than 48 KB */
  CHECK(read_i32(out, 0) == 14999);
  config.dynamic_shared_bytes = 2048;
  CHECK_FAILS(ck_launch(stream, &config, in_shared, 1000, out), CK_INVALID_ARGUMENT);
  CHECK_ERROR("kernel 'in_shared' needs 4000 bytes of dynamic shared memory, got 2048");
  ck_buffer_release(out);
  ck_kernel_release(in_shared);
}

/* A grid is counted in blocks, also with clusters. */
TEST(launch_config_cluster_grid_conversion)
{
  ck_launch_config_t config = config_of(8, 6, 2, 32, 0, 0);
  int has_clusters = 0;
  config.cluster[0] = config.cluster[1] = 2;
  CHECK_OK(ck_device_get_attribute(device, CK_DEVICE_CLUSTER_LAUNCH, &has_clusters));
  if (has_clusters) {
    check_shape(&config, (const uint32_t[]){8, 6, 2, 32, 1, 1});
    return;
  }
  /* Only the launch checks what the device has. */
  ck_kernel_t *shape = kernel("shape");
  ck_buffer_t *out = zeros(24);
  CHECK_FAILS(ck_launch(stream, &config, shape, out), CK_UNSUPPORTED);
  CHECK_ERROR("has no clusters");
  ck_buffer_release(out);
  ck_kernel_release(shape);
}

TEST(launch_invalid_values)
{
  ck_kernel_t *shape = kernel("shape");
  ck_buffer_t *out = zeros(24);
  ck_launch_config_t config = config_of(1, 0, 0, 1, 0, 0);
  ck_arg_t arg = ck_whole(out);
  CHECK_FAILS(ck_launch_args(stream, &config, NULL, &arg, 1), CK_INVALID_ARGUMENT);
  CHECK_ERROR("kernel is NULL");
  CHECK_FAILS(ck_launch_args(stream, &config, shape, NULL, 1), CK_INVALID_ARGUMENT);
  CHECK_ERROR("kernel 'shape': 1 arguments at NULL");
  config.attribute_count = 3;
  CHECK_FAILS(ck_launch_args(stream, &config, shape, &arg, 1), CK_INVALID_ARGUMENT);
  CHECK_ERROR("kernel 'shape': 3 attributes at NULL");
  config.attribute_count = 0;
  CHECK_FAILS(ck_launch_args(stream, NULL, shape, &arg, 1), CK_INVALID_ARGUMENT);
  CHECK_ERROR("give one"); /* its contract has neither grid nor block */
  config.struct_size = 4;
  CHECK_FAILS(ck_launch_args(stream, &config, shape, &arg, 1), CK_INVALID_ARGUMENT);
  CHECK_ERROR("CK_OPTIONS_INIT");
  config.struct_size = sizeof config;
  CHECK_OK(ck_launch_args(NULL, &config, shape, &arg, 1)); /* the default stream */
  CHECK_OK(ck_device_sync(device));
  CHECK_OK(ck_launch_args(stream, &config, shape, &arg, 1));
  CHECK(read_i32(out, 0) == 1);
  ck_buffer_release(out);
  ck_kernel_release(shape);
}

/* No argument beyond the given ones is read, with a manifest or without. */
TEST(nothing_behind_an_argument)
{
  ck_kernel_t *write = kernel("write<Complex>"), *raw;
  ck_buffer_t *out = zeros(16), *closed = zeros(16);
  static const double complex[2] = {1, 2};
  static ck_arg_t many[300];
  const ck_tensor_map_t *map = NULL;
  CHECK_OK(ck_kernel_from_native(device, ck_kernel_native(write), NULL, &raw));
  CHECK_OK(ck_buffer_close(closed, NULL));
  ck_kernel_t *both[] = {write, raw};
  for (int i = 0; i < 2; ++i) {
    ck_launch_config_t config = config_of(1, 0, 0, 1, 0, 0);
    CHECK_FAILS(ck_launch(stream, &config, both[i], out, ck_struct(NULL, 16)), CK_INVALID_ARGUMENT);
    CHECK_ERROR("the struct is NULL");
    CHECK_FAILS(ck_launch(stream, &config, both[i], closed, ck_struct(complex, 16)),
                CK_INVALID_ARGUMENT);
    CHECK_ERROR("the buffer is closed");
    CHECK_FAILS(ck_launch(stream, &config, both[i], out, map), CK_INVALID_ARGUMENT);
    CHECK_FAILS(ck_launch_args(stream, &config, both[i], many, 300), CK_INVALID_ARGUMENT);
    CHECK_ERROR("got 300");
  }
  CHECK_FAILS(ck_launch(stream, NULL, raw, out, map), CK_INVALID_ARGUMENT);
  CHECK_ERROR("the tensor map is NULL");
  ck_kernel_release(raw);
  ck_kernel_release(write);
  ck_buffer_release(out);
  ck_buffer_release(closed);
}

/* An argument of an unknown kind is reported, not read. */
TEST(kernel_arg_unsupported_type)
{
  ck_kernel_t *write = kernel("write<i32>");
  ck_buffer_t *out = zeros(4);
  ck_arg_t args[] = {ck_whole(out), ck_i32(1)};
  args[1].kind = 77;
  CHECK_FAILS(ck_launch_args(stream, NULL, write, args, 2), CK_INVALID_ARGUMENT);
  CHECK_ERROR("argument 2 'value': expected i32, got an argument of kind 77, which is unknown");
  args[1] = ck_i32(1);
  args[1].dtype = 99;
  CHECK_FAILS(ck_launch_args(stream, NULL, write, args, 2), CK_INVALID_ARGUMENT);
  args[0].kind = 77;
  CHECK_FAILS(ck_launch_args(stream, NULL, write, args, 2), CK_INVALID_ARGUMENT);
  CHECK_ERROR("argument 1 'out': expected a span of i32, got an argument of kind 77");
  ck_buffer_release(out);
  ck_kernel_release(write);
}

TEST(launch_scalar_argument)
{
  const double complex[2] = {-3, -4};
  const struct {
    const char *name;
    ck_arg_t value;
    size_t bytes;
    uint64_t bits; /* of arguments that are no struct */
  } cases[] = {
      {"write<bool>", ck_bool(1), 1, 1},
      {"write<i8>", ck_i8(-42), 1, (uint8_t)-42},
      {"write<i16>", ck_i16(-1234), 2, (uint16_t)-1234},
      {"write<i32>", ck_i32(-123456), 4, (uint32_t)-123456},
      {"write<i64>", ck_i64(-123456789), 8, (uint64_t)-123456789},
      {"write<u8>", ck_u8(200), 1, 200},
      {"write<u16>", ck_u16(60000), 2, 60000},
      {"write<u32>", ck_u32(4000000000u), 4, 4000000000u},
      {"write<u64>", ck_u64(0x100000001u), 8, 0x100000001u},
      {"write<f16>", ck_f16(0x3a3d), 2, 0x3a3d},
      {"write<bf16>", ck_bf16(0x3f48), 2, 0x3f48},
      {"write<f32>", ck_f32(3.14f), 4, 0x4048f5c3},
      {"write<f64>", ck_f64(2.718), 8, 0x4005be76c8b43958},
      {"write<Complex>", ck_struct(complex, sizeof complex), 16, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    ck_kernel_t *write = kernel(cases[i].name);
    ck_buffer_t *out = zeros(16);
    const ck_arg_t args[] = {ck_span(out, 0, 1), cases[i].value};
    uint64_t got[2] = {0}, want[2] = {cases[i].bits, 0};
    if (cases[i].bytes == 16) memcpy(want, complex, sizeof want);
    CHECK_OK(ck_launch_args(stream, NULL, write, args, 2));
    CHECK_OK(ck_buffer_read(out, 0, got, sizeof got, stream));
    CHECK_OK(ck_stream_sync(stream));
    if (!CHECK(!memcmp(got, want, sizeof want))) fprintf(stderr, "%s\n", cases[i].name);
    ck_buffer_release(out);
    ck_kernel_release(write);
  }
}

/* All blocks of a cooperative grid are resident: a grid that does not fit is refused. */
TEST(cooperative_launch)
{
  ck_kernel_t *together = kernel("together");
  ck_buffer_t *out = zeros(4);
  ck_launch_config_t config = CK_OPTIONS_INIT(ck_launch_config_t);
  int most = 0, can = 0;
  CHECK_OK(ck_device_get_attribute(device, CK_DEVICE_COOPERATIVE_LAUNCH, &can));
  CHECK_OK(ck_device_get_attribute(device, CK_DEVICE_MAX_GRID_DIM_X, &most));
  config.grid[0] = 2;
  if (!can) {
    CHECK_FAILS(ck_launch(stream, &config, together, out), CK_UNSUPPORTED);
    CHECK_ERROR("has no cooperative launches");
  } else {
    CHECK_OK(ck_launch(stream, &config, together, out));
    CHECK(read_i32(out, 0) == 2 * 2 * 128);
    config.flags = CK_LAUNCH_COOPERATIVE; /* it is cooperative anyway */
    CHECK_OK(ck_launch(stream, &config, together, out));
    CHECK(read_i32(out, 0) == 2 * (512 + 256));
    if (!getenv("CK_NO_FAULTS")) {
      config.grid[0] = (uint32_t)most / 128 + 1;
      CHECK_FAILS(ck_launch(stream, &config, together, out), CK_INVALID_ARGUMENT);
      CHECK_ERROR("CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE");
      CHECK_ERROR("kernel 'together'");
      CHECK_ERROR(" fit on each of the ");
    }
  }
  CHECK_OK(ck_stream_sync(stream));
  ck_buffer_release(out);
  ck_kernel_release(together);
}

/* A kernel uses memory of each resource, which is freed after it. */
TEST(launch_with_buffers_allocated_by_memory_resource)
{
  enum { COUNT = 1024 };
  ck_memory_resource_options_t options = CK_OPTIONS_INIT(ck_memory_resource_options_t);
  ck_kernel_t *triple = kernel("triple");
  ck_memory_resource_t *resources[4] = {NULL};
  CHECK_OK(ck_device_get_memory_resource(device, &resources[0]));
  ck_memory_resource_retain(resources[0]); /* borrowed */
  CHECK_OK(ck_memory_resource_create_pinned(device, &resources[1]));
  int has_pools = 0, has_managed = 0;
  CHECK_OK(ck_device_get_attribute(device, CK_DEVICE_MEMORY_POOLS_SUPPORTED, &has_pools));
  CHECK_OK(ck_device_get_attribute(device, CK_DEVICE_MANAGED_MEMORY, &has_managed));
  if (has_pools) CHECK_OK(ck_memory_resource_create_device(device, &options, &resources[2]));
  if (has_managed) CHECK_OK(ck_memory_resource_create_legacy_managed(device, &resources[3]));
  for (int k = 0; k < 4; ++k) {
    float before[COUNT], after[COUNT] = {0};
    ck_buffer_t *buffer;
    if (!resources[k]) continue;
    for (int i = 0; i < COUNT; ++i) before[i] = (float)i * 0.25f - 100;
    CHECK_OK(ck_memory_resource_create_buffer(resources[k], sizeof before, stream, &buffer));
    CHECK_OK(ck_buffer_write(buffer, 0, before, sizeof before, stream));
    CHECK_OK(ck_launch(stream, NULL, triple, COUNT, buffer));
    CHECK_OK(ck_buffer_read(buffer, 0, after, sizeof after, stream));
    CHECK_OK(ck_stream_sync(stream));
    int wrong = 0;
    for (int i = 0; i < COUNT; ++i) wrong += after[i] != before[i] * 3;
    CHECK(wrong == 0);
    CHECK_OK(ck_buffer_close(buffer, stream));
    CHECK(ck_buffer_flags(buffer) & CK_MEMORY_CLOSED && !ck_buffer_native(buffer));
    ck_buffer_release(buffer);
    ck_memory_resource_release(resources[k]);
  }
  ck_kernel_release(triple);
}

/* green contexts ----------------------------------------------------------------------------- */

/* Splits the device into at most `wanted` groups; 0 where there are no green contexts. */
static size_t split(ck_sm_resource_t *groups, size_t wanted)
{
  ck_sm_resource_t all;
  size_t count = wanted;
  if (ck_device_get_sm_resource(device, &all) == CK_UNSUPPORTED) return 0;
  CHECK_OK(ck_sm_resource_split(device, &all, 0, 0, groups, &count, NULL));
  return count;
}

static void fill_in(ck_context_t *green, int32_t value)
{
  enum { COUNT = 64 };
  ck_kernel_t *fill = kernel("fill");
  ck_buffer_t *out = zeros(4 * COUNT);
  ck_stream_t *own;
  int32_t got[COUNT] = {0};
  CHECK_OK(ck_context_create_stream(green, NULL, &own));
  CHECK_OK(ck_launch(own, NULL, fill, COUNT, value, out));
  CHECK_OK(ck_buffer_read(out, 0, got, sizeof got, own));
  CHECK_OK(ck_stream_sync(own));
  for (int i = 0; i < COUNT; ++i)
    if (got[i] != value) CHECK(got[i] == value);
  CHECK(got[0] == value && got[COUNT - 1] == value);
  ck_stream_release(own);
  ck_buffer_release(out);
  ck_kernel_release(fill);
}

TEST(launch_and_verify)
{
  ck_sm_resource_t group;
  ck_context_t *green;
  if (!split(&group, 1)) return;
  CHECK_OK(ck_context_create_green(device, &group, 1, NULL, &green));
  fill_in(green, 42);
  ck_context_release(green);
}

TEST(two_green_contexts_independent)
{
  ck_sm_resource_t groups[2];
  ck_context_t *green[2];
  if (split(groups, 2) < 2) return;
  for (int i = 0; i < 2; ++i)
    CHECK_OK(ck_context_create_green(device, &groups[i], 1, NULL, &green[i]));
  for (int i = 0; i < 2; ++i) fill_in(green[i], 10 * (i + 1));
  for (int i = 0; i < 2; ++i) ck_context_release(green[i]);
}

/* A context with its own work queues gives the same results. */
TEST(green_context_with_workqueues)
{
  ck_sm_resource_t group;
  ck_workqueue_resource_t queues;
  ck_green_options_t options = CK_OPTIONS_INIT(ck_green_options_t);
  ck_context_t *green;
  ck_status_t status = ck_device_get_workqueue_resource(device, &queues);
  if (status != CK_OK) CHECK(status == CK_UNSUPPORTED && !ck_device_is_host(device));
  if (status != CK_OK || !split(&group, 1)) return;
  options.workqueues = &queues;
  CHECK_OK(ck_context_create_green(device, &group, 1, &options, &green));
  CHECK(ck_context_is_green(green));
  fill_in(green, 99);
  ck_context_release(green);
}

/* A cooperative grid has as many blocks as fit on the context's multiprocessors. */
TEST(resident_in_a_green_context)
{
  ck_sm_resource_t group, all;
  ck_context_t *green;
  ck_stream_t *own;
  int can = 0;
  CHECK_OK(ck_device_get_attribute(device, CK_DEVICE_COOPERATIVE_LAUNCH, &can));
  if (!can || !split(&group, 1)) return;
  CHECK_OK(ck_device_get_sm_resource(device, &all));
  ck_kernel_t *there = kernel("all_there");
  ck_buffer_t *small = zeros(8), *large = zeros(8);
  CHECK_OK(ck_context_create_green(device, &group, 1, NULL, &green));
  CHECK_OK(ck_context_create_stream(green, NULL, &own));
  CHECK_OK(ck_launch(own, NULL, there, small));
  CHECK_OK(ck_launch(stream, NULL, there, large));
  CHECK_OK(ck_stream_sync(own));
  uint32_t few = (uint32_t)read_i32(small, 0), many = (uint32_t)read_i32(large, 0);
  CHECK(few > 0 && few == (uint32_t)read_i32(small, 1) && many == (uint32_t)read_i32(large, 1));
  /* On the host device, one CPU thread executes them all, at most 4. */
  if (ck_device_is_host(device)) CHECK(few <= many && many <= 4);
  else CHECK(few * all.sm_count == many * group.sm_count);
  ck_buffer_release(small);
  ck_buffer_release(large);
  ck_kernel_release(there);
  ck_stream_release(own);
  ck_context_release(green);
}

/* A graph that is launched in streams of several contexts in turn, also adopted ones, and released
 * after the last. */
TEST(graph_in_green_streams)
{
  ck_sm_resource_t group;
  ck_context_t *green;
  ck_stream_t *streams[3] = {stream};
  ck_graph_definition_t *d;
  ck_graph_t *graph;
  if (!split(&group, 1)) return;
  ck_buffer_t *x = zeros(4);
  CHECK_OK(ck_context_create_green(device, &group, 1, NULL, &green));
  CHECK_OK(ck_context_create_stream(green, NULL, &streams[1]));
  CHECK_OK(ck_stream_from_native(device, ck_stream_native(streams[1]), 0, &streams[2]));
  CHECK_OK(ck_graph_definition_create(device, &d));
  ck_node_params_t params = ck_node_fill(ck_at(x, 0), 7, 4, 1);
  CHECK_OK(ck_graph_definition_add(d, NULL, 0, &params, NULL));
  CHECK_OK(ck_graph_create(d, NULL, &graph));
  ck_graph_definition_release(d);
  for (int i = 0; i < 7; ++i) {
    CHECK_OK(ck_buffer_fill(x, 0, 4, 0, 4, stream));
    CHECK_OK(ck_stream_sync(stream));
    CHECK_OK(ck_graph_launch(graph, streams[i % 3]));
    if (i == 6) ck_graph_release(graph);
    CHECK_OK(ck_stream_sync(streams[i % 3]));
    CHECK(read_i32(x, 0) == 7);
  }
  ck_buffer_release(x);
  ck_stream_release(streams[2]);
  ck_stream_release(streams[1]);
  ck_context_release(green);
}

/* One block of a checked build that accesses 6 MiB, which needs more memory than that for the
 * checker. */
TEST(checked_block_of_much_memory)
{
  static const char text[] = "kernel ones(n: u64, z: out f32[n]) launch(block = 32, grid = 1)\n"
                             "{ for (i in block.stride(n)) z[i] = 1; }\n";
  enum { N = 3 << 19, MOST_KIB = 700 << 10 };
#ifdef __SANITIZE_THREAD__ /* ThreadSanitizer needs several times the memory */
  return;
#endif
  ck_compile_options_t options = CK_OPTIONS_INIT(ck_compile_options_t);
  ck_program_t *program;
  ck_object_code_t *own;
  ck_kernel_t *ones;
  struct rusage use = {0};
  if (!ck_device_is_host(device)) return;
  options.flags = CK_COMPILE_CHECK;
  CHECK_OK(ck_program_create(text, sizeof text - 1, &options, &program));
  CHECK_OK(ck_program_compile(program, device, &own));
  CHECK_OK(ck_kernel_from_code(own, device, "ones", &ones));
  ck_buffer_t *z = zeros(4ul * N);
  CHECK_OK(ck_launch(stream, NULL, ones, N, z));
  CHECK_OK(ck_stream_sync(stream));
  CHECK(getrusage(RUSAGE_SELF, &use) == 0 && use.ru_maxrss < MOST_KIB);
  ck_buffer_release(z);
  ck_kernel_release(ones);
  ck_object_code_release(own);
  ck_program_release(program);
}

int main(void)
{
  int missing = open_both(source);
  if (missing) return missing;
  run_all();
  return close_both();
}
