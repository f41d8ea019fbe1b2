/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* event.c - the host device's events, also of other processes.
 *
 * An event is a count of records that were put into streams, and which of them are under way: a
 * later one may be reached first, in another stream, and who waits for an earlier one waits on.
 * They are a list, if the event is its process's own. A process may end at any time, so that what
 * processes share is numbers that are changed at once. They lie in a file, and the record of each
 * number that is under way has the lock of that byte: the system takes it from a process that ends,
 * whose records are not waited for any more. The maker has the lock of byte 0. A name whose maker
 * has ended is removed by the next one who makes an event for other processes.
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

enum { NAME_MAX_BYTES = 48, NAME_TRIES = 1000, LOOK_NANOSECONDS = 10000000, FEW = 4 };

/* What processes share of an event; a file of zeros is one. */
typedef struct EventState {
  atomic_uint_fast64_t put, done; /* records put into streams, and the last of those reached */
  _Atomic double time;            /* of that one */
  atomic_uint changes;            /* counts what is reached: who waits sleeps until it is another */
} EventState;

typedef struct HostEvent {
  atomic_size_t reference_count; /* the handle, and operations that record or wait */
  EventState *state;             /* its own, or shared memory under a name */
  EventState own;
  unsigned flags;
  unsigned generation;       /* host_generation when it was made */
  CUcontext context;         /* whose streams record it */
  struct HostTail *tail;     /* while its last record was captured; guarded by host_graph_mutex */
  char name[NAME_MAX_BYTES]; /* of the shared memory; "" if it has none */
  bool is_maker;             /* this process gave it the name */
  int fd;                    /* of the shared memory, for its locks */
  pthread_mutex_t mutex;     /* of who takes a number here; guards what follows */
  uint64_t *pending;         /* by number: its own records that are under way */
  size_t first, end, room;   /* they are pending[first..end): mostly the first is reached first */
  uint64_t few[FEW];         /* room for some */
  uint64_t first_lost;       /* from here on, numbers may be under way that had no room */
  size_t lost_count;
} HostEvent;

static const char folder[] = "/dev/shm", prefix[] = "cokernel-event-"; /* as shm_open has it */

static bool is_shared(const HostEvent *event)
{
  return *event->name;
}

struct HostTail **host_event_tail(CUevent event)
{
  return &((HostEvent *)(void *)event)->tail;
}

/* What the parent of this process recorded is reached by a thread that is not here (fork.c).
 */
static bool is_lost(CUevent native)
{
  return ((const HostEvent *)(const void *)native)->generation != host_generation;
}

/* locks of shared memory --------------------------------------------------------------------- */

/* False if another event object has it. */
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

/* Whether somebody has the lock, or `otherwise` if that can't be found out. It is looked at through
 * the file opened anew: who asks by a descriptor is not told of what he has himself. */
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

/* The place of a number in `pending`, or of the next one. */
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
    /* Whoever has the lock is about to take the number, or to end. */
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

/* Record 0, which an event has that nobody recorded, is reached: byte 0 is the maker's lock. */
static bool is_reached(HostEvent *event, uint64_t count)
{
  if (!is_shared(event)) return is_own_reached(event, count);
  if (!count) return true;
  return atomic_load(&event->state->done) >= count && !is_locked(event->fd, count, false);
}

/* The same, or the process that was to reach it has ended. */
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

/* One whose shared memory, if it is to have some, is not there. */
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

/* Reaches, or waits for, record number `count` of an event. */
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

/* A record, or a wait for record number `count`. */
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

/* Removes the names whose maker has ended. The lock is held until the name is gone, and it is known
 * that there are such locks. */
static void sweep_names(void)
{
  struct stat info;
  DIR *names = opendir(folder);
  for (struct dirent *entry; names && (entry = readdir(names));) {
    if (strncmp(entry->d_name, prefix, sizeof prefix - 1)) continue;
    int fd = shm_open(entry->d_name, O_RDWR | O_CLOEXEC, 0);
    if (fd < 0) continue;
    /* With the lock the name stays this file's, if it still is. */
    if (!is_locked(fd, 0, true) && lock_byte(fd, 0) && fstat(fd, &info) == 0 && info.st_nlink)
      shm_unlink(entry->d_name);
    close(fd);
  }
  if (names) closedir(names);
}

/* The file of a name that there was not. It has the lock, and the name still: who sweeps may have
 * come in between. */
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

/* Maps the shared memory of event->name, made anew if this process makes the event. */
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
  if (result == CUDA_SUCCESS) host_tail_release(host_event_tail(native)); /* of an earlier record */
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

/* The time of an event's last record, CUDA_ERROR_NOT_READY until it was reached. */
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
