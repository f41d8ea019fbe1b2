/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* host_cost.c - tests that sorts and reductions on the host device take no more time than they
 * should.
 *
 * Each time is the minimum of several runs, and is compared with that of a peer in the same
 * process; one CPU thread does both, so the machine's speed does not matter. The margins are wide.
 * Peers, and times measured on an x86-64 machine with 2 cores:
 *
 *   sort of 10^6 keys     qsort; a tenth of its time. std::sort takes about half of qsort's
 *   sort of 1 key         a kernel that waits for its grid twice; 1.5 times its time
 *   block.radix_sort      block.merge_sort; an eighth of its time
 *   reduction in order    a loop of one thread; a third of its time
 */
#include "both.h"

enum { KEYS = 1000000, TILES = 128 * 2048, ROUNDS = 5 };

static const char source[] =
    "algorithm sort(n: u64, x: inout u32[n]) = radix_sort(x);\n"
    "algorithm wait(n: u64, x: inout u32[n]) { grid.sync(); x[0] = 1; grid.sync(); }\n"
    "kernel radix(n: u64, x: inout u32[n]) launch(block = 256, grid = n / 2048) {\n"
    "    let keys = block.load(x, block.rank * 2048, 8);\n"
    "    block.store(x, block.rank * 2048, block.radix_sort(keys));\n"
    "}\n"
    "kernel merge(n: u64, x: inout u32[n]) launch(block = 256, grid = n / 2048) {\n"
    "    let keys = block.load(x, block.rank * 2048, 8);\n"
    "    block.store(x, block.rank * 2048, block.merge_sort(keys, <));\n"
    "}\n"
    "fn line(v: u32) -> (u32, u32) = (v | 1, v);\n"
    "fn after(f: (u32, u32), g: (u32, u32)) -> (u32, u32) = (f[0] * g[0], f[1] * g[0] + g[1]);\n"
    "algorithm fold(n: u64, x: in u32[n]) -> (u32, u32) = reduce(x.map(line), after, (1u32, "
    "0u32));\n"
    "kernel loop(n: u64, x: in u32[n], r: out u32[2]) launch(block = 1, grid = 1) {\n"
    "    var sum = (1u32, 0u32);\n"
    "    for (i in 0..n) sum = after(sum, line(x[i]));\n"
    "    (r[0], r[1]) = sum;\n"
    "}\n";

static uint32_t keys[KEYS], sorted[KEYS], got[KEYS];

/* Processor time, which does not depend on other programs. */
static double now(void)
{
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int compare(const void *a, const void *b)
{
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* Times a kernel on the first keys; `x` has the result afterwards; `r` is another output, or NULL.
 */
static double seconds_of(const char *name, uint64_t count, ck_buffer_t *x, ck_buffer_t *r)
{
  ck_kernel_t *launched = kernel(name);
  double least = 1e9;
  for (int round = 0; round < ROUNDS; ++round) {
    CHECK_OK(ck_buffer_write(x, 0, keys, count * sizeof *keys, stream));
    CHECK_OK(ck_stream_sync(stream));
    const ck_arg_t args[] = {ck_arg(count), ck_span(x, 0, count), ck_arg(r)};
    double start = now();
    CHECK_OK(ck_launch_args(stream, NULL, launched, args, r ? 3 : 2));
    CHECK_OK(ck_stream_sync(stream));
    if (now() - start < least) least = now() - start;
  }
  ck_kernel_release(launched);
  return least;
}

static void compare_times(const char *text, double seconds, const char *peer, double of_peer)
{
  printf("%-24s %9.1f us; %s: %.1f us\n", text, 1e6 * seconds, peer, 1e6 * of_peer);
}

TEST(sort_of_the_grid)
{
  ck_buffer_t *x = zeros(sizeof keys);
  double all = seconds_of("sort", KEYS, x, NULL), peer = 1e9;
  CHECK_OK(ck_buffer_read(x, 0, got, sizeof got, stream));
  CHECK_OK(ck_stream_sync(stream));
  for (int round = 0; round < 3; ++round) {
    memcpy(sorted, keys, sizeof keys);
    double start = now();
    qsort(sorted, KEYS, sizeof *sorted, compare);
    if (now() - start < peer) peer = now() - start;
  }
  compare_times("sort of 10^6 keys", all, "qsort", peer);
  CHECK(!memcmp(got, sorted, sizeof got));
  CHECK(2 * all < peer);
  double one = seconds_of("sort", 1, x, NULL), waits = seconds_of("wait", 1, x, NULL);
  compare_times("sort of 1 key", one, "waits of the grid", waits);
  CHECK(one < 15 * waits);
  ck_buffer_release(x);
}

TEST(sort_of_the_block)
{
  ck_buffer_t *x = zeros(sizeof keys);
  double radix = seconds_of("radix", TILES, x, NULL);
  CHECK_OK(ck_buffer_read(x, 0, got, TILES * sizeof *got, stream));
  double merge = seconds_of("merge", TILES, x, NULL);
  CHECK_OK(ck_buffer_read(x, 0, sorted, TILES * sizeof *got, stream));
  CHECK_OK(ck_stream_sync(stream));
  compare_times("block.radix_sort", radix, "block.merge_sort", merge);
  CHECK(!memcmp(got, sorted, TILES * sizeof *got));
  CHECK(radix < merge);
  ck_buffer_release(x);
}

TEST(reduction_in_order)
{
  ck_buffer_t *x = zeros(sizeof keys), *r = zeros(8), *s = zeros(8);
  double fold = seconds_of("fold", KEYS, x, r), loop = seconds_of("loop", KEYS, x, s);
  compare_times("reduction in order", fold, "a loop", loop);
  CHECK(read_i32(r, 0) == read_i32(s, 0) && read_i32(r, 1) == read_i32(s, 1));
  CHECK(fold < 4 * loop);
  ck_buffer_release(x);
  ck_buffer_release(r);
  ck_buffer_release(s);
}

int main(void)
{
  int missing = open_both(source);
  if (missing) return missing;
  if (!ck_device_is_host(device)) {
    printf("0 passed, 0 failed: not the host device\n");
    close_both();
    return 77;
  }
  for (uint32_t i = 0, state = 1; i < KEYS; ++i) keys[i] = state = state * 1664525 + 1013904223;
  run_all();
  return close_both();
}
