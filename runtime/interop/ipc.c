/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ipc.c - shares pools, buffers and events with other processes, by handles or over a Unix socket.
 *
 * Every message on a socket has the same size, whatever it contains, so that sender and receiver
 * always agree where the next one begins. File descriptors are sent as ancillary data (SCM_RIGHTS)
 * of their message:
 *
 *   pool      [message + fd]
 *   buffer    [message]                                    a handle of the driver
 *   virtual   [message] [message + fd] [message + fd] ...  one for each piece
 *   event     [message]
 *
 * The driver maps a buffer once per process: all imports of it get one address, and the first free
 * unmaps it for all. So imports of a buffer are counted here, and the last release frees it after
 * the work that the streams of the other releases had.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "ck/ipc.h"
#include "memory/memory.h"

/* handles ------------------------------------------------------------------------------------ */

ck_status_t ck_memory_resource_export(ck_memory_resource_t *resource, int *out_fd)
{
  CK_NEED_OUT(out_fd, -1, resource);
  if (resource->kind != MEMORY_pool || !(resource->flags & CK_MEMORY_IPC))
    return error_argument("the memory resource is no pool with CK_MEMORY_IPC");
  DRV(resource->device->driver,
      cuMemPoolExportToShareableHandle(out_fd, resource->pool,
                                       CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  atomic_store(&resource->is_exported, true);
  return CK_OK;
}

_Static_assert(sizeof(CUmemPoolPtrExportData) == sizeof((ck_ipc_buffer_t){0}).bytes,
               "it is the driver's handle");

static ck_status_t check_shared(const ck_buffer_t *buffer)
{
  const char *why = NULL;
  if (buffer->parent) why = "a view can't be shared: share the buffer that it looks at";
  else if (buffer->flags & CK_MEMORY_CLOSED) why = "the buffer is closed";
  else if (!buffer->resource || !(buffer->flags & CK_MEMORY_IPC))
    why = buffer->range ? "the virtual memory is without CK_MEMORY_IPC"
                        : "the buffer is of no pool with CK_MEMORY_IPC";
  else if (!buffer->bytes) why = "a buffer of 0 bytes can't be shared";
  return why ? error_argument("%s", why) : CK_OK;
}

ck_status_t ck_buffer_export(ck_buffer_t *buffer, ck_ipc_buffer_t *out_handle)
{
  CK_NEED_ARG(out_handle);
  memset(out_handle, 0, sizeof *out_handle);
  CK_NEED_ARG(buffer);
  CK_TRY(check_shared(buffer));
  CUmemPoolPtrExportData data;
  int fd;
  if (!atomic_load(&buffer->resource->is_exported)) {
    CK_TRY(ck_memory_resource_export(buffer->resource, &fd));
    close(fd);
  }
  DRV(buffer->device->driver, cuMemPoolExportPointer(&data, buffer->address));
  memcpy(out_handle->bytes, &data, sizeof data);
  out_handle->size = buffer->bytes;
  return CK_OK;
}

/* Checks that the mapped memory has the size that the other process reported. */
static ck_status_t check_size(ck_device_t *device, CUdeviceptr address, uint64_t bytes)
{
  CUpointer_attribute which = CU_POINTER_ATTRIBUTE_RANGE_SIZE;
  size_t has = 0;
  void *out = &has;
  DRV(device->driver, cuPointerGetAttributes(1, &which, &out, address));
  if (!has || bytes <= has) return CK_OK;
  return error_argument("a buffer of %llu bytes in memory of %zu", (unsigned long long)bytes, has);
}

/* A release that was not the last one: an event that marks its place in its stream. */
typedef struct Release {
  struct Release *next;
  CUevent event;
  ck_context_t *context; /* retained; the context of the event */
} Release;

/* A buffer of another process that this process has imported, possibly more than once (see the head
 * of this file). */
typedef struct Import {
  struct Import *next; /* in the pool's list; guarded by the mutex */
  CUmemPoolPtrExportData data;
  CUdeviceptr address;
  size_t count;
  Release *releases; /* for which the last release waits */
  bool is_lost;      /* a release has no stream order: never freed, which is better than too
                      * early */
} Import;

/* The imports of a resource whose pool belongs to another process. */
typedef struct Imports {
  ImportedPool pool;
  Import *first;
} Imports;

/* The head of a resource's list of imports. */
static Import **imports_of(const ck_memory_resource_t *resource)
{
  return &((Imports *)resource->imported)->first;
}

static pthread_mutex_t imports_mutex = PTHREAD_MUTEX_INITIALIZER;

static ck_status_t import(ck_memory_resource_t *resource, CUmemPoolPtrExportData *data,
                          CUdeviceptr *out_address)
{
  Import *one = *imports_of(resource);
  while (one && memcmp(&one->data, data, sizeof *data) != 0) one = one->next;
  if (!one) {
    one = memory_take(sizeof *one);
    if (!one) return CK_OUT_OF_MEMORY;
    ck_status_t status = DRV_STATUS(resource->device->driver,
                                    cuMemPoolImportPointer(&one->address, resource->pool, data));
    if (status != CK_OK) {
      memory_free(one);
      return status;
    }
    one->data = *data;
    one->next = *imports_of(resource);
    *imports_of(resource) = one;
  }
  ++one->count;
  *out_address = one->address;
  return CK_OK;
}

static void release_free(const Driver *driver, Release *release)
{
  driver->cuEventDestroy(release->event);
  ck_context_release(release->context);
  memory_free(release);
}

/* Whether a stream has no place that an event could mark: it is captured, or it is the default
 * stream and a blocking stream is captured. */
static bool is_captured(const Driver *driver, CUstream stream)
{
  CUstreamCaptureStatus state = CU_STREAM_CAPTURE_STATUS_NONE;
  CUresult result = driver->cuStreamIsCapturing(stream, &state);
  return result == CUDA_ERROR_STREAM_CAPTURE_IMPLICIT || state != CU_STREAM_CAPTURE_STATUS_NONE;
}

/* Whether the work has ended, with success or with a sticky error. */
static bool has_finished(CUresult result)
{
  return result == CUDA_SUCCESS || driver_has_fault(result);
}

/* Records an event after the work that is in the stream now, in the stream's own context. NULL on
 * failure. */
static Release *mark(ck_device_t *device, ck_stream_t *stream)
{
  const Driver *driver = device->driver;
  ck_context_t *context = stream ? ck_stream_context(stream) : &device->primary;
  CUcontext old;
  CUevent event;
  Release *release = memory_new(sizeof *release);
  if (!release) return NULL;
  if (driver->cuCtxPushCurrent(context->native) == CUDA_SUCCESS) {
    if (driver->cuEventCreate(&event, CU_EVENT_DISABLE_TIMING) == CUDA_SUCCESS) {
      release->event = event;
      release->context = ck_context_retain(context);
      if (driver->cuEventRecord(event, stream_native(stream)) != CUDA_SUCCESS) {
        release_free(driver, release);
        release = NULL;
      }
      driver->cuCtxPopCurrent(&old);
      return release;
    }
    driver->cuCtxPopCurrent(&old);
  }
  memory_free(release);
  return NULL;
}

/* Removes releases whose work has finished, so that their number stays small if a buffer is
 * received repeatedly. */
static void forget_done(const Driver *driver, Import *import)
{
  for (Release **link = &import->releases; *link;) {
    Release *one = *link;
    if (driver->cuEventQuery(one->event) == CUDA_SUCCESS) {
      *link = one->next;
      release_free(driver, one);
    } else link = &one->next;
  }
}

/* Records a release that is not the last one. If that is not possible, waits for the stream,
 * without the lock, since the stream's work may need another import; the mapping stays meanwhile.
 */
static void follow(Import *import, ck_device_t *device, ck_stream_t *stream)
{
  const Driver *driver = device->driver;
  CUstream native = stream_native(stream);
  CleanUp clean_up = clean_up_begin(device);
  forget_done(driver, import);
  Release *release = NULL;
  if (is_captured(driver, native)) import->is_lost = true;
  else if ((release = mark(device, stream))) {
    release->next = import->releases;
    import->releases = release;
  } else {
    pthread_mutex_unlock(&imports_mutex);
    CUresult result = driver->cuStreamSynchronize(native);
    pthread_mutex_lock(&imports_mutex);
    import->is_lost |= !has_finished(result);
  }
  clean_up_end(&clean_up);
}

/* Makes the stream wait for all earlier releases. */
static void wait_for_releases(Import *import, const ck_device_t *device, CUstream stream)
{
  const Driver *driver = device->driver;
  CleanUp clean_up = clean_up_begin(device);
  bool is_ordered = !is_captured(driver, stream);
  for (Release *one = import->releases, *next; one; one = next) {
    next = one->next;
    if (is_ordered && driver->cuStreamWaitEvent(stream, one->event, 0) != CUDA_SUCCESS)
      is_ordered = has_finished(driver->cuEventSynchronize(one->event));
    release_free(driver, one); /* the driver keeps the event as long as a stream waits for it */
  }
  import->releases = NULL;
  import->is_lost |= !is_ordered;
  clean_up_end(&clean_up);
}

/* Drops an import. If it was not used in the stream, that stream's work is not waited for. */
static void drop(ck_memory_resource_t *resource, CUdeviceptr address, ck_stream_t *stream,
                 bool was_used)
{
  ck_device_t *device = resource->device;
  pthread_mutex_lock(&imports_mutex);
  Import *one = *imports_of(resource);
  while (one && one->address != address) one = one->next;
  if (one && one->count > 1 && was_used) follow(one, device, stream);
  if (one && --one->count == 0) {
    if (one->releases) wait_for_releases(one, device, stream_native(stream));
    if (!one->is_lost) {
      Import **link = imports_of(resource);
      while (*link != one) link = &(*link)->next;
      free_async(device->driver, address, stream_native(stream));
      *link = one->next;
      memory_free(one);
    }
  }
  pthread_mutex_unlock(&imports_mutex);
}

static void free_import(ck_memory_resource_t *resource, CUdeviceptr address, ck_stream_t *stream)
{
  drop(resource, address, stream, true);
}

static void destroy_imports(ImportedPool *pool)
{
  for (Import *one = ((Imports *)pool)->first, *next; one; one = next) {
    next = one->next;
    memory_free(one);
  }
  memory_free(pool);
}

static ck_status_t imports_begin(ck_memory_resource_t *resource)
{
  Imports *imports = memory_take(sizeof *imports);
  if (!imports) return CK_OUT_OF_MEMORY;
  imports->pool = (ImportedPool){free_import, destroy_imports};
  resource->imported = &imports->pool;
  return CK_OK;
}

ck_status_t ck_memory_resource_from_fd(ck_device_t *device, int fd,
                                       ck_memory_resource_t **out_resource)
{
  CK_NEED_OUT(out_resource, NULL, device);
  if (fd < 0) return error_argument("%s: file descriptor %d", __func__, fd);
  ck_memory_resource_t *resource =
      memory_resource_new(device, MEMORY_pool, CK_MEMORY_DEVICE | CK_MEMORY_MAPPED);
  if (!resource) return CK_OUT_OF_MEMORY;
  ck_status_t status = imports_begin(resource);
  if (status == CK_OK)
    status = DEVICE_STATUS(
        device, cuMemPoolImportFromShareableHandle(&resource->pool, (void *)(intptr_t)fd,
                                                   CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  resource->is_owned = status == CK_OK;
  return GIVE(status, resource, out_resource, ck_memory_resource_release);
}

ck_status_t ck_buffer_from_ipc(ck_memory_resource_t *resource, const ck_ipc_buffer_t *handle,
                               ck_stream_t *stream, ck_buffer_t **out_buffer)
{
  CK_NEED_OUT(out_buffer, NULL, resource, handle);
  ck_device_t *device = resource->device;
  CK_TRY(stream_check(stream, device));
  if (!(resource->flags & CK_MEMORY_MAPPED) || resource->kind != MEMORY_pool)
    return error_argument("%s: the memory resource is no pool of another process", __func__);
  if (!handle->size) return error_argument("%s: a buffer of 0 bytes", __func__);
  CUmemPoolPtrExportData data;
  CUdeviceptr address = 0;
  memcpy(&data, handle->bytes, sizeof data);
  CK_TRY(device_enter(device));
  pthread_mutex_lock(&imports_mutex);
  ck_status_t status = import(resource, &data, &address);
  pthread_mutex_unlock(&imports_mutex);
  if (status == CK_OK) {
    status = check_size(device, address, handle->size);
    if (status == CK_OK)
      status = ck_buffer_from_resource(resource, address, handle->size, stream, out_buffer);
    if (status != CK_OK) drop(resource, address, stream, false);
  }
  device_leave(device);
  return status;
}

/* messages ----------------------------------------------------------------------------------- */

typedef enum MessageKind {
  MESSAGE_pool = 1, /* with a file descriptor */
  MESSAGE_buffer,
  MESSAGE_event,
  MESSAGE_virtual, /* a buffer of a virtual resource, followed by its pieces */
  MESSAGE_piece    /* with a file descriptor */
} MessageKind;

typedef struct Message {
  char magic[8];
  uint32_t kind;
  uint32_t flags; /* CK_MEMORY_* of a pool */
  unsigned char data[80];
} Message;

static const char message_magic[8] = "ck.ipc1";
static const char kind_names[][27] = {
    "?", "a pool", "a buffer", "an event", "a buffer of virtual memory", "a piece"};

/* Ancillary data with one file descriptor. */
typedef union Control {
  char bytes[CMSG_SPACE(sizeof(int))];
  struct cmsghdr align;
} Control;

/* Sends a message, and with it a file descriptor (SCM_RIGHTS), unless fd is negative. */
static ck_status_t send_message(int socket, MessageKind kind, uint32_t flags, const void *data,
                                size_t bytes, int fd)
{
  Message message = {.kind = kind, .flags = flags};
  memcpy(message.magic, message_magic, sizeof message_magic);
  memcpy(message.data, data, bytes);
  struct iovec part = {&message, sizeof message};
  Control control = {{0}};
  struct msghdr header = {.msg_iov = &part, .msg_iovlen = 1};
  if (fd >= 0) {
    header.msg_control = control.bytes;
    header.msg_controllen = sizeof control.bytes;
    struct cmsghdr *beside = CMSG_FIRSTHDR(&header);
    beside->cmsg_level = SOL_SOCKET;
    beside->cmsg_type = SCM_RIGHTS;
    beside->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(beside), &fd, sizeof fd);
  }
  ssize_t sent;
  do sent = sendmsg(socket, &header, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  if (sent == sizeof message) return CK_OK;
  return error_set(CK_IO, "%s could not be sent: %s", kind_names[kind],
                   sent < 0 ? strerror(errno) : "only a part went");
}

/* Takes the descriptor of a message, or -1; further ones are closed. */
static int take_fd(struct msghdr *header)
{
  int fd = -1;
  for (struct cmsghdr *beside = CMSG_FIRSTHDR(header); beside;
       beside = CMSG_NXTHDR(header, beside)) {
    if (beside->cmsg_level != SOL_SOCKET || beside->cmsg_type != SCM_RIGHTS) continue;
    size_t count = (beside->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; ++i) {
      int one;
      memcpy(&one, CMSG_DATA(beside) + i * sizeof one, sizeof one);
      if (fd < 0) fd = one;
      else close(one);
    }
  }
  return fd;
}

/* Checks a packet of a SOCK_SEQPACKET socket: it must have the size of a message. The rest of a
 * longer packet is lost. */
static ck_status_t check_packet(ssize_t bytes, int flags)
{
  if (bytes == sizeof(Message) && !(flags & MSG_TRUNC)) return CK_OK;
  return error_argument("a packet of %s%zd bytes came over the socket, a message has %zu",
                        flags & MSG_TRUNC ? "more than " : "", bytes, sizeof(Message));
}

/* Receives a message, which a stream socket may deliver in parts; the descriptor comes with the
 * first. */
static ck_status_t receive_bytes(int socket, bool has_fd, Message *out, int *out_fd)
{
  enum { CONTROL_BYTES = 512 }; /* sockets may also deliver credentials and the like */
  size_t have = 0;
  int type = SOCK_STREAM;
  socklen_t type_bytes = sizeof type;
  *out_fd = -1;
  getsockopt(socket, SOL_SOCKET, SO_TYPE, &type, &type_bytes);
  while (have < sizeof *out) {
    struct iovec part = {(char *)out + have, sizeof *out - have};
    union {
      char bytes[CONTROL_BYTES];
      struct cmsghdr align;
    } control;
    struct msghdr header = {.msg_iov = &part,
                            .msg_iovlen = 1,
                            .msg_control = control.bytes,
                            .msg_controllen = sizeof control.bytes};
    ssize_t got = recvmsg(socket, &header, MSG_CMSG_CLOEXEC);
    if (got < 0 && errno == EINTR) continue;
    int fd = got > 0 ? take_fd(&header) : -1;
    if (fd >= 0 && *out_fd >= 0) close(fd);
    else if (fd >= 0) *out_fd = fd;
    if (got <= 0)
      return error_set(CK_IO, "nothing could be received: %s",
                       got < 0 ? strerror(errno) : "the socket is closed");
    if (header.msg_flags & MSG_CTRUNC && has_fd && *out_fd < 0)
      return error_set(CK_IO, "a file descriptor could not be received: there is no room for "
                              "another one");
    if (type != SOCK_STREAM) return check_packet(got, header.msg_flags);
    have += (size_t)got;
  }
  return CK_OK;
}

/* Receives a message of a kind. The caller closes *out_fd if it is not negative, even after a
 * failure. */
static ck_status_t receive_message(int socket, MessageKind kind, Message *out, int *out_fd)
{
  bool has_fd = kind == MESSAGE_pool || kind == MESSAGE_piece;
  CK_TRY(receive_bytes(socket, has_fd, out, out_fd));
  if (memcmp(out->magic, message_magic, sizeof message_magic))
    return error_argument("what came over the socket was not sent by this library");
  if (out->kind != (uint32_t)kind)
    return error_argument("%s came over the socket, %s was expected",
                          kind_names[out->kind < COUNT_OF(kind_names) ? out->kind : 0],
                          kind_names[kind]);
  if (has_fd == (*out_fd >= 0)) return CK_OK;
  return error_argument("%s came over the socket %s a file descriptor", kind_names[kind],
                        has_fd ? "without" : "with");
}

/* Receives a message of a kind that has no file descriptor, and takes its data. */
static ck_status_t receive_data(int socket, MessageKind kind, void *out, size_t bytes)
{
  Message message;
  int fd;
  ck_status_t status = receive_message(socket, kind, &message, &fd);
  if (fd >= 0) close(fd);
  if (status == CK_OK) memcpy(out, message.data, bytes);
  return status;
}

ck_status_t ck_memory_resource_send(ck_memory_resource_t *resource, int socket)
{
  int fd;
  CK_NEED_ARG(resource);
  CK_TRY(ck_memory_resource_export(resource, &fd));
  ck_status_t status = send_message(socket, MESSAGE_pool, resource->flags, "", 1, fd);
  close(fd);
  return status;
}

ck_status_t ck_memory_resource_receive(ck_device_t *device, int socket,
                                       ck_memory_resource_t **out_resource)
{
  CK_NEED_OUT(out_resource, NULL, device);
  Message message;
  int fd;
  ck_status_t status = receive_message(socket, MESSAGE_pool, &message, &fd);
  if (status == CK_OK) status = ck_memory_resource_from_fd(device, fd, out_resource);
  if (status == CK_OK) (*out_resource)->flags |= message.flags & CK_MEMORY_HOST;
  if (fd >= 0) close(fd);
  return status;
}

/* virtual memory ----------------------------------------------------------------------------- */

typedef struct VirtualData {
  uint64_t bytes, piece_count;
} VirtualData;

static ck_status_t send_virtual(ck_buffer_t *buffer, int socket)
{
  CK_TRY(check_shared(buffer));
  VirtualData data = {buffer->bytes, virtual_piece_count(buffer->range)};
  CK_TRY(send_message(socket, MESSAGE_virtual, 0, &data, sizeof data, -1));
  for (size_t i = 0; i < data.piece_count; ++i) {
    size_t bytes;
    int fd;
    CK_TRY(virtual_export(buffer->resource, buffer->range, i, &bytes, &fd));
    uint64_t piece = bytes;
    ck_status_t status = send_message(socket, MESSAGE_piece, 0, &piece, sizeof piece, fd);
    close(fd);
    CK_TRY(status);
  }
  return CK_OK;
}

/* Receives the sizes and descriptors of the pieces; the caller closes *out_count descriptors. */
static ck_status_t receive_pieces(int socket, const VirtualData *data, size_t *bytes, int *fds,
                                  size_t *out_count)
{
  size_t total = 0;
  *out_count = 0;
  if (data->piece_count == 0 || data->piece_count > MAX_PIECES)
    return error_argument("a buffer of %llu pieces came over the socket",
                          (unsigned long long)data->piece_count);
  for (size_t i = 0; i < data->piece_count; ++i) {
    Message message;
    ck_status_t status = receive_message(socket, MESSAGE_piece, &message, &fds[i]);
    if (fds[i] >= 0) ++*out_count;
    CK_TRY(status);
    uint64_t piece;
    memcpy(&piece, message.data, sizeof piece);
    bytes[i] = piece;
    if (__builtin_add_overflow(total, bytes[i], &total))
      return error_argument("a piece of %zu bytes came over the socket", bytes[i]);
  }
  if (data->bytes && data->bytes <= total) return CK_OK;
  return error_argument("a buffer of %llu bytes in memory of %zu", (unsigned long long)data->bytes,
                        total);
}

static ck_status_t receive_virtual(ck_memory_resource_t *resource, int socket, ck_stream_t *stream,
                                   ck_buffer_t **out_buffer)
{
  VirtualData data;
  size_t bytes[MAX_PIECES], count;
  int fds[MAX_PIECES];
  CK_TRY(receive_data(socket, MESSAGE_virtual, &data, sizeof data));
  ck_status_t status = receive_pieces(socket, &data, bytes, fds, &count);
  VirtualRange *range;
  CUdeviceptr address;
  if (status == CK_OK) status = virtual_import(resource, bytes, fds, count, &range, &address);
  for (size_t i = 0; i < count; ++i) close(fds[i]);
  if (status == CK_OK)
    status = buffer_from_range(resource, range, address, data.bytes, stream, out_buffer);
  return status;
}

/* buffers and events ------------------------------------------------------------------------- */

ck_status_t ck_buffer_send(ck_buffer_t *buffer, int socket)
{
  CK_NEED_ARG(buffer);
  if (buffer->range) return send_virtual(buffer, socket);
  ck_ipc_buffer_t handle;
  CK_TRY(ck_buffer_export(buffer, &handle));
  return send_message(socket, MESSAGE_buffer, 0, &handle, sizeof handle, -1);
}

ck_status_t ck_buffer_receive(ck_memory_resource_t *resource, int socket, ck_stream_t *stream,
                              ck_buffer_t **out_buffer)
{
  CK_NEED_OUT(out_buffer, NULL, resource);
  CK_TRY(stream_check(stream, resource->device));
  if (resource->kind == MEMORY_virtual)
    return receive_virtual(resource, socket, stream, out_buffer);
  ck_ipc_buffer_t handle;
  CK_TRY(receive_data(socket, MESSAGE_buffer, &handle, sizeof handle));
  return ck_buffer_from_ipc(resource, &handle, stream, out_buffer);
}

ck_status_t ck_event_send(ck_event_t *event, int socket)
{
  ck_ipc_event_t handle;
  CK_NEED_ARG(event);
  CK_TRY(ck_event_export(event, &handle));
  return send_message(socket, MESSAGE_event, 0, &handle, sizeof handle, -1);
}

ck_status_t ck_event_receive(ck_device_t *device, int socket, ck_event_t **out_event)
{
  CK_NEED_OUT(out_event, NULL, device);
  ck_ipc_event_t handle;
  CK_TRY(receive_data(socket, MESSAGE_event, &handle, sizeof handle));
  return ck_event_from_ipc(device, &handle, out_event);
}
