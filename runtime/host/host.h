/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* host.h - the host device: a CUDA device that is implemented on the CPU. Private to host/ and
 * tests.
 *
 * Each function of driver.def has an implementation host_cuX here, so that the runtime works, and
 * is tested, without a GPU. There is one device with a primary context and green contexts.
 *
 *   stream        a queue of operations (HostOp) and a thread that executes them in order
 *   event         a counter of the records submitted to streams, and the set of pending records
 *   launch        the stream's thread and a pool of helper threads take the blocks of the grid
 *   block         the threads of a block are coroutines on one CPU thread (block.c)
 *   graph         an array of nodes in a topological order; a launch is one HostOp that runs them
 *
 * Errors are reported where the CUDA driver reports them: unknown handles, no current context,
 * sizes, limits. Differences from a GPU's driver: cuStreamDestroy waits for the work in the stream;
 * an allocation from a full pool of fixed size blocks the caller, not the stream, until memory that
 * was freed in another stream is available, for at most a second; priorities and the
 * multiprocessors of green contexts are stored but have no effect.
 */
#ifndef CK_HOST_H
#define CK_HOST_H

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>

#include "ck/compile.h"
#include "core/object.h"
#include "driver/driver.h"

/* Prototypes host_cuInit() and so on, with the types of cuda_functions.h, so that a definition with
 * another type does not compile. */
#define DRIVER_FN(name, version, need, parameters) __typeof__(name) host_##name;
#include "driver/driver.def"

/* device.c ----------------------------------------------------------------------------- */

/* The number of streams, events, libraries, pools, allocations and retained contexts that exist. */
extern atomic_size_t host_live_objects;

bool host_is_current(void); /* whether this thread has a context current (context.c) */
CUcontext host_primary_context(void);
void host_renew_primary(void); /* the last reference is gone: the next retain makes a new primary
                                * context */
/* The context in which a stream was made, and a setter for streams of green contexts. */
CUcontext host_stream_context(CUstream native);
void host_stream_enter_green(CUstream native, CUgreenCtx green);
CUresult host_fault(void);      /* the sticky error of the context, or CUDA_SUCCESS */
unsigned host_core_count(void); /* $CK_HOST_THREADS, or the cores that this process may use */

/* Sets the sticky error of the context, with which all later calls fail; an error that is set
 * already stays. `text` is the message. */
void host_set_fault(CUresult result, const char *text);

/* Returns an error unless a context is current and has no sticky error. */
#define NEED_CONTEXT()                                                                             \
  do {                                                                                             \
    if (!host_is_current()) return CUDA_ERROR_INVALID_CONTEXT;                                     \
    if (host_fault() != CUDA_SUCCESS) return host_fault();                                         \
  } while (0)

/* The same for a call that only submits work to a stream: a stream that the program made implies
 * its context, so that none need be current. */
#define NEED_CONTEXT_OF(stream_)                                                                   \
  do {                                                                                             \
    bool knows_it =                                                                                \
        (stream_) && (stream_) != CU_STREAM_LEGACY && (stream_) != CU_STREAM_PER_THREAD;           \
    if (!knows_it && !host_is_current()) return CUDA_ERROR_INVALID_CONTEXT;                        \
    if (host_fault() != CUDA_SUCCESS) return host_fault();                                         \
  } while (0)

/* fork.c ------------------------------------------------------------------------------- */

extern unsigned
    host_generation;        /* the number of fork() calls between the first process and this one */
void host_fork_watch(void); /* before the first thread is made */

/* Called in the child of fork() with all mutexes held: discards state that only threads of the
 * parent could have completed. */
void host_streams_forget(void);
void host_helpers_forget(void);
void host_frees_forget(void);

extern pthread_mutex_t host_context_mutex, host_helpers_mutex, host_install_mutex,
    host_pending_mutex, host_pieces_mutex, host_ranges_mutex, host_streams_mutex;

/* memory.c, pool.c ---------------------------------------------------------------- */

/* The alignment of allocations, as CUDA guarantees it. */
enum { HOST_ALIGNMENT = 256 };

typedef struct HostPool HostPool;

typedef enum HostPieceKind {
  HOST_device,
  HOST_pinned,
  HOST_managed,
  HOST_registered
} HostPieceKind;

/* An allocation, in a hash table by address (memory.c). */
typedef struct HostPiece {
  struct HostPiece *next; /* in its bucket */
  void *start;
  size_t bytes;
  HostPool *pool; /* retained; NULL for memory of no pool */
  HostPieceKind kind;
  bool is_read_mostly, is_device_user, is_host_user; /* advice of cuMemAdvise, which has no
                                                      * effect here */
  CUmemLocation preferred, prefetched;
} HostPiece;

CUresult host_new_piece(size_t bytes, HostPool *pool, HostPieceKind kind, void **out_start);

/* Registers memory under its address. The caller has retained the pool. */
CUresult host_add_piece(void *start, size_t bytes, HostPool *pool, HostPieceKind kind);

/* Calls use(piece, data) with the allocation that contains an address, under the lock; false if
 * there is none. */
bool host_with_piece(CUdeviceptr address, void (*use)(HostPiece *piece, void *data), void *data);

/* Whether a location is the one device, or the one NUMA node, that the host device has. */
bool host_has_location(CUmemLocation location);

size_t host_total_bytes(void); /* of the machine */
/* Adds to a counter unless the result would exceed the limit; false if so. */
bool host_take(atomic_size_t *sum, size_t bytes, size_t limit);

/* Allocates from a pool, and retains it; NULL if its limit is reached. */
void *host_pool_take(HostPool *pool, size_t bytes);
void host_pool_give(HostPool *pool, void *start, size_t bytes);
bool host_pool_is_limited(const HostPool *pool);
/* Whether a stream may reuse memory whose free is still pending in another stream. */
bool host_pool_shares(const HostPool *pool);
/* Subtracts memory with a pending free from the pool's usage. False for a pool of fixed size, where
 * that would not make the memory available. */
bool host_pool_credit(HostPool *pool, size_t bytes);
/* Does so for all pending frees of a stream, or of all streams if the pool allows sharing; for a
 * pool of fixed size it waits until one of them is reached. False: there is none. */
bool host_credit_frees(HostPool *pool, CUstream stream);

/* virtual.c ---------------------------------------------------------------------------- */

/* The first address of the range that lies in virtual memory without the access; 0 if there is
 * none. */
CUdeviceptr host_find_forbidden(CUdeviceptr start, size_t bytes, bool is_write);
/* Whether a range may be accessed. If not, sets the sticky error of the context, with a message
 * that starts with `who`. */
bool host_may_access(const char *who, CUdeviceptr start, size_t bytes, bool is_write);

/* array.c ------------------------------------------------------------------------------ */

enum { HOST_MAX_LEVELS = 18 }; /* the widest array has 2^17 elements */

/* An image: elements in rows, rows in slices (planes, layers or faces). */
typedef struct HostImage {
  char *start;
  size_t width, height, slices;
  size_t row_bytes, slice_bytes;
} HostImage;

typedef struct HostArray HostArray;
const HostImage *host_array_image(CUarray array);

/* A texture or surface; the handle is its address. */
typedef struct HostTexture {
  CUDA_TEXTURE_DESC how; /* zeros for a surface */
  CUarray_format format;
  uint32_t channels, rank;
  uint32_t element_bytes;
  bool is_memory; /* not an array */
  bool is_layered;
  uint32_t level_count;
  HostImage levels[HOST_MAX_LEVELS];
} HostTexture;

/* tensor_map.c ------------------------------------------------------------------------- */

/* The most axes of a tensor map, as in cuda.h. */
enum { HOST_TENSOR_RANK = 5 };

/* The contents of a CUtensorMap; axes innermost first. */
typedef struct HostTensorMap {
  uint64_t address;
  uint64_t strides[HOST_TENSOR_RANK - 1]; /* bytes; strides[k] is that of axis k + 1 */
  uint32_t last[HOST_TENSOR_RANK];        /* extents minus 1 */
  uint16_t box[HOST_TENSOR_RANK];
  uint8_t element_strides[HOST_TENSOR_RANK];
  uint8_t type, rank, interleave, swizzle, fill;
  bool is_im2col;
  int16_t lower[3], upper[3];
  uint16_t channels, pixels;
} HostTensorMap;

/* Functions that host code calls (ck/compile.h). */
uint64_t ck_host_tensor_element(uint64_t map, uint32_t i, int32_t x, int32_t y, int32_t z,
                                int32_t w);
uint32_t ck_host_tensor_place(uint64_t map, uint32_t i);

/* texture.c */

/* A GPU stores the border colour as an element of the texture's format. Rounds it as measured on
 * sm_90: integers that are read as normalized to the nearest, f16 towards 0. */
void host_texture_round_border(HostTexture *texture);

/* Functions that host code calls (ck/compile.h). */
void ck_host_texture_sample(uint64_t texture, float x, float y, float z, uint32_t layer,
                            float level, uint64_t out);
void ck_host_texture_fetch(uint64_t texture, int32_t x, int32_t y, int32_t z, uint32_t layer,
                           uint64_t out);
void ck_host_surface_load(uint64_t surface, int32_t x, int32_t y, int32_t z, uint32_t bytes,
                          uint64_t out);
void ck_host_surface_store(uint64_t surface, int32_t x, int32_t y, int32_t z, uint32_t bytes,
                           uint64_t from);

/* stream.c ----------------------------------------------------------------------------- */

typedef enum HostOpKind { HOST_OP_other, HOST_OP_launch, HOST_OP_copy, HOST_OP_fill } HostOpKind;

/* An operation in a stream: the first member of a struct with its operands. */
typedef struct HostOp {
  struct HostOp *next;
  void (*run)(struct HostOp *op);  /* executes the operation; or NULL */
  void (*drop)(struct HostOp *op); /* releases the operands, not the struct itself; or NULL */
  /* Called when the operation has its place in a stream's queue: no error can follow, and the
   * stream has not reached it. The queue's locks are held, so it must be short; or NULL. */
  void (*enter)(struct HostOp *op);
  bool is_work;                 /* skipped once the context has a sticky error */
  HostOpKind kind;              /* determines the kind of node when it is captured */
  atomic_uint other_references; /* references beyond the first: graph nodes that share it */
} HostOp;

void host_op_release(HostOp *op); /* drops and frees it with the last reference */

/* Appends an operation, allocated with memory_new, to a stream, which then owns it, also on
 * failure. */
CUresult host_put(CUstream stream, HostOp *op);
CUresult host_try_put(CUstream stream, HostOp *op); /* the same; on failure the caller still owns
                                                     * it */
bool host_is_legacy(CUstream stream);               /* the legacy default stream */
bool host_is_blocking(CUstream stream);             /* for a stream that the program made */
CUresult host_sync_all(void);                       /* waits for all streams */
CUresult host_stream_sync(CUstream stream);         /* does not check whether a capture forbids
                                                     * waiting */
void host_drop_default_streams(void);               /* after waiting for their work */
/* Whether the caller runs on a stream's thread, as a host function or as a release callback of an
 * operation. Such a caller must not wait for streams, which may need it to return first. */
bool host_is_stream_thread(void);
HostOp *host_make_call(CUhostFn function, void *data); /* NULL when memory is out */
void host_read_call(const HostOp *op, CUDA_HOST_NODE_PARAMS *out);

/* event.c: for event nodes. A count identifies a record of an event; it is assigned when the graph
 * is launched. */
void host_event_retain(CUevent event);
void host_event_release(CUevent event);
uint64_t host_event_count(CUevent event, bool is_record);
void host_event_reach(CUevent event, uint64_t count);
void host_event_wait(CUevent event, uint64_t count);

/* capture.c: the capture state of a stream or an event */

struct HostTail;
struct HostTail **host_stream_tail(CUstream stream); /* NULL for the default stream */
struct HostTail **host_event_tail(CUevent event);
bool host_is_capturing(CUstream stream);
/* CUDA_SUCCESS unless the stream is being captured; then invalidates the capture, since the
 * caller's operation can't be captured. */
CUresult host_capture_refuse(CUstream stream);
/* CUDA_SUCCESS unless the stream is the legacy default one and a blocking stream is being captured,
 * for which it would implicitly wait. Using the stream (is_use) also invalidates that capture, as
 * measured with driver 580. */
CUresult host_capture_implicit(CUstream stream, bool is_use);
bool host_capture_refuse_event(CUevent event);         /* true if its last record was captured */
CUresult host_capture_op(CUstream stream, HostOp *op); /* as host_try_put */
CUresult host_capture_values(CUstream stream, const CUstreamBatchMemOpParams *ops, unsigned count);
CUresult host_capture_record(CUstream stream, CUevent event);
CUresult host_capture_wait(CUstream stream, CUevent event);
CUresult host_capture_alloc(CUdeviceptr *out_address, size_t bytes, CUstream stream);
CUresult host_capture_free(CUdeviceptr address, CUstream stream);
void host_tail_release(struct HostTail **tail);

/* Whether a capture that is in progress forbids an unrelated call to this thread; if so, that
 * capture is now invalid. As measured with driver 580, these calls are those that allocate memory,
 * make pools, arrays, texture handles or executable graphs, unload code, and query or wait for a
 * stream or an event. */
bool host_capture_forbids(void);
bool host_capture_forbids_sync(void); /* the same for cuCtxSynchronize, in all modes */

#define UNSAFE_IN_CAPTURES()                                                                       \
  do {                                                                                             \
    if (host_capture_forbids()) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;                      \
  } while (0)

/* graph.c: makes room for one more element at the end of an array; false when memory is out. The
 * capacity follows from the count alone (a power of two), so the count of a new array must be 0. */
bool host_grow(void **array, size_t count, size_t bytes);

/* graph_memory.c: whether an address belongs to a graph; if so, frees it in stream order */
bool host_graph_free(CUdeviceptr address, CUstream stream, CUresult *out_result);

/* graph_run.c */
void ck_host_set_condition(uint64_t handle, uint32_t value);
uint32_t ck_host_launch_graph(uint64_t graph, uint64_t how);

/* memory.c: operations for graph nodes; NULL when memory is out */
HostOp *host_make_copy(const CUDA_MEMCPY3D *copy);
HostOp *host_make_fill(const CUDA_MEMSET_NODE_PARAMS *fill);
void host_read_copy(const HostOp *op, CUDA_MEMCPY3D *out);
void host_read_fill(const HostOp *op, CUDA_MEMSET_NODE_PARAMS *out);

/* copy.c: whether a pitch is valid for a fill; a single row has none */
bool host_fits_pitch(size_t pitch, size_t row_bytes, unsigned value_bytes, size_t height);

/* library.c ---------------------------------------------------------------------------- */

typedef struct HostLibrary HostLibrary;
typedef struct HostKernel {
  HostLibrary *library;
  const struct ManifestKernel *info;
  void *entry;
  atomic_int max_dynamic_bytes;
  atomic_bool may_exceed_cluster;      /* more than 8 blocks, the portable limit */
  atomic_int carveout, cluster_policy; /* stored, without effect */
} HostKernel;

/* Whatever may still run a kernel holds a reference to its code. */
void host_library_retain(HostLibrary *library);
void host_library_release(HostLibrary *library);

/* launch.c: the operation of a launch, for graph nodes */
CUresult host_make_launch(const CUlaunchConfig *config, CUfunction kernel, void **args,
                          HostOp **out_op);
void host_read_launch(const HostOp *op, CUDA_KERNEL_NODE_PARAMS *out);
/* Launch attributes, indexed by id. All are hints here except clusters, cooperative and the modes.
 */
enum { HOST_ATTRIBUTES = CU_LAUNCH_ATTRIBUTE_SHARED_MEMORY_MODE + 1 };
bool host_has_attribute(CUlaunchAttributeID id, bool is_node);
/* Copies the attributes of a captured launch that a node has; other entries of `out` don't change.
 */
void host_read_attributes(const HostOp *op, CUlaunchAttributeValue out[HOST_ATTRIBUTES]);
bool host_has_whole_clusters(const HostOp *op); /* otherwise it must not run */

/* launch.c, block.c --------------------------------------------------------------- */

/* A grid that is being executed. */
typedef struct HostGrid {
  const HostKernel *kernel;
  void **args;
  uint32_t dim[3], grid_dim[3];
  uint32_t block_threads;
  uint32_t cluster[3], cluster_blocks; /* blocks on each axis, and in total; all 1 without
                                        * clusters */
  uint32_t clusters[3];                /* clusters of the grid on each axis */
  uint64_t dynamic_bytes;
  size_t static_room, shared_room; /* of a block's shared memory: the static part, and all of it */
  bool is_poisoned;                /* $CK_HOST_POISON is 1: shared memory is filled with 0xCC
                                    * before a block starts */
  uint64_t cluster_count;
  atomic_uint_fast64_t next_cluster;
  atomic_bool is_stopped; /* a block has failed: no further block starts */
  uint64_t number;        /* unique number of the launch */
} HostGrid;

/* Executes one cluster of a grid on the calling thread, alternating between its blocks at cluster
 * barriers; false if a block failed. */
bool host_run_cluster(HostGrid *grid, uint64_t index);
/* Executes all blocks of a cooperative kernel on the calling thread, alternating between them at
 * grid barriers; false if a block failed. */
bool host_run_grid(HostGrid *grid);
/* Frees the memory that a CPU thread keeps between blocks. */
void host_free_worker(void);
/* The block index in the grid of a block that is being executed. */
void host_block_id(uint32_t at, uint32_t out_id[3]);

/* guard.c ------------------------------------------------------------------------------ */

enum { HOST_LEFT = 1, HOST_CRASHED = 2 }; /* the values with which longjmp ends a block */

/* State of each CPU thread that executes kernels: what its signal handler does. */
typedef struct HostGuard {
  jmp_buf *escape;
  volatile sig_atomic_t is_armed; /* kernel code is executing */
  volatile sig_atomic_t holds;    /* not 0: it has called the runtime, which holds a lock or
                                   * memory */
  bool is_ready, has_address;
  int signal; /* of the last crash */
  uintptr_t address, stack_low;
  void *signal_stack;
} HostGuard;

extern _Thread_local HostGuard host_guard;

void host_guard_begin(void); /* before a grid on this thread */
void host_guard_end_thread(void);
/* Makes the last crash on this thread the sticky error of the context. */
void host_guard_report(const char *kernel, const uint32_t block[3]);
/* Makes a thread that may execute kernels. */
bool host_make_thread(pthread_t *out_thread, void *(*run)(void *data), void *data);

static inline void host_guard_hold(void)
{
  ++host_guard.holds;
}

static inline void host_guard_release(void)
{
  --host_guard.holds;
}

/* warp.c ------------------------------------------------------------------------------- */

/* Performs a warp exchange for the lanes of a mask. False: lane *out_lane has another operation
 * than the first lane, or another value where all must be equal. */
bool host_exchange(ck_host_thread_t *warp, uint32_t lanes, uint32_t *out_lane);

/* Ends the block that this thread executes, with an error of the context. */
_Noreturn void host_leave_block(CUresult result, const char *text);

/* check.c: race detection in checked builds */

/* A group of `count` blocks that are executed alternately, in the order of their clusters, is about
 * to start on this thread with the block `first`. Their shared memory is contiguous. */
void host_check_start(const HostGrid *grid, uint32_t count, const ck_host_block_t *first);
void host_check_sync(void); /* barrier of a cluster, or its start: orders all accesses */
void host_check_enter(const ck_host_block_t *block, uint32_t at); /* a block is continued */
void host_check_end(void);                                        /* the current block has ended */
bool host_is_checked(void);
/* Only if checked: the lanes of the warp at `base` have waited for each other by warp.sync(). */
void host_check_warp(uint32_t base, uint32_t lanes);
/* All live threads of block `at` wait at a barrier; is_waiting says which ones are live. Reports it
 * unless all threads of the block wait, and at the same barrier as threads of the blocks that were
 * passed before (is_first: there are none). */
void host_check_wait(uint32_t at, bool (*is_waiting)(uint32_t at, uint32_t thread), bool is_first);
void host_check_block(void);        /* all threads of the block have met */
bool host_is_own(uint64_t address); /* address in a coroutine frame (block.c) */
void host_check_free(void);

/* Functions that host code calls (ck/compile.h). */
void *ck_host_map(const ck_host_thread_t *thread, void *address, uint32_t rank);
_Noreturn void ck_host_check(const ck_host_thread_t *thread, const ck_host_site_t *caller,
                             const char *format, uint64_t a, uint64_t b);
void ck_host_access(const ck_host_thread_t *thread, const ck_host_site_t *site, const void *address,
                    uint64_t bytes, uint32_t flags, const ck_host_site_t *caller);
void ck_host_fence(const ck_host_thread_t *thread);
void ck_host_wait(const ck_host_thread_t *thread, const ck_host_site_t *site,
                  const ck_host_site_t *caller);
void ck_host_copy(const ck_host_thread_t *thread, const ck_host_site_t *site, const void *to,
                  const void *from, uint32_t bytes, uint32_t given, const ck_host_site_t *caller);
void ck_host_bulk(const ck_host_thread_t *thread, const ck_host_site_t *site, const void *to,
                  uint32_t bytes, const void *barrier, const ck_host_site_t *caller);
void ck_host_phase(const ck_host_thread_t *thread, const void *barrier);
void ck_host_copy_commit(const ck_host_thread_t *thread, uint32_t unused);
void ck_host_copy_wait(const ck_host_thread_t *thread, uint32_t prior);
void *ck_host_frame(void *frame, uint32_t bytes);
void ck_host_print(const ck_host_thread_t *thread, const char *format, const void *values);
_Noreturn void ck_host_assert(const ck_host_thread_t *thread, const char *message, const char *file,
                              uint32_t line, const char *function);
_Noreturn void ck_host_trap(const ck_host_thread_t *thread, const char *file, uint32_t line);

#endif
