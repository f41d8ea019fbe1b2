/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* host_block.c - one block on one CPU thread: its threads as coroutines, barriers, faults.
 *
 * A plain kernel is one call. Of a coroutine kernel every thread is started and runs to its first
 * wait; then, until all have ended, whoever can go on is resumed:
 *
 *   a warp's lanes that wait for each other, when all of them that live have come with one mask
 *   the block, when all threads that live wait at the block's barrier
 *   the grid, when all threads of all blocks wait for it: then every block has a HostWorker of its
 *   own, which takes the place of the thread's while the block runs
 *
 * Threads that have ended are not waited for, as on a GPU. If nobody can go on, the program has a
 * divergent barrier: that is a fault which lists the waits, not a hang.
 *
 * An assertion or a trap leaves the block by longjmp. What a thread keeps between blocks (frames,
 * shared memory) lies in its HostWorker and grows as needed.
 */
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "host.h"

enum { WARP = 32, SHARED_ALIGNMENT = 128, FRAME_ALIGNMENT = 128, CHUNK_BYTES = 64 << 10 };

typedef void PlainKernel(void **args, const ck_host_block_t *block);
typedef void *StartThread(void *frame, void **args, ck_host_thread_t *thread);
typedef void *ResumeThread(void *frame, bool is_destroyed);

/* Memory for frames that are larger than CK_HOST_FRAME_BYTES: kept from block to block. */
typedef struct Chunk {
  struct Chunk *next;
  size_t bytes, used;
  _Alignas(FRAME_ALIGNMENT) unsigned char data[];
} Chunk;

typedef struct HostWorker {
  HostGrid *grid;
  ck_host_block_t block;
  uint32_t room; /* threads that the three arrays hold */
  ck_host_thread_t *threads;
  ResumeThread **resume; /* NULL: the thread has ended */
  unsigned char *frames;
  unsigned char *shared; /* static, then dynamic */
  size_t shared_room;
  uint32_t first_epoch; /* host_check.c's */
  Chunk *chunks;
  uint32_t live, at_block, at_warp, at_grid; /* threads that have not ended, and where they wait */
} HostWorker;

static _Thread_local HostWorker worker;
static _Thread_local jmp_buf escape;
static _Thread_local HostWorker *grid_blocks; /* of a cooperative grid: they take turns */

void host_free_worker(void)
{
  memory_free(worker.threads);
  memory_free(worker.resume);
  memory_free(worker.frames);
  memory_free(worker.shared);
  for (Chunk *chunk = worker.chunks, *next; chunk; chunk = next) {
    next = chunk->next;
    memory_free(chunk);
  }
  worker = (HostWorker){0};
  host_check_free();
}

/* faults ------------------------------------------------------------------------------------- */

void host_leave_block(CUresult result, const char *text)
{
  host_set_fault(result, text);
  longjmp(escape, 1);
}

/* "block: [0,0,0], thread: [3,0,0]" of a thread, or of the block alone if it is NULL. */
static void place_text(const ck_host_thread_t *thread, char *text, size_t room)
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

/* Lists the first wait of each kind: at which line, how many, one of them. */
_Noreturn static void report_deadlock(void)
{
  char text[512];
  size_t len =
      (size_t)snprintf(text, sizeof text,
                       "kernel '%s', block [%u,%u,%u]: deadlock:", worker.grid->kernel->info->name,
                       worker.block.id[0], worker.block.id[1], worker.block.id[2]);
  uint32_t size = worker.block.size;
  for (uint32_t i = 0; i < size && len < sizeof text; ++i) {
    const ck_host_thread_t *thread = &worker.threads[i];
    if (!worker.resume[i]) continue;
    uint32_t count = 0;
    bool is_first = true;
    for (uint32_t j = 0; j < size; ++j) {
      const ck_host_thread_t *other = &worker.threads[j];
      bool is_same = worker.resume[j] && other->wait == thread->wait &&
                     other->wait_line == thread->wait_line &&
                     (thread->wait != CK_HOST_WAIT_WARP || other->wait_mask == thread->wait_mask);
      count += is_same;
      if (is_same && j < i) is_first = false;
    }
    if (!is_first) continue;
    len += (size_t)snprintf(text + len, sizeof text - len, " thread [%u,%u,%u] (of %u) waits for ",
                            thread->id[0], thread->id[1], thread->id[2], count);
    if (len >= sizeof text) break;
    if (thread->wait != CK_HOST_WAIT_WARP)
      len += (size_t)snprintf(text + len, sizeof text - len, "its %s at line %u;",
                              thread->wait == CK_HOST_WAIT_BLOCK ? "block" : "grid",
                              thread->wait_line);
    else
      len += (size_t)snprintf(text + len, sizeof text - len, "lanes 0x%08x at line %u;",
                              thread->wait_mask, thread->wait_line);
  }
  host_leave_block(CUDA_ERROR_LAUNCH_FAILED, text);
}

/* memory ------------------------------------------------------------------------------------- */

void *ck_host_frame_alloc(uint32_t bytes)
{
  size_t rounded = ((size_t)bytes + FRAME_ALIGNMENT - 1) & ~(size_t)(FRAME_ALIGNMENT - 1);
  for (Chunk *chunk = worker.chunks; chunk; chunk = chunk->next) {
    if (chunk->bytes - chunk->used < rounded) continue;
    chunk->used += rounded;
    return chunk->data + chunk->used - rounded;
  }
  size_t chunk_bytes = rounded > CHUNK_BYTES ? rounded : CHUNK_BYTES;
  Chunk *chunk = memory_new_aligned(sizeof *chunk + chunk_bytes, FRAME_ALIGNMENT);
  if (!chunk) out_of_memory();
  *chunk = (Chunk){.next = worker.chunks, .bytes = chunk_bytes, .used = rounded};
  worker.chunks = chunk;
  return chunk->data;
}

void ck_host_frame_free(void *frame)
{
  (void)frame; /* all of them go with the block */
}

static void reserve_threads(uint32_t size)
{
  if (size <= worker.room) return;
  memory_free(worker.threads);
  memory_free(worker.resume);
  memory_free(worker.frames);
  worker.room = 0;
  worker.threads = memory_new(size * sizeof *worker.threads);
  worker.resume = memory_new(size * sizeof *worker.resume);
  worker.frames = memory_new_aligned((size_t)size * CK_HOST_FRAME_BYTES, FRAME_ALIGNMENT);
  if (!worker.threads || !worker.resume || !worker.frames) out_of_memory();
  worker.room = size;
}

static void reserve_shared(uint32_t static_bytes, uint64_t dynamic_bytes)
{
  size_t rounded = (static_bytes + SHARED_ALIGNMENT - 1) / SHARED_ALIGNMENT * SHARED_ALIGNMENT;
  size_t bytes = rounded + dynamic_bytes;
  if (bytes > worker.shared_room) {
    memory_free(worker.shared);
    worker.shared_room = 0;
    worker.shared = memory_new_aligned(bytes, SHARED_ALIGNMENT);
    if (!worker.shared) out_of_memory();
    worker.shared_room = bytes;
  }
  if (bytes && worker.grid->is_poisoned) memset(worker.shared, 0xCC, bytes);
  worker.first_epoch = host_check_start(&worker.block, bytes, !grid_blocks);
  worker.block.shared = worker.shared;
  worker.block.dynamic = worker.shared ? worker.shared + rounded : NULL;
  worker.block.dynamic_bytes = dynamic_bytes;
}

/* threads ------------------------------------------------------------------------------------ */

/* What became of a thread that has just run. */
static void note(uint32_t i, ResumeThread *next)
{
  worker.resume[i] = next;
  if (!next) --worker.live;
  else if (worker.threads[i].wait == CK_HOST_WAIT_BLOCK) ++worker.at_block;
  else if (worker.threads[i].wait == CK_HOST_WAIT_WARP) ++worker.at_warp;
  else if (worker.threads[i].wait == CK_HOST_WAIT_GRID) ++worker.at_grid;
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

static bool is_waiting(uint32_t i)
{
  return worker.resume[i];
}

static unsigned char *frame_of(uint32_t i)
{
  return worker.frames + (size_t)i * CK_HOST_FRAME_BYTES;
}

static void step(uint32_t i)
{
  worker.threads[i].wait = CK_HOST_WAIT_NONE;
  note(i, (ResumeThread *)(uintptr_t)worker.resume[i](frame_of(i), false));
}

/* The lanes that one waiting lane goes on with: 0 if somebody is still on the way. */
static uint32_t lanes_to_release(uint32_t base, uint32_t lane)
{
  uint32_t mask = worker.threads[base + lane].wait_mask, lanes = 0;
  for (uint32_t other = 0; other < WARP && base + other < worker.block.size; ++other) {
    if (!(mask >> other & 1) && other != lane) continue;
    const ck_host_thread_t *thread = &worker.threads[base + other];
    if (!worker.resume[base + other]) continue;
    if (thread->wait != CK_HOST_WAIT_WARP || thread->wait_mask != mask) return 0;
    lanes |= 1u << other;
  }
  return lanes;
}

/* "thread [1,0,0] has 3, thread [0,0,0] has 2: ... is not the same in all threads at line 7" */
_Noreturn static void report_different(const ck_host_thread_t *first, const ck_host_thread_t *other)
{
  char text[512];
  bool is_value = first->exchange == other->exchange;
  snprintf(text, sizeof text,
           "kernel '%s', block [%u,%u,%u]: threads [%u,%u,%u] and [%u,%u,%u] %s at line%s %u",
           worker.grid->kernel->info->name, worker.block.id[0], worker.block.id[1],
           worker.block.id[2], first->id[0], first->id[1], first->id[2], other->id[0], other->id[1],
           other->id[2],
           is_value ? "have different values, which are said to be uniform,"
                    : "wait for each other with different operations",
           first->wait_line == other->wait_line ? "" : "s", first->wait_line);
  if (first->wait_line != other->wait_line) {
    size_t len = strlen(text);
    snprintf(text + len, sizeof text - len, " and %u", other->wait_line);
  }
  host_leave_block(CUDA_ERROR_LAUNCH_FAILED, text);
}

static void exchange(uint32_t base, uint32_t lanes)
{
  uint32_t other;
  if (host_exchange(&worker.threads[base], lanes, &other)) return;
  report_different(&worker.threads[base + (uint32_t)__builtin_ctz(lanes)],
                   &worker.threads[base + other]);
}

/* The threads of the block that wait at its barrier, all of them. */
static void exchange_block(void)
{
  const ck_host_thread_t *first = NULL;
  for (uint32_t i = 0; i < worker.block.size; ++i) {
    ck_host_thread_t *thread = &worker.threads[i];
    if (!worker.resume[i]) continue;
    if (!first) first = thread;
    if (thread->exchange != first->exchange ||
        (first->exchange == CK_HOST_EXCHANGE_same && thread->value != first->value))
      report_different(first, thread);
  }
  for (uint32_t i = 0; first && i < worker.block.size; ++i)
    worker.threads[i].exchange = CK_HOST_EXCHANGE_none;
}

/* Resumes every group of lanes that is complete, once. */
static bool release_warps(void)
{
  bool is_progress = false;
  for (uint32_t base = 0; base < worker.block.size; base += WARP) {
    uint32_t seen = 0; /* lanes that have been resumed in this round */
    for (uint32_t lane = 0; lane < WARP && base + lane < worker.block.size; ++lane) {
      if (seen >> lane & 1 || !worker.resume[base + lane] ||
          worker.threads[base + lane].wait != CK_HOST_WAIT_WARP)
        continue;
      uint32_t lanes = lanes_to_release(base, lane);
      seen |= lanes;
      is_progress |= lanes != 0;
      if (lanes) host_check_warp(base, lanes);
      if (lanes) exchange(base, lanes);
      worker.at_warp -= (uint32_t)__builtin_popcount(lanes);
      for (; lanes; lanes &= lanes - 1) step(base + (uint32_t)__builtin_ctz(lanes));
    }
  }
  return is_progress;
}

/* Until all threads have ended, or all that live wait for the grid. */
static void run_on(void)
{
  while (worker.live > worker.at_grid) {
    if (worker.at_block == worker.live) {
      worker.at_block = 0;
      host_check_block(is_waiting, worker.threads);
      exchange_block();
      for (uint32_t i = 0; i < worker.block.size; ++i)
        if (worker.resume[i]) step(i);
    } else if (worker.at_warp == 0 || !release_warps()) {
      report_deadlock();
    }
  }
}

static void run_threads(StartThread *start, void **args)
{
  uint32_t size = worker.block.size, i = 0;
  reserve_threads(size);
  worker.live = size;
  worker.at_block = worker.at_warp = worker.at_grid = 0;
  memset(worker.resume, 0, size * sizeof *worker.resume);
  for (uint32_t z = 0; z < worker.block.dim[2]; ++z)
    for (uint32_t y = 0; y < worker.block.dim[1]; ++y)
      for (uint32_t x = 0; x < worker.block.dim[0]; ++x, ++i) {
        worker.threads[i] = (ck_host_thread_t){.block = &worker.block, .id = {x, y, z}, .rank = i};
        note(i, (ResumeThread *)(uintptr_t)start(frame_of(i), args, &worker.threads[i]));
      }
  run_on();
}

static void run_block(uint64_t index)
{
  HostGrid *grid = worker.grid;
  const ManifestKernel *info = grid->kernel->info;
  uint64_t x = grid->grid_dim[0], y = grid->grid_dim[1];
  worker.block = (ck_host_block_t){
      .id = {(uint32_t)(index % x), (uint32_t)(index / x % y), (uint32_t)(index / x / y)},
      .dim = {grid->dim[0], grid->dim[1], grid->dim[2]},
      .grid_dim = {grid->grid_dim[0], grid->grid_dim[1], grid->grid_dim[2]},
      .size = grid->block_threads,
      .owner = &worker};
  reserve_shared(info->shared_bytes, grid->dynamic_bytes);
  for (Chunk *chunk = worker.chunks; chunk; chunk = chunk->next) chunk->used = 0;
  if (info->is_coroutine) run_threads((StartThread *)(uintptr_t)grid->kernel->entry, grid->args);
  else ((PlainKernel *)(uintptr_t)grid->kernel->entry)(grid->args, &worker.block);
}

bool host_run_block(HostGrid *grid, uint64_t index)
{
  worker.grid = grid;
  if (setjmp(escape)) return false;
  run_block(index);
  return true;
}

/* cooperative grids ---------------------------------------------------------------------------- */

/* The worker that the blocks of the grid displaced. */
static _Thread_local HostWorker displaced;
static _Thread_local uint64_t grid_at; /* the block that runs */

static void release_grid(void)
{
  for (uint64_t i = 0; i < worker.block.size; ++i)
    if (worker.resume[i]) {
      --worker.at_grid;
      step((uint32_t)i);
    }
}

/* Starts every block, then lets all go on together until all have ended. */
static void run_blocks_together(HostGrid *grid)
{
  bool is_waiting = true;
  for (grid_at = 0; grid_at < grid->block_count; ++grid_at) {
    worker = (HostWorker){.grid = grid};
    run_block(grid_at);
    grid_blocks[grid_at] = worker;
  }
  while (is_waiting) {
    uint64_t waiting = 0;
    for (uint64_t i = 0; i < grid->block_count; ++i) waiting += grid_blocks[i].live > 0;
    is_waiting = waiting > 0;
    for (grid_at = 0; is_waiting && grid_at < grid->block_count; ++grid_at) {
      worker = grid_blocks[grid_at];
      if (waiting != grid->block_count) { /* some have ended */
        if (worker.live) report_deadlock();
        continue;
      }
      host_check_resume(worker.first_epoch);
      release_grid();
      run_on();
      grid_blocks[grid_at] = worker;
    }
  }
}

bool host_run_grid(HostGrid *grid)
{
  volatile bool is_good = true; /* a fault comes back by longjmp */
  size_t bytes = (size_t)grid->block_count * sizeof *grid_blocks;
  displaced = worker;
  worker.grid = grid;
  grid_blocks = memory_new(bytes);
  if (grid_blocks) memset(grid_blocks, 0, bytes);
  if (setjmp(escape)) {
    is_good = false;
    if (grid_blocks) grid_blocks[grid_at] = worker;
  } else if (!grid_blocks) {
    grid_at = 0;
    out_of_memory();
  } else {
    run_blocks_together(grid);
  }
  for (uint64_t i = 0; grid_blocks && i < grid->block_count; ++i) {
    worker = grid_blocks[i];
    host_free_worker();
  }
  memory_free(grid_blocks);
  grid_blocks = NULL;
  worker = displaced;
  return is_good;
}
