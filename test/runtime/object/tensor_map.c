/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* tensor_map.c - tests the creation of tensor maps, on the device that $CK_DEVICE names: all
 * options are accepted, and each broken rule of the driver's gets a message that names it. With
 * cuda.core's test_tensor_map.py in C. */
#include "fixture.h"

static Bench bench;
static ck_buffer_t *buffer;

enum { BYTES = 1 << 20 };

static ck_view_t view_of(ck_dtype_t dtype, uint32_t rank, const int64_t *extents)
{
  ck_view_t view;
  CHECK_OK(ck_view_from_buffer(buffer, 0, dtype, 1, rank, extents, NULL, &view));
  return view;
}

static ck_tensor_map_options_t box_of(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t e)
{
  ck_tensor_map_options_t options = CK_OPTIONS_INIT(ck_tensor_map_options_t);
  const uint32_t box[] = {a, b, c, d, e};
  memcpy(options.box, box, sizeof box);
  return options;
}

static ck_tensor_map_t *make(const ck_view_t *view, const ck_tensor_map_options_t *options)
{
  ck_tensor_map_t *map = NULL;
  CHECK_OK(ck_tensor_map_from_view(view, options, &map));
  return map;
}

static void try_box(const ck_view_t *view, const ck_tensor_map_options_t *options, size_t bytes)
{
  ck_tensor_map_t *map = make(view, options);
  if (map) CHECK(ck_tensor_map_box_bytes(map) == bytes && ck_tensor_map_rank(map) == view->rank);
  ck_tensor_map_release(map);
}

TEST(ranks)
{
  const int64_t extents[] = {3, 4, 5, 6, 64};
  const uint32_t boxes[] = {1, 2, 3, 4, 16};
  size_t bytes = 4;
  for (uint32_t rank = 1; rank <= 5; ++rank) {
    ck_view_t view = view_of(CK_F32, rank, extents + 5 - rank);
    ck_tensor_map_options_t options = box_of(0, 0, 0, 0, 0);
    memcpy(options.box, boxes + 5 - rank, rank * sizeof *boxes);
    bytes *= boxes[5 - rank];
    try_box(&view, &options, bytes);
  }
}

TEST(types)
{
  static const struct {
    ck_dtype_t dtype;
    ck_tensor_type_t type, made;
  } rows[] = {{CK_U8, 0, CK_TENSOR_U8},
              {CK_I8, 0, CK_TENSOR_U8},
              {CK_U16, 0, CK_TENSOR_U16},
              {CK_I16, 0, CK_TENSOR_U16},
              {CK_U32, 0, CK_TENSOR_U32},
              {CK_I32, 0, CK_TENSOR_I32},
              {CK_U64, 0, CK_TENSOR_U64},
              {CK_I64, 0, CK_TENSOR_I64},
              {CK_F16, 0, CK_TENSOR_F16},
              {CK_F32, 0, CK_TENSOR_F32},
              {CK_F64, 0, CK_TENSOR_F64},
              {CK_BF16, 0, CK_TENSOR_BF16},
              {CK_F32, CK_TENSOR_F32_FTZ, CK_TENSOR_F32_FTZ},
              {CK_F32, CK_TENSOR_TF32, CK_TENSOR_TF32},
              {CK_F32, CK_TENSOR_TF32_FTZ, CK_TENSOR_TF32_FTZ},
              {CK_I32, CK_TENSOR_F32, CK_TENSOR_F32}};
  for (size_t i = 0; i < COUNT_OF(rows); ++i) {
    ck_view_t view = view_of(rows[i].dtype, 2, (int64_t[]){8, 64});
    ck_tensor_map_options_t options = box_of(4, 16, 0, 0, 0);
    options.type = rows[i].type;
    ck_tensor_map_t *map = make(&view, &options);
    if (map) CHECK(ck_tensor_map_type(map) == rows[i].made);
    ck_tensor_map_release(map);
  }
}

TEST(words)
{
  for (int interleave = 0; interleave <= CK_INTERLEAVE_32B; ++interleave) {
    int64_t inner = interleave ? 8 * interleave : 64; /* slices of 16 or 32 bytes */
    ck_view_t view = view_of(CK_F16, 3, (int64_t[]){4, 8, inner});
    ck_tensor_map_options_t options = box_of(1, 4, interleave ? (uint32_t)inner : 16, 0, 0);
    options.interleave = (ck_tensor_interleave_t)interleave;
    for (int swizzle = 0; swizzle <= CK_SWIZZLE_128B; ++swizzle)
      for (int l2 = 0; l2 <= CK_L2_FETCH_256B; ++l2)
        for (int fill = 0; fill <= CK_FILL_NAN; ++fill) {
          options.swizzle = (ck_tensor_swizzle_t)swizzle;
          options.l2 = (ck_tensor_l2_t)l2;
          options.fill = (ck_tensor_fill_t)fill;
          if (interleave == CK_INTERLEAVE_32B && swizzle != CK_SWIZZLE_32B) continue;
          try_box(&view, &options, 2 * 4 * options.box[2]);
        }
  }
  ck_view_t view = view_of(CK_F16, 3, (int64_t[]){4, 8, 64});
  ck_tensor_map_options_t options = box_of(2, 8, 64, 0, 0);
  options.element_strides[1] = 3;
  try_box(&view, &options, 2 * 2 * 3 * 64); /* every third of 8 elements: 3 */
}

static void refuse(ck_view_t view, ck_tensor_map_options_t options, const char *part)
{
  ck_tensor_map_t *map;
  CHECK_STATUS(ck_tensor_map_from_view(&view, &options, &map), CK_INVALID_ARGUMENT);
  CHECK(!map);
  CHECK_ERROR(part);
}

TEST(rules)
{
  ck_view_t view = view_of(CK_F32, 2, (int64_t[]){16, 64}), other = view;
  ck_tensor_map_options_t good = box_of(4, 32, 0, 0, 0), options = good;
  try_box(&view, &good, 4 * 4 * 32);
  refuse(view, box_of(0, 32, 0, 0, 0), "1 to 256 elements along an axis, along axis 0 it has 0");
  refuse(view, box_of(4, 257, 0, 0, 0), "along axis 1 it has 257");
  refuse(view, box_of(4, 3, 0, 0, 0), "the box's last axis, 3 of f32, is no multiple of 16 bytes");
  options.swizzle = CK_SWIZZLE_64B;
  refuse(view, options, "has 128 bytes, the swizzle takes at most 64");
  options = good;
  options.element_strides[0] = 9;
  refuse(view, options, "an element stride is 1 to 8, that of axis 0 is 9");
  options = good;
  options.interleave = CK_INTERLEAVE_16B;
  refuse(view, options, "has 3 axes or more, this one has 2");
  options.interleave = (ck_tensor_interleave_t)9;
  refuse(view, options, "interleave 9");
  options = good;
  options.type = CK_TENSOR_F16;
  refuse(view, options, "f16 has 2 bytes, the view's f32 has 4");
  options.type = (ck_tensor_type_t)40;
  refuse(view, options, "the type is 40");
  other.offset = 4;
  other.extents[1] = 32;
  refuse(other, good, "is no multiple of 16");
  other = view;
  other.strides[0] = 65;
  refuse(other, good, "a stride is a multiple of 16 bytes below 2^40, that of axis 0 is 65");
  other = view;
  other.strides[1] = 2;
  refuse(other, good, "the last axis is dense, its stride is 2 elements");
  other = view;
  other.extents[0] = 0;
  refuse(other, good, "that of axis 0 is 0");
  other = view_of(CK_F32, 6, (int64_t[]){1, 1, 1, 1, 2, 64});
  refuse(other, good, "the tensor has 1 to 5 axes, the view 6");
  ck_view_t whole = view_of(CK_I32, 2, (int64_t[]){16, 64});
  options = good;
  options.fill = CK_FILL_NAN;
  refuse(whole, options, "CK_FILL_NAN is for floats, the tensor is of i32");
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_F32, 4, 2, (int64_t[]){16, 16}, NULL, &other));
  refuse(other, good, "elements of 4 components");
  ck_view_t deep = view_of(CK_F32, 3, (int64_t[]){4, 8, 64});
  options = box_of(1, 4, 8, 0, 0);
  options.interleave = CK_INTERLEAVE_32B;
  refuse(deep, options, "goes with CK_SWIZZLE_32B");
  refuse(deep, box_of(15, 64, 64, 0, 0), "the box has 245760 bytes, a block on");
  options = box_of(1, 4, 6, 0, 0);
  options.interleave = CK_INTERLEAVE_16B;
  refuse(deep, options, "the box's last axis, 6 of f32, is no multiple of 16 bytes");
}

static ck_im2col_options_t columns(int lower, int upper, uint32_t channels, uint32_t pixels)
{
  ck_im2col_options_t options = CK_OPTIONS_INIT(ck_im2col_options_t);
  for (int i = 0; i < 3; ++i) {
    options.lower[i] = lower;
    options.upper[i] = upper;
  }
  options.channels = channels;
  options.pixels = pixels;
  return options;
}

static void refuse_columns(const ck_view_t *view, ck_im2col_options_t options, ck_status_t status,
                           const char *part)
{
  ck_tensor_map_t *map;
  CHECK_STATUS(ck_tensor_map_from_im2col(view, &options, &map), status);
  CHECK(!map);
  CHECK_ERROR(part);
}

TEST(im2col)
{
  const int64_t extents[] = {2, 8, 8, 8, 64};
  for (uint32_t rank = 3; rank <= 5; ++rank) {
    ck_view_t view = view_of(CK_F16, rank, extents + 5 - rank);
    ck_im2col_options_t options = columns(-1, -1, 32, 16);
    ck_tensor_map_t *map;
    CHECK_OK(ck_tensor_map_from_im2col(&view, &options, &map));
    if (map) CHECK(ck_tensor_map_box_bytes(map) == 0);
    ck_tensor_map_release(map);
  }
  ck_view_t view = view_of(CK_F16, 4, extents + 1), flat = view_of(CK_F16, 2, extents + 3);
  refuse_columns(&view, columns(-200, 0, 32, 16), CK_INVALID_ARGUMENT, "are -128 to 127");
  refuse_columns(&view, columns(4, -4, 32, 16), CK_INVALID_ARGUMENT, "is empty along axis 2");
  refuse_columns(&view, columns(0, 0, 257, 16), CK_INVALID_ARGUMENT, "1 to 256 channels, not 257");
  refuse_columns(&view, columns(0, 0, 32, 0), CK_INVALID_ARGUMENT, "1 to 1024 pixels, not 0");
  refuse_columns(&flat, columns(0, 0, 32, 16), CK_INVALID_ARGUMENT, "3 to 5 axes, the view 2");
  ck_im2col_options_t wide = columns(0, 0, 32, 16);
  int major, minor;
  wide.mode = CK_IM2COL_WIDE;
  wide.swizzle = CK_SWIZZLE_128B;
  CHECK_OK(ck_device_get_compute_capability(bench.device, &major, &minor));
  if (major < 10) refuse_columns(&view, wide, CK_UNSUPPORTED, "has no wide im2col");
}

/* The last axis of an interleaved tensor is W, since its channels are slices. */
TEST(im2col_interleaved)
{
  ck_view_t view = view_of(CK_F16, 4, (int64_t[]){2, 3, 4, 64});
  ck_im2col_options_t options = columns(0, 0, 32, 16);
  ck_tensor_map_t *map = NULL;
  options.interleave = CK_INTERLEAVE_16B;
  options.upper[1] = -63;
  CHECK_OK(ck_tensor_map_from_im2col(&view, &options, &map));
  ck_tensor_map_release(map);
  options.upper[1] = -64;
  refuse_columns(&view, options, CK_INVALID_ARGUMENT, "is empty along axis 3, whose extent is 64");
  options.upper[1] = 0, options.upper[0] = -4;
  refuse_columns(&view, options, CK_INVALID_ARGUMENT, "is empty along axis 2, whose extent is 4");
  options = columns(0, 0, 4, 1024);
  refuse_columns(&view, options, CK_INVALID_ARGUMENT, "4 of f16, is no multiple of 16 bytes");
  options = columns(0, 0, 128, 1024);
  refuse_columns(&view, options, CK_INVALID_ARGUMENT, "a column has 262144 bytes, a block on");
}

/* Coordinates have 32 bits. */
TEST(im2col_far)
{
  int64_t extents[] = {1, INT64_C(1) << 31, 64}, strides[] = {0, 0, 1};
  ck_view_t view;
  ck_tensor_map_t *map = NULL;
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_F16, 1, 3, extents, strides, &view));
  ck_im2col_options_t options = columns(0, -1, 32, 16);
  CHECK_OK(ck_tensor_map_from_im2col(&view, &options, &map));
  ck_tensor_map_release(map);
  options.upper[0] = 0;
  refuse_columns(&view, options, CK_INVALID_ARGUMENT,
                 "the box ends at 2147483648 along axis 1, at most at 2^31 - 1");
}

TEST(other_buffers)
{
  ck_view_t view = view_of(CK_F32, 2, (int64_t[]){16, 64});
  ck_tensor_map_options_t options = box_of(4, 32, 0, 0, 0);
  ck_tensor_map_t *map = make(&view, &options);
  ck_buffer_t *small = bench_buffer(&bench, 16 * 64 * 4);
  unsigned char before[CK_TENSOR_MAP_BYTES];
  memcpy(before, ck_tensor_map_native(map), sizeof before);
  CHECK(ck_tensor_map_device(map) == bench.device);
  CHECK_OK(ck_tensor_map_set_buffer(map, small, 0));
  CHECK(memcmp(before, ck_tensor_map_native(map), sizeof before) != 0);
  CHECK_STATUS(ck_tensor_map_set_buffer(map, small, 16), CK_INVALID_ARGUMENT);
  CHECK_ERROR("4096 bytes at offset 16, the buffer has 4096 bytes");
  CHECK_STATUS(ck_tensor_map_set_buffer(map, buffer, 8), CK_INVALID_ARGUMENT);
  CHECK_ERROR("is no multiple of 16");
  CHECK_OK(ck_tensor_map_set_buffer(map, buffer, 0));
  CHECK(!memcmp(before, ck_tensor_map_native(map), sizeof before));
  ck_buffer_release(small);
  ck_tensor_map_release(map);
}

/* The public numbers are the driver's; for types, the driver's plus 1. */
TEST(numbers)
{
  CHECK(CK_TENSOR_U8 == 1 + CU_TENSOR_MAP_DATA_TYPE_UINT8);
  CHECK(CK_TENSOR_F32 == 1 + CU_TENSOR_MAP_DATA_TYPE_FLOAT32);
  CHECK(CK_TENSOR_F64 == 1 + CU_TENSOR_MAP_DATA_TYPE_FLOAT64);
  CHECK(CK_TENSOR_BF16 == 1 + CU_TENSOR_MAP_DATA_TYPE_BFLOAT16);
  CHECK(CK_TENSOR_TF32_FTZ == 1 + CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ);
  CHECK((int)CK_INTERLEAVE_NONE == CU_TENSOR_MAP_INTERLEAVE_NONE);
  CHECK((int)CK_INTERLEAVE_32B == CU_TENSOR_MAP_INTERLEAVE_32B);
  CHECK((int)CK_SWIZZLE_NONE == CU_TENSOR_MAP_SWIZZLE_NONE);
  CHECK((int)CK_SWIZZLE_128B == CU_TENSOR_MAP_SWIZZLE_128B);
  CHECK((int)CK_L2_FETCH_64B == CU_TENSOR_MAP_L2_PROMOTION_L2_64B);
  CHECK((int)CK_L2_FETCH_256B == CU_TENSOR_MAP_L2_PROMOTION_L2_256B);
  CHECK((int)CK_FILL_NAN == CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA);
  CHECK((int)CK_IM2COL_WIDE == 1 + CU_TENSOR_MAP_IM2COL_WIDE_MODE_W);
  CHECK((int)CK_IM2COL_WIDE_128 == 1 + CU_TENSOR_MAP_IM2COL_WIDE_MODE_W128);
}

TEST(views_that_are_refused)
{
  ck_view_t scalar = view_of(CK_F32, 0, NULL), good = view_of(CK_F32, 1, (int64_t[]){64});
  ck_tensor_map_options_t options = box_of(64, 0, 0, 0, 0), old = options;
  ck_tensor_map_t *map;
  refuse(scalar, options, "the tensor has 1 to 5 axes, the view 0");
  refuse(view_of(CK_NONE, 1, (int64_t[]){64}), options, "elements are structures");
  CHECK_STATUS(ck_tensor_map_from_view(NULL, &options, &map), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_tensor_map_from_view(&good, NULL, &map), CK_INVALID_ARGUMENT);
  old.struct_size = 5;
  refuse(good, old, "ck_tensor_map_options_t");
}

/* Page-locked and managed memory can have maps too, and replace device memory. */
TEST(memory_of_each_kind)
{
  ck_tensor_map_options_t options = box_of(4, 32, 0, 0, 0);
  ck_view_t plain = view_of(CK_F32, 2, (int64_t[]){16, 64});
  ck_tensor_map_t *of_device = make(&plain, &options);
  for (int kind = 0; kind < 3; ++kind) {
    ck_memory_resource_t *resource;
    ck_buffer_t *other;
    ck_view_t view;
    ck_status_t status = kind == 0 ? ck_memory_resource_create_pinned(bench.device, &resource)
                         : kind == 1
                             ? ck_memory_resource_create_legacy_managed(bench.device, &resource)
                             : ck_memory_resource_create_managed(bench.device, NULL, &resource);
    if (status == CK_UNSUPPORTED) continue;
    CHECK_STATUS(status, CK_OK);
    CHECK_OK(ck_memory_resource_create_buffer(resource, 16 * 64 * 4, bench.stream, &other));
    CHECK_OK(ck_view_from_buffer(other, 0, CK_F32, 1, 2, (int64_t[]){16, 64}, NULL, &view));
    try_box(&view, &options, 4 * 4 * 32);
    CHECK_OK(ck_tensor_map_set_buffer(of_device, other, 0));
    ck_buffer_release(other);
    ck_memory_resource_release(resource);
  }
  ck_tensor_map_release(of_device);
}

/* Memory that only the CPU can use, and memory of another device. */
TEST(buffers_that_are_refused)
{
  Driver other = *bench.device->driver;
  ck_view_t view = view_of(CK_F32, 2, (int64_t[]){16, 64});
  ck_tensor_map_options_t options = box_of(4, 32, 0, 0, 0);
  ck_tensor_map_t *map = make(&view, &options);
  void *words = memory_new_aligned(4096, 4096);
  ck_device_t *device;
  ck_buffer_t *there, *host;
  CHECK_OK(device_open(&other, 0, &device));
  CHECK_OK(ck_buffer_create(device, 4096, NULL, &there));
  CHECK_STATUS(ck_tensor_map_set_buffer(map, there, 0), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_tensor_map_set_buffer(map, NULL, 0), CK_INVALID_ARGUMENT);
  CHECK_OK(ck_buffer_from_native(bench.device, (uintptr_t)words, 4096, NULL, NULL, &host));
  bool is_reached = ck_buffer_flags(host) & CK_MEMORY_DEVICE;
  if (!is_reached) {
    CHECK_STATUS(ck_tensor_map_set_buffer(map, host, 0), CK_INVALID_ARGUMENT);
    CHECK_ERROR("no memory of a device");
  }
  ck_tensor_map_release(map);
  ck_buffer_release(host);
  ck_buffer_release(there);
  ck_device_release(device);
  memory_free(words);
}

/* These need sm_100; the driver of CUDA 13.0 may refuse options that it does not know. */
TEST(im2col_wide)
{
  const int64_t extents[] = {1, 4, 8, 8, 64};
  int major, minor;
  ck_tensor_map_t *map;
  ck_view_t flat = view_of(CK_F32, 1, (int64_t[]){1024});
  ck_im2col_options_t options = columns(0, 4, 64, 16);
  options.mode = CK_IM2COL_WIDE;
  options.swizzle = CK_SWIZZLE_128B;
  options.channels = 32;
  CHECK_OK(ck_device_get_compute_capability(bench.device, &major, &minor));
  for (uint32_t rank = 3; rank <= 5; ++rank) {
    ck_view_t view = view_of(CK_F32, rank, extents + 5 - rank);
    ck_status_t status = ck_tensor_map_from_im2col(&view, &options, &map);
    CHECK(status == (major < 10 ? CK_UNSUPPORTED : CK_OK) || (major >= 10 && status == CK_DRIVER));
    ck_tensor_map_release(map);
  }
  CHECK(ck_tensor_map_from_im2col(&flat, &options, &map) != CK_OK);
  CHECK(!map);
}

/* A device older than sm_90. */
TEST(devices_without_maps)
{
  Driver older = *driver_host();
  older.cuTensorMapEncodeTiled = NULL;
  ck_device_t *device;
  ck_buffer_t *there;
  ck_view_t view;
  ck_tensor_map_t *map;
  ck_tensor_map_options_t options = box_of(1, 4, 0, 0, 0);
  CHECK_OK(device_open(&older, 0, &device));
  CHECK_OK(ck_buffer_create(device, 4096, NULL, &there));
  CHECK_OK(ck_view_from_buffer(there, 0, CK_F32, 1, 2, (int64_t[]){8, 8}, NULL, &view));
  CHECK_STATUS(ck_tensor_map_from_view(&view, &options, &map), CK_UNSUPPORTED);
  CHECK_ERROR("has no tensor maps, sm_90 and newer have");
  ck_buffer_release(there);
  ck_device_release(device);
}

int main(void)
{
  bench_open_any(&bench);
  int has_maps;
  CHECK_OK(ck_device_get_attribute(bench.device, CK_DEVICE_TENSOR_MAP_ACCESS_SUPPORTED, &has_maps));
  if (!has_maps) return 77;
  buffer = bench_buffer(&bench, BYTES);
  run_all();
  ck_buffer_release(buffer);
  bench_close(&bench);
  CHECK(atomic_load(&host_live_objects) == 0);
  return tests_report();
}
