/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* kernel.c - tests attributes and occupancy of kernels: cuda.core's tests of KernelAttributes and
 * KernelOccupancy. On the host device or a GPU: $CK_DEVICE. */
#define _GNU_SOURCE /* mkdtemp */
#include "both.h"

static const char source[] =
    "kernel plain(n: u32, x: inout f32[n]) launch(block = 128, grid = ceil_div(n, 128)) {\n"
    "    let i = u32(grid.thread_rank);\n"
    "    if (i < n) x[i] += 1;\n"
    "}\n"
    "kernel tiles(n: u32, x: inout f32[n]) {\n"
    "    shared t: f32[256];\n"
    "    t[thread.x % 256] = x[thread.x % n];\n"
    "    block.sync();\n"
    "    x[thread.x % n] = t[(thread.x + 1) % 256];\n"
    "}\n"
    "kernel fixed_dynamic(x: inout u32[1]) launch(block = 64, grid = 1) {\n"
    "    shared t: u32[15000];\n"
    "    for (i in block.stride(15000)) t[i] = 1;\n"
    "    block.sync();\n"
    "    if (thread.rank == 0) x[0] = t[14999];\n"
    "}\n"
    "kernel dynamic(n: u32, x: inout u32[1]) launch(block = 64, grid = 1) {\n"
    "    shared t: u32[dyn n];\n"
    "    for (i in block.stride(n)) t[i] = 1;\n"
    "    block.sync();\n"
    "    if (thread.rank == 0) x[0] = t[n - 1];\n"
    "}\n";

static ck_kernel_t *plain, *tiles;

static int get(ck_kernel_t *kernel, ck_kernel_attribute_t attribute)
{
  int value = -100;
  CHECK_OK(ck_kernel_get_attribute(kernel, attribute, &value));
  return value;
}

static int of_device(ck_device_attribute_t attribute)
{
  int value = 0;
  CHECK_OK(ck_device_get_attribute(device, attribute, &value));
  return value;
}

TEST(all_attributes)
{
  for (int i = 0; i <= CK_KERNEL_CLUSTER_SCHEDULING_POLICY; ++i) {
    printf("%s: %d\n", ck_kernel_attribute_name((ck_kernel_attribute_t)i),
           get(tiles, (ck_kernel_attribute_t)i));
  }
  CHECK(!ck_kernel_attribute_name((ck_kernel_attribute_t)16));
  CHECK(get(tiles, CK_KERNEL_SHARED_BYTES) >= 1024 && get(plain, CK_KERNEL_SHARED_BYTES) < 1024);
  CHECK(get(plain, CK_KERNEL_MAX_THREADS_PER_BLOCK) >= 128);
  CHECK(!get(plain, CK_KERNEL_CLUSTER_SIZE_MUST_BE_SET));
  if (ck_device_is_host(device)) return;
  CHECK(get(plain, CK_KERNEL_REGISTERS) > 0 && get(plain, CK_KERNEL_BINARY_VERSION) >= 75);
}

TEST(settings)
{
  int most = of_device(CK_DEVICE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  CHECK_OK(ck_kernel_set_attribute(plain, CK_KERNEL_PREFERRED_SHARED_CARVEOUT, 50));
  CHECK(get(plain, CK_KERNEL_PREFERRED_SHARED_CARVEOUT) == 50);
  CHECK_OK(ck_kernel_set_attribute(plain, CK_KERNEL_PREFERRED_SHARED_CARVEOUT, -1));
  CHECK_OK(ck_kernel_set_attribute(plain, CK_KERNEL_MAX_DYNAMIC_SHARED_BYTES, 65536));
  CHECK(get(plain, CK_KERNEL_MAX_DYNAMIC_SHARED_BYTES) == 65536);
  if (of_device(CK_DEVICE_CLUSTER_LAUNCH)) {
    CHECK_OK(
        ck_kernel_set_attribute(plain, CK_KERNEL_CLUSTER_SCHEDULING_POLICY, CK_CLUSTER_SPREAD));
    CHECK(get(plain, CK_KERNEL_CLUSTER_SCHEDULING_POLICY) == CK_CLUSTER_SPREAD);
    CHECK_OK(ck_kernel_set_attribute(plain, CK_KERNEL_CLUSTER_SCHEDULING_POLICY, 0));
    CHECK_OK(ck_kernel_set_attribute(plain, CK_KERNEL_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1));
    CHECK(get(plain, CK_KERNEL_NON_PORTABLE_CLUSTER_SIZE_ALLOWED) == 1);
    CHECK_OK(ck_kernel_set_attribute(plain, CK_KERNEL_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 0));
  }
  const struct {
    ck_kernel_attribute_t attribute;
    int value;
    const char *message;
  } cases[] = {
      {CK_KERNEL_REGISTERS, 10, "kernel 'tiles': attribute 4, registers, can't be set"},
      {CK_KERNEL_CLUSTER_SIZE_MUST_BE_SET, 1, "cluster_size_must_be_set, can't be set"},
      {(ck_kernel_attribute_t)99, 1, "attribute 99, which is unknown, can't be set"},
      {CK_KERNEL_PREFERRED_SHARED_CARVEOUT, 101, "101 is not in -1 to 100"},
      {CK_KERNEL_CLUSTER_SCHEDULING_POLICY, 3, "3 is not in 0 to 2"},
      {CK_KERNEL_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 2, "2 is not in 0 to 1"},
      {CK_KERNEL_MAX_DYNAMIC_SHARED_BYTES, most, "max_dynamic_shared_bytes: "},
      {CK_KERNEL_REQUIRED_CLUSTER_WIDTH, -1, "required_cluster_width: -1 is not in 0 to"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    CHECK_FAILS(ck_kernel_set_attribute(tiles, cases[i].attribute, cases[i].value),
                CK_INVALID_ARGUMENT);
    CHECK_ERROR(cases[i].message);
  }
}

static size_t bytes_of(int block_size)
{
  return 64 * (size_t)block_size;
}

TEST(occupancy)
{
  int blocks;
  uint32_t block, grid;
  size_t bytes;
  CHECK_OK(ck_kernel_get_occupancy(tiles, 256, 0, &blocks));
  CHECK(blocks >= 1);
  CHECK_OK(ck_kernel_get_best_block(tiles, 0, NULL, 0, &block, &grid));
  CHECK(block % 32 == 0 && block >= 128 && grid >= 1);
  CHECK_OK(ck_kernel_get_best_block(tiles, 0, NULL, 96, &block, NULL));
  CHECK(block >= 32 && block <= 96);
  CHECK_OK(ck_kernel_get_best_block(tiles, 0, bytes_of, 0, &block, &grid));
  CHECK(block >= 32);
  CHECK_OK(ck_kernel_get_available_shared(tiles, 1, 256, &bytes));
  CHECK(bytes >= 40000);
  CHECK_FAILS(ck_kernel_get_available_shared(tiles, 1, 0, &bytes), CK_DRIVER);
  CHECK(bytes == 0);
}

static const int block_sizes[] = {32, 64, 96, 120, 128, 256, 277, 0};
static const size_t shared_sizes[] = {0, 32, 4096};
enum { BLOCK_SIZES = 8, SHARED_SIZES = 3 };

/* Blocks that are resident on a multiprocessor fit into its resources. */
TEST(occupancy_max_active_block_per_multiprocessor)
{
  for (int i = 0; i < BLOCK_SIZES - 2; ++i)
    for (int k = 0; k < SHARED_SIZES; ++k) {
      int blocks = 0;
      CHECK_OK(ck_kernel_get_occupancy(tiles, (uint32_t)block_sizes[i], shared_sizes[k], &blocks));
      CHECK(blocks > 0);
      CHECK(blocks * block_sizes[i] <= of_device(CK_DEVICE_MAX_THREADS_PER_MULTIPROCESSOR));
      CHECK(blocks * (int)shared_sizes[k] <=
            of_device(CK_DEVICE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR));
      CHECK(get(tiles, CK_KERNEL_REGISTERS) * blocks <=
            of_device(CK_DEVICE_MAX_REGISTERS_PER_MULTIPROCESSOR));
    }
}

TEST(occupancy_max_potential_block_size_constant)
{
  uint32_t most = (uint32_t)of_device(CK_DEVICE_MAX_THREADS_PER_BLOCK);
  for (int i = 0; i < BLOCK_SIZES; ++i)
    for (int k = 0; k < SHARED_SIZES; ++k) {
      uint32_t block = 0, grid = 0, limit = (uint32_t)block_sizes[i];
      CHECK_OK(ck_kernel_get_best_block(tiles, shared_sizes[k], NULL, limit, &block, &grid));
      CHECK(grid > 0 && block > 0 && block <= (limit ? limit : most));
    }
}

/* Shared memory that depends on the block size. */
static size_t kibibyte_a_warp(int block_size)
{
  return 1024 * (size_t)(block_size / 32);
}

TEST(occupancy_max_potential_block_size_b2dsize)
{
  uint32_t most = (uint32_t)of_device(CK_DEVICE_MAX_THREADS_PER_BLOCK);
  for (int i = 0; i < BLOCK_SIZES; ++i) {
    uint32_t block = 0, grid = 0, limit = (uint32_t)block_sizes[i];
    CHECK_OK(ck_kernel_get_best_block(tiles, 0, kibibyte_a_warp, limit, &block, &grid));
    CHECK(grid > 0 && block > 0 && block <= (limit ? limit : most));
  }
}

TEST(occupancy_available_dynamic_shared_memory_per_block)
{
  static const uint32_t rows[][2] = {{4, 32}, {2, 64}, {2, 96}, {3, 120}, {2, 128}, {1, 256}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    size_t bytes = 0;
    bool fits = rows[i][0] <= (uint32_t)of_device(CK_DEVICE_MAX_BLOCKS_PER_MULTIPROCESSOR);
    CHECK_FAILS(ck_kernel_get_available_shared(tiles, rows[i][0], rows[i][1], &bytes),
                fits ? CK_OK : CK_DRIVER);
    if (!fits) continue;
    CHECK(bytes > 0 && bytes <= (size_t)of_device(CK_DEVICE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN));
    CHECK(rows[i][0] * bytes <= (size_t)of_device(CK_DEVICE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR));
  }
}

/* The number of parameters, and their positions in the driver. */
TEST(num_arguments)
{
  static const int counts[] = {0, 1, 2, 3, 16};
  static const struct {
    const char *type;
    size_t bytes;
  } types[] = {{"i32", 4}, {"i16", 2}};
  for (int t = 0; t < 2; ++t)
    for (size_t c = 0; c < sizeof counts / sizeof *counts; ++c) {
      char text[600];
      int len = sprintf(text, "kernel many(");
      for (int i = 0; i < counts[c]; ++i)
        len += sprintf(text + len, "%sp%d: %s", i ? ", " : "", i, types[t].type);
      sprintf(text + len, ") launch(block = 1, grid = 1) {}");
      ck_program_t *program = NULL;
      ck_object_code_t *own = NULL;
      ck_kernel_t *many = NULL;
      CHECK_OK(ck_program_create(text, strlen(text), NULL, &program));
      CHECK_OK(ck_program_compile(program, device, &own));
      CHECK_OK(ck_kernel_from_code(own, device, "many", &many));
      CHECK(many && ck_kernel_param_count(many) == (size_t)counts[c]);
      size_t offset, bytes;
      for (int i = 0; many && i < counts[c]; ++i) {
        CHECK_OK(ck_kernel_get_param_place(many, (size_t)i, &offset, &bytes));
        CHECK(offset == (size_t)i * types[t].bytes && bytes == types[t].bytes);
      }
      if (many)
        CHECK_FAILS(ck_kernel_get_param_place(many, (size_t)counts[c], &offset, &bytes),
                    CK_NOT_FOUND);
      ck_kernel_release(many);
      ck_object_code_release(own);
      ck_program_release(program);
    }
}

/* After cuda.core's saxpy.py: one source, an instance for each type, found by its name. */
TEST(saxpy_instances_by_name)
{
  enum { N = 128 };
  static const char text[] =
      "kernel saxpy<T: float = f32>(n: u64, a: T, x: in T[n], y: in T[n], z: out T[n])\n"
      "    launch(block = 64, grid = ceil_div(n, 64))\n"
      "{\n"
      "    let i = grid.thread_rank;\n"
      "    if (i < n) z[i] = a * x[i] + y[i];\n"
      "}\n";
  static const char *const instances[] = {"saxpy<f32>", "saxpy<f64>"};
  ck_compile_options_t options = CK_OPTIONS_INIT(ck_compile_options_t);
  ck_program_t *program = NULL;
  ck_object_code_t *own = NULL;
  ck_kernel_t *single = NULL, *twice = NULL, *none = NULL;
  float f[N];
  double d[N];
  for (int i = 0; i < N; ++i) f[i] = (float)(d[i] = 0.25 * i);
  options.instances = instances;
  options.instance_count = 2;
  CHECK_OK(ck_program_create(text, strlen(text), &options, &program));
  CHECK_OK(ck_program_compile(program, device, &own));
  CHECK_OK(ck_kernel_from_code(own, device, "saxpy<f32>", &single));
  CHECK_OK(ck_kernel_from_code(own, device, "saxpy<f64>", &twice));
  CHECK_FAILS(ck_kernel_from_code(own, device, "saxpy<f16>", &none), CK_NOT_FOUND);
  CHECK_ERROR("'saxpy<f32>', 'saxpy<f64>'");
  ck_buffer_t *x = zeros(sizeof d), *z = zeros(sizeof d);
  CHECK_OK(ck_buffer_write(x, 0, f, sizeof f, stream));
  CHECK_OK(ck_launch(stream, NULL, single, (uint64_t)N, 10.0f, x, x, z));
  CHECK_OK(ck_buffer_read(z, 0, f, sizeof f, stream));
  CHECK_OK(ck_buffer_write(x, 0, d, sizeof d, stream));
  CHECK_OK(ck_launch(stream, NULL, twice, (uint64_t)N, 42.0, x, x, z));
  CHECK_OK(ck_buffer_read(z, 0, d, sizeof d, stream));
  CHECK_OK(ck_stream_sync(stream));
  int wrong = 0;
  for (int i = 0; i < N; ++i) wrong += f[i] != 2.75f * (float)i || d[i] != 10.75 * i;
  CHECK(wrong == 0);
  CHECK_OK(ck_buffer_close(z, stream));
  ck_buffer_release(x);
  ck_buffer_release(z);
  ck_kernel_release(single);
  ck_kernel_release(twice);
  ck_object_code_release(own);
  ck_program_release(program);
}

/* A fatbin of several targets, from memory and from a file. Only GPUs load it. */
TEST(object_code_load_fatbin)
{
  char targets[64], path[] = "/tmp/ck-fatbin-XXXXXX", file[64];
  ck_compile_options_t options = CK_OPTIONS_INIT(ck_compile_options_t);
  ck_program_t *program = NULL;
  ck_object_code_t *codes[3] = {NULL, NULL, NULL};
  bool is_host = ck_device_is_host(device);
  const char *own = is_host ? "sm_90" : ck_device_target(device);
  snprintf(targets, sizeof targets, "%s,%s", strcmp(own, "sm_75") ? "sm_75" : "sm_80", own);
  options.target = targets;
  options.emit = CK_EMIT_FATBIN;
  CHECK_OK(ck_program_create(source, strlen(source), &options, &program));
  ck_status_t status = ck_program_compile(program, NULL, &codes[0]);
  ck_program_release(program);
  if (status == CK_UNAVAILABLE) CHECK_ERROR("is not found"); /* no linker for the cubins */
  else CHECK(status == CK_OK);
  if (!codes[0] || !CHECK(mkdtemp(path) != NULL)) return;
  size_t bytes, again_bytes;
  const void *data = ck_object_code_bytes(codes[0], &bytes);
  snprintf(file, sizeof file, "%s/code", path);
  CHECK_OK(ck_object_code_save(codes[0], file));
  CHECK_OK(ck_object_code_from_bytes(data, bytes, &codes[1]));
  CHECK_OK(ck_object_code_from_file(file, &codes[2]));
  CHECK(remove(file) == 0 && remove(path) == 0);
  for (int i = 0; i < 3 && codes[i]; ++i) {
    ck_kernel_t *loaded = NULL;
    const void *again = ck_object_code_bytes(codes[i], &again_bytes);
    CHECK(ck_object_code_form(codes[i]) == CK_EMIT_FATBIN);
    CHECK(again_bytes == bytes && !memcmp(again, data, bytes));
    CHECK_FAILS(ck_kernel_from_code(codes[i], device, "plain", &loaded),
                is_host ? CK_INVALID_ARGUMENT : CK_OK);
    ck_kernel_release(loaded);
  }
  for (int i = 0; i < 3; ++i) ck_object_code_release(codes[i]);
}

TEST(clusters)
{
  ck_launch_config_t config = CK_OPTIONS_INIT(ck_launch_config_t);
  uint32_t largest, active, wider;
  if (!of_device(CK_DEVICE_CLUSTER_LAUNCH)) {
    CHECK_FAILS(ck_kernel_get_largest_cluster(plain, NULL, &largest), CK_UNSUPPORTED);
    CHECK_ERROR("has no clusters");
    return;
  }
  CHECK_OK(ck_kernel_get_largest_cluster(plain, NULL, &largest));
  CHECK(largest == 8);
  CHECK_OK(ck_kernel_set_attribute(plain, CK_KERNEL_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1));
  CHECK_OK(ck_kernel_get_largest_cluster(plain, NULL, &wider));
  CHECK(wider >= largest);
  CHECK_OK(ck_kernel_set_attribute(plain, CK_KERNEL_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 0));
  config.cluster[0] = 4;
  CHECK_OK(ck_kernel_get_active_clusters(plain, &config, &active));
  CHECK(active >= 1);
  printf("clusters of %u at most, %u of 4 at a time\n", wider, active);
  CHECK_FAILS(ck_kernel_get_active_clusters(plain, NULL, &active), CK_INVALID_ARGUMENT);
  CHECK_ERROR("kernel 'plain': give a cluster");
  CHECK_FAILS(ck_kernel_get_active_clusters(tiles, &config, &active), CK_INVALID_ARGUMENT);
  CHECK_ERROR("kernel 'tiles': give a block");
  config.block[1] = 4;
  CHECK_FAILS(ck_kernel_get_active_clusters(tiles, &config, &active), CK_INVALID_ARGUMENT);
  CHECK_ERROR("kernel 'tiles': block.x is 0 in (0, 4, 0)");
  config.block[0] = 64;
  CHECK_OK(ck_kernel_get_active_clusters(tiles, &config, &active));
  config.block[0] = 0xffffffff;
  CHECK_FAILS(ck_kernel_get_active_clusters(tiles, &config, &active), CK_INVALID_ARGUMENT);
  CHECK_ERROR("kernel 'tiles': block.x is 4294967295, at most 1024 are taken");
}

/* Sizes whose sums and products are too large for their types. */
TEST(sizes_that_overflow)
{
  ck_launch_config_t config = CK_OPTIONS_INIT(ck_launch_config_t);
  uint32_t active;
  int blocks = 1;
  config.grid[0] = config.block[0] = 1;
  config.dynamic_shared_bytes = SIZE_MAX - 511;
  ck_buffer_t *x = zeros(400);
  CHECK_FAILS(ck_launch(stream, &config, tiles, 100, x), CK_INVALID_ARGUMENT);
  CHECK_ERROR("18446744073709551104 bytes of dynamic and ");
  ck_buffer_release(x);
  if (!ck_device_is_host(device)) return; /* up to the driver */
  CHECK_OK(ck_kernel_get_occupancy(tiles, 32, SIZE_MAX - 511, &blocks));
  CHECK(blocks == 0);
  config = (ck_launch_config_t)CK_OPTIONS_INIT(ck_launch_config_t);
  config.cluster[0] = config.cluster[1] = 1 << 16;
  CHECK_FAILS(ck_kernel_get_active_clusters(plain, &config, &active), CK_DRIVER);
}

/* The launch contract's shared memory exceeds what the driver allows without opting in. */
TEST(clusters_of_large_blocks)
{
  ck_launch_config_t config = CK_OPTIONS_INIT(ck_launch_config_t);
  ck_kernel_t *fixed = kernel("fixed_dynamic"), *by_argument = kernel("dynamic");
  uint32_t active;
  config.cluster[0] = 2;
  if (of_device(CK_DEVICE_CLUSTER_LAUNCH)) {
    CHECK_OK(ck_kernel_get_active_clusters(fixed, &config, &active));
    CHECK(active >= 1 && get(fixed, CK_KERNEL_MAX_DYNAMIC_SHARED_BYTES) >= 60000);
    CHECK_FAILS(ck_kernel_get_active_clusters(by_argument, &config, &active), CK_INVALID_ARGUMENT);
    CHECK_ERROR("which needs arguments: give dynamic_shared_bytes");
    config.dynamic_shared_bytes = 60000;
    CHECK_OK(ck_kernel_get_active_clusters(by_argument, &config, &active));
    config.dynamic_shared_bytes = SIZE_MAX;
    CHECK_FAILS(ck_kernel_get_active_clusters(by_argument, &config, &active), CK_INVALID_ARGUMENT);
    CHECK_ERROR("bytes of dynamic and ");
  }
  ck_kernel_release(fixed);
  ck_kernel_release(by_argument);
}

/* A checked build reports it on the host device, where the store would crash. */
TEST(memory_that_may_not_be_written)
{
  static const char text[] =
      "kernel put(x: inout u32[1]) launch(block = 1, grid = 1) { x[0] = 1; }";
  ck_compile_options_t checked = CK_OPTIONS_INIT(ck_compile_options_t);
  ck_virtual_options_t options = CK_OPTIONS_INIT(ck_virtual_options_t);
  ck_memory_resource_t *resource;
  ck_object_code_t *object;
  ck_program_t *program;
  ck_buffer_t *buffer;
  ck_kernel_t *put;
  if (!ck_device_is_host(device)) return;
  checked.flags = CK_COMPILE_CHECK;
  options.access = CK_PERMIT_READ;
  CHECK_OK(ck_program_create(text, strlen(text), &checked, &program));
  CHECK_OK(ck_program_compile(program, device, &object));
  CHECK_OK(ck_kernel_from_code(object, device, "put", &put));
  CHECK_OK(ck_memory_resource_create_virtual(device, &options, &resource));
  CHECK_OK(ck_memory_resource_create_buffer(resource, 4, stream, &buffer));
  CHECK_OK(ck_launch(stream, NULL, put, buffer));
  CHECK_FAILS(ck_stream_sync(stream), CK_KERNEL_FAULT);
  CHECK_ERROR("'x[0]' writes 'x' in virtual memory that may not be written");
  has_fault = true;
  ck_kernel_release(put);
  ck_buffer_release(buffer);
  ck_memory_resource_release(resource);
  ck_object_code_release(object);
  ck_program_release(program);
}

int main(void)
{
  int missing = open_both(source);
  if (missing) return missing;
  plain = kernel("plain");
  tiles = kernel("tiles");
  RUN(all_attributes);
  RUN(settings);
  RUN(occupancy);
  RUN(occupancy_max_active_block_per_multiprocessor);
  RUN(occupancy_max_potential_block_size_constant);
  RUN(occupancy_max_potential_block_size_b2dsize);
  RUN(occupancy_available_dynamic_shared_memory_per_block);
  RUN(num_arguments);
  RUN(saxpy_instances_by_name);
  RUN(object_code_load_fatbin);
  RUN(clusters);
  RUN(clusters_of_large_blocks);
  RUN(sizes_that_overflow);
  RUN(memory_that_may_not_be_written); /* last, since the context keeps the error */
  ck_kernel_release(plain);
  ck_kernel_release(tiles);
  return close_both();
}
