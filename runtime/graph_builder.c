/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* graph_builder.c - builders: streams captured into definitions, forks and joins, bodies.
 *
 * A capture goes into a graph that is made before it, so that the definition is there from the
 * beginning. What the captured calls use is added to the keep that the stream has while it is
 * captured, and given to the definition when the capture ends.
 */
#include "graph.h"

struct ck_graph_builder {
  Object object;
  ck_device_t *device;               /* retained */
  ck_stream_t *stream;               /* retained */
  ck_graph_definition_t *definition; /* retained; NULL before the first begin; a body's own */
  GraphKeep *keep;                   /* retained; of the capture under way */
  GraphKeep *streams;                /* retained; the forks' streams, until the capture ends */
  bool is_building, is_fork, is_body;
};

/* The capture's streams no longer count for it. */
static void leave_capture(ck_graph_builder_t *builder)
{
  if (builder->is_building && !builder->is_fork)
    atomic_fetch_sub(&builder->definition->root->capture_count, 1);
  builder->is_building = false;
  graph_keep_release(builder->keep);
  if (builder->streams && !builder->is_fork) graph_keep_drop(builder->streams);
  graph_keep_release(builder->streams);
  builder->keep = builder->streams = NULL;
}

/* Gives a capture up: what it has kept goes at once. */
static void give_up(ck_graph_builder_t *builder)
{
  const Driver *driver = builder->device->driver;
  CUgraph graph = NULL;
  bool is_entered = device_enter_quietly(builder->device);
  driver->cuStreamEndCapture(builder->stream->native, &graph); /* the definition's own */
  if (is_entered) device_leave(builder->device);
  graph_keep_drop(builder->keep);
  leave_capture(builder);
}

static void graph_builder_destroy(ck_graph_builder_t *builder)
{
  if (builder->is_building && !builder->is_fork) give_up(builder);
  else leave_capture(builder);
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
  return builder->is_building;
}

int ck_graph_builder_is_join_required(const ck_graph_builder_t *builder)
{
  return builder->is_fork && builder->is_building;
}

ck_graph_definition_t *ck_graph_builder_definition(const ck_graph_builder_t *builder)
{
  return builder->definition;
}

/* begin and end ------------------------------------------------------------------------------ */

static ck_status_t begin(ck_graph_builder_t *builder, CUstreamCaptureMode mode)
{
  const Driver *driver = builder->device->driver;
  builder->keep = graph_keep_new();
  builder->streams = graph_keep_new();
  if (!builder->keep || !builder->streams) return CK_OUT_OF_MEMORY;
  CK_TRY(device_enter(builder->device));
  ck_status_t status = DRV_STATUS(driver, cuStreamBeginCaptureToGraph(builder->stream->native,
                                                                      builder->definition->native,
                                                                      NULL, NULL, 0, mode));
  device_leave(builder->device);
  return status;
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
  if (builder->is_building)
    return error_set(CK_INVALID_ARGUMENT, "the builder is building already");
  if (builder->is_fork)
    return error_set(CK_INVALID_ARGUMENT, "the builder is a fork that has ended");
  if (!builder->is_body) {
    ck_graph_definition_t *fresh;
    CK_TRY(ck_graph_definition_create(builder->device, &fresh));
    ck_graph_definition_release(builder->definition);
    builder->definition = fresh;
  }
  CK_TRY(graph_definition_check(builder->definition));
  ck_status_t status = begin(builder, modes[mode]);
  if (status != CK_OK) {
    leave_capture(builder);
    return status;
  }
  builder->is_building = true;
  atomic_fetch_add(&builder->definition->root->capture_count, 1);
  stream_join_capture(builder->stream, builder->keep);
  return CK_OK;
}

ck_status_t ck_graph_builder_end(ck_graph_builder_t *builder)
{
  CK_NEED_ARG(builder);
  if (!builder->is_building) return error_set(CK_INVALID_ARGUMENT, "the builder is not building");
  if (builder->is_fork)
    return error_set(CK_INVALID_ARGUMENT, "the builder is a fork: join it to where it came from");
  const Driver *driver = builder->device->driver;
  CUgraph graph = NULL;
  CK_TRY(device_enter(builder->device));
  ck_status_t status = DRV_STATUS(driver, cuStreamEndCapture(builder->stream->native, &graph));
  device_leave(builder->device);
  if (status == CK_OK) status = graph_definition_add_keep(builder->definition->root, builder->keep);
  if (status == CK_OK) {
    graph_keep_close(builder->keep);
    graph_definition_take_parts(builder->definition, builder->keep);
  } else graph_keep_drop(builder->keep);
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
  if (builder->is_building) return CK_OK;
  return error_set(CK_INVALID_ARGUMENT, "the builder is not building");
}

static void release_stream(void *stream)
{
  ck_stream_release(stream);
}

static ck_status_t make_fork(ck_graph_builder_t *builder, ck_graph_builder_t **out_fork)
{
  ck_stream_t *stream;
  CK_TRY(ck_stream_create(builder->device, NULL, &stream));
  ck_status_t status = new_builder(stream, out_fork);
  /* A stream that goes away would end the capture. */
  if (status == CK_OK)
    status = graph_keep_add(builder->streams, ck_stream_retain(stream), release_stream);
  if (status == CK_OK) status = ck_stream_wait_stream(stream, builder->stream);
  ck_stream_release(stream);
  if (status != CK_OK) return status;
  ck_graph_builder_t *fork = *out_fork;
  fork->is_fork = fork->is_building = true;
  fork->definition = ck_graph_definition_retain(builder->definition);
  fork->keep = graph_keep_retain(builder->keep);
  fork->streams = graph_keep_retain(builder->streams);
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
    if (!forks[i] || !forks[i]->is_building || forks[i]->keep != builder->keep ||
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
  CK_TRY(ck_graph_builder_create(builder->device, out_body));
  (*out_body)->is_body = true;
  (*out_body)->definition = ck_graph_definition_retain(inner);
  return CK_OK;
}

static ck_status_t add_condition(ck_graph_builder_t *builder, ck_condition_kind_t kind,
                                 uint64_t condition, uint32_t count,
                                 ck_graph_builder_t **out_bodies)
{
  for (uint32_t i = 0; i < count; ++i) out_bodies[i] = NULL;
  CK_NEED_ARG(builder);
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
  return add_condition(builder, CK_CONDITION_IF, condition, 1, out_then);
}

ck_status_t ck_graph_builder_if_else(ck_graph_builder_t *builder, uint64_t condition,
                                     ck_graph_builder_t **out_then, ck_graph_builder_t **out_else)
{
  CK_NEED_ARG(out_then);
  CK_NEED_ARG(out_else);
  ck_graph_builder_t *bodies[2];
  ck_status_t status = add_condition(builder, CK_CONDITION_IF, condition, 2, bodies);
  *out_then = bodies[0];
  *out_else = bodies[1];
  return status;
}

ck_status_t ck_graph_builder_while_loop(ck_graph_builder_t *builder, uint64_t condition,
                                        ck_graph_builder_t **out_body)
{
  CK_NEED_ARG(out_body);
  return add_condition(builder, CK_CONDITION_WHILE, condition, 1, out_body);
}

ck_status_t ck_graph_builder_switch(ck_graph_builder_t *builder, uint64_t condition, uint32_t count,
                                    ck_graph_builder_t **out_bodies)
{
  if (count) CK_NEED_ARG(out_bodies);
  return add_condition(builder, CK_CONDITION_SWITCH, condition, count, out_bodies);
}

ck_status_t ck_graph_builder_complete(ck_graph_builder_t *builder,
                                      const ck_graph_options_t *options, ck_graph_t **out_graph)
{
  CK_NEED_ARG(out_graph);
  *out_graph = NULL;
  CK_NEED_ARG(builder);
  if (builder->is_building) return error_set(CK_INVALID_ARGUMENT, "the builder is still building");
  if (!builder->definition || builder->is_fork || builder->is_body)
    return error_set(CK_INVALID_ARGUMENT, "the builder has no graph of its own");
  return ck_graph_create(builder->definition, options, out_graph);
}
