/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* tensor_load.c - tests kernels that load boxes by tensor maps (TMA), compared with loops. On the
 * host device or a GPU of sm_90 or newer: $CK_DEVICE. */
#include "both.h"

static const char source[] =
    "kernel load1(at: i64, m: tensor_map<1, u8>, y: out u8[64]) launch(block = 32, grid = 1)\n"
    "{\n"
    "    shared tile: u8[64];\n"
    "    block.load_tensor(tile, m, at);\n"
    "    for (i in block.stride(64)) y[i] = tile[i];\n"
    "}\n"
    "kernel load2<T: type, const H: u32, const W: u32>(row: i32, column: i32,\n"
    "    m: tensor_map<2, T>, y: out T[H, W]) launch(block = (32, 4), grid = 1)\n"
    "{\n"
    "    shared tile: T[H, W];\n"
    "    for (turn in 0..2) block.load_tensor(tile, m, row + i32(turn) - 1, column);\n"
    "    for (r in 0..H) for (c in block.stride(W)) y[r, c] = tile[r, c];\n"
    "}\n"
    "export load2<f32, 8, 32>, load2<f64, 4, 16>, load2<u16, 16, 8>, load2<u32, 8, 16>,\n"
    "    load2<u32, 8, 8>, load2<u32, 3, 16>;\n"
    "kernel load3(plane: i32, row: i32, column: i32, m: tensor_map<3, i32>, y: out i32[2, 3, 4])\n"
    "    launch(block = 64, grid = 1)\n"
    "{\n"
    "    shared tile: i32[2, 3, 4];\n"
    "    block.load_tensor(tile, m, plane, row, column);\n"
    "    for (i in block.stride(24)) y[i / 12, i / 4 % 3, i % 4] = tile[i / 12, i / 4 % 3, i % "
    "4];\n"
    "}\n";

enum { WIDTH = 48, HEIGHT = 20, BYTES = 8 * WIDTH * HEIGHT };

static ck_buffer_t *data;
static unsigned char bytes[BYTES];

static ck_tensor_map_t *map_of(ck_dtype_t dtype, uint32_t rank, const int64_t *extents,
                               const uint32_t *box, ck_tensor_swizzle_t swizzle,
                               ck_tensor_fill_t fill, uint32_t row_stride)
{
  ck_tensor_map_options_t options = CK_OPTIONS_INIT(ck_tensor_map_options_t);
  ck_view_t view;
  ck_tensor_map_t *map = NULL;
  memcpy(options.box, box, rank * sizeof *box);
  options.swizzle = swizzle;
  options.fill = fill;
  options.element_strides[0] = row_stride;
  CHECK_OK(ck_view_from_buffer(data, 0, dtype, 1, rank, extents, NULL, &view));
  CHECK_OK(ck_tensor_map_from_view(&view, &options, &map));
  return map;
}

/* Loads at a few coordinates, and compares. A swizzle permutes chunks of 16 bytes in rows of 128.
 */
static void try_load2(const char *name, ck_dtype_t dtype, uint32_t h, uint32_t w,
                      ck_tensor_swizzle_t swizzle, uint32_t step)
{
  static const int places[][2] = {{0, 0}, {3, 8}, {HEIGHT - 2, WIDTH - 8}, {-3, -8}, {99, 0}};
  size_t width = ck_dtype_bytes(dtype), out_bytes = h * w * width;
  unsigned char out[4096], want[4096];
  ck_tensor_map_t *map = map_of(dtype, 2, (int64_t[]){HEIGHT, WIDTH}, (uint32_t[]){h * step, w},
                                swizzle, CK_FILL_ZERO, step);
  ck_buffer_t *y = zeros(out_bytes);
  ck_kernel_t *k = kernel(name);
  for (size_t i = 0; i < sizeof places / sizeof *places; ++i) {
    CHECK_OK(ck_launch(stream, NULL, k, places[i][0], places[i][1], map, y));
    CHECK_OK(ck_buffer_read(y, 0, out, out_bytes, stream));
    CHECK_OK(ck_stream_sync(stream));
    memset(want, 0, sizeof want);
    for (uint32_t at = 0; at < h * w; ++at) {
      int r = places[i][0] + (int)(at / w * step), c = places[i][1] + (int)(at % w);
      size_t to = at * width;
      to ^= (to >> 7 & ((1u << swizzle) - 1)) << 4;
      if (r >= 0 && r < HEIGHT && c >= 0 && c < WIDTH)
        memcpy(want + to, bytes + (size_t)(r * WIDTH + c) * width, width);
    }
    if (!CHECK(!memcmp(out, want, out_bytes)))
      fprintf(stderr, "%s at (%d, %d), swizzle %d, step %u\n", name, places[i][0], places[i][1],
              (int)swizzle, step);
  }
  ck_kernel_release(k);
  ck_buffer_release(y);
  ck_tensor_map_release(map);
}

TEST(two_axes)
{
  try_load2("load2<f32, 8, 32>", CK_F32, 8, 32, CK_SWIZZLE_NONE, 1);
  try_load2("load2<f64, 4, 16>", CK_F64, 4, 16, CK_SWIZZLE_NONE, 1);
  try_load2("load2<u16, 16, 8>", CK_U16, 16, 8, CK_SWIZZLE_NONE, 1);
  try_load2("load2<f32, 8, 32>", CK_F32, 8, 32, CK_SWIZZLE_128B, 1);
  try_load2("load2<u32, 8, 16>", CK_U32, 8, 16, CK_SWIZZLE_64B, 1);
  try_load2("load2<u32, 8, 8>", CK_U32, 8, 8, CK_SWIZZLE_32B, 1);
  try_load2("load2<u32, 3, 16>", CK_U32, 3, 16, CK_SWIZZLE_NONE, 3);
}

TEST(other_ranks)
{
  unsigned char out[64];
  int32_t cube[24], want[24];
  ck_tensor_map_t *line = map_of(CK_U8, 1, (int64_t[]){500}, (uint32_t[]){64}, 0, 0, 0);
  ck_tensor_map_t *box = map_of(CK_I32, 3, (int64_t[]){5, 6, 16}, (uint32_t[]){2, 3, 4}, 0, 0, 0);
  ck_buffer_t *y = zeros(64), *z = zeros(sizeof cube);
  ck_kernel_t *of_line = kernel("load1"), *of_box = kernel("load3");
  CHECK_OK(ck_launch(stream, NULL, of_line, 464, line, y));
  CHECK_OK(ck_launch(stream, NULL, of_box, 4, 2, 12, box, z));
  CHECK_OK(ck_buffer_read(y, 0, out, sizeof out, stream));
  CHECK_OK(ck_buffer_read(z, 0, cube, sizeof cube, stream));
  CHECK_OK(ck_stream_sync(stream));
  for (int i = 0; i < 64; ++i) CHECK(out[i] == (464 + i < 500 ? bytes[464 + i] : 0));
  CHECK_OK(ck_launch(stream, NULL, of_line, ((int64_t)1 << 32) + 16, line, y));
  CHECK_OK(ck_buffer_read(y, 0, out, sizeof out, stream));
  CHECK_OK(ck_stream_sync(stream));
  for (int i = 0; i < 64; ++i) CHECK(out[i] == 0); /* outside the tensor: zeros */
  for (int i = 0; i < 24; ++i) {
    int p = 4 + i / 12, r = 2 + i / 4 % 3, c = 12 + i % 4;
    want[i] = 0;
    if (p < 5 && r < 6 && c < 16) memcpy(&want[i], bytes + 4 * ((p * 6 + r) * 16 + c), 4);
  }
  CHECK(!memcmp(cube, want, sizeof cube));
  ck_kernel_release(of_line);
  ck_kernel_release(of_box);
  ck_buffer_release(y);
  ck_buffer_release(z);
  ck_tensor_map_release(line);
  ck_tensor_map_release(box);
}

TEST(filled_with_nan)
{
  float out[8 * 32];
  ck_tensor_map_t *map = map_of(CK_F32, 2, (int64_t[]){HEIGHT, WIDTH}, (uint32_t[]){8, 32},
                                CK_SWIZZLE_NONE, CK_FILL_NAN, 0);
  ck_buffer_t *y = zeros(sizeof out);
  ck_kernel_t *k = kernel("load2<f32, 8, 32>");
  CHECK_OK(ck_launch(stream, NULL, k, HEIGHT, 0, map, y));
  CHECK_OK(ck_buffer_read(y, 0, out, sizeof out, stream));
  CHECK_OK(ck_stream_sync(stream));
  for (int i = 0; i < 8 * 32; ++i) CHECK(out[i] != out[i]);
  ck_kernel_release(k);
  ck_buffer_release(y);
  ck_tensor_map_release(map);
}

/* A captured launch has a copy of the map at the time, and retains its buffer. */
TEST(another_buffer)
{
  float out[8 * 32];
  ck_tensor_map_t *map = map_of(CK_F32, 2, (int64_t[]){HEIGHT, WIDTH}, (uint32_t[]){8, 32},
                                CK_SWIZZLE_NONE, CK_FILL_ZERO, 0);
  ck_buffer_t *other = zeros(BYTES), *y = zeros(sizeof out);
  ck_kernel_t *k = kernel("load2<f32, 8, 32>");
  ck_graph_builder_t *builder;
  ck_graph_t *graph;
  CHECK_OK(ck_tensor_map_set_buffer(map, other, 0));
  CHECK_OK(ck_graph_builder_create(device, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  CHECK_OK(ck_launch(ck_graph_builder_stream(builder), NULL, k, 0, 0, map, y));
  CHECK_OK(ck_graph_builder_end(builder));
  CHECK_OK(ck_graph_builder_create_graph(builder, NULL, &graph));
  ck_graph_builder_release(builder);
  CHECK_OK(ck_buffer_fill(other, 0, BYTES, 0x40000000, 4, stream));
  CHECK_OK(ck_stream_sync(stream));
  CHECK_OK(ck_tensor_map_set_buffer(map, data, 0));
  ck_buffer_release(other); /* the graph retains it */
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK_OK(ck_buffer_read(y, 0, out, sizeof out, stream));
  CHECK_OK(ck_stream_sync(stream));
  for (int i = 0; i < 8 * 32; ++i) CHECK(out[i] == 2);
  ck_graph_release(graph);
  ck_kernel_release(k);
  ck_buffer_release(y);
  ck_tensor_map_release(map);
}

TEST(arguments)
{
  ck_tensor_map_t *line = map_of(CK_U8, 1, (int64_t[]){500}, (uint32_t[]){64}, 0, 0, 0);
  ck_tensor_map_t *words =
      map_of(CK_I32, 2, (int64_t[]){HEIGHT, WIDTH}, (uint32_t[]){8, 32}, 0, 0, 0);
  ck_tensor_map_t *narrow = map_of(CK_F32, 2, (int64_t[]){HEIGHT, WIDTH}, (uint32_t[]){16, 16},
                                   CK_SWIZZLE_128B, CK_FILL_ZERO, 0);
  ck_buffer_t *y = zeros(8 * 32 * 4);
  ck_kernel_t *k = kernel("load2<f32, 8, 32>");
  CHECK_FAILS(ck_launch(stream, NULL, k, 0, 0, line, y), CK_INVALID_ARGUMENT);
  CHECK_ERROR("argument 3 'm': expected a tensor map of 2 axes of f32, got one of 1 axes of u8");
  CHECK_FAILS(ck_launch(stream, NULL, k, 0, 0, words, y), CK_INVALID_ARGUMENT);
  CHECK_ERROR("got one of 2 axes of i32");
  CHECK_FAILS(ck_launch(stream, NULL, k, 0, 0, y, y), CK_INVALID_ARGUMENT);
  CHECK_ERROR("expected a tensor map, got a buffer");
  CHECK_FAILS(ck_launch(stream, NULL, k, 0, 0, ck_arg_tensor_map(NULL), y), CK_INVALID_ARGUMENT);
  CHECK_ERROR("the tensor map is NULL");
  /* CUDA C++ Programming Guide, "Swizzle": rows in shared memory are as wide as the swizzle. */
  CHECK_FAILS(ck_launch(stream, NULL, k, 0, 0, narrow, y), CK_INVALID_ARGUMENT);
  CHECK_ERROR("narrower than its swizzle");
  ck_param_t param;
  CHECK_OK(ck_kernel_get_param(k, 2, &param));
  CHECK(param.kind == CK_PARAM_TENSOR_MAP && param.rank == 2 && param.bytes == 128);
  ck_kernel_release(k);
  ck_buffer_release(y);
  ck_tensor_map_release(line);
  ck_tensor_map_release(narrow);
  ck_tensor_map_release(words);
}

static void stop(uint32_t box_rows, int column)
{
  if (getenv("CK_NO_FAULTS")) return;
  ck_tensor_map_t *map = map_of(CK_F32, 2, (int64_t[]){HEIGHT, WIDTH}, (uint32_t[]){box_rows, 32},
                                CK_SWIZZLE_NONE, CK_FILL_ZERO, 0);
  ck_buffer_t *y = zeros(8 * 32 * 4);
  ck_kernel_t *k = kernel("load2<f32, 8, 32>");
  CHECK_OK(ck_launch(stream, NULL, k, 0, column, map, y));
  CHECK_FAILS(ck_stream_sync(stream), CK_KERNEL_FAULT);
  has_fault = true;
  ck_kernel_release(k);
  ck_buffer_release(y);
  ck_tensor_map_release(map);
}

TEST(another_box)
{
  stop(4, 0);
}

TEST(off_16_bytes)
{
  stop(8, 7);
}

/* Kernels with tensor maps can't be compiled for devices without them. */
static bool has_maps(void)
{
  ck_device_t *chosen = NULL;
  int value = 0;
  if (ck_device_open_auto(&chosen) == CK_OK)
    ck_device_get_attribute(chosen, CK_DEVICE_TENSOR_MAP_ACCESS_SUPPORTED, &value);
  ck_device_release(chosen);
  return value;
}

int main(void)
{
  if (!has_maps()) return 77;
  for (size_t i = 0; i < BYTES; ++i) bytes[i] = (unsigned char)(i * 29 + i / 253);
  int missing = open_both(source);
  if (missing) return missing;
  data = zeros(BYTES);
  CHECK_OK(ck_buffer_write(data, 0, bytes, BYTES, stream));
  RUN(two_axes);
  RUN(other_ranks);
  RUN(filled_with_nan);
  RUN(another_buffer);
  RUN(arguments);
  RUN_ALONE(another_box);
  RUN_ALONE(off_16_bytes);
  ck_buffer_release(data);
  return close_both();
}
