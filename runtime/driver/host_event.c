/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* host_event.c - the host device's events, also of other processes.
 *
 * An event is a count of records that were put into streams, and the last one that was reached.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host.h"

enum { NAME_MAX_BYTES = 48 };

/* What processes share of an event. */
typedef struct EventState {
  pthread_mutex_t mutex; /* guards what follows */
  pthread_cond_t changed;
  uint64_t put, done; /* records put into streams, and the last one that was reached */
  double time;        /* of the last one that was reached */
} EventState;

typedef struct HostEvent {
  atomic_size_t reference_count; /* the handle, and operations that record or wait */
  EventState *state;             /* its own, or shared memory under a name */
  EventState own;
  unsigned flags;
  struct HostTail *tail;     /* while its last record was captured; guarded by host_graph_mutex */
  char name[NAME_MAX_BYTES]; /* of the shared memory; "" if it has none */
  bool is_maker;             /* this process gave it the name */
} HostEvent;

struct HostTail **host_event_tail(CUevent event)
{
  return &((HostEvent *)(void *)event)->tail;
}

static void release_event(HostEvent *event)
{
  if (atomic_fetch_sub(&event->reference_count, 1) != 1) return;
  host_tail_release(&event->tail);
  if (*event->name) {
    munmap(event->state, sizeof *event->state);
    if (event->is_maker) shm_unlink(event->name);
  } else {
    pthread_mutex_destroy(&event->state->mutex);
    pthread_cond_destroy(&event->state->changed);
  }
  memory_free(event);
}

/* Reaches, or waits for, record number `count` of an event. */
typedef struct EventOp {
  HostOp op;
  HostEvent *event; /* retained */
  uint64_t count;
} EventOp;

static void reach_event(HostEvent *event, uint64_t count)
{
  pthread_mutex_lock(&event->state->mutex);
  if (event->state->done < count) event->state->done = count;
  event->state->time = seconds_now();
  pthread_cond_broadcast(&event->state->changed);
  pthread_mutex_unlock(&event->state->mutex);
}

static void run_record(HostOp *op)
{
  EventOp *record = (EventOp *)op;
  reach_event(record->event, record->count);
}

static void wait_event(HostEvent *event, uint64_t count)
{
  pthread_mutex_lock(&event->state->mutex);
  while (event->state->done < count)
    pthread_cond_wait(&event->state->changed, &event->state->mutex);
  pthread_mutex_unlock(&event->state->mutex);
}

static void run_wait_event(HostOp *op)
{
  EventOp *wait = (EventOp *)op;
  wait_event(wait->event, wait->count);
}

static void drop_event(HostOp *op)
{
  release_event(((EventOp *)op)->event);
}

static CUresult put_event(CUstream stream, HostEvent *event, void (*run)(HostOp *op),
                          uint64_t count)
{
  EventOp *op = memory_new(sizeof *op);
  if (!op) return CUDA_ERROR_OUT_OF_MEMORY;
  *op = (EventOp){{.run = run, .drop = drop_event}, event, count};
  atomic_fetch_add(&event->reference_count, 1);
  return host_put(stream, &op->op);
}

static void init_state(EventState *state, bool is_shared)
{
  pthread_mutexattr_t mutex_attr;
  pthread_condattr_t cond_attr;
  int shared = is_shared ? PTHREAD_PROCESS_SHARED : PTHREAD_PROCESS_PRIVATE;
  pthread_mutexattr_init(&mutex_attr);
  pthread_mutexattr_setpshared(&mutex_attr, shared);
  pthread_mutex_init(&state->mutex, &mutex_attr);
  pthread_mutexattr_destroy(&mutex_attr);
  pthread_condattr_init(&cond_attr);
  pthread_condattr_setpshared(&cond_attr, shared);
  pthread_cond_init(&state->changed, &cond_attr);
  pthread_condattr_destroy(&cond_attr);
}

/* Maps the shared memory of event->name, made anew if this process makes the event. */
static bool map_state(HostEvent *event)
{
  int fd = shm_open(event->name, O_RDWR | O_CLOEXEC | (event->is_maker ? O_CREAT | O_EXCL : 0),
                    S_IRUSR | S_IWUSR);
  if (fd < 0) return false;
  bool is_sized = !event->is_maker || ftruncate(fd, sizeof(EventState)) == 0;
  void *state = is_sized ? mmap(NULL, sizeof(EventState), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)
                         : MAP_FAILED;
  close(fd);
  if (state == MAP_FAILED) {
    if (event->is_maker) shm_unlink(event->name);
    return false;
  }
  event->state = state;
  if (event->is_maker) init_state(event->state, true);
  return true;
}

CUresult host_cuEventCreate(CUevent *out_event, unsigned flags)
{
  static atomic_uint last_name;
  NEED_CONTEXT();
  bool is_shared = flags & CU_EVENT_INTERPROCESS;
  if (is_shared && !(flags & CU_EVENT_DISABLE_TIMING)) return CUDA_ERROR_INVALID_VALUE;
  HostEvent *event = memory_new(sizeof *event);
  if (!event) return CUDA_ERROR_OUT_OF_MEMORY;
  atomic_init(&event->reference_count, 1);
  event->flags = flags;
  event->is_maker = true;
  event->state = &event->own;
  if (is_shared) {
    snprintf(event->name, sizeof event->name, "/cokernel-event-%d-%u", (int)getpid(),
             atomic_fetch_add(&last_name, 1));
    if (!map_state(event)) {
      memory_free(event);
      return CUDA_ERROR_OPERATING_SYSTEM;
    }
  } else {
    init_state(event->state, false);
  }
  atomic_fetch_add(&host_live_objects, 1);
  *out_event = (CUevent)(void *)event;
  return CUDA_SUCCESS;
}

CUresult host_cuEventDestroy(CUevent native)
{
  release_event((HostEvent *)(void *)native);
  atomic_fetch_sub(&host_live_objects, 1);
  return CUDA_SUCCESS;
}

void host_event_retain(CUevent native)
{
  atomic_fetch_add(&((HostEvent *)(void *)native)->reference_count, 1);
}

void host_event_release(CUevent native)
{
  release_event((HostEvent *)(void *)native);
}

uint64_t host_event_count(CUevent native, bool is_record)
{
  EventState *state = ((HostEvent *)(void *)native)->state;
  pthread_mutex_lock(&state->mutex);
  uint64_t count = is_record ? ++state->put : state->put;
  pthread_mutex_unlock(&state->mutex);
  return count;
}

void host_event_reach(CUevent event, uint64_t count)
{
  reach_event((HostEvent *)(void *)event, count);
}

void host_event_wait(CUevent event, uint64_t count)
{
  wait_event((HostEvent *)(void *)event, count);
}

CUresult host_cuEventRecord(CUevent native, CUstream stream)
{
  if (host_fault() != CUDA_SUCCESS) return host_fault();
  host_tail_release(host_event_tail(native)); /* of an earlier record */
  if (host_is_capturing(stream)) return host_capture_record(stream, native);
  HostEvent *event = (HostEvent *)(void *)native;
  pthread_mutex_lock(&event->state->mutex);
  uint64_t count = ++event->state->put;
  pthread_mutex_unlock(&event->state->mutex);
  CUresult result = put_event(stream, event, run_record, count);
  /* A record that will never be reached must not be waited for. */
  if (result != CUDA_SUCCESS) run_record(&(EventOp){.event = event, .count = count}.op);
  return result;
}

CUresult host_cuStreamWaitEvent(CUstream stream, CUevent native, unsigned flags)
{
  if (flags) return CUDA_ERROR_INVALID_VALUE;
  if (host_fault() != CUDA_SUCCESS) return host_fault();
  if (__atomic_load_n(host_event_tail(native), __ATOMIC_ACQUIRE) || host_is_capturing(stream))
    return host_capture_wait(stream, native);
  HostEvent *event = (HostEvent *)(void *)native;
  pthread_mutex_lock(&event->state->mutex);
  uint64_t count = event->state->put;
  bool is_done = event->state->done >= count;
  pthread_mutex_unlock(&event->state->mutex);
  return is_done ? CUDA_SUCCESS : put_event(stream, event, run_wait_event, count);
}

CUresult host_cuEventQuery(CUevent native)
{
  HostEvent *event = (HostEvent *)(void *)native;
  if (host_fault() != CUDA_SUCCESS) return host_fault();
  if (host_capture_refuse_event(native)) return CUDA_ERROR_CAPTURED_EVENT;
  pthread_mutex_lock(&event->state->mutex);
  bool is_done = event->state->done >= event->state->put;
  pthread_mutex_unlock(&event->state->mutex);
  return is_done ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

CUresult host_cuEventSynchronize(CUevent native)
{
  HostEvent *event = (HostEvent *)(void *)native;
  if (host_capture_refuse_event(native)) return CUDA_ERROR_CAPTURED_EVENT;
  pthread_mutex_lock(&event->state->mutex);
  uint64_t count = event->state->put;
  pthread_mutex_unlock(&event->state->mutex);
  wait_event(event, count);
  fflush(stdout);
  return host_fault();
}

/* The time of an event's last record, CUDA_ERROR_NOT_READY until it was reached. */
static CUresult read_time(HostEvent *event, double *out_time)
{
  pthread_mutex_lock(&event->state->mutex);
  bool is_recorded = event->state->put > 0, is_done = event->state->done >= event->state->put;
  *out_time = event->state->time;
  pthread_mutex_unlock(&event->state->mutex);
  if (!is_recorded || event->flags & CU_EVENT_DISABLE_TIMING) return CUDA_ERROR_INVALID_HANDLE;
  return is_done ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

CUresult host_cuEventElapsedTime(float *out_milliseconds, CUevent start, CUevent end)
{
  double from, to;
  CUresult first = read_time((HostEvent *)(void *)start, &from),
           second = read_time((HostEvent *)(void *)end, &to);
  if (first == CUDA_SUCCESS && second == CUDA_SUCCESS)
    *out_milliseconds = (float)(1e3 * (to - from));
  /* An event that is never reached matters more than one that is not reached yet. */
  return first == CUDA_SUCCESS || second == CUDA_ERROR_INVALID_HANDLE ? second : first;
}

/* events of other processes ------------------------------------------------------------------ */

static const char event_magic[8] = "ck.event";

CUresult host_cuIpcGetEventHandle(CUipcEventHandle *out_handle, CUevent native)
{
  const HostEvent *event = (HostEvent *)(void *)native;
  if (!*event->name) return CUDA_ERROR_INVALID_HANDLE;
  memset(out_handle, 0, sizeof *out_handle);
  memcpy(out_handle->reserved, event_magic, sizeof event_magic);
  memcpy(out_handle->reserved + sizeof event_magic, event->name, sizeof event->name);
  return CUDA_SUCCESS;
}

CUresult host_cuIpcOpenEventHandle(CUevent *out_event, CUipcEventHandle handle)
{
  NEED_CONTEXT();
  if (memcmp(handle.reserved, event_magic, sizeof event_magic)) return CUDA_ERROR_INVALID_VALUE;
  HostEvent *event = memory_new(sizeof *event);
  if (!event) return CUDA_ERROR_OUT_OF_MEMORY;
  atomic_init(&event->reference_count, 1);
  event->flags = CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING;
  memcpy(event->name, handle.reserved + sizeof event_magic, sizeof event->name - 1);
  if (!map_state(event)) {
    memory_free(event);
    return CUDA_ERROR_INVALID_VALUE;
  }
  atomic_fetch_add(&host_live_objects, 1);
  *out_event = (CUevent)(void *)event;
  return CUDA_SUCCESS;
}
