/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* kind.c - the kinds of nodes: from a node's params to the driver's and back, a row for each kind.
 *
 * A row's `send` checks the params, adds the objects in them to the call's keep, fills in the
 * driver's params and then calls call->send, which adds the node or changes it:
 *
 *   ck_graph_definition_add ----+                            +-> add     (node.c)
 *   ck_graph_node_set_params ---+-> graph_node_send -> row --+-> change  (node.c)
 *   ck_graph_update_node -------+                            +-> change  (graph.c)
 *
 * The row calls it, instead of returning the params, because they point to arrays on its stack. A
 * row's `read` fills in params from the driver's.
 */
#include <stdint.h>
#include <string.h>

#include "graph.h"

_Static_assert(CK_NODE_CONDITION == (int)CU_GRAPH_NODE_TYPE_CONDITIONAL &&
                   CK_NODE_MEMORY_OPS == (int)CU_GRAPH_NODE_TYPE_BATCH_MEM_OP &&
                   CK_NODE_EVENT_WAIT == (int)CU_GRAPH_NODE_TYPE_WAIT_EVENT &&
                   CK_NODE_ALLOC == (int)CU_GRAPH_NODE_TYPE_MEM_ALLOC &&
                   CK_MEMORY_OP_WAIT_64 == (int)CU_STREAM_MEM_OP_WAIT_VALUE_64 &&
                   CK_MEMORY_OP_WRITE_64 == (int)CU_STREAM_MEM_OP_WRITE_VALUE_64 &&
                   CK_MEMORY_NOR == (int)CU_STREAM_WAIT_VALUE_NOR &&
                   CK_CONDITION_SWITCH == (int)CU_GRAPH_COND_TYPE_SWITCH,
               "the public numbers are the driver's");
_Static_assert(offsetof(CUgraphNodeParams, eventRecord.event) ==
                   offsetof(CUgraphNodeParams, eventWait.event),
               "events");

/* The grid, the block and the shared memory, which stand first in a launch's struct of the driver's
 * and in the same order in a kernel node's. */
enum { SHAPE_BYTES = offsetof(CUlaunchConfig, sharedMemBytes) + sizeof(unsigned) };
_Static_assert(offsetof(CUDA_KERNEL_NODE_PARAMS, sharedMemBytes) + sizeof(unsigned) ==
                   offsetof(CUDA_KERNEL_NODE_PARAMS, gridDimX) + SHAPE_BYTES,
               "shapes of launches");

/* CU_MEM_ALLOCATION_TYPE_MANAGED of CUDA 13. */
#define ALLOCATION_MANAGED ((CUmemAllocationType)2)

static const Driver *driver_of(const ck_graph_node_t *node)
{
  return node->definition->device->driver;
}

/* CK_INVALID_ARGUMENT if a field of the params is NULL. */
static ck_status_t need(const NodeCall *call, const void *pointer, const char *field)
{
  if (pointer) return CK_OK;
  return error_argument("%s node's %s is NULL", graph_node_kind(call->params->kind)->name, field);
}

/* kernels -------------------------------------------------------------------------------------- */

static ck_status_t send_launch(const CUlaunchConfig *launch, void **slots, void *data)
{
  NodeCall *call = data;
  const __typeof__(call->params->of.kernel) *params = &call->params->of.kernel;
  CUDA_KERNEL_NODE_PARAMS *native = &call->native.kernel;
  for (unsigned i = 0; i < launch->numAttrs; ++i) {
    const CUlaunchAttributeID id = launch->attrs[i].id;
    const char *name = id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION
                           ? "programmatic launch"
                           : ck_launch_attribute_name((ck_launch_attribute_kind_t)id);
    if (*name != '?' && !launch_attribute_has(id, 'N'))
      return error_unsupported("a node has no %s: capture it", name);
  }
  native->kern = params->kernel->native;
  native->ctx = params->kernel->device->context;
  memcpy(&native->gridDimX, launch, SHAPE_BYTES);
  native->kernelParams = slots;
  call->launch = launch;
  CK_TRY(graph_keep_launch(call->keep, call->old, params->kernel, params->args, params->arg_count));
  CK_TRY(launch_attributes_keep(&params->config, call->keep));
  CK_TRY(call->send(call));
  return launch_attributes_done(&params->config, launch, NULL);
}

static ck_status_t send_kernel(NodeCall *call)
{
  const __typeof__(call->params->of.kernel) *params = &call->params->of.kernel;
  ck_kernel_t *kernel = params->kernel;
  CK_TRY(need(call, kernel, "kernel"));
  if (!device_same(kernel->device, call->device))
    return error_argument("kernel '%s' is of '%s', the graph of '%s'", kernel->name,
                          kernel->device->name, call->device->name);
  if (kernel->scratch)
    return error_unsupported("kernel '%s' has scratch memory, a node has none: capture it",
                             kernel->name);
  bool is_empty;
  CK_TRY(launch_check(params->config.struct_size ? &params->config : NULL, kernel, params->args,
                      params->arg_count, send_launch, call, &is_empty));
  if (!is_empty) return CK_OK;
  call->native.type = CU_GRAPH_NODE_TYPE_EMPTY;
  return call->send(call);
}

/* A kernel or an event that the node keeps, or a node around it, or a capture. */
static void *find_kept(const ck_graph_node_t *node, const RefKind *kind, const void *native)
{
  CUdeviceptr key = (uintptr_t)native;
  GraphKeep *captured = node->definition->root->captured;
  void *found = NULL;
  for (; native && node && !found; node = node->definition->node)
    found = graph_keep_find(node->keep, kind, key).object;
  return native && !found ? graph_keep_find(captured, kind, key).object : found;
}

static ck_status_t read_kernel(ck_graph_node_t *node, ck_node_params_t *out)
{
  CUDA_KERNEL_NODE_PARAMS native = {0};
  ck_kernel_t **kernel = &out->of.kernel.kernel;
  ck_launch_config_t *config = &out->of.kernel.config;
  const NodeLaunch *launch;
  DRV(driver_of(node), cuGraphKernelNodeGetParams(node->native, &native));
  CK_TRY(graph_node_read_launch(node, &launch));
  NodeShape shape = graph_shape_of(launch->natives, launch->native_count);
  *kernel = find_kept(node, &kernel_ref, native.kern);
  if (!*kernel && native.func)
    CLEAN_UP(node->definition->device, *kernel = find_kept(node, &kernel_ref, native.func));
  *config = (ck_launch_config_t){.struct_size = sizeof *config,
                                 .flags = shape.is_cooperative ? CK_LAUNCH_COOPERATIVE : 0,
                                 .dynamic_shared_bytes = native.sharedMemBytes,
                                 .attributes = launch->attributes,
                                 .attribute_count = launch->attribute_count};
  memcpy(config->grid, &native.gridDimX, sizeof config->grid);
  memcpy(config->block, &native.blockDimX, sizeof config->block);
  memcpy(config->cluster, shape.cluster, sizeof config->cluster);
  return CK_OK;
}

/* memory --------------------------------------------------------------------------------------- */

/* The address of `bytes` bytes at a place. Keeps the buffer there. */
static ck_status_t use_place(NodeCall *call, const ck_node_place_t *place, size_t bytes,
                             CUdeviceptr *out_address)
{
  const ck_buffer_t *buffer = place->buffer;
  *out_address = place->offset;
  if (!buffer && !place->offset) return error_argument("a node's memory is at the address 0");
  if (!buffer && bytes > UINT64_MAX - place->offset)
    return error_argument("the address 0x%llx and what is behind it is no memory",
                          (unsigned long long)place->offset);
  if (!buffer) return graph_keep_address(call->keep, call->old, place->offset);
  if (buffer->device->driver != call->device->driver)
    return error_argument("a buffer is of '%s', the graph of '%s'", buffer->device->name,
                          call->device->name);
  if (place->offset > buffer->bytes || bytes > buffer->bytes - place->offset)
    return error_argument("%zu bytes at offset %zu, the buffer has %zu bytes", bytes,
                          (size_t)place->offset, buffer->bytes);
  *out_address = buffer->address + place->offset;
  return graph_keep_buffer(call->keep, buffer);
}

/* Device or host memory. Addresses that the driver doesn't know are host memory. */
static CUmemorytype type_of(const NodeCall *call, CUdeviceptr address)
{
  unsigned type = 0; /* stays 0 for unknown addresses */
  CUpointer_attribute which = CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
  void *out = &type;
  if (!call->device->driver->traits->has_cpu_memory)
    (void)call->device->driver->cuPointerGetAttributes(1, &which, &out, address);
  return type == CU_MEMORYTYPE_DEVICE ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
}

static ck_status_t send_copy(NodeCall *call)
{
  ck_node_params_t own = *call->params;
  __typeof__(own.of.copy) copy = own.of.copy;
  CUDA_MEMCPY3D *c = &call->native.memcpy.copyParams;
  CUdeviceptr dst, src;
  if (!copy.bytes) return error_argument("a copy of 0 bytes");
  if (!copy.rows) copy.rows = 1;
  if (!copy.slices) copy.slices = 1;
  if (!copy.dst_height) copy.dst_height = copy.rows;
  if (!copy.src_height) copy.src_height = copy.rows;
  if (!copy.dst_pitch) copy.dst_pitch = copy.bytes;
  if (!copy.src_pitch) copy.src_pitch = copy.bytes;
  if (copy.dst_pitch < copy.bytes || copy.src_pitch < copy.bytes || copy.dst_height < copy.rows ||
      copy.src_height < copy.rows)
    return error_argument("a copy's pitch or height is less than what it copies");
  size_t dst_bytes = box_bytes(copy.bytes, copy.rows, copy.slices, copy.dst_pitch, copy.dst_height);
  size_t src_bytes = box_bytes(copy.bytes, copy.rows, copy.slices, copy.src_pitch, copy.src_height);
  CK_TRY(use_place(call, &copy.dst, dst_bytes, &dst));
  CK_TRY(use_place(call, &copy.src, src_bytes, &src));
  if (copy.rows == 1 && copy.slices == 1 && dst != src &&
      (dst - src < copy.bytes || src - dst < copy.bytes))
    return error_argument("a copy of %zu bytes to where they overlap", copy.bytes);
  call->native.memcpy.copyCtx = call->device->context;
  c->dstMemoryType = type_of(call, dst);
  c->srcMemoryType = type_of(call, src);
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
  return call->send(call);
}

static ck_status_t read_copy(ck_graph_node_t *node, ck_node_params_t *out)
{
  CUDA_MEMCPY3D c = {0};
  DRV(driver_of(node), cuGraphMemcpyNodeGetParams(node->native, &c));
  if (c.dstMemoryType == CU_MEMORYTYPE_ARRAY || c.srcMemoryType == CU_MEMORYTYPE_ARRAY)
    return error_unsupported("the node copies an array, which ck_node_params_t has not");
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

static ck_status_t send_fill(NodeCall *call)
{
  ck_node_params_t own = *call->params;
  __typeof__(own.of.fill) fill = own.of.fill;
  CUDA_MEMSET_NODE_PARAMS_v2 *native = &call->native.memset;
  size_t bytes, width = fill.value_bytes;
  if (width != 1 && width != 2 && width != 4)
    return error_argument("a value has 1, 2 or 4 bytes, not %zu", width);
  if (!fill.count) return error_argument("a fill of 0 values");
  if (!fill.rows) fill.rows = 1;
  if (__builtin_mul_overflow(fill.count, width, &bytes)) bytes = SIZE_MAX;
  if (fill.rows > 1 && fill.pitch < bytes)
    return error_argument("a fill's pitch is %zu, its rows have %zu bytes", fill.pitch, bytes);
  if (fill.rows > 1 && fill.pitch % width)
    return error_argument("a fill's pitch is %zu, no multiple of its values' %zu bytes", fill.pitch,
                          width);
  CK_TRY(use_place(call, &fill.dst, box_bytes(bytes, fill.rows, 1, fill.pitch, fill.rows),
                   &native->dst));
  if (native->dst % width)
    return error_argument("the address of a fill is no multiple of %zu", width);
  native->pitch = fill.pitch;
  native->value = width == 4 ? fill.value : fill.value & ((1u << 8 * width) - 1);
  native->elementSize = (unsigned)width;
  native->width = fill.count;
  native->height = fill.rows;
  native->ctx = call->device->context;
  return call->send(call);
}

static ck_status_t read_fill(ck_graph_node_t *node, ck_node_params_t *out)
{
  CUDA_MEMSET_NODE_PARAMS native = {0};
  DRV(driver_of(node), cuGraphMemsetNodeGetParams(node->native, &native));
  out->of.fill.dst = ck_at_address(native.dst);
  out->of.fill.value = native.value;
  out->of.fill.value_bytes = native.elementSize;
  out->of.fill.count = native.width;
  out->of.fill.rows = native.height;
  out->of.fill.pitch = native.pitch;
  return CK_OK;
}

static ck_status_t send_alloc(NodeCall *call)
{
  const __typeof__(call->params->of.alloc) *params = &call->params->of.alloc;
  enum { MOST_PEERS = 64 };
  CUmemAccessDesc peers[MOST_PEERS];
  size_t count = params->peer_count;
  if (!params->bytes) return error_argument("an allocation of 0 bytes");
  if ((unsigned)params->kind > CK_ALLOC_MANAGED || count > MOST_PEERS)
    return error_argument("an allocation of kind %d for %zu peers", (int)params->kind, count);
  if (count) CK_TRY(need(call, params->peers, "peers"));
  for (size_t i = 0; i < count; ++i) {
    const ck_device_t *peer = params->peers[i];
    CK_TRY(need(call, peer, "peer"));
    if (peer->driver != call->device->driver)
      return error_argument("peer %zu is '%s', which reaches no memory of '%s'", i, peer->name,
                            call->device->name);
    peers[i] = (CUmemAccessDesc){.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    peers[i].location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    peers[i].location.id = peer->native;
  }
  CUmemPoolProps *props = &call->native.alloc.poolProps;
  bool is_managed = params->kind == CK_ALLOC_MANAGED, is_hosts = params->kind == CK_ALLOC_HOST;
  props->allocType = is_managed ? ALLOCATION_MANAGED : CU_MEM_ALLOCATION_TYPE_PINNED;
  props->location.type = is_hosts ? CU_MEM_LOCATION_TYPE_HOST : CU_MEM_LOCATION_TYPE_DEVICE;
  if (!is_hosts) props->location.id = call->device->native;
  call->native.alloc.accessDescs = count ? peers : NULL;
  call->native.alloc.accessDescCount = count;
  call->native.alloc.bytesize = params->bytes;
  return call->send(call);
}

static ck_status_t send_memory_ops(NodeCall *call)
{
  const __typeof__(call->params->of.memory_ops) *params = &call->params->of.memory_ops;
  enum { MOST = 256 };
  CUstreamBatchMemOpParams natives[MOST] = {{0}};
  if (!params->count || params->count > MOST)
    return error_argument("%zu memory operations: a node has 1 to %d", params->count, MOST);
  CK_TRY(need(call, params->ops, "ops"));
  for (size_t i = 0; i < params->count; ++i) {
    const ck_memory_op_t *op = &params->ops[i];
    bool is_wide = op->kind == CK_MEMORY_OP_WAIT_64 || op->kind == CK_MEMORY_OP_WRITE_64;
    bool is_wait = op->kind == CK_MEMORY_OP_WAIT_32 || op->kind == CK_MEMORY_OP_WAIT_64;
    int width = is_wide ? 8 : 4;
    CUdeviceptr address;
    if (!is_wide && !is_wait && op->kind != CK_MEMORY_OP_WRITE_32)
      return error_argument("memory operation %zu: kind %d is unknown", i, (int)op->kind);
    if (is_wait && (unsigned)op->compare > CK_MEMORY_NOR)
      return error_argument("memory operation %zu: comparison %d is unknown", i, (int)op->compare);
    CK_TRY(use_place(call, &op->place, (size_t)width, &address));
    if (address % (unsigned)width)
      return error_argument("memory operation %zu: the address is no multiple of %d", i, width);
    natives[i].waitValue.operation = (CUstreamBatchMemOpType)op->kind;
    natives[i].waitValue.address = address;
    natives[i].waitValue.value64 = op->value;
    natives[i].waitValue.flags = is_wait ? (unsigned)op->compare : 0;
  }
  call->native.memOp.ctx = call->device->context;
  call->native.memOp.count = (unsigned)params->count;
  call->native.memOp.paramArray = natives;
  return call->send(call);
}

/* host functions, events, graphs --------------------------------------------------------------- */

static ck_status_t send_event(NodeCall *call)
{
  ck_event_t *event = call->params->of.event.event;
  CK_TRY(need(call, event, "event"));
  if (!device_same(ck_event_device(event), call->device))
    return error_argument("the event is of '%s', the graph of '%s'", ck_event_device(event)->name,
                          call->device->name);
  call->native.eventWait.event = ck_event_native(event);
  CK_TRY(graph_keep_add(call->keep, &event_ref, event));
  return call->send(call);
}

static ck_status_t read_event(ck_graph_node_t *node, ck_node_params_t *out)
{
  CUevent native = NULL;
  if (node->kind == CK_NODE_EVENT_WAIT)
    DRV(driver_of(node), cuGraphEventWaitNodeGetEvent(node->native, &native));
  else DRV(driver_of(node), cuGraphEventRecordNodeGetEvent(node->native, &native));
  out->of.event.native = native;
  out->of.event.event = find_kept(node, &event_ref, native);
  return CK_OK;
}

static ck_status_t send_child(NodeCall *call)
{
  ck_graph_definition_t *child = call->params->of.child.definition;
  CK_TRY(need(call, child, "definition"));
  if (!device_same(child->device, call->device))
    return error_argument("the child is of '%s', the graph of '%s'", child->device->name,
                          call->device->name);
  if (child->root == call->node->definition->root)
    return error_argument("a graph can't be a node of itself");
  CK_TRY(graph_definition_check_ended(child)); /* until then its keeps are incomplete */
  call->native.graph.graph = child->native;
  CK_TRY(graph_definition_keep(child, call->keep)); /* the copy needs them */
  return LOCKED(child, call->send(call));           /* the driver copies it */
}

static ck_status_t send_condition(NodeCall *call)
{
  const __typeof__(call->params->of.condition) *params = &call->params->of.condition;
  static const uint32_t most[] = {
      [CK_CONDITION_IF] = 2, [CK_CONDITION_WHILE] = 1, [CK_CONDITION_SWITCH] = UINT32_MAX};
  uint32_t count = params->body_count;
  if ((unsigned)params->kind > CK_CONDITION_SWITCH)
    return error_argument("condition kind %d is unknown", (int)params->kind);
  if (!params->condition)
    return error_argument("the condition is 0: create one in this definition");
  if (!count || count > most[params->kind])
    return error_argument("a condition with %u bodies: this kind has 1 to %u", count,
                          most[params->kind]);
  CK_TRY(graph_node_make_parts(call->node, count));
  call->native.conditional.handle = params->condition;
  call->native.conditional.type = (CUgraphConditionalNodeType)params->kind;
  call->native.conditional.size = count;
  call->native.conditional.ctx = call->device->context;
  return call->send(call);
}

/* kinds with few params ------------------------------------------------------------------------ */

static ck_status_t send_small(NodeCall *call)
{
  const ck_node_params_t *params = call->params;
  if (params->kind == CK_NODE_HOST) {
    CK_TRY(need(call, (const void *)params->of.host.function, "function"));
    call->native.host.fn = params->of.host.function;
    call->native.host.userData = params->of.host.data;
  }
  if (params->kind == CK_NODE_FREE) call->native.free.dptr = params->of.free.address;
  return call->send(call);
}

static ck_status_t read_small(ck_graph_node_t *node, ck_node_params_t *out)
{
  const Driver *driver = driver_of(node);
  CUgraphNodeParams native = {.type = CU_GRAPH_NODE_TYPE_EMPTY};
  const CUmemPoolProps *props = &native.alloc.poolProps;
  switch ((int)node->kind) {
  case CK_NODE_HOST: {
    CUDA_HOST_NODE_PARAMS host = {0};
    DRV(driver, cuGraphHostNodeGetParams(node->native, &host));
    out->of.host.function = host.fn;
    out->of.host.data = host.userData;
    break;
  }
  case CK_NODE_CHILD: return graph_node_part(node, 0, true, &out->of.child.definition);
  case CK_NODE_ALLOC:
    DRV(driver, cuGraphMemAllocNodeGetParams(node->native, &native.alloc));
    out->of.alloc.bytes = native.alloc.bytesize;
    out->of.alloc.kind = props->allocType == ALLOCATION_MANAGED                ? CK_ALLOC_MANAGED
                         : props->location.type == CU_MEM_LOCATION_TYPE_DEVICE ? CK_ALLOC_DEVICE
                                                                               : CK_ALLOC_HOST;
    out->of.alloc.peer_count = native.alloc.accessDescCount;
    out->of.alloc.address = native.alloc.dptr;
    break;
  case CK_NODE_FREE:
    DRV(driver, cuGraphMemFreeNodeGetParams(node->native, &native.free.dptr));
    out->of.free.address = native.free.dptr;
    break;
  case CK_NODE_MEMORY_OPS: {
    CUDA_BATCH_MEM_OP_NODE_PARAMS ops = {0};
    DRV(driver, cuGraphBatchMemOpNodeGetParams(node->native, &ops));
    out->of.memory_ops.count = ops.count;
    break;
  }
  case CK_NODE_CONDITION:
    out->of.condition.condition = node->condition.handle;
    out->of.condition.kind = (ck_condition_kind_t)node->condition.type;
    out->of.condition.body_count = node->condition.size;
    break;
  }
  return CK_OK;
}

/* the table ------------------------------------------------------------------------------------ */

static const NodeKind kinds[] = {
    [CK_NODE_KERNEL] = {"a kernel", send_kernel, read_kernel, .can_be_off = true},
    [CK_NODE_COPY] = {"a copy", send_copy, read_copy, .can_be_off = true},
    [CK_NODE_FILL] = {"a fill", send_fill, read_fill, .can_be_off = true},
    [CK_NODE_HOST] = {"a host", send_small, read_small},
    [CK_NODE_CHILD] = {"a child", send_child, read_small},
    [CK_NODE_EMPTY] = {"an empty", send_small, read_small},
    [CK_NODE_EVENT_WAIT] = {"an event wait", send_event, read_event},
    [CK_NODE_EVENT_RECORD] = {"an event record", send_event, read_event},
    [CK_NODE_SEMAPHORE_SIGNAL] = {.name = "a semaphore signal"},
    [CK_NODE_SEMAPHORE_WAIT] = {.name = "a semaphore wait"},
    [CK_NODE_ALLOC] = {"an allocation", send_alloc, read_small, .is_fixed = true},
    [CK_NODE_FREE] = {"a free", send_small, read_small, .is_fixed = true},
    [CK_NODE_MEMORY_OPS] = {"a memory operations", send_memory_ops, read_small},
    [CK_NODE_CONDITION] = {"a condition", send_condition, read_small, .is_fixed = true}};

const NodeKind *graph_node_kind(ck_node_kind_t kind)
{
  static const NodeKind none = {.name = "a ?"};
  return (size_t)kind < COUNT_OF(kinds) ? &kinds[kind] : &none;
}

const char *ck_node_kind_name(ck_node_kind_t kind)
{
  return strchr(graph_node_kind(kind)->name, ' ') + 1;
}

static ck_status_t check_size(const ck_node_params_t *params)
{
  if (params->struct_size == sizeof *params) return CK_OK;
  return error_argument("ck_node_params_t: its size is %zu, expected %zu", params->struct_size,
                        sizeof *params);
}

ck_status_t graph_node_send(NodeCall *call)
{
  ck_node_kind_t kind = call->params->kind;
  CK_TRY(check_size(call->params));
  if ((size_t)kind >= COUNT_OF(kinds)) return error_argument("node kind %d is unknown", (int)kind);
  if (!kinds[kind].send) return error_unsupported("%s node can't be made", kinds[kind].name);
  call->native.type = (CUgraphNodeType)kind;
  call->device = call->node->definition->device;
  call->keep = graph_keep_new();
  ck_status_t status =
      call->keep ? IN_DEVICE(call->device, kinds[kind].send(call)) : CK_OUT_OF_MEMORY;
  if (status == CK_OK && kind == CK_NODE_HOST) {
    call->keep->data = call->params->of.host.data;
    call->keep->release_data = call->params->of.host.release;
  }
  if (status == CK_OK || call->is_sent) return status;
  graph_keep_release(call->keep);
  call->keep = NULL;
  return status;
}

ck_status_t ck_graph_node_get_params(ck_graph_node_t *node, ck_node_params_t *out_params)
{
  CK_NEED_ARGS(node, out_params);
  CK_TRY(check_size(out_params));
  CK_TRY(graph_definition_check(node->definition));
  const NodeKind *kind = graph_node_kind(node->kind);
  if (!kind->read) return error_unsupported("%s node can't be read", kind->name);
  *out_params = ck_node_empty();
  out_params->kind = node->kind;
  return LOCKED(node->definition, kind->read(node, out_params));
}
