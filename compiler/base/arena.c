/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* arena.c - bump allocation by lifetime, and the one place of the compiler that calls malloc.
 *
 * An arena takes blocks that double up to 1 MiB from malloc and hands out zeroed pieces of them.
 * CK_TINY builds use blocks of 256 bytes, so that every growth path runs in the tests.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef CK_TINY
enum { FIRST_BLOCK_BYTES = 256, LAST_BLOCK_BYTES = 256, FIRST_VEC_ROOM = 1 };
#else
enum { FIRST_BLOCK_BYTES = 16 << 10, LAST_BLOCK_BYTES = 1 << 20, FIRST_VEC_ROOM = 8 };
#endif

struct ArenaBlock {
  ArenaBlock *next;
  size_t bytes; /* without this header, which is 16 bytes so that pieces stay aligned */
};

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

static void arena_add_block(Arena *arena, size_t least_bytes)
{
  size_t bytes = arena->block ? 2 * arena->block->bytes : FIRST_BLOCK_BYTES;
  if (bytes > LAST_BLOCK_BYTES) bytes = LAST_BLOCK_BYTES;
  if (bytes < least_bytes) bytes = least_bytes;
  ArenaBlock *block = calloc(1, sizeof *block + bytes);
  if (!block) die("out of memory: %zu bytes more than %zu", bytes, arena->reserved_bytes);
  block->bytes = bytes;
  block->next = arena->block;
  arena->block = block;
  arena->cur = (char *)(block + 1);
  arena->end = arena->cur + bytes;
  arena->reserved_bytes += bytes;
}

/* LLVM, libNVVM and nvJitLink each allocate megabytes and free them all within one compilation.
 * glibc gives such a heap back to the system and faults it in again, page by page: 1500 pages a
 * compilation, a fifth of its time. Freeing a block that was mapped on its own raises the size from
 * which glibc trims to twice the block's (mallopt(3), M_TRIM_THRESHOLD); what the environment sets
 * still holds. Elsewhere this is a block taken and given back, untouched. */
void arena_keep_heap(void)
{
  enum { BLOCK_BYTES = 16 << 20 };
  void *volatile block = malloc(BLOCK_BYTES); /* volatile: compilers drop the pair */
  free(block);
}

void *arena_alloc(Arena *arena, size_t bytes)
{
  bytes = (bytes + 15) & ~(size_t)15;
  if ((size_t)(arena->end - arena->cur) < bytes) arena_add_block(arena, bytes);
  void *piece = arena->cur;
  arena->cur += bytes;
  return piece;
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
  va_list again;
  va_copy(again, values);
  int len = vsnprintf(NULL, 0, format, again);
  va_end(again);
  if (len < 0) die("the format '%s' can't be printed", format);
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
    free(block);
  }
  *arena = (Arena){0};
}

void *vec_grow(Arena *arena, void *at, uint32_t *room, size_t element_bytes)
{
  uint32_t more = *room ? 2 * *room : FIRST_VEC_ROOM;
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
