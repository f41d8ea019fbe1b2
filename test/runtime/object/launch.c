/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* launch.c - tests what a launch accepts and refuses, and its messages. */
#define _GNU_SOURCE /* memmem */
#include "fixture.h"

static Bench bench;

TEST(kernels_and_parameters)
{
  ck_kernel_t *kernel;
  ck_param_t param;
  int value;
  CHECK_STATUS(ck_kernel_from_code(bench.code, bench.device, "sax", &kernel), CK_NOT_FOUND);
  CHECK(kernel == NULL);
  CHECK_ERROR("there is no kernel 'sax' in 'kernel.ck': it has 'empty', 'saxpy', 'fill2d'");
  CHECK_OK(ck_kernel_from_code(bench.code, bench.device, "generic<f32,2>", &kernel));
  CHECK(!strcmp(ck_kernel_name(kernel), "generic<f32, 2>"));
  ck_kernel_release(kernel);
  kernel = bench_kernel(&bench, "saxpy");
  CHECK(ck_kernel_param_count(kernel) == 5 && ck_kernel_has_manifest(kernel));
  CHECK_OK(ck_kernel_get_param(kernel, 4, &param));
  CHECK(!strcmp(param.name, "z") && param.kind == CK_PARAM_SPAN && param.dtype == CK_F32 &&
        param.access == CK_ACCESS_OUT && param.extent_count == 1 && !strcmp(param.extents[0], "n"));
  CHECK_STATUS(ck_kernel_get_param(kernel, 5, &param), CK_INVALID_ARGUMENT);
  CHECK_OK(ck_kernel_get_attribute(kernel, CK_KERNEL_MAX_THREADS_PER_BLOCK, &value));
  CHECK(value == 1024);
  CHECK_OK(ck_kernel_get_occupancy(kernel, 256, 0, &value));
  CHECK(value == 1);
  ck_kernel_release(kernel);
}

TEST(every_scalar_type)
{
  ck_kernel_t *kernel = bench_kernel(&bench, "scalars");
  ck_buffer_t *out = bench_buffer(&bench, 64);
  uint8_t got[64];
  CHECK_OK(ck_launch(bench.stream, NULL, kernel, (_Bool)1, (signed char)-2, (short)-3, -4, -5L,
                     (unsigned char)6, (unsigned short)7, 8u, 9ul, ck_f16(0x3c00), ck_bf16(0x3f80),
                     1.5f, -2.5, out));
  CHECK_OK(ck_buffer_read(out, 0, got, sizeof got, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  struct __attribute__((packed)) {
    uint8_t b;
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64;
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    uint16_t h, bh;
    float f;
    double d;
  } want = {1, -2, -3, -4, -5, 6, 7, 8, 9, 0x3c00, 0x3f80, 1.5f, -2.5};
  CHECK(!memcmp(got, &want, sizeof want));
  /* Integers are accepted where their value fits, and f32 for f64. */
  CHECK_OK(ck_launch(bench.stream, NULL, kernel, 1, 127, -32768, 4294967295u >> 1, -5, 255, 65535,
                     (long)4294967295, 9, ck_f16(0x3c00), ck_bf16(0x3f80), 1.5f, -2.5f, out));
  CHECK_OK(ck_buffer_read(out, 0, got, sizeof got, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  want.i8 = 127, want.i16 = -32768, want.i32 = 2147483647, want.u8 = 255, want.u16 = 65535;
  want.u32 = 4294967295;
  CHECK(!memcmp(got, &want, sizeof want));
  ck_kernel_release(kernel);
  ck_buffer_release(out);
}

/* Replaces one argument of `scalars` by one that does not fit. */
TEST(scalars_that_do_not_fit)
{
  ck_kernel_t *kernel = bench_kernel(&bench, "scalars");
  ck_buffer_t *out = bench_buffer(&bench, 64);
  const ck_arg_t good[] = {ck_arg(1),  ck_arg(1),   ck_arg(1),   ck_arg(1),  ck_arg(1),
                           ck_arg(1),  ck_arg(1),   ck_arg(1),   ck_arg(1),  ck_f16(1),
                           ck_bf16(1), ck_arg(1.f), ck_arg(1.0), ck_arg(out)};
  const struct {
    int index;
    ck_arg_t arg;
    const char *message;
  } cases[] = {
      {0, ck_arg(2), "argument 1 'b': expected bool, got i32 2"},
      {1, ck_arg(128), "argument 2 'i8': expected i8, got i32 128"},
      {1, ck_arg(-129), "argument 2 'i8': expected i8, got i32 -129"},
      {4, ck_u64(UINT64_MAX), "argument 5 'i64': expected i64, got u64 18446744073709551615"},
      {5, ck_arg(-1), "argument 6 'u8': expected u8, got i32 -1"},
      {7, ck_i64(4294967296), "argument 8 'u32': expected u32, got i64 4294967296"},
      {8, ck_arg(-1), "argument 9 'u64': expected u64, got i32 -1"},
      {8, ck_arg(1.0f), "argument 9 'u64': expected u64, got f32 1"},
      {9, ck_arg(1), "argument 10 'h': expected f16, got i32 1"},
      {11, ck_arg(0.1), "argument 12 'f': expected f32, got f64 0.1"},
      {11, ck_arg(1), "argument 12 'f': expected f32, got i32 1"},
      {3, ck_arg(out), "argument 4 'i32': expected i32, got a buffer of 64 bytes"},
      {13, ck_arg(1), "argument 14 'out': expected a span of u8, got i32 1"},
      {13, ck_whole(NULL), "argument 14 'out': the buffer is NULL"},
  };
  for (size_t i = 0; i < COUNT_OF(cases); ++i) {
    ck_arg_t args[COUNT_OF(good)];
    memcpy(args, good, sizeof good);
    args[cases[i].index] = cases[i].arg;
    CHECK_STATUS(ck_launch_args(bench.stream, NULL, kernel, args, COUNT_OF(args)),
                 CK_INVALID_ARGUMENT);
    CHECK_ERROR(cases[i].message);
  }
  CHECK_OK(ck_launch_args(bench.stream, NULL, kernel, good, COUNT_OF(good)));
  ck_kernel_release(kernel);
  ck_buffer_release(out);
}

TEST(counts_and_extents)
{
  ck_kernel_t *saxpy = bench_kernel(&bench, "saxpy"), *sum = bench_kernel(&bench, "block_sum");
  ck_buffer_t *x = bench_buffer(&bench, 400), *z = bench_buffer(&bench, 400);
  CHECK_STATUS(ck_launch(bench.stream, NULL, saxpy, 100, 1.0f, x, x), CK_INVALID_ARGUMENT);
  CHECK_ERROR("kernel 'saxpy' takes 5 arguments (n, a, x, y, z), got 4");
  CHECK_STATUS(ck_launch(bench.stream, NULL, saxpy, 101, 1.0f, x, x, z), CK_INVALID_ARGUMENT);
  CHECK_ERROR("kernel 'saxpy', argument 3 'x': expected 101 elements of f32 (404 bytes; n = 101), "
              "got a buffer of 400 bytes (400 bytes)");
  CHECK_STATUS(ck_launch(bench.stream, NULL, saxpy, 50, 1.0f, x, ck_span(x, 60, 40), z),
               CK_INVALID_ARGUMENT);
  CHECK_ERROR("argument 4 'y': expected 50 elements of f32 (200 bytes; n = 50), got a span of 40 "
              "elements from element 60 (160 bytes)");
  CHECK_STATUS(ck_launch(bench.stream, NULL, saxpy, 50, 1.0f, x, ck_span(x, 60, 50), z),
               CK_INVALID_ARGUMENT);
  CHECK_ERROR("argument 4 'y': a span of 50 elements from element 60 of 4 bytes, the buffer has "
              "400 bytes");
  CHECK_STATUS(ck_launch(bench.stream, NULL, saxpy, 50, 1.0f, x, ck_span(x, UINT64_MAX, 2), z),
               CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_launch(bench.stream, NULL, saxpy, UINT64_MAX, 1.0f, x, x, z),
               CK_INVALID_ARGUMENT);
  CHECK_ERROR("kernel 'saxpy': an extent, 'n', overflows");
  CHECK_STATUS(ck_launch(bench.stream, NULL, saxpy, INT64_MAX, 1.0f, x, x, z), CK_INVALID_ARGUMENT);
  CHECK_ERROR("too large extents: n = 9223372036854775807");
  CHECK_STATUS(
      ck_launch(bench.stream, NULL, saxpy, 4, 1.0f, x, ck_address(ck_buffer_native(x) + 2), z),
      CK_INVALID_ARGUMENT);
  CHECK_ERROR("is not a multiple of 4");
  CHECK_OK(ck_launch(bench.stream, NULL, saxpy, 100, 1.0f, ck_address(ck_buffer_native(x)), x, z));
  CHECK_OK(ck_launch(bench.stream, NULL, saxpy, 0, 1.0f, x, x, z)); /* an empty grid */

  ck_buffer_t *odd = bench_buffer(&bench, 30);
  CHECK_STATUS(ck_launch(bench.stream, NULL, sum, odd, z), CK_INVALID_ARGUMENT);
  CHECK_ERROR("argument 1 'x': 30 bytes are no whole number of f32 elements: use ck_span");
  CHECK_STATUS(ck_launch(bench.stream, NULL, sum, ck_address(ck_buffer_native(x)), z),
               CK_INVALID_ARGUMENT);
  CHECK_ERROR("use ck_address_span");
  CHECK_OK(ck_stream_sync(bench.stream));
  ck_kernel_release(saxpy);
  ck_kernel_release(sum);
  ck_buffer_release(x);
  ck_buffer_release(z);
  ck_buffer_release(odd);
}

/* A value that its declared type can't hold: extents would be computed from another number. */
TEST(a_number_that_its_type_does_not_hold)
{
  ck_kernel_t *fill = bench_kernel(&bench, "fill2d");
  ck_buffer_t *out = bench_buffer(&bench, 16);
  ck_arg_t h = ck_arg_unsigned((1ull << 32) + 2, CK_U32);
  CHECK_STATUS(ck_launch(bench.stream, NULL, fill, h, 2u, out), CK_INVALID_ARGUMENT);
  CHECK_ERROR("argument 1 'h': expected u32, got u32 4294967298");
  CHECK_OK(ck_launch(bench.stream, NULL, fill, ck_arg_unsigned(2, CK_U32), 2u, out));
  CHECK_OK(ck_stream_sync(bench.stream));
  ck_kernel_release(fill);
  ck_buffer_release(out);
}

TEST(overlap)
{
  ck_kernel_t *saxpy = bench_kernel(&bench, "saxpy");
  ck_buffer_t *x = bench_buffer(&bench, 400);
  ck_launch_config_t unchecked = CK_OPTIONS_INIT(ck_launch_config_t);
  unchecked.flags = CK_LAUNCH_UNCHECKED;
  CHECK_STATUS(ck_launch(bench.stream, NULL, saxpy, 60, 1.0f, x, x, ck_span(x, 40, 60)),
               CK_INVALID_ARGUMENT);
  CHECK_ERROR("argument 5 'z': it is written, and overlaps argument 3 'x'");
  CHECK_OK(ck_launch(bench.stream, &unchecked, saxpy, 60, 1.0f, x, x, ck_span(x, 40, 60)));
  CHECK_OK(ck_launch(bench.stream, NULL, saxpy, 50, 1.0f, x, x, ck_span(x, 50, 50)));
  CHECK_OK(ck_stream_sync(bench.stream));
  ck_kernel_release(saxpy);
  ck_buffer_release(x);
}

TEST(contract)
{
  ck_kernel_t *saxpy = bench_kernel(&bench, "saxpy"), *early = bench_kernel(&bench, "early_exit");
  ck_buffer_t *x = bench_buffer(&bench, 400), *z = bench_buffer(&bench, 400);
  ck_launch_config_t config = CK_OPTIONS_INIT(ck_launch_config_t);
  config.block[0] = 128;
  CHECK_STATUS(ck_launch(bench.stream, &config, saxpy, 100, 1.0f, x, x, z), CK_INVALID_ARGUMENT);
  CHECK_ERROR("kernel 'saxpy': it was compiled for a block of (256, 1, 1), got (128, 1, 1)");
  config.block[0] = 256;
  config.grid[0] = 7;
  CHECK_OK(ck_launch(bench.stream, &config, saxpy, 100, 1.0f, x, x, z));
  config.grid[1] = 70000;
  CHECK_STATUS(ck_launch(bench.stream, &config, saxpy, 100, 1.0f, x, x, z), CK_INVALID_ARGUMENT);
  CHECK_ERROR("kernel 'saxpy': grid.y is 70000, 'host device' takes at most 65535");
  config.grid[1] = 0;
  config.cluster[0] = 2;
  CHECK_STATUS(ck_launch(bench.stream, &config, saxpy, 100, 1.0f, x, x, z), CK_INVALID_ARGUMENT);
  CHECK_ERROR("kernel 'saxpy': grid.x is 7, no multiple of the cluster's 2");
  config.grid[0] = 16;
  CHECK_OK(ck_launch(bench.stream, &config, saxpy, 100, 1.0f, x, x, z));
  bench.device->limits.has_clusters = false;
  CHECK_STATUS(ck_launch(bench.stream, &config, saxpy, 100, 1.0f, x, x, z), CK_UNSUPPORTED);
  CHECK_ERROR("kernel 'saxpy': 'host device' (host) has no clusters");
  bench.device->limits.has_clusters = true;
  config.cluster[0] = 0;
  config.flags = CK_LAUNCH_COOPERATIVE;
  CHECK_OK(ck_launch(bench.stream, &config, saxpy, 100, 1.0f, x, x, z));
  config.flags = 1u << 20;
  CHECK_STATUS(ck_launch(bench.stream, &config, saxpy, 100, 1.0f, x, x, z), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_launch(bench.stream, NULL, early, x), CK_INVALID_ARGUMENT);
  CHECK_ERROR("kernel 'early_exit' has no grid in its launch contract: give one");
  CHECK_STATUS(ck_launch(bench.stream, NULL, (ck_kernel_t *)NULL), CK_INVALID_ARGUMENT);
  CHECK_OK(ck_stream_sync(bench.stream));
  ck_kernel_release(saxpy);
  ck_kernel_release(early);
  ck_buffer_release(x);
  ck_buffer_release(z);
}

/* A shape with y or z but no x is an error, and not "not given". */
TEST(shapes_without_x)
{
  ck_kernel_t *saxpy = bench_kernel(&bench, "saxpy");
  ck_buffer_t *x = bench_buffer(&bench, 400), *z = bench_buffer(&bench, 400);
  static const char *const names[] = {"grid", "block", "cluster"};
  ck_launch_config_t config = CK_OPTIONS_INIT(ck_launch_config_t);
  uint32_t *const shapes[] = {config.grid, config.block, config.cluster};
  for (size_t i = 0; i < COUNT_OF(shapes); ++i) {
    for (int axis = 1; axis < 3; ++axis) {
      char message[64];
      snprintf(message, sizeof message, "kernel 'saxpy': %s.x is 0 in (0, %d, %d)", names[i],
               axis == 1, axis == 2);
      shapes[i][axis] = 1;
      CHECK_STATUS(ck_launch(bench.stream, &config, saxpy, 100, 1.0f, x, x, z),
                   CK_INVALID_ARGUMENT);
      CHECK_ERROR(message);
      shapes[i][axis] = 0;
    }
  }
  CHECK_OK(ck_launch(bench.stream, &config, saxpy, 100, 1.0f, x, x, z));
  CHECK_OK(ck_stream_sync(bench.stream));
  ck_kernel_release(saxpy);
  ck_buffer_release(x);
  ck_buffer_release(z);
}

/* Messages name what the device lacks. */
TEST(attributes_without_support)
{
  ck_kernel_t *saxpy = bench_kernel(&bench, "saxpy");
  ck_buffer_t *x = bench_buffer(&bench, 400), *z = bench_buffer(&bench, 400);
  ck_event_t *event;
  CHECK_OK(ck_event_create(bench.device, NULL, &event));
  const struct {
    ck_launch_attribute_t attribute;
    const char *message;
  } cases[] = {
      {ck_with_cluster_policy(CK_CLUSTER_SPREAD),
       "kernel 'saxpy': cluster scheduling policy: 'host device' (host) has none"},
      {ck_with_preferred_cluster(2, 1, 1), "preferred cluster: 'host device' (host) has none"},
      {ck_with_programmatic_event(event, 0), "programmatic event: 'host device' (host) has none"},
      {ck_with_device_node(NULL), "device-updatable node: 'host device' (host) has none"},
  };
  ck_launch_config_t config = CK_OPTIONS_INIT(ck_launch_config_t);
  bench.device->limits.has_clusters = false;
  config.attribute_count = 1;
  for (size_t i = 0; i < COUNT_OF(cases); ++i) {
    config.attributes = &cases[i].attribute;
    CHECK_STATUS(ck_launch(bench.stream, &config, saxpy, 100, 1.0f, x, x, z), CK_UNSUPPORTED);
    CHECK_ERROR(cases[i].message);
  }
  config.attribute_count = 0;
  config.flags = CK_LAUNCH_PROGRAMMATIC;
  CHECK_STATUS(ck_launch(bench.stream, &config, saxpy, 100, 1.0f, x, x, z), CK_UNSUPPORTED);
  CHECK_ERROR("kernel 'saxpy': 'host device' (host) has no programmatic launches");
  bench.device->limits.has_clusters = true;
  ck_event_release(event);
  ck_kernel_release(saxpy);
  ck_buffer_release(x);
  ck_buffer_release(z);
}

/* Clusters of more than 8 blocks need a kernel that allows them, since not every device has them.
 */
TEST(large_clusters)
{
  ck_kernel_t *saxpy = bench_kernel(&bench, "saxpy");
  ck_buffer_t *x = bench_buffer(&bench, 400), *z = bench_buffer(&bench, 400);
  ck_launch_config_t config = CK_OPTIONS_INIT(ck_launch_config_t);
  int value;
  config.grid[0] = 64;
  config.cluster[0] = 16;
  CHECK_STATUS(ck_launch(bench.stream, &config, saxpy, 100, 1.0f, x, x, z), CK_DRIVER);
  CHECK_ERROR("CUDA_ERROR_INVALID_CLUSTER_SIZE");
  CHECK_OK(ck_kernel_set_attribute(saxpy, CK_KERNEL_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1));
  CHECK_OK(ck_kernel_get_attribute(saxpy, CK_KERNEL_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, &value));
  CHECK(value == 1);
  CHECK_STATUS(ck_kernel_get_attribute(saxpy, (ck_kernel_attribute_t)99, &value),
               CK_INVALID_ARGUMENT);
  CHECK_ERROR("does not know attribute 99 of kernels");
  CHECK_OK(ck_launch(bench.stream, &config, saxpy, 100, 1.0f, x, x, z));
  config.cluster[0] = 32;
  CHECK_STATUS(ck_launch(bench.stream, &config, saxpy, 100, 1.0f, x, x, z), CK_DRIVER);
  CHECK_OK(ck_kernel_set_attribute(saxpy, CK_KERNEL_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 0));
  CHECK_OK(ck_stream_sync(bench.stream));
  ck_kernel_release(saxpy);
  ck_buffer_release(x);
  ck_buffer_release(z);
}

/* The default stream, by NULL and by object. */
TEST(default_stream)
{
  ck_kernel_t *kernel = bench_kernel(&bench, "last_byte");
  ck_buffer_t *x = bench_buffer(&bench, 8);
  ck_stream_t *standard;
  uint8_t got[8] = {0};
  CHECK_OK(ck_stream_open_default(bench.device, &standard));
  CHECK_OK(ck_launch(NULL, NULL, kernel, 8, x));
  CHECK_OK(ck_launch(standard, NULL, kernel, 7, x));
  CHECK_OK(ck_buffer_read(x, 0, got, sizeof got, NULL));
  CHECK_OK(ck_stream_sync(standard));
  CHECK(got[6] == 42 && got[7] == 42);
  ck_stream_release(standard);
  ck_kernel_release(kernel);
  ck_buffer_release(x);
}

/* Code is released while its kernel is queued in one stream, by a caller for whom that stream
 * waits. */
TEST(code_goes_while_a_stream_waits)
{
  ck_object_code_t *code;
  ck_kernel_t *kernel;
  float x = 2, one = 1;
  uint32_t zero = 0, open = 1;
  ck_buffer_t *flag = bench_buffer(&bench, 4), *in = bench_buffer(&bench, 4),
              *out = bench_buffer(&bench, 4);
  ck_cache_clear();
  CHECK_OK(compile_stub("given back", bench.device, &code));
  CHECK_OK(ck_kernel_from_code(code, bench.device, "saxpy", &kernel));
  CHECK_OK(ck_buffer_write(in, 0, &x, 4, bench.stream));
  CHECK_OK(ck_buffer_write(flag, 0, &zero, 4, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream)); /* before another stream opens the gate */
  CHECK_OK(ck_stream_wait_value(bench.stream, flag, 0, open, 4, CK_WAIT_EQUAL));
  CHECK_OK(ck_launch(bench.stream, NULL, kernel, 1, one, in, in, out));
  ck_cache_clear();
  ck_kernel_release(kernel);
  ck_object_code_release(code);
  ck_stream_t *other;
  CHECK_OK(ck_stream_create(bench.device, NULL, &other));
  CHECK_OK(ck_stream_write_value(other, flag, 0, open, 4));
  CHECK_OK(ck_buffer_read(out, 0, &x, 4, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK(x == 4);
  ck_stream_release(other);
  ck_buffer_release(flag);
  ck_buffer_release(in);
  ck_buffer_release(out);
}

static uint32_t blocks_of_resident(ck_kernel_t *kernel, ck_stream_t *stream, ck_buffer_t *count)
{
  uint32_t blocks = 0;
  CHECK_OK(ck_buffer_write(count, 0, &blocks, sizeof blocks, stream));
  CHECK_OK(ck_launch(stream, NULL, kernel, count));
  CHECK_OK(ck_buffer_read(count, 0, &blocks, sizeof blocks, stream));
  CHECK_OK(ck_stream_sync(stream));
  return blocks;
}

/* Streams of a green context use its part of the multiprocessors, whoever asked first. */
TEST(resident_in_a_green_context)
{
  ck_sm_resource_t all, group;
  ck_context_t *green;
  ck_stream_t *stream;
  size_t count = 1;
  CHECK_OK(ck_device_get_sm_resource(bench.device, &all));
  CHECK_OK(ck_sm_resource_split(bench.device, &all, 2, 0, &group, &count, NULL));
  CHECK_OK(ck_context_create_green(bench.device, &group, 1, NULL, &green));
  CHECK_OK(ck_context_create_stream(green, NULL, &stream));
  ck_kernel_t *kernel = bench_kernel(&bench, "resident");
  ck_buffer_t *buffer = bench_buffer(&bench, 4);
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK(blocks_of_resident(kernel, stream, buffer) == group.sm_count);
  CHECK(blocks_of_resident(kernel, bench.stream, buffer) == all.sm_count);
  CHECK(blocks_of_resident(kernel, stream, buffer) == group.sm_count);
  CHECK(group.sm_count < all.sm_count);
  ck_buffer_release(buffer);
  ck_kernel_release(kernel);
  ck_stream_release(stream);
  ck_context_release(green);
}

static CUresult four_hundred(CUkernel native, size_t index, size_t *out_offset, size_t *out_bytes)
{
  (void)native;
  *out_offset = 8 * index;
  *out_bytes = 8;
  return index < 400 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* Also for a kernel without a manifest: the driver knows the number of its parameters. */
TEST(too_many_parameters_for_any_kernel)
{
  static Driver driver;
  static ck_arg_t many[400];
  ck_device_t *device;
  ck_kernel_t *kernel = bench_kernel(&bench, "empty"), *raw;
  driver = *driver_host();
  driver.cuKernelGetParamInfo = NULL;
  CHECK_OK(device_open(&driver, 0, &device));
  CHECK_OK(ck_kernel_from_native(device, ck_kernel_native(kernel), NULL, &raw));
  CHECK_STATUS(ck_launch_args(NULL, NULL, raw, many, MAX_PARAMS + 1), CK_INVALID_ARGUMENT);
  CHECK_ERROR("257 arguments, a launch takes at most 256");
  ck_kernel_release(raw);
  driver.cuKernelGetParamInfo = four_hundred;
  driver.cuKernelGetParamCount = NULL; /* a driver before CUDA 13.2 */
  CHECK_OK(ck_kernel_from_native(device, ck_kernel_native(kernel), NULL, &raw));
  CHECK_STATUS(ck_launch_args(NULL, NULL, raw, many, MAX_PARAMS), CK_INVALID_ARGUMENT);
  CHECK_ERROR("takes 400 arguments, got 256");
  CHECK_STATUS(ck_launch_args(NULL, NULL, raw, many, 400), CK_INVALID_ARGUMENT);
  CHECK_ERROR("400 arguments, a launch takes at most 256");
  ck_kernel_release(raw);
  ck_kernel_release(kernel);
  ck_device_release(device);
}

/* Settings through one object of a kernel apply to its other objects. */
TEST(two_objects_of_a_kernel)
{
  ck_kernel_t *one = bench_kernel(&bench, "dynamic_sum"),
              *two = bench_kernel(&bench, "dynamic_sum");
  ck_buffer_t *out = bench_buffer(&bench, 4);
  CHECK_OK(ck_launch(bench.stream, NULL, one, 15000, out));
  CHECK_OK(ck_kernel_set_attribute(two, CK_KERNEL_MAX_DYNAMIC_SHARED_BYTES, 1024));
  CHECK_OK(ck_launch(bench.stream, NULL, one, 15000, out));
  CHECK_OK(ck_stream_sync(bench.stream));
  ck_kernel_release(one);
  ck_kernel_release(two);
  ck_buffer_release(out);
}

/* A span with elements can't be at address 0; an empty one can. */
TEST(elements_at_address_0)
{
  ck_kernel_t *saxpy = bench_kernel(&bench, "saxpy"), *sum = bench_kernel(&bench, "block_sum");
  ck_buffer_t *x = bench_buffer(&bench, 400), *z = bench_buffer(&bench, 400);
  ck_arg_t nowhere = ck_address(0);
  for (int i = 0; i < 3; ++i) {
    ck_arg_t at[] = {ck_arg(x), ck_arg(x), ck_arg(z)};
    char text[64];
    at[i] = nowhere;
    snprintf(text, sizeof text, "argument %d '%c': the address is 0", i + 3, "xyz"[i]);
    CHECK_STATUS(ck_launch(bench.stream, NULL, saxpy, 1, 1.0f, at[0], at[1], at[2]),
                 CK_INVALID_ARGUMENT);
    CHECK_ERROR(text);
    CHECK_ERROR("and the span has 1 element of f32");
  }
  CHECK_OK(ck_launch(bench.stream, NULL, saxpy, 0, 1.0f, nowhere, nowhere, nowhere));
  CHECK_STATUS(ck_launch(bench.stream, NULL, sum, ck_address_span(0, 64), z), CK_INVALID_ARGUMENT);
  CHECK_ERROR("argument 1 'x': the address is 0, and the span has 64 elements of f32");
  CHECK_OK(ck_launch(bench.stream, NULL, sum, ck_address_span(0, 0), z));
  CHECK_OK(ck_stream_sync(bench.stream));
  ck_kernel_release(saxpy);
  ck_kernel_release(sum);
  ck_buffer_release(x);
  ck_buffer_release(z);
}

/* A pointer is a u64 in the manifest and accepts an address; a number does not. */
TEST(an_address_for_a_pointer)
{
  uint8_t out[64];
  uint64_t value;
  ck_kernel_t *scalars = bench_kernel(&bench, "scalars"), *add = bench_kernel(&bench, "last_byte");
  ck_buffer_t *buffer = bench_buffer(&bench, 64);
  CHECK_OK(ck_launch(bench.stream, NULL, scalars, true, 1, 2, 3, 4, 5u, 6u, 7u,
                     ck_address(0x123456789abcdef0), ck_f16(0), ck_bf16(0), 1.0f, 2.0, buffer));
  CHECK_OK(ck_buffer_read(buffer, 0, out, sizeof out, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  value = 0x123456789abcdef0;
  CHECK(memmem(out, sizeof out, &value, sizeof value));
  CHECK_STATUS(ck_launch(bench.stream, NULL, scalars, true, 1, 2, 3, ck_address(4), 5u, 6u, 7u, 8u,
                         ck_f16(0), ck_bf16(0), 1.0f, 2.0, buffer),
               CK_INVALID_ARGUMENT);
  CHECK_ERROR("argument 5 'i64': expected i64, got the address 0x4");
  CHECK_STATUS(ck_launch(bench.stream, NULL, add, ck_address(64), buffer), CK_INVALID_ARGUMENT);
  ck_kernel_release(scalars);
  ck_kernel_release(add);
  ck_buffer_release(buffer);
}

int main(void)
{
  setenv("CK_HOST_THREADS", "8", 0); /* multiprocessors to split */
  use_private_cache();
  bench_open(&bench);
  run_all();
  bench_close(&bench);
  ck_cache_clear();
  CHECK(atomic_load(&host_live_objects) == 0);
  return tests_report();
}
