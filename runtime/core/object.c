/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* object.c - allocates objects; the only file of the runtime that calls malloc. */
#include "object.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"

/* Up to this size malloc and memset are faster than calloc, which in glibc does not use the
 * per-thread cache of free memory. */
enum { SMALL_BYTES = 1024 };

void *memory_new(size_t bytes)
{
  if (bytes > SMALL_BYTES) return calloc(1, bytes);
  void *memory = malloc(bytes ? bytes : 1);
  return memory ? memset(memory, 0, bytes) : NULL;
}

void *memory_new_aligned(size_t bytes, size_t alignment)
{
  if (bytes > SIZE_MAX - alignment) return NULL;
  bytes = (bytes + alignment - 1) / alignment * alignment;
  return aligned_alloc(alignment, bytes ? bytes : alignment);
}

void memory_free(void *memory)
{
  free(memory);
}

void memory_lacks(size_t bytes)
{
  error_set(CK_OUT_OF_MEMORY, "host memory is out: %zu bytes", bytes);
}

void *object_take(size_t bytes)
{
  void *memory = malloc(bytes);
  if (!memory) memory_lacks(bytes);
  return memory;
}

void *object_new_in_lines(size_t bytes)
{
  Object *object = memory_new_aligned(bytes, CACHE_LINE_BYTES);
  if (!object) memory_lacks(bytes);
  if (!object) return NULL;
  memset(object, 0, bytes);
  atomic_init(&object->reference_count, 1);
  return object;
}
