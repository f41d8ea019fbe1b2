/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* device.c - devices and contexts, on what $CK_DEVICE names: cuda.core's test_device.py,
 * test_context.py and test_green_context.py in C. */
#include "fixture.h"

static Bench bench;

TEST(device_properties)
{
  unsigned known = 0, named = 0;
  for (int i = 1; i < CU_DEVICE_ATTRIBUTE_MAX; ++i) {
    int value;
    if (!ck_device_attribute_name((ck_device_attribute_t)i)) continue;
    ++named;
    known += ck_device_get_attribute(bench.device, (ck_device_attribute_t)i, &value) == CK_OK;
  }
  printf("%u of %u attributes\n", known, named);
  CHECK(named >= 140 && known >= 120);
}

TEST(device_identity)
{
  char bus[CK_PCI_BUS_ID_BYTES], expected[32];
  int major, minor;
  unsigned char uuid[16], zero[16] = {0};
  CHECK_OK(ck_device_get_pci_bus_id(bench.device, bus));
  CHECK(ck_device_is_host(bench.device) == !*bus);
  CHECK_OK(ck_device_get_compute_capability(bench.device, &major, &minor));
  snprintf(expected, sizeof expected, "sm_%d%d", major, minor);
  CHECK(ck_device_is_host(bench.device) || !strcmp(ck_device_target(bench.device), expected));
  CHECK_OK(ck_device_get_uuid(bench.device, uuid));
  CHECK(memcmp(uuid, zero, sizeof uuid));
  CHECK(*ck_device_name(bench.device));
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
  CHECK_OK(ck_buffer_create(bench.device, 0, bench.stream, &buffer));
  CHECK(ck_buffer_bytes(buffer) == 0);
  ck_buffer_release(buffer);
  CHECK_OK(ck_device_sync(bench.device));
}

TEST(context)
{
  ck_context_t *context = ck_device_context(bench.device);
  uint64_t id = 0;
  CHECK(ck_context_device(context) == bench.device && !ck_context_is_green(context));
  CHECK(ck_context_native(context) == ck_device_native_context(bench.device));
  CHECK_OK(ck_context_get_id(context, &id));
  CHECK(id != 0);
  ck_context_retain(context); /* the device's own references */
  ck_context_release(context);
  ck_context_release(NULL);
  CHECK_OK(ck_context_sync(context));
  CHECK_OK(ck_context_reset_persisting_l2(context));
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
  CHECK_STATUS(ck_context_enable_peer_access(ck_device_context(bench.device), bench.device),
               CK_INVALID_ARGUMENT);
  CHECK_STATUS(
      ck_device_get_peer_attribute(bench.device, bench.device, CK_PEER_PERFORMANCE_RANK, &rank),
      CK_INVALID_ARGUMENT);
  ck_device_t *host, *second;
  CHECK_OK(ck_device_open_host(&host));
  CHECK_OK(ck_device_can_access_peer(bench.device, host, &can));
  CHECK(!can);
  ck_device_release(host);
  if (ck_device_is_host(bench.device) || ck_device_count() < 2) return;
  CHECK_OK(ck_device_open(1, &second));
  CHECK_OK(ck_device_can_access_peer(bench.device, second, &can));
  if (can) {
    ck_context_t *context = ck_device_context(bench.device);
    CHECK_OK(ck_context_enable_peer_access(context, second));
    CHECK_OK(ck_context_enable_peer_access(context, second));
    CHECK_OK(ck_device_get_peer_attribute(bench.device, second, CK_PEER_ACCESS_SUPPORTED, &rank));
    CHECK(rank == 1);
    CHECK_OK(ck_context_disable_peer_access(context, second));
    CHECK_OK(ck_context_disable_peer_access(context, second));
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

TEST(sm_resource_split)
{
  ck_sm_resource_t all, groups[2], rest;
  size_t count = 0, dry = 0;
  if (!get_sms(&all)) return;
  CHECK_OK(ck_sm_resource_split(bench.device, &all, 0, 0, NULL, &dry, NULL)); /* dry run */
  CHECK(dry >= 1);
  count = 1; /* discovery: the smallest */
  CHECK_OK(ck_sm_resource_split(bench.device, &all, 0, 0, groups, &count, &rest));
  CHECK(count == 1 && groups[0].sm_count >= all.min_partition_size);
  CHECK(groups[0].sm_count % all.coscheduled_alignment == 0);
  CHECK(groups[0].sm_count + rest.sm_count <= all.sm_count);
  if (dry >= 2) {
    count = 2;
    CHECK_OK(
        ck_sm_resource_split(bench.device, &all, all.min_partition_size, 0, groups, &count, &rest));
    CHECK(count == 2 && groups[0].sm_count == groups[1].sm_count);
    CHECK(2 * groups[0].sm_count + rest.sm_count <= all.sm_count);
  }
  count = 1;
  CHECK_STATUS(ck_sm_resource_split(bench.device, &all, all.sm_count + 1, 0, groups, &count, NULL),
               CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_sm_resource_split(bench.device, &all, 1, 64, groups, &count, NULL),
               CK_INVALID_ARGUMENT);
}

TEST(create_context_requires_resources)
{
  ck_context_t *green;
  ck_sm_resource_t nothing = {0};
  CHECK_STATUS(ck_context_create_green(bench.device, NULL, 0, &green), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_context_create_green(bench.device, &nothing, 0, &green), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_context_create_green(bench.device, &nothing, 1, &green), CK_INVALID_ARGUMENT);
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
  CHECK_OK(ck_context_create_green(bench.device, group, 1, &green));
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
  CHECK_OK(ck_context_create_green(bench.device, &group, 1, &green));
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
  setenv("CK_HOST_THREADS", "4", 0); /* cores to split */
  bench_open_any(&bench);
  RUN(device_properties);
  RUN(device_identity);
  RUN(device_set_current);
  RUN(device_alloc);
  RUN(context);
  RUN(limits);
  RUN(peers);
  RUN(sm_resource_properties);
  RUN(sm_resource_split);
  RUN(create_context_requires_resources);
  RUN(green_contexts);
  RUN(green_allocation);
  bench_close(&bench);
  CHECK(atomic_load(&host_live_objects) == 0);
  return tests_report();
}
