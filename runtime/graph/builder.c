/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* builder.c - builders: streams captured into definitions, forks and joins, bodies.
 *
 * A capture goes into a graph that the runtime creates before it, so that the definition exists
 * from the beginning. The capture's keep gets references to whatever the captured calls use. The
 * definition is a user of that keep from the beginning, because nodes stay in the graph even if the
 * capture fails.
 */
#include "graph.h"

/* A fork is building as long as the capture that it belongs to, which its origin ends. */
static bool is_building(const ck_graph_builder_t *builder)
{
  return builder->is_building && graph_keep_is_open(builder->keep);
}

static ck_status_t need_building(const char *function, const ck_graph_builder_t *builder)
{
  CK_NEED_ARG_OF(function, builder);
  if (is_building(builder)) return CK_OK;
  return error_set(CK_INVALID_ARGUMENT, "the builder is not building");
}

static void graph_builder_destroy(ck_graph_builder_t *builder)
{
  if (builder->is_building && !builder->is_fork) graph_capture_give_up(builder);
  graph_capture_leave(builder);
  graph_capture_close(builder);
  ck_stream_release(builder->stream);
  ck_graph_definition_release(builder->definition);
  ck_device_release(builder->device);
  object_free(builder);
  graph_collect();
}

OBJECT(graph_builder, ck_graph_builder_t);

/* Releases all of several new builders if one of them could not be made. */
static ck_status_t all_or_none(ck_status_t status, ck_graph_builder_t **builders, size_t count)
{
  for (size_t i = 0; i < count && status != CK_OK; ++i) {
    ck_graph_builder_release(builders[i]);
    builders[i] = NULL;
  }
  return status;
}

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
  CK_NEED_OUT(out_builder, NULL);
  CK_NEED_ARG(stream);
  if (stream->is_default)
    return error_set(CK_INVALID_ARGUMENT, "a default stream can't be captured: create a stream");
  CK_TRY(graph_supported(stream->device));
  graph_collect();
  return new_builder(stream, out_builder);
}

ck_status_t ck_graph_builder_create(ck_device_t *device, ck_graph_builder_t **out_builder)
{
  CK_NEED_OUT(out_builder, NULL);
  CK_NEED_ARG(device);
  ck_stream_t *stream;
  CK_TRY(ck_stream_create(device, NULL, &stream));
  ck_status_t status = ck_graph_builder_from_stream(stream, out_builder);
  ck_stream_release(stream);
  return status;
}

GETTER(ck_device_t *, graph_builder, device);
GETTER(ck_stream_t *, graph_builder, stream);
GETTER(ck_graph_definition_t *, graph_builder, definition);

int ck_graph_builder_is_building(const ck_graph_builder_t *builder)
{
  return is_building(builder);
}

int ck_graph_builder_is_join_required(const ck_graph_builder_t *builder)
{
  return builder->is_fork && is_building(builder);
}

/* begin and end -------------------------------------------------------------------------------- */

/* What a builder captures into: a body's builder always the body, others a new definition. */
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
  CK_NEED_ARG(builder);
  if ((unsigned)mode > CK_CAPTURE_GLOBAL)
    return error_set(CK_INVALID_ARGUMENT, "capture mode %d is unknown", (int)mode);
  if (builder->is_fork)
    return error_set(CK_INVALID_ARGUMENT, "the builder is a fork%s",
                     is_building(builder) ? ": it is building already" : " that has ended");
  if (builder->is_building)
    return error_set(CK_INVALID_ARGUMENT, "the builder is building already");
  graph_collect();
  ck_graph_definition_t *definition, *other = builder->definition;
  CK_TRY(definition_for(builder, &definition));
  ck_status_t status = graph_capture_begin(builder, definition, mode);
  if (status == CK_OK) {
    builder->definition = definition;
    builder->is_building = true;
    stream_join_capture(builder->stream, builder->keep);
  } else other = definition;
  ck_graph_definition_release(
      other); /* last: memory that it frees becomes part of the new capture */
  return status;
}

ck_status_t ck_graph_builder_end(ck_graph_builder_t *builder)
{
  CK_TRY(need_building(__func__, builder));
  if (builder->is_fork)
    return error_set(CK_INVALID_ARGUMENT, "the builder is a fork: join it to where it came from");
  if (builder->is_strict && !pthread_equal(builder->thread, pthread_self()))
    return error_set(CK_INVALID_ARGUMENT,
                     "another thread began the capture, and has to end it: its mode is not "
                     "CK_CAPTURE_RELAXED");
  CK_TRY(device_enter(builder->device));
  ck_status_t status = graph_leave(builder->device, graph_capture_end(builder));
  if (status == CK_OK) status = graph_definition_check(builder->definition);
  graph_capture_leave(builder);
  if (status != CK_OK && !builder->is_body) {
    ck_graph_definition_release(builder->definition);
    builder->definition = NULL;
  }
  return status;
}

/* forks ---------------------------------------------------------------------------------------- */

/* A builder with a stream of its own, in the context and of the priority of another's. */
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
  CK_TRY(need_building(__func__, builder));
  ck_status_t status = CK_OK;
  for (size_t i = 0; i < count && status == CK_OK; ++i) status = make_fork(builder, &out_forks[i]);
  return all_or_none(status, out_forks, count);
}

ck_status_t ck_graph_builder_join(ck_graph_builder_t *builder, ck_graph_builder_t *const *forks,
                                  size_t count)
{
  CK_TRY(need_building(__func__, builder));
  if (count) CK_NEED_ARG(forks);
  for (size_t i = 0; i < count; ++i) {
    if (!forks[i] || !is_building(forks[i]) || forks[i]->keep != builder->keep ||
        forks[i] == builder)
      return error_set(CK_INVALID_ARGUMENT, "forks[%zu] is no other builder of this capture", i);
    if (!forks[i]->is_fork)
      return error_set(CK_INVALID_ARGUMENT, "forks[%zu] is where the capture began: join to it", i);
  }
  for (size_t i = 0; i < count; ++i) {
    CK_TRY(ck_stream_wait_stream(builder->stream, forks[i]->stream));
    graph_capture_leave(forks[i]);
  }
  return CK_OK;
}

/* nodes where the stream stands ---------------------------------------------------------------- */

/* The node that was captured last; NULL if the driver doesn't tell. */
static CUgraphNode last_node(const ck_graph_builder_t *builder)
{
  CUstreamCaptureStatus state;
  const CUgraphNode *last = NULL;
  const CUgraphEdgeData *data = NULL;
  size_t count = 0;
  CUresult result = builder->device->driver->cuStreamGetCaptureInfo(
      builder->stream->native, &state, NULL, NULL, &last, &data, &count);
  return result == CUDA_SUCCESS && state == CU_STREAM_CAPTURE_STATUS_ACTIVE && count == 1 ? last[0]
                                                                                          : NULL;
}

ck_status_t ck_graph_builder_launch_host(ck_graph_builder_t *builder, void (*function)(void *data),
                                         void *data, void (*release)(void *data))
{
  CK_TRY(need_building(__func__, builder));
  if (!release) return ck_stream_launch_host(builder->stream, function, data);
  GraphKeep *keep = graph_keep_new();
  if (!keep) return CK_OUT_OF_MEMORY;
  graph_definition_lock(builder->definition); /* forks of other threads share it */
  ck_graph_node_t *node = graph_node_new(builder->definition);
  graph_definition_unlock(builder->definition, CK_OK);
  ck_status_t status =
      node ? ck_stream_launch_host(builder->stream, function, data) : CK_OUT_OF_MEMORY;
  graph_definition_lock(builder->definition);
  if (status == CK_OK) {
    graph_keep_own_data(keep, data, release); /* a failure leaves the data with the caller */
    node->keep = graph_keep_retain(keep);
    graph_node_put(node, last_node(builder), CK_NODE_HOST);
  } else graph_nodes_free(node);
  graph_definition_unlock(builder->definition, status);
  graph_keep_release(keep);
  return status;
}

/* Adds a node after the last captured node of the stream; what is captured next comes after it. */
static ck_status_t add_here(const char *function, ck_graph_builder_t *builder,
                            ck_node_params_t *params, ck_graph_node_t **out_node)
{
  CUstreamCaptureStatus state;
  GraphPlace place = {.count = 0};
  CK_TRY(need_building(function, builder));
  CK_TRY(graph_definition_check(builder->definition));
  const Driver *driver = builder->device->driver;
  CUstream stream = builder->stream->native;
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
  return graph_leave(builder->device, status);
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
  ck_node_params_t params = ck_node_condition(kind, condition, count);
  ck_graph_node_t *node;
  ck_status_t status = add_here(function, builder, &params, &node);
  for (uint32_t i = 0; i < count && status == CK_OK; ++i)
    status = make_body(builder, node, i, &out_bodies[i]);
  return all_or_none(status, out_bodies, count);
}

ck_status_t ck_graph_builder_add_if(ck_graph_builder_t *builder, uint64_t condition,
                                    ck_graph_builder_t **out_then)
{
  CK_NEED_ARG(out_then);
  return add_condition(builder, CK_CONDITION_IF, condition, 1, out_then, __func__);
}

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

ck_status_t ck_graph_builder_add_while(ck_graph_builder_t *builder, uint64_t condition,
                                       ck_graph_builder_t **out_body)
{
  CK_NEED_ARG(out_body);
  return add_condition(builder, CK_CONDITION_WHILE, condition, 1, out_body, __func__);
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
  CK_NEED_OUT(out_graph, NULL);
  CK_NEED_ARG(builder);
  if (is_building(builder)) return error_set(CK_INVALID_ARGUMENT, "the builder is still building");
  if (!builder->definition || builder->is_fork || builder->is_body)
    return error_set(CK_INVALID_ARGUMENT, "the builder has no graph of its own");
  return ck_graph_create(builder->definition, options, out_graph);
}
