/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* block.c - times block and warp primitives beside CUB's (cub_block_bench.cu, cub_block.cu): the
 * same kernels, inputs, shapes, rounds and checksums.
 *
 *   block           prints CSV: who,primitive,type,block,items,ns_per_call,checksum. Exit 77
 *                   without a GPU, 1 if a checksum of integers differs from CUB's
 *   block --check   compares the checksums of the smallest block, on $CK_DEVICE, else a GPU, else
 *                   the host
 */
#include "bench.h"

#include "block.ck.text"

#include <stdbool.h>

enum { REPEAT = 64, GRID = 132 * 4, BLOCKS = 3, BLOCK_MOST = 512, ITEMS_MOST = 8 };

/* One measurement. `primitive` and `type` are the peer's names, `kernel` and `instance` those of
 * block.ck. A checksum of 0 isn't compared: it depends on the order of additions. */
typedef struct Cell {
  const char *primitive, *type, *kernel, *instance;
  unsigned items, words; /* items per thread; words per item */
  uint64_t sums[BLOCKS]; /* for blocks of 128, 256, 512 */
} Cell;

static const Cell cells[] = {
    {"reduce",
     "u32",
     "reduce",
     "u32",
     1,
     1,
     {0xeca229a786f270ee, 0xb60f824b67880fde, 0xcda8fd2b759cc7d3}},
    {"reduce",
     "u32",
     "reduce",
     "u32",
     8,
     1,
     {0xec82d7f994f45bcf, 0xaf63c9819c2e0e88, 0xd9bcb834f20529db}},
    {"reduce", "f32", "reduce", "f32", 4, 1, {0, 0, 0}},
    {"reduce",
     "u64",
     "reduce",
     "u64",
     4,
     2,
     {0x7945e3c0bfc01b01, 0xcfd217fbbc1bc393, 0x3bacaa871c5dc25a}},
    {"reduce",
     "4xu32",
     "reduce",
     "Four",
     2,
     4,
     {0x02d1b1ba691a1bcf, 0x91371a607b108e88, 0x6d475e50752829db}},
    {"scan",
     "u32",
     "scan",
     "u32",
     1,
     1,
     {0xc5a90a0bdbd7dbda, 0x3b26735efb8c0449, 0x46e82cfdc9db3755}},
    {"scan",
     "u32",
     "scan",
     "u32",
     8,
     1,
     {0x220c42b3c03544bb, 0x07d184ca14448807, 0x49fa207ba25e191a}},
    {"scan",
     "u64",
     "scan",
     "u64",
     4,
     2,
     {0x9496f6f8ce2c3aa9, 0x6ab471d5afc48d7d, 0xb835cb163989a04f}},
    {"radix_sort",
     "u32",
     "radix_sort",
     "u32",
     4,
     1,
     {0xfe6c2aec29636d93, 0x7a33faeaf47ca71d, 0x229b694f1254dde4}},
    {"radix_sort",
     "u32",
     "radix_sort",
     "u32",
     8,
     1,
     {0x203ef38c13a85eb3, 0xcbb2f960895350c8, 0xe90371ef17093571}},
    {"radix_sort",
     "u64",
     "radix_sort",
     "u64",
     4,
     2,
     {0x739619c44bcbaca3, 0xb774e1e7696af168, 0x0b7ed4071d831b22}},
    {"merge_sort",
     "u32",
     "merge_sort",
     "u32",
     4,
     1,
     {0xfe6c2aec29636d93, 0x7a33faeaf47ca71d, 0x229b694f1254dde4}},
    {"merge_sort",
     "u32",
     "merge_sort",
     "u32",
     8,
     1,
     {0x203ef38c13a85eb3, 0xcbb2f960895350c8, 0xe90371ef17093571}},
    {"merge_sort",
     "u64",
     "merge_sort",
     "u64",
     4,
     2,
     {0x739619c44bcbaca3, 0xb774e1e7696af168, 0x0b7ed4071d831b22}},
    {"exchange",
     "u32",
     "exchange",
     "u32",
     4,
     1,
     {0xddb89fcda931ab51, 0xf2e6a9b048a76e97, 0x5413ae6693b5b0aa}},
    {"exchange",
     "u32",
     "exchange",
     "u32",
     8,
     1,
     {0x04928aa4f1d6685b, 0x34713ebcc3b9d1ec, 0x3db74eedf6faa9db}},
    {"exchange",
     "u64",
     "exchange",
     "u64",
     4,
     2,
     {0x21a3fe3eedbe5abf, 0x01f9ba54e01fc0c8, 0xe713613d16b4297b}},
    {"warp_reduce",
     "u32",
     "warp_reduce",
     "u32",
     1,
     1,
     {0xcff857cb173830ee, 0xdef06b8cd3f04fde, 0xe11cb529d9e4d7d3}},
    {"warp_reduce", "f32", "warp_reduce", "f32", 1, 1, {0, 0, 0}},
    {"warp_scan",
     "u32",
     "warp_scan",
     "u32",
     1,
     1,
     {0x5d6683dcf0fcd996, 0x09275e3a405c0476, 0x405dd909542f663b}},
    {"load_store_blocked",
     "u32",
     "load_store",
     "0,u32",
     8,
     1,
     {0xd86fba9dc0503bcf, 0x8953904cbcc28e88, 0x88c3263a1202a9db}},
    {"load_store_blocked",
     "4xu32",
     "load_store",
     "0,Four",
     2,
     4,
     {0x4fb67579a1be3bcf, 0x24f748b27f9e8e88, 0xe41ba1bd97baa9db}},
    {"load_store_striped",
     "u32",
     "load_store",
     "1,u32",
     8,
     1,
     {0xd8d669d488f83bcf, 0x28bfdcaaae128e88, 0x731936b774a2a9db}},
    {"load_store_striped",
     "4xu32",
     "load_store",
     "1,Four",
     2,
     4,
     {0x49224c7610ee3bcf, 0xf4494f902dfe8e88, 0xd98df30c347aa9db}},
    {"load_store_transpose",
     "u32",
     "load_store",
     "4,u32",
     8,
     1,
     {0xd86fba9dc0503bcf, 0x8953904cbcc28e88, 0x88c3263a1202a9db}},
    {"load_store_transpose",
     "4xu32",
     "load_store",
     "4,Four",
     2,
     4,
     {0x4fb67579a1be3bcf, 0x24f748b27f9e8e88, 0xe41ba1bd97baa9db}},
    {"load_store_warp_transpose",
     "u32",
     "load_store",
     "5,u32",
     8,
     1,
     {0xd86fba9dc0503bcf, 0x8953904cbcc28e88, 0x88c3263a1202a9db}},
    {"load_store_warp_transpose",
     "4xu32",
     "load_store",
     "5,Four",
     2,
     4,
     {0x4fb67579a1be3bcf, 0x24f748b27f9e8e88, 0xe41ba1bd97baa9db}},
    {"load_store_vectorized",
     "u32",
     "load_store",
     "3,u32",
     8,
     1,
     {0xd86fba9dc0503bcf, 0x8953904cbcc28e88, 0x88c3263a1202a9db}},
    {"histogram",
     "u32",
     "histogram",
     "u32",
     8,
     1,
     {0xb3d660d977acbfb9, 0x5c2d2572e8c96f12, 0x19aa873e5283e20d}},
    {"histogram_sort",
     "u32",
     "histogram_sort",
     "u32",
     8,
     1,
     {0xb3d660d977acbfb9, 0x5c2d2572e8c96f12, 0x19aa873e5283e20d}},
    {"scan",
     "4xu32",
     "scan_four",
     "Four",
     2,
     4,
     {0x536e43e89943e37e, 0x9f06f41efac00c16, 0x0d5739192206aff9}},
    {"exchange",
     "4xu32",
     "exchange_four",
     "Four",
     2,
     4,
     {0x7ee5982578d43bcf, 0xa7442164464f2cb8, 0x29882a91a7ff991b}},
    {"merge_sort",
     "4xu32",
     "merge_sort_four",
     "Four",
     2,
     4,
     {0x4de479f499efc5af, 0x1b57a15dbe8a14e8, 0x58d268202751301b}},
    {"radix_sort",
     "f32",
     "radix_float",
     "f32",
     4,
     1,
     {0x3a9fb319db91e7f1, 0xc43295e52e7b74f7, 0x13217f9dd3bb7b18}},
    {"radix_sort",
     "f32",
     "radix_float",
     "f32",
     8,
     1,
     {0xb944c031d68f5d79, 0x99d50d67890113de, 0x3b9e7c96fc960ef7}},
    {"radix_pairs",
     "f32",
     "radix_pairs",
     "f32",
     4,
     1,
     {0x0805cff0933ad59b, 0x36945d6d81ae3c7f, 0xd2c0bc81e18ba454}},
    {"radix_pairs",
     "f32",
     "radix_pairs",
     "f32",
     8,
     1,
     {0x36945d6d81ae3c7f, 0xd2c0bc81e18ba454, 0xa8832d43122adad1}},
};

typedef struct Bench {
  ck_device_t *device;
  ck_stream_t *stream;
  ck_buffer_t *in;
  ck_event_t *events[2];
} Bench;

/* Word i is a hash of i * 4, as in the peer. */
static ck_buffer_t *input(const Bench *on)
{
  size_t count = (size_t)GRID * BLOCK_MOST * ITEMS_MOST * 2 + 64;
  uint32_t *words = malloc(count * sizeof *words);
  ck_buffer_t *buffer;
  if (!words) exit(1);
  for (size_t i = 0; i < count; ++i) {
    uint32_t x = (uint32_t)i * 4;
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    words[i] = x ^ x >> 16;
  }
  TRY(ck_buffer_create(on->device, count * 4, on->stream, &buffer));
  TRY(ck_buffer_write(buffer, 0, words, count * 4, on->stream));
  TRY(ck_stream_sync(on->stream));
  free(words);
  return buffer;
}

static ck_kernel_t *compile(const Bench *on, const char *instance, ck_backend_t backend)
{
  ck_compile_options_t options = CK_OPTIONS_INIT(ck_compile_options_t);
  ck_program_t *program;
  ck_object_code_t *code;
  ck_kernel_t *kernel;
  options.backend = backend;
  options.instances = &instance;
  options.instance_count = 1;
  TRY(ck_program_create(block_ck, sizeof block_ck - 1, &options, &program));
  TRY(ck_program_compile(program, on->device, &code));
  TRY(ck_kernel_from_code(code, on->device, instance, &kernel));
  ck_object_code_release(code);
  ck_program_release(program);
  return kernel;
}

static double launch_ns(const Bench *on, ck_kernel_t *kernel, ck_buffer_t *out)
{
  ck_launch_config_t config = CK_OPTIONS_INIT(ck_launch_config_t);
  double seconds;
  config.grid[0] = GRID;
  TRY(ck_stream_record(on->stream, on->events[0]));
  TRY(ck_launch(on->stream, &config, kernel, REPEAT, on->in, out));
  TRY(ck_stream_record(on->stream, on->events[1]));
  TRY(ck_event_sync(on->events[1]));
  TRY(ck_event_get_elapsed(on->events[0], on->events[1], &seconds));
  return seconds * 1e9 / REPEAT;
}

/* Returns 1 if a checksum of integers differs from CUB's. */
static int measure(const Bench *on, const Cell *cell, int size, ck_backend_t backend, bool is_timed)
{
  enum { WARM = 3 };
  char instance[64];
  unsigned block = 128u << size;
  size_t count = (size_t)GRID * block * cell->items * cell->words;
  snprintf(instance, sizeof instance, "%s<%s,%u,%u>", cell->kernel, cell->instance, block,
           cell->items);
  ck_kernel_t *kernel = compile(on, instance, backend);
  ck_buffer_t *out;
  TRY(ck_buffer_create(on->device, count * 4, on->stream, &out));
  double ns[ROUNDS];
  for (int i = 0; is_timed && i < WARM; ++i) launch_ns(on, kernel, out);
  for (int i = 0; i < (is_timed ? ROUNDS : 1); ++i) ns[i] = launch_ns(on, kernel, out);
  uint32_t *words = malloc(count * sizeof *words);
  if (!words) exit(1);
  TRY(ck_buffer_read(out, 0, words, count * 4, on->stream));
  TRY(ck_stream_sync(on->stream));
  uint64_t sum = 0;
  for (size_t i = 0; i < count; ++i) sum = sum * 1099511628211u + words[i];
  bool is_wrong = cell->sums[size] && sum != cell->sums[size];
  printf("%s,%s,%s,%u,%u,%.1f,%016llx%s\n", backend == CK_BACKEND_NVPTX ? "ck_nvptx" : "ck_libnvvm",
         cell->primitive, cell->type, block, cell->items, is_timed ? median(ns, ROUNDS) : 0,
         (unsigned long long)sum, is_wrong ? ",WRONG" : "");
  fflush(stdout);
  free(words);
  ck_buffer_release(out);
  ck_kernel_release(kernel);
  return is_wrong;
}

int main(int argc, char **argv)
{
  bool is_check = argc > 1 && !strcmp(argv[1], "--check");
  Bench on = {0};
  int status = 0;
  TRY(ck_device_open_auto(&on.device));
  bool is_host = ck_device_is_host(on.device);
  if (is_host && !is_check) return 77;
  TRY(ck_stream_create(on.device, NULL, &on.stream));
  ck_event_options_t timing = CK_OPTIONS_INIT(ck_event_options_t);
  timing.flags = CK_EVENT_TIMING;
  for (int i = 0; i < 2; ++i) TRY(ck_event_create(on.device, &timing, &on.events[i]));
  on.in = input(&on);
  printf("who,primitive,type,block,items,ns_per_call,checksum\n");
  for (int backend = 0; backend < (is_host ? 1 : 2); ++backend)
    for (int size = 0; size < (is_check ? 1 : BLOCKS); ++size)
      for (size_t i = 0; i < sizeof cells / sizeof *cells; ++i)
        status |=
            measure(&on, &cells[i], size, backend ? CK_BACKEND_NVPTX : CK_BACKEND_AUTO, !is_check);
  for (int i = 0; i < 2; ++i) ck_event_release(on.events[i]);
  ck_buffer_release(on.in);
  ck_stream_release(on.stream);
  ck_device_release(on.device);
  return status;
}
