/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* attribute.c - attributes of launches, graph nodes and streams: checks them, converts them to the
 * driver's form and back. */
#include <stdio.h>
#include <string.h>

#include "launch.h"
#include "memory/view.h"

#define CK_LAUNCH_ATTRIBUTE(name, value, places, text)                                             \
  _Static_assert((int)CU_LAUNCH_ATTRIBUTE_##name == value, "launch_attributes.def: " #name);
/* clang-format off */
#include "ck/launch_attributes.def"
/* clang-format on */

_Static_assert(CK_CLUSTER_SPREAD == (int)CU_CLUSTER_SCHEDULING_POLICY_SPREAD &&
                   CK_CLUSTER_BALANCE == (int)CU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING,
               "cluster policies");
_Static_assert((int)CU_ACCESS_PROPERTY_NORMAL == CK_L2_NORMAL &&
                   (int)CU_ACCESS_PROPERTY_STREAMING == CK_L2_STREAMING &&
                   (int)CU_ACCESS_PROPERTY_PERSISTING == CK_L2_PERSISTING,
               "uses of L2");
_Static_assert((int)CU_SYNC_POLICY_AUTO == CK_SYNC_AUTO &&
                   (int)CU_SYNC_POLICY_SPIN == CK_SYNC_SPIN &&
                   (int)CU_SYNC_POLICY_YIELD == CK_SYNC_YIELD &&
                   (int)CU_SYNC_POLICY_BLOCKING_SYNC == CK_SYNC_SLEEP,
               "synchronization policies");

static const struct {
  char places[4], text[28];
} rows[] = {
#define CK_LAUNCH_ATTRIBUTE(name, value, places, text) [value] = {places, text},
#include "ck/launch_attributes.def"
};

const char *ck_launch_attribute_name(ck_launch_attribute_kind_t kind)
{
  return (size_t)kind < COUNT_OF(rows) && *rows[kind].text ? rows[kind].text : "?";
}

bool launch_attribute_has(unsigned kind, char place)
{
  return kind < COUNT_OF(rows) && strchr(rows[kind].places, place);
}

/* conversion to the driver's form ------------------------------------------------------------ */

/* The conversion of one attribute to the driver's form. */
typedef struct Reading {
  ck_device_t *device;
  const CUlaunchConfig *launch; /* NULL: for a stream */
  const char *text;             /* its name in messages */
  CUlaunchAttributeValue *out;
} Reading;

static ck_status_t lacks(const Reading *self)
{
  return error_unsupported("%s: '%s' (%s) has none", self->text, self->device->name,
                           self->device->target);
}

static ck_status_t in_range(const Reading *self, long value, long low, long high)
{
  if (value >= low && value <= high) return CK_OK;
  return error_argument("%s: %ld is not in %ld to %ld", self->text, value, low, high);
}

/* The window is a range of a buffer, or, without a buffer, of addresses. */
static ck_status_t read_window(const Reading *self, const ck_launch_attribute_t *attribute)
{
  const ck_buffer_t *buffer = attribute->value.window.buffer;
  uint64_t start = attribute->value.window.offset, bytes = attribute->value.window.bytes;
  float ratio = attribute->value.window.hit_ratio;
  int most;
  CK_TRY(ck_device_get_attribute(self->device, CK_DEVICE_MAX_ACCESS_POLICY_WINDOW_SIZE, &most));
  if (!most) return lacks(self);
  if (bytes > (uint64_t)most)
    return error_argument("%s: %zu bytes, '%s' takes %d", self->text, (size_t)bytes,
                          self->device->name, most);
  if (!(ratio >= 0 && ratio <= 1))
    return error_argument("%s: a ratio of %g is not in 0 to 1", self->text, (double)ratio);
  CK_TRY(in_range(self, attribute->value.window.hit, CK_L2_NORMAL, CK_L2_PERSISTING));
  CK_TRY(in_range(self, attribute->value.window.miss, CK_L2_NORMAL, CK_L2_STREAMING));
  if (buffer) {
    CK_TRY(buffer_check_range(buffer, start, bytes, self->text));
    if (!device_same(buffer->device, self->device))
      return error_argument("%s: the buffer is of '%s', not of '%s'", self->text,
                            buffer->device->name, self->device->name);
    start += buffer->address;
  }
  self->out->accessPolicyWindow =
      (CUaccessPolicyWindow){.base_ptr = (void *)(uintptr_t)start,
                             .num_bytes = bytes,
                             .hitRatio = ratio,
                             .hitProp = (CUaccessProperty)attribute->value.window.hit,
                             .missProp = (CUaccessProperty)attribute->value.window.miss};
  return CK_OK;
}

static ck_status_t read_priority(const Reading *self, int priority)
{
  int low, high; /* the lowest priority is the largest number */
  CK_TRY(ck_context_get_priorities(&self->device->primary, &low, &high));
  self->out->priority = priority;
  return in_range(self, priority, high, low);
}

/* Converts both kinds of events. */
static ck_status_t read_event(const Reading *self, const ck_launch_attribute_t *attribute)
{
  const ck_event_t *event = attribute->value.event.event;
  if (!event) return error_argument("%s: the event is NULL", self->text);
  if (!device_same(event->device, self->device))
    return error_argument("%s: the event is of '%s', the kernel of '%s'", self->text,
                          event->device->name, self->device->name);
  if (event->flags & (CK_EVENT_TIMING | CK_EVENT_IPC))
    return error_argument("%s: the event was made with %s", self->text,
                          event->flags & CK_EVENT_TIMING ? "CK_EVENT_TIMING" : "CK_EVENT_IPC");
  if (attribute->kind == CK_LAUNCH_LAUNCH_COMPLETION_EVENT) {
    self->out->launchCompletionEvent.event = event->native;
    return CK_OK;
  }
  /* Programmatic events need sm_90, like clusters. */
  if (!self->device->limits.has_clusters) return lacks(self);
  self->out->programmaticEvent.event = event->native;
  self->out->programmaticEvent.triggerAtBlockStart = attribute->value.event.at_block_start != 0;
  return CK_OK;
}

/* A preferred cluster must be a multiple of the launch's cluster, in z the same, and divide the
 * grid. */
static ck_status_t read_preferred_cluster(const Reading *self, const uint32_t given[3])
{
  if (!self->device->limits.has_clusters) return lacks(self);
  const CUlaunchConfig *launch = self->launch;
  unsigned grid[3] = {launch->gridDimX, launch->gridDimY, launch->gridDimZ}, least[3] = {0, 0, 0};
  for (unsigned i = 0; i < launch->numAttrs; ++i)
    if (launch->attrs[i].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
      memcpy(least, &launch->attrs[i].value.clusterDim, sizeof least);
  if (!least[0]) return error_argument("%s: the launch has no clusters", self->text);
  for (int i = 0; i < 3; ++i)
    if (!given[i] || given[i] % least[i] || grid[i] % given[i] || (i == 2 && given[i] != least[i]))
      return error_argument("%s: %c is %u, the cluster's %u, the grid's %u: it has to be %s",
                            self->text, "xyz"[i], given[i], least[i], grid[i],
                            i == 2 ? "the cluster's" : "a multiple of one and divide the other");
  self->out->preferredClusterDim.x = given[0];
  self->out->preferredClusterDim.y = given[1];
  self->out->preferredClusterDim.z = given[2];
  return CK_OK;
}

static ck_status_t read_domains(const Reading *self, const ck_launch_attribute_t *attribute)
{
  int count;
  CK_TRY(ck_device_get_attribute(self->device, CK_DEVICE_MEM_SYNC_DOMAIN_COUNT, &count));
  if (!count) return lacks(self);
  if (attribute->kind == CK_LAUNCH_MEM_SYNC_DOMAIN) {
    self->out->memSyncDomain = (CUlaunchMemSyncDomain)attribute->value.number;
    return in_range(self, attribute->value.number, 0, 1);
  }
  self->out->memSyncDomainMap.default_ = (unsigned char)attribute->value.domains.normal;
  self->out->memSyncDomainMap.remote = (unsigned char)attribute->value.domains.remote;
  CK_TRY(in_range(self, attribute->value.domains.normal, 0, count - 1));
  return in_range(self, attribute->value.domains.remote, 0, count - 1);
}

/* Converts an attribute of CUDA 13.2. */
static ck_status_t read_mode(const Reading *self, int mode)
{
  CK_TRY(driver_need_version(self->device->driver, CUDA_WITH_MODES, self->text));
  self->out->sharedMemoryMode = (unsigned)mode; /* the same union member as
                                                 * portableClusterSizeMode */
  return in_range(self, mode, CK_PORTABLE_AS_KERNEL, CK_PORTABLE_OR_MORE);
}

/* Checks an attribute's value and converts it, by its kind. */
static ck_status_t read_value(const Reading *self, const ck_launch_attribute_t *attribute)
{
  CUlaunchAttributeValue *out = self->out;
  int number = attribute->value.number;
  switch ((ck_launch_attribute_kind_t)attribute->kind) {
  case CK_LAUNCH_IGNORE: return CK_OK;
  case CK_LAUNCH_ACCESS_POLICY_WINDOW: return read_window(self, attribute);
  case CK_LAUNCH_PRIORITY: return read_priority(self, number);
  case CK_LAUNCH_PROGRAMMATIC_EVENT:
  case CK_LAUNCH_LAUNCH_COMPLETION_EVENT: return read_event(self, attribute);
  case CK_LAUNCH_MEM_SYNC_DOMAIN_MAP:
  case CK_LAUNCH_MEM_SYNC_DOMAIN: return read_domains(self, attribute);
  case CK_LAUNCH_PREFERRED_CLUSTER_DIMENSION:
    return read_preferred_cluster(self, attribute->value.cluster);
  case CK_LAUNCH_SYNCHRONIZATION_POLICY:
    out->syncPolicy = (CUsynchronizationPolicy)number;
    return in_range(self, number, CK_SYNC_AUTO, CK_SYNC_SLEEP);
  case CK_LAUNCH_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
    if (!self->device->limits.has_clusters) return lacks(self);
    out->clusterSchedulingPolicyPreference = (CUclusterSchedulingPolicy)number;
    return in_range(self, number, CK_CLUSTER_DEFAULT, CK_CLUSTER_BALANCE);
  case CK_LAUNCH_DEVICE_UPDATABLE_KERNEL_NODE:
    if (!self->device->driver->traits->has_device_graphs) return lacks(self);
    out->deviceUpdatableKernelNode.deviceUpdatable = 1;
    return CK_OK;
  case CK_LAUNCH_PREFERRED_SHARED_MEMORY_CARVEOUT:
    out->sharedMemCarveout = (unsigned)number;
    return in_range(self, number, 0, 100);
  case CK_LAUNCH_NVLINK_UTIL_CENTRIC_SCHEDULING:
    out->nvlinkUtilCentricScheduling = (unsigned)number;
    return in_range(self, number, 0, 1);
  case CK_LAUNCH_PORTABLE_CLUSTER_SIZE_MODE:
    if (!self->device->limits.has_clusters) return lacks(self);
    return read_mode(self, number);
  case CK_LAUNCH_SHARED_MEMORY_MODE: return read_mode(self, number);
  case CK_LAUNCH_ATTRIBUTE_FORCE_INT: break;
  }
  return error_argument("there is no attribute %u", attribute->kind);
}

/* Converts an attribute; `launch` NULL: for a stream. */
static ck_status_t read_attribute(ck_device_t *device, const ck_launch_attribute_t *attribute,
                                  const CUlaunchConfig *launch, CUlaunchAttribute *out)
{
  const char *text = ck_launch_attribute_name((ck_launch_attribute_kind_t)attribute->kind);
  memset(out, 0, sizeof *out);
  out->id = (CUlaunchAttributeID)attribute->kind;
  if (*text != '?' && !launch_attribute_has(attribute->kind, launch ? 'L' : 'S'))
    return error_argument("%s: %s has none", text,
                          launch ? "it is a stream's, a launch" : "it is a launch's, a stream");
  Reading reading = {device, launch, text, &out->value};
  return read_value(&reading, attribute);
}

ck_status_t launch_attributes_read(ck_device_t *device, const ck_launch_config_t *config,
                                   CUlaunchConfig *native)
{
  uint32_t seen = 0;
  if (!config->attributes) return error_argument("%zu attributes at NULL", config->attribute_count);
  for (size_t i = 0; i < config->attribute_count; ++i) {
    const ck_launch_attribute_t *attribute = &config->attributes[i];
    if (attribute->kind == CK_LAUNCH_IGNORE) continue;
    CUlaunchAttribute *out = &native->attrs[native->numAttrs];
    CK_TRY(read_attribute(device, attribute, native, out));
    if (seen & 1u << attribute->kind)
      return error_argument("%s: it is given twice",
                            ck_launch_attribute_name((ck_launch_attribute_kind_t)attribute->kind));
    seen |= 1u << attribute->kind;
    ++native->numAttrs;
  }
  return CK_OK;
}

void launch_attributes_list(const ck_launch_config_t *config, char *text, size_t room)
{
  size_t len = 0;
  *text = 0;
  for (size_t i = 0; i < config->attribute_count && len < room; ++i)
    len += (size_t)snprintf(
        text + len, room - len, ", %s",
        ck_launch_attribute_name((ck_launch_attribute_kind_t)config->attributes[i].kind));
}

/* conversion from the driver's form ---------------------------------------------------------- */

static void give_node(const ck_launch_attribute_t *attribute, const CUlaunchConfig *native)
{
  void **out_node = attribute->value.updatable.out_node;
  if (attribute->kind != CK_LAUNCH_DEVICE_UPDATABLE_KERNEL_NODE || !out_node) return;
  for (unsigned i = 0; i < native->numAttrs; ++i)
    if (native->attrs[i].id == CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE)
      *out_node = native->attrs[i].value.deviceUpdatableKernelNode.devNode;
}

static bool is_event(const ck_launch_attribute_t *attribute)
{
  return attribute->kind == CK_LAUNCH_PROGRAMMATIC_EVENT ||
         attribute->kind == CK_LAUNCH_LAUNCH_COMPLETION_EVENT;
}

ck_status_t launch_attributes_keep(const ck_launch_config_t *config, GraphKeep *keep)
{
  for (size_t i = 0; i < config->attribute_count; ++i) {
    const ck_launch_attribute_t *attribute = &config->attributes[i];
    if (attribute->kind == CK_LAUNCH_ACCESS_POLICY_WINDOW)
      CK_TRY(graph_keep_buffer(keep, attribute->value.window.buffer));
    if (is_event(attribute)) CK_TRY(graph_keep_add(keep, &event_ref, attribute->value.event.event));
  }
  return CK_OK;
}

ck_status_t launch_attributes_done(const ck_launch_config_t *config, const CUlaunchConfig *native,
                                   GraphKeep *keep)
{
  for (size_t i = 0; i < config->attribute_count; ++i) {
    const ck_launch_attribute_t *attribute = &config->attributes[i];
    give_node(attribute, native);
    if (is_event(attribute)) event_join_capture(attribute->value.event.event, keep);
  }
  return keep ? launch_attributes_keep(config, keep) : CK_OK;
}

CUlaunchAttributeValue launch_attribute_plain(CUlaunchAttributeID id)
{
  CUlaunchAttributeValue plain = {{0}};
  if (id == CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP) plain.memSyncDomainMap.remote = 1;
  return plain;
}

bool launch_attribute_from(const CUlaunchAttribute *native, ck_launch_attribute_t *out)
{
  const CUlaunchAttributeValue *value = &native->value;
  *out = ck_with_number((ck_launch_attribute_kind_t)native->id, 0);
  switch ((ck_launch_attribute_kind_t)out->kind) {
  case CK_LAUNCH_ACCESS_POLICY_WINDOW: {
    const CUaccessPolicyWindow *window = &value->accessPolicyWindow;
    *out = ck_with_access_window(NULL, (uintptr_t)window->base_ptr, window->num_bytes,
                                 window->hitRatio, (ck_l2_use_t)window->hitProp,
                                 (ck_l2_use_t)window->missProp);
    return window->num_bytes > 0;
  }
  case CK_LAUNCH_SYNCHRONIZATION_POLICY:
    out->value.number = (int)value->syncPolicy;
    return out->value.number > CK_SYNC_AUTO;
  case CK_LAUNCH_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
    out->value.number = (int)value->clusterSchedulingPolicyPreference;
    return out->value.number > CK_CLUSTER_SPREAD; /* a plain launch has either of them */
  case CK_LAUNCH_PRIORITY: return (out->value.number = value->priority) != 0;
  case CK_LAUNCH_MEM_SYNC_DOMAIN_MAP:
    *out =
        ck_with_memory_domain_map(value->memSyncDomainMap.default_, value->memSyncDomainMap.remote);
    /* A plain launch has 0, and 0 or 1. */
    return out->value.domains.normal || out->value.domains.remote > 1;
  case CK_LAUNCH_MEM_SYNC_DOMAIN: return (out->value.number = (int)value->memSyncDomain) != 0;
  case CK_LAUNCH_PREFERRED_CLUSTER_DIMENSION:
    *out = ck_with_preferred_cluster(value->preferredClusterDim.x, value->preferredClusterDim.y,
                                     value->preferredClusterDim.z);
    return value->preferredClusterDim.x > 0;
  case CK_LAUNCH_DEVICE_UPDATABLE_KERNEL_NODE:
    out->value.updatable.node = value->deviceUpdatableKernelNode.devNode;
    return value->deviceUpdatableKernelNode.deviceUpdatable;
  case CK_LAUNCH_PREFERRED_SHARED_MEMORY_CARVEOUT:
    out->value.number = (int)value->sharedMemCarveout;
    return out->value.number > 0 && out->value.number <= 100; /* -1 also means none */
  case CK_LAUNCH_NVLINK_UTIL_CENTRIC_SCHEDULING:
    return (out->value.number = (int)value->nvlinkUtilCentricScheduling) != 0;
  case CK_LAUNCH_PORTABLE_CLUSTER_SIZE_MODE:
  case CK_LAUNCH_SHARED_MEMORY_MODE:
    return (out->value.number = (int)value->sharedMemoryMode) != CK_PORTABLE_AS_KERNEL;
  case CK_LAUNCH_IGNORE:
  case CK_LAUNCH_PROGRAMMATIC_EVENT:
  case CK_LAUNCH_LAUNCH_COMPLETION_EVENT:
  case CK_LAUNCH_ATTRIBUTE_FORCE_INT: break;
  }
  return false;
}

/* streams ------------------------------------------------------------------------------------ */

ck_status_t ck_stream_set_attribute(ck_stream_t *stream, const ck_launch_attribute_t *attribute)
{
  CK_NEED_ARGS(stream, attribute);
  CUlaunchAttribute native;
  CK_TRY(read_attribute(stream->device, attribute, NULL, &native));
  if (attribute->kind == CK_LAUNCH_IGNORE) return CK_OK;
  ck_status_t status =
      DEVICE_STATUS(stream->device, cuStreamSetAttribute(stream->native, native.id, &native.value));
  if (status == CK_OK) return CK_OK;
  return error_within(status, "%s",
                      ck_launch_attribute_name((ck_launch_attribute_kind_t)attribute->kind));
}

ck_status_t ck_stream_get_attribute(ck_stream_t *stream, ck_launch_attribute_kind_t kind,
                                    ck_launch_attribute_t *out_attribute)
{
  CK_NEED_ARG(out_attribute);
  *out_attribute = ck_with_number(CK_LAUNCH_IGNORE, 0);
  CK_NEED_ARG(stream);
  if (kind == CK_LAUNCH_IGNORE || *ck_launch_attribute_name(kind) == '?')
    return error_argument("there is no attribute %d of a stream", (int)kind);
  if (!launch_attribute_has(kind, 'S'))
    return error_argument("%s: it is a launch's, a stream has none",
                          ck_launch_attribute_name(kind));
  CUlaunchAttribute native = {.id = (CUlaunchAttributeID)kind};
  ck_status_t status =
      DEVICE_STATUS(stream->device, cuStreamGetAttribute(stream->native, native.id, &native.value));
  if (status != CK_OK) return error_within(status, "%s", ck_launch_attribute_name(kind));
  launch_attribute_from(&native, out_attribute);
  return CK_OK;
}

/* single attributes of streams -------------------------------------------------------------- */

ck_status_t ck_stream_set_sync_policy(ck_stream_t *stream, ck_sync_policy_t policy)
{
  CK_NEED_ARG(stream);
  const ck_launch_attribute_t attribute = ck_with_sync_policy(policy);
  return ck_stream_set_attribute(stream, &attribute);
}

ck_status_t ck_stream_get_sync_policy(ck_stream_t *stream, ck_sync_policy_t *out_policy)
{
  CK_NEED_OUT(out_policy, CK_SYNC_AUTO, stream);
  ck_launch_attribute_t attribute;
  CK_TRY(ck_stream_get_attribute(stream, CK_LAUNCH_SYNCHRONIZATION_POLICY, &attribute));
  *out_policy = (ck_sync_policy_t)attribute.value.number;
  return CK_OK;
}

ck_status_t ck_stream_set_access_window(ck_stream_t *stream, const ck_buffer_t *buffer,
                                        size_t offset, size_t bytes, float hit_ratio,
                                        ck_l2_use_t hit, ck_l2_use_t miss)
{
  CK_NEED_ARG(stream);
  const ck_launch_attribute_t attribute =
      buffer ? ck_with_access_window(buffer, offset, bytes, hit_ratio, hit, miss)
             : ck_with_access_window(NULL, 0, 0, 0, CK_L2_NORMAL, CK_L2_NORMAL);
  return ck_stream_set_attribute(stream, &attribute);
}

/* what a launch uses --------------------------------------------------------------------------- */

static ck_status_t keep_dltensor(GraphKeep *keep, GraphKeep *from, const DlTensor *tensor)
{
  return graph_keep_address(keep, from, (uint64_t)(uintptr_t)tensor->data + tensor->byte_offset);
}

static ck_status_t keep_argument(GraphKeep *keep, GraphKeep *from, const ck_arg_t *arg)
{
  const ck_texture_t *texture = arg->value.texture;
  switch ((ck_arg_kind_t)arg->kind) {
  case CK_ARG_BUFFER:
  case CK_ARG_SPAN: return graph_keep_buffer(keep, arg->value.buffer);
  case CK_ARG_TEXTURE: /* and its buffer, which could be closed or move otherwise */
    if (texture) CK_TRY(graph_keep_buffer(keep, texture->resource.buffer));
    return graph_keep_add(keep, &texture_ref, texture);
  case CK_ARG_SURFACE: return graph_keep_add(keep, &surface_ref, arg->value.surface);
  case CK_ARG_TENSOR_MAP:
    return arg->value.tensor_map ? graph_keep_buffer(keep, arg->value.tensor_map->buffer) : CK_OK;
  case CK_ARG_ADDRESS: return graph_keep_address(keep, from, arg->value.u);
  case CK_ARG_DLTENSOR: return keep_dltensor(keep, from, arg->value.dltensor);
  case CK_ARG_SCALAR:
  case CK_ARG_INFERRED:
  case CK_ARG_BYTES: break;
  }
  return CK_OK;
}

ck_status_t graph_keep_launch(GraphKeep *keep, GraphKeep *from, ck_kernel_t *kernel,
                              const ck_arg_t *args, size_t arg_count)
{
  CK_TRY(graph_keep_add(keep, &kernel_ref, kernel));
  for (size_t i = 0; i < arg_count; ++i) CK_TRY(keep_argument(keep, from, &args[i]));
  return CK_OK;
}
