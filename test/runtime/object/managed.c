/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* managed.c - tests managed memory, on the device that $CK_DEVICE names: cuda.core's
 * memory/test_managed_ops.py in C. Uses only a few pages. */
#include "fixture.h"

static Bench bench;
static ck_memory_resource_t *pool, *legacy; /* pool: NULL before CUDA 13.0 */
static ck_location_t here;
static const ck_location_t host = {CK_PLACE_HOST, 0};

enum { BYTES = 65536 };

static ck_buffer_t *make(ck_memory_resource_t *resource)
{
  ck_buffer_t *buffer = NULL;
  CHECK_OK(ck_memory_resource_create_buffer(resource, BYTES, bench.stream, &buffer));
  CHECK_OK(ck_stream_sync(bench.stream));
  return buffer;
}

static bool same(ck_location_t a, ck_location_t b)
{
  return a.place == b.place && a.id == b.id;
}

TEST(managed_memory_operations_reject_non_managed_allocations)
{
  ck_buffer_t *plain;
  int value;
  ck_location_t location;
  CHECK_OK(ck_buffer_create(bench.device, BYTES, bench.stream, &plain));
  CHECK_STATUS(ck_buffer_set_read_mostly(plain, 1), CK_INVALID_ARGUMENT);
  CHECK_ERROR("the buffer is no managed memory");
  CHECK_STATUS(ck_buffer_get_read_mostly(plain, &value), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_buffer_prefetch(plain, here, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_buffer_discard_prefetch(plain, here, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_buffer_get_preferred_location(plain, &location), CK_INVALID_ARGUMENT);
  ck_buffer_release(plain);
}

TEST(managed_memory_operations_reject_no_bytes)
{
  ck_buffer_t *buffer = make(legacy), *empty;
  CHECK_OK(ck_memory_resource_create_buffer(legacy, 0, bench.stream, &empty));
  CHECK_STATUS(ck_buffer_set_read_mostly(empty, 1), CK_INVALID_ARGUMENT);
  CHECK_ERROR("the buffer has 0 bytes");
  CHECK_OK(ck_buffer_close(buffer, NULL));
  CHECK_STATUS(ck_buffer_set_read_mostly(buffer, 1), CK_INVALID_ARGUMENT);
  CHECK_ERROR("the buffer is closed");
  ck_buffer_release(empty);
  ck_buffer_release(buffer);
}

TEST(read_mostly_roundtrip)
{
  ck_buffer_t *buffer = make(legacy);
  int is_set = 1;
  CHECK_OK(ck_buffer_get_read_mostly(buffer, &is_set));
  CHECK(!is_set);
  CHECK_OK(ck_buffer_set_read_mostly(buffer, 1));
  CHECK_OK(ck_buffer_get_read_mostly(buffer, &is_set));
  CHECK(is_set);
  CHECK_OK(ck_buffer_set_read_mostly(buffer, 0));
  CHECK_OK(ck_buffer_get_read_mostly(buffer, &is_set));
  CHECK(!is_set);
  ck_buffer_release(buffer);
}

TEST(preferred_location_roundtrip)
{
  ck_buffer_t *buffer = make(legacy);
  ck_location_t location = host;
  CHECK_OK(ck_buffer_get_preferred_location(buffer, &location));
  CHECK(location.place == CK_PLACE_NONE);
  CHECK_OK(ck_buffer_set_preferred_location(buffer, here));
  CHECK_OK(ck_buffer_get_preferred_location(buffer, &location));
  CHECK(same(location, here));
  CHECK_OK(ck_buffer_set_preferred_location(buffer, host));
  CHECK_OK(ck_buffer_get_preferred_location(buffer, &location));
  CHECK(same(location, host));
  CHECK_OK(ck_buffer_set_preferred_location(buffer, (ck_location_t){CK_PLACE_NONE, 0}));
  CHECK_OK(ck_buffer_get_preferred_location(buffer, &location));
  CHECK(location.place == CK_PLACE_NONE);
  ck_buffer_release(buffer);
}

TEST(accessed_by)
{
  ck_buffer_t *buffer = make(legacy);
  int is_set = 1;
  CHECK_OK(ck_buffer_get_accessed_by(buffer, here, &is_set));
  CHECK(!is_set);
  CHECK_OK(ck_buffer_set_accessed_by(buffer, here, 1));
  CHECK_OK(ck_buffer_get_accessed_by(buffer, here, &is_set));
  CHECK(is_set);
  CHECK_OK(ck_buffer_set_accessed_by(buffer, here, 0));
  CHECK_OK(ck_buffer_get_accessed_by(buffer, here, &is_set));
  CHECK(!is_set);
  CHECK_STATUS(ck_buffer_set_accessed_by(buffer, (ck_location_t){CK_PLACE_HOST_NUMA, 0}, 1),
               CK_INVALID_ARGUMENT);
  ck_buffer_release(buffer);
}

static void try_prefetch(ck_memory_resource_t *resource)
{
  ck_buffer_t *buffer = make(resource);
  ck_location_t location;
  uint32_t *words = ck_buffer_host(buffer);
  for (size_t i = 0; i < BYTES / 4; ++i) words[i] = (uint32_t)i;
  CHECK_OK(ck_buffer_prefetch(buffer, here, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK_OK(ck_buffer_get_prefetch_location(buffer, &location));
  CHECK(same(location, here));
  CHECK_OK(ck_buffer_fill(buffer, 0, 4, 99, 4, bench.stream));
  CHECK_OK(ck_buffer_prefetch(buffer, host, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK_OK(ck_buffer_get_prefetch_location(buffer, &location));
  CHECK(same(location, host));
  CHECK(words[0] == 99 && words[BYTES / 4 - 1] == BYTES / 4 - 1);
  CHECK_STATUS(ck_buffer_prefetch(buffer, (ck_location_t){CK_PLACE_NONE, 0}, bench.stream),
               CK_INVALID_ARGUMENT);
  ck_buffer_release(buffer);
}

TEST(prefetch)
{
  try_prefetch(legacy);
  if (pool) try_prefetch(pool);
}

/* Whether the driver has the batches of CUDA 13.0. */
static bool is_there(ck_status_t status)
{
  return status != CK_UNSUPPORTED && CHECK_OK(status);
}

TEST(prefetch_batch)
{
  ck_buffer_t *buffers[3];
  ck_location_t location, each[3] = {host, here, host};
  for (int i = 0; i < 3; ++i) buffers[i] = make(legacy);
  if (is_there(ck_prefetch_batch(buffers, 3, &here, 1, bench.stream))) {
    CHECK_OK(ck_stream_sync(bench.stream));
    for (int i = 0; i < 3; ++i) {
      CHECK_OK(ck_buffer_get_prefetch_location(buffers[i], &location));
      CHECK(same(location, here));
    }
    CHECK_OK(ck_prefetch_batch(buffers, 3, each, 3, bench.stream));
    CHECK_OK(ck_stream_sync(bench.stream));
    for (int i = 0; i < 3; ++i) {
      CHECK_OK(ck_buffer_get_prefetch_location(buffers[i], &location));
      CHECK(same(location, each[i]));
    }
  }
  for (int i = 0; i < 3; ++i) ck_buffer_release(buffers[i]);
}

TEST(discard_batch)
{
  ck_buffer_t *buffers[2] = {make(legacy), make(legacy)}, *moved = make(legacy);
  ck_location_t location;
  if (is_there(ck_prefetch_batch(buffers, 2, &here, 1, bench.stream))) {
    CHECK_OK(ck_discard_batch(buffers, 2, bench.stream)); /* what is written next may be lost */
    CHECK_OK(ck_discard_prefetch_batch(buffers, 2, &here, 1, bench.stream));
    CHECK_OK(ck_buffer_discard(buffers[0], bench.stream));
    CHECK_OK(ck_buffer_get_prefetch_location(buffers[1], &location));
    CHECK(same(location, here));
    CHECK_OK(ck_buffer_discard_prefetch(moved, here, bench.stream));
    CHECK_OK(ck_buffer_fill(moved, 0, BYTES, 4, 4, bench.stream));
    CHECK_OK(ck_stream_sync(bench.stream));
    CHECK(((uint32_t *)ck_buffer_host(moved))[5] == 4);
  }
  ck_buffer_release(buffers[0]);
  ck_buffer_release(buffers[1]);
  ck_buffer_release(moved);
}

TEST(batch_errors)
{
  ck_buffer_t *buffers[3] = {make(legacy), make(legacy), NULL};
  ck_location_t two[2] = {host, here};
  CHECK_STATUS(ck_prefetch_batch(buffers, 3, two, 2, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_ERROR("2 locations for 3 buffers");
  CHECK_STATUS(ck_prefetch_batch(buffers, 2, NULL, 0, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_discard_prefetch_batch(buffers, 2, NULL, 0, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_discard_batch(buffers, 0, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_discard_batch(buffers, 3, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_discard_batch(buffers, 2, NULL), CK_INVALID_ARGUMENT);
  ck_buffer_release(buffers[0]);
  ck_buffer_release(buffers[1]);
}

/* A count of locations without a list. */
TEST(batch_without_locations)
{
  ck_buffer_t *buffers[2] = {make(legacy), make(legacy)};
  CHECK_STATUS(ck_prefetch_batch(buffers, 2, NULL, 1, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_ERROR("ck_prefetch_batch: 1 locations at NULL");
  CHECK_STATUS(ck_discard_prefetch_batch(buffers, 2, NULL, 2, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_ERROR("ck_discard_prefetch_batch: 2 locations at NULL");
  ck_buffer_release(buffers[0]);
  ck_buffer_release(buffers[1]);
}

/* The driver refuses discards and batches in the legacy default stream. */
TEST(discards_in_the_default_stream)
{
  ck_buffer_t *buffer = make(legacy);
  ck_stream_t *standard;
  CHECK_OK(ck_stream_open_default(bench.device, &standard));
  for (int i = 0; i < 2; ++i) {
    ck_stream_t *stream = i ? standard : NULL;
    CHECK_STATUS(ck_buffer_discard(buffer, stream), CK_INVALID_ARGUMENT);
    CHECK_ERROR("ck_buffer_discard: not in the legacy default stream");
    CHECK_STATUS(ck_buffer_discard_prefetch(buffer, here, stream), CK_INVALID_ARGUMENT);
    CHECK_STATUS(ck_discard_batch(&buffer, 1, stream), CK_INVALID_ARGUMENT);
    CHECK_STATUS(ck_prefetch_batch(&buffer, 1, &here, 1, stream), CK_INVALID_ARGUMENT);
    CHECK_OK(ck_buffer_prefetch(buffer, here, stream)); /* a single prefetch is allowed */
  }
  CHECK_OK(ck_stream_sync(standard));
  ck_stream_release(standard);
  ck_buffer_release(buffer);
}

/* Adopted managed memory accepts hints and prefetches. */
TEST(external_managed_allocations)
{
  ck_buffer_t *owner = make(legacy), *buffer;
  ck_location_t location;
  int is_set = 0;
  CHECK_OK(
      ck_buffer_from_native(bench.device, ck_buffer_native(owner), BYTES, NULL, NULL, &buffer));
  CHECK(ck_buffer_flags(buffer) & CK_MEMORY_MANAGED && ck_buffer_bytes(buffer) == BYTES);
  CHECK_OK(ck_buffer_set_read_mostly(buffer, 1));
  CHECK_OK(ck_buffer_get_read_mostly(buffer, &is_set));
  CHECK(is_set);
  CHECK_OK(ck_buffer_set_read_mostly(buffer, 0));
  CHECK_OK(ck_buffer_set_preferred_location(buffer, host));
  CHECK_OK(ck_buffer_get_preferred_location(buffer, &location));
  CHECK(same(location, host));
  CHECK_OK(ck_buffer_prefetch(buffer, here, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK_OK(ck_buffer_get_prefetch_location(owner, &location));
  CHECK(same(location, here));
  ck_buffer_release(buffer);
  ck_buffer_release(owner);
}

/* Memory of pools, of cuMemAllocManaged, and adopted. */
TEST(discard_prefetch_of_each_kind)
{
  for (int kind = 0; kind < 3; ++kind) {
    ck_memory_resource_t *resource = kind ? legacy : pool;
    ck_location_t location;
    if (!resource) continue;
    ck_buffer_t *owner = make(resource), *buffer = owner;
    if (kind == 2)
      CHECK_OK(
          ck_buffer_from_native(bench.device, ck_buffer_native(owner), BYTES, NULL, NULL, &buffer));
    CHECK_OK(ck_buffer_prefetch(buffer, host, bench.stream));
    CHECK_OK(ck_stream_sync(bench.stream));
    if (is_there(ck_buffer_discard_prefetch(buffer, here, bench.stream))) {
      CHECK_OK(ck_stream_sync(bench.stream));
      CHECK_OK(ck_buffer_get_prefetch_location(buffer, &location));
      CHECK(same(location, here));
    }
    if (kind == 2) ck_buffer_release(buffer);
    ck_buffer_release(owner);
  }
}

TEST(advise_location_validation)
{
  ck_buffer_t *buffer = make(legacy);
  const ck_location_t node = {CK_PLACE_HOST_NUMA, 0}, near = {CK_PLACE_HOST_NUMA_CURRENT, 0},
                      none = {CK_PLACE_NONE, 0}, wrong = {(ck_place_t)7, 0},
                      far = {CK_PLACE_DEVICE, 99}, no_node = {CK_PLACE_HOST_NUMA, 9999};
  int is_set;
  CHECK_OK(ck_buffer_set_read_mostly(buffer, 1));
  CHECK_OK(ck_buffer_set_preferred_location(buffer, here));
  CHECK_OK(ck_buffer_set_preferred_location(buffer, host));
  CHECK_STATUS(ck_buffer_set_accessed_by(buffer, node, 1), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_buffer_set_accessed_by(buffer, near, 1), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_buffer_set_accessed_by(buffer, none, 1), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_buffer_get_accessed_by(buffer, node, &is_set), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_buffer_set_preferred_location(buffer, wrong), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_buffer_prefetch(buffer, wrong, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_buffer_prefetch(buffer, none, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_buffer_prefetch(buffer, far, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_ERROR("ck_buffer_prefetch: there is no device 99 ");
  CHECK_STATUS(ck_buffer_set_preferred_location(buffer, far), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_buffer_set_accessed_by(buffer, far, 1), CK_INVALID_ARGUMENT);
  if (ck_device_is_host(bench.device)) { /* drivers of GPUs take any node for the host */
    CHECK_STATUS(ck_buffer_set_preferred_location(buffer, no_node), CK_DRIVER);
    CHECK_ERROR("memory of the host's node 9999");
  }
  CHECK_OK(ck_buffer_set_accessed_by(buffer, host, 1));
  CHECK_OK(ck_buffer_set_accessed_by(buffer, here, 1));
  ck_buffer_release(buffer);
}

/* Some drivers take a NUMA node for the host as a whole; driver 580 on a machine with one node
 * forgets it. */
TEST(preferred_location_roundtrip_host_numa)
{
  ck_buffer_t *buffer = make(legacy);
  const ck_location_t node = {CK_PLACE_HOST_NUMA, 0};
  ck_location_t location;
  ck_status_t status = ck_buffer_set_preferred_location(buffer, node);
  CHECK(status == CK_OK || status == CK_UNSUPPORTED || status == CK_DRIVER);
  if (status == CK_OK) {
    CHECK_OK(ck_buffer_get_preferred_location(buffer, &location));
    CHECK(same(location, node) ||
          (!ck_device_is_host(bench.device) &&
           (location.place == CK_PLACE_HOST || location.place == CK_PLACE_NONE)));
    if (location.place == CK_PLACE_NONE) CHECK(location.id == 0);
  }
  ck_buffer_release(buffer);
}

/* A device whose driver has no current pool of managed memory. */
static CUresult no_managed_pool(CUmemoryPool *out_pool, CUmemLocation *location,
                                CUmemAllocationType type)
{
  if (type == CU_MEM_ALLOCATION_TYPE_MANAGED) return CUDA_ERROR_NOT_SUPPORTED;
  return driver_host()->cuMemGetMemPool(out_pool, location, type);
}

TEST(default_pool_error_without_concurrent_access)
{
  Driver poor = *driver_host();
  ck_memory_resource_t *none;
  ck_device_t *device;
  poor.cuMemGetMemPool = no_managed_pool;
  CHECK_OK(device_open(&poor, 0, &device));
  CHECK_STATUS(ck_memory_resource_create_managed(device, NULL, &none), CK_UNSUPPORTED);
  CHECK_ERROR("cuMemGetMemPool");
  CHECK(!none);
  ck_device_release(device);
}

/* Prefetches can't be captured: they are refused and invalidate the capture. */
TEST(refused_in_captures)
{
  ck_buffer_t *buffer = make(legacy);
  for (int which = 0; which < 5; ++which) {
    ck_graph_builder_t *builder;
    CHECK_OK(ck_graph_builder_create(bench.device, &builder));
    CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
    ck_stream_t *captured = ck_graph_builder_stream(builder);
    ck_status_t status = which == 0   ? ck_buffer_prefetch(buffer, here, captured)
                         : which == 1 ? ck_prefetch_batch(&buffer, 1, &here, 1, captured)
                         : which == 2 ? ck_discard_batch(&buffer, 1, captured)
                         : which == 3 ? ck_discard_prefetch_batch(&buffer, 1, &here, 1, captured)
                                      : ck_buffer_discard_prefetch(buffer, here, captured);
    if (status != CK_UNSUPPORTED) {
      CHECK_STATUS(status, CK_DRIVER);
      CHECK_ERROR("CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED");
      CHECK_STATUS(ck_graph_builder_end(builder), CK_DRIVER);
      CHECK_ERROR("CUDA_ERROR_STREAM_CAPTURE_INVALIDATED");
    }
    ck_graph_builder_release(builder);
  }
  ck_buffer_release(buffer);
}

int main(void)
{
  bench_open_any(&bench);
  int has = 0;
  CHECK_OK(ck_device_get_attribute(bench.device, CK_DEVICE_CONCURRENT_MANAGED_ACCESS, &has));
  if (!has) {
    bench_close(&bench);
    return 77;
  }
  here = (ck_location_t){CK_PLACE_DEVICE, ck_device_native(bench.device)};
  CHECK_OK(ck_memory_resource_create_legacy_managed(bench.device, &legacy));
  if (ck_memory_resource_create_managed(bench.device, NULL, &pool) != CK_OK)
    CHECK(ck_status_name(CK_UNSUPPORTED) && strstr(ck_last_error(), "CK_UNSUPPORTED"));
  run_all();
  ck_memory_resource_release(pool);
  ck_memory_resource_release(legacy);
  bench_close(&bench);
  CHECK(atomic_load(&host_live_objects) == 0);
  return tests_report();
}
