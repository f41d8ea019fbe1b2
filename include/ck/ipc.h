/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/ipc.h - pools, buffers and events between processes on one machine.
 *
 * One process makes a pool with CK_MEMORY_IPC and sends it; the other maps it. Buffers of the pool
 * are then sent by a few bytes. Order between the processes is events with CK_EVENT_IPC.
 *
 *   ck_memory_resource_send(pool, socket);          ck_memory_resource_receive(device, socket,
 * &pool); ck_buffer_send(buffer, socket);                 ck_buffer_receive(pool, socket, stream,
 * &buffer); ck_event_send(event, socket);                   ck_event_receive(device, socket,
 * &event);
 *
 * A socket is a connected Unix socket (AF_UNIX, SOCK_STREAM or SOCK_SEQPACKET). Those who have
 * another way to send bytes and file descriptors use ck_memory_resource_export, ck_buffer_export
 * and ck_event_export (ck/stream.h), and their counterparts. A driver must be opened after fork(),
 * not before.
 */
#ifndef CK_IPC_H
#define CK_IPC_H

#include "ck/memory.h"
#include "ck/stream.h"
#include "ck/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Names a pool by a file descriptor, which is the caller's to send and to close.
 *
 * fails    CK_INVALID_ARGUMENT for a resource without CK_MEMORY_IPC; CK_DRIVER
 */
CK_API ck_status_t ck_memory_resource_export(ck_memory_resource_t *resource, int *out_fd);

/* Maps another process's pool. The descriptor stays the caller's. Nothing can be allocated from the
 * pool here (CK_INVALID_ARGUMENT); its flags have CK_MEMORY_MAPPED.
 *
 * fails    CK_INVALID_ARGUMENT for a negative descriptor; CK_DRIVER for one that names no pool
 */
CK_API ck_status_t ck_memory_resource_from_fd(ck_device_t *device, int fd,
                                              ck_memory_resource_t **out_resource);

/* What another process maps a buffer with; bytes to be sent as they are. */
typedef struct ck_ipc_buffer {
  uint64_t size; /* bytes of the buffer */
  unsigned char bytes[64];
} ck_ipc_buffer_t;

/* Names a buffer of a pool with CK_MEMORY_IPC. It has to live until the others have released it.
 *
 * fails    CK_INVALID_ARGUMENT for another buffer; CK_DRIVER
 */
CK_API ck_status_t ck_buffer_export(ck_buffer_t *buffer, ck_ipc_buffer_t *out_handle);

/* Maps a buffer of a mapped pool. Who maps it again gets the same address; the last release gives
 * it back, in the order of its own stream and behind what the others' streams had at theirs. While
 * one of these is captured by others than a graph builder, that has no order: then the memory stays
 * mapped.
 *
 * stream   of the release, as in ck_buffer_create
 * fails    CK_INVALID_ARGUMENT for a pool that is not mapped, or a size that the memory has not;
 *          CK_DRIVER for bytes that name no place in the pool. Whether there is a buffer of that
 *          size, and still, its owner alone can tell
 */
CK_API ck_status_t ck_buffer_from_ipc(ck_memory_resource_t *resource, const ck_ipc_buffer_t *handle,
                                      ck_stream_t *stream, ck_buffer_t **out_buffer);

/* Send one object, receive one. What is received has to be what was sent. A buffer of a virtual
 * resource with CK_MEMORY_IPC is sent with a file descriptor for each of its pieces; who receives
 * it gives a virtual resource of its own, by whose options it is mapped.
 *
 * fails    CK_IO if the socket fails or is closed, or the process can have no more file
 *          descriptors; CK_INVALID_ARGUMENT if something else comes; as export and from otherwise
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
