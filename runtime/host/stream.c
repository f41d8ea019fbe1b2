/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* stream.c - streams of the host device, and their operations on values in memory
 * (cuStreamWaitValue, cuStreamWriteValue).
 *
 * A stream is a queue of operations and a thread that executes them in order. It counts the
 * operations that were submitted (put) and those that have finished (done). Waiting for a stream is
 * waiting until `done` reaches the value that `put` had when the wait began:
 *
 *   put = 5        | op 1 | op 2 | op 3 | op 4 | op 5 |
 *   done = 2                      running
 *
 * The implicit order of the legacy default stream is made of explicit waits, operations too, which
 * hold such a value of `put`. An operation in the default stream is preceded by a wait for each
 * blocking stream that is not idle; one in a blocking stream by a wait for the default stream:
 *
 *   s1              | op 1 | op 2 |                                       put = 2
 *   default stream         | wait until s1 has done 2 | op 3 |            put = 2
 *   s1, next                     | wait until default stream has done 2 | op 4 |
 *
 * Each thread's per-thread default stream is a blocking stream, made at its first use; it is
 * destroyed when the thread has ended and its work has finished.
 *
 * There is no deadlock between such waits, since each one refers only to operations that were
 * submitted earlier. To guarantee that, host_streams_mutex makes submitting the waits and the
 * operation one atomic step for the default stream and blocking streams. The same holds for waits
 * for events: a record of an event gets its number (event.c) in the critical section that appends
 * it to its queue (append calls op->enter).
 */
#include <stdio.h>
#include <unistd.h>

#include "host.h"

typedef struct HostStream {
  atomic_size_t reference_count; /* the handle, the thread, and operations that wait for it */
  struct HostStream *next;       /* in all_streams */
  pthread_t thread;
  pthread_mutex_t mutex; /* guards what follows */
  pthread_cond_t changed;
  HostOp *first, *last;
  uint64_t put, done;
  unsigned generation; /* host_generation when it was made */
  bool is_closed;
  unsigned flags;
  struct HostTail *tail; /* while it is capturing; guarded by host_graph_mutex */
  uint64_t id;
  bool is_thread;                                     /* it is a per-thread default stream */
  CUcontext context;                                  /* primary or green */
  CUlaunchAttributeValue attributes[HOST_ATTRIBUTES]; /* indexed by id */
} HostStream;

/* Guards the list of streams. It is also held while an operation is submitted to the default stream
 * or a blocking one. */
pthread_mutex_t host_streams_mutex = PTHREAD_MUTEX_INITIALIZER;
static HostStream *all_streams;
static HostStream *default_stream; /* made when it is first used */
static unsigned generation;        /* incremented when all default streams are dropped */

/* This thread's default stream; valid if `thread_generation` equals `generation`. */
static _Thread_local HostStream *thread_stream;
static _Thread_local unsigned thread_generation;
static pthread_key_t thread_key;
static pthread_once_t thread_once = PTHREAD_ONCE_INIT;

static _Thread_local bool is_of_stream;

/* streams ------------------------------------------------------------------------------------ */

/* Whether the parent of this process made the stream: its thread does not exist here (fork.c). */
static bool is_lost(const HostStream *stream)
{
  return stream->generation != host_generation;
}

static void release_stream(HostStream *stream)
{
  if (atomic_fetch_sub(&stream->reference_count, 1) != 1) return;
  pthread_mutex_destroy(&stream->mutex);
  pthread_cond_destroy(&stream->changed);
  memory_free(stream);
}

void host_op_release(HostOp *op)
{
  if (!op || atomic_fetch_sub(&op->other_references, 1) != 0) return;
  if (op->drop) op->drop(op);
  memory_free(op);
}

static void run_op(HostOp *op)
{
  if (op->run && (!op->is_work || host_fault() == CUDA_SUCCESS)) op->run(op);
  host_op_release(op);
}

bool host_is_stream_thread(void)
{
  return is_of_stream;
}

/* Removes a stream from the list; false if it is not there. Under host_streams_mutex. */
static bool unlink_stream(HostStream *stream)
{
  HostStream **link = &all_streams;
  while (*link && *link != stream) link = &(*link)->next;
  if (!*link) return false;
  *link = stream->next;
  return true;
}

/* Releases the per-thread stream of a thread that has ended, when its work has finished. Nobody
 * joins the stream's thread then. */
static void end_orphan(HostStream *stream)
{
  pthread_mutex_lock(&host_streams_mutex);
  bool is_orphan = unlink_stream(stream);
  pthread_mutex_unlock(&host_streams_mutex);
  if (!is_orphan) return;
  pthread_detach(pthread_self());
  release_stream(stream);
}

/* The thread of a stream: takes operations from the list in order, and runs them without the mutex.
 * It ends when the stream is closed and the list is empty. */
static void *stream_main(void *data)
{
  HostStream *stream = data;
  is_of_stream = true;
  pthread_mutex_lock(&stream->mutex);
  for (;;) {
    while (!stream->first && !stream->is_closed)
      pthread_cond_wait(&stream->changed, &stream->mutex);
    HostOp *op = stream->first;
    if (!op) break;
    stream->first = op->next;
    pthread_mutex_unlock(&stream->mutex);
    run_op(op);
    pthread_mutex_lock(&stream->mutex);
    ++stream->done;
    pthread_cond_broadcast(&stream->changed);
  }
  pthread_mutex_unlock(&stream->mutex);
  host_free_worker();
  host_guard_end_thread();
  if (stream->is_thread) end_orphan(stream);
  release_stream(stream);
  return NULL;
}

static HostStream *new_stream(unsigned flags, int priority)
{
  HostStream *stream = memory_new(sizeof *stream);
  if (!stream) return NULL;
  atomic_init(&stream->reference_count, 2);
  pthread_mutex_init(&stream->mutex, NULL);
  pthread_cond_init(&stream->changed, NULL);
  stream->flags = flags;
  stream->generation = host_generation;
  host_fork_watch();
  static atomic_uint_fast64_t last_id = 10; /* the driver's own streams have the first ids */
  stream->id = atomic_fetch_add(&last_id, 1) + 1;
  stream->attributes[CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY].syncPolicy = CU_SYNC_POLICY_AUTO;
  stream->attributes[CU_LAUNCH_ATTRIBUTE_PRIORITY].priority = priority;
  if (!host_make_thread(&stream->thread, stream_main, stream)) {
    release_stream(stream);
    release_stream(stream);
    return NULL;
  }
  return stream;
}

/* Closes the queue: the thread ends after the operations that are in it. */
static void let_finish(HostStream *stream)
{
  pthread_mutex_lock(&stream->mutex);
  stream->is_closed = true;
  pthread_cond_broadcast(&stream->changed);
  pthread_mutex_unlock(&stream->mutex);
}

/* Closes the queue and waits for the thread, unless the caller is that thread. */
static void close_stream(HostStream *stream)
{
  if (is_lost(stream)) return; /* leaked: its mutex may be locked by a thread that does not exist */
  let_finish(stream);
  if (pthread_equal(stream->thread, pthread_self())) pthread_detach(stream->thread);
  else pthread_join(stream->thread, NULL);
  release_stream(stream);
}

static bool is_default(CUstream native)
{
  return !native || native == CU_STREAM_LEGACY;
}

bool host_is_legacy(CUstream native)
{
  return is_default(native);
}

bool host_is_blocking(CUstream native)
{
  return !(((HostStream *)(void *)native)->flags & CU_STREAM_NON_BLOCKING);
}

/* Called at the end of a thread that used its default stream. As on a GPU it does not wait for the
 * work. The stream stays in the list, so that waits for all streams or the default stream include
 * it. */
static void end_thread(void *data)
{
  pthread_mutex_lock(&host_streams_mutex);
  if (thread_generation == generation) let_finish(data);
  pthread_mutex_unlock(&host_streams_mutex);
  thread_stream = NULL; /* later destructors of the thread get a new stream */
}

static void make_thread_key(void)
{
  pthread_key_create(&thread_key, end_thread);
}

/* Under host_streams_mutex. */
static HostStream *get_thread_stream(void)
{
  if (thread_stream && thread_generation == generation) return thread_stream;
  pthread_once(&thread_once, make_thread_key);
  thread_stream = new_stream(CU_STREAM_DEFAULT, 0);
  if (!thread_stream) return NULL;
  thread_stream->is_thread = true;
  thread_stream->next = all_streams;
  all_streams = thread_stream;
  thread_generation = generation;
  pthread_setspecific(thread_key, thread_stream);
  return thread_stream;
}

/* NULL if a default stream can't be made. */
static HostStream *stream_of(CUstream native)
{
  if (native == CU_STREAM_PER_THREAD) {
    pthread_mutex_lock(&host_streams_mutex);
    HostStream *stream = get_thread_stream();
    pthread_mutex_unlock(&host_streams_mutex);
    return stream;
  }
  if (!is_default(native)) return (HostStream *)(void *)native;
  pthread_mutex_lock(&host_streams_mutex);
  if (!default_stream) default_stream = new_stream(CU_STREAM_DEFAULT, 0);
  HostStream *stream = default_stream;
  pthread_mutex_unlock(&host_streams_mutex);
  return stream;
}

/* In the child of fork(), default streams are made anew at their next use. Streams that the parent
 * made stay in the list until they are destroyed. */
void host_streams_forget(void)
{
  default_stream = thread_stream = NULL;
  is_of_stream = false;
  ++generation;
  for (HostStream **link = &all_streams; *link;)
    if ((*link)->is_thread) *link = (*link)->next;
    else link = &(*link)->next;
}

/* Closes the default stream and the per-thread default streams. They are first unlinked under the
 * mutex and then closed without it, since closing waits for their work. */
void host_drop_default_streams(void)
{
  pthread_mutex_lock(&host_streams_mutex);
  HostStream *stream = default_stream, *of_threads = NULL;
  default_stream = NULL;
  ++generation;
  for (HostStream **link = &all_streams; *link;) {
    HostStream *other = *link;
    if (!other->is_thread) {
      link = &other->next;
      continue;
    }
    *link = other->next;
    other->next = of_threads;
    of_threads = other;
  }
  pthread_mutex_unlock(&host_streams_mutex);
  if (stream) close_stream(stream);
  while (of_threads) {
    stream = of_threads;
    of_threads = stream->next;
    close_stream(stream);
  }
}

static void append(HostStream *stream, HostOp *op)
{
  pthread_mutex_lock(&stream->mutex);
  if (op->enter) op->enter(op);
  op->next = NULL;
  if (stream->first) stream->last->next = op;
  else stream->first = op;
  stream->last = op;
  ++stream->put;
  pthread_cond_broadcast(&stream->changed);
  pthread_mutex_unlock(&stream->mutex);
}

/* Waits until a stream has done its first `count` operations. */
static void wait_done(HostStream *stream, uint64_t count)
{
  if (is_lost(stream)) return;
  pthread_mutex_lock(&stream->mutex);
  while (stream->done < count) pthread_cond_wait(&stream->changed, &stream->mutex);
  pthread_mutex_unlock(&stream->mutex);
}

static uint64_t count_put(HostStream *stream, bool *out_is_idle)
{
  *out_is_idle = true;
  if (is_lost(stream)) return 0;
  pthread_mutex_lock(&stream->mutex);
  uint64_t put = stream->put;
  *out_is_idle = stream->done == put;
  pthread_mutex_unlock(&stream->mutex);
  return put;
}

typedef struct WaitStreamOp {
  HostOp op;
  HostStream *other; /* retained */
  uint64_t count;
} WaitStreamOp;

static void run_wait_stream(HostOp *op)
{
  WaitStreamOp *wait = (WaitStreamOp *)op;
  wait_done(wait->other, wait->count);
}

static void drop_wait_stream(HostOp *op)
{
  release_stream(((WaitStreamOp *)op)->other);
}

static CUresult put_wait(HostStream *stream, HostStream *other)
{
  bool is_idle;
  uint64_t count = count_put(other, &is_idle);
  if (is_idle) return CUDA_SUCCESS;
  WaitStreamOp *wait = memory_new(sizeof *wait);
  if (!wait) return CUDA_ERROR_OUT_OF_MEMORY;
  wait->op = (HostOp){.run = run_wait_stream, .drop = drop_wait_stream};
  wait->other = other;
  wait->count = count;
  atomic_fetch_add(&other->reference_count, 1);
  append(stream, &wait->op);
  return CUDA_SUCCESS;
}

/* Submits the waits that order the default stream and the blocking streams. Under
 * host_streams_mutex. */
static CUresult put_default_waits(HostStream *stream)
{
  CUresult result = CUDA_SUCCESS;
  if (stream == default_stream) {
    for (HostStream *other = all_streams; other && result == CUDA_SUCCESS; other = other->next) {
      if (other->flags & CU_STREAM_NON_BLOCKING) continue;
      result = host_is_capturing((CUstream)(void *)other) ? CUDA_ERROR_STREAM_CAPTURE_IMPLICIT
                                                          : put_wait(stream, other);
    }
  } else if (default_stream) {
    result = put_wait(stream, default_stream);
  }
  return result;
}

struct HostTail **host_stream_tail(CUstream native)
{
  bool is_thread = native == CU_STREAM_PER_THREAD; /* which can't be captured either */
  return is_default(native) || is_thread ? NULL : &((HostStream *)(void *)native)->tail;
}

CUresult host_try_put(CUstream native, HostOp *op)
{
  HostStream *stream = stream_of(native);
  if (stream && is_lost(stream)) return CUDA_ERROR_NOT_INITIALIZED;
  if (host_is_capturing(native)) return host_capture_op(native, op);
  CUresult result = stream ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
  if (stream && stream->flags & CU_STREAM_NON_BLOCKING) {
    append(stream, op);
  } else if (stream) {
    pthread_mutex_lock(&host_streams_mutex);
    result = put_default_waits(stream);
    if (result == CUDA_SUCCESS) append(stream, op);
    pthread_mutex_unlock(&host_streams_mutex);
  }
  if (result == CUDA_ERROR_STREAM_CAPTURE_IMPLICIT) host_capture_implicit(native, true);
  return result;
}

CUresult host_put(CUstream native, HostOp *op)
{
  CUresult result = host_try_put(native, op);
  if (result != CUDA_SUCCESS) host_op_release(op);
  return result;
}

static void wait_and_release(HostStream *stream)
{
  bool is_idle;
  wait_done(stream, count_put(stream, &is_idle));
  release_stream(stream);
}

/* Waits for the streams without allocating a list: in each step, for the one with the largest id
 * below that of the previous step. */
static void sync_one_by_one(unsigned but_flags)
{
  HostStream *next;
  uint64_t last_id = UINT64_MAX;
  do {
    pthread_mutex_lock(&host_streams_mutex);
    next = default_stream && default_stream->id < last_id ? default_stream : NULL;
    for (HostStream *stream = all_streams; stream; stream = stream->next)
      if (!(stream->flags & but_flags) && stream->id < last_id && (!next || stream->id > next->id))
        next = stream;
    if (next) atomic_fetch_add(&next->reference_count, 1);
    if (next) last_id = next->id;
    pthread_mutex_unlock(&host_streams_mutex);
    if (next) wait_and_release(next);
  } while (next);
}

/* Waits for the default stream and all other streams that have none of the flags. */
static CUresult sync_streams(unsigned but_flags)
{
  pthread_mutex_lock(&host_streams_mutex);
  size_t room = default_stream != NULL, count = 0;
  for (HostStream *stream = all_streams; stream; stream = stream->next) ++room;
  HostStream **streams = memory_new(room * sizeof(HostStream *));
  if (streams) {
    if (default_stream) streams[count++] = default_stream;
    for (HostStream *stream = all_streams; stream; stream = stream->next)
      if (!(stream->flags & but_flags)) streams[count++] = stream;
    for (size_t i = 0; i < count; ++i) atomic_fetch_add(&streams[i]->reference_count, 1);
  }
  pthread_mutex_unlock(&host_streams_mutex);
  if (!streams) sync_one_by_one(but_flags);
  for (size_t i = 0; i < count; ++i) wait_and_release(streams[i]);
  memory_free(streams);
  fflush(stdout);
  return host_fault();
}

CUresult host_sync_all(void)
{
  return sync_streams(0);
}

CUresult host_cuStreamCreateWithPriority(CUstream *out_stream, unsigned flags, int priority)
{
  NEED_CONTEXT();
  if (flags & ~(unsigned)CU_STREAM_NON_BLOCKING) return CUDA_ERROR_INVALID_VALUE;
  HostStream *stream = new_stream(flags, priority < -5 ? -5 : priority > 0 ? 0 : priority);
  if (!stream) return CUDA_ERROR_OUT_OF_MEMORY;
  host_cuCtxGetCurrent(&stream->context);
  pthread_mutex_lock(&host_streams_mutex);
  stream->next = all_streams;
  all_streams = stream;
  pthread_mutex_unlock(&host_streams_mutex);
  atomic_fetch_add(&host_live_objects, 1);
  *out_stream = (CUstream)(void *)stream;
  return CUDA_SUCCESS;
}

CUresult host_cuStreamDestroy(CUstream native)
{
  if (is_default(native) || native == CU_STREAM_PER_THREAD) return CUDA_ERROR_INVALID_HANDLE;
  HostStream *stream = (HostStream *)(void *)native;
  pthread_mutex_lock(&host_streams_mutex);
  bool is_known = unlink_stream(stream);
  pthread_mutex_unlock(&host_streams_mutex);
  if (!is_known) return CUDA_ERROR_INVALID_HANDLE;
  host_capture_refuse(native);
  host_tail_release(&stream->tail);
  close_stream(stream);
  atomic_fetch_sub(&host_live_objects, 1);
  return CUDA_SUCCESS;
}

CUresult host_cuStreamGetPriority(CUstream native, int *out_priority)
{
  HostStream *stream = stream_of(native);
  if (!stream) return CUDA_ERROR_OUT_OF_MEMORY;
  *out_priority = stream->attributes[CU_LAUNCH_ATTRIBUTE_PRIORITY].priority;
  return CUDA_SUCCESS;
}

CUresult host_cuStreamGetFlags(CUstream native, unsigned *out_flags)
{
  HostStream *stream = stream_of(native);
  if (!stream) return CUDA_ERROR_OUT_OF_MEMORY;
  *out_flags = stream->flags;
  return CUDA_SUCCESS;
}

CUresult host_stream_sync(CUstream native)
{
  /* The default stream is ordered with the blocking streams, and with no others. */
  if (is_default(native)) return sync_streams(CU_STREAM_NON_BLOCKING);
  HostStream *stream = stream_of(native);
  if (!stream) return CUDA_ERROR_OUT_OF_MEMORY;
  if (is_lost(stream)) return CUDA_ERROR_NOT_INITIALIZED;
  CUresult result = host_capture_refuse(native);
  if (result != CUDA_SUCCESS) return result;
  bool is_idle;
  wait_done(stream, count_put(stream, &is_idle));
  fflush(stdout);
  return host_fault();
}

/* Fails if a capture forbids queries of the stream and waiting for it. Its own capture is looked at
 * first, so that other captures stay valid. */
static CUresult check_captures(CUstream native)
{
  CUresult result = host_capture_implicit(native, true);
  if (result == CUDA_SUCCESS) result = host_capture_refuse(native);
  if (result != CUDA_SUCCESS) return result;
  return host_capture_forbids() ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED : CUDA_SUCCESS;
}

CUresult host_cuStreamSynchronize(CUstream native)
{
  CUresult result = check_captures(native);
  return result == CUDA_SUCCESS ? host_stream_sync(native) : result;
}

static bool are_blocking_idle(void)
{
  bool are_idle = true, is_idle;
  pthread_mutex_lock(&host_streams_mutex);
  for (HostStream *stream = all_streams; stream && are_idle; stream = stream->next) {
    if (stream->flags & CU_STREAM_NON_BLOCKING) continue;
    count_put(stream, &is_idle);
    are_idle = is_idle;
  }
  pthread_mutex_unlock(&host_streams_mutex);
  return are_idle;
}

CUresult host_cuStreamQuery(CUstream native)
{
  CUresult result = check_captures(native);
  if (result != CUDA_SUCCESS) return result;
  HostStream *stream = stream_of(native);
  bool is_idle;
  if (!stream) return CUDA_ERROR_OUT_OF_MEMORY;
  if (is_lost(stream)) return CUDA_ERROR_NOT_INITIALIZED;
  if (host_fault() != CUDA_SUCCESS) return host_fault();
  count_put(stream, &is_idle);
  if (is_default(native)) is_idle &= are_blocking_idle();
  return is_idle ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

CUresult host_cuStreamGetId(CUstream native, unsigned long long *out_id)
{
  HostStream *stream = stream_of(native);
  if (!stream) return CUDA_ERROR_OUT_OF_MEMORY;
  *out_id = stream->id;
  return CUDA_SUCCESS;
}

/* Whether a handle is a stream's, and not that of a GPU or of one that was destroyed. A stream that
 * is adopted is asked for its context, so that others fail there instead of at their first use. */
static bool is_stream(CUstream native)
{
  if (is_default(native) || native == CU_STREAM_PER_THREAD) return true;
  pthread_mutex_lock(&host_streams_mutex);
  const HostStream *stream = all_streams;
  while (stream && (const void *)stream != (const void *)native) stream = stream->next;
  bool is_known = stream || (const void *)default_stream == (const void *)native;
  pthread_mutex_unlock(&host_streams_mutex);
  return is_known;
}

CUresult host_cuStreamGetCtx(CUstream native, CUcontext *out_context)
{
  if (!is_stream(native)) return CUDA_ERROR_INVALID_HANDLE;
  *out_context = host_primary_context(); /* of streams of green contexts too */
  return CUDA_SUCCESS;
}

CUcontext host_stream_context(CUstream native)
{
  CUcontext current = NULL;
  if (!is_default(native) && native != CU_STREAM_PER_THREAD)
    return ((HostStream *)(void *)native)->context;
  host_cuCtxGetCurrent(&current); /* the context whose default stream it is */
  return current ? current : host_primary_context();
}

CUresult host_cuStreamGetCtx_v2(CUstream native, CUcontext *out_context, CUgreenCtx *out_green)
{
  if (!is_stream(native)) return CUDA_ERROR_INVALID_HANDLE;
  CUcontext own = host_stream_context(native);
  *out_context = host_primary_context();
  *out_green = own == *out_context ? NULL : (CUgreenCtx)(void *)own;
  return CUDA_SUCCESS;
}

void host_stream_enter_green(CUstream native, CUgreenCtx green)
{
  stream_of(native)->context = (CUcontext)(void *)green;
}

/* The stream's slot for an attribute; NULL if streams don't have it. */
static CUlaunchAttributeValue *attribute_of(CUstream native, CUlaunchAttributeID id)
{
  HostStream *stream = stream_of(native);
  switch (id) {
  case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
  case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
  case CU_LAUNCH_ATTRIBUTE_PRIORITY:
  case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
  case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
  case CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING:
    return stream ? &stream->attributes[id] : NULL;
  default: return NULL;
  }
}

CUresult host_cuStreamGetAttribute(CUstream native, CUlaunchAttributeID id,
                                   CUlaunchAttributeValue *out_value)
{
  CUlaunchAttributeValue *value = attribute_of(native, id);
  if (!value) return CUDA_ERROR_INVALID_VALUE;
  *out_value = *value;
  return CUDA_SUCCESS;
}

CUresult host_cuStreamSetAttribute(CUstream native, CUlaunchAttributeID id,
                                   const CUlaunchAttributeValue *new_value)
{
  CUlaunchAttributeValue *value = attribute_of(native, id);
  if (!value) return CUDA_ERROR_INVALID_VALUE;
  *value = *new_value;
  return CUDA_SUCCESS;
}

/* values in memory --------------------------------------------------------------------------- */

typedef struct ValueOp {
  HostOp op;
  void *address;
  uint64_t value;
  bool is_long; /* 8 bytes; otherwise 4 */
  unsigned condition;
} ValueOp;

static bool may_access(const ValueOp *op, bool is_write)
{
  return host_may_access(is_write ? "a write of a value" : "a wait for a value",
                         (CUdeviceptr)(uintptr_t)op->address, op->is_long ? 8 : 4, is_write);
}

static uint64_t load_value(const ValueOp *op)
{
  if (op->is_long) return atomic_load((atomic_uint_fast64_t *)op->address);
  return atomic_load((_Atomic uint32_t *)op->address);
}

static bool fits(const ValueOp *op)
{
  uint64_t now = load_value(op);
  int64_t ahead = op->is_long ? (int64_t)(now - op->value) : (int32_t)(now - op->value);
  uint64_t clear = ~(now | op->value) & (op->is_long ? UINT64_MAX : UINT32_MAX);
  switch (op->condition) {
  case CU_STREAM_WAIT_VALUE_EQ: return now == op->value;
  case CU_STREAM_WAIT_VALUE_AND: return now & op->value;
  case CU_STREAM_WAIT_VALUE_NOR: return clear;
  default: return ahead >= 0;
  }
}

static void run_wait_value(HostOp *op)
{
  /* Writes by other code send no notification, so this polls, with pauses that grow to 1 ms. */
  useconds_t pause = 1;
  while (may_access((ValueOp *)op, false) && !fits((ValueOp *)op) && host_fault() == CUDA_SUCCESS) {
    usleep(pause);
    if (pause < 1000) pause *= 2;
  }
}

static void run_write_value(HostOp *op)
{
  ValueOp *write = (ValueOp *)op;
  if (!may_access(write, true)) return;
  if (write->is_long) atomic_store((atomic_uint_fast64_t *)write->address, write->value);
  else atomic_store((_Atomic uint32_t *)write->address, (uint32_t)write->value);
}

static bool is_long(const CUstreamBatchMemOpParams *op)
{
  return op->operation == CU_STREAM_MEM_OP_WAIT_VALUE_64 ||
         op->operation == CU_STREAM_MEM_OP_WRITE_VALUE_64;
}

static CUresult check_value(const CUstreamBatchMemOpParams *op)
{
  switch ((int)op->operation) {
  case CU_STREAM_MEM_OP_WAIT_VALUE_32:
  case CU_STREAM_MEM_OP_WAIT_VALUE_64:
  case CU_STREAM_MEM_OP_WRITE_VALUE_32:
  case CU_STREAM_MEM_OP_WRITE_VALUE_64: break;
  default: return CUDA_ERROR_NOT_SUPPORTED;
  }
  bool is_fine = op->waitValue.address % (is_long(op) ? 8 : 4) == 0 &&
                 op->waitValue.flags <= CU_STREAM_WAIT_VALUE_NOR;
  return is_fine ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* The union's members for writes and waits have the same layout. */
static CUresult put_value(CUstream stream, const CUstreamBatchMemOpParams *params)
{
  bool is_wait = params->operation == CU_STREAM_MEM_OP_WAIT_VALUE_32 ||
                 params->operation == CU_STREAM_MEM_OP_WAIT_VALUE_64;
  ValueOp *op = memory_new(sizeof *op);
  if (!op) return CUDA_ERROR_OUT_OF_MEMORY;
  *op = (ValueOp){.op = {.run = is_wait ? run_wait_value : run_write_value, .is_work = true},
                  .address = (void *)(uintptr_t)params->waitValue.address,
                  .value = is_long(params) ? params->waitValue.value64 : params->waitValue.value,
                  .is_long = is_long(params),
                  .condition = params->waitValue.flags};
  return host_put(stream, &op->op);
}

CUresult host_cuStreamBatchMemOp(CUstream stream, unsigned count, CUstreamBatchMemOpParams *ops,
                                 unsigned flags)
{
  NEED_CONTEXT();
  CUresult result = count && !flags ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < count && result == CUDA_SUCCESS; ++i) result = check_value(&ops[i]);
  if (result == CUDA_SUCCESS && host_is_capturing(stream))
    return host_capture_values(stream, ops, count);
  for (unsigned i = 0; i < count && result == CUDA_SUCCESS; ++i)
    result = put_value(stream, &ops[i]);
  return result;
}

static CUresult put_one(CUstream stream, CUstreamBatchMemOpType operation, CUdeviceptr address,
                        uint64_t value, unsigned flags)
{
  CUstreamBatchMemOpParams op = {
      .waitValue = {.operation = operation, .address = address, .value64 = value, .flags = flags}};
  return host_cuStreamBatchMemOp(stream, 1, &op, 0);
}

/* Defines the functions for one value. */
#define PUT_ONE(function_, type_, operation_)                                                      \
  CUresult host_##function_(CUstream stream, CUdeviceptr address, type_ value, unsigned flags)     \
  {                                                                                                \
    return put_one(stream, CU_STREAM_MEM_OP_##operation_, address, value, flags);                  \
  }
PUT_ONE(cuStreamWriteValue32, uint32_t, WRITE_VALUE_32)
PUT_ONE(cuStreamWriteValue64, uint64_t, WRITE_VALUE_64)
PUT_ONE(cuStreamWaitValue32, uint32_t, WAIT_VALUE_32)
PUT_ONE(cuStreamWaitValue64, uint64_t, WAIT_VALUE_64)

typedef struct CallOp {
  HostOp op;
  CUhostFn function;
  void *data;
} CallOp;

static void run_call(HostOp *op)
{
  CallOp *call = (CallOp *)op;
  call->function(call->data);
}

HostOp *host_make_call(CUhostFn function, void *data)
{
  CallOp *call = memory_new(sizeof *call);
  if (!call) return NULL;
  *call = (CallOp){{.run = run_call, .is_work = true}, function, data};
  return &call->op;
}

void host_read_call(const HostOp *op, CUDA_HOST_NODE_PARAMS *out)
{
  const CallOp *call = (const CallOp *)op;
  bool is_call = op->run == run_call;
  *out = (CUDA_HOST_NODE_PARAMS){is_call ? call->function : NULL, is_call ? call->data : NULL};
}

CUresult host_cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data)
{
  if (host_fault() != CUDA_SUCCESS) return host_fault();
  HostOp *op = host_make_call(function, data);
  return op ? host_put(stream, op) : CUDA_ERROR_OUT_OF_MEMORY;
}
