/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* event.c - events of the host device, including events shared between processes.
 *
 * Each record of an event gets the next number when it is submitted to a stream (`put`), and is
 * reached when the stream executes it. A wait is for the number of the last record at the time of
 * the call. Records in different streams can be reached out of order, so the event stores which
 * numbers are pending, and not only a maximum. For example:
 *
 *   put = 5      record    1 2 3 4 5
 *                reached   x x . x .      pending = {3, 5}
 *
 * A wait for record 4 returns at once here, and a wait for record 3 does not.
 *
 * An event of one process keeps the pending numbers in a sorted array, under a mutex. An event that
 * is shared between processes can't, since a process may end at any time, while it holds a mutex or
 * before it reaches its record. It consists of atomic numbers in a shared memory file (EventState),
 * and a pending record n is a lock on byte n of that file (fcntl, open file description locks). The
 * system drops the locks of a process that ends, so that nobody waits for its records.
 *
 * The maker of a shared event holds the lock of byte 0. Files of makers that have ended are removed
 * by the next process that makes such an event.
 */
#define _GNU_SOURCE /* F_OFD_SETLK */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "host.h"

/* Crashed processes may leave files, so several names are tried (NAME_TRIES). A thread that waits
 * for another process's record checks every 10 ms whether that process still exists
 * (LOOK_NANOSECONDS). FEW pending records need no allocation. */
enum { NAME_MAX_BYTES = 48, NAME_TRIES = 1000, LOOK_NANOSECONDS = 10000000, FEW = 4 };

/* The shared part of an event; zeros are the initial state. */
typedef struct EventState {
  atomic_uint_fast64_t put, done; /* records submitted, and the highest number reached */
  _Atomic double time;            /* when that was reached */
  atomic_uint changes;            /* futex: incremented when a record is reached */
} EventState;

typedef struct HostEvent {
  atomic_size_t reference_count; /* the handle, and operations that record or wait */
  EventState *state;             /* &own, or the shared memory */
  EventState own;
  unsigned flags;
  unsigned generation;       /* host_generation when it was made */
  CUcontext context;         /* only streams of this context can record it */
  struct HostTail *tail;     /* if its last record was captured; guarded by host_graph_mutex */
  char name[NAME_MAX_BYTES]; /* of the shared memory file; "" if there is none */
  bool is_maker;             /* this process made the file */
  int fd;                    /* the file, for its locks */
  pthread_mutex_t mutex;     /* serialises numbering in this process; guards the next fields */
  uint64_t *pending;         /* sorted: records of this process that are pending */
  size_t first, end, room;   /* the range in use; usually the first is reached first */
  uint64_t few[FEW];         /* storage for the first few */
  uint64_t first_lost;       /* numbers from here on may be pending without being in the array,
                              * which could not grow */
  size_t lost_count;
} HostEvent;

/* Where shm_open puts files. */
static const char folder[] = "/dev/shm", prefix[] = "cokernel-event-";

static bool is_shared(const HostEvent *event)
{
  return *event->name;
}

struct HostTail **host_event_tail(CUevent event)
{
  return &((HostEvent *)(void *)event)->tail;
}

/* Whether the parent of this process made the event, whose records are reached by threads that
 * don't exist here (fork.c). */
static bool is_lost(CUevent native)
{
  return ((const HostEvent *)(const void *)native)->generation != host_generation;
}

/* locks of shared memory --------------------------------------------------------------------- */

/* False if another event object holds the lock. */
static bool lock_byte(int fd, uint64_t byte)
{
  struct flock lock = {.l_type = F_WRLCK, .l_start = (off_t)byte, .l_len = 1};
  return fcntl(fd, F_OFD_SETLK, &lock) == 0 || (errno != EAGAIN && errno != EACCES);
}

static void unlock_byte(int fd, uint64_t byte)
{
  struct flock lock = {.l_type = F_UNLCK, .l_start = (off_t)byte, .l_len = 1};
  fcntl(fd, F_OFD_SETLK, &lock);
}

/* Whether a lock is held by anyone, or `otherwise` if that can't be determined. The file is opened
 * again for the query, which does not report locks that were taken through the same descriptor. */
static bool is_locked(int fd, uint64_t byte, bool otherwise)
{
  char path[32];
  struct flock lock = {.l_type = F_WRLCK, .l_start = (off_t)byte, .l_len = 1};
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  int anew = open(path, O_RDWR | O_CLOEXEC);
  if (anew < 0) return otherwise;
  bool is_known = fcntl(anew, F_OFD_GETLK, &lock) == 0;
  close(anew);
  return is_known ? lock.l_type != F_UNLCK : otherwise;
}

/* numbers of records ------------------------------------------------------------------------- */

static bool make_room(HostEvent *event)
{
  if (event->end < event->room) return true;
  size_t count = event->end - event->first, room = count > event->room / 2 ? 2 * event->room : 0;
  uint64_t *place = room ? memory_new(room * sizeof *place) : event->pending;
  if (!place) return false;
  memmove(place, event->pending + event->first, count * sizeof *place);
  if (room && event->pending != event->few) memory_free(event->pending);
  if (room) event->room = room;
  event->pending = place;
  event->first = 0;
  event->end = count;
  return true;
}

static uint64_t take_own_number(HostEvent *event)
{
  pthread_mutex_lock(&event->mutex);
  uint64_t number = atomic_fetch_add(&event->state->put, 1) + 1;
  if (make_room(event)) event->pending[event->end++] = number;
  else if (!event->lost_count++) event->first_lost = number;
  pthread_mutex_unlock(&event->mutex);
  return number;
}

/* The index of a number in `pending`, or of the next larger one. */
static size_t find_pending(const HostEvent *event, uint64_t number)
{
  size_t low = event->first, high = event->end;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (event->pending[middle] < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

static bool is_at(const HostEvent *event, size_t place, uint64_t number)
{
  return place < event->end && event->pending[place] == number;
}

static bool is_own_reached(HostEvent *event, uint64_t number)
{
  pthread_mutex_lock(&event->mutex);
  bool is_lost = event->lost_count && number >= event->first_lost;
  bool is_pending = is_lost || is_at(event, find_pending(event, number), number);
  pthread_mutex_unlock(&event->mutex);
  return !is_pending;
}

static void reach_own(HostEvent *event, uint64_t number)
{
  EventState *state = event->state;
  pthread_mutex_lock(&event->mutex);
  size_t place = find_pending(event, number);
  if (atomic_load(&state->done) < number) {
    atomic_store(&state->time, seconds_now());
    atomic_store(&state->done, number);
  }
  if (!is_at(event, place, number)) --event->lost_count;
  else if (place == event->first) ++event->first;
  else
    memmove(&event->pending[place], &event->pending[place + 1],
            (--event->end - place) * sizeof *event->pending);
  pthread_mutex_unlock(&event->mutex);
}

static uint64_t take_number(HostEvent *event)
{
  EventState *state = event->state;
  if (!is_shared(event)) return take_own_number(event);
  uint_fast64_t last;
  bool is_taken = false;
  pthread_mutex_lock(&event->mutex);
  while (!is_taken) {
    last = atomic_load(&state->put);
    /* The holder of the lock is about to take the number, or to end. */
    if (!lock_byte(event->fd, last + 1)) {
      sched_yield();
      continue;
    }
    uint_fast64_t expected = last;
    is_taken = atomic_compare_exchange_strong(&state->put, &expected, last + 1);
    if (!is_taken) unlock_byte(event->fd, last + 1);
  }
  pthread_mutex_unlock(&event->mutex);
  return last + 1;
}

/* Record 0 stands for "never recorded" and counts as reached; byte 0 is the maker's lock. */
static bool is_reached(HostEvent *event, uint64_t count)
{
  if (!is_shared(event)) return is_own_reached(event, count);
  if (!count) return true;
  return atomic_load(&event->state->done) >= count && !is_locked(event->fd, count, false);
}

/* Whether a record is reached, or will never be because its process has ended. */
static bool is_over(HostEvent *event, uint64_t count)
{
  return is_reached(event, count) || (is_shared(event) && !is_locked(event->fd, count, true));
}

static void reach_event(HostEvent *event, uint64_t count)
{
  EventState *state = event->state;
  if (is_shared(event)) {
    uint_fast64_t done = atomic_load(&state->done);
    while (done < count && !atomic_compare_exchange_weak(&state->done, &done, count)) continue;
    unlock_byte(event->fd, count);
  } else {
    reach_own(event, count);
  }
  atomic_fetch_add(&state->changes, 1);
  syscall(SYS_futex, &state->changes, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

static void wait_event(HostEvent *event, uint64_t count)
{
  if (is_lost((CUevent)(void *)event)) return;
  const struct timespec pause = {.tv_nsec = LOOK_NANOSECONDS};
  EventState *state = event->state;
  for (;;) {
    unsigned seen = atomic_load(&state->changes);
    if (is_reached(event, count)) return;
    syscall(SYS_futex, &state->changes, FUTEX_WAIT, seen, is_shared(event) ? &pause : NULL, NULL,
            0);
    if (is_over(event, count)) return;
  }
}

/* operations --------------------------------------------------------------------------------- */

/* Frees an event whose shared memory, if any, is not mapped. */
static void free_event(HostEvent *event)
{
  if (event->pending != event->few) memory_free(event->pending);
  pthread_mutex_destroy(&event->mutex);
  memory_free(event);
}

static void release_event(HostEvent *event)
{
  if (atomic_fetch_sub(&event->reference_count, 1) != 1) return;
  host_tail_release(&event->tail);
  if (is_shared(event)) {
    munmap(event->state, sizeof *event->state);
    if (event->is_maker && !is_lost((CUevent)(void *)event)) shm_unlink(event->name);
    close(event->fd);
  }
  free_event(event);
}

/* An operation that reaches, or waits for, record number `count` of an event. */
typedef struct EventOp {
  HostOp op;
  HostEvent *event; /* retained */
  uint64_t count;
} EventOp;

static void run_record(HostOp *op)
{
  EventOp *record = (EventOp *)op;
  reach_event(record->event, record->count);
}

static void enter_record(HostOp *op)
{
  EventOp *record = (EventOp *)op;
  record->count = take_number(record->event);
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

/* Submits a record, or a wait for record number `count`. */
static CUresult put_event(CUstream stream, HostEvent *event, bool is_record, uint64_t count)
{
  EventOp *op = memory_new(sizeof *op);
  if (!op) return CUDA_ERROR_OUT_OF_MEMORY;
  *op = (EventOp){.op.drop = drop_event, .event = event, .count = count};
  op->op.run = is_record ? run_record : run_wait_event;
  if (is_record) op->op.enter = enter_record;
  atomic_fetch_add(&event->reference_count, 1);
  return host_put(stream, &op->op);
}

/* shared memory ------------------------------------------------------------------------------ */

/* Removes files whose makers have ended. The lock of byte 0 is held until a file is removed; the
 * sweep needs these locks to work, and does nothing otherwise. */
static void sweep_names(void)
{
  struct stat info;
  DIR *names = opendir(folder);
  for (struct dirent *entry; names && (entry = readdir(names));) {
    if (strncmp(entry->d_name, prefix, sizeof prefix - 1)) continue;
    int fd = shm_open(entry->d_name, O_RDWR | O_CLOEXEC, 0);
    if (fd < 0) continue;
    /* A file that was removed and made again meanwhile has st_nlink 0 here. */
    if (!is_locked(fd, 0, true) && lock_byte(fd, 0) && fstat(fd, &info) == 0 && info.st_nlink)
      shm_unlink(entry->d_name);
    close(fd);
  }
  if (names) closedir(names);
}

/* Makes a new file and locks byte 0. Tries another name if a sweep of another process removed the
 * file between the two steps. */
static int make_file(char *name, size_t room)
{
  static atomic_uint last_name;
  for (int i = 0; i < NAME_TRIES; ++i) {
    struct stat info;
    snprintf(name, room, "/%s%d-%u", prefix, (int)getpid(), atomic_fetch_add(&last_name, 1));
    int fd = shm_open(name, O_RDWR | O_CLOEXEC | O_CREAT | O_EXCL, S_IRUSR | S_IWUSR);
    if (fd < 0 && errno == EEXIST) continue;
    if (fd < 0) return -1;
    if (lock_byte(fd, 0) && fstat(fd, &info) == 0 && info.st_nlink) {
      if (ftruncate(fd, sizeof(EventState)) == 0) return fd;
      shm_unlink(name);
      i = NAME_TRIES;
    }
    close(fd);
  }
  return -1;
}

static int open_file(const char *name)
{
  struct stat info;
  int fd = shm_open(name, O_RDWR | O_CLOEXEC, 0);
  if (fd < 0 || (fstat(fd, &info) == 0 && info.st_size == sizeof(EventState))) return fd;
  close(fd);
  return -1;
}

/* Maps the file event->name; makes it first if this process makes the event. */
static bool map_state(HostEvent *event)
{
  static pthread_once_t sweep_once = PTHREAD_ONCE_INIT;
  if (event->is_maker) pthread_once(&sweep_once, sweep_names);
  event->fd = event->is_maker ? make_file(event->name, sizeof event->name) : open_file(event->name);
  if (event->fd < 0) return false;
  void *state = mmap(NULL, sizeof(EventState), PROT_READ | PROT_WRITE, MAP_SHARED, event->fd, 0);
  if (state == MAP_FAILED) {
    if (event->is_maker) shm_unlink(event->name);
    close(event->fd);
    return false;
  }
  event->state = state;
  return true;
}

/* events ------------------------------------------------------------------------------------- */

static HostEvent *new_event(unsigned flags)
{
  HostEvent *event = memory_new(sizeof *event);
  if (!event) return NULL;
  atomic_init(&event->reference_count, 1);
  pthread_mutex_init(&event->mutex, NULL);
  event->flags = flags;
  event->generation = host_generation;
  host_cuCtxGetCurrent(&event->context);
  event->pending = event->few;
  event->room = FEW;
  return event;
}

CUresult host_cuEventCreate(CUevent *out_event, unsigned flags)
{
  NEED_CONTEXT();
  bool is_for_others = flags & CU_EVENT_INTERPROCESS;
  if (is_for_others && !(flags & CU_EVENT_DISABLE_TIMING)) return CUDA_ERROR_INVALID_VALUE;
  HostEvent *event = new_event(flags);
  if (!event) return CUDA_ERROR_OUT_OF_MEMORY;
  event->is_maker = true;
  event->state = &event->own;
  if (is_for_others && !map_state(event)) {
    free_event(event);
    return CUDA_ERROR_OPERATING_SYSTEM;
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
  HostEvent *event = (HostEvent *)(void *)native;
  return is_record ? take_number(event) : atomic_load(&event->state->put);
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
  if (is_lost(native)) return CUDA_ERROR_NOT_INITIALIZED;
  if (host_fault() != CUDA_SUCCESS) return host_fault();
  if (host_stream_context(stream) != ((HostEvent *)(void *)native)->context)
    return CUDA_ERROR_INVALID_HANDLE;
  if (host_is_capturing(stream)) return host_capture_record(stream, native);
  CUresult result = put_event(stream, (HostEvent *)(void *)native, true, 0);
  /* The record before this one may have been captured. */
  if (result == CUDA_SUCCESS) host_tail_release(host_event_tail(native));
  return result;
}

CUresult host_cuStreamWaitEvent(CUstream stream, CUevent native, unsigned flags)
{
  if (flags) return CUDA_ERROR_INVALID_VALUE;
  if (is_lost(native)) return CUDA_ERROR_NOT_INITIALIZED;
  if (host_fault() != CUDA_SUCCESS) return host_fault();
  CUresult result = host_capture_implicit(stream, true);
  if (result != CUDA_SUCCESS) return result;
  if (__atomic_load_n(host_event_tail(native), __ATOMIC_ACQUIRE) || host_is_capturing(stream))
    return host_capture_wait(stream, native);
  HostEvent *event = (HostEvent *)(void *)native;
  uint64_t count = atomic_load(&event->state->put);
  return is_reached(event, count) ? CUDA_SUCCESS : put_event(stream, event, false, count);
}

CUresult host_cuEventQuery(CUevent native)
{
  HostEvent *event = (HostEvent *)(void *)native;
  if (is_lost(native)) return CUDA_ERROR_NOT_INITIALIZED;
  if (host_fault() != CUDA_SUCCESS) return host_fault();
  if (host_capture_refuse_event(native)) return CUDA_ERROR_CAPTURED_EVENT;
  UNSAFE_IN_CAPTURES();
  return is_over(event, atomic_load(&event->state->put)) ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

CUresult host_cuEventSynchronize(CUevent native)
{
  HostEvent *event = (HostEvent *)(void *)native;
  if (is_lost(native)) return CUDA_ERROR_NOT_INITIALIZED;
  if (host_capture_refuse_event(native)) return CUDA_ERROR_CAPTURED_EVENT;
  UNSAFE_IN_CAPTURES();
  wait_event(event, atomic_load(&event->state->put));
  fflush(stdout);
  return host_fault();
}

/* The time of an event's last record; CUDA_ERROR_NOT_READY if it is pending. */
static CUresult read_time(HostEvent *event, double *out_time)
{
  uint64_t count = atomic_load(&event->state->put);
  bool is_recorded = count > 0, is_done = is_reached(event, count);
  *out_time = atomic_load(&event->state->time);
  if (!is_recorded || event->flags & CU_EVENT_DISABLE_TIMING) return CUDA_ERROR_INVALID_HANDLE;
  return is_done ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

CUresult host_cuEventElapsedTime(float *out_milliseconds, CUevent start, CUevent end)
{
  if (is_lost(start) || is_lost(end)) return CUDA_ERROR_NOT_INITIALIZED;
  double from, to;
  CUresult first = read_time((HostEvent *)(void *)start, &from),
           second = read_time((HostEvent *)(void *)end, &to);
  if (first == CUDA_SUCCESS && second == CUDA_SUCCESS)
    *out_milliseconds = (float)(1e3 * (to - from));
  /* An event that will never be reached is reported before one that is not reached yet. */
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
  HostEvent *event = new_event(CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING);
  if (!event) return CUDA_ERROR_OUT_OF_MEMORY;
  memcpy(event->name, handle.reserved + sizeof event_magic, sizeof event->name - 1);
  if (!map_state(event)) {
    free_event(event);
    return CUDA_ERROR_INVALID_VALUE;
  }
  atomic_fetch_add(&host_live_objects, 1);
  *out_event = (CUevent)(void *)event;
  return CUDA_SUCCESS;
}
