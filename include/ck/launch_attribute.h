/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/launch_attribute.h - options of a launch besides grid, block, cluster and shared memory.
 *
 *   const ck_launch_attribute_t more[] = {ck_with_priority(-1), ck_with_carveout(50)};
 *   config.attributes = more;
 *   config.attribute_count = 2;
 *
 * Each attribute is made by one of the functions below. The call that takes it checks it against
 * its range and the device, and names it in CK_INVALID_ARGUMENT and CK_UNSUPPORTED. A launch has at
 * most one attribute of a kind. A captured launch becomes a node with the same attributes, except
 * events, which become edges; ck_graph_node_get_params returns those whose value is not the
 * default.
 *
 * source  CUDA Driver API, CUlaunchAttributeID
 */
#ifndef CK_LAUNCH_ATTRIBUTE_H
#define CK_LAUNCH_ATTRIBUTE_H

#include "ck/memory.h"
#include "ck/stream.h"
#include "ck/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ck_launch_attribute_kind {
/* clang-format off */
#define CK_LAUNCH_ATTRIBUTE(name, value, places, text) CK_LAUNCH_##name = value,
#include "ck/launch_attributes.def"
  /* clang-format on */
  CK_LAUNCH_ATTRIBUTE_FORCE_INT = 0x7fffffff
} ck_launch_attribute_kind_t;

/* How the blocks of a cluster are distributed; the numbers are cuda.h's. */
typedef enum ck_cluster_policy {
  CK_CLUSTER_DEFAULT = 0,
  CK_CLUSTER_SPREAD = 1,  /* each block on a multiprocessor of its own */
  CK_CLUSTER_BALANCE = 2, /* by the load that the hardware sees */
  CK_CLUSTER_FORCE_INT = 0x7fffffff
} ck_cluster_policy_t;

/* Whether a launch may exceed the limits that all GPUs guarantee; the numbers are cuda.h's. */
typedef enum ck_portable_mode {
  CK_PORTABLE_AS_KERNEL = 0, /* as the kernel's attribute says */
  CK_PORTABLE_ALONE = 1,     /* no */
  CK_PORTABLE_OR_MORE = 2,   /* yes, up to the limits of this device */
  CK_PORTABLE_FORCE_INT = 0x7fffffff
} ck_portable_mode_t;

/* One attribute. A struct of zeros is CK_LAUNCH_IGNORE, which does nothing. */
typedef struct ck_launch_attribute {
  uint32_t kind; /* ck_launch_attribute_kind_t */
  uint32_t reserved;
  union {
    uint64_t words[4];
    int32_t number; /* a priority, a policy, a domain, a percentage, 0 or 1 */
    uint32_t cluster[3];
    struct {
      uint32_t normal, remote;
    } domains;
    struct {
      ck_event_t *event;
      uint32_t at_block_start;
    } event;
    struct {
      const ck_buffer_t *buffer; /* read back: NULL */
      uint64_t offset;           /* bytes into the buffer; or the address */
      uint64_t bytes;
      float hit_ratio;
      uint16_t hit, miss; /* ck_l2_use_t */
    } window;
    struct {
      void **out_node; /* read back: NULL */
      void *node;      /* read back: the CUgraphDeviceNode */
    } updatable;
  } value;
} ck_launch_attribute_t;

/* The name of a kind, such as "priority"; "?" for a number that is no kind. */
CK_API const char *ck_launch_attribute_name(ck_launch_attribute_kind_t kind);

static inline ck_launch_attribute_t ck_with_number(ck_launch_attribute_kind_t kind, int32_t number)
{
  ck_launch_attribute_t attribute = {(uint32_t)kind, 0, {{0, 0, 0, 0}}};
  attribute.value.number = number;
  return attribute;
}

/* The priority of the kernel when kernels compete for multiprocessors: lower numbers have
 * precedence, within ck_context_get_priorities. Without it, the stream's priority is used. */
static inline ck_launch_attribute_t ck_with_priority(int priority)
{
  return ck_with_number(CK_LAUNCH_PRIORITY, priority);
}

/* The share of the memory that L1 cache and shared memory divide which should be shared memory: 0
 * to 100 percent. A hint; it has precedence over CK_KERNEL_PREFERRED_SHARED_CARVEOUT. A node with 0
 * is read back as a node without the attribute, since driver 580 also reports 0 for a launch
 * without it, and accepts no -1 there. */
static inline ck_launch_attribute_t ck_with_carveout(int percent)
{
  return ck_with_number(CK_LAUNCH_PREFERRED_SHARED_MEMORY_CARVEOUT, percent);
}

/* How the blocks of a cluster are distributed (sm_90). A hint. */
static inline ck_launch_attribute_t ck_with_cluster_policy(ck_cluster_policy_t policy)
{
  return ck_with_number(CK_LAUNCH_CLUSTER_SCHEDULING_POLICY_PREFERENCE, (int32_t)policy);
}

/* Prefers larger clusters where there is room for them; the launch's own cluster, which must be
 * given, is the smallest one. x and y are multiples of the cluster's and divide the grid's; z
 * equals the cluster's. A hint for sm_100: older devices may refuse it. */
static inline ck_launch_attribute_t ck_with_preferred_cluster(uint32_t x, uint32_t y, uint32_t z)
{
  ck_launch_attribute_t attribute = ck_with_number(CK_LAUNCH_PREFERRED_CLUSTER_DIMENSION, 0);
  attribute.value.cluster[0] = x;
  attribute.value.cluster[1] = y;
  attribute.value.cluster[2] = z;
  return attribute;
}

/* Records an event once all blocks have called grid.launch_dependents() or ended, or, with
 * `at_block_start`, have started (sm_90). A programmatic launch in a stream that waits for the
 * event may start then, and sees the results of this launch after grid.wait_dependencies().
 *
 * event    without CK_EVENT_TIMING and CK_EVENT_IPC; retained until the call returns, and by the
 *          graph in which it is captured
 */
static inline ck_launch_attribute_t ck_with_programmatic_event(ck_event_t *event,
                                                               int at_block_start)
{
  ck_launch_attribute_t attribute = ck_with_number(CK_LAUNCH_PROGRAMMATIC_EVENT, 0);
  attribute.value.event.event = event;
  attribute.value.event.at_block_start = at_block_start != 0;
  return attribute;
}

/* Records an event once all blocks have started, on any device. It orders starts, not results, and
 * may be as late as the end of the kernel. The event is as above. */
static inline ck_launch_attribute_t ck_with_launch_event(ck_event_t *event)
{
  ck_launch_attribute_t attribute = ck_with_programmatic_event(event, 0);
  attribute.kind = (uint32_t)CK_LAUNCH_LAUNCH_COMPLETION_EVENT;
  return attribute;
}

/* How the L2 cache treats a range of memory during this kernel, as ck_stream_set_access_window. */
static inline ck_launch_attribute_t ck_with_access_window(const ck_buffer_t *buffer, size_t offset,
                                                          size_t bytes, float hit_ratio,
                                                          ck_l2_use_t hit, ck_l2_use_t miss)
{
  ck_launch_attribute_t attribute = ck_with_number(CK_LAUNCH_ACCESS_POLICY_WINDOW, 0);
  attribute.value.window.buffer = buffer;
  attribute.value.window.offset = offset;
  attribute.value.window.bytes = bytes;
  attribute.value.window.hit_ratio = hit_ratio;
  attribute.value.window.hit = (uint16_t)((uint32_t)hit < UINT16_MAX ? hit : UINT16_MAX);
  attribute.value.window.miss = (uint16_t)((uint32_t)miss < UINT16_MAX ? miss : UINT16_MAX);
  return attribute;
}

/* The memory synchronisation domain of the kernel, for whose accesses its fences wait: 0, or 1 for
 * a kernel that communicates with other devices, so that its slow fences don't delay those of other
 * kernels. */
static inline ck_launch_attribute_t ck_with_memory_domain(int is_remote)
{
  return ck_with_number(CK_LAUNCH_MEM_SYNC_DOMAIN, is_remote);
}

/* Maps the two domains to hardware domains: 0 to CK_DEVICE_MEM_SYNC_DOMAIN_COUNT - 1 each. */
static inline ck_launch_attribute_t ck_with_memory_domain_map(uint32_t normal, uint32_t remote)
{
  ck_launch_attribute_t attribute = ck_with_number(CK_LAUNCH_MEM_SYNC_DOMAIN_MAP, 0);
  attribute.value.domains.normal = normal;
  attribute.value.domains.remote = remote;
  return attribute;
}

/* Places blocks so that the NVLink connections are used evenly. A hint. */
static inline ck_launch_attribute_t ck_with_nvlink_scheduling(int is_on)
{
  return ck_with_number(CK_LAUNCH_NVLINK_UTIL_CENTRIC_SCHEDULING, is_on);
}

/* Whether clusters of this launch may have more than 8 blocks;
 * CK_KERNEL_NON_PORTABLE_CLUSTER_SIZE_ALLOWED decides it for all launches of a kernel.
 * CK_UNSUPPORTED before CUDA 13.2. */
static inline ck_launch_attribute_t ck_with_cluster_mode(ck_portable_mode_t mode)
{
  return ck_with_number(CK_LAUNCH_PORTABLE_CLUSTER_SIZE_MODE, (int32_t)mode);
}

/* Whether a block may have more shared memory than CK_DEVICE_MAX_SHARED_MEMORY_PER_BLOCK. A launch
 * allows itself what it needs, so the use of this attribute is to forbid it. CK_UNSUPPORTED before
 * CUDA 13.2. */
static inline ck_launch_attribute_t ck_with_shared_mode(ck_portable_mode_t mode)
{
  return ck_with_number(CK_LAUNCH_SHARED_MEMORY_MODE, (int32_t)mode);
}

/* Lets kernels of the graph change the grid and arguments of this node. Only for captured launches
 * and nodes; such a node can't be removed, and only one executable graph is made of its graph.
 *
 * out_node  receives the CUgraphDeviceNode with which kernels name the node; or NULL
 */
static inline ck_launch_attribute_t ck_with_device_node(void **out_node)
{
  ck_launch_attribute_t attribute = ck_with_number(CK_LAUNCH_DEVICE_UPDATABLE_KERNEL_NODE, 0);
  attribute.value.updatable.out_node = out_node;
  return attribute;
}

/* How ck_stream_sync waits: an attribute of streams, not of launches. */
static inline ck_launch_attribute_t ck_with_sync_policy(ck_sync_policy_t policy)
{
  return ck_with_number(CK_LAUNCH_SYNCHRONIZATION_POLICY, (int32_t)policy);
}

/* Sets an attribute of all launches into a stream: access window, synchronization policy, priority,
 * memory domain and map, NVLink-centric scheduling. An attribute of a launch has precedence.
 *
 * fails    CK_INVALID_ARGUMENT for another kind or a value out of range; CK_UNSUPPORTED; CK_DRIVER
 */
CK_API ck_status_t ck_stream_set_attribute(ck_stream_t *stream,
                                           const ck_launch_attribute_t *attribute);
CK_API ck_status_t ck_stream_get_attribute(ck_stream_t *stream, ck_launch_attribute_kind_t kind,
                                           ck_launch_attribute_t *out_attribute);

#ifdef __cplusplus
}
#endif
#endif
