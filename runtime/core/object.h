/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* object.h - reference counts, and the memory of objects.
 *
 * An object is a struct whose first member is `Object object`. OBJECT(stream, ck_stream_t) defines
 * ck_stream_retain and ck_stream_release. The last release calls stream_destroy(ck_stream_t *),
 * which releases what the object holds, children before parents, and then calls object_free.
 */
#ifndef CK_OBJECT_H
#define CK_OBJECT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { CACHE_LINE_BYTES = 64 };

typedef struct Object {
  atomic_size_t reference_count;
} Object;

/* Allocates an object, not zeroed, aligned to 16; NULL with the failure recorded when memory is
 * out. */
void *object_take(size_t bytes);

/* The same, zeroed and with one reference. Inline, so that the compiler can combine clearing with
 * the initialisation that follows. */
static inline void *object_new(size_t bytes)
{
  Object *object = object_take(bytes);
  if (!object) return NULL;
  memset(object, 0, bytes);
  atomic_init(&object->reference_count, 1);
  return object;
}

/* The same, aligned to a cache line, for long-lived objects that every call reads. */
void *object_new_in_lines(size_t bytes);

/* Allocates zeroed memory that is not an object; NULL, with nothing recorded, when memory is out.
 */
void *memory_new(size_t bytes);
void *memory_new_aligned(size_t bytes, size_t alignment); /* not zeroed */
void memory_lacks(size_t bytes);                          /* records CK_OUT_OF_MEMORY */
/* memory_new that records its failure. */
static inline void *memory_take(size_t bytes)
{
  void *memory = memory_new(bytes);
  if (!memory) memory_lacks(bytes);
  return memory;
}
void memory_free(void *memory);
static inline void object_free(void *object)
{
  memory_free(object);
}

static inline void object_retain(Object *object)
{
  atomic_fetch_add_explicit(&object->reference_count, 1, memory_order_relaxed);
}

/* The count at this moment; other threads may change it. */
static inline size_t object_count(Object *object)
{
  return atomic_load_explicit(&object->reference_count, memory_order_relaxed);
}

/* Drops a reference and returns how many are left. The destroyer must see what other threads wrote
 * before their releases, hence acquire and release order. If the count is 1, no other thread can
 * change it, and the atomic subtraction is saved. */
static inline size_t object_release_to(Object *object)
{
  if (atomic_load_explicit(&object->reference_count, memory_order_acquire) == 1) return 0;
  return atomic_fetch_sub_explicit(&object->reference_count, 1, memory_order_acq_rel) - 1;
}

/* True for the last reference. */
static inline bool object_release(Object *object)
{
  return object_release_to(object) == 0;
}

#define OBJECT(name_, type_)                                                                       \
  type_ *ck_##name_##_retain(type_ *name_)                                                         \
  {                                                                                                \
    if (name_) object_retain(&name_->object);                                                      \
    return name_;                                                                                  \
  }                                                                                                \
  void ck_##name_##_release(type_ *name_)                                                          \
  {                                                                                                \
    if (name_ && object_release(&name_->object)) name_##_destroy(name_);                           \
  }                                                                                                \
  _Static_assert(offsetof(type_, object) == 0, "the reference count comes first")

/* The end of a function that creates an object: the object is stored if the status is CK_OK, and
 * destroyed otherwise. The value is the status. */
#define GIVE(status_, object_, out_, destroy_)                                                     \
  ((status_) == CK_OK ? (void)(*(out_) = (object_)) : destroy_(object_), (status_))

/* Defines the function of the API that returns a member: GETTER(ck_device_t *, graph, device) is
 * ck_graph_device. */
#define GETTER(type_, object_, member_)                                                            \
  type_ ck_##object_##_##member_(const ck_##object_##_t *object_)                                  \
  {                                                                                                \
    return object_->member_;                                                                       \
  }                                                                                                \
  _Static_assert(sizeof(type_) <= sizeof(void *), "a getter returns a pointer or a number")

#endif
