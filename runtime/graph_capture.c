/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* graph_capture.c - the driver's captures of builders: how they begin, end, and end badly.
 *
 * A capture that ends badly, as invalid, not joined or on another thread, takes the graph that it
 * goes into with it: so does CUDA 13.0's driver (580.159), also with one that the caller has made.
 * The definition is lost. The body of a condition is such a graph too, but its node still has it
 * then: the graph of that node stays in memory, as the driver crashes when that is used, destroyed
 * or ends badly. So:
 *
 * - A capture forbids no calls itself, which would make it invalid: one beside it does, the guard,
 *   of a stream that nothing else is for. That can end at any time, and tells what was called.
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

/* What was captured is given up. */
static void destroy_graph(ck_device_t *device, CUgraph graph)
{
  CleanUp clean_up = clean_up_begin(device);
  device->driver->cuGraphDestroy(graph);
  clean_up_end(&clean_up);
}

/* One that can't be ended goes with its stream. */
static End end_guard(ck_graph_builder_t *builder)
{
  const Driver *driver = builder->device->driver;
  CUgraph graph = NULL;
  End end = {.result = CUDA_SUCCESS};
  if (!builder->is_strict) return end;
  if (STEP(cuStreamEndCapture(builder->guard, &graph))) destroy_graph(builder->device, graph);
  else graph_capture_close(builder);
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
  if (!keep) return CK_OUT_OF_MEMORY;
  builder->is_strict = mode != CK_CAPTURE_RELAXED && !builder->is_body;
  if (builder->is_strict) atomic_fetch_add(&capture_strict_count, 1);
  ck_status_t status = device_enter(builder->device);
  if (status == CK_OK) {
    status = begin_native(builder, definition, mode, keep);
    device_leave(builder->device);
  }
  if (status != CK_OK) {
    if (builder->is_strict) atomic_fetch_sub(&capture_strict_count, 1);
    graph_keep_release(keep);
    return status;
  }
  builder->keep = keep;
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

/* Captures that stay open. */
static OpenCapture *_Atomic left_captures;

static void leave_open(ck_graph_definition_t *definition, OpenCapture *capture)
{
  graph_definition_set_state(definition, GRAPH_dead);
  capture->next = atomic_load(&left_captures);
  while (!atomic_compare_exchange_weak(&left_captures, &capture->next, capture)) continue;
}

/* The capture goes on, to its late end or for good, and has its streams: no fork's goes. */
static void put_off(ck_graph_builder_t *builder, GraphState inside)
{
  ck_graph_definition_t *definition = builder->definition;
  OpenCapture *capture = memory_new(sizeof *capture);
  GraphKeep *keep = graph_keep_retain(builder->keep);
  ck_stream_t *stream = ck_stream_retain(builder->stream);
  builder->is_put_off = true;
  graph_definition_lose(definition);
  if (!capture) { /* it stays, and nobody knows of it */
    graph_definition_set_state(definition, GRAPH_dead);
    return;
  }
  *capture = (OpenCapture){.stream = stream, .keep = keep};
  if (inside == GRAPH_dead) leave_open(definition, capture);
  else graph_definition_put_off(definition, capture);
}

static bool is_over(const ck_graph_builder_t *builder)
{
  CUstreamCaptureStatus state = CU_STREAM_CAPTURE_STATUS_ACTIVE;
  builder->device->driver->cuStreamIsCapturing(builder->stream->native, &state);
  return state == CU_STREAM_CAPTURE_STATUS_NONE;
}

static End end_native(ck_graph_builder_t *builder)
{
  const Driver *driver = builder->device->driver;
  ck_graph_definition_t *definition = builder->definition;
  GraphState inside = graph_definition_inside(definition);
  CUgraph graph = NULL; /* the definition's own */
  End guard = end_guard(builder), joined = {.result = CUDA_SUCCESS}, end;
  if (inside || builder->is_body) joined = join_all(builder);
  if (inside == GRAPH_captured && joined.result == CUDA_SUCCESS) joined = guard;
  if (inside && joined.result != CUDA_SUCCESS) {
    put_off(builder, inside);
    return joined;
  }
  if (!STEP(cuStreamEndCapture(builder->stream->native, &graph))) {
    if (!is_over(builder)) return end;
    graph_definition_lose(definition);
    if (builder->is_body) graph_definition_set_state(definition, GRAPH_dead);
    return end;
  }
  if (guard.result == CUDA_SUCCESS) return joined;
  graph_definition_lose(definition);
  if (!inside) destroy_graph(builder->device, graph);
  return guard;
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
  bool is_root = definition == definition->root;
  CUgraph graph = NULL;
  if (graph_definition_inside(definition) == GRAPH_dead) {
    leave_open(definition, late);
    return;
  }
  CleanUp clean_up = clean_up_begin(definition->device);
  CUresult result = definition->device->driver->cuStreamEndCapture(late->stream->native, &graph);
  clean_up_end(&clean_up);
  bool is_fine = result == CUDA_SUCCESS;
  if (is_fine && is_root) destroy_graph(definition->device, graph);
  graph_definition_set_state(definition, is_fine || is_root ? GRAPH_plain : GRAPH_dead);
  graph_keep_close(late->keep);
  graph_keep_release(late->keep);
  ck_stream_release(late->stream);
  memory_free(late);
}

void graph_capture_leave(ck_graph_builder_t *builder)
{
  if (builder->is_building && !builder->is_fork) {
    ck_graph_definition_t *definition = builder->definition, *root = definition->root;
    if (!builder->is_put_off && definition->state == GRAPH_captured)
      graph_definition_set_state(definition, GRAPH_plain);
    OpenCapture *late;
    while ((late = graph_definition_take_late(root, &definition))) end_late(definition, late);
    atomic_fetch_sub(&root->capture_count, 1);
    if (builder->is_strict) atomic_fetch_sub(&capture_strict_count, 1);
    if (!builder->is_put_off) graph_keep_close(builder->keep);
  }
  builder->is_building = builder->is_put_off = false;
  graph_keep_release(builder->keep);
  builder->keep = NULL;
}
