/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* capture_random.c - begins, invalidates, ends and releases builders, forks and nested bodies in
 * random order. A capture that may end, ends, and its graph runs; one that failed reports it;
 * nothing crashes, and the next capture works. On the host device or a GPU: $CK_DEVICE.
 *
 *   capture_random [COUNT [SEED]]
 *
 * A model of the capture rules predicts each result: `spoilt` below means that a capture is
 * invalid.
 */
#include <stdatomic.h>

#include "both.h"
#include "random.h"

enum { PARTS = 20, MOST_STEPS = 60 }; /* one node per step, as a bit of 64 */

typedef enum Kind { ROOT, FORK, BODY } Kind;

/* A builder and its expected state. */
typedef struct Part {
  ck_graph_builder_t *builder; /* NULL: released */
  Kind kind;
  struct Part *parent; /* of a fork: the builder that joins it */
  struct Part *origin; /* the builder that began its capture */
  struct Part *around; /* of a body: the origin of the capture that contains its node */
  bool is_under_way;
  uint64_t tail; /* bit set: the nodes on which its next node depends */
  /* For an origin: */
  bool is_spoilt;
  uint64_t nodes;
} Part;

/* Nodes that two captures put into one body have no order. */
static const char source[] =
    "kernel add_one(x: inout i32[1]) launch(block = 1, grid = 1) { atomic.add(x[0], 1); }\n";

static ck_kernel_t *add;
static ck_buffer_t *x; /* an element for each part, and one for child graphs */
static ck_graph_definition_t *child;
static atomic_uint host_calls;
static uint32_t wanted_calls;
static Part parts[PARTS];
static uint32_t part_count;
static int32_t wanted[PARTS + 1];
static uint64_t before[MOST_STEPS]; /* bit set: a node and all that precede it */
/* Bit sets: nodes that were captured (not added), that have dependents, that are conditional. */
static uint64_t captured, followed, conditions;
static uint32_t node_count;
static bool is_strict;       /* the capture mode of the whole refuses calls, */
static bool is_refused;      /* and a call was refused */
static bool is_gentle;       /* nothing is invalidated or released before the end */
static bool is_lost;         /* the whole definition is destroyed */
static bool has_root_failed; /* to end */
static char failure[200], steps[2000];

/* Prints what was done to which part. */
static void note(const char *what, const Part *part)
{
  size_t len = strlen(steps);
  snprintf(steps + len, sizeof steps - len, " %s %d", what, (int)(part - parts));
}

static void expect(bool is_right, const char *what, const Part *part)
{
  if (is_right || *failure) return;
  snprintf(failure, sizeof failure, "part %d: %s, after %zu letters of steps; last error: %s",
           (int)(part - parts), what, strlen(steps), ck_last_error());
}

static void expect_status(ck_status_t status, bool is_good, const char *what, const Part *part)
{
  note(what, part);
  expect((status == CK_OK) == is_good, what, part);
}

static Part *new_part(Kind kind, Part *parent)
{
  Part *part = &parts[part_count++];
  *part = (Part){.kind = kind, .parent = parent, .origin = part};
  if (kind == FORK) part->origin = parent->origin;
  if (kind == BODY) part->around = parent->origin;
  return part;
}

static uint64_t all_before(uint64_t nodes)
{
  uint64_t all = 0;
  for (uint32_t i = 0; i < node_count; ++i)
    if (nodes >> i & 1) all |= before[i];
  return all;
}

static void add_node(Part *part, bool is_captured)
{
  uint64_t bit = UINT64_C(1) << node_count, all = bit | all_before(part->tail);
  before[node_count++] = all;
  if (is_captured) captured |= bit;
  followed |= part->tail;
  part->origin->nodes |= bit;
  part->tail = bit;
}

/* operations ----------------------------------------------------------------------------------- */

static void put(Part *part)
{
  size_t index = (size_t)(part - parts);
  ck_status_t status =
      ck_launch(ck_graph_builder_stream(part->builder), NULL, add, ck_span(x, index, 1));
  expect_status(status, !part->origin->is_spoilt, "launch", part);
  if (status != CK_OK) return;
  ++wanted[index];
  add_node(part, true);
}

static void split(Part *part)
{
  ck_graph_builder_t *builder;
  ck_status_t status = ck_graph_builder_split(part->builder, 1, &builder);
  expect_status(status, !part->origin->is_spoilt, "split", part);
  if (status != CK_OK) return;
  Part *fork = new_part(FORK, part);
  fork->builder = builder;
  fork->is_under_way = true;
  fork->tail = part->tail;
}

/* Whether the next node may hang a GPU: driver 580 does so for some graphs in which a kernel in a
 * body depends on at least three nodes of which two are conditional. */
static bool may_hang(const Part *origin, uint64_t tail)
{
  return origin->kind == BODY && __builtin_popcountll(tail) > 2 &&
         __builtin_popcountll(tail & conditions) > 1;
}

static void join(Part *fork)
{
  if (fork->kind != FORK || !fork->parent->builder || !fork->parent->is_under_way) return;
  if (may_hang(fork->origin, fork->tail | fork->parent->tail)) return;
  ck_status_t status = ck_graph_builder_join(fork->parent->builder, &fork->builder, 1);
  expect_status(status, !fork->origin->is_spoilt, "join", fork);
  if (status != CK_OK) return;
  fork->is_under_way = false;
  fork->parent->tail |= fork->tail;
}

static void make_body(Part *part)
{
  const uint32_t start = 1;
  uint64_t condition;
  ck_graph_builder_t *builder = NULL;
  ck_status_t status = ck_graph_builder_create_condition(part->builder, &start, &condition);
  if (status == CK_OK) status = ck_graph_builder_add_if(part->builder, condition, &builder);
  expect_status(status, !part->origin->is_spoilt && !is_lost, "body", part);
  if (status != CK_OK) return;
  new_part(BODY, part)->builder = builder;
  add_node(part, false);
  conditions |= part->tail;
}

static void embed(Part *part)
{
  ck_status_t status = ck_graph_builder_embed(part->builder, child);
  expect_status(status, !part->origin->is_spoilt && !is_lost, "embed", part);
  if (status != CK_OK) return;
  ++wanted[PARTS];
  add_node(part, false);
}

static void count_call(void *data)
{
  (void)data;
  atomic_fetch_add(&host_calls, 1);
}

static void call_host(Part *part)
{
  ck_status_t status = ck_graph_builder_launch_host(part->builder, count_call, NULL, NULL);
  expect_status(status, !part->origin->is_spoilt, "call", part);
  if (status != CK_OK) return;
  ++wanted_calls;
  add_node(part, true);
}

/* The graph can be read while it is captured, unless it is destroyed. */
static void look(const Part *part)
{
  ck_graph_definition_t *definition = ck_graph_builder_definition(part->builder);
  ck_graph_node_t *nodes[MOST_STEPS];
  size_t count = 0, after;
  ck_status_t status = ck_graph_definition_get_nodes(definition, nodes, MOST_STEPS, &count);
  expect_status(status, !is_lost, "nodes", part);
  for (size_t i = 0; i < count; ++i)
    expect_status(ck_graph_node_get_dependents(nodes[i], NULL, 0, &after), true, "after", part);
}

static void begin(Part *part)
{
  if (part->kind != BODY || part->is_under_way) return;
  ck_status_t status = ck_graph_builder_begin(part->builder, (ck_capture_mode_t)below(3));
  expect_status(status, !is_lost, "begin", part);
  part->is_under_way = status == CK_OK;
  part->is_spoilt = false;
  part->tail = 0;
}

static void spoil(Part *part)
{
  expect_status(ck_stream_query(ck_graph_builder_stream(part->builder)), false, "query", part);
  part->origin->is_spoilt = true;
}

/* An unrelated call, which strict modes refuse. */
static void ask_another(const Part *part)
{
  bool is_forbidden = is_strict && parts[0].is_under_way;
  expect_status(ck_stream_query(stream), !is_forbidden, "ask", part);
  is_refused |= is_forbidden;
}

/* Waiting for the device is refused, without harm to the capture. */
static void wait_for_all(const Part *part)
{
  expect_status(ck_device_sync(device), false, "sync", part);
}

/* Whether a body in a capture, at any depth, is being captured. */
static bool has_captured(const Part *origin)
{
  for (uint32_t i = 0; i < part_count; ++i)
    if (parts[i].around == origin && (parts[i].is_under_way || has_captured(&parts[i])))
      return true;
  return false;
}

/* Whether a driver considers a fork unjoined: a captured node that does not precede the tail. The
 * end of a body joins all its streams, and so does the end of a capture around a body. */
static bool is_unjoined(const Part *origin)
{
  if (origin->kind == BODY || has_captured(origin)) return false;
  return origin->nodes & captured & ~followed & ~all_before(origin->tail);
}

/* Updates the model after the capture of an origin has ended. */
static void is_over(Part *origin)
{
  bool is_open = is_unjoined(origin);
  for (uint32_t i = 0; i < part_count; ++i)
    if (parts[i].origin == origin) parts[i].is_under_way = false;
  if (origin->kind == ROOT) {
    origin->is_spoilt |= is_refused;
    has_root_failed = origin->is_spoilt || is_open || is_lost;
  }
  if (origin->is_spoilt || (origin->kind == ROOT && is_open && !has_captured(origin)))
    is_lost = true;
}

static void end(Part *part)
{
  if (part->kind == FORK) return;
  ck_status_t status = ck_graph_builder_end(part->builder);
  bool is_good = !part->is_spoilt && !is_unjoined(part) && !is_lost;
  expect_status(status, is_good && !(part->kind == ROOT && is_refused), "end", part);
  is_over(part);
}

static void release(Part *part)
{
  note("release", part);
  ck_graph_builder_release(part->builder);
  part->builder = NULL;
  if (part->is_under_way && part->kind != FORK) is_over(part);
  if (part->kind == FORK) part->is_under_way = false; /* it stays open */
  if (part->kind == ROOT) has_root_failed = true;
}

static void step(void)
{
  Part *part = &parts[below(part_count)];
  if (!part->builder) return;
  if (!part->is_under_way) {
    if (!is_gentle && one_in(12)) release(part);
    else begin(part);
    return;
  }
  switch (is_gentle ? between(4, 15) : between(0, 15)) {
  case 0: one_in(2) ? spoil(part) : ask_another(part); break;
  case 1: one_in(4) ? wait_for_all(part) : put(part); break;
  case 2: one_in(2) ? release(part) : put(part); break;
  case 3: one_in(2) ? end(part) : put(part); break;
  case 4:
  case 5:
  case 6: join(part); break;
  case 7:
  case 8:
  case 9:
    if (part_count < PARTS) make_body(part);
    break;
  case 10:
  case 11:
    if (part_count < PARTS) split(part);
    break;
  case 12: one_in(2) ? embed(part) : look(part); break;
  case 13: part->origin->kind != BODY ? call_host(part) : put(part); break;
  default: put(part); break;
  }
}

/* Ends all captures that can end, the last part first, since it was made from the others. */
static void end_all(void)
{
  for (uint32_t i = part_count; i > 0; --i) {
    Part *part = &parts[i - 1];
    if (!part->builder || !part->is_under_way) continue;
    if (part->kind == FORK) join(part);
    else end(part);
  }
}

/* Launches the graph if its capture succeeded. */
static void launch(void)
{
  ck_graph_t *graph = NULL;
  ck_status_t status = ck_graph_builder_create_graph(parts[0].builder, NULL, &graph);
  expect_status(status, true, "complete", &parts[0]);
  if (status != CK_OK) return;
  int32_t got[PARTS + 1];
  atomic_store(&host_calls, 0);
  CHECK_OK(ck_buffer_fill(x, 0, sizeof got, 0, 1, stream));
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK_OK(ck_buffer_read(x, 0, got, sizeof got, stream));
  CHECK_OK(ck_stream_sync(stream));
  expect(!memcmp(got, wanted, sizeof got), "other values", &parts[0]);
  expect(atomic_load(&host_calls) == wanted_calls, "other calls", &parts[0]);
  ck_graph_release(graph);
}

static bool one_case(uint64_t number, bool *out_has_run)
{
  random_start(number);
  part_count = node_count = 0;
  captured = followed = conditions = 0;
  wanted_calls = 0;
  memset(wanted, 0, sizeof wanted);
  *failure = *steps = 0;
  is_strict = one_in(4);
  is_refused = false;
  is_gentle = one_in(2);
  is_lost = has_root_failed = false;
  Part *root = new_part(ROOT, NULL);
  CHECK_OK(ck_graph_builder_create(device, &root->builder));
  CHECK_OK(ck_graph_builder_begin(root->builder, is_strict ? (ck_capture_mode_t)between(1, 2)
                                                           : CK_CAPTURE_RELAXED));
  root->is_under_way = true;
  for (uint32_t i = below(MOST_STEPS); i > 0; --i) step();
  if (is_gentle || one_in(2)) end_all();
  *out_has_run =
      root->builder && !root->is_under_way && !has_root_failed && !is_lost && !has_captured(root);
  if (*out_has_run) launch();
  for (uint32_t left = part_count; left > 0; --left) {
    Part *part = &parts[below(part_count)];
    if (part->builder) release(part);
  }
  for (uint32_t i = 0; i < part_count; ++i)
    if (parts[i].builder) release(&parts[i]);
  if (*failure)
    printf("seed %llu: %s\nsteps:%s\n", (unsigned long long)(random_seed + number), failure, steps);
  return !*failure;
}

TEST(captures)
{
  uint64_t runs = 0, i = 0;
  bool has_run, is_right = true;
  for (; i < random_count && is_right; ++i) {
    is_right = one_case(i, &has_run);
    runs += has_run;
  }
  printf("%llu of %llu captures ran\n", (unsigned long long)runs, (unsigned long long)i);
  CHECK(is_right);
  CHECK(random_count < 50 || runs > random_count / 10);
}

int main(int argc, char **argv)
{
  int missing = open_both(source);
  if (missing) return missing;
  random_open(argc, argv, 200);
  add = kernel("add_one");
  x = zeros(sizeof wanted);
  CHECK_OK(ck_graph_definition_create(device, &child));
  const ck_arg_t args[] = {ck_span(x, PARTS, 1)};
  ck_node_params_t params = ck_node_kernel(NULL, add, args, 1);
  CHECK_OK(ck_graph_definition_add(child, NULL, 0, &params, NULL));
  RUN(captures);
  ck_graph_definition_release(child);
  ck_buffer_release(x);
  ck_kernel_release(add);
  return close_both();
}
