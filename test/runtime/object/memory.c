/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* memory.c - tests buffers and memory resources, on the device that $CK_DEVICE names: cuda.core's
 * test_memory.py and test_memory_peer_access.py in C, together with buffer.c and virtual.c. */
#include <unistd.h>

#include "fixture.h"

static Bench bench;

enum { BYTES = 4096 };

/* Fills a buffer in its stream, reads it back, and compares. */
static bool works(ck_buffer_t *buffer, uint32_t value)
{
  size_t count = ck_buffer_bytes(buffer) / 4;
  uint32_t *words = memory_new(count * 4);
  bool is_good = CHECK_OK(ck_buffer_fill(buffer, 0, count * 4, value, 4, bench.stream)) &&
                 CHECK_OK(ck_buffer_read(buffer, 0, words, count * 4, bench.stream)) &&
                 CHECK_OK(ck_stream_sync(bench.stream)) &&
                 CHECK(words[0] == value && words[count - 1] == value);
  memory_free(words);
  return is_good;
}

/* A buffer of each resource is usable, and is freed in stream order. */
static void try_resource(ck_memory_resource_t *resource, uint32_t flags)
{
  ck_buffer_t *buffer;
  CHECK(ck_memory_resource_device(resource) == bench.device);
  CHECK((ck_memory_resource_flags(resource) & flags) == flags);
  CHECK_OK(ck_memory_resource_create_buffer(resource, BYTES, bench.stream, &buffer));
  CHECK(ck_buffer_memory_resource(buffer) == resource);
  CHECK((ck_buffer_flags(buffer) & flags) == flags);
  CHECK(!(flags & CK_MEMORY_HOST) == !ck_buffer_host(buffer) || ck_device_is_host(bench.device));
  works(buffer, 0x01020304);
  if (ck_buffer_host(buffer)) CHECK(*(uint32_t *)ck_buffer_host(buffer) == 0x01020304);
  ck_buffer_release(buffer);
}

TEST(device_memory_resource_initialization)
{
  ck_memory_resource_t *current, *own;
  CHECK_OK(ck_memory_resource_create_device(bench.device, NULL, &current));
  CHECK(ck_memory_resource_native(current) != NULL);
  try_resource(current, CK_MEMORY_DEVICE);
  CHECK_OK(ck_device_get_memory_resource(bench.device, &own));
  CHECK(ck_memory_resource_native(own) == ck_memory_resource_native(current));
  try_resource(own, CK_MEMORY_DEVICE);
  ck_memory_resource_release(current);
}

TEST(device_memory_resource_with_options)
{
  ck_memory_resource_options_t options = CK_OPTIONS_INIT(ck_memory_resource_options_t);
  ck_memory_resource_t *pool;
  options.max_bytes = 64 << 20;
  CHECK_OK(ck_memory_resource_create_device(bench.device, &options, &pool));
  try_resource(pool, CK_MEMORY_DEVICE);
  ck_memory_resource_release(pool);
  options.flags = 1;
  CHECK_STATUS(ck_memory_resource_create_device(bench.device, &options, &pool),
               CK_INVALID_ARGUMENT);
}

/* Memory freed earlier in the same stream can be allocated, whether the stream has reached the free
 * or not. */
TEST(full_pool_gives_what_the_stream_freed)
{
  ck_memory_resource_options_t options = CK_OPTIONS_INIT(ck_memory_resource_options_t);
  ck_memory_resource_t *pool;
  enum { FULL = 32 << 20 }; /* pools of GPUs grow in such steps */
  options.max_bytes = FULL;
  CHECK_OK(ck_memory_resource_create_device(bench.device, &options, &pool));
  for (int i = 0; i < 20; ++i) {
    ck_buffer_t *buffer;
    unsigned char last = 0;
    CHECK_OK(ck_memory_resource_create_buffer(pool, FULL, bench.stream, &buffer));
    if (!buffer) break;
    CHECK_OK(ck_buffer_fill(buffer, 0, FULL, (uint32_t)i, 1, bench.stream));
    if (i == 19) CHECK_OK(ck_buffer_read(buffer, FULL - 1, &last, 1, bench.stream));
    ck_buffer_release(buffer);
    if (i < 19) continue;
    CHECK_OK(ck_stream_sync(bench.stream));
    CHECK(last == 19);
  }
  ck_memory_resource_release(pool);
}

/* A pool of 64 KiB. */
static ck_memory_resource_t *small_pool(uint32_t flags)
{
  ck_memory_resource_options_t options = CK_OPTIONS_INIT(ck_memory_resource_options_t);
  ck_memory_resource_t *pool = NULL;
  options.max_bytes = 1 << 16;
  options.flags = flags;
  CHECK_OK(ck_memory_resource_create_device(bench.device, &options, &pool));
  return pool;
}

/* The memory is available in stream order, while the stream is blocked until a later action of the
 * caller. */
TEST(full_pool_of_a_stream_that_waits)
{
  ck_memory_resource_t *pool;
  ck_buffer_t *first, *next, *flag = bench_buffer(&bench, 4);
  ck_stream_t *other;
  if (!ck_device_is_host(bench.device)) return; /* only work in the stream waits on a GPU */
  pool = small_pool(0);
  CHECK_OK(ck_buffer_fill(flag, 0, 4, 0, 4, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK_OK(ck_stream_create(bench.device, NULL, &other));
  CHECK_OK(ck_memory_resource_create_buffer(pool, 1 << 16, bench.stream, &first));
  CHECK_OK(ck_stream_wait_value(bench.stream, flag, 0, 1, 4, CK_WAIT_EQUAL));
  ck_buffer_release(first);
  CHECK_OK(ck_memory_resource_set_attribute(pool, CK_POOL_REUSE_DEPENDENCIES, 0));
  CHECK_STATUS(ck_memory_resource_create_buffer(pool, 1 << 16, other, &next), CK_OUT_OF_MEMORY);
  CHECK_OK(ck_memory_resource_create_buffer(pool, 1 << 16, bench.stream, &next));
  CHECK_OK(ck_stream_write_value(other, flag, 0, 1, 4));
  ck_buffer_release(next);
  ck_buffer_release(flag);
  ck_stream_release(other);
  ck_memory_resource_release(pool);
}

/* Another stream can allocate it too, unless the attribute above forbids it. */
TEST(full_pool_gives_what_another_stream_freed)
{
  ck_memory_resource_t *pool;
  ck_buffer_t *first, *next, *flag = bench_buffer(&bench, 4);
  ck_stream_t *others[3] = {NULL};              /* the last one is the default stream, under two
                                                 * names */
  if (!ck_device_is_host(bench.device)) return; /* a GPU's stream may wait for the other one */
  pool = small_pool(0);
  CHECK_OK(ck_stream_create(bench.device, NULL, &others[0]));
  CHECK_OK(ck_stream_open_default(bench.device, &others[1]));
  for (int i = 0; i < 3; ++i) {
    ck_stream_t *from = i < 2 ? bench.stream : others[1];
    CHECK_OK(ck_buffer_fill(flag, 0, 4, 0, 4, others[0]));
    CHECK_OK(ck_stream_sync(others[0]));
    CHECK_OK(ck_memory_resource_create_buffer(pool, 1 << 16, from, &first));
    CHECK_OK(ck_stream_wait_value(from, flag, 0, 1, 4, CK_WAIT_EQUAL));
    ck_buffer_release(first);
    CHECK_OK(ck_memory_resource_create_buffer(pool, 1 << 16, others[i], &next));
    CHECK_OK(ck_stream_write_value(others[0], flag, 0, 1, 4));
    ck_buffer_release(next);
    CHECK_OK(ck_device_sync(bench.device));
  }
  ck_buffer_release(flag);
  for (int i = 0; i < 3; ++i) ck_stream_release(others[i]);
  ck_memory_resource_release(pool);
}

static void take_a_while(void *data)
{
  (void)data;
  usleep(30000);
}

/* A pool that is shared between processes has a fixed size, and waits for pending frees. */
TEST(full_pool_for_other_processes)
{
  ck_memory_resource_t *pool;
  ck_buffer_t *first, *second, *next;
  ck_stream_t *other;
  if (!ck_device_is_host(bench.device)) return; /* a GPU's stream may wait for the other one */
  pool = small_pool(CK_MEMORY_IPC);
  CHECK_OK(ck_stream_create(bench.device, NULL, &other));
  for (int i = 0; i < 2; ++i) { /* in the same stream, and in another one */
    CHECK_OK(ck_memory_resource_create_buffer(pool, 1 << 15, bench.stream, &first));
    CHECK_OK(ck_memory_resource_create_buffer(pool, 1 << 15, bench.stream, &second));
    CHECK_OK(ck_stream_launch_host(bench.stream, take_a_while, NULL));
    ck_buffer_release(first);
    CHECK_OK(ck_stream_launch_host(bench.stream, take_a_while, NULL));
    ck_buffer_release(second);
    CHECK_OK(ck_memory_resource_create_buffer(pool, 1 << 16, i ? other : bench.stream, &next));
    ck_buffer_release(next);
    CHECK_OK(ck_device_sync(bench.device));
  }
  ck_memory_resource_release(pool);
  ck_stream_release(other);
}

/* A free in another stream may itself wait for the caller: the allocation fails after a while. */
TEST(full_pool_of_a_caller_who_is_waited_for)
{
  ck_memory_resource_t *pool;
  ck_buffer_t *first, *next, *flag = bench_buffer(&bench, 4);
  ck_stream_t *other;
  if (!ck_device_is_host(bench.device)) return; /* a GPU's stream waits itself */
  pool = small_pool(CK_MEMORY_IPC);
  CHECK_OK(ck_buffer_fill(flag, 0, 4, 0, 4, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream)); /* before another stream writes it */
  CHECK_OK(ck_stream_create(bench.device, NULL, &other));
  CHECK_OK(ck_memory_resource_create_buffer(pool, 1 << 16, bench.stream, &first));
  CHECK_OK(ck_stream_wait_value(bench.stream, flag, 0, 1, 4, CK_WAIT_EQUAL));
  ck_buffer_release(first);
  CHECK_STATUS(ck_memory_resource_create_buffer(pool, 1 << 16, other, &next), CK_OUT_OF_MEMORY);
  CHECK_OK(ck_stream_write_value(other, flag, 0, 1, 4));
  CHECK_OK(ck_device_sync(bench.device));
  ck_buffer_release(flag);
  ck_stream_release(other);
  ck_memory_resource_release(pool);
}

typedef struct Asked {
  ck_memory_resource_t *pool;
  atomic_bool goes_on;
  ck_status_t status;
} Asked;

static void ask_for_memory(void *data)
{
  Asked *asked = data;
  ck_buffer_t *buffer;
  while (!atomic_load(&asked->goes_on)) usleep(1000);
  asked->status = ck_memory_resource_create_buffer(asked->pool, 1 << 16, bench.stream, &buffer);
  ck_buffer_release(buffer);
}

/* An allocation in a host function would wait for work after it, so it fails; so does one in
 * another stream that must not reuse the memory. */
TEST(full_pool_in_a_host_function)
{
  Asked asked = {.goes_on = false};
  ck_buffer_t *first, *next;
  ck_stream_t *other;
  if (!ck_device_is_host(bench.device)) return; /* host functions can't call CUDA */
  asked.pool = small_pool(CK_MEMORY_IPC);
  CHECK_OK(ck_stream_create(bench.device, NULL, &other));
  CHECK_OK(ck_memory_resource_create_buffer(asked.pool, 1 << 16, bench.stream, &first));
  CHECK_OK(ck_stream_launch_host(bench.stream, ask_for_memory, &asked));
  ck_buffer_release(first);
  CHECK_OK(ck_memory_resource_set_attribute(asked.pool, CK_POOL_REUSE_DEPENDENCIES, 0));
  CHECK_STATUS(ck_memory_resource_create_buffer(asked.pool, 1 << 16, other, &next),
               CK_OUT_OF_MEMORY);
  atomic_store(&asked.goes_on, true);
  CHECK_OK(ck_stream_sync(bench.stream));
  ck_stream_release(other);
  CHECK(asked.status == CK_OUT_OF_MEMORY);
  ck_memory_resource_release(asked.pool);
}

/* All bytes of the pool can be allocated, for any limit. */
TEST(limits_of_pools_for_other_processes)
{
  static const struct {
    size_t most, bytes;
  } rows[] = {{1000, 1000}, {1, 1}, {SIZE_MAX, 1 << 20}, {SIZE_MAX - 4000, 1 << 20}};
  ck_memory_resource_options_t options = CK_OPTIONS_INIT(ck_memory_resource_options_t);
  options.flags = CK_MEMORY_IPC;
  for (size_t i = 0; i < COUNT_OF(rows) && ck_device_is_host(bench.device); ++i) {
    ck_memory_resource_t *pool;
    ck_buffer_t *buffer, *more;
    options.max_bytes = rows[i].most;
    CHECK_OK(ck_memory_resource_create_device(bench.device, &options, &pool));
    CHECK_OK(ck_memory_resource_create_buffer(pool, rows[i].bytes, bench.stream, &buffer));
    CHECK_OK(ck_buffer_fill(buffer, 0, rows[i].bytes, 7, 1, bench.stream));
    CHECK_OK(ck_stream_sync(bench.stream));
    CHECK(((unsigned char *)ck_buffer_host(buffer))[rows[i].bytes - 1] == 7);
    if (rows[i].most == rows[i].bytes)
      CHECK_STATUS(ck_memory_resource_create_buffer(pool, 1, bench.stream, &more),
                   CK_OUT_OF_MEMORY);
    ck_buffer_release(buffer);
    ck_memory_resource_release(pool);
  }
}

TEST(legacy_pinned_memory_resource)
{
  ck_memory_resource_t *pinned;
  CHECK_OK(ck_memory_resource_create_pinned(bench.device, &pinned));
  CHECK(ck_memory_resource_native(pinned) == NULL);
  try_resource(pinned, CK_MEMORY_DEVICE | CK_MEMORY_HOST);
  ck_memory_resource_release(pinned);
}

/* False if the driver or device lacks a feature (CK_UNSUPPORTED): the rest of a test is skipped. */
static bool is_there(ck_status_t status)
{
  if (status == CK_UNSUPPORTED) printf("not here: %s\n", ck_last_error());
  return status != CK_UNSUPPORTED && CHECK_OK(status);
}

TEST(pinned_memory_resource)
{
  ck_memory_resource_options_t options = CK_OPTIONS_INIT(ck_memory_resource_options_t);
  ck_memory_resource_t *pool;
  if (!is_there(ck_memory_resource_create_pinned_pool(bench.device, NULL, &pool))) return;
  try_resource(pool, CK_MEMORY_DEVICE | CK_MEMORY_HOST);
  ck_memory_resource_release(pool);
  options.max_bytes = 16 << 20;
  CHECK_OK(ck_memory_resource_create_pinned_pool(bench.device, &options, &pool));
  try_resource(pool, CK_MEMORY_DEVICE | CK_MEMORY_HOST);
  ck_memory_resource_release(pool);
  options.location = (ck_location_t){CK_PLACE_HOST_NUMA, 0};
  if (is_there(ck_memory_resource_create_pinned_pool(bench.device, &options, &pool))) {
    try_resource(pool, CK_MEMORY_DEVICE | CK_MEMORY_HOST);
    ck_memory_resource_release(pool);
  }
  options.location = (ck_location_t){CK_PLACE_DEVICE, 0};
  CHECK_STATUS(ck_memory_resource_create_pinned_pool(bench.device, &options, &pool),
               CK_INVALID_ARGUMENT);
}

TEST(managed_memory_resource)
{
  ck_memory_resource_options_t options = CK_OPTIONS_INIT(ck_memory_resource_options_t);
  ck_memory_resource_t *pool;
  uint32_t flags = CK_MEMORY_DEVICE | CK_MEMORY_HOST | CK_MEMORY_MANAGED;
  if (is_there(ck_memory_resource_create_legacy_managed(bench.device, &pool))) {
    try_resource(pool, flags);
    ck_memory_resource_release(pool);
  }
  if (!is_there(ck_memory_resource_create_managed(bench.device, NULL, &pool))) return;
  try_resource(pool, flags);
  ck_memory_resource_release(pool);
  options.location = (ck_location_t){CK_PLACE_DEVICE, ck_device_native(bench.device)};
  CHECK_OK(ck_memory_resource_create_managed(bench.device, &options, &pool));
  try_resource(pool, flags);
  ck_memory_resource_release(pool);
  options.flags = CK_MEMORY_IPC;
  CHECK_STATUS(ck_memory_resource_create_managed(bench.device, &options, &pool), CK_UNSUPPORTED);
}

TEST(mempool_attributes)
{
  ck_memory_resource_options_t options = CK_OPTIONS_INIT(ck_memory_resource_options_t);
  ck_memory_resource_t *pool, *pinned;
  ck_buffer_t *buffer;
  uint64_t value = 9;
  options.release_threshold = 12345;
  CHECK_OK(ck_memory_resource_create_device(bench.device, &options, &pool));
  CHECK_OK(ck_memory_resource_get_attribute(pool, CK_POOL_RELEASE_THRESHOLD, &value));
  CHECK(value == 12345);
  for (int i = CK_POOL_REUSE_FOLLOW_EVENTS; i <= CK_POOL_REUSE_DEPENDENCIES; ++i) {
    CHECK_OK(ck_memory_resource_set_attribute(pool, (ck_pool_attribute_t)i, 0));
    CHECK_OK(ck_memory_resource_get_attribute(pool, (ck_pool_attribute_t)i, &value));
    CHECK(value == 0);
    CHECK_OK(ck_memory_resource_set_attribute(pool, (ck_pool_attribute_t)i, 1));
    CHECK_STATUS(ck_memory_resource_set_attribute(pool, (ck_pool_attribute_t)i, 2),
                 CK_INVALID_ARGUMENT);
    CHECK_STATUS(ck_memory_resource_set_attribute(pool, (ck_pool_attribute_t)i, 1ull << 32),
                 CK_INVALID_ARGUMENT);
    CHECK_OK(ck_memory_resource_get_attribute(pool, (ck_pool_attribute_t)i, &value));
    CHECK(value == 1);
  }
  CHECK_OK(ck_memory_resource_create_buffer(pool, BYTES, bench.stream, &buffer));
  for (int i = CK_POOL_HELD_BYTES; i <= CK_POOL_USED_HIGH_BYTES; ++i) {
    CHECK_OK(ck_memory_resource_get_attribute(pool, (ck_pool_attribute_t)i, &value));
    CHECK(value >= BYTES);
  }
  ck_buffer_release(buffer);
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK_OK(ck_memory_resource_set_attribute(pool, CK_POOL_USED_HIGH_BYTES, 0));
  CHECK_OK(ck_memory_resource_get_attribute(pool, CK_POOL_USED_HIGH_BYTES, &value));
  CHECK(value == 0);
  CHECK_STATUS(ck_memory_resource_set_attribute(pool, CK_POOL_USED_HIGH_BYTES, 1),
               CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_memory_resource_set_attribute(pool, CK_POOL_USED_BYTES, 0), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_memory_resource_get_attribute(pool, (ck_pool_attribute_t)77, &value),
               CK_INVALID_ARGUMENT);
  CHECK_OK(ck_memory_resource_trim(pool, 0));
  ck_memory_resource_release(pool);
  CHECK_OK(ck_memory_resource_create_pinned(bench.device, &pinned));
  CHECK_STATUS(ck_memory_resource_trim(pinned, 0), CK_UNSUPPORTED);
  ck_memory_resource_release(pinned);
}

/* All eight attributes for each kind of pool. */
TEST(mempool_attributes_of_all_kinds)
{
  ck_memory_resource_options_t options = CK_OPTIONS_INIT(ck_memory_resource_options_t);
  for (int kind = 0; kind < 3; ++kind) {
    ck_memory_resource_t *pool;
    ck_buffer_t *buffer;
    uint64_t before, after, high;
    options.max_bytes = kind == 2 ? 0 : 2 << 20;
    ck_status_t status = kind == 0 ? ck_memory_resource_create_device(bench.device, &options, &pool)
                         : kind == 1
                             ? ck_memory_resource_create_pinned_pool(bench.device, &options, &pool)
                             : ck_memory_resource_create_managed(bench.device, &options, &pool);
    if (!is_there(status)) continue;
    for (int i = CK_POOL_REUSE_FOLLOW_EVENTS; i <= CK_POOL_REUSE_DEPENDENCIES; ++i) {
      CHECK_OK(ck_memory_resource_get_attribute(pool, (ck_pool_attribute_t)i, &before));
      CHECK(before <= 1);
    }
    CHECK_OK(ck_memory_resource_get_attribute(pool, CK_POOL_RELEASE_THRESHOLD, &before));
    for (int now = CK_POOL_HELD_BYTES; now <= CK_POOL_USED_BYTES; now += 2) {
      CHECK_OK(ck_memory_resource_get_attribute(pool, (ck_pool_attribute_t)now, &before));
      CHECK_OK(ck_memory_resource_create_buffer(pool, 1024, bench.stream, &buffer));
      CHECK_OK(ck_memory_resource_get_attribute(pool, (ck_pool_attribute_t)now, &after));
      CHECK_OK(ck_memory_resource_get_attribute(pool, (ck_pool_attribute_t)(now + 1), &high));
      CHECK(after >= before && after >= 1024 && high >= after);
      ck_buffer_release(buffer);
      CHECK_OK(ck_stream_sync(bench.stream));
    }
    ck_memory_resource_release(pool);
  }
}

/* Usage counts of a new pool; the current one is only read. */
TEST(live_counts)
{
  ck_memory_resource_options_t options = CK_OPTIONS_INIT(ck_memory_resource_options_t);
  ck_memory_resource_t *own, *current;
  size_t before = atomic_load(&host_live_objects), is_host = ck_device_is_host(bench.device) != 0;
  CHECK_OK(ck_memory_resource_create_device(bench.device, NULL, &current));
  CHECK(atomic_load(&host_live_objects) == before);
  CHECK_OK(ck_memory_resource_create_device(bench.device, &options, &own));
  CHECK(atomic_load(&host_live_objects) == before + is_host);
  ck_memory_resource_release(own);
  ck_memory_resource_release(current);
  CHECK(atomic_load(&host_live_objects) == before);
}

/* An adopted pool is not destroyed here. */
TEST(dmr_handle_and_ownership)
{
  ck_memory_resource_options_t options = CK_OPTIONS_INIT(ck_memory_resource_options_t);
  ck_memory_resource_t *own, *seen;
  ck_buffer_t *buffer;
  CHECK_OK(ck_memory_resource_create_device(bench.device, &options, &own));
  CHECK(ck_memory_resource_native(own) != NULL);
  CHECK_OK(ck_memory_resource_from_native(bench.device, ck_memory_resource_native(own),
                                          CK_MEMORY_DEVICE, 0, &seen));
  CHECK(ck_memory_resource_native(seen) == ck_memory_resource_native(own));
  ck_memory_resource_release(seen);
  CHECK_OK(ck_memory_resource_create_buffer(own, BYTES, bench.stream, &buffer));
  works(buffer, 13);
  ck_buffer_release(buffer);
  CHECK_OK(ck_stream_sync(bench.stream));
  ck_memory_resource_release(own);
}

/* locations ---------------------------------------------------------------------------------- */

static void lies_at(ck_memory_resource_t *resource, ck_place_t place, int id)
{
  ck_location_t location = ck_memory_resource_location(resource);
  CHECK(location.place == place && location.id == id);
  ck_memory_resource_release(resource);
}

TEST(managed_memory_resource_preferred_location)
{
  ck_memory_resource_options_t options = CK_OPTIONS_INIT(ck_memory_resource_options_t);
  ck_memory_resource_t *pool;
  int native = ck_device_native(bench.device), node = 0;
  if (!is_there(ck_memory_resource_create_managed(bench.device, NULL, &pool))) return;
  lies_at(pool, CK_PLACE_NONE, 0);
  CHECK_OK(ck_memory_resource_create_managed(bench.device, &options, &pool));
  lies_at(pool, CK_PLACE_NONE, 0);
  options.location = (ck_location_t){CK_PLACE_DEVICE, native};
  CHECK_OK(ck_memory_resource_create_managed(bench.device, &options, &pool));
  lies_at(pool, CK_PLACE_DEVICE, native);
  options.location = (ck_location_t){CK_PLACE_HOST, 0};
  CHECK_OK(ck_memory_resource_create_managed(bench.device, &options, &pool));
  lies_at(pool, CK_PLACE_HOST, 0);
  CHECK_OK(ck_device_get_attribute(bench.device, CK_DEVICE_HOST_NUMA_ID, &node));
  options.location = (ck_location_t){CK_PLACE_HOST_NUMA, node < 0 ? 0 : node};
  if (is_there(ck_memory_resource_create_managed(bench.device, &options, &pool)))
    lies_at(pool, CK_PLACE_HOST_NUMA, node < 0 ? 0 : node);
  static const ck_location_t wrong[] = {{CK_PLACE_DEVICE, -1},
                                        {CK_PLACE_DEVICE, 99},
                                        {CK_PLACE_HOST_NUMA, -1},
                                        {(ck_place_t)5, 0},
                                        {(ck_place_t)-2, 0}};
  for (size_t i = 0; i < COUNT_OF(wrong); ++i) {
    options.location = wrong[i];
    CHECK_STATUS(ck_memory_resource_create_managed(bench.device, &options, &pool),
                 CK_INVALID_ARGUMENT);
    CHECK_ERROR("there is no ");
    CHECK(!pool);
  }
}

TEST(pinned_mr_numa_id)
{
  ck_memory_resource_options_t options = CK_OPTIONS_INIT(ck_memory_resource_options_t);
  ck_memory_resource_t *pool;
  int node = 0, types = 0;
  CHECK_OK(ck_memory_resource_create_pinned(bench.device, &pool));
  lies_at(pool, CK_PLACE_HOST, 0);
  for (int id = -1; id >= -42; id -= 41) {
    options.location = (ck_location_t){CK_PLACE_HOST_NUMA, id};
    CHECK_STATUS(ck_memory_resource_create_pinned_pool(bench.device, &options, &pool),
                 CK_INVALID_ARGUMENT);
    CHECK_ERROR("there is no node of the host -");
  }
  options.location = (ck_location_t){CK_PLACE_NONE, 0};
  options.max_bytes = 2 << 20;
  if (!is_there(ck_memory_resource_create_pinned_pool(bench.device, &options, &pool))) return;
  lies_at(pool, CK_PLACE_HOST, 0);
  CHECK_OK(ck_device_get_attribute(bench.device, CK_DEVICE_HOST_NUMA_ID, &node));
  CHECK_OK(ck_device_get_attribute(bench.device, CK_DEVICE_MEMPOOL_SUPPORTED_HANDLE_TYPES, &types));
  if (node < 0) node = 0; /* a machine with one node */
  for (int is_shared = 0; is_shared < 2; ++is_shared) {
    if (is_shared && !(types & CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)) continue;
    options.flags = is_shared ? CK_MEMORY_IPC : 0;
    options.location = (ck_location_t){CK_PLACE_HOST_NUMA, node};
    if (is_there(ck_memory_resource_create_pinned_pool(bench.device, &options, &pool)))
      lies_at(pool, CK_PLACE_HOST_NUMA, node);
    options.location = (ck_location_t){CK_PLACE_NONE, 0};
    if (is_there(ck_memory_resource_create_pinned_pool(bench.device, &options, &pool)))
      lies_at(pool, is_shared ? CK_PLACE_HOST_NUMA : CK_PLACE_HOST, is_shared ? node : 0);
  }
}

/* With an older driver, and with a device without host pools. */
static CUresult no_host_pools(int *out_value, CUdevice_attribute attribute, CUdevice device)
{
  if (attribute == CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED) {
    *out_value = 0;
    return CUDA_SUCCESS;
  }
  return driver_host()->cuDeviceGetAttribute(out_value, attribute, device);
}

TEST(resources_that_a_device_lacks)
{
  Driver poor = *driver_host();
  ck_memory_resource_t *none;
  ck_device_t *device;
  poor.cuDeviceGetAttribute = no_host_pools;
  CHECK_OK(device_open(&poor, 0, &device));
  CHECK_STATUS(ck_memory_resource_create_pinned_pool(device, NULL, &none), CK_UNSUPPORTED);
  CHECK_ERROR("has no pools of host memory");
  ck_device_release(device);
  poor.cuMemGetMemPool = NULL;
  CHECK_OK(device_open(&poor, 0, &device));
  CHECK_STATUS(ck_memory_resource_create_pinned_pool(device, NULL, &none), CK_UNSUPPORTED);
  CHECK_ERROR("cuMemGetMemPool, which came with CUDA 13.0");
  CHECK_STATUS(ck_memory_resource_create_managed(device, NULL, &none), CK_UNSUPPORTED);
  ck_device_release(device);
}

TEST(pool_from_native_flags)
{
  ck_memory_resource_t *own, *none;
  CHECK_OK(ck_device_get_memory_resource(bench.device, &own));
  void *pool = ck_memory_resource_native(own);
  CHECK_STATUS(ck_memory_resource_from_native(bench.device, pool, 0x100 | 1, 0, &none),
               CK_INVALID_ARGUMENT);
  CHECK_ERROR("memory flags are 0x101: unknown bits are set");
  CHECK_STATUS(ck_memory_resource_from_native(bench.device, pool, CK_MEMORY_CLOSED, 0, &none),
               CK_INVALID_ARGUMENT);
  CHECK(!none);
}

TEST(pool_from_native)
{
  ck_memory_resource_t *current, *same;
  CHECK_OK(ck_memory_resource_create_device(bench.device, NULL, &current));
  CHECK_OK(ck_memory_resource_from_native(bench.device, ck_memory_resource_native(current),
                                          CK_MEMORY_DEVICE, 0, &same));
  ck_memory_resource_release(current);
  try_resource(same, CK_MEMORY_DEVICE);
  lies_at(same, CK_PLACE_DEVICE, ck_device_native(bench.device));
  if (!is_there(ck_memory_resource_create_pinned_pool(bench.device, NULL, &current))) return;
  CHECK_OK(ck_memory_resource_from_native(bench.device, ck_memory_resource_native(current),
                                          CK_MEMORY_DEVICE | CK_MEMORY_HOST, 0, &same));
  lies_at(same, CK_PLACE_NONE, 0); /* a pool does not report its node */
  ck_memory_resource_release(current);
}

/* resources of the caller -------------------------------------------------------------------- */

typedef struct Counter {
  ck_memory_resource_t *below;
  unsigned given, taken, destroyed;
  ck_stream_t *last_stream;
  ck_buffer_t *buffers[8];
} Counter;

static ck_status_t count_allocate(void *data, size_t bytes, ck_stream_t *stream,
                                  uint64_t *out_address, void **out_host)
{
  Counter *counter = data;
  if (bytes > 1 << 20) return CK_OUT_OF_MEMORY;
  ck_buffer_t *buffer;
  CK_TRY(ck_memory_resource_create_buffer(counter->below, bytes, stream, &buffer));
  counter->buffers[counter->given++] = buffer;
  *out_address = ck_buffer_native(buffer);
  *out_host = ck_buffer_host(buffer);
  return CK_OK;
}

static void count_deallocate(void *data, uint64_t address, size_t bytes, ck_stream_t *stream)
{
  Counter *counter = data;
  counter->last_stream = stream;
  ++counter->taken;
  for (unsigned i = 0; i < counter->given; ++i) {
    if (!counter->buffers[i] || ck_buffer_native(counter->buffers[i]) != address) continue;
    CHECK(ck_buffer_bytes(counter->buffers[i]) == bytes);
    ck_buffer_release(counter->buffers[i]);
    counter->buffers[i] = NULL;
  }
}

static void count_destroy(void *data)
{
  ++((Counter *)data)->destroyed;
}

TEST(memory_resource_of_the_callers)
{
  Counter counter = {0};
  ck_memory_functions_t functions = CK_OPTIONS_INIT(ck_memory_functions_t);
  ck_memory_resource_t *own, *now;
  ck_buffer_t *buffer;
  CHECK_OK(ck_memory_resource_create_pinned(bench.device, &counter.below));
  CHECK_STATUS(ck_memory_resource_from_functions(bench.device, &functions, &own),
               CK_INVALID_ARGUMENT);
  CHECK_ERROR("functions->allocate is NULL");
  functions.allocate = count_allocate;
  CHECK_STATUS(ck_memory_resource_from_functions(bench.device, &functions, &own),
               CK_INVALID_ARGUMENT);
  CHECK_ERROR("functions->deallocate is NULL");
  functions.deallocate = count_deallocate;
  functions.destroy = count_destroy;
  functions.data = &counter;
  functions.flags = CK_MEMORY_DEVICE | CK_MEMORY_HOST;
  CHECK_OK(ck_memory_resource_from_functions(bench.device, &functions, &own));
  try_resource(own, CK_MEMORY_DEVICE | CK_MEMORY_HOST);
  CHECK(counter.given == 1 && counter.taken == 1 && counter.last_stream == bench.stream);
  CHECK_STATUS(ck_memory_resource_create_buffer(own, 2 << 20, NULL, &buffer), CK_OUT_OF_MEMORY);
  CHECK_ERROR("2097152 bytes from a memory resource of the caller's");
  CHECK_OK(ck_device_set_memory_resource(bench.device, own));
  CHECK_OK(ck_device_get_memory_resource(bench.device, &now));
  CHECK(now == own);
  CHECK_OK(ck_buffer_create(bench.device, 64, bench.stream, &buffer));
  CHECK(counter.given == 2);
  CHECK_OK(ck_device_set_memory_resource(bench.device, NULL));
  ck_memory_resource_release(own);
  CHECK(counter.destroyed == 0); /* retained by the buffer */
  ck_buffer_release(buffer);
  CHECK(counter.taken == 2 && counter.destroyed == 1);
  ck_memory_resource_release(counter.below);
}

static ck_status_t fail_in_words(void *data, size_t bytes, ck_stream_t *stream,
                                 uint64_t *out_address, void **out_host)
{
  (void)out_address, (void)out_host;
  return ck_memory_resource_create_buffer(data, bytes << 40, stream, &(ck_buffer_t *){NULL});
}

/* A failure inside the caller's function is reported, with the kind of memory. */
TEST(memory_that_is_out)
{
  ck_memory_functions_t functions = CK_OPTIONS_INIT(ck_memory_functions_t);
  ck_memory_resource_t *pinned, *own;
  ck_buffer_t *none;
  if (!is_there(ck_memory_resource_create_pinned_pool(bench.device, NULL, &pinned))) return;
  CHECK_STATUS(ck_memory_resource_create_buffer(pinned, (size_t)1 << 60, NULL, &none),
               CK_OUT_OF_MEMORY);
  CHECK_ERROR("bytes of page-locked memory of");
  functions.allocate = fail_in_words;
  functions.deallocate = count_deallocate;
  functions.data = pinned;
  CHECK_OK(ck_memory_resource_from_functions(bench.device, &functions, &own));
  CHECK_STATUS(ck_memory_resource_create_buffer(own, 1 << 20, NULL, &none), CK_OUT_OF_MEMORY);
  CHECK_ERROR("1048576 bytes from a memory resource of the caller's: ");
  CHECK_ERROR("1152921504606846976 bytes of page-locked memory of");
  ck_memory_resource_release(own);
  ck_memory_resource_release(pinned);
}

/* buffers ------------------------------------------------------------------------------------ */

TEST(buffer_close)
{
  ck_buffer_t *buffer;
  ck_stream_t *other;
  CHECK_OK(ck_stream_create(bench.device, NULL, &other));
  CHECK_OK(ck_buffer_create(bench.device, BYTES, bench.stream, &buffer));
  works(buffer, 5);
  CHECK_OK(ck_buffer_close(buffer, other));
  CHECK(ck_buffer_flags(buffer) & CK_MEMORY_CLOSED);
  CHECK(ck_buffer_bytes(buffer) == 0 && ck_buffer_native(buffer) == 0 && !ck_buffer_host(buffer));
  CHECK_OK(ck_buffer_close(buffer, NULL)); /* again */
  CHECK_STATUS(ck_buffer_fill(buffer, 0, 4, 0, 4, bench.stream), CK_INVALID_ARGUMENT);
  ck_buffer_release(buffer);
  ck_stream_release(other);
}

static void count_release(void *data)
{
  ++*(int *)data;
}

static ck_buffer_t *closed_again;

static void close_again(void *data)
{
  ++*(unsigned *)data;
  CHECK_OK(ck_buffer_close(closed_again, NULL));
}

/* A release function may look at the buffer that is being closed, and close it. */
TEST(buffer_closed_by_its_release)
{
  static char memory[64];
  unsigned calls = 0;
  CHECK_OK(ck_buffer_from_native(bench.device, (uintptr_t)memory, sizeof memory, close_again,
                                 &calls, &closed_again));
  CHECK_OK(ck_buffer_close(closed_again, NULL));
  CHECK(calls == 1 && ck_buffer_bytes(closed_again) == 0);
  ck_buffer_release(closed_again);
  CHECK(calls == 1);
  CHECK_OK(ck_buffer_from_native(bench.device, (uintptr_t)memory, sizeof memory, close_again,
                                 &calls, &closed_again));
  ck_buffer_release(closed_again);
  CHECK(calls == 2);
}

static ck_status_t give_address(void *data, size_t bytes, ck_stream_t *stream,
                                uint64_t *out_address, void **out_host)
{
  static char memory[64];
  (void)data, (void)stream;
  *out_host = memory;
  *out_address = (uintptr_t)memory;
  return bytes <= sizeof memory ? CK_OK : CK_OUT_OF_MEMORY;
}

static void close_taken(void *data, uint64_t address, size_t bytes, ck_stream_t *stream)
{
  (void)address, (void)bytes, (void)stream;
  close_again(data);
}

TEST(buffer_closed_by_its_resource)
{
  unsigned calls = 0;
  ck_memory_functions_t functions = CK_OPTIONS_INIT(ck_memory_functions_t);
  ck_memory_resource_t *resource;
  functions.allocate = give_address;
  functions.deallocate = close_taken;
  functions.data = &calls;
  CHECK_OK(ck_memory_resource_from_functions(bench.device, &functions, &resource));
  for (unsigned i = 0; i < 2; ++i) {
    CHECK_OK(ck_memory_resource_create_buffer(resource, 64, bench.stream, &closed_again));
    if (i) CHECK_OK(ck_buffer_close(closed_again, NULL));
    ck_buffer_release(closed_again);
    CHECK(calls == i + 1);
  }
  ck_memory_resource_release(resource);
}

TEST(buffer_external_host)
{
  int release_count = 0;
  uint32_t words[16] = {0};
  ck_buffer_t *buffer;
  CHECK_OK(ck_buffer_from_native(bench.device, (uintptr_t)words, sizeof words, count_release,
                                 &release_count, &buffer));
  CHECK(ck_buffer_memory_resource(buffer) == NULL);
  CHECK(ck_buffer_flags(buffer) & CK_MEMORY_HOST && ck_buffer_host(buffer) == words);
  if (ck_device_is_host(bench.device)) works(buffer, 77); /* a GPU may not have access */
  else words[15] = 77;
  uint32_t last = 0;
  CHECK_OK(ck_buffer_read(buffer, 60, &last, 4, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK(words[15] == 77 && last == 77);
  CHECK_OK(ck_buffer_close(buffer, NULL));
  CHECK(release_count == 1);
  ck_buffer_release(buffer);
  CHECK(release_count == 1);
}

/* Properties of adopted memory of each kind. */
static void adopt(ck_memory_resource_t *resource, uint32_t flags)
{
  ck_buffer_t *owner, *buffer;
  CHECK_OK(ck_memory_resource_create_buffer(resource, BYTES, bench.stream, &owner));
  CHECK_OK(
      ck_buffer_from_native(bench.device, ck_buffer_native(owner), BYTES, NULL, NULL, &buffer));
  CHECK((ck_buffer_flags(buffer) & flags) == flags);
  works(buffer, 3);
  ck_buffer_release(buffer);
  ck_buffer_release(owner);
  ck_memory_resource_release(resource);
}

TEST(buffer_external_device_pinned_managed)
{
  ck_memory_resource_t *resource;
  CHECK_OK(ck_memory_resource_create_device(bench.device, NULL, &resource));
  adopt(resource, CK_MEMORY_DEVICE);
  CHECK_OK(ck_memory_resource_create_pinned(bench.device, &resource));
  adopt(resource, CK_MEMORY_DEVICE | CK_MEMORY_HOST);
  if (is_there(ck_memory_resource_create_legacy_managed(bench.device, &resource)))
    adopt(resource, CK_MEMORY_DEVICE | CK_MEMORY_HOST | CK_MEMORY_MANAGED);
}

/* An adopted allocation of a pool is freed to the pool. */
TEST(buffer_from_resource)
{
  ck_memory_resource_t *pool;
  ck_memory_resource_options_t options = CK_OPTIONS_INIT(ck_memory_resource_options_t);
  CUdeviceptr address = 0;
  void *host = NULL;
  uint64_t used;
  ck_buffer_t *buffer;
  CHECK_OK(ck_memory_resource_create_device(bench.device, &options, &pool));
  CHECK_OK(memory_allocate(pool, BYTES, bench.stream, &address, &host));
  CHECK_OK(ck_buffer_from_resource(pool, address, BYTES, bench.stream, &buffer));
  works(buffer, 8);
  ck_buffer_release(buffer);
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK_OK(ck_memory_resource_get_attribute(pool, CK_POOL_USED_BYTES, &used));
  CHECK(used == 0);
  ck_memory_resource_release(pool);
}

TEST(buffer_view)
{
  ck_buffer_t *buffer, *view, *none;
  uint32_t words[4];
  CHECK_OK(ck_buffer_create(bench.device, 16, bench.stream, &buffer));
  CHECK_OK(ck_buffer_create_view(buffer, 4, 8, &view));
  CHECK(ck_buffer_native(view) == ck_buffer_native(buffer) + 4 && ck_buffer_bytes(view) == 8);
  CHECK_STATUS(ck_buffer_create_view(buffer, 12, 8, &none), CK_INVALID_ARGUMENT);
  CHECK_OK(ck_buffer_fill(buffer, 0, 16, 1, 4, bench.stream));
  CHECK_OK(ck_buffer_fill(view, 0, 8, 2, 4, bench.stream));
  CHECK_OK(ck_buffer_read(buffer, 0, words, 16, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK(words[0] == 1 && words[1] == 2 && words[2] == 2 && words[3] == 1);
  ck_buffer_release(buffer); /* retained by the view */
  works(view, 6);
  ck_buffer_release(view);
}

TEST(host_register)
{
  enum { PAGES = 4 * 4096 };
  unsigned char *words = memory_new_aligned(PAGES, 4096);
  ck_buffer_t *buffer, *again;
  int can = 0;
  CHECK_OK(ck_device_get_attribute(bench.device, CK_DEVICE_HOST_REGISTER_SUPPORTED, &can));
  if (can && is_there(ck_buffer_from_host(bench.device, words, PAGES, 0, &buffer))) {
    CHECK(ck_buffer_host(buffer) == words && ck_buffer_native(buffer));
    works(buffer, 0x11223344);
    CHECK(words[0] == 0x44 && words[PAGES - 1] == 0x11);
    if (!getenv("CK_NO_FAULTS"))
      CHECK(ck_buffer_from_host(bench.device, words, PAGES, 0, &again) == CK_DRIVER);
    ck_buffer_release(buffer);
    CHECK_OK(ck_buffer_from_host(bench.device, words + 4096, 4096, 0, &buffer));
    if (!getenv("CK_NO_FAULTS")) /* the range contains page-locked memory */
      CHECK(ck_buffer_from_host(bench.device, words, PAGES, 0, &again) == CK_DRIVER);
    ck_buffer_release(buffer);
    CHECK_OK(ck_buffer_from_host(bench.device, words, PAGES, 0, &again)); /* it is free again */
    ck_buffer_release(again);
  }
  CHECK_STATUS(ck_buffer_from_host(bench.device, words, PAGES, 64, &again), CK_INVALID_ARGUMENT);
  if (ck_device_is_host(bench.device)) /* beyond the last address */
    CHECK_STATUS(ck_buffer_from_host(bench.device, words, SIZE_MAX, 0, &again), CK_DRIVER);
  memory_free(words);
}

/* peers -------------------------------------------------------------------------------------- */

TEST(peer_access)
{
  ck_memory_resource_options_t options = CK_OPTIONS_INIT(ck_memory_resource_options_t);
  ck_memory_resource_t *pool;
  ck_permission_t permission;
  ck_device_t *peer;
  int can = 0;
  CHECK_OK(ck_memory_resource_create_device(bench.device, &options, &pool));
  CHECK_OK(ck_memory_resource_get_access(pool, bench.device, &permission));
  CHECK(permission == CK_PERMIT_READ_WRITE);
  CHECK_OK(ck_memory_resource_set_access(pool, bench.device, CK_PERMIT_READ_WRITE));
  CHECK_STATUS(ck_memory_resource_set_access(pool, bench.device, (ck_permission_t)2),
               CK_INVALID_ARGUMENT);
  CHECK_ERROR("there is no permission 2");
  ck_memory_resource_t *current; /* the device's own, and a resource without a pool */
  CHECK_OK(ck_device_get_memory_resource(bench.device, &current));
  CHECK_OK(ck_memory_resource_get_access(current, bench.device, &permission));
  CHECK(permission == CK_PERMIT_READ_WRITE);
  CHECK_OK(ck_memory_resource_create_pinned(bench.device, &current));
  CHECK_STATUS(ck_memory_resource_get_access(current, bench.device, &permission), CK_UNSUPPORTED);
  ck_memory_resource_release(current);
  if (!ck_device_is_host(bench.device)) {
    CHECK_OK(ck_device_open_host(&peer));
    CHECK_STATUS(ck_memory_resource_set_access(pool, peer, CK_PERMIT_READ), CK_UNSUPPORTED);
    ck_device_release(peer);
  }
  peer = bench_open_second(&bench);
  if (peer) {
    CHECK_OK(ck_device_can_access_peer(peer, bench.device, &can));
    if (can) {
      ck_buffer_t *buffer, *there;
      CHECK_OK(ck_memory_resource_get_access(pool, peer, &permission));
      CHECK(permission == CK_PERMIT_NONE);
      CHECK_OK(ck_memory_resource_set_access(pool, peer, CK_PERMIT_READ_WRITE));
      CHECK_OK(ck_memory_resource_get_access(pool, peer, &permission));
      CHECK(permission == CK_PERMIT_READ_WRITE);
      CHECK_OK(ck_memory_resource_create_buffer(pool, BYTES, bench.stream, &buffer));
      CHECK_OK(ck_buffer_create(peer, BYTES, NULL, &there));
      works(buffer, 0x5555);
      CHECK_OK(ck_buffer_copy(there, 0, buffer, 0, BYTES, NULL));
      uint32_t last = 0;
      CHECK_OK(ck_buffer_read(there, BYTES - 4, &last, 4, NULL));
      CHECK_OK(ck_device_sync(peer));
      CHECK(last == 0x5555);
      ck_buffer_release(buffer);
      ck_buffer_release(there);
      CHECK_OK(ck_stream_sync(bench.stream));
      CHECK_OK(ck_memory_resource_set_access(pool, peer, CK_PERMIT_NONE));
    }
    ck_device_release(peer);
  }
  ck_memory_resource_release(pool);
}

/* Access to a pool ends with it, although the driver reuses its handle. */
static unsigned long long shut_out;

static CUresult note_access(CUmemoryPool pool, const CUmemAccessDesc *access, size_t count)
{
  (void)pool;
  for (size_t i = 0; i < count; ++i)
    if (access[i].flags == CU_MEM_ACCESS_FLAGS_PROT_NONE) shut_out |= 1ull << access[i].location.id;
  return CUDA_SUCCESS;
}

TEST(closed_pool_peer_access_not_inherited_by_recycled_handle)
{
  ck_memory_resource_options_t options = CK_OPTIONS_INIT(ck_memory_resource_options_t);
  Driver noting = *driver_host();
  ck_memory_resource_t *pool;
  ck_device_t *device, *peer;
  noting.cuMemPoolSetAccess = note_access;
  shut_out = 0;
  CHECK_OK(device_open(&noting, 0, &device));
  CHECK_OK(device_open(&noting, 0, &peer));
  peer->native = 3; /* pretends to be another device */
  CHECK_OK(ck_memory_resource_create_device(device, &options, &pool));
  CHECK_OK(ck_memory_resource_set_access(pool, device, CK_PERMIT_READ_WRITE));
  CHECK_OK(ck_memory_resource_set_access(pool, peer, CK_PERMIT_READ_WRITE));
  ck_memory_resource_release(pool);
  CHECK(shut_out == 1 << 3);
  peer->native = 0;
  ck_device_release(peer);
  ck_device_release(device);
}

/* Device memory can't be at another location. */
TEST(device_memory_resource_location)
{
  ck_memory_resource_options_t options = CK_OPTIONS_INIT(ck_memory_resource_options_t);
  ck_memory_resource_t *pool;
  options.location = (ck_location_t){CK_PLACE_DEVICE, ck_device_ordinal(bench.device)};
  CHECK_OK(ck_memory_resource_create_device(bench.device, &options, &pool));
  ck_memory_resource_release(pool);
  options.location = (ck_location_t){CK_PLACE_HOST, 0};
  CHECK_STATUS(ck_memory_resource_create_device(bench.device, &options, &pool),
               CK_INVALID_ARGUMENT);
  CHECK_ERROR("a device's memory lies on it");
}

int main(void)
{
  bench_open_any(&bench);
  run_all();
  bench_close(&bench);
  CHECK(atomic_load(&host_live_objects) == 0);
  return tests_report();
}
