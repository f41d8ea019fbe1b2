/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* graph_update.c - tests changes of executable graphs: the cases of cuda.core's
 * test_graph_update.py and test_graph_node_update.py by name. On the host device or a GPU:
 * $CK_DEVICE. */
#include "both.h"

static const char source[] =
    "kernel add(a: i32, x: inout i32[1]) launch(block = 1, grid = 1) { x[0] = x[0] + a; }\n"
    "kernel times(a: i32, x: inout i32[1]) launch(block = 1, grid = 1) { x[0] = x[0] * a; }\n"
    "kernel wide(n: u32, x: inout i32[n]) launch(block = 64, grid = ceil_div(n, 64))\n"
    "{ let i = grid.thread_rank; if (i < n) x[i] = i32(i); }\n"
    "kernel set(c: u64, v: u32) launch(block = 1, grid = 1) { set_condition(c, v); }\n"
    "kernel shape(x: out u32[1]) { if (grid.thread_rank == 0) x[0] = grid.dim.x * 1000 + "
    "block.dim.x; }\n";

static ck_kernel_t *add, *times;

/* Captures add(a), then times(m), the last one `extra` more times. */
static ck_graph_builder_t *capture(ck_buffer_t *x, int a, int m, int extra)
{
  ck_graph_builder_t *builder = NULL;
  CHECK_OK(ck_graph_builder_create(device, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  ck_stream_t *to = ck_graph_builder_stream(builder);
  CHECK_OK(ck_launch(to, NULL, add, a, x));
  for (int i = 0; i <= extra; ++i) CHECK_OK(ck_launch(to, NULL, times, m, x));
  CHECK_OK(ck_graph_builder_end(builder));
  return builder;
}

static int run_from(ck_graph_t *graph, ck_buffer_t *x, int start)
{
  CHECK_OK(ck_buffer_fill(x, 0, 4, (uint32_t)start, 4, stream));
  CHECK_OK(ck_graph_launch(graph, stream));
  return read_i32(x, 0);
}

TEST(graph_update_kernel_args)
{
  ck_buffer_t *x = zeros(4), *y = zeros(4);
  ck_graph_builder_t *first = capture(x, 3, 2, 0), *second = capture(y, 10, 7, 0);
  ck_graph_t *graph;
  CHECK_OK(ck_graph_builder_create_graph(first, NULL, &graph));
  CHECK(run_from(graph, x, 1) == 8);
  CHECK_OK(ck_graph_update(graph, ck_graph_builder_definition(second)));
  /* The builder and its buffers can be released: the graph retains what it needs. */
  ck_graph_builder_release(second);
  ck_graph_builder_release(first);
  ck_buffer_t *z = ck_buffer_retain(y);
  ck_buffer_release(y);
  CHECK(run_from(graph, z, 1) == 77);
  CHECK(read_i32(x, 0) == 8);
  ck_buffer_release(z);
  ck_buffer_release(x);
  ck_graph_release(graph);
}

TEST(graph_update_topology_mismatch)
{
  ck_buffer_t *x = zeros(4);
  ck_graph_builder_t *first = capture(x, 3, 2, 0), *longer = capture(x, 3, 2, 1);
  ck_graph_t *graph;
  CHECK_OK(ck_graph_builder_create_graph(first, NULL, &graph));
  CHECK_FAILS(ck_graph_update(graph, ck_graph_builder_definition(longer)), CK_INVALID_ARGUMENT);
  CHECK_ERROR("the graph can't be updated: ");
  CHECK(run_from(graph, x, 1) == 8); /* unchanged */
  CHECK_FAILS(ck_graph_update(graph, NULL), CK_INVALID_ARGUMENT);
  ck_graph_release(graph);
  ck_graph_builder_release(first);
  ck_graph_builder_release(longer);
  ck_buffer_release(x);
}

/* A definition that is being captured can't be used for an update. */
TEST(graph_update_unfinished_builder)
{
  ck_buffer_t *x = zeros(4), *y = zeros(4);
  ck_graph_builder_t *first = capture(x, 3, 2, 0), *open;
  ck_graph_t *graph;
  CHECK_OK(ck_graph_builder_create_graph(first, NULL, &graph));
  CHECK_OK(ck_graph_builder_create(device, &open));
  CHECK_OK(ck_graph_builder_begin(open, CK_CAPTURE_RELAXED));
  CHECK_OK(ck_launch(ck_graph_builder_stream(open), NULL, add, 5, y));
  CHECK_OK(ck_launch(ck_graph_builder_stream(open), NULL, times, 7, y));
  CHECK_FAILS(ck_graph_update(graph, ck_graph_builder_definition(open)), CK_INVALID_ARGUMENT);
  CHECK_ERROR("the definition is being captured");
  CHECK(run_from(graph, x, 1) == 8);
  CHECK_OK(ck_graph_builder_end(open));
  CHECK_OK(ck_graph_update(graph, ck_graph_builder_definition(open)));
  CHECK(run_from(graph, y, 1) == 42);
  ck_graph_release(graph);
  ck_graph_builder_release(first);
  ck_graph_builder_release(open);
  ck_buffer_release(x);
  ck_buffer_release(y);
}

/* An update replaces the bodies of a switch. */
TEST(graph_update_conditional)
{
  ck_kernel_t *set = kernel("set");
  ck_buffer_t *x = zeros(4);
  ck_graph_t *graph = NULL;
  for (int round = 0; round < 2; ++round) {
    ck_graph_builder_t *builder, *bodies[2];
    uint64_t condition;
    CHECK_OK(ck_graph_builder_create(device, &builder));
    CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
    CHECK_OK(ck_graph_builder_create_condition(builder, NULL, &condition));
    CHECK_OK(ck_launch(ck_graph_builder_stream(builder), NULL, set, ck_u64(condition), 1));
    CHECK_OK(ck_graph_builder_add_switch(builder, condition, 2, bodies));
    for (int i = 0; i < 2; ++i) {
      CHECK_OK(ck_graph_builder_begin(bodies[i], CK_CAPTURE_RELAXED));
      CHECK_OK(ck_launch(ck_graph_builder_stream(bodies[i]), NULL, add, 10 * round + i, x));
      CHECK_OK(ck_graph_builder_end(bodies[i]));
      ck_graph_builder_release(bodies[i]);
    }
    CHECK_OK(ck_graph_builder_end(builder));
    if (round == 0) {
      CHECK_OK(ck_graph_builder_create_graph(builder, NULL, &graph));
      CHECK(run_from(graph, x, 5) == 6);
    } else if (ck_graph_update(graph, ck_graph_builder_definition(builder)) == CK_OK) {
      CHECK(run_from(graph, x, 5) == 16); /* not every driver can change conditional nodes */
    }
    ck_graph_builder_release(builder);
  }
  ck_graph_release(graph);
  ck_buffer_release(x);
  ck_kernel_release(set);
}

/* A chain with a node of each kind that can be changed. */
typedef struct Chain {
  ck_graph_definition_t *definition;
  ck_graph_node_t *nodes[6];
  ck_event_t *events[2];
  ck_buffer_t *x, *y;
  int calls[2];
} Chain;

enum { KERNEL, FILL, COPY, HOST, CHILD, RECORD };

static void count_call(void *data)
{
  ++*(int *)data;
}

static ck_graph_definition_t *one_add(ck_buffer_t *x, size_t index, int a)
{
  ck_graph_definition_t *d = NULL;
  const ck_arg_t args[] = {ck_i32(a), ck_span(x, index, 1)};
  ck_node_params_t params = ck_node_kernel(NULL, add, args, 2);
  CHECK_OK(ck_graph_definition_create(device, &d));
  CHECK_OK(ck_graph_definition_add(d, NULL, 0, &params, NULL));
  return d;
}

static void open_chain(Chain *chain)
{
  *chain = (Chain){.x = zeros(64), .y = zeros(64)};
  for (int i = 0; i < 2; ++i) CHECK_OK(ck_event_create(device, NULL, &chain->events[i]));
  ck_graph_definition_t *child = one_add(chain->x, 4, 1);
  const ck_arg_t args[] = {ck_i32(1), ck_span(chain->x, 0, 1)};
  ck_node_params_t params[] = {ck_node_kernel(NULL, add, args, 2),
                               ck_node_fill(ck_at(chain->x, 4), 7, 4, 1),
                               ck_node_copy(ck_at(chain->x, 8), ck_at(chain->x, 4), 4),
                               ck_node_host(count_call, &chain->calls[0], NULL),
                               ck_node_child(child),
                               ck_node_record(chain->events[0])};
  CHECK_OK(ck_graph_definition_create(device, &chain->definition));
  for (int i = 0; i < 6; ++i)
    CHECK_OK(ck_graph_definition_add(chain->definition, i ? &chain->nodes[i - 1] : NULL, i > 0,
                                     &params[i], &chain->nodes[i]));
  ck_graph_definition_release(child);
}

static void close_chain(Chain *chain)
{
  ck_graph_definition_release(chain->definition);
  for (int i = 0; i < 2; ++i) ck_event_release(chain->events[i]);
  ck_buffer_release(chain->x);
  ck_buffer_release(chain->y);
}

/* Changes each node. */
static void change(const Chain *chain, ck_graph_definition_t *child, const ck_arg_t args[2],
                   ck_node_params_t out[6])
{
  out[KERNEL] = ck_node_kernel(NULL, times, args, 2);
  out[FILL] = ck_node_fill(ck_at(chain->y, 4), 9, 4, 2);
  out[COPY] = ck_node_copy(ck_at(chain->y, 16), ck_at(chain->y, 4), 8);
  out[HOST] = ck_node_host(count_call, (void *)&chain->calls[1], NULL);
  out[CHILD] = ck_node_child(child);
  out[RECORD] = ck_node_record(chain->events[1]);
}

static void check_old(const Chain *chain, int runs)
{
  CHECK(read_i32(chain->x, 0) == runs && read_i32(chain->x, 1) == 7);
  CHECK(read_i32(chain->x, 2) == 7 && read_i32(chain->x, 4) == runs);
  CHECK(chain->calls[0] == runs && chain->calls[1] == 0);
}

static void check_new(const Chain *chain)
{
  CHECK(read_i32(chain->y, 0) == 30 && read_i32(chain->y, 1) == 9 && read_i32(chain->y, 2) == 9);
  CHECK(read_i32(chain->y, 4) == 9 && read_i32(chain->y, 5) == 9 && read_i32(chain->y, 6) == 5);
  CHECK(chain->calls[1] == 1);
}

/* Changes nodes of the executable graph; the definition does not change. */
TEST(executable_node_update)
{
  Chain chain;
  ck_graph_t *graph;
  open_chain(&chain);
  CHECK_OK(ck_graph_create(chain.definition, NULL, &graph));
  CHECK_OK(ck_graph_launch(graph, stream));
  check_old(&chain, 1);
  CHECK_OK(ck_buffer_fill(chain.y, 0, 4, 10, 4, stream));
  ck_graph_definition_t *child = one_add(chain.y, 6, 5);
  const ck_arg_t args[] = {ck_i32(3), ck_span(chain.y, 0, 1)};
  ck_node_params_t params[6];
  change(&chain, child, args, params);
  for (int i = 0; i < 6; ++i) CHECK_OK(ck_graph_update_node(graph, chain.nodes[i], &params[i]));
  ck_graph_definition_release(child);
  CHECK_OK(ck_graph_launch(graph, stream));
  check_new(&chain);
  check_old(&(Chain){.x = chain.x, .calls = {1, 0}}, 1);
  CHECK_OK(ck_event_sync(chain.events[1]));
  ck_graph_t *again; /* the definition is unchanged */
  CHECK_OK(ck_graph_create(chain.definition, NULL, &again));
  chain.calls[1] = 0;
  CHECK_OK(ck_graph_launch(again, stream));
  check_old(&chain, 2);
  ck_graph_release(graph);
  ck_graph_release(again);
  close_chain(&chain);
}

/* Changes nodes of the definition; the executable graph does not change. */
TEST(node_update)
{
  Chain chain;
  ck_graph_t *graph, *later;
  ck_node_params_t params[6], seen = ck_node_empty();
  open_chain(&chain);
  CHECK_OK(ck_graph_create(chain.definition, NULL, &graph));
  CHECK_OK(ck_buffer_fill(chain.y, 0, 4, 10, 4, stream));
  ck_graph_definition_t *child = one_add(chain.y, 6, 5);
  const ck_arg_t args[] = {ck_i32(3), ck_span(chain.y, 0, 1)};
  change(&chain, child, args, params);
  int unchanged = 0; /* drivers before 13 can't change a child of a definition */
  for (int i = 0; i < 6; ++i) {
    ck_status_t status = ck_graph_node_set_params(chain.nodes[i], &params[i]);
    if (i == CHILD && status != CK_OK) unchanged = 1;
    else CHECK(status == CK_OK);
  }
  CHECK_OK(ck_graph_node_get_params(chain.nodes[KERNEL], &seen));
  CHECK(seen.of.kernel.kernel == times);
  CHECK_OK(ck_graph_node_get_params(chain.nodes[RECORD], &seen));
  CHECK(seen.of.event.event == chain.events[1]);
  CHECK_OK(ck_graph_launch(graph, stream));
  check_old(&chain, 1);
  ck_graph_definition_release(child);
  CHECK_OK(ck_graph_create(chain.definition, NULL, &later));
  CHECK_OK(ck_graph_launch(later, stream));
  if (unchanged) CHECK_OK(ck_buffer_fill(chain.y, 24, 4, 5, 4, stream));
  check_new(&chain);
  CHECK_FAILS(ck_graph_node_set_params(chain.nodes[FILL], &params[COPY]), CK_INVALID_ARGUMENT);
  CHECK_ERROR("the node is a fill, the params are a copy");
  ck_graph_release(graph);
  ck_graph_release(later);
  close_chain(&chain);
}

/* Many changes with launches in between: replaced references are dropped once no launch needs them.
 */
TEST(update_in_a_loop)
{
  Chain chain;
  ck_graph_t *graph;
  open_chain(&chain);
  CHECK_OK(ck_graph_create(chain.definition, NULL, &graph));
  for (int i = 0; i < 200; ++i) {
    ck_buffer_t *fresh = NULL;
    CHECK_OK(ck_buffer_create(device, 4, stream, &fresh));
    CHECK_OK(ck_buffer_fill(fresh, 0, 4, (uint32_t)i, 4, stream));
    ck_node_params_t copy = ck_node_copy(ck_at(chain.x, 8), ck_at(fresh, 0), 4);
    CHECK_OK(ck_graph_update_node(graph, chain.nodes[COPY], &copy));
    ck_buffer_release(fresh);
    CHECK_OK(ck_graph_launch(graph, stream));
    if (i % 50 == 49) CHECK(read_i32(chain.x, 2) == i);
  }
  ck_graph_release(graph);
  close_chain(&chain);
}

TEST(enable_and_disable)
{
  Chain chain;
  ck_graph_t *graph;
  int is_enabled = -1;
  open_chain(&chain);
  CHECK_OK(ck_graph_create(chain.definition, NULL, &graph));
  for (int i = KERNEL; i <= COPY; ++i) {
    CHECK_OK(ck_graph_get_enabled(graph, chain.nodes[i], &is_enabled));
    CHECK(is_enabled == 1);
    for (int k = 0; k < 2; ++k) { /* twice has the same effect */
      CHECK_OK(ck_graph_set_enabled(graph, chain.nodes[i], 0));
      CHECK_OK(ck_graph_get_enabled(graph, chain.nodes[i], &is_enabled));
      CHECK(is_enabled == 0);
    }
  }
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK(read_i32(chain.x, 0) == 0 && read_i32(chain.x, 1) == 0 && read_i32(chain.x, 2) == 0);
  CHECK(read_i32(chain.x, 4) == 1 && chain.calls[0] == 1);
  for (int i = KERNEL; i <= COPY; ++i) CHECK_OK(ck_graph_set_enabled(graph, chain.nodes[i], 1));
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK(read_i32(chain.x, 0) == 1 && read_i32(chain.x, 1) == 7 && read_i32(chain.x, 2) == 7);
  CHECK_FAILS(ck_graph_set_enabled(graph, chain.nodes[HOST], 0), CK_INVALID_ARGUMENT);
  CHECK_ERROR("a host node can't be switched off");
  Chain other;
  open_chain(&other);
  CHECK_FAILS(ck_graph_set_enabled(graph, other.nodes[KERNEL], 0), CK_INVALID_ARGUMENT);
  CHECK_ERROR("the node is not of the graph's definition");
  close_chain(&other);
  ck_graph_release(graph);
  close_chain(&chain);
}

/* The nodes before and after a disabled node keep their order. */
TEST(order_around_what_is_off)
{
  enum { N = 4096 };
  ck_kernel_t *wide = kernel("wide");
  ck_buffer_t *x = zeros(4 * N), *y = zeros(64);
  const ck_arg_t args[] = {ck_u32(N), ck_whole(x)}, add_args[] = {ck_i32(1), ck_span(y, 0, 1)};
  const ck_node_params_t kinds[] = {ck_node_kernel(NULL, add, add_args, 2),
                                    ck_node_fill(ck_at(y, 0), 7, 4, 1),
                                    ck_node_copy(ck_at(y, 0), ck_at(y, 8), 4)};
  for (int kind = 0; kind < 3; ++kind) {
    ck_graph_definition_t *d;
    ck_graph_node_t *nodes[3] = {NULL};
    ck_graph_t *graph = NULL;
    ck_node_params_t params[] = {ck_node_kernel(NULL, wide, args, 2), kinds[kind],
                                 ck_node_fill(ck_at(x, 0), 7, 4, N)};
    CHECK_OK(ck_graph_definition_create(device, &d));
    for (int i = 0; i < 3; ++i)
      CHECK_OK(ck_graph_definition_add(d, i ? &nodes[i - 1] : NULL, i > 0, &params[i], &nodes[i]));
    CHECK_OK(ck_graph_create(d, NULL, &graph));
    CHECK_OK(ck_graph_set_enabled(graph, nodes[1], 0));
    for (int round = 0; round < 20; ++round) {
      CHECK_OK(ck_graph_launch(graph, stream));
      CHECK(read_i32(x, 1) == 7 && read_i32(x, N - 1) == 7 && read_i32(y, 0) == 0);
    }
    ck_graph_release(graph);
    ck_graph_definition_release(d);
  }
  ck_buffer_release(x);
  ck_buffer_release(y);
  ck_kernel_release(wide);
}

/* A node; its graphs made before and after the definition was changed; and one whose own node is
 * changed: the results of each. */
typedef struct OneThing {
  ck_node_params_t old, fresh;
  void (*check)(const struct OneThing *self, ck_graph_t *graph, bool is_fresh);
  ck_buffer_t *x, *y;
} OneThing;

static void check_bytes(const OneThing *self, ck_graph_t *graph, bool is_fresh)
{
  static const int32_t want[2][4] = {{7, 7, 0, 0}, {8, 8, 8, 8}};
  CHECK_OK(ck_buffer_fill(self->x, 0, 16, 0, 4, stream));
  CHECK_OK(ck_graph_launch(graph, stream));
  for (size_t i = 0; i < 4; ++i) CHECK(read_i32(self->x, i) == want[is_fresh][i]);
}

static void check_place(const OneThing *self, ck_graph_t *graph, bool is_fresh)
{
  CHECK_OK(ck_buffer_fill(self->x, 0, 64, 0, 4, stream));
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK((read_i32(self->x, 0) != 0) == !is_fresh && (read_i32(self->x, 8) != 0) == is_fresh);
}

static void check_size(const OneThing *self, ck_graph_t *graph, bool is_fresh)
{
  CHECK_OK(ck_buffer_fill(self->x, 0, 64, 0, 4, stream));
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK(read_i32(self->x, 0) == 5 && (read_i32(self->x, 1) == 5) == is_fresh);
}

static void check_source(const OneThing *self, ck_graph_t *graph, bool is_fresh)
{
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK(read_i32(self->x, 0) == (is_fresh ? 6 : 5));
}

static void check_shape(const OneThing *self, ck_graph_t *graph, bool is_fresh)
{
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK(read_i32(self->x, 0) == (is_fresh ? 2003 : 1001));
}

static void check_sum(const OneThing *self, ck_graph_t *graph, bool is_fresh)
{
  CHECK(run_from(graph, self->x, 10) == (is_fresh ? 30 : 13));
}

static void check_one_thing(OneThing *self)
{
  ck_graph_definition_t *d;
  ck_graph_node_t *node;
  ck_graph_t *before, *own, *behind;
  CHECK_OK(ck_graph_definition_create(device, &d));
  CHECK_OK(ck_graph_definition_add(d, NULL, 0, &self->old, &node));
  CHECK_OK(ck_graph_create(d, NULL, &before));
  CHECK_OK(ck_graph_create(d, NULL, &own));
  CHECK_OK(ck_graph_update_node(own, node, &self->fresh));
  self->check(self, before, false);
  self->check(self, own, true);
  CHECK_OK(ck_graph_node_set_params(node, &self->fresh));
  CHECK_OK(ck_graph_create(d, NULL, &behind));
  self->check(self, before, false);
  self->check(self, behind, true);
  ck_graph_release(before);
  ck_graph_release(own);
  ck_graph_release(behind);
  ck_graph_definition_release(d);
}

TEST(update_one_thing)
{
  ck_buffer_t *x = zeros(64), *y = zeros(64);
  ck_kernel_t *shape = kernel("shape");
  CHECK_OK(ck_buffer_fill(y, 0, 32, 5, 4, stream));
  CHECK_OK(ck_buffer_fill(y, 32, 32, 6, 4, stream));
  ck_launch_config_t one = CK_OPTIONS_INIT(ck_launch_config_t), two = one;
  one.grid[0] = one.block[0] = 1;
  two.grid[0] = 2, two.block[0] = 3;
  const ck_arg_t here[] = {ck_i32(3), ck_span(x, 0, 1)}, there[] = {ck_i32(3), ck_span(x, 8, 1)},
                 out[] = {ck_span(x, 0, 1)};
  OneThing things[] = {
      {ck_node_fill(ck_at(x, 0), 7, 4, 2), ck_node_fill(ck_at(x, 0), 8, 4, 4), check_bytes, x, y},
      {ck_node_fill(ck_at(x, 0), 7, 4, 1), ck_node_fill(ck_at(x, 32), 7, 4, 1), check_place, x, y},
      {ck_node_copy(ck_at(x, 0), ck_at(y, 0), 4), ck_node_copy(ck_at(x, 0), ck_at(y, 0), 8),
       check_size, x, y},
      {ck_node_copy(ck_at(x, 0), ck_at(y, 0), 4), ck_node_copy(ck_at(x, 0), ck_at(y, 32), 4),
       check_source, x, y},
      {ck_node_copy(ck_at(x, 0), ck_at(y, 0), 4), ck_node_copy(ck_at(x, 32), ck_at(y, 0), 4),
       check_place, x, y},
      {ck_node_kernel(&one, shape, out, 1), ck_node_kernel(&two, shape, out, 1), check_shape, x, y},
      {ck_node_kernel(NULL, add, here, 2), ck_node_kernel(NULL, add, there, 2), check_place, x, y},
      {ck_node_kernel(NULL, add, here, 2), ck_node_kernel(NULL, times, here, 2), check_sum, x, y}};
  for (size_t i = 0; i < sizeof things / sizeof *things; ++i) check_one_thing(&things[i]);
  ck_buffer_release(x);
  ck_buffer_release(y);
  ck_kernel_release(shape);
}

/* Changes a wait to an event that is not recorded, so that the graph does not block. */
TEST(update_of_a_wait)
{
  Chain chain;
  ck_graph_definition_t *d;
  ck_graph_node_t *node;
  ck_graph_t *graph;
  ck_node_params_t seen = ck_node_empty();
  open_chain(&chain);
  ck_node_params_t first = ck_node_wait(chain.events[0]), second = ck_node_wait(chain.events[1]),
                   call = ck_node_host(count_call, &chain.calls[0], NULL);
  CHECK_OK(ck_graph_definition_create(device, &d));
  CHECK_OK(ck_graph_definition_add(d, NULL, 0, &first, &node));
  CHECK_OK(ck_graph_definition_add(d, &node, 1, &call, NULL));
  CHECK_OK(ck_graph_create(d, NULL, &graph));
  CHECK_OK(ck_graph_update_node(graph, node, &second));
  CHECK_OK(ck_graph_node_get_params(node, &seen));
  CHECK(seen.of.event.event == chain.events[0]);
  CHECK_OK(ck_graph_node_set_params(node, &second));
  CHECK_OK(ck_graph_node_get_params(node, &seen));
  CHECK(seen.of.event.event == chain.events[1] &&
        seen.of.event.native == ck_event_native(chain.events[1]));
  CHECK_OK(ck_stream_record(stream, chain.events[1]));
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK_OK(ck_stream_sync(stream));
  CHECK(chain.calls[0] == 1);
  ck_graph_release(graph);
  ck_graph_definition_release(d);
  close_chain(&chain);
}

/* Invalid changes leave definition and graph unchanged. */
TEST(failed_node_update_preserves_state)
{
  Chain chain;
  ck_graph_t *graph, *later;
  open_chain(&chain);
  ck_graph_definition_t *inner;
  CHECK_OK(ck_graph_node_get_graph(chain.nodes[CHILD], 0, &inner));
  CHECK_OK(ck_graph_create(chain.definition, NULL, &graph));
  const ck_arg_t few[] = {ck_i32(1)};
  ck_node_params_t bad[] = {ck_node_kernel(NULL, times, few, 1),
                            ck_node_fill(ck_at(chain.x, 4), 7, 3, 1),
                            ck_node_copy(ck_at(chain.x, 60), ck_at(chain.x, 4), 8),
                            ck_node_host(NULL, NULL, NULL),
                            ck_node_child(inner),
                            ck_node_record(NULL)};
  for (int i = 0; i < 6; ++i) {
    ck_node_params_t other = bad[(i + 1) % 6], short_one = bad[i];
    short_one.struct_size = 8;
    CHECK_FAILS(ck_graph_node_set_params(chain.nodes[i], &bad[i]), CK_INVALID_ARGUMENT);
    CHECK_FAILS(ck_graph_update_node(graph, chain.nodes[i], &bad[i]), CK_INVALID_ARGUMENT);
    CHECK_FAILS(ck_graph_node_set_params(chain.nodes[i], &other), CK_INVALID_ARGUMENT);
    CHECK_ERROR("the params are a");
    CHECK_FAILS(ck_graph_update_node(graph, chain.nodes[i], &other), CK_INVALID_ARGUMENT);
    CHECK_FAILS(ck_graph_node_set_params(chain.nodes[i], &short_one), CK_INVALID_ARGUMENT);
    CHECK_FAILS(ck_graph_node_set_params(chain.nodes[i], NULL), CK_INVALID_ARGUMENT);
    CHECK_FAILS(ck_graph_update_node(graph, NULL, &bad[i]), CK_INVALID_ARGUMENT);
  }
  ck_node_params_t parent = ck_node_child(chain.definition);
  CHECK_FAILS(ck_graph_node_set_params(chain.nodes[CHILD], &parent), CK_INVALID_ARGUMENT);
  CHECK_ERROR("a graph can't be a node of itself");
  ck_node_params_t seen = ck_node_empty();
  CHECK_OK(ck_graph_node_get_params(chain.nodes[KERNEL], &seen));
  CHECK(seen.of.kernel.kernel == add);
  CHECK_OK(ck_graph_node_get_params(chain.nodes[RECORD], &seen));
  CHECK(seen.of.event.event == chain.events[0]);
  CHECK_OK(ck_graph_node_get_params(chain.nodes[CHILD], &seen));
  CHECK(seen.of.child.definition == inner);
  CHECK_OK(ck_graph_launch(graph, stream));
  check_old(&chain, 1);
  CHECK_OK(ck_graph_create(chain.definition, NULL, &later));
  CHECK_OK(ck_graph_launch(later, stream));
  check_old(&chain, 2);
  ck_graph_release(graph);
  ck_graph_release(later);
  close_chain(&chain);
}

/* Nodes that the graph does not have: added later, or of another definition. */
TEST(nodes_without_update)
{
  Chain chain, other;
  ck_graph_t *graph;
  ck_graph_node_t *late;
  int is_enabled;
  open_chain(&chain);
  open_chain(&other);
  CHECK_OK(ck_graph_create(chain.definition, NULL, &graph));
  ck_node_params_t fill = ck_node_fill(ck_at(chain.y, 0), 1, 4, 1);
  CHECK_OK(ck_graph_definition_add(chain.definition, NULL, 0, &fill, &late));
  CHECK(ck_graph_update_node(graph, late, &fill) != CK_OK);
  CHECK(ck_graph_set_enabled(graph, late, 0) != CK_OK);
  CHECK(ck_graph_get_enabled(graph, late, &is_enabled) != CK_OK);
  CHECK_FAILS(ck_graph_update_node(graph, other.nodes[FILL], &fill), CK_INVALID_ARGUMENT);
  CHECK_ERROR("the node is not of the graph's definition");
  CHECK_FAILS(ck_graph_get_enabled(graph, other.nodes[FILL], &is_enabled), CK_INVALID_ARGUMENT);
  CHECK_OK(ck_graph_launch(graph, stream));
  check_old(&chain, 1);
  CHECK(read_i32(chain.y, 0) == 0);
  ck_graph_release(graph);
  close_chain(&chain);
  close_chain(&other);
}

/* Copies and fills of several rows are changed like any other. */
TEST(update_of_rows)
{
  ck_graph_definition_t *d;
  ck_graph_node_t *copy, *fill;
  ck_graph_t *graph;
  ck_buffer_t *x = zeros(64), *y = zeros(64);
  ck_node_params_t params = ck_node_fill(ck_at(x, 0), 0x11, 1, 8), seen = ck_node_empty();
  CHECK_OK(ck_graph_definition_create(device, &d));
  CHECK_OK(ck_graph_definition_add(d, NULL, 0, &params, &fill));
  CHECK_OK(ck_graph_node_set_params(fill, &params)); /* to the present value */
  params.of.fill.count = 4, params.of.fill.rows = 2, params.of.fill.pitch = 8;
  CHECK_OK(ck_graph_node_set_params(fill, &params));
  CHECK_OK(ck_graph_node_get_params(fill, &seen));
  CHECK(seen.of.fill.count == 4 && seen.of.fill.rows == 2 && seen.of.fill.pitch == 8 &&
        seen.of.fill.value == 0x11);
  params = ck_node_copy(ck_at(y, 0), ck_at(x, 0), 8);
  CHECK_OK(ck_graph_definition_add(d, &fill, 1, &params, &copy));
  CHECK_OK(ck_graph_node_set_params(copy, &params));
  params = ck_node_copy(ck_at(y, 4), ck_at(x, 0), 2);
  params.of.copy.rows = 2, params.of.copy.src_pitch = 8, params.of.copy.dst_pitch = 4;
  CHECK_OK(ck_graph_node_set_params(copy, &params));
  CHECK_OK(ck_graph_node_get_params(copy, &seen));
  CHECK(seen.of.copy.bytes == 2 && seen.of.copy.rows == 2 && seen.of.copy.src_pitch == 8 &&
        seen.of.copy.dst_pitch == 4 && seen.of.copy.dst.offset == ck_buffer_native(y) + 4);
  params.of.copy.src_pitch = 1;
  CHECK_FAILS(ck_graph_node_set_params(copy, &params), CK_INVALID_ARGUMENT);
  CHECK_OK(ck_graph_create(d, NULL, &graph));
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK(read_i32(x, 0) == 0x11111111 && read_i32(x, 1) == 0 && read_i32(x, 2) == 0x11111111);
  CHECK(read_i32(y, 0) == 0 && read_i32(y, 1) == 0x1111 && read_i32(y, 2) == 0x1111);
  ck_graph_release(graph);
  ck_graph_definition_release(d);
  ck_buffer_release(x);
  ck_buffer_release(y);
}

/* Parameters that are read back have addresses: when they are changed and set, the node still
 * retains the memory, also of a closed buffer. */
TEST(addresses_keep_their_memory)
{
  enum { MANY = 1 << 16 };
  ck_memory_resource_t *pool;
  ck_graph_definition_t *d;
  ck_graph_node_t *node;
  ck_graph_t *graph;
  ck_buffer_t *x, *y, *out = zeros(4);
  size_t used, high;
  CHECK_OK(ck_memory_resource_create_device(device, NULL, &pool));
  CHECK_OK(ck_memory_resource_create_buffer(pool, MANY, stream, &x));
  CHECK_OK(ck_memory_resource_create_buffer(pool, MANY, stream, &y));
  CHECK_OK(ck_buffer_fill(x, 0, MANY, 7, 4, stream));
  CHECK_OK(ck_graph_definition_create(device, &d));
  ck_node_params_t params = ck_node_copy(ck_at(y, 0), ck_at(x, 0), MANY);
  CHECK_OK(ck_graph_definition_add(d, NULL, 0, &params, &node));
  params = ck_node_copy(ck_at(out, 0), ck_at(y, 16), 4);
  CHECK_OK(ck_graph_definition_add(d, &node, 1, &params, NULL));
  ck_buffer_release(x);
  CHECK_OK(ck_buffer_close(y, stream));
  ck_buffer_release(y);
  params = ck_node_empty();
  CHECK_OK(ck_graph_node_get_params(node, &params));
  params.of.copy.bytes = 32;
  for (int i = 0; i < 2; ++i) CHECK_OK(ck_graph_node_set_params(node, &params));
  CHECK_OK(ck_stream_sync(stream));
  CHECK_OK(ck_memory_resource_get_usage(pool, &used, &high));
  CHECK(used >= 2 * MANY);
  CHECK_OK(ck_graph_create(d, NULL, &graph));
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK(read_i32(out, 0) == 7);
  ck_graph_release(graph);
  ck_graph_definition_release(d);
  ck_buffer_release(out);
  ck_memory_resource_release(pool);
}

static int given_back;

static void count_back(void *data)
{
  (void)data;
  ++given_back;
}

/* The same for a closed view and for adopted memory: the definition retains it until it is
 * destroyed. */
TEST(addresses_of_what_was_closed)
{
  ck_graph_definition_t *d;
  ck_buffer_t *own = zeros(64), *adopted, *view;
  given_back = 0;
  CHECK_OK(ck_buffer_from_native(device, ck_buffer_native(own), 64, count_back, NULL, &adopted));
  CHECK_OK(ck_buffer_create_view(adopted, 16, 16, &view));
  ck_buffer_t *const buffers[] = {adopted, view};
  CHECK_OK(ck_graph_definition_create(device, &d));
  ck_graph_node_t *nodes[2];
  for (int i = 0; i < 2; ++i) {
    ck_node_params_t fill = ck_node_fill(ck_at(buffers[i], 0), 3, 4, 2);
    CHECK_OK(ck_graph_definition_add(d, nodes, (size_t)i, &fill, &nodes[i]));
  }
  for (int i = 1; i >= 0; --i) {
    CHECK_OK(ck_buffer_close(buffers[i], stream));
    ck_buffer_release(buffers[i]);
  }
  for (int i = 0; i < 2; ++i) {
    ck_node_params_t fill = ck_node_empty();
    CHECK_OK(ck_graph_node_get_params(nodes[i], &fill));
    fill.of.fill.value = 4;
    for (int round = 0; round < 2; ++round) CHECK_OK(ck_graph_node_set_params(nodes[i], &fill));
    if (i == 0) CHECK_OK(ck_graph_node_remove(nodes[i])); /* the other one retains the memory */
    CHECK(given_back == 0);
  }
  ck_graph_definition_release(d);
  CHECK_OK(ck_stream_sync(stream));
  CHECK(given_back == 1);
  ck_buffer_release(own);
}

/* An address as an argument also keeps the memory that the node held there. */
TEST(address_as_an_argument)
{
  ck_graph_definition_t *d;
  ck_graph_node_t *node;
  ck_buffer_t *own = zeros(64), *adopted;
  given_back = 0;
  CHECK_OK(ck_buffer_from_native(device, ck_buffer_native(own), 64, count_back, NULL, &adopted));
  CHECK_OK(ck_graph_definition_create(device, &d));
  const ck_arg_t span[] = {ck_i32(1), ck_span(adopted, 0, 1)},
                 raw[] = {ck_i32(1), ck_address(ck_buffer_native(own))};
  ck_node_params_t params = ck_node_kernel(NULL, add, span, 2);
  CHECK_OK(ck_graph_definition_add(d, NULL, 0, &params, &node));
  ck_buffer_release(adopted);
  params = ck_node_kernel(NULL, add, raw, 2);
  CHECK_OK(ck_graph_node_set_params(node, &params));
  CHECK(given_back == 0);
  ck_graph_definition_release(d);
  CHECK(given_back == 1);
  ck_buffer_release(own);
}

/* A copy between host memory becomes one from or to the device. */
TEST(memcpy_update_between_host_and_device)
{
  for (int is_read = 0; is_read < 2; ++is_read) {
    ck_memory_resource_t *pinned;
    ck_buffer_t *from, *to, *x = zeros(4);
    ck_graph_definition_t *d;
    ck_graph_node_t *node;
    ck_graph_t *graph;
    CHECK_OK(ck_memory_resource_create_pinned(device, &pinned));
    CHECK_OK(ck_memory_resource_create_buffer(pinned, 4, stream, &from));
    CHECK_OK(ck_memory_resource_create_buffer(pinned, 4, stream, &to));
    ck_memory_resource_release(pinned);
    memset(ck_buffer_host(from), 0x5a, 4);
    memset(ck_buffer_host(to), 0, 4);
    if (is_read) CHECK_OK(ck_buffer_fill(x, 0, 4, 0x5a, 1, stream));
    ck_node_params_t params = ck_node_copy(ck_at(to, 0), ck_at(from, 0), 4);
    CHECK_OK(ck_graph_definition_create(device, &d));
    CHECK_OK(ck_graph_definition_add(d, NULL, 0, &params, &node));
    params = is_read ? ck_node_copy(ck_at(to, 0), ck_at(x, 0), 4)
                     : ck_node_copy(ck_at(x, 0), ck_at(from, 0), 4);
    CHECK_OK(ck_graph_node_set_params(node, &params));
    CHECK_OK(ck_graph_create(d, NULL, &graph));
    CHECK_OK(ck_graph_launch(graph, stream));
    CHECK(read_i32(is_read ? to : x, 0) == 0x5a5a5a5a);
    ck_graph_release(graph);
    ck_graph_definition_release(d);
    ck_buffer_release(from);
    ck_buffer_release(to);
    ck_buffer_release(x);
  }
}

/* Changes the grid; a grid without blocks is refused. */
TEST(update_of_a_grid)
{
  enum { N = 1000 };
  ck_kernel_t *wide = kernel("wide");
  ck_buffer_t *x = zeros(4 * N);
  ck_graph_definition_t *d;
  ck_graph_node_t *node;
  ck_graph_t *graph;
  ck_arg_t args[] = {ck_u32(10), ck_whole(x)};
  ck_node_params_t params = ck_node_kernel(NULL, wide, args, 2);
  CHECK_OK(ck_graph_definition_create(device, &d));
  CHECK_OK(ck_graph_definition_add(d, NULL, 0, &params, &node));
  CHECK_OK(ck_graph_create(d, NULL, &graph));
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK(read_i32(x, 9) == 9 && read_i32(x, 10) == 0);
  args[0] = ck_u32(N);
  CHECK_OK(ck_graph_update_node(graph, node, &params));
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK(read_i32(x, N - 1) == N - 1);
  args[0] = ck_u32(0);
  CHECK_FAILS(ck_graph_update_node(graph, node, &params), CK_INVALID_ARGUMENT);
  CHECK_ERROR("the grid has no blocks");
  ck_graph_release(graph);
  ck_graph_definition_release(d);
  ck_buffer_release(x);
  ck_kernel_release(wide);
}

/* The only node of the graph in a child node. */
static ck_graph_node_t *only_inner(ck_graph_node_t *child)
{
  ck_graph_definition_t *inner;
  ck_graph_node_t *node = NULL;
  size_t count = 0;
  CHECK_OK(ck_graph_node_get_graph(child, 0, &inner));
  CHECK_OK(ck_graph_definition_get_nodes(inner, &node, 1, &count));
  CHECK(count == 1);
  return node;
}

/* A definition that is embedded twice: the nodes of each copy change separately. */
TEST(copies_of_a_child)
{
  ck_graph_definition_t *d;
  ck_graph_node_t *children[2], *inner[2];
  ck_graph_t *graph;
  ck_buffer_t *x = zeros(64);
  int is_enabled = 0;
  ck_graph_definition_t *one = one_add(x, 0, 1);
  ck_node_params_t params = ck_node_child(one);
  CHECK_OK(ck_graph_definition_create(device, &d));
  for (int i = 0; i < 2; ++i) {
    CHECK_OK(ck_graph_definition_add(d, children, (size_t)i, &params, &children[i]));
    inner[i] = only_inner(children[i]);
  }
  CHECK_OK(ck_graph_create(d, NULL, &graph));
  for (int i = 0; i < 2; ++i) {
    const ck_arg_t args[] = {ck_i32(11 * (i + 1)), ck_span(x, (size_t)i, 1)};
    params = ck_node_kernel(NULL, add, args, 2);
    CHECK_OK(ck_graph_update_node(graph, inner[i], &params));
  }
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK(read_i32(x, 0) == 11 && read_i32(x, 1) == 22);
  CHECK_OK(ck_graph_set_enabled(graph, inner[1], 0));
  CHECK_OK(ck_graph_get_enabled(graph, inner[0], &is_enabled));
  CHECK(is_enabled == 1);
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK(read_i32(x, 0) == 22 && read_i32(x, 1) == 22);
  ck_graph_release(graph);
  ck_graph_definition_release(one);
  ck_graph_definition_release(d);
  ck_buffer_release(x);
}

/* After a child is changed, its nodes correspond to the old ones: disabled nodes stay disabled. */
TEST(child_update_keeps_switches)
{
  ck_buffer_t *x = zeros(64);
  ck_graph_definition_t *d, *first = one_add(x, 0, 1), *second = one_add(x, 0, 2);
  ck_graph_node_t *child;
  ck_graph_t *graph;
  int is_enabled = 1;
  ck_node_params_t params = ck_node_child(first), fresh = ck_node_child(second);
  CHECK_OK(ck_graph_definition_create(device, &d));
  CHECK_OK(ck_graph_definition_add(d, NULL, 0, &params, &child));
  CHECK_OK(ck_graph_create(d, NULL, &graph));
  CHECK_OK(ck_graph_set_enabled(graph, only_inner(child), 0));
  CHECK_OK(ck_graph_update_node(graph, child, &fresh));
  CHECK_OK(ck_graph_get_enabled(graph, only_inner(child), &is_enabled));
  CHECK(is_enabled == 0);
  CHECK(run_from(graph, x, 5) == 5);
  CHECK_OK(ck_graph_set_enabled(graph, only_inner(child), 1));
  CHECK(run_from(graph, x, 5) == 7);
  ck_graph_release(graph);
  ck_graph_definition_release(first);
  ck_graph_definition_release(second);
  ck_graph_definition_release(d);
  ck_buffer_release(x);
}

/* A child of another structure is refused: more nodes, none, another kind. */
TEST(child_update_of_another_shape)
{
  ck_buffer_t *x = zeros(64);
  ck_graph_definition_t *d, *first = one_add(x, 0, 1);
  ck_graph_node_t *child;
  ck_graph_t *graph;
  ck_node_params_t params = ck_node_child(first),
                   nodes[] = {ck_node_fill(ck_at(x, 0), 9, 4, 1), ck_node_empty()};
  CHECK_OK(ck_graph_definition_create(device, &d));
  CHECK_OK(ck_graph_definition_add(d, NULL, 0, &params, &child));
  CHECK_OK(ck_graph_create(d, NULL, &graph));
  for (int i = 0; i < 3; ++i) {
    ck_graph_definition_t *other = i ? NULL : one_add(x, 0, 1);
    if (i) CHECK_OK(ck_graph_definition_create(device, &other));
    if (i < 2) CHECK_OK(ck_graph_definition_add(other, NULL, 0, &nodes[i], NULL));
    params = ck_node_child(other);
    CHECK_FAILS(ck_graph_update_node(graph, child, &params), CK_INVALID_ARGUMENT);
    CHECK_ERROR("the graph in the node has another shape: CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE");
    CHECK(run_from(graph, x, 5) == 6);
    ck_graph_definition_release(other);
  }
  ck_graph_release(graph);
  ck_graph_definition_release(first);
  ck_graph_definition_release(d);
  ck_buffer_release(x);
}

static ck_graph_definition_t *changing;

/* Uses the definition, as a release function may. */
static void use_definition(void *data)
{
  ck_graph_t *graph;
  ++*(int *)data;
  CHECK_OK(ck_graph_create(changing, NULL, &graph));
  ck_graph_release(graph);
}

/* A release function called by a change may call the library, and sees the changed definition. */
TEST(release_function_uses_the_definition)
{
  int released[2] = {0, 0};
  ck_graph_node_t *node;
  CHECK_OK(ck_graph_definition_create(device, &changing));
  ck_node_params_t params = ck_node_host(use_definition, &released[0], use_definition);
  CHECK_OK(ck_graph_definition_add(changing, NULL, 0, &params, &node));
  params = ck_node_host(use_definition, &released[1], use_definition);
  CHECK_OK(ck_graph_node_set_params(node, &params));
  CHECK(becomes_one(&released[0]));
  CHECK_OK(ck_graph_node_remove(node));
  CHECK(becomes_one(&released[1]));
  ck_graph_definition_release(changing);
}

int main(void)
{
  int missing = open_both(source);
  if (missing) return missing;
  add = kernel("add");
  times = kernel("times");
  RUN(graph_update_kernel_args);
  RUN(graph_update_topology_mismatch);
  RUN(graph_update_unfinished_builder);
  RUN(graph_update_conditional);
  RUN(executable_node_update);
  RUN(node_update);
  RUN(update_in_a_loop);
  RUN(enable_and_disable);
  RUN(order_around_what_is_off);
  RUN(update_one_thing);
  RUN(update_of_a_wait);
  RUN(failed_node_update_preserves_state);
  RUN(nodes_without_update);
  RUN(update_of_rows);
  RUN(addresses_keep_their_memory);
  RUN(addresses_of_what_was_closed);
  RUN(address_as_an_argument);
  RUN(memcpy_update_between_host_and_device);
  RUN(update_of_a_grid);
  RUN(copies_of_a_child);
  RUN(child_update_keeps_switches);
  RUN(child_update_of_another_shape);
  ck_kernel_release(add);
  ck_kernel_release(times);
  RUN(release_function_uses_the_definition);
  return close_both();
}
