/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* graph_random.c - random graphs that are launched, changed, and switched off and on node by node,
 * compared with loops after each launch. On the host device or a GPU: $CK_DEVICE.
 *
 * A node comes behind all those before it whose memory it shares with one of both writing; nothing
 * else orders them, so what loses an edge gives other bytes.
 */
#include "both.h"
#include "random.h"

enum {
  BUFFERS = 4,
  WORDS = 700,
  MOST_NODES = 8,
  LAUNCHES = 12, /* of each graph */
  MOST_INNER = 4
};

typedef enum Kind { FILL, COPY, MIX, KINDS } Kind;

/* What a node does to some words of one buffer, from another's. */
typedef struct Op {
  Kind kind;
  uint32_t dst, src, count, value, value_bytes;
  bool is_off;
  ck_graph_node_t *node;
} Op;

/* A row of nodes: a definition's, or a child's in it. */
typedef struct Row {
  Op ops[MOST_NODES];
  uint32_t count;
  ck_graph_definition_t *definition;
} Row;

static const char source[] = "kernel mix(n: u64, factor: u32, a: in u32[n], b: inout u32[n])\n"
                             "    launch(block = 64, grid = ceil_div(n, 64)) {\n"
                             "    let i = grid.thread_rank;\n"
                             "    if (i < n) b[i] = b[i] * factor + a[i] + u32(i);\n"
                             "}\n";

static ck_kernel_t *mix;
static ck_buffer_t *buffers[BUFFERS];
static uint32_t words[BUFFERS][WORDS], out[WORDS];

/* the model ----------------------------------------------------------------------------------- */

static void apply(const Op *op)
{
  uint32_t *to = words[op->dst];
  const uint32_t *from = words[op->src];
  if (op->is_off) return;
  for (uint32_t i = 0; i < op->count; ++i)
    if (op->kind == MIX) to[i] = to[i] * op->value + from[i] + i;
    else if (op->kind == COPY) to[i] = from[i];
    else
      to[i] = op->value * (op->value_bytes == 1   ? 0x01010101u
                           : op->value_bytes == 2 ? 0x10001u
                                                  : 1);
}

static bool is_order(const Op *a, const Op *b)
{
  bool reads_a = a->kind != FILL, reads_b = b->kind != FILL;
  return a->dst == b->dst || (reads_a && a->src == b->dst) || (reads_b && b->src == a->dst);
}

/* graphs -------------------------------------------------------------------------------------- */

static void pick_value(Op *op)
{
  op->value_bytes = op->kind == FILL ? 1u << below(3) : 4;
  op->value = (uint32_t)below(op->value_bytes == 4 ? UINT32_MAX : 1u << 8 * op->value_bytes);
}

static Op random_op(void)
{
  Op op = {.kind = (Kind)below(KINDS), .dst = (uint32_t)below(BUFFERS)};
  op.src = (op.dst + 1 + (uint32_t)below(BUFFERS - 1)) % BUFFERS;
  op.count = 1 + (uint32_t)below(WORDS);
  pick_value(&op);
  return op;
}

typedef struct Args {
  ck_arg_t args[4];
} Args;

static ck_node_params_t params_of(const Op *op, Args *args)
{
  ck_node_place_t dst = ck_at(buffers[op->dst], 0);
  if (op->kind == FILL)
    return ck_node_fill(dst, op->value, op->value_bytes, op->count * 4 / op->value_bytes);
  if (op->kind == COPY) return ck_node_copy(dst, ck_at(buffers[op->src], 0), 4 * op->count);
  *args = (Args){{ck_u64(op->count), ck_u32(op->value), ck_span(buffers[op->src], 0, op->count),
                  ck_span(buffers[op->dst], 0, op->count)}};
  return ck_node_kernel(NULL, mix, args->args, 4);
}

/* In its place among those before it: behind each that it has an order with, or the last of all. */
static void add_op(Row *row)
{
  Op *op = &row->ops[row->count];
  ck_graph_node_t *after[MOST_NODES];
  size_t count = 0;
  Args args;
  *op = random_op();
  for (uint32_t i = 0; i < row->count; ++i)
    if (is_order(&row->ops[i], op) || below(8) == 0) after[count++] = row->ops[i].node;
  ck_node_params_t params = params_of(op, &args);
  CHECK_OK(ck_graph_definition_add(row->definition, after, count, &params, &op->node));
  ++row->count;
}

static void make_row(Row *row, uint32_t most)
{
  *row = (Row){0};
  CHECK_OK(ck_graph_definition_create(device, &row->definition));
  for (uint64_t count = 1 + below(most); count > 0; --count) add_op(row);
}

/* The nodes of a child's copy in a node, in the order in which they were added. */
static void find_inner(Row *inner, ck_graph_node_t *child)
{
  ck_graph_node_t *nodes[MOST_NODES];
  ck_graph_definition_t *copy = NULL;
  size_t count = 0;
  CHECK_OK(ck_graph_node_get_graph(child, 0, &copy));
  CHECK_OK(ck_graph_definition_get_nodes(copy, nodes, MOST_NODES, &count));
  if (!CHECK(count == inner->count)) return;
  for (uint32_t i = 0; i < inner->count; ++i) inner->ops[i].node = nodes[i];
}

/* changes ------------------------------------------------------------------------------------- */

/* Off and on, or another value. */
static void change(ck_graph_t *graph, Row *row)
{
  Op *op = &row->ops[below(row->count)];
  Args args;
  int is_enabled = -1;
  if (below(3) > 0) {
    op->is_off = !op->is_off;
    CHECK_OK(ck_graph_set_enabled(graph, op->node, !op->is_off));
  } else if (op->kind != COPY) {
    uint32_t bytes = op->value_bytes;
    do pick_value(op);
    while (op->value_bytes != bytes); /* the driver keeps to that */
    ck_node_params_t params = params_of(op, &args);
    CHECK_OK(ck_graph_update_node(graph, op->node, &params));
  }
  CHECK_OK(ck_graph_get_enabled(graph, op->node, &is_enabled));
  CHECK(is_enabled == !op->is_off);
}

static void tell(uint64_t number, uint32_t buffer, const Row *row)
{
  static const char *const names[] = {"fill", "copy", "mix"};
  uint32_t at = 0;
  while (at < WORDS && out[at] == words[buffer][at]) ++at;
  fprintf(stderr, "seed %llu: buffer %u, word %u: %u, expected %u\n",
          (unsigned long long)(random_seed + number), buffer, at, out[at % WORDS],
          words[buffer][at % WORDS]);
  for (uint32_t i = 0; i < row->count; ++i) {
    const Op *op = &row->ops[i];
    fprintf(stderr, "  %s of %u words of %u from %u, value %u of %u bytes%s\n", names[op->kind],
            op->count, op->dst, op->src, op->value, op->value_bytes, op->is_off ? ", off" : "");
  }
}

static void compare(uint64_t number, const Row *row, const Row *inner)
{
  for (uint32_t b = 0; b < BUFFERS; ++b) {
    CHECK_OK(ck_buffer_read(buffers[b], 0, out, sizeof out, stream));
    CHECK_OK(ck_stream_sync(stream));
    if (CHECK(!memcmp(out, words[b], sizeof out))) continue;
    tell(number, b, row);
    tell(number, b, inner);
    memcpy(words[b], out, sizeof out); /* one failure is told once */
  }
}

static void try_graph(uint64_t number)
{
  Row row, inner = {0};
  ck_graph_t *graph = NULL;
  make_row(&row, MOST_NODES);
  if (below(3) == 0) { /* a child behind all */
    ck_graph_node_t *after[MOST_NODES], *child = NULL;
    make_row(&inner, MOST_INNER);
    for (uint32_t i = 0; i < row.count; ++i) after[i] = row.ops[i].node;
    ck_node_params_t params = ck_node_child(inner.definition);
    CHECK_OK(ck_graph_definition_add(row.definition, after, row.count, &params, &child));
    find_inner(&inner, child);
  }
  CHECK_OK(ck_graph_create(row.definition, NULL, &graph));
  for (int i = 0; i < LAUNCHES; ++i) {
    if (below(2)) change(graph, inner.count && below(2) ? &inner : &row);
    CHECK_OK(ck_graph_launch(graph, stream));
    for (uint32_t k = 0; k < row.count; ++k) apply(&row.ops[k]);
    for (uint32_t k = 0; k < inner.count; ++k) apply(&inner.ops[k]);
    if (below(3) == 0 || i + 1 == LAUNCHES) compare(number, &row, &inner);
  }
  ck_graph_release(graph);
  ck_graph_definition_release(inner.definition);
  ck_graph_definition_release(row.definition);
}

TEST(graphs)
{
  for (uint64_t number = 0; number < random_count; ++number) {
    random_start(number);
    try_graph(number);
  }
}

int main(int argc, char **argv)
{
  int missing = open_both(source);
  if (missing) return missing;
  random_open(argc, argv, 150);
  mix = kernel("mix");
  for (int i = 0; i < BUFFERS; ++i) buffers[i] = zeros(sizeof out);
  RUN(graphs);
  for (int i = 0; i < BUFFERS; ++i) ck_buffer_release(buffers[i]);
  ck_kernel_release(mix);
  return close_both();
}
