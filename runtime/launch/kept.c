/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* kept.c - the persistent memory of algorithms: one allocation for each stream.
 *
 * It is zeroed when it is allocated, and never again: kernels tell old words from new ones by
 * the number of the launch that wrote them, which is in its first bytes (lib/device/state.ck).
 * That works because the launches on a stream run one after the other. So that the steps of two
 * threads' launches on one stream don't alternate either, an allocation is locked from kept_take
 * to kept_give.
 *
 *     table: | stream A | stream B | ... |    each: lock, address, bytes
 *
 * An algorithm that needs more bytes than there are gets a new allocation, and the old one is
 * freed in the order of the stream. After a launch that failed halfway, words of the same number
 * may have been written: the next launch begins with zeroes.
 *
 * A captured launch has an allocation of its own, which a node of the graph zeroes. So has one on
 * the per-thread default stream, which is another stream in each thread.
 */
#include <pthread.h>

#include "launch_private.h"

struct KeptMemory {
  KeptMemory *next;
  const ck_stream_t *stream; /* observed; NULL: the legacy default stream of the device */
  const ck_device_t *device;
  ck_memory_resource_t *resource; /* retained */
  pthread_mutex_t lock;           /* guards what follows */
  CUdeviceptr address;
  size_t bytes;
  bool is_dirty; /* it has to be zeroed */
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
                            ck_stream_t *stream, size_t bytes, CUdeviceptr *out)
{
  void *host;
  *out = 0;
  ck_status_t status = memory_allocate(resource, bytes, stream, out, &host);
  if (status == CK_OK) status = zero(plan, stream, *out, bytes);
  if (status == CK_OK) return CK_OK;
  if (*out) memory_deallocate(resource, *out, bytes, stream);
  return error_within(status, "algorithm '%s': persistent memory", plan->name);
}

/* Called when the stream's last reference is dropped. */
static void end_stream(ck_stream_t *stream)
{
  pthread_mutex_lock(&table_lock);
  KeptMemory **link = &table;
  while (*link && (*link)->stream != stream) link = &(*link)->next;
  KeptMemory *kept = *link;
  if (kept) *link = kept->next;
  pthread_mutex_unlock(&table_lock);
  if (!kept) return;
  if (kept->address) memory_deallocate(kept->resource, kept->address, kept->bytes, stream);
  ck_memory_resource_release(kept->resource);
  pthread_mutex_destroy(&kept->lock);
  memory_free(kept);
}

static KeptMemory *find(const ck_kernel_t *plan, ck_stream_t *stream)
{
  pthread_mutex_lock(&table_lock);
  KeptMemory *kept = table;
  while (kept && (kept->stream != stream || kept->device != plan->device)) kept = kept->next;
  if (!kept && (kept = memory_new(sizeof *kept))) {
    kept->stream = stream;
    kept->device = plan->device;
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

ck_status_t kept_take(const ck_kernel_t *plan, ck_stream_t *stream, size_t bytes, Kept *out)
{
  bool is_captured = stream_keep(stream) != NULL;
  *out = (Kept){.bytes = bytes};
  if (is_captured || stream_native(stream) == CU_STREAM_PER_THREAD) {
    out->resource = is_captured ? plan->graph_scratch : plan->scratch;
    if (!out->resource)
      return error_set(CK_UNSUPPORTED, "'%s' has persistent memory: '%s' can't capture it",
                       plan->name, plan->device->name);
    return allocate(plan, out->resource, stream, bytes, &out->address);
  }
  KeptMemory *kept = find(plan, stream);
  if (!kept) return error_set(CK_OUT_OF_MEMORY, "host memory is out");
  pthread_mutex_lock(&kept->lock);
  ck_status_t status = CK_OK;
  if (kept->bytes < bytes) {
    CUdeviceptr address;
    size_t room = bytes + bytes / 2; /* so that growing sizes allocate rarely */
    status = allocate(plan, kept->resource, stream, room, &address);
    if (status == CK_OK) {
      if (kept->address) memory_deallocate(kept->resource, kept->address, kept->bytes, stream);
      kept->address = address;
      kept->bytes = room;
    }
  } else if (kept->is_dirty) {
    status = zero(plan, stream, kept->address, kept->bytes);
  }
  if (status != CK_OK) {
    pthread_mutex_unlock(&kept->lock);
    return status;
  }
  kept->is_dirty = false;
  out->memory = kept;
  out->address = kept->address;
  return CK_OK;
}

void kept_give(const ck_kernel_t *plan, ck_stream_t *stream, Kept *kept, bool is_good)
{
  (void)plan;
  if (kept->memory) {
    kept->memory->is_dirty = !is_good;
    pthread_mutex_unlock(&kept->memory->lock);
  } else if (kept->address) {
    memory_deallocate(kept->resource, kept->address, kept->bytes, stream);
  }
}
