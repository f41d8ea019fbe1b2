/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/ipc.h - shares pools, buffers and events between processes of one machine.
 *
 * The exporting process makes a pool with CK_MEMORY_IPC and sends it once; the other process maps
 * it. After that a buffer of the pool is sent as a handle of a few bytes. Events with CK_EVENT_IPC
 * order the work of the processes.
 *
 *   one process                               the other process
 *   ck_memory_resource_send(pool, socket);    ck_memory_resource_receive(device, socket, &pool);
 *   ck_buffer_send(buffer, socket);           ck_buffer_receive(pool, socket, stream, &buffer);
 *   ck_event_send(event, socket);             ck_event_receive(device, socket, &event);
 *
 * The socket is a connected Unix socket (AF_UNIX, SOCK_STREAM or SOCK_SEQPACKET). Programs that
 * have another way to pass bytes and file descriptors use ck_memory_resource_export,
 * ck_buffer_export and ck_event_export (ck/stream.h) and their counterparts. Open CUDA after
 * fork(), never before: a driver does not survive a fork.
 *
 * source  CUDA Driver API, cuMemPoolExportToShareableHandle and "Interprocess communication"
 */
#ifndef CK_IPC_H
#define CK_IPC_H

#include "ck/memory.h"
#include "ck/stream.h"
#include "ck/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Exports a pool as a file descriptor, which the caller sends and closes.
 *
 * fails    CK_INVALID_ARGUMENT for a resource without CK_MEMORY_IPC; CK_DRIVER
 */
CK_API ck_status_t ck_memory_resource_export(ck_memory_resource_t *resource, int *out_fd);

/* Maps a pool of another process. The caller keeps the descriptor. The resource has
 * CK_MEMORY_MAPPED, and nothing can be allocated from it here (CK_INVALID_ARGUMENT).
 *
 * fails    CK_INVALID_ARGUMENT for a negative descriptor; CK_DRIVER for one that is no pool
 */
CK_API ck_status_t ck_memory_resource_from_fd(ck_device_t *device, int fd,
                                              ck_memory_resource_t **out_resource);

/* A handle with which another process maps a buffer; the bytes are sent as they are. */
typedef struct ck_ipc_buffer {
  uint64_t size; /* bytes of the buffer */
  unsigned char bytes[64];
} ck_ipc_buffer_t;

/* Exports a buffer of a pool with CK_MEMORY_IPC. It must live until the other processes have
 * released it.
 *
 * fails    CK_INVALID_ARGUMENT for another kind of buffer; CK_DRIVER
 */
CK_API ck_status_t ck_buffer_export(ck_buffer_t *buffer, ck_ipc_buffer_t *out_handle);

/* Maps a buffer of a mapped pool. Mapping it again gives the same address. The last release unmaps
 * it, in the order of its own stream and after the work that the streams of the other mappings had
 * when those were released. If one of these streams is captured by other code than a graph builder,
 * there is no such order, and the memory stays mapped.
 *
 * stream   of the release, as in ck_buffer_create
 * fails    CK_INVALID_ARGUMENT for a pool that is not mapped, or a size that differs from the size
 *          of the memory; CK_DRIVER for bytes that are no place in the pool. The call can't tell
 *          whether the owner still has a buffer of that size there
 */
CK_API ck_status_t ck_buffer_from_ipc(ck_memory_resource_t *resource, const ck_ipc_buffer_t *handle,
                                      ck_stream_t *stream, ck_buffer_t **out_buffer);

/* Send or receive one object. The receiver must expect the kind of object that is sent. A buffer of
 * a virtual resource with CK_MEMORY_IPC is sent with a file descriptor for each of its allocations;
 * its receiver passes a virtual resource of its own, whose options the mapping uses.
 *
 * fails    CK_IO if the socket fails or is closed, or the process has no file descriptor left;
 *          CK_INVALID_ARGUMENT if another object arrives; otherwise as export and from
 * threads  one sender and one receiver at a time on a socket
 */
CK_API ck_status_t ck_memory_resource_send(ck_memory_resource_t *resource, int socket);
CK_API ck_status_t ck_memory_resource_receive(ck_device_t *device, int socket,
                                              ck_memory_resource_t **out_resource);
CK_API ck_status_t ck_buffer_send(ck_buffer_t *buffer, int socket);
CK_API ck_status_t ck_buffer_receive(ck_memory_resource_t *resource, int socket,
                                     ck_stream_t *stream, ck_buffer_t **out_buffer);
CK_API ck_status_t ck_event_send(ck_event_t *event, int socket);
CK_API ck_status_t ck_event_receive(ck_device_t *device, int socket, ck_event_t **out_event);

#ifdef __cplusplus
}
#endif
#endif
