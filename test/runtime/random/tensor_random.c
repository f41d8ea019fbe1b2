/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* tensor_random.c - compares random boxes of random tensors, loaded by random kernels through
 * tensor maps, with loops; and checks random maps against the driver's rules. On the host device or
 * a GPU of sm_90 or newer: $CK_DEVICE.
 *
 * The model follows cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col in the CUDA driver API, and
 * "Tensor Memory Access" and "Swizzle" in the CUDA C++ Programming Guide. Two things that they
 * leave open were measured on sm_90 with driver 580: tf32, and boxes that are too large.
 */
#include "random_case.h"

enum {
  MOST_AXES = 3, /* of the kernels' tiles */
  KERNELS = 5,   /* per case */
  MAPS = 4,      /* per kernel */
  PLACES = 7,    /* per map */
  MOST_BYTES = 8192,
  MOST_STATIC = 48 << 10, /* static shared memory */
  DATA_BYTES = 1 << 18,
  CHUNK = 16, /* bytes; the unit of addresses, strides and swizzles */
  ROW = 128,
  RULES = 200 /* maps per case that are created or refused */
};

typedef struct Type {
  const char *name;
  ck_dtype_t dtype;
  ck_tensor_type_t map;
  uint32_t bytes;
  uint32_t exponent_bits, mantissa_bits; /* 0: an integer */
} Type;

static const Type types[] = {
    {"u8", CK_U8, CK_TENSOR_U8, 1, 0, 0},         {"i8", CK_I8, CK_TENSOR_U8, 1, 0, 0},
    {"u16", CK_U16, CK_TENSOR_U16, 2, 0, 0},      {"i16", CK_I16, CK_TENSOR_U16, 2, 0, 0},
    {"u32", CK_U32, CK_TENSOR_U32, 4, 0, 0},      {"i32", CK_I32, CK_TENSOR_I32, 4, 0, 0},
    {"u64", CK_U64, CK_TENSOR_U64, 8, 0, 0},      {"i64", CK_I64, CK_TENSOR_I64, 8, 0, 0},
    {"f16", CK_F16, CK_TENSOR_F16, 2, 5, 10},     {"bf16", CK_BF16, CK_TENSOR_BF16, 2, 8, 7},
    {"f64", CK_F64, CK_TENSOR_F64, 8, 11, 52},    {"f32", CK_F32, CK_TENSOR_F32, 4, 8, 23},
    {"f32", CK_F32, CK_TENSOR_F32_FTZ, 4, 8, 23}, {"f32", CK_F32, CK_TENSOR_TF32, 4, 8, 23},
    {"f32", CK_F32, CK_TENSOR_TF32_FTZ, 4, 8, 23}};

enum { TYPES = sizeof types / sizeof *types };

/* A kernel's tile. */
typedef struct Tile {
  const Type *type;
  uint32_t rank, extents[MOST_AXES], count, bytes;
} Tile;

/* A map whose boxes fill the tile, perhaps with another shape. Axes are in the order of views. */
typedef struct Map {
  const Type *type;
  uint32_t rank, box[MOST_AXES]; /* elements that a copy writes */
  int64_t extents[MOST_AXES], strides[MOST_AXES];
  size_t offset;
  ck_tensor_map_options_t options;
} Map;

static unsigned char data[DATA_BYTES];
static ck_buffer_t *buffer;
static int shared_bytes; /* per block */

/* the model ---------------------------------------------------------------------------------- */

/* The position of element i of the box in the tensor, in elements; -1: outside. */
static int64_t source_of(const Map *map, const int32_t *place, uint32_t i)
{
  int64_t at = 0;
  for (uint32_t k = map->rank; k-- > 0;) {
    /* The last axis has none. */
    uint32_t step = k + 1 < map->rank ? map->options.element_strides[k] : 1;
    int64_t x = place[k] + (int64_t)(i % map->box[k]) * (step ? step : 1);
    if (x < 0 || x >= map->extents[k]) return -1;
    at += x * map->strides[k];
    i /= map->box[k];
  }
  return at;
}

/* Its byte offset in the tile: "smem[y][x] <-> smem[y][(y % n) ^ x]", for chunks in rows. */
static uint32_t place_of(const Map *map, uint32_t i)
{
  static const uint32_t turns[] = {1, 2, 4, 8};
  uint32_t at = i * map->type->bytes, row = at / ROW, chunk = at % ROW / CHUNK;
  return row * ROW + ((row % turns[map->options.swizzle]) ^ chunk) * CHUNK + at % CHUNK;
}

static bool is_nan(const Type *type, uint64_t bits)
{
  uint64_t mantissa = (UINT64_C(1) << type->mantissa_bits) - 1;
  uint64_t exponent = ((UINT64_C(1) << type->exponent_bits) - 1) << type->mantissa_bits;
  return type->exponent_bits && (bits & exponent) == exponent && (bits & mantissa);
}

/* Converts an element to the map's type: tf32 is rounded to 10 bits, to nearest, ties to even. */
static uint64_t converted(const Type *type, uint64_t bits)
{
  const uint32_t UNIT = 1u << 13;
  uint32_t word = (uint32_t)bits, rest = word % UNIT;
  bool is_tf32 = type->map == CK_TENSOR_TF32 || type->map == CK_TENSOR_TF32_FTZ;
  if (!is_tf32 || is_nan(type, bits)) return bits;
  bool is_up = rest > UNIT / 2 || (rest == UNIT / 2 && word / UNIT % 2);
  return word - rest + (is_up ? UNIT : 0);
}

/* Compares a box. Returns the first element that differs, or -1. A NaN may have any bits, unless it
 * is copied unchanged. */
static int first_wrong(const Map *map, const int32_t *place, const unsigned char *tile,
                       uint32_t count)
{
  bool is_copied = map->type->map != CK_TENSOR_TF32 && map->type->map != CK_TENSOR_TF32_FTZ;
  for (uint32_t i = 0; i < count; ++i) {
    int64_t at = source_of(map, place, i);
    uint32_t width = map->type->bytes;
    uint64_t got = 0, want = 0;
    memcpy(&got, tile + place_of(map, i), width);
    if (at >= 0) memcpy(&want, data + map->offset + at * width, width);
    bool is_filled = at < 0 && map->options.fill == CK_FILL_NAN;
    bool is_right = is_filled || (is_nan(map->type, want) && !is_copied)
                        ? is_nan(map->type, got)
                        : got == (at < 0 ? 0 : converted(map->type, want));
    if (is_right) continue;
    fprintf(stderr, "0x%llx, of 0x%llx\n", (unsigned long long)got, (unsigned long long)want);
    return (int)i;
  }
  return -1;
}

/* random tiles and maps ---------------------------------------------------------------------- */

/* A random tile of at most MOST_BYTES; half of the time its rows are a power of two of chunks, for
 * swizzles. */
static Tile random_tile(void)
{
  Tile tile = {.type = &types[below(TYPES)], .rank = 1 + below(MOST_AXES), .count = 1};
  uint32_t unit = tile.type->bytes < CHUNK ? CHUNK / tile.type->bytes : 1;
  uint32_t most = MOST_BYTES / tile.type->bytes;
  for (uint32_t k = tile.rank; k-- > 0;) {
    bool is_last = k + 1 == tile.rank;
    uint32_t room = most / tile.count < 256 ? most / tile.count : 256;
    if (is_last) room /= unit;
    uint32_t extent = one_in(2) ? 1 + below(room) : 1u << below(4);
    if (one_in(2) && extent > 12) extent = 1 + extent % 12;
    tile.extents[k] = (extent < room ? extent : room) * (is_last ? unit : 1);
    tile.count *= tile.extents[k];
  }
  tile.bytes = tile.count * tile.type->bytes;
  return tile;
}

/* A kernel that loads at n coordinates, and copies the surroundings of the tile to check that they
 * are unchanged. */
static void write_loads(unsigned number, const Tile *tile)
{
  static const char *const numbers[] = {"i32", "i64", "u32"};
  static const char *const extents[] = {"%u", "%u, %u", "%u, %u, %u"};
  const uint32_t *e = tile->extents;
  const char *name = tile->type->name;
  uint32_t before = 1 + below(300), behind = 1 + below(300), block = 32 * (1 + below(6));
  if (one_in(10)) before += MOST_STATIC; /* then everything lies in dynamic shared memory */
  write_kernel("kernel k%u(n: u32, at: in i32[n, %u], m: tensor_map<%u, %s>, y: out %s[n, %u])\n"
               "    launch(block = %u, grid = 1)\n{\n    shared before: u8[%u];\n"
               "    shared tile: %s[",
               number, tile->rank, tile->rank, name, name, tile->count, block, before, name);
  char text[64];
  snprintf(text, sizeof text, extents[tile->rank - 1], e[0], e[1], e[2]);
  write_kernel("%s];\n    shared behind: u8[%u];\n", text, behind);
  write_kernel("    for (i in block.stride(%u)) before[i] = 1u8;\n"
               "    for (i in block.stride(%u)) behind[i] = 1u8;\n    for (t in 0..n) {\n"
               "        block.load_tensor(tile, m",
               before, behind);
  for (uint32_t k = 0; k < tile->rank; ++k) write_kernel(", %s(at[t, %u])", numbers[below(3)], k);
  write_kernel(");\n        for (i in block.stride(%u)) y[t, i] = ", tile->count);
  if (tile->rank == 1) write_kernel("tile[i];\n    }\n");
  if (tile->rank == 2) write_kernel("tile[i / %u, i %% %u];\n    }\n", e[1], e[1]);
  if (tile->rank == 3)
    write_kernel("tile[i / %u, i / %u %% %u, i %% %u];\n    }\n", e[1] * e[2], e[2], e[1], e[2]);
  write_kernel(
      "    for (i in block.stride(%u)) assert(before[i] == 1u8, \"before the tile\");\n"
      "    for (i in block.stride(%u)) assert(behind[i] == 1u8, \"behind the tile\");\n}\n",
      before, behind);
}

/* Gives the box another shape with as many elements, by moving factors of 2 between axes. */
static void shape_box(const Tile *tile, Map *map)
{
  memcpy(map->box, tile->extents, sizeof map->box);
  for (int turn = below(4); turn > 0; --turn) {
    uint32_t from = below(map->rank), to = below(map->rank), last = map->rank - 1;
    if (from == to || map->box[from] % 2 || map->box[to] > 128) continue;
    if (from == last && map->box[last] / 2 * map->type->bytes % CHUNK) continue;
    map->box[from] /= 2;
    map->box[to] *= 2;
  }
}

static void shape_tensor(Map *map)
{
  const uint32_t last = map->rank - 1, unit = CHUNK / map->type->bytes;
  uint32_t order[] = {last ? last - 1 : 0, 0}; /* the axes by their strides, ascending */
  if (last == 2 && one_in(3)) order[0] = 0, order[1] = 1;
  size_t bytes;
  do {
    int64_t reach = 0, stride = 1;
    for (uint32_t i = 0; i < map->rank; ++i) {
      uint32_t k = i ? order[i - 1] : last;
      map->extents[k] = one_in(5) ? 1 : 1 + below(i ? 24 : one_in(2) ? 40 : 300);
      map->strides[k] = stride;
      reach += (map->extents[k] - 1) * stride;
      stride = (stride * map->extents[k] + unit - 1) / unit * unit;
      if (one_in(2)) stride += unit * below(5);
    }
    bytes = (size_t)(reach + 1) * map->type->bytes;
  } while (bytes > DATA_BYTES);
  map->offset = below((DATA_BYTES - bytes) / CHUNK + 1) * CHUNK;
}

static Map random_map(const Tile *tile)
{
  Map map = {
      .type = tile->type, .rank = tile->rank, .options = CK_OPTIONS_INIT(ck_tensor_map_options_t)};
  shape_box(tile, &map);
  shape_tensor(&map);
  ck_tensor_map_options_t *options = &map.options;
  uint32_t inner = map.box[map.rank - 1] * map.type->bytes;
  for (uint32_t k = 0; k < map.rank; ++k) {
    uint32_t step = one_in(2) ? 1 : 1 + below(8);
    bool is_last = k + 1 == map.rank;
    if (!is_last && map.box[k] * step > 256) step = 1;
    options->element_strides[k] = step == 1 && one_in(2) ? 0 : step;
    options->box[k] = is_last ? map.box[k] : map.box[k] * step - below(step);
  }
  if (inner == 32 && one_in(2)) options->swizzle = CK_SWIZZLE_32B;
  if (inner == 64 && one_in(2)) options->swizzle = CK_SWIZZLE_64B;
  if (inner == 128 && one_in(2)) options->swizzle = CK_SWIZZLE_128B;
  options->l2 = (ck_tensor_l2_t)below(4);
  options->fill = map.type->exponent_bits && one_in(2) ? CK_FILL_NAN : CK_FILL_ZERO;
  options->type = map.type->dtype == CK_F32 || one_in(2) ? map.type->map : CK_TENSOR_OF_VIEW;
  return map;
}

/* Coordinates in and around the tensor, sometimes far away; the last one is a multiple of 16 bytes.
 */
static void random_place(const Map *map, int32_t *place)
{
  for (uint32_t k = 0; k < map->rank; ++k) {
    int64_t span = (int64_t)map->options.box[k];
    place[k] = one_in(20)   ? (int32_t)random_bits()
               : one_in(40) ? (one_in(2) ? INT32_MAX : INT32_MIN)
                            : between(-2 * span, map->extents[k] + span);
    if (k + 1 == map->rank) place[k] -= place[k] % (int32_t)(CHUNK / map->type->bytes);
  }
}

/* loads -------------------------------------------------------------------------------------- */

static void tell(const char *what, uint64_t number, const Map *map, const int32_t *place, int i)
{
  fprintf(stderr, "%s: seed %llu, %s (map type %d), element %d, swizzle %d, fill %d\n", what,
          (unsigned long long)(random_seed + number), map->type->name, (int)map->type->map, i,
          (int)map->options.swizzle, (int)map->options.fill);
  for (uint32_t k = 0; k < map->rank; ++k)
    fprintf(stderr, "  axis %u: extent %lld, stride %lld, box %u, step %u, at %d\n", k,
            (long long)map->extents[k], (long long)map->strides[k], map->options.box[k],
            map->options.element_strides[k], place ? place[k] : 0);
}

static void try_map(uint64_t number, ck_kernel_t *k, const Tile *tile)
{
  static unsigned char got[PLACES * MOST_BYTES];
  int32_t places[PLACES * MOST_AXES] = {0};
  Map map = random_map(tile);
  ck_view_t view;
  ck_tensor_map_t *native = NULL;
  for (uint32_t i = 0; i < PLACES; ++i) random_place(&map, places + i * map.rank);
  CHECK_OK(ck_view_from_buffer(buffer, map.offset, map.type->dtype, 1, map.rank, map.extents,
                               map.strides, &view));
  if (!CHECK_OK(ck_tensor_map_from_view(&view, &map.options, &native)) ||
      !CHECK(ck_tensor_map_box_bytes(native) == tile->bytes)) {
    tell("map", number, &map, NULL, 0);
    ck_tensor_map_release(native);
    return;
  }
  ck_buffer_t *at = zeros(sizeof places), *y = zeros(PLACES * tile->bytes);
  CHECK_OK(ck_buffer_write(at, 0, places, sizeof places, stream));
  CHECK_OK(ck_launch(stream, NULL, k, PLACES, at, native, y));
  CHECK_OK(ck_buffer_read(y, 0, got, PLACES * tile->bytes, stream));
  CHECK_OK(ck_stream_sync(stream));
  for (uint32_t i = 0; i < PLACES; ++i) {
    const int32_t *place = places + i * map.rank;
    int wrong = first_wrong(&map, place, got + i * tile->bytes, tile->count);
    if (!CHECK(wrong < 0)) tell("load", number, &map, place, wrong);
  }
  ck_buffer_release(at);
  ck_buffer_release(y);
  ck_tensor_map_release(native);
}

TEST(loads)
{
  for (uint64_t number = 0; number < random_count; ++number) {
    Tile tiles[KERNELS];
    random_start(number);
    for (unsigned i = 0; i < KERNELS; ++i) {
      tiles[i] = random_tile();
      write_loads(i, &tiles[i]);
    }
    compile_kernels();
    for (unsigned i = 0; i < KERNELS; ++i) {
      char name[16];
      snprintf(name, sizeof name, "k%u", i);
      ck_kernel_t *k = kernel(name);
      for (int turn = 0; turn < MAPS; ++turn) try_map(number, k, &tiles[i]);
      ck_kernel_release(k);
    }
  }
}

/* rules -------------------------------------------------------------------------------------- */

/* A view and options for both kinds of map, valid or not; a row has `inner` elements. */
typedef struct Question {
  ck_view_t view;
  uint32_t least_rank, element_strides[CK_TENSOR_MAX_RANK], inner;
  size_t count; /* elements that a copy writes */
  int type, interleave, swizzle, l2, fill;
} Question;

static const Type *type_of_map(int type)
{
  for (int i = 0; i < TYPES; ++i)
    if ((int)types[i].map == type) return &types[i];
  return NULL;
}

static bool are_words_allowed(const Question *q, const Type *type)
{
  if (q->interleave < 0 || q->interleave > CK_INTERLEAVE_32B || q->swizzle < 0 ||
      q->swizzle > CK_SWIZZLE_128B || q->l2 < 0 || q->l2 > CK_L2_FETCH_256B || q->fill < 0 ||
      q->fill > CK_FILL_NAN)
    return false;
  uint32_t bytes = q->inner * type->bytes;
  if (q->fill == CK_FILL_NAN && !type->exponent_bits) return false;
  if (q->interleave == CK_INTERLEAVE_32B && q->swizzle != CK_SWIZZLE_32B) return false;
  if (bytes % CHUNK) return false;
  return q->interleave ? q->view.rank >= 3 : !q->swizzle || bytes <= 16u << q->swizzle;
}

static bool is_tensor_allowed(const Question *q)
{
  const ck_view_t *view = &q->view;
  const Type *own = NULL, *type = q->type ? type_of_map(q->type) : NULL;
  for (int i = 0; i < TYPES && !own; ++i)
    if (types[i].dtype == view->dtype) own = &types[i];
  if (q->type && (!type || type->bytes != own->bytes)) return false;
  if (view->rank < q->least_rank || view->rank > 5) return false;
  if (q->count * own->bytes > (size_t)shared_bytes) return false;
  if (!are_words_allowed(q, type ? type : own)) return false;
  int64_t unit = q->interleave == CK_INTERLEAVE_32B ? 32 : 16;
  if ((ck_buffer_native(buffer) + view->offset) % (uint64_t)unit) return false;
  for (uint32_t k = 0; k < view->rank; ++k) {
    int64_t extent = view->extents[k], stride = view->strides[k];
    if (extent < 1 || extent > INT64_C(1) << 32 || q->element_strides[k] > 8) return false;
    if (k + 1 == view->rank
            ? stride != 1 && extent > 1
            : stride < 0 || stride * own->bytes % unit || stride * own->bytes >= INT64_C(1) << 40)
      return false;
  }
  return true;
}

/* A valid view, which may then be made invalid in one way. */
static void random_view(Question *q)
{
  const Type *type = &types[below(TYPES)];
  ck_view_t *view = &q->view;
  int64_t stride = 1, unit = 32 / type->bytes;
  *view = (ck_view_t){.buffer = buffer, .dtype = type->dtype, .components = 1};
  view->rank = one_in(12) ? below(7) : 1 + below(5);
  view->offset = DATA_BYTES / 2 + below(8) * (one_in(10) ? type->bytes : one_in(5) ? 16 : 32);
  for (uint32_t k = view->rank; k-- > 0;) {
    view->extents[k] = 1 + below(one_in(3) ? 1 : 6);
    view->strides[k] = stride;
    stride = (stride * view->extents[k] + unit - 1) / unit * unit;
    if (one_in(20)) stride += one_in(2) ? unit / 2 : 1;
  }
  if (!view->rank) return;
  uint32_t axis = below(view->rank);
  if (one_in(20)) view->strides[axis] = -view->strides[axis];
  if (one_in(20)) view->extents[axis] = 0;
  if (one_in(20)) view->strides[view->rank - 1] = 2;
  if (one_in(10) && view->extents[axis] == 1)
    view->strides[axis] = (INT64_C(1) << 40) / type->bytes - (one_in(2) ? unit : 0);
  if (one_in(20)) {
    view->strides[axis] = 0;
    view->extents[axis] = (INT64_C(1) << 32) + between(-1, 1);
  }
}

static Question random_question(uint32_t least_rank)
{
  Question q = {.least_rank = least_rank};
  random_view(&q);
  const Type *type = &types[below(TYPES)];
  size_t width = ck_dtype_bytes(q.view.dtype);
  if (one_in(3) && (type->bytes == width || one_in(10))) q.type = (int)type->map;
  if (one_in(50)) q.type = between(-2, 20);
  for (int k = 0; k < CK_TENSOR_MAX_RANK; ++k) q.element_strides[k] = below(one_in(15) ? 12 : 9);
  q.interleave = one_in(4) ? between(one_in(9) ? -1 : 0, one_in(9) ? 3 : 2) : 0;
  q.swizzle = one_in(20)                          ? between(-1, 5)
              : q.interleave == CK_INTERLEAVE_32B ? CK_SWIZZLE_32B
                                                  : (int)below(4);
  q.l2 = one_in(30) ? between(-1, 5) : (int)below(4);
  q.fill = one_in(30) ? between(-1, 3) : (int)below(2);
  q.inner = (uint32_t)(1 + below(8)) * (uint32_t)(CHUNK / width) + (one_in(10) ? 1 : 0);
  if (one_in(15)) q.inner = below(300);
  return q;
}

#define READ_QUESTION(options_, q_)                                                                \
  ((options_).type = (ck_tensor_type_t)(q_).type,                                                  \
   (options_).interleave = (ck_tensor_interleave_t)(q_).interleave,                                \
   (options_).swizzle = (ck_tensor_swizzle_t)(q_).swizzle,                                         \
   (options_).l2 = (ck_tensor_l2_t)(q_).l2, (options_).fill = (ck_tensor_fill_t)(q_).fill,         \
   memcpy((options_).element_strides, (q_).element_strides, sizeof(q_).element_strides))

static void check_answer(uint64_t number, const char *what, const Question *q, bool is_allowed,
                         ck_status_t status, ck_tensor_map_t *map)
{
  bool is_right = status == (is_allowed ? CK_OK : CK_INVALID_ARGUMENT) && !map == !is_allowed;
  ck_tensor_map_release(map);
  if (CHECK(is_right)) return;
  fprintf(stderr,
          "%s: seed %llu: %s, but %s; %s, %u axes at %zu, inner %u of %zu, type %d, interleave %d, "
          "swizzle %d, l2 %d, fill %d\n",
          what, (unsigned long long)(random_seed + number), is_allowed ? "allowed" : "not allowed",
          status == CK_OK ? "made" : "refused", ck_dtype_name(q->view.dtype), q->view.rank,
          q->view.offset, q->inner, q->count, q->type, q->interleave, q->swizzle, q->l2, q->fill);
  for (uint32_t k = 0; k < q->view.rank; ++k)
    fprintf(stderr, "  extent %lld, stride %lld, step %u\n", (long long)q->view.extents[k],
            (long long)q->view.strides[k], k < 5 ? q->element_strides[k] : 0);
}

static void try_box_rules(uint64_t number)
{
  Question q = random_question(1);
  ck_tensor_map_options_t options = CK_OPTIONS_INIT(ck_tensor_map_options_t);
  ck_tensor_map_t *map = NULL;
  READ_QUESTION(options, q);
  bool is_allowed = true;
  q.count = 1;
  for (uint32_t k = 0; k < CK_TENSOR_MAX_RANK; ++k) {
    options.box[k] = one_in(20) ? below(300) : 1 + below(one_in(2) ? 12 : 256);
    if (k + 1 == q.view.rank) options.box[k] = q.inner;
    if (k >= q.view.rank) continue;
    uint32_t step = k + 1 < q.view.rank && q.element_strides[k] ? q.element_strides[k] : 1;
    is_allowed &= options.box[k] >= 1 && options.box[k] <= 256;
    q.count *= (options.box[k] - 1) / step + 1;
  }
  ck_status_t status = ck_tensor_map_from_view(&q.view, &options, &map);
  check_answer(number, "box", &q, is_allowed && is_tensor_allowed(&q), status, map);
}

static void try_im2col_rules(uint64_t number)
{
  static const int mosts[] = {0, 0, 0, 32767, 127, 15};
  Question q = random_question(3);
  ck_im2col_options_t options = CK_OPTIONS_INIT(ck_im2col_options_t);
  ck_tensor_map_t *map = NULL;
  READ_QUESTION(options, q);
  options.channels = q.inner;
  options.pixels = one_in(10) ? below(1100) : 1 + below(1024);
  q.count = (size_t)q.inner * options.pixels;
  bool is_allowed = q.inner >= 1 && q.inner <= 256 && options.pixels >= 1 && options.pixels <= 1024;
  for (uint32_t k = 0; k + 2 < q.view.rank && k < 3; ++k) {
    int most = q.view.rank > 5 ? 0 : mosts[q.view.rank];
    int64_t lower = one_in(15) ? between(-most - 2, most + 2) : between(-2, 1), extent, upper;
    upper = one_in(15) ? between(-most - 2, most + 2) : between(-1, 2);
    options.lower[k] = (int32_t)lower;
    options.upper[k] = (int32_t)upper;
    extent = q.view.extents[k + 1 + !!q.interleave]; /* after N and the slices of C */
    is_allowed &= lower >= -most - 1 && lower <= most && upper >= -most - 1 && upper <= most &&
                  extent + upper - lower > 0 && extent + upper <= INT32_MAX;
  }
  ck_status_t status = ck_tensor_map_from_im2col(&q.view, &options, &map);
  check_answer(number, "im2col", &q, is_allowed && is_tensor_allowed(&q), status, map);
}

TEST(rules)
{
  for (uint64_t number = 0; number < random_count; ++number) {
    random_start(number);
    for (int i = 0; i < RULES; ++i) {
      try_box_rules(number);
      try_im2col_rules(number);
    }
  }
}

/* Fills words with arbitrary bits; many lie halfway between two tf32 values, others have an
 * exponent of all zeros or all ones. */
static void random_data(void)
{
  random_state = 0;
  for (size_t i = 0; i < sizeof data; i += 4) {
    uint32_t word = (uint32_t)random_bits(), low = (1u << 12) - 1 + below(3);
    if (one_in(4)) word = (word & ~0x1fffu) | low;
    if (one_in(10)) word &= ~0x7f800000u;
    if (one_in(20)) word |= 0x7f800000u;
    memcpy(data + i, &word, 4);
  }
}

int main(int argc, char **argv)
{
  random_open(argc, argv, 10);
  int missing = open_both("kernel none() {}");
  if (missing) return missing;
  random_data();
  CHECK_OK(
      ck_device_get_attribute(device, CK_DEVICE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, &shared_bytes));
  buffer = zeros(sizeof data);
  CHECK_OK(ck_buffer_write(buffer, 0, data, sizeof data, stream));
  RUN(loads);
  RUN(rules);
  ck_buffer_release(buffer);
  return close_both();
}
