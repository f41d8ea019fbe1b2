/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* graph_memory.c - the memory of allocation nodes on the host device.
 *
 * The address of an allocation node is fixed when the node is made, and stays reserved for it as
 * long as any node refers to it. It counts as used from a launch that allocates it until a free: by
 * a free node, or by cuMemFreeAsync in a stream. Used memory stays reserved until it is trimmed:
 *
 *   node made       launch          free            trim
 *      |  address      |  used         |  reserved     |
 */
#include <string.h>

#include "graph.h"

/* The alignment of CUDA's allocations. */
enum { ALIGNMENT = 256 };

static HostGraphMemory *all_memory;
static uint64_t used, used_high, reserved, reserved_high;

HostGraphMemory *host_graph_memory_new(size_t bytes)
{
  HostGraphMemory *memory = memory_new(sizeof *memory);
  void *start = memory ? memory_new_aligned(bytes, ALIGNMENT) : NULL;
  if (!start) {
    memory_free(memory);
    return NULL;
  }
  *memory = (HostGraphMemory){.next = all_memory, .start = start, .bytes = bytes};
  atomic_init(&memory->reference_count, 1);
  pthread_mutex_lock(&host_graph_mutex);
  memory->next = all_memory;
  all_memory = memory;
  pthread_mutex_unlock(&host_graph_mutex);
  return memory;
}

HostGraphMemory *host_graph_memory_find(CUdeviceptr address)
{
  pthread_mutex_lock(&host_graph_mutex);
  HostGraphMemory *memory = all_memory;
  while (memory && memory->start != (void *)(uintptr_t)address) memory = memory->next;
  pthread_mutex_unlock(&host_graph_mutex);
  return memory;
}

void host_graph_memory_release(HostGraphMemory *memory)
{
  if (atomic_fetch_sub(&memory->reference_count, 1) != 1) return;
  pthread_mutex_lock(&host_graph_mutex);
  HostGraphMemory **link = &all_memory;
  while (*link != memory) link = &(*link)->next;
  *link = memory->next;
  pthread_mutex_unlock(&host_graph_mutex);
  memory_free(memory->start);
  memory_free(memory);
}

bool host_graph_memory_set(HostGraphMemory *memory, bool is_allocated)
{
  pthread_mutex_lock(&host_graph_mutex);
  bool is_change = memory->is_allocated != is_allocated;
  memory->is_allocated = is_allocated;
  if (is_change && is_allocated) {
    atomic_fetch_add(&memory->reference_count, 1);
    used += memory->bytes;
    if (used > used_high) used_high = used;
    if (used > reserved) reserved = used;
    if (reserved > reserved_high) reserved_high = reserved;
  } else if (is_change) {
    used -= memory->bytes;
  }
  pthread_mutex_unlock(&host_graph_mutex);
  return is_change;
}

typedef struct FreeMemoryOp {
  HostOp op;
  HostGraphMemory *memory;
} FreeMemoryOp;

static void drop_free(HostOp *op)
{
  host_graph_memory_release(((FreeMemoryOp *)op)->memory);
}

bool host_graph_free(CUdeviceptr address, CUstream stream, CUresult *out_result)
{
  HostGraphMemory *memory = host_graph_memory_find(address);
  if (!memory) return false;
  *out_result = CUDA_ERROR_OUT_OF_MEMORY;
  FreeMemoryOp *op = memory_new(sizeof *op);
  if (!op) return true;
  op->op.drop = drop_free;
  op->memory = memory;
  if (host_graph_memory_set(memory, false)) {
    *out_result = host_try_put(stream, &op->op);
    if (*out_result != CUDA_SUCCESS) { /* undo: it stays allocated */
      host_graph_memory_set(memory, true);
      host_op_release(&op->op);
    }
  } else {
    memory_free(op);
    *out_result = CUDA_ERROR_INVALID_VALUE;
  }
  return true;
}

CUresult host_cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute,
                                           void *out_value)
{
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  const uint64_t *const values[] = {&used, &used_high, &reserved, &reserved_high};
  if ((size_t)attribute >= COUNT_OF(values)) return CUDA_ERROR_INVALID_VALUE;
  pthread_mutex_lock(&host_graph_mutex);
  memcpy(out_value, values[attribute], sizeof used);
  pthread_mutex_unlock(&host_graph_mutex);
  return CUDA_SUCCESS;
}

CUresult host_cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute,
                                           void *value)
{
  uint64_t wish;
  memcpy(&wish, value, sizeof wish);
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  if (wish || (attribute != CU_GRAPH_MEM_ATTR_USED_MEM_HIGH &&
               attribute != CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH))
    return CUDA_ERROR_INVALID_VALUE;
  pthread_mutex_lock(&host_graph_mutex);
  if (attribute == CU_GRAPH_MEM_ATTR_USED_MEM_HIGH) used_high = used;
  else reserved_high = reserved;
  pthread_mutex_unlock(&host_graph_mutex);
  return CUDA_SUCCESS;
}

CUresult host_cuDeviceGraphMemTrim(CUdevice device)
{
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  pthread_mutex_lock(&host_graph_mutex);
  reserved = used;
  pthread_mutex_unlock(&host_graph_mutex);
  return CUDA_SUCCESS;
}
