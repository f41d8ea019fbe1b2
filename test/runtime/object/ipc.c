/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ipc.c - tests sharing of pools, buffers and events between processes, on the device that
 * $CK_DEVICE names: cuda.core's memory_ipc/ in C. Each case is a process with up to two children,
 * which are forked before any driver is opened; the program itself opens none. */
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fixture.h"

static Bench bench;
static int peer;     /* socket to the first child, or from a child to its parent */
static int second;   /* socket to the second child */
static int relative; /* socket between the children */

enum { BYTES = 1 << 16 };

static void tell_to(int socket, char word)
{
  CHECK(write(socket, &word, 1) == 1);
}

static void hear_from(int socket, char word)
{
  char got = 0;
  CHECK(read(socket, &got, 1) == 1 && got == word);
}

static void tell(char word)
{
  tell_to(peer, word);
}

static void hear(char word)
{
  hear_from(peer, word);
}

static uint32_t read_word(ck_buffer_t *buffer, size_t i)
{
  uint32_t word = 0;
  CHECK_OK(ck_buffer_read(buffer, 4 * i, &word, 4, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  return word;
}

static ck_memory_resource_t *make_pool(void)
{
  ck_memory_resource_options_t options = CK_OPTIONS_INIT(ck_memory_resource_options_t);
  ck_memory_resource_t *pool = NULL;
  options.flags = CK_MEMORY_IPC;
  options.max_bytes = 64 << 20;
  CHECK_OK(ck_memory_resource_create_device(bench.device, &options, &pool));
  return pool;
}

static ck_event_t *make_event(void)
{
  ck_event_options_t options = CK_OPTIONS_INIT(ck_event_options_t);
  ck_event_t *event = NULL;
  options.flags = CK_EVENT_IPC;
  CHECK_OK(ck_event_create(bench.device, &options, &event));
  return event;
}

/* Counts file descriptors; a GPU's driver opens files at arbitrary times. */
static int count_fds(void)
{
  int count = 0;
  if (!ck_device_is_host(bench.device)) return 0;
  for (int fd = 0; fd < 1024; ++fd) count += fcntl(fd, F_GETFD) >= 0;
  return count;
}

static ck_memory_resource_t *make_virtual(void)
{
  ck_virtual_options_t options = CK_OPTIONS_INIT(ck_virtual_options_t);
  ck_memory_resource_t *resource = NULL;
  options.flags = CK_MEMORY_IPC;
  int has = 0;
  ck_device_get_attribute(bench.device, CK_DEVICE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED,
                          &has);
  if (has) CHECK_OK(ck_memory_resource_create_virtual(bench.device, &options, &resource));
  return resource;
}

/* Virtual memory of two pieces, written by one process and read and written by the other. */
static void give_virtual(void)
{
  ck_memory_resource_t *resource = make_virtual();
  ck_buffer_t *buffer;
  size_t piece;
  if (!resource) return;
  CHECK_OK(ck_memory_resource_get_granularity(resource, &piece));
  CHECK_OK(ck_memory_resource_create_buffer(resource, piece, bench.stream, &buffer));
  CHECK_OK(ck_buffer_resize(buffer, 2 * piece, bench.stream));
  CHECK_OK(ck_buffer_fill(buffer, 0, 2 * piece, 21, 4, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK_OK(ck_buffer_send(buffer, peer));
  hear('v');
  CHECK(read_word(buffer, 0) == 22 && read_word(buffer, piece / 2 - 1) == 23);
  ck_buffer_release(buffer);
  ck_memory_resource_release(resource);
}

static void take_virtual(void)
{
  ck_memory_resource_t *resource = make_virtual();
  ck_buffer_t *buffer;
  size_t piece;
  if (!resource) return;
  CHECK_OK(ck_memory_resource_get_granularity(resource, &piece));
  CHECK_OK(ck_buffer_receive(resource, peer, bench.stream, &buffer));
  CHECK(ck_buffer_bytes(buffer) == 2 * piece && ck_buffer_flags(buffer) & CK_MEMORY_MAPPED);
  CHECK(read_word(buffer, 0) == 21 && read_word(buffer, piece / 2 - 1) == 21);
  CHECK_OK(ck_buffer_fill(buffer, 0, 4, 22, 4, bench.stream));
  CHECK_OK(ck_buffer_fill(buffer, 2 * piece - 4, 4, 23, 4, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  ck_buffer_release(buffer);
  ck_memory_resource_release(resource);
  tell('v');
}

/* The other process: waits for the first one's event, reads, writes, records. */
static void be_child(void)
{
  ck_memory_resource_t *pool, *other;
  ck_buffer_t *a, *b, *again, *none;
  ck_event_t *written, *answered;
  CHECK_OK(ck_memory_resource_receive(bench.device, peer, &pool));
  CHECK(ck_memory_resource_flags(pool) & CK_MEMORY_MAPPED);
  CHECK_OK(ck_buffer_receive(pool, peer, bench.stream, &a));
  CHECK_OK(ck_buffer_receive(pool, peer, bench.stream, &b));
  CHECK_OK(ck_event_receive(bench.device, peer, &written));
  CHECK_OK(ck_event_receive(bench.device, peer, &answered));
  hear('w');
  CHECK(ck_buffer_bytes(a) == BYTES && ck_buffer_bytes(b) == 100);
  CHECK(ck_buffer_flags(a) & CK_MEMORY_MAPPED);
  CHECK_OK(ck_stream_wait(bench.stream, written));
  CHECK(read_word(a, 0) == 7 && read_word(a, BYTES / 4 - 1) == 7 && read_word(b, 24) == 8);
  CHECK_OK(ck_buffer_fill(a, 0, BYTES, 9, 4, bench.stream));
  CHECK_OK(ck_stream_record(bench.stream, answered));
  tell('a');
  /* Only its maker allocates. */
  CHECK(ck_memory_resource_create_buffer(pool, 64, bench.stream, &none) != CK_OK);
  /* Bytes that are no buffer, pool or event are refused, without leaking a descriptor. */
  int before = count_fds();
  CHECK_STATUS(ck_buffer_receive(pool, peer, bench.stream, &again), CK_INVALID_ARGUMENT);
  CHECK_ERROR("a pool came over the socket, a buffer was expected");
  CHECK(count_fds() == before);
  CHECK_STATUS(ck_memory_resource_receive(bench.device, peer, &other), CK_INVALID_ARGUMENT);
  CHECK_ERROR("an event came over the socket, a pool was expected");
  CHECK(!other);
  ck_buffer_release(b);
  ck_buffer_release(a);
  CHECK_OK(ck_stream_sync(bench.stream));
  ck_memory_resource_release(pool);
  ck_event_release(written);
  ck_event_release(answered);
  take_virtual();
  tell('e');
  shutdown(peer, SHUT_RD);
  CHECK_STATUS(ck_event_receive(bench.device, peer, &written), CK_IO);
  CHECK_ERROR("the socket is closed");
}

TEST(send_buffers)
{
  ck_memory_resource_t *pool = make_pool();
  ck_buffer_t *a, *b;
  ck_event_t *written = make_event(), *answered = make_event();
  int before = count_fds();
  CHECK_OK(ck_memory_resource_create_buffer(pool, BYTES, bench.stream, &a));
  CHECK_OK(ck_memory_resource_create_buffer(pool, 100, bench.stream, &b));
  CHECK_OK(ck_buffer_fill(a, 0, BYTES, 7, 4, bench.stream));
  CHECK_OK(ck_buffer_fill(b, 0, 100, 8, 4, bench.stream));
  CHECK_OK(ck_memory_resource_send(pool, peer));
  CHECK_OK(ck_buffer_send(a, peer));
  CHECK_OK(ck_buffer_send(b, peer));
  CHECK_OK(ck_event_send(written, peer));
  CHECK_OK(ck_event_send(answered, peer));
  CHECK_OK(ck_stream_record(bench.stream, written));
  tell('w');
  hear('a');
  CHECK_OK(ck_stream_wait(bench.stream, answered));
  CHECK(read_word(a, 0) == 9 && read_word(a, BYTES / 4 - 1) == 9);
  CHECK_OK(ck_memory_resource_send(pool, peer));
  CHECK_OK(ck_event_send(written, peer));
  give_virtual();
  hear('e');
  CHECK(count_fds() == before);
  ck_buffer_release(a);
  ck_buffer_release(b);
  CHECK_OK(ck_stream_sync(bench.stream));
  ck_event_release(written);
  ck_event_release(answered);
  ck_memory_resource_release(pool);
}

TEST(errors)
{
  ck_memory_resource_t *plain, *pool = make_pool(), *none;
  ck_buffer_t *buffer, *view;
  ck_ipc_buffer_t handle;
  int fd, sockets[2];
  CHECK_OK(ck_memory_resource_create_pinned(bench.device, &plain));
  CHECK_STATUS(ck_memory_resource_export(plain, &fd), CK_INVALID_ARGUMENT);
  CHECK(fd == -1);
  CHECK_OK(ck_memory_resource_create_buffer(pool, 64, bench.stream, &buffer));
  CHECK_OK(ck_buffer_create_view(buffer, 0, 32, &view));
  CHECK_STATUS(ck_buffer_export(view, &handle), CK_INVALID_ARGUMENT);
  CHECK_ERROR("a view can't be shared: share the buffer that it looks at");
  ck_buffer_release(view);
  CHECK_OK(ck_buffer_close(buffer, NULL));
  CHECK_STATUS(ck_buffer_export(buffer, &handle), CK_INVALID_ARGUMENT);
  CHECK_ERROR("the buffer is closed");
  ck_buffer_release(buffer);
  CHECK_OK(ck_memory_resource_create_buffer(pool, 0, bench.stream, &buffer));
  CHECK_STATUS(ck_buffer_export(buffer, &handle), CK_INVALID_ARGUMENT);
  CHECK_ERROR("a buffer of 0 bytes can't be shared");
  ck_buffer_release(buffer);
  CHECK_OK(ck_memory_resource_create_buffer(plain, 64, bench.stream, &buffer));
  CHECK_STATUS(ck_buffer_export(buffer, &handle), CK_INVALID_ARGUMENT);
  ck_buffer_release(buffer);
  ck_memory_resource_release(plain);
  CHECK_STATUS(ck_memory_resource_from_fd(bench.device, -3, &none), CK_INVALID_ARGUMENT);
  CHECK_ERROR("file descriptor -3");
  memset(&handle, 0, sizeof handle);
  CHECK_STATUS(ck_buffer_from_ipc(pool, &handle, bench.stream, &buffer), CK_INVALID_ARGUMENT);
  CHECK_ERROR("is no pool of another process");
  CHECK(!socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
  char text[96] = "what nobody of us would send"; /* of the size of a message */
  CHECK(write(sockets[0], text, sizeof text) == sizeof text);
  CHECK_STATUS(ck_memory_resource_receive(bench.device, sockets[1], &none), CK_INVALID_ARGUMENT);
  CHECK_ERROR("was not sent by this library");
  CHECK(write(sockets[0], text, 20) == 20); /* the connection ends within the message */
  close(sockets[0]);
  CHECK_STATUS(ck_memory_resource_receive(bench.device, sockets[1], &none), CK_IO);
  CHECK_STATUS(ck_memory_resource_send(pool, sockets[1]), CK_IO);
  close(sockets[1]);
  CHECK_STATUS(ck_memory_resource_send(pool, -1), CK_IO);
  if (!getenv("CK_NO_FAULTS")) {
    fd = open("/dev/null", O_RDONLY);
    CHECK(ck_memory_resource_from_fd(bench.device, fd, &none) != CK_OK && !none);
    close(fd);
  }
  ck_memory_resource_release(pool);
}

/* Packets of another size are refused at once, and the next message is received correctly. */
TEST(packets_of_other_sizes)
{
  ck_memory_resource_t *pool = make_pool(), *received;
  char other[300] = {0};
  int sockets[2];
  CHECK(!socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets));
  CHECK(send(sockets[0], other, 5, 0) == 5 && send(sockets[0], other, 300, 0) == 300);
  CHECK_OK(ck_memory_resource_send(pool, sockets[0]));
  CHECK_STATUS(ck_memory_resource_receive(bench.device, sockets[1], &received),
               CK_INVALID_ARGUMENT);
  CHECK_ERROR("a packet of 5 bytes came over the socket");
  CHECK_STATUS(ck_memory_resource_receive(bench.device, sockets[1], &received),
               CK_INVALID_ARGUMENT);
  CHECK_ERROR("a packet of more than 96 bytes");
  ck_status_t status = ck_memory_resource_receive(bench.device, sockets[1], &received);
  CHECK(status == CK_OK || status == CK_DRIVER); /* in the same process: up to the driver */
  ck_memory_resource_release(received);
  ck_memory_resource_release(pool);
  close(sockets[0]);
  close(sockets[1]);
}

TEST(no_room_for_a_descriptor)
{
  ck_memory_resource_t *pool = make_pool(), *received;
  struct rlimit limit, none;
  int sockets[2];
  CHECK(!socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) && !getrlimit(RLIMIT_NOFILE, &limit));
  CHECK_OK(ck_memory_resource_send(pool, sockets[0]));
  none = limit;
  none.rlim_cur = 3;
  CHECK(!setrlimit(RLIMIT_NOFILE, &none));
  ck_status_t status = ck_memory_resource_receive(bench.device, sockets[1], &received);
  CHECK(!setrlimit(RLIMIT_NOFILE, &limit));
  CHECK_STATUS(status, CK_IO);
  CHECK_ERROR("a file descriptor could not be received");
  ck_memory_resource_release(pool);
  close(sockets[0]);
  close(sockets[1]);
}

/* A message without its descriptor. */
TEST(pool_without_a_descriptor)
{
  ck_memory_resource_t *pool = make_pool(), *received;
  char message[96];
  int sockets[2];
  CHECK(!socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
  CHECK_OK(ck_memory_resource_send(pool, sockets[0]));
  /* The kernel closes the descriptor. */
  CHECK(read(sockets[1], message, sizeof message) == sizeof message);
  CHECK(write(sockets[0], message, sizeof message) == sizeof message);
  CHECK_STATUS(ck_memory_resource_receive(bench.device, sockets[1], &received),
               CK_INVALID_ARGUMENT);
  CHECK_ERROR("a pool came over the socket without a file descriptor");
  ck_memory_resource_release(pool);
  close(sockets[0]);
  close(sockets[1]);
}

/* A socket that also delivers the sender's credentials. */
TEST(socket_with_credentials)
{
  ck_memory_resource_t *pool = make_pool(), *received;
  int sockets[2], on = 1;
  CHECK(!socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
  CHECK(!setsockopt(sockets[1], SOL_SOCKET, SO_PASSCRED, &on, sizeof on));
  CHECK_OK(ck_memory_resource_send(pool, sockets[0]));
  CHECK_OK(ck_memory_resource_receive(bench.device, sockets[1], &received));
  ck_memory_resource_release(received);
  ck_memory_resource_release(pool);
  close(sockets[0]);
  close(sockets[1]);
}

/* Forged handles, with another offset or size, are refused where possible. */
TEST(forged_handles)
{
  ck_memory_resource_t *pool = make_pool(), *mapped;
  ck_buffer_t *buffer, *none;
  ck_ipc_buffer_t handle;
  int fd;
  CHECK_OK(ck_memory_resource_create_buffer(pool, 64, bench.stream, &buffer));
  CHECK_OK(ck_buffer_export(buffer, &handle));
  CHECK_OK(ck_memory_resource_export(pool, &fd));
  for (int i = 0; i < 2 && ck_device_is_host(bench.device); ++i) {
    ck_ipc_buffer_t forged = handle; /* 8 bytes of magic, offset, size */
    CHECK_OK(ck_memory_resource_from_fd(bench.device, fd, &mapped));
    if (i) forged.bytes[8] |= 1;
    else memset(forged.bytes + 16, 0, 8);
    forged.size = (uint64_t)1 << 40;
    CHECK_STATUS(ck_buffer_from_ipc(mapped, &forged, bench.stream, &none), CK_DRIVER);
    ck_memory_resource_release(mapped);
  }
  ck_buffer_release(buffer);
  CHECK_OK(ck_stream_sync(bench.stream));
  ck_memory_resource_release(pool);
  close(fd);
}

/* Buffers at the same offset in several pools: a handle is valid for its own pool only. */
TEST(handles_of_other_pools)
{
  enum { POOLS = 3 };
  ck_memory_resource_t *pools[POOLS], *mapped[POOLS];
  ck_buffer_t *buffers[POOLS], *opened;
  ck_ipc_buffer_t handles[POOLS];
  for (int i = 0; i < POOLS; ++i) {
    int fd;
    pools[i] = make_pool();
    CHECK_OK(ck_memory_resource_create_buffer(pools[i], 4096, bench.stream, &buffers[i]));
    CHECK_OK(ck_buffer_fill(buffers[i], 0, 4096, 11 + (uint32_t)i, 4, bench.stream));
    CHECK_OK(ck_buffer_export(buffers[i], &handles[i]));
    CHECK_OK(ck_memory_resource_export(pools[i], &fd));
    CHECK_OK(ck_memory_resource_from_fd(bench.device, fd, &mapped[i]));
    close(fd);
  }
  CHECK_OK(ck_stream_sync(bench.stream));
  for (int i = 0; i < POOLS && ck_device_is_host(bench.device); ++i)
    for (int j = 0; j < POOLS; ++j) {
      uint32_t word = 0;
      if (i != j) {
        CHECK_STATUS(ck_buffer_from_ipc(mapped[i], &handles[j], bench.stream, &opened), CK_DRIVER);
        continue;
      }
      CHECK_OK(ck_buffer_from_ipc(mapped[i], &handles[j], bench.stream, &opened));
      CHECK_OK(ck_buffer_read(opened, 0, &word, sizeof word, bench.stream));
      CHECK_OK(ck_stream_sync(bench.stream));
      CHECK(word == 11u + (uint32_t)i);
      ck_buffer_release(opened);
    }
  for (int i = 0; i < POOLS; ++i) {
    ck_buffer_release(buffers[i]);
    CHECK_OK(ck_stream_sync(bench.stream));
    ck_memory_resource_release(mapped[i]);
    ck_memory_resource_release(pools[i]);
  }
}

/* Whether the device has pools and events for other processes. */
static bool has_ipc(void)
{
  int types = 0, events = 0;
  ck_device_get_attribute(bench.device, CK_DEVICE_MEMPOOL_SUPPORTED_HANDLE_TYPES, &types);
  ck_device_get_attribute(bench.device, CK_DEVICE_IPC_EVENT_SUPPORTED, &events);
  return types & CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR && events;
}

/* descriptors --------------------------------------------------------------------------------- */

/* Without CK_MEMORY_IPC nothing can be exported or imported. */
TEST(mempool_ipc_errors)
{
  ck_memory_resource_options_t options = CK_OPTIONS_INIT(ck_memory_resource_options_t);
  ck_ipc_buffer_t empty = {0};
  options.max_bytes = 2 << 20;
  for (int is_pinned = 0; is_pinned < 2; ++is_pinned) {
    ck_memory_resource_t *pool;
    ck_buffer_t *buffer, *none;
    ck_ipc_buffer_t handle;
    int fd;
    ck_status_t status = is_pinned
                             ? ck_memory_resource_create_pinned_pool(bench.device, &options, &pool)
                             : ck_memory_resource_create_device(bench.device, &options, &pool);
    if (status == CK_UNSUPPORTED) continue;
    CHECK_STATUS(status, CK_OK);
    CHECK(!(ck_memory_resource_flags(pool) & CK_MEMORY_IPC));
    CHECK_OK(ck_memory_resource_create_buffer(pool, 64, bench.stream, &buffer));
    CHECK_STATUS(ck_memory_resource_export(pool, &fd), CK_INVALID_ARGUMENT);
    CHECK_ERROR("no pool with CK_MEMORY_IPC");
    CHECK_STATUS(ck_memory_resource_send(pool, 0), CK_INVALID_ARGUMENT);
    CHECK_STATUS(ck_buffer_export(buffer, &handle), CK_INVALID_ARGUMENT);
    CHECK_ERROR("of no pool with CK_MEMORY_IPC");
    CHECK_STATUS(ck_buffer_from_ipc(pool, &empty, bench.stream, &none), CK_INVALID_ARGUMENT);
    CHECK(!none && fd == -1);
    ck_buffer_release(buffer);
    CHECK_OK(ck_stream_sync(bench.stream));
    ck_memory_resource_release(pool);
  }
}

TEST(pinned_mempool_ipc_basic)
{
  ck_memory_resource_options_t options = CK_OPTIONS_INIT(ck_memory_resource_options_t);
  ck_memory_resource_t *pool;
  ck_buffer_t *buffer;
  ck_ipc_buffer_t handle;
  int fd;
  options.max_bytes = 2 << 20;
  options.flags = CK_MEMORY_IPC;
  ck_status_t status = ck_memory_resource_create_pinned_pool(bench.device, &options, &pool);
  if (status == CK_UNSUPPORTED) return;
  CHECK_STATUS(status, CK_OK);
  CHECK(ck_memory_resource_flags(pool) & CK_MEMORY_IPC);
  CHECK(ck_memory_resource_location(pool).place == CK_PLACE_HOST_NUMA);
  CHECK_OK(ck_memory_resource_export(pool, &fd));
  CHECK(fd >= 0 && !close(fd));
  CHECK_OK(ck_memory_resource_create_buffer(pool, 1024, bench.stream, &buffer));
  CHECK(ck_buffer_host(buffer) && ck_buffer_flags(buffer) & CK_MEMORY_DEVICE);
  CHECK_OK(ck_buffer_export(buffer, &handle));
  CHECK(handle.size == 1024);
  ck_buffer_release(buffer);
  CHECK_OK(ck_stream_sync(bench.stream));
  ck_memory_resource_release(pool);
}

/* Each export makes a new descriptor, which the caller owns. */
TEST(alloc_handle)
{
  ck_memory_resource_t *pool = make_pool();
  int before = count_fds(), fds[10];
  for (int i = 0; i < 10; ++i) CHECK_OK(ck_memory_resource_export(pool, &fds[i]));
  for (int i = 0; i < 10; ++i) CHECK(!close(fds[i]));
  CHECK(count_fds() == before);
  ck_memory_resource_release(pool);
}

TEST(import_in_same_process_aliases_memory)
{
  ck_memory_resource_t *resource = make_virtual();
  ck_buffer_t *buffer, *alias;
  int sockets[2];
  if (!resource) return;
  int before = count_fds();
  CHECK(!socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
  CHECK_OK(ck_memory_resource_create_buffer(resource, 4096, bench.stream, &buffer));
  CHECK_OK(ck_buffer_send(buffer, sockets[0]));
  CHECK_OK(ck_buffer_receive(resource, sockets[1], bench.stream, &alias));
  CHECK(ck_buffer_flags(alias) & CK_MEMORY_MAPPED && !(ck_buffer_flags(buffer) & CK_MEMORY_MAPPED));
  CHECK(ck_buffer_native(alias) != ck_buffer_native(buffer) && ck_buffer_bytes(alias) == 4096);
  CHECK_OK(ck_buffer_fill(buffer, 0, 4096, 0x33, 4, bench.stream));
  CHECK(read_word(alias, 1023) == 0x33);
  CHECK_OK(ck_buffer_fill(alias, 0, 4096, 0x44, 4, bench.stream));
  CHECK(read_word(buffer, 1023) == 0x44);
  ck_buffer_release(buffer);
  CHECK(read_word(alias, 0) == 0x44); /* it retains the memory */
  ck_buffer_release(alias);
  close(sockets[0]);
  close(sockets[1]);
  CHECK(count_fds() == before);
  ck_memory_resource_release(resource);
}

TEST(vmm_errors)
{
  ck_memory_resource_t *shared = make_virtual(), *private, *pool = make_pool();
  ck_buffer_t *buffer, *none;
  ck_ipc_buffer_t handle;
  int sockets[2];
  if (!shared) {
    ck_memory_resource_release(pool);
    return;
  }
  CHECK(!socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
  CHECK_OK(ck_memory_resource_create_virtual(bench.device, NULL, &private));
  CHECK_OK(ck_memory_resource_create_buffer(private, 1, bench.stream, &buffer));
  CHECK_STATUS(ck_buffer_send(buffer, sockets[0]), CK_INVALID_ARGUMENT);
  CHECK_ERROR("without CK_MEMORY_IPC");
  CHECK_STATUS(ck_buffer_export(buffer, &handle), CK_INVALID_ARGUMENT);
  ck_buffer_release(buffer);
  CHECK_OK(ck_memory_resource_create_buffer(pool, 64, bench.stream, &buffer));
  CHECK_OK(ck_buffer_send(buffer, sockets[0]));
  CHECK_STATUS(ck_buffer_receive(shared, sockets[1], bench.stream, &none), CK_INVALID_ARGUMENT);
  CHECK_ERROR("a buffer came over the socket, a buffer of virtual memory was expected");
  ck_buffer_release(buffer);
  CHECK_OK(ck_memory_resource_create_buffer(shared, 1, bench.stream, &buffer));
  CHECK_OK(ck_buffer_resize(buffer, 0, bench.stream));
  CHECK_STATUS(ck_buffer_send(buffer, sockets[0]), CK_INVALID_ARGUMENT);
  CHECK_ERROR("a buffer of 0 bytes can't be shared");
  CHECK_OK(ck_buffer_resize(buffer, 1, bench.stream));
  CHECK_OK(ck_buffer_send(buffer, sockets[0]));
  CHECK_STATUS(ck_buffer_receive(pool, sockets[1], bench.stream, &none), CK_INVALID_ARGUMENT);
  CHECK_ERROR("a buffer of virtual memory came over the socket, a buffer was expected");
  CHECK(!none);
  ck_buffer_release(buffer);
  close(sockets[0]);
  close(sockets[1]);
  CHECK_OK(ck_stream_sync(bench.stream));
  ck_memory_resource_release(private);
  ck_memory_resource_release(shared);
  ck_memory_resource_release(pool);
}

/* several processes --------------------------------------------------------------------------- */

static ck_buffer_t *make_filled(ck_memory_resource_t *pool, uint32_t value)
{
  ck_buffer_t *buffer = NULL;
  CHECK_OK(ck_memory_resource_create_buffer(pool, 64, bench.stream, &buffer));
  CHECK_OK(ck_buffer_fill(buffer, 0, 64, value, 4, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  return buffer;
}

static ck_memory_resource_t *take_pool(void)
{
  ck_memory_resource_t *pool = NULL;
  CHECK_OK(ck_memory_resource_receive(bench.device, peer, &pool));
  return pool;
}

static ck_buffer_t *take_buffer(ck_memory_resource_t *pool)
{
  ck_buffer_t *buffer = NULL;
  CHECK_OK(ck_buffer_receive(pool, peer, bench.stream, &buffer));
  return buffer;
}

/* Releases a buffer when its work is done. */
static void finish(ck_buffer_t *buffer)
{
  CHECK_OK(ck_stream_sync(bench.stream));
  ck_buffer_release(buffer);
  CHECK_OK(ck_stream_sync(bench.stream));
}

/* Two children import one pool through one descriptor, and each writes one of its buffers. */
TEST(ipc_mempool_multiple)
{
  ck_memory_resource_t *pool = make_pool();
  ck_buffer_t *first = make_filled(pool, 0), *other = make_filled(pool, 0);
  int sockets[] = {peer, second};
  for (int i = 0; i < 2; ++i) {
    CHECK_OK(ck_memory_resource_send(pool, sockets[i]));
    CHECK_OK(ck_buffer_send(first, sockets[i]));
    CHECK_OK(ck_buffer_send(other, sockets[i]));
    tell_to(sockets[i], i ? 'b' : 'a');
  }
  hear_from(peer, 'd');
  hear_from(second, 'd');
  CHECK(read_word(first, 0) == 'a' && read_word(first, 15) == 'a');
  CHECK(read_word(other, 0) == 'b' && read_word(other, 15) == 'b');
  finish(first);
  finish(other);
  ck_memory_resource_release(pool);
}

static void write_mine(void)
{
  ck_memory_resource_t *pool = take_pool();
  ck_buffer_t *first = take_buffer(pool), *other = take_buffer(pool);
  char mine = 0;
  CHECK(read(peer, &mine, 1) == 1 && (mine == 'a' || mine == 'b'));
  CHECK_OK(ck_buffer_fill(mine == 'a' ? first : other, 0, 64, (uint32_t)mine, 4, bench.stream));
  finish(first);
  finish(other);
  ck_memory_resource_release(pool);
  tell('d');
}

enum { POOLS = 3, TASKS = 7 };

TEST(ipc_send_buffers_of_three_pools)
{
  ck_memory_resource_t *pools[POOLS];
  ck_buffer_t *buffers[TASKS];
  for (int i = 0; i < POOLS; ++i) {
    pools[i] = make_pool();
    CHECK_OK(ck_memory_resource_send(pools[i], peer));
  }
  for (uint32_t i = 0; i < TASKS; ++i) {
    buffers[i] = make_filled(pools[i % POOLS], 100 + i);
    CHECK_OK(ck_buffer_send(buffers[i], peer));
  }
  hear('d');
  for (uint32_t i = 0; i < TASKS; ++i) {
    CHECK(read_word(buffers[i], 0) == 200 + i && read_word(buffers[i], 15) == 200 + i);
    finish(buffers[i]);
  }
  for (int i = 0; i < POOLS; ++i) ck_memory_resource_release(pools[i]);
}

static void write_tasks(void)
{
  ck_memory_resource_t *pools[POOLS];
  for (int i = 0; i < POOLS; ++i) pools[i] = take_pool();
  for (uint32_t i = 0; i < TASKS; ++i) {
    ck_buffer_t *buffer = take_buffer(pools[i % POOLS]);
    CHECK(read_word(buffer, 0) == 100 + i && read_word(buffer, 15) == 100 + i);
    CHECK_OK(ck_buffer_fill(buffer, 0, 64, 200 + i, 4, bench.stream));
    finish(buffer);
  }
  for (int i = 0; i < POOLS; ++i) ck_memory_resource_release(pools[i]);
  tell('d');
}

/* Sends the pool and the buffer's handle to the peer. */
static void hand_over(ck_memory_resource_t *pool, ck_buffer_t *buffer)
{
  ck_ipc_buffer_t handle;
  CHECK_OK(ck_buffer_export(buffer, &handle));
  CHECK_OK(ck_memory_resource_send(pool, peer));
  CHECK(write(peer, &handle, sizeof handle) == sizeof handle);
}

/* A child passes a handle on to another process that has the pool. */
TEST(ipc_reexport)
{
  ck_memory_resource_t *pool = make_pool();
  ck_buffer_t *buffer = make_filled(pool, 5);
  hand_over(pool, buffer);
  CHECK_OK(ck_memory_resource_send(pool, second));
  hear_from(second, 'd');
  tell('e'); /* until then the child in between has it too */
  hear('d');
  CHECK(read_word(buffer, 0) == 6 && read_word(buffer, 15) == 6);
  finish(buffer);
  ck_memory_resource_release(pool);
}

static void hand_on(void)
{
  ck_memory_resource_t *pool = take_pool();
  ck_ipc_buffer_t handle;
  ck_buffer_t *buffer;
  CHECK(read(peer, &handle, sizeof handle) == sizeof handle);
  CHECK_OK(ck_buffer_from_ipc(pool, &handle, bench.stream, &buffer));
  CHECK(read_word(buffer, 0) == 5);
  CHECK(write(relative, &handle, sizeof handle) == sizeof handle);
  hear('e');
  finish(buffer);
  ck_memory_resource_release(pool);
  tell('d');
}

static void be_given(void)
{
  ck_memory_resource_t *pool = take_pool();
  ck_ipc_buffer_t handle;
  ck_buffer_t *buffer;
  CHECK(read(relative, &handle, sizeof handle) == sizeof handle);
  CHECK_OK(ck_buffer_from_ipc(pool, &handle, bench.stream, &buffer));
  CHECK_OK(ck_buffer_fill(buffer, 0, 64, 6, 4, bench.stream));
  finish(buffer);
  ck_memory_resource_release(pool);
  tell('d');
}

/* Sends a pool and a buffer's handle, and waits for the child. */
static void give_handle(void)
{
  ck_memory_resource_t *pool = make_pool();
  ck_buffer_t *buffer = make_filled(pool, 5);
  hand_over(pool, buffer);
  hear('d');
  CHECK(read_word(buffer, 0) == 6);
  finish(buffer);
  ck_memory_resource_release(pool);
}

TEST(ipc_duplicate_import)
{
  give_handle();
}

static void import_twice(void)
{
  ck_memory_resource_t *pool = take_pool();
  ck_ipc_buffer_t handle;
  ck_buffer_t *first, *again;
  CHECK(read(peer, &handle, sizeof handle) == sizeof handle);
  for (int round = 0; round < 2; ++round) {
    CHECK_OK(ck_buffer_from_ipc(pool, &handle, bench.stream, &first));
    CHECK_OK(ck_buffer_from_ipc(pool, &handle, bench.stream, &again));
    CHECK(ck_buffer_native(first) == ck_buffer_native(again));
    finish(round ? again : first);
    ck_buffer_t *left = round ? first : again; /* it still has the memory */
    CHECK(read_word(left, 15) == (round ? 6 : 5));
    CHECK_OK(ck_buffer_fill(left, 0, 64, 6, 4, bench.stream));
    CHECK(read_word(left, 0) == 6);
    finish(left);
  }
  ck_memory_resource_release(pool);
  tell('d');
}

static void wait_until_told(void *data)
{
  *(bool *)data = read(peer, &(char){0}, 1) == 1;
}

/* A buffer that was received twice stays mapped until the work before both releases has finished,
 * also if the first one's takes longer. */
TEST(ipc_releases_in_two_streams)
{
  ck_memory_resource_t *pool = make_pool();
  ck_buffer_t *buffer = make_filled(pool, 5);
  hand_over(pool, buffer);
  hear('r');
  tell('q');
  hear('d');
  CHECK(read_word(buffer, 15) == 6);
  finish(buffer);
  ck_memory_resource_release(pool);
}

static void release_in_two_streams(void)
{
  ck_memory_resource_t *pool = take_pool();
  ck_ipc_buffer_t handle;
  ck_buffer_t *first, *last;
  ck_stream_t *idle;
  bool is_told = false;
  CHECK_OK(ck_stream_create(bench.device, NULL, &idle));
  CHECK(read(peer, &handle, sizeof handle) == sizeof handle);
  CHECK_OK(ck_buffer_from_ipc(pool, &handle, bench.stream, &first));
  CHECK_OK(ck_buffer_from_ipc(pool, &handle, idle, &last));
  CHECK_OK(ck_stream_launch_host(bench.stream, wait_until_told, &is_told));
  CHECK_OK(ck_buffer_fill(first, 0, 64, 6, 4, bench.stream));
  ck_buffer_release(first);
  ck_buffer_release(last);
  CHECK_STATUS(ck_stream_query(idle), CK_NOT_READY);
  tell('r');
  ck_memory_resource_release(pool);
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK_OK(ck_stream_sync(idle));
  CHECK(is_told);
  ck_stream_release(idle);
  tell('d');
}

/* A release in a stream that other code captures has no order: it does not invalidate the capture,
 * and the memory stays mapped. */
TEST(ipc_release_in_a_capture)
{
  give_handle();
}

static void release_captured(void)
{
  const Driver *driver = bench.device->driver;
  ck_memory_resource_t *pool = take_pool();
  ck_ipc_buffer_t handle;
  ck_buffer_t *first, *last;
  ck_stream_t *other;
  CUgraph graph = NULL;
  CHECK_OK(ck_stream_create(bench.device, NULL, &other));
  CUstream native = ck_stream_native(other);
  CHECK(read(peer, &handle, sizeof handle) == sizeof handle);
  CHECK_OK(ck_buffer_from_ipc(pool, &handle, other, &first));
  CHECK_OK(ck_buffer_from_ipc(pool, &handle, bench.stream, &last));
  CHECK_OK(device_enter(bench.device));
  CHECK(driver->cuStreamBeginCapture(native, CU_STREAM_CAPTURE_MODE_GLOBAL) == 0);
  CHECK_OK(ck_buffer_fill(first, 0, 64, 7, 4, other));
  CUdeviceptr address = ck_buffer_native(last);
  ck_buffer_release(first);
  ck_buffer_release(last);
  CHECK(driver->cuStreamEndCapture(native, &graph) == 0 && graph);
  driver->cuGraphDestroy(graph);
  device_leave(bench.device);
  CHECK_OK(ck_buffer_from_ipc(pool, &handle, bench.stream, &last));
  CHECK(ck_buffer_native(last) == address && read_word(last, 15) == 5);
  CHECK_OK(ck_buffer_fill(last, 0, 64, 6, 4, bench.stream));
  finish(last);
  CHECK(driver->cuMemFreeAsync(address, ck_stream_native(bench.stream)) == 0);
  CHECK_OK(ck_stream_sync(bench.stream));
  ck_memory_resource_release(pool);
  ck_stream_release(other);
  tell('d');
}

/* A kernel's error ends the work that a release would wait for: nothing stays mapped. The error
 * comes before one of two releases or before both, with a pool of the same process, which a GPU's
 * driver may refuse to import. */
TEST(ipc_releases_after_a_fault)
{
  ck_memory_resource_t *pool, *mapped;
  ck_buffer_t *buffers[2], *received[4];
  ck_ipc_buffer_t handle;
  int fd;
  if (!ck_device_is_host(bench.device)) return;
  pool = make_pool();
  CHECK_OK(ck_memory_resource_export(pool, &fd));
  CHECK_OK(ck_memory_resource_from_fd(bench.device, fd, &mapped));
  for (int i = 0; i < 2; ++i) {
    buffers[i] = make_filled(pool, 5);
    CHECK_OK(ck_buffer_export(buffers[i], &handle));
    for (int k = 0; k < 2; ++k)
      CHECK_OK(ck_buffer_from_ipc(mapped, &handle, bench.stream, &received[2 * i + k]));
  }
  ck_buffer_release(received[0]);
  host_set_fault(CUDA_ERROR_ASSERT, "a kernel failed an assertion");
  for (int i = 1; i < 4; ++i) ck_buffer_release(received[i]);
  for (int i = 0; i < 2; ++i) ck_buffer_release(buffers[i]);
  CHECK_STATUS(ck_stream_sync(bench.stream), CK_KERNEL_FAULT);
  ck_memory_resource_release(mapped);
  ck_memory_resource_release(pool);
  close(fd);
}

TEST(ipc_concurrent_import)
{
  give_handle();
}

static ck_memory_resource_t *shared_pool;
static ck_ipc_buffer_t shared_handle;

static void *import_some(void *data)
{
  (void)data;
  for (int i = 0; i < 20; ++i) {
    ck_buffer_t *buffer;
    if (ck_buffer_from_ipc(shared_pool, &shared_handle, bench.stream, &buffer) != CK_OK)
      atomic_fetch_add(&thread_failures, 1);
    ck_buffer_release(buffer);
  }
  return NULL;
}

static void import_by_threads(void)
{
  shared_pool = take_pool();
  ck_buffer_t *buffer;
  CHECK(read(peer, &shared_handle, sizeof shared_handle) == sizeof shared_handle);
  CHECK_OK(ck_buffer_from_ipc(shared_pool, &shared_handle, bench.stream, &buffer));
  atomic_store(&thread_failures, 0);
  run_threads(import_some);
  CHECK(atomic_load(&thread_failures) == 0);
  CHECK_OK(ck_buffer_fill(buffer, 0, 64, 6, 4, bench.stream));
  finish(buffer);
  ck_memory_resource_release(shared_pool);
  tell('d');
}

/* A handle of a buffer in another pool, and one with a size that is too large. */
/* Makes a pool without a limit, and a buffer of most of the machine's memory, of which only the
 * last word is written; on the host device only, since it would take a GPU's memory from others. */
static ck_buffer_t *make_large(ck_memory_resource_t **out_pool)
{
  ck_memory_resource_options_t options = CK_OPTIONS_INIT(ck_memory_resource_options_t);
  size_t bytes = host_total_bytes() / 64 * 60;
  ck_buffer_t *buffer = NULL;
  options.flags = CK_MEMORY_IPC;
  CHECK_OK(ck_memory_resource_create_device(bench.device, &options, out_pool));
  CHECK_OK(ck_memory_resource_create_buffer(*out_pool, bytes, bench.stream, &buffer));
  CHECK_OK(ck_buffer_fill(buffer, bytes - 4, 4, 31, 4, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  return buffer;
}

/* A pool without a limit has the size of the machine's memory, also in the importing process. */
TEST(pool_without_a_limit)
{
  ck_memory_resource_t *pool;
  if (!ck_device_is_host(bench.device)) return;
  ck_buffer_t *buffer = make_large(&pool);
  CHECK_OK(ck_memory_resource_send(pool, peer));
  if (CHECK_OK(ck_buffer_send(buffer, peer))) hear('d');
  finish(buffer);
  ck_memory_resource_release(pool);
}

static void read_last(void)
{
  ck_memory_resource_t *pool;
  if (!ck_device_is_host(bench.device)) return;
  pool = take_pool();
  ck_buffer_t *buffer = take_buffer(pool);
  if (buffer) CHECK(read_word(buffer, ck_buffer_bytes(buffer) / 4 - 1) == 31);
  finish(buffer);
  ck_memory_resource_release(pool);
  tell('d');
}

/* In a process with a limit on addresses, a pool is smaller. */
TEST(pool_in_few_addresses)
{
  ck_memory_resource_options_t options = CK_OPTIONS_INIT(ck_memory_resource_options_t);
  ck_memory_resource_t *pool = NULL;
  ck_buffer_t *buffer = NULL;
  struct rlimit limit, few;
  size_t pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!ck_device_is_host(bench.device) || !file) return;
  CHECK(fscanf(file, "%zu", &pages) == 1 && !fclose(file) && !getrlimit(RLIMIT_AS, &limit));
  few = limit;
  few.rlim_cur = pages * (size_t)sysconf(_SC_PAGESIZE) + host_total_bytes() / 4 * 3;
  options.flags = CK_MEMORY_IPC;
  CHECK(!setrlimit(RLIMIT_AS, &few));
  CHECK_OK(ck_memory_resource_create_device(bench.device, &options, &pool));
  CHECK_OK(ck_memory_resource_create_buffer(pool, host_total_bytes() / 4, bench.stream, &buffer));
  CHECK(!setrlimit(RLIMIT_AS, &limit));
  finish(buffer);
  ck_memory_resource_release(pool);
}

TEST(import_errors)
{
  ck_memory_resource_t *pool = make_pool(), *other = make_pool();
  ck_buffer_t *mine = make_filled(pool, 1), *theirs = make_filled(other, 2);
  ck_ipc_buffer_t handles[2];
  CHECK_OK(ck_buffer_export(theirs, &handles[0]));
  CHECK_OK(ck_buffer_export(mine, &handles[1]));
  handles[1].size = (uint64_t)1 << 40;
  CHECK_OK(ck_memory_resource_send(pool, peer));
  CHECK(write(peer, handles, sizeof handles) == sizeof handles);
  hear('d');
  finish(mine);
  finish(theirs);
  ck_memory_resource_release(pool);
  ck_memory_resource_release(other);
}

static void be_refused(void)
{
  ck_memory_resource_t *pool = take_pool();
  ck_ipc_buffer_t handles[2];
  ck_buffer_t *none;
  CHECK(read(peer, handles, sizeof handles) == sizeof handles);
  if (!getenv("CK_NO_FAULTS") && !ck_device_is_host(bench.device)) {
    ck_status_t status = ck_buffer_from_ipc(pool, &handles[0], bench.stream, &none);
    CHECK(status != CK_OK && !none); /* an error of the driver */
  }
  CHECK_STATUS(ck_buffer_from_ipc(pool, &handles[1], bench.stream, &none), CK_INVALID_ARGUMENT);
  CHECK_ERROR("a buffer of 1099511627776 bytes in memory of");
  CHECK_STATUS(ck_memory_resource_create_buffer(pool, 64, bench.stream, &none),
               CK_INVALID_ARGUMENT);
  CHECK_ERROR("the pool is another process's: it allocates there alone");
  handles[1].size = 0;
  CHECK_STATUS(ck_buffer_from_ipc(pool, &handles[1], bench.stream, &none), CK_INVALID_ARGUMENT);
  CHECK_ERROR("a buffer of 0 bytes");
  handles[1].size = 64;
  CHECK_OK(ck_buffer_from_ipc(pool, &handles[1], bench.stream, &none));
  CHECK(read_word(none, 0) == 1);
  finish(none);
  ck_memory_resource_release(pool);
  tell('d');
}

/* Access to a pool is not transferred: each process grants its own. */

static ck_device_t *open_second(void)
{
  ck_device_t *other = bench_open_second(&bench);
  if (!other) printf("a pool for another GPU: it needs two\n");
  return other;
}

static bool may_use(ck_memory_resource_t *pool, ck_device_t *who)
{
  ck_permission_t permission = CK_PERMIT_READ;
  CHECK_OK(ck_memory_resource_get_access(pool, who, &permission));
  return permission == CK_PERMIT_READ_WRITE;
}

TEST(peer_access_after_import)
{
  ck_device_t *other = open_second();
  if (!other) return;
  ck_memory_resource_t *pool = make_pool();
  CHECK_OK(ck_memory_resource_set_access(pool, other, CK_PERMIT_READ_WRITE));
  CHECK(may_use(pool, other));
  ck_buffer_t *buffer = make_filled(pool, 77);
  CHECK_OK(ck_memory_resource_send(pool, peer));
  CHECK_OK(ck_buffer_send(buffer, peer));
  hear('d');
  CHECK(may_use(pool, other)); /* the other process has not changed it */
  finish(buffer);
  CHECK_OK(ck_memory_resource_set_access(pool, other, CK_PERMIT_NONE));
  ck_memory_resource_release(pool);
  ck_device_release(other);
}

static void use_from_second(void)
{
  ck_device_t *other = open_second();
  if (!other) return;
  ck_memory_resource_t *pool = take_pool();
  ck_buffer_t *buffer = take_buffer(pool), *copy;
  ck_stream_t *stream;
  uint32_t word = 0;
  CHECK(!may_use(pool, other));
  CHECK_OK(ck_stream_create(other, NULL, &stream));
  CHECK_OK(ck_buffer_create(other, 64, stream, &copy));
  CHECK_OK(ck_memory_resource_set_access(pool, other, CK_PERMIT_READ_WRITE));
  CHECK(may_use(pool, other));
  CHECK_OK(ck_buffer_copy(copy, 0, buffer, 0, 64, stream));
  CHECK_OK(ck_buffer_read(copy, 60, &word, 4, stream));
  CHECK_OK(ck_stream_sync(stream));
  CHECK(word == 77);
  CHECK_OK(ck_memory_resource_set_access(pool, other, CK_PERMIT_NONE));
  CHECK(!may_use(pool, other));
  if (!getenv("CK_NO_FAULTS")) CHECK(ck_buffer_copy(copy, 0, buffer, 0, 64, stream) != CK_OK);
  ck_buffer_release(copy);
  CHECK_OK(ck_stream_sync(stream));
  ck_stream_release(stream);
  finish(buffer);
  ck_memory_resource_release(pool);
  ck_device_release(other);
  tell('d');
}

TEST(ipc_event_properties)
{
  ck_event_t *event = make_event();
  CHECK_OK(ck_stream_record(bench.stream, event));
  CHECK_OK(ck_event_send(event, peer));
  CHECK(ck_event_flags(event) & CK_EVENT_IPC && !(ck_event_flags(event) & CK_EVENT_TIMING));
  hear('d');
  ck_event_release(event);
}

static void look_at_event(void)
{
  ck_event_t *event;
  CHECK_OK(ck_event_receive(bench.device, peer, &event));
  CHECK(ck_event_flags(event) & CK_EVENT_IPC && !(ck_event_flags(event) & CK_EVENT_TIMING));
  CHECK(ck_event_device(event) == bench.device);
  CHECK_OK(ck_event_sync(event));
  CHECK_OK(ck_stream_wait(bench.stream, event));
  CHECK_OK(ck_stream_sync(bench.stream));
  ck_event_release(event);
  tell('d');
}

/* Whether the event is reached, so that a wait would end. */
static bool is_not_waited_for(ck_event_t *event)
{
  if (!CHECK_OK(ck_event_query(event))) return false;
  CHECK_OK(ck_event_sync(event));
  CHECK_OK(ck_stream_wait(bench.stream, event));
  return CHECK_OK(ck_stream_sync(bench.stream));
}

/* An event that was never recorded is not waited for, neither by its maker nor by another process,
 * until that one records it. */
TEST(ipc_event_never_recorded)
{
  ck_event_t *event = make_event();
  is_not_waited_for(event);
  CHECK_OK(ck_event_send(event, peer));
  hear('r');
  CHECK_STATUS(ck_event_query(event), CK_NOT_READY);
  tell('q');
  CHECK_OK(ck_event_sync(event));
  hear('d');
  ck_event_release(event);
}

static void record_first(void)
{
  ck_event_t *event;
  bool is_told = false;
  CHECK_OK(ck_event_receive(bench.device, peer, &event));
  is_not_waited_for(event);
  CHECK_OK(ck_stream_launch_host(bench.stream, wait_until_told, &is_told));
  CHECK_OK(ck_stream_record(bench.stream, event));
  tell('r');
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK(is_told);
  ck_event_release(event);
  tell('d');
}

/* A process that ends leaves records that nobody will reach: on the host device they are not waited
 * for, and the next event that is made removes its files. */
TEST(ipc_event_of_a_process_that_ended)
{
  char name[64];
  pid_t child;
  ck_event_t *theirs, *mine;
  if (!ck_device_is_host(bench.device)) return;
  CHECK_OK(ck_event_receive(bench.device, peer, &theirs));
  CHECK(read(peer, &child, sizeof child) == sizeof child);
  CHECK_STATUS(ck_event_query(theirs), CK_NOT_READY);
  CHECK_OK(ck_stream_wait(bench.stream, theirs));
  CHECK_STATUS(ck_stream_query(bench.stream), CK_NOT_READY);
  tell('e');
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK_OK(ck_event_sync(theirs));
  CHECK_OK(ck_event_query(theirs));
  CHECK_OK(ck_stream_record(bench.stream, theirs)); /* still usable */
  CHECK_OK(ck_event_sync(theirs));
  snprintf(name, sizeof name, "/dev/shm/cokernel-event-%d-0", (int)child);
  mine = make_event(); /* unless another process has made one meanwhile */
  CHECK(access(name, F_OK) != 0);
  ck_event_release(mine);
  ck_event_release(theirs);
}

static void wait_for_ever(void *data)
{
  (void)data;
  for (;;) pause();
}

static void end_early(void)
{
  const pid_t own = getpid();
  if (!ck_device_is_host(bench.device)) return;
  ck_event_t *event = make_event();
  CHECK_OK(ck_stream_launch_host(bench.stream, wait_for_ever, NULL));
  CHECK_OK(ck_stream_record(bench.stream, event));
  CHECK_OK(ck_event_send(event, peer));
  CHECK(write(peer, &own, sizeof own) == sizeof own);
  hear('e');
  _exit(0);
}

/* cases --------------------------------------------------------------------------------------- */

typedef struct Case {
  const char *name;
  void (*parent)(void);
  void (*children[2])(void);
} Case;

#define CASE(name, ...)                                                                            \
  {                                                                                                \
#name, test_##name,                                                                            \
    {                                                                                              \
      __VA_ARGS__                                                                                  \
    }                                                                                              \
  }

static const Case cases[] = {
    CASE(send_buffers, be_child),
    CASE(errors, NULL),
    CASE(packets_of_other_sizes, NULL),
    CASE(no_room_for_a_descriptor, NULL),
    CASE(pool_without_a_descriptor, NULL),
    CASE(socket_with_credentials, NULL),
    CASE(forged_handles, NULL),
    CASE(handles_of_other_pools, NULL),
    CASE(mempool_ipc_errors, NULL),
    CASE(pinned_mempool_ipc_basic, NULL),
    CASE(alloc_handle, NULL),
    CASE(import_in_same_process_aliases_memory, NULL),
    CASE(vmm_errors, NULL),
    CASE(ipc_mempool_multiple, write_mine, write_mine),
    CASE(ipc_send_buffers_of_three_pools, write_tasks),
    CASE(ipc_reexport, hand_on, be_given),
    CASE(ipc_duplicate_import, import_twice),
    CASE(ipc_releases_in_two_streams, release_in_two_streams),
    CASE(ipc_release_in_a_capture, release_captured),
    CASE(ipc_releases_after_a_fault, NULL),
    CASE(ipc_concurrent_import, import_by_threads),
    CASE(pool_without_a_limit, read_last),
    CASE(pool_in_few_addresses, NULL),
    CASE(import_errors, be_refused),
    CASE(peer_access_after_import, use_from_second),
    CASE(ipc_event_properties, look_at_event),
    CASE(ipc_event_never_recorded, record_first),
    CASE(ipc_event_of_a_process_that_ended, end_early),
};

/* Runs one process of a case; returns its exit status. */
static int run_part(const char *name, void (*part)(void))
{
  bench_open_any(&bench);
  if (!has_ipc()) {
    bench_close(&bench);
    return 77;
  }
  test_run(name, part);
  bench_close(&bench);
  CHECK(atomic_load(&host_live_objects) == 0);
  return tests_report();
}

static int wait_for(pid_t pid)
{
  int status = 1;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* The case's main process: forks its children first, then opens the driver. */
static int run_case(const Case *one)
{
  int between[2], sockets[2][2], worst = 0;
  pid_t pids[2] = {0};
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, between)) return 1;
  for (int i = 0; i < 2 && one->children[i]; ++i) {
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets[i])) return 1;
    pids[i] = fork();
    if (pids[i] == 0) {
      for (int k = 0; k <= i; ++k) close(sockets[k][0]);
      peer = sockets[i][1];
      relative = between[i];
      close(between[!i]);
      return run_part(one->name, one->children[i]);
    }
    close(sockets[i][1]);
  }
  if (pids[0]) peer = sockets[0][0];
  if (pids[1]) second = sockets[1][0];
  close(between[0]);
  close(between[1]);
  int status = run_part(one->name, one->parent);
  if (pids[0]) close(peer);
  if (pids[1]) close(second);
  for (int i = 0; i < 2 && pids[i]; ++i) {
    int of_child = wait_for(pids[i]);
    if (of_child && !worst) worst = of_child;
  }
  return status ? status : worst;
}

static const Case *now;
static bool is_missing;

static void run_now(void)
{
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    tests_forget();
    exit(run_case(now));
  }
  int status = pid > 0 ? wait_for(pid) : 1;
  is_missing = status == 77;
  CHECK(status == 0 || is_missing);
}

int main(void)
{
  for (now = cases; now < cases + COUNT_OF(cases) && !is_missing; ++now)
    test_run(now->name, run_now);
  return is_missing ? 77 : tests_report();
}
