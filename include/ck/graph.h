/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/graph.h - graphs: work that is put together once and launched as often as one likes.
 *
 * Four objects. A builder captures what is put into its stream. A definition is the graph that
 * comes of it, or one that is put together node by node; either way it may be edited. A node is an
 * operation of a definition. A graph is a definition made executable: a copy, which a later change
 * of the definition does not reach.
 *
 *   ck_graph_builder_create(device, &builder);
 *   ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED);
 *   ck_launch(ck_graph_builder_stream(builder), NULL, saxpy, n, 2.0f, x, y, z);
 *   ck_graph_builder_end(builder);
 *   ck_graph_builder_complete(builder, NULL, &graph);
 *   ck_graph_launch(graph, stream);
 *
 * Lifetimes. What a graph uses lives as long as any launch of it: kernels and their code, buffers
 * that are arguments or ends of a copy or fill, events, and what is registered for a callback are
 * retained when they are captured or added. The references are the definition's, each of its
 * graphs has them too, and so has a launch that is under way. Releasing the last of these gives
 * them back; what a launch needs goes when it is through, in the next call of this header, or of
 * ck_stream_sync, ck_event_sync or ck_device_sync, on any thread. What was put into its stream
 * behind it before the graph was released may count as a part of it. A graph retains the stream of
 * its last launch. Not retained, so that they must live: raw addresses, host memory that a copy
 * reads or writes, what other libraries put into a captured stream; and a graph for as long as a
 * kernel launches it, or a definition for as long as something else than this library uses its
 * CUgraph.
 *
 * A driver of CUDA 12.3 or newer is needed: CK_UNSUPPORTED otherwise.
 */
#ifndef CK_GRAPH_H
#define CK_GRAPH_H

#include "ck/device.h"
#include "ck/kernel.h"
#include "ck/memory.h"
#include "ck/stream.h"
#include "ck/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ck_graph_builder ck_graph_builder_t;
typedef struct ck_graph_definition ck_graph_definition_t;
typedef struct ck_graph_node ck_graph_node_t;
typedef struct ck_graph ck_graph_t;

/* ---- builders: graphs by capture ------------------------------------------------------------ */

/* Which calls are refused while a capture is under way because they can't be part of it: none,
 * those of the thread that began it, those of all threads. Such calls are what asks or waits for
 * another stream or an event (ck_stream_sync, ck_stream_query, ck_event_sync, ck_event_query), and
 * what makes memory of pools (ck_buffer_create for another stream), pinned, managed or page-locked
 * memory, or the cuMemAlloc of a device without pools; pools, arrays, textures or graphs that run.
 * Launches, copies and fills in other streams are none, nor is memory of a virtual resource, until
 * ck_buffer_resize has to wait for a stream. A call that is refused is CK_DRIVER,
 * CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, and these captures are invalid at their end. Releases are
 * never refused. ck_device_sync and ck_context_sync are in all modes, and harm no capture. The host
 * device refuses the same.
 * Source: CUDA driver API, cuThreadExchangeStreamCaptureMode; which calls: driver 580.
 */
typedef enum ck_capture_mode {
  CK_CAPTURE_RELAXED = 0,
  CK_CAPTURE_THREAD_LOCAL = 1,
  CK_CAPTURE_GLOBAL = 2
} ck_capture_mode_t;

/* Makes a builder with a stream of its own. */
CK_API ck_status_t ck_graph_builder_create(ck_device_t *device, ck_graph_builder_t **out_builder);

/* Makes a builder that captures a given stream, which it retains.
 *
 * fails    CK_INVALID_ARGUMENT for NULL or a default stream
 */
CK_API ck_status_t ck_graph_builder_from_stream(ck_stream_t *stream,
                                                ck_graph_builder_t **out_builder);

CK_API ck_graph_builder_t *ck_graph_builder_retain(ck_graph_builder_t *builder);
/* A capture that is under way is given up with the last reference, as if it ended. What a body, or
 * a definition that somebody else has, got by then stays in it, if it may end. */
CK_API void ck_graph_builder_release(ck_graph_builder_t *builder);

CK_API ck_device_t *ck_graph_builder_device(const ck_graph_builder_t *builder); /* borrowed */
/* Borrowed. Whatever takes a stream takes this one, and is captured: launches, copies, fills,
 * allocations, events, host functions. */
CK_API ck_stream_t *ck_graph_builder_stream(const ck_graph_builder_t *builder);
CK_API int ck_graph_builder_is_building(const ck_graph_builder_t *builder);
CK_API int ck_graph_builder_is_join_required(const ck_graph_builder_t *builder); /* it is a fork */

/* Begins to capture. A builder that has ended begins a new definition; a body goes on with its own,
 * and what its mode says is left to the capture around it: a body itself forbids nothing.
 *
 * threads  with another mode than CK_CAPTURE_RELAXED it has to be ended on the same thread; a body
 *          can be on any
 * fails    CK_INVALID_ARGUMENT if it is building; CK_DRIVER if the stream is captured otherwise
 */
CK_API ck_status_t ck_graph_builder_begin(ck_graph_builder_t *builder, ck_capture_mode_t mode);

/* Ends the capture. The end of a body joins all streams that are in its capture, and so does an end
 * around bodies that are still captured.
 *
 * fails    CK_INVALID_ARGUMENT if it is not building or is a fork, or on another thread than its
 *          mode allows; CK_DRIVER if a fork was not joined or a call has made the capture invalid.
 *          With CK_DRIVER the capture is over without a definition: whoever still has it hears that
 *          it is lost, as the driver destroys the graph of an invalid capture. With a body that is
 *          invalid the definition around it is: what captures into that ends as
 *          CK_INVALID_ARGUMENT. What is invalid around a body's capture leaves its stream captured
 *          until that has ended, and an adopted stream has to live as long; if that ends as invalid
 *          too, it stays so for good, and ck_device_sync fails from then on
 */
CK_API ck_status_t ck_graph_builder_end(ck_graph_builder_t *builder);

/* Makes `count` more builders, each with a stream of its own, of the context and priority of this
 * one's, whose work starts after what has been captured so far and runs beside this builder's. They
 * are forks: their capture ends where it began.
 *
 * out_forks  `count` builders, owned by the caller
 * threads    each fork may be captured on a thread of its own. Embedding, conditions and bodies
 *            change the definition, which all forks share: one thread at a time
 * fails      CK_INVALID_ARGUMENT if it is not building
 */
CK_API ck_status_t ck_graph_builder_split(ck_graph_builder_t *builder, size_t count,
                                          ck_graph_builder_t **out_forks);

/* What is captured from now on comes after all that the forks have, and the forks have ended.
 *
 * forks    of this builder's capture; the caller still releases them
 */
CK_API ck_status_t ck_graph_builder_join(ck_graph_builder_t *builder,
                                         ck_graph_builder_t *const *forks, size_t count);

/* Captures a host function, as ck_stream_launch_host, with what belongs to it.
 *
 * release  called with `data` when nothing can call the function any more; NULL: `data` has to
 *          outlive every launch. It may call this library. Not called if this call fails
 */
CK_API ck_status_t ck_graph_builder_launch_host(ck_graph_builder_t *builder,
                                                void (*function)(void *data), void *data,
                                                void (*release)(void *data));

/* Captures a copy of another graph as one node.
 *
 * child    that of an ended builder is ck_graph_builder_definition(it)
 * fails    CK_UNSUPPORTED for a child with conditions or memory of its own: the driver copies none
 */
CK_API ck_status_t ck_graph_builder_embed(ck_graph_builder_t *builder,
                                          ck_graph_definition_t *child);

/* Makes a condition: a number that kernels set with set_condition(c, value) and that conditional
 * nodes of the same graph look at.
 *
 * start         what it is when a launch of the graph starts; NULL: what the last launch left
 * out_condition to be passed to kernels as a u64
 */
CK_API ck_status_t ck_graph_builder_create_condition(ck_graph_builder_t *builder,
                                                     const uint32_t *start,
                                                     uint64_t *out_condition);

/* Captures a node whose body runs if the condition is not 0; or one of two bodies; or a body again
 * and again while it is not 0; or the body with the condition's number, or none.
 *
 * threads  what begins, ends or releases builders of one graph and its bodies: one at a time
 * out_*    builders of the bodies, owned by the caller, with streams as forks have them: begin,
 *          capture, end each of them. A body takes kernels, copies, fills, other graphs and
 *          conditions
 * fails    CK_INVALID_ARGUMENT if the builder is not building; CK_DRIVER otherwise
 */
CK_API ck_status_t ck_graph_builder_if_then(ck_graph_builder_t *builder, uint64_t condition,
                                            ck_graph_builder_t **out_then);
CK_API ck_status_t ck_graph_builder_if_else(ck_graph_builder_t *builder, uint64_t condition,
                                            ck_graph_builder_t **out_then,
                                            ck_graph_builder_t **out_else);
CK_API ck_status_t ck_graph_builder_while_loop(ck_graph_builder_t *builder, uint64_t condition,
                                               ck_graph_builder_t **out_body);
CK_API ck_status_t ck_graph_builder_switch(ck_graph_builder_t *builder, uint64_t condition,
                                           uint32_t count, ck_graph_builder_t **out_bodies);

/* The graph that is captured or being captured: borrowed, NULL before the first begin; a fork's is
 * that of the whole. It may be edited once the builder has ended, and stays as it is when the
 * builder begins anew. Until the end no node of it is destroyed, it is embedded nowhere, and no
 * graph is created of it or updated by it: CK_INVALID_ARGUMENT. */
CK_API ck_graph_definition_t *ck_graph_builder_definition(const ck_graph_builder_t *builder);

/* ---- nodes ----------------------------------------------------------------------------------- */

/* The numbers are cuda.h's CU_GRAPH_NODE_TYPE_*. */
typedef enum ck_node_kind {
  CK_NODE_KERNEL = 0,
  CK_NODE_COPY = 1,
  CK_NODE_FILL = 2,
  CK_NODE_HOST = 3,
  CK_NODE_CHILD = 4, /* another graph */
  CK_NODE_EMPTY = 5,
  CK_NODE_EVENT_WAIT = 6,
  CK_NODE_EVENT_RECORD = 7,
  CK_NODE_SEMAPHORE_SIGNAL = 8, /* foreign graphs have them: they are not made here */
  CK_NODE_SEMAPHORE_WAIT = 9,
  CK_NODE_ALLOC = 10,
  CK_NODE_FREE = 11,
  CK_NODE_MEMORY_OPS = 12,
  CK_NODE_CONDITION = 13
} ck_node_kind_t;

/* "kernel", "copy" and so on; "?" for a foreign number. */
CK_API const char *ck_node_kind_name(ck_node_kind_t kind);

/* A place in memory: a byte of a buffer, which is retained; or, with `buffer` NULL, an address of
 * the device or of the host, which is not. */
typedef struct ck_node_place {
  ck_buffer_t *buffer;
  uint64_t offset; /* bytes into the buffer; or the address */
} ck_node_place_t;

typedef enum ck_condition_kind {
  CK_CONDITION_IF = 0,
  CK_CONDITION_WHILE = 1,
  CK_CONDITION_SWITCH = 2
} ck_condition_kind_t;

/* Memory of the device, of the host, or managed, which moves between them. */
typedef enum ck_alloc_kind {
  CK_ALLOC_DEVICE = 0,
  CK_ALLOC_HOST = 1,
  CK_ALLOC_MANAGED = 2
} ck_alloc_kind_t;

typedef enum ck_memory_op_kind {
  CK_MEMORY_OP_WAIT_32 = 1,
  CK_MEMORY_OP_WRITE_32 = 2,
  CK_MEMORY_OP_WAIT_64 = 4,
  CK_MEMORY_OP_WRITE_64 = 5
} ck_memory_op_kind_t;

/* What a wait compares memory with its value for: memory - value >= 0, as signed numbers; equal;
 * a common bit; a bit that both lack. */
typedef enum ck_memory_compare {
  CK_MEMORY_AT_LEAST = 0,
  CK_MEMORY_EQUAL = 1,
  CK_MEMORY_AND = 2,
  CK_MEMORY_NOR = 3
} ck_memory_compare_t;

typedef struct ck_memory_op {
  ck_memory_op_kind_t kind;
  ck_memory_compare_t compare; /* waits */
  ck_node_place_t place;       /* aligned to 4 or 8 bytes */
  uint64_t value;
} ck_memory_op_t;

/* What a node does. Made by the functions below, or by hand: struct_size, kind, its member. */
typedef struct ck_node_params {
  size_t struct_size;
  ck_node_kind_t kind;
  union {
    struct {
      ck_kernel_t *kernel;       /* read back: borrowed; NULL if it is not known to this library */
      ck_launch_config_t config; /* read back: all that is known of it */
      const ck_arg_t *args;      /* read back: NULL */
      size_t arg_count;
    } kernel;
    struct {
      ck_node_place_t dst, src;      /* read back: addresses */
      size_t bytes;                  /* of a row */
      size_t rows, slices;           /* 0: 1 */
      size_t dst_pitch, src_pitch;   /* bytes from row to row */
      size_t dst_height, src_height; /* rows from slice to slice */
    } copy;
    struct {
      ck_node_place_t dst;
      uint32_t value;     /* its low value_bytes bytes */
      size_t value_bytes; /* 1, 2 or 4 */
      size_t count;       /* values in a row */
      size_t rows;        /* 0: 1 */
      size_t pitch;       /* bytes from row to row */
    } fill;
    struct {
      void (*function)(void *data);
      void *data;
      void (*release)(void *data); /* or NULL; read back: NULL */
    } host;
    struct {
      ck_graph_definition_t *definition; /* copied; read back: the copy, borrowed */
    } child;
    struct {
      ck_event_t *event; /* read back: NULL if it is not known to this library */
      void *native;      /* read back: the CUevent */
    } event;             /* wait and record */
    struct {
      size_t bytes;
      ck_alloc_kind_t kind;
      ck_device_t *const *peers; /* other devices that reach it; read back: NULL */
      size_t peer_count;
      uint64_t address; /* out: from ck_graph_definition_add, and read back */
    } alloc;
    struct {
      uint64_t address; /* of an allocation node */
    } free;
    struct {
      const ck_memory_op_t *ops; /* read back: NULL */
      size_t count;
    } memory_ops;
    struct {
      uint64_t condition;
      ck_condition_kind_t kind;
      uint32_t body_count; /* if: 1 or 2 with an else; while: 1; switch: any */
    } condition;
    uint64_t reserved[40]; /* members may grow */
  } of;
} ck_node_params_t;

static inline ck_node_params_t ck_node_empty(void)
{
  ck_node_params_t params = CK_OPTIONS_INIT(ck_node_params_t);
  params.kind = CK_NODE_EMPTY;
  return params;
}

/* config NULL: everything from the kernel's launch contract. Arguments are read when the node is
 * added. A cooperative kernel or one with clusters is one here too. */
static inline ck_node_params_t ck_node_kernel(const ck_launch_config_t *config, ck_kernel_t *kernel,
                                              const ck_arg_t *args, size_t arg_count)
{
  ck_node_params_t params = ck_node_empty();
  params.kind = CK_NODE_KERNEL;
  params.of.kernel.kernel = kernel;
  if (config) params.of.kernel.config = *config;
  params.of.kernel.args = args;
  params.of.kernel.arg_count = arg_count;
  return params;
}

static inline ck_node_place_t ck_at(ck_buffer_t *buffer, uint64_t offset)
{
  ck_node_place_t place;
  place.buffer = buffer;
  place.offset = offset;
  return place;
}

/* A raw address of the device. */
static inline ck_node_place_t ck_at_address(uint64_t address)
{
  return ck_at((ck_buffer_t *)0, address);
}

/* Host memory. */
static inline ck_node_place_t ck_at_host(const void *memory)
{
  return ck_at((ck_buffer_t *)0, (uint64_t)(uintptr_t)memory);
}

static inline ck_node_params_t ck_node_copy(ck_node_place_t dst, ck_node_place_t src, size_t bytes)
{
  ck_node_params_t params = ck_node_empty();
  params.kind = CK_NODE_COPY;
  params.of.copy.dst = dst;
  params.of.copy.src = src;
  params.of.copy.bytes = bytes;
  return params;
}

static inline ck_node_params_t ck_node_fill(ck_node_place_t dst, uint32_t value, size_t value_bytes,
                                            size_t count)
{
  ck_node_params_t params = ck_node_empty();
  params.kind = CK_NODE_FILL;
  params.of.fill.dst = dst;
  params.of.fill.value = value;
  params.of.fill.value_bytes = value_bytes;
  params.of.fill.count = count;
  return params;
}

static inline ck_node_params_t ck_node_host(void (*function)(void *data), void *data,
                                            void (*release)(void *data))
{
  ck_node_params_t params = ck_node_empty();
  params.kind = CK_NODE_HOST;
  params.of.host.function = function;
  params.of.host.data = data;
  params.of.host.release = release;
  return params;
}

static inline ck_node_params_t ck_node_child(ck_graph_definition_t *definition)
{
  ck_node_params_t params = ck_node_empty();
  params.kind = CK_NODE_CHILD;
  params.of.child.definition = definition;
  return params;
}

static inline ck_node_params_t ck_node_record(ck_event_t *event)
{
  ck_node_params_t params = ck_node_empty();
  params.kind = CK_NODE_EVENT_RECORD;
  params.of.event.event = event;
  return params;
}

static inline ck_node_params_t ck_node_wait(ck_event_t *event)
{
  ck_node_params_t params = ck_node_record(event);
  params.kind = CK_NODE_EVENT_WAIT;
  return params;
}

static inline ck_node_params_t ck_node_alloc(size_t bytes)
{
  ck_node_params_t params = ck_node_empty();
  params.kind = CK_NODE_ALLOC;
  params.of.alloc.bytes = bytes;
  return params;
}

static inline ck_node_params_t ck_node_free(uint64_t address)
{
  ck_node_params_t params = ck_node_empty();
  params.kind = CK_NODE_FREE;
  params.of.free.address = address;
  return params;
}

static inline ck_node_params_t ck_node_memory_ops(const ck_memory_op_t *ops, size_t count)
{
  ck_node_params_t params = ck_node_empty();
  params.kind = CK_NODE_MEMORY_OPS;
  params.of.memory_ops.ops = ops;
  params.of.memory_ops.count = count;
  return params;
}

static inline ck_node_params_t ck_node_condition(ck_condition_kind_t kind, uint64_t condition,
                                                 uint32_t body_count)
{
  ck_node_params_t params = ck_node_empty();
  params.kind = CK_NODE_CONDITION;
  params.of.condition.kind = kind;
  params.of.condition.condition = condition;
  params.of.condition.body_count = body_count;
  return params;
}

/* Nodes belong to their definition and live as long as it, or until they are destroyed. */
CK_API ck_node_kind_t ck_graph_node_kind(const ck_graph_node_t *node);
CK_API void *ck_graph_node_native(const ck_graph_node_t *node); /* CUgraphNode; NULL: it is lost */
CK_API ck_graph_definition_t *ck_graph_node_definition(const ck_graph_node_t *node); /* borrowed */

/* Reads back what a node does; struct_size has to be set. What it points to is the node's, until
 * that is changed or destroyed. CK_UNSUPPORTED for semaphores. */
CK_API ck_status_t ck_graph_node_get_params(ck_graph_node_t *node, ck_node_params_t *out_params);

/* Changes what a node does, for graphs that are created from now on. The kind stays. A kernel has
 * the attributes of its new launch alone, but that one which kernels may change stays such. At an
 * address, without its buffer, the node keeps the memory that it kept there.
 *
 * fails    CK_INVALID_ARGUMENT for another kind; CK_UNSUPPORTED for allocations, frees, conditions;
 *          CK_DRIVER for an attribute that the driver does not take. The node is as it was
 */
CK_API ck_status_t ck_graph_node_set_params(ck_graph_node_t *node, const ck_node_params_t *params);

/* The graph in a node: a child's copy (index 0), a body of a condition. Borrowed, of the node.
 * Nodes may be added to it. With its node, or when another child is set, its nodes are gone; who
 * has retained it has a definition whose native handle is NULL, and which takes and tells nothing.
 * fails CK_INVALID_ARGUMENT for another kind of node or index */
CK_API ck_status_t ck_graph_node_get_graph(ck_graph_node_t *node, size_t index,
                                           ck_graph_definition_t **out_definition);

/* The nodes that a node comes after, or those that come after it: up to `room` of them.
 *
 * out_count  how many there are, also beyond `room`
 */
CK_API ck_status_t ck_graph_node_get_dependencies(ck_graph_node_t *node, ck_graph_node_t **nodes,
                                                  size_t room, size_t *out_count);
CK_API ck_status_t ck_graph_node_get_dependents(ck_graph_node_t *node, ck_graph_node_t **nodes,
                                                size_t room, size_t *out_count);

/* Takes a node and its edges out of its definition. The pointer is gone with it.
 *
 * fails    CK_INVALID_ARGUMENT while the definition is captured; as the driver, which takes nothing
 *          out of a graph that allocates or frees: the node is as it was
 */
CK_API ck_status_t ck_graph_node_destroy(ck_graph_node_t *node);

/* ---- definitions: graphs node by node -------------------------------------------------------- */

/* Makes an empty graph.
 *
 * threads  any; a call that changes a definition, or a node or a part of it, needs the caller's
 *          order with all others for it. Those that only read, ck_graph_create, and changes of
 *          graphs that were created from it may run at once
 */
CK_API ck_status_t ck_graph_definition_create(ck_device_t *device,
                                              ck_graph_definition_t **out_definition);
/* One that is in a node retains the whole that it is a part of. */
CK_API ck_graph_definition_t *ck_graph_definition_retain(ck_graph_definition_t *definition);
CK_API void ck_graph_definition_release(ck_graph_definition_t *definition);
CK_API ck_device_t *ck_graph_definition_device(const ck_graph_definition_t *definition);
/* CUgraph; NULL for what is lost or in a node that is gone. */
CK_API void *ck_graph_definition_native(const ck_graph_definition_t *definition);

/* Adds a node.
 *
 * after    the nodes that it comes after, of this definition; none: it may start at once
 * params   read now. A kernel whose grid has no blocks becomes an empty node. Of an allocation,
 *          of.alloc.address is filled in
 * out_node may be NULL, or the place that `after` points to
 * fails    CK_INVALID_ARGUMENT as ck_launch_args and the functions of buffers; CK_UNSUPPORTED for
 *          semaphores, and for programmatic launches, which need a capture; CK_DRIVER otherwise
 */
CK_API ck_status_t ck_graph_definition_add(ck_graph_definition_t *definition,
                                           ck_graph_node_t *const *after, size_t after_count,
                                           ck_node_params_t *params, ck_graph_node_t **out_node);

/* As ck_graph_builder_create_condition. */
CK_API ck_status_t ck_graph_definition_create_condition(ck_graph_definition_t *definition,
                                                        const uint32_t *start,
                                                        uint64_t *out_condition);

/* The nodes, or the edges as pairs: up to `room` of them. out_count: how many there are. */
CK_API ck_status_t ck_graph_definition_get_nodes(ck_graph_definition_t *definition,
                                                 ck_graph_node_t **nodes, size_t room,
                                                 size_t *out_count);
CK_API ck_status_t ck_graph_definition_get_edges(ck_graph_definition_t *definition,
                                                 ck_graph_node_t **from, ck_graph_node_t **to,
                                                 size_t room, size_t *out_count);

/* Adds or removes `count` edges, or none: to[i] comes after from[i].
 *
 * fails    CK_INVALID_ARGUMENT for nodes of another definition, for an edge that is there already,
 *          or is not, or is given twice; CK_UNSUPPORTED to remove some of a graph that allocates or
 *          frees memory. A cycle is found when the graph is created
 */
CK_API ck_status_t ck_graph_definition_add_edges(ck_graph_definition_t *definition,
                                                 ck_graph_node_t *const *from,
                                                 ck_graph_node_t *const *to, size_t count);
CK_API ck_status_t ck_graph_definition_remove_edges(ck_graph_definition_t *definition,
                                                    ck_graph_node_t *const *from,
                                                    ck_graph_node_t *const *to, size_t count);

/* What a picture shows beside nodes and edges. The numbers are CU_GRAPH_DEBUG_DOT_FLAGS_*. */
#define CK_DOT_VERBOSE           0x1u /* all of it */
#define CK_DOT_RUNTIME_TYPES     0x2u
#define CK_DOT_KERNELS           0x4u
#define CK_DOT_COPIES            0x8u
#define CK_DOT_FILLS             0x10u
#define CK_DOT_HOST              0x20u
#define CK_DOT_EVENTS            0x40u
#define CK_DOT_SEMAPHORE_SIGNALS 0x80u
#define CK_DOT_SEMAPHORE_WAITS   0x100u
#define CK_DOT_KERNEL_ATTRIBUTES 0x200u
#define CK_DOT_HANDLES           0x400u
#define CK_DOT_ALLOCS            0x800u
#define CK_DOT_FREES             0x1000u
#define CK_DOT_MEMORY_OPS        0x2000u
#define CK_DOT_EXTRA_TOPOLOGY    0x4000u
#define CK_DOT_CONDITIONS        0x8000u

/* Writes the graph for Graphviz, with the names of its kernels. */
CK_API ck_status_t ck_graph_definition_save_dot(ck_graph_definition_t *definition, const char *path,
                                                uint32_t flags);

/* ---- graphs that run ------------------------------------------------------------------------- */

#define CK_GRAPH_AUTO_FREE_ON_LAUNCH 1u /* a launch frees what the last one left allocated */
#define CK_GRAPH_DEVICE_LAUNCH       4u /* kernels may launch it, once uploaded; GPUs only */
#define CK_GRAPH_USE_NODE_PRIORITY   8u /* nodes keep the priority of the stream they came from */

typedef struct ck_graph_options {
  size_t struct_size;
  uint32_t flags;             /* CK_GRAPH_* */
  ck_stream_t *upload_stream; /* the graph is uploaded in its order; NULL: with the first launch */
} ck_graph_options_t;

/* Makes a definition executable.
 *
 * fails    CK_INVALID_ARGUMENT for a cycle, or for a node that stands where it can't: the message
 *          has its kind, if the driver tells it; CK_UNSUPPORTED for a flag that the device lacks,
 *          and for a definition with conditions or memory of its own while another graph of it is
 *          there; CK_DRIVER otherwise
 */
CK_API ck_status_t ck_graph_create(ck_graph_definition_t *definition,
                                   const ck_graph_options_t *options, ck_graph_t **out_graph);

/* The same of what a builder has captured. CK_INVALID_ARGUMENT before its end. */
CK_API ck_status_t ck_graph_builder_complete(ck_graph_builder_t *builder,
                                             const ck_graph_options_t *options,
                                             ck_graph_t **out_graph);

CK_API ck_graph_t *ck_graph_retain(ck_graph_t *graph);
/* Launches that are under way still finish; of a graph that has conditions, CUDA's driver waits for
 * them here. */
CK_API void ck_graph_release(ck_graph_t *graph);
CK_API ck_device_t *ck_graph_device(const ck_graph_t *graph);               /* borrowed */
CK_API ck_graph_definition_t *ck_graph_definition(const ck_graph_t *graph); /* retained by it */
CK_API void *ck_graph_native(const ck_graph_t *graph);                      /* the CUgraphExec */

/* Puts the graph into a stream: it starts after what is in the stream now. Two launches of one
 * graph run one after the other, in whatever streams they are. A stream that is captured takes
 * none: ck_graph_builder_embed() puts a definition there.
 *
 * async    yes
 * threads  any; calls for one graph need the caller's order
 * fails    CK_INVALID_ARGUMENT for a stream of another device; CK_DRIVER
 */
CK_API ck_status_t ck_graph_launch(ck_graph_t *graph, ck_stream_t *stream);

/* Takes the graph to the device, in stream order, so that its first launch need not. */
CK_API ck_status_t ck_graph_upload(ck_graph_t *graph, ck_stream_t *stream);

/* Takes over what the nodes of another definition do. Later launches have it; those under way have
 * not.
 *
 * definition  of the same nodes and edges, added in the same order
 * fails       CK_INVALID_ARGUMENT with what differs; CK_UNSUPPORTED for a definition that allocates
 *             and has another graph, and on a GPU while a fill is off; the graph is as it was then
 */
CK_API ck_status_t ck_graph_update(ck_graph_t *graph, ck_graph_definition_t *definition);

/* Changes one node of later launches; the definition stays as it is. What the node did is kept for
 * the launches under way: behind 64 changes, the next one waits for them.
 *
 * node     of the definition that the graph was created from
 * fails    as ck_graph_node_set_params; CK_UNSUPPORTED if cluster or cooperative would change, or
 *          on a GPU for a child while a fill in a child is off; CK_INVALID_ARGUMENT for a child
 *          whose nodes and edges are others
 */
CK_API ck_status_t ck_graph_update_node(ck_graph_t *graph, ck_graph_node_t *node,
                                        const ck_node_params_t *params);

/* Switches a kernel, copy or fill off or on for later launches. What is before and behind it keeps
 * its order. On a GPU a fill that is off writes into 4 bytes of the device object's own, since
 * CUDA's driver 580 loses that order.
 *
 * fails    CK_INVALID_ARGUMENT for another kind of node; on a GPU CK_UNSUPPORTED for a fill of
 *          rows, or one whose params are not known any more: those of the definition were changed
 *          since, or the graph, or a child in it, was updated from another; ck_graph_update_node
 *          tells them
 */
CK_API ck_status_t ck_graph_set_enabled(ck_graph_t *graph, ck_graph_node_t *node, int is_enabled);
CK_API ck_status_t ck_graph_get_enabled(ck_graph_t *graph, ck_graph_node_t *node,
                                        int *out_is_enabled);

/* ---- memory in graphs ------------------------------------------------------------------------ */

/* Allocates in captured streams: ck_buffer_create_from makes an allocation node, and releasing the
 * buffer while its stream is captured makes a free node. A buffer that is not freed so is there
 * once the graph was launched, and releasing it, with ck_buffer_set_stream to a stream that is not
 * captured, frees it. A graph does not retain such buffers: their memory is its own. In a stream
 * that is not captured it allocates from the device's pool. */
CK_API ck_status_t ck_memory_resource_create_graph(ck_device_t *device,
                                                   ck_memory_resource_t **out_resource);

/* The numbers are cuda.h's CU_GRAPH_MEM_ATTR_*. Bytes that graphs of a device use, and that are
 * reserved for them; the highest since they were reset. */
typedef enum ck_graph_memory {
  CK_GRAPH_MEMORY_USED = 0,
  CK_GRAPH_MEMORY_USED_HIGH = 1,
  CK_GRAPH_MEMORY_RESERVED = 2,
  CK_GRAPH_MEMORY_RESERVED_HIGH = 3
} ck_graph_memory_t;

CK_API ck_status_t ck_graph_memory_get(ck_device_t *device, ck_graph_memory_t attribute,
                                       size_t *out_bytes);
CK_API ck_status_t ck_graph_memory_reset(ck_device_t *device, ck_graph_memory_t attribute);
/* Gives back what is reserved and not used. */
CK_API ck_status_t ck_graph_memory_trim(ck_device_t *device);

#ifdef __cplusplus
}
#endif
#endif
