/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* graph_conditional.c - conditional nodes: the cases of cuda.core's
 * test_graph_builder_conditional.py by name, those of the other files that have conditions, and
 * three programs. On the host device or a GPU: $CK_DEVICE. */
#include "both.h"

static const char source[] =
    "kernel add_one(x: inout i32[1]) launch(block = 1, grid = 1) { x[0] = x[0] + 1; }\n"
    "kernel set(c: u64, v: u32) launch(block = 1, grid = 1) { set_condition(c, v); }\n"
    "kernel set_from(c: u64, x: in u32[1]) launch(block = 1, grid = 1) { set_condition(c, x[0]); "
    "}\n"
    /* adds one, and goes on while the sum is below a limit */
    "kernel count_to(c: u64, limit: i32, x: inout i32[1]) launch(block = 1, grid = 1)\n"
    "{ x[0] = x[0] + 1; set_condition(c, x[0] < limit ? 1 : 0); }\n"
    /* bisection of x^2 = 2 */
    "kernel bisect(c: u64, r: inout f64[2]) launch(block = 1, grid = 1)\n"
    "{\n"
    "    let m = 0.5 * (r[0] + r[1]);\n"
    "    if (m * m < 2.0) r[0] = m; else r[1] = m;\n"
    "    set_condition(c, r[1] - r[0] > 1e-9 ? 1 : 0);\n"
    "}\n"
    /* heat in a rod: a step, and whether the steps go on */
    "kernel diffuse(n: u32, x: in f32[n], y: out f32[n]) launch(block = 64, grid = ceil_div(n, "
    "64))\n"
    "{\n"
    "    let i = grid.thread_rank;\n"
    "    if (i > 0 && i + 1 < n) y[i] = x[i] + 0.25 * (x[i - 1] - 2.0 * x[i] + x[i + 1]);\n"
    "    else if (i < n) y[i] = x[i];\n"
    "}\n";

typedef enum Way { IF_THEN, IF_ELSE, SWITCH } Way;

static void put_add(ck_graph_builder_t *builder, ck_kernel_t *add, ck_buffer_t *x, size_t index)
{
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  CHECK_OK(ck_launch(ck_graph_builder_stream(builder), NULL, add, ck_span(x, index, 1)));
  CHECK_OK(ck_launch(ck_graph_builder_stream(builder), NULL, add, ck_span(x, index, 1)));
  CHECK_OK(ck_graph_builder_end(builder));
}

static ck_graph_t *finish(ck_graph_builder_t *builder)
{
  ck_graph_t *graph = NULL;
  CHECK_OK(ck_graph_builder_end(builder));
  CHECK_OK(ck_graph_builder_complete(builder, NULL, &graph));
  ck_graph_builder_release(builder);
  return graph;
}

/* Sets a condition to a value and branches on it: what each body has added. */
static void check_branch(Way way, uint32_t value, const int32_t want[4])
{
  ck_kernel_t *add = kernel("add_one"), *set = kernel("set");
  ck_buffer_t *x = zeros(16);
  ck_graph_builder_t *builder, *bodies[3] = {NULL, NULL, NULL};
  uint64_t condition;
  CHECK_OK(ck_graph_builder_create(device, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  CHECK_OK(ck_graph_builder_create_condition(builder, NULL, &condition));
  CHECK(condition != 0);
  ck_stream_t *to = ck_graph_builder_stream(builder);
  CHECK_OK(ck_launch(to, NULL, set, ck_u64(condition), value));
  if (way == IF_THEN) CHECK_OK(ck_graph_builder_if_then(builder, condition, &bodies[0]));
  if (way == IF_ELSE)
    CHECK_OK(ck_graph_builder_if_else(builder, condition, &bodies[0], &bodies[1]));
  if (way == SWITCH) CHECK_OK(ck_graph_builder_switch(builder, condition, 3, bodies));
  for (size_t i = 0; i < 3; ++i)
    if (bodies[i]) put_add(bodies[i], add, x, i);
  CHECK_OK(ck_launch(to, NULL, add, ck_span(x, 3, 1))); /* behind the bodies */
  for (size_t i = 0; i < 3; ++i) ck_graph_builder_release(bodies[i]);
  ck_graph_t *graph = finish(builder);
  CHECK_OK(ck_graph_launch(graph, stream));
  for (size_t i = 0; i < 4; ++i) CHECK(read_i32(x, i) == want[i]);
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
  CHECK_OK(ck_graph_builder_while_loop(builder, condition, &body));
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
  CHECK_OK(ck_graph_launch(graph, stream)); /* it starts again */
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
  CHECK_OK(ck_graph_builder_if_then(fork, first, &outer));
  CHECK_OK(ck_graph_builder_begin(outer, CK_CAPTURE_RELAXED));
  CHECK_OK(ck_launch(ck_graph_builder_stream(outer), NULL, add, ck_span(x, 1, 1)));
  CHECK_OK(ck_graph_builder_while_loop(outer, second, &inner));
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

/* A definition with a condition whose bodies each add one, started at a value. */
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
  ck_graph_definition_t *definition, *other;
  uint64_t condition;
  CHECK_OK(ck_graph_definition_create(device, &definition));
  CHECK_OK(ck_graph_definition_create(device, &other));
  CHECK_OK(ck_graph_definition_create_condition(definition, NULL, &condition));
  ck_node_params_t params = ck_node_condition(CK_CONDITION_SWITCH, condition, 0);
  CHECK_FAILS(ck_graph_definition_add(definition, NULL, 0, &params, NULL), CK_INVALID_ARGUMENT);
  params = ck_node_condition(CK_CONDITION_WHILE, condition, 2);
  CHECK_FAILS(ck_graph_definition_add(definition, NULL, 0, &params, NULL), CK_INVALID_ARGUMENT);
  params = ck_node_condition(CK_CONDITION_IF, 0, 1);
  CHECK_FAILS(ck_graph_definition_add(definition, NULL, 0, &params, NULL), CK_INVALID_ARGUMENT);
  /* condition_from_different_graph */
  params = ck_node_condition(CK_CONDITION_IF, condition, 1);
  CHECK_FAILS(ck_graph_definition_add(other, NULL, 0, &params, NULL), CK_INVALID_ARGUMENT);
  ck_graph_definition_release(definition);
  ck_graph_definition_release(other);
}

/* cuda.core's integration tests ---------------------------------------------------------------- */

TEST(bisection_root)
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
  CHECK_OK(ck_graph_builder_while_loop(builder, condition, &body));
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

/* A value in memory chooses the body, launch by launch. */
TEST(switch_dispatch)
{
  ck_kernel_t *add = kernel("add_one"), *set = kernel("set_from");
  ck_buffer_t *x = zeros(12), *which = zeros(4);
  ck_graph_builder_t *builder, *bodies[3];
  uint64_t condition;
  CHECK_OK(ck_graph_builder_create(device, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  CHECK_OK(ck_graph_builder_create_condition(builder, NULL, &condition));
  CHECK_OK(ck_launch(ck_graph_builder_stream(builder), NULL, set, ck_u64(condition), which));
  CHECK_OK(ck_graph_builder_switch(builder, condition, 3, bodies));
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

/* Two steps a round and a counter that ends the loop: all of it in one launch. */
TEST(heat_diffusion)
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
  CHECK_OK(ck_graph_builder_while_loop(builder, condition, &body));
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

int main(void)
{
  int missing = open_both(source);
  if (missing) return missing;
  RUN(graph_conditional_if);
  RUN(graph_conditional_if_else);
  RUN(graph_conditional_switch);
  RUN(graph_conditional_while);
  RUN(while_loop_zero_iterations);
  RUN(graph_conditional_on_fork_nested);
  RUN(if_then_false_skips_body);
  RUN(switch_oob_skips_all_branches);
  RUN(switch_zero_branches);
  RUN(bisection_root);
  RUN(switch_dispatch);
  RUN(heat_diffusion);
  return close_both();
}
