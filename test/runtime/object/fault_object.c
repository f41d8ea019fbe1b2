/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* fault_object.c - makes each driver call fail in turn: devices, contexts, streams, events, memory.
 */
#include <sys/socket.h>
#include <unistd.h>

#include "faults.h"
#include "memory/view.h"

static ck_status_t use_device(ck_device_t *device, ck_stream_t *stream)
{
  char bus[CK_PCI_BUS_ID_BYTES];
  unsigned char uuid[16];
  int major, minor;
  size_t free_bytes, total_bytes;
  ck_status_t status;
  (void)stream;
  STEP(ck_device_get_pci_bus_id(device, bus));
  STEP(ck_device_get_uuid(device, uuid));
  STEP(ck_device_get_compute_capability(device, &major, &minor));
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
  ck_sm_group_t wanted = {1, 0, 0, 0};
  ck_workqueue_resource_t queues;
  ck_green_options_t options = CK_OPTIONS_INIT(ck_green_options_t);
  size_t count = 1;
  ck_context_t *green = NULL;
  ck_stream_t *inside = NULL, *adopted = NULL;
  ck_event_t *event = NULL;
  ck_status_t status;
  STEP(ck_device_get_sm_resource(device, &all));
  STEP(ck_stream_get_sm_resource(stream, &all));
  STEP(ck_sm_resource_split(device, &all, 1, 0, &group, &count, &rest));
  STEP(ck_sm_resource_split_groups(device, &all, &wanted, 1, &group, &rest));
  STEP(ck_device_get_workqueue_resource(device, &queues));
  STEP(ck_stream_get_workqueue_resource(stream, &queues));
  options.workqueues = &queues;
  STEP(ck_context_create_green(device, &group, 1, &options, &green));
  STEP(ck_context_get_sm_resource(green, &group));
  STEP(ck_context_get_workqueue_resource(green, &queues));
  STEP(ck_context_create_stream(green, NULL, &inside));
  STEP(ck_context_create_event(green, NULL, &event));
  STEP(ck_stream_record(inside, event));
  STEP(ck_stream_wait_stream(stream, inside));
  STEP(ck_stream_from_native(device, ck_stream_native(inside), 0, &adopted));
  STEP(ck_stream_wait_stream(stream, adopted));
  STEP(ck_stream_sync(inside));
done:
  ck_event_release(event);
  ck_stream_release(adopted);
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
  STEP(ck_stream_batch_values(stream, &(ck_value_op_t){flag, 0, 7, 4, 0, CK_WAIT_EQUAL}, 1));
  STEP(ck_stream_query(thread));
  STEP(ck_stream_sync(stream));
done:
  if (status != CK_OK) ck_stream_sync(stream); /* `words` may still be in use */
  ck_buffer_release(flag);
  ck_stream_release(thread);
  ck_stream_release(standard);
  return status;
}

static void nap(void *data)
{
  (void)data;
  usleep(5000);
}

/* Memory that is freed in one stream's order while the default stream still writes to it. */
static ck_status_t use_default_order(ck_device_t *device, ck_stream_t *stream)
{
  ck_stream_options_t options = CK_OPTIONS_INIT(ck_stream_options_t);
  ck_stream_t *standard = NULL, *blocking = NULL;
  ck_buffer_t *buffer = NULL;
  ck_status_t status;
  (void)stream;
  options.flags = CK_STREAM_BLOCKING;
  STEP(ck_stream_open_default(device, &standard));
  STEP(ck_stream_create(device, &options, &blocking));
  STEP(ck_buffer_create(device, 1 << 20, blocking, &buffer));
  STEP(ck_stream_launch_host(standard, nap, NULL));
  STEP(ck_buffer_fill(buffer, 0, 1 << 20, 7, 1, standard));
done:
  ck_buffer_release(buffer);
  ck_stream_release(blocking);
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

static ck_status_t use_pools(ck_device_t *device, ck_stream_t *stream)
{
  ck_memory_resource_options_t options = CK_OPTIONS_INIT(ck_memory_resource_options_t);
  options.max_bytes = 1 << 20;
  options.release_threshold = 1;
  ck_memory_resource_t *own = NULL;
  ck_buffer_t *buffer = NULL;
  ck_permission_t permission;
  uint64_t value;
  size_t used, held;
  ck_status_t status;
  STEP(ck_memory_resource_create_device(device, &options, &own));
  STEP(ck_memory_resource_get_attribute(own, CK_POOL_REUSE_OPPORTUNISTIC, &value));
  STEP(ck_memory_resource_set_attribute(own, CK_POOL_REUSE_OPPORTUNISTIC, 0));
  STEP(ck_memory_resource_get_usage(own, &used, &held));
  STEP(ck_memory_resource_set_access(own, device, CK_PERMIT_READ_WRITE));
  STEP(ck_memory_resource_get_access(own, device, &permission));
  STEP(ck_memory_resource_create_buffer(own, 256, stream, &buffer));
  STEP(ck_buffer_close(buffer, stream));
  STEP(ck_memory_resource_trim(own, 0));
done:
  ck_buffer_release(buffer);
  ck_memory_resource_release(own);
  return status;
}

static ck_status_t use_host_pools(ck_device_t *device, ck_stream_t *stream)
{
  ck_memory_resource_options_t options = CK_OPTIONS_INIT(ck_memory_resource_options_t);
  options.flags = CK_MEMORY_IPC;
  ck_memory_resource_t *pools[4] = {NULL};
  ck_buffer_t *buffer = NULL;
  ck_status_t status;
  STEP(ck_memory_resource_create_pinned_pool(device, NULL, &pools[0]));
  STEP(ck_memory_resource_create_pinned_pool(device, &options, &pools[1]));
  STEP(ck_memory_resource_create_managed(device, NULL, &pools[2]));
  STEP(ck_memory_resource_create_legacy_managed(device, &pools[3]));
  for (int i = 0; i < 4; ++i) {
    STEP(ck_memory_resource_create_buffer(pools[i], 256, stream, &buffer));
    ck_buffer_release(buffer);
    buffer = NULL;
  }
done:
  for (int i = 0; i < 4; ++i) ck_memory_resource_release(pools[i]);
  return status;
}

static ck_status_t use_registered(ck_device_t *device, ck_stream_t *stream)
{
  uint32_t words[64] = {0};
  ck_buffer_t *buffer = NULL;
  ck_status_t status;
  STEP(ck_buffer_from_host(device, words, sizeof words, 0, &buffer));
  STEP(ck_buffer_fill(buffer, 0, sizeof words, 1, 4, stream));
  STEP(ck_stream_sync(stream));
done:
  if (status != CK_OK) ck_stream_sync(stream); /* `words` may still be in use */
  ck_buffer_release(buffer);
  return status;
}

/* Addresses in the middle of a gap between mappings, where nothing else is mapped. 0: out of
 * memory. */
static uint64_t free_addresses(void)
{
  const size_t bytes = (size_t)1 << 30;
  CUdeviceptr address;
  if (host_cuMemAddressReserve(&address, bytes, 0, 0, 0) != CUDA_SUCCESS) return 0;
  host_cuMemAddressFree(address, bytes);
  return address + bytes / 2;
}

/* A buffer grows in place, and then has to move because of a mapping behind it. */
static ck_status_t use_virtual(ck_device_t *device, ck_stream_t *stream)
{
  ck_virtual_options_t options = CK_OPTIONS_INIT(ck_virtual_options_t);
  ck_memory_resource_t *resource = NULL, *behind = NULL;
  ck_buffer_t *buffer = NULL, *wall = NULL;
  size_t piece;
  ck_status_t status;
  options.address = free_addresses();
  if (!options.address) return CK_OUT_OF_MEMORY;
  STEP(ck_memory_resource_create_virtual(device, &options, &resource));
  STEP(ck_memory_resource_get_granularity(resource, &piece));
  STEP(ck_memory_resource_create_buffer(resource, piece, stream, &buffer));
  STEP(ck_buffer_resize(buffer, 2 * piece, stream));
  CHECK(ck_buffer_native(buffer) == options.address);
  options.address += 2 * piece;
  STEP(ck_memory_resource_create_virtual(device, &options, &behind));
  STEP(ck_memory_resource_create_buffer(behind, piece, stream, &wall));
  STEP(ck_buffer_resize(buffer, 3 * piece, stream));
  CHECK(ck_buffer_native(buffer) != options.address - 2 * piece);
  options.access = CK_PERMIT_READ;
  STEP(ck_buffer_grow(wall, 2 * piece, &options, stream));
  CHECK(ck_buffer_native(wall) == options.address); /* so that each try makes the same calls */
done:
  ck_buffer_release(buffer);
  ck_buffer_release(wall);
  ck_memory_resource_release(resource);
  ck_memory_resource_release(behind);
  return status;
}

static ck_status_t use_copies(ck_device_t *device, ck_stream_t *stream)
{
  ck_buffer_t *a = NULL, *b = NULL;
  const uint32_t pair[2] = {1, 2};
  const uint64_t extents[] = {4, 8};
  const int64_t turned[] = {1, 4};
  ck_copy_box_t box = CK_OPTIONS_INIT(ck_copy_box_t);
  ck_status_t status;
  STEP(ck_buffer_create(device, 1024, stream, &a));
  STEP(ck_buffer_create(device, 1024, stream, &b));
  box.dst.buffer = a;
  box.src.buffer = b;
  box.width = 8;
  box.height = 4;
  STEP(ck_copy_box(&box, stream));
  box.depth = 2;
  STEP(ck_copy_box(&box, stream));
  STEP(ck_copy_strided(&(ck_copy_strided_side_t){.buffer = a, .strides = turned},
                       &(ck_copy_strided_side_t){.buffer = b}, 4, 2, extents, stream));
  STEP(ck_copy_batch(&(ck_copy_range_t){a, 0, b, 0, 64, NULL}, 1, NULL, stream));
  STEP(ck_buffer_fill_elements(a, 0, 8, pair, 8, stream));
  STEP(ck_buffer_fill_box(a, 0, 32, 2, 2, 1, 1, stream));
  STEP(ck_buffer_fill_box(a, 0, 32, 2, 2, 1, 2, stream));
  STEP(ck_buffer_fill_box(a, 0, 32, 2, 2, 1, 4, stream));
done:
  ck_buffer_release(a);
  ck_buffer_release(b);
  return status;
}

static ck_status_t use_views(ck_device_t *device, ck_stream_t *stream)
{
  const int64_t extents[] = {8, 4};
  ck_buffer_t *a = NULL, *b = NULL;
  ck_view_t whole, turned, adopted;
  struct DLManagedTensorVersioned *tensor = NULL;
  ck_status_t status;
  STEP(ck_buffer_create(device, 256, stream, &a));
  STEP(ck_view_from_buffer(a, 128, CK_F32, 1, 2, extents, NULL, &whole));
  STEP(ck_view_from_buffer(a, 0, CK_F32, 1, 2, (int64_t[]){4, 8}, NULL, &turned));
  STEP(ck_view_permute(&turned, (uint32_t[]){1, 0}, &turned));
  STEP(ck_view_to_dlpack(&whole, &tensor));
  STEP(ck_view_from_dlpack(device, tensor, &b, &adopted));
  tensor = NULL;
  status = ck_view_copy(&turned, &adopted, stream);
done:
  if (tensor) tensor->deleter(tensor);
  ck_buffer_release(a);
  ck_buffer_release(b);
  return status;
}

static ck_status_t use_managed(ck_device_t *device, ck_stream_t *stream)
{
  const ck_location_t here = {CK_PLACE_DEVICE, 0};
  ck_memory_resource_t *resource = NULL;
  ck_buffer_t *buffer = NULL;
  ck_location_t location;
  int value;
  ck_status_t status;
  STEP(ck_memory_resource_create_legacy_managed(device, &resource));
  STEP(ck_memory_resource_create_buffer(resource, 4096, stream, &buffer));
  STEP(ck_buffer_set_read_mostly(buffer, 1));
  STEP(ck_buffer_get_read_mostly(buffer, &value));
  STEP(ck_buffer_set_preferred_location(buffer, here));
  STEP(ck_buffer_get_preferred_location(buffer, &location));
  STEP(ck_buffer_get_accessed_by(buffer, here, &value));
  STEP(ck_buffer_prefetch(buffer, here, stream));
  STEP(ck_buffer_get_prefetch_location(buffer, &location));
  STEP(ck_prefetch_batch(&buffer, 1, &here, 1, stream));
  STEP(ck_buffer_discard(buffer, stream));
  STEP(ck_buffer_discard_prefetch(buffer, here, stream));
done:
  ck_buffer_release(buffer);
  ck_memory_resource_release(resource);
  return status;
}

/* This process is both sides. */
static ck_status_t use_ipc_pool(ck_device_t *device, ck_stream_t *stream)
{
  ck_memory_resource_options_t options = CK_OPTIONS_INIT(ck_memory_resource_options_t);
  options.flags = CK_MEMORY_IPC;
  options.max_bytes = 1 << 20;
  ck_memory_resource_t *pool = NULL, *mapped = NULL;
  ck_buffer_t *buffer = NULL, *same = NULL;
  ck_ipc_buffer_t handle;
  int fd = -1;
  ck_status_t status;
  STEP(ck_memory_resource_create_device(device, &options, &pool));
  STEP(ck_memory_resource_create_buffer(pool, 256, stream, &buffer));
  STEP(ck_memory_resource_export(pool, &fd));
  STEP(ck_memory_resource_from_fd(device, fd, &mapped));
  STEP(ck_buffer_export(buffer, &handle));
  STEP(ck_buffer_from_ipc(mapped, &handle, stream, &same));
done:
  if (fd >= 0) close(fd);
  ck_buffer_release(same);
  ck_buffer_release(buffer);
  ck_memory_resource_release(mapped);
  ck_memory_resource_release(pool);
  return status;
}

/* One buffer is received three times, and released in two streams. */
static ck_status_t use_ipc_again(ck_device_t *device, ck_stream_t *stream)
{
  ck_memory_resource_options_t options = CK_OPTIONS_INIT(ck_memory_resource_options_t);
  options.flags = CK_MEMORY_IPC;
  options.max_bytes = 1 << 20;
  ck_memory_resource_t *pool = NULL, *mapped = NULL;
  ck_buffer_t *buffer = NULL, *same[3] = {NULL};
  ck_stream_t *other = NULL;
  ck_ipc_buffer_t handle;
  int fd = -1;
  ck_status_t status;
  STEP(ck_stream_create(device, NULL, &other));
  STEP(ck_memory_resource_create_device(device, &options, &pool));
  STEP(ck_memory_resource_create_buffer(pool, 256, stream, &buffer));
  STEP(ck_memory_resource_export(pool, &fd));
  STEP(ck_memory_resource_from_fd(device, fd, &mapped));
  STEP(ck_buffer_export(buffer, &handle));
  for (int i = 0; i < 3; ++i)
    STEP(ck_buffer_from_ipc(mapped, &handle, i < 2 ? stream : other, &same[i]));
  STEP(ck_stream_launch_host(stream, nap, NULL));
  STEP(ck_buffer_fill(same[0], 0, 256, 7, 1, stream));
done:
  if (fd >= 0) close(fd);
  for (int i = 0; i < 3; ++i) ck_buffer_release(same[i]);
  ck_buffer_release(buffer);
  ck_memory_resource_release(mapped);
  ck_memory_resource_release(pool);
  ck_stream_release(other);
  return status;
}

static ck_status_t use_ipc_virtual(ck_device_t *device, ck_stream_t *stream)
{
  ck_virtual_options_t options = CK_OPTIONS_INIT(ck_virtual_options_t);
  options.flags = CK_MEMORY_IPC;
  ck_memory_resource_t *resource = NULL;
  ck_buffer_t *buffer = NULL, *same = NULL;
  int sockets[2];
  ck_status_t status;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets)) abort();
  STEP(ck_memory_resource_create_virtual(device, &options, &resource));
  STEP(ck_memory_resource_create_buffer(resource, 1, stream, &buffer));
  STEP(ck_buffer_send(buffer, sockets[0]));
  STEP(ck_buffer_receive(resource, sockets[1], stream, &same));
done:
  close(sockets[0]);
  close(sockets[1]);
  ck_buffer_release(same);
  ck_buffer_release(buffer);
  ck_memory_resource_release(resource);
  return status;
}

static ck_status_t use_textures(ck_device_t *device, ck_stream_t *stream)
{
  ck_array_options_t shape = CK_OPTIONS_INIT(ck_array_options_t);
  shape.dtype = CK_F32;
  shape.width = shape.height = 8;
  shape.flags = CK_ARRAY_SURFACE;
  float in[64] = {0}, out[64];
  ck_array_t *array = NULL, *level = NULL, *same = NULL;
  ck_mipmap_t *mipmap = NULL;
  ck_texture_t *texture = NULL, *of_mipmap = NULL, *of_buffer = NULL;
  ck_surface_t *surface = NULL;
  ck_buffer_t *buffer = NULL;
  ck_status_t status;
  STEP(ck_array_create(device, &shape, &array));
  STEP(ck_array_write(array, in, sizeof in, stream));
  STEP(ck_array_read(array, out, sizeof out, stream));
  STEP(ck_array_from_native(device, ck_array_native(array), 0, &same));
  STEP(ck_mipmap_create(device, &shape, 0, &mipmap));
  STEP(ck_mipmap_get_level(mipmap, 1, &level));
  STEP(ck_texture_from_array(array, NULL, &texture));
  ck_texture_resource_t what = {.struct_size = sizeof what, .mipmap = mipmap};
  ck_texture_options_t how = CK_OPTIONS_INIT(ck_texture_options_t);
  how.flags = CK_TEXTURE_NORMALIZED;
  STEP(ck_texture_create(&what, &how, &of_mipmap));
  STEP(ck_buffer_create(device, 4096, stream, &buffer));
  what = (ck_texture_resource_t){.struct_size = sizeof what,
                                 .buffer = buffer,
                                 .dtype = CK_F32,
                                 .width = 16,
                                 .height = 2,
                                 .row_bytes = 512};
  STEP(ck_texture_create(&what, NULL, &of_buffer));
  STEP(ck_surface_create(level, &surface));
  STEP(ck_stream_sync(stream));
done:
  if (status != CK_OK) ck_stream_sync(stream); /* `in` may still be in use */
  ck_surface_release(surface);
  ck_texture_release(of_buffer);
  ck_texture_release(of_mipmap);
  ck_texture_release(texture);
  ck_buffer_release(buffer);
  ck_array_release(level);
  ck_mipmap_release(mipmap);
  ck_array_release(same);
  ck_array_release(array);
  return status;
}

static ck_status_t use_tensor_maps(ck_device_t *device, ck_stream_t *stream)
{
  ck_tensor_map_options_t options = CK_OPTIONS_INIT(ck_tensor_map_options_t);
  options.box[0] = 1;
  options.box[1] = 8;
  ck_im2col_options_t columns = CK_OPTIONS_INIT(ck_im2col_options_t);
  columns.channels = 8;
  columns.pixels = 1;
  ck_tensor_map_t *map = NULL, *other = NULL;
  ck_buffer_t *buffer = NULL;
  ck_view_t view;
  ck_status_t status;
  STEP(ck_buffer_create(device, 4096, stream, &buffer));
  STEP(ck_view_from_buffer(buffer, 0, CK_F32, 1, 2, (int64_t[]){8, 8}, NULL, &view));
  STEP(ck_tensor_map_from_view(&view, &options, &map));
  STEP(ck_tensor_map_set_buffer(map, buffer, 256));
  STEP(ck_view_from_buffer(buffer, 0, CK_F32, 1, 3, (int64_t[]){2, 2, 8}, NULL, &view));
  STEP(ck_tensor_map_from_im2col(&view, &columns, &other));
done:
  ck_tensor_map_release(map);
  ck_tensor_map_release(other);
  ck_buffer_release(buffer);
  return status;
}

static const Scenario scenarios[] = {
    {"tensor maps", .run = use_tensor_maps},
    {"textures", .run = use_textures},
    {"ipc of virtual memory", .run = use_ipc_virtual,
     .quiet = {"cuStreamSynchronize", "cuStreamIsCapturing"}},
    {"ipc", .run = use_ipc_pool},
    {"ipc, again and again", .run = use_ipc_again,
     .quiet = {"cuStreamIsCapturing", "cuEventCreate", "cuEventRecord", "cuEventQuery",
               "cuStreamWaitEvent"}},
    {"managed", .run = use_managed},
    {"copies", .run = use_copies},
    {"views", .run = use_views},
    {"pools", .run = use_pools},
    {"host pools", .run = use_host_pools, .quiet = {"cuMemPoolSetAccess"}},
    {"registered", .run = use_registered},
    {"virtual", .run = use_virtual, .quiet = {"cuStreamSynchronize", "cuStreamIsCapturing"}},
    {"device", .run = use_device},
    {"context", .run = use_context},
    {"green context", .run = use_green_context},
    {"streams", .run = use_streams},
    {"default order", .run = use_default_order},
    {"event", .run = use_ipc_event},
};

TEST(every_call_fails_in_turn)
{
  CHECK(faults_try(scenarios, COUNT_OF(scenarios)) > 300);
}

TEST(every_allocation_fails_in_turn)
{
  CHECK(faults_try_allocations(scenarios, COUNT_OF(scenarios)) > 30);
}

/* With an older driver that lacks functions, the calls that need them say so. */
TEST(older_driver)
{
  Driver older = *driver_host();
  older.cuGreenCtxCreate = NULL;
  older.cuDeviceGetDevResource = NULL;
  older.cuDevSmResourceSplit = NULL;
  ck_device_t *device;
  ck_sm_resource_t all = {.sm_count = 1};
  ck_sm_group_t wanted = {1, 0, 0, 0};
  ck_workqueue_resource_t queues;
  CHECK_OK(device_open(&older, 0, &device));
  CHECK_STATUS(ck_sm_resource_split_groups(device, &all, &wanted, 1, NULL, NULL), CK_UNSUPPORTED);
  CHECK_ERROR("the host device has no cuDevSmResourceSplit, which came with CUDA 13.1");
  CHECK_STATUS(ck_device_get_workqueue_resource(device, &queues), CK_UNSUPPORTED);
  CHECK_ERROR("the host device has no workqueue resources, which came with CUDA 13.1");
  CHECK_STATUS(ck_context_get_workqueue_resource(ck_device_context(device), &queues),
               CK_UNSUPPORTED);
  CHECK_STATUS(ck_device_get_sm_resource(device, &all), CK_UNSUPPORTED);
  CHECK_ERROR("the host device has no cuDeviceGetDevResource, which came with CUDA 12.4");
  ck_device_release(device);
}

static char theirs; /* stands for a context of other code */
static CUdevice place;

static CUresult get_theirs(CUstream stream, CUcontext *out_context)
{
  (void)stream;
  *out_context = (CUcontext)(void *)&theirs;
  return CUDA_SUCCESS;
}

static CUresult get_place(CUdevice *out_device)
{
  *out_device = place;
  return CUDA_SUCCESS;
}

/* A driver before CUDA 12.5 reports the plain context of a stream, and so another GPU. */
TEST(context_of_stream_by_older_driver)
{
  Driver older = *driver_host();
  ck_device_t *device;
  ck_stream_t *stream, *adopted;
  CHECK_OK(device_open(&older, 0, &device));
  CHECK_OK(ck_stream_create(device, NULL, &stream));
  older.cuStreamGetCtx_v2 = NULL;
  CHECK_OK(ck_stream_from_native(device, ck_stream_native(stream), 0, &adopted));
  CHECK(ck_stream_context(adopted) == ck_device_context(device));
  ck_stream_release(adopted);
  older.cuStreamGetCtx = get_theirs;
  older.cuCtxGetDevice = get_place;
  CHECK_OK(ck_stream_from_native(device, ck_stream_native(stream), 0, &adopted));
  CHECK(ck_context_native(ck_stream_context(adopted)) == &theirs);
  CHECK(!ck_context_is_green(ck_stream_context(adopted)));
  ck_stream_release(adopted);
  place = 1;
  CHECK_STATUS(ck_stream_from_native(device, ck_stream_native(stream), 0, &adopted),
               CK_INVALID_ARGUMENT);
  CHECK_ERROR("the stream is of device 1");
  ck_stream_release(stream);
  ck_device_release(device);
}

int main(void)
{
  RUN(every_call_fails_in_turn);
  RUN(every_allocation_fails_in_turn);
  RUN(older_driver);
  RUN(context_of_stream_by_older_driver);
  CHECK(atomic_load(&host_live_objects) == 0);
  return tests_report();
}
