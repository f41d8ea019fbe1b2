/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* pool.c - memory pools of the host device.
 *
 * An ordinary pool is a usage counter with a limit; its memory comes from the C library, whose
 * allocator keeps free memory. A pool that is shared between processes is a file in memory (memfd),
 * which every process maps:
 *
 *   offset 0      4096
 *   | head: magic, size, id | block | gap | block | ...
 *
 * The process that made the pool allocates its blocks, first fit in a list by offset. A pointer is
 * exported as its offset in the file, since each process maps it at another address. The file can't
 * grow, because importers have mapped it at its size; unused pages take no memory.
 *
 * An importing process must not allocate: it does not know the list of blocks.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host.h"

/* The header takes a page, so that the blocks after it are page-aligned. */
enum { HEAD_BYTES = 4096 };

static const char pool_magic[8] = "ck.pool";
static const char pointer_magic[8] = "ck.ptr";

typedef struct SharedHead {
  char magic[8];
  uint64_t bytes;
  unsigned char id[16]; /* random: an exported pointer names its pool by it */
} SharedHead;

typedef struct Block {
  struct Block *next; /* sorted by offset */
  size_t offset, bytes;
} Block;

struct HostPool {
  atomic_size_t reference_count; /* the handle, and the allocations */
  atomic_size_t used_bytes, high_bytes;
  atomic_uint_fast64_t release_threshold;
  atomic_int reuse[3];
  size_t max_bytes; /* 0: no limit */
  HostPieceKind kind;
  SharedHead *shared; /* the mapped file; NULL for an ordinary pool */
  int fd;
  bool is_imported;
  atomic_bool is_exported; /* only then its pointers can be exported, as with libcuda */
  pthread_mutex_t mutex;   /* guards blocks */
  Block *blocks;
};

/* The current pools: of the device, of the host, and of managed memory. */
static HostPool current[] = {{.reference_count = 1, .kind = HOST_device, .reuse = {1, 1, 1}},
                             {.reference_count = 1, .kind = HOST_pinned, .reuse = {1, 1, 1}},
                             {.reference_count = 1, .kind = HOST_managed, .reuse = {1, 1, 1}}};

static HostPool *pool_of(CUmemoryPool native)
{
  return (HostPool *)(void *)native;
}

static void release_pool(HostPool *pool)
{
  if (atomic_fetch_sub(&pool->reference_count, 1) != 1) return;
  if (pool->shared) {
    munmap(pool->shared, pool->shared->bytes);
    close(pool->fd);
    pthread_mutex_destroy(&pool->mutex);
  }
  memory_free(pool);
}

/* blocks of a shared pool -------------------------------------------------------------------- */

/* First fit: allocates the first gap in the shared memory file that is large enough. The list of
 * blocks is sorted by offset. */
static void *take_block(HostPool *pool, size_t bytes)
{
  size_t rounded = (bytes + HOST_ALIGNMENT - 1) / HOST_ALIGNMENT * HOST_ALIGNMENT;
  size_t at = HEAD_BYTES;
  Block *block = memory_new(sizeof *block);
  if (!block) return NULL;
  pthread_mutex_lock(&pool->mutex);
  Block **link = &pool->blocks;
  while (*link && (*link)->offset - at < rounded) {
    at = (*link)->offset + (*link)->bytes;
    link = &(*link)->next;
  }
  bool fits = rounded >= bytes && rounded <= pool->shared->bytes - at;
  if (fits) {
    *block = (Block){*link, at, rounded};
    *link = block;
  }
  pthread_mutex_unlock(&pool->mutex);
  if (fits) return (char *)pool->shared + at;
  memory_free(block);
  return NULL;
}

static void give_block(HostPool *pool, const void *start)
{
  size_t offset = (size_t)((const char *)start - (const char *)pool->shared);
  pthread_mutex_lock(&pool->mutex);
  Block **link = &pool->blocks;
  while (*link && (*link)->offset != offset) link = &(*link)->next;
  Block *block = *link;
  if (block) *link = block->next;
  pthread_mutex_unlock(&pool->mutex);
  memory_free(block);
}

void *host_pool_take(HostPool *pool, size_t bytes)
{
  if (pool->is_imported) return NULL; /* only the process that made it allocates */
  if (!host_take(&pool->used_bytes, bytes, pool->max_bytes ? pool->max_bytes : SIZE_MAX))
    return NULL;
  void *start = pool->shared ? take_block(pool, bytes) : memory_new_aligned(bytes, HOST_ALIGNMENT);
  if (!start) {
    atomic_fetch_sub(&pool->used_bytes, bytes);
    return NULL;
  }
  size_t used = atomic_load(&pool->used_bytes), high = atomic_load(&pool->high_bytes);
  while (high < used && !atomic_compare_exchange_weak(&pool->high_bytes, &high, used)) continue;
  atomic_fetch_add(&pool->reference_count, 1);
  return start;
}

bool host_pool_is_limited(const HostPool *pool)
{
  return pool->max_bytes || pool->shared;
}

/* Whether an allocation fits into a limited pool if everything is freed. */
static bool can_hold(const HostPool *pool, size_t bytes)
{
  return !pool->is_imported &&
         bytes <= (pool->max_bytes ? pool->max_bytes : pool->shared->bytes - HEAD_BYTES);
}

bool host_pool_shares(const HostPool *pool)
{
  return atomic_load(&pool->reuse[CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES - 1]);
}

bool host_pool_credit(HostPool *pool, size_t bytes)
{
  if (!pool->shared) atomic_fetch_sub(&pool->used_bytes, bytes);
  return !pool->shared;
}

void host_pool_give(HostPool *pool, void *start, size_t bytes)
{
  if (pool->shared) {
    if (!pool->is_imported) give_block(pool, start);
  } else {
    memory_free(start);
  }
  if (!pool->is_imported) atomic_fetch_sub(&pool->used_bytes, bytes);
  release_pool(pool);
}

/* pools -------------------------------------------------------------------------------------- */

static HostPool *current_pool(CUmemLocationType type, CUmemAllocationType kind)
{
  if (kind == CU_MEM_ALLOCATION_TYPE_MANAGED) return &current[2];
  return type == CU_MEM_LOCATION_TYPE_DEVICE ? &current[0] : &current[1];
}

CUresult host_cuDeviceGetMemPool(CUmemoryPool *out_pool, CUdevice device)
{
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  *out_pool = (CUmemoryPool)(void *)&current[0];
  return CUDA_SUCCESS;
}

CUresult host_cuMemGetMemPool(CUmemoryPool *out_pool, CUmemLocation *location,
                              CUmemAllocationType kind)
{
  if (!host_has_location(*location)) return CUDA_ERROR_INVALID_DEVICE;
  *out_pool = (CUmemoryPool)(void *)current_pool(location->type, kind);
  return CUDA_SUCCESS;
}

/* Maps a pool's file; NULL on failure. The mapping is large and sparse, so it is excluded from core
 * dumps, which would allocate and write all of it. */
static SharedHead *map_file(int fd, size_t bytes)
{
  void *start = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
  if (start == MAP_FAILED) return NULL;
  madvise(start, bytes, MADV_DONTDUMP);
  return start;
}

/* A unique id for each pool on the machine. If the kernel has no random bytes yet, process id and a
 * counter tell pools apart. */
static void fill_id(unsigned char id[16])
{
  static atomic_uint_fast64_t count;
  uint64_t words[2] = {(uint64_t)getpid(), atomic_fetch_add(&count, 1)};
  if (getrandom(id, 16, GRND_NONBLOCK) != 16) memcpy(id, words, sizeof words);
}

/* Makes and maps the file of a shared pool; false if the system refuses. Without a limit its size
 * is that of the machine's memory, halved until it fits into the process's limit on addresses
 * (ulimit -v). */
static bool make_shared(HostPool *pool)
{
  size_t most = host_total_bytes(), bytes,
         room = pool->max_bytes && pool->max_bytes < most ? pool->max_bytes : most;
  pool->fd = memfd_create("cokernel-pool", MFD_CLOEXEC);
  if (pool->fd < 0) return false;
  do {
    bytes = (room + HOST_ALIGNMENT - 1) / HOST_ALIGNMENT * HOST_ALIGNMENT + HEAD_BYTES;
    if (ftruncate(pool->fd, (off_t)bytes) == 0) pool->shared = map_file(pool->fd, bytes);
    room /= 2;
  } while (!pool->shared && room >= HEAD_BYTES);
  if (!pool->shared) {
    close(pool->fd);
    return false;
  }
  memcpy(pool->shared->magic, pool_magic, sizeof pool_magic);
  pool->shared->bytes = bytes;
  fill_id(pool->shared->id);
  pthread_mutex_init(&pool->mutex, NULL);
  return true;
}

static HostPool *new_pool(HostPieceKind kind, size_t max_bytes)
{
  HostPool *pool = memory_new(sizeof *pool);
  if (!pool) return NULL;
  atomic_init(&pool->reference_count, 1);
  for (size_t i = 0; i < COUNT_OF(pool->reuse); ++i) atomic_init(&pool->reuse[i], 1);
  pool->kind = kind;
  pool->max_bytes = max_bytes;
  pool->fd = -1;
  return pool;
}

CUresult host_cuMemPoolCreate(CUmemoryPool *out_pool, const CUmemPoolProps *props)
{
  UNSAFE_IN_CAPTURES();
  bool is_managed = props->allocType == CU_MEM_ALLOCATION_TYPE_MANAGED;
  bool is_device = props->location.type == CU_MEM_LOCATION_TYPE_DEVICE;
  if (!is_managed && props->allocType != CU_MEM_ALLOCATION_TYPE_PINNED)
    return CUDA_ERROR_INVALID_VALUE;
  if (!host_has_location(props->location)) return CUDA_ERROR_INVALID_VALUE;
  if (!is_managed && props->location.type == CU_MEM_LOCATION_TYPE_NONE)
    return CUDA_ERROR_INVALID_VALUE;
  HostPool *pool = new_pool(is_managed  ? HOST_managed
                            : is_device ? HOST_device
                                        : HOST_pinned,
                            props->maxSize);
  if (!pool) return CUDA_ERROR_OUT_OF_MEMORY;
  if (props->handleTypes && !make_shared(pool)) {
    memory_free(pool);
    return CUDA_ERROR_OPERATING_SYSTEM;
  }
  atomic_fetch_add(&host_live_objects, 1);
  *out_pool = (CUmemoryPool)(void *)pool;
  return CUDA_SUCCESS;
}

CUresult host_cuMemPoolDestroy(CUmemoryPool native)
{
  UNSAFE_IN_CAPTURES();
  HostPool *pool = pool_of(native);
  for (size_t i = 0; i < COUNT_OF(current); ++i)
    if (pool == &current[i]) return CUDA_ERROR_INVALID_VALUE;
  release_pool(pool);
  atomic_fetch_sub(&host_live_objects, 1);
  return CUDA_SUCCESS;
}

CUresult host_cuMemPoolTrimTo(CUmemoryPool pool, size_t keep_bytes)
{
  UNSAFE_IN_CAPTURES();
  (void)pool, (void)keep_bytes; /* free memory is not kept here */
  return CUDA_SUCCESS;
}

CUresult host_cuMemPoolGetAttribute(CUmemoryPool native, CUmemPool_attribute attribute,
                                    void *out_value)
{
  UNSAFE_IN_CAPTURES();
  HostPool *pool = pool_of(native);
  uint64_t value;
  switch ((int)attribute) {
  case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
  case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
  case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
    *(int *)out_value = atomic_load(&pool->reuse[attribute - 1]);
    return CUDA_SUCCESS;
  case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD: value = atomic_load(&pool->release_threshold); break;
  case CU_MEMPOOL_ATTR_USED_MEM_CURRENT:
  case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT: value = atomic_load(&pool->used_bytes); break;
  case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
  case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH: value = atomic_load(&pool->high_bytes); break;
  default: return CUDA_ERROR_NOT_SUPPORTED;
  }
  memcpy(out_value, &value, sizeof value);
  return CUDA_SUCCESS;
}

CUresult host_cuMemPoolSetAttribute(CUmemoryPool native, CUmemPool_attribute attribute, void *value)
{
  UNSAFE_IN_CAPTURES();
  HostPool *pool = pool_of(native);
  uint64_t bytes;
  switch ((int)attribute) {
  case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
  case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
  case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
    atomic_store(&pool->reuse[attribute - 1], *(int *)value != 0);
    return CUDA_SUCCESS;
  case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
    memcpy(&bytes, value, sizeof bytes);
    atomic_store(&pool->release_threshold, bytes);
    return CUDA_SUCCESS;
  case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
  case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
    atomic_store(&pool->high_bytes, atomic_load(&pool->used_bytes));
    return CUDA_SUCCESS;
  default: return CUDA_ERROR_INVALID_VALUE;
  }
}

/* The one device can access all memory; denying it is an error. */
CUresult host_cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *access, size_t count)
{
  UNSAFE_IN_CAPTURES();
  (void)pool;
  for (size_t i = 0; i < count; ++i) {
    if (access[i].location.type != CU_MEM_LOCATION_TYPE_DEVICE || access[i].location.id != 0)
      return CUDA_ERROR_INVALID_DEVICE;
    if (access[i].flags == CU_MEM_ACCESS_FLAGS_PROT_NONE) return CUDA_ERROR_INVALID_DEVICE;
  }
  return CUDA_SUCCESS;
}

CUresult host_cuMemPoolGetAccess(CUmemAccess_flags *out_flags, CUmemoryPool pool,
                                 CUmemLocation *location)
{
  (void)pool;
  if (!host_has_location(*location)) return CUDA_ERROR_INVALID_DEVICE;
  *out_flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  return CUDA_SUCCESS;
}

CUresult host_cuMemAllocFromPoolAsync(CUdeviceptr *out_address, size_t bytes, CUmemoryPool pool,
                                      CUstream stream)
{
  /* the memory is usable at once, which is early enough */
  NEED_CONTEXT_OF(stream);
  if (host_is_capturing(stream)) return host_capture_alloc(out_address, bytes, stream);
  UNSAFE_IN_CAPTURES();
  void *start = NULL;
  CUresult result = host_new_piece(bytes, pool_of(pool), pool_of(pool)->kind, &start);
  /* Memory whose free is pending in a stream counts as free. An ordinary pool gives other memory
   * for it, so nothing has to wait; a pool of fixed size must wait until the free is reached. */
  bool may_get = host_pool_is_limited(pool_of(pool)) && can_hold(pool_of(pool), bytes);
  while (result == CUDA_ERROR_OUT_OF_MEMORY && may_get) {
    may_get = host_credit_frees(pool_of(pool), stream);
    result = host_new_piece(bytes, pool_of(pool), pool_of(pool)->kind, &start);
  }
  *out_address = (CUdeviceptr)(uintptr_t)start;
  return result;
}

/* other processes ---------------------------------------------------------------------------- */

CUresult host_cuMemPoolExportToShareableHandle(void *out_handle, CUmemoryPool native,
                                               CUmemAllocationHandleType type,
                                               unsigned long long flags)
{
  HostPool *pool = pool_of(native);
  if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR || flags || !pool->shared)
    return CUDA_ERROR_INVALID_VALUE;
  int fd = fcntl(pool->fd, F_DUPFD_CLOEXEC, 0);
  if (fd < 0) return CUDA_ERROR_OPERATING_SYSTEM;
  memcpy(out_handle, &fd, sizeof fd);
  atomic_store(&pool->is_exported, true);
  return CUDA_SUCCESS;
}

/* Maps a pool of another process. */
static bool map_shared(HostPool *pool, int fd)
{
  struct stat info;
  if (fstat(fd, &info) != 0 || info.st_size <= HEAD_BYTES) return false;
  size_t bytes = (size_t)info.st_size;
  SharedHead *head = map_file(fd, bytes);
  if (!head) return false;
  if (memcmp(head->magic, pool_magic, sizeof pool_magic) || head->bytes != bytes) {
    munmap(head, bytes);
    return false;
  }
  pool->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
  pool->shared = head;
  pool->is_imported = true;
  pthread_mutex_init(&pool->mutex, NULL);
  return true;
}

CUresult host_cuMemPoolImportFromShareableHandle(CUmemoryPool *out_pool, void *handle,
                                                 CUmemAllocationHandleType type,
                                                 unsigned long long flags)
{
  if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR || flags) return CUDA_ERROR_INVALID_VALUE;
  HostPool *pool = new_pool(HOST_device, 0);
  if (!pool) return CUDA_ERROR_OUT_OF_MEMORY;
  if (!map_shared(pool, (int)(intptr_t)handle)) {
    memory_free(pool);
    return CUDA_ERROR_INVALID_VALUE;
  }
  atomic_fetch_add(&host_live_objects, 1);
  *out_pool = (CUmemoryPool)(void *)pool;
  return CUDA_SUCCESS;
}

/* The contents of a CUmemPoolPtrExportData. */
typedef struct PointerData {
  char magic[8];
  uint64_t offset, bytes;
  unsigned char pool_id[16];
} PointerData;

static void describe(HostPiece *piece, void *data)
{
  const HostPool *pool = piece->pool;
  if (!pool || !pool->shared || !atomic_load(&pool->is_exported)) return;
  *(PointerData *)data = (PointerData){
      .offset = (uint64_t)((char *)piece->start - (char *)pool->shared), .bytes = piece->bytes};
  memcpy(((PointerData *)data)->magic, pointer_magic, sizeof pointer_magic);
  memcpy(((PointerData *)data)->pool_id, pool->shared->id, sizeof pool->shared->id);
}

CUresult host_cuMemPoolExportPointer(CUmemPoolPtrExportData *out_data, CUdeviceptr address)
{
  UNSAFE_IN_CAPTURES();
  PointerData data = {.bytes = 0};
  if (!host_with_piece(address, describe, &data) || !data.bytes) return CUDA_ERROR_INVALID_VALUE;
  memset(out_data, 0, sizeof *out_data);
  memcpy(out_data->reserved, &data, sizeof data);
  return CUDA_SUCCESS;
}

CUresult host_cuMemPoolImportPointer(CUdeviceptr *out_address, CUmemoryPool native,
                                     CUmemPoolPtrExportData *export_data)
{
  HostPool *pool = pool_of(native);
  PointerData data;
  memcpy(&data, export_data->reserved, sizeof data);
  if (!pool->is_imported || memcmp(data.magic, pointer_magic, sizeof pointer_magic) ||
      memcmp(data.pool_id, pool->shared->id, sizeof data.pool_id))
    return CUDA_ERROR_INVALID_VALUE;
  uint64_t room = pool->shared->bytes;
  if (data.offset < HEAD_BYTES || data.offset > room || data.bytes > room - data.offset ||
      !data.bytes || data.offset % HOST_ALIGNMENT)
    return CUDA_ERROR_INVALID_VALUE;
  char *start = (char *)pool->shared + data.offset;
  CUresult result = host_add_piece(start, data.bytes, pool, HOST_device);
  if (result != CUDA_SUCCESS) return result;
  atomic_fetch_add(&pool->reference_count, 1);
  *out_address = (CUdeviceptr)(uintptr_t)start;
  return CUDA_SUCCESS;
}

CUresult host_cuMemAllocAsync(CUdeviceptr *out_address, size_t bytes, CUstream stream)
{
  CUmemoryPool pool;
  CUresult result = host_cuDeviceGetMemPool(&pool, 0);
  if (result != CUDA_SUCCESS) return result;
  return host_cuMemAllocFromPoolAsync(out_address, bytes, pool, stream);
}
