/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* virtual.c - virtual memory management of the host device, in the address space of the process.
 *
 * A reservation (cuMemAddressReserve) is an mmap without access. An allocation (cuMemCreate) is an
 * anonymous file (memfd), which cuMemMap maps over reserved addresses, at first without access:
 *
 *   reserved   |--------------------------------|
 *   mapped     |  file A, rw  |  file B, r      |     two sorted arrays of ranges
 *
 * So the same memory can be mapped twice, and another process can map it too. The permissions of
 * all ranges are recorded here as well. An operation in a stream that violates them is a sticky
 * error of the context, as on a GPU, instead of a crash of the process.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
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

/* A range of reserved addresses, or of mapped ones. */
typedef struct Range {
  CUdeviceptr start, end;
  HostMemory *memory; /* retained; NULL: a reservation */
  int protection;     /* PROT_* of a mapping */
} Range;

/* Sorted by address; ranges don't overlap. */
typedef struct Ranges {
  Range *items;
  size_t count;
} Ranges;

static Ranges reserved, mapped; /* guarded by the mutex */
pthread_mutex_t host_ranges_mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_size_t reservation_count; /* 0: lookups need no lock */

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

/* ranges, under host_ranges_mutex ------------------------------------------------------------ */

/* The index of the first range that ends after an address: it contains the address, or starts after
 * it. */
static size_t find(const Ranges *ranges, CUdeviceptr address)
{
  size_t low = 0, high = ranges->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (ranges->items[middle].end > address) high = middle;
    else low = middle + 1;
  }
  return low;
}

static bool insert(Ranges *ranges, Range range)
{
  if (!host_grow((void **)&ranges->items, ranges->count, sizeof range)) return false;
  size_t i = find(ranges, range.start);
  memmove(&ranges->items[i + 1], &ranges->items[i], (ranges->count++ - i) * sizeof range);
  ranges->items[i] = range;
  return true;
}

/* Removes the range with exactly these addresses; false if there is none. */
static bool take_out(Ranges *ranges, CUdeviceptr start, CUdeviceptr end, Range *out)
{
  size_t i = find(ranges, start);
  if (i == ranges->count || ranges->items[i].start != start || ranges->items[i].end != end)
    return false;
  *out = ranges->items[i];
  memmove(&ranges->items[i], &ranges->items[i + 1], (--ranges->count - i) * sizeof *out);
  if (ranges->count) return true;
  memory_free(ranges->items);
  ranges->items = NULL;
  return true;
}

/* The first address of start..end that is in no range, or in one without the protection; `end` if
 * there is none. */
static CUdeviceptr first_outside(const Ranges *ranges, CUdeviceptr start, CUdeviceptr end,
                                 int protection)
{
  for (size_t i = find(ranges, start); start < end && i < ranges->count; ++i) {
    const Range *range = &ranges->items[i];
    if (range->start > start || (range->protection & protection) != protection) break;
    start = range->end;
  }
  return start < end ? start : end;
}

CUdeviceptr host_find_forbidden(CUdeviceptr start, size_t bytes, bool is_write)
{
  CUdeviceptr end = start + bytes, found = 0;
  if (!atomic_load_explicit(&reservation_count, memory_order_acquire) || !bytes) return 0;
  pthread_mutex_lock(&host_ranges_mutex);
  for (size_t i = find(&reserved, start); i < reserved.count && !found; ++i) {
    CUdeviceptr from = reserved.items[i].start, to = reserved.items[i].end;
    if (from >= end) break;
    if (from < start) from = start;
    if (to > end) to = end;
    from = first_outside(&mapped, from, to, is_write ? PROT_WRITE : PROT_READ);
    if (from < to) found = from;
  }
  pthread_mutex_unlock(&host_ranges_mutex);
  return found;
}

bool host_may_access(const char *who, CUdeviceptr start, size_t bytes, bool is_write)
{
  char text[128];
  CUdeviceptr address = host_find_forbidden(start, bytes, is_write);
  if (!address) return true;
  snprintf(text, sizeof text, "%s %s 0x%llx, virtual memory that may not be %s", who,
           is_write ? "writes to" : "reads from", (unsigned long long)address,
           is_write ? "written" : "read");
  host_set_fault(CUDA_ERROR_ILLEGAL_ADDRESS, text);
  return false;
}

/* addresses ---------------------------------------------------------------------------------- */

CUresult host_cuMemGetAllocationGranularity(size_t *out_bytes, const CUmemAllocationProp *props,
                                            CUmemAllocationGranularity_flags flags)
{
  if (props->type != CU_MEM_ALLOCATION_TYPE_PINNED) return CUDA_ERROR_NOT_SUPPORTED;
  *out_bytes = flags == CU_MEM_ALLOC_GRANULARITY_RECOMMENDED ? 4 * GRANULARITY : GRANULARITY;
  return CUDA_SUCCESS;
}

/* Records a reservation; unmaps it on failure. */
static CUresult add_reservation(void *start, size_t bytes, CUdeviceptr *out_address)
{
  Range range = {(CUdeviceptr)(uintptr_t)start, (CUdeviceptr)(uintptr_t)start + bytes, NULL, 0};
  pthread_mutex_lock(&host_ranges_mutex);
  bool is_kept = insert(&reserved, range);
  atomic_store_explicit(&reservation_count, reserved.count, memory_order_release);
  pthread_mutex_unlock(&host_ranges_mutex);
  if (!is_kept) {
    munmap(start, bytes);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  atomic_fetch_add(&host_live_objects, 1);
  *out_address = range.start;
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
    if (there == at(wish)) return add_reservation(there, bytes, out_address);
    if (there != MAP_FAILED) munmap(there, bytes);
  }
  /* Reserves more than needed, and unmaps both ends so that the rest is aligned. */
  char *start = mmap(NULL, bytes + alignment, PROT_NONE, how, -1, 0);
  if (start == MAP_FAILED) return CUDA_ERROR_OUT_OF_MEMORY;
  size_t skip = (alignment - (uintptr_t)start % alignment) % alignment;
  if (skip) munmap(start, skip);
  if (alignment - skip) munmap(start + skip + bytes, alignment - skip);
  return add_reservation(start + skip, bytes, out_address);
}

CUresult host_cuMemAddressFree(CUdeviceptr address, size_t bytes)
{
  Range range;
  pthread_mutex_lock(&host_ranges_mutex);
  size_t next = find(&mapped, address);
  bool is_known = (next == mapped.count || mapped.items[next].start >= address + bytes) &&
                  take_out(&reserved, address, address + bytes, &range);
  atomic_store_explicit(&reservation_count, reserved.count, memory_order_release);
  pthread_mutex_unlock(&host_ranges_mutex);
  if (!is_known) return CUDA_ERROR_INVALID_VALUE;
  munmap(at(address), bytes);
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

/* Records a mapping, whose addresses must be reserved and not mapped. */
static CUresult add_mapping(Range range)
{
  CUresult result = CUDA_ERROR_INVALID_VALUE;
  pthread_mutex_lock(&host_ranges_mutex);
  size_t next = find(&mapped, range.start);
  bool is_free = next == mapped.count || mapped.items[next].start >= range.end;
  if (is_free && first_outside(&reserved, range.start, range.end, 0) == range.end)
    result = insert(&mapped, range) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
  pthread_mutex_unlock(&host_ranges_mutex);
  return result;
}

static bool remove_mapping(CUdeviceptr address, size_t bytes, HostMemory **out_memory)
{
  Range range = {0};
  pthread_mutex_lock(&host_ranges_mutex);
  bool is_known = take_out(&mapped, address, address + bytes, &range);
  pthread_mutex_unlock(&host_ranges_mutex);
  *out_memory = range.memory;
  return is_known;
}

CUresult host_cuMemMap(CUdeviceptr address, size_t bytes, size_t offset,
                       CUmemGenericAllocationHandle handle, unsigned long long flags)
{
  HostMemory *memory = memory_of(handle);
  if (flags || offset || bytes != memory->bytes || address % GRANULARITY)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult result = add_mapping((Range){address, address + bytes, memory, PROT_NONE});
  if (result != CUDA_SUCCESS) return result;
  if (mmap(at(address), bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, memory->fd, 0) == MAP_FAILED) {
    remove_mapping(address, bytes, &memory);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  atomic_fetch_add(&memory->reference_count, 1);
  atomic_fetch_add(&host_live_objects, 1);
  return CUDA_SUCCESS;
}

CUresult host_cuMemUnmap(CUdeviceptr address, size_t bytes)
{
  HostMemory *memory;
  if (!remove_mapping(address, bytes, &memory)) return CUDA_ERROR_INVALID_VALUE;
  /* Replaces the mapping by a reservation. */
  mmap(at(address), bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
       0);
  release_memory(memory);
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
  CUdeviceptr end = address + bytes;
  pthread_mutex_lock(&host_ranges_mutex);
  /* Only for a sequence of complete, adjacent mappings. */
  size_t first = find(&mapped, address), last = find(&mapped, end - 1);
  bool is_whole = bytes && last < mapped.count && mapped.items[first].start == address &&
                  mapped.items[last].end == end && first_outside(&mapped, address, end, 0) == end &&
                  mprotect(at(address), bytes, protection) == 0;
  for (size_t i = first; is_whole && i <= last; ++i) mapped.items[i].protection = protection;
  pthread_mutex_unlock(&host_ranges_mutex);
  return is_whole ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
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
