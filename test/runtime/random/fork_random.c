/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* fork_random.c - captures the forks of a graph on threads of their own at the same time: kernels,
 * fills, copies, allocations, host functions, and forks of forks. Launches the graphs, and compares
 * with loops. On the host device or a GPU: $CK_DEVICE.
 *
 *   fork_random [COUNT [SEED]]
 */
#include <pthread.h>
#include <stdatomic.h>

#include "both.h"
#include "random.h"

enum { FORKS = 4, WORDS = 500, MOST_OPS = 10, LAUNCHES = 2 };

typedef enum Kind { FILL, MIX, VIA, CALL, NESTED, KEEP, KINDS } Kind;

/* An operation on the first words of `to`; nested: through memory of the graph, and a call. Memory
 * that is kept last is read after the forks are joined. */
typedef struct Op {
  Kind kind;
  uint32_t count, value;
} Op;

typedef struct Fork {
  ck_graph_builder_t *builder;
  ck_buffer_t *from, *to, *kept;
  uint32_t from_words[WORDS], to_words[WORDS], kept_words[WORDS]; /* expected contents */
  atomic_uint calls;
  uint32_t expected_calls;
  Op ops[MOST_OPS];
  uint32_t op_count;
  char failure[300];
} Fork;

static const char source[] = "kernel mix(n: u64, factor: u32, a: in u32[n], b: inout u32[n])\n"
                             "    launch(block = 64, grid = ceil_div(n, 64)) {\n"
                             "    let i = grid.thread_rank;\n"
                             "    if (i < n) b[i] = b[i] * factor + a[i] + u32(i);\n"
                             "}\n";

static ck_kernel_t *mix;
static ck_memory_resource_t *graph_memory;
static pthread_barrier_t at_once;
static Fork forks[FORKS];

static void apply(Fork *fork, const Op *op)
{
  uint32_t *to = fork->to_words, *from = fork->from_words;
  fork->expected_calls += op->kind == CALL || op->kind == NESTED;
  if (op->kind == KEEP) memcpy(fork->kept_words, to, sizeof fork->kept_words);
  for (uint32_t i = 0; i < op->count && op->kind != CALL && op->kind != KEEP; ++i)
    to[i] = op->kind == FILL  ? op->value
            : op->kind == MIX ? to[i] * op->value + from[i] + i
                              : from[i];
}

static void apply_all(Fork *fork)
{
  bool has_kept = false;
  for (uint32_t k = 0; k < fork->op_count; ++k) {
    apply(fork, &fork->ops[k]);
    has_kept |= fork->ops[k].kind == KEEP;
  }
  if (has_kept) memcpy(fork->to_words, fork->kept_words, sizeof fork->to_words);
}

/* capturing ----------------------------------------------------------------------------------- */

static void count_call(void *data)
{
  ++*(atomic_uint *)data;
}

static ck_status_t copy_via(const Fork *fork, ck_graph_builder_t *builder, size_t bytes)
{
  ck_stream_t *own = ck_graph_builder_stream(builder);
  ck_buffer_t *between = NULL;
  ck_status_t status = ck_memory_resource_create_buffer(graph_memory, bytes, own, &between);
  if (status == CK_OK) status = ck_buffer_copy(between, 0, fork->from, 0, bytes, own);
  if (status == CK_OK) status = ck_buffer_copy(fork->to, 0, between, 0, bytes, own);
  ck_buffer_release(between);
  return status;
}

static ck_status_t call(Fork *fork)
{
  return ck_graph_builder_launch_host(fork->builder, count_call, &fork->calls, NULL);
}

/* The copy in a fork of the fork, with the call beside it. */
static ck_status_t nest(Fork *fork, size_t bytes)
{
  ck_graph_builder_t *inner = NULL;
  ck_status_t status = ck_graph_builder_split(fork->builder, 1, &inner);
  if (status == CK_OK) status = copy_via(fork, inner, bytes);
  if (status == CK_OK) status = call(fork);
  if (status == CK_OK) status = ck_graph_builder_join(fork->builder, &inner, 1);
  ck_graph_builder_release(inner);
  return status;
}

static ck_status_t keep(Fork *fork)
{
  ck_stream_t *own = ck_graph_builder_stream(fork->builder);
  ck_buffer_release(fork->kept);
  ck_status_t status = ck_memory_resource_create_buffer(graph_memory, 4 * WORDS, own, &fork->kept);
  return status == CK_OK ? ck_buffer_copy(fork->kept, 0, fork->to, 0, 4 * WORDS, own) : status;
}

static ck_status_t capture(Fork *fork, const Op *op)
{
  ck_stream_t *own = ck_graph_builder_stream(fork->builder);
  size_t bytes = 4 * op->count;
  ck_arg_t args[] = {ck_u64(op->count), ck_u32(op->value), ck_span(fork->from, 0, op->count),
                     ck_span(fork->to, 0, op->count)};
  switch (op->kind) {
  case FILL: return ck_buffer_fill(fork->to, 0, bytes, op->value, 4, own);
  case MIX: return ck_launch_args(own, NULL, mix, args, 4);
  case VIA: return copy_via(fork, fork->builder, bytes);
  case CALL: return call(fork);
  case NESTED: return nest(fork, bytes);
  case KEEP: return keep(fork);
  case KINDS: break;
  }
  return CK_INTERNAL;
}

static void *capture_fork(void *data)
{
  Fork *fork = data;
  pthread_barrier_wait(&at_once);
  for (uint32_t i = 0; i < fork->op_count && !fork->failure[0]; ++i)
    if (capture(fork, &fork->ops[i]) != CK_OK)
      snprintf(fork->failure, sizeof fork->failure, "operation %u: %s", i, ck_last_error());
  return NULL;
}

/* graphs -------------------------------------------------------------------------------------- */

static void draw(Fork *fork)
{
  fork->failure[0] = 0;
  fork->op_count = 1 + below(MOST_OPS);
  for (uint32_t i = 0; i < fork->op_count; ++i)
    fork->ops[i] = (Op){(Kind)below(KINDS), 1 + below(WORDS), below(UINT32_MAX)};
}

/* Reads the memory back in the stream where the forks are joined. */
static void take_back(Fork *fork, ck_stream_t *joined)
{
  if (!fork->kept) return;
  CHECK_OK(ck_buffer_copy(fork->to, 0, fork->kept, 0, 4 * WORDS, joined));
  CHECK_OK(ck_buffer_close(fork->kept, joined));
  ck_buffer_release(fork->kept);
  fork->kept = NULL;
}

static ck_graph_t *capture_all(void)
{
  pthread_t threads[FORKS];
  ck_graph_builder_t *builders[FORKS] = {NULL};
  ck_graph_t *graph = NULL;
  CHECK_OK(ck_graph_builder_create(device, &builders[0]));
  CHECK_OK(ck_graph_builder_begin(builders[0], CK_CAPTURE_RELAXED));
  CHECK_OK(ck_graph_builder_split(builders[0], FORKS - 1, &builders[1]));
  for (int i = 0; i < FORKS; ++i) {
    forks[i].builder = builders[i];
    if (i > 0 && !CHECK(!pthread_create(&threads[i], NULL, capture_fork, &forks[i]))) exit(1);
  }
  capture_fork(&forks[0]);
  for (int i = 1; i < FORKS; ++i) pthread_join(threads[i], NULL);
  CHECK_OK(ck_graph_builder_join(builders[0], &builders[1], FORKS - 1));
  for (int i = 0; i < FORKS; ++i) take_back(&forks[i], ck_graph_builder_stream(builders[0]));
  CHECK_OK(ck_graph_builder_end(builders[0]));
  CHECK_OK(ck_graph_builder_create_graph(builders[0], NULL, &graph));
  for (int i = 0; i < FORKS; ++i) ck_graph_builder_release(builders[i]);
  return graph;
}

static void compare(uint64_t number, Fork *fork)
{
  uint32_t out[WORDS];
  CHECK_OK(ck_buffer_read(fork->to, 0, out, sizeof out, stream));
  CHECK_OK(ck_stream_sync(stream));
  bool is_same = !memcmp(out, fork->to_words, sizeof out) && fork->calls == fork->expected_calls;
  if (CHECK(is_same && !fork->failure[0])) return;
  fprintf(stderr, "seed %llu, fork %d: %u calls, expected %u; %s\n",
          (unsigned long long)(random_seed + number), (int)(fork - forks), (unsigned)fork->calls,
          fork->expected_calls, fork->failure);
  memcpy(fork->to_words, out, sizeof out); /* a failure is reported once */
  fork->expected_calls = fork->calls;
}

TEST(forks)
{
  for (uint64_t number = 0; number < random_count; ++number) {
    random_start(number);
    for (int i = 0; i < FORKS; ++i) draw(&forks[i]);
    ck_graph_t *graph = capture_all();
    for (int launch = 0; launch < LAUNCHES; ++launch) {
      CHECK_OK(ck_graph_launch(graph, stream));
      for (int i = 0; i < FORKS; ++i) apply_all(&forks[i]);
    }
    for (int i = 0; i < FORKS; ++i) compare(number, &forks[i]);
    ck_graph_release(graph);
  }
}

static void open_fork(Fork *fork)
{
  fork->from = zeros(sizeof fork->from_words);
  fork->to = zeros(sizeof fork->to_words);
  random_fill(fork->from_words, sizeof fork->from_words);
  CHECK_OK(ck_buffer_write(fork->from, 0, fork->from_words, sizeof fork->from_words, stream));
  CHECK_OK(ck_stream_sync(stream));
}

int main(int argc, char **argv)
{
  int missing = open_both(source);
  if (missing) return missing;
  random_open(argc, argv, 60);
  random_start(0);
  mix = kernel("mix");
  CHECK_OK(ck_memory_resource_create_graph(device, &graph_memory));
  pthread_barrier_init(&at_once, NULL, FORKS);
  for (int i = 0; i < FORKS; ++i) open_fork(&forks[i]);
  RUN(forks);
  for (int i = 0; i < FORKS; ++i) {
    ck_buffer_release(forks[i].from);
    ck_buffer_release(forks[i].to);
  }
  pthread_barrier_destroy(&at_once);
  ck_memory_resource_release(graph_memory);
  ck_kernel_release(mix);
  return close_both();
}
