/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* host_memory.c - the host device's memory: pieces of the process's own, pools, copies and fills.
 *
 * Each piece is known by its address, so that a wrong release is an error and not a crash. A pool
 * is a sum with a limit. What is freed in a stream's order is forgotten at once and given back
 * when the stream gets there.
 */
#include <string.h>
#include <unistd.h>

#include "host.h"

enum { PIECE_ALIGNMENT = 256, BUCKETS = 1024 };

typedef struct HostPool {
  atomic_size_t reference_count; /* the pool's handle, and its pieces */
  atomic_size_t used_bytes;
  cuuint64_t release_threshold;
  size_t max_bytes; /* 0: no limit of its own */
} HostPool;

typedef struct Piece {
  struct Piece *next; /* in its bucket */
  void *start;
  size_t bytes;
  HostPool *pool; /* retained; NULL for plain and page-locked memory */
  bool is_pinned;
} Piece;

static Piece *buckets[BUCKETS];
static pthread_mutex_t pieces_mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_size_t used_bytes;
static HostPool current_pool = {.reference_count = 1};

static size_t total_bytes(void)
{
  return (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
}

static Piece **bucket_of(const void *start)
{
  return &buckets[(uintptr_t)start / PIECE_ALIGNMENT % BUCKETS];
}

static void release_pool(HostPool *pool)
{
  if (atomic_fetch_sub(&pool->reference_count, 1) == 1) memory_free(pool);
}

/* Adds to a sum unless that would exceed the limit. */
static bool take(atomic_size_t *sum, size_t bytes, size_t limit)
{
  size_t old = atomic_load(sum);
  do
    if (bytes > limit || old > limit - bytes) return false;
  while (!atomic_compare_exchange_weak(sum, &old, old + bytes));
  return true;
}

static CUresult new_piece(size_t bytes, HostPool *pool, bool is_pinned, void **out_start)
{
  if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  size_t pool_limit = pool && pool->max_bytes ? pool->max_bytes : SIZE_MAX;
  if (pool && !take(&pool->used_bytes, bytes, pool_limit)) return CUDA_ERROR_OUT_OF_MEMORY;
  if (!take(&used_bytes, bytes, total_bytes())) goto no_total;
  Piece *piece = memory_new(sizeof *piece);
  void *start = piece ? memory_new_aligned(bytes, PIECE_ALIGNMENT) : NULL;
  if (!start) goto no_memory;
  if (pool) atomic_fetch_add(&pool->reference_count, 1);
  *piece = (Piece){.start = start, .bytes = bytes, .pool = pool, .is_pinned = is_pinned};
  pthread_mutex_lock(&pieces_mutex);
  piece->next = *bucket_of(start);
  *bucket_of(start) = piece;
  pthread_mutex_unlock(&pieces_mutex);
  atomic_fetch_add(&host_live_objects, 1);
  *out_start = start;
  return CUDA_SUCCESS;
no_memory:
  memory_free(piece);
  atomic_fetch_sub(&used_bytes, bytes);
no_total:
  if (pool) atomic_fetch_sub(&pool->used_bytes, bytes);
  return CUDA_ERROR_OUT_OF_MEMORY;
}

/* Takes a piece out of the table: NULL if no piece starts there. */
static Piece *forget_piece(const void *start)
{
  pthread_mutex_lock(&pieces_mutex);
  Piece **link = bucket_of(start);
  while (*link && (*link)->start != start) link = &(*link)->next;
  Piece *piece = *link;
  if (piece) *link = piece->next;
  pthread_mutex_unlock(&pieces_mutex);
  return piece;
}

static void free_piece(Piece *piece)
{
  atomic_fetch_sub(&used_bytes, piece->bytes);
  if (piece->pool) {
    atomic_fetch_sub(&piece->pool->used_bytes, piece->bytes);
    release_pool(piece->pool);
  }
  memory_free(piece->start);
  memory_free(piece);
  atomic_fetch_sub(&host_live_objects, 1);
}

/* plain and page-locked ---------------------------------------------------------------------- */

CUresult host_cuMemGetInfo(size_t *out_free, size_t *out_total)
{
  NEED_CONTEXT();
  size_t used = atomic_load(&used_bytes);
  *out_total = total_bytes();
  *out_free = *out_total - used;
  return CUDA_SUCCESS;
}

CUresult host_cuMemAlloc(CUdeviceptr *out_address, size_t bytes)
{
  NEED_CONTEXT();
  void *start = NULL;
  CUresult result = new_piece(bytes, NULL, false, &start);
  *out_address = (CUdeviceptr)(uintptr_t)start;
  return result;
}

CUresult host_cuMemHostAlloc(void **out_start, size_t bytes, unsigned flags)
{
  (void)flags; /* all of the host's memory is portable, mapped and cached */
  NEED_CONTEXT();
  *out_start = NULL;
  return new_piece(bytes, NULL, true, out_start);
}

/* Like the driver's, waits for all work, which may still use the memory. */
static CUresult free_now(const void *start)
{
  Piece *piece = forget_piece(start);
  if (!piece) return CUDA_ERROR_INVALID_VALUE;
  CUresult result = host_sync_all();
  free_piece(piece);
  return result;
}

CUresult host_cuMemFree(CUdeviceptr address)
{
  return free_now((const void *)(uintptr_t)address);
}

CUresult host_cuMemFreeHost(void *start)
{
  return free_now(start);
}

CUresult host_cuPointerGetAttribute(void *out_value, CUpointer_attribute attribute,
                                    CUdeviceptr address)
{
  /* One address space: what is an address of one side is one of the other. */
  if (attribute != CU_POINTER_ATTRIBUTE_HOST_POINTER) return CUDA_ERROR_NOT_SUPPORTED;
  memcpy(out_value, &(void *){(void *)(uintptr_t)address}, sizeof(void *));
  return CUDA_SUCCESS;
}

/* pools -------------------------------------------------------------------------------------- */

CUresult host_cuDeviceGetMemPool(CUmemoryPool *out_pool, CUdevice device)
{
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  *out_pool = (CUmemoryPool)(void *)&current_pool;
  return CUDA_SUCCESS;
}

CUresult host_cuMemPoolCreate(CUmemoryPool *out_pool, const CUmemPoolProps *props)
{
  if (props->location.type != CU_MEM_LOCATION_TYPE_DEVICE || props->location.id != 0)
    return CUDA_ERROR_INVALID_VALUE;
  HostPool *pool = memory_new(sizeof *pool);
  if (!pool) return CUDA_ERROR_OUT_OF_MEMORY;
  atomic_init(&pool->reference_count, 1);
  pool->max_bytes = props->maxSize;
  atomic_fetch_add(&host_live_objects, 1);
  *out_pool = (CUmemoryPool)(void *)pool;
  return CUDA_SUCCESS;
}

CUresult host_cuMemPoolDestroy(CUmemoryPool native)
{
  HostPool *pool = (HostPool *)(void *)native;
  if (pool == &current_pool) return CUDA_ERROR_INVALID_VALUE;
  release_pool(pool);
  atomic_fetch_sub(&host_live_objects, 1);
  return CUDA_SUCCESS;
}

CUresult host_cuMemPoolGetAttribute(CUmemoryPool native, CUmemPool_attribute attribute,
                                    void *out_value)
{
  HostPool *pool = (HostPool *)(void *)native;
  cuuint64_t value;
  if (attribute == CU_MEMPOOL_ATTR_RELEASE_THRESHOLD) value = pool->release_threshold;
  else if (attribute == CU_MEMPOOL_ATTR_USED_MEM_CURRENT ||
           attribute == CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT)
    value = atomic_load(&pool->used_bytes); /* the C library keeps what is free */
  else return CUDA_ERROR_NOT_SUPPORTED;
  memcpy(out_value, &value, sizeof value);
  return CUDA_SUCCESS;
}

CUresult host_cuMemPoolSetAttribute(CUmemoryPool native, CUmemPool_attribute attribute, void *value)
{
  HostPool *pool = (HostPool *)(void *)native;
  if (attribute != CU_MEMPOOL_ATTR_RELEASE_THRESHOLD) return CUDA_ERROR_NOT_SUPPORTED;
  memcpy(&pool->release_threshold, value, sizeof pool->release_threshold);
  return CUDA_SUCCESS;
}

CUresult host_cuMemAllocFromPoolAsync(CUdeviceptr *out_address, size_t bytes, CUmemoryPool pool,
                                      CUstream stream)
{
  /* the memory is there at once, which is early enough */
  NEED_CONTEXT();
  if (host_is_capturing(stream)) return host_capture_alloc(out_address, bytes, stream);
  void *start = NULL;
  CUresult result = new_piece(bytes, (HostPool *)(void *)pool, false, &start);
  *out_address = (CUdeviceptr)(uintptr_t)start;
  return result;
}

CUresult host_cuMemAllocAsync(CUdeviceptr *out_address, size_t bytes, CUstream stream)
{
  return host_cuMemAllocFromPoolAsync(out_address, bytes, (CUmemoryPool)(void *)&current_pool,
                                      stream);
}

typedef struct FreeOp {
  HostOp op;
  Piece *piece;
} FreeOp;

static void drop_free(HostOp *op)
{
  free_piece(((FreeOp *)op)->piece);
}

CUresult host_cuMemFreeAsync(CUdeviceptr address, CUstream stream)
{
  CUresult result;
  if (host_is_capturing(stream)) return host_capture_free(address, stream);
  if (host_graph_free(address, stream, &result)) return result;
  FreeOp *op = memory_new(sizeof *op);
  if (!op) return CUDA_ERROR_OUT_OF_MEMORY;
  op->op.drop = drop_free;
  op->piece = forget_piece((const void *)(uintptr_t)address);
  if (!op->piece) {
    memory_free(op);
    return CUDA_ERROR_INVALID_VALUE;
  }
  return host_put(stream, &op->op);
}

/* copies and fills --------------------------------------------------------------------------- */

typedef struct CopyOp {
  HostOp op;
  CUDA_MEMCPY3D copy; /* between addresses of the process */
} CopyOp;

/* Where row y of slice z starts, on either side: x0, y0 and z0 are where the copy does. */
static char *row_at(const void *host, CUdeviceptr device, CUmemorytype type, size_t pitch,
                    size_t height, size_t x0, size_t y, size_t z)
{
  uintptr_t start = type == CU_MEMORYTYPE_HOST ? (uintptr_t)host : (uintptr_t)device;
  return (char *)(start + x0 + (y + z * height) * pitch);
}

static void run_copy(HostOp *op)
{
  const CUDA_MEMCPY3D *c = &((CopyOp *)op)->copy;
  for (size_t z = 0; z < c->Depth; ++z)
    for (size_t y = 0; y < c->Height; ++y)
      memmove(row_at(c->dstHost, c->dstDevice, c->dstMemoryType, c->dstPitch, c->dstHeight,
                     c->dstXInBytes, c->dstY + y, c->dstZ + z),
              row_at(c->srcHost, c->srcDevice, c->srcMemoryType, c->srcPitch, c->srcHeight,
                     c->srcXInBytes, c->srcY + y, c->srcZ + z),
              c->WidthInBytes);
}

HostOp *host_make_copy(const CUDA_MEMCPY3D *params)
{
  CopyOp *copy = memory_new(sizeof *copy);
  if (!copy) return NULL;
  *copy = (CopyOp){{.run = run_copy, .is_work = true, .kind = HOST_OP_copy}, *params};
  return &copy->op;
}

void host_read_copy(const HostOp *op, CUDA_MEMCPY3D *out)
{
  *out = ((const CopyOp *)op)->copy;
}

static CUresult put_copy(void *dst, const void *src, size_t bytes, CUstream stream)
{
  NEED_CONTEXT();
  CUDA_MEMCPY3D params = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                          .srcDevice = (CUdeviceptr)(uintptr_t)src,
                          .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                          .dstDevice = (CUdeviceptr)(uintptr_t)dst,
                          .WidthInBytes = bytes,
                          .Height = 1,
                          .Depth = 1};
  HostOp *copy = host_make_copy(&params);
  return copy ? host_put(stream, copy) : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult host_cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream)
{
  return put_copy((void *)(uintptr_t)dst, (const void *)(uintptr_t)src, bytes, stream);
}

CUresult host_cuMemcpyHtoDAsync(CUdeviceptr dst, const void *src, size_t bytes, CUstream stream)
{
  return put_copy((void *)(uintptr_t)dst, src, bytes, stream);
}

CUresult host_cuMemcpyDtoHAsync(void *dst, CUdeviceptr src, size_t bytes, CUstream stream)
{
  return put_copy(dst, (const void *)(uintptr_t)src, bytes, stream);
}

typedef struct FillOp {
  HostOp op;
  CUDA_MEMSET_NODE_PARAMS fill; /* width in elements */
} FillOp;

static void run_fill(HostOp *op)
{
  const CUDA_MEMSET_NODE_PARAMS *fill = &((FillOp *)op)->fill;
  for (size_t y = 0; y < fill->height; ++y) {
    void *row = (void *)(uintptr_t)(fill->dst + y * fill->pitch);
    if (fill->elementSize == 1) memset(row, (int)fill->value, fill->width);
    for (size_t i = 0; fill->elementSize == 2 && i < fill->width; ++i)
      ((uint16_t *)row)[i] = (uint16_t)fill->value;
    for (size_t i = 0; fill->elementSize == 4 && i < fill->width; ++i)
      ((uint32_t *)row)[i] = fill->value;
  }
}

HostOp *host_make_fill(const CUDA_MEMSET_NODE_PARAMS *params)
{
  FillOp *fill = memory_new(sizeof *fill);
  if (!fill) return NULL;
  *fill = (FillOp){{.run = run_fill, .is_work = true, .kind = HOST_OP_fill}, *params};
  return &fill->op;
}

void host_read_fill(const HostOp *op, CUDA_MEMSET_NODE_PARAMS *out)
{
  *out = ((const FillOp *)op)->fill;
}

static CUresult put_fill(CUdeviceptr dst, uint32_t value, unsigned value_bytes, size_t count,
                         CUstream stream)
{
  NEED_CONTEXT();
  if (dst % value_bytes) return CUDA_ERROR_INVALID_VALUE;
  HostOp *fill = host_make_fill(&(CUDA_MEMSET_NODE_PARAMS){
      .dst = dst, .value = value, .elementSize = value_bytes, .width = count, .height = 1});
  return fill ? host_put(stream, fill) : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult host_cuMemsetD8Async(CUdeviceptr dst, unsigned char value, size_t count, CUstream stream)
{
  return put_fill(dst, value, 1, count, stream);
}

CUresult host_cuMemsetD16Async(CUdeviceptr dst, unsigned short value, size_t count, CUstream stream)
{
  return put_fill(dst, value, 2, count, stream);
}

CUresult host_cuMemsetD32Async(CUdeviceptr dst, unsigned value, size_t count, CUstream stream)
{
  return put_fill(dst, value, 4, count, stream);
}
