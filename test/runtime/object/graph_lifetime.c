/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* graph_lifetime.c - tests that what a graph uses lives as long as any launch of it: the contract
 * in ck/graph.h, and the cases of cuda.core's test_graph_definition_lifetime.py. Memory is watched
 * through the release function of adopted buffers. On the host device or a GPU: $CK_DEVICE. */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "both.h"
#include "watched.h"

static const char source[] =
    "kernel add(a: i32, x: inout i32[1]) launch(block = 1, grid = 1) { x[0] = x[0] + a; }\n"
    "kernel set(c: u64, v: u32) launch(block = 1, grid = 1) { set_condition(c, v); }\n";

static void open_watched(Watched *watched)
{
  watch(watched, zeros(16));
}

/* Memory operations of a GPU can't access memory of a pool. */
static void open_pinned(Watched *watched)
{
  ck_memory_resource_t *pinned = NULL;
  ck_buffer_t *memory = NULL;
  CHECK_OK(ck_memory_resource_create_pinned(device, &pinned));
  CHECK_OK(ck_memory_resource_create_buffer(pinned, 16, stream, &memory));
  ck_memory_resource_release(pinned);
  watch(watched, memory);
}

/* Drops the caller's reference. */
static void let_go(Watched *watched)
{
  ck_buffer_release(watched->buffer);
  CHECK(watched->released == 0); /* someone else holds one */
}

static void release_definition(ck_graph_definition_t **d)
{
  ck_graph_definition_release(*d);
  *d = NULL;
}

static ck_graph_definition_t *new_definition(void)
{
  ck_graph_definition_t *d = NULL;
  CHECK_OK(ck_graph_definition_create(device, &d));
  return d;
}

/* A gate: a stream waits here until it is opened. Under initcheck gates stay open, since the tool
 * waits for the stream in each launch of a graph. */
static atomic_int is_open;

static bool has_gates(void)
{
  const char *tool = getenv("CK_SANITIZER");
  return !tool || strcmp(tool, "initcheck") != 0;
}

static void wait_at_gate(void *data)
{
  (void)data;
  while (!atomic_load(&is_open)) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static void close_gate(void)
{
  atomic_store(&is_open, !has_gates());
  CHECK_OK(ck_stream_launch_host(stream, wait_at_gate, NULL));
}

static void open_gate(void)
{
  atomic_store(&is_open, 1);
}

/* Drops definition, graph and launch in this order, and checks the memory after each. */
static void check_chain(ck_graph_definition_t *d, Watched *watched)
{
  ck_graph_t *graph = NULL;
  let_go(watched);
  CHECK_OK(ck_graph_create(d, NULL, &graph));
  ck_graph_definition_release(d);
  CHECK(watched->released == 0);
  close_gate();
  CHECK_OK(ck_graph_launch(graph, stream));
  ck_graph_release(graph);
  CHECK(watched->released == 0 || !has_gates()); /* retained by the launch */
  open_gate();
  CHECK_OK(ck_stream_sync(stream));
  close_watched(watched);
}

TEST(captured_buffer_survives)
{
  Watched watched;
  ck_kernel_t *add = kernel("add");
  ck_graph_builder_t *builder;
  open_watched(&watched);
  CHECK_OK(ck_graph_builder_create(device, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  CHECK_OK(
      ck_launch(ck_graph_builder_stream(builder), NULL, add, 5, ck_span(watched.buffer, 0, 1)));
  CHECK_OK(ck_graph_builder_end(builder));
  ck_graph_definition_t *d = ck_graph_definition_retain(ck_graph_builder_definition(builder));
  ck_graph_builder_release(builder);
  ck_kernel_release(add); /* the graph retains the kernel and its code */
  check_chain(d, &watched);
}

/* Each kind of node that can retain a buffer. */
TEST(node_buffers_survive)
{
  for (int kind = 0; kind < 6; ++kind) {
    Watched watched;
    ck_kernel_t *add = kernel("add");
    ck_graph_definition_t *d = new_definition(), *child = new_definition();
    ck_buffer_t *other = zeros(16);
    if (kind == 5) open_pinned(&watched);
    else open_watched(&watched);
    const ck_arg_t args[] = {ck_i32(5), ck_span(watched.buffer, 0, 1)};
    const ck_memory_op_t op = {CK_MEMORY_OP_WRITE_32, CK_MEMORY_AT_LEAST, ck_at(watched.buffer, 0),
                               1};
    ck_node_params_t params[] = {ck_node_kernel(NULL, add, args, 2),
                                 ck_node_copy(ck_at(watched.buffer, 0), ck_at(other, 0), 4),
                                 ck_node_copy(ck_at(other, 0), ck_at(watched.buffer, 0), 4),
                                 ck_node_fill(ck_at(watched.buffer, 0), 1, 4, 1),
                                 ck_node_child(child),
                                 ck_node_memory_ops(&op, 1)};
    if (kind == 4) CHECK_OK(ck_graph_definition_add(child, NULL, 0, &params[0], NULL));
    ck_status_t status = ck_graph_definition_add(d, NULL, 0, &params[kind], NULL);
    if (kind != 5 || status == CK_OK) CHECK(status == CK_OK);
    else { /* the driver does not support memory operations in graphs */
      params[3] = ck_node_fill(ck_at(watched.buffer, 0), 1, 4, 1);
      CHECK_OK(ck_graph_definition_add(d, NULL, 0, &params[3], NULL));
    }
    ck_graph_definition_release(child);
    ck_kernel_release(add);
    ck_buffer_release(other);
    check_chain(d, &watched);
  }
}

/* Host data is released by its release function, not before the last launch has finished. */
TEST(callback_data_survives)
{
  Watched watched = {NULL, NULL, 0};
  ck_graph_definition_t *d = new_definition();
  ck_graph_t *graph;
  ck_node_params_t params = ck_node_host(wait_at_gate, &watched, on_release);
  CHECK_OK(ck_graph_definition_add(d, NULL, 0, &params, NULL));
  CHECK_OK(ck_graph_create(d, NULL, &graph));
  ck_graph_definition_release(d);
  atomic_store(&is_open, !has_gates());
  CHECK_OK(ck_graph_launch(graph, stream));
  ck_graph_release(graph);
  CHECK(watched.released == 0 || !has_gates());
  open_gate();
  CHECK_OK(ck_stream_sync(stream));
  CHECK(becomes_one(&watched.released));
}

TEST(failed_add_keeps_nothing)
{
  Watched watched;
  ck_graph_definition_t *d = new_definition();
  ck_kernel_t *add = kernel("add");
  open_watched(&watched);
  const ck_arg_t args[] = {ck_span(watched.buffer, 0, 1), ck_span(watched.buffer, 0, 1)};
  ck_node_params_t wrong = ck_node_kernel(NULL, add, args, 2);
  CHECK_FAILS(ck_graph_definition_add(d, NULL, 0, &wrong, NULL), CK_INVALID_ARGUMENT);
  ck_node_params_t copy = ck_node_copy(ck_at(watched.buffer, 0), ck_at(watched.memory, 8), 16);
  CHECK_FAILS(ck_graph_definition_add(d, NULL, 0, &copy, NULL), CK_INVALID_ARGUMENT);
  ck_buffer_release(watched.buffer);
  close_watched(&watched);
  ck_kernel_release(add);
  release_definition(&d);
}

/* Changed and destroyed nodes release what they held while the definition lives. */
TEST(changed_and_destroyed_nodes_let_go)
{
  Watched first, second;
  ck_graph_definition_t *d = new_definition();
  ck_graph_node_t *node;
  open_watched(&first);
  open_watched(&second);
  ck_node_params_t params = ck_node_fill(ck_at(first.buffer, 0), 1, 4, 1);
  CHECK_OK(ck_graph_definition_add(d, NULL, 0, &params, &node));
  let_go(&first);
  params = ck_node_fill(ck_at(second.buffer, 0), 1, 4, 1);
  CHECK_OK(ck_graph_node_set_params(node, &params));
  close_watched(&first);
  let_go(&second);
  CHECK_OK(ck_graph_node_remove(node));
  close_watched(&second);
  release_definition(&d);
}

/* A changed node of an executable graph: old and new references as long as launches need them. */
TEST(updated_node_survives)
{
  Watched first, second, third;
  ck_graph_definition_t *d = new_definition();
  ck_graph_node_t *node;
  ck_graph_t *graph;
  open_watched(&first);
  open_watched(&second);
  open_watched(&third);
  ck_node_params_t params = ck_node_fill(ck_at(first.buffer, 0), 1, 4, 1);
  CHECK_OK(ck_graph_definition_add(d, NULL, 0, &params, &node));
  CHECK_OK(ck_graph_create(d, NULL, &graph));
  params = ck_node_fill(ck_at(second.buffer, 0), 2, 4, 1);
  CHECK_OK(ck_graph_update_node(graph, node, &params));
  let_go(&first); /* drops the definition's reference */
  let_go(&second);
  close_gate();
  CHECK_OK(ck_graph_launch(graph, stream));
  params = ck_node_fill(ck_at(third.buffer, 0), 3, 4, 1);
  CHECK_OK(ck_graph_update_node(graph, node, &params));
  let_go(&third);
  CHECK(second.released == 0 || !has_gates()); /* retained by the running launch */
  open_gate();
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK_OK(ck_stream_sync(stream));
  CHECK(read_i32(second.memory, 0) == 2 && read_i32(third.memory, 0) == 3);
  release_definition(&d);
  ck_graph_release(graph);
  close_watched(&first);
  close_watched(&second);
  close_watched(&third);
}

/* An update of the whole graph adds the other definition's references. */
TEST(updated_graph_survives)
{
  Watched first, second;
  ck_graph_definition_t *d = new_definition(), *other = new_definition();
  ck_graph_t *graph;
  open_watched(&first);
  open_watched(&second);
  ck_node_params_t params = ck_node_fill(ck_at(first.buffer, 0), 1, 4, 1);
  CHECK_OK(ck_graph_definition_add(d, NULL, 0, &params, NULL));
  params = ck_node_fill(ck_at(second.buffer, 0), 2, 4, 1);
  CHECK_OK(ck_graph_definition_add(other, NULL, 0, &params, NULL));
  CHECK_OK(ck_graph_create(d, NULL, &graph));
  let_go(&first);
  let_go(&second);
  CHECK_OK(ck_graph_update(graph, other));
  release_definition(&other);
  CHECK(second.released == 0);
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK(read_i32(second.memory, 0) == 2);
  release_definition(&d);
  ck_graph_release(graph);
  close_watched(&first);
  close_watched(&second);
}

/* References in the body of a conditional node, and of a definition embedded in a capture. */
TEST(inner_graphs_survive)
{
  Watched watched;
  ck_kernel_t *add = kernel("add"), *set = kernel("set");
  ck_graph_builder_t *builder, *body;
  uint64_t condition;
  uint32_t one = 1;
  open_watched(&watched);
  CHECK_OK(ck_graph_builder_create(device, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  CHECK_OK(ck_graph_builder_create_condition(builder, &one, &condition));
  CHECK_OK(ck_graph_builder_add_if(builder, condition, &body));
  CHECK_OK(ck_graph_builder_begin(body, CK_CAPTURE_RELAXED));
  CHECK_OK(ck_launch(ck_graph_builder_stream(body), NULL, add, 5, ck_span(watched.buffer, 0, 1)));
  CHECK_OK(ck_graph_builder_end(body));
  ck_graph_builder_release(body);
  CHECK_OK(ck_graph_builder_end(builder));
  ck_graph_definition_t *d = ck_graph_definition_retain(ck_graph_builder_definition(builder));
  ck_graph_builder_release(builder);
  check_chain(d, &watched);

  open_watched(&watched);
  d = new_definition();
  ck_node_params_t params = ck_node_fill(ck_at(watched.buffer, 0), 1, 4, 1);
  CHECK_OK(ck_graph_definition_add(d, NULL, 0, &params, NULL));
  CHECK_OK(ck_graph_builder_create(device, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  CHECK_OK(ck_graph_builder_embed(builder, d));
  release_definition(&d);
  CHECK_OK(ck_graph_builder_end(builder));
  d = ck_graph_definition_retain(ck_graph_builder_definition(builder));
  ck_graph_builder_release(builder);
  check_chain(d, &watched);
  ck_kernel_release(add);
  ck_kernel_release(set);
}

/* A capture that is discarded, or can't end, drops everything at once. */
TEST(abandoned_capture_lets_go)
{
  for (int round = 0; round < 2; ++round) {
    Watched watched;
    ck_kernel_t *add = kernel("add");
    ck_graph_builder_t *builder;
    open_watched(&watched);
    CHECK_OK(ck_graph_builder_create(device, &builder));
    CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
    CHECK_OK(
        ck_launch(ck_graph_builder_stream(builder), NULL, add, 5, ck_span(watched.buffer, 0, 1)));
    let_go(&watched);
    if (round) {
      CHECK_FAILS(ck_stream_query(ck_graph_builder_stream(builder)), CK_DRIVER);
      CHECK_FAILS(ck_graph_builder_end(builder), CK_DRIVER);
    }
    ck_graph_builder_release(builder);
    close_watched(&watched);
    ck_kernel_release(add);
  }
}

/* A graph that is released during its last launch: in a stream of ours, an adopted stream, a stream
 * that is captured by now, and one that nobody else holds. */
TEST(released_in_each_kind_of_stream)
{
  for (int kind = 0; kind < 4; ++kind) {
    Watched watched;
    ck_stream_t *other = NULL, *to = stream;
    ck_graph_builder_t *builder;
    ck_graph_definition_t *d = new_definition();
    ck_graph_t *graph;
    open_watched(&watched);
    ck_node_params_t params = ck_node_fill(ck_at(watched.buffer, 0), 1, 4, 1);
    CHECK_OK(ck_graph_definition_add(d, NULL, 0, &params, NULL));
    let_go(&watched);
    CHECK_OK(ck_graph_create(d, NULL, &graph));
    ck_graph_definition_release(d);
    CHECK_OK(ck_graph_launch(graph, stream));
    if (kind == 1) CHECK_OK(ck_stream_from_native(device, ck_stream_native(stream), 0, &other));
    if (kind == 3) CHECK_OK(ck_stream_create(device, NULL, &other));
    if (other) to = other;
    close_gate();
    if (kind == 3) CHECK_OK(ck_stream_wait_stream(other, stream));
    CHECK_OK(ck_graph_launch(graph, to));
    ck_stream_release(other);
    if (kind == 2) {
      CHECK_OK(ck_graph_builder_from_stream(stream, &builder));
      CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
    }
    ck_graph_release(graph);
    CHECK(watched.released == 0 || !has_gates());
    open_gate();
    if (kind == 2) {
      CHECK(watched.released == 0 || !has_gates());
      CHECK_OK(ck_graph_builder_end(builder));
      ck_graph_builder_release(builder);
    }
    close_watched(&watched);
  }
}

static atomic_int inside, most_inside;

static void stay_a_while(void *data)
{
  (void)data;
  int now = atomic_fetch_add(&inside, 1) + 1;
  if (now > atomic_load(&most_inside)) atomic_store(&most_inside, now);
  nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  atomic_fetch_sub(&inside, 1);
}

/* Launches of one graph are serialised in whatever streams they are, which is how its end is known.
 */
TEST(launches_of_one_graph_take_turns)
{
  ck_stream_t *other;
  ck_graph_definition_t *d = new_definition();
  ck_graph_t *graph;
  ck_node_params_t params = ck_node_host(stay_a_while, NULL, NULL);
  atomic_store(&most_inside, 0);
  CHECK_OK(ck_graph_definition_add(d, NULL, 0, &params, NULL));
  CHECK_OK(ck_graph_create(d, NULL, &graph));
  CHECK_OK(ck_stream_create(device, NULL, &other));
  for (int i = 0; i < 10; ++i) CHECK_OK(ck_graph_launch(graph, i % 2 ? other : stream));
  CHECK_OK(ck_stream_sync(stream));
  CHECK_OK(ck_stream_sync(other));
  CHECK(atomic_load(&most_inside) == 1);
  ck_graph_release(graph);
  ck_graph_definition_release(d);
  ck_stream_release(other);
}

/* A buffer of a pool that is released while its stream is captured is freed with the capture. */
TEST(pool_buffer_released_in_capture)
{
  ck_graph_builder_t *builder;
  ck_buffer_t *buffer = zeros(64);
  ck_graph_t *graph;
  CHECK_OK(ck_graph_builder_from_stream(stream, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  ck_buffer_release(buffer);
  CHECK_OK(ck_graph_builder_end(builder));
  CHECK_OK(ck_graph_builder_create_graph(builder, NULL, &graph));
  ck_graph_builder_release(builder);
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK_OK(ck_stream_sync(stream));
  ck_graph_release(graph);
}

/* An inner definition retains the outermost one; a graph retains its definition. */
TEST(children_hold_parents)
{
  ck_graph_definition_t *d = new_definition(), *child = new_definition(), *inner;
  ck_graph_node_t *node;
  ck_graph_t *graph;
  size_t count;
  ck_node_params_t params = ck_node_empty();
  CHECK_OK(ck_graph_definition_add(child, NULL, 0, &params, NULL));
  params = ck_node_child(child);
  CHECK_OK(ck_graph_definition_add(d, NULL, 0, &params, &node));
  CHECK_OK(ck_graph_node_get_graph(node, 0, &inner));
  ck_graph_definition_retain(inner);
  CHECK_OK(ck_graph_create(d, NULL, &graph));
  ck_graph_definition_release(d);
  ck_graph_definition_release(child);
  CHECK_OK(ck_graph_definition_get_nodes(inner, &node, 1, &count));
  CHECK(count == 1 && ck_graph_node_kind(node) == CK_NODE_EMPTY);
  ck_graph_t *part;
  CHECK_FAILS(ck_graph_create(inner, NULL, &part), CK_INVALID_ARGUMENT);
  CHECK(part == NULL);
  ck_graph_definition_release(inner);
  ck_graph_release(graph);
}

/* host functions with data that says when it is given back ----------------------------------------
 */

typedef struct Call {
  int calls, released;
} Call;

static void count_call(void *data)
{
  ++((Call *)data)->calls;
}

static void count_release(void *data)
{
  ++((Call *)data)->released;
}

static ck_graph_node_t *add_call(ck_graph_definition_t *d, ck_graph_node_t *after, Call *call)
{
  ck_graph_node_t *node = NULL;
  ck_node_params_t params = ck_node_host(count_call, call, count_release);
  CHECK_OK(ck_graph_definition_add(d, &after, after != NULL, &params, &node));
  return node;
}

static ck_graph_node_t *add_child(ck_graph_definition_t *d, ck_graph_definition_t *child)
{
  ck_graph_node_t *node = NULL;
  ck_node_params_t params = ck_node_child(child);
  CHECK_OK(ck_graph_definition_add(d, NULL, 0, &params, &node));
  return node;
}

static ck_graph_t *create(ck_graph_definition_t *d)
{
  ck_graph_t *graph = NULL;
  CHECK_OK(ck_graph_create(d, NULL, &graph));
  return graph;
}

static void run_graph(ck_graph_t *graph)
{
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK_OK(ck_stream_sync(stream));
}

static size_t count_nodes(ck_graph_definition_t *d)
{
  size_t count = 99;
  CHECK_OK(ck_graph_definition_get_nodes(d, NULL, 0, &count));
  return count;
}

static ck_graph_definition_t *graph_in(ck_graph_node_t *node, size_t index)
{
  ck_graph_definition_t *inner = NULL;
  CHECK_OK(ck_graph_node_get_graph(node, index, &inner));
  return inner;
}

/* The only node of a definition. */
static ck_graph_node_t *only_node(ck_graph_definition_t *d)
{
  ck_graph_node_t *node = NULL;
  size_t count = 0;
  CHECK_OK(ck_graph_definition_get_nodes(d, &node, 1, &count));
  CHECK(count == 1);
  return node;
}

/* Checks a definition whose node was destroyed. */
static void check_gone(ck_graph_definition_t *inner)
{
  ck_graph_definition_t *d = new_definition();
  ck_graph_node_t *node;
  size_t count;
  uint64_t condition;
  ck_node_params_t params = ck_node_empty(), child = ck_node_child(inner);
  CHECK(ck_graph_definition_native(inner) == NULL);
  CHECK(ck_graph_definition_device(inner) == device);
  CHECK_FAILS(ck_graph_definition_get_nodes(inner, &node, 1, &count), CK_INVALID_ARGUMENT);
  CHECK_ERROR("the definition was in a node that is gone");
  CHECK_FAILS(ck_graph_definition_get_edges(inner, NULL, NULL, 0, &count), CK_INVALID_ARGUMENT);
  CHECK_FAILS(ck_graph_definition_add(inner, NULL, 0, &params, &node), CK_INVALID_ARGUMENT);
  CHECK_FAILS(ck_graph_definition_create_condition(inner, NULL, &condition), CK_INVALID_ARGUMENT);
  CHECK_FAILS(ck_graph_definition_save_dot(inner, "/dev/null", 0), CK_INVALID_ARGUMENT);
  CHECK_FAILS(ck_graph_definition_add(d, NULL, 0, &child, NULL), CK_INVALID_ARGUMENT);
  ck_graph_definition_release(d);
}

/* graphs in nodes
 * ---------------------------------------------------------------------------------- */

static const struct {
  ck_condition_kind_t kind;
  uint32_t bodies;
} conditions[] = {
    {CK_CONDITION_IF, 1}, {CK_CONDITION_IF, 2}, {CK_CONDITION_WHILE, 1}, {CK_CONDITION_SWITCH, 4}};

static ck_graph_node_t *add_condition(ck_graph_definition_t *d, size_t index)
{
  ck_graph_node_t *node = NULL;
  uint64_t condition = 0;
  CHECK_OK(ck_graph_definition_create_condition(d, NULL, &condition));
  ck_node_params_t params =
      ck_node_condition(conditions[index].kind, condition, conditions[index].bodies);
  CHECK_OK(ck_graph_definition_add(d, NULL, 0, &params, &node));
  return node;
}

/* Bodies retain the outermost definition: they exist, and nodes can be added, when nobody else
 * holds it. */
TEST(branches_survive_parent_deletion)
{
  ck_kernel_t *add = kernel("add");
  ck_buffer_t *x = zeros(4);
  const ck_arg_t args[] = {ck_i32(1), ck_whole(x)};
  for (size_t i = 0; i < sizeof conditions / sizeof *conditions; ++i) {
    ck_graph_definition_t *d = new_definition(), *bodies[4];
    add_condition(d, i);
    ck_graph_node_t *owner = only_node(d);
    for (uint32_t k = 0; k < conditions[i].bodies; ++k)
      bodies[k] = ck_graph_definition_retain(graph_in(owner, k));
    ck_graph_definition_release(d);
    for (uint32_t k = 0; k < conditions[i].bodies; ++k) {
      ck_node_params_t params = ck_node_kernel(NULL, add, args, 2);
      CHECK(count_nodes(bodies[k]) == 0);
      CHECK_OK(ck_graph_definition_add(bodies[k], NULL, 0, &params, NULL));
      CHECK(count_nodes(bodies[k]) == 1);
    }
    for (uint32_t k = 0; k < conditions[i].bodies; ++k) ck_graph_definition_release(bodies[k]);
  }
  ck_buffer_release(x);
  ck_kernel_release(add);
}

/* Destroying a conditional node destroys its bodies; their objects are empty then. */
TEST(destroying_conditional_node)
{
  for (size_t i = 0; i < sizeof conditions / sizeof *conditions; ++i) {
    Watched watched[4];
    uint32_t count = conditions[i].bodies;
    ck_graph_definition_t *d = new_definition(), *bodies[4];
    ck_graph_node_t *owner = add_condition(d, i);
    for (uint32_t k = 0; k < count; ++k) {
      open_watched(&watched[k]);
      ck_node_params_t params = ck_node_fill(ck_at(watched[k].buffer, 0), 1, 4, 1);
      bodies[k] = ck_graph_definition_retain(graph_in(owner, k));
      CHECK_OK(ck_graph_definition_add(bodies[k], NULL, 0, &params, NULL));
      let_go(&watched[k]);
    }
    CHECK_OK(ck_graph_node_remove(owner));
    CHECK(count_nodes(d) == 0);
    ck_graph_definition_release(d); /* the bodies still retain it */
    for (uint32_t k = 0; k < count; ++k) {
      close_watched(&watched[k]);
      check_gone(bodies[k]);
    }
    for (uint32_t k = 0; k < count; ++k) ck_graph_definition_release(bodies[k]);
  }
}

/* A definition that contains another one with a host function; the innermost is watched. */
static ck_graph_definition_t *new_nest(Call *call)
{
  ck_graph_definition_t *inner = new_definition(), *middle = new_definition();
  *call = (Call){0, 0};
  add_call(inner, NULL, call);
  add_child(middle, inner);
  ck_graph_definition_release(inner);
  return middle;
}

TEST(nested_child_graph_lifetime)
{
  Call call;
  ck_graph_definition_t *middle = new_nest(&call), *outer = new_definition();
  ck_graph_node_t *node = only_node(graph_in(add_child(outer, middle), 0));
  CHECK(ck_graph_node_kind(node) == CK_NODE_CHILD);
  ck_graph_definition_t *grandchild = ck_graph_definition_retain(graph_in(node, 0));
  ck_graph_definition_release(outer);
  ck_graph_definition_release(middle);
  CHECK(ck_graph_node_kind(only_node(grandchild)) == CK_NODE_HOST && call.released == 0);
  ck_graph_definition_release(grandchild);
  CHECK(becomes_one(&call.released));
}

/* A node that was added to a child's copy is destroyed through another object of it. */
TEST(reconstructed_child_view_releases_node_attachment)
{
  Call call = {0, 0};
  ck_graph_definition_t *d = new_definition(), *child = new_definition();
  add_call(graph_in(add_child(d, child), 0), NULL, &call);
  ck_graph_definition_release(child);
  CHECK(call.released == 0);
  ck_graph_node_t *node = only_node(graph_in(only_node(d), 0));
  CHECK(ck_graph_node_kind(node) == CK_NODE_HOST);
  CHECK_OK(ck_graph_node_remove(node));
  CHECK(becomes_one(&call.released));
  ck_graph_definition_release(d);
}

/* A node of a copy retains what its original retains, and drops it when it is destroyed. */
TEST(populated_child_clone_releases_attachment)
{
  Call calls[2] = {{0, 0}, {0, 0}};
  Watched watched;
  size_t count;
  ck_graph_definition_t *d = new_definition(), *child = new_definition();
  ck_graph_node_t *nodes[3];
  open_watched(&watched);
  ck_node_params_t fill = ck_node_fill(ck_at(watched.buffer, 0), 1, 4, 1);
  nodes[0] = add_call(child, NULL, &calls[0]);
  nodes[1] = add_call(child, nodes[0], &calls[1]);
  CHECK_OK(ck_graph_definition_add(child, &nodes[1], 1, &fill, NULL));
  let_go(&watched);
  ck_graph_definition_t *copy = graph_in(add_child(d, child), 0);
  ck_graph_definition_release(child);
  CHECK_OK(ck_graph_definition_get_nodes(copy, nodes, 3, &count));
  CHECK(count == 3 && calls[0].released == 0 && calls[1].released == 0);
  for (size_t i = 0; i < count; ++i) {
    ck_node_params_t seen = ck_node_empty();
    ck_node_kind_t kind = ck_graph_node_kind(nodes[i]);
    CHECK_OK(ck_graph_node_get_params(nodes[i], &seen));
    if (kind == CK_NODE_HOST && seen.of.host.data == &calls[1]) continue;
    CHECK_OK(ck_graph_node_remove(nodes[i]));
    CHECK(becomes_one(kind == CK_NODE_HOST ? &calls[0].released : &watched.released));
  }
  CHECK(calls[1].released == 0); /* its node exists */
  close_watched(&watched);
  ck_graph_t *graph = create(d);
  run_graph(graph);
  CHECK(calls[0].calls == 0 && calls[1].calls == 1);
  ck_graph_release(graph);
  CHECK(calls[1].released == 0);
  ck_graph_definition_release(d);
  CHECK(becomes_one(&calls[1].released));
}

/* Two copies of a graph with a child: each has its own references. (A copy itself can't be copied:
 * CUDA 13.0 reports that it is not supported.) */
TEST(nested_child_clone_releases_attachment)
{
  Call call;
  ck_graph_definition_t *middle = new_nest(&call), *outer = new_definition(),
                        *third = new_definition();
  ck_graph_definition_t *copy = graph_in(add_child(outer, middle), 0);
  ck_graph_node_t *node = only_node(graph_in(only_node(copy), 0));
  ck_graph_definition_t *part = graph_in(add_child(third, middle), 0);
  ck_graph_node_t *other = only_node(graph_in(only_node(part), 0));
  ck_graph_definition_release(middle);
  CHECK(ck_graph_node_kind(node) == CK_NODE_HOST && other != node && call.released == 0);
  CHECK_OK(ck_graph_node_remove(node));
  CHECK(call.released == 0); /* the third still retains it */
  CHECK_OK(ck_graph_node_remove(other));
  CHECK(becomes_one(&call.released));
  ck_graph_definition_release(outer);
  ck_graph_definition_release(third);
}

/* A builder with a captured host function and optionally a captured kernel. */
static ck_graph_builder_t *capture_call(Call *call, Watched *watched)
{
  ck_graph_builder_t *builder = NULL;
  ck_kernel_t *add = kernel("add");
  *call = (Call){0, 0};
  CHECK_OK(ck_graph_builder_create(device, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  CHECK_OK(ck_graph_builder_launch_host(builder, count_call, call, count_release));
  if (watched)
    CHECK_OK(
        ck_launch(ck_graph_builder_stream(builder), NULL, add, 5, ck_span(watched->buffer, 0, 1)));
  CHECK_OK(ck_graph_builder_end(builder));
  ck_kernel_release(add);
  return builder;
}

/* The same for a captured host function. What else was captured is released with the child node. */
TEST(builder_embedded_clone_releases_attachment)
{
  Call call;
  Watched watched;
  ck_graph_builder_t *parent;
  size_t count;
  open_watched(&watched);
  ck_graph_builder_t *child = capture_call(&call, &watched);
  let_go(&watched);
  CHECK_OK(ck_graph_builder_create(device, &parent));
  CHECK_OK(ck_graph_builder_begin(parent, CK_CAPTURE_RELAXED));
  CHECK_OK(ck_graph_builder_embed(parent, ck_graph_builder_definition(child)));
  CHECK_OK(ck_graph_builder_end(parent));
  ck_graph_builder_release(child);
  ck_graph_definition_t *d = ck_graph_builder_definition(parent);
  ck_graph_node_t *owner = only_node(d), *nodes[2];
  CHECK_OK(ck_graph_definition_get_nodes(graph_in(owner, 0), nodes, 2, &count));
  CHECK(count == 2 && call.released == 0);
  int is_second = ck_graph_node_kind(nodes[1]) == CK_NODE_HOST;
  CHECK_OK(ck_graph_node_remove(nodes[is_second]));
  CHECK(becomes_one(&call.released) && watched.released == 0);
  ck_graph_t *graph = create(d);
  CHECK_OK(ck_graph_node_remove(owner));
  CHECK(watched.released == 0); /* retained by the graph */
  run_graph(graph);
  CHECK(read_i32(watched.memory, 0) == 5 && call.calls == 0);
  ck_graph_release(graph);
  close_watched(&watched);
  ck_graph_builder_release(parent);
}

/* A captured host function is released with its node; a graph that was made before retains it until
 * its launches have finished. */
TEST(captured_call_goes_with_its_node)
{
  Call call;
  ck_graph_builder_t *builder = capture_call(&call, NULL);
  ck_graph_definition_t *d = ck_graph_builder_definition(builder);
  ck_graph_t *graph = create(d);
  CHECK_OK(ck_graph_node_remove(only_node(d)));
  CHECK(call.released == 0);
  close_gate();
  CHECK_OK(ck_graph_launch(graph, stream));
  ck_graph_release(graph);
  CHECK(call.released == 0 || !has_gates());
  open_gate();
  CHECK_OK(ck_stream_sync(stream));
  CHECK(becomes_one(&call.released) && call.calls == 1);
  ck_graph_builder_release(builder);
}

/* A copy of a conditional node retains what its bodies hold, if the driver copies conditions; those
 * of CUDA 13.0 and the host device don't. */
TEST(copied_condition_keeps_its_bodies)
{
  Watched watched;
  ck_graph_definition_t *d = new_definition(), *child = new_definition();
  ck_graph_node_t *node = add_condition(child, 0);
  open_watched(&watched);
  ck_node_params_t fill = ck_node_fill(ck_at(watched.buffer, 0), 1, 4, 1),
                   params = ck_node_child(child);
  CHECK_OK(ck_graph_definition_add(graph_in(node, 0), NULL, 0, &fill, NULL));
  let_go(&watched);
  ck_status_t status = ck_graph_definition_add(d, NULL, 0, &params, &node);
  ck_graph_definition_release(child);
  CHECK(status != CK_OK || (watched.released == 0 && !ck_device_is_host(device)));
  if (status == CK_OK) CHECK_OK(ck_graph_node_remove(only_node(graph_in(node, 0))));
  close_watched(&watched);
  ck_graph_definition_release(d);
}

/* Destroying a child node releases everything in its copy, including nodes that were added to it.
 */
TEST(destroying_child_node)
{
  Call call, later = {0, 0};
  ck_graph_definition_t *middle = new_nest(&call), *outer = new_definition();
  ck_graph_node_t *node = add_child(outer, middle);
  ck_graph_definition_release(middle);
  middle = ck_graph_definition_retain(graph_in(node, 0));
  ck_graph_definition_t *inner = ck_graph_definition_retain(graph_in(only_node(middle), 0));
  add_call(inner, only_node(inner), &later);
  CHECK(count_nodes(inner) == 2 && call.released == 0 && later.released == 0);
  CHECK_OK(ck_graph_node_remove(node));
  CHECK(becomes_one(&call.released) && becomes_one(&later.released));
  CHECK(count_nodes(outer) == 0);
  check_gone(middle);
  check_gone(inner);
  ck_graph_definition_release(outer);
  ck_graph_definition_release(middle);
  check_gone(inner); /* it retains the outermost definition */
  ck_graph_definition_release(inner);
}

/* Setting another child: the old copy is destroyed like its node would be, and the new one exists.
 */
TEST(updating_child_node)
{
  Call old, fresh;
  ck_graph_definition_t *d = new_definition(), *first = new_nest(&old), *second = new_nest(&fresh);
  ck_graph_node_t *node = add_child(d, first);
  ck_graph_definition_release(first);
  ck_graph_definition_t *middle = ck_graph_definition_retain(graph_in(node, 0));
  ck_graph_definition_t *inner = ck_graph_definition_retain(graph_in(only_node(middle), 0));
  ck_node_params_t params = ck_node_child(middle);
  CHECK_FAILS(ck_graph_node_set_params(node, &params), CK_INVALID_ARGUMENT);
  params = ck_node_child(d);
  CHECK_FAILS(ck_graph_node_set_params(node, &params), CK_INVALID_ARGUMENT);
  CHECK(count_nodes(middle) == 1 && count_nodes(inner) == 1);
  params = ck_node_child(second);
  ck_status_t status = ck_graph_node_set_params(node, &params);
  ck_graph_definition_release(second);
  if (status == CK_OK) {
    check_gone(middle);
    check_gone(inner);
    CHECK(becomes_one(&old.released));
    CHECK(fresh.released == 0);
    CHECK(graph_in(node, 0) != middle && graph_in(node, 0) == graph_in(node, 0));
    ck_graph_node_t *call_node = only_node(graph_in(only_node(graph_in(node, 0)), 0));
    ck_node_params_t seen = ck_node_empty();
    CHECK_OK(ck_graph_node_get_params(call_node, &seen));
    CHECK(seen.of.host.data == &fresh);
    ck_graph_t *graph = create(d);
    run_graph(graph);
    CHECK(old.calls == 0 && fresh.calls == 1);
    ck_graph_release(graph);
  } else { /* drivers before 13 can't change a child of a definition */
    CHECK(!ck_device_is_host(device) && count_nodes(inner) == 1);
  }
  CHECK_OK(ck_graph_node_remove(node));
  CHECK(becomes_one(&fresh.released) && becomes_one(&old.released));
  ck_graph_definition_release(middle);
  ck_graph_definition_release(inner);
  ck_graph_definition_release(d);
}

/* events and kernels
 * --------------------------------------------------------------------------------- */

/* The event of a node is the same object with its properties, when nobody else holds it. */
TEST(event_nodes_keep_events)
{
  for (int is_wait = 0; is_wait < 2; ++is_wait) {
    const uint32_t flags = is_wait ? 0 : CK_EVENT_TIMING | CK_EVENT_BLOCKING_SYNC;
    ck_event_options_t options = CK_OPTIONS_INIT(ck_event_options_t);
    ck_graph_definition_t *d = new_definition();
    ck_event_t *event;
    ck_graph_node_t *node;
    options.flags = flags;
    CHECK_OK(ck_event_create(device, &options, &event));
    ck_node_params_t params = is_wait ? ck_node_wait(event) : ck_node_record(event);
    ck_node_params_t seen = ck_node_empty();
    CHECK_OK(ck_graph_definition_add(d, NULL, 0, &params, &node));
    params = is_wait ? ck_node_record(event) : ck_node_wait(event);
    CHECK_OK(ck_graph_definition_add(d, &node, 1, &params, NULL));
    ck_event_release(event);
    CHECK_OK(ck_graph_node_get_params(node, &seen));
    CHECK(seen.of.event.event != NULL && ck_event_flags(seen.of.event.event) == flags);
    CHECK(ck_event_device(seen.of.event.event) == device);
    CHECK_OK(ck_event_query(seen.of.event.event));
    ck_graph_t *graph = create(d);
    ck_graph_definition_release(d);
    run_graph(graph);
    ck_graph_release(graph);
  }
}

/* A kernel whose code nobody else holds. */
static ck_kernel_t *own_kernel(ck_object_code_t **out_code)
{
  static const char text[] = "kernel own(x: inout i32[1]) launch(block = 32, grid = 1)\n"
                             "{ if (thread.rank == 0) x[0] = x[0] + 3; }\n";
  ck_program_t *program = NULL;
  ck_kernel_t *own = NULL;
  CHECK_OK(ck_program_create(text, sizeof text - 1, NULL, &program));
  CHECK_OK(ck_program_compile(program, device, out_code));
  CHECK_OK(ck_kernel_from_code(*out_code, device, "own", &own));
  ck_program_release(program);
  ck_cache_clear();
  return own;
}

TEST(kernel_node_keeps_kernel_alive)
{
  ck_object_code_t *own_code;
  ck_kernel_t *own = own_kernel(&own_code);
  ck_graph_definition_t *d = new_definition();
  ck_buffer_t *x = zeros(4);
  ck_graph_node_t *node, *behind, *before;
  const ck_arg_t args[] = {ck_whole(x)};
  ck_node_params_t params = ck_node_kernel(NULL, own, args, 1), seen = ck_node_empty();
  CHECK_OK(ck_graph_definition_add(d, NULL, 0, &params, &node));
  params = ck_node_empty();
  CHECK_OK(ck_graph_definition_add(d, &node, 1, &params, &behind));
  ck_kernel_release(own);
  ck_object_code_release(own_code);
  size_t count;
  int threads = 0;
  CHECK_OK(ck_graph_node_get_dependencies(behind, &before, 1, &count));
  CHECK(before == node);
  CHECK_OK(ck_graph_node_get_params(before, &seen));
  CHECK_OK(
      ck_kernel_get_attribute(seen.of.kernel.kernel, CK_KERNEL_MAX_THREADS_PER_BLOCK, &threads));
  CHECK(seen.of.kernel.kernel == own && threads >= 32 && !strcmp(ck_kernel_name(own), "own"));
  ck_graph_t *graph = create(d);
  ck_graph_definition_release(d);
  run_graph(graph);
  CHECK(read_i32(x, 0) == 3);
  ck_graph_release(graph);
  ck_buffer_release(x);
}

/* A kernel adopted by its handle retains its code. */
TEST(kernel_from_handle_recovers_library)
{
  ck_object_code_t *own_code;
  ck_kernel_t *own = own_kernel(&own_code), *again;
  int threads = 0;
  CHECK_OK(ck_kernel_from_native(device, ck_kernel_native(own), own_code, &again));
  ck_kernel_release(own);
  ck_object_code_release(own_code);
  CHECK_OK(ck_kernel_get_attribute(again, CK_KERNEL_MAX_THREADS_PER_BLOCK, &threads));
  CHECK(threads >= 32);
  ck_kernel_release(again);
}

/* A copy of a graph in a child node does not depend on the original. */
TEST(copies_keep_what_they_use)
{
  Watched from, to, argument;
  ck_object_code_t *own_code;
  ck_kernel_t *own = own_kernel(&own_code);
  ck_graph_definition_t *d = new_definition(), *child = new_definition();
  ck_event_t *event;
  ck_graph_node_t *node = NULL;
  open_watched(&from);
  open_watched(&to);
  open_watched(&argument);
  CHECK_OK(ck_buffer_fill(from.memory, 0, 16, 7, 4, stream));
  CHECK_OK(ck_event_create(device, NULL, &event));
  const ck_arg_t args[] = {ck_span(argument.buffer, 0, 1)};
  ck_node_params_t params[] = {ck_node_record(event), ck_node_wait(event),
                               ck_node_kernel(NULL, own, args, 1),
                               ck_node_copy(ck_at(to.buffer, 0), ck_at(from.buffer, 0), 4),
                               ck_node_fill(ck_at(to.buffer, 4), 9, 4, 1)};
  for (size_t i = 0; i < sizeof params / sizeof *params; ++i)
    CHECK_OK(ck_graph_definition_add(child, &node, i > 0, &params[i], &node));
  add_child(d, child);
  ck_graph_definition_release(child);
  ck_event_release(event);
  ck_kernel_release(own);
  ck_object_code_release(own_code);
  let_go(&from);
  let_go(&to);
  let_go(&argument);
  ck_graph_t *graph = create(d);
  ck_graph_definition_release(d);
  run_graph(graph);
  CHECK(read_i32(to.memory, 0) == 7 && read_i32(to.memory, 1) == 9);
  CHECK(read_i32(argument.memory, 0) == 3);
  ck_graph_release(graph);
  close_watched(&from);
  close_watched(&to);
  close_watched(&argument);
}

/* what graphs have, and when they give it back
 * ------------------------------------------------------ */

/* Release functions are called on threads that call the library, not on the driver's threads. */
static pthread_t main_thread;
static int off_thread;

static void note_thread(void *data)
{
  off_thread += !pthread_equal(pthread_self(), main_thread);
  ++((Call *)data)->released;
}

TEST(user_object_cleanup)
{
  enum { GRAPHS = 64 };
  static Call calls[GRAPHS];
  ck_graph_t *graphs[GRAPHS];
  main_thread = pthread_self();
  for (int i = 0; i < GRAPHS; ++i) {
    ck_graph_definition_t *d = new_definition();
    ck_node_params_t params = ck_node_host(count_call, &calls[i], note_thread);
    calls[i] = (Call){0, 0};
    CHECK_OK(ck_graph_definition_add(d, NULL, 0, &params, NULL));
    graphs[i] = create(d);
    ck_graph_definition_release(d);
    CHECK_OK(ck_graph_launch(graphs[i], stream));
  }
  for (int i = 0; i < GRAPHS; ++i) ck_graph_release(graphs[i]);
  CHECK_OK(ck_stream_sync(stream));
  int wrong = 0;
  for (int i = 0; i < GRAPHS; ++i) wrong += !becomes_one(&calls[i].released) || calls[i].calls != 1;
  CHECK(wrong == 0 && off_thread == 0);
}

/* A graph, and a copy in another definition, still hold what a destroyed node held. */
TEST(callback_survives_source_node_deletion)
{
  Call call = {0, 0};
  ck_graph_definition_t *d = new_definition(), *other = new_definition();
  ck_graph_node_t *node = add_call(d, NULL, &call);
  add_child(other, d);
  ck_graph_t *graph = create(d), *copy = create(other);
  CHECK_OK(ck_graph_node_remove(node));
  ck_graph_definition_release(d);
  ck_graph_definition_release(other);
  CHECK(call.released == 0);
  run_graph(graph);
  ck_graph_release(graph);
  run_graph(copy);
  CHECK(call.calls == 2 && call.released == 0);
  ck_graph_release(copy);
  CHECK(becomes_one(&call.released));
}

TEST(released_only_after_last_executable)
{
  Call call = {0, 0};
  ck_graph_definition_t *d = new_definition();
  add_call(d, NULL, &call);
  ck_graph_t *first = create(d), *second = create(d);
  ck_graph_definition_release(d);
  ck_graph_release(first);
  run_graph(second);
  CHECK(call.calls == 1 && call.released == 0);
  ck_graph_release(second);
  CHECK(becomes_one(&call.released));
}

TEST(new_node_does_not_replace_deleted_node)
{
  Call old = {0, 0}, fresh = {0, 0};
  ck_graph_definition_t *d = new_definition();
  ck_graph_node_t *node = add_call(d, NULL, &old);
  ck_graph_t *first = create(d);
  CHECK_OK(ck_graph_node_remove(node));
  add_call(d, NULL, &fresh);
  ck_graph_t *second = create(d);
  ck_graph_definition_release(d);
  run_graph(first);
  run_graph(second);
  CHECK(old.calls == 1 && fresh.calls == 1 && old.released == 0 && fresh.released == 0);
  ck_graph_release(first);
  CHECK(becomes_one(&old.released));
  CHECK(fresh.released == 0);
  ck_graph_release(second);
  CHECK(becomes_one(&fresh.released));
}

TEST(deleted_copy_survives_in_existing_graph)
{
  Watched from, to;
  ck_graph_definition_t *d = new_definition();
  ck_graph_node_t *node;
  open_watched(&from);
  open_watched(&to);
  ck_node_params_t params = ck_node_copy(ck_at(to.buffer, 0), ck_at(from.buffer, 0), 4);
  CHECK_OK(ck_graph_definition_add(d, NULL, 0, &params, &node));
  ck_graph_t *graph = create(d);
  CHECK_OK(ck_graph_node_remove(node));
  release_definition(&d);
  let_go(&from);
  let_go(&to);
  run_graph(graph);
  ck_graph_release(graph);
  close_watched(&from);
  close_watched(&to);
}

/* Memory that a graph uses exists until the graph is destroyed, although its buffer was closed. */
TEST(buffers_survive_close)
{
  Watched filled, from, to;
  ck_graph_definition_t *d = new_definition();
  ck_buffer_t *pool = zeros(16), *part;
  ck_graph_node_t *node = NULL;
  open_watched(&filled);
  open_watched(&from);
  open_watched(&to);
  CHECK_OK(ck_buffer_create_view(filled.buffer, 4, 8, &part));
  CHECK_OK(ck_buffer_fill(from.memory, 0, 16, 0xcd, 1, stream));
  ck_node_params_t params[] = {ck_node_fill(ck_at(part, 0), 0xab, 1, 4),
                               ck_node_copy(ck_at(to.buffer, 0), ck_at(from.buffer, 0), 4),
                               ck_node_fill(ck_at(pool, 0), 5, 4, 4),
                               ck_node_copy(ck_at(to.buffer, 4), ck_at(pool, 4), 4)};
  for (size_t i = 0; i < sizeof params / sizeof *params; ++i)
    CHECK_OK(ck_graph_definition_add(d, &node, i > 0, &params[i], &node));
  CHECK_OK(ck_buffer_close(filled.buffer, NULL));
  CHECK_OK(ck_buffer_close(from.buffer, stream));
  CHECK_OK(ck_buffer_close(to.buffer, NULL));
  CHECK_OK(ck_buffer_close(pool, stream));
  CHECK_OK(ck_buffer_close(pool, stream));
  CHECK(ck_buffer_bytes(pool) == 0 && ck_buffer_native(to.buffer) == 0);
  CHECK(ck_buffer_flags(pool) & CK_MEMORY_CLOSED);
  ck_buffer_release(part);
  ck_buffer_release(pool);
  let_go(&filled);
  let_go(&from);
  let_go(&to);
  ck_graph_t *graph = create(d);
  release_definition(&d);
  run_graph(graph);
  CHECK(read_i32(filled.memory, 0) == 0 && (uint32_t)read_i32(filled.memory, 1) == 0xabababab);
  CHECK((uint32_t)read_i32(to.memory, 0) == 0xcdcdcdcd && read_i32(to.memory, 1) == 5);
  ck_graph_release(graph);
  close_watched(&filled);
  close_watched(&from);
  close_watched(&to);
  /* Without a graph it is freed at once. */
  open_watched(&filled);
  CHECK_OK(ck_buffer_close(filled.buffer, NULL));
  CHECK(filled.released == 1);
  ck_buffer_release(filled.buffer);
  close_watched(&filled);
}

/* A closed buffer can't be copied or filled. */
TEST(closed_buffer_rejected)
{
  ck_graph_definition_t *d = new_definition();
  ck_kernel_t *add = kernel("add");
  ck_buffer_t *closed = zeros(16), *x = zeros(16);
  CHECK_OK(ck_buffer_close(closed, stream));
  const ck_arg_t args[] = {ck_i32(1), ck_span(closed, 0, 1)};
  ck_node_params_t params[] = {
      ck_node_fill(ck_at(closed, 0), 0xab, 1, 4), ck_node_copy(ck_at(closed, 0), ck_at(x, 0), 4),
      ck_node_copy(ck_at(x, 0), ck_at(closed, 0), 4), ck_node_kernel(NULL, add, args, 2)};
  for (size_t i = 0; i < sizeof params / sizeof *params; ++i)
    CHECK_FAILS(ck_graph_definition_add(d, NULL, 0, &params[i], NULL), CK_INVALID_ARGUMENT);
  CHECK(count_nodes(d) == 0);
  release_definition(&d);
  ck_buffer_release(closed);
  ck_buffer_release(x);
  ck_kernel_release(add);
}

/* The driver removes no node from a graph with allocations: nothing changes. */
TEST(failed_destroy_preserves_node)
{
  Call call = {0, 0};
  ck_graph_definition_t *d = new_definition();
  ck_node_params_t params = ck_node_alloc(64);
  ck_graph_node_t *alloc, *near;
  size_t count;
  CHECK_OK(ck_graph_definition_add(d, NULL, 0, &params, &alloc));
  ck_graph_node_t *node = add_call(d, alloc, &call);
  params = ck_node_free(params.of.alloc.address);
  CHECK_OK(ck_graph_definition_add(d, &node, 1, &params, NULL));
  CHECK(ck_graph_node_remove(node) != CK_OK);
  CHECK(ck_graph_node_kind(node) == CK_NODE_HOST && count_nodes(d) == 3 && call.released == 0);
  CHECK_OK(ck_graph_node_get_dependencies(node, &near, 1, &count));
  CHECK(count == 1 && near == alloc);
  ck_graph_t *graph = create(d);
  release_definition(&d);
  run_graph(graph);
  CHECK(call.calls == 1 && call.released == 0);
  ck_graph_release(graph);
  CHECK(becomes_one(&call.released));
}

/* updates
 * -------------------------------------------------------------------------------------------- */

/* The graph holds what the update brought, and drops its old references; here the definition still
 * holds them until its node is destroyed. */
TEST(graph_update_replaces_user_objects)
{
  Call old = {0, 0}, fresh = {0, 0};
  ck_graph_definition_t *d = new_definition(), *other = new_definition();
  ck_graph_node_t *node = add_call(d, NULL, &old);
  add_call(other, NULL, &fresh);
  ck_graph_t *graph = create(d);
  CHECK_OK(ck_graph_update(graph, other));
  release_definition(&other);
  CHECK(old.released == 0);
  CHECK_OK(ck_graph_node_remove(node));
  CHECK(becomes_one(&old.released));
  CHECK(fresh.released == 0);
  run_graph(graph);
  CHECK(old.calls == 0 && fresh.calls == 1);
  release_definition(&d);
  ck_graph_release(graph);
  CHECK(becomes_one(&fresh.released));
}

/* A refused update adds and drops nothing. */
TEST(failed_graph_update)
{
  Call active = {0, 0}, rejected = {0, 0};
  ck_graph_definition_t *d = new_definition(), *other = new_definition();
  ck_node_params_t params = ck_node_empty();
  add_call(d, NULL, &active);
  add_call(other, NULL, &rejected);
  CHECK_OK(ck_graph_definition_add(other, NULL, 0, &params, NULL));
  ck_graph_t *graph = create(d);
  release_definition(&d);
  CHECK_FAILS(ck_graph_update(graph, other), CK_INVALID_ARGUMENT);
  release_definition(&other);
  CHECK(becomes_one(&rejected.released));
  CHECK(active.released == 0);
  run_graph(graph);
  CHECK(active.calls == 1 && rejected.calls == 0);
  ck_graph_release(graph);
  CHECK(becomes_one(&active.released));
}

static void change_call(ck_graph_t *graph, ck_graph_node_t *node, Call *call)
{
  ck_node_params_t params = ck_node_host(count_call, call, count_release);
  *call = (Call){0, 0};
  CHECK_OK(ck_graph_update_node(graph, node, &params));
}

/* Two graphs of one definition, each with a change of its own. */
TEST(graphs_keep_their_own_changes)
{
  Call original = {0, 0}, changes[2];
  ck_graph_definition_t *d = new_definition();
  ck_graph_node_t *node = add_call(d, NULL, &original);
  ck_graph_t *first = create(d), *second = create(d);
  change_call(first, node, &changes[0]);
  change_call(second, node, &changes[1]);
  release_definition(&d);
  run_graph(first);
  run_graph(second);
  CHECK(original.calls == 0 && changes[0].calls == 1 && changes[1].calls == 1);
  ck_graph_release(first);
  CHECK(becomes_one(&changes[0].released));
  CHECK(changes[1].released == 0);
  run_graph(second);
  CHECK(changes[1].calls == 2);
  ck_graph_release(second);
  CHECK(becomes_one(&changes[1].released) && becomes_one(&original.released));
}

/* A node of another definition: the references of the refused change are dropped at once. */
TEST(rejected_update_keeps_nothing)
{
  Watched active, rejected;
  ck_kernel_t *add = kernel("add");
  ck_graph_definition_t *d = new_definition(), *other = new_definition();
  ck_graph_node_t *node, *foreign;
  open_watched(&active);
  open_watched(&rejected);
  const ck_arg_t args[] = {ck_i32(1), ck_span(active.buffer, 0, 1)},
                 wrong[] = {ck_i32(1), ck_span(rejected.buffer, 0, 1)},
                 few[] = {ck_span(rejected.buffer, 0, 1)};
  ck_node_params_t params = ck_node_kernel(NULL, add, args, 2);
  CHECK_OK(ck_graph_definition_add(d, NULL, 0, &params, &node));
  CHECK_OK(ck_graph_definition_add(other, NULL, 0, &params, &foreign));
  ck_graph_t *graph = create(d);
  params = ck_node_kernel(NULL, add, wrong, 2);
  CHECK_FAILS(ck_graph_update_node(graph, foreign, &params), CK_INVALID_ARGUMENT);
  params = ck_node_kernel(NULL, add, few, 1);
  CHECK_FAILS(ck_graph_update_node(graph, node, &params), CK_INVALID_ARGUMENT);
  CHECK_FAILS(ck_graph_node_set_params(node, &params), CK_INVALID_ARGUMENT);
  ck_buffer_release(rejected.buffer);
  close_watched(&rejected);
  run_graph(graph);
  CHECK(read_i32(active.memory, 0) == 1);
  let_go(&active);
  release_definition(&d);
  release_definition(&other);
  ck_graph_release(graph);
  close_watched(&active);
  ck_kernel_release(add);
}

/* An update of the whole replaces a change of a node, whose references are dropped; a refused
 * update does not. */
TEST(whole_update_replaces_changes)
{
  Call original = {0, 0}, single, whole = {0, 0}, rejected = {0, 0};
  ck_graph_definition_t *d = new_definition(), *other = new_definition(), *wrong = new_definition();
  ck_node_params_t params = ck_node_empty();
  ck_graph_node_t *node = add_call(d, NULL, &original);
  add_call(other, NULL, &whole);
  add_call(wrong, NULL, &rejected);
  CHECK_OK(ck_graph_definition_add(wrong, NULL, 0, &params, NULL));
  ck_graph_t *graph = create(d);
  change_call(graph, node, &single);
  CHECK_FAILS(ck_graph_update(graph, wrong), CK_INVALID_ARGUMENT);
  release_definition(&wrong);
  CHECK(becomes_one(&rejected.released));
  CHECK(single.released == 0);
  run_graph(graph);
  CHECK(single.calls == 1);
  CHECK_OK(ck_graph_update(graph, other));
  release_definition(&other);
  CHECK(becomes_one(&single.released));
  run_graph(graph);
  CHECK(single.calls == 1 && whole.calls == 1 && original.calls == 0 && whole.released == 0);
  change_call(graph, node, &single); /* and a change of a node replaces that of the whole */
  run_graph(graph);
  CHECK(single.calls == 1 && whole.calls == 1);
  release_definition(&d);
  ck_graph_release(graph);
  CHECK(becomes_one(&single.released) && becomes_one(&whole.released) &&
        becomes_one(&original.released));
}

/* A gate as a node, and a kernel after it whose buffer is changed to a watched one. */
static ck_graph_t *new_gated(ck_kernel_t *add, ck_buffer_t *x, Watched *watched)
{
  ck_graph_definition_t *d = new_definition();
  ck_graph_node_t *node;
  open_watched(watched);
  const ck_arg_t args[] = {ck_i32(1), ck_span(x, 0, 1)},
                 changed[] = {ck_i32(1), ck_span(watched->buffer, 0, 1)};
  ck_node_params_t gate = ck_node_host(wait_at_gate, NULL, NULL),
                   params = ck_node_kernel(NULL, add, args, 2);
  CHECK_OK(ck_graph_definition_add(d, NULL, 0, &gate, &node));
  CHECK_OK(ck_graph_definition_add(d, &node, 1, &params, &node));
  ck_graph_t *graph = create(d);
  params = ck_node_kernel(NULL, add, changed, 2);
  CHECK_OK(ck_graph_update_node(graph, node, &params));
  release_definition(&d);
  let_go(watched);
  return graph;
}

/* A running launch retains what an update of the whole has replaced. */
TEST(whole_update_in_flight)
{
  Watched watched;
  ck_kernel_t *add = kernel("add");
  ck_buffer_t *x = zeros(4), *y = zeros(4);
  ck_graph_definition_t *other = new_definition();
  ck_graph_node_t *node;
  const ck_arg_t args[] = {ck_i32(1), ck_span(y, 0, 1)};
  ck_node_params_t gate = ck_node_host(wait_at_gate, NULL, NULL),
                   params = ck_node_kernel(NULL, add, args, 2);
  CHECK_OK(ck_graph_definition_add(other, NULL, 0, &gate, &node));
  CHECK_OK(ck_graph_definition_add(other, &node, 1, &params, NULL));
  ck_graph_t *graph = new_gated(add, x, &watched);
  atomic_store(&is_open, !has_gates());
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK_OK(ck_graph_update(graph, other));
  CHECK(watched.released == 0 || !has_gates());
  open_gate();
  CHECK_OK(ck_stream_sync(stream));
  CHECK(read_i32(watched.memory, 0) == 1);
  run_graph(graph);
  CHECK(read_i32(y, 0) == 1 && read_i32(x, 0) == 0);
  release_definition(&other);
  ck_graph_release(graph);
  close_watched(&watched);
  ck_buffer_release(x);
  ck_buffer_release(y);
  ck_kernel_release(add);
}

static void *release_graph(void *graph)
{
  ck_graph_release(graph);
  return NULL;
}

/* A graph with changed nodes is released during a launch, which retains what it needs. */
TEST(released_during_launch)
{
  Watched watched;
  pthread_t thread;
  ck_kernel_t *add = kernel("add");
  ck_buffer_t *x = zeros(4);
  ck_graph_t *graph = new_gated(add, x, &watched);
  atomic_store(&is_open, !has_gates());
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK(pthread_create(&thread, NULL, release_graph, graph) == 0);
  nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
  CHECK(watched.released == 0 || !has_gates());
  open_gate();
  CHECK(pthread_join(thread, NULL) == 0);
  CHECK_OK(ck_stream_sync(stream));
  CHECK(read_i32(watched.memory, 0) == 1 && read_i32(x, 0) == 0);
  close_watched(&watched);
  ck_buffer_release(x);
  ck_kernel_release(add);
}

/* A graph retains what a changed child in it holds. */
TEST(child_update_of_a_graph)
{
  Call old = {0, 0}, fresh = {0, 0};
  ck_graph_definition_t *d = new_definition(), *first = new_definition(),
                        *second = new_definition();
  add_call(first, NULL, &old);
  add_call(second, NULL, &fresh);
  ck_graph_node_t *node = add_child(d, first);
  ck_graph_t *graph = create(d);
  ck_node_params_t params = ck_node_child(second);
  CHECK_OK(ck_graph_update_node(graph, node, &params));
  release_definition(&first);
  release_definition(&second);
  release_definition(&d);
  CHECK(fresh.released == 0);
  run_graph(graph);
  CHECK(old.calls == 0 && fresh.calls == 1);
  ck_graph_release(graph);
  CHECK(becomes_one(&fresh.released) && becomes_one(&old.released));
}

int main(void)
{
  /* Lazy loading of a kernel waits for the whole device, which a test here blocks. */
  setenv("CUDA_MODULE_LOADING", "EAGER", 1);
  int missing = open_both(source);
  if (missing) return missing;
  run_all();
  return close_both();
}
