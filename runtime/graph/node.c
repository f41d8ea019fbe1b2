/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* node.c - what nodes do: from params to the driver's, added, changed, and read back. */
#include <stdint.h>
#include <string.h>

#include "graph.h"

/* The public numbers are the driver's. */
_Static_assert(CK_NODE_CONDITION == (int)CU_GRAPH_NODE_TYPE_CONDITIONAL &&
                   CK_NODE_MEMORY_OPS == (int)CU_GRAPH_NODE_TYPE_BATCH_MEM_OP &&
                   CK_NODE_EVENT_WAIT == (int)CU_GRAPH_NODE_TYPE_WAIT_EVENT &&
                   CK_NODE_ALLOC == (int)CU_GRAPH_NODE_TYPE_MEM_ALLOC,
               "node kinds");
_Static_assert(CK_MEMORY_OP_WAIT_64 == (int)CU_STREAM_MEM_OP_WAIT_VALUE_64 &&
                   CK_MEMORY_OP_WRITE_64 == (int)CU_STREAM_MEM_OP_WRITE_VALUE_64 &&
                   CK_MEMORY_NOR == (int)CU_STREAM_WAIT_VALUE_NOR,
               "memory operations");
_Static_assert(CK_CONDITION_SWITCH == (int)CU_GRAPH_COND_TYPE_SWITCH, "conditions");

/* CU_MEM_ALLOCATION_TYPE_MANAGED of CUDA 13. */
#define ALLOCATION_MANAGED ((CUmemAllocationType)2)

const char *graph_a_kind(ck_node_kind_t kind)
{
  static const char *const names[] = {"a kernel",
                                      "a copy",
                                      "a fill",
                                      "a host",
                                      "a child",
                                      "an empty",
                                      "an event wait",
                                      "an event record",
                                      "a semaphore signal",
                                      "a semaphore wait",
                                      "an allocation",
                                      "a free",
                                      "a memory operations",
                                      "a condition"};
  return (size_t)kind < COUNT_OF(names) ? names[kind] : "a ?";
}

const char *ck_node_kind_name(ck_node_kind_t kind)
{
  return strchr(graph_a_kind(kind), ' ') + 1;
}

ck_node_kind_t ck_graph_node_kind(const ck_graph_node_t *node)
{
  return node->kind;
}

void *ck_graph_node_native(const ck_graph_node_t *node)
{
  return node->definition->native ? node->native : NULL;
}

ck_graph_definition_t *ck_graph_node_definition(const ck_graph_node_t *node)
{
  return node->definition;
}

/* params to the driver's ---------------------------------------------------------------------- */

typedef struct KernelUse {
  NodeUse *node;
  const ck_node_params_t *params;
} KernelUse;

static ck_status_t use_launch(const CUlaunchConfig *launch, void **slots, void *data)
{
  KernelUse *self = data;
  NodeUse *node = self->node;
  for (unsigned i = 0; i < launch->numAttrs; ++i) {
    const CUlaunchAttribute *attribute = &launch->attrs[i];
    if (attribute->id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) {
      node->cluster[0] = attribute->value.clusterDim.x;
      node->cluster[1] = attribute->value.clusterDim.y;
      node->cluster[2] = attribute->value.clusterDim.z;
    }
    if (attribute->id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) node->is_cooperative = true;
    if (attribute->id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION)
      return error_set(CK_UNSUPPORTED, "a node has no programmatic launch: capture it");
    const char *name = ck_launch_attribute_name((ck_launch_attribute_kind_t)attribute->id);
    if (*name != '?' && !launch_attribute_has(attribute->id, 'N'))
      return error_set(CK_UNSUPPORTED, "a node has no %s: capture it", name);
  }
  node->has_attributes = self->params->of.kernel.config.attribute_count > 0;
  const ck_kernel_t *kernel = self->params->of.kernel.kernel;
  CUgraphNodeParams native = {.type = CU_GRAPH_NODE_TYPE_KERNEL};
  native.kernel.kern = kernel->native;
  native.kernel.ctx = kernel->device->context;
  native.kernel.gridDimX = launch->gridDimX;
  native.kernel.gridDimY = launch->gridDimY;
  native.kernel.gridDimZ = launch->gridDimZ;
  native.kernel.blockDimX = launch->blockDimX;
  native.kernel.blockDimY = launch->blockDimY;
  native.kernel.blockDimZ = launch->blockDimZ;
  native.kernel.sharedMemBytes = launch->sharedMemBytes;
  native.kernel.kernelParams = slots;
  CK_TRY(graph_keep_args(node->keep, node->old, self->params->of.kernel.kernel,
                         self->params->of.kernel.args, self->params->of.kernel.arg_count));
  CK_TRY(launch_attributes_keep(&self->params->of.kernel.config, node->keep));
  CK_TRY(node->use(node, &native, launch));
  return launch_attributes_done(&self->params->of.kernel.config, launch, NULL);
}

/* `field` of the node's parameters has to point to something. */
static ck_status_t need(const ck_node_params_t *params, const void *pointer, const char *field)
{
  if (pointer) return CK_OK;
  return error_set(CK_INVALID_ARGUMENT, "%s node's %s is NULL", graph_a_kind(params->kind), field);
}

static ck_status_t use_kernel(const ck_node_params_t *params, NodeUse *use)
{
  ck_kernel_t *kernel = params->of.kernel.kernel;
  const ck_launch_config_t *config = &params->of.kernel.config;
  CK_TRY(need(params, kernel, "kernel"));
  if (!device_same(kernel->device, use->device))
    return error_set(CK_INVALID_ARGUMENT, "kernel '%s' is of '%s', the graph of '%s'", kernel->name,
                     kernel->device->name, use->device->name);
  if (kernel->scratch)
    return error_set(CK_UNSUPPORTED, "kernel '%s' has scratch memory, a node has none: capture it",
                     kernel->name);
  bool is_empty;
  KernelUse self = {use, params};
  CK_TRY(launch_check(config->struct_size ? config : NULL, kernel, params->of.kernel.args,
                      params->of.kernel.arg_count, use_launch, &self, &is_empty));
  CUgraphNodeParams native = {.type = CU_GRAPH_NODE_TYPE_EMPTY};
  return is_empty ? use->use(use, &native, NULL) : CK_OK;
}

/* The address of `bytes` bytes at a place; what it is in is kept. */
static ck_status_t use_place(NodeUse *use, const ck_node_place_t *place, size_t bytes,
                             CUdeviceptr *out_address)
{
  const ck_buffer_t *buffer = place->buffer;
  *out_address = place->offset;
  if (!buffer && !place->offset)
    return error_set(CK_INVALID_ARGUMENT, "a node's memory is at the address 0");
  if (!buffer && bytes > UINT64_MAX - place->offset)
    return error_set(CK_INVALID_ARGUMENT, "the address 0x%llx and what is behind it is no memory",
                     (unsigned long long)place->offset);
  if (!buffer) return graph_keep_address(use->keep, use->old, place->offset);
  if (buffer->device->driver != use->device->driver)
    return error_set(CK_INVALID_ARGUMENT, "a buffer is of '%s', the graph of '%s'",
                     buffer->device->name, use->device->name);
  if (place->offset > buffer->bytes || bytes > buffer->bytes - place->offset)
    return error_set(CK_INVALID_ARGUMENT, "%zu bytes at offset %zu, the buffer has %zu bytes",
                     bytes, (size_t)place->offset, buffer->bytes);
  *out_address = buffer->address + place->offset;
  return graph_keep_buffer(use->keep, buffer);
}

/* Which side an address is of: what the driver does not know is the host's. */
static CUmemorytype type_of(const NodeUse *use, CUdeviceptr address)
{
  unsigned type = 0; /* stays 0 for what it does not know */
  CUpointer_attribute which = CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
  void *out = &type;
  if (use->device->is_host ||
      use->device->driver->cuPointerGetAttributes(1, &which, &out, address) != CUDA_SUCCESS)
    return CU_MEMORYTYPE_HOST;
  return type == CU_MEMORYTYPE_DEVICE ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
}

/* The bytes from the first to the last of `rows` rows in `slices` slices; SIZE_MAX: more than any
 * memory. */
static size_t spread(size_t bytes, size_t rows, size_t slices, size_t pitch, size_t height)
{
  size_t last;
  if (!bytes) return 0;
  if (__builtin_mul_overflow(slices - 1, height, &last) ||
      __builtin_add_overflow(last, rows - 1, &last) || __builtin_mul_overflow(last, pitch, &last) ||
      __builtin_add_overflow(last, bytes, &last))
    return SIZE_MAX;
  return last;
}

static ck_status_t use_copy(const ck_node_params_t *params, NodeUse *use)
{
  ck_node_params_t own = *params;
  __typeof__(own.of.copy) copy = own.of.copy;
  if (!copy.bytes) return error_set(CK_INVALID_ARGUMENT, "a copy of 0 bytes");
  if (!copy.rows) copy.rows = 1;
  if (!copy.slices) copy.slices = 1;
  if (!copy.dst_height) copy.dst_height = copy.rows;
  if (!copy.src_height) copy.src_height = copy.rows;
  if (!copy.dst_pitch) copy.dst_pitch = copy.bytes;
  if (!copy.src_pitch) copy.src_pitch = copy.bytes;
  if (copy.dst_pitch < copy.bytes || copy.src_pitch < copy.bytes || copy.dst_height < copy.rows ||
      copy.src_height < copy.rows)
    return error_set(CK_INVALID_ARGUMENT, "a copy's pitch or height is less than what it copies");
  CUdeviceptr dst, src;
  CK_TRY(use_place(use, &copy.dst,
                   spread(copy.bytes, copy.rows, copy.slices, copy.dst_pitch, copy.dst_height),
                   &dst));
  CK_TRY(use_place(use, &copy.src,
                   spread(copy.bytes, copy.rows, copy.slices, copy.src_pitch, copy.src_height),
                   &src));
  if (copy.rows == 1 && copy.slices == 1 && dst != src &&
      (dst - src < copy.bytes || src - dst < copy.bytes))
    return error_set(CK_INVALID_ARGUMENT, "a copy of %zu bytes to where they overlap", copy.bytes);
  CUgraphNodeParams native = {.type = CU_GRAPH_NODE_TYPE_MEMCPY};
  native.memcpy.copyCtx = use->device->context;
  CUDA_MEMCPY3D *c = &native.memcpy.copyParams;
  c->dstMemoryType = type_of(use, dst);
  c->srcMemoryType = type_of(use, src);
  if (c->dstMemoryType == CU_MEMORYTYPE_HOST) c->dstHost = (void *)(uintptr_t)dst;
  else c->dstDevice = dst;
  if (c->srcMemoryType == CU_MEMORYTYPE_HOST) c->srcHost = (const void *)(uintptr_t)src;
  else c->srcDevice = src;
  c->dstPitch = copy.dst_pitch;
  c->srcPitch = copy.src_pitch;
  c->dstHeight = copy.dst_height;
  c->srcHeight = copy.src_height;
  c->WidthInBytes = copy.bytes;
  c->Height = copy.rows;
  c->Depth = copy.slices;
  return use->use(use, &native, NULL);
}

static ck_status_t use_fill(const ck_node_params_t *params, NodeUse *use)
{
  ck_node_params_t own = *params;
  __typeof__(own.of.fill) fill = own.of.fill;
  if (fill.value_bytes != 1 && fill.value_bytes != 2 && fill.value_bytes != 4)
    return error_set(CK_INVALID_ARGUMENT, "a value has 1, 2 or 4 bytes, not %zu", fill.value_bytes);
  if (!fill.count) return error_set(CK_INVALID_ARGUMENT, "a fill of 0 values");
  if (!fill.rows) fill.rows = 1;
  size_t bytes;
  if (__builtin_mul_overflow(fill.count, fill.value_bytes, &bytes)) bytes = SIZE_MAX;
  if (fill.rows > 1 && fill.pitch < bytes)
    return error_set(CK_INVALID_ARGUMENT, "a fill's pitch is %zu, its rows have %zu bytes",
                     fill.pitch, bytes);
  if (fill.rows > 1 && fill.pitch % fill.value_bytes)
    return error_set(CK_INVALID_ARGUMENT,
                     "a fill's pitch is %zu, no multiple of its values' %zu bytes", fill.pitch,
                     fill.value_bytes);
  CUgraphNodeParams native = {.type = CU_GRAPH_NODE_TYPE_MEMSET};
  CK_TRY(use_place(use, &fill.dst, spread(bytes, fill.rows, 1, fill.pitch, fill.rows),
                   &native.memset.dst));
  if (native.memset.dst % fill.value_bytes)
    return error_set(CK_INVALID_ARGUMENT, "the address of a fill is no multiple of %zu",
                     fill.value_bytes);
  native.memset.pitch = fill.pitch;
  native.memset.value =
      fill.value_bytes == 4 ? fill.value : fill.value & ((1u << 8 * fill.value_bytes) - 1);
  native.memset.elementSize = (unsigned)fill.value_bytes;
  native.memset.width = fill.count;
  native.memset.height = fill.rows;
  native.memset.ctx = use->device->context;
  return use->use(use, &native, NULL);
}

static ck_status_t use_host(const ck_node_params_t *params, NodeUse *use)
{
  CK_TRY(need(params, (const void *)params->of.host.function, "function"));
  CUgraphNodeParams native = {.type = CU_GRAPH_NODE_TYPE_HOST};
  native.host.fn = params->of.host.function;
  native.host.userData = params->of.host.data;
  if (params->of.host.release) CK_TRY(graph_keep_data(use->keep, &use->host_data));
  return use->use(use, &native, NULL);
}

static ck_status_t use_event(const ck_node_params_t *params, NodeUse *use)
{
  ck_event_t *event = params->of.event.event;
  CK_TRY(need(params, event, "event"));
  if (!device_same(ck_event_device(event), use->device))
    return error_set(CK_INVALID_ARGUMENT, "the event is of '%s', the graph of '%s'",
                     ck_event_device(event)->name, use->device->name);
  CUgraphNodeParams native = {.type = (CUgraphNodeType)params->kind};
  if (params->kind == CK_NODE_EVENT_WAIT) native.eventWait.event = ck_event_native(event);
  else native.eventRecord.event = ck_event_native(event);
  CK_TRY(graph_keep_event(use->keep, event));
  return use->use(use, &native, NULL);
}

static ck_status_t use_child(const ck_node_params_t *params, NodeUse *use)
{
  ck_graph_definition_t *child = params->of.child.definition;
  CK_TRY(need(params, child, "definition"));
  if (!device_same(child->device, use->device))
    return error_set(CK_INVALID_ARGUMENT, "the child is of '%s', the graph of '%s'",
                     child->device->name, use->device->name);
  if (child->root == use->root)
    return error_set(CK_INVALID_ARGUMENT, "a graph can't be a node of itself");
  CK_TRY(graph_definition_check(child));
  CK_TRY(graph_definition_check_ended(child)); /* what its captures keep is not all there yet */
  CUgraphNodeParams native = {.type = CU_GRAPH_NODE_TYPE_GRAPH};
  native.graph.graph = child->native;
  /* What the child keeps, the copy needs. */
  CK_TRY(graph_definition_keep(child->root, use->keep));
  graph_definition_lock(child); /* the driver copies it */
  ck_status_t status = use->use(use, &native, NULL);
  graph_definition_unlock(child);
  return status;
}

static ck_status_t use_alloc(const ck_node_params_t *params, NodeUse *use)
{
  if (!params->of.alloc.bytes) return error_set(CK_INVALID_ARGUMENT, "an allocation of 0 bytes");
  enum { MOST_PEERS = 64 };
  CUmemAccessDesc peers[MOST_PEERS];
  ck_alloc_kind_t kind = params->of.alloc.kind;
  size_t peer_count = params->of.alloc.peer_count;
  if ((unsigned)kind > CK_ALLOC_MANAGED || peer_count > MOST_PEERS)
    return error_set(CK_INVALID_ARGUMENT, "an allocation of kind %d for %zu peers", (int)kind,
                     peer_count);
  if (peer_count) CK_TRY(need(params, params->of.alloc.peers, "peers"));
  for (size_t i = 0; i < peer_count; ++i) {
    const ck_device_t *peer = params->of.alloc.peers[i];
    CK_TRY(need(params, peer, "peer"));
    if (peer->driver != use->device->driver)
      return error_set(CK_INVALID_ARGUMENT, "peer %zu is '%s', which reaches no memory of '%s'", i,
                       peer->name, use->device->name);
    peers[i] = (CUmemAccessDesc){.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    peers[i].location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    peers[i].location.id = peer->native;
  }
  CUgraphNodeParams native = {.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC};
  CUmemPoolProps *props = &native.alloc.poolProps;
  props->allocType = kind == CK_ALLOC_MANAGED ? ALLOCATION_MANAGED : CU_MEM_ALLOCATION_TYPE_PINNED;
  props->location.type =
      kind == CK_ALLOC_HOST ? CU_MEM_LOCATION_TYPE_HOST : CU_MEM_LOCATION_TYPE_DEVICE;
  if (kind != CK_ALLOC_HOST) props->location.id = use->device->native;
  native.alloc.accessDescs = peer_count ? peers : NULL;
  native.alloc.accessDescCount = peer_count;
  native.alloc.bytesize = params->of.alloc.bytes;
  return use->use(use, &native, NULL);
}

static ck_status_t use_memory_ops(const ck_node_params_t *params, NodeUse *use)
{
  enum { MOST = 256 };
  CUstreamBatchMemOpParams natives[MOST] = {{0}};
  size_t count = params->of.memory_ops.count;
  if (!count || count > MOST)
    return error_set(CK_INVALID_ARGUMENT, "%zu memory operations: a node has 1 to %d", count, MOST);
  CK_TRY(need(params, params->of.memory_ops.ops, "ops"));
  for (size_t i = 0; i < count; ++i) {
    const ck_memory_op_t *op = &params->of.memory_ops.ops[i];
    bool is_wide = op->kind == CK_MEMORY_OP_WAIT_64 || op->kind == CK_MEMORY_OP_WRITE_64;
    bool is_wait = op->kind == CK_MEMORY_OP_WAIT_32 || op->kind == CK_MEMORY_OP_WAIT_64;
    if (!is_wide && !is_wait && op->kind != CK_MEMORY_OP_WRITE_32)
      return error_set(CK_INVALID_ARGUMENT, "memory operation %zu: kind %d is unknown", i,
                       (int)op->kind);
    if (is_wait && (unsigned)op->compare > CK_MEMORY_NOR)
      return error_set(CK_INVALID_ARGUMENT, "memory operation %zu: comparison %d is unknown", i,
                       (int)op->compare);
    CUdeviceptr address;
    CK_TRY(use_place(use, &op->place, is_wide ? 8 : 4, &address));
    if (address % (is_wide ? 8 : 4))
      return error_set(CK_INVALID_ARGUMENT,
                       "memory operation %zu: the address is no multiple of %d", i,
                       is_wide ? 8 : 4);
    natives[i].waitValue.operation = (CUstreamBatchMemOpType)op->kind;
    natives[i].waitValue.address = address;
    natives[i].waitValue.value64 = op->value;
    natives[i].waitValue.flags = is_wait ? (unsigned)op->compare : 0;
  }
  CUgraphNodeParams native = {.type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP};
  native.memOp.ctx = use->device->context;
  native.memOp.count = (unsigned)count;
  native.memOp.paramArray = natives;
  return use->use(use, &native, NULL);
}

static ck_status_t use_condition(const ck_node_params_t *params, NodeUse *use)
{
  uint32_t count = params->of.condition.body_count;
  ck_condition_kind_t kind = params->of.condition.kind;
  uint32_t most = kind == CK_CONDITION_IF ? 2 : kind == CK_CONDITION_WHILE ? 1 : UINT32_MAX;
  if ((unsigned)kind > CK_CONDITION_SWITCH)
    return error_set(CK_INVALID_ARGUMENT, "condition kind %d is unknown", (int)kind);
  if (!params->of.condition.condition)
    return error_set(CK_INVALID_ARGUMENT, "the condition is 0: create one in this definition");
  if (!count || count > most)
    return error_set(CK_INVALID_ARGUMENT, "a condition with %u bodies: this kind has 1 to %u",
                     count, most);
  CUgraphNodeParams native = {.type = CU_GRAPH_NODE_TYPE_CONDITIONAL};
  native.conditional.handle = params->of.condition.condition;
  native.conditional.type = (CUgraphConditionalNodeType)kind;
  native.conditional.size = count;
  native.conditional.ctx = use->device->context;
  return use->use(use, &native, NULL);
}

void node_params_own(const ck_node_params_t *params, const NodeUse *use)
{
  if (params->kind == CK_NODE_HOST)
    graph_keep_own_data(use->host_data, params->of.host.data, params->of.host.release);
}

static ck_status_t check_size(const ck_node_params_t *params)
{
  if (params->struct_size == sizeof *params) return CK_OK;
  return error_set(CK_INVALID_ARGUMENT, "ck_node_params_t: its size is %zu, expected %zu",
                   params->struct_size, sizeof *params);
}

ck_status_t node_params_use(const ck_node_params_t *params, NodeUse *use)
{
  CUgraphNodeParams native = {.type = CU_GRAPH_NODE_TYPE_EMPTY};
  CK_TRY(check_size(params));
  switch (params->kind) {
  case CK_NODE_KERNEL: return use_kernel(params, use);
  case CK_NODE_COPY: return use_copy(params, use);
  case CK_NODE_FILL: return use_fill(params, use);
  case CK_NODE_HOST: return use_host(params, use);
  case CK_NODE_CHILD: return use_child(params, use);
  case CK_NODE_EMPTY: return use->use(use, &native, NULL);
  case CK_NODE_EVENT_WAIT:
  case CK_NODE_EVENT_RECORD: return use_event(params, use);
  case CK_NODE_ALLOC: return use_alloc(params, use);
  case CK_NODE_FREE:
    native.type = CU_GRAPH_NODE_TYPE_MEM_FREE;
    native.free.dptr = params->of.free.address;
    return use->use(use, &native, NULL);
  case CK_NODE_MEMORY_OPS: return use_memory_ops(params, use);
  case CK_NODE_CONDITION: return use_condition(params, use);
  case CK_NODE_SEMAPHORE_SIGNAL:
  case CK_NODE_SEMAPHORE_WAIT:
    return error_set(CK_UNSUPPORTED, "%s node can't be made", graph_a_kind(params->kind));
  }
  return error_set(CK_INVALID_ARGUMENT, "node kind %d is unknown", (int)params->kind);
}

/* how kernels are launched -------------------------------------------------------------------- */

static void note_launch(ck_graph_node_t *node, const NodeUse *use)
{
  for (int i = 0; i < 3; ++i) node->cluster[i] = use->cluster[i];
  node->is_cooperative = use->is_cooperative;
  node->is_launch_known = !use->has_attributes && !node->attribute_count;
}

/* What a driver, or a device, knows nothing of is no attribute of the node. */
static ck_status_t read_attribute(const ck_graph_node_t *node, CUlaunchAttribute *native)
{
  const Driver *driver = node->definition->device->driver;
  CUresult result = driver->cuGraphKernelNodeGetAttribute(node->native, native->id, &native->value);
  if (result == CUDA_ERROR_INVALID_VALUE || result == CUDA_ERROR_NOT_SUPPORTED) {
    memset(&native->value, 0, sizeof native->value);
    return CK_OK;
  }
  return driver_result(driver, result, "cuGraphKernelNodeGetAttribute(node->native, native->id)",
                       __FILE__, __LINE__);
}

static ck_status_t read_attributes(ck_graph_node_t *node)
{
  ck_launch_attribute_t found[LAUNCH_ATTRIBUTE_COUNT];
  size_t count = 0;
  for (unsigned kind = 1; kind < LAUNCH_ATTRIBUTE_KINDS; ++kind) {
    if (!launch_attribute_has(kind, 'N')) continue;
    CUlaunchAttribute native = {.id = (CUlaunchAttributeID)kind};
    CK_TRY(read_attribute(node, &native));
    if (launch_attribute_from(&native, &found[count])) ++count;
  }
  /* Params that were read back point to them: they stay where they are. */
  if (count && !node->attributes)
    node->attributes = memory_new(LAUNCH_ATTRIBUTE_COUNT * sizeof *node->attributes);
  if (count && !node->attributes)
    return error_set(CK_OUT_OF_MEMORY, "host memory is out: attributes");
  if (count) memcpy(node->attributes, found, count * sizeof *node->attributes);
  node->attribute_count = count;
  return CK_OK;
}

static ck_status_t read_launch(ck_graph_node_t *node)
{
  if (node->kind != CK_NODE_KERNEL || node->is_launch_known) return CK_OK;
  const ck_device_t *device = node->definition->device;
  CUlaunchAttributeValue cooperative = {{0}}, cluster = {{0}};
  DRV(device->driver,
      cuGraphKernelNodeGetAttribute(node->native, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &cooperative));
  if (device->limits.has_clusters)
    DRV(device->driver, cuGraphKernelNodeGetAttribute(
                            node->native, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, &cluster));
  node->cluster[0] = cluster.clusterDim.x;
  node->cluster[1] = cluster.clusterDim.y;
  node->cluster[2] = cluster.clusterDim.z;
  node->is_cooperative = cooperative.cooperative;
  CK_TRY(read_attributes(node));
  node->is_launch_known = true;
  return CK_OK;
}

ck_status_t graph_node_read_launch(ck_graph_node_t *node)
{
  if (node->kind != CK_NODE_KERNEL) return CK_OK;
  graph_definition_lock(node->definition);
  ck_status_t status = read_launch(node);
  graph_definition_unlock(node->definition);
  return status;
}

/* A device-updatable node comes back with the handle that kernels have for it. */
static ck_status_t set_attribute(const Driver *driver, CUgraphNode node,
                                 CUlaunchAttribute *attribute)
{
  DRV(driver, cuGraphKernelNodeSetAttribute(node, attribute->id, &attribute->value));
  if (attribute->id == CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE &&
      !attribute->value.deviceUpdatableKernelNode.devNode)
    DRV(driver, cuGraphKernelNodeGetAttribute(node, attribute->id, &attribute->value));
  return CK_OK;
}

/* How large clusters may be comes before how large they are. */
static ck_status_t set_attributes(const Driver *driver, CUgraphNode node,
                                  const CUlaunchConfig *launch)
{
  for (int is_rest = 0; is_rest < 2; ++is_rest)
    for (unsigned i = 0; i < launch->numAttrs; ++i)
      if ((launch->attrs[i].id != CU_LAUNCH_ATTRIBUTE_PORTABLE_CLUSTER_SIZE_MODE) == is_rest)
        CK_TRY(set_attribute(driver, node, &launch->attrs[i]));
  return CK_OK;
}

/* Whether the driver takes the attributes is tried out in a graph of its own: a node is not taken
 * out of a graph that has memory, and of one that has others they may not come back. */
static ck_status_t try_attributes(const Driver *driver, CUgraphNodeParams *native,
                                  const CUlaunchConfig *launch)
{
  CUgraph graph;
  CUgraphNode node;
  CUlaunchAttribute attributes[LAUNCH_ATTRIBUTE_KINDS];
  CUlaunchConfig own = *launch;
  if (!launch->numAttrs) return CK_OK;
  memcpy(attributes, launch->attrs, launch->numAttrs * sizeof *attributes);
  own.attrs = attributes; /* what comes back is of that node */
  DRV(driver, cuGraphCreate(&graph, 0));
  ck_status_t status = DRV_STATUS(driver, cuGraphAddNode(&node, graph, NULL, NULL, 0, native));
  if (status == CK_OK) status = set_attributes(driver, node, &own);
  driver->cuGraphDestroy(graph);
  return status;
}

/* adding --------------------------------------------------------------------------------------- */

typedef struct AddNode {
  ck_graph_definition_t *definition;
  ck_graph_node_t *node; /* not in the definition yet */
  const GraphPlace *place;
  CUgraphNode native;    /* out */
  ck_node_kind_t kind;   /* out: a kernel without blocks is an empty node */
  CUdeviceptr address;   /* out: of an allocation */
  const CUgraph *bodies; /* out: of a condition; the driver's */
} AddNode;

static ck_status_t make_room_for_bodies(ck_graph_node_t *node, size_t count)
{
  node->bodies = memory_new(count * sizeof *node->bodies);
  node->graphs = memory_new(count * sizeof(ck_graph_definition_t *));
  if (node->bodies && node->graphs) return CK_OK;
  return error_set(CK_OUT_OF_MEMORY, "host memory is out: %zu bodies", count);
}

/* Nothing can fail behind the driver's call. */
static ck_status_t add(NodeUse *use, CUgraphNodeParams *native, const CUlaunchConfig *launch)
{
  AddNode *self = use->data;
  const Driver *driver = use->device->driver;
  self->kind = (ck_node_kind_t)native->type;
  if (native->type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
    CK_TRY(make_room_for_bodies(self->node, native->conditional.size));
  CK_TRY(device_enter(use->device));
  ck_status_t status = launch ? try_attributes(driver, native, launch) : CK_OK;
  if (status == CK_OK)
    status = DRV_STATUS(driver,
                        cuGraphAddNode(&self->native, self->definition->native, self->place->after,
                                       self->place->data, self->place->count, native));
  if (launch && status == CK_OK) status = set_attributes(driver, self->native, launch);
  device_leave(use->device);
  if (native->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC) self->address = native->alloc.dptr;
  if (native->type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
    self->bodies = native->conditional.phGraph_out;
  if (status == CK_DRIVER && ck_last_driver_error() == CUDA_ERROR_INVALID_VALUE)
    return error_within(CK_INVALID_ARGUMENT, "the driver takes no such %s node",
                        ck_node_kind_name((ck_node_kind_t)native->type));
  return status;
}

/* What the object has of the node, and keeps. */
static void describe(const AddNode *self, const NodeUse *use, const ck_node_params_t *params)
{
  ck_graph_node_t *node = self->node;
  graph_node_put(node, self->native, self->kind);
  if (params->kind == CK_NODE_CONDITION && self->bodies) {
    node->graph_count = params->of.condition.body_count;
    for (size_t i = 0; i < node->graph_count; ++i) node->bodies[i] = self->bodies[i];
    node->condition = params->of.condition.condition;
    node->condition_kind = params->of.condition.kind;
  }
  note_launch(node, use);
  if (use->keep != self->place->keep) node->keep = graph_keep_retain(use->keep);
}

ck_status_t graph_add_node(ck_graph_definition_t *definition, const GraphPlace *place,
                           ck_node_params_t *params, ck_graph_node_t **out_node)
{
  bool is_child = params->kind == CK_NODE_CHILD;
  GraphKeep *keep = place->keep && !is_child ? graph_keep_retain(place->keep) : graph_keep_new();
  if (!keep) return CK_OUT_OF_MEMORY;
  AddNode self = {.definition = definition, .place = place, .node = graph_node_new(definition)};
  NodeUse use = {.device = definition->device,
                 .root = definition->root,
                 .keep = keep,
                 .use = add,
                 .data = &self};
  ck_status_t status = self.node ? node_params_use(params, &use)
                                 : error_set(CK_OUT_OF_MEMORY, "host memory is out: a node");
  /* What the driver can't take back any more stays, with what it uses. */
  if (status != CK_OK && self.native &&
      definition->device->driver->cuGraphDestroyNode(self.native) == CUDA_SUCCESS)
    self.native = NULL;
  if (self.native) describe(&self, &use, params);
  else graph_nodes_free(self.node);
  graph_keep_release(keep);
  CK_TRY(status);
  if (params->kind == CK_NODE_ALLOC) params->of.alloc.address = self.address;
  if (is_child) graph_node_share_keep(self.node, params->of.child.definition);
  node_params_own(params, &use);
  *out_node = self.node;
  return CK_OK;
}

/* The driver's handles of the nodes that a node comes after. */
static ck_status_t read_after(const ck_graph_definition_t *definition,
                              ck_graph_node_t *const *after, size_t count, CUgraphNode *natives)
{
  for (size_t i = 0; i < count; ++i) {
    if (!after[i] || after[i]->definition != definition)
      return error_set(CK_INVALID_ARGUMENT, "after[%zu] is %s", i,
                       after[i] ? "a node of another definition" : "NULL");
    natives[i] = after[i]->native;
  }
  return CK_OK;
}

static ck_status_t add_after(ck_graph_definition_t *definition, ck_graph_node_t *const *after,
                             size_t after_count, ck_node_params_t *params,
                             ck_graph_node_t **out_node)
{
  static const char name[] = "ck_graph_definition_add";
  CK_NEED_ARG_OF(name, definition);
  CK_NEED_ARG_OF(name, params);
  if (after_count) CK_NEED_ARG_OF(name, after);
  CK_TRY(graph_definition_check(definition));
  graph_collect();
  CUgraphNode few[16], *natives = few;
  if (after_count > COUNT_OF(few)) natives = memory_new(after_count * sizeof *natives);
  if (!natives) return error_set(CK_OUT_OF_MEMORY, "host memory is out: %zu edges", after_count);
  GraphPlace place = {.after = natives, .count = after_count};
  ck_status_t status = read_after(definition, after, after_count, natives);
  if (status == CK_OK) status = graph_add_node(definition, &place, params, out_node);
  if (natives != few) memory_free(natives);
  return status;
}

ck_status_t ck_graph_definition_add(ck_graph_definition_t *definition,
                                    ck_graph_node_t *const *after, size_t after_count,
                                    ck_node_params_t *params, ck_graph_node_t **out_node)
{
  ck_graph_node_t *node = NULL; /* `after` and `out_node` may be one place */
  ck_status_t status = add_after(definition, after, after_count, params, &node);
  if (out_node) *out_node = node;
  return status;
}

_Atomic(uint64_t) graph_node_changes;

/* changing and removing ------------------------------------------------------------------------ */

/* Attributes that were taken off a kernel's node, as they were. */
typedef struct TakenOff {
  CUlaunchAttribute attributes[LAUNCH_ATTRIBUTE_COUNT + 2];
  unsigned count;
} TakenOff;

typedef struct ChangeNode {
  ck_graph_node_t *node;
  GraphKeep *both; /* retained; what the node is and shall be; of a kernel with attributes */
  bool is_changed; /* the driver has the params, if not all attributes */
} ChangeNode;

static ck_status_t take_off(const Driver *driver, CUgraphNode node, CUlaunchAttributeID id,
                            TakenOff *off)
{
  CUlaunchAttribute *old = &off->attributes[off->count];
  CUlaunchAttributeValue plain = launch_attribute_plain(id);
  old->id = id;
  DRV(driver, cuGraphKernelNodeGetAttribute(node, id, &old->value));
  ck_status_t status = DRV_STATUS(driver, cuGraphKernelNodeSetAttribute(node, id, &plain));
  if (status == CK_OK) ++off->count;
  return status;
}

static bool has_attribute(const CUlaunchConfig *launch, CUlaunchAttributeID id)
{
  for (unsigned i = 0; i < launch->numAttrs; ++i)
    if (launch->attrs[i].id == id) return true;
  return false;
}

/* The driver keeps what a node has and the new launch has not, and refuses a grid that its clusters
 * do not divide and a kernel that was compiled for others. What kernels may change stays that. */
static ck_status_t take_off_rest(const NodeUse *use, const ck_graph_node_t *node,
                                 const CUlaunchConfig *launch, TakenOff *off)
{
  const Driver *driver = use->device->driver;
  const CUlaunchAttributeID preferred = CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION;
  /* First what stands on others: a preferred cluster on the cluster, that on its mode. */
  for (size_t i = 0; i < node->attribute_count; ++i)
    if ((CUlaunchAttributeID)node->attributes[i].kind == preferred)
      CK_TRY(take_off(driver, node->native, preferred, off));
  if (node->cluster[0] && memcmp(node->cluster, use->cluster, sizeof node->cluster) != 0)
    CK_TRY(take_off(driver, node->native, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, off));
  if (node->is_cooperative && !use->is_cooperative)
    CK_TRY(take_off(driver, node->native, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, off));
  for (size_t i = 0; i < node->attribute_count; ++i) {
    CUlaunchAttributeID id = (CUlaunchAttributeID)node->attributes[i].kind;
    if (id != preferred && id != CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE &&
        !has_attribute(launch, id))
      CK_TRY(take_off(driver, node->native, id, off));
  }
  return CK_OK;
}

/* The first failure is the one to tell. */
static void put_back(const Driver *driver, CUgraphNode node, const TakenOff *off)
{
  for (unsigned i = off->count; i > 0; --i)
    driver->cuGraphKernelNodeSetAttribute(node, off->attributes[i - 1].id,
                                          &off->attributes[i - 1].value);
}

/* With attributes to set behind it, a change may fail half way: the node has both, then. */
static ck_status_t keep_both(ChangeNode *self, GraphKeep *keep)
{
  self->both = graph_keep_new();
  if (!self->both) return CK_OUT_OF_MEMORY;
  CK_TRY(graph_keep_keep(self->both, keep));
  return self->node->keep ? graph_keep_keep(self->both, self->node->keep) : CK_OK;
}

static ck_status_t change(NodeUse *use, CUgraphNodeParams *native, const CUlaunchConfig *launch)
{
  ChangeNode *self = use->data;
  ck_graph_node_t *node = self->node;
  if (native->type != (CUgraphNodeType)node->kind)
    return error_set(CK_INVALID_ARGUMENT, "the node is %s, the params are %s",
                     graph_a_kind(node->kind), graph_a_kind((ck_node_kind_t)native->type));
  const Driver *driver = use->device->driver;
  TakenOff off = {.count = 0};
  CK_TRY(graph_node_read_launch(node));
  if (launch && launch->numAttrs) CK_TRY(keep_both(self, use->keep));
  CK_TRY(device_enter(use->device));
  ck_status_t status = launch ? try_attributes(driver, native, launch) : CK_OK;
  if (status == CK_OK && launch) status = take_off_rest(use, node, launch, &off);
  if (status == CK_OK) status = DRV_STATUS(driver, cuGraphNodeSetParams(node->native, native));
  if (status == CK_OK) {
    self->is_changed = true;
    if (launch) status = set_attributes(driver, node->native, launch);
  } else put_back(driver, node->native, &off);
  node->changed_at = atomic_fetch_add(&graph_node_changes, 1) + 1;
  device_leave(use->device);
  return status;
}

ck_status_t graph_check_change(const ck_graph_node_t *node, const ck_node_params_t *params)
{
  if (params->kind != node->kind)
    return error_set(CK_INVALID_ARGUMENT, "the node is %s, the params are %s",
                     graph_a_kind(node->kind), graph_a_kind(params->kind));
  if (node->kind == CK_NODE_ALLOC || node->kind == CK_NODE_FREE || node->kind == CK_NODE_CONDITION)
    return error_set(CK_UNSUPPORTED, "%s node can't be changed", graph_a_kind(node->kind));
  return CK_OK;
}

/* The node has what it was changed to; returns what it had. */
static GraphKeep *take_over(ck_graph_node_t *node, GraphKeep *keep)
{
  GraphKeep *old = node->keep;
  node->keep = keep;
  return old;
}

ck_status_t ck_graph_node_set_params(ck_graph_node_t *node, const ck_node_params_t *params)
{
  CK_NEED_ARG(node);
  CK_NEED_ARG(params);
  CK_TRY(graph_definition_check(node->definition));
  CK_TRY(graph_check_change(node, params));
  graph_collect();
  GraphKeep *keep = graph_keep_new();
  if (!keep) return CK_OUT_OF_MEMORY;
  ck_graph_definition_t *root = node->definition->root;
  ck_graph_node_t *parts = NULL;
  ChangeNode self = {.node = node};
  NodeUse use = {.device = root->device,
                 .root = root,
                 .keep = keep,
                 .old = node->keep,
                 .use = change,
                 .data = &self};
  ck_status_t status = node_params_use(params, &use);
  if (status == CK_OK) {
    node_params_own(params, &use);
    keep = take_over(node, keep);
    note_launch(node, &use);
    parts = graph_node_bury_graphs(node);
    if (node->kind == CK_NODE_CHILD) graph_node_share_keep(node, params->of.child.definition);
  } else if (self.is_changed && self.both) {
    self.both = take_over(node, self.both);
    node->is_launch_known = false;
  }
  graph_keep_release(self.both);
  graph_keep_release(keep); /* last: what is given back may call this library */
  graph_nodes_free(parts);
  graph_collect();
  return status;
}

ck_status_t ck_graph_node_destroy(ck_graph_node_t *node)
{
  CK_NEED_ARG(node);
  ck_graph_definition_t *root = node->definition->root;
  CK_TRY(graph_definition_check_ended(root));
  DRV(root->device->driver, cuGraphDestroyNode(node->native));
  graph_definition_forget(node);
  graph_collect();
  return CK_OK;
}

ck_status_t graph_node_graph(ck_graph_node_t *node, size_t index,
                             ck_graph_definition_t **out_definition)
{
  ck_graph_definition_t *root = node->definition->root;
  CK_TRY(graph_definition_check(node->definition));
  if (node->kind == CK_NODE_CHILD && !node->graphs) {
    node->graphs = memory_new(sizeof(ck_graph_definition_t *));
    if (!node->graphs) return error_set(CK_OUT_OF_MEMORY, "host memory is out: a child");
    node->graph_count = 1;
  }
  if (index >= node->graph_count)
    return error_set(CK_INVALID_ARGUMENT,
                     "this %s node has %zu graphs in it, there is no number "
                     "%zu",
                     ck_node_kind_name(node->kind), node->graph_count, index);
  if (!node->graphs[index]) {
    CUgraph native = NULL;
    if (node->kind == CK_NODE_CHILD)
      DRV(root->device->driver, cuGraphChildGraphNodeGetGraph(node->native, &native));
    else native = node->bodies[index];
    ck_graph_definition_t *inner = object_new(sizeof *inner);
    if (!inner) return CK_OUT_OF_MEMORY;
    inner->root = root;
    inner->device = root->device;
    inner->node = node;
    inner->native = native;
    node->graphs[index] = inner;
  }
  *out_definition = node->graphs[index];
  return CK_OK;
}

ck_status_t ck_graph_node_get_graph(ck_graph_node_t *node, size_t index,
                                    ck_graph_definition_t **out_definition)
{
  CK_NEED_ARG(out_definition);
  *out_definition = NULL;
  CK_NEED_ARG(node);
  graph_definition_lock(node->definition);
  ck_status_t status = graph_node_graph(node, index, out_definition);
  if (status == CK_OK) (*out_definition)->is_given = true;
  graph_definition_unlock(node->definition);
  return status;
}

/* reading back --------------------------------------------------------------------------------- */

/* The node has it, one that it is a part of, or a capture. */
static ck_kernel_t *find_kernel(const ck_graph_node_t *node, const void *native)
{
  ck_kernel_t *kernel = NULL;
  const ck_graph_definition_t *root = node->definition->root;
  for (; node && !kernel; node = node->definition->node)
    if (node->keep) kernel = graph_keep_find_kernel(node->keep, native);
  for (size_t i = 0; i < root->keep_count && !kernel; ++i)
    kernel = graph_keep_find_kernel(root->keeps[i], native);
  return kernel;
}

static ck_status_t get_kernel(ck_graph_node_t *node, ck_node_params_t *out)
{
  const Driver *driver = node->definition->device->driver;
  CUDA_KERNEL_NODE_PARAMS native = {0};
  DRV(driver, cuGraphKernelNodeGetParams(node->native, &native));
  CK_TRY(read_launch(node));
  out->of.kernel.kernel = native.kern ? find_kernel(node, native.kern) : NULL;
  if (!out->of.kernel.kernel && native.func && device_enter_quietly(node->definition->device)) {
    out->of.kernel.kernel = find_kernel(node, native.func);
    device_leave(node->definition->device);
  }
  ck_launch_config_t *config = &out->of.kernel.config;
  *config = (ck_launch_config_t){.struct_size = sizeof *config,
                                 .grid = {native.gridDimX, native.gridDimY, native.gridDimZ},
                                 .block = {native.blockDimX, native.blockDimY, native.blockDimZ},
                                 .cluster = {node->cluster[0], node->cluster[1], node->cluster[2]},
                                 .flags = node->is_cooperative ? CK_LAUNCH_COOPERATIVE : 0,
                                 .dynamic_shared_bytes = native.sharedMemBytes,
                                 .attributes = node->attributes,
                                 .attribute_count = node->attribute_count};
  return CK_OK;
}

static ck_status_t get_copy(const ck_graph_node_t *node, ck_node_params_t *out)
{
  CUDA_MEMCPY3D c = {0};
  DRV(node->definition->device->driver, cuGraphMemcpyNodeGetParams(node->native, &c));
  if (c.dstMemoryType == CU_MEMORYTYPE_ARRAY || c.srcMemoryType == CU_MEMORYTYPE_ARRAY)
    return error_set(CK_UNSUPPORTED, "the node copies an array, which ck_node_params_t has not");
  bool is_dst_host = c.dstMemoryType == CU_MEMORYTYPE_HOST;
  bool is_src_host = c.srcMemoryType == CU_MEMORYTYPE_HOST;
  out->of.copy.dst = ck_at_address(is_dst_host ? (uintptr_t)c.dstHost : c.dstDevice);
  out->of.copy.src = ck_at_address(is_src_host ? (uintptr_t)c.srcHost : c.srcDevice);
  out->of.copy.dst.offset += c.dstXInBytes + (c.dstY + c.dstZ * c.dstHeight) * c.dstPitch;
  out->of.copy.src.offset += c.srcXInBytes + (c.srcY + c.srcZ * c.srcHeight) * c.srcPitch;
  out->of.copy.bytes = c.WidthInBytes;
  out->of.copy.rows = c.Height;
  out->of.copy.slices = c.Depth;
  out->of.copy.dst_pitch = c.dstPitch;
  out->of.copy.src_pitch = c.srcPitch;
  out->of.copy.dst_height = c.dstHeight;
  out->of.copy.src_height = c.srcHeight;
  return CK_OK;
}

static ck_status_t get_fill(const ck_graph_node_t *node, ck_node_params_t *out)
{
  CUDA_MEMSET_NODE_PARAMS native = {0};
  DRV(node->definition->device->driver, cuGraphMemsetNodeGetParams(node->native, &native));
  out->of.fill.dst = ck_at_address(native.dst);
  out->of.fill.value = native.value;
  out->of.fill.value_bytes = native.elementSize;
  out->of.fill.count = native.width;
  out->of.fill.rows = native.height;
  out->of.fill.pitch = native.pitch;
  return CK_OK;
}

static ck_status_t get_event(const ck_graph_node_t *node, ck_node_params_t *out)
{
  const Driver *driver = node->definition->device->driver;
  CUevent native = NULL;
  if (node->kind == CK_NODE_EVENT_WAIT)
    DRV(driver, cuGraphEventWaitNodeGetEvent(node->native, &native));
  else DRV(driver, cuGraphEventRecordNodeGetEvent(node->native, &native));
  out->of.event.native = native;
  for (; node && !out->of.event.event; node = node->definition->node)
    if (node->keep) out->of.event.event = graph_keep_find_event(node->keep, native);
  return CK_OK;
}

static ck_status_t get_params(ck_graph_node_t *node, ck_node_params_t *out_params)
{
  const Driver *driver = node->definition->device->driver;
  CK_TRY(graph_definition_check(node->definition));
  *out_params = ck_node_empty();
  out_params->kind = node->kind;
  switch (node->kind) {
  case CK_NODE_KERNEL: return get_kernel(node, out_params);
  case CK_NODE_COPY: return get_copy(node, out_params);
  case CK_NODE_FILL: return get_fill(node, out_params);
  case CK_NODE_HOST: {
    CUDA_HOST_NODE_PARAMS native = {0};
    DRV(driver, cuGraphHostNodeGetParams(node->native, &native));
    out_params->of.host.function = native.fn;
    out_params->of.host.data = native.userData;
    return CK_OK;
  }
  case CK_NODE_CHILD:
    CK_TRY(graph_node_graph(node, 0, &out_params->of.child.definition));
    out_params->of.child.definition->is_given = true;
    return CK_OK;
  case CK_NODE_EMPTY: return CK_OK;
  case CK_NODE_EVENT_WAIT:
  case CK_NODE_EVENT_RECORD: return get_event(node, out_params);
  case CK_NODE_ALLOC: {
    CUDA_MEM_ALLOC_NODE_PARAMS native = {0};
    DRV(driver, cuGraphMemAllocNodeGetParams(node->native, &native));
    out_params->of.alloc.bytes = native.bytesize;
    out_params->of.alloc.kind = native.poolProps.allocType == ALLOCATION_MANAGED ? CK_ALLOC_MANAGED
                                : native.poolProps.location.type == CU_MEM_LOCATION_TYPE_DEVICE
                                    ? CK_ALLOC_DEVICE
                                    : CK_ALLOC_HOST;
    out_params->of.alloc.peer_count = native.accessDescCount;
    out_params->of.alloc.address = native.dptr;
    return CK_OK;
  }
  case CK_NODE_FREE: {
    CUdeviceptr address = 0;
    DRV(driver, cuGraphMemFreeNodeGetParams(node->native, &address));
    out_params->of.free.address = address;
    return CK_OK;
  }
  case CK_NODE_MEMORY_OPS: {
    CUDA_BATCH_MEM_OP_NODE_PARAMS native = {0};
    DRV(driver, cuGraphBatchMemOpNodeGetParams(node->native, &native));
    out_params->of.memory_ops.count = native.count;
    return CK_OK;
  }
  case CK_NODE_CONDITION:
    out_params->of.condition.condition = node->condition;
    out_params->of.condition.kind = node->condition_kind;
    out_params->of.condition.body_count = (uint32_t)node->graph_count;
    return CK_OK;
  case CK_NODE_SEMAPHORE_SIGNAL:
  case CK_NODE_SEMAPHORE_WAIT: break;
  }
  return error_set(CK_UNSUPPORTED, "%s node can't be read", graph_a_kind(node->kind));
}

ck_status_t ck_graph_node_get_params(ck_graph_node_t *node, ck_node_params_t *out_params)
{
  CK_NEED_ARG(node);
  CK_NEED_ARG(out_params);
  CK_TRY(check_size(out_params));
  graph_definition_lock(node->definition);
  ck_status_t status = get_params(node, out_params);
  graph_definition_unlock(node->definition);
  return status;
}
