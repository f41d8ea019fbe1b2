/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* capture.c - captures of builders by the driver: how they begin, end, and fail to end.
 *
 * The end of a capture fails if a call has made the capture invalid, or if a fork is not joined.
 * CUDA 13.0's driver (580.159) then destroys the graph that the capture went into, even one that
 * the caller created. The definition is lost. The body of a condition is such a graph too, but its
 * node still refers to it, and the driver crashes when the graph of that node is used, is destroyed
 * or has another capture that fails to end. So the root's graph is never destroyed then, and:
 *
 * - A capture is relaxed, so that it forbids no calls, which would make it invalid. If the caller
 *   wants a strict one, a second, empty capture in a stream of its own forbids them: the guard. It
 *   can end at any time, and its end tells whether a call was refused. Bodies have no guard.
 * - ck_device_sync, which would make all captures invalid at any moment, is refused before it gets
 *   to the driver.
 * - The end of a body's capture joins its forks itself.
 * - An invalid capture around others waits until those have ended, the innermost first:
 *
 *     root   its capture fails to end: waits    capture_count 2
 *      +-- body   its capture ends              capture_count 1: the waiting capture ends
 *
 * - An invalid capture around a destroyed body never ends: its stream stays captured, and work in
 *   its context can't be waited for. The alternative is the driver's crash.
 */
#include <stdlib.h>

#include "graph.h"

typedef struct End {
  CUresult result;
  const char *call; /* the call that gave the result */
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

/* Ends the guard's capture, and fails if a call was refused. That another thread began the capture
 * is no failure, because a builder can be released on any thread. */
static End end_guard(ck_graph_builder_t *builder)
{
  const Driver *driver = builder->device->driver;
  CUgraph graph = NULL;
  End end = {.result = CUDA_SUCCESS};
  if (!builder->is_strict) return end;
  bool is_fine = state_of(driver, builder->guard) == CU_STREAM_CAPTURE_STATUS_ACTIVE;
  if (STEP(cuStreamEndCapture(builder->guard, &graph))) {
    CLEAN_UP(builder->device, driver->cuGraphDestroy(graph));
    return end;
  }
  graph_capture_close(builder); /* destroying its stream ends it in any case */
  if (end.result == CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD && is_fine) end.result = CUDA_SUCCESS;
  return end;
}

void graph_capture_close(ck_graph_builder_t *builder)
{
  if (!builder->guard) return;
  CLEAN_UP(builder->device, builder->device->driver->cuStreamDestroy(builder->guard));
  builder->guard = NULL;
}

/* what is under way ---------------------------------------------------------------------------- */

/* The captures of builders, and those that never end, linked by `next`. */
static Capture *captures;
static atomic_uint count_of_captures;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* guards the list */

static void free_capture(Capture *capture)
{
  pthread_mutex_lock(&mutex);
  Capture **link = &captures;
  while (*link != capture) link = &(*link)->next;
  *link = capture->next;
  atomic_fetch_sub(&count_of_captures, 1);
  pthread_mutex_unlock(&mutex);
  memory_free(capture);
}

bool capture_is_under_way(const ck_context_t *context)
{
  bool is_found = false,
       is_primary = context == &context->device->primary; /* the guards' streams belong to it */
  if (LIKELY(!atomic_load(&count_of_captures))) return false;
  pthread_mutex_lock(&mutex);
  for (const Capture *capture = captures; capture && !is_found; capture = capture->next)
    is_found = device_same(capture->stream->device, context->device) &&
               (is_primary || ck_stream_context(capture->stream)->native == context->native);
  pthread_mutex_unlock(&mutex);
  return is_found;
}

static void count_capture(ck_graph_definition_t *definition, unsigned by)
{
  for (; definition; definition = graph_definition_around(definition))
    atomic_fetch_add(&definition->capture_count, by);
}

/* A capture into the definition has ended. */
static void capture_is_over(ck_graph_definition_t *definition, Capture *capture)
{
  GraphKeep *keep = capture->keep;
  count_capture(definition, -1u);
  free_capture(capture);
  graph_keep_close(keep);
}

/* Notes that the driver has destroyed the graph of a definition. */
static void graph_is_destroyed(ck_graph_definition_t *definition)
{
  definition->root->is_lost = true;
  definition->root->native = NULL; /* destroyed; or with a destroyed body in it, never to be */
  while ((definition = graph_definition_around(definition))) definition->has_destroyed_body = true;
}

/* begin ---------------------------------------------------------------------------------------- */

/* Begins the driver's capture and the guard's. */
static ck_status_t begin_native(ck_graph_builder_t *builder, ck_graph_definition_t *definition,
                                ck_capture_mode_t mode)
{
  const Driver *driver = builder->device->driver;
  CUstream native = builder->stream->native;
  CUgraph graph = definition->native;
  DRV(driver,
      cuStreamBeginCaptureToGraph(native, graph, NULL, NULL, 0, CU_STREAM_CAPTURE_MODE_RELAXED));
  ck_status_t status = builder->is_strict ? begin_guard(builder, mode) : CK_OK;
  if (status != CK_OK) driver->cuStreamEndCapture(native, &graph);
  return status;
}

ck_status_t graph_capture_begin(ck_graph_builder_t *builder, ck_graph_definition_t *definition,
                                ck_capture_mode_t mode)
{
  ck_graph_definition_t *root = definition->root;
  GraphKeep *keep = graph_keep_new();
  Capture *capture = memory_new(sizeof *capture);
  ck_status_t status = keep && capture ? device_enter(builder->device) : CK_OUT_OF_MEMORY;
  if (status != CK_OK) {
    memory_free(capture);
    graph_keep_release(keep);
    return status;
  }
  *capture = (Capture){.stream = builder->stream, .keep = keep};
  builder->is_strict = mode != CK_CAPTURE_RELAXED && !builder->is_body;
  if (builder->is_strict) atomic_fetch_add(&capture_strict_count, 1);
  pthread_mutex_lock(&mutex); /* before the driver begins: another thread may wait for all work */
  capture->next = captures;
  captures = capture;
  atomic_fetch_add(&count_of_captures, 1);
  pthread_mutex_unlock(&mutex);
  status = graph_leave(builder->device, begin_native(builder, definition, mode));
  if (status != CK_OK) {
    if (builder->is_strict) atomic_fetch_sub(&capture_strict_count, 1);
    free_capture(capture);
    graph_keep_release(keep);
    return status;
  }
  root->captured = graph_keep_chain(graph_keep_retain(keep), root->captured);
  builder->keep = keep;
  builder->capture = capture;
  builder->thread = pthread_self();
  count_capture(definition, 1);
  return CK_OK;
}

/* end ------------------------------------------------------------------------------------------ */

static int compare_nodes(const void *a, const void *b)
{
  const CUgraphNode *left = a, *right = b;
  return ((uintptr_t)*left > (uintptr_t)*right) - ((uintptr_t)*left < (uintptr_t)*right);
}

static End list_of(const Driver *driver, GraphListKind kind, CUgraph graph, GraphList *out_list)
{
  CUresult result = graph_read_list(driver, kind, graph, NULL, out_list);
  return (End){result, graph_list_calls[kind]};
}

/* Joins all forks: makes the stream's position come after every node that has no dependents. */
static End join_all(const ck_graph_builder_t *builder)
{
  const Driver *driver = builder->device->driver;
  CUstream stream = builder->stream->native;
  CUstreamCaptureStatus state;
  CUgraph graph;
  GraphList nodes, edges = {.count = 0};
  size_t last_count = 0;
  End end;
  if (!STEP(cuStreamGetCaptureInfo(stream, &state, NULL, &graph, NULL, NULL, NULL))) return end;
  if (state != CU_STREAM_CAPTURE_STATUS_ACTIVE)
    return (End){CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, "cuStreamEndCapture"};
  end = list_of(driver, LIST_nodes, graph, &nodes);
  if (end.result == CUDA_SUCCESS) end = list_of(driver, LIST_edges, graph, &edges);
  if (end.result == CUDA_SUCCESS && nodes.count) {
    CUgraphNode none, *before = edges.count ? edges.from : &none;
    qsort(before, edges.count, sizeof *before, compare_nodes);
    for (size_t i = 0; i < nodes.count; ++i)
      if (!bsearch(&nodes.from[i], before, edges.count, sizeof *before, compare_nodes))
        nodes.from[last_count++] = nodes.from[i];
    (void)STEP(cuStreamUpdateCaptureDependencies(stream, nodes.from, NULL, last_count,
                                                 CU_STREAM_SET_CAPTURE_DEPENDENCIES));
  }
  memory_free(edges.from);
  memory_free(nodes.from);
  return end;
}

/* Ends the driver's capture. A call that the guard has refused fails the end, too. */
static End end_native(ck_graph_builder_t *builder)
{
  const Driver *driver = builder->device->driver;
  ck_graph_definition_t *definition = builder->definition;
  bool has_inner = definition->has_destroyed_body || atomic_load(&definition->capture_count) > 1;
  CUgraph graph = NULL; /* the definition's own */
  End guard = end_guard(builder), joined = {.result = CUDA_SUCCESS}, end;
  if (has_inner || builder->is_body) joined = join_all(builder);
  if (has_inner && joined.result != CUDA_SUCCESS) {
    /* The capture goes on without the builder. It needs its streams, also those of forks. */
    ck_stream_retain(builder->stream);
    graph_keep_retain(builder->keep);
    definition->root->is_lost = true;
    if (!definition->has_destroyed_body) definition->waiting = builder->capture;
    builder->capture = NULL;
    return joined;
  }
  if (!STEP(cuStreamEndCapture(builder->stream->native, &graph))) {
    bool is_over = state_of(driver, builder->stream->native) == CU_STREAM_CAPTURE_STATUS_NONE;
    if (is_over) graph_is_destroyed(definition);
    return end;
  }
  if (guard.result != CUDA_SUCCESS) joined = guard;
  if (joined.result != CUDA_SUCCESS) definition->root->is_lost = true;
  return joined;
}

ck_status_t graph_capture_end(ck_graph_builder_t *builder)
{
  End end = end_native(builder);
  return driver_result(builder->device->driver, end.result, end.call, __FILE__, __LINE__);
}

void graph_capture_give_up(ck_graph_builder_t *builder)
{
  CLEAN_UP(builder->device, end_native(builder));
}

/* Ends a capture that has waited for those in it; around a destroyed body it never ends. */
static void end_waiting(ck_graph_definition_t *definition)
{
  CUgraph graph = NULL;
  Capture *capture = definition->waiting;
  definition->waiting = NULL;
  if (definition->has_destroyed_body) return;
  GraphKeep *keep = capture->keep;
  ck_stream_t *stream = capture->stream;
  CUresult result;
  CLEAN_UP(definition->device, result = stream->driver->cuStreamEndCapture(stream->native, &graph));
  if (result != CUDA_SUCCESS) graph_is_destroyed(definition);
  capture_is_over(definition, capture);
  graph_keep_release(keep);
  ck_stream_release(stream);
}

void graph_capture_leave(ck_graph_builder_t *builder)
{
  GraphKeep *keep = builder->keep;
  if (builder->is_building && !builder->is_fork) {
    ck_graph_definition_t *definition = builder->definition;
    if (builder->capture) capture_is_over(definition, builder->capture);
    for (; definition; definition = graph_definition_around(definition))
      if (definition->waiting &&
          (definition->has_destroyed_body || atomic_load(&definition->capture_count) == 1))
        end_waiting(definition);
    if (builder->is_strict) atomic_fetch_sub(&capture_strict_count, 1);
  }
  builder->is_building = false;
  builder->capture = NULL;
  builder->keep = NULL;
  graph_keep_release(keep);
}
