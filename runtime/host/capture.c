/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* capture.c - captures streams of the host device into graphs.
 *
 * A stream that is being captured has a tail: the set of nodes on which its next node will depend.
 * It begins empty, or with the nodes that cuStreamBeginCaptureToGraph names. An operation in the
 * stream becomes a node that depends on the tail, and is then the only node of the tail. Recording
 * an event copies the tail into the event; a stream that waits for the event adds these nodes to
 * its own tail, and joins the capture if it was not part of one. For example:
 *
 *   a in s1                 tail of s1 = {a}
 *   record e in s1          tail of e  = {a}
 *   s2 waits for e          tail of s2 = {a}      s2 joins the capture
 *   b in s2                 tail of s2 = {b}      edge a -> b
 *   c in s1                 tail of s1 = {c}      edge a -> c
 *   record f in s2, s1 waits for f                tail of s1 = {c, b}
 *   end in s1               every captured node precedes the tail of s1
 *
 * A captured stream that waits for an event of another capture, or of none, makes its capture
 * invalid. When the capture ends, every captured node must be in the tail of the stream where it
 * began, or an ancestor of a node there; otherwise a stream was not joined, and the capture is an
 * error.
 *
 * host_graph_mutex (LOCK) guards captures and tails.
 */
#include <string.h>

#include "graph.h"

#define LOCK()   pthread_mutex_lock(&host_graph_mutex)
#define UNLOCK() pthread_mutex_unlock(&host_graph_mutex)

typedef struct Capture {
  size_t reference_count; /* number of tails that refer to it */
  uint64_t id;
  CUstream origin;
  CUstreamCaptureMode mode;
  pthread_t thread;
  HostGraph *graph;
  bool is_given; /* cuStreamBeginCaptureToGraph: the graph belongs to the caller */
  bool is_invalid;
  bool is_over;
  struct HostTail *tails; /* list of the tails of streams */
  struct Capture *next;   /* in the list of captures in progress */
} Capture;

static Capture *captures;
static atomic_size_t capture_count;
static _Thread_local CUstreamCaptureMode thread_mode = CU_STREAM_CAPTURE_MODE_GLOBAL;

struct HostTail {
  Capture *capture; /* retained */
  CUstream stream;  /* NULL for the tail of an event */
  HostTail *next;   /* in capture->tails */
  HostNode **nodes;
  size_t count;
};

bool host_is_capturing(CUstream stream)
{
  HostTail **tail = host_stream_tail(stream);
  return tail && __atomic_load_n(tail, __ATOMIC_ACQUIRE);
}

static void set_tail(HostTail **place, HostTail *tail)
{
  __atomic_store_n(place, tail, __ATOMIC_RELEASE);
}

/* calls that captures forbid ------------------------------------------------------------------ */

static void list_capture(Capture *capture)
{
  capture->next = captures;
  captures = capture;
  ++capture_count;
}

static void unlist_capture(const Capture *capture)
{
  for (Capture **link = &captures; *link; link = &(*link)->next) {
    if (*link != capture) continue;
    *link = capture->next;
    --capture_count;
    return;
  }
}

/* CUDA driver API, cuThreadExchangeStreamCaptureMode: "a potentially unsafe API call". */
static bool forbids(const Capture *capture)
{
  bool is_own = pthread_equal(capture->thread, pthread_self());
  bool is_global = capture->mode == CU_STREAM_CAPTURE_MODE_GLOBAL &&
                   thread_mode == CU_STREAM_CAPTURE_MODE_GLOBAL;
  return capture->mode != CU_STREAM_CAPTURE_MODE_RELAXED &&
         thread_mode != CU_STREAM_CAPTURE_MODE_RELAXED && (is_own || is_global);
}

static bool forbid(bool by_all)
{
  bool is_forbidden = false;
  if (!atomic_load_explicit(&capture_count, memory_order_relaxed)) return false;
  LOCK();
  for (Capture *capture = captures; capture; capture = capture->next) {
    if (!by_all && !forbids(capture)) continue;
    capture->is_invalid = is_forbidden = true;
  }
  UNLOCK();
  return is_forbidden;
}

bool host_capture_forbids(void)
{
  return forbid(false);
}

bool host_capture_forbids_sync(void)
{
  return forbid(true);
}

/* tails -------------------------------------------------------------------------------------- */

/* Creates a tail that starts with the nodes of another one. With a stream the stream joins the
 * capture; without one the tail belongs to an event that is recorded in the capture. */
static HostTail *new_tail(Capture *capture, CUstream stream, const HostTail *from)
{
  HostTail *tail = memory_new(sizeof *tail);
  if (!tail) return NULL;
  for (size_t i = 0; from && i < from->count; ++i) {
    if (!host_grow((void **)&tail->nodes, i, sizeof *tail->nodes)) {
      memory_free(tail->nodes);
      memory_free(tail);
      return NULL;
    }
    tail->nodes[tail->count++] = from->nodes[i];
  }
  tail->capture = capture;
  tail->stream = stream;
  ++capture->reference_count;
  if (stream) {
    tail->next = capture->tails;
    capture->tails = tail;
    set_tail(host_stream_tail(stream), tail);
  }
  return tail;
}

static void free_tail(HostTail *tail)
{
  Capture *capture = tail->capture;
  for (HostTail **link = &capture->tails; *link; link = &(*link)->next) {
    if (*link != tail) continue;
    *link = tail->next;
    break;
  }
  if (tail->stream == capture->origin) { /* tails of events may still refer to the capture */
    capture->is_over = true;
    unlist_capture(capture);
  }
  if (--capture->reference_count == 0) memory_free(capture);
  memory_free(tail->nodes);
  memory_free(tail);
}

/* Removes the tail of a stream or event. If the capture began in that stream, destroys the capture,
 * and its graph unless the caller supplied it. */
void host_tail_release(HostTail **place)
{
  LOCK();
  HostTail *tail = *place;
  Capture *capture = tail ? tail->capture : NULL;
  HostGraph *own =
      tail && tail->stream == capture->origin && !capture->is_given ? capture->graph : NULL;
  set_tail(place, NULL);
  if (own) capture->is_invalid = true;
  if (tail) free_tail(tail);
  if (own) host_graph_release(own);
  UNLOCK();
}

/* Finds the tail of a stream; an error if it is not being captured, or its capture is invalid. */
static CUresult find_tail(CUstream stream, HostTail **out_tail)
{
  HostTail **place = host_stream_tail(stream);
  *out_tail = place ? *place : NULL;
  if (!*out_tail) return CUDA_ERROR_ILLEGAL_STATE;
  return (*out_tail)->capture->is_invalid ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED : CUDA_SUCCESS;
}

static bool add_to_tail(HostTail *tail, HostNode *node)
{
  for (size_t i = 0; i < tail->count; ++i)
    if (tail->nodes[i] == node) return true;
  if (!host_grow((void **)&tail->nodes, tail->count, sizeof *tail->nodes)) return false;
  tail->nodes[tail->count++] = node;
  return true;
}

/* operations in captured streams ------------------------------------------------------------- */

HostNode *host_capture_node(CUstream stream, CUgraphNodeType type, CUresult *out_result)
{
  HostTail *tail;
  *out_result = find_tail(stream, &tail);
  if (*out_result != CUDA_SUCCESS) return NULL;
  HostNode *node = host_node_new(tail->capture->graph, type, tail->nodes, tail->count);
  if (node) tail->count = 0;
  if (node) node->is_captured = true;
  if (node && add_to_tail(tail, node)) return node;
  tail->capture->is_invalid = true; /* the graph lacks the node, and callers that free memory
                                     * don't see the error */
  *out_result = CUDA_ERROR_OUT_OF_MEMORY;
  return NULL;
}

CUresult host_capture_op(CUstream stream, HostOp *op)
{
  static const CUgraphNodeType types[] = {
      [HOST_OP_other] = CU_GRAPH_NODE_TYPE_HOST,
      [HOST_OP_launch] = CU_GRAPH_NODE_TYPE_KERNEL,
      [HOST_OP_copy] = CU_GRAPH_NODE_TYPE_MEMCPY,
      [HOST_OP_fill] = CU_GRAPH_NODE_TYPE_MEMSET,
  };
  CUresult result;
  LOCK();
  HostNode *node = host_capture_node(stream, types[op->kind], &result);
  if (node && op->kind == HOST_OP_launch) host_read_attributes(op, node->attributes);
  if (node) node->op = op;
  UNLOCK();
  return result;
}

CUresult host_capture_values(CUstream stream, const CUstreamBatchMemOpParams *ops, unsigned count)
{
  CUstreamBatchMemOpParams *own = memory_new(count * sizeof *own);
  CUresult result;
  if (!own) return CUDA_ERROR_OUT_OF_MEMORY;
  memcpy(own, ops, count * sizeof *own);
  LOCK();
  HostNode *node = host_capture_node(stream, CU_GRAPH_NODE_TYPE_BATCH_MEM_OP, &result);
  if (node) {
    node->memory_ops = own;
    node->memory_op_count = count;
  }
  UNLOCK();
  if (!node) memory_free(own);
  return result;
}

CUresult host_capture_refuse(CUstream stream)
{
  if (!host_is_capturing(stream)) return CUDA_SUCCESS;
  HostTail *tail;
  LOCK();
  if (find_tail(stream, &tail) == CUDA_SUCCESS) tail->capture->is_invalid = true;
  UNLOCK();
  return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}

CUresult host_capture_implicit(CUstream stream, bool is_use)
{
  bool is_implicit = false;
  if (!host_is_legacy(stream) || !atomic_load(&capture_count)) return CUDA_SUCCESS;
  LOCK();
  for (Capture *capture = captures; capture; capture = capture->next)
    for (const HostTail *tail = capture->tails; tail; tail = tail->next) {
      if (!host_is_blocking(tail->stream)) continue;
      is_implicit = true;
      if (is_use) capture->is_invalid = true;
    }
  UNLOCK();
  return is_implicit ? CUDA_ERROR_STREAM_CAPTURE_IMPLICIT : CUDA_SUCCESS;
}

bool host_capture_refuse_event(CUevent event)
{
  LOCK();
  HostTail *tail = *host_event_tail(event);
  if (tail && !tail->capture->is_over) tail->capture->is_invalid = true;
  UNLOCK();
  return tail;
}

CUresult host_capture_record(CUstream stream, CUevent event)
{
  HostTail *tail;
  LOCK();
  CUresult result = find_tail(stream, &tail);
  if (result == CUDA_SUCCESS) {
    HostTail *copy = new_tail(tail->capture, NULL, tail), **place = host_event_tail(event);
    if (copy) host_tail_release(place); /* from an earlier record */
    if (copy) set_tail(place, copy);
    else result = CUDA_ERROR_OUT_OF_MEMORY;
  }
  UNLOCK();
  return result;
}

CUresult host_capture_wait(CUstream stream, CUevent event)
{
  HostTail **place = host_stream_tail(stream);
  LOCK();
  HostTail *from = *host_event_tail(event), *tail = place ? *place : NULL;
  CUresult result = CUDA_SUCCESS;
  if (!from || from->capture->is_over) result = CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
  else if (from->capture->is_invalid) result = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  else if (!place) result = CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
  else if (!tail)
    result = new_tail(from->capture, stream, from) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
  else if (tail->capture != from->capture) result = CUDA_ERROR_STREAM_CAPTURE_MERGE;
  else
    for (size_t i = 0; i < from->count; ++i)
      if (!add_to_tail(tail, from->nodes[i])) result = CUDA_ERROR_OUT_OF_MEMORY;
  if (result != CUDA_SUCCESS && tail) tail->capture->is_invalid = true;
  UNLOCK();
  return result;
}

CUresult host_capture_alloc(CUdeviceptr *out_address, size_t bytes, CUstream stream)
{
  CUresult result = CUDA_ERROR_OUT_OF_MEMORY;
  LOCK();
  HostGraphMemory *memory = host_graph_memory_new(bytes);
  HostNode *node = memory ? host_capture_node(stream, CU_GRAPH_NODE_TYPE_MEM_ALLOC, &result) : NULL;
  if (node) {
    node->memory = memory;
    node->pool.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    node->pool.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  } else if (memory) host_graph_memory_release(memory);
  UNLOCK();
  if (node) *out_address = (CUdeviceptr)(uintptr_t)memory->start;
  return result;
}

CUresult host_capture_free(CUdeviceptr address, CUstream stream)
{
  CUresult result = CUDA_ERROR_INVALID_VALUE;
  LOCK();
  HostGraphMemory *memory = host_graph_memory_find(address);
  HostNode *node = memory ? host_capture_node(stream, CU_GRAPH_NODE_TYPE_MEM_FREE, &result) : NULL;
  if (node) {
    atomic_fetch_add(&memory->reference_count, 1);
    node->memory = memory;
  }
  UNLOCK();
  return result;
}

/* begin and end ------------------------------------------------------------------------------ */

static CUresult begin(CUstream stream, HostGraph *graph, HostNode *const *after, size_t count,
                      CUstreamCaptureMode mode)
{
  static uint64_t last_id;
  HostTail **place = host_stream_tail(stream);
  if (!place) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  if (*place) return CUDA_ERROR_ILLEGAL_STATE;
  Capture *capture = memory_new(sizeof *capture);
  if (!capture) return CUDA_ERROR_OUT_OF_MEMORY;
  *capture = (Capture){.id = ++last_id,
                       .origin = stream,
                       .mode = mode,
                       .thread = pthread_self(),
                       .graph = graph ? graph : host_graph_new(),
                       .is_given = graph};
  HostTail start = {.nodes = (HostNode **)(uintptr_t)after, .count = count};
  if (capture->graph && new_tail(capture, stream, &start)) {
    for (size_t i = 0; i < capture->graph->node_count; ++i)
      capture->graph->nodes[i]->is_captured = false; /* nodes from before don't count as captured */
    list_capture(capture);
    return CUDA_SUCCESS;
  }
  if (capture->graph && !graph) host_graph_release(capture->graph);
  memory_free(capture);
  return CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult host_cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode)
{
  NEED_CONTEXT();
  LOCK();
  CUresult result = begin(stream, NULL, NULL, 0, mode);
  UNLOCK();
  return result;
}

CUresult host_cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph, const CUgraphNode *after,
                                          const CUgraphEdgeData *data, size_t count,
                                          CUstreamCaptureMode mode)
{
  (void)data; /* edges carry no data on the host device */
  NEED_CONTEXT();
  LOCK();
  CUresult result = begin(stream, (HostGraph *)(void *)graph,
                          (HostNode *const *)(const void *)after, count, mode);
  UNLOCK();
  return result;
}

/* Marks a node and pushes it onto a list, unless it is marked already. */
static void mark(HostNode *node, HostNode **list)
{
  if (node->place) return;
  node->place = 1;
  node->back = *list;
  *list = node;
}

static void mark_all_before(HostNode *node)
{
  HostNode *list = NULL;
  mark(node, &list);
  while (list) {
    node = list;
    list = node->back;
    for (size_t i = 0; i < node->after_count; ++i) mark(node->after[i], &list);
  }
}

/* Whether every captured node precedes the tail of the origin. As with driver 580, only captured
 * nodes count: nodes that were added otherwise, and their ancestors, need not be joined. It
 * suffices to check captured nodes without dependents. */
static bool is_joined(const Capture *capture, const HostTail *origin)
{
  const HostGraph *graph = capture->graph;
  for (size_t i = 0; i < graph->node_count; ++i) graph->nodes[i]->place = 0;
  for (size_t i = 0; i < origin->count; ++i) mark_all_before(origin->nodes[i]);
  for (size_t i = 0; i < graph->node_count; ++i) {
    const HostNode *node = graph->nodes[i];
    if (node->is_captured && !node->place && !node->dependent_count) return false;
  }
  return true;
}

/* Whether a capture into a body inside the graph, at any depth, is in progress. */
bool host_graph_is_captured(const HostGraph *graph)
{
  bool is_found = false;
  LOCK();
  for (const Capture *capture = captures; capture; capture = capture->next)
    for (const HostGraph *part = capture->graph; part->owner && !is_found;) {
      part = part->owner->graph;
      is_found = part == graph;
    }
  UNLOCK();
  return is_found;
}

/* Destroys the graph of a capture that ended with an error, including its handle. A body stays in
 * its node, marked as dead, because CUDA's driver crashes when the graph around such a body is
 * destroyed; here whoever destroys it gets an error message. */
static void destroy_failed_graph(HostGraph *graph)
{
  static HostGraph *left;
  if (!graph->owner) {
    host_cuGraphDestroy((CUgraph)(void *)graph);
    return;
  }
  if (host_graph_has_dead(graph)) die("a capture around what another has destroyed ends badly");
  if (host_graph_is_captured(graph)) die("a capture around another ends badly");
  HostGraph *whole = host_graph_whole(graph);
  if (!host_graph_has_dead(whole)) atomic_fetch_sub(&host_live_objects, 1);
  graph->is_dead = true;
  graph->next_dead = left;
  left = graph;
}

/* Ends a capture from its origin stream. Whatever the result, all streams leave the capture; after
 * an error the graph is destroyed. */
static CUresult end(HostTail *tail, HostGraph **out_graph)
{
  Capture *capture = tail->capture;
  if (capture->origin != tail->stream) return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
  bool is_here = capture->mode == CU_STREAM_CAPTURE_MODE_RELAXED ||
                 pthread_equal(capture->thread, pthread_self());
  CUresult result = !is_here                    ? CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD
                    : capture->is_invalid       ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED
                    : !is_joined(capture, tail) ? CUDA_ERROR_STREAM_CAPTURE_UNJOINED
                                                : CUDA_SUCCESS;
  HostGraph *graph = capture->graph;
  bool is_given = capture->is_given;
  ++capture->reference_count;
  while (capture->tails) {
    HostTail *next = capture->tails;
    set_tail(host_stream_tail(next->stream), NULL);
    free_tail(next);
  }
  if (--capture->reference_count == 0) memory_free(capture);
  if (result == CUDA_SUCCESS) {
    *out_graph = graph;
    if (!is_given) atomic_fetch_add(&host_live_objects, 1);
  } else if (is_given) {
    destroy_failed_graph(graph);
  } else {
    host_graph_release(graph);
  }
  return result;
}

CUresult host_cuStreamEndCapture(CUstream stream, CUgraph *out_graph)
{
  HostTail **place = host_stream_tail(stream);
  HostGraph *graph = NULL;
  LOCK();
  CUresult result = place && *place ? end(*place, &graph) : CUDA_ERROR_ILLEGAL_STATE;
  UNLOCK();
  *out_graph = (CUgraph)(void *)graph;
  return result;
}

CUresult host_cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *out_status)
{
  HostTail *tail;
  CUresult result = host_capture_implicit(stream, false);
  if (result != CUDA_SUCCESS) return result;
  LOCK();
  result = find_tail(stream, &tail);
  UNLOCK();
  *out_status = result == CUDA_SUCCESS               ? CU_STREAM_CAPTURE_STATUS_ACTIVE
                : result == CUDA_ERROR_ILLEGAL_STATE ? CU_STREAM_CAPTURE_STATUS_NONE
                                                     : CU_STREAM_CAPTURE_STATUS_INVALIDATED;
  return CUDA_SUCCESS;
}

CUresult host_cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode)
{
  CUstreamCaptureMode old = thread_mode;
  if ((unsigned)*mode > CU_STREAM_CAPTURE_MODE_RELAXED) return CUDA_ERROR_INVALID_VALUE;
  thread_mode = *mode;
  *mode = old;
  return CUDA_SUCCESS;
}

CUresult host_cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *out_status,
                                     uint64_t *out_id, CUgraph *out_graph,
                                     const CUgraphNode **out_nodes,
                                     const CUgraphEdgeData **out_data, size_t *out_count)
{
  HostTail *tail;
  CUresult result = host_cuStreamIsCapturing(stream, out_status);
  if (result != CUDA_SUCCESS || *out_status != CU_STREAM_CAPTURE_STATUS_ACTIVE) return result;
  LOCK();
  find_tail(stream, &tail);
  if (out_id) *out_id = tail->capture->id;
  if (out_graph) *out_graph = (CUgraph)(void *)tail->capture->graph;
  if (out_nodes) *out_nodes = (const CUgraphNode *)(void *)tail->nodes;
  if (out_data) *out_data = NULL;
  if (out_count) *out_count = tail->count;
  UNLOCK();
  return CUDA_SUCCESS;
}

CUresult host_cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode *nodes,
                                                const CUgraphEdgeData *data, size_t count,
                                                unsigned flags)
{
  (void)data;
  HostTail *tail, fresh = {0};
  LOCK();
  CUresult result = find_tail(stream, &tail);
  for (size_t i = 0; result == CUDA_SUCCESS && i < tail->count; ++i)
    if (flags != CU_STREAM_SET_CAPTURE_DEPENDENCIES && !add_to_tail(&fresh, tail->nodes[i]))
      result = CUDA_ERROR_OUT_OF_MEMORY;
  for (size_t i = 0; result == CUDA_SUCCESS && i < count; ++i)
    if (!add_to_tail(&fresh, (HostNode *)(void *)nodes[i])) result = CUDA_ERROR_OUT_OF_MEMORY;
  if (result == CUDA_SUCCESS) {
    memory_free(tail->nodes);
    tail->nodes = fresh.nodes;
    tail->count = fresh.count;
  } else {
    memory_free(fresh.nodes);
  }
  UNLOCK();
  return result;
}
