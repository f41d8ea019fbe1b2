/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* graph_conditional.c - tests conditional nodes: the cases of cuda.core's
 * test_graph_builder_conditional.py and test_graph_definition_integration.py by name, conditions
 * from its other files, and three programs. On the host device or a GPU: $CK_DEVICE. */
#include "both.h"

static const char source[] =
    "kernel add_one(x: inout i32[1]) launch(block = 1, grid = 1) { x[0] = x[0] + 1; }\n"
    "kernel set(c: u64, v: u32) launch(block = 1, grid = 1) { set_condition(c, v); }\n"
    "kernel set_from(c: u64, x: in u32[1]) launch(block = 1, grid = 1) { set_condition(c, x[0]); "
    "}\n"
    /* adds one, and continues while the sum is below a limit */
    "kernel count_to(c: u64, limit: i32, x: inout i32[1]) launch(block = 1, grid = 1)\n"
    "{ x[0] = x[0] + 1; set_condition(c, x[0] < limit ? 1 : 0); }\n"
    /* bisection of x^2 = 2 */
    "kernel bisect(c: u64, r: inout f64[2]) launch(block = 1, grid = 1)\n"
    "{\n"
    "    let m = 0.5 * (r[0] + r[1]);\n"
    "    if (m * m < 2.0) r[0] = m; else r[1] = m;\n"
    "    set_condition(c, r[1] - r[0] > 1e-9 ? 1 : 0);\n"
    "}\n"
    /* heat in a rod: a step, and whether to continue */
    "kernel diffuse(n: u32, x: in f32[n], y: out f32[n]) launch(block = 64, grid = ceil_div(n, "
    "64))\n"
    "{\n"
    "    let i = grid.thread_rank;\n"
    "    if (i > 0 && i + 1 < n) y[i] = x[i] + 0.25 * (x[i - 1] - 2.0 * x[i] + x[i + 1]);\n"
    "    else if (i < n) y[i] = x[i];\n"
    "}\n"
    "kernel countdown(c: u64, left: inout i32[1]) launch(block = 1, grid = 1)\n"
    "{ left[0] = left[0] - 1; set_condition(c, left[0] > 0 ? 1 : 0); }\n"
    /* bisection of x^2 = 2 with nodes: select the half, update, test for the end, one step */
    "kernel half(c: u64, a: in f32[1], b: in f32[1]) launch(block = 1, grid = 1)\n"
    "{ let m = (a[0] + b[0]) * 0.5; set_condition(c, m * m > 2.0 ? 1 : 0); }\n"
    "kernel middle(x: inout f32[1], other: in f32[1]) launch(block = 1, grid = 1)\n"
    "{ x[0] = (x[0] + other[0]) * 0.5; }\n"
    "kernel is_far(c: u64, a: in f32[1], b: in f32[1]) launch(block = 1, grid = 1)\n"
    "{ let m = (a[0] + b[0]) * 0.5; set_condition(c, abs(m * m - 2.0) > 1e-10 ? 1 : 0); }\n"
    "kernel newton(a: inout f32[1], b: in f32[1]) launch(block = 1, grid = 1)\n"
    "{ let m = (a[0] + b[0]) * 0.5; a[0] = m - (m * m - 2.0) / (2.0 * m); }\n"
    "kernel negate(x: inout i32[1]) launch(block = 1, grid = 1) { x[0] = -x[0]; }\n"
    "kernel twice(x: inout i32[1]) launch(block = 1, grid = 1) { x[0] = 2 * x[0]; }\n"
    "kernel square(x: inout i32[1]) launch(block = 1, grid = 1) { x[0] = x[0] * x[0]; }\n";

typedef enum Way { IF_THEN, IF_ELSE, SWITCH } Way;

/* A body with a fork: adds two to the element, and one to the fifth element. */
static void put_add(ck_graph_builder_t *builder, ck_kernel_t *add, ck_buffer_t *x, size_t index)
{
  ck_graph_builder_t *fork;
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  CHECK_OK(ck_launch(ck_graph_builder_stream(builder), NULL, add, ck_span(x, index, 1)));
  CHECK_OK(ck_graph_builder_split(builder, 1, &fork));
  CHECK_OK(ck_launch(ck_graph_builder_stream(builder), NULL, add, ck_span(x, index, 1)));
  CHECK_OK(ck_launch(ck_graph_builder_stream(fork), NULL, add, ck_span(x, 4, 1)));
  CHECK_OK(ck_graph_builder_join(builder, &fork, 1));
  CHECK_OK(ck_graph_builder_end(builder));
  ck_graph_builder_release(fork);
}

static ck_graph_t *finish(ck_graph_builder_t *builder)
{
  ck_graph_t *graph = NULL;
  CHECK_OK(ck_graph_builder_end(builder));
  CHECK_OK(ck_graph_builder_create_graph(builder, NULL, &graph));
  ck_graph_builder_release(builder);
  return graph;
}

/* Sets a condition and branches on it; checks what each body added. */
static void check_branch(Way way, uint32_t value, const int32_t want[4])
{
  ck_kernel_t *add = kernel("add_one"), *set = kernel("set");
  ck_buffer_t *x = zeros(20);
  ck_graph_builder_t *builder, *bodies[3] = {NULL, NULL, NULL};
  uint64_t condition;
  CHECK_OK(ck_graph_builder_create(device, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  CHECK_OK(ck_graph_builder_create_condition(builder, NULL, &condition));
  CHECK(condition != 0);
  ck_stream_t *to = ck_graph_builder_stream(builder);
  CHECK_OK(ck_launch(to, NULL, set, ck_u64(condition), value));
  if (way == IF_THEN) CHECK_OK(ck_graph_builder_add_if(builder, condition, &bodies[0]));
  if (way == IF_ELSE)
    CHECK_OK(ck_graph_builder_add_if_else(builder, condition, &bodies[0], &bodies[1]));
  if (way == SWITCH) CHECK_OK(ck_graph_builder_add_switch(builder, condition, 3, bodies));
  for (size_t i = 0; i < 3; ++i)
    if (bodies[i]) put_add(bodies[i], add, x, i);
  CHECK_OK(ck_launch(to, NULL, add, ck_span(x, 3, 1))); /* after the bodies */
  for (size_t i = 0; i < 3; ++i) ck_graph_builder_release(bodies[i]);
  ck_graph_t *graph = finish(builder);
  CHECK_OK(ck_graph_launch(graph, stream));
  for (size_t i = 0; i < 4; ++i) CHECK(read_i32(x, i) == want[i]);
  CHECK(read_i32(x, 4) == (want[0] + want[1] + want[2] > 0)); /* the fork of the selected body */
  ck_graph_release(graph);
  ck_buffer_release(x);
  ck_kernel_release(add);
  ck_kernel_release(set);
}

TEST(graph_conditional_if)
{
  check_branch(IF_THEN, 1, (const int32_t[]){2, 0, 0, 1});
  check_branch(IF_THEN, 0, (const int32_t[]){0, 0, 0, 1});
}

TEST(graph_conditional_if_else)
{
  check_branch(IF_ELSE, 1, (const int32_t[]){2, 0, 0, 1});
  check_branch(IF_ELSE, 0, (const int32_t[]){0, 2, 0, 1});
}

TEST(graph_conditional_switch)
{
  check_branch(SWITCH, 0, (const int32_t[]){2, 0, 0, 1});
  check_branch(SWITCH, 1, (const int32_t[]){0, 2, 0, 1});
  check_branch(SWITCH, 2, (const int32_t[]){0, 0, 2, 1});
  check_branch(SWITCH, 3, (const int32_t[]){0, 0, 0, 1});
}

/* The start value of the condition decides whether the body runs at all. */
static void check_while(uint32_t start, int32_t want)
{
  ck_kernel_t *count = kernel("count_to"), *add = kernel("add_one");
  ck_buffer_t *x = zeros(8);
  ck_graph_builder_t *builder, *body;
  uint64_t condition;
  CHECK_OK(ck_graph_builder_create(device, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  CHECK_OK(ck_graph_builder_create_condition(builder, &start, &condition));
  CHECK_OK(ck_graph_builder_add_while(builder, condition, &body));
  CHECK_OK(ck_graph_builder_begin(body, CK_CAPTURE_RELAXED));
  CHECK_OK(ck_launch(ck_graph_builder_stream(body), NULL, count, ck_u64(condition), 100,
                     ck_span(x, 0, 1)));
  CHECK_OK(ck_graph_builder_end(body));
  CHECK_OK(ck_launch(ck_graph_builder_stream(builder), NULL, add, ck_span(x, 1, 1)));
  ck_graph_builder_release(body);
  ck_graph_t *graph = finish(builder);
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK(read_i32(x, 0) == want && read_i32(x, 1) == 1);
  CHECK_OK(ck_buffer_fill(x, 0, 4, 0, 1, stream));
  CHECK_OK(ck_graph_launch(graph, stream)); /* the condition is reset */
  CHECK(read_i32(x, 0) == want && read_i32(x, 1) == 2);
  ck_graph_release(graph);
  ck_buffer_release(x);
  ck_kernel_release(count);
  ck_kernel_release(add);
}

TEST(graph_conditional_while)
{
  check_while(1, 100);
}

TEST(while_loop_zero_iterations)
{
  check_while(0, 0);
}

/* A condition on a fork, whose body has a condition of its own. */
TEST(graph_conditional_on_fork_nested)
{
  ck_kernel_t *add = kernel("add_one"), *set = kernel("set"), *count = kernel("count_to");
  ck_buffer_t *x = zeros(12);
  ck_graph_builder_t *builder, *fork, *outer, *inner;
  uint64_t first, second;
  uint32_t one = 1;
  CHECK_OK(ck_graph_builder_create(device, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  CHECK_OK(ck_graph_builder_create_condition(builder, NULL, &first));
  CHECK_OK(ck_graph_builder_create_condition(builder, &one, &second));
  CHECK_OK(ck_launch(ck_graph_builder_stream(builder), NULL, set, ck_u64(first), 1));
  CHECK_OK(ck_graph_builder_split(builder, 1, &fork));
  CHECK_OK(ck_launch(ck_graph_builder_stream(builder), NULL, add, ck_span(x, 0, 1)));
  CHECK_OK(ck_graph_builder_add_if(fork, first, &outer));
  CHECK_OK(ck_graph_builder_begin(outer, CK_CAPTURE_RELAXED));
  CHECK_OK(ck_launch(ck_graph_builder_stream(outer), NULL, add, ck_span(x, 1, 1)));
  CHECK_OK(ck_graph_builder_add_while(outer, second, &inner));
  CHECK_OK(ck_graph_builder_begin(inner, CK_CAPTURE_RELAXED));
  CHECK_OK(
      ck_launch(ck_graph_builder_stream(inner), NULL, count, ck_u64(second), 5, ck_span(x, 2, 1)));
  CHECK_OK(ck_graph_builder_end(inner));
  CHECK_OK(ck_graph_builder_end(outer));
  CHECK_OK(ck_graph_builder_join(builder, &fork, 1));
  ck_graph_builder_release(inner);
  ck_graph_builder_release(outer);
  ck_graph_builder_release(fork);
  ck_graph_t *graph = finish(builder);
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK(read_i32(x, 0) == 1 && read_i32(x, 1) == 1 && read_i32(x, 2) == 5);
  ck_graph_release(graph);
  ck_buffer_release(x);
  ck_kernel_release(add);
  ck_kernel_release(set);
  ck_kernel_release(count);
}

/* explicit graphs ------------------------------------------------------------------------------ */

/* Runs a definition with a conditional node whose bodies each add one, with a start value. */
static int run_explicit(ck_condition_kind_t kind, uint32_t start, uint32_t bodies, int want[4])
{
  ck_kernel_t *add = kernel("add_one");
  ck_buffer_t *x = zeros(16);
  ck_graph_definition_t *definition, *body;
  ck_graph_node_t *node;
  ck_graph_t *graph;
  uint64_t condition;
  CHECK_OK(ck_graph_definition_create(device, &definition));
  CHECK_OK(ck_graph_definition_create_condition(definition, &start, &condition));
  ck_node_params_t params = ck_node_condition(kind, condition, bodies);
  CHECK_OK(ck_graph_definition_add(definition, NULL, 0, &params, &node));
  for (uint32_t i = 0; i < bodies; ++i) {
    const ck_arg_t args[] = {ck_span(x, i, 1)};
    ck_node_params_t launch = ck_node_kernel(NULL, add, args, 1);
    CHECK_OK(ck_graph_node_get_graph(node, i, &body));
    CHECK(ck_graph_definition_native(body) &&
          ck_graph_definition_native(body) != ck_graph_definition_native(definition));
    CHECK_OK(ck_graph_definition_add(body, NULL, 0, &launch, NULL));
  }
  CHECK_FAILS(ck_graph_node_get_graph(node, bodies, &body), CK_INVALID_ARGUMENT);
  ck_node_params_t seen = ck_node_empty();
  CHECK_OK(ck_graph_node_get_params(node, &seen));
  CHECK(seen.kind == CK_NODE_CONDITION && seen.of.condition.kind == kind &&
        seen.of.condition.condition == condition && seen.of.condition.body_count == bodies);
  CHECK_OK(ck_graph_create(definition, NULL, &graph));
  ck_graph_definition_release(definition);
  CHECK_OK(ck_graph_launch(graph, stream));
  int sum = 0;
  for (uint32_t i = 0; i < 4; ++i) sum += want[i] = read_i32(x, i);
  ck_graph_release(graph);
  ck_buffer_release(x);
  ck_kernel_release(add);
  return sum;
}

TEST(if_then_false_skips_body)
{
  int got[4];
  CHECK(run_explicit(CK_CONDITION_IF, 0, 1, got) == 0);
  CHECK(run_explicit(CK_CONDITION_IF, 1, 1, got) == 1);
  CHECK(run_explicit(CK_CONDITION_IF, 0, 2, got) == 1 && got[1] == 1);
}

TEST(switch_oob_skips_all_branches)
{
  int got[4];
  CHECK(run_explicit(CK_CONDITION_SWITCH, 99, 3, got) == 0);
  CHECK(run_explicit(CK_CONDITION_SWITCH, 2, 3, got) == 1 && got[2] == 1);
}

TEST(switch_zero_branches)
{
  ck_graph_definition_t *definition;
  uint64_t condition;
  CHECK_OK(ck_graph_definition_create(device, &definition));
  CHECK_OK(ck_graph_definition_create_condition(definition, NULL, &condition));
  ck_node_params_t params = ck_node_condition(CK_CONDITION_SWITCH, condition, 0);
  CHECK_FAILS(ck_graph_definition_add(definition, NULL, 0, &params, NULL), CK_INVALID_ARGUMENT);
  params = ck_node_condition(CK_CONDITION_WHILE, condition, 2);
  CHECK_FAILS(ck_graph_definition_add(definition, NULL, 0, &params, NULL), CK_INVALID_ARGUMENT);
  params = ck_node_condition(CK_CONDITION_IF, 0, 1);
  CHECK_FAILS(ck_graph_definition_add(definition, NULL, 0, &params, NULL), CK_INVALID_ARGUMENT);
  ck_graph_definition_release(definition);
}

TEST(condition_from_different_graph)
{
  ck_graph_definition_t *definition, *other;
  uint64_t condition;
  CHECK_OK(ck_graph_definition_create(device, &definition));
  CHECK_OK(ck_graph_definition_create(device, &other));
  CHECK_OK(ck_graph_definition_create_condition(definition, NULL, &condition));
  ck_node_params_t params = ck_node_condition(CK_CONDITION_IF, condition, 1);
  CHECK_FAILS(ck_graph_definition_add(other, NULL, 0, &params, NULL), CK_INVALID_ARGUMENT);
  CHECK_OK(ck_graph_definition_add(definition, NULL, 0, &params, NULL));
  ck_graph_definition_release(definition);
  ck_graph_definition_release(other);
}

/* programs that are captured --------------------------------------------------------------------
 */

TEST(bisection_captured)
{
  double range[2] = {0, 2};
  ck_kernel_t *bisect = kernel("bisect");
  ck_buffer_t *r = zeros(sizeof range);
  ck_graph_builder_t *builder, *body;
  uint64_t condition;
  uint32_t one = 1;
  CHECK_OK(ck_graph_builder_create(device, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  CHECK_OK(ck_graph_builder_create_condition(builder, &one, &condition));
  CHECK_OK(ck_graph_builder_add_while(builder, condition, &body));
  CHECK_OK(ck_graph_builder_begin(body, CK_CAPTURE_RELAXED));
  CHECK_OK(ck_launch(ck_graph_builder_stream(body), NULL, bisect, ck_u64(condition), r));
  CHECK_OK(ck_graph_builder_end(body));
  ck_graph_builder_release(body);
  ck_graph_t *graph = finish(builder);
  CHECK_OK(ck_buffer_write(r, 0, range, sizeof range, stream));
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK_OK(ck_buffer_read(r, 0, range, sizeof range, stream));
  CHECK_OK(ck_stream_sync(stream));
  CHECK(range[0] > 1.41421356 && range[1] < 1.41421357);
  ck_graph_release(graph);
  ck_buffer_release(r);
  ck_kernel_release(bisect);
}

/* A value in memory selects the body at each launch. */
TEST(switch_captured)
{
  ck_kernel_t *add = kernel("add_one"), *set = kernel("set_from");
  ck_buffer_t *x = zeros(20), *which = zeros(4);
  ck_graph_builder_t *builder, *bodies[3];
  uint64_t condition;
  CHECK_OK(ck_graph_builder_create(device, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  CHECK_OK(ck_graph_builder_create_condition(builder, NULL, &condition));
  CHECK_OK(ck_launch(ck_graph_builder_stream(builder), NULL, set, ck_u64(condition), which));
  CHECK_OK(ck_graph_builder_add_switch(builder, condition, 3, bodies));
  for (size_t i = 0; i < 3; ++i) {
    put_add(bodies[i], add, x, i);
    ck_graph_builder_release(bodies[i]);
  }
  ck_graph_t *graph = finish(builder);
  const uint32_t order[] = {2, 0, 2, 1, 2, 7};
  for (size_t i = 0; i < 6; ++i) {
    CHECK_OK(ck_buffer_fill(which, 0, 4, order[i], 4, stream));
    CHECK_OK(ck_graph_launch(graph, stream));
  }
  CHECK(read_i32(x, 0) == 2 && read_i32(x, 1) == 2 && read_i32(x, 2) == 6);
  ck_graph_release(graph);
  ck_buffer_release(x);
  ck_buffer_release(which);
  ck_kernel_release(add);
  ck_kernel_release(set);
}

/* Two steps per iteration and a counter that ends the loop, all in one launch. */
TEST(heat_captured)
{
  enum { N = 200, ROUNDS = 50 };
  float got[N], a[N], b[N];
  ck_kernel_t *diffuse = kernel("diffuse"), *count = kernel("count_to");
  ck_buffer_t *x = zeros(sizeof a), *y = zeros(sizeof a), *counter = zeros(4);
  ck_graph_builder_t *builder, *body;
  uint64_t condition;
  uint32_t one = 1;
  for (int i = 0; i < N; ++i) a[i] = i < N / 2 ? 100.0f : 0.0f;
  CHECK_OK(ck_buffer_write(x, 0, a, sizeof a, stream));
  CHECK_OK(ck_graph_builder_create(device, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  CHECK_OK(ck_graph_builder_create_condition(builder, &one, &condition));
  CHECK_OK(ck_graph_builder_add_while(builder, condition, &body));
  CHECK_OK(ck_graph_builder_begin(body, CK_CAPTURE_RELAXED));
  ck_stream_t *to = ck_graph_builder_stream(body);
  CHECK_OK(ck_launch(to, NULL, diffuse, N, x, y));
  CHECK_OK(ck_launch(to, NULL, diffuse, N, y, x));
  CHECK_OK(ck_launch(to, NULL, count, ck_u64(condition), ROUNDS, counter));
  CHECK_OK(ck_graph_builder_end(body));
  ck_graph_builder_release(body);
  ck_graph_t *graph = finish(builder);
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK_OK(ck_buffer_read(x, 0, got, sizeof got, stream));
  CHECK(read_i32(counter, 0) == ROUNDS);
  for (int step = 0; step < 2 * ROUNDS; ++step) {
    memcpy(b, a, sizeof a);
    for (int i = 1; i + 1 < N; ++i) a[i] = b[i] + 0.25f * (b[i - 1] - 2.0f * b[i] + b[i + 1]);
  }
  int wrong = 0;
  for (int i = 0; i < N; ++i) wrong += !(got[i] - a[i] < 1e-3f && a[i] - got[i] < 1e-3f);
  CHECK(wrong == 0);
  ck_graph_release(graph);
  ck_buffer_release(x);
  ck_buffer_release(y);
  ck_buffer_release(counter);
  ck_kernel_release(diffuse);
  ck_kernel_release(count);
}

/* bodies by capture and by nodes ------------------------------------------------------------------
 */

/* Begins a capture that sets a condition to 1 and has a conditional node on it. */
static ck_graph_builder_t *begin_if(ck_graph_builder_t **out_body)
{
  ck_kernel_t *set = kernel("set");
  ck_graph_builder_t *builder;
  uint64_t condition;
  CHECK_OK(ck_graph_builder_create(device, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  CHECK_OK(ck_graph_builder_create_condition(builder, NULL, &condition));
  CHECK_OK(ck_launch(ck_graph_builder_stream(builder), NULL, set, ck_u64(condition), 1));
  CHECK_OK(ck_graph_builder_add_if(builder, condition, out_body));
  ck_kernel_release(set);
  return builder;
}

static size_t count_nodes(ck_graph_definition_t *definition)
{
  size_t count = 99;
  CHECK_OK(ck_graph_definition_get_nodes(definition, NULL, 0, &count));
  return count;
}

/* Nodes are added to the definition of a body whose builder never begins. */
TEST(graph_definition_hybrid_conditional_body)
{
  ck_kernel_t *add = kernel("add_one");
  ck_buffer_t *x = zeros(4);
  ck_graph_builder_t *body, *builder = begin_if(&body);
  const ck_arg_t args[] = {ck_whole(x)};
  ck_node_params_t params = ck_node_kernel(NULL, add, args, 1);
  ck_graph_definition_t *d = ck_graph_builder_definition(body);
  CHECK(count_nodes(d) == 0);
  CHECK_OK(ck_graph_definition_add(d, NULL, 0, &params, NULL));
  ck_graph_builder_release(body);
  ck_graph_t *graph = finish(builder);
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK(read_i32(x, 0) == 1);
  ck_graph_release(graph);
  ck_buffer_release(x);
  ck_kernel_release(add);
}

/* Adds a node to a captured body. */
TEST(graph_definition_conditional_body_after_capture)
{
  ck_kernel_t *add = kernel("add_one");
  ck_buffer_t *x = zeros(4);
  ck_graph_builder_t *body, *builder = begin_if(&body);
  const ck_arg_t args[] = {ck_whole(x)};
  ck_node_params_t params = ck_node_kernel(NULL, add, args, 1);
  ck_graph_node_t *node;
  size_t count;
  CHECK_OK(ck_graph_builder_begin(body, CK_CAPTURE_RELAXED));
  CHECK_OK(ck_launch(ck_graph_builder_stream(body), NULL, add, x));
  CHECK_OK(ck_graph_builder_end(body));
  ck_graph_definition_t *d = ck_graph_builder_definition(body);
  CHECK_OK(ck_graph_definition_get_nodes(d, &node, 1, &count));
  CHECK(count == 1);
  CHECK_OK(ck_graph_definition_add(d, &node, 1, &params, NULL));
  CHECK(count_nodes(d) == 2);
  ck_graph_builder_release(body);
  ck_graph_t *graph = finish(builder);
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK(read_i32(x, 0) == 2);
  ck_graph_release(graph);
  ck_buffer_release(x);
  ck_kernel_release(add);
}

/* While a body is captured, no executable graph can be made and its node can't be destroyed.
 * Afterwards the node can be destroyed, and then the body's builder can't begin. */
TEST(graph_definition_conditional_body_during_capture)
{
  ck_graph_builder_t *body, *builder = begin_if(&body);
  ck_graph_node_t *nodes[2];
  ck_graph_t *graph;
  size_t count;
  CHECK_OK(ck_graph_builder_begin(body, CK_CAPTURE_RELAXED));
  CHECK_OK(ck_graph_builder_end(builder));
  ck_graph_definition_t *d = ck_graph_builder_definition(builder);
  CHECK(count_nodes(ck_graph_builder_definition(body)) == 0);
  CHECK_FAILS(ck_graph_builder_create_graph(builder, NULL, &graph), CK_INVALID_ARGUMENT);
  CHECK_ERROR("the definition is being captured: end its builders first");
  CHECK_OK(ck_graph_definition_get_nodes(d, nodes, 2, &count));
  CHECK(count == 2);
  size_t owner = ck_graph_node_kind(nodes[1]) == CK_NODE_CONDITION;
  CHECK_FAILS(ck_graph_node_remove(nodes[owner]), CK_INVALID_ARGUMENT);
  CHECK_OK(ck_graph_builder_end(body));
  CHECK_OK(ck_graph_node_remove(nodes[owner]));
  CHECK(ck_graph_definition_native(ck_graph_builder_definition(body)) == NULL);
  CHECK_FAILS(ck_graph_builder_begin(body, CK_CAPTURE_RELAXED), CK_INVALID_ARGUMENT);
  CHECK_ERROR("the definition was in a node that is gone");
  ck_graph_builder_release(body);
  ck_graph_builder_release(builder);
}

/* Every flag, for a graph with a condition and forks. */
TEST(graph_dot_print_options)
{
  ck_kernel_t *add = kernel("add_one");
  ck_buffer_t *x = zeros(20);
  ck_graph_builder_t *body, *builder = begin_if(&body);
  put_add(body, add, x, 0);
  ck_graph_builder_release(body);
  CHECK_OK(ck_launch(ck_graph_builder_stream(builder), NULL, add, ck_span(x, 1, 1)));
  CHECK_OK(ck_graph_builder_end(builder));
  ck_graph_definition_t *d = ck_graph_builder_definition(builder);
  char path[64];
  static char text[1 << 16];
  snprintf(path, sizeof path, "/tmp/ck-condition-%d.dot", (int)getpid());
  for (uint32_t flags = 1; flags < 4 * CK_DOT_CONDITIONS; flags *= 2) {
    uint32_t asked = flags > CK_DOT_CONDITIONS ? 2 * CK_DOT_CONDITIONS - 1 : flags;
    CHECK_OK(ck_graph_definition_save_dot(d, path, asked));
    FILE *file = fopen(path, "r");
    size_t bytes = file ? fread(text, 1, sizeof text - 1, file) : 0;
    text[bytes] = 0;
    if (file) fclose(file);
    CHECK(strstr(text, "digraph") && strstr(text, "->"));
    if (asked & CK_DOT_KERNELS) CHECK(strstr(text, "add_one") != NULL);
  }
  remove(path);
  ck_graph_builder_release(builder);
  ck_buffer_release(x);
  ck_kernel_release(add);
}

/* cuda.core's integration tests, node by node -----------------------------------------------------
 */

/* A chain of nodes. */
typedef struct Chain {
  ck_graph_definition_t *d;
  ck_graph_node_t *last;
} Chain;

static void then(Chain *chain, ck_node_params_t params)
{
  CHECK_OK(
      ck_graph_definition_add(chain->d, &chain->last, chain->last != NULL, &params, &chain->last));
}

static void then_launch(Chain *chain, const char *name, const ck_arg_t *args, size_t count)
{
  ck_kernel_t *found = kernel(name);
  then(chain, ck_node_kernel(NULL, found, args, count));
  ck_kernel_release(found);
}

/* Allocates memory in the graph and fills it with a value. */
static uint64_t then_alloc(Chain *chain, size_t count, uint32_t value)
{
  ck_node_params_t params = ck_node_alloc(4 * count);
  CHECK_OK(
      ck_graph_definition_add(chain->d, &chain->last, chain->last != NULL, &params, &chain->last));
  CHECK(params.of.alloc.address != 0);
  then(chain, ck_node_fill(ck_at_address(params.of.alloc.address), value, 4, count));
  return params.of.alloc.address;
}

static Chain open_chain(void)
{
  Chain chain = {NULL, NULL};
  CHECK_OK(ck_graph_definition_create(device, &chain.d));
  return chain;
}

static uint64_t condition_of(const Chain *chain, uint32_t start)
{
  uint64_t condition = 0;
  CHECK_OK(ck_graph_definition_create_condition(chain->d, &start, &condition));
  return condition;
}

/* A chain in the graph inside the last node. */
static Chain inside(const Chain *chain, size_t index)
{
  Chain inner = {NULL, NULL};
  CHECK_OK(ck_graph_node_get_graph(chain->last, index, &inner.d));
  return inner;
}

static uint32_t bits_of(float value)
{
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* Page-locked memory for the result of a graph. */
static ck_buffer_t *new_pinned(size_t bytes)
{
  ck_memory_resource_t *pinned = NULL;
  ck_buffer_t *buffer = NULL;
  CHECK_OK(ck_memory_resource_create_pinned(device, &pinned));
  CHECK_OK(ck_memory_resource_create_buffer(pinned, bytes, stream, &buffer));
  ck_memory_resource_release(pinned);
  memset(ck_buffer_host(buffer), 0, bytes);
  return buffer;
}

static void run_chain(Chain *chain)
{
  ck_graph_t *graph = NULL;
  CHECK_OK(ck_graph_create(chain->d, NULL, &graph));
  ck_graph_definition_release(chain->d);
  CHECK_OK(ck_graph_upload(graph, stream));
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK_OK(ck_stream_sync(stream));
  ck_graph_release(graph);
}

/* A kernel sets the condition, and each body adds its number plus one to memory of the graph;
 * returns the result. */
static int set_and_branch(ck_condition_kind_t kind, uint32_t value, uint32_t bodies)
{
  Chain chain = open_chain();
  ck_buffer_t *out = new_pinned(4);
  uint64_t condition = condition_of(&chain, 0), x = then_alloc(&chain, 1, 0);
  const ck_arg_t set[] = {ck_u64(condition), ck_u32(value)}, add[] = {ck_address_span(x, 1)};
  then_launch(&chain, "set", set, 2);
  then(&chain, ck_node_condition(kind, condition, bodies));
  for (uint32_t i = 0; i < bodies; ++i) {
    Chain body = inside(&chain, i);
    for (uint32_t k = 0; k <= i; ++k) then_launch(&body, "add_one", add, 1);
  }
  then(&chain, ck_node_copy(ck_at(out, 0), ck_at_address(x), 4));
  then(&chain, ck_node_free(x));
  run_chain(&chain);
  int result = *(const int32_t *)ck_buffer_host(out);
  ck_buffer_release(out);
  return result;
}

TEST(instantiate_and_execute_if_then)
{
  CHECK(set_and_branch(CK_CONDITION_IF, 1, 1) == 1);
  CHECK(set_and_branch(CK_CONDITION_IF, 0, 1) == 0);
}

TEST(instantiate_and_execute_if_else)
{
  CHECK(set_and_branch(CK_CONDITION_IF, 0, 2) == 2);
  CHECK(set_and_branch(CK_CONDITION_IF, 1, 2) == 1);
}

TEST(instantiate_and_execute_switch)
{
  CHECK(set_and_branch(CK_CONDITION_SWITCH, 2, 4) == 3);
  CHECK(set_and_branch(CK_CONDITION_SWITCH, 4, 4) == 0);
}

static void count_call(void *data)
{
  ++*(int *)data;
}

/* Heat in a rod with fixed ends: allocations, a child graph for the ends, events, a loop, a copy
 * back, a host function and frees. */
TEST(heat_diffusion)
{
  enum { N = 32, STEPS = 50 };
  Chain chain = open_chain(), ends = open_chain();
  ck_buffer_t *out = new_pinned(4 * N);
  ck_event_t *start, *end;
  ck_event_options_t timing = CK_OPTIONS_INIT(ck_event_options_t);
  int calls = 0;
  timing.flags = CK_EVENT_TIMING;
  CHECK_OK(ck_event_create(device, &timing, &start));
  CHECK_OK(ck_event_create(device, &timing, &end));
  uint64_t condition = condition_of(&chain, 1), now = then_alloc(&chain, N, 0),
           next = then_alloc(&chain, N, 0), left = then_alloc(&chain, 1, STEPS);
  then(&ends, ck_node_fill(ck_at_address(now), bits_of(100), 4, 1));
  then(&ends, ck_node_fill(ck_at_address(now + 4 * (N - 1)), bits_of(0), 4, 1));
  then(&chain, ck_node_child(ends.d));
  ck_graph_definition_release(ends.d);
  then(&chain, ck_node_record(start));
  then(&chain, ck_node_condition(CK_CONDITION_WHILE, condition, 1));
  Chain body = inside(&chain, 0);
  const ck_arg_t step[] = {ck_u32(N), ck_address_span(now, N), ck_address_span(next, N)};
  const ck_arg_t tick[] = {ck_u64(condition), ck_address_span(left, 1)};
  then_launch(&body, "diffuse", step, 3);
  then(&body, ck_node_copy(ck_at_address(now), ck_at_address(next), 4 * N));
  then_launch(&body, "countdown", tick, 2);
  then(&chain, ck_node_wait(start));
  then(&chain, ck_node_record(end));
  then(&chain, ck_node_copy(ck_at(out, 0), ck_at_address(now), 4 * N));
  then(&chain, ck_node_host(count_call, &calls, NULL));
  then(&chain, ck_node_free(now));
  then(&chain, ck_node_free(next));
  then(&chain, ck_node_free(left));
  run_chain(&chain);
  CHECK(calls == 1);
  float a[N] = {100}, b[N];
  for (int i = 0; i < STEPS; ++i) {
    memcpy(b, a, sizeof a);
    for (int k = 1; k + 1 < N; ++k) a[k] = b[k] + 0.25f * (b[k - 1] - 2.0f * b[k] + b[k + 1]);
  }
  const float *got = ck_buffer_host(out);
  int wrong = 0;
  for (int i = 0; i < N; ++i) wrong += !(got[i] - a[i] < 1e-3f && a[i] - got[i] < 1e-3f);
  CHECK(wrong == 0 && got[0] == 100 && got[1] > 50);
  double seconds = -1;
  CHECK_OK(ck_event_get_elapsed(start, end, &seconds));
  CHECK(seconds >= 0);
  ck_event_release(start);
  ck_event_release(end);
  ck_buffer_release(out);
}

/* The square root of 2: an if-else in a loop, then an if. */
TEST(bisection_root)
{
  Chain chain = open_chain();
  ck_buffer_t *out = new_pinned(4);
  int calls = 0;
  uint64_t a = then_alloc(&chain, 1, bits_of(0)), b = then_alloc(&chain, 1, bits_of(2)),
           left = then_alloc(&chain, 1, 20);
  uint64_t again = condition_of(&chain, 1), side = condition_of(&chain, 0),
           far = condition_of(&chain, 0);
  const ck_arg_t eval[] = {ck_u64(side), ck_address_span(a, 1), ck_address_span(b, 1)};
  const ck_arg_t refine[] = {ck_u64(far), ck_address_span(a, 1), ck_address_span(b, 1)};
  const ck_arg_t b_and_a[] = {ck_address_span(b, 1), ck_address_span(a, 1)};
  const ck_arg_t a_and_b[] = {ck_address_span(a, 1), ck_address_span(b, 1)};
  const ck_arg_t tick[] = {ck_u64(again), ck_address_span(left, 1)};
  then(&chain, ck_node_condition(CK_CONDITION_WHILE, again, 1));
  Chain body = inside(&chain, 0);
  then_launch(&body, "half", eval, 3);
  then(&body, ck_node_condition(CK_CONDITION_IF, side, 2));
  Chain high = inside(&body, 0), low = inside(&body, 1);
  then_launch(&high, "middle", b_and_a, 2);
  then_launch(&low, "middle", a_and_b, 2);
  then_launch(&body, "countdown", tick, 2);
  then_launch(&chain, "is_far", refine, 3);
  then(&chain, ck_node_condition(CK_CONDITION_IF, far, 1));
  Chain refined = inside(&chain, 0);
  then_launch(&refined, "newton", a_and_b, 2);
  then(&chain, ck_node_copy(ck_at(out, 0), ck_at_address(a), 4));
  then(&chain, ck_node_host(count_call, &calls, NULL));
  then(&chain, ck_node_free(a));
  then(&chain, ck_node_free(b));
  then(&chain, ck_node_free(left));
  run_chain(&chain);
  float root = *(const float *)ck_buffer_host(out);
  CHECK(calls == 1 && root > 1.414212f && root < 1.414215f);
  ck_buffer_release(out);
}

/* A number selects what happens to 42; the last body is empty. */
TEST(switch_dispatch)
{
  static const int want[] = {-42, 84, 42 * 42, 42};
  static const char *const names[] = {"negate", "twice", "square"};
  for (uint32_t mode = 0; mode < 4; ++mode) {
    Chain chain = open_chain();
    ck_buffer_t *out = new_pinned(4);
    uint64_t condition = condition_of(&chain, mode), x = then_alloc(&chain, 1, 42);
    const ck_arg_t args[] = {ck_address_span(x, 1)};
    then(&chain, ck_node_condition(CK_CONDITION_SWITCH, condition, 4));
    for (size_t i = 0; i < 3; ++i) {
      Chain body = inside(&chain, i);
      then_launch(&body, names[i], args, 1);
    }
    then(&chain, ck_node_copy(ck_at(out, 0), ck_at_address(x), 4));
    then(&chain, ck_node_free(x));
    run_chain(&chain);
    CHECK(*(const int32_t *)ck_buffer_host(out) == want[mode]);
    ck_buffer_release(out);
  }
}

int main(void)
{
  int missing = open_both(source);
  if (missing) return missing;
  run_all();
  return close_both();
}
