/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* kept.c - memory that algorithms use again and again: two allocations for each stream.
 *
 * One is their persistent memory. It is zeroed when it is allocated, and never again: kernels
 * tell old words from new ones by the number of the launch that wrote them, which is in its first
 * bytes (lib/device/state.ck). The other one is scratch memory of small launches, which need no
 * call of an allocator then. Both work because the launches on a stream run one after the other.
 * So that the steps of two threads' launches on one stream don't alternate either, the memory is
 * locked from kept_take to kept_give.
 *
 *     table: | stream A | stream B | ... |    each: lock, persistent memory, scratch memory
 *
 * That holds for the library's words. An algorithm in which the program itself declares persistent
 * memory may keep anything there, so it has both allocations for itself: an entry of the table that
 * `is_own` and has a plan. Its memory is zeroed again where a launch needs another number of bytes
 * than the last one, because the library's words then lie at other places. When the algorithm is
 * destroyed, the entry stays with the stream, still `is_own` but without a plan, for the next
 * algorithm that needs one. Entries end with the stream's last reference.
 *
 * The first entries of a device have a slot of its memory (device.h), so that a small first call
 * waits for no allocator. An algorithm that needs more bytes than there are gets an allocation, and
 * an earlier one is freed in the order of the stream. After a launch that failed halfway, words of
 * the same number may have been written: the next launch begins with zeroes.
 *
 * A captured launch has an allocation of its own (workspace.c), since branches of a graph run at
 * the same time. Replays find their numbers in it. A launch on the per-thread default stream, which
 * is another stream in each thread, has memory for itself.
 */
#include <pthread.h>

#include "launch_private.h"

typedef struct Room {
  CUdeviceptr address;
  size_t bytes;
  bool is_in_slot; /* the device frees it */
} Room;

/* Bytes of a slot of the device that are persistent memory; scratch memory follows. */
enum { SLOT_PERSISTENT = 1 << 12 };

struct KeptMemory {
  KeptMemory *next;
  const ck_stream_t *stream; /* observed; NULL: the legacy default stream of the device */
  const ck_device_t *device;
  const ck_kernel_t *plan;        /* observed; of an algorithm that shares nothing */
  bool is_own;                    /* it has a plan, or had one */
  ck_memory_resource_t *resource; /* retained */
  pthread_mutex_t lock;           /* guards what follows */
  CUdeviceptr slot;               /* of the device; 0: none is left */
  Room room[2];                   /* persistent memory, scratch memory */
  bool is_dirty;                  /* the persistent memory has to be zeroed */
  size_t used;                    /* of own persistent memory: the last launch's bytes */
};

static KeptMemory *table;
static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;

static ck_status_t zero(const ck_kernel_t *plan, ck_stream_t *stream, CUdeviceptr address,
                        size_t bytes)
{
  const Driver *driver = plan->device->driver;
  CK_TRY(stream_enter(stream, plan->device));
  ck_status_t status =
      DRV_STATUS(driver, cuMemsetD8Async(address, 0, bytes, stream_native(stream)));
  stream_leave(stream, plan->device);
  return status;
}

static ck_status_t allocate(const ck_kernel_t *plan, ck_memory_resource_t *resource,
                            ck_stream_t *stream, bool is_zeroed, size_t bytes, CUdeviceptr *out)
{
  void *host;
  *out = 0;
  ck_status_t status = memory_allocate(resource, bytes, stream, out, &host);
  if (status == CK_OK && is_zeroed) status = zero(plan, stream, *out, bytes);
  if (status == CK_OK) return CK_OK;
  if (*out) memory_deallocate(resource, *out, bytes, stream);
  *out = 0;
  return error_within(status, "algorithm '%s': memory of its own", plan->name);
}

static KeptMemory *unlink_first(const ck_stream_t *stream)
{
  pthread_mutex_lock(&table_lock);
  KeptMemory **link = &table;
  while (*link && (*link)->stream != stream) link = &(*link)->next;
  KeptMemory *kept = *link;
  if (kept) *link = kept->next;
  pthread_mutex_unlock(&table_lock);
  return kept;
}

static void free_room(const KeptMemory *kept, const Room *room, ck_stream_t *stream)
{
  if (room->address && !room->is_in_slot)
    memory_deallocate(kept->resource, room->address, room->bytes, stream);
}

/* Called when the stream's last reference is dropped. */
static void end_stream(ck_stream_t *stream)
{
  for (KeptMemory *kept; (kept = unlink_first(stream));) {
    for (int i = 0; i < 2; ++i) free_room(kept, &kept->room[i], stream);
    ck_memory_resource_release(kept->resource);
    pthread_mutex_destroy(&kept->lock);
    memory_free(kept);
  }
}

void kept_forget(const ck_kernel_t *plan)
{
  pthread_mutex_lock(&table_lock);
  for (KeptMemory *kept = table; kept; kept = kept->next)
    if (kept->plan == plan) kept->plan = NULL;
  pthread_mutex_unlock(&table_lock);
}

/* The part of the entry's slot for persistent or scratch memory; no bytes: there is no slot. */
static Room slot_room(const KeptMemory *kept, int which)
{
  static const size_t bytes[] = {SLOT_PERSISTENT, DEVICE_SLOT_BYTES - SLOT_PERSISTENT};
  return kept->slot ? (Room){kept->slot + (which ? SLOT_PERSISTENT : 0), bytes[which], true}
                    : (Room){0};
}

/* Makes the room at least as large. */
static ck_status_t widen(const ck_kernel_t *plan, ck_stream_t *stream, KeptMemory *kept, int which,
                         size_t bytes)
{
  Room *room = &kept->room[which], larger = slot_room(kept, which);
  bool is_zeroed = which == 0;
  if (room->bytes >= bytes) {
    if (!is_zeroed || !kept->is_dirty || !bytes) return CK_OK;
    return zero(plan, stream, room->address, room->bytes);
  }
  if (larger.bytes >= bytes) {
    if (is_zeroed) CK_TRY(zero(plan, stream, larger.address, larger.bytes));
  } else {
    larger = (Room){.bytes = bytes + bytes / 2}; /* so that it grows rarely */
    CK_TRY(allocate(plan, kept->resource, stream, is_zeroed, larger.bytes, &larger.address));
  }
  free_room(kept, room, stream);
  *room = larger;
  return CK_OK;
}

/* The entry that `owner` has, NULL: that is shared. */
static KeptMemory *look_up(const ck_kernel_t *plan, const ck_stream_t *stream, bool is_own,
                           const ck_kernel_t *owner)
{
  for (KeptMemory *kept = table; kept; kept = kept->next)
    if (kept->stream == stream && kept->device == plan->device && kept->is_own == is_own &&
        kept->plan == owner)
      return kept;
  return NULL;
}

static KeptMemory *find(const ck_kernel_t *plan, ck_stream_t *stream, bool is_own)
{
  pthread_mutex_lock(&table_lock);
  KeptMemory *kept = look_up(plan, stream, is_own, is_own ? plan : NULL);
  if (!kept && is_own && (kept = look_up(plan, stream, true, NULL))) {
    kept->plan = plan;
    kept->used = 0;
  }
  if (!kept && (kept = memory_take(sizeof *kept))) {
    kept->stream = stream;
    kept->device = plan->device;
    kept->is_own = is_own;
    kept->plan = is_own ? plan : NULL;
    kept->resource = ck_memory_resource_retain(plan->scratch);
    pthread_mutex_init(&kept->lock, NULL);
    kept->next = table;
    table = kept;
    if (stream) stream->has_kept = true;
    atomic_store(&stream_kept_end, end_stream);
  }
  pthread_mutex_unlock(&table_lock);
  return kept;
}

ck_status_t kept_take(const ck_kernel_t *plan, ck_stream_t *stream, Kept *out)
{
  GraphKeep *capture = stream_keep(stream);
  if (capture) return workspace_create(plan, capture, out->bytes, out->address, &out->workspace);
  if (stream_native(stream) == CU_STREAM_PER_THREAD) {
    out->resource = plan->scratch;
    for (int i = 0; i < 2; ++i)
      if (out->bytes[i])
        CK_TRY(allocate(plan, out->resource, stream, i == 0, out->bytes[i], &out->address[i]));
    return CK_OK;
  }
  KeptMemory *kept = find(plan, stream, out->is_own);
  if (!kept) return CK_OUT_OF_MEMORY;
  pthread_mutex_lock(&kept->lock);
  ck_status_t status = CK_OK;
  if (!kept->slot && !kept->room[0].address && !kept->room[1].address)
    kept->slot = device_slot(plan->device);
  if (kept->is_own) kept->is_dirty |= kept->used != out->bytes[0];
  kept->used = out->bytes[0];
  for (int i = 0; i < 2 && status == CK_OK; ++i)
    status = widen(plan, stream, kept, i, out->bytes[i]);
  if (status != CK_OK) {
    pthread_mutex_unlock(&kept->lock);
    return status;
  }
  kept->is_dirty = false;
  out->memory = kept;
  for (int i = 0; i < 2; ++i) out->address[i] = kept->room[i].address;
  return CK_OK;
}

void kept_give(ck_stream_t *stream, Kept *kept, bool is_good)
{
  if (kept->memory) {
    kept->memory->is_dirty = !is_good;
    pthread_mutex_unlock(&kept->memory->lock);
  }
  for (int i = 0; kept->resource && i < 2; ++i)
    if (kept->address[i])
      memory_deallocate(kept->resource, kept->address[i], kept->bytes[i], stream);
}
