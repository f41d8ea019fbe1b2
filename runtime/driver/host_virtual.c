/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* host_virtual.c - the host device's virtual memory: the process's own address space.
 *
 * A reservation is addresses that nothing can use. Memory is an anonymous file, which is mapped
 * over reserved addresses, without access until that is given. So the same memory can be mapped
 * twice, and another process can map it too.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host.h"

enum { GRANULARITY = 1 << 16 };

typedef struct HostMemory {
  atomic_size_t reference_count; /* the handle, and its mappings */
  int fd;
  size_t bytes;
} HostMemory;

/* A place where memory is mapped; the list is guarded by the mutex. */
typedef struct Mapping {
  struct Mapping *next;
  CUdeviceptr address;
  size_t bytes;
  HostMemory *memory; /* retained */
} Mapping;

static Mapping *mappings;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static HostMemory *memory_of(CUmemGenericAllocationHandle handle)
{
  return (HostMemory *)(uintptr_t)handle;
}

static void release_memory(HostMemory *memory)
{
  if (atomic_fetch_sub(&memory->reference_count, 1) != 1) return;
  close(memory->fd);
  memory_free(memory);
}

static void *at(CUdeviceptr address)
{
  return (void *)(uintptr_t)address;
}

CUresult host_cuMemGetAllocationGranularity(size_t *out_bytes, const CUmemAllocationProp *props,
                                            CUmemAllocationGranularity_flags flags)
{
  if (props->type != CU_MEM_ALLOCATION_TYPE_PINNED) return CUDA_ERROR_NOT_SUPPORTED;
  *out_bytes = flags == CU_MEM_ALLOC_GRANULARITY_RECOMMENDED ? 4 * GRANULARITY : GRANULARITY;
  return CUDA_SUCCESS;
}

CUresult host_cuMemAddressReserve(CUdeviceptr *out_address, size_t bytes, size_t alignment,
                                  CUdeviceptr wish, unsigned long long flags)
{
  if (!bytes || bytes % GRANULARITY || flags) return CUDA_ERROR_INVALID_VALUE;
  if (alignment < GRANULARITY) alignment = GRANULARITY;
  if (bytes > SIZE_MAX - alignment) return CUDA_ERROR_INVALID_VALUE;
  int how = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  if (wish && wish % alignment == 0) {
    void *there = mmap(at(wish), bytes, PROT_NONE, how | MAP_FIXED_NOREPLACE, -1, 0);
    if (there == at(wish)) {
      *out_address = wish;
      atomic_fetch_add(&host_live_objects, 1);
      return CUDA_SUCCESS;
    }
    if (there != MAP_FAILED) munmap(there, bytes);
  }
  /* As much more as alignment may take, and the ends given back. */
  char *start = mmap(NULL, bytes + alignment, PROT_NONE, how, -1, 0);
  if (start == MAP_FAILED) return CUDA_ERROR_OUT_OF_MEMORY;
  size_t skip = (alignment - (uintptr_t)start % alignment) % alignment;
  if (skip) munmap(start, skip);
  if (alignment - skip) munmap(start + skip + bytes, alignment - skip);
  *out_address = (CUdeviceptr)(uintptr_t)(start + skip);
  atomic_fetch_add(&host_live_objects, 1);
  return CUDA_SUCCESS;
}

CUresult host_cuMemAddressFree(CUdeviceptr address, size_t bytes)
{
  if (munmap(at(address), bytes) != 0) return CUDA_ERROR_INVALID_VALUE;
  atomic_fetch_sub(&host_live_objects, 1);
  return CUDA_SUCCESS;
}

static CUresult new_memory(int fd, size_t bytes, CUmemGenericAllocationHandle *out_handle)
{
  HostMemory *memory = memory_new(sizeof *memory);
  if (!memory) return CUDA_ERROR_OUT_OF_MEMORY;
  atomic_init(&memory->reference_count, 1);
  memory->fd = fd;
  memory->bytes = bytes;
  atomic_fetch_add(&host_live_objects, 1);
  *out_handle = (CUmemGenericAllocationHandle)(uintptr_t)memory;
  return CUDA_SUCCESS;
}

CUresult host_cuMemCreate(CUmemGenericAllocationHandle *out_handle, size_t bytes,
                          const CUmemAllocationProp *props, unsigned long long flags)
{
  if (!bytes || bytes % GRANULARITY || flags || props->type != CU_MEM_ALLOCATION_TYPE_PINNED)
    return CUDA_ERROR_INVALID_VALUE;
  if (!host_has_location(props->location)) return CUDA_ERROR_INVALID_DEVICE;
  if (bytes > host_total_bytes()) return CUDA_ERROR_OUT_OF_MEMORY;
  int fd = memfd_create("cokernel-memory", MFD_CLOEXEC);
  if (fd < 0) return CUDA_ERROR_OPERATING_SYSTEM;
  CUresult result = ftruncate(fd, (off_t)bytes) == 0 ? new_memory(fd, bytes, out_handle)
                                                     : CUDA_ERROR_OUT_OF_MEMORY;
  if (result != CUDA_SUCCESS) close(fd);
  return result;
}

CUresult host_cuMemRelease(CUmemGenericAllocationHandle handle)
{
  release_memory(memory_of(handle));
  atomic_fetch_sub(&host_live_objects, 1);
  return CUDA_SUCCESS;
}

CUresult host_cuMemMap(CUdeviceptr address, size_t bytes, size_t offset,
                       CUmemGenericAllocationHandle handle, unsigned long long flags)
{
  HostMemory *memory = memory_of(handle);
  if (flags || offset || bytes != memory->bytes || address % GRANULARITY)
    return CUDA_ERROR_INVALID_VALUE;
  Mapping *mapping = memory_new(sizeof *mapping);
  if (!mapping) return CUDA_ERROR_OUT_OF_MEMORY;
  if (mmap(at(address), bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, memory->fd, 0) == MAP_FAILED) {
    memory_free(mapping);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  atomic_fetch_add(&memory->reference_count, 1);
  pthread_mutex_lock(&mutex);
  *mapping = (Mapping){mappings, address, bytes, memory};
  mappings = mapping;
  pthread_mutex_unlock(&mutex);
  atomic_fetch_add(&host_live_objects, 1);
  return CUDA_SUCCESS;
}

CUresult host_cuMemUnmap(CUdeviceptr address, size_t bytes)
{
  pthread_mutex_lock(&mutex);
  Mapping **link = &mappings;
  while (*link && ((*link)->address != address || (*link)->bytes != bytes)) link = &(*link)->next;
  Mapping *mapping = *link;
  if (mapping) *link = mapping->next;
  pthread_mutex_unlock(&mutex);
  if (!mapping) return CUDA_ERROR_INVALID_VALUE;
  /* The addresses stay reserved. */
  mmap(at(address), bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
       0);
  release_memory(mapping->memory);
  memory_free(mapping);
  atomic_fetch_sub(&host_live_objects, 1);
  return CUDA_SUCCESS;
}

CUresult host_cuMemSetAccess(CUdeviceptr address, size_t bytes, const CUmemAccessDesc *access,
                             size_t count)
{
  int protection = PROT_NONE;
  for (size_t i = 0; i < count; ++i) {
    if (!host_has_location(access[i].location)) return CUDA_ERROR_INVALID_DEVICE;
    if (access[i].flags >= CU_MEM_ACCESS_FLAGS_PROT_READ) protection |= PROT_READ;
    if (access[i].flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE) protection |= PROT_WRITE;
  }
  return mprotect(at(address), bytes, protection) == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* other processes ---------------------------------------------------------------------------- */

CUresult host_cuMemExportToShareableHandle(void *out_handle, CUmemGenericAllocationHandle handle,
                                           CUmemAllocationHandleType type, unsigned long long flags)
{
  if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR || flags) return CUDA_ERROR_INVALID_VALUE;
  int fd = fcntl(memory_of(handle)->fd, F_DUPFD_CLOEXEC, 0);
  if (fd < 0) return CUDA_ERROR_OPERATING_SYSTEM;
  *(int *)out_handle = fd;
  return CUDA_SUCCESS;
}

CUresult host_cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *out_handle, void *handle,
                                             CUmemAllocationHandleType type)
{
  struct stat info;
  int theirs = (int)(intptr_t)handle;
  if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR || fstat(theirs, &info) != 0 ||
      info.st_size <= 0 || info.st_size % GRANULARITY)
    return CUDA_ERROR_INVALID_VALUE;
  int fd = fcntl(theirs, F_DUPFD_CLOEXEC, 0);
  if (fd < 0) return CUDA_ERROR_OPERATING_SYSTEM;
  CUresult result = new_memory(fd, (size_t)info.st_size, out_handle);
  if (result != CUDA_SUCCESS) close(fd);
  return result;
}
