/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/graph.h - CUDA graphs: work that is defined once and launched many times.
 *
 * There are four kinds of objects:
 *
 *   builder     captures the work that is submitted to its stream, and makes a definition of it
 *   definition  a CUgraph: nodes and edges; captured, or made node by node; can be edited
 *   node        one operation of a definition
 *   graph       a CUgraphExec: an executable copy of a definition, which later edits don't change
 *
 *   ck_graph_builder_create(device, &builder);
 *   ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED);
 *   ck_launch(ck_graph_builder_stream(builder), NULL, saxpy, n, 2.0f, x, y, z);
 *   ck_graph_builder_end(builder);
 *   ck_graph_builder_create_graph(builder, NULL, &graph);
 *   ck_graph_launch(graph, stream);
 *
 * Lifetimes. Everything that a graph uses lives at least until its last launch has finished:
 * kernels and their code, buffers that are arguments or sides of a copy or fill, events, and data
 * that was registered with a host function. Capturing or adding a node retains these objects. The
 * definition holds the references; each graph made of it holds them too, and so does each launch
 * that has not finished. Releasing the last holder drops them. References that a finished launch
 * holds are dropped by the next call of a function of this header, or of ck_stream_sync,
 * ck_event_sync or ck_device_sync, on any thread. Work that was submitted to the launch's stream
 * after it and before the graph was released may have to finish too. A graph retains the stream of
 * its last launch.
 *
 * The caller must keep alive what is not retained: raw addresses, host memory that a copy reads or
 * writes, and everything that other libraries submit to a captured stream; a graph as long as
 * kernels launch it; and a definition as long as other code uses its CUgraph.
 *
 * All of it needs a driver of CUDA 12.3 or newer: CK_UNSUPPORTED otherwise.
 *
 * source  CUDA Driver API, "Graph Management", "Stream Management"
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

/* Which calls fail during a capture because they can't be captured: none (relaxed), those of the
 * thread that began the capture (thread-local), or those of all threads (global). These calls are:
 *
 * - queries of and waits for another stream or an event: ck_stream_sync, ck_stream_query,
 *   ck_event_sync, ck_event_query;
 * - calls that allocate: ck_buffer_create in another stream from a pool, pinned, managed or
 *   page-locked memory, and cuMemAlloc on a device without pools;
 * - calls that make pools, arrays, textures or executable graphs;
 * - ck_buffer_resize if it has to wait for a stream.
 *
 * Launches, copies and fills in other streams, allocations from a virtual resource and all releases
 * are allowed. A call that is refused fails with CK_DRIVER and
 * CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, and the capture becomes invalid. ck_device_sync and
 * ck_context_sync are refused in all modes, without harm to the capture. The host device refuses
 * the same calls.
 *
 * source  CUDA Driver API, cuThreadExchangeStreamCaptureMode; the list of calls: driver 580
 */
typedef enum ck_capture_mode {
  CK_CAPTURE_RELAXED = 0,
  CK_CAPTURE_THREAD_LOCAL = 1,
  CK_CAPTURE_GLOBAL = 2
} ck_capture_mode_t;

/* Makes a builder with its own stream. */
CK_API ck_status_t ck_graph_builder_create(ck_device_t *device, ck_graph_builder_t **out_builder);

/* Makes a builder that captures a given stream, which it retains.
 *
 * fails    CK_INVALID_ARGUMENT for NULL or a default stream
 */
CK_API ck_status_t ck_graph_builder_from_stream(ck_stream_t *stream,
                                                ck_graph_builder_t **out_builder);

CK_API ck_graph_builder_t *ck_graph_builder_retain(ck_graph_builder_t *builder);
/* Gives up a reference. The last one discards a capture that is in progress, as if it had ended.
 * Nodes that a body, or a definition that other code holds, has received by then stay there, if the
 * capture can end validly. */
CK_API void ck_graph_builder_release(ck_graph_builder_t *builder);

CK_API ck_device_t *ck_graph_builder_device(const ck_graph_builder_t *builder); /* borrowed */
/* The stream to submit work to. Borrowed. Everything that is submitted to it is captured: launches,
 * copies, fills, allocations, events, host functions. */
CK_API ck_stream_t *ck_graph_builder_stream(const ck_graph_builder_t *builder);
CK_API int ck_graph_builder_is_building(const ck_graph_builder_t *builder);
/* whether it is a fork */
CK_API int ck_graph_builder_is_join_required(const ck_graph_builder_t *builder);

/* Begins the capture. A builder that has ended starts a new definition; a builder of a conditional
 * body adds to its own. A body has no capture mode of its own: which calls are refused is
 * determined by the capture around it.
 *
 * threads  with a mode other than CK_CAPTURE_RELAXED the capture must end on the same thread; that
 *          of a body may end on any
 * fails    CK_INVALID_ARGUMENT if it is building; CK_DRIVER if the stream is already captured
 */
CK_API ck_status_t ck_graph_builder_begin(ck_graph_builder_t *builder, ck_capture_mode_t mode);

/* Ends the capture. The end of a body's capture joins all streams that take part in it, and so does
 * the end of a capture around bodies that are still being captured.
 *
 * fails    CK_INVALID_ARGUMENT if it is not building or is a fork, or on a thread that its mode
 *          does not allow; CK_DRIVER if a fork was not joined or a call has made the capture
 *          invalid
 *
 * After CK_DRIVER the capture has ended without a definition. CUDA destroys the graph of an invalid
 * capture, so every holder of that definition gets errors from then on. If a body's capture is
 * invalid, so is the definition around it, and a capture into that definition ends with
 * CK_INVALID_ARGUMENT. If the capture around a body is invalid, its stream stays captured until the
 * body's capture has ended, and an adopted stream must live as long. If the body's capture ends as
 * invalid too, the stream stays captured for ever, and ck_device_sync fails from then on.
 */
CK_API ck_status_t ck_graph_builder_end(ck_graph_builder_t *builder);

/* Makes forks: `count` more builders, each with its own stream in the context and with the priority
 * of this builder's. Their work starts after what has been captured so far and runs concurrently
 * with this builder's. A fork does not end its capture; the builder that began it does.
 *
 * out_forks  `count` builders, owned by the caller
 * threads    each fork may be captured on a thread of its own. Embedding, conditions and bodies
 *            change the definition, which all forks share: one thread at a time
 * fails      CK_INVALID_ARGUMENT if it is not building
 */
CK_API ck_status_t ck_graph_builder_split(ck_graph_builder_t *builder, size_t count,
                                          ck_graph_builder_t **out_forks);

/* Joins forks: what is captured in this builder from now on depends on all the forks' work, and the
 * forks have ended.
 *
 * forks    of this builder's capture; the caller still releases them
 */
CK_API ck_status_t ck_graph_builder_join(ck_graph_builder_t *builder,
                                         ck_graph_builder_t *const *forks, size_t count);

/* Captures a host function, as ck_stream_launch_host does, and takes ownership of its data.
 *
 * release  called with `data` when the function can't be called any more; NULL: `data` must outlive
 *          every launch. It may call this library. It is not called if this call fails
 */
CK_API ck_status_t ck_graph_builder_launch_host(ck_graph_builder_t *builder,
                                                void (*function)(void *data), void *data,
                                                void (*release)(void *data));

/* Captures a copy of another graph as one node.
 *
 * child    ck_graph_builder_definition(builder) for a builder that has ended
 * fails    CK_UNSUPPORTED for a child with conditions or allocations, which CUDA does not copy
 */
CK_API ck_status_t ck_graph_builder_embed(ck_graph_builder_t *builder,
                                          ck_graph_definition_t *child);

/* Makes a condition: a number that kernels set with set_condition(c, value) and that conditional
 * nodes of the same graph read.
 *
 * start          its value when a launch of the graph starts; NULL: the value that the last launch
 *                left
 * out_condition  the handle, passed to kernels as a u64
 */
CK_API ck_status_t ck_graph_builder_create_condition(ck_graph_builder_t *builder,
                                                     const uint32_t *start,
                                                     uint64_t *out_condition);

/* Captures a conditional node, which selects what to run by the value of a condition when the node
 * is reached. if_then: the body if it is not 0. if_else: one of two bodies. while_loop: the body
 * repeatedly, as long as it is not 0. switch: the body with that index, if there is one.
 *
 * threads  one thread at a time begins, ends or releases builders of one graph and its bodies
 * out_*    builders of the bodies, owned by the caller, with streams like those of forks: begin,
 *          capture and end each of them. A body may contain kernels, copies, fills, other graphs
 *          and conditional nodes
 * fails    CK_INVALID_ARGUMENT if the builder is not building; CK_DRIVER otherwise
 */
CK_API ck_status_t ck_graph_builder_add_if(ck_graph_builder_t *builder, uint64_t condition,
                                           ck_graph_builder_t **out_then);
CK_API ck_status_t ck_graph_builder_add_if_else(ck_graph_builder_t *builder, uint64_t condition,
                                                ck_graph_builder_t **out_then,
                                                ck_graph_builder_t **out_else);
CK_API ck_status_t ck_graph_builder_add_while(ck_graph_builder_t *builder, uint64_t condition,
                                              ck_graph_builder_t **out_body);
CK_API ck_status_t ck_graph_builder_add_switch(ck_graph_builder_t *builder, uint64_t condition,
                                               uint32_t count, ck_graph_builder_t **out_bodies);

/* The definition that is being captured, or was captured last. Borrowed; NULL before the first
 * begin; for a fork, that of the whole capture. It may be edited once the builder has ended, and
 * does not change when the builder begins another capture. Until the end it is CK_INVALID_ARGUMENT
 * to destroy one of its nodes, to embed it, or to create or update an executable graph from it. */
CK_API ck_graph_definition_t *ck_graph_builder_definition(const ck_graph_builder_t *builder);

/* ---- nodes ----------------------------------------------------------------------------------- */

/* The kinds of nodes, with the numbers of cuda.h's CU_GRAPH_NODE_TYPE_*. */
typedef enum ck_node_kind {
  CK_NODE_KERNEL = 0,
  CK_NODE_COPY = 1,
  CK_NODE_FILL = 2,
  CK_NODE_HOST = 3,
  CK_NODE_CHILD = 4, /* another graph */
  CK_NODE_EMPTY = 5,
  CK_NODE_EVENT_WAIT = 6,
  CK_NODE_EVENT_RECORD = 7,
  CK_NODE_SEMAPHORE_SIGNAL = 8, /* of graphs made by other code; can't be made here */
  CK_NODE_SEMAPHORE_WAIT = 9,
  CK_NODE_ALLOC = 10,
  CK_NODE_FREE = 11,
  CK_NODE_MEMORY_OPS = 12,
  CK_NODE_CONDITION = 13
} ck_node_kind_t;

/* The name of a kind, such as "kernel"; "?" for a number that is no kind. */
CK_API const char *ck_node_kind_name(ck_node_kind_t kind);

/* A place in memory: an offset into a buffer, which the node retains; or, if `buffer` is NULL, an
 * address of the device or of the host, which is not retained. */
typedef struct ck_node_place {
  ck_buffer_t *buffer;
  uint64_t offset; /* bytes into the buffer; or the address */
} ck_node_place_t;

typedef enum ck_condition_kind {
  CK_CONDITION_IF = 0,
  CK_CONDITION_WHILE = 1,
  CK_CONDITION_SWITCH = 2
} ck_condition_kind_t;

/* Where an allocation node allocates: on the device, on the host, or managed memory. */
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

/* The condition of a wait: memory - value >= 0 as signed numbers; memory == value; memory & value
 * is not 0; ~(memory | value) is not 0. */
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

/* What a node does. It is made by the functions below, or by setting struct_size, kind and the
 * member for that kind. "Read back" says what ck_graph_node_get_params stores. */
typedef struct ck_node_params {
  size_t struct_size;
  ck_node_kind_t kind;
  union {
    struct {
      ck_kernel_t *kernel;       /* read back: borrowed; NULL if it is not known to this library */
      ck_launch_config_t config; /* read back: as far as it is known */
      const ck_arg_t *args;      /* read back: NULL */
      size_t arg_count;
    } kernel;
    struct {
      ck_node_place_t dst, src;      /* read back: addresses */
      size_t bytes;                  /* bytes in a row */
      size_t rows, slices;           /* 0 means 1 */
      size_t dst_pitch, src_pitch;   /* bytes from row to row */
      size_t dst_height, src_height; /* rows from slice to slice */
    } copy;
    struct {
      ck_node_place_t dst;
      uint32_t value;     /* its low value_bytes bytes */
      size_t value_bytes; /* 1, 2 or 4 */
      size_t count;       /* values in a row */
      size_t rows;        /* 0 means 1 */
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
      ck_device_t *const *peers; /* other devices with access; read back: NULL */
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
    uint64_t reserved[40]; /* room for larger members */
  } of;
} ck_node_params_t;

static inline ck_node_params_t ck_node_empty(void)
{
  ck_node_params_t params = CK_OPTIONS_INIT(ck_node_params_t);
  params.kind = CK_NODE_EMPTY;
  return params;
}

/* The parameters of a kernel node. config NULL: everything from the kernel's launch contract.
 * Arguments are read when the node is added. A kernel that is cooperative or has clusters keeps
 * that as a node. */
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
/* the CUgraphNode; NULL if CUDA has destroyed it */
CK_API void *ck_graph_node_native(const ck_graph_node_t *node);
CK_API ck_graph_definition_t *ck_graph_node_definition(const ck_graph_node_t *node); /* borrowed */

/* Reads back what a node does; struct_size must be set. Pointers in the result are owned by the
 * node and valid until it is changed or destroyed. CK_UNSUPPORTED for semaphores. */
CK_API ck_status_t ck_graph_node_get_params(ck_graph_node_t *node, ck_node_params_t *out_params);

/* Changes what a node does, for graphs that are created after this call. The kind can't change. A
 * kernel node keeps no launch attribute of its old launch, except that a device-updatable node
 * stays one. Where a raw address replaces a buffer, the node keeps the buffer that contains that
 * address, if it retained it before.
 *
 * fails    CK_INVALID_ARGUMENT for another kind; CK_UNSUPPORTED for allocations, frees, conditions;
 *          CK_DRIVER for a launch attribute that the driver refuses. The node does not change
 */
CK_API ck_status_t ck_graph_node_set_params(ck_graph_node_t *node, const ck_node_params_t *params);

/* The graph inside a node: the copy of a child graph (index 0), or a body of a conditional node.
 * Borrowed from the node. Nodes may be added to it. When the node is destroyed, or another child is
 * set, CUDA destroys the nodes of this graph; a caller that has retained it then holds a definition
 * whose native handle is NULL and whose functions fail.
 *
 * fails    CK_INVALID_ARGUMENT for another kind of node or index
 */
CK_API ck_status_t ck_graph_node_get_graph(ck_graph_node_t *node, size_t index,
                                           ck_graph_definition_t **out_definition);

/* The nodes on which a node depends, or those that depend on it: up to `room` of them.
 *
 * out_count  how many there are, even if that exceeds `room`
 */
CK_API ck_status_t ck_graph_node_get_dependencies(ck_graph_node_t *node, ck_graph_node_t **nodes,
                                                  size_t room, size_t *out_count);
CK_API ck_status_t ck_graph_node_get_dependents(ck_graph_node_t *node, ck_graph_node_t **nodes,
                                                size_t room, size_t *out_count);

/* Destroys a node and its edges. The pointer is invalid afterwards.
 *
 * fails    CK_INVALID_ARGUMENT while the definition is captured; as the driver, which removes
 *          nothing from a graph with allocations or frees: the node does not change
 */
CK_API ck_status_t ck_graph_node_remove(ck_graph_node_t *node);

/* ---- definitions: graphs node by node -------------------------------------------------------- */

/* Makes an empty definition.
 *
 * threads  any. The caller orders a call that changes a definition, its nodes or its bodies with
 *          all other calls for that definition. Calls that only read it, ck_graph_create, and
 *          changes of graphs that were created from it may run concurrently
 */
CK_API ck_status_t ck_graph_definition_create(ck_device_t *device,
                                              ck_graph_definition_t **out_definition);
/* Retains a definition; a definition inside a node retains the outermost definition that contains
 * it. */
CK_API ck_graph_definition_t *ck_graph_definition_retain(ck_graph_definition_t *definition);
CK_API void ck_graph_definition_release(ck_graph_definition_t *definition);
CK_API ck_device_t *ck_graph_definition_device(const ck_graph_definition_t *definition);
/* The CUgraph; NULL if CUDA has destroyed it, after an invalid capture or with the node that
 * contained it. */
CK_API void *ck_graph_definition_native(const ck_graph_definition_t *definition);

/* Adds a node.
 *
 * after    nodes of this definition on which the new node depends; none: it may start at once
 * params   read during the call. A kernel whose grid has no blocks becomes an empty node. For an
 *          allocation, of.alloc.address is set out_node may be NULL, or the place that `after`
 *          points to
 * fails    CK_INVALID_ARGUMENT as ck_launch_args and the functions of buffers; CK_UNSUPPORTED for
 *          semaphores, and for programmatic launches, which can only be captured; CK_DRIVER
 *          otherwise
 */
CK_API ck_status_t ck_graph_definition_add(ck_graph_definition_t *definition,
                                           ck_graph_node_t *const *after, size_t after_count,
                                           ck_node_params_t *params, ck_graph_node_t **out_node);

/* Makes a condition, as ck_graph_builder_create_condition. */
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

/* Adds or removes `count` edges: to[i] depends on from[i].
 *
 * fails    CK_INVALID_ARGUMENT for nodes of another definition, for an edge that exists already (or
 *          does not exist), or that is listed twice; CK_UNSUPPORTED to remove edges of a graph with
 *          allocations or frees. A cycle is found when an executable graph is created
 */
CK_API ck_status_t ck_graph_definition_add_edges(ck_graph_definition_t *definition,
                                                 ck_graph_node_t *const *from,
                                                 ck_graph_node_t *const *to, size_t count);
CK_API ck_status_t ck_graph_definition_remove_edges(ck_graph_definition_t *definition,
                                                    ck_graph_node_t *const *from,
                                                    ck_graph_node_t *const *to, size_t count);

/* What a picture shows besides nodes and edges. The numbers are CU_GRAPH_DEBUG_DOT_FLAGS_*. */
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

/* Writes the definition as a Graphviz file, with the names of its kernels. */
CK_API ck_status_t ck_graph_definition_save_dot(ck_graph_definition_t *definition, const char *path,
                                                uint32_t flags);

/* ---- executable graphs ----------------------------------------------------------------------- */

#define CK_GRAPH_AUTO_FREE_ON_LAUNCH                                                               \
  1u                                  /* a launch first frees what the previous launch left
                                       * allocated */
#define CK_GRAPH_DEVICE_LAUNCH     4u /* kernels may launch it, once uploaded; GPUs only */
#define CK_GRAPH_USE_NODE_PRIORITY 8u /* nodes keep the priority of the stream they came from */

typedef struct ck_graph_options {
  size_t struct_size;
  uint32_t flags;             /* CK_GRAPH_* */
  ck_stream_t *upload_stream; /* the graph is uploaded in its order; NULL: with the first launch */
} ck_graph_options_t;

/* Makes an executable graph from a definition.
 *
 * fails    CK_INVALID_ARGUMENT for a cycle, or for a node that is not allowed where it is: the
 *          message has its kind if the driver tells it; CK_UNSUPPORTED for a flag that the device
 *          does not support, and for a definition with conditions or allocations while another
 *          executable graph of it exists; CK_DRIVER otherwise
 */
CK_API ck_status_t ck_graph_create(ck_graph_definition_t *definition,
                                   const ck_graph_options_t *options, ck_graph_t **out_graph);

/* The same for the definition that a builder has captured. CK_INVALID_ARGUMENT before its end. */
CK_API ck_status_t ck_graph_builder_create_graph(ck_graph_builder_t *builder,
                                                 const ck_graph_options_t *options,
                                                 ck_graph_t **out_graph);

CK_API ck_graph_t *ck_graph_retain(ck_graph_t *graph);
/* Gives up a reference. The last one destroys the graph; launches that are in progress still
 * finish. If the graph has conditions, CUDA waits for them in this call. */
CK_API void ck_graph_release(ck_graph_t *graph);
CK_API ck_device_t *ck_graph_device(const ck_graph_t *graph); /* borrowed */
/* borrowed: the graph retains it */
CK_API ck_graph_definition_t *ck_graph_definition(const ck_graph_t *graph);
CK_API void *ck_graph_native(const ck_graph_t *graph); /* the CUgraphExec */

/* Launches the graph in a stream: it starts after the work that is in the stream now. Two launches
 * of one graph run one after the other, even in different streams. A captured stream takes no
 * launch of a graph; use ck_graph_builder_embed() with the definition there.
 *
 * async    yes
 * threads  any; the caller orders calls for one graph
 * fails    CK_INVALID_ARGUMENT for a stream of another device; CK_DRIVER
 */
CK_API ck_status_t ck_graph_launch(ck_graph_t *graph, ck_stream_t *stream);

/* Uploads the graph to the device, in stream order, so that its first launch does not have to. */
CK_API ck_status_t ck_graph_upload(ck_graph_t *graph, ck_stream_t *stream);

/* Replaces the parameters of all nodes by those of another definition. Launches after this call use
 * them; launches in progress do not.
 *
 * definition  with the same nodes and edges, added in the same order
 * fails       CK_INVALID_ARGUMENT with the difference; CK_UNSUPPORTED for a definition with
 *             allocations that has another executable graph, and on a GPU while a fill is disabled
 *             (ck_graph_set_enabled). The graph does not change then
 */
CK_API ck_status_t ck_graph_update(ck_graph_t *graph, ck_graph_definition_t *definition);

/* Changes one node for launches after this call; the definition does not change. References of the
 * old parameters are kept until launches in progress have finished: when 64 changes are pending,
 * the next one waits for those launches.
 *
 * node     of the definition that the graph was created from
 * fails    as ck_graph_node_set_params; CK_UNSUPPORTED if cluster or cooperative would change, or
 *          on a GPU for a child graph while a fill in a child is disabled; CK_INVALID_ARGUMENT for
 *          a child graph with other nodes or edges
 */
CK_API ck_status_t ck_graph_update_node(ck_graph_t *graph, ck_graph_node_t *node,
                                        const ck_node_params_t *params);

/* Enables or disables a kernel, copy or fill for launches after this call. A disabled node does
 * nothing, and the nodes before and after it keep their order. On a GPU a disabled fill writes 4
 * bytes of memory that belongs to the device object, since driver 580 loses the order of a fill
 * that it disables itself.
 *
 * fails    CK_INVALID_ARGUMENT for another kind of node; on a GPU CK_UNSUPPORTED for a fill of
 *          several rows, or one whose parameters are not known: those in the definition have been
 *          changed since, or the graph or a child graph in it was updated from another definition;
 *          ck_graph_update_node makes them known
 */
CK_API ck_status_t ck_graph_set_enabled(ck_graph_t *graph, ck_graph_node_t *node, int is_enabled);
CK_API ck_status_t ck_graph_get_enabled(ck_graph_t *graph, ck_graph_node_t *node,
                                        int *out_is_enabled);

/* ---- memory in graphs ------------------------------------------------------------------------ */

/* Makes a resource that allocates in captured streams: ck_memory_resource_create_buffer captures an
 * allocation node, and releasing the buffer while its stream is captured captures a free node. A
 * buffer that is not freed in the capture has memory once the graph has been launched, and is freed
 * by releasing it after ck_buffer_set_stream to a stream that is not captured. A graph does not
 * retain such buffers, since their memory belongs to the graph. In a stream that is not captured
 * the resource allocates from the device's pool. */
CK_API ck_status_t ck_memory_resource_create_graph(ck_device_t *device,
                                                   ck_memory_resource_t **out_resource);

/* Bytes of a device that its graphs use, and that are reserved for them, now and at most since the
 * last reset. The numbers are cuda.h's CU_GRAPH_MEM_ATTR_*. */
typedef enum ck_graph_memory {
  CK_GRAPH_MEMORY_USED = 0,
  CK_GRAPH_MEMORY_USED_HIGH = 1,
  CK_GRAPH_MEMORY_RESERVED = 2,
  CK_GRAPH_MEMORY_RESERVED_HIGH = 3
} ck_graph_memory_t;

CK_API ck_status_t ck_graph_memory_get(ck_device_t *device, ck_graph_memory_t attribute,
                                       size_t *out_bytes);
CK_API ck_status_t ck_graph_memory_reset(ck_device_t *device, ck_graph_memory_t attribute);
/* Returns reserved memory that is not used to the system. */
CK_API ck_status_t ck_graph_memory_trim(ck_device_t *device);

#ifdef __cplusplus
}
#endif
#endif
