/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* graph_builder.c - builders: streams captured into definitions, forks and joins, bodies.
 *
 * A capture goes into a graph that is made before it, so that the definition is there from the
 * beginning. What the captured calls use is added to the keep that the stream has while it is
 * captured. The definition has it from the beginning too.
 */
#include <stdlib.h>

#include "graph.h"

struct ck_graph_builder {
  Object object;
  ck_device_t *device;               /* retained */
  ck_stream_t *stream;               /* retained */
  ck_graph_definition_t *definition; /* retained; NULL before the first begin; a body's own */
  GraphKeep *keep;                   /* retained; of the capture that it is or was in */
  bool is_building, is_fork, is_body;
  bool is_put_off;  /* the capture that is to be left goes on */
  bool is_strict;   /* the capture forbids calls */
  pthread_t thread; /* then: that may end it */
};

/* A fork's capture ends elsewhere. */
static bool is_building(const ck_graph_builder_t *builder)
{
  return builder->is_building && graph_keep_is_open(builder->keep);
}

/* the driver's end of a capture ----------------------------------------------------------------
 *
 * A capture that ends badly, as invalid, not joined or on another thread, takes the graph that it
 * goes into with it: so does CUDA 13.0's driver (580.159), also with one that the caller has made.
 * The definition is lost. The body of a condition is such a graph too, but its node still has it
 * then: the graph of that node stays in memory, as the driver crashes when that is used, destroyed
 * or ends badly. So:
 *
 * - A body is joined at its end, and forbids no calls, which would make it invalid: captures around
 *   it do.
 * - What is invalid around a capture ends when that has ended; a body does not.
 * - What is invalid around a body that ended badly does not end: its stream stays captured, for
 *   good, and the context with it. That is as bad for what is around it. What it forbids is allowed
 *   to the thread again.
 */

typedef struct End {
  CUresult result;
  const char *call; /* that it is of */
} End;

static CUstreamCaptureStatus capture_state(const ck_graph_builder_t *builder)
{
  CUstreamCaptureStatus state = CU_STREAM_CAPTURE_STATUS_ACTIVE;
  builder->device->driver->cuStreamIsCapturing(builder->stream->native, &state);
  return state;
}

/* What the driver would say to the end, but for forks. */
static CUresult foresee(const ck_graph_builder_t *builder)
{
  if (builder->is_strict && !pthread_equal(builder->thread, pthread_self()))
    return CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
  return capture_state(builder) == CU_STREAM_CAPTURE_STATUS_ACTIVE
             ? CUDA_SUCCESS
             : CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
}

static int compare_nodes(const void *a, const void *b)
{
  const CUgraphNode *left = a, *right = b;
  return ((uintptr_t)*left > (uintptr_t)*right) - ((uintptr_t)*left < (uintptr_t)*right);
}

/* Puts the stream behind all that nothing is behind: no fork is left out. */
static End join_all(const ck_graph_builder_t *builder)
{
#define STEP(call_) ((end = (End){driver->call_, #call_}).result == CUDA_SUCCESS)
  const Driver *driver = builder->device->driver;
  CUstream stream = builder->stream->native;
  CUstreamCaptureStatus state;
  CUgraph graph;
  size_t count = 0, edges = 0, last_count = 0;
  End end;
  if (!STEP(cuStreamGetCaptureInfo(stream, &state, NULL, &graph, NULL, NULL, NULL))) return end;
  if (state != CU_STREAM_CAPTURE_STATUS_ACTIVE) /* by now: another thread may have spoilt it */
    return (End){CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, "cuStreamEndCapture"};
  if (!STEP(cuGraphGetNodes(graph, NULL, &count)) ||
      !STEP(cuGraphGetEdges(graph, NULL, NULL, NULL, &edges)) || !count)
    return end;
  CUgraphNode *nodes = memory_new(count * sizeof *nodes);
  CUgraphNode *ends = memory_new((2 * edges + 1) * sizeof *ends); /* from, to */
  CUgraphEdgeData *data = memory_new((edges + 1) * sizeof *data); /* the driver insists, for some */
  if (!nodes || !ends || !data) {
    end = (End){CUDA_ERROR_OUT_OF_MEMORY, "the nodes of a capture"};
  } else if (STEP(cuGraphGetNodes(graph, nodes, &count)) &&
             (!edges || STEP(cuGraphGetEdges(graph, ends, ends + edges, data, &edges)))) {
    qsort(ends, edges, sizeof *ends, compare_nodes);
    for (size_t i = 0; i < count; ++i)
      if (!bsearch(&nodes[i], ends, edges, sizeof *ends, compare_nodes))
        nodes[last_count++] = nodes[i];
    (void)STEP(cuStreamUpdateCaptureDependencies(stream, nodes, NULL, last_count,
                                                 CU_STREAM_SET_CAPTURE_DEPENDENCIES));
  }
  memory_free(data);
  memory_free(ends);
  memory_free(nodes);
  return end;
#undef STEP
}

/* Captures that stay open. */
static OpenCapture *_Atomic left_captures;

static void leave_open(OpenCapture *capture)
{
  capture->next = atomic_load(&left_captures);
  while (!atomic_compare_exchange_weak(&left_captures, &capture->next, capture)) continue;
}

/* The capture goes on, to its late end or for good, and has its streams: no fork's goes. */
static void put_off(ck_graph_builder_t *builder, GraphState inside)
{
  ck_graph_definition_t *definition = builder->definition, *root = definition->root;
  OpenCapture *capture = memory_new(sizeof *capture);
  GraphKeep *keep = graph_keep_retain(builder->keep);
  ck_stream_t *stream = ck_stream_retain(builder->stream);
  builder->is_put_off = true;
  graph_definition_lose(definition);
  if (builder->is_body) graph_definition_set_state(definition, GRAPH_dead);
  bool is_late = inside == GRAPH_captured && definition == root && capture;
  root->is_left |= definition == root && !is_late;
  if (!capture) return; /* it stays, and nobody knows of it */
  *capture = (OpenCapture){.stream = stream, .keep = keep};
  if (is_late) root->late = capture;
  else leave_open(capture);
}

/* `is_release`: nobody can end it later. */
static End end_capture(ck_graph_builder_t *builder, bool is_release)
{
  ck_graph_definition_t *definition = builder->definition;
  GraphState inside = graph_definition_inside(definition);
  bool is_careful = inside || builder->is_body;
  CUgraph graph = NULL; /* the definition's own */
  End end = {.result = CUDA_SUCCESS};
  if (is_careful) end = (End){foresee(builder), "cuStreamEndCapture"};
  if (inside && end.result == CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD) {
    if (!is_release) return end;
    end.result = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  }
  if (is_careful && end.result == CUDA_SUCCESS) end = join_all(builder);
  if (inside && end.result != CUDA_SUCCESS) {
    put_off(builder, inside);
    return end;
  }
  CUresult result = builder->device->driver->cuStreamEndCapture(builder->stream->native, &graph);
  if (result == CUDA_SUCCESS) return end;
  if (capture_state(builder) == CU_STREAM_CAPTURE_STATUS_NONE) {
    graph_definition_lose(definition);
    if (builder->is_body) graph_definition_set_state(definition, GRAPH_dead);
  }
  return (End){result, "cuStreamEndCapture"};
}

/* What was put off ends now, or not at all. */
static void end_late(ck_graph_definition_t *root)
{
  OpenCapture *late = root->late;
  CUgraph graph = NULL;
  root->late = NULL;
  if (graph_definition_inside(root) == GRAPH_dead) {
    root->is_left = true;
    leave_open(late);
    return;
  }
  CleanUp clean_up = clean_up_begin(root->device);
  const Driver *driver = root->device->driver;
  if (driver->cuStreamEndCapture(late->stream->native, &graph) == CUDA_SUCCESS)
    driver->cuGraphDestroy(graph); /* it was fine, and given up */
  clean_up_end(&clean_up);
  graph_keep_close(late->keep);
  graph_keep_release(late->keep);
  ck_stream_release(late->stream);
  memory_free(late);
}

/* What is captured counts no longer as the builder's. */
static void leave_capture(ck_graph_builder_t *builder)
{
  if (builder->is_building && !builder->is_fork) {
    ck_graph_definition_t *definition = builder->definition, *root = definition->root;
    if (definition->state == GRAPH_captured) graph_definition_set_state(definition, GRAPH_plain);
    if (atomic_fetch_sub(&root->capture_count, 1) == 1 && root->late) end_late(root);
    if (root->is_left && root->is_strict) capture_relax(root->device->driver);
    if (builder->is_strict) atomic_fetch_sub(&capture_strict_count, 1);
    if (!builder->is_put_off) graph_keep_close(builder->keep);
  }
  builder->is_building = builder->is_put_off = false;
  graph_keep_release(builder->keep);
  builder->keep = NULL;
}

/* Whether it is another thread's to end, and that can still be done. */
static bool goes_on(const ck_graph_builder_t *builder, CUresult result)
{
  return result == CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD &&
         capture_state(builder) != CU_STREAM_CAPTURE_STATUS_NONE;
}

/* Gives a capture up. False if it goes on. */
static bool give_up(ck_graph_builder_t *builder)
{
  CleanUp clean_up = clean_up_begin(builder->device);
  bool goes_on_there = goes_on(builder, end_capture(builder, true).result);
  clean_up_end(&clean_up);
  if (!goes_on_there) leave_capture(builder);
  return !goes_on_there;
}

static void graph_builder_destroy(ck_graph_builder_t *builder)
{
  /* What the driver still captures into can't go: then the whole builder stays. */
  if (builder->is_building && !builder->is_fork && !give_up(builder)) return;
  leave_capture(builder);
  ck_stream_release(builder->stream);
  ck_graph_definition_release(builder->definition);
  ck_device_release(builder->device);
  object_free(builder);
  graph_collect();
}

OBJECT(graph_builder, ck_graph_builder_t);

static ck_status_t new_builder(ck_stream_t *stream, ck_graph_builder_t **out_builder)
{
  *out_builder = NULL;
  ck_graph_builder_t *builder = object_new(sizeof *builder);
  if (!builder) return CK_OUT_OF_MEMORY;
  builder->device = ck_device_retain(stream->device);
  builder->stream = ck_stream_retain(stream);
  *out_builder = builder;
  return CK_OK;
}

ck_status_t ck_graph_builder_from_stream(ck_stream_t *stream, ck_graph_builder_t **out_builder)
{
  CK_NEED_ARG(out_builder);
  *out_builder = NULL;
  CK_NEED_ARG(stream);
  if (stream->is_default)
    return error_set(CK_INVALID_ARGUMENT, "a default stream can't be captured: create a stream");
  CK_TRY(graph_supported(stream->device));
  graph_collect();
  return new_builder(stream, out_builder);
}

ck_status_t ck_graph_builder_create(ck_device_t *device, ck_graph_builder_t **out_builder)
{
  CK_NEED_ARG(out_builder);
  *out_builder = NULL;
  CK_NEED_ARG(device);
  ck_stream_t *stream;
  CK_TRY(ck_stream_create(device, NULL, &stream));
  ck_status_t status = ck_graph_builder_from_stream(stream, out_builder);
  ck_stream_release(stream);
  return status;
}

ck_device_t *ck_graph_builder_device(const ck_graph_builder_t *builder)
{
  return builder->device;
}

ck_stream_t *ck_graph_builder_stream(const ck_graph_builder_t *builder)
{
  return builder->stream;
}

int ck_graph_builder_is_building(const ck_graph_builder_t *builder)
{
  return is_building(builder);
}

int ck_graph_builder_is_join_required(const ck_graph_builder_t *builder)
{
  return builder->is_fork && is_building(builder);
}

ck_graph_definition_t *ck_graph_builder_definition(const ck_graph_builder_t *builder)
{
  return builder->definition;
}

/* begin and end ------------------------------------------------------------------------------ */

/* The driver's capture, with a keep that the definition has as well. */
static ck_status_t begin(ck_graph_builder_t *builder, ck_graph_definition_t *definition,
                         CUstreamCaptureMode mode)
{
  const Driver *driver = builder->device->driver;
  CUstream native = builder->stream->native;
  CUgraph graph = definition->native;
  GraphKeep *keep = graph_keep_new();
  if (!keep) return CK_OUT_OF_MEMORY;
  ck_status_t status = device_enter(builder->device);
  if (status == CK_OK) {
    status = DRV_STATUS(driver, cuStreamBeginCaptureToGraph(native, graph, NULL, NULL, 0, mode));
    if (status == CK_OK) {
      status = graph_definition_add_keep(definition->root, keep);
      if (status != CK_OK) driver->cuStreamEndCapture(native, &graph);
    }
    device_leave(builder->device);
  }
  if (status == CK_OK) builder->keep = keep;
  else graph_keep_release(keep);
  return status;
}

/* What a builder captures into: a body always the same, others something new each time. */
static ck_status_t definition_for(const ck_graph_builder_t *builder,
                                  ck_graph_definition_t **out_definition)
{
  if (!builder->is_body) return ck_graph_definition_create(builder->device, out_definition);
  CK_TRY(graph_definition_check(builder->definition));
  *out_definition = ck_graph_definition_retain(builder->definition);
  return CK_OK;
}

ck_status_t ck_graph_builder_begin(ck_graph_builder_t *builder, ck_capture_mode_t mode)
{
  static const CUstreamCaptureMode modes[] = {[CK_CAPTURE_RELAXED] = CU_STREAM_CAPTURE_MODE_RELAXED,
                                              [CK_CAPTURE_THREAD_LOCAL] =
                                                  CU_STREAM_CAPTURE_MODE_THREAD_LOCAL,
                                              [CK_CAPTURE_GLOBAL] = CU_STREAM_CAPTURE_MODE_GLOBAL};
  CK_NEED_ARG(builder);
  if ((size_t)mode >= COUNT_OF(modes))
    return error_set(CK_INVALID_ARGUMENT, "capture mode %d is unknown", (int)mode);
  if (builder->is_fork)
    return error_set(CK_INVALID_ARGUMENT, "the builder is a fork%s",
                     is_building(builder) ? ": it is building already" : " that has ended");
  if (builder->is_building)
    return error_set(CK_INVALID_ARGUMENT, "the builder is building already");
  graph_collect();
  ck_graph_definition_t *definition;
  CK_TRY(definition_for(builder, &definition));
  if (builder->is_body) mode = CK_CAPTURE_RELAXED;
  builder->is_strict = mode != CK_CAPTURE_RELAXED;
  if (builder->is_strict) atomic_fetch_add(&capture_strict_count, 1);
  ck_status_t status = begin(builder, definition, modes[mode]);
  if (status != CK_OK) {
    if (builder->is_strict) atomic_fetch_sub(&capture_strict_count, 1);
    ck_graph_definition_release(definition);
    return status;
  }
  ck_graph_definition_t *old = builder->definition;
  builder->definition = definition;
  builder->is_building = true;
  builder->thread = pthread_self();
  graph_definition_set_state(definition, GRAPH_captured);
  if (definition == definition->root) definition->is_strict = builder->is_strict;
  atomic_fetch_add(&definition->root->capture_count, 1);
  stream_join_capture(builder->stream, builder->keep);
  ck_graph_definition_release(old); /* last: memory that was put off with it is put off again */
  return CK_OK;
}

ck_status_t ck_graph_builder_end(ck_graph_builder_t *builder)
{
  CK_NEED_ARG(builder);
  if (!is_building(builder)) return error_set(CK_INVALID_ARGUMENT, "the builder is not building");
  if (builder->is_fork)
    return error_set(CK_INVALID_ARGUMENT, "the builder is a fork: join it to where it came from");
  CK_TRY(device_enter(builder->device));
  End end = end_capture(builder, false);
  ck_status_t status =
      driver_result(builder->device->driver, end.result, end.call, __FILE__, __LINE__);
  device_leave(builder->device);
  if (end.result == CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD) {
    status =
        error_within(CK_INVALID_ARGUMENT, "another thread began the capture, and has to end it");
    if (goes_on(builder, end.result)) return status;
  }
  if (status == CK_OK) status = graph_definition_check(builder->definition);
  if (status == CK_OK) graph_definition_take_parts(builder->definition, builder->keep);
  leave_capture(builder);
  if (status != CK_OK && !builder->is_body) {
    ck_graph_definition_release(builder->definition);
    builder->definition = NULL;
  }
  return status;
}

/* forks ---------------------------------------------------------------------------------------- */

static ck_status_t need_building(const ck_graph_builder_t *builder)
{
  if (is_building(builder)) return CK_OK;
  return error_set(CK_INVALID_ARGUMENT, "the builder is not building");
}

/* A builder with a stream like another's: in its context, of its priority. */
static ck_status_t new_builder_like(const ck_graph_builder_t *builder,
                                    ck_graph_builder_t **out_builder)
{
  ck_stream_options_t options = CK_OPTIONS_INIT(ck_stream_options_t);
  ck_stream_t *stream;
  CK_TRY(ck_stream_get_priority(builder->stream, &options.priority));
  CK_TRY(ck_context_create_stream(ck_stream_context(builder->stream), &options, &stream));
  ck_status_t status = new_builder(stream, out_builder);
  ck_stream_release(stream);
  return status;
}

static ck_status_t make_fork(ck_graph_builder_t *builder, ck_graph_builder_t **out_fork)
{
  CK_TRY(new_builder_like(builder, out_fork));
  ck_graph_builder_t *fork = *out_fork;
  CK_TRY(ck_stream_wait_stream(fork->stream, builder->stream));
  fork->is_fork = fork->is_building = true;
  fork->definition = ck_graph_definition_retain(builder->definition);
  fork->keep = graph_keep_retain(builder->keep);
  return CK_OK;
}

ck_status_t ck_graph_builder_split(ck_graph_builder_t *builder, size_t count,
                                   ck_graph_builder_t **out_forks)
{
  if (count) CK_NEED_ARG(out_forks);
  for (size_t i = 0; i < count; ++i) out_forks[i] = NULL;
  CK_NEED_ARG(builder);
  CK_TRY(need_building(builder));
  ck_status_t status = CK_OK;
  for (size_t i = 0; i < count && status == CK_OK; ++i) status = make_fork(builder, &out_forks[i]);
  for (size_t i = 0; i < count && status != CK_OK; ++i) {
    ck_graph_builder_release(out_forks[i]);
    out_forks[i] = NULL;
  }
  return status;
}

ck_status_t ck_graph_builder_join(ck_graph_builder_t *builder, ck_graph_builder_t *const *forks,
                                  size_t count)
{
  CK_NEED_ARG(builder);
  if (count) CK_NEED_ARG(forks);
  CK_TRY(need_building(builder));
  for (size_t i = 0; i < count; ++i) {
    if (!forks[i] || !is_building(forks[i]) || forks[i]->keep != builder->keep ||
        forks[i] == builder)
      return error_set(CK_INVALID_ARGUMENT, "forks[%zu] is no other builder of this capture", i);
    if (!forks[i]->is_fork)
      return error_set(CK_INVALID_ARGUMENT, "forks[%zu] is where the capture began: join to it", i);
  }
  for (size_t i = 0; i < count; ++i) {
    CK_TRY(ck_stream_wait_stream(builder->stream, forks[i]->stream));
    leave_capture(forks[i]);
  }
  return CK_OK;
}

/* nodes where the stream stands ---------------------------------------------------------------- */

/* The node that was just captured has a part of what the capture keeps. A driver that does not say
 * which node it is leaves that to the capture. */
static void tell_part(ck_graph_builder_t *builder, const GraphKeep *part)
{
  CUstreamCaptureStatus state;
  const CUgraphNode *last = NULL;
  const CUgraphEdgeData *data = NULL;
  size_t count = 0;
  CUresult result = builder->device->driver->cuStreamGetCaptureInfo(
      builder->stream->native, &state, NULL, NULL, &last, &data, &count);
  if (result == CUDA_SUCCESS && state == CU_STREAM_CAPTURE_STATUS_ACTIVE && count == 1)
    graph_keep_tell_part(builder->keep, part, last[0]);
}

ck_status_t ck_graph_builder_launch_host(ck_graph_builder_t *builder, void (*function)(void *data),
                                         void *data, void (*release)(void *data))
{
  CK_NEED_ARG(builder);
  CK_TRY(need_building(builder));
  if (!release) return ck_stream_launch_host(builder->stream, function, data);
  KeepData *own = NULL;
  GraphKeep *part = graph_keep_new();
  if (!part) return CK_OUT_OF_MEMORY;
  ck_status_t status = graph_keep_data(part, &own);
  if (status == CK_OK) status = graph_keep_keep(builder->keep, part);
  if (status == CK_OK) status = ck_stream_launch_host(builder->stream, function, data);
  if (status == CK_OK) {
    graph_keep_own_data(own, data, release); /* a failure leaves the data with the caller */
    tell_part(builder, part);
  }
  graph_keep_release(part);
  return status;
}

/* Adds a node behind what the stream has, and puts the stream behind it. */
static ck_status_t add_here(ck_graph_builder_t *builder, ck_node_params_t *params,
                            ck_graph_node_t **out_node)
{
  const Driver *driver = builder->device->driver;
  CUstream stream = builder->stream->native;
  CUstreamCaptureStatus state;
  GraphPlace place = {.keep = builder->keep};
  CK_TRY(need_building(builder));
  CK_TRY(graph_definition_check(builder->definition));
  CK_TRY(device_enter(builder->device));
  ck_status_t status =
      DRV_STATUS(driver, cuStreamGetCaptureInfo(stream, &state, NULL, NULL, &place.after,
                                                &place.data, &place.count));
  if (status == CK_OK && state != CU_STREAM_CAPTURE_STATUS_ACTIVE)
    status = error_set(CK_INVALID_ARGUMENT, "an earlier failure has ended the capture");
  if (status == CK_OK) status = graph_add_node(builder->definition, &place, params, out_node);
  if (status == CK_OK)
    status =
        DRV_STATUS(driver, cuStreamUpdateCaptureDependencies(stream, &(*out_node)->native, NULL, 1,
                                                             CU_STREAM_SET_CAPTURE_DEPENDENCIES));
  device_leave(builder->device);
  return status;
}

ck_status_t ck_graph_builder_embed(ck_graph_builder_t *builder, ck_graph_definition_t *child)
{
  CK_NEED_ARG(builder);
  CK_NEED_ARG(child);
  ck_node_params_t params = ck_node_child(child);
  ck_graph_node_t *node;
  return add_here(builder, &params, &node);
}

ck_status_t ck_graph_builder_create_condition(ck_graph_builder_t *builder, const uint32_t *start,
                                              uint64_t *out_condition)
{
  CK_NEED_ARG(out_condition);
  *out_condition = 0;
  CK_NEED_ARG(builder);
  CK_TRY(need_building(builder));
  return ck_graph_definition_create_condition(builder->definition, start, out_condition);
}

/* A builder for a body, with a stream of its own. */
static ck_status_t make_body(ck_graph_builder_t *builder, ck_graph_node_t *node, size_t index,
                             ck_graph_builder_t **out_body)
{
  ck_graph_definition_t *inner;
  CK_TRY(ck_graph_node_get_graph(node, index, &inner));
  CK_TRY(new_builder_like(builder, out_body));
  (*out_body)->is_body = true;
  (*out_body)->definition = ck_graph_definition_retain(inner);
  return CK_OK;
}

static ck_status_t add_condition(ck_graph_builder_t *builder, ck_condition_kind_t kind,
                                 uint64_t condition, uint32_t count,
                                 ck_graph_builder_t **out_bodies, const char *function)
{
  for (uint32_t i = 0; i < count; ++i) out_bodies[i] = NULL;
  CK_NEED_ARG_OF(function, builder);
  ck_node_params_t params = ck_node_condition(kind, condition, count);
  ck_graph_node_t *node;
  CK_TRY(add_here(builder, &params, &node));
  ck_status_t status = CK_OK;
  for (uint32_t i = 0; i < count && status == CK_OK; ++i)
    status = make_body(builder, node, i, &out_bodies[i]);
  for (uint32_t i = 0; i < count && status != CK_OK; ++i) {
    ck_graph_builder_release(out_bodies[i]);
    out_bodies[i] = NULL;
  }
  return status;
}

ck_status_t ck_graph_builder_if_then(ck_graph_builder_t *builder, uint64_t condition,
                                     ck_graph_builder_t **out_then)
{
  CK_NEED_ARG(out_then);
  return add_condition(builder, CK_CONDITION_IF, condition, 1, out_then, __func__);
}

ck_status_t ck_graph_builder_if_else(ck_graph_builder_t *builder, uint64_t condition,
                                     ck_graph_builder_t **out_then, ck_graph_builder_t **out_else)
{
  CK_NEED_ARG(out_then);
  CK_NEED_ARG(out_else);
  ck_graph_builder_t *bodies[2];
  ck_status_t status = add_condition(builder, CK_CONDITION_IF, condition, 2, bodies, __func__);
  *out_then = bodies[0];
  *out_else = bodies[1];
  return status;
}

ck_status_t ck_graph_builder_while_loop(ck_graph_builder_t *builder, uint64_t condition,
                                        ck_graph_builder_t **out_body)
{
  CK_NEED_ARG(out_body);
  return add_condition(builder, CK_CONDITION_WHILE, condition, 1, out_body, __func__);
}

ck_status_t ck_graph_builder_switch(ck_graph_builder_t *builder, uint64_t condition, uint32_t count,
                                    ck_graph_builder_t **out_bodies)
{
  if (count) CK_NEED_ARG(out_bodies);
  return add_condition(builder, CK_CONDITION_SWITCH, condition, count, out_bodies, __func__);
}

ck_status_t ck_graph_builder_complete(ck_graph_builder_t *builder,
                                      const ck_graph_options_t *options, ck_graph_t **out_graph)
{
  CK_NEED_ARG(out_graph);
  *out_graph = NULL;
  CK_NEED_ARG(builder);
  if (is_building(builder)) return error_set(CK_INVALID_ARGUMENT, "the builder is still building");
  if (!builder->definition || builder->is_fork || builder->is_body)
    return error_set(CK_INVALID_ARGUMENT, "the builder has no graph of its own");
  return ck_graph_create(builder->definition, options, out_graph);
}
