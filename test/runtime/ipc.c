/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ipc.c - two processes share a pool, buffers and events, on the device that $CK_DEVICE names:
 * cuda.core's memory_ipc/ in C. The second process is forked before any driver is opened. */
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fixture.h"

static Bench bench;
static int peer; /* a socket to the other process */

enum { BYTES = 1 << 16 };

static void tell(char word)
{
  CHECK(write(peer, &word, 1) == 1);
}

static void hear(char word)
{
  char got = 0;
  CHECK(read(peer, &got, 1) == 1 && got == word);
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

/* A GPU's driver opens files of its own now and then. */
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

/* Virtual memory of two pieces, written by the one and read and written by the other. */
static void give_virtual(void)
{
  ck_memory_resource_t *resource = make_virtual();
  ck_buffer_t *buffer;
  size_t piece;
  if (!resource) return;
  CHECK_OK(ck_memory_resource_get_granularity(resource, &piece));
  CHECK_OK(ck_buffer_create_from(resource, piece, bench.stream, &buffer));
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

/* The second process: waits for the first one's event, reads, writes, records. */
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
  CHECK(ck_buffer_create_from(pool, 64, bench.stream, &none) != CK_OK); /* its maker gives it out */
  /* What is no buffer, no pool and no event is refused, and nothing is left open. */
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
  CHECK_STATUS(ck_event_receive(bench.device, peer, &written), CK_IO);
  CHECK_ERROR("the socket is closed");
}

TEST(send_buffers)
{
  ck_memory_resource_t *pool = make_pool();
  ck_buffer_t *a, *b;
  ck_event_t *written = make_event(), *answered = make_event();
  int before = count_fds();
  CHECK_OK(ck_buffer_create_from(pool, BYTES, bench.stream, &a));
  CHECK_OK(ck_buffer_create_from(pool, 100, bench.stream, &b));
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
  ck_buffer_t *buffer;
  ck_ipc_buffer_t handle;
  int fd, sockets[2];
  CHECK_OK(ck_memory_resource_create_pinned(bench.device, &plain));
  CHECK_STATUS(ck_memory_resource_export(plain, &fd), CK_INVALID_ARGUMENT);
  CHECK(fd == -1);
  CHECK_OK(ck_buffer_create_from(plain, 64, bench.stream, &buffer));
  CHECK_STATUS(ck_buffer_export(buffer, &handle), CK_INVALID_ARGUMENT);
  ck_buffer_release(buffer);
  ck_memory_resource_release(plain);
  CHECK_STATUS(ck_memory_resource_from_fd(bench.device, -3, &none), CK_INVALID_ARGUMENT);
  CHECK_ERROR("file descriptor -3");
  memset(&handle, 0, sizeof handle);
  CHECK_STATUS(ck_buffer_from_ipc(pool, &handle, bench.stream, &buffer), CK_INVALID_ARGUMENT);
  CHECK_ERROR("is no pool of another process");
  CHECK(!socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
  char text[96] = "what nobody of us would send"; /* as long as a message */
  CHECK(write(sockets[0], text, sizeof text) == sizeof text);
  CHECK_STATUS(ck_memory_resource_receive(bench.device, sockets[1], &none), CK_INVALID_ARGUMENT);
  CHECK_ERROR("was not sent by this library");
  CHECK(write(sockets[0], text, 20) == 20); /* and then nothing more: cut short */
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

/* Whether the device has pools and events for other processes. */
static bool has_ipc(void)
{
  int types = 0, events = 0;
  ck_device_get_attribute(bench.device, CK_DEVICE_MEMPOOL_SUPPORTED_HANDLE_TYPES, &types);
  ck_device_get_attribute(bench.device, CK_DEVICE_IPC_EVENT_SUPPORTED, &events);
  return types & CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR && events;
}

TEST(child)
{
  be_child();
}

int main(void)
{
  int sockets[2], status = 1;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets)) return 77;
  pid_t pid = fork();
  bool is_child = pid == 0;
  peer = sockets[is_child];
  close(sockets[!is_child]);
  bench_open_any(&bench);
  if (!has_ipc()) {
    bench_close(&bench);
    return 77;
  }
  if (is_child) {
    RUN(child);
  } else {
    RUN(send_buffers);
    close(peer);
    RUN(errors);
  }
  bench_close(&bench);
  CHECK(atomic_load(&host_live_objects) == 0);
  if (is_child) return tests_report();
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  return tests_report() || status;
}
