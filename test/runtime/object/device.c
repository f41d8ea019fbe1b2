/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* device.c - tests devices and contexts, on the device that $CK_DEVICE names: cuda.core's
 * test_device.py, test_context.py and test_green_context.py in C. */
#define _GNU_SOURCE /* strcasecmp */
#include "fixture.h"

#include <dlfcn.h>
#include <strings.h>

static Bench bench;

/* Boolean attributes; cuda.core's properties of type bool. */
static const ck_device_attribute_t yes_or_no[] = {
    CK_DEVICE_GPU_OVERLAP,
    CK_DEVICE_KERNEL_EXEC_TIMEOUT,
    CK_DEVICE_INTEGRATED,
    CK_DEVICE_CAN_MAP_HOST_MEMORY,
    CK_DEVICE_CONCURRENT_KERNELS,
    CK_DEVICE_ECC_ENABLED,
    CK_DEVICE_TCC_DRIVER,
    CK_DEVICE_UNIFIED_ADDRESSING,
    CK_DEVICE_GLOBAL_L1_CACHE_SUPPORTED,
    CK_DEVICE_LOCAL_L1_CACHE_SUPPORTED,
    CK_DEVICE_MANAGED_MEMORY,
    CK_DEVICE_MULTI_GPU_BOARD,
    CK_DEVICE_HOST_NATIVE_ATOMIC_SUPPORTED,
    CK_DEVICE_PAGEABLE_MEMORY_ACCESS,
    CK_DEVICE_CONCURRENT_MANAGED_ACCESS,
    CK_DEVICE_COMPUTE_PREEMPTION_SUPPORTED,
    CK_DEVICE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM,
    CK_DEVICE_COOPERATIVE_LAUNCH,
    CK_DEVICE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES,
    CK_DEVICE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST,
    CK_DEVICE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED,
    CK_DEVICE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED,
    CK_DEVICE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED,
    CK_DEVICE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED,
    CK_DEVICE_GENERIC_COMPRESSION_SUPPORTED,
    CK_DEVICE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED,
    CK_DEVICE_SPARSE_CUDA_ARRAY_SUPPORTED,
    CK_DEVICE_READ_ONLY_HOST_REGISTER_SUPPORTED,
    CK_DEVICE_MEMORY_POOLS_SUPPORTED,
    CK_DEVICE_GPU_DIRECT_RDMA_SUPPORTED,
    CK_DEVICE_DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED,
    CK_DEVICE_STREAM_PRIORITIES_SUPPORTED,
    CK_DEVICE_CAN_FLUSH_REMOTE_WRITES,
    CK_DEVICE_HOST_REGISTER_SUPPORTED,
    CK_DEVICE_TIMELINE_SEMAPHORE_INTEROP_SUPPORTED,
    CK_DEVICE_CLUSTER_LAUNCH,
    CK_DEVICE_CAN_USE_64_BIT_STREAM_MEM_OPS,
    CK_DEVICE_CAN_USE_STREAM_WAIT_VALUE_NOR,
    CK_DEVICE_DMA_BUF_SUPPORTED,
    CK_DEVICE_IPC_EVENT_SUPPORTED,
    CK_DEVICE_TENSOR_MAP_ACCESS_SUPPORTED,
    CK_DEVICE_HANDLE_TYPE_FABRIC_SUPPORTED,
    CK_DEVICE_UNIFIED_FUNCTION_POINTERS,
    CK_DEVICE_MULTICAST_SUPPORTED,
    CK_DEVICE_MPS_ENABLED,
    CK_DEVICE_D3D12_CIG_SUPPORTED,
    CK_DEVICE_VULKAN_CIG_SUPPORTED,
    CK_DEVICE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED,
    CK_DEVICE_HOST_NUMA_MEMORY_POOLS_SUPPORTED,
    CK_DEVICE_HOST_NUMA_MULTINODE_IPC_SUPPORTED,
    CK_DEVICE_HOST_MEMORY_POOLS_SUPPORTED,
    CK_DEVICE_HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED,
    CK_DEVICE_HOST_ALLOC_DMA_BUF_SUPPORTED,
    CK_DEVICE_ONLY_PARTIAL_HOST_NATIVE_ATOMIC_SUPPORTED,
};

TEST(device_property_types)
{
  for (size_t i = 0; i < COUNT_OF(yes_or_no); ++i) {
    int value = 0;
    ck_status_t status = ck_device_get_attribute(bench.device, yes_or_no[i], &value);
    CHECK(status == CK_OK || !ck_device_is_host(bench.device)); /* an older driver lacks some */
    if (!CHECK(value == 0 || value == 1))
      fprintf(stderr, "%s is %d\n", ck_device_attribute_name(yes_or_no[i]), value);
  }
}

/* Every attribute of cuda.h has a row, except those that it marks as deprecated. */
TEST(device_properties_complete)
{
  static const int left_out[] = {CU_DEVICE_ATTRIBUTE_CAN_TEX2D_GATHER,
                                 CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH};
  unsigned known = 0, named = 0, gaps = 0;
  for (int i = 1; i < CU_DEVICE_ATTRIBUTE_MAX; ++i) {
    int value;
    if (!ck_device_attribute_name((ck_device_attribute_t)i)) {
      CHECK(gaps < COUNT_OF(left_out) && left_out[gaps] == i);
      ++gaps;
      continue;
    }
    ++named;
    known += ck_device_get_attribute(bench.device, (ck_device_attribute_t)i, &value) == CK_OK;
  }
  printf("%u of %u attributes\n", known, named);
  CHECK(gaps == COUNT_OF(left_out) && named >= 140 && known >= 120);
}

static int attribute(ck_device_attribute_t name)
{
  int value = -1;
  CHECK_OK(ck_device_get_attribute(bench.device, name, &value));
  return value;
}

TEST(pci_bus_id)
{
  char bus[CK_PCI_BUS_ID_BYTES], expected[32];
  CHECK_OK(ck_device_get_pci_bus_id(bench.device, bus));
  CHECK(ck_device_is_host(bench.device) == !*bus);
  if (ck_device_is_host(bench.device)) return;
  snprintf(expected, sizeof expected, "%04x:%02x:%02x.0", attribute(CK_DEVICE_PCI_DOMAIN_ID),
           attribute(CK_DEVICE_PCI_BUS_ID), attribute(CK_DEVICE_PCI_DEVICE_ID));
  CHECK(!strcasecmp(bus, expected));
}

TEST(uuid)
{
  unsigned char uuid[16], again[16], zero[16] = {0};
  CHECK_OK(ck_device_get_uuid(bench.device, uuid));
  CHECK_OK(ck_device_get_uuid(bench.device, again));
  CHECK(memcmp(uuid, zero, sizeof uuid) && !memcmp(uuid, again, sizeof uuid));
}

TEST(name)
{
  CHECK(*ck_device_name(bench.device));
  CHECK(ck_device_is_host(bench.device) == !strcmp(ck_device_name(bench.device), "host device"));
}

TEST(compute_capability)
{
  int major, minor;
  CHECK_OK(ck_device_get_compute_capability(bench.device, &major, &minor));
  CHECK(major == attribute(CK_DEVICE_COMPUTE_CAPABILITY_MAJOR));
  CHECK(minor == attribute(CK_DEVICE_COMPUTE_CAPABILITY_MINOR));
  CHECK((major == 0) == ck_device_is_host(bench.device));
}

TEST(arch)
{
  char expected[32];
  int major, minor;
  CHECK_OK(ck_device_get_compute_capability(bench.device, &major, &minor));
  snprintf(expected, sizeof expected, "sm_%d%d", major, minor);
  if (ck_device_is_host(bench.device)) strcpy(expected, "host");
  CHECK(!strcmp(ck_device_target(bench.device), expected));
}

/* Each GPU has its ordinal, and is the current device while its context is current. */
TEST(device_id)
{
  CHECK(!ck_device_is_host(bench.device) || ck_device_ordinal(bench.device) == 0);
  for (int i = 0; i < ck_device_count(); ++i) {
    ck_device_t *device, *current;
    CHECK_OK(ck_device_open(i, &device));
    CHECK(ck_device_ordinal(device) == i);
    CHECK_OK(ck_context_set_current(device, ck_device_context(device)));
    CHECK_OK(ck_device_open_current(&current));
    CHECK(ck_device_ordinal(current) == i);
    CHECK_OK(ck_context_set_current(device, NULL));
    ck_device_release(current);
    ck_device_release(device);
  }
}

/* Two device objects of one device are equal. */
TEST(device_equality_same_id)
{
  ck_device_t *same;
  if (ck_device_is_host(bench.device)) CHECK_OK(ck_device_open_host(&same));
  else CHECK_OK(ck_device_open(ck_device_ordinal(bench.device), &same));
  CHECK(ck_device_native(same) == ck_device_native(bench.device));
  CHECK(ck_context_native(ck_device_context(same)) ==
        ck_context_native(ck_device_context(bench.device)));
  ck_device_release(same);
}

/* NVML's device is CUDA's; the host device has none. */
TEST(to_system_device)
{
  ck_system_device_t *gpu = NULL;
  ck_status_t status = ck_system_device_from_device(bench.device, &gpu);
  if (ck_device_is_host(bench.device)) {
    CHECK_STATUS(status, CK_UNSUPPORTED);
    CHECK_ERROR("'host device' is not of NVIDIA's");
    return;
  }
  if (status == CK_UNAVAILABLE) { /* no NVML here */
    CHECK_ERROR("libnvidia-ml");
    return;
  }
  unsigned char uuid[16];
  char text[96], digits[33] = "", of_device[33] = "", bus[CK_PCI_BUS_ID_BYTES];
  CHECK_OK(status);
  CHECK_OK(ck_system_device_get_text(gpu, CK_SYSTEM_TEXT_UUID, text, sizeof text));
  CHECK_OK(ck_device_get_uuid(bench.device, uuid));
  size_t count = 0;
  for (const char *at = strchr(text, '-'); at && *at && count < 32; ++at)
    if (*at != '-') digits[count++] = *at;
  for (int i = 0; i < 16; ++i) snprintf(of_device + 2 * i, 3, "%02x", uuid[i]);
  CHECK(!strcasecmp(digits, of_device));
  /* NVML writes eight digits of the PCI domain, CUDA four. */
  CHECK_OK(ck_system_device_get_text(gpu, CK_SYSTEM_TEXT_PCI_BUS_ID, text, sizeof text));
  CHECK_OK(ck_device_get_pci_bus_id(bench.device, bus));
  CHECK(strlen(text) > 4 && !strcasecmp(text + 4, bus));
  ck_system_device_release(gpu);
}

TEST(device_create_stream)
{
  ck_stream_t *stream;
  CHECK_OK(ck_stream_create(bench.device, NULL, &stream));
  CHECK(stream && ck_stream_native(stream));
  ck_stream_release(stream);
}

TEST(device_create_event)
{
  ck_event_t *event;
  CHECK_OK(ck_event_create(bench.device, NULL, &event));
  CHECK(event && ck_event_native(event));
  ck_event_release(event);
}

TEST(device_set_current)
{
  ck_context_t *context = ck_device_context(bench.device);
  int is_current = 0;
  CHECK_OK(ck_context_set_current(bench.device, context));
  CHECK_OK(ck_context_get_current(context, &is_current));
  CHECK(is_current);
  CHECK_OK(ck_device_sync(bench.device));
  CHECK_OK(ck_context_get_current(context, &is_current));
  CHECK(is_current); /* still */
  if (!ck_device_is_host(bench.device)) {
    ck_device_t *same;
    CHECK_OK(ck_device_open_current(&same));
    CHECK(ck_device_native(same) == ck_device_native(bench.device));
    ck_device_release(same);
  }
  CHECK_OK(ck_context_set_current(bench.device, NULL));
  CHECK_OK(ck_context_get_current(context, &is_current));
  CHECK(!is_current);
}

TEST(device_alloc)
{
  ck_buffer_t *buffer;
  CHECK_OK(ck_buffer_create(bench.device, 1024, bench.stream, &buffer));
  CHECK(ck_buffer_native(buffer) && ck_buffer_bytes(buffer) == 1024);
  CHECK(ck_buffer_device(buffer) == bench.device);
  ck_buffer_release(buffer);
  CHECK_OK(ck_device_sync(bench.device));
}

TEST(device_alloc_zero_bytes)
{
  ck_buffer_t *buffer;
  CHECK_OK(ck_buffer_create(bench.device, 0, bench.stream, &buffer));
  CHECK(ck_buffer_bytes(buffer) == 0);
  CHECK(ck_buffer_device(buffer) == bench.device);
  ck_buffer_release(buffer);
  CHECK_OK(ck_device_sync(bench.device));
}

static bool is_context_current(ck_context_t *context)
{
  int is = 0;
  CHECK_OK(ck_context_get_current(context, &is));
  return is;
}

/* Calls need no current context, use the device's, and leave none current. */
TEST(context_manager_basic)
{
  ck_context_t *context = ck_device_context(bench.device);
  ck_buffer_t *buffer;
  CHECK(!is_context_current(context));
  CHECK_OK(ck_buffer_create(bench.device, 1024, bench.stream, &buffer));
  CHECK(ck_buffer_native(buffer) != 0);
  CHECK(!is_context_current(context));
  ck_buffer_release(buffer);
  CHECK(!is_context_current(context));
}

/* Every call restores the current context, also if it fails. */
TEST(context_manager_restores_previous)
{
  ck_context_t *context = ck_device_context(bench.device);
  ck_buffer_t *buffer;
  size_t value;
  CHECK_OK(ck_context_set_current(bench.device, context));
  CHECK_OK(ck_buffer_create(bench.device, 1024, bench.stream, &buffer));
  CHECK(is_context_current(context));
  CHECK_STATUS(ck_buffer_fill(buffer, 0, 2048, 0, 1, bench.stream), CK_INVALID_ARGUMENT);
  CHECK(is_context_current(context));
  CHECK_STATUS(ck_context_get_limit(context, (ck_limit_t)99, &value), CK_INVALID_ARGUMENT);
  CHECK(is_context_current(context));
  ck_buffer_release(buffer);
  CHECK(is_context_current(context));
  CHECK_OK(ck_context_set_current(bench.device, NULL));
}

/* Nested use of a context works, and leaves the device usable. */
TEST(context_manager_deep_nesting)
{
  ck_context_t *context = ck_device_context(bench.device);
  ck_stream_t *stream;
  for (int level = 0; level < 3; ++level) {
    CHECK_OK(ck_context_set_current(bench.device, context));
    CHECK(is_context_current(context));
  }
  CHECK_OK(ck_context_set_current(bench.device, NULL));
  CHECK(!is_context_current(context));
  CHECK_OK(ck_context_set_current(bench.device, context));
  CHECK_OK(ck_stream_create(bench.device, NULL, &stream));
  CHECK_OK(ck_stream_sync(stream));
  ck_stream_release(stream);
  CHECK_OK(ck_context_set_current(bench.device, NULL));
}

/* Streams of a device share its context object. */
TEST(context_equality_same_context)
{
  ck_stream_t *one, *two;
  CHECK_OK(ck_stream_create(bench.device, NULL, &one));
  CHECK_OK(ck_stream_create(bench.device, NULL, &two));
  CHECK(ck_stream_context(one) == ck_stream_context(two));
  CHECK(ck_context_native(ck_stream_context(one)) ==
        ck_context_native(ck_device_context(bench.device)));
  ck_stream_release(one);
  ck_stream_release(two);
}

TEST(context)
{
  ck_context_t *context = ck_device_context(bench.device);
  uint64_t id = 0;
  CHECK(ck_context_device(context) == bench.device && !ck_context_is_green(context));
  CHECK(ck_context_native(context) == ck_context_native(ck_device_context(bench.device)));
  CHECK_OK(ck_context_get_id(context, &id));
  CHECK(id != 0);
  ck_context_retain(context); /* counts as a reference of the device */
  ck_context_release(context);
  ck_context_release(NULL);
  CHECK_OK(ck_context_sync(context));
  CHECK_OK(ck_context_reset_persisting_l2(context));
}

/* Every error code that the driver has a name for is reported by it. */
TEST(driver_error_names)
{
  const Driver *driver = bench.device->driver;
  unsigned named = 0;
  for (int code = 1; code < 1000; ++code) {
    const char *name = NULL;
    if (driver->cuGetErrorName((CUresult)code, &name) != CUDA_SUCCESS || !name) continue;
    ++named;
    CHECK(driver_report(driver, (CUresult)code, "cuCall()", __FILE_NAME__, 7) != CK_OK);
    CHECK(ck_last_driver_error() == code);
    CHECK_ERROR(name);
    CHECK_ERROR("from cuCall() at device.c:7");
  }
  printf("%u codes have names\n", named);
  CHECK(named >= (ck_device_is_host(bench.device) ? 20u : 80u));
}

TEST(limits)
{
  ck_context_t *context = ck_device_context(bench.device);
  size_t stack, now;
  CHECK_OK(ck_context_get_limit(context, CK_LIMIT_STACK, &stack));
  CHECK(stack > 0);
  CHECK_OK(ck_context_set_limit(context, CK_LIMIT_STACK, 4096));
  CHECK_OK(ck_context_get_limit(context, CK_LIMIT_STACK, &now));
  CHECK(now >= 4096);
  CHECK_OK(ck_context_set_limit(context, CK_LIMIT_STACK, stack));
  CHECK_OK(ck_context_get_limit(context, CK_LIMIT_PRINT_BUFFER, &now));
  CHECK_OK(ck_context_get_limit(context, CK_LIMIT_MALLOC_HEAP, &now));
  CHECK_STATUS(ck_context_get_limit(context, (ck_limit_t)99, &now), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_context_set_limit(context, (ck_limit_t)-1, 1), CK_INVALID_ARGUMENT);
  if (ck_device_is_host(bench.device))
    CHECK_STATUS(ck_context_get_limit(context, CK_LIMIT_PERSISTING_L2, &now), CK_UNSUPPORTED);
}

TEST(peers)
{
  int can = 1, rank;
  CHECK_OK(ck_device_can_access_peer(bench.device, bench.device, &can));
  CHECK(!can);
  CHECK_STATUS(ck_context_set_peer_access(ck_device_context(bench.device), bench.device, 1),
               CK_INVALID_ARGUMENT);
  CHECK_STATUS(
      ck_device_get_peer_attribute(bench.device, bench.device, CK_PEER_PERFORMANCE_RANK, &rank),
      CK_INVALID_ARGUMENT);
  ck_device_t *host, *second;
  CHECK_OK(ck_device_open_host(&host));
  CHECK_OK(ck_device_can_access_peer(bench.device, host, &can));
  CHECK(!can);
  ck_device_release(host);
  second = bench_open_second(&bench);
  if (!second) return;
  CHECK_OK(ck_device_can_access_peer(bench.device, second, &can));
  if (can) {
    ck_context_t *context = ck_device_context(bench.device);
    CHECK_OK(ck_context_set_peer_access(context, second, 1));
    CHECK_OK(ck_context_set_peer_access(context, second, 1));
    CHECK_OK(ck_device_get_peer_attribute(bench.device, second, CK_PEER_ACCESS_SUPPORTED, &rank));
    CHECK(rank == 1);
    CHECK_OK(ck_context_set_peer_access(context, second, 0));
    CHECK_OK(ck_context_set_peer_access(context, second, 0));
  }
  ck_device_release(second);
}

/* Whether this device has green contexts. */
static bool get_sms(ck_sm_resource_t *out_all)
{
  ck_status_t status = ck_device_get_sm_resource(bench.device, out_all);
  return status != CK_UNSUPPORTED && CHECK_OK(status);
}

TEST(sm_resource_properties)
{
  ck_sm_resource_t all, same;
  if (!get_sms(&all)) return;
  CHECK(all.sm_count > 0 && all.min_partition_size > 0 && all.coscheduled_alignment > 0);
  CHECK_OK(ck_context_get_sm_resource(ck_device_context(bench.device), &same));
  CHECK(same.sm_count == all.sm_count);
  CHECK_OK(ck_stream_get_sm_resource(bench.stream, &same));
  CHECK(same.sm_count == all.sm_count);
}

/* Multiprocessors of a GPU come in pairs (TPCs). */
TEST(arch_constraints)
{
  ck_sm_resource_t all;
  int major, minor;
  if (!get_sms(&all) || ck_device_is_host(bench.device)) return;
  CHECK_OK(ck_device_get_compute_capability(bench.device, &major, &minor));
  CHECK(all.min_partition_size >= 2 && all.coscheduled_alignment >= 2);
  if (major < 9) return;
  CHECK(all.min_partition_size % 2 == 0 && all.coscheduled_alignment % 2 == 0);
}

TEST(single_group_counts)
{
  ck_sm_resource_t all, group, rest;
  size_t count = 1;
  if (!get_sms(&all)) return;
  CHECK_OK(
      ck_sm_resource_split(bench.device, &all, all.min_partition_size, 0, &group, &count, &rest));
  CHECK(count == 1 && group.sm_count >= all.min_partition_size);
  CHECK(group.sm_count + rest.sm_count <= all.sm_count);
}

/* Without a size: the smallest groups. */
TEST(discovery_mode)
{
  ck_sm_resource_t all, group, rest;
  size_t count = 1;
  if (!get_sms(&all)) return;
  CHECK_OK(ck_sm_resource_split(bench.device, &all, 0, 0, &group, &count, &rest));
  CHECK(count == 1 && group.sm_count >= all.min_partition_size);
  CHECK(group.sm_count % all.coscheduled_alignment == 0);
  CHECK(group.sm_count + rest.sm_count <= all.sm_count);
}

TEST(two_groups)
{
  ck_sm_resource_t all, groups[2], rest;
  size_t count = 2, most = 0;
  if (!get_sms(&all)) return;
  CHECK_OK(ck_sm_resource_split(bench.device, &all, 0, 0, NULL, &most, NULL));
  if (most < 2) return; /* too small for two groups */
  CHECK_OK(
      ck_sm_resource_split(bench.device, &all, all.min_partition_size, 0, groups, &count, &rest));
  CHECK(count == 2 && groups[0].sm_count == groups[1].sm_count);
  CHECK(groups[0].sm_count >= all.min_partition_size);
  CHECK(2 * groups[0].sm_count + rest.sm_count <= all.sm_count);
}

/* Counting gives the number that the split makes. */
TEST(dry_run_matches_real)
{
  ck_sm_resource_t all, groups[512];
  size_t dry = 0, count = COUNT_OF(groups);
  if (!get_sms(&all)) return;
  CHECK_OK(ck_sm_resource_split(bench.device, &all, 0, 0, NULL, &dry, NULL));
  CHECK_OK(ck_sm_resource_split(bench.device, &all, 0, 0, groups, &count, NULL));
  CHECK(dry >= 1 && dry == count);
}

TEST(split_that_is_refused)
{
  ck_sm_resource_t all, group;
  size_t count = 1;
  if (!get_sms(&all)) return;
  CHECK_STATUS(ck_sm_resource_split(bench.device, &all, all.sm_count + 1, 0, &group, &count, NULL),
               CK_INVALID_ARGUMENT);
  CHECK(count == 0);
  count = 1;
  CHECK_STATUS(ck_sm_resource_split(bench.device, &all, (uint32_t)-1, 0, &group, &count, NULL),
               CK_INVALID_ARGUMENT);
  count = 1;
  CHECK_STATUS(ck_sm_resource_split(bench.device, &all, 1, 64, &group, &count, NULL),
               CK_INVALID_ARGUMENT);
}

/* Groups of individual sizes; not with drivers before CUDA 13.1. */
static ck_status_t split_two(const ck_sm_resource_t *all, uint32_t size, uint32_t together,
                             uint32_t flags, ck_sm_resource_t *groups, ck_sm_resource_t *rest)
{
  ck_sm_group_t wanted[2] = {{size, together, 0, flags}, {size, together, 0, flags}};
  return ck_sm_resource_split_groups(bench.device, all, wanted, 2, groups, rest);
}

static bool has_groups(const ck_sm_resource_t *all)
{
  ck_sm_group_t wanted = {0, 0, 0, 0};
  ck_status_t status = ck_sm_resource_split_groups(bench.device, all, &wanted, 1, NULL, NULL);
  if (status != CK_UNSUPPORTED) return CHECK_OK(status);
  CHECK(!ck_device_is_host(bench.device));
  CHECK_ERROR("the CUDA driver has no cuDevSmResourceSplit, which came with CUDA 13.1");
  return false;
}

/* Backfill allows sizes that are no multiple of the cluster size. */
TEST(two_groups_backfill)
{
  ck_sm_resource_t all, groups[2], rest;
  if (!get_sms(&all) || !has_groups(&all)) return;
  uint32_t together = ck_device_is_host(bench.device) ? 2 : 0;
  uint32_t step = ck_device_is_host(bench.device) ? 1 : 2;
  for (uint32_t size = all.sm_count / 2 / step * step; size >= 2 + step; size -= step) {
    ck_status_t plain = split_two(&all, size, together, 0, groups, &rest);
    if (plain == CK_OK) continue;
    CHECK(plain == CK_INVALID_ARGUMENT);
    CHECK_ERROR("multiprocessors can't be split into these groups");
    if (split_two(&all, size, together, CK_SM_GROUP_BACKFILL, groups, &rest) != CK_OK) continue;
    CHECK(groups[0].sm_count >= size && groups[1].sm_count >= size);
    CHECK(groups[0].flags == CK_SM_GROUP_BACKFILL);
    CHECK(groups[0].sm_count + groups[1].sm_count + rest.sm_count <= all.sm_count);
    ck_context_t *green;
    CHECK_OK(ck_context_create_green(bench.device, &groups[1], 1, NULL, &green));
    ck_context_release(green);
    return;
  }
  CHECK(!ck_device_is_host(bench.device));
}

/* Each group has its own size; the last gets the rest, and counting tells its size. */
TEST(groups_of_their_own_sizes)
{
  ck_sm_resource_t all, groups[2], rest;
  if (!get_sms(&all) || !has_groups(&all)) return;
  uint32_t first = 2 * (all.coscheduled_alignment > 1 ? all.coscheduled_alignment : 2);
  if (first >= all.sm_count) return;
  ck_sm_group_t wanted[] = {{first, 2, 2, 0}, {0, 2, 0, CK_SM_GROUP_BACKFILL}}, dry[2];
  memcpy(dry, wanted, sizeof dry);
  CHECK_OK(ck_sm_resource_split_groups(bench.device, &all, dry, 2, NULL, NULL));
  CHECK_OK(ck_sm_resource_split_groups(bench.device, &all, wanted, 2, groups, &rest));
  CHECK(groups[0].sm_count == first && groups[1].sm_count > 0);
  CHECK(dry[0].sm_count == first && dry[1].sm_count == groups[1].sm_count);
  CHECK(wanted[1].sm_count == groups[1].sm_count);
  CHECK(first + groups[1].sm_count + rest.sm_count == all.sm_count);
}

TEST(groups_that_are_refused)
{
  ck_sm_resource_t all, group;
  if (!get_sms(&all)) return;
  ck_sm_group_t wanted = {all.sm_count + 1, 0, 0, 0};
  CHECK_STATUS(ck_sm_resource_split_groups(bench.device, &all, &wanted, 1, &group, NULL),
               CK_INVALID_ARGUMENT);
  wanted = (ck_sm_group_t){0, 0, 0, 2};
  CHECK_STATUS(ck_sm_resource_split_groups(bench.device, &all, &wanted, 1, &group, NULL),
               CK_INVALID_ARGUMENT);
  CHECK_ERROR("the flags of group 0 are 0x2");
  CHECK_STATUS(ck_sm_resource_split_groups(bench.device, &all, &wanted, 0, &group, NULL),
               CK_INVALID_ARGUMENT);
  if (!has_groups(&all)) return;
  CHECK_STATUS(split_two(&all, all.sm_count, 0, 0, &group, NULL), CK_INVALID_ARGUMENT);
}

/* workqueues --------------------------------------------------------------------------------- */

/* Drivers before CUDA 13.1 have no work queue resources. */
static bool get_workqueues(ck_workqueue_resource_t *out_queues)
{
  ck_status_t status = ck_device_get_workqueue_resource(bench.device, out_queues);
  if (status != CK_UNSUPPORTED) return CHECK_OK(status);
  CHECK(!ck_device_is_host(bench.device) && out_queues->concurrency_limit == 0);
  CHECK_ERROR("the CUDA driver has no workqueue resources, which came with CUDA 13.1");
  return false;
}

TEST(workqueue_query)
{
  ck_workqueue_resource_t queues, same;
  if (!get_workqueues(&queues)) return;
  CHECK(queues.concurrency_limit >= 1 && queues.scope == CK_WORKQUEUES_OF_DEVICE);
  CHECK_OK(ck_context_get_workqueue_resource(ck_device_context(bench.device), &same));
  CHECK(same.concurrency_limit >= 1 && same.device_ordinal == queues.device_ordinal);
  CHECK_OK(ck_stream_get_workqueue_resource(bench.stream, &same));
  CHECK(same.concurrency_limit >= 1 && same.device_ordinal == queues.device_ordinal);
}

/* Setting the present values changes nothing. */
TEST(workqueue_configure_none_is_noop)
{
  ck_workqueue_resource_t queues, before;
  if (!get_workqueues(&queues)) return;
  before = queues;
  CHECK_OK(ck_workqueue_resource_set(&queues, queues.scope, (int)queues.concurrency_limit));
  CHECK(!memcmp(&before, &queues, sizeof before));
}

TEST(workqueue_configure)
{
  ck_workqueue_resource_t queues = {.reserved = 0};
  CHECK_OK(ck_workqueue_resource_set(&queues, CK_WORKQUEUES_BALANCED, 4));
  CHECK(queues.scope == CK_WORKQUEUES_BALANCED && queues.concurrency_limit == 4);
  CHECK_OK(ck_workqueue_resource_set(&queues, CK_WORKQUEUES_OF_DEVICE, 2));
  CHECK(queues.scope == CK_WORKQUEUES_OF_DEVICE && queues.concurrency_limit == 2);
}

TEST(workqueue_configure_that_is_refused)
{
  ck_workqueue_resource_t queues = {.concurrency_limit = 3};
  CHECK_STATUS(ck_workqueue_resource_set(&queues, (ck_workqueue_scope_t)7, 1), CK_INVALID_ARGUMENT);
  CHECK_ERROR("workqueue scope 7 is unknown");
  CHECK_STATUS(ck_workqueue_resource_set(&queues, CK_WORKQUEUES_BALANCED, 0), CK_INVALID_ARGUMENT);
  CHECK_ERROR("a concurrency limit of 0: the least is 1");
  CHECK_STATUS(ck_workqueue_resource_set(&queues, CK_WORKQUEUES_BALANCED, -3), CK_INVALID_ARGUMENT);
  CHECK(queues.concurrency_limit == 3 && queues.scope == CK_WORKQUEUES_OF_DEVICE);
}

/* A device's workqueues are its own. */
TEST(workqueue_device)
{
  ck_workqueue_resource_t queues;
  ck_green_options_t options = CK_OPTIONS_INIT(ck_green_options_t);
  ck_sm_resource_t all;
  ck_context_t *green;
  ck_device_t *second;
  if (!get_workqueues(&queues) || !get_sms(&all)) return;
  CHECK(queues.device_ordinal ==
        (ck_device_is_host(bench.device) ? -1 : ck_device_ordinal(bench.device)));
  options.workqueues = &queues;
  ++queues.device_ordinal;
  CHECK_STATUS(ck_context_create_green(bench.device, &all, 1, &options, &green),
               CK_INVALID_ARGUMENT);
  CHECK_ERROR("the workqueues are of device");
  queues = (ck_workqueue_resource_t){.concurrency_limit = 1};
  CHECK_STATUS(ck_context_create_green(bench.device, &all, 1, &options, &green),
               CK_INVALID_ARGUMENT);
  CHECK_ERROR("the workqueues are no device's: ask for them first");
  CHECK(green == NULL);
  second = bench_open_second(&bench);
  if (!second) return;
  CHECK_OK(ck_device_get_workqueue_resource(second, &queues));
  CHECK(queues.device_ordinal == ck_device_ordinal(second));
  ck_device_release(second);
}

/* A context has the workqueues that it was made with. */
TEST(workqueues_of_a_green_context)
{
  ck_workqueue_resource_t queues, own;
  ck_green_options_t options = CK_OPTIONS_INIT(ck_green_options_t);
  ck_sm_resource_t all, group;
  ck_context_t *green;
  size_t count = 1;
  if (!get_workqueues(&queues) || !get_sms(&all)) return;
  CHECK_OK(ck_sm_resource_split(bench.device, &all, 0, 0, &group, &count, NULL));
  CHECK_OK(ck_workqueue_resource_set(&queues, CK_WORKQUEUES_BALANCED, 2));
  options.workqueues = &queues;
  CHECK_OK(ck_context_create_green(bench.device, &group, 1, &options, &green));
  CHECK_OK(ck_context_get_workqueue_resource(green, &own));
  CHECK(own.scope == CK_WORKQUEUES_BALANCED && own.concurrency_limit == 2);
  CHECK_OK(ck_context_get_sm_resource(green, &all));
  CHECK(all.sm_count == group.sm_count);
  ck_context_release(green);
}

TEST(create_context_requires_resources)
{
  ck_context_t *green;
  ck_sm_resource_t nothing = {0};
  CHECK_STATUS(ck_context_create_green(bench.device, NULL, 0, NULL, &green), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_context_create_green(bench.device, &nothing, 0, NULL, &green),
               CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_context_create_green(bench.device, &nothing, 1, NULL, &green),
               CK_INVALID_ARGUMENT);
  CHECK_ERROR("has no multiprocessors");
}

/* Fills a buffer in a stream, and reads it in another one that waits for it. */
static void fill_and_read(ck_buffer_t *buffer, ck_stream_t *stream, ck_event_t *event,
                          uint32_t value)
{
  uint32_t words[64];
  CHECK_OK(ck_buffer_fill(buffer, 0, sizeof words, value, 4, stream));
  CHECK_OK(ck_stream_record(stream, event));
  CHECK_OK(ck_stream_wait(bench.stream, event));
  CHECK_OK(ck_stream_wait_stream(bench.stream, stream));
  CHECK_OK(ck_buffer_read(buffer, 0, words, sizeof words, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK(words[0] == value && words[63] == value);
}

/* A green context of the smallest group; NULL where there are none. */
static ck_context_t *make_green(void)
{
  ck_sm_resource_t all, group;
  ck_context_t *green = NULL;
  size_t count = 1;
  if (!get_sms(&all)) return NULL;
  CHECK_OK(ck_sm_resource_split(bench.device, &all, 0, 0, &group, &count, NULL));
  CHECK_OK(ck_context_create_green(bench.device, &group, 1, NULL, &green));
  return green;
}

TEST(is_green)
{
  ck_context_t *green = make_green();
  if (!green) return;
  CHECK(ck_context_is_green(green) && ck_context_native(green));
  CHECK(ck_context_device(green) == bench.device);
  CHECK(!ck_context_is_green(ck_device_context(bench.device)));
  CHECK(ck_context_native(green) != ck_context_native(ck_device_context(bench.device)));
  ck_context_release(green);
}

/* The primary context makes streams as well. */
TEST(create_stream_on_primary)
{
  ck_stream_t *stream;
  CHECK_OK(ck_context_create_stream(ck_device_context(bench.device), NULL, &stream));
  CHECK(ck_stream_context(stream) == ck_device_context(bench.device));
  ck_stream_release(stream);
  CHECK_STATUS(ck_context_create_stream(NULL, NULL, &stream), CK_INVALID_ARGUMENT);
  CHECK(stream == NULL);
}

TEST(create_stream_blocking_raises)
{
  ck_stream_options_t options = CK_OPTIONS_INIT(ck_stream_options_t);
  ck_context_t *green = make_green();
  ck_stream_t *stream;
  if (!green) return;
  options.flags = CK_STREAM_BLOCKING;
  CHECK_STATUS(ck_context_create_stream(green, &options, &stream), CK_INVALID_ARGUMENT);
  CHECK_ERROR("a stream of a green context can't be blocking");
  CHECK(stream == NULL);
  ck_context_release(green);
}

TEST(stream_and_event_track_green_context)
{
  ck_context_t *green = make_green();
  ck_stream_t *stream;
  ck_event_t *event;
  if (!green) return;
  CHECK_OK(ck_context_create_stream(green, NULL, &stream));
  CHECK_OK(ck_context_create_event(green, NULL, &event));
  CHECK_OK(ck_stream_record(stream, event));
  CHECK(ck_stream_context(stream) == green && ck_event_context(event) == green);
  CHECK_OK(ck_stream_sync(stream));
  CHECK_OK(ck_event_sync(event));
  ck_event_release(event);
  ck_stream_release(stream);
  ck_context_release(green);
}

/* Not an error here: afterwards no context is current. */
TEST(close_while_current)
{
  ck_context_t *green = make_green();
  if (!green) return;
  CHECK_OK(ck_context_set_current(bench.device, green));
  ck_context_release(green);
  CUcontext current = (CUcontext)1;
  CHECK(bench.device->driver->cuCtxGetCurrent(&current) == CUDA_SUCCESS && !current);
  CHECK_OK(ck_device_sync(bench.device));
  CHECK_OK(ck_stream_sync(bench.stream));
}

TEST(set_current_swap_regression)
{
  ck_context_t *green = make_green(), *primary = ck_device_context(bench.device);
  if (!green) return;
  CHECK_OK(ck_context_set_current(bench.device, primary));
  for (int round = 0; round < 2; ++round) {
    CHECK_OK(ck_context_set_current(bench.device, green));
    CHECK(is_context_current(green) && !is_context_current(primary));
    CHECK_OK(ck_device_sync(bench.device));
    CHECK(is_context_current(green));
    CHECK_OK(ck_context_set_current(bench.device, primary));
    CHECK(is_context_current(primary) && !is_context_current(green));
  }
  CHECK_OK(ck_context_set_current(bench.device, NULL));
  ck_context_release(green);
}

TEST(green_ctx_sm_resources)
{
  ck_sm_resource_t all, own, of_stream;
  ck_context_t *green = make_green();
  ck_stream_t *stream;
  if (!green) return;
  CHECK_OK(ck_device_get_sm_resource(bench.device, &all));
  CHECK_OK(ck_context_get_sm_resource(green, &own));
  CHECK(own.sm_count > 0 && own.sm_count <= all.sm_count);
  CHECK_OK(ck_context_create_stream(green, NULL, &stream));
  CHECK_OK(ck_stream_get_sm_resource(stream, &of_stream));
  CHECK(of_stream.sm_count == own.sm_count);
  ck_stream_release(stream);
  ck_context_release(green);
}

TEST(green_ctx_resources_reflect_partition)
{
  ck_sm_resource_t all, groups[2], own[2];
  ck_context_t *green[2];
  size_t count = 2;
  if (!get_sms(&all)) return;
  CHECK_OK(ck_sm_resource_split(bench.device, &all, 0, 0, groups, &count, NULL));
  if (count < 2) return; /* too small for two groups */
  for (int i = 0; i < 2; ++i) {
    CHECK_OK(ck_context_create_green(bench.device, &groups[i], 1, NULL, &green[i]));
    CHECK_OK(ck_context_get_sm_resource(green[i], &own[i]));
    CHECK(own[i].sm_count > 0);
  }
  CHECK(own[0].sm_count + own[1].sm_count <= all.sm_count);
  ck_context_release(green[0]);
  ck_context_release(green[1]);
}

/* Uses an adopted stream: waits both ways, and a captured graph with a fork. */
static void use_adopted(ck_stream_t *stream)
{
  ck_graph_builder_t *builder, *fork;
  ck_graph_t *graph;
  ck_buffer_t *buffer;
  uint32_t words[2] = {0, 0};
  CHECK_OK(ck_buffer_create(bench.device, 8, bench.stream, &buffer));
  CHECK_OK(ck_stream_wait_stream(stream, bench.stream));
  CHECK_OK(ck_graph_builder_from_stream(stream, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  CHECK_OK(ck_graph_builder_split(builder, 1, &fork));
  CHECK(ck_context_native(ck_stream_context(ck_graph_builder_stream(fork))) ==
        ck_context_native(ck_stream_context(stream)));
  CHECK_OK(ck_buffer_fill(buffer, 0, 4, 5, 4, ck_graph_builder_stream(fork)));
  CHECK_OK(ck_buffer_fill(buffer, 4, 4, 6, 4, stream));
  CHECK_OK(ck_graph_builder_join(builder, &fork, 1));
  CHECK_OK(ck_graph_builder_end(builder));
  CHECK_OK(ck_graph_builder_create_graph(builder, NULL, &graph));
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK_OK(ck_stream_wait_stream(bench.stream, stream));
  CHECK_OK(ck_buffer_read(buffer, 0, words, 8, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK(words[0] == 5 && words[1] == 6);
  ck_graph_release(graph);
  ck_graph_builder_release(fork);
  ck_graph_builder_release(builder);
  ck_buffer_release(buffer);
}

/* A stream that other code made in a green context belongs to that context here too. */
TEST(adopted_stream_of_green_context)
{
  ck_context_t *green = make_green();
  ck_stream_t *stream, *adopted;
  ck_sm_resource_t own, seen;
  if (!green) return;
  CHECK_OK(ck_context_create_stream(green, NULL, &stream));
  CHECK_OK(ck_stream_from_native(bench.device, ck_stream_native(stream), 0, &adopted));
  ck_context_t *context = ck_stream_context(adopted);
  CHECK(ck_context_is_green(context));
  CHECK_OK(ck_context_get_sm_resource(green, &own));
  CHECK_OK(ck_stream_get_sm_resource(adopted, &seen));
  CHECK(seen.sm_count == own.sm_count);
  use_adopted(adopted);
  ck_stream_release(adopted);
  CHECK_OK(ck_context_get_sm_resource(green, &seen)); /* not the context of the adopted stream */
  ck_stream_release(stream);
  ck_context_release(green);
}

/* The same of a context that is neither green nor the device's, which a GPU may have. */
TEST(adopted_stream_of_another_context)
{
  void *library = ck_device_is_host(bench.device) ? NULL : dlopen("libcuda.so.1", RTLD_NOW);
  if (!library) return;
  CUresult (*create)(CUcontext *, unsigned, CUdevice), (*destroy)(CUcontext);
  *(void **)(void *)&create = dlsym(library, "cuCtxCreate_v2");
  *(void **)(void *)&destroy = dlsym(library, "cuCtxDestroy_v2");
  CUcontext context, old;
  CUstream native;
  ck_stream_t *adopted;
  const Driver *driver = bench.device->driver;
  CHECK(create(&context, 0, bench.device->native) == CUDA_SUCCESS);
  CHECK(driver->cuStreamCreateWithPriority(&native, CU_STREAM_NON_BLOCKING, 0) == CUDA_SUCCESS);
  driver->cuCtxPopCurrent(&old);
  CHECK_OK(ck_stream_from_native(bench.device, native, 1, &adopted));
  CHECK(ck_context_native(ck_stream_context(adopted)) == context);
  CHECK(!ck_context_is_green(ck_stream_context(adopted)));
  use_adopted(adopted);
  ck_stream_release(adopted);
  CHECK(destroy(context) == CUDA_SUCCESS);
}

/* A stream and an event of a green context: they work, and keep it. */
static void use_green(const ck_sm_resource_t *group, uint32_t value)
{
  ck_context_t *green;
  ck_stream_t *stream, *blocking;
  ck_stream_options_t options = CK_OPTIONS_INIT(ck_stream_options_t);
  ck_event_t *event;
  ck_buffer_t *buffer;
  ck_sm_resource_t own;
  uint64_t id, primary_id;
  CHECK_OK(ck_context_create_green(bench.device, group, 1, NULL, &green));
  CHECK(ck_context_is_green(green) && ck_context_native(green));
  CHECK_OK(ck_context_get_sm_resource(green, &own));
  CHECK(own.sm_count == group->sm_count);
  CHECK_OK(ck_context_get_id(green, &id));
  CHECK_OK(ck_context_get_id(ck_device_context(bench.device), &primary_id));
  CHECK(id != primary_id || !ck_device_is_host(bench.device));
  options.flags = CK_STREAM_BLOCKING;
  CHECK_STATUS(ck_context_create_stream(green, &options, &blocking), CK_INVALID_ARGUMENT);
  CHECK_OK(ck_context_create_stream(green, NULL, &stream));
  CHECK(ck_stream_context(stream) == green);
  CHECK_OK(ck_context_create_event(green, NULL, &event));
  CHECK(ck_event_context(event) == green);
  ck_context_release(green); /* its stream and its event keep it */
  CHECK_OK(ck_stream_get_sm_resource(stream, &own));
  CHECK(own.sm_count == group->sm_count);
  CHECK_OK(ck_buffer_create(bench.device, 256, bench.stream, &buffer));
  CHECK_OK(ck_stream_wait_stream(stream, bench.stream));
  fill_and_read(buffer, stream, event, value);
  ck_buffer_release(buffer);
  CHECK_OK(ck_stream_sync(stream));
  ck_event_release(event);
  ck_stream_release(stream);
}

TEST(green_contexts)
{
  ck_sm_resource_t all, groups[2];
  size_t count = 2;
  if (!get_sms(&all)) return;
  CHECK_OK(ck_sm_resource_split(bench.device, &all, 0, 0, groups, &count, NULL));
  for (size_t i = 0; i < count; ++i) use_green(&groups[i], 1000 + (uint32_t)i);
}

/* Memory in the order of a green context's stream. compute-sanitizer 2025.3's initcheck faults in
 * any cuMemAllocAsync on such a stream, of a program that has nothing but the driver too. */
TEST(green_allocation)
{
  const char *tool = getenv("CK_SANITIZER");
  ck_sm_resource_t all, group;
  ck_context_t *green;
  ck_stream_t *stream;
  ck_event_t *event;
  ck_buffer_t *buffer;
  size_t count = 1;
  if ((tool && !strcmp(tool, "initcheck")) || !get_sms(&all)) return;
  CHECK_OK(ck_sm_resource_split(bench.device, &all, 0, 0, &group, &count, NULL));
  CHECK_OK(ck_context_create_green(bench.device, &group, 1, NULL, &green));
  CHECK_OK(ck_context_create_stream(green, NULL, &stream));
  CHECK_OK(ck_context_create_event(green, NULL, &event));
  CHECK_OK(ck_buffer_create(bench.device, 256, stream, &buffer));
  fill_and_read(buffer, stream, event, 7);
  ck_buffer_release(buffer);
  CHECK_OK(ck_stream_sync(stream));
  ck_event_release(event);
  ck_stream_release(stream);
  ck_context_release(green);
}

int main(void)
{
  setenv("CK_HOST_THREADS", "8", 0); /* cores to split */
  bench_open_any(&bench);
  run_all();
  bench_close(&bench);
  CHECK(atomic_load(&host_live_objects) == 0);
  return tests_report();
}
