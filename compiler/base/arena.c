/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* arena.c - bump allocation by lifetime; the only place of the compiler that calls malloc.
 *
 * An arena takes blocks from malloc, each half as large as all before it together, and gives out
 * zeroed pieces of the newest one. Nothing is freed before the whole arena is.
 *
 *     block 3 (newest)                    block 2          block 1
 *     | piece | piece | free |     -->    | full |   -->   | full |
 *                     cur    end
 *
 * From 4 MiB on, blocks are mapped as huge pages where the system has some: the page faults for
 * each 4 KiB of a large program take longer than checking it. In a build with sanitizers, CK_TINY
 * in the environment makes all blocks 256 bytes long, so that tests run every growth path.
 */
#define _DEFAULT_SOURCE /* clock_gettime, madvise */
#include "base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#ifdef ARENA_IS_GUARDED
#include <sanitizer/asan_interface.h>
#endif

enum { FIRST_BLOCK_BYTES = 16 << 10, LAST_BLOCK_BYTES = 16 << 20, FIRST_VEC_ROOM = 8 };
enum { TINY_BLOCK_BYTES = 256, TINY_VEC_ROOM = 1 };
enum { HUGE_BYTES = 2 << 20, HUGE_BLOCK_BYTES = 2 * HUGE_BYTES };

#ifdef CK_SANITIZE
bool base_is_tiny(void)
{
  static _Atomic int answer; /* 0: not asked yet */
  if (!answer) answer = getenv("CK_TINY") ? 1 : 2;
  return answer == 1;
}
#endif

struct ArenaBlock {
  ArenaBlock *next;
  size_t bytes; /* without this header, whose 16 bytes keep pieces aligned */
};

/* A zeroed block, or NULL if memory has run out. Huge blocks are a multiple of huge pages, with
 * their header. */
static ArenaBlock *block_new(size_t bytes)
{
  if (bytes < HUGE_BLOCK_BYTES) return calloc(1, bytes);
  void *at =
      mmap(NULL, bytes + HUGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) return NULL;
  size_t before = HUGE_BYTES - (uintptr_t)at % HUGE_BYTES; /* at least one page is unmapped */
  char *block = (char *)at + before;
  munmap(at, before);
  if (before < HUGE_BYTES) munmap(block + bytes, HUGE_BYTES - before);
  madvise(block, bytes, MADV_HUGEPAGE); /* advice only */
  return (ArenaBlock *)(void *)block;
}

#ifdef ARENA_IS_GUARDED
void arena_guard(void *bytes, size_t count)
{
  __asan_poison_memory_region(bytes, count);
}
#endif

static void unguard(ArenaBlock *block)
{
#ifdef ARENA_IS_GUARDED
  __asan_unpoison_memory_region(block + 1, block->bytes);
#else
  (void)block;
#endif
}

static void block_free(ArenaBlock *block)
{
  size_t bytes = sizeof *block + block->bytes;
  unguard(block);
  if (bytes < HUGE_BLOCK_BYTES) free(block);
  else munmap(block, bytes);
}

_Noreturn void die_at(const char *file, int line, const char *format, ...)
{
  va_list values;
  va_start(values, format);
  fprintf(stderr, "internal error at %s:%d: ", path_base(file), line);
  vfprintf(stderr, format, values);
  fputs("\nThis is a mistake in Cokernel: please report it, with the input that led here.\n",
        stderr);
  va_end(values);
  abort();
}

static _Thread_local MemoryEscape *memory_escape;

void memory_escape_enter(MemoryEscape *escape)
{
  escape->outer = memory_escape;
  memory_escape = escape;
}

void memory_escape_leave(MemoryEscape *escape)
{
  memory_escape = escape->outer;
}

MemoryEscape *memory_escape_suspend(void)
{
  MemoryEscape *escape = memory_escape;
  memory_escape = NULL;
  return escape;
}

void memory_escape_resume(MemoryEscape *escape)
{
  memory_escape = escape;
}

bool memory_can_escape(void)
{
  return memory_escape;
}

_Noreturn void memory_is_out(size_t bytes, bool is_foreign)
{
  MemoryEscape *escape = memory_escape;
  if (escape) {
    memory_escape = escape->outer;
    escape->bytes = bytes;
    escape->is_foreign = is_foreign;
    longjmp(escape->at, 1);
  }
  fprintf(stderr, "error: out of memory: %zu bytes more were needed\n", bytes);
  abort();
}

static void arena_add_block(Arena *arena, size_t least_bytes)
{
  size_t bytes = arena->reserved_bytes / 2;
  if (bytes < FIRST_BLOCK_BYTES) bytes = FIRST_BLOCK_BYTES;
  if (bytes > LAST_BLOCK_BYTES) bytes = LAST_BLOCK_BYTES;
  if (base_is_tiny()) bytes = TINY_BLOCK_BYTES;
  if (bytes < sizeof(ArenaBlock) + least_bytes) bytes = sizeof(ArenaBlock) + least_bytes;
  if (bytes >= HUGE_BLOCK_BYTES) bytes = (bytes + HUGE_BYTES - 1) / HUGE_BYTES * HUGE_BYTES;
  ArenaBlock *block = block_new(bytes);
  bytes -= sizeof *block;
  if (!block) memory_is_out(bytes, false);
  block->bytes = bytes;
  block->next = arena->block;
  arena->block = block;
  arena->cur = (char *)(block + 1);
  arena->end = arena->cur + bytes;
  arena->reserved_bytes += bytes;
}

/* Keeps freed memory in the process. LLVM, libNVVM and nvJitLink each allocate megabytes and free
 * them within one compilation. glibc returns such memory to the system and faults it in again page
 * by page: 1500 pages in each compilation, a fifth of its time. Freeing a block that was mapped on
 * its own raises the size from which glibc trims to twice the block's (mallopt(3),
 * M_TRIM_THRESHOLD); settings of the environment still hold. With another malloc this is a block
 * that is allocated and freed untouched. */
void arena_keep_heap(void)
{
  enum { BLOCK_BYTES = 16 << 20 };
  void *volatile block = malloc(BLOCK_BYTES); /* volatile, because compilers remove the pair */
  free(block);
}

void *arena_alloc(Arena *arena, size_t bytes)
{
  bytes = (bytes + 15) & ~(size_t)15;
  size_t gap = -(uintptr_t)arena->cur & 15;
  if (!arena->cur || (size_t)(arena->end - arena->cur) < gap + bytes) {
    arena_add_block(arena, bytes);
    gap = 0;
  }
  void *piece = arena->cur + gap;
  arena->cur += gap + bytes;
  return piece;
}

void *arena_alloc_words(Arena *arena, size_t bytes)
{
  bytes = (bytes + 7) & ~(size_t)7;
  if (!arena->cur || (size_t)(arena->end - arena->cur) < bytes) arena_add_block(arena, bytes);
  void *piece = arena->cur;
  arena->cur += bytes;
  return piece;
}

bool arena_extend(Arena *arena, const void *piece, size_t bytes, size_t more_bytes)
{
  if (!bytes) return false;
  const char *end = (const char *)piece + ((bytes + 15) & ~(size_t)15);
  size_t more = (bytes + more_bytes + 15) / 16 * 16 - (bytes + 15) / 16 * 16;
  if (end != arena->cur || (size_t)(arena->end - arena->cur) < more) return false;
  arena->cur += more;
  return true;
}

char *arena_strndup(Arena *arena, const char *text, size_t len)
{
  char *copy = arena_alloc(arena, len + 1);
  if (len) memcpy(copy, text, len);
  return copy;
}

char *arena_strdup(Arena *arena, const char *text)
{
  return arena_strndup(arena, text, strlen(text));
}

char *arena_vprintf(Arena *arena, const char *format, va_list values)
{
  char few[256]; /* most texts are printed once */
  va_list again;
  va_copy(again, values);
  int len = vsnprintf(few, sizeof few, format, again);
  va_end(again);
  if (len < 0) die("the format '%s' can't be printed", format);
  if ((size_t)len < sizeof few) return arena_strndup(arena, few, (size_t)len);
  char *text = arena_alloc(arena, (size_t)len + 1);
  vsnprintf(text, (size_t)len + 1, format, values);
  return text;
}

char *arena_printf(Arena *arena, const char *format, ...)
{
  va_list values;
  va_start(values, format);
  char *text = arena_vprintf(arena, format, values);
  va_end(values);
  return text;
}

void arena_free(Arena *arena)
{
  for (ArenaBlock *block = arena->block, *next; block; block = next) {
    next = block->next;
    block_free(block);
  }
  *arena = (Arena){0};
}

void arena_reset(Arena *arena)
{
  ArenaBlock *newest = arena->block;
  if (!newest) return;
  for (ArenaBlock *block = newest->next, *next; block; block = next) {
    next = block->next;
    arena->reserved_bytes -= block->bytes;
    block_free(block);
  }
  newest->next = NULL;
  unguard(newest);
  char *start = (char *)(newest + 1);
  memset(start, 0, (size_t)(arena->cur - start));
  arena->cur = start;
}

void *vec_grow(Arena *arena, void *at, uint32_t *room, size_t element_bytes)
{
  uint32_t first = base_is_tiny() ? TINY_VEC_ROOM : FIRST_VEC_ROOM;
  uint32_t more = *room ? 2 * *room : first;
  void *moved = arena_alloc(arena, more * element_bytes);
  if (*room) memcpy(moved, at, *room * element_bytes);
  *room = more;
  return moved;
}

double seconds_now(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
