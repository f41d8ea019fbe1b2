/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* block.c - executes one block, or a group of blocks that communicate, on one CPU thread.
 *
 * A plain kernel (without barriers and warp operations) is a single call that loops over the
 * threads of the block. Of a coroutine kernel, each CUDA thread is a coroutine. All are started,
 * and each runs to its first wait. Then, until all have ended, the scheduler resumes threads whose
 * wait is complete:
 *
 *   wait for     is complete when
 *   warp lanes   all live lanes of the mask wait with the same mask
 *   a phase      the mbarrier in shared memory has gone on to its next phase
 *   a role       all live threads of the warps of a role wait for it
 *   block        all live threads of the block wait at the block's barrier
 *   cluster      all live threads of its blocks wait for the cluster
 *   grid         all live threads of all blocks wait for the grid, and no block has ended
 *
 * For example, a block of three threads with one barrier, where | is a suspension:
 *
 *   thread 0   load | store                  order of execution:
 *   thread 1   load | store                    load 0, load 1, load 2, (barrier complete)
 *   thread 2   load | store                    store 0, store 1, store 2
 *
 * The blocks of a cluster, and all blocks of a cooperative grid, form a team: they are executed
 * alternately on one CPU thread, each until all its live threads wait for the other blocks. For
 * example, a cluster of two blocks with one barrier of the cluster:
 *
 *   block 0   load | store                   order of execution:
 *   block 1   load | store                     load of block 0, load of block 1, (complete)
 *                                              store of block 0, store of block 1
 *
 * A HostWorker has the threads of a block and their coroutines. That of the running block is copied
 * into the thread-local variable `worker`; those of the others are in team.blocks. Shared memory of
 * a team is contiguous, block after block.
 *
 * A thread that polls memory (thread.yield) may be resumed at any time. It is resumed when nothing
 * else in its block can go on; in a team, when nothing else in any block can. So a block may poll
 * what another block of a cooperative grid writes. A block that is no part of a team polls what
 * blocks on other CPU threads write.
 *
 * Threads that have ended are not waited for, as on a GPU; a checked build reports them. If no wait
 * can complete, the program has a divergent barrier; the block ends with an error that lists the
 * waits. It must never hang.
 *
 * An assertion, a trap or a crash (guard.c) ends the block by longjmp. Frames and shared memory are
 * kept from block to block and grow as needed.
 */
#include <sched.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "code/manifest.h"
#include "host.h"

enum { WARP = 32, SHARED_ALIGNMENT = 128, CHUNK_BYTES = 64 << 10 };

typedef void PlainKernel(void **args, const ck_host_block_t *block);
/* The coroutine state of a suspended thread. LLVM gives the resume function its calling convention
 * fastcc; for one pointer argument that is the same as C's on x86-64. */
typedef struct State {
  void (*resume)(struct State *self); /* NULL: the thread has ended */
} State;
typedef State *StartThread(void *frame, void **args, ck_host_thread_t *thread);

/* Memory for coroutine frames that are larger than CK_HOST_FRAME_BYTES. Chunks are kept from block
 * to block. */
typedef struct Chunk {
  struct Chunk *next;
  size_t bytes, used;
  _Alignas(CK_HOST_FRAME_ALIGNMENT) unsigned char data[];
} Chunk;

typedef struct HostWorker {
  HostGrid *grid;
  HostGuard *guard; /* of the CPU thread */
  ck_host_block_t block;
  uint32_t room; /* capacity of the next three arrays, in threads */
  ck_host_thread_t *threads;
  State **states; /* NULL: the thread has ended */
  unsigned char *frames;
  Chunk *chunks;
  uint32_t live;                        /* threads that have not ended */
  uint32_t waiting[CK_HOST_WAIT_COUNT]; /* of those, how many wait, by ck_host_wait_t */
} HostWorker;

/* Blocks that are executed alternately, in the order of their clusters. */
typedef struct HostTeam {
  HostWorker *blocks;
  uint32_t room;  /* capacity of `blocks` */
  uint32_t count; /* blocks in the team; 0: a single block, in `worker` */
  uint32_t at;    /* the running block, which is in `worker` */
} HostTeam;

static _Thread_local HostWorker worker;
static _Thread_local HostTeam team;
static _Thread_local unsigned char *shared; /* of all blocks of the team */
static _Thread_local size_t shared_room;
static _Thread_local jmp_buf escape;

static void free_block(HostWorker *block)
{
  memory_free(block->threads);
  memory_free(block->states);
  memory_free(block->frames);
  for (Chunk *chunk = block->chunks, *next; chunk; chunk = next) {
    next = chunk->next;
    memory_free(chunk);
  }
  *block = (HostWorker){0};
}

static void free_team(void)
{
  for (uint32_t i = 0; i < team.room; ++i) free_block(&team.blocks[i]);
  memory_free(team.blocks);
  team = (HostTeam){0};
}

static void free_shared(void)
{
  memory_free(shared);
  shared = NULL;
  shared_room = 0;
}

void host_free_worker(void)
{
  free_block(&worker);
  free_team();
  free_shared();
  host_check_free();
}

/* The worker of a block of the team, whether it is the running one or not. */
static HostWorker *block_at(uint32_t at)
{
  return team.count && at != team.at ? &team.blocks[at] : &worker;
}

void host_block_id(uint32_t at, uint32_t out_id[3])
{
  memcpy(out_id, block_at(at)->block.id, sizeof worker.block.id);
}

/* faults ------------------------------------------------------------------------------------- */

void host_leave_block(CUresult result, const char *text)
{
  host_guard.is_armed = false;
  host_set_fault(result, text);
  longjmp(escape, HOST_LEFT);
}

/* Writes "block: [0,0,0], thread: [3,0,0]"; the block alone if thread is NULL. */
COLD static void place_text(const ck_host_thread_t *thread, char *text, size_t room)
{
  const ck_host_block_t *block = thread && thread->block ? thread->block : &worker.block;
  int len = snprintf(text, room, "block: [%u,%u,%u]", block->id[0], block->id[1], block->id[2]);
  if (thread)
    snprintf(text + len, room - (size_t)len, ", thread: [%u,%u,%u]", thread->id[0], thread->id[1],
             thread->id[2]);
}

void ck_host_assert(const ck_host_thread_t *thread, const char *message, const char *file,
                    uint32_t line, const char *function)
{
  char place[128], text[512];
  place_text(thread, place, sizeof place);
  snprintf(text, sizeof text, "%s:%u: %s: %s Assertion `%s` failed.", file, line, function, place,
           message);
  host_leave_block(CUDA_ERROR_ASSERT, text);
}

void ck_host_trap(const ck_host_thread_t *thread, const char *file, uint32_t line)
{
  char place[128], text[512];
  place_text(thread, place, sizeof place);
  snprintf(text, sizeof text, "%s:%u: %s: %s trap", file, line, worker.grid->kernel->info->name,
           place);
  host_leave_block(CUDA_ERROR_LAUNCH_FAILED, text);
}

_Noreturn static void out_of_memory(void)
{
  host_leave_block(CUDA_ERROR_LAUNCH_FAILED, "host memory is out in a block");
}

/* Lists the distinct waits of a block: the line, the number of threads, one of the threads. */
COLD static size_t list_waits(const HostWorker *block, char *text, size_t room)
{
  static const char whose[][9] = {
      [CK_HOST_WAIT_BLOCK] = "block",     [CK_HOST_WAIT_GRID] = "grid",
      [CK_HOST_WAIT_CLUSTER] = "cluster", [CK_HOST_WAIT_PHASE] = "mbarrier",
      [CK_HOST_WAIT_PART] = "role",       [CK_HOST_WAIT_POLL] = "turn"};
  size_t len = 0;
  uint32_t size = block->block.size;
  for (uint32_t i = 0; i < size && len < room; ++i) {
    const ck_host_thread_t *thread = &block->threads[i];
    if (!block->states[i]) continue;
    uint32_t count = 0;
    bool is_first = true;
    for (uint32_t j = 0; j < size; ++j) {
      const ck_host_thread_t *other = &block->threads[j];
      bool is_same = block->states[j] && other->wait == thread->wait &&
                     other->wait_line == thread->wait_line &&
                     (thread->wait != CK_HOST_WAIT_WARP || other->wait_mask == thread->wait_mask);
      count += is_same;
      if (is_same && j < i) is_first = false;
    }
    if (!is_first) continue;
    len += (size_t)snprintf(text + len, room - len, " thread [%u,%u,%u] (of %u) waits for ",
                            thread->id[0], thread->id[1], thread->id[2], count);
    if (len >= room) break;
    if (thread->wait != CK_HOST_WAIT_WARP)
      len += (size_t)snprintf(text + len, room - len, "its %s", whose[thread->wait]);
    else len += (size_t)snprintf(text + len, room - len, "lanes 0x%08x", thread->wait_mask);
    if (len >= room) break;
    if (thread->wait_line)
      len += (size_t)snprintf(text + len, room - len, " at line %u;", thread->wait_line);
    else len += (size_t)snprintf(text + len, room - len, " in the library;");
  }
  return len < room ? len : room;
}

/* Reports the waits of those of the blocks first..end that have live threads. */
COLD _Noreturn static void report_deadlock(uint32_t first, uint32_t end)
{
  char text[1024];
  size_t len = (size_t)snprintf(text, sizeof text, "kernel '%s',", worker.grid->kernel->info->name);
  for (uint32_t at = first; at < end && len < sizeof text; ++at) {
    const HostWorker *block = block_at(at);
    const uint32_t *id = block->block.id;
    if (!block->live) continue;
    len += (size_t)snprintf(text + len, sizeof text - len, " block [%u,%u,%u]: deadlock:", id[0],
                            id[1], id[2]);
    if (len < sizeof text) len += list_waits(block, text + len, sizeof text - len);
  }
  host_leave_block(CUDA_ERROR_LAUNCH_FAILED, text);
}

/* memory ------------------------------------------------------------------------------------- */

void *ck_host_frame(void *frame, uint32_t bytes)
{
  if (bytes <= CK_HOST_FRAME_BYTES) return frame;
  size_t rounded =
      ((size_t)bytes + CK_HOST_FRAME_ALIGNMENT - 1) & ~(size_t)(CK_HOST_FRAME_ALIGNMENT - 1);
  for (Chunk *chunk = worker.chunks; chunk; chunk = chunk->next) {
    if (chunk->bytes - chunk->used < rounded) continue;
    chunk->used += rounded;
    return chunk->data + chunk->used - rounded;
  }
  size_t chunk_bytes = rounded > CHUNK_BYTES ? rounded : CHUNK_BYTES;
  host_guard_hold();
  Chunk *chunk = memory_new_aligned(sizeof *chunk + chunk_bytes, CK_HOST_FRAME_ALIGNMENT);
  host_guard_release();
  if (!chunk) out_of_memory();
  *chunk = (Chunk){.next = worker.chunks, .bytes = chunk_bytes, .used = rounded};
  worker.chunks = chunk;
  return chunk->data;
}

static void reserve_threads(uint32_t size)
{
  if (size <= worker.room) return;
  memory_free(worker.threads);
  memory_free(worker.states);
  memory_free(worker.frames);
  worker.room = 0;
  worker.threads = memory_new(size * sizeof *worker.threads);
  worker.states = memory_new(size * sizeof *worker.states);
  worker.frames = memory_new_aligned((size_t)size * CK_HOST_FRAME_BYTES, CK_HOST_FRAME_ALIGNMENT);
  if (!worker.threads || !worker.states || !worker.frames) out_of_memory();
  worker.room = size;
}

static void reserve_shared(const HostGrid *grid, uint32_t block_count)
{
  size_t bytes = grid->shared_room * block_count;
  if (bytes > shared_room) {
    free_shared();
    shared = memory_new_aligned(bytes, SHARED_ALIGNMENT);
    if (!shared) out_of_memory();
    shared_room = bytes;
  }
  if (bytes && grid->is_poisoned) memset(shared, 0xCC, bytes);
}

static void reserve_team(uint32_t block_count)
{
  if (block_count <= team.room) return;
  free_team();
  team.blocks = memory_new(block_count * sizeof *team.blocks);
  if (!team.blocks) out_of_memory();
  team.room = block_count;
}

void *ck_host_map(const ck_host_thread_t *thread, void *address, uint32_t rank)
{
  const ck_host_block_t *block = thread->block;
  size_t room = worker.grid->shared_room;
  uintptr_t at = (uintptr_t)address, own = (uintptr_t)block->shared;
  if (rank >= block->cluster_size || at < own || at - own > room) return NULL;
  return (void *)(at - block->cluster_rank * room + rank * room);
}

/* threads ------------------------------------------------------------------------------------ */

/* The worker of this CPU thread. Access to a thread-local variable is a function call in a shared
 * library, so functions pass this pointer on as `self`. It is loaded from memory because the
 * compiler would otherwise recognise it as &worker and repeat that call at each use. */
static HostWorker *own_worker(void)
{
  return worker.block.owner;
}

/* Accounts for the state of a thread that has just run: ended, or waiting. */
static void note(HostWorker *self, uint32_t i, State *state)
{
  uint32_t wait = self->threads[i].wait;
  self->states[i] = state->resume ? state : NULL;
  if (!state->resume) --self->live;
  else if (wait - 1 < CK_HOST_WAIT_COUNT - 1) ++self->waiting[wait];
  else host_leave_block(CUDA_ERROR_LAUNCH_FAILED, "a thread was suspended without a reason");
}

bool host_is_own(uint64_t address)
{
  const unsigned char *at = (const unsigned char *)(uintptr_t)address;
  size_t frames = (size_t)worker.room * CK_HOST_FRAME_BYTES;
  if (at >= worker.frames && at < worker.frames + frames) return true;
  for (const Chunk *chunk = worker.chunks; chunk; chunk = chunk->next)
    if (at >= chunk->data && at < chunk->data + chunk->bytes) return true;
  return false;
}

static bool is_waiting(uint32_t at, uint32_t i)
{
  return block_at(at)->states[i];
}

static unsigned char *frame_of(const HostWorker *self, uint32_t i)
{
  return self->frames + (size_t)i * CK_HOST_FRAME_BYTES;
}

static void step(HostWorker *self, uint32_t i)
{
  self->threads[i].wait = CK_HOST_WAIT_NONE;
  State *state = self->states[i];
  self->guard->is_armed = true;
  state->resume(state);
  self->guard->is_armed = false;
  note(self, i, state);
}

/* The lanes that can be resumed together with a waiting lane; 0 if one of its mask has not arrived.
 */
static uint32_t lanes_to_release(const HostWorker *self, uint32_t base, uint32_t lane)
{
  uint32_t mask = self->threads[base + lane].wait_mask, lanes = 0;
  for (uint32_t other = 0; other < WARP && base + other < self->block.size; ++other) {
    if (!(mask >> other & 1) && other != lane) continue;
    const ck_host_thread_t *thread = &self->threads[base + other];
    if (!self->states[base + other]) continue;
    if (thread->wait != CK_HOST_WAIT_WARP || thread->wait_mask != mask) return 0;
    lanes |= 1u << other;
  }
  return lanes;
}

/* Fails because two threads met with different values or at different operations. */
COLD _Noreturn static void report_different(const ck_host_thread_t *first,
                                            const ck_host_thread_t *other)
{
  char text[512];
  bool is_value = first->exchange == other->exchange;
  int len = snprintf(
      text, sizeof text, "kernel '%s', block [%u,%u,%u]: threads [%u,%u,%u] and [%u,%u,%u] %s",
      worker.grid->kernel->info->name, worker.block.id[0], worker.block.id[1], worker.block.id[2],
      first->id[0], first->id[1], first->id[2], other->id[0], other->id[1], other->id[2],
      is_value ? "have different values, which are said to be uniform,"
               : "wait for each other with different operations");
  size_t used = len < (int)sizeof text ? (size_t)len : sizeof text;
  uint32_t a = first->wait_line, b = other->wait_line;
  if (a == b && a) snprintf(text + used, sizeof text - used, " at line %u", a);
  else if (a && b) snprintf(text + used, sizeof text - used, " at lines %u and %u", a, b);
  else if (a || b)
    snprintf(text + used, sizeof text - used, " at line %u and in the library", a ? a : b);
  else snprintf(text + used, sizeof text - used, " in the library");
  host_leave_block(CUDA_ERROR_LAUNCH_FAILED, text);
}

static void exchange(HostWorker *self, uint32_t base, uint32_t lanes)
{
  uint32_t other;
  if (host_exchange(&self->threads[base], lanes, &other)) return;
  report_different(&self->threads[base + (uint32_t)__builtin_ctz(lanes)],
                   &self->threads[base + other]);
}

/* Checks the exchange of all threads that wait at the block's barrier. */
static void exchange_block(HostWorker *self)
{
  const ck_host_thread_t *first = NULL;
  for (uint32_t i = 0; i < self->block.size; ++i) {
    ck_host_thread_t *thread = &self->threads[i];
    if (!self->states[i]) continue;
    if (!first) first = thread;
    if (thread->exchange != first->exchange ||
        (first->exchange == CK_HOST_EXCHANGE_same && thread->value != first->value))
      report_different(first, thread);
  }
  for (uint32_t i = 0; first && i < self->block.size; ++i)
    self->threads[i].exchange = CK_HOST_EXCHANGE_none;
}

/* Resumes every complete group of lanes once; false if there was none. */
static bool release_warps(HostWorker *self)
{
  bool is_progress = false, is_checked = host_is_checked();
  for (uint32_t base = 0; base < self->block.size; base += WARP) {
    uint32_t seen = 0; /* lanes that were resumed in this round */
    for (uint32_t lane = 0; lane < WARP && base + lane < self->block.size; ++lane) {
      if (seen >> lane & 1 || !self->states[base + lane] ||
          self->threads[base + lane].wait != CK_HOST_WAIT_WARP)
        continue;
      uint32_t lanes = lanes_to_release(self, base, lane);
      seen |= lanes;
      is_progress |= lanes != 0;
      bool is_sync = self->threads[base + lane].exchange == CK_HOST_EXCHANGE_none;
      if (lanes && is_checked && is_sync) host_check_warp(base, lanes);
      if (lanes) exchange(self, base, lanes);
      self->waiting[CK_HOST_WAIT_WARP] -= (uint32_t)__builtin_popcount(lanes);
      for (; lanes; lanes &= lanes - 1) step(self, base + (uint32_t)__builtin_ctz(lanes));
    }
  }
  return is_progress;
}

/* Has the mbarrier left the phase for which the thread waits? Its top bit is the phase's parity. */
static bool is_phase_over(const ck_host_thread_t *thread)
{
  const uint64_t *state = (const uint64_t *)(uintptr_t)thread->value;
  return (*state >> 63) != (thread->wait_mask & 1);
}

/* Resumes the threads whose phase is over; false if there was none. */
static bool release_phases(HostWorker *self)
{
  bool is_progress = false;
  for (uint32_t i = 0; self->waiting[CK_HOST_WAIT_PHASE] && i < self->block.size; ++i) {
    if (!self->states[i] || self->threads[i].wait != CK_HOST_WAIT_PHASE) continue;
    if (!is_phase_over(&self->threads[i])) continue;
    is_progress = true;
    --self->waiting[CK_HOST_WAIT_PHASE];
    step(self, i);
  }
  return is_progress;
}

/* Do all live threads of a role's warps wait for it? */
static bool is_part_complete(const HostWorker *self, uint32_t part)
{
  uint32_t first = (part >> 8) * WARP, end = first + (part & 0xff) * WARP;
  for (uint32_t i = first; i < end && i < self->block.size; ++i) {
    const ck_host_thread_t *thread = &self->threads[i];
    if (self->states[i] && (thread->wait != CK_HOST_WAIT_PART || thread->wait_mask != part))
      return false;
  }
  return true;
}

/* Resumes the roles that are complete; false if there was none. */
static bool release_parts(HostWorker *self)
{
  bool is_progress = false;
  for (uint32_t i = 0; self->waiting[CK_HOST_WAIT_PART] && i < self->block.size; i += WARP) {
    uint32_t part = self->threads[i].wait_mask;
    bool is_first = self->states[i] && self->threads[i].wait == CK_HOST_WAIT_PART;
    if (!is_first || !is_part_complete(self, part)) continue;
    uint32_t first = (part >> 8) * WARP, end = first + (part & 0xff) * WARP;
    if (end > self->block.size) end = self->block.size;
    is_progress = true;
    for (uint32_t k = first; k < end; ++k) self->waiting[CK_HOST_WAIT_PART] -= !!self->states[k];
    for (uint32_t k = first; k < end; ++k)
      if (self->states[k]) step(self, k);
  }
  return is_progress;
}

/* Resumes the threads that poll, each once. */
static void release_polls(HostWorker *self)
{
  uint32_t count = self->waiting[CK_HOST_WAIT_POLL];
  for (uint32_t i = 0; count && i < self->block.size; ++i) {
    if (!self->states[i] || self->threads[i].wait != CK_HOST_WAIT_POLL) continue;
    --count;
    --self->waiting[CK_HOST_WAIT_POLL];
    step(self, i);
  }
}

/* Resumes all threads, which wait for the same thing. */
static void release(HostWorker *self, ck_host_wait_t wait)
{
  self->waiting[wait] = 0;
  for (uint32_t i = 0; i < self->block.size; ++i)
    if (self->states[i]) step(self, i);
}

/* Runs the block until each thread has ended or waits for the cluster or the grid; in a team, also
 * until all that can go on poll. */
static void run_on(HostWorker *self)
{
  const uint32_t *waiting = self->waiting;
  while (self->live > waiting[CK_HOST_WAIT_CLUSTER] + waiting[CK_HOST_WAIT_GRID]) {
    if (waiting[CK_HOST_WAIT_BLOCK] == self->live) {
      host_check_wait(team.at, is_waiting, true);
      host_check_block();
      exchange_block(self);
      release(self, CK_HOST_WAIT_BLOCK);
    } else {
      bool is_progress = waiting[CK_HOST_WAIT_WARP] && release_warps(self);
      is_progress |= release_phases(self);
      is_progress |= release_parts(self);
      if (is_progress) continue;
      if (!waiting[CK_HOST_WAIT_POLL]) report_deadlock(team.at, team.at + 1);
      if (team.count > 1) return;
      sched_yield();
      release_polls(self);
    }
  }
}

static void go_on(ck_host_wait_t wait)
{
  HostWorker *self = own_worker();
  release(self, wait);
  run_on(self);
}

static void start_threads(StartThread *start, void **args)
{
  HostWorker *self = own_worker();
  uint32_t size = self->block.size, i = 0;
  reserve_threads(size);
  self->live = size;
  memset(self->states, 0, size * sizeof *self->states);
  for (uint32_t z = 0; z < self->block.dim[2]; ++z)
    for (uint32_t y = 0; y < self->block.dim[1]; ++y)
      for (uint32_t x = 0; x < self->block.dim[0]; ++x, ++i) {
        ck_host_thread_t *thread = &self->threads[i];
        *thread = (ck_host_thread_t){.block = &self->block, .id = {x, y, z}, .rank = i};
        self->guard->is_armed = true;
        State *state = start(frame_of(self, i), args, thread);
        self->guard->is_armed = false;
        note(self, i, state);
      }
  run_on(self);
}

/* blocks ------------------------------------------------------------------------------------- */

/* Initialises the worker of the block with a rank in a cluster. */
static void place(HostWorker *worker_of, HostGrid *grid, uint64_t cluster, uint32_t rank)
{
  ck_host_block_t *block = &worker_of->block;
  uint64_t row = cluster / grid->clusters[0], plane = row / grid->clusters[1];
  const uint32_t id[3] = {(uint32_t)(cluster - row * grid->clusters[0]),
                          (uint32_t)(row - plane * grid->clusters[1]), (uint32_t)plane};
  for (int i = 0; i < 3; ++i) {
    block->id[i] = id[i] * grid->cluster[i];
    block->cluster_id[i] = id[i];
  }
  memcpy(block->dim, grid->dim, sizeof block->dim);
  memcpy(block->grid_dim, grid->grid_dim, sizeof block->grid_dim);
  memcpy(block->cluster_dim, grid->cluster, sizeof block->cluster_dim);
  block->size = grid->block_threads;
  block->dynamic_bytes = grid->dynamic_bytes;
  block->owner = &worker;
  block->cluster_rank = rank;
  block->cluster_size = grid->cluster_blocks;
  for (int i = 0; rank; ++i) {
    block->id[i] += rank % grid->cluster[i];
    rank /= grid->cluster[i];
  }
  worker_of->grid = grid;
  worker_of->guard = &host_guard;
  worker_of->live = 0;
  memset(worker_of->waiting, 0, sizeof worker_of->waiting);
}

/* Assigns block number `at` of the team its part of the shared memory. */
static void share_out(HostWorker *worker_of, uint32_t at)
{
  const HostGrid *grid = worker_of->grid;
  worker_of->block.shared = shared ? shared + grid->shared_room * at : NULL;
  worker_of->block.dynamic = shared ? worker_of->block.shared + grid->static_room : NULL;
}

/* Switches to a block of the team: saves the running one and loads this one into `worker`. */
static void enter(uint32_t at)
{
  if (team.count && at != team.at) {
    team.blocks[team.at] = worker;
    worker = team.blocks[at];
    team.at = at;
  }
  host_check_enter(&worker.block, at);
}

/* All live threads of a cluster wait for it. A checked build verifies that they wait at the same
 * place. */
static void check_same_wait(uint32_t first, uint32_t end)
{
  bool is_first = true;
  for (uint32_t at = first; at < end; ++at) {
    if (!block_at(at)->live) continue;
    host_check_wait(at, is_waiting, is_first);
    is_first = false;
  }
}

static void start_block(void)
{
  const HostGrid *grid = worker.grid;
  void *entry = grid->kernel->entry;
  for (Chunk *chunk = worker.chunks; chunk; chunk = chunk->next) chunk->used = 0;
  if (grid->kernel->info->is_coroutine) {
    start_threads((StartThread *)(uintptr_t)entry, grid->args);
    return;
  }
  host_guard.is_armed = true;
  ((PlainKernel *)(uintptr_t)entry)(grid->args, &worker.block);
  host_guard.is_armed = false;
}

/* Cleans up after a longjmp out of a block; after a signal, reports the crash. */
static void end_escape(int why)
{
  host_guard.holds = 0;
  if (why == HOST_CRASHED) host_guard_report(worker.grid->kernel->info->name, worker.block.id);
}

/* What the scheduler can see of the blocks' progress: polling alone doesn't change it. */
static uint64_t progress_of(uint32_t first, uint32_t end, uint32_t *out_polling)
{
  uint64_t sum = 0;
  *out_polling = 0;
  for (uint32_t at = first; at < end; ++at) {
    const HostWorker *block = block_at(at);
    if (!block->live) continue;
    *out_polling += block->waiting[CK_HOST_WAIT_POLL];
    for (uint32_t wait = 1; wait < CK_HOST_WAIT_COUNT; ++wait)
      sum = sum * 31 + block->waiting[wait];
    sum = sum * 31 + block->live;
  }
  return sum;
}

/* Lets the blocks first..end of a team go on until none of their threads polls. */
static void settle_polls(uint32_t first, uint32_t end)
{
  enum { ROUNDS_MAX = 1 << 20 }; /* seconds */
  uint32_t polling, idle = 0;
  uint64_t progress = progress_of(first, end, &polling);
  while (polling) {
    for (uint32_t at = first; at < end; ++at) {
      if (!block_at(at)->live || !block_at(at)->waiting[CK_HOST_WAIT_POLL]) continue;
      enter(at);
      HostWorker *self = own_worker();
      release_polls(self);
      run_on(self);
      if (!worker.live) host_check_end();
    }
    uint64_t now = progress_of(first, end, &polling);
    idle = now == progress ? idle + 1 : 0;
    progress = now;
    if (idle == ROUNDS_MAX) report_deadlock(first, end);
  }
}

/* The number of threads of the blocks first..end that wait for the same thing. */
static uint32_t count_waits(uint32_t first, uint32_t end, ck_host_wait_t wait)
{
  uint32_t count = 0;
  for (uint32_t at = first; at < end; ++at)
    if (block_at(at)->live) count += block_at(at)->waiting[wait];
  return count;
}

/* Runs the cluster whose first block is `first` until each thread has ended, waits for the grid, or
 * polls.
 * `behind` says what its threads were waiting for; CK_HOST_WAIT_NONE: the blocks start now. */
static void run_cluster(uint32_t first, ck_host_wait_t behind)
{
  uint32_t end = first + worker.grid->cluster_blocks, at_cluster;
  do {
    if (behind == CK_HOST_WAIT_CLUSTER) check_same_wait(first, end);
    host_check_sync();
    for (uint32_t at = first; at < end; ++at) {
      if (behind != CK_HOST_WAIT_NONE && !block_at(at)->live) continue;
      enter(at);
      if (behind == CK_HOST_WAIT_NONE) start_block();
      else go_on(behind);
      if (!worker.live) host_check_end();
    }
    at_cluster = count_waits(first, end, CK_HOST_WAIT_CLUSTER);
    if (at_cluster && count_waits(first, end, CK_HOST_WAIT_POLL)) {
      settle_polls(first, end);
      at_cluster = count_waits(first, end, CK_HOST_WAIT_CLUSTER);
    }
    if (at_cluster && count_waits(first, end, CK_HOST_WAIT_GRID)) report_deadlock(first, end);
    behind = CK_HOST_WAIT_CLUSTER;
  } while (at_cluster);
}

/* Runs a team, a cluster or the whole grid of a cooperative kernel, until all threads have ended.
 */
static void run_team(HostGrid *grid, uint64_t first_cluster, uint32_t count)
{
  reserve_team(count);
  reserve_shared(grid, count);
  for (uint32_t at = 0; at < count; ++at) {
    uint32_t size = grid->cluster_blocks;
    place(&team.blocks[at], grid, first_cluster + at / size, at % size);
    share_out(&team.blocks[at], at);
  }
  worker = team.blocks[0];
  team.at = 0;
  team.count = count;
  host_check_start(grid, count, &worker.block);
  ck_host_wait_t behind = CK_HOST_WAIT_NONE;
  for (uint32_t waiting = count; waiting; behind = CK_HOST_WAIT_GRID) {
    for (uint32_t at = 0; at < count; at += grid->cluster_blocks) run_cluster(at, behind);
    do {
      settle_polls(0, count);
      for (uint32_t at = 0; at < count; at += grid->cluster_blocks)
        if (count_waits(at, at + grid->cluster_blocks, CK_HOST_WAIT_CLUSTER))
          run_cluster(at, CK_HOST_WAIT_CLUSTER);
    } while (count_waits(0, count, CK_HOST_WAIT_POLL));
    waiting = 0;
    for (uint32_t at = 0; at < count; ++at) waiting += block_at(at)->live > 0;
    if (!waiting || waiting == count) continue;
    uint32_t at = 0; /* some blocks have ended, and the live ones wait for the grid */
    while (!block_at(at)->live) ++at;
    report_deadlock(at, at + 1);
  }
}

/* The CPU thread's own worker, while blocks of a team use the variable `worker`. */
static _Thread_local HostWorker displaced;

static bool try_team(HostGrid *grid, uint64_t first_cluster, uint32_t count)
{
  volatile bool is_good = true; /* set after a longjmp */
  displaced = worker;
  worker.grid = grid;
  host_guard.escape = &escape;
  int why = setjmp(escape);
  if (why) is_good = false, end_escape(why);
  else run_team(grid, first_cluster, count);
  if (team.count) {
    team.blocks[team.at] = worker;
    worker = displaced;
  }
  team.count = team.at = 0;
  return is_good;
}

bool host_run_cluster(HostGrid *grid, uint64_t index)
{
  if (grid->cluster_blocks > 1) return try_team(grid, index, grid->cluster_blocks);
  worker.grid = grid;
  host_guard.escape = &escape;
  int why = setjmp(escape);
  if (why) {
    end_escape(why);
    return false;
  }
  reserve_shared(grid, 1);
  place(&worker, grid, index, 0);
  share_out(&worker, 0);
  host_check_start(grid, 1, &worker.block);
  start_block();
  if (worker.waiting[CK_HOST_WAIT_CLUSTER]) run_cluster(0, CK_HOST_WAIT_CLUSTER);
  return true;
}

bool host_run_grid(HostGrid *grid)
{
  bool is_good = try_team(grid, 0, (uint32_t)(grid->cluster_count * grid->cluster_blocks));
  free_team();
  free_shared();
  return is_good;
}
