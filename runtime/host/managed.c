/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* managed.c - managed memory of the host device: hints and locations are stored, and nothing moves.
 */
#include <string.h>

#include "host.h"

/* The arguments and the result of a hint or query, passed to a callback under the lock. */
typedef struct Request {
  CUmem_advise advice; /* 0: a prefetch to `location` */
  CUmem_range_attribute attribute;
  CUmemLocation location;
  int *out;
  size_t out_count;
  CUresult result;
} Request;

/* Stores a hint or a prefetch location with its allocation; called with the lock held. */
static void advise(HostPiece *piece, void *data)
{
  Request *request = data;
  request->result = piece->kind == HOST_managed ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  switch ((int)request->advice) {
  case 0: piece->prefetched = request->location; break;
  case CU_MEM_ADVISE_SET_READ_MOSTLY: piece->is_read_mostly = true; break;
  case CU_MEM_ADVISE_UNSET_READ_MOSTLY: piece->is_read_mostly = false; break;
  case CU_MEM_ADVISE_SET_PREFERRED_LOCATION: piece->preferred = request->location; break;
  case CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION:
    piece->preferred = (CUmemLocation){.id = CU_DEVICE_INVALID};
    break;
  case CU_MEM_ADVISE_SET_ACCESSED_BY:
  case CU_MEM_ADVISE_UNSET_ACCESSED_BY: {
    bool is_set = request->advice == CU_MEM_ADVISE_SET_ACCESSED_BY;
    if (request->location.type == CU_MEM_LOCATION_TYPE_HOST) piece->is_host_user = is_set;
    else piece->is_device_user = is_set;
    break;
  }
  default: request->result = CUDA_ERROR_INVALID_VALUE;
  }
}

static CUresult check_location(CUmemLocation location)
{
  if (location.type == CU_MEM_LOCATION_TYPE_NONE) return CUDA_ERROR_INVALID_VALUE;
  return host_has_location(location) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult host_cuMemAdvise(CUdeviceptr address, size_t bytes, CUmem_advise advice,
                          CUmemLocation location)
{
  (void)bytes; /* a hint applies to the whole allocation */
  Request request = {.advice = advice, .location = location, .result = check_location(location)};
  if (request.result != CUDA_SUCCESS) return request.result;
  return host_with_piece(address, advise, &request) ? request.result : CUDA_ERROR_INVALID_VALUE;
}

CUresult host_cuMemPrefetchAsync(CUdeviceptr address, size_t bytes, CUmemLocation location,
                                 unsigned flags, CUstream stream)
{
  (void)bytes; /* nothing moves, so there is nothing to order */
  NEED_CONTEXT();
  CUresult result = host_capture_refuse(stream);
  if (result != CUDA_SUCCESS) return result;
  Request request = {.location = location, .result = check_location(location)};
  if (flags || request.result != CUDA_SUCCESS) return CUDA_ERROR_INVALID_VALUE;
  return host_with_piece(address, advise, &request) ? request.result : CUDA_ERROR_INVALID_VALUE;
}

/* Answers a query from what was stored; called with the lock held. */
static void answer(HostPiece *piece, void *data)
{
  Request *request = data;
  int *out = request->out;
  request->result = CUDA_SUCCESS;
  switch ((int)request->attribute) {
  case CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY: *out = piece->is_read_mostly; break;
  case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE: *out = (int)piece->preferred.type; break;
  case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID: *out = piece->preferred.id; break;
  case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE:
    *out = (int)piece->prefetched.type;
    break;
  case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID: *out = piece->prefetched.id; break;
  case CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY: {
    size_t n = 0;
    if (piece->is_device_user && n < request->out_count) out[n++] = 0;
    if (piece->is_host_user && n < request->out_count) out[n++] = CU_DEVICE_CPU;
    while (n < request->out_count) out[n++] = CU_DEVICE_INVALID;
    break;
  }
  default: request->result = CUDA_ERROR_NOT_SUPPORTED;
  }
}

CUresult host_cuMemRangeGetAttribute(void *out, size_t out_bytes, CUmem_range_attribute attribute,
                                     CUdeviceptr address, size_t bytes)
{
  (void)bytes;
  if (out_bytes < sizeof(int) || out_bytes % sizeof(int)) return CUDA_ERROR_INVALID_VALUE;
  Request request = {.attribute = attribute, .out = out, .out_count = out_bytes / sizeof(int)};
  return host_with_piece(address, answer, &request) ? request.result : CUDA_ERROR_INVALID_VALUE;
}

/* batches ------------------------------------------------------------------------------------ */

CUresult host_cuMemPrefetchBatchAsync(CUdeviceptr *addresses, size_t *sizes, size_t count,
                                      CUmemLocation *locations, size_t *firsts,
                                      size_t location_count, unsigned long long flags,
                                      CUstream stream)
{
  NEED_CONTEXT();
  if (!count || !location_count || firsts[0] != 0 || flags) return CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0, k = 0; i < count; ++i) {
    while (k + 1 < location_count && firsts[k + 1] <= i) ++k;
    CUresult result = host_cuMemPrefetchAsync(addresses[i], sizes[i], locations[k], 0, stream);
    if (result != CUDA_SUCCESS) return result;
  }
  return CUDA_SUCCESS;
}

CUresult host_cuMemDiscardBatchAsync(CUdeviceptr *addresses, size_t *sizes, size_t count,
                                     unsigned long long flags, CUstream stream)
{
  (void)addresses, (void)sizes; /* the contents may stay */
  NEED_CONTEXT();
  return count && !flags ? host_capture_refuse(stream) : CUDA_ERROR_INVALID_VALUE;
}

CUresult host_cuMemDiscardAndPrefetchBatchAsync(CUdeviceptr *addresses, size_t *sizes, size_t count,
                                                CUmemLocation *locations, size_t *firsts,
                                                size_t location_count, unsigned long long flags,
                                                CUstream stream)
{
  return host_cuMemPrefetchBatchAsync(addresses, sizes, count, locations, firsts, location_count,
                                      flags, stream);
}
