/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* host.h - the host device: the functions of driver.def on the CPU. Private to host/ and tests.
 *
 * There is one device, with its primary context and green ones. A stream is a queue of operations
 * and a thread that takes them in order; an event is a count of records that have been put into
 * streams and of those that were reached. A grid's blocks are shared out among the stream's thread
 * and a pool of helpers.
 *
 * What is checked as the driver does: handles of nothing, a context that is not current, sizes and
 * limits. What is simpler: cuStreamDestroy waits for the stream's work; who asks a full pool for
 * other processes waits himself, not his stream, for what was freed in another one, a second at
 * most; priorities and the cores of green contexts are kept and have no effect.
 */
#ifndef CK_HOST_H
#define CK_HOST_H

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>

#include "ck/compile.h"
#include "code/manifest.h"
#include "core/object.h"
#include "driver/driver.h"

/* Prototypes host_cuInit() and so on: a definition that differs from cuda_functions.h does not
 * compile. */
#define DRIVER_FN(name, version, need) __typeof__(name) host_##name;
#include "driver/driver.def"

/* device.c ----------------------------------------------------------------------------- */

/* Streams, events, libraries, pools, pieces of memory and retained contexts that there are now. */
extern atomic_size_t host_live_objects;

bool host_is_current(void); /* whether this thread has a context current (context.c) */
CUcontext host_primary_context(void);
void host_renew_primary(void); /* nobody has it: what is retained next is another one */
/* What a stream was made in, and who makes one in a green context. */
CUcontext host_stream_context(CUstream native);
void host_stream_enter_green(CUstream native, CUgreenCtx green);
CUresult host_fault(void);      /* the context's fault, CUDA_SUCCESS if it has none */
unsigned host_core_count(void); /* $CK_HOST_THREADS, or the cores that this process may use */

/* Makes the context fail from now on; the first fault stays. Its text is what calls fail with. */
void host_set_fault(CUresult result, const char *text);

/* What a call needs before it may do anything. */
#define NEED_CONTEXT()                                                                             \
  do {                                                                                             \
    if (!host_is_current()) return CUDA_ERROR_INVALID_CONTEXT;                                     \
    if (host_fault() != CUDA_SUCCESS) return host_fault();                                         \
  } while (0)

/* The same of a call that only puts something into a stream: one that was made knows its context.
 */
#define NEED_CONTEXT_OF(stream_)                                                                   \
  do {                                                                                             \
    bool knows_it =                                                                                \
        (stream_) && (stream_) != CU_STREAM_LEGACY && (stream_) != CU_STREAM_PER_THREAD;           \
    if (!knows_it && !host_is_current()) return CUDA_ERROR_INVALID_CONTEXT;                        \
    if (host_fault() != CUDA_SUCCESS) return host_fault();                                         \
  } while (0)

/* fork.c ------------------------------------------------------------------------------- */

extern unsigned
    host_generation;        /* counts the calls of fork() between the first process and this one */
void host_fork_watch(void); /* before the first thread is made */

/* What a child of fork() forgets, with all mutexes held: the threads that would end it are gone. */
void host_streams_forget(void);
void host_helpers_forget(void);
void host_frees_forget(void);

extern pthread_mutex_t host_context_mutex, host_helpers_mutex, host_install_mutex,
    host_pending_mutex, host_pieces_mutex, host_ranges_mutex, host_streams_mutex;

/* memory.c, pool.c ---------------------------------------------------------------- */

enum { HOST_ALIGNMENT = 256 };

typedef struct HostPool HostPool;

typedef enum HostPieceKind {
  HOST_device,
  HOST_pinned,
  HOST_managed,
  HOST_registered
} HostPieceKind;

/* Memory that was given out. */
typedef struct HostPiece {
  struct HostPiece *next; /* in its bucket */
  void *start;
  size_t bytes;
  HostPool *pool; /* retained; NULL for memory of no pool */
  HostPieceKind kind;
  bool is_read_mostly, is_device_user, is_host_user; /* advice: nothing comes of it here */
  CUmemLocation preferred, prefetched;
} HostPiece;

CUresult host_new_piece(size_t bytes, HostPool *pool, HostPieceKind kind, void **out_start);

/* Knows memory by its address. A pool has to be retained by the caller. */
CUresult host_add_piece(void *start, size_t bytes, HostPool *pool, HostPieceKind kind);

/* Calls use(piece, data) with the piece that an address lies in, locked; false if there is none. */
bool host_with_piece(CUdeviceptr address, void (*use)(HostPiece *piece, void *data), void *data);

/* Whether a place of memory is of the one device, or the one node of the host, that there is. */
bool host_has_location(CUmemLocation location);

size_t host_total_bytes(void); /* of the machine */
/* Adds to a sum unless that would exceed the limit. */
bool host_take(atomic_size_t *sum, size_t bytes, size_t limit);

/* Memory of a pool, which it retains; NULL if it may have no more. */
void *host_pool_take(HostPool *pool, size_t bytes);
void host_pool_give(HostPool *pool, void *start, size_t bytes);
bool host_pool_is_limited(const HostPool *pool);
/* Whether a stream may have what was freed in another one and is not reached there. */
bool host_pool_shares(const HostPool *pool);
/* Counts memory as given back that is still in use by then. False for a pool of fixed room, where
 * that would not help. */
bool host_pool_credit(HostPool *pool, size_t bytes);
/* Does so with all that was freed before and is not reached yet, in this stream, or in all if the
 * pool shares; one of fixed room waits until some of it is reached. False: there is no more. */
bool host_credit_frees(HostPool *pool, CUstream stream);

/* virtual.c ---------------------------------------------------------------------------- */

/* The first of these addresses that is of virtual memory without the access; 0 if there is none. */
CUdeviceptr host_find_forbidden(CUdeviceptr start, size_t bytes, bool is_write);
/* Whether there is none: what a stream is about to do is a fault of the context otherwise, whose
 * text starts with `who`. */
bool host_may_access(const char *who, CUdeviceptr start, size_t bytes, bool is_write);

/* array.c ------------------------------------------------------------------------------ */

enum { HOST_MAX_LEVELS = 18 }; /* the widest array has 2^17 elements */

/* Elements in rows, rows in slices: planes, layers, or faces. */
typedef struct HostImage {
  char *start;
  size_t width, height, slices;
  size_t row_bytes, slice_bytes;
} HostImage;

typedef struct HostArray HostArray;
const HostImage *host_array_image(CUarray array);

/* What the handle of a texture or surface is the address of. */
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

enum { HOST_TENSOR_RANK = 5 };

/* What a CUtensorMap holds; axes innermost first. */
typedef struct HostTensorMap {
  uint64_t address;
  uint64_t strides[HOST_TENSOR_RANK - 1]; /* bytes; [k]: of axis k + 1 */
  uint32_t last[HOST_TENSOR_RANK];        /* extents less 1 */
  uint16_t box[HOST_TENSOR_RANK];
  uint8_t element_strides[HOST_TENSOR_RANK];
  uint8_t type, rank, interleave, swizzle, fill;
  bool is_im2col;
  int16_t lower[3], upper[3];
  uint16_t channels, pixels;
} HostTensorMap;

/* What host code calls (ck/compile.h). */
uint64_t ck_host_tensor_element(uint64_t map, uint32_t i, int32_t x, int32_t y, int32_t z,
                                int32_t w);
uint32_t ck_host_tensor_place(uint64_t map, uint32_t i);

/* texture.c */

/* A GPU keeps a border's colour as an element of the texture's format: as measured on sm_90, the
 * nearest of integers that are read as normalized, and the half towards 0. */
void host_texture_round_border(HostTexture *texture);

/* What host code calls (ck/compile.h). */
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

/* An operation in a stream. It stands first in a struct with whatever it needs. */
typedef struct HostOp {
  struct HostOp *next;
  void (*run)(struct HostOp *op);  /* or NULL */
  void (*drop)(struct HostOp *op); /* gives back what the op holds but its own memory; or NULL */
  /* What it does once it has its place in a stream, which is not before nothing can fail any more,
   * and before the stream gets to it; or NULL. Its locks are held: it must be short. */
  void (*enter)(struct HostOp *op);
  bool is_work;                 /* left out once the context has a fault */
  HostOpKind kind;              /* what a node of a graph that has it is */
  atomic_uint other_references; /* nodes that share it */
} HostOp;

void host_op_release(HostOp *op); /* the last one drops and frees it */

/* Puts an op, made by memory_new, at the end of a stream, which owns it then, also on failure. */
CUresult host_put(CUstream stream, HostOp *op);
CUresult host_try_put(CUstream stream, HostOp *op); /* the caller owns it still on failure */
bool host_is_legacy(CUstream stream);               /* the one default stream */
bool host_is_blocking(CUstream stream);             /* one that was made */
CUresult host_sync_all(void);                       /* waits for every stream */
CUresult host_stream_sync(CUstream stream);         /* whatever a capture forbids */
void host_drop_default_streams(void);               /* waits for their work */
/* Whether the caller is a host function, or what is called when an operation is given back: streams
 * that are waited for may need its end. */
bool host_is_stream_thread(void);
HostOp *host_make_call(CUhostFn function, void *data); /* NULL when memory is out */
void host_read_call(const HostOp *op, CUDA_HOST_NODE_PARAMS *out);

/* event.c: for event nodes. The number of a record is taken when a graph is launched. */
void host_event_retain(CUevent event);
void host_event_release(CUevent event);
uint64_t host_event_count(CUevent event, bool is_record);
void host_event_reach(CUevent event, uint64_t count);
void host_event_wait(CUevent event, uint64_t count);

/* capture.c: what a stream or an event has while work is captured ------------------------ */

struct HostTail;
struct HostTail **host_stream_tail(CUstream stream); /* NULL for the default stream */
struct HostTail **host_event_tail(CUevent event);
bool host_is_capturing(CUstream stream);
/* CUDA_SUCCESS unless the stream is capturing, whose capture can't go on then. */
CUresult host_capture_refuse(CUstream stream);
/* CUDA_SUCCESS unless the stream is the default one and a blocking stream is captured, for which it
 * would have to wait. To use it all the same ends that capture, as measured with driver 580. */
CUresult host_capture_implicit(CUstream stream, bool is_use);
bool host_capture_refuse_event(CUevent event); /* true if it was last recorded in a capture */
CUresult host_capture_op(CUstream stream, HostOp *op); /* as host_try_put */
CUresult host_capture_values(CUstream stream, const CUstreamBatchMemOpParams *ops, unsigned count);
CUresult host_capture_record(CUstream stream, CUevent event);
CUresult host_capture_wait(CUstream stream, CUevent event);
CUresult host_capture_alloc(CUdeviceptr *out_address, size_t bytes, CUstream stream);
CUresult host_capture_free(CUdeviceptr address, CUstream stream);
void host_tail_release(struct HostTail **tail);

/* Whether a capture forbids a call to this thread that is no part of it; if so, the capture is
 * invalid now. Which calls these are was measured with driver 580: memory, pools, arrays,
 * handles of textures, executable graphs, code that is unloaded, and whatever asks or waits for a
 * stream or an event. */
bool host_capture_forbids(void);
bool host_capture_forbids_sync(void); /* the same of cuCtxSynchronize, in all modes */

#define UNSAFE_IN_CAPTURES()                                                                       \
  do {                                                                                             \
    if (host_capture_forbids()) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;                      \
  } while (0)

/* graph.c: makes room for one more at the end of an array; false when memory is out. What it
 * has grown to is known by the count alone: an array that starts anew has none. */
bool host_grow(void **array, size_t count, size_t bytes);

/* graph_memory.c: whether an address is a graph's, and frees it in a stream's order */
bool host_graph_free(CUdeviceptr address, CUstream stream, CUresult *out_result);

/* graph_run.c */
void ck_host_set_condition(uint64_t handle, uint32_t value);
uint32_t ck_host_launch_graph(uint64_t graph, uint64_t how);

/* memory.c: operations for nodes; NULL when memory is out */
HostOp *host_make_copy(const CUDA_MEMCPY3D *copy);
HostOp *host_make_fill(const CUDA_MEMSET_NODE_PARAMS *fill);
void host_read_copy(const HostOp *op, CUDA_MEMCPY3D *out);
void host_read_fill(const HostOp *op, CUDA_MEMSET_NODE_PARAMS *out);

/* copy.c: whether a fill's rows may be that far apart; one row has no pitch */
bool host_fits_pitch(size_t pitch, size_t row_bytes, unsigned value_bytes, size_t height);

/* library.c ---------------------------------------------------------------------------- */

typedef struct HostLibrary HostLibrary;
typedef struct HostKernel {
  HostLibrary *library;
  const ManifestKernel *info;
  void *entry;
  atomic_int max_dynamic_bytes;
  atomic_bool may_exceed_cluster;      /* 8 blocks, which every device with clusters takes */
  atomic_int carveout, cluster_policy; /* as they were set: nothing comes of them here */
} HostKernel;

/* What will run a kernel has a reference to its code. */
void host_library_retain(HostLibrary *library);
void host_library_release(HostLibrary *library);

/* launch.c: the operation of a launch, for nodes */
CUresult host_make_launch(const CUlaunchConfig *config, CUfunction kernel, void **args,
                          HostOp **out_op);
void host_read_launch(const HostOp *op, CUDA_KERNEL_NODE_PARAMS *out);
/* Attributes are kept by id. All of them are hints here but clusters, cooperative and modes. */
enum { HOST_ATTRIBUTES = CU_LAUNCH_ATTRIBUTE_SHARED_MEMORY_MODE + 1 };
bool host_has_attribute(CUlaunchAttributeID id, bool is_node);
/* The attributes of a captured launch that a node has, as they were given; the others stay. */
void host_read_attributes(const HostOp *op, CUlaunchAttributeValue out[HOST_ATTRIBUTES]);
bool host_has_whole_clusters(const HostOp *op); /* so that it may run */

/* launch.c, block.c --------------------------------------------------------------- */

/* A grid that runs. */
typedef struct HostGrid {
  const HostKernel *kernel;
  void **args;
  uint32_t dim[3], grid_dim[3];
  uint32_t block_threads;
  uint32_t cluster[3], cluster_blocks; /* blocks along each axis, in all; a block alone without */
  uint32_t clusters[3];                /* of the grid, along each axis */
  uint64_t dynamic_bytes;
  size_t static_room, shared_room; /* of a block: bytes before the dynamic ones; in all */
  bool is_poisoned;                /* $CK_HOST_POISON is 1: shared memory starts as 0xCC bytes */
  uint64_t cluster_count;
  atomic_uint_fast64_t next_cluster;
  atomic_bool is_stopped; /* a block had a fault */
  uint64_t number;        /* of the launch: no two have the same */
} HostGrid;

/* Runs the blocks of one cluster on the calling thread, from one wait for the cluster to the next;
 * false if one had a fault. */
bool host_run_cluster(HostGrid *grid, uint64_t index);
/* Runs all blocks of a cooperative kernel on the calling thread, from one wait for the grid to the
 * next; false if one had a fault. */
bool host_run_grid(HostGrid *grid);
/* Gives back what a thread keeps between blocks. */
void host_free_worker(void);
/* Where one of the blocks that run together stands in the grid. */
void host_block_id(uint32_t at, uint32_t out_id[3]);

/* guard.c ------------------------------------------------------------------------------ */

enum { HOST_LEFT = 1, HOST_CRASHED = 2 }; /* why a block comes back by longjmp */

/* Of each thread that runs kernels: what a signal that one of them raises does. */
typedef struct HostGuard {
  jmp_buf *escape;
  volatile sig_atomic_t is_armed; /* kernel code runs */
  volatile sig_atomic_t holds;    /* what it called has a lock, or memory in its hands */
  bool is_ready, has_address;
  int signal; /* of the last crash */
  uintptr_t address, stack_low;
  void *signal_stack;
} HostGuard;

extern _Thread_local HostGuard host_guard;

void host_guard_begin(void); /* a grid starts on this thread */
void host_guard_end_thread(void);
/* Makes the last crash the context's fault. */
void host_guard_report(const char *kernel, const uint32_t block[3]);
/* Makes a thread that may run kernels. */
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

/* Gives each lane of the mask what it gets from the others. False: *out_lane came with another
 * exchange than the first lane, or with another value to one that wants the same. */
bool host_exchange(ck_host_thread_t *warp, uint32_t lanes, uint32_t *out_lane);

/* Leaves the block that this thread runs, with a fault. */
_Noreturn void host_leave_block(CUresult result, const char *text);

/* check.c: races and reads of what nobody wrote, in checked builds ----------------------- */

/* What happens on this thread. Blocks of a grid that take turns, `count` of them, are numbered by
 * clusters; their shared memory lies together. The first one starts. */
void host_check_start(const HostGrid *grid, uint32_t count, const ck_host_block_t *first);
void host_check_sync(
    void); /* nothing that comes races with what was: a cluster starts or has met */
void host_check_enter(const ck_host_block_t *block, uint32_t at); /* a block goes on */
void host_check_end(void);                                        /* it has ended */
bool host_is_checked(void);
/* Only if so: lanes of the warp at `base` have met. */
void host_check_warp(uint32_t base, uint32_t lanes);
/* All threads of a block that have not ended wait; is_waiting says which. All of them do, and where
 * those of other blocks that were looked at before do, unless they are the first. */
void host_check_wait(uint32_t at, bool (*is_waiting)(uint32_t at, uint32_t thread), bool is_first);
void host_check_block(void);        /* the block has met */
bool host_is_own(uint64_t address); /* in a frame of a thread (block.c) */
void host_check_free(void);

/* What host code calls (ck/compile.h). */
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
void ck_host_copy_commit(const ck_host_thread_t *thread, uint32_t unused);
void ck_host_copy_wait(const ck_host_thread_t *thread, uint32_t prior);
void *ck_host_frame(void *frame, uint32_t bytes);
void ck_host_print(const ck_host_thread_t *thread, const char *format, const void *values);
_Noreturn void ck_host_assert(const ck_host_thread_t *thread, const char *message, const char *file,
                              uint32_t line, const char *function);
_Noreturn void ck_host_trap(const ck_host_thread_t *thread, const char *file, uint32_t line);

#endif
