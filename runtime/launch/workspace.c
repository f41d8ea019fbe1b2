/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* workspace.c - memory of algorithms in graphs: each executable graph has its own.
 *
 * A captured launch of an algorithm needs persistent and scratch memory, whose addresses are
 * parameters of its kernels. It is allocated when the launch is captured. A definition can become
 * several executable graphs, which may run at a time, so only one of them uses that memory. For any
 * other one new memory is allocated, and the parameters of its kernel nodes are changed:
 *
 *     capture ===> workspace: buffer A | node 3: slots 4, 5 | node 4: slots 4, 5
 *
 *     graph 1 (the owner)    node 3(..., A, A + 256)    node 4(..., A, A + 256)
 *     graph 2 ===> buffer B  node 3(..., B, B + 256)    node 4(..., B, B + 256)
 *
 * The list of nodes is made during the capture, where the driver tells which node each launch
 * became. The driver copies a definition that becomes a child of another one, and the copy's nodes
 * are not in the list. So executable graphs of the definition around it share the child's memory,
 * and must not run at the same time.
 */
#include "launch_private.h"

enum { ALIGNMENT = 256 };

typedef struct StepNode {
  CUgraphNode node;
  uint32_t slot;  /* of the scratch memory; that of the persistent memory is the next one */
  uint32_t count; /* of all parameters */
} StepNode;

struct Workspace {
  Object object;
  ck_buffer_t *buffer;            /* retained */
  ck_memory_resource_t *resource; /* retained */
  ck_device_t *device;            /* retained */
  size_t kept_bytes; /* from the start: persistent memory. What follows is scratch memory */
  _Atomic(const void *) owner; /* the executable graph that uses the buffer; NULL: none */
  Arena arena;
  VEC(StepNode) nodes; /* made while the launch is captured, by its thread */
};

static void drop_workspace(void *object)
{
  Workspace *own = object;
  if (atomic_fetch_sub_explicit(&own->object.reference_count, 1, memory_order_acq_rel) != 1) return;
  ck_buffer_release(own->buffer);
  ck_memory_resource_release(own->resource);
  ck_device_release(own->device);
  arena_free(&own->arena);
  object_free(own);
}

static const RefKind workspace_ref = {.release = drop_workspace};

/* Allocates on a stream that isn't captured. The persistent memory is zeroed. */
static ck_status_t allocate(ck_memory_resource_t *resource, ck_device_t *device, size_t kept_bytes,
                            size_t bytes, ck_buffer_t **out_buffer)
{
  ck_stream_t *stream = NULL;
  *out_buffer = NULL;
  ck_status_t status = ck_stream_create(device, NULL, &stream);
  if (status == CK_OK)
    status = ck_memory_resource_create_buffer(resource, bytes, stream, out_buffer);
  if (status == CK_OK && kept_bytes)
    status = ck_buffer_fill(*out_buffer, 0, kept_bytes, 0, 1, stream);
  if (status == CK_OK) status = ck_stream_sync(stream);
  if (status != CK_OK) ck_buffer_release(*out_buffer);
  if (status != CK_OK) *out_buffer = NULL;
  ck_stream_release(stream);
  return status;
}

ck_status_t workspace_create(const ck_kernel_t *plan, GraphKeep *capture, const size_t bytes[2],
                             CUdeviceptr address[2], Workspace **out_workspace)
{
  size_t kept = (bytes[0] + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  Workspace *own = object_new(sizeof *own);
  if (!own) return CK_OUT_OF_MEMORY;
  own->kept_bytes = kept;
  own->resource = ck_memory_resource_retain(plan->scratch);
  own->device = ck_device_retain(plan->device);
  ck_status_t status = allocate(plan->scratch, plan->device, kept, kept + bytes[1], &own->buffer);
  if (status == CK_OK) status = graph_keep_buffer(capture, own->buffer);
  if (status == CK_OK) status = graph_keep_add(capture, &workspace_ref, own);
  if (status == CK_OK) {
    address[0] = own->buffer->address;
    address[1] = own->buffer->address + kept;
    *out_workspace = own;
  }
  drop_workspace(own); /* the capture has it */
  return status == CK_OK ? CK_OK : error_within(status, "'%s': memory of the graph", plan->name);
}

void workspace_note(Workspace *own, const ck_kernel_t *step, const ck_stream_t *stream,
                    uint32_t slot)
{
  const Driver *driver = step->device->driver;
  CUstreamCaptureStatus state = CU_STREAM_CAPTURE_STATUS_NONE;
  const CUgraphNode *nodes;
  const CUgraphEdgeData *data;
  size_t count = 0;
  if (!driver->cuStreamGetCaptureInfo ||
      driver->cuStreamGetCaptureInfo(stream_native(stream), &state, NULL, NULL, &nodes, &data,
                                     &count) != CUDA_SUCCESS ||
      state != CU_STREAM_CAPTURE_STATUS_ACTIVE || count != 1)
    return;
  StepNode node = {nodes[0], slot, step->info->slot_count};
  vec_push(&own->arena, &own->nodes, node);
}

/* Changes the node's parameters in the executable graph. */
static bool move(const Driver *driver, CUgraphExec graph, const StepNode *node, CUdeviceptr kept,
                 CUdeviceptr scratch)
{
  CUDA_KERNEL_NODE_PARAMS native = {0};
  CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_KERNEL};
  void *slots[SLOTS_MAX];
  if (node->slot + 1 >= node->count || node->count > SLOTS_MAX ||
      driver->cuGraphKernelNodeGetParams(node->node, &native) != CUDA_SUCCESS)
    return false;
  memcpy(slots, native.kernelParams, node->count * sizeof *slots);
  slots[node->slot] = &scratch;
  slots[node->slot + 1] = &kept;
  native.kernelParams = slots;
  params.kernel = native;
  return driver->cuGraphExecNodeSetParams(graph, node->node, &params) == CUDA_SUCCESS;
}

/* Gives the graph other memory than the workspace's. */
static ck_status_t separate(const Workspace *own, const Driver *driver, CUgraphExec graph,
                            GraphKeep *keep)
{
  ck_buffer_t *buffer;
  CK_TRY(
      allocate(own->resource, own->device, own->kept_bytes, ck_buffer_bytes(own->buffer), &buffer));
  CUdeviceptr kept = buffer->address, scratch = buffer->address + own->kept_bytes;
  for (uint32_t i = 0; i < own->nodes.count; ++i)
    if (!move(driver, graph, &own->nodes.at[i], kept, scratch)) break;
  ck_status_t status = graph_keep_buffer(keep, buffer);
  ck_buffer_release(buffer);
  return status;
}

/* Collects the workspaces in a keep and in those that it refers to. */
typedef VEC(Workspace *) Workspaces;
static void collect(Arena *arena, GraphKeep *keep, Workspaces *out)
{
  for (; keep; keep = keep->next) {
    pthread_mutex_lock(&keep->mutex);
    for (size_t i = 0; i < keep->count; ++i) {
      const Ref *ref = &keep->refs[i];
      if (ref->kind == &keep_ref) collect(arena, ref->object, out);
      else if (ref->kind == &workspace_ref) vec_push(arena, out, ref->object);
    }
    pthread_mutex_unlock(&keep->mutex);
  }
}

ck_status_t workspaces_take(const Driver *driver, const void *graph, CUgraphExec native,
                            GraphKeep *keep)
{
  Arena scratch = {0};
  Workspaces all = {0};
  ck_status_t status = CK_OK;
  collect(&scratch, keep, &all);
  for (uint32_t i = 0; i < all.count && status == CK_OK; ++i) {
    const void *owner = NULL;
    if (!atomic_compare_exchange_strong(&all.at[i]->owner, &owner, graph) && owner != graph)
      status = separate(all.at[i], driver, native, keep);
  }
  arena_free(&scratch);
  return status;
}

void workspaces_leave(const void *graph, GraphKeep *keep)
{
  Arena scratch = {0};
  Workspaces all = {0};
  collect(&scratch, keep, &all);
  for (uint32_t i = 0; i < all.count; ++i) {
    const void *owner = graph;
    atomic_compare_exchange_strong(&all.at[i]->owner, &owner, NULL);
  }
  arena_free(&scratch);
}
