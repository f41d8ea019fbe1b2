/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* array_random.c - copies random parts of random arrays, reads and writes them through surfaces,
 * and compares with the same elements in host memory. On the host device or a GPU: $CK_DEVICE.
 *
 * In an array, x counts elements, y rows, and z planes, layers or faces: CUDA Driver API,
 * CUDA_MEMCPY3D; PTX ISA, "suld", "sust".
 */
#include "random_case.h"

enum {
  KERNELS = 5, /* per case: two arrays for each */
  STEPS = 8,   /* copies and launches between the arrays */
  PLACES = 96,
  MOST_BYTES = 1 << 18
};

typedef struct Format {
  const char *name;
  ck_dtype_t dtype;
  uint32_t bytes;
} Format;

static const Format formats[] = {{"u8", CK_U8, 1},   {"i8", CK_I8, 1},   {"u16", CK_U16, 2},
                                 {"i16", CK_I16, 2}, {"u32", CK_U32, 4}, {"i32", CK_I32, 4},
                                 {"f16", CK_F16, 2}, {"f32", CK_F32, 4}};

/* The kind of surface that a kernel uses. */
typedef struct Kind {
  const Format *format;
  uint32_t rank, channels, bytes; /* of an element */
  bool is_layered;
} Kind;

/* An array and its expected contents. */
typedef struct Image {
  ck_array_t *array;
  size_t extents[3]; /* the last one: planes, layers, faces */
  size_t element_bytes;
  unsigned char bytes[MOST_BYTES];
} Image;

static Image images[2];
static unsigned char staging[MOST_BYTES], before[MOST_BYTES];

static size_t index_of(const Image *image, size_t x, size_t y, size_t z)
{
  return ((z * image->extents[1] + y) * image->extents[0] + x) * image->element_bytes;
}

static size_t bytes_of(const Image *image)
{
  return index_of(image, 0, 0, image->extents[2]);
}

/* kernels ------------------------------------------------------------------------------------ */

static Kind random_kind(void)
{
  Kind kind = {.format = &formats[below(8)], .rank = 1 + below(3), .channels = 1u << below(3)};
  kind.is_layered = kind.rank < 3 && one_in(2);
  kind.bytes = kind.channels * kind.format->bytes;
  return kind;
}

/* Writes the names of a position's coordinates in a call, each followed by a comma. */
static void write_place(const Kind *kind, const char *integer, const char *array)
{
  for (uint32_t k = 0; k < kind->rank; ++k) write_kernel("%s(%s[i, %u]), ", integer, array, k);
  if (kind->is_layered) write_kernel("%s(%s[i, 2]), ", integer, array);
}

/* Writes a kernel that loads elements at `from` and stores them at `to`, in another surface or the
 * same. */
static void write_moves(unsigned number, const Kind *kind)
{
  static const char *const integers[] = {"i32", "u32", "i64"};
  const char *integer = integers[below(3)];
  char type[16], handle[48];
  if (kind->channels == 1) snprintf(type, sizeof type, "%s", kind->format->name);
  else snprintf(type, sizeof type, "%sx%u", kind->format->name, kind->channels);
  snprintf(handle, sizeof handle, "surface%s<%u, %s>", kind->is_layered ? "_array" : "", kind->rank,
           type);
  write_kernel("kernel load%u(n: u32, s: %s, from: in i32[n, 3], v: out %s[n])\n"
               "    launch(block = 32, grid = ceil_div(n, 32))\n"
               "{\n    let i = u32(grid.thread_rank);\n    if (i < n) v[i] = s.load(",
               number, handle, type);
  write_place(kind, integer, "from");
  kernels_used -= 2;
  write_kernel(");\n}\nkernel store%u(n: u32, s: %s, to: in i32[n, 3], v: in %s[n])\n"
               "    launch(block = 32, grid = ceil_div(n, 32))\n"
               "{\n    let i = u32(grid.thread_rank);\n    if (i < n) s.store(",
               number, handle, type);
  write_place(kind, integer, "to");
  write_kernel("v[i]);\n}\n");
}

/* arrays ------------------------------------------------------------------------------------- */

static void make_image(const Kind *kind, Image *image)
{
  ck_array_options_t shape = CK_OPTIONS_INIT(ck_array_options_t);
  bool is_cube = kind->rank == 2 && kind->is_layered && one_in(3);
  size_t width = 1 + below(kind->rank == 1 ? 60 : 20), height = 1 + below(12),
         slices = 1 + below(5);
  if (is_cube) height = width;
  shape.dtype = kind->format->dtype;
  shape.channels = kind->channels;
  shape.flags = CK_ARRAY_SURFACE | (is_cube ? CK_ARRAY_CUBEMAP : 0);
  shape.width = width;
  shape.height = kind->rank > 1 ? height : 0;
  shape.depth = kind->rank > 2 ? slices : 0;
  shape.layers = kind->is_layered && !(is_cube && one_in(2)) ? slices : 0;
  image->extents[0] = width;
  image->extents[1] = kind->rank > 1 ? height : 1;
  image->extents[2] = is_cube                              ? 6 * (shape.layers ? slices : 1)
                      : kind->rank > 2 || kind->is_layered ? slices
                                                           : 1;
  image->element_bytes = kind->bytes;
  ck_mipmap_t *mipmap = NULL;
  if (one_in(4)) { /* a mipmap's largest level is an array as well */
    CHECK_OK(ck_mipmap_create(device, &shape, 0, &mipmap));
    CHECK_OK(ck_mipmap_get_level(mipmap, 0, &image->array));
    ck_mipmap_release(mipmap);
  } else {
    CHECK_OK(ck_array_create(device, &shape, &image->array));
  }
  CHECK(ck_array_bytes(image->array) == bytes_of(image) && bytes_of(image) <= MOST_BYTES);
  random_fill(image->bytes, bytes_of(image));
  CHECK_OK(ck_array_write(image->array, image->bytes, bytes_of(image), stream));
  CHECK_OK(ck_stream_sync(stream));
}

static bool is_as_wanted(const Image *image)
{
  CHECK_OK(ck_array_read(image->array, staging, bytes_of(image), stream));
  CHECK_OK(ck_stream_sync(stream));
  return !memcmp(staging, image->bytes, bytes_of(image));
}

/* copies ------------------------------------------------------------------------------------- */

typedef struct Box {
  size_t at[3], counts[3];
} Box;

static Box random_box(const Image *image, const size_t *most)
{
  Box box;
  for (int k = 0; k < 3; ++k) {
    size_t room = image->extents[k] < most[k] ? image->extents[k] : most[k];
    box.counts[k] = 1 + below(room);
    box.at[k] = below(image->extents[k] - box.counts[k] + 1);
  }
  return box;
}

/* Counts that reach the end of the array may be left 0. */
static void put_counts(const Image *image, const Box *box, ck_array_copy_t *copy)
{
  size_t *counts[] = {&copy->width, &copy->height, &copy->depth};
  for (int k = 0; k < 3; ++k) {
    bool is_rest = box->at[k] + box->counts[k] == image->extents[k];
    *counts[k] = is_rest && one_in(2) ? 0 : box->counts[k];
  }
}

static ck_array_side_t side_of(const Image *image, const Box *box)
{
  return (ck_array_side_t){
      .array = image->array, .x = box->at[0], .y = box->at[1], .z = box->at[2]};
}

/* Picks random row and plane sizes, or their defaults. Returns the bytes that the box spans. */
static size_t random_memory(const Image *image, const Box *box, ck_array_side_t *side)
{
  size_t width = box->counts[0] * image->element_bytes;
  side->offset = below(5) * image->element_bytes;
  side->row_bytes = width + below(4) * image->element_bytes;
  side->rows = box->counts[1] + below(3);
  size_t bytes = ((box->counts[2] - 1) * side->rows + box->counts[1]) * side->row_bytes;
  if (side->row_bytes == width && one_in(2)) side->row_bytes = 0;
  if (side->rows == box->counts[1] && one_in(2)) side->rows = 0;
  return side->offset + bytes;
}

/* Copies row by row between the expected contents and memory laid out as `side` says. */
static void copy_rows(Image *image, const Box *box, const ck_array_side_t *side,
                      unsigned char *memory, bool to_image)
{
  size_t width = box->counts[0] * image->element_bytes;
  size_t pitch = side->row_bytes ? side->row_bytes : width;
  size_t rows = side->rows ? side->rows : box->counts[1];
  for (size_t z = 0; z < box->counts[2]; ++z)
    for (size_t y = 0; y < box->counts[1]; ++y) {
      unsigned char *at = memory + side->offset + (z * rows + y) * pitch;
      unsigned char *to =
          image->bytes + index_of(image, box->at[0], box->at[1] + y, box->at[2] + z);
      memcpy(to_image ? to : at, to_image ? at : to, width);
    }
}

/* Copies between an array and host or device memory. */
static void copy_memory(Image *image, bool to_image, bool is_host)
{
  Box box = random_box(image, image->extents);
  ck_array_copy_t copy = CK_OPTIONS_INIT(ck_array_copy_t);
  ck_array_side_t *memory = to_image ? &copy.src : &copy.dst;
  *(to_image ? &copy.dst : &copy.src) = side_of(image, &box);
  size_t bytes = random_memory(image, &box, memory);
  if (!CHECK(bytes <= MOST_BYTES)) return;
  put_counts(image, &box, &copy);
  random_fill(before, bytes);
  memcpy(staging, before, bytes);
  if (is_host) memory->host = staging;
  else {
    memory->buffer = zeros(bytes);
    CHECK_OK(ck_buffer_write(memory->buffer, 0, staging, bytes, stream));
  }
  CHECK_OK(ck_array_copy(&copy, stream));
  if (!is_host) CHECK_OK(ck_buffer_read(memory->buffer, 0, staging, bytes, stream));
  CHECK_OK(ck_stream_sync(stream));
  copy_rows(image, &box, memory, before, to_image);
  CHECK(!memcmp(staging, before, bytes));
  ck_buffer_release(memory->buffer);
}

static void copy_images(Image *dst, Image *src)
{
  Box from = random_box(src, dst->extents), to = from;
  ck_array_copy_t copy = CK_OPTIONS_INIT(ck_array_copy_t);
  for (int k = 0; k < 3; ++k) to.at[k] = below(dst->extents[k] - from.counts[k] + 1);
  copy.dst = side_of(dst, &to);
  copy.src = side_of(src, &from);
  put_counts(dst, &to, &copy);
  CHECK_OK(ck_array_copy(&copy, stream));
  CHECK_OK(ck_stream_sync(stream));
  for (size_t z = 0; z < from.counts[2]; ++z)
    for (size_t y = 0; y < from.counts[1]; ++y)
      memcpy(dst->bytes + index_of(dst, to.at[0], to.at[1] + y, to.at[2] + z),
             src->bytes + index_of(src, from.at[0], from.at[1] + y, from.at[2] + z),
             from.counts[0] * src->element_bytes);
}

/* copies that are refused -------------------------------------------------------------------- */

static ck_buffer_t *rule_buffer;

enum { RULES = 60, RULE_BYTES = 1 << 12 };

/* A number that is small, near a limit, or so large that sums and products of it overflow. */
static size_t random_extent(size_t most)
{
  if (one_in(12)) return SIZE_MAX - below(3);
  if (one_in(12)) return (size_t)1 << (30 + below(34));
  return one_in(4) ? most + below(2) : below(most + 1);
}

/* Memory with room for any box of the images without gaps; or a buffer. */
static void random_side(ck_array_side_t *side, const Image *image, bool is_array)
{
  if (is_array) {
    side->array = image->array;
    side->x = one_in(2) ? 0 : random_extent(image->extents[0]);
    side->y = one_in(2) ? 0 : random_extent(image->extents[1]);
    side->z = one_in(2) ? 0 : random_extent(image->extents[2]);
  } else if (one_in(2)) {
    side->host = staging;
    if (one_in(8)) side->row_bytes = random_extent(200);
    if (side->row_bytes < (size_t)1 << 31) side->row_bytes = 0; /* no gaps */
  } else if (!one_in(8)) {
    side->buffer = rule_buffer;
    side->offset = one_in(2) ? 0 : random_extent(RULE_BYTES);
    side->row_bytes = one_in(2) ? 0 : random_extent(200);
    side->rows = one_in(2) ? 0 : random_extent(14);
  }
}

static bool is_inside(const ck_array_side_t *side, const size_t *counts, const Image *image)
{
  const size_t at[] = {side->x, side->y, side->z};
  bool is_in = true;
  for (int k = 0; k < 3; ++k)
    is_in &= at[k] <= image->extents[k] && counts[k] <= image->extents[k] - at[k];
  return is_in;
}

/* Sums and products of numbers that may have 64 bits. */
static bool has_room(const ck_array_side_t *side, const size_t *counts, size_t element)
{
  __extension__ typedef unsigned __int128 Wide;
  size_t width = counts[0] * element, rows = side->rows ? side->rows : counts[1];
  size_t pitch = side->row_bytes ? side->row_bytes : width;
  if (pitch < width || rows < counts[1] || (!side->buffer && !side->host)) return false;
  if (pitch > INT32_MAX && counts[1] * counts[2] > 1) return false; /* "the maximum allowed" */
  if (side->host) return true;
  Wide lines = (Wide)(counts[2] - 1) * rows + counts[1] - 1;
  return lines < RULE_BYTES && lines * pitch + width + side->offset <= RULE_BYTES;
}

static bool is_copy_allowed(const ck_array_copy_t *copy, const Image *dst, const Image *src)
{
  const ck_array_side_t *sides[] = {&copy->dst, &copy->src};
  const Image *both[] = {dst, src};
  int first = copy->dst.array ? 0 : 1;
  if (!sides[first]->array) return false;
  const size_t at[] = {sides[first]->x, sides[first]->y, sides[first]->z};
  size_t counts[] = {copy->width, copy->height, copy->depth};
  for (int k = 0; k < 3; ++k) {
    if (!counts[k] && at[k] < both[first]->extents[k]) counts[k] = both[first]->extents[k] - at[k];
    if (!counts[k]) return false;
  }
  for (int i = 0; i < 2; ++i)
    if (sides[i]->array && !is_inside(sides[i], counts, both[i])) return false;
  for (int i = 0; i < 2; ++i)
    if (!sides[i]->array && !has_room(sides[i], counts, both[first]->element_bytes)) return false;
  return true;
}

static void try_copy_rules(uint64_t number, const Image *dst, const Image *src)
{
  ck_array_copy_t copy = CK_OPTIONS_INIT(ck_array_copy_t);
  int arrays = one_in(12) ? 0 : 1 + (int)below(3);
  random_side(&copy.dst, dst, arrays & 1);
  random_side(&copy.src, src, arrays & 2);
  copy.width = one_in(2) ? 0 : random_extent(src->extents[0]);
  copy.height = one_in(2) ? 0 : random_extent(src->extents[1]);
  copy.depth = one_in(2) ? 0 : random_extent(src->extents[2]);
  bool is_allowed = is_copy_allowed(&copy, dst, src);
  ck_status_t status = ck_array_copy(&copy, stream);
  CHECK_OK(ck_stream_sync(stream));
  if (CHECK(status == (is_allowed ? CK_OK : CK_INVALID_ARGUMENT))) return;
  fprintf(stderr, "seed %llu: %s, but status %d: %zu x %zu x %zu elements\n",
          (unsigned long long)(random_seed + number), is_allowed ? "allowed" : "not allowed",
          (int)status, copy.width, copy.height, copy.depth);
  for (int i = 0; i < 2; ++i) {
    const ck_array_side_t *side = i ? &copy.src : &copy.dst;
    const size_t *extents = (i ? src : dst)->extents;
    fprintf(stderr,
            "  array %d of %zu x %zu x %zu, at %zu, %zu, %zu; offset %zu, row %zu, rows %zu\n",
            side->array != NULL, extents[0], extents[1], extents[2], side->x, side->y, side->z,
            side->offset, side->row_bytes, side->rows);
  }
}

/* surfaces ----------------------------------------------------------------------------------- */

/* Picks different elements: multiples of a stride that is coprime to the element count. */
static uint32_t random_places(const Image *image, int32_t *places, size_t *indices)
{
  size_t count = bytes_of(image) / image->element_bytes, stride = 1 + below(count);
  for (size_t a = stride, b = count; a != 1;) { /* Euclid */
    size_t rest = b % a;
    b = a, a = rest;
    if (a == 0) stride = stride % count + 1, a = stride, b = count;
  }
  uint32_t used = count < PLACES ? (uint32_t)count : PLACES;
  for (size_t i = 0, at = below(count); i < used; ++i, at = (at + stride) % count) {
    places[3 * i] = (int32_t)(at % image->extents[0]);
    places[3 * i + 1] = (int32_t)(at / image->extents[0] % image->extents[1]);
    places[3 * i + 2] = (int32_t)(at / image->extents[0] / image->extents[1]);
    indices[i] = at * image->element_bytes;
  }
  return used;
}

static void run_moves(unsigned number, const char *name, ck_array_t *array, uint32_t count,
                      ck_buffer_t *places, ck_buffer_t *values)
{
  char text[16];
  ck_surface_t *surface = NULL;
  snprintf(text, sizeof text, "%s%u", name, number);
  ck_kernel_t *k = kernel(text);
  CHECK_OK(ck_surface_create(array, &surface));
  CHECK_OK(ck_launch(stream, NULL, k, count, surface, places, values));
  CHECK_OK(ck_stream_sync(stream));
  ck_surface_release(surface);
  ck_kernel_release(k);
}

static void move_elements(unsigned number, Image *dst, Image *src)
{
  int32_t from[3 * PLACES], to[3 * PLACES];
  size_t reads[PLACES], writes[PLACES], bytes = src->element_bytes;
  uint32_t count = random_places(src, from, reads), most = random_places(dst, to, writes);
  if (count > most) count = most;
  ck_buffer_t *a = zeros(sizeof from), *b = zeros(sizeof to), *v = zeros(PLACES * bytes);
  CHECK_OK(ck_buffer_write(a, 0, from, sizeof from, stream));
  CHECK_OK(ck_buffer_write(b, 0, to, sizeof to, stream));
  run_moves(number, "load", src->array, count, a, v);
  run_moves(number, "store", dst->array, count, b, v);
  for (uint32_t i = 0; i < count; ++i) memcpy(staging + i * bytes, src->bytes + reads[i], bytes);
  for (uint32_t i = 0; i < count; ++i) memcpy(dst->bytes + writes[i], staging + i * bytes, bytes);
  ck_buffer_release(a);
  ck_buffer_release(b);
  ck_buffer_release(v);
}

/* -------------------------------------------------------------------------------------------- */

static void tell(uint64_t number, const Kind *kind, int step, const Image *image)
{
  fprintf(stderr, "seed %llu, step %d: %s x %u of %u axes%s, %zu x %zu x %zu\n",
          (unsigned long long)(random_seed + number), step, kind->format->name, kind->channels,
          kind->rank, kind->is_layered ? " with layers" : "", image->extents[0], image->extents[1],
          image->extents[2]);
}

static void try_kind(uint64_t number, unsigned kernel_number, const Kind *kind)
{
  for (int i = 0; i < 2; ++i) make_image(kind, &images[i]);
  for (int step = 0; step < STEPS; ++step) {
    Image *dst = &images[below(2)], *src = dst == images ? images + 1 : images;
    switch (below(4)) {
    case 0: copy_memory(dst, one_in(2), true); break;
    case 1: copy_memory(dst, one_in(2), false); break;
    case 2: copy_images(dst, src); break;
    case 3: move_elements(kernel_number, dst, src); break;
    }
    if (!CHECK(is_as_wanted(dst) && is_as_wanted(src))) tell(number, kind, step, dst);
  }
  for (int i = 0; i < 2; ++i) ck_array_release(images[i].array);
}

TEST(arrays)
{
  for (uint64_t number = 0; number < random_count; ++number) {
    Kind kinds[KERNELS];
    random_start(number);
    for (unsigned i = 0; i < KERNELS; ++i) {
      kinds[i] = random_kind();
      write_moves(i, &kinds[i]);
    }
    compile_kernels();
    for (unsigned i = 0; i < KERNELS; ++i) try_kind(number, i, &kinds[i]);
  }
}

TEST(rules)
{
  rule_buffer = zeros(RULE_BYTES);
  for (uint64_t number = 0; number < random_count; ++number) {
    random_start(number);
    Kind kind = random_kind();
    for (int i = 0; i < 2; ++i) make_image(&kind, &images[i]);
    for (int i = 0; i < RULES; ++i) try_copy_rules(number, &images[below(2)], &images[below(2)]);
    for (int i = 0; i < 2; ++i) ck_array_release(images[i].array);
  }
  ck_buffer_release(rule_buffer);
}

int main(int argc, char **argv)
{
  random_open(argc, argv, 10);
  int missing = open_both("kernel none() {}");
  if (missing) return missing;
  RUN(arrays);
  RUN(rules);
  return close_both();
}
