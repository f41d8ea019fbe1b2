/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* graph_random.c - launches random graphs, changes them as a whole and node by node, disables and
 * enables nodes, and compares with loops after each launch. On the host device or a GPU:
 * $CK_DEVICE.
 *
 * An operation depends on all earlier ones whose memory it shares if one of both writes, and on
 * nothing else, so a lost edge changes the result.
 */
#include "both.h"
#include "random.h"

enum {
  BUFFERS = 4,
  WORDS = 700,
  MOST_NODES = 8,
  LAUNCHES = 12, /* per graph */
  MOST_INNER = 4
};

typedef enum Kind { FILL, COPY, MIX, VIA, KINDS } Kind;

/* An operation on some words of a buffer, from another buffer; if it goes through memory of the
 * graph, it is four nodes. */
typedef struct Op {
  Kind kind;
  uint32_t dst, src, count, value, value_bytes;
  uint32_t rows;          /* of a fill: rows of so many words, contiguous */
  uint32_t after;         /* bit set of earlier operations */
  bool is_off, is_hidden; /* its parameters are unknown to the graph */
  ck_graph_node_t *node;  /* its last node */
} Op;

/* The operations of a definition, or of a child graph in it. */
typedef struct Row {
  Op ops[MOST_NODES];
  uint32_t count;
  bool is_inner, has_child; /* after all */
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
    else if (op->kind != FILL) to[i] = from[i];
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

static Op random_op(bool is_inner)
{
  Op op = {.kind = (Kind)below(is_inner ? VIA : KINDS), .dst = (uint32_t)below(BUFFERS), .rows = 1};
  op.src = (op.dst + 1 + (uint32_t)below(BUFFERS - 1)) % BUFFERS;
  op.count = 1 + (uint32_t)below(WORDS);
  if (op.kind == FILL && below(4) == 0) op.rows = 1 + (uint32_t)below(4);
  op.count = (op.count + op.rows - 1) / op.rows * op.rows;
  if (op.count > WORDS) op.count -= op.rows;
  pick_value(&op);
  return op;
}

typedef struct Args {
  ck_arg_t args[4];
} Args;

static ck_node_params_t params_of(const Op *op, Args *args)
{
  ck_node_place_t dst = ck_at(buffers[op->dst], 0);
  if (op->kind == FILL) {
    size_t bytes = op->count / op->rows * 4;
    ck_node_params_t fill = ck_node_fill(dst, op->value, op->value_bytes, bytes / op->value_bytes);
    fill.of.fill.rows = op->rows;
    fill.of.fill.pitch = bytes;
    return fill;
  }
  if (op->kind == COPY) return ck_node_copy(dst, ck_at(buffers[op->src], 0), 4 * op->count);
  *args = (Args){{ck_u64(op->count), ck_u32(op->value), ck_span(buffers[op->src], 0, op->count),
                  ck_span(buffers[op->dst], 0, op->count)}};
  return ck_node_kernel(NULL, mix, args->args, 4);
}

/* Picks operations and their dependencies, with some extra ones. */
static void draw_ops(Row *row, uint32_t most)
{
  row->count = 1 + (uint32_t)below(most);
  for (uint32_t k = 0; k < row->count; ++k) {
    Op *op = &row->ops[k];
    *op = random_op(row->is_inner);
    for (uint32_t i = 0; i < k; ++i)
      if (is_order(&row->ops[i], op) || below(8) == 0) op->after |= 1u << i;
  }
}

static ck_graph_node_t *add(ck_graph_definition_t *d, ck_graph_node_t *const *after, size_t count,
                            ck_node_params_t params)
{
  ck_graph_node_t *node = NULL;
  CHECK_OK(ck_graph_definition_add(d, after, count, &params, &node));
  return node;
}

static ck_graph_node_t *add_via(ck_graph_definition_t *d, const Op *op,
                                ck_graph_node_t *const *after, size_t count)
{
  ck_node_params_t alloc = ck_node_alloc(4 * op->count);
  ck_graph_node_t *node = NULL;
  CHECK_OK(ck_graph_definition_add(d, after, count, &alloc, &node));
  ck_node_place_t between = ck_at_address(alloc.of.alloc.address);
  node = add(d, &node, 1, ck_node_copy(between, ck_at(buffers[op->src], 0), 4 * op->count));
  node = add(d, &node, 1, ck_node_copy(ck_at(buffers[op->dst], 0), between, 4 * op->count));
  return add(d, &node, 1, ck_node_free(alloc.of.alloc.address));
}

/* Makes a definition of the operations, with a child graph after all of them, whose node it
 * returns. */
static ck_graph_definition_t *define(const Row *row, const Row *inner, ck_graph_node_t **out_nodes,
                                     ck_graph_node_t **out_child)
{
  ck_graph_definition_t *d = NULL;
  CHECK_OK(ck_graph_definition_create(device, &d));
  for (uint32_t k = 0; k < row->count; ++k) {
    const Op *op = &row->ops[k];
    ck_graph_node_t *after[MOST_NODES];
    size_t count = 0;
    Args args;
    for (uint32_t i = 0; i < k; ++i)
      if (op->after >> i & 1) after[count++] = out_nodes[i];
    out_nodes[k] =
        op->kind == VIA ? add_via(d, op, after, count) : add(d, after, count, params_of(op, &args));
  }
  if (row->has_child) *out_child = add(d, out_nodes, row->count, ck_node_child(inner->definition));
  return d;
}

/* Finds the nodes of a child's copy, in the order in which they were added. */
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

/* A fill on a GPU can't always be disabled (ck/graph.h). */
static bool can_switch_off(const Op *op)
{
  return ck_device_is_host(device) || op->kind != FILL || (op->rows == 1 && !op->is_hidden);
}

static void flip(ck_graph_t *graph, Op *op)
{
  bool is_allowed = op->is_off || can_switch_off(op);
  ck_status_t status = ck_graph_set_enabled(graph, op->node, op->is_off);
  CHECK(status == (is_allowed ? CK_OK : CK_UNSUPPORTED));
  if (status == CK_OK) op->is_off = !op->is_off;
}

/* Picks another value of the same size, which the driver requires. */
static void renew(Op *op)
{
  uint32_t bytes = op->value_bytes;
  do pick_value(op);
  while (op->value_bytes != bytes);
}

/* Disables, enables, or changes an operation. */
static void change(ck_graph_t *graph, Row *row)
{
  Op *op = &row->ops[below(row->count)];
  Args args;
  int is_enabled = -1;
  if (op->kind == VIA) return;
  if (below(3) > 0) flip(graph, op);
  else if (op->kind != COPY && op->rows == 1) {
    renew(op);
    ck_node_params_t params = params_of(op, &args);
    CHECK_OK(ck_graph_update_node(graph, op->node, &params));
    op->is_hidden = false;
  }
  CHECK_OK(ck_graph_get_enabled(graph, op->node, &is_enabled));
  CHECK(is_enabled == !op->is_off);
}

static bool is_fill_off(const Row *row)
{
  bool is_off = false;
  for (uint32_t k = 0; k < row->count; ++k)
    is_off |= row->ops[k].kind == FILL && row->ops[k].rows == 1 && row->ops[k].is_off;
  return is_off;
}

/* Takes over the values of an update; disabled nodes stay disabled. */
static void take_values(ck_graph_t *graph, Row *row, const Row *fresh)
{
  for (uint32_t k = 0; k < row->count; ++k) {
    int is_enabled = -1;
    row->ops[k].value = fresh->ops[k].value;
    row->ops[k].is_hidden = row->ops[k].kind == FILL;
    CHECK_OK(ck_graph_get_enabled(graph, row->ops[k].node, &is_enabled));
    CHECK(is_enabled == !row->ops[k].is_off);
  }
}

/* Updates from a definition with the same nodes and edges and other values, without operations that
 * can't be updated: allocations, and fills of rows. */
static void update(ck_graph_t *graph, Row *row, const Row *inner)
{
  Row fresh = *row;
  ck_graph_node_t *nodes[MOST_NODES], *child = NULL;
  bool is_refused = !ck_device_is_host(device) && (is_fill_off(row) || is_fill_off(inner));
  for (uint32_t k = 0; k < row->count; ++k) {
    if (row->ops[k].kind == VIA || row->ops[k].rows > 1) return;
    renew(&fresh.ops[k]);
  }
  ck_graph_definition_t *d = define(&fresh, inner, nodes, &child);
  CHECK_FAILS(ck_graph_update(graph, d), is_refused ? CK_UNSUPPORTED : CK_OK);
  ck_graph_definition_release(d);
  if (!is_refused) take_values(graph, row, &fresh);
}

/* The same for a child node. */
static void update_child(ck_graph_t *graph, ck_graph_node_t *child, Row *inner)
{
  Row fresh = *inner;
  ck_graph_node_t *nodes[MOST_NODES];
  bool is_refused = !ck_device_is_host(device) && is_fill_off(inner);
  for (uint32_t k = 0; k < inner->count; ++k) {
    if (inner->ops[k].rows > 1) return;
    renew(&fresh.ops[k]);
  }
  ck_graph_definition_t *d = define(&fresh, NULL, nodes, NULL);
  ck_node_params_t params = ck_node_child(d);
  CHECK_FAILS(ck_graph_update_node(graph, child, &params), is_refused ? CK_UNSUPPORTED : CK_OK);
  ck_graph_definition_release(d);
  if (!is_refused) take_values(graph, inner, &fresh);
}

static void tell(uint64_t number, uint32_t buffer, const Row *row)
{
  static const char *const names[] = {"fill", "copy", "mix", "copy by the graph's memory"};
  uint32_t at = 0;
  while (at < WORDS && out[at] == words[buffer][at]) ++at;
  fprintf(stderr, "seed %llu: buffer %u, word %u: %u, expected %u\n",
          (unsigned long long)(random_seed + number), buffer, at, out[at % WORDS],
          words[buffer][at % WORDS]);
  for (uint32_t i = 0; i < row->count; ++i) {
    const Op *op = &row->ops[i];
    fprintf(stderr, "  %s of %u words of %u from %u, value %u of %u bytes, %u rows, after %x%s\n",
            names[op->kind], op->count, op->dst, op->src, op->value, op->value_bytes, op->rows,
            op->after, op->is_off ? ", off" : "");
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
    memcpy(words[b], out, sizeof out); /* a failure is reported once */
  }
}

/* With a child the whole is not updated: that would restore the definition's values. */
static void run_graph(uint64_t number, ck_graph_t *graph, ck_graph_node_t *child, Row *row,
                      Row *inner)
{
  for (int i = 0; i < LAUNCHES; ++i) {
    if (below(2)) change(graph, inner->count && below(2) ? inner : row);
    if (!inner->count && below(8) == 0) update(graph, row, inner);
    if (inner->count && below(6) == 0) update_child(graph, child, inner);
    CHECK_OK(ck_graph_launch(graph, stream));
    for (uint32_t k = 0; k < row->count; ++k) apply(&row->ops[k]);
    for (uint32_t k = 0; k < inner->count; ++k) apply(&inner->ops[k]);
    if (below(3) == 0 || i + 1 == LAUNCHES) compare(number, row, inner);
  }
}

static void try_graph(uint64_t number)
{
  Row row = {0}, inner = {.is_inner = true};
  ck_graph_node_t *nodes[MOST_NODES], *child = NULL;
  ck_graph_t *graph = NULL;
  row.has_child = below(3) == 0;
  draw_ops(&row, MOST_NODES);
  if (row.has_child) {
    draw_ops(&inner, MOST_INNER);
    inner.definition = define(&inner, NULL, nodes, NULL);
  }
  row.definition = define(&row, &inner, nodes, &child);
  for (uint32_t k = 0; k < row.count; ++k) row.ops[k].node = nodes[k];
  if (row.has_child) find_inner(&inner, child);
  CHECK_OK(ck_graph_create(row.definition, NULL, &graph));
  run_graph(number, graph, child, &row, &inner);
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
