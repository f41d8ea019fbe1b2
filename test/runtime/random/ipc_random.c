/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ipc_random.c - processes share pools, buffers and events in random order, and some of them are
 * killed; on the device that $CK_DEVICE names.
 *
 *   ipc_random [seed [seconds]]     a seed is an episode; the next seed follows while there is time
 *
 * The first process opens no driver. It forks the workers, which are connected with each other,
 * sends commands to each in rounds, and has a model of the contents of every buffer. Work in
 * streams continues from round to round; only events order the processes.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fixture.h"
#include "random.h"

enum { WORKERS = 4, POOLS = 4, BUFFERS = 10, SLOTS = 15, HANDLES = 3, ROUNDS = 80 };
enum { SLOT_WORDS = 256, SLOT_BYTES = 4 * SLOT_WORDS, MESSAGE_BYTES = 96, PATIENCE = 60 };

typedef enum Op {
  OP_none,
  OP_send_event,
  OP_take_event,
  OP_make_pool,
  OP_send_pool,
  OP_take_pool,
  OP_drop_pool,
  OP_make_buffer,
  OP_send_buffer,
  OP_take_buffer,
  OP_drop_buffer,
  OP_fill,
  OP_copy,
  OP_check,
  OP_take_broken, /* the peer ends within its message */
  OP_send_lost,   /* to a peer that does not receive it */
  OP_die_sending,
  OP_die,
  OP_end
} Op;

static const char *const op_names[] = {"none",        "send_event",  "take_event",  "make_pool",
                                       "send_pool",   "take_pool",   "drop_pool",   "make_buffer",
                                       "send_buffer", "take_buffer", "drop_buffer", "fill",
                                       "copy",        "check",       "take_broken", "send_lost",
                                       "die_sending", "die",         "end"};

typedef struct Command {
  Op op;
  int object, pool; /* -1: a buffer without a pool */
  int peer;
  int slot, from, from_slot;
  uint32_t value, random;
  unsigned waits; /* set of workers whose events to wait for first */
} Command;

typedef struct Reply {
  int failed, is_host, has_ipc, has_virtual;
} Reply;

/* a worker ------------------------------------------------------------------------------------- */

static Bench bench;
static int self, peers[WORKERS], control; /* sockets */
static ck_event_t *events[WORKERS];
static ck_memory_resource_t *pools[POOLS][HANDLES], *virtual;
static ck_buffer_t *buffers[BUFFERS][HANDLES];
static size_t piece;

static int count_fds(void)
{
  int count = 0;
  for (int fd = 0; fd < 1024; ++fd) count += fcntl(fd, F_GETFD) >= 0;
  return count;
}

static void open_worker(Reply *hello)
{
  int types = 0, has_events = 0, has_virtual = 0;
  bench_open_any(&bench);
  ck_device_get_attribute(bench.device, CK_DEVICE_MEMPOOL_SUPPORTED_HANDLE_TYPES, &types);
  ck_device_get_attribute(bench.device, CK_DEVICE_IPC_EVENT_SUPPORTED, &has_events);
  ck_device_get_attribute(bench.device, CK_DEVICE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED,
                          &has_virtual);
  hello->has_ipc = types & CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR && has_events;
  hello->is_host = ck_device_is_host(bench.device);
  hello->has_virtual = has_virtual;
  if (!hello->has_ipc) return;
  ck_event_options_t of_event = CK_OPTIONS_INIT(ck_event_options_t);
  of_event.flags = CK_EVENT_IPC;
  CHECK_OK(ck_event_create(bench.device, &of_event, &events[self]));
  if (!has_virtual) return;
  ck_virtual_options_t options = CK_OPTIONS_INIT(ck_virtual_options_t);
  options.flags = CK_MEMORY_IPC;
  CHECK_OK(ck_memory_resource_create_virtual(bench.device, &options, &virtual));
  CHECK_OK(ck_memory_resource_get_granularity(virtual, &piece));
}

/* Picks one of this process's handles of an object. */
static void **pick(void *handles, uint32_t random, bool is_there)
{
  void **all = handles;
  for (uint32_t i = 0; i < HANDLES; ++i) {
    void **one = &all[(random + i) % HANDLES];
    if ((*one != NULL) == is_there) return one;
  }
  CHECK(false);
  return all;
}

static size_t slot_offset(const ck_buffer_t *buffer, int slot)
{
  size_t stride = ck_buffer_bytes(buffer) / SLOTS / 4 * 4;
  return (size_t)slot * stride + (stride - SLOT_BYTES) / 2 / 4 * 4;
}

static void sleep_for(void *data)
{
  usleep((useconds_t)(uintptr_t)data);
}

/* Waits for other processes' events; then keeps the stream busy for a while. */
static void wait_first(const Command *command)
{
  for (int i = 0; i < WORKERS; ++i) {
    if (!(command->waits >> i & 1) || i == self) continue;
    uint32_t way = (command->random >> 8) % 4;
    if (way == 0) CHECK_OK(ck_event_sync(events[i]));
    while (way == 1 && ck_event_query(events[i]) == CK_NOT_READY) usleep(50);
    if (way > 1) CHECK_OK(ck_stream_wait(bench.stream, events[i]));
  }
  uintptr_t delay = command->random >> 16 & 1 ? (command->random >> 17) % 3000 : 0;
  if (delay) CHECK_OK(ck_stream_launch_host(bench.stream, sleep_for, (void *)delay));
}

static void record_mine(void)
{
  CHECK_OK(ck_stream_record(bench.stream, events[self]));
}

static void do_make_buffer(const Command *command)
{
  void **out = pick(buffers[command->object], 0, false);
  if (command->pool >= 0) {
    ck_memory_resource_t *pool = *pick(pools[command->pool], command->random, true);
    size_t bytes = (SLOTS + command->random % 40) * SLOT_BYTES + command->random % 7;
    CHECK_OK(ck_memory_resource_create_buffer(pool, bytes, bench.stream, (ck_buffer_t **)out));
  } else {
    CHECK_OK(ck_memory_resource_create_buffer(virtual, piece, bench.stream, (ck_buffer_t **)out));
    for (uint32_t i = 2; i <= 1 + command->random % 3; ++i)
      CHECK_OK(ck_buffer_resize(*out, i * piece, bench.stream));
  }
  CHECK_OK(ck_buffer_fill(*out, 0, ck_buffer_bytes(*out) / 4 * 4, 0, 4, bench.stream));
  record_mine();
}

/* Writes to a slot of the buffer, or of one of its views. */
static void do_write(const Command *command)
{
  ck_buffer_t *buffer = *pick(buffers[command->object], command->random, true), *view, *inner;
  size_t offset = slot_offset(buffer, command->slot);
  wait_first(command);
  CHECK_OK(ck_buffer_create_view(buffer, offset, SLOT_BYTES, &view));
  CHECK_OK(ck_buffer_create_view(view, 4, SLOT_BYTES - 4, &inner));
  if (command->op == OP_copy) {
    ck_buffer_t *from = *pick(buffers[command->from], command->random >> 4, true);
    CHECK_OK(ck_buffer_copy(view, 0, from, slot_offset(from, command->from_slot), SLOT_BYTES,
                            bench.stream));
  } else if (command->random & 1) {
    CHECK_OK(ck_buffer_fill(buffer, offset, SLOT_BYTES, command->value, 4, bench.stream));
  } else {
    CHECK_OK(ck_buffer_fill(view, 0, 4, command->value, 4, bench.stream));
    CHECK_OK(ck_buffer_fill(inner, 0, SLOT_BYTES - 4, command->value, 4, bench.stream));
  }
  ck_buffer_release(view);
  ck_buffer_release(inner);
  record_mine();
}

static void do_check(const Command *command)
{
  uint32_t words[SLOT_WORDS], wrong = 0;
  ck_buffer_t *buffer = *pick(buffers[command->object], command->random, true);
  wait_first(command);
  CHECK_OK(ck_buffer_read(buffer, slot_offset(buffer, command->slot), words, sizeof words,
                          bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  for (int i = 0; i < SLOT_WORDS; ++i) wrong += words[i] != command->value;
  if (wrong)
    fprintf(stderr, "worker %d: buffer %d, slot %d: %u words are not 0x%x, the first is 0x%x\n",
            self, command->object, command->slot, wrong, command->value, words[0]);
  CHECK(!wrong);
}

static void do_drop_buffer(const Command *command)
{
  void **one = pick(buffers[command->object], command->random, true);
  wait_first(command);
  ck_buffer_release(*one);
  *one = NULL;
  record_mine();
}

static void do_take_broken(const Command *command)
{
  int socket = peers[command->peer], before = count_fds();
  ck_event_t *event = NULL;
  ck_memory_resource_t *pool = NULL;
  ck_buffer_t *buffer = NULL;
  if (command->object == 0) CHECK(ck_event_receive(bench.device, socket, &event) != CK_OK);
  if (command->object == 1) CHECK(ck_memory_resource_receive(bench.device, socket, &pool) != CK_OK);
  if (command->object == 2)
    CHECK(ck_buffer_receive(virtual, socket, bench.stream, &buffer) != CK_OK);
  CHECK(!event && !pool && !buffer);
  CHECK(count_fds() == before || !ck_device_is_host(bench.device));
}

/* Sends the beginning of a message, or of a buffer's messages, and ends. */
_Noreturn static void do_die_sending(const Command *command)
{
  char message[MESSAGE_BYTES];
  int own[2], type;
  socklen_t bytes = sizeof type;
  getsockopt(peers[command->peer], SOL_SOCKET, SO_TYPE, &type, &bytes);
  if (socketpair(AF_UNIX, type, 0, own)) _exit(1);
  ck_buffer_t *buffer = NULL;
  if (command->object == 2) {
    CHECK_OK(ck_memory_resource_create_buffer(virtual, piece, bench.stream, &buffer));
    CHECK_OK(ck_buffer_send(buffer, own[0]));
  } else {
    CHECK_OK(ck_event_send(events[self], own[0]));
  }
  size_t part = command->object == 2 ? MESSAGE_BYTES : 1 + command->random % (MESSAGE_BYTES - 1);
  bool is_sent = read(own[1], message, sizeof message) == sizeof message &&
                 write(peers[command->peer], message, part) == (ssize_t)part;
  _exit(!is_sent);
}

static void do_transfer(const Command *command)
{
  int socket = peers[command->peer];
  uint32_t random = command->random;
  ck_status_t status = CK_OK;
  void **one;
  switch ((int)command->op) {
  case OP_send_event: CHECK_OK(ck_event_send(events[self], socket)); break;
  case OP_take_event:
    CHECK_OK(ck_event_receive(bench.device, socket, &events[command->peer]));
    break;
  case OP_send_pool:
    CHECK_OK(ck_memory_resource_send(*pick(pools[command->pool], random, true), socket));
    break;
  case OP_take_pool:
    one = pick(pools[command->pool], random, false);
    CHECK_OK(ck_memory_resource_receive(bench.device, socket, (ck_memory_resource_t **)one));
    break;
  case OP_send_buffer:
    CHECK_OK(ck_buffer_send(*pick(buffers[command->object], random, true), socket));
    break;
  case OP_take_buffer:
    one = pick(buffers[command->object], random, false);
    CHECK_OK(
        ck_buffer_receive(command->pool < 0 ? virtual : *pick(pools[command->pool], random, true),
                          socket, bench.stream, (ck_buffer_t **)one));
    break;
  case OP_send_lost:
    for (int i = 0; i < 5 && status == CK_OK; ++i)
      status = ck_buffer_send(*pick(buffers[command->object], random, true), socket);
    CHECK(status == CK_OK || status == CK_IO);
  }
}

static void do_pool(const Command *command)
{
  void **one = pick(pools[command->pool], command->random, command->op == OP_drop_pool);
  if (command->op == OP_drop_pool) {
    ck_memory_resource_release(*one);
    *one = NULL;
    return;
  }
  ck_memory_resource_options_t options = CK_OPTIONS_INIT(ck_memory_resource_options_t);
  options.flags = CK_MEMORY_IPC;
  options.max_bytes = 32 << 20;
  CHECK_OK(ck_memory_resource_create_device(bench.device, &options, (ck_memory_resource_t **)one));
}

static void obey(const Command *command)
{
  switch (command->op) {
  case OP_make_pool:
  case OP_drop_pool: do_pool(command); break;
  case OP_make_buffer: do_make_buffer(command); break;
  case OP_drop_buffer: do_drop_buffer(command); break;
  case OP_fill:
  case OP_copy: do_write(command); break;
  case OP_check: do_check(command); break;
  case OP_take_broken: do_take_broken(command); break;
  case OP_die_sending: do_die_sending(command);
  case OP_die:
    if (command->value) CHECK_OK(ck_stream_sync(bench.stream));
    _exit(0);
  default: do_transfer(command);
  }
}

/* Releases everything, in random order. */
static void end_worker(uint32_t random)
{
  void **all[WORKERS + (POOLS + BUFFERS) * HANDLES];
  size_t count = 0, pool_end, buffer_end;
  for (int i = 0; i < POOLS * HANDLES; ++i) all[count++] = (void **)&pools[0][0] + i;
  pool_end = count;
  for (int i = 0; i < BUFFERS * HANDLES; ++i) all[count++] = (void **)&buffers[0][0] + i;
  buffer_end = count;
  for (int i = 0; i < WORKERS; ++i) all[count++] = (void **)&events[i];
  size_t order[COUNT_OF(all)];
  random_state = random;
  for (size_t i = 0; i < count; ++i) {
    size_t k = below((uint32_t)i + 1);
    order[i] = order[k];
    order[k] = i;
  }
  for (size_t i = 0; i < count; ++i) {
    void *one = *all[order[i]];
    if (order[i] < pool_end) ck_memory_resource_release(one);
    else if (order[i] < buffer_end) ck_buffer_release(one);
    else ck_event_release(one);
  }
  ck_memory_resource_release(virtual);
}

static void work(void)
{
  Reply reply = {0};
  Command command;
  int before = count_fds();
  open_worker(&reply);
  do {
    if (write(control, &reply, sizeof reply) != sizeof reply) break;
    /* The first process ended. */
    if (read(control, &command, sizeof command) != sizeof command) break;
    if (command.op != OP_end) obey(&command);
    reply.failed = tests_have_failed();
  } while (command.op != OP_end);
  end_worker(command.random);
  bench_close(&bench);
  CHECK(atomic_load(&host_live_objects) == 0);
  CHECK(!reply.is_host || count_fds() == before);
}

/* the first process ---------------------------------------------------------------------------- */

typedef struct Slot {
  uint32_t value;
  int writer;       /* the worker whose event marks the write; -1: it has finished */
  unsigned readers; /* workers whose events mark their reads */
  bool is_unknown;
  int round; /* of the last use */
} Slot;

typedef struct Shared {
  bool is_there, is_lost; /* is_lost: its maker has ended */
  int owner, pool;
  unsigned users; /* workers that used it */
  int handles[WORKERS];
  Slot slots[SLOTS];
} Shared;

typedef struct Worker {
  pid_t pid;
  int socket;
  bool is_alive, is_busy;
  Op op;
} Worker;

static Worker workers[WORKERS];
static Shared shared_pools[POOLS], shared_buffers[BUFFERS];
static int worker_count, live_count, now;
static unsigned dead;
static bool is_host, has_virtual, has_ipc, is_traced;
static uint32_t seed;

/* Ends the episode because a worker hangs or has ended. */
static bool give_up(int i, const char *what)
{
  fprintf(stderr, "seed %u, round %d, worker %d, %s: %s\n", seed, now, i, op_names[workers[i].op],
          what);
  return CHECK(false);
}

static bool hear(int i, Reply *out)
{
  ssize_t got;
  do got = read(workers[i].socket, out, sizeof *out);
  while (got < 0 && errno == EINTR);
  workers[i].is_busy = false;
  if (got != sizeof *out) return give_up(i, got < 0 ? "it is stuck" : "it has ended");
  return !out->failed || give_up(i, "failed");
}

static void tell(int i, Command command)
{
  command.random = (uint32_t)random_bits();
  workers[i].is_busy = true;
  workers[i].op = command.op;
  if (is_traced)
    fprintf(stderr, "%d: worker %d: %s object %d pool %d peer %d slot %d waits %x\n", now, i,
            op_names[command.op], command.object, command.pool, command.peer, command.slot,
            command.waits);
  if (write(workers[i].socket, &command, sizeof command) != sizeof command)
    give_up(i, "it is not there");
}

static bool hear_all(void)
{
  Reply reply;
  bool is_fine = true;
  for (int i = 0; i < worker_count; ++i)
    if (workers[i].is_busy && workers[i].is_alive) is_fine &= hear(i, &reply);
  return is_fine;
}

static int any_free(int but)
{
  for (int k = 0; k < 8; ++k) {
    int i = (int)below((uint32_t)worker_count);
    if (i != but && workers[i].is_alive && !workers[i].is_busy) return i;
  }
  return -1;
}

/* Picks an object that a worker has; -1 if a few tries find none. */
static int any_of(Shared *all, uint32_t count, int worker, bool is_owned)
{
  for (int k = 0; k < 12; ++k) {
    int i = (int)below(count);
    if (all[i].is_there && all[i].handles[worker] && (!is_owned || all[i].owner == worker))
      return i;
  }
  return -1;
}

static int any_missing(const Shared *all, int count)
{
  for (int i = 0; i < count; ++i)
    if (!all[i].is_there) return i;
  return -1;
}

static Shared *appear(Shared *one, int owner, int pool)
{
  *one = (Shared){.is_there = true, .owner = owner, .pool = pool, .users = 1u << owner};
  one->handles[owner] = 1;
  for (int i = 0; i < SLOTS; ++i) one->slots[i] = (Slot){.writer = owner, .round = now};
  return one;
}

/* Picks a slot that is not used in this round; NULL if a few tries find none. */
static Slot *any_slot(int buffer, int *out_slot)
{
  *out_slot = (int)below(SLOTS);
  Slot *slot = &shared_buffers[buffer].slots[*out_slot];
  if (slot->round == now) return NULL;
  slot->round = now;
  return slot;
}

/* The workers to wait for. GPU drivers don't define events of processes that have ended, so these
 * are left out. */
static unsigned whose(unsigned events_of)
{
  return is_host ? events_of : events_of & ~dead;
}

static unsigned writer_of(const Slot *slot)
{
  return slot->writer < 0 ? 0 : 1u << slot->writer;
}

static void try_make(int i)
{
  int pool = any_missing(shared_pools, POOLS), buffer = any_missing(shared_buffers, BUFFERS);
  if (pool >= 0 && below(3) == 0) {
    appear(&shared_pools[pool], i, -1);
    tell(i, (Command){.op = OP_make_pool, .pool = pool});
    return;
  }
  bool is_virtual = has_virtual && below(2);
  pool = is_virtual ? -1 : any_of(shared_pools, POOLS, i, true);
  if (buffer < 0 || (pool < 0 && !is_virtual)) return;
  appear(&shared_buffers[buffer], i, pool);
  tell(i, (Command){.op = OP_make_buffer, .object = buffer, .pool = pool});
}

static void try_share(int i)
{
  int other = any_free(i), buffer = any_of(shared_buffers, BUFFERS, i, true);
  if (other < 0 || buffer < 0) return;
  Shared *one = &shared_buffers[buffer];
  int pool = one->pool;
  Shared *its_pool = pool < 0 ? NULL : &shared_pools[pool];
  bool takes_pool =
      its_pool && its_pool->handles[i] && (!its_pool->handles[other] || (is_host && below(4) == 0));
  if (its_pool && !its_pool->handles[other] && !takes_pool) return;
  int *handles = takes_pool ? its_pool->handles : one->handles;
  if (handles[other] == HANDLES) return;
  ++handles[other];
  one->users |= 1u << other;
  Command command = {.op = takes_pool ? OP_send_pool : OP_send_buffer,
                     .object = buffer,
                     .pool = pool,
                     .peer = other};
  tell(i, command);
  command.op = takes_pool ? OP_take_pool : OP_take_buffer;
  command.peer = i;
  tell(other, command);
}

static void try_fill(int i)
{
  Command command = {.op = OP_fill, .object = any_of(shared_buffers, BUFFERS, i, false)};
  Slot *slot = command.object < 0 ? NULL : any_slot(command.object, &command.slot);
  if (!slot || (shared_buffers[command.object].is_lost && !is_host)) return;
  command.waits = whose(writer_of(slot) | slot->readers);
  command.value = (uint32_t)random_bits();
  *slot = (Slot){.value = command.value, .writer = i, .round = now};
  tell(i, command);
}

static void try_copy(int i)
{
  Command command = {.op = OP_copy,
                     .object = any_of(shared_buffers, BUFFERS, i, false),
                     .from = any_of(shared_buffers, BUFFERS, i, false)};
  if (command.object < 0 || command.from < 0) return;
  Slot *slot = any_slot(command.object, &command.slot);
  Slot *from = any_slot(command.from, &command.from_slot);
  bool is_lost = shared_buffers[command.object].is_lost || shared_buffers[command.from].is_lost;
  if (!slot || !from || (is_lost && !is_host)) return;
  command.waits = whose(writer_of(slot) | slot->readers | writer_of(from));
  from->readers |= 1u << i;
  *slot = (Slot){.value = from->value, .is_unknown = from->is_unknown, .writer = i, .round = now};
  tell(i, command);
}

static void try_check(int i)
{
  Command command = {.op = OP_check, .object = any_of(shared_buffers, BUFFERS, i, false)};
  Slot *slot = command.object < 0 ? NULL : any_slot(command.object, &command.slot);
  if (!slot || slot->is_unknown || (shared_buffers[command.object].is_lost && !is_host)) return;
  command.waits = whose(writer_of(slot));
  command.value = slot->value;
  slot->writer = -1;
  tell(i, command);
}

/* A buffer must outlive its imports. */
static void try_drop(int i)
{
  int others = 0, buffer = any_of(shared_buffers, BUFFERS, i, false);
  if (below(3) == 0) {
    int pool = any_of(shared_pools, POOLS, i, false);
    if (pool < 0) return;
    Shared *one = &shared_pools[pool];
    --one->handles[i];
    tell(i, (Command){.op = OP_drop_pool, .pool = pool});
    return;
  }
  if (buffer < 0) return;
  Shared *one = &shared_buffers[buffer];
  for (int k = 0; k < worker_count; ++k) others += k == i ? 0 : one->handles[k];
  if (one->owner == i && others) return;
  --one->handles[i];
  tell(i, (Command){.op = OP_drop_buffer,
                    .object = buffer,
                    .waits = one->owner == i ? whose(one->users) : 0});
}

/* An object that nobody holds may be made again. */
static void forget_dropped(Shared *all, int count)
{
  for (int i = 0; i < count; ++i) {
    bool is_used = false;
    for (int k = 0; k < worker_count; ++k) is_used |= all[i].handles[k] > 0;
    for (int k = 0; k < BUFFERS && all == shared_pools; ++k)
      is_used |= shared_buffers[k].is_there && shared_buffers[k].pool == i;
    if (!is_used) all[i].is_there = false;
  }
}

/* Updates the model after a worker has ended: its submitted work may or may not have run. */
static void bury(int i, int killed_by)
{
  int status = 1;
  while (waitpid(workers[i].pid, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status) != killed_by)
    give_up(i, "ended badly");
  close(workers[i].socket);
  workers[i].is_alive = workers[i].is_busy = false;
  --live_count;
  dead |= 1u << i;
  for (int k = 0; k < POOLS; ++k) shared_pools[k].handles[i] = 0;
  for (int k = 0; k < BUFFERS; ++k) {
    Shared *one = &shared_buffers[k];
    one->handles[i] = 0;
    one->is_lost |= one->owner == i;
    for (int n = 0; n < SLOTS; ++n) one->slots[n].is_unknown |= one->slots[n].writer == i;
  }
}

/* Marks slots as unknown that were copied from unknown ones. */
static void spread_unknown(void)
{
  for (int k = 0; k < BUFFERS; ++k)
    for (int n = 0; n < SLOTS; ++n) {
      Slot *slot = &shared_buffers[k].slots[n];
      slot->is_unknown |= slot->writer >= 0;
    }
}

/* Ends a process: within a message, before it receives one, at once, or by a signal during its
 * work. */
static void kill_one(void)
{
  static void (*const last_work[])(int) = {try_make, try_fill, try_copy, try_drop};
  int i = any_free(-1), other = any_free(i);
  if (i < 0 || other < 0) return;
  uint32_t way = below(is_host ? 4 : 3);
  int buffer = any_of(shared_buffers, BUFFERS, other, true);
  Command command = {.op = way == 0 ? OP_die_sending : OP_die,
                     .object = (int)below(has_virtual ? 3 : 2),
                     .peer = other,
                     .value = !is_host};
  if (way < 3) tell(i, command);
  else last_work[below(COUNT_OF(last_work))](i);
  if (way == 0) tell(other, (Command){.op = OP_take_broken, .object = command.object, .peer = i});
  if (way == 1 && buffer >= 0)
    tell(other, (Command){.op = OP_send_lost, .object = buffer, .peer = i});
  if (way == 3) {
    usleep(below(400));
    kill(workers[i].pid, SIGKILL);
  }
  bury(i, way == 3 ? SIGKILL : 0);
  spread_unknown();
}

static bool play_round(void)
{
  static void (*const ways[])(int) = {try_make,  try_share, try_share, try_fill,
                                      try_fill,  try_fill,  try_copy,  try_copy,
                                      try_check, try_check, try_check, try_drop};
  if (live_count > 2 && below(30) == 0) kill_one();
  for (int k = 0; k < 2 * worker_count; ++k) {
    int i = any_free(-1);
    if (i >= 0) ways[below(COUNT_OF(ways))](i);
  }
  bool is_fine = hear_all();
  forget_dropped(shared_buffers, BUFFERS);
  forget_dropped(shared_pools, POOLS);
  return is_fine;
}

/* Sends every worker's event to every other one. */
static bool share_events(void)
{
  for (int i = 0; i < worker_count; ++i)
    for (int k = 0; k < worker_count; ++k) {
      if (i == k) continue;
      tell(i, (Command){.op = OP_send_event, .peer = k});
      tell(k, (Command){.op = OP_take_event, .peer = i});
      if (!hear_all()) return false;
    }
  return true;
}

static int sockets[WORKERS][WORKERS]; /* worker i has the end [i][k] of its socket to worker k */

static void close_sockets(int but)
{
  for (int i = 0; i < worker_count; ++i)
    for (int k = 0; k < worker_count; ++k)
      if (i != k && i != but) close(sockets[i][k]);
}

static void start_worker(int i)
{
  int ends[2];
  struct timeval patience = {.tv_sec = PATIENCE};
  CHECK(!socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends));
  CHECK(!setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience));
  fflush(NULL);
  workers[i] = (Worker){.pid = fork(), .socket = ends[0], .is_alive = true, .is_busy = true};
  if (workers[i].pid) {
    close(ends[1]);
    return;
  }
  for (int k = 0; k <= i; ++k) close(workers[k].socket);
  close_sockets(i);
  memcpy(peers, sockets[i], sizeof peers);
  self = i;
  control = ends[1];
  tests_forget();
  test_run("worker", work);
  exit(tests_have_failed());
}

static bool start_workers(void)
{
  worker_count = live_count = 3 + (int)below(WORKERS - 2);
  dead = 0;
  memset(shared_pools, 0, sizeof shared_pools);
  memset(shared_buffers, 0, sizeof shared_buffers);
  for (int i = 0; i < worker_count; ++i)
    for (int k = 0; k < i; ++k) {
      int pair[2];
      CHECK(!socketpair(AF_UNIX, below(2) ? SOCK_STREAM : SOCK_SEQPACKET, 0, pair));
      sockets[i][k] = pair[0];
      sockets[k][i] = pair[1];
    }
  for (int i = 0; i < worker_count; ++i) start_worker(i);
  close_sockets(-1);
  bool is_fine = true;
  has_ipc = true;
  for (int i = 0; i < worker_count; ++i) {
    Reply hello = {0};
    is_fine &= hear(i, &hello);
    is_host = hello.is_host;
    has_virtual = hello.has_virtual;
    has_ipc &= hello.has_ipc != 0;
  }
  return is_fine;
}

static void end_workers(bool is_fine)
{
  for (int i = 0; i < worker_count; ++i) {
    if (!workers[i].is_alive) continue;
    if (is_fine) tell(i, (Command){.op = OP_end});
    else kill(workers[i].pid, SIGKILL);
  }
  for (int i = 0; i < worker_count; ++i) {
    int status = 1;
    if (!workers[i].is_alive) continue;
    while (waitpid(workers[i].pid, &status, 0) < 0 && errno == EINTR) continue;
    if (is_fine && status) give_up(i, "ended badly");
    close(workers[i].socket);
  }
}

TEST(episode)
{
  random_state = seed;
  now = 0;
  bool is_fine = start_workers();
  if (has_ipc) is_fine = is_fine && share_events();
  for (now = 1; has_ipc && is_fine && now < ROUNDS; ++now) is_fine = play_round();
  end_workers(is_fine);
}

int main(int argc, char **argv)
{
  seed = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1;
  double seconds = argc > 2 ? strtod(argv[2], NULL) : 2, end = seconds_now() + seconds;
  is_traced = getenv("CK_TRACE") != NULL;
  if (getenv("CK_SANITIZER")) {
    printf("0 passed, 0 failed: a tool watches the processes, some of which are killed\n");
    return 77;
  }
  signal(SIGPIPE, SIG_IGN);
  int before = count_fds();
  printf("seeds from %u on\n", seed);
  do {
    RUN(episode);
    ++seed;
  } while (has_ipc && seconds_now() < end);
  CHECK(count_fds() == before);
  return has_ipc ? tests_report() : 77;
}
