/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* capture.c - the driver's captures of builders: how they begin, end, and fail to end.
 *
 * A capture whose end fails, because a call made it invalid or a fork is not joined, destroys the
 * graph that it goes into: so does CUDA 13.0's driver (580.159), also with a graph that the caller
 * made. The definition is lost. The body of a condition is such a graph too, but its node still
 * refers to it then, and the driver crashes when the graph of that node is used, is destroyed or
 * has a capture that fails to end. Such a body is dead: the graph around it stays in memory. So:
 *
 * - A capture forbids no calls itself, which would make it invalid. For one that is not a body's a
 *   second, empty capture does, the guard, of a stream that nothing else is for. It can end at any
 *   time, and tells whether a call was refused.
 * - ck_device_sync, which would make all captures invalid at any moment, is refused before.
 * - A body is joined at its end.
 * - An invalid capture around others ends when those have ended, the innermost first:
 *
 *     root   capture, fails to end       waits, capture_count 2
 *      +-- body   capture, ends          the count becomes 1: the capture of the root ends
 *
 * - An invalid capture around a dead body never ends: its stream stays captured, and the context
 *   with it. That is as bad for what is around it.
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

/* Captures of builders, and those that never end: by `next`. */
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
  bool is_found = false, is_primary = context == &context->device->primary; /* guards are there */
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

/* The driver has destroyed what was captured into. */
static void lose_graph(ck_graph_definition_t *definition)
{
  definition->root->is_lost = true;
  definition->root->native = NULL; /* with a dead body in it, it can't be destroyed either */
  while ((definition = graph_definition_around(definition))) definition->has_dead_body = true;
}

/* begin ---------------------------------------------------------------------------------------- */

/* The driver's capture, with a keep that the root has as well. */
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

/* Puts the stream behind all nodes that nothing is behind: no fork is left out. */
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

/* Fails for what was refused meanwhile, too. */
static End end_native(ck_graph_builder_t *builder)
{
  const Driver *driver = builder->device->driver;
  ck_graph_definition_t *definition = builder->definition;
  bool has_inner = definition->has_dead_body || atomic_load(&definition->capture_count) > 1;
  CUgraph graph = NULL; /* the definition's own */
  End guard = end_guard(builder), joined = {.result = CUDA_SUCCESS}, end;
  if (has_inner || builder->is_body) joined = join_all(builder);
  if (has_inner && joined.result != CUDA_SUCCESS) {
    /* The capture goes on without the builder, and has its streams: no fork's is destroyed. */
    ck_stream_retain(builder->stream);
    graph_keep_retain(builder->keep);
    definition->root->is_lost = true;
    if (!definition->has_dead_body) definition->waiting = builder->capture;
    builder->capture = NULL;
    return joined;
  }
  if (!STEP(cuStreamEndCapture(builder->stream->native, &graph))) {
    bool is_over = state_of(driver, builder->stream->native) == CU_STREAM_CAPTURE_STATUS_NONE;
    if (is_over) lose_graph(definition);
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
  CleanUp clean_up = clean_up_begin(builder->device);
  end_native(builder);
  clean_up_end(&clean_up);
}

/* A capture that waited ends now, or, around a dead body, never. */
static void end_waiting(ck_graph_definition_t *definition)
{
  CUgraph graph = NULL;
  Capture *capture = definition->waiting;
  definition->waiting = NULL;
  if (definition->has_dead_body) return;
  GraphKeep *keep = capture->keep;
  ck_stream_t *stream = capture->stream;
  CleanUp clean_up = clean_up_begin(definition->device);
  CUresult result = stream->driver->cuStreamEndCapture(stream->native, &graph);
  clean_up_end(&clean_up);
  if (result != CUDA_SUCCESS) lose_graph(definition);
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
          (definition->has_dead_body || atomic_load(&definition->capture_count) == 1))
        end_waiting(definition);
    if (builder->is_strict) atomic_fetch_sub(&capture_strict_count, 1);
  }
  builder->is_building = false;
  builder->capture = NULL;
  builder->keep = NULL;
  graph_keep_release(keep);
}
