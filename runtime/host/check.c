/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* check.c - detects data races, reads of unwritten shared memory and divergent barriers in checked
 * builds (ckc -check).
 *
 * Checked host code calls ck_host_access before each access to shared or global memory. The
 * detector follows FastTrack (Flanagan and Freund, PLDI 2009): each word of memory has a shadow
 * cell with its last write and two of its reads: if reads are not ordered, the first and the last
 * of them. Such an event has
 *
 *   thread   who accessed
 *   epoch    a number that increases at each barrier of a block or cluster, and when the CPU thread
 *            goes on with another block
 *   clock    the thread's own entry in its vector clock at that time
 *   place    the expression in the source
 *
 * Two accesses to one byte that are not ordered, one of which is a write, are a race, unless both
 * are atomic. What orders them depends on who the threads are:
 *
 *   two warps of a block     a barrier: the epochs differ
 *   two lanes of a warp      a barrier, or a vector clock
 *   two blocks of a cluster  a barrier of the cluster only: the earlier epoch is below sync_epoch
 *   two clusters             they are not compared
 *
 * Vector clocks: clocks[t][l] is the latest clock of lane l that thread t has synchronised with. It
 * begins as 1 for the thread's own lane and as 0 for the others. When lanes wait for each other by
 * warp.sync(), each takes the maximum of their clocks in every entry and then increments its own.
 * They meet for a shuffle or vote too, but that orders no accesses to memory. An earlier event of
 * lane l is ordered before the current access of thread t if clocks[t][l] >= event.clock:
 *
 *   thread 0   s[0] = 1       event {thread 0, epoch 4, clock 1}
 *   thread 1   x = s[0]       race: same epoch, and clocks[1][0] = 0 < 1
 *
 *   with warp.sync() between the two     no race: clocks[1][0] = 1 >= 1
 *   with block.sync() between the two    no race: the epoch is 5
 *
 * Fences are treated conservatively. If the first thread has passed a fence since its access and
 * the second one has passed any fence, a flag may have ordered them, and no race is reported. So
 * synchronisation by fences and atomics is never reported falsely, and some races are missed. A
 * lane may pass the fence for others of its warp: for the first thread if its access is ordered
 * before that lane, for the second one if its clock of that lane is not 0.
 * Between blocks a fence of any thread of the block counts, since that thread may have synchronised
 * with the accessing thread before.
 *
 * Other errors:
 * - A read of shared memory is one of unwritten memory if the cell has no write since the cluster
 *   or cooperative grid began, or since the last barrier before its variable's declaration.
 * - Each thread notes the place where it waits for its block or cluster. When all wait, the barrier
 *   is divergent if two places differ, or if a thread of a waiting block has ended.
 * - A memcpy_async marks the cells that it writes until its thread has waited for it, a bulk copy
 *   until some thread has waited for its mbarrier. Any access to such a cell is an error.
 * - An access to another block's shared memory is an error if that block has ended, or ends without
 *   a barrier of the cluster behind the access. So is an access to no memory, or to virtual memory
 *   without the permission.
 *
 * Cells lie in pages that are found through a hash table of addresses. Most accesses are to whole
 * words of four bytes, whose bytes have the same history, so a page begins with a cell for each
 * word. The first access to a part of a word gives the page a cell for each byte, which begins as a
 * copy of its word's:
 *
 *   f32 s[64]   64 cells      s[1] = x checks one of them
 *   u8 s[256]   256 cells     s[1] = x checks one of them, an access to s[4..8) four
 *
 * Each CPU thread has its own pages and executes one team at a time: the blocks of a cluster, or
 * all blocks of a cooperative grid. Epochs count on from team to team, so cells need not be
 * cleared. Beyond PAGES_MAX pages, the history of global memory is discarded.
 */
#define _GNU_SOURCE /* pthread_getattr_np */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "code/manifest.h"
#include "host.h"

/* A page has the cells of PAGE_BYTES bytes. SLOTS, RECENT and BEGUN are the sizes of hash
 * tables; BEGUN has room for the shared variables that a block declares between two barriers, of
 * which the library's largest kernels have 40. THREADS_MAX is CUDA's limit for a block. */
enum { WARP = 32, THREADS_MAX = 1024, PAGE_BYTES = 256, SLOTS = 1 << 12, RECENT = 256 };
enum { WORD_BYTES = 4, PAGE_WORDS = PAGE_BYTES / WORD_BYTES };
enum { BEGUN = 256, BEGUN_PROBES = 16 };
/* Limits for each CPU thread: the pages that it keeps from block to block, and the pages that a
 * block may use. PAGES_MAX pages cover 2 MiB of memory. They take 48 MiB, and 192 MiB more if all
 * of them have a cell for each byte. Their memory is allocated SLAB_BYTES at a time: an allocation
 * of a page in a thread that is not the first one takes a system call for each page. */
enum { PAGES_KEPT = 1 << 12, PAGES_MAX = 1 << 13, SLAB_BYTES = 1 << 20 };
/* Addresses below this are not mapped. ck_host_map returns NULL for a block that does not exist, so
 * an index into its shared memory gives a small address. */
enum { NO_MEMORY = 256 << 10 };

/* The source place of an access. */
typedef struct Place {
  const ck_host_site_t *site;
  const ck_host_site_t *caller; /* if site is in the CK library, the call in the user's program;
                                 * or NULL */
} Place;

typedef struct Event {
  uint32_t place; /* index into checker.places; 0: none */
  uint32_t epoch; /* 0: none */
  uint32_t clock;
  uint32_t thread; /* index among the threads of all blocks of the team */
  uint32_t fences; /* number of fences before it */
  bool is_atomic;
} Event;

typedef struct Cell {
  Event write, reads[2];
  Event copy; /* a memcpy_async to it that is in progress; place 0: none */
} Cell;

/* A memcpy_async for which its thread has not waited, or a bulk copy for which no thread has. */
typedef struct Copy {
  struct Copy *next; /* an earlier one */
  uint32_t place;
  uint64_t to;
  uint32_t bytes;
  uint32_t group;      /* number of commits before it */
  const void *barrier; /* the mbarrier of a bulk copy; NULL for memcpy_async */
} Copy;

/* State of one block of the team. */
typedef struct BlockState {
  uint32_t last_fence; /* number of the last fence of one of its threads; 0: none */
  bool has_ended;
  Event visit; /* the last access to its shared memory by another block */
} BlockState;

/* A shared variable whose declaration a thread has passed. The other threads pass it in the same
 * epoch, so that only the first one has an effect. */
typedef struct Begun {
  uint64_t address, bytes;
  uint32_t epoch;
} Begun;

/* The cells of a page's bytes. */
typedef struct Parts {
  struct Parts *next; /* in the free list */
  Cell cells[PAGE_BYTES];
} Parts;

typedef struct Page {
  struct Page *next;
  uint64_t number; /* address / PAGE_BYTES */
  Parts *parts;    /* NULL: only whole words have been accessed */
  Cell words[PAGE_WORDS];
} Page;

/* Memory of pages and parts. */
typedef struct Slab {
  struct Slab *next;
  size_t used; /* of data */
  unsigned char data[SLAB_BYTES];
} Slab;

typedef struct Checker {
  const HostGrid *grid;
  uint64_t grid_number;
  const ck_host_block_t *block; /* the running block */
  uint32_t at;                  /* its index in the team */
  uint32_t block_count, thread_count;
  uint32_t block_room, thread_room; /* capacity of the arrays */
  uint64_t shared_start;
  size_t shared_bytes;         /* of all blocks of the team */
  uint32_t first_epoch, epoch; /* at the start of the team; now */
  uint32_t sync_epoch;         /* epoch of the last barrier of the cluster */
  uint32_t fence_count;
  bool has_clocks;                 /* lanes of a warp have met in this block: `clocks` is in use */
  uint32_t page_count, page_bound; /* their number, and its limit */
  Page **slots;                    /* hash table: SLOTS lists */
  Page *last;
  Page *spare; /* free list */
  Parts *spare_parts;
  Slab *slabs; /* the newest first */
  /* For each thread of the block, the latest clock that it has seen of each lane of its warp. */
  uint32_t (*clocks)[WARP];
  BlockState *blocks;     /* for each block of the team */
  uint32_t *last_fences;  /* for each thread of the team: number of its last fence, 0: none */
  Place *waits;           /* for each: the barrier at which it waits */
  Copy **copies;          /* for each: copies in progress, the newest first */
  uint32_t *commits;      /* for each: number of commits */
  uint32_t first_waiting; /* the first waiting thread that host_check_wait saw */
  uint64_t stack_start, stack_end;
  Place *places; /* source places in this launch; 0 is none */
  uint32_t place_count, place_room;
  uint32_t recent[RECENT]; /* cache of indices of places, by hash */
  Begun begun[BEGUN];      /* by hash of the address */
} Checker;

static _Thread_local Checker checker;

/* The thread's checker. In a shared library the address of a thread-local variable is a call, which
 * gcc repeats at each use, so functions that run at each access pass the address on. */
__attribute__((noinline)) static Checker *own_checker(void)
{
  return &checker;
}

/* Whether a page covers shared memory. Its cells must not be discarded, since they also record
 * which bytes were written. */
static bool is_shared_page(const Page *page)
{
  uint64_t start = page->number * PAGE_BYTES;
  return start + PAGE_BYTES > checker.shared_start &&
         start < checker.shared_start + checker.shared_bytes;
}

/* Moves pages to the free list: all pages, or those without shared memory. */
static void forget_pages(bool are_shared_kept)
{
  for (uint32_t i = 0; checker.slots && i < SLOTS; ++i) {
    Page **link = &checker.slots[i];
    for (Page *page; (page = *link);) {
      if (are_shared_kept && is_shared_page(page)) {
        link = &page->next;
        continue;
      }
      *link = page->next;
      if (page->parts) {
        page->parts->next = checker.spare_parts;
        checker.spare_parts = page->parts;
      }
      page->next = checker.spare;
      checker.spare = page;
      --checker.page_count;
    }
  }
  checker.last = NULL;
}

static void drop_pages(void)
{
  forget_pages(false);
  for (Slab *slab = checker.slabs, *next; slab; slab = next) {
    next = slab->next;
    memory_free(slab);
  }
  checker.slabs = NULL;
  checker.spare = NULL;
  checker.spare_parts = NULL;
}

static void drop_copies(void)
{
  for (uint32_t i = 0; checker.copies && i < checker.thread_room; ++i) {
    for (Copy *copy = checker.copies[i], *next; copy; copy = next) {
      next = copy->next;
      memory_free(copy);
    }
    checker.copies[i] = NULL;
  }
}

static void free_arrays(void)
{
  drop_copies();
  memory_free(checker.blocks);
  memory_free(checker.copies);
  memory_free(checker.commits);
  memory_free(checker.waits);
  memory_free(checker.last_fences);
  checker.blocks = NULL;
  checker.copies = NULL;
  checker.commits = checker.last_fences = NULL;
  checker.waits = NULL;
  checker.block_room = checker.thread_room = 0;
}

void host_check_free(void)
{
  drop_pages();
  free_arrays();
  memory_free(checker.places);
  memory_free(checker.slots);
  memory_free(checker.clocks);
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

_Noreturn static void out_of_memory(void)
{
  host_leave_block(CUDA_ERROR_LAUNCH_FAILED,
                   "host memory is out in a block that is checked (-check)");
}

static void reserve_arrays(void)
{
  uint32_t threads = checker.thread_count, blocks = checker.block_count;
  if (threads <= checker.thread_room && blocks <= checker.block_room) return;
  free_arrays();
  checker.blocks = memory_new(blocks * sizeof *checker.blocks);
  checker.waits = memory_new(threads * sizeof *checker.waits);
  checker.last_fences = memory_new(threads * sizeof *checker.last_fences);
  checker.copies = memory_new(threads * sizeof *checker.copies);
  checker.commits = memory_new(threads * sizeof *checker.commits);
  checker.block_room = blocks;
  checker.thread_room = threads;
  if (checker.blocks && checker.waits && checker.last_fences && checker.copies && checker.commits)
    return;
  free_arrays();
  out_of_memory();
}

/* Allocates the checker's memory at the first checked event. */
static void reserve(void)
{
  if (checker.slots) return;
  host_guard_hold();
  find_stack();
  reserve_arrays();
  checker.page_bound = PAGES_MAX;
  checker.slots = memory_new(SLOTS * sizeof *checker.slots);
  checker.clocks = memory_new(THREADS_MAX * sizeof *checker.clocks);
  checker.places = memory_new(RECENT * sizeof *checker.places);
  checker.place_room = RECENT;
  checker.place_count = 1;
  host_guard_release();
  if (checker.slots && checker.clocks && checker.places) return;
  memory_free(checker.slots);
  memory_free(checker.clocks);
  memory_free(checker.places);
  checker.slots = NULL;
  checker.clocks = NULL;
  checker.places = NULL;
  out_of_memory();
}

static Cell *cells_at(Checker *own, uint64_t address, uint64_t bytes, uint32_t *out_bytes);

/* The index of a place. Events store that instead of two pointers, since there are millions of
 * events. `recent` caches the last lookups. */
static uint32_t place_number(Checker *own, const ck_host_site_t *site, const ck_host_site_t *caller)
{
  uint64_t hash = (uint64_t)(uintptr_t)site * 5 ^ (uint64_t)(uintptr_t)caller;
  uint32_t *slot = &own->recent[(hash ^ hash >> 9) >> 3 & (RECENT - 1)];
  const Place *known = &own->places[*slot];
  if (known->site == site && known->caller == caller) return *slot;
  for (uint32_t i = 1; i < own->place_count; ++i)
    if (own->places[i].site == site && own->places[i].caller == caller) return *slot = i;
  if (own->place_count == own->place_room) {
    uint32_t room = 2 * own->place_room;
    host_guard_hold();
    Place *places = memory_new(room * sizeof *places);
    host_guard_release();
    if (!places) out_of_memory();
    memcpy(places, own->places, own->place_count * sizeof *places);
    memory_free(own->places);
    own->places = places;
    own->place_room = room;
  }
  own->places[own->place_count] = (Place){site, caller};
  return *slot = own->place_count++;
}

static void forget_places(void)
{
  memset(checker.recent, 0, sizeof checker.recent);
  checker.place_count = 1;
}

/* Completes the copies for which no thread has waited when the team ends. */
static void forget_copies(void)
{
  for (uint32_t i = 0; i < checker.thread_room; ++i)
    for (const Copy *copy = checker.copies[i]; copy; copy = copy->next)
      for (uint32_t k = 0, size; k < copy->bytes; k += size)
        cells_at(&checker, copy->to + k, copy->bytes - k, &size)->copy.place = 0;
  drop_copies();
}

/* Epochs count on from group to group, so events of earlier groups are recognised by their smaller
 * epoch, and the pages need not be cleared. They are dropped only when there are too many, or when
 * the epoch could overflow. */
void host_check_start(const HostGrid *grid, uint32_t count, const ck_host_block_t *first)
{
  if (checker.slots) forget_copies();
  if (checker.slots && grid->number != checker.grid_number) forget_places();
  checker.grid = grid;
  checker.grid_number = grid->number;
  checker.block_count = count;
  checker.thread_count = count * grid->block_threads;
  checker.shared_start = (uint64_t)(uintptr_t)first->shared;
  checker.shared_bytes = grid->shared_room * count;
  checker.fence_count = 0;
  checker.block = first;
  checker.at = 0;
  checker.has_clocks = false;
  if (!checker.slots) {
    checker.first_epoch = checker.sync_epoch = checker.epoch = 1;
    return;
  }
  if (checker.page_count > PAGES_KEPT || checker.epoch > UINT32_MAX / 2) {
    drop_pages();
    memset(checker.begun, 0, sizeof checker.begun);
    checker.epoch = 0;
  }
  checker.page_bound = PAGES_MAX;
  checker.first_epoch = checker.sync_epoch = ++checker.epoch;
  reserve_arrays();
  memset(checker.blocks, 0, count * sizeof *checker.blocks);
  memset(checker.commits, 0, checker.thread_count * sizeof *checker.commits);
  memset(checker.waits, 0, checker.thread_count * sizeof *checker.waits);
  memset(checker.last_fences, 0, checker.thread_count * sizeof *checker.last_fences);
}

void host_check_sync(void)
{
  checker.sync_epoch = ++checker.epoch;
}

void host_check_enter(const ck_host_block_t *block, uint32_t at)
{
  checker.block = block;
  checker.at = at;
  checker.has_clocks = false;
  ++checker.epoch;
}

/* messages ----------------------------------------------------------------------------------- */

/* The index of a thread among the threads of all blocks of the team. */
static uint32_t number_of(const ck_host_thread_t *thread)
{
  return checker.at * checker.grid->block_threads + thread->rank;
}

static uint32_t block_of(uint32_t number)
{
  return number / checker.grid->block_threads;
}

static void thread_ids(uint32_t number, uint32_t ids[3])
{
  const uint32_t *dim = checker.grid->dim, rank = number % checker.grid->block_threads;
  ids[0] = rank % dim[0];
  ids[1] = rank / dim[0] % dim[1];
  ids[2] = rank / dim[0] / dim[1];
}

typedef struct ThreadText {
  char text[96];
} ThreadText;

/* "[3,0,0]", or "[3,0,0] of block [1,0,0]" if the thread is not in block `at`. */
COLD static ThreadText thread_text(uint32_t number, uint32_t at)
{
  ThreadText out;
  uint32_t thread[3], block[3];
  thread_ids(number, thread);
  host_block_id(block_of(number), block);
  int len = snprintf(out.text, sizeof out.text, "[%u,%u,%u]", thread[0], thread[1], thread[2]);
  if (block_of(number) != at)
    snprintf(out.text + len, sizeof out.text - (size_t)len, " of block [%u,%u,%u]", block[0],
             block[1], block[2]);
  return out;
}

/* The place in the user's program: the call of the library, or the access itself. */
static const ck_host_site_t *seen_at(const Place *place)
{
  return place->caller ? place->caller : place->site;
}

static const char *memory_at(const Place *place)
{
  const char *own = place->site->name;
  return *own || !place->caller ? own : place->caller->name;
}

typedef struct NoteText {
  char text[160];
} NoteText;

/* " (in lib/block/load.ck:39)" for an access in the library. */
static NoteText note_at(const Place *place)
{
  NoteText out = {""};
  if (place->caller)
    snprintf(out.text, sizeof out.text, " (in %s:%u)", place->site->file, place->site->line);
  return out;
}

static Place place_at(uint32_t number)
{
  return checker.places[number];
}

/* Ends the block with the message "FILE:LINE:COL: block: [0,0,0], thread: [3,0,0] ...". */
PRINTF_LIKE(3, 4)
COLD _Noreturn static void complain(uint32_t number, const Place *place, const char *format, ...)
{
  char text[1024];
  uint32_t block[3], thread[3];
  const ck_host_site_t *site = seen_at(place);
  thread_ids(number, thread);
  host_block_id(block_of(number), block);
  size_t len = (size_t)snprintf(
      text, sizeof text, "%s:%u:%u: block: [%u,%u,%u], thread: [%u,%u,%u] ", site->file, site->line,
      site->col, block[0], block[1], block[2], thread[0], thread[1], thread[2]);
  va_list args;
  va_start(args, format);
  if (len < sizeof text) vsnprintf(text + len, sizeof text - len, format, args);
  va_end(args);
  host_leave_block(CUDA_ERROR_ASSERT, text);
}

void ck_host_check(const ck_host_thread_t *thread, const ck_host_site_t *caller, const char *format,
                   uint64_t a, uint64_t b)
{
  char text[512], said[512];
  const uint32_t *block = thread->block->id;
  snprintf(said, sizeof said, format, block[0], block[1], block[2], thread->id[0], thread->id[1],
           thread->id[2], a, b);
  char *mark = strchr(said, '\1');
  if (mark) *mark = 0;
  size_t len = 0;
  if (caller)
    len = (size_t)snprintf(text, sizeof text, "%s:%u:%u: %s: ", caller->file, caller->line,
                           caller->col, checker.grid->kernel->info->name);
  if (len < sizeof text)
    snprintf(text + len, sizeof text - len, "%s%s%s", said, mark && caller ? caller->text : "",
             mark ? mark + 1 : "");
  host_leave_block(CUDA_ERROR_ASSERT, text);
}

COLD _Noreturn static void report_race(const Event *now, bool is_write, const Event *event,
                                       bool was_write)
{
  Place here = place_at(now->place), there = place_at(event->place);
  const ck_host_site_t *other = seen_at(&there);
  complain(now->thread, &here,
           "race: '%s' %s '%s'%s, which thread %s %s by '%s' at %s:%u:%u%s, and no barrier is "
           "between",
           seen_at(&here)->text, is_write ? "writes" : "reads", memory_at(&here),
           note_at(&here).text, thread_text(event->thread, checker.at).text,
           was_write ? "writes" : "reads", other->text, other->file, other->line, other->col,
           note_at(&there).text);
}

_Noreturn static void report_unwritten(const Event *now)
{
  Place here = place_at(now->place);
  complain(now->thread, &here,
           "'%s' reads what no thread has written so far of the shared variable '%s'%s",
           seen_at(&here)->text, memory_at(&here), note_at(&here).text);
}

_Noreturn static void report_copying(const Event *now, bool is_write, const Event *copy)
{
  Place here = place_at(now->place), there = place_at(copy->place);
  const ck_host_site_t *other = seen_at(&there);
  complain(now->thread, &here,
           "'%s' %s '%s'%s, to which thread %s copies by '%s' at %s:%u:%u, and has not waited for "
           "that",
           seen_at(&here)->text, is_write ? "writes" : "reads", memory_at(&here),
           note_at(&here).text, thread_text(copy->thread, checker.at).text, other->text,
           other->file, other->line, other->col);
}

/* An access to the shared memory of a block that has ended, or that ends without a later barrier of
 * the cluster. */
_Noreturn static void report_ended(const Event *visit, uint32_t owner)
{
  uint32_t block[3];
  Place place = place_at(visit->place);
  host_block_id(owner, block);
  complain(visit->thread, &place,
           "'%s' accesses '%s' in the shared memory of block [%u,%u,%u], which may have ended by "
           "then: no cluster.sync() follows",
           seen_at(&place)->text, memory_at(&place), block[0], block[1], block[2]);
}

/* accesses ----------------------------------------------------------------------------------- */

/* Takes zeroed memory from the newest slab, or from a new one. */
static void *take_memory(size_t bytes)
{
  Slab *slab = checker.slabs;
  if (!slab || slab->used + bytes > SLAB_BYTES) {
    host_guard_hold();
    slab = memory_new(sizeof *slab);
    host_guard_release();
    if (!slab) out_of_memory();
    slab->next = checker.slabs;
    checker.slabs = slab;
  }
  void *memory = slab->data + slab->used;
  slab->used += bytes;
  return memory;
}

/* Takes an empty page. A team that uses too many pages loses the history of global memory, so that
 * some races are missed. Pages of shared memory are kept, since they record what is written; if
 * these alone reach the limit, the limit is raised. */
static Page *take_page(void)
{
  if (checker.page_count >= checker.page_bound) {
    forget_pages(true);
    checker.page_bound = checker.page_count + PAGES_MAX;
  }
  Page *page = checker.spare;
  if (!page) return take_memory(sizeof *page);
  checker.spare = page->next;
  return memset(page, 0, sizeof *page);
}

static Page *find_page(uint64_t number)
{
  Page **slot = &checker.slots[(number ^ number >> 12) % SLOTS], *page = *slot;
  while (page && page->number != number) page = page->next;
  if (!page) {
    page = take_page();
    slot = &checker.slots[(number ^ number >> 12) % SLOTS];
    page->next = *slot;
    page->number = number;
    *slot = page;
    ++checker.page_count;
  }
  return checker.last = page;
}

/* Gives each byte of a page a cell. */
static void part(Page *page)
{
  Parts *parts = checker.spare_parts;
  if (parts) checker.spare_parts = parts->next;
  else parts = take_memory(sizeof *parts);
  for (uint32_t i = 0; i < PAGE_BYTES; ++i) parts->cells[i] = page->words[i / WORD_BYTES];
  page->parts = parts;
}

/* The cell of the first of `bytes` bytes, and how many of them it stands for. */
static ALWAYS_INLINE Cell *cells_at(Checker *own, uint64_t address, uint64_t bytes,
                                    uint32_t *out_bytes)
{
  uint64_t number = address / PAGE_BYTES;
  Page *page = own->last;
  if (!page || page->number != number) page = find_page(number);
  if (!page->parts && (address % WORD_BYTES || bytes < WORD_BYTES)) part(page);
  *out_bytes = page->parts ? 1 : WORD_BYTES;
  return page->parts ? &page->parts->cells[address % PAGE_BYTES]
                     : &page->words[address % PAGE_BYTES / WORD_BYTES];
}

/* Whether a fence of the warp of `event`, and one of the warp of `thread`, may order the two
 * accesses. Both threads belong to the running block. */
static bool is_fenced(const Checker *own, const Event *event, uint32_t thread)
{
  uint32_t first = own->at * own->grid->block_threads, rank = thread - first,
           other = event->thread - first, block_threads = own->grid->block_threads;
  bool is_after = own->last_fences[event->thread] > event->fences, is_before = false;
  if (!own->has_clocks) return is_after && own->last_fences[thread];
  for (uint32_t lane = 0; lane < WARP; ++lane) {
    uint32_t to = rank / WARP * WARP + lane, from = other / WARP * WARP + lane;
    if (to < block_threads && own->clocks[rank][lane] && own->last_fences[first + to])
      is_before = true;
    if (from < block_threads && own->clocks[from][other % WARP] >= event->clock &&
        own->last_fences[first + from] > event->fences)
      is_after = true;
  }
  return is_after && is_before;
}

/* Whether an event is ordered before the current access of a thread. Since the last barrier of the
 * cluster, the blocks of no other cluster have run. */
static ALWAYS_INLINE bool is_ordered(const Checker *own, const Event *event, uint32_t thread)
{
  if (event->epoch < own->sync_epoch || event->thread == thread) return true;
  uint32_t first = own->at * own->grid->block_threads, rank = thread - first,
           other = event->thread - first;
  if (other >= own->grid->block_threads)
    return own->blocks[event->thread / own->grid->block_threads].last_fence > event->fences &&
           own->blocks[own->at].last_fence;
  if (event->epoch != own->epoch) return true;
  if (own->has_clocks && other / WARP == rank / WARP &&
      own->clocks[rank][other % WARP] >= event->clock)
    return true;
  return own->fence_count > event->fences && is_fenced(own, event, thread);
}

static ALWAYS_INLINE bool is_race(const Checker *own, const Event *event, const Event *now)
{
  return !(event->is_atomic && now->is_atomic) && !is_ordered(own, event, now->thread);
}

/* Records the thread's latest access. A plain access is kept if an atomic one of the same thread
 * follows it without synchronisation in between: it races with everything that the atomic one races
 * with, and with other atomic accesses too. */
static ALWAYS_INLINE void keep(Event *last, const Event *now)
{
  bool is_stretch = last->thread == now->thread && last->epoch == now->epoch &&
                    last->clock == now->clock && last->fences == now->fences;
  if (!(is_stretch && now->is_atomic && !last->is_atomic)) *last = *now;
}

static ALWAYS_INLINE void check_cell(const Checker *own, Cell *cell, const Event *now,
                                     uint32_t flags)
{
  bool is_write = flags & CK_HOST_ACCESS_WRITE;
  if (cell->copy.place && cell->copy.epoch >= own->first_epoch)
    report_copying(now, is_write, &cell->copy);
  if (is_race(own, &cell->write, now)) report_race(now, is_write, &cell->write, true);
  if (!is_write) {
    /* Two reads that are not ordered are enough: a later write races with at least one of them. */
    keep(&cell->reads[!is_ordered(own, &cell->reads[0], now->thread)], now);
    return;
  }
  for (int i = 0; i < 2; ++i)
    if (is_race(own, &cell->reads[i], now)) report_race(now, true, &cell->reads[i], false);
  keep(&cell->write, now);
}

static ALWAYS_INLINE bool is_shared_byte(const Checker *own, uint64_t address)
{
  return address - own->shared_start < own->shared_bytes;
}

/* The index of the block in whose shared memory the byte lies. */
static ALWAYS_INLINE uint32_t owner_of(const Checker *own, uint64_t address)
{
  return (uint32_t)((address - own->shared_start) / own->grid->shared_room);
}

/* Records an access to another block's shared memory, which exists only until that block ends. */
static void visit(uint32_t owner, const Event *now)
{
  checker.blocks[owner].visit = *now;
  if (checker.blocks[owner].has_ended) report_ended(now, owner);
}

void host_check_end(void)
{
  if (!checker.slots) return;
  BlockState *block = &checker.blocks[checker.at];
  block->has_ended = true;
  if (block->visit.epoch >= checker.sync_epoch) report_ended(&block->visit, checker.at);
}

static Event event_now(const Checker *own, const ck_host_thread_t *thread, uint32_t place,
                       bool is_atomic)
{
  uint32_t rank = thread->rank;
  return (Event){.place = place,
                 .epoch = own->epoch,
                 .clock = own->has_clocks ? own->clocks[rank][rank % WARP] : 1,
                 .thread = own->at * own->grid->block_threads + rank,
                 .fences = own->fence_count,
                 .is_atomic = is_atomic};
}

/* Reports an access to virtual memory for which the memory resource did not grant permission. */
static void check_permission(const Event *now, uint64_t address, uint64_t bytes, bool is_write)
{
  if (!host_find_forbidden(address, bytes, is_write)) return;
  Place place = place_at(now->place);
  complain(now->thread, &place, "'%s' %s '%s' in virtual memory that may not be %s",
           seen_at(&place)->text, is_write ? "writes" : "reads", memory_at(&place),
           is_write ? "written" : "read");
}

/* Whether another thread has passed the declaration of this shared variable in this epoch. An
 * entry of an earlier epoch is free, so a variable displaces no other one of this epoch, unless
 * BEGUN_PROBES entries in a row are in use. It would then be marked anew for each thread. */
static bool has_begun(uint64_t address, uint64_t bytes)
{
  uint64_t hash = (address ^ bytes << 40) * 0x9e3779b97f4a7c15; /* Knuth's multiplier */
  Begun *begun = NULL;
  for (uint32_t i = 0; i < BEGUN_PROBES; ++i) {
    begun = &checker.begun[((hash >> 32) + i) % BEGUN];
    if (begun->epoch != checker.epoch) break;
    if (begun->address == address && begun->bytes == bytes) return true;
  }
  *begun = (Begun){address, bytes, checker.epoch};
  return false;
}

/* Marks a shared variable as unwritten when its declaration is passed. Values that were written
 * there before the last barrier belong to another variable, or to an earlier iteration or call. */
static void begin_memory(uint64_t address, uint64_t bytes)
{
  if (has_begun(address, bytes)) return;
  uint32_t size;
  for (uint64_t i = 0; i < bytes; i += size) {
    Event *write = &cells_at(&checker, address + i, bytes - i, &size)->write;
    if (write->epoch < checker.epoch) write->epoch = 0;
  }
}

/* Checked code calls this before each access to memory. Memory of the thread's own (its stack, its
 * frames) can't race and is skipped. */
void ck_host_access(const ck_host_thread_t *thread, const ck_host_site_t *site, const void *memory,
                    uint64_t bytes, uint32_t flags, const ck_host_site_t *caller)
{
  uint64_t address = (uint64_t)(uintptr_t)memory;
  Checker *own = own_checker();
  bool is_shared = is_shared_byte(own, address);
  if (!own->slots) reserve();
  if (flags & CK_HOST_ACCESS_NEW) {
    begin_memory(address, bytes);
    return;
  }
  if (!is_shared &&
      (address - own->stack_start < own->stack_end - own->stack_start || host_is_own(address)))
    return;
  uint32_t number = place_number(own, site, caller);
  Event now = event_now(own, thread, number, flags & CK_HOST_ACCESS_ATOMIC);
  if (address < NO_MEMORY) {
    Place place = place_at(number);
    complain(now.thread, &place, "'%s' %s through '%s', which points at no memory",
             seen_at(&place)->text, flags & CK_HOST_ACCESS_WRITE ? "writes" : "reads",
             memory_at(&place));
  }
  if (!is_shared && flags & CK_HOST_ACCESS_READ) check_permission(&now, address, bytes, false);
  if (!is_shared && flags & CK_HOST_ACCESS_WRITE) check_permission(&now, address, bytes, true);
  if (is_shared && owner_of(own, address) != own->at) visit(owner_of(own, address), &now);
  bool needs_written = is_shared && bytes && flags & CK_HOST_ACCESS_READ;
  uint64_t written = 0;
  uint32_t size;
  for (uint64_t i = 0; i < bytes; i += size) {
    Cell *cell = cells_at(own, address + i, bytes - i, &size);
    written += cell->write.epoch >= own->first_epoch ? size : 0;
    check_cell(own, cell, &now, flags);
  }
  if (needs_written && written < (flags & CK_HOST_ACCESS_PARTS ? 1 : bytes)) report_unwritten(&now);
}

void ck_host_fence(const ck_host_thread_t *thread)
{
  reserve();
  checker.last_fences[number_of(thread)] = ++checker.fence_count;
  checker.blocks[checker.at].last_fence = checker.fence_count;
}

/* asynchronous copies ------------------------------------------------------------------------ */

/* Marks the bytes to which a copy writes until it is waited for. */
static void start_copy(const ck_host_thread_t *thread, uint32_t place, uint64_t to, uint32_t bytes,
                       const void *barrier)
{
  uint32_t number = number_of(thread);
  host_guard_hold();
  Copy *copy = memory_new(sizeof *copy);
  host_guard_release();
  if (!copy) out_of_memory();
  *copy = (Copy){checker.copies[number], place, to, bytes, checker.commits[number], barrier};
  checker.copies[number] = copy;
  Event now = event_now(&checker, thread, place, false);
  for (uint32_t i = 0, size; i < bytes; i += size)
    cells_at(&checker, to + i, bytes - i, &size)->copy = now;
}

/* Notes an asynchronous copy that a thread starts: it reads and writes like other accesses, and
 * until the thread waits for it, each byte of the target refers to it. */
void ck_host_copy(const ck_host_thread_t *thread, const ck_host_site_t *site, const void *to,
                  const void *from, uint32_t bytes, uint32_t given, const ck_host_site_t *caller)
{
  uint64_t address = (uint64_t)(uintptr_t)to;
  reserve();
  uint32_t number = number_of(thread), at = place_number(&checker, site, caller);
  Place place = {site, caller};
  if (!is_shared_byte(&checker, address) || owner_of(&checker, address) != checker.at)
    complain(number, &place, "'%s' copies to what is not shared", seen_at(&place)->text);
  if (address % bytes || (uint64_t)(uintptr_t)from % bytes)
    complain(number, &place, "'%s' copies %u bytes, to which both sides must be aligned",
             seen_at(&place)->text, bytes);
  ck_host_access(thread, site, from, given, CK_HOST_ACCESS_READ, caller);
  ck_host_access(thread, site, to, bytes, CK_HOST_ACCESS_WRITE, caller);
  start_copy(thread, at, address, bytes, NULL);
}

void ck_host_bulk(const ck_host_thread_t *thread, const ck_host_site_t *site, const void *to,
                  uint32_t bytes, const void *barrier, const ck_host_site_t *caller)
{
  reserve();
  start_copy(thread, place_number(&checker, site, caller), (uint64_t)(uintptr_t)to, bytes, barrier);
}

void ck_host_copy_commit(const ck_host_thread_t *thread, uint32_t unused)
{
  (void)unused;
  reserve();
  ++checker.commits[number_of(thread)];
}

/* The copy is complete, which counts as a write by its thread. */
static void end_copy(const ck_host_thread_t *thread, const Copy *copy)
{
  Event now = event_now(&checker, thread, copy->place, false);
  for (uint32_t i = 0, size; i < copy->bytes; i += size) {
    Cell *cell = cells_at(&checker, copy->to + i, copy->bytes - i, &size);
    cell->copy.place = 0;
    cell->write = now;
  }
}

/* Ends the copies of a list that are complete: bulk copies of an mbarrier, or without one those of
 * memcpy_async that were committed before the last `prior` groups. */
static void end_copies(const ck_host_thread_t *thread, uint32_t number, const void *barrier,
                       uint32_t prior)
{
  uint32_t commits = checker.commits[number];
  for (Copy **slot = &checker.copies[number], *copy; (copy = *slot);) {
    bool is_left = copy->barrier != barrier || (prior && copy->group + prior >= commits);
    if (is_left) {
      slot = &copy->next;
      continue;
    }
    *slot = copy->next;
    end_copy(thread, copy);
    host_guard_hold();
    memory_free(copy);
    host_guard_release();
  }
}

void ck_host_copy_wait(const ck_host_thread_t *thread, uint32_t prior)
{
  reserve();
  end_copies(thread, number_of(thread), NULL, prior);
}

/* The bytes count as written by the thread that waits first. The fence orders its write before the
 * reads of the others that wait. */
void ck_host_phase(const ck_host_thread_t *thread, const void *barrier)
{
  uint32_t size = checker.grid->block_threads;
  reserve();
  for (uint32_t i = 0; i < size; ++i) end_copies(thread, checker.at * size + i, barrier, 0);
  ck_host_fence(thread);
}

/* barriers ----------------------------------------------------------------------------------- */

void ck_host_wait(const ck_host_thread_t *thread, const ck_host_site_t *site,
                  const ck_host_site_t *caller)
{
  reserve();
  checker.waits[number_of(thread)] = (Place){site, caller};
}

static bool is_same_site(const ck_host_site_t *a, const ck_host_site_t *b)
{
  return a == b || (a && b && a->line == b->line && a->col == b->col && !strcmp(a->file, b->file));
}

static bool is_same_place(const Place *a, const Place *b)
{
  return is_same_site(a->site, b->site) && is_same_site(a->caller, b->caller);
}

void host_check_wait(uint32_t at, bool (*is_waiting)(uint32_t at, uint32_t thread), bool is_first)
{
  uint32_t size = checker.grid->block_threads, waiting = size, ended = size;
  for (uint32_t i = 0; checker.slots && i < size; ++i) {
    uint32_t number = at * size + i;
    const Place *place = &checker.waits[number];
    if (!is_waiting(at, i)) ended = i;
    if (!is_waiting(at, i) || !place->site) continue;
    waiting = i;
    if (is_first) checker.first_waiting = number;
    is_first = false;
    const Place *first = &checker.waits[checker.first_waiting];
    if (is_same_place(first, place)) continue;
    const ck_host_site_t *other = seen_at(first);
    complain(number, place,
             "divergent barrier: the thread waits at '%s'%s, and thread %s at '%s', %s:%u:%u%s",
             seen_at(place)->text, note_at(place).text, thread_text(checker.first_waiting, at).text,
             other->text, other->file, other->line, other->col, note_at(first).text);
  }
  if (waiting == size || ended == size) return;
  const Place *place = &checker.waits[at * size + waiting];
  complain(at * size + waiting, place,
           "divergent barrier: the thread waits at '%s'%s, and thread %s has ended",
           seen_at(place)->text, note_at(place).text, thread_text(at * size + ended, at).text);
}

bool host_is_checked(void)
{
  return checker.slots;
}

void host_check_block(void)
{
  ++checker.epoch;
}

void host_check_warp(uint32_t base, uint32_t lanes)
{
  if (!checker.has_clocks) {
    memset(checker.clocks, 0, checker.block->size * sizeof *checker.clocks);
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
