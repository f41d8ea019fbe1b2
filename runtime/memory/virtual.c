/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* virtual.c - a memory resource that reserves addresses and maps memory there, so that buffers can
 * grow in place.
 *
 *   addresses   |---- reservation 0 ----|-- reservation 1 --|
 *   memory      |-- piece 0 --|- piece 1 -|---- piece 2 ----|
 *
 * The addresses of a buffer are contiguous. To grow, a buffer reserves the addresses behind its end
 * and maps a new piece there. If those addresses are taken, all pieces are mapped a second time at
 * new addresses and then unmapped at the old ones; nothing is copied. Graphs contain addresses, so
 * the old mapping stays (range->before) if a graph uses the buffer.
 */
#include <string.h>

#include "memory_private.h"

/* A buffer that doubles its size never reaches MAX_PIECES; for one that grows by the smallest step
 * it is an error which says so. */

typedef struct Reservation {
  CUdeviceptr address;
  size_t bytes;
} Reservation;

typedef struct Piece {
  CUmemGenericAllocationHandle handle;
  size_t bytes;
  VirtualPlan *plan; /* owned; NULL: the resource's */
} Piece;

struct VirtualRange {
  CUdeviceptr address;
  size_t bytes; /* the sum of the pieces, and of the reservations */
  Reservation reservations[MAX_PIECES];
  Piece pieces[MAX_PIECES];
  size_t reservation_count, piece_count;
  VirtualRange *before; /* owned; the previous mapping of the same pieces, which graphs use */
};

static size_t round_up(size_t bytes, size_t unit)
{
  return bytes > SIZE_MAX - unit ? 0 : (bytes + unit - 1) / unit * unit;
}

/* pieces; the context is current --------------------------------------------------------------- */

static ck_status_t reserve(ck_memory_resource_t *resource, size_t bytes, size_t alignment,
                           CUdeviceptr wish, Reservation *out)
{
  *out = (Reservation){0};
  CUdeviceptr address = 0;
  DRV(resource->device->driver, cuMemAddressReserve(&address, bytes, alignment, wish, 0));
  *out = (Reservation){address, bytes};
  return CK_OK;
}

static void free_reservation(ck_memory_resource_t *resource, const Reservation *reservation)
{
  if (reservation->bytes)
    resource->device->driver->cuMemAddressFree(reservation->address, reservation->bytes);
}

/* Maps a piece and grants access to the devices of its plan. */
static ck_status_t map_piece(ck_memory_resource_t *resource, CUdeviceptr at, const Piece *piece)
{
  const Driver *driver = resource->device->driver;
  const VirtualPlan *plan = piece->plan ? piece->plan : resource->plan;
  DRV(driver, cuMemMap(at, piece->bytes, 0, piece->handle, 0));
  if (!plan->access_count) return CK_OK;
  ck_status_t status =
      DRV_STATUS(driver, cuMemSetAccess(at, piece->bytes, plan->access, plan->access_count));
  if (status != CK_OK) driver->cuMemUnmap(at, piece->bytes);
  return status;
}

static void unmap_pieces(ck_memory_resource_t *resource, CUdeviceptr at, const Piece *pieces,
                         size_t count)
{
  for (size_t i = 0; i < count; at += pieces[i++].bytes)
    resource->device->driver->cuMemUnmap(at, pieces[i].bytes);
}

/* Allocates a piece and maps it. On failure the caller keeps `own`, the piece's plan. */
static ck_status_t new_piece(ck_memory_resource_t *resource, VirtualPlan *own, CUdeviceptr at,
                             size_t bytes, Piece *out)
{
  const Driver *driver = resource->device->driver;
  *out = (Piece){.bytes = bytes, .plan = own};
  DRV(driver, cuMemCreate(&out->handle, bytes, own ? &own->props : &resource->plan->props, 0));
  ck_status_t status = map_piece(resource, at, out);
  if (status != CK_OK) driver->cuMemRelease(out->handle);
  return status;
}

static ck_status_t fill_range(ck_memory_resource_t *resource, VirtualPlan *own, size_t bytes,
                              VirtualRange *range)
{
  const VirtualPlan *plan = own ? own : resource->plan;
  CK_TRY(reserve(resource, bytes, plan->alignment, plan->address, &range->reservations[0]));
  ck_status_t status =
      new_piece(resource, own, range->reservations[0].address, bytes, &range->pieces[0]);
  if (status != CK_OK) {
    free_reservation(resource, &range->reservations[0]);
    return status;
  }
  range->address = range->reservations[0].address;
  range->bytes = bytes;
  range->reservation_count = range->piece_count = 1;
  return CK_OK;
}

/* Allocates a range of one piece, whose size is rounded up to the driver's granularity. */
static ck_status_t allocate_range(ck_memory_resource_t *resource, VirtualPlan *own, size_t bytes,
                                  VirtualRange **out_range, CUdeviceptr *out_address)
{
  size_t rounded = round_up(bytes, own ? own->granularity : resource->plan->granularity);
  VirtualRange *range = memory_new(sizeof *range);
  if (!range || !rounded) {
    memory_free(range);
    return memory_explain(resource, bytes, error_set(CK_OUT_OF_MEMORY, "memory is out"));
  }
  ck_status_t status = IN_DEVICE(resource->device, fill_range(resource, own, rounded, range));
  if (status != CK_OK) {
    memory_free(range);
    return memory_explain(resource, bytes, status);
  }
  *out_range = range;
  *out_address = range->address;
  return CK_OK;
}

ck_status_t virtual_allocate(ck_memory_resource_t *resource, size_t bytes, VirtualRange **out_range,
                             CUdeviceptr *out_address)
{
  return allocate_range(resource, NULL, bytes, out_range, out_address);
}

/* Unmaps the pieces of a range and frees its addresses. */
static void unmap_range(ck_memory_resource_t *resource, const VirtualRange *range)
{
  unmap_pieces(resource, range->address, range->pieces, range->piece_count);
  for (size_t i = 0; i < range->reservation_count; ++i)
    free_reservation(resource, &range->reservations[i]);
}

/* Unmaps the former addresses of a range, which were kept for graphs. */
static void unmap_old_mappings(ck_memory_resource_t *resource, VirtualRange *range)
{
  while (range->before) {
    VirtualRange *before = range->before;
    range->before = before->before;
    unmap_range(resource, before);
    memory_free(before);
  }
}

void virtual_free(ck_memory_resource_t *resource, VirtualRange *range, ck_stream_t *stream)
{
  const Driver *driver = resource->device->driver;
  CUstream native = stream_native(stream);
  CleanUp clean_up = clean_up_begin(resource->device);
  /* Unmapping is not in stream order, so this waits for the stream. Waiting for the default stream
   * while a blocking stream is captured would invalidate that capture. */
  if (stream_capture_state(driver, native) == CU_STREAM_CAPTURE_STATUS_NONE)
    driver->cuStreamSynchronize(native);
  unmap_old_mappings(resource, range);
  unmap_range(resource, range);
  for (size_t i = 0; i < range->piece_count; ++i) {
    driver->cuMemRelease(range->pieces[i].handle);
    memory_free(range->pieces[i].plan);
  }
  clean_up_end(&clean_up);
  memory_free(range);
}

/* other processes ---------------------------------------------------------------------------- */

size_t virtual_piece_count(const VirtualRange *range)
{
  return range->piece_count;
}

size_t virtual_piece_left(const VirtualRange *range, size_t offset)
{
  size_t end = 0;
  for (size_t i = 0; i < range->piece_count && end <= offset; ++i) end += range->pieces[i].bytes;
  return end - offset;
}

ck_status_t virtual_export(ck_memory_resource_t *resource, const VirtualRange *range, size_t piece,
                           size_t *out_bytes, int *out_fd)
{
  *out_bytes = range->pieces[piece].bytes;
  *out_fd = -1;
  return DRV_STATUS(resource->device->driver,
                    cuMemExportToShareableHandle(out_fd, range->pieces[piece].handle,
                                                 CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
}

/* Imports a piece and maps it at the end of the range. */
static ck_status_t import_piece(ck_memory_resource_t *resource, VirtualRange *range, size_t bytes,
                                int fd)
{
  const Driver *driver = resource->device->driver;
  Piece *piece = &range->pieces[range->piece_count];
  *piece = (Piece){.bytes = bytes};
  DRV(driver, cuMemImportFromShareableHandle(&piece->handle, (void *)(intptr_t)fd,
                                             CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
  ck_status_t status = map_piece(resource, range->address + range->bytes, piece);
  if (status != CK_OK) {
    driver->cuMemRelease(piece->handle);
    return status;
  }
  ++range->piece_count;
  range->bytes += bytes;
  return CK_OK;
}

ck_status_t virtual_import(ck_memory_resource_t *resource, const size_t *bytes, const int *fds,
                           size_t count, VirtualRange **out_range, CUdeviceptr *out_address)
{
  size_t total = 0;
  for (size_t i = 0; i < count; ++i)
    if (!bytes[i] || bytes[i] % resource->plan->granularity ||
        __builtin_add_overflow(total, bytes[i], &total))
      return error_argument("a piece of %zu bytes, the granularity is %zu", bytes[i],
                            resource->plan->granularity);
  VirtualRange *range = memory_take(sizeof *range);
  if (!range) return CK_OUT_OF_MEMORY;
  ck_status_t status = device_enter(resource->device);
  if (status != CK_OK) {
    memory_free(range);
    return status;
  }
  status = reserve(resource, total, resource->plan->alignment, 0, &range->reservations[0]);
  range->address = range->reservations[0].address;
  range->reservation_count = status == CK_OK;
  for (size_t i = 0; i < count && status == CK_OK; ++i)
    status = import_piece(resource, range, bytes[i], fds[i]);
  if (status != CK_OK) virtual_free(resource, range, NULL);
  device_leave(resource->device);
  if (status != CK_OK) return status;
  *out_range = range;
  *out_address = range->address;
  return CK_OK;
}

/* growing ------------------------------------------------------------------------------------ */

/* Tries to reserve the addresses after the range's end, which is aligned, and to map a new piece
 * there. */
static ck_status_t grow_in_place(ck_memory_resource_t *resource, VirtualRange *range,
                                 VirtualPlan *own, size_t more, bool *out_is_done)
{
  Reservation behind;
  CUdeviceptr end = range->address + range->bytes;
  *out_is_done = false;
  if (range->reservation_count == MAX_PIECES) return CK_OK;
  CK_TRY(reserve(resource, more, 0, end, &behind));
  if (behind.address != end) {
    free_reservation(resource, &behind);
    return CK_OK;
  }
  ck_status_t status = new_piece(resource, own, end, more, &range->pieces[range->piece_count]);
  if (status != CK_OK) {
    free_reservation(resource, &behind);
    return status;
  }
  range->reservations[range->reservation_count++] = behind;
  ++range->piece_count;
  range->bytes += more;
  *out_is_done = true;
  return CK_OK;
}

/* Maps the existing pieces and a new one at new addresses. */
static ck_status_t map_again(ck_memory_resource_t *resource, VirtualRange *range, VirtualPlan *own,
                             size_t more, CUdeviceptr at)
{
  size_t count = 0;
  ck_status_t status = CK_OK;
  CUdeviceptr start = at;
  for (; count < range->piece_count && status == CK_OK; ++count) {
    status = map_piece(resource, at, &range->pieces[count]);
    if (status != CK_OK) break;
    at += range->pieces[count].bytes;
  }
  if (status == CK_OK)
    status = new_piece(resource, own, at, more, &range->pieces[range->piece_count]);
  if (status != CK_OK) unmap_pieces(resource, start, range->pieces, count);
  return status;
}

/* Keeps the current mapping, whose addresses graphs contain. */
static ck_status_t keep_old_mapping(VirtualRange *range)
{
  VirtualRange *before = memory_take(sizeof *before);
  if (!before) return CK_OUT_OF_MEMORY;
  *before = *range;
  range->before = before;
  return CK_OK;
}

/* Grows a range that can't grow in place: reserves larger addresses elsewhere, and maps the old
 * pieces and a new one there. If graphs contain the old addresses, these stay mapped too. On
 * failure the range is unchanged. */
static ck_status_t move(ck_memory_resource_t *resource, VirtualRange *range, VirtualPlan *own,
                        size_t more, bool has_graphs)
{
  Reservation whole;
  size_t alignment = own ? own->alignment : resource->plan->alignment;
  CK_TRY(reserve(resource, range->bytes + more, alignment, own ? own->address : 0, &whole));
  VirtualRange *before = range->before;
  ck_status_t status = has_graphs ? keep_old_mapping(range) : CK_OK;
  if (status == CK_OK) status = map_again(resource, range, own, more, whole.address);
  if (status != CK_OK) {
    if (range->before != before) memory_free(range->before);
    range->before = before;
    free_reservation(resource, &whole);
    return status;
  }
  if (!has_graphs) {
    unmap_old_mappings(resource, range);
    unmap_range(resource, range);
  }
  range->reservations[0] = whole;
  range->reservation_count = 1;
  range->address = whole.address;
  range->bytes = whole.bytes;
  ++range->piece_count;
  return CK_OK;
}

/* Grows a buffer. The stream belongs to the buffer's device, and neither stream is captured. */
static ck_status_t grow(ck_buffer_t *buffer, size_t bytes, VirtualPlan *own, ck_stream_t *stream)
{
  VirtualRange *range = buffer->range;
  const Driver *driver = buffer->device->driver;
  size_t unit = own ? own->granularity : buffer->resource->plan->granularity;
  if (!round_up(bytes, unit)) return error_set(CK_OUT_OF_MEMORY, "memory is out");
  size_t more = round_up(bytes - range->bytes, unit);
  if (range->piece_count == MAX_PIECES)
    return error_unsupported("a buffer that has grown %d times: grow by more at a time",
                             MAX_PIECES - 1);
  bool is_done;
  CK_TRY(grow_in_place(buffer->resource, range, own, more, &is_done));
  if (is_done) return CK_OK;
  DRV(driver, cuStreamSynchronize(stream_native(stream)));
  ck_stream_t *last = buffer_stream(buffer);
  if (stream != last) DRV(driver, cuStreamSynchronize(stream_native(last)));
  return move(buffer->resource, range, own, more, atomic_load(&buffer->graph_count) != 0);
}

static ck_status_t check_resize(const ck_buffer_t *buffer, const ck_stream_t *stream,
                                const char *function)
{
  CK_TRY(stream_check(stream, buffer->device));
  if (buffer->flags & CK_MEMORY_CLOSED) return error_argument("%s: the buffer is closed", function);
  if (buffer->range || (buffer->resource && buffer->resource->kind == MEMORY_virtual)) return CK_OK;
  return error_unsupported("only a buffer of a virtual memory resource can be resized");
}

/* Resizes a buffer. If a new piece takes ownership of *own, its plan, that is set to NULL. */
static ck_status_t resize(ck_buffer_t *buffer, size_t bytes, VirtualPlan **own, ck_stream_t *stream,
                          const char *function)
{
  if (!bytes && !buffer->range) return CK_OK;
  bool grows = !buffer->range || bytes > buffer->range->bytes;
  if (grows && (stream_keep(stream) || stream_keep(buffer->stream)))
    return error_argument("%s: the stream is captured", function);
  if (!buffer->range) {
    CK_TRY(allocate_range(buffer->resource, *own, bytes, &buffer->range, &buffer->address));
    *own = NULL;
  }
  if (bytes > buffer->range->bytes) {
    CK_TRY(device_enter(buffer->device));
    ck_status_t status = grow(buffer, bytes, *own, stream);
    device_leave(buffer->device);
    if (status != CK_OK) return memory_explain(buffer->resource, bytes, status);
    *own = NULL;
  }
  buffer->address = buffer->range->address;
  if (buffer->flags & CK_MEMORY_HOST) buffer->host = (void *)(uintptr_t)buffer->address;
  buffer->bytes = bytes;
  return CK_OK;
}

ck_status_t ck_buffer_resize(ck_buffer_t *buffer, size_t bytes, ck_stream_t *stream)
{
  VirtualPlan *none = NULL;
  CK_NEED_ARG(buffer);
  CK_TRY(check_resize(buffer, stream, __func__));
  return resize(buffer, bytes, &none, stream, __func__);
}

/* the resource ------------------------------------------------------------------------------- */

static ck_status_t read_plan(ck_device_t *device, const ck_virtual_options_t *options,
                             VirtualPlan *plan)
{
  ck_location_t location = options->location;
  if (location.place == CK_PLACE_NONE) location = (ck_location_t){CK_PLACE_DEVICE, device->native};
  plan->props.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  plan->props.location = (CUmemLocation){(CUmemLocationType)location.place, location.id};
  if (options->flags & CK_MEMORY_IPC)
    plan->props.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  plan->props.allocFlags.gpuDirectRDMACapable = (options->flags & CK_VIRTUAL_RDMA) != 0;
  plan->address = options->address;
  ck_permission_t own = options->access ? options->access : CK_PERMIT_READ_WRITE;
  ck_permission_t theirs = options->peer_access ? options->peer_access : CK_PERMIT_READ_WRITE;
  if (!(options->flags & CK_VIRTUAL_NO_ACCESS))
    plan->access[plan->access_count++] =
        (CUmemAccessDesc){{CU_MEM_LOCATION_TYPE_DEVICE, device->native}, (CUmemAccess_flags)own};
  if (options->peer_count > MAX_VIRTUAL_PEERS)
    return error_argument("%zu peers, %d fit", options->peer_count, MAX_VIRTUAL_PEERS);
  if (options->peer_count && !options->peers)
    return error_argument("peers is NULL, peer_count is %zu", options->peer_count);
  for (size_t i = 0; i < options->peer_count; ++i) {
    if (!options->peers[i]) return error_argument("peers[%zu] is NULL", i);
    if (options->peers[i]->driver != device->driver)
      return error_unsupported("'%s' can't use memory of '%s'", options->peers[i]->name,
                               device->name);
    plan->access[plan->access_count++] = (CUmemAccessDesc){
        {CU_MEM_LOCATION_TYPE_DEVICE, options->peers[i]->native}, (CUmemAccess_flags)theirs};
  }
  /* Memory on the host must be made accessible to the CPU explicitly. */
  if (location.place >= CK_PLACE_HOST && !device->driver->traits->has_cpu_memory)
    plan->access[plan->access_count++] =
        (CUmemAccessDesc){plan->props.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  CUmemAllocationGranularity_flags kind = options->flags & CK_VIRTUAL_RECOMMENDED
                                              ? CU_MEM_ALLOC_GRANULARITY_RECOMMENDED
                                              : CU_MEM_ALLOC_GRANULARITY_MINIMUM;
  DRV(device->driver, cuMemGetAllocationGranularity(&plan->granularity, &plan->props, kind));
  plan->alignment = options->alignment ? options->alignment : plan->granularity;
  if (plan->alignment & (plan->alignment - 1))
    return error_argument("an alignment of %zu is no power of two", plan->alignment);
  return CK_OK;
}

/* Checks the options, and that the device has the features that they need. */
static ck_status_t check_options(ck_device_t *device, const ck_virtual_options_t *options)
{
  int has_virtual, has_rdma = 1;
  if (options->flags &
      ~(CK_VIRTUAL_RECOMMENDED | CK_VIRTUAL_RDMA | CK_VIRTUAL_NO_ACCESS | CK_MEMORY_IPC))
    return error_argument("virtual memory flags are 0x%x: unknown bits are set", options->flags);
  CK_TRY(permission_check(options->access));
  CK_TRY(permission_check(options->peer_access));
  if (options->flags & CK_VIRTUAL_NO_ACCESS && options->access)
    return error_argument("CK_VIRTUAL_NO_ACCESS, and access %d", (int)options->access);
  if (options->flags & CK_VIRTUAL_NO_ACCESS && !device->driver->traits->has_peers)
    return error_unsupported("'%s' has no peers: its memory is for nobody else", device->name);
  CK_TRY(location_check(device, options->location));
  if (options->flags & CK_MEMORY_IPC && options->location.place == CK_PLACE_HOST)
    return error_argument("memory for other processes is of a node of the host: "
                          "CK_PLACE_HOST_NUMA");
  if (options->location.place == CK_PLACE_HOST_NUMA_CURRENT)
    return error_unsupported("virtual memory is of a device, of the host, or of a node that "
                             "has a name: CK_PLACE_HOST_NUMA");
  CK_TRY(
      ck_device_get_attribute(device, CK_DEVICE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, &has_virtual));
  if (!has_virtual) return error_unsupported("'%s' has no virtual memory management", device->name);
  if (options->flags & CK_VIRTUAL_RDMA)
    CK_TRY(ck_device_get_attribute(device, CK_DEVICE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED,
                                   &has_rdma));
  if (!has_rdma) return error_unsupported("'%s' has no GPUDirect RDMA", device->name);
  return CK_OK;
}

/* Makes a plan from options. */
static ck_status_t new_plan(ck_device_t *device, const ck_virtual_options_t *options,
                            VirtualPlan **out_plan)
{
  CK_TRY(check_options(device, options));
  VirtualPlan *plan = memory_take(sizeof *plan);
  if (!plan) return CK_OUT_OF_MEMORY;
  ck_status_t status = IN_DEVICE(device, read_plan(device, options, plan));
  return GIVE(status, plan, out_plan, memory_free);
}

/* Makes the plan of memory that is added to a buffer of a resource. */
static ck_status_t plan_growth(const ck_memory_resource_t *resource,
                               const ck_virtual_options_t *options, VirtualPlan **out_plan)
{
  const ck_location_t *there = &resource->location;
  CK_READ_OPTIONS(ck_virtual_options_t, own, options);
  if (own.location.place == CK_PLACE_NONE) own.location = *there;
  bool is_there = own.location.place == there->place &&
                  (own.location.id == there->id || there->place == CK_PLACE_HOST);
  if (!is_there)
    return error_argument("ck_buffer_grow: memory of place %d, %d behind memory of place %d, %d: a "
                          "buffer is in one place",
                          (int)own.location.place, own.location.id, (int)there->place, there->id);
  if (own.flags & ~resource->flags & CK_MEMORY_IPC)
    return error_argument(
        "ck_buffer_grow: other processes map a whole buffer, and this resource is "
        "without CK_MEMORY_IPC");
  own.flags |= resource->flags & CK_MEMORY_IPC;
  return new_plan(resource->device, &own, out_plan);
}

ck_status_t ck_buffer_grow(ck_buffer_t *buffer, size_t bytes, const ck_virtual_options_t *options,
                           ck_stream_t *stream)
{
  VirtualPlan *own = NULL;
  CK_NEED_ARG(buffer);
  CK_TRY(check_resize(buffer, stream, __func__));
  if (options) CK_TRY(plan_growth(buffer->resource, options, &own));
  ck_status_t status =
      bytes <= buffer->bytes ? CK_OK : resize(buffer, bytes, &own, stream, __func__);
  memory_free(own); /* NULL if a new piece took it */
  return status;
}

ck_status_t ck_memory_resource_create_virtual(ck_device_t *device,
                                              const ck_virtual_options_t *options,
                                              ck_memory_resource_t **out_resource)
{
  CK_NEED_OUT(out_resource, NULL, device);
  CK_READ_OPTIONS(ck_virtual_options_t, own, options);
  VirtualPlan *plan = NULL;
  CK_TRY(new_plan(device, &own, &plan));
  uint32_t flags = (own.flags & CK_VIRTUAL_NO_ACCESS ? 0 : CK_MEMORY_DEVICE) |
                   (own.flags & CK_MEMORY_IPC) |
                   (own.location.place >= CK_PLACE_HOST ? CK_MEMORY_HOST : 0);
  ck_memory_resource_t *resource = memory_resource_new(device, MEMORY_virtual, flags);
  if (!resource) {
    memory_free(plan);
    return CK_OUT_OF_MEMORY;
  }
  resource->location =
      own.location.place ? own.location : (ck_location_t){CK_PLACE_DEVICE, device->native};
  resource->plan = plan;
  *out_resource = resource;
  return CK_OK;
}

ck_status_t ck_memory_resource_get_granularity(ck_memory_resource_t *resource, size_t *out_bytes)
{
  CK_NEED_OUT(out_bytes, 0, resource);
  if (resource->kind != MEMORY_virtual)
    return error_unsupported("only a virtual memory resource has pieces");
  *out_bytes = resource->plan->granularity;
  return CK_OK;
}
