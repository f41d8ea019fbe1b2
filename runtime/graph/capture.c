/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* capture.c - the driver's captures of builders: how they begin, end, and end badly.
 *
 * A capture that ends badly, as invalid or not joined, takes the graph that it goes into with it:
 * so does CUDA 13.0's driver (580.159), also with one that the caller has made. The definition is
 * lost. The body of a condition is such a graph too, but its node still has it then: the graph of
 * that node stays in memory, as the driver crashes when that is used, destroyed or ends badly. So:
 *
 * - A capture forbids no calls itself, which would make it invalid: for one that is not a body's a
 *   second one does, the guard, of a stream that nothing else is for. It can end at any time, and
 *   tells whether a call was refused.
 * - ck_device_sync, which would make all of them invalid at any moment, is refused before.
 * - A body is joined at its end.
 * - What is invalid around a capture ends when that has ended, the innermost first.
 * - What is invalid around a body that ended badly does not end: its stream stays captured, for
 *   good, and the context with it. That is as bad for what is around it.
 */
#include <stdlib.h>

#include "graph.h"

typedef struct End {
  CUresult result;
  const char *call; /* that it is of */
} End;

#define STEP(call_) ((end = (End){driver->call_, #call_}).result == CUDA_SUCCESS)

/* the guard ------------------------------------------------------------------------------------ */

static ck_status_t begin_guard(ck_graph_builder_t *builder, ck_capture_mode_t mode)
{
  const Driver *driver = builder->device->driver;
  if (!builder->guard)
    DRV(driver, cuStreamCreateWithPriority(&builder->guard, CU_STREAM_NON_BLOCKING, 0));
  return DRV_STATUS(
      driver, cuStreamBeginCapture(builder->guard, mode == CK_CAPTURE_GLOBAL
                                                       ? CU_STREAM_CAPTURE_MODE_GLOBAL
                                                       : CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
}

static CUstreamCaptureStatus state_of(const Driver *driver, CUstream stream)
{
  CUstreamCaptureStatus state = CU_STREAM_CAPTURE_STATUS_ACTIVE;
  driver->cuStreamIsCapturing(stream, &state);
  return state;
}

/* Tells whether a call was refused. To be on another thread than that which began is no failure: a
 * builder is released anywhere. */
static End end_guard(ck_graph_builder_t *builder)
{
  const Driver *driver = builder->device->driver;
  CUgraph graph = NULL;
  End end = {.result = CUDA_SUCCESS};
  if (!builder->is_strict) return end;
  bool is_fine = state_of(driver, builder->guard) == CU_STREAM_CAPTURE_STATUS_ACTIVE;
  if (STEP(cuStreamEndCapture(builder->guard, &graph))) {
    CleanUp clean_up = clean_up_begin(builder->device);
    driver->cuGraphDestroy(graph);
    clean_up_end(&clean_up);
    return end;
  }
  graph_capture_close(builder); /* if it could not be ended, it goes with its stream */
  if (end.result == CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD && is_fine) end.result = CUDA_SUCCESS;
  return end;
}

void graph_capture_close(ck_graph_builder_t *builder)
{
  if (!builder->guard) return;
  CleanUp clean_up = clean_up_begin(builder->device);
  builder->device->driver->cuStreamDestroy(builder->guard);
  clean_up_end(&clean_up);
  builder->guard = NULL;
}

/* what is under way ---------------------------------------------------------------------------- */

/* Captures of builders, and those that stay open: by `next`. */
static OpenCapture *open_captures;
static atomic_uint open_count;
static pthread_mutex_t open_mutex = PTHREAD_MUTEX_INITIALIZER; /* guards the list */

static void list_capture(OpenCapture *capture)
{
  pthread_mutex_lock(&open_mutex);
  capture->next = open_captures;
  open_captures = capture;
  atomic_fetch_add(&open_count, 1);
  pthread_mutex_unlock(&open_mutex);
}

static void unlist_capture(OpenCapture *capture)
{
  pthread_mutex_lock(&open_mutex);
  OpenCapture **link = &open_captures;
  while (*link != capture) link = &(*link)->next;
  *link = capture->next;
  atomic_fetch_sub(&open_count, 1);
  pthread_mutex_unlock(&open_mutex);
  memory_free(capture);
}

bool capture_is_under_way(const ck_context_t *context)
{
  bool is_found = false, is_primary = context == &context->device->primary; /* guards are there */
  if (LIKELY(!atomic_load(&open_count))) return false;
  pthread_mutex_lock(&open_mutex);
  for (OpenCapture *capture = open_captures; capture && !is_found; capture = capture->next)
    is_found = device_same(capture->stream->device, context->device) &&
               (is_primary || ck_stream_context(capture->stream)->native == context->native);
  pthread_mutex_unlock(&open_mutex);
  return is_found;
}

/* begin ---------------------------------------------------------------------------------------- */

/* The driver's capture, with a keep that the definition has as well. */
static ck_status_t begin_native(ck_graph_builder_t *builder, ck_graph_definition_t *definition,
                                ck_capture_mode_t mode, GraphKeep *keep)
{
  const Driver *driver = builder->device->driver;
  CUstream native = builder->stream->native;
  CUgraph graph = definition->native;
  DRV(driver,
      cuStreamBeginCaptureToGraph(native, graph, NULL, NULL, 0, CU_STREAM_CAPTURE_MODE_RELAXED));
  ck_status_t status = graph_definition_add_keep(definition->root, keep);
  if (status == CK_OK && builder->is_strict) status = begin_guard(builder, mode);
  if (status != CK_OK) driver->cuStreamEndCapture(native, &graph);
  return status;
}

ck_status_t graph_capture_begin(ck_graph_builder_t *builder, ck_graph_definition_t *definition,
                                ck_capture_mode_t mode)
{
  GraphKeep *keep = graph_keep_new();
  OpenCapture *open = memory_new(sizeof *open);
  ck_status_t status = keep && open ? device_enter(builder->device) : CK_OUT_OF_MEMORY;
  if (status != CK_OK) {
    memory_free(open);
    graph_keep_release(keep);
    return status;
  }
  *open = (OpenCapture){.stream = builder->stream, .keep = keep};
  builder->is_strict = mode != CK_CAPTURE_RELAXED && !builder->is_body;
  if (builder->is_strict) atomic_fetch_add(&capture_strict_count, 1);
  list_capture(open); /* before the driver begins: another thread may wait for all work by now */
  status = begin_native(builder, definition, mode, keep);
  device_leave(builder->device);
  if (status != CK_OK) {
    if (builder->is_strict) atomic_fetch_sub(&capture_strict_count, 1);
    unlist_capture(open);
    graph_keep_release(keep);
    return status;
  }
  builder->keep = keep;
  builder->open = open;
  builder->thread = pthread_self();
  graph_definition_set_state(definition, GRAPH_captured);
  atomic_fetch_add(&definition->root->capture_count, 1);
  return CK_OK;
}

/* end ------------------------------------------------------------------------------------------ */

static int compare_nodes(const void *a, const void *b)
{
  const CUgraphNode *left = a, *right = b;
  return ((uintptr_t)*left > (uintptr_t)*right) - ((uintptr_t)*left < (uintptr_t)*right);
}

/* Puts the stream behind all that nothing is behind: no fork is left out. */
static End join_all(const ck_graph_builder_t *builder)
{
  const Driver *driver = builder->device->driver;
  CUstream stream = builder->stream->native;
  CUstreamCaptureStatus state;
  CUgraph graph;
  size_t count = 0, edges = 0, last_count = 0;
  End end;
  if (!STEP(cuStreamGetCaptureInfo(stream, &state, NULL, &graph, NULL, NULL, NULL))) return end;
  if (state != CU_STREAM_CAPTURE_STATUS_ACTIVE)
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
}

/* The capture goes on, to its late end or for good, and has its streams: no fork's goes. */
static void put_off(ck_graph_builder_t *builder, GraphState inside)
{
  ck_graph_definition_t *definition = builder->definition;
  ck_stream_retain(builder->stream);
  graph_keep_retain(builder->keep);
  graph_definition_lose(definition);
  if (inside == GRAPH_dead) graph_definition_set_state(definition, GRAPH_dead);
  else graph_definition_put_off(definition, builder->open);
  builder->open = NULL;
}

/* Fails for what was refused meanwhile, too. */
static End end_native(ck_graph_builder_t *builder)
{
  const Driver *driver = builder->device->driver;
  ck_graph_definition_t *definition = builder->definition;
  GraphState inside = graph_definition_inside(definition);
  CUgraph graph = NULL; /* the definition's own */
  End guard = end_guard(builder), joined = {.result = CUDA_SUCCESS}, end;
  if (inside || builder->is_body) joined = join_all(builder);
  if (inside && joined.result != CUDA_SUCCESS) {
    put_off(builder, inside);
    return joined;
  }
  if (!STEP(cuStreamEndCapture(builder->stream->native, &graph))) {
    bool is_over = state_of(driver, builder->stream->native) == CU_STREAM_CAPTURE_STATUS_NONE;
    if (is_over) graph_definition_die(definition);
    return end;
  }
  if (guard.result != CUDA_SUCCESS) joined = guard;
  if (joined.result != CUDA_SUCCESS) graph_definition_lose(definition);
  return joined;
}

ck_status_t graph_capture_end(ck_graph_builder_t *builder)
{
  End end = end_native(builder);
  return driver_result(builder->device->driver, end.result, end.call, __FILE__, __LINE__);
}

void graph_capture_give_up(ck_graph_builder_t *builder)
{
  CleanUp clean_up = clean_up_begin(builder->device);
  end_native(builder);
  clean_up_end(&clean_up);
}

/* What was put off ends now, or not at all. */
static void end_late(ck_graph_definition_t *definition, OpenCapture *late)
{
  CUgraph graph = NULL;
  if (graph_definition_inside(definition) == GRAPH_dead) {
    graph_definition_set_state(definition, GRAPH_dead);
    return;
  }
  GraphKeep *keep = late->keep;
  ck_stream_t *stream = late->stream;
  CleanUp clean_up = clean_up_begin(definition->device);
  CUresult result = stream->driver->cuStreamEndCapture(stream->native, &graph);
  clean_up_end(&clean_up);
  unlist_capture(late);
  if (result == CUDA_SUCCESS) graph_definition_set_state(definition, GRAPH_plain);
  else graph_definition_die(definition);
  graph_keep_close(keep);
  graph_keep_release(keep);
  ck_stream_release(stream);
}

void graph_capture_leave(ck_graph_builder_t *builder)
{
  if (builder->is_building && !builder->is_fork) {
    ck_graph_definition_t *definition = builder->definition, *root = definition->root;
    if (builder->open) {
      if (definition->state == GRAPH_captured) graph_definition_set_state(definition, GRAPH_plain);
      unlist_capture(builder->open);
      graph_keep_close(builder->keep);
    }
    OpenCapture *late;
    while ((late = graph_definition_take_late(root, &definition))) end_late(definition, late);
    atomic_fetch_sub(&root->capture_count, 1);
    if (builder->is_strict) atomic_fetch_sub(&capture_strict_count, 1);
  }
  builder->is_building = false;
  builder->open = NULL;
  graph_keep_release(builder->keep);
  builder->keep = NULL;
}
