/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* thread_random.c - makes random calls in several threads at once, on the device that $CK_DEVICE
 * names.
 *
 * Each buffer has a model: the bytes that it will hold when its stream is done, computed by plain
 * loops. Pools, events, the device and the streams are used by all threads. A buffer belongs to one
 * thread at a time, and is passed on with an event that is recorded after its work. With
 * ThreadSanitizer this shows that the statements about threads in the doc comments hold.
 *
 *   thread_random [COUNT [SEED [THREADS]]]      COUNT is the number of calls per thread
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "both.h"
#include "random.h"

enum { HELD = 8, GRAPHS = 3, MOST_OPS = 8, MOST_BYTES = 3000, MOST_THREADS = 16, EVENTS = 4 };
enum { POOL, LIMITED, PINNED, MANAGED, VIRTUAL, RESOURCES };

/* ThreadSanitizer does not see LLVM's locks, so nothing is compiled with it; thread.c compiles with
 * a stub instead. Under compute-sanitizer, unloading a library invalidates the captures of other
 * threads. */
static bool can_compile(void)
{
#ifdef __SANITIZE_THREAD__
  return false;
#else
  return getenv("CK_SANITIZER") == NULL;
#endif
}

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static const char source[] =
    "kernel mix(n: u64, factor: u32, a: in u32[n], b: inout u32[n])\n"
    "    launch(block = 64, grid = ceil_div(n, 64)) {\n"
    "    let i = grid.thread_rank;\n"
    "    if (i < n) b[i] = b[i] * factor + a[i] + u32(i);\n"
    "}\n"
    "kernel decide(c: u64, v: u32) launch(block = 1, grid = 1) { set_condition(c, v); }\n";

static ck_kernel_t *mix, *decide;
static atomic_int failures;
static ck_memory_resource_t *resources[RESOURCES], *graph_memory;
static ck_event_t *events[EVENTS];

/* The expected contents of memory, shared by all buffers, views and graphs that use it. */
typedef struct Model {
  atomic_size_t users;
  size_t bytes;
  unsigned char data[];
} Model;

typedef struct Held {
  ck_buffer_t *buffer;
  Model *model;
  size_t start, bytes; /* in the model */
  bool is_view;
} Held;

/* An operation that is done both by the device and in the model. */
typedef enum OpKind {
  FILL,
  FILL_BOX,
  FILL_ELEMENTS,
  WRITE_VALUE,
  COPY,
  COPY_BOX,
  COPY_STRIDED,
  COPY_BATCH, /* one range per row; not in graphs */
  COPY_VIA,   /* through temporary memory of the stream, which is freed at once */
  COPY_ARRAY, /* the same, through an array */
  KERNEL,
  OP_KINDS
} OpKind;

typedef struct Side {
  ck_buffer_t *buffer;
  Model *model;
  size_t start, offset, pitch, rows; /* bytes; `start` is the view's; `pitch` lies between rows;
                                      * `rows` are in a plane */
} Side;

typedef struct Op {
  OpKind kind;
  Side dst, src;
  size_t width, height, depth; /* in bytes, or in elements of a fill */
  unsigned char element[64];
  size_t element_bytes;
  bool is_off;
} Op;

typedef struct Graph {
  ck_graph_t *graph;
  ck_graph_definition_t *definition;
  ck_graph_node_t *nodes[MOST_OPS]; /* of a definition that was built by hand */
  Op ops[MOST_OPS], defined[MOST_OPS];
  size_t count, own; /* own: nodes that are not another graph's */
} Graph;

typedef struct Worker {
  unsigned index;
  unsigned long round;
  ck_stream_t *stream;
  Held held[HELD];
  Graph graphs[GRAPHS];
} Worker;

static Worker workers[MOST_THREADS];
static Held constant; /* read by all threads */
static ck_stream_t *shared;
static unsigned thread_count = 4;

/* failures ------------------------------------------------------------------------------------ */

static _Thread_local Worker *self;

static bool need(bool is_true, const char *text, int line)
{
  if (is_true) return true;
  ++failures;
  fprintf(stderr, "thread_random.c:%d: seed %lu, thread %u, round %lu: %s; %s\n", line,
          (unsigned long)random_seed, self->index, self->round, text, ck_last_error());
  return false;
}

#define NEED(condition) need((condition), #condition, __LINE__)
#define NEED_OK(call)   need((call) == CK_OK, #call, __LINE__)

static size_t least(size_t a, size_t b)
{
  return a < b ? a : b;
}

/* the model ----------------------------------------------------------------------------------- */

static void *allocate(size_t bytes)
{
  void *memory = calloc(1, bytes);
  if (!memory) abort();
  return memory;
}

static Model *model_new(size_t bytes)
{
  Model *model = allocate(sizeof *model + bytes);
  model->bytes = bytes;
  return model;
}

static Model *model_use(Model *model)
{
  ++model->users;
  return model;
}

static void model_drop(Model *model)
{
  if (atomic_fetch_sub(&model->users, 1) == 1) free(model);
}

static uint32_t value_of(const Op *op)
{
  uint32_t value = 0;
  memcpy(&value, op->element, least(op->element_bytes, 4));
  return value;
}

static unsigned char *place(const Side *side, size_t plane, size_t row)
{
  return side->model->data + side->start + side->offset + (plane * side->rows + row) * side->pitch;
}

/* The kernel's loop. */
static void apply_mix(const Op *op)
{
  const unsigned char *from = place(&op->src, 0, 0);
  unsigned char *to = place(&op->dst, 0, 0);
  for (uint32_t i = 0, a, b; i < op->width / 4; ++i) {
    memcpy(&a, from + (size_t)4 * i, 4);
    memcpy(&b, to + (size_t)4 * i, 4);
    b = b * value_of(op) + a + i;
    memcpy(to + (size_t)4 * i, &b, 4);
  }
}

/* Applies an operation to the model, row by row. */
static void apply(const Op *op)
{
  bool is_copy = op->kind >= COPY;
  if (op->kind == KERNEL && !op->is_off) apply_mix(op);
  if (op->kind == KERNEL) return;
  for (size_t z = 0; z < op->depth && !op->is_off; ++z) {
    for (size_t y = 0; y < op->height; ++y) {
      unsigned char *to = place(&op->dst, z, y);
      if (is_copy) memcpy(to, place(&op->src, z, y), op->width);
      for (size_t x = 0; x < op->width && !is_copy; ++x)
        memcpy(to + x * op->element_bytes, op->element, op->element_bytes);
    }
  }
}

/* operations ---------------------------------------------------------------------------------- */

/* Copies through memory that lives only for the two copies. */
static ck_status_t copy_via(const Op *op, ck_stream_t *queue, ck_memory_resource_t *from)
{
  ck_buffer_t *between;
  ck_status_t status = ck_memory_resource_create_buffer(from, op->width, queue, &between);
  if (status != CK_OK) return status;
  status = ck_buffer_copy(between, 0, op->src.buffer, op->src.offset, op->width, queue);
  if (status == CK_OK)
    status = ck_buffer_copy(op->dst.buffer, op->dst.offset, between, 0, op->width, queue);
  ck_buffer_release(between);
  return status;
}

/* The same through an array, which is released while the copies may still be running. */
static ck_status_t copy_array(const Op *op, ck_stream_t *queue)
{
  ck_array_options_t shape = CK_OPTIONS_INIT(ck_array_options_t);
  ck_array_copy_t in = CK_OPTIONS_INIT(ck_array_copy_t), out = in;
  ck_array_t *between;
  shape.dtype = CK_U8;
  shape.width = op->width;
  ck_status_t status = ck_array_create(device, &shape, &between);
  if (status != CK_OK) return status;
  in.dst.array = out.src.array = between;
  in.src.buffer = op->src.buffer;
  in.src.offset = op->src.offset;
  out.dst.buffer = op->dst.buffer;
  out.dst.offset = op->dst.offset;
  status = ck_array_copy(&in, queue);
  if (status == CK_OK) status = ck_array_copy(&out, queue);
  ck_array_release(between);
  return status;
}

static ck_status_t copy_box(const Op *op, ck_stream_t *queue)
{
  ck_copy_box_t box = CK_OPTIONS_INIT(ck_copy_box_t);
  const Side *sides[] = {&op->dst, &op->src};
  ck_copy_side_t *out[] = {&box.dst, &box.src};
  for (int i = 0; i < 2; ++i) {
    out[i]->buffer = sides[i]->buffer;
    out[i]->offset = sides[i]->offset;
    out[i]->row_bytes = sides[i]->pitch;
    out[i]->rows = sides[i]->rows;
  }
  box.width = op->width;
  box.height = op->height;
  box.depth = op->depth;
  return ck_copy_box(&box, queue);
}

static ck_status_t copy_batch(const Op *op, ck_stream_t *queue)
{
  ck_copy_range_t ranges[8];
  for (size_t y = 0; y < op->height; ++y) {
    ranges[y] = (ck_copy_range_t){.dst = op->dst.buffer, .src = op->src.buffer, .bytes = op->width};
    ranges[y].dst_offset = op->dst.offset + y * op->dst.pitch;
    ranges[y].src_offset = op->src.offset + y * op->src.pitch;
  }
  return ck_copy_batch(ranges, op->height, NULL, queue);
}

/* With elements as wide as a row of the box. */
static ck_status_t copy_strided(const Op *op, ck_stream_t *queue)
{
  const Side *sides[] = {&op->dst, &op->src};
  const uint64_t extents[] = {op->depth, op->height};
  ck_copy_strided_side_t out[2] = {{0}};
  int64_t strides[2][2];
  for (int i = 0; i < 2; ++i) {
    strides[i][1] = (int64_t)(sides[i]->pitch / op->width);
    strides[i][0] = strides[i][1] * (int64_t)sides[i]->rows;
    out[i].buffer = sides[i]->buffer;
    out[i].offset = sides[i]->offset;
    out[i].strides = strides[i];
  }
  return ck_copy_strided(&out[0], &out[1], op->width, 2, extents, queue);
}

typedef struct Mix {
  ck_arg_t args[4];
} Mix;

static Mix mix_of(const Op *op)
{
  size_t count = op->width / 4;
  return (Mix){{ck_arg(count), ck_arg(value_of(op)),
                ck_span(op->src.buffer, op->src.offset / 4, count),
                ck_span(op->dst.buffer, op->dst.offset / 4, count)}};
}

/* Submits an operation to the device. `temporary` allocates the memory between two copies. */
static ck_status_t issue(const Op *op, ck_stream_t *queue, ck_memory_resource_t *temporary)
{
  ck_buffer_t *dst = op->dst.buffer;
  size_t at = op->dst.offset;
  switch (op->kind) {
  case FILL:
    return ck_buffer_fill(dst, at, op->width * op->element_bytes, value_of(op), op->element_bytes,
                          queue);
  case FILL_BOX:
    return ck_buffer_fill_box(dst, at, op->dst.pitch, op->width, op->height, value_of(op),
                              op->element_bytes, queue);
  case FILL_ELEMENTS:
    return ck_buffer_fill_elements(dst, at, op->width, op->element, op->element_bytes, queue);
  case COPY: return ck_buffer_copy(dst, at, op->src.buffer, op->src.offset, op->width, queue);
  case COPY_BOX: return copy_box(op, queue);
  case COPY_STRIDED: return copy_strided(op, queue);
  case COPY_BATCH: return copy_batch(op, queue);
  case COPY_VIA: return copy_via(op, queue, temporary);
  case COPY_ARRAY: return copy_array(op, queue);
  case WRITE_VALUE: return ck_stream_write_value(queue, dst, at, value_of(op), 4);
  case KERNEL: return ck_launch_args(queue, NULL, mix, mix_of(op).args, 4);
  case OP_KINDS: break;
  }
  return CK_INTERNAL;
}

static Side side_of(const Held *held)
{
  return (Side){.buffer = held->buffer, .model = held->model, .start = held->start};
}

static void pick_value(Op *op, const Held *dst)
{
  uint32_t value = (uint32_t)below(UINT32_MAX);
  /* GPUs refuse memory of pools. */
  op->width = dst->bytes >= 4 && ck_buffer_flags(dst->buffer) & CK_MEMORY_HOST;
  op->height = op->depth = 1;
  op->element_bytes = 4;
  memcpy(op->element, &value, sizeof value);
  op->dst.offset = op->width ? below(dst->bytes / 4) * 4 : 0;
}

static void pick_fill(Op *op, const Held *dst)
{
  size_t widest = op->kind == FILL_ELEMENTS ? 17 : 3, w = below(widest);
  op->element_bytes = w < 3 ? (size_t)1 << w : 4 * w - 4; /* 1, 2, 4; 8 to 60 */
  for (size_t i = 0; i < sizeof op->element; ++i) op->element[i] = (unsigned char)below(256);
  size_t unit = op->element_bytes, units = dst->bytes / unit;
  op->width = op->height = op->depth = 1;
  if (!units) op->width = 0;
  else if (op->kind == FILL_BOX) {
    op->width = 1 + below(least(units, 20));
    op->dst.pitch = (op->width + below(3)) * unit;
    op->height = 1 + below((dst->bytes - op->width * unit) / op->dst.pitch + 1);
    op->dst.offset = below(units - op->width - (op->height - 1) * op->dst.pitch / unit + 1) * unit;
  } else {
    op->width = below(units + 1);
    op->dst.offset = below(units - op->width + 1) * unit;
  }
}

/* Picks a box of the operation's size in a buffer; false if it does not fit. */
static bool pick_side(Side *side, const Op *op, size_t bytes)
{
  side->pitch = op->kind == COPY_STRIDED ? op->width * (1 + below(3)) : op->width + below(4);
  side->rows = op->height + below(3);
  size_t extent = ((op->depth - 1) * side->rows + op->height - 1) * side->pitch + op->width;
  if (extent > bytes) return false;
  side->offset = below(bytes - extent + 1);
  return true;
}

static bool pick_mix(Op *op, size_t most)
{
  op->width = 4 * below(most + 1);
  op->height = op->depth = 1;
  op->element_bytes = 4;
  op->element[0] = (unsigned char)below(256);
  op->dst.offset = 4 * below(most - op->width / 4 + 1);
  op->src.offset = 4 * below(most - op->width / 4 + 1);
  return op->width > 0;
}

/* Picks an operation on two of the buffers, or on one; false if they are too small for it. */
static bool pick_op(Op *op, const Held *dst, const Held *src)
{
  *op = (Op){.kind = (OpKind)below(OP_KINDS), .dst = side_of(dst), .src = side_of(src)};
  if (!dst->buffer) return false;
  if (op->kind < COPY) {
    op->src = (Side){0};
    if (op->kind == WRITE_VALUE) pick_value(op, dst);
    else pick_fill(op, dst);
    return op->width > 0;
  }
  if (!src->buffer || dst->model == src->model) return false;
  if (op->kind == KERNEL) return pick_mix(op, least(dst->bytes, src->bytes) / 4);
  bool is_box = op->kind != COPY && op->kind != COPY_VIA && op->kind != COPY_ARRAY;
  op->width = 1 + below(is_box ? 40 : least(dst->bytes, src->bytes) + 1);
  op->height = is_box ? 1 + below(6) : 1;
  op->depth = is_box && op->kind != COPY_BATCH ? 1 + below(3) : 1;
  return pick_side(&op->dst, op, dst->bytes) && pick_side(&op->src, op, src->bytes);
}

static Held *pick_held(void)
{
  return &self->held[below(HELD)];
}

/* A pool with a limit may be exhausted, since all threads allocate from it. */
static bool is_done(ck_status_t status, int line)
{
  return status == CK_OUT_OF_MEMORY || need(status == CK_OK, "an operation", line) ? status == CK_OK
                                                                                   : false;
}

static const Held *pick_source(void)
{
  return below(8) ? pick_held() : &constant;
}

/* In the thread's own stream, or in one that all threads use. */
static void do_op(void)
{
  Op op;
  if (!pick_op(&op, pick_held(), pick_source())) return;
  ck_memory_resource_t *temporary = resources[below(3)];
  ck_stream_t *queue = below(4) ? self->stream : shared;
  if (queue == shared) NEED_OK(ck_stream_wait_stream(shared, self->stream));
  if (is_done(issue(&op, queue, temporary), __LINE__)) apply(&op);
  if (queue == shared) NEED_OK(ck_stream_wait_stream(self->stream, shared));
}

/* buffers ------------------------------------------------------------------------------------- */

static void release_held(Held *held)
{
  if (!held->buffer) return;
  ck_buffer_release(held->buffer);
  model_drop(held->model);
  *held = (Held){0};
}

static void release_graph(Graph *graph)
{
  for (size_t i = 0; i < graph->count; ++i) {
    model_drop(graph->ops[i].dst.model);
    if (graph->ops[i].src.model) model_drop(graph->ops[i].src.model);
  }
  ck_graph_release(graph->graph);
  ck_graph_definition_release(graph->definition);
  *graph = (Graph){0};
}

static void free_later(void *data)
{
  free(data);
}

/* Writes the whole buffer from memory that is freed right after the copy. */
static void write_all(const Held *held)
{
  unsigned char *model = held->model->data + held->start, *from = allocate(held->bytes);
  for (size_t i = 0; i < held->bytes; ++i) model[i] = from[i] = (unsigned char)below(256);
  NEED_OK(ck_buffer_write(held->buffer, 0, from, held->bytes, self->stream));
  NEED_OK(ck_stream_launch_host(self->stream, free_later, from));
}

static void create(void)
{
  Held *held = pick_held();
  for (size_t i = 0; i < HELD && held->buffer && below(8); ++i) held = &self->held[i];
  release_held(held);
  size_t bytes = 1 + below(MOST_BYTES), which = below(RESOURCES + 1);
  ck_status_t status =
      which == RESOURCES || !resources[which]
          ? ck_buffer_create(device, bytes, self->stream, &held->buffer)
          : ck_memory_resource_create_buffer(resources[which], bytes, self->stream, &held->buffer);
  if (!is_done(status, __LINE__)) return;
  held->bytes = bytes;
  held->model = model_use(model_new(bytes));
  write_all(held);
}

static void view(void)
{
  Held *of = pick_held(), *held = pick_held();
  if (!of->buffer || of == held) return;
  release_held(held);
  size_t start = below(of->bytes) & ~(size_t)3, bytes = 1 + below(of->bytes - start);
  NEED_OK(ck_buffer_create_view(of->buffer, start, bytes, &held->buffer));
  *held = (Held){held->buffer, model_use(of->model), of->start + start, bytes, true};
}

/* Whether no graph and no other view uses the memory. */
static bool is_alone(const Held *held)
{
  return held->buffer && held->model->users == 1;
}

static void close_one(void)
{
  Held *held = pick_held();
  if (!is_alone(held) || held->is_view) return;
  NEED_OK(ck_buffer_close(held->buffer, below(2) ? self->stream : NULL));
  NEED(ck_buffer_bytes(held->buffer) == 0);
  release_held(held);
}

/* reading ------------------------------------------------------------------------------------- */

typedef struct Reading {
  Worker *worker;
  unsigned long round;
  size_t bytes;
  unsigned char data[]; /* what is read, followed by what is expected */
} Reading;

static void compare(void *data)
{
  Reading *reading = data;
  if (memcmp(reading->data, reading->data + reading->bytes, reading->bytes) != 0) {
    ++failures;
    fprintf(stderr, "seed %lu, thread %u, round %lu: other bytes than expected\n",
            (unsigned long)random_seed, reading->worker->index, reading->round);
  }
  free(reading);
}

/* The comparison is a host function, in stream order. */
static void read_one(const Held *held)
{
  if (!held->buffer) return;
  Reading *reading = allocate(sizeof *reading + 2 * held->bytes);
  *reading = (Reading){self, self->round, held->bytes};
  memcpy(reading->data + held->bytes, held->model->data + held->start, held->bytes);
  NEED_OK(ck_buffer_read(held->buffer, 0, reading->data, held->bytes, self->stream));
  NEED_OK(ck_stream_launch_host(self->stream, compare, reading));
}

/* graphs -------------------------------------------------------------------------------------- */

/* Picks the operations of a graph, which from now on uses their memory. */
static void pick_ops(Graph *graph, bool is_explicit, bool may_allocate)
{
  size_t tries = 1 + below(MOST_OPS);
  for (size_t i = 0; i < tries; ++i) {
    Op *op = &graph->ops[graph->count];
    if (!pick_op(op, pick_held(), pick_source()) || op->kind == COPY_BATCH) continue;
    if (op->kind == COPY_ARRAY && !may_allocate) continue;
    if (is_explicit && op->kind != FILL && op->kind != COPY && op->kind != KERNEL) continue;
    model_use(op->dst.model);
    if (op->src.model) model_use(op->src.model);
    ++graph->count;
  }
}

/* Captures a conditional body; the condition, which a kernel may set, decides whether it runs. */
static void capture_body(ck_graph_builder_t *builder, Op *op)
{
  ck_graph_builder_t *body;
  ck_stream_t *own = ck_graph_builder_stream(builder);
  uint64_t condition;
  uint32_t start = (uint32_t)below(2), then = below(2) ? start : !start;
  op->is_off = !then;
  NEED_OK(ck_graph_builder_create_condition(builder, &start, &condition));
  if (then != start) NEED_OK(ck_launch(own, NULL, decide, condition, then));
  if (!NEED_OK(ck_graph_builder_add_if(builder, condition, &body))) return;
  NEED_OK(ck_graph_builder_begin(body, CK_CAPTURE_RELAXED));
  NEED_OK(issue(op, ck_graph_builder_stream(body), NULL));
  NEED_OK(ck_graph_builder_end(body));
  ck_graph_builder_release(body);
}

typedef struct Fork {
  Worker *worker;
  const Op *op;
  ck_graph_builder_t *builder;
} Fork;

static void *capture_fork(void *data)
{
  const Fork *fork = data;
  self = fork->worker;
  NEED_OK(issue(fork->op, ck_graph_builder_stream(fork->builder), graph_memory));
  return NULL;
}

/* Whether neither operation writes what the other one uses. */
static bool are_apart(const Op *a, const Op *b)
{
  return a->dst.model != b->dst.model && a->dst.model != b->src.model &&
         a->src.model != b->dst.model;
}

/* Captures two operations in parallel. */
static void capture_two(ck_graph_builder_t *builder, const Op *first, const Op *other)
{
  pthread_t thread;
  Fork fork = {self, first, NULL};
  if (!NEED_OK(ck_graph_builder_split(builder, 1, &fork.builder))) return;
  bool is_started = NEED(!pthread_create(&thread, NULL, capture_fork, &fork));
  NEED_OK(issue(other, ck_graph_builder_stream(builder), graph_memory));
  if (is_started) pthread_join(thread, NULL);
  NEED_OK(ck_graph_builder_join(builder, &fork.builder, 1));
  ck_graph_builder_release(fork.builder);
}

static bool fits_body(const Op *op)
{
  return op->kind != COPY_VIA && op->kind != COPY_ARRAY && op->kind != WRITE_VALUE;
}

static void capture_ops(ck_graph_builder_t *builder, Graph *graph)
{
  for (size_t i = 0; i < graph->count; ++i) {
    Op *op = &graph->ops[i];
    bool has_next = i + 1 < graph->count;
    if (fits_body(op) && below(6) == 0) capture_body(builder, op);
    else if (has_next && are_apart(op, op + 1) && below(2)) {
      capture_two(builder, op, op + 1);
      ++i;
    } else NEED_OK(issue(op, ck_graph_builder_stream(builder), graph_memory));
  }
}

static void capture(Graph *graph)
{
  ck_graph_builder_t *builder;
  ck_capture_mode_t mode = below(2) ? CK_CAPTURE_RELAXED : CK_CAPTURE_THREAD_LOCAL;
  if (!NEED_OK(ck_graph_builder_create(device, &builder))) return;
  NEED_OK(ck_graph_builder_begin(builder, mode));
  pick_ops(graph, false, mode == CK_CAPTURE_RELAXED);
  capture_ops(builder, graph);
  if (below(8) == 0) { /* abandoned */
    ck_graph_builder_release(builder);
    release_graph(graph);
    return;
  }
  NEED_OK(ck_graph_builder_end(builder));
  NEED_OK(ck_graph_builder_create_graph(builder, NULL, &graph->graph));
  ck_graph_builder_release(builder);
}

/* `args` has to outlive the result. */
static ck_node_params_t params_of(const Op *op, Mix *args)
{
  if (op->kind == KERNEL) {
    *args = mix_of(op);
    return ck_node_kernel(NULL, mix, args->args, LENGTH(args->args));
  }
  ck_node_place_t dst = ck_at(op->dst.buffer, op->dst.offset);
  if (op->kind == FILL) return ck_node_fill(dst, value_of(op), op->element_bytes, op->width);
  return ck_node_copy(dst, ck_at(op->src.buffer, op->src.offset), op->width);
}

/* Adds another graph's definition as a child node at the end of the chain. */
static void embed(Graph *graph, const Graph *child)
{
  ck_graph_node_t *node;
  if (child == graph || !child->definition || graph->count + child->count > MOST_OPS) return;
  ck_node_params_t params = ck_node_child(child->definition);
  ck_graph_node_t *last = graph->count ? graph->nodes[graph->count - 1] : NULL;
  NEED_OK(ck_graph_definition_add(graph->definition, &last, last != NULL, &params, &node));
  for (size_t i = 0; i < child->count; ++i) {
    Op *op = &graph->ops[graph->count];
    *op = child->defined[i];
    graph->nodes[graph->count++] = node;
    model_use(op->dst.model);
    if (op->src.model) model_use(op->src.model);
  }
}

/* Builds a definition by hand: a chain of nodes. */
static void define(Graph *graph)
{
  NEED_OK(ck_graph_definition_create(device, &graph->definition));
  pick_ops(graph, true, false);
  size_t own = graph->count;
  for (size_t i = 0; i < graph->count; ++i) {
    Mix args;
    ck_node_params_t params = params_of(&graph->ops[i], &args);
    ck_graph_node_t *last = i ? graph->nodes[i - 1] : NULL;
    NEED_OK(
        ck_graph_definition_add(graph->definition, &last, last != NULL, &params, &graph->nodes[i]));
  }
  if (below(2)) embed(graph, &self->graphs[below(GRAPHS)]);
  memcpy(graph->defined, graph->ops, sizeof graph->ops);
  NEED_OK(ck_graph_create(graph->definition, NULL, &graph->graph));
  graph->own = own;
}

/* Changes the value of a fill or a kernel in a graph, or turns a node on or off. */
static void change(Graph *graph)
{
  if (!graph->own) return;
  size_t i = below(graph->own);
  Op *op = &graph->ops[i];
  if (op->kind != COPY && below(2)) {
    Mix args;
    for (size_t k = 0; k < op->element_bytes; ++k) op->element[k] = (unsigned char)below(256);
    ck_node_params_t params = params_of(op, &args);
    NEED_OK(ck_graph_update_node(graph->graph, graph->nodes[i], &params));
    op->is_off = false;
    NEED_OK(ck_graph_set_enabled(graph->graph, graph->nodes[i], 1));
  } else {
    op->is_off = !op->is_off;
    NEED_OK(ck_graph_set_enabled(graph->graph, graph->nodes[i], !op->is_off));
  }
}

static void use_graph(void)
{
  Graph *graph = &self->graphs[below(GRAPHS)];
  uint64_t what = below(8);
  if (!graph->graph || what == 0) {
    release_graph(graph);
    if (below(2)) capture(graph);
    else define(graph);
    return;
  }
  if (what == 1) NEED_OK(ck_graph_upload(graph->graph, self->stream));
  if (what == 2) change(graph);
  NEED_OK(ck_graph_launch(graph->graph, self->stream));
  for (size_t i = 0; i < graph->count; ++i) apply(&graph->ops[i]);
}

/* between threads ----------------------------------------------------------------------------- */

typedef struct Parcel {
  Held held;
  ck_event_t *written;
} Parcel;

static Parcel parcels[EVENTS];
static pthread_mutex_t parcels_mutex = PTHREAD_MUTEX_INITIALIZER;

/* Exchanges a buffer that no other object of this thread uses for the one that another thread left.
 */
static void exchange(void)
{
  Held *held = pick_held();
  Parcel parcel = {0}, got;
  if (is_alone(held)) {
    NEED_OK(ck_event_create(device, NULL, &parcel.written));
    NEED_OK(ck_stream_record(self->stream, parcel.written));
    parcel.held = *held;
  } else release_held(held);
  size_t which = below(EVENTS);
  pthread_mutex_lock(&parcels_mutex);
  got = parcels[which];
  parcels[which] = parcel;
  pthread_mutex_unlock(&parcels_mutex);
  *held = got.held;
  if (!got.held.buffer) return;
  NEED_OK(ck_stream_wait(self->stream, got.written));
  ck_event_release(got.written);
  NEED_OK(ck_buffer_set_stream(held->buffer, self->stream));
}

/* Waiting for other threads' work is always allowed: it has been submitted before. */
static void use_shared(void)
{
  ck_event_t *event = events[below(EVENTS)], *other = events[below(EVENTS)];
  double seconds;
  uint64_t used;
  ck_status_t status = CK_OK;
  switch (below(8)) {
  case 0:
  case 1: status = ck_stream_record(self->stream, event); break;
  case 2: status = ck_stream_wait(self->stream, event); break;
  case 3: status = ck_event_query(event); break;
  case 4: status = ck_event_sync(event); break;
  /* Another thread may have recorded it again. */
  case 5: ck_event_get_elapsed(event, other, &seconds); break;
  case 6:
    status = ck_memory_resource_get_attribute(resources[POOL], CK_POOL_USED_HIGH_BYTES, &used);
    break;
  case 7: status = ck_memory_resource_trim(resources[below(2)], below(1 << 16)); break;
  }
  NEED(status == CK_OK || status == CK_NOT_READY);
}

/* streams ------------------------------------------------------------------------------------- */

/* Continues in another stream, after the work in the old one. */
static void change_stream(void)
{
  ck_stream_t *next;
  ck_stream_options_t options = CK_OPTIONS_INIT(ck_stream_options_t);
  options.priority = -(int)below(2);
  NEED_OK(below(4) ? ck_stream_create(device, &options, &next)
                   : ck_stream_open_per_thread(device, &next));
  NEED_OK(ck_stream_wait_stream(next, self->stream));
  for (size_t i = 0; i < HELD; ++i) {
    if (self->held[i].buffer && below(4)) NEED_OK(ck_buffer_set_stream(self->held[i].buffer, next));
    /* Otherwise the buffer keeps the stream, and must be freed after the new work. */
    else release_held(&self->held[i]);
  }
  ck_stream_release(self->stream);
  self->stream = next;
}

/* Compiles the kernel with a constant of its own, or finds it in the cache, launches it, and
 * releases everything right after the launch. */
static void compile_and_launch(void)
{
  static const char pattern[] = "kernel scale(n: u64, x: inout u8[n])\n"
                                "    launch(block = 32, grid = ceil_div(n, 32)) {\n"
                                "    let i = grid.thread_rank;\n"
                                "    if (i < n) x[i] = x[i] * %u + 1;\n"
                                "}\n";
  char text[sizeof pattern + 16];
  unsigned factor = (unsigned)below(4);
  Held *held = pick_held();
  ck_program_t *program;
  ck_object_code_t *object;
  ck_kernel_t *scale;
  int registers;
  if (!held->buffer) return;
  snprintf(text, sizeof text, pattern, factor);
  NEED_OK(ck_program_create(text, strlen(text), NULL, &program));
  if (!NEED_OK(ck_program_compile(program, device, &object))) return;
  ck_program_release(program);
  NEED_OK(ck_kernel_from_code(object, device, "scale", &scale));
  ck_object_code_release(object);
  NEED_OK(ck_kernel_get_attribute(scale, CK_KERNEL_REGISTERS, &registers));
  NEED_OK(ck_launch(self->stream, NULL, scale, held->bytes, held->buffer));
  ck_kernel_release(scale);
  if (below(4) == 0) ck_cache_clear();
  unsigned char *model = held->model->data + held->start;
  for (size_t i = 0; i < held->bytes; ++i) model[i] = (unsigned char)(model[i] * factor + 1);
}

/* A refused call sets the last error of its own thread only. */
static void fail(void)
{
  char part[64];
  const Held *held = pick_held();
  if (!held->buffer) return;
  size_t bytes = held->bytes + 1 + below(1000);
  snprintf(part, sizeof part, "%zu", bytes);
  NEED(ck_buffer_fill(held->buffer, 0, bytes, 0, 1, self->stream) == CK_INVALID_ARGUMENT);
  NEED(strstr(ck_last_error(), part) != NULL);
}

static void open_and_close(void)
{
  ck_device_t *again;
  ck_stream_t *standard;
  ck_status_t status = ck_device_is_host(device)
                           ? ck_device_open_host(&again)
                           : ck_device_open(ck_device_ordinal(device), &again);
  if (!NEED(status == CK_OK)) return;
  NEED_OK(below(2) ? ck_stream_open_default(again, &standard)
                   : ck_stream_open_per_thread(again, &standard));
  NEED_OK(ck_stream_wait_stream(self->stream, standard));
  ck_stream_release(standard);
  ck_device_release(again);
}

/* threads ------------------------------------------------------------------------------------- */

static void step(void)
{
  switch (below(25)) {
  case 0:
  case 1:
  case 2: create(); break;
  case 3: release_held(pick_held()); break;
  case 4: view(); break;
  case 5: close_one(); break;
  case 6:
  case 7: exchange(); break;
  case 8: use_shared(); break;
  case 9: NEED_OK(ck_stream_sync(self->stream)); break;
  case 10:
    if (below(4) == 0) change_stream();
    break;
  case 11: fail(); break;
  case 12: open_and_close(); break;
  case 13:
  case 14: read_one(pick_held()); break;
  case 15:
  case 16:
  case 17: use_graph(); break;
  case 18:
    if (below(4) == 0 && can_compile()) compile_and_launch();
    break;
  default: do_op();
  }
}

static void *work(void *data)
{
  self = data;
  random_start(MOST_THREADS * random_seed + self->index);
  NEED_OK(ck_stream_create(device, NULL, &self->stream));
  for (self->round = 0; self->round < random_count && failures < 20; ++self->round) step();
  for (size_t i = 0; i < HELD; ++i) {
    read_one(&self->held[i]);
    release_held(&self->held[i]);
  }
  for (size_t i = 0; i < GRAPHS; ++i) release_graph(&self->graphs[i]);
  NEED_OK(ck_stream_sync(self->stream));
  ck_stream_release(self->stream);
  return NULL;
}

TEST(random_calls)
{
  pthread_t threads[MOST_THREADS];
  for (unsigned i = 0; i < thread_count; ++i) {
    workers[i].index = i;
    CHECK(!pthread_create(&threads[i], NULL, work, &workers[i]));
  }
  for (unsigned i = 0; i < thread_count; ++i) pthread_join(threads[i], NULL);
  for (size_t i = 0; i < EVENTS; ++i) {
    ck_event_release(parcels[i].written);
    release_held(&parcels[i].held);
  }
  CHECK(failures == 0);
}

static void make_resources(void)
{
  ck_memory_resource_options_t limit = CK_OPTIONS_INIT(ck_memory_resource_options_t);
  ck_memory_resource_options_t plain = limit;
  int has = 0;
  limit.max_bytes = 4 << 20;
  CHECK_OK(ck_memory_resource_create_device(device, &plain, &resources[POOL]));
  CHECK_OK(ck_memory_resource_create_device(device, &limit, &resources[LIMITED]));
  CHECK_OK(ck_memory_resource_create_pinned(device, &resources[PINNED]));
  if (ck_device_is_host(device)) /* others may use the GPU, so it is checked only here */
    CHECK_OK(ck_memory_resource_create_legacy_managed(device, &resources[MANAGED]));
  ck_device_get_attribute(device, CK_DEVICE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, &has);
  if (has) CHECK_OK(ck_memory_resource_create_virtual(device, NULL, &resources[VIRTUAL]));
  CHECK_OK(ck_memory_resource_create_graph(device, &graph_memory));
  for (size_t i = 0; i < EVENTS; ++i) CHECK_OK(ck_event_create(device, NULL, &events[i]));
  CHECK_OK(ck_stream_create(device, NULL, &shared));
  constant = (Held){.model = model_use(model_new(MOST_BYTES)), .bytes = MOST_BYTES};
  for (size_t i = 0; i < MOST_BYTES; ++i) constant.model->data[i] = (unsigned char)(i * i);
  CHECK_OK(ck_buffer_create(device, MOST_BYTES, stream, &constant.buffer));
  CHECK_OK(ck_buffer_write(constant.buffer, 0, constant.model->data, MOST_BYTES, stream));
  CHECK_OK(ck_stream_sync(stream));
}

static void release_resources(void)
{
  for (size_t i = 0; i < EVENTS; ++i) ck_event_release(events[i]);
  for (size_t i = 0; i < RESOURCES; ++i) ck_memory_resource_release(resources[i]);
  ck_memory_resource_release(graph_memory);
  ck_stream_release(shared);
  release_held(&constant);
  ck_kernel_release(mix);
  ck_kernel_release(decide);
}

int main(int argc, char **argv)
{
  int missing = open_both(source);
  if (missing) return missing;
  random_open(argc, argv, 1500);
  thread_count = (unsigned)least(random_option(argc, argv, 3, "CK_THREADS", 4), MOST_THREADS);
  mix = kernel("mix");
  decide = kernel("decide");
  make_resources();
  RUN(random_calls);
  release_resources();
  return close_both();
}
