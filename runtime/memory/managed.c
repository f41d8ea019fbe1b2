/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* managed.c - managed memory: hints, prefetches and discards, for one buffer and in batches.
 *
 * Each function checks that the buffer is managed memory and that the location exists, because the
 * driver's error would not say which is wrong, and then makes one driver call. A batch is one call
 * for many buffers, with one location for all of them or one for each.
 */
#include "ck/managed.h"
#include "memory_private.h"

#define SAME_PLACE(theirs, ours)                                                                   \
  _Static_assert((int)CU_MEM_LOCATION_TYPE_##theirs == CK_PLACE_##ours, "as in cuda.h")
SAME_PLACE(NONE, NONE);
SAME_PLACE(DEVICE, DEVICE);
SAME_PLACE(HOST, HOST);
SAME_PLACE(HOST_NUMA, HOST_NUMA);
SAME_PLACE(HOST_NUMA_CURRENT, HOST_NUMA_CURRENT);

static CUmemLocation to_native(ck_location_t location)
{
  return (CUmemLocation){(CUmemLocationType)location.place, location.id};
}

static ck_status_t check_managed(const ck_buffer_t *buffer, const char *function)
{
  if (!buffer) return error_argument("%s: buffer is NULL", function);
  const char *why = NULL;
  if (!(buffer->flags & CK_MEMORY_MANAGED)) why = "is no managed memory";
  else if (buffer->flags & CK_MEMORY_CLOSED) why = "is closed";
  else if (!buffer->bytes) why = "has 0 bytes";
  return why ? error_argument("%s: the buffer %s", function, why) : CK_OK;
}

static ck_status_t check_location(const ck_buffer_t *buffer, ck_location_t location,
                                  const char *function)
{
  if (location.place == CK_PLACE_NONE)
    return error_argument("%s: the location names no place", function);
  ck_status_t status = location_check(buffer->device, location);
  return status == CK_OK ? CK_OK : error_within(status, "%s", function);
}

/* advice ------------------------------------------------------------------------------------- */

static ck_status_t advise(ck_buffer_t *buffer, CUmem_advise advice, ck_location_t location,
                          const char *function)
{
  CK_TRY(check_managed(buffer, function));
  const Driver *driver = buffer->device->driver;
  DRV_NEED(driver, cuMemAdvise);
  ck_status_t status = DEVICE_STATUS(
      buffer->device, cuMemAdvise(buffer->address, buffer->bytes, advice, to_native(location)));
  return location_explain(location, status);
}

/* Queries a property of the buffer's whole range. */
static ck_status_t ask(ck_buffer_t *buffer, CUmem_range_attribute attribute, int *out,
                       size_t out_bytes)
{
  return DEVICE_STATUS(buffer->device, cuMemRangeGetAttribute(out, out_bytes, attribute,
                                                              buffer->address, buffer->bytes));
}

static ck_status_t ask_location(ck_buffer_t *buffer, CUmem_range_attribute type,
                                CUmem_range_attribute id, ck_location_t *out)
{
  int place = 0, number = 0;
  CK_TRY(ask(buffer, type, &place, sizeof place));
  CK_TRY(ask(buffer, id, &number, sizeof number));
  *out = (ck_location_t){(ck_place_t)place, number};
  if (place == CK_PLACE_HOST || place == CK_PLACE_NONE) out->id = 0; /* the driver reports -2 */
  return CK_OK;
}

ck_status_t ck_buffer_set_read_mostly(ck_buffer_t *buffer, int is_read_mostly)
{
  return advise(buffer,
                is_read_mostly ? CU_MEM_ADVISE_SET_READ_MOSTLY : CU_MEM_ADVISE_UNSET_READ_MOSTLY,
                (ck_location_t){CK_PLACE_HOST, 0}, __func__);
}

ck_status_t ck_buffer_get_read_mostly(ck_buffer_t *buffer, int *out_is_read_mostly)
{
  CK_NEED_OUT(out_is_read_mostly, 0);
  CK_TRY(check_managed(buffer, __func__));
  return ask(buffer, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, out_is_read_mostly, sizeof(int));
}

ck_status_t ck_buffer_set_preferred_location(ck_buffer_t *buffer, ck_location_t location)
{
  if (location.place == CK_PLACE_NONE)
    return advise(buffer, CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION, (ck_location_t){CK_PLACE_HOST, 0},
                  __func__);
  CK_TRY(check_managed(buffer, __func__));
  CK_TRY(check_location(buffer, location, __func__));
  return advise(buffer, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, location, __func__);
}

ck_status_t ck_buffer_get_preferred_location(ck_buffer_t *buffer, ck_location_t *out_location)
{
  CK_NEED_ARG(out_location);
  *out_location = (ck_location_t){CK_PLACE_NONE, 0};
  CK_TRY(check_managed(buffer, __func__));
  return ask_location(buffer, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE,
                      CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID, out_location);
}

static ck_status_t check_user(const ck_buffer_t *buffer, ck_location_t location,
                              const char *function)
{
  if (location.place == CK_PLACE_DEVICE || location.place == CK_PLACE_HOST)
    return check_location(buffer, location, function);
  return error_argument("%s: place %d is neither a device nor the host", function,
                        (int)location.place);
}

ck_status_t ck_buffer_set_accessed_by(ck_buffer_t *buffer, ck_location_t location, int is_accessed)
{
  CK_TRY(check_managed(buffer, __func__));
  CK_TRY(check_user(buffer, location, __func__));
  return advise(buffer,
                is_accessed ? CU_MEM_ADVISE_SET_ACCESSED_BY : CU_MEM_ADVISE_UNSET_ACCESSED_BY,
                location, __func__);
}

ck_status_t ck_buffer_get_accessed_by(ck_buffer_t *buffer, ck_location_t location,
                                      int *out_is_accessed)
{
  /* The driver fills this list with the processors that have the hint; the rest stays
   * CU_DEVICE_INVALID. */
  enum { MAX_USERS = 64 };
  CK_NEED_OUT(out_is_accessed, 0);
  CK_TRY(check_managed(buffer, __func__));
  CK_TRY(check_user(buffer, location, __func__));
  int users[MAX_USERS], wanted = location.place == CK_PLACE_HOST ? CU_DEVICE_CPU : location.id;
  for (size_t i = 0; i < MAX_USERS; ++i) users[i] = CU_DEVICE_INVALID;
  CK_TRY(ask(buffer, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, users, sizeof users));
  for (size_t i = 0; i < MAX_USERS; ++i) *out_is_accessed |= users[i] == wanted;
  return CK_OK;
}

/* prefetch and discard ----------------------------------------------------------------------- */

ck_status_t ck_buffer_prefetch(ck_buffer_t *buffer, ck_location_t location, ck_stream_t *stream)
{
  CK_TRY(check_managed(buffer, __func__));
  CK_TRY(check_location(buffer, location, __func__));
  CK_TRY(stream_check(stream, buffer->device));
  const Driver *driver = buffer->device->driver;
  DRV_NEED(driver, cuMemPrefetchAsync);
  ck_status_t status = DEVICE_STATUS(
      buffer->device, cuMemPrefetchAsync(buffer->address, buffer->bytes, to_native(location), 0,
                                         stream_native(stream)));
  return location_explain(location, status);
}

ck_status_t ck_buffer_get_prefetch_location(ck_buffer_t *buffer, ck_location_t *out_location)
{
  CK_NEED_ARG(out_location);
  *out_location = (ck_location_t){CK_PLACE_NONE, 0};
  CK_TRY(check_managed(buffer, __func__));
  return ask_location(buffer, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE,
                      CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID, out_location);
}

/* batches ------------------------------------------------------------------------------------ */

/* The arguments of the driver's batch calls, in one allocation. */
typedef struct Batch {
  CUdeviceptr *addresses;
  size_t *bytes, *firsts;
  CUmemLocation *locations;
  size_t count, location_count;
} Batch;

static ck_status_t check_batch(ck_buffer_t *const *buffers, size_t count,
                               const ck_location_t *locations, size_t location_count,
                               ck_stream_t *stream, const char *function)
{
  if (!buffers || !count) return error_argument("%s: a batch of no buffers", function);
  if (location_count && location_count != 1 && location_count != count)
    return error_argument("%s: %zu locations for %zu buffers", function, location_count, count);
  if (location_count && !locations)
    return error_argument("%s: %zu locations at NULL", function, location_count);
  if (!stream || stream->native == CU_STREAM_LEGACY)
    return error_argument("%s: not in the legacy default stream", function);
  for (size_t i = 0; i < count; ++i) {
    CK_TRY(check_managed(buffers[i], function));
    CK_TRY(stream_check(stream, buffers[i]->device));
  }
  for (size_t i = 0; i < location_count; ++i)
    CK_TRY(check_location(buffers[i], locations[i], function));
  return CK_OK;
}

static ck_status_t make_batch(ck_buffer_t *const *buffers, size_t count,
                              const ck_location_t *locations, size_t location_count, Batch *out)
{
  *out = (Batch){.count = count, .location_count = location_count};
  out->addresses =
      memory_take(count * (sizeof(CUdeviceptr) + 2 * sizeof(size_t) + sizeof(CUmemLocation)));
  if (!out->addresses) return CK_OUT_OF_MEMORY;
  out->bytes = (size_t *)(void *)(out->addresses + count);
  out->firsts = out->bytes + count;
  out->locations = (CUmemLocation *)(void *)(out->firsts + count);
  for (size_t i = 0; i < count; ++i) {
    out->addresses[i] = buffers[i]->address;
    out->bytes[i] = buffers[i]->bytes;
  }
  for (size_t i = 0; i < location_count; ++i) {
    out->locations[i] = to_native(locations[i]);
    out->firsts[i] = i; /* location i applies from this buffer on */
  }
  return CK_OK;
}

typedef enum BatchKind { BATCH_prefetch, BATCH_discard, BATCH_both } BatchKind;

static ck_status_t put_batch(const Driver *driver, BatchKind kind, Batch *batch, CUstream stream)
{
  switch (kind) {
  case BATCH_prefetch:
    DRV_NEED(driver, cuMemPrefetchBatchAsync);
    return DRV_STATUS(driver, cuMemPrefetchBatchAsync(batch->addresses, batch->bytes, batch->count,
                                                      batch->locations, batch->firsts,
                                                      batch->location_count, 0, stream));
  case BATCH_discard:
    DRV_NEED(driver, cuMemDiscardBatchAsync);
    return DRV_STATUS(
        driver, cuMemDiscardBatchAsync(batch->addresses, batch->bytes, batch->count, 0, stream));
  case BATCH_both:
    DRV_NEED(driver, cuMemDiscardAndPrefetchBatchAsync);
    return DRV_STATUS(driver, cuMemDiscardAndPrefetchBatchAsync(
                                  batch->addresses, batch->bytes, batch->count, batch->locations,
                                  batch->firsts, batch->location_count, 0, stream));
  }
  return CK_INTERNAL;
}

static ck_status_t run_batch(BatchKind kind, ck_buffer_t *const *buffers, size_t count,
                             const ck_location_t *locations, size_t location_count,
                             ck_stream_t *stream, const char *function)
{
  Batch batch;
  CK_TRY(check_batch(buffers, count, locations, location_count, stream, function));
  CK_TRY(make_batch(buffers, count, locations, location_count, &batch));
  ck_status_t status =
      IN_DEVICE(stream->device, put_batch(stream->device->driver, kind, &batch, stream->native));
  memory_free(batch.addresses);
  return status;
}

ck_status_t ck_prefetch_batch(ck_buffer_t *const *buffers, size_t count,
                              const ck_location_t *locations, size_t location_count,
                              ck_stream_t *stream)
{
  if (!location_count) return error_argument("%s: no location", __func__);
  return run_batch(BATCH_prefetch, buffers, count, locations, location_count, stream, __func__);
}

ck_status_t ck_discard_batch(ck_buffer_t *const *buffers, size_t count, ck_stream_t *stream)
{
  return run_batch(BATCH_discard, buffers, count, NULL, 0, stream, __func__);
}

ck_status_t ck_discard_prefetch_batch(ck_buffer_t *const *buffers, size_t count,
                                      const ck_location_t *locations, size_t location_count,
                                      ck_stream_t *stream)
{
  if (!location_count) return error_argument("%s: no location", __func__);
  return run_batch(BATCH_both, buffers, count, locations, location_count, stream, __func__);
}

ck_status_t ck_buffer_discard(ck_buffer_t *buffer, ck_stream_t *stream)
{
  return run_batch(BATCH_discard, &buffer, 1, NULL, 0, stream, __func__);
}

ck_status_t ck_buffer_discard_prefetch(ck_buffer_t *buffer, ck_location_t location,
                                       ck_stream_t *stream)
{
  return run_batch(BATCH_both, &buffer, 1, &location, 1, stream, __func__);
}
