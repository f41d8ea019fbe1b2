/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* builder.c - builders: streams captured into definitions, forks and joins, bodies; and what is
 * done when a capture fails to end.
 *
 * A capture goes into a graph that the runtime creates before it, so that the definition exists
 * from the beginning. The capture's keep gets references to whatever the captured calls use. The
 * definition is a user of that keep from the beginning, because nodes stay in the graph even if the
 * capture fails.
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
#include "graph.h"

struct ck_graph_builder {
  Object object;
  ck_device_t *device;               /* retained */
  ck_stream_t *stream;               /* retained */
  ck_graph_definition_t *definition; /* retained; NULL before the first begin; a body's own */
  GraphKeep *keep;                   /* a user; of its capture; NULL: not in one */
  bool is_fork, is_body;
  CUstream guard;   /* owned; its capture forbids calls, of one thread or of all; or NULL */
  pthread_t thread; /* that began the capture */
};

/* the guard ------------------------------------------------------------------------------------ */

static void destroy_guard(ck_graph_builder_t *builder)
{
  CLEAN_UP(builder->device, builder->device->driver->cuStreamDestroy(builder->guard));
  builder->guard = NULL;
  atomic_fetch_sub(&capture_strict_count, 1);
}

static ck_status_t begin_guard(ck_graph_builder_t *builder, ck_capture_mode_t mode)
{
  const Driver *driver = builder->device->driver;
  DRV(driver, cuStreamCreateWithPriority(&builder->guard, CU_STREAM_NON_BLOCKING, 0));
  atomic_fetch_add(&capture_strict_count, 1);
  ck_status_t status = DRV_STATUS(
      driver, cuStreamBeginCapture(builder->guard, mode == CK_CAPTURE_GLOBAL
                                                       ? CU_STREAM_CAPTURE_MODE_GLOBAL
                                                       : CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  if (status != CK_OK) destroy_guard(builder);
  return status;
}

/* Ends the guard's capture, and fails if a call was refused. That another thread began the capture
 * is no failure, because a builder can be released on any thread. */
static ck_status_t end_guard(ck_graph_builder_t *builder)
{
  const Driver *driver = builder->device->driver;
  CUgraph graph = NULL;
  CUstreamCaptureStatus state = stream_capture_state(driver, builder->guard);
  CUresult result = driver->cuStreamEndCapture(builder->guard, &graph);
  CLEAN_UP(builder->device, if (result == CUDA_SUCCESS) driver->cuGraphDestroy(graph));
  destroy_guard(builder); /* this ends its capture in any case */
  if (result == CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD && state == CU_STREAM_CAPTURE_STATUS_ACTIVE)
    return CK_OK;
  return driver_result(driver, result, "cuStreamEndCapture", __FILE_NAME__, __LINE__);
}

/* the end of captures -------------------------------------------------------------------------- */

/* The definition that a part's node is in; NULL for a root. */
static ck_graph_definition_t *around(const ck_graph_definition_t *definition)
{
  return definition->node ? definition->node->definition : NULL;
}

/* Joins all forks: makes the stream's position come after every node that has no dependents. */
static ck_status_t join_all(const ck_graph_builder_t *builder)
{
  const Driver *driver = builder->device->driver;
  CUstream stream = builder->stream->native;
  CUstreamCaptureStatus state;
  CUgraph graph; /* that of the definition, which may be lost */
  GraphList nodes;
  size_t last_count = 0;
  DRV(driver, cuStreamGetCaptureInfo(stream, &state, NULL, &graph, NULL, NULL, NULL));
  if (state != CU_STREAM_CAPTURE_STATUS_ACTIVE)
    return driver_result(driver, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, "cuStreamEndCapture",
                         __FILE_NAME__, __LINE__);
  CK_TRY(graph_list(driver, LIST_nodes, graph, &nodes));
  ck_status_t status = CK_OK;
  for (size_t i = 0; i < nodes.count && status == CK_OK; ++i) {
    size_t behind = 0;
    status = DRV_STATUS(driver, cuGraphNodeGetDependentNodes(nodes.from[i], NULL, NULL, &behind));
    if (!behind) nodes.from[last_count++] = nodes.from[i];
  }
  if (status == CK_OK && nodes.count)
    status =
        DRV_STATUS(driver, cuStreamUpdateCaptureDependencies(stream, nodes.from, NULL, last_count,
                                                             CU_STREAM_SET_CAPTURE_DEPENDENCIES));
  memory_free(nodes.from);
  return status;
}

/* Ends a capture of the driver's, and then each one around it that has waited for this. If it
 * fails, the driver has destroyed the definition's graph. Around that the capture counts for ever,
 * and the root is never to be destroyed. */
static ck_status_t end_native(ck_graph_definition_t *definition, GraphKeep *keep)
{
  CUgraph graph = NULL; /* the definition's own */
  CUstream native = keep->stream->native;
  const Driver *driver = keep->stream->driver;
  ck_status_t status = DRV_STATUS(driver, cuStreamEndCapture(native, &graph));
  bool is_destroyed =
      status != CK_OK && stream_capture_state(driver, native) == CU_STREAM_CAPTURE_STATUS_NONE;
  graph_keep_close(keep);
  if (is_destroyed) {
    definition->root->is_lost = true;
    definition->root->native = NULL;
  }
  for (; definition && !is_destroyed; definition = around(definition)) {
    GraphKeep *waiting = definition->waiting;
    if (atomic_fetch_sub(&definition->capture_count, 1) != 2 || !waiting) continue;
    ck_stream_t *stream = waiting->stream;
    definition->waiting = NULL;
    CLEAN_UP(definition->device, (void)end_native(definition, waiting));
    graph_keep_release(waiting);
    ck_stream_release(stream);
  }
  return status;
}

/* Ends the builder's capture. A call that the guard has refused fails the end, too. */
static ck_status_t end_capture(ck_graph_builder_t *builder)
{
  ck_graph_definition_t *definition = builder->definition;
  bool has_inner = atomic_load(&definition->capture_count) > 1;
  ck_status_t status = has_inner || builder->is_body ? join_all(builder) : CK_OK;
  ck_status_t guard = builder->guard ? end_guard(builder) : CK_OK;
  if (has_inner && status != CK_OK) {
    /* The capture goes on without the builder. It needs its streams, also those of forks. */
    ck_stream_retain(builder->stream);
    graph_keep_retain(builder->keep);
    definition->root->is_lost = true;
    definition->waiting = builder->keep;
    return status;
  }
  if (guard != CK_OK) status = guard;
  ck_status_t end = end_native(definition, builder->keep);
  if (end == CK_OK && status != CK_OK) definition->root->is_lost = true;
  return end == CK_OK ? status : end;
}

/* Takes the builder out of its capture: a fork that is joined, or after the end. */
static void leave(ck_graph_builder_t *builder)
{
  GraphKeep *keep = builder->keep;
  builder->keep = NULL;
  graph_keep_release(keep);
}

/* builders ------------------------------------------------------------------------------------- */

/* A fork is building as long as the capture that it belongs to, which its origin ends. */
int ck_graph_builder_is_building(const ck_graph_builder_t *builder)
{
  return builder->keep && graph_keep_is_open(builder->keep);
}

static ck_status_t need_building(const char *function, const ck_graph_builder_t *builder)
{
  CK_NEED_ARG_OF(function, builder);
  if (ck_graph_builder_is_building(builder)) return CK_OK;
  return error_argument("the builder is not building");
}

static void graph_builder_destroy(ck_graph_builder_t *builder)
{
  if (builder->keep && !builder->is_fork) CLEAN_UP(builder->device, (void)end_capture(builder));
  leave(builder);
  ck_stream_release(builder->stream);
  ck_graph_definition_release(builder->definition);
  ck_device_release(builder->device);
  object_free(builder);
  graph_collect();
}

OBJECT(graph_builder, ck_graph_builder_t);

ck_status_t ck_graph_builder_from_stream(ck_stream_t *stream, ck_graph_builder_t **out_builder)
{
  CK_NEED_OUT(out_builder, NULL, stream);
  if (stream->is_default)
    return error_argument("a default stream can't be captured: create a stream");
  CK_TRY(graph_supported(stream->device));
  graph_collect();
  ck_graph_builder_t *builder = *out_builder = object_new(sizeof *builder);
  if (!builder) return CK_OUT_OF_MEMORY;
  builder->device = ck_device_retain(stream->device);
  builder->stream = ck_stream_retain(stream);
  return CK_OK;
}

ck_status_t ck_graph_builder_create(ck_device_t *device, ck_graph_builder_t **out_builder)
{
  CK_NEED_OUT(out_builder, NULL, device);
  ck_stream_t *stream;
  CK_TRY(ck_stream_create(device, NULL, &stream));
  ck_status_t status = ck_graph_builder_from_stream(stream, out_builder);
  ck_stream_release(stream);
  return status;
}

GETTER(ck_device_t *, graph_builder, device);
GETTER(ck_stream_t *, graph_builder, stream);
GETTER(ck_graph_definition_t *, graph_builder, definition);

int ck_graph_builder_is_join_required(const ck_graph_builder_t *builder)
{
  return builder->is_fork && ck_graph_builder_is_building(builder);
}

/* begin and end -------------------------------------------------------------------------------- */

/* Begins the driver's capture and the guard's. */
static ck_status_t begin_native(ck_graph_builder_t *builder, CUgraph graph, ck_capture_mode_t mode)
{
  const Driver *driver = builder->device->driver;
  CUstream native = builder->stream->native;
  DRV(driver,
      cuStreamBeginCaptureToGraph(native, graph, NULL, NULL, 0, CU_STREAM_CAPTURE_MODE_RELAXED));
  bool is_strict = mode != CK_CAPTURE_RELAXED && !builder->is_body;
  ck_status_t status = is_strict ? begin_guard(builder, mode) : CK_OK;
  if (status != CK_OK) driver->cuStreamEndCapture(native, &graph);
  return status;
}

static ck_status_t begin_capture(ck_graph_builder_t *builder, ck_graph_definition_t *definition,
                                 ck_capture_mode_t mode)
{
  GraphKeep *keep = graph_keep_new(), **captured = &definition->root->captured;
  if (!keep) return CK_OUT_OF_MEMORY;
  graph_keep_open(keep, builder->stream); /* first: another thread may wait for all work */
  ck_status_t status = IN_DEVICE(builder->device, begin_native(builder, definition->native, mode));
  if (status != CK_OK) {
    graph_keep_release(keep);
    return status;
  }
  pthread_mutex_lock(&definition->root->mutex); /* a fork of another capture may add data */
  keep->next = *captured;
  *captured = graph_keep_retain(keep);
  pthread_mutex_unlock(&definition->root->mutex);
  for (; definition; definition = around(definition)) ++definition->capture_count;
  builder->keep = keep;
  builder->thread = pthread_self();
  stream_join_capture(builder->stream, keep);
  return CK_OK;
}

ck_status_t ck_graph_builder_begin(ck_graph_builder_t *builder, ck_capture_mode_t mode)
{
  CK_NEED_ARG(builder);
  if ((unsigned)mode > CK_CAPTURE_GLOBAL)
    return error_argument("capture mode %d is unknown", (int)mode);
  if (builder->is_fork)
    return error_argument("the builder is a fork%s", ck_graph_builder_is_building(builder)
                                                         ? ": it is building already"
                                                         : " that has ended");
  if (builder->keep) return error_argument("the builder is building already");
  graph_collect();
  ck_graph_definition_t *definition = builder->definition, *other = definition;
  if (builder->is_body) {
    CK_TRY(graph_definition_check(definition));
    return begin_capture(builder, definition, mode);
  }
  CK_TRY(ck_graph_definition_create(builder->device, &definition));
  ck_status_t status = begin_capture(builder, definition, mode);
  if (status == CK_OK) builder->definition = definition;
  else other = definition;
  /* The last step, because memory that this frees becomes part of the new capture. */
  ck_graph_definition_release(other);
  return status;
}

ck_status_t ck_graph_builder_end(ck_graph_builder_t *builder)
{
  CK_TRY(need_building(__func__, builder));
  if (builder->is_fork)
    return error_argument("the builder is a fork: join it to where it came from");
  if (builder->guard && !pthread_equal(builder->thread, pthread_self()))
    return error_argument("another thread began the capture, and has to end it: its mode is not "
                          "CK_CAPTURE_RELAXED");
  CK_TRY(device_enter(builder->device));
  ck_status_t status = device_leave_with(builder->device, end_capture(builder));
  if (status == CK_OK) status = graph_definition_check(builder->definition);
  leave(builder);
  if (status != CK_OK && !builder->is_body) {
    ck_graph_definition_release(builder->definition);
    builder->definition = NULL;
  }
  return status;
}

/* forks and bodies ----------------------------------------------------------------------------- */

/* A builder of a fork, or, with a conditional node, of a body, with a stream of its own in the
 * context and of the priority of another's. */
static ck_status_t derive(ck_graph_builder_t *builder, ck_graph_node_t *condition, size_t index,
                          ck_graph_builder_t **out_builder)
{
  ck_graph_definition_t *definition = builder->definition;
  ck_stream_options_t options = CK_OPTIONS_INIT(ck_stream_options_t);
  ck_stream_t *stream;
  if (condition) CK_TRY(ck_graph_node_get_graph(condition, index, &definition));
  CK_TRY(ck_stream_get_priority(builder->stream, &options.priority));
  CK_TRY(ck_context_create_stream(ck_stream_context(builder->stream), &options, &stream));
  ck_status_t status = ck_graph_builder_from_stream(stream, out_builder);
  if (status == CK_OK && !condition) status = ck_stream_wait_stream(stream, builder->stream);
  ck_stream_release(stream);
  CK_TRY(status);
  (*out_builder)->definition = ck_graph_definition_retain(definition);
  (*out_builder)->is_body = condition != NULL;
  (*out_builder)->is_fork = !condition;
  (*out_builder)->keep = condition ? NULL : graph_keep_retain(builder->keep);
  return CK_OK;
}

/* Makes all of several builders or none. */
static ck_status_t derive_all(ck_graph_builder_t *builder, ck_graph_node_t *condition, size_t count,
                              ck_graph_builder_t **out_builders)
{
  ck_status_t status = CK_OK;
  for (size_t i = 0; i < count && status == CK_OK; ++i)
    status = derive(builder, condition, i, &out_builders[i]);
  for (size_t i = 0; i < count && status != CK_OK; ++i) {
    ck_graph_builder_release(out_builders[i]);
    out_builders[i] = NULL;
  }
  return status;
}

ck_status_t ck_graph_builder_split(ck_graph_builder_t *builder, size_t count,
                                   ck_graph_builder_t **out_forks)
{
  if (count) CK_NEED_ARG(out_forks);
  for (size_t i = 0; i < count; ++i) out_forks[i] = NULL;
  CK_TRY(need_building(__func__, builder));
  return derive_all(builder, NULL, count, out_forks);
}

ck_status_t ck_graph_builder_join(ck_graph_builder_t *builder, ck_graph_builder_t *const *forks,
                                  size_t count)
{
  CK_TRY(need_building(__func__, builder));
  if (count) CK_NEED_ARG(forks);
  for (size_t i = 0; i < count; ++i) {
    if (!forks[i] || !ck_graph_builder_is_building(forks[i]) || forks[i]->keep != builder->keep ||
        forks[i] == builder)
      return error_argument("forks[%zu] is no other builder of this capture", i);
    if (!forks[i]->is_fork)
      return error_argument("forks[%zu] is where the capture began: join to it", i);
  }
  for (size_t i = 0; i < count; ++i) {
    CK_TRY(ck_stream_wait_stream(builder->stream, forks[i]->stream));
    leave(forks[i]);
  }
  return CK_OK;
}

/* nodes where the stream stands ---------------------------------------------------------------- */

/* The nodes that the next captured one comes after. */
static ck_status_t find_place(const ck_graph_builder_t *builder, GraphPlace *out_place)
{
  CUstreamCaptureStatus state;
  CUstream stream = builder->stream->native;
  DRV(builder->device->driver, cuStreamGetCaptureInfo(stream, &state, NULL, NULL, &out_place->after,
                                                      &out_place->data, &out_place->count));
  if (state == CU_STREAM_CAPTURE_STATUS_ACTIVE) return CK_OK;
  return error_argument("an earlier failure has ended the capture");
}

/* The node that was captured last, or NULL if the driver doesn't tell it or memory is out. */
static ck_graph_node_t *last_node(const ck_graph_builder_t *builder, ck_node_kind_t kind)
{
  GraphPlace place;
  ck_graph_node_t *node = NULL;
  if (find_place(builder, &place) != CK_OK || place.count != 1) return NULL;
  (void)graph_definition_node(builder->definition, *place.after, &kind, &node);
  return node;
}

ck_status_t ck_graph_builder_launch_host(ck_graph_builder_t *builder, void (*function)(void *data),
                                         void *data, void (*release)(void *data))
{
  CK_TRY(need_building(__func__, builder));
  if (!release) return ck_stream_launch_host(builder->stream, function, data);
  GraphKeep *keep = graph_keep_new(), **captured = &builder->definition->root->captured;
  ck_status_t status =
      keep ? ck_stream_launch_host(builder->stream, function, data) : CK_OUT_OF_MEMORY;
  if (status != CK_OK) {
    graph_keep_release(keep);
    return status;
  }
  keep->data = data; /* a failure leaves the data with the caller */
  keep->release_data = release;
  pthread_mutex_lock(&builder->definition->root->mutex); /* forks of other threads share it */
  ck_graph_node_t *node;
  CLEAN_UP(builder->device, node = last_node(builder, CK_NODE_HOST));
  if (!node) keep->next = *captured; /* without a node, the definition has it until its end */
  *(node ? &node->keep : captured) = keep;
  return graph_definition_unlock(builder->definition, CK_OK);
}

/* Adds a node after the last captured node of the stream; what is captured next comes after it. */
static ck_status_t add_here(const char *function, ck_graph_builder_t *builder,
                            ck_node_params_t *params, ck_graph_node_t **out_node)
{
  GraphPlace place;
  CK_TRY(need_building(function, builder));
  CK_TRY(graph_definition_check(builder->definition));
  const Driver *driver = builder->device->driver;
  CUstream stream = builder->stream->native;
  CK_TRY(device_enter(builder->device));
  ck_status_t status = find_place(builder, &place);
  if (status == CK_OK) status = graph_add_node(builder->definition, &place, params, out_node);
  if (status == CK_OK)
    status =
        DRV_STATUS(driver, cuStreamUpdateCaptureDependencies(stream, &(*out_node)->native, NULL, 1,
                                                             CU_STREAM_SET_CAPTURE_DEPENDENCIES));
  return device_leave_with(builder->device, status);
}

ck_status_t ck_graph_builder_embed(ck_graph_builder_t *builder, ck_graph_definition_t *child)
{
  CK_NEED_ARGS(builder, child);
  ck_node_params_t params = ck_node_child(child);
  ck_graph_node_t *node;
  return add_here(__func__, builder, &params, &node);
}

ck_status_t ck_graph_builder_create_condition(ck_graph_builder_t *builder, const uint32_t *start,
                                              uint64_t *out_condition)
{
  CK_NEED_OUT(out_condition, 0);
  CK_TRY(need_building(__func__, builder));
  return ck_graph_definition_create_condition(builder->definition, start, out_condition);
}

static ck_status_t add_condition(ck_graph_builder_t *builder, ck_condition_kind_t kind,
                                 uint64_t condition, uint32_t count,
                                 ck_graph_builder_t **out_bodies, const char *function)
{
  for (uint32_t i = 0; i < count; ++i) out_bodies[i] = NULL;
  ck_node_params_t params = ck_node_condition(kind, condition, count);
  ck_graph_node_t *node;
  CK_TRY(add_here(function, builder, &params, &node));
  return derive_all(builder, node, count, out_bodies);
}

/* Defines a function of the API that adds a condition with one body. */
#define ADDS_BODY(function_, kind_, out_body_)                                                     \
  ck_status_t function_(ck_graph_builder_t *builder, uint64_t condition,                           \
                        ck_graph_builder_t **out_body_)                                            \
  {                                                                                                \
    CK_NEED_ARG(out_body_);                                                                        \
    return add_condition(builder, kind_, condition, 1, out_body_, __func__);                       \
  }
ADDS_BODY(ck_graph_builder_add_if, CK_CONDITION_IF, out_then)
ADDS_BODY(ck_graph_builder_add_while, CK_CONDITION_WHILE, out_body)

ck_status_t ck_graph_builder_add_if_else(ck_graph_builder_t *builder, uint64_t condition,
                                         ck_graph_builder_t **out_then,
                                         ck_graph_builder_t **out_else)
{
  CK_NEED_ARGS(out_then, out_else);
  ck_graph_builder_t *bodies[2];
  ck_status_t status = add_condition(builder, CK_CONDITION_IF, condition, 2, bodies, __func__);
  *out_then = bodies[0];
  *out_else = bodies[1];
  return status;
}

ck_status_t ck_graph_builder_add_switch(ck_graph_builder_t *builder, uint64_t condition,
                                        uint32_t count, ck_graph_builder_t **out_bodies)
{
  if (count) CK_NEED_ARG(out_bodies);
  return add_condition(builder, CK_CONDITION_SWITCH, condition, count, out_bodies, __func__);
}

ck_status_t ck_graph_builder_create_graph(ck_graph_builder_t *builder,
                                          const ck_graph_options_t *options, ck_graph_t **out_graph)
{
  CK_NEED_OUT(out_graph, NULL, builder);
  if (ck_graph_builder_is_building(builder)) return error_argument("the builder is still building");
  if (!builder->definition || builder->is_fork || builder->is_body)
    return error_argument("the builder has no graph of its own");
  return ck_graph_create(builder->definition, options, out_graph);
}
