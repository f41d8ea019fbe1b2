/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* fault_object.c - each driver call fails in turn: devices, contexts, streams, events, memory. */
#include "faults.h"

static ck_status_t use_device(ck_device_t *device, ck_stream_t *stream)
{
  char bus[CK_PCI_BUS_ID_BYTES];
  unsigned char uuid[16];
  int major, minor, can;
  size_t free_bytes, total_bytes;
  ck_status_t status;
  (void)stream;
  STEP(ck_device_get_pci_bus_id(device, bus));
  STEP(ck_device_get_uuid(device, uuid));
  STEP(ck_device_get_compute_capability(device, &major, &minor));
  STEP(ck_device_can_access_peer(device, device, &can));
  STEP(ck_device_get_memory(device, &free_bytes, &total_bytes));
  STEP(ck_device_sync(device));
done:
  return status;
}

static ck_status_t use_context(ck_device_t *device, ck_stream_t *stream)
{
  ck_context_t *context = ck_device_context(device);
  size_t value;
  uint64_t id;
  int low, high, is_current;
  ck_status_t status;
  (void)stream;
  STEP(ck_context_get_id(context, &id));
  STEP(ck_context_get_limit(context, CK_LIMIT_STACK, &value));
  STEP(ck_context_set_limit(context, CK_LIMIT_STACK, value));
  STEP(ck_context_get_priorities(context, &low, &high));
  STEP(ck_context_reset_persisting_l2(context));
  STEP(ck_context_sync(context));
  STEP(ck_context_set_current(device, context));
  status = ck_context_get_current(context, &is_current);
  if (status == CK_OK) status = ck_context_set_current(device, NULL);
  if (status != CK_OK) host_cuCtxSetCurrent(NULL);
done:
  return status;
}

static ck_status_t use_green_context(ck_device_t *device, ck_stream_t *stream)
{
  ck_sm_resource_t all, group, rest;
  size_t count = 1;
  ck_context_t *green = NULL;
  ck_stream_t *inside = NULL;
  ck_event_t *event = NULL;
  ck_status_t status;
  STEP(ck_device_get_sm_resource(device, &all));
  STEP(ck_stream_get_sm_resource(stream, &all));
  STEP(ck_sm_resource_split(device, &all, 1, 0, &group, &count, &rest));
  STEP(ck_context_create_green(device, &group, 1, &green));
  STEP(ck_context_get_sm_resource(green, &group));
  STEP(ck_context_create_stream(green, NULL, &inside));
  STEP(ck_context_create_event(green, NULL, &event));
  STEP(ck_stream_record(inside, event));
  STEP(ck_stream_wait_stream(stream, inside));
  STEP(ck_stream_sync(inside));
done:
  ck_event_release(event);
  ck_stream_release(inside);
  ck_context_release(green);
  return status;
}

static ck_status_t use_streams(ck_device_t *device, ck_stream_t *stream)
{
  ck_stream_t *thread = NULL, *standard = NULL;
  ck_buffer_t *flag = NULL;
  uint64_t words[2] = {0}, id;
  ck_sync_policy_t policy;
  int priority;
  uint32_t flags;
  ck_status_t status;
  STEP(ck_stream_open_per_thread(device, &thread));
  STEP(ck_stream_open_default(device, &standard));
  STEP(ck_stream_get_id(thread, &id));
  STEP(ck_stream_get_flags(thread, &flags));
  STEP(ck_stream_get_priority(standard, &priority));
  STEP(ck_stream_set_sync_policy(stream, CK_SYNC_SPIN));
  STEP(ck_stream_get_sync_policy(stream, &policy));
  STEP(ck_buffer_from_native(device, (uintptr_t)words, sizeof words, NULL, NULL, &flag));
  STEP(ck_stream_set_access_window(stream, flag, 0, 16, 0.5f, CK_L2_PERSISTING, CK_L2_STREAMING));
  STEP(ck_stream_write_value(stream, flag, 0, 7, 4));
  STEP(ck_stream_write_value(stream, flag, 8, 9, 8));
  STEP(ck_stream_wait_value(stream, flag, 0, 7, 4, CK_WAIT_EQUAL));
  STEP(ck_stream_wait_value(stream, flag, 8, 9, 8, CK_WAIT_EQUAL));
  STEP(ck_stream_query(thread));
  STEP(ck_stream_sync(stream));
done:
  if (status != CK_OK) ck_stream_sync(stream); /* `words` may still be in use */
  ck_buffer_release(flag);
  ck_stream_release(thread);
  ck_stream_release(standard);
  return status;
}

static ck_status_t use_ipc_event(ck_device_t *device, ck_stream_t *stream)
{
  ck_event_options_t options = CK_OPTIONS_INIT(ck_event_options_t);
  options.flags = CK_EVENT_IPC;
  ck_event_t *event = NULL, *same = NULL;
  ck_ipc_event_t handle;
  ck_status_t status;
  STEP(ck_event_create(device, &options, &event));
  STEP(ck_event_export(event, &handle));
  STEP(ck_event_from_ipc(device, &handle, &same));
  STEP(ck_stream_record(stream, event));
  STEP(ck_event_sync(same));
done:
  ck_event_release(same);
  ck_event_release(event);
  return status;
}

static const Scenario scenarios[] = {
    {"device", use_device},   {"context", use_context}, {"green context", use_green_context},
    {"streams", use_streams}, {"event", use_ipc_event},
};

TEST(every_call_fails_in_turn)
{
  faults_try(scenarios, COUNT_OF(scenarios));
}

/* An older driver lacks functions: what needs them says so. */
TEST(older_driver)
{
  Driver older = *driver_host();
  older.cuGreenCtxCreate = NULL;
  older.cuDeviceGetDevResource = NULL;
  ck_device_t *device;
  ck_sm_resource_t all;
  CHECK_OK(device_open(&older, true, 0, &device));
  CHECK_STATUS(ck_device_get_sm_resource(device, &all), CK_UNSUPPORTED);
  CHECK_ERROR("the host device has no cuDeviceGetDevResource, which came with CUDA 12.4");
  ck_device_release(device);
}

int main(void)
{
  RUN(every_call_fails_in_turn);
  RUN(older_driver);
  CHECK(atomic_load(&host_live_objects) == 0);
  return tests_report();
}
