/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* host_check.c - what checked host code tells the device: races, reads of shared memory that nobody
 * wrote, barriers that threads of a block reach at different places.
 *
 * Each byte has a cell that knows its last write and two last reads by different threads: thread,
 * epoch, clock, place (after FastTrack: Flanagan, Freund, PLDI 2009). The epoch is the number of
 * the block's barrier: accesses of different epochs are ordered. Within one, a lane's vector clock
 * of its warp says what it has seen: lanes that wait for each other take the latest of each entry,
 * then step their own. Two accesses of one byte that nothing orders, one of them a write, are a
 * race, unless both are atomic. A thread that has passed a fence since its access may have told
 * another one, if that has passed a fence too: such pairs are let go, so what fences and atomics do
 * order is never reported, and some of what they don't isn't either.
 *
 * Cells lie in pages that are found by their address. Each CPU thread runs one block at a time and
 * has pages of its own, so accesses of different blocks are not compared.
 */
#define _GNU_SOURCE /* pthread_getattr_np */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "host.h"

enum { WARP = 32, THREADS_MAX = 1024, PAGE_BYTES = 256, SLOTS = 1 << 12, PAGES_MAX = 1 << 12 };

typedef struct Event {
  const ck_host_site_t *site;
  uint32_t epoch; /* 0: none */
  uint32_t clock;
  uint32_t thread;
  uint32_t fences; /* that the thread had passed */
  bool is_atomic;
} Event;

typedef struct Cell {
  Event write, reads[2];
  Event copy; /* that is under way to it; site NULL: none */
} Cell;

/* A memcpy_async that its thread has not waited for. */
typedef struct Copy {
  struct Copy *next; /* an earlier one */
  const ck_host_site_t *site;
  uint64_t to;
  uint32_t bytes;
  uint32_t group; /* commits before it */
} Copy;

typedef struct Page {
  struct Page *next;
  uint64_t number; /* address / PAGE_BYTES */
  Cell cells[PAGE_BYTES];
} Page;

typedef struct Checker {
  const ck_host_block_t *block;
  size_t shared_bytes;
  uint32_t first_epoch, epoch; /* of the block; now */
  bool has_clocks;             /* lanes of a warp have met in this block */
  uint32_t page_count;
  Page **slots; /* SLOTS lists */
  Page *last;
  uint32_t (*clocks)[WARP];     /* of each thread: what it has seen of its warp's lanes */
  uint32_t *fences;             /* of each thread: how many it has passed in this block */
  const ck_host_site_t **waits; /* of each thread: where it waits for the block */
  Copy **copies;                /* of each thread: those under way, the last one first */
  uint32_t *commits;            /* of each thread: how many in this block */
  uint64_t stack_start, stack_end;
} Checker;

static _Thread_local Checker checker;

static void drop_pages(void)
{
  for (uint32_t i = 0; checker.slots && i < SLOTS; ++i) {
    for (Page *page = checker.slots[i], *next; page; page = next) {
      next = page->next;
      memory_free(page);
    }
    checker.slots[i] = NULL;
  }
  checker.last = NULL;
  checker.page_count = 0;
}

static void drop_copies(void)
{
  for (uint32_t i = 0; checker.copies && i < THREADS_MAX; ++i) {
    for (Copy *copy = checker.copies[i], *next; copy; copy = next) {
      next = copy->next;
      memory_free(copy);
    }
    checker.copies[i] = NULL;
  }
}

void host_check_free(void)
{
  drop_pages();
  drop_copies();
  memory_free(checker.copies);
  memory_free(checker.commits);
  memory_free(checker.slots);
  memory_free(checker.clocks);
  memory_free(checker.waits);
  memory_free(checker.fences);
  checker = (Checker){0};
}

static void find_stack(void)
{
  pthread_attr_t attributes;
  void *start;
  size_t bytes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  if (pthread_attr_getstack(&attributes, &start, &bytes) == 0) {
    checker.stack_start = (uint64_t)(uintptr_t)start;
    checker.stack_end = checker.stack_start + bytes;
  }
  pthread_attr_destroy(&attributes);
}

/* Of what a checked build alone needs. */
static void reserve(void)
{
  if (checker.slots) return;
  find_stack();
  checker.slots = memory_new(SLOTS * sizeof *checker.slots);
  checker.clocks = memory_new(THREADS_MAX * sizeof *checker.clocks);
  checker.waits = memory_new(THREADS_MAX * sizeof *checker.waits);
  checker.fences = memory_new(THREADS_MAX * sizeof *checker.fences);
  checker.copies = memory_new(THREADS_MAX * sizeof *checker.copies);
  checker.commits = memory_new(THREADS_MAX * sizeof *checker.commits);
  if (checker.slots && checker.clocks && checker.waits && checker.fences && checker.copies &&
      checker.commits)
    return;
  host_check_free();
  host_leave_block(CUDA_ERROR_LAUNCH_FAILED, "host memory is out in a block");
}

static Page *page_of(uint64_t address);

/* What a thread has not waited for when its block is left is taken to be there. */
static void forget_copies(void)
{
  for (uint32_t i = 0; i < THREADS_MAX; ++i)
    for (const Copy *copy = checker.copies[i]; copy; copy = copy->next)
      for (uint32_t k = 0; k < copy->bytes; ++k)
        page_of(copy->to + k)->cells[(copy->to + k) % PAGE_BYTES].copy.site = NULL;
  drop_copies();
}

void host_check_resume(uint32_t first_epoch)
{
  checker.first_epoch = first_epoch;
  checker.has_clocks = false;
  ++checker.epoch;
}

/* Returns what host_check_resume takes. */
uint32_t host_check_start(const ck_host_block_t *block, size_t shared_bytes, bool may_forget)
{
  checker.block = block;
  checker.shared_bytes = shared_bytes;
  checker.has_clocks = false;
  if (!checker.slots) return checker.first_epoch = checker.epoch = 1;
  forget_copies();
  bool is_full = checker.page_count > PAGES_MAX || checker.epoch > UINT32_MAX / 2;
  if (is_full && may_forget) {
    drop_pages();
    checker.epoch = 0;
  }
  checker.first_epoch = ++checker.epoch;
  memset(checker.commits, 0, THREADS_MAX * sizeof *checker.commits);
  memset(checker.waits, 0, THREADS_MAX * sizeof *checker.waits);
  memset(checker.fences, 0, THREADS_MAX * sizeof *checker.fences);
  return checker.first_epoch;
}

/* messages ----------------------------------------------------------------------------------- */

/* Ends the block: "FILE:LINE:COL: block: [0,0,0], thread: [3,0,0] " and what is at fault. */
PRINTF_LIKE(3, 4)
_Noreturn static void complain(const ck_host_thread_t *thread, const ck_host_site_t *site,
                               const char *format, ...)
{
  char text[512];
  const uint32_t *block = checker.block->id;
  size_t len = (size_t)snprintf(
      text, sizeof text, "%s:%u:%u: block: [%u,%u,%u], thread: [%u,%u,%u] ", site->file, site->line,
      site->col, block[0], block[1], block[2], thread->id[0], thread->id[1], thread->id[2]);
  va_list args;
  va_start(args, format);
  if (len < sizeof text) vsnprintf(text + len, sizeof text - len, format, args);
  va_end(args);
  host_leave_block(CUDA_ERROR_ASSERT, text);
}

static void thread_ids(uint32_t rank, uint32_t ids[3])
{
  const uint32_t *dim = checker.block->dim;
  ids[0] = rank % dim[0];
  ids[1] = rank / dim[0] % dim[1];
  ids[2] = rank / dim[0] / dim[1];
}

void ck_host_check(const ck_host_thread_t *thread, const char *format, uint64_t a, uint64_t b)
{
  char text[512];
  const uint32_t *block = thread->block->id;
  snprintf(text, sizeof text, format, block[0], block[1], block[2], thread->id[0], thread->id[1],
           thread->id[2], a, b);
  host_leave_block(CUDA_ERROR_ASSERT, text);
}

_Noreturn static void report_race(const ck_host_thread_t *thread, const ck_host_site_t *site,
                                  bool is_write, const Event *event, bool was_write)
{
  uint32_t other[3];
  thread_ids(event->thread, other);
  complain(thread, site,
           "race: '%s' %s '%s', which thread [%u,%u,%u] %s by '%s' at %s:%u:%u, and no barrier "
           "is between",
           site->text, is_write ? "writes" : "reads", site->name, other[0], other[1], other[2],
           was_write ? "writes" : "reads", event->site->text, event->site->file, event->site->line,
           event->site->col);
}

_Noreturn static void report_unwritten(const ck_host_thread_t *thread, const ck_host_site_t *site)
{
  complain(thread, site, "'%s' reads what no thread has written so far of the shared variable '%s'",
           site->text, site->name);
}

_Noreturn static void report_copying(const ck_host_thread_t *thread, const ck_host_site_t *site,
                                     bool is_write, const Event *copy)
{
  uint32_t other[3];
  thread_ids(copy->thread, other);
  complain(thread, site,
           "'%s' %s '%s', to which thread [%u,%u,%u] copies by '%s' at %s:%u:%u, and has not "
           "waited for that",
           site->text, is_write ? "writes" : "reads", site->name, other[0], other[1], other[2],
           copy->site->text, copy->site->file, copy->site->line, copy->site->col);
}

/* accesses ----------------------------------------------------------------------------------- */

static Page *page_of(uint64_t address)
{
  uint64_t number = address / PAGE_BYTES;
  if (checker.last && checker.last->number == number) return checker.last;
  Page **slot = &checker.slots[(number ^ number >> 12) % SLOTS], *page = *slot;
  while (page && page->number != number) page = page->next;
  if (!page) {
    page = memory_new(sizeof *page);
    if (!page) host_leave_block(CUDA_ERROR_LAUNCH_FAILED, "host memory is out in a block");
    page->next = *slot;
    page->number = number;
    *slot = page;
    ++checker.page_count;
  }
  return checker.last = page;
}

/* Whether something orders the event before what the thread does now. */
static bool is_ordered(const Event *event, uint32_t thread)
{
  if (event->epoch != checker.epoch || event->thread == thread) return true;
  if (checker.fences[event->thread] > event->fences && checker.fences[thread]) return true;
  if (!checker.has_clocks || event->thread / WARP != thread / WARP) return false;
  return checker.clocks[thread][event->thread % WARP] >= event->clock;
}

static bool is_race(const Event *event, const Event *now)
{
  return !(event->is_atomic && now->is_atomic) && !is_ordered(event, now->thread);
}

static void check_byte(Cell *cell, const ck_host_thread_t *thread, const Event *now, uint32_t flags,
                       bool is_shared)
{
  bool is_write = flags & CK_HOST_ACCESS_WRITE;
  if (cell->copy.site && cell->copy.epoch >= checker.first_epoch)
    report_copying(thread, now->site, is_write, &cell->copy);
  if (is_shared && flags & CK_HOST_ACCESS_READ && cell->write.epoch < checker.first_epoch)
    report_unwritten(thread, now->site);
  if (is_race(&cell->write, now)) report_race(thread, now->site, is_write, &cell->write, true);
  if (!is_write) {
    /* Two that nothing orders are enough: any write conflicts with one of them. */
    cell->reads[!is_ordered(&cell->reads[0], now->thread)] = *now;
    return;
  }
  for (int i = 0; i < 2; ++i)
    if (is_race(&cell->reads[i], now)) report_race(thread, now->site, true, &cell->reads[i], false);
  cell->write = *now;
}

static bool is_shared_byte(uint64_t address)
{
  return address - (uint64_t)(uintptr_t)checker.block->shared < checker.shared_bytes;
}

static Event event_now(const ck_host_thread_t *thread, const ck_host_site_t *site, bool is_atomic)
{
  uint32_t rank = thread->rank;
  return (Event){.site = site,
                 .epoch = checker.epoch,
                 .clock = checker.has_clocks ? checker.clocks[rank][rank % WARP] : 1,
                 .thread = rank,
                 .fences = checker.fences[rank],
                 .is_atomic = is_atomic};
}

static Cell *cell_of(uint64_t address)
{
  return &page_of(address)->cells[address % PAGE_BYTES];
}

void ck_host_access(const ck_host_thread_t *thread, const ck_host_site_t *site, const void *memory,
                    uint64_t bytes, uint32_t flags)
{
  uint64_t address = (uint64_t)(uintptr_t)memory;
  bool is_shared = is_shared_byte(address);
  reserve();
  if (!is_shared && (address - checker.stack_start < checker.stack_end - checker.stack_start ||
                     host_is_own(address)))
    return;
  Event now = event_now(thread, site, flags & CK_HOST_ACCESS_ATOMIC);
  for (uint64_t i = 0; i < bytes; ++i)
    check_byte(cell_of(address + i), thread, &now, flags, is_shared);
}

void ck_host_fence(const ck_host_thread_t *thread)
{
  reserve();
  ++checker.fences[thread->rank];
}

/* asynchronous copies ------------------------------------------------------------------------ */

void ck_host_copy(const ck_host_thread_t *thread, const ck_host_site_t *site, const void *to,
                  const void *from, uint32_t bytes, uint32_t given)
{
  uint64_t address = (uint64_t)(uintptr_t)to;
  reserve();
  if (!is_shared_byte(address))
    complain(thread, site, "'%s' copies to what is not shared", site->text);
  if (address % bytes || (uint64_t)(uintptr_t)from % bytes)
    complain(thread, site, "'%s' copies %u bytes, to which both sides must be aligned", site->text,
             bytes);
  ck_host_access(thread, site, from, given, CK_HOST_ACCESS_READ);
  ck_host_access(thread, site, to, bytes, CK_HOST_ACCESS_WRITE);
  Copy *copy = memory_new(sizeof *copy);
  if (!copy) host_leave_block(CUDA_ERROR_LAUNCH_FAILED, "host memory is out in a block");
  *copy = (Copy){checker.copies[thread->rank], site, address, bytes, checker.commits[thread->rank]};
  checker.copies[thread->rank] = copy;
  Event now = event_now(thread, site, false);
  for (uint32_t i = 0; i < bytes; ++i) cell_of(address + i)->copy = now;
}

void ck_host_copy_commit(const ck_host_thread_t *thread, uint32_t unused)
{
  (void)unused;
  reserve();
  ++checker.commits[thread->rank];
}

/* It is there now: as if the thread had written it. */
static void end_copy(const ck_host_thread_t *thread, const Copy *copy)
{
  Event now = event_now(thread, copy->site, false);
  for (uint32_t i = 0; i < copy->bytes; ++i) {
    Cell *cell = cell_of(copy->to + i);
    cell->copy.site = NULL;
    cell->write = now;
  }
}

void ck_host_copy_wait(const ck_host_thread_t *thread, uint32_t prior)
{
  reserve();
  uint32_t commits = checker.commits[thread->rank];
  Copy **slot = &checker.copies[thread->rank];
  while (*slot && prior && (*slot)->group + prior >= commits) slot = &(*slot)->next;
  Copy *copy = *slot;
  *slot = NULL;
  for (Copy *next; copy; copy = next) {
    next = copy->next;
    end_copy(thread, copy);
    memory_free(copy);
  }
}

/* barriers ----------------------------------------------------------------------------------- */

void ck_host_wait(const ck_host_thread_t *thread, const ck_host_site_t *site)
{
  reserve();
  checker.waits[thread->rank] = site;
}

static bool is_same_place(const ck_host_site_t *a, const ck_host_site_t *b)
{
  return a == b || (a->line == b->line && a->col == b->col && !strcmp(a->file, b->file));
}

void host_check_block(bool (*is_waiting)(uint32_t thread), const ck_host_thread_t *threads)
{
  ++checker.epoch;
  const ck_host_site_t *first = NULL;
  for (uint32_t i = 0; checker.waits && i < checker.block->size; ++i) {
    const ck_host_site_t *site = is_waiting(i) ? checker.waits[i] : NULL;
    if (!first) first = site;
    if (!site || is_same_place(first, site)) continue;
    uint32_t other = 0;
    while (!is_waiting(other)) ++other;
    complain(&threads[i], site,
             "divergent barrier: the thread waits at '%s', and thread [%u,%u,%u] at '%s', "
             "%s:%u:%u",
             site->text, threads[other].id[0], threads[other].id[1], threads[other].id[2],
             first->text, first->file, first->line, first->col);
  }
}

void host_check_warp(uint32_t base, uint32_t lanes)
{
  if (!checker.slots) return;
  if (!checker.has_clocks) {
    memset(checker.clocks, 0, THREADS_MAX * sizeof *checker.clocks);
    for (uint32_t i = 0; i < checker.block->size; ++i) checker.clocks[i][i % WARP] = 1;
    checker.has_clocks = true;
  }
  uint32_t latest[WARP] = {0};
  for (uint32_t left = lanes; left; left &= left - 1) {
    const uint32_t *seen = checker.clocks[base + (uint32_t)__builtin_ctz(left)];
    for (uint32_t lane = 0; lane < WARP; ++lane)
      if (seen[lane] > latest[lane]) latest[lane] = seen[lane];
  }
  for (uint32_t left = lanes; left; left &= left - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(left);
    memcpy(checker.clocks[base + lane], latest, sizeof latest);
    ++checker.clocks[base + lane][lane];
  }
}
