/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* memory.c - memory of the host device: allocations, frees in stream order, copies and fills.
 *
 * Device memory is memory of the process. Each allocation is a HostPiece in a hash table by its
 * start address, so that freeing a wrong address is an error and not a crash. cuMemFreeAsync
 * removes the piece from the table at once; the memory is freed when the stream reaches the
 * operation.
 */
#include <string.h>
#include <unistd.h>

#include "host.h"

enum { BUCKETS = 1024 };

typedef HostPiece Piece;

/* A piece together with the operation that frees it in stream order. They are allocated together so
 * that a free can't fail for lack of memory. */
typedef struct FreeOp {
  HostOp op;
  Piece piece;
  CUstream stream;
  bool is_reached;
  bool is_listed; /* in the list `pending`, whose mutex guards the next fields */
  size_t owed;    /* bytes that still count in the pool's usage */
  struct FreeOp **link, *next;
} FreeOp;

static FreeOp *op_of(Piece *piece)
{
  return (FreeOp *)(void *)((char *)piece - offsetof(FreeOp, piece));
}

static Piece *buckets[BUCKETS];
pthread_mutex_t host_pieces_mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_size_t used_bytes;

size_t host_total_bytes(void)
{
  return (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
}

static Piece **bucket_of(const void *start)
{
  return &buckets[(uintptr_t)start / HOST_ALIGNMENT % BUCKETS];
}

bool host_take(atomic_size_t *sum, size_t bytes, size_t limit)
{
  size_t old = atomic_load(sum);
  do
    if (bytes > limit || old > limit - bytes) return false;
  while (!atomic_compare_exchange_weak(sum, &old, old + bytes));
  return true;
}

static void list_piece(Piece *piece)
{
  pthread_mutex_lock(&host_pieces_mutex);
  piece->next = *bucket_of(piece->start);
  *bucket_of(piece->start) = piece;
  pthread_mutex_unlock(&host_pieces_mutex);
}

CUresult host_add_piece(void *start, size_t bytes, HostPool *pool, HostPieceKind kind)
{
  FreeOp *op = memory_new(sizeof *op);
  if (!op) return CUDA_ERROR_OUT_OF_MEMORY;
  Piece *piece = &op->piece;
  *piece = (Piece){.start = start, .bytes = bytes, .pool = pool, .kind = kind};
  piece->preferred.id = piece->prefetched.id = CU_DEVICE_INVALID;
  atomic_fetch_add(&used_bytes, bytes);
  list_piece(piece);
  atomic_fetch_add(&host_live_objects, 1);
  return CUDA_SUCCESS;
}

CUresult host_new_piece(size_t bytes, HostPool *pool, HostPieceKind kind, void **out_start)
{
  if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  if (bytes > host_total_bytes()) return CUDA_ERROR_OUT_OF_MEMORY;
  void *start = pool ? host_pool_take(pool, bytes) : memory_new_aligned(bytes, HOST_ALIGNMENT);
  if (!start) return CUDA_ERROR_OUT_OF_MEMORY;
  CUresult result = host_add_piece(start, bytes, pool, kind);
  if (result == CUDA_SUCCESS) {
    *out_start = start;
  } else if (pool) {
    host_pool_give(pool, start, bytes);
  } else {
    memory_free(start);
  }
  return result;
}

bool host_has_location(CUmemLocation location)
{
  bool is_numbered = location.type == CU_MEM_LOCATION_TYPE_DEVICE ||
                     location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA;
  return !is_numbered || location.id == 0;
}

bool host_with_piece(CUdeviceptr address, void (*use)(HostPiece *piece, void *data), void *data)
{
  const char *at = (const char *)(uintptr_t)address;
  Piece *found = NULL;
  pthread_mutex_lock(&host_pieces_mutex);
  for (size_t i = 0; i < BUCKETS && !found; ++i)
    for (Piece *piece = buckets[i]; piece && !found; piece = piece->next)
      if (at >= (char *)piece->start && at < (char *)piece->start + piece->bytes) found = piece;
  if (found) use(found, data);
  pthread_mutex_unlock(&host_pieces_mutex);
  return found;
}

/* Removes a piece from the table; NULL if none starts at this address. */
static Piece *forget_piece(const void *start)
{
  pthread_mutex_lock(&host_pieces_mutex);
  Piece **link = bucket_of(start);
  while (*link && (*link)->start != start) link = &(*link)->next;
  Piece *piece = *link;
  if (piece) *link = piece->next;
  pthread_mutex_unlock(&host_pieces_mutex);
  return piece;
}

/* Frees the memory of a piece. `owed` bytes still count in its pool's usage. */
static void give_piece(Piece *piece, size_t owed)
{
  atomic_fetch_sub(&used_bytes, piece->bytes);
  if (piece->pool) host_pool_give(piece->pool, piece->start, owed);
  else if (piece->kind != HOST_registered) memory_free(piece->start);
  atomic_fetch_sub(&host_live_objects, 1);
}

/* device and page-locked memory -------------------------------------------------------------- */

CUresult host_cuMemGetInfo(size_t *out_free, size_t *out_total)
{
  NEED_CONTEXT();
  size_t used = atomic_load(&used_bytes);
  *out_total = host_total_bytes();
  *out_free = used < *out_total ? *out_total - used : 0;
  return CUDA_SUCCESS;
}

CUresult host_cuMemAlloc(CUdeviceptr *out_address, size_t bytes)
{
  UNSAFE_IN_CAPTURES();
  NEED_CONTEXT();
  void *start = NULL;
  CUresult result = host_new_piece(bytes, NULL, HOST_device, &start);
  *out_address = (CUdeviceptr)(uintptr_t)start;
  return result;
}

CUresult host_cuMemHostAlloc(void **out_start, size_t bytes, unsigned flags)
{
  UNSAFE_IN_CAPTURES();
  (void)flags; /* all host memory is portable, mapped and cached */
  NEED_CONTEXT();
  *out_start = NULL;
  return host_new_piece(bytes, NULL, HOST_pinned, out_start);
}

/* Waits for all work, which may still use the memory, as the driver does. */
static CUresult free_now(const void *start)
{
  Piece *piece = forget_piece(start);
  if (!piece) return CUDA_ERROR_INVALID_VALUE;
  CUresult result = host_sync_all();
  give_piece(piece, piece->bytes);
  memory_free(op_of(piece));
  return result;
}

CUresult host_cuMemFree(CUdeviceptr address)
{
  UNSAFE_IN_CAPTURES();
  return free_now((const void *)(uintptr_t)address);
}

CUresult host_cuMemFreeHost(void *start)
{
  UNSAFE_IN_CAPTURES();
  return free_now(start);
}

CUresult host_cuMemAllocManaged(CUdeviceptr *out_address, size_t bytes, unsigned flags)
{
  UNSAFE_IN_CAPTURES();
  NEED_CONTEXT();
  if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST) return CUDA_ERROR_INVALID_VALUE;
  void *start = NULL;
  CUresult result = host_new_piece(bytes, NULL, HOST_managed, &start);
  *out_address = (CUdeviceptr)(uintptr_t)start;
  return result;
}

/* registered memory of the caller ------------------------------------------------------------ */

/* Whether a range overlaps a piece. */
static bool overlaps_piece(const char *start, size_t bytes)
{
  bool overlaps = false;
  pthread_mutex_lock(&host_pieces_mutex);
  for (size_t i = 0; i < BUCKETS && !overlaps; ++i)
    for (const Piece *piece = buckets[i]; piece && !overlaps; piece = piece->next) {
      const char *its = piece->start;
      overlaps = start < its ? (size_t)(its - start) < bytes : (size_t)(start - its) < piece->bytes;
    }
  pthread_mutex_unlock(&host_pieces_mutex);
  return overlaps;
}

CUresult host_cuMemHostRegister(void *start, size_t bytes, unsigned flags)
{
  UNSAFE_IN_CAPTURES();
  (void)flags; /* the CPU can access all memory without registration */
  NEED_CONTEXT();
  if (!start || !bytes || bytes > UINTPTR_MAX - (uintptr_t)start) return CUDA_ERROR_INVALID_VALUE;
  if (overlaps_piece(start, bytes)) return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
  return host_add_piece(start, bytes, NULL, HOST_registered);
}

CUresult host_cuMemHostUnregister(void *start)
{
  UNSAFE_IN_CAPTURES();
  CUresult result = free_now(start);
  return result == CUDA_ERROR_INVALID_VALUE ? CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED : result;
}

CUresult host_cuMemHostGetDevicePointer(CUdeviceptr *out_address, void *start, unsigned flags)
{
  if (flags) return CUDA_ERROR_INVALID_VALUE;
  *out_address = (CUdeviceptr)(uintptr_t)start;
  return CUDA_SUCCESS;
}

/* pointer attributes ------------------------------------------------------------------------- */

typedef struct Question {
  CUpointer_attribute attribute;
  void *out;
} Question;

static void answer(HostPiece *piece, void *data)
{
  const Question *question = data;
  bool is_hosts = piece->kind == HOST_pinned || piece->kind == HOST_registered;
  switch ((int)question->attribute) {
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    *(unsigned *)question->out = is_hosts ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    break;
  case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    *(unsigned *)question->out = piece->kind == HOST_managed;
    break;
  case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    *(CUdeviceptr *)question->out = (CUdeviceptr)(uintptr_t)piece->start;
    break;
  case CU_POINTER_ATTRIBUTE_RANGE_SIZE: *(size_t *)question->out = piece->bytes; break;
  }
}

CUresult host_cuPointerGetAttributes(unsigned count, CUpointer_attribute *attributes, void **data,
                                     CUdeviceptr address)
{
  for (unsigned i = 0; i < count; ++i) {
    switch ((int)attributes[i]) {
    /* There is one address space: host and device addresses are equal. */
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      memcpy(data[i], &(void *){(void *)(uintptr_t)address}, sizeof(void *));
      break;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    case CU_POINTER_ATTRIBUTE_IS_MANAGED: *(unsigned *)data[i] = 0; break;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE: memset(data[i], 0, sizeof(size_t)); break;
    default: return CUDA_ERROR_NOT_SUPPORTED;
    }
    host_with_piece(address, answer, &(Question){attributes[i], data[i]});
  }
  return CUDA_SUCCESS;
}

/* in stream order ---------------------------------------------------------------------------- */

/* The pending frees of pools with a limit. The mutex is held while a piece is returned to its pool,
 * so that an allocation finds the memory either in this list or in the pool. */
static FreeOp *pending;
pthread_mutex_t host_pending_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t pending_changed = PTHREAD_COND_INITIALIZER;

static void add_pending(FreeOp *op)
{
  op->is_listed = true;
  pthread_mutex_lock(&host_pending_mutex);
  op->link = &pending;
  op->next = pending;
  if (pending) pending->link = &op->next;
  pending = op;
  pthread_mutex_unlock(&host_pending_mutex);
}

void host_frees_forget(void)
{
  pending = NULL;
  pthread_cond_init(&pending_changed, NULL);
}

static void run_free(HostOp *base)
{
  ((FreeOp *)base)->is_reached = true;
}

static void enter_free(HostOp *base)
{
  FreeOp *op = (FreeOp *)base;
  if (op->piece.pool && host_pool_is_limited(op->piece.pool)) add_pending(op);
}

/* If the operation could not be submitted, waits here for all work, which may use the memory. On a
 * stream's thread that would be a deadlock, and the memory leaks. */
static void drop_free(HostOp *base)
{
  FreeOp *op = (FreeOp *)base;
  bool is_unused = op->is_reached || !host_is_stream_thread();
  if (!op->is_reached && is_unused) host_sync_all();
  if (!op->is_listed) {
    if (is_unused) give_piece(&op->piece, op->owed);
    return;
  }
  pthread_mutex_lock(&host_pending_mutex);
  *op->link = op->next;
  if (op->next) op->next->link = op->link;
  if (is_unused) give_piece(&op->piece, op->owed);
  pthread_cond_broadcast(&pending_changed);
  pthread_mutex_unlock(&host_pending_mutex);
}

/* Waits for a change; false if there was none. A free in another stream may itself wait for the
 * caller's later work, so that wait ends after a second. */
static bool wait_for_frees(bool is_own)
{
  struct timespec until;
  if (is_own) return pthread_cond_wait(&pending_changed, &host_pending_mutex) == 0;
  clock_gettime(CLOCK_REALTIME, &until);
  ++until.tv_sec;
  return pthread_cond_timedwait(&pending_changed, &host_pending_mutex, &until) == 0;
}

bool host_credit_frees(HostPool *pool, CUstream stream)
{
  bool must_wait = false, has_own = false, shares = host_pool_shares(pool);
  pthread_mutex_lock(&host_pending_mutex);
  for (FreeOp *op = pending; op; op = op->next) {
    bool is_own = op->stream == stream || (host_is_legacy(op->stream) && host_is_legacy(stream));
    if ((!is_own && !shares) || op->piece.pool != pool || !op->owed) continue;
    if (host_pool_credit(pool, op->owed)) op->owed = 0;
    else must_wait = true, has_own |= is_own;
  }
  must_wait = must_wait && !host_is_stream_thread(); /* the caller's own stream may have to run
                                                      * first */
  bool has_changed = must_wait && wait_for_frees(has_own);
  pthread_mutex_unlock(&host_pending_mutex);
  return has_changed;
}

CUresult host_cuMemFreeAsync(CUdeviceptr address, CUstream stream)
{
  CUresult result;
  if (host_is_capturing(stream)) return host_capture_free(address, stream);
  UNSAFE_IN_CAPTURES();
  if (host_graph_free(address, stream, &result)) return result;
  Piece *piece = forget_piece((const void *)(uintptr_t)address);
  if (!piece) return CUDA_ERROR_INVALID_VALUE;
  FreeOp *op = op_of(piece);
  op->op.run = run_free;
  op->op.drop = drop_free;
  op->op.enter = enter_free;
  op->stream = stream;
  op->owed = piece->bytes;
  result = host_try_put(stream, &op->op);
  /* While a blocking stream is captured, the default stream can't take the free: the memory stays
   * allocated. */
  if (result == CUDA_ERROR_STREAM_CAPTURE_IMPLICIT) list_piece(piece);
  else if (result != CUDA_SUCCESS) host_op_release(&op->op);
  return result;
}

/* copies and fills --------------------------------------------------------------------------- */

typedef struct CopyOp {
  HostOp op;
  CUDA_MEMCPY3D copy; /* between addresses in the process */
} CopyOp;

/* One side of a copy: the address of its first row, and the distances of rows and slices. */
typedef struct Rows {
  char *start;
  size_t pitch, slice;
} Rows;

static Rows rows_of(CUmemorytype type, const void *host, CUdeviceptr device, CUarray array,
                    size_t pitch, size_t height, size_t x, size_t y, size_t z)
{
  Rows rows = {NULL, pitch, pitch * height};
  if (type == CU_MEMORYTYPE_ARRAY) {
    const HostImage *image = host_array_image(array);
    rows = (Rows){image->start, image->row_bytes, image->slice_bytes};
  } else {
    rows.start = (char *)(type == CU_MEMORYTYPE_HOST ? (uintptr_t)host : (uintptr_t)device);
  }
  rows.start += x + y * rows.pitch + z * rows.slice;
  return rows;
}

static bool may_access(const Rows *rows, const CUDA_MEMCPY3D *c, bool is_write)
{
  CUdeviceptr start = (CUdeviceptr)(uintptr_t)rows->start;
  size_t most = (c->Height - 1) * rows->pitch + (c->Depth - 1) * rows->slice + c->WidthInBytes;
  if (!host_find_forbidden(start, most, is_write)) return true;
  for (size_t z = 0; z < c->Depth; ++z)
    for (size_t y = 0; y < c->Height; ++y)
      if (!host_may_access("a copy", start + y * rows->pitch + z * rows->slice, c->WidthInBytes,
                           is_write))
        return false;
  return true;
}

static void run_copy(HostOp *op)
{
  const CUDA_MEMCPY3D *c = &((CopyOp *)op)->copy;
  Rows dst = rows_of(c->dstMemoryType, c->dstHost, c->dstDevice, c->dstArray, c->dstPitch,
                     c->dstHeight, c->dstXInBytes, c->dstY, c->dstZ);
  Rows src = rows_of(c->srcMemoryType, c->srcHost, c->srcDevice, c->srcArray, c->srcPitch,
                     c->srcHeight, c->srcXInBytes, c->srcY, c->srcZ);
  if (!may_access(&src, c, false) || !may_access(&dst, c, true)) return;
  for (size_t z = 0; z < c->Depth; ++z)
    for (size_t y = 0; y < c->Height; ++y)
      memmove(dst.start + y * dst.pitch + z * dst.slice, src.start + y * src.pitch + z * src.slice,
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
  NEED_CONTEXT_OF(stream);
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
    CUdeviceptr at = fill->dst + y * fill->pitch;
    void *row = (void *)(uintptr_t)at;
    if (!host_may_access("a fill", at, fill->width * fill->elementSize, true)) return;
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
  NEED_CONTEXT_OF(stream);
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
